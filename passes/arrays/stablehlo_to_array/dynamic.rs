//! Ops whose sizes are computed: their shapes are elements of vectors of integers.

use super::emit::with_scalar;
use super::positions::{Position, fits};
use super::shapes::{as_index, axes};
use super::types::{self, Number};
use super::{Import, Parts, Result};
use crate::arrays::shapes::index::{Index, compare};
use crate::arrays::shapes::parts::{Padding, Range, extracted};
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::array::Check;
use mlopt_dialects::ops::stablehlo::DynamicBroadcastInDim;
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};

/// Checks whether a number of type `from` is the same after its conversion to type `to`.
fn is_kept(n: Index, from: Type, to: Type) -> bool {
    let (Some((width, unsigned)), Some((of_result, result_unsigned))) =
        (from.scalar().integer(), to.scalar().integer())
    else {
        return false;
    };
    match n {
        Index::Known(n) => fits(to, Position { index: Index::Known(n), least: n, greatest: n }),
        // The size of an axis, from 0 to 2³¹ - 1.
        Index::Value(_) if n.is_size() => of_result >= 32,
        Index::Value(_) if unsigned == result_unsigned => of_result >= width,
        Index::Value(_) => unsigned && of_result > width,
    }
}

impl Import {
    /// Converts an op with one result and computed sizes; returns `None` for other ops.
    pub(super) fn dynamic_op(&mut self, b: Builder, op: Op) -> Result<Option<Parts>> {
        let ty = op.result(0).ty();
        let parts = |import: &Import| import.operands(op)[0].clone();
        Ok(Some(match op.kind() {
            Kind::StablehloDynamicBroadcastInDim => {
                let dims = axes(&op.cast::<DynamicBroadcastInDim>().broadcast_dimensions());
                let sizes = self.computed_sizes(b, op, 1, ty);
                parts(self).into_iter().map(|x| self.broadcast_to(b, x, &dims, &sizes)).collect()
            }
            Kind::StablehloDynamicReshape => {
                let sizes = self.computed_sizes(b, op, 1, ty);
                let inputs = parts(self);
                let reshaped = |x: Value| self.reshaped(b, x, with_scalar(ty, x.ty().scalar()), &sizes);
                inputs.into_iter().map(reshaped).collect()
            }
            Kind::StablehloDynamicIota => {
                let axis = op.attribute("iota_dimension").and_then(Attribute::as_i64).unwrap_or(0).max(0) as usize;
                let sizes = self.computed_sizes(b, op, 0, ty);
                self.iota(b, ty, axis, &sizes)
            }
            Kind::StablehloDynamicGather => {
                let sizes = self.numbers(b, op.operand(2));
                let operands = self.operands(op);
                let indices = operands[1][0];
                let gathered = |&x: &Value| self.gather(b, op, x, indices, &sizes);
                operands[0].iter().map(gathered).collect()
            }
            Kind::StablehloDynamicPad => {
                let lists = [2, 3, 4].map(|k| self.numbers(b, op.operand(k)));
                let axis = |k: usize| Padding { low: lists[0][k], high: lists[1][k], interior: lists[2][k] };
                let axes: Vec<Padding> = (0..lists[0].len()).map(axis).collect();
                let operands = self.operands(op);
                let padded = |(&x, &padding): (&Value, &Value)| self.pad(b, x, padding, ty, &axes);
                operands[0].iter().zip(&operands[1]).map(padded).collect()
            }
            Kind::StablehloRealDynamicSlice => {
                let [starts, limits, strides] = [1, 2, 3].map(|k| self.numbers(b, op.operand(k)));
                let shape = ty.shape();
                let range = |k: usize| {
                    let computed = || {
                        let length = limits[k].subtract(b, starts[k]);
                        let rounded = length.add(b, strides[k]).subtract(b, Index::Known(1));
                        rounded.divide(b, strides[k]).maximum(b, Index::Known(0))
                    };
                    let size = shape[k].map_or_else(computed, |n| Index::Known(n as i64));
                    Range { offset: starts[k], size, stride: strides[k], dropped: false }
                };
                let ranges: Vec<Range> = (0..shape.len()).map(range).collect();
                parts(self).into_iter().map(|x| extracted(&mut self.sizes, b, x, &ranges)).collect()
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the sizes of a result: those in its type `ty`, and elements of operand `k` for the others.
    fn computed_sizes(&mut self, b: Builder, op: Op, k: usize, ty: Type) -> Vec<Index> {
        let computed = self.numbers(b, op.operand(k));
        let size = |(d, n): (&Option<usize>, Index)| d.map_or(n, |d| Index::Known(d as i64));
        ty.shape().iter().zip(computed).map(size).collect()
    }

    /// Returns the elements of a vector of integers, whose length is static.
    pub(super) fn numbers(&mut self, b: Builder, old: Value) -> Vec<Index> {
        let x = self.one(old);
        if let Some(numbers) = self.vectors.get(&x) {
            return numbers.clone();
        }
        let length = x.ty().shape().first().copied().flatten().unwrap_or(0);
        let number = Number::of(old.ty());
        (0..length).map(|k| as_index(b, b.get(x, &[b.index(k as i64)]), number)).collect()
    }

    /// Records the elements of a small vector of integers that `op` computes, if they are known as positions.
    pub(super) fn track_vector(&mut self, b: Builder, op: Op, z: Value) {
        let ty = op.result(0).ty();
        let is_vector = ty.rank() == 1 && ty.shape()[0].is_some_and(|n| n <= 16);
        if !is_vector || !matches!(Number::of(ty), Number::Signed | Number::Unsigned) {
            return;
        }
        let numbers = match op.kind() {
            Kind::StablehloConstant => {
                let width = ty.scalar().integer().map_or(64, |(width, _)| width);
                let mask = if Number::of(ty) == Number::Unsigned { u64::MAX >> (64 - width) } else { u64::MAX };
                let numbers = crate::analysis::edit::constant(z).and_then(types::integers);
                numbers.map(|numbers| numbers.into_iter().map(|n| Index::Known((n as u64 & mask) as i64)).collect())
            }
            Kind::StablehloReshape | Kind::StablehloBroadcastInDim if op.operand(0).ty().rank() == 0 => {
                let x = self.one(op.operand(0));
                let count = ty.shape()[0].unwrap_or(1);
                (!x.ty().is_tensor()).then(|| vec![self.index_of(b, x, Number::of(ty)); count])
            }
            Kind::StablehloConvert => {
                let numbers = self.vectors.get(&self.one(op.operand(0))).cloned();
                numbers.filter(|numbers| numbers.iter().all(|&n| is_kept(n, op.operand(0).ty(), ty)))
            }
            Kind::StablehloConcatenate => {
                let parts = op.operands().into_iter().map(|v| self.vectors.get(&self.one(v)).cloned());
                parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat())
            }
            _ => None,
        };
        if let Some(numbers) = numbers {
            self.vectors.insert(z, numbers);
        }
    }

    /// Records that `z`, an integer of type `ty`, is the size of an axis.
    pub(super) fn track_size(&mut self, z: Value, ty: Type, size: Index) {
        let position = match size {
            Index::Known(n) => Position { index: size, least: n, greatest: n },
            Index::Value(_) => Position { index: size, least: 0, greatest: i64::from(i32::MAX) },
        };
        self.track(z, ty, position);
    }

    /// Copies `x` as [`Import::broadcast`] does, where it is known only at run time which axes have size 1.
    fn broadcast_to(&mut self, b: Builder, x: Value, dims: &[usize], sizes: &[Index]) -> Value {
        let shape = x.ty().shape();
        let open = |k: &usize| shape[*k].is_none() && !self.sizes.size(b, x, *k).is_same(sizes[dims[*k]]);
        let open: Vec<usize> = (0..shape.len()).filter(open).collect();
        if open.is_empty() {
            return self.broadcast(b, x, dims, sizes);
        }
        // An axis of size 1 is read at 0.
        let (shape, extents) = crate::arrays::shapes::index::sizes(b, sizes);
        let inner = self.sizes.sizes(b, x);
        let z = b.gather(x, &shape, &extents, |b, position| {
            let axis = |k: usize| {
                let at = position[dims[k]];
                if !open.contains(&k) {
                    return if x.ty().shape()[k] == Some(1) { b.index(0) } else { at };
                }
                let is_one = compare(b, CmpIPredicate::Eq, inner[k], Index::Known(1));
                b.select(is_one, b.index(0), at)
            };
            (0..dims.len()).map(axis).collect()
        });
        self.sizes.sized(z, sizes)
    }

    /// Converts an assertion about sizes to a run-time check.
    pub(super) fn shape_assertion(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let ok = self.one(op.operand(0));
        let message = op.attribute("error_message").and_then(Attribute::as_string).unwrap_or_default();
        let number = |v: Value| as_index(b, self.one(v), Number::of(v.ty())).value(b);
        let values: Vec<Value> = op.operands()[1..].iter().take(4).map(|&v| number(v)).collect();
        // The message numbers its values: {0}, {1}. The check takes them in their order.
        let (mut text, mut used) = (String::new(), Vec::new());
        let mut rest = message.as_str();
        while let Some(start) = rest.find('{') {
            let (before, tail) = rest.split_at(start);
            text.push_str(before);
            let end = tail.find('}');
            let found = end.and_then(|end| tail[1..end].parse::<usize>().ok()).and_then(|k| values.get(k));
            match (found, end) {
                (Some(&value), Some(end)) if used.len() < 4 => {
                    used.push(value);
                    text.push_str("{}");
                    rest = &tail[end + 1..];
                }
                _ => {
                    text.push('(');
                    rest = &tail[1..];
                }
            }
        }
        text.push_str(rest);
        Check::create(b, ok, &used, "invalid-size", &text);
        Ok(Vec::new())
    }
}
