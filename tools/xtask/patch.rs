//! Patches in the format of `git diff`, applied to files in memory. A hunk is found by its text; its line number only
//! decides between several places with the same text. Therefore a patch still applies after changes elsewhere in a
//! file.

use crate::copy::Files;
use crate::error::{Context, Error};

/// The change of one file.
pub struct Change {
    /// The name from the root of the repository.
    pub file: String,
    hunks: Vec<Hunk>,
}

/// Lines that replace others.
struct Hunk {
    /// The number of the first old line in the file, from 1; 0 in a new file.
    line: usize,
    old: Vec<String>,
    new: Vec<String>,
    /// The lines that the patch adds, in groups without other lines in between.
    added: Vec<Vec<String>>,
}

/// Reads the changes of a patch.
///
/// # Errors
/// The line that is not in the format. Deleted, renamed and binary files are not supported.
pub fn read(text: &str) -> Result<Vec<Change>, Error> {
    let mut changes: Vec<Change> = vec![];
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("+++ ") {
            let file = name.strip_prefix("b/").context(format_args!("not supported: {line}"))?;
            changes.push(Change { file: file.to_string(), hunks: vec![] });
        } else if let Some(rest) = line.strip_prefix("@@ -") {
            let hunk = hunk(rest, &mut lines).context(format_args!("expected the lines of a hunk after: {line}"))?;
            changes.last_mut().context(format_args!("expected a file before: {line}"))?.hunks.push(hunk);
        }
    }
    Ok(changes)
}

/// Reads a hunk; `numbers` is its first line after `@@ -`, such as `10,7 +10,8 @@`.
fn hunk<'t>(numbers: &str, lines: &mut impl Iterator<Item = &'t str>) -> Option<Hunk> {
    let (old, new) = numbers.split_once(" @@")?.0.split_once(" +")?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse::<usize>().ok());
    let line = old.split(',').next()?.parse().ok()?;
    let mut hunk = Hunk { line, old: vec![], new: vec![], added: vec![] };
    let mut is_added = false;
    while hunk.old.len() < count(old)? || hunk.new.len() < count(new)? {
        let line = lines.next()?;
        // An editor may have removed the blank of an empty line.
        let (kind, text) = if line.is_empty() { (" ", "") } else { line.split_at_checked(1)? };
        let text = text.to_string();
        match kind {
            "+" => {
                if !is_added {
                    hunk.added.push(vec![]);
                }
                hunk.added.last_mut()?.push(text.clone());
                hunk.new.push(text);
            }
            "-" => hunk.old.push(text),
            " " => {
                hunk.old.push(text.clone());
                hunk.new.push(text);
            }
            "\\" => continue,
            _ => return None,
        }
        is_added = kind == "+";
    }
    Some(hunk)
}

impl Change {
    /// Returns the lines that the patch adds to the file, in groups without other lines in between.
    #[cfg(test)]
    pub fn added(&self) -> impl Iterator<Item = &[String]> {
        self.hunks.iter().flat_map(|hunk| &hunk.added).map(Vec::as_slice)
    }

    /// Applies the change.
    ///
    /// # Errors
    /// The old lines that the file does not contain.
    pub fn apply(&self, files: &mut Files) -> Result<(), Error> {
        let unexpected = |text: String| Error::Unexpected(format!("{}: expected {text}", self.file));
        let is_new = self.hunks.iter().all(|hunk| hunk.old.is_empty());
        let old = match files.get(&self.file) {
            Some(_) if is_new => return Err(unexpected("no such file, found one".into())),
            Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            None if is_new => String::new(),
            None => return Err(unexpected("a file, found none".into())),
        };
        let mut lines: Vec<String> = old.lines().map(str::to_string).collect();
        // From the last to the first, so that the numbers of the others stay valid.
        for hunk in self.hunks.iter().rev() {
            let wanted = hunk.line.saturating_sub(1);
            let fits = |at: &usize| lines[*at..].starts_with(&hunk.old);
            let found = (0..=lines.len()).filter(fits).min_by_key(|at| at.abs_diff(wanted));
            let Some(at) = found else {
                let text = hunk.old.join("\n");
                return Err(unexpected(format!("these lines near {}:\n{text}", hunk.line)));
            };
            lines.splice(at..at + hunk.old.len(), hunk.new.iter().cloned());
        }
        files.insert(self.file.clone(), (lines.join("\n") + "\n").into_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "\
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1,2 @@
+first
+second
diff --git a/old b/old
--- a/old
+++ b/old
@@ -2,3 +2,4 @@ context
 a
-b
+c
+d
 a
";

    fn applied(old: &str) -> Result<[String; 2], Error> {
        let mut files = Files::from([("old".to_string(), old.as_bytes().to_vec())]);
        read(PATCH)?.iter().try_for_each(|change| change.apply(&mut files))?;
        Ok(["new", "old"].map(|name| String::from_utf8(files[name].clone()).unwrap()))
    }

    #[test]
    fn lines_that_moved_are_found() {
        assert_eq!(applied("x\na\nb\na\n").unwrap(), ["first\nsecond\n", "x\na\nc\nd\na\n"]);
        assert_eq!(applied("x\ny\nz\na\nb\na\n").unwrap()[1], "x\ny\nz\na\nc\nd\na\n");
        // The nearest of equal places.
        assert_eq!(applied("x\na\nb\na\na\nb\na\n").unwrap()[1], "x\na\nc\nd\na\na\nb\na\n");
    }

    #[test]
    fn other_lines_are_reported() {
        let problem = applied("x\na\na\n").unwrap_err();
        assert_eq!(problem.to_string(), "old: expected these lines near 2:\na\nb\na");
        assert!(read("@@ -1 +1 @@\n").is_err() && read("+++ /dev/null\n").is_err());
        let mut files = Files::from([("new".to_string(), vec![])]);
        let problem = read(PATCH).unwrap()[0].apply(&mut files).unwrap_err();
        assert_eq!(problem.to_string(), "new: expected no such file, found one");
    }

    #[test]
    fn added_lines_are_grouped() {
        let changes = read(PATCH).unwrap();
        assert_eq!(changes[1].file, "old");
        assert_eq!(changes[1].added().collect::<Vec<_>>(), [["c", "d"]]);
    }
}
