//! Evaluation of `tensor`, MLIR's dialect for access to arrays by position. Reads and writes out of range, which MLIR
//! leaves undefined, are reported as errors.

use super::{Outcome, Shared, Undefined, index, indices, scalar, sizes};
use crate::array::eval as arrays;
use crate::ir::{Attribute, Op};
use crate::limits::allocatable;
use crate::ops::{HasKind, Kind};
use crate::text::count;
use crate::value::{Array, Data};
use std::rc::Rc;

/// Returns the value of a `tensor` op without a region.
pub fn evaluate(op: Op, x: &[Shared]) -> Outcome<Array> {
    let ty = op.result(0).ty();
    match op.kind() {
        Kind::TensorExtract => {
            let place = inside(&indices(&x[1..]), x[0].shape())?;
            Ok(at_places(&x[0], vec![], &[place]))
        }
        Kind::TensorInsert => overwritten(&x[1], &[inside(&indices(&x[2..]), x[1].shape())?], &x[0]),
        Kind::TensorFromElements => {
            let data = x.iter().fold(Data::zeros(ty.element().ok_or(OUTSIDE)?, 0), |d, x| d.followed_by(x.data()));
            Ok(Array::new(sizes(&ty.shape(), &[]), data))
        }
        Kind::TensorSplat => {
            let shape = sizes(&ty.shape(), &x[1..]);
            allocatable(&shape)?;
            arrays::reshape(&arrays::replicate(shape.iter().product(), &x[0]), &shape)
        }
        // The contents are undefined until they are written; zeros make runs reproducible.
        Kind::TensorEmpty => {
            let shape = sizes(&ty.shape(), x);
            allocatable(&shape)?;
            Ok(Array::zeros(ty.element().ok_or(OUTSIDE)?, &shape))
        }
        Kind::TensorDim => {
            let axis = index(&x[1]);
            let size = usize::try_from(axis).ok().and_then(|axis| x[0].shape().get(axis).copied());
            let undefined =
                || format!("reads the size of axis {axis} of an array of shape {:?}, which is undefined", x[0].shape());
            Ok(size.map(|n| Array::index(n as i64)).ok_or_else(undefined)?)
        }
        Kind::TensorRank => Ok(Array::index(x[0].rank() as i64)),
        // The evaluator checks the value against the result type.
        Kind::TensorCast => Ok(Array::clone(&x[0])),
        Kind::TensorCollapseShape => {
            let groups = op.attribute("reassociation").and_then(Attribute::as_array);
            let size = |axis: Attribute| x[0].shape().get(axis.as_i64()? as usize).copied();
            let merged = |group: Attribute| group.as_array()?.into_iter().map(size).product::<Option<usize>>();
            let groups = groups.ok_or("needs the attribute `reassociation`")?;
            let shape: Option<Vec<usize>> = groups.into_iter().map(merged).collect();
            let shape = shape.ok_or("needs axes of its operand in `reassociation`, found an axis out of range")?;
            arrays::reshape(&x[0], &shape)
        }
        Kind::TensorExpandShape => {
            let shape = sizes(&ty.shape(), &x[1..]);
            arrays::reshape(&x[0], &shape)
        }
        Kind::TensorReshape => {
            let shape: Vec<usize> = scalar::integers(&x[1]).into_iter().map(|n| n.max(0) as usize).collect();
            allocatable(&shape)?;
            arrays::reshape(&x[0], &shape)
        }
        Kind::TensorExtractSlice => {
            let slice = Slice::of(op, x, 1)?;
            let places = slice.places(x[0].shape())?;
            // Only axes of static size 1 are dropped, so that the run-time sizes are in the order of the result's `?`.
            Ok(at_places(&x[0], sizes(&ty.shape(), &slice.dynamic_sizes), &places))
        }
        Kind::TensorInsertSlice => overwritten(&x[1], &Slice::of(op, x, 2)?.places(x[1].shape())?, &x[0]),
        Kind::TensorConcat => concat(op.attribute("dim").and_then(Attribute::as_i64).unwrap_or(0) as usize, x),
        _ => Err("not supported: the evaluator does not implement this op".into()),
    }
}

pub const OUTSIDE: &str = "not supported: the evaluator does not implement this element type";

/// Returns the row-major number of `position`.
pub fn inside(position: &[i64], shape: &[usize]) -> Outcome<usize> {
    let outside = || format!("accesses position {position:?} of an array of shape {shape:?}, which is undefined");
    Ok(arrays::offset(position, shape).ok_or_else(outside)?)
}

fn at_places(x: &Array, shape: Vec<usize>, places: &[usize]) -> Array {
    Array::new(shape, arrays::picked(x.data(), places))
}

/// Returns `z` with the elements of `x` at `places`.
fn overwritten(z: &Array, places: &[usize], x: &Array) -> Outcome<Array> {
    if places.len() != x.len() {
        let [written, places] = [x.len(), places.len()].map(|n| count(n, "element"));
        return Err(format!("writes {written} into a slice of {places}").into());
    }
    Ok(arrays::overwritten(z, places, x))
}

/// Static and run-time offsets, sizes and strides.
struct Slice {
    offsets: Vec<i64>,
    sizes: Vec<i64>,
    strides: Vec<i64>,
    dynamic_sizes: Vec<Shared>,
}

impl Slice {
    /// Reads a slice from `op`. The operands after the first `skip` are the run-time offsets, sizes and strides.
    fn of(op: Op, x: &[Shared], skip: usize) -> Outcome<Slice> {
        let mut dynamic = x[skip..].iter().cloned();
        let (offsets, _) = mixed(op, "static_offsets", &mut dynamic)?;
        let (sizes, dynamic_sizes) = mixed(op, "static_sizes", &mut dynamic)?;
        let (strides, _) = mixed(op, "static_strides", &mut dynamic)?;
        Ok(Slice { offsets, sizes, strides, dynamic_sizes })
    }

    /// Returns the positions of the slice's elements in an array of this shape.
    fn places(&self, shape: &[usize]) -> Outcome<Vec<usize>> {
        if let Some(size) = self.sizes.iter().find(|&&n| n < 0) {
            return Err(format!("takes a slice of negative size {size}, which is undefined").into());
        }
        let sizes: Vec<usize> = self.sizes.iter().map(|&n| n as usize).collect();
        allocatable(&sizes)?;
        arrays::positions(&sizes)
            .map(|position| {
                let start = self.offsets.iter().zip(&self.strides);
                let position = position.iter().zip(start).map(|(&i, (&o, &s))| {
                    // A sum that overflows 64 bits is outside of every array.
                    i64::try_from(o as i128 + i as i128 * s as i128).unwrap_or(-1)
                });
                inside(&position.collect::<Vec<_>>(), shape)
            })
            .collect()
    }
}

/// Returns the integers of attribute `name`, with operands for those that are known only at run time; and these
/// operands.
pub fn mixed(op: Op, name: &str, dynamic: &mut impl Iterator<Item = Shared>) -> Outcome<(Vec<i64>, Vec<Shared>)> {
    // MLIR marks a run-time entry by the minimum integer.
    let entries =
        op.attribute(name).and_then(Attribute::as_i64_array).ok_or_else(|| format!("needs the attribute `{name}`"))?;
    let count = entries.iter().filter(|&&n| n == i64::MIN).count();
    let operands: Vec<Shared> = dynamic.take(count).collect();
    let mut next = operands.iter();
    let values = entries.into_iter().map(|n| if n == i64::MIN { next.next().map(|x| index(x)) } else { Some(n) });
    let values: Option<Vec<i64>> = values.collect();
    Ok((values.ok_or_else(|| format!("needs one operand for each dynamic entry of `{name}`, found fewer"))?, operands))
}

fn concat(axis: usize, x: &[Shared]) -> Outcome<Array> {
    let mut shape = x[0].shape().to_vec();
    let others = |x: &Array| [&x.shape()[..axis], &x.shape()[axis + 1..]].concat();
    if let Some(odd) = x.iter().find(|y| others(y) != others(&x[0])) {
        let (x, odd) = (x[0].shape(), odd.shape());
        return Err(format!("needs shapes that differ in axis {axis} only, found {x:?} and {odd:?}").into());
    }
    shape[axis] = x.iter().map(|x| x.shape()[axis]).sum();
    // Along the outermost axis it is a chain of appends.
    let p = exchange(axis, shape.len());
    let mut z = arrays::transpose(&x[0], &p);
    for y in &x[1..] {
        z = arrays::append(&z, &arrays::transpose(y, &p))?;
    }
    Ok(arrays::transpose(&z, &p))
}

/// Returns the permutation of `rank` axes that exchanges the outermost with `axis`; it is its own inverse.
fn exchange(axis: usize, rank: usize) -> Vec<usize> {
    let mut p: Vec<usize> = (0..rank).collect();
    p.swap(0, axis);
    p
}

/// Returns the position in `x` of a position of the result of `tensor.pad`, as if nothing outside `x` were added.
pub fn unpadded(position: &[usize], low: &[i64]) -> Vec<i64> {
    position.iter().zip(low).map(|(&i, &l)| (i as i64).wrapping_sub(l)).collect()
}

/// Returns the sizes of `x` with `low` and `high` added at the ends of each axis.
pub fn padded(x: &Rc<Array>, low: &[i64], high: &[i64]) -> Outcome<Vec<usize>> {
    let sizes = x.shape().iter().zip(low.iter().zip(high)).map(|(&n, (&l, &h))| {
        usize::try_from(n as i128 + l as i128 + h as i128).map_err(|_| {
            Undefined::Op(format!("pads an axis of size {n} by {l} and {h}, which leaves a negative size"))
        })
    });
    sizes.collect()
}
