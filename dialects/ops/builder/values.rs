//! Creation of scalars, and of constants with the type and sizes of other values.

use super::Builder;
use crate::ir::{Attribute, Type, Value};
use crate::kind::Kind;
use crate::value::Element;
use crate::{CmpFPredicate, CmpIPredicate, ToAttribute};

impl Builder {
    /// Creates `arith.select`.
    pub fn select(self, condition: Value, a: Value, b: Value) -> Value {
        self.unary(Kind::ArithSelect, &[condition, a, b], a.ty())
    }

    /// Creates `arith.cmpi eq`.
    pub fn equal(self, a: Value, b: Value) -> Value {
        self.compare_integers(CmpIPredicate::Eq, a, b)
    }

    /// Creates `arith.cmpi`.
    pub fn compare_integers(self, predicate: CmpIPredicate, a: Value, b: Value) -> Value {
        self.compared(Kind::ArithCmpi, predicate.to_attribute(self.context()), a, b)
    }

    /// Creates `arith.cmpf`.
    pub fn compare_floats(self, predicate: CmpFPredicate, a: Value, b: Value) -> Value {
        self.compared(Kind::ArithCmpf, predicate.to_attribute(self.context()), a, b)
    }

    fn compared(self, kind: Kind, predicate: Attribute, a: Value, b: Value) -> Value {
        let (ty, i1) = (a.ty(), self.context().scalar(Element::I1));
        let mask = if ty.is_tensor() { Type::tensor(&ty.shape(), i1) } else { i1 };
        let op = self.op(kind).operands(&[a, b]).attribute("predicate", predicate).results(&[mask]);
        self.insert(op.build()).result(0)
    }

    /// Creates the constant `value` of type `i1`.
    pub fn bool(self, value: bool) -> Value {
        let context = self.context();
        self.constant(context.bool_attr(value), context.scalar(Element::I1))
    }

    /// Creates a constant whose elements are all `value`.
    pub fn splat(self, value: Attribute, ty: Type) -> Value {
        self.constant(if ty.is_tensor() { Attribute::splat(ty, value) } else { value }, ty)
    }

    /// Creates a value with the type and sizes of `like` whose elements are all `scalar`.
    pub fn filled_like(self, like: Value, scalar: Value) -> Value {
        let sizes = like.ty().shape();
        let mut x = scalar;
        for axis in (0..sizes.len()).rev() {
            let extent = if sizes[axis].is_none() { self.length(like, axis) } else { x };
            x = self.replicate(x, sizes[axis], extent);
        }
        x
    }

    /// Creates the constant `c` with the type and sizes of `like`, which has float elements.
    pub fn float_like(self, like: Value, c: f64) -> Value {
        let ty = like.ty();
        let scalar = Attribute::float(ty.scalar(), c);
        if ty.shape().iter().all(Option::is_some) {
            return self.splat(scalar, ty);
        }
        let c = self.constant(scalar, ty.scalar());
        self.filled_like(like, c)
    }

    /// Creates the structural zero with the type and sizes of `like`.
    pub fn zero_like(self, like: Value) -> Value {
        let ty = like.ty();
        if ty.shape().iter().all(Option::is_some) {
            return self.unary(Kind::DualZero, &[], ty);
        }
        let zero = self.unary(Kind::DualZero, &[], ty.scalar());
        self.filled_like(like, zero)
    }
}
