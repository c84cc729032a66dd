//! Checks whether `plan-memory` can handle a function: it accepts sweeps on tensors, branches and loops around them,
//! and scalar code.

use crate::ir::*;

/// Rejects functions that the pass does not support. The rest of the pass relies on this check.
pub fn check(function: Op) -> Result<()> {
    if function.region(0).blocks().len() > 1 {
        return Err(function.not_supported("`plan-memory` requires functions of one block; use `scf` instead of `cf`"));
    }
    let (inputs, results) = function.function_type().unwrap_or_default();
    if let Some(ty) = inputs.iter().chain(&results).find(|ty| !is_value(**ty) || ty.element().is_none()) {
        return Err(function.not_supported(format!(
            "`plan-memory` requires arguments and results that are tensors or scalars, found type {ty}"
        )));
    }
    let body = function.body();
    for op in function.nested_ops() {
        let is_taken = match op.kind() {
            Kind::FuncReturn | Kind::ScfYield | Kind::ScfCondition | Kind::ScfIf | Kind::ScfWhile => are_values(op),
            Kind::SweepNest | Kind::SweepYield | Kind::SweepAdd | Kind::SweepPut | Kind::SweepJoin => are_values(op),
            Kind::SweepReshape | Kind::SweepRequire | Kind::TensorExtract => are_values(op),
            Kind::TensorDim => {
                let argument = op.operand(0).block_argument().filter(|(block, _)| Some(*block) == body);
                if argument.is_none() || !is_axis(op) {
                    let text = "the op must read a size of a function argument, and the axis must be a constant below \
                                the rank";
                    return Err(op.not_supported(text));
                }
                true
            }
            Kind::ArithConstant if op.result(0).ty().is_tensor() => is_value(op.result(0).ty()),
            _ => is_scalar_code(op),
        };
        if !is_taken {
            return Err(op.not_supported("`plan-memory` supports only scalar code, and `sweep` ops on tensors"));
        }
    }
    Ok(())
}

/// Checks whether the types of all operands and results of an op satisfy [`is_value`].
fn are_values(op: Op) -> bool {
    op.results().into_iter().chain(op.operands()).all(|v| is_value(v.ty()))
}

/// Checks whether an op has no regions, and scalars or vectors as operands and results.
pub fn is_scalar_code(op: Op) -> bool {
    let is_scalar = |v: Value| v.ty().is_scalar() || v.ty().is_vector();
    op.num_regions() == 0 && op.results().into_iter().chain(op.operands()).all(is_scalar)
}

/// Checks whether a type is a scalar, a vector, or a tensor that can be stored in memory.
fn is_value(ty: Type) -> bool {
    ty.is_scalar() || ty.is_vector() || (ty.is_tensor() && ty.element().is_some())
}

/// Checks whether the index of a `tensor.dim` is a constant that is less than the rank of its operand.
fn is_axis(dim: Op) -> bool {
    known(dim.operand(1)).and_then(|k| usize::try_from(k).ok()).is_some_and(|k| k < dim.operand(0).ty().rank())
}
