//! Emission of arrays that are stored: a nest computes every element, in a form that depends on the definition of the
//! array.

use super::arrays::{Arr, Definition, Val};
use super::search::is_ahead;
use super::{Lower, Size};
use crate::ir::*;
use crate::reduction::{combine, neutral};
use mlopt_dialects::sweep::ResultKind;
use std::rc::Rc;

impl Lower<'_> {
    /// Returns `val` as a value of exactly this type, and of these sizes if they are given. It is `val` itself if that
    /// has them, otherwise a value that is computed in this block.
    pub(super) fn exactly(&mut self, val: &Val, ty: Type, sizes: Option<&[Size]>, b: Builder) -> Result<Value> {
        let a = match val {
            Val::Scalar(v) => return Ok(*v),
            Val::Array(a) => a,
        };
        let fits = sizes.is_none_or(|want| want.iter().zip(&a.sizes).all(|(w, h)| self.facts.same(*w, *h)));
        if !fits {
            let sizes = sizes.unwrap_or(&a.sizes).to_vec();
            return self.store(&Arr::shared(sizes, ty, Definition::Padded(a.clone())), ty, b);
        }
        match a.definition {
            Definition::Stored(v) if v.ty() == ty => Ok(v),
            Definition::Stored(v) => Ok(self.alias(v, &a.sizes, ty, b)),
            _ => self.store(a, ty, b),
        }
    }

    /// Returns [`Lower::exactly`] for several values.
    pub(super) fn all_exactly(&mut self, vals: &[Val], types: &[Type], b: Builder) -> Result<Vec<Value>> {
        vals.iter().zip(types).map(|(val, ty)| self.exactly(val, *ty, None, b)).collect()
    }

    /// Returns the stored array `x` with another type and other sizes, and the same number of elements.
    pub(super) fn alias(&mut self, x: Value, sizes: &[Size], ty: Type, b: Builder) -> Value {
        let operands = [&[x], self.dynamic(sizes, ty).as_slice()].concat();
        b.value(Kind::SweepReshape, &operands, ty, &[])
    }

    /// Returns the sizes that accompany a type as operands: one for each `?`.
    pub(super) fn dynamic(&mut self, sizes: &[Size], ty: Type) -> Vec<Value> {
        let shape = ty.shape();
        sizes.iter().zip(&shape).filter(|(_, d)| d.is_none()).map(|(n, _)| self.size_value(*n)).collect()
    }

    /// Computes all elements of `a` into a new tensor of the type `ty`, which has the sizes of `a`.
    pub(super) fn store(&mut self, a: &Rc<Arr>, ty: Type, b: Builder) -> Result<Value> {
        match &a.definition {
            Definition::Join { parts, .. } => return self.join(a, parts, ty, b),
            Definition::Scatter { op, scope } => {
                return self.scatter_to(*op, scope, &scope.get(op.operand(1)), ty, b);
            }
            Definition::Reduce { of, axes, kind, fastmath }
                if !of.runs_fastest(axes[axes.len() - 1]) && (*kind != ResultKind::Sum || !of.contracts(axes)) =>
            {
                let (kind, fastmath, scalar) = (*kind, *fastmath, ty.scalar());
                return self.advance(a, of, axes, ty, b, &[neutral(kind, scalar)], |_, b, so_far, e, _| {
                    vec![combine(b, kind, so_far[0], e, fastmath, true)]
                });
            }
            Definition::Search { of, axis, kind } if !of.runs_fastest(*axis) => {
                let (kind, scalar) = (*kind, of.ty.scalar());
                let start = [Attribute::integer(self.ctx.index(), 0), neutral(kind, scalar)];
                return self.advance(a, of, &[*axis], ty, b, &start, |_, b, so_far, e, r| {
                    let ahead = is_ahead(b, kind, e, so_far[1]);
                    vec![b.select(ahead, r[0], so_far[0]), b.select(ahead, e, so_far[1])]
                });
            }
            Definition::Build { op, scope, .. } if op.kind() == Kind::ArrayGather => {
                let k = op.entry().num_arguments();
                if k < a.sizes.len() {
                    // The positions of a row are computed once.
                    let nest = self.nest(b, &a.sizes[..k], &[], |lower, b, indices, _| {
                        let row = lower.run_body(*op, scope, indices, b)?.remove(0);
                        let element = Type::array(&ty.shape()[k..], ty.scalar());
                        Ok(vec![(ResultKind::Map, lower.exactly(&row, element, Some(&a.sizes[k..]), b)?, ty)])
                    })?;
                    return Ok(nest.result(0));
                }
            }
            _ => {}
        }
        let nest = self.nest(b, &a.sizes, &[], |lower, b, indices, _| {
            let e = lower.element(a, indices, b)?;
            Ok(vec![(ResultKind::Map, e, ty)])
        })?;
        Ok(nest.result(0))
    }

    /// Joins separately computed parts. Where possible, `plan-memory` lets them be computed in the memory of the
    /// result.
    fn join(&mut self, a: &Rc<Arr>, parts: &[Val], ty: Type, b: Builder) -> Result<Value> {
        let row = ty.shape()[1..].to_vec();
        let mut values = Vec::new();
        for part in parts {
            let of = |n: Dim, rows: &[Dim]| Type::tensor(&[&[n], rows].concat(), ty.scalar());
            values.push(match part {
                Val::Scalar(v) => *v,
                Val::Array(x) if x.sizes.len() < a.sizes.len() => {
                    self.exactly(part, Type::array(&row, ty.scalar()), Some(&a.sizes[1..]), b)?
                }
                Val::Array(x) => {
                    let n = self.facts.known(x.sizes[0]).and_then(|n| usize::try_from(n).ok());
                    let sizes = [&x.sizes[..1], &a.sizes[1..]].concat();
                    self.exactly(part, of(n, &row), Some(&sizes), b)?
                }
            });
        }
        let dynamic = self.dynamic(&a.sizes, ty);
        let join = b.op(Kind::SweepJoin).operand_segments(&[&values, &dynamic]).results(&[ty]);
        Ok(b.insert(join.build()).result(0))
    }

    /// Emits reductions of columns that advance together, row by row, so that memory is read in order: state = start;
    /// for the reduced indices r: for the other indices s: state[s] = step(state[s], of[r, s], r). The result is the
    /// first state.
    #[allow(clippy::too_many_arguments)]
    fn advance(
        &mut self,
        a: &Rc<Arr>,
        of: &Rc<Arr>,
        axes: &[usize],
        ty: Type,
        b: Builder,
        start: &[Attribute],
        step: impl Fn(&mut Self, Builder, &[Value], Value, &[Value]) -> Vec<Value> + Copy,
    ) -> Result<Value> {
        // Axes before the reduced ones remain outer loops.
        let outside = axes[0];
        if outside > 0 {
            let axes: Vec<usize> = axes.iter().map(|k| k - outside).collect();
            let nest = self.nest(b, &a.sizes[..outside], &[], |lower, b, indices, _| {
                let (a, of) = (a.behind(indices), of.behind(indices));
                let row = lower.advance(&a, &of, &axes, a.ty, b, start, step)?;
                Ok(vec![(ResultKind::Map, row, ty)])
            })?;
            return Ok(nest.result(0));
        }
        let mut states = Vec::new();
        for (k, value) in start.iter().enumerate() {
            let element = if k == 0 { ty.scalar() } else { of.ty.scalar() };
            let ty = Type::tensor(&ty.shape(), element);
            let start = self.constant(*value, element);
            let splat = Arr::shared(a.sizes.clone(), ty, Definition::Splat(start));
            states.push(self.store(&splat, ty, b)?);
        }
        let reduced: Vec<Size> = axes.iter().map(|k| of.sizes[*k]).collect();
        let nest = self.nest(b, &reduced, &states, |lower, b, outer, carried| {
            let so_far: Vec<Rc<Arr>> =
                carried.iter().map(|v| lower.stored(*v, Some(a.sizes.clone())).array()).collect();
            let row = lower.nest(b, &a.sizes, &[], |lower, b, inner, _| {
                let values = so_far.iter().map(|z| lower.element(z, inner, b)).collect::<Result<Vec<_>, _>>()?;
                let e = lower.element(of, &interleaved(axes, outer, inner), b)?;
                let next = step(lower, b, &values, e, outer);
                Ok(next.into_iter().zip(carried).map(|(v, c)| (ResultKind::Map, v, c.ty())).collect())
            })?;
            Ok(row.results().into_iter().map(|v| (ResultKind::Fold, v, v.ty())).collect())
        })?;
        Ok(nest.result(0))
    }
}

/// Returns the indices of an array: `reduced` at `axes`, `kept` at the others, each in order.
pub(super) fn interleaved(axes: &[usize], reduced: &[Value], kept: &[Value]) -> Vec<Value> {
    let (mut reduced, mut kept) = (reduced.iter(), kept.iter());
    let mut all = Vec::new();
    while let Some(i) = if axes.contains(&all.len()) { reduced.next() } else { kept.next() } {
        all.push(*i);
    }
    all
}
