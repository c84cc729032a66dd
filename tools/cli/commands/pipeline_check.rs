//! Checks the names of passes and options in the arguments of the command line before MLIR parses them.
//!
//! [`read_through`] reads a program from a file, checks a pipeline in this way, and runs it on the program.

use crate::notation::read_program;
use mlopt_dialects::bridge::{self, names, program::Program};
use mlopt_lowering::pipelines::names::{Names, Problem, check_options};
use mlopt_lowering::pipelines::with_import;
use mlopt_runtime::failure::Failure;
use std::path::Path;

/// Checks `--pass-pipeline=…` and `--PASS=OPTIONS` among the arguments of `mlir-opt`.
pub fn check_arguments(arguments: &[String]) -> Result<(), Problem> {
    if arguments.iter().any(|a| a.trim_start_matches('-').starts_with("load-pass-plugin")) {
        // The names that a plugin adds are not known yet.
        return Ok(());
    }
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let Some(flag) = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-')) else { continue };
        let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
        if name == "pass-pipeline" {
            let next = if value.is_none() { arguments.next().map(String::as_str) } else { None };
            check(value.or(next).unwrap_or(""), "--pass-pipeline")?;
        } else if let Some(value) = value.filter(|_| bridge::is_pass_name(name)) {
            let inside = value.strip_prefix('{').and_then(|v| v.strip_suffix('}')).unwrap_or(value);
            check_options(name, name, inside).map_err(|(_, message)| (format!("--{name}"), message))?;
        }
    }
    Ok(())
}

/// Checks every name in a pipeline. `place` is its origin in errors.
pub fn check(pipeline: &str, place: &str) -> Result<(), Problem> {
    Names { resolve: &str::to_string, known: &bridge::pass_names }.check(pipeline, place)
}

/// An unknown pass or option is reported with the nearest known name.
pub fn check_pipeline(pipeline: &str) -> Result<(), Failure> {
    check(pipeline, "--pass-pipeline").map_err(|(place, text)| Failure::at(place, text))
}

/// Reads a program with the names of its values, and runs a pipeline; without one, the default passes, if any, after an
/// import. Returns the program with its bytes.
pub fn read_through(file: &Path, pipeline: Option<&str>, default: Option<&str>) -> Result<(Program, Vec<u8>), Failure> {
    let (program, source) = read_program(file)?;
    names::from_source(program.module());
    match (pipeline, default) {
        (Some(pipeline), _) => {
            check_pipeline(pipeline)?;
            program.run_pipeline(pipeline)?;
        }
        (None, Some(default)) => program.run_pipeline(&with_import(default, program.module()))?,
        (None, None) => {}
    }
    Ok((program, source))
}
