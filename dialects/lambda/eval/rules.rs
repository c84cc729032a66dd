//! Derivatives of elementwise functions (`spec/functional.md` B.6). These rules are the evaluator's own: the table of
//! the passes is compared with them.

use super::Fault;
use super::primitive::{add, constant, div, keep, mul, named, neg, select, sub};
use super::value::Value;
use crate::eval::scalar;
use std::f64::consts::{LN_2, LN_10, PI};

/// Differentiable functions of one or two floats.
pub const SMOOTH: &[&str] = &[
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.divf",
    "arith.negf",
    "arith.remf",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
    "math.absf",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.log",
    "math.log2",
    "math.log10",
    "math.log1p",
    "math.sqrt",
    "math.rsqrt",
    "math.cbrt",
    "math.sin",
    "math.cos",
    "math.tan",
    "math.asin",
    "math.acos",
    "math.atan",
    "math.sinh",
    "math.cosh",
    "math.tanh",
    "math.asinh",
    "math.acosh",
    "math.atanh",
    "math.erf",
    "math.powf",
    "math.fpowi",
    "math.atan2",
    "sigmoid",
    "relu",
];

/// Piecewise constant functions: their derivative is zero.
pub const STEPS: &[&str] = &["math.floor", "math.ceil", "math.trunc", "math.round", "math.roundeven", "sign"];

/// Returns the sensitivity of operand `k` of y = f(x…), given `d`, the sensitivity of y.
pub fn transpose(name: &str, x: &[Value], y: &Value, d: &Value, k: usize) -> Result<Value, Fault> {
    let a = &x[0];
    match (name, k) {
        ("arith.addf", _) | ("arith.subf", 0) => Ok(d.clone()),
        ("arith.subf", _) | ("arith.negf", _) => neg(d),
        ("arith.mulf", _) => mul(d, &x[1 - k]),
        ("arith.divf", 0) => div(d, &x[1]),
        ("arith.divf", _) => neg(&div(&mul(d, y)?, &x[1])?),
        ("arith.remf", 0) => Ok(d.clone()),
        ("arith.remf", _) => neg(&mul(d, &quotients(a, &x[1])?)?),
        // In a tie the left operand gets the sensitivity.
        ("arith.maximumf" | "arith.maxnumf", _) => keep(&compared(a, &x[1], move |a, b| (a >= b) == (k == 0)), d),
        ("arith.minimumf" | "arith.minnumf", _) => keep(&compared(a, &x[1], move |a, b| (a <= b) == (k == 0)), d),
        ("math.absf", _) => select(&each(a, |x| x >= 0.0), d, &neg(d)?),
        ("relu", _) => keep(&each(a, |x| x > 0.0), d),
        ("math.exp", _) => mul(d, y),
        ("math.exp2", _) => mul(d, &times(y, LN_2)?),
        ("math.expm1", _) => mul(d, &plus(y, 1.0)?),
        ("math.log", _) => div(d, a),
        ("math.log2", _) => div(d, &times(a, LN_2)?),
        ("math.log10", _) => div(d, &times(a, LN_10)?),
        ("math.log1p", _) => div(d, &plus(a, 1.0)?),
        ("math.sqrt", _) => div(d, &times(y, 2.0)?),
        ("math.rsqrt", _) => mul(d, &times(&div(y, a)?, -0.5)?),
        ("math.cbrt", _) => div(d, &times(&mul(y, y)?, 3.0)?),
        ("math.sin", _) => mul(d, &named("math.cos", &[a])?),
        ("math.cos", _) => neg(&mul(d, &named("math.sin", &[a])?)?),
        ("math.tan", _) => mul(d, &plus(&mul(y, y)?, 1.0)?),
        ("math.asin", _) => div(d, &named("math.sqrt", &[&one_minus_square(a)?])?),
        ("math.acos", _) => neg(&div(d, &named("math.sqrt", &[&one_minus_square(a)?])?)?),
        ("math.atan", _) => div(d, &plus(&mul(a, a)?, 1.0)?),
        ("math.sinh", _) => mul(d, &named("math.cosh", &[a])?),
        ("math.cosh", _) => mul(d, &named("math.sinh", &[a])?),
        ("math.tanh", _) => mul(d, &one_minus_square(y)?),
        ("math.asinh", _) => div(d, &named("math.sqrt", &[&plus(&mul(a, a)?, 1.0)?])?),
        ("math.acosh", _) => div(d, &named("math.sqrt", &[&plus(&mul(a, a)?, -1.0)?])?),
        ("math.atanh", _) => div(d, &one_minus_square(a)?),
        ("math.erf", _) => mul(d, &times(&named("math.exp", &[&neg(&mul(a, a)?)?])?, 2.0 / PI.sqrt())?),
        ("sigmoid", _) => mul(&mul(d, y)?, &sub(&constant(y, 1.0), y)?),
        ("math.powf", 0) => {
            let moving = compared(&x[1], &x[1], |p, _| p != 0.0);
            keep(&moving, &mul(d, &mul(&x[1], &named("math.powf", &[a, &plus(&x[1], -1.0)?])?)?)?)
        }
        // At x = 0 and p ≥ 0 the power does not depend on p; its logarithm must not be evaluated.
        ("math.powf", _) => {
            let flat = compared(a, &x[1], |x, p| x == 0.0 && p >= 0.0);
            let log = named("math.log", &[&select(&flat, &constant(a, 1.0), a)?])?;
            let moving: Vec<bool> = flat.iter().map(|f| !f).collect();
            keep(&moving, &mul(&mul(d, y)?, &log)?)
        }
        ("math.fpowi", 0) => {
            let n = x[1].as_array().map_or(Vec::new(), |n| n.to_f64());
            let less = named("math.fpowi", &[a, &exponents(&x[1], &n, -1.0)])?;
            let factor = mul(&exponents(a, &n, 0.0), &less)?;
            keep(&n.iter().map(|n| *n != 0.0).collect::<Vec<_>>(), &mul(d, &factor)?)
        }
        ("math.atan2", _) => {
            let square = add(&mul(a, a)?, &mul(&x[1], &x[1])?)?;
            let part = div(&mul(d, &x[1 - k])?, &square)?;
            if k == 0 { Ok(part) } else { neg(&part) }
        }
        _ => Err(Fault::new("no-backpropagator", format!("`{name}` has no derivative in operand {k}"))),
    }
}

/// Returns the truncated quotient of `a` and `b`, which is piecewise constant.
fn quotients(a: &Value, b: &Value) -> Result<Value, Fault> {
    let quotient = div(a, b)?.as_array().expect("a quotient of arrays");
    Ok(Value::array(scalar::map_float(&quotient, f64::trunc)?))
}

fn times(a: &Value, c: f64) -> Result<Value, Fault> {
    mul(a, &constant(a, c))
}

fn plus(a: &Value, c: f64) -> Result<Value, Fault> {
    add(a, &constant(a, c))
}

fn one_minus_square(a: &Value) -> Result<Value, Fault> {
    sub(&constant(a, 1.0), &mul(a, a)?)
}

fn each(a: &Value, f: impl Fn(f64) -> bool) -> Vec<bool> {
    a.as_array().map_or(Vec::new(), |a| a.to_f64().into_iter().map(f).collect())
}

fn compared(a: &Value, b: &Value, f: impl Fn(f64, f64) -> bool) -> Vec<bool> {
    let (a, b) = (a.as_array(), b.as_array());
    let (Some(a), Some(b)) = (a, b) else { return Vec::new() };
    a.to_f64().into_iter().zip(b.to_f64()).map(|(a, b)| f(a, b)).collect()
}

/// Returns the numbers `n + c` as an array of the kind and shape of `like`.
fn exponents(like: &Value, n: &[f64], c: f64) -> Value {
    use crate::value::{Array, Data};
    let Some(like) = like.as_array() else { return Value::Unit };
    let numbers = n.iter().map(|n| n + c);
    let data = match like.data() {
        Data::F32(_) => Data::F32(numbers.map(|x| x as f32).collect()),
        Data::F64(_) => Data::F64(numbers.collect()),
        Data::I1(_) => Data::I1(numbers.map(|x| x != 0.0).collect()),
        Data::I32(_) => Data::I32(numbers.map(|x| x as i32).collect()),
        Data::I64(_) => Data::I64(numbers.map(|x| x as i64).collect()),
        Data::Index(_) => Data::Index(numbers.map(|x| x as i64).collect()),
    };
    Value::array(Array::new(like.shape().to_vec(), data))
}
