//! Scalar integers that are computed from the number of an iteration, as positions of type `index` with their range.
//!
//! Programs compute positions in i32, limit them, and add the size to negative ones. Where the range is known, none of
//! this remains: `xs[i]` in a loop of `n` iterations over `n` rows is a read at `i`.

use super::Import;
use super::emit::Emit;
use super::types::Number;
use crate::analysis::edit;
use crate::arrays::shapes::index::Index;
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::Compare;
use mlopt_dialects::ops::{ComparisonDirection, HasKind, Kind};

/// A position with bounds that hold in every iteration.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub index: Index,
    pub least: i64,
    pub greatest: i64,
}

impl Position {
    fn known(n: i64) -> Position {
        Position { index: Index::Known(n), least: n, greatest: n }
    }
}

impl Import {
    /// Returns the integer scalar `x` as a position, if its range is known.
    pub(super) fn tracked(&self, x: Value, number: Number) -> Option<Position> {
        let constant = || edit::known(x).filter(|&n| number != Number::Unsigned || n >= 0).map(Position::known);
        self.positions.get(&x).copied().or_else(constant)
    }

    /// Records that `x`, an integer of type `ty`, equals a position, if its bounds fit into the type.
    pub(super) fn track(&mut self, x: Value, ty: Type, position: Position) {
        if fits(ty, position) {
            self.positions.insert(x, position);
        }
    }

    /// Returns the result of an op on integer scalars with known ranges, if it is one of the operands or a constant.
    pub(super) fn decided(&mut self, b: Builder, op: Op, x: &[Value]) -> Option<Value> {
        let ty = op.operand(0).ty();
        if ty.rank() > 0 || x.iter().any(|x| x.ty().is_tensor()) {
            return None;
        }
        match op.kind() {
            Kind::StablehloCompare => {
                let number = Number::of(ty);
                if !matches!(number, Number::Signed | Number::Unsigned) {
                    return None;
                }
                let (p, q) = (self.tracked(x[0], number)?, self.tracked(x[1], number)?);
                let less = (p.greatest < q.least, p.least >= q.greatest);
                let less_or_equal = (p.greatest <= q.least, p.least > q.greatest);
                let (yes, no) = match op.cast::<Compare>().comparison_direction() {
                    ComparisonDirection::Lt => less,
                    ComparisonDirection::Ge => (less.1, less.0),
                    ComparisonDirection::Le => less_or_equal,
                    ComparisonDirection::Gt => (less_or_equal.1, less_or_equal.0),
                    _ => return None,
                };
                (yes || no).then(|| b.bool(yes))
            }
            Kind::StablehloSelect => match edit::constant(x[0])?.as_i64()? {
                0 => Some(x[2]),
                _ => Some(x[1]),
            },
            _ => None,
        }
    }

    /// Records the range of `z`, the result of `op` at `x`, if those of its operands are known.
    pub(super) fn track_result(&mut self, b: Builder, op: Op, x: &[Value], z: Value) {
        let ty = op.result(0).ty();
        let number = Number::of(ty);
        if z.ty().is_tensor() || !matches!(number, Number::Signed | Number::Unsigned) || self.positions.is_empty() {
            return;
        }
        let of = |k: usize| self.tracked(x[k], Number::of(op.operand(k).ty()));
        let Some(p) = of(0) else { return };
        let position = match op.kind() {
            Kind::StablehloConvert => Some(p),
            Kind::StablehloAdd => of(1).and_then(|q| {
                let (least, greatest) = (p.least.checked_add(q.least)?, p.greatest.checked_add(q.greatest)?);
                Some(Position { index: p.index.add(b, q.index), least, greatest })
            }),
            Kind::StablehloSubtract => of(1).and_then(|q| {
                let (least, greatest) = (p.least.checked_sub(q.greatest)?, p.greatest.checked_sub(q.least)?);
                Some(Position { index: p.index.subtract(b, q.index), least, greatest })
            }),
            _ => None,
        };
        if let Some(position) = position {
            self.track(z, ty, position);
        }
    }

    /// Returns an integer scalar as a position.
    pub(super) fn index_of(&self, b: Builder, x: Value, number: Number) -> Index {
        self.tracked(x, number).map_or_else(|| super::shapes::as_index(b, x, number), |p| p.index)
    }

    /// Returns an integer scalar as a position, limited to `0..=greatest`.
    pub(super) fn limited(&self, b: Builder, old: Value, greatest: Index) -> Index {
        if greatest == Index::Known(0) {
            return greatest;
        }
        let number = Number::of(old.ty());
        let x = self.values[&old][0];
        let zero = Index::Known(0);
        match (self.tracked(x, number), greatest) {
            (Some(p), Index::Known(n)) if p.least >= 0 && p.greatest <= n => p.index,
            (Some(p), _) => p.index.maximum(b, zero).minimum(b, greatest),
            (None, _) => super::shapes::as_index(b, x, number).maximum(b, zero).minimum(b, greatest),
        }
    }

    /// Returns the number of an iteration as an integer of type `scalar`, and records that it is `position`.
    pub(super) fn counter(&mut self, b: Builder, ty: Type, scalar: Type, position: Position) -> Value {
        let value = match position.index {
            Index::Known(n) => b.constant(Attribute::integer(scalar, n), scalar),
            Index::Value(index) => Emit(b).cast(Kind::ArithIndexCast, index, scalar),
        };
        self.track(value, ty, position);
        value
    }
}

/// Checks whether all numbers of a range are numbers of an integer type.
pub fn fits(ty: Type, position: Position) -> bool {
    let Some((width, unsigned)) = ty.scalar().integer() else { return false };
    let (least, greatest) = match (width, unsigned) {
        (64, true) => (0, i64::MAX),
        (_, true) => (0, (1i64 << width) - 1),
        (_, false) => (i64::MIN >> (64 - width), i64::MAX >> (64 - width)),
    };
    position.least >= least && position.greatest <= greatest
}
