//! Evaluation of ops without regions: reads their attributes and sizes, computes their results, and counts their work.

use super::{Outcome, Shared, index, indices, scalar, sizes, tensor};
use crate::array::eval as arrays;
use crate::ir::Op;
use crate::limits::allocatable;
use crate::ops::array::ArrayOp;
use crate::ops::{HasKind, Kind};
use crate::value::Array;

/// Returns the value of an op with one result and no region.
pub fn evaluate(op: Op, x: &[Shared]) -> Outcome<Array> {
    if let Some(op) = ArrayOp::of(op) {
        return array(op, x);
    }
    match op.kind() {
        Kind::ArithConstant | Kind::StreamConstant => {
            let ty = op.result(0).ty();
            allocatable(&sizes(&ty.shape(), &[]))?;
            let value = op.attribute("value").and_then(|a| a.as_array_value(ty));
            let text = || format!("not supported: a constant of type {ty}; expected a `dense` or scalar constant");
            Ok(value.ok_or_else(text)?)
        }
        Kind::DualZero | Kind::DualOne => {
            let ty = op.result(0).ty();
            let shape = sizes(&ty.shape(), &[]);
            allocatable(&shape)?;
            let x = if op.kind() == Kind::DualOne { 1.0 } else { 0.0 };
            Ok(arrays::filled(ty.element().ok_or(tensor::OUTSIDE)?, &shape, x))
        }
        Kind::DualStopGradient => Ok(Array::clone(&x[0])),
        Kind::StreamDiv => crate::stream::eval::div(&x[0], &x[1]),
        _ if op.name().starts_with("tensor.") => tensor::evaluate(op, x),
        _ => scalar::evaluate(op, x),
    }
}

fn array(op: ArrayOp, x: &[Shared]) -> Outcome<Array> {
    use ArrayOp::*;
    let ty = || op.result(0).ty();
    Ok(match op {
        Get(_) => arrays::get(&x[0], &indices(&x[1..])),
        Length(op) => Array::index(x[0].shape()[op.axis() as usize] as i64),
        Sum(op) => arrays::sum(&x[0], &numbers(&op.axes())),
        Prod(op) => arrays::prod(&x[0], &numbers(&op.axes())),
        Max(op) => arrays::max(&x[0], &numbers(&op.axes())),
        Min(op) => arrays::min(&x[0], &numbers(&op.axes())),
        Argmax(op) => arrays::argmax(&x[0], op.axis() as usize),
        Argmin(op) => arrays::argmin(&x[0], op.axis() as usize),
        Replicate(_) => {
            let n = sizes(&ty().shape()[..1], &x[1..])[0];
            allocatable(&[&[n], x[0].shape()].concat())?;
            arrays::replicate(n, &x[0])
        }
        Transpose(op) => arrays::transpose(&x[0], &numbers(&op.permutation())),
        Reshape(_) => {
            let shape = sizes(&ty().shape(), &x[1..]);
            allocatable(&shape)?;
            arrays::reshape(&x[0], &shape)?
        }
        Stack(_) => arrays::stack(x[0].element(), &[x.len()], x[0].shape(), x)?,
        Append(_) => arrays::append(&x[0], &x[1])?,
        Slice(_) => {
            let n = sizes(&ty().shape()[..1], &x[2..])[0];
            allocatable(&[&[n], &x[0].shape()[1..]].concat())?;
            arrays::slice(&x[0], index(&x[1]), n)
        }
        Reverse(_) => arrays::reverse(&x[0]),
        Iota(_) => {
            let n = sizes(&ty().shape(), x)[0];
            allocatable(&[n])?;
            arrays::iota(n)
        }
        OneHot(_) => {
            let k = ty().rank() - x[0].rank();
            let leading = sizes(&ty().shape()[..k], &x[k + 1..]);
            allocatable(&[leading.as_slice(), x[0].shape()].concat())?;
            arrays::one_hot(&x[0], &indices(&x[1..k + 1]), &leading)
        }
        Div(_) => arrays::div(&x[0], &x[1])?,
        Mod(_) => arrays::modulo(&x[0], &x[1])?,
        Floor(_) => arrays::floor(&x[0], ty().element().ok_or(tensor::OUTSIDE)?),
        // The evaluator runs these itself: it has their regions, callees and terminators.
        Build(_) | Ifold(_) | Fold(_) | MapAccum(_) | Gather(_) | Scatter(_) | Vmap(_) | Check(_) | SameSize(_)
        | Yield(_) => {
            return Err("not supported: the evaluator does not implement this op".into());
        }
    })
}

/// Returns the cost of computing `z` from `x` (`spec/arrays.md` C.8): the elements that reductions read, and the
/// elements that other ops write. A one-hot also reads its part. Ops that only inspect or rename something are free.
pub fn work(op: Op, x: &[Shared], z: &Array) -> usize {
    match op.kind() {
        Kind::ArrayLength | Kind::ArithConstant | Kind::DualZero | Kind::DualOne | Kind::DualStopGradient => 0,
        Kind::TensorDim | Kind::TensorRank | Kind::TensorCast | Kind::TensorEmpty => 0,
        Kind::ArraySum | Kind::ArrayProd | Kind::ArrayMax | Kind::ArrayMin | Kind::ArrayArgmax | Kind::ArrayArgmin => {
            x[0].len()
        }
        Kind::ArrayOneHot => x[0].len() + z.len(),
        _ => z.len(),
    }
}

fn numbers(axes: &[i64]) -> Vec<usize> {
    axes.iter().map(|&axis| axis as usize).collect()
}
