//! Reductions by many threads: each of n threads reduces every n-th iteration, groups of their results are combined,
//! and one thread combines the results of the groups. The order in which iterations are combined depends on sizes only.

use super::{GROUPS, SLOT, Split, THREADS};
use crate::ir::*;
use mlopt_dialects::ops::{HasKind, Kind};

impl Split {
    /// Replaces the results of a parallel nest by those of the last of three nests.
    pub(super) fn split_reduction(&mut self, nest: Op) {
        let b = Builder::before(nest);
        let kinds = nest.attribute("kinds").expect("verified");
        let types: Vec<Type> = nest.results().into_iter().map(Value::ty).collect();
        let shape = Shape { kinds, types, fastmath: nest.attribute("fastmath") };
        let (zero, threads, groups) = (b.index(0), b.index(THREADS), b.index(GROUPS));

        // The number of iterations, and the number of threads that have one.
        let mut total = b.index(1);
        for n in nest.operand_segment(0) {
            let n = b.same(Kind::ArithMaxsi, &[n, zero]);
            total = b.same(Kind::ArithMuli, &[total, n]);
        }
        let copies = nest.nested_ops().into_iter().find(|op| op.kind() == Kind::SweepPrivate).map(|op| op.operand(3));
        let most = copies.map_or(threads, |n| b.same(Kind::ArithMinsi, &[n, threads]));
        let busy = b.same(Kind::ArithMinsi, &[total, most]);

        let fine = self.partial(b, 0, THREADS, &shape);
        let coarse = self.partial(b, THREADS, GROUPS, &shape);
        let bytes = (THREADS + GROUPS) * SLOT * shape.types.len() as i64;
        self.partials = self.partials.max(bytes);

        // Thread t: iterations t, t + busy, t + 2·busy, …
        shape.stage(b, busy, &fine, |b, t| {
            let left = b.same(Kind::ArithSubi, &[total, t]);
            // At least one thread exists, so `busy` is not zero.
            (
                ceil_div(b, left, busy),
                Box::new(move |b, k| {
                    let step = b.same(Kind::ArithMuli, &[k, busy]);
                    let number = b.same(Kind::ArithAddi, &[t, step]);
                    inline(b, nest, number)
                }),
            )
        });
        // Group g: a run of threads.
        let run = b.index(THREADS / GROUPS);
        let used = ceil_div(b, busy, run);
        shape.stage(b, used, &coarse, |b, g| {
            let start = b.same(Kind::ArithMuli, &[g, run]);
            let left = b.same(Kind::ArithSubi, &[busy, start]);
            let (from, length) = (fine.clone(), b.same(Kind::ArithMinsi, &[left, run]));
            (
                length,
                Box::new(move |b, k| {
                    let at = b.same(Kind::ArithAddi, &[start, k]);
                    from.iter().map(|memory| load(b, *memory, at)).collect()
                }),
            )
        });
        let used = b.same(Kind::ArithMinsi, &[used, groups]);
        let last = shape.nest(b, used, |b, k| coarse.iter().map(|memory| load(b, *memory, k)).collect());
        for (old, new) in nest.results().into_iter().zip(last.results()) {
            old.replace_all_uses_with(new);
        }
        nest.erase();
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
    kinds: Attribute,
    types: Vec<Type>,
    fastmath: Option<Attribute>,
}

impl Shape {
    /// Emits a parallel nest of `threads` iterations, each of which reduces some values to the element of its number in
    /// `memory`.
    fn stage(
        &self,
        b: Builder,
        threads: Value,
        memory: &[Value],
        body: impl FnOnce(Builder, Value) -> (Value, Values),
    ) {
        let ctx = b.context();
        let block = Block::new(&[(ctx.index(), b.location)]);
        let inner = Builder::at_end(block, b.location);
        let t = block.argument(0);
        let (length, values) = body(inner, t);
        let reduced = self.nest(inner, length, values);
        for (value, memory) in reduced.results().into_iter().zip(memory) {
            inner.make(Kind::MemrefStore, &[value, *memory, t], &[], &[]);
        }
        inner.make(Kind::SweepYield, &[], &[], &[]);
        let nest = b
            .op(Kind::SweepNest)
            .operand_segments(&[&[threads], &[]])
            .attribute("kinds", ctx.i64_array_attr(&[]))
            .attribute("parallel", ctx.unit_attr())
            .region(Region::with_block(block));
        b.insert(nest.build());
    }

    /// Emits a nest that reduces the results of `values` for each number below `length`.
    fn nest(&self, b: Builder, length: Value, values: impl FnOnce(Builder, Value) -> Vec<Value>) -> Op {
        let block = Block::new(&[(b.context().index(), b.location)]);
        let inner = Builder::at_end(block, b.location);
        let yielded = values(inner, block.argument(0));
        inner.make(Kind::SweepYield, &yielded, &[], &[]);
        let mut nest = b
            .op(Kind::SweepNest)
            .operand_segments(&[&[length], &[]])
            .attribute("kinds", self.kinds)
            .results(&self.types)
            .region(Region::with_block(block));
        if let Some(fastmath) = self.fastmath {
            nest = nest.attribute("fastmath", fastmath);
        }
        b.insert(nest.build())
    }
}

/// Inlines the body of `nest` for the iteration with this number at `b`. Returns the yielded values.
fn inline(b: Builder, nest: Op, number: Value) -> Vec<Value> {
    let copy = nest.clone_op();
    let body = copy.body().expect("verified");
    let indices = positions(b, number, &copy.operand_segment(0));
    for (old, new) in body.arguments().into_iter().zip(indices) {
        old.replace_all_uses_with(new);
    }
    let end = body.terminator().expect("verified");
    let values = end.operands();
    for op in body.ops() {
        if op != end {
            b.insert(op.detach());
        }
    }
    copy.erase();
    values
}

/// Returns the indices of an iteration from its number, with the last index fastest.
pub(super) fn positions(b: Builder, number: Value, extents: &[Value]) -> Vec<Value> {
    let mut rest = number;
    let mut indices = Vec::new();
    for n in extents.iter().skip(1).rev() {
        indices.push(b.same(Kind::ArithRemui, &[rest, *n]));
        rest = b.same(Kind::ArithDivui, &[rest, *n]);
    }
    indices.push(rest);
    indices.reverse();
    indices
}

fn load(b: Builder, memory: Value, at: Value) -> Value {
    b.value(Kind::MemrefLoad, &[memory, at], memory.ty().scalar(), &[])
}

fn ceil_div(b: Builder, x: Value, y: Value) -> Value {
    let one = b.index(1);
    let more = b.same(Kind::ArithSubi, &[y, one]);
    let sum = b.same(Kind::ArithAddi, &[x, more]);
    b.same(Kind::ArithDivui, &[sum, y])
}
