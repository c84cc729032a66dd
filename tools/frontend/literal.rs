//! Literals of numbers and tensors, in the syntax of `--arg`: `3.0`, `-1e-3`, `true`, `inf`, `[[1, 2], [3, 4]]`.

pub use mlopt_dialects::text::terms::Number;

use mlopt_dialects::text::Problem;
use mlopt_dialects::text::lexer::{Lexer, Syntax, Token, prefix};

/// The maximum nesting of brackets, which is also numpy's maximum number of axes.
const MAX_RANK: usize = 64;

/// A regular nest of numbers, row-major; a scalar when `shape` is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    pub shape: Vec<usize>,
    pub numbers: Vec<Number>,
}

const SYNTAX: &Syntax = &Syntax {
    comment: None,
    marks: &["[", "]", ","],
    keywords: &[],
    word: |text| prefix(text, |c| c.is_alphanumeric() || matches!(c, '.' | '-' | '+' | '_')),
};

/// Parses one literal, which must be the whole text.
pub fn parse(text: &str) -> Result<Literal, Problem> {
    let (mut lexer, mut numbers) = (Lexer::new(SYNTAX, text), vec![]);
    let shape = value(&mut lexer, 0, &mut numbers)?;
    match lexer.peek() {
        (Token::End, _) => Ok(Literal { shape, numbers }),
        _ => Err(lexer.expected("the end of the value")),
    }
}

/// Parses a number or a bracketed list, appends its numbers to `numbers`, and returns its shape.
fn value(lexer: &mut Lexer, depth: usize, numbers: &mut Vec<Number>) -> Result<Vec<usize>, Problem> {
    let at = lexer.span();
    if !lexer.take("[") {
        let (word, _) = lexer.word("a number or `[`", |word| Number::parse(word).is_some())?;
        numbers.extend(Number::parse(word));
        return Ok(vec![]);
    }
    if depth == MAX_RANK {
        return Err(at.error(format!("expected at most {MAX_RANK} axes, found one more `[`")));
    }
    let mut inner: Option<Vec<usize>> = None;
    let rows = lexer.list("]", |lexer| {
        let at = lexer.span();
        let shape = value(lexer, depth + 1, numbers)?;
        match &inner {
            Some(inner) if shape != *inner => {
                let [wanted, found] = [inner, &shape].map(|shape| describe(shape));
                Err(at.error(format!("expected {wanted} as in the entries before, found {found}")))
            }
            _ => {
                inner = Some(shape);
                Ok(())
            }
        }
    })?;
    Ok([vec![rows.len()], inner.unwrap_or_default()].concat())
}

fn describe(shape: &[usize]) -> String {
    match shape {
        [] => "a number".into(),
        [n] => format!("a list of length {n}"),
        _ => format!("a list of shape {shape:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Number::*;

    fn error(text: &str) -> String {
        parse(text).unwrap_err().in_line()
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
        assert_eq!(
            error("[[1,2],[3]]"),
            "column 8: expected a list of length 2 as in the entries before, found a list of length 1"
        );
        assert_eq!(error("[1,[2]]"), "column 4: expected a number as in the entries before, found a list of length 1");
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
