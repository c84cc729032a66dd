//! A pattern of a check file: text with `{{regex}}`, `[[NAME:regex]]`, `[[NAME]]` and `[[#expression]]`.
//!
//! Before a pattern is searched, it is resolved: regular expressions are translated, and variables of earlier
//! directives and numeric expressions are replaced by their texts. The result is one regular expression with captures,
//! which [`super::engine`] searches.

use std::collections::BTreeMap;

use super::directives::{Directive, DirectiveKind};
use super::engine::{Part, search};
use super::numeric::{Block, Expected, Format};
use super::{Options, ere};

/// The value of a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Variable {
    Text(String),
    Number { format: Format, value: i128 },
}

pub type Variables = BTreeMap<String, Variable>;

/// The bytes `start..end` of the searched text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    pub start: usize,
    pub end: usize,
}

/// An error in a pattern, or in the text after `-D`.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("found start of regex string with no end `}}}}`")]
    RegexEnd,
    #[error("missing closing `]` for regex variable")]
    VariableEnd,
    #[error("invalid substitution block, no `]]` found")]
    BlockEnd,
    #[error("invalid regex: {0}")]
    Regex(#[from] ere::Error),
    #[error(transparent)]
    Search(#[from] fancy_regex::Error),
    #[error("invalid {what} `{found}`")]
    Invalid { what: &'static str, found: String },
    #[error("undefined variable: {0}")]
    Undefined(String),
    #[error("found `{0}:` with variable definition or use")]
    Label(String),
    #[error("numeric variable `{0}` defined earlier in the same CHECK directive")]
    DefinedBefore(String),
    #[error("implicit format conflict in `{0}`: need an explicit format")]
    Conflict(String),
    #[error("empty numeric expression should not have a constraint")]
    Constraint,
    #[error("call to undefined function `{0}`")]
    Function(String),
    #[error("function `{0}` takes 2 arguments")]
    Arguments(String),
    #[error("missing `)` at end of {0} expression")]
    Unclosed(&'static str),
    #[error("more than 100 nested parentheses")]
    Nesting,
    #[error("unexpected characters at end of expression `{0}`")]
    Trailing(String),
    #[error("overflow or division by zero in numeric expression")]
    Overflow,
    #[error("unable to represent the value {value} in format `%{format}`")]
    Value { value: i128, format: char },
    #[error("unable to represent the numeric value {0}")]
    TooLarge(String),
    #[error("expected {0}")]
    Expected(&'static str),
}

impl Error {
    pub fn invalid(what: &'static str, found: impl Into<String>) -> Error {
        Error::Invalid { what, found: found.into() }
    }
}

/// The reason why there is no match.
#[derive(Debug)]
pub enum Miss {
    /// The text does not contain the pattern.
    NotFound,
    /// The engine does not accept the pattern.
    Invalid(fancy_regex::Error),
    /// A variable has no value, or a value cannot be computed.
    Unusable(Error),
}

impl From<Error> for Miss {
    fn from(error: Error) -> Miss {
        Miss::Unusable(error)
    }
}

/// Returns the first match of the directive's valid pattern in `text`, and sets the variables that it defines.
pub fn find(options: &Options, directive: &Directive, variables: &mut Variables, text: &str) -> Result<Match, Miss> {
    match directive.kind {
        DirectiveKind::End => return Ok(Match { start: text.len(), end: text.len() }),
        DirectiveKind::Empty => return empty_line(text),
        _ => {}
    }
    let resolved = Resolved::new(options, directive, variables)?;
    let mut found = search(options, &resolved.parts, false, text)?;
    if resolved.alternatives
        && let Some(other) = search(options, &resolved.parts, true, text)?
        && found.as_ref().is_none_or(|f| other.at.start == f.at.start && other.at.end > f.at.end)
    {
        found = Some(other);
    }
    let found = found.ok_or(Miss::NotFound)?;
    for (name, format) in &resolved.defined {
        let Some(value) = found.captured.get(*name) else { continue };
        let value = match format {
            None => Variable::Text(value.clone()),
            Some(format) => Variable::Number { format: *format, value: format.read(value)? },
        };
        variables.insert((*name).to_owned(), value);
    }
    Ok(found.at)
}

/// Checks a pattern as far as possible before anything is matched.
pub fn validate(directive: &Directive) -> Result<(), Error> {
    if matches!(directive.kind, DirectiveKind::End | DirectiveKind::Empty) || directive.literal {
        return Ok(());
    }
    let mut numbers = Vec::new();
    for piece in pieces(&directive.pattern)? {
        let variable = match piece {
            Piece::Regex(regex) => {
                ere::translate(regex)?;
                false
            }
            Piece::Define(name, regex) => {
                definition(regex)?;
                check_name(name)?;
                true
            }
            Piece::Use(name) => {
                if !name.starts_with('@') {
                    check_name(name)?;
                }
                true
            }
            Piece::Number(text) => {
                let block = Block::parse(text)?;
                block.check_syntax()?;
                if let Some(name) = block.reads().find(|name| numbers.contains(name)) {
                    return Err(Error::DefinedBefore(name.to_owned()));
                }
                numbers.extend(block.name);
                block.reads().next().is_some()
            }
            Piece::Literal(_) => false,
        };
        if variable && directive.kind == DirectiveKind::Label {
            return Err(Error::Label(directive.name.clone()));
        }
    }
    Ok(())
}

/// Finds the match of `CHECK-EMPTY`: the empty rest of a line directly after a line end.
fn empty_line(text: &str) -> Result<Match, Miss> {
    let bytes = text.as_bytes();
    let at = (0..bytes.len()).find(|&i| bytes[i] == b'\n' && matches!(bytes.get(i + 1), None | Some(b'\n')));
    at.map(|i| Match { start: i + 1, end: i + 1 }).ok_or(Miss::NotFound)
}

/// A part of a pattern, as written.
#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Literal(&'a str),
    Regex(&'a str),
    Define(&'a str, &'a str),
    Use(&'a str),
    /// The text between `[[#` and `]]`.
    Number(&'a str),
}

/// Splits a pattern by LLVM's rules: `{{` up to the next `}}`, `[[` up to the `]]` outside of brackets. The first
/// bracket of `[[[` is text.
fn pieces(pattern: &str) -> Result<Vec<Piece<'_>>, Error> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix("{{") {
            let end = inside.find("}}").ok_or(Error::RegexEnd)?;
            pieces.push(Piece::Regex(&inside[..end]));
            rest = &inside[end + 2..];
        } else if let Some(inside) = rest.strip_prefix("[[").filter(|inside| !inside.starts_with('[')) {
            let end = block_end(inside)?;
            let block = &inside[..end];
            pieces.push(match (block.strip_prefix('#'), block.split_once(':')) {
                (Some(number), _) => Piece::Number(number),
                (None, Some((name, regex))) => Piece::Define(name, regex),
                (None, None) => Piece::Use(block),
            });
            rest = &inside[end + 2..];
        } else {
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let next = |text| rest[first..].find(text).map(|at| at + first);
            let end = [next("{{"), next("[[")].into_iter().flatten().min().unwrap_or(rest.len());
            pieces.push(Piece::Literal(&rest[..end]));
            rest = &rest[end..];
        }
    }
    Ok(pieces)
}

/// Returns the position of the `]]` of a `[[` block. Brackets nest, and a backslash escapes.
fn block_end(text: &str) -> Result<usize, Error> {
    let (mut depth, mut escaped) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            ']' if depth == 0 && text[at..].starts_with("]]") => return Ok(at),
            '\\' => escaped = true,
            '[' => depth += 1,
            ']' if depth == 0 => return Err(Error::VariableEnd),
            ']' => depth -= 1,
            _ => {}
        }
    }
    Err(Error::BlockEnd)
}

pub fn check_name(name: &str) -> Result<(), Error> {
    let bare = name.strip_prefix('$').unwrap_or(name);
    let mut chars = bare.chars();
    let valid = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if valid { Ok(()) } else { Err(Error::invalid("variable name", name)) }
}

/// Translates the regex of a definition, which may be empty.
fn definition(regex: &str) -> Result<ere::Translated, ere::Error> {
    if regex.is_empty() {
        return Ok(ere::Translated { regex: "(?:)".to_owned(), reversed: None });
    }
    ere::translate(regex)
}

/// A resolved pattern, in which variables of earlier directives are replaced by their texts.
struct Resolved<'a> {
    parts: Vec<Part<'a>>,
    /// True if some regex contains an alternation.
    alternatives: bool,
    /// The names that the pattern defines, with a format if they are numeric.
    defined: Vec<(&'a str, Option<Format>)>,
}

impl<'a> Resolved<'a> {
    fn new(options: &Options, directive: &'a Directive, variables: &Variables) -> Result<Self, Error> {
        let mut to = Self { parts: Vec::new(), alternatives: false, defined: Vec::new() };
        // As in LLVM, absent and literal patterns need not match full lines.
        let full_lines = options.match_full_lines && directive.kind != DirectiveKind::Not && !directive.literal;
        let blanks = if options.strict_whitespace { "" } else { "\\x20*" };
        if full_lines {
            to.regex(format!("(?m:^){blanks}"));
        }
        let pieces = match directive.literal {
            true => vec![Piece::Literal(&directive.pattern)],
            false => pieces(&directive.pattern)?,
        };
        for piece in pieces {
            match piece {
                Piece::Literal(text) => to.regex(ere::literal(text)),
                Piece::Regex(regex) => to.parts.push(Part::Regex(ere::translate(regex)?)),
                Piece::Define(name, regex) => {
                    to.parts.push(Part::Define(name, definition(regex)?));
                    to.defined.push((name, None));
                }
                Piece::Use(name) if name.starts_with('@') => to.number(name, directive.line, variables)?,
                Piece::Use(name) if to.defined.iter().any(|(own, _)| *own == name) => to.parts.push(Part::Again(name)),
                Piece::Use(name) => match variables.get(name) {
                    Some(Variable::Text(value)) => to.regex(ere::literal(value)),
                    _ => return Err(Error::Undefined(name.to_owned())),
                },
                Piece::Number(text) => to.number(text, directive.line, variables)?,
            }
        }
        if full_lines {
            to.regex(format!("{blanks}(?m:$)"));
        }
        to.alternatives = to.parts.iter().any(|part| match part {
            Part::Regex(regex) | Part::Define(_, regex) => regex.reversed.is_some(),
            Part::Again(_) => false,
        });
        Ok(to)
    }

    fn regex(&mut self, regex: String) {
        self.parts.push(Part::Regex(ere::Translated { regex, reversed: None }));
    }

    fn number(&mut self, text: &'a str, line: usize, variables: &Variables) -> Result<(), Error> {
        let block = Block::parse(text)?;
        let (regex, format) = match block.expect(variables, line)? {
            Expected::Any { regex, format } => (regex, format),
            Expected::Text { text, format } => (ere::literal(&text), format),
        };
        match block.name {
            Some(name) => {
                self.parts.push(Part::Define(name, ere::Translated { regex, reversed: None }));
                self.defined.push((name, Some(format)));
            }
            None => self.regex(regex),
        }
        Ok(())
    }
}
