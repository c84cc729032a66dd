//! Failures of subcommands, and the messages that describe them.

use mlopt_dialects::Reported;
use mlopt_lowering::native;
use std::fmt;
use std::io::Write;

/// The reason why a subcommand stops with a non-zero status.
#[derive(Debug)]
pub enum Failure {
    /// A diagnostic has been printed.
    Reported,
    /// An error to be printed as `PLACE: error: TEXT`; the place may be empty.
    Error { place: String, text: String },
}

impl Failure {
    pub fn new(text: impl fmt::Display) -> Failure {
        Failure::at("", text)
    }

    pub fn at(place: impl fmt::Display, text: impl fmt::Display) -> Failure {
        Failure::Error { place: place.to_string(), text: text.to_string() }
    }
}

impl From<Reported> for Failure {
    fn from(_: Reported) -> Failure {
        Failure::Reported
    }
}

/// Prints one diagnostic. Ignores a closed error stream.
pub fn print_error(place: &str, text: &str) {
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    let _ = writeln!(std::io::stderr(), "{place}error: {text}");
}

/// Returns the failure of a call. Its place is that of the program's own check, otherwise `place`.
pub fn stopped(error: native::Error, place: &str) -> Failure {
    match error {
        native::Error::Stopped { place, text, .. } => Failure::at(place, text),
        other => Failure::at(place, other),
    }
}
