//! The notation of terms (`spec/arrays.md` A.2), translated to MLIR: `(sumOuter (build1 7 i (* (index a (i)) (index b
//! (i)))))`.
//!
//! Types and shapes are inferred from those of the inputs. All shapes are static, because sizes are evaluated during
//! the translation. An ill-typed term is reported with its position. A tuple becomes several SSA values.
//!
//! A file contains definitions, each of which becomes a function:
//!
//! ```text
//! ; The dot product of two vectors.
//! (def dot ((a f64 7) (b f64 7))
//!   (sumOuter (build1 7 i (* (index a (i)) (index b (i))))))
//! ```
//!
//! An input is written `(NAME KIND SIZES…)`, with kinds `f16 bf16 f32 f64 i8 i16 i32 i64 index bool`.

mod binders;
mod bulk;
mod common;
mod derivative;
mod import;
mod primitives;
mod scope;
mod value;

use crate::definitions;
use crate::mlir::identifier;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::text::terms::{Form, Number, Term, read};
use mlopt_dialects::text::{Problem, Span};
use mlopt_dialects::value::Element;
use std::collections::HashSet;

/// The value of the elements to which a scatter adds nothing. The notation does not write it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zeros {
    /// The number 0.
    #[default]
    Numbers,
    /// The structural zero of differentiation: no contribution (spec/arrays.md E.0).
    Structural,
}

/// A parameter of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub name: String,
    pub element: Element,
    pub shape: Vec<usize>,
}

/// A definition `(def NAME (INPUTS…) TERM)`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The position of the name.
    pub at: Span,
    pub name: String,
    pub inputs: Vec<Input>,
    pub body: Term,
}

const DEFINITION: &str = "(def NAME ((INPUT KIND SIZES…) …) TERM)";

/// The dialects of the ops that are created.
const DIALECTS: &[&str] = &["arith", "array", "dual", "func", "math"];

/// Imports the definitions of a text as a module, which is not verified.
pub fn import_text(file: &str, text: &str, zeros: Zeros) -> Result<Program, Problem> {
    let definitions = read(text)?.into_iter().map(definition).collect::<Result<Vec<_>, _>>()?;
    import(file, &definitions, zeros)
}

/// Imports definitions in `file` as a module, which is not verified.
pub fn import(file: &str, definitions: &[Definition], zeros: Zeros) -> Result<Program, Problem> {
    let mut program = Program::empty(file).expect("the empty text is a module");
    program.module().context().load_dialects(DIALECTS);
    let mut names: HashSet<String> = HashSet::new();
    for definition in definitions {
        program = import::add(program, file, definition, zeros)?;
        if !names.insert(identifier(&definition.name)) {
            return Err(definition.at.error(format!("`{}` is defined twice", definition.name)));
        }
    }
    Ok(program)
}

fn definition(term: Term) -> Result<Definition, Problem> {
    let definitions::Definition { name, parameters, .. } =
        definitions::definition(&term, DEFINITION, "a list of inputs, `((INPUT KIND SIZES…) …)`")?;
    let word = name.named("the name of the program")?.to_string();
    let inputs = parameters.iter().map(input).collect::<Result<Vec<_>, _>>()?;
    let at = name.at;
    // A copy would recurse with the nesting of the body, on a stack that may be small.
    let body = match term.form {
        Form::List(mut parts) => parts.pop(),
        Form::Atom(_) => None,
    };
    let body = body.ok_or_else(|| at.error(format!("expected {DEFINITION}")))?;
    Ok(Definition { at, name: word, inputs, body })
}

fn input(term: &Term) -> Result<Input, Problem> {
    let Some([name, kind, sizes @ ..]) = term.list() else {
        return Err(term.expected("an input, `(NAME KIND SIZES…)`"));
    };
    let name = name.named("the name of an input")?;
    let element = kind.element()?;
    let shape = sizes.iter().map(size).collect::<Result<Vec<_>, _>>()?;
    Ok(Input { name: name.into(), element, shape })
}

/// Parses a size literal.
fn size(term: &Term) -> Result<usize, Problem> {
    match term.number() {
        Some(Number::Int(n)) if n >= 0 => Ok(n as usize),
        _ => Err(term.expected("a size, a whole number that is not negative")),
    }
}
