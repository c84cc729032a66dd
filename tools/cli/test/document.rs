//! Tests of documents: every command and every program in a Markdown file must work as written.
//!
//! The blocks of one file run in order in one folder that is initially empty, with `mlopt` on the PATH. docs/testing.md
//! lists the kinds of blocks.

use std::path::Path;

use super::blocks::{self, Block, Error};
use super::execute::Status;
use super::tool::Tool;
use super::{FileError, Outcome, Setting, picture};

/// Runs the blocks of a Markdown file.
pub fn run(setting: &Setting, path: &Path, room: &Path) -> Result<Outcome, super::Error> {
    let text = std::fs::read_to_string(path).map_err(super::Error::Unreadable)?;
    let failures = failures(setting, path, &text, room)?;
    Ok(if failures.is_empty() { Outcome::Pass } else { Outcome::Fail(failures.join("\n")) })
}

/// Returns a message for each block that does not hold.
fn failures(setting: &Setting, path: &Path, text: &str, room: &Path) -> Result<Vec<String>, Error> {
    let (work, bin) = (room.join("work"), room.join("bin"));
    std::fs::create_dir(&work)
        .and_then(|()| std::fs::create_dir(&bin))
        .and_then(|()| std::os::unix::fs::symlink(&setting.mlopt, bin.join("mlopt")))
        .map_err(FileError::of("prepare", room))?;
    let page = Page { tool: Tool::new(setting, room, &work), bin: &bin };
    let blocks = blocks::markdown(text)?;
    let mut blocks = blocks.iter().peekable();
    let mut failures = Vec::new();
    while let Some(block) = blocks.next() {
        let words: Vec<_> = block.info.split_whitespace().collect();
        let result = match words[..] {
            ["mlir", "before", ..] => picture::check(&page.tool, block, blocks.next(), None),
            ["mlir", "after", ..] => picture::check(&page.tool, block, None, None),
            ["mlir"] => page.lines(&block.text),
            ["mlir", name] => page.file(name, &block.text).and_then(|()| page.mlopt(&[name], "").map(drop)),
            ["sh"] => page.commands(block, blocks.next_if(|next| next.info == "text" && next.adjacent)),
            ["sh", "fails"] => {
                page.failing_commands(block, blocks.next_if(|next| next.info == "text" && next.adjacent))
            }
            ["console"] => page.session(block),
            ["sh", "setup"] | ["text" | "rust" | "tablegen" | "c" | "python" | "json" | "toml"] | [] => Ok(()),
            [_, name] if name.contains('.') => page.file(name, &block.text),
            _ => Err(Error::Kind(block.info.clone())),
        };
        failures.extend(result.err().map(|error| error.at(block.line).to_string()));
    }
    page.tool.edits().map_or(Ok(()), |edits| edits.write(path, text))?;
    Ok(failures)
}

/// A document with its folder.
struct Page<'a> {
    tool: Tool<'a>,
    bin: &'a Path,
}

impl Page<'_> {
    fn file(&self, name: &str, text: &str) -> Result<(), Error> {
        if name.contains('/') {
            return Err(Error::FileName(name.to_owned()));
        }
        Ok(std::fs::write(self.tool.dir.join(name), text).map_err(FileError::of("write", name))?)
    }

    fn mlopt(&self, args: &[&str], text: &str) -> Result<String, Error> {
        self.tool.mlopt(text, args)?.succeeded()
    }

    /// Checks that lines of a program parse and verify. Values that they use but do not define get a definition of the
    /// expected type.
    fn lines(&self, text: &str) -> Result<(), Error> {
        let parse = |given: &[(String, String)]| {
            let definitions = given.iter().map(|(name, ty)| format!("{name} = \"docs.given\"() : () -> ({ty})\n"));
            let program = format!("{text}\n{}", definitions.collect::<String>());
            self.tool.mlopt(&program, &["-", "--allow-unregistered-dialect"])
        };
        // MLIR reports the expected type when a value is defined with another type, one value at a time.
        let undefined = undefined_values(text, &parse(&[])?.stderr);
        let mut given: Vec<_> = undefined.into_iter().map(|name| (name, "none".to_owned())).collect();
        for _ in 0..given.len() {
            let Some((name, ty)) = expected_type(&parse(&given)?.stderr) else { break };
            given.iter_mut().filter(|(n, _)| *n == name).for_each(|(_, t)| *t = ty.clone());
        }
        parse(&given)?.succeeded().map(drop)
    }

    /// Checks that commands succeed and print `expected`.
    fn commands(&self, block: &Block, expected: Option<&Block>) -> Result<(), Error> {
        let found = self.tool.shell(&block.text, self.bin)?.succeeded()?;
        expected.map_or(Ok(()), |expected| self.prints(expected, &found))
    }

    /// Checks that commands fail with an exit status and print `expected` as diagnostics.
    fn failing_commands(&self, block: &Block, expected: Option<&Block>) -> Result<(), Error> {
        let output = self.tool.shell(&block.text, self.bin)?;
        match output.end {
            Ok(()) => Err(Error::Succeeded),
            // A shell reports a signal as a status of at least 128.
            Err(Status::Exit(..128)) => expected.map_or(Ok(()), |expected| self.prints(expected, &output.stderr)),
            Err(_) => output.succeeded().map(drop),
        }
    }

    fn prints(&self, expected: &Block, found: &str) -> Result<(), Error> {
        match self.tool.edits() {
            Some(edits) if !matches(&expected.text, found) => {
                edits.replace(expected.line, found);
                Ok(())
            }
            _ => prints(&expected.text, found, expected.line),
        }
    }

    /// Checks lines `$ command`, each followed by its output.
    fn session(&self, block: &Block) -> Result<(), Error> {
        let mut lines = block.text.lines().enumerate().peekable();
        while let Some((i, line)) = lines.next() {
            let at = block.line + i + 1;
            let command = line.strip_prefix("$ ").ok_or_else(|| Error::NoCommand(line.to_owned()).at(at))?;
            let mut expected = String::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("$ ")) {
                expected.extend([line, "\n"]);
            }
            let found = self.tool.shell(command, self.bin)?.succeeded().map_err(|e| e.at(at))?;
            prints(&expected, &found, at)?;
        }
        Ok(())
    }
}

/// Returns `%name` for each `FILE:line:col: error: use of undeclared SSA value name`.
fn undefined_values(text: &str, errors: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut names = Vec::new();
    for message in errors.lines().filter(|line| line.contains("use of undeclared SSA value name")) {
        let mut place = message.split(':').skip(1).map_while(|n| n.parse::<usize>().ok());
        let (Some(line), Some(column)) = (place.next(), place.next()) else { continue };
        let Some(rest) = lines.get(line - 1).and_then(|l| l.get(column..)) else { continue };
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || "_$.-".contains(*c)).collect();
        let name = format!("%{name}");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns name and type from the lines `definition of SSA value '%x#0'…` and `previously used here with type 'T'`.
fn expected_type(errors: &str) -> Option<(String, String)> {
    let (_, rest) = errors.split_once("definition of SSA value '")?;
    let (name, rest) = rest.split_once('#')?;
    let (_, rest) = rest.split_once("previously used here with type '")?;
    Some((name.to_owned(), rest.split('\'').next()?.to_owned()))
}

fn prints(expected: &str, found: &str, line: usize) -> Result<(), Error> {
    if matches(expected, found) {
        return Ok(());
    }
    let difference = picture::difference(expected, found).unwrap_or_default();
    Err(Error::Output(difference).at(line))
}

/// Checks whether a text is as expected. Blanks at ends of lines and empty lines at the end are ignored; a line `...`
/// matches any lines, and `...` within a line any text.
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
            Some(after) => {
                (0..=after.len()).filter(|n| after.is_char_boundary(*n)).any(|n| match_line(rest, &after[n..]))
            }
            None => false,
        },
    }
}
