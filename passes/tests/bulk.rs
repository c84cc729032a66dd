//! Tests of `bulk-operations` on random programs: the normal form, the values, idempotence, size and work
//! (spec/arrays.md B.5).
//!
//! A failure prints the seed and the smallest program that fails in the same way. `MLOPT_SEED` repeats one case,
//! `MLOPT_CASES` runs more, `MLOPT_COUNTS` prints the number of ops of each kind and context.

use crate::optimised::{SIZES, optimised, same};
use crate::programs::{self, Options};
use crate::samples::{self, Failure, arguments, parse};
use mlopt_cases::{seeds, variable};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Array;
use mlopt_passes::ad::derivatives;
use std::collections::BTreeMap;

const BULK: &str = "builtin.module(bulk-operations, func.func(verify-bulk))";

/// The step limit. No program of the generator needs more, but one that is being reduced may not terminate.
const STEPS: u64 = 100_000;

/// The number of comparisons, and the largest quotient of work after and before.
#[derive(Default)]
struct Compared {
    samples: usize,
    work: f64,
}

/// Checks properties (b) and (e): values and work.
fn compare(before: &Program, after: &Program, seed: u64) -> Result<Compared, Failure> {
    let mut compared = Compared::default();
    for &sizes in SIZES {
        let arguments = arguments(before.module(), sizes, seed);
        // An empty build or loop does not know the sizes of its elements.
        let mut unknown = false;
        let mut look = |op: Op, _: usize, value: &Array| {
            let repeats = matches!(op.name(), "array.build" | "array.map_accum" | "array.vmap");
            unknown |= repeats && value.rank() > 1 && value.is_empty();
        };
        let mut one = Evaluator::new(before.module()).with_trace(&mut look).with_limit(STEPS);
        // A call that the evaluator rejects has no value to compare.
        let Ok(expected) = one.call("f", &arguments) else { continue };
        let before_work = one.work();
        if unknown {
            continue;
        }
        let mut other = Evaluator::new(after.module()).with_limit(4 * STEPS);
        let report =
            |kind, what: String| Failure::new(kind, format!("for {sizes:?}: {what}\nafter\n{}", after.module()));
        let found = other.call("f", &arguments).map_err(|e| report("it has no value any more", e.to_string()))?;
        let empty = sizes.contains(&0) || sizes[2] < 0;
        for (e, f) in expected.iter().zip(&found) {
            if !same(e, f, false) {
                return Err(report("another value", format!("expected {e:?}\nfound {f:?}")));
            }
        }
        compared.samples += 1;
        if !empty {
            compared.work = compared.work.max(other.work() as f64 / before_work.max(1) as f64);
        }
    }
    Ok(compared)
}

/// Erases ops with unused results, so that only relevant ones are counted.
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

/// Returns the largest number of builds and loops around an op, at least one.
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
    /// The number of ops after, for each op before and each level of nesting.
    growth: f64,
}

/// A modification of a program after the pipeline: none, except in the test of the test.
type Fault = fn(Op);

/// Checks (a) to (e) of B.5 for `@f` in `text`, at points that `seed` determines.
fn check(text: &str, seed: u64, fault: Fault) -> Result<Outcome, Failure> {
    let before = parse(text);
    // (a): the pipeline ends with the verifier of the normal form.
    let after = optimised(text, BULK)?;
    let printed = after.module().to_string();
    let again = optimised(&printed, BULK)?;
    if again.module().to_string() != printed {
        return Err(Failure::new("not idempotent", format!("{printed}\nbecame\n{}", again.module())));
    }
    fault(after.module());
    let compared = compare(&before, &after, seed)?;
    remove_dead(before.module());
    let size = |module: Op| module.lookup("f").expect("there is `@f`").nested_ops().len();
    let growth = size(after.module()) as f64 / (size(before.module()) * nesting(before.module())) as f64;
    Ok(Outcome { before, compared, growth })
}

/// The numbers of occurrences of an op, by context.
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

/// Asserts that every differentiable op occurs at least 100 times in 10,000 programs, in all its ranks, with static and
/// dynamic sizes, in builds, loops and branches.
fn assert_counts(counts: &BTreeMap<String, Counts>, programs: u64) {
    use Kind::*;
    let enough = |n: usize| n as u64 * 10_000 >= 100 * programs;
    // The generator does not write these ops, or they end regions.
    let excluded =
        [MathFpowi, TensorCast, TensorInsert, TensorInsertSlice, ArrayYield, FuncReturn, ScfCondition, ScfYield];
    let kinds = derivatives::elementwise_ops().chain(derivatives::array_ops()).filter(|kind| !excluded.contains(kind));
    let others = [ArrayVmap, MathFloor, MathCeil, MathTrunc, MathRound, MathRoundeven];
    for kind in kinds.chain(others) {
        // The largest rank of the results and the first operand.
        let ranks = match kind {
            ArrayTranspose => 2..=3,
            ArrayVmap => 1..=2,
            FuncCall => 0..=1,
            kind if kind.dialect() == "array" && kind != ArrayIfold => 1..=3,
            _ => 0..=3,
        };
        let c = counts.get(kind.name()).unwrap_or_else(|| panic!("{kind} does not occur"));
        for rank in ranks {
            assert!(enough(c.ranks[rank]), "{kind} occurs {} times with rank {rank}", c.ranks[rank]);
        }
        for (where_, n) in [
            ("with run-time sizes", c.dynamic),
            ("with known sizes", c.all - c.dynamic),
            ("in builds", c.builds),
            ("in loops", c.loops),
            ("in branches", c.branches),
        ] {
            assert!(enough(n), "{kind} occurs {n} times {where_}");
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
    let options =
        Options { ops: variable("MLOPT_OPS").unwrap_or(40) as usize, depth: 3, upstream: false, stable: false };
    let seeds = seeds(0, 1500);
    let (mut comparisons, mut growth, mut work) = (0, 0.0f64, 0.0f64);
    let mut counts = BTreeMap::new();
    let program = |seed| programs::program(seed, options);
    samples::check_programs(seeds.clone(), &[()], program, |text, seed, ()| {
        let outcome = check(text, seed, |_| ())?;
        comparisons += outcome.compared.samples;
        growth = growth.max(outcome.growth);
        work = work.max(outcome.compared.work);
        count(outcome.before.module(), &mut counts);
        Ok(())
    });
    let programs = seeds.end - seeds.start;
    println!("{programs} programs (seeds {} to {}), {comparisons} comparisons", seeds.start, seeds.end - 1);
    println!("at most {growth:.1} ops for each op and level of nesting, {work:.1} times the work");
    if variable("MLOPT_COUNTS").is_some() {
        print_counts(&counts);
    }
    assert!(growth < 4.0, "a program has grown {growth:.1} times for each level of nesting");
    assert!(work < 6.0, "a program does {work:.1} times the work");
    if programs >= 1000 && variable("MLOPT_OPS").is_none() {
        assert!(comparisons as u64 > 3 * programs, "only {comparisons} comparisons");
        assert_counts(&counts, programs);
    }
}

/// The test finds a fault, and names the op.
#[test]
fn a_fault_is_found_and_its_program_shrinks() {
    /// Imitates a rule that exchanges operands of a noncommutative op.
    fn exchange(module: Op) {
        for op in module.nested_ops().into_iter().filter(|op| op.name() == "arith.subf") {
            let (x, y) = (op.operand(0), op.operand(1));
            op.set_operands(&[y, x]);
        }
    }
    let options = Options { ops: 40, depth: 3, upstream: false, stable: false };
    let failing = (0..200).map(|seed| (seed, programs::program(seed, options)));
    let failing = failing.filter(|(_, text)| text.contains("arith.subf"));
    let failing =
        failing.filter(|(seed, text)| check(text, *seed, |_| ()).is_ok() && check(text, *seed, exchange).is_err());
    let mut shrunk = 0;
    for (seed, text) in failing.take(3) {
        let (program, failure) = samples::smallest(&text, &mut |text| check(text, seed, exchange).map(drop));
        assert_eq!(failure.kind, "another value");
        let ops = parse(&program).module().lookup("f").expect("there is `@f`").nested_ops().len();
        let whole = parse(&text).module().lookup("f").expect("there is `@f`").nested_ops().len();
        println!("seed {seed}: {whole} ops, the smallest program has {ops}");
        assert!(program.contains("arith.subf") && 3 * ops <= whole, "{ops} ops are left of seed {seed}:\n{program}");
        shrunk += 1;
    }
    assert_eq!(shrunk, 3, "the fault is not found");
}
