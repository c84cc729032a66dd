//! Drawings of e-graphs: a box for each e-class, with a line for each e-node.

use crate::diagram::{Diagram, Edge, Line, Look, Node, breadth_first};
use mlopt_dialects::text::count;
use mlopt_passes::optimise::egg_optimize::Saturated;
use mlopt_passes::optimise::terms::Op;

pub const LEGEND: &[&str] = &[
    "A box is a class of equal terms, with the cost of the cheapest one; a line is an e-node; #7 is an operand, any \
     term of class 7.",
    "▸ the nodes of the cheapest term of the whole    ▹ the cheapest node of a class that this term does not need",
    "i@0<n  index of the innermost loop around, below n    \
     s0@1  state 0 of the loop whose index is i@0: @ counts binders",
];

/// Returns the diagram of at most `limit` classes, and a message if there are more.
pub fn diagram(heading: &str, saturated: &Saturated, limit: usize) -> (Diagram, Option<String>) {
    let graph = &saturated.graph;
    let picture = Picture { saturated, values: values(saturated) };
    let cheapest = |k: usize| graph.classes[k].forms[graph.classes[k].chosen].operands.to_vec();
    let (mut in_term, reached) = breadth_first(graph.classes.len(), graph.roots.clone(), cheapest);
    in_term.truncate(reached);
    // Breadth first from the cheapest term, through all e-nodes.
    let every = |k: usize| graph.classes[k].forms.iter().flat_map(|form| form.operands.iter().copied()).collect();
    let (mut order, _) = breadth_first(graph.classes.len(), in_term.clone(), every);
    // A root always has a box.
    order.retain(|k| picture.values[*k].is_none() || graph.roots.contains(k));
    let all = order.len();
    order.truncate(limit);
    let cut = (order.len() < all).then(|| {
        format!("{} of {all} classes are drawn, the cheapest term and the classes nearest to it (--limit)", order.len())
    });
    let mut place: Vec<Option<usize>> = vec![None; graph.classes.len()];
    order.iter().enumerate().for_each(|(k, &class)| place[class] = Some(k));
    let nodes = order.iter().map(|&class| picture.node(class, in_term.contains(&class))).collect();
    let mut edges = Vec::new();
    for (from, &class) in order.iter().enumerate() {
        for (line, form) in graph.classes[class].forms.iter().enumerate() {
            let is_chosen = |to: usize| {
                in_term.contains(&class) && line == graph.classes[class].chosen && in_term.contains(&order[to])
            };
            edges.extend(form.operands.iter().filter_map(|&o| place[o]).map(|to| {
                let class = if is_chosen(to) { "edge chosen" } else { "edge" };
                Edge { from, line: Some(line), to, place: None, class, is_weak: false }
            }));
        }
    }
    let forms: usize = graph.classes.iter().map(|c| c.forms.len()).sum();
    let mut notes = vec![format!("{}, {}", count(graph.classes.len(), "class"), count(forms, "e-node"))];
    notes.extend(cut.clone());
    (Diagram { heading: heading.to_string(), notes, signs: vec![], nodes, edges, is_down: false }, cut)
}

/// Returns, by number, the texts of classes that are written at their uses: constants, arguments, variables and
/// lengths.
fn values(saturated: &Saturated) -> Vec<Option<String>> {
    let classes = &saturated.graph.classes;
    let mut found: Vec<Option<String>> = vec![None; classes.len()];
    // Operands may follow their users, so this iterates until a fixpoint is reached.
    loop {
        let mut changed = false;
        for (k, class) in classes.iter().enumerate() {
            let [form] = &class.forms[..] else { continue };
            if found[k].is_some() || !is_value(form.op) {
                continue;
            }
            let operands: Option<Vec<&str>> = form.operands.iter().map(|&o| found[o].as_deref()).collect();
            let Some(operands) = operands else { continue };
            let label = saturated.names.label(form.op);
            found[k] = Some(match form.op {
                Op::Ix(_) => format!("{label}<{}", operands.concat()),
                Op::Dim(_) => format!("{label}({})", operands.concat()),
                _ => label,
            });
            changed = true;
        }
        if !changed {
            return found;
        }
    }
}

fn is_value(op: Op) -> bool {
    matches!(op, Op::Const(..) | Op::Zero(_) | Op::One(_) | Op::Ix(_) | Op::State(..) | Op::Leaf(..) | Op::Dim(_))
}

struct Picture<'a> {
    saturated: &'a Saturated,
    values: Vec<Option<String>>,
}

impl Picture<'_> {
    /// Returns the box of a class.
    fn node(&self, number: usize, in_term: bool) -> Node {
        let graph = &self.saturated.graph;
        let class = &graph.classes[number];
        let results = graph.roots.iter().enumerate().filter(|(_, r)| **r == number);
        let results: String = results.map(|(k, _)| format!("  result {k}")).collect();
        let line = |(k, form): (usize, &mlopt_passes::optimise::saturate::Form)| {
            let operand = |&o: &usize| self.values[o].clone().unwrap_or_else(|| format!("#{o}"));
            let operands: Vec<String> = form.operands.iter().map(operand).collect();
            let mark = match (k == class.chosen, in_term) {
                (true, true) => "▸ ",
                (true, false) => "▹ ",
                _ => "  ",
            };
            let text = format!("{mark}{} {}", self.saturated.names.label(form.op), operands.join(" "));
            Line { text: text.trim_end().to_string(), is_marked: in_term && k == class.chosen }
        };
        Node {
            title: format!("#{number}  cost {}{results}", cost(class.cost)),
            look: Look::Table { is_marked: in_term },
            hint: String::new(),
            lines: class.forms.iter().enumerate().map(line).collect(),
        }
    }
}

/// Formats a cost with enough digits for comparisons.
fn cost(x: f64) -> String {
    if x >= 100.0 { format!("{x:.0}") } else { format!("{x:.2}") }
}
