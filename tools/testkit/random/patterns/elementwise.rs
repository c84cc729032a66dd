//! Patterns: elementwise functions, on whole arrays or on scalars in a region.

use crate::random::builder::{Builder, Value};
use mlopt_dialects::ops::Kind;

/// Applies a random function to a scalar or an array.
pub fn function(b: &mut Builder, x: &Value) -> Value {
    let x = &b.tame(x.clone());
    match b.below(18) {
        0 => b.unary(Kind::MathTanh, x),
        1 => b.unary(Kind::MathSin, x),
        2 => b.unary(Kind::MathCos, x),
        3 => b.sigmoid(x),
        4 if x.bound <= 4.0 => b.unary(Kind::MathExp, x),
        5 | 6 => {
            let square = b.binary(Kind::ArithMulf, x, x);
            let above = b.with_constant(Kind::ArithAddf, &square, 1.0);
            let op = b.one_of(&[Kind::MathSqrt, Kind::MathLog, Kind::MathRsqrt, Kind::MathCbrt]);
            b.unary(op, &above)
        }
        7 => b.unary(Kind::MathAbsf, x),
        8 => b.binary(Kind::ArithMulf, x, x),
        9 => b.damped(x),
        10 => b.with_constant(Kind::ArithMaximumf, x, 0.0),
        11 => b.with_constant(Kind::ArithMinimumf, x, 0.3),
        12 => {
            // A leaky rectifier.
            let zero = b.constant_like(0.0, x);
            let small = b.with_constant(Kind::ArithMulf, x, 0.125);
            let predicate = b.one_of(&["ogt", "oge", "ult"]);
            let positive = b.compare(predicate, x, &zero);
            b.select(&positive, x, &small)
        }
        13 => b.unary(Kind::MathAtan, x),
        14 => b.unary(Kind::MathErf, x),
        15 => {
            let c = b.constant_like(0.75, x);
            let y = b.sigmoid(x);
            b.binary(Kind::MathPowf, &y, &c)
        }
        16 => b.unary(Kind::ArithNegf, x),
        _ => b.with_constant(Kind::ArithSubf, x, 0.375),
    }
}

/// Applies a random smooth function to two values.
pub fn function_of_two(b: &mut Builder, x: &Value, y: &Value) -> Value {
    match b.below(7) {
        0 | 1 => b.binary(Kind::ArithMulf, x, y),
        2 => b.binary(Kind::ArithSubf, x, y),
        3 => b.binary(Kind::ArithAddf, x, y),
        4 => {
            let square = b.binary(Kind::ArithMulf, y, y);
            let below = b.with_constant(Kind::ArithAddf, &square, 0.5);
            b.binary(Kind::ArithDivf, x, &below).bounded(2.0 * x.bound)
        }
        5 => {
            let op = b.one_of(&[Kind::ArithMaximumf, Kind::ArithMinimumf]);
            b.binary(op, x, y)
        }
        _ => {
            let predicate = b.one_of(&["olt", "oge", "une"]);
            let less = b.compare(predicate, x, y);
            let z = b.unary(Kind::ArithNegf, y);
            b.select(&less, x, &z)
        }
    }
}

fn expression(b: &mut Builder, x: &Value, y: &Value, ops: usize) -> Value {
    let mut z = x.clone();
    for _ in 0..ops {
        z = if b.coin() { function(b, &z) } else { function_of_two(b, &z, y) };
        z = b.tame(z);
    }
    z
}

/// Writes a chain of functions of two arrays of the same shape.
pub fn chain(b: &mut Builder) {
    let ops = 2 + b.below(6);
    let whole = b.coin();
    let cost = if whole { 0.02 } else { 6.0 * ops as f64 };
    match b.below(3) {
        0 => with_rank::<1>(b, cost, ops, whole),
        1 => with_rank::<2>(b, cost, ops, whole),
        _ => with_rank::<3>(b, cost, ops, whole),
    }
}

fn with_rank<const N: usize>(b: &mut Builder, cost: f64, ops: usize, whole: bool) {
    let (x, dims) = b.input::<N>(cost);
    let y = b.floats(&dims);
    let z = b.pointwise(whole, &x, &y, |b, x, y| expression(b, x, y, ops));
    b.keep(&z);
}
