//! Growth, measured in instructions instead of time: the factor by which the instruction count increases for a program
//! of four times the size. Quadratic work would increase by a factor of sixteen.

use super::callgrind::own_counts;
use crate::error::{Context, Error};
use crate::foreign::counted_call;
use mlopt::notation::imported;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::Element;
use mlopt_frontend::streams::{Request, import};
use mlopt_frontend::terms::{Zeros, import_text};
use mlopt_passes::ad::discrete;

/// The ratio of the sizes of the two programs.
const TIMES: usize = 4;

/// An operation on programs of any size.
struct Case {
    name: &'static str,
    /// The size of the first program.
    size: usize,
    /// The maximum exponent of the growth of work with the size.
    exponent: f64,
    text: fn(usize) -> String,
    work: fn(&str) -> Result<(), Error>,
}

impl Case {
    const fn new(
        name: &'static str,
        size: usize,
        text: fn(usize) -> String,
        work: fn(&str) -> Result<(), Error>,
    ) -> Case {
        Case { name, size, exponent: 1.1, text, work }
    }
}

const CASES: &[Case] = &[
    Case::new("import-lambda: definitions", 500, definitions_of_functions, import_functions),
    Case::new("import-lambda: bindings", 1000, bindings, import_functions),
    Case::new("import-terms: definitions", 2000, definitions_of_terms, import_terms),
    Case::new("import-streams: nodes", 500, nodes, import_streams),
    Case::new("differentiate: requests", 500, requests, differentiate),
    Case::new("differentiate: Hessians", 250, hessians, differentiate),
    Case::new("differentiate: requests in one function", 500, repeated, differentiate),
    Case::new("differentiate: calls of calls", 250, calls, differentiate),
    Case::new("differentiate: warnings about arguments", 1000, arguments, warnings),
    Case::new("stream-simplify: equations", 1000, equations, |text| run(text, "stream-simplify")),
    Case::new("stream-grad: equations", 250, equations, |text| run(text, "stream-grad,differentiate")),
    Case::new("stream-to-loops: delays", 500, delays, |text| run(text, "stream-to-loops")),
    // Each result of a loop is a term that contains all operands of the loop, so a part of the work is quadratic.
    Case { exponent: 1.6, ..Case::new("egg-optimize: a loop with many states", 100, delays, optimise_loop) },
];

/// Concatenates a text for each number below `n`.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

fn definitions_of_functions(n: usize) -> String {
    lines(n, |k| format!("(def f{k} ((x f64)) (* x (f{} x)))\n", k / 2)).replacen("(* x (f0 x))", "x", 1)
}

fn bindings(n: usize) -> String {
    let all = lines(n, |k| format!("(x{} (* x{k} x0))\n", k + 1));
    format!("(def f ((x0 f64)) (let ({all}) x{n}))")
}

fn definitions_of_terms(n: usize) -> String {
    lines(n, |k| format!("(def f{k} ((x f64)) (* x x))\n"))
}

/// Returns nodes that an expression in one line instantiates.
fn nodes(n: usize) -> String {
    let all = lines(n, |k| format!("node g{k}(x) -> (y) let y = x + 1.0; tel\n"));
    format!("{all}node f() -> (y) let x = 1.0; y = x{}; tel\n", lines(n, |k| format!(" + g{k}(x)")))
}

const SQUARE: &str = "(%x: f64) -> f64 { %y = arith.mulf %x, %x : f64 return %y : f64 }\n";

fn requests(n: usize) -> String {
    lines(n, |k| {
        format!(
            "func.func @f{k}{SQUARE}func.func @g{k}(%x: f64, %c: f64) -> f64 {{
               %y, %g = dual.vjp @f{k}(%x) cotangents(%c) wrt [0] : (f64, f64) -> (f64, f64)
               return %g : f64
             }}\n"
        )
    })
}

fn hessians(n: usize) -> String {
    lines(n, |k| {
        format!(
            "func.func @f{k}{SQUARE}func.func @g{k}(%x: f64, %t: f64) -> f64 {{
               %h = dual.hvp @f{k}(%x) tangents(%t) : (f64, f64) -> f64
               return %h : f64
             }}\n"
        )
    })
}

fn repeated(n: usize) -> String {
    let all = lines(n, |k| {
        format!("%y{k}, %x{} = dual.vjp @f(%x{k}) cotangents(%c) wrt [0] : (f64, f64) -> (f64, f64)\n", k + 1)
    });
    format!("func.func @f{SQUARE}func.func @g(%x0: f64, %c: f64) -> f64 {{\n{all}return %x{n} : f64 }}\n")
}

fn calls(n: usize) -> String {
    let all = lines(n, |k| {
        let next = k + 1;
        format!(
            "func.func @f{next}(%x: f64) -> f64 {{
               %y = func.call @f{k}(%x) : (f64) -> f64
               %z = arith.mulf %x, %y : f64
               return %z : f64
             }}\n"
        )
    });
    format!(
        "func.func @f0{SQUARE}{all}func.func @g(%x: f64, %c: f64) -> f64 {{
           %y, %g = dual.vjp @f{n}(%x) cotangents(%c) wrt [0] : (f64, f64) -> (f64, f64)
           return %g : f64
         }}\n"
    )
}

/// One request for the gradients in `n` arguments, of which integers may hide some.
fn arguments(n: usize) -> String {
    let list = |item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(", ");
    let (parameters, types) = (list(&|k| format!("%x{k}: f64")), list(&|_| "f64".into()));
    let sums = lines(n, |k| format!("%s{} = arith.addf %s{k}, %x{k} : f64\n", k + 1));
    format!(
        "func.func @f({parameters}) -> f64 {{
           %whole = arith.fptosi %x0 : f64 to i64
           %s0 = arith.sitofp %whole : i64 to f64
           {sums}
           return %s{n} : f64
         }}
         func.func @g({parameters}) -> f64 {{
           %g:{n} = dual.grad @f({}) mode reverse : ({types}) -> ({types})
           return %g#0 : f64
         }}\n",
        list(&|k| format!("%x{k}"))
    )
}

fn node(equations: &str, last: usize) -> String {
    format!("stream.node @f(%x0: f64) -> (y: f64) {{\n{equations}stream.yield %x{last} : f64\n}}\n")
}

fn equations(n: usize) -> String {
    node(&lines(n, |k| format!("%x{} = arith.mulf %x{k}, %x0 : f64\n", k + 1)), n)
}

fn delays(n: usize) -> String {
    let all = lines(n, |k| format!("%x{} = stream.fby %zero, %x{k} : f64\n", k + 1));
    node(&format!("%zero = arith.constant 0.0 : f64\n{all}"), n)
}

fn wrong<E>(_: E) -> Error {
    Error::Rejected("the program is rejected".into())
}

fn import_functions(text: &str) -> Result<(), Error> {
    imported("growth.lambda", text.as_bytes()).map(drop).map_err(wrong)
}

fn import_terms(text: &str) -> Result<(), Error> {
    import_text(text, Zeros::Numbers).map(drop).map_err(wrong)
}

fn import_streams(text: &str) -> Result<(), Error> {
    let request = Request { node: None, statics: vec![], types: vec![], float: Element::F64 };
    import(text, "growth.rml2", &request).map(drop).map_err(wrong)
}

fn run(text: &str, pipeline: &str) -> Result<(), Error> {
    let program = Program::parse(text.as_bytes(), "growth.mlir").map_err(wrong)?;
    program.run_pipeline(&format!("builtin.module({pipeline})")).map_err(wrong)
}

fn differentiate(text: &str) -> Result<(), Error> {
    run(text, "differentiate")
}

fn warnings(text: &str) -> Result<(), Error> {
    let program = Program::parse(text.as_bytes(), "growth.mlir").map_err(wrong)?;
    discrete::warn(program.module(), |_| true);
    Ok(())
}

fn optimise_loop(text: &str) -> Result<(), Error> {
    run(text, "stream-to-loops,func.func(egg-optimize)")
}

/// Runs all cases, in the process that valgrind observes.
pub fn counted() -> Result<bool, Error> {
    for case in CASES {
        // Initialisation of the process must not be attributed to a size.
        (case.work)(&(case.text)(2)).context(case.name)?;
        for size in [case.size, TIMES * case.size] {
            let text = (case.text)(size);
            counted_call(&|| (case.work)(&text)).context(case.name)?;
        }
    }
    Ok(true)
}

/// Prints the growth of work. Returns false if it exceeds a maximum.
pub fn check() -> Result<bool, Error> {
    let found = own_counts(&["--growth"], "programs", 2 * CASES.len())?;
    let mut is_fine = true;
    for (case, pair) in CASES.iter().zip(found.chunks(2)) {
        let exponent = (pair[1] as f64 / pair[0] as f64).log(TIMES as f64);
        let (small, large) = (case.size, TIMES * case.size);
        let (less, more) = (pair[0] / 1_000_000, pair[1] / 1_000_000);
        let verdict =
            if exponent <= case.exponent { String::new() } else { format!("  FAILS: above {}", case.exponent) };
        println!("{:40} {less:5} Mi at {small:5}, {more:5} Mi at {large:5}: n^{exponent:.2}{verdict}", case.name);
        is_fine &= exponent <= case.exponent;
    }
    Ok(is_fine)
}
