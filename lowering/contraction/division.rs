//! Division of a contraction into chunks for several threads: consecutive blocks of rows, or of columns if there are
//! few rows. Each chunk has its own scratch memory, which `plan-memory` allocates. The bits of the result do not depend
//! on the chunks, because the order of the terms of a sum does not.

use super::form::Contraction;
use super::loops::even;
use super::registers::{HIGHEST, widest};
use crate::ir::*;
use crate::scf::{DIVIDE, Shares};
use crate::work::{Limits, Work};

/// The maximum number of rows in a block of rows: a multiple of the rows that tiles of all sizes fill.
const ROWS: usize = 144;
/// The number of columns in a block of columns, in panels.
const PANELS: usize = 4;
/// Chunks of a contraction, whose work is the number of its multiplications.
const CHUNKS: Limits = Limits { work: 524_288.0, fewest: 2, most: 32 };

/// The blocks of which chunks consist.
#[derive(Clone, Copy)]
pub struct Blocks {
    pub are_rows: bool,
    /// The number of rows or columns of a block, and of all blocks.
    pub size: usize,
    pub extent: Value,
}

/// Returns the blocks of a contraction, or `None` if one thread is known to be fastest.
pub fn blocks(form: &Contraction) -> Option<Blocks> {
    let numbers: Option<f64> = extents(form).into_iter().map(|n| Some(known(n)?.max(0) as f64)).product();
    if numbers.is_some_and(|n| n < CHUNKS.fewest as f64 * CHUNKS.work) {
        return None;
    }
    let (rows, columns) = (form.extent_of_rows, form.extent_of_columns);
    let width = PANELS * widest(form.element);
    let few_rows = known(rows).is_some_and(|n| n < 2 * ROWS as i64);
    let many_columns = known(columns).is_none_or(|n| n >= 2 * width as i64);
    Some(match few_rows && many_columns {
        true => Blocks { are_rows: false, size: width, extent: columns },
        false => Blocks { are_rows: true, size: rows_of_block(rows), extent: rows },
    })
}

/// Returns the number of rows of blocks that are about equal.
fn rows_of_block(rows: Value) -> usize {
    even(rows, ROWS, 3 * HIGHEST, HIGHEST)
}

fn extents(form: &Contraction) -> Vec<Value> {
    [form.nest.operand_segment(0), form.sum.operand_segment(0)].concat()
}

/// Returns the maximum number of chunks of a contraction with `scratch` memory for as many: `bound` returns an upper
/// bound of an extent. Returns `None` if there is one chunk.
pub fn copies(form: &Contraction, b: Builder, mut bound: impl FnMut(Value) -> Option<Value>) -> Option<Value> {
    let blocks = blocks(form)?;
    let extents: Vec<Value> = extents(form).into_iter().map(&mut bound).collect::<Option<_>>()?;
    let chunks = Work::product(&extents, b).chunks(&CHUNKS, b)?;
    let extent = bound(blocks.extent)?;
    Some(match known(extent).zip(known(chunks)) {
        Some((n, chunks)) => b.index(chunks.min(n.max(1) as usize as i64).min(number(n, blocks.size)).max(1)),
        None => {
            let all = b.same(Kind::ArithCeildivsi, &[b.maxsi(extent, b.index(1)), b.index(blocks.size as i64)]);
            b.minsi(chunks, all)
        }
    })
}

fn number(n: i64, size: usize) -> i64 {
    (n.max(1) as usize).div_ceil(size) as i64
}

/// Checks whether the scratch memory of a contraction suffices for several chunks, as far as sizes are known.
pub fn is_divided(nest: Op) -> bool {
    let memory = children_of(nest, Kind::SweepScratch).first().map(|op| op.operand(0));
    let size = memory.and_then(|v| v.defining_op()?.0.operands().get(2).copied());
    let (Some(size), Some(form)) = (size, Contraction::of(nest)) else { return false };
    let one = super::scratch_elements(&form) as i64;
    blocks(&form).is_some() && known(size).is_none_or(|n| n >= 2 * one)
}

/// The chunks of a contraction.
pub struct Chunks {
    pub blocks: Blocks,
    /// Their maximum number.
    pub most: Value,
    /// The arena, and the start of the scratch memory of the first chunk in bytes.
    arena: Value,
    start: Value,
    /// The number of elements of scratch memory of a chunk.
    elements: usize,
    memory: Type,
}

impl Chunks {
    /// Returns the chunks of a nest with `sweep.divide` and this scratch memory, or `None` if there is one chunk.
    pub fn of(form: &Contraction, memory: Value, elements: usize, b: Builder) -> Option<Chunks> {
        form.nest.attribute(DIVIDE)?;
        let blocks = blocks(form)?;
        let (view, _) = memory.defining_op().filter(|(op, _)| op.kind() == Kind::MemrefView)?;
        let size = *view.operands().get(2)?;
        let elements_value = b.index(elements as i64);
        let most = match known(size) {
            Some(n) if n < 2 * elements as i64 => return None,
            Some(n) => b.index(n / elements as i64),
            None => b.same(Kind::ArithDivui, &[size, elements_value]),
        };
        Some(Chunks { blocks, most, arena: view.operand(0), start: view.operand(1), elements, memory: memory.ty() })
    }

    /// Returns the number of chunks. `extent` is the number of rows or columns.
    pub fn count(&self, extent: Value, b: Builder) -> Value {
        match known(extent).zip(known(self.most)) {
            Some((n, most)) => b.index(most.min(number(n, self.blocks.size))),
            None => b.minsi(self.most, self.all(extent, b)),
        }
    }

    /// Returns the number of blocks, at least one.
    fn all(&self, extent: Value, b: Builder) -> Value {
        match known(extent) {
            Some(n) => b.index(number(n, self.blocks.size)),
            None => b.same(Kind::ArithCeildivsi, &[b.maxsi(extent, b.index(1)), b.index(self.blocks.size as i64)]),
        }
    }

    /// Divides the blocks into `count` chunks.
    pub fn shares(&self, extent: Value, count: Value, b: Builder) -> Shares {
        Shares::of(self.all(extent, b), count, b)
    }

    /// Returns the first row or column of chunk `k`, and the number of its rows or columns.
    pub fn range(&self, extent: Value, shares: &Shares, k: Value, b: Builder) -> [Value; 2] {
        let (unit, [first, size]) = (self.blocks.size, shares.chunk(k, b));
        let from = b.times(first, unit);
        match known(size).filter(|_| known(extent).is_some_and(|n| n % unit as i64 == 0)) {
            Some(size) => [from, b.index(size * unit as i64)],
            None => [from, b.subi(b.minsi(b.addi(from, b.times(size, unit)), extent), from)],
        }
    }

    /// Returns the scratch memory of chunk `k`.
    pub fn memory(&self, k: Value, b: Builder) -> Value {
        let bytes = self.elements * element_bytes(self.memory.scalar());
        let start = b.addi(self.start, b.times(k, bytes));
        let size = b.index(self.elements as i64);
        b.value(Kind::MemrefView, &[self.arena, start, size], self.memory, &[])
    }
}
