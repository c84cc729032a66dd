//! From loop nests on buffers to loops of `scf` and operations of `vector`, by `sweeps_to_loops`. `parallelise` marks
//! the nests that several threads may execute, and `chunks` divides them. `lanes` vectorises loops over short rows and
//! over records (a record is a row of a matrix with few columns). `rows` vectorises sums along rows, `jam` processes
//! several long rows at once, and `transposes` copies that transpose. `repeated` moves products that occur several
//! times to functions, and `invariants` moves invariant code. This module may use `contraction`, which emits the tiles
//! of matrix products. It must not depend on `memory`, which has already decided where each buffer is.

pub mod chunks;
pub mod invariants;
pub mod jam;
pub mod lanes;
pub mod parallelise;
pub mod repeated;
pub mod rows;
pub mod sweeps_to_loops;
pub mod transposes;
