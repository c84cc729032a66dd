//! Liveness of arrays: determines which arrays may not share memory.

use crate::ir::*;
use crate::nests::{indices, kinds};
use mlopt_dialects::sweep::ResultKind;
use std::collections::{HashMap, HashSet};

/// The time at which the computation of a value writes its memory.
#[derive(Clone, Copy)]
enum Write {
    /// Never: the value is another view of memory that has already been written.
    Never,
    /// By this op, at its end.
    At(Op),
    /// By this nest, element by element.
    During(Op),
    /// By this loop, before and after each iteration.
    Loop(Op),
    /// By this op, a `sweep.reshape` that copies its operand.
    Copy(Op),
}

/// Liveness queries on one function on tensors. The answers are cached, so the function must not change.
#[derive(Default)]
pub struct Live {
    /// Positions of ops in their blocks; each block is numbered once.
    positions: HashMap<Op, usize>,
    /// The uses that read an array.
    uses: HashMap<Value, Vec<Op>>,
    /// The ops `sweep.reshape` that copy their operands.
    pub copies: HashSet<Op>,
}

impl Live {
    pub fn position(&mut self, op: Op) -> usize {
        if let Some(p) = self.positions.get(&op) {
            return *p;
        }
        let block = enclosing_block(op);
        self.positions.extend(block.ops().into_iter().enumerate().map(|(p, op)| (op, p)));
        self.positions[&op]
    }

    fn uses(&mut self, value: Value) -> &[Op] {
        self.uses.entry(value).or_insert_with(|| {
            value.uses().into_iter().map(|(user, _)| user).filter(|user| user.kind() != Kind::TensorDim).collect()
        })
    }

    /// Checks whether `u` and `v` must not share memory because one is written while the other is live. If they are
    /// `aligned`, elements at equal indices would be at the same position.
    pub fn conflict(&mut self, u: Value, v: Value, aligned: bool) -> bool {
        let [write_u, write_v] = [u, v].map(|value| self.write_of(value));
        u != v && (together(u, v) || self.destroys(write_v, u, aligned) || self.destroys(write_u, v, aligned))
    }

    fn write_of(&self, value: Value) -> Write {
        let Some((op, r)) = value.defining_op() else {
            let around = value.block().and_then(Block::parent_op);
            return around.filter(|op| is_loop(*op)).map_or(Write::Never, Write::Loop);
        };
        match op.kind() {
            Kind::SweepNest if kinds(op)[r] == ResultKind::Map => Write::During(op),
            Kind::SweepNest | Kind::ScfWhile => Write::Loop(op),
            Kind::SweepReshape if self.copies.contains(&op) => Write::Copy(op),
            Kind::SweepReshape | Kind::ArithConstant => Write::Never,
            _ => Write::At(op),
        }
    }

    /// Checks whether a write of another array would overwrite elements of `u` that are needed later; for `aligned`,
    /// see [`Live::conflict`].
    fn destroys(&mut self, write: Write, u: Value, aligned: bool) -> bool {
        let (Write::At(op) | Write::During(op) | Write::Loop(op) | Write::Copy(op)) = write else { return false };
        let Some(around) = ancestor_in(op, defining_block(u)) else { return false };
        if let Some((maker, r)) = u.defining_op() {
            if maker == around {
                // The write is part of the computation of `u`. It overwrites rows of `u` if these are stored one by
                // one.
                return maker != op && maker.kind() == Kind::SweepNest && kinds(maker)[r] == ResultKind::Map;
            }
            if self.position(maker) > self.position(around) {
                return false;
            }
        }
        let harmless_inside = match write {
            Write::At(_) | Write::Never => true,
            Write::Copy(_) => op.operand(0) != u,
            Write::During(_) if aligned => self.reads_same_elements(u, op),
            Write::During(_) | Write::Loop(_) => !self.uses(u).iter().any(|user| is_inside(*user, op)),
        };
        !harmless_inside || self.needed_after(u, op)
    }

    /// Checks whether `u`, which is available at `op`, may be read after `op`.
    fn needed_after(&mut self, u: Value, op: Op) -> bool {
        let (users, home) = (self.uses(u).to_vec(), u.block());
        let mut at = op;
        loop {
            let block = enclosing_block(at);
            let position = self.position(at);
            let mut around = users.iter().filter_map(|user| ancestor_in(*user, block));
            let is_later = around.any(|around| self.position(around) > position);
            if is_later || home == Some(block) {
                return is_later;
            }
            let Some(around) = block.parent_op() else { return true };
            at = around;
            // The next iteration reads it.
            if is_loop(at) && users.iter().any(|user| is_inside(*user, at)) {
                return true;
            }
        }
    }

    /// Checks whether the nest reads `u` only at the element that it is about to write.
    fn reads_same_elements(&mut self, u: Value, nest: Op) -> bool {
        let indices = indices(nest);
        let whole = indices.len() == u.ty().rank();
        let mut users = self.uses(u).iter().filter(|user| is_inside(**user, nest));
        users.all(|user| whole && user.kind() == Kind::TensorExtract && user.operands()[1..] == indices)
    }

    /// Returns the part of `block` in which `value` is live: the positions of the first and the last op.
    pub fn range(&mut self, value: Value, block: Block) -> (usize, usize) {
        let start = value.defining_op().map(|(maker, _)| maker).or_else(|| value.block().and_then(Block::parent_op));
        let start = start.and_then(|op| ancestor_in(op, block)).map_or(0, |op| self.position(op));
        let users = self.uses(value).to_vec().into_iter().filter_map(|user| ancestor_in(user, block));
        let end = users.map(|around| self.position(around)).fold(start, usize::max);
        (start, end)
    }
}

/// Checks whether two values are results of the same op or arguments of the same block.
fn together(u: Value, v: Value) -> bool {
    match (u.defining_op(), v.defining_op()) {
        (Some((a, _)), Some((b, _))) => a == b,
        (None, None) => u.block() == v.block(),
        _ => false,
    }
}

/// Checks whether the regions of `op` run more than once.
pub fn is_loop(op: Op) -> bool {
    matches!(op.kind(), Kind::SweepNest | Kind::ScfWhile)
}
