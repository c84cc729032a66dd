//! The choice of the loop nests that several threads may execute.
//!
//! Input: the output of `plan-memory`. Output: the same, where a nest has the attribute `sweep.divide` if iterations of
//! its outermost index access disjoint memory, and only reduce scalars; for a contraction this holds for each index.
//! `sweeps-to-loops` divides such nests into chunks.
//! ```mlir before
//! func.func @f(%x: memref<?x3xf64> {llvm.readonly}, %z: memref<?x3xf64>, %arena: memref<?xi8>)
//!     attributes {sweep.checks = [], sweep.signature = (tensor<?x3xf64>) -> tensor<?x3xf64>} {
//!   %c0 = arith.constant 0 : index
//!   %c3 = arith.constant 3 : index
//!   %n = memref.dim %x, %c0 : memref<?x3xf64>
//!   sweep.nest (%i < %n, %j < %c3) {
//!     %e = memref.load %x[%i, %j] : memref<?x3xf64>
//!     memref.store %e, %z[%i, %j] : memref<?x3xf64>
//!     sweep.yield
//!   }
//!   return
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: memref<?x3xf64> {llvm.readonly}, %z: memref<?x3xf64>, %arena: memref<?xi8>)
//!     attributes {sweep.checks = [], sweep.signature = (tensor<?x3xf64>) -> tensor<?x3xf64>} {
//!   %c0 = arith.constant 0 : index
//!   %c3 = arith.constant 3 : index
//!   %n = memref.dim %x, %c0 : memref<?x3xf64>
//!   sweep.nest (%i < %n, %j < %c3) {
//!     %e = memref.load %x[%i, %j] : memref<?x3xf64>
//!     memref.store %e, %z[%i, %j] : memref<?x3xf64>
//!     sweep.yield
//!   } {sweep.divide}
//!   return
//! }
//! ```
//!
//! If iterations of the outermost index access the same memory, as in sums along columns, but iterations of the index
//! of a nest inside access disjoint memory, the nest is repeated for blocks of that index:
//! ```text
//! sweep.nest (%i < %n) {                becomes  sweep.nest (%k < %blocks) {
//!   sweep.nest (%j < %m) { … }                     sweep.nest (%i < %n) {
//! }                                                  sweep.nest (%l < size of block %k) { … %j = start + %l … }
//!                                                } {sweep.chunks}
//! ```
//! Each element is computed by the same operations in the same order as before. If the nest inside also computes sums
//! along rows, each block stores its own, and another nest adds them.

use crate::abi::SIGNATURE;
use crate::abi::scratch::MoreScratch;
use crate::contraction;
use crate::ir::*;
use crate::loops::invariants::root;
use crate::nests::{self, indices, kinds, shift};
use crate::reduction;
use crate::scf::{CHUNKS, DIVIDE, Shares};
use crate::work::{Limits, OF_LOOPS, Work};
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ops::sweep::Nest;
use mlopt_dialects::sweep::ResultKind;
use std::collections::{HashMap, HashSet};

/// The pass `--parallelise`.
pub const PASS: Pass = Pass {
    name: "parallelise",
    description: "Mark loop nests on buffers that several threads may execute",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["sweep", "memref", "arith", "scf", "func"],
    run: |module, _| {
        run(module);
        Ok(())
    },
};

/// The number of bytes of a row in a block of columns, or a multiple of it: shorter loops along rows are slower.
const ROW_BYTES: usize = 2048;
/// The maximum number of blocks of columns.
const MOST_BLOCKS: i64 = 16;

/// Marks the nests in the functions of `module`.
pub fn run(module: Op) {
    // Only `plan-memory` guarantees that two arrays that are in use at the same time are disjoint.
    let planned = |op: &Op| op.attribute(SIGNATURE).is_some();
    let symbols = Symbols::of(module);
    for function in children_of(module, Kind::FuncFunc).into_iter().filter(planned) {
        let mut memory = MoreScratch::of(function, &symbols);
        function.body().into_iter().for_each(|block| in_block(block, false, &mut memory));
    }
}

/// Marks the nests in a block. In a loop, a nest must have so much work that its division pays.
fn in_block(block: Block, in_loop: bool, memory: &mut Option<MoreScratch>) {
    for op in block.ops() {
        if op.kind() != Kind::SweepNest {
            let is_loop = matches!(op.kind(), Kind::ScfFor | Kind::ScfWhile);
            op.blocks().into_iter().for_each(|block| in_block(block, in_loop || is_loop, memory));
            continue;
        }
        let is_contraction = op.attribute(contraction::ATTRIBUTE).is_some();
        let pays = !in_loop
            || is_contraction
            || is_static(op) && Work::of(op, Builder::before(op)).chunks(&OF_LOOPS, Builder::before(op)).is_some();
        let divided = pays && (rows(op) || columns(op, memory));
        if !divided {
            in_block(op.entry(), true, memory);
        }
    }
}

/// Marks a nest if iterations of its outermost index are independent.
fn rows(nest: Op) -> bool {
    let Some(extent) = nest.operand_segment(0).first().copied() else { return false };
    let is_combined = kinds(nest).iter().all(|kind| kind.is_reduction());
    let is_contraction = nest.attribute(contraction::ATTRIBUTE).is_some();
    let divided: Vec<Value> = indices(nest).into_iter().take(if is_contraction { usize::MAX } else { 1 }).collect();
    let independent = is_combined
        && (is_contraction || !has_scratch(nest))
        && (is_static(nest) || !Work::is_copy(nest))
        && (is_contraction || known(extent).is_none_or(|n| n > 1))
        && Accesses::of(nest).is_some_and(|all| divided.iter().all(|index| all.are_disjoint(*index, nest)));
    if independent {
        nest.set_attribute(DIVIDE, nest.context().unit_attr());
    }
    independent
}

/// Checks whether a nest contains a contraction with scratch memory, which all iterations share.
fn has_scratch(nest: Op) -> bool {
    nest.nested_ops().iter().any(|op| op.kind() == Kind::SweepScratch)
}

/// Repeats a nest for blocks of the index of a nest inside, if its iterations are independent. The ops after that nest,
/// which may use its sums, become a nest of their own.
fn columns(nest: Op, memory: &mut Option<MoreScratch>) -> bool {
    let Some(plan) = Columns::of(nest).filter(|_| !has_scratch(nest)) else { return false };
    let (b, ctx) = (Builder::before(nest), nest.context());
    let Some(blocks) = Work::of(nest, b).chunks(&Limits { most: MOST_BLOCKS, ..OF_LOOPS }, b) else { return false };
    // Blocks of a multiple of `unit`; the last one may be smaller.
    let (zero, one, unit) = (b.index(0), b.index(1), b.index(plan.unit));
    let (units, is_whole) = match known(plan.extent) {
        Some(n) => (b.index(n / plan.unit + i64::from(n % plan.unit > 0)), n % plan.unit == 0),
        None => (b.same(Kind::ArithCeildivsi, &[b.maxsi(plan.extent, zero), unit]), false),
    };
    let blocks = match known(blocks).zip(known(units)) {
        Some((blocks, units)) => b.index(blocks.min(units)),
        None => b.maxsi(b.minsi(blocks, units), one),
    };
    let shares = Shares::of(units, blocks, b);
    let rows = nest.operand(0);
    let mut partials = Vec::new();
    for ty in types_of(&plan.sums) {
        let ty = ctx.memref(&[None, None], ty);
        let place = |memory: &mut MoreScratch| memory.place(ty, &[blocks, b.maxsi(rows, zero)], b);
        let Some(partial) = memory.as_mut().and_then(place) else { return false };
        partials.push(partial);
    }

    let block = block_of_indices(1, nest.location());
    let inside = Builder::at_end(block, nest.location());
    let k = block.argument(0);
    let [first, size] = shares.chunk(k, inside);
    let from = inside.muli(first, unit);
    let length = match known(size).filter(|_| is_whole) {
        Some(size) => inside.index(size * plan.unit),
        None => inside.subi(inside.minsi(inside.addi(from, inside.muli(size, unit)), plan.extent), from),
    };
    let copy = inside.insert(nest.clone_op());
    let inner = children_of(copy, Kind::SweepNest)[0];
    inner.set_operand(0, length);
    let entry = inner.entry();
    let local = entry.argument(0);
    let column = at_start(entry, nest.location()).addi(from, local);
    let sum = column.defining_op().map(|(op, _)| op);
    for (user, operand) in local.uses() {
        if Some(user) != sum {
            user.set_operand(operand, column);
        }
    }
    inside.make(Kind::SweepYield, &[], &[], &[]);
    let outer = Nest::create(b, &[blocks], &[], &[], &[], block).op();
    outer.set_attribute(CHUNKS, ctx.unit_attr());
    if plan.sums.is_empty() {
        nest.erase();
        return true;
    }

    // The copy ends after the nest inside, whose sums it stores. The rest of each iteration adds them.
    let end = copy.entry().end();
    let last: Vec<Op> = copy.entry().ops().into_iter().skip_while(|op| *op != inner).skip(1).collect();
    last.into_iter().rev().filter(|op| *op != end).for_each(Op::erase);
    let row = copy.entry().argument(0);
    for (value, partial) in inner.results().into_iter().zip(&partials) {
        Builder::before(end).make(Kind::MemrefStore, &[value, *partial, k, row], &[], &[]);
    }
    let (b, row) = (Builder::before(plan.inner), nest.entry().argument(0));
    let (kinds, types) = (kinds(plan.inner), types_of(&plan.sums));
    let neutral = |(kind, ty): (&ResultKind, &Type)| b.constant(reduction::neutral(*kind, *ty), *ty);
    let inits: Vec<Value> = kinds.iter().zip(&types).map(neutral).collect();
    let body = nests::body(1, &inits, nest.location());
    let adding = Builder::at_end(body, nest.location());
    let arguments = body.arguments();
    let fastmath = plan.inner.attribute("fastmath");
    let combined = partials.iter().enumerate().map(|(r, partial)| {
        let load = adding.value(Kind::MemrefLoad, &[*partial, arguments[0], row], types[r], &[]);
        reduction::combine(adding, kinds[r], arguments[r + 1], load, fastmath, true)
    });
    adding.make(Kind::SweepYield, &combined.collect::<Vec<_>>(), &[], &[]);
    let all = nests::nest(b, &[blocks], &inits, &vec![ResultKind::Fold; types.len()], &types, body);
    plan.inner.replace_with(all.results());
    true
}

/// A nest whose iterations share arrays, such as sums along columns, and the nest inside that is divided.
struct Columns {
    inner: Op,
    /// The number of iterations of the index that is divided.
    extent: Value,
    /// The least number of iterations in a block.
    unit: i64,
    /// The sums of the nest inside.
    sums: Vec<Value>,
}

impl Columns {
    /// Returns `None` if iterations of the index of the nest inside are not independent.
    fn of(nest: Op) -> Option<Columns> {
        let ops = nest.entry().ops();
        let (mut regions, mut rest) = (ops.iter().filter(|op| op.num_regions() > 0), ops.iter());
        let inner = *regions.next().filter(|op| op.kind() == Kind::SweepNest)?;
        let (extent, index) = (*inner.operand_segment(0).first()?, *indices(inner).first()?);
        if regions.next().is_some() || nest.num_results() > 0 || is_made_inside(extent, nest) {
            return None;
        }
        let (all, own) = (Accesses::of(nest)?, Accesses::of(inner)?);
        let bytes = own.writes.iter().map(|memory| element_bytes(memory.ty())).min()?;
        let unit = (ROW_BYTES / bytes) as i64;
        if known(extent).is_some_and(|n| n < 2 * unit) {
            return None;
        }
        if inner.num_results() == 0 {
            let independent = all.count == own.count && all.are_disjoint(index, nest);
            return independent.then_some(Columns { inner, extent, unit, sums: vec![] });
        }
        // The rest of an iteration runs after all iterations of the nest inside.
        let before: Vec<Op> = rest.by_ref().take_while(|op| **op != inner).copied().collect();
        let (before, after) = (Accesses::of_ops(before)?, Accesses::of_ops(rest.copied().collect())?);
        let apart = |writes: &Accesses, others: &Accesses| {
            others.all.iter().all(|access| !writes.writes.contains(&root(access.memory)))
        };
        let row = *indices(nest).first()?;
        let independent = kinds(inner).iter().all(|kind| kind.is_reduction())
            && nest.operand_segment(0).len() == 1
            && before.count == 0
            && apart(&own, &before)
            && apart(&own, &after)
            && apart(&after, &before)
            && apart(&after, &own)
            && own.are_disjoint(index, nest)
            && after.are_disjoint(row, nest);
        independent.then(|| Columns { inner, extent, unit, sums: inner.results() })
    }
}

/// Checks whether all extents in a nest are known.
fn is_static(nest: Op) -> bool {
    let nests = with_nested(nest).filter(|op| op.kind() == Kind::SweepNest);
    nests.flat_map(|op| op.operand_segment(0)).all(|n| known(n).is_some())
}

/// An access of memory: the buffer, the indices, and whether it is a write.
struct Access {
    memory: Value,
    position: Vec<Value>,
}

/// The accesses of memory in a nest.
struct Accesses {
    all: Vec<Access>,
    /// The arrays that are written.
    writes: HashSet<Value>,
    /// The number of writes.
    count: usize,
}

impl Accesses {
    /// Returns `None` if the nest may have effects other than loads and stores.
    fn of(nest: Op) -> Option<Accesses> {
        Accesses::of_ops(nest.nested_ops())
    }

    /// Returns the accesses of these ops, without those in their regions.
    fn of_ops(ops: Vec<Op>) -> Option<Accesses> {
        let mut found = Accesses { all: vec![], writes: HashSet::new(), count: 0 };
        for op in ops {
            let at = match op.kind() {
                Kind::MemrefLoad => 0,
                Kind::MemrefStore | Kind::SweepAdd => 1,
                Kind::SweepNest | Kind::SweepYield | Kind::SweepScratch | Kind::ScfIf | Kind::ScfFor => continue,
                Kind::ScfYield | Kind::ScfWhile | Kind::ScfCondition => continue,
                Kind::MemrefDim | Kind::MemrefView | Kind::MemrefReinterpretCast | Kind::MemrefGetGlobal => continue,
                kind if matches!(kind.dialect(), "arith" | "math") => continue,
                _ => return None,
            };
            let memory = op.operand(at);
            found.all.push(Access { memory, position: op.operands()[at + 1..].to_vec() });
            if at == 1 {
                found.writes.insert(root(memory));
                found.count += 1;
            }
        }
        Some(found)
    }

    /// Checks whether accesses to the same written element occur only in iterations with the same `index`: all accesses
    /// to a written array have the same position on one of its axes, `index` or its sum with a value from outside.
    fn are_disjoint(&self, index: Value, nest: Op) -> bool {
        let written = |access: &&Access| self.writes.contains(&root(access.memory));
        let mut by_array: HashMap<Value, Vec<&Access>> = HashMap::new();
        self.all.iter().filter(written).for_each(|a| by_array.entry(root(a.memory)).or_default().push(a));
        by_array.values().all(|accesses| {
            let first = accesses[0];
            // Views with other sizes show the same memory at other positions.
            let is_same = accesses.iter().all(|a| a.memory == first.memory);
            is_same && !is_made_inside(first.memory, nest) && {
                (0..first.position.len()).any(|axis| {
                    let at = shift(first.position[axis], index, nest);
                    at.is_some() && accesses.iter().all(|a| shift(a.position[axis], index, nest) == at)
                })
            }
        })
    }
}
