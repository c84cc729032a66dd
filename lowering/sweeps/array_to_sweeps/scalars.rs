//! Translation of ops on scalars. Where the op of LLVM has undefined behaviour, code is added that defines the result.

use super::Lower;
use crate::ir::*;

impl Lower<'_> {
    /// Emits one op of `arith`, `math` or `array` on scalars.
    pub(super) fn scalar_op(&mut self, op: Op, operands: &[Value], ty: Type, b: Builder) -> Value {
        match op.kind() {
            Kind::ArrayDiv => return self.floor_division(operands[0], operands[1], b),
            Kind::ArrayMod => return self.floor_remainder(operands[0], operands[1], b),
            Kind::ArrayFloor => return self.floor(operands[0], ty, b),
            _ => {}
        }
        let operands = self.with_safe_divisor(op, operands, ty, b);
        let value = b.remake(op, &operands, &[ty]).result(0);
        self.note(value);
        value
    }

    /// Returns the operands of a division with a safe divisor. In LLVM, division by zero and the overflowing quotient
    /// of the minimum integer by -1 are undefined, and the processor traps; in these cases the divisor becomes one.
    fn with_safe_divisor(&mut self, op: Op, operands: &[Value], ty: Type, b: Builder) -> Vec<Value> {
        let mut operands = operands.to_vec();
        if !divides_integers(op.kind()) {
            return operands;
        }
        let signed = !matches!(op.kind(), Kind::ArithDivui | Kind::ArithRemui | Kind::ArithCeildivui);
        let (x, y) = (operands[0], operands[1]);
        if self.facts.constant(y).is_some_and(|c| c > 0) {
            return operands;
        }
        let (zero, one) = (self.zero(ty), self.integer(ty, 1));
        let mut bad = b.compare(Compare::Eq, y, zero);
        if signed {
            let bits = ty.element().map_or(64, |e| e.bits());
            let least = self.integer(ty, i64::MIN >> (64 - bits));
            let minus_one = self.integer(ty, -1);
            let overflow = b.andi(b.compare(Compare::Eq, x, least), b.compare(Compare::Eq, y, minus_one));
            bad = b.same(Kind::ArithOri, &[bad, overflow]);
        }
        operands[1] = b.select(bad, one, y);
        operands
    }

    /// Emits ⌊x / y⌋; x div 0 = 0, and x div -1 = -x wraps (spec/arrays.md A.3.4).
    fn floor_division(&mut self, x: Value, y: Value, b: Builder) -> Value {
        let zero = self.zero(x.ty());
        match self.facts.constant(y) {
            Some(0) => return zero,
            Some(-1) => return self.arith(Kind::ArithSubi, zero, x, b),
            Some(n) if n > 0 && self.is_never_negative(x) => return self.arith(Kind::ArithDivui, x, y, b),
            Some(_) => return self.arith(Kind::ArithFloordivsi, x, y, b),
            None => {}
        }
        let (divisor, is_zero, is_minus_one) = self.divisor(y, b);
        let quotient = b.same(Kind::ArithFloordivsi, &[x, divisor]);
        let negated = b.subi(zero, x);
        let quotient = b.select(is_minus_one, negated, quotient);
        b.select(is_zero, zero, quotient)
    }

    /// Emits x - y·⌊x / y⌋; x mod 0 = x.
    fn floor_remainder(&mut self, x: Value, y: Value, b: Builder) -> Value {
        let ty = x.ty();
        let known = self.facts.constant(y);
        match known {
            Some(0) => return x,
            Some(-1) => return self.zero(ty),
            Some(n) if n > 0 && self.is_never_negative(x) => return self.arith(Kind::ArithRemui, x, y, b),
            _ => {}
        }
        let (divisor, is_zero) = match known {
            Some(_) => (y, None),
            None => {
                let (divisor, is_zero, _) = self.divisor(y, b);
                (divisor, Some(is_zero))
            }
        };
        // The remainder of the truncated division, corrected to the sign of the divisor. A power of two becomes a mask.
        let zero = self.zero(ty);
        let truncated = b.same(Kind::ArithRemsi, &[x, divisor]);
        let moved = b.addi(truncated, divisor);
        let inexact = b.compare(Compare::Ne, truncated, zero);
        let [r_negative, y_negative] = [truncated, divisor].map(|v| b.compare(Compare::Slt, v, zero));
        let moves = b.andi(inexact, b.compare(Compare::Ne, r_negative, y_negative));
        let mut z = b.select(moves, moved, truncated);
        if let Some(is_zero) = is_zero {
            z = b.select(is_zero, x, z);
        }
        if ty.is_index() || ty.is_integer(64) {
            self.facts.remainder(z, x, y);
        }
        z
    }

    /// Returns `y`, or one where a division by it could trap; the condition that `y` is 0; and the condition that it is
    /// -1.
    fn divisor(&mut self, y: Value, b: Builder) -> (Value, Value, Value) {
        let ty = y.ty();
        let (zero, one, minus_one) = (self.zero(ty), self.integer(ty, 1), self.integer(ty, -1));
        let is_zero = b.compare(Compare::Eq, y, zero);
        let is_minus_one = b.compare(Compare::Eq, y, minus_one);
        let bad = b.same(Kind::ArithOri, &[is_zero, is_minus_one]);
        (b.select(bad, one, y), is_zero, is_minus_one)
    }

    /// Emits ⌊x⌋. `loops-to-llvm` makes the conversion saturate and NaN become zero.
    fn floor(&mut self, x: Value, ty: Type, b: Builder) -> Value {
        let below = b.same(Kind::MathFloor, &[x]);
        if !ty.is_index() {
            return b.value(Kind::ArithFptosi, &[below], ty, &[]);
        }
        let word = b.value(Kind::ArithFptosi, &[below], self.ctx.int(64), &[]);
        b.value(Kind::ArithIndexCast, &[word], ty, &[])
    }

    /// Checks whether `x` is nonnegative, even where its arithmetic is repeated before the surrounding loops.
    pub(super) fn is_never_negative(&mut self, x: Value) -> bool {
        self.facts.before_loops(|facts| facts.at_least_zero(x))
    }

    pub(super) fn integer(&mut self, ty: Type, n: i64) -> Value {
        self.constant(Attribute::integer(ty, n), ty)
    }
}
