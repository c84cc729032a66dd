//! The table of derivatives: for each op, z = f(x₀, x₁, …), its partial derivatives ∂z/∂xₖ.
//!
//! Every kind of differentiation reads this one table. Formulas are those of any calculus text; conventions where a
//! function has no derivative (ties of `max`, `abs` at 0) are `spec/arrays.md` A.4; docs/derivatives.md lists such
//! points.

mod powers;
mod reductions;

use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use std::collections::HashMap;
use std::sync::LazyLock;

use Partial::*;
use Rule::*;

/// ∂z/∂x, as what it does to a tangent t.
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

/// How an op is differentiated.
#[derive(Clone, Copy)]
pub enum Rule {
    /// Its result does not change with its operands, or is no float: the derivative is zero.
    Constant,
    /// Elementwise, with these partial derivatives.
    Elementwise(fn(&Point, usize) -> Partial),
    /// A function of one array, operand 0: the tangent of the result from that of the operand.
    Array(fn(&Point, Value) -> Value),
    /// Linear in all its float operands together: the op itself, applied to their tangents.
    Linear,
    /// Loops, branches, calls: the code inside is differentiated.
    Structured,
}

/// Where an elementwise op is differentiated: its primal operands and result, and how to compute with them.
pub struct Point<'a> {
    pub builder: Builder,
    pub op: Op,
    pub x: &'a [Value],
    pub z: Value,
}

impl Point<'_> {
    /// An op on values of the type of `z`, with the fast-math flags of the op that is differentiated.
    fn apply(&self, name: &str, operands: &[Value]) -> Value {
        let mut op = self.builder.op(name).operands(operands).results(&[operands[0].ty()]);
        if let Some(flags) = self.op.attribute("fastmath") {
            op = op.attribute("fastmath", flags);
        }
        self.builder.insert(op.build()).result(0)
    }

    fn constant(&self, c: f64) -> Value {
        self.builder.float_like(self.z, c)
    }

    fn add(&self, a: Value, b: Value) -> Value {
        self.apply("arith.addf", &[a, b])
    }

    fn sub(&self, a: Value, b: Value) -> Value {
        self.apply("arith.subf", &[a, b])
    }

    fn mul(&self, a: Value, b: Value) -> Value {
        self.apply("arith.mulf", &[a, b])
    }

    fn neg(&self, a: Value) -> Value {
        self.apply("arith.negf", &[a])
    }

    /// 1 − a² and its like.
    fn one_minus_square(&self, a: Value) -> Value {
        self.sub(self.constant(1.0), self.mul(a, a))
    }

    fn one_plus_square(&self, a: Value) -> Value {
        self.add(self.constant(1.0), self.mul(a, a))
    }

    /// Whether a ≥ b, element by element.
    fn at_least(&self, a: Value, b: Value) -> Value {
        self.compare(3, a, b)
    }

    /// Whether a ≥ b or b is NaN, element by element.
    fn at_least_number(&self, a: Value, b: Value) -> Value {
        let (greater, alone) = (self.at_least(a, b), self.compare(14, b, b));
        self.builder.unary(Kind::ArithOri, &[greater, alone], greater.ty())
    }

    /// Whether a ≤ b or b is NaN, element by element.
    fn at_most_number(&self, a: Value, b: Value) -> Value {
        let (less, alone) = (self.at_least(b, a), self.compare(14, b, b));
        self.builder.unary(Kind::ArithOri, &[less, alone], less.ty())
    }

    /// `arith.cmpf`, with the predicate numbered as in MLIR.
    fn compare(&self, predicate: i64, a: Value, b: Value) -> Value {
        let context = self.builder.context();
        let predicate = Attribute::integer(context.scalar(Element::I64), predicate);
        let mask = a.ty();
        let i1 = context.scalar(Element::I1);
        let ty = if mask.is_tensor() { Type::tensor(&mask.shape(), i1) } else { i1 };
        let op = self.builder.op(Kind::ArithCmpf).operands(&[a, b]).attribute("predicate", predicate).results(&[ty]);
        self.builder.insert(op.build()).result(0)
    }
}

/// The table. Each row: the ops, and how they are differentiated.
const TABLE: &[(&[&str], Rule)] = &[
    // z = a + b.   ∂z/∂a = 1, ∂z/∂b = 1.
    (&["arith.addf"], Elementwise(|_, _| One)),
    // z = a − b.   ∂z/∂a = 1, ∂z/∂b = −1.
    (&["arith.subf"], Elementwise(|_, k| [One, MinusOne][k])),
    // z = a · b.   ∂z/∂a = b, ∂z/∂b = a.
    (&["arith.mulf"], Elementwise(|p, k| Times(p.x[1 - k]))),
    // z = a / b.   ∂z/∂a = 1/b, ∂z/∂b = −z/b.
    (
        &["arith.divf"],
        Elementwise(|p, k| match k {
            0 => Over(p.x[1]),
            _ => Times(p.neg(p.apply("arith.divf", &[p.z, p.x[1]]))),
        }),
    ),
    // z = −a.   ∂z/∂a = −1.
    (&["arith.negf"], Elementwise(|_, _| MinusOne)),
    // z = a − b·trunc(a/b).   ∂z/∂a = 1, ∂z/∂b = −trunc(a/b), where trunc is constant.
    (
        &["arith.remf"],
        Elementwise(|p, k| match k {
            0 => One,
            _ => Times(p.neg(p.apply("math.trunc", &[p.apply("arith.divf", &[p.x[0], p.x[1]])]))),
        }),
    ),
    // z = max(a, b).   The derivative belongs to the operand that was returned; to a on ties (A.4).
    (&["arith.maximumf"], Elementwise(|p, k| select_where(p.at_least(p.x[0], p.x[1]), k))),
    // The same, but the operand that is a number was returned where the other one is NaN.
    (&["arith.maxnumf"], Elementwise(|p, k| select_where(p.at_least_number(p.x[0], p.x[1]), k))),
    // z = min(a, b).   Likewise.
    (&["arith.minimumf"], Elementwise(|p, k| select_where(p.at_least(p.x[1], p.x[0]), k))),
    (&["arith.minnumf"], Elementwise(|p, k| select_where(p.at_most_number(p.x[0], p.x[1]), k))),
    // z = c ? a : b.   The derivative belongs to the operand that was chosen; c does not vary.
    (
        &["arith.select"],
        Elementwise(|p, k| match k {
            0 => Zero,
            1 => Where(p.x[0]),
            _ => Unless(p.x[0]),
        }),
    ),
    // z = a·b + c.
    (
        &["math.fma"],
        Elementwise(|p, k| match k {
            2 => One,
            _ => Times(p.x[1 - k]),
        }),
    ),
    // z = |a|.   ∂z/∂a = 1 where a ≥ 0, else −1 (A.4).
    (
        &["math.absf"],
        Elementwise(|p, _| {
            let mask = p.at_least(p.x[0], p.constant(0.0));
            Times(p.builder.select(mask, p.constant(1.0), p.constant(-1.0)))
        }),
    ),
    // z = |a|·sgn b.   ∂z/∂a = sgn a · sgn b, with the sign of zero as it is stored; b matters by its sign only.
    (
        &["math.copysign"],
        Elementwise(|p, k| match k {
            0 => {
                let sign = |x: Value| p.apply("math.copysign", &[p.constant(1.0), x]);
                Times(p.mul(sign(p.x[0]), sign(p.x[1])))
            }
            _ => Zero,
        }),
    ),
    // z = eᵃ.   ∂z/∂a = z.
    (&["math.exp"], Elementwise(|p, _| Times(p.z))),
    // z = 2ᵃ.   ∂z/∂a = z·ln 2.
    (&["math.exp2"], Elementwise(|p, _| Times(p.mul(p.z, p.constant(std::f64::consts::LN_2))))),
    // z = eᵃ − 1.   ∂z/∂a = z + 1.
    (&["math.expm1"], Elementwise(|p, _| Times(p.add(p.z, p.constant(1.0))))),
    // z = ln a.   ∂z/∂a = 1/a.
    (&["math.log"], Elementwise(|p, _| Over(p.x[0]))),
    // z = ln(1 + a).   ∂z/∂a = 1/(1 + a).
    (&["math.log1p"], Elementwise(|p, _| Over(p.add(p.x[0], p.constant(1.0))))),
    // z = log₂ a.   ∂z/∂a = 1/(a·ln 2).
    (&["math.log2"], Elementwise(|p, _| Over(p.mul(p.x[0], p.constant(std::f64::consts::LN_2))))),
    // z = log₁₀ a.   ∂z/∂a = 1/(a·ln 10).
    (&["math.log10"], Elementwise(|p, _| Over(p.mul(p.x[0], p.constant(std::f64::consts::LN_10))))),
    // z = √a.   ∂z/∂a = 1/(2z).
    (&["math.sqrt"], Elementwise(|p, _| Over(p.add(p.z, p.z)))),
    // z = a^(−1/2).   ∂z/∂a = −z/(2a).
    (&["math.rsqrt"], Elementwise(|p, _| Times(p.neg(p.apply("arith.divf", &[p.z, p.add(p.x[0], p.x[0])]))))),
    // z = a^(1/3).   ∂z/∂a = 1/(3z²).
    (&["math.cbrt"], Elementwise(|p, _| Over(p.mul(p.constant(3.0), p.mul(p.z, p.z))))),
    // z = sin a.   ∂z/∂a = cos a.
    (&["math.sin"], Elementwise(|p, _| Times(p.apply("math.cos", &[p.x[0]])))),
    // z = cos a.   ∂z/∂a = −sin a.
    (&["math.cos"], Elementwise(|p, _| Times(p.neg(p.apply("math.sin", &[p.x[0]]))))),
    // z = tan a.   ∂z/∂a = 1 + z².
    (&["math.tan"], Elementwise(|p, _| Times(p.one_plus_square(p.z)))),
    // z = arcsin a.   ∂z/∂a = 1/√(1 − a²).
    (&["math.asin"], Elementwise(|p, _| Over(p.apply("math.sqrt", &[p.one_minus_square(p.x[0])])))),
    // z = arccos a.   ∂z/∂a = −1/√(1 − a²).
    (&["math.acos"], Elementwise(|p, _| Over(p.neg(p.apply("math.sqrt", &[p.one_minus_square(p.x[0])]))))),
    // z = arctan a.   ∂z/∂a = 1/(1 + a²).
    (&["math.atan"], Elementwise(|p, _| Over(p.one_plus_square(p.x[0])))),
    // z = atan2(a, b).   ∂z/∂a = b/(a² + b²), ∂z/∂b = −a/(a² + b²); both 0 at the origin.
    (
        &["math.atan2"],
        Elementwise(|p, k| {
            let [a, b] = [p.x[0], p.x[1]].map(|x| p.compare(1, x, p.constant(0.0)));
            let origin = p.builder.unary(Kind::ArithAndi, &[a, b], a.ty());
            let norm = p.add(p.mul(p.x[0], p.x[0]), p.mul(p.x[1], p.x[1]));
            let norm = p.builder.select(origin, p.constant(1.0), norm);
            // All of the quotient is constant there, so that higher derivatives are 0 too.
            let numerator = if k == 0 { p.x[1] } else { p.neg(p.x[0]) };
            let numerator = p.builder.select(origin, p.constant(0.0), numerator);
            Times(p.apply("arith.divf", &[numerator, norm]))
        }),
    ),
    // z = sinh a.   ∂z/∂a = cosh a.
    (&["math.sinh"], Elementwise(|p, _| Times(p.apply("math.cosh", &[p.x[0]])))),
    // z = cosh a.   ∂z/∂a = sinh a.
    (&["math.cosh"], Elementwise(|p, _| Times(p.apply("math.sinh", &[p.x[0]])))),
    // z = arsinh a.   ∂z/∂a = 1/√(1 + a²).
    (&["math.asinh"], Elementwise(|p, _| Over(p.apply("math.sqrt", &[p.one_plus_square(p.x[0])])))),
    // z = arcosh a.   ∂z/∂a = 1/√(a² − 1).
    (&["math.acosh"], Elementwise(|p, _| Over(p.apply("math.sqrt", &[p.sub(p.mul(p.x[0], p.x[0]), p.constant(1.0))])))),
    // z = artanh a.   ∂z/∂a = 1/(1 − a²).
    (&["math.atanh"], Elementwise(|p, _| Over(p.one_minus_square(p.x[0])))),
    // z = tanh a.   ∂z/∂a = 1 − z².
    (&["math.tanh"], Elementwise(|p, _| Times(p.one_minus_square(p.z)))),
    // z = aᵇ.   ∂z/∂a = b·a^(b−1), never through the logarithm; ∂z/∂b = z·ln a, only if b varies (A.4), and 0 where a
    // is 0 and b ≥ 0.
    (
        &["math.powf"],
        Elementwise(|p, k| match k {
            0 => Times(p.mul(p.x[1], p.apply("math.powf", &[p.x[0], powers::lowered(p)]))),
            _ => Times(p.mul(p.z, p.apply("math.log", &[powers::logarithm_of(p)]))),
        }),
    ),
    // z = aⁿ, n an integer.   ∂z/∂a = n·a^(n−1).
    (
        &["math.fpowi"],
        Elementwise(|p, k| match k {
            0 => Times(p.mul(powers::as_float(p), p.apply("math.fpowi", &[p.x[0], powers::lowered(p)]))),
            _ => Zero,
        }),
    ),
    // z = erf a.   ∂z/∂a = 2/√π · e^(−a²).
    (
        &["math.erf"],
        Elementwise(|p, _| {
            let gauss = p.apply("math.exp", &[p.neg(p.mul(p.x[0], p.x[0]))]);
            Times(p.mul(p.constant(std::f64::consts::FRAC_2_SQRT_PI), gauss))
        }),
    ),
    // z = Π_r x_r.   ż = Σ_r (Π_{q≠r} x_q)·ẋ_r, without a division: zeros are common (C.3).
    (&["array.prod"], Array(reductions::prod)),
    // z = max_r x_r.   The derivative belongs to the first maximum (A.4).
    (&["array.max"], Array(|p, t| reductions::chosen(p, t, Builder::argmax))),
    // z = min_r x_r.   Likewise.
    (&["array.min"], Array(|p, t| reductions::chosen(p, t, Builder::argmin))),
    // Changes of precision, and the linear ops on arrays (spec/arrays.md D.1): applied to the tangents as they are.
    (
        &["arith.extf", "arith.truncf", "tensor.cast", "array.get", "array.gather", "array.scatter", "array.one_hot"],
        Linear,
    ),
    (&["array.sum", "array.replicate", "array.transpose", "array.reshape", "array.stack", "array.append"], Linear),
    (&["array.slice", "array.reverse"], Linear),
    (&["array.build", "array.ifold", "array.fold", "array.map_accum", "array.yield"], Structured),
    (&["func.call", "func.return", "scf.if", "scf.for", "scf.while", "scf.condition", "scf.yield"], Structured),
    // Piecewise constant, or not a float (A.4).
    (&["math.floor", "math.ceil", "math.trunc", "math.round", "math.roundeven"], Constant),
    (&["dual.zero", "dual.one", "dual.stop_gradient", "array.length", "arith.constant"], Constant),
    (&["array.argmax", "array.argmin", "array.iota", "array.div", "array.mod", "array.floor"], Constant),
    (&["arith.cmpf", "arith.cmpi", "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"], Constant),
    (&["arith.index_cast", "arith.index_castui", "arith.addi", "arith.subi", "arith.muli"], Constant),
    (&["arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi"], Constant),
    (&["arith.ceildivsi", "arith.ceildivui", "arith.andi", "arith.ori", "arith.xori"], Constant),
    (&["arith.maxsi", "arith.maxui", "arith.minsi", "arith.minui", "arith.shli", "arith.shrsi"], Constant),
    (&["arith.shrui", "arith.extsi", "arith.extui", "arith.trunci"], Constant),
];

/// The rule of the op called `name`; `None` when it cannot be differentiated.
pub fn rule(name: &str) -> Option<Rule> {
    static BY_NAME: LazyLock<HashMap<&str, Rule>> =
        LazyLock::new(|| TABLE.iter().flat_map(|(names, rule)| names.iter().map(|n| (*n, *rule))).collect());
    BY_NAME.get(name).copied()
}

/// The names of all elementwise ops that can be differentiated.
pub fn elementwise_ops() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(|(_, r)| matches!(r, Rule::Elementwise(_))).flat_map(|(names, _)| names.iter().copied())
}

/// The names of all other ops that can be differentiated: those on arrays, and those with code inside.
pub fn array_ops() -> impl Iterator<Item = &'static str> {
    let others = TABLE.iter().filter(|(_, r)| matches!(r, Rule::Array(_) | Rule::Linear | Rule::Structured));
    others.flat_map(|(names, _)| names.iter().copied())
}

/// Operand 0 where the mask is true, operand 1 elsewhere.
fn select_where(mask: Value, k: usize) -> Partial {
    if k == 0 { Partial::Where(mask) } else { Partial::Unless(mask) }
}

/// t₀·∂z/∂x₀ + t₁·∂z/∂x₁ + …: the tangent of an elementwise op. `None` when it is zero.
pub fn tangent(point: &Point, partials: fn(&Point, usize) -> Partial, tangents: &[Option<Value>]) -> Option<Value> {
    // A choice between two operands is one `select`, however many of them vary.
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
            (sum, Partial::Zero) => sum,
            // a − t rather than a + (−t).
            (Some(s), Partial::MinusOne) => Some(point.sub(s, t)),
            (Some(s), partial) => Some(point.add(s, scaled(point, partial, t))),
            (None, partial) => Some(scaled(point, partial, t)),
        };
    }
    sum
}

/// d·∂z/∂xₖ: what an elementwise op adds to the cotangent of operand k. `None` when it is zero.
pub fn cotangent(point: &Point, partials: fn(&Point, usize) -> Partial, k: usize, d: Value) -> Option<Value> {
    match partials(point, k) {
        Partial::Zero => None,
        partial => Some(scaled(point, partial, d)),
    }
}

fn chosen(point: &Point, partials: fn(&Point, usize) -> Partial, tangents: &[Option<Value>]) -> Option<Value> {
    let first = tangents.len() - 2;
    let (a, b) = (tangents[first], tangents[first + 1]);
    a.or(b)?;
    let Partial::Where(mask) = partials(point, first) else { unreachable!("a choice masks its first operand") };
    let or_zero = |t: Option<Value>| t.unwrap_or_else(|| point.builder.zero_like(point.z));
    Some(point.builder.select(mask, or_zero(a), or_zero(b)))
}

fn scaled(point: &Point, partial: Partial, t: Value) -> Value {
    match partial {
        Partial::Zero => unreachable!("handled by the caller"),
        Partial::One => t,
        Partial::MinusOne => point.neg(t),
        Partial::Times(w) => point.mul(w, t),
        Partial::Over(w) => point.apply("arith.divf", &[t, w]),
        Partial::Where(mask) => point.builder.select(mask, t, point.builder.zero_like(point.z)),
        Partial::Unless(mask) => point.builder.select(mask, point.builder.zero_like(point.z), t),
    }
}
