//! Integers that are either constants or values. Arithmetic on constants is evaluated, and arithmetic on values emits
//! ops.

use crate::analysis::edit;
use mlopt_dialects::affine_map::Affine;
use mlopt_dialects::ir::{Attribute, Builder, Dim, Op, Type, Value};
use mlopt_dialects::ops::arith::Cmpi;
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    Known(i64),
    Value(Value),
}

impl Index {
    /// Returns the constant that defines a value, or the value.
    pub fn of(value: Value) -> Index {
        edit::known(value).map_or(Index::Value(value), Index::Known)
    }

    /// Checks whether both are known to be the same: one number, one value, or the size of one axis.
    pub fn is_same(self, other: Index) -> bool {
        self == other || self.axis().is_some_and(|x| other.axis() == Some(x))
    }

    /// Checks whether it is computed as the size of an axis.
    pub fn is_size(self) -> bool {
        self.axis().is_some()
    }

    /// Checks whether it is computed as the size of an axis of `x`.
    pub fn is_length(self, x: Value, axis: usize) -> bool {
        self.axis() == Some((x, axis as i64))
    }

    /// Returns the array and the axis whose size it is, if it is computed by `array.length`.
    fn axis(self) -> Option<(Value, i64)> {
        let Index::Value(n) = self else { return None };
        let (op, _) = n.defining_op().filter(|(op, _)| op.kind() == Kind::ArrayLength)?;
        Some((op.operand(0), op.attribute("axis").and_then(Attribute::as_i64).unwrap_or(0)))
    }

    pub fn value(self, b: Builder) -> Value {
        match self {
            Index::Known(n) => b.index(n),
            Index::Value(value) => value,
        }
    }

    pub fn add(self, b: Builder, other: Index) -> Index {
        self.binary(b, Kind::ArithAddi, other)
    }

    pub fn subtract(self, b: Builder, other: Index) -> Index {
        self.binary(b, Kind::ArithSubi, other)
    }

    pub fn multiply(self, b: Builder, other: Index) -> Index {
        self.binary(b, Kind::ArithMuli, other)
    }

    /// Returns the larger of two signed numbers.
    pub fn maximum(self, b: Builder, other: Index) -> Index {
        self.binary(b, Kind::ArithMaxsi, other)
    }

    /// Returns the smaller of two signed numbers.
    pub fn minimum(self, b: Builder, other: Index) -> Index {
        self.binary(b, Kind::ArithMinsi, other)
    }

    /// Divides, rounding towards -∞.
    pub fn divide(self, b: Builder, other: Index) -> Index {
        self.binary(b, Kind::ArrayDiv, other)
    }

    /// Computes the remainder with the sign of `other`.
    pub fn modulo(self, b: Builder, other: Index) -> Index {
        self.binary(b, Kind::ArrayMod, other)
    }

    /// Emits an op, unless its result is known.
    fn binary(self, b: Builder, kind: Kind, other: Index) -> Index {
        use Index::Known;
        match (kind, self, other) {
            (Kind::ArithAddi, Known(m), Known(n)) => Known(m.wrapping_add(n)),
            (Kind::ArithSubi, Known(m), Known(n)) => Known(m.wrapping_sub(n)),
            (Kind::ArithMuli, Known(m), Known(n)) => Known(m.wrapping_mul(n)),
            (Kind::ArithMaxsi, Known(m), Known(n)) => Known(m.max(n)),
            (Kind::ArithMinsi, Known(m), Known(n)) => Known(m.min(n)),
            (Kind::ArrayDiv, Known(m), Known(n)) if n > 0 => Known(m.div_euclid(n)),
            (Kind::ArrayMod, Known(m), Known(n)) if n > 0 => Known(m.rem_euclid(n)),
            (Kind::ArithAddi | Kind::ArithSubi, x, Known(0)) | (Kind::ArithAddi, Known(0), x) => x,
            (Kind::ArithMuli | Kind::ArrayDiv, x, Known(1)) | (Kind::ArithMuli, Known(1), x) => x,
            (Kind::ArrayMod, _, Known(1)) => Known(0),
            (_, x, y) => Index::Value(b.unary(kind, &[x.value(b), y.value(b)], b.context().index())),
        }
    }
}

/// Returns the result of an affine map for loops at `position`, as far as they have begun.
pub fn affine(b: Builder, e: &Affine, position: &[Option<Value>]) -> Index {
    let (kind, x, y) = match e {
        Affine::Dim(d) => return Index::Value(position[*d].expect("the map is used inside its loops")),
        Affine::Constant(c) => return Index::Known(*c),
        Affine::Symbol(_) => unreachable!("checked: maps of linalg have no symbols"),
        Affine::Add(x, y) => (Kind::ArithAddi, x, y),
        Affine::Mul(x, y) => (Kind::ArithMuli, x, y),
        Affine::Mod(x, y) => (Kind::ArrayMod, x, y),
        Affine::FloorDiv(x, y) | Affine::CeilDiv(x, y) => (Kind::ArrayDiv, x, y),
    };
    let (x, y) = (affine(b, x, position), affine(b, y, position));
    if let Affine::CeilDiv(..) = e {
        // ⌈x / y⌉ = -⌊-x / y⌋.
        let below = Index::Known(0).subtract(b, x).divide(b, y);
        return Index::Known(0).subtract(b, below);
    }
    x.binary(b, kind, y)
}

/// Returns sizes as in a type, and the dynamic ones among them.
pub fn sizes(b: Builder, all: &[Index]) -> (Vec<Dim>, Vec<Value>) {
    let dims = all.iter().map(|n| if let Index::Known(n) = n { usize::try_from(*n).ok() } else { None });
    let values = all.iter().filter(|n| !matches!(n, Index::Known(n) if *n >= 0)).map(|n| n.value(b));
    (dims.collect(), values.collect())
}

/// Returns the sizes in a type, with operands for its `?`.
pub fn of_type(ty: Type, operands: &[Value]) -> Vec<Index> {
    let mut operands = operands.iter();
    let mut next = || Index::of(*operands.next().expect("verified: one operand for each `?`"));
    ty.shape().into_iter().map(|d| d.map_or_else(&mut next, |n| Index::Known(n as i64))).collect()
}

/// Returns the integers of attribute `name`; MLIR's marker of a dynamic one is replaced by the next of `operands`.
pub fn mixed(op: Op, name: &str, operands: &mut impl Iterator<Item = Value>) -> Vec<Index> {
    let entries = op.attribute(name).and_then(Attribute::as_i64_array).unwrap_or_default();
    let next = |n| match n {
        i64::MIN => Index::of(operands.next().expect("verified: one operand for each run-time entry")),
        n => Index::Known(n),
    };
    entries.into_iter().map(next).collect()
}

pub fn compare(b: Builder, predicate: CmpIPredicate, x: Index, y: Index) -> Value {
    Cmpi::create(b, x.value(b), y.value(b), predicate).result()
}
