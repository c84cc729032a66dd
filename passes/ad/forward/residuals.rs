//! The selection of residuals. A loop is split into a primal loop and a linear loop. The body of the linear loop reads
//! primals. This module decides which of these primals the primal loop stores for each iteration, and which the linear
//! loop computes again.
//!
//! A value is stored if the primals need it and it costs more to compute than to load, as the results of reductions,
//! elementary functions, loops and calls do. All other values, such as the results of additions, products and gathers,
//! are computed again where they are used: from the stored values, the states of the loop and the rows that it reads. A
//! value that only the tangents use is never stored, so the primal loop does no additional work for tangents.
//!
//! ```text
//! primal: e = exp x; s = 1 + e; q = 1/s         linear: −q/s·e·t; e is stored; s, q and q/s are computed again
//! ```

use super::{Dual, Keep, Scope, copied};
use crate::analysis::edit::with_nested;
use crate::optimise::terms::cost;
use crate::optimise::terms::prim::Prim;
use mlopt_dialects::ir::{Block, Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// The cost per element above which the result of an op is kept, in the unit of `cost.rs`: exp costs more, a quotient
/// does not.
const CHEAP: f64 = 8.0;

/// Makes the body `linear` independent of the body `primal`, whose first arguments are also arguments of `linear`.
/// `passed` are the values that `primal` will yield. Returns the kept values, which become arguments of `linear` from
/// number `at` on.
pub(super) fn separate(primal: Block, linear: Block, passed: &[Value], at: usize, keep: Keep) -> Vec<Value> {
    let ops = primal.ops();
    let inside: HashSet<Op> = ops.iter().copied().collect();
    let needed = needed(&ops, passed);
    let sizes = Sizes::of(primal, &ops);
    let mut kept: Vec<Value> = Vec::new();
    let mut again: HashSet<Op> = HashSet::new();
    let (mut values, mut lengths): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    linear.ops().into_iter().for_each(|op| uses(op, &mut values, &mut lengths));
    while let Some((v, whole)) = values.pop().map(|v| (v, true)).or_else(|| lengths.pop().map(|v| (v, false))) {
        let Some((op, _)) = v.defining_op().filter(|(op, _)| inside.contains(op)) else { continue };
        if kept.contains(&v) || again.contains(&op) {
            continue;
        }
        let costly = keep == Keep::Costly && whole && needed.contains(&op) && is_costly(op);
        if costly && v.ty().is_differentiable() && sizes.is_fixed(v) {
            kept.push(v);
        } else {
            again.insert(op);
            // For a value of which only sizes are used, only sizes are needed.
            let (mut of_values, mut of_lengths) = (Vec::new(), Vec::new());
            uses(op, &mut of_values, &mut of_lengths);
            lengths.extend(of_lengths);
            if whole { &mut values } else { &mut lengths }.extend(of_values);
        }
    }
    let position: HashMap<Op, usize> = ops.iter().enumerate().map(|(k, op)| (*op, k)).collect();
    kept.sort_by_key(|v| v.defining_op().map(|(op, k)| (position[&op], k)));

    let mut scope = Scope::new();
    let stands_for: Vec<(Value, Value)> = primal.arguments().into_iter().zip(linear.arguments()).collect();
    let new = kept.iter().enumerate();
    let new = new.map(|(k, &v)| (v, linear.insert_argument(at + k, v.ty(), v.location().unnamed())));
    for (v, argument) in stands_for.into_iter().chain(new) {
        v.name().into_iter().for_each(|name| argument.suggest_name(&name));
        scope.insert(v, Dual { primal: argument, tangent: None });
    }
    let old = linear.ops();
    for op in ops.into_iter().filter(|op| again.contains(op)) {
        let b = Builder { block: linear, next: old.first().copied(), location: op.location().unnamed() };
        let results = copied(b, op, &scope);
        scope.extend(op.results().into_iter().zip(results));
    }
    for op in old {
        op.replace_operands(|operand| scope.get(&operand).map(|d| d.primal));
    }
    kept
}

/// Collects the values that `op` and its nested ops use, and separately the arrays of which only the lengths are used.
fn uses(op: Op, values: &mut Vec<Value>, lengths: &mut Vec<Value>) {
    for op in with_nested(op) {
        if op.kind() == Kind::ArrayLength { &mut *lengths } else { &mut *values }.extend(op.operands());
    }
}

/// Returns the ops that the values `passed` need.
fn needed(ops: &[Op], passed: &[Value]) -> HashSet<Op> {
    let mut values: HashSet<Value> = passed.iter().copied().collect();
    let mut needed = HashSet::new();
    for &op in ops.iter().rev() {
        if op.results().iter().any(|z| values.contains(z)) {
            needed.insert(op);
            values.extend(with_nested(op).flat_map(Op::operands));
        }
    }
    needed
}

fn is_costly(op: Op) -> bool {
    with_nested(op).any(|op| match op.kind() {
        Kind::ArraySum | Kind::ArrayProd | Kind::ArrayMax | Kind::ArrayMin => true,
        Kind::ArrayFold | Kind::ArrayIfold | Kind::ArrayMapAccum => true,
        Kind::ScfFor | Kind::ScfWhile | Kind::FuncCall => true,
        _ => Prim::of(op.kind()).is_some_and(|p| cost::prim(p) > CHEAP),
    })
}

/// The analysis of sizes: an array that has the same sizes in each iteration can be stored in one array for all
/// iterations.
struct Sizes {
    /// Numbers that may differ between iterations, and arrays whose elements may.
    vary: HashSet<Value>,
    /// Arrays whose sizes may differ.
    resized: HashSet<Value>,
}

impl Sizes {
    /// Analyses the body `primal` with the ops `ops`. Its arguments vary, but rows have the sizes of rows, and carried
    /// arrays keep theirs.
    fn of(primal: Block, ops: &[Op]) -> Sizes {
        let mut sizes = Sizes { vary: primal.arguments().into_iter().collect(), resized: HashSet::new() };
        for &op in ops {
            let operands = op.operands();
            let opaque = op.num_regions() > 0;
            // Sizes are computed from sizes and integers, never from floats.
            let resized = opaque && op.kind() != Kind::ArrayGather
                || operands.iter().any(|v| if is_integer(*v) { sizes.vary.contains(v) } else { !sizes.is_fixed(*v) });
            let vary = match op.kind() {
                Kind::ArrayLength | Kind::TensorDim => resized,
                _ => opaque || resized || operands.iter().any(|v| sizes.vary.contains(v)),
            };
            for z in op.results() {
                if vary {
                    sizes.vary.insert(z);
                }
                if resized && z.ty().shape().iter().any(Option::is_none) {
                    sizes.resized.insert(z);
                }
            }
        }
        sizes
    }

    /// Checks whether the sizes are known to be the same; a number has no sizes.
    fn is_fixed(&self, v: Value) -> bool {
        !self.resized.contains(&v)
    }
}

fn is_integer(v: Value) -> bool {
    !v.ty().is_tensor() && !v.ty().is_differentiable()
}
