//! Reactive nodes become functions: loops over cycles that carry the state (`spec/streams.md` 6).
//!
//! Needs: nodes without instances (`stream-inline`). Leaves: for a node `@f` two functions, or three. `@f_init` gives the state before the
//! first cycle. `@f` goes over any number of cycles in which the node is active: it takes one row per cycle of each input, and the
//! state; it gives the state after them, and one row per cycle of each output. What is in a row where a stream is absent does not
//! matter. The attributes `stream.arguments` and `stream.results` say what is what:
//! - `cycles`, how many there are, where there are no inputs; `input x`; `initial k`, the value of a `stream.initial`;
//! - `state p`, what the `stream.fby` p holds; `ticked p`, whether its clock has ticked already;
//! - `output y`; `presence y`, in which cycles it is there, where not in all; `clock x`, the same for an input, as it must be;
//!   `fault`, the number of a division by zero, or zero: `stream.faults` lists the quotients, from 1.
//!
//! A node that looks ahead has `@f_back` as well, which goes over the same cycles backward and gives rows of what each `stream.post`
//! sees, and whether that is known: `post q` and `post? q`. `@f` takes these rows, all unknown at first, and gives `@f_back` those of
//! each `stream.fby`: `fby p` and `fby? p`. In turns they find what can be known of the cycles. A name with `?` is a mask: `output? y`,
//! `presence? y`, `state? p`, `clock? x` say where those are known; `settled` says in which cycles all outputs are, and `closed` after which
//! all state is: there the cycles before can be forgotten.
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
use crate::streams::schedule::{Direction, Export, Key, Schedule, Scheduler, Step, source};
use crate::streams::{Graph, Kind, Var, causality, clocks, plan};
use mlopt_dialects::bridge::{Options, Pass, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, OpBuilder, Region, Type, Value};
use std::collections::HashMap;

pub const PASS: Pass = Pass {
    name: "stream-to-loops",
    description: "Make functions of reactive nodes: loops over cycles that carry the state",
    anchor: "builtin.module",
    options: &[],
    dialects: &["arith", "array", "func", "scf"],
    run,
};

/// Attributes that say what arguments and results are.
pub const ARGUMENTS: &str = "stream.arguments";
pub const RESULTS: &str = "stream.results";
/// The streams that are quotients, which may have no result: numbered from 1 in `fault`.
pub const FAULTS: &str = "stream.faults";

/// What is behind the name of a node in those of its other functions.
pub const INIT: &str = "_init";
pub const BACK: &str = "_back";

fn run(module: Op, _: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let nodes: Vec<Op> = module.nested_ops().into_iter().filter(|op| op.name() == "stream.node").collect();
    let mut failed = None;
    for node in nodes {
        match functions(node) {
            Ok(()) => node.erase(),
            Err(reported) => failed = Some(reported),
        }
    }
    failed.map_or(Ok(()), Err)
}

fn functions(node: Op) -> Result<(), Reported> {
    let graph = Graph::of(node)?;
    let clocks = clocks::infer(&graph)?;
    causality::order(&graph, &clocks)?;
    plan::plan(&graph, &clocks)?;
    for v in graph.vars() {
        if graph.value(v).ty().shape().contains(&None) {
            let text = format!("not supported: the sizes of {} are not known before it runs", graph.name(v));
            return Err(graph.op(v).error(text).emit());
        }
    }
    let needed: Vec<Var> = plan::needed_streams(&graph, &clocks).into_iter().collect();
    let parts = Parts::of(&graph, &clocks, needed);
    let forward = Scheduler::new(&graph, &clocks, Direction::Forward);
    let backward = Scheduler::new(&graph, &clocks, Direction::Backward);
    let symbol = node.symbol().unwrap_or_default();
    // What the other sweep reads of the delays of one.
    let back_wanted: Vec<Key> = parts.posts.iter().flat_map(|&v| [Key::Next(v), Key::NextKnown(v)]).collect();
    let is_fby = |v: &Var| graph.kind(*v) == Kind::Fby;
    let kept: Vec<Var> = backward.delays(&back_wanted).into_iter().filter(is_fby).collect();
    Sweep::new(&parts, &forward).forward(&symbol, &kept);
    if !parts.posts.is_empty() {
        Sweep::new(&parts, &backward).backward(&format!("{symbol}{BACK}"), &kept);
    }
    init(&parts, &format!("{symbol}{INIT}"));
    Ok(())
}

/// What a node is made of, as far as outputs depend on it.
struct Parts<'a> {
    graph: &'a Graph,
    clocks: &'a Clocks,
    needed: Vec<Var>,
    /// `stream.fby`.
    delays: Vec<Var>,
    /// Clocks of those whose first value is not known before the first cycle.
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
        let scheduler = Scheduler::new(graph, clocks, Direction::Forward);
        let delays = all(&|v| graph.kind(v) == Kind::Fby);
        let mut flags: Vec<Clock> =
            delays.iter().filter(|&&v| !scheduler.is_preloaded(v)).map(|&v| clocks.of(v)).collect();
        flags.sort_unstable();
        flags.dedup();
        let named = |name: &'static str| all(&|v| graph.op(v).name() == name);
        let posts = all(&|v| graph.kind(v) == Kind::Post);
        let (initials, divisions) = (named("stream.initial"), named("stream.div"));
        Parts { graph, clocks, delays, flags, posts, initials, divisions, needed }
    }

    /// What is called by a clock in the first state.
    fn flag(&self, clock: Clock) -> String {
        let of = self.delays.iter().find(|&&v| self.clocks.of(v) == clock).expect("a clock of one");
        self.graph.label(*of)
    }

    fn initial_name(&self, v: Var) -> String {
        self.graph.op(v).attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default()
    }

    /// Outputs and inputs that are not there in every cycle, each with its clock and what the row is called.
    fn presences(&self) -> Vec<([&'static str; 2], String, Clock)> {
        let outputs = self.graph.outputs.iter().map(|(name, v)| (["presence", "presence?"], name.clone(), *v));
        let inputs = self.graph.inputs().map(|v| (["clock", "clock?"], self.graph.label(v), v));
        let all = outputs.chain(inputs).map(|(roles, name, v)| (roles, name, self.clocks.of(v)));
        all.filter(|p| p.2 != Clock::BASE).collect()
    }
}

/// What the loop of a sweep carries for a delay.
struct Held {
    value: Value,
    /// Whether it is known; `None` where it always is.
    known: Option<Value>,
}

/// The function of one sweep, as it is written.
struct Sweep<'a> {
    parts: &'a Parts<'a>,
    scheduler: &'a Scheduler<'a>,
    /// The blocks of the function and of its loop.
    root: Block,
    body: Block,
    arguments: Vec<String>,
    results: Vec<String>,
    rows: Vec<Value>,
    carried: Vec<Value>,
    env: HashMap<Key, Value>,
    held: HashMap<Var, Held>,
    /// Whether a clock has ticked, and whether that is known.
    flags: HashMap<Clock, Held>,
    zeros: HashMap<Type, Value>,
}

impl<'a> Sweep<'a> {
    fn new(parts: &'a Parts<'a>, scheduler: &'a Scheduler<'a>) -> Sweep<'a> {
        Sweep {
            parts,
            scheduler,
            root: Block::new(&[]),
            body: Block::new(&[]),
            arguments: vec![],
            results: vec![],
            rows: vec![],
            carried: vec![],
            env: HashMap::new(),
            held: HashMap::new(),
            flags: HashMap::new(),
            zeros: HashMap::new(),
        }
    }

    fn bit(&self) -> Type {
        self.parts.graph.node.context().parse_type("i1").expect("a type")
    }

    fn outside(&self) -> Builder {
        Builder::at_end(self.root, self.parts.graph.node.location())
    }

    fn inside(&self) -> Builder {
        Builder::at_end(self.body, self.parts.graph.node.location())
    }

    /// An argument with one row for each cycle; the value of the cycle.
    fn row(&mut self, role: &str, name: &str, ty: Type) -> Value {
        let location = self.parts.graph.node.location().unnamed().named(name);
        self.arguments.push(format!("{role} {name}").trim_end().to_string());
        let mut rows = self.root.add_argument(rows_of(ty), location);
        if self.scheduler.direction == Direction::Backward {
            rows = self.outside().unary("array.reverse", &[rows], rows.ty());
        }
        self.rows.push(rows);
        self.body.add_argument(ty, location)
    }

    /// The rows that both sweeps read.
    fn inputs(&mut self) {
        let graph = self.parts.graph;
        for v in graph.inputs() {
            let row = self.row("input", &graph.label(v), graph.value(v).ty());
            self.env.insert(Key::Stream(v), row);
        }
        if self.rows.is_empty() {
            let index = graph.node.context().index();
            self.arguments.push("cycles".into());
            let location = graph.node.location().unnamed();
            let cycles = self.root.add_argument(index, location.named("cycles"));
            let rows = self.outside().unary("array.iota", &[cycles], rows_of(index));
            self.rows.push(rows);
            self.body.add_argument(index, location.named("cycle"));
        }
    }

    /// Rows of what the other sweep carries.
    fn given(&mut self, roles: [&str; 2], streams: &[Var]) {
        for &v in streams {
            let name = self.parts.graph.label(v);
            let row = self.row(roles[0], &name, self.parts.graph.value(v).ty());
            self.env.insert(Key::Stream(v), row);
            if !self.scheduler.is_sure(v) {
                let known = self.row(roles[1], &name, self.bit());
                self.env.insert(Key::Known(v), known);
            }
        }
    }

    /// Carried from cycle to cycle, from an argument that `make` adds outside.
    fn carry(&mut self, name: &str, first: Value) -> Value {
        let location = self.parts.graph.node.location().unnamed();
        self.carried.push(first);
        self.body.add_argument(first.ty(), location.named(name))
    }

    /// An argument that is one value.
    fn argument(&mut self, role: &str, name: &str, ty: Type) -> Value {
        self.arguments.push(format!("{role} {name}"));
        self.root.add_argument(ty, self.parts.graph.node.location().unnamed().named(name))
    }

    fn constants(&mut self) {
        for &v in &self.parts.initials {
            let name = self.parts.initial_name(v);
            let value = self.argument("initial", &name, self.parts.graph.value(v).ty());
            self.env.insert(Key::Stream(v), value);
        }
        still(self.parts.graph, &self.parts.needed, self.outside(), &mut self.env);
    }

    /// `@f`. The rows of `kept` are for the sweep backward.
    fn forward(mut self, symbol: &str, kept: &[Var]) {
        let parts = self.parts;
        let graph = parts.graph;
        let s = self.scheduler;
        self.inputs();
        self.given(["post", "post?"], &parts.posts);
        let mut states = Vec::new();
        for &v in &parts.delays {
            let (ty, name) = (graph.value(v).ty(), graph.label(v));
            states.push(format!("state {name}"));
            let first = self.argument("state", &name, ty);
            let value = self.carry(&name, first);
            let mut held = Held { value, known: None };
            if !s.is_sure_state(v) {
                states.push(format!("state? {name}"));
                let first = self.argument("state?", &name, self.bit());
                held.known = Some(self.carry(&name, first));
            }
            self.env.insert(Key::Stream(v), held.value);
            if let Some(known) = held.known {
                self.env.insert(Key::Known(v), known);
            }
            self.held.insert(v, held);
        }
        for &clock in &parts.flags {
            let name = parts.flag(clock);
            states.push(format!("ticked {name}"));
            let first = self.argument("ticked", &name, self.bit());
            let mut held = Held { value: self.carry("ticked", first), known: None };
            if !s.is_sure_clock(clock) {
                states.push(format!("ticked? {name}"));
                let first = self.argument("ticked?", &name, self.bit());
                held.known = Some(self.carry("ticked", first));
            }
            self.flags.insert(clock, held);
        }
        self.constants();

        let looks_ahead = !parts.posts.is_empty();
        let presences = parts.presences();
        let mut wanted: Vec<Key> = parts.delays.iter().flat_map(|&v| [Key::Next(v), Key::NextKnown(v)]).collect();
        wanted.extend(parts.flags.iter().flat_map(|&c| [Key::Ticks(c), Key::TicksKnown(c)]));
        wanted.extend(graph.outputs.iter().flat_map(|o| [Key::Stream(o.1), Key::Known(o.1)]));
        wanted.extend(presences.iter().flat_map(|p| [Key::Ticks(p.2), Key::TicksKnown(p.2)]));
        wanted.extend(parts.divisions.iter().map(|&v| Key::Fault(v)));
        wanted.extend(kept.iter().flat_map(|&v| [Key::Stream(v), Key::Known(v)]));
        let schedule = s.schedule(&wanted);
        let b = self.inside();
        self.code(b, &schedule, &schedule.steps);

        let mut yields = self.handed_on(b, &parts.delays);
        for &clock in &parts.flags {
            let Held { value, known } = self.flags[&clock];
            let ticked = b.unary("arith.ori", &[value, self.env[&Key::Ticks(clock)]], self.bit());
            yields.push(ticked);
            if let Some(known) = known {
                let still = self.both(b, Some(known), self.ticks_known(clock)).expect("one is a mask");
                yields.push(b.unary("arith.ori", &[ticked, still], self.bit()));
            }
        }
        let carried = yields.len();
        self.results = states;
        let (mut settled, mut closed): (Option<Value>, Option<Value>) = (None, None);
        for (name, v) in &graph.outputs {
            let v = *v;
            self.results.push(format!("output {name}"));
            yields.push(self.value(v));
            let known = self.known(v);
            if let Some(known) = known {
                self.results.push(format!("output? {name}"));
                yields.push(known);
            }
            let clock = parts.clocks.of(v);
            settled = self.both(b, settled, self.ticks_known(clock));
            settled = self.both(b, settled, self.where_present(b, clock, known));
        }
        for (roles, name, clock) in &presences {
            self.results.push(format!("{} {name}", roles[0]));
            yields.push(self.env[&Key::Ticks(*clock)]);
            if let Some(known) = self.ticks_known(*clock) {
                self.results.push(format!("{} {name}", roles[1]));
                yields.push(known);
            }
        }
        if !parts.divisions.is_empty() {
            self.results.push("fault".into());
            yields.push(self.fault(b));
        }
        if looks_ahead {
            for (k, role) in self.results.clone().iter().enumerate().take(carried) {
                if role.split(' ').next().is_some_and(|r| r.ends_with('?')) {
                    closed = self.both(b, closed, Some(yields[k]));
                }
            }
            for (role, mask) in [("settled", settled), ("closed", closed)] {
                self.results.push(role.into());
                yields.push(mask.unwrap_or_else(|| b.constant(b.context().bool_attr(true), self.bit())));
            }
            for &v in kept {
                self.results.push(format!("fby {}", graph.label(v)));
                yields.push(self.value(v));
                if let Some(known) = self.known(v) {
                    self.results.push(format!("fby? {}", graph.label(v)));
                    yields.push(known);
                }
            }
        }
        let function = self.finish(symbol, yields, carried);
        if !parts.divisions.is_empty() {
            let context = graph.node.context();
            let name = |&v: &Var| context.string_attr(&graph.label(v));
            function.set_attribute(FAULTS, context.array_attr(&parts.divisions.iter().map(name).collect::<Vec<_>>()));
        }
    }

    /// `@f_back`.
    fn backward(mut self, symbol: &str, kept: &[Var]) {
        let parts = self.parts;
        let graph = parts.graph;
        self.inputs();
        self.given(["fby", "fby?"], kept);
        self.constants();
        for &v in &parts.posts {
            let name = graph.label(v);
            let first = zero(self.outside(), graph.value(v).ty());
            let value = self.carry(&name, first);
            let unknown = zero(self.outside(), self.bit());
            let known = self.carry(&name, unknown);
            self.env.insert(Key::Stream(v), value);
            self.env.insert(Key::Known(v), known);
            self.held.insert(v, Held { value, known: Some(known) });
        }
        let wanted: Vec<Key> = parts.posts.iter().flat_map(|&v| [Key::Next(v), Key::NextKnown(v)]).collect();
        let schedule = self.scheduler.schedule(&wanted);
        let b = self.inside();
        self.code(b, &schedule, &schedule.steps);
        let mut yields = self.handed_on(b, &parts.posts);
        let carried = yields.len();
        for &v in &parts.posts {
            let name = graph.label(v);
            self.results.extend([format!("post {name}"), format!("post? {name}")]);
            yields.extend([self.held[&v].value, self.held[&v].known.expect("the future is not sure")]);
        }
        self.finish(symbol, yields, carried);
    }

    /// What the loop carries on.
    fn handed_on(&self, b: Builder, delays: &[Var]) -> Vec<Value> {
        let mut all = Vec::new();
        for &v in delays {
            all.push(self.env[&Key::Next(v)]);
            if self.held[&v].known.is_some() {
                let known = self.env.get(&Key::NextKnown(v)).copied();
                all.push(known.unwrap_or_else(|| b.constant(b.context().bool_attr(true), self.bit())));
            }
        }
        all
    }

    /// Ends the loop and the function.
    fn finish(self, symbol: &str, yields: Vec<Value>, carried: usize) -> Op {
        let node = self.parts.graph.node;
        let location = node.location().unnamed();
        let is_back = self.scheduler.direction == Direction::Backward;
        self.body.append(OpBuilder::new("array.yield", location).operands(&yields).build());
        let states = yields[..carried].iter().map(|v| v.ty());
        let types: Vec<Type> = states.chain(yields[carried..].iter().map(|v| rows_of(v.ty()))).collect();
        let b = self.outside();
        let loops = b.op("array.map_accum").operand_segments(&[&self.rows, &self.carried]).results(&types);
        let mut made = b.insert(loops.region(Region::with_block(self.body)).build()).results();
        if is_back {
            made = made.split_off(carried).into_iter().map(|v| b.unary("array.reverse", &[v], v.ty())).collect();
        }
        self.root.append(OpBuilder::new("func.return", location).operands(&made).build());
        define(node, symbol, self.root, &self.arguments, &self.results)
    }

    /// The value of a stream in a cycle in which it is present.
    fn value(&self, v: Var) -> Value {
        let v = source(self.parts.graph, v);
        let found = self.env.get(&Key::Stream(v)).copied();
        found.unwrap_or_else(|| panic!("{} is read before it is computed", self.parts.graph.name(v)))
    }

    /// Whether it is known; `None` where it always is.
    fn known(&self, v: Var) -> Option<Value> {
        let v = source(self.parts.graph, v);
        let is_delay = self.held.get(&v).is_some_and(|h| h.known.is_some());
        (!self.scheduler.is_sure(v) || is_delay).then(|| self.env[&Key::Known(v)])
    }

    fn ticks_known(&self, clock: Clock) -> Option<Value> {
        (!self.scheduler.is_sure_clock(clock)).then(|| self.env[&Key::TicksKnown(clock)])
    }

    /// Both masks.
    fn both(&self, b: Builder, x: Option<Value>, y: Option<Value>) -> Option<Value> {
        match (x, y) {
            (Some(x), Some(y)) => Some(b.unary("arith.andi", &[x, y], self.bit())),
            (x, y) => x.or(y),
        }
    }

    /// A mask where a clock ticks, true elsewhere.
    fn where_present(&self, b: Builder, clock: Clock, mask: Option<Value>) -> Option<Value> {
        let mask = mask?;
        if clock == Clock::BASE {
            return Some(mask);
        }
        let yes = b.constant(b.context().bool_attr(true), self.bit());
        Some(b.unary("arith.select", &[self.env[&Key::Ticks(clock)], mask, yes], self.bit()))
    }

    /// The number of the first division without a result, or zero.
    fn fault(&self, b: Builder) -> Value {
        let ty = b.context().parse_type("i64").expect("a type");
        let number = |k: usize| b.constant(Attribute::integer(ty, k as i64), ty);
        let divisions = self.parts.divisions.iter().enumerate().rev();
        divisions.fold(number(0), |code, (k, &v)| {
            b.unary("arith.select", &[self.env[&Key::Fault(v)], number(k + 1), code], ty)
        })
    }

    fn code(&mut self, b: Builder, schedule: &Schedule, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Compute(key) => self.compute(b, *key),
                Step::Choice(number) => self.choice(b, schedule, *number),
            }
        }
    }

    /// What a key is in the arm that does not compute it.
    fn otherwise(&mut self, b: Builder, key: Key, ty: Type) -> Value {
        let bit = |x: bool| b.constant(b.context().bool_attr(x), self.bit());
        match key {
            Key::Next(v) => self.held[&v].value,
            Key::NextKnown(v) => self.held[&v].known.expect("it has a mask"),
            Key::TicksKnown(_) => bit(true),
            Key::Known(_) | Key::Ticks(_) | Key::Fault(_) => bit(false),
            Key::Stream(_) => {
                let first = Builder { next: self.root.first_op(), ..self.outside() };
                *self.zeros.entry(ty).or_insert_with(|| zero(first, ty))
            }
        }
    }

    fn choice(&mut self, b: Builder, schedule: &Schedule, number: usize) {
        let choice = &schedule.choices[number];
        let mask = self.known(choice.condition);
        let condition = self.value(choice.condition);
        let condition = self.both(b, Some(condition), mask).expect("there is one");
        let blocks = [false, true].map(|_| Block::new(&[]));
        let mut yields: [Vec<Value>; 2] = [vec![], vec![]];
        let mut types: Vec<Option<Type>> = vec![None; choice.results.len()];
        let args = |v: Var| self.parts.graph.args(v);
        for holds in [true, false] {
            let inner = Builder::at_end(blocks[usize::from(holds)], b.location);
            self.code(inner, schedule, &choice.arms[usize::from(holds)]);
            for (k, result) in choice.results.iter().enumerate() {
                let operand = if holds { 1 } else { 2 };
                let value = match *result {
                    Export::Value(key, arm) if arm == holds => Some(self.env[&key]),
                    Export::Value(..) => None,
                    Export::Merge(v) => Some(self.value(args(v)[operand])),
                    Export::MergeKnown(v) => {
                        let known = self.known(args(v)[operand]);
                        Some(known.unwrap_or_else(|| inner.constant(inner.context().bool_attr(true), self.bit())))
                    }
                };
                types[k] = types[k].or(value.map(|v| v.ty()));
                // The second arm has the place of its value already.
                yields[usize::from(holds)].push(value.unwrap_or(condition));
            }
        }
        for (k, result) in choice.results.iter().enumerate() {
            if let Export::Value(key, arm) = *result {
                let inner = Builder::at_end(blocks[usize::from(!arm)], b.location);
                yields[usize::from(!arm)][k] = self.otherwise(inner, key, types[k].expect("one arm has it"));
            }
            let is_mask = !matches!(result, Export::Merge(_) | Export::Value(Key::Stream(_) | Key::Next(_), _));
            if let (Some(mask), true) = (mask, is_mask) {
                // Where the condition is not known nothing is.
                let inner = Builder::at_end(blocks[0], b.location);
                yields[0][k] = inner.unary("arith.andi", &[yields[0][k], mask], self.bit());
            }
        }
        for (block, values) in blocks.iter().zip(&yields) {
            block.append(OpBuilder::new("scf.yield", b.location).operands(values).build());
        }
        let [no, yes] = blocks.map(Region::with_block);
        let types: Vec<Type> = types.into_iter().flatten().collect();
        let made = b.insert(b.op("scf.if").operands(&[condition]).results(&types).region(yes).region(no).build());
        for (result, value) in choice.results.iter().zip(made.results()) {
            let key = match *result {
                Export::Value(key, _) => key,
                Export::Merge(v) => Key::Stream(v),
                Export::MergeKnown(v) => Key::Known(v),
            };
            self.env.insert(key, value);
        }
    }

    fn compute(&mut self, b: Builder, key: Key) {
        let graph = self.parts.graph;
        let bit = self.bit();
        let yes = || b.constant(b.context().bool_attr(true), bit);
        let arg = |v: Var, k: usize| self.value(graph.args(v)[k]);
        let mask = |v: Var, k: usize| self.known(graph.args(v)[k]);
        let made = match key {
            Key::Next(v) => self.value(self.scheduler.handed_on(v)),
            Key::NextKnown(v) => self.known(self.scheduler.handed_on(v)).unwrap_or_else(yes),
            Key::Ticks(_) | Key::TicksKnown(_) => yes(),
            Key::Fault(v) => {
                let zero = is_zero(b.at(graph.op(v).location()), arg(v, 1));
                let known = self.both(b, mask(v, 0), mask(v, 1));
                self.both(b, Some(zero), known).expect("there is one")
            }
            // A choice gave it.
            Key::Stream(v) | Key::Known(v) if graph.kind(v) == Kind::Merge && self.env.contains_key(&key) => return,
            Key::Stream(v) => {
                let b = b.at(graph.op(v).location());
                let ty = graph.value(v).ty();
                match graph.kind(v) {
                    Kind::Merge | Kind::Select => b.unary("arith.select", &[arg(v, 0), arg(v, 1), arg(v, 2)], ty),
                    Kind::Fby => {
                        let ticked = self.flags[&self.parts.clocks.of(v)].value;
                        b.unary("arith.select", &[ticked, self.held[&v].value, arg(v, 0)], ty)
                    }
                    _ if graph.op(v).name() == "stream.div" => quotient(b, arg(v, 0), arg(v, 1)),
                    _ => return self.pointwise(b, graph.op(v)),
                }
            }
            Key::Known(v) => match graph.kind(v) {
                Kind::Merge | Kind::Select => {
                    let [x, y] = [1, 2].map(|k| mask(v, k).unwrap_or_else(yes));
                    let chosen = b.unary("arith.select", &[arg(v, 0), x, y], bit);
                    self.both(b, Some(chosen), mask(v, 0)).expect("there is one")
                }
                Kind::Fby => {
                    let flag = &self.flags[&self.parts.clocks.of(v)];
                    let first = self.both(b, flag.known, mask(v, 0)).unwrap_or_else(yes);
                    let later = self.held[&v].known.unwrap_or_else(yes);
                    b.unary("arith.select", &[flag.value, later, first], bit)
                }
                _ => {
                    let masks = (0..graph.args(v).len()).map(|k| mask(v, k));
                    masks.fold(None, |all, m| self.both(b, all, m)).unwrap_or_else(yes)
                }
            },
        };
        self.env.insert(key, made);
    }

    /// A copy of an op, and the values of all its results.
    fn pointwise(&mut self, b: Builder, op: Op) {
        let graph = self.parts.graph;
        let copy = copy_of(b, op, &|v| Some(self.value(graph.var(v)?)));
        for (old, new) in op.results().into_iter().zip(copy.results()) {
            let v = graph.var(old).expect("a result is a stream");
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
        let missing: Vec<Var> = graph.args(v).iter().copied().filter(|&a| !env.contains_key(&Key::Stream(a))).collect();
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

/// The function that gives the state before the first cycle. What its clock has not asked for yet is known.
fn init(parts: &Parts, symbol: &str) {
    let graph = parts.graph;
    let node = graph.node;
    let location = node.location().unnamed();
    let root = Block::new(&[]);
    let b = Builder::at_end(root, location);
    let bit = node.context().parse_type("i1").expect("a type");
    let yes = || b.constant(b.context().bool_attr(true), bit);
    let (mut env, mut arguments, mut results) = (HashMap::new(), Vec::new(), Vec::new());
    for &v in &parts.initials {
        let name = parts.initial_name(v);
        env.insert(Key::Stream(v), root.add_argument(graph.value(v).ty(), location.named(&name)));
        arguments.push(format!("initial {name}"));
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
        values.push(zero(b, bit));
        results.push(format!("ticked {}", parts.flag(clock)));
        if !scheduler.is_sure_clock(clock) {
            values.push(yes());
            results.push(format!("ticked? {}", parts.flag(clock)));
        }
    }
    root.append(OpBuilder::new("func.return", location).operands(&values).build());
    define(node, symbol, root, &arguments, &results);
}

/// A function with what its `func.return` says.
fn define(node: Op, symbol: &str, body: Block, arguments: &[String], given: &[String]) -> Op {
    let context = node.context();
    let module = node.module().expect("a node is in a module");
    let types = |values: Vec<Value>| values.iter().map(|v| v.ty()).collect::<Vec<Type>>();
    let results = types(body.terminator().expect("it returns").operands());
    let texts =
        |all: &[String]| context.array_attr(&all.iter().map(|t| context.string_attr(t)).collect::<Vec<Attribute>>());
    let ty = context.function_type(&types(body.arguments()), &results);
    let function = OpBuilder::new("func.func", node.location())
        .attribute("sym_name", context.string_attr(symbol))
        .attribute("function_type", context.type_attr(ty))
        .attribute(ARGUMENTS, texts(arguments))
        .attribute(RESULTS, texts(given))
        .region(Region::with_block(body));
    module.body().expect("a module has a body").append(function.build())
}
