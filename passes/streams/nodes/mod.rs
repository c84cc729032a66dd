//! Analyses of nodes for all passes: the equations as a graph, clocks, causality, lookahead, and the order within a
//! cycle. May use the dialects. Must never know a pass.

pub mod causality;
pub mod clocks;
pub mod graph;
pub mod names;
pub mod plan;
pub mod schedule;
pub mod segments;
mod words;
