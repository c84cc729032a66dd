//! Linearity analysis: checks whether a region is a linear map, as `lambda.dual` requires (`spec/functional.md` C.2).

use crate::constraints::{Verdict, violates_by};
use crate::ir::{Attribute, Block, Op, Value};
use crate::ops::{HasKind, Kind};
use std::collections::HashSet;

/// Checks that the values yielded by `body` are linear in its argument `x`.
pub fn check(body: Block, x: Value) -> Verdict {
    let Err((value, what)) = linear_in(body, HashSet::from([x])) else { return Ok(()) };
    let text = format!("the region must be linear in its argument, found {what}");
    violates_by(("the nonlinear value", value), "C1", text)
}

/// The value that is not linear, and the reason.
type Fault = (Value, String);

/// Checks that all values in the block that depend on `linear`, and the values that it yields, are linear in these
/// values jointly.
fn linear_in(body: Block, mut linear: HashSet<Value>) -> Result<(), Fault> {
    let ops = body.ops();
    // MLIR verifies nested ops after this check, and then rejects an empty block.
    let Some((end, ops)) = ops.split_last() else { return Ok(()) };
    for op in ops {
        let given: Vec<usize> = (0..op.num_operands()).filter(|k| linear.contains(&op.operand(*k))).collect();
        let captured = op.nested_ops().into_iter().flat_map(|o| o.operands()).find(|v| linear.contains(v));
        let Some(read) = given.first().map(|&k| op.operand(k)).or(captured) else { continue };
        // The composition of a functional and a map is linear in each, but not in both jointly.
        let is_linear = if captured.is_some() {
            given.is_empty() && is_linear_inside(*op, &linear)?
        } else {
            is_linear_in(*op, &given, &linear)
        };
        if !is_linear {
            // An op without results is named by the value that it reads.
            let cause = op.results().first().copied().unwrap_or(read);
            let other =
                if is_sum_or_tuple(*op) { ", because an operand that does not depend on it is not zero" } else { "" };
            let text = format!("'{}', which is not linear in values that depend on that argument{other}", op.name());
            return Err((cause, text));
        }
        linear.extend(op.results());
    }
    match end.operands().into_iter().find(|v| !linear.contains(v) && !is_zero(*v)) {
        Some(value) => Err((value, "a nonzero result that does not depend on that argument".into())),
        None => Ok(()),
    }
}

/// Checks whether the op is linear in these of its operands jointly.
fn is_linear_in(op: Op, given: &[usize], linear: &HashSet<Value>) -> bool {
    use Kind::*;
    match typed_kind(op) {
        _ if is_sum_or_tuple(op) => op.operands().into_iter().all(|v| linear.contains(&v) || is_zero(v)),
        ArithNegf | LambdaGet | LambdaField | ArraySum | ArrayTranspose | ArrayReshape | ArrayReplicate
        | LambdaCovector | LambdaThe => true,
        // A product is linear in one factor, a quotient in the dividend.
        ArithMulf | LambdaAget | LambdaPairWith => given.len() == 1,
        LambdaSwitch => given[0] > 0 && op.operands()[1..].iter().all(|v| linear.contains(v) || is_zero(*v)),
        ArithDivf => given == [0],
        // A call is linear in the callee, but not necessarily in the arguments.
        LambdaApply => given == [0],
        LambdaJacobian | LambdaDual | LambdaPullback => given.len() <= 1,
        _ => false,
    }
}

/// Checks whether the op is a sum or a tuple, in which operands that do not depend on the argument must be zero.
fn is_sum_or_tuple(op: Op) -> bool {
    use Kind::*;
    matches!(typed_kind(op), ArithAddf | ArithSubf | LambdaGadd | LambdaTuple | LambdaRecord)
}

/// Returns the name of the op that an operation of a program with open types will become.
fn typed_kind(op: Op) -> Kind {
    let name = op.attribute("name").filter(|_| op.kind() == Kind::LambdaPrim).and_then(Attribute::as_string);
    match name.as_deref() {
        Some("+") => Kind::ArithAddf,
        Some("-") => Kind::ArithSubf,
        Some("neg") => Kind::ArithNegf,
        Some("*" | "@" | "dot" | "mv" | "vm" | "mm" | "outer" | "scale") => Kind::ArithMulf,
        Some("/") => Kind::ArithDivf,
        Some("sum") => Kind::ArraySum,
        Some("transpose") => Kind::ArrayTranspose,
        _ => op.kind(),
    }
}

/// Checks whether the result of the region of the op is linear in its captures.
fn is_linear_inside(op: Op, linear: &HashSet<Value>) -> Result<bool, Fault> {
    match (op.kind(), op.body()) {
        (Kind::LambdaLambda | Kind::LambdaDual, Some(body)) => linear_in(body, linear.clone()).map(|()| true),
        _ => Ok(false),
    }
}

/// Checks whether a value is zero, which is linear in everything.
fn is_zero(value: Value) -> bool {
    let Some((op, _)) = value.defining_op() else { return false };
    match op.kind() {
        Kind::DualZero | Kind::LambdaZerosLike => true,
        Kind::ArithConstant | Kind::LambdaLiteral => {
            let value = op.attribute("value");
            value.and_then(|v| v.splat_value().or(Some(v))).and_then(Attribute::as_f64) == Some(0.0)
        }
        Kind::LambdaTuple | Kind::LambdaRecord => op.operands().into_iter().all(is_zero),
        _ => false,
    }
}
