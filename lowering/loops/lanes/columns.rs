//! Vectorisation of sums along the columns of a matrix, `z[i] = Σₖ a[k, i]·x[k]`. Neighbouring columns are the lanes of
//! a vector, and the loop computes as many vectors of sums at once as the registers hold. Each `x[k]` is then read once
//! for all of them, and the sums are independent of each other.

use super::{Emitter, Plan};
use crate::contraction::Registers;
use crate::ir::*;
use crate::loops::invariants::root;
use crate::nests::are_all;
use crate::reduction::{combine, neutral};
use mlopt_dialects::ops::scf::For;
use mlopt_dialects::sweep::ResultKind;
use std::collections::HashSet;

/// The maximum number of vectors at once if functions, which need registers themselves, are applied to each column.
const MOST_WITH_FUNCTIONS: usize = 4;
/// The maximum number of vectors at once if the number of columns is not known.
const MOST_OF_UNKNOWN: usize = 4;

/// Returns the plans of loops that follow each other, each with fewer lanes than the previous one, or `None` if `nest`
/// cannot be vectorised in this way.
///
/// The nest must have one axis, sum in loops, store to `z[…, i]`, and read along `i` only in order.
pub(super) fn plans(nest: Op, registers: Registers) -> Option<Vec<Plan>> {
    let body = nest.body()?;
    let mut columns = Columns { i: body.argument(0), read: Vec::new(), sums: 0, functions: false };
    let mut plan = Plan { lanes: 0, varying: HashSet::from([columns.i]), records: Vec::new(), stores: Vec::new() };
    for op in body.ops() {
        columns.look_at(op, &mut plan)?;
    }
    let element = plan.stores.first()?.operand(0).ty();
    let written: HashSet<Value> = plan.stores.iter().map(|op| root(op.operand(1))).collect();
    let same = plan.stores.iter().all(|op| op.operand(0).ty() == element);
    if columns.sums == 0
        || !same
        || written.len() != plan.stores.len()
        || columns.read.iter().any(|m| written.contains(m))
    {
        return None;
    }
    let width = registers.bits / 8 / element.element().filter(|_| element.is_float())?.bytes();
    let n = known(nest.operand(0)).map(|n| n.max(0) as usize);
    let mut most = (registers.accumulators() / columns.sums).max(1);
    if columns.functions {
        most = most.min(MOST_WITH_FUNCTIONS);
    }
    most = 1 << most.min(n.map_or(MOST_OF_UNKNOWN, |n| n / width)).checked_ilog2()?;
    let counts = std::iter::successors(Some(most), |count| (*count > 1).then_some(count / 2));
    // If the number of columns is known, the loops after the first one use those powers of two that occur in the binary
    // representation of the number of vectors, each once.
    let comes = |count: &usize| n.map_or(*count == most || *count == 1, |n| *count == most || (n / width) & count > 0);
    // The last columns, fewer than a register has lanes, are one vector if their number is known.
    let rest = n.map(|n| n % width).filter(|rest| *rest > 1);
    let lanes = counts.filter(comes).map(|count| count * width).chain(rest);
    Some(lanes.map(|lanes| Plan { lanes, ..plan.clone() }).collect())
}

/// The part of a nest that has been analysed.
struct Columns {
    i: Value,
    read: Vec<Value>,
    /// The maximum number of sums that one inner loop computes at once.
    sums: usize,
    functions: bool,
}

impl Columns {
    /// Analyses `op`. Returns `None` if it cannot be vectorised.
    fn look_at(&mut self, op: Op, plan: &mut Plan) -> Option<()> {
        match op.kind() {
            Kind::SweepYield => Some(()),
            Kind::MemrefStore => {
                plan.stores.push(op);
                is_in_order(op.operand(1), &op.operands()[2..], self.i, plan).then_some(())
            }
            Kind::SweepNest => self.look_at_sums(op, plan),
            Kind::ScfIf => None,
            Kind::MemrefLoad => {
                let varies = op.operands()[1..].iter().any(|v| plan.varying.contains(v));
                let fine = !varies || is_in_order(op.operand(0), &op.operands()[1..], self.i, plan);
                plan.look_at(op, false, &mut self.read).filter(|()| fine)
            }
            _ => {
                self.functions |= op.kind().dialect() == "math";
                plan.look_at(op, false, &mut self.read)
            }
        }
    }

    fn look_at_sums(&mut self, nest: Op, plan: &mut Plan) -> Option<()> {
        let [extent] = nest.operand_segment(0)[..] else { return None };
        let one_kind = are_all(nest, ResultKind::Sum) && nest.results().iter().all(|z| z.ty().is_float());
        if !one_kind || plan.varying.contains(&extent) {
            return None;
        }
        for op in nest.body()?.ops() {
            match op.kind() {
                Kind::SweepNest | Kind::MemrefStore => return None,
                _ => self.look_at(op, plan)?,
            }
        }
        self.sums = self.sums.max(nest.num_results());
        plan.varying.extend(nest.results());
        Some(())
    }
}

/// Checks whether neighbouring lanes access neighbouring elements of `memory`, for lanes along `i`.
pub(super) fn is_in_order(memory: Value, at: &[Value], i: Value, plan: &Plan) -> bool {
    let Some((last, outer)) = at.split_last() else { return false };
    *last == i && !outer.iter().any(|v| plan.varying.contains(v)) && memory.ty().is_contiguous_memref()
}

impl Emitter<'_> {
    /// Emits the loop of a nest of sums, with one vector for each.
    pub(super) fn sums(&mut self, nest: Op) {
        let (b, body) = (self.b.at(nest.location()), nest.entry());
        let start = nest.results().into_iter().map(|z| {
            let ty = self.vector(z.ty());
            b.constant(Attribute::splat(ty, neutral(ResultKind::Sum, z.ty())), ty)
        });
        let (from, to, step) = (b.index(0), self.scalar(nest.operand(0)), b.index(1));
        let start: Vec<Value> = start.collect();
        let types = types_of(&start);
        let block = block_of([&[b.context().index()], types.as_slice()].concat(), nest.location());
        let done = For::create(b, from, to, step, &start, &types, block);
        // Values of the loop are not available after it.
        let (new, wide) = (self.new.clone(), self.wide.clone());
        let inner = Builder::at_end(block, nest.location());
        let mut emit = Emitter { plan: self.plan, b: inner, at: self.at, new, wide };
        emit.new.insert(body.argument(0), block.argument(0));
        let mut next = Vec::new();
        for op in body.ops().into_iter().filter(|op| *op != body.end()) {
            emit.op(op, None);
        }
        for (so_far, v) in block.arguments()[1..].iter().zip(body.end().operands()) {
            next.push(combine(inner, ResultKind::Sum, *so_far, emit.lanes(v), nest.attribute("fastmath"), true));
        }
        inner.make(Kind::ScfYield, &next, &[], &[]);
        self.new.extend(nest.results().into_iter().zip(done.results()));
    }

    /// Stores all lanes to neighbouring elements.
    pub(super) fn store_in_order(&mut self, op: Op) {
        let value = self.lanes(op.operand(0));
        let at: Vec<Value> = op.operands()[2..].iter().map(|v| self.scalar(*v)).collect();
        let operands = [&[value, op.operand(1)], at.as_slice()].concat();
        self.b.at(op.location()).make(Kind::VectorStore, &operands, &[], &[]);
    }

    /// Adds all lanes to neighbouring elements.
    pub(super) fn add_in_order(&mut self, op: Op) {
        let value = self.lanes(op.operand(0));
        let at: Vec<Value> = op.operands()[2..].iter().map(|v| self.scalar(*v)).collect();
        let (b, place) = (self.b.at(op.location()), [&[op.operand(1)], at.as_slice()].concat());
        let before = b.value(Kind::VectorLoad, &place, value.ty(), &[]);
        let sum = combine(b, ResultKind::Sum, before, value, None, false);
        b.make(Kind::VectorStore, &[&[sum], place.as_slice()].concat(), &[], &[]);
    }
}
