//! Evaluation of `arith` and `math`, element by element, with MLIR's semantics. Behaviour that MLIR leaves undefined is
//! reported as an error.

use super::{Outcome, Shared};
use crate::array::eval as arrays;
use crate::ir::Op;
use crate::ops::arith::{Cmpf, Cmpi};
use crate::ops::{CmpFPredicate, CmpIPredicate, HasKind, Kind};
use crate::value::{Array, Data, Element};

/// Returns the result of one elementwise op.
pub fn evaluate(op: Op, x: &[Shared]) -> Outcome<Array> {
    if let Some(z) = named(op.name(), x) {
        return z;
    }
    match op.kind() {
        Kind::ArithCmpf => {
            same_shape(&x[0], &x[1])?;
            let predicate = op.cast::<Cmpf>().predicate();
            let bits = x[0].to_f64().into_iter().zip(x[1].to_f64()).map(|(a, b)| compare_floats(predicate, a, b));
            Ok(rebuilt(&x[0], Data::I1(bits.collect())))
        }
        Kind::ArithCmpi => {
            same_shape(&x[0], &x[1])?;
            let (predicate, element) = (op.cast::<Cmpi>().predicate(), x[0].element());
            let pairs = integers(&x[0]).into_iter().zip(integers(&x[1]));
            let bits = pairs.map(|(a, b)| compare_integers(predicate, a, b, element));
            Ok(rebuilt(&x[0], Data::I1(bits.collect())))
        }
        Kind::ArithIndexCast | Kind::ArithExtsi | Kind::ArithTrunci => Ok(of_integers(op, &x[0], as_signed(&x[0]))),
        Kind::ArithExtui | Kind::ArithIndexCastui => {
            let v = integers(&x[0]).into_iter().map(|i| unsigned(i, x[0].element()) as i64).collect();
            Ok(of_integers(op, &x[0], v))
        }
        Kind::ArithSitofp | Kind::ArithUitofp => {
            let (from, to) = (x[0].element(), op.result(0).ty().element().unwrap_or(Element::F64));
            let is_signed = op.kind() == Kind::ArithSitofp;
            let number = |i| if is_signed { signed(i, from).into() } else { unsigned(i, from).into() };
            Ok(of_floats(op, &x[0], integers(&x[0]).into_iter().map(|i| to.of_integer(number(i))).collect()))
        }
        Kind::ArithFptosi | Kind::ArithFptoui => {
            let (to, is_signed) = (op.result(0).ty().element().unwrap_or(Element::I64), op.kind() == Kind::ArithFptosi);
            let v: Outcome<Vec<i64>> = x[0].to_f64().into_iter().map(|x| float_to_integer(x, to, is_signed)).collect();
            Ok(of_integers(op, &x[0], v?))
        }
        Kind::ArithBitcast => {
            let to = op.result(0).ty().element().ok_or("needs elements of the array language")?;
            Ok(rebuilt(&x[0], x[0].data().reinterpreted(to).ok_or("needs elements of the same width")?))
        }
        Kind::ArithExtf | Kind::ArithTruncf => Ok(of_floats(op, &x[0], x[0].to_f64())),
        _ => Err("not supported: the evaluator does not implement this op".into()),
    }
}

/// Returns the result of an op that its name and its operands determine, or `None` for other ops.
pub fn named(name: &str, x: &[Shared]) -> Option<Outcome<Array>> {
    let kind = Kind::by_name(name);
    if let Some(f) = unary_float(kind) {
        return Some(map_float(&x[0], f));
    }
    if let Some(f) = binary_float(kind) {
        return Some(zip_float(&x[0], &x[1], f));
    }
    if let Some(f) = binary_integer(kind) {
        return Some(zip_integer(&x[0], &x[1], f));
    }
    match kind {
        Kind::MathFma => Some(fma(x)),
        Kind::MathFpowi => Some(same_shape(&x[0], &x[1]).map(|()| {
            let n = integers(&x[1]);
            floats(&x[0], x[0].to_f64().into_iter().zip(n).map(|(a, n)| power(a, n)))
        })),
        Kind::ArithSelect => Some(select(&x[0], &x[1], &x[2])),
        Kind::MathAbsi => Some(map_integer(&x[0], |a, _| a.wrapping_abs())),
        Kind::MathCtpop => Some(map_integer(&x[0], |a, e| unsigned(a, e).count_ones().into())),
        Kind::MathCtlz => Some(map_integer(&x[0], |a, e| (unsigned(a, e).leading_zeros() + e.bits()) as i64 - 64)),
        Kind::MathCttz => Some(map_integer(&x[0], |a, e| unsigned(a, e).trailing_zeros().min(e.bits()).into())),
        _ => None,
    }
}

/// Returns aⁿ, also for exponents of more than 32 bits.
fn power(a: f64, n: i64) -> f64 {
    match i32::try_from(n) {
        Ok(n) => a.powi(n),
        Err(_) if n % 2 == 0 => a.abs().powf(n as f64),
        Err(_) => a.abs().powf(n as f64).copysign(a),
    }
}

fn fma(x: &[Shared]) -> Outcome<Array> {
    same_shape(&x[0], &x[2])?;
    same_shape(&x[1], &x[2])?;
    // One rounding, as the op requires.
    let product: Vec<(f64, f64)> = x[0].to_f64().into_iter().zip(x[1].to_f64()).collect();
    Ok(match (x[2].data(), x[2].element()) {
        (Data::F32(c), _) => rebuilt(
            &x[2],
            Data::F32(product.iter().zip(c).map(|(&(a, b), &c)| (a as f32).mul_add(b as f32, c)).collect()),
        ),
        (Data::F64(c), _) => {
            rebuilt(&x[2], Data::F64(product.iter().zip(c).map(|(&(a, b), &c)| a.mul_add(b, c)).collect()))
        }
        (_, element) if element.is_half() => {
            let z = product.iter().zip(x[2].to_f64()).map(|(&(a, b), c)| (a as f32).mul_add(b as f32, c as f32).into());
            floats(&x[2], z)
        }
        _ => return Err("needs floats".into()),
    })
}

/// Returns the condition of a branch.
pub fn truth(x: &Array) -> bool {
    as_i64(x) != 0
}

/// Returns the value of an integer scalar.
pub fn as_i64(x: &Array) -> i64 {
    integers(x)[0]
}

/// Returns an integer scalar of the given kind.
pub fn integer(element: Element, x: i64) -> Array {
    Array::new(vec![], Data::of_integers(element, [x]))
}

/// Checks whether an op is an elementwise function of one or two floats.
pub fn is_float_function(kind: Kind) -> bool {
    unary_float(kind).is_some() || binary_float(kind).is_some()
}

fn unary_float(kind: Kind) -> Option<fn(f64) -> f64> {
    Some(match kind {
        Kind::ArithNegf => |a| -a,
        Kind::MathAbsf => f64::abs,
        Kind::MathExp => f64::exp,
        Kind::MathExp2 => f64::exp2,
        Kind::MathExpm1 => f64::exp_m1,
        Kind::MathLog => f64::ln,
        Kind::MathLog2 => f64::log2,
        Kind::MathLog10 => f64::log10,
        Kind::MathLog1p => f64::ln_1p,
        Kind::MathSqrt => f64::sqrt,
        Kind::MathRsqrt => |a| 1.0 / a.sqrt(),
        Kind::MathCbrt => f64::cbrt,
        Kind::MathSin => f64::sin,
        Kind::MathCos => f64::cos,
        Kind::MathTan => f64::tan,
        Kind::MathAsin => f64::asin,
        Kind::MathAcos => f64::acos,
        Kind::MathAtan => f64::atan,
        Kind::MathSinh => f64::sinh,
        Kind::MathCosh => f64::cosh,
        Kind::MathTanh => f64::tanh,
        Kind::MathAsinh => f64::asinh,
        Kind::MathAcosh => f64::acosh,
        Kind::MathAtanh => f64::atanh,
        Kind::MathErf => libm::erf,
        Kind::MathFloor => f64::floor,
        Kind::MathCeil => f64::ceil,
        Kind::MathTrunc => f64::trunc,
        Kind::MathRound => f64::round,
        Kind::MathRoundeven => f64::round_ties_even,
        _ => return None,
    })
}

fn binary_float(kind: Kind) -> Option<fn(f64, f64) -> f64> {
    Some(match kind {
        Kind::ArithAddf => |a, b| a + b,
        Kind::ArithSubf => |a, b| a - b,
        Kind::ArithMulf => |a, b| a * b,
        Kind::ArithDivf => |a, b| a / b,
        Kind::ArithRemf => |a, b| a % b,
        Kind::ArithMaximumf => |a, b| if a.is_nan() || b.is_nan() { f64::NAN } else { maximum(a, b) },
        Kind::ArithMinimumf => |a, b| if a.is_nan() || b.is_nan() { f64::NAN } else { -maximum(-a, -b) },
        Kind::ArithMaxnumf => f64::max,
        Kind::ArithMinnumf => f64::min,
        Kind::MathPowf => f64::powf,
        Kind::MathAtan2 => f64::atan2,
        Kind::MathCopysign => f64::copysign,
        _ => return None,
    })
}

/// Returns the IEEE 754 maximum of two numbers: +0 is greater than -0.
fn maximum(a: f64, b: f64) -> f64 {
    if a == b && a == 0.0 {
        return if a.is_sign_positive() { a } else { b };
    }
    if a > b { a } else { b }
}

type Integer = fn(i64, i64, Element) -> Outcome<i64>;

fn binary_integer(kind: Kind) -> Option<Integer> {
    Some(match kind {
        Kind::ArithAddi => |a, b, _| Ok(a.wrapping_add(b)),
        Kind::ArithSubi => |a, b, _| Ok(a.wrapping_sub(b)),
        Kind::ArithMuli => |a, b, _| Ok(a.wrapping_mul(b)),
        Kind::ArithDivsi => |a, b, e| division(a, b, e).map(|(a, b)| a / b),
        Kind::ArithRemsi => |a, b, e| division(a, b, e).map(|(a, b)| a % b),
        Kind::ArithFloordivsi => {
            |a, b, e| division(a, b, e).map(|(a, b)| if a % b != 0 && (a < 0) != (b < 0) { a / b - 1 } else { a / b })
        }
        Kind::ArithCeildivsi => {
            |a, b, e| division(a, b, e).map(|(a, b)| if a % b != 0 && (a < 0) == (b < 0) { a / b + 1 } else { a / b })
        }
        Kind::ArithDivui => |a, b, e| nonzero(b).map(|b| (unsigned(a, e) / unsigned(b, e)) as i64),
        Kind::ArithRemui => |a, b, e| nonzero(b).map(|b| (unsigned(a, e) % unsigned(b, e)) as i64),
        Kind::ArithCeildivui => |a, b, e| nonzero(b).map(|b| unsigned(a, e).div_ceil(unsigned(b, e)) as i64),
        Kind::ArithAndi => |a, b, _| Ok(a & b),
        Kind::ArithOri => |a, b, _| Ok(a | b),
        Kind::ArithXori => |a, b, _| Ok(a ^ b),
        Kind::ArithMaxsi => |a, b, e| Ok(if signed(a, e) >= signed(b, e) { a } else { b }),
        Kind::ArithMinsi => |a, b, e| Ok(if signed(a, e) <= signed(b, e) { a } else { b }),
        Kind::ArithMaxui => |a, b, e| Ok(if unsigned(a, e) >= unsigned(b, e) { a } else { b }),
        Kind::ArithMinui => |a, b, e| Ok(if unsigned(a, e) <= unsigned(b, e) { a } else { b }),
        Kind::ArithShli => |a, b, e| shift(b, e).map(|s| a << s),
        Kind::ArithShrsi => |a, b, e| shift(b, e).map(|s| signed(a, e) >> s),
        Kind::ArithShrui => |a, b, e| shift(b, e).map(|s| (unsigned(a, e) >> s) as i64),
        Kind::MathIpowi => |a, b, e| integer_power(signed(a, e), signed(b, e)),
        _ => return None,
    })
}

fn nonzero(b: i64) -> Outcome<i64> {
    if b == 0 { Err("divides by zero, which is undefined".into()) } else { Ok(b) }
}

/// Returns the operands of a signed division, or an error: it is undefined for a zero divisor and if the quotient
/// overflows.
fn division(a: i64, b: i64, element: Element) -> Outcome<(i64, i64)> {
    let (a, b) = (signed(a, element), signed(b, element));
    let least = if element == Element::I1 { -1 } else { element.range().0 };
    if a == least && b == -1 {
        return Err(format!("divides {a} by -1, which overflows and is undefined").into());
    }
    nonzero(b).map(|b| (a, b))
}

fn shift(s: i64, element: Element) -> Outcome<u32> {
    if (0..element.bits() as i64).contains(&s) {
        return Ok(s as u32);
    }
    Err(format!("shifts by {s}, expected a distance from 0 to {}", element.bits() - 1).into())
}

/// Returns aⁿ, wrapped to 64 bits. A negative power is rounded to zero.
fn integer_power(a: i64, n: i64) -> Outcome<i64> {
    match a {
        _ if n >= 0 => {
            let (mut z, mut square, mut n) = (1i64, a, n);
            while n > 0 {
                z = if n & 1 != 0 { z.wrapping_mul(square) } else { z };
                (square, n) = (square.wrapping_mul(square), n >> 1);
            }
            Ok(z)
        }
        0 => Err(format!("raises zero to the power {n}, which is undefined").into()),
        1 => Ok(1),
        -1 => Ok(if n % 2 == 0 { 1 } else { -1 }),
        _ => Ok(0),
    }
}

/// Returns an integer as a signed number. A boolean is one signed bit in MLIR: true is -1.
fn signed(x: i64, element: Element) -> i64 {
    if element == Element::I1 { -x } else { x }
}

fn unsigned(x: i64, element: Element) -> u64 {
    x as u64 & (u64::MAX >> (64 - element.bits()))
}

fn as_signed(x: &Array) -> Vec<i64> {
    integers(x).into_iter().map(|i| signed(i, x.element())).collect()
}

/// Checks whether `arith.cmpf` with this predicate is true.
fn compare_floats(predicate: CmpFPredicate, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match predicate {
        CmpFPredicate::AlwaysFalse => false,
        CmpFPredicate::Oeq => a == b,
        CmpFPredicate::Ogt => a > b,
        CmpFPredicate::Oge => a >= b,
        CmpFPredicate::Olt => a < b,
        CmpFPredicate::Ole => a <= b,
        CmpFPredicate::One => !unordered && a != b,
        CmpFPredicate::Ord => !unordered,
        CmpFPredicate::Ueq => unordered || a == b,
        CmpFPredicate::Ugt => unordered || a > b,
        CmpFPredicate::Uge => unordered || a >= b,
        CmpFPredicate::Ult => unordered || a < b,
        CmpFPredicate::Ule => unordered || a <= b,
        CmpFPredicate::Une => a != b,
        CmpFPredicate::Uno => unordered,
        CmpFPredicate::AlwaysTrue => true,
    }
}

/// Checks whether `arith.cmpi` with this predicate is true of integers of this type.
fn compare_integers(predicate: CmpIPredicate, a: i64, b: i64, element: Element) -> bool {
    let (sa, sb) = (signed(a, element), signed(b, element));
    let (ua, ub) = (unsigned(a, element), unsigned(b, element));
    match predicate {
        CmpIPredicate::Eq => a == b,
        CmpIPredicate::Ne => a != b,
        CmpIPredicate::Slt => sa < sb,
        CmpIPredicate::Sle => sa <= sb,
        CmpIPredicate::Sgt => sa > sb,
        CmpIPredicate::Sge => sa >= sb,
        CmpIPredicate::Ult => ua < ub,
        CmpIPredicate::Ule => ua <= ub,
        CmpIPredicate::Ugt => ua > ub,
        CmpIPredicate::Uge => ua >= ub,
    }
}

/// Converts a float to the bits of an integer. The conversion is undefined out of range, which is an error.
fn float_to_integer(x: f64, to: Element, is_signed: bool) -> Outcome<i64> {
    // 2ⁿ for numbers of n bits without the sign.
    let end = ((1u128 << to.bits()) >> u32::from(is_signed)) as f64;
    let t = x.trunc();
    if t >= (if is_signed { -end } else { 0.0 }) && t < end {
        return Ok(if is_signed { t as i64 } else { t as u64 as i64 });
    }
    Err(format!("converts {x} to an integer, which is out of range and undefined").into())
}

fn select(condition: &Array, a: &Array, b: &Array) -> Outcome<Array> {
    let bits = integers(condition);
    if condition.rank() == 0 {
        return Ok(if bits[0] != 0 { a.clone() } else { b.clone() });
    }
    same_shape(condition, a)?;
    same_shape(a, b)?;
    if a.element() != b.element() {
        return Err("needs operands of the same type".into());
    }
    let order: Vec<usize> = (0..bits.len()).map(|i| if bits[i] != 0 { i } else { a.len() + i }).collect();
    Ok(rebuilt(a, arrays::picked(&a.data().clone().followed_by(b.data()), &order)))
}

fn same_shape(a: &Array, b: &Array) -> Outcome<()> {
    if a.shape() == b.shape() {
        return Ok(());
    }
    Err(format!("needs operands of the same shape, found {:?} and {:?}", a.shape(), b.shape()).into())
}

pub fn map_float(a: &Array, f: fn(f64) -> f64) -> Outcome<Array> {
    Ok(floats(a, a.to_f64().into_iter().map(f)))
}

/// Applies `f` elementwise. In f32, one operation in f64 rounded to f32 equals the f32 operation for + - * / and sqrt
/// (Figueroa 1995), and an f32 operation rounded to f16 or bf16 equals an operation of that type.
fn zip_float(a: &Array, b: &Array, f: fn(f64, f64) -> f64) -> Outcome<Array> {
    same_shape(a, b)?;
    Ok(floats(a, a.to_f64().into_iter().zip(b.to_f64()).map(|(a, b)| f(a, b))))
}

fn map_integer(a: &Array, f: fn(i64, Element) -> i64) -> Outcome<Array> {
    let element = a.element();
    Ok(rebuilt(a, Data::of_integers(element, integers(a).into_iter().map(|x| f(x, element)))))
}

fn zip_integer(a: &Array, b: &Array, f: Integer) -> Outcome<Array> {
    same_shape(a, b)?;
    let element = a.element();
    let v: Outcome<Vec<i64>> = integers(a).into_iter().zip(integers(b)).map(|(a, b)| f(a, b, element)).collect();
    Ok(rebuilt(a, Data::of_integers(element, v?)))
}

/// Returns the values of integers and booleans.
pub fn integers(x: &Array) -> Vec<i64> {
    x.data().to_integers()
}

fn rebuilt(like: &Array, data: Data) -> Array {
    Array::new(like.shape().to_vec(), data)
}

/// Returns the results of an op as floats of the shape and the type of `like`.
fn floats(like: &Array, v: impl Iterator<Item = f64>) -> Array {
    let element = if like.element().is_float() { like.element() } else { Element::F64 };
    rebuilt(like, Data::of_f64(element, v.map(|x| element.computed(x))))
}

/// Returns floats of the op's result type and the shape of `like`.
fn of_floats(op: Op, like: &Array, v: Vec<f64>) -> Array {
    rebuilt(like, Data::of_f64(op.result(0).ty().element().unwrap_or(Element::F64), v))
}

fn of_integers(op: Op, like: &Array, v: Vec<i64>) -> Array {
    rebuilt(like, Data::of_integers(op.result(0).ty().element().unwrap_or(Element::I64), v))
}
