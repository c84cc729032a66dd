//! The same input gives the same bytes: with MLIR's threads and without, in every run.
//!
//! `MLOPT_RUNS` says how often; hash maps and threads differ from run to run, so that a few runs find most mistakes.

use std::path::Path;
use std::process::Command;

const OPTIMISE: &str =
    "--pass-pipeline=builtin.module(differentiate,func.func(egg-optimize{report=true profile=counts}))";
const PHASES: &str = "--pass-pipeline=builtin.module(differentiate,func.func(normalise-terms,contract-sums,unroll-small-loops,\
                      saturate-terms,place-terms))";

/// Modules with many functions: passes run on them at the same time.
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
    // Functions that are optimised at the same time report in any order.
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    (outcome.stdout, lines.join("\n").into_bytes())
}

#[test]
fn texts_are_the_same_in_every_run() {
    let runs = std::env::var("MLOPT_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let mut commands: Vec<Vec<&str>> = Vec::new();
    for file in FILES {
        commands.extend([vec![*file, OPTIMISE], vec![*file, PHASES]]);
    }
    commands.push(vec!["explain", "test/optimiser/explain.mlir", "--all"]);
    commands.push(vec!["view", "--egraph", "test/optimiser/explain.mlir"]);
    for command in commands {
        let is_pipeline = command.len() == 2 && command[1].starts_with("--pass-pipeline");
        let mut first = None;
        for run in 0..runs {
            let mut command = command.clone();
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
}
