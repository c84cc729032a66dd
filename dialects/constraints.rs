//! Functions that the verifiers share: reporting a violated constraint, and checking the function that an op calls.

use crate::bridge::diagnostics::Reported;
use crate::bridge::ir::{Lookup, Op, Type, Value};
use crate::ops::{HasKind, Kind};
use std::fmt::Display;

/// A violated constraint: its label in the `.td`, and the expected and found values.
pub struct Violation {
    pub label: &'static str,
    pub text: String,
    /// The value at fault, by its name in the `.td`; a note shows its definition.
    pub cause: Option<(&'static str, Value)>,
}

/// The result of a verifier.
pub type Verdict = Result<(), Violation>;

/// Returns `Err` with the violated constraint.
pub fn violates<T>(label: &'static str, text: impl Display) -> Result<T, Violation> {
    Err(Violation { label, text: text.to_string(), cause: None })
}

/// Returns [`violates`] with the value at fault.
pub fn violates_by<T>(cause: (&'static str, Value), label: &'static str, text: impl Display) -> Result<T, Violation> {
    Err(Violation { label, text: text.to_string(), cause: Some(cause) })
}

/// Checks the constraint `label`; `text` says what is expected and found if it does not hold.
pub fn ensure<T: Display>(holds: bool, label: &'static str, text: impl FnOnce() -> T) -> Verdict {
    if holds { Ok(()) } else { violates(label, text()) }
}

/// As [`ensure`], with the value at fault.
pub fn ensure_by<T: Display>(
    cause: (&'static str, Value),
    holds: bool,
    label: &'static str,
    text: impl FnOnce() -> T,
) -> Verdict {
    if holds { Ok(()) } else { violates_by(cause, label, text()) }
}

/// The callee of an op.
pub struct Callee {
    pub name: String,
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
}

/// Returns the callee of an op with the attribute `callee`. Checks (C1): the function exists, and has a body to
/// `purpose`.
pub fn callee(op: Op, lookup: Lookup, purpose: &str) -> Result<Callee, Violation> {
    let failed = |text: String| Err(Violation { label: "C1", text, cause: None });
    let Some(name) = op.callee() else {
        return failed("expected the attribute `callee`, found none".into());
    };
    let Some(function) = lookup(&name) else {
        return failed(format!("there is no function `@{name}` in this module; define it, or correct `callee`"));
    };
    let Some((inputs, results)) = function.function_type().filter(|_| function.kind() == Kind::FuncFunc) else {
        return failed(format!("`@{name}` must be a function, found '{}'", function.name()));
    };
    if function.body().is_none() {
        return failed(format!("`@{name}` must have a body to {purpose}, found a declaration"));
    }
    Ok(Callee { name, inputs, results })
}

/// Emits the violated constraint as an error.
pub fn report(op: Op, verdict: Verdict) -> Result<(), Reported> {
    verdict.map_err(|violation| {
        let mut diagnostic = op.error(format!("({}) {}", violation.label, violation.text));
        if let Some((name, value)) = violation.cause {
            diagnostic = diagnostic.note_value(name, value);
        }
        diagnostic.emit()
    })
}
