//! Checks of the attributes that `attributes.md` lists: `array.sizes` must be a list of sizes. This module also reads
//! that list.

use crate::constraints::{Verdict, violates};
use crate::ir::{Attribute, Dim};

/// An attribute of a function: the sizes of its arguments, which [`sizes`] reads.
pub const SIZES: &str = "array.sizes";
/// An attribute of functions and calls without effects.
pub const PURE: &str = "array.pure";

/// Reads `4x?,-,8`: an array with sizes 4 and unknown, a scalar, a vector.
pub fn sizes(text: &str) -> Option<Vec<Vec<Dim>>> {
    let size = |n: &str| if n == "?" { Some(None) } else { n.parse().ok().map(Some) };
    let shape = |t: &str| if t == "-" { Some(Vec::new()) } else { t.split('x').map(size).collect() };
    text.split(',').map(|t| shape(t.trim())).collect()
}

pub fn verify(name: &str, value: Attribute) -> Verdict {
    match value.as_string() {
        Some(text) if name == SIZES && sizes(&text).is_none() => {
            let text = format!("must list the sizes of each argument, like `4x?,-,8`, found `{text}`");
            violates("A1", format!("the attribute `{SIZES}` {text}"))
        }
        _ => Ok(()),
    }
}
