//! Simplifies nodes by the laws of streams (`spec/streams.md` 4.5): merges equations that are equal in all cycles,
//! removes delays that cancel or are constant, replaces two delays by one, and removes equations that no output needs.
//!
//! The state of a delay with a name can be saved and set by this name. Therefore delays with names are merged only if
//! `named=true`, and are removed only if their value is unused. The names of removed streams are recorded in
//! `stream.aliases`. With `early=true`, laws are also applied that make values known in earlier cycles, such as
//! `post (y fby x) = x`: the left side is the next value of `y fby x`, which is known only in the next cycle.
//!
//! Requires: nodes without instances (after `stream-inline`). Preserves: the outputs, and, without `early=true`, the
//! cycles in which they become known. Clocks of inputs and outputs do not change, and a node never looks further ahead
//! than before.
//! ```mlir before
//! stream.node @twice(%x: f64) -> (y: f64) {
//!   %zero = arith.constant 0.0 : f64
//!   %0 = stream.fby %zero, %s : f64
//!   %s = arith.addf %0, %x : f64
//!   %1 = stream.fby %zero, %t : f64
//!   %t = arith.addf %1, %x : f64
//!   %u = arith.addf %t, %s : f64
//!   %y = arith.subf %u, %1 : f64
//!   stream.yield %y : f64
//! }
//! ```
//! ```mlir after
//! stream.node @twice(%x: f64) -> (y: f64) {
//!   %zero = arith.constant 0.0 : f64
//!   %0 = stream.fby %zero, %s : f64
//!   %s = arith.addf %0, %x : f64
//!   %u = arith.addf %s, %s : f64
//!   %y = arith.subf %u, %0 : f64
//!   stream.yield %y : f64
//! } {stream.aliases = ["t = s"]}
//! ```

pub mod dead;
pub mod equal;
pub mod laws;
pub mod retiming;

use crate::streams::Graph;
use crate::streams::nodes::clocks;
use crate::streams::nodes::names as streams;
use crate::streams::nodes::plan::{self, Class};
use crate::streams::nodes::segments::Segments;
use crate::streams::stream_simplify::laws::Laws;
use crate::streams::stream_simplify::retiming::retimed;
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::{Reported, captured};
use mlopt_dialects::ir::{Builder, Op, Value};
use mlopt_dialects::ops::arith::Constant;
use mlopt_dialects::ops::{HasKind, Kind};

pub const PASS: Pass = Pass {
    name: "stream-simplify",
    description: "Simplify reactive nodes: share equal equations, apply the laws of streams",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::flag("named", "Also merge delays with names, which then cannot be set individually"),
        PassOption::flag("early", "Also apply laws that make outputs known in more cycles"),
    ],
    dialects: &["arith", "stream"],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let nodes: Vec<Op> = module.nested_ops().into_iter().filter(|op| op.kind() == Kind::StreamNode).collect();
    let mut failed = None;
    for node in nodes {
        if let Err(reported) = simplify(node, options.bool("named"), options.bool("early")) {
            failed = Some(reported);
        }
    }
    failed.map_or(Ok(()), Err)
}

fn simplify(node: Op, named: bool, early: bool) -> Result<(), Reported> {
    let before = Cost::of(node)?;
    let mut node = node;
    for laws in [Some(early), None] {
        let copy = node.clone_op();
        let (is_fine, _) = captured(node.context(), || -> Result<bool, Reported> {
            let is_new = rounds(node, named, laws)?;
            Ok(!is_new || Cost::of(node)?.is_within(&before))
        });
        // The removed guard may have been the bound of a recurrence for the analyses.
        if is_fine.is_ok_and(|is_fine| is_fine) {
            copy.erase();
            return Ok(());
        }
        Builder::before(node).insert(copy);
        node.erase();
        node = copy;
    }
    Ok(())
}

/// The execution costs of a node.
struct Cost {
    class: Class,
    latency: usize,
    /// True if sequences are executed one by one.
    is_segmented: bool,
}

impl Cost {
    /// # Errors
    /// The errors of the analyses.
    fn of(node: Op) -> Result<Cost, Reported> {
        let (graph, clocks, plan) = plan::analysed(node)?;
        let latency = if plan.class == Class::Retimed { plan::latency(&graph, &clocks) } else { 0 };
        let is_segmented = plan.class == Class::Segmented && {
            let needed: Vec<_> = plan::needed_streams(&graph, &clocks).into_iter().collect();
            Segments::of(&graph, &clocks, &plan, &needed).is_some()
        };
        Ok(Cost { class: plan.class, latency, is_segmented })
    }

    fn is_within(&self, other: &Cost) -> bool {
        let is_as_far = self.class < other.class || self.class == other.class && self.latency <= other.latency;
        let is_segmented = self.is_segmented || !other.is_segmented || self.class < Class::Segmented;
        is_as_far && is_segmented
    }
}

/// The maximum number of iterations. Each enables the next; only programs that nest laws as deeply need more.
const ROUNDS: usize = 32;

/// Applies laws, including early ones if `laws` is true. Returns whether streams have changed.
fn rounds(node: Op, named: bool, laws: Option<bool>) -> Result<bool, Reported> {
    let (mut aliases, mut is_new) = (Vec::new(), false);
    for _ in 0..ROUNDS {
        if !round(node, named, laws, &mut aliases)? {
            break;
        }
        is_new = true;
    }
    streams::add_aliases(node, aliases);
    Ok(is_new)
}

/// Applies laws once. Returns whether a stream was replaced; `also` gets its name.
fn round(node: Op, named: bool, laws: Option<bool>, also: &mut Vec<(String, String)>) -> Result<bool, Reported> {
    let graph = Graph::of(node)?;
    let clocks = clocks::infer(&graph)?;
    let needed = plan::needed_streams(&graph, &clocks);
    let dead = dead::unneeded(&graph, &clocks, &needed);
    let equal = equal::representatives(&graph, &clocks, &needed, named);
    let mut replaced: Vec<(Value, Value)> = Vec::new();
    if let Some(early) = laws {
        let laws = Laws::of(&graph, &clocks, &needed, equal, early);
        let others = needed.iter().map(|&v| (v, laws.find(v))).filter(|(v, w)| v != w);
        replaced.extend(others.map(|(v, w)| (graph.value(v), graph.value(w))));
        for (&v, &literal) in &laws.constants {
            let value = graph.op(literal).cast::<Constant>().value();
            let constant = Builder::before(graph.op(v)).op(Kind::StreamConstant).attribute("value", value);
            let constant = constant.results(&[graph.value(v).ty()]).build();
            replaced.push((graph.value(v), Builder::before(graph.op(v)).insert(constant).result(0)));
        }
        if replaced.is_empty() {
            replaced.extend(needed.iter().filter_map(|&v| Some((graph.value(v), retimed(&graph, v)?))));
        }
    } else {
        replaced.extend(needed.iter().map(|&v| (graph.value(v), graph.value(equal[v]))).filter(|(v, w)| v != w));
    }
    for &(v, w) in &replaced {
        also.extend(v.name().and_then(|name| streams::call(w, &name)));
    }
    for &(v, w) in &replaced {
        v.replace_all_uses_with(w);
        // The remaining op may stay to determine a clock, without its name.
        if let Some((op, _)) = v.defining_op().filter(|(op, _)| op.num_results() == 1) {
            op.set_location(op.location().unnamed());
        }
    }
    dead::erase(&dead);
    Ok(!replaced.is_empty())
}
