//! Ops without regions: here their attributes and extents are read, their meaning called and their work counted.

use super::{Outcome, Shared, index, indices, scalar, sizes, tensor};
use crate::array::eval as arrays;
use crate::ir::{Attribute, Op};
use crate::limits::allocatable;
use crate::value::Array;

/// The value of an op with one result and no region.
pub fn evaluate(op: Op, x: &[Shared]) -> Outcome<Array> {
    match op.name() {
        "arith.constant" | "stream.constant" => {
            let ty = op.result(0).ty();
            allocatable(&sizes(&ty.shape(), &[]))?;
            let value = op.attribute("value").and_then(|a| a.as_array_value(ty));
            value.ok_or_else(|| format!("a constant of type {ty} has no value here"))
        }
        "dual.zero" | "dual.one" => {
            let ty = op.result(0).ty();
            let shape = sizes(&ty.shape(), &[]);
            allocatable(&shape)?;
            let x = if op.name() == "dual.one" { 1.0 } else { 0.0 };
            Ok(arrays::filled(ty.element().expect("verified: float"), &shape, x))
        }
        "dual.stop_gradient" => Ok(Array::clone(&x[0])),
        "stream.div" => crate::stream::eval::div(&x[0], &x[1]),
        name if name.starts_with("array.") => array(op, x),
        name if name.starts_with("tensor.") => tensor::evaluate(op, x),
        _ => scalar::evaluate(op, x),
    }
}

fn array(op: Op, x: &[Shared]) -> Outcome<Array> {
    let ty = op.result(0).ty();
    Ok(match op.name() {
        "array.get" => arrays::get(&x[0], &indices(&x[1..])),
        "array.length" => Array::index(x[0].shape()[axis(op)] as i64),
        "array.sum" => arrays::sum(&x[0], &axes(op)),
        "array.prod" => arrays::prod(&x[0], &axes(op)),
        "array.max" => arrays::max(&x[0], &axes(op)),
        "array.min" => arrays::min(&x[0], &axes(op)),
        "array.argmax" => arrays::argmax(&x[0], axis(op)),
        "array.argmin" => arrays::argmin(&x[0], axis(op)),
        "array.replicate" => {
            let n = sizes(&ty.shape()[..1], &x[1..])[0];
            allocatable(&[&[n], x[0].shape()].concat())?;
            arrays::replicate(n, &x[0])
        }
        "array.transpose" => {
            let p = op.attribute("permutation").and_then(Attribute::as_i64_array).expect("verified");
            arrays::transpose(&x[0], &p.into_iter().map(|j| j as usize).collect::<Vec<_>>())
        }
        "array.reshape" => {
            let shape = sizes(&ty.shape(), &x[1..]);
            allocatable(&shape)?;
            arrays::reshape(&x[0], &shape)?
        }
        "array.stack" => arrays::stack(x[0].element(), &[x.len()], x[0].shape(), x)?,
        "array.append" => arrays::append(&x[0], &x[1])?,
        "array.slice" => {
            let n = sizes(&ty.shape()[..1], &x[2..])[0];
            allocatable(&[&[n], &x[0].shape()[1..]].concat())?;
            arrays::slice(&x[0], index(&x[1]), n)
        }
        "array.reverse" => arrays::reverse(&x[0]),
        "array.iota" => {
            let n = sizes(&ty.shape(), x)[0];
            allocatable(&[n])?;
            arrays::iota(n)
        }
        "array.one_hot" => {
            let k = ty.rank() - x[0].rank();
            let leading = sizes(&ty.shape()[..k], &x[k + 1..]);
            allocatable(&[leading.as_slice(), x[0].shape()].concat())?;
            arrays::one_hot(&x[0], &indices(&x[1..k + 1]), &leading)
        }
        "array.div" => arrays::div(&x[0], &x[1])?,
        "array.mod" => arrays::modulo(&x[0], &x[1])?,
        "array.floor" => arrays::floor(&x[0], ty.element().expect("verified: integers")),
        _ => return Err("not supported: the evaluator has no meaning for this op".into()),
    })
}

/// What `z`, computed from `x`, costs (`spec/arrays.md` C.8): the elements that are read by reductions, those that are
/// written by everything else. A one-hot also reads its part. What only says or renames something is free.
pub fn work(op: Op, x: &[Shared], z: &Array) -> usize {
    match op.name() {
        "array.length" | "arith.constant" | "dual.zero" | "dual.one" | "dual.stop_gradient" => 0,
        "tensor.dim" | "tensor.rank" | "tensor.cast" | "tensor.empty" => 0,
        "array.sum" | "array.prod" | "array.max" | "array.min" | "array.argmax" | "array.argmin" => x[0].len(),
        "array.one_hot" => x[0].len() + z.len(),
        _ => z.len(),
    }
}

fn axis(op: Op) -> usize {
    op.attribute("axis").and_then(Attribute::as_i64).unwrap_or(0) as usize
}

fn axes(op: Op) -> Vec<usize> {
    let axes = op.attribute("axes").and_then(Attribute::as_i64_array).unwrap_or_else(|| vec![0]);
    axes.into_iter().map(|axis| axis as usize).collect()
}
