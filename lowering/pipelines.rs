//! Named pipelines: each a plain list of passes, in order.

use crate::ir::{Op, load_dialects};
use crate::llvm::loops_to_llvm;
use crate::loops::sweeps_to_loops;
use crate::memory::plan_memory;
use crate::sweeps::array_to_sweeps;
use mlopt_dialects::Reported;
use mlopt_dialects::ops::{HasKind, Kind};

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

/// From array programs with requests for derivatives to the LLVM dialect.
pub fn default_pipeline() -> String {
    pipeline_text(GRAD_CPU)
}

/// Whether an op is of those that other tools write, and neither evaluator nor lowering knows: MLIR's named ops and all
/// others of `linalg`, and of `tensor` what does not only read, cast or insert.
fn is_foreign(op: &Op) -> bool {
    const KNOWN: [Kind; 4] = [Kind::TensorCast, Kind::TensorExtract, Kind::TensorInsert, Kind::TensorInsertSlice];
    op.name().starts_with("linalg.") || op.name().starts_with("tensor.") && !KNOWN.contains(&op.kind())
}

/// The pipeline that compiles `module`: `pipeline`, after the passes that make arrays of `tensor` and `linalg` where
/// these occur.
pub fn with_import(pipeline: &str, module: Op) -> String {
    match module.nested_ops().iter().any(is_foreign) {
        true => before("func.func(linalg-generalize-named-ops,upstream-to-array)", pipeline),
        false => pipeline.to_string(),
    }
}

/// [`with_import`] for the evaluator, which knows the loops of `linalg`, but not their derivatives.
pub fn with_import_for_evaluator(pipeline: &str, module: Op) -> String {
    let ops = module.nested_ops();
    match ops.iter().any(|op| op.name().starts_with("dual.")) {
        true => with_import(pipeline, module),
        false if ops.iter().any(is_foreign) => before("func.func(linalg-generalize-named-ops)", pipeline),
        false => pipeline.to_string(),
    }
}

/// A pipeline with another pass at its beginning.
fn before(pass: &str, pipeline: &str) -> String {
    let comma = if pipeline == "builtin.module()" { "" } else { "," };
    pipeline.replacen("builtin.module(", &format!("builtin.module({pass}{comma}"), 1)
}

/// From functional programs to the LLVM dialect.
pub fn functions_pipeline() -> String {
    pipeline_text(FUNCTIONS_CPU)
}

/// The default pipeline but for one pass, for comparisons.
pub fn pipeline_without(pass: &str) -> String {
    let passes: Vec<&str> = GRAD_CPU.iter().copied().filter(|&p| p != pass).collect();
    pipeline_text(&passes)
}

/// A list of our passes as `--pass-pipeline` takes it: neighbours that run on functions share one `func.func(…)`.
pub fn pipeline_text(passes: &[&str]) -> String {
    let anchor = |pass: &str| {
        let name = pass.split('{').next().unwrap_or_default();
        let known = mlopt_passes::PASSES.iter().chain(crate::PASSES);
        known.into_iter().find(|p| p.name == name).map_or(Kind::BuiltinModule.name(), |p| p.anchor)
    };
    let groups = passes.chunk_by(|a, b| anchor(a) == anchor(b)).map(|group| match anchor(group[0]) {
        "builtin.module" => group.join(","),
        anchor => format!("{anchor}({})", group.join(",")),
    });
    format!("builtin.module({})", groups.collect::<Vec<_>>().join(","))
}
