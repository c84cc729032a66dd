//! Notations other than MLIR, by the extension of a file, and text in general.

use crate::failure::Failure;
use crate::functions;
use crate::terms::{self, Zeros};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::text::{EXPECTED_UTF8, utf8};
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
        "lambda" => functions::run::imported(name, source),
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
