//! The choice of the nests to unroll and the arrays to replace by scalars. Choices depend on each other; this module
//! computes the largest consistent set.

use super::lanes::{LEAST_LANES, can_be_lanes};
use super::*;
use crate::nests::folds;
use std::collections::{HashMap, HashSet};

/// Checks whether the result of an op is a constant if its operands are constants.
pub(super) fn is_folded(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, ArithAddi | ArithSubi | ArithMuli | ArithDivui | ArithRemui | ArithMaxsi | ArithMinsi)
        || matches!(kind, ArithAndi | ArithOri | ArithCmpi | ArithIndexCast)
}

/// The choice inside one nest. It starts with everything that is small, and drops what does not fit until a fixpoint is
/// reached.
pub(super) struct Choice {
    /// The nests that are unrolled.
    pub unrolled: HashSet<Op>,
    /// The unrolled nests whose iterations become lanes.
    pub in_lanes: HashSet<Op>,
    /// The arrays that become scalars.
    pub apart: HashSet<Value>,
    /// The scalar-replaced arrays that loops and conditions pass on as vectors.
    pub vectors: HashSet<Value>,
}

impl Choice {
    pub fn new(root: Op) -> Choice {
        let inside: Vec<Op> = root.nested_ops();
        let mut costs = HashMap::new();
        // The form of a contraction must not change.
        let is_tiled = |op: &Op| std::iter::once(*op).chain(ancestors(*op)).any(|op| op.attribute(ATTRIBUTE).is_some());
        let nests = inside.iter().copied().filter(|op| is_nest(*op) && *op != root && !is_tiled(op));
        let nests: Vec<Op> = nests.collect();
        let in_lanes: HashSet<Op> =
            nests.iter().copied().filter(|op| is_few(*op) && is_in_order(*op) && can_be_lanes(*op)).collect();
        let is_chosen = |op: &Op, costs: &mut _| in_lanes.contains(op) || is_small(*op, root, costs);
        let unrolled = nests.iter().copied().filter(|op| is_chosen(op, &mut costs)).collect();
        let mut apart: HashSet<Value> = HashSet::new();
        for op in [root].into_iter().chain(inside.iter().copied()) {
            let makes = matches!(
                op.kind(),
                Kind::SweepNest | Kind::SweepAdd | Kind::SweepJoin | Kind::SweepReshape | Kind::ScfIf
            );
            if makes && op != root {
                apart.extend(op.results().into_iter().filter(|v| few_elements(*v).is_some()));
            }
            if is_nest(op) {
                let arguments = op.entry().arguments();
                let carried = folds(op).into_iter().map(|fold| fold.result);
                apart.extend(arguments.into_iter().chain(carried).filter(|v| few_elements(*v).is_some()));
            }
        }
        let mut choice = Choice { unrolled, in_lanes, apart, vectors: HashSet::new() };
        while choice.drop_misfits(root, &inside) {}
        choice.in_lanes.retain(|op| choice.unrolled.contains(op));
        [root].into_iter().chain(inside).for_each(|op| choice.find_vectors(op));
        choice
    }

    pub fn is_empty(&self) -> bool {
        self.unrolled.is_empty() && self.apart.is_empty()
    }

    /// Drops what does not fit. Returns whether anything was dropped.
    fn drop_misfits(&mut self, root: Op, inside: &[Op]) -> bool {
        let before = (self.unrolled.len(), self.apart.len());
        let misfits: HashSet<Value> = self.apart.iter().copied().filter(|v| !self.is_used_apart(*v, root)).collect();
        self.apart.retain(|v| !misfits.contains(v));
        for op in [root].into_iter().chain(inside.iter().copied()) {
            match op.kind() {
                Kind::SweepNest => self.check_nest(op, op == root),
                Kind::SweepAdd if !self.apart.contains(&op.operand(1)) => self.drop_results(op),
                Kind::SweepReshape if !self.apart.contains(&op.operand(0)) => self.drop_results(op),
                Kind::SweepJoin => {
                    let parts = op.operand_segment(0);
                    if parts.iter().any(|v| v.ty().is_tensor() && !self.apart.contains(v)) {
                        self.drop_results(op);
                    }
                }
                Kind::ScfIf => {
                    for (k, z) in op.results().into_iter().enumerate() {
                        let mut yields = ends(op).into_iter().map(|end| end.operand(k));
                        if yields.any(|v| v.ty().is_tensor() && !self.apart.contains(&v)) {
                            self.apart.remove(&z);
                        }
                    }
                }
                _ => {}
            }
        }
        before != (self.unrolled.len(), self.apart.len())
    }

    fn drop_results(&mut self, op: Op) {
        for z in op.results() {
            self.apart.remove(&z);
        }
    }

    fn check_nest(&mut self, nest: Op, is_root: bool) {
        for fold in folds(nest) {
            let whole = |v: &Value| v.ty().is_tensor() && !self.apart.contains(v);
            if [fold.argument, fold.result, fold.next].iter().any(whole) {
                self.apart.remove(&fold.argument);
                self.apart.remove(&fold.result);
            }
        }
        if is_root || !self.unrolled.contains(&nest) {
            let maps = kinds(nest).into_iter().enumerate().filter(|(_, k)| *k == ResultKind::Map);
            for (r, _) in maps {
                self.apart.remove(&nest.result(r));
            }
            return;
        }
        let arrays: Vec<Value> = nest.results().into_iter().filter(|z| z.ty().is_tensor()).collect();
        let whole = arrays.iter().any(|z| !self.apart.contains(z));
        let has_loops = nest.nested_ops().into_iter().any(|op| {
            (is_nest(op) && !self.unrolled.contains(&op)) || matches!(op.kind(), Kind::ScfWhile | Kind::ScfFor)
        });
        let iterations: i64 = known_extents(nest).into_iter().flatten().product();
        let few = if self.in_lanes.contains(&nest) { MOST_ITERATIONS } else { FEW_ITERATIONS };
        if whole || has_loops || (arrays.is_empty() && iterations > few) {
            self.unrolled.remove(&nest);
        }
    }

    /// Finds the arrays that `op` passes on as vectors: floating-point arrays that come from lanes.
    fn find_vectors(&mut self, op: Op) {
        if is_nest(op) && !self.unrolled.contains(&op) {
            for fold in folds(op) {
                if self.comes_from_lanes(fold.next) {
                    self.vectors.extend([fold.argument, fold.result]);
                }
            }
        }
        if op.kind() == Kind::ScfIf {
            for (k, z) in op.results().into_iter().enumerate() {
                if ends(op).into_iter().any(|end| self.comes_from_lanes(end.operand(k))) {
                    self.vectors.insert(z);
                }
            }
        }
    }

    fn comes_from_lanes(&self, v: Value) -> bool {
        let enough = v.ty().scalar().is_float() && few_elements(v).is_some_and(|n| n as i64 >= LEAST_LANES);
        enough
            && self.apart.contains(&v)
            && v.defining_op().is_some_and(|(op, k)| match op.kind() {
                Kind::SweepNest if self.unrolled.contains(&op) => {
                    self.in_lanes.contains(&op) || self.comes_from_lanes(op.entry().end().operand(k))
                }
                Kind::SweepNest => folds(op).iter().any(|f| f.result == v && self.comes_from_lanes(f.next)),
                Kind::SweepReshape => self.comes_from_lanes(op.operand(0)),
                Kind::SweepJoin => op.operand_segment(0).into_iter().any(|part| self.comes_from_lanes(part)),
                Kind::ScfIf => ends(op).into_iter().any(|end| self.comes_from_lanes(end.operand(k))),
                _ => false,
            })
    }

    /// Checks whether all reads and updates of `array` are at positions that are constant after unrolling.
    fn is_used_apart(&self, array: Value, root: Op) -> bool {
        let is_apart_in = |(user, operand): (Op, usize)| match user.kind() {
            Kind::TensorExtract => user.operands()[1..].iter().all(|i| self.is_constant(*i)),
            Kind::SweepAdd if operand == 1 => {
                user.operands()[2..].iter().all(|i| self.is_constant(*i)) && self.apart.contains(&user.result(0))
            }
            Kind::SweepReshape => self.apart.contains(&user.result(0)),
            // If the array is used as a whole, its elements are joined first. This happens once, for an initial
            // value or the stores of a result.
            Kind::SweepNest | Kind::SweepYield | Kind::ScfYield | Kind::SweepJoin => true,
            _ => false,
        };
        // After the nest its results are arrays again, whatever their uses are.
        array.defining_op().is_some_and(|(op, _)| op == root) || array.uses().into_iter().all(is_apart_in)
    }

    fn is_constant(&self, v: Value) -> bool {
        if let Some((block, k)) = v.block_argument() {
            let nest = block.parent_op().filter(|op| self.unrolled.contains(op));
            return nest.is_some_and(|nest| k < nest.operand_segment(0).len());
        }
        let Some((op, _)) = v.defining_op() else { return false };
        known(v).is_some() || (is_folded(op.kind()) && op.operands().into_iter().all(|v| self.is_constant(v)))
    }
}

/// Returns the terminators of the branches of a condition.
fn ends(op: Op) -> Vec<Op> {
    op.regions().into_iter().filter_map(Region::first_block).filter_map(Block::terminator).collect()
}

/// Checks whether a nest has a small, known number of iterations.
fn is_few(nest: Op) -> bool {
    let iterations = known_extents(nest).map_or(0, |n| n.iter().map(|n| (*n).max(0)).product());
    (1..=MOST_ITERATIONS).contains(&iterations)
}

/// Checks whether the innermost loop around `nest` carries a value from one iteration to the next.
fn is_in_order(nest: Op) -> bool {
    ancestors(nest).find(|op| is_nest(*op) && !is_few(*op)).is_some_and(|op| kinds(op).contains(&ResultKind::Fold))
}

/// Checks whether a nest has few iterations and generates little code. A nest that maps large arrays to rows that are
/// only stored is left to vectorisation.
fn is_small(nest: Op, root: Op, costs: &mut HashMap<Op, i64>) -> bool {
    let Some(extents) = known_extents(nest) else { return false };
    let iterations: i64 = extents.iter().product();
    if extents.iter().any(|n| *n < 1) || iterations > MOST_ITERATIONS || cost(nest, costs) > MOST_OPS {
        return false;
    }
    let reads_small = |op: Op| {
        op.kind() == Kind::TensorExtract && few_elements(op.operand(0)).is_some() && is_made_inside(op.operand(0), root)
    };
    let plain = nest.nested_ops().into_iter().all(|op| op.num_regions() == 0 && !reads_small(op));
    let all_maps = nest.num_results() > 0 && kinds(nest).iter().all(|k| *k == ResultKind::Map);
    // Small carried arrays are better kept as scalars; rows of a map are only stored to memory.
    let is_stored = |user: Op, operand: usize| {
        user.kind() == Kind::SweepYield
            && user
                .parent_op()
                .is_some_and(|outer| kinds(outer)[operand] == ResultKind::Map || iterations > FEW_ITERATIONS)
    };
    let stored = |z: &Value| z.ty().is_tensor() && z.uses().into_iter().all(|(user, operand)| is_stored(user, operand));
    !(plain && all_maps && nest.results().iter().all(stored))
}

/// Returns the number of ops of the unrolled nest.
fn cost(nest: Op, costs: &mut HashMap<Op, i64>) -> i64 {
    if let Some(c) = costs.get(&nest) {
        return *c;
    }
    let mut sum = 0i64;
    let mut blocks: Vec<Block> = nest.body().into_iter().collect();
    while let Some(block) = blocks.pop() {
        for op in block.ops() {
            sum = sum.saturating_add(if is_nest(op) { cost(op, costs) } else { 1 });
            if !is_nest(op) {
                blocks.extend(op.blocks());
            }
        }
    }
    let iterations = known_extents(nest).map_or(1, |n| n.iter().fold(1i64, |p, n| p.saturating_mul((*n).max(1))));
    let c = sum.saturating_mul(iterations);
    costs.insert(nest, c);
    c
}
