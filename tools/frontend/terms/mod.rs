//! The notation of `spec/arrays.md` A.2 as MLIR: `(sumOuter (build1 7 i (* (index a (i)) (index b (i)))))`.
//!
//! Types and shapes are inferred from those of the inputs; everything is static, sizes are evaluated while importing.
//! What is ill-typed is refused with its place. Values become several SSA values where the notation has tuples.
//!
//! A file holds definitions; each becomes a function:
//!
//! ```text
//! ; The dot product of two vectors.
//! (def dot ((a f64 7) (b f64 7))
//!   (sumOuter (build1 7 i (* (index a (i)) (index b (i))))))
//! ```
//!
//! An input is written `(NAME KIND SIZES…)`, with kinds `f32 f64 i32 i64 index bool`.

mod binders;
mod bulk;
mod common;
mod derivative;
mod import;
mod primitives;
pub(crate) mod text;
mod value;

pub use import::{Imported, Zeros, import};
pub use mlopt_passes::optimise::notation::{Position, Term, TermError, read, read_one};
pub use value::Type;

use mlopt_dialects::value::Element;
use std::collections::HashSet;

/// A parameter of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub name: String,
    pub ty: Type,
}

/// A definition `(def NAME (INPUTS…) TERM)`.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub inputs: Vec<Input>,
    pub body: Term,
}

const DEFINITION: &str = "(def NAME ((INPUT KIND SIZES…) …) TERM)";

/// The module that a text of definitions stands for.
pub fn import_text(text: &str, zeros: Zeros) -> Result<String, TermError> {
    let mut module = String::new();
    let mut names: HashSet<String> = HashSet::new();
    for (place, definition) in definitions(text)? {
        let imported = import(&definition.name, &definition.inputs, &definition.body, zeros)?;
        if !names.insert(imported.symbol) {
            return Err(TermError { at: place, text: format!("`{}` is defined twice", definition.name) });
        }
        module += &imported.text;
    }
    Ok(module)
}

/// The definitions of a text, with the places of their names.
pub fn definitions(text: &str) -> Result<Vec<(Position, Definition)>, TermError> {
    read(text)?.iter().map(definition).collect()
}

fn definition(term: &Term) -> Result<(Position, Definition), TermError> {
    let expected = |t: &Term| t.error(format!("expected {DEFINITION}, found {t}"));
    let Some([head, rest @ ..]) = term.list() else { return Err(expected(term)) };
    if head.name() != Some("def") {
        return Err(expected(term));
    }
    let [name, inputs, body] = rest else {
        return Err(term.error(format!("expected {DEFINITION}, found {} parts after `def`", rest.len())));
    };
    let word = name.name().ok_or_else(|| name.expected("the name of the program"))?;
    let list = inputs.list().ok_or_else(|| inputs.expected("a list of inputs, `((INPUT KIND SIZES…) …)`"))?;
    let inputs = list.iter().map(input).collect::<Result<Vec<_>, _>>()?;
    Ok((name.at, Definition { name: word.into(), inputs, body: body.clone() }))
}

fn input(term: &Term) -> Result<Input, TermError> {
    let Some([name, kind, sizes @ ..]) = term.list() else {
        return Err(term.expected("an input, `(NAME KIND SIZES…)`"));
    };
    let name = name.name().ok_or_else(|| name.expected("the name of an input"))?;
    let element = kind.name().and_then(element);
    let element = element.ok_or_else(|| kind.expected("a kind, one of f32 f64 i32 i64 index bool"))?;
    let shape = sizes.iter().map(size).collect::<Result<Vec<_>, _>>()?;
    Ok(Input { name: name.into(), ty: Type { element, shape } })
}

/// The element type of a kind.
pub fn element(kind: &str) -> Option<Element> {
    match kind {
        "bool" => Some(Element::I1),
        _ => Element::from_name(kind).filter(|&e| e != Element::I1),
    }
}

/// A size that is written as a number.
fn size(term: &Term) -> Result<usize, TermError> {
    match term.number() {
        Some(crate::literal::Number::Int(n)) if n >= 0 => Ok(n as usize),
        _ => Err(term.expected("a size, a whole number that is not negative")),
    }
}
