//! The errors of all commands.

use std::fmt::Display;

/// The reason why a command fails.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An error in a file or of a program.
    #[error("{context}: {error}")]
    In { context: String, error: Box<Error> },
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Lex(#[from] proc_macro2::LexError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The command line, a file of the repository or the output of a program is not as expected.
    #[error("{0}")]
    Unexpected(String),
    /// A program that was started has failed.
    #[error("{0}")]
    Program(String),
    #[error("{}", .0.join("\n"))]
    Findings(Vec<String>),
}

/// Fails if a check has findings.
pub fn no_findings(findings: Vec<String>) -> Result<(), Error> {
    if findings.is_empty() { Ok(()) } else { Err(Error::Findings(findings)) }
}

/// Adds the file or the program to an error; for an option, describes what is missing.
pub trait Context<T> {
    fn context(self, context: impl Display) -> Result<T, Error>;
}

impl<T> Context<T> for Option<T> {
    fn context(self, context: impl Display) -> Result<T, Error> {
        self.ok_or_else(|| Error::Unexpected(context.to_string()))
    }
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn context(self, context: impl Display) -> Result<T, Error> {
        self.map_err(|error| Error::In { context: context.to_string(), error: Box::new(error.into()) })
    }
}
