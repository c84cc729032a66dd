//! Emission of the function of a sweep: a loop over cycles, forward or backward, whose body is the code of one cycle.

use super::values::{copy_of, is_zero, quotient, rows_of, still, zero};
use super::{Parts, define};
use crate::streams::nodes::clocks::Clock;
use crate::streams::nodes::schedule::{Direction, Export, Key, Schedule, Scheduler, Step};
use crate::streams::{EquationKind, Var};
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, OpBuilder, Region, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use std::collections::HashMap;

/// The carried values of a delay in the loop of a sweep.
pub(super) struct Held {
    pub value: Value,
    /// The mask of known values; `None` if it is always known.
    pub known: Option<Value>,
}

/// The function of one sweep, under construction.
pub(super) struct Sweep<'a> {
    pub parts: &'a Parts<'a>,
    pub scheduler: &'a Scheduler<'a>,
    /// The blocks of the function and of its loop.
    pub root: Block,
    pub body: Block,
    pub arguments: Vec<String>,
    pub results: Vec<String>,
    rows: Vec<Value>,
    carried: Vec<Value>,
    pub env: HashMap<Key, Value>,
    pub held: HashMap<Var, Held>,
    /// For each clock, the flag that it has ticked, and the mask that tells whether that is known.
    pub flags: HashMap<Clock, Held>,
    zeros: HashMap<Type, Value>,
}

impl<'a> Sweep<'a> {
    pub fn new(parts: &'a Parts<'a>, scheduler: &'a Scheduler<'a>) -> Sweep<'a> {
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

    pub fn bit(&self) -> Type {
        self.parts.graph.node.context().scalar(Element::I1)
    }

    pub fn outside(&self) -> Builder {
        Builder::at_end(self.root, self.parts.graph.node.location())
    }

    pub fn inside(&self) -> Builder {
        Builder::at_end(self.body, self.parts.graph.node.location())
    }

    /// Adds an argument with one row for each cycle; returns the value of the cycle.
    fn row(&mut self, role: &str, name: &str, ty: Type) -> Value {
        let location = self.parts.graph.node.location().unnamed().named(name);
        self.arguments.push(format!("{role} {name}").trim_end().to_string());
        let rows = self.root.add_argument(rows_of(ty), location);
        self.row_of(rows, name, ty)
    }

    /// Returns the value of the cycle among rows.
    pub fn row_of(&mut self, mut rows: Value, name: &str, ty: Type) -> Value {
        let location = self.parts.graph.node.location().unnamed().named(name);
        if self.scheduler.direction == Direction::Backward {
            rows = self.outside().unary(Kind::ArrayReverse, &[rows], rows.ty());
        }
        self.rows.push(rows);
        self.body.add_argument(ty, location)
    }

    /// Adds the rows that both sweeps read.
    pub fn inputs(&mut self) {
        let graph = self.parts.graph;
        for v in graph.inputs() {
            let row = self.row("input", &graph.label(v), graph.value(v).ty());
            self.env.insert(Key::Stream(v), row);
        }
        if self.rows.is_empty() {
            let cycles = self.cycles();
            self.row_of(cycles, "cycle", graph.node.context().index());
        }
    }

    /// Adds rows for the cycles of a node without inputs: their numbers.
    pub fn cycles(&mut self) -> Value {
        let index = self.parts.graph.node.context().index();
        self.arguments.push("cycles".into());
        let location = self.parts.graph.node.location().unnamed();
        let cycles = self.root.add_argument(index, location.named("cycles"));
        self.outside().unary(Kind::ArrayIota, &[cycles], rows_of(index))
    }

    /// Adds rows of the values that the other sweep carries.
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

    /// Adds a carried value that starts from `first`; returns its value in a cycle.
    pub fn carry(&mut self, name: &str, first: Value) -> Value {
        let location = self.parts.graph.node.location().unnamed();
        self.carried.push(first);
        self.body.add_argument(first.ty(), location.named(name))
    }

    /// Adds an argument that is one value.
    pub fn argument(&mut self, role: &str, name: &str, ty: Type) -> Value {
        self.arguments.push(format!("{role} {name}"));
        self.root.add_argument(ty, self.parts.graph.node.location().unnamed().named(name))
    }

    pub fn constants(&mut self) {
        for &v in &self.parts.initials {
            let name = self.parts.initial_name(v);
            let value = self.argument(self.parts.initial_role(v), &name, self.parts.graph.value(v).ty());
            self.env.insert(Key::Stream(v), value);
        }
        still(self.parts.graph, &self.parts.needed, self.outside(), &mut self.env);
    }

    /// Adds an argument that the loop carries under the name `carried`, and whose value after the loop is a result.
    /// Returns its value in a cycle.
    fn state(&mut self, role: &str, name: &str, carried: &str, ty: Type) -> Value {
        self.results.push(format!("{role} {name}"));
        let first = self.argument(role, name, ty);
        self.carry(carried, first)
    }

    /// Adds a row of results, and that of its mask unless it is always known.
    fn result(&mut self, yields: &mut Vec<Value>, roles: [&str; 2], name: &str, value: Value, known: Option<Value>) {
        for (role, value) in roles.into_iter().zip(std::iter::once(value).chain(known)) {
            self.results.push(format!("{role} {name}"));
            yields.push(value);
        }
    }

    /// Writes `@f`. The rows of `kept` are for the backward sweep.
    pub fn forward(mut self, symbol: &str, kept: &[Var]) {
        let parts = self.parts;
        let graph = parts.graph;
        let s = self.scheduler;
        self.inputs();
        self.given(["post", "post?"], &parts.posts);
        let bit = self.bit();
        for &v in &parts.delays {
            let name = graph.label(v);
            let value = self.state("state", &name, &name, graph.value(v).ty());
            let known = (!s.is_sure_state(v)).then(|| self.state("state?", &name, &name, bit));
            self.env.insert(Key::Stream(v), value);
            self.env.extend(known.map(|known| (Key::Known(v), known)));
            self.held.insert(v, Held { value, known });
        }
        for &clock in &parts.flags {
            let name = parts.flag(clock);
            let value = self.state("ticked", &name, "ticked", bit);
            let known = (!s.is_sure_clock(clock)).then(|| self.state("ticked?", &name, "ticked", bit));
            self.flags.insert(clock, Held { value, known });
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

        let mut yields = self.handed_on(&parts.delays);
        let is_masked = |v: &&Var| self.held[v].known.is_some();
        let mut state_masks: Vec<Value> =
            parts.delays.iter().filter(is_masked).map(|&v| self.env[&Key::NextKnown(v)]).collect();
        for &clock in &parts.flags {
            let Held { value, known } = self.flags[&clock];
            let ticked = b.unary(Kind::ArithOri, &[value, self.env[&Key::Ticks(clock)]], self.bit());
            yields.push(ticked);
            if let Some(known) = known {
                let still = self.masked(b, known, self.ticks_known(clock));
                let mask = b.unary(Kind::ArithOri, &[ticked, still], self.bit());
                yields.push(mask);
                state_masks.push(mask);
            }
        }
        let carried = yields.len();
        let (mut settled, mut closed): (Option<Value>, Option<Value>) = (None, None);
        for (name, v) in &graph.outputs {
            let v = *v;
            let known = self.known(v);
            self.result(&mut yields, ["output", "output?"], name, self.value(v), known);
            let clock = parts.clocks.of(v);
            settled = self.both(b, settled, self.ticks_known(clock));
            settled = self.both(b, settled, self.where_present(b, clock, known));
        }
        for (roles, name, clock) in &presences {
            self.result(&mut yields, *roles, name, self.env[&Key::Ticks(*clock)], self.ticks_known(*clock));
        }
        if !parts.divisions.is_empty() {
            self.results.push("fault".into());
            yields.push(self.fault(b));
        }
        if looks_ahead {
            for mask in state_masks {
                closed = self.both(b, closed, Some(mask));
            }
            for (role, mask) in [("settled", settled), ("closed", closed)] {
                self.results.push(role.into());
                yields.push(mask.unwrap_or_else(|| b.bool(true)));
            }
            for &v in kept {
                self.result(&mut yields, ["fby", "fby?"], &graph.label(v), self.value(v), self.known(v));
            }
        }
        let function = self.finish(symbol, yields, carried);
        if !parts.divisions.is_empty() {
            parts.name_faults(function);
        }
    }

    /// Writes `@f_back`.
    pub fn backward(mut self, symbol: &str, kept: &[Var]) {
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
        let mut yields = self.handed_on(&parts.posts);
        let carried = yields.len();
        for &v in &parts.posts {
            let name = graph.label(v);
            self.results.extend([format!("post {name}"), format!("post? {name}")]);
            yields.extend([self.held[&v].value, self.held[&v].known.unwrap_or_else(|| b.bool(true))]);
        }
        self.finish(symbol, yields, carried);
    }

    /// Returns the next carried values.
    fn handed_on(&self, delays: &[Var]) -> Vec<Value> {
        let of = |&v: &Var| {
            let known = self.held[&v].known.map(|_| self.env[&Key::NextKnown(v)]);
            std::iter::once(self.env[&Key::Next(v)]).chain(known)
        };
        delays.iter().flat_map(of).collect()
    }

    /// Ends the loop and the function.
    fn finish(mut self, symbol: &str, yields: Vec<Value>, carried: usize) -> Op {
        let is_back = self.scheduler.direction == Direction::Backward;
        let mut made = self.close(&yields, carried);
        if is_back {
            made.drain(..carried);
        }
        self.end(symbol, &made)
    }

    /// Ends the loop. Returns its final carried values, of which there are `carried`, and its rows in the order of
    /// cycles. Another loop may follow.
    pub fn close(&mut self, yields: &[Value], carried: usize) -> Vec<Value> {
        let location = self.parts.graph.node.location().unnamed();
        let body = std::mem::replace(&mut self.body, Block::new(&[]));
        let [rows, firsts] = [&mut self.rows, &mut self.carried].map(std::mem::take);
        body.append(OpBuilder::new(Kind::ArrayYield, location).operands(yields).build());
        let states = yields[..carried].iter().map(|v| v.ty());
        let types: Vec<Type> = states.chain(yields[carried..].iter().map(|v| rows_of(v.ty()))).collect();
        let b = self.outside();
        let loops = b.op(Kind::ArrayMapAccum).operand_segments(&[&rows, &firsts]).results(&types);
        let mut made = b.insert(loops.region(Region::with_block(body)).build()).results();
        if self.scheduler.direction == Direction::Backward {
            made[carried..].iter_mut().for_each(|v| *v = b.unary(Kind::ArrayReverse, &[*v], v.ty()));
        }
        made
    }

    /// Ends the function.
    pub fn end(self, symbol: &str, results: &[Value]) -> Op {
        let node = self.parts.graph.node;
        self.root.append(OpBuilder::new(Kind::FuncReturn, node.location().unnamed()).operands(results).build());
        define(node, symbol, self.root, &self.arguments, &self.results)
    }

    /// Returns the value of a stream in a cycle in which it is present.
    pub fn value(&self, v: Var) -> Value {
        let v = self.scheduler.source(v);
        let found = self.env.get(&Key::Stream(v)).copied();
        found.unwrap_or_else(|| panic!("{} is read before it is computed", self.parts.graph.name(v)))
    }

    /// Returns the mask of known values; `None` if it is always known.
    fn known(&self, v: Var) -> Option<Value> {
        let v = self.scheduler.source(v);
        let is_delay = self.held.get(&v).is_some_and(|h| h.known.is_some());
        (!self.scheduler.is_sure(v) || is_delay).then(|| self.env[&Key::Known(v)])
    }

    fn ticks_known(&self, clock: Clock) -> Option<Value> {
        (!self.scheduler.is_sure_clock(clock)).then(|| self.env[&Key::TicksKnown(clock)])
    }

    /// Returns the conjunction of two masks.
    fn both(&self, b: Builder, x: Option<Value>, y: Option<Value>) -> Option<Value> {
        x.map_or(y, |x| Some(self.masked(b, x, y)))
    }

    /// Returns `x`, but false where the mask is false.
    fn masked(&self, b: Builder, x: Value, mask: Option<Value>) -> Value {
        mask.map_or(x, |mask| b.unary(Kind::ArithAndi, &[x, mask], self.bit()))
    }

    /// Returns a mask where a clock ticks, true elsewhere.
    fn where_present(&self, b: Builder, clock: Clock, mask: Option<Value>) -> Option<Value> {
        let mask = mask?;
        if clock == Clock::BASE {
            return Some(mask);
        }
        let yes = b.bool(true);
        Some(b.unary(Kind::ArithSelect, &[self.env[&Key::Ticks(clock)], mask, yes], self.bit()))
    }

    /// Returns the number of the first failed division, or zero.
    pub fn fault(&self, b: Builder) -> Value {
        let ty = b.context().scalar(Element::I64);
        let number = |k: usize| b.constant(Attribute::integer(ty, k as i64), ty);
        let divisions = self.parts.divisions.iter().enumerate().rev();
        divisions.fold(number(0), |code, (k, &v)| {
            b.unary(Kind::ArithSelect, &[self.env[&Key::Fault(v)], number(k + 1), code], ty)
        })
    }

    pub fn code(&mut self, b: Builder, schedule: &Schedule, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Compute(key) => self.compute(b, *key),
                Step::Choice(number) => self.choice(b, schedule, *number),
            }
        }
    }

    /// Returns a placeholder of a key in the arm that does not compute it.
    fn otherwise(&mut self, b: Builder, key: Key, ty: Type) -> Value {
        match key {
            Key::Next(v) => self.held[&v].value,
            Key::NextKnown(v) => self.held[&v].known.unwrap_or_else(|| b.bool(true)),
            Key::TicksKnown(_) => b.bool(true),
            Key::Known(_) | Key::Ticks(_) | Key::Fault(_) => b.bool(false),
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
        let condition = self.masked(b, condition, mask);
        let blocks = [false, true].map(|_| Block::new(&[]));
        let mut yields: [Vec<Value>; 2] = [vec![], vec![]];
        let args = |v: Var| self.parts.graph.args(v);
        for holds in [true, false] {
            let inner = Builder::at_end(blocks[usize::from(holds)], b.location);
            self.code(inner, schedule, &choice.arms[usize::from(holds)]);
            for result in &choice.results {
                let operand = if holds { 1 } else { 2 };
                let value = match *result {
                    Export::Value(key, arm) if arm == holds => Some(self.env[&key]),
                    Export::Value(..) => None,
                    Export::Merge(v) => Some(self.value(args(v)[operand])),
                    Export::MergeKnown(v) => {
                        let known = self.known(args(v)[operand]);
                        Some(known.unwrap_or_else(|| inner.bool(true)))
                    }
                };
                // The second arm already has a slot for its value.
                yields[usize::from(holds)].push(value.unwrap_or(condition));
            }
        }
        for (k, result) in choice.results.iter().enumerate() {
            if let Export::Value(key, arm) = *result {
                let inner = Builder::at_end(blocks[usize::from(!arm)], b.location);
                yields[usize::from(!arm)][k] = self.otherwise(inner, key, yields[usize::from(arm)][k].ty());
            }
            let is_mask = !matches!(result, Export::Merge(_) | Export::Value(Key::Stream(_) | Key::Next(_), _));
            if let (Some(mask), true) = (mask, is_mask) {
                // If the condition is not known, no value is.
                let inner = Builder::at_end(blocks[0], b.location);
                yields[0][k] = inner.unary(Kind::ArithAndi, &[yields[0][k], mask], self.bit());
            }
        }
        for (block, values) in blocks.iter().zip(&yields) {
            block.append(OpBuilder::new(Kind::ScfYield, b.location).operands(values).build());
        }
        let [no, yes] = blocks.map(Region::with_block);
        let types = types_of(&yields[1]);
        let made = b.insert(b.op(Kind::ScfIf).operands(&[condition]).results(&types).region(yes).region(no).build());
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
        let yes = || b.bool(true);
        let arg = |v: Var, k: usize| self.value(graph.args(v)[k]);
        let mask = |v: Var, k: usize| self.known(graph.args(v)[k]);
        let made = match key {
            Key::Next(v) => self.value(self.scheduler.handed_on(v)),
            Key::NextKnown(v) => self.known(self.scheduler.handed_on(v)).unwrap_or_else(yes),
            Key::Ticks(_) | Key::TicksKnown(_) => yes(),
            Key::Fault(v) => {
                let zero = is_zero(b.at(graph.op(v).location()), arg(v, 1));
                let known = self.both(b, mask(v, 0), mask(v, 1));
                self.masked(b, zero, known)
            }
            // A choice computed it.
            Key::Stream(v) | Key::Known(v) if graph.kind(v) == EquationKind::Merge && self.env.contains_key(&key) => {
                return;
            }
            Key::Stream(v) => {
                let b = b.at(graph.op(v).location());
                let ty = graph.value(v).ty();
                match graph.kind(v) {
                    EquationKind::Merge | EquationKind::Select => {
                        b.unary(Kind::ArithSelect, &[arg(v, 0), arg(v, 1), arg(v, 2)], ty)
                    }
                    EquationKind::Fby => {
                        let ticked = self.flags[&self.parts.clocks.of(v)].value;
                        b.unary(Kind::ArithSelect, &[ticked, self.held[&v].value, arg(v, 0)], ty)
                    }
                    _ if graph.op(v).kind() == Kind::StreamDiv => quotient(b, arg(v, 0), arg(v, 1)),
                    _ => return self.pointwise(b, graph.op(v)),
                }
            }
            Key::Known(v) => match graph.kind(v) {
                EquationKind::Merge | EquationKind::Select => {
                    let [x, y] = [1, 2].map(|k| mask(v, k).unwrap_or_else(yes));
                    let chosen = b.unary(Kind::ArithSelect, &[arg(v, 0), x, y], bit);
                    self.masked(b, chosen, mask(v, 0))
                }
                EquationKind::Fby => {
                    let flag = &self.flags[&self.parts.clocks.of(v)];
                    let first = self.both(b, flag.known, mask(v, 0)).unwrap_or_else(yes);
                    let later = self.held[&v].known.unwrap_or_else(yes);
                    b.unary(Kind::ArithSelect, &[flag.value, later, first], bit)
                }
                _ => {
                    let masks = (0..graph.args(v).len()).map(|k| mask(v, k));
                    masks.fold(None, |all, m| self.both(b, all, m)).unwrap_or_else(yes)
                }
            },
        };
        self.env.insert(key, made);
    }

    /// Copies an op, with the values of all its results.
    fn pointwise(&mut self, b: Builder, op: Op) {
        let graph = self.parts.graph;
        let copy = copy_of(b, op, &|v| Some(self.value(graph.var(v)?)));
        for (v, new) in graph.results(op).zip(copy.results()) {
            if !self.scheduler.is_given(v) {
                self.env.insert(Key::Stream(v), new);
            }
        }
    }
}
