//! A node that is ready to run: without instances, and with the results of its analyses.

use super::chronogram;
use crate::entry::place;
use crate::failure::Failure;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::interpret::{Input, Interpreter, Row};
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::count;
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::streams::nodes::clocks::{self, Clocks};
use mlopt_passes::streams::nodes::plan::{self, Class, Plan};
use mlopt_passes::streams::nodes::{causality, names};
use mlopt_passes::streams::{EquationKind, Graph, Var};
use std::collections::HashMap;

pub struct Flat {
    pub graph: Graph,
    pub clocks: Clocks,
    pub plan: Plan,
    /// The aliases of streams, each with the name that it stands for.
    pub aliases: HashMap<String, String>,
    by_name: HashMap<String, Var>,
}

/// The look-ahead of a node.
#[derive(Clone, Debug)]
pub struct Ahead {
    pub class: Class,
    /// The number of cycles, for a node that is at most retimed.
    pub latency: usize,
    /// The conditions that end recurrences backward in time.
    pub awaited: String,
}

/// The reason why a run stops before its inputs end.
#[derive(Clone, Debug)]
pub enum Stop {
    /// A cycle without a result: E-RT-OP.
    Fault { location: String, text: String },
    /// An input is present in a cycle in which it must be absent, or the reverse: E-RT-CLOCK.
    Mistimed { input: Var, is_present: bool },
    /// A condition changes within a sequence in which it was promised to be constant: E-RT-CLOCK.
    Changed { input: Var, boundary: Var },
    /// The maximum number of cycles, from `start` on, waits for values of later cycles: E-RT-HORIZON.
    Overrun { start: usize, horizon: usize },
}

/// The passes before the analyses.
pub const PIPELINE: &str = "builtin.module(stream-inline)";

impl Flat {
    /// Analyses `node`, which is in a program after [`PIPELINE`].
    ///
    /// # Errors
    /// Those of the analyses.
    pub fn new(node: Op) -> Result<Flat, Reported> {
        let graph = Graph::of(node)?;
        let clocks = clocks::infer(&graph)?;
        causality::order(&graph, &clocks)?;
        let plan = plan::plan(&graph, &clocks)?;
        let by_name = graph.vars().filter_map(|v| Some((graph.value(v).name()?, v))).collect();
        let aliases = names::aliases(node).into_iter().collect();
        Ok(Flat { graph, clocks, plan, aliases, by_name })
    }

    /// Returns the nodes of a module.
    pub fn nodes(program: &Program) -> Vec<Op> {
        program.module().nested_ops().into_iter().filter(|op| op.kind() == Kind::StreamNode).collect()
    }

    /// Returns the node `name`, with or without `@`.
    ///
    /// # Errors
    /// The node does not exist; the message suggests the most similar name.
    pub fn named(program: &Program, name: &str) -> Result<Op, Failure> {
        let nodes = Flat::nodes(program);
        let name = name.strip_prefix('@').unwrap_or(name);
        nodes.iter().find(|n| n.symbol().as_deref() == Some(name)).copied().ok_or_else(|| {
            let names: Vec<String> = nodes.iter().filter_map(|n| n.symbol()).collect();
            let hint = did_you_mean(name, names.iter().map(String::as_str));
            Failure::at(place(program.module().location()), format!("unknown node `@{name}`{hint}"))
        })
    }

    /// Returns the name of the node to run, in a program before [`PIPELINE`]. If `name` is `None`, it is the only node
    /// that no other node instantiates.
    ///
    /// # Errors
    /// There is no such node, or several.
    pub fn choose(program: &Program, name: Option<&str>) -> Result<String, Failure> {
        if let Some(name) = name {
            return Ok(Flat::named(program, name)?.symbol().unwrap_or_default());
        }
        let instances = program.module().nested_ops().into_iter().filter(|op| op.kind() == Kind::StreamInstance);
        let inner: Vec<String> = instances.filter_map(|op| op.attribute("callee")?.as_symbol()).collect();
        let names: Vec<String> = Flat::nodes(program).iter().filter_map(|n| n.symbol()).collect();
        let wrong = |text: String| Err(Failure::at(place(program.module().location()), text));
        match &names.iter().filter(|name| !inner.contains(name)).collect::<Vec<_>>()[..] {
            [only] => Ok(only.to_string()),
            [] => wrong("expected a node in the program, found none".into()),
            outermost => {
                let listed: Vec<String> = outermost.iter().map(|n| format!("`@{n}`")).collect();
                wrong(format!("expected `--node` with the name of a node, one of {}", listed.join(", ")))
            }
        }
    }

    /// Returns the stream of a name: its own name, its name outside of the instance, or the name of an output.
    pub fn find(&self, name: &str) -> Option<Var> {
        let output = self.graph.outputs.iter().find(|o| o.0 == name).map(|o| o.1);
        output.or_else(|| self.by_name.get(names::resolve(&self.aliases, name)).copied())
    }

    /// Returns all names of streams.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let outputs = self.graph.outputs.iter().map(|o| o.0.as_str());
        outputs.chain(self.by_name.keys().chain(self.aliases.keys()).map(String::as_str))
    }

    pub fn inputs(&self) -> impl Iterator<Item = (String, Type)> {
        self.graph.inputs().map(|v| (self.graph.label(v), self.graph.value(v).ty()))
    }

    /// Interprets the node. Returns all streams, by number.
    ///
    /// # Errors
    /// E-RT-OP, and errors of `initial`.
    pub fn interpret(
        &self,
        inputs: &[Input],
        cycles: usize,
        initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
    ) -> Result<Vec<Row>, EvalError> {
        // Its streams have the numbers of `Graph`: inputs, then results in the order of the text.
        Interpreter::new(self.graph.node)?.run(inputs, cycles, initial)
    }

    /// Returns the first cycle in which, by the interpreter's rows, an input is mistimed, or changes although the
    /// environment promises that it is constant.
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
        let (Input::Cells(row) | Input::Slots(row)) = &inputs[input];
        Some((n, Stop::Mistimed { input, is_present: matches!(row[n], Cell::Value(_)) }))
    }

    /// Formats the reason why a run stops in a cycle: its location, if it has one, and the message with its code.
    pub fn stopped(&self, cycle: usize, stop: &Stop) -> (Option<String>, String) {
        match stop {
            Stop::Fault { location, text } => (Some(location.clone()), text.clone()),
            Stop::Mistimed { input, is_present } => {
                let (name, clock) = (self.graph.name(*input), self.clocks.show(&self.graph, self.clocks.of(*input)));
                let (expected, found) = if *is_present { ("absent", "present") } else { ("present", "absent") };
                let what = format!("input {name} on the clock `{clock}` must be {expected} in cycle {cycle}");
                (None, format!("E-RT-CLOCK: {what}, found it {found}"))
            }
            Stop::Changed { input, boundary } => {
                let [input, boundary] = [*input, *boundary].map(|v| self.graph.name(v));
                let what = format!("may change only after a cycle in which {boundary} is true");
                let change = format!("found a change in cycle {cycle}");
                (None, format!("E-RT-CLOCK: input {input} {what} (`stream.segment_constant`), {change}"))
            }
            Stop::Overrun { start, horizon } => {
                let what = format!("the sequence that began in cycle {start} became longer than the horizon");
                let horizon = count(*horizon, "cycle");
                (None, format!("E-RT-HORIZON: in cycle {cycle}, {what} of {horizon}{}", self.waits()))
            }
        }
    }

    /// Formats E-RT-UNTERMINATED: the inputs end before an output is known in all cycles.
    pub fn unterminated(&self, output: &str, open: &[usize]) -> String {
        let (cycles, waits) = (chronogram::list(open), self.waits());
        format!("E-RT-UNTERMINATED: the inputs end before the value of `{output}` in {cycles} is known{waits}")
    }

    /// Formats the conditions that end recurrences, for messages.
    fn waits(&self) -> String {
        let awaited = self.awaited();
        let what = if self.plan.breaks.len() == 1 { "condition" } else { "conditions" };
        if awaited.is_empty() { String::new() } else { format!("; outputs wait for the {what} {awaited}") }
    }

    /// Returns the conditions that end recurrences backward in time.
    pub fn awaited(&self) -> String {
        let not = |holds: bool| if holds { "" } else { "not " };
        let condition = |b: &plan::Break| format!("{}{}", not(b.when.holds), self.graph.name(b.when.condition));
        self.plan.breaks.iter().map(condition).collect::<Vec<_>>().join(", ")
    }

    pub fn ahead(&self) -> Ahead {
        let class = self.plan.class;
        let latency = if class == Class::Retimed { plan::latency(&self.graph, &self.clocks) } else { 0 };
        Ahead { class, latency, awaited: self.awaited() }
    }

    /// Returns the ops of the initial values that a run needs.
    pub fn initials(&self) -> impl Iterator<Item = Op> {
        let constants = self.graph.vars().filter(|&v| self.graph.kind(v) == EquationKind::Constant);
        constants.map(|v| self.graph.op(v)).filter(|op| op.kind() == Kind::StreamInitial)
    }
}
