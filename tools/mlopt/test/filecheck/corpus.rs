//! Tests that compare our verdict with LLVM's on every case of `test/filecheck/*.cases`.
//!
//! A case is `=== VERDICT: description | options`, the check file, `---`, and the input. The verdicts are `pass`,
//! `fail` (the input does not match, exit status 1), `error` (the options or the check file are wrong, exit status 2),
//! and `refused` (LLVM accepts the case, and we report an error).

use clap::Parser;
use filecheck::check::Checker;
use filecheck::litcheck::diagnostics::{FileName, SourceLanguage, SourceManager};
use filecheck::parse::CheckFileParser;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

fn verdict(status: i32) -> &'static str {
    match status {
        0 => "pass",
        1 => "fail",
        2 => "error",
        _ => "crash",
    }
}

fn ours(case: &Case, folder: &Path) -> &'static str {
    let args: Vec<_> = ["checks".to_owned()].into_iter().chain(case.args.clone()).collect();
    let result = super::run(&args, folder, &mut case.input.as_bytes());
    verdict(result.err().map_or(0, |failure| failure.exit_status()))
}

fn llvms(filecheck: &Path, case: &Case, folder: &Path) -> &'static str {
    let mut process = Command::new(filecheck)
        .arg("checks")
        .args(&case.args)
        .current_dir(folder)
        .env_remove("FILECHECK_OPTS")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The process may end before it has read everything.
    let _ = process.stdin.take().unwrap().write_all(case.input.as_bytes());
    verdict(process.wait().unwrap().code().unwrap_or(-1))
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

fn llvm_filecheck() -> Option<PathBuf> {
    let prefix = std::env::var("MLIR_SYS_190_PREFIX").unwrap_or("/usr/lib/llvm-19".to_owned());
    Some(Path::new(&prefix).join("bin/FileCheck")).filter(|path| path.exists())
}

#[test]
fn verdicts_are_those_of_the_corpus_and_of_llvm() {
    let cases = cases();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    let folder = std::env::temp_dir().join(format!("mlopt-corpus-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let llvm = llvm_filecheck();
    if llvm.is_none() {
        // Written directly to the stream, because the output of tests is shown only if they fail.
        let _ = std::io::stderr()
            .write_all(b"\nskipped (needs FileCheck of llvm-19-tools): comparison with LLVM's verdicts\n");
    }
    let mut wrong = Vec::new();
    for case in &cases {
        std::fs::write(folder.join("checks"), &case.checks).unwrap();
        let refused = case.verdict == "refused";
        let expected = if refused { "error" } else { case.verdict.as_str() };
        let found = ours(case, &folder);
        if found != expected {
            wrong.push(format!("{}: expected {expected}, ours is {found}", case.place));
        }
        if let Some(filecheck) = llvm.as_ref().filter(|_| !refused) {
            let theirs = llvms(filecheck, case, &folder);
            if theirs != expected {
                wrong.push(format!("{}: expected {expected}, LLVM's is {theirs}", case.place));
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
