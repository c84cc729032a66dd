//! Tests on random reactive programs. `MLOPT_SEED` repeats one case, `MLOPT_CASES` runs more.

mod embedded;
mod equations;
mod gradients;
mod instances;
mod laws;
mod networks;
mod permutations;
mod runs;
mod simplify;
mod training;

use equations::{inputs, program};
use mlopt_cases::{Checked, is_one};
use mlopt_passes::streams::nodes::plan;
use mlopt_passes::streams::nodes::segments::Segments;
use mlopt_runtime::streams::flat::PIPELINE;
use runs::{compare_compiled, interpret, judge, load};

/// Runs a program. Returns the class of its plan, or the code with which it is rejected.
fn check(seed: u64, text: &str, cycles: usize) -> Checked<String> {
    let loaded = match load(text, "f", PIPELINE) {
        Ok(loaded) => loaded,
        Err(e) if e.code.is_empty() => return Err(format!("refused without a code: {e}").into()),
        Err(e) => return Ok(e.code),
    };
    let given = inputs(seed, cycles);
    let want = interpret(&loaded.flat, &given, cycles, "")?;
    compare_compiled(&loaded.flat, &given, cycles, &want)?;
    let flat = &loaded.flat;
    let needed: Vec<_> = plan::needed_streams(&flat.graph, &flat.clocks).into_iter().collect();
    let in_passes = Segments::of(&flat.graph, &flat.clocks, &flat.plan, &needed).is_some();
    Ok(format!("{}{}", flat.plan.class.name(), if in_passes { ", in passes" } else { "" }))
}

/// Checks that no stream of an accepted program is mistimed, that compiled code agrees with the interpreter cell by
/// cell, and that rejected programs have an error code.
#[test]
fn compiled_code_does_what_the_interpreter_does() {
    // Small programs are easier to read, and long runs have several windows.
    let text = |seed: u64| program(seed, 3 + seed as usize % 20);
    let counts = judge(60, text, |seed, text| check(seed, text, if seed.is_multiple_of(3) { 90 } else { 25 }));
    if !is_one() {
        for plan in ["forward", "retimed", "waiting", "segmented", "segmented, in passes"] {
            assert!(counts.contains_key(plan), "no program is {plan}: {counts:?}");
        }
    }
}
