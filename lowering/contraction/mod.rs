//! Contractions: nests that sum products of two factors, `z[i, j] = post(Σ_k a(i, k) · b(k, j), i, j)`, in the form
//! that the tile emitter accepts, on tensors or on buffers. May use `abi` and the modules at the top level. Must never
//! know which pass asks: sweeps recognise contractions, loops emit them.
//!
//! Each factor is one read, perhaps guarded (zero outside), at positions computed from indices. Outer indices that only
//! the left factor needs are rows, those that only the right factor needs are columns, and the others are repetitions.
//!
//! `array-to-sweeps` brings programs into this form: it materialises factors that are not plain reads, takes
//! contractions out of the reductions, loops and conditions around them, and computes a contraction that occurs several
//! times once.
//!
//! `form.rs` recognises the form, and `versions.rs` decides where tiles are used. `emit.rs` emits the loops around
//! tiles, with `blocks.rs` where the left factor is packed; `tiles.rs` and `shared.rs` emit the tiles, `epilogue.rs`
//! the code after each of them.
//!
//! Parameters of the emitter (measurements: `docs/decisions/010-contractions.md`):
//! - Tiles have 8, 6 or 4 rows of two vectors of 512, 256 or 128 bits. Before a tile is computed, the destination of
//!   its results and the values that they are combined with are prefetched.
//! - The right factor is always packed: by vectors, or by a network of shuffles if it is stored in the other order
//!   (`pack.rs`).
//! - The left factor is packed in blocks of at most 576 rows and 1 KiB of terms, if it is read often and is large or
//!   stored with the index of the sum first (`blocks.rs`). Otherwise it is read in place, and panels have 512 terms.
//!   Blocks of 192 to 768 rows and of 1 to 4 KiB of terms differ by at most 10 %; with 1 KiB a panel fits in a
//!   first-level cache of 48 KiB.
//! - Where the number of rows or columns is dynamic, the loop over the terms of a tile is a function that all
//!   contractions of a module call (`shared.rs`). With every combination of full and partial tiles expanded inline, a
//!   training step of a network of three layers took 8.9 s of processor time to compile; with shared functions it takes
//!   1.1 s.

mod access;
mod blocks;
mod copy;
mod emit;
mod epilogue;
mod form;
mod kernels;
mod loops;
mod pack;
mod parts;
mod registers;
mod shared;
mod tiles;
mod versions;

pub use access::{depends, runs_along};
pub use copy::Copies;
pub use emit::scratch_elements;
pub use form::{ATTRIBUTE, Around, Contraction, Factor, Sides};

pub use registers::Registers;
pub use versions::lower;
