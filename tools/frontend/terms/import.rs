//! The entry point of the translation of terms: scopes, constants, and the selection of the function that translates
//! each form.

use super::scope::{Frame, Import};
use super::value::{Leaf, Outcome, Type, Value};
use super::{Input, Zeros, common, derivative};
use crate::definitions::{Call, deep};
use crate::mlir::{float, identifier, list};
use mlopt_dialects::primitives::{self, Notation};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::terms::{Form, Number, Term};
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Element;

/// A program in MLIR syntax.
#[derive(Clone, Debug)]
pub struct Imported {
    /// One public function, and a private one for each expression that `deriv` differentiates.
    pub text: String,
    /// The name of the public function, without `@`.
    pub symbol: String,
    /// The results of the public function, first components of pairs first.
    pub results: Vec<Type>,
}

/// The maximum number of loops of a program that are tried a second time.
const ATTEMPTS: usize = 64;

/// Returns the function `@name` of `inputs` that computes `body`.
pub fn import(name: &str, inputs: &[Input], body: &Term, zeros: Zeros) -> Result<Imported, Problem> {
    deep(std::slice::from_ref(body), || import_here(name, inputs, body, zeros))
}

fn import_here(name: &str, inputs: &[Input], body: &Term, zeros: Zeros) -> Result<Imported, Problem> {
    let has = |e| inputs.iter().any(|i| i.ty.element == e);
    let floats = if has(Element::F32) && !has(Element::F64) { Element::F32 } else { Element::F64 };
    let mut import = Import {
        symbol: identifier(name),
        floats,
        zeros,
        frames: vec![Frame::new(0)],
        scope: vec![],
        closed: 0,
        functions: String::new(),
        derivatives: 0,
        attempts: ATTEMPTS,
    };
    let mut parameters = vec![];
    for input in inputs {
        let parameter = import.text().named(&input.name, input.ty.clone());
        import.bind(&input.name, parameter.clone());
        parameters.push(parameter);
    }
    let value = import.term(body)?;
    let results = import.typed_leaves(&value);
    let frame = import.frames.pop().expect("the function itself");
    let text = frame.text.function("", &import.symbol, &parameters, &results);
    Ok(Imported {
        text: import.functions + &text,
        symbol: import.symbol,
        results: results.into_iter().map(|x| x.ty).collect(),
    })
}

impl Import {
    /// Returns the value of a term, and writes the ops that compute it.
    pub fn term(&mut self, term: &Term) -> Outcome {
        let outside = self.scope.len();
        let mut term = term;
        // The body of a `let` is imported by iteration, not recursion, so that chains may be long.
        while let Some([head, rest @ ..]) = term.list()
            && head.name() == Some("let")
        {
            let [name, value, body] = Call { term, head: "let", rest }.operands("(let x e1 e2)")?;
            let name = self.binder(name)?;
            let value = self.term(value)?;
            self.suggest(&value, name);
            self.bind(name, value);
            term = body;
        }
        let value = match &term.form {
            Form::Atom(word) => self.atom(term, word),
            Form::List(items) => match items.split_first() {
                Some((head, rest)) => match head.name() {
                    Some(head) => self.apply(Call { term, head, rest }),
                    None => Err(head.expected("the name of a term or primitive")),
                },
                None => Err(term.expected("a term")),
            },
        }?;
        self.scope.truncate(outside);
        Ok(value)
    }

    fn atom(&mut self, term: &Term, word: &str) -> Outcome {
        match term.literal()? {
            Some(Number::Bool(b)) => {
                Ok(self.text().constant(if b { "true" } else { "false" }, &Type::scalar(Element::I1)).into())
            }
            Some(Number::Int(n)) => Ok(Value::Leaf(Leaf::Int(n))),
            Some(Number::Float(x)) => Ok(Value::Leaf(Leaf::Float(x))),
            None => self.variable(term, word),
        }
    }

    fn apply(&mut self, call: Call) -> Outcome {
        let Call { term, head, .. } = call;
        if let Some((_, form)) = FORMS.iter().find(|f| f.0 == head) {
            return form(self, call);
        }
        if let Some(value) = self.primitive(call)? {
            return Ok(value);
        }
        let primitives = primitives::all(Notation::Terms).map(|p| p.name(Notation::Terms));
        let hint = did_you_mean(head, FORMS.iter().map(|f| f.0).chain(["let"]).chain(primitives));
        Err(term.error(format!("unknown term or primitive `{head}`{hint}")))
    }

    /// Imports `pair` and `zip`.
    fn pair(&mut self, call: Call) -> Outcome {
        let [a, b] = call.operands("(pair a b)")?;
        let (first, second) = (self.term(a)?, self.term(b)?);
        if call.head == "zip" {
            self.same_length(b, &first, &second)?;
        }
        Ok(Value::pair(first, second))
    }

    /// Imports `fst` and `snd`.
    fn component(&mut self, call: Call) -> Outcome {
        let [p] = call.operands("(fst p)")?;
        match self.term(p)? {
            Value::Pair(first, second) => Ok(if call.head == "fst" { *first } else { *second }),
            found => Err(p.error(format!("expected a pair, found {found}"))),
        }
    }

    /// Imports `(const k (n1..) (v..))`.
    fn constant_array(&mut self, call: Call) -> Outcome {
        let [kind, sizes, values] = call.operands("(const k (n1..) (v..))")?;
        let element = kind.element()?;
        let shape = self.sizes(sizes)?;
        let elements = values.items("a list of numbers")?;
        let wanted = common::elements_of(&shape);
        if wanted != elements.len() as u128 {
            let wanted = count(wanted, "number");
            return Err(values.error(format!("expected {wanted} for shape {shape:?}, found {}", elements.len())));
        }
        let one = |t: &Term| match (t.number(), element) {
            (Some(Number::Float(x)), Element::F32 | Element::F64) => Ok(float(x, element)),
            (Some(Number::Int(n)), Element::F32 | Element::F64) => Ok(float(n as f64, element)),
            (Some(Number::Int(n)), Element::I64 | Element::Index) => Ok(n.to_string()),
            (Some(Number::Int(n)), Element::I32) if i32::try_from(n).is_ok() => Ok(n.to_string()),
            (Some(Number::Bool(b)), Element::I1) => Ok(b.to_string()),
            (Some(Number::Int(n @ (0 | 1))), Element::I1) => Ok((n == 1).to_string()),
            _ => Err(t.expected(format!("a number of kind {element}"))),
        };
        let elements = elements.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let ty = Type { element, shape };
        let value = if ty.rank() == 0 { elements[0].clone() } else { dense(&elements, &ty.shape) };
        Ok(self.text().constant(&value, &ty).into())
    }
}

/// The forms other than `let`, with the functions that import them.
const FORMS: &[(&str, fn(&mut Import, Call) -> Outcome)] = &[
    ("const", Import::constant_array),
    ("cond", Import::cond),
    ("select", Import::select),
    ("index", Import::index_array),
    ("get", Import::get),
    ("length", Import::length),
    ("build1", Import::build1),
    ("build", Import::build),
    ("gather", Import::gather),
    ("scatter", Import::scatter),
    ("sumOuter", Import::reduction),
    ("maxOuter", Import::reduction),
    ("minOuter", Import::reduction),
    ("prodOuter", Import::reduction),
    ("sum", Import::total),
    ("argmaxOuter", Import::reduction),
    ("argminOuter", Import::reduction),
    ("replicate", Import::replicate_array),
    ("tr", Import::transpose),
    ("reshape", Import::reshape),
    ("stack", Import::stack),
    ("append", Import::append),
    ("slice", Import::slice),
    ("reverse", Import::reverse),
    ("iota", Import::iota),
    ("oneHot", Import::one_hot),
    ("ifold", Import::ifold),
    ("fold", Import::over_rows),
    ("mapAccumL", Import::over_rows),
    ("pair", Import::pair),
    ("fst", Import::component),
    ("snd", Import::component),
    ("zip", Import::pair),
    ("dot", Import::dot),
    ("matmul", Import::matmul),
    ("deriv", derivative::deriv),
];

/// Formats a row-major list as nested MLIR lists: `dense<[[1, 2], [3, 4]]>`.
fn dense(elements: &[String], shape: &[usize]) -> String {
    fn nest(elements: &[String], shape: &[usize]) -> String {
        let [n, rest @ ..] = shape else { return elements[0].clone() };
        let rows: Vec<String> = elements.chunks(elements.len() / n).map(|row| nest(row, rest)).collect();
        format!("[{}]", list(&rows))
    }
    if elements.is_empty() { "dense<>".into() } else { format!("dense<{}>", nest(elements, shape)) }
}
