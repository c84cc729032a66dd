//! Exceptions with diagnostics.

use mlopt::{ErrorKind, Severity};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};

/// A message about a position in a program.
#[pyclass(frozen, get_all, module = "mlopt")]
pub struct Diagnostic {
    severity: &'static str,
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

#[pymethods]
impl Diagnostic {
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
                Severity::Warning => "warning",
                Severity::Remark => "remark",
                Severity::Note => "note",
                _ => "error",
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

/// Returns the exception for a wrong argument.
#[cold]
pub fn wrong_argument(py: Python, text: String) -> PyErr {
    let diagnostic = Diagnostic {
        severity: "error",
        code: None,
        text: text.clone(),
        file: None,
        line: None,
        column: None,
        source_line: None,
        notes: PyList::empty(py).unbind(),
        shown: format!("error: {text}"),
    };
    match PyList::new(py, [Bound::new(py, diagnostic).map(Bound::into_any)].into_iter().flatten()) {
        Ok(diagnostics) => exception(py, format!("error: {text}"), ErrorKind::Argument, diagnostics.unbind()),
        Err(error) => error,
    }
}
