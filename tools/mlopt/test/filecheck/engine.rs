//! Search for the first match of one resolved pattern. The crate `litcheck-filecheck` is used, or backtracking if the
//! pattern refers to a variable that it defines itself, where the crate tries only one length.

use std::collections::BTreeMap;
use std::sync::Arc;

use filecheck::check::Checker;
use filecheck::errors::CheckFailedError;
use filecheck::expr::Value;
use filecheck::litcheck::Symbol;
use filecheck::litcheck::diagnostics::{DefaultSourceManager, FileName, SourceLanguage, SourceManager};
use filecheck::parse::CheckFileParser;
use filecheck::{Config, Dump};

use super::Options;
use super::pattern::{Match, Miss};

/// A part of a pattern, in the syntax of the `regex` crates.
#[derive(Debug)]
pub enum Plain<'a> {
    Regex(&'a str),
    Define(&'a str, &'a str),
    /// The text of the variable that is defined to the left.
    Again(&'a str),
}

#[derive(Debug, PartialEq)]
pub struct Found {
    pub at: Match,
    /// The text of each variable that the pattern defines.
    pub captured: BTreeMap<String, String>,
}

/// Returns the first match in `text`, or `None` if there is none.
pub fn search(options: &Options, parts: &[Plain], text: &str) -> Result<Option<Found>, Miss> {
    if parts.iter().any(|part| matches!(part, Plain::Again(_))) {
        return backtrack(options, parts, text);
    }
    let names: Vec<&str> =
        parts.iter().filter_map(|p| if let Plain::Define(name, _) = p { Some(*name) } else { None }).collect();
    let mut pattern = String::from("CHECK: ");
    let mut group = 0..;
    for part in parts {
        match part {
            Plain::Define(_, regex) => pattern.push_str(&format!("[[V{}:{regex}]]", group.next().unwrap_or(0))),
            Plain::Regex(regex) => pattern.push_str(&format!("{{{{{regex}}}}}")),
            Plain::Again(_) => {}
        }
    }
    let config = Config {
        source_manager: Arc::new(DefaultSourceManager::default()),
        options: filecheck::Options {
            allow_empty: true,
            check_prefixes: vec![Symbol::intern("CHECK")],
            // Runs of blanks have been replaced, or are significant.
            strict_whitespace: true,
            ignore_case: options.ignore_case,
            dump_input: Dump::Never,
            ..filecheck::Options::default()
        },
    };
    let load = |name: &str, text: String| {
        config.source_manager.load(SourceLanguage::Unknown, FileName::from(name.to_owned()), text)
    };
    let checks = load("pattern", pattern);
    let program = CheckFileParser::new(&config)
        .parse(checks.id(), checks.as_str())
        .map_err(|error| Miss::Invalid(error.to_string()))?
        .compile(&config)
        .map_err(|report| Miss::Invalid(report.to_string()))?;
    let result = Checker::new(&config, program, checks.clone()).check_input(load("input", text.to_owned()));
    if let Some(error) = result.errors().first() {
        return match error {
            CheckFailedError::MatchNoneButExpected { .. } => Ok(None),
            other => Err(Miss::Unusable(other.to_string())),
        };
    }
    let matches = result.into_result().map_err(|failed| Miss::Unusable(failed.to_string()))?;
    let Some(found) = matches.first() else { return Ok(None) };
    let captured =
        names.iter().enumerate().filter_map(|(i, name)| match found.extract(Symbol::intern(format!("V{i}")))? {
            Value::Str(text) => Some(((*name).to_owned(), text.clone().into_owned())),
            _ => None,
        });
    let range = found.matched_range();
    Ok(Some(Found { at: Match { start: range.start, end: range.end }, captured: captured.collect() }))
}

fn backtrack(options: &Options, parts: &[Plain], text: &str) -> Result<Option<Found>, Miss> {
    let mut pattern = String::from(if options.ignore_case { "(?i)" } else { "" });
    let mut names: Vec<&str> = Vec::new();
    for part in parts {
        match part {
            Plain::Regex(regex) => pattern.push_str(regex),
            Plain::Define(name, regex) => {
                names.push(name);
                pattern.push_str(&format!("({regex})"));
            }
            Plain::Again(name) => {
                let group = names.iter().rposition(|own| own == name).map_or(0, |i| i + 1);
                pattern.push_str(&format!("(?:\\{group})"));
            }
        }
    }
    let regex = fancy_regex::Regex::new(&pattern).map_err(|error| Miss::Invalid(error.to_string()))?;
    let found = regex.captures(text).map_err(|error| Miss::Unusable(error.to_string()))?;
    Ok(found.map(|found| {
        let whole = found.get(0).map_or(0..0, |m| m.range());
        let group = |i: usize| found.get(i + 1).map_or(String::new(), |m| m.as_str().to_owned());
        let captured = names.iter().enumerate().map(|(i, name)| ((*name).to_owned(), group(i))).collect();
        Found { at: Match { start: whole.start, end: whole.end }, captured }
    }))
}
