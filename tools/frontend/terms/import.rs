//! From terms to text: scopes, constants, and which form is imported where.

use super::text::{self, Text};
use super::value::{Id, Leaf, Type, Value};
use super::{Input, derivative, text::list};
use crate::literal::Number;
use crate::nesting::{nesting, with_stack};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::Element;
use mlopt_passes::optimise::notation::{Form, Term, TermError};

/// A program as MLIR.
#[derive(Clone, Debug)]
pub struct Imported {
    /// One public function, and a private one for each expression that `deriv` differentiates.
    pub text: String,
    /// The name of the public function, without `@`.
    pub symbol: String,
    /// Its results, first components of pairs first.
    pub results: Vec<Type>,
}

/// How many loops of a program may be tried a second time.
const ATTEMPTS: usize = 64;

/// What places hold to which a scatter adds nothing: the notation does not write it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zeros {
    /// The number.
    #[default]
    Numbers,
    /// The structural zero of differentiation: no contribution (spec/arrays.md E.0).
    Structural,
}

/// The function `@name` of `inputs` that computes `body`.
pub fn import(name: &str, inputs: &[Input], body: &Term, zeros: Zeros) -> Result<Imported, TermError> {
    let nesting = nesting(std::slice::from_ref(body));
    let too_deep = || body.error(format!("not supported: {nesting} nested terms need more memory than there is"));
    with_stack(nesting, || import_here(name, inputs, body, zeros)).ok_or_else(too_deep)?
}

fn import_here(name: &str, inputs: &[Input], body: &Term, zeros: Zeros) -> Result<Imported, TermError> {
    let has = |e| inputs.iter().any(|i| i.ty.element == e);
    let floats = if has(Element::F32) && !has(Element::F64) { Element::F32 } else { Element::F64 };
    let mut import = Import {
        symbol: text::identifier(name),
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
        let id = import.text().named(&input.name);
        import.bind(&input.name, Value::typed(id, input.ty.clone()));
        parameters.push((id, input.ty.clone()));
    }
    let value = import.term(body)?;
    let results: Vec<(Id, Type)> = import.typed_leaves(&value).into_iter().map(|x| (x.id, x.ty)).collect();
    let frame = import.frames.pop().expect("the function itself");
    let text = frame.text.function("", &import.symbol, &parameters, &results);
    Ok(Imported {
        text: import.functions + &text,
        symbol: import.symbol,
        results: results.into_iter().map(|(_, ty)| ty).collect(),
    })
}

pub(super) struct Import {
    /// The name of the public function.
    pub symbol: String,
    /// The type of floats that meet no other: `f32` when all float inputs are, else `f64`.
    pub floats: Element,
    pub zeros: Zeros,
    /// The functions that are being written, outermost first.
    pub frames: Vec<Frame>,
    /// The variables in scope, innermost last.
    pub scope: Vec<Binding>,
    /// Variables below this position are not visible: they are outside a closed function.
    pub closed: usize,
    /// The functions that are complete.
    pub functions: String,
    /// How many functions have been made for `deriv`.
    pub derivatives: usize,
    /// How many loops may still be tried with other types.
    pub attempts: usize,
}

/// A state to go back to.
pub(super) struct Checkpoint {
    frames: Vec<Frame>,
    scope: usize,
    closed: usize,
    functions: usize,
    derivatives: usize,
}

/// A function that is being written.
#[derive(Clone)]
pub(super) struct Frame {
    pub text: Text,
    /// Variables from this position on belong to it; it is given those below that it uses.
    pub start: usize,
    /// The positions of those variables, and what stands for them in here.
    pub captured: Vec<(usize, Value)>,
}

impl Frame {
    pub fn new(start: usize) -> Frame {
        Frame { text: Text::new(), start, captured: vec![] }
    }
}

pub(super) struct Binding {
    name: String,
    value: Value,
}

impl Import {
    pub fn text(&mut self) -> &mut Text {
        &mut self.frames.last_mut().expect("a function is being written").text
    }

    pub fn bind(&mut self, name: &str, value: Value) {
        self.scope.push(Binding { name: name.into(), value });
    }

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            frames: self.frames.clone(),
            scope: self.scope.len(),
            closed: self.closed,
            functions: self.functions.len(),
            derivatives: self.derivatives,
        }
    }

    /// Forgets what happened since `before`, and gives that again.
    pub fn restore(&mut self, before: Checkpoint) -> Checkpoint {
        self.frames = before.frames.clone();
        self.scope.truncate(before.scope);
        self.closed = before.closed;
        self.functions.truncate(before.functions);
        self.derivatives = before.derivatives;
        before
    }

    /// What a term stands for; the ops that compute it are written.
    pub fn term(&mut self, term: &Term) -> Result<Value, TermError> {
        let outside = self.scope.len();
        let mut term = term;
        // The body of a `let` is not nested, so that chains may be long.
        while let Some([head, rest @ ..]) = term.list()
            && head.name() == Some("let")
        {
            let [name, value, body] = self.parts(term, rest, "(let x e1 e2)")?;
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
                    Some(name) => self.apply(term, name, rest),
                    None => Err(head.expected("the name of a term or primitive")),
                },
                None => Err(term.expected("a term")),
            },
        }?;
        self.scope.truncate(outside);
        Ok(value)
    }

    fn atom(&mut self, term: &Term, word: &str) -> Result<Value, TermError> {
        match term.number() {
            Some(Number::Bool(b)) => {
                let ty = Type::scalar(Element::I1);
                let id = self.text().constant(if b { "true" } else { "false" }, &ty);
                Ok(Value::typed(id, ty))
            }
            Some(Number::Int(n)) => Ok(Value::Leaf(Leaf::Int(n))),
            Some(Number::Float(x)) if word.contains(['.', 'e', 'E', 'n']) => Ok(Value::Leaf(Leaf::Float(x))),
            Some(Number::Float(_)) => Err(term.expected("a whole number of at most 64 bits")),
            None => self.variable(term, word),
        }
    }

    fn apply(&mut self, term: &Term, head: &str, rest: &[Term]) -> Result<Value, TermError> {
        match head {
            "const" => self.constant_array(term, rest),
            "pair" | "zip" => {
                let [a, b] = self.parts(term, rest, "(pair a b)")?;
                let (first, second) = (self.term(a)?, self.term(b)?);
                if head == "zip" {
                    self.same_length(b, &first, &second)?;
                }
                Ok(Value::pair(first, second))
            }
            "fst" | "snd" => {
                let [p] = self.parts(term, rest, "(fst p)")?;
                match self.term(p)? {
                    Value::Pair(first, second) => Ok(if head == "fst" { *first } else { *second }),
                    found => Err(p.error(format!("expected a pair, found {found}"))),
                }
            }
            "deriv" => derivative::deriv(self, term, rest),
            _ => {
                if let Some(value) = self.bulk(term, head, rest)? {
                    return Ok(value);
                }
                if let Some(value) = self.binder_form(term, head, rest)? {
                    return Ok(value);
                }
                if let Some(value) = self.primitive(term, head, rest)? {
                    return Ok(value);
                }
                let known = FORMS.split_whitespace().chain(super::primitives::names());
                let hint = did_you_mean(head, known);
                Err(term.error(format!("unknown term or primitive `{head}`{hint}")))
            }
        }
    }

    /// `(const k (n1..) (v..))`.
    fn constant_array(&mut self, term: &Term, rest: &[Term]) -> Result<Value, TermError> {
        let [kind, sizes, values] = self.parts(term, rest, "(const k (n1..) (v..))")?;
        let element = kind.name().and_then(super::element);
        let element = element.ok_or_else(|| kind.expected("a kind, one of f32 f64 i32 i64 index bool"))?;
        let shape = self.sizes(sizes)?;
        let elements = values.list().ok_or_else(|| values.expected("a list of numbers"))?;
        let wanted = super::common::elements_of(&shape);
        if wanted != elements.len() as u128 {
            return Err(
                values.error(format!("expected {wanted} numbers for shape {shape:?}, found {}", elements.len()))
            );
        }
        let one = |t: &Term| match (t.number(), element) {
            (Some(Number::Float(x)), Element::F32 | Element::F64) => Ok(text::float(x, element)),
            (Some(Number::Int(n)), Element::F32 | Element::F64) => Ok(text::float(n as f64, element)),
            (Some(Number::Int(n)), Element::I64 | Element::Index) => Ok(n.to_string()),
            (Some(Number::Int(n)), Element::I32) if i32::try_from(n).is_ok() => Ok(n.to_string()),
            (Some(Number::Bool(b)), Element::I1) => Ok(b.to_string()),
            (Some(Number::Int(n @ (0 | 1))), Element::I1) => Ok((n == 1).to_string()),
            _ => Err(t.expected(format!("a number of kind {element}"))),
        };
        let elements = elements.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let ty = Type { element, shape };
        let value = if ty.rank() == 0 { elements[0].clone() } else { dense(&elements, &ty.shape) };
        let id = self.text().constant(&value, &ty);
        Ok(Value::typed(id, ty))
    }

    /// What a name stands for in the function that is being written.
    fn variable(&mut self, term: &Term, name: &str) -> Result<Value, TermError> {
        let position = self.scope.iter().rposition(|b| b.name == name);
        match position {
            Some(position) if position >= self.closed => Ok(self.visible(position, self.frames.len() - 1)),
            Some(_) => Err(term.error(format!(
                "`{name}` is outside: the functions of `fold` and `mapAccumL` are closed; `ifold` may use it"
            ))),
            None => {
                let names = self.scope.iter().map(|b| b.name.as_str());
                Err(term.error(format!("unknown variable `{name}`{}", did_you_mean(name, names))))
            }
        }
    }

    /// The variable at `position` as `frame` sees it: a parameter of that function when it belongs to an outer one.
    pub fn visible(&mut self, position: usize, frame: usize) -> Value {
        if position >= self.frames[frame].start {
            return self.scope[position].value.clone();
        }
        if let Some((_, value)) = self.frames[frame].captured.iter().find(|(p, _)| *p == position) {
            return value.clone();
        }
        let outside = self.visible(position, frame - 1);
        let name = self.scope[position].name.clone();
        let text = &mut self.frames[frame].text;
        let inside: Vec<Value> = outside
            .leaves()
            .into_iter()
            .map(|leaf| match leaf {
                Leaf::Typed(x) => Value::typed(text.named(&name), x.ty.clone()),
                literal => Value::Leaf(literal.clone()),
            })
            .collect();
        let value = outside.with(&mut inside.into_iter());
        self.frames[frame].captured.push((position, value.clone()));
        value
    }

    /// The position of the innermost variable of that name that is visible.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.scope.iter().rposition(|b| b.name == name).filter(|&p| p >= self.closed)
    }
}

/// The forms besides primitives.
const FORMS: &str = "let const cond select index get length build1 build gather scatter sumOuter maxOuter minOuter \
    prodOuter sum argmaxOuter argminOuter replicate tr reshape stack append slice reverse iota oneHot ifold fold \
    mapAccumL pair fst snd zip dot matmul deriv";

/// A row-major list as MLIR nests it: `dense<[[1, 2], [3, 4]]>`.
fn dense(elements: &[String], shape: &[usize]) -> String {
    fn nest(elements: &[String], shape: &[usize]) -> String {
        let [n, rest @ ..] = shape else { return elements[0].clone() };
        let rows: Vec<String> = elements.chunks(elements.len() / n).map(|row| nest(row, rest)).collect();
        format!("[{}]", list(&rows))
    }
    if elements.is_empty() { "dense<>".into() } else { format!("dense<{}>", nest(elements, shape)) }
}
