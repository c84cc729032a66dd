//! `split-file FILE DIR`: writes the parts of a file, each after a line `//--- name`, as files of a new folder.

use super::FileError;
use std::path::Path;

/// An error of the command line or of the file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("unknown option `{0}`")]
    Option(String),
    #[error("expected a file and a folder")]
    Paths,
    #[error(transparent)]
    File(#[from] FileError),
    #[error("line {line}: a part's name must {rule}")]
    Name { line: usize, rule: &'static str },
    #[error("line {line}: part `{name}` occurs more than once")]
    Twice { line: usize, name: String },
    #[error("no line `//--- name` found")]
    NoParts,
}

/// Runs a `split-file` command line; relative paths are relative to `dir`.
pub fn run(args: &[String], dir: &Path) -> Result<(), Error> {
    let mut leading_lines = false;
    let mut paths = Vec::new();
    for arg in args {
        match arg.as_str() {
            "--leading-lines" | "-leading-lines" => leading_lines = true,
            "--no-leading-lines" | "-no-leading-lines" => leading_lines = false,
            option if option.starts_with('-') => return Err(Error::Option(option.to_owned())),
            path => paths.push(dir.join(path)),
        }
    }
    let [file, folder] = &paths[..] else { return Err(Error::Paths) };
    let text = std::fs::read_to_string(file).map_err(FileError::of("read", file))?;
    let parts = split(&text, leading_lines)?;
    if folder.is_dir() {
        std::fs::remove_dir_all(folder).map_err(FileError::of("write", folder))?;
    } else if folder.exists() {
        std::fs::remove_file(folder).map_err(FileError::of("write", folder))?;
    }
    for (name, content) in parts {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))
            .and_then(|()| std::fs::write(&path, content))
            .map_err(FileError::of("write", &path))?;
    }
    Ok(())
}

/// Returns the parts of `text` with their names. With `leading_lines`, a part starts with as many empty lines as
/// precede it.
fn split(text: &str, leading_lines: bool) -> Result<Vec<(&str, String)>, Error> {
    let mut parts: Vec<(&str, String)> = Vec::new();
    for (line, content) in (1..).zip(text.split_inclusive('\n')) {
        let Some(name) = part_name(content.trim_end_matches(['\n', '\r'])) else {
            if let Some((_, before)) = parts.last_mut() {
                before.push_str(content);
            }
            continue;
        };
        if name.is_empty() || name.trim() != name {
            return Err(Error::Name { line, rule: "not be empty or start or end with a blank" });
        }
        if name.starts_with('/') || name.split('/').any(|folder| folder == "..") {
            return Err(Error::Name { line, rule: "stay inside the folder" });
        }
        if parts.iter().any(|(other, _)| *other == name) {
            return Err(Error::Twice { line, name: name.to_owned() });
        }
        parts.push((name, if leading_lines { "\n".repeat(line) } else { String::new() }));
    }
    if parts.is_empty() { Err(Error::NoParts) } else { Ok(parts) }
}

/// Returns the name in a separator: `//--- name`, or any one character in place of the slashes.
fn part_name(line: &str) -> Option<&str> {
    let after = |start: &str| line.strip_prefix(start)?.strip_prefix("--- ");
    let first = line.chars().next()?;
    after("//").or_else(|| after(first.encode_utf8(&mut [0; 4])))
}
