//! Reactive nodes at run time: compiled code (`compiled`), sessions over windows of cycles (`session`), sources and
//! sinks, pictures of what ran, and nodes in C programs (`embed`). May use `arguments` and `entry`. Must never know the
//! notation of streams.

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
