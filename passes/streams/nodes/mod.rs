//! Analyses of nodes: the equations as a graph, clocks, causality, the number of cycles that an equation looks ahead,
//! and the order of computations within a cycle. This module may use the dialects and `analysis`. It must not
//! depend on a pass, because all passes on nodes, the front end and the runtime use it.

pub mod causality;
pub mod clocks;
pub mod graph;
pub mod names;
pub mod plan;
pub mod schedule;
pub mod segments;
mod words;
