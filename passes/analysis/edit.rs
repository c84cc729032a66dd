//! Queries and edits of ops that many passes need.

use mlopt_dialects::ir::{Attribute, Block, Dim, Op, Region, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashSet;

/// One extent of an index space: in the type, or an operand (a negative one counts as zero).
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    Known(usize),
    Value(Value),
}

impl Extent {
    /// Returns the extents with these sizes in the type; `operands` are the dynamic ones, in order.
    pub fn all(sizes: &[Dim], operands: &[Value]) -> Vec<Extent> {
        let mut operands = operands.iter();
        let mut next = || Extent::Value(*operands.next().expect("verified: one operand for each `?`"));
        sizes.iter().map(|d| d.map_or_else(&mut next, Extent::Known)).collect()
    }

    pub fn dim(self) -> Dim {
        match self {
            Extent::Known(n) => Some(n),
            Extent::Value(_) => None,
        }
    }

    pub fn operand(self) -> Option<Value> {
        match self {
            Extent::Known(_) => None,
            Extent::Value(n) => Some(n),
        }
    }
}

/// Returns the attribute of the `arith.constant` that defines a value.
pub fn constant(value: Value) -> Option<Attribute> {
    let (op, _) = value.defining_op()?;
    if op.kind() == Kind::ArithConstant { op.attribute("value") } else { None }
}

/// Returns the value of an integer constant.
pub fn known(value: Value) -> Option<i64> {
    constant(value)?.as_i64()
}

/// Returns the numbers in a constant, with a splat's number once.
pub fn numbers(value: Value) -> Option<Vec<f64>> {
    constant(value)?.distinct_numbers(value.ty())
}

/// Returns an op and all ops nested in it.
pub fn with_nested(op: Op) -> impl Iterator<Item = Op> {
    std::iter::once(op).chain(op.nested_ops())
}

/// Checks whether a value is a result of `op`, or is defined in its regions.
pub fn is_made_in(v: Value, op: Op) -> bool {
    let made = match v.block_argument() {
        Some((block, _)) => block.parent_op(),
        None => v.defining_op().map(|(made, _)| made),
    };
    std::iter::successors(made, |around| around.parent_op()).any(|around| around == op)
}

/// Returns the values from outside that the regions of an op read, in the order of their first read.
pub fn captured(op: Op) -> Vec<Value> {
    let inside: HashSet<Block> = with_nested(op).flat_map(Op::regions).flat_map(Region::blocks).collect();
    let mut seen = HashSet::new();
    let mut is_new = |v: &Value| v.block().is_none_or(|block| !inside.contains(&block)) && seen.insert(*v);
    op.nested_ops().into_iter().flat_map(Op::operands).filter(|v| is_new(v)).collect()
}

/// Returns the ops around `op`, the innermost one first.
pub fn ancestors(op: Op) -> impl Iterator<Item = Op> {
    std::iter::successors(op.parent_op(), |op| op.parent_op())
}

/// Returns the op of `block` that is `op` or contains it.
pub fn ancestor_in(op: Op, block: Block) -> Option<Op> {
    std::iter::once(op).chain(ancestors(op)).find(|around| around.block() == Some(block))
}

/// Returns the number zero of a type of scalars.
pub fn zero_of(ty: Type) -> Attribute {
    if ty.is_float() { Attribute::float(ty, 0.0) } else { Attribute::integer(ty, 0) }
}

/// Returns the values that a block passes on at its end.
pub fn yielded(block: Block) -> Vec<Value> {
    block.terminator().map(Op::operands).unwrap_or_default()
}

/// Creates a block with some of the arguments of `old`, and moves its ops.
pub fn moved(old: Block, stay: &[usize]) -> Block {
    let arguments: Vec<_> = stay.iter().map(|&k| (old.argument(k).ty(), old.argument(k).location())).collect();
    let block = Block::new(&arguments);
    stay.iter().zip(block.arguments()).for_each(|(&k, new)| old.argument(k).replace_all_uses_with(new));
    for op in old.ops() {
        block.append(op.detach());
    }
    block
}

/// Checks whether a check is allowed at the position of `op`: not in pure loops of the array language.
pub fn may_stop(op: Op) -> bool {
    ancestors(op).find(|p| p.kind().dialect() != "scf").is_some_and(|p| p.kind() == Kind::FuncFunc)
}

/// Erases unused pure ops, users before operands, so that chains are erased in one traversal.
pub fn erase_unused(block: Block) {
    for op in block.ops().into_iter().rev() {
        if op.num_results() > 0 && op.results().into_iter().all(Value::is_unused) && op.is_pure() {
            op.erase();
        } else {
            op.blocks().into_iter().for_each(erase_unused);
        }
    }
}
