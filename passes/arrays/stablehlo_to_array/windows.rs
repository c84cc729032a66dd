//! Ops on windows: reductions of windows, their transpose, and convolutions.

use super::emit::Emit;
use super::reductions::{Combiner, grouped, starts_with_zero};
use super::shapes::axes;
use super::types::{self, Number};
use super::{Import, Parts, Result, complex};
use crate::arrays::shapes::index::{self, Index, compare};
use crate::arrays::shapes::parts::{Padding, padded};
use crate::arrays::shapes::sizes::{spread, turned};
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::{ReduceWindow, SelectAndScatter};
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};
use mlopt_dialects::value::Element;

/// The windows along one axis.
#[derive(Clone, Copy)]
struct Window {
    size: i64,
    stride: i64,
    /// The distance of neighbouring elements of the array, of which others read as padding.
    base_dilation: i64,
    /// The distance of neighbouring elements of a window.
    dilation: i64,
    low: Index,
}

impl Window {
    /// Returns the position in the array of element `k` of window `o`, and whether there is one.
    fn place(&self, b: Builder, o: Index, k: Index, whole: Index) -> (Index, Option<Value>) {
        let scaled = o.multiply(b, Index::Known(self.stride)).add(b, k.multiply(b, Index::Known(self.dilation)));
        let place = scaled.subtract(b, self.low);
        let inside = |p: Index| match (p, whole) {
            (Index::Known(p), Index::Known(n)) if (0..n).contains(&p) => None,
            _ => Some(compare(b, CmpIPredicate::Ult, p, whole)),
        };
        if self.base_dilation == 1 {
            let never_outside = self.low == Index::Known(0) && self.size == 1 && self.stride == 1;
            return (place, if never_outside { None } else { inside(place) });
        }
        let step = Index::Known(self.base_dilation);
        let on = compare(b, CmpIPredicate::Eq, place.modulo(b, step), Index::Known(0));
        let place = place.divide(b, step);
        let inside = inside(place).map_or(on, |inside| b.unary(Kind::ArithAndi, &[inside, on], on.ty()));
        (place, Some(inside))
    }

    /// Returns the number of windows on an axis of size `n`.
    fn count(&self, b: Builder, n: Index, high: Index) -> Index {
        let one = Index::Known(1);
        let positive = n.minimum(b, one).maximum(b, Index::Known(0));
        let dilated =
            n.subtract(b, one).multiply(b, Index::Known(self.base_dilation)).add(b, one).multiply(b, positive);
        let padded = dilated.add(b, self.low).add(b, high);
        // Only a kernel may have no elements; then each element has a window.
        let extent = if self.size == 0 { 0 } else { (self.size - 1).saturating_mul(self.dilation).saturating_add(1) };
        let steps = padded.subtract(b, Index::Known(extent)).divide(b, Index::Known(self.stride)).add(b, one);
        let exist = if self.size == 0 { padded.minimum(b, one).maximum(b, Index::Known(0)) } else { one };
        steps.maximum(b, Index::Known(0)).multiply(b, exist)
    }
}

/// Returns the numbers of an attribute that is optional, with `default` for `rank` missing ones.
fn numbers(attribute: Option<Vec<i64>>, rank: usize, default: i64) -> Vec<i64> {
    attribute.unwrap_or_else(|| vec![default; rank])
}

/// Returns the padding before and after each axis, from an array of `rank` pairs.
fn padding(attribute: Option<Attribute>, rank: usize) -> Vec<(Index, Index)> {
    let verified = |attribute| types::integers(attribute).expect("verified: pairs of integers");
    let pairs = attribute.map_or_else(|| vec![0; 2 * rank], verified);
    let number = |k: usize| Index::Known(pairs[k]);
    (0..rank).map(|k| (number(2 * k), number(2 * k + 1))).collect()
}

impl Import {
    pub(super) fn reduce_window(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let typed: ReduceWindow = op.cast();
        let body = typed.body();
        let operands = self.promoted(b, op, body);
        let (inputs, inits) = operands.split_at(op.num_results());
        let dims = typed.window_dimensions();
        let rank = dims.len();
        let pads = padding(typed.padding(), rank);
        let strides = numbers(typed.window_strides(), rank, 1);
        let base = numbers(typed.base_dilations(), rank, 1);
        let dilations = numbers(typed.window_dilations(), rank, 1);
        let windows: Vec<Window> = (0..rank)
            .map(|k| Window {
                size: dims[k],
                stride: strides[k],
                base_dilation: base[k],
                dilation: dilations[k],
                low: pads[k].0,
            })
            .collect();
        let whole = self.sizes.sizes(b, inputs[0][0]);
        let results: Vec<Index> = (0..rank).map(|k| windows[k].count(b, whole[k], pads[k].1)).collect();
        let number = Number::of(body.argument(0).ty());
        let counts: Vec<usize> = inputs.iter().map(Vec::len).collect();
        if rank == 0 {
            return self.lifted(b, body, &[inits, inputs].concat(), inputs[0][0]);
        }
        let (shape, extents) = index::sizes(b, &results);
        if let ([input], [init]) = (inputs, inits)
            && let Some(combiner) = Combiner::starting_with(init, body)
        {
            let from_zero = starts_with_zero(dims.iter().map(|&size| Some(size as usize)));
            let neutral = combiner.neutral(b, number, input[0].ty().scalar());
            let part = |(&x, &init): (&Value, &Value)| {
                let z = b.build(&shape, &extents, |b, o| {
                    vec![window_reduced(b, (combiner, number, neutral), (x, &whole), &windows, o)]
                });
                let z = self.sizes.sized(z[0], &results);
                combiner.with_init(Emit(b), number, init, z, from_zero)
            };
            return Ok(vec![input.iter().zip(init).map(part).collect()]);
        }
        let total = dims.iter().fold(1i64, |n, &d| n.saturating_mul(d));
        let mut failed = None;
        let z = b.build(&shape, &extents, |b, o| {
            b.ifold(b.index(total), &inits.concat(), |b, i, state| {
                let (place, inside) = window_place(b, &windows, &whole, o, i);
                let element = |parts: &Parts| parts.iter().map(|&x| b.get(x, &place)).collect::<Parts>();
                let rows: Vec<Parts> = inputs.iter().map(element).collect();
                let next = self.region(b, body, &[grouped(state, &counts), rows].concat());
                let next = next.map(|z| z.concat()).unwrap_or_else(|reported| {
                    failed = Some(reported);
                    state.to_vec()
                });
                let chosen = next.iter().zip(state).map(|(&new, &old)| inside.map_or(new, |c| b.select(c, new, old)));
                chosen.collect()
            })
        });
        failed.map_or_else(|| Ok(grouped(&z, &counts)), Err)
    }

    /// Converts the transpose of pooling: each window selects one of its elements, to which an element of the source
    /// is added.
    pub(super) fn select_and_scatter(&mut self, b: Builder, op: Op) -> Result<Parts> {
        let typed: SelectAndScatter = op.cast();
        let operands = self.operands(op);
        let [x, source, init] = [0, 1, 2].map(|k| operands[k].as_slice());
        let rank = x[0].ty().rank();
        let dims = numbers(typed.window_dimensions(), rank, 1);
        let strides = numbers(typed.window_strides(), rank, 1);
        let pads = padding(typed.padding(), rank);
        let windows: Vec<Window> = (0..rank)
            .map(|k| Window { size: dims[k], stride: strides[k], base_dilation: 1, dilation: 1, low: pads[k].0 })
            .collect();
        if rank == 0 {
            let z = self.region(b, typed.scatter(), &[source.to_vec(), init.to_vec()])?;
            return Ok(z.concat());
        }
        let whole = self.sizes.sizes(b, x[0]);
        let shape = self.sizes.sizes(b, source[0]);
        let (sizes, extents) = index::sizes(b, &shape);
        let total = dims.iter().fold(1i64, |n, &d| n.saturating_mul(d));
        let mut failed = None;
        let first = x[0].ty().scalar();
        // For each window the number of the selected element, row-major in the array.
        let selected = b.build(&sizes, &extents, |b, o| {
            let e = Emit(b);
            let zero = if first.is_float() {
                b.constant(Attribute::float(first, 0.0), first)
            } else {
                b.constant(Attribute::integer(first, 0), first)
            };
            let start = [&[b.index(-1)], vec![zero; x.len()].as_slice()].concat();
            let found = b.ifold(b.index(total), &start, |b, i, state| {
                let (place, inside) = window_place(b, &windows, &whole, o, i);
                let element: Parts = x.iter().map(|&x| b.get(x, &place)).collect();
                let keep = self.region(b, typed.select(), &[state[1..].to_vec(), element.clone()]).map(|z| z[0][0]);
                let keep = keep.unwrap_or_else(|reported| {
                    failed = Some(reported);
                    b.bool(true)
                });
                let is_first = compare(b, CmpIPredicate::Slt, Index::Value(state[0]), Index::Known(0));
                let e = Emit(b);
                let mut take = e.or(is_first, e.not(keep));
                if let Some(inside) = inside {
                    take = e.and(inside, take);
                }
                let linear = place
                    .iter()
                    .zip(&whole)
                    .fold(Index::Known(0), |n, (&p, &size)| n.multiply(b, size).add(b, Index::Value(p)));
                let new = [&[linear.value(b)], element.as_slice()].concat();
                new.iter().zip(state).map(|(&new, &old)| b.select(take, new, old)).collect()
            });
            vec![e.cast(Kind::ArithIndexCast, found[0], b.context().signless(64))]
        });
        if let Some(reported) = failed {
            return Err(reported);
        }
        let is_same = typed.scatter().argument(0).ty().scalar() == op.operand(0).ty().scalar();
        let Some(Combiner::Add) = Combiner::of(typed.scatter()).filter(|_| is_same) else {
            return Err(op.not_supported("expected the scatter function to add numbers of the type of the elements"));
        };
        let added = |(&source, &init): (&Value, &Value)| {
            let start = self.filled(b, init, &whole);
            let z = b.scatter(source, start, rank, |b, o| {
                let number = super::shapes::as_index(b, b.get(selected[0], o), Number::Signed);
                let mut left = number;
                let mut place = Vec::new();
                for (axis, &n) in whole.iter().enumerate().rev() {
                    let at = if axis == 0 { left } else { left.modulo(b, n) };
                    place.insert(0, at.value(b));
                    left = left.divide(b, n);
                }
                place
            });
            self.sizes.sized(z, &whole)
        };
        Ok(source.iter().zip(init).map(added).collect())
    }

    /// Returns the computed padding before and after each axis.
    fn computed_padding(&self, b: Builder, old: Value, rank: usize) -> Vec<(Index, Index)> {
        let number = Number::of(old.ty());
        let element = |k: usize, side: i64| {
            let place = [b.index(k as i64), b.index(side)];
            super::shapes::as_index(b, b.get(self.one(old), &place), number)
        };
        (0..rank).map(|k| (element(k, 0), element(k, 1))).collect()
    }

    /// Converts a convolution to a product of patches and kernel.
    ///
    /// The loops are the batch, the positions of the output, the groups and the features of a group; then the positions
    /// of the kernel and the channels of a group, over which products are summed. A single group has no loop, and
    /// neither have axes of the kernel with one position.
    pub(super) fn convolution(&mut self, b: Builder, op: Op) -> Result<Parts> {
        let dims = op.attribute("dimension_numbers").and_then(Dimensions::of);
        let dims = dims.expect("verified: a convolution has dimension numbers");
        let rank = dims.spatial[0].len();
        let result = op.result(0).ty();
        let scalar = types::scalar(result.scalar()).expect("checked: the type has a counterpart");
        let half = scalar.float_width() == Some(16);
        let accurate = if half { b.context().scalar(Element::F32) } else { result.scalar() };
        let accurate = Type::array(&result.shape(), accurate);
        let operand = |k: usize| -> Parts {
            let old = op.operand(k);
            self.values[&old].iter().map(|&x| complex::part_converted(Emit(b), x, old.ty(), accurate)).collect()
        };
        let (x, w) = (operand(0), operand(1));
        let pads = match op.kind() {
            Kind::StablehloDynamicConv => self.computed_padding(b, op.operand(2), rank),
            _ => padding(op.attribute("padding"), rank),
        };
        let list = |name: &str| numbers(op.attribute(name).and_then(Attribute::as_i64_array), rank, 1);
        let (strides, base, dilation) = (list("window_strides"), list("lhs_dilation"), list("rhs_dilation"));
        let (of_x, of_w) = (self.sizes.sizes(b, x[0]), self.sizes.sizes(b, w[0]));
        let known = |n: Index| {
            if let Index::Known(n) = n { Ok(n) } else { Err(op.not_supported("expected a kernel of static sizes")) }
        };
        let count_of = |name: &str| op.attribute(name).and_then(Attribute::as_i64).unwrap_or(1);
        let (feature_groups, batch_groups) = (count_of("feature_group_count"), count_of("batch_group_count"));
        let groups = Index::Known(feature_groups * batch_groups);
        let channels = of_w[dims.second[1].0];
        let features = of_w[dims.second[1].1].divide(b, groups);
        let batch = of_x[dims.first[0]].divide(b, Index::Known(batch_groups));

        // The input is padded first, so that every position of a patch exists.
        let (mut windows, mut padded_axes) = (Vec::new(), vec![Padding::NONE; of_x.len()]);
        let mut extents = vec![batch];
        for k in 0..rank {
            let size = known(of_w[dims.spatial[1][k]])?;
            let window =
                Window { size, stride: strides[k], base_dilation: base[k], dilation: dilation[k], low: pads[k].0 };
            extents.push(window.count(b, of_x[dims.spatial[0][k]], pads[k].1));
            windows.push(window);
            let (low, high) = pads[k];
            padded_axes[dims.spatial[0][k]] = Padding { low, high, interior: Index::Known(base[k] - 1) };
        }
        let mut new_loop = |extent: Index| {
            extents.push(extent);
            extents.len() - 1
        };
        let group = (groups != Index::Known(1)).then(|| new_loop(groups));
        let feature = new_loop(features);
        let kernel: Vec<Option<usize>> =
            windows.iter().map(|w| (w.size != 1).then(|| new_loop(Index::Known(w.size)))).collect();
        let channel = new_loop(channels);
        let kept = feature + 1;
        let all: Vec<usize> = (0..extents.len()).collect();

        // The loops of each axis of the input: those of the result, and those of the sum.
        let of_axis = |axis: usize| -> (Vec<usize>, Vec<usize>) {
            if axis == dims.first[0] {
                return (group.filter(|_| batch_groups > 1).into_iter().chain([0]).collect(), Vec::new());
            }
            match dims.spatial[0].iter().position(|&a| a == axis) {
                Some(k) => (vec![1 + k], kernel[k].into_iter().collect()),
                None => (group.filter(|_| feature_groups > 1).into_iter().collect(), vec![channel]),
            }
        };
        // Patches have the order of the input as far as possible, so that neighbours are copied together.
        let (of_result, of_sum): (Vec<_>, Vec<_>) = (0..of_x.len()).map(of_axis).unzip();
        let by_channel = dims.second[0].0 + 1 == of_x.len() && channels != Index::Known(1);
        let parts = if by_channel { [of_result, of_sum] } else { [of_sum, of_result] };
        let patch_loops: Vec<usize> = parts.concat().concat();
        let is_whole = group.is_none() && windows.iter().all(|w| w.size == 1 && w.stride == 1);
        let place = |b: Builder, position: &[Value]| -> Vec<Value> {
            let at = |d: usize| Index::Value(position[patch_loops.iter().position(|&p| p == d).expect("a loop")]);
            let of_group = |count: i64, size: Index, at_least: Index| match group.filter(|_| count > 1) {
                Some(group) => at(group).multiply(b, size).add(b, at_least),
                None => at_least,
            };
            let mut place = vec![Index::Known(0); of_x.len()];
            place[dims.first[0]] = of_group(batch_groups, batch, at(0));
            place[dims.second[0].0] = of_group(feature_groups, channels, at(channel));
            for (k, window) in windows.iter().enumerate() {
                let start = at(1 + k).multiply(b, Index::Known(window.stride));
                let offset = kernel[k].map(|d| at(d).multiply(b, Index::Known(window.dilation)));
                place[dims.spatial[0][k]] = offset.map_or(start, |offset| start.add(b, offset));
            }
            place.into_iter().map(|p| p.value(b)).collect()
        };
        let mut patches = |&x: &Value| {
            let scalar = x.ty().scalar();
            let sizes: Vec<Index> = padded_axes.iter().zip(&of_x).map(|(axis, &n)| axis.size(b, n)).collect();
            let ty = Type::tensor(&index::sizes(b, &sizes).0, scalar);
            let x = padded(&mut self.sizes, b, x, (ty, &sizes), &padded_axes, true, |b, _| {
                Combiner::Add.neutral(b, Number::of(result), scalar)
            });
            if is_whole {
                let from: Vec<usize> = (0..of_x.len())
                    .flat_map(|axis| {
                        let (of_result, of_sum) = of_axis(axis);
                        [of_result, of_sum].concat()
                    })
                    .collect();
                return spread(b, x, &from, &all, &extents);
            }
            let sizes: Vec<Index> = patch_loops.iter().map(|&d| extents[d]).collect();
            let (shape, run_time) = index::sizes(b, &sizes);
            spread(b, b.gather(x, &shape, &run_time, place), &patch_loops, &all, &extents)
        };
        let patches: Parts = x.iter().map(&mut patches).collect();

        let reversal = op.attribute("window_reversal").and_then(Attribute::as_bool_array).unwrap_or_default();
        let order: Vec<usize> = std::iter::once(dims.second[1].1)
            .chain(dims.spatial[1].iter().copied())
            .chain([dims.second[1].0])
            .collect();
        let identity: Vec<usize> = (0..order.len()).collect();
        let reversed = |w: Value| {
            reversal.iter().enumerate().filter(|(_, reversed)| **reversed).fold(w, |w, (k, _)| {
                let mut swapped = identity.clone();
                swapped.swap(0, k + 1);
                turned(b, b.reverse(turned(b, w, &identity, &swapped)), &swapped, &identity)
            })
        };
        let kernel_loops: Vec<usize> =
            group.into_iter().chain([feature]).chain(kernel.iter().copied().flatten()).chain([channel]).collect();
        let split: Vec<Index> = kernel_loops.iter().map(|&d| extents[d]).collect();
        let (split_shape, _) = index::sizes(b, &split);
        let kernels = |&w: &Value| {
            let w = reversed(turned(b, w, &identity, &order));
            let w = self.sizes.retyped(b, w, Type::tensor(&split_shape, w.ty().scalar()), &split);
            spread(b, w, &kernel_loops, &all, &extents)
        };
        let kernels: Parts = w.iter().map(kernels).collect();
        let e = Emit(b);
        let sums = complex::product(e, &patches, &kernels, |x, w| {
            let kind = if x.ty().scalar().is_float() { Kind::ArithMulf } else { Kind::ArithMuli };
            b.sum_axes(e.op(kind, &[x, w]), &all[kept..])
        });
        // Group and feature become one axis, and the axes get the order of the result.
        let merged = [&extents[..=rank], &[groups.multiply(b, features)]].concat();
        let (shape, _) = index::sizes(b, &merged);
        let mut from = vec![dims.first[2]];
        from.extend(&dims.spatial[2]);
        from.push(dims.second[2].0);
        let to: Vec<usize> = (0..rank + 2).collect();
        let result = |&z: &Value| {
            let z = e.cast(Kind::ArithTruncf, z, scalar);
            let z = self.sizes.retyped(b, z, Type::tensor(&shape, scalar), &merged);
            turned(b, z, &from, &to)
        };
        Ok(sums.iter().map(result).collect())
    }
}

/// The dimension numbers of a convolution: input, kernel, output.
struct Dimensions {
    /// The batch axes of input and output; not used for the kernel.
    first: [usize; 3],
    /// The feature axes; for the kernel, those of input and output features.
    second: [(usize, usize); 3],
    spatial: [Vec<usize>; 3],
}

impl Dimensions {
    fn of(record: Attribute) -> Option<Dimensions> {
        let numbers = axes(&record.integers()?);
        let mut rest = numbers.as_slice();
        let mut first = [0; 3];
        let mut second = [(0, 0); 3];
        let mut spatial: [Vec<usize>; 3] = Default::default();
        for k in 0..3 {
            let (&[x, y, n], tail) = rest.split_first_chunk()?;
            let (list, tail) = tail.split_at_checked(n)?;
            (first[k], second[k]) = if k == 1 { (0, (x, y)) } else { (x, (y, y)) };
            spatial[k] = list.to_vec();
            rest = tail;
        }
        Some(Dimensions { first, second, spatial })
    }
}

impl Combiner {
    /// Returns a scalar that changes no number.
    fn neutral(self, b: Builder, number: Number, scalar: Type) -> Value {
        let width = scalar.integer().map_or(64, |(width, _)| width);
        let least = i64::MIN >> (64 - width);
        let value = match (self, number) {
            (Combiner::Add, Number::Float | Number::Complex) => Attribute::float(scalar, 0.0),
            (Combiner::Multiply, Number::Float) => Attribute::float(scalar, 1.0),
            (Combiner::Maximum, Number::Float) => Attribute::float(scalar, f64::NEG_INFINITY),
            (Combiner::Minimum, Number::Float) => Attribute::float(scalar, f64::INFINITY),
            (Combiner::Or, Number::Bool) => b.context().bool_attr(false),
            (Combiner::And, Number::Bool) => b.context().bool_attr(true),
            (Combiner::Multiply, _) => Attribute::integer(scalar, 1),
            (Combiner::Maximum, Number::Signed) => Attribute::integer(scalar, least),
            (Combiner::Minimum, Number::Signed) => Attribute::integer(scalar, !least),
            (Combiner::Minimum, Number::Unsigned) => Attribute::integer(scalar, -1),
            _ => Attribute::integer(scalar, 0),
        };
        b.constant(value, scalar)
    }
}

/// Returns the reduction of the window at `o` of an array with its sizes, by a function with its neutral element.
fn window_reduced(
    b: Builder,
    (combiner, number, neutral): (Combiner, Number, Value),
    (x, whole): (Value, &[Index]),
    windows: &[Window],
    o: &[Value],
) -> Value {
    let rank = windows.len();
    // Axes with windows of one element need no loop.
    let looped: Vec<usize> = (0..rank).filter(|&k| windows[k].size != 1).collect();
    let element = |b: Builder, position: &[Value]| {
        let mut inside: Option<Value> = None;
        let mut place = Vec::new();
        for k in 0..rank {
            let at = looped.iter().position(|&l| l == k).map_or(Index::Known(0), |l| Index::Value(position[l]));
            let (p, valid) = windows[k].place(b, Index::Value(o[k]), at, whole[k]);
            place.push(p.value(b));
            inside = match (inside, valid) {
                (Some(x), Some(y)) => Some(b.unary(Kind::ArithAndi, &[x, y], x.ty())),
                (x, y) => x.or(y),
            };
        }
        let element = b.get(x, &place);
        inside.map_or(element, |inside| b.select(inside, element, neutral))
    };
    if looped.is_empty() {
        return element(b, &[]);
    }
    let sizes: Vec<Index> = looped.iter().map(|&k| Index::Known(windows[k].size)).collect();
    let (shape, _) = index::sizes(b, &sizes);
    let elements = b.build(&shape, &[], |b, position| vec![element(b, position)])[0];
    combiner.reduce(Emit(b), number, elements, &(0..looped.len()).collect::<Vec<_>>())
}

/// Returns the position in the array of element `i` of the window at `o`, row-major, and whether there is one.
fn window_place(b: Builder, windows: &[Window], whole: &[Index], o: &[Value], i: Value) -> (Vec<Value>, Option<Value>) {
    let mut left = Index::Value(i);
    let mut place = Vec::new();
    let mut inside: Option<Value> = None;
    for k in (0..windows.len()).rev() {
        let n = Index::Known(windows[k].size);
        let at = if k == 0 { left } else { left.modulo(b, n) };
        left = left.divide(b, n);
        let at = if windows[k].size == 1 { Index::Known(0) } else { at };
        let (p, valid) = windows[k].place(b, Index::Value(o[k]), at, whole[k]);
        place.insert(0, p.value(b));
        inside = match (inside, valid) {
            (Some(x), Some(y)) => Some(b.unary(Kind::ArithAndi, &[x, y], x.ty())),
            (x, y) => x.or(y),
        };
    }
    (place, inside)
}
