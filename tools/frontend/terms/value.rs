//! The values of terms during the translation: typed SSA values, numbers without a type yet, and pairs of these.

pub use crate::mlir::Type;

use mlopt_dialects::text::Problem;
use std::fmt;

/// The number of an SSA value of the function under construction. Its name is chosen at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id(pub usize);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// An SSA value and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    pub id: Id,
    pub ty: Type,
}

/// Prints the number of the value, as an operand.
impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.id)
    }
}

/// One array or scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf {
    Typed(Typed),
    /// An integer literal. It takes the integer type of the other operands, `index` by default.
    Int(i64),
    /// A floating-point literal. It takes the float type of the other operands.
    Float(f64),
}

impl Leaf {
    pub fn shape(&self) -> &[usize] {
        if let Leaf::Typed(x) = self { &x.ty.shape } else { &[] }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Leaf::Typed(x) => write!(f, "{}", x.ty),
            Leaf::Int(n) => write!(f, "the integer `{n}`"),
            Leaf::Float(x) => write!(f, "the float `{x:?}`"),
        }
    }
}

/// The outcome of the translation of a term.
pub type Outcome = Result<Value, Problem>;

/// A value of the language, as a structure of arrays (`spec/arrays.md` G.2): tuples are outermost.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Leaf(Leaf),
    Pair(Box<Value>, Box<Value>),
}

impl Value {
    pub fn pair(first: Value, second: Value) -> Value {
        Value::Pair(Box::new(first), Box::new(second))
    }

    /// Returns the arrays and scalars, first components first.
    pub fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Value::Leaf(leaf) => vec![leaf],
            Value::Pair(first, second) => [first.leaves(), second.leaves()].concat(),
        }
    }

    /// Returns a value of the same structure with other leaves, which come in the order of `leaves`.
    pub fn with(&self, leaves: &mut impl Iterator<Item = impl Into<Value>>) -> Value {
        match self {
            Value::Leaf(_) => leaves.next().expect("one for each leaf").into(),
            Value::Pair(first, second) => {
                let first = first.with(leaves);
                Value::pair(first, second.with(leaves))
            }
        }
    }

    /// Checks whether two values have the same structure of pairs.
    pub fn is_like(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Leaf(_), Value::Leaf(_)) => true,
            (Value::Pair(a, b), Value::Pair(c, d)) => a.is_like(c) && b.is_like(d),
            _ => false,
        }
    }
}

impl From<Typed> for Value {
    fn from(x: Typed) -> Value {
        Value::Leaf(Leaf::Typed(x))
    }
}

/// Prints the type, for messages.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Leaf(leaf) => write!(f, "{leaf}"),
            Value::Pair(first, second) => write!(f, "the pair ({first}, {second})"),
        }
    }
}
