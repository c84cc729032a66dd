//! Execution of a node that `stream-to-loops` has compiled.

use super::flat::{Ahead, Flat, PIPELINE};
use crate::code::{Compiled as Module, Function};
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_lowering::native::{self, Target};
use mlopt_lowering::pipelines::default_pipeline;
use mlopt_passes::streams::Var;
use mlopt_passes::streams::nodes::names::strings;
use mlopt_passes::streams::stream_to_loops::{
    ARGUMENTS, BACK, ENDS, FAULTS, INIT, PARAMETERS, RESULTS, SEGMENT, STARTS, WHOLE,
};
use std::collections::HashMap;

/// Simplifies nodes before they are compiled. The interpreter runs them unsimplified.
pub(super) const SIMPLIFY: &str = "builtin.module(stream-simplify)";

/// Converts nodes to functions, after that.
pub(super) const TO_FUNCTIONS: &str = "builtin.module(stream-to-loops,func.func(upstream-to-array))";

/// The role of an argument or a result of a function, and the name of its stream.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slot {
    pub role: String,
    pub name: String,
}

impl Slot {
    pub fn is_state(&self) -> bool {
        matches!(self.role.as_str(), "state" | "state?" | "ticked" | "ticked?")
    }
}

/// A node that cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A diagnostic has been printed.
    #[error(transparent)]
    Reported(#[from] Reported),
    #[error(transparent)]
    Native(#[from] native::Error),
}

pub struct Compiled {
    pub(super) init: Function,
    /// The function of the parameters, if the node has parameters.
    pub(super) parameters: Option<Function>,
    /// The forward sweep as a function of arrays. `stream-to-loops` defines their order.
    pub forward: Function,
    /// The backward sweep, if the node looks ahead.
    pub(super) back: Option<Function>,
    /// The functions of whole sequences, if the node is computed sequence by sequence.
    pub(super) segments: Option<Segments>,
    /// The arguments and results of each function, by its suffix of the node's name.
    pub(super) slots: HashMap<&'static str, [Vec<Slot>; 2]>,
    /// The positions of the divisions.
    pub(super) faults: Vec<String>,
    /// The aliases of streams: equal streams are computed once, under one name.
    pub(super) aliases: HashMap<String, String>,
    pub ahead: Ahead,
    /// The shown streams, outputs first.
    pub(super) shown: Vec<Var>,
}

/// The functions that compute a whole sequence.
pub(super) struct Segments {
    pub segment: Function,
    /// Finds the cycles in which sequences end.
    pub ends: Function,
    /// The states that are true before a sequence.
    pub starts: Vec<Slot>,
    /// True if the state is unknown within a sequence.
    pub is_whole: bool,
}

/// Concatenates pipelines of a module.
fn joined(all: &[&str]) -> String {
    let passes = all.iter().map(|p| p.strip_prefix("builtin.module(").and_then(|p| p.strip_suffix(')')).unwrap_or(p));
    format!("builtin.module({})", passes.collect::<Vec<_>>().join(","))
}

impl Compiled {
    /// Returns the pipeline of a module with a node.
    pub fn pipeline() -> String {
        Compiled::pipeline_to(&default_pipeline())
    }

    /// Returns the pipeline with other passes for the functions of the node.
    pub fn pipeline_to(code: &str) -> String {
        joined(&[PIPELINE, SIMPLIFY, TO_FUNCTIONS, code])
    }

    /// Returns the pipeline that converts nodes to functions.
    pub fn to_functions() -> String {
        joined(&[PIPELINE, SIMPLIFY, TO_FUNCTIONS])
    }

    /// Compiles the node of `flat` by the passes `pipeline` for its functions. A run also returns the streams `more`,
    /// besides inputs and outputs.
    ///
    /// # Errors
    /// The node does not fit the target, or the clock of a stream of `more` cannot be determined outside of the node.
    pub fn new(flat: &Flat, more: &[Var], pipeline: &str) -> Result<Compiled, CompileError> {
        let node = flat.graph.node;
        let module = node.module().ok_or_else(|| node.error("must be in a module").emit())?;
        let program = Program::parse(module.with_locations().as_bytes(), "node")?;
        let symbol = node.symbol().unwrap_or_default();
        for other in Flat::nodes(&program) {
            match other.symbol() == node.symbol() {
                true => show(other, flat, more)?,
                false => other.erase(),
            }
        }
        let simple = simplified(&program, &symbol)?;
        let (aliases, ahead, quotients) = (simple.aliases.clone(), simple.ahead(), quotients(&simple));
        program.run_pipeline(TO_FUNCTIONS)?;
        let find = |suffix: &str| program.module().lookup(&format!("{symbol}{suffix}"));
        let mut slots = HashMap::new();
        for suffix in ["", INIT, BACK, SEGMENT, ENDS, PARAMETERS] {
            if let Some(op) = find(suffix) {
                slots.insert(suffix, [ARGUMENTS, RESULTS].map(|a| slots_of(op, a)));
            }
        }
        let faults = find("").map(|op| strings(op, FAULTS)).unwrap_or_default();
        let here = crate::entry::place(node.location());
        let faults = faults.iter().map(|name| quotients.get(name).unwrap_or(&here).clone()).collect();
        let segment = find(SEGMENT).map(|op| (strings(op, STARTS), op.attribute(WHOLE).is_some()));
        let target = Target::host()?;
        target.describe(program.module());
        program.run_pipeline(pipeline)?;
        let code = Module::new(program.module(), &target)?;
        let call = |suffix: &str| code.function(&format!("{symbol}{suffix}"));
        let known = |suffix: &str| if slots.contains_key(suffix) { call(suffix).map(Some) } else { Ok(None) };
        let (back, parameters) = (known(BACK)?, known(PARAMETERS)?);
        let segments = match segment {
            Some((names, is_whole)) => {
                let starts = names.into_iter().map(|name| Slot { role: "state".into(), name }).collect();
                Some(Segments { segment: call(SEGMENT)?, ends: call(ENDS)?, starts, is_whole })
            }
            None => None,
        };
        let shown = flat.graph.outputs.iter().map(|o| o.1).chain(more.iter().copied()).collect();
        let (init, forward) = (call(INIT)?, call("")?);
        Ok(Compiled { init, parameters, forward, back, segments, slots, faults, aliases, ahead, shown })
    }
}

/// Returns the node `symbol`, the only one of the program, after [`SIMPLIFY`].
pub(super) fn simplified(program: &Program, symbol: &str) -> Result<Flat, CompileError> {
    program.run_pipeline(SIMPLIFY)?;
    let node = Flat::nodes(program).into_iter().find(|n| n.symbol().as_deref() == Some(symbol));
    let none = || program.module().error(format!("internal error: expected the node `@{symbol}`")).emit();
    Ok(Flat::new(node.ok_or_else(none)?)?)
}

/// Returns the positions of the divisions, by name.
fn quotients(flat: &Flat) -> HashMap<String, String> {
    let graph = &flat.graph;
    let all = graph.vars().map(|v| (v, graph.op(v))).filter(|(_, op)| op.kind() == Kind::StreamDiv);
    all.map(|(v, op)| (graph.label(v), crate::entry::place(op.location()))).collect()
}

/// Adds streams to the outputs, with the conditions of their clocks.
fn show(node: Op, flat: &Flat, more: &[Var]) -> Result<(), Reported> {
    let end = node.entry().end();
    let graph = mlopt_passes::streams::Graph::of(node)?;
    let context = node.context();
    let mut names = strings(node, "outputs");
    let mut vars: Vec<Var> = more.to_vec();
    for &v in more {
        vars.extend(flat.clocks.literals(flat.clocks.of(v)).map(|l| l.condition));
    }
    let (inputs, mut types) = node.function_type().unwrap_or_default();
    let mut values = end.operands();
    let taken: Vec<String> = names.iter().cloned().chain(strings(node, "inputs")).collect();
    for (k, v) in vars.into_iter().enumerate() {
        let name = (0..).map(|n| format!("shown{k}{}", "_".repeat(n))).find(|n| !taken.contains(n));
        names.push(name.expect("one is free"));
        values.push(graph.value(v));
        types.push(graph.value(v).ty());
    }
    end.set_operands(&values);
    let names: Vec<_> = names.iter().map(|n| context.string_attr(n)).collect();
    node.set_attribute("outputs", context.array_attr(&names));
    node.set_attribute("function_type", context.type_attr(context.function_type(&inputs, &types)));
    Ok(())
}

pub(super) fn slots_of(op: Op, attribute: &str) -> Vec<Slot> {
    let one = |text: String| {
        let (role, name) = text.split_once(' ').unwrap_or((&text, ""));
        Slot { role: role.into(), name: name.into() }
    };
    strings(op, attribute).into_iter().map(one).collect()
}
