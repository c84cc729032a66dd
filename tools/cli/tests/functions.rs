//! Tests of the notation of functional programs: errors are reported with their position, and every program of the test
//! vectors parses and verifies.

use super::rejected;
use mlopt_cli::vectors::functions::{CaseKind, parse};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::text::Problem;
use mlopt_frontend::functions::{Request, import_text};
use std::collections::BTreeMap;
use std::path::Path;

const INPUTS: &str = "((x f64) (n i64) (c chan<f64>))";

fn import(term: &str) -> Result<Program, Problem> {
    import_text("f.lambda", &format!("(def f {INPUTS}\n{term})"), &Request::default())
}

#[test]
fn terms_with_errors_are_rejected() {
    let error = |term: &str| import(term).err().map(|e| e.to_string());
    rejected::check(include_str!("../../../test/lambda/rejected.txt"), "2:", error);
}

#[track_caller]
fn same_after_printing(name: &str, program: Program) {
    let print = |text: &str| {
        let program = Program::parse(text.as_bytes(), name).unwrap_or_else(|_| panic!("{name} is refused:\n{text}"));
        program.module().to_string()
    };
    let program = program.verified().unwrap_or_else(|_| panic!("{name} is refused"));
    let once = program.module().to_string();
    let twice = print(&once);
    assert_eq!(without_names(&twice), without_names(&once), "{name}");
    // Values have numbers now, which depend on where each is used.
    assert_eq!(print(&twice), twice, "{name}");
}

/// Removes names of values, which exist only with locations; in the text alone, values are numbered, and the results of
/// one op share a name.
fn without_names(text: &str) -> String {
    let line = |line: &str| {
        let line = line.split_once(" = lambda.").map_or(line.trim().into(), |(_, op)| format!("lambda.{op}"));
        let is_name = |c: char| c.is_ascii_alphanumeric() || "$._-#".contains(c);
        let (first, rest) = line.split_once('%').unwrap_or((&line, ""));
        first.to_string() + &rest.split('%').map(|part| part.trim_start_matches(is_name)).collect::<Vec<_>>().join("%")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn programs_of_the_vectors_are_imported() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/vectors/functional_vectors.json");
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    let cases = parse(&serde_json::from_str(&text).expect("they are JSON")).expect("they are cases");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &cases {
        let kind = match &case.kind {
            CaseKind::Run { .. } => "run",
            CaseKind::Error { .. } => "error",
            CaseKind::Message { .. } => "message",
            CaseKind::Pullback(_) => "pullback",
            CaseKind::Attributes { .. } => "attributes",
            CaseKind::Rng { .. } => "rng",
        };
        *counts.entry(kind).or_default() += 1;
        let Some(program) = case.program() else { continue };
        match (program.import(&case.id), &case.kind) {
            // Errors visible in the syntax or the types of inputs are reported now, others by `lambda-specialise`.
            (Err(e), CaseKind::Error { code, .. }) => assert_eq!(e.code, Some(code.as_str()), "{}: {e}", case.id),
            (Err(e), _) => panic!("{}: {e}", case.id),
            // The type of the input shows the error: the verifier rejects the op.
            (Ok(program), CaseKind::Error { code, .. }) if code == "unknown-field" => {
                assert!(program.verified().is_err(), "{}", case.id);
            }
            (Ok(program), _) => same_after_printing(&case.id, program),
        }
    }
    let wanted = [("attributes", 1), ("error", 11), ("message", 7), ("pullback", 6), ("rng", 1), ("run", 112)];
    assert_eq!(counts, BTreeMap::from(wanted));
}

#[test]
fn definitions_are_well_formed() {
    let error = |text: &str| import_text("f.lambda", text, &Request::default()).err().map(|e| e.to_string());
    rejected::check(include_str!("../../../test/lambda/rejected_definitions.txt"), "", error);
}

#[test]
fn deep_and_long_programs_are_imported() {
    let deep = format!("{}x{}", "(sin ".repeat(9_000), ")".repeat(9_000));
    assert!(import(&deep).is_ok());
    let nested = format!("{}x{}", "(lam () ".repeat(3_000), ")".repeat(3_000));
    assert!(import(&nested).is_ok());
    let bindings: String = (0..20_000).map(|k| format!("(x (+ x {k}.0))")).collect();
    assert!(import(&format!("(let ({bindings}) x)")).is_ok());
}
