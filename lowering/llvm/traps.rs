//! Errors at run time: `array.check` becomes a branch to an exit of the function, which frees its memory and returns a
//! status.
//!
//! If check number k of the function fails, the status is -k. The attribute `sweep.traps` contains the location and the
//! message of each check. The values of the message are written to the beginning of the scratch memory, which is no
//! longer needed at that time (`docs/decisions/027`). As long as all checks hold, nothing is stored: a check costs a
//! comparison and a branch that is not taken.

use crate::abi::{ALLOCATES, TRAPS};
use crate::ir::*;
use crate::llvm::descriptors::descriptor_type;
use crate::llvm::heap;
use mlopt_dialects::array::message_template;
use std::collections::HashMap;

/// The placeholder of a check between [`prepare`] and [`finish`]. No function of arrays has such a name.
const CHECK: &str = "mlopt.check";

/// The branch weights of a check that holds and one that fails, for code layout.
const WEIGHTS: &str = "array<i32: 2000, 1>";

/// Numbers the checks of a function of loops, and replaces them by calls that survive the conversion.
///
/// # Errors
///
/// Returns an error if there is no scratch memory: the function was not created by `plan-memory`.
pub fn prepare(function: Op) -> Result<()> {
    let checks = nested_of(function, Kind::ArrayCheck);
    let Some(first) = checks.first() else { return Ok(()) };
    let ctx = function.context();
    let entry = function.entry();
    let arena = entry.arguments().last().copied().filter(|v| *v.ty().to_string() == *"memref<?xi8>");
    let Some(arena) = arena else {
        return Err(first.not_supported("the enclosing function has no scratch memory; run `plan-memory` first"));
    };
    let b = at_start(entry, function.location());
    let array = b.value(Kind::BuiltinUnrealizedConversionCast, &[arena], descriptor_type(ctx, 1), &[]);
    let memory = b.value(Kind::LlvmExtractvalue, &[array], ctx.ptr(), &[("position", ctx.i64_array_attr(&[1]))]);
    let mut messages: Vec<[String; 2]> = Vec::new();
    for op in checks {
        let message = [op.location().place_text(), message_template(op)];
        let number = position_of(&mut messages, message);
        let b = Builder::before(op).at(op.location());
        let word = ctx.int(64);
        let status = b.number(word, -(number as i64 + 1));
        let mut operands = vec![op.operand(0), status, memory];
        for value in &op.operands()[1..] {
            let is_word = value.ty() == word;
            operands.push(if is_word { *value } else { b.value(Kind::ArithIndexCast, &[*value], word, &[]) });
        }
        heap::call(b, CHECK, &operands, &[]);
        op.erase();
    }
    function.set_attribute(TRAPS, text_pairs(ctx, &messages));
    if function.attribute(ALLOCATES).is_none() {
        heap::return_status(function);
    }
    Ok(())
}

/// Adds the exits, after the conversion to LLVM, in which blocks exist. `outs` are the exit blocks of functions that
/// have one; such a block takes the status.
pub fn finish(module: Op, outs: &HashMap<Op, Block>) {
    for function in children_of(module, Kind::LlvmFunc) {
        let is_ours = |op: &Op| op.callee().is_some_and(|name| name == CHECK);
        let checks: Vec<Op> = function.nested_ops().into_iter().filter(is_ours).collect();
        if checks.is_empty() {
            continue;
        }
        let out = outs.get(&function).copied().unwrap_or_else(|| plain_way_out(function));
        checks.into_iter().for_each(|op| leave_unless(op, function.region(0), out));
    }
}

fn plain_way_out(function: Op) -> Block {
    let (ctx, loc) = (function.context(), function.location());
    let out = Block::new(&[(ctx.int(64), loc)]);
    function.region(0).append(out);
    Builder::at_end(out, loc).make(Kind::LlvmReturn, &[out.argument(0)], &[], &[]);
    out
}

/// Converts `check(ok, status, memory, values...)` to `if !ok { memory = values; return status }`.
fn leave_unless(check: Op, region: Region, out: Block) {
    let ctx = check.context();
    let (rest, failed) = (heap::split_after(check, region), Block::new(&[]));
    region.append(failed);
    let operands = check.operands();
    let b = Builder::at_end(failed, check.location());
    for (k, value) in operands[3..].iter().enumerate() {
        b.make(Kind::LlvmStore, &[*value, heap::element(b, operands[2], k)], &[], &[]);
    }
    b.insert(b.op(Kind::LlvmBr).operands(&[operands[1]]).successor(out).build());
    let b = after(check);
    let branch = b.op(Kind::LlvmCondBr).operand_segments(&[&[operands[0]], &[], &[]]);
    b.insert(branch.attribute("branch_weights", ctx.attribute(WEIGHTS)).successor(rest).successor(failed).build());
    check.erase();
}
