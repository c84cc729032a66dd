//! Functions that query the parts of a `sweep.nest`.

use crate::ir::*;
use mlopt_dialects::sweep::Kind;

/// Returns the use of each value that the body yields.
pub fn kinds(nest: Op) -> Vec<Kind> {
    let codes = nest.attribute("kinds").and_then(Attribute::as_i64_array).unwrap_or_default();
    codes.into_iter().filter_map(Kind::of).collect()
}

/// Returns the region arguments of a nest that are its indices.
pub fn indices(nest: Op) -> Vec<Value> {
    let n = nest.operand_segment(0).len();
    nest.body().expect("verified").arguments().into_iter().take(n).collect()
}
