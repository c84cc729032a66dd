//! Replacement of the operations with promotion, and of those on values of several types, once types are known.

use super::primitives::lower;
use super::sizes::{at_common_sizes, at_type};
use crate::analysis::edit::{constant, known};
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
        "lt" => Some(compared(b, CmpFPredicate::Olt, CmpIPredicate::Slt, x)),
        "le" => Some(compared(b, CmpFPredicate::Ole, CmpIPredicate::Sle, x)),
        "gt" => Some(compared(b, CmpFPredicate::Ogt, CmpIPredicate::Sgt, x)),
        "ge" => Some(compared(b, CmpFPredicate::Oge, CmpIPredicate::Sge, x)),
        "eq" => Some(compared(b, CmpFPredicate::Oeq, CmpIPredicate::Eq, x)),
        "ne" => Some(compared(b, CmpFPredicate::Une, CmpIPredicate::Ne, x)),
        "bitand" => Some(bitwise(b, Kind::ArithAndi, x, ty)),
        "bitor" => Some(bitwise(b, Kind::ArithOri, x, ty)),
        "bitxor" => Some(bitwise(b, Kind::ArithXori, x, ty)),
        "invert" => Some(bitwise(b, Kind::ArithXori, &[x[0], number(b, ty.scalar(), -1)], ty)),
        "shl" | "shr" => Some(shifted(b, name, x, ty)),
        "div" => {
            let x = promoted(b, x, element_for(x, Element::F64));
            Some(b.unary(Kind::ArithDivf, &x, ty))
        }
        "floordiv" | "mod" => Some(divided(b, name, x, ty)),
        "ceildiv" => Some(quotient_up(b, x, ty)),
        "power" => Some(power(b, x, ty)),
        "select" => {
            let element = ty.scalar();
            let x = at_common_sizes(b, x);
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
        "sum-along" => Some(b.sum_axes(x[1], &[known(x[0])?.rem_euclid(x[1].ty().rank() as i64) as usize])),
        _ => None,
    }
}

/// Emits the values of a tuple or a record.
pub fn values(b: Builder, of: Value) -> Vec<Value> {
    (0..of.ty().parts().len()).map(|k| part(b, of, k)).collect()
}

/// Emits value `k` of a tuple or a record.
pub fn part(b: Builder, of: Value, k: usize) -> Value {
    let (kind, name, value) = match TypeKind::of(of.ty()) {
        TypeKind::Record(_, fields) => (Kind::LambdaField, "field", b.context().string_attr(&fields[k].0)),
        _ => (Kind::LambdaGet, "index", Attribute::integer(b.context().scalar(Element::I64), k as i64)),
    };
    let part = b.op(kind).operands(&[of]).attribute(name, value).results(&[of.ty().parts()[k]]);
    b.insert(part.build()).result(0)
}

/// Emits the list of the values of a tuple.
pub fn listed(b: Builder, tuple: Value, ty: Type) -> Value {
    let end = b.unary(Kind::LambdaNil, &[], ty);
    let cons = |tail, head| b.unary(Kind::LambdaCons, &[at_type(b, head, ty.parts()[0]), tail], ty);
    values(b, tuple).into_iter().rev().fold(end, cons)
}

/// Returns the type of elements to which operands are promoted, at least `least`.
fn element_for(x: &[Value], least: Element) -> Type {
    let context = x[0].ty().context();
    // The elements of arrays come first.
    let mut types = types_of(x);
    types.sort_by_key(|t| !t.is_tensor());
    let mut elements = types.into_iter().map(Type::scalar);
    elements.clone().find(|t| t.is_differentiable()).unwrap_or_else(|| match least.is_float() {
        true => context.scalar(least),
        false => elements.find(|t| !t.is_integer(1)).unwrap_or_else(|| context.scalar(least)),
    })
}

/// Emits operands with these elements and the same shape; sizes that only one of them determines are checked.
fn promoted(b: Builder, x: &[Value], element: Type) -> Vec<Value> {
    let x = at_common_sizes(b, x);
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
pub fn checked(b: Builder, ok: Value, x: Value, code: &str, text: &str) -> Value {
    let context = b.context();
    let check = b.op(Kind::LambdaCheck).operands(&[ok, x]).results(&[x.ty()]);
    let check = check.attribute("code", context.string_attr(code)).attribute("text", context.string_attr(text));
    b.insert(check.build()).result(0)
}

/// Emits a comparison. That of a single `i64` with an `f64` is exact: if the integer is rounded to the float, the float
/// is an integer, or 2^63.
fn compared(b: Builder, floats: CmpFPredicate, integers: CmpIPredicate, x: &[Value]) -> Value {
    let element = element_for(x, Element::I64);
    let all = promoted(b, x, element);
    if element.is_discrete() {
        return b.compare_integers(integers, all[0], all[1]);
    }
    let rounded = b.compare_floats(floats, all[0], all[1]);
    let is_rounded = |v: &Value| {
        let t = v.ty().scalar();
        (t.is_index() || t.is_integer(64)) && known(*v).is_none_or(|n| n.unsigned_abs() > 1 << 53)
    };
    if all[0].ty() != b.context().scalar(Element::F64) || !x.iter().any(is_rounded) {
        return rounded;
    }
    let word = b.context().scalar(Element::I64);
    let exact = |(&v, &float): (&Value, &Value)| match v.ty().is_differentiable() {
        // 2^63 becomes 2^63 - 1, and is greater than all integers.
        true => converted(b, float, word),
        false => b.unary(Kind::ArithMinsi, &[converted(b, v, word), number(b, word, i64::MAX - 1)], word),
    };
    let exact: Vec<Value> = x.iter().zip(&all).map(exact).collect();
    let equal = b.compare_floats(CmpFPredicate::Oeq, all[0], all[1]);
    b.select(equal, b.compare_integers(integers, exact[0], exact[1]), rounded)
}

/// Emits an operation on the bits of integers or Booleans.
fn bitwise(b: Builder, kind: Kind, x: &[Value], ty: Type) -> Value {
    b.unary(kind, &promoted(b, x, ty.scalar()), ty)
}

/// Emits a shift by a number that must not be negative, with all bits lost that leave the integer.
fn shifted(b: Builder, name: &str, x: &[Value], ty: Type) -> Value {
    let element = ty.scalar();
    let width = element.element().map_or(64, |e| e.bits() as i64);
    let count = converted(b, x[1], element);
    let ok = b.compare_integers(CmpIPredicate::Sge, count, number(b, element, 0));
    let count = checked(b, ok, count, "negative-shift", "the count of a shift must not be negative");
    let most = b.unary(Kind::ArithMinsi, &[count, number(b, element, width - 1)], element);
    let all = promoted(b, &[x[0], most], element);
    if name == "shr" {
        return b.unary(Kind::ArithShrsi, &all, ty);
    }
    let is_inside = b.compare_integers(CmpIPredicate::Slt, count, number(b, element, width));
    let z = b.unary(Kind::ArithShli, &all, ty);
    b.select(is_inside, z, expanded(b, number(b, element, 0), z))
}

/// Emits a divisor that is checked not to be zero.
fn nonzero(b: Builder, divisor: Value) -> Value {
    let ok = b.compare_integers(CmpIPredicate::Ne, divisor, number(b, divisor.ty(), 0));
    checked(b, ok, divisor, "division-by-zero", "an integer is divided by zero")
}

/// Emits the quotient, rounded down, or the remainder with the sign of the divisor.
fn divided(b: Builder, name: &str, x: &[Value], ty: Type) -> Value {
    let element = ty.scalar();
    if element.is_differentiable() {
        let all = promoted(b, x, element);
        // The floor is exact, and vectorised.
        let number = constant(x[1]).and_then(|c| c.as_f64().or_else(|| c.as_i64().map(|n| n as f64)));
        if number == Some(1.0) {
            let floor = b.unary(Kind::MathFloor, &all[..1], ty);
            return if name == "mod" { b.unary(Kind::ArithSubf, &[all[0], floor], ty) } else { floor };
        }
        return divided_floats(b, name, all[0], all[1]);
    }
    let divisor = nonzero(b, converted(b, x[1], element));
    let x = promoted(b, &[x[0], divisor], element);
    b.unary(if name == "floordiv" { Kind::ArrayDiv } else { Kind::ArrayMod }, &x, ty)
}

/// Emits `x mod y`, which is exact but for one rounding, or `x div y` = (x - x mod y) / y, which is an integer. Both
/// are computed for |y|; where y is negative, x and the remainder have the opposite sign.
fn divided_floats(b: Builder, name: &str, x: Value, y: Value) -> Value {
    let ty = x.ty();
    let op = |kind: Kind, x: &[Value]| b.unary(kind, x, ty);
    let [zero, half, one] = [0.0, 0.5, 1.0].map(|c| b.float_like(x, c));
    let is_negative = b.compare_floats(CmpFPredicate::Olt, y, zero);
    let a = b.select(is_negative, op(Kind::ArithNegf, &[x]), x);
    let divisor = op(Kind::MathAbsf, &[y]);
    // The sign of this remainder is that of a.
    let rest = op(Kind::ArithRemf, &[a, divisor]);
    let is_below = b.compare_floats(CmpFPredicate::Olt, rest, zero);
    if name == "mod" {
        let rest = op(Kind::ArithAddf, &[rest, b.select(is_below, divisor, zero)]);
        return b.select(is_negative, op(Kind::ArithNegf, &[rest]), rest);
    }
    let quotient = op(Kind::ArithDivf, &[op(Kind::ArithSubf, &[a, rest]), divisor]);
    let quotient = op(Kind::ArithSubf, &[quotient, b.select(is_below, one, zero)]);
    // The nearest integer.
    let floor = op(Kind::MathFloor, &[quotient]);
    let is_above = b.compare_floats(CmpFPredicate::Ogt, op(Kind::ArithSubf, &[quotient, floor]), half);
    let nearest = op(Kind::ArithAddf, &[floor, b.select(is_above, one, zero)]);
    let infinite = op(Kind::MathFloor, &[op(Kind::ArithDivf, &[x, y])]);
    let is_zero = b.compare_floats(CmpFPredicate::Oeq, y, zero);
    b.select(is_zero, infinite, op(Kind::MathCopysign, &[nearest, a]))
}

/// Emits the quotient, rounded up, as an `i64`.
fn quotient_up(b: Builder, x: &[Value], ty: Type) -> Value {
    let element = element_for(x, Element::I64);
    let all = promoted(b, x, element);
    if element.is_differentiable() {
        let quotient = b.unary(Kind::ArithDivf, &all, all[0].ty());
        return converted(b, b.unary(Kind::MathCeil, &[quotient], quotient.ty()), ty.scalar());
    }
    if known(x[1]) == Some(1) {
        return converted(b, all[0], ty.scalar());
    }
    let negated = |v: Value| {
        let zero = expanded(b, number(b, v.ty().scalar(), 0), v);
        b.unary(Kind::ArithSubi, &[zero, v], v.ty())
    };
    let divisor = nonzero(b, converted(b, x[1], element));
    let below = promoted(b, &[negated(all[0]), divisor], element);
    converted(b, negated(b.unary(Kind::ArrayDiv, &below, all[0].ty())), ty.scalar())
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
