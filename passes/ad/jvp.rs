//! Forward-mode differentiation: expands every `dual.jvp`, `dual.grad` and `dual.jacobian`.
//!
//! Each value that depends on the inputs becomes two: the primal and its tangent (`spec/arrays.md` D). A gradient with
//! respect to an array has one entry for each element of the array: the tangent of the result along the one-hot
//! direction of that element. So it costs one evaluation of the function for each element, until `egg-optimize` removes
//! the operations on zeros.
//!
//! Requires: ops that the table of derivatives contains. Result: no request remains. Preserves: the functions whose
//! derivatives are requested.
//! ```mlir before
//! func.func @f(%x: f64, %y: f64) -> f64 {
//!   %z = arith.mulf %x, %y : f64
//!   return %z : f64
//! }
//! func.func @df(%x: f64, %y: f64) -> f64 {
//!   %g = dual.grad @f(%x, %y) wrt [0] : (f64, f64) -> f64
//!   return %g : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64, %y: f64) -> f64 {
//!   %z = arith.mulf %x, %y : f64
//!   return %z : f64
//! }
//! func.func @df(%x: f64, %y: f64) -> f64 {
//!   %x_t = dual.one : f64
//!   %z = arith.mulf %x, %y : f64
//!   %z_t = arith.mulf %y, %x_t : f64
//!   return %z_t : f64
//! }
//! ```

use crate::ad::discrete;
use crate::ad::forward::{Builders, Callers, Dual, Functions, Loops, Setting, constants, tangent};
use crate::ad::outline;
use crate::ad::requests;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{Pass, names};
use mlopt_dialects::dual::{Mode, Request};
use mlopt_dialects::ir::{Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};

pub const PASS: Pass = Pass {
    name: "jvp",
    description: "Forward-mode differentiation: replace dual.jvp, dual.grad and dual.jacobian by code",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["arith", "array", "dual", "func", "math", "scf"],
    run: |module, _| {
        names::from_source(module);
        outline::outline(module);
        discrete::warn(module, is_mine);
        run(module)
    },
};

/// Replaces the requests for forward mode.
pub fn run(module: Op) -> Result<(), Reported> {
    requests::expand(module, is_mine, &|functions, request, callee| {
        let forward = Forward { functions, request, callee };
        match request.op.kind() {
            Kind::DualJvp => forward.jvp(),
            Kind::DualValueAndGrad => {
                let b = Builder::before(request.op);
                let value = forward.at(b, &constants(&request.inputs))?[0].primal;
                Ok([vec![value], forward.derivatives()?].concat())
            }
            _ => forward.derivatives(),
        }
    })
}

fn is_mine(request: &Request) -> bool {
    request.mode != Mode::Reverse
}

/// The expansion of one request.
struct Forward<'a> {
    functions: &'a Functions,
    request: &'a Request,
    callee: Op,
}

impl Forward<'_> {
    /// Returns the results of the callee, then the tangents of its float results.
    fn jvp(&self) -> Result<Vec<Value>, Reported> {
        let b = Builder::before(self.request.op);
        let mut arguments: Vec<Dual> = constants(&self.request.inputs);
        for (&k, &t) in self.request.wrt.iter().zip(&self.request.directions) {
            arguments[k].tangent = Some(t);
        }
        let results = self.at(b, &arguments)?;
        let tangents = results.iter().filter(|r| r.primal.ty().is_differentiable()).map(|r| tangent(b, *r));
        Ok(results.iter().map(|r| r.primal).chain(tangents.collect::<Vec<_>>()).collect())
    }

    /// Returns the derivatives, for each result of the callee and each varying argument: (out..., in...).
    fn derivatives(&self) -> Result<Vec<Value>, Reported> {
        let by_argument: Result<Vec<Vec<Value>>, Reported> =
            self.request.wrt.iter().map(|&k| self.derivative(k)).collect();
        let by_argument = by_argument?;
        let results = by_argument[0].len();
        Ok((0..results).flat_map(|r| by_argument.iter().map(move |of| of[r])).collect())
    }

    /// Returns ∂y/∂x for `x`, argument `k`, and each result `y` of the callee.
    fn derivative(&self, k: usize) -> Result<Vec<Value>, Reported> {
        let b = Builder::before(self.request.op);
        let x = self.request.inputs[k];
        let rank = x.ty().rank();
        let along = |b: Builder, seed: Value| -> Result<Vec<Value>, Reported> {
            let mut arguments = constants(&self.request.inputs);
            arguments[k].tangent = Some(seed);
            Ok(self.at(b, &arguments)?.into_iter().map(|r| tangent(b, r)).collect())
        };
        if rank == 0 {
            let one = b.unary(Kind::DualOne, &[], x.ty());
            return along(b, one);
        }
        let results = self.callee.function_type().map_or(1, |(_, results)| results.len());
        let mut failure = None;
        let columns = b.build_like(x, rank, |b, i| {
            let seed = one_hot(b, x, i);
            along(b, seed).unwrap_or_else(|reported| {
                failure = Some(reported);
                vec![seed; results]
            })
        });
        if let Some(reported) = failure {
            return Err(reported);
        }
        let outwards = |columns: Value| {
            let out_rank = columns.ty().rank() - rank;
            if out_rank == 0 {
                return columns;
            }
            let axes: Vec<usize> = (rank..rank + out_rank).chain(0..rank).collect();
            b.transpose(columns, &axes)
        };
        Ok(columns.into_iter().map(outwards).collect())
    }

    /// Emits the body of the callee on duals.
    fn at(&self, b: Builder, arguments: &[Dual]) -> Result<Vec<Dual>, Reported> {
        let (functions, request, callers) = (self.functions, self.request, &Callers::of(self.request));
        Setting { loops: Loops::Joint, functions, request, callers }.differentiate(
            Builders::joint(b),
            self.callee,
            arguments,
        )
    }
}

/// Returns the array like `x` that is one at the position `i` and zero elsewhere, both structural (E.0).
fn one_hot(b: Builder, x: Value, i: &[Value]) -> Value {
    let scalar = x.ty().scalar();
    b.build_like(x, i.len(), |b, k| {
        let mut here = b.equal(i[0], k[0]);
        for (&i, &k) in i.iter().zip(k).skip(1) {
            let equal = b.equal(i, k);
            here = b.unary(Kind::ArithAndi, &[here, equal], equal.ty());
        }
        let (one, zero) = (b.unary(Kind::DualOne, &[], scalar), b.unary(Kind::DualZero, &[], scalar));
        vec![b.select(here, one, zero)]
    })[0]
}
