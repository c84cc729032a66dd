//! The epilogue of a tile: the computation that follows the sum in the body of the nest, for each element of the
//! finished tile.

use super::access::{depends, has_unit_stride, runs_along};
use super::copy::Copies;
use super::parts::{Columns, Panel, Tiles};
use crate::ir::*;
use crate::scf::repeat;
use std::collections::HashMap;

/// The size in bytes of a cache line.
const LINE: usize = 64;

/// A tile whose sums are complete.
pub struct Done<'a> {
    /// The sums, row by row, vector by vector.
    pub sums: &'a [Value],
    pub row: Value,
    /// The number of rows that exist, if not all.
    pub rows: Option<Value>,
    pub height: usize,
}

/// Runs the body for the elements of a tile: on vectors if possible, else one by one on a small array.
pub fn finish(tiles: &Tiles, panel: &Panel, done: Done, vectorises: bool, b: Builder) {
    let fewer = match panel.columns {
        Columns::All => None,
        Columns::Fewer(n) | Columns::AtMostAll(n) => Some(n),
    };
    if vectorises && fewer.is_none() && done.rows.is_none() {
        for r in 0..done.height {
            let i = b.plus(done.row, r);
            (0..panel.vectors).for_each(|v| on_vector(tiles, panel, i, v, done.sums[r * panel.vectors + v], b));
        }
        return;
    }
    let aside = tiles.aside();
    let width = panel.vectors * tiles.lanes;
    for (k, sum) in done.sums.iter().enumerate() {
        b.make(Kind::VectorStore, &[*sum, aside, b.index((k * tiles.lanes) as i64)], &[], &[]);
    }
    let zero = b.index(0);
    let rows = done.rows.unwrap_or_else(|| b.index(done.height as i64));
    let columns = fewer.unwrap_or_else(|| b.index(width as i64));
    repeat(b, zero, rows, 1, |b, r| {
        let zero = b.index(0);
        let i = b.addi(done.row, r);
        repeat(b, zero, columns, 1, |b, c| {
            let sum = b.value(Kind::MemrefLoad, &[aside, b.addi(b.times(r, width), c)], tiles.ty, &[]);
            on_element(tiles, panel, i, c, sum, b);
        });
    });
}

/// Runs the body for row `i` and column `c` of a panel, whose sum is `sum`.
pub fn on_element(tiles: &Tiles, panel: &Panel, i: Value, c: Value, sum: Value, b: Builder) {
    let j = b.addi(panel.column, c);
    let known = [(tiles.form.row, i), (tiles.form.column, j), (tiles.form.sum.result(0), sum)];
    let mut copies = panel.copies.with(known);
    // All reads precede all writes, because a result may overwrite an operand from which it is computed.
    for op in effects(tiles) {
        copies.values(&operands_inside(op), b);
    }
    for op in effects(tiles) {
        copies.op(op, b);
    }
}

/// Prefetches the values that the body reads and writes in row `i` of a tile while the tile is computed. Each row has a
/// different address.
pub fn prefetch(tiles: &Tiles, panel: &Panel, i: Value, b: Builder) {
    let (nest, body) = (tiles.form.nest, tiles.form.nest.entry());
    let line = LINE / tiles.form.element.bytes();
    for op in body.ops() {
        let skipped = match op.kind() {
            Kind::MemrefLoad => 0,
            Kind::MemrefStore => 1,
            _ => continue,
        };
        let (array, position) = (op.operand(skipped), &op.operands()[skipped + 1..]);
        if !along(tiles, array, position) || !position.iter().any(|v| depends(*v, tiles.form.row, nest)) {
            continue;
        }
        for c in (0..panel.vectors * tiles.lanes).step_by(line) {
            let j = b.plus(panel.column, c);
            let place =
                panel.copies.with([(tiles.form.row, i), (tiles.form.column, j)]).values(&op.operands()[skipped..], b);
            let ctx = b.context();
            let flags = [
                ("isWrite", ctx.bool_attr(skipped > 0)),
                ("localityHint", Attribute::integer(ctx.int(32), 3)),
                ("isDataCache", ctx.bool_attr(true)),
            ];
            b.make(Kind::MemrefPrefetch, &place, &[], &flags);
        }
    }
}

/// Returns the ops of the body that have effects other than computing values.
fn effects(tiles: &Tiles) -> Vec<Op> {
    let body = tiles.form.nest.entry();
    let end = body.terminator();
    body.ops().into_iter().filter(|op| Some(*op) != end && op.num_results() == 0).collect()
}

/// Checks whether the rest of the body can run on vectors of columns.
pub fn vectorises(tiles: &Tiles) -> bool {
    let nest = tiles.form.nest;
    let mut seen = Vec::new();
    effects(tiles).into_iter().all(|op| {
        op.kind() == Kind::MemrefStore
            && op.operand(0).ty() == tiles.ty
            && along(tiles, op.operand(1), &op.operands()[2..])
            && vector_value(tiles, nest, op.operand(0), &mut seen)
    })
}

/// Checks whether the last index of a position of `array` is the column.
fn along(tiles: &Tiles, array: Value, position: &[Value]) -> bool {
    has_unit_stride(array.ty()) && runs_along(position, tiles.form.column, tiles.form.nest)
}

fn vector_value(tiles: &Tiles, nest: Op, value: Value, seen: &mut Vec<Value>) -> bool {
    let number = |v: Value| v.ty() == tiles.ty || v.ty().is_integer(1);
    if value == tiles.form.sum.result(0) || seen.contains(&value) {
        return true;
    }
    seen.push(value);
    if !number(value) {
        return false;
    }
    if !needs_vector(tiles, value) {
        return true;
    }
    let Some((op, _)) = value.defining_op().filter(|(op, _)| is_inside(*op, nest)) else { return false };
    match op.kind() {
        Kind::MemrefLoad => along(tiles, op.operand(0), &op.operands()[1..]),
        _ => {
            let simple = op.kind().dialect() == "arith" && op.num_results() == 1;
            simple && op.operands().into_iter().all(|v| number(v) && vector_value(tiles, nest, v, seen))
        }
    }
}

/// Checks whether a value differs between the columns of a tile.
fn needs_vector(tiles: &Tiles, value: Value) -> bool {
    let form = tiles.form;
    value == form.column || [form.sum.result(0), form.column].iter().any(|v| depends(value, *v, form.nest))
}

/// Runs the body for row `i` and vector `v` of a panel, whose sums are `sums`.
pub fn on_vector(tiles: &Tiles, panel: &Panel, i: Value, v: usize, sums: Value, b: Builder) {
    let j = b.plus(panel.column, v * tiles.lanes);
    let mut here = Vectors {
        tiles,
        copies: panel.copies.with([(tiles.form.row, i), (tiles.form.column, j)]),
        known: HashMap::from([(tiles.form.sum.result(0), sums)]),
    };
    let operands = |op: Op| [vec![here.value(op.operand(0), b)], here.copies.values(&op.operands()[1..], b)].concat();
    let stores: Vec<Vec<Value>> = effects(tiles).into_iter().map(operands).collect();
    for operands in stores {
        b.make(Kind::VectorStore, &operands, &[], &[]);
    }
}

/// Values of the body for neighbouring columns of one row.
struct Vectors<'a> {
    tiles: &'a Tiles<'a>,
    copies: Copies,
    known: HashMap<Value, Value>,
}

impl Vectors<'_> {
    fn value(&mut self, old: Value, b: Builder) -> Value {
        if let Some(new) = self.known.get(&old) {
            return *new;
        }
        let ty = b.context().vector(self.tiles.lanes, old.ty());
        let new = if !needs_vector(self.tiles, old) {
            b.broadcast(self.copies.value(old, b), self.tiles.lanes)
        } else {
            let (op, _) = old.defining_op().expect("asked before: it is made by an op");
            if op.kind() == Kind::MemrefLoad {
                b.value(Kind::VectorLoad, &self.copies.values(&op.operands(), b), ty, &[])
            } else {
                let operands: Vec<Value> = op.operands().into_iter().map(|v| self.value(v, b)).collect();
                b.remake(op, &operands, &[ty]).result(0)
            }
        };
        self.known.insert(old, new);
        new
    }
}
