//! Translation of `scf.if` to a branch. If the arrays of its two branches have different sizes, it becomes a selection
//! of elements.

use super::arrays::{Arr, Definition, Scope, Val};
use super::loops::sizes_of;
use super::{Lower, Size};
use crate::abi::checks;
use crate::ir::*;
use crate::scf::branch;
use std::rc::Rc;

/// A value of one side, and its sizes.
type Side = (Value, Vec<Size>);

impl Lower<'_> {
    pub(super) fn scf_if(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let condition = scope.get(op.operand(0)).scalar();
        if op.num_results() == 0 && !checks::has_checks(op) {
            return Ok(());
        }
        if let Some(choice) = self.choice(op, condition, scope) {
            scope.set(op.result(0), choice);
            return Ok(());
        }
        let types = types_of(&op.results());
        let blocks = [Block::new(&[]), Block::new(&[])];
        let inner = blocks.map(|block| Builder::at_end(block, b.location));
        let mut side = |r: usize| -> Result<Vec<Side>> {
            // A missing branch yields no values.
            let Some(old) = op.region(r).first_block() else { return Ok(Vec::new()) };
            self.inside(blocks[r], |lower| {
                let values = lower.block(old, &Scope::new(Some(scope.clone())), inner[r])?;
                let new = lower.all_exactly(&values, &types, inner[r])?;
                Ok(new.into_iter().zip(values.iter().zip(&types).map(|(val, ty)| sizes_of(val, *ty))).collect())
            })
        };
        let (first, second) = (side(0)?, side(1)?);
        let mut sizes = Vec::new();
        for ((_, x), (_, y)) in first.iter().zip(&second) {
            let alike = x.iter().zip(y).all(|(m, n)| self.facts.same(*m, *n));
            sizes.push(if alike { self.lifted(x, b) } else { None });
        }
        let values = |side: &[Side]| side.iter().map(|s| s.0).collect::<Vec<_>>();
        let Some(sizes) = sizes.into_iter().collect::<Option<Vec<_>>>() else {
            if checks::has_checks(op) {
                let text = "branches that may stop with an error must return arrays of the same sizes";
                return Err(op.not_supported(text));
            }
            // Both branches are emitted before the selection, so that all sizes are known here. This is allowed because
            // every op is total.
            for block in blocks {
                for op in block.ops() {
                    b.insert(op.detach());
                }
                block.erase();
            }
            for (k, z) in op.results().into_iter().enumerate() {
                scope.set(z, self.chosen(condition, &first[k], &second[k], z.ty(), b)?);
            }
            return Ok(());
        };
        inner[0].make(Kind::ScfYield, &values(&first), &[], &[]);
        inner[1].make(Kind::ScfYield, &values(&second), &[], &[]);
        let new = branch(b, condition, &types, blocks);
        for ((old, new), sizes) in op.results().into_iter().zip(new.results()).zip(sizes) {
            scope.set(old, self.stored(new, Some(sizes)));
        }
        Ok(())
    }

    /// Returns the selection of one of two values that are defined in this block.
    fn chosen(&mut self, condition: Value, then: &Side, other: &Side, ty: Type, b: Builder) -> Result<Val> {
        if !ty.is_tensor() {
            return Ok(Val::Scalar(b.select(condition, then.0, other.0)));
        }
        let mut sizes = Vec::new();
        let mut alike = true;
        for (m, n) in then.1.iter().zip(&other.1) {
            if self.facts.same(*m, *n) {
                sizes.push(*m);
                continue;
            }
            alike = false;
            let (m, n) = (self.size_value(*m), self.size_value(*n));
            let size = b.select(condition, m, n);
            self.note(size);
            sizes.push(Size::Value(size));
        }
        let [then, other] = [then, other].map(|(v, sizes)| Arr::shared(sizes.clone(), ty, Definition::Stored(*v)));
        let a = Arr::shared(sizes.clone(), ty, Definition::Choose { condition, then, other, alike });
        let value = self.store(&a, ty, b)?;
        Ok(self.stored(value, Some(sizes)))
    }

    /// Selects between two available arrays of the same sizes for one consumer: the elements are selected where they
    /// are read.
    fn choice(&mut self, op: Op, condition: Value, scope: &Rc<Scope>) -> Option<Val> {
        let [z] = op.results()[..] else { return None };
        if !z.ty().is_tensor() || !self.fusion.is_fused(z) {
            return None;
        }
        let side = |r: usize| Some(scope.get(op.region(r).first_block()?.terminator()?.operand(0)).array());
        let (then, other): (Rc<Arr>, Rc<Arr>) = (side(0)?, side(1)?);
        let alike = then.sizes.iter().zip(&other.sizes).all(|(m, n)| self.facts.same(*m, *n));
        let definition = Definition::Choose { condition, then: then.clone(), other, alike: true };
        alike.then(|| Val::Array(Arr::shared(then.sizes.clone(), z.ty(), definition)))
    }
}
