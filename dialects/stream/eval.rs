//! The semantics of ops that compute on the values of one cycle.

use crate::array::eval::{Outcome, on_integers};
use crate::value::Array;

/// Returns the quotient of integers, rounded to zero.
///
/// # Errors
///
/// Returns E-RT-OP for a divisor of zero [D5].
pub fn div(a: &Array, b: &Array) -> Outcome<Array> {
    on_integers(a, b, |a, b| match b {
        0 => Err("E-RT-OP: division by zero".into()),
        _ => Ok(a.wrapping_div(b)),
    })
}
