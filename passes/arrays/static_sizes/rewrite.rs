//! Replacement of types, operands and constants according to the known sizes and integers.

use super::facts::{Facts, is_elementwise, joined};
use super::kept;
use crate::analysis::edit::yielded;
use crate::arrays::bulk_operations::depend::first_size;
use mlopt_dialects::Reported;
use mlopt_dialects::dual::Request;
use mlopt_dialects::ir::{Block, Builder, Dim, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};

/// Sets the known sizes of every value in `function`.
pub fn rewrite(function: Op, body: Block, facts: &Facts) -> Result<(), Reported> {
    let ops = function.nested_ops();
    for op in &ops {
        if let Some(clone) = facts.callees.get(op) {
            op.set_attribute("callee", op.context().symbol_attr(&clone.symbol().unwrap_or_default()));
        }
        if facts.opaque.contains(op) {
            cast_operands(*op, facts);
            // So are the values that its regions pass to their arguments.
            op.blocks().into_iter().filter_map(Block::terminator).for_each(|end| cast_operands(end, facts));
        } else {
            drop_extents(*op, facts);
        }
    }
    body.arguments().into_iter().for_each(|v| refine(v, facts));
    for op in &ops {
        op.results().into_iter().for_each(|v| refine(v, facts));
        op.blocks().into_iter().flat_map(Block::arguments).for_each(|v| refine(v, facts));
    }
    for op in &ops {
        agree(*op)?;
        match_carried(*op);
        if let Some(clone) = facts.callees.get(op) {
            match_directions(*op, *clone)?;
        }
    }
    // Ops that constants replace are erased, users before their operands.
    for op in ops.iter().rev().filter(|op| op.kind() != Kind::ArithConstant && op.num_results() == 1) {
        let z = op.result(0);
        if let Some(n) = facts.known(z).filter(|_| z.ty().is_index()) {
            z.replace_all_uses_with(Builder::before(*op).index(n));
            op.erase();
        }
    }
    for (value, n) in body.arguments().into_iter().filter_map(|v| Some((v, facts.known(v)?))) {
        if let Some(first) = body.first_op().filter(|_| value.ty().is_index()) {
            value.replace_all_uses_with(Builder::before(first).index(n));
        }
    }
    let types = |values: Vec<Value>| values.into_iter().map(|v| v.ty()).collect::<Vec<Type>>();
    let ty = function.context().function_type(&types(body.arguments()), &types(yielded(body)));
    function.set_attribute("function_type", function.context().type_attr(ty));
    Ok(())
}

fn refine(value: Value, facts: &Facts) {
    let (old, new) = (value.ty(), facts.shape(value));
    if old.shape() != new {
        value.set_type(Type::tensor(&new, old.scalar()));
    }
}

/// Casts operands of ops whose operands must have the same sizes, or the same along some axes: the sizes known of one
/// operand hold for the others. If operands have different known sizes, the program would fail at run time.
fn agree(op: Op) -> Result<(), Reported> {
    if op.kind() == Kind::ArrayScatter {
        return agree_in_rows(op);
    }
    let operands = op.operands();
    // The operands, and the axes along which they agree.
    let (parts, axes) = match op.kind() {
        Kind::ArrayFold | Kind::ArrayMapAccum => (op.operand_segment(0).len(), 0..1),
        Kind::ArrayStack => (operands.len(), 0..operands[0].ty().rank()),
        Kind::ArrayAppend => (2, 1..operands[0].ty().rank()),
        _ if is_elementwise(op.kind()) && op.num_results() == 1 => (operands.len(), 0..op.result(0).ty().rank()),
        _ => return Ok(()),
    };
    // A scalar condition of a select has no axes.
    let arrays: Vec<(usize, Value)> =
        operands.into_iter().enumerate().take(parts).filter(|(_, x)| x.ty().rank() >= axes.end).collect();
    let Some((_, first)) = arrays.first() else { return Ok(()) };
    let mut sizes = first.ty().shape()[axes.clone()].to_vec();
    for (_, x) in &arrays {
        let shape = x.ty().shape();
        if differ(&sizes, &shape[axes.clone()]) {
            let (first, other) = (show(&first.ty().shape()), show(&shape));
            let text = format!("operands must have the same sizes along axes {:?}", axes.collect::<Vec<_>>());
            let text = format!("{text}; for the given argument sizes, their shapes are {first} and {other}");
            return Err(op.error(text).emit());
        }
        sizes = joined(sizes, &shape[axes.clone()]);
    }
    for (k, x) in arrays {
        let mut shape = x.ty().shape();
        shape[axes.clone()].copy_from_slice(&sizes);
        if shape != x.ty().shape() {
            op.set_operand(k, Builder::before(op).unary(Kind::TensorCast, &[x], Type::tensor(&shape, x.ty().scalar())));
        }
    }
    Ok(())
}

/// Casts a value that is added to rows of an array to the sizes of the rows.
fn agree_in_rows(op: Op) -> Result<(), Reported> {
    let Some(body) = op.body() else { return Ok(()) };
    let indexed = body.terminator().map_or(0, |end| end.num_operands());
    let starts = [body.num_arguments(), indexed];
    let shapes = [0, 1].map(|k| op.operand(k).ty().shape());
    let (rows, others) = (&shapes[0][starts[0]..], &shapes[1][indexed..]);
    if differ(rows, others) {
        let [x, init] = shapes.each_ref().map(|s| show(s));
        let text = "`x` and `init` must have the same row sizes";
        return Err(op.error(format!("{text}; for the given argument sizes, their shapes are {x} and {init}")).emit());
    }
    let rows = joined(rows.to_vec(), others);
    for k in [0, 1] {
        let shape = [&shapes[k][..starts[k]], &rows].concat();
        if shape != shapes[k] {
            let x = op.operand(k);
            op.set_operand(k, Builder::before(op).unary(Kind::TensorCast, &[x], Type::tensor(&shape, x.ty().scalar())));
        }
    }
    Ok(())
}

/// Checks whether two shapes have different known sizes along an axis.
fn differ(a: &[Dim], b: &[Dim]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.is_some() && b.is_some() && a != b)
}

pub(super) fn show(shape: &[Dim]) -> String {
    let size = |n: &Dim| n.map_or("?".to_string(), |n| n.to_string());
    format!("[{}]", shape.iter().map(size).collect::<Vec<_>>().join(", "))
}

/// Casts the operands or results of a loop or a branch that have different static sizes.
fn match_carried(op: Op) {
    if op.kind() == Kind::ScfWhile {
        let blocks: Vec<Block> = op.regions().into_iter().filter_map(|r| r.first_block()).collect();
        let carried: Vec<Type> = blocks[0].arguments().into_iter().map(|v| v.ty()).collect();
        carried.iter().enumerate().for_each(|(k, ty)| cast(op, k, *ty));
        let ends = blocks.iter().map(|block| block.terminator()).collect::<Vec<_>>();
        if let [Some(condition), Some(step)] = ends[..] {
            op.results().into_iter().enumerate().for_each(|(k, z)| cast(condition, k + 1, z.ty()));
            carried.iter().enumerate().for_each(|(k, ty)| cast(step, k, *ty));
        }
        return;
    }
    let inits = match op.kind() {
        Kind::ArrayIfold => 1,
        Kind::ScfFor => 3,
        Kind::ArrayFold | Kind::ArrayMapAccum => op.operand_segment(0).len(),
        Kind::ScfIf => op.num_operands(),
        _ => return,
    };
    let carried = op.num_operands() - inits;
    (0..carried).for_each(|k| cast(op, inits + k, op.result(k).ty()));
    let count = if op.kind() == Kind::ScfIf { op.num_results() } else { carried };
    for end in op.regions().into_iter().filter_map(|r| r.first_block()?.terminator()) {
        (0..count).for_each(|k| cast(end, k, op.result(k).ty()));
    }
}

/// Casts tangents and cotangents to the sizes of the arguments and results of the function, unless others were
/// declared.
fn match_directions(op: Op, clone: Op) -> Result<(), Reported> {
    let (Some(request), Some((inputs, results))) = (Request::of(op), clone.function_type()) else { return Ok(()) };
    let expected: Vec<Type> = match op.kind() {
        Kind::DualVjp => results.into_iter().filter(|t| t.is_differentiable()).collect(),
        _ => request.wrt.iter().map(|&k| inputs[k]).collect(),
    };
    let first = op.num_operands() - request.directions.len();
    let kind = if op.kind() == Kind::DualVjp { "cotangent" } else { "tangent" };
    for (k, ty) in expected.into_iter().enumerate().take(request.directions.len()) {
        let (has, wants) = (op.operand(first + k).ty().shape(), ty.shape());
        if differ(&has, &wants) {
            let (has, wants) = (show(&has), show(&wants));
            let text = "for the given argument sizes";
            return Err(op.error(format!("{text}, {kind} #{k} must have sizes {wants}, found {has}")).emit());
        }
        cast(op, first + k, ty);
    }
    Ok(())
}

/// Changes operand `k` of `user` to the type `ty`.
fn cast(user: Op, k: usize, ty: Type) {
    let x = user.operand(k);
    if x.ty() != ty {
        user.set_operand(k, Builder::before(user).unary(Kind::TensorCast, &[x], ty));
    }
}

/// Removes operands for sizes that are known.
fn drop_extents(op: Op, facts: &Facts) {
    let Some(&z) = op.results().first() else { return };
    let (old, new) = (z.ty().shape(), facts.shape(z));
    let operands = op.operands();
    let Some((_, fixed)) = first_size(op) else { return };
    let sizes = kept(&old, &new, &operands[fixed..]);
    if sizes.len() == operands.len() - fixed {
        return;
    }
    if op.kind() == Kind::ArrayOneHot {
        let segments = [1, fixed as i32 - 1, sizes.len() as i32];
        op.set_attribute("operandSegmentSizes", op.context().i32_array_attr(&segments));
    }
    op.set_operands(&[&operands[..fixed], &sizes].concat());
}

/// Casts operands back to their original types.
fn cast_operands(op: Op, facts: &Facts) {
    for (k, x) in op.operands().into_iter().enumerate() {
        if facts.shape(x) != x.ty().shape() {
            op.set_operand(k, Builder::before(op).unary(Kind::TensorCast, &[x], x.ty()));
        }
    }
}
