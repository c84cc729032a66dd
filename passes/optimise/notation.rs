//! S-expressions with positions, the notation of programs (`spec/arrays.md` A.2) and of user rules. A comment starts
//! with `;` and ends at the end of the line.

use std::fmt;
use thiserror::Error;

/// A numeric literal, before its element type is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A literal without point and exponent that fits 64 bits.
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl Number {
    /// Parses `7`, `-1.5e3`, `inf`, `-inf`, `nan`, `true` or `false`. Returns `None` for other text.
    pub fn parse(text: &str) -> Option<Number> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        match digits {
            "true" if digits == text => return Some(Number::Bool(true)),
            "false" if digits == text => return Some(Number::Bool(false)),
            "inf" | "nan" => {}
            // Rust also parses `infinity` and `NaN`; the notation has only one spelling.
            _ if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => return None,
            _ => {}
        }
        if let Ok(int) = text.parse() {
            return Some(Number::Int(int));
        }
        text.parse().ok().map(Number::Float)
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Number::Int(n) => write!(f, "{n}"),
            Number::Float(x) => write!(f, "{x:?}"),
            Number::Bool(b) => write!(f, "{b}"),
        }
    }
}

/// The maximum nesting of parentheses, because the import is recursive.
const MAX_NESTING: usize = 10_000;

/// A line and column of a text, counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// An error in a text, with its position.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{at}: error: {text}")]
pub struct TermError {
    pub at: Position,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub at: Position,
    pub form: Form,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    Atom(String),
    List(Vec<Term>),
}

impl Term {
    pub fn error(&self, text: impl fmt::Display) -> TermError {
        TermError { at: self.at, text: text.to_string() }
    }

    /// Returns the error `expected …, found …` with this term as written.
    pub fn expected(&self, what: impl fmt::Display) -> TermError {
        self.error(format!("expected {what}, found {self}"))
    }

    pub fn list(&self) -> Option<&[Term]> {
        if let Form::List(items) = &self.form { Some(items) } else { None }
    }

    /// Returns the word, if this is a word and not a number.
    pub fn name(&self) -> Option<&str> {
        match &self.form {
            Form::Atom(word) if Number::parse(word).is_none() => Some(word),
            _ => None,
        }
    }

    /// Returns the number, if this is one.
    pub fn number(&self) -> Option<Number> {
        if let Form::Atom(word) = &self.form { Number::parse(word) } else { None }
    }
}

/// Formats a word in full, and only the head of a list, for messages.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.form {
            Form::Atom(word) => write!(f, "`{word}`"),
            Form::List(items) => match items.first() {
                None => f.write_str("`()`"),
                Some(Term { form: Form::Atom(head), .. }) if items.len() == 1 => write!(f, "`({head})`"),
                Some(Term { form: Form::Atom(head), .. }) => write!(f, "`({head} …)`"),
                Some(_) => f.write_str("`((…) …)`"),
            },
        }
    }
}

/// Parses all terms of a text.
pub fn read(text: &str) -> Result<Vec<Term>, TermError> {
    let mut reader = Reader { rest: text.chars().peekable(), at: Position { line: 1, column: 1 } };
    // The open lists, outermost first; the first entry is the text itself.
    let mut open: Vec<(Position, Vec<Term>)> = vec![(reader.at, vec![])];
    loop {
        reader.skip_blanks();
        let at = reader.at;
        let innermost = open.len() - 1;
        match reader.next() {
            None if open.len() > 1 => {
                let begun = open[innermost].0;
                return Err(TermError { at, text: format!("expected `)` for the `(` at {begun}, found the end") });
            }
            None => return Ok(open.remove(0).1),
            Some('(') if innermost == MAX_NESTING => {
                return Err(TermError { at, text: format!("expected at most {MAX_NESTING} nested parentheses") });
            }
            Some('(') => open.push((at, vec![])),
            Some(')') => {
                let (begun, items) = open.pop().expect("the text itself stays open");
                let Some((_, around)) = open.last_mut() else {
                    return Err(TermError { at, text: "expected a term, found `)`".into() });
                };
                around.push(Term { at: begun, form: Form::List(items) });
            }
            Some(first) => {
                let word = reader.word(first);
                open[innermost].1.push(Term { at, form: Form::Atom(word) });
            }
        }
    }
}

/// Parses a text with exactly one term.
pub fn read_one(text: &str) -> Result<Term, TermError> {
    let mut terms = read(text)?.into_iter();
    match (terms.next(), terms.next()) {
        (Some(term), None) => Ok(term),
        (Some(_), Some(second)) => Err(second.expected("the end of the text")),
        (None, _) => Err(TermError { at: Position { line: 1, column: 1 }, text: "expected a term, found none".into() }),
    }
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    at: Position,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        self.at = match c {
            '\n' => Position { line: self.at.line + 1, column: 1 },
            _ => Position { column: self.at.column + 1, ..self.at },
        };
        Some(c)
    }

    fn skip_blanks(&mut self) {
        while let Some(&c) = self.rest.peek() {
            if c == ';' {
                while self.rest.peek().is_some_and(|&c| c != '\n') {
                    self.next();
                }
            } else if !c.is_whitespace() {
                return;
            }
            self.next();
        }
    }

    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first);
        while let Some(&c) = self.rest.peek() {
            if c.is_whitespace() || matches!(c, '(' | ')' | ';') {
                break;
            }
            word.push(c);
            self.next();
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read_one(text).unwrap_err().to_string()
    }

    #[test]
    fn reads_lists_with_positions() {
        let term = read_one("; a comment\n(+ x\n   (* 2.0 y)) ; the end").unwrap();
        assert_eq!(term.at, Position { line: 2, column: 1 });
        let items = term.list().unwrap();
        assert_eq!(items[1].name(), Some("x"));
        assert_eq!(items[2].at, Position { line: 3, column: 4 });
        assert_eq!(items[2].list().unwrap()[1].number(), Some(Number::Float(2.0)));
        assert_eq!(items[2].list().unwrap()[1].name(), None);
        assert_eq!(read("() é(a)").unwrap().len(), 3);
    }

    #[test]
    fn says_where_parentheses_are_wrong() {
        assert_eq!(error("(+ x\n (* y)"), "2:7: error: expected `)` for the `(` at 1:1, found the end");
        assert_eq!(error("x)"), "1:2: error: expected a term, found `)`");
        assert_eq!(error("x (y)"), "1:3: error: expected the end of the text, found `(y)`");
        assert_eq!(error(" ; nothing"), "1:1: error: expected a term, found none");
        assert_eq!(error(&"(".repeat(MAX_NESTING + 1)), "1:10001: error: expected at most 10000 nested parentheses");
    }
}
