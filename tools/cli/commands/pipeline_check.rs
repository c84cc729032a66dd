//! Checks the names of passes and options in a pipeline before MLIR parses it. For an unknown name it suggests the most
//! similar one, which MLIR's errors do not. The known names are those that MLIR itself looks up, so no name that MLIR
//! accepts is rejected.
//!
//! [`read_through`] reads a program from a file, checks a pipeline in this way, and runs it on the program.

use crate::notation::read_program;
use mlopt_dialects::bridge::{self, names, program::Program};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_lowering::pipelines::with_import;
use mlopt_runtime::failure::Failure;
use std::path::Path;

/// `(place, message)`; the place is `--pass-pipeline:1:COLUMN`.
pub type Problem = (String, String);

/// A name in a pipeline: a pass, a named pipeline, or the op that the passes in parentheses run on.
struct Element<'a> {
    /// The position in bytes.
    at: usize,
    name: &'a str,
    /// The text between braces, with its position.
    options: Option<(usize, &'a str)>,
    is_anchor: bool,
}

/// Checks `--pass-pipeline=…` and `--PASS=OPTIONS` among the arguments of `mlir-opt`.
pub fn check_arguments(arguments: &[String]) -> Result<(), Problem> {
    if arguments.iter().any(|a| a.trim_start_matches('-').starts_with("load-pass-plugin")) {
        // The names that a plugin adds are not known yet.
        return Ok(());
    }
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let Some(flag) = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-')) else { continue };
        let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
        if name == "pass-pipeline" {
            let next = if value.is_none() { arguments.next().map(String::as_str) } else { None };
            check(value.or(next).unwrap_or(""), "--pass-pipeline")?;
        } else if let Some(value) = value.filter(|_| bridge::is_pass_name(name)) {
            let inside = value.strip_prefix('{').and_then(|v| v.strip_suffix('}')).unwrap_or(value);
            check_options(name, inside).map_err(|(_, message)| (format!("--{name}"), message))?;
        }
    }
    Ok(())
}

/// Checks every name in a pipeline. MLIR checks its syntax. `place` is its origin in errors.
pub fn check(pipeline: &str, place: &str) -> Result<(), Problem> {
    let located = |at: usize, message| (format!("{place}:1:{}", pipeline[..at].chars().count() + 1), message);
    for element in elements(pipeline).iter().filter(|e| !e.is_anchor) {
        let name = element.name;
        if !bridge::is_pass_name(name) {
            let known = bridge::pass_names();
            let hint = did_you_mean(name, known.iter().map(String::as_str));
            return Err(located(
                element.at,
                format!("unknown pass `{name}`{hint}; expected the name of a pass or pipeline"),
            ));
        }
        if let Some((start, options)) = element.options {
            check_options(name, options).map_err(|(at, message)| located(start + at, message))?;
        }
    }
    Ok(())
}

/// Checks the names of the options of a pass or pipeline. An error has its position in the text. Options that MLIR can
/// parse are always accepted.
fn check_options(name: &str, options: &str) -> Result<(), (usize, String)> {
    let known = bridge::option_names(name).unwrap_or_default();
    let is_known = |option: &str| known.iter().any(|k| k == option);
    let Some((at, option)) = option_names(options).into_iter().find(|(_, option)| !is_known(option)) else {
        return Ok(());
    };
    if bridge::accepts_options(name, options) {
        return Ok(());
    }
    let hint = did_you_mean(option, known.iter().map(String::as_str));
    let is_pipeline = bridge::is_pipeline_name(name);
    let expected = match known.len() {
        0 if is_pipeline => "it has no options; list its passes to set their options".into(),
        0 => "it has no options".into(),
        _ => format!("expected {}", known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")),
    };
    let kind = if is_pipeline { "pipeline" } else { "pass" };
    Err((at, format!("{kind} `{name}` has no option `{option}`{hint}; {expected}")))
}

/// Returns the names before `=`, with their positions. Blanks separate options; braces and quotes enclose values.
fn option_names(options: &str) -> Vec<(usize, &str)> {
    let (mut names, mut depth, mut quote, mut start) = (vec![], 0usize, None, None);
    for (at, c) in options.char_indices().chain([(options.len(), ' ')]) {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(c),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if c.is_whitespace() && depth == 0 => {
                if let Some(start) = start.take() {
                    let word: &str = &options[start..at];
                    names.push((start, word.split_once('=').map_or(word, |(name, _)| name)));
                }
                continue;
            }
            _ => {}
        }
        start = start.or(Some(at));
    }
    names
}

/// Returns the names of a pipeline in the order of the text.
fn elements(pipeline: &str) -> Vec<Element<'_>> {
    const MARKS: [char; 5] = [',', '(', ')', '{', '}'];
    let (mut found, mut at) = (vec![], 0);
    while at < pipeline.len() {
        let rest = &pipeline[at..];
        let end = rest.find(MARKS).unwrap_or(rest.len());
        let name = rest[..end].trim();
        let name_at = at + rest[..end].len() - rest[..end].trim_start().len();
        at += end;
        let mut options = None;
        if pipeline[at..].starts_with('{') {
            let length = braced(&pipeline[at..]);
            let inside = &pipeline[at + 1..at + length];
            options = Some((at + 1, inside.strip_suffix('}').unwrap_or(inside)));
            at += length;
        }
        let is_anchor = pipeline[at..].starts_with('(');
        if !name.is_empty() {
            found.push(Element { at: name_at, name, options, is_anchor });
        }
        at += pipeline[at..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// Returns the length in bytes of the text from `{` to the matching `}`, inclusive; the whole length if there is none.
fn braced(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// An unknown pass or option is reported with the nearest known name.
pub fn check_pipeline(pipeline: &str) -> Result<(), Failure> {
    check(pipeline, "--pass-pipeline").map_err(|(place, text)| Failure::at(place, text))
}

/// Reads a program with the names of its values, and runs a pipeline; without one, the default passes, if any, after an
/// import. Returns the program with its bytes.
pub fn read_through(file: &Path, pipeline: Option<&str>, default: Option<&str>) -> Result<(Program, Vec<u8>), Failure> {
    let (program, source) = read_program(file)?;
    names::from_source(program.module());
    match (pipeline, default) {
        (Some(pipeline), _) => {
            check_pipeline(pipeline)?;
            program.run_pipeline(pipeline)?;
        }
        (None, Some(default)) => program.run_pipeline(&with_import(default, program.module()))?,
        (None, None) => {}
    }
    Ok((program, source))
}
