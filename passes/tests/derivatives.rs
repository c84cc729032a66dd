//! Tests of every row of the table of derivatives against finite differences, in f32 and f64, on scalars, static and
//! dynamic arrays, for first and second order. The evaluator computes the values.

use crate::measure::{after, moved};
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_passes::ad::derivatives;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Returns the number of float operands.
fn arity(op: &str) -> usize {
    match op {
        "math.fma" => 3,
        "arith.addf" | "arith.subf" | "arith.mulf" | "arith.divf" | "arith.remf" | "arith.maximumf"
        | "arith.maxnumf" | "arith.minimumf" | "arith.minnumf" | "math.powf" | "math.atan2" | "math.copysign"
        | "arith.select" => 2,
        _ => 1,
    }
}

/// Returns an interval in which the op and its first two derivatives are finite and smooth.
fn domain(op: &str) -> (f64, f64) {
    match op {
        "math.log" | "math.log2" | "math.log10" | "math.sqrt" | "math.rsqrt" | "math.cbrt" | "math.powf"
        | "arith.divf" | "math.atan2" => (0.5, 2.0),
        "math.asin" | "math.acos" | "math.atanh" => (-0.7, 0.7),
        "math.acosh" => (1.5, 3.0),
        // The exponent is the integer part.
        "math.fpowi" => (3.1, 3.9),
        "math.log1p" => (-0.4, 2.0),
        "math.tan" => (-1.0, 1.0),
        _ => (-1.5, 1.5),
    }
}

/// Returns `@f`, which applies `op` to its arguments, of type `ty`; the condition of a `select` compares two of them.
fn function(op: &str, ty: &str, mask: &str) -> String {
    let n = arity(op);
    let names: Vec<String> = (0..n).map(|k| format!("%x{k}")).collect();
    let parameters: Vec<String> = names.iter().map(|x| format!("{x}: {ty}")).collect();
    let (parameters, names) = (parameters.join(", "), names.join(", "));
    let body = match op {
        "arith.select" => {
            format!("%c = arith.cmpf olt, %x0, %x1 : {ty}\n  %z = arith.select %c, %x0, %x1 : {mask}{ty}")
        }
        "math.fpowi" => {
            let integers = mask.replace("i1", "i32").replace(", ", "");
            let integers = if integers.is_empty() { "i32" } else { &integers };
            format!("%n = arith.fptosi %x0 : {ty} to {integers}\n  %z = math.fpowi %x0, %n : {ty}, {integers}")
        }
        _ => format!("%z = {op} {names} : {ty}"),
    };
    format!("func.func @f({parameters}) -> {ty} {{\n  {body}\n  return %z : {ty}\n}}\n")
}

/// Returns `@g`, which requests ∂f/∂x_k along a direction, and `@h`, the derivative of `@g` along another. The Jacobian
/// of an elementwise op is diagonal, so that reverse mode must give the same results: `@gr`, `@hr` (forward over
/// reverse), and `@hrr` (reverse over reverse).
fn requests(op: &str, ty: &str, k: usize) -> String {
    let n = arity(op);
    let inputs: Vec<String> = (0..n).map(|k| format!("%x{k}")).collect();
    let parameters: Vec<String> = inputs.iter().map(|x| format!("{x}: {ty}")).collect();
    let (inputs, parameters) = (inputs.join(", "), parameters.join(", "));
    let types = |m: usize| vec![ty; m].join(", ");
    let (first, second) = (types(n + 1), types(n + 2));
    format!(
        "func.func @g({parameters}, %t: {ty}) -> {ty} {{
  %r:2 = dual.jvp @f({inputs}) tangents(%t) wrt [{k}] : ({first}) -> ({ty}, {ty})
  return %r#1 : {ty}
}}
func.func @h({parameters}, %t: {ty}, %u: {ty}) -> {ty} {{
  %r:2 = dual.jvp @g({inputs}, %t) tangents(%u) wrt [{k}] : ({second}) -> ({ty}, {ty})
  return %r#1 : {ty}
}}
func.func @gr({parameters}, %t: {ty}) -> {ty} {{
  %r:2 = dual.vjp @f({inputs}) cotangents(%t) wrt [{k}] : ({first}) -> ({ty}, {ty})
  return %r#1 : {ty}
}}
func.func @hr({parameters}, %t: {ty}, %u: {ty}) -> {ty} {{
  %r:2 = dual.jvp @gr({inputs}, %t) tangents(%u) wrt [{k}] : ({second}) -> ({ty}, {ty})
  return %r#1 : {ty}
}}
func.func @hrr({parameters}, %t: {ty}, %u: {ty}) -> {ty} {{
  %r:2 = dual.vjp @gr({inputs}, %t) cotangents(%u) wrt [{k}] : ({second}) -> ({ty}, {ty})
  return %r#1 : {ty}
}}\n",
    )
}

fn random(rng: &mut ChaCha8Rng, element: Element, shape: &[usize], (low, high): (f64, f64)) -> Array {
    let numbers = (0..shape.iter().product()).map(|_| rng.random_range(low..high));
    Array::new(shape.to_vec(), Data::of_f64(element, numbers))
}

fn difference(a: &Array, b: &Array, step: f64) -> Vec<f64> {
    a.to_f64().into_iter().zip(b.to_f64()).map(|(a, b)| (a - b) / (2.0 * step)).collect()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= tolerance * (1.0 + e.abs()), "{what}: found {f}, expected {e}");
    }
}

#[test]
fn every_row_agrees_with_differences() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut rows = 0;
    for op in derivatives::elementwise_ops().map(Kind::name) {
        for (ty, shape, mask) in [
            ("f64", &[][..], "i1"),
            ("f32", &[], "i1"),
            ("tensor<3x2xf64>", &[3, 2], "tensor<3x2xi1>"),
            ("tensor<?xf64>", &[4], "tensor<?xi1>"),
        ] {
            let element = if ty.contains("f32") { Element::F32 } else { Element::F64 };
            // Central differences: an error of about step², and rounding divided by step.
            let (step, tolerance) = if element == Element::F32 { (4e-3, 5e-3) } else { (1e-5, 2e-8) };
            let mask = if shape.is_empty() { String::new() } else { format!("{mask}, ") };
            for k in 0..arity(op) {
                let text = function(op, ty, &mask) + &requests(op, ty, k);
                let program = after(&text, &["builtin.module(differentiate)"]);
                let call = |name: &str, arguments: &[Array]| {
                    Evaluator::new(program.module()).call(name, arguments).unwrap_or_else(|e| panic!("{e}"))[0].clone()
                };
                let x: Vec<Array> = (0..arity(op)).map(|_| random(&mut rng, element, shape, domain(op))).collect();
                let t = random(&mut rng, element, shape, (0.5, 1.0));
                let u = random(&mut rng, element, shape, (0.5, 1.0));
                let at = |s: f64, direction: &Array| {
                    let mut x = x.clone();
                    x[k] = moved(&x[k], direction, s);
                    x
                };
                let what = format!("{op} in operand {k}, on {ty}");
                let expected = difference(&call("f", &at(step, &t)), &call("f", &at(-step, &t)), step);
                let found = call("g", &[x.clone(), vec![t.clone()]].concat());
                assert_close(&found.to_f64(), &expected, tolerance, &what);
                let rounding = if element == Element::F32 { 1e-5 } else { 1e-13 };
                let reverse = call("gr", &[x.clone(), vec![t.clone()]].concat());
                assert_close(&reverse.to_f64(), &found.to_f64(), rounding, &format!("reverse mode of {what}"));

                let along_t = |x: Vec<Array>| [x, vec![t.clone()]].concat();
                let expected =
                    difference(&call("g", &along_t(at(step, &u))), &call("g", &along_t(at(-step, &u))), step);
                let directions = [x.clone(), vec![t.clone(), u]].concat();
                let found = call("h", &directions);
                assert_close(&found.to_f64(), &expected, 4.0 * tolerance, &format!("second order of {what}"));
                for over in ["hr", "hrr"] {
                    let what = format!("second order (@{over}) of {what}");
                    assert_close(&call(over, &directions).to_f64(), &found.to_f64(), 10.0 * rounding, &what);
                }
                rows += 1;
            }
        }
    }
    assert!(rows > 150, "only {rows} cases: the table has lost rows");
}
