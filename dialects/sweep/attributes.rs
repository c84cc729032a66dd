//! Values of the attributes of `attributes.md`.

use crate::ir::Attribute;
use crate::verify::{Verdict, violates};

/// On a module: the width of the vectors that it is compiled for.
pub const VECTOR_BITS: &str = "sweep.vector_bits";
/// The widths that targets have.
const WIDTHS: [i64; 3] = [128, 256, 512];

pub fn verify(name: &str, value: Attribute) -> Verdict {
    let Some(number) = value.as_i64() else { return Ok(()) };
    match name {
        VECTOR_BITS if !WIDTHS.contains(&number) => {
            violates("A1", format!("`{name}` must be one of {WIDTHS:?}, found {number}"))
        }
        _ if number < 0 => violates("A2", format!("`{name}` must not be negative, found {number}")),
        _ => Ok(()),
    }
}
