//! Mutated programs of StableHLO as text: parsing, import and evaluation end in a result or a diagnostic, and never in
//! a panic or an internal error.
//!
//! The number of mutants is `MLOPT_CASES`, or a number that takes some seconds; `MLOPT_SEED` is that of one mutant,
//! which is printed. `MLOPT_STABLEHLO_PROGRAMS` names a folder with more programs to mutate.

use mlopt_cases::{Random, seeds};
use mlopt_dialects::bridge::program::{Program, collecting};
use mlopt_dialects::diagnostics::Messages;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Type};
use std::fs;
use std::path::{Path, PathBuf};

/// The default number of mutants.
const MUTANTS: u64 = 4000;
/// A limit on the evaluator.
const STEPS: u64 = 100_000;
/// The greatest number of elements of an array that is evaluated.
const ELEMENTS: u128 = 10_000;
/// The greatest size of a program that is mutated, in bytes.
const SIZE: usize = 60_000;
/// Numbers that are likely to cause errors.
const NUMBERS: [&str; 12] =
    ["0", "1", "-1", "2", "3", "5", "7", "64", "65", "1000000", "9223372036854775807", "-9223372036854775808"];
const ELEMENT_TYPES: [&str; 12] =
    ["f32", "f64", "f16", "bf16", "i1", "i8", "i32", "i64", "ui8", "ui64", "complex<f32>", "index"];

/// Returns the programs to mutate.
fn programs() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "dialects/stablehlo",
        "passes/arrays/stablehlo_to_array",
        "test/stablehlo/programs",
        "tools/stablehlo/tests/artifacts",
    ];
    let folders = folders.map(|folder| root.join(folder)).into_iter();
    let more = std::env::var("MLOPT_STABLEHLO_PROGRAMS").ok().map(PathBuf::from);
    let mut files: Vec<PathBuf> = folders
        .chain(more)
        .flat_map(|folder| fs::read_dir(folder).expect("the folder exists"))
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlir") && !path.ends_with("errors.mlir"))
        .collect();
    files.sort();
    let texts = files.into_iter().map(|path| fs::read_to_string(path).expect("a program is text"));
    let parts = texts.flat_map(|text| text.split("// -----").map(str::to_string).collect::<Vec<_>>());
    parts.filter(|part| part.len() <= SIZE && part.contains("\"stablehlo.")).collect()
}

/// Splits a text into words, numbers and other characters; a string and a type `tensor<…>` are one token.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%' | '@' | '#' | '!' | '-');
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            't' if rest.starts_with("tensor<") => {
                let mut depth = 0;
                let end = rest.find(|c| {
                    depth += match c {
                        '<' => 1,
                        '>' => -1,
                        _ => 0,
                    };
                    c == '>' && depth == 0
                });
                end.map_or(rest.len(), |end| end + 1)
            }
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, tail) = rest.split_at(length);
        found.push(token);
        rest = tail;
    }
    found
}

/// Returns the positions of the tokens that begin with one of these texts.
fn at(tokens: &[String], starts: &[&str]) -> Vec<usize> {
    (0..tokens.len()).filter(|&k| starts.iter().any(|start| tokens[k].starts_with(start))).collect()
}

/// Applies one mutation.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_string).collect();
    let numbers: Vec<usize> = (0..tokens.len()).filter(|&k| tokens[k].parse::<i64>().is_ok()).collect();
    let types = at(&tokens, &["tensor<"]);
    let values = at(&tokens, &["%"]);
    let ops = at(&tokens, &["\"stablehlo.", "\"chlo."]);
    let mut pick = |list: &[usize]| (!list.is_empty()).then(|| list[random.below(list.len())]);
    let (number, ty, other_type) = (pick(&numbers), pick(&types), pick(&types));
    let (value, other_value) = (pick(&values), pick(&values));
    let (op, other_op) = (pick(&ops), pick(&ops));
    let swap = |tokens: &mut Vec<String>, a: Option<usize>, b: Option<usize>| {
        if let (Some(a), Some(b)) = (a, b) {
            tokens[a] = tokens[b].clone();
        }
    };
    match random.below(16) {
        // The same size or element type everywhere, so that many mutants are valid.
        12 | 13 => {
            if let Some(k) = ty {
                let inner = tokens[k]["tensor<".len()..].to_string();
                let sizes: Vec<&str> = inner.split('x').filter(|size| size.parse::<u64>().is_ok()).collect();
                let from = if sizes.is_empty() { "2" } else { sizes[random.below(sizes.len())] };
                let to = ["0", "1", "2", "5", "?"][random.below(5)];
                for k in types {
                    let (start, inner) = tokens[k].split_at("tensor<".len());
                    let change = |size: &str| if size == from { to.to_string() } else { size.to_string() };
                    let changed: Vec<String> = inner.split('x').map(change).collect();
                    tokens[k] = format!("{start}{}", changed.join("x"));
                }
            }
        }
        14 | 15 => {
            let from = ELEMENT_TYPES[random.below(ELEMENT_TYPES.len())];
            let to = ELEMENT_TYPES[random.below(ELEMENT_TYPES.len())];
            for k in types {
                let (ends, other) = ([format!("<{from}>"), format!("x{from}>")], format!("{to}>"));
                if ends.iter().any(|end| tokens[k].ends_with(end.as_str())) {
                    let kept = tokens[k].len() - from.len() - 1;
                    tokens[k] = format!("{}{other}", &tokens[k][..kept]);
                }
            }
        }
        0..=2 => {
            if let Some(k) = number {
                tokens[k] = NUMBERS[random.below(NUMBERS.len())].to_string();
            }
        }
        3 => {
            // Another length of a list, or one operand more.
            if let Some(k) = number.filter(|_| random.below(2) == 0).or(value) {
                let copy = tokens[k].clone();
                tokens.splice(k..k, [copy, ", ".to_string()]);
            }
        }
        4 | 5 => swap(&mut tokens, ty, other_type),
        6 => {
            if let Some(k) = ty {
                let element = ELEMENT_TYPES[random.below(ELEMENT_TYPES.len())];
                let inner = tokens[k]["tensor<".len()..].trim_end_matches('>');
                let sizes = inner.rfind('x').map_or("", |end| &inner[..=end]);
                tokens[k] = format!("tensor<{sizes}{element}>");
            }
        }
        7 => {
            if let Some(k) = ty {
                let sizes = ["", "0x", "?x", "1x", "3x", "4294967296x"][random.below(6)];
                let inner = tokens[k]["tensor<".len()..].to_string();
                let rest =
                    if random.below(2) == 0 { inner.split_once('x').map_or(&*inner, |(_, rest)| rest) } else { &inner };
                tokens[k] = format!("tensor<{sizes}{rest}");
            }
        }
        8 => swap(&mut tokens, value, other_value),
        9 => swap(&mut tokens, op, other_op),
        10 => {
            let k = random.below(tokens.len().max(1));
            if k < tokens.len() {
                tokens.remove(k);
            }
        }
        _ => {
            // An entry of a dictionary of attributes.
            let starts: Vec<usize> = (0..tokens.len().saturating_sub(2)).filter(|&k| tokens[k + 2] == "=").collect();
            let start = if starts.is_empty() { 0 } else { starts[random.below(starts.len())] };
            let end = (start..tokens.len()).find(|&k| tokens[k] == "," || tokens[k] == "}");
            if let Some(end) = end.filter(|end| end - start < 40) {
                tokens.drain(start..end);
            }
        }
    }
    tokens.concat()
}

/// Returns the number of elements, or `None` if a size is not known.
fn elements(ty: Type) -> Option<u128> {
    ty.shape().into_iter().try_fold(1u128, |n, d| n.checked_mul(d? as u128))
}

/// Runs one program; returns whether it was imported.
fn run(text: &str) -> bool {
    let Ok(program) = Program::parse(text.as_bytes(), "mutant.mlir") else { return false };
    let module = program.module();
    if program.run_pipeline("builtin.module(stablehlo-to-array)").is_err() {
        return false;
    }
    let is_small = |op: Op| op.results().into_iter().all(|z| elements(z.ty()).is_some_and(|n| n <= ELEMENTS));
    let main = module.child_ops().into_iter().find(|op| op.symbol().as_deref() == Some("main"));
    if main.is_some_and(|main| main.signature().0.is_empty()) && module.nested_ops().into_iter().all(is_small) {
        // An error is a possible end.
        let _ = Evaluator::new(module).with_limit(STEPS).call("main", &[]);
    }
    true
}

#[test]
fn mutated_programs_end_in_a_diagnostic() {
    mlopt_lowering::register_passes();
    let programs = programs();
    let (mut imported, mut count) = (0, 0);
    for seed in seeds(1, MUTANTS) {
        count += 1;
        let mut random = Random::new(seed);
        let mut text = programs[random.below(programs.len())].clone();
        for _ in 0..=random.below(2) {
            text = mutate(&text, &mut random);
        }
        if std::env::var_os("MLOPT_SEED").is_some() {
            println!("{text}");
        }
        let messages = Messages::default();
        imported += usize::from(collecting(&messages, || run(&text)));
        let said = messages.take();
        let internal = said.iter().find(|message| message.head.text.contains("internal error"));
        assert!(internal.is_none(), "MLOPT_SEED={seed}: {internal:?}\n{text}");
    }
    assert!(imported * 100 > count || count < 100, "only {imported} of {count} mutants are valid");
}
