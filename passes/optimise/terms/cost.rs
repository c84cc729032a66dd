//! What a term costs: the measure that rules, extraction and the final choice share.
//!
//! Each node is charged once for every combination of the *index variables that it depends on*:
//! weight × trip count × product of the extents of its free index variables. So an invariant is charged once, wherever it
//! stands, and the measure needs no context: it is an e-class analysis. A node that depends on a loop's state runs once per
//! iteration of that loop; its cost is kept relative to one iteration until the loop closes.
//! Placement (`placement/place.rs`) makes the promise true. Units: one scalar addition.

use crate::optimise::terms::prim::Prim;
use mlopt_dialects::value::Element;

/// The assumed length of a dynamic axis and trip count of a loop with unknown bound, where nobody says another.
pub const ASSUMED_LENGTH: f64 = 256.0;

/// The assumed length that a pool and its plans charge by: an option of the passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumed(pub f64);

impl Default for Assumed {
    fn default() -> Self {
        Assumed(ASSUMED_LENGTH)
    }
}

/// Moving one element to or from memory.
pub const STORE: f64 = 1.0;
pub const GET: f64 = 0.5;
pub const COND: f64 = 0.5;
/// Adding one element at a computed position: a load, a check and a store that no vector does.
pub const SCATTER: f64 = 4.0;
/// How much dearer a scalar operation is that depends on a loop's state and on no index inside the loop: the next iteration waits
/// for it, so no vector does it. A sum of 512 terms |a - b| takes four times as long when a loop carries it.
pub const SEQUENTIAL: f64 = 4.0;
/// A constant or a variable: not nothing, so that of two equal forms the smaller is chosen.
pub const LEAF: f64 = 0.001;
/// Entering a loop: setup and a branch. It keeps a loop of known length one from being free.
pub const LOOP: f64 = 2.0;
/// An operation that is known by name only.
pub const OPAQUE: f64 = 10.0;

/// The weight of one scalar primitive.
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
        Cast(_, Element::F32 | Element::F64) => 0.5,
        Cast(..) => 0.1,
        PowF | Atan2 => 40.0,
        _ => 20.0,
    }
}
