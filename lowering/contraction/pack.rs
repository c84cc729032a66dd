//! Packing of a panel of the right factor: a copy in scratch memory, in the order in which tiles read it. For each
//! value of the index K, the elements of all columns are contiguous.

use super::access::{has_unit_stride, runs_along};
use super::loops::cut;
use super::parts::{Columns, Panel, Tiles};
use super::registers::transpose;
use crate::ir::*;
use crate::scf::repeat;

/// Copies the panel's terms and columns; columns that do not exist become zeros.
pub fn pack(tiles: &Tiles, panel: &Panel, b: Builder) {
    let (zero, all) = (b.index(0), b.index((panel.vectors * tiles.lanes) as i64));
    let position = tiles.form.right.position();
    let runs = |index| has_unit_stride(tiles.form.right.array().ty()) && runs_along(&position, index, tiles.form.nest);
    // LLVM would gather such columns, which is slower than 8 loads on some processors (gmm_grad: a factor of 1.11).
    let transposed = |terms: Value, columns: usize| {
        let (terms, _) = cut(terms, tiles.lanes, b);
        repeat(b, zero, terms, tiles.lanes, |b, k| transposed(tiles, panel, k, columns, b));
        terms
    };
    let on_vectors = |terms: Value| {
        if runs(tiles.form.column) {
            repeat(b, zero, terms, 1, |b, k| along_columns(tiles, panel, k, b));
            return terms;
        }
        if runs(tiles.form.term) { transposed(terms, panel.vectors * tiles.lanes) } else { zero }
    };
    let (done, columns) = match panel.columns {
        Columns::All => (on_vectors(panel.terms), all),
        Columns::Fewer(columns) => match known(columns) {
            Some(n) if !runs(tiles.form.column) && runs(tiles.form.term) => {
                (transposed(panel.terms, n as usize), columns)
            }
            _ => (zero, columns),
        },
        Columns::AtMostAll(columns) => {
            (on_vectors(b.select(b.compare(Compare::Eq, columns, all), panel.terms, zero)), columns)
        }
    };
    if done == panel.terms {
        return;
    }
    repeat(b, done, panel.terms, 1, |b, k| {
        one_by_one(tiles, panel, k, columns, b);
        if columns != all {
            repeat(b, columns, all, 1, |b, c| {
                let nothing = b.number(tiles.ty, 0);
                b.make(Kind::MemrefStore, &[nothing, tiles.memory, place(tiles, panel, k, c, b)], &[], &[]);
            });
        }
    });
}

/// Returns the position of term `k` and column `c` of the panel in scratch memory.
fn place(tiles: &Tiles, panel: &Panel, k: Value, c: Value, b: Builder) -> Value {
    b.addi(b.times(k, panel.vectors * tiles.lanes), c)
}

/// Returns the array and the position of term `k` and column `c` of the panel.
fn source(tiles: &Tiles, panel: &Panel, k: Value, c: Value, b: Builder) -> Vec<Value> {
    let (form, term, column) = (tiles.form, b.addi(panel.term, k), b.addi(panel.column, c));
    panel.copies.with([(form.term, term), (form.column, column)]).values(&form.right.read.operands(), b)
}

fn one_by_one(tiles: &Tiles, panel: &Panel, k: Value, columns: Value, b: Builder) {
    repeat(b, b.index(0), columns, 1, |b, c| {
        let x = b.value(Kind::MemrefLoad, &source(tiles, panel, k, c, b), tiles.ty, &[]);
        b.make(Kind::MemrefStore, &[x, tiles.memory, place(tiles, panel, k, c, b)], &[], &[]);
    });
}

/// Packs term `k`, whose columns are contiguous.
fn along_columns(tiles: &Tiles, panel: &Panel, k: Value, b: Builder) {
    for v in 0..panel.vectors {
        let c = b.index((v * tiles.lanes) as i64);
        let x = b.value(Kind::VectorLoad, &source(tiles, panel, k, c, b), tiles.vector, &[]);
        b.make(Kind::VectorStore, &[x, tiles.memory, place(tiles, panel, k, c, b)], &[], &[]);
    }
}

/// Packs one term per lane, from `k` on, which are contiguous for each of this number of columns; other columns become
/// zeros.
fn transposed(tiles: &Tiles, panel: &Panel, k: Value, columns: usize, b: Builder) {
    for v in 0..panel.vectors {
        let row = |c: usize| {
            if c >= columns {
                return b.zeros(tiles.vector);
            }
            b.value(Kind::VectorLoad, &source(tiles, panel, k, b.index(c as i64), b), tiles.vector, &[])
        };
        let rows = (0..tiles.lanes).map(|r| row(v * tiles.lanes + r)).collect();
        let first = b.index((v * tiles.lanes) as i64);
        for (t, x) in transpose(rows, b).into_iter().enumerate() {
            b.make(Kind::VectorStore, &[x, tiles.memory, place(tiles, panel, b.plus(k, t), first, b)], &[], &[]);
        }
    }
}
