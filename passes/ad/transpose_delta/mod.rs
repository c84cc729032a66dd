//! The second half of reverse mode: replaces each `dual.transpose` by the transposed code of its linear map, the
//! `dual.linear` that `dual-arrays` created (`spec/arrays.md` C.4).
//!
//! Each op of the map is visited once, in reverse order, and passes the cotangent of its result to its operands. If a
//! value has several uses, their cotangents are added. Each array has one accumulator: the cotangent of a read is added
//! to it at the position of the read, so no one-hot array is created (C.8). A factor may be infinite where the
//! cotangent that it multiplies is zero, for example in a branch that is not taken; there the product is defined to be
//! zero (C.6).
//!
//! Requires: the `dual.linear` of each `dual.transpose` is in the same function. Result: no `dual.transpose` and no
//! unused `dual.linear` remain.
//! ```mlir before
//! func.func @f(%x: tensor<4xf64>, %w: tensor<4xf64>, %z_ct: f64) -> tensor<4xf64> {
//!   %d = dual.linear (%x_t = %x : tensor<4xf64>) {
//!     %p_t = arith.mulf %w, %x_t : tensor<4xf64>
//!     %z_t = array.sum %p_t : (tensor<4xf64>) -> f64
//!     dual.yield %z_t : f64
//!   } : !dual.delta<(tensor<4xf64>) -> f64>
//!   %x_ct = dual.transpose %d(%z_ct) : (!dual.delta<(tensor<4xf64>) -> f64>, f64) -> tensor<4xf64>
//!   return %x_ct : tensor<4xf64>
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: tensor<4xf64>, %w: tensor<4xf64>, %z_ct: f64) -> tensor<4xf64> {
//!   %p_ct = array.replicate %z_ct : (f64) -> tensor<4xf64>
//!   %x_ct = arith.mulf %w, %p_ct : tensor<4xf64>
//!   return %x_ct : tensor<4xf64>
//! }
//! ```

mod loops;
mod ops;
mod sizes;

use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{Pass, names};
use mlopt_dialects::ir::{Block, Builder, Op, Value};
use mlopt_dialects::ops::dual::Linear;
use mlopt_dialects::ops::{FastMath, FromAttribute, HasKind, Kind, ToAttribute};
use std::collections::{HashMap, HashSet};

pub const PASS: Pass = Pass {
    name: "transpose-delta",
    description: "Reverse-mode differentiation: linear maps are transposed at compile time",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["arith", "array", "dual", "scf"],
    run: |module, _| {
        names::from_source(module);
        run(module)
    },
};

/// Replaces every `dual.transpose`.
pub fn run(module: Op) -> Result<(), Reported> {
    loop {
        // Transposes inside of maps are erased with the maps, or are outside of maps later.
        let is_free = |op: &Op| op.kind() == Kind::DualTranspose && !sizes::is_inside_a_map(*op);
        let free: Vec<Op> = module.nested_ops().into_iter().filter(is_free).collect();
        if free.is_empty() {
            break;
        }
        for op in free {
            let linear = map_of(op)?;
            let cotangents = transposed(Builder::before(op), linear, &op.operands()[1..])?;
            op.replace_with(cotangents);
        }
    }
    // Inner maps first, because an op is erased with its contents.
    let maps: Vec<Op> = module.nested_ops().into_iter().filter(|op| op.kind() == Kind::DualLinear).collect();
    for op in maps.into_iter().rev().filter(|op| op.result(0).is_unused()) {
        op.erase();
    }
    Ok(())
}

/// Returns the map that `transpose` applies.
fn map_of(transpose: Op) -> Result<Linear, Reported> {
    transpose.operand(0).def::<Linear>().ok_or_else(|| {
        transpose.not_supported("the operand must be the result of a `dual.linear` in the same function")
    })
}

/// Computes cotangents of the points of `linear` from those of its results.
fn transposed(b: Builder, linear: Linear, cotangents: &[Value]) -> Result<Vec<Value>, Reported> {
    let body = linear.body();
    let mut transposition = Transposition::default();
    for (argument, point) in body.arguments().into_iter().zip(linear.points()) {
        transposition.linear.insert(argument);
        transposition.like.insert(argument, point);
    }
    let cotangents: Vec<Option<Value>> = cotangents.iter().copied().map(Some).collect();
    transposition.block(b, body, &cotangents)?;
    transposition.totals(b, body.arguments())
}

/// The transposition of one linear map.
#[derive(Default)]
struct Transposition {
    /// Values that depend on the arguments of the map.
    linear: HashSet<Value>,
    /// The accumulated cotangents.
    cotangent: HashMap<Value, Value>,
    /// The fast-math flags of an accumulated cotangent: those that all of its terms have.
    flags: HashMap<Value, FastMath>,
    /// The flags of the terms that the op being transposed contributes. The cotangents of results have none.
    granted: FastMath,
    /// Values whose cotangent a choice may have made zero. Its products must then be zero, even with an infinite factor
    /// (C.6).
    masked: HashSet<Value>,
    /// The memoised degrees of factors: the maximum number of inputs in a product, if the factor is finite for finite
    /// inputs.
    degrees: HashMap<Value, Option<u32>>,
    /// The copies in the new code of nonlinear values of the map.
    copies: HashMap<Value, Value>,
    /// For a linear value, a value of the new code with the same sizes.
    like: HashMap<Value, Value>,
}

impl Transposition {
    /// Copies the nonlinear ops of `block`, then visits the linear ones in reverse order. `cotangents` are those of the
    /// yielded values.
    fn block(&mut self, b: Builder, block: Block, cotangents: &[Option<Value>]) -> Result<(), Reported> {
        let (ops, end) = block.split_end();
        let mut linear = Vec::new();
        for op in ops {
            if op.kind() == Kind::ArrayLength && self.linear.contains(&op.operand(0)) {
                let axis = op.attribute("axis").and_then(|a| a.as_i64()).unwrap_or(0);
                let size = self.extent(b.at(op.location()), op.operand(0), axis as usize)?;
                self.copies.insert(op.result(0), size);
            } else if self.is_linear(op) {
                self.linear.extend(op.results().into_iter().filter(|r| r.ty().is_differentiable()));
                linear.push(op);
            } else {
                self.copy(b, op);
            }
        }
        for (value, cotangent) in end.operands().into_iter().zip(cotangents) {
            if let Some(c) = cotangent {
                self.add(b.at(end.location()), value, *c);
            }
        }
        for op in linear.into_iter().rev() {
            if op.results().iter().any(|r| self.cotangent.contains_key(r)) {
                self.op(b.at(op.location()), op)?;
            }
        }
        Ok(())
    }

    /// Checks whether a result depends on the arguments of the map, through operands or captured values.
    fn is_linear(&self, op: Op) -> bool {
        let inside = if op.num_regions() > 0 { op.nested_ops() } else { Vec::new() };
        std::iter::once(op).chain(inside).any(|op| op.operands().iter().any(|v| self.linear.contains(v)))
    }

    /// Copies a nonlinear op to the new code.
    fn copy(&mut self, b: Builder, op: Op) {
        let copy = op.clone_op();
        copy.replace_operands(|operand| Some(self.primal(operand)));
        let copy = b.insert(copy);
        self.copies.extend(op.results().into_iter().zip(copy.results()));
    }

    /// Returns the value of the new code for a nonlinear value.
    fn primal(&self, value: Value) -> Value {
        self.copies.get(&value).copied().unwrap_or(value)
    }

    /// Adds `cotangent` to the cotangent of `value`.
    fn add(&mut self, b: Builder, value: Value, cotangent: Value) {
        if !self.linear.contains(&value) {
            return;
        }
        let flags = self.join_flags(value);
        let total = match self.cotangent.get(&value) {
            Some(&so_far) => {
                let sum = b.op(Kind::ArithAddf).operands(&[so_far, cotangent]).results(&[cotangent.ty()]);
                let sum =
                    if flags.is_empty() { sum } else { sum.attribute("fastmath", flags.to_attribute(b.context())) };
                b.insert(sum.build()).result(0)
            }
            None => cotangent,
        };
        self.set(value, total);
    }

    /// Returns the flags of the terms that `op` contributes to cotangents: its own, or those of the cotangents of its
    /// results if it has no such attribute.
    fn flags_of(&self, op: Op) -> FastMath {
        let has_flags = matches!(
            op.kind(),
            Kind::ArithAddf | Kind::ArithSubf | Kind::ArithMulf | Kind::ArithDivf | Kind::ArithNegf | Kind::ArraySum
        );
        if has_flags {
            return op.attribute("fastmath").and_then(FastMath::from_attribute).unwrap_or_default();
        }
        let flags = op.results().into_iter().filter_map(|z| self.flags.get(&z).copied());
        flags.reduce(|a, b| a & b).unwrap_or_default()
    }

    /// Adds a term with the granted flags to the accumulator of `value`. Returns the flags of the accumulator.
    fn join_flags(&mut self, value: Value) -> FastMath {
        let granted = self.granted;
        *self.flags.entry(value).and_modify(|flags| *flags = *flags & granted).or_insert(granted)
    }

    fn set(&mut self, value: Value, cotangent: Value) {
        name_cotangent(cotangent, value);
        self.cotangent.insert(value, cotangent);
    }

    /// Returns the cotangent of `value`, zero if none was added.
    fn total(&mut self, b: Builder, value: Value) -> Result<Value, Reported> {
        match self.cotangent.get(&value) {
            Some(&c) => Ok(c),
            None => {
                let zeros = self.zeros(b, value)?;
                name_cotangent(zeros, value);
                Ok(zeros)
            }
        }
    }

    fn totals(&mut self, b: Builder, values: impl IntoIterator<Item = Value>) -> Result<Vec<Value>, Reported> {
        values.into_iter().map(|v| self.total(b, v)).collect()
    }

    fn inherit_mask(&mut self, from: Value, to: Value) {
        if self.masked.contains(&from) {
            self.masked.insert(to);
        }
    }
}

/// Names a cotangent: the cotangent of `x_t` is called `x_ct`.
fn name_cotangent(cotangent: Value, value: Value) {
    if let Some(name) = value.name() {
        cotangent.suggest_name(&format!("{}_ct", name.strip_suffix("_t").unwrap_or(&name)));
    }
}
