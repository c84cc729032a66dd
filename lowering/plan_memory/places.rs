//! Which place an array is computed in, and how large it is.

use super::{Nest, Place, Plan};
use crate::ir::*;
use mlopt_dialects::Reported;
use mlopt_dialects::sweep::Kind;

impl Plan {
    /// Where the result `value` of a nest is to be computed: where its consumer wants it, else in the arena.
    pub(super) fn destination(&mut self, value: Value) -> Result<Place, Reported> {
        if let Some(place) = self.destinations.get(&value) {
            return Ok(place.clone());
        }
        let place = match self.wanted(value)? {
            Some(place) => place,
            None => {
                let (op, _) = value.defining_op().expect("the result of a nest");
                let sizes = self.entry_sizes(value, op)?;
                let until = self.last_use(value);
                self.arena.place(value.ty(), &sizes, Some(until), op.location())
            }
        };
        self.destinations.insert(value, place.clone());
        Ok(place)
    }

    fn wanted(&mut self, value: Value) -> Result<Option<Place>, Reported> {
        let uses = value.uses();
        for (user, k) in &uses {
            if user.name() == "func.return"
                && let Some(out) = self.outputs[*k].take()
            {
                return Ok(Some(Place::of(out)));
            }
        }
        // An init that nothing else needs is computed in the place of the carried array.
        if let [(user, operand)] = uses[..]
            && user.name() == "sweep.nest"
            && user.block() == value.block()
        {
            let nest = Nest::of(user);
            let (r, _, _) = nest.folds[operand - nest.extents.len()];
            return self.destination(user.result(r)).map(Some);
        }
        Ok(None)
    }

    /// The block of `value`, and the position there of the last op that needs it, itself or inside.
    fn last_use(&mut self, value: Value) -> (Block, usize) {
        let home = value.block().expect("a result is in a block");
        let (maker, _) = value.defining_op().expect("the result of a nest");
        let mut last = self.position(maker);
        for (user, _) in value.uses() {
            if let Some(around) = ancestor_in(user, home) {
                last = last.max(self.position(around));
            }
        }
        (home, last)
    }

    /// The position of an op in its block; each block is counted once.
    pub(super) fn position(&mut self, op: Op) -> usize {
        if let Some(p) = self.positions.get(&op) {
            return *p;
        }
        let block = op.block().expect("an op of the old function is in a block");
        self.positions.extend(block.ops().into_iter().enumerate().map(|(p, op)| (op, p)));
        self.positions[&op]
    }

    /// Scratch for an array like `value`, until the block that is being emitted ends.
    pub(super) fn scratch(&mut self, value: Value, user: Op) -> Result<Place, Reported> {
        let sizes = self.entry_sizes(value, user)?;
        Ok(self.arena.place(value.ty(), &sizes, None, user.location()))
    }

    fn entry_sizes(&mut self, value: Value, user: Op) -> Result<Vec<Value>, Reported> {
        (0..value.ty().rank())
            .map(|axis| match self.old_size(value, axis)? {
                OldSize::Known(n) => Ok(self.entry_index(n as i64)),
                OldSize::Value(v) => self.entry_value(v, user),
                OldSize::Argument(buffer, axis) => Ok(self.entry_dim(buffer, axis)),
            })
            .collect()
    }

    /// The size of an axis as a new value that is visible where the next op is emitted.
    pub(super) fn size(&mut self, value: Value, axis: usize, user: Op) -> Result<Value, Reported> {
        match self.old_size(value, axis)? {
            OldSize::Known(n) => Ok(self.entry_index(n as i64)),
            OldSize::Value(v) => match self.scalars.get(&v) {
                Some(new)
                    if v.block().is_some_and(|home| Some(home) == self.old.body() || self.open.contains(&home)) =>
                {
                    Ok(*new)
                }
                _ => self.entry_value(v, user),
            },
            OldSize::Argument(buffer, axis) => Ok(self.entry_dim(buffer, axis)),
        }
    }

    pub(super) fn entry_index(&self, n: i64) -> Value {
        Builder::at_end(self.entry, self.old.location()).index(n)
    }

    fn entry_dim(&self, buffer: Value, axis: usize) -> Value {
        let b = Builder::at_end(self.entry, self.old.location());
        let axis = b.index(axis as i64);
        b.value("memref.dim", &[buffer, axis], self.ctx.index(), &[])
    }

    fn old_size(&self, value: Value, axis: usize) -> Result<OldSize, Reported> {
        if let Some(n) = value.ty().shape()[axis] {
            return Ok(OldSize::Known(n));
        }
        if let Some((block, k)) = value.block_argument() {
            if Some(block) == self.old.body() {
                return Ok(OldSize::Argument(self.entry.argument(k), axis));
            }
            let op = block.parent_op().expect("a block with arguments is in a nest");
            let nest = Nest::of(op);
            let (_, init, _) = nest.folds[k - nest.extents.len()];
            return self.old_size(init, axis);
        }
        let (op, r) = value.defining_op().expect("a result or an argument");
        if op.name() != "sweep.nest" {
            return Err(op.not_supported("an array that no sweep made"));
        }
        let nest = Nest::of(op);
        match nest.kinds[r] {
            Kind::Fold => {
                let (_, init, _) = nest.folds.iter().find(|(result, ..)| *result == r).expect("verified");
                self.old_size(*init, axis)
            }
            _ if axis < nest.extents.len() => Ok(OldSize::Value(nest.extents[axis])),
            _ => {
                let yielded = op.body().and_then(Block::terminator).expect("verified").operand(r);
                self.old_size(yielded, axis - nest.extents.len())
            }
        }
    }

    /// An old `index` as a value at the new entry; for one that depends on loop indices, a bound from above.
    pub(super) fn entry_value(&mut self, old: Value, user: Op) -> Result<Value, Reported> {
        if let Some(v) = self.at_entry.get(&old) {
            return Ok(*v);
        }
        let at_top = old.block() == self.old.body();
        let value = match self.scalars.get(&old) {
            Some(new) if at_top => *new,
            _ => self.bound(old, user)?,
        };
        self.at_entry.insert(old, value);
        Ok(value)
    }

    fn bound(&mut self, old: Value, user: Op) -> Result<Value, Reported> {
        let b = Builder::at_end(self.entry, user.location());
        let unbounded = || user.not_supported("scratch memory whose size depends on what is computed in a loop");
        if let Some((block, k)) = old.block_argument() {
            let nest = block.parent_op().filter(|op| op.name() == "sweep.nest").ok_or_else(unbounded)?;
            let extent = *nest.operand_segment(0).get(k).ok_or_else(unbounded)?;
            let extent = self.entry_value(extent, user)?;
            let one = b.index(1);
            return Ok(b.same("arith.subi", &[extent, one]));
        }
        let (op, _) = old.defining_op().expect("a result or an argument");
        match op.name() {
            "arith.constant" => Ok(b.insert(op.clone_op()).result(0)),
            "tensor.dim" => {
                let axis = op.operand(1).defining_op().and_then(|(c, _)| c.attribute("value")?.as_i64());
                let axis = axis.ok_or_else(unbounded)? as usize;
                match self.old_size(op.operand(0), axis)? {
                    OldSize::Known(n) => Ok(self.entry_index(n as i64)),
                    OldSize::Value(v) => self.entry_value(v, user),
                    OldSize::Argument(buffer, axis) => Ok(self.entry_dim(buffer, axis)),
                }
            }
            // These grow with their operands, which are sizes or indices.
            "arith.addi" | "arith.maxsi" | "arith.minsi" => {
                let operands = [self.entry_value(op.operand(0), user)?, self.entry_value(op.operand(1), user)?];
                Ok(b.same(op.name(), &operands))
            }
            "arith.subi" => {
                let constant = |v: Value| v.defining_op().is_some_and(|(c, _)| c.name() == "arith.constant");
                if !constant(op.operand(1)) {
                    // At most the first operand when the second is an index or a size; a negative one is not a size here.
                    let (x, y) = (self.entry_value(op.operand(0), user)?, op.operand(1));
                    let is_index =
                        y.block_argument().is_some() || y.defining_op().is_some_and(|(d, _)| d.name() == "tensor.dim");
                    return if is_index { Ok(x) } else { Err(unbounded()) };
                }
                let operands = [self.entry_value(op.operand(0), user)?, self.entry_value(op.operand(1), user)?];
                Ok(b.same(op.name(), &operands))
            }
            _ => Err(unbounded()),
        }
    }
}

/// What an axis' size is in the old program.
enum OldSize {
    Known(usize),
    Value(Value),
    /// The size of an axis of an argument's buffer.
    Argument(Value, usize),
}

/// The op of `block` that is `op` or has it inside.
pub(super) fn ancestor_in(op: Op, block: Block) -> Option<Op> {
    let mut around = op;
    while around.block() != Some(block) {
        around = around.parent_op()?;
    }
    Some(around)
}
