//! The dialect `stream`: reactive nodes, whose equations may read values of earlier and of later cycles
//! (`spec/streams.md`; see *specification* in docs/glossary.md).

mod attributes;
pub mod cells;
pub mod eval;
mod verify;

pub use attributes::verify as verify_attribute;
pub use verify::{verify, verify_symbols};

use crate::ir::Op;

/// An attribute of a node: the input that is true in the last cycle of each sequence, and inputs that do not change
/// within one (`spec/streams.md` 5.5).
pub const BOUNDARY: &str = "stream.boundary";
pub const SEGMENT_CONSTANT: &str = "stream.segment_constant";
/// An attribute of a node: the point where adjoints are cut, a number of cycles or the name of a Boolean stream.
pub const TRUNCATE: &str = "stream.truncate";
/// An attribute of an equation: the conditions under which it is computed.
pub const CLOCK: &str = "stream.clock";
/// An attribute of a node: its class.
pub const PLAN: &str = "stream.plan";
/// The classes of nodes, by the distance of their look-ahead.
pub const PLANS: [&str; 4] = ["forward", "retimed", "waiting", "segmented"];

/// Built-in nodes: from a parameter, its gradient and a learning rate to the parameter after a step.
pub const OPTIMISERS: [&str; 3] = ["sgd", "momentum", "adam"];

/// Returns the strings of an attribute that is a list of strings.
pub fn strings(op: Op, attribute: &str) -> Vec<String> {
    let all = op.attribute(attribute).and_then(|a| a.as_array()).unwrap_or_default();
    all.into_iter().filter_map(|a| a.as_string()).collect()
}
