//! Replacement of the operations with promotion, and of those on values of several types, once types are known.

use super::primitives::lower;
use crate::analysis::edit::known;
use mlopt_dialects::ir::{Attribute, Block, Builder, Dim, Region, Type, Value, types_of};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate, Kind};
use mlopt_dialects::value::Element;

/// Emits the operation `name` with a result of type `ty`; `None` if it is none of these.
pub fn overloaded(b: Builder, name: &str, x: &[Value], ty: Type) -> Option<Value> {
    let strict = |name: &str| {
        let x = promoted(b, x, element_for(x, Element::I64));
        Some(lower(b, name, &x, ty))
    };
    match name {
        "add" if matches!(TypeKind::of(ty), TypeKind::List(_)) => Some(b.unary(Kind::LambdaConcat, x, ty)),
        "add" if matches!(TypeKind::of(ty), TypeKind::Tuple(_)) => {
            let all: Vec<Value> = x.iter().flat_map(|x| values(b, *x)).collect();
            Some(b.unary(Kind::LambdaTuple, &all, ty))
        }
        "add" => strict("+"),
        "sub" => strict("-"),
        "mul" => strict("*"),
        "lt" => strict("<"),
        "le" => strict("<="),
        "gt" => strict(">"),
        "ge" => strict(">="),
        "eq" => strict("="),
        "ne" => strict("!="),
        "div" => {
            let x = promoted(b, x, element_for(x, Element::F64));
            Some(b.unary(Kind::ArithDivf, &x, ty))
        }
        "floordiv" | "mod" => Some(divided(b, name, x, ty)),
        "power" => Some(power(b, x, ty)),
        "select" => {
            let element = ty.scalar();
            let like = [x[1], x[2], x[0]].into_iter().max_by_key(|v| v.ty().rank()).expect("three");
            let [a, c] = [x[1], x[2]].map(|v| expanded(b, converted(b, v, element), like));
            let condition = if x[0].ty().is_tensor() { expanded(b, x[0], like) } else { x[0] };
            Some(b.select(condition, a, c))
        }
        "real" | "f64" | "f32" | "i64" => Some(converted(b, x[0], ty.scalar())),
        "bool" => Some(truth(b, x[0])),
        "item" => Some(item(b, x[0], x[1], ty)),
        "unpack" => Some(x[0]),
        "len" => Some(length(b, x[0])),
        "shape" => {
            let sizes: Vec<Value> = (0..x[0].ty().rank()).map(|axis| size(b, x[0], axis)).collect();
            Some(b.unary(Kind::LambdaTuple, &sizes, ty))
        }
        "iota" => {
            let extents = extent(b, x[0], ty.shape()[0]);
            let word = ty.scalar();
            Some(b.build(&ty.shape(), &extents, |b, i| vec![b.unary(Kind::ArithIndexCast, &[i[0]], word)])[0])
        }
        "replicate" => {
            let n = ty.shape()[0];
            Some(b.replicate(x[1], n, extent(b, x[0], n).first().copied().unwrap_or(x[1])))
        }
        "zero" => Some(number(b, ty, 0)),
        "sum-along" => Some(b.sum_axes(x[1], &[known(x[0])? as usize])),
        _ => None,
    }
}

/// Emits the values of a tuple.
pub fn values(b: Builder, tuple: Value) -> Vec<Value> {
    let get = |(k, ty): (usize, Type)| {
        let index = Attribute::integer(b.context().scalar(Element::I64), k as i64);
        b.insert(b.op(Kind::LambdaGet).operands(&[tuple]).attribute("index", index).results(&[ty]).build()).result(0)
    };
    tuple.ty().parts().into_iter().enumerate().map(get).collect()
}

/// Emits the list of the values of a tuple.
pub fn listed(b: Builder, tuple: Value, ty: Type) -> Value {
    let end = b.unary(Kind::LambdaNil, &[], ty);
    values(b, tuple).into_iter().rev().fold(end, |tail, head| b.unary(Kind::LambdaCons, &[head, tail], ty))
}

/// Returns the type of elements to which operands are promoted, at least `least`.
fn element_for(x: &[Value], least: Element) -> Type {
    let mut elements = x.iter().map(|v| v.ty().scalar());
    let context = x[0].ty().context();
    elements.clone().find(|t| t.is_differentiable()).unwrap_or_else(|| match least.is_float() {
        true => context.scalar(least),
        false => elements.find(|t| !t.is_integer(1)).unwrap_or_else(|| context.scalar(least)),
    })
}

/// Emits operands with these elements and the same shape.
fn promoted(b: Builder, x: &[Value], element: Type) -> Vec<Value> {
    let like = *x.iter().max_by_key(|v| v.ty().rank()).expect("an operand");
    x.iter().map(|v| expanded(b, converted(b, *v, element), like)).collect()
}

/// Emits an array repeated along the leading axes that only `like` has.
fn expanded(b: Builder, mut x: Value, like: Value) -> Value {
    let sizes = like.ty().shape();
    for axis in (0..sizes.len() - x.ty().rank()).rev() {
        let extent = if sizes[axis].is_none() { b.length(like, axis) } else { x };
        x = b.replicate(x, sizes[axis], extent);
    }
    x
}

/// Emits an array, or a number, with elements of another type.
fn converted(b: Builder, x: Value, to: Type) -> Value {
    let from = x.ty().scalar();
    let ty = if x.ty().is_tensor() { Type::tensor(&x.ty().shape(), to) } else { to };
    let bits = |t: Type| t.element().map_or(64, |e| 8 * e.bytes());
    let kind = match (from.is_differentiable(), to.is_differentiable()) {
        _ if from == to => return x,
        _ if to.is_integer(1) => return truth(b, x),
        (true, true) if bits(from) < bits(to) => Kind::ArithExtf,
        (true, true) => Kind::ArithTruncf,
        (false, true) if from.is_integer(1) => Kind::ArithUitofp,
        (false, true) if from.is_index() => {
            let word = b.context().scalar(Element::I64);
            let word = if x.ty().is_tensor() { Type::tensor(&x.ty().shape(), word) } else { word };
            return converted(b, b.unary(Kind::ArithIndexCast, &[x], word), to);
        }
        (false, true) => Kind::ArithSitofp,
        // Towards zero. A number outside of the range saturates, and NaN becomes 0.
        (true, false) => return b.unary(Kind::ArrayFloor, &[b.unary(Kind::MathTrunc, &[x], x.ty())], ty),
        _ if from.is_index() || to.is_index() => Kind::ArithIndexCast,
        _ if from.is_integer(1) => Kind::ArithExtui,
        _ if bits(from) < bits(to) => Kind::ArithExtsi,
        _ => Kind::ArithTrunci,
    };
    b.unary(kind, &[x], ty)
}

/// Emits whether a value counts as true: it is not zero, or not empty.
fn truth(b: Builder, x: Value) -> Value {
    if let TypeKind::List(_) = TypeKind::of(x.ty()) {
        let bool = b.context().scalar(Element::I1);
        let empty = b.unary(Kind::LambdaIsEmpty, &[x], bool);
        return b.unary(Kind::ArithXori, &[empty, number(b, bool, 1)], bool);
    }
    match x.ty().scalar() {
        t if t.is_integer(1) => x,
        t if t.is_differentiable() => b.compare_floats(CmpFPredicate::Une, x, b.float_like(x, 0.0)),
        t => b.compare_integers(CmpIPredicate::Ne, x, expanded(b, number(b, t, 0), x)),
    }
}

/// Emits `x`, and a check at run time.
fn checked(b: Builder, ok: Value, x: Value, code: &str, text: &str) -> Value {
    let context = b.context();
    let check = b.op(Kind::LambdaCheck).operands(&[ok, x]).results(&[x.ty()]);
    let check = check.attribute("code", context.string_attr(code)).attribute("text", context.string_attr(text));
    b.insert(check.build()).result(0)
}

/// Emits the quotient, rounded down, or the remainder with the sign of the divisor.
fn divided(b: Builder, name: &str, x: &[Value], ty: Type) -> Value {
    let element = ty.scalar();
    if element.is_differentiable() {
        let x = promoted(b, x, element);
        let floor = b.unary(Kind::MathFloor, &[b.unary(Kind::ArithDivf, &x, ty)], ty);
        return match name {
            "floordiv" => floor,
            _ => b.unary(Kind::ArithSubf, &[x[0], b.unary(Kind::ArithMulf, &[x[1], floor], ty)], ty),
        };
    }
    let divisor = converted(b, x[1], element);
    let ok = b.compare_integers(CmpIPredicate::Ne, divisor, number(b, element, 0));
    let divisor = checked(b, ok, divisor, "division-by-zero", "an integer is divided by zero");
    let x = promoted(b, &[x[0], divisor], element);
    b.unary(if name == "floordiv" { Kind::ArrayDiv } else { Kind::ArrayMod }, &x, ty)
}

fn power(b: Builder, x: &[Value], ty: Type) -> Value {
    let element = ty.scalar();
    if element.is_differentiable() {
        let is_integer = x[1].ty().scalar().is_discrete() && !x[1].ty().scalar().is_integer(1) && !x[1].ty().is_index();
        if is_integer && !ty.is_tensor() {
            return b.unary(Kind::MathFpowi, &[converted(b, x[0], element), x[1]], ty);
        }
        return b.unary(Kind::MathPowf, &promoted(b, x, element), ty);
    }
    let exponent = converted(b, x[1], element);
    let ok = b.compare_integers(CmpIPredicate::Sge, exponent, number(b, element, 0));
    let text = "an integer must not have a negative exponent; make it a float";
    let exponent = checked(b, ok, exponent, "negative-exponent", text);
    b.unary(Kind::MathIpowi, &promoted(b, &[x[0], exponent], element), ty)
}

/// Emits a value of a tuple, a list or an array; a literal index may be negative.
fn item(b: Builder, of: Value, index: Value, ty: Type) -> Value {
    let literal = known(index);
    match TypeKind::of(of.ty()) {
        TypeKind::Tuple(parts) => {
            let k = literal.expect("inferred: a literal");
            values(b, of)[if k < 0 { k + parts.len() as i64 } else { k } as usize]
        }
        TypeKind::List(_) => {
            let index = from_end(b, of, index);
            if let Some(k @ 0..8) = literal {
                let tail = (0..k).fold(of, |list, _| b.unary(Kind::LambdaTail, &[list], of.ty()));
                return b.unary(Kind::LambdaHead, &[tail], ty);
            }
            let ok = b.compare_integers(CmpIPredicate::Sge, index, number(b, index.ty(), 0));
            let n = checked(b, ok, index, "index-out-of-bounds", "the index of a list must not be negative");
            let block = Block::new(&[(n.ty(), b.location), (of.ty(), b.location)]);
            let inner = Builder::at_end(block, b.location);
            let tail = inner.unary(Kind::LambdaTail, &[block.argument(1)], of.ty());
            inner.insert(inner.op(Kind::LambdaYield).operands(&[tail]).build());
            let walk = b.op(Kind::LambdaFor).operands(&[n, of]).results(&types_of(&[of]));
            let rest = b.insert(walk.region(Region::with_block(block)).build()).result(0);
            b.unary(Kind::LambdaHead, &[rest], ty)
        }
        _ => b.unary(Kind::LambdaAget, &[of, from_end(b, of, index)], ty),
    }
}

/// Emits the position that a negative literal counts from the end.
fn from_end(b: Builder, of: Value, index: Value) -> Value {
    match known(index) {
        Some(k) if k < 0 => match of.ty().is_tensor().then(|| of.ty().shape()[0]).flatten() {
            Some(n) => number(b, index.ty(), n as i64 + k),
            None => {
                let n = length(b, of);
                b.unary(Kind::ArithAddi, &[n, number(b, n.ty(), k)], n.ty())
            }
        },
        _ => index,
    }
}

fn length(b: Builder, of: Value) -> Value {
    let word = b.context().scalar(Element::I64);
    match TypeKind::of(of.ty()) {
        TypeKind::Tuple(parts) => number(b, word, parts.len() as i64),
        TypeKind::List(_) => b.unary(Kind::LambdaLength, &[of], word),
        _ => size(b, of, 0),
    }
}

/// Emits the size of an axis as an `i64`.
fn size(b: Builder, array: Value, axis: usize) -> Value {
    let word = b.context().scalar(Element::I64);
    match array.ty().shape()[axis] {
        Some(n) => number(b, word, n as i64),
        None => b.unary(Kind::ArithIndexCast, &[b.length(array, axis)], word),
    }
}

/// Emits the extent of a new axis, if it is dynamic.
fn extent(b: Builder, n: Value, size: Dim) -> Vec<Value> {
    if size.is_some() {
        return vec![];
    }
    let n = b.unary(Kind::ArithMaxsi, &[n, number(b, n.ty(), 0)], n.ty());
    let index = b.context().index();
    vec![if n.ty() == index { n } else { b.unary(Kind::ArithIndexCast, &[n], index) }]
}

/// Emits a number of a scalar type.
fn number(b: Builder, ty: Type, n: i64) -> Value {
    let value = if ty.is_differentiable() { Attribute::float(ty, n as f64) } else { Attribute::integer(ty, n) };
    b.constant(value, ty)
}
