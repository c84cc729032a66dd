//! Constraints of functions of elements.

use super::{ALL, BOOLEANS, COMPLEX, Elements, FLOATS, INTEGERS, agrees, has_elements, has_type, is_array};
use crate::constraints::{Verdict, ensure, ensure_by, violates_by};
use crate::ir::{Dim, Type};
use crate::ops::ComparisonDirection;
use crate::ops::chlo;
use crate::ops::stablehlo::{BinaryOp, Clamp, Compare, ReducePrecision, Select, UnaryOp};

const NUMBERS: Elements = INTEGERS | FLOATS | COMPLEX;

/// Checks a function of one element.
pub fn unary(op: UnaryOp) -> Verdict {
    use UnaryOp::*;
    let cause = ("operand", op.operand());
    let x = cause.1.ty();
    let element = x.scalar();
    let boolean = element.context().signless(1);
    let real = element.complex_part().unwrap_or(element);
    let (allowed, result) = match op {
        BitcastConvert(_) => return bitcast(op),
        Abs(_) => (NUMBERS, real),
        Ceil(_) | Floor(_) | RoundNearestAfz(_) | RoundNearestEven(_) => (FLOATS, element),
        Cbrt(_)
        | Cosine(_)
        | Exponential(_)
        | ExponentialMinusOne(_)
        | Log(_)
        | LogPlusOne(_)
        | Logistic(_)
        | Rsqrt(_)
        | Sine(_)
        | Sqrt(_)
        | Tan(_)
        | Tanh(_) => (FLOATS | COMPLEX, element),
        Convert(_) => (ALL, op.result().ty().scalar()),
        CountLeadingZeros(_) | Popcnt(_) => (INTEGERS, element),
        Imag(_) | Real(_) => (FLOATS | COMPLEX, real),
        IsFinite(_) => (FLOATS, boolean),
        Negate(_) | Sign(_) => (NUMBERS, element),
        Not(_) => (BOOLEANS | INTEGERS, element),
    };
    has_elements("C1", cause, allowed)?;
    is_array("C2", ("result", op.result()), &x.shape(), result)
}

/// Checks that the bits of `operand` are those of `result`: elements of another width have another innermost axis.
fn bitcast(op: UnaryOp) -> Verdict {
    let (x, z) = (op.operand().ty(), op.result().ty());
    let ensure_equal = |fits: bool| {
        ensure_by(("operand", op.operand()), fits, "C2", || {
            format!("`result` must have as many bits as `operand`, which is {x}, found {z}")
        })
    };
    let (Some(of_x), Some(of_z)) = (bits(x), bits(z)) else {
        // The width of `index` is unknown, and quantised elements are refused elsewhere.
        return ensure_equal(![x, z].iter().any(|ty| ty.scalar().is_index()));
    };
    let (narrow, wide, inner) = if of_x <= of_z { (x, z, of_z / of_x) } else { (z, x, of_x / of_z) };
    let mut sizes = wide.shape();
    if of_x != of_z {
        sizes.push(Some(inner as usize));
    }
    ensure_equal(super::sizes_agree(&narrow.shape(), &sizes) && of_x.max(of_z) % of_x.min(of_z) == 0)
}

/// Returns the number of bits of an element.
fn bits(ty: Type) -> Option<u32> {
    let scalar = ty.scalar();
    let width = |ty: Type| ty.integer().map(|(width, _)| width).or(ty.float_width());
    match scalar.complex_part() {
        Some(part) => width(part).map(|width| 2 * width),
        None => width(scalar),
    }
}

/// Checks a function of two elements.
pub fn binary(op: BinaryOp) -> Verdict {
    use BinaryOp::*;
    let allowed = match op {
        Add(_) | Maximum(_) | Minimum(_) | Multiply(_) | Subtract(_) => ALL,
        And(_) | Or(_) | Xor(_) => BOOLEANS | INTEGERS,
        Atan2(_) => FLOATS | COMPLEX,
        Complex(_) => FLOATS,
        Divide(_) | Power(_) | Remainder(_) => NUMBERS,
        ShiftLeft(_) | ShiftRightArithmetic(_) | ShiftRightLogical(_) => INTEGERS,
    };
    let cause = ("lhs", op.lhs());
    let x = cause.1.ty();
    has_elements("C1", cause, allowed)?;
    has_type("C2", ("rhs", op.rhs()), x)?;
    let Complex(_) = op else { return has_type("C3", ("result", op.result()), x) };
    let z = op.result().ty();
    let fits = super::sizes_agree(&z.shape(), &x.shape()) && z.scalar().complex_part() == Some(x.scalar());
    ensure_by(("result", op.result()), fits, "C3", || {
        format!("`result` must have complex elements with parts like those of {x}, found {z}")
    })
}

pub fn compare(op: Compare) -> Verdict {
    let cause = ("lhs", op.lhs());
    let x = cause.1.ty();
    has_type("C1", ("rhs", op.rhs()), x)?;
    let is_equality = matches!(op.comparison_direction(), ComparisonDirection::Eq | ComparisonDirection::Ne);
    if x.scalar().complex_part().is_some() && !is_equality {
        let found = op.comparison_direction();
        let text = format!("complex numbers have no order; expected `EQ` or `NE`, found `{}`", found.text());
        return violates_by(cause, "C2", text);
    }
    is_array("C3", ("result", op.result()), &x.shape(), x.context().signless(1))
}

/// Checks whether `ty` is a scalar, or has these sizes.
fn is_scalar_or(ty: Type, sizes: &[Dim]) -> bool {
    ty.rank() == 0 || super::sizes_agree(&ty.shape(), sizes)
}

pub fn select(op: Select) -> Verdict {
    let pred = ("pred", op.pred());
    let x = op.on_true().ty();
    has_elements("C1", pred, BOOLEANS)?;
    ensure_by(pred, is_scalar_or(pred.1.ty(), &x.shape()), "C1", || {
        format!("`pred` must be a scalar or have the sizes of {x}, found {}", pred.1.ty())
    })?;
    has_type("C2", ("on_false", op.on_false()), x)?;
    has_type("C3", ("result", op.result()), x)
}

pub fn clamp(op: Clamp) -> Verdict {
    let x = op.operand().ty();
    has_elements("C1", ("operand", op.operand()), BOOLEANS | INTEGERS | FLOATS)?;
    for cause in [("min", op.min()), ("max", op.max())] {
        let ty = cause.1.ty();
        let fits = is_scalar_or(ty, &x.shape()) && agrees(super::scalar(ty), super::scalar(x));
        ensure_by(cause, fits, "C2", || {
            format!("`{}` must have type {} or {x}, found {ty}", cause.0, super::scalar(x))
        })?;
    }
    has_type("C3", ("result", op.result()), x)
}

pub fn reduce_precision(op: ReducePrecision) -> Verdict {
    has_elements("C1", ("operand", op.operand()), FLOATS)?;
    let (exponent, mantissa) = (op.exponent_bits(), op.mantissa_bits());
    ensure(exponent >= 1 && mantissa >= 0, "C2", || {
        format!("expected at least 1 bit of exponent and 0 bits of mantissa, found {exponent} and {mantissa}")
    })?;
    has_type("C3", ("result", op.result()), op.operand().ty())
}

/// Checks a function of CHLO of one element.
pub fn chlo_unary(op: chlo::UnaryOp) -> Verdict {
    use chlo::UnaryOp::*;
    let cause = ("operand", op.operand());
    let x = cause.1.ty();
    let (allowed, result) = match op {
        BesselI1e(_) | Digamma(_) | Erf(_) | ErfInv(_) | Erfc(_) | Lgamma(_) => (FLOATS, x.scalar()),
        IsInf(_) | IsNegInf(_) | IsPosInf(_) => (FLOATS, x.context().signless(1)),
        Square(_) => (NUMBERS, x.scalar()),
        Acos(_) | Acosh(_) | Asin(_) | Asinh(_) | Atan(_) | Atanh(_) | Conj(_) | Cosh(_) | Sinh(_) | Tan(_) => {
            (FLOATS | COMPLEX, x.scalar())
        }
    };
    has_elements("C1", cause, allowed)?;
    is_array("C2", ("result", op.result()), &x.shape(), result)
}

/// Checks a function of CHLO of two elements.
pub fn chlo_binary(op: chlo::BinaryOp) -> Verdict {
    has_elements("C1", ("lhs", op.lhs()), FLOATS)?;
    has_type("C2", ("rhs", op.rhs()), op.lhs().ty())?;
    has_type("C3", ("result", op.result()), op.lhs().ty())
}
