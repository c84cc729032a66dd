//! Replaces each instance of a node by the equations of the node.
//!
//! Names of streams, of parameters and of initial values get the name of the instance as a prefix: `k` of the instance
//! `x` becomes `x.k`. If a stream has several names, inside and outside of an instance, the additional ones are in the
//! attribute `stream.aliases`.
//!
//! Requires: nothing. Result: nodes without instances. Nodes that are no longer instantiated remain, because they may
//! be run.
//! ```mlir before
//! stream.node @sum(%i: f64) -> (o: f64) {
//!   %zero = arith.constant 0.0 : f64
//!   %p = stream.fby %zero, %o : f64
//!   %o = arith.addf %i, %p : f64
//!   stream.yield %o : f64
//! }
//! stream.node @f(%x: f64, %c: i1) -> (y: f64) {
//!   %s = stream.when %x, %c : f64
//!   %y = stream.instance "y" @sum(%s) : (f64) -> f64
//!   stream.yield %y : f64
//! }
//! ```
//! ```mlir after
//! stream.node @sum(%i: f64) -> (o: f64) {
//!   %zero = arith.constant 0.0 : f64
//!   %p = stream.fby %zero, %o : f64
//!   %o = arith.addf %i, %p : f64
//!   stream.yield %o : f64
//! }
//! stream.node @f(%x: f64, %c: i1) -> (y: f64) {
//!   %s = stream.when %x, %c : f64
//!   %zero = arith.constant 0.0 : f64
//!   %p = stream.fby %zero, %o : f64
//!   %o = arith.addf %s, %p : f64
//!   stream.yield %o : f64
//! } {stream.aliases = ["y.i = s", "y = y.o"]}
//! ```

use crate::streams::nodes::graph::components;
use crate::streams::nodes::names as streams;
use crate::streams::optimisers;
use mlopt_dialects::bridge::{Options, Pass, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Builder, Location, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{BTreeSet, HashMap, HashSet};

pub const PASS: Pass = Pass {
    name: "stream-inline",
    description: "Inline instances of nodes",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["arith", "array", "math", "stream"],
    run,
};

/// The maximum number of equations of a program. Nodes that instantiate each other can double the size at each level.
const MOST: usize = 1_000_000;

fn run(module: Op, _: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let nodes: Vec<Op> = module.nested_ops().into_iter().filter(|op| op.kind() == Kind::StreamNode).collect();
    nodes.iter().for_each(|&n| streams::name_inputs(n));
    let by_name: HashMap<(Op, String), Op> =
        nodes.iter().filter_map(|&n| Some(((n.module()?, n.symbol()?), n))).collect();
    let instances = |node: Op| -> Vec<(Op, Op)> {
        let callee = |i: Op| by_name.get(&(i.module()?, i.callee()?)).copied();
        let found = node.child_ops().into_iter().filter(|op| op.kind() == Kind::StreamInstance);
        found.filter_map(|i| Some((i, callee(i)?))).collect()
    };
    for &node in &nodes {
        let written: HashSet<Op> = instances(node).into_iter().map(|(i, _)| i).collect();
        let others = node.child_ops().into_iter().filter(|op| op.kind() == Kind::StreamInstance);
        for instance in others.filter(|op| !written.contains(op)) {
            optimiser(node, instance)?;
        }
    }
    let edges: Vec<(Op, Op)> = nodes.iter().flat_map(|&n| instances(n).into_iter().map(move |(_, c)| (n, c))).collect();
    let own: HashSet<Op> = edges.iter().filter(|(a, b)| a == b).map(|e| e.0).collect();
    let mut failed = None;
    let mut order = Vec::new();
    for component in components(nodes.iter().copied(), edges.iter().copied()) {
        if component.len() > 1 || own.contains(&component[0]) {
            let symbol = |n: Op| n.symbol().unwrap_or_default();
            let first = *component.iter().min_by_key(|&&n| symbol(n)).expect("a component is not empty");
            let mut diagnostic = first.error("E-RECURSION: a node must not contain an instance of itself");
            for (instance, callee) in component.iter().flat_map(|&n| instances(n)).filter(|i| component.contains(&i.1))
            {
                let around = instance.parent_op().map(symbol).unwrap_or_default();
                let text = format!("`@{around}` contains `@{}` here", symbol(callee));
                diagnostic = diagnostic.note(instance.location(), text);
            }
            failed = Some(diagnostic.emit());
        }
        order.extend(component);
    }
    if let Some(reported) = failed {
        return Err(reported);
    }
    // Callees come first, so that copied nodes contain no instances.
    let mut equations = 0;
    for node in order {
        let mut aliases = Vec::new();
        for (instance, callee) in instances(node) {
            equations += callee.child_ops().len();
            if equations > MOST {
                return Err(instance
                    .error(format!("after inlining, the program has more than {MOST} equations; use fewer instances"))
                    .emit());
            }
            inline(instance, callee, &mut aliases)?;
        }
        streams::add_aliases(node, aliases);
    }
    Ok(())
}

/// Generates the equations of an optimiser that the module does not contain.
fn optimiser(node: Op, instance: Op) -> Result<(), Reported> {
    let name = instance.callee().unwrap_or_default();
    let ty = instance.result(0).ty();
    let module = node.module().expect("a node is in a module");
    let callee = module.entry().append(optimisers::known(&name, ty.scalar(), instance));
    optimisers::lift(callee, ty)?;
    let mut aliases = Vec::new();
    inline(instance, callee, &mut aliases)?;
    callee.erase();
    streams::add_aliases(node, aliases);
    Ok(())
}

/// Replaces an instance by the equations of `callee`, which has no instances; `also` gets further names of streams.
pub fn inline(instance: Op, callee: Op, also: &mut Vec<(String, String)>) -> Result<(), Reported> {
    let body = callee.entry();
    let (equations, end) = body.split_end();
    let b = Builder::before(instance);
    let mut copies: HashMap<Value, Value> = body.arguments().into_iter().zip(instance.operands()).collect();
    let mut made = Vec::new();
    for op in equations {
        let copy = b.insert(op.clone_op());
        copies.extend(op.results().into_iter().zip(copy.results()));
        made.push(copy);
    }
    let name = instance.attribute("instance_name").and_then(|a| a.as_string()).unwrap_or_default();
    also.extend(streams::aliases(callee).into_iter().map(|(a, of)| (format!("{name}.{a}"), format!("{name}.{of}"))));
    for (input, operand) in body.arguments().into_iter().zip(instance.operands()) {
        also.extend(input.name().and_then(|input| streams::call(operand, &format!("{name}.{input}"))));
    }
    for &copy in &made {
        rename(copy, &name, instance.location());
        copy.replace_operands(|v| copies.get(&v).copied());
    }
    let results: Vec<Value> = end.operands().iter().map(|v| copies[v]).collect();
    let own = |v: Value| v.defining_op().filter(|d| d.0 == instance).map(|d| d.1);
    for k in 0..results.len() {
        // A result may be an operand, and this a result.
        let (mut v, mut steps) = (results[k], 0);
        while let Some(next) = own(v) {
            v = results[next];
            steps += 1;
            if steps > results.len() {
                return Err(circular(instance, k, also));
            }
        }
        also.extend(instance.result(k).name().and_then(|name| streams::call(v, &name)));
        instance.result(k).replace_all_uses_with(v);
    }
    instance.erase();
    Ok(())
}

/// Reports that result `k` of an instance is defined as itself, only by copies: lists those with names.
fn circular(instance: Op, k: usize, also: &[(String, String)]) -> Reported {
    let own = instance.results().into_iter().filter_map(Value::name);
    let aliases: HashMap<String, String> = also.iter().cloned().collect();
    let mut names: BTreeSet<String> = own.clone().collect();
    let leads = |name: &str| names.contains(streams::resolve(&aliases, name));
    let more: Vec<String> = aliases.keys().filter(|name| leads(name)).cloned().collect();
    names.extend(more);
    let name = instance.result(k).name().map_or_else(|| format!("result #{k}"), |name| format!("`{name}`"));
    let listed: Vec<String> = names.iter().map(|n| format!("`{n}`")).filter(|n| *n != name).collect();
    let through = if listed.is_empty() { String::new() } else { format!(", through {}", listed.join(", ")) };
    instance.error(format!("E-CAUSALITY: {name} is defined as itself{through}")).emit()
}

/// Prefixes the names of the defined streams with the name of the instance.
fn rename(copy: Op, instance: &str, caller: Location) {
    for attribute in ["param_name", "initial_name"] {
        if let Some(name) = copy.attribute(attribute).and_then(|a| a.as_string()) {
            copy.set_attribute(attribute, copy.context().string_attr(&format!("{instance}.{name}")));
        }
    }
    let names: Vec<String> =
        copy.results().iter().map(|v| v.name().map_or(String::new(), |name| format!("{instance}.{name}"))).collect();
    let mut location = copy.location().called_from(caller);
    if let Some(phrase) = location.phrase() {
        // `x + y` (in the equation of `z`), for a `z` of the node.
        const BEFORE: &str = " (in the equation of `";
        let inside = phrase.rfind(BEFORE).map_or(phrase.len(), |at| at + BEFORE.len());
        location = location.with_phrase(&format!("{}{instance}.{}", &phrase[..inside], &phrase[inside..]));
    }
    if names.iter().any(|n| !n.is_empty()) {
        location = location.named(&names.join(", "));
    }
    copy.set_location(location);
}
