//! Sizes of new arrays: the sizes that the program states, and the conditions on sizes that the caller must meet.

use super::arrays::{Arr, Definition, Scope, Val};
use super::{Lower, Size};
use crate::abi::MISMATCH;
use crate::ir::*;
use mlopt_dialects::value::Element;
use std::rc::Rc;

/// The maximum number of elements of an array. Larger ones are rejected even if they would not be stored, because a
/// loop of that length does not finish in useful time.
const MAX_ELEMENTS: i64 = 1 << 40;

/// Products of sizes are exact below this bound.
const EXACT: f64 = 4e18;

impl Lower<'_> {
    /// Rejects results that are too large for all run-time sizes.
    pub(super) fn check_sizes(&self, op: Op) -> Result<()> {
        for ty in op.results().into_iter().map(Value::ty).filter(|t| t.is_tensor()) {
            let known = ty.shape().into_iter().flatten().try_fold(1i64, |n, d| n.checked_mul(i64::try_from(d).ok()?));
            if known.is_none_or(|n| n > MAX_ELEMENTS) {
                let text = format!("an array of type {ty} is too large: expected at most {MAX_ELEMENTS} elements");
                return Err(op.error(text).emit());
            }
        }
        Ok(())
    }

    /// Converts an `index` into a size: a negative one becomes zero.
    pub(super) fn size_from(&mut self, n: Value, b: Builder) -> Size {
        if let Some(k) = self.facts.constant(n) {
            return Size::Known(k.max(0));
        }
        if self.is_never_negative(n) {
            return Size::Value(n);
        }
        let zero = self.index(0);
        // Inside a loop over m, m - 1 is nonnegative; before that loop it may be negative.
        if self.facts.at_least_zero(n) {
            return Size::Value(self.arith(Kind::ArithMaxsi, n, zero, b));
        }
        let clamped = b.same(Kind::ArithMaxsi, &[n, zero]);
        self.facts.is_chosen_size(clamped, n);
        Size::Value(clamped)
    }

    /// Returns the extent of an array that `op` creates: a size that is not excessive.
    pub(super) fn extent(&mut self, n: Value, op: Op, b: Builder) -> Size {
        let size = self.size_from(n, b);
        if let Size::Value(v) = size
            && self.facts.is_new(v)
        {
            let at = Builder::at_end(self.entry, op.location());
            // The number of iterations of an `scf.while` is not known before it has run; the memory is allocated
            // afterwards.
            if let Some(v) = self.lift(v, at).filter(|v| !is_counted(*v)) {
                let fits = at.compare(Compare::Sle, v, self.index(MAX_ELEMENTS));
                self.require(fits, format!("an extent of '{}' is too large", op.name()), op);
            }
        }
        size
    }

    /// Returns the sizes of `array.build`: known ones from the type, the others from operands, in order.
    pub(super) fn sizes_of(
        &mut self,
        shape: &[Dim],
        given: &[Value],
        op: Op,
        scope: &Rc<Scope>,
        b: Builder,
    ) -> Vec<Size> {
        let mut given = given.iter();
        let size = |dim: &Dim| match dim {
            Some(n) => Size::Known(*n as i64),
            None => self.extent(scope.get(*given.next().expect("verified: one per `?`")).scalar(), op, b),
        };
        shape.iter().map(size).collect()
    }

    /// Returns `sizes` where `ty` has `?`, and the sizes of `ty` elsewhere. The caller is required to provide equal
    /// ones; sizes that are not known at the function's entry are checked at `b`, except in loops of `array`, which
    /// contain no checks.
    pub(super) fn sizes_as(&mut self, sizes: &[Size], ty: Type, op: Op, b: Builder) -> Result<Vec<Size>> {
        let mut around = std::iter::successors(op.parent_op(), |op| op.parent_op());
        let may_check = around.all(|op| op.kind().dialect() != "array");
        let size_as = |(size, dim): (&Size, Dim)| {
            let known = dim.map_or(*size, |n| Size::Known(n as i64));
            if dim.is_some() && !self.facts.same(*size, known) && !self.require_same(*size, known, op) {
                if !may_check {
                    return Err(op.not_supported("the sizes of an array must not depend on the iteration"));
                }
                let (have, want) = (self.size_value(*size), self.size_value(known));
                let same = b.compare(Compare::Eq, have, want);
                let text = format!("operands of '{}' have different sizes: {{}} and {{}}", op.name());
                let attributes = [("code", "shape-mismatch"), ("text", &text)];
                let attributes = attributes.map(|(name, text)| (name, self.ctx.string_attr(text)));
                b.make(Kind::ArrayCheck, &[same, have, want], &[], &attributes);
            }
            Ok(known)
        };
        sizes.iter().zip(ty.shape()).map(size_as).collect()
    }

    /// Requires of the caller that two sizes are equal. Returns `false` if they are not known at the function's entry.
    pub(super) fn require_same(&mut self, x: Size, y: Size, op: Op) -> bool {
        self.require_equal(x, y, &format!("operands of '{}' have different sizes", op.name()), op)
    }

    /// As `require_same`, with the text of the error.
    pub(super) fn require_equal(&mut self, x: Size, y: Size, text: &str, op: Op) -> bool {
        let at = Builder::at_end(self.entry, op.location());
        let (x, y) = (self.size_value(x), self.size_value(y));
        let (Some(x), Some(y)) = (self.lift(x, at), self.lift(y, at)) else { return false };
        let same = at.compare(Compare::Eq, x, y);
        let mismatch = self.ctx.array_attr(&[&op.location().place_text(), text].map(|t| self.ctx.string_attr(t)));
        self.require(same, text.to_string(), op).set_attribute(MISMATCH, mismatch);
        self.facts.unify(Size::Value(x), Size::Value(y));
        true
    }

    /// Requires of the caller that arrays of these sizes have the same number of elements. Returns `false` if that is
    /// not known at the function's entry.
    pub(super) fn require_as_many(&mut self, have: &[Size], want: &[Size], op: Op) -> bool {
        let known = |lower: &mut Self, sizes: &[Size]| {
            sizes.iter().map(|n| lower.facts.known(*n).map_or(*n, Size::Known)).collect::<Vec<_>>()
        };
        let (have, want) = (known(self, have), known(self, want));
        let dynamic =
            |sizes: &[Size]| sizes.iter().filter(|n| matches!(n, Size::Value(_))).copied().collect::<Vec<_>>();
        let (mut some, mut others) = (dynamic(&have), dynamic(&want));
        let constant = |sizes: &[Size]| -> i128 {
            let known = sizes.iter().filter_map(|n| if let Size::Known(n) = n { Some(*n as i128) } else { None });
            known.fold(1, i128::saturating_mul)
        };
        // Equal factors on both sides cancel.
        some.retain(|n| match others.iter().position(|m| self.facts.same(*n, *m)) {
            Some(at) => {
                others.swap_remove(at);
                false
            }
            None => true,
        });
        if some.is_empty() && others.is_empty() && constant(&have) == constant(&want) {
            return true;
        }
        let at = Builder::at_end(self.entry, op.location());
        let mut lifted = [Vec::new(), Vec::new()];
        for (sizes, lifted) in [&have, &want].into_iter().zip(&mut lifted) {
            for n in sizes {
                let n = self.size_value(*n);
                let Some(n) = self.lift(n, at) else { return false };
                lifted.push(Size::Value(n));
            }
        }
        let [x, y] = lifted.each_ref().map(|sizes| self.product(sizes, at));
        let mut fits = at.compare(Compare::Eq, x, y);
        for (sizes, lifted) in [(&have, &lifted[0]), (&want, &lifted[1])] {
            // A single size does not overflow; a product may.
            if dynamic(sizes).len() + usize::from(constant(sizes) > 1) > 1 {
                let exact = self.is_exact(lifted, at);
                fits = at.andi(fits, exact);
            }
        }
        self.require(fits, format!("'{}' reshapes an array to a different number of elements", op.name()), op);
        if let ([n], [], k) | ([], [n], k) = (&some[..], &others[..], constant(&have).max(constant(&want)))
            && constant(&have).min(constant(&want)) == 1
            && let Ok(k) = i64::try_from(k)
        {
            self.facts.unify(*n, Size::Known(k));
        } else if let ([n], [m]) = (&some[..], &others[..])
            && constant(&have) == constant(&want)
            && constant(&have) > 0
        {
            self.facts.unify(*n, *m);
        }
        true
    }

    /// Returns the condition that the product of sizes is far from overflow; it is computed in floating point.
    fn is_exact(&mut self, sizes: &[Size], at: Builder) -> Value {
        let float = self.ctx.scalar(Element::F64);
        let mut product = self.constant(Attribute::float(float, 1.0), float);
        for n in sizes {
            let n = self.size_value(*n);
            let word = at.value(Kind::ArithIndexCast, &[n], self.ctx.int(64), &[]);
            let n = at.value(Kind::ArithSitofp, &[word], float, &[]);
            product = at.same(Kind::ArithMulf, &[product, n]);
        }
        let limit = self.constant(Attribute::float(float, EXACT), float);
        at.compare_floats(CmpFPredicate::Olt, product, limit)
    }

    fn require(&mut self, condition: Value, text: String, op: Op) -> Op {
        let at = Builder::at_end(self.entry, op.location());
        let message = self.ctx.string_attr(&format!("{text} ({})", op.location().place_text()));
        at.make(Kind::SweepRequire, &[condition], &[], &[("message", message)])
    }

    /// Returns `a` with exactly these sizes. If equality can be neither proved nor required, the array is padded with
    /// zeros: MLIR gives such a program no meaning, and we permit no access outside its arrays.
    pub(super) fn fitted(&mut self, a: &Rc<Arr>, sizes: &[Size], op: Op) -> Rc<Arr> {
        if self.agree(&a.sizes, sizes, op) {
            return a.clone();
        }
        Arr::shared(sizes.to_vec(), a.ty, Definition::Padded(a.clone()))
    }

    /// Returns a scalar, or an array with exactly these sizes.
    pub(super) fn fitted_value(&mut self, val: Val, sizes: &[Size], op: Op) -> Val {
        match val {
            Val::Scalar(_) => val,
            Val::Array(a) => Val::Array(self.fitted(&a, sizes, op)),
        }
    }

    /// Checks whether sizes are equal, or can be required to be equal.
    pub(super) fn agree(&mut self, have: &[Size], want: &[Size], op: Op) -> bool {
        let mut equal = true;
        for (want, have) in want.iter().zip(have) {
            equal &= self.facts.same(*want, *have) || self.require_same(*want, *have, op);
        }
        equal
    }

    /// Checks whether sizes are equal, or can be required to be equal if the loop `op` has any of its `count`
    /// iterations. Their equality is not recorded as a fact, because it need not hold if there is no iteration.
    pub(super) fn agree_if_run(&mut self, have: &[Size], want: &[Size], count: Size, op: Op) -> bool {
        let at = Builder::at_end(self.entry, op.location());
        for (have, want) in have.iter().zip(want) {
            if self.facts.same(*have, *want) {
                continue;
            }
            let [have, want, count] = [*have, *want, count].map(|n| {
                let n = self.size_value(n);
                self.lift(n, at)
            });
            let (Some(have), Some(want), Some(count)) = (have, want, count) else { return false };
            let zero = self.index(0);
            let (same, none) = (at.compare(Compare::Eq, have, want), at.compare(Compare::Sle, count, zero));
            let fits = at.same(Kind::ArithOri, &[same, none]);
            self.require(fits, format!("an iteration changes the sizes of an array that '{}' carries", op.name()), op);
        }
        true
    }

    /// Returns the product of sizes, if it is known and not excessive.
    pub(super) fn known_product(&mut self, sizes: &[Size]) -> Option<i64> {
        sizes.iter().try_fold(1i64, |product, n| product.checked_mul(self.facts.known(*n)?))
    }

    pub(super) fn product(&mut self, sizes: &[Size], b: Builder) -> Value {
        if let Some(n) = self.known_product(sizes) {
            return self.index(n);
        }
        let (first, rest) = sizes.split_first().expect("the product of nothing is known");
        let mut product = self.size_value(*first);
        for n in rest {
            let n = self.size_value(*n);
            product = self.arith(Kind::ArithMuli, product, n, b);
        }
        product
    }

    /// Returns sizes from inner blocks as sizes at `b`, or `None` if they depend on values of the inner blocks.
    pub(super) fn lifted(&mut self, sizes: &[Size], b: Builder) -> Option<Vec<Size>> {
        let lifted = |n: &Size| match n {
            Size::Known(_) => Some(*n),
            Size::Value(v) => self.lift(*v, b).map(Size::Value),
        };
        sizes.iter().map(lifted).collect()
    }
}
