//! Checks of the sources as text. There must be a rejected program for each numbered constraint of an op, and the
//! evaluator must be independent of the code that is compared with it.

use crate::root;
use crate::tree::{entries, files, name, read};

/// Returns op and label, such as `array.sum (C2)`, of every constraint in a `.td` file.
fn constraints(td: &str, dialect: &str) -> Vec<(String, String)> {
    let mut found = vec![];
    // A class is the base of ops, whose own texts follow their `def`s.
    for definition in td.split("\ndef ").skip(1) {
        let Some(op) = definition.split_once("Op<\"").and_then(|(_, rest)| rest.split('"').next()) else { continue };
        let op = if op.is_empty() { continue } else { format!("{dialect}.{op}") };
        for line in definition.lines().filter_map(|l| l.trim().strip_prefix("- (C")) {
            if let Some((number, _)) = line.split_once(')') {
                found.push((op.clone(), format!("C{number}")));
            }
        }
    }
    found
}

/// Checks whether `errors.mlir` rejects a program for this label of this op: an expected error that contains the label,
/// with an op of that name in the same part of the file.
fn is_rejected(errors: &str, op: &str, label: &str) -> bool {
    errors.split("// -----").any(|part| {
        let names = |line: &str| {
            line.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).any(|word| word == op)
        };
        let expected = format!("({label})");
        part.lines().any(|l| l.contains("expected-error") && l.contains(&expected))
            && part.lines().filter(|l| !l.trim_start().starts_with("//")).any(names)
    })
}

#[test]
fn every_constraint_has_a_rejected_program() {
    let mut missing = vec![];
    let mut all = 0;
    for folder in entries(&root().join("dialects")).unwrap() {
        let dialect = name(&folder);
        let td = folder.join(format!("{dialect}.td"));
        if !td.exists() {
            continue;
        }
        let errors = read(&folder.join("errors.mlir")).unwrap();
        for (op, label) in constraints(&read(&td).unwrap(), &dialect) {
            all += 1;
            if !is_rejected(&errors, &op, &label) {
                missing.push(format!("{op} ({label})"));
            }
        }
    }
    assert!(all > 60, "only {all} constraints were found");
    assert!(missing.is_empty(), "no program in errors.mlir is rejected for: {}", missing.join(", "));
}

/// Checks that neither side uses the other: the evaluator is in the crate below passes and lowerings, so it cannot call
/// them, and they do not call it.
#[test]
fn the_evaluator_shares_no_code_with_what_it_judges() {
    let mut found = vec![];
    for folder in ["passes", "lowering"] {
        found.extend(files(&root().join(folder), |path| path.ends_with("tests") || path.ends_with("testing")).unwrap());
    }
    found.retain(|path| path.extension().is_some_and(|e| e == "rs"));
    assert!(found.len() > 60);
    // The reduction of pullbacks is another evaluator, in which a primitive of numbers is evaluated by its definition.
    let judges = root().join("passes/functions/pullback_reduce/pullbacks");
    found.retain(|path| !path.starts_with(&judges));
    for path in found {
        let text = read(&path).unwrap();
        for word in ["dialects::eval", "array::eval", "lambda::eval"] {
            // The type of values is needed by calls from outside too.
            let is_data = |l: &str| l.trim() == "use mlopt_dialects::lambda::eval::Value;";
            let used = text.lines().any(|l| l.contains(word) && !l.trim_start().starts_with("//") && !is_data(l));
            assert!(!used, "{} uses the evaluator: {word}", path.display());
        }
    }
    let manifest = read(&root().join("dialects/Cargo.toml")).unwrap();
    assert!(!manifest.contains("mlopt-passes") && !manifest.contains("mlopt-lowering"));
}
