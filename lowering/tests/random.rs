//! Tests on random programs over arrays. Four results agree: that of the evaluator, of the compiled code, of the
//! compiled code after `egg-optimize`, and of the code of GPU kernels, which is run on the CPU.
//!
//! A failure prints the seed and the smallest program. `MLOPT_SEED` repeats one seed, `MLOPT_CASES` sets the number of
//! cases.

use crate::common::{differs, lower, lower_kernels};
use crate::programs;
use crate::requests::{STEPS, Watched};
use crate::samples::{self, Failure, parse};
use mlopt::cli::equiv::measure::{Call, Measure};
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::Array;
use mlopt_lowering::native::{Error, Target};
use mlopt_runtime::code::{Compiled, Function};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// A method of compiling a program.
#[derive(Clone, Copy, Debug)]
enum Compilation {
    Plain,
    Optimised,
    /// Via kernels for a GPU.
    Kernels {
        backwards: bool,
        blocks: i64,
    },
}

impl Compilation {
    /// Returns the code of `@f`.
    fn compile(self, text: &str, target: &Target) -> Result<Function, Failure> {
        let program = parse(text);
        let module = program.module();
        target.describe(module);
        let passes = match self {
            Compilation::Optimised => "builtin.module(func.func(vmap,egg-optimize))",
            _ => "builtin.module(func.func(vmap))",
        };
        program.run_pipeline(passes).map_err(|_| Failure::new("the passes fail", passes))?;
        let lowered = match self {
            Compilation::Kernels { backwards, blocks } => lower_kernels(module, backwards, blocks),
            _ => lower(module),
        };
        lowered.map_err(|e| Failure::new("it is not lowered", e))?;
        let compiled = Compiled::new(module, target).map_err(|e| Failure::new("it is not compiled", e))?;
        compiled.function("f").map_err(|e| Failure::new("no function", e))
    }
}

/// Checks whether rounding explains that results of `f` and of its code differ.
fn is_rounding(f: Op, arguments: &[Array], want: &[Array], got: &[Array]) -> bool {
    let mut measure = Measure::of(&f.module().expect("a function of a module").nested_ops(), None);
    measure.zeros = false;
    // The sizes of empty arrays may differ.
    let filled = |(w, g): (&Array, &Array)| if w.is_empty() && g.is_empty() { w } else { g }.clone();
    let got: Vec<Array> = want.iter().zip(got).map(filled).collect();
    let call = Call { sides: [f, f], x: arguments, steps: STEPS };
    measure.difference(&call, want, &got, &mut ChaCha8Rng::seed_from_u64(1)).is_none()
}

/// Compares the results of `@f` at points that `seed` determines. Returns the number of comparisons.
fn check(text: &str, seed: u64, compilation: Compilation) -> Result<usize, Failure> {
    let original = parse(text);
    let f = original.module().lookup("f").expect("there is `@f`");
    let code = compilation.compile(text, &Target::host().expect("this machine"))?;
    let mut compared = 0;
    for sizes in [[4, 2, 3], [1, 5, -1], [0, 3, 2], [3, 3, 1]] {
        let arguments = samples::arguments(original.module(), sizes, seed);
        let watched = Watched::new(original.module());
        let want = watched.call("f", &arguments);
        if watched.met_unspecified_values() {
            continue;
        }
        // A call that the evaluator rejects has no value to compare.
        let Ok(want) = want else { continue };
        let report = |kind, what: String| Failure::new(kind, format!("{compilation:?}, {sizes:?}: {what}"));
        let got = match code.call(&arguments) {
            // Sizes that agree by chance may not be known to agree.
            Err(Error::Check { .. }) => continue,
            got => got.map_err(|e| report("the call fails", e.to_string()))?,
        };
        let again = code.call(&arguments).map_err(|e| report("the second call fails", e.to_string()))?;
        // Compared as text, so that NaN equals NaN.
        if format!("{got:?}") != format!("{again:?}") {
            return Err(report("the second call differs", format!("{got:?}\nand\n{again:?}")));
        }
        let found = got.iter().zip(&want).find_map(|(g, w)| differs(g, w, 1e-7));
        if let Some(difference) = found
            && !is_rounding(f, &arguments, &want, &got)
        {
            return Err(report("another value", format!("{difference}\ngot  {got:?}\nwant {want:?}")));
        }
        compared += 1;
    }
    Ok(compared)
}

#[test]
fn programs_agree() {
    let program = |seed| programs::program(seed, programs::Options { ops: 16, depth: 3, upstream: false });
    let compilations = [
        Compilation::Plain,
        Compilation::Optimised,
        Compilation::Kernels { backwards: false, blocks: 0 },
        Compilation::Kernels { backwards: true, blocks: 3 },
    ];
    let mut compared = 0;
    samples::check_programs(mlopt_cases::seeds(1, 90), &compilations, program, |text, seed, compilation| {
        compared += check(text, seed, compilation)?;
        Ok(())
    });
    let cases = mlopt_cases::count(90);
    println!("{cases} programs, {compared} comparisons");
    assert!(mlopt_cases::is_one() || compared as u64 > cases, "only {compared} comparisons");
}
