//! `split-file FILE DIR`: writes the parts of a file, each after a line `//--- name`, as files of a new folder.

use std::path::Path;

/// Runs a `split-file` command line; relative paths are relative to `dir`.
pub fn run(args: &[String], dir: &Path) -> Result<(), String> {
    let mut leading_lines = false;
    let mut paths = Vec::new();
    for arg in args {
        match arg.as_str() {
            "--leading-lines" | "-leading-lines" => leading_lines = true,
            "--no-leading-lines" | "-no-leading-lines" => leading_lines = false,
            option if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
            path => paths.push(dir.join(path)),
        }
    }
    let [file, folder] = &paths[..] else {
        return Err("expected a file and a folder".to_owned());
    };
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read `{}`: {e}", file.display()))?;
    let parts = split(&text, leading_lines)?;
    let fail = |path: &Path| {
        let path = path.display().to_string();
        move |e: std::io::Error| format!("cannot write `{path}`: {e}")
    };
    if folder.is_dir() {
        std::fs::remove_dir_all(folder).map_err(fail(folder))?;
    } else if folder.exists() {
        std::fs::remove_file(folder).map_err(fail(folder))?;
    }
    for (name, content) in parts {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(fail(&path))?;
        std::fs::write(&path, content).map_err(fail(&path))?;
    }
    Ok(())
}

/// Returns the parts of `text` with their names. With `leading_lines`, a part starts with as many empty lines as
/// precede it.
fn split(text: &str, leading_lines: bool) -> Result<Vec<(&str, String)>, String> {
    let mut parts: Vec<(&str, String)> = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let Some(name) = part_name(line.trim_end_matches(['\n', '\r'])) else {
            if let Some((_, content)) = parts.last_mut() {
                content.push_str(line);
            }
            continue;
        };
        let complain = |message: &str| Err(format!("line {}: {message}", number + 1));
        if name.is_empty() || name.trim() != name {
            return complain("a part's name must not be empty or start or end with a blank");
        }
        if name.starts_with('/') || name.split('/').any(|folder| folder == "..") {
            return complain("a part's name must stay inside the folder");
        }
        if parts.iter().any(|(other, _)| *other == name) {
            return complain(&format!("part `{name}` occurs more than once"));
        }
        parts.push((name, if leading_lines { "\n".repeat(number + 1) } else { String::new() }));
    }
    if parts.is_empty() { Err("no line `//--- name` found".to_owned()) } else { Ok(parts) }
}

/// Returns the name in a separator: `//--- name`, or any one character in place of the slashes.
fn part_name(line: &str) -> Option<&str> {
    let after = |start: &str| line.strip_prefix(start)?.strip_prefix("--- ");
    let first = line.chars().next()?;
    after("//").or_else(|| after(first.encode_utf8(&mut [0; 4])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_and_lines() {
        let text = "head\n//--- a.mlir\n1\n2\n#--- d/b\n\n3";
        assert_eq!(split(text, false).unwrap(), [("a.mlir", "1\n2\n".to_owned()), ("d/b", "\n3".to_owned())]);
        assert_eq!(split(text, true).unwrap()[1].1, "\n\n\n\n\n\n3");
    }

    #[test]
    fn wrong_parts_are_refused() {
        for (text, message) in [
            ("x\n", "no line"),
            ("//--- a\n//--- a\n", "line 2: part `a` occurs more than once"),
            ("//--- \n", "empty"),
            ("//---  a\n", "blank"),
            ("//--- ../a\n", "inside"),
        ] {
            assert!(split(text, false).unwrap_err().contains(message), "{text}");
        }
    }
}
