//! The table of derivatives: for each op, z = f(x₀, x₁, …), its partial derivatives ∂z/∂xₖ.
//!
//! All passes that differentiate read this table. The formulas are those of any calculus text. For points at which a
//! function has no derivative (ties of `max`, `abs` at 0), the table follows the conventions of `spec/arrays.md` A.4;
//! docs/derivatives.md lists these points.

mod powers;
mod reductions;

use crate::analysis::kinds;
use mlopt_dialects::ir::{Builder, Op, Value};
use mlopt_dialects::ops::array::ArrayOp;
use mlopt_dialects::ops::{CmpFPredicate, HasKind, Kind};
use std::collections::HashMap;
use std::sync::LazyLock;

use Partial::*;
use Rule::*;

/// A partial derivative ∂z/∂x, as its effect on a tangent t.
#[derive(Clone, Copy)]
pub enum Partial {
    /// 0
    Zero,
    /// t
    One,
    /// −t
    MinusOne,
    /// w · t
    Times(Value),
    /// t / w
    Over(Value),
    /// t where the mask is true, else 0
    Where(Value),
    /// t where the mask is false, else 0
    Unless(Value),
}

/// The differentiation rule of an op.
#[derive(Clone, Copy)]
pub enum Rule {
    /// The result is constant in the operands, or is not a float: the derivative is zero.
    Constant,
    /// An elementwise op, with these partial derivatives.
    Elementwise(fn(&Point, usize) -> Partial),
    /// A function of one array, operand 0. The field computes the tangent of the result from that of the operand.
    Array(fn(&Point, Value) -> Value),
    /// Linear in all its float operands together: the op itself, applied to their tangents.
    Linear,
    /// Loops, branches, calls: their regions or callees are differentiated.
    Structured,
}

/// The point at which an elementwise op is differentiated: its primal operands and result, and a builder.
pub struct Point<'a> {
    pub builder: Builder,
    pub op: Op,
    pub x: &'a [Value],
    pub z: Value,
}

impl Point<'_> {
    /// Emits an op on values of the type of `z`, with the fast-math flags of the differentiated op.
    fn apply(&self, kind: Kind, operands: &[Value]) -> Value {
        self.builder.elementwise(self.op, kind, operands)
    }

    fn constant(&self, c: f64) -> Value {
        self.builder.float_like(self.z, c)
    }

    fn add(&self, a: Value, b: Value) -> Value {
        self.apply(Kind::ArithAddf, &[a, b])
    }

    fn sub(&self, a: Value, b: Value) -> Value {
        self.apply(Kind::ArithSubf, &[a, b])
    }

    fn mul(&self, a: Value, b: Value) -> Value {
        self.apply(Kind::ArithMulf, &[a, b])
    }

    fn neg(&self, a: Value) -> Value {
        self.apply(Kind::ArithNegf, &[a])
    }

    /// Emits 1 − a², or similar.
    fn one_minus_square(&self, a: Value) -> Value {
        self.sub(self.constant(1.0), self.mul(a, a))
    }

    fn one_plus_square(&self, a: Value) -> Value {
        self.add(self.constant(1.0), self.mul(a, a))
    }

    /// Emits a ≥ b, elementwise.
    fn at_least(&self, a: Value, b: Value) -> Value {
        self.compare(CmpFPredicate::Oge, a, b)
    }

    /// Emits the elementwise condition that a ≥ b or b is NaN.
    fn at_least_number(&self, a: Value, b: Value) -> Value {
        let (greater, alone) = (self.at_least(a, b), self.compare(CmpFPredicate::Uno, b, b));
        self.builder.unary(Kind::ArithOri, &[greater, alone], greater.ty())
    }

    /// Emits the elementwise condition that a ≤ b or b is NaN.
    fn at_most_number(&self, a: Value, b: Value) -> Value {
        let (less, alone) = (self.at_least(b, a), self.compare(CmpFPredicate::Uno, b, b));
        self.builder.unary(Kind::ArithOri, &[less, alone], less.ty())
    }

    fn compare(&self, predicate: CmpFPredicate, a: Value, b: Value) -> Value {
        self.builder.compare_floats(predicate, a, b)
    }
}

/// The table of ops and their rules.
const TABLE: &[(&[Kind], Rule)] = &[
    // z = a + b.   ∂z/∂a = 1, ∂z/∂b = 1.
    (&[Kind::ArithAddf], Elementwise(|_, _| One)),
    // z = a − b.   ∂z/∂a = 1, ∂z/∂b = −1.
    (&[Kind::ArithSubf], Elementwise(|_, k| [One, MinusOne][k])),
    // z = a · b.   ∂z/∂a = b, ∂z/∂b = a.
    (&[Kind::ArithMulf], Elementwise(|p, k| Times(p.x[1 - k]))),
    // z = a / b.   ∂z/∂a = 1/b, ∂z/∂b = −z/b.
    (
        &[Kind::ArithDivf],
        Elementwise(|p, k| match k {
            0 => Over(p.x[1]),
            _ => Times(p.neg(p.apply(Kind::ArithDivf, &[p.z, p.x[1]]))),
        }),
    ),
    // z = −a.   ∂z/∂a = −1.
    (&[Kind::ArithNegf], Elementwise(|_, _| MinusOne)),
    // z = a − b·trunc(a/b).   ∂z/∂a = 1, ∂z/∂b = −trunc(a/b), where trunc is constant.
    (
        &[Kind::ArithRemf],
        Elementwise(|p, k| match k {
            0 => One,
            _ => Times(p.neg(p.apply(Kind::MathTrunc, &[p.apply(Kind::ArithDivf, &[p.x[0], p.x[1]])]))),
        }),
    ),
    // z = max(a, b).   The derivative belongs to the selected operand; to a on ties (A.4).
    (&[Kind::ArithMaximumf], Elementwise(|p, k| select_where(p.at_least(p.x[0], p.x[1]), k))),
    // The same, but if one operand is NaN, the other one is selected.
    (&[Kind::ArithMaxnumf], Elementwise(|p, k| select_where(p.at_least_number(p.x[0], p.x[1]), k))),
    // z = min(a, b).   Likewise.
    (&[Kind::ArithMinimumf], Elementwise(|p, k| select_where(p.at_least(p.x[1], p.x[0]), k))),
    (&[Kind::ArithMinnumf], Elementwise(|p, k| select_where(p.at_most_number(p.x[0], p.x[1]), k))),
    // z = c ? a : b.   The derivative belongs to the selected operand; c does not vary.
    (
        &[Kind::ArithSelect],
        Elementwise(|p, k| match k {
            0 => Zero,
            1 => Where(p.x[0]),
            _ => Unless(p.x[0]),
        }),
    ),
    // z = a·b + c.
    (
        &[Kind::MathFma],
        Elementwise(|p, k| match k {
            2 => One,
            _ => Times(p.x[1 - k]),
        }),
    ),
    // z = |a|.   ∂z/∂a = 1 where a ≥ 0, else −1 (A.4).
    (
        &[Kind::MathAbsf],
        Elementwise(|p, _| {
            let mask = p.at_least(p.x[0], p.constant(0.0));
            Times(p.builder.select(mask, p.constant(1.0), p.constant(-1.0)))
        }),
    ),
    // z = |a|·sgn b.   ∂z/∂a = sgn a · sgn b, with the sign of zero as stored; only the sign of b matters.
    (
        &[Kind::MathCopysign],
        Elementwise(|p, k| match k {
            0 => {
                let sign = |x: Value| p.apply(Kind::MathCopysign, &[p.constant(1.0), x]);
                Times(p.mul(sign(p.x[0]), sign(p.x[1])))
            }
            _ => Zero,
        }),
    ),
    // z = eᵃ.   ∂z/∂a = z.
    (&[Kind::MathExp], Elementwise(|p, _| Times(p.z))),
    // z = 2ᵃ.   ∂z/∂a = z·ln 2.
    (&[Kind::MathExp2], Elementwise(|p, _| Times(p.mul(p.z, p.constant(std::f64::consts::LN_2))))),
    // z = eᵃ − 1.   ∂z/∂a = z + 1.
    (&[Kind::MathExpm1], Elementwise(|p, _| Times(p.add(p.z, p.constant(1.0))))),
    // z = ln a.   ∂z/∂a = 1/a.
    (&[Kind::MathLog], Elementwise(|p, _| Over(p.x[0]))),
    // z = ln(1 + a).   ∂z/∂a = 1/(1 + a).
    (&[Kind::MathLog1p], Elementwise(|p, _| Over(p.add(p.x[0], p.constant(1.0))))),
    // z = log₂ a.   ∂z/∂a = 1/(a·ln 2).
    (&[Kind::MathLog2], Elementwise(|p, _| Over(p.mul(p.x[0], p.constant(std::f64::consts::LN_2))))),
    // z = log₁₀ a.   ∂z/∂a = 1/(a·ln 10).
    (&[Kind::MathLog10], Elementwise(|p, _| Over(p.mul(p.x[0], p.constant(std::f64::consts::LN_10))))),
    // z = √a.   ∂z/∂a = 1/(2z).
    (&[Kind::MathSqrt], Elementwise(|p, _| Over(p.add(p.z, p.z)))),
    // z = a^(−1/2).   ∂z/∂a = −z/(2a).
    (&[Kind::MathRsqrt], Elementwise(|p, _| Times(p.neg(p.apply(Kind::ArithDivf, &[p.z, p.add(p.x[0], p.x[0])]))))),
    // z = a^(1/3).   ∂z/∂a = 1/(3z²).
    (&[Kind::MathCbrt], Elementwise(|p, _| Over(p.mul(p.constant(3.0), p.mul(p.z, p.z))))),
    // z = sin a.   ∂z/∂a = cos a.
    (&[Kind::MathSin], Elementwise(|p, _| Times(p.apply(Kind::MathCos, &[p.x[0]])))),
    // z = cos a.   ∂z/∂a = −sin a.
    (&[Kind::MathCos], Elementwise(|p, _| Times(p.neg(p.apply(Kind::MathSin, &[p.x[0]]))))),
    // z = tan a.   ∂z/∂a = 1 + z².
    (&[Kind::MathTan], Elementwise(|p, _| Times(p.one_plus_square(p.z)))),
    // z = arcsin a.   ∂z/∂a = 1/√(1 − a²).
    (&[Kind::MathAsin], Elementwise(|p, _| Over(p.apply(Kind::MathSqrt, &[p.one_minus_square(p.x[0])])))),
    // z = arccos a.   ∂z/∂a = −1/√(1 − a²).
    (&[Kind::MathAcos], Elementwise(|p, _| Over(p.neg(p.apply(Kind::MathSqrt, &[p.one_minus_square(p.x[0])]))))),
    // z = arctan a.   ∂z/∂a = 1/(1 + a²).
    (&[Kind::MathAtan], Elementwise(|p, _| Over(p.one_plus_square(p.x[0])))),
    // z = atan2(a, b).   ∂z/∂a = b/(a² + b²), ∂z/∂b = −a/(a² + b²); both 0 at the origin.
    (
        &[Kind::MathAtan2],
        Elementwise(|p, k| {
            let [a, b] = [p.x[0], p.x[1]].map(|x| p.compare(CmpFPredicate::Oeq, x, p.constant(0.0)));
            let origin = p.builder.unary(Kind::ArithAndi, &[a, b], a.ty());
            let norm = p.add(p.mul(p.x[0], p.x[0]), p.mul(p.x[1], p.x[1]));
            let norm = p.builder.select(origin, p.constant(1.0), norm);
            // The whole quotient is constant there, so that higher derivatives are 0 too.
            let numerator = if k == 0 { p.x[1] } else { p.neg(p.x[0]) };
            let numerator = p.builder.select(origin, p.constant(0.0), numerator);
            Times(p.apply(Kind::ArithDivf, &[numerator, norm]))
        }),
    ),
    // z = sinh a.   ∂z/∂a = cosh a.
    (&[Kind::MathSinh], Elementwise(|p, _| Times(p.apply(Kind::MathCosh, &[p.x[0]])))),
    // z = cosh a.   ∂z/∂a = sinh a.
    (&[Kind::MathCosh], Elementwise(|p, _| Times(p.apply(Kind::MathSinh, &[p.x[0]])))),
    // z = arsinh a.   ∂z/∂a = 1/√(1 + a²).
    (&[Kind::MathAsinh], Elementwise(|p, _| Over(p.apply(Kind::MathSqrt, &[p.one_plus_square(p.x[0])])))),
    // z = arcosh a.   ∂z/∂a = 1/√(a² − 1).
    (
        &[Kind::MathAcosh],
        Elementwise(|p, _| Over(p.apply(Kind::MathSqrt, &[p.sub(p.mul(p.x[0], p.x[0]), p.constant(1.0))]))),
    ),
    // z = artanh a.   ∂z/∂a = 1/(1 − a²).
    (&[Kind::MathAtanh], Elementwise(|p, _| Over(p.one_minus_square(p.x[0])))),
    // z = tanh a.   ∂z/∂a = 1 − z².
    (&[Kind::MathTanh], Elementwise(|p, _| Times(p.one_minus_square(p.z)))),
    // z = aᵇ.   ∂z/∂a = b·a^(b−1), never through the logarithm; ∂z/∂b = z·ln a, only if b varies (A.4), and 0 where a
    // is 0 and b ≥ 0.
    (
        &[Kind::MathPowf],
        Elementwise(|p, k| match k {
            0 => Times(p.mul(p.x[1], p.apply(Kind::MathPowf, &[p.x[0], powers::lowered(p)]))),
            _ => Times(p.mul(p.z, p.apply(Kind::MathLog, &[powers::logarithm_of(p)]))),
        }),
    ),
    // z = aⁿ, n an integer.   ∂z/∂a = n·a^(n−1).
    (
        &[Kind::MathFpowi],
        Elementwise(|p, k| match k {
            0 => Times(p.mul(powers::as_float(p), p.apply(Kind::MathFpowi, &[p.x[0], powers::lowered(p)]))),
            _ => Zero,
        }),
    ),
    // z = erf a.   ∂z/∂a = 2/√π · e^(−a²).
    (
        &[Kind::MathErf],
        Elementwise(|p, _| {
            let gauss = p.apply(Kind::MathExp, &[p.neg(p.mul(p.x[0], p.x[0]))]);
            Times(p.mul(p.constant(std::f64::consts::FRAC_2_SQRT_PI), gauss))
        }),
    ),
    // z = Π_r x_r.   ż = Σ_r (Π_{q≠r} x_q)·ẋ_r, without a division: zeros are common (C.3).
    (&[Kind::ArrayProd], Array(reductions::prod)),
    // z = max_r x_r.   The derivative belongs to the first maximum (A.4).
    (&[Kind::ArrayMax], Array(|p, t| reductions::chosen(p, t, Builder::argmax))),
    // z = min_r x_r.   Likewise.
    (&[Kind::ArrayMin], Array(|p, t| reductions::chosen(p, t, Builder::argmin))),
    // Changes of precision, and the linear ops on arrays (spec/arrays.md D.1): applied to the tangents unchanged.
    (
        kinds![
            ArithExtf ArithTruncf TensorCast ArrayGet ArrayGather ArrayScatter ArrayOneHot ArraySum ArrayReplicate
            ArrayTranspose ArrayReshape ArrayStack ArrayAppend ArraySlice ArrayReverse TensorInsert TensorInsertSlice
        ],
        Linear,
    ),
    (kinds![ArrayBuild ArrayIfold ArrayFold ArrayMapAccum ArrayYield], Structured),
    (kinds![FuncCall FuncReturn ScfIf ScfFor ScfWhile ScfCondition ScfYield], Structured),
    // Piecewise constant, or not a float (A.4).
    (kinds![MathFloor MathCeil MathTrunc MathRound MathRoundeven], Constant),
    (kinds![DualZero DualOne DualStopGradient ArrayLength ArithConstant], Constant),
    (kinds![ArrayArgmax ArrayArgmin ArrayIota ArrayDiv ArrayMod ArrayFloor], Constant),
    (kinds![ArithCmpf ArithCmpi ArithSitofp ArithUitofp ArithFptosi ArithFptoui], Constant),
    (kinds![ArithIndexCast ArithIndexCastui ArithAddi ArithSubi ArithMuli ArithDivsi ArithDivui ArithRemsi], Constant),
    (kinds![ArithRemui ArithFloordivsi ArithCeildivsi ArithCeildivui ArithAndi ArithOri ArithXori], Constant),
    (kinds![ArithMaxsi ArithMaxui ArithMinsi ArithMinui ArithShli ArithShrsi ArithShrui], Constant),
    (kinds![ArithExtsi ArithExtui ArithTrunci], Constant),
];

/// The ops of `array` without a rule: `array.check` and `array.same_size` only have an effect, and `array.vmap` is
/// expanded before.
const WITHOUT_RULE: &[Kind] = &[Kind::ArrayCheck, Kind::ArraySameSize, Kind::ArrayVmap];

/// Does not compile unless each op of `array` has a rule or is in [`WITHOUT_RULE`]: the error names the op.
const _: () = {
    const fn contains(kinds: &[Kind], kind: Kind) -> bool {
        let mut k = 0;
        while k < kinds.len() && kinds[k] as u16 != kind as u16 {
            k += 1;
        }
        k < kinds.len()
    }
    let mut op = 0;
    while op < ArrayOp::KINDS.len() {
        let kind = ArrayOp::KINDS[op];
        let (mut row, mut found) = (0, contains(WITHOUT_RULE, kind));
        while row < TABLE.len() {
            found |= contains(TABLE[row].0, kind);
            row += 1;
        }
        if !found {
            panic!("{}", kind.name());
        }
        op += 1;
    }
};

/// Returns the rule of the ops of a kind; `None` if they cannot be differentiated.
pub fn rule(kind: Kind) -> Option<Rule> {
    static BY_KIND: LazyLock<HashMap<Kind, Rule>> =
        LazyLock::new(|| TABLE.iter().flat_map(|(kinds, rule)| kinds.iter().map(|k| (*k, *rule))).collect());
    BY_KIND.get(&kind).copied()
}

/// Returns all differentiable elementwise ops.
pub fn elementwise_ops() -> impl Iterator<Item = Kind> {
    TABLE.iter().filter(|(_, r)| matches!(r, Rule::Elementwise(_))).flat_map(|(kinds, _)| kinds.iter().copied())
}

/// Returns all other differentiable ops: those on arrays, and those with regions or callees.
pub fn array_ops() -> impl Iterator<Item = Kind> {
    let others = TABLE.iter().filter(|(_, r)| matches!(r, Rule::Array(_) | Rule::Linear | Rule::Structured));
    others.flat_map(|(kinds, _)| kinds.iter().copied())
}

/// Returns the partial derivative of a selection: operand 0 where the mask is true, operand 1 elsewhere.
fn select_where(mask: Value, k: usize) -> Partial {
    if k == 0 { Partial::Where(mask) } else { Partial::Unless(mask) }
}

/// Computes t₀·∂z/∂x₀ + t₁·∂z/∂x₁ + …, the tangent of an elementwise op. Returns `None` if it is zero.
pub fn tangent(point: &Point, partials: fn(&Point, usize) -> Partial, tangents: &[Option<Value>]) -> Option<Value> {
    // The tangent of a selection is one `select`, regardless of the number of varying operands.
    if matches!(
        point.op.kind(),
        Kind::ArithSelect | Kind::ArithMaximumf | Kind::ArithMaxnumf | Kind::ArithMinimumf | Kind::ArithMinnumf
    ) {
        return chosen(point, partials, tangents);
    }
    let mut sum: Option<Value> = None;
    for (k, t) in tangents.iter().enumerate() {
        let Some(t) = *t else { continue };
        let partial = partials(point, k);
        sum = match (sum, partial) {
            // a − t is emitted instead of a + (−t).
            (Some(s), Partial::MinusOne) => Some(point.sub(s, t)),
            (sum, partial) => match (sum, scaled(point, partial, t)) {
                (Some(s), Some(term)) => Some(point.add(s, term)),
                (sum, term) => sum.or(term),
            },
        };
    }
    sum
}

/// Computes d·∂z/∂xₖ, the contribution of an elementwise op to the cotangent of operand k. Returns `None` if it is
/// zero.
pub fn cotangent(point: &Point, partials: fn(&Point, usize) -> Partial, k: usize, d: Value) -> Option<Value> {
    scaled(point, partials(point, k), d)
}

fn chosen(point: &Point, partials: fn(&Point, usize) -> Partial, tangents: &[Option<Value>]) -> Option<Value> {
    let first = tangents.len() - 2;
    let (a, b) = (tangents[first], tangents[first + 1]);
    a.or(b)?;
    let Partial::Where(mask) = partials(point, first) else { unreachable!("a choice masks its first operand") };
    let or_zero = |t: Option<Value>| t.unwrap_or_else(|| point.builder.zero_like(point.z));
    Some(point.builder.select(mask, or_zero(a), or_zero(b)))
}

/// Computes t·∂z/∂xₖ. Returns `None` if it is zero.
fn scaled(point: &Point, partial: Partial, t: Value) -> Option<Value> {
    Some(match partial {
        Partial::Zero => return None,
        Partial::One => t,
        Partial::MinusOne => point.neg(t),
        Partial::Times(w) => point.mul(w, t),
        Partial::Over(w) => point.apply(Kind::ArithDivf, &[t, w]),
        Partial::Where(mask) => point.builder.select(mask, t, point.builder.zero_like(point.z)),
        Partial::Unless(mask) => point.builder.select(mask, point.builder.zero_like(point.z), t),
    })
}
