//! Functions that create loops and branches of `scf`.

use crate::ir::*;
use mlopt_dialects::ops::Kind;

/// Emits a loop without results, which is empty yet. Returns the builder of its body, and the number of the iteration.
pub fn for_each(b: Builder, from: Value, to: Value, step: Value) -> (Builder, Value) {
    let block = Block::new(&[(b.context().index(), b.location)]);
    b.insert(b.op(Kind::ScfFor).operands(&[from, to, step]).region(Region::with_block(block)).build());
    let end = Builder::at_end(block, b.location).make(Kind::ScfYield, &[], &[], &[]);
    (Builder::before(end), block.argument(0))
}

/// Emits a loop without results.
pub fn repeat(b: Builder, from: Value, to: Value, step: usize, body: impl FnOnce(Builder, Value)) {
    let step = b.index(step as i64);
    let block = Block::new(&[(b.context().index(), b.location)]);
    b.insert(b.op(Kind::ScfFor).operands(&[from, to, step]).region(Region::with_block(block)).build());
    let inside = Builder::at_end(block, b.location);
    body(inside, block.argument(0));
    inside.make(Kind::ScfYield, &[], &[], &[]);
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
    let step = b.index(step as i64);
    let types: Vec<Type> = start.iter().map(|v| v.ty()).collect();
    let arguments = std::iter::once(b.context().index()).chain(types.iter().copied());
    let block = Block::new(&arguments.map(|t| (t, b.location)).collect::<Vec<_>>());
    let operands = [&[from, to, step], start].concat();
    let op = b.insert(b.op(Kind::ScfFor).operands(&operands).results(&types).region(Region::with_block(block)).build());
    let inside = Builder::at_end(block, b.location);
    let arguments = block.arguments();
    let next = body(inside, arguments[0], &arguments[1..]);
    inside.make(Kind::ScfYield, &next, &[], &[]);
    op.results()
}

/// Emits a branch without results.
pub fn when(b: Builder, condition: Value, body: impl FnOnce(Builder)) {
    let block = Block::new(&[]);
    let branch = b.op(Kind::ScfIf).operands(&[condition]).region(Region::with_block(block)).region(Region::new());
    b.insert(branch.build());
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
    let branch = b.op(Kind::ScfIf).operands(&[condition]).results(types);
    let op = b.insert(branch.region(Region::with_block(blocks[0])).region(Region::with_block(blocks[1])).build());
    inside[0].make(Kind::ScfYield, &then(inside[0]), &[], &[]);
    inside[1].make(Kind::ScfYield, &other(inside[1]), &[], &[]);
    op.results()
}
