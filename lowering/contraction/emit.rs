//! Emission of all loops of a contraction. If the left factor is read in place, the loops are as follows, where `R` is
//! the number of vectors in a row of a tile:
//!
//! ```text
//! for j in columns step R·lanes:                          a panel
//!   for k0 in terms step TERMS:
//!     pack b[k0.., j..] into scratch memory               in the order in which the tiles read it
//!     for i in rows, one tile at a time                   stores z for the last k0, partial sums for the others
//! ```
//! If the left factor is packed too, `blocks.rs` emits the loops around the tiles.

use super::copy::Copies;
use super::division::Chunks;
use super::form::Contraction;
use super::kernels::Kernels;
use super::parts::{Chunk, Panel, ScratchRows, Tiles, at_most, single_block};
use super::registers::{HIGHEST, Registers, VECTORS, widest};
use super::{blocks, epilogue, pack};
use crate::ir::*;
use crate::nests::indices;
use crate::scf::{in_chunks, repeat, when};
use std::cell::RefCell;

/// The number of terms of a panel.
const TERMS: usize = 512;
/// The number of rows whose partial sums are kept in scratch memory together.
const ROWS_TOGETHER: usize = 512;

/// Returns the number of elements of scratch memory that a contraction needs: a panel and partial sums.
pub fn scratch_elements(form: &Contraction) -> usize {
    if blocks::packs_left(form) {
        return blocks::scratch_elements(form);
    }
    // The last tile may have rows that do not exist.
    let partial_sums =
        if single_block(form, TERMS) { 0 } else { at_most(form.extent_of_rows, ROWS_TOGETHER) + HIGHEST };
    widest(form.element) * (at_most(form.extent_of_terms, TERMS) + partial_sums)
}

/// Emits all loops at `b`. If several threads share them, each chunk has its own scratch memory.
pub fn emit(form: &Contraction, memory: Value, registers: Registers, kernels: &RefCell<Kernels>, b: Builder) {
    let Some(chunks) = Chunks::of(form, memory, scratch_elements(form), b) else {
        return emit_part(form, memory, None, registers, kernels, b);
    };
    let extent = Copies::new(form.nest).value(chunks.blocks.extent, b);
    let count = chunks.count(extent, b);
    let shares = chunks.shares(extent, count, b);
    in_chunks(b, count, |b, k| {
        let range = chunks.range(extent, &shares, k, b);
        let chunk = Chunk { are_rows: chunks.blocks.are_rows, range, block: b.block };
        emit_part(form, chunks.memory(k, b), Some(chunk), registers, kernels, b);
    });
}

/// Emits the loops for a chunk, or for everything.
fn emit_part(
    form: &Contraction,
    memory: Value,
    chunk: Option<Chunk>,
    registers: Registers,
    kernels: &RefCell<Kernels>,
    b: Builder,
) {
    let mut tiles = Tiles::new(form, memory, registers, kernels);
    tiles.chunk = chunk;
    tiles.vectorises = epilogue::vectorises(&tiles);
    let mut around = [form.other_columns.as_slice(), form.repeated.as_slice()].concat();
    let packs_left = blocks::packs_left(form);
    if packs_left {
        around.extend(&form.other_rows);
    }
    around.sort_unstable();
    tiles.over(&around, Copies::new(form.nest), b, &mut |mut copies, b| {
        if packs_left {
            return blocks::emit(&tiles, copies, b);
        }
        let [first, n] = tiles.columns_here(&mut copies, b);
        tiles.panels(tiles.panel(copies, b), first, n, b, &|panel, b| tiles.blocks(panel, b));
    });
}

impl Tiles<'_> {
    /// Emits loops over these indices of the nest.
    fn over(&self, axes: &[usize], copies: Copies, b: Builder, body: &mut dyn FnMut(Copies, Builder)) {
        let Some((axis, rest)) = axes.split_first() else { return body(copies, b) };
        let mut here = copies.clone();
        let n = here.value(self.form.nest.operand_segment(0)[*axis], b);
        let index = indices(self.form.nest)[*axis];
        repeat(b, b.index(0), n, 1, |b, i| self.over(rest, copies.with([(index, i)]), b, body));
    }

    /// Emits the terms of a panel, block by block, and for each block the rows.
    fn blocks(&self, panel: Panel, b: Builder) {
        let form = self.form;
        let others = &form.other_rows;
        let zero = b.index(0);
        let mut copies = panel.copies.clone();
        let [first_row, m] = self.rows_here(&mut copies, b);
        if single_block(form, TERMS) {
            pack::pack(self, &panel, b);
            self.over(others, panel.copies.clone(), b, &mut |copies, b| {
                self.column_of_tiles(&Panel { copies, ..panel.clone() }, first_row, m, b);
            });
            return;
        }
        let start = b.index((at_most(form.extent_of_terms, TERMS) * VECTORS * self.lanes) as i64);
        let before: Vec<usize> = (0..form.sum.operand_segment(0).len() - 1).collect();
        self.over(others, panel.copies.clone(), b, &mut |copies, b| {
            let end = if known(first_row) == Some(0) { m } else { b.addi(first_row, m) };
            repeat(b, first_row, end, ROWS_TOGETHER, |b, i| {
                let rows = b.subi(b.minsi(b.plus(i, ROWS_TOGETHER), end), i);
                let partial_sums = Some(ScratchRows { first: i, start });
                let panel = Panel { copies: copies.clone(), partial_sums, ..panel.clone() };
                self.terms(&before, TERMS, panel, b, &mut |panel, b| {
                    // If there is only one panel, all rows share it.
                    let fresh = others.iter().map(|k| indices(form.nest)[*k]);
                    let again: Vec<Value> = fresh.map(|k| panel.copies.get(k).expect("in its loop")).collect();
                    let (first, last) = (panel.first.expect("set"), panel.last.expect("set"));
                    let only = b.andi(first, last);
                    let at_first = b.compare(Compare::Eq, i, first_row);
                    let start = again.into_iter().map(|i| b.compare(Compare::Eq, i, zero)).chain([at_first]);
                    let start = start.reduce(|x, y| b.andi(x, y)).expect("one at least");
                    let several = b.same(Kind::ArithXori, &[only, b.bool(true)]);
                    let needed = b.same(Kind::ArithOri, &[several, start]);
                    when(b, needed, |b| pack::pack(self, &panel, b));
                    self.column_of_tiles(&panel, i, rows, b);
                });
            });
        });
    }
}
