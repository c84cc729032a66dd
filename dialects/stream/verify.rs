//! The numbered constraints of `stream.td`, in the order of that file.

use super::{BOUNDARY, OPTIMISERS, SEGMENT_CONSTANT, strings};
use crate::constraints::{Verdict, ensure, violates};
use crate::ir::{Lookup, Op, Type, types_of};
use crate::ops::stream::{Div, Instance, Node, StreamOp, Yield};
use crate::ops::{HasKind, Kind};
use crate::text::count;
use std::collections::HashSet;

/// Checks the constraints of one op that depend on the op alone.
pub fn verify(op: StreamOp) -> Verdict {
    use StreamOp::*;
    match op {
        Node(op) => node(op),
        Div(op) => div(op),
        Constant(_) | Fby(_) | Initial(_) | Instance(_) | Merge(_) | Param(_) | Post(_) | Select(_) | When(_)
        | Yield(_) => Ok(()),
    }
}

/// Checks the constraints of the symbols to which an op refers.
pub fn verify_symbols(op: StreamOp, lookup: Lookup) -> Verdict {
    match op {
        StreamOp::Instance(op) => instance(op, lookup),
        _ => Ok(()),
    }
}

fn is_name(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the types of the inputs and of the outputs of a node.
fn signature(node: Op) -> (Vec<Type>, Vec<Type>) {
    node.function_type().unwrap_or_default()
}

/// Checks `stream.node`: names, types, and its terminator.
fn node(op: Node) -> Verdict {
    let (inputs, outputs) = signature(*op);
    let mut seen = HashSet::new();
    for (what, attribute, types) in [("input", "inputs", &inputs), ("output", "outputs", &outputs)] {
        let names = strings(*op, attribute);
        ensure(names.len() == types.len(), "C1", || {
            format!("expected {} in `{attribute}`, found {}", count(types.len(), "name"), names.len())
        })?;
        for name in names {
            ensure(is_name(&name), "C1", || {
                let expected = "must consist of letters, digits and `_`, and must not begin with a digit";
                format!("the name of an {what} {expected}, found '{name}'")
            })?;
            ensure(seen.insert(name.clone()), "C1", || {
                format!("inputs and outputs must have different names, found '{name}' twice")
            })?;
        }
    }
    let body = op.body();
    let found = types_of(&body.arguments());
    ensure(found == inputs, "C2", || format!("region arguments must have types {inputs:?}, found {found:?}"))?;
    let Some(end) = body.terminator().and_then(Yield::of) else {
        return violates("C3", "the region must end in 'stream.yield'");
    };
    let found = types_of(&end.operands());
    ensure(found == outputs, "C3", || format!("the region must yield values of types {outputs:?}, found {found:?}"))?;
    let mut seen = HashSet::new();
    for op in body.ops() {
        let attribute = match op.kind() {
            Kind::StreamParam => "param_name",
            Kind::StreamInitial => "initial_name",
            Kind::StreamInstance => "instance_name",
            _ => continue,
        };
        // The ops of the body are verified after the node: one without a name is reported then.
        let Some(name) = op.attribute(attribute).and_then(|a| a.as_string()) else { continue };
        ensure(seen.insert(name.clone()), "C4", || {
            format!("parameters, initial values and instances must have different names, found '{name}' twice")
        })?;
    }
    promises(*op, &inputs)
}

/// Checks the assumptions about inputs.
fn promises(node: Op, types: &[Type]) -> Verdict {
    let inputs = strings(node, "inputs");
    let named = |attribute: &str| node.attribute(attribute).map(|a| (attribute.to_string(), a));
    let (boundary, constant) = (named(BOUNDARY), named(SEGMENT_CONSTANT));
    if let (None, Some((attribute, _))) = (&boundary, &constant) {
        let text = format!("requires `{BOUNDARY}`, the name of the input that ends sequences; found none");
        return violates("C5", format!("the attribute `{attribute}` {text}"));
    }
    for (attribute, value) in boundary.into_iter().chain(constant) {
        let listed = value.as_array().map(|all| all.into_iter().map(|a| a.as_string()).collect());
        let names: Option<Vec<String>> = match attribute == BOUNDARY {
            true => value.as_string().map(|name| vec![name]),
            false => listed.unwrap_or(None),
        };
        let Some(names) = names else {
            let expected = if attribute == BOUNDARY { "the name of an input" } else { "names of inputs" };
            return violates("C5", format!("the attribute `{attribute}` must be {expected}, found {value}"));
        };
        for name in names {
            match inputs.iter().position(|i| *i == name).and_then(|k| types.get(k)) {
                Some(ty) if ty.is_integer(1) => {}
                Some(ty) => {
                    let input = format!("the input '{name}', which the attribute `{attribute}` names");
                    return violates("C5", format!("{input}, must have type i1, found {ty}"));
                }
                None => {
                    let text = format!("the attribute `{attribute}` must name an input of this node, found '{name}'");
                    return violates("C5", text);
                }
            }
        }
    }
    Ok(())
}

/// Checks `stream.instance`: the node exists, and has that type.
fn instance(op: Instance, lookup: Lookup) -> Verdict {
    let name = op.callee().0;
    let found = lookup(&name);
    let (inputs, outputs) = match found.filter(|n| n.kind() == Kind::StreamNode) {
        Some(node) => signature(node),
        None if found.is_none() && OPTIMISERS.contains(&name.as_str()) => return optimiser(*op, &name),
        None => {
            let text = format!("there is no node `@{name}` in this module; define it, or correct `callee`");
            return violates("C1", text);
        }
    };
    for (what, expected, found) in [("operands", inputs, op.operands()), ("results", outputs, op.results())] {
        let found = types_of(&found);
        ensure(found == expected, "C2", || format!("{what} must have types {expected:?}, found {found:?}"))?;
    }
    Ok(())
}

/// Checks an instance of a built-in optimiser.
fn optimiser(op: Op, name: &str) -> Verdict {
    let [operands, results] = [op.operands(), op.results()].map(|all| types_of(&all));
    let is_one = |ty: Type| {
        ty.is_differentiable() && operands == [ty, ty, ty.scalar()] && results == [ty] && !ty.shape().contains(&None)
    };
    if operands.first().is_some_and(|&ty| is_one(ty)) {
        return Ok(());
    }
    let what = "must be `(T, T, e) -> T`, where `e` is a float type, and `T` is `e` or a tensor of `e` of static sizes";
    violates("C2", format!("the type of the optimiser `@{name}` {what}, found {operands:?} -> {results:?}"))
}

/// Checks `stream.div`: integers.
fn div(op: Div) -> Verdict {
    let ty = op.a().ty();
    ensure(!ty.is_differentiable() && !ty.scalar().is_integer(1), "C1", || {
        format!("the operands must be integers, wider than one bit, found {ty}")
    })
}
