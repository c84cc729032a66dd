//! Functions of numbers that the array language has no op for, as arithmetic on scalars or on whole arrays.
//!
//! The functions know nothing of StableHLO. They have no branches: where several formulas are necessary, all are
//! computed and the valid one is selected. A [`Real`] is an array of floats, or a scalar, with the operators of Rust,
//! so that a formula here reads like the one in its source.

pub mod complex;
pub mod gamma;
pub mod special;

use super::emit::Emit;
use mlopt_dialects::ir::Value;
use mlopt_dialects::ops::{CmpFPredicate, Kind};
use mlopt_dialects::value::Element;
use std::f64::consts::PI;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// A float scalar or array, and the accuracy that is wanted.
#[derive(Clone, Copy)]
pub struct Real {
    e: Emit,
    value: Value,
    /// The results are rounded to a format of fewer bits, so that formulas need neither care for overflow nor more
    /// digits than that format has.
    is_rounded: bool,
}

/// A boolean scalar or array.
#[derive(Clone, Copy)]
pub struct Mask {
    e: Emit,
    value: Value,
}

/// The other operand of an operator: an array of the same shape, or a constant.
pub trait Operand {
    fn like(self, x: Real) -> Real;
}

impl Operand for Real {
    fn like(self, _: Real) -> Real {
        self
    }
}

impl Operand for f64 {
    fn like(self, x: Real) -> Real {
        x.constant(self)
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $kind:ident)*) => {$(
        impl<T: Operand> $operator<T> for Real {
            type Output = Real;

            fn $method(self, y: T) -> Real {
                self.binary(Kind::$kind, y)
            }
        }

        impl $operator<Real> for f64 {
            type Output = Real;

            fn $method(self, y: Real) -> Real {
                self.like(y).binary(Kind::$kind, y)
            }
        }
    )*};
}
operators! { Add add ArithAddf Sub sub ArithSubf Mul mul ArithMulf Div div ArithDivf }

impl Neg for Real {
    type Output = Real;

    fn neg(self) -> Real {
        self.unary(Kind::ArithNegf)
    }
}

impl Real {
    /// Returns a value with elements of type f32 or f64.
    pub fn of(e: Emit, value: Value) -> Real {
        Real { e, value, is_rounded: false }
    }

    pub fn value(self) -> Value {
        self.value
    }

    /// Returns the number `c` with the shape of `self`.
    fn constant(self, c: f64) -> Real {
        Real { value: self.e.float(self.value, c), ..self }
    }

    fn unary(self, kind: Kind) -> Real {
        Real { value: self.e.op(kind, &[self.value]), ..self }
    }

    fn binary(self, kind: Kind, y: impl Operand) -> Real {
        Real { value: self.e.op(kind, &[self.value, y.like(self).value]), ..self }
    }

    fn square(self) -> Real {
        self * self
    }

    /// Returns the greatest power of two that is not greater than the number, which is in f64 and at least zero; 2⁻¹⁰²²
    /// for smaller numbers, ∞ for ∞ and NaN.
    fn power_of_two_below(self) -> Real {
        let bits = super::elementwise::bits(self.e, self.value);
        let exponent = self.e.and(bits, self.e.integer(bits, 0x7ff << 52));
        let power = self.e.cast(Kind::ArithBitcast, exponent, self.value.ty().scalar());
        Real { value: power, ..self }.maximum(f64::MIN_POSITIVE)
    }

    /// Returns `self * y + z`, rounded once.
    fn multiply_add(self, y: Real, z: Real) -> Real {
        Real { value: self.e.op(Kind::MathFma, &[self.value, y.value, z.value]), ..self }
    }

    fn power(self, y: impl Operand) -> Real {
        self.binary(Kind::MathPowf, y)
    }

    /// Returns the maximum, or NaN if an operand is NaN.
    fn maximum(self, y: impl Operand) -> Real {
        self.binary(Kind::ArithMaximumf, y)
    }

    /// Returns the minimum, or NaN if an operand is NaN.
    fn minimum(self, y: impl Operand) -> Real {
        self.binary(Kind::ArithMinimumf, y)
    }

    /// Returns the size of `self` with the sign of `y`, which may be that of a zero.
    fn with_sign(self, y: impl Operand) -> Real {
        self.binary(Kind::MathCopysign, y)
    }

    /// Returns the angle of the point (`x`, `self`), as `f64::atan2` does: also ±0 or ±π at the origin, where MLIR
    /// folds `math.atan2` of constants to NaN.
    pub fn atan2(self, x: Real) -> Real {
        let of_sign = x.constant(1.0).with_sign(x).is_less(0.0).select(x.constant(PI), 0.0);
        let is_origin = self.equals(0.0) & x.equals(0.0);
        is_origin.select(of_sign.with_sign(self), self.binary(Kind::MathAtan2, x))
    }

    fn compare(self, predicate: CmpFPredicate, y: impl Operand) -> Mask {
        Mask { e: self.e, value: self.e.compare_floats(predicate, self.value, y.like(self).value) }
    }

    fn is_less(self, y: impl Operand) -> Mask {
        self.compare(CmpFPredicate::Olt, y)
    }

    fn is_at_most(self, y: impl Operand) -> Mask {
        self.compare(CmpFPredicate::Ole, y)
    }

    fn is_greater(self, y: impl Operand) -> Mask {
        self.compare(CmpFPredicate::Ogt, y)
    }

    fn is_at_least(self, y: impl Operand) -> Mask {
        self.compare(CmpFPredicate::Oge, y)
    }

    fn equals(self, y: impl Operand) -> Mask {
        self.compare(CmpFPredicate::Oeq, y)
    }

    fn is_nan(self) -> Mask {
        self.compare(CmpFPredicate::Uno, self)
    }

    fn is_finite(self) -> Mask {
        self.abs().is_less(f64::INFINITY)
    }

    pub fn is_infinite(self) -> Mask {
        self.abs().equals(f64::INFINITY)
    }

    fn is_integer(self) -> Mask {
        self.equals(self.floor())
    }
}

macro_rules! functions {
    ($($name:ident $kind:ident)*) => {
        impl Real {$(
            fn $name(self) -> Real {
                self.unary(Kind::$kind)
            }
        )*}
    };
}
functions! {
    abs MathAbsf sqrt MathSqrt cbrt MathCbrt floor MathFloor truncated MathTrunc nearest MathRoundeven exp MathExp
    expm1 MathExpm1 log MathLog log1p MathLog1p sin MathSin cos MathCos tan MathTan sinh MathSinh cosh MathCosh
}

impl Mask {
    pub fn value(self) -> Value {
        self.value
    }

    /// Returns `yes` where the mask is true, else `no`.
    fn select(self, yes: Real, no: impl Operand) -> Real {
        Real { value: self.e.select(self.value, yes.value, no.like(yes).value), ..yes }
    }
}

impl BitAnd for Mask {
    type Output = Mask;

    fn bitand(self, other: Mask) -> Mask {
        Mask { value: self.e.and(self.value, other.value), ..self }
    }
}

impl BitOr for Mask {
    type Output = Mask;

    fn bitor(self, other: Mask) -> Mask {
        Mask { value: self.e.or(self.value, other.value), ..self }
    }
}

impl Not for Mask {
    type Output = Mask;

    fn not(self) -> Mask {
        Mask { value: self.e.not(self.value), ..self }
    }
}

/// Computes a function of floats in f64, and rounds each result once to the type of the operands.
pub fn in_f64(e: Emit, x: &[Value], f: impl FnOnce(&[Real]) -> Vec<Real>) -> Vec<Value> {
    let scalar = x[0].ty().scalar();
    let [middle, wide] = [Element::F32, Element::F64].map(|element| e.0.context().scalar(element));
    let is_rounded = scalar != wide;
    // Formats of 16 bits are converted from and to f32.
    let steps = match scalar.float_width() {
        Some(16) => vec![scalar, middle, wide],
        _ => vec![scalar, wide],
    };
    let widened = |&x: &Value| steps[1..].iter().fold(x, |x, &ty| e.cast(Kind::ArithExtf, x, ty));
    let x: Vec<Real> = x.iter().map(|x| Real { is_rounded, ..Real::of(e, widened(x)) }).collect();
    let narrowed = |z: Real| steps.iter().rev().skip(1).fold(z.value, |z, &ty| e.cast(Kind::ArithTruncf, z, ty));
    f(&x).into_iter().map(narrowed).collect()
}

/// Returns the sum of a Chebyshev series at `t`, -1 ≤ t ≤ 1, by Clenshaw's recurrence. Coefficients that do not change
/// the rounded result are left out.
fn chebyshev(t: Real, coefficients: &[f64]) -> Real {
    let unit = coefficients[0] * if t.is_rounded { 2f64.powi(-30) } else { 0.0 };
    let used = coefficients.iter().rposition(|c| c.abs() > unit).map_or(1, |last| last + 1);
    let [first, rest @ ..] = &coefficients[..used] else { return t.constant(0.0) };
    let twice = t + t;
    let mut sums = [t.constant(0.0), t.constant(0.0)];
    for &c in rest.iter().rev() {
        sums = [twice * sums[0] - sums[1] + c, sums[0]];
    }
    t * sums[0] - sums[1] + *first
}

/// Returns the value of a polynomial at `x`; the coefficients start with the highest one.
fn polynomial(x: Real, coefficients: &[f64]) -> Real {
    let [first, rest @ ..] = coefficients else { return x.constant(0.0) };
    rest.iter().fold(x.constant(*first), |sum, &c| sum * x + c)
}

/// Returns sin πx.
fn sin_pi(x: Real) -> Real {
    let fraction = x - x.nearest();
    (fraction * PI).sin()
}
