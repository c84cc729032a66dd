//! Conversion of `tensor` ops. Slices and similar ops are in `slice.rs`.

use super::rewriter::{Rewriter, check_effects, inlined};
use super::{Converted, slice};
use crate::analysis::edit;
use crate::arrays::shapes::index::{self, Index, mixed};
use crate::arrays::shapes::sizes::element;
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};

/// Converts an op. Returns `None` for `tensor.empty`, which stays until the uses of its contents are known.
pub fn convert(rewriter: &mut Rewriter, op: Op) -> Result<Option<Vec<Value>>, Reported> {
    let b = Builder::before(op);
    let operands = op.operands();
    let value = match op.kind() {
        Kind::TensorEmpty => {
            let sizes = index::of_type(op.result(0).ty(), &operands);
            rewriter.sized(op.result(0), &sizes);
            return Ok(None);
        }
        Kind::TensorExtract => element(b, operands[0], &operands[1..]),
        Kind::TensorFromElements => from_elements(rewriter, op),
        Kind::TensorSplat => {
            let ty = op.result(0).ty();
            rewriter.filled(b, operands[0], ty, &index::of_type(ty, &operands[1..]))
        }
        Kind::TensorGenerate => return generate(rewriter, op).map(Some),
        Kind::TensorCast => {
            let sizes = rewriter.sizes(b, operands[0]);
            rewriter.retyped(b, operands[0], op.result(0).ty(), &sizes)
        }
        Kind::TensorDim => dim(rewriter, op),
        Kind::TensorRank => b.index(operands[0].ty().rank() as i64),
        Kind::TensorCollapseShape => collapse_shape(rewriter, op),
        Kind::TensorExpandShape => {
            let sizes = mixed(op, "static_output_shape", &mut operands[1..].iter().copied());
            rewriter.retyped(b, operands[0], op.result(0).ty(), &sizes)
        }
        Kind::TensorReshape => reshape(rewriter, op),
        Kind::TensorConcat => concat(op),
        Kind::TensorExtractSlice => slice::extract_slice(rewriter, op),
        Kind::TensorInsertSlice => slice::insert_slice(rewriter, op),
        Kind::TensorInsert => slice::insert(rewriter, op),
        Kind::TensorPad => return slice::pad(rewriter, op).map(Some),
        _ => return Err(op.not_supported("the array language has no equivalent op")),
    };
    Ok(Some(vec![value]))
}

/// Converts `tensor.from_elements`, in row-major order: a stack, reshaped.
fn from_elements(rewriter: &mut Rewriter, op: Op) -> Value {
    let (b, ty) = (Builder::before(op), op.result(0).ty());
    if op.num_operands() == 0 {
        // Any constant suffices for an array without elements.
        return b.splat(edit::zero_of(ty.scalar()), ty);
    }
    let sizes = index::of_type(ty, &[]);
    let flat = if ty.rank() == 0 { op.operand(0) } else { b.stack(&op.operands()) };
    rewriter.retyped(b, flat, ty, &sizes)
}

fn generate(rewriter: &mut Rewriter, op: Op) -> Converted {
    check_effects(op)?;
    let (b, ty) = (Builder::before(op), op.result(0).ty());
    let body = op.entry();
    if ty.rank() == 0 {
        return Ok(vec![rewriter.retyped(b, inlined(b, body, &[])[0], ty, &[])]);
    }
    let z = b.build(&ty.shape(), &op.operands(), |b, position| inlined(b, body, position))[0];
    Ok(vec![rewriter.sized(z, &index::of_type(ty, &op.operands()))])
}

/// Returns a size. If the axis is known only at run time, it is read from an array of all sizes.
fn dim(rewriter: &mut Rewriter, op: Op) -> Value {
    let (b, x) = (Builder::before(op), op.operand(0));
    let rank = x.ty().rank();
    match Index::of(op.operand(1)) {
        Index::Known(axis) if (0..rank as i64).contains(&axis) => rewriter.size(b, x, axis as usize).value(b),
        Index::Value(axis) if rank > 0 => {
            let sizes: Vec<Value> = rewriter.sizes(b, x).into_iter().map(|n| n.value(b)).collect();
            b.get(b.stack(&sizes), &[axis])
        }
        // Undefined behaviour.
        _ => b.index(0),
    }
}

fn collapse_shape(rewriter: &mut Rewriter, op: Op) -> Value {
    let (b, x) = (Builder::before(op), op.operand(0));
    let groups = op.attribute("reassociation").and_then(Attribute::as_array).unwrap_or_default();
    let product = |group: Attribute| {
        let axes = group.as_array().unwrap_or_default().into_iter().filter_map(Attribute::as_i64);
        axes.fold(Index::Known(1), |n, axis| n.multiply(b, rewriter.size(b, x, axis as usize)))
    };
    let sizes: Vec<Index> = groups.into_iter().map(product).collect();
    rewriter.retyped(b, x, op.result(0).ty(), &sizes)
}

/// Converts `tensor.reshape`. The sizes are the elements of the second operand.
fn reshape(rewriter: &mut Rewriter, op: Op) -> Value {
    let (b, ty, shape) = (Builder::before(op), op.result(0).ty(), op.operand(1));
    let size = |(axis, d): (usize, Option<usize>)| match d {
        Some(n) => Index::Known(n as i64),
        None => {
            let n = b.get(shape, &[b.index(axis as i64)]);
            let index = b.context().index();
            Index::Value(if n.ty() == index { n } else { b.unary(Kind::ArithIndexCast, &[n], index) })
        }
    };
    let sizes: Vec<Index> = ty.shape().into_iter().enumerate().map(size).collect();
    // An equal tensor type may still have another shape at run time.
    let (_, run_time) = index::sizes(b, &sizes);
    let z = b.unary(Kind::ArrayReshape, &[&[op.operand(0)], run_time.as_slice()].concat(), ty);
    rewriter.sized(z, &sizes)
}

/// Converts `tensor.concat`. Along the outermost axis it is a chain of appends; otherwise that axis is temporarily made
/// outermost.
fn concat(op: Op) -> Value {
    let b = Builder::before(op);
    let axis = op.attribute("dim").and_then(Attribute::as_i64).unwrap_or(0) as usize;
    let mut p: Vec<usize> = (0..op.result(0).ty().rank()).collect();
    p.swap(0, axis);
    let turned = |x: Value| if axis == 0 { x } else { b.transpose(x, &p) };
    let parts: Vec<Value> = op.operands().into_iter().map(turned).collect();
    let joined = parts.into_iter().reduce(|x, y| append(b, x, y));
    turned(joined.expect("verified: there is at least one operand"))
}

/// Appends two arrays. Only one of them may have the other sizes in its type.
fn append(b: Builder, x: Value, y: Value) -> Value {
    let rows: Vec<_> = x.ty().shape()[1..].iter().zip(&y.ty().shape()[1..]).map(|(m, n)| m.or(*n)).collect();
    let like = |v: Value| {
        let sizes = [&v.ty().shape()[..1], &rows].concat();
        let ty = Type::tensor(&sizes, v.ty().scalar());
        if v.ty() == ty {
            return v;
        }
        let run_time: Vec<Value> = (0..sizes.len()).filter(|&k| sizes[k].is_none()).map(|k| b.length(v, k)).collect();
        b.unary(Kind::ArrayReshape, &[&[v], run_time.as_slice()].concat(), ty)
    };
    b.append(like(x), like(y))
}
