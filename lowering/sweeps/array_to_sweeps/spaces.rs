//! Translation of arrays that are defined by a function of the index (`array.build` and `array.gather`), and of reads
//! of one row.

use super::arrays::{Arr, Definition, Scope, Val};
use super::loops::sizes_of;
use super::{Lower, ResultKind, Size};
use crate::ir::*;
use std::rc::Rc;

impl Lower<'_> {
    pub(super) fn get(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<Val> {
        let x = scope.get(op.operand(0)).array();
        let indices: Vec<Value> = op.operands()[1..].iter().map(|v| scope.get(*v).scalar()).collect();
        self.get_at(&x, &indices, op.result(0).ty(), b)
    }

    /// Returns the subarray of `x` at leading indices: zero where an index is out of range.
    pub(super) fn get_at(&mut self, x: &Rc<Arr>, indices: &[Value], ty: Type, b: Builder) -> Result<Val> {
        if !ty.is_tensor() {
            return Ok(Val::Scalar(self.checked(x, indices, b)?));
        }
        let when = self.in_range(&x.sizes, indices, b);
        // The body of a fused build is emitted once, here, and not for each element of its row.
        if let Definition::Build { op: build, scope: outer, result } = &x.definition
            && when.is_none()
        {
            let k = build.entry().num_arguments();
            if indices.len() >= k {
                let (leading, trailing) = indices.split_at(k);
                let of = self.run_body(*build, outer, leading, b)?.swap_remove(*result).array();
                let sizes = of.sizes[trailing.len()..].to_vec();
                return Ok(Val::Array(Arr::shared(
                    sizes,
                    ty,
                    Definition::Get { of, leading: trailing.to_vec(), when },
                )));
            }
        }
        let sizes = x.sizes[indices.len()..].to_vec();
        Ok(Val::Array(Arr::shared(sizes, ty, Definition::Get { of: x.clone(), leading: indices.to_vec(), when })))
    }

    pub(super) fn gather(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Rc<Arr> {
        let ty = op.result(0).ty();
        let body = op.entry();
        let indexed = body.end().num_operands();
        let mut sizes = self.sizes_of(&ty.shape()[..body.num_arguments()], &op.operands()[1..], op, scope, b);
        sizes.extend(&scope.get(op.operand(0)).array().sizes[indexed..]);
        Arr::shared(sizes, ty, Definition::Build { op, scope: scope.clone(), result: 0 })
    }

    pub(super) fn build(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let k = op.entry().num_arguments();
        let extents = self.sizes_of(&op.result(0).ty().shape()[..k], &op.operands(), op, scope, b);
        let used: Vec<usize> = (0..op.num_results()).filter(|r| !op.result(*r).is_unused()).collect();
        if let [r] = used[..]
            && self.fusion.is_fused(op.result(r))
        {
            let ty = op.result(r).ty();
            let static_size = |d: &Dim| Size::Known(d.expect("only such builds are fused") as i64);
            let sizes = extents.iter().copied().chain(ty.shape()[k..].iter().map(static_size)).collect();
            let definition = Definition::Build { op, scope: scope.clone(), result: r };
            scope.set(op.result(r), Val::Array(Arr::shared(sizes, ty, definition)));
            return Ok(());
        }
        let mut rows: Vec<Vec<Size>> = Vec::new();
        let nest = self.nest(b, &extents, &[], |lower, b, indices, _| {
            let yielded = lower.run_body(op, scope, indices, b)?;
            let mut results = Vec::new();
            for r in &used {
                let (value, row) = lower.row(&yielded[*r], op.result(*r).ty(), k, b)?;
                rows.push(row);
                results.push((ResultKind::Map, value, op.result(*r).ty()));
            }
            Ok(results)
        })?;
        for (n, r) in used.iter().enumerate() {
            scope.set(op.result(*r), self.stacked(op, nest, n, &extents, &rows[n], b)?);
        }
        Ok(())
    }

    /// Returns an element, with its sizes, that becomes a row of an array of the type `ty` after `k` leading axes.
    pub(super) fn row(&mut self, val: &Val, ty: Type, k: usize, b: Builder) -> Result<(Value, Vec<Size>)> {
        let element = Type::array(&ty.shape()[k..], ty.scalar());
        let sizes = sizes_of(val, element);
        if let Val::Array(a) = val
            && let Definition::Stored(v) = a.definition
            && v.defining_op().is_none_or(|(maker, _)| maker.block() != Some(b.block))
        {
            // The array is copied immediately, so that a carried array may be updated in place afterwards.
            return Ok((self.store(&Arr::shared(sizes.clone(), element, Definition::Stored(v)), element, b)?, sizes));
        }
        Ok((self.exactly(val, element, None, b)?, sizes))
    }

    /// Returns result `n` of a nest. It holds rows of sizes `row`, which are values in the nest's body.
    pub(super) fn stacked(
        &mut self,
        op: Op,
        nest: Op,
        n: usize,
        extents: &[Size],
        row: &[Size],
        b: Builder,
    ) -> Result<Val> {
        // The sizes are emitted before the nest, because they become its operands.
        let Some(row) = self.lifted(row, Builder { next: Some(nest), ..b }) else {
            let text =
                "the arrays that the iterations compute must have the same sizes; these depend on the index or on data";
            return Err(op.not_supported(text));
        };
        Ok(self.stored(nest.result(n), Some([extents, row.as_slice()].concat())))
    }
}
