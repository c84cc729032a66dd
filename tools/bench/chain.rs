//! Measurement of long programs: x ← x + x, up to 10,000 times, in reverse mode. Compile time and run time must grow
//! linearly.

use crate::error::{Context, Error};
use crate::optimiser::compiled;
use crate::timing::{exponent, median};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::Array;
use mlopt_lowering::pipelines::{LOWER_CPU, pipeline_text};
use std::time::Instant;

const LENGTHS: [usize; 4] = [1250, 2500, 5000, 10_000];
/// The maximum exponent: linear growth, plus the effect of memory.
const MAX_EXPONENT: f64 = 1.35;

/// Prints a line per length. Returns false if the time to differentiate, or to lower and compile, does not grow
/// linearly.
pub fn scaling() -> Result<bool, Error> {
    mlopt_lowering::register_passes();
    println!("{:>7} {:>14} {:>20}", "links", "differentiate", "lower and compile");
    let (mut first, mut second) = (vec![], vec![]);
    for length in LENGTHS {
        let mut times = [vec![], vec![]];
        for _ in 0..5 {
            let (differentiate, compile) = once(length)?;
            times[0].push(differentiate);
            times[1].push(compile);
        }
        let [differentiate, compile] = times.map(median);
        println!("{length:>7} {:>11.1} ms {:>17.1} ms", 1e3 * differentiate, 1e3 * compile);
        first.push((length as f64, differentiate));
        second.push((length as f64, compile));
    }
    let (p, q) = (exponent(&first), exponent(&second));
    println!("time grows as n^{p:.2} and n^{q:.2}");
    Ok(p <= MAX_EXPONENT && q <= MAX_EXPONENT)
}

/// Returns the seconds to differentiate, and to lower and compile the result.
fn once(length: usize) -> Result<(f64, f64), Error> {
    let rejected = |_| Error::Rejected("the chain does not compile".into());
    let program = Program::parse(text(length).as_bytes(), "chain").map_err(rejected)?;
    let started = Instant::now();
    program.run_pipeline(&pipeline_text(&["bulk-operations", "differentiate"])).map_err(rejected)?;
    let differentiate = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let code = compiled(&program, &pipeline_text(LOWER_CPU)).context("the chain does not compile")?;
    let function = code.function("gradient")?;
    let compile = started.elapsed().as_secs_f64();
    let found = function.call(&[Array::f64(1.0)])?;
    // Each link takes half of the sum, so the derivative is exactly one.
    if found != [Array::f64(1.0)] {
        Err(Error::Wrong(format!("{length} links: the gradient is {found:?}")))
    } else {
        Ok((differentiate, compile))
    }
}

fn text(length: usize) -> String {
    let mut text = "func.func private @chain(%x0: f64) -> f64 {\n  %half = arith.constant 0.5 : f64\n".to_string();
    for k in 1..=length {
        text += &format!("  %y{k} = arith.addf %x{0}, %x{0} : f64\n  %x{k} = arith.mulf %half, %y{k} : f64\n", k - 1);
    }
    text + &format!(
        "  return %x{length} : f64\n}}\nfunc.func @gradient(%x: f64) -> f64 {{
  %g = dual.grad @chain(%x) mode reverse : (f64) -> f64\n  return %g : f64\n}}\n"
    )
}
