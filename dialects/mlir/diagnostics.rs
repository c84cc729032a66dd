//! Errors, warnings and remarks, with notes, reported through MLIR's diagnostic engine.

use super::ir::{Context, Location, Op, Value};
use super::names::SourcePosition;
use super::{MloptNote, mlopt_emit, text};
use mlir_sys::{
    MlirContext, MlirDiagnostic, MlirDiagnosticHandlerID, MlirLogicalResult, MlirStringRef,
    mlirContextAttachDiagnosticHandler, mlirContextDetachDiagnosticHandler, mlirDiagnosticGetLocation,
    mlirDiagnosticPrint,
};
use std::ffi::c_void;
use std::fmt;
use std::sync::Mutex;

/// Proof that a failure was reported: a function can fail only after it has emitted a diagnostic.
#[derive(Debug, thiserror::Error)]
#[error("see above")]
#[must_use]
pub struct Reported(pub(super) ());

/// A diagnostic under construction: `op.error("…").note(location, "…").emit()`.
#[must_use]
pub struct Diagnostic {
    location: Location,
    severity: Severity,
    text: String,
    notes: Vec<(Location, String)>,
}

#[derive(Clone, Copy)]
enum Severity {
    Error = 0,
    Warning = 1,
    Remark = 2,
}

impl Diagnostic {
    fn new(location: Location, severity: Severity, text: impl fmt::Display) -> Diagnostic {
        Diagnostic { location, severity, text: text.to_string(), notes: Vec::new() }
    }

    pub fn note(mut self, location: Location, text: impl fmt::Display) -> Diagnostic {
        self.notes.push((location, text.to_string()));
        self
    }

    /// Adds a note at the location of `value`, with its type. A `name` of several words is not in backticks.
    pub fn note_value(self, name: &str, value: Value) -> Diagnostic {
        let name = if name.contains(' ') { name.to_string() } else { format!("`{name}`") };
        self.note(value.location(), format!("{name} is defined here, with type {}", value.ty()))
    }

    pub fn emit(self) -> Reported {
        let notes: Vec<MloptNote> =
            self.notes.iter().map(|(l, t)| MloptNote { location: l.raw(), text: text(t) }).collect();
        // SAFETY: the locations are valid, and the texts and notes outlive the call.
        unsafe {
            mlopt_emit(
                self.location.raw(),
                self.severity as i32,
                text(&self.text),
                notes.as_ptr(),
                notes.len() as isize,
            )
        };
        Reported(())
    }
}

/// Reports an error at `location`.
pub fn error(location: Location, text: impl fmt::Display) -> Reported {
    Diagnostic::new(location, Severity::Error, text).emit()
}

/// Reports a remark at `location`.
pub fn remark(location: Location, text: impl fmt::Display) {
    let _said = Diagnostic::new(location, Severity::Remark, text).emit();
}

impl Op {
    /// Starts an error at this op, in MLIR's format `'array.sum' op …`, or without that prefix for a program in a
    /// notation, which has other names for ops. The op itself is never printed, because printing verifies.
    pub fn error(self, text: impl fmt::Display) -> Diagnostic {
        match self.location().phrase() {
            Some(_) => Diagnostic::new(self.location(), Severity::Error, text),
            None => Diagnostic::new(self.location(), Severity::Error, format!("'{}' op {text}", self.name())),
        }
    }

    /// Returns this op as a part of a sentence: the phrase of its notation, or its name.
    pub fn in_words(self) -> String {
        self.location().phrase().unwrap_or_else(|| format!("'{}'", self.name()))
    }

    pub fn warning(self, text: impl fmt::Display) -> Diagnostic {
        Diagnostic::new(self.location(), Severity::Warning, text)
    }

    pub fn remark(self, text: impl fmt::Display) -> Diagnostic {
        Diagnostic::new(self.location(), Severity::Remark, text)
    }

    /// Reports an unsupported feature at the op that needs it.
    pub fn not_supported(self, text: impl fmt::Display) -> Reported {
        self.limitation(text).emit()
    }

    /// Starts the error of [`Op::not_supported`], to which notes can be added.
    pub fn limitation(self, text: impl fmt::Display) -> Diagnostic {
        Diagnostic::new(self.location(), Severity::Error, format!("not supported: {}: {text}", self.in_words()))
    }
}

/// Runs `work` and returns its result, with the texts of the diagnostics that it emits, which are not printed.
pub fn captured<R>(context: Context, work: impl FnOnce() -> R) -> (R, Vec<String>) {
    let (result, all) = captured_at(context, work);
    (result, all.into_iter().map(|(_, text)| text).collect())
}

/// Does the same with the position of each diagnostic.
pub fn captured_at<R>(context: Context, work: impl FnOnce() -> R) -> (R, Vec<(Option<SourcePosition>, String)>) {
    type All = Mutex<Vec<(Option<SourcePosition>, String)>>;
    extern "C" fn append(part: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the text in `handle`, which nothing else accesses during the call; MLIR keeps `part`.
        unsafe { (*(out as *mut String)).push_str(super::ir::to_str(&part)) }
    }
    extern "C" fn handle(diagnostic: MlirDiagnostic, all: *mut c_void) -> MlirLogicalResult {
        let mut text = String::new();
        // SAFETY: MLIR keeps the diagnostic during the call, and `append` gets the text that it expects.
        unsafe { mlirDiagnosticPrint(diagnostic, Some(append), (&raw mut text).cast()) };
        // SAFETY: as above.
        let place = Location::from_raw(unsafe { mlirDiagnosticGetLocation(diagnostic) }).place();
        // SAFETY: `all` is the list below, which exists while the handler is attached.
        let all = unsafe { &*(all as *const All) };
        all.lock().unwrap_or_else(|e| e.into_inner()).push((place, text));
        MlirLogicalResult { value: 1 }
    }
    /// A handler that is attached until it is dropped, also by a panic.
    struct Attached(MlirContext, MlirDiagnosticHandlerID);
    impl Drop for Attached {
        fn drop(&mut self) {
            // SAFETY: the handler was attached to this context, and is detached once.
            unsafe { mlirContextDetachDiagnosticHandler(self.0, self.1) }
        }
    }
    let all: All = Mutex::new(Vec::new());
    let context = context.raw();
    // SAFETY: the context is valid, and `handle` gets the list that it expects. The list is declared before `attached`,
    // so it exists until the handler is detached.
    let handler =
        unsafe { mlirContextAttachDiagnosticHandler(context, Some(handle), (&raw const all).cast_mut().cast(), None) };
    let attached = Attached(context, handler);
    let result = work();
    drop(attached);
    (result, all.into_inner().unwrap_or_else(|e| e.into_inner()))
}
