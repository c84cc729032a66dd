//! Named pipelines: each a plain list of passes, in order.

use crate::ir::{Op, load_dialects};
use crate::llvm::loops_to_llvm;
use crate::loops::sweeps_to_loops;
use crate::memory::plan_memory;
use crate::sweeps::array_to_sweeps;
use mlopt_dialects::Reported;

/// Derivatives on the CPU. In: `array` with requests of `dual`. Out: `llvm`.
pub const GRAD_CPU: &[&str] = &[
    "differentiate",
    "keep-sizes",
    "canonicalize",
    "cse",
    "egg-optimize",
    "array-to-sweeps",
    "plan-memory",
    "sweeps-to-loops",
    "loops-to-llvm",
];

/// Functional programs on the CPU. In: `lambda`, with open types if need be. Out: `llvm`.
pub const FUNCTIONS_CPU: &[&str] = &[
    "lambda-specialise",
    "lambda-simplify",
    "j-transform",
    "lambda-simplify",
    // Arrays come last, when loops and branches are there too.
    "egg-optimize{code=functions rules=all,expanded}",
    "lambda-simplify",
    "symbol-dce",
    "closure-convert",
    "infer-structure",
    "lambda-to-array{rest=true}",
    "lambda-to-llvm",
    "keep-sizes",
    "canonicalize",
    "cse",
    "egg-optimize",
    "array-to-sweeps",
    "plan-memory",
    "sweeps-to-loops",
    "loops-to-llvm",
];

/// The same without anything that makes programs over arrays better.
pub const FUNCTIONS_PLAIN: &[&str] = &[
    "lambda-specialise",
    "lambda-simplify",
    "j-transform",
    "lambda-simplify",
    "symbol-dce",
    "closure-convert",
    "lambda-to-array{rest=true}",
    "lambda-to-llvm",
    "array-to-sweeps",
    "plan-memory",
    "sweeps-to-loops",
    "loops-to-llvm",
];

/// The lowering alone, for programs without requests.
pub const LOWER_CPU: &[&str] = &["array-to-sweeps", "plan-memory", "sweeps-to-loops", "loops-to-llvm"];

/// Derivatives on the CPU as they are written down: no optimiser, no blocks, no tiles, no vectors. With
/// [`crate::native::Target::plain`] it is the code with which optimised code is compared at sizes that the evaluator
/// cannot run.
pub const GRAD_PLAIN: &[&str] =
    &["differentiate", "array-to-sweeps{block=-1}", "plan-memory", "sweeps-to-loops{scalar=true}", "loops-to-llvm"];

/// Derivatives on NVIDIA's devices. In: `array` with requests of `dual`. Out: `llvm` and `nvvm`, one kernel for each launch.
/// The number of threads is `sweeps_to_kernels::THREADS`.
pub const GRAD_NVPTX: &[&str] = &[
    "differentiate",
    "keep-sizes",
    "canonicalize",
    "cse",
    "egg-optimize",
    "array-to-sweeps{block=-1}",
    "plan-memory{threads=16384}",
    "sweeps-to-kernels",
    "sweeps-to-loops",
    "kernels-to-nvvm",
];

/// The same kernels on the CPU, one thread after the other, for tests.
pub const GRAD_LAUNCHES: &[&str] = &[
    "differentiate",
    "keep-sizes",
    "canonicalize",
    "cse",
    "egg-optimize",
    "array-to-sweeps{block=-1}",
    "plan-memory{threads=16384}",
    "sweeps-to-kernels",
    "launches-to-loops",
    "sweeps-to-loops",
    "loops-to-llvm{library=false}",
];

/// Runs [`LOWER_CPU`] on a `builtin.module` directly, without a pass manager.
pub fn lower_cpu(module: Op) -> Result<(), Reported> {
    prepare(module);
    array_to_sweeps::run(module)?;
    plan_memory::run(module)?;
    sweeps_to_loops::run(module)?;
    loops_to_llvm::run(module)
}

/// Loads the dialects that the passes of this crate create ops of; a pass manager does so by itself.
pub fn prepare(module: Op) {
    for pass in crate::PASSES {
        load_dialects(module.context(), pass.dialects);
    }
}
