//! Derivatives of elementwise functions (`spec/functional.md` B.6). These rules are independent of the table of
//! derivatives that the passes use, because tests compare the two.

use super::Fault;
use super::primitive::{add, constant, div, keep, mul, named, neg, numbers, select, sub};
use super::value::Value;
use crate::eval::scalar;
use crate::ops::Kind;
use std::f64::consts::{LN_2, LN_10, PI};

/// Piecewise constant functions: their derivative is zero.
pub const STEPS: &[Kind] = &[Kind::MathFloor, Kind::MathCeil, Kind::MathTrunc, Kind::MathRound, Kind::MathRoundeven];

/// Checks whether an op is a differentiable function of one or two floats.
pub fn is_smooth(kind: Kind) -> bool {
    match kind {
        Kind::MathFpowi => true,
        // The sign of its second operand matters, not its value.
        Kind::MathCopysign => false,
        _ => scalar::is_float_function(kind) && !STEPS.contains(&kind),
    }
}

/// Returns the cotangent of operand `k` of y = f(x…), given `d`, the cotangent of y.
pub fn transpose(name: &str, x: &[Value], y: &Value, d: &Value, k: usize) -> Result<Value, Fault> {
    let a = &x[0];
    if name == "sigmoid" {
        return mul(&mul(d, y)?, &sub(&constant(y, 1.0), y)?);
    }
    if name == "relu" {
        return keep(&each(a, |x| x > 0.0), d);
    }
    match (Kind::by_name(name), k) {
        (Kind::ArithAddf, _) | (Kind::ArithSubf, 0) => Ok(d.clone()),
        (Kind::ArithSubf, _) | (Kind::ArithNegf, _) => neg(d),
        (Kind::ArithMulf, _) => mul(d, &x[1 - k]),
        (Kind::ArithDivf, 0) => div(d, &x[1]),
        (Kind::ArithDivf, _) => neg(&div(&mul(d, y)?, &x[1])?),
        (Kind::ArithRemf, 0) => Ok(d.clone()),
        (Kind::ArithRemf, _) => neg(&mul(d, &quotients(a, &x[1])?)?),
        // In a tie the left operand gets the cotangent.
        (Kind::ArithMaximumf | Kind::ArithMaxnumf, _) => keep(&compared(a, &x[1], move |a, b| (a >= b) == (k == 0)), d),
        (Kind::ArithMinimumf | Kind::ArithMinnumf, _) => keep(&compared(a, &x[1], move |a, b| (a <= b) == (k == 0)), d),
        (Kind::MathAbsf, _) => select(&each(a, |x| x >= 0.0), d, &neg(d)?),
        (Kind::MathExp, _) => mul(d, y),
        (Kind::MathExp2, _) => mul(d, &times(y, LN_2)?),
        (Kind::MathExpm1, _) => mul(d, &plus(y, 1.0)?),
        (Kind::MathLog, _) => div(d, a),
        (Kind::MathLog2, _) => div(d, &times(a, LN_2)?),
        (Kind::MathLog10, _) => div(d, &times(a, LN_10)?),
        (Kind::MathLog1p, _) => div(d, &plus(a, 1.0)?),
        (Kind::MathSqrt, _) => div(d, &times(y, 2.0)?),
        (Kind::MathRsqrt, _) => mul(d, &times(&div(y, a)?, -0.5)?),
        (Kind::MathCbrt, _) => div(d, &times(&mul(y, y)?, 3.0)?),
        (Kind::MathSin, _) => mul(d, &named(Kind::MathCos.name(), &[a])?),
        (Kind::MathCos, _) => neg(&mul(d, &named(Kind::MathSin.name(), &[a])?)?),
        (Kind::MathTan, _) => mul(d, &plus(&mul(y, y)?, 1.0)?),
        (Kind::MathAsin, _) => div(d, &named(Kind::MathSqrt.name(), &[&one_minus_square(a)?])?),
        (Kind::MathAcos, _) => neg(&div(d, &named(Kind::MathSqrt.name(), &[&one_minus_square(a)?])?)?),
        (Kind::MathAtan, _) => div(d, &plus(&mul(a, a)?, 1.0)?),
        (Kind::MathSinh, _) => mul(d, &named(Kind::MathCosh.name(), &[a])?),
        (Kind::MathCosh, _) => mul(d, &named(Kind::MathSinh.name(), &[a])?),
        (Kind::MathTanh, _) => mul(d, &one_minus_square(y)?),
        (Kind::MathAsinh, _) => div(d, &named(Kind::MathSqrt.name(), &[&plus(&mul(a, a)?, 1.0)?])?),
        (Kind::MathAcosh, _) => div(d, &named(Kind::MathSqrt.name(), &[&plus(&mul(a, a)?, -1.0)?])?),
        (Kind::MathAtanh, _) => div(d, &one_minus_square(a)?),
        (Kind::MathErf, _) => mul(d, &times(&named(Kind::MathExp.name(), &[&neg(&mul(a, a)?)?])?, 2.0 / PI.sqrt())?),
        (Kind::MathPowf, 0) => {
            let moving = compared(&x[1], &x[1], |p, _| p != 0.0);
            keep(&moving, &mul(d, &mul(&x[1], &named(Kind::MathPowf.name(), &[a, &plus(&x[1], -1.0)?])?)?)?)
        }
        // At x = 0 and p ≥ 0 the power does not depend on p; its logarithm must not be evaluated.
        (Kind::MathPowf, _) => {
            let flat = compared(a, &x[1], |x, p| x == 0.0 && p >= 0.0);
            let log = named(Kind::MathLog.name(), &[&select(&flat, &constant(a, 1.0), a)?])?;
            let moving: Vec<bool> = flat.iter().map(|f| !f).collect();
            keep(&moving, &mul(&mul(d, y)?, &log)?)
        }
        (Kind::MathFpowi, 0) => {
            let n = x[1].as_array().map_or(Vec::new(), |n| n.to_f64());
            let less = named(Kind::MathFpowi.name(), &[a, &exponents(&x[1], &n, -1.0)])?;
            let factor = mul(&exponents(a, &n, 0.0), &less)?;
            keep(&n.iter().map(|n| *n != 0.0).collect::<Vec<_>>(), &mul(d, &factor)?)
        }
        (Kind::MathAtan2, _) => {
            let square = add(&mul(a, a)?, &mul(&x[1], &x[1])?)?;
            let part = div(&mul(d, &x[1 - k])?, &square)?;
            if k == 0 { Ok(part) } else { neg(&part) }
        }
        _ => Err(Fault::new("no-backpropagator", format!("`{name}` has no derivative with respect to operand #{k}"))),
    }
}

/// Returns the truncated quotient of `a` and `b`, which is piecewise constant.
fn quotients(a: &Value, b: &Value) -> Result<Value, Fault> {
    Ok(Value::array(scalar::map_float(&*numbers(&div(a, b)?)?, f64::trunc)?))
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
    let Some(like) = like.as_array() else { return Value::Unit };
    Value::array(like.with_f64(n.iter().map(|n| n + c)))
}
