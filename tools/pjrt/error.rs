//! Errors with the codes of the API, which JAX raises as exceptions.

use mlopt_dialects::bridge::stack::StackError;
use std::ffi::c_int;

/// A code of the API, the same as in Abseil's `absl::StatusCode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The caller violates the contract of the function.
    InvalidArgument = 3,
    /// An object of that name or number does not exist.
    NotFound = 5,
    /// Memory is exhausted.
    ResourceExhausted = 8,
    /// An object is not in the state that the function needs.
    FailedPrecondition = 9,
    /// A function of the API or a feature of a program is not supported.
    Unimplemented = 12,
    /// A bug in this project.
    Internal = 13,
    /// The code of an error that the caller has created, which is none of the others.
    Unknown = 2,
}

/// An error of a function of the API.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The number of the code: one of [`Code`], or another one that the caller has given.
    pub code: c_int,
    /// The reason.
    pub message: String,
}

impl Error {
    /// Returns an error of this code.
    pub fn new(code: Code, message: impl Into<String>) -> Error {
        Error { code: code as c_int, message: message.into() }
    }

    /// Returns the error of a caller that violates the contract of a function.
    pub fn invalid(message: impl Into<String>) -> Error {
        Error::new(Code::InvalidArgument, message)
    }

    /// Returns the error of a feature that is not supported.
    pub fn unimplemented(message: impl Into<String>) -> Error {
        Error::new(Code::Unimplemented, message)
    }

    /// Returns the error of a bug in this project.
    pub fn internal(message: impl Into<String>) -> Error {
        Error::new(Code::Internal, message)
    }
}

impl From<StackError> for Error {
    fn from(error: StackError) -> Error {
        let code = match error {
            StackError::Memory => Code::ResourceExhausted,
            StackError::Panic(_) => Code::Internal,
        };
        Error::new(code, error.to_string())
    }
}
