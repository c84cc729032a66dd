//! Why something that was asked for stops, and how that is printed.

use mlopt_dialects::Reported;
use mlopt_lowering::native;
use std::fmt;
use std::io::Write;

/// Why a subcommand stops with a non-zero status.
#[derive(Debug)]
pub enum Failure {
    /// A diagnostic has been printed.
    Reported,
    /// To be printed as `PLACE: error: TEXT`; the place may be empty.
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

/// Prints one diagnostic. A closed error stream is no reason to stop.
pub fn print_error(place: &str, text: &str) {
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    let _ = writeln!(std::io::stderr(), "{place}error: {text}");
}

/// What went wrong in a call, where the program says it.
pub fn stopped(error: native::Error, place: &str) -> Failure {
    match error {
        native::Error::Stopped { place, text } => Failure::at(place, text),
        other => Failure::at(place, other),
    }
}
