//! The configurations in which programs run: a list of passes, followed by the evaluator or by compilation.

use super::Error;
use super::passes::Diagnostics;
use super::program::{Check, Program};
use super::request::Mode;
use clap::ValueEnum;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mlopt_dialects::bridge;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::Array;
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::{self, Target};
use mlopt_lowering::pipelines::LOWER_CPU;
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_runtime::code::Compiled;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

/// A configuration: a column of the scoreboard.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    pub runner: Runner,
    pub mode: Mode,
}

/// The method that runs programs: a value of the option `--way`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Runner {
    /// The reference evaluator
    Eval,
    /// Machine code
    Jit,
    /// Machine code after bulk-operations
    Bulk,
    /// Machine code after egg-optimize
    Egg,
}

/// Returns all configurations, by mode. A configuration is reported as not run if a pass is missing.
pub fn all() -> impl Iterator<Item = Configuration> {
    let runners = Runner::value_variants().iter();
    [Mode::Forward, Mode::Reverse]
        .into_iter()
        .flat_map(move |mode| runners.clone().map(move |&runner| Configuration { runner, mode }))
}

impl Configuration {
    /// Formats the configuration: `jit forward`.
    pub fn title(&self) -> String {
        format!("{:?} {:?}", self.runner, self.mode).to_lowercase()
    }

    /// Returns the passes before the lowering that compiled code needs in addition.
    fn passes(&self) -> &'static [&'static str] {
        match self.runner {
            Runner::Eval | Runner::Jit => &["differentiate"],
            Runner::Bulk => &["bulk-operations", "differentiate"],
            Runner::Egg => &["differentiate", "egg-optimize"],
        }
    }

    /// Returns the passes that this build does not have.
    pub fn missing(&self) -> Vec<&'static str> {
        self.passes().iter().copied().filter(|name| !bridge::is_pass_name(name)).collect()
    }

    /// Returns the pipeline. Functions that only requests name are removed before the lowering.
    pub fn pipeline(&self) -> String {
        let lowering = if self.runner == Runner::Eval { &[] } else { LOWER_CPU };
        pipeline_text(&[self.passes(), &["symbol-dce"], lowering].concat())
    }
}

/// Data that is created once per thread and used for many programs.
pub struct Workshop {
    context: melior::Context,
    diagnostics: Arc<Mutex<String>>,
    target: Target,
}

/// The results of a check, or its error.
pub type CheckResult = Result<Vec<Array>, Error>;

impl Workshop {
    pub fn new() -> Result<Workshop, native::Error> {
        let registry = DialectRegistry::new();
        bridge::register_dialects(registry.to_raw());
        let context = melior::Context::new();
        context.append_dialect_registry(&registry);
        // Each thread has its own context. Code that recurses with the program's nesting runs on that thread's stack.
        context.enable_multi_threading(false);
        let diagnostics = Arc::new(Mutex::new(String::new()));
        let sink = diagnostics.clone();
        context.attach_diagnostic_handler(move |d| {
            let mut text = sink.lock().expect("no thread panics while it writes");
            text.push_str(&format!("{d}\n"));
            true
        });
        Ok(Workshop { context, diagnostics, target: Target::host()? })
    }

    /// Returns the results of each check, in order. The checks are compiled together; if this fails, they are compiled
    /// one by one, so that each failure is attributed to its check.
    pub fn run(&self, configuration: &Configuration, program: &Program, checks: &[&Check]) -> Vec<CheckResult> {
        match self.together(configuration, program, checks) {
            Ok(results) => results,
            Err(error) if checks.len() == 1 => vec![Err(error)],
            Err(_) => {
                let alone = |check: &&Check| self.together(configuration, program, &[*check]).map(|mut r| r.remove(0));
                checks.iter().map(|check| alone(check).unwrap_or_else(Err)).collect()
            }
        }
    }

    fn together(
        &self,
        configuration: &Configuration,
        program: &Program,
        checks: &[&Check],
    ) -> Result<Vec<CheckResult>, Error> {
        let mut text: String = std::iter::once(&program.text).chain(checks.iter().map(|c| &c.text)).cloned().collect();
        if checks.iter().all(|c| c.function != "f") {
            // It is only differentiated, so it need not be compiled.
            text = text.replacen("func.func @f(", "func.func private @f(", 1);
        }
        let work = || -> Result<Vec<CheckResult>, Error> {
            let mut module = Module::parse(&self.context, &text).ok_or_else(|| self.reported("it does not parse"))?;
            self.target.describe(module_op(&module));
            self.passes(configuration, &mut module)?;
            match configuration.runner {
                Runner::Eval => {
                    let evaluate = |c: &&Check| {
                        let result = Evaluator::new(module_op(&module)).call(&c.function, &c.arguments);
                        result.map_err(|e| Error::Wrong(e.text))
                    };
                    Ok(checks.iter().map(evaluate).collect())
                }
                _ => {
                    let compiled = Compiled::new(module_op(&module), &self.target)?;
                    let call = |c: &&Check| -> CheckResult { Ok(compiled.function(&c.function)?.call(&c.arguments)?) };
                    Ok(checks.iter().map(call).collect())
                }
            }
        };
        catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(Error::Panic(bridge::crash::message(&*panic).to_string())))
    }

    fn passes(&self, configuration: &Configuration, module: &mut Module) -> Result<(), Error> {
        self.reported("");
        let manager = PassManager::new(&self.context);
        parse_pass_pipeline(manager.as_operation_pass_manager(), &configuration.pipeline())?;
        Ok(manager.run(module).map_err(|_| self.reported("a pass failed without saying why"))?)
    }

    /// Returns the first diagnostic since the last call.
    fn reported(&self, otherwise: &str) -> Diagnostics {
        let mut text = self.diagnostics.lock().expect("no thread panics while it writes");
        let first = text.lines().next().unwrap_or(otherwise).to_string();
        text.clear();
        Diagnostics(vec![first])
    }
}
