//! The entry point of the translation of terms: scopes, constants, and the selection of the function that translates
//! each form.

use super::scope::Import;
use super::value::{Leaf, Outcome, Tuple, static_sizes};
use super::{Definition, Zeros, common, derivative};
use crate::definitions::{Call, deep};
use crate::mlir::{self, identifier};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Attribute, Type};
use mlopt_dialects::primitives::{self, Notation};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::terms::{Form, Number, Term};
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Element;

/// The maximum number of loops of a program that are tried a second time.
const ATTEMPTS: usize = 64;

/// Adds the functions of a definition in `file` to a program: a public one, and a private one for each expression that
/// `deriv` differentiates.
pub(super) fn add(program: Program, file: &str, definition: &Definition, zeros: Zeros) -> Result<Program, Problem> {
    deep(std::slice::from_ref(&definition.body), move || {
        let has = |e| definition.inputs.iter().any(|i| i.element == e);
        let floats = if has(Element::F32) && !has(Element::F64) { Element::F32 } else { Element::F64 };
        let (context, module) = (program.module().context(), program.module().entry());
        let mut import = Import {
            context,
            file: file.into(),
            at: definition.at,
            module,
            block: module,
            symbol: identifier(&definition.name),
            floats: context.scalar(floats),
            zeros,
            frames: vec![],
            scope: vec![],
            closed: 0,
            outlined: vec![],
            attempts: ATTEMPTS,
        };
        let (frame, values) = import.function(|me| {
            for input in &definition.inputs {
                let ty = Type::array(&static_sizes(&input.shape), context.scalar(input.element));
                let parameter = me.parameter(me.block, &input.name, ty);
                me.bind(&input.name, parameter);
            }
            let value = me.term(&definition.body)?;
            Ok(me.values(&value))
        })?;
        import.end_function(frame, &import.symbol, &values, false);
        Ok(program)
    })
}

impl Import {
    /// Returns the value of a term, and adds the ops that compute it.
    pub fn term(&mut self, term: &Term) -> Outcome {
        let (outside, around) = (self.scope.len(), self.at);
        let mut term = term;
        // The body of a `let` is imported by iteration, not recursion, so that chains may be long.
        while let Some([head, rest @ ..]) = term.list()
            && head.name() == Some("let")
        {
            let [name, value, body] = Call { term, head: "let", form: "(let x e1 e2)", rest }.operands()?;
            let name = self.binder(name)?;
            let value = self.term(value)?;
            for leaf in value.leaves() {
                if let Leaf::Value(x) = leaf {
                    x.suggest_name(&identifier(name));
                }
            }
            self.bind(name, value);
            term = body;
        }
        self.at = term.at;
        let value = match &term.form {
            Form::Atom(word) => self.atom(term, word),
            Form::List(items) => match items.split_first() {
                Some((head, rest)) => match head.name() {
                    Some(head) => self.apply(term, head, rest),
                    None => Err(head.expected("the name of a term or primitive")),
                },
                None => Err(term.expected("a term")),
            },
        }?;
        self.scope.truncate(outside);
        self.at = around;
        Ok(value)
    }

    fn atom(&mut self, term: &Term, word: &str) -> Outcome {
        match term.literal()? {
            Some(truth @ Number::Bool(_)) => Ok(self.filled(truth, self.context.scalar(Element::I1)).into()),
            Some(Number::Int(n)) => Ok(Tuple::Leaf(Leaf::Int(n))),
            Some(Number::Float(x)) => Ok(Tuple::Leaf(Leaf::Float(x))),
            None => self.variable(term, word),
        }
    }

    fn apply(&mut self, term: &Term, head: &str, rest: &[Term]) -> Outcome {
        if let Some(&(_, form, import)) = FORMS.iter().find(|f| f.0 == head) {
            return import(self, Call { term, head, form, rest });
        }
        if let Some(value) = self.primitive(term, head, rest)? {
            return Ok(value);
        }
        let primitives = primitives::all(Notation::Terms).map(|p| p.name(Notation::Terms));
        let hint = did_you_mean(head, FORMS.iter().map(|f| f.0).chain(["let"]).chain(primitives));
        Err(term.error(format!("unknown term or primitive `{head}`{hint}")))
    }

    /// Imports `pair` and `zip`.
    fn pair(&mut self, call: Call) -> Outcome {
        let [a, b] = call.operands()?;
        let (first, second) = (self.term(a)?, self.term(b)?);
        if call.head == "zip" {
            let n = self.outer(b, &first)?;
            if self.outer(b, &second)? != n {
                return Err(b.error(format!("expected an array of {}, found {second}", count(n, "row"))));
            }
        }
        Ok(Tuple::pair(first, second))
    }

    /// Imports `fst` and `snd`.
    fn component(&mut self, call: Call) -> Outcome {
        let [p] = call.operands()?;
        match self.term(p)? {
            Tuple::Pair(first, second) => Ok(if call.head == "fst" { *first } else { *second }),
            found => Err(p.error(format!("expected a pair, found {found}"))),
        }
    }

    /// Imports `(const k (n1..) (v..))`.
    fn constant_array(&mut self, call: Call) -> Outcome {
        let [kind, sizes, values] = call.operands()?;
        let element = kind.element()?;
        let shape = self.sizes(sizes)?;
        let elements = values.items("a list of numbers")?;
        let wanted = common::elements_of(&shape);
        if wanted != elements.len() as u128 {
            let wanted = count(wanted, "number");
            return Err(values.error(format!("expected {wanted} for shape {shape:?}, found {}", elements.len())));
        }
        let scalar = self.context.scalar(element);
        let fits = |number: &Number| match *number {
            Number::Float(_) => element.is_float(),
            Number::Bool(_) => element == Element::I1,
            Number::Int(n) => match element {
                Element::I1 => matches!(n, 0 | 1),
                Element::I32 => i32::try_from(n).is_ok(),
                _ => true,
            },
        };
        let one = |t: &Term| match t.number().filter(fits) {
            Some(number) => Ok(mlir::constant(number, scalar)),
            None => Err(t.expected(format!("a number of kind {element}"))),
        };
        let elements = elements.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let ty = Type::array(&static_sizes(&shape), scalar);
        let value = if shape.is_empty() { elements[0] } else { Attribute::dense(ty, &elements) };
        Ok(self.constant(value, ty).into())
    }
}

/// The forms other than `let`, their syntax, and the functions that import them.
const FORMS: &[(&str, &str, fn(&mut Import, Call) -> Outcome)] = &[
    ("const", "(const k (n1..) (v..))", Import::constant_array),
    ("cond", "(cond c a b)", Import::cond),
    ("select", "(select m a b)", Import::select),
    ("index", "(index a (i1..im))", Import::index_array),
    ("get", "(get a i)", Import::get),
    ("length", "(length a)", Import::length),
    ("build1", "(build1 n i e)", Import::build1),
    ("build", "(build (n1..nk) (i1..ik) e)", Import::build),
    ("gather", "(gather (s1..sk) a (i1..ik) (e1..em))", Import::gather),
    ("scatter", "(scatter (d1..dp) a (i1..ik) (e1..ep))", Import::scatter),
    ("sumOuter", "(sumOuter a)", Import::reduction),
    ("maxOuter", "(maxOuter a)", Import::reduction),
    ("minOuter", "(minOuter a)", Import::reduction),
    ("prodOuter", "(prodOuter a)", Import::reduction),
    ("sum", "(sum a)", Import::total),
    ("argmaxOuter", "(argmaxOuter a)", Import::reduction),
    ("argminOuter", "(argminOuter a)", Import::reduction),
    ("replicate", "(replicate n a)", Import::replicate_array),
    ("tr", "(tr (p0..pq) a)", Import::transpose),
    ("reshape", "(reshape (n1..) a)", Import::reshape),
    ("stack", "(stack e1 .. en)", Import::stack),
    ("append", "(append a b)", Import::append),
    ("slice", "(slice s l a)", Import::slice),
    ("reverse", "(reverse a)", Import::reverse),
    ("iota", "(iota n)", Import::iota),
    ("oneHot", "(oneHot (d..) v (i..))", Import::one_hot),
    ("ifold", "(ifold (s i) e z n)", Import::ifold),
    ("fold", "(fold (s x) e z a)", Import::over_rows),
    ("mapAccumL", "(mapAccumL (s x) e z a)", Import::over_rows),
    ("pair", "(pair a b)", Import::pair),
    ("fst", "(fst p)", Import::component),
    ("snd", "(snd p)", Import::component),
    ("zip", "(zip a b)", Import::pair),
    ("dot", "(dot a b)", Import::dot),
    ("matmul", "(matmul A B)", Import::matmul),
    ("deriv", "(deriv e x)", derivative::deriv),
];
