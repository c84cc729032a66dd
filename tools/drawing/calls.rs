//! Drawings of call graphs: a box for each function, and an edge to each callee.

use crate::diagram::{Diagram, Edge, Line, Look, Node, Shape, Sign, breadth_first, cut, listed};
use crate::functions::{Flow, Function, Functions, called_operand};
use crate::texts::short;
use mlopt_dialects::ir::{Block, Op};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_passes::streams::nodes::graph::components;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The maximum numbers of characters of a name and of a type.
const NAME: usize = 36;
const TYPE: usize = 44;
/// The maximum number of functions that a note names.
const NAMED: usize = 8;
/// The maximum number of groups of recursive functions with a note.
const GROUPS: usize = 6;

/// Classes of edges.
const CALL: &str = "edge call";
const TAIL: &str = "edge tail";
const INDIRECT: &str = "edge indirect";
const INDIRECT_TAIL: &str = "edge indirect tail";
const DERIVATIVE: &str = "edge derivative";

/// Returns the graph of at most `limit` functions, those close to entry points first, and a message if there are more.
pub fn diagram(heading: &str, module: Op, limit: usize) -> (Diagram, Option<String>) {
    let functions = Functions::new(module);
    let flow = Flow::new(&functions);
    let calls = calls(&functions, &flow);
    let shown = shown(&functions, &calls, limit);
    let place: HashMap<usize, usize> = shown.iter().enumerate().map(|(k, &f)| (f, k)).collect();
    let groups = groups(&functions, &calls);
    let colour: HashMap<usize, usize> =
        groups.iter().enumerate().flat_map(|(k, group)| group.iter().map(move |f| (*f, k + 1))).collect();
    let nodes: Vec<Node> = shown.iter().map(|&id| node(&functions, id, *colour.get(&id).unwrap_or(&0))).collect();
    let mut edges: Vec<Edge> = Vec::new();
    // Edges between the same two functions arrive side by side.
    let keys: Vec<(usize, usize, &'static str)> = calls.keys().copied().collect();
    for both in keys.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (Some(&from), Some(&to)) = (place.get(&both[0].0), place.get(&both[0].1)) else { continue };
        for (k, (_, _, class)) in both.iter().enumerate() {
            edges.push(Edge { from, line: None, to, place: Some((k, both.len())), class, is_weak: false });
        }
    }
    let all = functions.all.len();
    let cut = (shown.len() < all).then(|| {
        format!("{} of {all} functions are drawn, entries and the functions nearest to them (--limit)", shown.len())
    });
    let mut notes = vec![counts(&functions, &calls)];
    notes.extend(unknown(&functions, &flow));
    notes.extend(groups.iter().take(GROUPS).map(|group| recursion(&functions, group)));
    if groups.len() > GROUPS {
        notes.push(format!("and {} more groups of recursive functions", groups.len() - GROUPS));
    }
    notes.extend(cut.clone());
    let signs = signs(&nodes, &edges, groups.len());
    (Diagram { heading: heading.to_string(), notes, signs, nodes, edges, is_down: true }, cut)
}

/// The number of calls from one function to another, by class of edge.
type Calls = BTreeMap<(usize, usize, &'static str), usize>;

fn calls(functions: &Functions, flow: &Flow) -> Calls {
    let mut calls = Calls::new();
    for id in 0..functions.all.len() {
        let last = functions.body(id).map(last_calls).unwrap_or_default();
        for op in functions.own_ops(id) {
            let is_known = op.kind() == Kind::FuncCall || is_known(op, functions);
            let is_last = last.contains(&op);
            for may in flow.called(op) {
                let class = match (may.is_derivative, is_known, is_last) {
                    (true, ..) => DERIVATIVE,
                    (_, true, true) => TAIL,
                    (_, true, false) => CALL,
                    (_, false, true) => INDIRECT_TAIL,
                    (_, false, false) => INDIRECT,
                };
                *calls.entry((id, may.function, class)).or_default() += 1;
            }
        }
    }
    calls
}

/// Checks whether the callee of an op is known statically.
fn is_known(op: Op, functions: &Functions) -> bool {
    let Some(k) = called_operand(op.name()) else { return false };
    let Some((made, _)) = op.operand(k).defining_op() else { return false };
    functions.of(made).is_some() || matches!(made.kind(), Kind::LambdaLetrec | Kind::LambdaRef)
}

/// Returns the tail calls of a block, including those in branches of a conditional.
fn last_calls(block: Block) -> HashSet<Op> {
    let mut last = HashSet::new();
    let Some(end) = block.terminator() else { return last };
    let [value] = end.operands()[..] else { return last };
    let Some((op, _)) = value.defining_op().filter(|(op, _)| op.block() == Some(block)) else { return last };
    match op.kind() {
        Kind::LambdaApply | Kind::FuncCall => drop(last.insert(op)),
        Kind::LambdaIf | Kind::LambdaCase | Kind::ScfIf if op.num_results() == 1 => {
            last.extend(op.regions().into_iter().filter_map(|r| r.first_block()).flat_map(last_calls));
        }
        _ => {}
    }
    last
}

/// Returns functions in breadth-first order from the public ones, then unreachable ones.
fn shown(functions: &Functions, calls: &Calls, limit: usize) -> Vec<usize> {
    let is_entry = |f: &Function| f.around.is_none() && is_public(f.op);
    let all = 0..functions.all.len();
    let next = |id: usize| {
        let inside = all.clone().filter(|&k| functions.all[k].around == Some(id));
        let called = calls.range((id, 0, "")..(id + 1, 0, "")).map(|((_, to, _), _)| *to);
        called.chain(inside).collect()
    };
    let entries = all.clone().filter(|&k| is_entry(&functions.all[k])).collect();
    let (mut found, _) = breadth_first(all.len(), entries, next);
    found.truncate(limit);
    found.sort_unstable();
    found
}

/// Returns the strongly connected components of recursive functions.
fn groups(functions: &Functions, calls: &Calls) -> Vec<Vec<usize>> {
    let edges: BTreeSet<(usize, usize)> = calls.keys().map(|(from, to, _)| (*from, *to)).collect();
    let mut groups = components(0..functions.all.len(), edges.iter().copied());
    groups.retain(|group| group.len() > 1 || edges.contains(&(group[0], group[0])));
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

fn is_public(op: Op) -> bool {
    op.attribute("sym_visibility").and_then(|a| a.as_string()).is_none_or(|v| v == "public")
}

fn node(functions: &Functions, id: usize, colour: usize) -> Node {
    let Function { op, around, name, .. } = &functions.all[id];
    let shape = match around {
        Some(_) => Shape::Box,
        None if is_public(*op) => Shape::RoundThick,
        None => Shape::Round,
    };
    let ty = signature(*op);
    let mut lines = vec![Line { text: cut(&ty, TYPE), is_marked: false }];
    let inside = around.map(|k| format!("in {}", functions.all[k].name));
    lines.extend(inside.iter().map(|text| Line { text: cut(text, TYPE), is_marked: false }));
    let hint = format!("{name} : {ty}{}", inside.map_or(String::new(), |text| format!("\n{text}")));
    Node { title: cut(name, NAME), lines, look: Look::Coloured(shape, colour), hint }
}

/// Formats `(f64, i64) -> f64`.
fn signature(op: Op) -> String {
    match op.function_type() {
        Some((inputs, results)) => {
            let list =
                |types: Vec<mlopt_dialects::ir::Type>| types.into_iter().map(short).collect::<Vec<_>>().join(", ");
            let one = results.len() == 1;
            let results = list(results);
            format!("({}) -> {}", list(inputs), if one { results } else { format!("({results})") })
        }
        None => short(op.result(0).ty()),
    }
}

fn counts(functions: &Functions, calls: &Calls) -> String {
    let values = functions.all.iter().filter(|f| f.around.is_some()).count();
    let of = |classes: &[&str]| calls.iter().filter(|(key, _)| classes.contains(&key.2)).map(|c| c.1).sum::<usize>();
    let derivatives = match of(&[DERIVATIVE]) {
        0 => String::new(),
        1 => ", 1 of a derivative".to_string(),
        n => format!(", {n} of derivatives"),
    };
    format!(
        "functions: {} of the module, {values} that {}; calls: {} direct, {} possible indirect{derivatives}; in tail \
         position: {}",
        functions.all.len() - values,
        if values == 1 { "is a value" } else { "are values" },
        of(&[CALL, TAIL]),
        of(&[INDIRECT, INDIRECT_TAIL]),
        of(&[TAIL, INDIRECT_TAIL])
    )
}

/// Returns a note on calls whose callees are not in the program.
fn unknown(functions: &Functions, flow: &Flow) -> Option<String> {
    let calls = |id: usize| functions.own_ops(id).into_iter().filter(|op| called_operand(op.name()).is_some());
    let of = |id: usize| calls(id).filter(|op| flow.called(*op).is_empty()).count();
    let names: Vec<&str> =
        (0..functions.all.len()).filter(|&k| of(k) > 0).map(|k| functions.all[k].name.as_str()).collect();
    (!names.is_empty()).then(|| format!("{} call unknown functions", listed(&names, NAMED)))
}

fn recursion(functions: &Functions, group: &[usize]) -> String {
    let names: Vec<&str> = group.iter().map(|&k| functions.all[k].name.as_str()).collect();
    let what = if group.len() == 1 { "calls itself" } else { "call each other" };
    let around = functions.all[group[0]].around.filter(|k| group.iter().all(|g| functions.all[*g].around == Some(*k)));
    let inside = around.map_or(String::new(), |k| format!(" in {}", functions.all[k].name));
    format!("{}{inside} {what}", listed(&names, NAMED))
}

/// Returns the legend of the shapes, colours and edges that occur.
fn signs(nodes: &[Node], edges: &[Edge], groups: usize) -> Vec<Sign> {
    let has_shape = |shape: Shape| nodes.iter().any(|n| matches!(n.look, Look::Coloured(s, _) if s == shape));
    let shapes = [
        (Shape::RoundThick, "function of the module, public"),
        (Shape::Round, "private"),
        (Shape::Box, "function that is a value"),
    ];
    let classes = [
        (CALL, "call"),
        (TAIL, "call in tail position"),
        (INDIRECT, "possible call of a function that the caller receives as a value"),
        (INDIRECT_TAIL, "the same in tail position"),
        (DERIVATIVE, "call of a derivative"),
    ];
    let shapes = shapes.into_iter().filter(|s| has_shape(s.0));
    let mut signs: Vec<Sign> =
        shapes.map(|(shape, text)| Sign::Node(Look::Coloured(shape, 0), text.to_string())).collect();
    if groups > 0 {
        signs.push(Sign::Node(
            Look::Coloured(Shape::Box, 1),
            "recursive; functions of one colour reach each other".into(),
        ));
    }
    let classes = classes.into_iter().filter(|c| edges.iter().any(|e| e.class == c.0));
    signs.extend(classes.map(|(class, text)| Sign::Edge(class, text.to_string())));
    signs
}
