//! Reactive nodes become functions: a loop over the cycles that carries the state (`spec/streams.md` 6.2).
//!
//! Needs: nodes without instances (`stream-inline`) that do not look into the future: of class `forward`. Leaves: for a node `@f` two
//! functions. `@f_init` gives the state before the first cycle. `@f` runs any number of cycles in which the node is active: it takes
//! one row per cycle of each input, and the state; it gives the state after them, and one row per cycle of each output. What is in a
//! row where a stream is absent does not matter. The attributes `stream.arguments` and `stream.results` say what is what:
//! `cycles`, where there are no inputs; `input x`; `state p`, of the `stream.fby` p; `ticked p`, whether the clock of p has ticked
//! already; `initial k`, the value of a `stream.initial`; `output y`; `presence y`, in which cycles it is there, where not in all;
//! `clock x`, the same for an input, as it must be; `fault`, the number of a division by zero, from 1, or zero.
//!
//! A cycle is straight code: equations on one clock stand together under `scf.if`.
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

use crate::streams::clocks::{Clock, Clocks};
use crate::streams::plan::Class;
use crate::streams::schedule::{Export, Key, Schedule, Scheduler, Step, source};
use crate::streams::{Graph, Kind, Var, causality, clocks, plan};
use mlopt_dialects::bridge::{Options, Pass, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, OpBuilder, Region, Type, Value};
use std::collections::HashMap;

pub const PASS: Pass = Pass {
    name: "stream-to-loops",
    description: "Make functions of reactive nodes: a loop over the cycles that carries the state",
    anchor: "builtin.module",
    options: &[],
    dialects: &["arith", "array", "func", "scf"],
    run,
};

/// Attributes that say what arguments and results are.
pub const ARGUMENTS: &str = "stream.arguments";
pub const RESULTS: &str = "stream.results";

/// What is behind the name of a node in that of the function that gives its first state.
pub const INIT: &str = "_init";

fn run(module: Op, _: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let nodes: Vec<Op> = module.nested_ops().into_iter().filter(|op| op.name() == "stream.node").collect();
    let mut failed = None;
    for node in nodes {
        match function(node) {
            Ok(()) => node.erase(),
            Err(reported) => failed = Some(reported),
        }
    }
    failed.map_or(Ok(()), Err)
}

fn function(node: Op) -> Result<(), Reported> {
    let graph = Graph::of(node)?;
    let clocks = clocks::infer(&graph)?;
    causality::order(&graph, &clocks)?;
    let plan = plan::plan(&graph, &clocks)?;
    if plan.class != Class::Forward {
        let text = format!("not supported: the plan of this node is `{}`, expected `forward`", plan.class.name());
        return Err(node.error(text).emit());
    }
    for v in graph.vars() {
        if graph.value(v).ty().shape().contains(&None) {
            let text = format!("not supported: the sizes of {} are not known before it runs", graph.name(v));
            return Err(graph.op(v).error(text).emit());
        }
    }
    let states = States::of(&graph, &clocks);
    let scheduler = Scheduler { graph: &graph, clocks: &clocks };
    let faults: Vec<Var> = states.needed.iter().copied().filter(|&v| graph.op(v).name() == "stream.div").collect();
    let presences = presences(&graph, &clocks);
    let wanted: Vec<Key> = (states.delays.iter().map(|&v| Key::Next(v)))
        .chain(states.flags.iter().map(|&c| Key::Ticks(c)))
        .chain(graph.outputs.iter().map(|o| Key::Stream(o.1)))
        .chain(presences.iter().map(|p| Key::Ticks(p.1)))
        .chain(faults.iter().map(|&v| Key::Fault(v)))
        .collect();
    let schedule = scheduler.schedule(&wanted);
    let emitter = Emitter {
        graph: &graph,
        scheduler: &scheduler,
        schedule: &schedule,
        states: &states,
        root: Block::new(&[]),
        env: HashMap::new(),
        zeros: HashMap::new(),
    };
    emitter.step(&presences, &faults);
    init(&graph, &states);
    Ok(())
}

/// What is kept from cycle to cycle.
struct States {
    /// Streams that outputs depend on.
    needed: Vec<Var>,
    /// `stream.fby`.
    delays: Vec<Var>,
    /// Clocks of those whose first value is not known before the first cycle.
    flags: Vec<Clock>,
    /// `stream.initial`.
    initials: Vec<Var>,
}

impl States {
    fn of(graph: &Graph, clocks: &Clocks) -> States {
        let needed: Vec<Var> = plan::needed_streams(graph, clocks).into_iter().collect();
        let all = |wanted: &dyn Fn(Var) -> bool| needed.iter().copied().filter(|&v| wanted(v)).collect::<Vec<Var>>();
        let scheduler = Scheduler { graph, clocks };
        let delays = all(&|v| graph.kind(v) == Kind::Fby);
        let mut flags: Vec<Clock> =
            delays.iter().filter(|&&v| !scheduler.is_preloaded(v)).map(|&v| clocks.of(v)).collect();
        flags.sort_unstable();
        flags.dedup();
        States { delays, flags, initials: all(&|v| graph.op(v).name() == "stream.initial"), needed }
    }
}

/// Outputs and inputs that are not there in every cycle, each with its clock and what the row is called.
fn presences(graph: &Graph, clocks: &Clocks) -> Vec<(String, Clock)> {
    let outputs = graph.outputs.iter().map(|(name, v)| (format!("presence {name}"), clocks.of(*v)));
    let inputs = graph.inputs().map(|v| (format!("clock {}", graph.label(v)), clocks.of(v)));
    outputs.chain(inputs).filter(|p| p.1 != Clock::BASE).collect()
}

struct Emitter<'a> {
    graph: &'a Graph,
    scheduler: &'a Scheduler<'a>,
    schedule: &'a Schedule,
    states: &'a States,
    root: Block,
    /// Where the code is that is written.
    env: HashMap<Key, Value>,
    zeros: HashMap<Type, Value>,
}

impl Emitter<'_> {
    fn step(mut self, presences: &[(String, Clock)], faults: &[Var]) {
        let graph = self.graph;
        let node = graph.node;
        let context = node.context();
        let location = node.location().unnamed();
        let (states, root) = (self.states, self.root);
        let bool_type = context.parse_type("i1").expect("a type");
        let code_type = context.parse_type("i64").expect("a type");
        let mut arguments: Vec<String> = Vec::new();
        let (mut rows, mut row_types): (Vec<Value>, Vec<Type>) = (vec![], vec![]);
        let body = Block::new(&[]);
        for v in graph.inputs() {
            let ty = graph.value(v).ty();
            arguments.push(format!("input {}", graph.label(v)));
            row_types.push(ty);
            rows.push(root.add_argument(rows_of(ty), location.named(&graph.label(v))));
            let row = body.add_argument(ty, location.named(&graph.label(v)));
            self.env.insert(Key::Stream(v), row);
        }
        let b = Builder::at_end(root, location);
        if rows.is_empty() {
            arguments.push("cycles".into());
            let cycles = root.add_argument(context.index(), location.named("cycles"));
            let ty = rows_of(context.index());
            rows.push(b.unary("array.iota", &[cycles], ty));
            body.add_argument(context.index(), location.named("cycle"));
        }
        let (mut carried, mut flags) = (Vec::new(), HashMap::new());
        let mut results = Vec::new();
        for &v in &states.delays {
            let (ty, name) = (graph.value(v).ty(), graph.label(v));
            arguments.push(format!("state {name}"));
            results.push(format!("state {name}"));
            carried.push(root.add_argument(ty, location.named(&name)));
            self.env.insert(Key::Stream(v), body.add_argument(ty, location.named(&name)));
        }
        for &clock in &states.flags {
            let of = states.delays.iter().find(|&&v| self.scheduler.clocks.of(v) == clock).expect("a clock of one");
            let name = format!("ticked {}", graph.label(*of));
            arguments.push(name.clone());
            results.push(name);
            carried.push(root.add_argument(bool_type, location.named("ticked")));
            flags.insert(clock, body.add_argument(bool_type, location.named("ticked")));
        }
        for &v in &states.initials {
            let name = graph.op(v).attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
            arguments.push(format!("initial {name}"));
            let value = root.add_argument(graph.value(v).ty(), location.named(&name));
            self.env.insert(Key::Stream(v), value);
        }
        still(graph, &states.needed, b, &mut self.env);
        // What a delay holds, until the value of its first cycle is chosen.
        let held: HashMap<Var, Value> = states.delays.iter().map(|&v| (v, self.env[&Key::Stream(v)])).collect();
        let inner = Builder::at_end(body, location);
        let steps = &self.schedule.steps;
        self.code(inner, steps, &held, &flags);

        let mut yields: Vec<Value> = states.delays.iter().map(|&v| self.env[&Key::Next(v)]).collect();
        for clock in &states.flags {
            yields.push(inner.unary("arith.ori", &[flags[clock], self.env[&Key::Ticks(*clock)]], bool_type));
        }
        let state_types: Vec<Type> = yields.iter().map(|v| v.ty()).collect();
        for (name, v) in &graph.outputs {
            results.push(format!("output {name}"));
            yields.push(self.value(*v));
        }
        for (name, clock) in presences {
            results.push(name.clone());
            yields.push(self.env[&Key::Ticks(*clock)]);
        }
        if !faults.is_empty() {
            results.push("fault".into());
            let number = |k: usize| inner.constant(Attribute::integer(code_type, k as i64), code_type);
            let mut code = number(0);
            for (k, &v) in faults.iter().enumerate().rev() {
                code = inner.unary("arith.select", &[self.env[&Key::Fault(v)], number(k + 1), code], code_type);
            }
            yields.push(code);
        }
        body.append(OpBuilder::new("array.yield", location).operands(&yields).build());
        let emitted = yields[state_types.len()..].iter().map(|v| rows_of(v.ty()));
        let types: Vec<Type> = state_types.iter().copied().chain(emitted).collect();
        let loops = b.op("array.map_accum").operand_segments(&[&rows, &carried]).results(&types);
        let made = b.insert(loops.region(Region::with_block(body)).build());
        root.append(OpBuilder::new("func.return", location).operands(&made.results()).build());
        let symbol = node.symbol().unwrap_or_default();
        let function = define(node, &symbol, root, &types, &arguments, &results);
        if !faults.is_empty() {
            let places: Vec<Attribute> =
                faults.iter().map(|&v| context.string_attr(&graph.op(v).location().to_string())).collect();
            function.set_attribute("stream.faults", context.array_attr(&places));
        }
    }

    /// The value of a stream in a cycle in which it is present.
    fn value(&self, v: Var) -> Value {
        self.env[&Key::Stream(self.scheduler.source(v))]
    }

    /// A value that nobody reads.
    fn placeholder(&mut self, key: Key, ty: Type, held: &HashMap<Var, Value>) -> Value {
        match key {
            Key::Next(v) => held[&v],
            _ => {
                let b = Builder { next: self.root.first_op(), ..Builder::at_end(self.root, self.graph.node.location()) };
                *self.zeros.entry(ty).or_insert_with(|| zero(b, ty))
            }
        }
    }

    fn code(&mut self, b: Builder, steps: &[Step], held: &HashMap<Var, Value>, flags: &HashMap<Clock, Value>) {
        for step in steps {
            match step {
                Step::Compute(key) => self.compute(b, *key, held, flags),
                Step::Choice(number) => self.choice(b, *number, held, flags),
            }
        }
    }

    fn choice(&mut self, b: Builder, number: usize, held: &HashMap<Var, Value>, flags: &HashMap<Clock, Value>) {
        let schedule = self.schedule;
        let choice = &schedule.choices[number];
        let condition = self.value(choice.condition);
        let blocks = [false, true].map(|_| Block::new(&[]));
        let mut yields: [Vec<Option<Value>>; 2] = [vec![], vec![]];
        for holds in [true, false] {
            let inner = Builder::at_end(blocks[usize::from(holds)], b.location);
            self.code(inner, &choice.arms[usize::from(holds)], held, flags);
            yields[usize::from(holds)] = choice
                .results
                .iter()
                .map(|result| match *result {
                    Export::Value(key, arm) => (arm == holds).then(|| self.env[&key]),
                    Export::Merge(v) => Some(self.value(self.graph.args(v)[if holds { 1 } else { 2 }])),
                })
                .collect();
        }
        let mut types = Vec::new();
        for (k, result) in choice.results.iter().enumerate() {
            let known = yields.iter().find_map(|y| y[k]).expect("one arm has it");
            types.push(known.ty());
            let Export::Value(key, arm) = *result else { continue };
            yields[usize::from(!arm)][k] = Some(self.placeholder(key, known.ty(), held));
        }
        for (block, values) in blocks.iter().zip(&yields) {
            let values: Vec<Value> = values.iter().flatten().copied().collect();
            block.append(OpBuilder::new("scf.yield", b.location).operands(&values).build());
        }
        let [no, yes] = blocks.map(Region::with_block);
        let made = b.insert(b.op("scf.if").operands(&[condition]).results(&types).region(yes).region(no).build());
        for (result, value) in choice.results.iter().zip(made.results()) {
            let key = match *result {
                Export::Value(key, _) => key,
                Export::Merge(v) => Key::Stream(v),
            };
            self.env.insert(key, value);
        }
    }

    fn compute(&mut self, b: Builder, key: Key, held: &HashMap<Var, Value>, flags: &HashMap<Clock, Value>) {
        let graph = self.graph;
        let made = match key {
            Key::Next(v) => self.value(graph.args(v)[1]),
            Key::Ticks(_) => b.constant(b.context().bool_attr(true), b.context().parse_type("i1").expect("a type")),
            Key::Fault(v) => is_zero(b.at(graph.op(v).location()), self.value(graph.args(v)[1])),
            Key::Stream(v) => {
                let b = b.at(graph.op(v).location());
                let arg = |k: usize| self.value(graph.args(v)[k]);
                let ty = graph.value(v).ty();
                match graph.kind(v) {
                    // A choice gave it.
                    Kind::Merge if self.env.contains_key(&key) => return,
                    Kind::Merge | Kind::Select => b.unary("arith.select", &[arg(0), arg(1), arg(2)], ty),
                    Kind::Fby => b.unary("arith.select", &[flags[&self.scheduler.clocks.of(v)], held[&v], arg(0)], ty),
                    _ if graph.op(v).name() == "stream.div" => quotient(b, arg(0), arg(1)),
                    _ => return self.pointwise(b, graph.op(v)),
                }
            }
        };
        self.env.insert(key, made);
    }

    /// A copy of an op, and the values of all its results.
    fn pointwise(&mut self, b: Builder, op: Op) {
        let copy = copy_of(b, op, &|v| {
            let v = self.graph.var(v)?;
            Some(self.value(v))
        });
        for (old, new) in op.results().into_iter().zip(copy.results()) {
            let v = self.graph.var(old).expect("a result is a stream");
            self.env.insert(Key::Stream(v), new);
        }
    }
}

/// One row per cycle.
fn rows_of(ty: Type) -> Type {
    let shape: Vec<_> = std::iter::once(None).chain(ty.shape()).collect();
    Type::array(&shape, ty.scalar())
}

fn zero(b: Builder, ty: Type) -> Value {
    let scalar = ty.scalar();
    let zero = if ty.is_differentiable() { Attribute::float(scalar, 0.0) } else { Attribute::integer(scalar, 0) };
    splat(b, zero, ty)
}

fn splat(b: Builder, value: Attribute, ty: Type) -> Value {
    b.constant(if ty.is_tensor() { Attribute::splat(ty, value) } else { value }, ty)
}

/// The quotient of integers rounded to zero, something for a divisor of zero; wrapping, where `arith.divsi` is undefined.
fn quotient(b: Builder, x: Value, y: Value) -> Value {
    let (ty, bits) = (x.ty(), mask_type(x.ty()));
    let number = |n: i64| splat(b, Attribute::integer(ty.scalar(), n), ty);
    let equal = |n: i64| compare(b, "eq", y, number(n), bits);
    let (is_zero, is_negation) = (equal(0), equal(-1));
    let special = b.unary("arith.ori", &[is_zero, is_negation], bits);
    let divisor = b.unary("arith.select", &[special, number(1), y], ty);
    let quotient = b.unary("arith.divsi", &[x, divisor], ty);
    let negated = b.unary("arith.subi", &[number(0), x], ty);
    b.unary("arith.select", &[is_negation, negated, quotient], ty)
}

/// Whether an integer, or one of an array, is zero.
fn is_zero(b: Builder, x: Value) -> Value {
    let (ty, bits) = (x.ty(), mask_type(x.ty()));
    let zero = splat(b, Attribute::integer(ty.scalar(), 0), ty);
    let here = compare(b, "eq", x, zero, bits);
    if !ty.is_tensor() {
        return here;
    }
    let context = b.context();
    let scalar = context.parse_type("i64").expect("a type");
    let numbers = b.unary("arith.extui", &[here], Type::array(&ty.shape(), scalar));
    let axes: Vec<i64> = (0..ty.rank() as i64).collect();
    let most = b.op("array.max").operands(&[numbers]).attribute("axes", context.i64_array_attr(&axes));
    let most = b.insert(most.results(&[scalar]).build()).result(0);
    let none = b.constant(Attribute::integer(scalar, 0), scalar);
    compare(b, "sgt", most, none, bits.scalar())
}

/// `i1` in the shape of a type.
fn mask_type(ty: Type) -> Type {
    let bit = ty.context().parse_type("i1").expect("a type");
    if ty.is_tensor() { Type::array(&ty.shape(), bit) } else { bit }
}

fn compare(b: Builder, predicate: &str, x: Value, y: Value, ty: Type) -> Value {
    let number = if predicate == "eq" { 0 } else { 4 };
    let code = b.context().parse_type("i64").expect("a type");
    let op = b.op("arith.cmpi").operands(&[x, y]).attribute("predicate", Attribute::integer(code, number));
    b.insert(op.results(&[ty]).build()).result(0)
}

/// A copy of an op that reads what `map` says instead.
fn copy_of(b: Builder, op: Op, map: &dyn Fn(Value) -> Option<Value>) -> Op {
    let copy = b.insert(op.clone_op());
    for inner in copy.nested_ops().into_iter().chain([copy]) {
        for (k, v) in inner.operands().into_iter().enumerate() {
            if let Some(new) = map(v) {
                inner.set_operand(k, new);
            }
        }
    }
    copy
}

/// Writes what is the same in all cycles.
fn still(graph: &Graph, needed: &[Var], b: Builder, env: &mut HashMap<Key, Value>) {
    // Literals of literals: before those that read them.
    let mut open: Vec<Var> = needed.iter().rev().copied().collect();
    while let Some(&v) = open.last() {
        let key = Key::Stream(v);
        if env.contains_key(&key) || !matches!(graph.kind(v), Kind::Literal | Kind::Constant) {
            open.pop();
            continue;
        }
        let missing: Vec<Var> =
            graph.args(v).iter().copied().filter(|&a| !env.contains_key(&Key::Stream(a))).collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        open.pop();
        let op = graph.op(v);
        let b = b.at(op.location());
        if op.name() == "stream.constant" {
            let value = op.attribute("value").expect("verified: a constant has a value");
            env.insert(key, b.constant(value, graph.value(v).ty()));
            continue;
        }
        let copy = copy_of(b, op, &|v| env.get(&Key::Stream(graph.var(v)?)).copied());
        for (old, new) in op.results().into_iter().zip(copy.results()) {
            env.insert(Key::Stream(graph.var(old).expect("a result is a stream")), new);
        }
    }
}

/// The function that gives the state before the first cycle.
fn init(graph: &Graph, states: &States) {
    let node = graph.node;
    let location = node.location().unnamed();
    let root = Block::new(&[]);
    let b = Builder::at_end(root, location);
    let (mut env, mut arguments, mut results) = (HashMap::new(), Vec::new(), Vec::new());
    for &v in &states.initials {
        let name = graph.op(v).attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
        arguments.push(format!("initial {name}"));
        env.insert(Key::Stream(v), root.add_argument(graph.value(v).ty(), location.named(&name)));
    }
    still(graph, &states.needed, b, &mut env);
    let mut values = Vec::new();
    for &v in &states.delays {
        let first = env.get(&Key::Stream(source(graph, graph.args(v)[0]))).copied();
        values.push(first.unwrap_or_else(|| zero(b, graph.value(v).ty())));
        results.push(format!("state {}", graph.label(v)));
    }
    let bool_type = node.context().parse_type("i1").expect("a type");
    for _ in &states.flags {
        values.push(zero(b, bool_type));
        results.push("ticked".into());
    }
    root.append(OpBuilder::new("func.return", location).operands(&values).build());
    let types: Vec<Type> = values.iter().map(|v| v.ty()).collect();
    define(node, &format!("{}{INIT}", node.symbol().unwrap_or_default()), root, &types, &arguments, &results);
}

fn define(node: Op, name: &str, body: Block, results: &[Type], arguments: &[String], given: &[String]) -> Op {
    let context = node.context();
    let module = node.module().expect("a node is in a module");
    let inputs: Vec<Type> = body.arguments().iter().map(|v| v.ty()).collect();
    let texts = |all: &[String]| {
        context.array_attr(&all.iter().map(|t| context.string_attr(t)).collect::<Vec<Attribute>>())
    };
    let function = OpBuilder::new("func.func", node.location())
        .attribute("sym_name", context.string_attr(name))
        .attribute("function_type", context.type_attr(context.function_type(&inputs, results)))
        .attribute(ARGUMENTS, texts(arguments))
        .attribute(RESULTS, texts(given))
        .region(Region::with_block(body));
    module.body().expect("a module has a body").append(function.build())
}
