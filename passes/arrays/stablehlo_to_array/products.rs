//! Products of arrays: sums of products over shared axes.

use super::emit::Emit;
use super::shapes::axes;
use super::types::{self, Number};
use super::{Import, Parts, Result, complex};
use crate::arrays::shapes::index::Index;
use crate::arrays::shapes::sizes::spread;
use mlopt_dialects::ir::{Builder, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::DotGeneral;
use mlopt_dialects::ops::{HasKind, Kind};

/// The dimensions of a `dot_general`.
struct Dimensions {
    batch: [Vec<usize>; 2],
    contracted: [Vec<usize>; 2],
}

impl Dimensions {
    fn of(op: Op) -> Option<Dimensions> {
        if op.kind() == Kind::StablehloDot {
            let last = op.operand(0).ty().rank().checked_sub(1)?;
            let [batch, contracted] = [Default::default(), [vec![last], vec![0]]];
            return Some(Dimensions { batch, contracted });
        }
        let numbers = op.cast::<DotGeneral>().dot_dimension_numbers().integers()?;
        let mut lists = super::indexed::lists(&numbers).into_iter().map(|list| axes(&list));
        let mut next = || lists.next();
        let batch = [next()?, next()?];
        Some(Dimensions { batch, contracted: [next()?, next()?] })
    }
}

impl Import {
    /// Converts a product. The loops are the batch axes, the other axes of the left and of the right operand, and the
    /// contracted ones.
    pub(super) fn dot(&mut self, b: Builder, op: Op) -> Result<Parts> {
        let malformed = || op.not_supported("expected batching and contracting dimensions of both operands");
        let dims = Dimensions::of(op).ok_or_else(malformed)?;
        let result = op.result(0).ty();
        let number = Number::of(result);
        // Operands of fewer bits are converted to the type in which the sum is computed.
        let scalar = types::scalar(result.scalar()).expect("checked: the type has a counterpart");
        let accurate = match scalar.float_width() {
            Some(16) => b.context().scalar(mlopt_dialects::value::Element::F32),
            _ => scalar,
        };
        let accurate = Type::array(&result.shape(), accurate_of(result, accurate));
        let converted = |k: usize| {
            let old = op.operand(k);
            self.values[&old].iter().map(|&x| complex::part_converted(Emit(b), x, old.ty(), accurate)).collect()
        };
        let operands: [Parts; 2] = [converted(0), converted(1)];
        let mut extents: Vec<Index> = Vec::new();
        let mut loops: [Vec<Option<usize>>; 2] = [0, 1].map(|side| vec![None; operands[side][0].ty().rank()]);
        let loop_of = |import: &Import, extents: &mut Vec<Index>, side: usize, axis: usize| {
            extents.push(import.sizes.size(b, operands[side][0], axis));
            extents.len() - 1
        };
        for (&left, &right) in dims.batch[0].iter().zip(&dims.batch[1]) {
            let d = loop_of(self, &mut extents, 0, left);
            (loops[0][left], loops[1][right]) = (Some(d), Some(d));
        }
        for side in [0, 1] {
            for axis in 0..loops[side].len() {
                if loops[side][axis].is_none() && !dims.contracted[side].contains(&axis) {
                    loops[side][axis] = Some(loop_of(self, &mut extents, side, axis));
                }
            }
        }
        let kept = extents.len();
        for (&left, &right) in dims.contracted[0].iter().zip(&dims.contracted[1]) {
            let d = loop_of(self, &mut extents, 0, left);
            (loops[0][left], loops[1][right]) = (Some(d), Some(d));
        }
        let all: Vec<usize> = (0..extents.len()).collect();
        let mut factors: Vec<Parts> = Vec::new();
        for side in [0, 1] {
            let from: Option<Vec<usize>> = loops[side].iter().copied().collect();
            let from = from.ok_or_else(malformed)?;
            factors.push(operands[side].iter().map(|&x| spread(b, x, &from, &all, &extents)).collect());
        }
        let e = Emit(b);
        let sum_of_products = |x: Value, y: Value| {
            if number == Number::Bool {
                let products = e.and(x, y);
                return match kept == all.len() {
                    true => products,
                    false => super::reductions::Combiner::Or.reduce(e, number, products, &all[kept..]),
                };
            }
            let is_float = x.ty().scalar().is_float();
            let products = e.op(if is_float { Kind::ArithMulf } else { Kind::ArithMuli }, &[x, y]);
            if kept == all.len() { products } else { b.sum_axes(products, &all[kept..]) }
        };
        let mut parts = complex::product(e, &factors[0], &factors[1], sum_of_products);
        for z in &mut parts {
            *z = e.cast(Kind::ArithTruncf, *z, scalar);
            if z.ty().is_tensor() {
                self.sizes.sized(*z, &extents[..kept]);
            }
        }
        Ok(parts)
    }
}

/// Returns the StableHLO type of elements with which a sum is computed.
fn accurate_of(result: Type, accurate: Type) -> Type {
    if result.scalar().is_float() { accurate } else { result.scalar() }
}
