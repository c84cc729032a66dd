//! Translation of sequential loops: `array.ifold`, `array.fold`, `array.map_accum`, `scf.for` and `scf.while`.

use super::arrays::{Arr, Definition, Scope, Val};
use super::{Lower, ResultKind, Size};
use crate::ir::*;
use mlopt_dialects::ops::scf::While;
use std::rc::Rc;

impl Lower<'_> {
    pub(super) fn ifold(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let count = self.size_from(scope.get(op.operand(0)).scalar(), b);
        let inits: Vec<Val> = op.operands()[1..].iter().map(|v| scope.get(*v)).collect();
        self.sequential(op, count, &inits, scope, b, |_, i, _| Ok(vec![Val::Scalar(i)]))
    }

    /// Lowers `array.fold` and `array.map_accum`, which read rows in place.
    pub(super) fn fold(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let mut arrays: Vec<Rc<Arr>> = op.operand_segment(0).into_iter().map(|v| scope.get(v).array()).collect();
        // A known size is the preferred loop bound.
        let known = arrays.iter().find_map(|a| self.facts.known(a.sizes[0]));
        let count = known.map_or(arrays[0].sizes[0], Size::Known);
        for a in &mut arrays {
            let sizes = [&[count], &a.sizes[1..]].concat();
            *a = self.fitted(a, &sizes, op);
        }
        let inits: Vec<Val> = op.operand_segment(1).into_iter().map(|v| scope.get(v)).collect();
        let types = types_of(&op.entry().arguments());
        self.sequential(op, count, &inits, scope, b, |lower, i, b| {
            arrays.iter().zip(types).map(|(a, ty)| lower.get_at(a, &[i], ty, b)).collect()
        })
    }

    /// Lowers an `scf.for` with any bounds and step to a fold over the number of iterations.
    pub(super) fn scf_for(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let scalar = |k: usize| scope.get(op.operand(k)).scalar();
        let (from, to, step) = (scalar(0), scalar(1), scalar(2));
        let counter = from.ty();
        let (zero, one) = (self.zero(counter), self.integer(counter, 1));
        // A step that is not positive has no meaning, but it must not trap.
        let step = self.arith(Kind::ArithMaxsi, step, one, b);
        let distance = self.arith(Kind::ArithSubi, to, from, b);
        let distance = self.arith(Kind::ArithMaxsi, distance, zero, b);
        let count = match self.facts.constant(step) {
            Some(1) => distance,
            _ => b.same(Kind::ArithCeildivsi, &[distance, step]),
        };
        let cast = |lower: &mut Self, b: Builder, v: Value, ty: Type| {
            if v.ty() == ty {
                return v;
            }
            let cast = b.value(Kind::ArithIndexCast, &[v], ty, &[]);
            lower.note(cast);
            cast
        };
        let index = self.ctx.index();
        let count = cast(self, b, count, index);
        let count = self.size_from(count, b);
        let inits: Vec<Val> = op.operands()[3..].iter().map(|v| scope.get(*v)).collect();
        self.sequential(op, count, &inits, scope, b, |lower, i, b| {
            let i = cast(lower, b, i, counter);
            let scaled = lower.arith(Kind::ArithMuli, i, step, b);
            Ok(vec![Val::Scalar(lower.arith(Kind::ArithAddi, from, scaled, b))])
        })
    }

    /// Emits a loop that carries `inits` to the first results of `op`. The other values that the body yields are rows
    /// of the remaining results. `leading` computes the first arguments of the body from the number of the iteration.
    fn sequential(
        &mut self,
        op: Op,
        count: Size,
        inits: &[Val],
        scope: &Rc<Scope>,
        b: Builder,
        leading: impl FnOnce(&mut Self, Value, Builder) -> Result<Vec<Val>>,
    ) -> Result<()> {
        let body = op.entry();
        let types = types_of(&op.results());
        if self.facts.known(count) == Some(1) {
            return self.once(op, inits, scope, b, leading);
        }
        let stored = self.all_exactly(inits, &types, b)?;
        let sizes: Vec<Vec<Size>> = inits.iter().zip(&types).map(|(val, ty)| sizes_of(val, *ty)).collect();
        let emitted: Vec<usize> = (inits.len()..types.len()).filter(|r| !op.result(*r).is_unused()).collect();
        let mut rows = Vec::new();
        let nest = self.nest(b, &[count], &stored, |lower, b, indices, carried| {
            let mut values = leading(lower, indices[0], b)?;
            values.extend(carried.iter().zip(&sizes).map(|(value, sizes)| lower.stored(*value, Some(sizes.clone()))));
            let yielded = lower.block(body, &Scope::of(scope, body, values), b)?;
            let mut results = Vec::new();
            for (k, sizes) in sizes.iter().enumerate() {
                results.push((
                    ResultKind::Fold,
                    lower.carried(op, &yielded[k], types[k], sizes, Some(count), b)?,
                    types[k],
                ));
            }
            for r in &emitted {
                let (value, row) = lower.row(&yielded[*r], types[*r], 1, b)?;
                rows.push(row);
                results.push((ResultKind::Map, value, types[*r]));
            }
            Ok(results)
        })?;
        for (k, sizes) in sizes.into_iter().enumerate() {
            scope.set(op.result(k), self.stored(nest.result(k), Some(sizes)));
        }
        for (n, r) in emitted.iter().enumerate() {
            scope.set(op.result(*r), self.stacked(op, nest, inits.len() + n, &[count], &rows[n], b)?);
        }
        Ok(())
    }

    /// Emits [`Lower::sequential`] for a single iteration: its body in place of the loop.
    fn once(
        &mut self,
        op: Op,
        inits: &[Val],
        scope: &Rc<Scope>,
        b: Builder,
        leading: impl FnOnce(&mut Self, Value, Builder) -> Result<Vec<Val>>,
    ) -> Result<()> {
        let body = op.entry();
        let first = self.index(0);
        let mut values = leading(self, first, b)?;
        values.extend_from_slice(inits);
        let yielded = self.block(body, &Scope::of(scope, body, values), b)?;
        for (k, val) in yielded.iter().enumerate() {
            let (result, ty) = (op.result(k), op.result(k).ty());
            if k < inits.len() {
                let sizes = sizes_of(&inits[k], ty);
                let next = self.carried(op, val, ty, &sizes, Some(Size::Known(1)), b)?;
                scope.set(result, self.stored(next, Some(sizes)));
            } else if !result.is_unused() {
                let (row, sizes) = self.row(val, ty, 1, b)?;
                let definition = match self.stored(row, Some(sizes.clone())) {
                    Val::Scalar(x) => Definition::Splat(x),
                    Val::Array(row) => Definition::Replicate(row),
                };
                scope.set(
                    result,
                    Val::Array(Arr::shared([&[Size::Known(1)], sizes.as_slice()].concat(), ty, definition)),
                );
            }
        }
        Ok(())
    }

    /// Returns `val`, a value that `op`, a loop with `count` iterations, carries to the next iteration, with the sizes
    /// `sizes`. An `array` loop that changes the sizes has no meaning, and its value is padded; an `scf` loop that
    /// changes them is rejected.
    fn carried(
        &mut self,
        op: Op,
        val: &Val,
        ty: Type,
        sizes: &[Size],
        count: Option<Size>,
        b: Builder,
    ) -> Result<Value> {
        if let Val::Array(a) = val {
            // Inside the body, the loop has at least one iteration.
            let may_be_idle = |n: &Size| !self.facts.before_loops(|facts| facts.is_positive(*n));
            let agree = match count.filter(|_| op.kind() == Kind::ScfFor).filter(may_be_idle) {
                Some(count) => self.agree_if_run(&a.sizes, sizes, count, op),
                None => self.agree(&a.sizes, sizes, op),
            };
            if !agree && op.kind().dialect() == "scf" {
                return Err(op.not_supported("a carried array must have the same sizes in every iteration"));
            }
        }
        self.exactly(val, ty, Some(sizes), b)
    }

    /// Lowers `scf.while`, which remains a loop: `before` evaluates the condition and passes values to `after`, which
    /// passes the next arguments to `before`.
    pub(super) fn scf_while(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let [before, after] = [0, 1].map(|r| block_in(op, r));
        let (carried, handed) = (types_of(&op.operands()), types_of(&op.results()));
        let vals: Vec<Val> = op.operands().into_iter().map(|v| scope.get(v)).collect();
        let inits = self.all_exactly(&vals, &carried, b)?;
        let sizes: Vec<Vec<Size>> = vals.iter().zip(&carried).map(|(val, ty)| sizes_of(val, *ty)).collect();

        let first = block_of(carried.iter().copied(), b.location);
        let inner = Builder::at_end(first, b.location);
        let mut handed_sizes = Vec::new();
        self.inside(first, |lower| {
            let scope = lower.arguments_of(first, before, &sizes, scope);
            let values = lower.block(before, &scope, inner)?;
            let mut operands = vec![values[0].scalar()];
            for (val, ty) in values[1..].iter().zip(&handed) {
                operands.push(lower.exactly(val, *ty, None, inner)?);
                let Some(sizes) = lower.lifted(&sizes_of(val, *ty), b) else {
                    let text = "an array that `scf.condition` forwards must have the same sizes in every iteration";
                    return Err(op.not_supported(text));
                };
                handed_sizes.push(sizes);
            }
            inner.make(Kind::ScfCondition, &operands, &[], &[]);
            Ok(())
        })?;

        let second = block_of(handed.iter().copied(), b.location);
        let inner = Builder::at_end(second, b.location);
        self.inside(second, |lower| {
            let scope = lower.arguments_of(second, after, &handed_sizes, scope);
            let values = lower.block(after, &scope, inner)?;
            let next = values.iter().zip(&carried).zip(&sizes);
            let next = next.map(|((val, ty), sizes)| lower.carried(op, val, *ty, sizes, None, inner));
            let next = next.collect::<Result<Vec<_>, _>>()?;
            inner.make(Kind::ScfYield, &next, &[], &[]);
            Ok(())
        })?;

        let new = While::create(b, &inits, &handed, first, second);
        for ((old, new), sizes) in op.results().into_iter().zip(new.results()).zip(handed_sizes) {
            scope.set(old, self.stored(new, Some(sizes)));
        }
        Ok(())
    }

    /// Returns a scope that maps the arguments of the old block to those of the new one.
    fn arguments_of(&mut self, new: Block, old: Block, sizes: &[Vec<Size>], scope: &Rc<Scope>) -> Rc<Scope> {
        let values = new.arguments().into_iter().zip(sizes).map(|(new, sizes)| self.stored(new, Some(sizes.clone())));
        Scope::of(scope, old, values)
    }
}

/// Returns the sizes of a value of this type; those that the type determines are constants.
pub(super) fn sizes_of(val: &Val, ty: Type) -> Vec<Size> {
    let known = |(n, d): (&Size, Dim)| d.map_or(*n, |d| Size::Known(d as i64));
    val.sizes().iter().zip(ty.shape()).map(known).collect()
}
