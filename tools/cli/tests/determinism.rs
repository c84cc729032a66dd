//! Tests that the same input produces the same bytes: with MLIR's threads and without, in every run, and when an
//! optimised program is parsed and optimised again.
//!
//! `MLOPT_RUNS` is the number of runs, `MLOPT_CASES` the number of random programs, and `MLOPT_OPS` their size. Hash
//! maps and threads differ between runs, so a few runs find most errors.

use crate::programs;
use mlopt_cases::variable;

use mlopt_dialects::bridge::program::Program;
use std::path::{Path, PathBuf};
use std::process::Command;

const OPTIMISE: &str =
    "--pass-pipeline=builtin.module(differentiate,func.func(egg-optimize{report=true profile=counts}))";
const PHASES: &str = "--pass-pipeline=builtin.module(differentiate,func.func(normalise-terms,contract-sums,\
                      unroll-small-loops,\
                      saturate-terms,place-terms))";

/// Modules with many functions, on which passes run in parallel.
const FILES: &[&str] = &[
    "test/gradients/asymptotics.mlir",
    "test/gradients/forward.mlir",
    "test/optimiser/identities.mlir",
    "test/arrays/reverse.mlir",
    "test/arrays/nested.mlir",
];

fn output(arguments: &[&str]) -> (Vec<u8>, Vec<u8>) {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let outcome = Command::new(env!("CARGO_BIN_EXE_mlopt")).args(arguments).current_dir(project).output();
    let outcome = outcome.expect("mlopt runs");
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(outcome.status.success(), "{arguments:?}: {}\n{said}", outcome.status);
    // Functions that are optimised in parallel report in any order.
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    (outcome.stdout, lines.join("\n").into_bytes())
}

/// Runs a command `MLOPT_RUNS` times; pipelines alternate between MLIR's threads and a single thread.
fn assert_same_in_every_run(command: &[&str]) {
    let is_pipeline = command.len() == 2 && command[1].starts_with("--pass-pipeline");
    let mut first = None;
    for run in 0..variable("MLOPT_RUNS").unwrap_or(4) {
        let mut command = command.to_vec();
        if is_pipeline && run % 2 == 1 {
            command.push("--mlir-disable-threading");
        }
        let found = output(&command);
        match &first {
            None => first = Some(found),
            Some(first) => assert!(*first == found, "run {run} of {command:?} differs from the first"),
        }
    }
}

/// Checks the random programs of `passes/tests/optimised.rs`, 500 in a file.
#[test]
fn random_programs_are_the_same_in_every_run() {
    let ops = variable("MLOPT_OPS").unwrap_or(40) as usize;
    let options = programs::Options { ops, depth: 3, upstream: true, stable: false };
    let cases = mlopt_cases::count(100);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random_programs_{}.mlir", std::process::id()));
    for first in (0..cases).step_by(500) {
        let seeds = first..cases.min(first + 500);
        let modules: Vec<String> =
            seeds.map(|seed| format!("module @p{seed} {{\n{}}}\n", programs::program(seed, options))).collect();
        std::fs::write(&file, modules.concat()).expect("the file is written");
        let file = file.to_str().expect("a path in UTF-8");
        assert_same_in_every_run(&[file, "--pass-pipeline=builtin.module(builtin.module(func.func(egg-optimize)))"]);
    }
    std::fs::remove_file(&file).expect("the file is there");
}

#[test]
fn texts_are_the_same_in_every_run() {
    let mut commands: Vec<Vec<&str>> = Vec::new();
    for file in FILES {
        commands.extend([vec![*file, OPTIMISE], vec![*file, PHASES]]);
    }
    commands.push(vec!["explain", "test/optimiser/explain.mlir", "--all"]);
    commands.push(vec!["view", "--egraph", "test/optimiser/explain.mlir"]);
    commands.push(vec!["view", "--dataflow", "test/arrays/dataflow.mlir"]);
    for command in commands {
        assert_same_in_every_run(&command);
    }
}

/// Returns the text of a program after passes.
fn after(text: &str, pipeline: &str) -> String {
    let program = Program::parse(text.as_bytes(), "program").expect("the program parses");
    program.run_pipeline(pipeline).expect("the program goes through its passes");
    program.module().to_string()
}

#[test]
fn what_was_optimised_does_not_change() {
    mlopt_lowering::register_passes();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let vectors =
        mlopt_cli::vectors::texts(&project.join("test/vectors/arrays_vectors.json")).expect("the vectors are there");
    let mut texts: Vec<(String, String)> = vectors;
    let files = ["gradients/asymptotics.mlir", "gradients/bundle_adjustment.mlir", "gradients/forward.mlir"];
    let more = ["arrays/learning.mlir", "optimiser/identities.mlir", "optimiser/tensor.mlir", "optimiser/folds.mlir"];
    let more =
        more.into_iter().chain(["optimiser/sequential.mlir", "optimiser/squarings.mlir", "optimiser/explain.mlir"]);
    let files = files.into_iter().chain(more).map(|file| project.join("test").join(file));
    let benchmarks = std::fs::read_dir(project.join("tools/bench/programs")).expect("the benchmarks are there");
    let mut benchmarks: Vec<PathBuf> = benchmarks.map(|entry| entry.expect("an entry").path()).collect();
    benchmarks.sort_unstable();
    for file in files.chain(benchmarks) {
        let text = std::fs::read_to_string(&file).expect("the file is there");
        texts.push((file.display().to_string(), text));
    }
    const OPTIMISED: &str = "builtin.module(differentiate,func.func(canonicalize,cse,egg-optimize))";
    const FORWARD: &str = "builtin.module(jvp,func.func(canonicalize,cse,egg-optimize))";
    let mut changed = Vec::new();
    for (name, text) in texts {
        for first in [OPTIMISED, FORWARD] {
            // The text is parsed again, because names depend on the pass that created them.
            let once = after(&after(&text, first), "builtin.module()");
            if once != after(&once, "builtin.module(func.func(egg-optimize))") {
                changed.push(format!("{name} by {first}"));
            }
        }
    }
    assert!(changed.is_empty(), "optimised again, these change: {changed:#?}");
}
