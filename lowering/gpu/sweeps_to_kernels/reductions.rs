//! Reductions by many threads: each of n threads reduces every n-th iteration, groups of their results are combined,
//! and one thread combines the results of the groups. The order in which iterations are combined depends on sizes only.

use super::{GROUPS, SLOT, Split, THREADS};
use crate::ir::*;
use crate::nests;
use mlopt_dialects::ops::sweep::Nest;

impl Split {
    /// Replaces the results of a parallel nest by those of the last of three nests.
    pub(super) fn split_reduction(&mut self, nest: Op) {
        let b = Builder::before(nest);
        let shape = Shape { old: nest, types: types_of(&nest.results()) };
        let (zero, threads, groups) = (b.index(0), b.index(THREADS), b.index(GROUPS));

        // The number of iterations, and the number of threads that have one.
        let total = product(b, b.index(1), zero, &nest.operand_segment(0));
        let copies = nested_of(nest, Kind::SweepPrivate).first().map(|op| op.operand(3));
        let most = copies.map_or(threads, |n| b.minsi(n, threads));
        let busy = b.minsi(total, most);

        let fine = self.partial(b, 0, THREADS, &shape);
        let coarse = self.partial(b, THREADS, GROUPS, &shape);
        let bytes = (THREADS + GROUPS) * SLOT * shape.types.len() as i64;
        self.partials = self.partials.max(bytes);

        // Thread t: iterations t, t + busy, t + 2·busy, …
        shape.stage(b, busy, &fine, |b, t| {
            let left = b.subi(total, t);
            // At least one thread exists, so `busy` is not zero.
            (
                ceil_div(b, left, busy),
                Box::new(move |b, k| {
                    let number = b.addi(t, b.muli(k, busy));
                    inline(b, nest.clone_op(), number)
                }),
            )
        });
        // Group g: a run of threads.
        let run = b.index(THREADS / GROUPS);
        let used = ceil_div(b, busy, run);
        shape.stage(b, used, &coarse, |b, g| {
            let start = b.muli(g, run);
            let (from, length) = (fine.clone(), b.minsi(b.subi(busy, start), run));
            (
                length,
                Box::new(move |b, k| {
                    let at = b.addi(start, k);
                    from.iter().map(|memory| load(b, *memory, at)).collect()
                }),
            )
        });
        let used = b.minsi(used, groups);
        let last = shape.nest(b, used, |b, k| coarse.iter().map(|memory| load(b, *memory, k)).collect());
        nest.replace_with(last.results());
    }

    /// Allocates memory for `length` values of each result, after `skip` values of each.
    fn partial(&self, b: Builder, skip: i64, length: i64, shape: &Shape) -> Vec<Value> {
        let count = shape.types.len() as i64;
        let place = |(k, ty): (usize, &Type)| {
            let at = b.index((skip * count + k as i64 * length) * SLOT);
            let memref = self.ctx.memref(&[Some(length as usize)], *ty);
            b.value(Kind::MemrefView, &[self.scratch, at], memref, &[])
        };
        shape.types.iter().enumerate().map(place).collect()
    }
}

type Values = Box<dyn FnOnce(Builder, Value) -> Vec<Value>>;

/// The parameters that all nests of one reduction share.
struct Shape {
    /// The nest whose results they compute.
    old: Op,
    types: Vec<Type>,
}

impl Shape {
    /// Emits a parallel nest of `count` iterations, each of which reduces some values to the element of its number in
    /// `memory`.
    fn stage(&self, b: Builder, count: Value, memory: &[Value], body: impl FnOnce(Builder, Value) -> (Value, Values)) {
        let block = block_of_indices(1, b.location);
        let inner = Builder::at_end(block, b.location);
        let t = block.argument(0);
        let (length, values) = body(inner, t);
        let reduced = self.nest(inner, length, values);
        for (value, memory) in reduced.results().into_iter().zip(memory) {
            inner.make(Kind::MemrefStore, &[value, *memory, t], &[], &[]);
        }
        inner.make(Kind::SweepYield, &[], &[], &[]);
        Nest::create(b, &[count], &[], &[], &[], block).with_parallel();
    }

    /// Emits a nest that reduces the results of `values` for each number below `length`.
    fn nest(&self, b: Builder, length: Value, values: impl FnOnce(Builder, Value) -> Vec<Value>) -> Op {
        let block = block_of_indices(1, b.location);
        let inner = Builder::at_end(block, b.location);
        inner.make(Kind::SweepYield, &values(inner, block.argument(0)), &[], &[]);
        let nest = nests::nest(b, &[length], &[], &nests::kinds(self.old), &self.types, block);
        nests::keep(nest, self.old, &["fastmath"]);
        nest
    }
}

/// Moves the body of `nest`, a detached copy, for the iteration with this number to `b`. Returns the yielded values.
pub(super) fn inline(b: Builder, nest: Op, number: Value) -> Vec<Value> {
    let body = nest.entry();
    replace_all(body.arguments(), b.position(number, &nest.operand_segment(0)));
    let end = body.end();
    let values = end.operands();
    for op in body.ops().into_iter().filter(|op| *op != end) {
        b.insert(op.detach());
    }
    nest.erase();
    values
}

/// Emits the product of the extents, from `one` on; negative ones count as `zero`.
pub(super) fn product(b: Builder, one: Value, zero: Value, extents: &[Value]) -> Value {
    extents.iter().fold(one, |total, n| b.muli(total, b.maxsi(*n, zero)))
}

fn load(b: Builder, memory: Value, at: Value) -> Value {
    b.value(Kind::MemrefLoad, &[memory, at], memory.ty().scalar(), &[])
}

fn ceil_div(b: Builder, x: Value, y: Value) -> Value {
    let sum = b.addi(x, b.subi(y, b.index(1)));
    b.same(Kind::ArithDivui, &[sum, y])
}
