//! The arena: a stack of arrays, with offsets that are computed at the entry of the function.

use crate::ir::*;
use std::collections::HashMap;

/// Arrays start at multiples of a cache line, in bytes.
const ALIGNMENT: i64 = 64;

struct Slot {
    /// Offset behind this array, in bytes: a value at the entry.
    end: Value,
    /// The block in which the array is used, and the position of the last op there that needs it; `None` while its
    /// owner decides.
    until: Option<(Block, usize)>,
}

pub struct Arena {
    entry: Block,
    base: Value,
    slots: Vec<Slot>,
    /// Every offset that was the end of a slot.
    ends: Vec<Value>,
    /// Bytes per element and sizes of every array ever placed, for the check against overflow.
    pub placed: Vec<(i64, Vec<Value>)>,
    constants: HashMap<i64, Value>,
}

impl Arena {
    pub fn new(entry: Block, base: Value) -> Arena {
        Arena { entry, base, slots: vec![], ends: vec![], placed: vec![], constants: HashMap::new() }
    }

    pub fn depth(&self) -> usize {
        self.slots.len()
    }

    /// Frees all but the first `depth` slots.
    pub fn cut(&mut self, depth: usize) {
        self.slots.truncate(depth);
    }

    /// Frees the slots on top that no op of `block` from `position` on needs.
    pub fn free_dead(&mut self, block: Block, position: usize) {
        while let Some(Slot { until: Some((home, last)), .. }) = self.slots.last()
            && *home == block
            && *last < position
        {
            self.slots.pop();
        }
    }

    /// A buffer of this tensor type; `sizes` are values at the entry, one per axis.
    pub fn place(&mut self, ty: Type, sizes: &[Value], until: Option<(Block, usize)>, location: Location) -> Value {
        let b = Builder::at_end(self.entry, location);
        let bytes = ty.element().expect("verified: an element of the array language").bytes() as i64;
        let start = match self.slots.last() {
            Some(slot) => slot.end,
            None => self.index(0, b),
        };
        let memref = b.context().memref(&ty.shape(), ty.scalar());
        let dynamic: Vec<Value> =
            ty.shape().iter().zip(sizes).filter(|(d, _)| d.is_none()).map(|(_, size)| *size).collect();
        let buffer = b.value("memref.view", &[&[self.base, start], dynamic.as_slice()].concat(), memref, &[]);

        let mut length = self.index(bytes, b);
        for size in sizes {
            length = b.same("arith.muli", &[length, *size]);
        }
        // Up to the next multiple of the alignment, and never empty: the first element may be read.
        let pad = self.index(ALIGNMENT, b);
        let mask = self.index(-ALIGNMENT, b);
        let length = b.same("arith.addi", &[length, pad]);
        let length = b.same("arith.andi", &[length, mask]);
        let end = b.same("arith.addi", &[start, length]);
        self.placed.push((bytes, sizes.to_vec()));
        self.slots.push(Slot { end, until });
        self.ends.push(end);
        buffer
    }

    /// Bytes that the function needs: a value at the entry.
    pub fn total(&mut self, location: Location) -> Value {
        let b = Builder::at_end(self.entry, location);
        let zero = self.index(0, b);
        self.ends.iter().fold(zero, |most, end| b.same("arith.maxsi", &[most, *end]))
    }

    fn index(&mut self, n: i64, b: Builder) -> Value {
        *self.constants.entry(n).or_insert_with(|| b.index(n))
    }
}
