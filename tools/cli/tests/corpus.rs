//! A test that compares the verdicts of `litcheck-filecheck` with those of the cases in `test/filecheck/*.cases`.
//! `test/filecheck/corpus.test` describes the cases, and compares our FileCheck and LLVM's with them.

use clap::Parser;
use filecheck::check::Checker;
use filecheck::litcheck::diagnostics::{FileName, SourceLanguage, SourceManager};
use filecheck::parse::CheckFileParser;
use std::path::Path;

struct Case {
    place: String,
    verdict: String,
    args: Vec<String>,
    checks: String,
    input: String,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/filecheck");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().filter(|file| file.extension().is_some_and(|e| e == "cases")).flat_map(|file| read(file)).collect()
}

fn read(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).unwrap();
    let name = file.file_name().unwrap().to_string_lossy();
    let mut cases: Vec<Case> = Vec::new();
    let mut in_input = false;
    for (i, line) in text.lines().enumerate() {
        if let Some(title) = line.strip_prefix("=== ") {
            let (verdict, title) = title.split_once(": ").unwrap_or_else(|| panic!("{name}:{}: no verdict", i + 1));
            let args = title.split_once(" | ").map_or("", |(_, args)| args).split(' ').filter(|a| !a.is_empty());
            cases.push(Case {
                place: format!("{name}:{}: {title}", i + 1),
                verdict: verdict.to_owned(),
                args: args.map(str::to_owned).collect(),
                checks: String::new(),
                input: String::new(),
            });
            in_input = false;
        } else if let Some(case) = cases.last_mut() {
            match in_input {
                _ if line == "---" => in_input = true,
                true => case.input.extend([line, "\n"]),
                false => case.checks.extend([line, "\n"]),
            }
        }
    }
    cases
}

/// Returns the verdict of the crate `litcheck-filecheck`, which reads the same directives with an engine of its own.
fn crates(case: &Case) -> &'static str {
    let long = |arg: &String| match arg.starts_with("-D") || arg.starts_with("--") || arg.len() == 2 {
        true => arg.clone(),
        false => format!("-{arg}"),
    };
    let Ok(options) = filecheck::Options::try_parse_from(case.args.iter().map(long)) else { return "error" };
    let config = filecheck::Config { options, ..filecheck::Config::default() };
    let load = |name: &str, text: &str| {
        config.source_manager.load(SourceLanguage::Unknown, FileName::from(name.to_owned()), text.to_owned())
    };
    let (checks, input) = (load("checks", &case.checks), load("input", &case.input));
    let parsed = CheckFileParser::new(&config).parse(checks.id(), checks.as_str());
    let Some(program) = parsed.ok().and_then(|file| file.compile(&config).ok()) else { return "error" };
    let outcome = Checker::new(&config, program, checks.clone()).check_input(input).into_result();
    if outcome.is_ok() { "pass" } else { "fail" }
}

/// Checks that an engine that shares no code with ours agrees, except in the cases that decision 039 is about.
#[test]
fn the_crate_agrees_where_it_is_right() {
    let differs = |case: &Case| crates(case) != if case.verdict == "refused" { "error" } else { case.verdict.as_str() };
    let cases = cases();
    let differing: Vec<&str> = cases.iter().filter(|case| differs(case)).map(|case| case.place.as_str()).collect();
    assert_eq!(differing.len(), 25, "{}", differing.join("\n"));
}
