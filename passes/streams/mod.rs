//! What is known of a reactive program before it runs (`spec/streams.md` 5): when each stream is present, in what order equations are
//! computed in a cycle, and how far into the future they look. All of it is defined on a node without instances.

pub mod causality;
pub mod clocks;
pub mod dead;
pub mod equal;
pub mod graph;
pub mod laws;
pub mod names;
pub mod optimisers;
pub mod plan;
pub mod retiming;
pub mod schedule;
pub mod segments;
mod words;

pub use graph::{Graph, Kind, Var};
