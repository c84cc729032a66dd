//! The scoreboard of every file in test/vectors. Wrong vectors are in `test/vectors/{verdicts,changed}.test`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/vectors")
}

fn vectors(path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mlopt")).args(["test", "--vectors"]).arg(path).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Checks that all vectors of a file pass, and that the scoreboard has these lines.
#[track_caller]
fn pass(name: &str, lines: &str) {
    let output = vectors(&folder().join(name));
    let found = text(&output.stdout);
    println!("{name}\n{found}");
    assert!(output.status.success(), "{name}: {found}\n{}", text(&output.stderr));
    for line in lines.lines() {
        assert!(found.contains(line), "{line} is not in\n{found}");
    }
}

#[test]
fn programs_have_their_values_and_derivatives_in_every_way() {
    pass("arrays_vectors.json", "");
    pass("terms.json", "");
}

#[test]
fn reactive_programs_mean_what_their_vectors_say() {
    let lines = "\
prim            19/19
run             42/42
grad              8/8
law               7/7
reject          28/28";
    pass("streams_vectors.json", lines);
}

#[test]
fn functional_programs_mean_what_their_vectors_say() {
    let lines = "\
run              112/112      112/112      112/112
pullback             6/6          6/6          6/6
attributes           1/1      not run      not run
error              11/11        11/11        11/11
message              7/7          7/7          7/7
rng                  1/1          1/1          1/1";
    pass("functional_vectors.json", lines);
}

/// Checks each primitive and each function of `spec/streams.md`, with all kinds of cells; `stream_primitives.py`
/// computes the values.
#[test]
fn primitives_of_streams_have_their_cells() {
    pass("stream_primitives.json", "prim            46/46");
    let path = std::env::temp_dir().join(format!("mlopt-cells-{}.json", std::process::id()));
    let json = fs::read_to_string(folder().join("stream_primitives.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&json).unwrap();
    // With another value in one cell, each test fails.
    for test in json["tests"].as_array_mut().unwrap() {
        let cells = test["result"].as_array_mut().unwrap();
        let cell = cells.iter_mut().find(|c| !c.is_string()).expect("a cell with a value");
        *cell = "abs".into();
    }
    fs::write(&path, json.to_string()).unwrap();
    let output = vectors(&path);
    assert!(text(&output.stdout).contains("prim             0/46"), "{}", text(&output.stdout));
    assert_eq!(output.status.code(), Some(1));
    fs::remove_file(path).unwrap();
}
