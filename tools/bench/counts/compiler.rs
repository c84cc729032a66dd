//! Instruction counts of the optimiser and the compiler for ten modules, and of calls through the library. One process
//! in valgrind compiles all of them, because most of the time of a process in valgrind is spent in code that runs for
//! the first time.

use super::callgrind::own_counts;
use super::code::PROCESSOR;
use super::plugin::Plugin;
use crate::error::{Context, Error};
use crate::foreign::counted_call;
use crate::{functions, streams};
use mlopt::{View, ViewMut};
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
        counted_call(&mut || module.optimise())?;
        counted_call(&mut || module.compile(&target))?;
    }
    counted_calls()?;
    Ok(true)
}

/// The number of calls that are counted together.
const CALLS: usize = 100;

/// Calls prepared functions of a number and of two arrays, and a program of JAX. Their own code has few instructions.
fn counted_calls() -> Result<(), Error> {
    let text = "
        func.func @square(%x: f64) -> f64 { %z = arith.mulf %x, %x : f64  return %z : f64 }
        func.func @add(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
          %z = arith.addf %x, %y : tensor<4xf64>
          return %z : tensor<4xf64>
        }";
    let module = mlopt::Session::new().parse("calls.mlir", text)?;
    let code = module.compile(&mlopt::Pipeline::default_cpu(), &mlopt::Target::named(PROCESSOR, "")?)?;
    let (x, mut z) = ([1.5; 4], [0.0; 4]);
    let mut call = code.function("square")?.prepare(&[&[]])?;
    let mut square = || Ok(call.call(&[View::scalar(&x[0])], &mut [ViewMut::scalar(&mut z[0])])?);
    counted_call(&mut || (0..CALLS).try_for_each(|_| square()))?;
    let mut call = code.function("add")?.prepare(&[&[4], &[4]])?;
    let operand = || View::new(&x, &[4]);
    let mut add = || Ok(call.call(&[operand()?, operand()?], &mut [ViewMut::new(&mut z, &[4])?])?);
    counted_call(&mut || (0..CALLS).try_for_each(|_| add()))?;
    let plugin = Plugin::new()?;
    plugin.run()?;
    counted_call(&mut || (0..CALLS).try_for_each(|_| plugin.run()))?;
    match z {
        [3.0, 3.0, 3.0, 3.0] => Ok(()),
        _ => Err(Error::Rejected(format!("the sum of {x:?} and itself is not {z:?}"))),
    }
}

/// Returns the instructions for each module and each call.
pub fn all() -> Result<Vec<(String, u64)>, Error> {
    let modules = names().flat_map(|name| [format!("optimise {name}"), format!("compile {name}")]);
    let calls = ["with a number", "with two arrays", "through PJRT"].map(|how| format!("call {how}, {CALLS} times"));
    let rows: Vec<String> = modules.chain(calls).collect();
    let found = own_counts(&[], "modules", rows.len())?;
    Ok(rows.into_iter().zip(found).collect())
}
