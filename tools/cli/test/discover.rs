//! Discovery of test files.

use super::{Error, FileError};
use std::path::{Path, PathBuf};

/// The kind of a test file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TestKind {
    /// A file with `RUN` lines.
    Lit,
    /// A source of a pass with a picture in its doc comment.
    Picture,
    /// A Markdown file with examples.
    Document,
}

#[derive(Debug, PartialEq)]
pub struct Test {
    pub kind: TestKind,
    /// The absolute path.
    pub path: PathBuf,
    /// The path as the user gave it, or as found below it, for output.
    pub name: String,
}

/// Returns the tests in the given files and folders, sorted by name, each file once.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Test>, Error> {
    const DEFAULT: [&str; 6] = ["dialects", "passes", "lowering", "test", "docs", "README.md"];
    let mut tests = Vec::new();
    if paths.is_empty() {
        for path in DEFAULT.iter().map(Path::new).filter(|path| path.exists()) {
            walk(path, &mut tests)?;
        }
    }
    for path in paths {
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => walk(path, &mut tests)?,
            Ok(_) => match kind(path) {
                Some(kind) => tests.push(test(kind, path)?),
                None => return Err(Error::NoTest(path.clone())),
            },
            Err(e) => return Err(FileError::of("read", path)(e).into()),
        }
    }
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    tests.dedup_by(|a, b| a.path == b.path);
    Ok(tests)
}

fn walk(path: &Path, tests: &mut Vec<Test>) -> Result<(), FileError> {
    if !path.is_dir() {
        if let Some(kind) = kind(path) {
            tests.push(test(kind, path)?);
        }
        return Ok(());
    }
    for entry in path.read_dir().map_err(FileError::of("read", path))? {
        let entry = entry.map_err(FileError::of("read", path))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // `Inputs` contains inputs of tests, `Output` files written by lit.
        if !name.starts_with('.') && !matches!(&*name, "Inputs" | "Output" | "target") {
            walk(&entry.path(), tests)?;
        }
    }
    Ok(())
}

fn kind(path: &Path) -> Option<TestKind> {
    match path.extension()?.to_str()? {
        "mlir" | "test" => Some(TestKind::Lit),
        "md" => Some(TestKind::Document),
        "rs" => std::fs::read_to_string(path)
            .is_ok_and(|text| super::picture::has_picture(&text))
            .then_some(TestKind::Picture),
        _ => None,
    }
}

fn test(kind: TestKind, path: &Path) -> Result<Test, FileError> {
    let absolute = path.canonicalize().map_err(FileError::of("read", path))?;
    Ok(Test { kind, path: absolute, name: path.to_string_lossy().into_owned() })
}
