//! Reads and updates at computed positions.

use super::emit::{Emit, with_scalar};
use super::reductions::{Combiner, grouped};
use super::shapes::{as_index, axes};
use super::types::Number;
use super::{Import, Parts, Result};
use crate::arrays::shapes::index::{self, Index, compare};
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::{Scatter, TorchIndexSelect};
use mlopt_dialects::ops::{CmpIPredicate, Kind};

/// Returns the lists of a record, each of which follows its length.
pub fn lists(numbers: &[i64]) -> Vec<Vec<i64>> {
    let mut found = Vec::new();
    let mut rest = numbers;
    while let Some((&n, tail)) = rest.split_first() {
        let Some((list, tail)) = tail.split_at_checked(n.max(0) as usize) else { break };
        found.push(list.to_vec());
        rest = tail;
    }
    found
}

/// The correspondence between positions in an array, in parts of it, and in an array of indices.
struct Windows {
    /// The axes of the array of parts that run over a part.
    offset: Vec<usize>,
    /// The axes of the whole array with size 1 in a part that parts do not have.
    dropped: Vec<usize>,
    /// The axes of the whole array that are batch axes, and those of the indices that correspond to them.
    batch: [Vec<usize>; 2],
    /// The axes of the whole array to which the elements of an index vector belong.
    indexed: Vec<usize>,
    /// The axis of the indices along which the vectors are.
    vector: usize,
}

impl Windows {
    /// Reads the dimension numbers of a gather or a scatter, which have the same form.
    fn of(record: Option<Attribute>) -> Windows {
        let mut numbers = record.and_then(Attribute::integers).expect("verified: the op has dimension numbers");
        let vector = numbers.pop().map_or(0, |n| n.max(0) as usize);
        let mut lists = lists(&numbers).into_iter().map(|list| axes(&list));
        let mut next = || lists.next().unwrap_or_default();
        let (offset, dropped) = (next(), next());
        let batch = [next(), next()];
        Windows { offset, dropped, batch, indexed: next(), vector }
    }

    /// Returns the axes of the whole array that parts have, in the order of `offset`.
    fn kept(&self, rank: usize) -> Vec<usize> {
        (0..rank).filter(|axis| !self.dropped.contains(axis) && !self.batch[0].contains(axis)).collect()
    }

    /// Returns the axes of the array of parts, of rank `rank`, that number the parts.
    fn numbering(&self, rank: usize) -> Vec<usize> {
        (0..rank).filter(|axis| !self.offset.contains(axis)).collect()
    }

    /// Returns the start of the part at `position`: one number for each axis of the whole array.
    fn start(&self, b: Builder, rank: usize, indices: Value, number: Number, position: &[Value]) -> Vec<Index> {
        let mut start = vec![Index::Known(0); rank];
        let places: Vec<Value> = self.numbering(position.len()).into_iter().map(|axis| position[axis]).collect();
        for (k, &axis) in self.indexed.iter().enumerate() {
            let mut place = places.clone();
            if self.vector < indices.ty().rank() {
                place.insert(self.vector.min(place.len()), b.index(k as i64));
            }
            let element = if place.is_empty() { indices } else { b.get(indices, &place) };
            start[axis] = as_index(b, element, number);
        }
        for (&axis, &of_indices) in self.batch[0].iter().zip(&self.batch[1]) {
            // The axes of the indices without that of the vectors.
            let place = of_indices - usize::from(of_indices > self.vector);
            start[axis] = Index::Value(places[place]);
        }
        start
    }

    /// Returns the axes of an array of sizes `whole` along which a window of updates, an array of these sizes, can be
    /// partly outside, with the greatest start of a window that is inside.
    fn limits(&self, b: Builder, whole: &[Index], updates: &[Index]) -> Vec<(usize, Index)> {
        let kept = self.kept(whole.len());
        let limit = |&axis: &usize| {
            let size = updates[self.offset[kept.iter().position(|&k| k == axis)?]];
            (size != Index::Known(1)).then(|| (axis, whole[axis].subtract(b, size)))
        };
        self.indexed.iter().filter_map(limit).collect()
    }

    /// Returns the number of innermost axes that are whole in every part, and innermost in the array of parts too.
    fn whole_rows(&self, shape: &[Option<usize>], size: impl Fn(usize) -> Option<usize>, rank: usize) -> usize {
        let kept = self.kept(shape.len());
        let is_whole = |t: &usize| {
            let axis = shape.len() - t;
            let moved = self.indexed.contains(&axis) || self.batch[0].contains(&axis);
            kept.len() >= *t
                && kept[kept.len() - t] == axis
                && self.offset.get(kept.len() - t) == Some(&(rank - t))
                && shape[axis].is_some()
                && size(kept.len() - t) == shape[axis]
                && !moved
        };
        (1..=shape.len().min(rank)).take_while(is_whole).count()
    }
}

impl Import {
    /// Converts a gather of `x` with parts of these sizes. Positions are limited so that parts are inside.
    pub(super) fn gather(&mut self, b: Builder, op: Op, x: Value, indices: Value, sizes: &[Index]) -> Value {
        let windows = Windows::of(op.attribute("dimension_numbers"));
        let number = Number::of(op.operand(1).ty());
        let shape = x.ty().shape();
        let rank = op.result(0).ty().rank();
        let kept = windows.kept(shape.len());
        let size = |k: usize| if let Index::Known(n) = sizes[kept[k]] { Some(n.max(0) as usize) } else { None };
        let rows = windows.whole_rows(&shape, size, rank);
        let loops = rank - rows;
        // The sizes of the result: those of the indices, and those of a part.
        let numbering = windows.numbering(rank);
        let extent = |axis: usize| match windows.offset.iter().position(|&o| o == axis) {
            Some(k) => sizes[kept[k]],
            None => {
                let place = numbering.iter().position(|&n| n == axis).expect("an axis is of one of the two kinds");
                self.sizes.size(b, indices, place + usize::from(place >= windows.vector))
            }
        };
        let all: Vec<Index> = (0..rank).map(extent).collect();
        let whole = self.sizes.sizes(b, x);
        let place = |b: Builder, position: &[Value]| -> Vec<Value> {
            let position: Vec<Value> = position.iter().copied().chain((loops..rank).map(|_| b.index(0))).collect();
            let start = windows.start(b, shape.len(), indices, number, &position);
            let axis = |axis: usize| {
                let limit = whole[axis].subtract(b, sizes[axis]);
                let limited = match (windows.indexed.contains(&axis), limit) {
                    (false, _) => start[axis],
                    (true, Index::Known(0)) => Index::Known(0),
                    (true, _) => start[axis].maximum(b, Index::Known(0)).minimum(b, limit),
                };
                match kept.iter().position(|&k| k == axis) {
                    Some(k) => limited.add(b, Index::Value(position[windows.offset[k]])).value(b),
                    None => limited.value(b),
                }
            };
            (0..shape.len() - rows).map(axis).collect()
        };
        if shape.len() == rows {
            // Every part is the whole array.
            let from: Vec<usize> = (loops..rank).collect();
            return crate::arrays::shapes::sizes::spread(b, x, &from, &(0..rank).collect::<Vec<_>>(), &all);
        }
        if loops == 0 {
            let position = place(b, &[]);
            return b.get(x, &position);
        }
        let (dims, extents) = index::sizes(b, &all[..loops]);
        let z = b.gather(x, &dims, &extents, place);
        self.sizes.sized(z, &all)
    }

    /// Converts a choice of rows, with positions that are limited so that they are inside.
    pub(super) fn index_select(&mut self, b: Builder, op: TorchIndexSelect, x: Value, indices: Value) -> Value {
        let (dim, batch) = (op.dim().max(0) as usize, op.batch_dims().max(0) as usize);
        let number = Number::of(op.index().ty());
        let (of_x, of_indices) = (self.sizes.sizes(b, x), self.sizes.sizes(b, indices));
        let sizes = [&of_x[..dim], &of_indices[batch..], &of_x[dim + 1..]].concat();
        let last = of_x[dim].subtract(b, Index::Known(1));
        let count = of_indices.len() - batch;
        let (shape, extents) = index::sizes(b, &sizes);
        let place = |b: Builder, position: &[Value]| {
            let (before, rest) = position.split_at(dim);
            let (of_indices, after) = rest.split_at(count);
            let place = [&before[..batch], of_indices].concat();
            let element = if place.is_empty() { indices } else { b.get(indices, &place) };
            let row = as_index(b, element, number).maximum(b, Index::Known(0)).minimum(b, last).value(b);
            [before, &[row], after].concat()
        };
        if sizes.is_empty() {
            let position = place(b, &[]);
            return b.get(x, &position);
        }
        let z = b.gather(x, &shape, &extents, place);
        self.sizes.sized(z, &sizes)
    }

    /// Converts a scatter.
    pub(super) fn scatter(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let scatter: Scatter = op.cast();
        let windows = Windows::of(Some(scatter.scatter_dimension_numbers()));
        let count = op.num_results();
        let operands = self.operands(op);
        let (inputs, rest) = operands.split_at(count);
        let (indices, updates) = (rest[0][0], &rest[1..]);
        let number = Number::of(scatter.scatter_indices().ty());
        let body = scatter.update_computation();
        let whole = self.sizes.sizes(b, inputs[0][0]);
        let sizes = self.sizes.sizes(b, updates[0][0]);
        let dropped = if self.xla_scatter { windows.limits(b, &whole, &sizes) } else { Vec::new() };
        let problem = Updates { windows, indices, number, shape: inputs[0][0].ty().shape(), limits: dropped };
        if problem.shape.contains(&Some(0)) || updates[0][0].ty().shape().contains(&Some(0)) {
            return Ok(inputs.to_vec());
        }
        if let (Some(combiner), [x], [update]) = (Combiner::of(body), inputs, updates) {
            let is_sum = combiner == Combiner::Add && !problem.shape.is_empty();
            if is_sum {
                let part = |(&x, &update): (&Value, &Value)| problem.added(b, x, update);
                return Ok(vec![x.iter().zip(update).map(part).collect()]);
            }
        }
        let parts = problem.windows.numbering(updates[0][0].ty().rank());
        let parts = parts.iter().map(|&axis| updates[0][0].ty().shape()[axis]).try_fold(1, |n, d| Some(n * d?));
        if (scatter.unique_indices() || parts == Some(1)) && !problem.shape.is_empty() {
            return self.scatter_once(b, body, &problem, inputs, updates);
        }
        self.scatter_in_order(b, body, &problem, inputs, updates)
    }

    /// Converts a scatter that changes every element at most once: each element finds its update.
    fn scatter_once(
        &mut self,
        b: Builder,
        body: Block,
        problem: &Updates,
        inputs: &[Parts],
        updates: &[Parts],
    ) -> Result<Vec<Parts>> {
        let e = Emit(b);
        let (x, update) = (inputs[0][0], updates[0][0]);
        let sizes = self.sizes.sizes(b, update);
        let count = sizes.iter().fold(Index::Known(1), |n, &size| n.multiply(b, size));
        let (flat, extent) = index::sizes(b, &[count]);
        // For each element 1 + the number of its update, or 0.
        let long = b.context().signless(64);
        let numbers = e.cast(Kind::ArithIndexCast, b.iota(flat[0], extent.first().copied()), long);
        let numbers = e.op(Kind::ArithAddi, &[numbers, e.integer(numbers, 1)]);
        let numbers = self.sizes.retyped(b, numbers, with_scalar(update.ty(), long), &sizes);
        let shape = self.sizes.sizes(b, x);
        let zero = b.constant(Attribute::integer(long, 0), long);
        let zeros = self.filled(b, zero, &shape);
        let found = problem.added(b, zeros, numbers);
        let is_hit = e.compare_with(CmpIPredicate::Ne, found, 0);
        let flat_updates: Vec<Parts> = updates
            .iter()
            .map(|parts| {
                let flattened = |&u: &Value| {
                    let ty = Type::tensor(&flat, u.ty().scalar());
                    self.sizes.retyped(b, u, ty, &[count])
                };
                parts.iter().map(flattened).collect()
            })
            .collect();
        let (dims, extents) = index::sizes(b, &shape);
        let read = |u: Value| {
            b.gather(u, &dims, &extents, |b, position| {
                let number = as_index(b, b.get(found, position), Number::Signed);
                vec![number.subtract(b, Index::Known(1)).value(b)]
            })
        };
        let new: Vec<Parts> = flat_updates.iter().map(|parts| parts.iter().map(|&u| read(u)).collect()).collect();
        let arguments = [inputs, new.as_slice()].concat();
        let results = self.applied(b, body, &arguments, x)?;
        let chosen = |(new, old): (&Parts, &Parts)| -> Parts {
            new.iter().zip(old).map(|(&new, &old)| e.select(is_hit, new, old)).collect()
        };
        Ok(results.iter().zip(inputs).map(chosen).collect())
    }

    /// Applies a function of scalars to arrays of one shape.
    fn applied(&mut self, b: Builder, body: Block, arguments: &[Parts], like: Value) -> Result<Vec<Parts>> {
        if super::reductions::is_elementwise(body) {
            return self.lifted(b, body, arguments, like);
        }
        let counts: Vec<usize> = arguments[..arguments.len() / 2].iter().map(Vec::len).collect();
        let mut failed = None;
        let z = b.build_like(like, like.ty().rank(), |b, position| {
            let element = |parts: &Parts| parts.iter().map(|&x| b.get(x, position)).collect();
            let arguments: Vec<Parts> = arguments.iter().map(element).collect();
            self.region(b, body, &arguments).map(|z| z.concat()).unwrap_or_else(|reported| {
                failed = Some(reported);
                arguments[..arguments.len() / 2].concat()
            })
        });
        failed.map_or_else(|| Ok(grouped(&z, &counts)), Err)
    }

    /// Converts any scatter to a loop over the updates.
    fn scatter_in_order(
        &mut self,
        b: Builder,
        body: Block,
        problem: &Updates,
        inputs: &[Parts],
        updates: &[Parts],
    ) -> Result<Vec<Parts>> {
        let update = updates[0][0];
        let sizes = self.sizes.sizes(b, update);
        let whole = self.sizes.sizes(b, inputs[0][0]);
        let count = sizes.iter().fold(Index::Known(1), |n, &size| n.multiply(b, size));
        let counts: Vec<usize> = inputs.iter().map(Vec::len).collect();
        let mut failed = None;
        let z = b.ifold(count.value(b), &inputs.concat(), |b, i, state| {
            let e = Emit(b);
            // The position in the updates, innermost axis first.
            let mut left = Index::Value(i);
            let mut position = Vec::new();
            for &n in sizes.iter().rev() {
                position.insert(0, left.modulo(b, n).value(b));
                left = left.divide(b, n);
            }
            let place = problem.place(b, &position);
            let inside = place.iter().zip(&whole).map(|(&p, &n)| compare(b, CmpIPredicate::Ult, Index::Value(p), n));
            let inside = inside.reduce(|x, y| e.and(x, y));
            let place: Vec<Value> =
                place.iter().map(|&p| inside.map_or(p, |inside| b.select(inside, p, b.index(0)))).collect();
            let read = |x: Value, place: &[Value]| if place.is_empty() { x } else { b.get(x, place) };
            let old: Vec<Value> = state.iter().map(|&x| read(x, &place)).collect();
            let new: Vec<Parts> =
                updates.iter().map(|parts| parts.iter().map(|&u| read(u, &position)).collect()).collect();
            let arguments = [grouped(&old, &counts), new].concat();
            match self.region(b, body, &arguments) {
                Ok(results) => {
                    let put = |((new, &old), &array): ((Value, &Value), &Value)| {
                        let value = inside.map_or(new, |inside| b.select(inside, new, old));
                        match place.is_empty() {
                            true => value,
                            false => {
                                b.unary(Kind::TensorInsert, &[&[value, array], place.as_slice()].concat(), array.ty())
                            }
                        }
                    };
                    results.concat().into_iter().zip(&old).zip(state).map(put).collect()
                }
                Err(reported) => {
                    failed = Some(reported);
                    state.to_vec()
                }
            }
        });
        failed.map_or_else(|| Ok(grouped(&z, &counts)), Err)
    }
}

/// A scatter, apart from its arrays.
struct Updates {
    windows: Windows,
    indices: Value,
    number: Number,
    /// The shape of the arrays that are updated.
    shape: Vec<Option<usize>>,
    /// Axes of the arrays, each with the greatest start of a window that is inside. Windows that start elsewhere are
    /// dropped as a whole.
    limits: Vec<(usize, Index)>,
}

impl Updates {
    /// Returns the position in the updated array of the update at `position`.
    fn place(&self, b: Builder, position: &[Value]) -> Vec<Value> {
        let start = self.windows.start(b, self.shape.len(), self.indices, self.number, position);
        let kept = self.windows.kept(self.shape.len());
        let axis = |axis: usize| match kept.iter().position(|&k| k == axis) {
            Some(k) => start[axis].add(b, Index::Value(position[self.windows.offset[k]])).value(b),
            None => start[axis].value(b),
        };
        let mut place: Vec<Value> = (0..self.shape.len()).map(axis).collect();
        for &(axis, limit) in &self.limits {
            let is_low = compare(b, CmpIPredicate::Slt, start[axis], Index::Known(0));
            let is_high = compare(b, CmpIPredicate::Sgt, start[axis], limit);
            let is_outside = Emit(b).or(is_low, is_high);
            place[axis] = b.select(is_outside, b.index(-1), place[axis]);
        }
        place
    }

    /// Returns `x` with the updates added.
    fn added(&self, b: Builder, x: Value, update: Value) -> Value {
        let rank = update.ty().rank();
        let sizes = update.ty().shape();
        let size = |k: usize| sizes[self.windows.offset[k]];
        // The updated array must keep an axis that is indexed.
        let rows = self.windows.whole_rows(&self.shape, size, rank).min(self.shape.len() - 1);
        let loops = rank - rows;
        b.scatter(update, x, loops, |b, position| {
            let position: Vec<Value> = position.iter().copied().chain((loops..rank).map(|_| b.index(0))).collect();
            self.place(b, &position)[..self.shape.len() - rows].to_vec()
        })
    }
}
