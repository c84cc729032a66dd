//! Vectorisation of loops over *records*, the rows of a matrix with a few columns. Each lane of a vector computes one
//! record, so 8 (f64) or 16 (f32) neighbouring records are computed at once.
//!
//! LLVM's vectoriser, for example, stores records of 22 elements, `z[i, 0]` to `z[i, 21]`, by 22 scatters, or does not
//! vectorise the loop at all. Here each of the 22 columns of the neighbouring records is computed as one vector. A
//! network of shuffles transposes these vectors in registers, so that records are stored as contiguous rows. In the
//! same way, records are read as whole vectors and split by shuffles. Conditions become masks. With L lanes, a scalar
//! loop computes the last `n mod L` records.
//!
//! The pass accepts a nest with one axis and without inner loops. Each of its results is stored to `z[i, c…]` with
//! constant `c`, and together the stores write every element of the record. Loops that access neighbouring elements in
//! neighbouring iterations are left to LLVM, which vectorises them well. Exceptions are short loops (`short.rs`) and
//! sums along columns (`columns.rs`).

mod columns;
mod forward;
mod joined;
mod records;
mod short;

use crate::contraction::Registers;
use crate::ir::*;
use crate::loops::invariants::root;
use crate::scf::for_outermost;
use mlopt_dialects::value::Element;
use std::collections::{HashMap, HashSet};

pub use forward::forward_stores;
pub use joined::{join_reads, join_stores};
pub use short::{split_innermost, vectorise as vectorise_short};

/// The minimum number of components for which LLVM's way of storing records is slower.
const LEAST_COMPONENTS: usize = 3;

/// The width of vectors in bytes: several registers, unless the processor has wide ones.
const BYTES: usize = 64;
/// The number of ops of a body from which on each vector fills one register. In longer bodies, too many values would be
/// stored on the stack.
const MOST_OPS: usize = 64;

/// Vectorises `nest` if possible. The remaining nest then starts at the returned index. Without registers, only loops
/// over records are vectorised.
pub fn vectorise(nest: Op, registers: Option<Registers>) -> Option<Value> {
    if nest.operand_segment(0).len() != 1 || nest.num_results() > 0 || nest.body()?.num_arguments() != 1 {
        return None;
    }
    let zero = || Builder::before(nest).index(0);
    match Plan::of(nest, registers) {
        Some(plan) => Some(plan.write(nest, zero())),
        None => Some(columns::plans(nest, registers?)?.iter().fold(zero(), |first, plan| plan.write(nest, first))),
    }
}

/// The stores of all components of one array of records, by component.
#[derive(Clone)]
struct Record {
    memory: Value,
    values: Vec<Value>,
}

#[derive(Clone)]
struct Plan {
    lanes: usize,
    /// The values that differ between lanes.
    varying: HashSet<Value>,
    records: Vec<Record>,
    /// The stores to neighbouring elements.
    stores: Vec<Op>,
}

impl Plan {
    fn of(nest: Op, registers: Option<Registers>) -> Option<Plan> {
        let body = nest.body()?;
        let i = body.argument(0);
        let mut plan = Plan { lanes: 0, varying: HashSet::from([i]), records: Vec::new(), stores: Vec::new() };
        let mut stores: Vec<(Value, Vec<(usize, Value)>)> = Vec::new();
        let mut read = Vec::new();
        for op in body.ops() {
            match op.kind() {
                Kind::SweepYield => {}
                Kind::MemrefStore => {
                    let (memory, indices) = (op.operand(1), &op.operands()[2..]);
                    let component = records::component(memory.ty(), indices, i)?;
                    match stores.iter_mut().find(|s| s.0 == memory) {
                        Some(s) => s.1.push((component, op.operand(0))),
                        None => stores.push((memory, vec![(component, op.operand(0))])),
                    }
                }
                _ => plan.look_at(op, false, &mut read)?,
            }
        }
        for (memory, mut values) in stores {
            let components: usize = memory.ty().shape()[1..].iter().copied().product::<Option<usize>>()?;
            values.sort_by_key(|v| v.0);
            let covers = values.iter().map(|v| v.0).eq(0..components);
            if !covers || components < LEAST_COMPONENTS || read.contains(&root(memory)) {
                return None;
            }
            plan.records.push(Record { memory, values: values.into_iter().map(|v| v.1).collect() });
        }
        let bases: HashSet<Value> = plan.records.iter().map(|r| root(r.memory)).collect();
        if bases.len() != plan.records.len() {
            return None;
        }
        let element = plan.records.first()?.memory.ty().element()?;
        let width = match registers {
            Some(registers) if body.ops().len() > MOST_OPS => registers.bits / 8,
            _ => BYTES,
        };
        plan.lanes = width / element.bytes();
        let bytes = |record: &Record| record.memory.ty().element().map(Element::bytes);
        let same_width = plan.records.iter().all(|record| bytes(record) == Some(element.bytes()));
        (same_width && matches!(element.bytes(), 4 | 8)).then_some(plan)
    }

    /// Emits the loop from the index `first` on, before `nest`. Returns its end.
    fn write(&self, nest: Op, first: Value) -> Value {
        let b = Builder::before(nest);
        let n = nest.operand_segment(0)[0];
        let write_loop = |end: Value| {
            let (inner, at) = for_outermost(b, nest, first, end, b.index(self.lanes as i64));
            self.write_once(nest, at, inner);
        };
        if let (Some(from), Some(n)) = (known(first), known(n)) {
            let (lanes, left) = (self.lanes as i64, (n - from).max(0));
            let end = b.index(from + left - left % lanes);
            match left / lanes {
                0 => {}
                1 => self.write_once(nest, first, b),
                _ => write_loop(end),
            }
            return end;
        }
        // As elsewhere, a negative extent means an empty loop.
        let left = b.subi(n, first);
        let rest = b.same(Kind::ArithRemsi, &[left, b.index(self.lanes as i64)]);
        let end = b.subi(n, rest);
        write_loop(end);
        b.maxsi(end, first)
    }

    /// Emits all lanes from the index `at` on.
    fn write_once(&self, nest: Op, at: Value, b: Builder) {
        let mut emit = Emitter { plan: self, b, at, new: HashMap::new(), wide: HashMap::new() };
        let body = nest.entry();
        emit.new.insert(body.argument(0), at);
        for op in body.ops() {
            if op.kind() != Kind::SweepYield {
                emit.op(op, None);
            }
        }
        self.records.iter().for_each(|record| emit.store(record));
        self.stores.iter().for_each(|store| emit.store_in_order(*store));
    }

    /// Analyses `op`. Returns `None` if it cannot be vectorised. Ops under a condition run in all lanes, so they must
    /// not trap.
    fn look_at(&mut self, op: Op, conditional: bool, read: &mut Vec<Value>) -> Option<()> {
        let kind = op.kind();
        let uniform = matches!(kind, Kind::ArithConstant | Kind::MemrefDim);
        let varies = !uniform && (conditional || op.operands().iter().any(|v| self.varying.contains(v)));
        let fine = match kind {
            Kind::MemrefLoad => {
                read.push(root(op.operand(0)));
                // Booleans have a byte in memory and a bit in a vector.
                !varies || !op.result(0).ty().is_integer(1)
            }
            Kind::MemrefDim => true,
            Kind::ScfIf => {
                for op in op.regions().into_iter().filter_map(Region::first_block).flat_map(Block::ops) {
                    if op.kind() != Kind::ScfYield {
                        self.look_at(op, true, read)?;
                    }
                }
                self.varying.extend(op.results());
                true
            }
            _ => match kind.dialect() {
                "arith" => !varies || !divides_integers(kind),
                "math" => !varies || is_vector_math(kind),
                _ => false,
            },
        };
        if varies {
            self.varying.extend(op.results());
        }
        let numbers = op.results().into_iter().all(|z| z.ty().is_scalar());
        (fine && numbers && op.num_results() > 0).then_some(())
    }
}

struct Emitter<'p> {
    plan: &'p Plan,
    b: Builder,
    /// The index of the first lane.
    at: Value,
    /// The new values: scalars if they are the same in all lanes, vectors otherwise.
    new: HashMap<Value, Value>,
    /// Broadcast scalars.
    wide: HashMap<Value, Value>,
}

impl Emitter<'_> {
    fn vector(&self, element: Type) -> Type {
        element.context().vector(self.plan.lanes, element)
    }

    /// Returns the numbers of the lanes as a vector: 0, 1, 2, …
    fn ramp(&self) -> Value {
        let ctx = self.b.context();
        let ty = self.vector(ctx.index());
        let numbers: Vec<String> = (0..self.plan.lanes).map(|k| k.to_string()).collect();
        self.b.constant(ctx.attribute(&format!("dense<[{}]> : {ty}", numbers.join(", "))), ty)
    }

    fn scalar(&self, old: Value) -> Value {
        self.new.get(&old).copied().unwrap_or(old)
    }

    /// Returns `old` as a vector.
    fn lanes(&mut self, old: Value) -> Value {
        let value = self.scalar(old);
        let varies = self.plan.varying.contains(&old);
        if varies && value != self.at {
            return value;
        }
        if let Some(v) = self.wide.get(&value) {
            return *v;
        }
        let splat = self.b.broadcast(value, self.plan.lanes);
        let all = if varies { self.b.addi(splat, self.ramp()) } else { splat };
        self.wide.insert(value, all);
        all
    }

    /// Emits one op; `mask` contains the active lanes.
    fn op(&mut self, op: Op, mask: Option<Value>) {
        match op.kind() {
            Kind::MemrefStore => {}
            Kind::ScfIf => self.choose(op, mask),
            Kind::SweepNest => self.sums(op),
            Kind::MemrefLoad => {
                let z = self.load(op, mask);
                self.new.insert(op.result(0), z);
            }
            _ => {
                let varies = self.plan.varying.contains(&op.result(0));
                let operands = op.operands().into_iter().map(|v| if varies { self.lanes(v) } else { self.scalar(v) });
                let operands: Vec<Value> = operands.collect();
                let ty = op.result(0).ty();
                let ty = if varies { self.vector(ty) } else { ty };
                let z = self.b.at(op.location()).remake(op, &operands, &[ty]).result(0);
                self.new.insert(op.result(0), z);
            }
        }
    }

    /// Emits both branches of a condition, each for its lanes.
    fn choose(&mut self, op: Op, mask: Option<Value>) {
        let condition = self.lanes(op.operand(0));
        let ones = self.b.everywhere(condition.ty(), self.b.context().bool_attr(true));
        let negated = self.b.same(Kind::ArithXori, &[condition, ones]);
        let both = |this: &Self, c: Value| mask.map_or(c, |m| this.b.andi(m, c));
        let mut sides = Vec::new();
        for (region, c) in op.regions().into_iter().zip([condition, negated]) {
            let Some(block) = region.first_block() else { continue };
            let mask = both(self, c);
            for op in block.ops() {
                if op.kind() == Kind::ScfYield {
                    sides.push(op.operands().into_iter().map(|v| self.lanes(v)).collect::<Vec<_>>());
                } else {
                    self.op(op, Some(mask));
                }
            }
        }
        for (k, z) in op.results().into_iter().enumerate() {
            self.new.insert(z, self.b.select(condition, sides[0][k], sides[1][k]));
        }
    }
}
