//! Transposing copies, square by square in vector registers.
//!
//! In `z[i, j] = x[j, i]`, neighbouring elements of `z` are far apart in `x`. LLVM reads them with gathers, which take
//! one address per lane. Here a square of `x` with L rows is read as L vectors, transposed by shuffles, and stored as L
//! vectors:
//!
//! ```text
//! nest (i < m, j < n) {       →    for i in squares of m { for j in squares of n {
//!   z[i, j] = x[j, i] }              z[i.., j..] = transposed x[j.., i..] } }
//! ```
//! The last square of each axis starts L indices before the end, so that it may overlap the one before: elements in
//! both are copied twice. If an extent is known only at run time and is less than L, the remaining nest copies.

use crate::contraction::{Registers, depends, has_unit_stride, runs_along, transpose};
use crate::ir::*;
use crate::loops::invariants::root;
use crate::nests::indices;
use crate::scf::{branch, for_outermost, repeat};

/// The minimum number of rows of a square.
const LEAST: usize = 4;

/// Emits `nest` by squares, if it is a transposing copy. Returns whether all of it was emitted; otherwise the remaining
/// nest has been moved to a branch for small extents.
pub fn vectorise(nest: Op, registers: Registers) -> Option<bool> {
    let copy = Copy::of(nest, registers)?;
    let b = Builder::before(nest);
    let side = b.index(copy.side as i64);
    let small: Vec<Value> =
        [copy.row, copy.column].map(|k| copy.extent(k)).into_iter().filter(|n| known(*n).is_none()).collect();
    let fits =
        small.into_iter().map(|n| b.compare(Compare::Sge, n, side)).reduce(|x, y| b.same(Kind::ArithAndi, &[x, y]));
    let Some(fits) = fits else {
        copy.emit(0, vec![], b);
        return Some(true);
    };
    let blocks = [(); 2].map(|_| Block::new(&[]));
    branch(b, fits, &[], blocks);
    let ends = blocks.map(|block| Builder::at_end(block, b.location).make(Kind::ScfYield, &[], &[], &[]));
    copy.emit(0, vec![], Builder::before(ends[0]));
    nest.move_before(ends[1]);
    Some(false)
}

/// A nest that stores each element that it reads at another position.
struct Copy {
    nest: Op,
    load: Op,
    store: Op,
    /// The axis along which elements are read, and the axis along which they are stored.
    row: usize,
    column: usize,
    /// The number of rows of a square.
    side: usize,
}

impl Copy {
    fn of(nest: Op, registers: Registers) -> Option<Copy> {
        let at = indices(nest);
        let body = nest.body()?;
        if nest.num_results() > 0 || body.num_arguments() != at.len() || at.len() < 2 {
            return None;
        }
        let of_kind = |kind| body.ops().into_iter().filter(move |op| op.kind() == kind);
        let (mut loads, mut stores) = (of_kind(Kind::MemrefLoad), of_kind(Kind::MemrefStore));
        let (load, None, store, None) = (loads.next()?, loads.next(), stores.next()?, stores.next()) else {
            return None;
        };
        let is_index = |op: &Op| op.kind().dialect() == "arith" && op.results().iter().all(|v| v.ty().is_index());
        let others = body.ops().into_iter().filter(|op| ![load, store, body.end()].contains(op));
        if store.operand(0) != load.result(0)
            || root(store.operand(1)) == root(load.operand(0))
            || !others.into_iter().all(|op| is_index(&op))
        {
            return None;
        }
        let (from, to) = (&load.operands()[1..], &store.operands()[2..]);
        let along = |place: &[Value], memory: Value| {
            let axis = (0..at.len()).find(|k| runs_along(place, at[*k], nest))?;
            has_unit_stride(memory.ty()).then_some(axis)
        };
        let (row, column) = (along(from, load.operand(0))?, along(to, store.operand(1))?);
        let moves = |place: &[Value], axis: usize| place.iter().any(|v| depends(*v, at[axis], nest));
        if row == column || !moves(from, column) || !moves(to, row) {
            return None;
        }
        let bytes = load.result(0).ty().element().filter(|_| !load.result(0).ty().is_index())?.bytes();
        let most =
            [row, column].into_iter().filter_map(|k| known(nest.operand_segment(0)[k])).min().unwrap_or(i64::MAX);
        let lanes = (registers.bits / 8 / bytes).min(usize::try_from(most).ok()?);
        let side = if lanes == 0 { 0 } else { 1 << lanes.ilog2() };
        (bytes >= 4 && side >= LEAST).then_some(Copy { nest, load, store, row, column, side })
    }

    fn extent(&self, axis: usize) -> Value {
        self.nest.operand_segment(0)[axis]
    }

    /// Emits the loops from this axis on.
    fn emit(&self, axis: usize, mut at: Vec<Value>, b: Builder) {
        if axis == indices(self.nest).len() {
            return self.square(&at, b);
        }
        let (n, zero) = (self.extent(axis), b.index(0));
        let is_side = axis == self.row || axis == self.column;
        let step = if is_side { self.side } else { 1 };
        let overlaps = is_side && known(n).is_none_or(|n| n % self.side as i64 != 0);
        let body = |b: Builder, i: Value| {
            let last = || b.subi(n, b.index(self.side as i64));
            at.push(if overlaps { b.same(Kind::ArithMinsi, &[i, last()]) } else { i });
            self.emit(axis + 1, at, b);
        };
        // Two threads must not write the same elements, as those of squares that overlap.
        if axis == 0 && !overlaps {
            let (b, i) = for_outermost(b, self.nest, zero, n, b.index(step as i64));
            body(b, i);
        } else {
            repeat(b, zero, n, step, body);
        }
    }

    /// Copies the square at these indices.
    fn square(&self, at: &[Value], b: Builder) {
        let indices = indices(self.nest);
        let place = |places: &[Value], axis: usize, k: usize| {
            let moved = |(i, v): (usize, &Value)| (indices[i], if i == axis { b.plus(*v, k) } else { *v });
            crate::contraction::Copies::new(self.nest).with(at.iter().enumerate().map(moved)).values(places, b)
        };
        let ty = b.context().vector(self.side, self.load.result(0).ty());
        let read = |k| b.value(Kind::VectorLoad, &place(&self.load.operands(), self.column, k), ty, &[]);
        let rows = transpose((0..self.side).map(read).collect(), b);
        for (k, x) in rows.into_iter().enumerate() {
            let to = place(&self.store.operands()[1..], self.row, k);
            b.make(Kind::VectorStore, &[&[x], &to[..]].concat(), &[], &[]);
        }
    }
}
