//! Functions of elements, on real numbers.
//!
//! Operands may have another shape than the op states: in the function of a reduction, its arguments are whole arrays.

use super::emit::{Emit, with_scalar};
use super::maths::Real;
use super::types::Number;
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Op, Type, Value};
use mlopt_dialects::ops::stablehlo::{Compare, ReducePrecision};
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate, ComparisonDirection, ComparisonType, HasKind, Kind};
use mlopt_dialects::value::Element;

/// Returns the result of an op of StableHLO that is a function of elements; `None` for other ops. `x` are the converted
/// operands.
pub fn convert(e: Emit, op: Op, x: &[Value]) -> Result<Option<Value>, Reported> {
    use Number::{Bool, Float, Unsigned};
    let number = Number::of(op.operand(0).ty());
    let x = &*match op.kind() {
        // A scalar condition selects a whole array.
        Kind::StablehloSelect => [&x[..1], e.unified(&x[1..]).as_slice()].concat(),
        _ => e.unified(x),
    };
    let result = op.result(0).ty();
    let float = |kind: Kind| e.op(kind, x);
    let by_number = |of_floats: Kind, of_signed: Kind, of_unsigned: Kind, of_bools: Kind| match number {
        Float => e.op(of_floats, x),
        Unsigned => e.op(of_unsigned, x),
        Bool => e.op(of_bools, x),
        _ => e.op(of_signed, x),
    };
    Ok(Some(match op.kind() {
        Kind::StablehloAbs => match number {
            Float => float(Kind::MathAbsf),
            Unsigned | Bool => x[0],
            _ => e.op(Kind::MathAbsi, x),
        },
        Kind::StablehloNegate if number == Float => float(Kind::ArithNegf),
        Kind::StablehloNegate => e.op(Kind::ArithSubi, &[e.integer(x[0], 0), x[0]]),
        Kind::StablehloSign => sign(e, number, x[0]),
        Kind::StablehloNot => e.not(x[0]),
        Kind::StablehloPopcnt => e.op(Kind::MathCtpop, x),
        Kind::StablehloCountLeadingZeros => e.op(Kind::MathCtlz, x),
        Kind::StablehloIsFinite => {
            let size = float(Kind::MathAbsf);
            e.compare_floats(CmpFPredicate::Olt, size, e.float(size, f64::INFINITY))
        }
        Kind::StablehloConvert => converted(e, x[0], op.operand(0).ty(), result),
        Kind::StablehloReducePrecision => reduce_precision(e, x[0], op.cast()),
        Kind::StablehloCeil => float(Kind::MathCeil),
        Kind::StablehloFloor => float(Kind::MathFloor),
        Kind::StablehloRoundNearestAfz => float(Kind::MathRound),
        Kind::StablehloRoundNearestEven => float(Kind::MathRoundeven),
        Kind::StablehloCbrt => float(Kind::MathCbrt),
        Kind::StablehloCosine => float(Kind::MathCos),
        Kind::StablehloExponential => float(Kind::MathExp),
        Kind::StablehloExponentialMinusOne => float(Kind::MathExpm1),
        Kind::StablehloLog => float(Kind::MathLog),
        Kind::StablehloLogPlusOne => float(Kind::MathLog1p),
        Kind::StablehloLogistic => in_f32(e, x[0], |x| {
            let one = e.float(x, 1.0);
            e.div(one, e.add(one, e.op(Kind::MathExp, &[e.op(Kind::ArithNegf, &[x])])))
        }),
        Kind::StablehloRsqrt => in_f32(e, x[0], |x| e.div(e.float(x, 1.0), e.op(Kind::MathSqrt, &[x]))),
        Kind::StablehloSine => float(Kind::MathSin),
        Kind::StablehloSqrt => float(Kind::MathSqrt),
        Kind::StablehloTan => float(Kind::MathTan),
        Kind::StablehloTanh => float(Kind::MathTanh),
        Kind::StablehloAdd => by_number(Kind::ArithAddf, Kind::ArithAddi, Kind::ArithAddi, Kind::ArithOri),
        Kind::StablehloSubtract => by_number(Kind::ArithSubf, Kind::ArithSubi, Kind::ArithSubi, Kind::ArithXori),
        Kind::StablehloMultiply => by_number(Kind::ArithMulf, Kind::ArithMuli, Kind::ArithMuli, Kind::ArithAndi),
        Kind::StablehloMaximum => by_number(Kind::ArithMaximumf, Kind::ArithMaxsi, Kind::ArithMaxui, Kind::ArithOri),
        Kind::StablehloMinimum => by_number(Kind::ArithMinimumf, Kind::ArithMinsi, Kind::ArithMinui, Kind::ArithAndi),
        Kind::StablehloAnd => e.op(Kind::ArithAndi, x),
        Kind::StablehloOr => e.op(Kind::ArithOri, x),
        Kind::StablehloXor => e.op(Kind::ArithXori, x),
        Kind::StablehloAtan2 => Real::of(e, x[0]).atan2(Real::of(e, x[1])).value(),
        Kind::StablehloDivide if number == Float => float(Kind::ArithDivf),
        Kind::StablehloDivide => quotient(e, number, x[0], x[1]),
        Kind::StablehloRemainder if number == Float => float(Kind::ArithRemf),
        Kind::StablehloRemainder => remainder(e, number, x[0], x[1]),
        Kind::StablehloPower if number == Float => float(Kind::MathPowf),
        Kind::StablehloPower => power(e, number, x[0], x[1]),
        Kind::StablehloShiftLeft => shift(e, Kind::ArithShli, x[0], x[1]),
        Kind::StablehloShiftRightLogical => shift(e, Kind::ArithShrui, x[0], x[1]),
        Kind::StablehloShiftRightArithmetic => shift(e, Kind::ArithShrsi, x[0], x[1]),
        Kind::StablehloCompare => {
            let compare: Compare = op.cast();
            compared(e, number, compare.comparison_direction(), compare.compare_type(), x[0], x[1])
        }
        Kind::StablehloSelect => e.select(x[0], x[1], x[2]),
        Kind::StablehloClamp => {
            let (max, min) = match number {
                Float => (Kind::ArithMaximumf, Kind::ArithMinimumf),
                Unsigned => (Kind::ArithMaxui, Kind::ArithMinui),
                Bool => (Kind::ArithOri, Kind::ArithAndi),
                _ => (Kind::ArithMaxsi, Kind::ArithMinsi),
            };
            e.op(min, &[e.op(max, &[x[0], x[1]]), x[2]])
        }
        _ => return Err(op.not_supported("the array language has no equivalent op")),
    }))
}

/// Checks whether an op of StableHLO computes each element of its result from the elements at the same position.
pub fn is_elementwise(kind: Kind) -> bool {
    use Kind::*;
    let of_stablehlo = matches!(
        kind,
        StablehloAbs
            | StablehloNegate
            | StablehloSign
            | StablehloNot
            | StablehloPopcnt
            | StablehloCountLeadingZeros
            | StablehloIsFinite
            | StablehloConvert
            | StablehloReducePrecision
            | StablehloCeil
            | StablehloFloor
            | StablehloRoundNearestAfz
            | StablehloRoundNearestEven
            | StablehloCbrt
            | StablehloCosine
            | StablehloExponential
            | StablehloExponentialMinusOne
            | StablehloLog
            | StablehloLogPlusOne
            | StablehloLogistic
            | StablehloRsqrt
            | StablehloSine
            | StablehloSqrt
            | StablehloTan
            | StablehloTanh
            | StablehloAdd
            | StablehloSubtract
            | StablehloMultiply
            | StablehloMaximum
            | StablehloMinimum
            | StablehloAnd
            | StablehloOr
            | StablehloXor
            | StablehloAtan2
            | StablehloDivide
            | StablehloRemainder
            | StablehloPower
            | StablehloShiftLeft
            | StablehloShiftRightLogical
            | StablehloShiftRightArithmetic
            | StablehloCompare
            | StablehloSelect
            | StablehloClamp
    );
    of_stablehlo || super::chlo::is_elementwise(kind)
}

/// Computes `f` in f32 if the elements of `x` have fewer bits, and rounds once.
pub fn in_f32(e: Emit, x: Value, f: impl FnOnce(Value) -> Value) -> Value {
    let scalar = x.ty().scalar();
    if scalar.float_width() != Some(16) {
        return f(x);
    }
    let wide = e.cast(Kind::ArithExtf, x, e.0.context().scalar(Element::F32));
    e.cast(Kind::ArithTruncf, f(wide), scalar)
}

/// Returns -1, 0 or 1; for floats also -0 and NaN.
fn sign(e: Emit, number: Number, x: Value) -> Value {
    match number {
        Number::Float => {
            let signed = e.op(Kind::MathCopysign, &[e.float(x, 1.0), x]);
            e.select(e.compare_floats(CmpFPredicate::One, x, e.float(x, 0.0)), signed, x)
        }
        Number::Signed => {
            let (zero, one) = (e.integer(x, 0), e.integer(x, 1));
            let positive = e.compare_integers(CmpIPredicate::Sgt, x, zero);
            let negative = e.compare_integers(CmpIPredicate::Slt, x, zero);
            e.select(positive, one, e.select(negative, e.integer(x, -1), zero))
        }
        _ => {
            let zero = e.integer(x, 0);
            e.select(e.compare_integers(CmpIPredicate::Ne, x, zero), e.integer(x, 1), zero)
        }
    }
}

/// Returns `x` converted from the elements of `from` to those of `to`, which are real.
pub fn converted(e: Emit, x: Value, from: Type, to: Type) -> Value {
    use Number::{Bool, Float, Signed, Unsigned};
    let target = super::types::scalar(to.scalar()).expect("checked: the type has a counterpart");
    let width = |ty: Type| ty.scalar().integer().map_or(64, |(width, _)| width);
    match (Number::of(from), Number::of(to)) {
        (Float, Float) => {
            let (narrow, wide) = (x.ty().scalar().float_width(), target.float_width());
            if narrow == wide && x.ty().scalar() != target {
                // From one format of 16 bits to the other.
                let middle = e.cast(Kind::ArithExtf, x, e.0.context().scalar(Element::F32));
                return e.cast(Kind::ArithTruncf, middle, target);
            }
            e.cast(if narrow < wide { Kind::ArithExtf } else { Kind::ArithTruncf }, x, target)
        }
        (Float, Bool) => e.compare_floats(CmpFPredicate::Une, x, e.float(x, 0.0)),
        (Float, sign) => float_to_integer(e, x, target, sign == Unsigned),
        (Signed, Float) => e.cast(Kind::ArithSitofp, as_integer(e, x), target),
        (_, Float) => e.cast(Kind::ArithUitofp, x, target),
        (Bool, Bool) => x,
        (_, Bool) => e.compare_with(CmpIPredicate::Ne, x, 0),
        (sign, _) => {
            let index = e.0.context().index();
            if x.ty().scalar() == index || target == index {
                return e.cast(Kind::ArithIndexCast, x, target);
            }
            let widening = if sign == Signed { Kind::ArithExtsi } else { Kind::ArithExtui };
            e.cast(if width(to) > width(from) { widening } else { Kind::ArithTrunci }, x, target)
        }
    }
}

/// Returns values of type `index` as integers of 64 bits, and other integers unchanged.
fn as_integer(e: Emit, x: Value) -> Value {
    if x.ty().scalar().is_index() { e.cast(Kind::ArithIndexCast, x, e.0.context().signless(64)) } else { x }
}

/// Converts to the nearest integer towards zero; numbers outside of the range saturate, and NaN becomes 0.
fn float_to_integer(e: Emit, x: Value, target: Type, is_unsigned: bool) -> Value {
    let context = e.0.context();
    let wide = |x: Value| match x.ty().scalar().float_width() {
        Some(16) => e.cast(Kind::ArithExtf, x, context.scalar(Element::F32)),
        _ => x,
    };
    let x = e.op(Kind::MathTrunc, &[wide(x)]);
    let floor = |x: Value, scalar: Type| e.0.unary(Kind::ArrayFloor, &[x], with_scalar(x.ty(), scalar));
    let width = target.integer().map_or(64, |(width, _)| width);
    if !is_unsigned {
        return floor(x, target);
    }
    let long = context.signless(64);
    if width < 64 {
        let zero_or_more = e.op(Kind::ArithMaxsi, &[floor(x, long), e.integer_of(x, long, 0)]);
        let greatest = e.integer_of(x, long, (1 << width) - 1);
        return e.cast(Kind::ArithTrunci, e.op(Kind::ArithMinsi, &[zero_or_more, greatest]), target);
    }
    // From 2^63 on, the number minus 2^63 is converted.
    let half = e.float(x, 2f64.powi(63));
    let low = e.op(Kind::ArithMaxsi, &[floor(x, long), e.integer_of(x, long, 0)]);
    let high = e.xor(floor(e.sub(x, half), long), e.integer_of(x, long, i64::MIN));
    e.select(e.compare_floats(CmpFPredicate::Oge, x, half), high, low)
}

/// Returns the quotient rounded towards zero; -1 for a zero divisor, and the dividend if the quotient overflows.
fn quotient(e: Emit, number: Number, x: Value, y: Value) -> Value {
    let is_zero = e.compare_with(CmpIPredicate::Eq, y, 0);
    let one = e.integer(y, 1);
    let safe = e.select(is_zero, one, y);
    let quotient = match number {
        Number::Signed => {
            let minus_one = e.compare_with(CmpIPredicate::Eq, y, -1);
            let divided = e.op(Kind::ArithDivsi, &[x, e.select(minus_one, one, safe)]);
            e.select(minus_one, e.op(Kind::ArithSubi, &[e.integer(x, 0), x]), divided)
        }
        _ => e.op(Kind::ArithDivui, &[x, safe]),
    };
    e.select(is_zero, e.integer(x, -1), quotient)
}

/// Returns the remainder with the sign of the dividend; the dividend for a zero divisor.
fn remainder(e: Emit, number: Number, x: Value, y: Value) -> Value {
    let is_zero = e.compare_with(CmpIPredicate::Eq, y, 0);
    let one = e.integer(y, 1);
    let safe = e.select(is_zero, one, y);
    let remainder = match number {
        Number::Signed => {
            let minus_one = e.compare_with(CmpIPredicate::Eq, y, -1);
            e.op(Kind::ArithRemsi, &[x, e.select(minus_one, one, safe)])
        }
        _ => e.op(Kind::ArithRemui, &[x, safe]),
    };
    e.select(is_zero, x, remainder)
}

/// Returns the power of integers by squaring. The power with a negative exponent is rounded towards zero; that of 0 is
/// 0.
fn power(e: Emit, number: Number, x: Value, y: Value) -> Value {
    let b = e.0;
    let width = x.ty().scalar().integer().map_or(64, |(width, _)| width);
    let (zero, one) = (e.integer(x, 0), e.integer(x, 1));
    let powers = b.ifold(b.index(width as i64), &[one, x, y], |b, _, state| {
        let e = Emit(b);
        let odd = e.compare_with(CmpIPredicate::Ne, e.and(state[2], e.integer(state[2], 1)), 0);
        let next = e.select(odd, e.op(Kind::ArithMuli, &[state[0], state[1]]), state[0]);
        let half = e.op(Kind::ArithShrui, &[state[2], e.integer(state[2], 1)]);
        vec![next, e.op(Kind::ArithMuli, &[state[1], state[1]]), half]
    });
    if number != Number::Signed {
        return powers[0];
    }
    let odd = e.compare_with(CmpIPredicate::Ne, e.and(y, one), 0);
    let of_minus_one = e.select(odd, e.integer(x, -1), one);
    let negative = e.select(e.compare_with(CmpIPredicate::Eq, x, -1), of_minus_one, zero);
    let negative = e.select(e.compare_with(CmpIPredicate::Eq, x, 1), one, negative);
    e.select(e.compare_with(CmpIPredicate::Slt, y, 0), negative, powers[0])
}

/// Shifts bits. A shift by the width or more gives 0, or copies of the sign bit.
fn shift(e: Emit, kind: Kind, x: Value, y: Value) -> Value {
    let width = x.ty().scalar().integer().map_or(64, |(width, _)| width) as i64;
    let limited = e.op(Kind::ArithMinui, &[y, e.integer(y, width - 1)]);
    let shifted = e.op(kind, &[x, limited]);
    if kind == Kind::ArithShrsi {
        return shifted;
    }
    e.select(e.compare_with(CmpIPredicate::Ult, y, width), shifted, e.integer(x, 0))
}

/// Compares numbers; floats in the total order, if `order` says so.
pub fn compared(
    e: Emit,
    number: Number,
    direction: ComparisonDirection,
    order: Option<ComparisonType>,
    x: Value,
    y: Value,
) -> Value {
    use ComparisonDirection as D;
    match (number, order) {
        (Number::Float, Some(ComparisonType::Totalorder)) => {
            let signed = |predicate| e.compare_integers(predicate, total_order(e, x), total_order(e, y));
            signed(match direction {
                D::Eq => CmpIPredicate::Eq,
                D::Ne => CmpIPredicate::Ne,
                D::Ge => CmpIPredicate::Sge,
                D::Gt => CmpIPredicate::Sgt,
                D::Le => CmpIPredicate::Sle,
                D::Lt => CmpIPredicate::Slt,
            })
        }
        (Number::Float, _) => e.compare_floats(
            match direction {
                D::Eq => CmpFPredicate::Oeq,
                D::Ne => CmpFPredicate::Une,
                D::Ge => CmpFPredicate::Oge,
                D::Gt => CmpFPredicate::Ogt,
                D::Le => CmpFPredicate::Ole,
                D::Lt => CmpFPredicate::Olt,
            },
            x,
            y,
        ),
        (number, _) => {
            let signed = number == Number::Signed;
            e.compare_integers(
                match direction {
                    D::Eq => CmpIPredicate::Eq,
                    D::Ne => CmpIPredicate::Ne,
                    D::Ge if signed => CmpIPredicate::Sge,
                    D::Gt if signed => CmpIPredicate::Sgt,
                    D::Le if signed => CmpIPredicate::Sle,
                    D::Lt if signed => CmpIPredicate::Slt,
                    D::Ge => CmpIPredicate::Uge,
                    D::Gt => CmpIPredicate::Ugt,
                    D::Le => CmpIPredicate::Ule,
                    D::Lt => CmpIPredicate::Ult,
                },
                x,
                y,
            )
        }
    }
}

/// Returns integers in the total order of the floats: -NaN, -∞, ..., -0, +0, ..., ∞, NaN.
fn total_order(e: Emit, x: Value) -> Value {
    let bits = bits(e, x);
    let width = bits.ty().scalar().integer().map_or(64, |(width, _)| width) as i64;
    // The magnitude of a negative number is complemented.
    let sign = e.op(Kind::ArithShrsi, &[bits, e.integer(bits, width - 1)]);
    e.xor(bits, e.op(Kind::ArithShrui, &[sign, e.integer(bits, 1)]))
}

/// Returns the bits of floats.
pub fn bits(e: Emit, x: Value) -> Value {
    let width = x.ty().scalar().float_width().expect("a float type has a width");
    e.cast(Kind::ArithBitcast, x, e.0.context().signless(width))
}

/// Rounds floats to a format with fewer bits: the mantissa to the nearest, ties to even; a number that is too large
/// becomes infinite, one that is too small 0.
fn reduce_precision(e: Emit, x: Value, op: ReducePrecision) -> Value {
    let scalar = x.ty().scalar();
    let width = scalar.float_width().expect("a float type has a width") as i64;
    let mantissa: i64 = match (width, scalar.to_string().as_str()) {
        (64, _) => 52,
        (32, _) => 23,
        (_, "bf16") => 7,
        _ => 10,
    };
    let exponent = width - 1 - mantissa;
    let (kept_exponent, kept_mantissa) = (op.exponent_bits() as i64, op.mantissa_bits() as i64);
    let start = bits(e, x);
    let number = |n: i64| e.integer(start, n);
    let mut rounded = start;
    if kept_mantissa < mantissa {
        let lost = mantissa - kept_mantissa;
        let last = e.and(e.op(Kind::ArithShrui, &[rounded, number(lost)]), number(1));
        let bias = e.op(Kind::ArithAddi, &[last, number((1 << (lost - 1)) - 1)]);
        rounded = e.and(e.op(Kind::ArithAddi, &[rounded, bias]), number(!((1 << lost) - 1)));
    }
    let exponents = ((1i64 << exponent) - 1) << mantissa;
    if kept_exponent < exponent {
        let (bias, kept_bias) = ((1i64 << (exponent - 1)) - 1, (1i64 << (kept_exponent - 1)) - 1);
        let found = e.and(rounded, number(exponents));
        let sign = e.and(rounded, number(i64::MIN >> (64 - width)));
        let too_large = e.compare_with(CmpIPredicate::Ugt, found, (bias + kept_bias) << mantissa);
        let too_small = e.compare_with(CmpIPredicate::Ule, found, (bias - kept_bias) << mantissa);
        rounded = e.select(too_large, e.or(sign, number(exponents)), rounded);
        rounded = e.select(too_small, sign, rounded);
    }
    let z = e.cast(Kind::ArithBitcast, rounded, scalar);
    e.select(e.is_nan(x), if kept_mantissa > 0 { x } else { e.float(x, f64::INFINITY) }, z)
}
