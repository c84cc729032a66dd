//! From loop nests on buffers to loops of `scf` and operations of `vector`. The submodules vectorise loops over records
//! (`lanes`) and sums along rows (`rows`), and move invariant code. This module may use `contraction`, which emits the
//! tiles of matrix products. It must not depend on `memory`, which has already decided where each buffer is.

pub mod invariants;
pub mod lanes;
pub mod rows;
pub mod sweeps_to_loops;
