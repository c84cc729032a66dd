//! The named pipelines. Each is a list of passes in the order in which they run.

pub mod names;

use crate::ir::{HasKind, Kind, Op, Type};
use std::fmt::{self, Display, Formatter};

/// Derivatives on the CPU. In: `array` with requests of `dual`. Out: `llvm`.
pub const GRAD_CPU: &[&str] = &[
    "differentiate",
    "keep-sizes",
    "canonicalize",
    "cse",
    "egg-optimize",
    "array-to-sweeps",
    "plan-memory",
    "parallelise",
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
    "parallelise",
    "sweeps-to-loops",
    "loops-to-llvm",
];

/// Functional programs as programs over arrays, to which requests for derivatives may be added. In: `lambda`, possibly
/// with open types. Out: `array`.
pub const FUNCTIONS_TO_ARRAYS: &[&str] = &[
    "lambda-specialise",
    "lambda-simplify",
    "j-transform",
    "lambda-simplify",
    "symbol-dce",
    "closure-convert",
    "infer-structure",
    "lambda-to-array",
];

/// [`FUNCTIONS_CPU`] without optimisations of array programs.
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
    "parallelise",
    "sweeps-to-loops",
    "loops-to-llvm",
];

/// Only the lowering, for programs without requests.
pub const LOWER_CPU: &[&str] = &["array-to-sweeps", "plan-memory", "parallelise", "sweeps-to-loops", "loops-to-llvm"];

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

/// A pipeline as a list of passes, which prints in the format of `--pass-pipeline`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline(Vec<Entry>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The op on which the pass runs.
    anchor: &'static str,
    /// The pass with its options, or a nested pipeline.
    text: String,
}

impl Pipeline {
    /// Returns the pipeline of these passes, each with its options: `name` or `name{option=value}`. Passes that are not
    /// ours run on modules.
    pub fn of(passes: &[&str]) -> Pipeline {
        Pipeline(passes.iter().map(|text| Entry::of(text)).collect())
    }

    /// Reads a pipeline on modules as users write it, without a look at its passes. Returns `None` for a pipeline on
    /// other ops.
    fn read(text: &str) -> Option<Pipeline> {
        let passes = text.trim().strip_prefix("builtin.module(")?.strip_suffix(')')?;
        let whole = || Entry { anchor: Kind::BuiltinModule.name(), text: passes.to_string() };
        Some(Pipeline((!passes.is_empty()).then(whole).into_iter().collect()))
    }

    /// Returns the pipeline with another pass, or a nested pipeline, at its beginning.
    pub fn after(mut self, pass: &str) -> Pipeline {
        self.0.insert(0, Entry::of(pass));
        self
    }

    /// Returns the pipeline with the passes of another one at its end.
    pub fn then(mut self, other: Pipeline) -> Pipeline {
        self.0.extend(other.0);
        self
    }

    /// Returns the pipeline in which every floating-point op has the flag `fast` from the last optimisation of arrays
    /// on, or before lowering if there is none.
    pub fn fast(mut self) -> Pipeline {
        let optimises = |entry: &Entry| entry.text == "egg-optimize" || entry.text.starts_with("array-to-sweeps");
        let at = self.0.iter().position(optimises).unwrap_or(self.0.len());
        self.0.insert(at, Entry::of("set-fastmath"));
        self
    }

    /// Returns the pipeline without a pass. An entry with options is not the pass of that name.
    pub fn without(mut self, pass: &str) -> Pipeline {
        self.0.retain(|entry| entry.text != pass);
        self
    }

    /// Returns the pipeline with options, `option=value option=value`, for each pass of this name that has none.
    pub fn with_options(mut self, pass: &str, options: &str) -> Pipeline {
        for entry in self.0.iter_mut().filter(|entry| entry.text == pass && !options.is_empty()) {
            entry.text = format!("{pass}{{{options}}}");
        }
        self
    }
}

impl Entry {
    fn of(text: &str) -> Entry {
        let name = text.split('{').next().unwrap_or_default();
        let pass = mlopt_passes::PASSES.iter().chain(crate::PASSES).find(|p| p.name == name);
        Entry { anchor: pass.map_or(Kind::BuiltinModule.name(), |p| p.anchor), text: text.to_string() }
    }
}

impl Display for Pipeline {
    /// Consecutive passes on functions share one `func.func(…)`.
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let groups = self.0.chunk_by(|a, b| a.anchor == b.anchor).map(|group| {
            let passes = group.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>().join(",");
            match group[0].anchor {
                module if module == Kind::BuiltinModule.name() => passes,
                anchor => format!("{anchor}({passes})"),
            }
        });
        write!(f, "builtin.module({})", groups.collect::<Vec<_>>().join(","))
    }
}

/// Loads the dialects whose ops the passes of this crate create; a pass manager does so itself.
pub fn prepare(module: Op) {
    for pass in crate::PASSES {
        module.context().load_dialects(pass.dialects);
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

/// Checks whether a program uses functions as values, or data other than arrays.
pub fn is_functional(module: Op) -> bool {
    let ours = |ty: Type| ty.name().starts_with("lambda.") || ["builtin.tuple", "builtin.none"].contains(&ty.name());
    module.nested_ops().into_iter().any(|op| {
        let signature = op.function_type().map(|(inputs, results)| [inputs, results].concat()).unwrap_or_default();
        op.name().starts_with("lambda.") || signature.into_iter().any(ours)
    })
}

/// Returns the passes that compile `module` for processors.
pub fn for_cpu(module: Op) -> Pipeline {
    match is_functional(module) {
        true => Pipeline::of(FUNCTIONS_CPU),
        false if module.nested_ops().iter().any(is_foreign) => Pipeline::of(GRAD_CPU).after(IMPORT),
        false => Pipeline::of(GRAD_CPU),
    }
}

/// The passes that convert `tensor` and `linalg` to arrays.
const IMPORT: &str = "func.func(linalg-generalize-named-ops,upstream-to-array)";

/// Returns the pipeline that compiles `module`: `pipeline`, after the passes that convert `tensor` and `linalg` to
/// arrays where these occur.
pub fn with_import(pipeline: &str, module: Op) -> String {
    match module.nested_ops().iter().any(is_foreign) {
        true => before(IMPORT, pipeline),
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

/// Returns a pipeline with a nested pipeline prepended; a pipeline that does not run on modules is returned unchanged.
pub fn before(passes: &str, pipeline: &str) -> String {
    Pipeline::read(pipeline).map_or_else(|| pipeline.to_string(), |read| read.after(passes).to_string())
}

/// Returns the pipeline from functional programs to the LLVM dialect.
pub fn functions_pipeline() -> String {
    pipeline_text(FUNCTIONS_CPU)
}

/// Returns the default pipeline without one pass, for comparisons.
pub fn pipeline_without(pass: &str) -> String {
    Pipeline::of(GRAD_CPU).without(pass).to_string()
}

/// Returns a list of passes in the format of `--pass-pipeline`.
pub fn pipeline_text(passes: &[&str]) -> String {
    Pipeline::of(passes).to_string()
}
