//! Tests of the phases of the optimiser on gradients by forward mode, with static sizes: the values, and both sides of
//! every rewriting step. `passes/tests/asymptotics.rs` tests the work of the results.

use super::sizes::make_static;
use egg::Id;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::Op;
use mlopt_passes::optimise::egg_optimize::take_piece;
use mlopt_passes::optimise::normaliser::record::Record;
use mlopt_passes::optimise::phases::{Options, Phases, optimise};
use mlopt_passes::optimise::rules::Laws;
use mlopt_passes::optimise::saturate::LOOKS_PER_NODE;
use mlopt_passes::optimise::terms::Pool;
use mlopt_passes::optimise::terms::cost::Assumed;
use mlopt_passes::optimise::terms::eval::{Evaluator, Value};
use mlopt_passes::optimise::translation::read::Reader;
use std::sync::{LazyLock, Once};

static LAWS: LazyLock<Laws> = LazyLock::new(Laws::all);

/// Programs, the passes that differentiate them, and the gradients among their functions.
type Source<'a> = (&'a str, &'a str, &'a [&'a str]);

const SOURCES: [Source<'static>; 3] = [
    (
        include_str!("../../test/gradients/asymptotics.mlir"),
        "builtin.module(jvp)",
        &[
            "dot_a",
            "max_v",
            "squares_v",
            "self_convolution_v",
            "log_sum_exp_v",
            "trace_m",
            "bilinear_m",
            "least_squares_x",
            "least_squares_m",
            "nnmf_h",
            "two_layers_x",
        ],
    ),
    (
        include_str!("../../test/gradients/forward.mlir"),
        "builtin.module(jvp)",
        &[
            "grad_dot",
            "grad_max_op",
            "grad_self_convolution",
            "matrix_least_squares",
            "vector_least_squares",
            "vector_logistic",
        ],
    ),
    (include_str!("../../test/gradients/layers.mlir"), "builtin.module(jvp,inline)", &["four"]),
];

/// The size of all arrays.
const SIZE: usize = 4;

/// A gradient as terms.
struct Gradient {
    name: &'static str,
    pool: Pool,
    roots: Vec<Id>,
    /// The shapes of the leaves.
    shapes: Vec<Vec<usize>>,
}

impl Gradient {
    /// Translates the body of a function.
    fn of(name: &'static str, function: Op) -> Gradient {
        let body = function.body().expect("a function with a body");
        let ops = body.ops();
        let piece = take_piece(&ops, 0, usize::MAX, &LAWS, Assumed::default());
        assert_eq!(piece.taken.len() + 1, ops.len(), "@{name}: all ops before the return are terms");
        let mut pool = Pool::new();
        let terms = Reader::new(&mut pool, &piece.importer.plan, true).read();
        let returned = body.terminator().expect("verified").operands();
        let roots = returned.iter().map(|v| terms[&piece.importer.values[v]]).collect();
        let shape = |leaf: &mlopt_dialects::ir::Value| leaf.ty().shape().into_iter().map(|d| d.unwrap_or(SIZE));
        let shapes = piece.importer.leaves.iter().map(|leaf| shape(leaf).collect()).collect();
        Gradient { name, pool, roots, shapes }
    }

    /// Returns values of the leaves.
    fn leaves(&self, seed: u64) -> impl Fn(u32) -> Value + 'static {
        let shapes = self.shapes.clone();
        move |n: u32| random(&shapes[n as usize], n as u64 + seed)
    }
}

/// Returns the gradients of all sources.
fn gradients() -> Vec<Gradient> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        mlopt_dialects::bridge::register_upstream_passes();
        mlopt_passes::register();
    });
    let of_source = |(text, differentiate, names): Source<'static>| {
        // The file of layers has static sizes.
        let text = text.replace("8x", "4x").replace("< 8", "< 4");
        let program = Program::parse(text.as_bytes(), "gradients").expect("the test's program parses");
        program.run_pipeline(differentiate).expect("the test's program has derivatives");
        make_static(&program, SIZE);
        let function = |name: &str| program.module().lookup(name).expect("the function is there");
        names.iter().map(|&name| Gradient::of(name, function(name))).collect::<Vec<_>>()
    };
    SOURCES.into_iter().flat_map(of_source).collect()
}

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
    use mlopt_passes::optimise::terms::prim::Scalar;
    let free: Vec<_> = pool.info(left).free.iter().chain(pool.info(right).free.iter()).copied().collect();
    let mut evaluators = [Evaluator::new(pool, leaves), Evaluator::new(pool, leaves)];
    for level in (0..free.iter().map(|f| f.level + 1).max().unwrap_or(0)).rev() {
        let value = match free.iter().find(|f| f.level == level).map(|f| f.extent) {
            Some(Some(n)) => {
                let n = if n == mlopt_passes::optimise::terms::cost::ASSUMED_LENGTH { dynamic } else { n as i64 };
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

#[test]
fn values_agree_and_every_step_holds() {
    for phases in [Phases::DETERMINISTIC, Phases::ALL] {
        let options = Options { phases, ..Options::default() };
        for mut gradient in gradients() {
            let mut record = Record { steps: Some(Vec::new()), ..Record::default() };
            let (roots, groups) = (gradient.roots.clone(), vec![0; gradient.roots.len()]);
            let outcome = optimise(&mut gradient.pool, &roots, &groups, 0, &LAWS, options, &mut record)
                .expect("the terms stay small");
            let leaves = gradient.leaves(17);
            for (naive, optimised) in roots.into_iter().zip(outcome.roots) {
                let value = |t| Evaluator::new(&gradient.pool, &leaves).eval(t);
                let (naive, optimised) = (value(naive), value(optimised));
                assert!(naive.close(&optimised, 1e-9), "{}: {naive:?} became {optimised:?}", gradient.name);
            }
            // The samples of the bound variables include the first and the last index.
            for step in record.steps.unwrap_or_default() {
                for sample in 0..40 {
                    let leaves = gradient.leaves(17 + 1000 * sample);
                    check_step(&gradient.pool, step.rule, step.left, step.right, sample, &leaves);
                }
            }
        }
    }
}

/// A program that saturates is far from the match budget.
#[test]
fn saturation_looks_at_few_forms() {
    for mut gradient in gradients() {
        let options = Options::default();
        let (roots, groups) = (gradient.roots.clone(), vec![0; gradient.roots.len()]);
        let outcome =
            optimise(&mut gradient.pool, &roots, &groups, 0, &LAWS, options, &mut Record::default()).expect("it fits");
        let report = outcome.report.expect("saturation runs");
        assert!(report.matches < options.fuel * LOOKS_PER_NODE / 10, "{}: {report:?}", gradient.name);
    }
}
