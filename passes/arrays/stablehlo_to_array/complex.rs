//! Functions of complex elements.
//!
//! An element is two numbers, in two arrays. Arithmetic has the width of the numbers. Functions of numbers of 32 bits
//! are computed in f64: so the results are accurate, and formulas need no care for overflow.

use super::elementwise;
use super::emit::{Emit, with_scalar};
use super::maths::complex::Complex;
use super::maths::{Real, in_f64};
use super::{Parts, Result};
use mlopt_dialects::ir::{Op, Type, Value};
use mlopt_dialects::ops::stablehlo::Compare;
use mlopt_dialects::ops::{ComparisonDirection, HasKind, Kind};

/// Returns the parts of the result of an elementwise op that has a complex operand or result. `x` are the parts of the
/// operands.
pub fn convert(e: Emit, op: Op, x: &[Parts]) -> Result<Parts> {
    let x = &*unified(e, op, x);
    let number = |parts: &Parts| Complex { re: Real::of(e, parts[0]), im: Real::of(e, parts[1]) };
    let parts = |z: Complex| vec![z.re.value(), z.im.value()];
    // Computes with the width of the operands.
    let unary = |f: fn(Complex) -> Complex| Ok(parts(f(number(&x[0]))));
    let binary = |f: fn(Complex, Complex) -> Complex| Ok(parts(f(number(&x[0]), number(&x[1]))));
    // Computes in f64.
    let wide = |f: &dyn Fn(&[Complex]) -> Vec<Real>| {
        in_f64(e, &x.concat(), |x| f(&x.chunks(2).map(|pair| Complex { re: pair[0], im: pair[1] }).collect::<Vec<_>>()))
    };
    let pair = |z: Complex| vec![z.re, z.im];
    let function = |f: fn(Complex) -> Complex| Ok(wide(&|x| pair(f(x[0]))));
    let of_two = |f: fn(Complex, Complex) -> Complex| Ok(wide(&|x| pair(f(x[0], x[1]))));
    match op.kind() {
        Kind::StablehloAdd => binary(|x, y| x + y),
        Kind::StablehloSubtract => binary(|x, y| x - y),
        Kind::StablehloMultiply => binary(|x, y| x * y),
        Kind::StablehloNegate => unary(|x| -x),
        Kind::ChloConj => unary(Complex::conjugate),
        Kind::ChloSquare => unary(|x| x * x),
        Kind::StablehloMaximum => binary(|x, y| Complex::select(x.is_less(y), y, x)),
        Kind::StablehloMinimum => binary(|x, y| Complex::select(y.is_less(x), y, x)),
        Kind::StablehloDivide => of_two(|x, y| x / y),
        Kind::StablehloPower => of_two(Complex::power),
        Kind::StablehloAtan2 => of_two(Complex::atan2),
        Kind::StablehloAbs => Ok(wide(&|x| vec![x[0].abs()])),
        Kind::StablehloSign => function(Complex::sign),
        Kind::StablehloExponential => function(Complex::exp),
        Kind::StablehloExponentialMinusOne => function(Complex::expm1),
        Kind::StablehloLog => function(Complex::log),
        Kind::StablehloLogPlusOne => function(Complex::log1p),
        Kind::StablehloLogistic => function(Complex::logistic),
        Kind::StablehloSqrt => function(Complex::sqrt),
        Kind::StablehloRsqrt => function(Complex::rsqrt),
        Kind::StablehloCbrt => function(Complex::cbrt),
        Kind::StablehloSine => function(Complex::sin),
        Kind::StablehloCosine => function(Complex::cos),
        Kind::StablehloTan | Kind::ChloTan => function(Complex::tan),
        Kind::StablehloTanh => function(Complex::tanh),
        Kind::ChloSinh => function(Complex::sinh),
        Kind::ChloCosh => function(Complex::cosh),
        Kind::ChloAsin => function(Complex::asin),
        Kind::ChloAcos => function(Complex::acos),
        Kind::ChloAtan => function(Complex::atan),
        Kind::ChloAsinh => function(Complex::asinh),
        Kind::ChloAcosh => function(Complex::acosh),
        Kind::ChloAtanh => function(Complex::atanh),
        Kind::StablehloConvert => Ok(converted(e, &x[0], op.operand(0).ty(), op.result(0).ty())),
        Kind::StablehloSelect => {
            let chosen = |(&yes, &no): (&Value, &Value)| e.select(x[0][0], yes, no);
            Ok(x[1].iter().zip(&x[2]).map(chosen).collect())
        }
        Kind::StablehloCompare => {
            let is_equal = number(&x[0]).equals(number(&x[1]));
            // Verified: complex numbers are compared by `EQ` or `NE`.
            let is_negated = op.cast::<Compare>().comparison_direction() == ComparisonDirection::Ne;
            Ok(vec![if is_negated { !is_equal } else { is_equal }.value()])
        }
        _ => Err(op.not_supported("a function of complex numbers that the array language has no equivalent for")),
    }
}

/// Returns operands of one shape.
fn unified(e: Emit, op: Op, x: &[Parts]) -> Vec<Parts> {
    let counts: Vec<usize> = x.iter().map(Vec::len).collect();
    // A scalar condition selects a whole array.
    let kept = if op.kind() == Kind::StablehloSelect { 1 } else { 0 };
    let parts = x.concat();
    let parts = [&parts[..kept], e.unified(&parts[kept..]).as_slice()].concat();
    super::reductions::grouped(&parts, &counts)
}

/// Returns the parts of a number converted between complex or real types. A real number has the imaginary part zero;
/// the conversion to a real number drops the imaginary part.
pub fn converted(e: Emit, x: &[Value], from: Type, to: Type) -> Parts {
    let count = if to.scalar().complex_part().is_some() { 2 } else { 1 };
    let mut parts: Parts = x.iter().take(count).map(|&x| part_converted(e, x, from, to)).collect();
    if parts.len() < count {
        parts.push(e.float(parts[0], 0.0));
    }
    parts
}

/// Returns one part of a number converted between complex or real types.
pub fn part_converted(e: Emit, x: Value, from: Type, to: Type) -> Value {
    let real = |ty: Type| with_scalar(ty, ty.scalar().complex_part().unwrap_or(ty.scalar()));
    elementwise::converted(e, x, real(from), real(to))
}

/// Returns the parts of a product of complex or real numbers, given the product of real ones.
pub fn product(e: Emit, x: &[Value], y: &[Value], mut multiply: impl FnMut(Value, Value) -> Value) -> Parts {
    match (x, y) {
        (&[a, b], &[c, d]) => {
            let [ac, bd, ad, bc] = [multiply(a, c), multiply(b, d), multiply(a, d), multiply(b, c)];
            vec![e.sub(ac, bd), e.add(ad, bc)]
        }
        // Only one of them has an imaginary part.
        _ => x.iter().flat_map(|&x| y.iter().map(move |&y| (x, y))).map(|(x, y)| multiply(x, y)).collect(),
    }
}
