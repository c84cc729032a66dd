//! Types in the notation, `Weights{W:array<2x2xf64>,b:array<2xf64>}`: a reader, and the translation to MLIR.

use mlopt_dialects::ir::{self, Context, Dim};
use mlopt_dialects::lambda::types;
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

/// A type that is not open.
#[derive(Clone, Debug)]
pub enum Type {
    /// A type that contains no other types, by its name in MLIR.
    Plain(&'static str),
    /// The sizes, and the name of the elements' type in MLIR.
    Array(Vec<Dim>, &'static str),
    Tuple(Vec<Type>),
    Function(Vec<Type>, Box<Type>),
    /// The name of a type constructor, as in the notation and in MLIR, and its argument.
    Container(&'static str, Box<Type>),
    /// The name, and the fields.
    Record(String, Vec<(String, Type)>),
}

impl Type {
    /// Returns this type in a context.
    pub fn in_context(&self, context: Context) -> ir::Type {
        let all = |parts: &[Type]| parts.iter().map(|ty| ty.in_context(context)).collect::<Vec<_>>();
        match self {
            Type::Plain(name) => context.ty(name),
            Type::Array(sizes, element) => ir::Type::tensor(sizes, context.ty(element)),
            Type::Tuple(parts) => context.tuple(&all(parts)),
            Type::Function(inputs, result) => types::function(&all(inputs), result.in_context(context)),
            Type::Container(name, inner) => types::of(name, inner.in_context(context)),
            Type::Record(name, fields) => {
                let fields = fields.iter().map(|(field, ty)| (field.clone(), ty.in_context(context)));
                types::record(context, name, &fields.collect::<Vec<_>>())
            }
        }
    }
}

/// Reads a type: `f64`, `array<2x3xf64>`, `tuple<f64,i64>`, `list<f64>`, `func<[f64]->f64>`, a record `P{u:f64,v:f64}`.
/// The text starts at `at`.
pub fn read(text: &str, at: Span) -> Result<Type, Problem> {
    let mut lexer = Lexer::within(SYNTAX, text, at);
    let ty = any(&mut lexer)?;
    match lexer.peek() {
        (Token::End, _) => Ok(ty),
        _ => Err(lexer.expected("the end of the type")),
    }
}

fn any(lexer: &mut Lexer) -> Result<Type, Problem> {
    lexer.nested(DEEPEST, "types", inner)
}

/// Reads a type that others may contain.
fn inner(lexer: &mut Lexer) -> Result<Type, Problem> {
    let (name, at) = lexer.word("a type", |_| true)?;
    match name {
        _ if lexer.is("{") => record(lexer, name),
        "array" => array(lexer),
        "tuple" => {
            lexer.expect("<")?;
            Ok(Type::Tuple(lexer.list(">", any)?))
        }
        "func" => function(lexer),
        _ => {
            if let Some(container) = CONTAINERS.iter().find(|c| **c == name) {
                lexer.expect("<")?;
                let inner = any(lexer)?;
                lexer.expect(">")?;
                return Ok(Type::Container(container, Box::new(inner)));
            }
            if let Some((_, ty)) = PLAIN.iter().find(|p| p.0 == name) {
                return Ok(Type::Plain(ty));
            }
            let known = PLAIN.iter().map(|p| p.0).chain(CONTAINERS.iter().copied());
            let hint = did_you_mean(name, known.chain(["array", "tuple", "func"]));
            Err(at.error(format!("unknown type `{name}`{hint}")))
        }
    }
}

/// Reads `<2x?xf64>`.
fn array(lexer: &mut Lexer) -> Result<Type, Problem> {
    lexer.expect("<")?;
    let (inner, at) = lexer.word("sizes and an element type, `2x3xf64`", |_| true)?;
    let (mut sizes, mut element) = (vec![], inner);
    while let Some((size, rest)) = element.split_once('x')
        && (size == "?" || size.bytes().all(|b| b.is_ascii_digit()) && !size.is_empty())
    {
        sizes.push(match size {
            "?" => None,
            _ => {
                let n = size.parse::<i64>().map_err(|_| at.error(format!("the size {size} is too large")))?;
                Some(n as usize)
            }
        });
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
    Ok(Type::Array(sizes, element))
}

/// Reads `<[f64,f64]->f64>`.
fn function(lexer: &mut Lexer) -> Result<Type, Problem> {
    lexer.expect("<")?;
    lexer.expect("[")?;
    let inputs = lexer.list("]", any)?;
    lexer.expect("->")?;
    let result = any(lexer)?;
    lexer.expect(">")?;
    Ok(Type::Function(inputs, Box::new(result)))
}

/// Reads `{u:f64,v:f64}`.
fn record(lexer: &mut Lexer, name: &str) -> Result<Type, Problem> {
    lexer.expect("{")?;
    let mut names: Vec<&str> = vec![];
    let fields = lexer.list("}", |lexer| {
        let (field, at) = lexer.word("the name of a field", |_| true)?;
        if names.contains(&field) {
            return Err(at.error(format!("the record `{name}` has two fields `{field}`")));
        }
        names.push(field);
        lexer.expect(":")?;
        Ok((field.to_string(), any(lexer)?))
    })?;
    Ok(Type::Record(name.to_string(), fields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlopt_dialects::bridge::program::Program;

    #[test]
    fn types_are_read() {
        let program = Program::empty("types").unwrap();
        let context = program.module().context();
        let read = |text: &str| read(text, Span::START).unwrap().in_context(context).to_string();
        assert_eq!(read("f64"), "f64");
        assert_eq!(read("bool"), "i1");
        assert_eq!(read("unit"), "none");
        assert_eq!(read("array<2x?xindex>"), "tensor<2x?xindex>");
        assert_eq!(read("tuple<f64, list<i64>>"), "tuple<f64, !lambda.list<i64>>");
        assert_eq!(read("tuple<>"), "tuple<>");
        assert_eq!(read("func<[f64,f64]->func<[]->f64>>"), "(f64, f64) -> (() -> f64)");
        assert_eq!(
            read("Net{l1:Weights{W:array<2x2xf64>},b:f64}"),
            r#"!lambda.record<"Net", l1: !lambda.record<"Weights", W: tensor<2x2xf64>>, b: f64>"#
        );
    }

    #[test]
    fn what_is_no_type_is_refused() {
        let refused = |text: &str| read(text, Span::START).unwrap_err().to_string();
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
