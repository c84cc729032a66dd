//! Cases about bands of matrices (`spec/functional.md` A.7): the inferred structure of an operation, its agreement with
//! numbers, and the correctness of code that exploits it.

use super::functions::{Attributes, Bands, are_close};
use super::passes::through;
use super::{Error, function, wrong};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::lambda::structure::Structure;
use mlopt_dialects::value::{Array, Data};
use mlopt_frontend::mlir::list;
use mlopt_passes::functions::infer_structure::structures::Structures;

/// Checks the rows of a case.
pub fn check(id: &str, attributes: &Attributes) -> Result<(), Error> {
    attributes.rows.iter().try_for_each(|row| {
        self::row(id, attributes.size, row).map_err(|e| e.at(format!("{} of {:?}", row.op, row.operands())))
    })
}

/// Returns the operation of the notation that a case names.
fn primitive(op: &str) -> Option<&'static str> {
    Some(match op {
        "matmul" => "mm",
        "add" => "+",
        "mul_elementwise" => "*",
        "transpose" => "transpose",
        "exp_elementwise" => "exp",
        "sin_elementwise" => "sin",
        _ => return None,
    })
}

fn row(id: &str, size: usize, row: &Bands) -> Result<(), Error> {
    let operands = row.operands();
    let wanted = |found: Structure| match found.bands() == row.out {
        true => Ok(()),
        false => wrong(format!("expected bands {:?}, found {found}", row.out)),
    };
    if row.op == "inverse" {
        // There is no op for the inverse, so only the rule is checked.
        let [[lower, upper]] = operands[..] else { return wrong("expected one operand") };
        return wanted(Structure::banded(lower, upper).inverse().within(&[Some(size), Some(size)]));
    }
    let name = primitive(&row.op).ok_or_else(|| Error::Wrong("this operation is not known".into()))?;
    let types: Vec<String> = operands
        .iter()
        .map(|[l, u]| format!("tensor<{size}x{size}xf64, #lambda.matrix<bands = [{l}, {u}]>>"))
        .collect();
    let names: Vec<String> = (0..types.len()).map(|k| format!("%x{k}")).collect();
    let header = list(names.iter().zip(&types).map(|(n, t)| format!("{n}: {t}")));
    let text = format!(
        "func.func @f({header}) -> !lambda.any {{
  %z = lambda.prim \"{name}\"({}) : ({}) -> !lambda.any
  return %z : !lambda.any
}}",
        list(&names),
        list(&types)
    );
    let program = Program::parse(text.as_bytes(), id).map_err(|_| Error::Invalid("the program of the row"))?;
    through(&program, "builtin.module(lambda-specialise)")?;
    let function = function(program.module(), "f")?;
    let result = function.entry().end().operand(0);
    let found = Structures::of_function(function).of(result);
    wanted(found)?;
    let inputs: Vec<Array> = operands.iter().enumerate().map(|(k, bands)| matrix(size, *bands, k)).collect();
    let evaluated = || Evaluator::new(program.module()).call("f", &inputs).map(|mut values| values.swap_remove(0));
    let before = evaluated()?;
    if found.claims_more_than(Structure::of(&before)) {
        return wrong(format!("it gives {}, not {found}", Structure::of(&before)));
    }
    through(&program, "builtin.module(infer-structure)")?;
    let after = evaluated()?;
    are_close("the values where zeros are left out", &after.to_f64(), &before.to_f64(), 1e-12)
}

/// Returns a matrix with these bands and pseudo-random numbers.
fn matrix(size: usize, [lower, upper]: [i64; 2], k: usize) -> Array {
    let inside = |band: i64, off: i64| band < 0 || off < band;
    let element = |at: usize| {
        let (i, j) = ((at / size) as i64, (at % size) as i64);
        let number = ((at * 37 + k * 11) % 17) as f64 / 4.0 - 2.1;
        if inside(lower, i - j) && inside(upper, j - i) { number } else { 0.0 }
    };
    Array::new(vec![size, size], Data::F64((0..size * size).map(element).collect()))
}
