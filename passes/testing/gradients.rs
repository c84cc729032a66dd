//! Tests of the optimiser on the gradients of the micro-benchmarks, which are computed by naive forward mode: the
//! values, the order of growth of the work of the generated code, and both sides of every rewriting step.

use super::forward::gradient;
use super::interpret::Interpreter;
use crate::optimise::normaliser::normalise::Step;
use crate::optimise::normaliser::record::Record;
use crate::optimise::phases::{Options, Phases, optimise, place};
use crate::optimise::rules::Laws;
use crate::optimise::saturate::LOOKS_PER_NODE;
use crate::optimise::terms::eval::{Evaluator, Value};
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Pool};
use egg::Id;
use mlopt_dialects::value::Element;
use std::sync::LazyLock;

static LAWS: LazyLock<Laws> = LazyLock::new(Laws::all);

/// Returns deterministic numbers in (-1, 1), different for every leaf and position.
pub fn noise(seed: u64) -> f64 {
    let mut x = seed.wrapping_mul(0x9E3779B97F4A7C15) ^ 0xD1B54A32D192ED03;
    for _ in 0..3 {
        x ^= x >> 29;
        x = x.wrapping_mul(0xBF58476D1CE4E5B9);
    }
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

pub fn random(shape: &[usize], seed: u64) -> Value {
    match shape {
        [] => Value::f64(noise(seed)),
        [n, rest @ ..] => {
            Value::rows((0..*n).map(|i| random(rest, seed.wrapping_mul(31).wrapping_add(i as u64 + 1))).collect())
        }
    }
}

/// A program: the pool, its result, the leaf to differentiate, and the sizes of the leaves (dynamic axes included).
struct Program {
    pool: Pool,
    result: Id,
    wrt: Id,
    sizes: Vec<Vec<usize>>,
}

struct Maker {
    pool: Pool,
    sizes: Vec<Vec<usize>>,
}

/// Builders of terms. Bodies see the innermost index at level 0.
impl Maker {
    fn new() -> Self {
        Maker { pool: Pool::new(), sizes: Vec::new() }
    }

    fn leaf(&mut self, shape: &[usize]) -> Id {
        self.sizes.push(shape.to_vec());
        self.pool.leaf(Element::F64, shape.iter().map(|&n| Some(n as u64)).collect())
    }

    fn ix(&mut self, level: u32, n: usize) -> Id {
        let n = self.pool.index(n as i64);
        self.pool.ix(level, n)
    }

    fn get(&mut self, a: Id, i: &[Id]) -> Id {
        i.iter().fold(a, |a, &i| self.pool.get(a, i))
    }

    fn op(&mut self, p: Prim, a: &[Id]) -> Id {
        self.pool.prim(p, Flags::NONE, a)
    }

    fn sum(&mut self, n: usize, body: Id) -> Id {
        let n = self.pool.index(n as i64);
        self.pool.sum(n, body)
    }

    /// Returns `ifold (s i → s + e) 0.0 n`; `e` is written under the index and the state.
    fn fold_add(&mut self, n: usize, e: Id) -> Id {
        let zero = self.pool.float(Element::F64, 0.0);
        let n = self.pool.index(n as i64);
        let s = self.pool.state(zero, 0);
        let body = self.op(Prim::AddF, &[s, e]);
        self.pool.ifold(n, &[zero], &[body], 0)
    }

    fn done(self, result: Id, wrt: Id) -> Program {
        Program { pool: self.pool, result, wrt, sizes: self.sizes }
    }
}

/// Returns the value of the naive gradient, that of the optimised one, and the steps of the rules.
fn run(p: &mut Program, options: Options) -> (Value, Value, Vec<Step<'static>>) {
    let g = gradient(&mut p.pool, p.result, p.wrt);
    let mut record = Record { steps: Some(Vec::new()), ..Record::default() };
    let outcome = optimise(&mut p.pool, &[g], &[0], &LAWS, options, &mut record).expect("the terms stay small");
    let sizes = p.sizes.clone();
    let leaves = move |n: u32| random(&sizes[n as usize], n as u64 + 17);
    let (plan, values, _) = place(&mut p.pool, &outcome.roots, &[0]);
    let value = Interpreter::run(&plan, &leaves).value(values[0]);
    (Evaluator::new(&p.pool, &leaves).eval(g), value, record.steps.unwrap_or_default())
}

/// Returns the counted work of the optimised gradient.
fn work(p: &mut Program, options: Options) -> u64 {
    let g = gradient(&mut p.pool, p.result, p.wrt);
    let outcome =
        optimise(&mut p.pool, &[g], &[0], &LAWS, options, &mut Record::default()).expect("the terms stay small");
    let (plan, _, _) = place(&mut p.pool, &outcome.roots, &[0]);
    let sizes = p.sizes.clone();
    Interpreter::run(&plan, &|n| random(&sizes[n as usize], n as u64 + 17)).work
}

/// Checks both sides of each step on samples of the bound variables that include the first and the last index.
fn check_steps(p: &Program, log: &[Step]) {
    for step in log {
        for sample in 0..40 {
            let sizes = p.sizes.clone();
            let leaves = move |n: u32| random(&sizes[n as usize], n as u64 + 17 + 1000 * sample);
            check_step(&p.pool, step.rule, step.left, step.right, sample, &leaves);
        }
    }
}

/// Checks one step on one sample. Bound variables have index 0 in the first sample, and the last index in the second.
/// An undefined op returns poison: the right side may be poison only if the left is.
pub fn check_step(pool: &Pool, rule: &str, left: Id, right: Id, sample: u64, leaves: &dyn Fn(u32) -> Value) {
    // A dynamic axis is tested with length 4.
    let Some((a, b)) = sides(pool, [left, right], sample, 4, &noise, leaves) else { return };
    assert!(
        a.is_poison() || a.close(&b, 1e-9),
        "{rule}: {a:?} became {b:?}\n{:?}\n{:?}",
        pool.node(left),
        pool.node(right)
    );
}

/// Returns the values of two terms on one sample, in which dynamic axes have length `dynamic` and the states of loops
/// are `number`s. Returns `None` if no value of an index is in range.
pub fn sides(
    pool: &Pool,
    [left, right]: [Id; 2],
    sample: u64,
    dynamic: i64,
    number: &dyn Fn(u64) -> f64,
    leaves: &dyn Fn(u32) -> Value,
) -> Option<(Value, Value)> {
    use crate::optimise::terms::prim::Scalar;
    let free: Vec<_> = pool.info(left).free.iter().chain(pool.info(right).free.iter()).copied().collect();
    let mut evaluators = [Evaluator::new(pool, leaves), Evaluator::new(pool, leaves)];
    for level in (0..free.iter().map(|f| f.level + 1).max().unwrap_or(0)).rev() {
        let value = match free.iter().find(|f| f.level == level).map(|f| f.extent) {
            Some(Some(n)) => {
                let n = if n == crate::optimise::terms::cost::ASSUMED_LENGTH { dynamic } else { n as i64 };
                if n == 0 {
                    return None;
                }
                let r = (noise(sample * 31 + level as u64).abs() * n as f64) as i64;
                let i = [0, n - 1].get(sample as usize).copied().unwrap_or(r.min(n - 1));
                Value::Scalar(Scalar::I(i))
            }
            Some(None) => {
                Value::Tuple(std::rc::Rc::new((0..8).map(|k| Value::f64(number(sample * 131 + k))).collect()))
            }
            None => Value::Scalar(Scalar::Poison),
        };
        evaluators.iter_mut().for_each(|e| e.bind(value.clone()));
    }
    Some((evaluators[0].eval(left), evaluators[1].eval(right)))
}

fn exponent(make: &dyn Fn(usize) -> Program, options: Options) -> f64 {
    let (small, large) = (work(&mut make(12), options), work(&mut make(24), options));
    if large == 0 { 0.0 } else { (large as f64 / small.max(1) as f64).log2() }
}

fn dot(n: usize) -> Program {
    let mut m = Maker::new();
    let (a, b) = (m.leaf(&[n]), m.leaf(&[n]));
    let i = m.ix(0, n);
    let (x, y) = (m.get(a, &[i]), m.get(b, &[i]));
    let e = m.op(Prim::MulF, &[x, y]);
    let r = m.fold_add(n, e);
    m.done(r, a)
}

fn dot_sum(n: usize) -> Program {
    let mut m = Maker::new();
    let (a, b) = (m.leaf(&[n]), m.leaf(&[n]));
    let i = m.ix(0, n);
    let (x, y) = (m.get(a, &[i]), m.get(b, &[i]));
    let e = m.op(Prim::MulF, &[y, x]);
    let r = m.sum(n, e);
    m.done(r, a)
}

fn max(n: usize, primitive: bool) -> Program {
    let mut m = Maker::new();
    let v = m.leaf(&[n]);
    let zero = m.pool.index(0);
    let first = m.pool.get(v, zero);
    let s = m.pool.state(first, 0);
    let i = m.ix(0, n);
    let x = m.get(v, &[i]);
    let body = if primitive {
        m.op(Prim::MaximumF, &[s, x])
    } else {
        let c = m.op(Prim::CmpF(2), &[x, s]);
        m.pool.cond(c, x, s)
    };
    let count = m.pool.index(n as i64);
    let r = m.pool.ifold(count, &[first], &[body], 0);
    m.done(r, v)
}

fn sum_of_squares(n: usize) -> Program {
    let mut m = Maker::new();
    let v = m.leaf(&[n]);
    let i = m.ix(0, n);
    let x = m.get(v, &[i]);
    let e = m.op(Prim::MulF, &[x, x]);
    let r = m.fold_add(n, e);
    m.done(r, v)
}

fn self_convolution(n: usize, fold: bool) -> Program {
    let mut m = Maker::new();
    let v = m.leaf(&[n]);
    let i = m.ix(0, n);
    let last = m.pool.index(n as i64 - 1);
    let j = m.op(Prim::SubI, &[last, i]);
    let (x, y) = (m.get(v, &[i]), m.get(v, &[j]));
    let e = m.op(Prim::MulF, &[x, y]);
    let r = if fold { m.fold_add(n, e) } else { m.sum(n, e) };
    m.done(r, v)
}

fn trace(n: usize) -> Program {
    let mut m = Maker::new();
    let x = m.leaf(&[n, n]);
    let i = m.ix(0, n);
    let e = m.get(x, &[i, i]);
    let r = m.fold_add(n, e);
    m.done(r, x)
}

/// u M vᵀ = Σ_j (Σ_i u_i M_ij) v_j
fn bilinear(n: usize) -> Program {
    let mut m = Maker::new();
    let (u, x, v) = (m.leaf(&[n]), m.leaf(&[n, n]), m.leaf(&[n]));
    let (i, j) = (m.ix(0, n), m.ix(1, n));
    let (ui, xij) = (m.get(u, &[i]), m.get(x, &[i, j]));
    let e = m.op(Prim::MulF, &[ui, xij]);
    let column = m.sum(n, e);
    let j = m.ix(0, n);
    let vj = m.get(v, &[j]);
    let e = m.op(Prim::MulF, &[column, vj]);
    let r = m.sum(n, e);
    m.done(r, x)
}

/// ‖Mx − y‖² with respect to x or M.
fn least_squares(n: usize, in_x: bool, fold: bool) -> Program {
    let mut m = Maker::new();
    let (a, x, y) = (m.leaf(&[n, n]), m.leaf(&[n]), m.leaf(&[n]));
    let (j, i) = (m.ix(0, n), m.ix(if fold { 2 } else { 1 }, n));
    let (aij, xj) = (m.get(a, &[i, j]), m.get(x, &[j]));
    let e = m.op(Prim::MulF, &[aij, xj]);
    let row = if fold { m.fold_add(n, e) } else { m.sum(n, e) };
    let i = m.ix(0, n);
    let yi = m.get(y, &[i]);
    let d = m.op(Prim::SubF, &[row, yi]);
    let e = m.op(Prim::MulF, &[d, d]);
    let r = if fold { m.fold_add(n, e) } else { m.sum(n, e) };
    m.done(r, if in_x { x } else { a })
}

/// Rank-one non-negative factorisation, exponential model: Σ_ij log(w_i h_j) + A_ij / (w_i h_j), in h.
fn nnmf(n: usize) -> Program {
    let mut m = Maker::new();
    let (w, h, a) = (m.leaf(&[n]), m.leaf(&[n]), m.leaf(&[n, n]));
    let (j, i) = (m.ix(0, n), m.ix(1, n));
    let (wi, hj, aij) = (m.get(w, &[i]), m.get(h, &[j]), m.get(a, &[i, j]));
    let p = m.op(Prim::MulF, &[wi, hj]);
    let (l, q) = (m.op(Prim::Log, &[p]), m.op(Prim::DivF, &[aij, p]));
    let e = m.op(Prim::AddF, &[l, q]);
    let r = m.sum(n, e);
    let r = m.sum(n, r);
    m.done(r, h)
}

/// log Σ exp(x_i − max x), reassociation allowed: its best order needs a product taken out of a sum.
fn log_sum_exp(n: usize) -> Program {
    let mut m = max(n, false);
    let x = m.wrt;
    let top = m.pool.shift(m.result, 0, 1);
    let count = m.pool.index(n as i64);
    let i = m.pool.bound_ix(count);
    let xi = m.pool.get(x, i);
    let d = m.pool.prim(Prim::SubF, Flags::REASSOC, &[xi, top]);
    let e = m.pool.prim(Prim::Exp, Flags::REASSOC, &[d]);
    let s = m.pool.sum(count, e);
    let l = m.pool.prim(Prim::Log, Flags::REASSOC, &[s]);
    m.result = m.pool.prim(Prim::AddF, Flags::REASSOC, &[l, m.result]);
    m
}

/// Σ_i log1p(exp(-y_i Σ_j X_ij w_j)) + λ Σ_j w_j², in w; n rows and n columns.
fn logistic(n: usize) -> Program {
    let mut m = Maker::new();
    let (x, y, w, l) = (m.leaf(&[n, n]), m.leaf(&[n]), m.leaf(&[n]), m.leaf(&[]));
    let (j, i) = (m.ix(0, n), m.ix(1, n));
    let (xij, wj) = (m.get(x, &[i, j]), m.get(w, &[j]));
    let e = m.op(Prim::MulF, &[xij, wj]);
    let z = m.sum(n, e);
    let i = m.ix(0, n);
    let yi = m.get(y, &[i]);
    let z = m.op(Prim::MulF, &[yi, z]);
    let z = m.op(Prim::NegF, &[z]);
    let z = m.op(Prim::Exp, &[z]);
    let z = m.op(Prim::Log1p, &[z]);
    let loss = m.sum(n, z);
    let j = m.ix(0, n);
    let wj = m.get(w, &[j]);
    let e = m.op(Prim::MulF, &[wj, wj]);
    let penalty = m.sum(n, e);
    let penalty = m.op(Prim::MulF, &[l, penalty]);
    let r = m.op(Prim::AddF, &[loss, penalty]);
    m.done(r, w)
}

/// ‖tanh(A_L ... tanh(A_1 x))‖² in x, reassociation allowed: the order of the sums decides between n² and n³.
fn layers(n: usize, depth: usize) -> Program {
    let mut m = Maker::new();
    let x = m.leaf(&[n]);
    let count = m.pool.index(n as i64);
    let mut v = x;
    for _ in 0..depth {
        let a = m.leaf(&[n, n]);
        let (j, i) = (m.ix(0, n), m.ix(1, n));
        let aij = m.get(a, &[i, j]);
        let inner = m.pool.shift(v, 0, 2);
        let vj = m.get(inner, &[j]);
        let e = m.pool.prim(Prim::MulF, Flags::REASSOC, &[aij, vj]);
        let row = m.sum(n, e);
        let y = m.pool.prim(Prim::Tanh, Flags::REASSOC, &[row]);
        v = m.pool.build(count, y);
    }
    let inner = m.pool.shift(v, 0, 1);
    let i = m.ix(0, n);
    let y = m.get(inner, &[i]);
    let e = m.pool.prim(Prim::MulF, Flags::REASSOC, &[y, y]);
    let r = m.sum(n, e);
    m.done(r, x)
}

type Case = (&'static str, fn(usize) -> Program, f64);

const CASES: &[Case] = &[
    ("dot", dot, 0.0),
    ("dot by sum", dot_sum, 0.0),
    ("max", |n| max(n, false), 1.0),
    ("max by maximumf", |n| max(n, true), 1.0),
    ("sum of squares", sum_of_squares, 1.0),
    ("self-convolution", |n| self_convolution(n, false), 1.0),
    ("self-convolution by ifold", |n| self_convolution(n, true), 1.0),
    ("trace", trace, 2.0),
    ("u M v", bilinear, 2.0),
    ("least squares in x", |n| least_squares(n, true, false), 2.0),
    ("least squares in x by ifold", |n| least_squares(n, true, true), 2.0),
    ("least squares in M", |n| least_squares(n, false, false), 2.0),
    ("least squares in M by ifold", |n| least_squares(n, false, true), 2.0),
    ("nnmf rank 1", nnmf, 2.0),
    ("log-sum-exp", log_sum_exp, 1.0),
    ("logistic regression", logistic, 2.0),
    ("two layers", |n| layers(n, 2), 2.0),
    ("four layers", |n| layers(n, 4), 2.0),
];

#[test]
fn values_agree_and_every_step_holds() {
    for phases in [Phases::DETERMINISTIC, Phases::ALL] {
        let options = Options { phases, ..Options::default() };
        for (name, make, _) in CASES {
            let mut p = make(4);
            let (naive, optimised, log) = run(&mut p, options);
            assert!(naive.close(&optimised, 1e-9), "{name}: {naive:?} became {optimised:?}");
            check_steps(&p, &log);
        }
    }
}

#[test]
fn growth_is_optimal() {
    for phases in [Phases::DETERMINISTIC, Phases::ALL] {
        let options = Options { phases, ..Options::default() };
        for (name, make, order) in CASES {
            let e = exponent(make, options);
            assert!(e <= order + 0.12, "{name}: work grows with exponent {e:.2} instead of {order}");
        }
    }
}

/// A program that saturates is far from the match budget.
#[test]
fn saturation_looks_at_few_forms() {
    for (name, make, _) in CASES {
        let mut p = make(4);
        let g = gradient(&mut p.pool, p.result, p.wrt);
        let options = Options::default();
        let outcome = optimise(&mut p.pool, &[g], &[0], &LAWS, options, &mut Record::default()).expect("it fits");
        let report = outcome.report.expect("saturation runs");
        assert!(report.matches < options.fuel * LOOKS_PER_NODE / 10, "{name}: {report:?}");
    }
}

/// From 2 to 16 layers the work grows linearly in the depth.
#[test]
fn chains_are_linear_in_depth() {
    let options = Options::default();
    let [two, four, sixteen] = [2, 4, 16].map(|depth| work(&mut layers(8, depth), options) as f64);
    let layer = (four - two) / 2.0;
    assert!(sixteen <= 1.05 * (four + 12.0 * layer), "2, 4, 16 layers: {two}, {four}, {sixteen} operations");
}
