//! Elementary functions for devices, which have no maths library, as arithmetic on scalars. `f32` is computed in `f64`.
//!
//! The maximum errors, as measured by `tests/kernels.rs`, are 2 units in the last place, and 3 for `sinh`. The sine and
//! the cosine of x have an additional absolute error of 2^-155·|x|, and are NaN for numbers beyond 2^128.

use super::{Real, clamp, exp, expm1, log, log_ends, log1p, reduce};
use crate::ir::CmpFPredicate::{Oeq, Ogt, Olt};
use crate::ir::*;
use mlopt_dialects::value::Element;

/// Expands `op` before it, if it is a function of this file on scalars.
pub fn write(op: Op) -> Option<Value> {
    let function: fn(Real, &[Value]) -> Value = match op.kind() {
        Kind::MathAcos => |m, x| atan2(m, root_of_rest(m, x[0]), x[0]),
        Kind::MathAcosh => |m, x| acosh(m, x[0]),
        Kind::MathAsin => |m, x| atan2(m, x[0], root_of_rest(m, x[0])),
        Kind::MathAsinh => |m, x| asinh(m, x[0]),
        Kind::MathAtan => |m, x| atan(m, x[0]),
        Kind::MathAtan2 => |m, x| atan2(m, x[0], x[1]),
        Kind::MathAtanh => |m, x| atanh(m, x[0]),
        Kind::MathCbrt => |m, x| cbrt(m, x[0]),
        Kind::MathCos => |m, x| Turn::of(m, x[0]).cos(m),
        Kind::MathCosh => |m, x| cosh(m, x[0]),
        Kind::MathExp2 => |m, x| exp_of_sum(m, product(m, x[0], LN_2)),
        Kind::MathFpowi | Kind::MathPowf => |m, x| pow(m, x[0], x[1]),
        Kind::MathLog10 => |m, x| log_to_base(m, x[0], INVERSE_LN_10),
        Kind::MathLog2 => |m, x| log_to_base(m, x[0], INVERSE_LN_2),
        Kind::MathRsqrt => |m, x| m.div(m.number(1.0), m.b.same(Kind::MathSqrt, &[x[0]])),
        Kind::MathSin => |m, x| m.choose(x[0], Oeq, 0.0, x[0], Turn::of(m, x[0]).sin(m)),
        Kind::MathSinh => |m, x| sinh(m, x[0]),
        Kind::MathTan => |m, x| {
            let turn = Turn::of(m, x[0]);
            m.choose(x[0], Oeq, 0.0, x[0], m.div(turn.sin(m), turn.cos(m)))
        },
        _ => return None,
    };
    let (b, ty) = (Builder::before(op), op.result(0).ty());
    let wide = op.context().scalar(Element::F64);
    let widened = |x: Value| match x.ty().element() {
        Some(Element::F64) => Some(x),
        Some(Element::F32) => Some(b.value(Kind::ArithExtf, &[x], wide, &[])),
        Some(Element::I32 | Element::I64) => Some(b.value(Kind::ArithSitofp, &[x], wide, &[])),
        _ => None,
    };
    if !ty.is_float() {
        return None;
    }
    let operands: Vec<Value> = op.operands().into_iter().map(widened).collect::<Option<_>>()?;
    let z = function(Real::new(b, wide)?, &operands);
    Some(if ty == wide { z } else { b.value(Kind::ArithTruncf, &[z], ty, &[]) })
}

/// A number as a sum of two, the second less than an ulp of the first.
type Double = [f64; 2];

const LN_2: Double = [std::f64::consts::LN_2, 2.3190468138462996e-17];
const INVERSE_LN_2: Double = [std::f64::consts::LOG2_E, 2.0355273740931033e-17];
const INVERSE_LN_10: Double = [std::f64::consts::LOG10_E, 1.098319650216765e-17];
const THIRD: Double = [1.0 / 3.0, 1.850371707708594e-17];
/// π/2 to 160 bits.
const QUARTER_TURN: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];
const PI: Double = [std::f64::consts::PI, 1.2246467991473532e-16];

/// A [`Double`] of values.
#[derive(Clone, Copy)]
struct Sum {
    high: Value,
    low: Value,
}

impl Real {
    /// Emits x·y + z with one rounding.
    fn fused(self, x: Value, y: Value, z: Value) -> Value {
        self.b.same(Kind::MathFma, &[x, y, z])
    }

    fn minus(self, x: Value) -> Value {
        self.b.same(Kind::ArithNegf, &[x])
    }

    fn size(self, x: Value) -> Value {
        self.b.same(Kind::MathAbsf, &[x])
    }

    fn signed(self, x: Value, sign: Value) -> Value {
        self.b.same(Kind::MathCopysign, &[x, sign])
    }

    fn root(self, x: Value) -> Value {
        self.b.same(Kind::MathSqrt, &[x])
    }

    /// Emits x + y exactly, where x is zero or the larger one.
    fn exact_sum(self, x: Value, y: Value) -> Sum {
        let high = self.add(x, y);
        Sum { high, low: self.sub(y, self.sub(high, x)) }
    }
}

/// Emits x·c.
fn product(m: Real, x: Value, [c, rest]: Double) -> Sum {
    let high = m.mul(x, m.number(c));
    let lost = m.fused(x, m.number(c), m.minus(high));
    Sum { high, low: m.fused(x, m.number(rest), lost) }
}

/// A number of quarter turns, and the remainder of an angle, at most slightly more than half a quarter.
struct Turn {
    quarters: Value,
    angle: Sum,
}

impl Turn {
    /// Subtracts quarters three times, because the first quotient is only as exact as one number can be.
    fn of(m: Real, x: Value) -> Turn {
        let [p1, p2, p3] = QUARTER_TURN.map(|p| m.number(p));
        let x = m.choose(m.size(x), Olt, 2f64.powi(128), x, m.number(f64::NAN));
        let mut turn = Turn { quarters: m.number(0.0), angle: Sum { high: x, low: m.number(0.0) } };
        for _ in 0..3 {
            let Sum { high, low } = turn.angle;
            let n = m.b.same(Kind::MathRoundeven, &[m.mul(high, m.number(std::f64::consts::FRAC_2_PI))]);
            let minus_n = m.minus(n);
            // This is exact: the difference has no more bits than a number.
            let left = m.fused(minus_n, p1, high);
            let next = m.mul(minus_n, p2);
            let lost = m.fused(minus_n, p2, m.minus(next));
            let sum = m.add(left, next);
            let part = m.sub(sum, left);
            let rounding = m.add(m.sub(left, m.sub(sum, part)), m.sub(next, part));
            let small = m.fused(minus_n, p3, m.add(m.add(low, rounding), lost));
            turn.angle = m.exact_sum(sum, small);
            turn.quarters = modulo_4(m, m.add(turn.quarters, modulo_4(m, n)));
        }
        turn
    }

    fn sin(&self, m: Real) -> Value {
        self.wave(m, self.quarters)
    }

    fn cos(&self, m: Real) -> Value {
        self.wave(m, modulo_4(m, m.add(self.quarters, m.number(1.0))))
    }

    /// Emits sin, cos, -sin or -cos of the remainder, depending on the number of quarters.
    fn wave(&self, m: Real, quarters: Value) -> Value {
        let (sin, cos) = (sin_of_rest(m, self.angle), cos_of_rest(m, self.angle));
        let half = m.b.same(Kind::MathFloor, &[m.mul(quarters, m.number(0.5))]);
        let odd = m.sub(quarters, m.add(half, half));
        let z = m.choose(odd, Oeq, 0.0, sin, cos);
        m.choose(half, Oeq, 0.0, z, m.minus(z))
    }
}

fn modulo_4(m: Real, n: Value) -> Value {
    let fours = m.b.same(Kind::MathFloor, &[m.mul(n, m.number(0.25))]);
    m.fma(fours, m.number(-4.0), n)
}

/// Emits the polynomials of fdlibm's `__kernel_sin` and `__kernel_cos` (Sun Microsystems), on ±π/4.
fn sin_of_rest(m: Real, Sum { high: x, low }: Sum) -> Value {
    const REST: [f64; 5] = [
        8.333_333_333_322_49e-3,
        -1.984_126_982_985_795e-4,
        2.755_731_370_707_006_8e-6,
        -2.505_076_025_340_686_3e-8,
        1.589_690_995_211_55e-10,
    ];
    let square = m.mul(x, x);
    let cube = m.mul(square, x);
    let rest = m.polynomial(square, &REST);
    let inner = m.sub(m.mul(low, m.number(0.5)), m.mul(cube, rest));
    let small = m.sub(m.mul(square, inner), low);
    m.sub(x, m.sub(small, m.mul(cube, m.number(-1.666_666_666_666_663_2e-1))))
}

fn cos_of_rest(m: Real, Sum { high: x, low }: Sum) -> Value {
    const REST: [f64; 6] = [
        4.166_666_666_666_66e-2,
        -1.388_888_888_887_411e-3,
        2.480_158_728_947_673e-5,
        -2.755_731_435_139_066_3e-7,
        2.087_572_321_298_175e-9,
        -1.135_964_755_778_819_5e-11,
    ];
    let square = m.mul(x, x);
    let half = m.mul(square, m.number(0.5));
    let most = m.sub(m.number(1.0), half);
    let lost = m.sub(m.sub(m.number(1.0), most), half);
    let rest = m.mul(m.mul(square, square), m.polynomial(square, &REST));
    m.add(most, m.add(lost, m.sub(rest, m.mul(x, low))))
}

/// Emits log x for positive x, including subnormal numbers, to about 65 bits.
fn log_as_sum(m: Real, x: Value) -> Sum {
    let f = m.format;
    let scale = 2f64.powi(54);
    let normal = m.choose(x, Olt, f64::MIN_POSITIVE, m.mul(x, m.number(scale)), x);
    let less = m.choose(x, Olt, f64::MIN_POSITIVE, m.number(-54.0), m.number(0.0));
    // x = 2^k·c with c between √½ and √2.
    let above = m.int(Kind::ArithAddi, m.as_bits(normal), (f.bias << f.mantissa) - f.sqrt_half);
    let exponent = m.int(Kind::ArithShrui, above, f.mantissa.into());
    let k = m.b.value(Kind::ArithSitofp, &[m.int(Kind::ArithSubi, exponent, f.bias)], m.ty, &[]);
    let k = m.add(k, less);
    let mantissa = m.int(Kind::ArithAndi, above, (1 << f.mantissa) - 1);
    let c = m.as_number(m.int(Kind::ArithAddi, mantissa, f.sqrt_half));

    // log c = 2s·(1 + s²/3 + s⁴/5 + …) with s = (c - 1)/(c + 1)
    let one = m.number(1.0);
    let d = m.sub(c, one);
    let below = m.add(c, one);
    let below_lost = m.sub(c, m.sub(below, one));
    let s = m.div(d, below);
    let s_left = m.sub(m.fused(m.minus(s), below, d), m.mul(s, below_lost));
    let s_low = m.div(s_left, below);
    let z = m.mul(s, s);
    let z_low = m.add(m.fused(s, s, m.minus(z)), m.mul(m.add(s, s), s_low));
    // Up to s^24, whose term is below 2^-66 where s is largest.
    let series: Vec<f64> = (0..11).map(|n| 1.0 / f64::from(5 + 2 * n)).collect();
    let w = m.mul(z, m.polynomial(z, &series));
    let factor = m.exact_sum(m.number(THIRD[0]), m.add(w, m.number(THIRD[1])));
    let u = m.mul(z, factor.high);
    let u_low = m.add(m.fused(z, factor.high, m.minus(u)), m.add(m.mul(z, factor.low), m.mul(z_low, factor.high)));
    // s·(1 + u)
    let p = m.mul(s, u);
    let p_low = m.add(m.fused(s, u, m.minus(p)), m.add(m.mul(s, u_low), m.mul(s_low, u)));
    let half = m.exact_sum(s, p);
    let half_low = m.add(half.low, m.add(p_low, s_low));
    let (log_c, log_c_low) = (m.add(half.high, half.high), m.add(half_low, half_low));

    let sum = m.exact_sum(m.mul(k, m.number(f.ln2[0])), log_c);
    let low = m.add(m.fused(k, m.number(f.ln2[1]), sum.low), log_c_low);
    m.exact_sum(sum.high, low)
}

fn log_to_base(m: Real, x: Value, inverse: Double) -> Value {
    let log = log_as_sum(m, x);
    let scaled = product(m, log.high, inverse);
    let z = m.add(scaled.high, m.fused(log.low, m.number(inverse[0]), scaled.low));
    log_ends(m, x, z)
}

fn exp_of_sum(m: Real, x: Sum) -> Value {
    // Beyond this range the result is zero or infinite for any second part, which may be NaN.
    let low = m.choose(m.size(x.high), Olt, 1000.0, x.low, m.number(0.0));
    let reduced = reduce(m, clamp(m, x.high, m.format.exp_range));
    let more = m.add(reduced.exp_r, m.number(1.0));
    let exp_r = m.fma(low, more, reduced.exp_r);
    reduced.scaled(m, m.add(exp_r, m.number(1.0)))
}

/// Emits the power with the semantics of C: the sign of x counts if y is an odd integer, and negative x with a
/// fractional y gives NaN.
fn pow(m: Real, x: Value, y: Value) -> Value {
    let a = m.size(x);
    let (zero, one, infinite) = (m.number(0.0), m.number(1.0), m.number(f64::INFINITY));
    let log = log_as_sum(m, a);
    let high = m.choose(a, Oeq, 0.0, m.number(f64::NEG_INFINITY), log.high);
    let high = m.choose(a, Oeq, f64::INFINITY, infinite, high);
    // NaN is not below infinity.
    let high = m.choose(a, Olt, f64::INFINITY, high, a);
    let power = m.mul(y, high);
    let low = m.add(m.fused(y, high, m.minus(power)), m.mul(y, log.low));
    let z = exp_of_sum(m, Sum { high: power, low });

    let rest = |y: Value| m.sub(y, m.b.same(Kind::MathTrunc, &[y]));
    // Infinite y is even; its remainder is NaN.
    let finite = |v: Value, otherwise: Value| m.choose(m.size(y), Olt, f64::INFINITY, v, otherwise);
    let fraction = finite(rest(y), zero);
    let odd = finite(rest(m.mul(y, m.number(0.5))), zero);
    let whole = m.choose(odd, Oeq, 0.0, z, m.signed(z, x));
    let nothing = m.choose(x, Olt, 0.0, m.number(f64::NAN), z);
    let nothing = m.choose(a, Oeq, f64::INFINITY, z, nothing);
    let z = m.choose(fraction, Oeq, 0.0, whole, nothing);
    let alone = m.choose(m.size(y), Oeq, f64::INFINITY, one, z);
    let z = m.choose(a, Oeq, 1.0, alone, z);
    let z = m.choose(x, Oeq, 1.0, one, z);
    m.choose(y, Oeq, 0.0, one, z)
}

/// Emits sinh = (t + t/(t + 1))/2 with t = exp(|x|) - 1, or exp(|x|/2)² / 2 where exp is infinite.
fn sinh(m: Real, x: Value) -> Value {
    let a = m.size(x);
    let t = expm1(m, a);
    let z = m.mul(m.add(t, m.div(t, m.add(t, m.number(1.0)))), m.number(0.5));
    m.signed(m.choose(a, Ogt, 700.0, half_of_exp(m, a), z), x)
}

fn cosh(m: Real, x: Value) -> Value {
    let a = m.size(x);
    let e = exp(m, a);
    let z = m.mul(m.add(e, m.div(m.number(1.0), e)), m.number(0.5));
    m.choose(a, Ogt, 700.0, half_of_exp(m, a), z)
}

fn half_of_exp(m: Real, x: Value) -> Value {
    let e = exp(m, m.mul(x, m.number(0.5)));
    m.mul(m.mul(e, m.number(0.5)), e)
}

/// The bound above which x² + 1 is x².
const LARGE: f64 = 268435456.0;

fn asinh(m: Real, x: Value) -> Value {
    let a = m.size(x);
    let square = m.mul(a, a);
    let root = m.root(m.add(square, m.number(1.0)));
    let z = log1p(m, m.add(a, m.div(square, m.add(root, m.number(1.0)))));
    let far = m.add(log(m, a), m.number(LN_2[0]));
    m.signed(m.choose(a, Ogt, LARGE, far, z), x)
}

fn acosh(m: Real, x: Value) -> Value {
    let t = m.sub(x, m.number(1.0));
    let z = log1p(m, m.add(t, m.root(m.fma(t, t, m.add(t, t)))));
    let far = m.add(log(m, x), m.number(LN_2[0]));
    let z = m.choose(x, Ogt, LARGE, far, z);
    m.choose(x, Olt, 1.0, m.number(f64::NAN), z)
}

fn atanh(m: Real, x: Value) -> Value {
    let a = m.size(x);
    let z = log1p(m, m.div(m.add(a, a), m.sub(m.number(1.0), a)));
    m.signed(m.mul(z, m.number(0.5)), x)
}

/// Emits fdlibm's `atan` (Sun Microsystems): the known arctangent of a number near x, plus the arctangent of the
/// difference.
fn atan(m: Real, x: Value) -> Value {
    const REST: [f64; 11] = [
        3.333_333_333_333_293e-1,
        -1.999_999_999_987_648_3e-1,
        1.428_571_427_250_346_6e-1,
        -1.111_111_040_546_235_6e-1,
        9.090_887_133_436_507e-2,
        -7.691_876_205_044_83e-2,
        6.661_073_137_387_531e-2,
        -5.833_570_133_790_573_5e-2,
        4.976_877_994_615_932_4e-2,
        -3.653_157_274_421_691_6e-2,
        1.628_582_011_536_578_2e-2,
    ];
    let a = m.size(x);
    let one = m.number(1.0);
    // For each bound: numerator, denominator, and the known arctangent as a sum.
    let near: [(f64, Value, Value, Double); 4] = [
        (2.4375, m.sub(a, m.number(1.5)), m.times(a, 1.5, one), [9.827_937_232_473_29e-1, 1.390_331_103_123_099_8e-17]),
        (1.1875, m.sub(a, one), m.add(a, one), [std::f64::consts::FRAC_PI_4, 3.061_616_997_868_383e-17]),
        (
            0.6875,
            m.sub(m.add(a, a), one),
            m.add(a, m.number(2.0)),
            [0.463_647_609_000_806_1, 2.269_877_745_296_168_7e-17],
        ),
        (0.4375, a, one, [0.0, 0.0]),
    ];
    let [mut above, mut below] = [m.number(-1.0), a];
    let [mut high, mut low] = [QUARTER_TURN[0], QUARTER_TURN[1]].map(|c| m.number(c));
    for (bound, numerator, denominator, known) in near {
        above = m.choose(a, Olt, bound, numerator, above);
        below = m.choose(a, Olt, bound, denominator, below);
        high = m.choose(a, Olt, bound, m.number(known[0]), high);
        low = m.choose(a, Olt, bound, m.number(known[1]), low);
    }
    let t = m.div(above, below);
    let square = m.mul(t, t);
    let rest = m.mul(m.mul(t, square), m.polynomial(square, &REST));
    m.signed(m.sub(high, m.sub(m.sub(rest, low), t)), x)
}

fn atan2(m: Real, y: Value, x: Value) -> Value {
    let (a, b) = (m.size(y), m.size(x));
    let ratio = m.div(a, b);
    let one = m.number(1.0);
    // Zero over zero, and infinity over infinity.
    let both_infinite = m.choose(b, Oeq, f64::INFINITY, one, ratio);
    let ratio = m.choose(a, Oeq, f64::INFINITY, both_infinite, ratio);
    let of_zero = m.choose(b, Oeq, 0.0, m.number(0.0), ratio);
    let ratio = m.choose(a, Oeq, 0.0, of_zero, ratio);
    let p = atan(m, ratio);
    let behind = m.sub(m.number(PI[0]), m.sub(p, m.number(PI[1])));
    let side = m.signed(one, x);
    m.signed(m.choose(side, Olt, 0.0, behind, p), y)
}

/// Emits √(1 - x²).
fn root_of_rest(m: Real, x: Value) -> Value {
    let one = m.number(1.0);
    m.root(m.mul(m.sub(one, x), m.add(one, x)))
}

/// Emits exp(log |x| / 3), followed by one iteration of Newton's method.
fn cbrt(m: Real, x: Value) -> Value {
    let a = m.size(x);
    // The number is scaled away from the subnormal range.
    let scaled = |v: Value, power: i32| m.choose(a, Olt, 2f64.powi(-900), m.mul(v, m.number(2f64.powi(power))), v);
    let large = scaled(a, 162);
    let t = exp(m, m.mul(log(m, large), m.number(THIRD[0])));
    let square = m.mul(t, t);
    let excess = m.fused(square, t, m.minus(large));
    let z = scaled(m.sub(t, m.div(excess, m.mul(square, m.number(3.0)))), -54);
    let z = m.choose(a, Oeq, 0.0, a, z);
    m.signed(m.choose(a, Oeq, f64::INFINITY, a, z), x)
}
