//! The first half of reverse mode: replaces a request by two parts: the code of the function, and its derivative as a
//! linear map, in the op `dual.linear` (`spec/arrays.md` C.3). The pass `transpose-delta` then transposes the map.
//!
//! The body of the map computes the tangents of the results from the tangents of the inputs. It is the tangent part of
//! the forward transformation, separated from the primals. It reads primals as SSA values, so common subexpressions are
//! shared. Loops are split in the same way (C.5): the primal loop stores its states, and the values that are expensive
//! to compute again, for the loop in the map.
//!
//! Requires: ops that the table of derivatives contains. The maps are small if `bulk-operations` runs before.
//! Preserves: requests for forward mode, and requests for the derivative of a function that itself contains requests.
//! ```mlir before
//! func.func @f(%x: f64, %y: f64) -> f64 {
//!   %z = arith.mulf %x, %y : f64
//!   return %z : f64
//! }
//! func.func @df(%x: f64, %y: f64, %z_ct: f64) -> (f64, f64) {
//!   %z, %x_ct = dual.vjp @f(%x, %y) cotangents(%z_ct) wrt [0] : (f64, f64, f64) -> (f64, f64)
//!   return %z, %x_ct : f64, f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64, %y: f64) -> f64 {
//!   %z = arith.mulf %x, %y : f64
//!   return %z : f64
//! }
//! func.func @df(%x: f64, %y: f64, %z_ct: f64) -> (f64, f64) {
//!   %z = arith.mulf %x, %y : f64
//!   %d = dual.linear (%x_t = %x : f64) {
//!     %z_t = arith.mulf %y, %x_t : f64
//!     dual.yield %z_t : f64
//!   } : !dual.delta<(f64) -> f64>
//!   %x_ct = dual.transpose %d(%z_ct) : (!dual.delta<(f64) -> f64>, f64) -> f64
//!   return %z, %x_ct : f64, f64
//! }
//! ```

use crate::ad::checkpoint;
use crate::ad::discrete;
use crate::ad::forward::{Builders, Callers, Dual, Functions, Keep, Loops, Setting, constants, linear_map, tangent};
use crate::ad::outline;
use crate::ad::requests;
use crate::analysis::fresh_names::FreshNames;
use crate::arrays::bulk_operations;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::dual::{Mode, Request};
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, Region, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use std::collections::HashSet;

pub const PASS: Pass = Pass {
    name: "dual-arrays",
    description: "Reverse-mode differentiation: requests become primal code and a linear map to transpose",
    anchor: Kind::BuiltinModule.name(),
    options: OPTIONS,
    dialects: &["arith", "array", "dual", "func", "math", "scf", "tensor"],
    run: |module, options| {
        names::from_source(module);
        outline::outline(module);
        discrete::warn(module, is_mine);
        run(module, Memory::of(options))
    },
};

/// The options of passes that select what loops keep.
pub const OPTIONS: &[PassOption] = &[
    PassOption::integer(
        "memory-budget",
        "-1",
        "MiB that one loop may keep for its reverse sweep; a loop with more is recomputed in segments. \
         -1: no limit",
    ),
    PassOption::flag("report", "Report in remarks the bytes that each loop keeps"),
];

/// The limits on the residuals that loops keep for the reverse sweep.
#[derive(Clone, Copy)]
pub struct Memory {
    /// The budget in bytes; `None` for no limit.
    pub budget: Option<f64>,
    pub report: bool,
}

impl Memory {
    pub fn of(options: &Options) -> Memory {
        let mebibytes = options.integer("memory-budget");
        let budget = (mebibytes >= 0).then_some(mebibytes as f64 * f64::from(1 << 20));
        Memory { budget, report: options.bool("report") }
    }
}

/// Replaces the requests for reverse mode.
pub fn run(module: Op, memory: Memory) -> Result<(), Reported> {
    expand(module, memory, &|_| false)
}

/// As `run`, but on bulk ops: copies of the functions are normalised before they are differentiated, and the functions
/// themselves do not change.
pub fn run_in_bulk(module: Op, memory: Memory) -> Result<(), Reported> {
    expand(module, memory, &in_bulk)
}

fn is_mine(request: &Request) -> bool {
    request.mode != Mode::Forward
}

/// Checks whether `bulk-operations` supports the function. Otherwise the function is differentiated unchanged.
fn in_bulk(function: Op) -> bool {
    let has_builds = function.nested_ops().iter().any(|op| matches!(op.kind(), Kind::ArrayBuild | Kind::ArrayGet));
    has_builds && function.region(0).blocks().len() == 1 && bulk_operations::has_free_sizes(function)
}

/// Returns the name of the callee of a call.
fn called(op: Op) -> Option<String> {
    if op.kind() == Kind::FuncCall { op.callee() } else { None }
}

fn expand(module: Op, memory: Memory, in_bulk: &dyn Fn(Op) -> bool) -> Result<(), Reported> {
    outline::outline(module);
    let mut symbols = FreshNames::of(module);
    for op in module.nested_ops() {
        if matches!(op.kind(), Kind::DualHvp | Kind::DualHessian) {
            forward_over_reverse(module, op, &mut symbols);
        }
    }
    requests::expand(module, is_mine, &|functions, request, callee| {
        // Functions are changed before differentiation only in copies for this request.
        let mut copies = Vec::new();
        let mut names = vec![request.callee.clone()];
        let mut seen = HashSet::new();
        while let Some(name) = names.pop() {
            let Some(&function) = functions.get(&name).filter(|_| seen.insert(name.clone())) else { continue };
            let mut body = function;
            let (bulk, whole) = (in_bulk(function), memory.budget.is_none() || function.body().is_none());
            if bulk || !whole {
                body = function.clone_op();
                // Next to the function, where calls are resolved.
                Builder::before(function).insert(body);
                functions.insert(name.clone(), body);
                copies.push((name, function, body));
            }
            if bulk {
                bulk_operations::run_on(body)?;
            }
            if let Some(budget) = memory.budget.filter(|_| !whole) {
                checkpoint::segment(body, budget);
            }
            names.extend(body.nested_ops().into_iter().filter_map(called));
        }
        let callee = functions.get(&request.callee).copied().unwrap_or(callee);
        let keep = if memory.budget.is_none() { Keep::Costly } else { Keep::States };
        let results = replace(functions, keep, request, callee);
        for (name, function, copy) in copies {
            functions.insert(name, function);
            copy.erase();
        }
        results
    })?;
    checkpoint::report(module, memory.report);
    Ok(())
}

/// Returns the results of the callee, and the results of `transpose` for each choice of cotangents.
fn replace(functions: &Functions, keep: Keep, request: &Request, callee: Op) -> Result<Vec<Value>, Reported> {
    let b = Builder::before(request.op);
    let points: Vec<Value> = request.wrt.iter().map(|&k| request.inputs[k]).collect();
    let inner = b.new_block(&types_of(&points));
    let mut arguments: Vec<Dual> = constants(&request.inputs);
    for (&k, t) in request.wrt.iter().zip(inner.block.arguments()) {
        arguments[k].tangent = Some(t);
    }
    let callers = Callers::of(request);
    let at = Builders { primal: b, tangent: inner, inside: false };
    let setting = Setting { loops: Loops::Unzipped(keep), functions, request, callers: &callers };
    let results = setting.differentiate(at, callee, &arguments)?;
    let floats = results.iter().filter(|r| r.primal.ty().is_differentiable());
    let tangents: Vec<Value> = floats.map(|r| tangent(inner, *r)).collect();
    let transpose = linear_map(b, inner, &points, &tangents);
    let primals = results.iter().map(|r| r.primal);
    Ok(match request.op.kind() {
        Kind::DualVjp => primals.chain(transpose(b, &request.directions)).collect(),
        Kind::DualJacobian => {
            let outputs: Vec<Value> = results.iter().map(|r| r.primal).collect();
            (0..outputs.len()).flat_map(|k| jacobian(b, &outputs, k, &transpose)).collect()
        }
        _ => {
            let one = b.unary(Kind::DualOne, &[], tangents[0].ty());
            let gradient = transpose(b, &[one]);
            if request.op.kind() == Kind::DualGrad { gradient } else { primals.chain(gradient).collect() }
        }
    })
}

/// Computes J[out..., in...] for result `k`, one row for each element; the cotangents of the other results are zero.
fn jacobian(b: Builder, results: &[Value], k: usize, back: &dyn Fn(Builder, &[Value]) -> Vec<Value>) -> Vec<Value> {
    let y = results[k];
    let rank = y.ty().rank();
    let one = b.unary(Kind::DualOne, &[], y.ty().scalar());
    let rest: Vec<Option<Value>> = (0..results.len()).map(|r| (r != k).then(|| b.zero_like(results[r]))).collect();
    let along = |b: Builder, seed: Value| {
        let cotangents: Vec<Value> = rest.iter().map(|zero| zero.unwrap_or(seed)).collect();
        back(b, &cotangents)
    };
    if rank == 0 {
        return along(b, one);
    }
    let (sizes, extents) = (y.ty().shape(), b.extents(y, rank));
    b.build_like(y, rank, |b, o| along(b, b.one_hot(one, o, &sizes, &extents)))
}

/// Replaces `dual.hvp @f` by `dual.jvp` of a new function, the gradient of `@f`, and `dual.hessian @f` by the Jacobian
/// of that function.
fn forward_over_reverse(module: Op, op: Op, symbols: &mut FreshNames) {
    let Some(request) = Request::of(op) else { return };
    let (context, loc) = (op.context(), op.location());
    let inputs = types_of(&request.inputs);
    let gradients: Vec<Type> = request.wrt.iter().map(|&k| inputs[k]).collect();
    let body = Block::new(&inputs.iter().map(|&t| (t, loc)).collect::<Vec<_>>());
    let inner = Builder::at_end(body, loc);
    let wrt: Vec<i64> = request.wrt.iter().map(|&k| k as i64).collect();
    let wrt = context.i64_array_attr(&wrt);
    let mode = |code: i64| Attribute::integer(context.scalar(Element::I32), code);
    let gradient = inner.op(Kind::DualGrad).operands(&body.arguments()).results(&gradients).region(Region::new());
    let gradient = gradient.attribute("callee", context.symbol_attr(&request.callee)).attribute("wrt", wrt);
    let gradient = inner.insert(gradient.attribute("mode", mode(1)).build()).results();
    inner.insert(inner.op(Kind::FuncReturn).operands(&gradient).build());
    let name = symbols.free(&format!("{}.gradient", request.callee));
    let callee = outline::private_function(module, name, body, &gradients, op);
    let b = Builder::before(op);
    let (new, first) = match op.kind() {
        Kind::DualHvp => {
            let jvp = b.op(Kind::DualJvp).operand_segments(&[&request.inputs, &request.directions]);
            (jvp.results(&[gradients.as_slice(), &gradients].concat()), gradients.len())
        }
        _ => {
            let jacobian = b.op(Kind::DualJacobian).operands(&request.inputs).attribute("mode", mode(0));
            (jacobian.results(&types_of(&op.results())), 0)
        }
    };
    let new = new.attribute("callee", callee).attribute("wrt", wrt).region(Region::new());
    let values = b.insert(new.build()).results();
    op.replace_with(values[first..].iter().copied());
}
