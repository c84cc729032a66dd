//! Splitting of loops into segments: loops over an index here, loops over rows in `rows.rs`. `scf.for` and `scf.while`
//! are first converted to loops over an index.

use super::{Count, Segments, rows};
use crate::ad::forward::{Dual, Scope, copied_block, copied_iteration, counted, trip_count};
use crate::analysis::edit;
use mlopt_dialects::ir::{Builder, Op, Region, Value, types_of};
use mlopt_dialects::ops::scf::While;
use mlopt_dialects::ops::{HasKind, Kind};

/// Returns the number of iterations of a loop, if it is known, and the initial values that it carries; `None` for an op
/// that is not split.
pub fn counted_by(op: Op) -> Option<(Option<usize>, Vec<Value>)> {
    match op.kind() {
        Kind::ArrayIfold => Some((constant(op.operand(0)), op.operands().split_off(1))),
        Kind::ScfFor => Some((None, op.operands().split_off(3))),
        Kind::ScfWhile => Some((None, op.operands())),
        Kind::ArrayFold | Kind::ArrayMapAccum if rows::can_split(op) => {
            let sizes = op.operand_segment(0).into_iter().map(|x| x.ty().shape()[0]);
            Some((sizes.flatten().next(), op.operand_segment(1)))
        }
        _ => None,
    }
    .filter(|(_, inits)| !inits.is_empty())
}

fn constant(v: Value) -> Option<usize> {
    edit::known(v).map(|n| n.max(0) as usize)
}

/// Replaces a loop by a loop over segments.
pub fn split(op: Op, levels: u32) {
    match op.kind() {
        Kind::ScfFor => split(for_as_ifold(op), levels),
        Kind::ScfWhile => split(while_as_ifold(op), levels),
        Kind::ArrayIfold => ifold(op, levels),
        _ => rows::split(op, levels),
    }
}

fn ifold(op: Op, levels: u32) {
    let b = Builder::before(op);
    let count = op.operand(0);
    let segments = Segments::of(b, Count { value: count, known: constant(count) }, levels);
    let types = types_of(&op.results());
    let inits = op.operands().split_off(1);
    let inner = b.new_block(&[&[b.context().index()], types.as_slice()].concat());
    let around = inner.block;
    let operands = [&[segments.number.value], inits.as_slice()].concat();
    let outer = b.op(Kind::ArrayIfold).operands(&operands).results(&types).region(Region::with_block(around));
    let outer = b.insert(outer.build());
    let mut results = outer.results();
    if segments.rest.known != Some(0) {
        let tail = op.clone_op();
        tail.set_operands(&[&[segments.rest.value], results.as_slice()].concat());
        b.insert(tail);
        shift(tail, segments.whole.value);
        results = tail.results();
    }
    for (old, new) in op.results().into_iter().zip(results) {
        old.replace_all_uses_with(new);
    }
    let start = inner.unary(Kind::ArithMuli, &[around.argument(0), segments.length.value], b.context().index());
    around.append(op.detach());
    op.set_operands(&[&[segments.length.value], &around.arguments()[1..]].concat());
    shift(op, start);
    inner.insert(inner.op(Kind::ArrayYield).operands(&op.results()).build());
    if levels > 2 {
        split(outer, levels - 1);
    }
}

/// Changes the index of an `array.ifold` to start at `start`.
fn shift(op: Op, start: Value) {
    let body = op.entry();
    let index = body.argument(0);
    let b = Builder { block: body, next: body.first_op(), location: op.location() };
    let shifted = b.insert(b.op(Kind::ArithAddi).operands(&[start, start]).results(&[index.ty()]).build());
    index.replace_all_uses_with(shifted.result(0));
    shifted.set_operand(1, index);
}

/// Rewrites an `scf.for` to count from zero.
fn for_as_ifold(op: Op) -> Op {
    let b = Builder::before(op);
    let (start, end, step) = (op.operand(0), op.operand(1), op.operand(2));
    let count = trip_count(b, start, end, step);
    let body = op.entry();
    let results = b.ifold(count, &op.operands()[3..], |inner, number, carried| {
        let number =
            if number.ty() == step.ty() { number } else { inner.unary(Kind::ArithIndexCast, &[number], step.ty()) };
        let distance = inner.unary(Kind::ArithMuli, &[number, step], step.ty());
        let counter = inner.unary(Kind::ArithAddi, &[start, distance], step.ty());
        let new = [&[counter], carried].concat();
        body.arguments().into_iter().zip(new).for_each(|(old, new)| old.replace_all_uses_with(new));
        let (ops, end) = body.split_end();
        for op in ops {
            inner.insert(op.detach());
        }
        end.operands()
    });
    let new = loop_of(&results);
    op.replace_with(results);
    new
}

/// Returns the loop with these results, of which there is at least one.
fn loop_of(results: &[Value]) -> Op {
    results[0].defining_op().expect("a loop was just created").0
}

/// Rewrites an `scf.while` to a loop of known length, followed by one more copy of the code before its condition.
/// `dual.stop_gradient` on the count avoids its differentiation, which would compute nothing.
fn while_as_ifold(op: Op) -> Op {
    let b = Builder::before(op);
    let before = op.cast::<While>().before();
    let mut scope = Scope::new();
    for v in op.operands().into_iter().chain(edit::captured(op)) {
        if v.ty().is_differentiable() && !scope.contains_key(&v) {
            let still = b.unary(Kind::DualStopGradient, &[v], v.ty());
            scope.insert(v, Dual { primal: still, tangent: None });
        }
    }
    let (_, count, _) = counted(b, op, &mut scope);

    let mut scope = Scope::new();
    let bind = |scope: &mut Scope, values: &[Value]| {
        let duals = values.iter().map(|&primal| Dual { primal, tangent: None });
        scope.extend(before.arguments().into_iter().zip(duals));
    };
    let results = b.ifold(count, &op.operands(), |inner, _, carried| {
        bind(&mut scope, carried);
        copied_iteration(inner, op, &mut scope)
    });
    bind(&mut scope, &results);
    op.replace_with(copied_block(b, before, &mut scope).split_off(1));
    loop_of(&results)
}
