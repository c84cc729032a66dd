//! Constraints of `array.check`, which reports an error at run time.

use crate::constraints::{Verdict, ensure};
use crate::ops::array::Check;
use crate::text::count;

/// The maximum number of values in a message: compiled code returns them in memory of a fixed size.
pub const MOST_VALUES: usize = 4;

/// Checks `array.check`: its message has a `{}` for each value.
pub fn check(op: Check) -> Verdict {
    let text = op.text();
    let (places, values) = (text.matches("{}").count(), op.values().len());
    ensure(places == values, "C1", || {
        format!("`text` must have {} `{{}}`, one for each of `values`, found {places}", count(values, "placeholder"))
    })?;
    ensure(values <= MOST_VALUES, "C1", || format!("there must be at most {MOST_VALUES} `values`, found {values}"))
}
