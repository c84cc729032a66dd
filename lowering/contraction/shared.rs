//! Tiles of contractions whose number of rows or columns is dynamic. The loop over the terms of a tile is a function
//! (`kernels.rs`), which all such contractions of a module call. Otherwise the code would contain this loop once for
//! every combination of full and partial tiles. `R` is the number of vectors in a row of a tile.
//!
//! ```text
//! for j in columns step R·lanes:                          inside the loops over i0 and k0 of `blocks.rs`
//!   pack b[k0.., j..]                                     with zeros beyond the last column
//!   for i in rows of the block, one tile at a time:
//!     call the function for this tile: out = Σ_k a · b    the sum over this and all earlier blocks of terms
//!     for r in the rows that exist:                       only in the last block of terms
//!       z[i + r, j..] = post(out[r])                      on vectors, or one by one in an incomplete tile
//! ```
//! In these tiles the left factor is always packed too (`blocks.rs`), so the function reads scratch memory only.

use super::epilogue;
use super::form::Contraction;
use super::kernels::{Key, function, open_buffer};
use super::parts::{Columns, Left, Panel, Tiles};
use super::registers::VECTORS;
use crate::ir::*;
use crate::scf::{choose, repeat, when};

/// Checks whether the number of rows or of columns of `form` is dynamic.
pub fn is_open(form: &Contraction) -> bool {
    known(form.extent_of_rows).is_none() || known(form.extent_of_columns).is_none()
}

/// Emits the panels for `n` columns from `begin` on; `body` computes one panel.
pub fn panels(tiles: &Tiles, all: &Panel, begin: Value, n: Value, b: Builder, body: &dyn Fn(Panel, Builder)) {
    let width = tiles.width();
    let end = b.addi(begin, n);
    repeat(b, begin, end, width, |b, column| {
        let columns = Columns::AtMostAll(b.minsi(b.subi(end, column), b.index(width as i64)));
        body(Panel { column, vectors: VECTORS, columns, ..all.clone() }, b);
    });
}

/// Emits the tiles of a panel for `n` rows from `begin` on.
pub fn column_of_tiles(tiles: &Tiles, panel: &Panel, begin: Value, n: Value, b: Builder) {
    let left = panel.left.expect("the left factor is packed");
    let end = b.addi(begin, n);
    repeat(b, begin, end, tiles.rows, |b, i| {
        tile(tiles, panel, left, i, b.minsi(b.subi(end, i), b.index(tiles.rows as i64)), b);
    });
}

/// Emits one tile, from row `i` on, of which `rows` rows exist.
fn tile(tiles: &Tiles, panel: &Panel, left: Left, i: Value, rows: Value, b: Builder) {
    let Columns::AtMostAll(columns) = panel.columns else { unreachable!("made by `panels`") };
    let is_full = b.compare(Compare::Eq, columns, b.index(tiles.width() as i64));
    if tiles.vectorises {
        let wanted = panel.last.map_or(is_full, |last| b.andi(is_full, last));
        when(b, wanted, |b| {
            repeat(b, b.index(0), rows, 1, |b, r| epilogue::prefetch(tiles, panel, b.addi(i, r), b));
        });
    }
    let (out, start) = match panel.partial_sums {
        Some(rows) => (tiles.memory, tiles.partial_sums_of(rows, i, b)),
        None => (tiles.aside(), b.index(0)),
    };
    let fresh = panel.first.unwrap_or_else(|| b.bool(true));
    let memory = open_buffer(tiles.memory, tiles.ty, b);
    let operands = [memory, left.tile(i, b).start, panel.terms, fresh, open_buffer(out, tiles.ty, b), start];
    let (half, lanes) = (b.index(tiles.rows as i64 / 2), b.index(tiles.lanes as i64));
    let (high, wide) = (b.compare(Compare::Sgt, rows, half), b.compare(Compare::Sgt, columns, lanes));
    let call = |rows: usize, vectors: usize| {
        let strides = left.strides(tiles);
        let key = Key { ty: tiles.ty, lanes: tiles.lanes, rows, vectors, strides };
        let name = function(tiles.kernels, tiles.form.nest, key);
        let callee = b.context().symbol_attr(&name);
        move |b: Builder| {
            b.make(Kind::FuncCall, &operands, &[], &[("callee", callee)]);
            Vec::new()
        }
    };
    let [most, fewer] = [tiles.rows, tiles.rows / 2].map(|rows| {
        let [two, one] = [VECTORS, 1].map(|vectors| call(rows, vectors));
        move |b: Builder| choose(b, wide, &[], two, one)
    });
    choose(b, high, &[], most, fewer);

    let finish = |b: Builder| {
        repeat(b, b.index(0), rows, 1, |b, r| {
            let i = b.addi(i, r);
            let at = b.addi(start, b.times(r, tiles.width()));
            let one_by_one = |b: Builder| {
                repeat(b, b.index(0), columns, 1, |b, c| {
                    let sum = b.value(Kind::MemrefLoad, &[out, b.addi(at, c)], tiles.ty, &[]);
                    epilogue::on_element(tiles, panel, i, c, sum, b);
                });
                Vec::new()
            };
            if !tiles.vectorises {
                one_by_one(b);
                return;
            }
            let on_vectors = |b: Builder| {
                for v in 0..VECTORS {
                    let sum = b.value(Kind::VectorLoad, &[out, b.plus(at, v * tiles.lanes)], tiles.vector, &[]);
                    epilogue::on_vector(tiles, panel, i, v, sum, b);
                }
                Vec::new()
            };
            choose(b, is_full, &[], on_vectors, one_by_one);
        });
    };
    match panel.last {
        Some(last) => when(b, last, finish),
        None => finish(b),
    }
}
