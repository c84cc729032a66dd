//! A program together with one method of executing it.

use crate::notation;
use clap::ValueEnum;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::lambda;
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Array;
use mlopt_functions::run::{Stop, machine, signature};
use mlopt_lowering::gpu::sweeps_to_kernels::THREADS;
use mlopt_lowering::native::{Error, Target};
use mlopt_lowering::pipelines::{
    FUNCTIONS_CPU, FUNCTIONS_PLAIN, GRAD_CPU, LOWER_CPU, is_functional, pipeline_text, with_import,
    with_import_for_evaluator,
};
use mlopt_runtime::code::Compiled;
use mlopt_runtime::failure::Failure;

/// A method of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Execution {
    /// The reference evaluator, for calls that list their results or messages
    Eval,
    /// Machine code without egg-optimize
    Plain,
    /// Machine code as `mlopt run` compiles it
    Optimised,
    /// The kernels of a GPU on this processor: thread after thread, and in reverse order with other blocks
    Kernels,
}

/// The message with which a call stops.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Message(pub String);

/// A program after the passes of one method.
pub struct Prepared {
    /// The method, for messages.
    pub name: String,
    program: Program,
    code: Option<Compiled>,
    /// True for a program that uses the dialect `lambda`.
    is_functional: bool,
    /// The public functions of a program of arrays. Those of functional programs may be polymorphic.
    pub public: Vec<String>,
    /// True if its results must have the same bits as those of the program before it.
    pub repeats: bool,
}

/// Passes that run on the program before it is evaluated.
const DIFFERENTIATE: &[&str] = &["differentiate"];
const SPECIALISE: &[&str] = &["lambda-specialise"];

impl Prepared {
    /// Prepares the program for the evaluator, after other passes if there are some.
    pub fn evaluated(file: &str, text: &str, passes: Option<&str>) -> Result<Prepared, Failure> {
        let program = notation::program(file, text.as_bytes())?;
        let is_functional = is_functional(program.module());
        let public = if is_functional { vec![] } else { public(program.module()) };
        let pipeline = match passes {
            Some(passes) => passes.to_string(),
            None if is_functional => pipeline_text(SPECIALISE),
            None => with_import_for_evaluator(&pipeline_text(DIFFERENTIATE), program.module()),
        };
        program.run_pipeline(&pipeline)?;
        let name = passes.map_or("evaluator".to_string(), |passes| format!("evaluator after {passes}"));
        Ok(Prepared { name, program, code: None, is_functional, public, repeats: false })
    }

    /// Compiles the program by each variation of a method.
    pub fn compiled(file: &str, text: &str, by: Execution, target: &Target) -> Result<Vec<Prepared>, Failure> {
        let compile = |name: &str, passes: &dyn Fn(&Program, bool) -> String| -> Result<Prepared, Failure> {
            let program = notation::program(file, text.as_bytes())?;
            let is_functional = is_functional(program.module());
            target.describe(program.module());
            program.run_pipeline(&passes(&program, is_functional))?;
            let code = Some(Compiled::new(program.module(), target).map_err(|e| Failure::at(file, e))?);
            Ok(Prepared { name: name.to_string(), program, code, is_functional, public: vec![], repeats: false })
        };
        let lowered = |passes: &[&str], program: &Program| {
            with_import(&pipeline_text(&[DIFFERENTIATE, passes].concat()), program.module())
        };
        let kernels = |name: &str, launches: &str| {
            let plan = format!("plan-memory{{threads={THREADS}}}");
            let passes = ["array-to-sweeps", &plan, "sweeps-to-kernels", launches, "sweeps-to-loops", "loops-to-llvm"];
            compile(name, &|program, _| lowered(&passes, program))
        };
        Ok(match by {
            Execution::Eval => vec![],
            Execution::Plain => vec![compile("plain code", &|program, is_functional| match is_functional {
                true => pipeline_text(FUNCTIONS_PLAIN),
                false => lowered(LOWER_CPU, program),
            })?],
            Execution::Optimised => vec![compile("optimised code", &|program, is_functional| match is_functional {
                true => pipeline_text(FUNCTIONS_CPU),
                false => with_import(&pipeline_text(GRAD_CPU), program.module()),
            })?],
            Execution::Kernels => {
                let forwards = kernels("kernels", "launches-to-loops")?;
                let backwards = kernels("kernels in reverse", "launches-to-loops{backwards=true blocks=3}")?;
                vec![forwards, Prepared { repeats: true, ..backwards }]
            }
        })
    }

    /// Returns the types of the arguments and results of a function.
    pub fn signature(&self, function: &str) -> Option<(Vec<Type>, Vec<Type>)> {
        signature(self.program.module(), function)
    }

    /// Calls a function.
    pub fn call(&self, function: &str, arguments: &[Value]) -> Result<Vec<Value>, Message> {
        let module = self.program.module();
        match (&self.code, self.is_functional) {
            (Some(code), true) => match machine(module, code, function, arguments) {
                Ok(results) => Ok(results.into_iter().map(|(value, _)| value).collect()),
                Err(Stop::Code(Error::Stopped { place, text, .. })) => Err(Message(format!("{place}: {text}"))),
                Err(other) => Err(Message(other.to_string())),
            },
            (Some(code), false) => {
                let given = arrays(arguments)?;
                let called = code.function(function).and_then(|f| f.call(&given));
                called.map(|found| found.into_iter().map(Value::array).collect()).map_err(|e| Message(e.to_string()))
            }
            (None, true) => {
                let found = lambda::eval::Evaluator::new(module).call(function, arguments);
                // Machine code does not name the op.
                let plain = |text: &str| text.split_once(" op ").map_or(text, |(_, plain)| plain).to_string();
                found.map(|value| vec![value]).map_err(|e| Message(format!("{}: {}", e.location, plain(&e.text))))
            }
            (None, false) => {
                let found = eval::Evaluator::new(module).call(function, &arrays(arguments)?);
                found.map(|found| found.into_iter().map(Value::array).collect()).map_err(|e| Message(e.to_string()))
            }
        }
    }
}

fn public(module: Op) -> Vec<String> {
    let is_public = |op: &Op| op.attribute("sym_visibility").and_then(|a| a.as_string()).is_none_or(|v| v == "public");
    let functions = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc);
    functions.filter(is_public).filter_map(|op| op.symbol()).collect()
}

/// Returns the arguments of a function of arrays, whose types have been checked.
fn arrays(arguments: &[Value]) -> Result<Vec<Array>, Message> {
    let array = |value: &Value| value.as_array().map(|x| Array::clone(&x));
    let other = || Message("internal error: expected arrays as arguments".into());
    arguments.iter().map(array).collect::<Option<_>>().ok_or_else(other)
}
