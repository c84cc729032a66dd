//! Expansion of elementary functions to arithmetic, so that loops that call them can use vectors of any width.
//!
//! Inside loops, `exp`, `expm1`, `log`, `log1p` and `tanh` become straight-line code without branches or tables, for
//! f32, f64 and vectors of them. Outside loops, this code is used for vectors only, which the C library lacks;
//! functions of scalars become calls of the C library, which are as fast. Results for zero, infinities, NaN and
//! subnormal numbers agree with the C library. For other numbers the maximum errors, as measured by `tests/maths.rs`,
//! are 1 unit in the last place for `exp`, `log` and `log1p`, 2 for `expm1`, and 3 for `tanh`.
//!
//! No function requires a fused multiply-add: `llvm.intr.fmuladd` is fused only if the processor supports that. Without
//! fusion the argument reductions are still exact, because the leading part of ln 2 has trailing zeros. A number is
//! rounded to an integer by adding 1.5·2^p (p is the number of mantissa bits), which leaves the integer in the lowest
//! bits.

mod device;

use crate::ir::CmpFPredicate::{Oeq, Ogt, Olt};
use crate::ir::*;
use mlopt_dialects::value::Element;

/// Expands such ops in the loops of `module`, and on vectors everywhere, because the C library has no vector functions.
pub fn inline(module: Op) {
    let is_in_loop = |op: Op| ancestors(op).any(|p| matches!(p.kind(), Kind::ScfFor | Kind::ScfWhile));
    inline_where(module, |op| op.result(0).ty().is_vector() || is_in_loop(op));
}

/// Checks whether every device supports an operation of `math` natively.
fn is_native(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, MathAbsf | MathAbsi | MathCeil | MathFloor | MathRound | MathRoundeven | MathTrunc)
        || matches!(kind, MathCopysign | MathCtlz | MathCtpop | MathCttz | MathFma | MathSqrt)
}

/// Expands such ops everywhere, and other functions of scalars; rejects ops that would need a library.
pub fn without_library(module: Op) -> Result<()> {
    for op in module.nested_ops() {
        if let Some(z) = device::write(op) {
            op.replace_with([z]);
        }
    }
    inline_where(module, |_| true);
    let missing = |op: &Op| op.kind() == Kind::ArithRemf || op.kind().dialect() == "math" && !is_native(op.kind());
    match module.nested_ops().into_iter().find(missing) {
        Some(op) => Err(op.not_supported("compiled code cannot compute this function without a library")),
        None => Ok(()),
    }
}

fn inline_where(module: Op, here: impl Fn(Op) -> bool) {
    for op in module.nested_ops() {
        let function: fn(Real, Value) -> Value = match op.kind() {
            Kind::MathExp => exp,
            Kind::MathExpm1 => expm1,
            Kind::MathLog => log,
            Kind::MathLog1p => log1p,
            Kind::MathTanh => tanh,
            _ => continue,
        };
        let b = Builder::before(op);
        let Some(real) = here(op).then(|| Real::new(b, op.result(0).ty())).flatten() else { continue };
        op.replace_with([function(real, op.operand(0))]);
    }
}

/// The parameters of a floating-point type.
struct Format {
    /// The number of stored mantissa bits.
    mantissa: u32,
    bias: i64,
    /// ln 2 as a sum; the first part has enough trailing zeros that its products with exponents are exact.
    ln2: [f64; 2],
    /// The bits of √½.
    sqrt_half: i64,
    /// The number of terms of the series of `exp` that are needed on ±ln 2 / 2.
    exp_terms: usize,
    /// The bounds beyond which `exp` is certainly zero, and infinite.
    exp_range: [f64; 2],
    /// log((1+s)/(1-s)) = 2s + s·R(s²): the coefficients of R, those of fdlibm's `log` and `logf` (Sun Microsystems).
    log: &'static [f64],
}

const F64: Format = Format {
    mantissa: 52,
    bias: 1023,
    ln2: [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10],
    sqrt_half: 0x3fe6_a09e_667f_3bcd,
    exp_terms: 13,
    exp_range: [-746.0, 710.0],
    log: &[
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ],
};

const F32: Format = Format {
    mantissa: 23,
    bias: 127,
    ln2: [6.9313812256e-01, 9.0580006145e-06],
    sqrt_half: 0x3f35_04f3,
    exp_terms: 7,
    exp_range: [-104.0, 89.0],
    log: &[0.66666662693, 0.40000972152, 0.28498786688, 0.24279078841],
};

/// A builder of arithmetic on one type of floating-point numbers.
#[derive(Clone, Copy)]
struct Real {
    b: Builder,
    ty: Type,
    /// The integers of the same width.
    bits: Type,
    format: &'static Format,
}

impl Real {
    /// Returns `None` for types that are not f32, f64 or vectors of them.
    fn new(b: Builder, ty: Type) -> Option<Real> {
        let (format, name) = match ty.scalar().element() {
            Some(Element::F64) => (&F64, "i64"),
            Some(Element::F32) => (&F32, "i32"),
            _ => return None,
        };
        if ty.is_tensor() {
            return None;
        }
        let bits = b.context().parse_type(&ty.to_string().replace(&ty.scalar().to_string(), name))?;
        Some(Real { b, ty, bits, format })
    }

    fn number(self, x: f64) -> Value {
        self.b.everywhere(self.ty, Attribute::float(self.ty.scalar(), x))
    }

    fn integer(self, n: i64) -> Value {
        self.b.everywhere(self.bits, Attribute::integer(self.bits.scalar(), n))
    }

    fn add(self, x: Value, y: Value) -> Value {
        self.b.same(Kind::ArithAddf, &[x, y])
    }

    fn sub(self, x: Value, y: Value) -> Value {
        self.b.same(Kind::ArithSubf, &[x, y])
    }

    fn mul(self, x: Value, y: Value) -> Value {
        self.b.same(Kind::ArithMulf, &[x, y])
    }

    fn div(self, x: Value, y: Value) -> Value {
        self.b.same(Kind::ArithDivf, &[x, y])
    }

    /// Emits x·y + z.
    fn fma(self, x: Value, y: Value, z: Value) -> Value {
        self.b.same(Kind::LlvmIntrFmuladd, &[x, y, z])
    }

    /// Emits x·c + z.
    fn times(self, x: Value, c: f64, z: Value) -> Value {
        self.fma(x, self.number(c), z)
    }

    fn int(self, kind: Kind, x: Value, n: i64) -> Value {
        self.b.same(kind, &[x, self.integer(n)])
    }

    fn as_bits(self, x: Value) -> Value {
        self.b.value(Kind::ArithBitcast, &[x], self.bits, &[])
    }

    fn as_number(self, x: Value) -> Value {
        self.b.value(Kind::ArithBitcast, &[x], self.ty, &[])
    }

    /// Emits `yes` where x < c, x > c or x = c, according to `how` (false for NaN), else `no`.
    fn choose(self, x: Value, how: CmpFPredicate, c: f64, yes: Value, no: Value) -> Value {
        let ctx = self.b.context();
        let truth = self.ty.with_scalar(ctx.int(1)).expect("a number or a vector");
        let predicate = [("predicate", Attribute::integer(ctx.int(64), how as i64))];
        let test = self.b.value(Kind::ArithCmpf, &[x, self.number(c)], truth, &predicate);
        self.b.select(test, yes, no)
    }

    /// Emits Σ c[k]·x^k, for k from zero, with even and odd powers separate: two short dependency chains instead of a
    /// long one.
    fn polynomial(self, x: Value, coefficients: &[f64]) -> Value {
        let square = self.mul(x, x);
        let horner = |from: usize| {
            let mut powers = coefficients[from..].iter().step_by(2).rev();
            let first = self.number(*powers.next().expect("two coefficients"));
            powers.fold(first, |sum, c| self.fma(sum, square, self.number(*c)))
        };
        let (even, odd) = (horner(0), horner(1));
        self.fma(odd, x, even)
    }
}

/// x = n·ln 2 + r with |r| ≤ ln 2 / 2.
struct Reduced {
    /// exp(r) - 1.
    exp_r: Value,
    /// n in the lowest bits, above them zeros and the sign and exponent of 1.5·2^p.
    n: Value,
}

/// Reduces x within the range of `exp`, or NaN.
fn reduce(m: Real, x: Value) -> Reduced {
    let f = m.format;
    let shift = m.number(1.5 * 2f64.powi(f.mantissa as i32));
    let shifted = m.times(x, std::f64::consts::LOG2_E, shift);
    let n = m.sub(shifted, shift);
    let r = m.times(n, -f.ln2[0], x);
    let r = m.times(n, -f.ln2[1], r);
    // exp(r) - 1 = r + r²·(1/2! + r/3! + …)
    let mut factorial = 1.0;
    let series: Vec<f64> = (2..=f.exp_terms)
        .map(|k| {
            factorial *= k as f64;
            1.0 / factorial
        })
        .collect();
    let rest = m.polynomial(r, &series);
    let exp_r = m.fma(m.mul(r, r), rest, r);
    Reduced { exp_r, n: m.as_bits(shifted) }
}

impl Reduced {
    /// Emits x·2^n, with one rounding if the result is subnormal: 2^n alone may be out of range, so it is split into
    /// two factors.
    fn scaled(&self, m: Real, x: Value) -> Value {
        let half = m.int(Kind::ArithShrui, self.n, 1);
        let rest = m.b.same(Kind::ArithSubi, &[self.n, half]);
        let power = |n: Value| {
            let biased = m.int(Kind::ArithAddi, n, m.format.bias);
            m.as_number(m.int(Kind::ArithShli, biased, m.format.mantissa.into()))
        };
        // The shift removes the bits above n, because their lowest bits are zeros in both halves.
        m.mul(m.mul(x, power(half)), power(rest))
    }

    /// Emits 2^-n where it is a normal number, which holds for n below the bias.
    fn inverse(&self, m: Real) -> Value {
        let minus = m.b.same(Kind::ArithSubi, &[m.integer(m.format.bias), self.n]);
        m.as_number(m.int(Kind::ArithShli, minus, m.format.mantissa.into()))
    }
}

/// Clamps `x` to these bounds; NaN is unchanged.
fn clamp(m: Real, x: Value, [least, greatest]: [f64; 2]) -> Value {
    let x = m.choose(x, Olt, least, m.number(least), x);
    m.choose(x, Ogt, greatest, m.number(greatest), x)
}

fn exp(m: Real, x: Value) -> Value {
    let reduced = reduce(m, clamp(m, x, m.format.exp_range));
    reduced.scaled(m, m.add(reduced.exp_r, m.number(1.0)))
}

/// Emits exp(x) - 1 = ((exp(r) - 1) + (1 - 2^-n))·2^n, whose last two steps are exact if n = 0.
fn expm1(m: Real, x: Value) -> Value {
    let reduced = reduce(m, clamp(m, x, [-50.0, m.format.exp_range[1]]));
    let offset = m.sub(m.number(1.0), reduced.inverse(m));
    // 2^-1023 and below would be subnormal: there 2^-n is negligible.
    let offset = m.choose(x, Ogt, 50.0, m.number(1.0), offset);
    let z = reduced.scaled(m, m.add(reduced.exp_r, offset));
    m.choose(x, Oeq, 0.0, x, z)
}

/// Emits tanh x = -t/(t+2) for t = exp(-2|x|) - 1, with the sign of x.
fn tanh(m: Real, x: Value) -> Value {
    let size = m.b.same(Kind::MathAbsf, &[x]);
    let t = expm1(m, m.mul(size, m.number(-2.0)));
    let z = m.div(t, m.add(t, m.number(2.0)));
    m.b.same(Kind::MathCopysign, &[z, x])
}

fn log(m: Real, x: Value) -> Value {
    // Subnormal numbers are normalised first.
    let bits = m.format.mantissa as i32 + 2;
    let least = 2f64.powi(1 - m.format.bias as i32);
    let normal = m.choose(x, Olt, least, m.mul(x, m.number(2f64.powi(bits))), x);
    let less = m.choose(x, Olt, least, m.number(-f64::from(bits)), m.number(0.0));
    let z = log_of_normal(m, normal, less, None);
    log_ends(m, x, z)
}

/// Emits log(1 + x): the rounding error of the sum u = 1 + x is corrected by (x - (u - 1))/u.
fn log1p(m: Real, x: Value) -> Value {
    let one = m.number(1.0);
    let u = m.add(x, one);
    let lost = m.div(m.sub(x, m.sub(u, one)), u);
    let z = log_of_normal(m, u, m.number(0.0), Some(lost));
    let z = log_ends(m, u, z);
    m.choose(x, Oeq, 0.0, x, z)
}

/// Emits log(x) + less·ln 2 + more, for positive normal x.
fn log_of_normal(m: Real, x: Value, less: Value, more: Option<Value>) -> Value {
    let f = m.format;
    let one = f.bias << f.mantissa;
    // x = 2^k·(1 + d) with 1 + d between √½ and √2.
    let above = m.int(Kind::ArithAddi, m.as_bits(x), one - f.sqrt_half);
    let exponent = m.int(Kind::ArithShrui, above, f.mantissa.into());
    let mantissa = m.int(Kind::ArithAndi, above, (1 << f.mantissa) - 1);
    let d = m.sub(m.as_number(m.int(Kind::ArithAddi, mantissa, f.sqrt_half)), m.number(1.0));
    // 2^p with an integer in its lowest bits is 2^p plus that integer.
    let power = 2f64.powi(f.mantissa as i32);
    let power_bits = (f.bias + i64::from(f.mantissa)) << f.mantissa;
    let k = m.as_number(m.int(Kind::ArithOri, exponent, power_bits));
    let k = m.add(m.sub(k, m.number(power + f.bias as f64)), less);

    // log(1 + d) = d - d²/2 + s·(d²/2 + R(s²)) with s = d/(2 + d)
    let s = m.div(d, m.add(d, m.number(2.0)));
    let square = m.mul(s, s);
    let r = m.mul(square, m.polynomial(square, f.log));
    let half = m.mul(m.mul(d, d), m.number(0.5));
    let small = m.times(k, f.ln2[1], more.unwrap_or(m.number(0.0)));
    let small = m.fma(s, m.add(half, r), small);
    let rest = m.sub(m.sub(half, small), d);
    m.sub(m.mul(k, m.number(f.ln2[0])), rest)
}

/// Emits `z`, or the logarithm of `x` if `x` is not a finite positive number.
fn log_ends(m: Real, x: Value, z: Value) -> Value {
    let z = m.choose(x, Oeq, f64::INFINITY, x, z);
    // This form also selects the second value for NaN.
    let z = m.choose(x, Ogt, 0.0, z, m.number(f64::NAN));
    m.choose(x, Oeq, 0.0, m.number(f64::NEG_INFINITY), z)
}
