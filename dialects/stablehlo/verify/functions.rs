//! Constraints of reductions and other ops whose regions are functions of scalars, and of sorting.

use super::{
    BOOLEANS, COMPLEX, axes, axis, has_elements, has_length, has_sizes, has_type, is_array, is_function, list, scalar,
};
use crate::constraints::{Verdict, ensure, violates};
use crate::ir::{Block, Dim, Type, Value, types_of};
use crate::ops::chlo::TopK;
use crate::ops::stablehlo::{Map, Reduce, Sort};

/// Checks (C1), arrays of the same sizes, and scalars with elements of the same types.
pub fn reduced(inputs: &[Value], inits: &[Value], results: &[Value]) -> Verdict {
    let Some(first) = inputs.first() else { return violates("C1", "expected at least one array, found none") };
    has_length("C1", "results", results.len(), inputs.len())?;
    for (&input, &init) in inputs.iter().zip(inits) {
        has_sizes("C1", ("inputs", input), &first.ty().shape())?;
        has_type("C1", ("init_values", init), scalar(input.ty()))?;
    }
    Ok(())
}

/// Checks that `body` combines two elements of each of the arrays `values`.
pub fn combines(label: &'static str, name: &str, body: Block, values: &[Value]) -> Verdict {
    let elements: Vec<Type> = types_of(values).into_iter().map(scalar).collect();
    is_function(label, name, body, &[elements.as_slice(), &elements].concat(), &elements)
}

pub fn reduce(op: Reduce) -> Verdict {
    let inputs = op.inputs();
    reduced(&inputs, &op.init_values(), &op.results())?;
    let shape = inputs[0].ty().shape();
    let dims = axes("C2", "dimensions", &op.dimensions(), shape.len())?;
    let sizes: Vec<Dim> = (0..shape.len()).filter(|k| !dims.contains(k)).map(|k| shape[k]).collect();
    // The elements of the results may have another type, that of the function.
    op.results().into_iter().try_for_each(|z| has_sizes("C3", ("results", z), &sizes))?;
    combines("C4", "body", op.body(), &op.results())
}

pub fn sort(op: Sort) -> Verdict {
    let (inputs, results) = (op.inputs(), op.results());
    let Some(first) = inputs.first() else { return violates("C1", "expected at least one array, found none") };
    let rank = first.ty().rank();
    let dimension = op.dimension();
    ensure((-(rank as i64)..rank as i64).contains(&dimension) || rank == 0, "C2", || {
        format!("`dimension` must be at least -{rank} and less than {rank}, found {dimension}")
    })?;
    has_length("C3", "results", results.len(), inputs.len())?;
    for (&input, &result) in inputs.iter().zip(&results) {
        has_sizes("C1", ("inputs", input), &first.ty().shape())?;
        has_type("C3", ("results", result), input.ty())?;
    }
    let arguments: Vec<Type> = inputs.iter().flat_map(|x| [scalar(x.ty()); 2]).collect();
    let boolean = Type::tensor(&[], first.ty().context().signless(1));
    is_function("C4", "comparator", op.comparator(), &arguments, &[boolean])
}

pub fn map(op: Map) -> Verdict {
    let inputs = op.inputs();
    let Some(first) = inputs.first() else { return violates("C1", "expected at least one array, found none") };
    let shape = first.ty().shape();
    inputs.iter().try_for_each(|&x| has_sizes("C1", ("inputs", x), &shape))?;
    let dims = op.dimensions();
    ensure(dims.iter().copied().eq(0..shape.len() as i64), "C2", || {
        format!("`dimensions` must list the axes of {} in their order, found {dims:?}", first.ty())
    })?;
    has_sizes("C3", ("result", op.result()), &shape)?;
    let arguments: Vec<Type> = inputs.iter().map(|x| scalar(x.ty())).collect();
    is_function("C4", "computation", op.computation(), &arguments, &[scalar(op.result().ty())])
}

pub fn top_k(op: TopK) -> Verdict {
    let x = op.operand().ty();
    has_elements("C1", ("operand", op.operand()), super::ALL & !BOOLEANS & !COMPLEX)?;
    let mut sizes = x.shape();
    let Some(last) = sizes.last_mut() else {
        return violates("C2", format!("`operand` must have an axis, found {}", list(&[x])));
    };
    let greatest = last.map_or(i64::MAX as usize, |n| n) + 1;
    *last = Some(axis("C2", "k", op.k(), greatest)?);
    is_array("C3", ("values", op.values()), &sizes, x.scalar())?;
    is_array("C3", ("indices", op.indices()), &sizes, x.context().signless(32))
}
