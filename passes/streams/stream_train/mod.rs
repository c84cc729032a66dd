//! Generates nodes that train parameters. The parameters become state, which is updated in the cycles that an
//! additional input selects.
//!
//! For each node `@f_grad` of `stream-grad` with parameters, the training node is `@f_train`. Its outputs are those of
//! `@f_grad` without the cotangents of parameters. It has two additional inputs: `update` is true in the cycles in
//! which parameters are updated, and `rate` is the learning rate. Between two updates, gradients are summed. The
//! optimiser computes the value that a parameter has in the next cycle, given its present value, the sum and the rate
//! (spec/streams.md 7.3). While `update` is false the parameters do not change, so one node can train, infer, or
//! alternate between the two.
//!
//! In a node with sequences a gradient is known only at the end of a sequence. There `update` is read only in the last
//! cycle of a sequence, so that a parameter is constant within a sequence. The option `end` names the stream that is
//! true in the last cycle; the option can be omitted if the node has only one such stream.
//!
//! The option `optimiser` is `sgd`, `momentum` or `adam` (`streams/optimisers.rs`), or `@node`, a node of the program
//! that updates one number. Its three inputs are the parameter, the gradient and the rate, and its output is the next
//! value. Each parameter, and each element of an array, has a separate state of the optimiser. The state that holds a
//! parameter `k` is also called `k`; that of its optimiser is called, for example, `k.adam.m`.
//!
//! Requires: nodes that `stream-grad` generated. Preserves: these nodes.
//! ```mlir before
//! stream.node @scale_grad(%x: f64, %y_ct: f64) -> (y: f64, k_ct: f64) {
//!   %three = arith.constant 3.0 : f64
//!   %k = stream.param "k" %three : f64
//!   %y = arith.mulf %k, %x : f64
//!   %k_ct = arith.mulf %x, %y_ct : f64
//!   stream.yield %y, %k_ct : f64, f64
//! } {stream.gradients = ["k = k_ct"]}
//! ```
//! ```mlir after
//! stream.node @scale_grad(%x: f64, %y_ct: f64) -> (y: f64, k_ct: f64) {
//!   %three = arith.constant 3.0 : f64
//!   %k = stream.param "k" %three : f64
//!   %y = arith.mulf %k, %x : f64
//!   %k_ct = arith.mulf %x, %y_ct : f64
//!   stream.yield %y, %k_ct : f64, f64
//! } {stream.gradients = ["k = k_ct"]}
//! stream.node @scale_train(%x: f64, %y_ct: f64, %update: i1, %rate: f64) -> (y: f64) {
//!   %three = arith.constant 3.0 : f64
//!   %y = arith.mulf %k, %x : f64
//!   %k_ct = arith.mulf %x, %y_ct : f64
//!   %rate_s = stream.when %rate, %update : f64
//!   %zero = arith.constant 0.0 : f64
//!   %so_far = stream.fby %zero, %left : f64
//!   %sum = arith.addf %k_ct, %so_far : f64
//!   %sum_s = stream.when %sum, %update : f64
//!   %more = stream.when %sum, not %update : f64
//!   %left = stream.merge %update, %zero, %more : f64
//!   %k = stream.fby %three, %next : f64
//!   %k_s = stream.when %k, %update : f64
//!   %step = arith.mulf %rate_s, %sum_s : f64
//!   %stepped = arith.subf %k_s, %step : f64
//!   %kept = stream.when %k, not %update : f64
//!   %next = stream.merge %update, %stepped, %kept : f64
//!   stream.yield %y : f64
//! }
//! ```

use crate::analysis::fresh_names::FreshNames;
use crate::streams::equations::{self, merge, when};
use crate::streams::nodes::causality;
use crate::streams::nodes::clocks::{self, Clocks, Literal};
use crate::streams::nodes::names::{self as streams, set_interface, strings};
use crate::streams::nodes::plan;
use crate::streams::nodes::plan::last_of;
use crate::streams::optimisers;
use crate::streams::stream_inline::inline;
use crate::streams::{Graph, Var};
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value, types_of};
use mlopt_dialects::ops::stream::Instance;
use mlopt_dialects::ops::{HasKind, Kind, Symbol};
use mlopt_dialects::value::Element;

pub const PASS: Pass = Pass {
    name: "stream-train",
    description: "Add nodes that train parameters to nodes with adjoints",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::text("node", "", "The node; default: all nodes"),
        PassOption::text("optimiser", "sgd", "The optimiser: sgd, momentum, adam, or a node of the program, @name"),
        PassOption::text(
            "end",
            "",
            "The stream that ends sequences, within which parameters are constant; default: inferred",
        ),
    ],
    dialects: &["arith", "array", "math", "stream"],
    run,
};

/// The attribute with the names of parameters, each with that of the output that is its gradient.
const GRADIENTS: &str = "stream.gradients";

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let wanted = options.text("node");
    let is_wanted = |n: &Op| n.symbol().is_some_and(|s| wanted.is_empty() || s == wanted || stem(&s) == wanted);
    let is_node = |op: &Op| op.kind() == Kind::StreamNode && op.attribute(GRADIENTS).is_some();
    let nodes: Vec<Op> = module.child_ops().into_iter().filter(is_node).filter(is_wanted).collect();
    if nodes.is_empty() && !wanted.is_empty() {
        let text = format!(
            "stream-train: expected a node `@{wanted}_grad` with adjoints of parameters, found none; run \
             `stream-grad` first"
        );
        return Err(module.error(text).emit());
    }
    let optimiser = Optimiser::find(module, options.text("optimiser"))?;
    nodes.into_iter().try_for_each(|node| train(module, node, &optimiser, options))
}

/// Returns the name of the differentiated node.
fn stem(symbol: &str) -> &str {
    symbol.strip_suffix("_grad").unwrap_or(symbol)
}

fn train(module: Op, original: Op, optimiser: &Optimiser, options: &Options) -> Result<(), Reported> {
    let node = module.entry().append(original.clone_op());
    let symbol = original.symbol().unwrap_or_default();
    let context = node.context();
    let name = FreshNames::of(module).free(&format!("{}_train", stem(&symbol)));
    node.set_attribute("sym_name", context.string_attr(&name));
    let graph = Graph::of(node)?;
    let clocks = clocks::infer(&graph)?;
    let steps = steps(&graph, &clocks, options.text("end"))?;
    let parameters = parameters(&graph, &clocks);

    let end = node.entry().end();
    let types: Vec<Type> = parameters.iter().map(|p| p.op.result(0).ty().scalar()).collect();
    let double = context.scalar(Element::F64);
    let number = types.first().copied().filter(|_| !types.contains(&double)).unwrap_or(double);
    let (update, rate) = (("update", context.scalar(Element::I1)), ("rate", number));
    let [update, rate] = [update, rate].map(|(name, ty)| add_input(node, name, ty));
    let conditions = steps.iter().map(|l| (graph.value(l.condition), l.holds)).collect();
    let mut sampler = Sampler { b: Builder::before(end), conditions };
    let update = sampler.innermost(update);
    sampler.conditions.push((update, true));
    let rate = sampler.innermost(rate);
    let mut trainer =
        Trainer { module, end, graph: &graph, clocks: &clocks, sampler, optimiser, rate, aliases: vec![] };
    parameters.iter().try_for_each(|p| trainer.parameter(p))?;
    streams::add_aliases(node, trainer.aliases);
    drop_gradients(node);
    parameters.iter().for_each(|p| p.op.erase());
    check(node, options.text("end"))
}

struct Parameter {
    op: Op,
    var: Var,
    name: String,
    /// The number of the output that is its gradient, and the clock of that output, outermost level first.
    output: usize,
    conditions: Vec<Literal>,
}

/// Returns the parameters of the node; unused ones may have been removed.
fn parameters(graph: &Graph, clocks: &Clocks) -> Vec<Parameter> {
    let ops = graph.node.body().map_or(vec![], |body| body.ops());
    let ops: Vec<Op> = ops.into_iter().filter(|op| op.kind() == Kind::StreamParam).collect();
    let one = |(name, output): (String, String)| {
        let is_named = |op: &Op| op.attribute("param_name").and_then(|a| a.as_string()).as_ref() == Some(&name);
        let op = ops.iter().copied().find(is_named)?;
        let (var, output) = (graph.var(op.result(0))?, graph.outputs.iter().position(|o| o.0 == output)?);
        let conditions = clocks.levels(clocks.of(graph.outputs[output].1));
        Some(Parameter { op, var, name, output, conditions })
    };
    streams::pairs(graph.node, GRADIENTS).into_iter().filter_map(one).collect()
}

/// Returns the conditions under which parameters can take a step, outermost first: the last cycle of a sequence, if
/// there are any.
fn steps(graph: &Graph, clocks: &Clocks, end: &str) -> Result<Vec<Literal>, Reported> {
    let node = graph.node;
    let last = if end.is_empty() {
        let breaks = plan::plan(graph, clocks)?.breaks;
        let mut ends: Vec<Option<Var>> = breaks.iter().map(|b| last_of(graph, b.when)).collect();
        ends.sort_unstable();
        ends.dedup();
        match ends[..] {
            [] => return Ok(vec![]),
            [Some(last)] => last,
            _ => {
                let mut names: Vec<String> = breaks.iter().map(|b| graph.name(b.when.condition)).collect();
                names.sort_unstable();
                names.dedup();
                let what = format!("the recurrences have several end conditions, {}", names.join(", "));
                let text = format!(
                    "stream-train: {what}; set the option `end` to a stream that is true in every cycle in which \
                     all recurrences end together"
                );
                return Err(node.error(text).emit());
            }
        }
    } else {
        let named = |&v: &Var| graph.value(v).name().as_deref() == Some(end) && graph.value(v).ty().is_integer(1);
        let wrong = || {
            node.error(format!("stream-train: the option `end` must name a Boolean stream of the node, found `{end}`"))
                .emit()
        };
        graph.vars().find(named).ok_or_else(wrong)?
    };
    let mut levels = clocks.levels(clocks.of(last));
    levels.push(Literal { condition: last, holds: true });
    Ok(levels)
}

/// Adds an input called `name`, possibly with a number.
fn add_input(node: Op, name: &str, ty: Type) -> Value {
    let (mut inputs, outputs) = node.function_type().unwrap_or_default();
    let mut names = strings(node, "inputs");
    let taken = names.iter().cloned().chain(strings(node, "outputs"));
    let name = FreshNames::except(taken).separated_by('_').free(name);
    names.push(name.clone());
    inputs.push(ty);
    let body = node.entry();
    let input = body.add_argument(ty, node.location().unnamed().named(&name));
    set_interface(node, &inputs, &outputs);
    node.set_attribute("inputs", node.context().strings_attr(names));
    input
}

/// Removes the adjoints of parameters from the outputs.
fn drop_gradients(node: Op) {
    let end = node.entry().end();
    let dropped: Vec<String> = streams::pairs(node, GRADIENTS).into_iter().map(|g| g.1).collect();
    let (inputs, _) = node.function_type().unwrap_or_default();
    let kept = strings(node, "outputs").into_iter().zip(end.operands()).filter(|o| !dropped.contains(&o.0));
    let (names, values): (Vec<String>, Vec<Value>) = kept.unzip();
    end.set_operands(&values);
    set_interface(node, &inputs, &types_of(&values));
    node.set_attribute("outputs", node.context().strings_attr(names));
    node.remove_attribute(GRADIENTS);
}

/// # Errors
/// The errors of the analyses, for the new node.
fn check(node: Op, end: &str) -> Result<(), Reported> {
    let graph = Graph::of(node)?;
    let clocks = clocks::infer(&graph)?;
    causality::order(&graph, &clocks)?;
    let hint = |reported: Reported| match end.is_empty() {
        true => {
            let what = "a parameter would be updated before its gradient is known";
            let advice = "set the option `end` to a stream that is true in the last cycle of each sequence";
            node.error(format!("stream-train: {what}; {advice}")).emit()
        }
        false => reported,
    };
    plan::plan(&graph, &clocks).map(drop).map_err(hint)
}

/// Sampling of streams on a slower clock, and its inverse.
struct Sampler {
    b: Builder,
    /// The conditions, outermost first, each on the clock of the previous ones.
    conditions: Vec<(Value, bool)>,
}

impl Sampler {
    /// Returns a stream on each clock, from the base clock on.
    fn levels(&self, x: Value) -> Vec<Value> {
        let mut levels = vec![x];
        for &(condition, holds) in &self.conditions {
            levels.push(when(self.b, levels[levels.len() - 1], condition, holds));
        }
        levels
    }

    fn innermost(&self, x: Value) -> Value {
        self.conditions.iter().fold(x, |x, &(condition, holds)| when(self.b, x, condition, holds))
    }

    /// Returns the stream of `levels` with another value where all conditions hold.
    fn replaced(&self, levels: &[Value], by: Value) -> Value {
        let around = self.conditions.iter().zip(levels).rev();
        around.fold(by, |there, (&(condition, holds), &x)| {
            let elsewhere = when(self.b, x, condition, !holds);
            merge(self.b, condition, holds, there, elsewhere)
        })
    }
}

enum Optimiser {
    Known(String),
    Node(Op),
}

impl Optimiser {
    fn find(module: Op, text: &str) -> Result<Optimiser, Reported> {
        let node =
            text.strip_prefix('@').and_then(|name| module.lookup(name)).filter(|op| op.kind() == Kind::StreamNode);
        match node {
            Some(node) => Ok(Optimiser::Node(node)),
            None if optimisers::OPTIMISERS.contains(&text) => Ok(Optimiser::Known(text.into())),
            None => {
                let known = optimisers::OPTIMISERS.join(", ");
                let text = format!(
                    "stream-train: the option `optimiser` must be {known} or a node of the program, as `@name`, \
                     found `{text}`"
                );
                Err(module.error(text).emit())
            }
        }
    }

    /// Returns the optimiser for arrays or numbers of this type, in the module.
    fn of(&self, module: Op, ty: Type) -> Result<Op, Reported> {
        let node = match self {
            Optimiser::Known(name) => optimisers::known(name, ty.scalar(), module),
            Optimiser::Node(node) => node.clone_op(),
        };
        let node = module.entry().append(node);
        streams::name_inputs(node);
        optimisers::lift(node, ty)?;
        Ok(node)
    }
}

struct Trainer<'a> {
    module: Op,
    /// The terminator of the node.
    end: Op,
    graph: &'a Graph,
    clocks: &'a Clocks,
    /// The sampler for the cycles in which parameters take a step.
    sampler: Sampler,
    optimiser: &'a Optimiser,
    /// The learning rate in these cycles.
    rate: Value,
    aliases: Vec<(String, String)>,
}

impl Trainer<'_> {
    fn parameter(&mut self, p: &Parameter) -> Result<(), Reported> {
        let (s, b) = (&self.sampler, self.sampler.b.at(p.op.location()));
        let (used, init) = (p.op.result(0), p.op.operand(0));
        let ty = used.ty();
        if ty.shape().contains(&None) {
            return Err(p.op.not_supported(format!("the parameter `{}` must have static sizes", p.name)));
        }
        let zero = b.splat(Attribute::float(ty.scalar(), 0.0), ty);
        let state = |first: Value, name: String| {
            let state = equations::state(b, first);
            state.result(0).suggest_name(&name);
            state
        };

        let so_far = state(zero, format!("{}.so_far", p.name));
        // Zero where it is absent.
        let gradient = self.end.operand(p.output);
        let merge = |x: Value, l: &Literal| merge(s.b, self.graph.value(l.condition), l.holds, x, zero);
        let gradient = p.conditions.iter().rev().fold(gradient, merge);
        let sum = b.unary(Kind::ArithAddf, &[gradient, so_far.result(0)], ty);
        let sums = s.levels(sum);
        so_far.set_operand(1, s.replaced(&sums, zero));

        let held = state(init, p.name.clone());
        let values = s.levels(held.result(0));
        let symbol = match self.optimiser {
            Optimiser::Known(name) => name.clone(),
            Optimiser::Node(node) => node.symbol().unwrap_or_default(),
        };
        let rate = match ty.scalar() == self.rate.ty() {
            true => self.rate,
            false => b.unary(Kind::ArithTruncf, &[self.rate], ty.scalar()),
        };
        let callee = self.optimiser.of(self.module, ty)?;
        let [value, sum] = [&values, &sums].map(|levels| levels[levels.len() - 1]);
        let name = format!("{}.{symbol}", p.name);
        let instance = Instance::create(b, &[value, sum, rate], &name, &Symbol(symbol), &[ty]).op();
        held.set_operand(1, s.replaced(&values, instance.result(0)));
        inline(instance, callee, &mut self.aliases)?;
        callee.erase();

        if let Some(name) = used.name().filter(|name| *name != p.name) {
            self.aliases.push((name, p.name.clone()));
        }
        let mut now = held.result(0);
        for l in self.clocks.levels(self.clocks.of(p.var)) {
            now = when(self.sampler.b, now, self.graph.value(l.condition), l.holds);
        }
        if now != held.result(0) {
            // The state has the name of the parameter, in all cycles.
            now.suggest_name(&format!("{}.sampled", p.name));
        }
        used.replace_all_uses_with(now);
        Ok(())
    }
}
