//! Fenced code blocks of Markdown, in documents and in Rust doc comments.

use super::FileError;
use super::execute::{self, Status};

/// The reason why a block does not hold.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("line {line}: {error}")]
    At { line: usize, error: Box<Error> },
    #[error("this code block is not closed")]
    Unclosed,
    #[error("unknown kind of block `{0}`: docs/testing.md lists them")]
    Kind(String),
    #[error("`{0}` must be a plain file name")]
    FileName(String),
    #[error("`mlir after` without a `mlir before` before it")]
    NoBefore,
    #[error("`mlir before` without a `mlir after` after it")]
    NoAfter,
    #[error("`mlir before` needs a pipeline=\"…\" here")]
    NoPipeline,
    #[error("`mlir after` differs from the output of {flag}\n{difference}")]
    Picture { flag: String, difference: String },
    #[error("expected `$ command`, found `{0}`")]
    NoCommand(String),
    #[error("the output of the commands differs\n{0}")]
    Output(String),
    #[error("expected these commands, which are marked `fails`, to fail")]
    Succeeded,
    #[error("{status}{output}")]
    Failed { status: Status, output: String },
    #[error("mlopt {arguments}: {error}")]
    Mlopt { arguments: String, error: Box<Error> },
    #[error(transparent)]
    Execution(#[from] execute::Failure),
    #[error(transparent)]
    File(#[from] FileError),
}

impl Error {
    /// Adds a line, unless the error has one.
    pub fn at(self, line: usize) -> Error {
        match self {
            Error::At { .. } => self,
            error => Error::At { line, error: Box::new(error) },
        }
    }
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The text after the opening fence: `mlir before pipeline="…"`.
    pub info: String,
    /// The content, without the fence's indentation.
    pub text: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// True if only blank lines are between the previous block and this one.
    pub adjacent: bool,
}

impl Block {
    pub fn language(&self) -> &str {
        self.info.split_whitespace().next().unwrap_or("")
    }

    /// Returns the text after the language.
    pub fn attributes(&self) -> &str {
        self.info.trim().strip_prefix(self.language()).unwrap_or("").trim()
    }

    /// Returns the value of `name="value"` in the info.
    pub fn value(&self, name: &str) -> Option<&str> {
        let (_, after) = self.info.split_once(&format!("{name}=\""))?;
        after.split_once('"').map(|(value, _)| value)
    }
}

/// Returns the blocks of a Markdown text.
pub fn markdown(text: &str) -> Result<Vec<Block>, Error> {
    collect(text.lines().enumerate().map(|(i, line)| (i + 1, line)))
}

/// Returns the blocks in the `//!` comments of a Rust file.
pub fn module_doc(text: &str) -> Result<Vec<Block>, Error> {
    collect(text.lines().enumerate().filter_map(|(i, line)| {
        let doc = line.trim_start().strip_prefix("//!")?;
        Some((i + 1, doc.strip_prefix(' ').unwrap_or(doc)))
    }))
}

fn collect<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Result<Vec<Block>, Error> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<(Block, &str, usize)> = None;
    let mut adjacent = false;
    for (number, line) in lines {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        match &mut open {
            Some((block, fence, _))
                if content.starts_with(*fence) && content.trim_start_matches(&fence[..1]).trim().is_empty() =>
            {
                blocks.push(block.clone());
                open = None;
                adjacent = true;
            }
            Some((block, _, outer)) => {
                block.text.push_str(&line[indent.min(*outer)..]);
                block.text.push('\n');
            }
            None => {
                let mark = if content.starts_with('~') { '~' } else { '`' };
                let length = content.len() - content.trim_start_matches(mark).len();
                let (fence, info) = content.split_at(length);
                if length >= 3 && !info.contains('`') {
                    let block = Block { info: info.trim().to_owned(), text: String::new(), line: number, adjacent };
                    open = Some((block, fence, indent));
                } else if !content.is_empty() {
                    adjacent = false;
                }
            }
        }
    }
    match open {
        Some((block, ..)) => Err(Error::Unclosed.at(block.line)),
        None => Ok(blocks),
    }
}
