//! Reactive streams: nodes of equations, with delays forward and backward in time.

pub mod cells;
pub mod eval;
mod verify;

use crate::verify::{SymbolVerifier, Verifier};

pub const VERIFIERS: &[Verifier] = &[("stream.node", verify::node), ("stream.div", verify::div)];

pub const SYMBOL_VERIFIERS: &[SymbolVerifier] = &[("stream.instance", verify::instance)];

/// On a node: the input that is true in the last cycle of each sequence, and inputs that do not change within one (`spec/streams.md` 5.5).
pub const BOUNDARY: &str = "stream.boundary";
pub const SEGMENT_CONSTANT: &str = "stream.segment_constant";

/// Nodes that need not be written: from a parameter, its gradient and a learning rate to the parameter after a step.
pub const OPTIMISERS: [&str; 3] = ["sgd", "momentum", "adam"];
