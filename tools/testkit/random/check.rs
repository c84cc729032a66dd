//! The check of one program: it is evaluated, compiled in every form, and the results are compared.

use super::builder::{Form, SIZES};
use super::compare::Reference;
use super::requests::{ENTRY, Request};
use super::{Program, generate};
use mlopt_cases::Random;
use mlopt_cli::commands::bench::values::widened;
use mlopt_cli::commands::check_grad::{self, Verdict};
use mlopt_cli::commands::equiv::measure::selects;
use mlopt_dialects::bridge::program::Program as Module;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Element};
use mlopt_lowering::native::{self, Target};
use mlopt_lowering::pipelines::{GRAD_CPU, Pipeline};
use mlopt_runtime::code::Compiled;
use mlopt_runtime::failure::Failure;
use std::fmt;

/// The maximum number of ops and blocks that the evaluator runs.
pub const STEPS: u64 = 10_000_000;

/// The maximum number of steps of a program whose derivatives are compared with finite differences.
const STEPS_FOR_DIFFERENCES: u64 = 20_000;

/// An error.
pub struct Wrong {
    pub form: Form,
    /// `egg`, `plain`, `derivative` or `program`.
    pub way: &'static str,
    pub text: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}, {}: {}", self.form, self.way, self.text)
    }
}

/// A program that was checked.
pub struct Checked {
    /// The program, with sizes for which the evaluator's steps suffice.
    pub program: Program,
    pub steps: u64,
    /// The number of compilations that were compared, and the number of derivatives that were compared with
    /// differences.
    pub compared: usize,
    pub derivatives: usize,
    pub wrong: Option<Wrong>,
}

/// Checks the program of a seed, with these sizes if given. Sizes are halved until the evaluator's steps suffice.
pub fn check(seed: u64, sizes: &[usize], target: &Target) -> Checked {
    let mut sizes = sizes.to_vec();
    loop {
        // The results do not depend on the form.
        let program = generate(seed, Form::Dynamic, &sizes);
        let mut checked = Checked { program, steps: 0, compared: 0, derivatives: 0, wrong: None };
        match run(seed, &mut checked, target) {
            Err(Stopped::Wrong(wrong)) => checked.wrong = Some(wrong),
            Err(Stopped::TooLong) if checked.program.sizes.iter().any(|&n| n > 1) => {
                sizes = checked.program.sizes.iter().map(|&n| halved(n)).collect();
                continue;
            }
            Ok(()) | Err(Stopped::TooLong) => {}
        }
        return checked;
    }
}

/// Returns the largest size that is positive and at most half of `n`.
fn halved(n: usize) -> usize {
    SIZES.iter().copied().filter(|&m| m > 0 && m <= n / 2).max().unwrap_or(n)
}

enum Stopped {
    TooLong,
    Wrong(Wrong),
}

/// The reason why a program is not compiled.
#[derive(Debug, thiserror::Error)]
enum Rejected {
    #[error("it does not parse")]
    Syntax,
    /// The first diagnostic of the passes.
    #[error("{0}")]
    Passes(String),
    #[error(transparent)]
    Native(#[from] native::Error),
}

fn wrong<T>(form: Form, way: &'static str, text: impl fmt::Display) -> Result<T, Stopped> {
    Err(Stopped::Wrong(Wrong { form, way, text: text.to_string() }))
}

fn run(seed: u64, checked: &mut Checked, target: &Target) -> Result<(), Stopped> {
    let program = &checked.program;
    let reference = passes(&program.text, "builtin.module(differentiate)", None)
        .or_else(|text| wrong(Form::Dynamic, "program", text))?;
    let (want, steps) = evaluated(&reference, ENTRY, &program.arguments)?;
    checked.steps = steps;
    let found = Reference {
        function: reference.module().lookup(ENTRY).expect("every program has it"),
        arguments: &program.arguments,
        results: &want,
        steps: STEPS,
    };
    // One form is also compiled without egg-optimize, and called with special values.
    let forms = [Form::Static, Form::Dynamic, Form::Specialised];
    let closely = forms[seed as usize % 3];
    for form in forms {
        let text = generate(seed, form, &program.sizes).text;
        let in_form = |pipeline: Pipeline| match form {
            Form::Specialised => pipeline.after("static-sizes").to_string(),
            _ => pipeline.to_string(),
        };
        let mut ways = vec![("egg", Pipeline::of(GRAD_CPU))];
        let mut special = None;
        if form == closely {
            ways.push(("plain", Pipeline::of(GRAD_CPU).without("egg-optimize")));
            // The derivative is that of this form: which zero absorbs an infinity may depend on static sizes (decision
            // 014).
            let module = passes(&text, &in_form(Pipeline::of(&["differentiate"])), None)
                .or_else(|text| wrong(form, "program", text))?;
            let finite = module.module().nested_ops().into_iter().any(selects);
            let arguments = with_special_values(&program.arguments, seed, finite);
            special = evaluated(&module, ENTRY, &arguments).ok().map(|(want, _)| (module, arguments, want));
        }
        for (way, pipeline) in ways {
            let code = compiled(&text, &in_form(pipeline), target).or_else(|e| wrong(form, way, e))?;
            let got = call(&code, &program.arguments).or_else(|e| wrong(form, way, e))?;
            checked.compared += 1;
            if let Some(text) = found.difference(&got) {
                return wrong(form, way, text);
            }
            if let Some((module, arguments, want)) = &special {
                let got = call(&code, arguments).or_else(|e| wrong(form, way, format!("at special values: {e}")))?;
                checked.compared += 1;
                let function = module.module().lookup(ENTRY).expect("every program has it");
                let at = Reference { function, arguments, results: want, steps: STEPS };
                if let Some(text) = at.special_difference(&got) {
                    return wrong(form, way, format!("at special values: {text}"));
                }
            }
        }
    }
    checked.derivatives = derivatives(seed, program)?;
    Ok(())
}

/// Returns the results of the evaluator, and the number of ops and blocks that it ran.
fn evaluated(module: &Module, name: &str, arguments: &[Array]) -> Result<(Vec<Array>, u64), Stopped> {
    let mut steps = 0;
    let mut count = |_: Op, _: usize, _: &Array| steps += 1;
    let mut evaluator = Evaluator::new(module.module()).with_trace(&mut count).with_limit(STEPS);
    let (results, exhausted) = (evaluator.call(name, arguments), evaluator.is_exhausted());
    match results {
        Ok(results) => Ok((results, steps)),
        Err(_) if exhausted => Err(Stopped::TooLong),
        Err(e) => wrong(Form::Dynamic, "program", format!("the evaluator: {e}")),
    }
}

/// Compares derivatives of the inner function with differences, and forward mode with reverse mode. Returns the number
/// of derivatives. Always uses 64 bits: with 32 bits, the steps are so long that they cross kinks.
fn derivatives(seed: u64, program: &Program) -> Result<usize, Stopped> {
    if program.kind == Request::Primal {
        return Ok(0);
    }
    let text = program.text.replace("f32", "f64");
    let wide = |x: &Array| if x.element() == Element::F32 { widened(x) } else { x.clone() };
    let x: Vec<Array> = program.arguments[..program.own_arguments].iter().map(wide).collect();
    let plain =
        passes(&text, "builtin.module(differentiate)", None).or_else(|text| wrong(Form::Dynamic, "program", text))?;
    let steps = evaluated(&plain, program.inner, &x).map_or(u64::MAX, |(_, steps)| steps);
    if steps > STEPS_FOR_DIFFERENCES {
        return Ok(0);
    }
    let verdicts = check_grad::at_point(text.as_bytes(), program.inner, &x, seed).or_else(|e| match e {
        Failure::Error { place, text } => wrong(Form::Dynamic, "derivative", format!("{place}: {text}")),
        Failure::Reported => wrong(Form::Dynamic, "derivative", "it has none"),
    })?;
    for (name, verdict) in &verdicts {
        let disagrees = match verdict {
            Verdict::ModesDisagree { .. } => true,
            // At a tie the derivative is that of the first operand, while differences include the others.
            Verdict::DifferencesDisagree { .. } => !program.coarse,
            _ => false,
        };
        if disagrees {
            return wrong(Form::Dynamic, "derivative", format!("by {name}: {verdict:?}"));
        }
    }
    Ok(verdicts.len())
}

/// Returns the program after a pipeline, or the first diagnostic.
fn passes(text: &str, pipeline: &str, target: Option<&Target>) -> Result<Module, Rejected> {
    let module = Module::parse(text.as_bytes(), "random.mlir").map_err(|_| Rejected::Syntax)?;
    if let Some(target) = target {
        target.describe(module.module());
    }
    let (outcome, said) = captured(module.module().context(), || module.run_pipeline(pipeline));
    match outcome {
        Ok(()) => Ok(module),
        Err(_) => Err(Rejected::Passes(said.first().cloned().unwrap_or_else(|| "the passes fail".into()))),
    }
}

fn compiled(text: &str, pipeline: &str, target: &Target) -> Result<Compiled, Rejected> {
    let module = passes(text, pipeline, Some(target))?;
    Ok(Compiled::new(module.module(), target)?)
}

fn call(code: &Compiled, arguments: &[Array]) -> Result<Vec<Array>, native::Error> {
    code.function(ENTRY)?.call(arguments)
}

/// Replaces about every eighth float of the arguments by an infinity, NaN, a zero of either sign or a one. If they must
/// stay `finite`, because the greatest element is unspecified with NaN, by a zero or a one.
fn with_special_values(arguments: &[Array], seed: u64, finite: bool) -> Vec<Array> {
    const SPECIAL: [f64; 7] = [0.0, 1.0, -1.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let special = if finite { &SPECIAL[..3] } else { &SPECIAL };
    let mut random = Random::new(seed ^ 0x0DD);
    let mut replaced = |x: f64| match random.bits() {
        n if n % 8 == 0 => special[n as usize / 8 % special.len()],
        _ => x,
    };
    let with = |x: &Array| match x.element().is_float() {
        true => x.with_f64(x.to_f64().into_iter().map(&mut replaced)),
        false => x.clone(),
    };
    arguments.iter().map(with).collect()
}
