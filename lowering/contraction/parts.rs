//! The parts of a contraction and where they are: tiles in registers, and panels and the packed block of the left
//! factor in scratch memory.

use super::copy::Copies;
use super::form::Contraction;
use super::kernels::Kernels;
use super::registers::{Registers, VECTORS};
use crate::ir::*;
use std::cell::{OnceCell, RefCell};

/// The parameters that all tiles of a contraction share.
pub struct Tiles<'a> {
    pub form: &'a Contraction,
    pub ty: Type,
    pub vector: Type,
    pub lanes: usize,
    /// The number of rows of a tile.
    pub rows: usize,
    pub memory: Value,
    pub vectorises: bool,
    /// The rows or the columns of the chunk that is computed, and the block for its arrays on the stack.
    pub chunk: Option<Chunk>,
    /// The functions for tiles of dynamic sizes.
    pub kernels: &'a RefCell<Kernels>,
    /// A small array for tiles that are not stored directly.
    aside: OnceCell<Value>,
}

/// The part of the result that one thread computes: the first row or column, and their number.
#[derive(Clone, Copy)]
pub struct Chunk {
    pub are_rows: bool,
    pub range: [Value; 2],
    pub block: Block,
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
    /// The partial sums in scratch memory, if not all terms are in this panel.
    pub partial_sums: Option<ScratchRows>,
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

/// Consecutive rows of a matrix in scratch memory: the first row, and the position of its first element.
#[derive(Clone, Copy)]
pub struct ScratchRows {
    pub first: Value,
    pub start: Value,
}

/// The packed block of the left factor that is in use.
#[derive(Clone, Copy)]
pub struct Left {
    pub rows: ScratchRows,
    pub order: Order,
    /// The distance in elements from one row to the next, on average over a tile.
    pub stride: usize,
}

/// The layout of the rows of one tile in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Row after row.
    Rows,
    /// All rows of a term together.
    Terms,
}

/// The rows of one tile in a block.
pub struct LeftTile {
    /// The position of the first term of the first row.
    pub start: Value,
    left: Left,
}

impl<'a> Tiles<'a> {
    pub fn new(form: &'a Contraction, memory: Value, registers: Registers, kernels: &'a RefCell<Kernels>) -> Tiles<'a> {
        let ty = form.sum.result(0).ty();
        let lanes = registers.bits / 8 / form.element.bytes();
        Tiles {
            form,
            ty,
            vector: ty.context().vector(lanes, ty),
            lanes,
            rows: registers.rows(),
            memory,
            vectorises: false,
            chunk: None,
            kernels,
            aside: OnceCell::new(),
        }
    }

    /// Returns the first row that is computed, and the number of rows.
    pub fn rows_here(&self, copies: &mut Copies, b: Builder) -> [Value; 2] {
        let all = |copies: &mut Copies| [b.index(0), copies.value(self.form.extent_of_rows, b)];
        self.chunk.filter(|chunk| chunk.are_rows).map_or_else(|| all(copies), |chunk| chunk.range)
    }

    /// Returns the first column that is computed, and the number of columns.
    pub fn columns_here(&self, copies: &mut Copies, b: Builder) -> [Value; 2] {
        let all = |copies: &mut Copies| [b.index(0), copies.value(self.form.extent_of_columns, b)];
        self.chunk.filter(|chunk| !chunk.are_rows).map_or_else(|| all(copies), |chunk| chunk.range)
    }

    /// Returns the panel with all terms, from the first column on.
    pub fn panel(&self, mut copies: Copies, b: Builder) -> Panel {
        let terms = copies.value(self.form.extent_of_terms, b);
        let (column, term, vectors, columns) = (b.index(0), b.index(0), VECTORS, Columns::All);
        Panel { copies, column, vectors, columns, term, terms, left: None, partial_sums: None, first: None, last: None }
    }

    /// Returns the offset in scratch memory of the partial sums of row `i`.
    pub fn partial_sums_of(&self, rows: ScratchRows, i: Value, b: Builder) -> Value {
        let width = b.index(self.width() as i64);
        b.addi(b.muli(b.subi(i, rows.first), width), rows.start)
    }

    /// Returns the number of columns of a full panel.
    pub fn width(&self) -> usize {
        VECTORS * self.lanes
    }

    /// Returns a small array for tiles that are not stored directly.
    pub fn aside(&self) -> Value {
        *self.aside.get_or_init(|| stack_array(self))
    }
}

impl Left {
    /// Returns the tile whose first row is `i`.
    pub fn tile(self, i: Value, b: Builder) -> LeftTile {
        LeftTile { start: self.row(b.subi(i, self.rows.first), b), left: self }
    }

    /// Returns the distances in elements from one term to the next, and from one row of a tile to the next.
    pub fn strides(self, tiles: &Tiles) -> [usize; 2] {
        match self.order {
            Order::Rows => [1, self.stride],
            Order::Terms => [tiles.rows, 1],
        }
    }

    /// Returns the start of row `row` of the block, if it is the first row of a tile.
    pub fn row(self, row: Value, b: Builder) -> Value {
        b.addi(b.times(row, self.stride), self.rows.start)
    }
}

impl LeftTile {
    /// Returns the position of term `k` of row `r` of the tile.
    pub fn element(&self, tiles: &Tiles, r: usize, k: Value, b: Builder) -> Value {
        let [per_term, per_row] = self.left.strides(tiles);
        let (scale, offset) = (b.index(per_term as i64), b.index((r * per_row) as i64));
        b.addi(self.start, b.addi(b.muli(k, scale), offset))
    }
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

/// Allocates an array for one tile on the stack: 1 or 2 KiB.
fn stack_array(tiles: &Tiles) -> Value {
    let nest = tiles.form.nest;
    let function = ancestors(nest).find(|op| op.kind() == Kind::FuncFunc);
    let block = tiles.chunk.map(|chunk| chunk.block).or_else(|| function.and_then(Op::body));
    let b = at_start(block.unwrap_or_else(|| enclosing_block(nest)), nest.location());
    let ctx = b.context();
    let op = b
        .op(Kind::MemrefAlloca)
        .operand_segments(&[&[], &[]])
        .attribute("alignment", Attribute::integer(ctx.int(64), 64))
        .results(&[ctx.memref(&[Some(tiles.rows * tiles.width())], tiles.ty)]);
    b.insert(op.build()).result(0)
}
