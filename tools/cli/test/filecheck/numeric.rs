//! Numeric blocks of patterns: `[[#]]`, `[[#N:]]`, `[[#%x,N:]]`, `[[#N+1]]`, `[[#N: ==@LINE]]`.

use super::pattern::{Error, Variable, Variables, check_name};

/// The format of a number: `%u`, `%d`, `%x`, `%X`, with `#` for a leading `0x` and `.8` for at least eight digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Format {
    kind: char,
    prefix: bool,
    precision: usize,
}

const UNSIGNED: Format = Format { kind: 'u', prefix: false, precision: 0 };

/// A block between `[[#` and `]]`, or the text after `-D#`.
#[derive(Debug, PartialEq)]
pub struct Block<'a> {
    /// The explicit format.
    format: Option<Format>,
    /// The variable that the block defines.
    pub name: Option<&'a str>,
    /// The value that the text must have.
    expression: Option<&'a str>,
}

/// The expected text of a block.
#[derive(Debug, PartialEq)]
pub enum Expected {
    /// Any number of this format; the regex has the syntax of the crates.
    Any { regex: String, format: Format },
    /// Exactly this text.
    Text { text: String, format: Format },
}

impl<'a> Block<'a> {
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        let mut rest = text.trim();
        let mut format = None;
        if let Some(after) = rest.strip_prefix('%') {
            let (spec, after) = after.split_once(',').unwrap_or((after, ""));
            format = Some(Format::parse(spec.trim_end())?);
            rest = after.trim();
        }
        let mut name = None;
        if let Some((before, after)) = rest.split_once(':') {
            let before = before.trim();
            check_name(before)?;
            name = Some(before);
            rest = after.trim();
        }
        if let Some(after) = rest.strip_prefix("==") {
            rest = after.trim();
            if rest.is_empty() {
                return Err(Error::Constraint);
            }
        }
        let expression = Some(rest).filter(|e| !e.is_empty());
        Ok(Self { format, name, expression })
    }

    /// Returns the variables that the block reads.
    pub fn reads(&self) -> impl Iterator<Item = &'a str> {
        let word = |c: char| c.is_ascii_alphanumeric() || "_$@".contains(c);
        let words = self.expression.unwrap_or("").split(move |c| !word(c));
        words.filter(|w| check_name(w).is_ok())
    }

    /// Checks the syntax of the expression.
    pub fn check_syntax(&self) -> Result<(), Error> {
        self.expression.map_or(Ok(()), |expression| evaluate(expression, None, 0).map(drop))
    }

    /// Returns the text that the block matches on line `line` of the check file.
    pub fn expect(&self, variables: &Variables, line: usize) -> Result<Expected, Error> {
        let Some(expression) = self.expression else {
            let format = self.format.unwrap_or(UNSIGNED);
            return Ok(Expected::Any { regex: format.regex(), format });
        };
        let (value, implicit) = evaluate(expression, Some(variables), line)?;
        let format = implicit.or(self.format, expression)?;
        Ok(Expected::Text { text: format.write(value)?, format })
    }
}

impl Format {
    fn parse(spec: &str) -> Result<Self, Error> {
        let wrong = || Error::invalid("matching format specification", format!("%{spec}"));
        let (prefix, rest) = match spec.strip_prefix('#') {
            Some(rest) => (true, rest),
            None => (false, spec),
        };
        let (precision, kind) = match rest.strip_prefix('.') {
            Some(rest) => {
                let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
                (rest[..digits].parse().map_err(|_| wrong())?, &rest[digits..])
            }
            None => (0, rest),
        };
        let kind = match kind {
            "u" | "d" | "x" | "X" => kind.chars().next().unwrap_or('u'),
            _ => return Err(wrong()),
        };
        if prefix && !matches!(kind, 'x' | 'X') || precision > 200 {
            return Err(wrong());
        }
        Ok(Self { kind, prefix, precision })
    }

    fn regex(self) -> String {
        let (digits, first, sign) = match self.kind {
            'x' => ("[0-9a-f]", "[1-9a-f]", ""),
            'X' => ("[0-9A-F]", "[1-9A-F]", ""),
            'd' => ("[0-9]", "[1-9]", "-?"),
            _ => ("[0-9]", "[1-9]", ""),
        };
        let prefix = if self.prefix { "0x" } else { "" };
        match self.precision {
            0 => format!("(?:{sign}{prefix}{digits}+)"),
            n => format!("(?:{sign}{prefix}(?:{first}{digits}*)?(?:{digits}{{{n}}}))"),
        }
    }

    fn write(self, value: i128) -> Result<String, Error> {
        let (magnitude, width) = (value.unsigned_abs(), self.precision);
        let digits = match self.kind {
            'x' => format!("{magnitude:0>width$x}"),
            'X' => format!("{magnitude:0>width$X}"),
            _ => format!("{magnitude:0>width$}"),
        };
        let sign = match (value < 0, self.kind) {
            (true, 'd') => "-",
            (true, _) => return Err(Error::Value { value, format: self.kind }),
            (false, _) => "",
        };
        Ok(format!("{sign}{}{digits}", if self.prefix { "0x" } else { "" }))
    }

    /// Returns the value of a text that [`Self::regex`] matched.
    pub fn read(self, text: &str) -> Result<i128, Error> {
        let digits = text.trim_start_matches('-').trim_start_matches("0x");
        let radix = if matches!(self.kind, 'x' | 'X') { 16 } else { 10 };
        let value = i128::from_str_radix(digits, radix).map_err(|_| Error::TooLarge(text.to_owned()))?;
        Ok(if text.starts_with('-') { -value } else { value })
    }
}

/// The format that an expression inherits from its variables.
#[derive(Clone, Copy, PartialEq)]
enum Implicit {
    None,
    One(Format),
    Conflict,
}

impl Implicit {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, one) | (one, Self::None) => one,
            (Self::One(a), Self::One(b)) if a == b => self,
            _ => Self::Conflict,
        }
    }

    /// Returns the explicit format, if there is one, otherwise the implicit format of `expression`.
    fn or(self, explicit: Option<Format>, expression: &str) -> Result<Format, Error> {
        match (explicit, self) {
            (Some(format), _) | (None, Self::One(format)) => Ok(format),
            (None, Self::None) => Ok(UNSIGNED),
            (None, Self::Conflict) => Err(Error::Conflict(expression.to_owned())),
        }
    }
}

type Valued = (i128, Implicit);

fn evaluate(expression: &str, variables: Option<&Variables>, line: usize) -> Result<Valued, Error> {
    let mut parser = Parser { rest: expression, variables, line };
    let value = parser.sum(0)?;
    match parser.rest.trim_start() {
        "" => Ok(value),
        rest => Err(Error::Trailing(rest.to_owned())),
    }
}

struct Parser<'a> {
    rest: &'a str,
    /// The variables; `None` if only the syntax is checked.
    variables: Option<&'a Variables>,
    line: usize,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, text: &str) -> bool {
        self.rest = self.rest.trim_start();
        let after = self.rest.strip_prefix(text);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn take(&mut self, of: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !of(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn sum(&mut self, depth: usize) -> Result<Valued, Error> {
        if depth > 100 {
            return Err(Error::Nesting);
        }
        let mut value = self.operand(depth)?;
        loop {
            let combine = if self.eat("+") {
                i128::checked_add
            } else if self.eat("-") {
                i128::checked_sub
            } else {
                return Ok(value);
            };
            let right = self.operand(depth)?;
            value = self.apply(combine, value, right)?;
        }
    }

    fn operand(&mut self, depth: usize) -> Result<Valued, Error> {
        if self.eat("(") {
            let value = self.sum(depth + 1)?;
            return if self.eat(")") { Ok(value) } else { Err(Error::Unclosed("nested")) };
        }
        if self.eat("@LINE") {
            return Ok((self.line as i128, Implicit::None));
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return Ok((self.number()?, Implicit::None));
        }
        let name = self.take(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        check_name(name).map_err(|_| Error::invalid("operand format", self.rest))?;
        if self.rest.trim_start().starts_with('(') {
            return self.call(name, depth);
        }
        match self.variables.map(|variables| variables.get(name)) {
            None => Ok((1, Implicit::None)),
            Some(Some(Variable::Number { format, value })) => Ok((*value, Implicit::One(*format))),
            Some(_) => Err(Error::Undefined(name.to_owned())),
        }
    }

    fn number(&mut self) -> Result<i128, Error> {
        let negative = self.eat("-");
        let text = self.take(|c| c.is_ascii_alphanumeric());
        let value = match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => text.parse(),
        };
        let value = value.map_err(|_| Error::invalid("number", text))?;
        Ok(if negative { -value } else { value })
    }

    fn call(&mut self, name: &str, depth: usize) -> Result<Valued, Error> {
        let function: fn(i128, i128) -> Option<i128> = match name {
            "add" => i128::checked_add,
            "sub" => i128::checked_sub,
            "mul" => i128::checked_mul,
            "div" => i128::checked_div,
            "min" => |a, b| Some(a.min(b)),
            "max" => |a, b| Some(a.max(b)),
            _ => return Err(Error::Function(name.to_owned())),
        };
        self.eat("(");
        let left = self.sum(depth + 1)?;
        if !self.eat(",") {
            return Err(Error::Arguments(name.to_owned()));
        }
        let right = self.sum(depth + 1)?;
        if !self.eat(")") {
            return Err(Error::Unclosed("call"));
        }
        self.apply(function, left, right)
    }

    fn apply(&self, function: fn(i128, i128) -> Option<i128>, a: Valued, b: Valued) -> Result<Valued, Error> {
        if self.variables.is_none() {
            return Ok((1, Implicit::None));
        }
        let value = function(a.0, b.0).ok_or(Error::Overflow)?;
        Ok((value, a.1.join(b.1)))
    }
}

/// Parses the text after `-D#`: `NAME=expression` or `%x,NAME=expression`.
pub fn define(definition: &str, variables: &Variables) -> Result<(String, Variable), Error> {
    let (left, expression) = definition.split_once('=').ok_or(Error::Expected("NAME=VALUE"))?;
    let (format, name) = match left.trim().strip_prefix('%') {
        Some(left) => {
            let (spec, name) = left.split_once(',').ok_or(Error::Expected("a name after the format"))?;
            (Some(Format::parse(spec.trim())?), name.trim())
        }
        None => (None, left.trim()),
    };
    check_name(name)?;
    let (value, implicit) = evaluate(expression, Some(variables), 0)?;
    Ok((name.to_owned(), Variable::Number { format: implicit.or(format, expression)?, value }))
}
