//! The state of the conversion, and functions that several conversions use to create ops.

use crate::analysis::edit;
use crate::arrays::shapes::index;
use crate::arrays::shapes::sizes::Sizes;
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Block, Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::ops::{Deref, DerefMut};

#[derive(Default)]
pub struct Rewriter {
    sizes: Sizes,
}

impl Deref for Rewriter {
    type Target = Sizes;

    fn deref(&self) -> &Sizes {
        &self.sizes
    }
}

impl DerefMut for Rewriter {
    fn deref_mut(&mut self) -> &mut Sizes {
        &mut self.sizes
    }
}

impl Rewriter {
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
            self.forget(z);
        }
        op.erase();
    }

    /// Erases unused ops, and replaces the remaining arrays without contents by zeros.
    pub fn finish(mut self, function: Op) {
        function.blocks().into_iter().for_each(edit::erase_unused);
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
