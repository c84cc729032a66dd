//! Expansion of `arith` ops that MLIR does not convert to LLVM, or converts to code with undefined behaviour.

use crate::ir::*;
use crate::scf::{carry, choose};
use mlopt_dialects::value::Element;

/// Expands such ops everywhere in `module`, on scalars.
pub fn expand(module: Op) {
    for op in module.nested_ops() {
        let value = match op.kind() {
            Kind::ArithFloordivsi => rounded(op, false),
            Kind::ArithCeildivsi => rounded(op, true),
            Kind::ArithCeildivui => ceil_unsigned(op),
            Kind::ArithFptosi | Kind::ArithFptoui => saturated(op),
            Kind::MathFpowi => match op.operand(1).ty().scalar().element() {
                Some(Element::I64) => power(op),
                Some(Element::I8 | Element::I16) => with_wide_exponent(op),
                _ => continue,
            },
            Kind::MathIpowi => integer_power(op),
            Kind::MathAbsi | Kind::MathCtlz | Kind::MathCttz if op.result(0).ty().scalar().is_index() => on_words(op),
            _ => continue,
        };
        op.replace_with([value]);
    }
}

/// Corrects the truncated quotient `x / y`: one less (more) if there is a remainder and the quotient is negative
/// (positive).
fn rounded(op: Op, up: bool) -> Value {
    let b = Builder::before(op);
    let (x, y) = (op.operand(0), op.operand(1));
    let (zero, one) = (b.number(x.ty(), 0), b.number(x.ty(), 1));
    let quotient = b.same(Kind::ArithDivsi, &[x, y]);
    let remainder = b.subi(x, b.muli(quotient, y));
    let inexact = b.compare(Compare::Ne, remainder, zero);
    let (x_negative, y_negative) = (b.compare(Compare::Slt, x, zero), b.compare(Compare::Slt, y, zero));
    let away = b.compare(if up { Compare::Eq } else { Compare::Ne }, x_negative, y_negative);
    let adjust = b.andi(inexact, away);
    let adjusted = if up { b.addi(quotient, one) } else { b.subi(quotient, one) };
    b.select(adjust, adjusted, quotient)
}

fn ceil_unsigned(op: Op) -> Value {
    let b = Builder::before(op);
    let (x, y) = (op.operand(0), op.operand(1));
    let (zero, one) = (b.number(x.ty(), 0), b.number(x.ty(), 1));
    let quotient = b.same(Kind::ArithDivui, &[x, y]);
    let remainder = b.same(Kind::ArithRemui, &[x, y]);
    let inexact = b.compare(Compare::Ne, remainder, zero);
    b.select(inexact, b.addi(quotient, one), quotient)
}

/// Converts a float to an integer. A float out of range becomes the nearest integer in range, and NaN becomes zero.
/// LLVM's conversion is poison there, and an index computed from it could pass the test that guards a read.
fn saturated(op: Op) -> Value {
    let b = Builder::before(op);
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let kind = if op.kind() == Kind::ArithFptosi { "fptosi" } else { "fptoui" };
    let name = format!("llvm.{kind}.sat.{}.{}", mangled(to), mangled(from));
    let attributes = [("intrin", b.context().string_attr(&name))];
    b.value(Kind::LlvmCallIntrinsic, &[op.operand(0)], to, &attributes)
}

/// Gives a power with a narrow integer exponent one of 32 bits, which LLVM's `powi` requires.
fn with_wide_exponent(op: Op) -> Value {
    let b = Builder::before(op);
    let (x, n) = (op.operand(0), op.operand(1));
    let wide = n.ty().with_scalar(op.context().scalar(Element::I32)).expect("an integer or a vector of integers");
    let n = b.value(Kind::ArithExtsi, &[n], wide, &[]);
    b.remake(op, &[x, n], &[x.ty()]).result(0)
}

/// Computes an op on indices, whose conversion upstream leaves the type `index` in, as one on words.
fn on_words(op: Op) -> Value {
    let b = Builder::before(op);
    let (index, x) = (op.result(0).ty(), op.operand(0));
    let word = index.with_scalar(op.context().int(64)).expect("an index or a vector of indices");
    let x = b.value(Kind::ArithIndexCast, &[x], word, &[]);
    b.value(Kind::ArithIndexCast, &[b.same(op.kind(), &[x])], index, &[])
}

/// Expands a power of integers to squarings and multiplications, from the highest bit of the exponent on. A negative
/// power is rounded to zero, except those of 1 and -1; that of 0, which is undefined, becomes 0.
fn integer_power(op: Op) -> Value {
    let b = Builder::before(op);
    let (x, n, ty) = (op.operand(0), op.operand(1), op.operand(0).ty());
    let bits = ty.element().map_or(64, Element::bits) as i64;
    let [zero, one, minus_one] = [0, 1, -1].map(|k| b.number(ty, k));
    // A boolean has no bit below the sign.
    let power = carry(b, b.index(0), b.index(bits - 1), 1, &[one, n], |b, _, state| {
        let &[z, rest] = state else { unreachable!("two values are carried") };
        let rest = b.addi(rest, rest);
        let square = b.muli(z, z);
        let is_set = b.compare(Compare::Slt, rest, b.number(ty, 0));
        vec![b.select(is_set, b.muli(square, x), square), rest]
    })[0];
    let is_negative = b.compare(Compare::Slt, n, zero);
    let is_odd = b.compare(Compare::Ne, b.andi(n, one), zero);
    let sign = b.select(is_odd, minus_one, one);
    let of_unit = b.select(b.compare(Compare::Eq, x, minus_one), sign, zero);
    let rounded = b.select(b.compare(Compare::Eq, x, one), one, of_unit);
    b.select(is_negative, rounded, power)
}

/// Expands a power with an integer exponent. The exponents of LLVM's `powi` have 32 bits, like those of the C library's
/// function. For larger ones the result is the power of |x|, with the sign of x if the exponent is odd.
fn power(op: Op) -> Value {
    let b = Builder::before(op);
    let (x, n, ctx) = (op.operand(0), op.operand(1), op.context());
    let short = b.value(Kind::ArithTrunci, &[n], ctx.scalar(Element::I32), &[]);
    let fits = b.compare(Compare::Eq, b.value(Kind::ArithExtsi, &[short], n.ty(), &[]), n);
    let large = |b: Builder| {
        let n_float = b.value(Kind::ArithSitofp, &[n], x.ty(), &[]);
        let size = b.same(Kind::MathPowf, &[b.same(Kind::MathAbsf, &[x]), n_float]);
        let odd = b.value(Kind::ArithTrunci, &[n], ctx.int(1), &[]);
        vec![b.select(odd, b.same(Kind::MathCopysign, &[size, x]), size)]
    };
    choose(b, fits, &[x.ty()], |b| vec![b.same(Kind::MathFpowi, &[x, short])], large)[0]
}

/// Returns the name of a type in the name of an intrinsic: `i64`, `v8f64`.
fn mangled(ty: Type) -> String {
    let text = ty.to_string();
    match text.strip_prefix("vector<").and_then(|t| t.strip_suffix('>')).and_then(|t| t.split_once('x')) {
        Some((n, element)) => format!("v{n}{element}"),
        None => text,
    }
}
