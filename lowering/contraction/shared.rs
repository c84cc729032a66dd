//! Tiles of contractions with dynamic sizes: the loop over the terms of a tile is a function that all contractions of a
//! module call, so that the code does not grow with every combination of full and partial tiles.
//!
//! ```text
//! for j in columns step R·lanes:
//!   pack b[k0.., j..]                                     with zeros beyond the last column
//!   for i in rows step ROWS:
//!     call the function for (rows, vectors) that cover what exists: out = Σ_k a · b
//!     for r in the rows that exist:                       after the last terms
//!       z[i + r, j..] = post(out[r])                      on vectors; one by one where columns are missing
//! ```
//! The left factor is packed, so a function reads scratch memory only, and depends only on types and registers.

use super::blocks::Left;
use super::loops::{carry, choose, cut, repeat, when};
use super::tiles::{Columns, Panel, Tiles, VECTORS, multiply_add};
use super::{Contraction, epilogue, known};
use crate::ir::*;
use mlopt_dialects::ops::Kind;
use std::collections::HashMap;

/// The number of terms that an iteration of a function adds, one after the other.
const TOGETHER: usize = 4;

/// The functions of one module, by key.
#[derive(Default)]
pub struct Kernels(HashMap<Key, String>);

/// The element type, lanes, rows, vectors, and the layout of the left factor: the distances in elements between terms
/// and between rows.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    ty: Type,
    lanes: usize,
    rows: usize,
    vectors: usize,
    strides: [usize; 2],
}

/// Checks whether the number of rows or of columns of `form` is dynamic.
pub fn is_open(form: &Contraction) -> bool {
    known(form.extent_of_rows()).is_none() || known(form.extent_of_columns()).is_none()
}

/// Emits the panels for `n` columns from `begin` on; `body` computes one panel.
pub fn panels(tiles: &Tiles, all: &Panel, begin: Value, n: Value, b: Builder, body: &dyn Fn(Panel, Builder)) {
    let width = tiles.width();
    let end = b.same(Kind::ArithAddi, &[begin, n]);
    repeat(b, begin, end, width, |b, column| {
        let (left, most) = (b.same(Kind::ArithSubi, &[end, column]), b.index(width as i64));
        let columns = Columns::AtMostAll(b.same(Kind::ArithMinsi, &[left, most]));
        body(Panel { column, vectors: VECTORS, columns, ..all.clone() }, b);
    });
}

/// Emits the tiles of a panel for `n` rows from `begin` on.
pub fn column_of_tiles(tiles: &Tiles, panel: &Panel, begin: Value, n: Value, b: Builder) {
    let left = panel.left.expect("the left factor is packed");
    let end = b.same(Kind::ArithAddi, &[begin, n]);
    repeat(b, begin, end, tiles.rows, |b, i| {
        let (rows, most) = (b.same(Kind::ArithSubi, &[end, i]), b.index(tiles.rows as i64));
        let rows = b.same(Kind::ArithMinsi, &[rows, most]);
        tile(tiles, panel, left, i, rows, b);
    });
}

/// Emits one tile, from row `i` on, of which `rows` rows exist.
fn tile(tiles: &Tiles, panel: &Panel, left: Left, i: Value, rows: Value, b: Builder) {
    let Columns::AtMostAll(columns) = panel.columns else { unreachable!("made by `panels`") };
    let all_columns = b.index(tiles.width() as i64);
    let is_full = b.compare(Compare::Eq, columns, all_columns);
    if tiles.vectorises {
        let wanted = panel.last.map_or(is_full, |last| b.same(Kind::ArithAndi, &[is_full, last]));
        when(b, wanted, |b| {
            let zero = b.index(0);
            repeat(b, zero, rows, 1, |b, r| epilogue::prefetch(tiles, panel, b.same(Kind::ArithAddi, &[i, r]), b));
        });
    }
    let (out, start) = match panel.waiting {
        Some(place) => (tiles.memory, tiles.waiting_row(place, i, b)),
        None => (tiles.aside(), b.index(0)),
    };
    let fresh = panel.first.unwrap_or_else(|| b.constant(b.context().bool_attr(true), b.context().int(1)));
    let memory = open_buffer(tiles.memory, tiles.ty, b);
    let operands = [memory, left.tile(i, b).start(), panel.terms, fresh, open_buffer(out, tiles.ty, b), start];
    let (half, lanes) = (b.index(tiles.rows as i64 / 2), b.index(tiles.lanes as i64));
    let (high, wide) = (b.compare(Compare::Sgt, rows, half), b.compare(Compare::Sgt, columns, lanes));
    let call = |rows: usize, vectors: usize| {
        let strides = left.strides(tiles);
        let name = function(tiles, Key { ty: tiles.ty, lanes: tiles.lanes, rows, vectors, strides });
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
        let zero = b.index(0);
        repeat(b, zero, rows, 1, |b, r| {
            let (i, width) = (b.same(Kind::ArithAddi, &[i, r]), b.index(tiles.width() as i64));
            let at = b.same(Kind::ArithMuli, &[r, width]);
            let at = b.same(Kind::ArithAddi, &[start, at]);
            let one_by_one = |b: Builder| {
                let zero = b.index(0);
                repeat(b, zero, columns, 1, |b, c| {
                    let at = b.same(Kind::ArithAddi, &[at, c]);
                    let sum = b.value(Kind::MemrefLoad, &[out, at], tiles.ty, &[]);
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
                    let lane = b.index((v * tiles.lanes) as i64);
                    let at = b.same(Kind::ArithAddi, &[at, lane]);
                    let sum = b.value(Kind::VectorLoad, &[out, at], tiles.vector, &[]);
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

/// Casts `memory` to a type with dynamic size.
fn open_buffer(memory: Value, element: Type, b: Builder) -> Value {
    let ty = open_memref(element);
    if memory.ty() == ty { memory } else { b.value(Kind::MemrefCast, &[memory], ty, &[]) }
}

fn open_memref(element: Type) -> Type {
    element.context().memref(&[None], element)
}

/// Returns the name of the function for `key`, which is created at its first use.
fn function(tiles: &Tiles, key: Key) -> String {
    if let Some(name) = tiles.kernels.borrow().0.get(&key) {
        return name.clone();
    }
    let module = tiles.form.nest.module().expect("a nest is in a module");
    let order = if key.strides[0] == 1 { "rows" } else { "terms" };
    let wanted = format!("tile.{}x{}.{}x{}.{order}", key.ty, key.lanes, key.rows, key.vectors);
    let taken = |name: &str| module.lookup(name).is_some();
    let names = std::iter::once(wanted.clone()).chain((1..).map(|k| format!("{wanted}.{k}")));
    let name = names.into_iter().find(|name| !taken(name)).expect("names do not end");
    module.body().expect("a module has a body").append(define(&key, &name, tiles.form.nest.location()));
    tiles.kernels.borrow_mut().0.insert(key, name.clone());
    name
}

/// Defines `@name(memory, left, terms, fresh, out, start)`: `out[start..] = Σ_k memory[left + …] · memory[k·width..]`,
/// row by row, added to the previous contents of `out` unless `fresh`.
fn define(key: &Key, name: &str, loc: Location) -> Op {
    let Key { ty, lanes, rows, vectors, strides: [per_term, per_row] } = *key;
    let (ctx, memref) = (ty.context(), open_memref(ty));
    let (vector, index, width) = (super::tiles::vector_type(lanes, ty), ctx.index(), VECTORS * lanes);
    let inputs = [memref, index, index, ctx.int(1), memref, index];
    let block = Block::new(&inputs.map(|t| (t, loc)));
    let [memory, left, terms, fresh, out, start] = std::array::from_fn(|k| block.argument(k));
    let b = Builder::at_end(block, loc);
    let offset = |from: Value, by: usize, b: Builder| b.same(Kind::ArithAddi, &[from, b.index(by as i64)]);
    let sums = || (0..rows).flat_map(|r| (0..vectors).map(move |v| r * width + v * lanes));
    let zero = b.constant(Attribute::splat(vector, Attribute::float(ty, 0.0)), vector);
    let first = choose(
        b,
        fresh,
        &vec![vector; rows * vectors],
        |_| vec![zero; rows * vectors],
        |b| sums().map(|at| b.value(Kind::VectorLoad, &[out, offset(start, at, b)], vector, &[])).collect(),
    );
    let add = |b: Builder, k: Value, sums: &[Value]| {
        let at = b.same(Kind::ArithMuli, &[k, b.index(width as i64)]);
        let load = |v: usize| b.value(Kind::VectorLoad, &[memory, offset(at, v * lanes, b)], vector, &[]);
        let row: Vec<Value> = (0..vectors).map(load).collect();
        let term = b.same(Kind::ArithMuli, &[k, b.index(per_term as i64)]);
        let term = b.same(Kind::ArithAddi, &[left, term]);
        let mut next = Vec::new();
        for r in 0..rows {
            let a = b.value(Kind::MemrefLoad, &[memory, offset(term, r * per_row, b)], ty, &[]);
            let a = b.value(Kind::VectorBroadcast, &[a], vector, &[]);
            next.extend(row.iter().enumerate().map(|(v, x)| multiply_add(a, *x, sums[r * vectors + v], b)));
        }
        next
    };
    let (zero, (most, _)) = (b.index(0), cut(terms, TOGETHER, b));
    let sums_of_most = carry(b, zero, most, TOGETHER, &first, |b, k, sums| {
        (0..TOGETHER).fold(sums.to_vec(), |sums, d| add(b, offset(k, d, b), &sums))
    });
    let last = carry(b, most, terms, 1, &sums_of_most, add);
    for (sum, at) in last.into_iter().zip(sums()) {
        b.make(Kind::VectorStore, &[sum, out, offset(start, at, b)], &[], &[]);
    }
    b.make(Kind::FuncReturn, &[], &[], &[]);
    let attributes = ["noinline", "nounwind"].map(|s| ctx.string_attr(s));
    // The factors are packed; if the partial sums are in the same memory, they occupy a disjoint part of it.
    let disjoint = |t: &Type| ctx.attribute(if t.is_memref() { "{llvm.noalias, llvm.nocapture}" } else { "{}" });
    OpBuilder::new(Kind::FuncFunc, loc)
        .attribute("sym_name", ctx.string_attr(name))
        .attribute("sym_visibility", ctx.string_attr("private"))
        .attribute("function_type", ctx.type_attr(ctx.function_type(&inputs, &[])))
        .attribute("arg_attrs", ctx.array_attr(&inputs.each_ref().map(disjoint)))
        .attribute("passthrough", ctx.array_attr(&attributes))
        .region(Region::with_block(block))
        .build()
}
