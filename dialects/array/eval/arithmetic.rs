//! Integer division, remainder and rounding, defined for all operands (`spec/arrays.md` A.3.4, A.3b).

use super::{Outcome, on_integers};
use crate::value::{Array, Data, Element};

/// Computes `array.div`: ⌊x / y⌋; x div 0 = 0; the minimum integer div -1 is itself.
pub fn div(x: &Array, y: &Array) -> Outcome<Array> {
    on_integers(x, y, |x, y| Ok(quotient(x, y)))
}

/// Computes `array.mod`: x - y·(x div y); x mod 0 = x.
pub fn modulo(x: &Array, y: &Array) -> Outcome<Array> {
    on_integers(x, y, |x, y| Ok(x.wrapping_sub(y.wrapping_mul(quotient(x, y)))))
}

fn quotient(x: i64, y: i64) -> i64 {
    if y == 0 {
        return 0;
    }
    let q = x.wrapping_div(y);
    // Rust rounds towards zero.
    if x.wrapping_rem(y) != 0 && (x < 0) != (y < 0) { q - 1 } else { q }
}

/// Computes `array.floor`: ⌊x⌋; the nearest end of the range if out of range, and 0 for NaN, as Rust's `as` does.
pub fn floor(x: &Array, element: Element) -> Array {
    let below = x.to_f64().into_iter().map(f64::floor);
    Array::new(x.shape().to_vec(), Data::of_f64(element, below))
}
