//! Translation of types from the notation, `Weights{W:array<2x2xf64>,b:array<2xf64>}`, to MLIR.

use crate::mlir::quoted;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::lexer::{Lexer, Syntax, Token, prefix};
use mlopt_dialects::text::{Problem, Span};

const SYNTAX: &Syntax = &Syntax {
    comment: None,
    marks: &["->", "<", ">", "{", "}", "[", "]", "(", ")", ":", ","],
    keywords: &[],
    word: |text| prefix(text, |c| !c.is_whitespace() && !"<>{}[]():,".contains(c)),
};

/// The maximum nesting of types.
const DEEPEST: usize = 100;

/// The types of the notation that contain no other types, and their MLIR names.
const PLAIN: &[(&str, &str)] = &[
    ("f16", "f16"),
    ("bf16", "bf16"),
    ("f32", "f32"),
    ("f64", "f64"),
    ("i1", "i1"),
    ("bool", "i1"),
    ("i8", "i8"),
    ("i16", "i16"),
    ("i32", "i32"),
    ("i64", "i64"),
    ("index", "index"),
    ("unit", "none"),
    ("str", "!lambda.str"),
    ("rng", "!lambda.rng"),
];
/// The number of types of [`PLAIN`] that may be elements of arrays.
const ELEMENTS: usize = 11;
/// The type constructors with one argument.
const CONTAINERS: &[&str] = &["list", "chan", "task", "dual"];

/// Returns a type in MLIR syntax: `f64`, `array<2x3xf64>`, `tuple<f64,i64>`, `list<f64>`, `func<[f64]->f64>`, a record
/// `P{u:f64,v:f64}`. The text starts at `at`.
pub fn mlir(text: &str, at: Span) -> Result<String, Problem> {
    let mut lexer = Lexer::within(SYNTAX, text, at);
    let ty = any(&mut lexer)?;
    match lexer.peek() {
        (Token::End, _) => Ok(ty),
        _ => Err(lexer.expected("the end of the type")),
    }
}

fn any(lexer: &mut Lexer) -> Result<String, Problem> {
    lexer.nested(DEEPEST, "types", inner)
}

/// Reads a type that others may contain.
fn inner(lexer: &mut Lexer) -> Result<String, Problem> {
    let (name, at) = lexer.word("a type", |_| true)?;
    match name {
        _ if lexer.is("{") => record(lexer, name),
        "array" => array(lexer),
        "tuple" => {
            lexer.expect("<")?;
            Ok(format!("tuple<{}>", lexer.list(">", any)?.join(", ")))
        }
        "func" => function(lexer),
        _ if CONTAINERS.contains(&name) => {
            lexer.expect("<")?;
            let inner = any(lexer)?;
            lexer.expect(">")?;
            Ok(format!("!lambda.{name}<{inner}>"))
        }
        _ => match PLAIN.iter().find(|p| p.0 == name) {
            Some((_, ty)) => Ok(ty.to_string()),
            None => {
                let known = PLAIN.iter().map(|p| p.0).chain(CONTAINERS.iter().copied());
                let hint = did_you_mean(name, known.chain(["array", "tuple", "func"]));
                Err(at.error(format!("unknown type `{name}`{hint}")))
            }
        },
    }
}

/// Reads `<2x?xf64>`.
fn array(lexer: &mut Lexer) -> Result<String, Problem> {
    lexer.expect("<")?;
    let (inner, at) = lexer.word("sizes and an element type, `2x3xf64`", |_| true)?;
    let (mut sizes, mut element) = (String::new(), inner);
    while let Some((size, rest)) = element.split_once('x')
        && (size == "?" || size.bytes().all(|b| b.is_ascii_digit()) && !size.is_empty())
    {
        if size != "?" && size.parse::<i64>().is_err() {
            return Err(at.error(format!("the size {size} is too large")));
        }
        sizes += &format!("{size}x");
        element = rest;
    }
    if sizes.is_empty() {
        let text = format!("expected sizes and an element type, as in `array<2x3xf64>`, found `{inner}`");
        return Err(at.error(text));
    }
    let known = &PLAIN[..ELEMENTS];
    let Some((_, element)) = known.iter().find(|p| p.0 == element) else {
        let hint = did_you_mean(element, known.iter().map(|p| p.0));
        return Err(at.error(format!("unknown element type `{element}`{hint}")));
    };
    lexer.expect(">")?;
    Ok(format!("tensor<{sizes}{element}>"))
}

/// Reads `<[f64,f64]->f64>`.
fn function(lexer: &mut Lexer) -> Result<String, Problem> {
    lexer.expect("<")?;
    lexer.expect("[")?;
    let inputs = lexer.list("]", any)?.join(", ");
    lexer.expect("->")?;
    let result = any(lexer)?;
    lexer.expect(">")?;
    // MLIR requires parentheses around a function type after an arrow.
    let result = if result.starts_with('(') { format!("({result})") } else { result };
    Ok(format!("({inputs}) -> {result}"))
}

/// Reads `{u:f64,v:f64}`.
fn record(lexer: &mut Lexer, name: &str) -> Result<String, Problem> {
    lexer.expect("{")?;
    let mut names: Vec<&str> = vec![];
    let fields = lexer.list("}", |lexer| {
        let (field, at) = lexer.word("the name of a field", |_| true)?;
        if names.contains(&field) {
            return Err(at.error(format!("the record `{name}` has two fields `{field}`")));
        }
        names.push(field);
        lexer.expect(":")?;
        Ok(format!("{}: {}", quoted(field), any(lexer)?))
    })?;
    Ok(format!("!lambda.record<{}>", [vec![quoted(name)], fields].concat().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read() {
        let read = |text: &str| mlir(text, Span::START).unwrap();
        assert_eq!(read("f64"), "f64");
        assert_eq!(read("bool"), "i1");
        assert_eq!(read("unit"), "none");
        assert_eq!(read("array<2x?xindex>"), "tensor<2x?xindex>");
        assert_eq!(read("tuple<f64, list<i64>>"), "tuple<f64, !lambda.list<i64>>");
        assert_eq!(read("tuple<>"), "tuple<>");
        assert_eq!(read("func<[f64,f64]->func<[]->f64>>"), "(f64, f64) -> (() -> f64)");
        assert_eq!(
            read("Net{l1:Weights{W:array<2x2xf64>},b:f64}"),
            r#"!lambda.record<"Net", "l1": !lambda.record<"Weights", "W": tensor<2x2xf64>>, "b": f64>"#
        );
    }

    #[test]
    fn what_is_no_type_is_refused() {
        let refused = |text: &str| mlir(text, Span::START).unwrap_err().to_string();
        assert_eq!(refused("f65"), "1:1: error: unknown type `f65`; did you mean `f64`?");
        assert_eq!(refused(""), "1:1: error: expected a type, found the end of the text");
        assert_eq!(refused("list<f64"), "1:9: error: expected `>`, found the end of the text");
        assert_eq!(refused("f64 f64"), "1:5: error: expected the end of the type, found `f64`");
        assert_eq!(
            refused("array<f64>"),
            "1:7: error: expected sizes and an element type, as in `array<2x3xf64>`, found `f64`"
        );
        assert_eq!(refused("array<2xf65>"), "1:7: error: unknown element type `f65`; did you mean `f64`?");
        assert_eq!(refused("array<2xunit>"), "1:7: error: unknown element type `unit`");
        assert_eq!(
            refused("array<99999999999999999999xf64>"),
            "1:7: error: the size 99999999999999999999 is too large"
        );
        assert_eq!(refused("P{u:f64,u:f64}"), "1:9: error: the record `P` has two fields `u`");
        assert_eq!(refused("P{u:f64 v:f64}"), "1:9: error: expected `,` or `}`, found `v`");
        assert_eq!(refused(&"list<".repeat(101)), "1:501: error: expected at most 100 nested types");
    }
}
