//! Constraints of constants, and of ops that move elements to places that are known before the program runs.

use super::{
    ALL, BOOLEANS, at_least, axes, axis, has_elements, has_length, has_type, is_array, is_list, is_position, scalar,
    size, size_agrees,
};
use crate::constraints::{Verdict, Violation, ensure_by, violates, violates_by};
use crate::ir::{Attribute, Dim, Type, Value};
use crate::ops::stablehlo::{
    Broadcast, BroadcastInDim, Concatenate, DynamicBroadcastInDim, DynamicIota, DynamicPad, DynamicReshape,
    GetDimensionSize, Iota, Pad, RealDynamicSlice, Reshape, Reverse, SetDimensionSize, Slice, Transpose,
};

pub fn constant(value: Attribute, result: Value) -> Verdict {
    has_type("C1", ("result", result), value.ty())
}

pub fn iota(op: Iota) -> Verdict {
    numbered(op.iota_dimension(), op.result())
}

/// Checks that the elements along axis `number` can be numbers.
fn numbered(number: i64, result: Value) -> Verdict {
    has_elements("C1", ("result", result), ALL & !BOOLEANS)?;
    axis("C2", "iota_dimension", number, result.ty().rank()).map(drop)
}

pub fn dynamic_iota(op: DynamicIota) -> Verdict {
    numbered(op.iota_dimension(), op.result())?;
    is_list("C3", ("output_shape", op.output_shape()), op.result().ty().rank())
}

pub fn broadcast(op: Broadcast) -> Verdict {
    let new = op.broadcast_sizes();
    at_least("C1", "broadcast_sizes", &new, 0)?;
    let x = op.operand().ty();
    let sizes: Vec<Dim> = new.iter().map(|&n| Some(n as usize)).chain(x.shape()).collect();
    is_array("C2", ("result", op.result()), &sizes, x.scalar())
}

/// Checks that axis k of the operand, unless it has size 1, is axis `dims[k]` of the result.
fn copied(dims: &[i64], operand: Value, result: Value) -> Verdict {
    let (x, z) = (operand.ty(), result.ty());
    has_length("C1", "broadcast_dimensions", dims.len(), x.rank())?;
    let dims = axes("C2", "broadcast_dimensions", dims, z.rank())?;
    let (inner, outer) = (x.shape(), z.shape());
    for (k, &axis) in dims.iter().enumerate() {
        let fits = inner[k] == Some(1) || size_agrees(inner[k], outer[axis]);
        ensure_by(("operand", operand), fits, "C3", || {
            format!("axis {k} of {x} must have size 1 or that of axis {axis} of {z}")
        })?;
    }
    ensure_by(("result", result), x.scalar() == z.scalar(), "C3", || {
        format!("`result` must have elements of type {}, found {z}", x.scalar())
    })
}

pub fn broadcast_in_dim(op: BroadcastInDim) -> Verdict {
    copied(&op.broadcast_dimensions(), op.operand(), op.result())
}

pub fn dynamic_broadcast_in_dim(op: DynamicBroadcastInDim) -> Verdict {
    copied(&op.broadcast_dimensions(), op.operand(), op.result())?;
    is_list("C4", ("output_dimensions", op.output_dimensions()), op.result().ty().rank())
}

/// Returns the number of elements, or `None` if a size is not known or the number is too large.
fn elements(ty: Type) -> Option<u128> {
    ty.shape().into_iter().try_fold(1u128, |n, d| n.checked_mul(d? as u128))
}

/// Checks that the result has the elements of the operand.
fn rearranged(operand: Value, result: Value) -> Verdict {
    let (x, z) = (operand.ty(), result.ty());
    let known = elements(x).zip(elements(z));
    let fits = x.scalar() == z.scalar() && known.is_none_or(|(m, n)| m == n);
    ensure_by(("operand", operand), fits, "C1", || format!("`result` must have the elements of {x}, found {z}"))
}

pub fn reshape(op: Reshape) -> Verdict {
    rearranged(op.operand(), op.result())
}

pub fn dynamic_reshape(op: DynamicReshape) -> Verdict {
    rearranged(op.operand(), op.result())?;
    is_list("C2", ("output_shape", op.output_shape()), op.result().ty().rank())
}

pub fn transpose(op: Transpose) -> Verdict {
    let x = op.operand().ty();
    let permutation = op.permutation();
    has_length("C1", "permutation", permutation.len(), x.rank())?;
    let permutation = axes("C1", "permutation", &permutation, x.rank())?;
    let sizes: Vec<Dim> = permutation.iter().map(|&k| x.shape()[k]).collect();
    is_array("C2", ("result", op.result()), &sizes, x.scalar())
}

pub fn reverse(op: Reverse) -> Verdict {
    axes("C1", "dimensions", &op.dimensions(), op.operand().ty().rank())?;
    has_type("C2", ("result", op.result()), op.operand().ty())
}

pub fn concatenate(op: Concatenate) -> Verdict {
    let inputs = op.inputs();
    let Some(first) = inputs.first() else { return violates("C1", "expected at least one operand, found none") };
    let (first, shape) = (first.ty(), first.ty().shape());
    let axis = axis("C2", "dimension", op.dimension(), first.rank())?;
    let mut sum = Some(0);
    for &input in &inputs {
        let mut expected = shape.clone();
        expected[axis] = input.ty().shape().get(axis).copied().flatten();
        is_array("C1", ("inputs", input), &expected, first.scalar())?;
        sum = sum.zip(expected[axis]).map(|(sum, n)| sum + n as i128);
    }
    let mut sizes = shape;
    // Another operand may know the size of an axis that the first one does not.
    sizes[axis] = sum.map_or(Ok(None), |n| size("C3", axis, n))?;
    is_array("C3", ("result", op.result()), &sizes, first.scalar())
}

/// Checks that the padding is a scalar, and returns the operand's type.
fn has_padding(operand: Value, padding: Value) -> Result<Type, Violation> {
    let x = operand.ty();
    has_type("C1", ("padding_value", padding), scalar(x))?;
    Ok(x)
}

pub fn pad(op: Pad) -> Verdict {
    let x = has_padding(op.operand(), op.padding_value())?;
    let (low, high, interior) = (op.edge_padding_low(), op.edge_padding_high(), op.interior_padding());
    for (name, list) in [("edge_padding_low", &low), ("edge_padding_high", &high), ("interior_padding", &interior)] {
        has_length("C2", name, list.len(), x.rank())?;
    }
    at_least("C3", "interior_padding", &interior, 0)?;
    let padded = |(k, n): (usize, Dim)| {
        let Some(n) = n else { return Ok(None) };
        let between = (n as i128 - 1).max(0) * interior[k] as i128;
        size("C4", k, n as i128 + low[k] as i128 + high[k] as i128 + between)
    };
    let sizes: Vec<Dim> = x.shape().into_iter().enumerate().map(padded).collect::<Result<_, _>>()?;
    is_array("C4", ("result", op.result()), &sizes, x.scalar())
}

pub fn dynamic_pad(op: DynamicPad) -> Verdict {
    let x = has_padding(op.operand(), op.padding_value())?;
    let low = ("edge_padding_low", op.edge_padding_low());
    for list in [low, ("edge_padding_high", op.edge_padding_high()), ("interior_padding", op.interior_padding())] {
        is_list("C2", list, x.rank())?;
    }
    is_array("C3", ("result", op.result()), &vec![None; x.rank()], x.scalar())
}

pub fn slice(op: Slice) -> Verdict {
    let cause = ("operand", op.operand());
    let x = cause.1.ty();
    let (starts, limits, strides) = (op.start_indices(), op.limit_indices(), op.strides());
    for (name, list) in [("start_indices", &starts), ("limit_indices", &limits), ("strides", &strides)] {
        has_length("C1", name, list.len(), x.rank())?;
    }
    at_least("C2", "strides", &strides, 1)?;
    let mut sizes = Vec::new();
    for (k, n) in x.shape().into_iter().enumerate() {
        let (start, limit) = (starts[k], limits[k]);
        let fits = 0 <= start && start <= limit && n.is_none_or(|n| limit as u64 <= n as u64);
        if !fits {
            let text = format!("the range of axis {k} must be inside of {x}, found {start} to {limit}");
            return violates_by(cause, "C2", text);
        }
        sizes.push(Some((limit - start) as usize).map(|n| n.div_ceil(strides[k] as usize)));
    }
    is_array("C3", ("result", op.result()), &sizes, x.scalar())
}

pub fn real_dynamic_slice(op: RealDynamicSlice) -> Verdict {
    let x = op.operand().ty();
    let starts = ("start_indices", op.start_indices());
    for list in [starts, ("limit_indices", op.limit_indices()), ("strides", op.strides())] {
        is_list("C1", list, x.rank())?;
    }
    is_array("C2", ("result", op.result()), &vec![None; x.rank()], x.scalar())
}

pub fn get_dimension_size(op: GetDimensionSize) -> Verdict {
    axis("C1", "dimension", op.dimension(), op.operand().ty().rank())?;
    let z = op.result().ty();
    has_type("C2", ("result", op.result()), Type::tensor(&[], z.context().signless(32)))
}

pub fn set_dimension_size(op: SetDimensionSize) -> Verdict {
    let x = op.operand().ty();
    is_position("C1", ("size", op.size()))?;
    let axis = axis("C2", "dimension", op.dimension(), x.rank())?;
    let mut sizes = x.shape();
    sizes[axis] = None;
    is_array("C3", ("result", op.result()), &sizes, x.scalar())
}
