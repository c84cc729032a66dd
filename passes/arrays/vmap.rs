//! Expands every `array.vmap`, which applies a function along an axis of its arguments, to an `array.build` of calls.
//!
//! If the mapped axis is not the outermost one, the array is transposed. `bulk-operations` then inlines the calls and
//! converts the build to bulk operations.
//!
//! Requires: nothing. Result: no `array.vmap` remains. Preserves: the mapped functions.
//! ```mlir before
//! func.func @scale(%x: f64, %w: f64) -> f64 {
//!   %y = arith.mulf %x, %w : f64
//!   return %y : f64
//! }
//! func.func @f(%xs: tensor<4xf64>, %w: f64) -> tensor<4xf64> {
//!   %z = array.vmap @scale(%xs, %w) in_axes [0, -1] : (tensor<4xf64>, f64) -> tensor<4xf64>
//!   return %z : tensor<4xf64>
//! }
//! ```
//! ```mlir after
//! func.func @scale(%x: f64, %w: f64) -> f64 {
//!   %y = arith.mulf %x, %w : f64
//!   return %y : f64
//! }
//! func.func @f(%xs: tensor<4xf64>, %w: f64) -> tensor<4xf64> {
//!   %z = array.build (%i < 4) -> (tensor<4xf64>) {
//!     %x = array.get %xs[%i] : (tensor<4xf64>) -> f64
//!     %y = func.call @scale(%x, %w) : (f64, f64) -> f64
//!     array.yield %y : f64
//!   }
//!   return %z : tensor<4xf64>
//! }
//! ```

use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ir::{Builder, Op, Type, Value};
use mlopt_dialects::ops::array::Vmap;
use mlopt_dialects::ops::func::Call;
use mlopt_dialects::ops::{HasKind, Kind};

pub const PASS: Pass = Pass {
    name: "vmap",
    description: "Replace array.vmap by an array.build of calls",
    anchor: Kind::FuncFunc.name(),
    options: &[],
    dialects: &["array", "func"],
    run: |function, _| {
        expand_in(function);
        Ok(())
    },
};

/// Expands every `array.vmap` inside `root`.
pub fn expand_in(root: Op) {
    for op in root.nested_ops() {
        if op.kind() == Kind::ArrayVmap {
            expand(op);
        }
    }
}

/// Replaces one `array.vmap` by an `array.build`, and erases it. Returns `None` if it has no results.
pub fn expand(op: Op) -> Option<Op> {
    let b = Builder::before(op);
    let vmap = op.cast::<Vmap>();
    let axes: Vec<Option<usize>> = match vmap.in_axes() {
        Some(axes) => axes.into_iter().map(|a| usize::try_from(a).ok()).collect(),
        None => vec![Some(0); op.num_operands()],
    };
    let inputs: Vec<Value> = op.operands().into_iter().zip(&axes).map(|(x, axis)| outermost(b, x, *axis)).collect();
    let mut results = Vec::new();
    // Without results the op is dead, because functions of the array language are pure.
    if let Some(first) = op.results().first() {
        let size = first.ty().shape()[0];
        let mapped = inputs.iter().zip(&axes).find(|(_, axis)| axis.is_some());
        let extents: Vec<Value> = mapped.filter(|_| size.is_none()).map(|(&x, _)| b.length(x, 0)).into_iter().collect();
        results = b.build(&[size], &extents, |b, index| {
            let arguments: Vec<Value> =
                inputs.iter().zip(&axes).map(|(&x, axis)| axis.map_or(x, |_| b.get(x, index))).collect();
            let types: Vec<Type> =
                op.results().into_iter().map(|r| Type::array(&r.ty().shape()[1..], r.ty().scalar())).collect();
            Call::create(b, &arguments, &vmap.callee(), &types).results()
        });
    }
    op.replace_with(results.iter().copied());
    results.first()?.defining_op().map(|(build, _)| build)
}

/// Returns `x` with the mapped axis outermost.
fn outermost(b: Builder, x: Value, axis: Option<usize>) -> Value {
    match axis {
        None | Some(0) => x,
        Some(axis) => {
            let mut p: Vec<usize> = (0..x.ty().rank()).collect();
            p.remove(axis);
            p.insert(0, axis);
            b.transpose(x, &p)
        }
    }
}
