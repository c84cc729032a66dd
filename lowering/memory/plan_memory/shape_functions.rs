//! Emission of `@f.sizes`, which computes the sizes that a caller must know before it calls `@f`. The function repeats
//! the scalar arithmetic of `@f` on which these sizes depend.

use super::slices::BufferSlice;
use super::{Plan, SizeCheck};
use crate::abi::checks;
use crate::ir::*;
use std::collections::HashMap;

/// The limit on bytes of scratch memory: more is an overflow, and the arithmetic on sizes is exact below it.
const LIMIT: f64 = 4e18;

impl Plan<'_> {
    /// Creates `@f.sizes(inputs..., answer)`: `answer` receives the status, the bytes of scratch memory, and the
    /// run-time sizes of the results. Status 0 is success, -1 an overflow, `k` the failure of check `k - 1`.
    pub(super) fn answers(&mut self, end: Op) -> Result<Op> {
        let (ctx, loc) = (self.ctx, self.old.location());
        let word = ctx.int(64);
        let mut total = self.arena.total(loc);
        if self.stops || checks::has_checks(self.old) {
            // The values of a message are written to scratch memory, which has at least this size.
            let b = Builder::at_end(self.entry, loc);
            total = b.maxsi(total, b.index(checks::BYTES));
        }
        let mut sizes = Vec::new();
        for (value, ty) in end.operands().into_iter().zip(self.results.clone()) {
            for (axis, _) in ty.shape().iter().enumerate().filter(|(_, d)| d.is_none()) {
                let size = self.size(value, axis, end, Builder::at_end(self.entry, loc))?;
                sizes.push(self.decided(size)?);
            }
        }
        for k in 0..self.checks.len() {
            self.checks[k].condition = self.decided(self.checks[k].condition)?;
        }

        let inputs = &self.entry.arguments()[..self.inputs.len()];
        let types = types_of(inputs).into_iter().chain([ctx.memref(&[Some(2 + sizes.len())], word)]);
        let block = block_of(types, loc);
        let b = Builder::at_end(block, loc);
        let known = inputs.iter().copied().zip(block.arguments()).collect();
        let mut slice = Slice { b, known, user: self.old };
        let answer = block.argument(inputs.len());

        let mut status = b.number(word, 0);
        for (k, check) in self.checks.iter().enumerate().rev() {
            let condition = slice.value(check.condition)?;
            status = b.select(condition, status, b.number(word, k as i64 + 1));
        }
        // The sum is computed in floating point, where it cannot wrap; reuse of memory is not counted.
        let f64_ty = ctx.scalar(mlopt_dialects::value::Element::F64);
        let mut bytes = b.number(f64_ty, 0);
        for (element, lengths) in self.arena.placed.clone() {
            let mut one = b.number(f64_ty, element);
            for n in lengths {
                let n = slice.value(n)?;
                let n = b.value(Kind::ArithIndexCast, &[n], word, &[]);
                let n = b.value(Kind::ArithSitofp, &[n], f64_ty, &[]);
                one = b.same(Kind::ArithMulf, &[one, n]);
            }
            bytes = b.same(Kind::ArithAddf, &[bytes, one]);
        }
        let limit = b.constant(Attribute::float(f64_ty, LIMIT), f64_ty);
        let overflow = b.compare_floats(CmpFPredicate::Ogt, bytes, limit);
        status = b.select(overflow, b.number(word, -1), status);

        // If a check fails, `@f` itself stops. The values computed here do not need the checks, because every read is
        // total.
        block.ops().into_iter().flat_map(|op| nested_of(op, Kind::ArrayCheck)).for_each(Op::erase);
        let mut words = vec![status];
        for v in [total].into_iter().chain(sizes) {
            let v = slice.value(v)?;
            words.push(b.value(Kind::ArithIndexCast, &[v], word, &[]));
        }
        for (k, v) in words.into_iter().enumerate() {
            let at = b.index(k as i64);
            BufferSlice::of(answer).store(b, v, &[at]);
        }
        b.make(Kind::FuncReturn, &[], &[], &[]);
        let name = format!("{}.sizes", name_of(self.old));
        Ok(OpBuilder::function(Kind::FuncFunc, &name, block, &[], loc).build())
    }
}

impl Plan<'_> {
    /// Checks whether a value at the entry depends only on the inputs, so that `@f.sizes` can compute it.
    pub(super) fn is_answerable(&mut self, value: Value) -> bool {
        if let Some(known) = self.answerable.get(&value) {
            return *known;
        }
        let answerable = match (value.defining_op(), value.block_argument()) {
            (Some((op, _)), _) => operands_inside(op).into_iter().all(|v| self.is_answerable(v)),
            (_, Some((block, k))) => block == self.entry && k < self.inputs.len(),
            _ => false,
        };
        self.answerable.insert(value, answerable);
        answerable
    }

    /// Checks whether [`Plan::decided`] succeeds.
    pub(super) fn is_decidable(&mut self, value: Value) -> bool {
        if let Some(&known) = self.decidable.get(&value) {
            return known;
        }
        let decidable = self.is_answerable(value)
            || arithmetic(value).is_some_and(|op| {
                let chosen = if op.kind() == Kind::ArithSelect && op.result(0).ty().is_index() { 1 } else { 0 };
                op.operands()[chosen..].iter().all(|v| self.is_decidable(*v))
            });
        self.decidable.insert(value, decidable);
        decidable
    }

    /// Returns a size, or a condition on sizes, as a function of the inputs. A selection between two sizes by a
    /// condition that depends on computed arrays is replaced by one of them; a check then requires that both are equal.
    fn decided(&mut self, value: Value) -> Result<Value> {
        if self.is_answerable(value) {
            return Ok(value);
        }
        if let Some(&known) = self.decided.get(&value) {
            return Ok(known);
        }
        let decided = self.decide(value)?;
        self.decided.insert(value, decided);
        Ok(decided)
    }

    fn decide(&mut self, value: Value) -> Result<Value> {
        let b = Builder::at_end(self.entry, value.location());
        let Some(op) = arithmetic(value) else {
            return Err(self.old.not_supported("sizes must not depend on an array that the function computes"));
        };
        if op.kind() == Kind::ArithSelect && !self.is_answerable(op.operand(0)) {
            let (x, y) = (self.decided(op.operand(1))?, self.decided(op.operand(2))?);
            if x.ty().is_index() {
                let same = b.compare(Compare::Eq, x, y);
                let text = "both arrays of a selection must have the same sizes";
                let message = format!("{text} ({})", op.location().place_text());
                self.checks.push(SizeCheck { condition: same, message, mismatch: None });
                return Ok(x);
            }
        }
        let operands = op.operands().into_iter().map(|v| self.decided(v)).collect::<Result<Vec<_>, _>>()?;
        Ok(b.copy_with(op, &operands).result(0))
    }
}

/// Returns the arithmetic op that computes `value`, if any.
fn arithmetic(value: Value) -> Option<Op> {
    value.defining_op().map(|(op, _)| op).filter(|op| op.num_regions() == 0 && op.kind().dialect() == "arith")
}

/// Copies of the ops at the entry of a function on which some values depend.
struct Slice {
    b: Builder,
    known: HashMap<Value, Value>,
    user: Op,
}

impl Slice {
    fn value(&mut self, value: Value) -> Result<Value> {
        if let Some(v) = self.known.get(&value) {
            return Ok(*v);
        }
        let Some((op, r)) = value.defining_op() else {
            // `@f.sizes` has neither output buffers nor scratch memory.
            return Err(self.user.not_supported("sizes must not depend on an array that the function computes"));
        };
        for v in operands_inside(op) {
            self.value(v)?;
        }
        Ok(self.b.copy(op, &mut self.known).result(r))
    }
}
