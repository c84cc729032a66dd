//! Division of loops into chunks, which several threads may execute.
//!
//! ```text
//! %z = scf.for %i = %a to %b step %s … {      becomes   scf.parallel (%k) = (%c0) to (%chunks) step (%c1) {
//!   …                                                     %p = scf.for %i = (start of chunk %k) to (its end) … { … }
//! }                                                       memref.store %p, %partial[%k]
//!                                                       } {sweep.chunks}
//!                                                       %z = the combination of %partial[0], %partial[1], …
//! ```
//! The chunks depend on sizes only, and partial results are combined in the order of the chunks. So the bits of the
//! results do not depend on the number of threads.

use crate::ir::*;
use crate::reduction::{combine, neutral};
use crate::scf::{Shares, carry, in_chunks};
use crate::work::OF_LOOPS;
use mlopt_dialects::ops::scf::For;
use mlopt_dialects::sweep::ResultKind;

/// Divides `op`, a `scf.for` that carries reductions of these kinds, into at most `chunks` chunks.
pub fn divide(op: Op, chunks: Value, kinds: &[ResultKind], fastmath: Option<Attribute>) {
    let b = Builder::before(op);
    let (from, to, step) = (op.operand(0), op.operand(1), op.operand(2));
    let (zero, one) = (b.index(0), b.index(1));
    let length = match (known(from), known(to), known(step)) {
        (Some(from), Some(to), Some(step)) => {
            b.index(((to - from).max(0) as usize).div_ceil(step.max(1) as usize) as i64)
        }
        _ => {
            let length = b.maxsi(b.subi(to, from), zero);
            if known(step) == Some(1) { length } else { b.same(Kind::ArithCeildivsi, &[length, step]) }
        }
    };
    let chunks = match (known(chunks), known(length)) {
        (Some(chunks), Some(length)) => b.index(chunks.min(length).max(1)),
        _ => b.maxsi(b.minsi(chunks, length), one),
    };
    let types = types_of(&op.results());
    let partials: Vec<Value> = types.iter().map(|ty| partial_results(op, *ty)).collect();
    let neutrals: Vec<Value> =
        kinds.iter().zip(&types).map(|(kind, ty)| b.constant(neutral(*kind, *ty), *ty)).collect();
    let shares = Shares::of(length, chunks, b);
    in_chunks(b, chunks, |b, k| {
        let [first, size] = shares.chunk(k, b);
        let from = b.addi(from, b.muli(first, step));
        let to = b.addi(from, b.muli(size, step));
        let made = For::create(b, from, to, step, &neutrals, &types, op.entry().detach()).op();
        for (value, memory) in made.results().into_iter().zip(&partials) {
            b.make(Kind::MemrefStore, &[value, *memory, k], &[], &[]);
        }
    });
    let inits = op.operands()[3..].to_vec();
    if !inits.is_empty() {
        let results = carry(b, zero, chunks, 1, &inits, |b, k, so_far| {
            let load = |r: usize| b.value(Kind::MemrefLoad, &[partials[r], k], types[r], &[]);
            (0..types.len()).map(|r| combine(b, kinds[r], so_far[r], load(r), fastmath, true)).collect()
        });
        replace_all(op.results(), results);
    }
    op.erase();
}

/// Allocates memory on the stack for the results of all chunks.
fn partial_results(op: Op, ty: Type) -> Value {
    let function = ancestors(op).find(|op| op.kind() == Kind::FuncFunc);
    let b = at_start(function.and_then(Op::body).unwrap_or_else(|| enclosing_block(op)), op.location());
    let memref = b.context().memref(&[Some(OF_LOOPS.most as usize)], ty);
    let op = b.op(Kind::MemrefAlloca).operand_segments(&[&[], &[]]).results(&[memref]);
    b.insert(op.build()).result(0)
}
