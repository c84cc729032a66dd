//! What the transformation leaves behind: ops that nobody uses, ops that stand there twice, sizes of arrays that are known.

use super::ops;
use super::sizes::{self, Size};
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashMap;

/// Removes dead and repeated pure ops in `root`, and traces sizes back to where they come from.
pub fn tidy(root: Op) {
    lengths(root);
    for block in root.regions().into_iter().flat_map(|r| r.blocks()) {
        share(block, &mut Vec::new());
    }
    remove_dead(root);
}

/// Erases what has results, no effects, and no use. Uses stand after definitions, so one pass backwards finds all.
fn remove_dead(root: Op) {
    for op in root.nested_ops().into_iter().rev() {
        let unused = op.num_results() > 0 && op.results().into_iter().all(Value::is_unused);
        let harmless = || op.has_no_own_effects() && op.nested_ops().into_iter().all(Op::has_no_own_effects);
        if unused && harmless() {
            op.erase();
        }
    }
}

/// The size of a computed array is that of what it was computed from, which often needs no array at all.
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

/// What makes two ops the same: names, attributes, types, and where operands come from, of the op and of those inside.
#[derive(PartialEq, Eq, Hash)]
enum Part {
    Name(String),
    Attribute(String, Attribute),
    Type(Type),
    Outside(Value),
    /// The values inside are numbered in order.
    Inside(usize),
}

/// Merges equal pure ops; `known` holds those of the blocks around, innermost last.
fn share(block: Block, known: &mut Vec<HashMap<Vec<Part>, Op>>) {
    known.push(HashMap::new());
    for op in block.ops() {
        for inner in op.regions().into_iter().flat_map(|r| r.blocks()) {
            share(inner, known);
        }
        // Of ops with regions, those that repeat are reads and writes at the same positions.
        let simple = op.num_regions() == 0 || matches!(op.kind(), Kind::ArrayGather | Kind::ArrayScatter);
        if !simple || op.num_results() == 0 || !op.is_pure() {
            continue;
        }
        let mut key = Vec::new();
        describe(op, &mut HashMap::new(), &mut key);
        match known.iter().rev().find_map(|scope| scope.get(&key)) {
            Some(first) => {
                for (old, new) in op.results().into_iter().zip(first.results()) {
                    old.replace_all_uses_with(new);
                }
                op.erase();
            }
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
    for block in op.regions().into_iter().flat_map(|r| r.blocks()) {
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

/// Whether an attribute says what would hold without it.
fn is_default(op: Op, name: &str, value: Attribute) -> bool {
    if !op.name().starts_with("array.") {
        return false;
    }
    match name {
        "axes" => value.as_i64_array().is_some_and(|axes| axes == [0]),
        "axis" => value.as_i64() == Some(0),
        "fastmath" => value.to_string() == "#arith.fastmath<none>",
        _ => false,
    }
}
