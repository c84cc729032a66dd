//! Tests on random functional programs. `MLOPT_SEED` repeats one case, `MLOPT_CASES` runs more.

mod machine;
mod meanings;
mod programs;
mod tape;

use mlopt_cases::{Checked, Failures, is_one, seeds};
use programs::{Size, point, program};
use std::collections::BTreeMap;

/// Returns the size of a program. Small ones are easier to read; some have gradients.
fn size(seed: u64) -> Size {
    Size { terms: 5 + seed as usize % 56, gradients: seed as usize / 2 % 3 }
}

/// Imports a program, which must verify, and infers its types.
fn check(program: &programs::Program) -> Checked {
    let parsed = meanings::parse(&program.term, program.inputs)?;
    parsed.run_pipeline("builtin.module(lambda-specialise)").map_err(|_| "it is not well-typed")?;
    let text = parsed.module().to_string();
    let typed = text.lines().find(|l| l.contains("func.func @f(")).unwrap_or_default();
    match typed.matches("f64").count() == program.inputs + 1 && typed.ends_with("-> f64 {") {
        true if !text.contains("!lambda.any") => Ok(()),
        _ => Err(format!("it has another type: {typed}\n{text}").into()),
    }
}

/// The kinds of terms that random programs must contain.
const KINDS: &str = "let, if, if of functions, call of a variable, call of a term, twice, recursion, mutual recursion, \
    for, while, get, function in a tuple, tuple, record, list, maplist, array, map, map2, \
    primitive as a value, compose, function that gives a function, lam, fold, function in a list, \
    fold over functions, recursion through closures, grad";

#[test]
fn programs_are_imported_and_well_typed() {
    mlopt_lowering::register_passes();
    let (mut kinds, mut failures): (BTreeMap<&str, usize>, Failures) = Default::default();
    for seed in seeds(0, 300) {
        let program = program(seed, size(seed));
        program.kinds.iter().for_each(|kind| *kinds.entry(kind).or_default() += 1);
        if let Err(problem) = check(&program) {
            failures.add(seed, problem, &program.term);
        }
    }
    println!("{kinds:?}");
    failures.end();
    if !is_one() {
        for kind in KINDS.split(", ") {
            assert!(kinds.get(kind).is_some_and(|&n| n >= 3), "few programs have {kind}: {kinds:?}");
        }
    }
}

#[test]
fn a_seed_says_which_program_and_point() {
    let (a, b) = (program(7, size(7)), program(7, size(7)));
    assert_eq!(a.term, b.term);
    assert_ne!(a.term, program(8, size(7)).term);
    assert_eq!(point(7, 3), point(7, 3));
    assert!((0..100).all(|seed| point(seed, 3).iter().all(|x| (0.05..0.95).contains(&x.abs()))));
}
