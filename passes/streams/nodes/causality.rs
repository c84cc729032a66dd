//! Causality analysis: checks that no stream depends on itself in the same cycle (`spec/streams.md` 5.4).

use super::clocks::Clocks;
use super::graph::{EquationKind, Graph, Var, components, shortest_cycle};
use mlopt_dialects::diagnostics::Reported;
use std::collections::HashSet;

/// Returns the streams in an order in which a cycle can be computed.
///
/// # Errors
/// E-CAUSALITY, for each set of streams that depend on each other.
pub fn order(graph: &Graph, clocks: &Clocks) -> Result<Vec<Var>, Reported> {
    let used: Vec<Vec<Var>> = graph.vars().map(|v| in_the_same_cycle(graph, clocks, v)).collect();
    let edges = graph.vars().flat_map(|v| used[v].iter().map(move |&u| (v, u)));
    let mut failed = None;
    let mut order = Vec::with_capacity(graph.len());
    for component in components(graph.vars(), edges) {
        if component.len() > 1 || used[component[0]].contains(&component[0]) {
            failed = Some(report(graph, &used, &component));
        }
        order.extend(component);
    }
    failed.map_or(Ok(order), Err)
}

fn in_the_same_cycle(graph: &Graph, clocks: &Clocks, v: Var) -> Vec<Var> {
    let args = graph.args(v);
    let conditions = clocks.literals(clocks.of(v)).map(|l| l.condition);
    match graph.kind(v) {
        EquationKind::Input => vec![],
        // On the clocks of its readers.
        EquationKind::Literal => args.to_vec(),
        EquationKind::Constant | EquationKind::Post => conditions.collect(),
        EquationKind::Fby => conditions.chain([args[0]]).collect(),
        _ => args.to_vec(),
    }
}

/// Reports one shortest cycle through the first stream of the text.
fn report(graph: &Graph, used: &[Vec<Var>], component: &[Var]) -> Reported {
    let inside: HashSet<Var> = component.iter().copied().collect();
    let start = *component.iter().min().expect("a component is not empty");
    let path = shortest_cycle(start, |v| used[v].iter().copied().filter(|u| inside.contains(u)).collect());
    let (name, fby) = (graph.name(start), graph.word("fby"));
    let text = format!(
        "E-CAUSALITY: {name} depends on itself in the same cycle; to break this circular dependency, read the value of \
         the previous cycle with {fby} in one of these equations"
    );
    let mut diagnostic = graph.op(start).error(text);
    for (k, &v) in path.iter().enumerate() {
        let next = path.get(k + 1).copied().unwrap_or(start);
        diagnostic =
            diagnostic.note(graph.value(v).location(), format!("{} needs {}", graph.name(v), graph.name(next)));
    }
    diagnostic.emit()
}
