//! Selection of the notation of a text by the extension of its file, and reading of the text.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::HasKind;
use mlopt_dialects::text::{Problem, utf8};
use mlopt_frontend::functions::{Request, import_text};
use mlopt_frontend::terms::{self, Zeros};
use mlopt_runtime::failure::{Failure, print_error};
use std::io::{self, Read};
use std::path::Path;

/// File extensions, with the readers of such files.
const NOTATIONS: [(&str, &str); 4] = [
    ("lambda", "functions: `mlopt import-lambda FILE` writes it as MLIR"),
    ("terms", "terms: `mlopt import-terms FILE` writes it as MLIR"),
    ("rml2", "streams: `mlopt import-streams FILE --type INPUT=TYPE` writes it as MLIR"),
    ("rules", "rewrite rules: `--egg-optimize=rules=all,FILE` and `mlopt explain --rules=all,FILE` read it"),
];

/// Returns the program of a file: MLIR, or a notation that needs no further options.
pub fn program(name: &str, source: &[u8]) -> Result<Program, Failure> {
    match extension(name) {
        "lambda" => imported(name, source),
        "terms" => {
            let program = terms::import_text(name, text(name, source)?, Zeros::Numbers);
            Ok(program.map_err(|e| failure(name, &e))?.verified()?)
        }
        _ => {
            only_mlir(name)?;
            match mlopt_stablehlo::is_artifact(source) {
                true => {
                    let module = mlopt_stablehlo::read(source).map_err(|e| Failure::at(name, e))?.module;
                    of_stablehlo(Program::parse(module.with_locations().to_string().as_bytes(), name)?)
                }
                false => {
                    is_generic(name, source)?;
                    of_stablehlo(Program::parse(source, name)?)
                }
            }
        }
    }
}

/// Rejects text of StableHLO in the short form, which only StableHLO's own parser reads.
pub fn is_generic(name: &str, source: &[u8]) -> Result<(), Failure> {
    // An op begins a line, or follows its results: `%0:2 = stablehlo.sort(…`.
    let op = |line: &[u8]| {
        let line = line.trim_ascii_start();
        let start =
            line.iter().position(|&byte| byte == b'=').filter(|_| line.starts_with(b"%")).map_or(0, |at| at + 1);
        let op = line[start..].trim_ascii_start();
        let is_short = op.starts_with(b"stablehlo.") || op.starts_with(b"chlo.");
        let end =
            op.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"._".contains(byte))).unwrap_or(op.len());
        is_short.then(|| String::from_utf8_lossy(&op[..end]).into_owned())
    };
    match source.split(|&byte| byte == b'\n').enumerate().find_map(|(k, line)| Some((k, op(line)?))) {
        Some((k, op)) => Err(Failure::at(
            format!("{name}:{}", k + 1),
            format!(
                "`{op}` is in the short form of StableHLO; expected a portable artifact, or the generic form \
                 `\"{op}\"(…)`, which JAX writes by \
                 `compiler_ir('stablehlo').operation.get_asm(print_generic_op_form=True)`"
            ),
        )),
        None => Ok(()),
    }
}

/// Converts a program of StableHLO to the array language, and returns other programs unchanged.
fn of_stablehlo(program: Program) -> Result<Program, Failure> {
    let is_foreign = |op: Op| matches!(op.kind().dialect(), "stablehlo" | "chlo");
    if program.module().nested_ops().into_iter().any(is_foreign) {
        mlopt_lowering::register_passes();
        program.run_pipeline("builtin.module(stablehlo-to-array)")?;
    }
    Ok(program)
}

/// Imports a program in the notation of `spec/functional.md` F.1.
///
/// # Errors
/// Its errors have been printed.
pub fn imported(name: &str, source: &[u8]) -> Result<Program, Failure> {
    let text = text(name, source)?;
    let program = import_text(name, text, &Request::default()).map_err(|e| reported(name, &[e]))?;
    Ok(program.verified()?)
}

/// Reads a file, or the standard input for `-`. Returns the name for diagnostics, and the bytes. `what` describes the
/// file in the error.
pub fn read_bytes(file: &Path, what: &str) -> Result<(String, Vec<u8>), Failure> {
    let name = file.to_string_lossy();
    let is_stdin = name == "-";
    let mut bytes = vec![];
    let outcome = match is_stdin {
        true => io::stdin().read_to_end(&mut bytes).map(|_| ()),
        false => std::fs::read(file).map(|read| bytes = read),
    };
    outcome.map_err(|e| Failure::at(&name, format!("cannot read {what}: {e}")))?;
    Ok((if is_stdin { "<stdin>".into() } else { name.into_owned() }, bytes))
}

/// Reads a program. Returns it with its bytes.
pub fn read_program(file: &Path) -> Result<(Program, Vec<u8>), Failure> {
    let (name, source) = read_bytes(file, "the program")?;
    Ok((program(&name, &source)?, source))
}

/// Rejects a file that cannot be MLIR, and names its reader.
pub fn only_mlir(name: &str) -> Result<(), Failure> {
    match NOTATIONS.iter().find(|(known, _)| *known == extension(name)) {
        Some((_, reader)) => {
            let reader = reader.replace("FILE", name);
            Err(Failure::at(name, format!("expected MLIR, found a file in the notation of {reader}")))
        }
        None => Ok(()),
    }
}

fn extension(name: &str) -> &str {
    Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default()
}

/// Reads the text of a file, or of the standard input. Returns the name for diagnostics, and the text.
pub fn read(file: &Path, what: &str) -> Result<(String, String), Failure> {
    let (name, bytes) = read_bytes(file, what)?;
    let text = text(&name, &bytes)?.to_string();
    Ok((name, text))
}

/// Converts bytes to text.
pub fn text<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Failure> {
    utf8(bytes).map_err(|e| failure(name, &e))
}

/// Returns the failure of an error in a file.
pub fn failure(name: &str, problem: &Problem) -> Failure {
    Failure::at(problem.place(name), problem.message())
}

/// Prints errors in a file.
pub fn reported(name: &str, problems: &[Problem]) -> Failure {
    problems.iter().for_each(|e| print_error(&e.place(name), &e.message()));
    Failure::Reported
}
