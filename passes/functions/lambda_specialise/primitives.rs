//! Lowering of the operations of `lambda.prim` to ops of `arith`, `math` and `array`, once types are known
//! (`spec/functional.md` F.1).
//!
//! If an operation is a combination of ops, its derivative by the rules of these is the one that B.6 requires: `relu x`
//! is `max 0 x`, zero first, because `max` passes the cotangent to its first operand on ties.

use mlopt_dialects::ir::{Attribute, Builder, Dim, Type, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// Emits the operation `name` on operands of inferred types.
pub fn lower(b: Builder, name: &str, x: &[Value]) -> Value {
    let ty = x[0].ty();
    let same = |kind: Kind| b.unary(kind, x, ty);
    match name {
        "+" => same(Kind::ArithAddf),
        "-" => same(Kind::ArithSubf),
        "*" => same(Kind::ArithMulf),
        "/" => same(Kind::ArithDivf),
        "neg" => same(Kind::ArithNegf),
        "exp" => same(Kind::MathExp),
        "log" => same(Kind::MathLog),
        "sin" => same(Kind::MathSin),
        "cos" => same(Kind::MathCos),
        "tan" => same(Kind::MathTan),
        "tanh" => same(Kind::MathTanh),
        "sqrt" => same(Kind::MathSqrt),
        "floor" => same(Kind::MathFloor),
        "abs" => same(Kind::MathAbsf),
        "pow" => same(Kind::MathPowf),
        "powi" => b.unary(Kind::MathFpowi, x, ty),
        "max" => same(Kind::ArithMaximumf),
        "min" => same(Kind::ArithMinimumf),
        "relu" => b.unary(Kind::ArithMaximumf, &[b.float_like(x[0], 0.0), x[0]], ty),
        "sign" => sign(b, x[0]),
        "sigmoid" => sigmoid(b, x[0]),
        "<" => compare(b, OLT, x[0], x[1]),
        "<=" => compare(b, OLE, x[0], x[1]),
        ">" => compare(b, OGT, x[0], x[1]),
        ">=" => compare(b, OGE, x[0], x[1]),
        "=" => compare(b, OEQ, x[0], x[1]),
        "i+" => same(Kind::ArithAddi),
        "i-" => same(Kind::ArithSubi),
        "i*" => same(Kind::ArithMuli),
        "i<" => compare_integers(b, SLT, x[0], x[1]),
        "i=" => compare_integers(b, EQ, x[0], x[1]),
        // Total: x mod 0 = x (spec/arrays.md A.3.4).
        "imod" => same(Kind::ArrayMod),
        "idiv2" => b.unary(Kind::ArrayDiv, &[x[0], b.constant(Attribute::integer(ty, 2), ty)], ty),
        "itof" => to_float(b, x[0]),
        "and" => same(Kind::ArithAndi),
        "or" => same(Kind::ArithOri),
        "not" => b.unary(Kind::ArithXori, &[x[0], b.constant(Attribute::integer(ty, 1), ty)], ty),
        "sum" => sum(b, x[0]),
        "transpose" => b.transpose(x[0], &[1, 0]),
        "outer" => {
            let [m, n] = [x[0], x[1]].map(|v| v.ty().shape()[0]);
            let rows = b.filled_rows(x[1], m, x[0]);
            let columns = b.filled_rows(x[0], n, x[1]);
            let columns = b.transpose(columns, &[1, 0]);
            b.unary(Kind::ArithMulf, &[columns, rows], rows.ty())
        }
        "scale" => {
            let filled = b.filled_like(x[1], x[0]);
            b.unary(Kind::ArithMulf, &[filled, x[1]], x[1].ty())
        }
        "fill" => b.filled_like(x[1], x[0]),
        _ => product(b, x[0], x[1]),
    }
}

const OEQ: i64 = 1;
const OGT: i64 = 2;
const OGE: i64 = 3;
const OLT: i64 = 4;
const OLE: i64 = 5;
const EQ: i64 = 0;
const SLT: i64 = 2;

/// Builders of which the operations are composed.
trait Parts {
    fn filled_rows(self, x: Value, n: Dim, like: Value) -> Value;
}

impl Parts for Builder {
    /// Emits copies of `x` along a new outermost axis, one for each element of `like`.
    fn filled_rows(self, x: Value, n: Dim, like: Value) -> Value {
        let extent = if n.is_none() { self.length(like, 0) } else { x };
        self.replicate(x, n, extent)
    }
}

fn compare_by(b: Builder, kind: Kind, predicate: i64, x: Value, y: Value) -> Value {
    let context = b.context();
    let predicate = Attribute::integer(context.scalar(Element::I64), predicate);
    let mask = Type::array(&x.ty().shape(), context.scalar(Element::I1));
    b.insert(b.op(kind).operands(&[x, y]).attribute("predicate", predicate).results(&[mask]).build()).result(0)
}

fn compare(b: Builder, predicate: i64, x: Value, y: Value) -> Value {
    compare_by(b, Kind::ArithCmpf, predicate, x, y)
}

fn compare_integers(b: Builder, predicate: i64, x: Value, y: Value) -> Value {
    compare_by(b, Kind::ArithCmpi, predicate, x, y)
}

fn to_float(b: Builder, x: Value) -> Value {
    let context = b.context();
    let x = if x.ty().is_index() { b.unary(Kind::ArithIndexCast, &[x], context.scalar(Element::I64)) } else { x };
    b.unary(Kind::ArithSitofp, &[x], context.scalar(Element::F64))
}

/// Emits 1, 0 or -1: selects between constants, so that the derivative is zero.
fn sign(b: Builder, x: Value) -> Value {
    let [zero, one, minus] = [0.0, 1.0, -1.0].map(|c| b.float_like(x, c));
    let below = b.select(compare(b, OLT, x, zero), minus, zero);
    b.select(compare(b, OGT, x, zero), one, below)
}

/// Emits 1/(1 + e^-x), and e^x/(1 + e^x) below zero: with the exponential of -|x|, neither the value nor its derivative
/// overflows.
fn sigmoid(b: Builder, x: Value) -> Value {
    let ty = x.ty();
    let [zero, one] = [0.0, 1.0].map(|c| b.float_like(x, c));
    let magnitude = b.unary(Kind::MathAbsf, &[x], ty);
    let e = b.unary(Kind::MathExp, &[b.unary(Kind::ArithNegf, &[magnitude], ty)], ty);
    let numerator = b.select(compare(b, OGE, x, zero), one, e);
    b.unary(Kind::ArithDivf, &[numerator, b.unary(Kind::ArithAddf, &[e, one], ty)], ty)
}

/// Emits the sum of all elements.
fn sum(b: Builder, x: Value) -> Value {
    let rank = x.ty().rank();
    if rank == 0 { x } else { b.sum_axes(x, &(0..rank).collect::<Vec<_>>()) }
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
