//! Translation of POSIX extended regular expressions, as in LLVM's FileCheck, to the syntax of the `regex` crates.
//!
//! The syntaxes differ in character classes, in the meaning of `\` inside and outside of brackets, in `[^x]` (which
//! never matches a newline in LLVM), in literal braces, in doubled repetitions (`a+?` is an error, not a lazy match),
//! and in the choice between alternatives (POSIX takes the longest match, the crates the first branch). Back-references
//! are rejected.

/// An invalid expression. The text follows "invalid regex: ".
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Error {
    #[error("empty (sub)expression")]
    Empty,
    #[error("{0} not balanced")]
    Unbalanced(&'static str),
    #[error("more than 200 nested parentheses")]
    Nesting,
    #[error("repetition-operator operand invalid")]
    Operand,
    #[error("invalid repetition count(s) `{{{0}}}`")]
    Count(String),
    #[error("invalid character range")]
    Range,
    #[error("invalid character class")]
    Class,
    #[error("collating elements and equivalence classes are not supported")]
    Collation,
    #[error("trailing backslash (\\)")]
    Backslash,
    #[error("back-reference `\\{0}` is not supported: use [[NAME:…]] and [[NAME]]")]
    BackReference(char),
    #[error("`\\{0}` is the character `{0}` in POSIX expressions: write a class such as [0-9]")]
    Escape(char),
}

/// A translated expression. It does not contain delimiters of check patterns (`{{ }} [[ ]]`).
#[derive(Debug, PartialEq, Clone)]
pub struct Translated {
    pub regex: String,
    /// The expression with the branches of every alternation in reverse order, if there is an alternation. The longer
    /// match of the two is that of POSIX (always for two branches, and for literal ones).
    pub reversed: Option<String>,
}

impl Translated {
    pub fn ordered(&self, reversed: bool) -> &str {
        self.reversed.as_deref().filter(|_| reversed).unwrap_or(&self.regex)
    }
}

/// Translates one expression.
pub fn translate(ere: &str) -> Result<Translated, Error> {
    let mut parser = Parser { rest: ere, alternatives: false };
    let both = parser.alternation(0)?;
    if !parser.rest.is_empty() {
        return Err(Error::Unbalanced("parentheses"));
    }
    Ok(Translated { regex: both.0, reversed: parser.alternatives.then_some(both.1) })
}

/// Returns an expression that matches exactly `text`.
pub fn literal(text: &str) -> String {
    let mut regex = String::new();
    text.chars().for_each(|c| push_literal(&mut regex, c));
    regex
}

fn push_literal(to: &mut String, c: char) {
    match c {
        // In hexadecimal, so that no delimiter is formed and no blank is trimmed.
        '[' | ']' | '{' | '}' | ' ' | '\n' | '\t' | '\r' => to.push_str(&format!("\\x{:02x}", c as u32)),
        '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '^' | '$' | '#' | '&' | '-' | '~' => to.extend(['\\', c]),
        _ => to.push(c),
    }
}

struct Parser<'a> {
    rest: &'a str,
    alternatives: bool,
}

/// An expression with its branches in the original and in the reverse order.
type Both = (String, String);

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn alternation(&mut self, depth: usize) -> Result<Both, Error> {
        if depth > 200 {
            return Err(Error::Nesting);
        }
        let mut branches = Vec::new();
        loop {
            let start = self.rest;
            let mut branch = Both::default();
            while self.peek().is_some_and(|c| c != '|' && (c != ')' || depth == 0)) {
                let atom = self.repeated(depth)?;
                branch.0.push_str(&atom.0);
                branch.1.push_str(&atom.1);
            }
            let source = &start[..start.len() - self.rest.len()];
            if source.is_empty() {
                return Err(Error::Empty);
            }
            branches.push((source, branch));
            if !self.eat("|") {
                break;
            }
        }
        if branches.len() > 1 {
            self.alternatives = true;
            let literal = |text: &str| !text.contains(['\\', '.', '+', '*', '?', '(', ')', '[', '{', '^', '$']);
            if branches.iter().all(|(source, _)| literal(source)) {
                branches.sort_by_key(|(source, _)| std::cmp::Reverse(source.len()));
            }
        }
        let forward: Vec<_> = branches.iter().map(|(_, branch)| branch.0.as_str()).collect();
        let backward: Vec<_> = branches.iter().rev().map(|(_, branch)| branch.1.as_str()).collect();
        Ok((format!("(?:{})", forward.join("|")), format!("(?:{})", backward.join("|"))))
    }

    fn repeated(&mut self, depth: usize) -> Result<Both, Error> {
        let caret = self.peek() == Some('^');
        let mut atom = self.atom(depth)?;
        if !self.at_repetition() {
            return Ok(atom);
        }
        if caret {
            return Err(Error::Operand);
        }
        let operator = match self.next() {
            Some('{') => self.bound()?,
            Some(operator) => operator.to_string(),
            None => String::new(),
        };
        if self.at_repetition() {
            return Err(Error::Operand);
        }
        atom.0.push_str(&operator);
        atom.1.push_str(&operator);
        // In a group, so that a final `{2}` does not form `}}`.
        Ok((format!("(?:{})", atom.0), format!("(?:{})", atom.1)))
    }

    fn at_repetition(&self) -> bool {
        let mut chars = self.rest.chars();
        match chars.next() {
            Some('*' | '+' | '?') => true,
            Some('{') => chars.next().is_some_and(|c| c.is_ascii_digit()),
            _ => false,
        }
    }

    /// Parses a bound after `{`: `2}`, `2,}` or `2,5}`.
    fn bound(&mut self) -> Result<String, Error> {
        let end = self.rest.find('}').ok_or(Error::Unbalanced("braces"))?;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        let (low, high) = text.split_once(',').unwrap_or((text, text));
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| *n <= 255);
        let valid = match (number(low), number(high)) {
            (Some(low), Some(high)) => low <= high,
            (Some(_), None) => high.is_empty(),
            _ => false,
        };
        if valid { Ok(format!("{{{text}}}")) } else { Err(Error::Count(text.to_owned())) }
    }

    fn atom(&mut self, depth: usize) -> Result<Both, Error> {
        let mut one = String::new();
        match self.next() {
            Some('(') => {
                let inside = match self.peek() {
                    Some(')') => ("(?:)".to_owned(), "(?:)".to_owned()),
                    _ => self.alternation(depth + 1)?,
                };
                return if self.eat(")") { Ok(inside) } else { Err(Error::Unbalanced("parentheses")) };
            }
            Some(')') => return Err(Error::Unbalanced("parentheses")),
            Some('*' | '+' | '?') => return Err(Error::Operand),
            Some('{') if self.peek().is_some_and(|c| c.is_ascii_digit()) => return Err(Error::Operand),
            Some('^') => one.push_str("(?m:^)"),
            Some('$') => one.push_str("(?m:$)"),
            Some('.') => one.push_str("[^\\n]"),
            Some('[') => one = self.bracket()?,
            Some('\\') => match self.next() {
                None => return Err(Error::Backslash),
                Some(c @ '1'..='9') => return Err(Error::BackReference(c)),
                // LLVM reads `\d` as the letter d, but its author means a digit.
                Some(c) if c.is_ascii_alphanumeric() => return Err(Error::Escape(c)),
                Some(c) => push_literal(&mut one, c),
            },
            Some(c) => push_literal(&mut one, c),
            None => return Err(Error::Empty),
        }
        Ok((one.clone(), one))
    }

    /// Parses a bracket expression after `[`. A backslash is an ordinary character in it.
    fn bracket(&mut self) -> Result<String, Error> {
        let negated = self.eat("^");
        let mut set = String::new();
        let mut first = true;
        loop {
            let c = self.next().ok_or(Error::Unbalanced("brackets ([ ])"))?;
            if c == ']' && !first {
                break;
            }
            if c == '[' && self.peek().is_some_and(|c| ":.=".contains(c)) {
                set.push_str(self.class()?);
                first = false;
                continue;
            }
            if c == '-' && !first && self.peek() != Some(']') {
                return Err(Error::Range);
            }
            first = false;
            push_literal(&mut set, c);
            let range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if range {
                self.next();
                let end = self.next().ok_or(Error::Unbalanced("brackets ([ ])"))?;
                if end == '[' && self.peek().is_some_and(|c| ":.=".contains(c)) || end < c {
                    return Err(Error::Range);
                }
                set.push('-');
                push_literal(&mut set, end);
            }
        }
        Ok(if negated { format!("[^\\n{set}]") } else { format!("[{set}]") })
    }

    /// Parses a class after `[` in a bracket expression, such as `:alpha:]`.
    fn class(&mut self) -> Result<&'static str, Error> {
        const CLASSES: [(&str, &str); 12] = [
            (":alnum:]", "0-9A-Za-z"),
            (":alpha:]", "A-Za-z"),
            (":blank:]", "\\x20\\t"),
            (":cntrl:]", "\\x00-\\x1f\\x7f"),
            (":digit:]", "0-9"),
            (":graph:]", "\\x21-\\x7e"),
            (":lower:]", "a-z"),
            (":print:]", "\\x20-\\x7e"),
            (":punct:]", "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e"),
            (":space:]", "\\t\\n\\x0b\\x0c\\r\\x20"),
            (":upper:]", "A-Z"),
            (":xdigit:]", "0-9A-Fa-f"),
        ];
        match CLASSES.iter().find(|(name, _)| self.rest.starts_with(name)) {
            Some((name, set)) => {
                self.eat(name);
                Ok(set)
            }
            None if self.rest.starts_with(':') => Err(Error::Class),
            None => Err(Error::Collation),
        }
    }
}
