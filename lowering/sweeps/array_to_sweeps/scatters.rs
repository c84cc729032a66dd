//! Translation of scatters, which add to an array at computed positions. `plan-memory` performs the additions in place
//! where possible.

use super::arrays::{Arr, Definition, Scope, Val};
use super::{Lower, Size};
use crate::ir::*;
use mlopt_dialects::sweep::ResultKind;
use std::rc::Rc;

impl Lower<'_> {
    pub(super) fn scatter(&mut self, op: Op, scope: &Rc<Scope>) -> Rc<Arr> {
        let sizes = scope.get(op.operand(1)).array().sizes.clone();
        Arr::shared(sizes, op.result(0).ty(), Definition::Scatter { op, scope: scope.clone() })
    }

    /// Emits `x + y` where `added`, one of them, is a scatter into zeros or a one-hot array without other uses: it is
    /// added to `other`. Returns `None` if their sizes may differ.
    pub(super) fn accumulated(&mut self, op: Op, added: &Rc<Arr>, other: &Rc<Arr>, b: Builder) -> Result<Option<Val>> {
        if !self.agree(&added.sizes, &other.sizes, op) {
            return Ok(None);
        }
        let ty = op.result(0).ty();
        let value = match &added.definition {
            Definition::Scatter { op: from, scope } => {
                self.scatter_to(*from, scope, &Val::Array(other.clone()), ty, b)?
            }
            Definition::OneHot { of, at } => {
                let init = self.exactly(&Val::Array(other.clone()), ty, None, b)?;
                self.add_part(init, &other.sizes, at, &Part::Value(of.clone()), b)?
            }
            _ => return Ok(None),
        };
        Ok(Some(self.stored(value, Some(other.sizes.clone()))))
    }

    /// Adds the parts of the scatter `op` to `init`. Returns a tensor of the type `ty`.
    pub(super) fn scatter_to(&mut self, op: Op, scope: &Rc<Scope>, init: &Val, ty: Type, b: Builder) -> Result<Value> {
        let body = op.entry();
        let (k, x) = (body.num_arguments(), scope.get(op.operand(0)));
        let sizes = init.array().sizes.clone();
        let indexed = body.end().num_operands();
        let x = match x {
            Val::Scalar(_) => x,
            Val::Array(a) => Val::Array(self.fitted(&a, &[&a.sizes[..k], &sizes[indexed..]].concat(), op)),
        };
        let init = self.exactly(init, ty, None, b)?;
        let part = |lower: &mut Self, z: Value, indices: &[Value], b: Builder| {
            let inner = Scope::of(scope, body, indices.iter().copied().map(Val::Scalar));
            let at: Vec<Value> = lower.block(body, &inner, b)?.iter().map(Val::scalar).collect();
            let part = match &x {
                Val::Array(a) if a.sizes.len() == k => Part::Element(a.clone(), indices.to_vec()),
                Val::Array(a) => Part::Value(Val::Array(a.behind(indices))),
                Val::Scalar(_) => Part::Value(x.clone()),
            };
            lower.add_part(z, &sizes, &at, &part, b)
        };
        if k == 0 {
            return part(self, init, &[], b);
        }
        let extents = x.array().sizes[..k].to_vec();
        let nest = self.nest(b, &extents, &[init], |lower, b, indices, so_far| {
            Ok(vec![(ResultKind::Fold, part(lower, so_far[0], indices, b)?, ty)])
        })?;
        Ok(nest.result(0))
    }

    /// Adds `part` to the subarray of the tensor `z` at the leading indices `at`, if they are in range.
    fn add_part(&mut self, z: Value, sizes: &[Size], at: &[Value], part: &Part, b: Builder) -> Result<Value> {
        let add = |lower: &mut Self, b: Builder| -> Result<Value> {
            let element = match part {
                Part::Element(a, indices) => lower.element(a, indices, b)?,
                Part::Value(Val::Scalar(v)) => *v,
                Part::Value(Val::Array(rows)) => {
                    let nest = lower.nest(b, &sizes[at.len()..], &[z], |lower, b, inner, so_far| {
                        let e = lower.element(rows, inner, b)?;
                        let operands = [&[e, so_far[0]], at, inner].concat();
                        Ok(vec![(ResultKind::Fold, b.value(Kind::SweepAdd, &operands, z.ty(), &[]), z.ty())])
                    })?;
                    return Ok(nest.result(0));
                }
            };
            Ok(b.value(Kind::SweepAdd, &[&[element, z], at].concat(), z.ty(), &[]))
        };
        match self.in_range(sizes, at, b) {
            None => add(self, b),
            Some(c) => self.branch(c, z.ty(), b, |lower, b| add(lower, b), |_, _| Ok(z)),
        }
    }
}

/// The addend at one position.
enum Part {
    /// The element of an array at these indices, computed only if it is needed.
    Element(Rc<Arr>, Vec<Value>),
    Value(Val),
}
