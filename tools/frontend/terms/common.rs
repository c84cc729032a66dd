//! The parts of the translation that all terms share: operands, sizes, indices, types of literals, and a common type
//! for the alternatives of a choice.

use super::scope::Import;
use super::value::{Leaf, Tuple, is_integer};
use crate::mlir;
use mlopt_dialects::ir::{Type, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::text::terms::{Number, Term};
use mlopt_dialects::text::{Problem, count};

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

    /// Evaluates a size, whose value must be known during import.
    pub fn size(&mut self, term: &Term) -> Result<usize, Problem> {
        self.without_ops(term, |_, size| match size {
            Tuple::Leaf(Leaf::Int(n)) => {
                usize::try_from(*n).map_err(|_| term.error(format!("expected a size that is not negative, found {n}")))
            }
            found => Err(term.error(format!("expected a constant size, found {found}"))),
        })
    }

    /// Evaluates the sizes of a list `(n1..nk)`.
    pub fn sizes(&mut self, term: &Term) -> Result<Vec<usize>, Problem> {
        term.items("a list of sizes")?.iter().map(|t| self.size(t)).collect()
    }

    /// Imports a term that must be one array or scalar.
    pub fn leaf(&mut self, term: &Term) -> Result<Leaf, Problem> {
        match self.term(term)? {
            Tuple::Leaf(leaf) => Ok(leaf),
            found => Err(term.error(format!("expected an array or a scalar, found {found}"))),
        }
    }

    /// Imports a term that must be one array or scalar, as a value of the program.
    pub fn array(&mut self, term: &Term) -> Result<Value, Problem> {
        let leaf = self.leaf(term)?;
        Ok(self.value(&leaf))
    }

    /// Imports a term that must be a scalar index.
    pub fn index(&mut self, term: &Term) -> Result<Value, Problem> {
        let leaf = self.leaf(term)?;
        if !leaf.shape().is_empty() {
            return Err(term.error(format!("expected an index, found {leaf}")));
        }
        self.cast(term, &leaf, self.context.index())
    }

    /// Imports the indices of a list `(i1..im)`.
    pub fn indices(&mut self, term: &Term) -> Result<Vec<Value>, Problem> {
        index_list(term)?.iter().map(|t| self.index(t)).collect()
    }

    /// Returns a leaf as a value of the program; a literal takes its default type.
    pub fn value(&mut self, leaf: &Leaf) -> Value {
        let ty = match leaf {
            Leaf::Value(x) => x.ty(),
            Leaf::Int(_) => self.context.index(),
            Leaf::Float(_) => self.floats,
        };
        self.literal(leaf, ty)
    }

    pub fn values(&mut self, tuple: &Tuple) -> Vec<Value> {
        tuple.leaves().into_iter().map(|leaf| self.value(leaf)).collect()
    }

    /// Returns a constant of type `ty` that has the literal in every element. The element type must admit the literal.
    pub fn literal(&mut self, leaf: &Leaf, ty: Type) -> Value {
        match *leaf {
            Leaf::Value(x) => x,
            Leaf::Int(n) => self.filled(Number::Int(n), ty),
            Leaf::Float(x) => self.filled(Number::Float(x), ty),
        }
    }

    /// Returns a constant with `number` in every element.
    pub fn filled(&mut self, number: Number, ty: Type) -> Value {
        self.constant(mlir::constant(number, ty), ty)
    }

    /// Casts a leaf to an element type. Integers are cast to `index`; no other conversion is implicit.
    pub fn cast(&mut self, term: &Term, leaf: &Leaf, element: Type) -> Result<Value, Problem> {
        match *leaf {
            Leaf::Value(x) if x.ty().scalar() == element => Ok(x),
            Leaf::Value(x) if element.is_index() && is_integer(x.ty()) => {
                Ok(self.convert(Kind::ArithIndexCast, x, element))
            }
            Leaf::Value(_) => Err(term.error(format!("expected elements of type {element}, found {leaf}"))),
            Leaf::Int(_) | Leaf::Float(_) => {
                self.admits(term, leaf, element)?;
                Ok(self.literal(leaf, element))
            }
        }
    }

    /// Creates an op that converts elements.
    pub fn convert(&self, kind: Kind, x: Value, element: Type) -> Value {
        self.builder().unary(kind, &[x], Type::array(&x.ty().shape(), element))
    }

    /// Checks whether a literal may have an element type.
    pub fn admits(&self, term: &Term, number: &Leaf, element: Type) -> Result<(), Problem> {
        let text = match number {
            Leaf::Int(n) if is_integer(element) && (!element.is_integer(32) || i32::try_from(*n).is_ok()) => {
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
    pub fn common(&self, leaves: &[&Leaf]) -> Type {
        let mut kinds = leaves.iter().filter_map(|l| if let Leaf::Value(x) = l { Some(x.ty().scalar()) } else { None });
        match kinds.next() {
            // An index together with another integer type: an index.
            Some(first) if is_integer(first) && kinds.any(Type::is_index) => self.context.index(),
            Some(first) => first,
            None if leaves.iter().any(|l| matches!(l, Leaf::Float(_))) => self.floats,
            None => self.context.index(),
        }
    }

    /// Converts alternatives of one value to equal types, leaf by leaf.
    pub fn unify(&mut self, terms: &[&Term], values: &[Tuple]) -> Result<Vec<Vec<Value>>, Problem> {
        for (term, value) in terms.iter().zip(values) {
            if !value.is_like(&values[0]) {
                return Err(term.error(format!("expected a value with the structure of {}, found {value}", values[0])));
            }
        }
        let leaves: Vec<Vec<&Leaf>> = values.iter().map(Tuple::leaves).collect();
        let mut unified: Vec<Vec<Value>> = vec![vec![]; values.len()];
        for k in 0..leaves[0].len() {
            let column: Vec<&Leaf> = leaves.iter().map(|l| l[k]).collect();
            let element = self.common(&column);
            for ((term, leaf), out) in terms.iter().zip(&column).zip(&mut unified) {
                if leaf.shape() != column[0].shape() {
                    return Err(term.error(format!("expected shape {:?}, found {leaf}", column[0].shape())));
                }
                out.push(self.cast(term, leaf, element)?);
            }
        }
        Ok(unified)
    }
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
