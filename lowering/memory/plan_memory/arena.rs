//! The arena, a stack of arrays. The offset of each array is computed at the entry of the function.

use crate::ir::*;
use std::collections::HashMap;

/// The alignment of arrays in bytes: a cache line.
const ALIGNMENT: i64 = 64;

struct Slot {
    /// The offset of the end of this array in bytes, a value at the entry.
    end: Value,
    /// The block in which the array is used, and the position of the last op there that needs it; `None` if
    /// [`Arena::cut`] frees the array.
    until: Option<(Block, usize)>,
}

pub struct Arena {
    entry: Block,
    base: Value,
    slots: Vec<Slot>,
    /// The offsets of the ends of all slots so far.
    ends: Vec<Value>,
    /// The bytes per element and the sizes of every array ever placed, for the overflow check.
    pub placed: Vec<(i64, Vec<Value>)>,
    constants: HashMap<i64, Value>,
    /// Set while the body of a nest for several threads is emitted.
    private: Option<Private>,
}

/// Memory of which each thread has its own copy.
struct Private {
    /// The length of [`Arena::ends`] when private placement started.
    ends: usize,
    arrays: Vec<Op>,
}

/// The maximum size in bytes of the arrays of all threads together, if there is more than one thread.
const PRIVATE_BYTES: i64 = 1 << 28;

impl Arena {
    pub fn new(entry: Block, base: Value) -> Arena {
        Arena { entry, base, slots: vec![], ends: vec![], placed: vec![], constants: HashMap::new(), private: None }
    }

    pub fn depth(&self) -> usize {
        self.slots.len()
    }

    /// Frees all slots except the first `depth`.
    pub fn cut(&mut self, depth: usize) {
        self.slots.truncate(depth);
    }

    /// Frees the topmost slots that no op of `block` needs from `position` on.
    pub fn free_dead(&mut self, block: Block, position: usize) {
        while let Some(Slot { until: Some((home, last)), .. }) = self.slots.last()
            && *home == block
            && *last < position
        {
            self.slots.pop();
        }
    }

    /// Starts private placement: until [`Arena::shared`], arrays belong to the iteration that is being emitted.
    pub fn private(&mut self) {
        self.private = Some(Private { ends: self.ends.len(), arrays: Vec::new() });
    }

    pub fn is_private(&self) -> bool {
        self.private.is_some()
    }

    /// Ends private placement: gives each of at most `threads` threads its own copy of the arrays placed since
    /// [`Arena::private`].
    pub fn shared(&mut self, threads: i64, location: Location) {
        let Some(Private { ends, arrays }) = self.private.take().filter(|p| !p.arrays.is_empty()) else { return };
        let b = Builder::at_end(self.entry, location);
        let base = self.top(b);
        let last = self.ends[ends + 1..].iter().fold(self.ends[ends], |most, end| b.maxsi(most, *end));
        let stride = b.subi(last, base);
        let [all, one, limit] = [PRIVATE_BYTES, 1, threads].map(|n| self.index(n, b));
        let copies = b.same(Kind::ArithDivui, &[all, stride]);
        let copies = b.maxsi(b.minsi(copies, limit), one);
        self.ends.push(b.addi(base, b.muli(copies, stride)));
        for array in arrays {
            array.set_operand(2, stride);
            array.set_operand(3, copies);
        }
    }

    /// Returns the start of the next array.
    fn top(&mut self, b: Builder) -> Value {
        match self.slots.last() {
            Some(slot) => slot.end,
            None => self.index(0, b),
        }
    }

    /// Returns a buffer of this tensor type; `sizes` are values at the entry, one per axis. It is created at the entry,
    /// or at `user` if it is private.
    pub fn place(&mut self, ty: Type, sizes: &[Value], until: Option<(Block, usize)>, user: Builder) -> Value {
        let b = Builder::at_end(self.entry, user.location);
        let bytes = element_bytes(ty) as i64;
        let start = self.top(b);
        let memref = b.context().memref(&ty.shape(), ty.scalar());
        let dynamic = dynamic(ty, sizes);
        let buffer = match &mut self.private {
            None => b.value(Kind::MemrefView, &[&[self.base, start], dynamic.as_slice()].concat(), memref, &[]),
            Some(private) => {
                // `shared` sets the stride and the number of copies.
                let operands = [&[self.base, start, start, start], dynamic.as_slice()].concat();
                let array = user.make(Kind::SweepPrivate, &operands, &[memref], &[]);
                private.arrays.push(array);
                array.result(0)
            }
        };

        let mut length = self.index(bytes, b);
        for size in sizes {
            length = b.muli(length, *size);
        }
        // The size is rounded up to a multiple of the alignment, and is never zero, because the first element may be
        // read.
        let [pad, mask] = [ALIGNMENT, -ALIGNMENT].map(|n| self.index(n, b));
        let rounded = b.andi(b.addi(length, pad), mask);
        let end = b.addi(start, rounded);
        self.placed.push((bytes, sizes.to_vec()));
        self.slots.push(Slot { end, until });
        self.ends.push(end);
        buffer
    }

    /// Returns the number of bytes that the function needs, a value at the entry.
    pub fn total(&mut self, location: Location) -> Value {
        let b = Builder::at_end(self.entry, location);
        let zero = self.index(0, b);
        self.ends.iter().fold(zero, |most, end| b.maxsi(most, *end))
    }

    fn index(&mut self, n: i64, b: Builder) -> Value {
        *self.constants.entry(n).or_insert_with(|| b.index(n))
    }
}

/// Returns the sizes of the dynamic axes of a type, given the sizes of all axes.
pub fn dynamic(ty: Type, sizes: &[Value]) -> Vec<Value> {
    ty.shape().iter().zip(sizes).filter(|(d, _)| d.is_none()).map(|(_, size)| *size).collect()
}
