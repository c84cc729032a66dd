//! The bounds of loops over rows, columns and terms whose step is greater than one.

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
