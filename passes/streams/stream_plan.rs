//! Determines in which cycles each stream of a node is present, whether every cycle can be computed, and how far the
//! node looks ahead. The results are recorded in attributes.
//!
//! The attribute `stream.clock` of an equation lists the conditions under which it is computed, outermost first: `"c"`
//! for a condition that must be true, `"!c"` for one that must be false. The attribute `stream.plan` of the node is
//! `forward`, `retimed`, `waiting` or `segmented` (spec/streams.md 5.5). With the option `report=true`, remarks state
//! the properties of the node on which the plan relies.
//!
//! Requires: nodes without instances (after `stream-inline`). Preserves: the equations; only the attributes are added.
//! ```mlir before
//! stream.node @backfill(%i: f64, %bp: i1) -> (o: f64) {
//!   %a = stream.when %i, %bp : f64
//!   %p = stream.post %o : f64
//!   %b = stream.when %p, not %bp : f64
//!   %o = stream.merge %bp, %a, %b : f64
//!   stream.yield %o : f64
//! }
//! ```
//! ```mlir after
//! stream.node @backfill(%i: f64, %bp: i1) -> (o: f64) {
//!   %a = stream.when %i, %bp {stream.clock = ["bp"]} : f64
//!   %p = stream.post %o {stream.clock = []} : f64
//!   %b = stream.when %p, not %bp {stream.clock = ["!bp"]} : f64
//!   %o = stream.merge %bp, %a, %b {stream.clock = []} : f64
//!   stream.yield %o : f64
//! } {stream.plan = "segmented"}
//! ```

use crate::streams::nodes::plan::{self, Plan};
use crate::streams::{EquationKind, Graph};
use mlopt_dialects::bridge::names::{self, SourcePosition};
use mlopt_dialects::bridge::{Options, Pass, PassOption};
use mlopt_dialects::diagnostics::{Reported, captured_at};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::stream::{CLOCK, PLAN};
use std::collections::HashSet;

pub const PASS: Pass = Pass {
    name: "stream-plan",
    description: "Infer clocks and the plan of reactive nodes",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::flag("report", "Report in remarks the assumptions of each plan")],
    dialects: &["stream"],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let nodes = module.nested_ops().into_iter().filter(|op| op.kind() == Kind::StreamNode);
    let mut failed = None;
    // An invalid equation is invalid in each node that instantiates its own; it is reported once.
    let mut places: HashSet<SourcePosition> = HashSet::new();
    for node in nodes {
        let (outcome, said) = captured_at(node.context(), || annotate(node));
        match outcome {
            Ok((graph, plan)) if options.bool("report") => relies_on(&graph, &plan),
            Ok(_) => {}
            Err(_) => {
                let said: Vec<Option<SourcePosition>> = said.into_iter().map(|message| message.head.place).collect();
                let is_known = said.iter().all(|p| p.as_ref().is_some_and(|p| places.contains(p)));
                places.extend(said.into_iter().flatten());
                failed = if is_known { failed } else { annotate(node).err() };
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

fn annotate(node: Op) -> Result<(Graph, Plan), Reported> {
    let (graph, clocks, plan) = plan::analysed(node)?;
    let context = node.context();
    for v in graph.vars().filter(|&v| !matches!(graph.kind(v), EquationKind::Input | EquationKind::Literal)) {
        let levels = clocks.levels(clocks.of(v)).into_iter();
        let levels = levels.map(|l| format!("{}{}", if l.holds { "" } else { "!" }, graph.label(l.condition)));
        graph.op(v).set_attribute(CLOCK, context.strings_attr(levels));
    }
    node.set_attribute(PLAN, context.string_attr(plan.class.name()));
    Ok((graph, plan))
}

/// Emits remarks about the assumptions of a plan.
fn relies_on(graph: &Graph, plan: &Plan) {
    for b in &plan.breaks {
        let condition = graph.name(b.when.condition);
        let value = if b.when.holds { "true" } else { "false" };
        let names = graph.names(&b.streams);
        let text =
            format!("the plan assumes that {condition} is repeatedly {value}, which ends the recurrence of {names}");
        let _said = graph.op(b.streams[0]).remark(text).emit();
    }
}
