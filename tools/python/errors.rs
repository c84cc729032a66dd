//! Exceptions with diagnostics.

use mlopt::{ErrorKind, Severity};
use mlopt_dialects::diagnostics::{self, Message, Messages, Note};
use mlopt_runtime::failure::Failure;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};

/// A message about a position in a program.
#[pyclass(frozen, get_all, module = "mlopt")]
pub struct Diagnostic {
    severity: String,
    code: Option<String>,
    text: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    source_line: Option<String>,
    notes: Py<PyList>,
    #[pyo3(name = "_shown")]
    shown: String,
}

/// The fields of a diagnostic, in the order of its constructor.
type Fields<'a> = (
    &'a str,
    Option<&'a str>,
    &'a str,
    Option<&'a str>,
    Option<u32>,
    Option<u32>,
    Option<&'a str>,
    Py<PyList>,
    &'a str,
);

#[pymethods]
impl Diagnostic {
    /// Creates an error at a position.
    #[staticmethod]
    fn error(
        py: Python,
        text: String,
        file: String,
        line: u32,
        column: u32,
        source_line: String,
    ) -> PyResult<Diagnostic> {
        let place = Some((file, line, column));
        Part { severity: "error", place, text, line: Some(source_line), notes: vec![] }.shown(py)
    }

    /// Creates a diagnostic from its fields, for `pickle` and `copy`.
    #[new]
    #[allow(clippy::too_many_arguments, reason = "there is one for each field")]
    fn new(
        severity: String,
        code: Option<String>,
        text: String,
        file: Option<String>,
        line: Option<u32>,
        column: Option<u32>,
        source_line: Option<String>,
        notes: Py<PyList>,
        shown: String,
    ) -> Diagnostic {
        Diagnostic { severity, code, text, file, line, column, source_line, notes, shown }
    }

    fn __getnewargs__(&self, py: Python) -> Fields<'_> {
        (
            &self.severity,
            self.code.as_deref(),
            &self.text,
            self.file.as_deref(),
            self.line,
            self.column,
            self.source_line.as_deref(),
            self.notes.clone_ref(py),
            &self.shown,
        )
    }

    fn __str__(&self) -> &str {
        &self.shown
    }

    fn __repr__(&self) -> String {
        format!("<mlopt.Diagnostic {}>", self.shown.lines().next().unwrap_or_default())
    }
}

impl Diagnostic {
    fn of(py: Python, diagnostic: &mlopt::Diagnostic) -> PyResult<Diagnostic> {
        Ok(Diagnostic {
            severity: match diagnostic.severity {
                Severity::Warning => "warning".into(),
                Severity::Remark => "remark".into(),
                Severity::Note => "note".into(),
                _ => "error".into(),
            },
            code: diagnostic.code.clone(),
            text: diagnostic.text.clone(),
            file: diagnostic.file.clone(),
            line: diagnostic.line,
            column: diagnostic.column,
            source_line: diagnostic.source_line.clone(),
            notes: list(py, &diagnostic.notes)?,
            shown: diagnostic.to_string(),
        })
    }
}

/// Returns diagnostics as a list.
pub fn list(py: Python, diagnostics: &[mlopt::Diagnostic]) -> PyResult<Py<PyList>> {
    let all = PyList::empty(py);
    for diagnostic in diagnostics {
        all.append(Diagnostic::of(py, diagnostic)?)?;
    }
    Ok(all.unbind())
}

fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Program => "program",
        ErrorKind::NotSupported => "not supported",
        ErrorKind::Pipeline => "pipeline",
        ErrorKind::Target => "target",
        ErrorKind::UnknownFunction => "unknown function",
        ErrorKind::Argument => "argument",
        ErrorKind::Stopped => "stopped",
        ErrorKind::Memory => "memory",
        ErrorKind::File => "file",
        _ => "internal",
    }
}

/// Returns `mlopt.Error`, or `mlopt.ArgumentError` for an error in arguments.
fn exception(py: Python, text: String, kind: ErrorKind, diagnostics: Py<PyList>) -> PyErr {
    static GENERAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static ARGUMENT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = match kind {
        ErrorKind::Argument => ARGUMENT.import(py, "mlopt._errors", "ArgumentError"),
        _ => GENERAL.import(py, "mlopt._errors", "Error"),
    };
    match class {
        Ok(class) => PyErr::from_type(class.clone(), (text, kind_name(kind), diagnostics)),
        Err(error) => error,
    }
}

/// Returns the exception of an error of the compiler.
pub fn raised(error: mlopt::Error) -> PyErr {
    Python::attach(|py| match list(py, error.diagnostics()) {
        Ok(diagnostics) => exception(py, error.to_string(), error.kind(), diagnostics),
        Err(error) => error,
    })
}

/// An error of a part of the compiler below the library.
pub struct Problem(Vec<Part>);

/// A diagnostic: its severity, position and text.
struct Part {
    severity: &'static str,
    place: Option<(String, u32, u32)>,
    text: String,
    line: Option<String>,
    notes: Vec<Part>,
}

impl Problem {
    /// Creates an error at a position, `FILE:LINE:COLUMN` or nothing.
    pub fn new(place: &str, text: impl ToString) -> Problem {
        let position = place.rsplit_once(':').and_then(|(rest, column)| {
            let (file, line) = rest.rsplit_once(':')?;
            Some((file.to_string(), line.parse().ok()?, column.parse().ok()?))
        });
        Problem(vec![Part { severity: "error", place: position, text: text.to_string(), line: None, notes: vec![] }])
    }

    /// Checks whether the error is a limitation of the compiler.
    pub fn is_unsupported(&self) -> bool {
        self.0.first().is_some_and(|part| part.code().as_deref() == Some("not supported"))
    }

    /// Removes a prefix of names from all texts.
    pub fn without(self, prefix: &str) -> Problem {
        let part = |part: Part| Part {
            text: part.text.replace(prefix, ""),
            notes: Problem(part.notes).without(prefix).0,
            ..part
        };
        Problem(self.0.into_iter().map(part).collect())
    }

    /// Returns the error of a failure whose diagnostics are in a list.
    pub fn of(failure: Failure, messages: &Messages) -> Problem {
        let part = |severity, note: Note, notes| Part {
            severity,
            place: note.place.map(|place| (place.file, place.line, place.column)),
            text: note.text,
            line: note.line,
            notes,
        };
        match failure {
            Failure::Error { place, text } => {
                // Each note is a line with its place.
                let (mut head, mut notes) = (vec![], vec![]);
                for line in text.lines() {
                    match line.split_once(": note: ") {
                        Some((place, note)) => {
                            let note = Problem::new(place, note).0;
                            notes.extend(note.into_iter().map(|part| Part { severity: "note", ..part }));
                        }
                        None => head.push(line),
                    }
                }
                let problem = Problem::new(&place, head.join("\n")).0;
                Problem(problem.into_iter().map(|part| Part { notes: std::mem::take(&mut notes), ..part }).collect())
            }
            Failure::Reported => {
                let of = |message: Message| {
                    let notes = message.notes.into_iter().map(|note| part("note", note, vec![])).collect();
                    let is_error = message.severity == diagnostics::Severity::Error;
                    part(if is_error { "error" } else { "warning" }, message.head, notes)
                };
                Problem(messages.take().into_iter().map(of).collect())
            }
        }
    }
}

impl Part {
    /// Returns the name of the error, which precedes the message.
    fn code(&self) -> Option<String> {
        let text = match self.text.strip_prefix('\'').and_then(|rest| rest.split_once("' op ")) {
            Some((_, rest)) => rest,
            None => &self.text,
        };
        let (code, _) = text.split_once(": ")?;
        let is_code = code == "not supported" || code.bytes().all(|c| c.is_ascii_lowercase() || c == b'-');
        is_code.then(|| code.to_string())
    }

    fn shown(self, py: Python) -> PyResult<Diagnostic> {
        let code = self.code();
        let place =
            self.place.as_ref().map_or(String::new(), |(file, line, column)| format!("{file}:{line}:{column}: "));
        let notes = PyList::empty(py);
        let mut shown = format!("{place}{}: {}", self.severity, self.text);
        for note in self.notes {
            let note = note.shown(py)?;
            shown = format!("{shown}\n{}", note.shown);
            notes.append(note)?;
        }
        let (file, line, column) = self.place.map_or((None, None, None), |(f, l, c)| (Some(f), Some(l), Some(c)));
        let (severity, text, source_line) = (self.severity.to_string(), self.text, self.line);
        Ok(Diagnostic { severity, code, text, file, line, column, source_line, notes: notes.unbind(), shown })
    }
}

/// Returns the exception of an error.
#[cold]
pub fn failed(py: Python, kind: ErrorKind, problem: Problem) -> PyErr {
    let shown = || {
        let all = PyList::empty(py);
        let mut text = vec![];
        for part in problem.0 {
            let diagnostic = part.shown(py)?;
            text.push(diagnostic.shown.clone());
            all.append(diagnostic)?;
        }
        Ok((text.join("\n"), all.unbind()))
    };
    match shown() {
        Ok((text, diagnostics)) => exception(py, text, kind, diagnostics),
        Err(error) => error,
    }
}

/// Returns the exception for a wrong argument.
#[cold]
pub fn wrong_argument(py: Python, text: String) -> PyErr {
    failed(py, ErrorKind::Argument, Problem::new("", text))
}
