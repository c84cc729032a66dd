//! Scratch memory that a pass after `plan-memory` adds to a function of arrays, and the request for it in `@f.sizes`.

use crate::abi::{ALLOCATES, SIGNATURE};
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// The alignment of arrays in bytes: a cache line.
const ALIGNMENT: i64 = 64;

/// Scratch memory at the end of the arena of a function.
pub struct MoreScratch {
    function: Op,
    sizes: Op,
    arena: Value,
    /// The number of bytes that have been added, a value at the entry.
    bytes: Option<Value>,
}

impl MoreScratch {
    /// Returns `None` if the function is not one that `plan-memory` returns.
    pub fn of(function: Op, symbols: &Symbols) -> Option<MoreScratch> {
        let sizes = symbols.get(&format!("{}.sizes", function.symbol()?))?;
        let arena = function.body()?.arguments().last().copied()?;
        let is_planned = *arena.ty().to_string() == *"memref<?xi8>" && function.attribute(ALLOCATES).is_none();
        is_planned.then_some(MoreScratch { function, sizes, arena, bytes: None })
    }

    /// Returns memory at `b`, in the entry block, for an array of this contiguous type. Returns `None` if the function
    /// `@f.sizes` cannot compute its size: `sizes`, the dynamic ones, must be arithmetic on sizes of inputs.
    pub fn place(&mut self, ty: Type, sizes: &[Value], b: Builder) -> Option<Value> {
        let store = self.request()?;
        if b.block != self.function.entry() || !sizes.iter().all(|n| self.is_of_sizes(*n)) {
            return None;
        }
        let known: usize = ty.shape().into_iter().flatten().product();
        let mut bytes = b.index((known * element_bytes(ty)) as i64);
        for n in sizes {
            bytes = b.muli(bytes, *n);
        }
        // The start is rounded down to a multiple of the alignment.
        let bytes = b.addi(bytes, b.index(ALIGNMENT));
        let all = self.bytes.map_or(bytes, |before| b.addi(before, bytes));
        let start = b.andi(b.subi(b.size_of(self.arena, 0), all), b.index(-ALIGNMENT));
        self.bytes = Some(all);

        let before = Builder::before(store);
        let more = self.in_sizes(bytes, before, &mut HashMap::new());
        let old = store.operand(0);
        let more = before.value(Kind::ArithIndexCast, &[more], old.ty(), &[]);
        store.set_operand(0, before.addi(old, more));
        Some(b.value(Kind::MemrefView, &[&[self.arena, start], sizes].concat(), ty, &[]))
    }

    /// Returns the op that stores the size of the scratch memory.
    fn request(&self) -> Option<Op> {
        let answer = self.sizes.body()?.arguments().last().copied()?;
        let is_it = |op: &Op| op.num_operands() == 3 && op.operand(1) == answer && known(op.operand(2)) == Some(1);
        nested_of(self.sizes, Kind::MemrefStore).into_iter().find(is_it)
    }

    fn is_of_sizes(&self, value: Value) -> bool {
        let signature = self.function.attribute(SIGNATURE).and_then(|a| a.as_type()?.signature());
        let inputs = signature.map_or(0, |(inputs, _)| inputs.len());
        let is_input =
            |v: Value| matches!(v.block_argument(), Some((b, k)) if b == self.function.entry() && k < inputs);
        let (mut open, mut seen) = (vec![value], HashSet::new());
        while let Some(value) = open.pop() {
            let Some((op, _)) = value.defining_op() else { return false };
            match op.kind() {
                Kind::MemrefDim if is_input(op.operand(0)) && known(op.operand(1)).is_some() => {}
                kind if kind.dialect() == "arith" => open.extend(op.operands().into_iter().filter(|v| seen.insert(*v))),
                _ => return false,
            }
        }
        true
    }

    /// Emits a value for which [`Self::is_of_sizes`] holds in `@f.sizes`.
    fn in_sizes(&self, value: Value, b: Builder, done: &mut HashMap<Value, Value>) -> Value {
        if let Some(new) = done.get(&value) {
            return *new;
        }
        let (op, r) = value.defining_op().expect("arithmetic on sizes");
        let operand = |v: Value, done: &mut HashMap<Value, Value>| match v.block_argument() {
            Some((_, k)) => self.sizes.entry().argument(k),
            None => self.in_sizes(v, b, done),
        };
        let operands: Vec<Value> = op.operands().into_iter().map(|v| operand(v, done)).collect();
        let new = b.copy_with(op, &operands).result(r);
        done.insert(value, new);
        new
    }
}
