//! The state of the conversion, and functions that several conversions use to create ops.

use super::index::{self, Index};
use crate::analysis::edit;
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashMap;

#[derive(Default)]
pub struct Rewriter {
    /// The sizes of arrays whose definition determines them.
    sizes: HashMap<Value, Vec<Index>>,
}

impl Rewriter {
    /// Returns the size of one axis; emits `array.length` only if it is not known otherwise.
    pub fn size(&self, b: Builder, x: Value, axis: usize) -> Index {
        match (x.ty().shape()[axis], self.sizes.get(&x)) {
            (Some(n), _) => Index::Known(n as i64),
            (None, Some(sizes)) => sizes[axis],
            (None, None) => Index::Value(b.length(x, axis)),
        }
    }

    pub fn sizes(&self, b: Builder, x: Value) -> Vec<Index> {
        (0..x.ty().rank()).map(|axis| self.size(b, x, axis)).collect()
    }

    /// Records the sizes of `x`, and returns `x`.
    pub fn sized(&mut self, x: Value, sizes: &[Index]) -> Value {
        self.sizes.insert(x, sizes.to_vec());
        x
    }

    /// Returns `x` at the type `ty`, which has other static sizes or is a reshape.
    pub fn retyped(&mut self, b: Builder, x: Value, ty: Type, sizes: &[Index]) -> Value {
        if x.ty() == ty {
            return x;
        }
        let z = b.unary(Kind::ArrayReshape, &[&[x], run_time(b, ty, sizes).as_slice()].concat(), ty);
        self.sized(z, sizes)
    }

    /// Returns an array of this type and these sizes, with every element `scalar`.
    pub fn filled(&mut self, b: Builder, scalar: Value, ty: Type, sizes: &[Index]) -> Value {
        let is_static = ty.shape().iter().all(Option::is_some);
        if let (Some(value), true) = (edit::constant(scalar), is_static) {
            return b.constant(Attribute::splat(ty, value), ty);
        }
        if ty.rank() == 0 {
            return self.retyped(b, scalar, ty, &[]);
        }
        let dims = ty.shape();
        let mut z = scalar;
        for axis in (0..dims.len()).rev() {
            let extent = if dims[axis].is_none() { sizes[axis].value(b) } else { z };
            z = b.replicate(z, dims[axis], extent);
        }
        self.sized(z, sizes)
    }

    /// Replaces the results of `op` by `values`.
    pub fn replace(&mut self, op: Op, values: &[Value]) {
        let b = Builder::before(op);
        for (z, &value) in op.results().into_iter().zip(values) {
            let value = if value.ty() == z.ty() {
                value
            } else {
                let sizes = self.sizes(b, value);
                self.retyped(b, value, z.ty(), &sizes)
            };
            z.replace_all_uses_with(value);
            // Another value may be allocated at its address.
            self.sizes.remove(&z);
        }
        op.erase();
    }

    /// Erases unused ops, and replaces the remaining arrays without contents by zeros.
    pub fn finish(mut self, function: Op) {
        function.blocks().into_iter().for_each(sweep);
        for op in super::inner_first(function).into_iter().filter(|op| op.kind() == Kind::TensorEmpty) {
            let (b, ty) = (Builder::before(op), op.result(0).ty());
            let sizes = index::of_type(ty, &op.operands());
            let zero = b.constant(edit::zero_of(ty.scalar()), ty.scalar());
            op.replace_with([self.filled(b, zero, ty, &sizes)]);
            if let (true, Some((zero, _))) = (zero.is_unused(), zero.defining_op()) {
                zero.erase();
            }
        }
    }
}

/// Erases unused pure ops, users before operands, so that chains are erased in one traversal.
fn sweep(block: Block) {
    for op in block.ops().into_iter().rev() {
        if op.num_results() > 0 && op.results().into_iter().all(Value::is_unused) && op.is_pure() {
            op.erase();
        } else {
            op.blocks().into_iter().for_each(sweep);
        }
    }
}

/// Returns operands for the `?` of `ty`.
fn run_time(b: Builder, ty: Type, sizes: &[Index]) -> Vec<Value> {
    ty.shape().iter().zip(sizes).filter(|(d, _)| d.is_none()).map(|(_, n)| n.value(b)).collect()
}

/// Returns the element or subarray at a position; the element of a scalar is itself.
pub fn element(b: Builder, x: Value, position: &[Value]) -> Value {
    match (x.ty().is_tensor(), position) {
        (false, _) => x,
        (true, []) if x.ty().rank() == 0 => match x.defining_op() {
            Some((maker, _)) if maker.kind() == Kind::ArrayReshape && !maker.operand(0).ty().is_tensor() => {
                maker.operand(0)
            }
            _ => b.reshape(x, &[], &[]),
        },
        (true, []) => x,
        (true, _) => b.get(x, position),
    }
}

/// Copies the ops of `body` to `b`, for these arguments. Returns the yielded values.
pub fn inlined(b: Builder, body: Block, arguments: &[Value]) -> Vec<Value> {
    body.arguments().into_iter().zip(arguments).for_each(|(argument, &value)| argument.replace_all_uses_with(value));
    let terminator = body.end();
    for op in body.ops().into_iter().filter(|op| *op != terminator) {
        b.insert(op.detach());
    }
    terminator.operands()
}

/// Checks that the body of an `array.build` has no side effects.
pub fn check_effects(op: Op) -> Result<(), Reported> {
    let effect =
        op.nested_ops().into_iter().find(|inner| inner.kind() != Kind::FuncCall && !inner.has_no_own_effects());
    match effect {
        Some(inner) => Err(op.not_supported(format!("the body must have no side effects, found '{}'", inner.name()))),
        None => Ok(()),
    }
}
