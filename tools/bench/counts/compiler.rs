//! Instruction counts of the optimiser and the compiler for ten modules. One process in valgrind compiles all of them,
//! because most of the time of a process in valgrind is spent in code that runs for the first time.

use super::callgrind::own_counts;
use super::code::PROCESSOR;
use crate::error::{Context, Error};
use crate::foreign::counted_call;
use crate::{functions, streams};
use mlopt_cli::commands::bench::programs::BENCHMARKS;
use mlopt_dialects::bridge::program::Program;
use mlopt_lowering::native::{Emit, Target};
use mlopt_lowering::pipelines::default_pipeline;
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
    fn new(name: &'static str) -> Result<Module, Error> {
        let wrong = |_| Error::Rejected(format!("{name} is wrong"));
        let pair = functions::VANISHING.iter().find(|p| p.name == name);
        let node = NODES.iter().find(|(node, _)| *node == name);
        let (program, pipeline) = match (pair, node) {
            (Some(pair), _) => pair.program(true)?,
            (None, Some((_, text))) => (Program::parse(text.as_bytes(), name).map_err(wrong)?, Compiled::pipeline()),
            (None, None) => {
                let benchmark = BENCHMARKS.iter().find(|b| b.name == name).context(format_args!("no {name}"))?;
                (benchmark.program(false, None).map_err(wrong)?, default_pipeline())
            }
        };
        let place = pipeline.rfind(LOWERING).context("every pipeline has a lowering")?;
        let pipelines = [format!("{})", &pipeline[..place]), format!("builtin.module({}", &pipeline[place + 1..])];
        Ok(Module { name, program, pipelines })
    }

    fn optimise(&self) -> Result<(), Error> {
        let rejected = |_| Error::Rejected(format!("{} is not optimised", self.name));
        self.program.run_pipeline(&self.pipelines[0]).map_err(rejected)
    }

    fn compile(&self, target: &Target) -> Result<(), Error> {
        let rejected = |_| Error::Rejected(format!("{} does not compile", self.name));
        self.program.run_pipeline(&self.pipelines[1]).map_err(rejected)?;
        target.emit(self.program.module(), Emit::Object)?;
        Ok(())
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    GRADIENTS.into_iter().chain(NODES.map(|(name, _)| name)).chain(CLOSURES)
}

/// Optimises and compiles all modules, in the process that valgrind observes.
pub fn counted() -> Result<bool, Error> {
    let target = Target::named(PROCESSOR, "")?;
    let module = |name| -> Result<Module, Error> {
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
pub fn all() -> Result<Vec<(String, u64)>, Error> {
    let rows: Vec<String> = names().flat_map(|name| [format!("optimise {name}"), format!("compile {name}")]).collect();
    let found = own_counts(&[], "modules", rows.len())?;
    Ok(rows.into_iter().zip(found).collect())
}
