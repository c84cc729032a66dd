//! Errors at run time.

use crate::ops::array::Check;
use crate::verify::{Verdict, violates};

/// The most values that a message names: compiled code hands them out through memory of a fixed size.
pub const MOST_VALUES: usize = 4;

/// `array.check`: its message has a place for each value.
pub fn check(op: Check) -> Verdict {
    let text = op.text();
    let (places, values) = (text.matches("{}").count(), op.values().len());
    if places != values {
        return violates("C1", format!("`text` must have {values} places `{{}}` for `values`, found {places}"));
    }
    if values > MOST_VALUES {
        return violates("C1", format!("there must be at most {MOST_VALUES} `values`, found {values}"));
    }
    Ok(())
}
