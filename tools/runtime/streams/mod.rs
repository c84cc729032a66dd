//! Execution of reactive nodes: compiled code (`compiled`), sessions, which run a node cycle by cycle and store the
//! cycles whose outputs are not known yet (`session`), sources of inputs and destinations of outputs, tables and plots,
//! and nodes in C programs (`embed`). This module may use `arguments` and `entry`. It must not depend on the notation
//! of streams: nodes are ops of the dialect `stream`, whatever notation they were written in.

pub mod chronogram;
pub mod columns;
pub mod compiled;
pub mod embed;
pub mod flat;
pub mod initial;
pub mod memory;
pub mod parameters;
pub mod plot;
pub mod session;
pub mod sinks;
pub mod sources;
pub mod vcd;
