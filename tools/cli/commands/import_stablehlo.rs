//! `mlopt import-stablehlo`: reads programs of StableHLO, portable artifacts or text, and writes them as MLIR in the
//! generic form.

use crate::commands::output;
use crate::notation;
use mlopt_dialects::bridge::program::Program;
use mlopt_runtime::failure::Failure;
use std::path::PathBuf;

/// Translate a program of StableHLO to text in the generic form
#[derive(clap::Args)]
#[command(after_help = include_str!("help/import-stablehlo.txt").trim_ascii_end())]
pub struct ImportStablehlo {
    /// A portable artifact, which is MLIR bytecode with the dialect `vhlo`, or text; `-` is the standard input
    file: PathBuf,
    /// Also write source locations after the ops
    #[arg(long)]
    locations: bool,
    /// The file to write instead of the standard output
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The first bytes of MLIR bytecode.
const MAGIC: [u8; 4] = *b"ML\xEFR";

impl ImportStablehlo {
    pub fn execute(&self) -> Result<(), Failure> {
        let (name, bytes) = notation::read_bytes(&self.file, "the program")?;
        let text = if bytes.starts_with(&MAGIC) {
            let module = mlopt_stablehlo::read(&bytes).map_err(|e| Failure::at(&name, e))?.module;
            if self.locations { module.with_locations().to_string() } else { module.to_string() }
        } else {
            notation::is_generic(&name, &bytes)?;
            let program = Program::parse(&bytes, &name)?;
            let text = program.module().generic_text(self.locations);
            if text.ends_with('\n') { text } else { text + "\n" }
        };
        output::write(self.output.as_deref(), text)
    }
}
