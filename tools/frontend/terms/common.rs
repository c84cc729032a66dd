//! The parts of the translation that all terms share: operands, sizes, indices, types of literals, and a common type
//! for the alternatives of a choice.

use super::scope::Import;
use super::value::{Leaf, Outcome, Type, Typed, Value};
use crate::mlir::{float, splat};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Element;

impl Import {
    /// Returns the name that a term binds.
    pub fn binder<'t>(&self, term: &'t Term) -> Result<&'t str, Problem> {
        term.named("the name of a variable")
    }

    /// Returns the names of a list `(i1..ik)`, which must be distinct.
    pub fn binders<'t>(&self, term: &'t Term) -> Result<Vec<&'t str>, Problem> {
        let mut names = vec![];
        for item in term.items("a list of variables")? {
            let name = self.binder(item)?;
            if names.contains(&name) {
                return Err(item.error(format!("`{name}` is bound twice")));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// Imports a term of which only the type or a constant value is needed, and removes the ops that compute it.
    pub fn without_ops(&mut self, term: &Term) -> Outcome {
        let length = self.text().body.len();
        let value = self.term(term)?;
        self.text().body.truncate(length);
        Ok(value)
    }

    /// Evaluates a size, whose value must be known during import.
    pub fn size(&mut self, term: &Term) -> Result<usize, Problem> {
        match self.without_ops(term)? {
            Value::Leaf(Leaf::Int(n)) => {
                usize::try_from(n).map_err(|_| term.error(format!("expected a size that is not negative, found {n}")))
            }
            found => Err(term.error(format!("expected a constant size, found {found}"))),
        }
    }

    /// Evaluates the sizes of a list `(n1..nk)`.
    pub fn sizes(&mut self, term: &Term) -> Result<Vec<usize>, Problem> {
        term.items("a list of sizes")?.iter().map(|t| self.size(t)).collect()
    }

    /// Imports a term that must be one array or scalar.
    pub fn leaf(&mut self, term: &Term) -> Result<Leaf, Problem> {
        match self.term(term)? {
            Value::Leaf(leaf) => Ok(leaf),
            found => Err(term.error(format!("expected an array or a scalar, found {found}"))),
        }
    }

    /// Imports a term that must be one array or scalar, as a typed value.
    pub fn array(&mut self, term: &Term) -> Result<Typed, Problem> {
        let leaf = self.leaf(term)?;
        Ok(self.typed(&leaf))
    }

    /// Imports a term that must be a scalar index.
    pub fn index(&mut self, term: &Term) -> Result<Typed, Problem> {
        let leaf = self.leaf(term)?;
        if !leaf.shape().is_empty() {
            return Err(term.error(format!("expected an index, found {leaf}")));
        }
        self.cast(term, &leaf, Element::Index)
    }

    /// Imports the indices of a list `(i1..im)`.
    pub fn indices(&mut self, term: &Term) -> Result<Vec<Typed>, Problem> {
        index_list(term)?.iter().map(|t| self.index(t)).collect()
    }

    /// Returns a leaf as a typed value; a literal takes its default type.
    pub fn typed(&mut self, leaf: &Leaf) -> Typed {
        let ty = match leaf {
            Leaf::Typed(x) => return x.clone(),
            Leaf::Int(_) => Type::scalar(Element::Index),
            Leaf::Float(_) => Type::scalar(self.floats),
        };
        self.literal(leaf, &ty)
    }

    pub fn typed_leaves(&mut self, value: &Value) -> Vec<Typed> {
        value.leaves().into_iter().map(|leaf| self.typed(leaf)).collect()
    }

    /// Returns a constant of type `ty` that has the literal in every element. The element type must admit the literal.
    pub fn literal(&mut self, leaf: &Leaf, ty: &Type) -> Typed {
        let number = match leaf {
            Leaf::Typed(x) => return x.clone(),
            Leaf::Int(n) => n.to_string(),
            Leaf::Float(x) => float(*x, ty.element),
        };
        self.filled(&number, ty)
    }

    /// Returns a constant with `number` in every element.
    pub fn filled(&mut self, number: &str, ty: &Type) -> Typed {
        self.text().constant(&splat(number, ty.rank()), ty)
    }

    /// Casts a leaf to an element type. Integers are cast to `index`; no other conversion is implicit.
    pub fn cast(&mut self, term: &Term, leaf: &Leaf, element: Element) -> Result<Typed, Problem> {
        match leaf {
            Leaf::Typed(x) if x.ty.element == element => Ok(x.clone()),
            Leaf::Typed(x) if element == Element::Index && is_integer(x.ty.element) => {
                Ok(self.convert(Kind::ArithIndexCast, x, element))
            }
            Leaf::Typed(_) => Err(term.error(format!("expected elements of type {element}, found {leaf}"))),
            number => {
                self.admits(term, number, element)?;
                Ok(self.literal(number, &Type::scalar(element)))
            }
        }
    }

    /// Writes an op that converts elements.
    pub fn convert(&mut self, kind: Kind, x: &Typed, element: Element) -> Typed {
        let ty = x.ty.of(element);
        self.op(format!("{kind} {x} : {} to {ty}", x.ty), ty)
    }

    /// Checks whether a literal may have an element type.
    pub fn admits(&self, term: &Term, number: &Leaf, element: Element) -> Result<(), Problem> {
        let text = match number {
            Leaf::Int(n) if is_integer(element) && (element != Element::I32 || i32::try_from(*n).is_ok()) => {
                return Ok(());
            }
            Leaf::Float(_) if element.is_float() => return Ok(()),
            Leaf::Int(n) if element.is_float() => {
                format!("expected elements of type {element}, found the integer `{n}`; write `{n}.0`")
            }
            _ => format!("expected elements of type {element}, found {number}"),
        };
        Err(term.error(text))
    }

    /// Returns the common element type of the leaves that have a type.
    pub fn common(&self, leaves: &[&Leaf]) -> Element {
        let mut kinds = leaves.iter().filter_map(|l| if let Leaf::Typed(x) = l { Some(x.ty.element) } else { None });
        match kinds.next() {
            // An index together with another integer type: an index.
            Some(Element::I64 | Element::I32) if kinds.any(|k| k == Element::Index) => Element::Index,
            Some(first) => first,
            None if leaves.iter().any(|l| matches!(l, Leaf::Float(_))) => self.floats,
            None => Element::Index,
        }
    }

    /// Converts alternatives of one value to equal types, leaf by leaf.
    pub fn unify(&mut self, terms: &[&Term], values: &[Value]) -> Result<Vec<Vec<Typed>>, Problem> {
        for (term, value) in terms.iter().zip(values) {
            if !value.is_like(&values[0]) {
                return Err(term.error(format!("expected a value like {}, found {value}", values[0])));
            }
        }
        let leaves: Vec<Vec<&Leaf>> = values.iter().map(Value::leaves).collect();
        let mut typed: Vec<Vec<Typed>> = vec![vec![]; values.len()];
        for k in 0..leaves[0].len() {
            let column: Vec<&Leaf> = leaves.iter().map(|l| l[k]).collect();
            let element = self.common(&column);
            for ((term, leaf), out) in terms.iter().zip(&column).zip(&mut typed) {
                if leaf.shape() != column[0].shape() {
                    return Err(term.error(format!("expected shape {:?}, found {leaf}", column[0].shape())));
                }
                out.push(self.cast(term, leaf, element)?);
            }
        }
        Ok(typed)
    }

    /// Suggests a name for the values that a variable denotes.
    pub fn suggest(&mut self, value: &Value, name: &str) {
        for leaf in value.leaves() {
            if let Leaf::Typed(x) = leaf {
                self.text().suggest(x.id, name);
            }
        }
    }
}

/// Checks whether an element type is an integer type; i1 is not.
pub(super) fn is_integer(element: Element) -> bool {
    matches!(element, Element::I32 | Element::I64 | Element::Index)
}

/// Returns the terms of a list `(i1..im)` of indices.
pub(super) fn index_list(term: &Term) -> Result<&[Term], Problem> {
    term.items("a list of indices")
}

/// Checks that there is a variable or an index, `what`, for each size, if `found` are given.
pub(super) fn one_for_each_size(term: &Term, what: &str, found: usize, shape: &[usize]) -> Result<(), Problem> {
    if found == shape.len() {
        return Ok(());
    }
    Err(term.error(format!("expected {}, one for each size, found {found}", count(shape.len(), what))))
}

/// Returns the number of elements of a shape, which may exceed the size of memory.
pub(super) fn elements_of(shape: &[usize]) -> u128 {
    shape.iter().fold(1u128, |n, &d| n.saturating_mul(d as u128))
}
