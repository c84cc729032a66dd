//! Reduction of a program to a minimal program that still has some property. Ops, and results of functions, are
//! removed: first all at once, then halves, then quarters, and so on. A removal is kept if a test accepts the remaining
//! program. `mlopt reduce` and the tests on random programs use this module.
//!
//! This is delta debugging (Zeller and Hildebrandt, 2002) with the ops of a module as its elements. In each use, a
//! removed value is replaced by another value of its type that dominates the use, so that programs stay valid.

use crate::analysis::edit;
use mlopt_dialects::ir::{Builder, Op, Region, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::ops::Range;

/// Returns the smallest clone of `module` that was found to be interesting; `module` itself must be interesting.
pub fn smallest(module: Op, is_interesting: &mut dyn FnMut(Op) -> bool) -> Op {
    let mut best = module.clone_op();
    loop {
        let before = size(best);
        fewer_results(&mut best, is_interesting);
        fewer_yields(&mut best, is_interesting);
        fewer_ops(&mut best, is_interesting);
        if size(best) == before {
            return best;
        }
    }
}

/// Returns the number of ops, of their results, and of results of functions.
fn size(module: Op) -> usize {
    let returned: usize = functions(module).iter().map(|(_, return_op)| return_op.num_operands()).sum();
    module.nested_ops().into_iter().map(|op| 1 + op.num_results()).sum::<usize>() + returned
}

/// Replaces `best` by `candidate` if it is interesting.
fn keep(best: &mut Op, candidate: Op, is_interesting: &mut dyn FnMut(Op) -> bool) -> bool {
    let better = candidate.verify() && is_interesting(candidate);
    let worse = if better { std::mem::replace(best, candidate) } else { candidate };
    worse.erase();
    better
}

/// Removes parts of `best` while it stays interesting: all of them, then halves, quarters, and so on, the last ones
/// first. `count` returns the number of parts, and `without` removes some of them. It returns whether it changed the
/// op.
fn fewer(
    best: &mut Op,
    is_interesting: &mut dyn FnMut(Op) -> bool,
    count: &dyn Fn(Op) -> usize,
    without: &dyn Fn(Op, Range<usize>) -> bool,
) {
    let mut chunk = count(*best);
    while chunk > 0 {
        let mut end = count(*best);
        while end > 0 {
            let start = end.saturating_sub(chunk);
            let candidate = best.clone_op();
            if without(candidate, start..end) {
                keep(best, candidate, is_interesting);
            } else {
                candidate.erase();
            }
            end = start.min(count(*best));
        }
        chunk /= 2;
    }
}

fn fewer_ops(best: &mut Op, is_interesting: &mut dyn FnMut(Op) -> bool) {
    fewer(best, is_interesting, &|module| module.nested_ops().len(), &|module, range| {
        remove(&module.nested_ops()[range]) > 0
    });
}

/// Returns the functions that no op refers to, with their return ops.
fn functions(module: Op) -> Vec<(Op, Op)> {
    let all = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc);
    let free = all.filter(|f| f.symbol().is_some_and(|name| !is_named(*f, &name)));
    free.filter_map(|f| Some((f, f.body()?.terminator()?))).collect()
}

fn fewer_results(best: &mut Op, is_interesting: &mut dyn FnMut(Op) -> bool) {
    for at in 0..functions(*best).len() {
        let count = |module| functions(module)[at].1.num_operands();
        fewer(best, is_interesting, &count, &|module, range| {
            let (function, return_op) = functions(module)[at];
            let mut values = return_op.operands();
            values.drain(range);
            let results: Vec<Type> = values.iter().map(|v| v.ty()).collect();
            let inputs = function.signature().0;
            return_op.set_operands(&values);
            let context = function.context();
            function.set_attribute("function_type", context.type_attr(context.function_type(&inputs, &results)));
            true
        });
    }
}

/// Removes the unused results of builds and branches.
fn fewer_yields(best: &mut Op, is_interesting: &mut dyn FnMut(Op) -> bool) {
    let has_idle = |op: &Op| {
        let unused = op.results().into_iter().filter(|r| r.is_unused()).count();
        matches!(op.kind(), Kind::ArrayBuild | Kind::ScfIf) && unused > 0 && unused < op.num_results()
    };
    let mut at = best.nested_ops().len();
    while at > 0 {
        at -= 1;
        let candidate = best.clone_op();
        match candidate.nested_ops().get(at).copied().filter(has_idle) {
            Some(op) => {
                without_idle_results(op);
                keep(best, candidate, is_interesting);
            }
            None => candidate.erase(),
        }
    }
}

/// Replaces an op by one that has only the used results; each is an operand of the terminators of its regions.
fn without_idle_results(op: Op) {
    let read: Vec<usize> = (0..op.num_results()).filter(|&k| !op.result(k).is_unused()).collect();
    let b = Builder::before(op);
    let types: Vec<Type> = read.iter().map(|&k| op.result(k).ty()).collect();
    let mut made = b.op(op.name()).operands(&op.operands()).results(&types).attributes(op.attributes());
    for old in op.regions().into_iter().filter_map(|r| r.first_block()) {
        let block = edit::moved(old, &(0..old.num_arguments()).collect::<Vec<_>>());
        let end = block.end();
        let operands = end.operands();
        end.set_operands(&read.iter().map(|&k| operands[k]).collect::<Vec<_>>());
        made = made.region(Region::with_block(block));
    }
    let made = b.insert(made.build());
    read.iter().zip(made.results()).for_each(|(&k, new)| op.result(k).replace_all_uses_with(new));
    op.erase();
}

/// Removes those of `ops` that can be erased without leaving a use, in reverse order. Returns the number of erased ops.
fn remove(ops: &[Op]) -> usize {
    let mut removed = 0;
    for &op in ops.iter().rev() {
        let Some(parent) = op.parent_op() else { continue };
        // MLIR's verifier of a named op of `linalg` relies on the body that the name implies, which the text does not
        // show.
        if parent.kind().dialect() == "linalg" && ![Kind::LinalgGeneric, Kind::LinalgMap].contains(&parent.kind()) {
            continue;
        }
        // A terminator must end its block.
        if op.next().is_none() && parent.kind() != Kind::BuiltinModule {
            continue;
        }
        let used: Vec<Value> = op.results().into_iter().filter(|r| !r.is_unused()).collect();
        let stand_ins: Option<Vec<Value>> = used.iter().map(|r| stand_in(op, *r)).collect();
        let Some(stand_ins) = stand_ins else { continue };
        if op.symbol().is_some_and(|name| is_named(op, &name)) {
            continue;
        }
        used.iter().zip(stand_ins).for_each(|(result, value)| result.replace_all_uses_with(value));
        op.erase();
        removed += 1;
    }
    removed
}

/// Returns a value that may replace `result`: an operand of its op, an argument of an enclosing block, or a result
/// before it.
fn stand_in(op: Op, result: Value) -> Option<Value> {
    let mut candidates = op.operands();
    let mut before = Vec::new();
    let mut scope = Some(op);
    while let Some((inner, block)) = scope.and_then(|op| Some((op, op.block()?))) {
        candidates.extend(block.arguments());
        let earlier = block.ops().into_iter().take_while(|o| *o != inner);
        before.extend(earlier.flat_map(Op::results));
        scope = block.parent_op();
    }
    candidates.into_iter().chain(before).find(|v| v.ty() == result.ty())
}

/// Checks whether any other op mentions the symbol `name`.
fn is_named(op: Op, name: &str) -> bool {
    let reference = format!("@{name}");
    let names =
        |other: Op| other.attributes().iter().any(|(_, a)| a.as_symbol().is_some() && a.to_string() == reference);
    op.module().is_some_and(|module| module.nested_ops().into_iter().any(names))
}
