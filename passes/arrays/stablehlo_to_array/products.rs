//! Products of arrays: sums of products over shared axes.

use super::emit::Emit;
use super::shapes::axes;
use super::types::{self, Number};
use super::{Import, Parts, complex};
use crate::arrays::shapes::index::{self, Index};
use crate::arrays::shapes::sizes::{spread, turned};
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::DotGeneral;
use mlopt_dialects::ops::{HasKind, Kind};

/// The greatest number of terms for which products of complex numbers are added without a loop.
const SHORT: i64 = 8;

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
    pub(super) fn dot(&mut self, b: Builder, op: Op) -> Parts {
        let dims = Dimensions::of(op).expect("verified: a product has dimensions");
        let operands = self.factors(b, op);
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
        let from = loops.map(|loops| loops.into_iter().map(|d| d.expect("every axis is a loop")).collect());
        self.product(b, op, [&operands[0], &operands[1]], &from, &extents, kept)
    }

    /// Returns the operands of a product. Those of fewer bits are converted to the type in which the sum is computed.
    fn factors(&self, b: Builder, op: Op) -> Vec<Parts> {
        let result = op.result(0).ty();
        let scalar = types::scalar(result.scalar()).expect("checked: the type has a counterpart");
        let accurate = match scalar.float_width() {
            Some(16) => b.context().scalar(mlopt_dialects::value::Element::F32),
            _ => scalar,
        };
        let accurate = Type::array(&result.shape(), accurate_of(result, accurate));
        let converted = |old: Value| -> Parts {
            self.values[&old].iter().map(|&x| complex::part_converted(Emit(b), x, old.ty(), accurate)).collect()
        };
        op.operands().into_iter().map(converted).collect()
    }

    /// Returns a product of arrays, the axes of which are loops over `extents`. The loops from `kept` on are summed.
    fn product(
        &mut self,
        b: Builder,
        op: Op,
        operands: [&Parts; 2],
        from: &[Vec<usize>; 2],
        extents: &[Index],
        kept: usize,
    ) -> Parts {
        let result = op.result(0).ty();
        let number = Number::of(result);
        let scalar = types::scalar(result.scalar()).expect("checked: the type has a counterpart");
        let all: Vec<usize> = (0..extents.len()).collect();
        let e = Emit(b);
        let multiply = |x: Value, y: Value| match (number, x.ty().scalar().is_float()) {
            (Number::Bool, _) => e.and(x, y),
            (_, true) => e.mul(x, y),
            (_, false) => e.op(Kind::ArithMuli, &[x, y]),
        };
        let sum = |x: Value| match number {
            _ if kept == all.len() => x,
            Number::Bool => super::reductions::Combiner::Or.reduce(e, number, x, &all[kept..]),
            _ => b.sum_axes(x, &all[kept..]),
        };
        let factor = |side: usize| operands[side].iter().map(|&x| spread(b, x, &from[side], &all, extents)).collect();
        let mut parts = match short_sum(&extents[kept..]).filter(|_| number == Number::Complex) {
            // The terms are added one after the other.
            Some(positions) => {
                let term = |position: &[usize]| {
                    let factor = |side: usize| -> Parts {
                        let element = |&x: &Value| term_of(b, x, &from[side], kept, position, extents);
                        operands[side].iter().map(element).collect()
                    };
                    complex::product(e, &factor(0), &factor(1), multiply)
                };
                let terms: Vec<Parts> = positions.iter().map(|position| term(position)).collect();
                let added = |x: Parts, y: Parts| x.iter().zip(&y).map(|(&x, &y)| e.add(x, y)).collect();
                terms.into_iter().reduce(added).expect("a short sum has a term")
            }
            None => {
                let factors: [Parts; 2] = [factor(0), factor(1)];
                complex::product(e, &factors[0], &factors[1], |x, y| sum(multiply(x, y)))
            }
        };
        for z in &mut parts {
            *z = e.cast(Kind::ArithTruncf, *z, scalar);
            if z.ty().is_tensor() {
                self.sizes.sized(*z, &extents[..kept]);
            }
        }
        parts
    }

    /// Converts a product or a sum in Einstein's notation. The loops are the axes of the result and the summed ones.
    pub(super) fn einsum(&mut self, b: Builder, op: Op) -> Parts {
        let config = op.attribute("einsum_config").and_then(Attribute::as_string).unwrap_or_default();
        let (left, right) = config.split_once("->").expect("verified: the form is `ij,jk->ik`");
        let letters = |part: &str| part.chars().filter(|c| *c != ' ').collect::<Vec<char>>();
        let parts: Vec<Vec<char>> = left.split(',').map(letters).collect();
        let mut loops = letters(right);
        let kept = loops.len();
        parts.iter().flatten().for_each(|letter| {
            if !loops.contains(letter) {
                loops.push(*letter);
            }
        });
        let mut operands = self.factors(b, op);
        let size_of = |import: &Import, letter: &char| {
            let sizes = operands
                .iter()
                .zip(&parts)
                .filter_map(|(x, part)| Some(import.sizes.size(b, x[0], part.iter().position(|l| l == letter)?)));
            let sizes: Vec<Index> = sizes.collect();
            sizes.iter().copied().find(|n| matches!(n, Index::Known(_))).or(sizes.first().copied())
        };
        let extent = |letter| size_of(self, letter).expect("verified: every letter is one of an operand");
        let extents: Vec<Index> = loops.iter().map(extent).collect();
        let loop_of = |letter: &char| loops.iter().position(|l| l == letter).expect("every letter is a loop");
        let mut from: Vec<Vec<usize>> = Vec::new();
        for (x, part) in operands.iter_mut().zip(&parts) {
            // Of axes with one letter, the diagonal is taken.
            let mut distinct: Vec<char> = Vec::new();
            part.iter().for_each(|letter| {
                if !distinct.contains(letter) {
                    distinct.push(*letter);
                }
            });
            if distinct.len() < part.len() {
                let sizes: Vec<Index> = distinct.iter().map(|letter| extents[loop_of(letter)]).collect();
                let (shape, run_time) = index::sizes(b, &sizes);
                let diagonal = |x: Value| {
                    let z = b.gather(x, &shape, &run_time, |_, position| {
                        let axis = |letter| distinct.iter().position(|l| l == letter).expect("a letter of the operand");
                        part.iter().map(|letter| position[axis(letter)]).collect()
                    });
                    self.sizes.sized(z, &sizes)
                };
                *x = x.iter().copied().map(diagonal).collect();
            }
            from.push(distinct.iter().map(loop_of).collect());
        }
        match (&operands[..], &from[..]) {
            ([x, y], [of_x, of_y]) => self.product(b, op, [x, y], &[of_x.clone(), of_y.clone()], &extents, kept),
            _ => {
                let (x, of_x) = (&operands[0], &from[0]);
                let scalar = types::scalar(op.result(0).ty().scalar()).expect("checked: the type has a counterpart");
                let number = Number::of(op.result(0).ty());
                let all: Vec<usize> = (0..loops.len()).collect();
                let part = |&x: &Value| {
                    let x = spread(b, x, of_x, &all, &extents);
                    let z = match number {
                        _ if kept == all.len() => x,
                        Number::Bool => super::reductions::Combiner::Or.reduce(Emit(b), number, x, &all[kept..]),
                        _ => b.sum_axes(x, &all[kept..]),
                    };
                    Emit(b).cast(Kind::ArithTruncf, z, scalar)
                };
                x.iter().map(part).collect()
            }
        }
    }
}

/// Returns the positions in the contracted axes, if there are few.
fn short_sum(extents: &[Index]) -> Option<Vec<Vec<usize>>> {
    let mut positions = vec![Vec::new()];
    for &extent in extents {
        let Index::Known(n @ 1..=SHORT) = extent else { return None };
        positions = positions.iter().flat_map(|p| (0..n as usize).map(|k| [p.as_slice(), &[k]].concat())).collect();
        if positions.len() > SHORT as usize {
            return None;
        }
    }
    Some(positions)
}

/// Returns the part of `x`, whose axes are the loops `from`, at a position of the contracted loops, which are those
/// from `kept` on, as an array over the other loops.
fn term_of(b: Builder, x: Value, from: &[usize], kept: usize, position: &[usize], extents: &[Index]) -> Value {
    let contracted: Vec<usize> = (kept..extents.len()).collect();
    let others: Vec<usize> = from.iter().copied().filter(|&d| d < kept).collect();
    let x = turned(b, x, from, &[contracted.as_slice(), &others].concat());
    let x = match position {
        [] => x,
        _ => b.get(x, &position.iter().map(|&k| b.index(k as i64)).collect::<Vec<_>>()),
    };
    spread(b, x, &others, &(0..kept).collect::<Vec<_>>(), extents)
}

/// Returns the StableHLO type of elements with which a sum is computed.
fn accurate_of(result: Type, accurate: Type) -> Type {
    if result.scalar().is_float() { accurate } else { result.scalar() }
}
