//! Sizes of arrays that only one of two types determines. Types with such sizes agree: where a value is used at the
//! other type, it is converted, and the program stops with the error `shape-mismatch` if the sizes differ (`sizes.rs`).

use super::super::unify::{Node, Ty};
use super::{Copy, Infer, Reported};
use mlopt_dialects::ir::{Dim, Op, Type, Value};
use mlopt_dialects::ops::lambda::Prim;
use mlopt_dialects::ops::{HasKind, Kind};

/// The sizes of the type that results from two types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    /// Those that one of the types determines: the type of operands whose sizes must be equal.
    Meet,
    /// Those that both types determine: the type of a value that has one type or the other.
    Join,
    /// Those of the first type, at which a value of the second type is used.
    First,
}

impl Sizes {
    fn of(self, a: Dim, b: Dim) -> Dim {
        match self {
            Sizes::Meet => a.or(b),
            Sizes::Join => a.and(b),
            Sizes::First => a,
        }
    }
}

/// Returns the shape that results from two shapes; `None` if they have different ranks or known sizes that differ.
pub(super) fn combined(a: &[Dim], b: &[Dim], sizes: Sizes) -> Option<Vec<Dim>> {
    let agree = |(a, b): (&Dim, &Dim)| a == b || a.is_none() || b.is_none();
    let fits = a.len() == b.len() && a.iter().zip(b).all(agree);
    fits.then(|| a.iter().zip(b).map(|(a, b)| sizes.of(*a, *b)).collect())
}

impl Infer {
    /// Unifies two types, except for sizes of arrays, and of arrays in tuples and records, that only one of the types
    /// determines. Returns the resulting type.
    pub(super) fn agree(&mut self, copy: Copy, op: Op, a: Ty, b: Ty, sizes: Sizes) -> Result<Ty, Reported> {
        match (self.types.node(a).clone(), self.types.node(b).clone()) {
            (Node::Leaf(s), Node::Leaf(t)) if s != t && s.is_tensor() && t.is_tensor() && s.scalar() == t.scalar() => {
                match combined(&s.shape(), &t.shape(), sizes) {
                    Some(shape) if shape == s.shape() => return Ok(a),
                    Some(shape) => return Ok(self.types.leaf(Type::tensor(&shape, s.scalar()))),
                    None => {}
                }
            }
            (Node::Tuple(p), Node::Tuple(q)) if p.len() == q.len() => {
                let parts = self.all_agree(copy, op, &p, &q, sizes)?;
                return Ok(if parts == p { a } else { self.types.add(Node::Tuple(parts)) });
            }
            (Node::Record(name, f), Node::Record(other, g))
                if name == other && f.len() == g.len() && f.iter().zip(&g).all(|(f, g)| f.0 == g.0) =>
            {
                let (names, p): (Vec<String>, Vec<Ty>) = f.into_iter().unzip();
                let q: Vec<Ty> = g.into_iter().map(|f| f.1).collect();
                let parts = self.all_agree(copy, op, &p, &q, sizes)?;
                let fields = || names.into_iter().zip(parts.iter().copied()).collect();
                return Ok(if parts == p { a } else { self.types.add(Node::Record(name, fields())) });
            }
            _ => {}
        }
        self.unify(copy, op, a, b)?;
        Ok(a)
    }

    fn all_agree(&mut self, copy: Copy, op: Op, p: &[Ty], q: &[Ty], sizes: Sizes) -> Result<Vec<Ty>, Reported> {
        p.iter().zip(q).map(|(p, q)| self.agree(copy, op, *p, *q, sizes)).collect()
    }

    /// Returns the size that an integer states: a literal, or the size of an axis that a type determines.
    pub(super) fn stated_size(&self, copy: Copy, value: Value) -> Dim {
        if let Some(n) = Infer::literal_integer(value) {
            return Some(n.max(0) as usize);
        }
        let prim = |value: Value| {
            let (op, _) = value.defining_op().filter(|(op, _)| op.kind() == Kind::LambdaPrim)?;
            Some((op, op.cast::<Prim>().name()))
        };
        let (op, name) = prim(value)?;
        match name.as_str() {
            "len" => self.known_length(copy, op.operand(0)),
            "item" => {
                let (of, _) = prim(op.operand(0)).filter(|(_, name)| name == "shape")?;
                let shape = self.array(self.type_of(copy, of.operand(0))?)?.shape();
                let axis = Infer::literal_integer(op.operand(1))?;
                let axis = usize::try_from(if axis < 0 { axis + shape.len() as i64 } else { axis }).ok()?;
                shape.get(axis).copied().flatten()
            }
            _ => None,
        }
    }

    /// Returns the number of values of a list, a tuple or an array; `None` if it is known only at run time.
    pub(super) fn known_length(&self, copy: Copy, mut value: Value) -> Option<usize> {
        let mut before = 0;
        loop {
            match self.type_of(copy, value).map(|ty| self.types.node(ty).clone()) {
                Some(Node::Tuple(parts)) => return Some(before + parts.len()),
                Some(Node::Leaf(array)) if array.is_tensor() => return Some(before + array.shape()[0]?),
                Some(Node::List(_)) => {}
                _ => return None,
            }
            let (op, _) = value.defining_op()?;
            value = match op.kind() {
                Kind::LambdaNil => return Some(before),
                Kind::LambdaCons => {
                    before += 1;
                    op.operand(1)
                }
                Kind::LambdaConcat => {
                    before += self.known_length(copy, op.operand(0))?;
                    op.operand(1)
                }
                Kind::LambdaThe | Kind::LambdaToList => op.operand(0),
                Kind::LambdaCheck | Kind::LambdaMap => op.operand(1),
                _ => return None,
            };
        }
    }

    /// Returns the type of a value that is not a function.
    fn type_of(&self, copy: Copy, value: Value) -> Option<Ty> {
        match self.binding(copy, value) {
            super::Binding::One(ty) => Some(ty),
            super::Binding::Each(_) => None,
        }
    }
}
