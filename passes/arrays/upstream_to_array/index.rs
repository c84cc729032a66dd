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
        let axis = |n: Index| {
            let Index::Value(n) = n else { return None };
            let (op, _) = n.defining_op().filter(|(op, _)| op.kind() == Kind::ArrayLength)?;
            Some((op.operand(0), op.attribute("axis").and_then(Attribute::as_i64).unwrap_or(0)))
        };
        self == other || axis(self).is_some_and(|x| axis(other) == Some(x))
    }

    pub fn value(self, b: Builder) -> Value {
        match self {
            Index::Known(n) => b.index(n),
            Index::Value(value) => value,
        }
    }

    pub fn add(self, b: Builder, other: Index) -> Index {
        match (self, other) {
            (Index::Known(m), Index::Known(n)) => Index::Known(m.wrapping_add(n)),
            (x, Index::Known(0)) | (Index::Known(0), x) => x,
            (x, y) => binary(b, Kind::ArithAddi, x, y),
        }
    }

    pub fn subtract(self, b: Builder, other: Index) -> Index {
        match (self, other) {
            (Index::Known(m), Index::Known(n)) => Index::Known(m.wrapping_sub(n)),
            (x, Index::Known(0)) => x,
            (x, y) => binary(b, Kind::ArithSubi, x, y),
        }
    }

    pub fn multiply(self, b: Builder, other: Index) -> Index {
        match (self, other) {
            (Index::Known(m), Index::Known(n)) => Index::Known(m.wrapping_mul(n)),
            (x, Index::Known(1)) | (Index::Known(1), x) => x,
            (x, y) => binary(b, Kind::ArithMuli, x, y),
        }
    }

    /// Divides, rounding towards -∞.
    pub fn divide(self, b: Builder, other: Index) -> Index {
        match (self, other) {
            (Index::Known(m), Index::Known(n)) if n > 0 => Index::Known(m.div_euclid(n)),
            (x, Index::Known(1)) => x,
            (x, y) => binary(b, Kind::ArrayDiv, x, y),
        }
    }

    /// Computes the remainder with the sign of `other`.
    pub fn modulo(self, b: Builder, other: Index) -> Index {
        match (self, other) {
            (Index::Known(m), Index::Known(n)) if n > 0 => Index::Known(m.rem_euclid(n)),
            (_, Index::Known(1)) => Index::Known(0),
            (x, y) => binary(b, Kind::ArrayMod, x, y),
        }
    }
}

fn binary(b: Builder, kind: Kind, x: Index, y: Index) -> Index {
    Index::Value(b.unary(kind, &[x.value(b), y.value(b)], b.context().index()))
}

/// Returns the result of an affine map for loops at `position`, as far as they have begun.
pub fn affine(b: Builder, e: &Affine, position: &[Option<Value>]) -> Index {
    let both = |x: &Affine, y: &Affine| (affine(b, x, position), affine(b, y, position));
    match e {
        Affine::Dim(d) => Index::Value(position[*d].expect("the map is used inside its loops")),
        Affine::Constant(c) => Index::Known(*c),
        Affine::Symbol(_) => unreachable!("checked: maps of linalg have no symbols"),
        Affine::Add(x, y) => {
            let (x, y) = both(x, y);
            x.add(b, y)
        }
        Affine::Mul(x, y) => {
            let (x, y) = both(x, y);
            x.multiply(b, y)
        }
        Affine::Mod(x, y) => {
            let (x, y) = both(x, y);
            x.modulo(b, y)
        }
        Affine::FloorDiv(x, y) => {
            let (x, y) = both(x, y);
            x.divide(b, y)
        }
        // ⌈x / y⌉ = -⌊-x / y⌋.
        Affine::CeilDiv(x, y) => {
            let (x, y) = both(x, y);
            let below = Index::Known(0).subtract(b, x).divide(b, y);
            Index::Known(0).subtract(b, below)
        }
    }
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
