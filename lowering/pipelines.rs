//! Named pipelines: each is a list of passes, in order.

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

/// Functional programs on the CPU. In: `lambda`, possibly with open types. Out: `llvm`.
pub const FUNCTIONS_CPU: &[&str] = &[
    "lambda-specialise",
    "lambda-simplify",
    "j-transform",
    "lambda-simplify",
    // The optimisation of arrays comes last, when loops and branches have been created.
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

/// The same pipeline without optimisations of array programs.
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

/// Only the lowering, for programs without requests.
pub const LOWER_CPU: &[&str] = &["array-to-sweeps", "plan-memory", "sweeps-to-loops", "loops-to-llvm"];

/// Derivatives on the CPU without optimiser, blocks, tiles and vectors. With [`crate::native::Target::plain`] this is
/// the code with which optimised code is compared at sizes that the evaluator cannot run.
pub const GRAD_PLAIN: &[&str] =
    &["differentiate", "array-to-sweeps{block=-1}", "plan-memory", "sweeps-to-loops{scalar=true}", "loops-to-llvm"];

/// Derivatives on NVIDIA devices. In: `array` with requests of `dual`. Out: `llvm` and `nvvm`, one kernel for each
/// launch. The number of threads is `sweeps_to_kernels::THREADS`.
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

/// Loads the dialects whose ops the passes of this crate create; a pass manager does so itself.
pub fn prepare(module: Op) {
    for pass in crate::PASSES {
        load_dialects(module.context(), pass.dialects);
    }
}

/// Returns the pipeline from array programs with requests for derivatives to the LLVM dialect.
pub fn default_pipeline() -> String {
    pipeline_text(GRAD_CPU)
}

/// Checks whether an op is one that other tools write, and that neither the evaluator nor a lowering supports: all ops
/// of `linalg`, and those of `tensor` that do more than read, cast or insert.
fn is_foreign(op: &Op) -> bool {
    const KNOWN: [Kind; 4] = [Kind::TensorCast, Kind::TensorExtract, Kind::TensorInsert, Kind::TensorInsertSlice];
    op.kind().dialect() == "linalg" || op.kind().dialect() == "tensor" && !KNOWN.contains(&op.kind())
}

/// Returns the pipeline that compiles `module`: `pipeline`, after the passes that convert `tensor` and `linalg` to
/// arrays where these occur.
pub fn with_import(pipeline: &str, module: Op) -> String {
    match module.nested_ops().iter().any(is_foreign) {
        true => before("func.func(linalg-generalize-named-ops,upstream-to-array)", pipeline),
        false => pipeline.to_string(),
    }
}

/// Returns [`with_import`] for the evaluator, which supports the loops of `linalg`, but not their derivatives.
pub fn with_import_for_evaluator(pipeline: &str, module: Op) -> String {
    let ops = module.nested_ops();
    match ops.iter().any(|op| op.kind().dialect() == "dual") {
        true => with_import(pipeline, module),
        false if ops.iter().any(is_foreign) => before("func.func(linalg-generalize-named-ops)", pipeline),
        false => pipeline.to_string(),
    }
}

/// Returns a pipeline with another pass at its beginning.
fn before(pass: &str, pipeline: &str) -> String {
    let comma = if pipeline == "builtin.module()" { "" } else { "," };
    pipeline.replacen("builtin.module(", &format!("builtin.module({pass}{comma}"), 1)
}

/// Returns the pipeline from functional programs to the LLVM dialect.
pub fn functions_pipeline() -> String {
    pipeline_text(FUNCTIONS_CPU)
}

/// Returns the default pipeline without one pass, for comparisons.
pub fn pipeline_without(pass: &str) -> String {
    let passes: Vec<&str> = GRAD_CPU.iter().copied().filter(|&p| p != pass).collect();
    pipeline_text(&passes)
}

/// Returns a list of our passes in the format of `--pass-pipeline`: consecutive passes on functions share one
/// `func.func(…)`.
pub fn pipeline_text(passes: &[&str]) -> String {
    let anchor = |pass: &str| {
        let name = pass.split('{').next().unwrap_or_default();
        let known = mlopt_passes::PASSES.iter().chain(crate::PASSES);
        known.into_iter().find(|p| p.name == name).map_or(Kind::BuiltinModule.name(), |p| p.anchor)
    };
    let groups = passes.chunk_by(|a, b| anchor(a) == anchor(b)).map(|group| match anchor(group[0]) {
        module if module == Kind::BuiltinModule.name() => group.join(","),
        anchor => format!("{anchor}({})", group.join(",")),
    });
    format!("builtin.module({})", groups.collect::<Vec<_>>().join(","))
}
