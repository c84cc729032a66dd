//! Passes on reactive nodes, the dialect `stream` (`spec/streams.md`): inlining of instances, inference of clocks,
//! planning (whether each cycle can be computed, and how far a node looks ahead), simplification, adjoint nodes,
//! training, and conversion to loops over cycles (a cycle is one time step of a node). This module may use `analysis`,
//! and `ad` for the derivatives of the equations of a cycle. It must not depend on the source of the inputs: here a
//! node is a function of whole streams, and `tools/runtime` reads the inputs.

mod equations;
pub mod nodes;
pub mod optimisers;
pub mod stream_grad;
pub mod stream_inline;
pub mod stream_plan;
pub mod stream_simplify;
pub mod stream_to_loops;
pub mod stream_train;

pub use nodes::graph::{EquationKind, Graph, Var};
