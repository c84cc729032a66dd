//! Queries for the custom derivatives of functions.

use mlopt_dialects::dual::{COTANGENT_RULE, TANGENT_RULE};
use mlopt_dialects::ir::Op;

/// Returns the functions that are the rules of `function`.
pub fn rules_of(function: Op) -> Vec<String> {
    let names = [TANGENT_RULE, COTANGENT_RULE].map(|name| function.attribute(name).and_then(|a| a.as_symbol()));
    names.into_iter().flatten().collect()
}
