//! The errors of measurements.

use mlopt_dialects::Reported;
use mlopt_dialects::eval::EvalError;
use mlopt_functions::run::Stop;
use mlopt_lowering::native;
use mlopt_runtime::arguments::random::RandomError;
use mlopt_runtime::streams::compiled::CompileError;
use std::fmt::Display;

/// The reason why a measurement has no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An error in a file, a program or a case of the measurement.
    #[error("{context}: {error}")]
    In { context: String, error: Box<Error> },
    /// A diagnostic has been printed.
    #[error(transparent)]
    Reported(#[from] Reported),
    /// A program is rejected.
    #[error("{0}")]
    Rejected(String),
    /// An external program fails, or is not installed.
    #[error("{0}")]
    Tool(String),
    /// Results or counts that must be equal differ.
    #[error("{0}")]
    Wrong(String),
    /// A function, a file or a result does not exist.
    #[error("{0}")]
    Missing(String),
    /// A line of `counts.txt` has another format.
    #[error("counts.txt:{number}: {problem}, found `{line}`")]
    Line { number: usize, problem: String, line: String },
    /// Counts have grown without a reason.
    #[error("counts grow by more than 3 %:\n  {}\nsay why: cargo xtask bless counts --reason TEXT", .0.join("\n  "))]
    Grown(Vec<String>),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Library(#[from] libloading::Error),
    #[error(transparent)]
    Argument(#[from] RandomError),
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    #[error(transparent)]
    Native(#[from] native::Error),
    #[error(transparent)]
    Linked(#[from] mlopt::Error),
    #[error(transparent)]
    Node(#[from] CompileError),
    #[error(transparent)]
    Function(#[from] Stop),
}

/// Adds the file, the program or the case to an error; for an option, describes what is missing.
pub trait Context<T> {
    fn context(self, context: impl Display) -> Result<T, Error>;
}

impl<T> Context<T> for Option<T> {
    fn context(self, context: impl Display) -> Result<T, Error> {
        self.ok_or_else(|| Error::Missing(context.to_string()))
    }
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn context(self, context: impl Display) -> Result<T, Error> {
        self.map_err(|error| Error::In { context: context.to_string(), error: Box::new(error.into()) })
    }
}
