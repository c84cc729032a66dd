//! Vectorisation of short loops of known length over neighbouring elements, such as the rows of small matrices.
//!
//! LLVM vectorises a loop of 40 elements for 16 or 32 elements at once and computes the other 8 one by one; a loop of
//! fewer than 16 elements it predicates, and masked stores are slow on many processors. Here the loop is cut into whole
//! registers, and the last vector has as many lanes as elements are left. Sums are accumulated in several vectors,
//! whose lanes are added at the end.

use super::columns::is_in_order;
use super::{Emitter, Plan};
use crate::contraction::{Registers, TOGETHER};
use crate::ir::*;
use crate::loops::invariants::root;
use crate::nests::{self, kinds};
use crate::reduction::{combine, filled, neutral, reduce_vectors};
use crate::scf::{carry, mark_outermost};
use mlopt_dialects::sweep::ResultKind;
use mlopt_dialects::value::Element;
use std::collections::{HashMap, HashSet};

/// The lengths of loops that are short: shorter ones fit in scalar registers, and longer ones LLVM vectorises well.
const LENGTHS: std::ops::RangeInclusive<i64> = 4..=64;
/// The maximum number of vector operations that are emitted without a loop.
const MOST_WRITTEN: usize = 128;
/// The number of instructions of an elementary function, about.
const FUNCTION: usize = 32;
/// The maximum number of vectors in which the terms of one sum are accumulated.
const ACCUMULATORS: usize = 4;

/// Moves the innermost axis of `nest` to a nest of its own if [`vectorise`] accepts that nest.
pub fn split_innermost(nest: Op, registers: Registers) {
    let extents = nest.operand_segment(0);
    if extents.len() < 2 || nest.num_results() > 0 {
        return;
    }
    let Some(short) = Short::of(nest, registers) else { return };
    let b = Builder::before(nest);
    let (body, (inner_extent, outer)) = (nest.entry(), extents.split_last().expect("checked above"));
    let outer_body = nests::body(outer.len(), &[], nest.location());
    let inner_body = nests::body(1, &[], nest.location());
    let arguments = outer_body.arguments().into_iter().chain(inner_body.arguments());
    replace_all(body.arguments(), arguments);
    for op in body.ops().into_iter().filter(|op| *op != body.end()) {
        let to = if short.is_uniform(op) { outer_body } else { inner_body };
        to.append(op.detach());
    }
    Builder::at_end(inner_body, nest.location()).make(Kind::SweepYield, &[], &[], &[]);
    let inside = Builder::at_end(outer_body, nest.location());
    nests::nest(inside, &[*inner_extent], &[], &[], &[], inner_body);
    inside.make(Kind::SweepYield, &[], &[], &[]);
    let new = nests::nest(b, outer, &[], &[], &[], outer_body);
    let kept = nest.attributes().into_iter().filter(|(name, _)| name != "kinds" && name != "operandSegmentSizes");
    kept.for_each(|(name, value)| new.set_attribute(&name, value));
    nest.erase();
}

/// Vectorises `nest` if possible, and replaces its results. The caller erases it.
pub fn vectorise(nest: Op, registers: Registers) -> bool {
    if nest.operand_segment(0).len() != 1 {
        return false;
    }
    let Some(short) = Short::of(nest, registers) else { return false };
    let results = short.write();
    replace_all(nest.results(), results);
    true
}

/// A nest whose innermost axis is short.
struct Short {
    nest: Op,
    plan: Plan,
    length: usize,
    /// The number of lanes of a register.
    width: usize,
    /// The number of instructions for one vector, about.
    cost: usize,
}

impl Short {
    fn of(nest: Op, registers: Registers) -> Option<Short> {
        let length = known(*nest.operand_segment(0).last()?).filter(|n| LENGTHS.contains(n))?;
        let body = nest.body()?;
        let reduces = |kind: &ResultKind| !matches!(kind, ResultKind::Map | ResultKind::Fold);
        if !kinds(nest).iter().all(reduces) || !nest.results().iter().all(|z| z.ty().is_float()) {
            return None;
        }
        let i = *nests::indices(nest).last()?;
        let plan = Plan { lanes: 0, varying: HashSet::from([i]), records: Vec::new(), stores: Vec::new() };
        let mut short = Short { nest, plan, length: length as usize, width: 0, cost: 0 };
        let mut accesses = Accesses { i, uniform: HashSet::new(), lanes: Vec::new(), written: Vec::new() };
        for op in body.ops() {
            short.look_at(op, &mut accesses)?;
        }
        accesses.are_apart().then_some(())?;
        let yielded = types_of(&body.end().operands());
        let bytes = types_of(&accesses.lanes).into_iter().chain(yielded).map(element_bytes).max()?;
        short.width = registers.bits / 8 / bytes;
        // Filling memory with a constant and copying it are left to LLVM.
        (short.cost > 0 && short.width > 1).then_some(short)
    }

    /// Analyses `op`. Returns `None` if it cannot be vectorised.
    fn look_at(&mut self, op: Op, accesses: &mut Accesses) -> Option<()> {
        match op.kind() {
            Kind::SweepYield => Some(()),
            Kind::MemrefStore => accesses.write(op, &self.plan),
            Kind::SweepAdd if op.num_results() == 0 => {
                self.cost += 1;
                accesses.write(op, &self.plan)
            }
            Kind::MemrefLoad => {
                self.plan.look_at(op, false, &mut Vec::new())?;
                if !self.is_uniform(op) {
                    return accesses.read(op, &self.plan);
                }
                accesses.uniform.insert(root(op.operand(0)));
                Some(())
            }
            _ if op.num_regions() > 0 => None,
            _ => {
                self.plan.look_at(op, false, &mut Vec::new())?;
                if !self.is_uniform(op) {
                    self.cost += if op.kind().dialect() == "math" { FUNCTION } else { 1 };
                }
                Some(())
            }
        }
    }

    /// Checks whether `op` has the same results in all lanes, and no effects.
    fn is_uniform(&self, op: Op) -> bool {
        op.num_results() > 0 && !op.results().iter().any(|z| self.plan.varying.contains(z))
    }

    /// Emits the vectors of a nest with one axis, before it. Returns its results.
    fn write(&self) -> Vec<Value> {
        let b = Builder::before(self.nest);
        let mut uniform = HashMap::new();
        for op in self.nest.entry().ops().into_iter().filter(|op| self.is_uniform(*op)) {
            b.at(op.location()).copy(op, &mut uniform);
        }
        let kinds = kinds(self.nest);
        let whole = self.length / self.width;
        let mut sums = Sums { nest: self.nest, width: self.width, vectors: vec![Vec::new(); kinds.len()] };
        // Long operations are emitted for several registers together.
        let together = if whole * self.cost > MOST_WRITTEN { TOGETHER } else { 1 };
        let mut done = 0;
        if together > 1 && whole >= 2 * together {
            done = whole - whole % together;
            let (from, to, lanes) = (b.index(0), b.index((done * self.width) as i64), together * self.width);
            let start = |(kind, z): (&ResultKind, Value)| {
                b.everywhere(b.context().vector(lanes, z.ty()), neutral(*kind, z.ty()))
            };
            let start: Vec<Value> = std::iter::zip(&kinds, self.nest.results()).map(start).collect();
            let totals = carry(b, from, to, lanes, &start, |b, at, so_far| {
                let terms = self.write_once(lanes, at, b, &uniform);
                let both = std::iter::zip(so_far, terms);
                std::iter::zip(&kinds, both).map(|(kind, (x, y))| sums.combine(*kind, *x, y, b)).collect()
            });
            if let Some((made, _)) = totals.first().and_then(|total| total.defining_op()) {
                mark_outermost(made, self.nest);
            }
            sums.add(totals, b);
        }
        while done < whole {
            let registers = 1 << (whole - done).min(together).ilog2();
            let at = b.index((done * self.width) as i64);
            sums.add(self.write_once(registers * self.width, at, b, &uniform), b);
            done += registers;
        }
        let rest = self.length % self.width;
        if rest > 0 {
            let terms = self.write_once(rest, b.index((whole * self.width) as i64), b, &uniform);
            let width = if whole > 0 { self.width } else { rest.next_power_of_two() };
            sums.width = width;
            sums.add(std::iter::zip(&kinds, terms).map(|(k, v)| filled(*k, v, rest, width, b)).collect(), b);
        }
        let fastmath = self.nest.attribute("fastmath");
        std::iter::zip(kinds, sums.vectors).map(|(kind, v)| reduce_vectors(kind, v, fastmath, b)).collect()
    }

    /// Emits the lanes from the index `at` on. Returns the values that are yielded.
    fn write_once(&self, lanes: usize, at: Value, b: Builder, uniform: &HashMap<Value, Value>) -> Vec<Value> {
        let plan = Plan { lanes, ..self.plan.clone() };
        let mut emit = Emitter { plan: &plan, b, at, new: uniform.clone(), wide: HashMap::new() };
        let body = self.nest.entry();
        emit.new.insert(body.argument(0), at);
        for op in body.ops() {
            match op.kind() {
                Kind::SweepYield => {}
                Kind::MemrefStore => emit.store_in_order(op),
                Kind::SweepAdd => emit.add_in_order(op),
                _ if self.is_uniform(op) => {}
                _ => emit.op(op, None),
            }
        }
        body.end().operands().into_iter().map(|v| emit.lanes(v)).collect()
    }
}

/// The registers in which the terms of the sums of a nest are accumulated.
struct Sums {
    nest: Op,
    /// The number of lanes of a register.
    width: usize,
    vectors: Vec<Vec<Value>>,
}

impl Sums {
    fn combine(&self, kind: ResultKind, x: Value, y: Value, b: Builder) -> Value {
        combine(b, kind, x, y, self.nest.attribute("fastmath"), true)
    }

    /// Adds one vector of terms to each sum: every register to the accumulator that has waited longest.
    fn add(&mut self, terms: Vec<Value>, b: Builder) {
        for (r, (kind, term)) in std::iter::zip(kinds(self.nest), terms).enumerate() {
            for from in (0..term.ty().lanes()).step_by(self.width) {
                let lanes: Vec<i64> = (from..from + self.width).map(|k| k as i64).collect();
                let part = if term.ty().lanes() == self.width { term } else { b.shuffle(term, term, &lanes) };
                if self.vectors[r].len() < ACCUMULATORS {
                    self.vectors[r].push(part);
                } else {
                    let oldest = self.vectors[r].remove(0);
                    let next = self.combine(kind, oldest, part, b);
                    self.vectors[r].push(next);
                }
            }
        }
    }
}

/// The memory that a nest reads and writes.
struct Accesses {
    i: Value,
    /// The arrays of which the same element is read in all lanes.
    uniform: HashSet<Value>,
    /// The arrays that are accessed at `i`.
    lanes: Vec<Value>,
    /// Those that are written.
    written: Vec<Value>,
}

impl Accesses {
    fn read(&mut self, op: Op, plan: &Plan) -> Option<()> {
        self.add(op.operand(0), &op.operands()[1..], plan)
    }

    fn write(&mut self, op: Op, plan: &Plan) -> Option<()> {
        self.written.push(op.operand(1));
        // Concurrent additions would have to be atomic.
        let is_alone = || !ancestors(op).any(|op| op.attribute("parallel").is_some());
        self.add(op.operand(1), &op.operands()[2..], plan).filter(|()| op.kind() == Kind::MemrefStore || is_alone())
    }

    fn add(&mut self, memory: Value, at: &[Value], plan: &Plan) -> Option<()> {
        self.lanes.push(memory);
        let is_number = memory.ty().element().is_some_and(|e| [Element::F32, Element::F64].contains(&e));
        (is_number && is_in_order(memory, at, self.i, plan)).then_some(())
    }

    /// Checks whether each element is accessed in one iteration only, if it is written.
    fn are_apart(&self) -> bool {
        let same_rows = |w: Value| self.lanes.iter().all(|m| *m == w || root(*m) != root(w));
        self.written.iter().all(|w| !self.uniform.contains(&root(*w)) && same_rows(*w))
    }
}
