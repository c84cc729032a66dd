//! Vectors for small arrays that a recurrence carries: the iterations of the nest that computes such an array become
//! the lanes of vectors, which stay in registers.
//!
//! The number of lanes of each vector is a power of two, because LLVM takes apart vectors of other lengths if a loop
//! carries them. In the last vector of a row some lanes may be unused.
//!
//! The loop around such a nest must run in order, so LLVM cannot vectorise that loop. As elsewhere in scalar
//! replacement, an array is represented by a list of scalars. Scalars that were extracted from the lanes of a vector
//! are recognised, and shuffles combine them to vectors again.

use super::choice::is_folded;
use super::rebuild::{New, Rebuild, positions};
use super::*;
use crate::contraction::TOGETHER;
use crate::ir::{is_float_arithmetic, is_vector_math};
use crate::reduction::{filled, reduce_vectors};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The minimum number of lanes. Fewer are as fast as scalars.
pub(super) const LEAST_LANES: i64 = 4;

/// Checks whether the iterations of `nest` can be lanes: floating-point arithmetic on reads, without ops that only some
/// iterations execute.
pub(super) fn can_be_lanes(nest: Op) -> bool {
    let iterations: Option<Vec<i64>> = known_extents(nest);
    let enough = iterations.is_some_and(|n| n.iter().product::<i64>() >= LEAST_LANES);
    let body = nest.entry();
    let numbers = body.end().operands().iter().all(|v| v.ty().is_float());
    let kinds = kinds(nest);
    let mut varying: HashSet<Value> = body.arguments().into_iter().collect();
    enough && numbers && !kinds.is_empty() && !kinds.contains(&ResultKind::Fold) && fits(body, &mut varying)
}

/// Checks the ops of `block`, and adds to `varying` the values that differ between lanes.
fn fits(block: Block, varying: &mut HashSet<Value>) -> bool {
    block.ops().into_iter().all(|op| {
        let varies = op.operands().iter().any(|v| varying.contains(v));
        let fine = match op.kind() {
            Kind::SweepYield | Kind::ScfYield => return true,
            Kind::TensorExtract => true,
            // The condition of each lane will be a known number, so each lane takes one branch.
            Kind::ScfIf => {
                op.regions().into_iter().filter_map(Region::first_block).all(|side| fits(side, varying))
                    && is_counted(op.operand(0), varying)
            }
            _ if !varies => op.num_regions() == 0 && op.num_results() == 1,
            // A position: a scalar per lane.
            Kind::ArithAddi | Kind::ArithSubi | Kind::ArithMuli if op.result(0).ty().is_index() => true,
            Kind::ArithSelect => true,
            kind => match kind.dialect() {
                "arith" => is_float_arithmetic(kind) || is_counted(op.result(0), varying),
                "math" => is_vector_math(kind),
                _ => false,
            },
        };
        if varies || op.kind() == Kind::ScfIf {
            varying.extend(op.results());
        }
        fine
    })
}

/// Checks whether a value is arithmetic on the indices of the nest and constants only.
fn is_counted(v: Value, varying: &HashSet<Value>) -> bool {
    match v.defining_op() {
        None => varying.contains(&v),
        Some((op, _)) => {
            known(v).is_some() || (is_folded(op.kind()) && op.operands().into_iter().all(|v| is_counted(v, varying)))
        }
    }
}

/// Returns the row-major numbers of the elements of a box that share a vector: neighbours in one row, or in all rows if
/// these are short. A register has `width` lanes.
pub(super) fn parts(shape: &[i64], width: usize) -> Vec<Range<usize>> {
    let count = shape.iter().product::<i64>() as usize;
    let row = shape.last().filter(|n| **n >= LEAST_LANES).map_or(count, |n| *n as usize);
    let mut parts = Vec::new();
    for start in (0..count).step_by(row.max(1)) {
        let mut from = start;
        while from < start + row {
            let registers = (start + row - from).div_ceil(width).min(TOGETHER);
            let to = (from + (width << registers.ilog2())).min(start + row);
            parts.push(from..to);
            from = to;
        }
    }
    parts
}

/// A value in each lane; `None` where the lane does not need it.
type Lanes = Vec<Option<Value>>;

/// Returns the value that all lanes share.
fn common(lanes: &[Option<Value>]) -> Option<Value> {
    let mut values = lanes.iter().flatten();
    let first = *values.next()?;
    values.all(|v| *v == first).then_some(first)
}

/// Extracts the lanes of a vector as scalars. Unused extractions are erased at the end.
pub(super) fn apart(v: Value, b: Builder) -> Vec<Value> {
    (0..v.ty().lanes() as i64).map(|k| b.extract(v, k)).collect()
}

/// Erases unused extractions in `op` and its regions.
pub(super) fn erase_unused_lanes(op: Op) {
    for op in [op].into_iter().chain(op.nested_ops()).filter(|op| op.kind() == Kind::VectorExtract) {
        if op.result(0).is_unused() {
            op.erase();
        }
    }
}

/// Returns scalars as one vector, whose length is a power of two.
pub(super) fn pack(values: &[Value], b: Builder) -> Value {
    let mut lanes: Vec<Option<Value>> = values.iter().copied().map(Some).collect();
    lanes.resize(values.len().next_power_of_two(), None);
    pack_some(&lanes, b)
}

fn pack_some(values: &[Option<Value>], b: Builder) -> Value {
    let first = values.iter().flatten().next().expect("some lane needs a value");
    let ty = b.context().vector(values.len(), first.ty());
    let mut sources: Vec<Value> = Vec::new();
    for (from, _) in values.iter().flatten().filter_map(|v| lane_of(*v)) {
        if !sources.contains(&from) {
            sources.push(from);
        }
    }
    if sources.is_empty() {
        if let Some(v) = common(values) {
            return b.broadcast(v, values.len());
        }
        // Unused lanes are zero, as in registers into which fewer elements are loaded.
        let all: Vec<Value> = values.iter().map(|v| v.unwrap_or_else(|| b.number(first.ty(), 0))).collect();
        return b.value(Kind::VectorFromElements, &all, ty, &[]);
    }
    let place = |k: usize, of: Value| values[k].and_then(lane_of).filter(|l| l.0 == of).map(|l| l.1);
    let in_place = |of: Value| of.ty() == ty && (0..values.len()).all(|k| place(k, of).is_none_or(|l| l == k as i64));
    // The lanes of `so_far`, followed by lanes of `of`.
    let width = |v: Value| v.ty().lanes() as i64;
    let mask = |lane: &dyn Fn(usize) -> i64| (0..values.len()).map(lane).collect::<Vec<_>>();
    let (one, more) = (sources[0], &sources[1..]);
    let mut packed = match more.first() {
        None if in_place(one) => one,
        None => b.shuffle(one, one, &mask(&|k| place(k, one).unwrap_or(0))),
        Some(two) => {
            let second = |k| place(k, *two).map(|l| l + width(one));
            b.shuffle(one, *two, &mask(&|k| place(k, one).or(second(k)).unwrap_or(0)))
        }
    };
    for source in more.iter().skip(1) {
        packed = b.shuffle(packed, *source, &mask(&|k| place(k, *source).map_or(k as i64, |l| l + width(packed))));
    }
    for (k, v) in values.iter().enumerate() {
        if let Some(v) = v.filter(|v| lane_of(*v).is_none()) {
            packed = b.replace_lane(packed, k as i64, v);
        }
    }
    packed
}

impl Rebuild<'_> {
    /// Emits the iterations of `op` as lanes.
    pub(super) fn in_lanes(&mut self, op: Op, extents: &[i64], b: Builder) {
        let body = op.entry();
        let (positions, kinds) = (positions(extents), kinds(op));
        let mut results: Vec<Vec<Value>> = vec![Vec::new(); kinds.len()];
        let parts = parts(extents, self.width(op));
        let widest = parts.iter().map(|part| part.len().next_power_of_two()).max().unwrap_or(1);
        for part in parts {
            let count = part.len().next_power_of_two();
            let active: Vec<bool> = (0..count).map(|k| k < part.len()).collect();
            let mut lanes: HashMap<Value, Lanes> = HashMap::new();
            for (axis, argument) in body.arguments().into_iter().enumerate() {
                let index = b.context().index();
                let mut at: Lanes =
                    positions[part.clone()].iter().map(|p| Some(self.constant(p[axis], index))).collect();
                at.resize(count, None);
                lanes.insert(argument, at);
            }
            self.block_in_lanes(body, &active, &mut lanes, b);
            for ((result, kind), v) in results.iter_mut().zip(&kinds).zip(body.end().operands()) {
                let mut values = self.lanes_of(v, &lanes, count);
                match kind {
                    ResultKind::Map => result.extend(values.into_iter().take(part.len()).flatten()),
                    kind => {
                        values[part.len()..].fill(None);
                        result.push(filled(*kind, pack_some(&values, b), part.len(), widest, b));
                    }
                }
            }
        }
        let fastmath = op.attribute("fastmath");
        for ((kind, values), z) in kinds.into_iter().zip(results).zip(op.results()) {
            let new = match kind {
                ResultKind::Map => New::Apart(values),
                kind => New::One(reduce_vectors(kind, values, fastmath, b)),
            };
            self.set(z, new);
        }
    }

    /// Returns the number of lanes of the vectors of a nest: those of a register for the numbers that it yields.
    fn width(&self, nest: Op) -> usize {
        let widths = nest.entry().end().operands().into_iter().map(|v| self.lanes_in_register(v.ty()));
        widths.min().unwrap_or(1)
    }

    /// Returns the value of `v` in each lane.
    fn lanes_of(&self, v: Value, lanes: &HashMap<Value, Lanes>, count: usize) -> Lanes {
        lanes.get(&v).cloned().unwrap_or_else(|| vec![Some(self.value(v)); count])
    }

    fn block_in_lanes(&mut self, block: Block, active: &[bool], lanes: &mut HashMap<Value, Lanes>, b: Builder) {
        for op in block.ops() {
            if op.num_results() > 0 {
                let results = self.op_in_lanes(op, active, lanes, b.at(op.location()));
                lanes.extend(op.results().into_iter().zip(results));
            }
        }
    }

    /// Returns the results of one op in the active lanes.
    fn op_in_lanes(&mut self, op: Op, active: &[bool], lanes: &mut HashMap<Value, Lanes>, b: Builder) -> Vec<Lanes> {
        let count = active.len();
        if op.kind() == Kind::ScfIf {
            return self.sides_in_lanes(op, active, lanes, b);
        }
        if op.kind() == Kind::TensorExtract && self.is_apart(op.operand(0)) {
            let indices: Vec<Lanes> = op.operands()[1..].iter().map(|v| self.lanes_of(*v, lanes, count)).collect();
            let elements = self.elements(op.operand(0), b);
            let mut read = |k: usize| {
                let at: Vec<Value> = indices.iter().map(|i| i[k].expect("active")).collect();
                elements[self.position(op.operand(0), &at)]
            };
            return vec![(0..count).map(|k| active[k].then(|| read(k))).collect()];
        }
        let operands: Vec<Lanes> = op.operands().into_iter().map(|v| self.lanes_of(v, lanes, count)).collect();
        let in_lane = |k: usize| operands.iter().map(|v| v[k].expect("active")).collect::<Vec<_>>();
        let is_common = operands.iter().all(|v| common(v).is_some());
        let float = op.result(0).ty().is_float() || op.kind() == Kind::ArithCmpf;
        if is_common || !float || op.kind() == Kind::TensorExtract {
            // A value that all lanes share, known numbers, or reads from memory, which LLVM combines if they are
            // adjacent.
            let mut made: HashMap<Vec<Value>, Value> = HashMap::new();
            let mut one = |k: usize| {
                let operands = in_lane(k);
                *made.entry(operands).or_insert_with_key(|operands| match self.folded(op, operands) {
                    Some(v) => v,
                    None => b.remake(op, operands, &[op.result(0).ty()]).result(0),
                })
            };
            return vec![(0..count).map(|k| active[k].then(|| one(k))).collect()];
        }
        let is_choice = op.kind() == Kind::ArithSelect;
        let packed = operands.iter().enumerate().map(|(k, v)| match common(v).filter(|_| is_choice && k == 0) {
            Some(condition) => condition,
            None => pack_some(v, b),
        });
        let packed: Vec<Value> = packed.collect();
        let z = b.remake(op, &packed, &[b.context().vector(count, op.result(0).ty())]).result(0);
        vec![apart(z, b).into_iter().map(Some).collect()]
    }

    /// Emits a condition: each lane takes the branch that its condition, a known number, selects.
    fn sides_in_lanes(&mut self, op: Op, active: &[bool], lanes: &mut HashMap<Value, Lanes>, b: Builder) -> Vec<Lanes> {
        let count = active.len();
        let condition = self.lanes_of(op.operand(0), lanes, count);
        let mut results: Vec<Lanes> = vec![vec![None; count]; op.num_results()];
        for (side, region) in op.regions().into_iter().enumerate() {
            let names = |k: usize| condition[k].and_then(known).is_some_and(|c| (c == 0) == (side == 1));
            let taken: Vec<bool> = (0..count).map(|k| active[k] && names(k)).collect();
            let Some(block) = region.first_block().filter(|_| taken.contains(&true)) else { continue };
            self.block_in_lanes(block, &taken, lanes, b);
            for (r, v) in block.end().operands().into_iter().enumerate() {
                let values = self.lanes_of(v, lanes, count);
                (0..count).filter(|k| taken[*k]).for_each(|k| results[r][k] = values[k]);
            }
        }
        results
    }
}
