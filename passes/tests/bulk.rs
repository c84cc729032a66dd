//! `bulk-operations` on random programs: normal form, values, idempotence, size and work (spec/arrays.md B.5).
//!
//! A failure prints the seed and the program. `MLOPT_SEED` repeats one, `MLOPT_CASES` runs more, `MLOPT_COUNTS` prints how often
//! each op occurs where.

#[path = "../testing/programs/mod.rs"]
mod programs;

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::value::{Array, Data, Element};
use std::collections::BTreeMap;
use std::sync::Once;

const BULK: &str = "builtin.module(bulk-operations, func.func(verify-bulk))";

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        mlopt_dialects::bridge::register_upstream_passes();
        mlopt_passes::register();
    });
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|v| v.parse().ok())
}

fn parse(text: &str) -> Program {
    register();
    Program::parse(text.as_bytes(), "test").unwrap_or_else(|_| panic!("does not parse:\n{text}"))
}

fn bulk(text: &str) -> Result<Program, String> {
    let program = parse(text);
    program.run_pipeline(BULK).map_err(|_| format!("the pipeline fails; so far\n{}", program.module()))?;
    Ok(program)
}

/// Numbers in (-1.5, 1.5) and small indices, different for each argument and position.
fn noise(seed: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    for _ in 0..3 {
        x ^= x >> 29;
        x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    x >> 11
}

fn array(element: Element, shape: &[usize], seed: u64) -> Array {
    let len: usize = shape.iter().product();
    let at = |i: usize| noise(seed.wrapping_mul(1009).wrapping_add(i as u64));
    let float = |i: usize| at(i) as f64 / (1u64 << 53) as f64 * 3.0 - 1.5;
    let integer = |i: usize| (at(i) % 8) as i64 - 2;
    let data = match element {
        Element::F32 => Data::F32((0..len).map(|i| float(i) as f32).collect()),
        Element::F64 => Data::F64((0..len).map(float).collect()),
        Element::I1 => Data::I1((0..len).map(|i| at(i) % 2 == 1).collect()),
        Element::I32 => Data::I32((0..len).map(|i| integer(i) as i32).collect()),
        Element::I64 => Data::I64((0..len).map(integer).collect()),
        Element::Index => Data::Index((0..len).map(integer).collect()),
    };
    Array::new(shape.to_vec(), data)
}

/// The arguments of `@f` for run-time sizes `n`, `m` and an extent `k` that may be negative.
fn arguments(module: Op, [n, m, k]: [i64; 3], seed: u64) -> Vec<Array> {
    let types: Vec<Type> = module.lookup("f").and_then(Op::function_type).expect("there is `@f`").0;
    programs::ARGUMENTS
        .iter()
        .zip(types)
        .enumerate()
        .map(|(position, ((name, _), ty))| {
            let size = if *name == "%v" || ty.rank() == 3 { m } else { n };
            let shape: Vec<usize> = ty.shape().into_iter().map(|d| d.unwrap_or(size as usize)).collect();
            match *name {
                "%n" => Array::index(n),
                "%m" => Array::index(m),
                "%k" => Array::index(k),
                _ => array(ty.element().expect("an element type"), &shape, seed * 31 + position as u64),
            }
        })
        .collect()
}

fn close(a: &Array, b: &Array) -> bool {
    let tolerance = if a.element() == Element::F32 { 1e-4 } else { 1e-9 };
    let near = |a: f64, b: f64| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
    };
    a.shape() == b.shape() && a.element() == b.element() && a.to_f64().iter().zip(b.to_f64()).all(|(&a, b)| near(a, b))
}

const SIZES: &[[i64; 3]] = &[[3, 2, 2], [1, 4, -1], [2, 1, 1], [4, 3, 3], [0, 2, 1], [2, 0, 0]];

/// How many comparisons were made, and the largest quotient of work after and before.
#[derive(Default)]
struct Compared {
    samples: usize,
    work: f64,
}

/// Properties (b) and (e): values and work.
fn compare(before: &Program, after: &Program, seed: u64) -> Result<Compared, String> {
    let mut compared = Compared::default();
    for &sizes in SIZES {
        let arguments = arguments(before.module(), sizes, seed);
        // A build or a loop that is empty cannot know the sizes of its elements.
        let mut unknown = false;
        let mut look = |op: Op, _: usize, value: &Array| {
            let repeats = matches!(op.name(), "array.build" | "array.map_accum" | "array.vmap");
            unknown |= repeats && value.rank() > 1 && value.is_empty();
        };
        let mut one = Evaluator::new(before.module()).with_trace(&mut look);
        // What the evaluator refuses has no value to keep.
        let Ok(expected) = one.call("f", &arguments) else { continue };
        let before_work = one.work();
        if unknown {
            continue;
        }
        let mut other = Evaluator::new(after.module());
        let report = |what: String| format!("for {sizes:?}: {what}\nafter\n{}", after.module());
        let found = other.call("f", &arguments).map_err(|e| report(e.to_string()))?;
        let empty = sizes.contains(&0) || sizes[2] < 0;
        for (e, f) in expected.iter().zip(&found) {
            if !close(e, f) {
                return Err(report(format!("expected {e:?}\nfound {f:?}")));
            }
        }
        compared.samples += 1;
        if !empty {
            compared.work = compared.work.max(other.work() as f64 / before_work.max(1) as f64);
        }
    }
    Ok(compared)
}

/// Erases ops whose results nobody reads, so that only what matters is counted.
fn remove_dead(module: Op) {
    for op in module.nested_ops().into_iter().rev() {
        let harmless = |op: Op| op.has_no_own_effects();
        if op.num_results() > 0
            && op.results().into_iter().all(|r| r.is_unused())
            && harmless(op)
            && op.nested_ops().into_iter().all(harmless)
        {
            op.erase();
        }
    }
}

/// The largest number of builds and loops around an op, at least one.
fn nesting(module: Op) -> usize {
    let around = |op: &Op| {
        std::iter::successors(op.parent_op(), |p| p.parent_op()).map(|p| match p.name() {
            "array.build" => p.body().map_or(1, |b| b.num_arguments()),
            name => usize::from(name.starts_with("array.")),
        })
    };
    module.nested_ops().iter().map(|op| around(op).sum::<usize>()).max().unwrap_or(0).max(1)
}

struct Outcome {
    before: Program,
    compared: Compared,
    /// Ops after, for each op before and each level of nesting.
    growth: f64,
}

fn check(seed: u64, options: programs::Options) -> Result<Outcome, String> {
    let text = programs::program(seed, options);
    let fail = |what: String| format!("seed {seed}\n{text}\n{what}");
    let before = parse(&text);
    // (a): the pipeline ends with the verifier of the normal form.
    let after = bulk(&text).map_err(fail)?;
    let printed = after.module().to_string();
    let again = bulk(&printed).map_err(fail)?;
    if again.module().to_string() != printed {
        return Err(fail(format!("not idempotent:\n{printed}\nbecame\n{}", again.module())));
    }
    let compared = compare(&before, &after, seed).map_err(fail)?;
    remove_dead(before.module());
    let size = |module: Op| module.lookup("f").expect("there is `@f`").nested_ops().len();
    let growth = size(after.module()) as f64 / (size(before.module()) * nesting(before.module())) as f64;
    Ok(Outcome { before, compared, growth })
}

/// How often an op occurs, where.
#[derive(Default)]
struct Counts {
    all: usize,
    ranks: [usize; 4],
    dynamic: usize,
    builds: usize,
    loops: usize,
    branches: usize,
}

fn count(module: Op, counts: &mut BTreeMap<String, Counts>) {
    for op in module.lookup("f").expect("there is `@f`").nested_ops() {
        let types: Vec<Type> = op.results().iter().chain(op.operands().first()).map(|v| v.ty()).collect();
        let c = counts.entry(op.name().to_string()).or_default();
        c.all += 1;
        c.ranks[types.iter().map(|t| t.rank()).max().unwrap_or(0).min(3)] += 1;
        c.dynamic += usize::from(types.iter().any(|t| t.shape().contains(&None)));
        let inside = |names: &[&str]| {
            usize::from(std::iter::successors(op.parent_op(), |p| p.parent_op()).any(|p| names.contains(&p.name())))
        };
        c.builds += inside(&["array.build"]);
        c.loops += inside(&["array.ifold", "array.fold", "array.map_accum", "scf.for", "scf.while"]);
        c.branches += inside(&["scf.if"]);
    }
}

/// Ops on floats of any rank, with or without run-time sizes.
const ELEMENTWISE: &[&str] = &[
    "arith.addf",
    "arith.divf",
    "arith.maximumf",
    "arith.maxnumf",
    "arith.minimumf",
    "arith.minnumf",
    "arith.mulf",
    "arith.negf",
    "arith.remf",
    "arith.select",
    "arith.subf",
    "math.absf",
    "math.acos",
    "math.acosh",
    "math.asin",
    "math.asinh",
    "math.atan",
    "math.atan2",
    "math.atanh",
    "math.cbrt",
    "math.ceil",
    "math.copysign",
    "math.cos",
    "math.cosh",
    "math.erf",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.floor",
    "math.fma",
    "math.log",
    "math.log10",
    "math.log1p",
    "math.log2",
    "math.powf",
    "math.round",
    "math.roundeven",
    "math.rsqrt",
    "math.sin",
    "math.sinh",
    "math.sqrt",
    "math.tan",
    "math.tanh",
    "math.trunc",
    "scf.for",
    "scf.if",
    "scf.while",
    "array.ifold",
];

/// Ops that have an array among their results and operands.
const ARRAYS: &[&str] = &[
    "array.append",
    "array.build",
    "array.fold",
    "array.gather",
    "array.get",
    "array.map_accum",
    "array.max",
    "array.min",
    "array.one_hot",
    "array.prod",
    "array.replicate",
    "array.reshape",
    "array.reverse",
    "array.scatter",
    "array.slice",
    "array.stack",
    "array.sum",
];

/// Every op that can be differentiated occurs at least 100 times in 10,000 programs, in every rank that it has, with known and with
/// run-time sizes, in builds, loops and branches.
fn assert_counts(counts: &BTreeMap<String, Counts>, programs: u64) {
    let enough = |n: usize| n as u64 * 10_000 >= 100 * programs;
    let most = [("array.transpose", 2), ("array.vmap", 1), ("func.call", 0), ("arith.extf", 0), ("arith.truncf", 0)];
    let ranks = ELEMENTWISE.iter().map(|n| (*n, 0)).chain(ARRAYS.iter().map(|n| (*n, 1))).chain(most);
    for (name, least) in ranks {
        let c = counts.get(name).unwrap_or_else(|| panic!("{name} does not occur"));
        let highest = if matches!(name, "array.vmap") {
            2
        } else if name == "func.call" {
            1
        } else {
            3
        };
        for rank in least..=highest {
            assert!(enough(c.ranks[rank]), "{name} occurs {} times with rank {rank}", c.ranks[rank]);
        }
        for (where_, n) in [
            ("with run-time sizes", c.dynamic),
            ("with known sizes", c.all - c.dynamic),
            ("in builds", c.builds),
            ("in loops", c.loops),
            ("in branches", c.branches),
        ] {
            assert!(enough(n), "{name} occurs {n} times {where_}");
        }
    }
}

fn print_counts(counts: &BTreeMap<String, Counts>) {
    println!("{:24}{:>8}{:>32}{:>8}{:>8}{:>8}{:>8}", "op", "all", "rank 0, 1, 2, 3", "?", "build", "loop", "branch");
    for (name, c) in counts {
        let ranks = format!("{:?}", c.ranks);
        println!("{name:24}{:8}{ranks:>32}{:8}{:8}{:8}{:8}", c.all, c.dynamic, c.builds, c.loops, c.branches);
    }
}

#[test]
fn random_programs_keep_their_values() {
    let options = programs::Options { ops: variable("MLOPT_OPS").unwrap_or(40) as usize, depth: 3 };
    let cases = variable("MLOPT_CASES").unwrap_or(1500);
    let seeds = variable("MLOPT_SEED").map_or(0..cases, |seed| seed..seed + 1);
    let (mut samples, mut growth, mut work) = (0, 0.0f64, 0.0f64);
    let mut counts = BTreeMap::new();
    for seed in seeds.clone() {
        let outcome = check(seed, options).unwrap_or_else(|text| panic!("{text}"));
        samples += outcome.compared.samples;
        growth = growth.max(outcome.growth);
        work = work.max(outcome.compared.work);
        count(outcome.before.module(), &mut counts);
    }
    let programs = seeds.end - seeds.start;
    println!("{programs} programs, {samples} comparisons");
    println!("at most {growth:.1} ops for each op and level of nesting, {work:.1} times the work");
    if variable("MLOPT_COUNTS").is_some() {
        print_counts(&counts);
    }
    assert!(growth < 4.0, "a program has grown {growth:.1} times for each level of nesting");
    assert!(work < 6.0, "a program does {work:.1} times the work");
    if programs >= 1000 && variable("MLOPT_OPS").is_none() {
        assert!(samples as u64 > 3 * programs, "only {samples} comparisons");
        assert_counts(&counts, programs);
    }
}
