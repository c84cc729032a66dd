//! The choice between forward and reverse mode for requests without a mode. For both modes there is an upper bound on
//! the work; the mode with the smaller bound is chosen.
//!
//! Let W be the work of the function. One sweep with p tangents costs at most (1 + 1.5·p)·W, and one with q cotangents
//! at most (1.5 + 2.5·q)·W (Griewank and Walther, Evaluating Derivatives, 2nd edition, chapter 3: vector modes).
//! Forward mode needs a tangent for each element of the inputs, and reverse mode a cotangent for each element of the
//! results. If the bounds are equal, forward mode is chosen, because it stores nothing.

use crate::optimise::terms::cost::ASSUMED_LENGTH;
use mlopt_dialects::dual::{Mode, Request};
use mlopt_dialects::ir::{Attribute, Op, Symbols, Type};
use mlopt_dialects::text::count;
use mlopt_dialects::value::Element;

/// Sets the mode of every request in `module` without a mode or with `auto`. For `auto`, emits a remark.
pub fn choose_modes(module: Op) {
    let symbols = Symbols::of(module);
    for op in module.nested_ops() {
        let Some(request) = Request::of(op).filter(|r| r.mode == Mode::Auto) else { continue };
        let (tangents, cotangents) = counts(&symbols, &request);
        let (forward, reverse) = (1.0 + 1.5 * tangents, 1.5 + 2.5 * cotangents);
        let (code, mode) = if forward <= reverse { (0, "forward") } else { (1, "reverse") };
        if op.attribute("mode").is_some() {
            let (name, along, back) = (&request.callee, count(tangents, "tangent"), count(cotangents, "cotangent"));
            let text = format!(
                "chose {mode} mode: forward mode, with {along}, costs about {forward} times the work of `@{name}`, and \
                 reverse mode, with {back}, about {reverse} times"
            );
            let _said = op.remark(text).emit();
        }
        op.set_attribute("mode", Attribute::integer(op.context().scalar(Element::I32), code));
    }
}

/// Returns the number of elements of the varying inputs, and of the results.
fn counts(symbols: &Symbols, request: &Request) -> (f64, f64) {
    let tangents = request.wrt.iter().map(|&k| elements(request.inputs[k].ty())).sum();
    let results = symbols.get(&request.callee).and_then(Op::function_type).map(|(_, results)| results);
    let cotangents = results.unwrap_or_default().into_iter().filter(|t| t.is_differentiable()).map(elements).sum();
    (tangents, cotangents)
}

fn elements(ty: Type) -> f64 {
    ty.shape().into_iter().map(|n| n.map_or(ASSUMED_LENGTH, |n| n as f64)).product()
}
