//! The dialect `sweep`: loop nests with several results, the level between arrays and loops. Nests first compute on
//! tensors, and after `plan-memory` on buffers.

mod attributes;
mod verify;

pub use attributes::{VECTOR_BITS, verify as verify_attribute};
pub use verify::verify;

/// The kind of a result of `sweep.nest`: the use of the values that its body yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// Stored at the indices of the iteration.
    Map = 0,
    /// Added, in any order.
    Sum = 1,
    /// Carried to the next iteration.
    Fold = 2,
    /// Multiplied, in any order.
    Prod = 3,
    /// The maximum.
    Max = 4,
    /// The minimum.
    Min = 5,
}

impl ResultKind {
    pub fn of(code: i64) -> Option<ResultKind> {
        use ResultKind::*;
        [Map, Sum, Fold, Prod, Max, Min].into_iter().find(|k| *k as i64 == code)
    }

    /// Checks whether all values are combined to one number, in any order.
    pub fn is_reduction(self) -> bool {
        !matches!(self, ResultKind::Map | ResultKind::Fold)
    }
}
