//! Emission of the nests of a group (`group.rs`), cut into blocks.

use super::super::contractions::erase_unused_ops;
use super::group::{Arrays, Group, Member, Role, combination};
use crate::contraction::ATTRIBUTE;
use crate::ir::*;
use crate::nests::{self, indices, kinds};
use crate::reduction::{combine, neutral};
use mlopt_dialects::sweep::ResultKind;
use std::collections::HashMap;

/// Replaces the members of `group`, in `body`, by a nest over blocks of `size` indices and one block for the remainder.
pub fn emit(group: &Group, size: i64, body: Block) {
    let last = group.members.last().expect("a group has members").nest;
    let anchor = last.next().expect("a terminator follows");
    let locations: Vec<Location> = group.members.iter().map(|m| m.nest.location()).collect();
    let b = Builder::before(anchor).at(Location::fused(last.context(), &locations));
    let reductions: Vec<Member> = group.members.iter().copied().filter(|m| !matches!(m.role, Role::Map(_))).collect();
    let starts: Vec<Value> = reductions.iter().flat_map(|m| starts(m, b)).collect();
    let types = types_of(&starts);

    let (count, step) = (b.index(group.length / size), b.index(size));
    let block = nests::body(1, &starts, b.location);
    let inner = Builder::at_end(block, b.location);
    let first = inner.same(Kind::ArithMuli, &[block.argument(0), step]);
    let next = Emitter { group, first, size }.run(&block.arguments()[1..], inner);
    inner.make(Kind::SweepYield, &next, &[], &[]);
    let folds = vec![ResultKind::Fold; types.len()];
    let mut done = nests::nest(b, &[count], &starts, &folds, &types, block).results();
    let rest = group.length % size;
    if rest > 0 {
        let first = b.index(group.length - rest);
        done = Emitter { group, first, size: rest }.run(&done, b);
    }

    // Ops between the members that need results of the group are moved after all members.
    let members: HashMap<Op, Role> = group.members.iter().map(|m| (m.nest, m.role)).collect();
    let behind = |op: &Op| !members.contains_key(op) && operands_of(*op).any(|v| group.behind.contains(&v));
    let moving: Vec<Op> = body.ops().into_iter().take_while(|op| *op != anchor).filter(behind).collect();
    let mut done = done.into_iter();
    for member in &reductions {
        let finals: Vec<Value> = done.by_ref().take(partial(member).len()).collect();
        finish(member, &finals, anchor);
    }
    moving.into_iter().for_each(|op| op.move_before(anchor));
    for member in group.members.iter().rev() {
        if member.nest.results().into_iter().all(Value::is_unused) {
            member.nest.erase();
        }
    }
}

/// Returns the values that a reduction of the group computes for each of its outer indices.
fn partial(member: &Member) -> Vec<Value> {
    match member.role {
        Role::Reduce(sum, _) => sum.results(),
        _ => member.nest.results(),
    }
}

/// Returns the axes, with their extents, that remain after a reduction.
fn outer(member: &Member) -> Vec<Value> {
    match member.role {
        Role::Reduce(sum, _) if sum == member.nest => Vec::new(),
        _ => member.nest.operand_segment(0),
    }
}

/// Returns the initial values of the sums.
fn starts(member: &Member, b: Builder) -> Vec<Value> {
    let Role::Reduce(sum, _) = member.role else { return member.nest.operand_segment(1) };
    let number = |b: Builder, z: Value, kind: ResultKind| b.constant(neutral(kind, z.ty()), z.ty());
    let results = sum.results().into_iter().zip(kinds(sum));
    if sum == member.nest {
        return results.map(|(z, kind)| number(b, z, kind)).collect();
    }
    let extents = outer(member);
    let block = block_of_indices(extents.len(), b.location);
    let inner = Builder::at_end(block, b.location);
    let shape = &member.nest.result(0).ty().shape()[..extents.len()];
    let types: Vec<Type> = sum.results().into_iter().map(|z| Type::tensor(shape, z.ty())).collect();
    let values: Vec<Value> = results.map(|(z, kind)| number(inner, z, kind)).collect();
    inner.make(Kind::SweepYield, &values, &[], &[]);
    nests::map(b, &extents, &types, block).results()
}

/// Replaces the results of the reduction by `finals`, its results over all blocks, and moves the computations that
/// follow in its nest after `anchor`.
fn finish(member: &Member, finals: &[Value], anchor: Op) {
    let op = member.nest;
    let whole = |results: Vec<Value>| replace_all(results, finals.iter().copied());
    match member.role {
        Role::Reduce(sum, _) if sum != op => {
            let end = op.entry().end();
            if end.operands() == sum.results() {
                return whole(op.results());
            }
            let b = Builder::before(sum);
            for (z, done) in sum.results().into_iter().zip(finals) {
                z.replace_all_uses_with(b.read(*done, &indices(op)));
            }
            sum.erase();
            erase_unused_ops(op);
            op.remove_attribute(ATTRIBUTE);
            op.move_before(anchor);
        }
        _ => whole(op.results()),
    }
}

/// The emitter of one block.
struct Emitter<'g> {
    group: &'g Group,
    first: Value,
    size: i64,
}

/// The arrays of one block, keyed by the arrays that they replace.
type BlockArrays = HashMap<Value, Value>;

impl Emitter<'_> {
    /// Emits the members at `b`. Returns the values that the reductions carry to the next block.
    fn run(&self, carried: &[Value], b: Builder) -> Vec<Value> {
        let mut here = BlockArrays::new();
        for (array, axis) in self.group.copied.all() {
            here.insert(array, self.copied(array, axis, b));
        }
        let (mut next, mut carried) = (Vec::new(), carried.iter().copied());
        for member in &self.group.members {
            let b = b.at(member.nest.location());
            let copy = b.insert(member.nest.clone_op());
            let copy_of = |op: Op| {
                let inside = member.nest.nested_ops().into_iter().position(|inner| inner == op);
                inside.map_or(copy, |k| copy.nested_ops()[k])
            };
            let so_far: Vec<Value> = match member.role {
                Role::Map(_) => Vec::new(),
                _ => carried.by_ref().take(partial(member).len()).collect(),
            };
            match member.role {
                Role::Map(axis) => {
                    let new = self.map(copy, axis, &here, b);
                    here.extend(member.nest.results().into_iter().zip(new.results()));
                }
                Role::Reduce(sum, axis) => {
                    next.extend(self.reduce(copy, copy_of(sum), axis, &so_far, &here, b));
                }
                Role::Rows(row) => next.extend(self.rows(copy, copy_of(row), &so_far, &here, b)),
            }
            copy.erase();
        }
        next
    }

    /// Returns the shape of one block of an array: `axis` is last and has the length of a block.
    fn shape(&self, of: Type, axis: usize) -> Vec<Dim> {
        let mut shape = of.shape();
        shape.remove(axis);
        shape.push(usize::try_from(self.size).ok());
        shape
    }

    /// Copies this block of an array that the group does not compute, with `axis` last.
    fn copied(&self, array: Value, axis: usize, b: Builder) -> Value {
        let shape = self.shape(array.ty(), axis);
        let extent = |k: usize| match array.ty().shape()[k] {
            Some(n) => b.index(n as i64),
            None => b.value(Kind::TensorDim, &[array, b.index(k as i64)], b.context().index(), &[]),
        };
        let mut extents: Vec<Value> = (0..array.ty().rank()).filter(|k| *k != axis).map(extent).collect();
        extents.push(b.index(self.size));
        let block = block_of_indices(extents.len(), b.location);
        let inner = Builder::at_end(block, b.location);
        let mut at = block.arguments();
        let long = at.pop().expect("there is one axis at least");
        at.insert(axis, inner.addi(self.first, long));
        inner.make(Kind::SweepYield, &[inner.read(array, &at)], &[], &[]);
        nests::map(b, &extents, &[Type::tensor(&shape, array.ty().scalar())], block).result(0)
    }

    /// Replaces `old`, the index of the long axis in `nest`, by `new`, the index in the block. Reads of arrays of the
    /// group at `old` become reads of the arrays of this block. Other uses of `old` get the index counted from the
    /// start of the whole axis. `b` is at the start of the body.
    fn redirect(&self, nest: Op, old: Value, new: Value, here: &BlockArrays, b: Builder) {
        let moved = |arrays: &Arrays, read: Op| {
            let axis = arrays.axis(read.operand(0))?;
            (read.operand(1 + axis) == old).then_some(axis)
        };
        for read in nested_of(nest, Kind::TensorExtract) {
            let axis = moved(&self.group.arrays, read).or_else(|| moved(&self.group.copied, read));
            let Some(axis) = axis else { continue };
            let mut operands = read.operands();
            operands[0] = here[&operands[0]];
            operands.remove(1 + axis);
            operands.push(new);
            read.set_operands(&operands);
        }
        if !old.is_unused() {
            old.replace_all_uses_with(b.addi(self.first, new));
        }
    }

    /// Emits `copy` over this block, with `axis` last.
    fn map(&self, copy: Op, axis: usize, here: &BlockArrays, b: Builder) -> Op {
        let mut extents = copy.operand_segment(0);
        extents.remove(axis);
        extents.push(b.index(self.size));
        let types: Vec<Type> =
            copy.results().iter().map(|z| Type::tensor(&self.shape(z.ty(), axis), z.ty().scalar())).collect();
        let block = self.body(copy, axis, here);
        let new = nests::nest(b, &extents, &[], &kinds(copy), &types, block);
        nests::keep(new, copy, &[ATTRIBUTE]);
        new
    }

    /// Returns a new block with the body of `copy`, whose `axis` is last and covers this block.
    fn body(&self, copy: Op, axis: usize, here: &BlockArrays) -> Block {
        let old = indices(copy);
        let block = block_of_indices(old.len(), copy.location());
        let others = old.iter().enumerate().filter(|(k, _)| *k != axis);
        replace_all(others.map(|(_, index)| *index), block.arguments());
        let long = block.argument(old.len() - 1);
        self.redirect(copy, old[axis], long, here, Builder::at_end(block, copy.location()));
        move_ops(copy.entry(), &[], block);
        block
    }

    /// Emits the reduction `sum` over this block, and combines its results with the carried values.
    fn reduce(&self, copy: Op, sum: Op, axis: usize, so_far: &[Value], here: &BlockArrays, b: Builder) -> Vec<Value> {
        let fastmath = sum.attribute("fastmath");
        let mut extents = sum.operand_segment(0);
        extents.remove(axis);
        let at = if sum == copy { b } else { Builder::before(sum) };
        extents.push(at.index(self.size));
        let types = types_of(&sum.results());
        let reductions = kinds(sum);
        let new = nests::nest(at, &extents, &[], &reductions, &types, self.body(sum, axis, here));
        nests::keep(new, sum, &["fastmath"]);
        let all = |at: Builder, so_far: &dyn Fn(usize) -> Value| -> Vec<Value> {
            let each = new.results().into_iter().zip(&reductions).enumerate();
            each.map(|(r, (z, kind))| combine(at, *kind, so_far(r), z, fastmath, true)).collect()
        };
        if sum == copy {
            return all(b, &|r| so_far[r]);
        }
        // The computation that the member performs on the complete sum follows all blocks.
        let old = indices(copy);
        let next = all(at, &|r| at.read(so_far[r], &old));
        let body = copy.entry();
        let block = block_of_indices(old.len(), copy.location());
        replace_all(old, block.arguments());
        for op in body.ops().into_iter().take_while(|op| *op != sum) {
            block.append(op.detach());
        }
        Builder::at_end(block, copy.location()).make(Kind::SweepYield, &next, &[], &[]);
        let done = nests::map(b, &copy.operand_segment(0), &types_of(so_far), block);
        nests::keep(done, copy, &[ATTRIBUTE]);
        done.results()
    }

    /// Does the same for a fold that combines rows: each element is a separate sum.
    fn rows(&self, copy: Op, row: Op, so_far: &[Value], here: &BlockArrays, b: Builder) -> Vec<Value> {
        let at = indices(row);
        let block = block_of_indices(at.len(), copy.location());
        replace_all(at, block.arguments());
        let ends = row.entry().end();
        let combining: Vec<Op> =
            ends.operands().into_iter().map(|v| v.defining_op().expect("it is in the group").0).collect();
        let reductions: Vec<ResultKind> =
            combining.iter().map(|op| combination(*op).expect("it is in the group")).collect();
        let terms: Vec<Value> = combining.iter().map(|op| op.operand(1)).collect();
        let types = types_of(&terms);
        // The ops that read their own elements are executed after the sum.
        let own: Vec<Op> = combining.iter().filter_map(|op| op.operand(0).defining_op()).map(|(op, _)| op).collect();
        let gone: Vec<Op> = combining.into_iter().chain(own).chain([ends]).collect();
        let sum = block_of_indices(1, copy.location());
        self.redirect(copy, indices(copy)[0], sum.argument(0), here, Builder::at_end(sum, copy.location()));
        let before = copy.entry().ops().into_iter().take_while(|op| *op != row);
        for op in before.chain(row.entry().ops().into_iter().filter(|op| !gone.contains(op))) {
            sum.append(op.detach());
        }
        Builder::at_end(sum, copy.location()).make(Kind::SweepYield, &terms, &[], &[]);
        let inner = Builder::at_end(block, copy.location());
        let sums = nests::nest(inner, &[inner.index(self.size)], &[], &reductions, &types, sum);
        let mut next = Vec::new();
        for (r, z) in sums.results().into_iter().enumerate() {
            let before = inner.read(so_far[r], &block.arguments());
            next.push(combine(inner, reductions[r], before, z, None, true));
        }
        inner.make(Kind::SweepYield, &next, &[], &[]);
        nests::map(b, &row.operand_segment(0), &types_of(so_far), block).results()
    }
}
