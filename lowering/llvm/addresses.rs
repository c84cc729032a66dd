//! Address arithmetic in a form that LLVM's vectoriser can analyse: `p + (a + b)` becomes `(p + a) + b`.
//!
//! If the length of a row is a power of two, LLVM converts the additions in `row·128 + (j + 32)` to bitwise "or". Its
//! reassociation then no longer sees additions, so LLVM cannot determine the stride and does not vectorise the loop. In
//! `(p + a) + b`, the address of the row, `p + a`, is loop-invariant and each access has only one index. Addresses wrap
//! around like integer sums, so both forms are equal for all numbers.

use crate::ir::*;

/// The attribute of an address with one index, which is a value.
const ONE_VALUE: i32 = i32::MIN;

/// Splits the sums in all addresses of `module`, which is in the LLVM dialect.
pub fn split(module: Op) {
    for op in nested_of(module, Kind::LlvmGetelementptr).into_iter().filter(|op| has_one_index(*op)) {
        let mut terms = Vec::new();
        flatten(op.operand(1), &mut terms);
        let Some((last, first)) = terms.split_last() else { continue };
        let b = Builder::before(op);
        let add = |p: Value, term: &Value| b.remake(op, &[p, *term], &[p.ty()]).result(0);
        let base = first.iter().fold(op.operand(0), add);
        op.set_operands(&[base, *last]);
    }
}

/// Checks whether `op` adds one run-time number, and may point outside the array in between.
fn has_one_index(op: Op) -> bool {
    let one = op.context().i32_array_attr(&[ONE_VALUE]);
    op.num_operands() == 2 && op.attribute("rawConstantIndices") == Some(one) && op.attribute("inbounds").is_none()
}

/// Collects the terms of a sum, in order: those of outer loops come first.
fn flatten(sum: Value, terms: &mut Vec<Value>) {
    match sum.defining_op() {
        Some((op, _)) if op.kind() == Kind::LlvmAdd => op.operands().into_iter().for_each(|v| flatten(v, terms)),
        _ => terms.push(sum),
    }
}
