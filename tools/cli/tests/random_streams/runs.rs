//! Interpreted and compiled runs of nodes, and their comparison.

pub use mlopt_cli::vectors::streams::{Loaded, Rejected};

use mlopt_cases::{Checked, Failures, Random};
use mlopt_cli::vectors::streams;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::{EvalError, Shared};
use mlopt_dialects::interpret::{Input, Row};
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::pipelines::{default_pipeline, pipeline_without};
use mlopt_runtime::streams::chronogram;
use mlopt_runtime::streams::compiled::Compiled;
use mlopt_runtime::streams::flat::Flat;
use mlopt_runtime::streams::session;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;

/// Returns the seeds of a test, which are `usual` many by default.
pub fn seeds(usual: u64) -> Range<u64> {
    mlopt_lowering::register_passes();
    mlopt_cases::seeds(0, usual)
}

/// Checks the programs of `usual` seeds. Prints and returns how many have each outcome, and fails if a check fails.
pub fn judge<Outcome: Ord + Debug>(
    usual: u64,
    program: impl Fn(u64) -> String,
    mut check: impl FnMut(u64, &str) -> Checked<Outcome>,
) -> BTreeMap<Outcome, usize> {
    let (mut counts, mut failures): (BTreeMap<Outcome, usize>, Failures) = Default::default();
    for seed in seeds(usual) {
        let text = program(seed);
        match check(seed, &text) {
            Ok(outcome) => *counts.entry(outcome).or_default() += 1,
            Err(problem) => failures.add(seed, problem, &text),
        }
    }
    println!("{counts:?}");
    failures.end();
    counts
}

/// Loads a node of a module for a run.
pub fn load(text: &str, name: &str, pipeline: &str) -> Result<Loaded, Rejected> {
    streams::load(Program::parse(text.as_bytes(), "random"), name, pipeline)
}

/// Returns the outcome of a program that is rejected where `when` says.
pub fn refused(e: Rejected, when: &str) -> Checked<String> {
    match e.code.as_str() {
        "" if !e.text.contains("stream-train: ") => Err(format!("refused without a code: {e}").into()),
        "" => Ok(format!("{when} without an end")),
        code => Ok(format!("{when} {code}")),
    }
}

/// Returns an initial value that depends only on its name.
pub fn initial(name: &str, shape: &[usize]) -> Array {
    let seed = name.bytes().fold(0u64, |h, b| h.wrapping_mul(131).wrapping_add(u64::from(b)));
    let mut random = Random::new(seed);
    let numbers = (0..shape.iter().product()).map(|_| random.below(1024) as f64 / 512.0 - 1.0).collect();
    Array::new(shape.to_vec(), Data::F64(numbers))
}

/// Returns [`initial`] for the names of a run, with the prefix `path`.
pub fn initials(path: &str) -> impl FnMut(Op) -> Result<Array, EvalError> {
    let path = path.to_string();
    move |op| Ok(initial(&format!("{path}{}", initial_name(op)), &shape(op.result(0).ty())))
}

pub fn initial_name(op: Op) -> String {
    op.attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default()
}

pub fn shape(ty: Type) -> Vec<usize> {
    if ty.is_tensor() { ty.shape().into_iter().map(|n| n.expect("sizes are known")).collect() } else { vec![] }
}

/// Interprets all streams, none of which may be mistimed.
pub fn interpret(flat: &Flat, given: &[Input], cycles: usize, path: &str) -> Checked<Vec<Row>> {
    let rows = flat.interpret(given, cycles, &mut initials(path)).map_err(|e| format!("the interpreter: {e}"))?;
    match flat.graph.vars().find(|&v| rows[v].contains(&Cell::Mistimed)) {
        Some(v) => Err(format!("{} gets out of step", flat.graph.name(v)).into()),
        None => Ok(rows),
    }
}

/// Computes the outputs by compiled code.
pub fn compile(flat: &Flat, given: &[Input], cycles: usize, path: &str, optimise: bool) -> Checked<Vec<Row>> {
    let pipeline = if optimise { default_pipeline() } else { pipeline_without("egg-optimize") };
    let code = Compiled::new(flat, &[], &pipeline)?;
    let ran =
        session::run(&code, flat, given, cycles, None, &mut initials(path)).map_err(|e| format!("the code: {e}"))?;
    match ran.stop {
        Some((n, stop)) => Err(format!("the code: {}", flat.stopped(n, &stop).1).into()),
        None => Ok(ran.rows),
    }
}

/// Computes the rows by the interpreter and, if `compiled`, by plain and by optimised code, each with the comparison
/// that applies to it.
pub fn every_way(flat: &Flat, given: &[Input], cycles: usize, compiled: bool) -> Checked<Vec<(Vec<Row>, Same)>> {
    let mut all = vec![(interpret(flat, given, cycles, "")?, identical as Same)];
    if compiled {
        for optimise in [false, true] {
            all.push((compile(flat, given, cycles, "", optimise)?, same));
        }
    }
    Ok(all)
}

/// Checks that compiled code agrees with the interpreter cell by cell.
pub fn compare_compiled(flat: &Flat, given: &[Input], cycles: usize, want: &[Row]) -> Checked {
    for optimise in [false, true] {
        let got = compile(flat, given, cycles, "", optimise)?;
        for (name, v) in &flat.graph.outputs {
            if let Some(text) = differs(name, &want[*v], &got[*v], same) {
                let how = if optimise { ", optimised" } else { "" };
                return Err(format!("{}{how}: {text}", flat.plan.class.name()).into());
            }
        }
    }
    Ok(())
}

/// Describes the first cycle in which two rows differ.
pub fn differs(name: &str, want: &Row, got: &Row, is_same: Same) -> Option<String> {
    let n = (0..want.len().max(got.len())).find(|&n| match (want.get(n), got.get(n)) {
        (Some(a), Some(b)) => !is_same(a, b),
        _ => true,
    })?;
    let [want, got] = [want, got].map(|row| row.get(n).map_or("nothing".into(), chronogram::cell));
    Some(format!("`{name}` in cycle {n}: expected {want}, found {got}"))
}

pub type Same = fn(&Cell<Shared>, &Cell<Shared>) -> bool;

/// Compares two cells, up to rounding by another order of additions.
pub fn same(a: &Cell<Shared>, b: &Cell<Shared>) -> bool {
    let near =
        |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-9 * (1.0 + x.abs().max(y.abs()));
    all(a, b, near)
}

/// Checks whether cells are [`identical`], or the first is undetermined.
pub fn identical_or_more(a: &Cell<Shared>, b: &Cell<Shared>) -> bool {
    matches!(a, Cell::Undetermined) || identical(a, b)
}

/// Compares two cells bit by bit.
pub fn identical(a: &Cell<Shared>, b: &Cell<Shared>) -> bool {
    all(a, b, |x, y| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()))
}

fn all(a: &Cell<Shared>, b: &Cell<Shared>, are: impl Fn(f64, f64) -> bool) -> bool {
    match (a, b) {
        (Cell::Value(a), Cell::Value(b)) => {
            a.shape() == b.shape()
                && a.element() == b.element()
                && a.to_f64().iter().zip(&b.to_f64()).all(|(&x, &y)| are(x, y))
        }
        (a, b) => a.map(|_| ()) == b.map(|_| ()),
    }
}
