//! The run-time sizes of linear values. The transposed code does not contain these values, so their sizes are derived
//! from the ops that define them, back to values that it does contain.

use super::Transposition;
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Builder, Op, Value};
use mlopt_dialects::ops::array::ArrayOp;
use mlopt_dialects::ops::{HasKind, Kind};

const UNKNOWN_SIZES: &str = "the tangent of the result has run-time sizes that cannot be computed; use static sizes";

impl Transposition {
    /// Returns the structural zero with the sizes of the linear value `v`.
    pub(super) fn zeros(&mut self, b: Builder, v: Value) -> Result<Value, Reported> {
        let ty = v.ty();
        let sizes = ty.shape();
        if sizes.iter().all(Option::is_some) {
            return Ok(b.unary(Kind::DualZero, &[], ty));
        }
        let mut zero = b.unary(Kind::DualZero, &[], ty.scalar());
        for axis in (0..sizes.len()).rev() {
            let extent = if sizes[axis].is_none() { self.extent(b, v, axis)? } else { zero };
            zero = b.replicate(zero, sizes[axis], extent);
        }
        Ok(zero)
    }

    /// Returns the dynamic sizes of `v`, in order.
    pub(super) fn extents(&mut self, b: Builder, v: Value) -> Result<Vec<Value>, Reported> {
        let sizes = v.ty().shape();
        (0..sizes.len()).filter(|&axis| sizes[axis].is_none()).map(|axis| self.extent(b, v, axis)).collect()
    }

    /// Returns the size of one axis of `v`, which may be linear or inside a loop of the map.
    pub(super) fn extent(&mut self, b: Builder, v: Value, axis: usize) -> Result<Value, Reported> {
        if let Some(n) = v.ty().shape()[axis] {
            return Ok(b.index(n as i64));
        }
        if let Some(&like) = self.like.get(&v) {
            return Ok(b.length(like, axis));
        }
        if let Some(&copy) = self.copies.get(&v) {
            return Ok(b.length(copy, axis));
        }
        let Some((op, number)) = v.defining_op() else { return self.extent_of_argument(b, v, axis) };
        if !self.linear.contains(&v) && !is_inside_a_map(op) {
            return Ok(b.length(v, axis));
        }
        if let Some(array) = ArrayOp::of(op) {
            return self.extent_of_array(b, array, v, number, axis);
        }
        match op.kind() {
            Kind::ArithSelect | Kind::TensorInsert | Kind::TensorInsertSlice => self.extent(b, op.operand(1), axis),
            Kind::ScfFor => self.extent(b, op.operand(3 + number), axis),
            Kind::ScfWhile => self.extent(b, end_of(op).operand(1 + number), axis),
            Kind::DualTranspose => self.extent(b, super::map_of(op)?.operand(number), axis),
            Kind::ScfIf => self.extent(b, end_of(op).operand(number), axis),
            // Elementwise ops, and others that preserve the sizes of their first operand.
            _ if op.num_operands() > 0 && op.operand(0).ty().rank() > axis => self.extent(b, op.operand(0), axis),
            _ => Err(op.not_supported(UNKNOWN_SIZES)),
        }
    }

    /// As [`Self::extent`], of the result `v` of an op of `array`, its result of this number.
    fn extent_of_array(
        &mut self,
        b: Builder,
        array: ArrayOp,
        v: Value,
        number: usize,
        axis: usize,
    ) -> Result<Value, Reported> {
        let op = array.op();
        let x = || op.operand(0);
        // The number of operands for sizes of earlier axes.
        let before = || v.ty().shape()[..axis].iter().filter(|d| d.is_none()).count();
        match array {
            ArrayOp::Get(_) => self.extent(b, x(), axis + op.num_operands() - 1),
            ArrayOp::Replicate(_) if axis == 0 => self.size(b, op.operand(1)),
            ArrayOp::Replicate(_) => self.extent(b, x(), axis - 1),
            ArrayOp::Transpose(transpose) => self.extent(b, x(), transpose.permutation()[axis] as usize),
            ArrayOp::Sum(_) | ArrayOp::Prod(_) | ArrayOp::Max(_) | ArrayOp::Min(_) => {
                let axes = op.attribute("axes").and_then(|a| a.as_i64_array()).unwrap_or(vec![0]);
                let rest: Vec<usize> = (0..x().ty().rank()).filter(|a| !axes.contains(&(*a as i64))).collect();
                self.extent(b, x(), rest[axis])
            }
            ArrayOp::Gather(gather) => match axis.checked_sub(gather.body().num_arguments()) {
                None => self.size(b, gather.extents()[before()]),
                Some(k) => self.extent(b, x(), k + gather.body().end().num_operands()),
            },
            ArrayOp::Build(build) => match axis.checked_sub(build.body().num_arguments()) {
                None => self.size(b, build.extents()[before()]),
                Some(k) => self.extent(b, build.body().end().operand(number), k),
            },
            ArrayOp::Reshape(reshape) => self.size(b, reshape.sizes()[before()]),
            ArrayOp::Iota(_) => self.size(b, op.operand(before())),
            ArrayOp::OneHot(hot) => match axis.checked_sub(hot.indices().len()) {
                None => self.size(b, hot.sizes()[before()]),
                Some(k) => self.extent(b, x(), k),
            },
            ArrayOp::Stack(_) => self.extent(b, x(), axis - 1),
            ArrayOp::Append(_) if axis == 0 => {
                let (m, n) = (self.extent(b, x(), 0)?, self.extent(b, op.operand(1), 0)?);
                Ok(b.unary(Kind::ArithAddi, &[m, n], m.ty()))
            }
            ArrayOp::Slice(_) if axis == 0 => self.size(b, op.operand(2)),
            ArrayOp::Scatter(_) => self.extent(b, op.operand(1), axis),
            ArrayOp::Fold(_) | ArrayOp::MapAccum(_) => {
                let inits = op.operand_segment(1);
                match inits.get(number) {
                    Some(init) => self.extent(b, *init, axis),
                    None if axis == 0 => self.extent(b, op.operand_segment(0)[0], 0),
                    None => self.extent(b, end_of(op).operand(number), axis - 1),
                }
            }
            ArrayOp::Ifold(_) => self.extent(b, op.operand(1 + number), axis),
            ArrayOp::Append(_) | ArrayOp::Slice(_) | ArrayOp::Reverse(_) => self.extent(b, x(), axis),
            ArrayOp::Div(_) | ArrayOp::Mod(_) | ArrayOp::Floor(_) => self.extent(b, x(), axis),
            ArrayOp::Argmax(_) | ArrayOp::Argmin(_) => {
                let along = op.attribute("axis").and_then(|a| a.as_i64()).unwrap_or(0) as usize;
                self.extent(b, x(), if axis < along { axis } else { axis + 1 })
            }
            // It is expanded before, or has no sizes.
            ArrayOp::Vmap(_) | ArrayOp::Length(_) | ArrayOp::Check(_) | ArrayOp::SameSize(_) | ArrayOp::Yield(_) => {
                Err(op.not_supported(UNKNOWN_SIZES))
            }
        }
    }

    /// Returns an extent. If it is inside a loop of the map that has not been emitted yet, its computation is copied.
    fn size(&mut self, b: Builder, v: Value) -> Result<Value, Reported> {
        if let Some(&copy) = self.copies.get(&v) {
            return Ok(copy);
        }
        let Some((op, _)) = v.defining_op().filter(|(op, _)| is_inside_a_map(*op)) else { return Ok(v) };
        if op.kind() == Kind::ArrayLength {
            let axis = op.attribute("axis").and_then(|a| a.as_i64()).unwrap_or(0);
            return self.extent(b, op.operand(0), axis as usize);
        }
        if op.num_regions() > 0 || !op.is_pure() {
            return Err(op.not_supported(
                "the size of a tangent depends on this op, which has regions or side effects; use static sizes",
            ));
        }
        let operands = op.operands().into_iter().map(|v| self.size(b, v)).collect::<Result<Vec<_>, Reported>>()?;
        let copy = op.clone_op();
        copy.set_operands(&operands);
        Ok(b.insert(copy).result(0))
    }

    /// Returns the size of an argument: a row has the sizes of its array without the first, a carried value those of
    /// its init.
    fn extent_of_argument(&mut self, b: Builder, v: Value, axis: usize) -> Result<Value, Reported> {
        let (block, position) = v.block_argument().expect("a value is a result or an argument");
        let op = block.parent_op().expect("a block of an op");
        if !is_inside_a_map(op) && op.kind() != Kind::ArrayMapAccum {
            return Ok(b.length(v, axis));
        }
        match op.kind() {
            Kind::ArrayFold | Kind::ArrayMapAccum => {
                let arrays = op.operand_segment(0);
                match arrays.get(position) {
                    Some(array) => self.extent(b, *array, axis + 1),
                    None => self.extent(b, op.operand_segment(1)[position - arrays.len()], axis),
                }
            }
            Kind::ArrayIfold => self.extent(b, op.operand(position), axis),
            Kind::ScfFor => self.extent(b, op.operand(2 + position), axis),
            Kind::ScfWhile if op.body() == Some(block) => self.extent(b, op.operand(position), axis),
            Kind::ScfWhile => self.extent(b, end_of(op).operand(1 + position), axis),
            _ => Ok(b.length(v, axis)),
        }
    }
}

/// Returns the terminator of the first block of an op.
fn end_of(op: Op) -> Op {
    op.entry().end()
}

/// Checks whether an op belongs to a linear map, whose values are not available in the transposed code unless copied.
pub(super) fn is_inside_a_map(op: Op) -> bool {
    std::iter::successors(op.parent_op(), |op| op.parent_op()).any(|op| op.kind() == Kind::DualLinear)
}
