//! Addresses that LLVM's vectoriser can read: `p + (a + b)` becomes `(p + a) + b`.
//!
//! Where a row is a power of two long, LLVM turns the additions in `row·128 + (j + 32)` into bitwise "or", and its
//! reassociation of those forgets that they were additions. Then no stride is known, and the loop stays scalar. As a chain
//! of pointers, the row's address leaves the inner loop and each access has one index. Addresses wrap around as the sums
//! do, so both are equal whatever the numbers are.

use crate::ir::*;
use mlopt_dialects::ops::{HasKind, Kind};

/// The attributes of an address that has one index, which is a value.
const ONE_VALUE: i32 = i32::MIN;

/// Takes sums apart in all addresses of `module`, which is in the LLVM dialect.
pub fn split(module: Op) {
    for op in module.nested_ops() {
        if op.kind() != Kind::LlvmGetelementptr || !has_one_index(op) {
            continue;
        }
        let mut terms = Vec::new();
        flatten(op.operand(1), &mut terms);
        let (last, first) = terms.split_last().expect("at least the index");
        let attributes = op.attributes();
        let attributes: Vec<(&str, Attribute)> = attributes.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        let b = Builder::before(op);
        let add = |p: Value, term: &Value| b.value(op.name(), &[p, *term], p.ty(), &attributes);
        let base = first.iter().fold(op.operand(0), add);
        op.set_operands(&[base, *last]);
    }
}

/// Whether `op` adds one run-time number, and may leave the array on its way.
fn has_one_index(op: Op) -> bool {
    let one = op.context().i32_array_attr(&[ONE_VALUE]);
    op.num_operands() == 2 && op.attribute("rawConstantIndices") == Some(one) && op.attribute("inbounds").is_none()
}

/// The terms of a sum, in order: those of outer loops come first.
fn flatten(sum: Value, terms: &mut Vec<Value>) {
    match sum.defining_op() {
        Some((op, _)) if op.kind() == Kind::LlvmAdd => op.operands().into_iter().for_each(|v| flatten(v, terms)),
        _ => terms.push(sum),
    }
}
