//! The numbered constraints of `sweep.td`, in the order of that file.

use super::ResultKind;
use crate::constraints::{Verdict, ensure, violates};
use crate::ir::{Dim, Op, Type, Value};
use crate::ops::sweep::{Add, Join, Nest, Private, Put, Reshape, Scratch, SweepOp, Yield};
use crate::text::count;
use crate::value::Element;

/// Checks the constraints of one op.
pub fn verify(op: SweepOp) -> Verdict {
    match op {
        SweepOp::Nest(op) => nest(op),
        SweepOp::Add(op) => add(op),
        SweepOp::Put(op) => put(op),
        SweepOp::Scratch(op) => scratch(op),
        SweepOp::Join(op) => join(op),
        SweepOp::Reshape(op) => reshape(op),
        SweepOp::Private(op) => private(op),
        SweepOp::Require(_) | SweepOp::Yield(_) => Ok(()),
    }
}

/// Checks `sweep.nest`: extents, initial values; the region takes the indices and the carried values.
fn nest(op: Nest) -> Verdict {
    let (extents, inits) = (op.extents(), op.inits());
    let body = op.body();
    let index = op.context().index();
    let expected: Vec<Type> = extents.iter().map(|_| index).chain(inits.iter().map(|v| v.ty())).collect();
    let found: Vec<Type> = body.arguments().into_iter().map(Value::ty).collect();
    ensure(found == expected, "C1", || format!("region arguments must have types {expected:?}, found {found:?}"))?;

    let codes = op.kinds();
    let kinds: Vec<ResultKind> = codes.iter().filter_map(|&code| ResultKind::of(code)).collect();
    ensure(kinds.len() == codes.len() && kinds.len() == op.num_results(), "C2", || {
        let n = op.num_results();
        format!("`kinds` must have one entry for each result ({n}), each a number from 0 to 5; found {codes:?}")
    })?;
    let folds = kinds.iter().filter(|k| **k == ResultKind::Fold).count();
    ensure(folds == inits.len(), "C2", || {
        format!("expected {}, one for each result of kind Fold, found {}", count(folds, "init"), inits.len())
    })?;

    let Some(end) = body.terminator().and_then(Yield::of) else {
        return violates("C3", "the region must end in 'sweep.yield'");
    };
    ensure(end.values().len() == kinds.len(), "C3", || {
        let values = count(kinds.len(), "value");
        format!("the region must yield {values}, one for each result, found {}", end.values().len())
    })?;
    for (k, kind) in kinds.iter().enumerate() {
        let (result, yielded) = (op.result(k).ty(), end.operand(k).ty());
        let fits = match kind {
            ResultKind::Map => {
                let shape = result.shape();
                result.is_tensor()
                    && shape.len() == extents.len() + yielded.rank()
                    && shape[extents.len()..] == yielded.shape()
                    && result.scalar() == yielded.scalar()
            }
            _ => result == yielded,
        };
        ensure(fits, "C3", || format!("result #{k} ({kind:?}) must fit the yielded type {yielded}, found {result}"))?;
        ensure(!kind.is_reduction() || !result.is_tensor() && is_number(result), "C4", || {
            format!("result #{k} ({kind:?}) must be a number, found {result}")
        })?;
    }
    ensure(!op.parallel() || !kinds.iter().any(|k| !k.is_reduction()), "C6", || {
        format!("all results of a `parallel` nest must be reductions, found {kinds:?}")
    })?;
    let carried = kinds.iter().enumerate().filter(|(_, kind)| **kind == ResultKind::Fold);
    for ((k, _), init) in carried.zip(inits.iter().map(|v| v.ty())) {
        if init != op.result(k).ty() {
            let found = op.result(k).ty();
            return violates("C1", format!("result #{k} (Fold) must have the type of its init, {init}, found {found}"));
        }
    }
    if op.contraction() {
        let maps = kinds.iter().all(|k| *k == ResultKind::Map) && end.values().iter().all(|v| !v.ty().is_tensor());
        ensure(maps, "C5", || {
            format!("all results of a nest with `contraction` must be maps of numbers, found {kinds:?}")
        })?;
        ensure(
            body.ops().into_iter().any(is_sum),
            "C5",
            || "the body of a nest with `contraction` must contain a 'sweep.nest' with one sum, found none",
        )?;
    }
    Ok(())
}

/// Checks whether an op, which may not have been verified yet, is a nest with one sum.
fn is_sum(op: Op) -> bool {
    let kinds = Nest::of(op).and_then(|nest| nest.attribute("kinds")?.as_i64_array());
    kinds.is_some_and(|kinds| kinds == [ResultKind::Sum as i64])
}

/// Checks `sweep.scratch`: memory.
fn scratch(op: Scratch) -> Verdict {
    let memory = op.memory().ty();
    let float = memory.element().is_some_and(Element::is_float);
    ensure(memory.rank() == 1 && float, "C1", || {
        format!("`memory` must have one axis of floating-point numbers, found {memory}")
    })?;
    let around = op.parent_op().and_then(Nest::of).filter(|nest| nest.contraction());
    ensure(around.is_some(), "C2", || "must be in the body of a 'sweep.nest' with `contraction`")
}

/// Checks `sweep.add`: value, array, indices; a result if the array is a tensor.
fn add(op: Add) -> Verdict {
    let (value, array, indices) = (op.value().ty(), op.array().ty(), op.indices());
    let fits = (array.is_tensor() || array.is_memref())
        && is_number(array)
        && array.rank() == indices.len()
        && array.scalar() == value;
    ensure(fits, "C1", || {
        let place = count(indices.len(), "index");
        format!(
            "cannot add {value} to {array} with {place}: expected the element type of the array and an index per axis"
        )
    })?;
    let results: Vec<Type> = op.results().into_iter().map(Value::ty).collect();
    let expected: &[Type] = if array.is_tensor() { &[array] } else { &[] };
    ensure(results == expected, "C2", || format!("results must have types {expected:?}, found {results:?}"))
}

/// Checks `sweep.put`: value, array, indices.
fn put(op: Put) -> Verdict {
    let (value, array, indices) = (op.value().ty(), op.array().ty(), op.indices());
    ensure(array.rank() == indices.len() && array.scalar() == value, "C1", || {
        let place = count(indices.len(), "index");
        format!(
            "cannot put {value} into {array} with {place}: expected the element type of the array and an index per axis"
        )
    })
}

/// Checks `sweep.join`: parts, sizes; the result.
fn join(op: Join) -> Verdict {
    let z = op.z().ty();
    let shape = z.shape();
    let parts = op.parts();
    ensure(!parts.is_empty(), "C1", || "expected at least one part, found none")?;
    ensure(!shape.is_empty(), "C1", || format!("the result must have at least one axis, found {z}"))?;
    for part in parts {
        let ty = part.ty();
        let row = ty.shape();
        let row = if row.len() == shape.len() { &row[1..] } else { &row[..] };
        let agree = |(a, b): (&Dim, &Dim)| a.is_none() || b.is_none() || a == b;
        let fits = ty.scalar() == z.scalar() && row.len() + 1 == shape.len() && row.iter().zip(&shape[1..]).all(agree);
        ensure(fits, "C1", || format!("each part must be a row of {z}, or an array of such rows, found {ty}"))?;
    }
    extents("C2", z, op.sizes().len())
}

/// Checks `sweep.reshape`: x, sizes; the result.
fn reshape(op: Reshape) -> Verdict {
    let (x, z) = (op.x().ty(), op.z().ty());
    ensure(x.scalar() == z.scalar(), "C1", || {
        format!("element types must be equal, found {} and {}", x.scalar(), z.scalar())
    })?;
    extents("C2", z, op.sizes().len())
}

/// Checks `sweep.private`: base, start, stride, copies, sizes; the array.
fn private(op: Private) -> Verdict {
    let (base, z) = (op.base().ty(), op.z().ty());
    let is_bytes = base.shape() == [None] && base.scalar().is_integer(8) && base.is_contiguous_memref();
    ensure(is_bytes && z.is_contiguous_memref(), "C1", || {
        format!("expected a `memref<?xi8>` and a contiguous memref, found {base} and {z}")
    })?;
    extents("C2", z, op.sizes().len())
}

fn extents(label: &'static str, z: Type, found: usize) -> Verdict {
    let expected = z.shape().iter().filter(|d| d.is_none()).count();
    ensure(found == expected, label, || format!("expected as many extents as `?` in {z} ({expected}), found {found}"))
}

fn is_number(ty: Type) -> bool {
    !matches!(ty.element(), None | Some(Element::I1))
}
