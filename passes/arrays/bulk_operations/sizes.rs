//! The origin of the size of an axis, found by following definitions through ops that preserve the size.

use super::ops::{self, Emit, Extent};
use super::ranges::Ranges;
use mlopt_dialects::ir::{Builder, Value};
use mlopt_dialects::ops::array::ArrayOp;
use mlopt_dialects::ops::{HasKind, Kind};

/// The origin of the size of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    Known(usize),
    /// An extent operand, or zero if it is negative.
    Extent(Value),
    /// The sum of the outermost sizes of two arrays.
    Sum(Value, Value),
    /// The size of an axis of an array, with unknown origin.
    Of(Value, usize),
}

impl From<Extent> for Size {
    fn from(extent: Extent) -> Size {
        match extent {
            Extent::Known(n) => Size::Known(n),
            Extent::Value(n) => Size::Extent(n),
        }
    }
}

/// Returns the size of `axis` of `x`, with its earliest known origin.
pub fn of(x: Value, axis: usize) -> Size {
    let (mut x, mut axis) = (x, axis);
    loop {
        match step(x, axis) {
            Size::Of(y, a) if (y, a) != (x, axis) => (x, axis) = (y, a),
            size => return size,
        }
    }
}

/// Returns the size as an `index` value.
pub fn value(b: Builder, size: Size) -> Value {
    match size {
        Size::Known(n) => b.index(n as i64),
        Size::Extent(n) => {
            if Ranges::default().is_nonnegative(n) {
                return n;
            }
            b.binary(Kind::ArithMaxsi, n, b.index(0))
        }
        Size::Sum(x, y) => {
            let (m, n) = (value(b, of(x, 0)), value(b, of(y, 0)));
            b.binary(Kind::ArithAddi, m, n)
        }
        Size::Of(x, axis) => b.length(x, axis),
    }
}

/// Returns the size of an axis as an extent.
pub fn extent(b: Builder, x: Value, axis: usize) -> Extent {
    x.ty().shape()[axis].map_or_else(|| Extent::Value(value(b, of(x, axis))), Extent::Known)
}

/// Returns the dynamic sizes of `x` after its first `from` axes, as operands for an op with the same sizes.
pub fn dynamic(b: Builder, x: Value, from: usize) -> Vec<Value> {
    let shape = x.ty().shape();
    (from..shape.len()).filter(|&axis| shape[axis].is_none()).map(|axis| value(b, of(x, axis))).collect()
}

/// Follows one op backwards; returns the same array and axis if it is unknown.
pub fn step(x: Value, axis: usize) -> Size {
    if let Some(n) = x.ty().shape()[axis] {
        return Size::Known(n);
    }
    let opaque = Size::Of(x, axis);
    if let Some((block, k)) = x.block_argument() {
        let Some(parent) = block.parent_op() else { return opaque };
        return match parent.kind() {
            Kind::ArrayIfold => Size::Of(parent.operand(k), axis),
            Kind::ArrayFold | Kind::ArrayMapAccum => {
                let arrays = parent.operand_segment(0);
                match arrays.get(k) {
                    Some(&array) => Size::Of(array, axis + 1),
                    None => Size::Of(parent.operand_segment(1)[k - arrays.len()], axis),
                }
            }
            _ => opaque,
        };
    }
    let Some((op, result)) = x.defining_op() else { return opaque };
    if let Some(array) = ArrayOp::of(op) {
        return step_of_array(array, x, result, axis);
    }
    match op.kind() {
        Kind::ArithSelect => Size::Of(op.operand(1), axis),
        Kind::ScfIf => {
            // The size is known only if both arms have the same.
            let arms: Vec<Size> = ops::ends(op).into_iter().map(|end| of(end.operand(result), axis)).collect();
            match arms[..] {
                [a, b] if a == b => a,
                _ => opaque,
            }
        }
        _ if ops::is_elementwise(op) => Size::Of(op.operand(0), axis),
        _ => opaque,
    }
}

/// Follows an op of `array` backwards: `x` is its result of this number.
fn step_of_array(array: ArrayOp, x: Value, result: usize, axis: usize) -> Size {
    let (op, opaque) = (array.op(), Size::Of(x, axis));
    let extent = |k: usize| {
        // The operand of the k-th `?` of the type of the result.
        let before = x.ty().shape()[..axis].iter().filter(|d| d.is_none()).count();
        Size::Extent(op.operand(k + before))
    };
    match array {
        ArrayOp::Get(_) => Size::Of(op.operand(0), axis + op.num_operands() - 1),
        ArrayOp::Gather(_) | ArrayOp::Build(_) => {
            let extents = ops::extents(op);
            match extents.get(axis) {
                Some(&e) => e.into(),
                None if op.kind() == Kind::ArrayGather => {
                    Size::Of(op.operand(0), axis - extents.len() + ops::yields(op).len())
                }
                None => opaque,
            }
        }
        ArrayOp::Scatter(_) => Size::Of(op.operand(1), axis),
        ArrayOp::OneHot(_) => {
            let k = op.operand_segment(1).len();
            if axis < k { extent(1 + k) } else { Size::Of(op.operand(0), axis - k) }
        }
        ArrayOp::Sum(_)
        | ArrayOp::Prod(_)
        | ArrayOp::Max(_)
        | ArrayOp::Min(_)
        | ArrayOp::Argmax(_)
        | ArrayOp::Argmin(_) => {
            let reduced = ops::axes(op);
            let mut kept = (0..op.operand(0).ty().rank()).filter(|a| !reduced.contains(a));
            kept.nth(axis).map_or(opaque, |a| Size::Of(op.operand(0), a))
        }
        ArrayOp::Replicate(_) if axis > 0 => Size::Of(op.operand(0), axis - 1),
        ArrayOp::Replicate(_) => Size::Extent(op.operand(1)),
        ArrayOp::Slice(_) if axis == 0 => Size::Extent(op.operand(2)),
        ArrayOp::Iota(_) => Size::Extent(op.operand(0)),
        ArrayOp::Transpose(_) => Size::Of(op.operand(0), ops::permutation(op)[axis]),
        ArrayOp::Reshape(_) => extent(1),
        ArrayOp::Stack(_) => Size::Of(op.operand(0), axis - 1),
        ArrayOp::Append(_) if axis == 0 => Size::Sum(op.operand(0), op.operand(1)),
        ArrayOp::Append(_) | ArrayOp::Slice(_) | ArrayOp::Reverse(_) => Size::Of(op.operand(0), axis),
        ArrayOp::Div(_) | ArrayOp::Mod(_) | ArrayOp::Floor(_) => Size::Of(op.operand(0), axis),
        ArrayOp::Ifold(_) => Size::Of(op.operand(result + 1), axis),
        ArrayOp::Fold(_) => Size::Of(op.operand_segment(1)[result], axis),
        ArrayOp::MapAccum(_) => match op.operand_segment(1).get(result) {
            Some(&init) => Size::Of(init, axis),
            None if axis == 0 => Size::Of(op.operand(0), 0),
            None => opaque,
        },
        ArrayOp::Vmap(_) => opaque,
        // Without results that are arrays.
        ArrayOp::Length(_) | ArrayOp::Check(_) | ArrayOp::SameSize(_) | ArrayOp::Yield(_) => opaque,
    }
}
