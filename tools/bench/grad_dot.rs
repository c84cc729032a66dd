//! Measurement of the gradient of a dot product: forward mode alone needs n² operations, the optimised program n.

use crate::error::{Context, Error};
use crate::optimiser;
use crate::timing::{exponent, median, per_call};
use mlopt_dialects::value::{Array, Element};
use mlopt_runtime::arguments::random::random;
use mlopt_runtime::code::Function;
use std::time::{Duration, Instant};

const PROGRAM: &str = include_str!("grad_dot.mlir");
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// The largest size for which n² operations are feasible.
const FEASIBLE: usize = 10_000;
/// The maximum exponent: linear growth, plus the effect of caches between 10³ and 10⁶.
const MAX_EXPONENT: f64 = 1.25;
/// The maximum time from text to the first result.
const MAX_LATENCY: Duration = Duration::from_millis(50);

/// Prints a line per size. Returns false if the optimised time does not grow linearly.
pub fn scaling() -> Result<bool, Error> {
    let optimised = compile(&mlopt_lowering::pipelines::default_pipeline())?;
    let naive = compile(&mlopt_lowering::pipelines::pipeline_without("egg-optimize"))?;
    println!("{:>9} {:>14} {:>14} {:>9}", "n", "optimised", "unoptimised", "ratio");
    let (mut fast, mut slow) = (vec![], vec![]);
    for n in SIZES {
        let vector = |seed| random(&format!("{n}xf64:seed={seed}:normal"));
        let arguments = [vector(1)?, vector(2)?];
        // The gradient of x·y with respect to x is exactly y: each sum has a single nonzero term.
        let result = call(&optimised, &arguments)?;
        if result != arguments[1] {
            return Err(Error::Wrong(format!("n = {n}: the optimised gradient is not the second argument")));
        }
        let t = time(&optimised, &arguments)?;
        fast.push((n as f64, t));
        if n > FEASIBLE {
            println!("{n:>9} {:>14} {:>14} {:>9}", show(t), "–", "–");
            continue;
        }
        if call(&naive, &arguments)? != result {
            return Err(Error::Wrong(format!("n = {n}: the optimised and the unoptimised gradient differ")));
        }
        let t_naive = time(&naive, &arguments)?;
        slow.push((n as f64, t_naive));
        println!("{n:>9} {:>14} {:>14} {:>8.0}x", show(t), show(t_naive), t_naive / t);
    }
    let p = exponent(&fast);
    println!("time grows as n^{p:.2} optimised, n^{:.2} unoptimised", exponent(&slow));
    Ok(p <= MAX_EXPONENT)
}

/// Prints the time from text to the first result, in this process. Returns false if it is too long.
pub fn latency() -> Result<bool, Error> {
    let arguments = [Array::vector(&[1.0, 2.0, 3.0]), Array::vector(&[4.0, 5.0, 6.0])];
    let pipeline = mlopt_lowering::pipelines::default_pipeline();
    let once = || {
        let started = Instant::now();
        let function = compile(&pipeline)?;
        let result = call(&function, &arguments)?;
        let time = started.elapsed().as_secs_f64();
        if result != arguments[1] { Err(Error::Wrong("the gradient is wrong".into())) } else { Ok(time) }
    };
    let first = once()?;
    let times = (0..20).map(|_| once()).collect::<Result<Vec<f64>, _>>()?;
    let typical = median(times);
    println!("text to first result: {} the first time in a process, then {}", show(first), show(typical));
    Ok(first <= MAX_LATENCY.as_secs_f64())
}

fn compile(pipeline: &str) -> Result<Function, Error> {
    mlopt_lowering::register_passes();
    optimiser::compile(PROGRAM, pipeline, "grad_dot")
}

fn call(function: &Function, arguments: &[Array]) -> Result<Array, Error> {
    let mut results = function.call(arguments)?;
    results.pop().context("no result")
}

/// Returns the seconds per call into a preallocated result.
fn time(function: &Function, arguments: &[Array]) -> Result<f64, Error> {
    let mut results = [Array::zeros(Element::F64, arguments[0].shape())];
    function.call_into(arguments, &mut results)?;
    Ok(per_call(9, Duration::from_millis(20), || {
        function.call_into(arguments, &mut results).expect("it worked with the same sizes");
    }))
}

fn show(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
