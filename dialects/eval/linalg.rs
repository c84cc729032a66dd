//! Evaluation of `linalg` ops on tensors, as loops. MLIR's pass `linalg-generalize-named-ops` defines the meaning of
//! named ops.

use super::{Environment, EvalError, Evaluator, Outcome, Shared, Undefined, at, tensor};
use crate::affine_map::{Affine, AffineMap};
use crate::array::eval as arrays;
use crate::ir::{Attribute, Op};
use crate::limits::allocatable;
use crate::ops::{HasKind, Kind};
use crate::value::Array;
use std::rc::Rc;

impl Evaluator<'_> {
    /// Evaluates `linalg.generic` and `linalg.map`: for every point of the loops, in row-major order, the body gets the
    /// elements to which the maps point, and the yielded values go where the maps of the outputs point.
    pub(super) fn linalg(
        &mut self,
        op: Op,
        operands: &[Shared],
        environment: &mut Environment,
    ) -> Result<Vec<Shared>, EvalError> {
        let here = |text: Undefined| at(op, text);
        let maps = maps(op).map_err(here)?;
        let extents = extents(&maps, operands).map_err(here)?;
        let body = op.body().ok_or_else(|| here("has no body".into()))?;
        let inputs = operands.len() - op.num_results();
        let mut outputs: Vec<Array> = operands[inputs..].iter().map(|x| Array::clone(x)).collect();
        for position in arrays::positions(&extents) {
            let iteration: Vec<i64> = position.iter().map(|&i| i as i64).collect();
            for (k, argument) in body.arguments().into_iter().enumerate() {
                let source = if k < inputs { &*operands[k] } else { &outputs[k - inputs] };
                let place = places(&maps[k], &iteration);
                tensor::inside(&place, source.shape()).map_err(here)?;
                environment.insert(argument, Rc::new(arrays::get(source, &place)));
            }
            self.iterations.push(iteration.clone());
            let yielded = self.block(body, environment);
            self.iterations.pop();
            for (k, x) in yielded?.into_iter().enumerate() {
                let place = tensor::inside(&places(&maps[inputs + k], &iteration), outputs[k].shape()).map_err(here)?;
                put(&mut outputs[k], place, &x).map_err(here)?;
            }
        }
        Ok(outputs.into_iter().map(Rc::new).collect())
    }

    /// Evaluates `linalg.index`: an index of the innermost loops around it.
    pub(super) fn linalg_index(&mut self, op: Op) -> Result<Vec<Shared>, EvalError> {
        let dim = op.attribute("dim").and_then(Attribute::as_i64).unwrap_or(0) as usize;
        let position = self.iterations.last().and_then(|i| i.get(dim));
        let position = position
            .ok_or_else(|| at(op, format!("needs an enclosing loop number {dim}, counted from 0, found none")))?;
        Ok(vec![Rc::new(Array::index(*position))])
    }
}

/// Evaluates `linalg.softmax`: exp(x - max x) / Σ exp(x - max x) along one axis, in `f64`. The previous contents of the
/// output do not matter.
pub(super) fn softmax(op: Op, x: &Array) -> Result<Vec<Shared>, EvalError> {
    let axis = op.attribute("dimension").and_then(Attribute::as_i64).unwrap_or(0) as usize;
    let (shape, mut z) = (x.shape(), x.to_f64());
    let (n, inner) = (shape[axis], shape[axis + 1..].iter().product::<usize>());
    for first in (0..z.len()).filter(|k| (k / inner).is_multiple_of(n)) {
        let line: Vec<usize> = (0..n).map(|k| first + k * inner).collect();
        let greatest = line.iter().fold(f64::NEG_INFINITY, |m, &k| m.max(z[k]));
        line.iter().for_each(|&k| z[k] = (z[k] - greatest).exp());
        let sum: f64 = line.iter().map(|&k| z[k]).sum();
        line.iter().for_each(|&k| z[k] /= sum);
    }
    if !x.element().is_float() {
        return Err(at(op, format!("expected floats, found {}", x.element())));
    }
    Ok(vec![Rc::new(x.with_f64(z))])
}

/// Sets z[place] = x.
fn put(z: &mut Array, place: usize, x: &Array) -> Outcome<()> {
    let element = z.element();
    crate::with_both!(z.data_mut(), x.data(), (z, x) => z[place] = x[0],
        else return Err(format!("yields {}, expected {element}", x.type_text()).into()));
    Ok(())
}

/// Returns one map for each operand.
fn maps(op: Op) -> Outcome<Vec<AffineMap>> {
    if op.kind() == Kind::LinalgMap {
        let rank = op.operand(op.num_operands() - 1).ty().rank();
        return Ok(vec![AffineMap::identity(rank); op.num_operands()]);
    }
    let maps = op.attribute("indexing_maps").and_then(Attribute::as_array).unwrap_or_default();
    let maps: Option<Vec<AffineMap>> = maps.into_iter().map(Attribute::as_affine_map).collect();
    maps.filter(|maps| maps.len() == op.num_operands()).ok_or_else(|| "needs one indexing map for each operand".into())
}

/// Returns the extent of each loop: the size of an axis whose index is this loop alone.
fn extents(maps: &[AffineMap], operands: &[Shared]) -> Outcome<Vec<usize>> {
    let dims = maps.first().map_or(0, |map| map.dims);
    let mut extents: Vec<Option<usize>> = vec![None; dims];
    for (map, x) in maps.iter().zip(operands) {
        for (result, &size) in map.results.iter().zip(x.shape()) {
            let &Affine::Dim(d) = result else { continue };
            match extents[d] {
                Some(other) if other != size => {
                    return Err(format!("axes of loop {d} must have equal sizes, found {other} and {size}").into());
                }
                _ => extents[d] = Some(size),
            }
        }
    }
    let extents: Option<Vec<usize>> = extents.into_iter().collect();
    let extents =
        extents.ok_or("needs an operand axis that determines the extent of each loop, found a loop without one")?;
    allocatable(&extents)?;
    Ok(extents)
}

fn places(map: &AffineMap, iteration: &[i64]) -> Vec<i64> {
    map.results.iter().map(|result| value(result, iteration)).collect()
}

fn value(e: &Affine, iteration: &[i64]) -> i64 {
    let binary = |a: &Affine, b: &Affine, f: fn(i64, i64) -> i64| f(value(a, iteration), value(b, iteration));
    match e {
        Affine::Dim(d) => iteration[*d],
        // `linalg` has no symbols.
        Affine::Symbol(_) => 0,
        Affine::Constant(c) => *c,
        Affine::Add(a, b) => binary(a, b, i64::wrapping_add),
        Affine::Mul(a, b) => binary(a, b, i64::wrapping_mul),
        Affine::Mod(a, b) => binary(a, b, |a, b| a.wrapping_sub(b.wrapping_mul(floor(a, b)))),
        Affine::FloorDiv(a, b) => binary(a, b, floor),
        Affine::CeilDiv(a, b) => binary(a, b, |a, b| floor(a.wrapping_neg(), b).wrapping_neg()),
    }
}

/// Returns ⌊a / b⌋; affine maps divide by positive numbers only.
fn floor(a: i64, b: i64) -> i64 {
    if b <= 0 { 0 } else { a.div_euclid(b) }
}
