//! `mlopt check-calls`: runs the calls in the comments of a program as machine code, and compares the results with
//! those of the reference evaluator.

mod calls;
pub mod compare;
mod program;

use crate::commands::compile::processor;
use crate::commands::pipeline_check::check_pipeline;
use crate::notation;
use calls::{Call, End, Variant, sections};
use compare::{Tolerance, bits, difference};
use mlopt_dialects::ir::Type;
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::text::count;
use mlopt_lowering::native::Target;
use mlopt_runtime::failure::{Failure, print_error};
use mlopt_runtime::values;
use program::{Execution, Message, Prepared};
use std::collections::HashSet;
use std::path::PathBuf;

/// Run the calls in the comments of a program as machine code, and compare the results with the reference evaluator
#[derive(clap::Args)]
#[command(after_help = include_str!("../help/check-calls.txt").trim_ascii_end())]
pub struct CheckCalls {
    #[command(flatten)]
    limits: crate::commands::limits::Limits,
    /// The program, with its calls in comments
    file: PathBuf,
    /// Methods that make the calls; plain and optimised by default
    #[arg(long = "way", value_name = "WAY", value_enum)]
    ways: Vec<Execution>,
    /// Passes after which the program is evaluated again
    #[arg(long, value_name = "PIPELINE")]
    after: Vec<String>,
    /// Processors to compile for, as for `mlopt compile`; those whose code this machine cannot run are skipped
    #[arg(long, value_name = "CPU", default_value = "native")]
    mcpu: Vec<String>,
    /// Bound on the difference of floats, relative to 1 + their magnitude; for f32 it is at least 1e-4, for f16 3e-3,
    /// for bf16 2e-2
    #[arg(long, value_name = "X", default_value_t = 1e-9)]
    tolerance: f64,
    /// Number of times that machine code makes each call
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,
}

impl CheckCalls {
    pub fn execute(&self) -> Result<(), Failure> {
        self.limits.set();
        mlopt_lowering::register_passes();
        self.after.iter().try_for_each(|pipeline| check_pipeline(pipeline))?;
        let file = self.file.to_string_lossy();
        let source = std::fs::read(&self.file).map_err(|e| Failure::at(&file, format!("cannot read the file: {e}")))?;
        let source = notation::text(&file, &source)?;
        let at = |(line, text): calls::Wrong| Failure::at(format!("{file}:{line}"), text);
        let targets = self.targets()?;
        let (mut made, mut wrong) = (0, 0);
        for section in sections(source).map_err(at)? {
            for variant in section.variants().map_err(at)? {
                let failures = self.check(&file, &variant, &targets)?;
                made += variant.calls.len();
                wrong += failures.len();
                for (line, text) in failures {
                    print_error(&format!("{file}:{line}"), &text);
                }
            }
        }
        if wrong > 0 {
            return Err(Failure::new(format!("{} in {}", count(wrong, "failure"), count(made, "call"))));
        }
        println!("{file}: the results of {} are as expected", count(made, "call"));
        Ok(())
    }

    /// Returns the targets whose code this machine can run.
    fn targets(&self) -> Result<Vec<(&str, Target)>, Failure> {
        let runs_here = |name: &str| match name {
            "x86-64-v3" => std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma"),
            "x86-64-v4" => std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512vl"),
            _ => true,
        };
        let names = self.mcpu.iter().map(String::as_str).filter(|name| runs_here(name));
        names.map(|name| Ok((name, processor(name, "")?))).collect()
    }

    /// Makes the calls of one program. Returns the line and a message for each that fails.
    fn check(
        &self,
        file: &str,
        variant: &Variant,
        targets: &[(&str, Target)],
    ) -> Result<Vec<(usize, String)>, Failure> {
        let ways: &[Execution] = match &self.ways[..] {
            [] if self.after.is_empty() => &[Execution::Plain, Execution::Optimised],
            ways => ways,
        };
        let with = if variant.replaced.is_empty() { String::new() } else { format!(" with {}", variant.replaced) };
        // The diagnostic of a pass says neither.
        let fails = |failure, step: &str| {
            if matches!(failure, Failure::Reported) {
                print_error(file, &format!("the program{with} fails in {step}"));
            }
            failure
        };
        let text = &variant.text;
        let reference =
            Prepared::evaluated(file, text, None).map_err(|e| fails(e, "the passes before the evaluator"))?;
        let mut others = vec![];
        for passes in &self.after {
            others.push(Prepared::evaluated(file, text, Some(passes)).map_err(|e| fails(e, passes))?);
        }
        for by in ways {
            for (cpu, target) in targets {
                let step = format!("--way {by:?}").to_lowercase();
                let mut prepared = Prepared::compiled(file, text, *by, target).map_err(|e| fails(e, &step))?;
                for program in &mut prepared {
                    program.name += &if targets.len() > 1 { format!(" for {cpu}") } else { String::new() };
                }
                others.extend(prepared);
            }
        }
        let checks = Checks {
            reference: &reference,
            others: &others,
            includes_evaluator: ways.contains(&Execution::Eval),
            tolerance: Tolerance { f64: self.tolerance, f32: self.tolerance.max(1e-4), any_empty: true },
            runs: self.runs,
            folder: file.rfind('/').map_or("/", |end| &file[..=end]),
        };
        let mut failures = vec![];
        for call in &variant.calls {
            if let Err(error) = checks.call(call) {
                failures.push((call.line, format!("{}{with}: {error}", call.text)));
            }
        }
        // A function without a call would look checked.
        let called: HashSet<&str> = variant.calls.iter().map(|call| call.function.as_str()).collect();
        if let Some(name) = reference.public.iter().find(|name| !called.contains(name.as_str())) {
            failures
                .push((variant.calls[0].line, format!("expected a call of the public function `@{name}`, found none")));
        }
        Ok(failures)
    }
}

/// The reason why a call does not have its expected end.
#[derive(Debug, thiserror::Error)]
enum CallError {
    #[error("the program has no function `@{0}`")]
    NoFunction(String),
    #[error("{what}: expected {expected}, found {found}")]
    Count { what: &'static str, expected: usize, found: usize },
    #[error("{what}: `{text}`: {error}")]
    Value { what: &'static str, text: String, error: values::ParseError },
    #[error("expected `-> RESULTS` after the call, or another execution to compare with, such as `--way plain`")]
    NothingToCompare,
    #[error("{place}: {error}")]
    In { place: String, error: Box<CallError> },
    #[error(transparent)]
    Stopped(#[from] Message),
    #[error("the call must not write its arguments, but does")]
    Written,
    #[error("results must not depend on the order of threads, but do")]
    Order,
    #[error("expected the message `{expected}`, found {found}")]
    Message { expected: String, found: String },
    #[error("{0}")]
    Difference(String),
}

impl CallError {
    /// Adds a program, or one of its results.
    fn of(self, place: impl Into<String>) -> CallError {
        CallError::In { place: place.into(), error: Box::new(self) }
    }
}

/// The programs of one variant, and how they are compared.
struct Checks<'a> {
    reference: &'a Prepared,
    others: &'a [Prepared],
    /// True if the evaluator itself must end as a call lists.
    includes_evaluator: bool,
    tolerance: Tolerance,
    runs: u64,
    /// The folder of the file, with a `/` at the end; `/` if it has none.
    folder: &'a str,
}

impl Checks<'_> {
    /// Makes one call.
    ///
    /// # Errors
    /// The first difference.
    fn call(&self, call: &Call) -> Result<(), CallError> {
        let unknown = || CallError::NoFunction(call.function.clone());
        let (inputs, results) = self.reference.signature(&call.function).ok_or_else(unknown)?;
        let read = |texts: &[String], types: &[Type], what| {
            same_count(what, texts.len(), types.len())?;
            let one = |(text, ty): (&String, &Type)| {
                values::parse(text, *ty).map_err(|error| CallError::Value { what, text: text.clone(), error })
            };
            texts.iter().zip(types).map(one).collect::<Result<Vec<Value>, CallError>>()
        };
        let arguments = read(&call.arguments, &inputs, "arguments")?;
        let mut all = Some(self.reference).filter(|_| self.includes_evaluator).into_iter().chain(self.others);
        match &call.end {
            End::Returns => all.try_for_each(|p| self.repeated(p, call, &arguments).map(|_| ())),
            End::Fails(text) => all.try_for_each(|p| self.stops(p, call, &arguments, text)),
            End::Agrees if self.others.is_empty() => Err(CallError::NothingToCompare),
            End::Gives(texts) => {
                let listed = read(texts, &results, "results")?;
                let tolerance = Tolerance { any_empty: false, ..self.tolerance };
                all.try_for_each(|p| same(&p.name, &self.repeated(p, call, &arguments)?, &listed, tolerance))
            }
            End::Agrees => {
                let expected = self.reference.call(&call.function, &arguments);
                let expected = expected.map_err(|e| CallError::from(e).of(&self.reference.name))?;
                let mut before = None;
                for program in self.others {
                    let found = self.repeated(program, call, &arguments)?;
                    same(&program.name, &found, &expected, self.tolerance)?;
                    let found = bits(&found);
                    if program.repeats && before != Some(found) {
                        return Err(CallError::Order.of(&program.name));
                    }
                    before = Some(found);
                }
                Ok(())
            }
        }
    }

    /// Returns the results of a call that is made several times, without changes of its arguments.
    fn repeated(&self, program: &Prepared, call: &Call, arguments: &[Value]) -> Result<Vec<Value>, CallError> {
        let given = bits(arguments);
        let run = || {
            let found = program.call(&call.function, arguments).map_err(|e| CallError::from(e).of(&program.name))?;
            if bits(arguments) == given { Ok(found) } else { Err(CallError::Written.of(&program.name)) }
        };
        let first = run()?;
        for _ in 1..self.runs {
            let found = run()?;
            if call.end != End::Returns {
                same(&program.name, &found, &first, self.tolerance)?;
            }
        }
        Ok(first)
    }

    /// Checks that a call stops with a message that contains `text`, which names the file without its folder.
    fn stops(&self, program: &Prepared, call: &Call, arguments: &[Value], text: &str) -> Result<(), CallError> {
        (0..self.runs).try_for_each(|_| {
            let found = match program.call(&call.function, arguments) {
                Ok(_) => "results".to_string(),
                Err(Message(message)) => match message.replace(self.folder, "") {
                    message if message.contains(text) => return Ok(()),
                    message => format!("`{message}`"),
                },
            };
            Err(CallError::Message { expected: text.to_string(), found }.of(&program.name))
        })
    }
}

fn same_count(what: &'static str, found: usize, expected: usize) -> Result<(), CallError> {
    if found == expected { Ok(()) } else { Err(CallError::Count { what, expected, found }) }
}

/// Compares the results of the program `name` with the expected ones.
fn same(name: &str, found: &[Value], expected: &[Value], tolerance: Tolerance) -> Result<(), CallError> {
    same_count("results", found.len(), expected.len()).map_err(|e| e.of(name))?;
    let differs =
        |(k, (f, e))| Some(CallError::Difference(difference(f, e, tolerance)?).of(format!("{name}, result #{k}")));
    found.iter().zip(expected).enumerate().find_map(differs).map_or(Ok(()), Err)
}
