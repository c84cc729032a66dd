//! Random programs of real sizes. They are composed of patterns of typical user code, generated in three forms (with
//! static sizes, with dynamic sizes, and with dynamic sizes that `static-sizes` replaces), compiled, and compared with
//! the reference evaluator.
//!
//! [`generate`] writes a program from a seed (`builder.rs`, `ops.rs`, `patterns/`, `requests.rs`). [`check`] compiles
//! it in each form and compares the results (`compare.rs` defines the error bound). [`reduce`] finds smaller sizes that
//! still fail. [`campaign`] runs many seeds in separate processes and collects statistics.

pub mod builder;
pub mod campaign;
pub mod check;
mod compare;
mod ops;
pub mod patterns;
mod reduce;
mod requests;

use builder::{Builder, Draw, Form, Limits, Parameter, Value};
use mlopt_cases::Random;
use mlopt_dialects::value::{Array, Data, Element};
pub use requests::Request;

/// A program with its arguments.
pub struct Program {
    pub text: String,
    pub kind: Request,
    pub float: Element,
    pub patterns: Vec<&'static str>,
    /// The name of the function without a request, which is differentiated.
    pub inner: &'static str,
    pub arguments: Vec<Array>,
    /// The number of arguments of the inner function, which come first.
    pub own_arguments: usize,
    /// The drawn sizes, in order.
    pub sizes: Vec<usize>,
    /// True if inputs are multiples of 1/8, so that ties occur.
    pub coarse: bool,
}

/// Random properties of a whole program, drawn before its text.
struct Plan {
    kind: Request,
    float: Element,
    limits: Limits,
    coarse: bool,
    patterns: usize,
}

fn plan(seed: u64) -> Plan {
    let mut random = Random::new(seed ^ 0x5EED);
    let mut below = |n: usize| random.below(n);
    let kind = match below(10) {
        0..=3 => Request::Primal,
        4..=6 => Request::Vjp,
        7 => Request::Jvp,
        _ => Request::Second,
    };
    let float = if below(5) < 3 { Element::F64 } else { Element::F32 };
    // Uniform on a logarithmic scale; with derivatives, the evaluator takes at least ten times the steps.
    let scale = below(1000) as f64 / 1000.0;
    let most = match kind {
        Request::Primal => (5.0e5, 2.0e5),
        Request::Jvp | Request::Vjp => (5.0e4, 5.0e4),
        Request::Second => (1.0e4, 1.0e4),
    };
    let limits =
        Limits { steps: 500.0 * (most.0 / 500.0f64).powf(scale), elements: 200.0 * (most.1 / 200.0f64).powf(scale) };
    // Derivatives of long programs take long to compile.
    let patterns = match (kind, below(4)) {
        (Request::Second, _) | (_, 0) => 1,
        (Request::Primal, n) => n,
        (_, n) => 1 + n / 3,
    };
    Plan { kind, float, limits, coarse: below(4) == 0, patterns }
}

/// Generates the program of a seed in a form; `sizes` replace drawn sizes.
pub fn generate(seed: u64, form: Form, sizes: &[usize]) -> Program {
    let plan = plan(seed);
    let mut b = Builder::new(seed, form, plan.float, plan.limits, sizes);
    let mut names = vec![];
    let mut results: Vec<Value> = vec![];
    for _ in 0..plan.patterns {
        let pattern = patterns::choose(&mut b);
        let before = b.kept.len();
        (pattern.write)(&mut b);
        names.push(pattern.name);
        if b.kept.len() > before {
            results.push(b.kept[b.kept.len() - 1].clone());
        }
    }
    // Floats are differentiated as the last values of patterns are.
    let (floats, others): (Vec<Value>, Vec<Value>) =
        std::mem::take(&mut b.results).into_iter().partition(Value::is_float);
    results.extend(floats);
    let written = requests::write(&mut b, plan.kind, results, others);
    let arguments = (b.parameters.iter().enumerate())
        .map(|(k, p)| value(&b, p, plan.coarse, seed.wrapping_mul(1000).wrapping_add(k as u64)))
        .collect();
    Program {
        text: written.text,
        kind: written.kind,
        float: plan.float,
        patterns: names,
        inner: written.inner,
        arguments,
        own_arguments: written.own_arguments,
        sizes: b.drawn,
        coarse: plan.coarse,
    }
}

/// Draws the value of an argument.
fn value(b: &Builder, parameter: &Parameter, coarse: bool, seed: u64) -> Array {
    let mut random = Random::new(seed);
    let shape: Vec<usize> = parameter.value.shape.iter().map(|&d| b.size(d)).collect();
    let count: usize = shape.iter().product();
    let number = |_| match parameter.draw {
        Draw::Float if coarse => (8.0 * (3.0 * random.unit() - 1.5)).round() / 8.0,
        Draw::Float => 3.0 * random.unit() - 1.5,
        // Integers of at most 32 bits, which are exact.
        Draw::Integer { low, high } => low as f64 + ((high - low + 1) as f64 * random.unit()).floor(),
        Draw::Bool(chance) => f64::from(random.unit() < chance),
    };
    Array::new(shape, Data::of_f64(parameter.value.element, (0..count).map(number)))
}
