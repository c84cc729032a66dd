//! Integer division, remainder and rounding, defined for all operands (`spec/arrays.md` A.3.4, A.3b).

use super::Outcome;
use crate::value::{Array, Data, Element};

/// Computes `array.div`: ⌊x / y⌋; x div 0 = 0; the minimum integer div -1 is itself.
pub fn div(x: &Array, y: &Array) -> Outcome<Array> {
    elementwise(x, y, i32_div, i64_div)
}

/// Computes `array.mod`: x - y·(x div y); x mod 0 = x.
pub fn modulo(x: &Array, y: &Array) -> Outcome<Array> {
    elementwise(
        x,
        y,
        |x, y| x.wrapping_sub(y.wrapping_mul(i32_div(x, y))),
        |x, y| x.wrapping_sub(y.wrapping_mul(i64_div(x, y))),
    )
}

macro_rules! floor_division {
    ($name:ident, $t:ident) => {
        fn $name(x: $t, y: $t) -> $t {
            if y == 0 {
                return 0;
            }
            let q = x.wrapping_div(y);
            // Rust rounds towards zero.
            if x.wrapping_rem(y) != 0 && (x < 0) != (y < 0) { q - 1 } else { q }
        }
    };
}
floor_division!(i32_div, i32);
floor_division!(i64_div, i64);

fn elementwise(x: &Array, y: &Array, f: fn(i32, i32) -> i32, g: fn(i64, i64) -> i64) -> Outcome<Array> {
    if x.shape() != y.shape() {
        return Err(format!("needs operands of the same shape, found {:?} and {:?}", x.shape(), y.shape()).into());
    }
    let wide = |x: &[i64], y: &[i64]| x.iter().zip(y).map(|(&x, &y)| g(x, y)).collect();
    let data = match (x.data(), y.data()) {
        (Data::I32(x), Data::I32(y)) => Data::I32(x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect()),
        (Data::I64(x), Data::I64(y)) => Data::I64(wide(x, y)),
        (Data::Index(x), Data::Index(y)) => Data::Index(wide(x, y)),
        _ => return Err(format!("needs integers of one type, found {} and {}", x.element(), y.element()).into()),
    };
    Ok(Array::new(x.shape().to_vec(), data))
}

/// Computes `array.floor`: ⌊x⌋; the nearest end of the range if out of range, and 0 for NaN, as Rust's `as` does.
pub fn floor(x: &Array, element: Element) -> Array {
    let below = x.to_f64().into_iter().map(f64::floor);
    Array::new(x.shape().to_vec(), Data::of_f64(element, below))
}
