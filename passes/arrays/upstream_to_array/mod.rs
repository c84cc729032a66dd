//! Converts programs of other tools, in `tensor` and `linalg`, to the dialect `array`, so that later passes need to
//! handle only `array`, `arith`, `math` and `scf`.
//!
//! Loops of `linalg` become `array.build`. An accumulation becomes a reduction if its combiner is a known one, and an
//! `array.ifold` otherwise. MLIR's pass `linalg-generalize-named-ops` first replaces named ops, except `linalg.map`, by
//! `linalg.generic`. Where `tensor` leaves a result undefined (a position out of range, the contents of
//! `tensor.empty`), the result is the one that the dialect `array` defines. A maximum with NaN is unspecified, as in
//! `array`. If axes that one loop traverses have different sizes at run time, the program stops with an error.
//!
//! Requires: nothing; `tensor` and `linalg` ops without a counterpart in `array` are reported as errors. Preserves: ops
//! of other dialects, such as `scf` loops over tensors, except that unused pure ops are removed.
//! ```mlir before
//! #row = affine_map<(i, j) -> (i, j)>
//! #vector = affine_map<(i, j) -> (j)>
//! #result = affine_map<(i, j) -> (i)>
//! func.func @matvec(%a: tensor<4x?xf64>, %x: tensor<?xf64>) -> tensor<4xf64> {
//!   %zero = arith.constant 0.0 : f64
//!   %empty = tensor.empty() : tensor<4xf64>
//!   %zeros = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
//!       iterator_types = ["parallel"]} ins(%zero : f64) outs(%empty : tensor<4xf64>) {
//!   ^bb0(%c: f64, %old: f64):
//!     linalg.yield %c : f64
//!   } -> tensor<4xf64>
//!   %z = linalg.generic {indexing_maps = [#row, #vector, #result], iterator_types = ["parallel", "reduction"]}
//!       ins(%a, %x : tensor<4x?xf64>, tensor<?xf64>) outs(%zeros : tensor<4xf64>) {
//!   ^bb0(%p: f64, %q: f64, %sum: f64):
//!     %t = arith.mulf %p, %q : f64
//!     %s = arith.addf %sum, %t : f64
//!     linalg.yield %s : f64
//!   } -> tensor<4xf64>
//!   return %z : tensor<4xf64>
//! }
//! ```
//! ```mlir after
//! func.func @matvec(%a: tensor<4x?xf64>, %x: tensor<?xf64>) -> tensor<4xf64> {
//!   %n = array.length %a axis 1 : tensor<4x?xf64>
//!   %m = array.length %x : tensor<?xf64>
//!   %ok = arith.cmpi eq, %n, %m : index
//!   array.check %ok, "invalid-size", "axes of loop 1 must have equal sizes, found {} and {}"(%n, %m : index, index)
//!   %z = array.build (%i < 4) -> (tensor<4xf64>) {
//!     %products = array.build (%j < %n) -> (tensor<?xf64>) {
//!       %p = array.get %a[%i, %j] : (tensor<4x?xf64>) -> f64
//!       %q = array.get %x[%j] : (tensor<?xf64>) -> f64
//!       %t = arith.mulf %p, %q : f64
//!       array.yield %t : f64
//!     }
//!     %s = array.sum %products : (tensor<?xf64>) -> f64
//!     array.yield %s : f64
//!   }
//!   return %z : tensor<4xf64>
//! }
//! ```

mod linalg;
mod reduction;
mod rewriter;
mod slice;
mod tensor;

use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ir::{Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use rewriter::Rewriter;

pub const PASS: Pass = Pass {
    name: "upstream-to-array",
    description: "Replace tensor and linalg ops on tensors by ops of the array language",
    anchor: Kind::FuncFunc.name(),
    options: &[],
    dialects: &["arith", "array", "math"],
    run: |function, _| run(function),
};

/// The replacement of an op: one value for each result, of its rank and element type.
type Converted = Result<Vec<Value>, Reported>;

fn run(function: Op) -> Result<(), Reported> {
    let mut rewriter = Rewriter::default();
    // Regions first, so that the body of a loop is in the array language when it moves.
    for op in inner_first(function) {
        let kind = op.kind();
        // Terminators and loop indices are erased with the enclosing op.
        if !matches!(kind.dialect(), "tensor" | "linalg")
            || matches!(kind, Kind::TensorYield | Kind::LinalgYield | Kind::LinalgIndex)
        {
            continue;
        }
        check_types(op)?;
        let values = if kind.dialect() == "tensor" {
            tensor::convert(&mut rewriter, op)?
        } else {
            linalg::convert(&mut rewriter, op)?
        };
        if let Some(values) = values {
            rewriter.replace(op, &values);
        }
    }
    rewriter.finish(function);
    Ok(())
}

/// Returns all ops in `root`, each after those in its regions, otherwise in order.
fn inner_first(root: Op) -> Vec<Op> {
    let mut found = Vec::new();
    let mut stack: Vec<(Op, bool)> = root.child_ops().into_iter().rev().map(|op| (op, false)).collect();
    while let Some((op, opened)) = stack.pop() {
        if opened || op.num_regions() == 0 {
            found.push(op);
            continue;
        }
        stack.push((op, true));
        stack.extend(op.child_ops().into_iter().rev().map(|inner| (inner, false)));
    }
    found
}

/// Checks types: elements are those of the array language, and tensors are ranked and without encoding.
fn check_types(op: Op) -> Result<(), Reported> {
    let known = |t: Type| {
        let array = t.is_tensor() && Type::tensor(&t.shape(), t.scalar()) == t;
        (array || t.scalar() == t) && t.element().is_some()
    };
    let types = op.operands().into_iter().chain(op.results()).map(Value::ty);
    match types.into_iter().find(|t| !known(*t)) {
        Some(ty) => {
            Err(op.not_supported(format!("expected scalars or tensors of {}, found type {ty}", Element::names("or"))))
        }
        None => Ok(()),
    }
}
