//! `cargo xtask faults`: checks whether the tests find faults. All faults are planted in a copy of the sources, each of
//! them active only if an environment variable names it, so that one build suffices. The test of a fault must pass
//! without the fault and fail with it. The copy is `target/faults`; the repository itself is not changed.

mod arrays;
mod functions;
mod input;
mod sizes;
mod streams;
mod tools;

use crate::{copy, root};
use std::path::Path;
use std::process::{Command, Output};

/// A fault: one wrong expression.
struct Fault {
    /// The broken part, and how: `cargo xtask faults WORD` runs those whose name contains WORD.
    name: &'static str,
    file: &'static str,
    /// A text that occurs exactly once in the file.
    line: &'static str,
    /// An expression that occurs exactly once in `line`, and its replacement.
    right: &'static str,
    wrong: &'static str,
    test: Test,
}

/// The test that must fail.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    /// The unit tests.
    Laws,
    /// The unit test with the cases of every rule: each of its conditions rejects some case.
    Cases,
    /// A module of the tests of `mlopt-passes`.
    Passes(&'static str),
    /// A module of the tests of `mlopt-lowering`.
    Lowering(&'static str),
    /// A module of the tests of `mlopt`, or one of [`EXECUTABLES`].
    Tools(&'static str),
    /// A file that `mlopt test` runs.
    File(&'static str),
}

/// Integration tests that are executables of their own; the others are modules of the test `all` of their crate.
const EXECUTABLES: [&str; 5] = ["counts", "long_runs", "random_functions", "random_programs", "updates"];

/// The name of that test.
const CASES: &str = "every_rule_fires_where_it_holds_and_only_there";

impl Test {
    /// Builds and runs the test in `copy`. The build is always that of the whole workspace, so that all tests share the
    /// same libraries.
    fn run(self, copy: &Path, fault: &str) -> Result<Output, String> {
        let test = ["test", "--release", "--workspace"];
        match self {
            Test::Laws => cargo(copy, &[&test[..], &["--lib"]].concat(), fault),
            Test::Cases => cargo(copy, &[&test[..], &["--lib", CASES]].concat(), fault),
            Test::Passes(name) | Test::Lowering(name) | Test::Tools(name) => {
                let module = format!("{name}::");
                let chosen = match EXECUTABLES.contains(&name) {
                    true => ["--test", name, "--", ""],
                    false => ["--test", "all", "--", &module],
                };
                cargo(copy, &[&test[..], &chosen].concat(), fault)
            }
            Test::File(file) => {
                let built = cargo(copy, &["build", "--release", "--workspace"], fault)?;
                if !built.status.success() {
                    return Ok(built);
                }
                let mlopt = copy.join("target/release/mlopt");
                let outcome = Command::new(mlopt).args(["test", file]).current_dir(copy).env(SWITCH, fault).output();
                outcome.map_err(|e| format!("mlopt: {e}"))
            }
        }
    }
}

/// The environment variable that contains the name of the active fault.
const SWITCH: &str = "MLOPT_FAULT";

impl Fault {
    /// Returns the expression that is wrong if the fault is active.
    fn planted(&self) -> String {
        let Fault { name, right, wrong, .. } = self;
        if self.file.ends_with(".cpp") {
            return format!("(::llvm::StringRef(::getenv(\"{SWITCH}\") ?: \"\") == \"{name}\" ? {wrong} : {right})");
        }
        // The variable is read once, because some of these expressions run often.
        let on = format!(
            "{{ static ON: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| \
             std::env::var_os(\"{SWITCH}\").is_some_and(|fault| fault == \"{name}\")); *ON }}"
        );
        format!("(if {on} {{ {wrong} }} else {{ {right} }})")
    }
}

fn all() -> impl Iterator<Item = &'static Fault> {
    let tables = [arrays::FAULTS, functions::FAULTS, input::FAULTS, sizes::FAULTS, streams::FAULTS, tools::FAULTS];
    tables.into_iter().flatten()
}

/// Plants all faults, and activates each whose name contains `word`. Fails if a test does not find one.
pub fn run(word: &str) -> Result<(), String> {
    let chosen: Vec<&Fault> = all().filter(|f| f.name.contains(word)).collect();
    if chosen.is_empty() {
        return Err(format!("no fault holds `{word}`"));
    }
    let copy = root().join("target/faults");
    copy_sources(&copy)?;
    let mut tests: Vec<Test> = vec![];
    for fault in &chosen {
        if !tests.contains(&fault.test) {
            tests.push(fault.test);
        }
    }
    for test in tests {
        let outcome = test.run(&copy, "")?;
        if !outcome.status.success() {
            return Err(format!("{test:?} fails without any fault:\n{}", said(&outcome)));
        }
    }
    let mut missed = vec![];
    for fault in &chosen {
        let outcome = fault.test.run(&copy, fault.name)?;
        match outcome.status.success() {
            true => missed.push(fault.name),
            false => println!("found {}: {}", fault.name, failures(&said(&outcome)).join(", ")),
        }
    }
    println!("{} of {} faults found", chosen.len() - missed.len(), chosen.len());
    if missed.is_empty() { Ok(()) } else { Err(format!("not found:\n{}", missed.join("\n"))) }
}

fn said(outcome: &Output) -> String {
    [&outcome.stdout, &outcome.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

/// Returns the tests that failed, as listed by the runners of cargo and of `mlopt test`.
fn failures(text: &str) -> Vec<String> {
    let rust = text.lines().filter_map(|l| l.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    let files = text.lines().filter_map(|l| l.strip_prefix("FAILED "));
    rust.chain(files).map(str::to_string).collect()
}

/// Runs cargo in the copy, with a separate target folder, so that programs with faults are not confused with those
/// without.
fn cargo(copy: &Path, arguments: &[&str], fault: &str) -> Result<Output, String> {
    println!("$ cargo {}", arguments.join(" "));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(copy).env_remove("CARGO_TARGET_DIR").env(SWITCH, fault);
    command.output().map_err(|e| format!("cargo: {e}"))
}

/// Copies the sources with all faults planted.
fn copy_sources(copy: &Path) -> Result<(), String> {
    let mut files = copy::sources()?;
    for fault in all() {
        let Some(bytes) = files.get_mut(fault.file) else { continue };
        *bytes = plant(fault, &String::from_utf8_lossy(bytes))?.into_bytes();
    }
    copy::write(copy, &files)
}

fn plant(fault: &Fault, text: &str) -> Result<String, String> {
    if text.matches(fault.line).count() != 1 || fault.line.matches(fault.right).count() != 1 {
        return Err(format!("{}: expected once, to plant `{}`:\n{}", fault.file, fault.name, fault.line));
    }
    Ok(text.replacen(fault.line, &fault.line.replacen(fault.right, &fault.planted(), 1), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::fs;

    /// Checks that all faults can be planted, so that an entry that no longer matches the sources is found before a
    /// long run.
    #[test]
    fn every_fault_can_be_planted() {
        // All faults of a file together, as in a run, because two may be in one line.
        let mut files: BTreeMap<&str, String> = BTreeMap::new();
        for fault in all() {
            let read = || fs::read_to_string(root().join(fault.file)).unwrap_or_else(|e| panic!("{}: {e}", fault.file));
            let text = files.entry(fault.file).or_insert_with(read);
            *text = plant(fault, text).unwrap_or_else(|e| panic!("{e}"));
            assert!(text.contains(fault.wrong) && fault.right != fault.wrong, "{}", fault.name);
        }
        let arrays = ["folder", "rule", "derivative", "transposition", "bulk", "lowering", "streams", "siblings"];
        let functions = ["functions", "closures", "loops", "pullbacks", "structures", "lambda-to-", "tasks"];
        let sizes = ["tiles", "joins", "specialisation"];
        for kind in arrays.into_iter().chain(functions).chain(sizes) {
            assert!(all().any(|f| f.name.starts_with(kind)), "no fault in a {kind}");
        }
    }

    /// Checks that every condition of a rule has a fault. Another test compares the document with the rules.
    #[test]
    fn every_condition_has_a_fault() {
        let rules = fs::read_to_string(root().join("docs/rules.md")).unwrap();
        let names = |text: &str| text.split(", ").map(str::to_string).collect::<Vec<_>>();
        let covered: Vec<String> =
            all().filter_map(|f| f.name.strip_prefix("rule ")?.split_once(": ")).flat_map(|f| names(f.0)).collect();
        let conditional: Vec<&str> = rules
            .split("\n- **")
            .skip(1)
            .filter(|rule| rule.contains("\n  When: "))
            .filter_map(|rule| Some(rule.split_once("**")?.0))
            .collect();
        assert!(conditional.len() > 30);
        for rule in conditional {
            assert!(covered.iter().any(|name| name == rule), "no fault drops the condition of {rule}");
        }
    }

    #[test]
    fn failures_are_named() {
        let text = "test a::b ... ok\ntest a::c ... FAILED\nFAILED x.mlir\n  line 1: FAILED y\n";
        assert_eq!(failures(text), ["a::c", "x.mlir"]);
    }
}
