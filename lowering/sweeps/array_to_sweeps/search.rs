//! Translation of `array.argmax` and `array.argmin`, which return the index of the first best element.
//!
//! A loop that carries the best element and its index needs a comparison and two selections in each iteration, and LLVM
//! does not vectorise it. Instead a plain reduction finds the best element of each block, and then the index is
//! searched within the best block:
//! ```text
//! for each block: m = max of the block; if m > best: best = m, start = the block's first index
//! index = the least i of the block at `start` with x[i] = best
//! ```
//! Elements of the best block are computed twice. Therefore an array whose elements are not cheap is searched element
//! by element.

use super::arrays::{Arr, Definition, Val};
use super::store::interleaved;
use super::{Lower, Size};
use crate::ir::*;
use crate::reduction::neutral;
use mlopt_dialects::sweep::ResultKind;
use std::rc::Rc;

/// The number of elements of a block: 16 KiB of f64, which are still in the L1 cache when the block is searched.
const BLOCK: i64 = 2048;
/// The minimum number of elements for which a second loop is profitable.
const FEW: i64 = 32;

impl Lower<'_> {
    /// Returns the index, along `axis`, of the best element of `of` at the other indices, `rest`.
    pub(super) fn best(
        &mut self,
        of: &Rc<Arr>,
        axis: usize,
        kind: ResultKind,
        rest: &[Value],
        b: Builder,
    ) -> Result<Value> {
        let size = of.sizes[axis];
        let few = self.facts.known(size).is_some_and(|n| n < FEW);
        let at = if few || !is_cheap(of) {
            self.one_by_one(of, axis, kind, rest, b)?
        } else {
            self.in_blocks(of, axis, kind, rest, b)?
        };
        if self.facts.is_positive(size) {
            self.facts.below(at, size);
        }
        Ok(at)
    }

    fn one_by_one(
        &mut self,
        of: &Rc<Arr>,
        axis: usize,
        kind: ResultKind,
        indices: &[Value],
        b: Builder,
    ) -> Result<Value> {
        let ty = of.ty.scalar();
        let start = [self.constant(neutral(kind, ty), ty), self.index(0)];
        let nest = self.nest(b, &of.sizes[axis..=axis], &start, |lower, b, r, so_far| {
            let e = lower.element(of, &interleaved(&[axis], r, indices), b)?;
            let ahead = is_ahead(b, kind, e, so_far[0]);
            let (best, at) = (b.select(ahead, e, so_far[0]), b.select(ahead, r[0], so_far[1]));
            Ok(vec![(ResultKind::Fold, best, ty), (ResultKind::Fold, at, b.context().index())])
        })?;
        Ok(nest.result(1))
    }

    fn in_blocks(
        &mut self,
        of: &Rc<Arr>,
        axis: usize,
        kind: ResultKind,
        indices: &[Value],
        b: Builder,
    ) -> Result<Value> {
        let (ty, index) = (of.ty.scalar(), b.context().index());
        let size = self.size_value(of.sizes[axis]);
        let block = self.index(BLOCK);
        let element = |lower: &mut Self, b: Builder, start: Value, k: Value| {
            let i = lower.arith(Kind::ArithAddi, start, k, b);
            lower.facts.below(i, of.sizes[axis]);
            Ok::<_, Reported>((i, lower.element(of, &interleaved(&[axis], &[i], indices), b)?))
        };
        let best_of = |lower: &mut Self, b: Builder, start: Value, n: Value| {
            let nest = lower.nest(b, &[Size::Value(n)], &[], |lower, b, k, _| {
                let (_, e) = element(lower, b, start, k[0])?;
                Ok(vec![(kind, e, ty)])
            })?;
            Ok::<_, Reported>(nest.result(0))
        };
        let better = |b: Builder, m: Value, start: Value, so_far: &[Value]| {
            let ahead = is_ahead(b, kind, m, so_far[0]);
            [b.select(ahead, m, so_far[0]), b.select(ahead, start, so_far[1])]
        };

        // Full blocks, then the remainder.
        let mut so_far = vec![self.constant(neutral(kind, ty), ty), self.index(0)];
        let blocks = b.same(Kind::ArithDivui, &[size, block]);
        if self.facts.known(of.sizes[axis]).is_none_or(|n| n >= BLOCK) {
            let nest = self.nest(b, &[Size::Value(blocks)], &so_far, |lower, b, k, so_far| {
                let start = lower.arith(Kind::ArithMuli, k[0], block, b);
                let m = best_of(lower, b, start, block)?;
                let [m, start] = better(b, m, start, so_far);
                Ok(vec![(ResultKind::Fold, m, ty), (ResultKind::Fold, start, index)])
            })?;
            so_far = nest.results();
        }
        let start = self.arith(Kind::ArithMuli, blocks, block, b);
        let rest = self.arith(Kind::ArithSubi, size, start, b);
        let m = best_of(self, b, start, rest)?;
        let [best, start] = better(b, m, start, &so_far);

        // The index in the best block; if all elements are NaN, there is none.
        let left = self.arith(Kind::ArithSubi, size, start, b);
        let length = self.arith(Kind::ArithMinsi, left, block, b);
        let nest = self.nest(b, &[Size::Value(length)], &[], |lower, b, k, _| {
            let (i, e) = element(lower, b, start, k[0])?;
            let same = match e.ty().is_float() {
                true => b.compare_floats(CmpFPredicate::Oeq, e, best),
                false => b.compare(Compare::Eq, e, best),
            };
            Ok(vec![(ResultKind::Min, b.select(same, i, size), index)])
        })?;
        let found = b.compare(Compare::Slt, nest.result(0), size);
        let zero = self.index(0);
        Ok(b.select(found, nest.result(0), zero))
    }
}

/// Checks whether an element is cheap enough to be computed twice.
fn is_cheap(a: &Arr) -> bool {
    match &a.definition {
        Definition::Stored(_) | Definition::Flat { .. } | Definition::Splat(_) | Definition::Iota => true,
        Definition::Replicate(x) | Definition::Transpose(x, _) | Definition::Reverse(x) | Definition::Padded(x) => {
            is_cheap(x)
        }
        Definition::Get { of, .. } | Definition::Slice { of, .. } => is_cheap(of),
        Definition::Elementwise { op, operands } => {
            op.kind().dialect() == "arith" && operands.iter().all(|v| !matches!(v, Val::Array(x) if !is_cheap(x)))
        }
        _ => false,
    }
}

/// Returns the condition that `x` is better than `best`, the best of all previous elements.
pub(super) fn is_ahead(b: Builder, kind: ResultKind, x: Value, best: Value) -> Value {
    match (kind == ResultKind::Max, x.ty().is_float()) {
        (true, true) => b.compare_floats(CmpFPredicate::Ogt, x, best),
        (false, true) => b.compare_floats(CmpFPredicate::Olt, x, best),
        (true, false) => b.compare(Compare::Sgt, x, best),
        (false, false) => b.compare(Compare::Slt, x, best),
    }
}
