//! Which values of a loop of primals the linear loop reads, and which it computes again.
//!
//! The two bodies are written apart, and the linear one uses values of the other. A value is kept, one for each iteration,
//! if the primals need it too and it costs more than reading it back: reductions, elementary functions, loops, calls. From
//! those, the states and the rows, all else is computed again where it is used: additions, products, gathers. What only
//! the tangents use is never kept, so that no work of the primal loop is for them.
//!
//! ```text
//! primal: e = exp x; s = 1 + e; q = 1/s            linear: q/s·e·t from the residual e: s, q and q/s once more
//! ```

use super::{Dual, Keep, Scope, copied};
use crate::optimise::terms::cost;
use crate::optimise::terms::prim::Prim;
use mlopt_dialects::ir::{Block, Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// Operations of one element that cost more than this are kept, in the unit of `cost.rs`: exp is, a quotient is not.
const CHEAP: f64 = 8.0;

/// Lets the body `linear` stand without the body `primal`, whose first arguments are its own; `passed` is what `primal` will
/// yield. Returns the values that are kept; they become the arguments of `linear` from number `at` on.
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
            // What has no use but its sizes needs no more than sizes.
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
    for op in old.into_iter().flat_map(with_nested) {
        for (k, operand) in op.operands().into_iter().enumerate() {
            if let Some(d) = scope.get(&operand) {
                op.set_operand(k, d.primal);
            }
        }
    }
    kept
}

fn with_nested(op: Op) -> Vec<Op> {
    let inside = if op.num_regions() > 0 { op.nested_ops() } else { Vec::new() };
    std::iter::once(op).chain(inside).collect()
}

/// What `op` and the ops inside of it use; arrays of which only the lengths are wanted apart.
fn uses(op: Op, values: &mut Vec<Value>, lengths: &mut Vec<Value>) {
    for op in with_nested(op) {
        if op.kind() == Kind::ArrayLength { &mut *lengths } else { &mut *values }.extend(op.operands());
    }
}

/// The ops that the values `passed` need.
fn needed(ops: &[Op], passed: &[Value]) -> HashSet<Op> {
    let mut values: HashSet<Value> = passed.iter().copied().collect();
    let mut needed = HashSet::new();
    for &op in ops.iter().rev() {
        if op.results().iter().any(|z| values.contains(z)) {
            needed.insert(op);
            values.extend(with_nested(op).into_iter().flat_map(Op::operands));
        }
    }
    needed
}

fn is_costly(op: Op) -> bool {
    with_nested(op).into_iter().any(|op| match op.kind() {
        Kind::ArraySum | Kind::ArrayProd | Kind::ArrayMax | Kind::ArrayMin => true,
        Kind::ArrayFold | Kind::ArrayIfold | Kind::ArrayMapAccum | Kind::ScfFor | Kind::ScfWhile | Kind::FuncCall => {
            true
        }
        _ => Prim::from_name(op.name()).is_some_and(|p| cost::prim(p) > CHEAP),
    })
}

/// Which arrays have the same sizes in each iteration, so that they make one array together.
struct Sizes {
    /// Numbers and arrays whose elements may differ from one iteration to the next.
    vary: HashSet<Value>,
    /// Arrays whose sizes may.
    resized: HashSet<Value>,
}

impl Sizes {
    /// Of the body `primal`, which has the ops `ops`. Its arguments vary, but rows have the sizes of rows, and carried arrays
    /// keep theirs.
    fn of(primal: Block, ops: &[Op]) -> Sizes {
        let mut sizes = Sizes { vary: primal.arguments().into_iter().collect(), resized: HashSet::new() };
        for &op in ops {
            let operands = op.operands();
            let opaque = op.num_regions() > 0;
            // Sizes come from sizes and from integers, never from floats.
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

    /// Whether it is known of an array; a number has no sizes.
    fn is_fixed(&self, v: Value) -> bool {
        !self.resized.contains(&v)
    }
}

fn is_integer(v: Value) -> bool {
    !v.ty().is_tensor() && !v.ty().is_differentiable()
}
