//! `mlopt test --bless`: replaces expectations that do not hold by the actual results.

use super::FileError;
use std::cell::RefCell;
use std::path::Path;

/// New contents of blocks of one file.
#[derive(Default)]
pub struct Edits(RefCell<Vec<Edit>>);

struct Edit {
    /// The line of the opening fence, from 1.
    fence: usize,
    text: String,
}

impl Edits {
    /// Sets the new text of the block whose opening fence is at this line.
    pub fn replace(&self, fence: usize, text: &str) {
        self.0.borrow_mut().push(Edit { fence, text: text.trim_end().to_owned() });
    }

    /// Rewrites the file if any block has changed, and prints the lines of these blocks.
    pub fn write(&self, path: &Path, old: &str) -> Result<(), FileError> {
        if self.0.borrow().is_empty() {
            return Ok(());
        }
        let lines = self.0.borrow().iter().map(|e| e.fence.to_string()).collect::<Vec<_>>().join(", ");
        println!("blessed {}: the blocks of lines {lines}", path.display());
        std::fs::write(path, self.apply(old)).map_err(FileError::of("write", path))
    }

    fn apply(&self, old: &str) -> String {
        let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
        let mut edits = self.0.borrow_mut();
        // From last to first, so that the lines before a block keep their numbers.
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.fence));
        for Edit { fence, text } in edits.iter() {
            // The text before the fence, a comment mark or indentation, precedes every line.
            let margin = lines[fence - 1].split('`').next().unwrap_or_default().to_owned();
            let close = format!("{margin}```");
            let length = lines[*fence..].iter().take_while(|line| !line.starts_with(&close)).count();
            let new = text.lines().map(|line| format!("{margin}{line}").trim_end().to_owned());
            lines.splice(*fence..fence + length, new);
        }
        lines.join("\n") + "\n"
    }
}
