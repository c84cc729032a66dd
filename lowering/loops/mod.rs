//! From nests on buffers to `scf` and `vector`: lanes, rows, tiles. May use `contraction`. Must never know the address
//! of a buffer, which was planned before.

pub mod invariants;
pub mod lanes;
pub mod rows;
pub mod sweeps_to_loops;
