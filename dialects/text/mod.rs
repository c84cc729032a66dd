//! The parts that the readers of all notations other than MLIR share: source locations, errors that show a location,
//! and a lexer. [`count`] also serves the messages of all other modules. This module may use `suggest`, which finds
//! similar names. It must not depend on a particular notation, because all of them use it.

pub mod lexer;
pub mod terms;

use std::fmt;
use thiserror::Error;

/// A range of bytes of a text, with the line and column of its start, from one; columns count characters. The text may
/// be generated and state that a part comes from another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    pub line: usize,
    pub column: usize,
    /// 0 for the text itself, otherwise the number of the other file.
    pub file: u32,
}

impl Span {
    /// The empty span at the start of a text.
    pub const START: Span = Span { start: 0, end: 0, line: 1, column: 1, file: 0 };

    /// Returns the span from the start of this one to the end of `last`.
    pub fn to(self, last: Span) -> Span {
        Span { end: last.end.max(self.start), ..self }
    }

    /// Returns an error at this place.
    pub fn error(self, text: impl Into<String>) -> Problem {
        Problem { at: self, code: None, text: text.into(), file: None }
    }

    /// Returns the empty span at the end of `text`, which starts where this span does.
    pub fn after(self, text: &str) -> Span {
        let end = self.start + text.len();
        match text.rsplit_once('\n') {
            Some((before, last)) => {
                let line = self.line + 1 + before.matches('\n').count();
                Span { start: end, end, line, column: last.chars().count() + 1, ..self }
            }
            None => Span { start: end, end, column: self.column + text.chars().count(), ..self },
        }
    }
}

/// Prints the line and the column of the start.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// An error in a text, with its place.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{at}: error: {}{text}", prefix(.code))]
pub struct Problem {
    pub at: Span,
    /// The code of a specification, such as `E-CLOCK`, if there is one.
    pub code: Option<&'static str>,
    pub text: String,
    /// The file of the place, if it is not the text itself.
    pub file: Option<String>,
}

impl Problem {
    pub fn with_code(code: &'static str, at: Span, text: impl Into<String>) -> Problem {
        Problem { at, code: Some(code), text: text.into(), file: None }
    }

    /// Returns the place as `FILE:LINE:COLUMN`, in a text of this name.
    pub fn place(&self, name: &str) -> String {
        format!("{}:{}", self.file.as_deref().unwrap_or(name), self.at)
    }

    /// Returns the message with its code, without its place.
    pub fn message(&self) -> String {
        prefix(&self.code) + &self.text
    }

    /// Formats an error in one line of text: `column 5: expected …`.
    pub fn in_line(&self) -> String {
        format!("column {}: {}", self.at.column, self.message())
    }
}

/// Formats a code before a message.
fn prefix(code: &Option<&'static str>) -> String {
    code.map_or(String::new(), |code| format!("{code}: "))
}

/// Nouns of messages whose plural is not formed by an added `s`.
const IRREGULAR: [(&str, &str); 4] =
    [("axis", "axes"), ("index", "indices"), ("entry", "entries"), ("class", "classes")];

/// Formats `1 operand`, `2 operands`, `3 leading axes`.
pub fn count<N: fmt::Display + PartialEq + From<u8>>(n: N, what: &str) -> String {
    if n == N::from(1u8) {
        return format!("{n} {what}");
    }
    match IRREGULAR.iter().find_map(|(one, more)| Some((what.strip_suffix(*one)?, *more))) {
        Some((start, more)) => format!("{n} {start}{more}"),
        None => format!("{n} {what}s"),
    }
}

/// Reads `bytes` as UTF-8.
///
/// # Errors
/// The place of the first byte that is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(bytes).map_err(|e| {
        let at = Span::START.after(&String::from_utf8_lossy(&bytes[..e.valid_up_to()]));
        at.error("expected text in UTF-8, found other bytes")
    })
}
