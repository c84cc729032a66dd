//! Analysis of the positions that a nest reads: whether a position depends on an index, and whether neighbouring
//! iterations read neighbouring elements.

use crate::ir::*;

/// Checks whether the last index of a position is `index`, possibly plus an offset, and the others do not depend on it.
pub fn runs_along(position: &[Value], index: Value, nest: Op) -> bool {
    let Some((last, others)) = position.split_last() else { return false };
    let is_offset = |op: Op| match [op.operand(0), op.operand(1)] {
        [x, y] if x == index => !depends(y, index, nest),
        [x, y] if y == index => !depends(x, index, nest),
        _ => false,
    };
    !others.iter().any(|v| depends(*v, index, nest))
        && (*last == index || last.defining_op().is_some_and(|(op, _)| op.kind() == Kind::ArithAddi && is_offset(op)))
}

/// Checks whether `value` is computed from `index`, inside `nest`.
pub fn depends(value: Value, index: Value, nest: Op) -> bool {
    let operands = |v: &Value| match v.defining_op() {
        Some((op, _)) if *v != index && is_inside(op, nest) => operands_inside(op),
        _ => Vec::new(),
    };
    reached(vec![value], operands).contains(&index)
}

/// Checks whether neighbours along the last axis are neighbours in memory.
pub fn has_unit_stride(memory: Type) -> bool {
    if memory.is_contiguous_memref() {
        return true;
    }
    let text = memory.to_string();
    let strides = text.split_once("strided<[").and_then(|(_, rest)| rest.split_once(']'));
    strides.is_some_and(|(strides, _)| strides.split(',').next_back().is_some_and(|s| s.trim() == "1"))
}
