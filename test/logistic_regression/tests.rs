//! Tests of the example as a user runs it, against scikit-learn's solution in `expected.json`.

use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// The output of one run of the driver.
struct Run {
    printed: String,
    /// Epoch, loss, rows that are right.
    training: Vec<[f64; 3]>,
    /// By column; the bias is `bias`.
    weights: Vec<(String, f64)>,
    svg: String,
}

/// One run serves all tests.
fn run() -> &'static Run {
    static RUN: LazyLock<Run> = LazyLock::new(start);
    &RUN
}

fn start() -> Run {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("logistic_regression");
    let output = Command::new(env!("CARGO_BIN_EXE_logistic-regression")).arg(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = |file| fs::read_to_string(folder.join(file)).unwrap();
    let numbers = |line: &str| line.split(',').map(|n| n.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap();
    let named = |line: &str| line.split_once(',').map(|(name, n)| (name.to_owned(), n.parse().unwrap())).unwrap();
    Run {
        printed: String::from_utf8(output.stdout).unwrap(),
        training: text("training.csv").lines().skip(1).map(numbers).collect(),
        weights: text("weights.csv").lines().skip(1).map(named).collect(),
        svg: text("loss.svg"),
    }
}

fn expected() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("expected.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Within 1e-6 of `expected`, relative.
fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{what}: expected {expected}, found {found}");
}

#[test]
fn training_ends_at_the_optimum_of_scikit_learn() {
    let (run, expected) = (run(), expected());
    let [_, loss, correct] = *run.training.last().unwrap();
    assert_eq!(correct, number(&expected["correct"]));
    assert_close(loss, number(&expected["loss"]), "loss");

    let weights = expected["weights"].as_array().unwrap();
    assert_eq!(run.weights.len(), weights.len() + 1);
    for ((name, found), weight) in run.weights.iter().zip(weights.iter().chain([&expected["bias"]])) {
        assert_close(*found, number(weight), name);
    }
}

#[test]
fn training_passes_where_the_same_descent_in_numpy_passes() {
    let (run, expected) = (run(), expected());
    let by_epoch: HashMap<u64, [f64; 3]> = run.training.iter().map(|r| (r[0] as u64, *r)).collect();
    for point in expected["trajectory"].as_array().unwrap() {
        let epoch = point["epoch"].as_u64().unwrap();
        let [_, loss, correct] = by_epoch[&epoch];
        let reference = number(&point["loss"]);
        assert!((loss - reference).abs() < 1e-11 * reference, "epoch {epoch}: expected {reference}, found {loss}");
        assert_eq!(correct, number(&point["correct"]), "epoch {epoch}");
    }
}

#[test]
fn every_report_is_printed_and_the_loss_never_rises() {
    let run = run();
    assert!(run.training.len() >= 10);
    // Near the optimum the loss stands still, up to rounding.
    for pair in run.training.windows(2) {
        assert!(pair[1][1] <= pair[0][1] * (1.0 + 1e-14), "{pair:?}");
    }
    for [epoch, loss, correct] in &run.training {
        let line = run.printed.lines().find(|l| l.split_whitespace().next() == Some(&epoch.to_string())).unwrap();
        let accuracy = 100.0 * correct / 569.0;
        assert!(line.contains(&format!("{loss:.16}")) && line.contains(&format!("{accuracy:.2}%")), "{line}");
    }
    assert!(run.svg.starts_with("<svg") && run.svg.contains("<polyline"), "{}", run.svg);
}
