//! The choice between tiles and plain loops. Tiles are used where they are correct and profitable. If that is not known
//! at compile time, both versions are emitted, and a test at run time chooses.

use super::copy::Copies;
use super::emit;
use super::form::{ATTRIBUTE, Contraction, Range};
use super::kernels::Kernels;
use super::registers::Registers;
use crate::ir::*;
use crate::scf::choose;
use std::cell::RefCell;

/// Lowers a nest with `contraction`, on buffers, to loops over tiles. The nest itself remains, without the attribute,
/// for the cases that require plain loops.
pub fn lower(nest: Op, registers: Registers, kernels: &RefCell<Kernels>) {
    let memory = children_of(nest, Kind::SweepScratch).first().map(|op| op.operand(0));
    unmark(nest);
    let (Some(memory), Some(form)) = (memory, Contraction::of(nest)) else { return };
    let b = Builder::before(nest);
    match condition(&form, b) {
        Answer::Yes => {
            emit::emit(&form, memory, registers, kernels, b);
            nest.erase();
        }
        Answer::No => {}
        Answer::If(c) => {
            let tiles = |b: Builder| {
                emit::emit(&form, memory, registers, kernels, b);
                Vec::new()
            };
            let loops = |b: Builder| {
                b.insert(nest.detach());
                Vec::new()
            };
            choose(b, c, &[], tiles, loops);
        }
    }
}

/// Makes a nest with `contraction` one of plain loops, which need no scratch memory.
pub fn unmark(nest: Op) {
    children_of(nest, Kind::SweepScratch).into_iter().for_each(Op::erase);
    nest.remove_attribute(ATTRIBUTE);
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
    for (range, size) in form.left.guards.iter().chain(&form.right.guards) {
        let size = copies.value(*size, b);
        let (first, extent) = match range {
            Range::One(index) => {
                let index = copies.value(*index, b);
                all.push(b.compare(Compare::Ult, index, size));
                continue;
            }
            Range::Several(first, extent) => (first.map(|v| copies.value(v, b)), copies.value(*extent, b)),
        };
        // first + extent ≤ size without overflow: sizes are nonnegative.
        let room = match first {
            None => size,
            Some(first) => {
                all.push(b.compare(Compare::Sge, first, b.index(0)));
                b.subi(size, first)
            }
        };
        match (known(extent), known(room)) {
            (Some(n), Some(room)) if n <= room => {}
            _ => all.push(b.compare(Compare::Sle, extent, room)),
        }
    }
    all.into_iter().reduce(|x, y| b.andi(x, y)).map_or(Answer::Yes, Answer::If)
}
