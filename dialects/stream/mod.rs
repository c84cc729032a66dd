//! Reactive streams: nodes of equations, with delays forward and backward in time.

pub mod cells;
pub mod eval;
mod verify;

use crate::verify::Verifier;

pub const VERIFIERS: &[Verifier] = &[("stream.node", verify::node), ("stream.div", verify::div)];

pub const SYMBOL_VERIFIERS: &[Verifier] = &[("stream.instance", verify::instance)];

/// Nodes that need not be written: from a parameter, its gradient and a learning rate to the parameter after a step.
pub const OPTIMISERS: [&str; 3] = ["sgd", "momentum", "adam"];
