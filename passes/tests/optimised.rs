//! Tests of `egg-optimize` on random programs: the result is valid, values are preserved (bitwise where the
//! specification fixes the order of operations), and the pass is deterministic and idempotent. Values are
//! also preserved with each other value of the option `driver`, and if the phases run as separate passes.
//!
//! A failure prints the seed and the smallest program that fails in the same way. `MLOPT_SEED` repeats one case,
//! `MLOPT_CASES` runs more.

use crate::egg_optimize::PIPELINES;
use crate::programs::{self, Options};
use crate::requests::Watched;
use crate::samples::{self, Failure, arguments, parse};
use mlopt_cases::{seeds, variable};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::value::{Array, Element};
use std::collections::HashSet;

/// The sizes n and m, and the extent k, of the arguments of programs.
pub const SIZES: &[[i64; 3]] = &[[3, 2, 2], [1, 4, -1], [2, 1, 1], [4, 3, 3], [0, 2, 1], [2, 0, 0]];

pub fn optimised(text: &str, pipeline: &str) -> Result<Program, Failure> {
    let program = parse(text);
    let fail = |_| Failure::new("the pass fails", format!("{pipeline}\nso far\n{}", program.module()));
    program.run_pipeline(pipeline).map_err(fail)?;
    Ok(program)
}

/// Checks whether the order of additions in an op is unspecified: reductions, contributions to one position, and calls,
/// which may contain them. Structural zeros count too, because an absent dependency has no sign.
fn is_open(op: Op) -> bool {
    op.attribute("callee").is_some()
        || ["array.sum", "array.prod", "array.scatter", "array.vmap", "array.fold", "array.map_accum", "dual.zero"]
            .contains(&op.name())
}

/// Returns for each result of `@f` whether no op on which it depends has an unspecified order.
fn fixed_results(module: Op) -> Vec<bool> {
    let f = module.lookup("f").expect("there is `@f`");
    let mut open: HashSet<Value> = HashSet::new();
    // Until a fixpoint, because loops carry values.
    loop {
        let before = open.len();
        for op in f.nested_ops() {
            let inside = || op.nested_ops().into_iter().chain([op]);
            if inside().any(|o| is_open(o) || o.operands().iter().any(|v| open.contains(v))) {
                open.extend(op.results());
                let blocks = op.regions().into_iter().flat_map(|r| r.blocks());
                open.extend(blocks.flat_map(|b| b.arguments()));
            }
        }
        if open.len() == before {
            break;
        }
    }
    let last = f.body().and_then(|b| b.ops().last().copied()).expect("`@f` returns");
    last.operands().iter().map(|v| !open.contains(v)).collect()
}

pub fn same(a: &Array, b: &Array, to_the_bit: bool) -> bool {
    let tolerance = if a.element() == Element::F32 { 1e-4 } else { 1e-9 };
    let near = |a: f64, b: f64| {
        a.to_bits() == b.to_bits()
            || (a.is_nan() && b.is_nan())
            || (!to_the_bit && (a == b || (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())).min(f64::MAX)))
    };
    a.shape() == b.shape() && a.element() == b.element() && a.to_f64().iter().zip(b.to_f64()).all(|(&a, b)| near(a, b))
}

/// The number of compared results, and the number of those that were compared bitwise.
#[derive(Default)]
struct Compared {
    results: usize,
    exact: usize,
}

/// Compares the results, bitwise where their order of operations is fixed if `to_the_bit`.
fn compare(before: &Program, after: &Program, seed: u64, to_the_bit: bool) -> Result<Compared, Failure> {
    let fixed = fixed_results(before.module()).into_iter().map(|fixed| fixed && to_the_bit).collect::<Vec<bool>>();
    let mut compared = Compared::default();
    for &sizes in SIZES {
        let arguments = arguments(before.module(), sizes, seed);
        let (one, other) = (Watched::new(before.module()), Watched::new(after.module()));
        // A call that the evaluator rejects has no value to compare.
        let Ok(expected) = one.call("f", &arguments) else { continue };
        let report =
            |kind, what: String| Failure::new(kind, format!("for {sizes:?}: {what}\nafter\n{}", after.module()));
        let found = other.call("f", &arguments).map_err(|e| report("it has no value any more", e))?;
        if [one, other].iter().any(|calls| calls.met_unknown_sizes() || calls.selects_nan.get()) {
            continue;
        }
        for ((e, f), &fixed) in expected.iter().zip(&found).zip(&fixed) {
            if !same(e, f, false) {
                return Err(report("another value", format!("expected {e:?}\nfound {f:?}")));
            }
            if fixed && !same(e, f, true) {
                return Err(report("another rounding", format!("expected {e:?}\nfound {f:?}")));
            }
            compared.results += 1;
            compared.exact += usize::from(fixed);
        }
    }
    Ok(compared)
}

/// Checks the passes of `PIPELINES[pipeline]`. The first is the pass by default.
fn check(text: &str, seed: u64, pipeline: usize) -> Result<Compared, Failure> {
    let passes = PIPELINES[pipeline];
    let before = parse(text);
    let after = optimised(text, passes)?;
    if pipeline > 0 {
        return compare(&before, &after, seed, false);
    }
    let printed = after.module().to_string();
    let again = optimised(text, passes)?.module().to_string();
    if again != printed {
        return Err(Failure::new("another text in a second run", format!("{printed}\nand\n{again}")));
    }
    let twice = optimised(&printed, passes)?.module().to_string();
    if twice != printed {
        return Err(Failure::new("not idempotent", format!("{printed}\nbecame\n{twice}")));
    }
    compare(&before, &after, seed, true)
}

#[test]
fn random_programs_keep_their_values_and_their_text() {
    let ops = variable("MLOPT_OPS").unwrap_or(40) as usize;
    let seeds = seeds(0, 150);
    let Compared { mut results, mut exact } = Compared::default();
    for stable in [false, true] {
        let program = |seed| programs::program(seed, Options { ops, depth: 3, upstream: !stable, stable });
        samples::check_programs(seeds.clone(), &[0, 1, 2, 3], program, |text, seed, pipeline| {
            let compared = check(text, seed, pipeline)?;
            results += compared.results;
            exact += compared.exact;
            Ok(())
        });
    }
    let programs = seeds.end - seeds.start;
    println!("{programs} programs (seeds {} to {}), {results} results, {exact} to the bit", seeds.start, seeds.end - 1);
    if programs >= 100 {
        assert!(results as u64 > 40 * programs && exact as u64 > 3 * programs, "{results} results, {exact} to the bit");
    }
}
