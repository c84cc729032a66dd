//! Passes on the programs of vectors, with the errors that they report.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;

/// The errors that passes or the verifier report.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct Diagnostics(pub Vec<String>);

impl Diagnostics {
    /// Checks whether the first error has this code. MLIR's diagnostics are texts, in which the code precedes a colon.
    pub fn have_code(&self, code: &str) -> bool {
        self.0.first().is_some_and(|said| said.contains(&format!("{code}: ")))
    }
}

/// Runs passes on a program.
pub fn through(program: &Program, pipeline: &str) -> Result<(), Diagnostics> {
    let (ran, said) = captured(program.module().context(), || program.run_pipeline(pipeline));
    ran.map_err(|_| Diagnostics(said))
}
