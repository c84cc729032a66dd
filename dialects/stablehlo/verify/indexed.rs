//! Constraints of ops that read and write at computed positions.

use super::{
    Cause, axes, axis, disjoint, has_elements, has_length, has_rank, has_sizes, is_array, is_function, is_list,
    is_position, scalar, size_agrees, sizes_agree,
};
use crate::constraints::{Verdict, Violation, ensure, ensure_by, violates};
use crate::ir::{Attribute, Dim, Type, Value, types_of};
use crate::ops::FromAttribute;
use crate::ops::stablehlo::{
    DynamicGather, DynamicSlice, DynamicUpdateSlice, Gather, GatherAttr, Scatter, ScatterAttr, TorchIndexSelect,
};

/// Checks that there is a scalar integer for each axis.
fn is_start(label: &'static str, positions: &[Value], rank: usize) -> Verdict {
    has_length(label, "start_indices", positions.len(), rank)?;
    positions.iter().try_for_each(|&start| is_position(label, ("start_indices", start)))
}

/// Checks that a part has the rank of the whole, and no greater sizes.
fn is_part(label: &'static str, name: &str, part: &[Dim], whole: Cause) -> Verdict {
    let shape = whole.1.ty().shape();
    let fits = |(&n, &limit): (&Dim, &Dim)| n.zip(limit).is_none_or(|(n, limit)| n <= limit);
    let is_inside = part.len() == shape.len() && part.iter().zip(&shape).all(fits);
    ensure_by(whole, is_inside, label, || {
        format!("the sizes of `{name}` must be at most those of {}, found {}", whole.1.ty(), sizes(part))
    })
}

/// Formats sizes: `[2, ?]`.
fn sizes(sizes: &[Dim]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|n| n.map_or("?".to_string(), |n| n.to_string())).collect();
    format!("[{}]", sizes.join(", "))
}

/// Returns the sizes in an attribute.
fn listed(label: &'static str, name: &str, list: &[i64]) -> Result<Vec<Dim>, Violation> {
    super::at_least(label, name, list, 0)?;
    Ok(list.iter().map(|&n| Some(n as usize)).collect())
}

pub fn dynamic_slice(op: DynamicSlice) -> Verdict {
    let x = op.operand().ty();
    is_start("C1", &op.start_indices(), x.rank())?;
    let sizes = listed("C2", "slice_sizes", &op.slice_sizes())?;
    is_part("C2", "slice_sizes", &sizes, ("operand", op.operand()))?;
    is_array("C3", ("result", op.result()), &sizes, x.scalar())
}

pub fn dynamic_update_slice(op: DynamicUpdateSlice) -> Verdict {
    let (x, part) = (op.operand().ty(), op.update().ty());
    is_start("C1", &op.start_indices(), x.rank())?;
    is_part("C2", "update", &part.shape(), ("operand", op.operand()))?;
    is_array("C2", ("update", op.update()), &part.shape(), x.scalar())?;
    is_array("C3", ("result", op.result()), &x.shape(), x.scalar())
}

/// The axes of a gather or a scatter, in the terms of a gather.
struct Windows {
    /// The names of the five lists, of which the first three are kept.
    names: [&'static str; 5],
    offset: Vec<usize>,
    dropped: Vec<usize>,
    batch: Vec<usize>,
    /// The axis of the indices whose elements are one position.
    vector: usize,
}

impl Windows {
    fn of_gather(attribute: Attribute, whole: Value, indices: Value, parts: Value) -> Result<Windows, Violation> {
        let Some(n) = GatherAttr::from_attribute(attribute) else {
            return violates("C1", "expected `#stablehlo.gather`");
        };
        let names = [
            "offset_dims",
            "collapsed_slice_dims",
            "operand_batching_dims",
            "start_indices_batching_dims",
            "start_index_map",
        ];
        let lists = [
            n.offset_dims,
            n.collapsed_slice_dims,
            n.operand_batching_dims,
            n.start_indices_batching_dims,
            n.start_index_map,
        ];
        Windows::of(names, lists, n.index_vector_dim, whole, indices, parts)
    }

    fn of_scatter(attribute: Attribute, whole: Value, indices: Value, parts: Value) -> Result<Windows, Violation> {
        let Some(n) = ScatterAttr::from_attribute(attribute) else {
            return violates("C1", "expected `#stablehlo.scatter`");
        };
        let names = [
            "update_window_dims",
            "inserted_window_dims",
            "input_batching_dims",
            "scatter_indices_batching_dims",
            "scatter_dims_to_operand_dims",
        ];
        let lists = [
            n.update_window_dims,
            n.inserted_window_dims,
            n.input_batching_dims,
            n.scatter_indices_batching_dims,
            n.scatter_dims_to_operand_dims,
        ];
        Windows::of(names, lists, n.index_vector_dim, whole, indices, parts)
    }

    /// Checks (C1), the lists, and (C2), the indices.
    fn of(
        names: [&'static str; 5],
        lists: [Vec<i64>; 5],
        vector: i64,
        whole: Value,
        indices: Value,
        parts: Value,
    ) -> Result<Windows, Violation> {
        let (whole, of_indices) = (whole.ty(), indices.ty());
        let ranks = [parts.ty().rank(), whole.rank(), whole.rank(), of_indices.rank(), whole.rank()];
        let mut found = Vec::new();
        for k in 0..5 {
            found.push(axes("C1", names[k], &lists[k], ranks[k])?);
        }
        let [offset, dropped, batch, batch_of_indices, indexed] =
            <[Vec<usize>; 5]>::try_from(found).expect("a list was pushed five times");
        let vector = axis("C1", "index_vector_dim", vector, of_indices.rank() + 1)?;
        ensure(offset.is_sorted(), "C1", || format!("`{}` must be sorted, found {offset:?}", names[0]))?;
        disjoint("C1", (names[1], &dropped), (names[2], &batch))?;
        disjoint("C1", (names[4], &indexed), (names[2], &batch))?;
        let kept = whole.rank() - dropped.len() - batch.len();
        has_length("C1", names[0], offset.len(), kept)?;
        has_length("C1", names[3], batch_of_indices.len(), batch.len())?;
        disjoint("C1", (names[3], &batch_of_indices), ("index_vector_dim", &[vector]))?;
        has_elements("C2", ("start_indices", indices), super::INTEGERS)?;
        let sizes = of_indices.shape();
        let length = sizes.get(vector).copied().unwrap_or(Some(1));
        ensure(length.is_some(), "C2", || format!("axis {vector} of {of_indices} must have a static size"))?;
        has_length("C2", names[4], indexed.len(), length.unwrap_or(0))?;
        for (&axis, &of) in batch.iter().zip(&batch_of_indices) {
            ensure(size_agrees(whole.shape()[axis], sizes[of]), "C2", || {
                format!("axis {axis} of {whole} and axis {of} of {of_indices} must have the same size")
            })?;
        }
        Ok(Windows { names, offset, dropped, batch, vector })
    }

    /// Checks the array of parts: its axes `offset` have the sizes of a part, the others those of the indices.
    fn has_parts(&self, label: &'static str, parts: Cause, indices: Type, part: &[Dim], element: Type) -> Verdict {
        let is_kept = |axis: &usize| !self.dropped.contains(axis) && !self.batch.contains(axis);
        let mut part = (0..part.len()).filter(is_kept).map(|axis| part[axis]);
        let mut numbering = indices.shape();
        if self.vector < numbering.len() {
            numbering.remove(self.vector);
        }
        has_rank(label, parts, numbering.len() + self.offset.len())?;
        let mut numbering = numbering.into_iter();
        let size = |axis| if self.offset.contains(&axis) { part.next() } else { numbering.next() };
        let sizes: Vec<Dim> = (0..parts.1.ty().rank()).map(size).map(Option::flatten).collect();
        is_array(label, parts, &sizes, element)
    }
}

pub fn gather(op: Gather) -> Verdict {
    let sizes = listed("C3", "slice_sizes", &op.slice_sizes())?;
    gathered(op.dimension_numbers(), op.operand(), op.start_indices(), &sizes, op.result())
}

pub fn dynamic_gather(op: DynamicGather) -> Verdict {
    let rank = op.operand().ty().rank();
    is_list("C3", ("slice_sizes", op.slice_sizes()), rank)?;
    gathered(op.dimension_numbers(), op.operand(), op.start_indices(), &vec![None; rank], op.result())
}

fn gathered(attribute: Attribute, operand: Value, indices: Value, part: &[Dim], result: Value) -> Verdict {
    let windows = Windows::of_gather(attribute, operand, indices, result)?;
    is_part("C3", "slice_sizes", part, ("operand", operand))?;
    for &axis in windows.dropped.iter().chain(&windows.batch) {
        ensure(part[axis].is_none_or(|n| n <= 1), "C3", || {
            format!("axis {axis} of the parts must have at most size 1 to be dropped, found {}", sizes(part))
        })?;
    }
    windows.has_parts("C4", ("result", result), indices.ty(), part, operand.ty().scalar())
}

pub fn torch_index_select(op: TorchIndexSelect) -> Verdict {
    let (x, indices) = (op.operand().ty(), op.index().ty());
    has_elements("C1", ("index", op.index()), super::INTEGERS)?;
    let dim = axis("C2", "dim", op.dim(), x.rank())?;
    let batch = axis("C2", "batch_dims", op.batch_dims(), dim.min(indices.rank()) + 1)?;
    ensure(sizes_agree(&x.shape()[..batch], &indices.shape()[..batch]), "C2", || {
        format!("{x} and {indices} must have the same first {batch} sizes")
    })?;
    let sizes = [&x.shape()[..dim], &indices.shape()[batch..], &x.shape()[dim + 1..]].concat();
    is_array("C3", ("result", op.result()), &sizes, x.scalar())
}

pub fn scatter(op: Scatter) -> Verdict {
    let (inputs, updates, results) = (op.inputs(), op.updates(), op.results());
    let (Some(&first), Some(&update)) = (inputs.first(), updates.first()) else {
        return violates("C1", "expected at least one array, found none");
    };
    let windows = Windows::of_scatter(op.scatter_dimension_numbers(), first, op.scatter_indices(), update)?;
    has_length("C3", "results", results.len(), inputs.len())?;
    // A part of the updates is inside of the updated array if its position is.
    let mut part = vec![Some(1); first.ty().rank()];
    let is_kept = |axis: &usize| !windows.dropped.contains(axis) && !windows.batch.contains(axis);
    for (axis, &of) in (0..part.len()).filter(is_kept).zip(&windows.offset) {
        part[axis] = update.ty().shape()[of];
    }
    is_part("C4", windows.names[0], &with_dropped(&part, &windows, first.ty()), ("inputs", first))?;
    for ((&input, &update), &result) in inputs.iter().zip(&updates).zip(&results) {
        has_sizes("C3", ("inputs", input), &first.ty().shape())?;
        windows.has_parts("C4", ("updates", update), op.scatter_indices().ty(), &part, input.ty().scalar())?;
        is_array("C5", ("results", result), &first.ty().shape(), input.ty().scalar())?;
    }
    let elements: Vec<Type> = types_of(&results).into_iter().map(scalar).collect();
    let arguments = [elements.as_slice(), &elements].concat();
    is_function("C6", "update_computation", op.update_computation(), &arguments, &elements)
}

/// Returns the sizes of a part, with those of the array in the axes that parts do not have: an array without elements
/// has parts.
fn with_dropped(part: &[Dim], windows: &Windows, whole: Type) -> Vec<Dim> {
    let is_kept = |axis: usize| !windows.dropped.contains(&axis) && !windows.batch.contains(&axis);
    let size = |(axis, n): (usize, Dim)| if is_kept(axis) { part[axis] } else { n };
    whole.shape().into_iter().enumerate().map(size).collect()
}
