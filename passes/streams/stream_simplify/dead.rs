//! Removal of equations that no output needs. Effects remain, and so do inputs and constants that determine the clock
//! of a remaining stream.

use crate::streams::nodes::clocks::{self, Clocks};
use crate::streams::nodes::graph::{EquationKind, Graph, Var, components};
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Returns the ops that can be removed if outputs need `needed`.
pub fn unneeded(graph: &Graph, clocks: &Clocks, needed: &BTreeSet<Var>) -> Vec<Op> {
    // An op with several results is needed for any of them.
    let ops: HashSet<Op> = needed.iter().map(|&v| graph.op(v)).collect();
    let is_live = |v: Var| graph.kind(v) == EquationKind::Input || needed.contains(&v) || ops.contains(&graph.op(v));
    let dead: Vec<Var> = graph.vars().filter(|&v| !is_live(v)).collect();
    if dead.is_empty() {
        return vec![];
    }
    // Equations that read each other are removed together or not at all.
    let reads = dead.iter().flat_map(|&v| graph.args(v).iter().map(move |&a| (v, a))).filter(|e| !is_live(e.1));
    let together = dead.windows(2).filter(|w| graph.op(w[0]) == graph.op(w[1])).map(|w| (w[0], w[1]));
    let both_ways: Vec<(Var, Var)> = reads.chain(together).flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    let groups = components(dead.iter().copied(), both_ways);
    let (harmless, mut kept): (Vec<Vec<Var>>, Vec<Vec<Var>>) =
        groups.into_iter().partition(|group| group.iter().all(|&v| is_harmless(graph.op(v))));
    let moved = |kept: &[Vec<Var>]| -> HashSet<Var> {
        let kept: HashSet<Var> = kept.iter().flatten().copied().collect();
        let rest = clocks::infer_by(graph, |v| is_live(v) || kept.contains(&v));
        graph.vars().filter(|&v| is_live(v) && rest.levels(rest.of(v)) != clocks.levels(clocks.of(v))).collect()
    };
    let first = moved(&kept);
    let reads = |v: Var| graph.args(v).iter().any(|a| first.contains(a));
    let deciding: Vec<Vec<Var>> = harmless.into_iter().filter(|group| group.iter().any(|&v| reads(v))).collect();
    let whole = [&kept[..], &deciding].concat();
    if !first.is_empty() {
        kept.extend(deciding.iter().map(|group| trimmed(graph, group, &reads)));
        if !moved(&kept).is_empty() {
            kept = whole;
        }
        if !moved(&kept).is_empty() {
            return vec![];
        }
    }
    let kept: HashSet<Op> = kept.iter().flatten().map(|&v| graph.op(v)).collect();
    let mut ops: Vec<Op> = dead.into_iter().map(|v| graph.op(v)).filter(|op| !kept.contains(op)).collect();
    ops.dedup();
    ops
}

/// Returns a group without the equations that no other reads and that read no stream whose clock would change.
fn trimmed(graph: &Graph, group: &[Var], reads: &dyn Fn(Var) -> bool) -> Vec<Var> {
    let mut readers: HashMap<Var, usize> = HashMap::new();
    group.iter().flat_map(|&v| graph.args(v)).for_each(|&a| *readers.entry(a).or_default() += 1);
    let is_last = |v: Var, readers: &HashMap<Var, usize>| {
        readers.get(&v).is_none_or(|&n| n == 0) && !reads(v) && graph.op(v).num_results() == 1
    };
    let inside: HashSet<Var> = group.iter().copied().collect();
    let mut open: Vec<Var> = group.iter().copied().filter(|&v| is_last(v, &readers)).collect();
    let mut gone: HashSet<Var> = HashSet::new();
    while let Some(v) = open.pop() {
        gone.insert(v);
        for &a in graph.args(v).iter().filter(|a| inside.contains(a)) {
            readers.entry(a).and_modify(|n| *n -= 1);
            if is_last(a, &readers) {
                open.push(a);
            }
        }
    }
    group.iter().copied().filter(|v| !gone.contains(v)).collect()
}

fn is_harmless(op: Op) -> bool {
    op.kind() != Kind::StreamDiv && op.has_no_own_effects() && op.nested_ops().into_iter().all(Op::has_no_own_effects)
}

/// Erases ops that no other op reads; they may read each other cyclically.
pub fn erase(ops: &[Op]) {
    for op in ops {
        op.nested_ops().into_iter().chain([*op]).for_each(|op| op.set_operands(&[]));
    }
    for op in ops {
        debug_assert!(op.results().into_iter().all(Value::is_unused), "only dead equations read a dead one");
        op.erase();
    }
}
