//! Passes on reactive nodes, the dialect `stream` (`spec/streams.md`): inlining, clocks and planning, simplification,
//! adjoint nodes, training, and loops over cycles. May use `analysis`, and `ad` for the equations of a cycle. Must
//! never know how inputs arrive: a node is a function of whole streams here.

pub mod nodes;
pub mod optimisers;
pub mod stream_grad;
pub mod stream_inline;
pub mod stream_plan;
pub mod stream_simplify;
pub mod stream_to_loops;
pub mod stream_train;

pub use nodes::graph::{Graph, Kind, Var};
