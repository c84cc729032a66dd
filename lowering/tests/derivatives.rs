//! Tests of derivatives of random programs with loops whose length depends on data: the compiled code agrees with the
//! evaluator, both if all states are stored and with segments.
//!
//! A failure prints the seed and the smallest program. `MLOPT_SEED` repeats one seed, `MLOPT_CASES` sets the number of
//! cases.

use crate::common::{differs, lower};
use crate::programs::{self, Options};
use crate::requests::{self, Watched, directions};
use crate::samples::{self, Failure, parse};
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::Array;
use mlopt_lowering::native::{Error, Target};
use mlopt_runtime::code::Compiled;

/// Compares `@vjp` of `@f` in `text` at points that depend on `seed`. Returns the number of points.
fn compare(text: &str, seed: u64, options: &str) -> Result<usize, Failure> {
    let alone = parse(text);
    let signature = alone.module().lookup("f").and_then(Op::function_type).expect("there is `@f`");
    if !signature.1.iter().any(|t| t.is_differentiable()) {
        return Ok(0);
    }
    let requests = requests::with_requests(text, &signature);
    let pipeline = format!("builtin.module(differentiate{options},canonicalize,cse)");
    let differentiated = || -> Result<_, Failure> {
        let program = parse(&requests);
        samples::run(&program, &pipeline)?;
        Ok(program)
    };
    let (program, lowered) = (differentiated()?, differentiated()?);
    let target = Target::host().expect("this machine");
    target.describe(lowered.module());
    lower(lowered.module()).map_err(|e| Failure::new("it is not lowered", e))?;
    let compiled = Compiled::new(lowered.module(), &target).map_err(|e| Failure::new("it is not compiled", e))?;
    let code = compiled.function("vjp").map_err(|e| Failure::new("no function", e))?;
    let mut made = 0;
    for sizes in [[3, 2, 2], [1, 4, -1], [2, 1, 1]] {
        let x = samples::arguments(program.module(), sizes, seed);
        let watched = Watched::new(program.module());
        let call = |name: &str, given: &[Array]| watched.call(name, given);
        let Ok(y) = call("f", &x) else { continue };
        let given = [x, directions(&y, seed * 97)].concat();
        let want = call("vjp", &given);
        if watched.met_unknown_sizes() {
            continue;
        }
        let want = want.map_err(|e| Failure::new("no cotangent", e))?;
        let got = match code.call(&given) {
            // Sizes that agree by chance may not be known to agree.
            Err(Error::Check { .. }) => continue,
            got => got.map_err(|e| Failure::new("the call fails", e))?,
        };
        // Chaotic and overflowing results are not compared.
        if want.iter().any(|w| w.to_f64().iter().any(|x| x.is_nan() || x.abs() >= 1e8)) {
            continue;
        }
        for (k, (g, w)) in got.iter().zip(&want).enumerate() {
            if let Some(difference) = differs(g, w, 1e-5) {
                return Err(Failure::new("the code differs", format!("{sizes:?}, result {k}: {difference}")));
            }
        }
        made += 1;
    }
    Ok(made)
}

#[test]
fn loops_that_data_decides_have_the_same_derivatives_in_compiled_code() {
    let cases = mlopt_cases::count(20);
    let program = |seed: u64| programs::program(seed, Options { ops: 12, depth: 2, upstream: false, stable: false });
    let with_loops = |seed: &u64| mlopt_cases::is_one() || program(*seed).contains("scf.while");
    let seeds = (mlopt_cases::seeds(1, 1).start..).filter(with_loops).take(cases as usize);
    let mut made = 0;
    samples::check_programs(seeds, &["", "{memory-budget=0}"], program, |text, seed, options| {
        made += compare(text, seed, options)?;
        Ok(())
    });
    println!("{cases} programs, {made} comparisons");
    assert!(mlopt_cases::is_one() || made as u64 > cases, "most programs are refused");
}
