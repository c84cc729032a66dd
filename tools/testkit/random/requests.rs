//! The functions of a random program: one composed of patterns, and one that requests its derivative.

use super::builder::{Builder, Draw, Form, Parameter, Value};
use super::ops::names;
use mlopt_dialects::ops::Kind;

/// The computation requested of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Request {
    Primal,
    Vjp,
    Jvp,
    /// The derivative of a gradient along a direction.
    Second,
}

impl Request {
    pub fn name(self) -> &'static str {
        match self {
            Request::Primal => "primal",
            Request::Vjp => "vjp",
            Request::Jvp => "jvp",
            Request::Second => "second",
        }
    }
}

/// The name of the entry of every program.
pub const ENTRY: &str = "main";

pub struct Written {
    pub text: String,
    pub kind: Request,
    pub inner: &'static str,
    pub own_arguments: usize,
}

/// Formats values with their types: `%a: f64, %b: f64`.
fn declared(b: &Builder, values: &[Value]) -> String {
    values.iter().map(|v| format!("{}: {}", v.name, b.ty(v))).collect::<Vec<_>>().join(", ")
}

/// Completes the text: `results` are the last values of the patterns, `others` are returned in addition.
pub fn write(b: &mut Builder, kind: Request, results: Vec<Value>, others: Vec<Value>) -> Written {
    let asks = b.below(3);
    let scalar = kind == Request::Second || (kind == Request::Vjp && asks == 0);
    let has_floats = b.parameters.iter().any(|p| p.value.is_float());
    // A function of integers only has no derivative.
    let kind = if has_floats && !results.is_empty() { kind } else { Request::Primal };
    let (results, others) = match scalar && kind != Request::Primal {
        true => (vec![loss(b, &results)], vec![]),
        false => (results, others),
    };
    b.finish_sizes();
    let arguments: Vec<Value> = b.parameters.iter().map(|p| p.value.clone()).collect();
    let own_arguments = arguments.len();
    let all = [results.as_slice(), &others].concat();
    let function = |b: &Builder, name: &str, attributes: &str| {
        format!(
            "func.func {name}({}) -> ({}){attributes} {{\n{}{}{}  return {} : {}\n}}\n",
            declared(b, &arguments),
            b.types(&all),
            b.lengths,
            b.sizes,
            b.body,
            names(&all),
            b.types(&all)
        )
    };
    if kind == Request::Primal {
        let text = function(b, &format!("@{ENTRY}"), &sizes(b));
        return Written { text, kind, inner: ENTRY, own_arguments };
    }
    let floats: Vec<usize> = (0..arguments.len()).filter(|&k| arguments[k].is_float()).collect();
    // All floats, or one of them.
    let wrt = if b.once_in(3) { vec![b.one_of(&floats)] } else { floats };
    let varying: Vec<Value> = wrt.iter().map(|&k| arguments[k].clone()).collect();
    let directions = |b: &mut Builder, prefix: &str, of: &[Value]| -> Vec<Value> {
        (of.iter().enumerate())
            .map(|(k, v)| {
                let value = Value { name: format!("%{prefix}{k}"), ..v.clone() };
                b.parameters.push(Parameter { value: value.clone(), draw: Draw::Float });
                value
            })
            .collect()
    };
    let wrt = format!("{wrt:?}");
    let (types, results_of_f) = (b.types(&arguments), b.types(&all));
    let mut text = function(b, "private @f", "");
    let mut inner = "f";
    let join = |parts: &[String]| parts.iter().filter(|p| !p.is_empty()).cloned().collect::<Vec<_>>().join(", ");
    let (op, word, along, mode, to) = match kind {
        Request::Jvp => ("jvp", "tangents", directions(b, "t", &varying), "", join(&[results_of_f, b.types(&results)])),
        Request::Vjp if scalar => {
            let op = b.one_of(&["grad", "value_and_grad"]);
            let mode = b.one_of(&["", " mode reverse"]);
            let value = if op == "grad" { String::new() } else { b.types(&results) };
            (op, "", vec![], mode, join(&[value, b.types(&varying)]))
        }
        Request::Vjp => {
            ("vjp", "cotangents", directions(b, "c", &results), "", join(&[results_of_f, b.types(&varying)]))
        }
        _ if asks == 0 => {
            // The gradient is a function, which is differentiated once more along one direction.
            let gradient = b.types(&varying);
            let g = (0..varying.len()).map(|k| format!("%g{k}")).collect::<Vec<_>>().join(", ");
            text += &format!(
                "func.func private @g({}) -> ({gradient}) {{\n  {g} = dual.grad @f({}) wrt {wrt} : ({types}) \
                 -> ({gradient})\n  return {g} : {gradient}\n}}\n",
                declared(b, &arguments),
                names(&arguments)
            );
            inner = "g";
            let (op, word) = if b.coin() { ("vjp", "cotangents") } else { ("jvp", "tangents") };
            (op, word, directions(b, "t", &varying), "", join(&[gradient.clone(), gradient]))
        }
        _ => ("hvp", "tangents", directions(b, "t", &varying), "", b.types(&varying)),
    };
    let from = join(&[types, b.types(&along)]);
    let along = if along.is_empty() { String::new() } else { format!(" {word}({})", names(&along)) };
    let request = format!("dual.{op} @{inner}({}){along} wrt {wrt}{mode} : ({from}) -> ({to})", names(&arguments));
    let all: Vec<Value> = b.parameters.iter().map(|p| p.value.clone()).collect();
    // Types contain no comma.
    let count = if to.is_empty() { 0 } else { to.split(',').count() };
    let outputs = (0..count).map(|k| format!("%r{k}")).collect::<Vec<_>>().join(", ");
    text += &format!(
        "func.func @{ENTRY}({}) -> ({to}){} {{\n  {outputs} = {request}\n  return {outputs} : {to}\n}}\n",
        declared(b, &all),
        sizes(b)
    );
    Written { text, kind, inner, own_arguments }
}

/// Computes one number from all results: means of them or of their squares.
fn loss(b: &mut Builder, results: &[Value]) -> Value {
    let mut all = b.real(0.0);
    for z in results {
        let z = b.tame(z.clone());
        let each = if b.below(3) > 0 { b.binary(Kind::ArithMulf, &z, &z) } else { z };
        let axes: Vec<usize> = (0..each.rank()).collect();
        let mean = if axes.is_empty() { each } else { b.mean(&each, &axes) };
        all = b.binary(Kind::ArithAddf, &all, &mean);
    }
    all
}

/// Returns the attribute with the sizes of the arguments, in the specialised form.
fn sizes(b: &Builder) -> String {
    if b.form != Form::Specialised {
        return String::new();
    }
    let one = |p: &Parameter| match p.value.shape.as_slice() {
        [] => "-".to_string(),
        shape => shape.iter().map(|&d| b.size(d).to_string()).collect::<Vec<_>>().join("x"),
    };
    format!(" attributes {{array.sizes = \"{}\"}}", b.parameters.iter().map(one).collect::<Vec<_>>().join(","))
}
