//! The exponents in the derivatives of powers, with the special case of the exponent zero.

use super::Point;
use crate::analysis::edit;
use mlopt_dialects::ir::{Attribute, Value};
use mlopt_dialects::ops::{CmpFPredicate, Kind};

/// Returns the exponent minus one. Where the exponent is zero, returns one: 0·a is 0 also for a = 0, where 0·a⁻¹ is
/// NaN.
pub fn lowered(p: &Point) -> Value {
    let (b, n) = (p.builder, p.x[1]);
    let float = n.ty().is_differentiable();
    let op =
        |kind: Kind, x: Value, y: Value| if float { p.apply(kind, &[x, y]) } else { b.unary(kind, &[x, y], n.ty()) };
    let one = like(p, n, 1);
    let less = op(if float { Kind::ArithSubf } else { Kind::ArithSubi }, n, one);
    if edit::numbers(n).is_some_and(|x| x.iter().all(|&x| x != 0.0)) {
        return less;
    }
    let zero = like(p, n, 0);
    let is_zero = if float { p.compare(CmpFPredicate::Oeq, n, zero) } else { b.equal(n, zero) };
    b.select(is_zero, one, less)
}

/// Returns the base whose logarithm is the derivative with respect to the exponent: 1 where the base is 0 and the
/// exponent is not negative, so that the logarithm and its derivatives are 0 there.
pub fn logarithm_of(p: &Point) -> Value {
    let (a, zero) = (p.x[0], p.constant(0.0));
    let is_zero = p.compare(CmpFPredicate::Oeq, a, zero);
    let stays = p.at_least(p.x[1], zero);
    let mask = p.builder.unary(Kind::ArithAndi, &[is_zero, stays], is_zero.ty());
    p.builder.select(mask, p.constant(1.0), a)
}

/// Returns the exponent of `math.fpowi` as a float of the type of the result.
pub fn as_float(p: &Point) -> Value {
    p.builder.unary(Kind::ArithSitofp, &[p.x[1]], p.z.ty())
}

/// Returns a constant of the type and sizes of the exponent `n`.
fn like(p: &Point, n: Value, value: i64) -> Value {
    if n.ty().is_differentiable() {
        return p.constant(value as f64);
    }
    let b = p.builder;
    let scalar = n.ty().scalar();
    let attribute = Attribute::integer(scalar, value);
    if n.ty().shape().iter().all(Option::is_some) {
        return b.splat(attribute, n.ty());
    }
    b.filled_like(n, b.constant(attribute, scalar))
}
