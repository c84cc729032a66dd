//! Strongly connected components of graphs.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashMap;
use std::hash::Hash;

/// Returns the strongly connected components in reverse topological order: each after those that it leads to.
pub fn components<N: Copy + Eq + Hash>(
    nodes: impl IntoIterator<Item = N>,
    edges: impl IntoIterator<Item = (N, N)>,
) -> Vec<Vec<N>> {
    let mut graph: DiGraph<N, ()> = DiGraph::new();
    let mut at: HashMap<N, NodeIndex> = HashMap::new();
    for n in nodes {
        at.entry(n).or_insert_with(|| graph.add_node(n));
    }
    for (a, b) in edges {
        if let (Some(&a), Some(&b)) = (at.get(&a), at.get(&b)) {
            graph.add_edge(a, b, ());
        }
    }
    tarjan_scc(&graph).into_iter().map(|c| c.into_iter().map(|i| graph[i]).collect()).collect()
}
