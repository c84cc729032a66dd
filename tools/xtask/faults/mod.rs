//! `cargo xtask faults`: checks whether the tests find faults. All faults are planted in a copy of the sources in
//! `target/faults`; the repository itself is not changed. One build suffices, because a fault is active only if an
//! environment variable names it. The test of a fault must pass without the fault and fail with it.
//!
//! A fault is a paragraph of a list:
//! ```text
//! fault rule sort-operands: every operation commutes
//! in passes/optimise/rules/index.rs, fn sort_operands
//! - !p.commutes()
//! + false
//! found by cases
//! ```
//! The fault replaces the expression after `-` by that after `+`. The expression is found by its tokens in the named
//! function, where it must occur once. If it occurs more than once, the text after `-` also contains code around it,
//! and `«` and `»` mark the expression.
//! A fault may also replace a command of the Makefile.

mod places;

use crate::copy::{self, Files};
use crate::error::{Context, Error};
use crate::{root, tree};
use std::path::Path;
use std::process::{Command, Output};

/// The lists of faults by name, each fault a paragraph.
const LISTS: [(&str, &str); 6] = [
    ("arrays", include_str!("arrays.faults")),
    ("functions", include_str!("functions.faults")),
    ("input", include_str!("input.faults")),
    ("regressions", include_str!("regressions.faults")),
    ("sizes", include_str!("sizes.faults")),
    ("streams", include_str!("streams.faults")),
];

/// A fault: one wrong expression.
struct Fault {
    list: &'static str,
    /// The broken part, and how.
    name: String,
    file: String,
    /// The item with the expression, `fn NAME` in Rust; nothing if it is the whole file.
    item: String,
    /// The expression, as a pattern of [`places::find`], and its replacement.
    right: String,
    wrong: String,
    test: Test,
}

/// The test that must fail.
#[derive(Clone, Debug, PartialEq)]
enum Test {
    /// A module of the tests `all` of a crate, or one of [`EXECUTABLES`]; `::` and the name of a test may follow.
    Module(String),
    /// A file that `mlopt test` runs.
    File(String),
}

/// Integration tests that are executables of their own; the others are modules of the test `all` of their crate.
const EXECUTABLES: [&str; 5] = ["counts", "long_runs", "random_functions", "random_programs", "updates"];

/// The test with the cases of every rule: each of its conditions rejects some case.
const CASES: &str = "laws::every_rule_fires_where_it_holds_and_only_there";

impl Test {
    /// Builds and runs the test in `copy`. The build is always that of the whole workspace, so that all tests share the
    /// same libraries.
    fn run(&self, copy: &Path, fault: &str) -> Result<Output, Error> {
        let test = ["test", "--release", "--workspace"];
        match self {
            Test::Module(name) => {
                let (module, alone) = name.split_once("::").unwrap_or((name, ""));
                let path = format!("{module}::{alone}");
                let chosen = match EXECUTABLES.contains(&module) {
                    true => ["--test", module, "--", alone],
                    false => ["--test", "all", "--", &path],
                };
                cargo(copy, &[&test[..], &chosen].concat(), fault)
            }
            Test::File(file) => {
                let built = cargo(copy, &[&test[..], &["--no-run"]].concat(), fault)?;
                if !built.status.success() {
                    return Ok(built);
                }
                let mlopt = copy.join("target/release/mlopt");
                let outcome = Command::new(mlopt).args(["test", file]).current_dir(copy).env(SWITCH, fault).output();
                outcome.context("mlopt")
            }
        }
    }
}

/// The environment variable that contains the name of the active fault.
const SWITCH: &str = "MLOPT_FAULT";

/// The file that starts programs with an empty environment, and the call that empties it. In the copy, the variable is
/// passed on.
const EMPTIED: [&str; 2] = ["tools/bench/counts/callgrind.rs", ".env_clear()"];

impl Fault {
    /// Reads the paragraph of a fault; a line that begins with spaces continues the one before.
    fn read(list: &'static str, paragraph: &str) -> Result<Fault, Error> {
        let text = paragraph.trim().replace("\n    ", " ");
        let mut lines = text.lines();
        let mut field = |key: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix(key));
            line.map(str::to_string).context(format_args!("expected a line `{key}…` in\n{paragraph}"))
        };
        let (name, place) = (field("fault ")?, field("in ")?);
        let (file, item) = place.split_once(", ").unwrap_or((&place, ""));
        let (right, wrong, test) = (field("- ")?, field("+ ")?, field("found by ")?);
        let test = match test.split_once(' ') {
            Some(("module", name)) => Test::Module(name.into()),
            _ if test == "cases" => Test::Module(CASES.into()),
            _ => Test::File(test),
        };
        Ok(Fault { list, name, file: file.into(), item: item.into(), right, wrong, test })
    }

    /// Checks whether `word` is part of the name of the fault, or the name of its list.
    fn is_chosen(&self, word: &str) -> bool {
        self.list == word || self.name.contains(word)
    }

    /// Returns the texts before and after the right expression that make it wrong if the fault is active.
    fn around(&self) -> [String; 2] {
        let Fault { name, wrong, .. } = self;
        if self.file.ends_with(".cpp") {
            let on = format!("::llvm::StringRef(::getenv(\"{SWITCH}\") ?: \"\") == \"{name}\"");
            return [format!("({on} ? {wrong} : "), ")".into()];
        }
        if self.file == "Makefile" {
            return [format!("$(if $(findstring {name},$({SWITCH})),{wrong},"), ")".into()];
        }
        // The variable is read once, because some of these expressions run often.
        let on = format!(
            "{{ static ON: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| \
             std::env::var_os(\"{SWITCH}\").is_some_and(|fault| fault == \"{name}\")); *ON }}"
        );
        [format!("(if {on} {{ {wrong} }} else {{ "), " })".into()]
    }
}

fn all() -> Result<Vec<Fault>, Error> {
    let paragraphs = LISTS.iter().flat_map(|(list, text)| text.split("\n\n").map(move |paragraph| (*list, paragraph)));
    let faults = paragraphs.filter(|(_, paragraph)| !paragraph.starts_with('#'));
    faults.map(|(list, paragraph)| Fault::read(list, paragraph)).collect()
}

/// Plants all faults, and activates those that `word` chooses, by their names or their list. Fails if a test does not
/// find one.
pub fn run(word: &str) -> Result<(), Error> {
    let all = all()?;
    let chosen: Vec<&Fault> = all.iter().filter(|f| f.is_chosen(word)).collect();
    if chosen.is_empty() {
        return Err(Error::Unexpected(format!("no fault holds `{word}`")));
    }
    let copy = root().join("target/faults");
    let mut files = copy::sources()?;
    plant(&mut files)?;
    copy::write(&copy, &files)?;
    let mut tests: Vec<&Test> = vec![];
    for fault in &chosen {
        if !tests.contains(&&fault.test) {
            tests.push(&fault.test);
        }
    }
    for test in tests {
        let outcome = test.run(&copy, "")?;
        if !outcome.status.success() {
            return Err(Error::Program(format!("{test:?} fails without any fault:\n{}", said(&outcome))));
        }
    }
    let mut missed = vec![];
    for fault in &chosen {
        let outcome = fault.test.run(&copy, &fault.name)?;
        match outcome.status.success() {
            true => missed.push(fault.name.as_str()),
            false => println!("found {}: {}", fault.name, failures(&said(&outcome)).join(", ")),
        }
    }
    println!("{} of {} faults found", chosen.len() - missed.len(), chosen.len());
    if missed.is_empty() {
        return Ok(());
    }
    Err(Error::Findings(vec![format!("not found:\n{}", missed.join("\n"))]))
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
fn cargo(copy: &Path, arguments: &[&str], fault: &str) -> Result<Output, Error> {
    println!("$ cargo {}", arguments.join(" "));
    let mut command = tree::cargo();
    command.args(arguments).current_dir(copy).env_remove("CARGO_TARGET_DIR").env(SWITCH, fault);
    command.output().context("cargo")
}

/// Plants all faults in these sources.
pub fn plant(files: &mut Files) -> Result<(), Error> {
    let all = all()?;
    for (name, bytes) in files {
        let faults: Vec<&Fault> = all.iter().filter(|fault| fault.file == *name).collect();
        if !faults.is_empty() {
            *bytes = planted(&String::from_utf8_lossy(bytes), &faults)?.into_bytes();
        }
        if name == EMPTIED[0] {
            *bytes = with_switch(&String::from_utf8_lossy(bytes)).into_bytes();
        }
    }
    Ok(())
}

/// Returns a source that passes the active fault on to the programs that it starts with an empty environment.
fn with_switch(text: &str) -> String {
    let passed = format!("std::env::var(\"{SWITCH}\").map(|fault| (\"{SWITCH}\", fault))");
    text.replace(EMPTIED[1], &format!("{}.envs({passed})", EMPTIED[1]))
}

/// Returns a source with faults. One may be inside another.
fn planted(text: &str, faults: &[&Fault]) -> Result<String, Error> {
    let mut parts: Vec<(usize, bool, usize, String)> = vec![];
    for fault in faults {
        let Fault { name, file, item, right, .. } = fault;
        let wrong = |count: usize| format!("{file}, {item}: expected once, found {count} times, to plant `{name}`");
        let place = places::find(text, item, right).map_err(|count| Error::Unexpected(wrong(count)))?;
        let [before, after] = fault.around();
        parts.push((place.start, true, text.len() - place.len(), before));
        parts.push((place.end, false, 0, after));
    }
    // At the same place, ends are before starts, and the start of an outer expression before that of an inner one.
    parts.sort_by_key(|&(at, is_start, order, _)| (at, is_start, order));
    let mut at = 0;
    let planted: String =
        parts.iter().flat_map(|(k, _, _, part)| [&text[std::mem::replace(&mut at, *k)..*k], part]).collect();
    Ok(planted + &text[at..])
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
        let all = all().unwrap();
        let mut files: BTreeMap<&str, Vec<&Fault>> = BTreeMap::new();
        for fault in &all {
            files.entry(&fault.file).or_default().push(fault);
            assert!(fault.right != fault.wrong, "{}", fault.name);
            // The constant is a table of closures; no other constant can ask which fault is active.
            let is_code = fault.item.starts_with("fn ") || fault.item == "const TABLE";
            assert!(is_code || !fault.file.ends_with(".rs"), "{}: expected the name of a function", fault.name);
        }
        for (file, faults) in files {
            let text = fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
            let text = planted(&text, &faults).unwrap_or_else(|e| panic!("{e}"));
            assert!(faults.iter().all(|fault| text.contains(&fault.around()[0])), "{file}");
        }
        let text = fs::read_to_string(root().join(EMPTIED[0])).unwrap();
        assert!(with_switch(&text).contains(SWITCH), "{}: no {}", EMPTIED[0], EMPTIED[1]);
        let arrays = ["folder", "rule", "derivative", "transposition", "bulk", "lowering", "streams", "siblings"];
        let functions = ["functions", "closures", "loops", "pullbacks", "structures", "lambda-to-", "tasks"];
        let sizes = ["tiles", "joins", "specialisation"];
        for kind in arrays.into_iter().chain(functions).chain(sizes) {
            assert!(all.iter().any(|f| f.name.starts_with(kind)), "no fault in a {kind}");
        }
    }

    #[test]
    fn a_word_chooses_by_name_or_by_list() {
        let all = all().unwrap();
        let chosen = |word: &str| all.iter().filter(|f| f.is_chosen(word)).count();
        assert_eq!(chosen(""), all.len());
        assert_eq!(chosen("regressions"), all.iter().filter(|f| f.list == "regressions").count());
        assert!(chosen("growth: ") > 0 && chosen("growth: ") < chosen("regressions"));
        assert_eq!(chosen("no such word"), 0);
    }

    /// Checks that every condition of a rule that is a function has a fault; `passes/testing/text_rules.rs` tests the
    /// conditions of rules that are text. Another test compares the document with the rules.
    #[test]
    fn every_condition_has_a_fault() {
        let rules = fs::read_to_string(root().join("docs/rules.md")).unwrap();
        let names = |text: &str| text.split(", ").map(str::to_string).collect::<Vec<_>>();
        let all = all().unwrap();
        let covered: Vec<String> = all
            .iter()
            .filter_map(|f| f.name.strip_prefix("rule ")?.split_once(": "))
            .flat_map(|f| names(f.0))
            .collect();
        let conditional: Vec<&str> = rules
            .split("\n- **")
            .skip(1)
            .filter(|rule| rule.contains("\n  When: "))
            .filter_map(|rule| Some(rule.split_once("**")?.0))
            .collect();
        assert!(conditional.len() > 20);
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
