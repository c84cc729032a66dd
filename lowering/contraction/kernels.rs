//! Functions for the sums of a tile, shared by all contractions with a dynamic number of rows or columns. They depend
//! only on types, registers and the layout of the packed left factor, and read scratch memory only.

use super::loops::cut;
use super::registers::{VECTORS, multiply_add};
use crate::ir::*;
use crate::scf::{carry, choose};
use std::cell::RefCell;
use std::collections::HashMap;

/// The number of terms that an iteration of a function adds, one after the other.
const TOGETHER: usize = 4;

/// The functions of one module, by key.
#[derive(Default)]
pub struct Kernels(HashMap<Key, String>);

/// The element type, lanes, rows, vectors, and the layout of the left factor: the distances in elements between terms
/// and between rows.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key {
    pub ty: Type,
    pub lanes: usize,
    pub rows: usize,
    pub vectors: usize,
    pub strides: [usize; 2],
}

/// Casts `memory` to a type with dynamic size.
pub fn open_buffer(memory: Value, element: Type, b: Builder) -> Value {
    let ty = open_memref(element);
    if memory.ty() == ty { memory } else { b.value(Kind::MemrefCast, &[memory], ty, &[]) }
}

fn open_memref(element: Type) -> Type {
    element.context().memref(&[None], element)
}

/// Returns the name of the function for `key` in the module of `nest`, which is created at its first use.
pub fn function(kernels: &RefCell<Kernels>, nest: Op, key: Key) -> String {
    if let Some(name) = kernels.borrow().0.get(&key) {
        return name.clone();
    }
    let module = nest.module().expect("a nest is in a module");
    let order = if key.strides[0] == 1 { "rows" } else { "terms" };
    let wanted = format!("tile.{}x{}.{}x{}.{order}", key.ty, key.lanes, key.rows, key.vectors);
    let others = (1..).map(|k| format!("{wanted}.{k}"));
    let name = Symbols::of(module).free(std::iter::once(wanted.clone()).chain(others));
    module.entry().append(define(&key, &name, nest.location()));
    kernels.borrow_mut().0.insert(key, name.clone());
    name
}

/// Defines `@name(memory, left, terms, fresh, out, start)`: `out[start..] = Σ_k memory[left + …] · memory[k·width..]`,
/// row by row, added to the previous contents of `out` unless `fresh`.
fn define(key: &Key, name: &str, loc: Location) -> Op {
    let Key { ty, lanes, rows, vectors, strides: [per_term, per_row] } = *key;
    let (ctx, memref) = (ty.context(), open_memref(ty));
    let (vector, index, width) = (ctx.vector(lanes, ty), ctx.index(), VECTORS * lanes);
    let inputs = [memref, index, index, ctx.int(1), memref, index];
    let block = block_of(inputs, loc);
    let [memory, left, terms, fresh, out, start] = std::array::from_fn(|k| block.argument(k));
    let b = Builder::at_end(block, loc);
    let sums = || (0..rows).flat_map(|r| (0..vectors).map(move |v| r * width + v * lanes));
    let zero = b.zeros(vector);
    let first = choose(
        b,
        fresh,
        &vec![vector; rows * vectors],
        |_| vec![zero; rows * vectors],
        |b| sums().map(|at| b.value(Kind::VectorLoad, &[out, b.plus(start, at)], vector, &[])).collect(),
    );
    let add = |b: Builder, k: Value, sums: &[Value]| {
        let at = b.times(k, width);
        let load = |v: usize| b.value(Kind::VectorLoad, &[memory, b.plus(at, v * lanes)], vector, &[]);
        let row: Vec<Value> = (0..vectors).map(load).collect();
        let term = b.addi(left, b.times(k, per_term));
        let mut next = Vec::new();
        for r in 0..rows {
            let a = b.value(Kind::MemrefLoad, &[memory, b.plus(term, r * per_row)], ty, &[]);
            let a = b.broadcast(a, lanes);
            next.extend(row.iter().enumerate().map(|(v, x)| multiply_add(a, *x, sums[r * vectors + v], b)));
        }
        next
    };
    let (zero, (most, _)) = (b.index(0), cut(terms, TOGETHER, b));
    let sums_of_most = carry(b, zero, most, TOGETHER, &first, |b, k, sums| {
        (0..TOGETHER).fold(sums.to_vec(), |sums, d| add(b, b.plus(k, d), &sums))
    });
    let last = carry(b, most, terms, 1, &sums_of_most, add);
    for (sum, at) in last.into_iter().zip(sums()) {
        b.make(Kind::VectorStore, &[sum, out, b.plus(start, at)], &[], &[]);
    }
    b.make(Kind::FuncReturn, &[], &[], &[]);
    let attributes = ["noinline", "nounwind"].map(|s| ctx.string_attr(s));
    // The factors are packed; if the partial sums are in the same memory, they occupy a disjoint part of it.
    let disjoint = |t: &Type| ctx.attribute(if t.is_memref() { "{llvm.noalias, llvm.nocapture}" } else { "{}" });
    OpBuilder::function(Kind::FuncFunc, name, block, &[], loc)
        .attribute("sym_visibility", ctx.string_attr("private"))
        .attribute("arg_attrs", ctx.array_attr(&inputs.each_ref().map(disjoint)))
        .attribute("passthrough", ctx.array_attr(&attributes))
        .build()
}
