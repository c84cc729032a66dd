//! The dialect `array`: functional arrays, with loops that return values, reads that are defined for all indices,
//! operations on whole arrays, and reductions. The language is specified in `spec/arrays.md` A (see *specification* in
//! docs/glossary.md).

mod attributes;
pub mod eval;
mod verify;

use crate::ir::{Attribute, Op};
pub use attributes::{PURE, SIZES, sizes, verify as verify_attribute};
pub use verify::{MOST_VALUES, verify, verify_symbols};

/// Returns the message of a program that `check`, an `array.check`, stops: `index-out-of-bounds: index {} of extent
/// {}`.
pub fn message_template(check: Op) -> String {
    let part = |name: &str| check.attribute(name).and_then(Attribute::as_string).unwrap_or_default();
    format!("{}: {}", part("code"), part("text"))
}

/// Returns `template` with `values` in place of each `{}`.
pub fn filled_in(template: &str, values: &[i64]) -> String {
    let mut text = template.to_string();
    values.iter().for_each(|value| text = text.replacen("{}", &value.to_string(), 1));
    text
}

/// Returns [`message_template`] with `values` in place of each `{}`.
pub fn message(check: Op, values: &[i64]) -> String {
    filled_in(&message_template(check), values)
}
