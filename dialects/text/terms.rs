//! The reader of S-expressions with source locations: the syntax of programs as terms (`spec/arrays.md` A.2) and of
//! user rules. A comment starts with `;` and ends at the end of the line.

use super::lexer::{Lexer, Syntax, Token, prefix};
use super::{Problem, Span};
use crate::value::Element;
use std::fmt;

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
pub const MAX_NESTING: usize = 10_000;

const SYNTAX: &Syntax = &Syntax {
    comment: Some(";"),
    marks: &["(", ")"],
    keywords: &[],
    word: |text| match text.strip_prefix('"') {
        Some(inner) => quoted(inner).map_or(0, |length| length + 1),
        None => prefix(text, |c| !c.is_whitespace() && !matches!(c, '(' | ')' | ';')),
    },
};

/// Returns the length in bytes of the rest of a string, up to its closing quote.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes()
        .position(|c| {
            let ends = c == b'"' && !escaped;
            escaped = c == b'\\' && !escaped;
            ends
        })
        .map(|k| k + 1)
}

#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub at: Span,
    pub form: Form,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    Atom(String),
    List(Vec<Term>),
}

impl Term {
    pub fn error(&self, text: impl Into<String>) -> Problem {
        self.at.error(text)
    }

    /// Returns the error `expected …, found …` with this term as written.
    pub fn expected(&self, what: impl fmt::Display) -> Problem {
        self.error(format!("expected {what}, found {self}"))
    }

    pub fn list(&self) -> Option<&[Term]> {
        if let Form::List(items) = &self.form { Some(items) } else { None }
    }

    /// Returns the items of this list, which `what` describes in the error.
    pub fn items(&self, what: &str) -> Result<&[Term], Problem> {
        self.list().ok_or_else(|| self.expected(what))
    }

    /// Returns this word, which `what` describes in the error.
    pub fn named(&self, what: &str) -> Result<&str, Problem> {
        self.name().ok_or_else(|| self.expected(what))
    }

    /// Returns the word, if this is a word and not a number.
    pub fn name(&self) -> Option<&str> {
        match &self.form {
            Form::Atom(word) if Number::parse(word).is_none() && !word.starts_with('"') => Some(word),
            _ => None,
        }
    }

    /// Returns the contents of a string, if this is one: `\"` is a quote, `\\` a backslash, `\n` a line break.
    pub fn string(&self) -> Option<String> {
        let Form::Atom(word) = &self.form else { return None };
        let inner = word.strip_prefix('"')?.strip_suffix('"')?;
        let mut characters = inner.chars();
        let mut text = String::new();
        while let Some(c) = characters.next() {
            text.push(match c {
                '\\' => match characters.next()? {
                    'n' => '\n',
                    other => other,
                },
                _ => c,
            });
        }
        Some(text)
    }

    /// Returns the number of a program, if this is one.
    ///
    /// # Errors
    /// An integer has more than 64 bits.
    pub fn literal(&self) -> Result<Option<Number>, Problem> {
        match (self.number(), &self.form) {
            (Some(Number::Float(_)), Form::Atom(word)) if !word.contains(['.', 'e', 'E', 'n']) => {
                Err(self.expected("a signed integer of 64 bits"))
            }
            (number, _) => Ok(number),
        }
    }

    /// Reads the kind of a variable.
    pub fn element(&self) -> Result<Element, Problem> {
        let element = self.name().and_then(element);
        element.ok_or_else(|| self.expected(format!("a kind, one of {}", kinds())))
    }

    /// Returns the number, if this is one.
    pub fn number(&self) -> Option<Number> {
        if let Form::Atom(word) = &self.form { Number::parse(word) } else { None }
    }
}

/// Returns the kinds of numbers for a message.
pub fn kinds() -> String {
    let names = Element::ALL.iter().filter(|&&e| e != Element::I1).map(|e| e.name());
    names.chain(["bool"]).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the element type of a kind.
pub fn element(kind: &str) -> Option<Element> {
    match kind {
        "bool" => Some(Element::I1),
        _ => Element::from_name(kind).filter(|&e| e != Element::I1),
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
pub fn read(text: &str) -> Result<Vec<Term>, Problem> {
    let mut lexer = Lexer::new(SYNTAX, text);
    // The open lists, outermost first, and the complete terms of the innermost one.
    let mut open: Vec<(Span, Vec<Term>)> = vec![];
    let mut items = vec![];
    loop {
        let (token, (text, at)) = (lexer.peek().0, lexer.consume());
        match (token, text) {
            (Token::End, _) => {
                let Some((begun, _)) = open.last() else { return Ok(items) };
                return Err(at.error(format!("expected `)` for the `(` at {begun}, found the end of the text")));
            }
            (Token::Mark, "(") if open.len() == MAX_NESTING => {
                return Err(at.error(format!("expected at most {MAX_NESTING} nested parentheses")));
            }
            (Token::Mark, "(") => open.push((at, std::mem::take(&mut items))),
            (Token::Mark, _) => {
                let Some((begun, around)) = open.pop() else {
                    return Err(at.error("expected a term, found `)`"));
                };
                let form = Form::List(std::mem::replace(&mut items, around));
                items.push(Term { at: begun.to(at), form });
            }
            _ => items.push(Term { at, form: Form::Atom(text.into()) }),
        }
    }
}

/// Parses a text with exactly one term.
pub fn read_one(text: &str) -> Result<Term, Problem> {
    let mut terms = read(text)?.into_iter();
    match (terms.next(), terms.next()) {
        (Some(term), None) => Ok(term),
        (Some(_), Some(second)) => Err(second.expected("the end of the text")),
        (None, _) => Err(Span::START.error("expected a term, found none")),
    }
}
