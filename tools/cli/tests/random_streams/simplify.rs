//! Tests of `stream-simplify`: the simplified node computes the same as the original, and equal equations are computed
//! once.

use super::equations::{Generator, inputs, outputs};
use super::laws::Side;
use super::runs::{
    Loaded, Same, compare_compiled, differs, identical, identical_or_more, interpret, judge, load, seeds,
};
use mlopt_cases::{Checked, Failures, is_one};
use mlopt_dialects::text::terms::read_one;
use mlopt_passes::streams::EquationKind;
use mlopt_runtime::streams::flat::{Flat, PIPELINE};

const CYCLES: usize = 25;
const SIMPLIFY: &str = "builtin.module(stream-inline,stream-simplify)";
const NAMED: &str = "builtin.module(stream-inline,stream-simplify{named=true})";
const EARLY: &str = "builtin.module(stream-inline,stream-simplify{early=true})";

/// Left sides of laws.
const LAWS: [&[&str]; 8] = [
    &["(post (fby k x))"],
    // Delays that later equations read are kept.
    &["(f (fby k x) (fby l y))"],
    &["(f (post x) (post y))"],
    &["(merge c (when x c) (when x (not c)))"],
    &["(when (merge c yes no) c)", "(when (merge c yes no) (not c))"],
    &["(if c x x)"],
    &["(f x (post k))", "(f x (fby k k))"],
    &["(f (fby k x) y)", "(f (fby k x) y)"],
];

/// Adds the left side of a law on existing streams.
fn law(g: &mut Generator) {
    let Some(x) = g.pick(|_| true) else { return };
    let mut side = Side::on(g.clone(), x);
    for term in LAWS[side.g.below(LAWS.len())] {
        side.made(&read_one(term).expect("a term"));
    }
    *g = side.g;
}

/// Generates a node that contains left sides of laws. For odd seeds, its streams have no names, so delays may be
/// removed.
fn program(seed: u64, equations: usize) -> String {
    let mut g = Generator::new(seed);
    for k in 0..equations {
        g.equation();
        if k.is_multiple_of(3) {
            law(&mut g);
        }
    }
    let outputs = outputs(&mut g);
    g.close();
    let text = g.node(&outputs);
    if seed.is_multiple_of(2) { text } else { text.replace("%v", "%") }
}

/// Returns the depths of the clocks of inputs and outputs.
fn interface(flat: &Flat) -> Vec<usize> {
    let graph = &flat.graph;
    let all = graph.inputs().chain(graph.outputs.iter().map(|o| o.1));
    all.map(|v| flat.clocks.literals(flat.clocks.of(v)).count()).collect()
}

/// Compares the simplified node with the original.
fn compare(seed: u64, original: &Loaded, simple: &Loaded, is_same: Same, compiled: bool) -> Checked {
    let (first, second) = (&original.flat, &simple.flat);
    if second.plan.class > first.plan.class {
        return Err(format!("{} becomes {}", first.plan.class.name(), second.plan.class.name()).into());
    }
    if interface(first) != interface(second) {
        return Err("clocks of the interface are others".into());
    }
    let given = inputs(seed, CYCLES);
    let want = interpret(first, &given, CYCLES, "")?;
    let got = interpret(second, &given, CYCLES, "")?;
    for ((name, a), (_, b)) in first.graph.outputs.iter().zip(&second.graph.outputs) {
        if let Some(text) = differs(name, &want[*a], &got[*b], is_same) {
            return Err(text.into());
        }
    }
    if compiled { compare_compiled(first, &given, CYCLES, &want) } else { Ok(()) }
}

/// Returns the change of the node's size, or the code with which the node is rejected.
fn check(seed: u64, text: &str) -> Checked<String> {
    let original = match load(text, "f", PIPELINE) {
        Ok(original) => original,
        Err(e) if e.code.is_empty() => return Err(e.into()),
        Err(e) => return Ok(e.code),
    };
    for (pipeline, is_same) in [(SIMPLIFY, identical as Same), (NAMED, identical), (EARLY, identical_or_more)] {
        let simple = load(text, "f", pipeline).map_err(|e| format!("the simplified node: {e}"))?;
        compare(seed, &original, &simple, is_same, seed % 20 == 3 && pipeline == SIMPLIFY)?;
    }
    let simple = load(text, "f", SIMPLIFY)?;
    let is_smaller = simple.flat.graph.len() < original.flat.graph.len();
    Ok(if is_smaller { "smaller" } else { "as large" }.into())
}

#[test]
fn simplified_nodes_do_the_same() {
    judge(120, |seed| program(seed, 3 + seed as usize % 15), check);
}

/// Returns the node with all of its equations duplicated, and with the outputs of both copies.
fn doubled(text: &str) -> String {
    let (head, rest) = text.split_once("{\n").expect("a node has a body");
    let (equations, end) = rest.rsplit_once("  stream.yield ").expect("it ends in `stream.yield`");
    let (names, types) = end.split_once(" : ").expect("with types");
    let types = types.lines().next().unwrap_or_default();
    let again = |text: &str| text.replace("%v", "%again");
    let (inputs, results) = head.split_once(" -> (").expect("a node has outputs");
    let results = results.trim_end().trim_end_matches(')');
    let others: Vec<String> = results.split(", ").map(|r| format!("again_{r}")).collect();
    let (copy, more, others) = (again(equations), again(names), others.join(", "));
    format!(
        "{inputs} -> ({results}, {others}) {{\n{equations}{copy}  stream.yield {names}, {more} : {types}, {types}\n}}\n"
    )
}

/// Checks that duplicated recurrences are merged.
#[test]
fn what_is_written_twice_is_computed_once() {
    let (mut ran, mut delays) = (0, 0);
    let mut failures = Failures::default();
    for seed in seeds(60) {
        let text = doubled(&super::equations::program(seed, 3 + seed as usize % 20));
        let Ok(simple) = load(&text, "f", NAMED) else { continue };
        let graph = &simple.flat.graph;
        let (once, again) = graph.outputs.split_at(graph.outputs.len() / 2);
        ran += 1;
        delays += graph.vars().filter(|&v| graph.kind(v) == EquationKind::Fby).count();
        if let Some((o, _)) = once.iter().zip(again).find(|(a, b)| a.1 != b.1) {
            failures.add(seed, format!("`{}` is computed twice", o.0), &text);
        }
    }
    println!("{ran} programs with {delays} delays");
    failures.end();
    assert!(is_one() || ran > 15 && delays > 15, "{ran} programs, {delays} delays");
}
