//! The expected values of a benchmark. At sizes that the reference evaluator can run, they are its results. At larger
//! sizes they are the results of unoptimised scalar code, after this code has been compared with the evaluator at a
//! medium size.
//!
//! References are computed in double precision, also for code in single precision. Both get the same inputs, because
//! every single-precision number is a double-precision number. So an error of the code cannot be hidden by rounding of
//! the reference.

use super::programs::Benchmark;
use super::values::arguments;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::text::count;
use mlopt_dialects::value::Array;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::GRAD_PLAIN;
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_runtime::arguments::parameter::index_of;
use mlopt_runtime::code::{Compiled, Function};
use mlopt_runtime::failure::Failure;

/// The maximum error in double and single precision, relative to the largest entry of a result.
pub const TOLERANCE: [f64; 2] = [1e-9, 2e-3];

/// The source of the expected values of a benchmark.
pub enum Reference<'b> {
    Evaluator(&'b Benchmark),
    Plain(&'b Benchmark, Function),
}

impl<'b> Reference<'b> {
    /// Compiles unoptimised scalar code.
    ///
    /// # Errors
    /// The code does not compute the evaluator's values at medium size.
    pub fn plain(benchmark: &'b Benchmark) -> Result<Reference<'b>, Failure> {
        let wrong = |e: &dyn std::fmt::Display| Failure::at(benchmark.name, e);
        let target = Target::plain().map_err(Failure::new)?;
        let program = benchmark.program(false, None)?;
        target.describe(program.module());
        program.run_pipeline(&pipeline_text(GRAD_PLAIN))?;
        let compiled = Compiled::new(program.module(), &target).map_err(|e| wrong(&e))?;
        let function = compiled.function(benchmark.name).map_err(|e| wrong(&e))?;
        let inputs = arguments(benchmark, benchmark.medium).map_err(|e| wrong(&e))?;
        let expected = Reference::Evaluator(benchmark).values(&inputs)?;
        let found = function.call(&inputs).map_err(|e| wrong(&e))?;
        compare(&found, &expected, TOLERANCE[0])
            .map_err(|e| wrong(&format!("unoptimised code at medium size differs from the evaluator: {e}")))?;
        Ok(Reference::Plain(benchmark, function))
    }

    /// Computes the results for `inputs` in double precision.
    pub fn values(&self, inputs: &[Array]) -> Result<Vec<Array>, Failure> {
        match self {
            Reference::Evaluator(benchmark) => {
                let program = benchmark.program(false, None)?;
                program.run_pipeline("builtin.module(differentiate)")?;
                let found = Evaluator::new(program.module()).call(benchmark.name, inputs);
                found.map_err(|e| Failure::at(e.location, e.text))
            }
            Reference::Plain(benchmark, function) => {
                function.call(inputs).map_err(|e| Failure::at(benchmark.name, format!("unoptimised code: {e}")))
            }
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Reference::Evaluator(_) => "the reference evaluator",
            Reference::Plain(..) => "unoptimised scalar code",
        }
    }
}

/// A difference between results.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Difference {
    #[error("expected {}, found {found}", count(*.expected, "result"))]
    Count { expected: usize, found: usize },
    #[error("result {result}: expected the shape {expected:?}, found {found:?}")]
    Shape { result: usize, expected: Vec<usize>, found: Vec<usize> },
    #[error(
        "result {result}: {wrong} of {all} elements differ by more than {tolerance:.0e} times the largest expected \
         element, {scale:e}; at {at:?}, the first of them: expected {expected:e}, found {found:e}"
    )]
    Elements {
        result: usize,
        wrong: usize,
        all: usize,
        tolerance: f64,
        /// The largest expected element.
        scale: f64,
        /// The index of the first wrong element.
        at: Vec<usize>,
        expected: f64,
        found: f64,
    },
}

/// Returns the maximum error of `found`, relative to the largest entry of each result.
///
/// # Errors
/// The error exceeds `tolerance`; the text names the first element beyond it.
pub fn compare(found: &[Array], expected: &[Array], tolerance: f64) -> Result<f64, Difference> {
    if found.len() != expected.len() {
        return Err(Difference::Count { expected: expected.len(), found: found.len() });
    }
    let mut most: f64 = 0.0;
    for (k, (x, y)) in std::iter::zip(found, expected).enumerate() {
        if x.shape() != y.shape() {
            return Err(Difference::Shape { result: k, expected: y.shape().to_vec(), found: x.shape().to_vec() });
        }
        let (numbers, right) = (x.to_f64(), y.to_f64());
        let scale = right.iter().filter(|v| v.is_finite()).fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
        let error = |(a, b): (&f64, &f64)| if a == b { 0.0 } else { (a - b).abs() / scale };
        let errors: Vec<f64> = std::iter::zip(&numbers, &right).map(error).collect();
        // NaN exceeds any tolerance.
        let is_wrong = |e: &f64| !(*e <= tolerance);
        if let Some(first) = errors.iter().position(is_wrong) {
            let (wrong, all) = (errors.iter().filter(|e| is_wrong(e)).count(), errors.len());
            let (at, found, expected) = (index_of(first, x.shape()), numbers[first], right[first]);
            return Err(Difference::Elements { result: k, wrong, all, tolerance, scale, at, expected, found });
        }
        most = errors.into_iter().fold(most, f64::max);
    }
    Ok(most)
}
