//! What is linear in what (`spec/functional.md` C.2): `lambda.dual` demands it of its region.

use crate::ir::{Block, Op, Value};
use crate::verify::{Verdict, violates_by};
use std::collections::HashSet;

/// Whether everything in `body` that depends on its argument `x` is linear in it.
pub fn check(body: Block, x: Value) -> Verdict {
    // Values that depend on the argument, all of them linearly.
    let mut linear = HashSet::from([x]);
    for op in body.ops() {
        let given: Vec<usize> = (0..op.num_operands()).filter(|k| linear.contains(&op.operand(*k))).collect();
        let captured = op.nested_ops().iter().any(|o| o.operands().iter().any(|v| linear.contains(v)));
        if given.is_empty() && !captured {
            continue;
        }
        if op.name() == "lambda.yield" {
            continue;
        }
        let is_linear = (given.is_empty() || is_linear_in(op, &given)) && (!captured || is_linear_inside(op, &linear));
        if !is_linear {
            let text =
                format!("the region must be linear in its argument, found '{}' of what depends on it", op.name());
            return violates_by(("what depends on it", op.result(0)), "C1", text);
        }
        linear.extend(op.results());
    }
    Ok(())
}

/// Whether the op is linear in these of its operands together.
fn is_linear_in(op: Op, given: &[usize]) -> bool {
    match op.name() {
        "arith.addf" | "arith.subf" | "arith.negf" | "lambda.tuple" | "lambda.get" | "lambda.record"
        | "lambda.field" | "lambda.gadd" | "array.sum" | "array.transpose" | "array.reshape" | "array.replicate"
        | "lambda.covector" => true,
        // A product is linear in one factor, a quotient in what is divided.
        "arith.mulf" | "lambda.aget" | "lambda.pair_with" => given.len() == 1,
        "lambda.switch" => given[0] > 0,
        "arith.divf" => given == [0],
        // What is called is linear, its arguments need not be; a functional after a map, in each of both.
        "lambda.apply" => given == [0],
        "lambda.jacobian" | "lambda.dual" | "lambda.pullback" => given.len() <= 1,
        _ => false,
    }
}

/// Whether what the regions of the op give is linear in what they capture.
fn is_linear_inside(op: Op, linear: &HashSet<Value>) -> bool {
    if !matches!(op.name(), "lambda.lambda" | "lambda.dual") {
        return false;
    }
    let mut inside = linear.clone();
    for inner in op.nested_ops() {
        let given: Vec<usize> = (0..inner.num_operands()).filter(|k| inside.contains(&inner.operand(*k))).collect();
        if given.is_empty() || matches!(inner.name(), "lambda.return" | "lambda.yield") {
            continue;
        }
        if !is_linear_in(inner, &given) {
            return false;
        }
        inside.extend(inner.results());
    }
    true
}
