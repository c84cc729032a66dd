//! Converts reactive nodes to functions: loops over cycles that carry the state (`spec/streams.md` 6).
//!
//! A node `@f` becomes two functions. `@f_init` returns the state before the first cycle. `@f` runs any number of
//! cycles in which the node is active. It takes the state, and an array with one row per cycle for each input. It
//! returns the state after the cycles, and an array with one row per cycle for each output; the contents of a row are
//! unspecified if the stream is absent. The attributes `stream.arguments` and `stream.results` contain the roles of
//! arguments and results:
//! - `cycles` is the number of cycles, if there are no inputs; `input x` the rows of an input; `initial k` the value of
//!   a `stream.initial`; `parameter k` the value of a `stream.param`, whose first value `@f_parameters` returns;
//! - `state p` is the value of the `stream.fby` p; `ticked p` is true if its clock has ticked before;
//! - `output y` is the rows of an output; `presence y` the cycles in which it is present, unless it is always present;
//!   `clock x` the cycles in which the input `x` must be present; `fault` for each cycle the least number of a quotient
//!   that divides by zero, or 0. The attribute `stream.faults` lists the quotients, numbered from 1.
//!
//! A node that looks ahead also becomes `@f_back`, which runs the same cycles in reverse order. For each `stream.post`
//! q it returns rows of the values that q reads, `post q`, and the mask of those that are known, `post? q`. `@f` takes
//! these rows, all unknown at first. In turn it returns rows of the values of each `stream.fby` p for `@f_back`: `fby
//! p` and `fby? p`. The two functions run alternately until no further value becomes known. A role with `?` is a mask:
//! `output? y`, `presence? y`, `state? p` and `clock? x` tell which rows of `output y`, `presence y`, `state p` and
//! `clock x` are known. `settled` tells in which cycles all outputs are known, and `closed` after which cycles the
//! whole state is known: the cycles up to such a point need not be stored any longer.
//!
//! If one condition ends all sequences, and no sequence depends on the next one, there are two more functions (6.4).
//! `@f_ends` returns the cycles in which sequences end, `end`. `@f_segment` takes the rows of one whole sequence and
//! returns the state and the outputs, without masks. It alternates forward and backward passes over the cycles, and
//! each equation is computed in one pass. A value that is constant within a sequence is computed once, and so is a
//! value that only the next sequence uses. The attribute `stream.starts` lists states that must be true when
//! `@f_segment` is called. With the attribute `stream.whole`, callers wait for the end of a sequence: only then is the
//! whole state known.
//!
//! The code of a cycle is straight-line code. Equations on the same clock are together in an `scf.if`.
//!
//! Requires: nodes without instances (after `stream-inline`). Result: no node remains.
//! ```mlir before
//! stream.node @sum(%x: f64) -> (s: f64) {
//!   %zero = arith.constant 0.0 : f64
//!   %p = stream.fby %zero, %s : f64
//!   %s = arith.addf %p, %x : f64
//!   stream.yield %s : f64
//! }
//! ```
//! ```mlir after
//! func.func @sum(%x: tensor<?xf64>, %p: f64) -> (f64, tensor<?xf64>)
//!     attributes {stream.arguments = ["input x", "state p"], stream.results = ["state p", "output s"]} {
//!   %zero = arith.constant 0.0 : f64
//!   %q, %s = array.map_accum (%r = %x : tensor<?xf64>) iter_args(%a = %p) -> (f64, tensor<?xf64>) {
//!     %b = arith.addf %a, %r : f64
//!     array.yield %b, %b : f64, f64
//!   }
//!   return %q, %s : f64, tensor<?xf64>
//! }
//! func.func @sum_init() -> f64 attributes {stream.arguments = [], stream.results = ["state p"]} {
//!   %zero = arith.constant 0.0 : f64
//!   return %zero : f64
//! }
//! ```

mod segment;
mod sweep;
mod values;

use crate::streams::nodes::clocks::{Clock, Clocks};
use crate::streams::nodes::plan;
use crate::streams::nodes::schedule::{Direction, Key, Scheduler, is_preloaded, source};
use crate::streams::nodes::segments::Segments;
use crate::streams::{EquationKind, Graph, Var};
use mlopt_dialects::bridge::{Options, Pass, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Block, Builder, Location, Op, OpBuilder, Region, Value, types_of};
use mlopt_dialects::ops::stream::{Initial, Param};
use mlopt_dialects::ops::{HasKind, Kind};
use segment::Segment;
use std::collections::HashMap;
use sweep::Sweep;
use values::{still, zero};

pub const PASS: Pass = Pass {
    name: "stream-to-loops",
    description: "Replace reactive nodes by functions: loops over cycles that carry the state",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["arith", "array", "func", "scf"],
    run,
};

/// Attributes with the roles of arguments and results.
pub const ARGUMENTS: &str = "stream.arguments";
pub const RESULTS: &str = "stream.results";
/// The streams that are quotients and may fail: numbered from 1 in `fault`.
pub const FAULTS: &str = "stream.faults";
/// The states that are true before the first cycle of each sequence.
pub const STARTS: &str = "stream.starts";
/// Marks a node whose state is not known within a sequence.
pub const WHOLE: &str = "stream.whole";

/// The suffixes of the names of the other functions of a node.
pub const INIT: &str = "_init";
pub const BACK: &str = "_back";
pub const SEGMENT: &str = "_segment";
pub const ENDS: &str = "_ends";
pub const PARAMETERS: &str = "_parameters";

fn run(module: Op, _: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let nodes = module.nested_ops().into_iter().filter(|op| op.kind() == Kind::StreamNode);
    let nodes: Vec<(Op, Op)> = nodes.filter_map(|node| Some((node.module()?, node))).collect();
    let (mut failed, mut taken) = (None, HashMap::new());
    for (module, node) in nodes {
        match functions(node, taken.entry(module).or_insert_with(|| names_of(module))) {
            Ok(()) => node.erase(),
            Err(reported) => failed = Some(reported),
        }
    }
    failed.map_or(Ok(()), Err)
}

/// The symbols of a module and their locations, with the generated functions.
type Taken = HashMap<String, Location>;

fn names_of(module: Op) -> Taken {
    module.child_ops().into_iter().filter_map(|op| Some((op.symbol()?, op.location()))).collect()
}

fn functions(node: Op, taken: &mut Taken) -> Result<(), Reported> {
    let (graph, clocks, plan) = plan::analysed(node)?;
    for v in graph.vars() {
        if graph.value(v).ty().shape().contains(&None) {
            let text = format!("not supported: {} must have static sizes", graph.name(v));
            return Err(graph.op(v).error(text).emit());
        }
    }
    let symbol = node.symbol().unwrap_or_default();
    for name in [INIT, BACK, SEGMENT, ENDS, PARAMETERS].map(|suffix| format!("{symbol}{suffix}")) {
        if let Some(other) = taken.insert(name.clone(), node.location()) {
            let text = format!(
                "not supported: the node would generate a second function `@{name}`; rename the first one or the node"
            );
            return Err(node.error(text).note(other, "the function with that name is here").emit());
        }
    }
    let (graph, clocks, plan) = match open_parameters(&graph, &clocks, &format!("{symbol}{PARAMETERS}"))? {
        true => plan::analysed(node)?,
        false => (graph, clocks, plan),
    };
    let needed: Vec<Var> = plan::needed_streams(&graph, &clocks).into_iter().collect();
    let segments = Segments::of(&graph, &clocks, &plan, &needed);
    let parts = Parts::of(&graph, &clocks, needed);
    let forward = Scheduler::new(&graph, &clocks, Direction::Forward);
    let backward = Scheduler::new(&graph, &clocks, Direction::Backward);
    // The values of delays of one sweep that the other one reads.
    let back_wanted: Vec<Key> = parts.posts.iter().flat_map(|&v| [Key::Next(v), Key::NextKnown(v)]).collect();
    let is_fby = |v: &Var| graph.kind(*v) == EquationKind::Fby;
    let kept: Vec<Var> = backward.delays(&back_wanted).into_iter().filter(is_fby).collect();
    Sweep::new(&parts, &forward).forward(&symbol, &kept);
    if !parts.posts.is_empty() {
        Sweep::new(&parts, &backward).backward(&format!("{symbol}{BACK}"), &kept);
    }
    if let Some(segment) = segments.as_ref().and_then(|s| Segment::of(&parts, s)) {
        segment.function(&format!("{symbol}{SEGMENT}"), &forward);
        segment::ends(&segment, &format!("{symbol}{ENDS}"), &forward);
    }
    init(&parts, &format!("{symbol}{INIT}"));
    Ok(())
}

/// The `method` of a parameter that is set from outside.
const PARAMETER: &str = "parameter";

/// Makes parameters with a constant first value arguments of the functions of a node; the function `symbol` returns
/// their first values. Returns whether there are any.
fn open_parameters(graph: &Graph, clocks: &Clocks, symbol: &str) -> Result<bool, Reported> {
    let needed = plan::needed_streams(graph, clocks);
    let is_open = |&v: &Var| graph.op(v).kind() == Kind::StreamParam && graph.is_fixed(graph.args(v)[0]);
    let open: Vec<Var> = needed.iter().copied().filter(is_open).collect();
    if open.is_empty() {
        return Ok(false);
    }
    let first: Vec<Var> = open.iter().map(|&v| graph.args(v)[0]).collect();
    first_values(graph, clocks, &open, &first, symbol);
    for &v in &open {
        let op = graph.op(v);
        let name = op.cast::<Param>().param_name();
        let given = Initial::create(Builder::before(op), &name, PARAMETER, graph.value(v).ty());
        if let Some(name) = graph.value(v).name() {
            given.y().suggest_name(&name);
        }
        graph.value(v).replace_all_uses_with(given.y());
        op.erase();
    }
    Ok(true)
}

/// Writes the function that returns the first values of parameters.
fn first_values(graph: &Graph, clocks: &Clocks, open: &[Var], first: &[Var], symbol: &str) {
    let location = graph.node.location().unnamed();
    let root = Block::new(&[]);
    let (mut env, mut arguments) = (HashMap::new(), Vec::new());
    let parts = Parts::of(graph, clocks, plan::needed_streams(graph, clocks).into_iter().collect());
    for &v in &parts.initials {
        let name = parts.initial_name(v);
        env.insert(Key::Stream(v), root.add_argument(graph.value(v).ty(), location.named(&name)));
        arguments.push(format!("initial {name}"));
    }
    still(graph, first, Builder::at_end(root, location), &mut env);
    let values: Vec<Value> = first.iter().map(|&v| env[&Key::Stream(v)]).collect();
    let name = |&v: &Var| graph.op(v).attribute("param_name").and_then(|a| a.as_string()).unwrap_or_default();
    let results: Vec<String> = open.iter().map(|v| format!("parameter {}", name(v))).collect();
    root.append(OpBuilder::new(Kind::FuncReturn, location).operands(&values).build());
    define(graph.node, symbol, root, &arguments, &results);
}

/// The parts of a node on which outputs depend.
struct Parts<'a> {
    graph: &'a Graph,
    clocks: &'a Clocks,
    needed: Vec<Var>,
    /// `stream.fby`.
    delays: Vec<Var>,
    /// The clocks of delays whose first value is not known before the first cycle.
    flags: Vec<Clock>,
    /// `stream.post`.
    posts: Vec<Var>,
    initials: Vec<Var>,
    /// `stream.div`.
    divisions: Vec<Var>,
}

impl<'a> Parts<'a> {
    fn of(graph: &'a Graph, clocks: &'a Clocks, needed: Vec<Var>) -> Parts<'a> {
        let all = |wanted: &dyn Fn(Var) -> bool| needed.iter().copied().filter(|&v| wanted(v)).collect::<Vec<Var>>();
        let delays = all(&|v| graph.kind(v) == EquationKind::Fby);
        let mut flags: Vec<Clock> =
            delays.iter().filter(|&&v| !is_preloaded(graph, v)).map(|&v| clocks.of(v)).collect();
        flags.sort_unstable();
        flags.dedup();
        let of_kind = |kind: Kind| all(&|v| graph.op(v).kind() == kind);
        let posts = all(&|v| graph.kind(v) == EquationKind::Post);
        let (initials, divisions) = (of_kind(Kind::StreamInitial), of_kind(Kind::StreamDiv));
        Parts { graph, clocks, delays, flags, posts, initials, divisions, needed }
    }

    /// Returns the name of the flag of a clock: that of its first delay.
    fn flag(&self, clock: Clock) -> String {
        let of = self.delays.iter().find(|&&v| self.clocks.of(v) == clock).expect("a clock of one");
        self.graph.label(*of)
    }

    /// Records on a function the numbers of its faults.
    fn name_faults(&self, function: Op) {
        let names = self.divisions.iter().map(|&v| self.graph.label(v));
        function.set_attribute(FAULTS, function.context().strings_attr(names));
    }

    fn initial_name(&self, v: Var) -> String {
        self.graph.op(v).attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default()
    }

    /// Returns `initial` or `parameter`.
    fn initial_role(&self, v: Var) -> &'static str {
        let method = self.graph.op(v).attribute("method").and_then(|a| a.as_string());
        if method.as_deref() == Some(PARAMETER) { PARAMETER } else { "initial" }
    }

    /// Returns outputs and inputs that are not present in every cycle, each with its clock and the roles of its row.
    fn presences(&self) -> Vec<([&'static str; 2], String, Clock)> {
        let outputs = self.graph.outputs.iter().map(|(name, v)| (["presence", "presence?"], name.clone(), *v));
        let inputs = self.graph.inputs().map(|v| (["clock", "clock?"], self.graph.label(v), v));
        let all = outputs.chain(inputs).map(|(roles, name, v)| (roles, name, self.clocks.of(v)));
        all.filter(|p| p.2 != Clock::BASE).collect()
    }
}

/// Writes the function that returns the state before the first cycle. States whose clock has not ticked yet are known.
fn init(parts: &Parts, symbol: &str) {
    let graph = parts.graph;
    let node = graph.node;
    let location = node.location().unnamed();
    let root = Block::new(&[]);
    let b = Builder::at_end(root, location);
    let yes = || b.bool(true);
    let (mut env, mut arguments, mut results) = (HashMap::new(), Vec::new(), Vec::new());
    for &v in &parts.initials {
        let name = parts.initial_name(v);
        env.insert(Key::Stream(v), root.add_argument(graph.value(v).ty(), location.named(&name)));
        arguments.push(format!("{} {name}", parts.initial_role(v)));
    }
    still(graph, &parts.needed, b, &mut env);
    let scheduler = Scheduler::new(graph, parts.clocks, Direction::Forward);
    let mut values = Vec::new();
    for &v in &parts.delays {
        let first = env.get(&Key::Stream(source(graph, graph.args(v)[0]))).copied();
        values.push(first.unwrap_or_else(|| zero(b, graph.value(v).ty())));
        results.push(format!("state {}", graph.label(v)));
        if !scheduler.is_sure_state(v) {
            values.push(yes());
            results.push(format!("state? {}", graph.label(v)));
        }
    }
    for &clock in &parts.flags {
        values.push(b.bool(false));
        results.push(format!("ticked {}", parts.flag(clock)));
        if !scheduler.is_sure_clock(clock) {
            values.push(yes());
            results.push(format!("ticked? {}", parts.flag(clock)));
        }
    }
    root.append(OpBuilder::new(Kind::FuncReturn, location).operands(&values).build());
    define(node, symbol, root, &arguments, &results);
}

/// Writes a function with the results of its `func.return`.
fn define(node: Op, symbol: &str, body: Block, arguments: &[String], given: &[String]) -> Op {
    let context = node.context();
    let module = node.module().expect("a node is in a module");
    let ty = context.function_type(&types_of(&body.arguments()), &types_of(&body.end().operands()));
    let function = OpBuilder::new(Kind::FuncFunc, node.location())
        .attribute("sym_name", context.string_attr(symbol))
        .attribute("function_type", context.type_attr(ty))
        .attribute(ARGUMENTS, context.strings_attr(arguments))
        .attribute(RESULTS, context.strings_attr(given))
        .region(Region::with_block(body));
    module.entry().append(function.build())
}
