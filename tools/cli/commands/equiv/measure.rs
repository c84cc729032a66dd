//! The criterion by which results of two functions are considered different.

use super::points::{below, with_floats};
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::array::ArrayOp;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::{Array, Data, Element};
use rand_chacha::ChaCha8Rng;

/// A call of two functions. If they are the same, the second results are those of its compiled code.
pub struct Call<'x> {
    pub sides: [Op; 2],
    pub x: &'x [Array],
    /// The number of evaluation steps after which a function counts as undefined.
    pub steps: u64,
}

impl Call<'_> {
    fn result(&self, side: Op, x: &[Array]) -> Option<Vec<Array>> {
        Evaluator::new(side.module()?).with_limit(self.steps).call(&side.symbol()?, x).ok()
    }

    /// Returns the results of both functions, if both are defined.
    pub fn results(&self, x: &[Array]) -> Option<[Vec<Array>; 2]> {
        Some([self.result(self.sides[0], x)?, self.result(self.sides[1], x)?])
    }

    /// Returns the largest finite result of an operation that rounds, in either function.
    fn largest(&self) -> f64 {
        let mut largest = 0.0f64;
        for side in self.sides {
            let mut see = |op: Op, _: usize, z: &Array| {
                if rounds(op) {
                    largest = z.to_f64().into_iter().filter(|z| z.is_finite()).fold(largest, |l, z| l.max(z.abs()));
                }
            };
            if let (Some(module), Some(name)) = (side.module(), side.symbol()) {
                let _seen = Evaluator::new(module).with_trace(&mut see).with_limit(self.steps).call(&name, self.x);
            }
        }
        largest
    }
}

/// Checks whether an operation may round its result.
fn rounds(op: Op) -> bool {
    use Kind::*;
    let is_float = op.results().into_iter().any(|z| z.ty().element().is_some_and(Element::is_float));
    is_float
        && match op.kind() {
            ArithAddf | ArithSubf | ArithMulf | ArithDivf | ArithRemf | ArithTruncf | ArithSitofp | ArithUitofp => true,
            MathAbsf | MathFloor | MathCeil | MathTrunc | MathRound | MathRoundeven | MathCopysign => false,
            kind => match ArrayOp::of(op) {
                Some(op) => of_array_rounds(op),
                None => matches!(kind.dialect(), "math" | "linalg"),
            },
        }
}

/// As [`rounds`]: the other ops of `array` move elements, choose among them, or compute them in regions.
fn of_array_rounds(op: ArrayOp) -> bool {
    match op {
        ArrayOp::Sum(_) | ArrayOp::Prod(_) | ArrayOp::Scatter(_) => true,
        ArrayOp::Max(_) | ArrayOp::Min(_) | ArrayOp::Argmax(_) | ArrayOp::Argmin(_) => false,
        ArrayOp::Build(_) | ArrayOp::Ifold(_) | ArrayOp::Fold(_) | ArrayOp::MapAccum(_) => false,
        ArrayOp::Get(_) | ArrayOp::Gather(_) | ArrayOp::OneHot(_) | ArrayOp::Length(_) => false,
        ArrayOp::Replicate(_) | ArrayOp::Transpose(_) | ArrayOp::Reshape(_) | ArrayOp::Stack(_) => false,
        ArrayOp::Append(_) | ArrayOp::Slice(_) | ArrayOp::Reverse(_) | ArrayOp::Iota(_) => false,
        ArrayOp::Div(_) | ArrayOp::Mod(_) | ArrayOp::Floor(_) => false,
        ArrayOp::Vmap(_) | ArrayOp::Check(_) | ArrayOp::SameSize(_) | ArrayOp::Yield(_) => false,
    }
}

/// Checks whether an op selects the greatest or least element. Its result is unspecified with NaN, and among zeros of
/// different signs.
pub fn selects(op: Op) -> bool {
    matches!(op.kind(), Kind::ArrayMax | Kind::ArrayMin | Kind::ArrayArgmax | Kind::ArrayArgmin)
}

/// Checks whether the sign of a zero result is unspecified: that of an empty sum or of a place to which nothing is
/// added, and that of `maxnumf` in MLIR.
fn leaves_zeros_open(op: Op) -> bool {
    selects(op)
        || matches!(
            op.kind(),
            Kind::ArraySum | Kind::ArrayScatter | Kind::ArrayOneHot | Kind::ArithMaxnumf | Kind::ArithMinnumf
        )
        || op.name().starts_with("linalg.")
}

/// The criterion of equality. If no operation rounds, all bits must agree. Otherwise two numbers differ if their
/// distance exceeds [`relative`] and the effect of rounding (see [`Near`]).
pub struct Measure {
    /// True if any operation rounds.
    rounds: bool,
    /// The machine epsilon of the least precise type in use.
    epsilon: f64,
    relative: f64,
    /// True if no operation has a fast-math flag and there are no structural zeros.
    pub strict: bool,
    /// True if signs of zeros are compared.
    pub zeros: bool,
    /// True if NaN is compared.
    pub nan: bool,
    /// True if infinities are compared.
    infinite: bool,
}

/// Returns the relative tolerance within which numbers of a type count as equal without further checks.
fn relative(element: Element) -> f64 {
    match element {
        Element::BF16 => 3e-2,
        Element::F16 => 4e-3,
        Element::F32 => 1e-5,
        _ => 1e-9,
    }
}

/// Returns the distance between 1 and the next number of a type.
fn epsilon(element: Element) -> f64 {
    match element {
        Element::BF16 => 2f64.powi(-7),
        Element::F16 => 2f64.powi(-10),
        Element::F32 => f32::EPSILON.into(),
        _ => f64::EPSILON,
    }
}

const FLAGS: [&str; 8] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"];

impl Measure {
    pub fn of(ops: &[Op], more: Option<&str>) -> Measure {
        let own = ops.iter().filter_map(|op| op.attribute("fastmath")).map(|flags| flags.to_string());
        let flags: Vec<String> = own.chain(more.map(str::to_string)).collect();
        let has =
            |flag: &str| flags.iter().any(|list| list.split(|c: char| !c.is_alphanumeric()).any(|word| word == flag));
        // A structural zero times infinity is zero, unlike a floating-point zero.
        let structural = ops.iter().any(|op| matches!(op.kind(), Kind::DualZero | Kind::DualOne));
        let strict = !structural && !FLAGS.into_iter().any(has);
        let elements = ops.iter().flat_map(|op| op.results()).filter_map(|z| z.ty().element());
        let of_least_exact = |of: fn(Element) -> f64| elements.clone().map(of).fold(of(Element::F64), f64::max);
        Measure {
            rounds: ops.iter().any(|&op| rounds(op)),
            epsilon: of_least_exact(epsilon),
            relative: of_least_exact(relative),
            strict,
            zeros: strict && !ops.iter().any(|&op| leaves_zeros_open(op)),
            nan: !structural && !has("nnan") && !has("fast") && !ops.iter().any(|&op| selects(op)),
            infinite: !structural && !has("ninf") && !has("fast"),
        }
    }

    /// Returns the numbers of the first result and element that differ. The element is 0 if the shapes differ.
    pub fn difference(&self, call: &Call, f: &[Array], g: &[Array], rng: &mut ChaCha8Rng) -> Option<(usize, usize)> {
        let mut near = None;
        for (k, (a, b)) in f.iter().zip(g).enumerate() {
            if a.shape() != b.shape() {
                return Some((k, 0));
            }
            for i in (0..a.len()).filter(|&i| self.differs(a, b, i)) {
                if !self.rounds {
                    return Some((k, i));
                }
                let near = near.get_or_insert_with(|| Near::new(call, self.epsilon, rng));
                if !near.explains(self, a, b, k, i) {
                    return Some((k, i));
                }
            }
        }
        None
    }

    /// Checks whether two arrays differ in one element, by more than [`relative`].
    fn differs(&self, a: &Array, b: &Array, i: usize) -> bool {
        match (a.data(), b.data()) {
            (Data::I64(a), Data::I64(b)) | (Data::Index(a), Data::Index(b)) => a[i] != b[i],
            _ if !a.element().is_float() => a.at(i) != b.at(i),
            _ => self.apart(a.at(i), b.at(i)),
        }
    }

    fn apart(&self, a: f64, b: f64) -> bool {
        if a.is_nan() || b.is_nan() {
            return self.nan && a.is_nan() != b.is_nan();
        }
        if a.is_infinite() || b.is_infinite() {
            return self.infinite && a != b;
        }
        if a == b {
            return self.zeros && a.is_sign_negative() != b.is_sign_negative();
        }
        let relative = if self.rounds { self.relative } else { 0.0 };
        (a - b).abs() > relative * a.abs().max(b.abs())
    }
}

/// The number of evaluations near a point.
const CALLS: usize = 16;

/// The factor by which rounding errors may exceed those observed near a point.
const SLACK: f64 = 64.0;

/// Grids whose points have so few digits that most sums and products of inputs on them are exact.
const GRIDS: [f64; 3] = [8.0, 64.0, 1024.0];

/// The effect of rounding at a point. It is observed by changing the last digits of the inputs, unless intermediate
/// numbers are so large that these digits are lost.
struct Near {
    /// The results of each function nearby. If a function is compared with its code, only those of the function.
    close: [Vec<Vec<Array>>; 2],
    is_code: bool,
    /// The results of both functions for inputs on grids.
    coarse: Vec<[Vec<Array>; 2]>,
    /// The difference that lost digits may cause.
    lost: f64,
}

impl Near {
    fn new(call: &Call, epsilon: f64, rng: &mut ChaCha8Rng) -> Near {
        let mut close = [Vec::new(), Vec::new()];
        let is_code = call.sides[0] == call.sides[1];
        for _ in 0..CALLS {
            let mut moved = |x: f64| x * (1.0 + epsilon * (below(rng, 9) as f64 - 4.0));
            let x: Vec<Array> = call.x.iter().map(|x| with_floats(x, &mut moved)).collect();
            for (side, found) in call.sides.into_iter().zip(&mut close).take(if is_code { 1 } else { 2 }) {
                found.extend(call.result(side, &x));
            }
        }
        let on_grid = |grid: f64| -> Vec<Array> {
            call.x.iter().map(|x| with_floats(x, |x| (x * grid).round() / grid)).collect()
        };
        let grids = GRIDS.into_iter().filter(|_| !is_code);
        let coarse = grids.filter_map(|grid| call.results(&on_grid(grid))).collect();
        Near { close, is_code, coarse, lost: epsilon * call.largest() }
    }

    /// Checks whether rounding explains that element `i` of results `k`, which are `a` and `b`, differs.
    fn explains(&self, measure: &Measure, a: &Array, b: &Array, k: usize, i: usize) -> bool {
        let (x, y) = (a.at(i), b.at(i));
        if a.element().is_float() && x.is_finite() && y.is_finite() && x != y {
            let spread = |own: f64, close: &[Vec<Array>]| {
                let found = close.iter().filter(|z| z[k].shape() == a.shape());
                let distances = found.map(|z| (z[k].at(i) - own).abs());
                distances.filter(|d| d.is_finite()).fold(0.0, f64::max)
            };
            // The results of compiled code nearby are unknown: spread(y, []) is 0.
            let seen = spread(x, &self.close[0]) + spread(y, &self.close[1]);
            return (x - y).abs() <= SLACK * (seen + self.lost);
        }
        // For discrete values, rounding may produce either value if it does so nearby.
        let same = |f: &[Array], g: &[Array]| {
            f[k].shape() == a.shape() && g[k].shape() == a.shape() && !measure.differs(&f[k], &g[k], i)
        };
        let [first, second] = &self.close;
        if self.is_code {
            return first.iter().any(|f| f[k].shape() == b.shape() && !measure.differs(&f[k], b, i));
        }
        first.iter().any(|f| second.iter().any(|g| same(f, g))) || self.coarse.iter().any(|[f, g]| same(f, g))
    }
}
