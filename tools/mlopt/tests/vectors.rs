//! The scoreboard of every file in test/vectors, and tests of the harness, which must detect changed files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/vectors")
}

fn vectors(path: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mlopt")).args(["test", "--vectors"]).arg(path).args(more).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn programs_have_their_values_and_derivatives_in_every_way() {
    for name in ["arrays_vectors.json", "terms.json"] {
        let output = vectors(&folder().join(name), &[]);
        println!("{name}\n{}", text(&output.stdout));
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
    }
}

#[test]
fn reactive_programs_mean_what_their_vectors_say() {
    let path = folder().join("streams_vectors.json");
    let output = vectors(&path, &[]);
    let found = text(&output.stdout);
    println!("{found}");
    assert!(output.status.success(), "{found}\n{}", text(&output.stderr));
    for line in [
        "prim            19/19",
        "run             42/42",
        "grad              8/8",
        "law               7/7",
        "reject          28/28",
    ] {
        assert!(found.contains(line), "{line} is not in\n{found}");
    }
}

#[test]
fn functional_programs_mean_what_their_vectors_say() {
    let output = vectors(&folder().join("functional_vectors.json"), &[]);
    let found = text(&output.stdout);
    println!("{found}");
    assert!(output.status.success(), "{found}\n{}", text(&output.stderr));
    for line in [
        "run              112/112      112/112      112/112",
        "pullback             6/6          6/6          6/6",
        "attributes           1/1      not run      not run",
        "error              11/11        11/11        11/11",
        "message              7/7          7/7          7/7",
        "rng                  1/1          1/1          1/1",
    ] {
        assert!(found.contains(line), "{line} is not in\n{found}");
    }
}

#[test]
fn what_is_wrong_in_vectors_of_functional_programs_is_seen() {
    let original = fs::read_to_string(folder().join("functional_vectors.json")).unwrap();
    let file = std::env::temp_dir().join(format!("mlopt-vectors-functions-{}.json", std::process::id()));
    let mut json: serde_json::Value = serde_json::from_str(&original).unwrap();
    let ids: Vec<String> =
        json["cases"].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap().to_string()).collect();
    // Changes one fact of each kind.
    let changes = [
        ("F01.tanh_exp", "/points/1/out", serde_json::json!(0.25)),
        ("F14.const_grad_loop", "/structure/after_optimisation/returns_constant", serde_json::json!(2.0)),
        ("E.annot", "/error", serde_json::json!("shape-mismatch")),
        ("M.recv_nobody", "/error", serde_json::json!("closed-channel")),
        ("R01.philox", "/cases/1/uniform4/3", serde_json::json!(0.5)),
    ];
    for (id, path, value) in &changes {
        let k = ids.iter().position(|i| i == id).unwrap();
        *json["cases"][k].pointer_mut(path).unwrap() = value.clone();
    }
    fs::write(&file, json.to_string()).unwrap();
    let output = vectors(&file, &[]);
    let found = text(&output.stdout);
    fs::remove_file(&file).unwrap();
    assert!(!output.status.success());
    for (id, ..) in &changes {
        assert!(found.contains(&format!("FAILED {id}, eval")), "{id} is not among\n{found}");
    }
    // Errors in values, random numbers, rejections and errors of tasks are also detected by compiled code.
    let compiled = ["F01.tanh_exp", "E.annot", "M.recv_nobody", "R01.philox"];
    for id in compiled {
        for way in ["jit", "egg"] {
            assert!(found.contains(&format!("FAILED {id}, {way}")), "{id} ({way}) is not among\n{found}");
        }
    }
    assert_eq!(found.matches("FAILED").count(), changes.len() + 2 * compiled.len(), "{found}");
}

#[test]
fn what_is_wrong_in_vectors_of_reactive_programs_is_seen() {
    let original = fs::read_to_string(folder().join("streams_vectors.json")).unwrap();
    let file = std::env::temp_dir().join(format!("mlopt-vectors-streams-{}.json", std::process::id()));
    let mut json: serde_json::Value = serde_json::from_str(&original).unwrap();
    // Changes one fact of each kind.
    for (id, path, value) in [
        ("fig/fby", "/result/3", serde_json::json!("abs")),
        ("hold/1", "/outputs/y/1", serde_json::json!(1.5)),
        ("app/1", "/plan_class", serde_json::json!("retimed")),
        ("diff_app/train6", "/clocks/gt", serde_json::json!(".")),
        ("diff_app_pipe/train6", "/probes/x.k/2", serde_json::json!(0.25)),
        ("gated/grad", "/d_inputs/x/1", serde_json::json!(7.0)),
        ("law/merge_when", "/equal_on", serde_json::json!([0, 7])),
        ("reject/recursion", "/error", serde_json::json!("E-CLOCK")),
    ] {
        let tests = json["tests"].as_array_mut().unwrap();
        let test = tests.iter_mut().find(|t| t["id"] == id).unwrap();
        *test.pointer_mut(path).unwrap() = value;
    }
    fs::write(&file, json.to_string()).unwrap();
    let output = vectors(&file, &[]);
    fs::remove_file(&file).unwrap();
    let found = text(&output.stdout);
    assert!(!output.status.success(), "{found}");
    for line in [
        "FAILED fig/fby, eval: cell 3: expected ., found 0.8",
        "FAILED hold/1, eval: `y`, cycle 1: expected 1.5, found 1",
        "FAILED app/1, eval: the plan: expected retimed, found forward",
        "FAILED diff_app/train6, eval: the clock of `gt`: expected ., found . on bp",
        "FAILED diff_app_pipe/train6, eval: `x.k`, cycle 2: expected 0.25, found",
        "FAILED gated/grad, eval: `x_ct`, cycle 1: expected 7.0, found",
        "FAILED law/merge_when, eval: cycle 7:",
        "FAILED reject/recursion, eval: expected E-CLOCK, found library:",
    ] {
        assert!(found.contains(line), "{line} is not in\n{found}");
    }
    // Six of these run; wrong values and properties are detected by compiled code too.
    assert_eq!(found.matches("FAILED").count(), 2 + 3 * 6, "{found}");
}

/// Messages are in `test/vectors/verdicts.test`.
#[test]
fn a_file_that_cannot_be_read_has_a_status_of_its_own() {
    assert_eq!(vectors(Path::new("no-such.json"), &[]).status.code(), Some(2));
}

/// Checks that the files are byte for byte those of the specification, by the FNV-1a hashes of the originals.
#[test]
fn the_vectors_are_those_of_the_specification() {
    for (name, expected) in
        [("arrays_vectors.json", 0xd8629c3b2863db8b), ("functional_vectors.json", 0x04e22c38c6acb3cf)]
    {
        let bytes = fs::read(folder().join(name)).unwrap();
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, &b| (h ^ b as u64).wrapping_mul(0x100_0000_01b3));
        assert_eq!(hash, expected, "{name}");
    }
}

/// Checks each primitive and each function of `spec/streams.md`, with all kinds of cells; `stream_primitives.py`
/// computes the values.
#[test]
fn primitives_of_streams_have_their_cells() {
    let output = vectors(&folder().join("stream_primitives.json"), &[]);
    let found = text(&output.stdout);
    assert!(output.status.success() && found.contains("prim            46/46"), "{found}\n{}", text(&output.stderr));
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
    let output = vectors(&path, &[]);
    assert!(text(&output.stdout).contains("prim             0/46"), "{}", text(&output.stdout));
    fs::remove_file(path).unwrap();
}
