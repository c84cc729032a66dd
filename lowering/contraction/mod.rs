//! Contractions, such as matrix products: nests that compute `z[i, j] = post(Σ_k a(i, k) · b(k, j), i, j)`. `a` and `b`
//! are the left and the right factor. `post` is the rest of the body of the nest: it computes an element of the result
//! from the finished sum, for example by adding a bias. This module recognises such nests, on tensors and on buffers,
//! and emits loops over tiles for them. It may use `abi` and the shared modules of this crate (`ir`, `nests`, `scf`,
//! `reduction`). It must not depend on `sweeps`, `memory` or `loops`: all three use it.
//!
//! Each factor is one read at positions computed from indices; the read may be guarded, so that it is zero outside the
//! array. The indices of the result are classified by the factors that depend on them: row indices (M) occur only in
//! the left factor, column indices (N) only in the right factor. All others are batch indices: a product of matrices is
//! computed for each of their values. The index of the sum is the reduction index (K). A *term* is one product of the
//! sum.
//!
//! `array-to-sweeps` brings programs into this form. If a factor is not a plain read, its values are first stored in an
//! array. A contraction is moved out of the reductions, loops and conditions around it, and a sum that would be
//! computed repeatedly is moved to a place where it is computed once.
//!
//! A *tile* is a block of the result whose sums are kept in vector registers. A *panel* is a block of the right factor:
//! it has as many columns as a tile, and a range of the index K. To *pack* a factor is to copy a part of it to scratch
//! memory, in the order in which tiles read it.
//!
//! `form.rs` recognises the form, and `versions.rs` decides where tiles are used. `emit.rs` emits the loops around the
//! tiles, or `blocks.rs` if the left factor is packed. `tiles.rs` and `shared.rs` emit the tiles, and `epilogue.rs`
//! emits `post` after each of them. `division.rs` divides large contractions into chunks for several threads. The
//! emitter has these parameters (`docs/decisions/010-contractions.md` has the measurements):
//! - A row of a tile is two vector registers. A tile has 8 rows if registers have 512 bits, 6 if they have 256 bits,
//!   and 4 if they have 128 bits. Before a tile is computed, the memory of its results and the operands of `post` are
//!   prefetched.
//! - The right factor is always packed. If it is stored with the columns innermost, vectors are copied; otherwise a
//!   network of shuffles transposes it (`pack.rs`).
//! - The left factor is packed if it is read often, and is large or stored with the index K outermost (`blocks.rs`);
//!   otherwise it is read in place. It is packed in blocks of at most 576 rows, with 1 KiB of each row (128 `f64`).
//!   Blocks of 192 to 768 rows with 1 to 4 KiB of each row differ in time by at most 10 %.
//! - If the left factor is packed, a panel has the same range of the index K as a block of the left factor: 1 KiB of
//!   each column, so that it fits in a first-level cache of 48 KiB. Otherwise the range has at most 512 terms.
//! - If the number of rows or columns is dynamic, the loop over the terms of a tile is a separate function, which all
//!   such contractions of a module call (`shared.rs`). A training step of a network of three layers takes 1.1 s of
//!   processor time to compile with these functions. It took 8.9 s when the code of each combination of full and
//!   partial tiles was emitted inline.

mod access;
mod blocks;
mod copy;
mod division;
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

pub use access::{depends, has_unit_stride, runs_along};
pub use copy::Copies;
pub use division::{copies, is_divided};
pub use emit::scratch_elements;
pub use form::{ATTRIBUTE, Around, Contraction, Factor, Sides};

pub use registers::{Registers, TOGETHER, transpose};
pub use versions::{lower, unmark};
