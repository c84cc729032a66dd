//! The lexer of all notations. A table states which comments, punctuation marks and words a notation has.

use super::{Problem, Span};
use std::fmt::Display;

/// The tokens of a notation.
pub struct Syntax {
    /// The start of a comment, which ends with its line.
    pub comment: Option<&'static str>,
    /// The punctuation; a mark stands before its own prefixes.
    pub marks: &'static [&'static str],
    /// Words that are punctuation, not names.
    pub keywords: &'static [&'static str],
    /// Returns the length in bytes of the word at the start of a text, or 0.
    pub word: fn(&str) -> usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token {
    /// A name or a number.
    Word,
    /// A mark or a keyword.
    Mark,
    /// A character with which no token starts.
    Other,
    End,
}

/// A reader of tokens with one token of lookahead.
pub struct Lexer<'t> {
    syntax: &'static Syntax,
    /// The text after the lookahead.
    rest: &'t str,
    /// The lookahead: its kind, its text, and its place.
    token: Token,
    text: &'t str,
    at: Span,
    /// The place of the last consumed token.
    last: Span,
    /// The number of parts around the current one ([`Lexer::nested`]).
    depth: usize,
}

impl<'t> Lexer<'t> {
    pub fn new(syntax: &'static Syntax, text: &'t str) -> Lexer<'t> {
        Lexer::within(syntax, text, Span::START)
    }

    /// Returns a lexer of a part of a larger text, which starts where `at` does.
    pub fn within(syntax: &'static Syntax, part: &'t str, at: Span) -> Lexer<'t> {
        let mut lexer = Lexer { syntax, rest: part, token: Token::End, text: "", at, last: at, depth: 0 };
        lexer.advance();
        lexer
    }

    fn advance(&mut self) {
        (self.last, self.at) = (self.at, self.at.after(self.text));
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            let skipped = match self.syntax.comment {
                _ if blank > 0 => blank,
                Some(comment) if self.rest.starts_with(comment) => self.rest.find('\n').unwrap_or(self.rest.len()),
                _ => break,
            };
            self.at = self.at.after(self.split(skipped));
        }
        let mark = self.syntax.marks.iter().find(|mark| self.rest.starts_with(**mark));
        let word = (self.syntax.word)(self.rest);
        (self.token, self.text) = match (mark, self.rest.chars().next()) {
            (Some(mark), _) => (Token::Mark, self.split(mark.len())),
            (None, _) if word > 0 => (Token::Word, self.split(word)),
            (None, Some(c)) => (Token::Other, self.split(c.len_utf8())),
            (None, None) => (Token::End, ""),
        };
        if self.syntax.keywords.contains(&self.text) {
            self.token = Token::Mark;
        }
        self.at.end = self.at.start + self.text.len();
    }

    /// Splits `length` bytes off the rest.
    fn split(&mut self, length: usize) -> &'t str {
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        text
    }

    /// Returns the text of the token that comes next; empty at the end.
    pub fn peek(&self) -> (Token, &'t str) {
        (self.token, self.text)
    }

    /// Returns the place of the token that comes next.
    pub fn span(&self) -> Span {
        self.at
    }

    /// Returns the span from `start` to the end of the last consumed token.
    pub fn since(&self, start: Span) -> Span {
        start.to(self.last)
    }

    /// Consumes a token. Returns its text and its place.
    pub fn consume(&mut self) -> (&'t str, Span) {
        let token = (self.text, self.at);
        self.advance();
        token
    }

    pub fn is(&self, mark: &str) -> bool {
        self.token == Token::Mark && self.text == mark
    }

    /// Consumes a mark or keyword if it comes next.
    pub fn take(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, mark: &str) -> Result<(), Problem> {
        if self.take(mark) { Ok(()) } else { Err(self.expected(format_args!("`{mark}`"))) }
    }

    /// Consumes a word that `accepts` accepts; `what` describes it in the error.
    pub fn word(&mut self, what: &str, accepts: impl Fn(&str) -> bool) -> Result<(&'t str, Span), Problem> {
        if self.token == Token::Word && accepts(self.text) { Ok(self.consume()) } else { Err(self.expected(what)) }
    }

    /// Parses items between commas, up to and including `close`.
    pub fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        let mut items = vec![];
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(close) {
                return Ok(items);
            }
            if !self.take(",") {
                return Err(self.expected(format_args!("`,` or `{close}`")));
            }
        }
    }

    /// Parses a part that may contain itself, at most `most` times. `what` describes such parts in the error.
    pub fn nested<T>(
        &mut self,
        most: usize,
        what: &str,
        parse: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.depth == most {
            return Err(self.at.error(format!("expected at most {most} nested {what}")));
        }
        self.depth += 1;
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    /// Returns the error that `what` does not come next.
    pub fn expected(&self, what: impl Display) -> Problem {
        let found = if self.text.is_empty() { "the end of the text".into() } else { format!("`{}`", self.text) };
        self.at.error(format!("expected {what}, found {found}"))
    }
}

/// Returns the length of the longest prefix whose characters `accepts` accepts.
pub fn prefix(text: &str, accepts: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accepts(c)).unwrap_or(text.len())
}
