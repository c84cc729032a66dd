//! Verifiers: each op's numbered constraints, looked up by the op's name.

use crate::bridge::diagnostics::Reported;
use crate::bridge::ir::{Lookup, Op, Type, Value};
use crate::{array, dual, lambda, stream, sweep};
use std::fmt::Display;

/// A constraint that does not hold: its label in the `.td`, and what was expected and found.
pub struct Violation {
    pub label: &'static str,
    pub text: String,
    /// The value at fault, by its name in the `.td`: a note shows where it comes from.
    pub cause: Option<(&'static str, Value)>,
}

/// What a verifier returns.
pub type Verdict = Result<(), Violation>;

/// `Err` with the violated constraint.
pub fn violates(label: &'static str, text: impl Display) -> Verdict {
    Err(Violation { label, text: text.to_string(), cause: None })
}

/// [`violates`], with the value at fault.
pub fn violates_by(cause: (&'static str, Value), label: &'static str, text: impl Display) -> Verdict {
    Err(Violation { label, text: text.to_string(), cause: Some(cause) })
}

/// One row of a dialect's table: the op, and its constraints.
pub type Verifier = (&'static str, fn(Op) -> Verdict);

/// The same for an op that names symbols.
pub type SymbolVerifier = (&'static str, fn(Op, Lookup) -> Verdict);

/// A function that an op names.
pub struct Callee {
    pub name: String,
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
}

/// (C1) of the ops that name a function as their `callee`: it is there, and has a body to `purpose`.
pub fn callee(op: Op, lookup: Lookup, purpose: &str) -> Result<Callee, Violation> {
    let failed = |text: String| Err(Violation { label: "C1", text, cause: None });
    let Some(name) = op.attribute("callee").and_then(|a| a.as_symbol()) else {
        return failed("expected `callee`, found none".into());
    };
    let Some(function) = lookup(&name) else {
        return failed(format!("there is no function `@{name}` in this module"));
    };
    let Some((inputs, results)) = function.function_type().filter(|_| function.name() == "func.func") else {
        return failed(format!("`@{name}` must be a function, found '{}'", function.name()));
    };
    if function.body().is_none() {
        return failed(format!("`@{name}` must have a body to {purpose}, found a declaration"));
    }
    Ok(Callee { name, inputs, results })
}

/// Checks the constraints of one op, not of the ops inside it.
pub fn verify(op: Op) -> Result<(), Reported> {
    let tables = [array::VERIFIERS, dual::VERIFIERS, lambda::VERIFIERS, stream::VERIFIERS, sweep::VERIFIERS];
    row(op, tables.into_iter().flatten()).map_or(Ok(()), |verifier| report(op, verifier(op)))
}

/// Checks the symbols that one op names.
pub fn verify_symbols(op: Op, lookup: Lookup) -> Result<(), Reported> {
    let tables = [array::SYMBOL_VERIFIERS, dual::SYMBOL_VERIFIERS, lambda::SYMBOL_VERIFIERS, stream::SYMBOL_VERIFIERS];
    row(op, tables.into_iter().flatten()).map_or(Ok(()), |verifier| report(op, verifier(op, lookup)))
}

/// Checks the attribute `name`, of one of our dialects, on any op.
pub fn verify_attribute(op: Op, name: &str) -> Result<(), Reported> {
    match name.split_once('.') {
        Some(("dual", _)) => report(op, dual::verify_attribute(op, name)),
        _ => Ok(()),
    }
}

/// The entry of a table for this op.
fn row<F: Copy + 'static>(op: Op, mut table: impl Iterator<Item = &'static (&'static str, F)>) -> Option<F> {
    table.find(|(name, _)| *name == op.name()).map(|(_, verifier)| *verifier)
}

fn report(op: Op, verdict: Verdict) -> Result<(), Reported> {
    verdict.map_err(|violation| {
        let mut diagnostic = op.error(format!("({}) {}", violation.label, violation.text));
        if let Some((name, value)) = violation.cause {
            diagnostic = diagnostic.note_value(name, value);
        }
        diagnostic.emit()
    })
}
