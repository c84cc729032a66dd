//! What all passes on nodes want to know: the equations as a graph, clocks, causality, how far a node looks ahead, and
//! the order within a cycle. May use the dialects. Must never know a pass.

pub mod causality;
pub mod clocks;
pub mod graph;
pub mod names;
pub mod plan;
pub mod schedule;
pub mod segments;
mod words;
