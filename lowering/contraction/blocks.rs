//! The loops around the tiles if the left factor is packed. The left factor is copied to scratch memory block by block,
//! and each block stays in the L2 cache while all panels of the right factor are processed. `R` is the number of
//! vectors in a row of a tile.
//!
//! ```text
//! for j0 in columns step COLUMNS_BYTES:                   once if one block is known to have all terms
//!   for i0 in rows step ROWS:
//!     for k0 in terms step TERMS_BYTES:
//!       pack a[i0.., k0..]                                a block
//!       for j in j0.. step R·lanes:
//!         pack b[k0.., j..]                               a panel
//!         for i in i0.. step rows of a tile: a tile
//! ```

use super::access::{has_unit_stride, runs_along};
use super::copy::Copies;
use super::form::Contraction;
use super::loops::{cut, even};
use super::parts::{Left, Order, Panel, ScratchRows, Tiles, single_block};
use super::registers::{HIGHEST, VECTORS, widest};
use super::{division, pack, shared};
use crate::ir::*;
use crate::scf::repeat;

/// The maximum number of rows of a block: a multiple of [`TILES`].
const ROWS: usize = 576;
/// The number of bytes of a row of a block: a panel then takes half of an L1 cache of 64 KiB, and a block leaves free
/// space in an L2 cache of 1 MiB.
const TERMS_BYTES: usize = 1024;
/// The number of bytes of a row of the columns whose partial sums are kept in scratch memory together.
const COLUMNS_BYTES: usize = 4096;
/// The number of bytes up to which a left factor that is stored row by row is read in place.
const LEAST: usize = 1 << 18;
/// The number of terms that are packed together, so that whole cache lines are read and written.
const TOGETHER: usize = 8;
/// A number of rows that tiles of 4, 6 and 8 rows fill.
const TILES: usize = 3 * HIGHEST;
/// The alignment of the first row of a block, so that scratch memory stays aligned.
const ALIGNED: usize = 16;

/// The sizes of blocks: rows, the capacity in rows, terms, and columns whose partial sums are kept together.
struct Sizes {
    rows: usize,
    room: usize,
    terms: usize,
    columns: usize,
}

impl Sizes {
    fn of(form: &Contraction) -> Sizes {
        let (bytes, width) = (form.element.bytes(), widest(form.element));
        // Several threads share the rows in smaller blocks.
        let most = division::blocks(form).filter(|blocks| blocks.are_rows).map_or(ROWS, |blocks| blocks.size);
        let rows = even(form.extent_of_rows, most, TILES, HIGHEST);
        Sizes {
            rows,
            room: rows.next_multiple_of(TILES),
            terms: even(form.extent_of_terms, TERMS_BYTES / bytes, ALIGNED, ALIGNED),
            columns: even(form.extent_of_columns, COLUMNS_BYTES / bytes, width, width),
        }
    }
}

/// Checks whether the left factor of `form` is packed, as far as sizes are known: if it is read often, and is large or
/// not stored row by row.
pub fn packs_left(form: &Contraction) -> bool {
    let few_columns = known(form.extent_of_columns).is_some_and(|n| n as usize <= 2 * widest(form.element));
    if few_columns || !runs_along(&form.left.position(), form.term, form.nest) {
        return !few_columns;
    }
    let size = known(form.extent_of_rows).zip(known(form.extent_of_terms)).map(|(m, k)| (m * k) as usize);
    let bytes = size.map(|n| n * form.element.bytes());
    form.other_rows.is_empty() && bytes.is_none_or(|n| n > LEAST)
}

/// Returns the number of elements of scratch memory that the loops need: a panel, a block, and partial sums.
pub fn scratch_elements(form: &Contraction) -> usize {
    let (sizes, width) = (Sizes::of(form), widest(form.element));
    let partial_sums = if single_block(form, sizes.terms) { 0 } else { sizes.room * sizes.columns };
    sizes.terms * width + sizes.room * sizes.terms + partial_sums
}

/// Emits the loops over columns, rows and terms at `b`.
pub fn emit(tiles: &Tiles, mut copies: Copies, b: Builder) {
    let (form, sizes) = (tiles.form, Sizes::of(tiles.form));
    let ([row, m], [column, n]) = (tiles.rows_here(&mut copies, b), tiles.columns_here(&mut copies, b));
    let behind_panel = sizes.terms * VECTORS * tiles.lanes;
    let behind_block = behind_panel + sizes.room * sizes.terms;
    let order = if runs_along(&form.left.position(), form.term, form.nest) { Order::Rows } else { Order::Terms };
    let single = single_block(form, sizes.terms);
    let all = tiles.panel(copies, b);
    let before: Vec<usize> = (0..form.sum.operand_segment(0).len() - 1).collect();
    in_blocks(column, n, if single { usize::MAX } else { sizes.columns }, b, &|j, columns, b| {
        in_blocks(row, m, sizes.rows, b, &|i, rows, b| {
            let left = Left {
                rows: ScratchRows { first: i, start: b.index(behind_panel as i64) },
                order,
                stride: sizes.terms,
            };
            let all = Panel { left: Some(left), ..all.clone() };
            let open = shared::is_open(form);
            let block = |all: Panel, b: Builder| {
                left.pack(tiles, &all, rows, b);
                let body = &|mut panel: Panel, b: Builder| {
                    pack::pack(tiles, &panel, b);
                    if !single {
                        // The sums of a panel are contiguous, row by row.
                        let height = b.index(sizes.room as i64);
                        let start = b.muli(b.subi(panel.column, j), height);
                        panel.partial_sums = Some(ScratchRows { first: i, start: b.plus(start, behind_block) });
                    }
                    match open {
                        true => shared::column_of_tiles(tiles, &panel, i, rows, b),
                        false => tiles.column_of_tiles(&panel, i, rows, b),
                    }
                };
                match open {
                    true => shared::panels(tiles, &all, j, columns, b, body),
                    false => tiles.panels(all, j, columns, b, body),
                }
            };
            match single {
                true => block(all, b),
                false => tiles.terms(&before, sizes.terms, all, b, &mut |panel, b| block(panel, b)),
            }
        });
    });
}

/// Emits a loop over blocks of `step` of `n` indices from `first` on: `body` gets the first index and the size of the
/// block.
fn in_blocks(first: Value, n: Value, step: usize, b: Builder, body: &dyn Fn(Value, Value, Builder)) {
    if step == usize::MAX || known(n).is_some_and(|n| n as usize <= step) {
        return body(first, n, b);
    }
    let end = if known(first) == Some(0) { n } else { b.addi(first, n) };
    repeat(b, first, end, step, |b, i| {
        if known(n).is_some_and(|n| (n as usize).is_multiple_of(step)) {
            return body(i, b.index(step as i64), b);
        }
        body(i, b.subi(b.minsi(b.plus(i, step), end), i), b);
    });
}

impl Left {
    /// Copies the terms of `all` for `rows` rows into the block; the last row replaces those that its tile lacks.
    fn pack(self, tiles: &Tiles, all: &Panel, rows: Value, b: Builder) {
        let (zero, height) = (b.index(0), tiles.rows);
        let source = |row: Value, k: Value, b: Builder| -> Vec<Value> {
            let (i, term) = (b.addi(self.rows.first, row), b.addi(all.term, k));
            all.copies.with([(tiles.form.row, i), (tiles.form.term, term)]).values(&tiles.form.left.read.operands(), b)
        };
        let load = |row: Value, k: Value, ty: Type, b: Builder| {
            let op = if ty == tiles.ty { Kind::MemrefLoad } else { Kind::VectorLoad };
            b.value(op, &source(row, k, b), ty, &[])
        };
        let store = |x: Value, at: Value, b: Builder| {
            let op = if x.ty() == tiles.ty { Kind::MemrefStore } else { Kind::VectorStore };
            b.make(op, &[x, tiles.memory, at], &[], &[]);
        };
        let last = |b: Builder| b.subi(rows, b.index(1));
        let unit_stride = has_unit_stride(tiles.form.left.array().ty());
        if self.order == Order::Rows {
            let (wide, _) = if unit_stride { cut(all.terms, tiles.lanes, b) } else { (zero, zero) };
            let (upper, _) = cut(b.plus(rows, height - 1), height, b);
            return repeat(b, zero, upper, 1, |b, row| {
                let from = b.minsi(row, last(b));
                let start = self.row(row, b);
                let copy = |ty: Type| move |b: Builder, k: Value| store(load(from, k, ty, b), b.addi(start, k), b);
                repeat(b, zero, wide, tiles.lanes, copy(tiles.vector));
                repeat(b, wide, all.terms, 1, copy(tiles.ty));
            });
        }
        let (full, rest) = cut(rows, height, b);
        let place = |tile: Value, k: Value, r: usize, b: Builder| {
            let (stride, r) = (b.index(height as i64), b.index(r as i64));
            b.addi(tile, b.addi(b.muli(k, stride), r))
        };
        let fast = unit_stride && runs_along(&tiles.form.left.position(), tiles.form.row, tiles.form.nest);
        let column = b.context().vector(height, tiles.ty);
        let tile_of_terms = |b: Builder, first: Value, k: Value, count: usize| {
            let tile = self.row(first, b);
            for d in 0..count {
                let k = b.plus(k, d);
                if fast {
                    store(load(first, k, column, b), place(tile, k, 0, b), b);
                    continue;
                }
                for r in 0..height {
                    store(load(b.plus(first, r), k, tiles.ty, b), place(tile, k, r, b), b);
                }
            }
        };
        if known(full) != Some(0) {
            let (most, _) = cut(all.terms, TOGETHER, b);
            for (from, to, count) in [(zero, most, TOGETHER), (most, all.terms, 1)] {
                repeat(b, from, to, count, |b, k| {
                    repeat(b, zero, full, height, |b, first| tile_of_terms(b, first, k, count));
                });
            }
        }
        if known(rest) != Some(0) {
            // A partial tile at the border, if any.
            repeat(b, full, rows, height, |b, first| {
                let tile = self.row(first, b);
                repeat(b, zero, all.terms, 1, |b, k| {
                    for r in 0..height {
                        store(load(b.minsi(b.plus(first, r), last(b)), k, tiles.ty, b), place(tile, k, r, b), b);
                    }
                });
            });
        }
    }
}
