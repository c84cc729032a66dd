//! One program: from its text to a verdict.

use super::Verdict;
use super::compare::{self, Tolerance};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Attribute, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::{GRAD_CPU, pipeline_text};
use mlopt_runtime::code::Compiled;
use std::path::Path;

/// A limit on the evaluator, for loops that do not end.
const STEPS: u64 = 20_000_000;

/// The sizes of the arguments of a program that has any.
const SIZE: usize = 3;

/// A comparison of the results of `@main`: two groups of `parts` consecutive results.
struct Check {
    tolerance: Tolerance,
    parts: usize,
}

/// Runs a program and returns the verdict.
pub fn run(path: &Path) -> Verdict {
    match try_run(path) {
        Ok(()) => Verdict::Right,
        Err(verdict) => verdict,
    }
}

fn try_run(path: &Path) -> Result<(), Verdict> {
    let refused = |text: &str| Verdict::Refused(text.replace('\n', " "));
    mlopt_lowering::register_passes();
    let bytes = std::fs::read(path).map_err(|e| refused(&format!("cannot read it: {e}")))?;
    let bytes = match path.extension().is_some_and(|e| e == "mlir") {
        true => bytes,
        false => mlopt_stablehlo::read(&bytes).map_err(|e| refused(&e.to_string()))?.module.to_string().into_bytes(),
    };
    let program = Program::parse(&bytes, &path.to_string_lossy()).map_err(|_| refused("does not parse"))?;
    let module = program.module();
    let has_arguments = main_of(module).is_some_and(|main| !main.signature().0.is_empty());
    let checks = if has_arguments { Vec::new() } else { prepare(&program).map_err(|text| refused(&text))? };
    let pass = |pipeline: &str| {
        let (outcome, said) = captured(module.context(), || program.run_pipeline(pipeline));
        outcome.map_err(|_| said.into_iter().next().unwrap_or_else(|| format!("`{pipeline}` failed")))
    };
    pass("builtin.module(stablehlo-to-array)").map_err(|text| refused(&text))?;
    let arguments = arguments(module);
    let evaluated = Evaluator::new(module).with_limit(STEPS).call("main", &arguments);
    let evaluated = evaluated.map_err(|e| match has_arguments {
        true => refused(&format!("no expected values, and not evaluated for sizes {SIZE}: {}", e.text)),
        false => Verdict::Wrong(format!("evaluated: {}", e.text)),
    })?;
    compared(&checks, &evaluated).map_err(|text| Verdict::Wrong(format!("evaluated: {text}")))?;
    let target = Target::host().map_err(|e| refused(&e.to_string()))?;
    target.describe(module);
    pass(&pipeline_text(GRAD_CPU)).map_err(|text| refused(&format!("compiled: {text}")))?;
    let wrong = |text: String| Verdict::Wrong(format!("compiled: {text}"));
    let compiled = Compiled::new(module, &target).map_err(|e| wrong(e.to_string()))?;
    let main = compiled.function("main").map_err(|e| wrong(e.to_string()))?;
    let results = main.call(&arguments).map_err(|e| wrong(e.to_string()))?;
    compared(&checks, &results).map_err(&wrong)?;
    if !has_arguments {
        return Ok(());
    }
    let same = evaluated.iter().zip(&results).try_for_each(|(x, y)| compare::arrays(y, x, Tolerance::CloseToAll));
    same.map_err(|text| wrong(format!("not as evaluated: {text}")))?;
    Err(refused(&format!("no expected values; evaluated and compiled code agree for sizes {SIZE}")))
}

fn main_of(module: Op) -> Option<Op> {
    module.child_ops().into_iter().find(|op| op.symbol().as_deref() == Some("main"))
}

/// Returns arguments of an imported program: sizes, which are integers, are [`SIZE`], as are those that are not known.
fn arguments(module: Op) -> Vec<Array> {
    let types = main_of(module).map(|main| main.signature().0).unwrap_or_default();
    let argument = |ty: &Type| {
        let shape: Vec<usize> = ty.shape().into_iter().map(|n| n.unwrap_or(SIZE)).collect();
        let element = ty.element().expect("imported: an argument has a type of the array language");
        let count: usize = shape.iter().product();
        let number = |k: usize| if ty.rank() == 0 { SIZE } else { k % SIZE } as i64;
        let data = match element.is_float() {
            true => Data::of_f64(element, (0..count).map(|k| (k * 7 % 17) as f64 / 8.0 - 0.5)),
            false => Data::of_integers(element, (0..count).map(number)),
        };
        Array::new(shape, data)
    };
    types.iter().map(argument).collect()
}

/// Compares the results of `@main`.
fn compared(checks: &[Check], results: &[Array]) -> Result<(), String> {
    let mut rest = results;
    for check in checks {
        for part in 0..check.parts {
            compare::arrays(&rest[part], &rest[check.parts + part], check.tolerance)?;
        }
        rest = &rest[2 * check.parts..];
    }
    Ok(())
}

/// Replaces the calls of `check.*` in `@main` by results: for each of them the computed and the expected value.
fn prepare(program: &Program) -> Result<Vec<Check>, String> {
    let module = program.module();
    let Some((main, body)) = main_of(module).and_then(|main| Some((main, main.body()?))) else {
        return Err("expected a function `@main`".to_string());
    };
    let is_open = module.nested_ops().into_iter().any(rounds_freely);
    let target = |op: Op| op.attribute("call_target_name").and_then(Attribute::as_string).unwrap_or_default();
    let mut checks = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    for op in body.ops() {
        let tolerance = match (op.kind(), target(op).as_str()) {
            (Kind::StablehloCustomCall, "check.expect_eq") => Tolerance::Equal,
            (Kind::StablehloCustomCall, "check.expect_almost_eq") => Tolerance::Almost,
            (Kind::StablehloCustomCall, "check.expect_close") if is_open => Tolerance::CloseToAll,
            (Kind::StablehloCustomCall, "check.expect_close") => Tolerance::Close,
            _ => continue,
        };
        let parts = if op.operand(0).ty().scalar().complex_part().is_some() { 2 } else { 1 };
        checks.push(Check { tolerance, parts });
        values.extend(op.operands());
        op.erase();
    }
    if checks.is_empty() {
        return Err("expected calls of `check.expect_eq` or `check.expect_close` in `@main`".to_string());
    }
    let types: Vec<_> = values.iter().map(|v| v.ty()).collect();
    let context = module.context();
    main.set_attribute("function_type", context.type_attr(context.function_type(&[], &types)));
    main.remove_attribute("res_attrs");
    body.end().set_operands(&values);
    Ok(checks)
}

/// Checks whether the rounding of an op is open: the order of the additions of a sum, as in the solution of a
/// system of equations, and whether a product is
/// contracted with an addition.
fn rounds_freely(op: Op) -> bool {
    use Kind::*;
    match op.kind() {
        StablehloConvolution | StablehloDot | StablehloDotGeneral | StablehloFft | StablehloReduce => true,
        StablehloCholesky | StablehloTriangularSolve => true,
        StablehloReduceWindow | StablehloScatter | StablehloSelectAndScatter => true,
        StablehloMultiply => op.result(0).ty().scalar().complex_part().is_some(),
        StablehloAdd | StablehloSubtract => {
            let is_product = |x: &Value| x.defining_op().is_some_and(|(op, _)| op.kind() == StablehloMultiply);
            op.result(0).ty().scalar().is_float() && op.operands().iter().any(is_product)
        }
        _ => false,
    }
}
