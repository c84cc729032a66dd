//! A node that is ready to run: without instances, with what analyses know of it.

use super::chronogram;
use super::interpret::{Input, Interpreter, Row};
use super::session::Stop;
use crate::entry::place;
use crate::failure::Failure;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::ops::{HasKind, Kind as OpKind};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::streams::nodes::causality;
use mlopt_passes::streams::nodes::clocks;
use mlopt_passes::streams::nodes::clocks::Clocks;
use mlopt_passes::streams::nodes::names;
use mlopt_passes::streams::nodes::plan;
use mlopt_passes::streams::nodes::plan::{Class, Plan};
use mlopt_passes::streams::{Graph, Kind, Var};
use std::collections::HashMap;

pub struct Flat {
    pub graph: Graph,
    pub clocks: Clocks,
    pub plan: Plan,
    order: Vec<Var>,
    aliases: HashMap<String, String>,
    by_name: HashMap<String, Var>,
}

/// How far a node looks ahead.
#[derive(Clone, Debug)]
pub struct Ahead {
    pub class: Class,
    /// By how many cycles, of a node that is not more than retimed.
    pub latency: usize,
    /// The conditions that end recurrences backward in time.
    pub awaited: String,
}

/// What comes before the analyses.
pub const PIPELINE: &str = "builtin.module(stream-inline)";

impl Flat {
    /// `node` is in a program that went through [`PIPELINE`].
    ///
    /// # Errors
    /// Those of the analyses.
    pub fn new(node: Op) -> Result<Flat, Reported> {
        let graph = Graph::of(node)?;
        let clocks = clocks::infer(&graph)?;
        let order = causality::order(&graph, &clocks)?;
        let plan = plan::plan(&graph, &clocks)?;
        let by_name = graph.vars().filter_map(|v| Some((graph.value(v).name()?, v))).collect();
        let aliases = names::aliases(node).into_iter().collect();
        Ok(Flat { graph, clocks, plan, order, aliases, by_name })
    }

    /// The nodes of a module by name.
    pub fn nodes(program: &Program) -> Vec<Op> {
        program.module().nested_ops().into_iter().filter(|op| op.kind() == OpKind::StreamNode).collect()
    }

    /// The node of a name, with or without `@`.
    ///
    /// # Errors
    /// Where there is none, with the nearest name.
    pub fn named(program: &Program, name: &str) -> Result<Op, Failure> {
        let nodes = Flat::nodes(program);
        let name = name.strip_prefix('@').unwrap_or(name);
        nodes.iter().find(|n| n.symbol().as_deref() == Some(name)).copied().ok_or_else(|| {
            let names: Vec<String> = nodes.iter().filter_map(|n| n.symbol()).collect();
            let hint = did_you_mean(name, names.iter().map(String::as_str));
            Failure::at(place(program.module().location()), format!("no node `@{name}`{hint}"))
        })
    }

    /// The name of the node that is meant, of a program that did not go through [`PIPELINE`]: without one, the only node that is in
    /// no other.
    ///
    /// # Errors
    /// Where that is none, or several.
    pub fn choose(program: &Program, name: Option<&str>) -> Result<String, Failure> {
        if let Some(name) = name {
            return Ok(Flat::named(program, name)?.symbol().unwrap_or_default());
        }
        let instances = program.module().nested_ops().into_iter().filter(|op| op.kind() == OpKind::StreamInstance);
        let inner: Vec<String> = instances.filter_map(|op| op.attribute("callee")?.as_symbol()).collect();
        let names: Vec<String> = Flat::nodes(program).iter().filter_map(|n| n.symbol()).collect();
        let wrong = |text: String| Err(Failure::at(place(program.module().location()), text));
        match &names.iter().filter(|name| !inner.contains(name)).collect::<Vec<_>>()[..] {
            [only] => Ok(only.to_string()),
            [] => wrong("the program has no node".into()),
            outermost => {
                let listed: Vec<String> = outermost.iter().map(|n| format!("`@{n}`")).collect();
                wrong(format!("expected `--node`, one of the nodes: {}", listed.join(", ")))
            }
        }
    }

    /// The stream of a name: its own, one that it has outside of its instance, or that of an output.
    pub fn find(&self, name: &str) -> Option<Var> {
        let output = self.graph.outputs.iter().find(|o| o.0 == name).map(|o| o.1);
        output.or_else(|| self.by_name.get(names::resolve(&self.aliases, name)).copied())
    }

    /// Further names of streams, each with one that it stands for.
    pub fn aliases(&self) -> &HashMap<String, String> {
        &self.aliases
    }

    /// All names by which streams can be asked for.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let outputs = self.graph.outputs.iter().map(|o| o.0.as_str());
        outputs.chain(self.by_name.keys().chain(self.aliases.keys()).map(String::as_str))
    }

    pub fn inputs(&self) -> impl Iterator<Item = (String, Type)> {
        self.graph.inputs().map(|v| (self.graph.label(v), self.graph.value(v).ty()))
    }

    /// All streams, by number.
    ///
    /// # Errors
    /// E-RT-OP, and what `initial` says of a value that it cannot make.
    pub fn interpret(
        &self,
        inputs: &[Input],
        cycles: usize,
        initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
    ) -> Result<Vec<Row>, EvalError> {
        let Flat { graph, clocks, order, .. } = self;
        Interpreter { graph, clocks, order }.run(inputs, cycles, initial)
    }

    /// What the interpreter's rows say of the first cycle in which an input is present where its clock is not, or the reverse, or changes where
    /// that was promised not to happen.
    pub fn mistimed(&self, inputs: &[Input], rows: &[Row]) -> Option<(usize, Stop)> {
        let all = [self.misplaced(inputs, rows), self.changed(rows)];
        all.into_iter().flatten().min_by_key(|(n, _)| *n)
    }

    fn changed(&self, rows: &[Row]) -> Option<(usize, Stop)> {
        let promise = self.plan.promise.as_ref()?;
        let bit = |v: Var, n: usize| match &rows[v][n] {
            Cell::Value(x) => Some(matches!(x.data(), Data::I1(b) if b[..] == [true])),
            _ => None,
        };
        let mut before: Vec<Option<bool>> = vec![];
        for n in (0..rows[promise.boundary].len()).filter(|&n| bit(promise.boundary, n).is_some()) {
            let now: Vec<Option<bool>> = promise.constant.iter().map(|&v| bit(v, n)).collect();
            if let Some(k) = (0..before.len()).find(|&k| now[k] != before[k]) {
                return Some((n, Stop::Changed { input: promise.constant[k], boundary: promise.boundary }));
            }
            before = if bit(promise.boundary, n) == Some(true) { vec![] } else { now };
        }
        None
    }

    fn misplaced(&self, inputs: &[Input], rows: &[Row]) -> Option<(usize, Stop)> {
        let wrong = |v: Var| rows[v].iter().position(|c| *c == Cell::Mistimed).map(|n| (n, v));
        let (n, input) = self.graph.inputs().filter_map(wrong).min()?;
        let is_present = {
            let (Input::Cells(row) | Input::Slots(row)) = &inputs[input];
            matches!(row[n], Cell::Value(_))
        };
        Some((n, Stop::Mistimed { input, is_present }))
    }

    /// What stops a run in a cycle: where, if that is a place of its own, and what is wrong, with its code.
    pub fn stopped(&self, cycle: usize, stop: &Stop) -> (Option<String>, String) {
        match stop {
            Stop::Fault { location, text } => (Some(location.clone()), text.clone()),
            Stop::Mistimed { input, is_present } => {
                let (name, clock) = (self.graph.name(*input), self.clocks.show(&self.graph, self.clocks.of(*input)));
                let found = if *is_present { "present" } else { "absent" };
                (None, format!("E-RT-CLOCK: input {name} on the clock `{clock}` is {found} in cycle {cycle}"))
            }
            Stop::Changed { input, boundary } => {
                let [input, boundary] = [*input, *boundary].map(|v| self.graph.name(v));
                let what = "which is constant within a sequence (`stream.segment_constant`)";
                (
                    None,
                    format!(
                        "E-RT-CLOCK: input {input}, {what}, changes in cycle {cycle}, where {boundary} did not end one"
                    ),
                )
            }
            Stop::Overrun { start, horizon } => {
                let what = format!("the sequence from cycle {start} on is longer than the horizon, {horizon}");
                (None, format!("E-RT-HORIZON: {what}, in cycle {cycle}{}", self.waits()))
            }
        }
    }

    /// That the inputs end before an output is known in some cycles: E-RT-UNTERMINATED.
    pub fn unterminated(&self, output: &str, open: &[usize]) -> String {
        let cycles = chronogram::list(&open.iter().map(usize::to_string).collect::<Vec<_>>());
        format!("E-RT-UNTERMINATED: the inputs end before `{output}` is known in {cycles}{}", self.waits())
    }

    /// What ends recurrences backward in time.
    fn waits(&self) -> String {
        let awaited = self.awaited();
        if awaited.is_empty() { String::new() } else { format!(", waiting for {awaited}") }
    }

    /// The conditions that end recurrences backward in time.
    pub fn awaited(&self) -> String {
        self.plan.breaks.iter().map(|b| self.literal(b.when)).collect::<Vec<_>>().join(", ")
    }

    pub fn ahead(&self) -> Ahead {
        let class = self.plan.class;
        let latency = if class == Class::Retimed { plan::latency(&self.graph, &self.clocks) } else { 0 };
        Ahead { class, latency, awaited: self.awaited() }
    }

    fn literal(&self, l: clocks::Literal) -> String {
        format!("{}{}", if l.holds { "" } else { "not " }, self.graph.name(l.condition))
    }

    /// The ops of the initial values that a run needs.
    pub fn initials(&self) -> impl Iterator<Item = Op> {
        let constants = self.graph.vars().filter(|&v| self.graph.kind(v) == Kind::Constant);
        constants.map(|v| self.graph.op(v)).filter(|op| op.kind() == OpKind::StreamInitial)
    }
}
