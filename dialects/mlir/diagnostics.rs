//! Errors, warnings and remarks, with notes, reported through MLIR's diagnostic engine.

use super::ir::{Context, Location, Op, Value, printed};
use super::names::{SourcePosition, source_line};
use super::{MloptNote, mlopt_emit, text};
use mlir_sys::{
    MlirContext, MlirDiagnostic, MlirDiagnosticHandlerID, MlirDiagnosticSeverity_MlirDiagnosticError,
    MlirDiagnosticSeverity_MlirDiagnosticWarning, MlirLogicalResult, mlirContextAttachDiagnosticHandler,
    mlirContextDetachDiagnosticHandler, mlirDiagnosticGetLocation, mlirDiagnosticGetNote, mlirDiagnosticGetNumNotes,
    mlirDiagnosticGetSeverity, mlirDiagnosticPrint,
};
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The program is rejected.
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

/// A diagnostic as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub severity: Severity,
    pub head: Note,
    pub notes: Vec<Note>,
}

/// The text of a diagnostic or of one of its notes, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub place: Option<SourcePosition>,
    pub text: String,
    /// The line of the source at this position, if the program was parsed from it.
    pub line: Option<String>,
}

/// The diagnostics of a program, in order. Copies share one list.
#[derive(Clone, Debug, Default)]
pub struct Messages(Arc<Mutex<Vec<Message>>>);

impl Messages {
    /// Removes and returns all diagnostics.
    pub fn take(&self) -> Vec<Message> {
        std::mem::take(&mut self.lock())
    }

    /// Returns the number of diagnostics.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    pub fn push(&self, message: Message) {
        self.lock().push(message);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Message>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the list as the data of [`receive`], which must not be called after the last copy is dropped.
    pub(super) fn data(&self) -> *mut c_void {
        Arc::as_ptr(&self.0).cast_mut().cast()
    }
}

/// Adds a diagnostic to the list `data`, in place of other handlers.
pub(super) extern "C" fn receive(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: MLIR keeps the diagnostic during the call.
    let message = unsafe { read(diagnostic) };
    // SAFETY: `data` is the list of a `Messages` that exists while this handler is attached.
    let all = unsafe { &*(data as *const Mutex<Vec<Message>>) };
    all.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    MlirLogicalResult { value: 1 }
}

/// Returns a diagnostic of MLIR as data.
///
/// # Safety
/// The diagnostic must exist.
unsafe fn read(diagnostic: MlirDiagnostic) -> Message {
    // SAFETY: guaranteed by the caller; a diagnostic has as many notes as it says, and keeps them.
    unsafe {
        let found = mlirDiagnosticGetSeverity(diagnostic);
        let severity = match () {
            _ if found == MlirDiagnosticSeverity_MlirDiagnosticError => Severity::Error,
            _ if found == MlirDiagnosticSeverity_MlirDiagnosticWarning => Severity::Warning,
            _ => Severity::Remark,
        };
        let notes = (0..mlirDiagnosticGetNumNotes(diagnostic)).map(|k| part(mlirDiagnosticGetNote(diagnostic, k)));
        Message { severity, head: part(diagnostic), notes: notes.collect() }
    }
}

/// Returns the text of a diagnostic, without its notes.
///
/// # Safety
/// The diagnostic must exist.
unsafe fn part(diagnostic: MlirDiagnostic) -> Note {
    // SAFETY: guaranteed by the caller.
    let text = printed(|callback, data| unsafe { mlirDiagnosticPrint(diagnostic, callback, data) });
    // SAFETY: guaranteed by the caller.
    let location = Location::from_raw(unsafe { mlirDiagnosticGetLocation(diagnostic) });
    let place = location.place();
    let line = place.as_ref().and_then(|place| source_line(location.context(), place));
    Note { place, text, line }
}

/// A handler that is attached until it is dropped, also by a panic.
struct Attached(MlirContext, MlirDiagnosticHandlerID);

impl Attached {
    fn new(context: Context, messages: &Messages) -> Attached {
        // SAFETY: the context is valid, and `receive` gets the list that it expects, which exists until the handler is
        // detached: see `captured_at`.
        let id = unsafe { mlirContextAttachDiagnosticHandler(context.raw(), Some(receive), messages.data(), None) };
        Attached(context.raw(), id)
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // SAFETY: the handler was attached to this context, and is detached once.
        unsafe { mlirContextDetachDiagnosticHandler(self.0, self.1) }
    }
}

/// Runs `work` and returns its result, with the texts of the diagnostics that it emits, which are not printed.
pub fn captured<R>(context: Context, work: impl FnOnce() -> R) -> (R, Vec<String>) {
    let (result, all) = captured_at(context, work);
    (result, all.into_iter().map(|message| message.head.text).collect())
}

/// Does the same with all of each diagnostic.
pub fn captured_at<R>(context: Context, work: impl FnOnce() -> R) -> (R, Vec<Message>) {
    let messages = Messages::default();
    // Dropped before the list.
    let attached = Attached::new(context, &messages);
    let result = work();
    drop(attached);
    (result, messages.take())
}
