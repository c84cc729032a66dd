//! Tests of the examples in `lambda.td` and in the README of the dialect: they parse and verify, and the example of the
//! README has the stated value.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use std::collections::BTreeSet;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("lambda").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the op and the text of each example.
fn examples(td: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for definition in td.split("\ndef ").skip(1) {
        let Some((_, rest)) = definition.split_once("Op<") else { continue };
        let op = rest.split('"').nth(1).unwrap_or_default();
        let Some((_, rest)) = definition.split_once("```mlir\n") else { continue };
        found.push((op.to_string(), rest.split("```").next().unwrap_or_default().to_string()));
    }
    found
}

/// The types of the values that an example uses and does not define, if the text of the op does not list its operands
/// and their types.
const OPERANDS: &[(&str, &str)] = &[
    ("lambda", "%a: f64"),
    ("return", ""),
    ("yield", "%c: i1, %a: f64, %b: f64"),
    ("letrec", "%zero: i64, %step: i64, %one: f64, %x: f64"),
    ("ref", ""),
    ("apply", "%f: (f64, f64) -> f64, %a: f64, %b: f64"),
    ("if", "%c: i1, %a: f64, %b: f64"),
    ("for", "%n: i64, %x: f64, %one: f64"),
    ("while", "%x: f64, %limit: f64"),
    ("unit", ""),
    ("literal", ""),
    ("data", ""),
    ("make", "%x: f64"),
    ("case", "%t: !lambda.data<@tree>"),
    ("pullback", "%form: (f64) -> !lambda.dual<f64>"),
    ("dual", "%functional: !lambda.dual<f64>, %a: f64"),
    ("jacobian", "%v: tensor<2xf64>"),
];

/// Returns `%a: f64, %l: !lambda.list<f64>` of `… %a, %l … : (f64, !lambda.list<f64>) -> …`.
fn operands(text: &str) -> String {
    let (op, types) = text.trim().split_once(" : (").unwrap_or_else(|| panic!("no types: {text}"));
    let op = op.split_once(" = ").map_or(op, |(_, op)| op);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = op.split('%').skip(1).map(|rest| &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]);
    let mut seen = BTreeSet::new();
    let pairs = names.zip(listed(types)).filter(|(name, _)| seen.insert(*name));
    pairs.map(|(name, ty)| format!("%{name}: {ty}")).collect::<Vec<_>>().join(", ")
}

/// Returns the types in a list, up to its closing parenthesis.
fn listed(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    let bytes = text.as_bytes();
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b'(' | b'<' => depth += 1,
            b')' if depth == 0 => {
                found.push(text[start..i].trim());
                break;
            }
            b')' => depth -= 1,
            // An arrow is not a bracket.
            b'>' if bytes[i - 1] != b'-' => depth -= 1,
            b',' if depth == 0 => {
                found.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    found.retain(|ty| !ty.is_empty());
    found
}

#[test]
fn examples_of_ops_are_programs() {
    let all = examples(&read("lambda.td"));
    let mut wrong = Vec::new();
    for (op, text) in &all {
        assert!(text.contains(&format!("lambda.{op}")), "the example of {op} shows something else");
        let given = OPERANDS.iter().find(|o| o.0 == op).map_or_else(|| operands(text), |o| o.1.to_string());
        // Functions and types to which an example refers are at the top level.
        let is_beside = |l: &&str| ["func.func private", "lambda.data"].iter().any(|w| l.trim().starts_with(w));
        let (named, text): (Vec<&str>, Vec<&str>) = text.lines().partition(is_beside);
        let (named, text) = (named.join("\n"), text.join("\n"));
        let program = format!("{named}\nfunc.func @example({given}) {{\n{text}\nreturn\n}}");
        if Program::parse(program.as_bytes(), "test.mlir").is_err() {
            wrong.push(program);
        }
    }
    assert!(all.len() > 60, "only {} examples", all.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_readme_says_what_its_example_is() {
    let readme = read("README.md");
    let text = readme.split("```mlir\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    assert!(readme.contains("`@f(3, 5)` is 6"));
    let program = Program::parse(text.as_bytes(), "README.md").expect("the example parses");
    let value = Evaluator::new(program.module()).call("f", &[Value::f64(3.0), Value::f64(5.0)]).unwrap();
    assert_eq!(value.as_f64(), Some(6.0));
}
