//! Tests of pictures, which are pairs of a block `mlir before` and a block `mlir after`: the documented pass must
//! transform the first into the second.
//!
//! In the doc comment of `some_pass.rs` or of `some_pass/mod.rs`, the pass is `--some-pass`. Elsewhere, or for a pass
//! that needs options, the first block names a pipeline: `mlir before pipeline="builtin.module(jvp)"`.

use std::path::Path;

use super::blocks::{self, Block, Error};
use super::tool::Tool;
use super::{Outcome, Setting};

/// Checks whether a Rust file has a picture in its module's doc comment.
pub fn has_picture(text: &str) -> bool {
    text.lines().any(|line| {
        line.trim_start().strip_prefix("//!").is_some_and(|doc| doc.trim_start().starts_with("```mlir before"))
    })
}

/// Runs the pictures of a Rust file.
pub fn run(setting: &Setting, path: &Path, room: &Path) -> Result<Outcome, super::Error> {
    let text = std::fs::read_to_string(path).map_err(super::Error::Unreadable)?;
    let named = match path.file_name().is_some_and(|name| name == "mod.rs") {
        true => path.parent().and_then(Path::file_name),
        false => path.file_stem(),
    };
    let stem = named.unwrap_or_default().to_string_lossy();
    let pass = format!("--{}", stem.replace('_', "-"));
    let tool = Tool::new(setting, room, room);
    let blocks = blocks::module_doc(&text)?;
    let mut pictures = blocks.iter().filter(|block| role(block).is_some());
    while let Some(block) = pictures.next() {
        check(&tool, block, pictures.next(), Some(&pass))?;
    }
    tool.edits().map_or(Ok(()), |edits| edits.write(path, &text))?;
    Ok(Outcome::Pass)
}

/// Returns the role of a block: `before` or `after`.
pub fn role(block: &Block) -> Option<&str> {
    let word = block.attributes().split_whitespace().next()?;
    Some(word).filter(|word| block.language() == "mlir" && matches!(*word, "before" | "after"))
}

/// Runs `pass`, or the pipeline that `before` names, and compares the result with `after`, both printed by `mlopt`.
pub fn check(tool: &Tool, before: &Block, after: Option<&Block>, pass: Option<&str>) -> Result<(), Error> {
    if role(before) != Some("before") {
        return Err(Error::NoBefore.at(before.line));
    }
    let Some(after) = after.filter(|block| role(block) == Some("after")) else {
        return Err(Error::NoAfter.at(before.line));
    };
    let flag = match (before.value("pipeline"), pass) {
        (Some(pipeline), _) => format!("--pass-pipeline={pipeline}"),
        (None, Some(pass)) => pass.to_owned(),
        (None, None) => return Err(Error::NoPipeline.at(before.line)),
    };
    let mlopt = |text: &str, args: &[&str], line: usize| {
        let output = tool.mlopt(text, args).and_then(|output| output.succeeded());
        output.map_err(|e| Error::Mlopt { arguments: args.join(" "), error: Box::new(e) }.at(line))
    };
    let found = mlopt(&before.text, &["-", &flag], before.line)?;
    // Printed once more, so that both texts are processed by the same steps.
    let found = mlopt(&found, &["-"], before.line)?;
    let expected = mlopt(&after.text, &["-"], after.line)?;
    match (difference(&expected, &found), tool.edits()) {
        (Some(_), Some(edits)) => {
            edits.replace(after.line, &found);
            Ok(())
        }
        (Some(difference), None) => Err(Error::Picture { flag, difference }.at(after.line)),
        (None, _) => Ok(()),
    }
}

/// Returns both texts from shortly before the first line in which they differ.
pub fn difference(expected: &str, found: &str) -> Option<String> {
    let (expected, found): (Vec<_>, Vec<_>) =
        (expected.trim_end().lines().collect(), found.trim_end().lines().collect());
    if expected == found {
        return None;
    }
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let from = same.saturating_sub(3);
    let part = |lines: &[&str], mark: char| {
        let line = |(i, line): (usize, &&str)| format!("{} {line}\n", if from + i < same { ' ' } else { mark });
        lines[from.min(lines.len())..].iter().enumerate().map(line).collect::<String>()
    };
    Some(format!("expected, from line {}:\n{}found:\n{}", from + 1, part(&expected, '-'), part(&found, '+')))
}
