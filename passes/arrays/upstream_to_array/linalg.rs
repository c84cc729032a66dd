//! Conversion of the loops of `linalg`. The loops over axes of the results become one `array.build`, and the others
//! become reductions in its body.

use super::reduction::{self, Reduction};
use super::rewriter::{Rewriter, check_effects, inlined};
use crate::analysis::edit::{is_made_in, may_stop};
use crate::arrays::shapes::index::{Index, affine, compare, sizes};
use crate::arrays::shapes::sizes::{element, replicate, spread, turned};
use mlopt_dialects::Reported;
use mlopt_dialects::affine_map::{Affine, AffineMap};
use mlopt_dialects::ir::{Attribute, Block, Builder, Dim, Op, Value};
use mlopt_dialects::ops::array::Check;
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};

/// Ops that `linalg-generalize-named-ops` does not change.
const WITHOUT_GENERIC_FORM: [Kind; 3] =
    [Kind::LinalgWinogradFilterTransform, Kind::LinalgWinogradInputTransform, Kind::LinalgWinogradOutputTransform];

pub fn convert(rewriter: &mut Rewriter, op: Op) -> Result<Option<Vec<Value>>, Reported> {
    if WITHOUT_GENERIC_FORM.contains(&op.kind()) {
        return Err(
            op.not_supported("the op has no generic form; write it with `array` ops, or as several `linalg.generic`")
        );
    }
    if op.kind() == Kind::LinalgSoftmax {
        return softmax(rewriter, op).map(Some);
    }
    if !matches!(op.kind(), Kind::LinalgGeneric | Kind::LinalgMap) {
        return Err(op.not_supported("run `linalg-generalize-named-ops` first"));
    }
    check_effects(op)?;
    let nest = Nest::of(rewriter, op)?;
    Ok(Some(match nest.in_bulk(rewriter) {
        Some(z) => vec![z],
        None => nest.element_by_element(rewriter),
    }))
}

/// Computes `exp(x - max x) / Σ exp(x - max x)` along one axis. The old elements of the result are not read.
fn softmax(rewriter: &mut Rewriter, op: Op) -> Result<Vec<Value>, Reported> {
    let (b, x) = (Builder::before(op), op.operand(0));
    let Some(z) = op.results().first().copied() else {
        return Err(op.not_supported("expected an op on tensors, found one without results"));
    };
    if !x.ty().is_differentiable() || z.ty().scalar() != x.ty().scalar() {
        return Err(op.not_supported(format!("expected floats of the same type, found {} and {}", x.ty(), z.ty())));
    }
    let axis = op.attribute("dimension").and_then(Attribute::as_i64).unwrap_or(0) as usize;
    let rank = x.ty().rank();
    let all: Vec<usize> = (0..rank).collect();
    let with_axis_first: Vec<usize> = std::iter::once(axis).chain((0..rank).filter(|&d| d != axis)).collect();
    let n = rewriter.size(b, x, axis);
    let along_axis = |kind: Kind, x: Value| {
        let reduced = b.reduce(kind, x, &[axis], None);
        turned(b, replicate(b, reduced, n), &with_axis_first, &all)
    };
    let ty = x.ty();
    let shifted = b.unary(Kind::ArithSubf, &[x, along_axis(Kind::ArrayMax, x)], ty);
    let exponential = b.unary(Kind::MathExp, &[shifted], ty);
    let z = b.unary(Kind::ArithDivf, &[exponential, along_axis(Kind::ArraySum, exponential)], ty);
    let sizes = rewriter.sizes(b, x);
    Ok(vec![rewriter.sized(z, &sizes)])
}

/// The parts of the loops.
struct Nest {
    op: Op,
    body: Block,
    inputs: Vec<Value>,
    outputs: Vec<Value>,
    /// The indexing maps, one for each operand.
    maps: Vec<AffineMap>,
    /// The loops of the axes of each result.
    results: Vec<Vec<usize>>,
    /// The loops without an axis of a result, outermost first.
    reduced: Vec<usize>,
    extents: Vec<Index>,
}

impl Nest {
    fn of(rewriter: &Rewriter, op: Op) -> Result<Nest, Reported> {
        let (operands, outputs) = (op.operands(), op.num_results());
        if outputs == 0 {
            return Err(op.not_supported("expected an op on tensors, found one without results"));
        }
        let (inputs, outputs) = operands.split_at(operands.len() - outputs);
        let maps = maps(op)?;
        let projections: Option<Vec<Vec<usize>>> = maps[inputs.len()..].iter().map(AffineMap::as_projection).collect();
        let Some(results) = projections else {
            return Err(op.not_supported("the indices of a result must be different loop indices, without arithmetic"));
        };
        let sorted = |dims: &[usize]| {
            let mut dims = dims.to_vec();
            dims.sort();
            dims
        };
        if results.iter().any(|dims| sorted(dims) != sorted(&results[0])) {
            return Err(op.not_supported("all results must be indexed by the same loops"));
        }
        let reduced: Vec<usize> = (0..maps[0].dims).filter(|d| !results[0].contains(d)).collect();
        let iterators = op.attribute("iterator_types").and_then(Attribute::as_array).unwrap_or_default();
        if let Some(d) = reduced.iter().find(|&&d| iterators.get(d).is_some_and(|i| i.to_string().contains("parallel")))
        {
            return Err(op.not_supported(format!(
                "loop {d} is parallel, so it must index an axis of a result; it indexes none"
            )));
        }
        let extents = extents(rewriter, op, &maps, &operands)?;
        let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
        let body = op.entry();
        Ok(Nest { op, body, inputs, outputs, maps, results, reduced, extents })
    }

    /// Returns the sizes of result `k`.
    fn sizes(&self, k: usize) -> Vec<Index> {
        self.results[k].iter().map(|&d| self.extents[d]).collect()
    }

    /// Returns the argument of the body for the old element of result `k`, if it is used.
    fn old(&self, k: usize) -> Option<Value> {
        let i = self.inputs.len() + k;
        let argument = (i < self.body.num_arguments()).then(|| self.body.argument(i));
        argument.filter(|a| !a.is_unused())
    }

    //===-- whole arrays at once --------------------------------------------------------------------------------===//

    /// Returns a single result that is a copy of an input or a reduction of one, as bulk ops.
    fn in_bulk(&self, rewriter: &mut Rewriter) -> Option<Value> {
        let (b, z) = (Builder::before(self.op), self.outputs[0].ty());
        if self.outputs.len() > 1 {
            return None;
        }
        let yielded = self.body.terminator()?.operand(0);
        if self.reduced.is_empty() {
            let x = self.input(yielded)?;
            let sizes = self.sizes(0);
            return match x {
                Input::Scalar(x) => Some(rewriter.filled(b, x, z, &sizes)),
                Input::Array(x, dims) => {
                    Some(rewriter.sized(spread(b, x, &dims, &self.results[0], &self.extents), &sizes))
                }
            };
        }
        let reduction = reduction::recognised(self.body, 0, self.old(0)?)?;
        let Input::Array(x, dims) = self.input(reduction.element)? else { return None };
        if dims.len() != self.extents.len() {
            return None;
        }
        let axes: Vec<usize> = (0..dims.len()).filter(|&axis| self.reduced.contains(&dims[axis])).collect();
        let left: Vec<usize> = dims.iter().copied().filter(|d| !self.reduced.contains(d)).collect();
        let sum = b.reduce(reduction.kind, x, &axes, reduction.fastmath());
        let sum = if left.is_empty() { sum } else { turned(b, sum, &left, &self.results[0]) };
        let sizes = self.sizes(0);
        Some(reduction.combined(b, self.outputs[0], rewriter.retyped(b, sum, z, &sizes)))
    }

    /// Returns the input that a value of the body is, if its position consists of loop indices, or the value if it is
    /// defined outside.
    fn input(&self, v: Value) -> Option<Input> {
        if let Some(i) = self.body.arguments().iter().position(|&a| a == v) {
            let x = *self.inputs.get(i)?;
            if !x.ty().is_tensor() {
                return Some(Input::Scalar(x));
            }
            let dims = self.maps[i].as_projection()?;
            return if dims.is_empty() {
                Some(Input::Scalar(element(Builder::before(self.op), x, &[])))
            } else {
                Some(Input::Array(x, dims))
            };
        }
        (!is_made_in(v, self.op)).then_some(Input::Scalar(v))
    }

    //===-- elementwise -----------------------------------------------------------------------------------------===//

    fn element_by_element(&self, rewriter: &mut Rewriter) -> Vec<Value> {
        let b = Builder::before(self.op);
        let mut position: Vec<Option<Value>> = vec![None; self.extents.len()];
        let order = &self.results[0];
        if order.is_empty() {
            let scalars = self.reduce(b, &mut position);
            return scalars.into_iter().zip(&self.outputs).map(|(s, z)| rewriter.retyped(b, s, z.ty(), &[])).collect();
        }
        let dims: Vec<Dim> = self.outputs[0].ty().shape();
        let run_time = dims.iter().zip(order).filter(|(d, _)| d.is_none());
        let extents: Vec<Value> = run_time.map(|(_, &d)| self.extents[d].value(b)).collect();
        let built = b.build(&dims, &extents, |b, indices| {
            for (&d, &i) in order.iter().zip(indices) {
                position[d] = Some(i);
            }
            self.reduce(b, &mut position)
        });
        let finish = |(k, z): (usize, Value)| {
            let z = turned(b, z, order, &self.results[k]);
            rewriter.sized(z, &self.sizes(k))
        };
        built.into_iter().enumerate().map(finish).collect()
    }

    /// Computes the elements of the results at one position of their loops.
    fn reduce(&self, b: Builder, position: &mut [Option<Value>]) -> Vec<Value> {
        let count = self.outputs.len();
        if self.reduced.is_empty() {
            let old = |k| self.old(k).map(|_| self.element_of(b, self.inputs.len() + k, position));
            return self.iteration(b, position, &(0..count).map(old).collect::<Vec<_>>());
        }
        let reductions: Option<Vec<Reduction>> =
            (0..count).map(|k| reduction::recognised(self.body, k, self.old(k)?)).collect();
        match reductions {
            Some(reductions) => {
                for (k, r) in reductions.iter().enumerate() {
                    reduction::without_accumulation(self.body, k, r.element);
                }
                let reduced = self.reductions(b, &reductions, &self.reduced, position);
                let all = reductions.iter().enumerate().zip(reduced);
                let combine = |((k, r), s): ((usize, &Reduction), Value)| {
                    if r.is_neutral(self.outputs[k]) {
                        return s;
                    }
                    let init = self.element_of(b, self.inputs.len() + k, position);
                    r.combined(b, init, s)
                };
                all.map(combine).collect()
            }
            None => {
                // A result whose old element is not used is also carried: its value after the last iteration is the
                // result.
                let all = (0..count).map(|k| self.element_of(b, self.inputs.len() + k, position)).collect();
                self.carried(b, &self.reduced, position, all)
            }
        }
    }

    /// Emits nested reductions over arrays of the accumulated values.
    fn reductions(
        &self,
        b: Builder,
        reductions: &[Reduction],
        loops: &[usize],
        position: &mut [Option<Value>],
    ) -> Vec<Value> {
        let [d, inner @ ..] = loops else {
            return self.iteration(b, position, &vec![None; self.outputs.len()]);
        };
        let (n, extents) = sizes(b, &[self.extents[*d]]);
        let arrays = b.build(&n, &extents, |b, i| {
            position[*d] = Some(i[0]);
            self.reductions(b, reductions, inner, position)
        });
        reductions.iter().zip(arrays).map(|(r, x)| b.reduce(r.kind, x, &[0], r.fastmath())).collect()
    }

    /// Emits the loops in order; they carry the elements of the results.
    fn carried(&self, b: Builder, loops: &[usize], position: &mut [Option<Value>], state: Vec<Value>) -> Vec<Value> {
        let [d, inner @ ..] = loops else {
            let state: Vec<Option<Value>> = state.into_iter().map(Some).collect();
            return self.iteration(b, position, &state);
        };
        b.ifold(self.extents[*d].value(b), &state, |b, i, state| {
            position[*d] = Some(i);
            self.carried(b, inner, position, state.to_vec())
        })
    }

    /// Emits the body at one position of all loops. Returns the yielded values.
    fn iteration(&self, b: Builder, position: &[Option<Value>], old: &[Option<Value>]) -> Vec<Value> {
        for inner in self.op.nested_ops().into_iter().filter(|inner| inner.kind() == Kind::LinalgIndex) {
            let d = inner.attribute("dim").and_then(Attribute::as_i64).unwrap_or(0) as usize;
            inner.replace_with([position[d].expect("inside all loops")]);
        }
        let arguments = self.body.arguments();
        for (k, argument) in arguments.iter().enumerate().filter(|(_, a)| !a.is_unused()) {
            match k.checked_sub(self.inputs.len()) {
                None => argument.replace_all_uses_with(self.element_of(b, k, position)),
                Some(k) => {
                    if let Some(old) = old[k] {
                        argument.replace_all_uses_with(old);
                    }
                }
            }
        }
        inlined(b, self.body, &[])
    }

    /// Returns the element of operand `k` at the position of the loops in its map.
    fn element_of(&self, b: Builder, k: usize, position: &[Option<Value>]) -> Value {
        let x = if k < self.inputs.len() { self.inputs[k] } else { self.outputs[k - self.inputs.len()] };
        let place: Vec<Value> = self.maps[k].results.iter().map(|e| affine(b, e, position).value(b)).collect();
        element(b, x, &place)
    }
}

enum Input {
    Scalar(Value),
    /// The array, and the loops of its axes.
    Array(Value, Vec<usize>),
}

/// Returns the indexing maps, one for each operand.
fn maps(op: Op) -> Result<Vec<AffineMap>, Reported> {
    if op.kind() == Kind::LinalgMap {
        return Ok(vec![AffineMap::identity(op.result(0).ty().rank()); op.num_operands()]);
    }
    let maps = op.attribute("indexing_maps").and_then(Attribute::as_array).unwrap_or_default();
    let maps: Option<Vec<AffineMap>> = maps.into_iter().map(Attribute::as_affine_map).collect();
    match maps {
        Some(maps) if maps.iter().all(|m| m.symbols == 0) => Ok(maps),
        _ => Err(op.not_supported("indexing maps must not have symbols")),
    }
}

/// Returns the extent of each loop: the size of an axis that it alone indexes, preferably a static one.
fn extents(rewriter: &Rewriter, op: Op, maps: &[AffineMap], operands: &[Value]) -> Result<Vec<Index>, Reported> {
    let b = Builder::before(op);
    let axes = |d: usize| {
        maps.iter().zip(operands).flat_map(move |(map, &x)| {
            let axes = map.results.iter().enumerate().filter(move |(_, e)| **e == Affine::Dim(d));
            axes.map(move |(axis, _)| (x, axis))
        })
    };
    let may_stop = may_stop(op);
    let extent = |d: usize| {
        let known = axes(d).find(|(x, axis)| x.ty().shape()[*axis].is_some());
        let (x, axis) = known.or_else(|| axes(d).next())?;
        let extent = rewriter.size(b, x, axis);
        if may_stop {
            for (y, other) in axes(d).filter(|part| *part != (x, axis) && part.0.ty().shape()[part.1].is_none()) {
                check_equal(b, d, extent, rewriter.size(b, y, other));
            }
        }
        Some(extent)
    };
    let found: Vec<Option<Index>> = (0..maps[0].dims).map(extent).collect();
    match found.iter().position(Option::is_none) {
        Some(d) => Err(op.not_supported(format!(
            "the extent of loop {d} is unknown: no axis of an operand is indexed by this loop alone"
        ))),
        None => Ok(found.into_iter().flatten().collect()),
    }
}

/// Emits a check that two axes of loop `d` have the same size.
fn check_equal(b: Builder, d: usize, first: Index, other: Index) {
    if first.is_same(other) {
        return;
    }
    let (x, y) = (first.value(b), other.value(b));
    let ok = compare(b, CmpIPredicate::Eq, first, other);
    let text = format!("axes of loop {d} must have equal sizes, found {{}} and {{}}");
    Check::create(b, ok, &[x, y], "invalid-size", &text);
}
