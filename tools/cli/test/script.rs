//! The directives of a test file: its RUN lines, and the features that it requires.

use super::shell;
use std::path::{Path, PathBuf};

/// An error in the directives of a test file.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Error {
    #[error("line {line}: `{keyword}` is not supported")]
    Keyword { line: usize, keyword: &'static str },
    #[error("line {0}: RUN line continues with `\\`, but no RUN line follows")]
    Continued(usize),
    #[error("no RUN line; put files that only other tests read in a folder `Inputs`")]
    NoRun,
    #[error("line {line}: `REQUIRES:` takes names separated by commas, found `{found}`")]
    Requires { line: usize, found: String },
    #[error("unknown feature `{0}`: expected gpu, valgrind, python3, clang-19 or ptxas")]
    Feature(String),
}

/// The directives of one test file.
#[derive(Debug, Default, PartialEq)]
pub struct Script {
    /// Each command with the line, from 1, on which it starts. Continued lines are joined.
    pub runs: Vec<(usize, String)>,
    /// The names in `REQUIRES:` lines.
    pub requires: Vec<String>,
}

/// Finds the directives in a file's text. As in lit, they may be anywhere in a line, and a later `END.` ends the
/// search.
pub fn parse(text: &str) -> Result<Script, Error> {
    const KEYWORDS: [&str; 8] =
        ["RUN:", "REQUIRES:", "XFAIL:", "UNSUPPORTED:", "ALLOW_RETRIES:", "REDEFINE:", "DEFINE:", "END."];
    let mut script = Script::default();
    let mut continued = false;
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line)) {
        let first = KEYWORDS.iter().filter_map(|keyword| Some((line.find(keyword)?, *keyword))).min();
        let Some((at, keyword)) = first else { continue };
        let rest = line[at + keyword.len()..].trim();
        match keyword {
            "RUN:" => {
                let (command, more) = match rest.strip_suffix('\\') {
                    Some(command) => (command.trim_end(), true),
                    None => (rest, false),
                };
                match script.runs.last_mut().filter(|_| continued) {
                    Some((_, previous)) => *previous = format!("{previous} {command}"),
                    None => script.runs.push((number, command.to_owned())),
                }
                continued = more;
            }
            "REQUIRES:" => script.requires.extend(requires(number, rest)?),
            "END." if rest.is_empty() => break,
            "END." => {}
            _ => return Err(Error::Keyword { line: number, keyword }),
        }
    }
    match script.runs.last() {
        Some((line, _)) if continued => Err(Error::Continued(*line)),
        Some(_) => Ok(script),
        None => Err(Error::NoRun),
    }
}

fn requires(line: usize, list: &str) -> Result<Vec<String>, Error> {
    let word = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let names = list.split(',').map(str::trim);
    names
        .map(|name| match word(name) {
            true => Ok(name.to_owned()),
            false => Err(Error::Requires { line, found: name.to_owned() }),
        })
        .collect()
}

/// The values of substitutions such as `%s` in one test.
#[derive(Debug, Clone)]
pub struct Substitutions {
    /// The absolute path of the test file.
    pub source: PathBuf,
    /// The absolute path of the test's own empty folder, `%T`; `%t` is a name in it.
    pub temporary: PathBuf,
}

impl Substitutions {
    /// Applies substitutions in one word of a RUN line. As in lit, other `%` are unchanged.
    pub fn apply(&self, word: &str) -> Result<String, shell::Error> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let folder = self.source.parent().unwrap_or(Path::new("/"));
        let name = self.source.file_name().unwrap_or_default().to_string_lossy();
        let mut result = String::new();
        let mut rest = word;
        while let Some(at) = rest.find('%') {
            result.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            let value = match after.chars().next() {
                Some('%') => "%".to_owned(),
                Some('s') => text(&self.source),
                Some('S' | 'p') => text(folder),
                Some('T') => text(&self.temporary),
                Some('t') => text(&self.temporary.join(format!("{name}.tmp"))),
                Some('{' | '(' | '/' | ':') => {
                    return Err(shell::Error::NotSupported(format!("the substitution in `{word}`")));
                }
                _ => {
                    result.push('%');
                    rest = after;
                    continue;
                }
            };
            result.push_str(&value);
            rest = &after[1..];
        }
        result.push_str(rest);
        Ok(result)
    }
}
