//! Loops over tiles: a tile of `z` is kept in vector registers while its sums are computed.
//!
//! ```text
//! for i in rows, one tile at a time:                      a tile, for one block of terms
//!   acc = 0 in the first block, otherwise the sums that the previous block left in scratch memory
//!   for k in this block: acc[r, v] += broadcast(a[i + r, k]) · panel[k, v]
//!   if this is the last block: z[i.., j..] = post(acc), otherwise acc is stored in scratch memory
//! ```
//! Each element adds its terms one after the other in ascending order, whatever the position of its tile is, so results
//! do not depend on the sizes of tiles. If fewer rows remain than a tile has, the tile computes the last row
//! repeatedly; if fewer columns remain, the panel is padded with zeros. Only existing elements are stored.

use super::epilogue;
use super::loops::cut;
use super::parts::{Columns, Panel, ScratchRows, Tiles};
use super::registers::{VECTORS, multiply_add};
use crate::ir::*;
use crate::nests::indices;
use crate::scf::{carry, choose, repeat, when};

/// The number of terms below which a tile is complete before its prefetched data arrive.
const FEWEST: usize = 64;

impl Tiles<'_> {
    /// Emits the panels for `n` columns from `begin` on.
    pub fn panels(&self, all: Panel, begin: Value, n: Value, b: Builder, body: &dyn Fn(Panel, Builder)) {
        let width = self.width();
        let (full, rest) = cut(n, width, b);
        let from_zero = known(begin) == Some(0);
        let border = if from_zero { full } else { b.addi(begin, full) };
        let panel = |b: Builder, column: Value, vectors: usize, columns: Columns| {
            body(Panel { column, vectors, columns, ..all.clone() }, b);
        };
        if known(full) != Some(0) {
            repeat(b, begin, border, width, |b, j| panel(b, j, VECTORS, Columns::All));
        }
        if let Some(n) = known(rest) {
            if n > 0 {
                panel(b, border, (n as usize).div_ceil(self.lanes), Columns::Fewer(rest));
            }
            return;
        }
        for v in 1..=VECTORS {
            let [least, most] = [(v - 1) * self.lanes, v * self.lanes].map(|k| b.index(k as i64));
            let (more, enough) = (b.compare(Compare::Sgt, rest, least), b.compare(Compare::Sle, rest, most));
            when(b, b.andi(more, enough), |b| panel(b, border, v, Columns::Fewer(rest)));
        }
    }

    /// Emits loops over the terms: one by one along `axes`, in blocks of `by` along the last axis.
    pub fn terms(&self, axes: &[usize], by: usize, mut panel: Panel, b: Builder, body: &mut dyn FnMut(Panel, Builder)) {
        let sum = self.form.sum;
        let axis = axes.first().copied().unwrap_or(sum.operand_segment(0).len() - 1);
        let step = if axes.is_empty() { by } else { 1 };
        let n = panel.copies.value(sum.operand_segment(0)[axis], b);
        let zero = b.index(0);
        let index = indices(sum)[axis];
        repeat(b, zero, n, step, |b, k| {
            let (size, zero) = (b.index(step as i64), b.index(0));
            let begins = b.compare(Compare::Eq, k, zero);
            let left = b.subi(n, k);
            let ends = b.compare(Compare::Sle, left, size);
            let and = |before: Option<Value>, here| before.map_or(here, |v| b.andi(v, here));
            let (first, last) = (Some(and(panel.first, begins)), Some(and(panel.last, ends)));
            let mut panel = Panel { first, last, ..panel.clone() };
            match axes.split_first() {
                Some((_, rest)) => {
                    panel.copies = panel.copies.with([(index, k)]);
                    self.terms(rest, by, panel, b, body);
                }
                None => {
                    body(Panel { term: k, terms: b.minsi(left, size), ..panel }, b);
                }
            }
        });
    }

    /// Emits the tiles of a panel for `n` rows from `begin` on.
    pub fn column_of_tiles(&self, panel: &Panel, begin: Value, n: Value, b: Builder) {
        let (full, rest) = cut(n, self.rows, b);
        let border = if known(begin) == Some(0) { full } else { b.addi(begin, full) };
        if known(full) != Some(0) {
            repeat(b, begin, border, self.rows, |b, i| self.tile(panel, i, self.rows, None, b));
        }
        let half = self.rows / 2;
        if let Some(n) = known(rest) {
            if n > 0 {
                self.tile(panel, border, if n as usize <= half { half } else { self.rows }, Some(rest), b);
            }
            return;
        }
        let (zero, most) = (b.index(0), b.index(half as i64));
        let some = b.compare(Compare::Sgt, rest, zero);
        let few = b.andi(some, b.compare(Compare::Sle, rest, most));
        when(b, few, |b| self.tile(panel, border, half, Some(rest), b));
        let many = b.compare(Compare::Sgt, rest, most);
        when(b, many, |b| self.tile(panel, border, self.rows, Some(rest), b));
    }

    /// Emits one tile, from row `i` on, with `height` rows of registers, of which only the first `rows` exist.
    fn tile(&self, panel: &Panel, i: Value, height: usize, rows: Option<Value>, b: Builder) {
        let number = |r: usize| {
            let r = b.index(r as i64);
            // The last row replaces those that do not exist.
            let existing = rows.map_or(r, |rows| b.minsi(r, b.subi(rows, b.index(1))));
            b.addi(i, existing)
        };
        let numbers: Vec<Value> = (0..height).map(number).collect();
        let count = height * panel.vectors;
        let types = vec![self.vector; count];
        let zeros = vec![b.zeros(self.vector); count];
        let partial_sums = panel.partial_sums.map(|rows| self.partial_sums(panel, rows, i, height, b));
        let left = panel.left.map(|left| left.tile(i, b));
        let start = match (panel.first, &partial_sums) {
            (Some(first), Some(places)) => choose(
                b,
                first,
                &types,
                |_| zeros.clone(),
                |b| {
                    let load = |place: &Value| b.value(Kind::VectorLoad, &[self.memory, *place], self.vector, &[]);
                    places.iter().map(load).collect()
                },
            ),
            _ => zeros,
        };

        if self.vectorises && rows.is_none() && matches!(panel.columns, Columns::All) {
            let long = known(self.form.extent_of_terms).is_none_or(|n| n as usize >= FEWEST);
            match panel.last {
                _ if !long => {}
                Some(last) => when(b, last, |b| self.prefetch(panel, i, b)),
                None => self.prefetch(panel, i, b),
            }
        }
        let width = b.index((panel.vectors * self.lanes) as i64);
        let sums = carry(b, b.index(0), panel.terms, 1, &start, |b, k, sums| {
            let at = b.muli(k, width);
            let load = |v| b.value(Kind::VectorLoad, &[self.memory, b.plus(at, v * self.lanes)], self.vector, &[]);
            let row: Vec<Value> = (0..panel.vectors).map(load).collect();
            let term = b.addi(panel.term, k);
            let mut next = Vec::new();
            for (r, number) in numbers.iter().enumerate() {
                let place = match &left {
                    Some(left) => vec![self.memory, left.element(self, r, k, b)],
                    None => {
                        let known = [(self.form.row, *number), (self.form.term, term)];
                        panel.copies.with(known).values(&self.form.left.read.operands(), b)
                    }
                };
                let a = b.value(Kind::MemrefLoad, &place, self.ty, &[]);
                let a = b.value(Kind::VectorBroadcast, &[a], self.vector, &[]);
                next.extend(row.iter().zip(&sums[r * panel.vectors..]).map(|(x, sum)| multiply_add(a, *x, *sum, b)));
            }
            next
        });

        let finish = |b: Builder| {
            let done = epilogue::Done { sums: &sums, row: i, rows, height };
            epilogue::finish(self, panel, done, self.vectorises, b);
        };
        match (panel.last, partial_sums) {
            (Some(last), Some(places)) => {
                let done = |b: Builder| {
                    finish(b);
                    Vec::new()
                };
                let kept = |b: Builder| {
                    for (sum, place) in sums.iter().zip(places) {
                        b.make(Kind::VectorStore, &[*sum, self.memory, place], &[], &[]);
                    }
                    Vec::new()
                };
                choose(b, last, &[], done, kept);
            }
            _ => finish(b),
        }
    }

    /// Returns the offsets in scratch memory of the partial sums of a tile, one for each vector.
    fn partial_sums(&self, panel: &Panel, rows: ScratchRows, i: Value, height: usize, b: Builder) -> Vec<Value> {
        let start = self.partial_sums_of(rows, i, b);
        let place = |r: usize, v: usize| b.plus(start, r * self.width() + v * self.lanes);
        (0..height).flat_map(|r| (0..panel.vectors).map(move |v| place(r, v))).collect()
    }

    /// Prefetches the values that the body reads and writes for a whole tile.
    fn prefetch(&self, panel: &Panel, i: Value, b: Builder) {
        (0..self.rows).for_each(|r| epilogue::prefetch(self, panel, b.plus(i, r), b));
    }
}
