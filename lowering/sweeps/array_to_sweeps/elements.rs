//! Elements of arrays at indices that are known to be in range, and reads whose indices may be out of range.

use super::arrays::{Arr, Definition, Scope, Val};
use super::store::interleaved;
use super::{Lower, Size};
use crate::ir::*;
use crate::scf;
use std::rc::Rc;

impl Lower<'_> {
    /// Returns the element of `a` at `indices`, one per axis, all in range.
    pub(super) fn element(&mut self, a: &Rc<Arr>, indices: &[Value], b: Builder) -> Result<Value> {
        if let Definition::Splat(v) = a.definition {
            return Ok(v);
        }
        let key = (Rc::as_ptr(a), indices.to_vec());
        if let Some((_, v)) = self.memo.iter().rev().find_map(|frame| frame.get(&key)) {
            return Ok(*v);
        }
        let value = self.element_anew(a, indices, b)?;
        // The key contains the address of the array, so the entry keeps the array alive.
        self.memo.last_mut().expect("the entry has a frame").insert(key, (a.clone(), value));
        Ok(value)
    }

    fn element_anew(&mut self, a: &Rc<Arr>, indices: &[Value], b: Builder) -> Result<Value> {
        let scalar = a.ty.scalar();
        match &a.definition {
            Definition::Splat(v) => Ok(*v),
            Definition::Stored(t) => Ok(b.read(*t, indices)),
            Definition::Flat { tensor, base } => {
                let offset = self.linear(indices, &a.sizes, b);
                let at = self.arith(Kind::ArithAddi, *base, offset, b);
                Ok(b.read(*tensor, &[at]))
            }
            Definition::Replicate(x) => self.element(x, &indices[1..], b),
            Definition::Transpose(x, p) => {
                let mut there = indices.to_vec();
                for (j, axis) in p.iter().enumerate() {
                    there[*axis] = indices[j];
                }
                self.element(x, &there, b)
            }
            Definition::Get { of, leading, when } => self.element_if(*when, of, &[leading, indices].concat(), b),
            Definition::Reshape { of, checked } => self.reshaped(a, of, *checked, indices, b),
            Definition::Slice { of, start } => {
                let row = self.arith(Kind::ArithAddi, *start, indices[0], b);
                let is_inside = self.in_range(&of.sizes[..1], &[row], b);
                self.element_if(is_inside, of, &[&[row], &indices[1..]].concat(), b)
            }
            Definition::Reverse(x) => {
                let (n, one) = (self.size_value(x.sizes[0]), self.index(1));
                let last = self.arith(Kind::ArithSubi, n, one, b);
                let row = self.arith(Kind::ArithSubi, last, indices[0], b);
                self.element(x, &[&[row], &indices[1..]].concat(), b)
            }
            Definition::Iota => Ok(indices[0]),
            Definition::OneHot { of, at } => {
                let (leading, trailing) = indices.split_at(at.len());
                let conditions = leading.iter().zip(at).map(|(i, k)| b.compare(Compare::Eq, *i, *k));
                let here = conditions.reduce(|x, y| b.andi(x, y)).expect("verified: at least one index");
                match of {
                    Val::Scalar(v) => Ok(b.select(here, *v, self.zero(scalar))),
                    Val::Array(x) => self.element_if(Some(here), x, trailing, b),
                }
            }
            Definition::Join { parts, starts } => self.joined(parts, starts, indices, scalar, b),
            Definition::Padded(x) => self.checked(x, indices, b),
            Definition::Elementwise { op, operands } => {
                let elements = operands.iter().map(|x| match x {
                    Val::Scalar(v) => Ok(*v),
                    Val::Array(x) => self.element(x, indices, b),
                });
                let elements = elements.collect::<Result<Vec<_>, _>>()?;
                Ok(self.scalar_op(*op, &elements, scalar, b))
            }
            Definition::Choose { condition, then, other, alike: true } => {
                let (x, y) = (self.element(then, indices, b)?, self.element(other, indices, b)?);
                let value = b.select(*condition, x, y);
                self.note(value);
                Ok(value)
            }
            Definition::Choose { condition, then, other, alike: false } => self.branch(
                *condition,
                scalar,
                b,
                |lower, b| lower.element(then, indices, b),
                |lower, b| lower.element(other, indices, b),
            ),
            Definition::Build { op, scope, result } => {
                let body = op.entry();
                let (leading, trailing) = indices.split_at(body.num_arguments());
                match &self.run_body(*op, scope, leading, b)?[*result] {
                    Val::Scalar(v) => Ok(*v),
                    Val::Array(row) => self.element(row, trailing, b),
                }
            }
            Definition::Reduce { of, axes, kind, fastmath } => {
                let sizes: Vec<Size> = axes.iter().map(|k| of.sizes[*k]).collect();
                let nest = self.nest(b, &sizes, &[], |lower, b, reduced, _| {
                    let e = lower.element(of, &interleaved(axes, reduced, indices), b)?;
                    Ok(vec![(*kind, e, scalar)])
                })?;
                if let Some(fastmath) = fastmath {
                    nest.set_attribute("fastmath", *fastmath);
                }
                Ok(nest.result(0))
            }
            Definition::Search { of, axis, kind } => self.best(of, *axis, *kind, indices, b),
            Definition::Scatter { op, .. } => {
                Err(op.error("internal error: array-to-sweeps: a scatter is read before it is stored").emit())
            }
        }
    }

    /// Emits the body of a build or a gather for these indices. Returns its values, one element per result.
    pub(super) fn run_body(&mut self, op: Op, scope: &Rc<Scope>, indices: &[Value], b: Builder) -> Result<Vec<Val>> {
        let body = op.entry();
        let values = self.block(body, &Scope::of(scope, body, indices.iter().copied().map(Val::Scalar)), b)?;
        if op.kind() != Kind::ArrayGather {
            return Ok(values);
        }
        let positions: Vec<Value> = values.iter().map(Val::scalar).collect();
        let z = op.result(0).ty();
        let ty = Type::array(&z.shape()[indices.len()..], z.scalar());
        Ok(vec![self.get_at(&scope.get(op.operand(0)).array(), &positions, ty, b)?])
    }

    /// Returns the element of `a` at arbitrary indices: zero outside.
    pub(super) fn checked(&mut self, a: &Rc<Arr>, indices: &[Value], b: Builder) -> Result<Value> {
        let is_inside = self.in_range(&a.sizes, indices, b);
        self.element_if(is_inside, a, indices, b)
    }

    /// Returns the condition that each index is nonnegative and below its size, or `None` if it certainly holds.
    pub(super) fn in_range(&mut self, sizes: &[Size], indices: &[Value], b: Builder) -> Option<Value> {
        // Sizes are nonnegative, so an unsigned comparison also rejects negative indices.
        let is_below = |(i, n): (&Value, &Size)| {
            (!self.facts.in_range(*i, *n)).then(|| b.compare(Compare::Ult, *i, self.size_value(*n)))
        };
        indices.iter().zip(sizes).filter_map(is_below).reduce(|x, y| b.andi(x, y))
    }

    /// Returns the element of `a` at `indices` if a condition holds, else zero. It is a branch, because elements are
    /// read from memory.
    fn element_if(&mut self, condition: Option<Value>, a: &Rc<Arr>, indices: &[Value], b: Builder) -> Result<Value> {
        let Some(condition) = condition else { return self.element(a, indices, b) };
        let (ty, zero) = (a.ty.scalar(), self.zero(a.ty.scalar()));
        self.branch(condition, ty, b, |lower, b| lower.element(a, indices, b), |_, _| Ok(zero))
    }

    /// Emits `condition ? then() : other()` as a branch.
    pub(super) fn branch(
        &mut self,
        condition: Value,
        ty: Type,
        b: Builder,
        then: impl FnOnce(&mut Self, Builder) -> Result<Value>,
        other: impl FnOnce(&mut Self, Builder) -> Result<Value>,
    ) -> Result<Value> {
        let blocks = [Block::new(&[]), Block::new(&[])];
        let [first, second] = blocks.map(|block| Builder::at_end(block, b.location));
        let x = self.inside(blocks[0], |lower| then(lower, first))?;
        let y = self.inside(blocks[1], |lower| other(lower, second))?;
        first.make(Kind::ScfYield, &[x], &[], &[]);
        second.make(Kind::ScfYield, &[y], &[], &[]);
        Ok(scf::branch(b, condition, &[ty], blocks).result(0))
    }

    /// Returns an element of a concatenation. A binary search finds the part that contains it.
    fn joined(&mut self, parts: &[Val], starts: &[Size], indices: &[Value], ty: Type, b: Builder) -> Result<Value> {
        if let [part] = parts {
            return match part {
                Val::Scalar(v) => Ok(*v),
                Val::Array(x) if x.sizes.len() < indices.len() => self.element(x, &indices[1..], b),
                Val::Array(x) if self.facts.known(starts[0]) == Some(0) => self.element(x, indices, b),
                Val::Array(x) => {
                    let start = self.size_value(starts[0]);
                    let row = self.arith(Kind::ArithSubi, indices[0], start, b);
                    self.element(x, &[&[row], &indices[1..]].concat(), b)
                }
            };
        }
        let half = parts.len() / 2;
        if let (Some(i), Some(n)) = (self.facts.constant(indices[0]), self.facts.known(starts[half])) {
            let range = if i < n { 0..half } else { half..parts.len() };
            return self.joined(&parts[range.clone()], &starts[range], indices, ty, b);
        }
        let first = b.compare(Compare::Slt, indices[0], self.size_value(starts[half]));
        if parts.iter().all(|p| matches!(p, Val::Scalar(_))) {
            let x = self.joined(&parts[..half], &starts[..half], indices, ty, b)?;
            let y = self.joined(&parts[half..], &starts[half..], indices, ty, b)?;
            return Ok(b.select(first, x, y));
        }
        self.branch(
            first,
            ty,
            b,
            |lower, b| lower.joined(&parts[..half], &starts[..half], indices, ty, b),
            |lower, b| lower.joined(&parts[half..], &starts[half..], indices, ty, b),
        )
    }
}
