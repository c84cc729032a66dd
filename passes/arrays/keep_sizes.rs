//! Prevents `canonicalize` from losing the sizes of integer arrays. MLIR 19 folds `x - x`, `x ^ x` and `x == x` to a
//! constant of the type of the result, also if the operands become equal only by earlier folds. If this type contains a
//! `?`, the constant has no size, and its text cannot be parsed.
//!
//! If an `arith.subi`, `arith.xori` or `arith.cmpi` has operands of dynamic sizes, the second one is replaced by a
//! reshape of this operand to its own sizes, which `canonicalize` does not recognise as the same value. `egg-optimize`
//! ignores the reshape, and performs the simplification correctly.
//!
//! Requires: nothing. Preserves: all ops; only the reshapes are added.
//! ```mlir before
//! func.func @none(%x: tensor<?xi64>) -> tensor<?xi64> {
//!   %z = arith.subi %x, %x : tensor<?xi64>
//!   return %z : tensor<?xi64>
//! }
//! ```
//! ```mlir after
//! func.func @none(%x: tensor<?xi64>) -> tensor<?xi64> {
//!   %n = array.length %x axis 0 : tensor<?xi64>
//!   %same = array.reshape %x sizes(%n) : (tensor<?xi64>) -> tensor<?xi64>
//!   %z = arith.subi %x, %same : tensor<?xi64>
//!   return %z : tensor<?xi64>
//! }
//! ```

use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ir::{Builder, Op};
use mlopt_dialects::ops::{HasKind, Kind};

/// The pass `--keep-sizes`.
pub const PASS: Pass = Pass {
    name: "keep-sizes",
    description: "Prevent canonicalize from folding integer arrays of dynamic sizes to constants, which have no size",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["array"],
    run: |module, _| run(module),
};

/// The ops that MLIR folds to a constant if both operands are one value.
const FOLDED: [Kind; 3] = [Kind::ArithSubi, Kind::ArithXori, Kind::ArithCmpi];

fn run(module: Op) -> Result<(), Reported> {
    for op in module.nested_ops().into_iter().filter(|op| FOLDED.contains(&op.kind())) {
        let operand = op.operand(1);
        let shape = operand.ty().shape();
        if !operand.ty().is_tensor() || shape.iter().all(Option::is_some) {
            continue;
        }
        let b = Builder::before(op);
        op.set_operand(1, b.reshape(operand, &shape, &b.extents(operand, shape.len())));
    }
    Ok(())
}
