//! Numbers and tensor literals as `--arg` takes them: `3.0`, `-1e-3`, `true`, `inf`, `[[1, 2], [3, 4]]`.

pub use mlopt_passes::optimise::notation::Number;
use thiserror::Error;

/// Deepest nesting of brackets that is read: numpy has the same bound on the number of axes.
const MAX_RANK: usize = 64;

/// A regular nest of numbers, row-major; a scalar when `shape` is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    pub shape: Vec<usize>,
    pub numbers: Vec<Number>,
}

#[derive(Debug, Error, PartialEq)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct LiteralError {
    /// Counted in characters, from 1.
    pub column: usize,
    pub expected: String,
    pub found: String,
}

/// Reads one literal; nothing may follow it.
pub fn parse(text: &str) -> Result<Literal, LiteralError> {
    let mut parser = Parser { text, at: 0, numbers: vec![] };
    let shape = parser.value(0)?;
    parser.skip_blanks();
    if parser.at < text.len() {
        return Err(parser.expected("the end of the value"));
    }
    Ok(Literal { shape, numbers: parser.numbers })
}

struct Parser<'a> {
    text: &'a str,
    /// Position in bytes, on a character boundary.
    at: usize,
    numbers: Vec<Number>,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes `c` if it comes next.
    fn take(&mut self, c: char) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn error(&self, at: usize, expected: impl Into<String>, found: impl Into<String>) -> LiteralError {
        let column = self.text[..at].chars().count() + 1;
        LiteralError { column, expected: expected.into(), found: found.into() }
    }

    /// The error that something else than `expected` comes next.
    fn expected(&self, expected: &str) -> LiteralError {
        let word: String = self.rest().chars().take_while(|&c| is_word(c)).take(40).collect();
        let found = match self.rest().chars().next() {
            None => "the end of the text".into(),
            Some(c) if word.is_empty() => format!("`{c}`"),
            Some(_) => format!("`{word}`"),
        };
        self.error(self.at, expected, found)
    }

    /// Reads a number or a bracketed list and gives its shape.
    fn value(&mut self, depth: usize) -> Result<Vec<usize>, LiteralError> {
        if self.take('[') {
            return self.list(depth + 1);
        }
        let word: &str = self.rest().split(|c| !is_word(c)).next().unwrap_or("");
        let Some(number) = Number::parse(word) else {
            return Err(self.expected("a number or `[`"));
        };
        self.at += word.len();
        self.numbers.push(number);
        Ok(vec![])
    }

    /// The rest of a list whose `[` has been read.
    fn list(&mut self, depth: usize) -> Result<Vec<usize>, LiteralError> {
        if depth > MAX_RANK {
            return Err(self.error(self.at - 1, format!("at most {MAX_RANK} axes"), "one more `[`"));
        }
        let (mut count, mut inner) = (0, vec![]);
        if self.take(']') {
            return Ok(vec![0]);
        }
        loop {
            self.skip_blanks();
            let start = self.at;
            let shape = self.value(depth)?;
            if count == 0 {
                inner = shape;
            } else if shape != inner {
                return Err(self.error(
                    start,
                    format!("{} as in the entries before", describe(&inner)),
                    describe(&shape),
                ));
            }
            count += 1;
            if self.take(']') {
                return Ok([vec![count], inner].concat());
            }
            if !self.take(',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-' | '+' | '_')
}

fn describe(shape: &[usize]) -> String {
    match shape {
        [] => "a number".into(),
        [n] => format!("a list of {n}"),
        _ => format!("a list of shape {shape:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Number::*;

    fn error(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn reads_scalars() {
        for (text, number) in [
            ("3.0", Float(3.0)),
            ("-1e-3", Float(-1e-3)),
            ("7", Int(7)),
            ("-9223372036854775808", Int(i64::MIN)),
            ("9223372036854775808", Float(9223372036854775808.0)),
            ("true", Bool(true)),
            ("false", Bool(false)),
            ("inf", Float(f64::INFINITY)),
            ("-inf", Float(f64::NEG_INFINITY)),
            (".5", Float(0.5)),
            (" +2 ", Int(2)),
        ] {
            assert_eq!(parse(text), Ok(Literal { shape: vec![], numbers: vec![number] }), "{text}");
        }
        assert!(matches!(parse("nan").unwrap().numbers[..], [Float(x)] if x.is_nan()));
    }

    #[test]
    fn reads_nested_lists() {
        let shape = |text| parse(text).unwrap().shape;
        assert_eq!(shape("[1, 2.5, -3]"), [3]);
        assert_eq!(shape("[[1,2],[3,4],[5,6]]"), [3, 2]);
        assert_eq!(shape("[ [ [ 1 ] ] ]"), [1, 1, 1]);
        assert_eq!(shape("[]"), [0]);
        assert_eq!(shape("[[],[]]"), [2, 0]);
        assert_eq!(parse("[[1,2],[3,4]]").unwrap().numbers, [Int(1), Int(2), Int(3), Int(4)]);
    }

    #[test]
    fn says_where_a_literal_is_wrong() {
        assert_eq!(error("[[1,2],[3]]"), "column 8: expected a list of 2 as in the entries before, found a list of 1");
        assert_eq!(error("[1,[2]]"), "column 4: expected a number as in the entries before, found a list of 1");
        assert_eq!(error("[1, 2"), "column 6: expected `,` or `]`, found the end of the text");
        assert_eq!(error("[1 2]"), "column 4: expected `,` or `]`, found `2`");
        assert_eq!(error("[1,]"), "column 4: expected a number or `[`, found `]`");
        assert_eq!(error("1]"), "column 2: expected the end of the value, found `]`");
        assert_eq!(error("1e"), "column 1: expected a number or `[`, found `1e`");
        assert_eq!(error("[é]"), "column 2: expected a number or `[`, found `é`");
        assert_eq!(error(""), "column 1: expected a number or `[`, found the end of the text");
        assert_eq!(error("0x10"), "column 1: expected a number or `[`, found `0x10`");
        assert_eq!(error("-true"), "column 1: expected a number or `[`, found `-true`");
        assert_eq!(error(&"[".repeat(100_000)), "column 65: expected at most 64 axes, found one more `[`");
    }
}
