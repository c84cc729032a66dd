//! Ops that move elements: changes of shape, parts of arrays, and reads at computed positions.

use super::emit::{Emit, with_scalar};
use super::types::{self, Number};
use super::{Import, Parts, Result, elementwise};
use crate::analysis::edit;
use crate::arrays::shapes::index::{self, Index};
use crate::arrays::shapes::parts::{Padding, Range, extracted, is_zero, overwritten, padded};
use crate::arrays::shapes::sizes::{replicate, spread, turned};
use mlopt_dialects::ir::{Builder, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::{
    Broadcast, BroadcastInDim, Concatenate, DynamicSlice, DynamicUpdateSlice, Gather, Iota, Pad, Reverse, Slice,
    Transpose,
};
use mlopt_dialects::ops::{HasKind, Kind};
use std::cmp::Ordering;

/// Returns axis numbers and sizes, which are not negative.
pub fn axes(numbers: &[i64]) -> Vec<usize> {
    numbers.iter().map(|&n| n.max(0) as usize).collect()
}

impl Import {
    /// Converts an op with one result that moves elements; returns `None` for other ops.
    pub(super) fn shape_op(&mut self, b: Builder, op: Op) -> Result<Option<Parts>> {
        let each = |import: &mut Import, f: &mut dyn FnMut(&mut Import, &[Value]) -> Result<Value>| {
            let operands = import.operands(op);
            let count = types::parts(op.result(0).ty()).map_or(1, |parts| parts.len());
            let part = |k: usize| operands.iter().map(move |parts| parts[k.min(parts.len() - 1)]).collect::<Vec<_>>();
            (0..count).map(|k| f(import, &part(k))).collect::<Result<Parts>>().map(Some)
        };
        let ty = |x: Value| with_scalar(op.result(0).ty(), x.ty().scalar());
        match op.kind() {
            Kind::StablehloReshape => {
                each(self, &mut |import, x| Ok(import.reshaped(b, x[0], ty(x[0]), &static_sizes(op)?)))
            }
            Kind::StablehloBroadcastInDim => {
                let dims = axes(&op.cast::<BroadcastInDim>().broadcast_dimensions());
                let sizes = static_sizes(op)?;
                each(self, &mut |import, x| Ok(import.broadcast(b, x[0], &dims, &sizes)))
            }
            Kind::StablehloBroadcast => {
                let new = op.cast::<Broadcast>().broadcast_sizes();
                each(self, &mut |_, x| Ok(new.iter().rev().fold(x[0], |x, &n| replicate(b, x, Index::Known(n)))))
            }
            Kind::StablehloTranspose => {
                let permutation = axes(&op.cast::<Transpose>().permutation());
                let identity: Vec<usize> = (0..permutation.len()).collect();
                each(self, &mut |_, x| Ok(turned(b, x[0], &identity, &permutation)))
            }
            Kind::StablehloReverse => {
                let dims = axes(&op.cast::<Reverse>().dimensions());
                each(self, &mut |import, x| Ok(import.reversed(b, x[0], &dims)))
            }
            Kind::StablehloConcatenate => {
                let axis = op.cast::<Concatenate>().dimension().max(0) as usize;
                each(self, &mut |_, x| Ok(concatenated(b, x, axis)))
            }
            Kind::StablehloIota => {
                let axis = op.cast::<Iota>().iota_dimension().max(0) as usize;
                Ok(Some(self.iota(b, op.result(0).ty(), axis, &static_sizes(op)?)))
            }
            Kind::StablehloPad => {
                let pad: Pad = op.cast();
                let numbers = [pad.edge_padding_low(), pad.edge_padding_high(), pad.interior_padding()];
                let at = |list: usize, axis: usize| Index::Known(numbers[list][axis]);
                let axes: Vec<Padding> = (0..numbers[0].len())
                    .map(|axis| Padding { low: at(0, axis), high: at(1, axis), interior: at(2, axis) })
                    .collect();
                each(self, &mut |import, x| Ok(import.pad(b, x[0], x[1], ty(x[0]), &axes)))
            }
            Kind::StablehloSlice => {
                let slice: Slice = op.cast();
                let (starts, strides) = (slice.start_indices(), slice.strides());
                let range = |(axis, n): (usize, Index)| Range {
                    offset: Index::Known(starts[axis]),
                    size: n,
                    stride: Index::Known(strides[axis]),
                    dropped: false,
                };
                let ranges: Vec<Range> = static_sizes(op)?.into_iter().enumerate().map(range).collect();
                each(self, &mut |import, x| Ok(extracted(&mut import.sizes, b, x[0], &ranges)))
            }
            Kind::StablehloDynamicSlice => {
                let sizes: Vec<Index> = op.cast::<DynamicSlice>().slice_sizes().into_iter().map(Index::Known).collect();
                let ranges = self.limited_ranges(b, op, 1, &sizes);
                each(self, &mut |import, x| Ok(extracted(&mut import.sizes, b, x[0], &ranges)))
            }
            Kind::StablehloDynamicUpdateSlice => {
                let part = self.one(op.cast::<DynamicUpdateSlice>().update());
                let sizes = self.sizes.sizes(b, part);
                let ranges = self.limited_ranges(b, op, 2, &sizes);
                each(self, &mut |import, x| Ok(import.updated(b, x[0], x[1], &ranges)))
            }
            Kind::StablehloGather => {
                let sizes: Vec<Index> = op.cast::<Gather>().slice_sizes().into_iter().map(Index::Known).collect();
                each(self, &mut |import, x| Ok(import.gather(b, op, x[0], x[1], &sizes)))
            }
            Kind::StablehloTorchIndexSelect => {
                each(self, &mut |import, x| Ok(import.index_select(b, op.cast(), x[0], x[1])))
            }
            Kind::StablehloBitcastConvert => Ok(Some(self.bitcast(b, op)?)),
            Kind::StablehloReal | Kind::StablehloImag => {
                let parts = &self.operands(op)[0];
                Ok(Some(vec![match (op.kind(), parts.len()) {
                    (Kind::StablehloImag, 1) => Emit(b).float(parts[0], 0.0),
                    (Kind::StablehloReal, _) => parts[0],
                    _ => parts[1],
                }]))
            }
            Kind::StablehloComplex => Ok(Some(self.operands(op).concat())),
            Kind::StablehloGetDimensionSize => {
                let x = self.one(op.operand(0));
                let axis = op.attribute("dimension").and_then(|a| a.as_i64()).unwrap_or(0).max(0) as usize;
                let size = self.sizes.size(b, x, axis);
                let z = Emit(b).cast(Kind::ArithIndexCast, size.value(b), b.context().signless(32));
                self.track_size(z, op.result(0).ty(), size);
                Ok(Some(vec![z]))
            }
            _ => Ok(None),
        }
    }

    /// Returns the elements of `x` with another shape.
    pub(super) fn reshaped(&mut self, b: Builder, x: Value, ty: Type, sizes: &[Index]) -> Value {
        let Some((maker, _)) = x.defining_op() else { return self.sizes.retyped(b, x, ty, sizes) };
        let is_row = || x.ty().row() == ty && self.sizes.has(x, &[&[Index::Known(1)], sizes].concat());
        match maker.kind() {
            // The row of a slice of one row.
            Kind::ArraySlice if is_row() => b.get(maker.operand(0), &[maker.operand(1)]),
            Kind::ArrayReshape => self.sizes.retyped(b, maker.operand(0), ty, sizes),
            Kind::ArrayReplicate if x.ty().shape()[0] == Some(1) => self.reshaped(b, maker.operand(0), ty, sizes),
            _ => self.sizes.retyped(b, x, ty, sizes),
        }
    }

    /// Returns `x` with `part` in ranges that are inside. If they are one element or one row, it is written in place.
    fn updated(&mut self, b: Builder, x: Value, part: Value, ranges: &[Range]) -> Value {
        let shape = x.ty().shape();
        let is_whole = |k: usize| shape[k].is_some_and(|n| ranges[k].size == Index::Known(n as i64));
        let whole = (0..shape.len()).rev().take_while(|&k| is_whole(k)).count();
        let leading = shape.len() - whole;
        let is_row = leading > 0 && ranges[..leading].iter().all(|r| r.size == Index::Known(1));
        if !is_row {
            return overwritten(&mut self.sizes, b, x, part, ranges);
        }
        let sizes: Vec<Index> = ranges[leading..].iter().map(|r| r.size).collect();
        let row = self.reshaped(b, part, Type::array(&shape[leading..], x.ty().scalar()), &sizes);
        let at: Vec<Value> = ranges[..leading].iter().map(|r| r.offset.value(b)).collect();
        b.insert_row(row, x, &at, &[])
    }

    /// Copies `x`, whose axis `k` is axis `dims[k]` of the result, along the other axes and along axes of size 1.
    pub(super) fn broadcast(&mut self, b: Builder, x: Value, dims: &[usize], sizes: &[Index]) -> Value {
        let shape = x.ty().shape();
        let copied = |k: &usize| shape[*k] == Some(1) && sizes[dims[*k]] != Index::Known(1);
        let kept: Vec<usize> = (0..dims.len()).filter(|k| !copied(k)).collect();
        let x = if kept.len() == dims.len() {
            x
        } else {
            let inner: Vec<Index> = kept.iter().map(|&k| self.sizes.size(b, x, k)).collect();
            let shape: Vec<_> = kept.iter().map(|&k| shape[k]).collect();
            self.sizes.retyped(b, x, Type::array(&shape, x.ty().scalar()), &inner)
        };
        let from: Vec<usize> = kept.iter().map(|&k| dims[k]).collect();
        let to: Vec<usize> = (0..sizes.len()).collect();
        if let (Some(value), [], false) = (edit::constant(x), &from[..], sizes.is_empty()) {
            let shape = index::sizes(b, sizes).0;
            if shape.iter().all(Option::is_some) {
                return b.splat(value, Type::tensor(&shape, x.ty()));
            }
        }
        let z = spread(b, x, &from, &to, sizes);
        if z.ty().is_tensor() { self.sizes.sized(z, sizes) } else { z }
    }

    fn reversed(&mut self, b: Builder, x: Value, dims: &[usize]) -> Value {
        let identity: Vec<usize> = (0..x.ty().rank()).collect();
        dims.iter().fold(x, |x, &axis| {
            let order: Vec<usize> =
                std::iter::once(axis).chain(identity.iter().copied().filter(|&k| k != axis)).collect();
            turned(b, b.reverse(turned(b, x, &identity, &order)), &order, &identity)
        })
    }

    /// Returns the index along `axis`, as numbers of type `ty`.
    pub(super) fn iota(&mut self, b: Builder, ty: Type, axis: usize, sizes: &[Index]) -> Parts {
        let e = Emit(b);
        let (dims, extents) = index::sizes(b, &sizes[axis..=axis]);
        let indices = b.iota(dims[0], extents.first().copied());
        let scalar = types::scalar(ty.scalar()).expect("checked: the type has a counterpart");
        let number = Number::of(ty);
        let long = Type::tensor(&dims, b.context().signless(64));
        let z = match number {
            Number::Float | Number::Complex => {
                let integers = e.cast(Kind::ArithIndexCast, indices, long.scalar());
                e.cast(Kind::ArithSitofp, integers, scalar)
            }
            _ => e.cast(Kind::ArithIndexCast, indices, scalar),
        };
        let z = spread(b, z, &[axis], &(0..sizes.len()).collect::<Vec<_>>(), sizes);
        let z = self.sizes.sized(z, sizes);
        if number == Number::Complex { vec![z, e.float(z, 0.0)] } else { vec![z] }
    }

    pub(super) fn pad(&mut self, b: Builder, x: Value, padding: Value, ty: Type, axes: &[Padding]) -> Value {
        let inner = self.sizes.sizes(b, x);
        let sizes: Vec<Index> = axes.iter().zip(&inner).map(|(axis, &n)| axis.size(b, n)).collect();
        let ty = Type::array(&ty.shape(), x.ty().scalar());
        let zero = edit::constant(padding).is_some_and(is_zero);
        padded(&mut self.sizes, b, x, (ty, &sizes), axes, zero, |_, _| padding)
    }

    /// Returns ranges of these sizes that start at the operands from `first` on, limited so that they are inside.
    fn limited_ranges(&mut self, b: Builder, op: Op, first: usize, sizes: &[Index]) -> Vec<Range> {
        let x = self.one(op.operand(0));
        let range = |(axis, &size): (usize, &Index)| {
            let start = op.operand(first + axis);
            let whole = self.sizes.size(b, x, axis);
            let greatest = if whole.is_same(size) { Index::Known(0) } else { whole.subtract(b, size) };
            let offset = self.limited(b, start, greatest);
            Range { offset, size, stride: Index::Known(1), dropped: false }
        };
        sizes.iter().enumerate().map(range).collect()
    }

    /// Reinterprets bits: elements of another width have an additional innermost axis, or one less.
    fn bitcast(&mut self, b: Builder, op: Op) -> Result<Parts> {
        let (from, to) = (op.operand(0).ty(), op.result(0).ty());
        let x = self.operands(op).remove(0);
        let scalar = types::scalar(to.scalar()).expect("checked: the type has a counterpart");
        let rank = from.rank();
        let count = [from, to].map(|ty| if Number::of(ty) == Number::Complex { 2 } else { 1 });
        // Numbers along the innermost axis.
        let element = |x: Value, k: i64| b.get(to_front(b, x), &[b.index(k)]);
        match (count, to.rank().cmp(&rank)) {
            ([1, 1], _) | ([2, 2], Ordering::Equal) => Ok(x.iter().map(|&x| bits_as(b, x, scalar)).collect()),
            // Each part becomes one number, whose parts are half as wide.
            ([2, 2], Ordering::Greater) => {
                let numbers: Vec<Value> = x.iter().map(|&x| bits_as(b, x, scalar)).collect();
                let part = |k: i64| to_back(b, b.stack(&numbers.iter().map(|&x| element(x, k)).collect::<Vec<_>>()));
                Ok(vec![part(0), part(1)])
            }
            ([2, 2], Ordering::Less) => {
                let part = |k: i64| {
                    let halves: Vec<Value> = x.iter().map(|&x| element(x, k)).collect();
                    bits_as(b, to_back(b, b.stack(&halves)), scalar)
                };
                Ok(vec![part(0), part(1)])
            }
            _ => Err(op.not_supported(format!("expected two real or two complex types, found {from} and {to}"))),
        }
    }
}

/// Makes the innermost axis the outermost one.
fn to_front(b: Builder, x: Value) -> Value {
    let rank = x.ty().rank();
    let all: Vec<usize> = (0..rank).collect();
    turned(b, x, &all, &[&[rank - 1], &all[..rank - 1]].concat())
}

/// Makes the outermost axis the innermost one.
fn to_back(b: Builder, x: Value) -> Value {
    let rank = x.ty().rank();
    let all: Vec<usize> = (0..rank).collect();
    turned(b, x, &all, &[&all[1..], &[0]].concat())
}

/// Reinterprets the bits of real numbers as numbers of type `scalar`.
pub fn bits_as(b: Builder, x: Value, scalar: Type) -> Value {
    let e = Emit(b);
    let width = |ty: Type| ty.integer().map(|(width, _)| width).or(ty.float_width()).unwrap_or(64) as i64;
    let (from, to) = (width(x.ty().scalar()), width(scalar));
    if from == to {
        return e.cast(Kind::ArithBitcast, x, scalar);
    }
    let context = b.context();
    let as_scalar = |z: Value| if scalar.is_float() { e.cast(Kind::ArithBitcast, z, scalar) } else { z };
    let x = if x.ty().scalar().is_float() { elementwise::bits(e, x) } else { x };
    if from > to {
        let part = |k: i64| {
            let shifted = e.op(Kind::ArithShrui, &[x, e.integer(x, k * to)]);
            e.cast(Kind::ArithTrunci, shifted, context.signless(to as u32))
        };
        return as_scalar(to_back(b, b.stack(&(0..from / to).map(part).collect::<Vec<_>>())));
    }
    let x = to_front(b, x);
    let part = |k: i64| {
        let part = e.cast(Kind::ArithExtui, b.get(x, &[b.index(k)]), context.signless(to as u32));
        e.op(Kind::ArithShli, &[part, e.integer(part, k * from)])
    };
    as_scalar((0..to / from).map(part).reduce(|x, y| e.or(x, y)).expect("the result is wider"))
}

/// Returns an integer scalar as a position; an unsigned one beyond the range of `index` becomes the greatest position.
pub fn as_index(b: Builder, x: Value, number: Number) -> Index {
    let e = Emit(b);
    let index = b.context().index();
    let constant = edit::known(x);
    match (number, x.ty().integer()) {
        (Number::Unsigned, Some((64, _))) => {
            let limited = e.op(Kind::ArithMinui, &[x, e.integer(x, i64::MAX)]);
            Index::Value(e.cast(Kind::ArithIndexCast, limited, index))
        }
        (Number::Unsigned, _) => Index::Value(e.cast(Kind::ArithIndexCastui, x, index)),
        (_, _) => constant.map_or_else(|| Index::Value(e.cast(Kind::ArithIndexCast, x, index)), Index::Known),
    }
}

/// Returns the sizes of the result, which must be in its type.
pub fn static_sizes(op: Op) -> Result<Vec<Index>> {
    let ty = op.result(0).ty();
    let sizes = ty.shape().into_iter().map(|d| Some(Index::Known(d? as i64))).collect::<Option<_>>();
    sizes.ok_or_else(|| {
        op.not_supported(format!("expected a result of static sizes, found {ty}; write the op with computed sizes"))
    })
}

/// Concatenates arrays along an axis. Along the outermost axis it is a chain of appends; otherwise that axis is
/// temporarily made outermost.
fn concatenated(b: Builder, x: &[Value], axis: usize) -> Value {
    let identity: Vec<usize> = (0..x[0].ty().rank()).collect();
    let mut order = identity.clone();
    order.swap(0, axis);
    let parts = x.iter().map(|&x| turned(b, x, &identity, &order));
    let joined = parts.reduce(|x, y| b.append(x, y)).expect("verified: there is an operand");
    turned(b, joined, &order, &identity)
}
