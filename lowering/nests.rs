//! Functions that create a `sweep.nest`, and query its parts.

use crate::ir::*;
use mlopt_dialects::ops::sweep::Nest;
use mlopt_dialects::sweep::ResultKind;

/// Creates a nest whose results have these kinds and types.
pub fn nest(b: Builder, extents: &[Value], inits: &[Value], kinds: &[ResultKind], types: &[Type], body: Block) -> Op {
    let codes: Vec<i64> = kinds.iter().map(|k| *k as i64).collect();
    Nest::create(b, extents, inits, &codes, types, body).op()
}

/// Creates a nest all of whose results are computed element by element.
pub fn map(b: Builder, extents: &[Value], types: &[Type], body: Block) -> Op {
    nest(b, extents, &[], &vec![ResultKind::Map; types.len()], types, body)
}

/// Creates a body with `rank` indices and one argument for each initial value.
pub fn body(rank: usize, inits: &[Value], location: Location) -> Block {
    block_of(std::iter::repeat_n(location.context().index(), rank).chain(types_of(inits)), location)
}

/// Copies these attributes of `old` that are set to `new`.
pub fn keep(new: Op, old: Op, names: &[&str]) {
    for name in names {
        if let Some(value) = old.attribute(name) {
            new.set_attribute(name, value);
        }
    }
}

/// Returns the use of each value that the body yields.
pub fn kinds(nest: Op) -> Vec<ResultKind> {
    let codes = nest.attribute("kinds").and_then(Attribute::as_i64_array).unwrap_or_default();
    codes.into_iter().filter_map(ResultKind::of).collect()
}

/// One value that a nest carries.
pub struct Fold {
    /// The number of the result.
    pub number: usize,
    pub init: Value,
    pub argument: Value,
    /// The value that the body yields.
    pub next: Value,
    pub result: Value,
}

/// Returns the values that a nest carries.
pub fn folds(nest: Op) -> Vec<Fold> {
    let body = nest.entry();
    let numbers =
        kinds(nest).into_iter().enumerate().filter(|(_, kind)| *kind == ResultKind::Fold).map(|(number, _)| number);
    let arguments = body.arguments().into_iter().skip(nest.operand_segment(0).len());
    let fold = |((number, init), argument): ((usize, Value), Value)| {
        let (next, result) = (body.end().operand(number), nest.result(number));
        Fold { number, init, argument, next, result }
    };
    numbers.zip(nest.operand_segment(1)).zip(arguments).map(fold).collect()
}

/// Checks whether all results of a nest are of this kind.
pub fn are_all(nest: Op, kind: ResultKind) -> bool {
    kinds(nest).iter().all(|k| *k == kind)
}

/// Returns the region arguments of a nest that are its indices.
pub fn indices(nest: Op) -> Vec<Value> {
    let n = nest.operand_segment(0).len();
    nest.entry().arguments().into_iter().take(n).collect()
}

/// Returns the difference of `position` and `index` if it is a value from outside of `nest`; the inner `None` is zero.
pub fn shift(position: Value, index: Value, nest: Op) -> Option<Option<Value>> {
    if position == index {
        return Some(None);
    }
    let (sum, _) = position.defining_op().filter(|(op, _)| op.kind() == Kind::ArithAddi)?;
    let others = [(0, 1), (1, 0)].into_iter().find(|(k, _)| sum.operand(*k) == index);
    others.map(|(_, other)| sum.operand(other)).filter(|other| !is_made_inside(*other, nest)).map(Some)
}
