//! Tests on random programs over arrays. Four results agree: that of the evaluator, of the compiled code, of the
//! compiled code after `egg-optimize`, and of the code of GPU kernels, which is run on the CPU.
//!
//! A failure prints the seed and the smallest program. `MLOPT_SEED` repeats one seed, `MLOPT_CASES` sets the number of
//! cases.

use crate::common::{differs, lower, lower_kernels};
use crate::programs::{self, Options};
use crate::samples::{self, Failure, parse};
use mlopt_dialects::eval::Evaluator;
use mlopt_lowering::native::{Error, Target};
use mlopt_runtime::code::{Compiled, Function};

/// The step limit. No program of the generator needs more, but one that is being reduced may not terminate.
const STEPS: u64 = 20_000_000;

/// A method of compiling a program.
#[derive(Clone, Copy, Debug)]
enum Compilation {
    Plain,
    Optimised,
    /// Via kernels for a GPU: for odd seeds in order, for even ones in reverse order with more blocks.
    Kernels,
}

impl Compilation {
    /// Returns the code of `@f`.
    fn compile(self, text: &str, seed: u64, target: &Target) -> Result<Function, Failure> {
        let program = parse(text);
        let module = program.module();
        target.describe(module);
        let passes = match self {
            Compilation::Optimised => "builtin.module(func.func(vmap,egg-optimize))",
            _ => "builtin.module(func.func(vmap))",
        };
        samples::run(&program, passes)?;
        let lowered = match self {
            Compilation::Kernels if seed.is_multiple_of(2) => lower_kernels(module, true, 3),
            Compilation::Kernels => lower_kernels(module, false, 0),
            _ => lower(module),
        };
        lowered.map_err(|e| Failure::new("it is not lowered", e))?;
        let compiled = Compiled::new(module, target).map_err(|e| Failure::new("it is not compiled", e))?;
        compiled.function("f").map_err(|e| Failure::new("no function", e))
    }
}

/// Compares the results of `@f` at points that `seed` determines.
fn check(text: &str, seed: u64, compilation: Compilation) -> Result<(), Failure> {
    let original = parse(text);
    let code = compilation.compile(text, seed, &Target::host().expect("this machine"))?;
    for sizes in [[4, 2, 3], [1, 5, 2], [0, 3, 2], [3, 3, 1], [2, 4, -1]] {
        let arguments = samples::arguments(original.module(), sizes, seed);
        let report = |kind, what: String| Failure::new(kind, format!("{compilation:?}, {sizes:?}: {what}"));
        let want = Evaluator::new(original.module()).with_limit(STEPS).call("f", &arguments);
        let is_empty = sizes.iter().any(|n| *n <= 0);
        let (want, got) = match (want.map_err(|e| e.to_string()), code.call(&arguments)) {
            (Ok(want), Ok(got)) => (want, got),
            // In the evaluator, rows of an empty build have no sizes.
            (Err(_), _) if is_empty => continue,
            // A negative size counts as zero; equal sizes may not be known to be equal then.
            (_, Err(Error::Check { .. })) if sizes[2] < 0 => continue,
            (want, got) => {
                let errors = format!("the evaluator has {:?}, the code {:?}", want.err(), got.err());
                return Err(report("only one has results", errors));
            }
        };
        let again = code.call(&arguments).map_err(|e| report("the second call fails", e.to_string()))?;
        // Compared as text, so that NaN equals NaN.
        if format!("{got:?}") != format!("{again:?}") {
            return Err(report("the second call differs", format!("{got:?}\nand\n{again:?}")));
        }
        // In the code, rows of an empty build have the sizes that they would have.
        let has_sizes = is_empty && got.iter().zip(&want).any(|(g, w)| g.shape() != w.shape());
        let difference = got.iter().zip(&want).find_map(|(g, w)| differs(g, w, 1e-7));
        if let Some(difference) = difference
            && !has_sizes
        {
            return Err(report("another value", format!("{difference}\ngot  {got:?}\nwant {want:?}")));
        }
    }
    Ok(())
}

fn programs_agree(compilation: Compilation) {
    let program = |seed| programs::program(seed, Options { ops: 24, depth: 3, upstream: false, stable: true });
    samples::check_programs(mlopt_cases::seeds(1, 150), &[compilation], program, check);
}

#[test]
fn plain_programs_agree() {
    programs_agree(Compilation::Plain);
}

#[test]
fn optimised_programs_agree() {
    programs_agree(Compilation::Optimised);
}

#[test]
fn kernels_agree() {
    programs_agree(Compilation::Kernels);
}
