//! The vector registers of the processor, the sizes of tiles that fit in them, and arithmetic on them.

use crate::ir::*;
use mlopt_dialects::ops::{FastMath, ToAttribute};
use mlopt_dialects::value::Element;

/// The vector registers of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The width of a register in bits.
    pub bits: usize,
}

/// The number of vectors in a row of a tile.
pub const VECTORS: usize = 2;
/// The maximum number of rows of a tile.
pub const HIGHEST: usize = 8;
/// The maximum number of registers that a vector outside of contractions fills. LLVM emits an operation for all of them
/// before the next one, so that they share constants and each waits less for its own results, but with more of them
/// values are stored on the stack. (The gradient of an LSTM of 14 units with registers of 4 lanes: 970 µs with one
/// register, 880 with two, 828 with four.)
pub const TOGETHER: usize = 4;
/// The width in bits of the widest registers.
const WIDEST: usize = 512;

/// Returns the number of columns of a tile with the widest registers.
pub fn widest(element: Element) -> usize {
    VECTORS * WIDEST / 8 / element.bytes()
}

impl Registers {
    /// The registers of every x86-64 processor.
    pub const BASELINE: Registers = Registers { bits: 128 };

    /// Returns the registers of the target processor, which `native::Target` has recorded in the module.
    pub fn of(root: Op) -> Registers {
        let bits = root.attribute(crate::abi::VECTOR_BITS).and_then(Attribute::as_i64);
        bits.and_then(|n| usize::try_from(n).ok()).map_or(Registers::BASELINE, |bits| Registers { bits })
    }

    /// Returns the number of sums that are kept at once: half of the registers.
    pub fn accumulators(self) -> usize {
        if self.bits == WIDEST { 16 } else { 8 }
    }

    /// Returns the number of rows of a tile: accumulators, a row of the panel and a broadcast element fill 16
    /// registers, or 19 of 32.
    pub fn rows(self) -> usize {
        match self.bits {
            512 => HIGHEST,
            256 => 6,
            _ => 4,
        }
    }
}

/// Emits `sum + x · y`, with one rounding if the processor supports it.
pub fn multiply_add(x: Value, y: Value, sum: Value, b: Builder) -> Value {
    let flags = FastMath::CONTRACT.to_attribute(b.context());
    let product = b.value(Kind::ArithMulf, &[x, y], sum.ty(), &[("fastmath", flags)]);
    b.value(Kind::ArithAddf, &[sum, product], sum.ty(), &[("fastmath", flags)])
}

/// Transposes a square, one vector per lane: rows at distance 1, 2, 4, … exchange the blocks of that size across the
/// diagonal. (`vector.transpose` costs up to twice as much: docs/decisions/010-contractions.md.)
pub fn transpose(mut rows: Vec<Value>, b: Builder) -> Vec<Value> {
    let n = rows.len();
    let mut distance = 1;
    while distance < n {
        let is_second = |e: usize| e & distance != 0;
        let upper = |e: usize| (if is_second(e) { n + e - distance } else { e }) as i64;
        let lower = |e: usize| (if is_second(e) { n + e } else { e + distance }) as i64;
        let (upper, lower): (Vec<i64>, Vec<i64>) = (0..n).map(|e| (upper(e), lower(e))).unzip();
        for r in (0..n).filter(|r| r & distance == 0) {
            let (x, y) = (rows[r], rows[r + distance]);
            (rows[r], rows[r + distance]) = (b.shuffle(x, y, &upper), b.shuffle(x, y, &lower));
        }
        distance *= 2;
    }
    rows
}
