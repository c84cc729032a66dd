//! Elements of arrays, computed or read at indices that are in range; and reads that may be out of range.

use super::arrays::{Arr, How, Scope, Val};
use super::sizes::Size;
use super::{Kind, Lower};
use crate::ir::*;
use mlopt_dialects::Reported;
use std::rc::Rc;

impl Lower<'_> {
    /// The element of `a` at `indices`, one per axis, all in range.
    pub(super) fn element(&mut self, a: &Rc<Arr>, indices: &[Value], b: Builder) -> Result<Value, Reported> {
        if let How::Splat(v) = a.how {
            return Ok(v);
        }
        let key = (Rc::as_ptr(a), indices.to_vec());
        if let Some((_, v)) = self.memo.iter().rev().find_map(|frame| frame.get(&key)) {
            return Ok(*v);
        }
        let value = self.element_anew(a, indices, b)?;
        // The array is kept alive, so that its address stays its own.
        self.memo.last_mut().expect("the entry has a frame").insert(key, (a.clone(), value));
        Ok(value)
    }

    fn element_anew(&mut self, a: &Rc<Arr>, indices: &[Value], b: Builder) -> Result<Value, Reported> {
        let scalar = a.ty.scalar();
        match &a.how {
            How::Splat(v) => Ok(*v),
            How::Stored(t) => Ok(b.value("tensor.extract", &[&[*t], indices].concat(), scalar, &[])),
            How::Replicate(x) => self.element(x, &indices[1..], b),
            How::Transpose(x, p) => {
                let mut there = indices.to_vec();
                for (j, axis) in p.iter().enumerate() {
                    there[*axis] = indices[j];
                }
                self.element(x, &there, b)
            }
            How::Get { of, leading, when } => {
                let there = [leading, indices].concat();
                match when {
                    None => self.element(of, &there, b),
                    Some(c) => self.if_else_zero(*c, scalar, b, |lower, b| lower.element(of, &there, b)),
                }
            }
            How::Padded(x) => self.checked(x, indices, b),
            How::Elementwise { op, operands } => {
                let mut elements = Vec::new();
                for x in operands {
                    elements.push(match x {
                        Val::Scalar(v) => *v,
                        Val::Array(x) => self.element(x, indices, b)?,
                    });
                }
                Ok(self.scalar_op(*op, &elements, scalar, b))
            }
            How::Choose { condition, then, other } => {
                let (x, y) = (self.element(then, indices, b)?, self.element(other, indices, b)?);
                Ok(b.select(*condition, x, y))
            }
            How::Build { op, scope, result } => {
                let body = op.body().expect("verified");
                let (leading, trailing) = indices.split_at(body.num_arguments());
                match &self.run_body(*op, scope, leading, b)?[*result] {
                    Val::Scalar(v) => Ok(*v),
                    Val::Array(row) => self.element(row, trailing, b),
                }
            }
            How::Sum(x) => {
                let nest = self.nest(b, &x.sizes[..1], &[], |lower, b, k, _| {
                    let e = lower.element(x, &[k, indices].concat(), b)?;
                    Ok(vec![(Kind::Sum, e, scalar)])
                })?;
                Ok(nest.result(0))
            }
        }
    }

    /// Emits the body of a build for these indices; its values, each one result's element.
    pub(super) fn run_body(
        &mut self,
        op: Op,
        scope: &Rc<Scope>,
        indices: &[Value],
        b: Builder,
    ) -> Result<Vec<Val>, Reported> {
        let body = op.body().expect("verified");
        let scope = Scope::new(Some(scope.clone()));
        for (old, new) in body.arguments().into_iter().zip(indices) {
            scope.set(old, Val::Scalar(*new));
        }
        self.block(body, &scope, b)
    }

    /// The element of `a` at any indices: zero outside.
    pub(super) fn checked(&mut self, a: &Rc<Arr>, indices: &[Value], b: Builder) -> Result<Value, Reported> {
        match self.in_range(&a.sizes, indices, b) {
            None => self.element(a, indices, b),
            Some(c) => self.if_else_zero(c, a.ty.scalar(), b, |lower, b| lower.element(a, indices, b)),
        }
    }

    /// A condition that holds when each index is below its size and not negative; `None` when that is certain.
    pub(super) fn in_range(&mut self, sizes: &[Size], indices: &[Value], b: Builder) -> Option<Value> {
        let mut all: Option<Value> = None;
        for (i, n) in indices.iter().zip(sizes) {
            if self.facts.in_range(*i, *n) {
                continue;
            }
            // Sizes are not negative: an unsigned comparison also refuses negative indices.
            let n = self.size_value(*n);
            let c = b.compare(Compare::Ult, *i, n);
            all = Some(match all {
                None => c,
                Some(before) => b.same("arith.andi", &[before, c]),
            });
        }
        all
    }

    /// `condition ? emit() : 0`, as a branch: `emit` may read memory.
    fn if_else_zero(
        &mut self,
        condition: Value,
        ty: Type,
        b: Builder,
        emit: impl FnOnce(&mut Self, Builder) -> Result<Value, Reported>,
    ) -> Result<Value, Reported> {
        let zero = self.zero(ty);
        let (then, other) = (Block::new(&[]), Block::new(&[]));
        let inner = Builder::at_end(then, b.location);
        let value = self.inside(then, |lower| emit(lower, inner))?;
        inner.make("scf.yield", &[value], &[], &[]);
        Builder::at_end(other, b.location).make("scf.yield", &[zero], &[], &[]);
        let op = b.op("scf.if").operands(&[condition]).results(&[ty]);
        let op = op.region(Region::with_block(then)).region(Region::with_block(other)).build();
        Ok(b.insert(op).result(0))
    }

    /// One `arith` or `math` op on scalars. Division is made total: LLVM's is undefined, and the processor traps, where the
    /// divisor is zero and where the quotient of the least number by -1 overflows; such a quotient is that by one.
    pub(super) fn scalar_op(&mut self, op: Op, operands: &[Value], ty: Type, b: Builder) -> Value {
        let mut operands = operands.to_vec();
        let signed = matches!(op.name(), "arith.divsi" | "arith.remsi" | "arith.ceildivsi" | "arith.floordivsi");
        if signed || matches!(op.name(), "arith.divui" | "arith.remui" | "arith.ceildivui") {
            let (x, y) = (operands[0], operands[1]);
            let constant = self.facts.constant(y).or_else(|| {
                y.defining_op().filter(|(op, _)| op.name() == "arith.constant")?.0.attribute("value")?.as_i64()
            });
            if constant.is_none_or(|c| c <= 0) {
                let (zero, one) = (self.zero(ty), self.constant(Attribute::integer(ty, 1), ty));
                let mut bad = b.compare(Compare::Eq, y, zero);
                if signed {
                    let bits = ty.element().map_or(64, |e| e.bytes() * 8);
                    let least = self.constant(Attribute::integer(ty, i64::MIN >> (64 - bits)), ty);
                    let minus_one = self.constant(Attribute::integer(ty, -1), ty);
                    let x_least = b.compare(Compare::Eq, x, least);
                    let y_minus_one = b.compare(Compare::Eq, y, minus_one);
                    let overflow = b.same("arith.andi", &[x_least, y_minus_one]);
                    bad = b.same("arith.ori", &[bad, overflow]);
                }
                operands[1] = b.select(bad, one, y);
            }
        }
        let attributes: Vec<(String, Attribute)> = op.attributes();
        let attributes: Vec<(&str, Attribute)> = attributes.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        let value = b.value(op.name(), &operands, ty, &attributes);
        self.note(value);
        value
    }
}
