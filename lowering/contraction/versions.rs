//! The choice between tiles, where they are correct and profitable, and loops. If the choice is not known at compile
//! time, it is made at run time.

use super::{Contraction, Copies, Kernels, Registers, is_inside, known, tiles};
use crate::ir::*;
use mlopt_dialects::ops::{HasKind, Kind};
use std::cell::RefCell;

/// Lowers a nest with `contraction`, on buffers, to loops over tiles. The nest itself remains, without the attribute,
/// for the cases that require plain loops.
pub fn lower(nest: Op, registers: Registers, kernels: &RefCell<Kernels>) {
    let scratch: Vec<Op> = nest.child_ops().into_iter().filter(|op| op.kind() == Kind::SweepScratch).collect();
    let memory = scratch.first().map(|op| op.operand(0));
    scratch.into_iter().for_each(Op::erase);
    nest.remove_attribute(super::ATTRIBUTE);
    let (Some(memory), Some(form)) = (memory, Contraction::of(nest)) else { return };
    let b = Builder::before(nest);
    match condition(&form, b) {
        Answer::Yes => {
            tiles::emit(&form, memory, registers, kernels, b);
            nest.erase();
        }
        Answer::No => {}
        Answer::If(c) => {
            let [then, other] = [(); 2].map(|_| Block::new(&[]));
            let branch = b.op(Kind::ScfIf).operands(&[c]);
            b.insert(branch.region(Region::with_block(then)).region(Region::with_block(other)).build());
            let inside = Builder::at_end(then, b.location);
            tiles::emit(&form, memory, registers, kernels, inside);
            inside.make(Kind::ScfYield, &[], &[], &[]);
            let end = Builder::at_end(other, b.location).make(Kind::ScfYield, &[], &[], &[]);
            nest.move_before(end);
        }
    }
}

enum Answer {
    Yes,
    No,
    If(Value),
}

/// Returns the condition under which no read needs a guard and the sum has at least one term.
fn condition(form: &Contraction, b: Builder) -> Answer {
    let mut all: Vec<Value> = Vec::new();
    let mut copies = Copies::new(form.nest);
    for n in form.sum.operand_segment(0) {
        match known(n) {
            Some(n) if n > 0 => {}
            Some(_) => return Answer::No,
            None => {
                let (n, zero) = (copies.value(n, b), b.index(0));
                all.push(b.compare(Compare::Sgt, n, zero));
            }
        }
    }
    for (index, size) in form.left.guards.iter().chain(&form.right.guards) {
        let range = range_of(*index, form.nest).expect("the form has been recognised");
        let size = copies.value(*size, b);
        let first = range.first.map(|v| copies.value(v, b));
        let Some(extent) = range.extent.map(|v| copies.value(v, b)) else {
            all.push(b.compare(Compare::Ult, first.expect("an index is at least one of both"), size));
            continue;
        };
        // first + extent ≤ size without overflow: sizes are nonnegative.
        let room = match first {
            None => size,
            Some(first) => {
                let zero = b.index(0);
                all.push(b.compare(Compare::Sge, first, zero));
                b.same(Kind::ArithSubi, &[size, first])
            }
        };
        match (known(extent), known(room)) {
            (Some(n), Some(room)) if n <= room => {}
            _ => all.push(b.compare(Compare::Sle, extent, room)),
        }
    }
    match all.into_iter().reduce(|x, y| b.same(Kind::ArithAndi, &[x, y])) {
        None => Answer::Yes,
        Some(c) => Answer::If(c),
    }
}

/// The values of an index in a nest: `extent` values (one if absent) from `first` (0 if absent) on.
pub struct Range {
    first: Option<Value>,
    extent: Option<Value>,
}

/// Returns the range of `index`: an index of the nest or of the sum in it, a value computed outside, or the sum of
/// both.
pub fn range_of(index: Value, nest: Op) -> Option<Range> {
    if let Some((op, _)) = index.defining_op() {
        if !is_inside(op, nest) {
            return Some(Range { first: Some(index), extent: None });
        }
        if op.kind() != Kind::ArithAddi {
            return None;
        }
        let [x, y] = [range_of(op.operand(0), nest)?, range_of(op.operand(1), nest)?];
        return match (x, y) {
            (Range { first: Some(_), extent: None }, Range { first: None, extent: Some(n) }) => {
                Some(Range { first: Some(op.operand(0)), extent: Some(n) })
            }
            (Range { first: None, extent: Some(n) }, Range { first: Some(_), extent: None }) => {
                Some(Range { first: Some(op.operand(1)), extent: Some(n) })
            }
            _ => None,
        };
    }
    let (block, k) = index.block_argument()?;
    let home = block.parent_op()?;
    if home == nest || is_inside(home, nest) {
        let extent = home.operand_segment(0).get(k).copied().filter(|_| home.kind() == Kind::SweepNest)?;
        return Some(Range { first: None, extent: Some(extent) });
    }
    Some(Range { first: Some(index), extent: None })
}
