//! The configurations in which programs run: a list of passes, followed by the evaluator or by compilation.

use super::Error;
use super::passes::{Diagnostics, through};
use super::program::{Check, Program};
use super::request::Mode;
use clap::ValueEnum;
use mlopt_dialects::bridge::{self, program::Program as Module};
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::Array;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::{LOWER_CPU, pipeline_text};
use mlopt_runtime::code::Compiled;
use std::panic::{AssertUnwindSafe, catch_unwind};

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

/// The results of a check, or its error.
type CheckResult = Result<Vec<Array>, Error>;

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
    fn pipeline(&self) -> String {
        let lowering = if self.runner == Runner::Eval { &[] } else { LOWER_CPU };
        pipeline_text(&[self.passes(), &["symbol-dce"], lowering].concat())
    }

    /// Returns the results of each check, in order. The checks are compiled together; if this fails, they are compiled
    /// one by one, so that each failure is attributed to its check.
    pub fn run(&self, program: &Program, checks: &[&Check], target: &Target) -> Vec<CheckResult> {
        match self.together(program, checks, target) {
            Ok(results) => results,
            Err(error) if checks.len() == 1 => vec![Err(error)],
            Err(_) => {
                let alone = |check: &&Check| self.together(program, &[*check], target).map(|mut r| r.remove(0));
                checks.iter().map(|check| alone(check).unwrap_or_else(Err)).collect()
            }
        }
    }

    fn together(&self, program: &Program, checks: &[&Check], target: &Target) -> Result<Vec<CheckResult>, Error> {
        let mut text: String = std::iter::once(&program.text).chain(checks.iter().map(|c| &c.text)).cloned().collect();
        if checks.iter().all(|c| c.function != "f") {
            // It is only differentiated, so it need not be compiled.
            text = text.replacen("func.func @f(", "func.func private @f(", 1);
        }
        let work = || -> Result<Vec<CheckResult>, Error> {
            let program = Module::parse(text.as_bytes(), "checks").map_err(|_| Error::Invalid("the program"))?;
            let module = program.module();
            target.describe(module);
            through(&program, &self.pipeline()).map_err(|Diagnostics(said)| {
                let first = said.first().and_then(|text| text.lines().next());
                Diagnostics(vec![first.unwrap_or("a pass failed without saying why").to_string()])
            })?;
            match self.runner {
                Runner::Eval => {
                    let evaluate = |c: &&Check| {
                        let result = Evaluator::new(module).call(&c.function, &c.arguments);
                        result.map_err(|e| Error::Wrong(e.text))
                    };
                    Ok(checks.iter().map(evaluate).collect())
                }
                _ => {
                    let compiled = Compiled::new(module, target)?;
                    let call = |c: &&Check| -> CheckResult { Ok(compiled.function(&c.function)?.call(&c.arguments)?) };
                    Ok(checks.iter().map(call).collect())
                }
            }
        };
        catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(Error::Panic(bridge::crash::message(&*panic).to_string())))
    }
}
