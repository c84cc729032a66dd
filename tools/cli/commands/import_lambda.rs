//! `mlopt import-lambda`: translates functional programs in the notation of `spec/functional.md` F.1 to MLIR.

use crate::commands::output;
use crate::notation;
use mlopt_dialects::text::{Problem, Span};
use mlopt_frontend::functions::types::{self, Type};
use mlopt_frontend::functions::{self, Request};
use mlopt_runtime::failure::Failure;
use std::path::PathBuf;

/// Translate functional programs from their notation to MLIR
#[derive(clap::Args)]
#[command(after_help = include_str!("help/import-lambda.txt").trim_ascii_end())]
pub struct ImportLambda {
    /// The definitions; `-` is the standard input
    file: PathBuf,
    /// The definition to which the types apply; not needed if it uses all others
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// The type of a parameter of that definition
    #[arg(long = "type", value_name = "NAME=TYPE")]
    types: Vec<String>,
    /// Also write source locations after the ops
    #[arg(long)]
    locations: bool,
    /// The file to write instead of the standard output
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ImportLambda {
    pub fn execute(&self) -> Result<(), Failure> {
        let (name, text) = notation::read(&self.file, "the program")?;
        let types = self.types.iter().map(|text| typed(text)).collect::<Result<Vec<_>, _>>()?;
        let request = Request { entry: self.entry.clone(), types };
        let program = functions::import_text(&name, &text, &request).map_err(|e| notation::reported(&name, &[e]))?;
        output::write_program(self.output.as_deref(), program, self.locations)
    }
}

/// Parses `NAME=TYPE`.
fn typed(text: &str) -> Result<(String, Type), Failure> {
    let Some((name, ty)) = text.split_once('=') else {
        return Err(Failure::at("--type", format!("expected `NAME=f64`, found `{text}`")));
    };
    let wrong = |problem: Problem| Failure::at("--type", format!("`{text}`: {}", problem.in_line()));
    let ty = types::read(ty, Span::START.after(&text[..=name.len()])).map_err(wrong)?;
    Ok((name.trim().into(), ty))
}
