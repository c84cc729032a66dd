//! Scalar primitives: the ops of `arith` and `math` that terms represent, and their meaning on scalars.

use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

macro_rules! prims {
    ($($variant:ident $kind:ident $arity:literal),* $(,)?) => {
        /// An `arith` or `math` operation with one scalar result.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Prim {
            $($variant,)*
            /// `arith.cmpf` and `arith.cmpi` with MLIR's number of the predicate.
            CmpF(u8),
            CmpI(u8),
            /// A conversion to an element type.
            Cast(Cast, Element),
        }

        impl Prim {
            /// Returns the op in MLIR.
            pub fn kind(self) -> Kind {
                match self {
                    $(Prim::$variant => Kind::$kind,)*
                    Prim::CmpF(_) => Kind::ArithCmpf,
                    Prim::CmpI(_) => Kind::ArithCmpi,
                    Prim::Cast(c, _) => c.kind(),
                }
            }

            /// Returns the primitive that the kind of an op determines. Comparisons and conversions need more.
            pub fn of(kind: Kind) -> Option<Prim> {
                match kind {
                    $(Kind::$kind => Some(Prim::$variant),)*
                    _ => None,
                }
            }

            /// Returns the number of the operation, without predicates and types.
            pub fn number(self) -> u8 {
                enum Number { $($variant,)* CmpF, CmpI, Cast }
                let number = match self {
                    $(Prim::$variant => Number::$variant,)*
                    Prim::CmpF(_) => Number::CmpF,
                    Prim::CmpI(_) => Number::CmpI,
                    Prim::Cast(..) => Number::Cast,
                };
                number as u8
            }

            pub fn arity(self) -> usize {
                match self {
                    $(Prim::$variant => $arity,)*
                    Prim::CmpF(_) | Prim::CmpI(_) => 2,
                    Prim::Cast(..) => 1,
                }
            }
        }
    };
}

prims! {
    AddF ArithAddf 2, SubF ArithSubf 2, MulF ArithMulf 2, DivF ArithDivf 2, RemF ArithRemf 2, NegF ArithNegf 1,
    MaximumF ArithMaximumf 2, MinimumF ArithMinimumf 2, MaxNumF ArithMaxnumf 2, MinNumF ArithMinnumf 2,
    AddI ArithAddi 2, SubI ArithSubi 2, MulI ArithMuli 2, DivSI ArithDivsi 2, DivUI ArithDivui 2, RemSI ArithRemsi 2,
    RemUI ArithRemui 2, FloorDivSI ArithFloordivsi 2, CeilDivSI ArithCeildivsi 2, CeilDivUI ArithCeildivui 2,
    AndI ArithAndi 2, OrI ArithOri 2, XOrI ArithXori 2, ShLI ArithShli 2, ShRSI ArithShrsi 2, ShRUI ArithShrui 2,
    MaxSI ArithMaxsi 2, MinSI ArithMinsi 2, MaxUI ArithMaxui 2, MinUI ArithMinui 2, Div ArrayDiv 2, Mod ArrayMod 2,
    Exp MathExp 1, Exp2 MathExp2 1, ExpM1 MathExpm1 1, Log MathLog 1, Log2 MathLog2 1, Log10 MathLog10 1,
    Log1p MathLog1p 1, Sin MathSin 1, Cos MathCos 1, Tan MathTan 1, Asin MathAsin 1, Acos MathAcos 1, Atan MathAtan 1,
    Sinh MathSinh 1, Cosh MathCosh 1, Tanh MathTanh 1, Asinh MathAsinh 1, Acosh MathAcosh 1, Atanh MathAtanh 1,
    Sqrt MathSqrt 1, Rsqrt MathRsqrt 1, Cbrt MathCbrt 1, Erf MathErf 1, AbsF MathAbsf 1, AbsI MathAbsi 1,
    Floor MathFloor 1, Ceil MathCeil 1, Round MathRound 1, RoundEven MathRoundeven 1, Trunc MathTrunc 1,
    PowF MathPowf 2, FPowI MathFpowi 2, IPowI MathIpowi 2, Atan2 MathAtan2 2, CopySign MathCopysign 2, Fma MathFma 3,
}

/// Defines an enum with one variant for each of some ops of MLIR, and both directions of this correspondence.
macro_rules! enum_of_ops {
    ($(#[$about:meta])* $name:ident, $($(#[$variant_about:meta])* $variant:ident $kind:ident),* $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_about])* $variant,)*
        }

        impl $name {
            /// Returns the op in MLIR.
            pub fn kind(self) -> Kind {
                match self {
                    $($name::$variant => Kind::$kind,)*
                }
            }

            pub fn of(kind: Kind) -> Option<$name> {
                match kind {
                    $(Kind::$kind => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
pub(super) use enum_of_ops;

enum_of_ops! {
    /// A conversion between element types.
    Cast,
    SIToFP ArithSitofp, UIToFP ArithUitofp, FPToSI ArithFptosi, FPToUI ArithFptoui, ExtF ArithExtf, TruncF ArithTruncf,
    ExtSI ArithExtsi, ExtUI ArithExtui, TruncI ArithTrunci, Index ArithIndexCast, IndexUI ArithIndexCastui,
    Bit ArithBitcast,
    /// `array.floor`: total.
    Floor ArrayFloor,
}

/// MLIR's numbers of the `cmpi` predicates that rules mention.
pub const EQ: u8 = 0;
pub const NE: u8 = 1;
pub const SLT: u8 = 2;
pub const SLE: u8 = 3;
pub const SGT: u8 = 4;
pub const SGE: u8 = 5;

impl Prim {
    /// Returns the element type of the result, given that of the first operand.
    pub fn result(self, operand: Element) -> Element {
        match self {
            Prim::CmpF(_) | Prim::CmpI(_) => Element::I1,
            Prim::Cast(_, to) => to,
            _ => operand,
        }
    }

    pub fn commutes(self) -> bool {
        use Prim::*;
        let all = [AddF, MulF, AddI, MulI, AndI, OrI, XOrI, MaximumF, MinimumF, MaxSI, MinSI, MaxUI, MinUI];
        all.contains(&self) || matches!(self, CmpI(EQ | NE))
    }

    /// Checks whether the op may trap. Division by zero (and overflow of signed division) is undefined behaviour in
    /// `arith`. A shift by too much, and a cast of a float out of the range of the integer type, are poison, at which
    /// the evaluator stops. Such an op may not run where the program would not have run it.
    pub fn may_trap(self) -> bool {
        use Prim::*;
        matches!(self, DivSI | DivUI | RemSI | RemUI | FloorDivSI | CeilDivSI | CeilDivUI | IPowI)
            || matches!(self, ShLI | ShRSI | ShRUI | Cast(self::Cast::FPToSI | self::Cast::FPToUI, _))
    }

    /// Checks whether every implementation computes the same bits: `arith`, and the functions of `math` that do not
    /// approximate.
    pub fn is_exactly_rounded(self) -> bool {
        use Prim::*;
        self.kind().dialect() != "math" || matches!(self, AbsF | AbsI | Sqrt | Floor | Ceil | Trunc | Fma)
    }

    pub fn is_float(self) -> bool {
        use Prim::*;
        matches!(self, AddF | SubF | MulF | DivF | RemF | NegF | MaximumF | MinimumF | MaxNumF | MinNumF | CmpF(_))
            || (self.kind().dialect() == "math" && !matches!(self, AbsI | IPowI))
    }
}

/// A scalar value of the evaluator. `Poison` is the result of an undefined op; it is discarded if the other arm is
/// selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    F(f64),
    I(i64),
    Poison,
}

impl Scalar {
    /// Returns the scalar that the bits of an `Op::Const` represent.
    pub fn from_bits(element: Element, bits: u64) -> Scalar {
        match element {
            _ if element.is_float() => Scalar::F(element.of_bits(bits)),
            _ => Scalar::I(element.wrap(bits as i64)),
        }
    }

    /// Returns the bits of the scalar, as in `from_bits`; `None` for poison.
    pub fn to_bits(self, element: Element) -> Option<u64> {
        match (self, element) {
            (Scalar::F(x), _) => Some(element.to_bits(x)),
            (Scalar::I(x), _) => Some(element.wrap(x) as u64),
            (Scalar::Poison, _) => None,
        }
    }
}

/// Computes a primitive on scalars; `element` is that of the first operand. Types narrower than f64 round after each
/// op.
pub fn eval(prim: Prim, element: Element, args: &[Scalar]) -> Scalar {
    use Prim::*;
    let float = |k: usize| match args[k] {
        Scalar::F(x) => Some(x),
        _ => None,
    };
    let int = |k: usize| match args[k] {
        Scalar::I(x) => Some(x),
        _ => None,
    };
    if args.contains(&Scalar::Poison) {
        return Scalar::Poison;
    }
    let bits = element.bits();
    let unsigned = |x: i64| x as u64 & (u64::MAX >> (64 - bits));
    // i1 is signed in MLIR's signed operations: true is -1.
    let signed = |x: i64| if bits == 1 { -x } else { x };
    if let Cast(cast, to) = prim {
        return eval_cast(cast, element, to, args[0], unsigned(int(0).unwrap_or(0)));
    }
    let result = (|| -> Option<Scalar> {
        let r = match prim {
            CmpF(p) => Scalar::I(compare_float(p, float(0)?, float(1)?) as i64),
            CmpI(p) => {
                let (a, b) = (signed(int(0)?), signed(int(1)?));
                let (ua, ub) = (unsigned(int(0)?), unsigned(int(1)?));
                Scalar::I(
                    [a == b, a != b, a < b, a <= b, a > b, a >= b, ua < ub, ua <= ub, ua > ub, ua >= ub][p as usize]
                        as i64,
                )
            }
            AddI | SubI | MulI | AndI | OrI | XOrI | MaxSI | MinSI | MaxUI | MinUI | ShLI | ShRSI | ShRUI | DivSI
            | DivUI | Div | Mod | RemSI | RemUI | FloorDivSI | CeilDivSI | CeilDivUI | IPowI | AbsI => {
                let (a, b) = (int(0)?, if prim.arity() > 1 { int(1)? } else { 0 });
                match int_op(prim, signed(a), signed(b), unsigned(a), unsigned(b), bits) {
                    Some(x) => Scalar::I(element.wrap(x)),
                    None => return Some(Scalar::Poison),
                }
            }
            // Larger exponents are left to run time.
            FPowI => Scalar::F(float(0)?.powi(i32::try_from(int(1)?).ok()?)),
            _ => {
                let b = if args.len() > 1 { float(1)? } else { 0.0 };
                let c = if args.len() > 2 { float(2)? } else { 0.0 };
                Scalar::F(float_op(prim, float(0)?, b, c))
            }
        };
        Some(r)
    })();
    match result {
        Some(Scalar::F(x)) => Scalar::F(element.computed(x)),
        Some(r) => r,
        None => Scalar::Poison,
    }
}

/// Returns the bits of the result of an op on constants; `None` if it is undefined or another implementation may
/// compute other bits, as those of a NaN, which a `Scalar` does not keep.
pub fn folded(prim: Prim, element: Element, args: &[Scalar]) -> Option<u64> {
    let result = if prim.is_exactly_rounded() { eval(prim, element, args) } else { Scalar::Poison };
    let has_bits_of_nan = matches!(prim, Prim::Cast(Cast::Bit, _))
        && args.iter().chain([&result]).any(|x| matches!(x, Scalar::F(x) if x.is_nan()));
    if has_bits_of_nan { None } else { result.to_bits(prim.result(element)) }
}

fn float_op(prim: Prim, a: f64, b: f64, c: f64) -> f64 {
    use Prim::*;
    match prim {
        AddF => a + b,
        SubF => a - b,
        MulF => a * b,
        DivF => a / b,
        RemF => a % b,
        NegF => -a,
        MaximumF | MinimumF if a.is_nan() || b.is_nan() => f64::NAN,
        // 0 is greater than -0.
        MaximumF | MinimumF if a == b => {
            if a.is_sign_positive() == (prim == MaximumF) {
                a
            } else {
                b
            }
        }
        MaximumF | MaxNumF => a.max(b),
        MinimumF | MinNumF => a.min(b),
        Exp => a.exp(),
        Exp2 => a.exp2(),
        ExpM1 => a.exp_m1(),
        Log => a.ln(),
        Log2 => a.log2(),
        Log10 => a.log10(),
        Log1p => a.ln_1p(),
        Sin => a.sin(),
        Cos => a.cos(),
        Tan => a.tan(),
        Asin => a.asin(),
        Acos => a.acos(),
        Atan => a.atan(),
        Sinh => a.sinh(),
        Cosh => a.cosh(),
        Tanh => a.tanh(),
        Asinh => a.asinh(),
        Acosh => a.acosh(),
        Atanh => a.atanh(),
        Sqrt => a.sqrt(),
        Rsqrt => 1.0 / a.sqrt(),
        Cbrt => a.cbrt(),
        Erf => erf(a),
        AbsF => a.abs(),
        Floor => a.floor(),
        Ceil => a.ceil(),
        Round => a.round(),
        RoundEven => a.round_ties_even(),
        Trunc => a.trunc(),
        PowF => a.powf(b),
        Atan2 => a.atan2(b),
        CopySign => a.copysign(b),
        Fma => a.mul_add(b, c),
        _ => f64::NAN,
    }
}

/// Computes the error function: Maclaurin series below 3, continued fraction of `erfc` above. The error is about 1e-14,
/// small enough to compare two terms.
fn erf(x: f64) -> f64 {
    let a = x.abs();
    if a < 3.0 {
        let (mut term, mut sum) = (a, a);
        for n in 1..100 {
            term *= -a * a / n as f64;
            sum += term / (2 * n + 1) as f64;
        }
        return (sum * std::f64::consts::FRAC_2_SQRT_PI).copysign(x);
    }
    let fraction = (1..60).rev().fold(0.0, |f, k| k as f64 / 2.0 / (a + f));
    (1.0 - (-a * a).exp() / std::f64::consts::PI.sqrt() / (a + fraction)).copysign(x)
}

/// Computes an integer op. Returns `None` for undefined behaviour: division by zero, signed overflow in division, a
/// shift by the width or more.
fn int_op(prim: Prim, a: i64, b: i64, ua: u64, ub: u64, bits: u32) -> Option<i64> {
    use Prim::*;
    let overflows = || b == -1 && a == i64::MIN >> (64 - bits);
    Some(match prim {
        DivSI | RemSI | FloorDivSI | CeilDivSI if overflows() => return None,
        AddI => a.wrapping_add(b),
        SubI => a.wrapping_sub(b),
        MulI => a.wrapping_mul(b),
        AndI => a & b,
        OrI => a | b,
        XOrI => a ^ b,
        MaxSI => a.max(b),
        MinSI => a.min(b),
        MaxUI => ua.max(ub) as i64,
        MinUI => ua.min(ub) as i64,
        ShLI if ub < bits as u64 => a.wrapping_shl(b as u32),
        ShRSI if ub < bits as u64 => a >> b,
        ShRUI if ub < bits as u64 => (ua >> b) as i64,
        DivSI => a.checked_div(b)?,
        RemSI => a.checked_rem(b)?,
        DivUI => ua.checked_div(ub)? as i64,
        RemUI => ua.checked_rem(ub)? as i64,
        FloorDivSI => {
            let q = a.checked_div(b)?;
            if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
        }
        CeilDivSI => {
            let q = a.checked_div(b)?;
            if a % b != 0 && (a < 0) == (b < 0) { q + 1 } else { q }
        }
        CeilDivUI => {
            let q = ua.checked_div(ub)?;
            (if !ua.is_multiple_of(ub) { q + 1 } else { q }) as i64
        }
        IPowI if b >= 0 => (0..63).rev().fold(1i64, |power, bit| {
            let square = power.wrapping_mul(power);
            if (b >> bit) & 1 == 1 { square.wrapping_mul(a) } else { square }
        }),
        IPowI => match a {
            0 => return None,
            1 => 1,
            -1 => 1 - 2 * (b % 2).abs(),
            _ => 0,
        },
        AbsI => a.wrapping_abs(),
        // Total, rounded towards -∞; the remainder has the sign of the divisor.
        Div if b == 0 => 0,
        Mod if b == 0 => a,
        Div => {
            let q = a.wrapping_div(b);
            if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
        }
        Mod => {
            let r = a.wrapping_rem(b);
            if r != 0 && (r < 0) != (b < 0) { r + b } else { r }
        }
        _ => return None,
    })
}

fn eval_cast(cast: Cast, from: Element, to: Element, x: Scalar, unsigned: u64) -> Scalar {
    let signed = |v: i64| if from == Element::I1 { -v } else { v };
    let r = match (cast, x) {
        (Cast::SIToFP, Scalar::I(v)) => Scalar::F(to.of_integer(signed(v).into())),
        (Cast::UIToFP, Scalar::I(_)) => Scalar::F(to.of_integer(unsigned.into())),
        (Cast::FPToSI, Scalar::F(v)) => {
            let end = ((1u128 << to.bits()) / 2) as f64;
            match v.trunc() {
                t if -end <= t && t < end => Scalar::I(t as i64),
                _ => return Scalar::Poison,
            }
        }
        (Cast::FPToUI, Scalar::F(v)) => match v.trunc() {
            t if 0.0 <= t && t < (1u128 << to.bits()) as f64 => Scalar::I(t as u64 as i64),
            _ => return Scalar::Poison,
        },
        // A number out of the range of the type becomes its nearest bound, NaN becomes 0.
        (Cast::Floor, Scalar::F(v)) => {
            let (least, greatest) = to.range();
            Scalar::I((v.floor() as i64).clamp(least, greatest))
        }
        (Cast::ExtF | Cast::TruncF, x @ Scalar::F(_)) => x,
        (Cast::ExtSI | Cast::Index, Scalar::I(v)) => Scalar::I(signed(v)),
        (Cast::ExtUI | Cast::IndexUI, Scalar::I(_)) => Scalar::I(unsigned as i64),
        (Cast::TruncI, x @ Scalar::I(_)) => x,
        (Cast::Bit, x) => x.to_bits(from).map_or(Scalar::Poison, |bits| Scalar::from_bits(to, bits)),
        _ => return Scalar::Poison,
    };
    match r {
        Scalar::F(v) => Scalar::F(to.rounded(v)),
        Scalar::I(v) => Scalar::I(to.wrap(v)),
        r => r,
    }
}

fn compare_float(p: u8, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    let ordered = [false, a == b, a > b, a >= b, a < b, a <= b, !unordered && a != b, !unordered];
    match p {
        0..=7 => ordered[p as usize],
        8..=13 => unordered || ordered[p as usize - 7],
        14 => unordered,
        _ => true,
    }
}
