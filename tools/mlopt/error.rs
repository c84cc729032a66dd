//! Errors and diagnostics as data.

use mlopt_dialects::diagnostics::{self, Message};
use mlopt_dialects::text::Problem;
use mlopt_lowering::native;
use std::fmt;

/// The result of an operation of this crate.
///
/// ```
/// fn lines(session: &mlopt::Session, source: &str) -> mlopt::Result<usize> {
///     Ok(session.parse("input.mlir", source)?.text()?.lines().count())
/// }
/// assert!(lines(&mlopt::Session::new(), "func.func private @f()").is_ok());
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure, with the diagnostics that explain it.
///
/// ```
/// let error = mlopt::Session::new().parse("input.mlir", "func.func @f(").unwrap_err();
/// assert_eq!(error.kind(), mlopt::ErrorKind::Program);
/// assert_eq!(error.diagnostics()[0].file.as_deref(), Some("input.mlir"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<(ErrorKind, Vec<Diagnostic>)>);

/// The cause of an [`Error`].
///
/// ```
/// let error = mlopt::Target::named("x86-65", "").unwrap_err();
/// assert_eq!(error.kind(), mlopt::ErrorKind::Target);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The program is not valid, or a pass rejects it.
    Program,
    /// The program uses something that this compiler does not support.
    NotSupported,
    /// A pass or an option of a pipeline does not exist.
    Pipeline,
    /// The processor or one of its features does not exist.
    Target,
    /// The code has no function of this name.
    UnknownFunction,
    /// The number, element type, shape or strides of arguments or results are wrong.
    Argument,
    /// The program stopped itself: a check of its own failed.
    Stopped,
    /// There is not enough memory.
    Memory,
    /// A file cannot be read or written.
    File,
    /// A bug of the compiler.
    Internal,
}

/// The severity of a [`Diagnostic`].
///
/// ```
/// let error = mlopt::Session::new().parse("input.mlir", "?").unwrap_err();
/// assert_eq!(error.diagnostics()[0].severity, mlopt::Severity::Error);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The program is rejected.
    Error,
    /// The program is accepted, but probably wrong.
    Warning,
    /// Information that a pass was asked for.
    Remark,
    /// A part of another diagnostic.
    Note,
}

/// A message about a position in a program. Its `Display` is that of the command line: the position, the text, the line
/// of the source and a mark under the column, then the notes.
///
/// ```
/// let error = mlopt::Session::new().parse("f.mlir", "func.func @f() { return 1 }").unwrap_err();
/// let diagnostic = &error.diagnostics()[0];
/// assert_eq!((diagnostic.line, diagnostic.column), (Some(1), Some(24)));
/// assert_eq!(diagnostic.source_line.as_deref(), Some("func.func @f() { return 1 }"));
/// assert!(diagnostic.to_string().starts_with("f.mlir:1:24: error: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The name of the error or of the constraint that is violated, such as `not supported`, `shape-mismatch` or `C1`.
    pub code: Option<String>,
    /// The message, in full.
    pub text: String,
    /// The name of the source, as given to [`Session::parse`](crate::Session::parse).
    pub file: Option<String>,
    /// The line, from one.
    pub line: Option<u32>,
    /// The column, from one.
    pub column: Option<u32>,
    /// The text of the line.
    pub source_line: Option<String>,
    /// Further positions. They have no notes themselves.
    pub notes: Vec<Diagnostic>,
}

impl Error {
    /// Returns the cause.
    ///
    /// ```
    /// let error = mlopt::Session::new().compile("f.mlir", "func.func @f(").unwrap_err();
    /// assert_eq!(error.kind(), mlopt::ErrorKind::Program);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.0.0
    }

    /// Returns the diagnostics, of which there is at least one. The first error is the cause.
    ///
    /// ```
    /// let error = mlopt::Session::new().parse("f.mlir", "func.func @f(").unwrap_err();
    /// assert_eq!(error.diagnostics().len(), 1);
    /// ```
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.1
    }

    pub(crate) fn new(kind: ErrorKind, text: impl fmt::Display) -> Error {
        Error::of(kind, vec![Diagnostic::new(text)])
    }

    pub(crate) fn at(kind: ErrorKind, place: &str, text: impl fmt::Display) -> Error {
        Error::of(kind, vec![Diagnostic::new(text).at(place)])
    }

    fn of(kind: ErrorKind, diagnostics: Vec<Diagnostic>) -> Error {
        Error(Box::new((kind, diagnostics)))
    }

    /// Returns the error that passes or the parser have reported.
    pub(crate) fn reported(messages: Vec<Message>) -> Error {
        let mut all: Vec<Diagnostic> = messages.into_iter().map(Diagnostic::from_message).collect();
        if !all.iter().any(|d| d.severity == Severity::Error) {
            all.push(Diagnostic::new("internal error: a pass must report why it fails"));
        }
        let kind = match all.iter().find(|d| d.severity == Severity::Error).and_then(|d| d.code.as_deref()) {
            Some("internal error") => ErrorKind::Internal,
            Some("not supported") => ErrorKind::NotSupported,
            _ => ErrorKind::Program,
        };
        Error::of(kind, all)
    }

    /// Returns the error of a text in a notation.
    pub(crate) fn problem(file: &str, source: &str, problem: &Problem) -> Error {
        let at = problem.at;
        let mut diagnostic = Diagnostic::new(problem.message());
        diagnostic.code = problem.code.map(str::to_string).or(diagnostic.code);
        diagnostic.file = Some(problem.file.clone().unwrap_or_else(|| file.to_string()));
        diagnostic.line = u32::try_from(at.line).ok();
        diagnostic.column = u32::try_from(at.column).ok();
        let source = if problem.file.is_none() { source } else { "" };
        diagnostic.source_line = source.lines().nth(at.line.saturating_sub(1)).map(str::to_string);
        Error::of(ErrorKind::Program, vec![diagnostic])
    }

    pub(crate) fn internal(text: impl fmt::Display) -> Error {
        Error::new(ErrorKind::Internal, format!("internal error: {text}"))
    }

    /// Adds the lines of `source` to the diagnostics in `file`.
    pub(crate) fn with_lines(mut self, file: &str, source: &str) -> Error {
        self.0.1.iter_mut().for_each(|diagnostic| diagnostic.add_line(file, source));
        self
    }
}

impl From<native::Error> for Error {
    fn from(error: native::Error) -> Error {
        use native::Error as Native;
        let kind = match &error {
            Native::UnknownFunction { .. } => ErrorKind::UnknownFunction,
            Native::ArgumentCount { .. } | Native::ArgumentType { .. } => ErrorKind::Argument,
            Native::Check { mismatch: Some(trap), .. } => {
                return Error::at(ErrorKind::Argument, &trap.place, format!("shape-mismatch: {}", trap.message));
            }
            Native::Check { .. } => ErrorKind::Argument,
            Native::TooLarge { .. } => ErrorKind::Memory,
            Native::Stopped { place, text, .. } => return Error::at(ErrorKind::Stopped, place, text),
            Native::Target(_) | Native::Foreign { .. } => ErrorKind::Target,
            Native::Link(_) => ErrorKind::File,
            Native::Internal(_) => ErrorKind::Internal,
        };
        Error::new(kind, error)
    }
}

/// Prints all diagnostics.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (k, diagnostic) in self.diagnostics().iter().enumerate() {
            if k > 0 {
                f.write_str("\n")?;
            }
            diagnostic.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl Diagnostic {
    fn new(text: impl fmt::Display) -> Diagnostic {
        let text = text.to_string();
        Diagnostic {
            severity: Severity::Error,
            code: code(&text),
            text,
            file: None,
            line: None,
            column: None,
            source_line: None,
            notes: vec![],
        }
    }

    /// Sets the position from `FILE:LINE:COLUMN`; another text is a file.
    fn at(mut self, place: &str) -> Diagnostic {
        let parts = place.rsplit_once(':').and_then(|(rest, column)| {
            let (file, line) = rest.rsplit_once(':')?;
            Some((file, line.parse().ok()?, column.parse().ok()?))
        });
        match parts {
            Some((file, line, column)) => {
                (self.file, self.line, self.column) = (Some(file.to_string()), Some(line), Some(column));
            }
            None if !place.is_empty() => self.file = Some(place.to_string()),
            None => {}
        }
        self
    }

    pub(crate) fn from_message(message: Message) -> Diagnostic {
        let part = |severity: Severity, note: diagnostics::Note| {
            let mut diagnostic = Diagnostic { severity, ..Diagnostic::new(note.text) };
            if let Some(place) = note.place {
                let is_position = place.line > 0;
                (diagnostic.line, diagnostic.column) =
                    (is_position.then_some(place.line), is_position.then_some(place.column));
                diagnostic.file = Some(place.file);
            }
            diagnostic.source_line = note.line;
            diagnostic
        };
        let severity = match message.severity {
            diagnostics::Severity::Error => Severity::Error,
            diagnostics::Severity::Warning => Severity::Warning,
            diagnostics::Severity::Remark => Severity::Remark,
        };
        let notes = message.notes.into_iter().map(|note| part(Severity::Note, note)).collect();
        Diagnostic { notes, ..part(severity, message.head) }
    }

    pub(crate) fn add_line(&mut self, file: &str, source: &str) {
        if self.source_line.is_none() && self.file.as_deref() == Some(file) {
            self.source_line = self.line.and_then(|line| source.lines().nth(line as usize - 1)).map(str::to_string);
        }
        self.notes.iter_mut().for_each(|note| note.add_line(file, source));
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        };
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if let (Some(line), Some(column)) = (self.line, self.column) {
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        write!(f, "{severity}: {}", self.text)?;
        if let (Some(line), Some(column)) = (&self.source_line, self.column) {
            // Tabs keep their width.
            let before = line.chars().take((column as usize).saturating_sub(1));
            let blank: String = before.map(|c| if c == '\t' { c } else { ' ' }).collect();
            write!(f, "\n{line}\n{blank}^")?;
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}

/// Returns the code with which a message begins: that of a constraint in `'array.sum' op (C1) …`, or a word or two
/// before a colon, as in `not supported: …` and `shape-mismatch: …`.
fn code(text: &str) -> Option<String> {
    let rest = match text.strip_prefix('\'').and_then(|rest| rest.split_once("' op ")) {
        Some((_, rest)) => rest,
        None => text,
    };
    if let Some((label, _)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        let is_label = label.starts_with(|c: char| c.is_ascii_uppercase()) && label.chars().all(char::is_alphanumeric);
        return is_label.then(|| label.to_string());
    }
    let (head, _) = text.split_once(": ")?;
    let is_word = |word: &str| word.contains('-') && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (["not supported", "internal error"].contains(&head) || is_word(head)).then(|| head.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found() {
        assert_eq!(code("'array.sum' op (C1) `x` must have an axis"), Some("C1".into()));
        assert_eq!(code("not supported: 'f.g': text"), Some("not supported".into()));
        assert_eq!(code("shape-mismatch: 3 and 4"), Some("shape-mismatch".into()));
        assert_eq!(code("expected: nothing"), None);
        assert_eq!(code("(see below) text"), None);
    }

    #[test]
    fn places_are_read() {
        let at = |place: &str| Diagnostic::new("x").at(place).to_string();
        assert_eq!(at("a:b.mlir:3:4"), "a:b.mlir:3:4: error: x");
        assert_eq!(at("f.mlir"), "f.mlir: error: x");
        assert_eq!(at(""), "error: x");
    }
}
