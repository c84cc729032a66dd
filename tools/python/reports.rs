//! Reports about a program: the steps of the optimiser, its dataflow, and code for C programs.

use crate::errors::{Problem, failed, raised};
use mlopt::ErrorKind;
use mlopt_dialects::bridge::names;
use mlopt_dialects::bridge::program::{Program, collecting};
use mlopt_dialects::bridge::stack::on_large_stack;
use mlopt_dialects::diagnostics::Messages;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_drawing::{Picture, Subject};
use mlopt_lowering::native::{self, Emit, Target};
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, for_cpu, is_functional, pipeline_text};
use mlopt_passes::optimise::egg_optimize::{Code, Rewriter};
use mlopt_passes::optimise::phases::{Options, Phases};
use mlopt_passes::optimise::rules::Laws;
use mlopt_runtime::failure::Failure;
use pyo3::prelude::*;
use std::path::Path;

/// The rule that sorts operands, whose steps say the least.
const SORTING: &str = "sort-operands";

/// A step of the optimiser: code that a rule replaces.
#[pyclass(frozen, get_all, module = "mlopt")]
pub struct Step {
    function: String,
    rule: String,
    law: String,
    /// False if the code is an instance of the right side of the law, which the left side replaces.
    forward: bool,
    /// The side condition, or an empty text.
    when: String,
    /// The positions of the code.
    locations: Vec<String>,
    before: String,
    after: String,
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        format!("<mlopt.Step {} in @{}: {}>", self.rule, self.function, self.law)
    }
}

/// Runs `work` with a program on a thread with a large stack.
fn with_program<R: Send>(
    py: Python,
    text: &str,
    work: impl FnOnce(&Program) -> Result<R, Failure> + Send,
) -> PyResult<R> {
    let messages = Messages::default();
    let run = || {
        collecting(&messages, || {
            let program = Program::parse(text.as_bytes(), "program.mlir")?;
            names::from_source(program.module());
            work(&program)
        })
    };
    let outcome = py.detach(|| on_large_stack(run));
    match outcome {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(failure)) => Err(failed(py, ErrorKind::Program, Problem::of(failure, &messages))),
        Err(error) => Err(raised(error.into())),
    }
}

/// Returns the steps of the optimiser in functions of a program; of a functional program, after it has become a program
/// over arrays.
pub fn explain(py: Python, text: &str, function: Option<&str>) -> PyResult<Vec<Step>> {
    with_program(py, text, |program| {
        if is_functional(program.module()) {
            let last = FUNCTIONS_CPU.iter().rposition(|pass| *pass == "egg-optimize").unwrap_or(0);
            program.run_pipeline(&pipeline_text(&FUNCTIONS_CPU[..last]))?;
        }
        let laws = Laws::all();
        let options = Options { phases: Phases::ALL, ..Options::default() };
        let mut steps = vec![];
        let functions = program.module().child_ops().into_iter();
        for op in functions.filter(|op| op.kind() == Kind::FuncFunc && op.body().is_some()) {
            let name = op.symbol().unwrap_or_default();
            if function.is_some_and(|wanted| wanted.trim_start_matches('@') != name) {
                continue;
            }
            let mut rewriter = Rewriter::new(&laws, options);
            rewriter.code = Code::ALL;
            rewriter.explanations = Some(vec![]);
            rewriter.rewrite(op);
            let found = rewriter.explanations.unwrap_or_default().into_iter().flat_map(|piece| piece.steps);
            steps.extend(found.filter(|step| step.rule != SORTING).map(|step| Step {
                function: name.clone(),
                rule: step.rule,
                law: step.law,
                forward: step.forward,
                when: step.when,
                locations: step.locations,
                before: step.before,
                after: step.after,
            }));
        }
        Ok(steps)
    })
}

/// Draws the dataflow of a function or of a node, or of the functions or the node of a program. Returns the picture as
/// SVG, and messages about what is not drawn.
pub fn dataflow(py: Python, text: &str, name: Option<&str>, limit: usize) -> PyResult<(String, Vec<String>)> {
    with_program(py, text, |program| {
        let Picture { svg, omissions } = mlopt_drawing::dataflow(program, Subject::of(program, name), limit)?;
        Ok((svg, omissions))
    })
}

/// Writes an object file and its C header, `NAME.o` and `NAME.h`, to a folder.
pub fn export_c(py: Python, text: &str, folder: &Path, name: &str, target: &mlopt::Target) -> PyResult<()> {
    let target = target.to_string();
    with_program(py, text, |program| {
        let module = program.module();
        let (cpu, features) = target.split_once(',').unwrap_or((&target, ""));
        let target = Target::named(cpu, features).map_err(Failure::new)?;
        target.describe(module);
        let pipeline = match is_functional(module) {
            true => pipeline_text(&[FUNCTIONS_CPU, &["functions-for-c"]].concat()),
            false => for_cpu(module).to_string(),
        };
        program.run_pipeline(&pipeline)?;
        if let Some(place) = mlopt_runtime::code::first_site(module) {
            let text = "not supported: code for C programs must have no tasks, input or output";
            return Err(Failure::at(place, text));
        }
        let header = native::header(module, name).map_err(Failure::new)?;
        let code = target.emit(module, Emit::Object).map_err(Failure::new)?;
        for (extension, bytes) in [("h", header.as_bytes()), ("o", &code)] {
            let file = folder.join(format!("{name}.{extension}"));
            std::fs::write(&file, bytes).map_err(|e| Failure::new(format!("{}: {e}", file.display())))?;
        }
        Ok(())
    })
}
