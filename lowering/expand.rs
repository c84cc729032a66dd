//! Ops of `arith` that upstream does not take to LLVM by itself, or takes to something undefined.

use crate::ir::*;

/// Expands them everywhere in `module`, on scalars.
pub fn expand(module: Op) {
    for op in module.nested_ops() {
        let value = match op.name() {
            "arith.floordivsi" => rounded(op, false),
            "arith.ceildivsi" => rounded(op, true),
            "arith.ceildivui" => ceil_unsigned(op),
            "arith.fptosi" | "arith.fptoui" => saturated(op),
            _ => continue,
        };
        op.result(0).replace_all_uses_with(value);
        op.erase();
    }
}

/// `x / y` is truncated: one less (more) when there is a remainder and the quotient is negative (positive).
fn rounded(op: Op, up: bool) -> Value {
    let b = Builder::before(op);
    let (x, y) = (op.operand(0), op.operand(1));
    let (zero, one) = (b.number(x.ty(), 0), b.number(x.ty(), 1));
    let quotient = b.same("arith.divsi", &[x, y]);
    let product = b.same("arith.muli", &[quotient, y]);
    let remainder = b.same("arith.subi", &[x, product]);
    let inexact = b.compare(Compare::Ne, remainder, zero);
    let (x_negative, y_negative) = (b.compare(Compare::Slt, x, zero), b.compare(Compare::Slt, y, zero));
    let away = b.compare(if up { Compare::Eq } else { Compare::Ne }, x_negative, y_negative);
    let adjust = b.same("arith.andi", &[inexact, away]);
    let adjusted = b.same(if up { "arith.addi" } else { "arith.subi" }, &[quotient, one]);
    b.select(adjust, adjusted, quotient)
}

fn ceil_unsigned(op: Op) -> Value {
    let b = Builder::before(op);
    let (x, y) = (op.operand(0), op.operand(1));
    let (zero, one) = (b.number(x.ty(), 0), b.number(x.ty(), 1));
    let quotient = b.same("arith.divui", &[x, y]);
    let remainder = b.same("arith.remui", &[x, y]);
    let inexact = b.compare(Compare::Ne, remainder, zero);
    let more = b.same("arith.addi", &[quotient, one]);
    b.select(inexact, more, quotient)
}

/// A float that does not fit becomes the nearest integer that does, NaN zero. LLVM's conversion is poison there, and an
/// index made of it could pass the test that guards a read.
fn saturated(op: Op) -> Value {
    let b = Builder::before(op);
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let kind = if op.name() == "arith.fptosi" { "fptosi" } else { "fptoui" };
    let name = format!("llvm.{kind}.sat.{}.{}", mangled(to), mangled(from));
    let attributes = [("intrin", b.context().string_attr(&name))];
    b.value("llvm.call_intrinsic", &[op.operand(0)], to, &attributes)
}

/// A type in the name of an intrinsic: `i64`, `v8f64`.
fn mangled(ty: Type) -> String {
    let text = ty.to_string();
    match text.strip_prefix("vector<").and_then(|t| t.strip_suffix('>')).and_then(|t| t.split_once('x')) {
        Some((n, element)) => format!("v{n}{element}"),
        None => text,
    }
}
