//! Documents: every command and every program in a Markdown file works as it is written.
//!
//! The `sh` and `console` blocks of one file run in order in one temporary folder, which holds links to what the
//! project holds, with `mlopt` on the PATH. docs/testing.md lists the kinds of blocks.

use std::path::{Path, PathBuf};

use super::blocks::{self, Block};
use super::tool::Tool;
use super::{Outcome, Setting, picture};

/// Runs the blocks of a Markdown file.
pub fn run(setting: &Setting, path: &Path, room: &Path) -> Result<Outcome, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read it: {e}"))?;
    let blocks = blocks::markdown(&text)?;
    let work = workplace(setting, path, room)?;
    let tool = Tool::new(setting, room, &work);
    let mut failures = Vec::new();
    let mut blocks = blocks.iter().peekable();
    while let Some(block) = blocks.next() {
        let result = match block.language() {
            "mlir" if picture::role(block).is_some() => picture::check(&tool, block, blocks.next(), None),
            "mlir" => program(&tool, block),
            "sh" => {
                let output = blocks.next_if(|next| next.language() == "text" && next.adjacent);
                commands(&tool, block, output)
            }
            "console" => session(&tool, block),
            "bash" | "shell" | "zsh" => Err(format!("line {}: write `sh` for commands", block.line)),
            _ => Ok(()),
        };
        failures.extend(result.err());
    }
    Ok(if failures.is_empty() { Outcome::Pass } else { Outcome::Fail(failures.join("\n")) })
}

/// The folder in which the commands of a document run: links to the entries of the project, and `.bin/mlopt` beside it.
fn workplace(setting: &Setting, document: &Path, room: &Path) -> Result<PathBuf, String> {
    let fail = |e: std::io::Error| format!("cannot prepare `{}`: {e}", room.display());
    let link = |to: &Path, from: PathBuf| std::os::unix::fs::symlink(to, from).map_err(fail);
    let (work, bin) = (room.join("work"), room.join(".bin"));
    std::fs::create_dir(&work).map_err(fail)?;
    std::fs::create_dir(&bin).map_err(fail)?;
    link(&setting.mlopt, bin.join("mlopt"))?;
    let is_project = |folder: &&Path| folder.join("Cargo.lock").exists();
    if let Some(project) = document.ancestors().skip(1).find(is_project) {
        for entry in project.read_dir().map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name();
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                link(&entry.path(), work.join(&name))?;
            }
        }
    }
    Ok(work)
}

/// `mlir`: a program that parses and verifies. `mlir fragment(%x: f64)`: the body of a function with these arguments.
/// `mlir invalid`: a program that is refused.
fn program(tool: &Tool, block: &Block) -> Result<(), String> {
    let attributes = block.attributes();
    let complain = |message: String| Err(format!("line {}: {message}", block.line));
    let check = |text: &str| tool.mlopt(text, &["-"]);
    if attributes.is_empty() {
        return check(&block.text).map(drop).or_else(|e| complain(format!("this program is refused: {e}")));
    }
    if attributes == "invalid" {
        return match check(&block.text) {
            Ok(_) => complain("this program is marked `invalid` and is accepted".to_owned()),
            Err(e) if e.starts_with("exit status 1") => Ok(()),
            Err(e) => complain(format!("this program is marked `invalid`; instead of an error it gives {e}")),
        };
    }
    match attributes.strip_prefix("fragment").map(str::trim) {
        Some(arguments) if arguments.is_empty() || arguments.starts_with('(') && arguments.ends_with(')') => {
            let arguments = if arguments.is_empty() { "()" } else { arguments };
            let text = format!("func.func @fragment{arguments} {{\n{}return\n}}\n", block.text);
            check(&text).map(drop).or_else(|e| complain(format!("this fragment is refused: {e}")))
        }
        _ => complain(format!("unknown words after `mlir`: `{attributes}`")),
    }
}

/// `sh`: commands that succeed; `sh fails`: commands that fail; `sh setup`: not run here.
fn commands(tool: &Tool, block: &Block, output: Option<&Block>) -> Result<(), String> {
    let complain = |message: String| Err(format!("line {}: {message}", block.line));
    if block.attributes() == "setup" {
        return Ok(());
    }
    let found = match (block.attributes(), tool.shell(&block.text)) {
        ("", Ok(found)) => found,
        ("", Err(e)) => return complain(format!("these commands fail: {e}")),
        ("fails", Ok(_)) => return complain("these commands are marked `fails` and succeed".to_owned()),
        ("fails", Err(e)) => match e.split_once('\n') {
            Some((first, rest)) if first.starts_with("exit status") => rest.to_owned(),
            _ => return complain(format!("these commands end with {e}")),
        },
        (other, _) => return complain(format!("unknown words after `sh`: `{other}`")),
    };
    match output {
        Some(expected) if !matches(&expected.text, &found) => {
            let difference = picture::difference(&expected.text, &found).unwrap_or_default();
            Err(format!("line {}: this is not what the commands print\n{difference}", expected.line))
        }
        _ => Ok(()),
    }
}

/// `console`: lines `$ command`, each followed by what it prints.
fn session(tool: &Tool, block: &Block) -> Result<(), String> {
    let mut lines = block.text.lines().enumerate().peekable();
    while let Some((i, line)) = lines.next() {
        let at = block.line + i + 1;
        let Some(command) = line.strip_prefix("$ ") else {
            return Err(format!("line {at}: expected `$ command`, found `{line}`"));
        };
        let mut expected = String::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("$ ")) {
            expected.push_str(line);
            expected.push('\n');
        }
        let found = tool.shell(command).map_err(|e| format!("line {at}: `{command}` fails: {e}"))?;
        if !matches(&expected, &found) {
            let difference = picture::difference(&expected, &found).unwrap_or_default();
            return Err(format!("line {at}: `{command}` prints something else\n{difference}"));
        }
    }
    Ok(())
}

/// Whether a text is what is expected: blanks at line ends and empty lines at the end do not count, a line `...` stands
/// for any lines, and `...` in a line for any text.
fn matches(expected: &str, found: &str) -> bool {
    let lines = |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    match_lines(&lines(expected), &lines(found))
}

fn match_lines(expected: &[String], found: &[String]) -> bool {
    match expected {
        [] => found.is_empty(),
        [first, rest @ ..] if first.trim() == "..." => (0..=found.len()).any(|n| match_lines(rest, &found[n..])),
        [first, rest @ ..] => match found {
            [line, others @ ..] => match_line(first, line) && match_lines(rest, others),
            [] => false,
        },
    }
}

fn match_line(expected: &str, found: &str) -> bool {
    match expected.split_once("...") {
        None => expected == found,
        Some((start, rest)) => match found.strip_prefix(start) {
            Some(after) => (0..=after.len()).filter(|n| after.is_char_boundary(*n)).any(|n| match_line(rest, &after[n..])),
            None => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn dots_stand_for_any_text_and_any_lines() {
        assert!(matches("a\nb\n", "a  \nb\n\n"));
        assert!(matches("a ... s\n...\nz", "a 1.2 s\nx\ny\nz"));
        assert!(matches("...\nz", "z"));
        assert!(matches("loss ... accuracy ...", "loss 0.1 accuracy 0.9"));
        assert!(!matches("a\nb", "a"));
        assert!(!matches("a\n...\nz", "a\nb"));
        assert!(!matches("a ... s", "a 1 m"));
        assert!(!matches("", "a"));
    }
}
