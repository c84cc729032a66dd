//! Replacement of the operations of `lambda.prim` by ops of `arith`, `math` and `array`, once types are known
//! (`spec/functional.md` F.1).
//!
//! Some operations become a combination of ops. A combination is chosen so that the derivative rules of its ops give
//! the derivative that the specification requires (B.6). For example, `relu x` becomes `max 0 x` and not `max x 0`,
//! because on ties `max` passes the cotangent to its first operand.

use super::infer::{Prim, prim};
use super::overloads::overloaded;
use super::sizes::{at_common_sizes, with_sizes};
use mlopt_dialects::ir::{Attribute, Builder, Dim, Type, Value};
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate, Kind};
use mlopt_dialects::primitives::{self, Computation, Elements, Notation};
use mlopt_dialects::value::Element;

/// Emits the operation `name` on operands of inferred types, with a result of type `result`.
pub fn lower(b: Builder, name: &str, x: &[Value], result: Type) -> Value {
    if let Some(z) = overloaded(b, name, x, result) {
        return z;
    }
    let kind = prim(name).expect("inferred: a known operation");
    let x = &match kind {
        Prim::Floats | Prim::Compare => at_common_sizes(b, x),
        Prim::Dot | Prim::Product(..) | Prim::AnyProduct => factors(b, x),
        _ => x.to_vec(),
    }[..];
    let ty = x[0].ty();
    let same = |kind: Kind| b.unary(kind, x, ty);
    let elements = Elements::of(ty.scalar().element().expect("inferred: numbers"));
    if elements != Elements::Float
        && let Some(of) = primitives::function(name).filter(|p| p.elements == Elements::Float)
        && let Some(discrete) = primitives::overload(of.name(Notation::Functions), elements)
    {
        return match (discrete.computation, name) {
            (Computation::Op(kind), _) => same(kind),
            (Computation::CompareIntegers(predicate), _) => b.compare_integers(predicate, x[0], x[1]),
            (_, "neg") => negated(b, x[0]),
            _ => {
                let is_negative = b.compare_integers(CmpIPredicate::Slt, x[0], zero(b, x[0]));
                b.select(is_negative, negated(b, x[0]), x[0])
            }
        };
    }
    match (name, primitives::function(name).map(|p| p.computation)) {
        (_, Some(Computation::Op(kind))) => same(kind),
        (_, Some(Computation::CompareFloats(predicate))) => b.compare_floats(predicate, x[0], x[1]),
        (_, Some(Computation::CompareIntegers(predicate))) => b.compare_integers(predicate, x[0], x[1]),
        ("powi", _) => same(Kind::MathFpowi),
        ("relu", _) => b.unary(Kind::ArithMaximumf, &[b.float_like(x[0], 0.0), x[0]], ty),
        ("sign", _) => sign(b, x[0]),
        ("sigmoid", _) => sigmoid(b, x[0]),
        ("idiv2", _) => b.unary(Kind::ArrayDiv, &[x[0], b.constant(Attribute::integer(ty, 2), ty)], ty),
        ("itof", _) => to_float(b, x[0]),
        ("not", _) => b.unary(Kind::ArithXori, &[x[0], b.constant(Attribute::integer(ty, 1), ty)], ty),
        ("sum", _) if ty.scalar().is_integer(1) => {
            sum(b, b.unary(Kind::ArithExtui, x, Type::array(&ty.shape(), result)))
        }
        ("sum", _) => sum(b, x[0]),
        ("transpose", _) => b.transpose(x[0], &[1, 0]),
        ("outer", _) => {
            let [m, n] = [x[0], x[1]].map(|v| v.ty().shape()[0]);
            let rows = filled_rows(b, x[1], m, x[0]);
            let columns = filled_rows(b, x[0], n, x[1]);
            let columns = b.transpose(columns, &[1, 0]);
            b.unary(Kind::ArithMulf, &[columns, rows], rows.ty())
        }
        ("scale", _) => {
            let filled = b.filled_like(x[1], x[0]);
            b.unary(Kind::ArithMulf, &[filled, x[1]], x[1].ty())
        }
        ("fill", _) => b.filled_like(x[1], x[0]),
        _ => product(b, x[0], x[1]),
    }
}

/// Emits the zero of an integer type, or an array of zeros.
fn zero(b: Builder, like: Value) -> Value {
    let scalar = like.ty().scalar();
    b.filled_like(like, b.constant(Attribute::integer(scalar, 0), scalar))
}

fn negated(b: Builder, x: Value) -> Value {
    b.unary(Kind::ArithSubi, &[zero(b, x), x], x.ty())
}

/// Emits copies of `x` along a new outermost axis, one for each element of `like`.
fn filled_rows(b: Builder, x: Value, n: Dim, like: Value) -> Value {
    let extent = if n.is_none() { b.length(like, 0) } else { x };
    b.replicate(x, n, extent)
}

fn to_float(b: Builder, x: Value) -> Value {
    let context = b.context();
    let x = if x.ty().is_index() { b.unary(Kind::ArithIndexCast, &[x], context.scalar(Element::I64)) } else { x };
    b.unary(Kind::ArithSitofp, &[x], context.scalar(Element::F64))
}

/// Emits 1, 0 or -1: selects between constants, so that the derivative is zero.
fn sign(b: Builder, x: Value) -> Value {
    let [zero, one, minus] = [0.0, 1.0, -1.0].map(|c| b.float_like(x, c));
    let below = b.select(b.compare_floats(CmpFPredicate::Olt, x, zero), minus, zero);
    b.select(b.compare_floats(CmpFPredicate::Ogt, x, zero), one, below)
}

/// Emits 1/(1 + e^-x), and e^x/(1 + e^x) below zero: with the exponential of -|x|, neither the value nor its derivative
/// overflows.
fn sigmoid(b: Builder, x: Value) -> Value {
    let ty = x.ty();
    let [zero, one] = [0.0, 1.0].map(|c| b.float_like(x, c));
    let magnitude = b.unary(Kind::MathAbsf, &[x], ty);
    let e = b.unary(Kind::MathExp, &[b.unary(Kind::ArithNegf, &[magnitude], ty)], ty);
    let numerator = b.select(b.compare_floats(CmpFPredicate::Oge, x, zero), one, e);
    b.unary(Kind::ArithDivf, &[numerator, b.unary(Kind::ArithAddf, &[e, one], ty)], ty)
}

/// Emits the sum of all elements.
fn sum(b: Builder, x: Value) -> Value {
    let rank = x.ty().rank();
    if rank == 0 { x } else { b.sum_axes(x, &(0..rank).collect::<Vec<_>>()) }
}

/// Emits the factors of a product, with the size of the common axis that one of them determines.
fn factors(b: Builder, x: &[Value]) -> Vec<Value> {
    let [mut left, mut right] = [x[0], x[1]].map(|v| v.ty().shape());
    let last = left.len() - 1;
    let n = left[last].or(right[0]);
    (left[last], right[0]) = (n, n);
    vec![with_sizes(b, x[0], &left), with_sizes(b, x[1], &right)]
}

/// Emits the sum of products over the last axis of `x` and the first of `y`: vectors and matrices.
fn product(b: Builder, x: Value, y: Value) -> Value {
    let (x_shape, y_shape) = (x.ty().shape(), y.ty().shape());
    let dot = |b: Builder, x: Value, y: Value| sum(b, b.unary(Kind::ArithMulf, &[x, y], x.ty()));
    match (x_shape.len(), y_shape.len()) {
        (1, 1) => dot(b, x, y),
        (2, 1) => b.build_like(x, 1, |b, i| vec![dot(b, b.get(x, i), y)])[0],
        (1, 2) => {
            let columns = b.transpose(y, &[1, 0]);
            b.build_like(columns, 1, |b, j| vec![dot(b, x, b.get(columns, j))])[0]
        }
        _ => {
            let columns = b.transpose(y, &[1, 0]);
            let sizes = [x_shape[0], y_shape[1]];
            let extents = [b.extents(x, 1), b.extents(columns, 1)].concat();
            b.build(&sizes, &extents, |b, at| vec![dot(b, b.get(x, &at[..1]), b.get(columns, &at[1..]))])[0]
        }
    }
}
