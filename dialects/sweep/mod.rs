//! Loop nests with several results, between arrays and loops: on values, then on buffers.

mod verify;

use crate::verify::Verifier;

pub const VERIFIERS: &[Verifier] = &[("sweep.nest", verify::nest)];

/// What becomes of a value that the body of `sweep.nest` yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Stored at the indices of the iteration.
    Map = 0,
    /// Added, in any order.
    Sum = 1,
    /// Carried to the next iteration.
    Fold = 2,
}

impl Kind {
    pub fn of(code: i64) -> Option<Kind> {
        [Kind::Map, Kind::Sum, Kind::Fold].into_iter().find(|k| *k as i64 == code)
    }
}
