//! `mlopt import-stablehlo`: reads portable artifacts of StableHLO and writes them as MLIR.

use crate::commands::output;
use crate::notation;
use mlopt_runtime::failure::Failure;
use std::path::PathBuf;

/// Translate a portable artifact of StableHLO to text
#[derive(clap::Args)]
#[command(after_help = include_str!("help/import-stablehlo.txt").trim_ascii_end())]
pub struct ImportStablehlo {
    /// The artifact, MLIR bytecode with the dialect `vhlo`; `-` is the standard input
    file: PathBuf,
    /// Also write source locations after the ops
    #[arg(long)]
    locations: bool,
    /// The file to write instead of the standard output
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ImportStablehlo {
    pub fn execute(&self) -> Result<(), Failure> {
        let (name, bytes) = notation::read_bytes(&self.file, "the artifact")?;
        let module = mlopt_stablehlo::read(&bytes).map_err(|e| Failure::at(&name, e))?.module;
        let text = if self.locations { module.with_locations().to_string() } else { module.to_string() };
        output::write(self.output.as_deref(), text)
    }
}
