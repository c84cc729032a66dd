//! What all terms have in common: their parts, sizes and indices, the types of numbers, alternatives of one type.

use super::import::Import;
use super::text;
use super::value::{Id, Leaf, Type, Typed, Value};
use mlopt_dialects::value::Element;
use mlopt_passes::optimise::notation::{Term, TermError};

impl Import {
    /// The operands of a term, if there are as many as its `form` shows.
    pub fn parts<'t, const N: usize>(
        &self,
        term: &Term,
        rest: &'t [Term],
        form: &str,
    ) -> Result<[&'t Term; N], TermError> {
        let found = rest.len();
        let all: Vec<&Term> = rest.iter().collect();
        let head = term.list().and_then(|l| l.first()).and_then(Term::name).unwrap_or_default();
        let (written, tail) = form[1..].split_once(' ').unwrap_or((form, ""));
        // One form stands for several terms that are written alike.
        let form = if written == head { form.into() } else { format!("({head} {tail}") };
        let s = if found == 1 { "" } else { "s" };
        all.try_into().map_err(|_| term.error(format!("expected {form}, found {found} operand{s}")))
    }

    /// The name that a term binds.
    pub fn binder<'t>(&self, term: &'t Term) -> Result<&'t str, TermError> {
        term.name().ok_or_else(|| term.expected("the name of a variable"))
    }

    /// The different names of a list `(i1..ik)`.
    pub fn binders<'t>(&self, term: &'t Term) -> Result<Vec<&'t str>, TermError> {
        let items = term.list().ok_or_else(|| term.expected("a list of variables"))?;
        let mut names = vec![];
        for item in items {
            let name = self.binder(item)?;
            if names.contains(&name) {
                return Err(item.error(format!("`{name}` is bound twice")));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// A size: a term whose value is known now.
    pub fn size(&mut self, term: &Term) -> Result<usize, TermError> {
        let mark = self.text().mark();
        let value = self.term(term)?;
        self.text().forget(mark);
        match value {
            Value::Leaf(Leaf::Int(n)) => {
                usize::try_from(n).map_err(|_| term.error(format!("expected a size that is not negative, found {n}")))
            }
            found => Err(term.error(format!("expected a size that is known when importing, found {found}"))),
        }
    }

    /// The sizes of a list `(n1..nk)`.
    pub fn sizes(&mut self, term: &Term) -> Result<Vec<usize>, TermError> {
        let items = term.list().ok_or_else(|| term.expected("a list of sizes"))?;
        items.iter().map(|t| self.size(t)).collect()
    }

    /// A term that is one array or scalar.
    pub fn leaf(&mut self, term: &Term) -> Result<Leaf, TermError> {
        match self.term(term)? {
            Value::Leaf(leaf) => Ok(leaf),
            found => Err(term.error(format!("expected an array or a scalar, found {found}"))),
        }
    }

    /// A term that is one array or scalar, with a type.
    pub fn array(&mut self, term: &Term) -> Result<Typed, TermError> {
        let leaf = self.leaf(term)?;
        Ok(self.typed(&leaf))
    }

    /// A term that is a scalar index.
    pub fn index(&mut self, term: &Term) -> Result<Id, TermError> {
        let leaf = self.leaf(term)?;
        if !leaf.shape().is_empty() {
            return Err(term.error(format!("expected an index, found {leaf}")));
        }
        self.cast(term, &leaf, Element::Index).map(|x| x.id)
    }

    /// The indices of a list `(i1..im)`.
    pub fn indices(&mut self, term: &Term) -> Result<Vec<Id>, TermError> {
        let items = term.list().ok_or_else(|| term.expected("a list of indices"))?;
        items.iter().map(|t| self.index(t)).collect()
    }

    /// A leaf with the type that it has, or else the one that its number has by itself.
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

    /// A number in every element of `ty`, whose kind fits.
    pub fn literal(&mut self, leaf: &Leaf, ty: &Type) -> Typed {
        let number = match leaf {
            Leaf::Typed(x) => return x.clone(),
            Leaf::Int(n) => n.to_string(),
            Leaf::Float(x) => text::float(*x, ty.element),
        };
        let value = if ty.rank() == 0 { number } else { format!("dense<{number}>") };
        Typed { id: self.text().constant(&value, ty), ty: ty.clone() }
    }

    /// The leaf with elements of the given kind. Integers become `index` where that is needed, and nothing else does.
    pub fn cast(&mut self, term: &Term, leaf: &Leaf, element: Element) -> Result<Typed, TermError> {
        match leaf {
            Leaf::Typed(x) if x.ty.element == element => Ok(x.clone()),
            Leaf::Typed(x) if element == Element::Index && is_integer(x.ty.element) => {
                let ty = x.ty.of(element);
                let id = self.text().op(format_args!("arith.index_cast {} : {} to {ty}", x.id, x.ty));
                Ok(Typed { id, ty })
            }
            Leaf::Typed(_) => Err(term.error(format!("expected elements of type {element}, found {leaf}"))),
            number => {
                self.admits(term, number, element)?;
                Ok(self.literal(number, &Type::scalar(element)))
            }
        }
    }

    /// Whether a number may be of that kind.
    pub fn admits(&self, term: &Term, number: &Leaf, element: Element) -> Result<(), TermError> {
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

    /// The kind that leaves have in common, for those that have a type.
    pub fn common(&self, leaves: &[&Leaf]) -> Element {
        let mut kinds = leaves.iter().filter_map(|l| if let Leaf::Typed(x) = l { Some(x.ty.element) } else { None });
        match kinds.next() {
            // An index beside another integer: an index.
            Some(Element::I64 | Element::I32) if kinds.any(|k| k == Element::Index) => Element::Index,
            Some(first) => first,
            None if leaves.iter().any(|l| matches!(l, Leaf::Float(_))) => self.floats,
            None => Element::Index,
        }
    }

    /// Alternatives of one value, leaf by leaf with equal types.
    pub fn unify(&mut self, terms: &[&Term], values: &[Value]) -> Result<Vec<Vec<Typed>>, TermError> {
        for (term, value) in terms.iter().zip(values) {
            if !value.is_like(&values[0]) {
                return Err(term.error(format!("expected {}, found {value}", values[0])));
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

    /// Names the values that a variable stands for.
    pub fn suggest(&mut self, value: &Value, name: &str) {
        for leaf in value.leaves() {
            if let Leaf::Typed(x) = leaf {
                self.text().suggest(x.id, name);
            }
        }
    }
}

/// Whether these are whole numbers; booleans are not.
pub(super) fn is_integer(element: Element) -> bool {
    matches!(element, Element::I32 | Element::I64 | Element::Index)
}

/// The number of elements of a shape, which may be more than memory holds.
pub(super) fn elements_of(shape: &[usize]) -> u128 {
    shape.iter().fold(1u128, |n, &d| n.saturating_mul(d as u128))
}
