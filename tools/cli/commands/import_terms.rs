//! `mlopt import-terms`: translates programs in the notation of `spec/arrays.md` A.2 to MLIR.

use crate::commands::output;
use crate::notation;
use mlopt_frontend::terms::{self, Zeros};
use mlopt_runtime::failure::Failure;
use std::path::PathBuf;

/// Translate programs from the notation of terms to MLIR
#[derive(clap::Args)]
#[command(after_help = include_str!("help/import-terms.txt").trim_ascii_end())]
pub struct ImportTerms {
    /// The definitions; `-` is the standard input
    file: PathBuf,
    /// Fill elements to which a scatter adds nothing with structural zeros, as differentiation does, instead of numbers
    #[arg(long)]
    structural_zeros: bool,
    /// The file to write instead of the standard output
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ImportTerms {
    pub fn execute(&self) -> Result<(), Failure> {
        let (name, text) = notation::read(&self.file, "the terms")?;
        let zeros = if self.structural_zeros { Zeros::Structural } else { Zeros::Numbers };
        let program = terms::import_text(&name, &text, zeros).map_err(|e| notation::failure(&name, &e))?;
        output::write_program(self.output.as_deref(), program, false)
    }
}
