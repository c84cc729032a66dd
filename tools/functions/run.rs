//! Calls of functions whose arguments and results are structured, such as tuples and records.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::lambda::eval::{Evaluator, Trace, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::text::count;
use mlopt_runtime::code::Compiled;
use mlopt_runtime::code::program::{self, Console};
use mlopt_runtime::failure::{Failure, stopped};
use mlopt_runtime::values::{self, LayoutError};
use std::io::Write;
use std::sync::Arc;

/// A function of a program after the passes, and the names of it and its parameters.
pub struct Call<'c> {
    pub program: &'c Program,
    pub name: &'c str,
    pub place: &'c str,
    pub names: &'c [String],
}

impl Call<'_> {
    /// Returns the results of the evaluator, with their types. The program's output is printed after it has ended;
    /// `trace` receives every value.
    pub fn interpreted(&self, arguments: &[String], trace: Option<Trace>) -> Result<Vec<(Value, Type)>, Failure> {
        let (inputs, results) = self.signature()?;
        let arguments = self.read(arguments, &inputs)?;
        let module = self.program.module();
        let mut evaluator = Evaluator::new(module);
        if let Some(trace) = trace {
            evaluator = evaluator.with_trace(trace);
        }
        if module.nested_ops().iter().any(|op| op.kind() == Kind::LambdaRead) {
            let input = std::io::read_to_string(std::io::stdin()).map_err(|e| Failure::at("standard input", e))?;
            evaluator = evaluator.with_input(&input);
        }
        let found = evaluator.call(self.name, &arguments);
        write!(std::io::stdout(), "{}", evaluator.output()).map_err(|e| Failure::at("standard output", e))?;
        let found = found.map_err(|e| Failure::at(&e.location, e.text))?;
        match results[..] {
            [ty] => Ok(vec![(found, ty)]),
            _ => Err(Failure::at(self.place, "not supported: the evaluator calls functions with one result")),
        }
    }

    /// Returns the results of compiled code, with their types.
    pub fn compiled(&self, compiled: &Compiled, arguments: &[String]) -> Result<Vec<(Value, Type)>, Failure> {
        let (inputs, _) = self.signature()?;
        let arguments = self.read(arguments, &inputs)?;
        machine(self.program.module(), compiled, self.name, &arguments).map_err(|problem| match problem {
            Stop::Code(e) => stopped(e, self.place),
            other => Failure::at(self.place, other),
        })
    }

    /// Returns the types of arguments and results, as in the program.
    fn signature(&self) -> Result<(Vec<Type>, Vec<Type>), Failure> {
        let unknown = || {
            Failure::at(
                self.place,
                format!("internal error: the passes must have left the function `@{}`, found none", self.name),
            )
        };
        signature(self.program.module(), self.name).ok_or_else(unknown)
    }

    fn read(&self, texts: &[String], types: &[Type]) -> Result<Vec<Value>, Failure> {
        if texts.len() != types.len() {
            let signature: Vec<String> = self.names.iter().zip(types).map(|(n, t)| format!("{n}: {t}")).collect();
            let (expected, found) = (count(types.len(), "option"), texts.len());
            let text =
                format!("expected {expected} `--arg`, one per parameter ({}), found {found}", signature.join(", "));
            return Err(Failure::at(self.place, text));
        }
        let one = |(k, (text, ty)): (usize, (&String, &Type))| {
            let name = self.names.get(k).cloned().unwrap_or(format!("#{k}"));
            values::parse(text, *ty)
                .map_err(|e| Failure::at(self.place, format!("argument {k} ({name}), `{text}`: {e}")))
        };
        texts.iter().zip(types).enumerate().map(one).collect()
    }
}

/// The reason why compiled code returned no result.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    #[error("there is no function `@{0}`")]
    NoFunction(String),
    /// A value has the wrong type.
    #[error(transparent)]
    Data(#[from] LayoutError),
    #[error(transparent)]
    Code(#[from] mlopt_lowering::native::Error),
}

/// Returns the types of arguments and results of a function, as in the original program, after any passes on its
/// module.
pub fn signature(module: Op, name: &str) -> Option<(Vec<Type>, Vec<Type>)> {
    let function = module.child_ops().into_iter().find(|op| is_called(*op, name))?;
    let entry = || function.attribute(mlopt_lowering::data::lambda_to_llvm::ENTRY)?.as_type()?.signature();
    entry().or_else(|| values::signature(function)).or_else(|| lowered(function))
}

/// Calls a function of a lowered module. Returns the results with their types.
///
/// # Errors
/// The arguments have other types; the function does not exist; the program stops.
pub fn machine(module: Op, compiled: &Compiled, name: &str, arguments: &[Value]) -> Result<Vec<(Value, Type)>, Stop> {
    machine_with(module, compiled, name, arguments, Console::standard())
}

/// Calls a function with other input and output.
///
/// # Errors
/// As for [`machine`].
pub fn machine_with(
    module: Op,
    compiled: &Compiled,
    name: &str,
    arguments: &[Value],
    console: Console,
) -> Result<Vec<(Value, Type)>, Stop> {
    Machine::new(module, compiled, name)?.call_with(arguments, console)
}

/// A function of a lowered module, looked up once for many calls. It must not outlive the module.
pub struct Machine {
    inputs: Vec<Type>,
    results: Vec<Type>,
    code: Code,
}

enum Code {
    Data(program::Program),
    Arrays(mlopt_runtime::code::Function),
}

impl Machine {
    /// # Errors
    /// The function does not exist.
    pub fn new(module: Op, compiled: &Compiled, name: &str) -> Result<Machine, Stop> {
        let unknown = || Stop::NoFunction(name.to_string());
        let (inputs, results) = signature(module, name).ok_or_else(unknown)?;
        let code = match compiled.program(name) {
            Some(program) => Code::Data(program.map_err(Stop::Code)?),
            None => Code::Arrays(compiled.function(name).map_err(Stop::Code)?),
        };
        Ok(Machine { inputs, results, code })
    }

    /// Calls the function. Returns the results with their types.
    ///
    /// # Errors
    /// The arguments have other types; the program stops.
    pub fn call_with(&self, arguments: &[Value], console: Console) -> Result<Vec<(Value, Type)>, Stop> {
        let function = match &self.code {
            Code::Data(program) => {
                let found = program.call_with(arguments, Arc::new(console)).map_err(Stop::Code)?;
                return Ok(found.into_iter().zip(self.results.iter().copied()).collect());
            }
            Code::Arrays(function) => function,
        };
        let mut arrays = Vec::new();
        for (value, ty) in arguments.iter().zip(&self.inputs) {
            values::flatten(value, *ty, &mut arrays)?;
        }
        let mut found = function.call(&arrays).map_err(Stop::Code)?.into_iter();
        let one = |ty: &Type| Ok((values::assemble(*ty, &mut found)?, *ty));
        self.results.iter().map(one).collect()
    }
}

/// Checks whether a function has this original name. The lowering renames symbols that have a meaning in C, and records
/// the original name.
fn is_called(op: Op, name: &str) -> bool {
    let kept = [mlopt_dialects::lambda::NAME, mlopt_lowering::abi::names::NAME]
        .iter()
        .find_map(|a| op.attribute(a)?.as_string());
    kept.or_else(|| op.symbol()).is_some_and(|n| n == name)
}

/// Returns the type of a lowered function of arrays, which is its original type.
fn lowered(function: Op) -> Option<(Vec<Type>, Vec<Type>)> {
    function.attribute(mlopt_lowering::native::SIGNATURE)?.as_type()?.signature()
}
