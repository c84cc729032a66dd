//! Creation of scalars, and of constants with the type and sizes of other values.

use super::Builder;
use crate::ir::{Attribute, Type, Value};
use crate::kind::Kind;
use crate::value::Element;

impl Builder {
    /// Creates `arith.select`.
    pub fn select(self, condition: Value, a: Value, b: Value) -> Value {
        self.unary(Kind::ArithSelect, &[condition, a, b], a.ty())
    }

    /// Creates `arith.cmpi eq`.
    pub fn equal(self, a: Value, b: Value) -> Value {
        let context = self.context();
        let eq = Attribute::integer(context.scalar(Element::I64), 0);
        let i1 = Type::array(&a.ty().shape(), context.scalar(Element::I1));
        self.insert(self.op(Kind::ArithCmpi).operands(&[a, b]).attribute("predicate", eq).results(&[i1]).build())
            .result(0)
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
        if !ty.is_tensor() {
            return self.constant(scalar, ty);
        }
        if ty.shape().iter().all(Option::is_some) {
            return self.constant(Attribute::splat(ty, scalar), ty);
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
