//! The values of streams in the code of one cycle.

use crate::streams::nodes::schedule::Key;
use crate::streams::{Graph, Var};
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::stream::Constant;
use mlopt_dialects::ops::{CmpIPredicate, Kind};
use mlopt_dialects::stream::CLOCK;
use mlopt_dialects::value::Element;
use std::collections::HashMap;

/// Returns the type with one row per cycle.
pub fn rows_of(ty: Type) -> Type {
    ty.stacked(&[None])
}

pub fn zero(b: Builder, ty: Type) -> Value {
    let scalar = ty.scalar();
    let zero = if ty.is_differentiable() { Attribute::float(scalar, 0.0) } else { Attribute::integer(scalar, 0) };
    b.splat(zero, ty)
}

/// Emits the quotient of integers rounded towards zero, an arbitrary value for a divisor of zero; it wraps where
/// `arith.divsi` is undefined.
pub fn quotient(b: Builder, x: Value, y: Value) -> Value {
    let ty = x.ty();
    let number = |n: i64| b.splat(Attribute::integer(ty.scalar(), n), ty);
    let equal = |n: i64| b.equal(y, number(n));
    let (is_zero, is_negation) = (equal(0), equal(-1));
    let special = b.unary(Kind::ArithOri, &[is_zero, is_negation], is_zero.ty());
    let divisor = b.unary(Kind::ArithSelect, &[special, number(1), y], ty);
    let quotient = b.unary(Kind::ArithDivsi, &[x, divisor], ty);
    let negated = b.unary(Kind::ArithSubi, &[number(0), x], ty);
    b.unary(Kind::ArithSelect, &[is_negation, negated, quotient], ty)
}

/// Emits whether an integer, or an element of an array, is zero.
pub fn is_zero(b: Builder, x: Value) -> Value {
    let ty = x.ty();
    let here = b.equal(x, b.splat(Attribute::integer(ty.scalar(), 0), ty));
    if !ty.is_tensor() {
        return here;
    }
    let context = b.context();
    let scalar = context.scalar(Element::I64);
    let numbers = b.unary(Kind::ArithExtui, &[here], Type::array(&ty.shape(), scalar));
    let axes: Vec<i64> = (0..ty.rank() as i64).collect();
    let most = b.op(Kind::ArrayMax).operands(&[numbers]).attribute("axes", context.i64_array_attr(&axes));
    let most = b.insert(most.results(&[scalar]).build()).result(0);
    let none = b.constant(Attribute::integer(scalar, 0), scalar);
    b.compare_integers(CmpIPredicate::Sgt, most, none)
}

/// Copies an op with operands replaced according to `map`.
pub fn copy_of(b: Builder, op: Op, map: &dyn Fn(Value) -> Option<Value>) -> Op {
    let copy = b.insert(op.clone_op());
    // The attribute is that of the equation.
    copy.remove_attribute(CLOCK);
    copy.replace_operands(map);
    copy
}

/// Emits the values that are the same in all cycles.
pub fn still(graph: &Graph, needed: &[Var], b: Builder, env: &mut HashMap<Key, Value>) {
    // Literals of literals come before their uses.
    let mut open: Vec<Var> = needed.iter().rev().copied().collect();
    while let Some(&v) = open.last() {
        let key = Key::Stream(v);
        if env.contains_key(&key) || !graph.is_fixed(v) {
            open.pop();
            continue;
        }
        let missing: Vec<Var> = graph.args(v).iter().copied().filter(|&a| !env.contains_key(&Key::Stream(a))).collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        open.pop();
        let op = graph.op(v);
        let b = b.at(op.location());
        if let Some(constant) = Constant::of(op) {
            env.insert(key, b.constant(constant.value(), graph.value(v).ty()));
            continue;
        }
        let copy = copy_of(b, op, &|v| env.get(&Key::Stream(graph.var(v)?)).copied());
        env.extend(graph.results(op).map(Key::Stream).zip(copy.results()));
    }
}
