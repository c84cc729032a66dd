//! Checks of the attributes that `attributes.md` lists, beyond their types: the values of those that are numbers.

use crate::constraints::{Verdict, violates};
use crate::ir::Attribute;

/// An attribute of a module: the width of the vectors for which it is compiled.
pub const VECTOR_BITS: &str = "sweep.vector_bits";
/// The vector widths of targets.
const WIDTHS: [i64; 3] = [128, 256, 512];

pub fn verify(name: &str, value: Attribute) -> Verdict {
    let Some(number) = value.as_i64() else { return Ok(()) };
    match name {
        VECTOR_BITS if !WIDTHS.contains(&number) => {
            violates("A1", format!("the attribute `{name}` must be one of {WIDTHS:?}, found {number}"))
        }
        _ if number < 0 => violates("A2", format!("the attribute `{name}` must not be negative, found {number}")),
        _ => Ok(()),
    }
}
