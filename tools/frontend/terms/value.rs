//! The values of terms during the translation: values of the program, numbers without a type yet, and pairs of these.

use mlopt_dialects::ir::{Dim, Type, Value};
use mlopt_dialects::text::Problem;
use std::fmt;

/// One array or scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf {
    /// A value of the program. All sizes of its type are static.
    Value(Value),
    /// An integer literal. It takes the integer type of the other operands, `index` by default.
    Int(i64),
    /// A floating-point literal. It takes the float type of the other operands.
    Float(f64),
}

impl Leaf {
    pub fn shape(&self) -> Vec<usize> {
        if let Leaf::Value(x) = self { shape(x.ty()) } else { vec![] }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Leaf::Value(x) => write!(f, "{}", x.ty()),
            Leaf::Int(n) => write!(f, "the integer `{n}`"),
            Leaf::Float(x) => write!(f, "the float `{x:?}`"),
        }
    }
}

/// Returns the sizes of a type, all of which are static.
pub fn shape(ty: Type) -> Vec<usize> {
    ty.shape().into_iter().flatten().collect()
}

/// Returns the sizes of a shape as parts of a type.
pub fn static_sizes(shape: &[usize]) -> Vec<Dim> {
    shape.iter().copied().map(Some).collect()
}

/// Returns a type without its first `n` axes.
pub fn after(ty: Type, n: usize) -> Type {
    Type::array(&ty.shape()[n..], ty.scalar())
}

/// Checks whether the elements of a type are integers; i1 is not an integer type.
pub fn is_integer(ty: Type) -> bool {
    ty.is_discrete() && !ty.scalar().is_integer(1)
}

/// The outcome of the translation of a term.
pub type Outcome = Result<Tuple, Problem>;

/// A value of the language, as a structure of arrays (`spec/arrays.md` G.2): tuples are outermost.
#[derive(Clone, Debug, PartialEq)]
pub enum Tuple {
    Leaf(Leaf),
    Pair(Box<Tuple>, Box<Tuple>),
}

impl Tuple {
    pub fn pair(first: Tuple, second: Tuple) -> Tuple {
        Tuple::Pair(Box::new(first), Box::new(second))
    }

    /// Returns the arrays and scalars, first components first.
    pub fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Tuple::Leaf(leaf) => vec![leaf],
            Tuple::Pair(first, second) => [first.leaves(), second.leaves()].concat(),
        }
    }

    /// Returns a tuple of the same structure with other leaves, which come in the order of `leaves`.
    pub fn with(&self, leaves: &mut impl Iterator<Item = impl Into<Tuple>>) -> Tuple {
        match self {
            Tuple::Leaf(_) => leaves.next().expect("one for each leaf").into(),
            Tuple::Pair(first, second) => {
                let first = first.with(leaves);
                Tuple::pair(first, second.with(leaves))
            }
        }
    }

    /// Checks whether two values have the same structure of pairs.
    pub fn is_like(&self, other: &Tuple) -> bool {
        match (self, other) {
            (Tuple::Leaf(_), Tuple::Leaf(_)) => true,
            (Tuple::Pair(a, b), Tuple::Pair(c, d)) => a.is_like(c) && b.is_like(d),
            _ => false,
        }
    }
}

impl From<Value> for Tuple {
    fn from(x: Value) -> Tuple {
        Tuple::Leaf(Leaf::Value(x))
    }
}

/// Prints the type, for messages.
impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Tuple::Leaf(leaf) => write!(f, "{leaf}"),
            Tuple::Pair(first, second) => write!(f, "the pair ({first}, {second})"),
        }
    }
}
