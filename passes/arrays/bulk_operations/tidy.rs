//! Cleanup after `bulk-operations`: removes unused ops and repeated ops, and replaces the size of a computed array by
//! the size of an argument, or the constant, that it is equal to.

use super::ops;
use super::sizes::{self, Size};
use crate::analysis::dead_code;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, Type, Value};
use mlopt_dialects::ops::{FastMath, FromAttribute, HasKind, Kind};
use std::collections::HashMap;

/// Removes dead and repeated pure ops in `root`, and replaces sizes by their origins.
pub fn tidy(root: Op) {
    lengths(root);
    // An unused op in a region would make the region differ from an equal one. Uses are after definitions, so one
    // traversal in reverse order finds all unused ops.
    root.nested_ops().into_iter().rev().filter(|op| dead_code::is_unused(*op)).for_each(Op::erase);
    root.blocks().into_iter().for_each(|block| share(block, &mut Vec::new()));
}

/// Replaces the size of a computed array by that of its operand, which often needs no array.
fn lengths(root: Op) {
    for op in root.nested_ops() {
        if op.kind() != Kind::ArrayLength {
            continue;
        }
        let (x, axis) = (op.operand(0), ops::axis(op));
        let size = sizes::of(x, axis);
        if size != Size::Of(x, axis) {
            let n = sizes::value(Builder::before(op), size);
            op.result(0).replace_all_uses_with(n);
        }
    }
}

/// The key of equality of ops: names, attributes, types, and the origins of operands, of the op and of nested ops.
#[derive(PartialEq, Eq, Hash)]
enum Part {
    Name(String),
    Attribute(String, Attribute),
    Type(Type),
    Outside(Value),
    /// A value defined inside, by its number in order.
    Inside(usize),
}

/// Merges equal pure ops; `known` contains those of the enclosing blocks, innermost last.
fn share(block: Block, known: &mut Vec<HashMap<Vec<Part>, Op>>) {
    known.push(HashMap::new());
    for op in block.ops() {
        op.blocks().into_iter().for_each(|inner| share(inner, known));
        // Of ops with regions, gathers and scatters at equal positions are the ones that repeat.
        let simple = op.num_regions() == 0 || matches!(op.kind(), Kind::ArrayGather | Kind::ArrayScatter);
        if !simple || op.num_results() == 0 || !op.is_pure() {
            continue;
        }
        let mut key = Vec::new();
        describe(op, &mut HashMap::new(), &mut key);
        match known.iter().rev().find_map(|scope| scope.get(&key)) {
            Some(first) => op.replace_with(first.results()),
            None => {
                known.last_mut().expect("just pushed").insert(key, op);
            }
        }
    }
    known.pop();
}

fn describe(op: Op, inside: &mut HashMap<Value, usize>, key: &mut Vec<Part>) {
    key.push(Part::Name(op.name().to_string()));
    key.extend(op.operands().into_iter().map(|v| inside.get(&v).map_or(Part::Outside(v), |&k| Part::Inside(k))));
    let attributes = op.attributes().into_iter().filter(|(name, value)| !is_default(op, name, *value));
    key.extend(attributes.map(|(name, value)| Part::Attribute(name, value)));
    for block in op.blocks() {
        number(&block.arguments(), inside, key);
        for inner in block.ops() {
            describe(inner, inside, key);
            number(&inner.results(), inside, key);
        }
    }
    key.extend(op.results().into_iter().map(|r| Part::Type(r.ty())));
}

fn number(values: &[Value], inside: &mut HashMap<Value, usize>, key: &mut Vec<Part>) {
    for v in values {
        inside.insert(*v, inside.len());
        key.push(Part::Type(v.ty()));
    }
}

/// Checks whether an attribute has its default value.
fn is_default(op: Op, name: &str, value: Attribute) -> bool {
    if op.kind().dialect() != "array" {
        return false;
    }
    match name {
        "axes" => value.as_i64_array().is_some_and(|axes| axes == [0]),
        "axis" => value.as_i64() == Some(0),
        "fastmath" => FastMath::from_attribute(value) == Some(FastMath::NONE),
        _ => false,
    }
}
