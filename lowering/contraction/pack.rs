//! Packing of a panel of the right factor: a copy in scratch memory, in the order in which tiles read it. All columns
//! of one term are together.

use super::access::{has_unit_stride, runs_along};
use super::copy::Copies;
use super::loops::cut;
use super::parts::{Columns, Panel, Tiles};
use crate::ir::*;
use crate::scf::repeat;
use mlopt_dialects::ops::Kind;

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
        if runs(tiles.column) {
            repeat(b, zero, terms, 1, |b, k| along_columns(tiles, panel, k, b));
            return terms;
        }
        if runs(tiles.term) { transposed(terms, panel.vectors * tiles.lanes) } else { zero }
    };
    let (done, columns) = match panel.columns {
        Columns::All => (on_vectors(panel.terms), all),
        Columns::Fewer(columns) => match known(columns) {
            Some(n) if !runs(tiles.column) && runs(tiles.term) => (transposed(panel.terms, n as usize), columns),
            _ => (zero, columns),
        },
        Columns::AtMostAll(columns) => {
            let is_full = b.compare(Compare::Eq, columns, all);
            (on_vectors(b.value(Kind::ArithSelect, &[is_full, panel.terms, zero], zero.ty(), &[])), columns)
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
                let place = place(tiles, panel, k, c, b);
                b.make(Kind::MemrefStore, &[nothing, tiles.memory, place], &[], &[]);
            });
        }
    });
}

/// Returns the position of term `k` and column `c` of the panel in scratch memory.
fn place(tiles: &Tiles, panel: &Panel, k: Value, c: Value, b: Builder) -> Value {
    let width = b.index((panel.vectors * tiles.lanes) as i64);
    let start = b.same(Kind::ArithMuli, &[k, width]);
    b.same(Kind::ArithAddi, &[start, c])
}

/// Returns the array and the position of term `k` and column `c` of the panel.
fn source(tiles: &Tiles, panel: &Panel, k: Value, c: Value, b: Builder) -> Vec<Value> {
    let term = b.same(Kind::ArithAddi, &[panel.term, k]);
    let column = b.same(Kind::ArithAddi, &[panel.column, c]);
    let mut copies: Copies = panel.copies.with([(tiles.term, term), (tiles.column, column)]);
    let array = copies.value(tiles.form.right.array(), b);
    [vec![array], copies.values(&tiles.form.right.position(), b)].concat()
}

fn one_by_one(tiles: &Tiles, panel: &Panel, k: Value, columns: Value, b: Builder) {
    let zero = b.index(0);
    repeat(b, zero, columns, 1, |b, c| {
        let x = b.value(Kind::MemrefLoad, &source(tiles, panel, k, c, b), tiles.ty, &[]);
        let place = place(tiles, panel, k, c, b);
        b.make(Kind::MemrefStore, &[x, tiles.memory, place], &[], &[]);
    });
}

/// Packs term `k`, whose columns are contiguous.
fn along_columns(tiles: &Tiles, panel: &Panel, k: Value, b: Builder) {
    for v in 0..panel.vectors {
        let c = b.index((v * tiles.lanes) as i64);
        let x = b.value(Kind::VectorLoad, &source(tiles, panel, k, c, b), tiles.vector, &[]);
        let place = place(tiles, panel, k, c, b);
        b.make(Kind::VectorStore, &[x, tiles.memory, place], &[], &[]);
    }
}

/// Packs one term per lane, from `k` on, which are contiguous for each of this number of columns; other columns become
/// zeros.
fn transposed(tiles: &Tiles, panel: &Panel, k: Value, columns: usize, b: Builder) {
    for v in 0..panel.vectors {
        let row = |c: usize| {
            if c >= columns {
                return b.constant(Attribute::splat(tiles.vector, Attribute::float(tiles.ty, 0.0)), tiles.vector);
            }
            let c = b.index(c as i64);
            b.value(Kind::VectorLoad, &source(tiles, panel, k, c, b), tiles.vector, &[])
        };
        let rows = (0..tiles.lanes).map(|r| row(v * tiles.lanes + r)).collect();
        let first = b.index((v * tiles.lanes) as i64);
        for (t, x) in transpose(rows, b).into_iter().enumerate() {
            let t = b.index(t as i64);
            let k = b.same(Kind::ArithAddi, &[k, t]);
            let place = place(tiles, panel, k, first, b);
            b.make(Kind::VectorStore, &[x, tiles.memory, place], &[], &[]);
        }
    }
}

/// Transposes a square, one vector per lane: rows at distance 1, 2, 4, … exchange the blocks of that size across the
/// diagonal. (`vector.transpose` costs up to twice as much: docs/decisions/010-contractions.md.)
fn transpose(mut rows: Vec<Value>, b: Builder) -> Vec<Value> {
    let (n, ty) = (rows.len(), rows[0].ty());
    let word = b.context().int(64);
    let shuffle = |x: Value, y: Value, mask: Vec<usize>| {
        let mask: Vec<Attribute> = mask.into_iter().map(|e| Attribute::integer(word, e as i64)).collect();
        b.value(Kind::VectorShuffle, &[x, y], ty, &[("mask", b.context().array_attr(&mask))])
    };
    let mut distance = 1;
    while distance < n {
        for r in (0..n).filter(|r| r & distance == 0) {
            let (x, y) = (rows[r], rows[r + distance]);
            let upper = |e: usize| if e & distance == 0 { e } else { n + e - distance };
            let lower = |e: usize| if e & distance == 0 { e + distance } else { n + e };
            rows[r] = shuffle(x, y, (0..n).map(upper).collect());
            rows[r + distance] = shuffle(x, y, (0..n).map(lower).collect());
        }
        distance *= 2;
    }
    rows
}
