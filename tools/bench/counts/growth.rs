//! Growth, measured in instructions instead of time: the factor by which the instruction count increases for a program
//! of four times the size. Quadratic work would increase by a factor of sixteen.

use super::callgrind::own_counts;
use super::code::PROCESSOR;
use crate::error::{Context, Error};
use crate::foreign::counted_call;
use mlopt_cli::notation::imported;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::Element;
use mlopt_frontend::streams::{Request, import};
use mlopt_frontend::terms::{Zeros, import_text};
use mlopt_lowering::native::{Emit, Target};
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, Pipeline, default_pipeline};
use mlopt_passes::ad::discrete;
use mlopt_runtime::streams::embed::Embedded;
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use std::collections::HashMap;

/// The ratio of the sizes of the two programs.
const TIMES: usize = 4;

/// Programs of any size, each after a line `=== NAME`. In a program of size n, the text between `«` and `»` is repeated
/// for each k from 0 to n, exclusive; `{k}`, `{k+1}`, `{(k+1)/2}`, `{n}` and `{n+1}` are these numbers.
const PROGRAMS: &str = include_str!("growth.txt");

/// An operation on programs of any size.
struct Case {
    name: &'static str,
    /// The size of the first program.
    size: usize,
    /// The maximum exponent of the growth of work with the size.
    exponent: f64,
    /// The name of the program.
    program: &'static str,
    work: fn(&str) -> Result<(), Error>,
}

impl Case {
    const fn new(name: &'static str, size: usize, program: &'static str, work: fn(&str) -> Result<(), Error>) -> Case {
        Case { name, size, exponent: 1.1, program, work }
    }

    /// Returns the program of a size.
    fn text(&self, n: usize) -> Result<String, Error> {
        let program = PROGRAMS.split("=== ").find_map(|text| text.strip_prefix(self.program)?.strip_prefix('\n'));
        let mut text = String::new();
        for part in program.context(format_args!("growth.txt has no program `{}`", self.program))?.split('«') {
            let (repeated, rest) = part.split_once('»').unwrap_or(("", part));
            for k in 0..n {
                let of_k = [("{k}", k), ("{k+1}", k + 1), ("{(k+1)/2}", k.div_ceil(2))];
                text += &of_k.iter().fold(repeated.to_string(), |all, (mark, k)| all.replace(mark, &k.to_string()));
            }
            text += &rest.replace("{n}", &n.to_string()).replace("{n+1}", &(n + 1).to_string());
        }
        Ok(text)
    }
}

const CASES: &[Case] = &[
    Case::new("import-lambda: definitions", 500, "functions", import_functions),
    Case::new("import-lambda: bindings", 1000, "bindings", import_functions),
    // MLIR's verifier visits all regions between a use and its definition, so a part of the work is quadratic.
    Case { exponent: 1.3, ..Case::new("functions: conditionals", 75, "conditionals", optimise_functions) },
    Case::new("functions: calls of lambdas", 12, "calls of lambdas", optimise_functions),
    Case::new("import-terms: definitions", 2000, "terms", import_terms),
    Case::new("import-streams: nodes", 500, "nodes", import_streams),
    Case::new("differentiate: requests", 500, "requests", differentiate),
    Case::new("differentiate: Hessians", 250, "hessians", differentiate),
    Case::new("differentiate: requests in one function", 500, "repeated", differentiate),
    Case::new("differentiate: calls of calls", 250, "calls", differentiate),
    Case::new("differentiate: warnings about arguments", 1000, "arguments", warnings),
    Case::new("stream-simplify: equations", 1000, "equations", |text| run(text, "stream-simplify")),
    Case::new("stream-grad: equations", 250, "equations", |text| run(text, "stream-grad,differentiate")),
    Case::new("stream-to-loops: delays", 500, "delays", |text| run(text, "stream-to-loops")),
    Case::new("loops-to-llvm: conditionals", 500, "branches", |text| run(text, "loops-to-llvm")),
    Case::new("compile --node: filters", 250, "filters", compile_node),
    // Each result of a loop is a term that contains all operands of the loop, so a part of the work is quadratic.
    Case { exponent: 1.6, ..Case::new("egg-optimize: a loop with many states", 100, "delays", optimise_loop) },
];

fn wrong<E>(_: E) -> Error {
    Error::Rejected("the program is rejected".into())
}

fn import_functions(text: &str) -> Result<(), Error> {
    imported("growth.lambda", text.as_bytes()).map(drop).map_err(wrong)
}

fn optimise_functions(text: &str) -> Result<(), Error> {
    let program = imported("growth.lambda", text.as_bytes()).map_err(wrong)?;
    // Upstream's canonicalisation is quadratic in the depth, and the optimiser of arrays has a limit for the depth.
    let passes = ["canonicalize", "cse", "egg-optimize"];
    let pipeline = passes.into_iter().fold(Pipeline::of(FUNCTIONS_CPU), Pipeline::without);
    program.run_pipeline(&pipeline.to_string()).map_err(wrong)
}

fn import_terms(text: &str) -> Result<(), Error> {
    import_text("growth.terms", text, Zeros::Numbers).map(drop).map_err(wrong)
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

fn compile_node(text: &str) -> Result<(), Error> {
    let program = Program::parse(text.as_bytes(), "growth.mlir").map_err(wrong)?;
    program.run_pipeline(PIPELINE).map_err(wrong)?;
    let flat = Flat::new(Flat::named(&program, "@f").map_err(wrong)?).map_err(wrong)?;
    let target = Target::named(PROCESSOR, "")?;
    let node = Embedded::new(&flat, &HashMap::new(), None, &default_pipeline(), &target).map_err(wrong)?;
    target.emit(node.module(), Emit::Object).map(drop).map_err(Error::from)
}

/// The number of processes that valgrind observes at once, each with a part of the cases.
const PARTS: usize = 2;

/// Returns the cases of a part.
fn part(k: usize) -> impl ExactSizeIterator<Item = &'static Case> {
    CASES.iter().skip(k).step_by(PARTS)
}

/// Runs the cases of a part, in a process that valgrind observes.
pub fn counted(k: usize) -> Result<bool, Error> {
    for case in part(k) {
        // Initialisation of the process must not be attributed to a size.
        (case.work)(&case.text(2)?).context(case.name)?;
        for size in [case.size, TIMES * case.size] {
            let text = case.text(size)?;
            counted_call(&mut || (case.work)(&text)).context(case.name)?;
        }
    }
    Ok(true)
}

/// Prints the growth of work. Returns false if it exceeds a maximum.
pub fn check() -> Result<bool, Error> {
    let count = |k: usize| own_counts(&["--growth", &k.to_string()], &format!("cases-{k}"), 2 * part(k).len());
    let found = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..PARTS).map(|k| scope.spawn(move || count(k))).collect();
        let joined = threads.into_iter().map(|thread| thread.join().ok().context("a thread has ended early")?);
        joined.collect::<Result<Vec<Vec<u64>>, Error>>()
    })?;
    let mut is_fine = true;
    for (k, case) in CASES.iter().enumerate() {
        let pair = &found[k % PARTS][2 * (k / PARTS)..][..2];
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
