//! `mlopt run`: compiles a function (or evaluates it with the reference evaluator), calls it, and prints its results.

use crate::commands::compile::PassOptions;
use crate::commands::limits::{self, Limits, Threads};
use crate::commands::nodes::{Common, NodeOptions};
use crate::commands::pipeline_check::check_pipeline;
use crate::commands::progress::Progress;
use crate::notation::read_program;
use clap::ValueEnum;
use mlopt_dialects::bridge::crash;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::Op;
use mlopt_dialects::lambda::eval::Trace;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Array;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, GRAD_CPU, is_functional, with_import, with_import_for_evaluator};
use mlopt_runtime::arguments::argument;
use mlopt_runtime::arguments::npy;
use mlopt_runtime::arguments::numpy_print;
use mlopt_runtime::arguments::table;
use mlopt_runtime::code::Compiled;
use mlopt_runtime::entry::{self, Entry};
use mlopt_runtime::failure::{Failure, stopped};
use mlopt_runtime::values;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Call a function of a program and print its results
#[derive(clap::Args)]
#[command(after_help = include_str!("help/run.txt").trim_ascii_end())]
pub struct Run {
    /// The program, text or bytecode; `-` is the standard input
    file: PathBuf,
    /// The function to call; not needed if there is only one
    #[arg(long, value_name = "@NAME")]
    entry: Option<String>,
    /// A value for the next parameter
    #[arg(long = "arg", value_name = "VALUE", allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// Write a result to a .npy or .csv file: one file per result, or one name that is numbered (r0.npy, r1.npy). With
    /// --node: a .csv or .jsonl file with all outputs, or NAME=FILE for one stream, also .npy
    #[arg(long = "out", value_name = "FILE")]
    outputs: Vec<PathBuf>,
    /// Format of the printed results
    #[arg(long, value_enum, default_value = "str")]
    print: Print,
    /// Use the reference evaluator instead of compiling: slow and obvious
    #[arg(long)]
    interpret: bool,
    /// Print every value that the evaluator computes, with its location in the program, to the error stream
    #[arg(long, requires = "interpret")]
    trace: bool,
    /// Passes instead of the default ones
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    /// Run tasks on `gpu:N` on threads of this machine
    #[arg(long, conflicts_with = "pass_pipeline")]
    virtual_devices: bool,
    #[command(flatten)]
    options: PassOptions,
    #[command(flatten)]
    limits: Limits,
    /// Seconds of processor time that the call may take; unlimited by default
    #[arg(long, value_name = "SECONDS", value_parser = limits::seconds)]
    max_seconds: Option<f64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nodes: NodeOptions,
    /// Print the time of each step to the error stream
    #[arg(long)]
    time: bool,
    /// Print the pipeline to the error stream
    #[arg(long, short)]
    verbose: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Print {
    /// Like Python's print(x)
    Str,
    /// Like Python's repr(x), with the element type
    Repr,
    /// Nothing
    None,
}

/// Sufficient for the evaluator, which does not evaluate requests for derivatives.
const INTERPRET: &[&str] = &["differentiate"];

impl Run {
    pub fn execute(&self) -> Result<(), Failure> {
        self.limits.set();
        self.threads.set();
        mlopt_lowering::register_passes();
        if let Some(node) = &self.nodes.node {
            let (program, _) = read_program(&self.file)?;
            let common = Common {
                interpret: self.interpret,
                files: &self.outputs,
                print: !matches!(self.print, Print::None),
                verbose: self.verbose,
                pipeline: &self.options.in_pipeline(GRAD_CPU).to_string(),
                start: &|| self.start(),
            };
            return self.nodes.execute(&program, node, &common);
        }
        if let Some(text) = &self.pass_pipeline {
            check_pipeline(text)?;
        }
        let mut progress = Progress::new();
        progress.step("read");
        let (program, source) = read_program(&self.file)?;
        let entry = entry::function(program.module(), self.entry.as_deref(), "--entry")?;
        if is_functional(program.module()) {
            return self.functional(&program, entry, &source, progress);
        }
        let pipeline = match &self.pass_pipeline {
            Some(text) => text.clone(),
            None if self.interpret => {
                with_import_for_evaluator(&self.options.in_pipeline(INTERPRET).to_string(), program.module())
            }
            None => with_import(&self.options.in_pipeline(GRAD_CPU).to_string(), program.module()),
        };
        if self.verbose {
            eprintln!("--pass-pipeline='{pipeline}'");
        }
        let entry = entry::find(program.module(), self.entry.as_deref(), "--entry", &source)?;
        let outputs = output_files(&self.outputs, entry.results)?;
        let arguments =
            argument::read_all(&self.arguments, &entry.parameters).map_err(|e| Failure::at(&entry.place, e))?;
        progress.step("passes");
        leave_only(&program, &entry.name)?;
        let target = Target::host().map_err(Failure::new)?;
        target.describe(program.module());
        program.run_pipeline(&pipeline)?;
        let results = if self.interpret {
            progress.step("evaluate");
            self.start();
            interpret(&program, &entry, &arguments, self.trace)?
        } else {
            progress.step("compile");
            let compiled = Compiled::new(program.module(), &target).map_err(|e| Failure::at(&entry.place, e))?;
            let function = compiled.function(&entry.name).map_err(|e| Failure::at(&entry.place, e))?;
            progress.step("call");
            self.start();
            function.call(&arguments).map_err(|e| stopped(e, &entry.place))?
        };
        progress.finish();
        self.end(&progress, &outputs, &results, |print| results.iter().map(print).collect())
    }

    /// Runs a program with functions as values, whose arguments and results may be structured.
    fn functional(&self, program: &Program, entry: Op, source: &[u8], mut progress: Progress) -> Result<(), Failure> {
        let place = entry::place(entry.location());
        let name = entry.symbol().unwrap_or_default();
        let count = entry.function_type().map_or(0, |(inputs, _)| inputs.len());
        let names: Vec<String> = (0..count).map(|k| entry::label(entry, k, source)).collect();
        let default = if self.interpret { INTERPRET_FUNCTIONS.to_string() } else { self.compiling_functions() };
        let pipeline = self.pass_pipeline.clone().unwrap_or(default);
        if self.verbose {
            eprintln!("--pass-pipeline='{pipeline}'");
        }
        progress.step("passes");
        leave_only(program, &name)?;
        let target = Target::host().map_err(Failure::new)?;
        target.describe(program.module());
        program.run_pipeline(&pipeline)?;
        let call = mlopt_functions::run::Call { program, name: &name, place: &place, names: &names };
        let results = if self.interpret {
            progress.step("evaluate");
            self.start();
            call.interpreted(&self.arguments, self.trace.then(printed))?
        } else {
            progress.step("compile");
            let compiled = Compiled::new(program.module(), &target).map_err(|e| Failure::at(&place, e))?;
            progress.step("call");
            self.start();
            call.compiled(&compiled, &self.arguments)?
        };
        progress.finish();
        let mut arrays = Vec::new();
        for (value, ty) in &results {
            values::flatten(value, *ty, &mut arrays).map_err(|e| Failure::at(&place, e))?;
        }
        let files = output_files(&self.outputs, arrays.len())?;
        self.end(&progress, &files, &arrays, |print| results.iter().map(|(v, _)| values::print(v, print)).collect())
    }

    /// Writes the results to files and prints them; `texts` formats them.
    fn end(
        &self,
        progress: &Progress,
        files: &[PathBuf],
        results: &[Array],
        texts: impl FnOnce(fn(&Array) -> String) -> Vec<String>,
    ) -> Result<(), Failure> {
        for (path, result) in files.iter().zip(results) {
            write_result(path, result)?;
        }
        let print: Option<fn(&Array) -> String> = match self.print {
            Print::Str => Some(numpy_print::str),
            Print::Repr => Some(numpy_print::repr),
            Print::None => None,
        };
        let mut out = io::stdout().lock();
        let mut texts = print.map_or(vec![], texts).into_iter();
        texts.try_for_each(|text| writeln!(out, "{text}")).map_err(|e| Failure::at("standard output", e))?;
        if self.time {
            eprint!("{}", progress.times());
        }
        Ok(())
    }

    /// Starts the timer of the call.
    fn start(&self) {
        self.max_seconds.into_iter().for_each(crash::limit_seconds);
    }

    fn compiling_functions(&self) -> String {
        let options = if self.virtual_devices { "virtual-devices=true" } else { "" };
        self.options.in_pipeline(FUNCTIONS_CPU).with_options("lambda-to-llvm", options).to_string()
    }
}

/// The evaluator of functions differentiates by itself.
const INTERPRET_FUNCTIONS: &str = "builtin.module(lambda-specialise)";

/// Removes the functions that `entry` does not use, so that they are not compiled.
fn leave_only(program: &Program, entry: &str) -> Result<(), Failure> {
    let module = program.module();
    for op in module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc) {
        let visibility = if op.symbol().as_deref() == Some(entry) { "public" } else { "private" };
        op.set_attribute("sym_visibility", module.context().string_attr(visibility));
    }
    program.run_pipeline("builtin.module(symbol-dce)")?;
    Ok(())
}

fn interpret(program: &Program, entry: &Entry, arguments: &[Array], trace: bool) -> Result<Vec<Array>, Failure> {
    let mut out = io::BufWriter::new(io::stderr().lock());
    let mut print = |op: Op, result: usize, x: &Array| {
        // Errors of the error stream are ignored, as for every message.
        let _ = writeln!(out, "{}", trace_line(op, result, &numpy_print::line(x), &x.type_text()));
    };
    let mut evaluator = Evaluator::new(program.module());
    if trace {
        evaluator = evaluator.with_trace(&mut print);
    }
    let results = evaluator.call(&entry.name, arguments);
    drop(out);
    results.map_err(|e| Failure::at(&e.location, e.text))
}

/// Returns a trace that prints every value of a program with functions as values.
fn printed() -> Trace {
    let mut out = io::BufWriter::new(io::stderr());
    Box::new(move |op, result, value| {
        let ty = match value.as_array() {
            Some(x) => x.type_text(),
            None => op.result(result).ty().to_string(),
        };
        // Errors of the error stream are ignored, as for every message.
        let _ = writeln!(out, "{}", trace_line(op, result, &values::line(value), &ty));
    })
}

/// Formats a line of a trace: `f.mlir:3:8: array.ifold#1 = [1. 2. 3.] : tensor<3xf64>`.
fn trace_line(op: Op, result: usize, value: &str, ty: &str) -> String {
    let place = entry::place(op.location());
    let number = if op.num_results() > 1 { format!("#{result}") } else { String::new() };
    format!("{place}: {}{number} = {value} : {ty}", op.name())
}

/// Returns one file per result. A single name for several results is numbered.
fn output_files(names: &[PathBuf], results: usize) -> Result<Vec<PathBuf>, Failure> {
    for name in names {
        if !["npy", "csv"].iter().any(|e| name.extension().is_some_and(|x| x == *e)) {
            return Err(Failure::new(format!(
                "--out: expected a file name ending in .npy or .csv, found `{}`",
                name.display()
            )));
        }
    }
    match names {
        [] => Ok(vec![]),
        [name] if results > 1 => Ok((0..results).map(|i| numbered(name, i)).collect()),
        _ if names.len() == results => Ok(names.to_vec()),
        _ => Err(Failure::new(format!(
            "--out: expected one file per result ({results}) or one for all, found {}",
            names.len()
        ))),
    }
}

/// Adds a number to a file name: `dir/r.npy` → `dir/r0.npy`.
fn numbered(name: &Path, i: usize) -> PathBuf {
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let extension = name.extension().unwrap_or_default().to_string_lossy();
    name.with_file_name(format!("{stem}{i}.{extension}"))
}

fn write_result(path: &Path, result: &Array) -> Result<(), Failure> {
    let written = if path.extension().is_some_and(|e| e == "csv") {
        table::write(path, result).map_err(|e| e.to_string())
    } else {
        npy::write(path, result).map_err(|e| e.to_string())
    };
    written.map_err(|e| Failure::at(path.display(), e))
}
