//! The numbered constraints of `array.td`. Each op's are checked in their order: a later one may rely on an earlier one.

mod access;
mod arrange;
mod check;
mod loops;
mod reduce;
mod total;
mod vmap;

pub use check::MOST_VALUES;

use crate::ir::{Block, Dim, Op, Type, Value};
use crate::value::Element;
use crate::verify::{SymbolVerifier, Verdict, Verifier, Violation, violates, violates_by};

pub const VERIFIERS: &[Verifier] = &[
    ("array.build", loops::build),
    ("array.ifold", loops::ifold),
    ("array.fold", loops::fold),
    ("array.map_accum", loops::map_accum),
    ("array.get", access::get),
    ("array.gather", access::gather),
    ("array.scatter", access::scatter),
    ("array.one_hot", access::one_hot),
    ("array.length", access::length),
    ("array.sum", reduce::reduction),
    ("array.prod", reduce::reduction),
    ("array.max", reduce::reduction),
    ("array.min", reduce::reduction),
    ("array.argmax", reduce::search),
    ("array.argmin", reduce::search),
    ("array.replicate", arrange::replicate),
    ("array.transpose", arrange::transpose),
    ("array.reshape", arrange::reshape),
    ("array.stack", arrange::stack),
    ("array.append", arrange::append),
    ("array.slice", arrange::slice),
    ("array.reverse", arrange::reverse),
    ("array.iota", arrange::iota),
    ("array.div", total::division),
    ("array.mod", total::division),
    ("array.floor", total::floor),
    ("array.check", check::check),
    ("array.vmap", vmap::axes),
];

pub const SYMBOL_VERIFIERS: &[SymbolVerifier] = &[("array.vmap", vmap::callee)];

/// A value under its name in the `.td`; a note shows where it comes from.
type Cause = (&'static str, Value);

/// The result `z` has the type that `x` demands.
fn same(cause: Cause, label: &'static str, found: Type, expected: Type) -> Verdict {
    if found == expected {
        return Ok(());
    }
    violates_by(cause, label, format!("`z` must have type {expected}, found {found}"))
}

/// The body ends in `array.yield` of values with the types `expected`.
fn yields(label: &'static str, body: Block, expected: &[Type]) -> Verdict {
    let found = yielded(label, body)?;
    if found != expected {
        return violates(label, format!("the region must yield {}, found {}", list(expected), list(&found)));
    }
    Ok(())
}

/// The types that the body's `array.yield` yields.
fn yielded(label: &'static str, body: Block) -> Result<Vec<Type>, Violation> {
    match body.terminator().filter(|t| t.name() == "array.yield") {
        Some(terminator) => Ok(types(&terminator.operands())),
        None => Err(Violation { label, text: "the region must end in `array.yield`".into(), cause: None }),
    }
}

/// All region arguments are indices.
fn takes_indices(label: &'static str, body: Block) -> Verdict {
    match body.arguments().into_iter().find(|a| !a.ty().is_index()) {
        Some(argument) => violates(label, format!("region arguments must have type 'index', found {}", argument.ty())),
        None => Ok(()),
    }
}

/// The body ends in `array.yield` of a position in `array`; the number of its indices.
fn yields_position(label: &'static str, body: Block, array: Cause) -> Result<usize, Violation> {
    let (name, rank) = (array.0, array.1.ty().rank());
    let found = yielded(label, body)?;
    if found.is_empty() || found.len() > rank || found.iter().any(|t| !t.is_index()) {
        let text = format!("the region must yield 1 to {rank} values of type index, found {}", list(&found));
        let text =
            if rank == 0 { format!("`{name}` must have at least one axis, found {}", array.1.ty()) } else { text };
        return Err(Violation { label, text, cause: Some(array) });
    }
    Ok(found.len())
}

/// One extent operand for each `?` among `sizes`.
fn extents(label: &'static str, sizes: &[Dim], found: usize) -> Verdict {
    let dynamic = sizes.iter().filter(|d| d.is_none()).count();
    if found == dynamic {
        return Ok(());
    }
    violates(label, format!("expected {dynamic} extent operands for the `?` in {}, found {found}", shape(sizes)))
}

/// The extent `name` is there if and only if the first axis of `z` is `?`.
fn extent_of_first(cause: Cause, label: &'static str, name: &str, z: Type, given: bool) -> Verdict {
    match (z.shape()[0], given) {
        (None, false) => {
            let text = format!("the first axis of {z} is known at run time only: expected `{name}`, found none");
            violates_by(cause, label, text)
        }
        (Some(n), true) => {
            violates_by(cause, label, format!("the first axis of {z} is {n}: expected no `{name}`, found one"))
        }
        _ => Ok(()),
    }
}

/// Elements that can be added and compared.
fn numeric(cause: Cause, label: &'static str) -> Verdict {
    let ty = cause.1.ty();
    if ty.element().is_some_and(|e| e != Element::I1) {
        return Ok(());
    }
    violates_by(cause, label, format!("`{}` must have numeric elements, found {ty}", cause.0))
}

/// Calls are allowed: functions of the array language are pure, and are inlined before this could matter.
fn has_no_effects(label: &'static str, op: Op) -> Verdict {
    // Ops of this dialect and of `dual` are pure by definition, and check their own regions.
    let mut pending = op.child_ops();
    while let Some(inner) = pending.pop() {
        if inner.name() == "func.call" {
            continue;
        }
        if !inner.has_no_own_effects() {
            return violates(label, format!("the body must have no side effects, found '{}'", inner.name()));
        }
        if !inner.name().starts_with("array.") && inner.num_regions() > 0 {
            pending.extend(inner.child_ops());
        }
    }
    Ok(())
}

/// `[4, ?]`.
fn shape(sizes: &[Dim]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|d| d.map_or("?".to_string(), |n| n.to_string())).collect();
    format!("[{}]", sizes.join(", "))
}

fn types(values: &[Value]) -> Vec<Type> {
    values.iter().map(|v| v.ty()).collect()
}

/// `(f64, index)`.
fn list(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    format!("({})", types.join(", "))
}
