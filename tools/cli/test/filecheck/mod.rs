//! FileCheck: checks whether a text contains the patterns of a check file, in order.
//!
//! Syntax and semantics of directives are those of LLVM: patterns with variables and numeric expressions ([`pattern`]),
//! the order of their matches and the regions in which they are searched ([`order`]), and regular expressions of POSIX
//! ([`ere`]). The crate `litcheck-filecheck` differs from LLVM in all three. Tests compare our verdicts with LLVM's,
//! and with those of `litcheck-filecheck` where it agrees with LLVM ([`corpus`]).

use std::path::{Path, PathBuf};

mod directives;
mod engine;
mod ere;
mod numeric;
mod order;
mod pattern;

/// A parsed FileCheck command line, without the program's name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    pub check_file: PathBuf,
    /// The text to check; the standard input if absent.
    pub input_file: Option<PathBuf>,
    /// The prefixes; `CHECK` if empty.
    pub prefixes: Vec<String>,
    /// The prefixes of comments; `COM` and `RUN` if empty.
    pub comment_prefixes: Vec<String>,
    pub implicit_check_not: Vec<String>,
    /// The texts after `-D`: `NAME=VALUE` and `#NAME=VALUE`.
    pub defines: Vec<String>,
    pub allow_empty: bool,
    pub allow_unused_prefixes: bool,
    pub strict_whitespace: bool,
    pub match_full_lines: bool,
    pub ignore_case: bool,
    pub enable_var_scope: bool,
    pub dump_input: bool,
}

/// The reason of a failure.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The text does not match the check file.
    #[error("{0}")]
    Mismatch(String),
    /// The check file, its directives or values of options are invalid, or a file cannot be read.
    #[error("{0}")]
    Invalid(String),
    /// The options are invalid.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// Returns LLVM's exit status.
    pub fn exit_status(&self) -> i32 {
        match self {
            Self::Mismatch(_) | Self::Usage(_) => 1,
            Self::Invalid(_) => 2,
        }
    }
}

fn usage<T>(text: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Usage(format!("error: {}", text.into())))
}

impl Options {
    /// Parses LLVM's spelling of options: one or two dashes, `--name=value` or `--name value`, `-DNAME=VALUE`.
    pub fn parse(args: &[String]) -> Result<Self, Failure> {
        let mut options = Self { dump_input: true, ..Self::default() };
        let mut check_file = None;
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let Some(name) = arg.strip_prefix("--").or_else(|| arg.strip_prefix('-')).filter(|n| !n.is_empty()) else {
                if check_file.replace(PathBuf::from(arg)).is_some() {
                    return usage(format!("more than one check file: `{arg}`"));
                }
                continue;
            };
            if let Some(define) = name.strip_prefix('D') {
                let define = if define.is_empty() { value_after(&mut args, arg)? } else { define.to_owned() };
                options.defines.push(define);
                continue;
            }
            let (name, given) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (name, None),
            };
            let mut value = || match &given {
                Some(value) => Ok(value.clone()),
                None => value_after(&mut args, arg),
            };
            let list = |text: String| text.split(',').map(str::to_owned).collect::<Vec<_>>();
            match name {
                "check-prefix" | "check-prefixes" => options.prefixes.extend(list(value()?)),
                "comment-prefixes" => options.comment_prefixes.extend(list(value()?)),
                "implicit-check-not" => options.implicit_check_not.push(value()?),
                "input-file" => options.input_file = Some(PathBuf::from(value()?)).filter(|p| p.as_os_str() != "-"),
                "dump-input" => options.dump_input = dump_input(&value()?)?,
                // Accepted without effect on the verdict: they control the output of LLVM's tool.
                "dump-input-context" | "dump-input-filter" => drop(value()?),
                "color" | "v" | "vv" => {}
                "allow-empty" => options.allow_empty = flag(name, given)?,
                "allow-unused-prefixes" => options.allow_unused_prefixes = flag(name, given)?,
                "strict-whitespace" => options.strict_whitespace = flag(name, given)?,
                "match-full-lines" => options.match_full_lines = flag(name, given)?,
                "ignore-case" => options.ignore_case = flag(name, given)?,
                "enable-var-scope" => options.enable_var_scope = flag(name, given)?,
                _ => return usage(format!("unknown option `{arg}`")),
            }
        }
        options.check_file = match check_file {
            Some(file) => file,
            None => return usage("no check file given"),
        };
        Ok(options)
    }

    /// Returns the prefixes, `CHECK` by default.
    pub fn check_prefixes(&self) -> Vec<&str> {
        or_default(&self.prefixes, &["CHECK"])
    }

    pub fn comment_prefixes(&self) -> Vec<&str> {
        or_default(&self.comment_prefixes, &["COM", "RUN"])
    }
}

fn or_default<'a>(given: &'a [String], default: &[&'static str]) -> Vec<&'a str> {
    if given.is_empty() { default.to_vec() } else { given.iter().map(String::as_str).collect() }
}

fn value_after<'a>(args: &mut impl Iterator<Item = &'a String>, option: &str) -> Result<String, Failure> {
    args.next().cloned().ok_or_else(|| Failure::Usage(format!("error: option `{option}` needs a value")))
}

fn dump_input(value: &str) -> Result<bool, Failure> {
    match value {
        "always" | "fail" => Ok(true),
        "never" => Ok(false),
        _ => usage(format!("`--dump-input` is always, fail or never, not `{value}`")),
    }
}

fn flag(name: &str, given: Option<String>) -> Result<bool, Failure> {
    match given.as_deref() {
        None | Some("true" | "1") => Ok(true),
        Some("false" | "0") => Ok(false),
        Some(other) => usage(format!("`--{name}` takes no value, found `{other}`")),
    }
}

/// Checks `input`, called `input_name` in messages, against the text of the check file.
pub fn check(options: &Options, checks: &str, input_name: &str, input: &str) -> Result<(), Failure> {
    if input.is_empty() && !options.allow_empty {
        return Err(Failure::Invalid(format!(
            "error: {input_name} is empty; did its command fail? `--allow-empty` permits it"
        )));
    }
    let checks = canonical(checks, options.strict_whitespace);
    let input = canonical(input, options.strict_whitespace);
    let steps = directives::parse(options, &checks)?;
    order::Checker::new(options, &checks, input_name, &input)?.run(&steps)
}

/// Returns `text` with LF line ends and, unless `strict`, one blank for each run of blanks and tabs.
pub fn canonical(text: &str, strict: bool) -> String {
    let text = text.replace("\r\n", "\n");
    if strict {
        return text;
    }
    let mut one = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' ' | '\t' if one.ends_with(' ') => {}
            ' ' | '\t' => one.push(' '),
            _ => one.push(c),
        }
    }
    one
}

/// Runs a FileCheck command line on the given standard input; relative paths are relative to `dir`.
pub fn run(args: &[String], dir: &Path, stdin: &mut dyn std::io::Read) -> Result<(), Failure> {
    let options = Options::parse(args)?;
    let read = |path: &Path| {
        std::fs::read(dir.join(path))
            .map_err(|e| Failure::Invalid(format!("error: cannot read `{}`: {e}", path.display())))
    };
    let checks = read(&options.check_file)?;
    let (name, input) = match &options.input_file {
        Some(path) => (path.display().to_string(), read(path)?),
        None => {
            let mut text = Vec::new();
            stdin
                .read_to_end(&mut text)
                .map_err(|e| Failure::Invalid(format!("error: cannot read standard input: {e}")))?;
            ("<stdin>".to_owned(), text)
        }
    };
    check(&options, &String::from_utf8_lossy(&checks), &name, &String::from_utf8_lossy(&input))
}
