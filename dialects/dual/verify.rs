//! The numbered constraints of `dual.td`, in the order of that file.

use super::{Request, delta_signature, delta_type};
use crate::constraints::{self, Verdict, Violation, ensure, violates};
use crate::ir::{Lookup, Op, Type, types_of};
use crate::ops::dual::{DualOp, Linear, Transpose, Yield};
use crate::ops::{HasKind, Kind};

/// Checks the constraints of one op that depend on the op alone.
pub fn verify(op: DualOp) -> Verdict {
    use DualOp::*;
    match op {
        Jvp(_) | Vjp(_) | Hvp(_) | Grad(_) | ValueAndGrad(_) | Jacobian(_) | Hessian(_) => request(*op),
        Linear(op) => linear(op),
        Transpose(op) => transpose(op),
        One(_) | StopGradient(_) | Yield(_) | Zero(_) => Ok(()),
    }
}

/// Checks the constraints of the symbols to which an op refers: (C3) and (C4) of every request.
pub fn verify_symbols(op: DualOp, lookup: Lookup) -> Verdict {
    let Some(request) = Request::of(*op) else { return Ok(()) };
    let results = callee(&request, lookup)?;
    let wrt: Vec<Type> = request.wrt.iter().map(|&i| request.inputs[i].ty()).collect();
    let floats: Vec<Type> = results.iter().copied().filter(|t| t.is_differentiable()).collect();
    let directions = types_of(&request.directions);
    let scalar_loss = || {
        ensure(matches!(results[..], [t] if t.is_differentiable() && !t.is_tensor()), "C3", || {
            format!("{} must return one float scalar, found {results:?}", named(&request))
        })
    };
    match op {
        DualOp::Jvp(_) => expect("C3", "`tangents`", &wrt, &directions)?,
        DualOp::Vjp(_) => expect("C3", "`cotangents`", &floats, &directions)?,
        DualOp::Hvp(_) => {
            scalar_loss()?;
            expect("C4", "`tangents`", &wrt, &directions)?;
        }
        DualOp::Grad(_) | DualOp::ValueAndGrad(_) | DualOp::Hessian(_) => scalar_loss()?,
        DualOp::Jacobian(_) => {
            ensure(!results.is_empty(), "C3", || format!("{} must return floats, found no result", named(&request)))?;
            if let Some(odd) = results.iter().find(|t| !t.is_differentiable()) {
                return violates("C3", format!("{} must return floats, found {odd}", named(&request)));
            }
        }
        _ => return Ok(()),
    }
    expect("C4", "results", &result_types(op.kind(), &results, &wrt), &types_of(&op.results()))
}

/// Returns the types of the results of a request of this kind, for a function with these results and for arguments in
/// `wrt` of these types.
pub fn result_types(kind: Kind, results: &[Type], wrt: &[Type]) -> Vec<Type> {
    match kind {
        // The results of the function, then the tangents of those that are floats.
        Kind::DualJvp => {
            let floats = results.iter().filter(|t| t.is_differentiable());
            results.iter().chain(floats).copied().collect()
        }
        // The results of the function, then one like each argument in `wrt`.
        Kind::DualVjp | Kind::DualValueAndGrad => [results, wrt].concat(),
        // (out..., in...) for each result of the function and each argument in `wrt`.
        Kind::DualJacobian => products(results, wrt),
        // (in..., in...) for each pair of arguments in `wrt`.
        Kind::DualHessian => products(wrt, wrt),
        // One like each argument in `wrt`.
        _ => wrt.to_vec(),
    }
}

/// Checks (C1) and (C2) of every request, as far as they depend on the op alone.
fn request(op: Op) -> Verdict {
    let is_named = op.attribute("callee").is_some();
    match op.body() {
        Some(body) => {
            ensure(!is_named, "C1", || "expected `callee` or a region, found both")?;
            let end = body.terminator().map(Op::kind);
            ensure(end == Some(Kind::DualYield), "C1", || "the region must end in `dual.yield`")?;
        }
        None => ensure(is_named, "C1", || "expected `callee` or a region, found neither")?,
    }
    wrt_is_increasing(op)
}

fn wrt_is_increasing(op: Op) -> Verdict {
    let Some(wrt) = op.attribute("wrt").and_then(|a| a.as_i64_array()) else { return Ok(()) };
    let inputs = Request::of(op).map(|r| r.inputs).unwrap_or_default();
    ensure(!wrt.is_empty() && wrt[0] >= 0 && !wrt.windows(2).any(|w| w[0] >= w[1]), "C2", || {
        format!("`wrt` must be a non-empty, strictly increasing list of arguments, counted from 0, found {wrt:?}")
    })?;
    for position in wrt {
        let Some(input) = inputs.get(position as usize) else {
            let inputs = inputs.len();
            let rule = "`wrt` must contain positions of inputs, counted from 0";
            return violates("C2", format!("{rule}; the number of inputs is {inputs}, found position {position}"));
        };
        ensure(input.ty().is_differentiable(), "C2", || {
            format!("`wrt` must name arguments that are floats, found argument #{position} of type {}", input.ty())
        })?;
    }
    Ok(())
}

/// Checks `dual.linear`: arguments like the points, `delta` like the body.
fn linear(op: Linear) -> Verdict {
    let body = op.body();
    let (points, arguments) = (types_of(&op.points()), types_of(&body.arguments()));
    expect("C1", "the region's arguments", &points, &arguments)?;
    if let Some(odd) = points.iter().find(|t| !t.is_differentiable()) {
        return violates("C1", format!("`points` must be floats, found {odd}"));
    }
    let Some(end) = body.terminator().and_then(Yield::of) else {
        return violates("C2", "the region must end in `dual.yield`");
    };
    let yielded = types_of(&end.values());
    if let Some(odd) = yielded.iter().find(|t| !t.is_differentiable()) {
        return violates("C2", format!("the region must yield floats, found {odd}"));
    }
    let found = op.delta().ty();
    let expected = delta_type(op.context(), &points, &yielded);
    ensure(found == expected, "C2", || format!("`delta` must have type {expected}, found {found}"))
}

/// Checks `dual.transpose`: cotangents in, cotangents out.
fn transpose(op: Transpose) -> Verdict {
    let delta = op.delta().ty();
    let Some((inputs, results)) = delta_signature(delta) else {
        return violates("C1", format!("`delta` must be a !dual.delta, found {delta}"));
    };
    expect("C1", "`cotangents`", &results, &types_of(&op.cotangents()))?;
    expect("C1", "results", &inputs, &types_of(&op.results()))
}

/// Returns the types of the derivatives of values of these types: (out..., in...).
fn products(outs: &[Type], inputs: &[Type]) -> Vec<Type> {
    let of = |out: &Type, x: &Type| Type::array(&[out.shape(), x.shape()].concat(), out.scalar());
    outs.iter().flat_map(|out| inputs.iter().map(move |x| of(out, x))).collect()
}

/// Checks (C1): the function exists and fits the inputs. Returns the result types of the function.
fn callee(request: &Request, lookup: Lookup) -> Result<Vec<Type>, Violation> {
    let (inputs, results) = match request.body {
        Some(body) => (types_of(&body.arguments()), types_of(&body.end().operands())),
        None => {
            constraints::callee(request.op, lookup, "differentiate").map(|callee| (callee.inputs, callee.results))?
        }
    };
    let failed = |text: String| violates("C1", text);
    let found = types_of(&request.inputs);
    if found != inputs {
        let name = named(request);
        return failed(format!("inputs must have the types of the arguments of {name}, {inputs:?}, found {found:?}"));
    }
    if request.wrt.is_empty() {
        let name = named(request);
        return failed(format!("{name} must have a float argument to differentiate with respect to, found none"));
    }
    Ok(results)
}

/// Returns the name of the function in errors.
fn named(request: &Request) -> String {
    if request.body.is_some() { "the region".into() } else { format!("`@{}`", request.callee) }
}

fn expect(label: &'static str, what: &str, expected: &[Type], found: &[Type]) -> Verdict {
    ensure(expected == found, label, || format!("{what} must have types {expected:?}, found {found:?}"))
}
