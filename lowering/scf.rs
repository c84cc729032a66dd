//! Functions that create loops and branches of `scf`.

use crate::ir::*;
use mlopt_dialects::ops::scf::For;

/// Emits a loop without results, which is empty yet. Returns the builder of its body, and the number of the iteration.
pub fn for_each(b: Builder, from: Value, to: Value, step: Value) -> (Builder, Value) {
    let block = block_of_indices(1, b.location);
    For::create(b, from, to, step, &[], &[], block);
    let end = Builder::at_end(block, b.location).make(Kind::ScfYield, &[], &[], &[]);
    (Builder::before(end), block.argument(0))
}

/// Emits such a loop over the outermost index of `nest`.
pub fn for_outermost(b: Builder, nest: Op, from: Value, to: Value, step: Value) -> (Builder, Value) {
    let (inside, i) = for_each(b, from, to, step);
    if let Some(made) = i.block().and_then(Block::parent_op) {
        mark_outermost(made, nest);
    }
    (inside, i)
}

/// Marks a loop over the outermost index of `nest`, if the nest is divided.
pub fn mark_outermost(made: Op, nest: Op) {
    if nest.attribute(OUTERMOST).is_some() {
        made.set_attribute(OUTERMOST, made.context().unit_attr());
    }
}

/// Emits a loop without results.
pub fn repeat(b: Builder, from: Value, to: Value, step: usize, body: impl FnOnce(Builder, Value)) {
    carry(b, from, to, step, &[], |b, i, _| {
        body(b, i);
        Vec::new()
    });
}

/// Emits a loop that carries values.
pub fn carry(
    b: Builder,
    from: Value,
    to: Value,
    step: usize,
    start: &[Value],
    body: impl FnOnce(Builder, Value, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let (step, types) = (b.index(step as i64), types_of(start));
    let block = block_of([&[b.context().index()], types.as_slice()].concat(), b.location);
    let made = For::create(b, from, to, step, start, &types, block);
    let inside = Builder::at_end(block, b.location);
    let arguments = block.arguments();
    let next = body(inside, arguments[0], &arguments[1..]);
    inside.make(Kind::ScfYield, &next, &[], &[]);
    made.results()
}

/// An attribute of a nest: several threads may execute iterations of its outermost index, or of each index if it is a
/// contraction.
pub const DIVIDE: &str = "sweep.divide";
/// An attribute of a `scf.parallel` over the numbers of chunks: several threads may execute the chunks.
pub const CHUNKS: &str = "sweep.chunks";

/// An attribute of a nest that is divided, while it is lowered, and of each `scf.for` over its outermost index.
pub const OUTERMOST: &str = "sweep.outermost";

/// Emits a parallel loop over the numbers of `count` chunks.
pub fn in_chunks(b: Builder, count: Value, body: impl FnOnce(Builder, Value)) {
    let block = block_of_indices(1, b.location);
    let op = b.op(Kind::ScfParallel).operand_segments(&[&[b.index(0)], &[count], &[b.index(1)], &[]]);
    b.insert(op.region(Region::with_block(block)).attribute(CHUNKS, b.context().unit_attr()).build());
    let inside = Builder::at_end(block, b.location);
    body(inside, block.argument(0));
    inside.make(Kind::ScfReduce, &[], &[], &[]);
}

/// The division of a number of iterations into chunks, whose sizes differ by at most one.
pub struct Shares {
    /// The number of iterations of a chunk, and the number of chunks with one more.
    each: Value,
    more: Value,
}

impl Shares {
    /// Divides `length` iterations into `chunks` chunks. The quotients are computed at `b`, outside of the chunks: LLVM
    /// does not move addresses whose computation may divide by zero.
    pub fn of(length: Value, chunks: Value, b: Builder) -> Shares {
        match known(length).zip(known(chunks)).filter(|(_, chunks)| *chunks > 0) {
            Some((length, chunks)) => Shares { each: b.index(length / chunks), more: b.index(length % chunks) },
            None => {
                // Small loops do not divide.
                let (zero, one, index) = (b.index(0), b.index(1), b.context().index());
                let is_one = b.compare(Compare::Eq, chunks, one);
                let divided =
                    |b: Builder| [Kind::ArithDivui, Kind::ArithRemui].map(|op| b.same(op, &[length, chunks])).to_vec();
                let [each, more] = choose(b, is_one, &[index, index], |_| vec![length, zero], divided)[..] else {
                    unreachable!("two results")
                };
                Shares { each, more }
            }
        }
    }

    /// Returns the first iteration of chunk `k`, and the number of its iterations.
    pub fn chunk(&self, k: Value, b: Builder) -> [Value; 2] {
        let first = b.muli(k, self.each);
        if known(self.more) == Some(0) {
            return [first, self.each];
        }
        let has_more = b.compare(Compare::Ult, k, self.more);
        let size = b.select(has_more, b.plus(self.each, 1), self.each);
        [b.addi(first, b.same(Kind::ArithMinui, &[k, self.more])), size]
    }
}

/// Emits a branch without results.
pub fn when(b: Builder, condition: Value, body: impl FnOnce(Builder)) {
    let block = Block::new(&[]);
    b.insert(b.op(Kind::ScfIf).operands(&[condition]).region(Region::with_block(block)).region(Region::new()).build());
    let inside = Builder::at_end(block, b.location);
    body(inside);
    inside.make(Kind::ScfYield, &[], &[], &[]);
}

/// Emits a branch with results.
pub fn choose(
    b: Builder,
    condition: Value,
    types: &[Type],
    then: impl FnOnce(Builder) -> Vec<Value>,
    other: impl FnOnce(Builder) -> Vec<Value>,
) -> Vec<Value> {
    let blocks = [(); 2].map(|_| Block::new(&[]));
    let inside = blocks.map(|block| Builder::at_end(block, b.location));
    let made = branch(b, condition, types, blocks);
    inside[0].make(Kind::ScfYield, &then(inside[0]), &[], &[]);
    inside[1].make(Kind::ScfYield, &other(inside[1]), &[], &[]);
    made.results()
}

/// Emits a branch with these blocks, which the caller fills.
pub fn branch(b: Builder, condition: Value, types: &[Type], blocks: [Block; 2]) -> Op {
    b.insert(b.op(Kind::ScfIf).operands(&[condition]).results(types).regions(&blocks.map(Region::with_block)).build())
}
