//! Creation of arithmetic on scalars and arrays, element by element.

use mlopt_dialects::ir::{Attribute, Builder, Type, Value};
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate, Kind};

/// An insertion point with methods for arithmetic. Operands of one call have the same shape.
#[derive(Clone, Copy)]
pub struct Emit(pub Builder);

impl Emit {
    /// Creates an op whose result has the type of the first operand.
    pub fn op(self, kind: Kind, x: &[Value]) -> Value {
        self.0.unary(kind, x, x[0].ty())
    }

    /// Creates an op on `x` whose result has elements of type `scalar`.
    pub fn cast(self, kind: Kind, x: Value, scalar: Type) -> Value {
        if x.ty().scalar() == scalar { x } else { self.0.unary(kind, &[x], with_scalar(x.ty(), scalar)) }
    }

    /// Creates the float `c` with the shape of `like`, which has float elements.
    pub fn float(self, like: Value, c: f64) -> Value {
        self.0.float_like(like, c)
    }

    /// Creates the integer `n` with the shape of `like`, which has integer elements.
    pub fn integer(self, like: Value, n: i64) -> Value {
        let ty = like.ty();
        let scalar = Attribute::integer(ty.scalar(), n);
        if ty.shape().iter().all(Option::is_some) {
            return self.0.splat(scalar, ty);
        }
        let n = self.0.constant(scalar, ty.scalar());
        self.0.filled_like(like, n)
    }

    /// Creates the integer `n` of type `scalar` with the shape of `like`.
    pub fn integer_of(self, like: Value, scalar: Type, n: i64) -> Value {
        let n = self.0.constant(Attribute::integer(scalar, n), scalar);
        self.filled(Some(like).filter(|v| v.ty().is_tensor()), n)
    }

    pub fn add(self, x: Value, y: Value) -> Value {
        self.op(Kind::ArithAddf, &[x, y])
    }

    pub fn sub(self, x: Value, y: Value) -> Value {
        self.op(Kind::ArithSubf, &[x, y])
    }

    pub fn mul(self, x: Value, y: Value) -> Value {
        self.op(Kind::ArithMulf, &[x, y])
    }

    pub fn div(self, x: Value, y: Value) -> Value {
        self.op(Kind::ArithDivf, &[x, y])
    }

    pub fn and(self, x: Value, y: Value) -> Value {
        self.op(Kind::ArithAndi, &[x, y])
    }

    pub fn or(self, x: Value, y: Value) -> Value {
        self.op(Kind::ArithOri, &[x, y])
    }

    pub fn xor(self, x: Value, y: Value) -> Value {
        self.op(Kind::ArithXori, &[x, y])
    }

    /// Creates the complement of each bit.
    pub fn not(self, x: Value) -> Value {
        self.xor(x, self.integer(x, -1))
    }

    pub fn select(self, condition: Value, x: Value, y: Value) -> Value {
        self.0.select(condition, x, y)
    }

    pub fn compare_floats(self, predicate: CmpFPredicate, x: Value, y: Value) -> Value {
        self.0.compare_floats(predicate, x, y)
    }

    pub fn compare_integers(self, predicate: CmpIPredicate, x: Value, y: Value) -> Value {
        self.0.compare_integers(predicate, x, y)
    }

    pub fn is_nan(self, x: Value) -> Value {
        self.compare_floats(CmpFPredicate::Uno, x, x)
    }

    /// Compares integers with the number `n`.
    pub fn compare_with(self, predicate: CmpIPredicate, x: Value, n: i64) -> Value {
        self.compare_integers(predicate, x, self.integer(x, n))
    }

    /// Returns operands of one shape: scalars are copied if another operand is an array.
    pub fn unified(self, x: &[Value]) -> Vec<Value> {
        let like = x.iter().copied().find(|v| v.ty().is_tensor());
        x.iter().map(|&v| self.filled(like, v)).collect()
    }

    /// Returns `x`, or copies of the scalar `x` with the shape of `like`.
    pub fn filled(self, like: Option<Value>, x: Value) -> Value {
        let Some(like) = like.filter(|_| !x.ty().is_tensor()) else { return x };
        let ty = with_scalar(like.ty(), x.ty().scalar());
        if let (Some(value), true) = (crate::analysis::edit::constant(x), ty.shape().iter().all(Option::is_some)) {
            return self.0.splat(value, ty);
        }
        self.0.filled_like(like, x)
    }
}

/// Returns the type with the shape of `ty` and elements of type `scalar`.
pub fn with_scalar(ty: Type, scalar: Type) -> Type {
    Type::array(&ty.shape(), scalar)
}
