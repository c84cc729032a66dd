//! Instruction counts of the optimiser and the compiler for ten modules. One process in valgrind compiles all of them,
//! because most of the time of a process in valgrind is spent in code that runs for the first time.

use super::callgrind::{Folder, counts};
use super::code::PROCESSOR;
use crate::foreign::{COUNTED_CALL, counted_call};
use crate::{functions, streams};
use mlopt::cli::bench::programs::BENCHMARKS;
use mlopt::notation::imported;
use mlopt_dialects::bridge::program::Program;
use mlopt_lowering::native::{Emit, Target};
use mlopt_lowering::pipelines::{default_pipeline, functions_pipeline};
use mlopt_runtime::streams::compiled::Compiled;

/// Gradients for all sizes, nodes, and programs with closures.
const GRADIENTS: [&str; 6] = ["dot_grad", "max_grad", "vadd_jac", "vscale_jac", "nnmf_grad", "stream_lms"];
const NODES: [(&str, &str); 1] = [("filter", streams::FILTER)];
const CLOSURES: [&str; 3] = ["church", "cps", "parser"];

/// The first pass of the lowering; the passes before it belong to the optimiser.
const LOWERING: &str = ",array-to-sweeps";

/// A module, and its passes of the optimiser and of the compiler.
struct Module {
    name: &'static str,
    program: Program,
    pipelines: [String; 2],
}

impl Module {
    fn new(name: &'static str) -> Result<Module, String> {
        let wrong = || format!("{name} is wrong");
        let of = |pipeline: String| -> Result<[String; 2], String> {
            let place = pipeline.rfind(LOWERING).ok_or("every pipeline has a lowering")?;
            Ok([format!("{})", &pipeline[..place]), format!("builtin.module({}", &pipeline[place + 1..])])
        };
        let pair = functions::VANISHING.iter().find(|p| p.name == name);
        let node = NODES.iter().find(|(node, _)| *node == name);
        let (program, pipelines) = match (pair, node) {
            (Some(pair), _) => (imported(name, pair.closures.as_bytes()).ok(), of(functions_pipeline())?),
            (None, Some((_, text))) => (Program::parse(text.as_bytes(), name).ok(), of(Compiled::pipeline())?),
            (None, None) => {
                let benchmark = BENCHMARKS.iter().find(|b| b.name == name).ok_or_else(|| format!("no {name}"))?;
                (benchmark.program(false, None).ok(), of(default_pipeline())?)
            }
        };
        Ok(Module { name, program: program.ok_or_else(wrong)?, pipelines })
    }

    fn optimise(&self) -> Result<(), String> {
        self.program.run_pipeline(&self.pipelines[0]).map_err(|_| format!("{} is not optimised", self.name))
    }

    fn compile(&self, target: &Target) -> Result<(), String> {
        self.program.run_pipeline(&self.pipelines[1]).map_err(|_| format!("{} does not compile", self.name))?;
        target.emit(self.program.module(), Emit::Object).map(drop).map_err(|e| e.to_string())
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    GRADIENTS.into_iter().chain(NODES.map(|(name, _)| name)).chain(CLOSURES)
}

/// Optimises and compiles all modules, in the process that valgrind observes.
pub fn counted() -> Result<bool, String> {
    let target = Target::named(PROCESSOR, "").map_err(|e| e.to_string())?;
    let module = |name| -> Result<Module, String> {
        let module = Module::new(name)?;
        target.describe(module.program.module());
        Ok(module)
    };
    // Initialisation of the process must not be attributed to a module.
    let first = module("dot_grad")?;
    first.optimise()?;
    first.compile(&target)?;
    for name in names() {
        let module = module(name)?;
        counted_call(&|| module.optimise())?;
        counted_call(&|| module.compile(&target))?;
    }
    Ok(true)
}

/// Returns the instructions for each module.
pub fn all() -> Result<Vec<(String, u64)>, String> {
    let folder = Folder::new("compiler")?;
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let command = [program.as_path(), "counted".as_ref()];
    let (found, _) = counts(&folder, &command, &[COUNTED_CALL], &[])?;
    let rows: Vec<String> = names().flat_map(|name| [format!("optimise {name}"), format!("compile {name}")]).collect();
    if found.len() != rows.len() {
        return Err(format!("expected counts of {} modules, found {} counts", rows.len(), found.len()));
    }
    Ok(rows.into_iter().zip(found).collect())
}
