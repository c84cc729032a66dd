//! Notations other than MLIR, by the extension of a file, and text in general.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::text::{EXPECTED_UTF8, utf8};
use mlopt_frontend::functions::types::quoted;
use mlopt_frontend::functions::{Request, import_text};
use mlopt_frontend::terms::{self, Zeros};
use mlopt_runtime::failure::{Failure, print_error};
use std::io::{self, Read};
use std::path::Path;

/// Extensions, and what reads such a file.
const NOTATIONS: [(&str, &str); 4] = [
    ("lambda", "functions: `mlopt import-lambda FILE` writes it as MLIR"),
    ("terms", "terms: `mlopt import-terms FILE` writes it as MLIR"),
    ("rml2", "streams: `mlopt import-streams FILE --type INPUT=TYPE` writes it as MLIR"),
    ("rules", "rewrite rules: `--egg-optimize=rules=all,FILE` and `mlopt explain --rules=all,FILE` read it"),
];

/// The program in a file: MLIR, or a notation that says everything.
pub fn program(name: &str, source: &[u8]) -> Result<Program, Failure> {
    match extension(name) {
        "lambda" => imported(name, source),
        "terms" => {
            let module = terms::import_text(text(name, source)?, Zeros::Numbers)
                .map_err(|e| Failure::at(format!("{name}:{}", e.at), e.text))?;
            // Diagnostics show lines of what they name.
            Ok(Program::parse(module.as_bytes(), &format!("{name} as MLIR"))?)
        }
        _ => {
            only_mlir(name)?;
            Ok(Program::parse(source, name)?)
        }
    }
}

/// A program in the notation of `spec/functional.md` F.1.
///
/// # Errors
/// What is wrong with it has been printed.
pub fn imported(name: &str, source: &[u8]) -> Result<Program, Failure> {
    let text = text(name, source)?;
    let module = import_text(name, text, &Request::default()).map_err(|problem| {
        print_error(&format!("{name}:{}", problem.at), &problem.message());
        Failure::Reported
    })?;
    // Diagnostics show lines of the file: what it became has another name.
    let module = format!("module {{\n{module}}} loc({}:0:0)\n", quoted(name));
    Ok(Program::parse(module.as_bytes(), &format!("{name} as MLIR"))?)
}

/// Refuses a file that cannot be MLIR, with what reads it.
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

/// The text of a file, or of the standard input; `what` it is goes into the error.
pub fn read(file: &Path, what: &str) -> Result<String, Failure> {
    let mut bytes = vec![];
    let name = file.to_string_lossy();
    let outcome = match name == "-" {
        true => io::stdin().read_to_end(&mut bytes).map(|_| ()),
        false => std::fs::read(file).map(|read| bytes = read),
    };
    outcome.map_err(|e| Failure::at(&name, format!("cannot read {what}: {e}")))?;
    let name = if name == "-" { "<stdin>" } else { &name };
    text(name, &bytes).map(str::to_string)
}

/// Bytes as text.
pub fn text<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Failure> {
    utf8(bytes).map_err(|at| Failure::at(format!("{name}:{}:{}", at.line, at.column), EXPECTED_UTF8))
}
