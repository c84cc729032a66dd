//! Traits of ops whose kind is known.

use super::{Op, Value};

/// A handle to an op of one kind, such as `array.sum`. The types are generated: see `mlopt-ops`.
pub trait TypedOp: Copy {
    /// The full name of the op.
    const NAME: &'static str;

    /// Returns `op` as an op of this kind; `None` if it is of another kind.
    fn of(op: Op) -> Option<Self>;

    fn op(self) -> Op;
}

impl Op {
    /// Checks whether this op is of kind `T`.
    pub fn is<T: TypedOp>(self) -> bool {
        T::of(self).is_some()
    }

    /// Returns this op as an op of kind `T`.
    ///
    /// # Panics
    /// When it is of another kind.
    #[track_caller]
    pub fn cast<T: TypedOp>(self) -> T {
        T::of(self).unwrap_or_else(|| panic!("expected '{}', found '{}'", T::NAME, self.name()))
    }
}

impl Value {
    /// Returns the op that computes this value, if it is of kind `T`; `None` for other ops and arguments.
    pub fn def<T: TypedOp>(self) -> Option<T> {
        self.defining_op().and_then(|(op, _)| T::of(op))
    }
}
