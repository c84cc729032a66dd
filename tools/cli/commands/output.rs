//! Writing of the text or the code that a subcommand produces.

use mlopt_dialects::bridge::program::Program;
use mlopt_runtime::failure::Failure;
use std::io::Write;
use std::path::Path;

/// Writes to a file; to the standard output for `-` and without a file.
pub fn write(file: Option<&Path>, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    match file.filter(|p| *p != Path::new("-")) {
        Some(path) => std::fs::write(path, bytes).map_err(|e| Failure::at(path.display(), e)),
        None => std::io::stdout().write_all(bytes.as_ref()).map_err(|e| Failure::at("standard output", e)),
    }
}

/// Writes an imported program in the format of MLIR's printer, with the location of each op or without.
pub fn write_program(file: Option<&Path>, program: Program, locations: bool) -> Result<(), Failure> {
    let module = program.verified()?;
    let module = module.module();
    write(file, if locations { module.with_locations() } else { module.valid_text() })
}
