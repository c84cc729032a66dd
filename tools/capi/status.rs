//! The results of functions: statuses and failures.

use mlopt::{Error, ErrorKind};
use std::fmt;

/// The result of a function.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types, clippy::upper_case_acronyms)]
pub enum mlopt_status {
    MLOPT_OK = 0,
    /// The program is not valid, or a pass rejects it.
    MLOPT_ERROR_PROGRAM = 1,
    /// The program uses something that this compiler does not support.
    MLOPT_ERROR_NOT_SUPPORTED = 2,
    /// A pass or an option of a pipeline does not exist.
    MLOPT_ERROR_PIPELINE = 3,
    /// The processor or one of its features does not exist.
    MLOPT_ERROR_TARGET = 4,
    /// The code has no function of this name.
    MLOPT_ERROR_UNKNOWN_FUNCTION = 5,
    /// An argument is wrong: null, freed, or with another number, element type, shape or strides than expected.
    MLOPT_ERROR_ARGUMENT = 6,
    /// The program stopped itself: a check of its own failed.
    MLOPT_ERROR_STOPPED = 7,
    /// There is not enough memory.
    MLOPT_ERROR_MEMORY = 8,
    /// A file cannot be read or written.
    MLOPT_ERROR_FILE = 9,
    /// A bug of the compiler.
    MLOPT_ERROR_INTERNAL = 10,
}

use mlopt_status::*;

/// The reason why a function fails: an error of the compiler, or a wrong argument of the interface.
pub enum Failure {
    Compiler(Error),
    Interface(ErrorKind, String),
}

impl Failure {
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Failure {
        Failure::Interface(kind, text.into())
    }

    pub fn argument(text: impl Into<String>) -> Failure {
        Failure::new(ErrorKind::Argument, text)
    }

    pub fn status(&self) -> mlopt_status {
        let kind = match self {
            Failure::Compiler(error) => error.kind(),
            Failure::Interface(kind, _) => *kind,
        };
        match kind {
            ErrorKind::Program => MLOPT_ERROR_PROGRAM,
            ErrorKind::NotSupported => MLOPT_ERROR_NOT_SUPPORTED,
            ErrorKind::Pipeline => MLOPT_ERROR_PIPELINE,
            ErrorKind::Target => MLOPT_ERROR_TARGET,
            ErrorKind::UnknownFunction => MLOPT_ERROR_UNKNOWN_FUNCTION,
            ErrorKind::Argument => MLOPT_ERROR_ARGUMENT,
            ErrorKind::Stopped => MLOPT_ERROR_STOPPED,
            ErrorKind::Memory => MLOPT_ERROR_MEMORY,
            ErrorKind::File => MLOPT_ERROR_FILE,
            // The kinds of later versions are not part of this interface.
            _ => MLOPT_ERROR_INTERNAL,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Compiler(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Compiler(error) => error.fmt(f),
            Failure::Interface(_, text) => write!(f, "error: {text}"),
        }
    }
}

/// The value of an error: the failure, its text, and its diagnostics.
pub struct Explained {
    pub failure: Failure,
    pub message: String,
}
