//! Loops over tiles: a tile of `z` is kept in vector registers while the reduction runs.
//!
//! ```text
//! for j in columns step R·lanes:                          a panel
//!   for k0 in terms step TERMS:
//!     pack b[k0.., j..] into scratch, k by k              so that it is read in order, whatever it was before
//!     for i in rows step ROWS:                            a tile
//!       for k: acc[r, v] += broadcast(a[i + r, k]) · panel[k, v]
//!       z[i.., j..] = post(acc)                           after the last k0; before, acc waits in scratch
//! ```
//! If the left factor is packed too, `blocks.rs` emits the loops around the tiles. Every element adds its terms in
//! ascending order, one after the other, wherever its tile begins, so results do not depend on the sizes of tiles. At
//! the lower border a tile repeats its last row, and at the right border the panel is padded with zeros; only existing
//! elements are stored.

use super::blocks::{self, Left};
use super::loops::{carry, choose, cut, repeat, up_to, when};
use super::shared::Kernels;
use super::{Contraction, Copies, epilogue, known, pack};
use crate::ir::*;
use crate::reduction::with_flags;
use mlopt_dialects::ops::Kind;
use std::cell::{OnceCell, RefCell};

/// The vector registers of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The width of a register in bits.
    pub bits: usize,
}

/// The number of terms of a panel.
const TERMS: usize = 512;
/// The number of rows whose partial sums are kept in scratch memory together.
const WAITING: usize = 512;
/// The number of terms below which a tile is complete before its prefetched data arrive.
const FEWEST: usize = 64;
/// The number of vectors in a row of a tile.
pub const VECTORS: usize = 2;
/// The maximum number of rows of a tile.
pub const HIGHEST: usize = 8;
/// The width in bits of the widest registers.
const WIDEST: usize = 512;

/// Returns the number of columns of a tile with the widest registers.
pub fn widest(ty: Type) -> usize {
    VECTORS * WIDEST / 8 / ty.element().expect("a float").bytes()
}

impl Registers {
    /// The registers of every x86-64 processor.
    pub const BASELINE: Registers = Registers { bits: 128 };

    /// Returns the registers of the target processor, which `native::Target` has recorded in the module.
    pub fn of(root: Op) -> Registers {
        let bits = root.attribute(crate::abi::VECTOR_BITS).and_then(Attribute::as_i64);
        bits.and_then(|n| usize::try_from(n).ok()).map_or(Registers::BASELINE, |bits| Registers { bits })
    }

    /// Returns the number of sums that are kept at once: half of the registers.
    pub fn accumulators(self) -> usize {
        if self.bits == WIDEST { 16 } else { 8 }
    }

    /// Returns the number of rows of a tile: accumulators, a row of the panel and a broadcast element fill 16
    /// registers, or 19 of 32.
    fn rows(self) -> usize {
        match self.bits {
            512 => HIGHEST,
            256 => 6,
            _ => 4,
        }
    }
}

/// Returns the number of elements of scratch memory that a contraction needs: a panel and partial sums.
pub fn scratch_elements(form: &Contraction) -> usize {
    if blocks::packs_left(form) {
        return blocks::scratch_elements(form);
    }
    // The last tile may have rows that do not exist.
    let waiting = if single_block(form, TERMS) { 0 } else { at_most(form.extent_of_rows(), WAITING) + HIGHEST };
    widest(form.sum.result(0).ty()) * (at_most(form.extent_of_terms(), TERMS) + waiting)
}

/// Returns a size, or `most` if that is less.
pub fn at_most(n: Value, most: usize) -> usize {
    known(n).map_or(most, |n| most.min(n.max(0) as usize))
}

/// Checks whether all terms are known to fit in one block of `step`.
pub fn single_block(form: &Contraction, step: usize) -> bool {
    let terms = form.sum.operand_segment(0);
    terms.len() == 1 && known(terms[0]).is_some_and(|n| n as usize <= step)
}

impl Contraction {
    /// Returns the number of the index that is the row of a tile.
    pub fn tile_row(&self) -> usize {
        *self.rows.last().expect("the left factor needs an index that the right one does not")
    }

    /// Returns the number of the index that is the lane of a tile.
    pub fn tile_column(&self) -> usize {
        *self.columns.last().expect("the right factor needs an index that the left one does not")
    }

    pub fn extent_of_rows(&self) -> Value {
        self.nest.operand_segment(0)[self.tile_row()]
    }

    pub fn extent_of_columns(&self) -> Value {
        self.nest.operand_segment(0)[self.tile_column()]
    }

    /// Returns the extent of the last axis of the sum.
    pub fn extent_of_terms(&self) -> Value {
        *self.sum.operand_segment(0).last().expect("a sum has an axis")
    }
}

/// The parameters that all tiles of a contraction share.
pub struct Tiles<'a> {
    pub form: &'a Contraction,
    pub ty: Type,
    pub vector: Type,
    pub lanes: usize,
    /// The number of rows of a tile.
    pub rows: usize,
    pub memory: Value,
    /// The indices of the row, the column and the term in the old body.
    pub row: Value,
    pub column: Value,
    pub term: Value,
    pub vectorises: bool,
    /// The functions for tiles of dynamic sizes.
    pub kernels: &'a RefCell<Kernels>,
    /// A small array for tiles that are not stored directly.
    aside: OnceCell<Value>,
}

/// A panel, or a tile in it: the positions of its parts.
#[derive(Clone)]
pub struct Panel {
    /// The indices that are already fixed.
    pub copies: Copies,
    /// The first column, the number of vectors, and the number of existing columns.
    pub column: Value,
    pub vectors: usize,
    pub columns: Columns,
    /// The first term, and the number of terms.
    pub term: Value,
    pub terms: Value,
    /// The left factor in scratch memory, if it is packed.
    pub left: Option<Left>,
    /// The place of partial sums in scratch memory.
    pub waiting: Option<Place>,
    /// The conditions that these are the first terms, and the last ones; always true if absent.
    pub first: Option<Value>,
    pub last: Option<Value>,
}

/// The number of existing columns of a panel.
#[derive(Clone, Copy)]
pub enum Columns {
    /// All columns of its vectors.
    All,
    /// Fewer.
    Fewer(Value),
    /// All or fewer, which is known only at run time.
    AtMostAll(Value),
}

/// A place in scratch memory: its first row, and the position of that row's first element.
#[derive(Clone, Copy)]
pub struct Place {
    pub row: Value,
    pub start: Value,
}

/// Emits all loops at `b`.
pub fn emit(form: &Contraction, memory: Value, registers: Registers, kernels: &RefCell<Kernels>, b: Builder) {
    let ty = form.sum.result(0).ty();
    let lanes = registers.bits / 8 / ty.element().expect("a float").bytes();
    let outer = super::indices(form.nest);
    let mut tiles = Tiles {
        form,
        ty,
        vector: vector_type(lanes, ty),
        lanes,
        rows: registers.rows(),
        memory,
        row: outer[form.tile_row()],
        column: outer[form.tile_column()],
        term: *super::indices(form.sum).last().expect("a sum has an index"),
        vectorises: false,
        kernels,
        aside: OnceCell::new(),
    };
    tiles.vectorises = epilogue::vectorises(&tiles);
    let around = form.columns.split_last().expect("columns").1.iter().chain(&form.repeated).copied();
    let mut around: Vec<usize> = around.collect();
    let packs_left = blocks::packs_left(form);
    if packs_left {
        around.extend(form.rows.split_last().expect("rows").1);
    }
    around.sort_unstable();
    tiles.over(&around, Copies::new(form.nest), b, &mut |mut copies, b| {
        if packs_left {
            return blocks::emit(&tiles, copies, b);
        }
        let (zero, n) = (b.index(0), copies.value(form.extent_of_columns(), b));
        tiles.panels(tiles.panel(copies, b), zero, n, b, &|panel, b| tiles.blocks(panel, b));
    });
}

impl Tiles<'_> {
    /// Emits loops over these indices of the nest.
    fn over(&self, axes: &[usize], copies: Copies, b: Builder, body: &mut dyn FnMut(Copies, Builder)) {
        let Some((axis, rest)) = axes.split_first() else { return body(copies, b) };
        let mut here = copies.clone();
        let n = here.value(self.form.nest.operand_segment(0)[*axis], b);
        let index = super::indices(self.form.nest)[*axis];
        let zero = b.index(0);
        repeat(b, zero, n, 1, |b, i| self.over(rest, copies.with([(index, i)]), b, body));
    }

    /// Returns the panel with all terms, from the first column on.
    pub fn panel(&self, mut copies: Copies, b: Builder) -> Panel {
        let terms = copies.value(self.form.extent_of_terms(), b);
        let (column, term, vectors) = (b.index(0), b.index(0), VECTORS);
        Panel {
            copies,
            column,
            vectors,
            columns: Columns::All,
            term,
            terms,
            left: None,
            waiting: None,
            first: None,
            last: None,
        }
    }

    /// Emits the panels for `n` columns from `begin` on.
    pub fn panels(&self, all: Panel, begin: Value, n: Value, b: Builder, body: &dyn Fn(Panel, Builder)) {
        let width = self.width();
        let (full, rest) = cut(n, width, b);
        let from_zero = known(begin) == Some(0);
        let border = if from_zero { full } else { b.same(Kind::ArithAddi, &[begin, full]) };
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
            let here = b.same(Kind::ArithAndi, &[more, enough]);
            when(b, here, |b| panel(b, border, v, Columns::Fewer(rest)));
        }
    }

    /// Emits the terms of a panel, block by block, and for each block the rows.
    fn blocks(&self, panel: Panel, b: Builder) {
        let form = self.form;
        let others = form.rows.split_last().expect("rows").1;
        let zero = b.index(0);
        let mut copies = panel.copies.clone();
        let m = copies.value(form.extent_of_rows(), b);
        if single_block(form, TERMS) {
            pack::pack(self, &panel, b);
            self.over(others, panel.copies.clone(), b, &mut |copies, b| {
                self.column_of_tiles(&Panel { copies, ..panel.clone() }, zero, m, b);
            });
            return;
        }
        let longest = at_most(form.extent_of_terms(), TERMS);
        let start = b.index((longest * VECTORS * self.lanes) as i64);
        let before: Vec<usize> = (0..form.sum.operand_segment(0).len() - 1).collect();
        self.over(others, panel.copies.clone(), b, &mut |copies, b| {
            repeat(b, zero, m, WAITING, |b, i| {
                let end = up_to(i, m, WAITING, b);
                let rows = b.same(Kind::ArithSubi, &[end, i]);
                let waiting = Some(Place { row: i, start });
                let panel = Panel { copies: copies.clone(), waiting, ..panel.clone() };
                self.terms(&before, TERMS, panel, b, &mut |panel, b| {
                    // If there is only one panel, all rows share it.
                    let fresh = others.iter().map(|k| super::indices(form.nest)[*k]);
                    let mut again: Vec<Value> = fresh.map(|k| panel.copies.get(k).expect("in its loop")).collect();
                    again.push(i);
                    let (first, last) = (panel.first.expect("set"), panel.last.expect("set"));
                    let only = b.same(Kind::ArithAndi, &[first, last]);
                    let start = again.into_iter().map(|i| b.compare(Compare::Eq, i, zero));
                    let start = start.reduce(|x, y| b.same(Kind::ArithAndi, &[x, y])).expect("one at least");
                    let kept = b.value(Kind::ArithConstant, &[], only.ty(), &[("value", b.context().bool_attr(true))]);
                    let several = b.same(Kind::ArithXori, &[only, kept]);
                    let needed = b.same(Kind::ArithOri, &[several, start]);
                    when(b, needed, |b| pack::pack(self, &panel, b));
                    self.column_of_tiles(&panel, i, rows, b);
                });
            });
        });
    }

    /// Emits loops over the terms: one by one along `axes`, in blocks of `most` along the last axis.
    pub fn terms(
        &self,
        axes: &[usize],
        most: usize,
        mut panel: Panel,
        b: Builder,
        body: &mut dyn FnMut(Panel, Builder),
    ) {
        let sum = self.form.sum;
        let axis = axes.first().copied().unwrap_or(sum.operand_segment(0).len() - 1);
        let step = if axes.is_empty() { most } else { 1 };
        let n = panel.copies.value(sum.operand_segment(0)[axis], b);
        let zero = b.index(0);
        let index = super::indices(sum)[axis];
        repeat(b, zero, n, step, |b, k| {
            let (size, zero) = (b.index(step as i64), b.index(0));
            let begins = b.compare(Compare::Eq, k, zero);
            let left = b.same(Kind::ArithSubi, &[n, k]);
            let ends = b.compare(Compare::Sle, left, size);
            let and = |before: Option<Value>, here| before.map_or(here, |v| b.same(Kind::ArithAndi, &[v, here]));
            let (first, last) = (Some(and(panel.first, begins)), Some(and(panel.last, ends)));
            let mut panel = Panel { first, last, ..panel.clone() };
            match axes.split_first() {
                Some((_, rest)) => {
                    panel.copies.set(index, k);
                    self.terms(rest, most, panel, b, body);
                }
                None => {
                    let terms = b.same(Kind::ArithMinsi, &[left, size]);
                    body(Panel { term: k, terms, ..panel }, b);
                }
            }
        });
    }

    /// Emits the tiles of a panel for `n` rows from `begin` on.
    pub fn column_of_tiles(&self, panel: &Panel, begin: Value, n: Value, b: Builder) {
        let (full, rest) = cut(n, self.rows, b);
        let border = if known(begin) == Some(0) { full } else { b.same(Kind::ArithAddi, &[begin, full]) };
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
        let few = b.compare(Compare::Sle, rest, most);
        let here = b.same(Kind::ArithAndi, &[some, few]);
        when(b, here, |b| self.tile(panel, border, half, Some(rest), b));
        let many = b.compare(Compare::Sgt, rest, most);
        when(b, many, |b| self.tile(panel, border, self.rows, Some(rest), b));
    }

    /// Emits one tile, from row `i` on, with `height` rows of registers, of which only the first `rows` exist.
    fn tile(&self, panel: &Panel, i: Value, height: usize, rows: Option<Value>, b: Builder) {
        let numbers: Vec<Value> = (0..height)
            .map(|r| {
                let r = b.index(r as i64);
                let r = match rows {
                    None => r,
                    Some(rows) => {
                        let one = b.index(1);
                        let last = b.same(Kind::ArithSubi, &[rows, one]);
                        b.same(Kind::ArithMinsi, &[r, last])
                    }
                };
                b.same(Kind::ArithAddi, &[i, r])
            })
            .collect();
        let count = height * panel.vectors;
        let types = vec![self.vector; count];
        let zero = b.constant(Attribute::splat(self.vector, Attribute::float(self.ty, 0.0)), self.vector);
        let zeros = vec![zero; count];
        let waiting = panel.waiting.map(|place| self.waiting(panel, place, i, height, b));
        let left = panel.left.map(|left| left.tile(i, b));
        let start = match (panel.first, &waiting) {
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
            let long = known(self.form.extent_of_terms()).is_none_or(|n| n as usize >= FEWEST);
            match panel.last {
                _ if !long => {}
                Some(last) => when(b, last, |b| self.prefetch(panel, i, b)),
                None => self.prefetch(panel, i, b),
            }
        }
        let width = b.index((panel.vectors * self.lanes) as i64);
        let from = b.index(0);
        let sums = carry(b, from, panel.terms, 1, &start, |b, k, sums| {
            let at = b.same(Kind::ArithMuli, &[k, width]);
            let row: Vec<Value> = (0..panel.vectors)
                .map(|v| {
                    let v = b.index((v * self.lanes) as i64);
                    let at = b.same(Kind::ArithAddi, &[at, v]);
                    b.value(Kind::VectorLoad, &[self.memory, at], self.vector, &[])
                })
                .collect();
            let term = b.same(Kind::ArithAddi, &[panel.term, k]);
            let mut next = Vec::new();
            for (r, number) in numbers.iter().enumerate() {
                let place = match &left {
                    Some(left) => vec![self.memory, left.element(self, r, k, b)],
                    None => {
                        let mut copies = panel.copies.with([(self.row, *number), (self.term, term)]);
                        let array = copies.value(self.form.left.array(), b);
                        [vec![array], copies.values(&self.form.left.position(), b)].concat()
                    }
                };
                let a = b.value(Kind::MemrefLoad, &place, self.ty, &[]);
                let a = b.value(Kind::VectorBroadcast, &[a], self.vector, &[]);
                for (v, x) in row.iter().enumerate() {
                    next.push(multiply_add(a, *x, sums[r * panel.vectors + v], b));
                }
            }
            next
        });

        let finish = |b: Builder| {
            let done = epilogue::Done { sums: &sums, row: i, rows, height };
            epilogue::finish(self, panel, done, self.vectorises, b);
        };
        match (panel.last, waiting) {
            (Some(last), Some(places)) => {
                let branch = b.op(Kind::ScfIf).operands(&[last]);
                let [then, other] = [(); 2].map(|_| Block::new(&[]));
                b.insert(branch.region(Region::with_block(then)).region(Region::with_block(other)).build());
                let inside = Builder::at_end(then, b.location);
                finish(inside);
                inside.make(Kind::ScfYield, &[], &[], &[]);
                let inside = Builder::at_end(other, b.location);
                for (sum, place) in sums.iter().zip(places) {
                    inside.make(Kind::VectorStore, &[*sum, self.memory, place], &[], &[]);
                }
                inside.make(Kind::ScfYield, &[], &[], &[]);
            }
            _ => finish(b),
        }
    }

    /// Returns the offset in scratch memory of the partial sums of row `i`.
    pub fn waiting_row(&self, place: Place, i: Value, b: Builder) -> Value {
        let width = b.index(self.width() as i64);
        let row = b.same(Kind::ArithSubi, &[i, place.row]);
        let start = b.same(Kind::ArithMuli, &[row, width]);
        b.same(Kind::ArithAddi, &[start, place.start])
    }

    /// Returns the offsets in scratch memory of the partial sums of a tile, one for each vector.
    fn waiting(&self, panel: &Panel, place: Place, i: Value, height: usize, b: Builder) -> Vec<Value> {
        let start = self.waiting_row(place, i, b);
        let place = |r: usize, v: usize| {
            let at = b.index((r * VECTORS * self.lanes + v * self.lanes) as i64);
            b.same(Kind::ArithAddi, &[start, at])
        };
        (0..height).flat_map(|r| (0..panel.vectors).map(move |v| (r, v))).map(|(r, v)| place(r, v)).collect()
    }

    /// Prefetches the values that the body reads and writes for a whole tile.
    fn prefetch(&self, panel: &Panel, i: Value, b: Builder) {
        for r in 0..self.rows {
            let r = b.index(r as i64);
            epilogue::prefetch(self, panel, b.same(Kind::ArithAddi, &[i, r]), b);
        }
    }

    /// Returns the number of columns of a full panel.
    pub fn width(&self) -> usize {
        VECTORS * self.lanes
    }

    /// Returns a small array for tiles that are not stored directly.
    pub fn aside(&self) -> Value {
        *self.aside.get_or_init(|| epilogue::stack_array(self))
    }

    /// Returns the number of elements, `height × width`, of the largest tile.
    pub fn largest(&self) -> usize {
        self.rows * VECTORS * self.lanes
    }
}

/// Emits `sum + x · y`, with one rounding if the processor supports it.
pub fn multiply_add(x: Value, y: Value, sum: Value, b: Builder) -> Value {
    let flags = with_flags(b.context(), None, &["contract"]).expect("there is one");
    let product = b.value(Kind::ArithMulf, &[x, y], sum.ty(), &[("fastmath", flags)]);
    b.value(Kind::ArithAddf, &[sum, product], sum.ty(), &[("fastmath", flags)])
}

pub fn vector_type(lanes: usize, element: Type) -> Type {
    let source = format!("vector<{lanes}x{element}>");
    element.context().parse_type(&source).unwrap_or_else(|| panic!("internal error: type `{source}`"))
}
