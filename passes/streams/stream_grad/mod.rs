//! Generates an *adjoint node* for each node. It computes the cotangents of inputs and parameters from those of
//! outputs, in each cycle.
//!
//! For a node `@f` with floats, the adjoint node is `@f_grad`. It contains the equations of `@f`, an additional input
//! `y_ct` for each float output `y`, and an additional output `x_ct` for each float input or parameter `x`. The
//! attribute `stream.gradients` maps parameters to these outputs. The cotangent of a stream has the clock of the
//! stream. Dependences are reversed in time: for each `stream.fby`, which reads the previous cycle, there is a
//! `stream.post`, which reads the next one (spec/streams.md 7.2, the dense form). The derivatives of the equations
//! within a cycle are requests `dual.vjp`, which `differentiate` expands.
//!
//! With the option `loss`, the sum of one output over all cycles is differentiated, with respect to parameters only.
//! With the option `truncate`, or the attribute `stream.truncate` of a node, cotangents are not propagated back across
//! certain boundaries between cycles (truncated back-propagation through time; R. Williams and J. Peng, Neural
//! Computation 2, 1990). If the value is a number n, each `stream.fby` has a boundary after every n cycles of its
//! clock; if it is the name of a stream, there is a boundary after each cycle in which this stream is true. Primal
//! values do not change.
//!
//! Requires: nodes without instances (after `stream-inline`). Preserves: the original nodes.
//! ```mlir before
//! stream.node @delay(%x: f64, %c: i1) -> (y: f64) {
//!   %zero = arith.constant 0.0 : f64
//!   %p = stream.fby %zero, %x : f64
//!   %y = stream.select %c, %p, %x : f64
//!   stream.yield %y : f64
//! }
//! ```
//! ```mlir after
//! stream.node @delay(%x: f64, %c: i1) -> (y: f64) {
//!   %zero = arith.constant 0.0 : f64
//!   %p = stream.fby %zero, %x : f64
//!   %y = stream.select %c, %p, %x : f64
//!   stream.yield %y : f64
//! }
//! stream.node @delay_grad(%x: f64, %c: i1, %y_ct: f64) -> (y: f64, x_ct: f64) {
//!   %zero = arith.constant 0.0 : f64
//!   %p = stream.fby %zero, %x : f64
//!   %y = stream.select %c, %p, %x : f64
//!   %zero_0 = arith.constant 0.0 : f64
//!   %a = stream.post %p_ct {stream.adjoint} : f64
//!   %p_ct = stream.select %c, %y_ct, %zero_0 : f64
//!   %b = stream.select %c, %zero_0, %y_ct : f64
//!   %x_ct = arith.addf %a, %b : f64
//!   stream.yield %y, %x_ct : f64, f64
//! }
//! ```

use crate::ad::outline;
use crate::analysis::fresh_names::FreshNames;
use crate::streams::equations::{merge, state, when};
use crate::streams::nodes::clocks::{self, Clock, Clocks};
use crate::streams::nodes::graph::reach;
use crate::streams::nodes::names::{set_interface, strings};
use crate::streams::nodes::plan::ADJOINT;
use crate::streams::{EquationKind, Graph, Var};
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, OpBuilder, Region, Type, Value, types_of};
use mlopt_dialects::ops::stream::Initial;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::stream::TRUNCATE;
use mlopt_dialects::value::Element;
use std::collections::{HashMap, HashSet};

pub const PASS: Pass = Pass {
    name: "stream-grad",
    description: "Add adjoint nodes to reactive nodes",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::text("node", "", "The node; default: all nodes"),
        PassOption::text(
            "loss",
            "",
            "The output whose sum over all cycles is differentiated, with respect to parameters only; \
             default: all outputs, with respect to inputs too",
        ),
        PassOption::text(
            "truncate",
            "",
            "Truncate adjoints after this number of cycles, or at cycles in which this stream is true",
        ),
    ],
    dialects: &["arith", "array", "dual", "func", "stream"],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let wanted = options.text("node");
    let nodes = module.child_ops().into_iter().filter(|op| op.kind() == Kind::StreamNode);
    let nodes: Vec<Op> = nodes.filter(|n| wanted.is_empty() || n.symbol().as_deref() == Some(wanted)).collect();
    if nodes.is_empty() && !wanted.is_empty() {
        let text = format!("stream-grad: the option `node` must name a node of this module, found `{wanted}`");
        return Err(module.error(text).emit());
    }
    let loss = options.text("loss");
    let has_loss = |n: &Op| loss.is_empty() || strings(*n, "outputs").iter().any(|o| o == loss);
    let (nodes, others): (Vec<Op>, Vec<Op>) = nodes.into_iter().partition(has_loss);
    if let ([], [other, ..]) = (&nodes[..], &others[..]) {
        let outputs: Vec<String> = strings(*other, "outputs").iter().map(|o| format!("`{o}`")).collect();
        let text = format!(
            "stream-grad: the option `loss` must name an output of the node, found `{loss}`; expected one of {}",
            outputs.join(", ")
        );
        return Err(other.error(text).emit());
    }
    let mut symbols = FreshNames::of(module);
    nodes.into_iter().try_for_each(|n| differentiate(module, n, loss, options.text("truncate"), &mut symbols))
}

fn differentiate(module: Op, node: Op, loss: &str, truncate: &str, symbols: &mut FreshNames) -> Result<(), Reported> {
    let (inputs, outputs) = node.function_type().unwrap_or_default();
    if !inputs.iter().chain(&outputs).any(|ty| ty.is_differentiable()) {
        return Ok(());
    }
    let minimised = strings(node, "outputs").iter().position(|o| o == loss).map(|k| outputs[k]);
    if let Some(ty) = minimised.filter(|ty| ty.is_tensor() || !ty.is_differentiable()) {
        let text = format!("stream-grad: the loss `{loss}` must be a float scalar, found {ty}");
        return Err(node.error(text).emit());
    }
    let copy = module.entry().append(node.clone_op());
    let name = symbols.free(&format!("{}_grad", node.symbol().unwrap_or_default()));
    copy.set_attribute("sym_name", node.context().string_attr(&name));
    let graph = Graph::of(copy)?;
    let clocks = clocks::infer(&graph)?;
    let end = copy.entry().end();
    let b = Builder::before(end);
    let text = |a: Attribute| a.as_string().or_else(|| Some(a.as_i64()?.to_string())).unwrap_or_else(|| a.to_string());
    let said = node.attribute(TRUNCATE).map(text);
    copy.remove_attribute(TRUNCATE);
    let cut = Cut::read(&graph, said.as_deref().unwrap_or(truncate))?;
    let (of, parts, zeros, cuts) = Default::default();
    Adjoints { module, graph: &graph, clocks: &clocks, b, loss, cut, of, parts, zeros, cuts, symbols }.node(copy, end)
}

/// The truncation of back-propagation through time.
enum Cut {
    Never,
    /// Every `n` cycles of the clock of the delay.
    Every(i64),
    /// After the cycles in which this stream is true.
    Where(Var),
}

impl Cut {
    fn read(graph: &Graph, text: &str) -> Result<Cut, Reported> {
        let stream = graph.vars().find(|&v| graph.value(v).name().as_deref() == Some(text));
        match (text.parse::<i64>(), stream) {
            _ if text.is_empty() => Ok(Cut::Never),
            (Ok(cycles), _) if cycles > 0 => Ok(Cut::Every(cycles)),
            (Err(_), Some(v)) if graph.value(v).ty().is_integer(1) => Ok(Cut::Where(v)),
            _ => {
                let expected = "expected a positive number of cycles, or the name of a Boolean stream";
                Err(graph.node.error(format!("stream-grad: the option `truncate`: {expected}, found `{text}`")).emit())
            }
        }
    }
}

struct Adjoints<'a> {
    module: Op,
    graph: &'a Graph,
    clocks: &'a Clocks,
    b: Builder,
    /// The output that is differentiated; all if empty.
    loss: &'a str,
    cut: Cut,
    /// A placeholder for the adjoint of each stream that has one, until all its contributions are known.
    of: HashMap<Var, Op>,
    parts: HashMap<Var, Vec<Value>>,
    zeros: HashMap<(Type, Clock), Value>,
    /// The truncation conditions, by clock.
    cuts: HashMap<Clock, Value>,
    /// Names for equations as functions.
    symbols: &'a mut FreshNames,
}

impl Adjoints<'_> {
    /// Returns the operands to which an adjoint flows.
    fn operands(&self, v: Var) -> Vec<Var> {
        let args = self.graph.args(v);
        let all = match self.graph.kind(v) {
            EquationKind::Input | EquationKind::Literal | EquationKind::Constant => &[],
            // Its initial value is not trained.
            EquationKind::Pointwise if self.is_parameter(v) => &[],
            EquationKind::Pointwise | EquationKind::Fby | EquationKind::Post => args,
            EquationKind::When(_) => &args[..1],
            EquationKind::Merge | EquationKind::Select => &args[1..],
        };
        let varies = |a: &Var| !self.graph.value(*a).ty().is_discrete() && self.graph.kind(*a) != EquationKind::Literal;
        all.iter().copied().filter(varies).collect()
    }

    fn is_parameter(&self, v: Var) -> bool {
        self.graph.op(v).kind() == Kind::StreamParam
    }

    /// Returns the float inputs, if all outputs are differentiated, and the parameters, each with its name.
    fn targets(&self) -> Vec<(Var, String)> {
        let name = |v: Var| match self.graph.kind(v) {
            EquationKind::Input => self.loss.is_empty().then(|| self.graph.label(v)),
            EquationKind::Pointwise if self.is_parameter(v) => {
                self.graph.op(v).attribute("param_name").and_then(|a| a.as_string())
            }
            _ => None,
        };
        let floats = self.graph.vars().filter(|&v| self.graph.value(v).ty().is_differentiable());
        floats.filter_map(|v| Some((v, name(v)?))).collect()
    }

    /// Returns the outputs that are differentiated.
    fn sources(&self) -> impl Iterator<Item = &(String, Var)> {
        self.graph.outputs.iter().filter(|o| self.loss.is_empty() || o.0 == self.loss)
    }

    /// Returns the streams on a path from a target to an output.
    ///
    /// # Errors
    /// E-DIFF if a path contains floats other than f32 and f64, which have no adjoint.
    fn active(&self, targets: &[(Var, String)]) -> Result<Vec<Var>, Reported> {
        let operands: Vec<Vec<Var>> = self.graph.vars().map(|v| self.operands(v)).collect();
        let mut users: Vec<Vec<Var>> = vec![vec![]; self.graph.len()];
        for v in self.graph.vars() {
            operands[v].iter().for_each(|&a| users[a].push(v));
        }
        let ahead = reach(targets.iter().map(|t| t.0), |v| users[v].iter().copied());
        let is_float = |v: &Var| self.graph.value(*v).ty().is_differentiable();
        let behind = reach(self.sources().map(|o| o.1).filter(is_float), |v| operands[v].iter().copied());
        let active: Vec<Var> = self.graph.vars().filter(|v| ahead.contains(v) && behind.contains(v)).collect();
        let refused = |v: Var| {
            let (name, ty) = (self.graph.name(v), self.graph.value(v).ty());
            let text = format!("E-DIFF: {name} must be a float or an array of floats to be differentiated, found {ty}");
            self.graph.op(v).error(text).emit()
        };
        active.iter().find(|v| !is_float(v)).map_or(Ok(()), |&v| Err(refused(v)))?;
        Ok(active)
    }

    fn node(mut self, node: Op, end: Op) -> Result<(), Reported> {
        let graph = self.graph;
        let targets = self.targets();
        let active = self.active(&targets)?;
        let body = node.entry();
        let context = node.context();
        let (mut inputs, mut outputs) = node.function_type().unwrap_or_default();
        let taken = graph.inputs().map(|v| graph.label(v)).chain(graph.outputs.iter().map(|o| o.0.clone()));
        let mut names = FreshNames::except(taken).separated_by('_');
        let mut fresh = |name: &str| {
            let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            names.free(&format!("{name}_ct"))
        };
        for &v in &active {
            // A placeholder of the type, which is replaced by the adjoint.
            self.of.insert(v, Initial::create(self.b, "", "", graph.value(v).ty()).op());
        }
        let mut input_names = strings(node, "inputs");
        let seeded: Vec<(String, Var)> = self.sources().filter(|o| self.of.contains_key(&o.1)).cloned().collect();
        for (name, v) in &seeded {
            if !self.loss.is_empty() {
                let ty = graph.value(*v).ty();
                let one = self.b.constant(Attribute::float(ty, 1.0), ty);
                self.parts.entry(*v).or_default().push(one);
                continue;
            }
            let seed = fresh(name);
            let location = graph.op(*v).location().unnamed();
            let argument = body.add_argument(graph.value(*v).ty(), location.named(&seed));
            inputs.push(argument.ty());
            input_names.push(seed);
            self.parts.entry(*v).or_default().push(argument);
        }
        let mut done: HashSet<Op> = HashSet::new();
        for &v in &active {
            match graph.kind(v) {
                EquationKind::Input => {}
                EquationKind::Pointwise if self.is_parameter(v) => {}
                // Once for all results.
                EquationKind::Pointwise if !done.insert(graph.op(v)) => {}
                EquationKind::Pointwise => self.pointwise(graph.op(v)),
                _ => self.primitive(v)?,
            }
        }
        let mut output_names = strings(node, "outputs");
        let mut results = end.operands();
        let mut gradients = Vec::new();
        let mut sums: HashMap<Var, Value> = HashMap::new();
        for &v in &active {
            let parts = self.parts.remove(&v).unwrap_or_default();
            let b = self.at(v);
            let sum = parts.into_iter().reduce(|a, c| b.unary(Kind::ArithAddf, &[a, c], a.ty()));
            let sum = sum.unwrap_or_else(|| self.zero(graph.value(v).ty(), self.clocks.of(v), true));
            sum.suggest_name(&format!("{}_ct", graph.label(v)));
            sums.insert(v, sum);
        }
        for (v, holder) in self.of.drain() {
            holder.replace_with([sums[&v]]);
        }
        for (v, name) in targets {
            let sum = sums.get(&v).copied();
            let sum = sum.unwrap_or_else(|| self.zero(graph.value(v).ty(), self.clocks.of(v), true));
            let sum = self.completed(v, sum);
            let output = fresh(&name);
            if graph.kind(v) != EquationKind::Input {
                gradients.push(format!("{name} = {output}"));
            }
            results.push(sum);
            outputs.push(sum.ty());
            output_names.push(output);
        }
        end.set_operands(&results);
        node.set_attribute("inputs", context.strings_attr(input_names));
        node.set_attribute("outputs", context.strings_attr(output_names));
        set_interface(node, &inputs, &outputs);
        if !gradients.is_empty() {
            node.set_attribute("stream.gradients", context.strings_attr(gradients));
        }
        Ok(())
    }

    /// Returns the position at which adjoints of `v` are computed.
    fn at(&self, v: Var) -> Builder {
        let location = self.graph.op(v).location().unnamed();
        self.b.at(match location.phrase() {
            Some(phrase) => location.with_phrase(&format!("the adjoint of {phrase}")),
            None => location,
        })
    }

    fn add(&mut self, v: Var, part: Value) {
        self.parts.entry(v).or_default().push(part);
    }

    /// Returns a zero: a literal, or a stream on a clock.
    fn zero(&mut self, ty: Type, clock: Clock, is_stream: bool) -> Value {
        let Some((around, level)) = self.clocks.level(clock).filter(|_| is_stream) else {
            let b = self.b;
            let zero = || b.splat(Attribute::float(ty.scalar(), 0.0), ty);
            return *self.zeros.entry((ty, Clock::BASE)).or_insert_with(zero);
        };
        let x = self.zero(ty, around, true);
        when(self.b, x, self.graph.value(level.condition), level.holds)
    }

    /// Returns the adjoint of a parameter on a clock that is visible outside, with zeros in between. The sum over
    /// cycles does not change.
    fn completed(&mut self, v: Var, sum: Value) -> Value {
        let (graph, clocks) = (self.graph, self.clocks);
        let is_known = |c: Var| graph.kind(c) == EquationKind::Input || graph.outputs.iter().any(|o| o.1 == c);
        let (mut clock, mut sum) = (clocks.of(v), sum);
        while let Some((around, level)) = clocks.level(clock)
            && !clocks.literals(clock).all(|l| is_known(l.condition))
        {
            let (condition, zero) = (graph.value(level.condition), self.zero(sum.ty(), Clock::BASE, false));
            sum = merge(self.at(v), condition, level.holds, sum, zero);
            clock = around;
        }
        sum
    }

    /// Applies the rules of 7.2 for delays and sampling.
    fn primitive(&mut self, v: Var) -> Result<(), Reported> {
        let graph = self.graph;
        let (d, b) = (self.of[&v].result(0), self.at(v));
        let ty = d.ty();
        let zero = self.zero(ty, Clock::BASE, false);
        let arg = |k: usize| graph.args(v)[k];
        let condition = || graph.value(arg(0));
        let op = |kind: Kind, operands: &[Value]| b.unary(kind, operands, ty);
        let flows = |s: &Self, k: usize| s.of.contains_key(&arg(k));
        match graph.kind(v) {
            EquationKind::Fby => {
                if flows(self, 0) {
                    let [yes, no] = [true, false].map(|x| b.bool(x));
                    let first = b.unary(Kind::StreamFby, &[yes, no], yes.ty());
                    self.add(arg(0), op(Kind::StreamSelect, &[first, d, zero]));
                }
                if flows(self, 1) {
                    // A mark, for the message about an unbounded recurrence.
                    let post = b.op(Kind::StreamPost).operands(&[d]).results(&[ty]);
                    let post = b.insert(post.attribute(ADJOINT, ty.context().unit_attr()).build()).result(0);
                    let part = self.cut_of(v)?.map_or(post, |cut| op(Kind::StreamSelect, &[cut, zero, post]));
                    self.add(arg(1), part);
                }
            }
            EquationKind::Post => self.add(arg(0), op(Kind::StreamFby, &[zero, d])),
            EquationKind::When(holds) => {
                self.add(arg(0), merge(b, graph.value(arg(1)), holds, d, zero));
            }
            EquationKind::Merge => {
                for (k, holds) in [(1, true), (2, false)] {
                    if flows(self, k) {
                        self.add(arg(k), when(b, d, condition(), holds));
                    }
                }
            }
            EquationKind::Select => {
                for (k, operands) in [(1, [condition(), d, zero]), (2, [condition(), zero, d])] {
                    if flows(self, k) {
                        self.add(arg(k), op(Kind::StreamSelect, &operands));
                    }
                }
            }
            EquationKind::Input | EquationKind::Literal | EquationKind::Constant | EquationKind::Pointwise => {}
        }
        Ok(())
    }

    /// Returns the condition under which the adjoint of a delay `v` is not propagated to the cycle before: true in that
    /// one.
    fn cut_of(&mut self, v: Var) -> Result<Option<Value>, Reported> {
        let (graph, clock) = (self.graph, self.clocks.of(v));
        let cycles = match self.cut {
            Cut::Never => return Ok(None),
            Cut::Where(c) if self.clocks.of(c) == clock || graph.kind(c) == EquationKind::Literal => {
                return Ok(Some(graph.value(c)));
            }
            Cut::Where(c) => {
                let [at, of] = [c, v].map(|v| self.clocks.show(graph, self.clocks.of(v)));
                let name = graph.name(c);
                let text = format!("E-CLOCK: the option `truncate`: {name} must be on the clock `{of}`, found `{at}`");
                let note = format!("this delay is on the clock `{of}`");
                return Err(graph.op(c).error(text).note(graph.value(v).location(), note).emit());
            }
            Cut::Every(cycles) => cycles,
        };
        if let Some(&cut) = self.cuts.get(&clock) {
            return Ok(Some(cut));
        }
        // Counts cycles from 0.
        let (b, i64) = (self.b, graph.node.context().scalar(Element::I64));
        let [zero, one, last] = [0, 1, cycles - 1].map(|n| b.constant(Attribute::integer(i64, n), i64));
        let count = state(b, zero);
        let cut = b.equal(count.result(0), last);
        let more = b.unary(Kind::ArithAddi, &[count.result(0), one], i64);
        count.set_operand(1, b.unary(Kind::StreamSelect, &[cut, zero, more], i64));
        cut.suggest_name("cut");
        self.cuts.insert(clock, cut);
        Ok(Some(cut))
    }

    /// Emits the op as a function, and the request for the cotangents of its operands.
    fn pointwise(&mut self, op: Op) {
        let graph = self.graph;
        let vars: Vec<Var> = op.results().into_iter().filter_map(|v| graph.var(v)).collect();
        let mut seen = HashSet::new();
        let reads: Vec<Var> = graph.args(vars[0]).iter().copied().filter(|&a| seen.insert(a)).collect();
        let wrt: Vec<usize> = (0..reads.len()).filter(|&k| self.of.contains_key(&reads[k])).collect();
        let inputs: Vec<Value> = reads.iter().map(|&a| graph.value(a)).collect();
        let location = op.location().unnamed();
        let block = Block::new(&inputs.iter().map(|v| (v.ty(), location)).collect::<Vec<_>>());
        let map: HashMap<Value, Value> = inputs.iter().copied().zip(block.arguments()).collect();
        let copy = block.append(op.clone_op());
        copy.replace_operands(|v| map.get(&v).copied());
        block.append(OpBuilder::new(Kind::FuncReturn, location).operands(&copy.results()).build());
        let types = types_of(&op.results());
        let name = self.symbols.free(&format!("{}.equation", graph.node.symbol().unwrap_or_default()));
        let callee = outline::private_function(self.module, name, block, &types, op);

        let b = self.b.at(location);
        let context = op.context();
        let floats = vars.iter().map(|&v| (v, graph.value(v).ty())).filter(|(_, ty)| ty.is_differentiable());
        let cotangent = |(v, ty): (Var, Type)| {
            self.of.get(&v).map(|of| of.result(0)).unwrap_or_else(|| self.zero(ty, Clock::BASE, false))
        };
        let cotangents: Vec<Value> = floats.map(cotangent).collect();
        let results: Vec<Type> = types.iter().copied().chain(wrt.iter().map(|&k| inputs[k].ty())).collect();
        let positions: Vec<i64> = wrt.iter().map(|&k| k as i64).collect();
        let request = b.op(Kind::DualVjp).results(&results).region(Region::new());
        let request = request.operand_segments(&[&inputs, &cotangents]);
        let request = request.attribute("callee", callee).attribute("wrt", context.i64_array_attr(&positions));
        let made = b.insert(request.build()).results();
        for (&k, &part) in wrt.iter().zip(&made[types.len()..]) {
            self.add(reads[k], part);
        }
    }
}
