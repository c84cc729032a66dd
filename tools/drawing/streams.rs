//! Drawings of reactive nodes: a box for each stream, in the colour of its clock.

use crate::diagram::{Diagram, Edge, Line, Look, Node, Shape, Sign, breadth_first, cut, listed};
use crate::texts::{constant, with_predicate};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::text::count;
use mlopt_passes::streams::nodes::clocks::{Clock, Literal};
use mlopt_passes::streams::nodes::names;
use mlopt_passes::streams::nodes::plan::{Break, Class};
use mlopt_passes::streams::{EquationKind, Graph, Var};
use mlopt_runtime::streams::flat::Flat;
use std::collections::HashMap;

/// The maximum numbers of characters of a name or a value in an equation, and of an equation.
const WORD: usize = 18;
const EQUATION: usize = 44;
/// The maximum number of streams that a note names.
const NAMED: usize = 6;

/// Classes of edges.
const VALUE: &str = "edge value";
const CONDITION: &str = "edge condition";
const LATER: &str = "edge later";
const EARLIER: &str = "edge earlier";

/// Returns the diagram of at most `limit` streams, and a message if there are more.
pub fn diagram(flat: &Flat, limit: usize) -> (Diagram, Option<String>) {
    let Flat { graph, clocks, plan, .. } = flat;
    let (shown, all) = shown(graph, limit);
    let place: HashMap<Var, usize> = shown.iter().enumerate().map(|(k, &v)| (v, k)).collect();
    // Outer clocks precede the clocks that they contain; the base clock is first.
    let mut ticks: Vec<Clock> = shown.iter().map(|&v| clocks.of(v)).chain([Clock::BASE]).collect();
    ticks.sort_unstable();
    ticks.dedup();
    let colour = |clock: Clock| ticks.binary_search(&clock).unwrap_or(0);
    let further = aliases(graph);
    let mut nodes: Vec<Node> = Vec::new();
    let mut edges: Vec<Edge> = Vec::new();
    for (to, &v) in shown.iter().enumerate() {
        let shape = match graph.kind(v) {
            EquationKind::Input => Shape::Round,
            EquationKind::Fby => Shape::Later,
            EquationKind::Post => Shape::Earlier,
            _ => Shape::Box,
        };
        let (ty, equation) = (graph.value(v).ty(), equation(graph, v));
        let clock = clocks.show(graph, clocks.of(v));
        let also = further.get(&graph.label(v)).map_or(String::new(), |all| format!("\nalso {}", all.join(", ")));
        let defined = if graph.kind(v) == EquationKind::Input { String::new() } else { format!(" = {equation}") };
        nodes.push(Node {
            title: title(graph, v),
            lines: vec![Line { text: cut(&equation, EQUATION), is_marked: false }],
            look: Look::Coloured(shape, colour(clocks.of(v))),
            hint: format!("{}{defined} : {ty}\non the clock {clock}{also}", title(graph, v)),
        });
        // Literals are part of the equation and have no edge.
        let read: Vec<usize> =
            (0..graph.args(v).len()).filter(|&k| graph.kind(graph.args(v)[k]) != EquationKind::Literal).collect();
        for (place_of, &k) in read.iter().enumerate() {
            let Some(&from) = place.get(&graph.args(v)[k]) else { continue };
            let class = class(graph.kind(v), k);
            let is_weak = class == LATER || class == EARLIER;
            edges.push(Edge { from, line: None, to, place: Some((place_of, read.len())), class, is_weak });
        }
    }
    for (name, v) in &graph.outputs {
        let Some(&from) = place.get(v) else { continue };
        let look = Look::Coloured(Shape::RoundThick, colour(clocks.of(*v)));
        let text = format!("output {}", graph.value(*v).ty());
        let lines = vec![Line { text, is_marked: false }];
        let hint = format!("{name} = {}", title(graph, *v));
        edges.push(Edge { from, line: None, to: nodes.len(), place: Some((0, 1)), class: VALUE, is_weak: false });
        nodes.push(Node { title: name.clone(), lines, look, hint });
    }
    let cut = (shown.len() < all).then(|| {
        format!(
            "{} of {all} streams are drawn within the limit, the outputs and the streams nearest to them",
            shown.len()
        )
    });
    let counts = [(ticks.len(), "clock"), (graph.inputs().count(), "input"), (graph.outputs.len(), "output")];
    let counts = counts.map(|(n, what)| count(n, what));
    let mut notes = vec![
        format!("{}, {}", count(all, "stream"), counts.join(", ")),
        format!("plan {}: {}", plan.class.name(), class_in_words(plan.class)),
    ];
    notes.extend(plan.breaks.iter().map(|b| ends(graph, b)));
    notes.extend(cut.clone());
    let mut signs = signs(&nodes, &edges);
    signs.push(Sign::Break);
    signs.extend(ticks.iter().map(|&clock| {
        Sign::Node(Look::Coloured(Shape::Box, colour(clock)), format!("clock {}", clocks.show(graph, clock)))
    }));
    let heading = format!("@{}", graph.node.symbol().unwrap_or_default());
    (Diagram { heading, notes, signs, nodes, edges, is_down: true }, cut)
}

/// Returns the streams that have boxes, in the order of the text, and their number without the limit. Literals are part
/// of the equations that read them.
fn shown(graph: &Graph, limit: usize) -> (Vec<Var>, usize) {
    let outputs: Vec<Var> = graph.outputs.iter().map(|o| o.1).collect();
    let has_box = |v: &Var| graph.kind(*v) != EquationKind::Literal || outputs.contains(v);
    let read = |v: Var| graph.args(v).iter().copied().filter(has_box).collect();
    let (mut found, _) = breadth_first(graph.len(), outputs.clone(), read);
    found.retain(has_box);
    let all = found.len();
    found.truncate(limit);
    found.sort_unstable();
    (found, all)
}

fn class(kind: EquationKind, operand: usize) -> &'static str {
    match (kind, operand) {
        (EquationKind::When(_), 1) | (EquationKind::Merge | EquationKind::Select, 0) => CONDITION,
        (EquationKind::Fby, 1) => LATER,
        (EquationKind::Post, _) => EARLIER,
        _ => VALUE,
    }
}

/// Returns the legend of the shapes and edges that occur.
fn signs(nodes: &[Node], edges: &[Edge]) -> Vec<Sign> {
    let has_shape = |shape: Shape| nodes.iter().any(|n| matches!(n.look, Look::Coloured(s, _) if s == shape));
    let shapes = [
        (Shape::Round, "input"),
        (Shape::RoundThick, "output"),
        (Shape::Later, "fby: the value of the previous cycle"),
        (Shape::Earlier, "post: the value of the next cycle"),
    ];
    let classes = [
        (VALUE, "value"),
        (CONDITION, "condition"),
        (LATER, "value for the next cycle"),
        (EARLIER, "value for the cycle before"),
    ];
    let shapes = shapes.into_iter().filter(|s| has_shape(s.0));
    let shapes = shapes.map(|(shape, text)| Sign::Node(Look::Coloured(shape, 0), text.to_string()));
    let classes = classes.into_iter().filter(|c| edges.iter().any(|e| e.class == c.0));
    shapes.chain(classes.map(|(class, text)| Sign::Edge(class, text.to_string()))).collect()
}

fn class_in_words(class: Class) -> &'static str {
    match class {
        Class::Forward => "nothing looks ahead",
        Class::Retimed => "streams look ahead by a fixed number of cycles",
        Class::Waiting => "the lookahead depends on data",
        Class::Segmented => "recurrences go backward in time",
    }
}

fn ends(graph: &Graph, Break { streams, when: Literal { condition, holds } }: &Break) -> String {
    // Named streams first, because others are not informative.
    let mut streams = streams.clone();
    streams.sort_by_key(|&v| (graph.value(v).name().is_none(), v));
    let names: Vec<String> = streams.iter().map(|&v| title(graph, v)).collect();
    let not = if *holds { "" } else { "not " };
    format!("{not}{} ends the recurrence of {}", title(graph, *condition), listed(&names, NAMED))
}

/// Returns the aliases of streams, by name.
fn aliases(graph: &Graph) -> HashMap<String, Vec<String>> {
    let all = names::aliases(graph.node);
    let of: HashMap<String, String> = all.iter().cloned().collect();
    let mut further: HashMap<String, Vec<String>> = HashMap::new();
    for (name, _) in &all {
        further.entry(names::resolve(&of, name).to_string()).or_default().push(name.clone());
    }
    further
}

/// Returns the name of a stream with the path of its instance, or its number.
fn title(graph: &Graph, v: Var) -> String {
    graph.value(v).name().unwrap_or_else(|| format!("#{v}"))
}

/// Formats an equation in the notation of `spec/streams.md` 3. Names are without the path of the instance; edges
/// disambiguate them.
fn equation(graph: &Graph, v: Var) -> String {
    let op = graph.op(v);
    let args: Vec<String> = graph.args(v).iter().map(|&a| operand(graph, a)).collect();
    let text = |attribute: &str| op.attribute(attribute).and_then(|a| a.as_string()).unwrap_or_default();
    match (graph.kind(v), &args[..]) {
        (EquationKind::Input, _) => format!("input {}", graph.value(v).ty()),
        (EquationKind::Fby, [i, e]) => format!("{i} fby {e}"),
        (EquationKind::Post, [e]) => format!("post {e}"),
        (EquationKind::When(true), [x, c]) => format!("{x} when {c}"),
        (EquationKind::When(false), [x, c]) => format!("{x} when not {c}"),
        (EquationKind::Merge, [c, a, b]) => format!("merge({c}, {a}, {b})"),
        (EquationKind::Select, [c, a, b]) => format!("if {c} then {a} else {b}"),
        _ => match op.kind() {
            Kind::StreamParam => format!("param({})", args.join(", ")),
            Kind::StreamInitial => format!("initial {}", text("method")),
            Kind::StreamConstant | Kind::ArithConstant => op.attribute("value").map_or("constant".into(), constant),
            _ => format!("{} {}", with_predicate(unqualified(op), op), args.join(" ")).trim_end().to_string(),
        },
    }
}

/// Formats an operand of an equation.
fn operand(graph: &Graph, v: Var) -> String {
    if graph.kind(v) == EquationKind::Literal {
        return literal(graph, v);
    }
    let name = title(graph, v);
    cut(name.rsplit('.').next().unwrap_or(&name), WORD)
}

/// Formats a constant value: short ones literally, others by name.
fn literal(graph: &Graph, v: Var) -> String {
    let op = graph.op(v);
    let text = match op.kind() {
        Kind::ArithConstant => op.attribute("value").map_or("constant".into(), constant),
        _ => {
            let args: Vec<String> = graph.args(v).iter().map(|&a| literal(graph, a)).collect();
            format!("{}({})", with_predicate(unqualified(op), op), args.join(", "))
        }
    };
    match graph.value(v).name() {
        Some(name) if text.chars().count() > WORD => cut(&name, WORD),
        _ => cut(&text, WORD),
    }
}

/// Returns the name of an op without that of its dialect.
fn unqualified(op: Op) -> String {
    op.name().rsplit('.').next().unwrap_or_default().to_string()
}
