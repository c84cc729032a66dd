//! The bounds of loops over rows, columns and terms whose step is greater than one, and the sizes of blocks.

use crate::ir::*;

/// Returns `n` rounded down to a multiple of `step`, and the remainder.
pub fn cut(n: Value, step: usize, b: Builder) -> (Value, Value) {
    if let Some(n) = known(n) {
        let n = n.max(0);
        return (b.index(n - n % step as i64), b.index(n % step as i64));
    }
    let (zero, step) = (b.index(0), b.index(step as i64));
    let n = b.maxsi(n, zero);
    let rest = b.same(Kind::ArithRemui, &[n, step]);
    (b.same(Kind::ArithSubi, &[n, rest]), rest)
}

/// Returns the size of blocks of at most `most` that are about equal, a multiple of `of` like `most`; equal blocks, of
/// multiples of `fine`, if they exist.
pub fn even(n: Value, most: usize, of: usize, fine: usize) -> usize {
    known(n).map_or(most, |n| {
        let n = n.max(1) as usize;
        let blocks = n.div_ceil(most);
        if n.is_multiple_of(blocks * fine) { n / blocks } else { n.div_ceil(blocks).next_multiple_of(of) }
    })
}
