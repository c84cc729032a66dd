//! Code that moves elements outside of sweeps: copies, additions, joins and reshapes.

use super::Plan;
use super::groups::Home;
use super::slices::{BufferSlice, is_row};
use crate::ir::*;
use mlopt_dialects::ops::sweep;

/// A copy of an array to other memory.
pub struct Move {
    pub value: Value,
    pub from: BufferSlice,
    /// The group whose memory is read, and the group whose memory is written.
    pub source: usize,
    pub target: usize,
    pub to: BufferSlice,
}

impl Plan<'_> {
    /// Returns the move of `value` to the memory of `target`, or `None` if it is already there.
    pub(super) fn move_to(&mut self, value: Value, target: Value, b: Builder) -> Result<Option<Move>> {
        let (here, there) = (self.groups.group(value), self.groups.group(target));
        if here == there {
            return Ok(None);
        }
        let (from, to) = (self.slice_of(value, b)?, self.slice_of(target, b)?);
        let (source, target) = (self.groups.root_of(here), self.groups.root_of(there));
        Ok(Some(Move { value, from, source, target, to }))
    }

    /// Emits copies as if they were simultaneous: memory that another copy overwrites is saved first.
    pub(super) fn copy_together(&mut self, mut moves: Vec<Move>, user: Op, b: Builder) -> Result<()> {
        let targets: Vec<usize> = moves.iter().map(|m| m.target).collect();
        let mut buffers = Vec::new();
        for m in &mut moves {
            if targets.contains(&m.source) {
                let (aside, buffer) = self.scratch(m.value, user, b)?;
                buffers.extend(buffer);
                self.copy(m.value, &m.from, &aside, b)?;
                m.from = aside;
            }
        }
        for m in moves {
            self.copy(m.value, &m.from, &m.to, b)?;
        }
        for buffer in buffers {
            b.make(Kind::MemrefDealloc, &[buffer], &[], &[]);
        }
        Ok(())
    }

    /// Copies the array `like` from one buffer slice to another.
    pub(super) fn copy(&mut self, like: Value, from: &BufferSlice, to: &BufferSlice, b: Builder) -> Result<()> {
        if from == to {
            return Ok(());
        }
        self.loops(like, b, |_, b, indices| {
            to.store(b, from.load(b, indices), indices);
            Ok(())
        })
    }

    /// Creates a nest over all positions of the array `like`.
    fn loops(
        &mut self,
        like: Value,
        b: Builder,
        body: impl FnOnce(&mut Self, Builder, &[Value]) -> Result<()>,
    ) -> Result<()> {
        let rank = like.ty().rank();
        let user = self.old;
        let extents: Vec<Value> = (0..rank).map(|k| self.size(like, k, user, b)).collect::<Result<_, _>>()?;
        let block = block_of_indices(rank, b.location);
        let inner = Builder::at_end(block, b.location);
        body(self, inner, &block.arguments())?;
        inner.make(Kind::SweepYield, &[], &[], &[]);
        let nest = sweep::Nest::create(b, &extents, &[], &[], &[], block);
        if self.threads > 0 && b.block == self.entry && rank > 0 {
            // Reads and writes access disjoint memory.
            nest.with_parallel();
        }
        Ok(())
    }

    /// Lowers `sweep.add` and `sweep.put`, which update one element in place.
    pub(super) fn update_element(&mut self, op: Op, b: Builder) -> Result<()> {
        let (array, z) = (op.operand(1), op.result(0));
        let moves = self.move_to(array, z, b)?;
        self.copy_together(Vec::from_iter(moves), op, b)?;
        let value = self.scalar(op.operand(0));
        let indices = self.all_scalars(&op.operands()[2..]);
        let slice = self.slice_of(z, b)?;
        let update = if op.kind() == Kind::SweepPut { BufferSlice::store } else { BufferSlice::add };
        update(&slice, b, value, &indices);
        Ok(())
    }

    /// Lowers a join. Parts that were not computed in the memory of the result are copied to it.
    pub(super) fn join(&mut self, op: Op, b: Builder) -> Result<()> {
        let z = op.result(0);
        let whole = self.slice_of(z, b)?;
        let root = self.groups.root_of(self.groups.group(z));
        let mut row = b.index(0);
        let mut moves = Vec::new();
        let mut stores = Vec::new();
        for (k, part) in op.operand_segment(0).into_iter().enumerate() {
            let to = match k {
                _ if is_row(part, op) => whole.at(b, &[row]),
                0 => whole.clone(),
                _ => whole.from(b, row),
            };
            let rows = if is_row(part, op) { b.index(1) } else { self.size(part, 0, op, b)? };
            if !part.ty().is_tensor() {
                stores.push((self.scalar(part), to));
            } else if self.groups.home(self.groups.group(part)) != Home::Part(op, k) {
                let (from, group) = (self.slice_of(part, b)?, self.groups.group(part));
                moves.push(Move { value: part, from, source: self.groups.root_of(group), target: root, to });
            }
            row = if k == 0 { rows } else { b.addi(row, rows) };
        }
        self.copy_together(moves, op, b)?;
        stores.into_iter().for_each(|(value, to)| to.store(b, value, &[]));
        Ok(())
    }

    /// Lowers a reshape. It emits nothing if the result shares the memory of the operand; otherwise each element is
    /// copied according to its row-major number.
    pub(super) fn reshape(&mut self, op: Op, b: Builder) -> Result<()> {
        let (x, z) = (op.operand(0), op.result(0));
        if self.groups.group(x) == self.groups.group(z) {
            return Ok(());
        }
        let (from, to) = (self.slice_of(x, b)?, self.slice_of(z, b)?);
        let sizes: Vec<Value> = (0..z.ty().rank()).map(|k| self.size(z, k, op, b)).collect::<Result<_, _>>()?;
        let lengths: Vec<Value> = (0..x.ty().rank()).map(|k| self.size(x, k, op, b)).collect::<Result<_, _>>()?;
        self.loops(z, b, |_, b, indices| {
            let mut number = b.index(0);
            for (i, n) in indices.iter().zip(&sizes) {
                number = b.addi(b.muli(number, *n), *i);
            }
            let element = from.load(b, &b.position(number, &lengths));
            to.store(b, element, indices);
            Ok(())
        })
    }
}
