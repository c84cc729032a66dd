//! The cost of a term, which rules, extraction and the final selection minimise. The unit is one scalar addition.
//!
//! Each node is charged once for every combination of values of the *index variables that it depends on*: its cost is
//! its weight times the product of the extents of its free index variables. The weight of a loop includes its number of
//! iterations. So a node that does not depend on a loop is charged once, wherever it occurs. The cost does not depend
//! on the context of a term, so it is an e-class analysis. A node that depends on the state of a loop is charged for
//! one iteration, and the loop itself multiplies this cost by its number of iterations. Placement
//! (`placement/place.rs`) ensures that the emitted program has this cost.

use crate::optimise::terms::prim::Prim;

/// The default length that is assumed for a dynamic axis and the trip count of a loop with unknown bound.
pub const ASSUMED_LENGTH: f64 = 256.0;

/// The assumed length for the costs of a pool and its plans: an option of the passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumed(pub f64);

impl Default for Assumed {
    fn default() -> Self {
        Assumed(ASSUMED_LENGTH)
    }
}

/// The cost of moving one element to or from memory.
pub const STORE: f64 = 1.0;
pub const GET: f64 = 0.5;
pub const COND: f64 = 0.5;
/// The cost of adding one element at a computed position: a load, a check and a store, without vector instructions.
pub const SCATTER: f64 = 4.0;
/// The factor for a scalar op that depends on the state of a loop and on no index inside of it: the next iteration
/// waits for it, so it is not vectorised. A sum of 512 terms |a - b| takes four times as long if a loop carries it.
pub const SEQUENTIAL: f64 = 4.0;
/// The cost of a constant or a variable. It is not zero, so that of two equal forms the smaller is selected.
pub const LEAF: f64 = 0.001;
/// The cost of entering a loop: setup and a branch. Because of it a loop of known length is never free.
pub const LOOP: f64 = 2.0;
/// The cost of an opaque op.
pub const OPAQUE: f64 = 10.0;

/// Returns the weight of one scalar primitive.
pub fn prim(p: Prim) -> f64 {
    use Prim::*;
    match p {
        AddF | SubF | MulF | NegF | AbsF | MaximumF | MinimumF | MaxNumF | MinNumF | Fma | CopySign => 1.0,
        DivF | RemF | Rsqrt => 4.0,
        Sqrt | Cbrt => 8.0,
        Floor | Ceil | Round | RoundEven | Trunc => 1.0,
        CmpF(_) => 0.5,
        Div | Mod => 6.0,
        DivSI | DivUI | RemSI | RemUI | FloorDivSI | CeilDivSI | CeilDivUI | IPowI => 4.0,
        CmpI(_) | AddI | SubI | MulI | AndI | OrI | XOrI | ShLI | ShRSI | ShRUI | MaxSI | MinSI | MaxUI | MinUI
        | AbsI => 0.3,
        Cast(_, to) if to.is_float() => 0.5,
        Cast(..) => 0.1,
        PowF | Atan2 => 40.0,
        _ => 20.0,
    }
}
