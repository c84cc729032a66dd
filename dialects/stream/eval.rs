//! The semantics of ops that compute on the values of one cycle.

use crate::array::eval::Outcome;
use crate::value::{Array, Data};

/// Returns the quotient of integers, rounded to zero.
///
/// # Errors
///
/// Returns E-RT-OP for a divisor of zero [D5].
pub fn div(a: &Array, b: &Array) -> Outcome<Array> {
    macro_rules! quotients {
        ($kind:path, $a:expr, $b:expr) => {
            if $b.contains(&0) {
                Err("E-RT-OP: division by zero".into())
            } else {
                Ok($kind($a.iter().zip($b).map(|(a, b)| a.wrapping_div(*b)).collect()))
            }
        };
    }
    let data = match (a.data(), b.data()) {
        (Data::I32(a), Data::I32(b)) => quotients!(Data::I32, a, b),
        (Data::I64(a), Data::I64(b)) => quotients!(Data::I64, a, b),
        (Data::Index(a), Data::Index(b)) => quotients!(Data::Index, a, b),
        _ => {
            let text = format!("expected integers of the same type, found {} and {}", a.type_text(), b.type_text());
            Err(text.into())
        }
    };
    data.map(|data| Array::new(a.shape().to_vec(), data))
}
