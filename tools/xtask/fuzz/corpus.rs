//! The text files of the project that are mutated: programs in the notations that `mlopt` reads, and programs in
//! documents.

use super::Random;
use crate::copy;
use crate::error::Error;
use crate::root;
use std::fs;
use std::path::Path;

/// The extensions of the notations.
const NOTATIONS: [&str; 5] = ["mlir", "rml2", "lambda", "terms", "rules"];
/// The separator of the parts of a file.
const SPLIT: &str = "// -----";

/// A program, or several that `--split-input-file` separates.
pub struct Source {
    /// The path from the root of the repository; for a block in a document, that of the document.
    pub path: String,
    pub extension: &'static str,
    pub text: String,
}

pub struct Corpus {
    /// One list for each notation that has programs.
    notations: Vec<Vec<Source>>,
}

impl Corpus {
    pub fn read() -> Result<Corpus, Error> {
        let mut notations: Vec<Vec<Source>> = NOTATIONS.iter().map(|_| vec![]).collect();
        let mut add = |path: &str, extension: &str, text: String| {
            if let Some(k) = NOTATIONS.iter().position(|n| *n == extension) {
                notations[k].push(Source { path: path.into(), extension: NOTATIONS[k], text });
            }
        };
        for path in &copy::tracked()? {
            let extension = Path::new(path).extension().unwrap_or_default().to_string_lossy().into_owned();
            if extension != "md" && !NOTATIONS.contains(&extension.as_str()) {
                continue;
            }
            let Ok(text) = fs::read_to_string(root().join(path)) else { continue };
            match extension.as_str() {
                "md" => blocks(&text).into_iter().for_each(|(extension, body)| add(path, &extension, body)),
                _ => add(path, &extension, text),
            }
        }
        notations.retain(|list| !list.is_empty());
        if notations.is_empty() {
            return Err(Error::Unexpected("no text files found: is this a checkout of the repository?".into()));
        }
        Ok(Corpus { notations })
    }

    /// Picks a file or a part of it: MLIR with a probability of at least two thirds, because most programs are MLIR.
    pub fn pick(&self, random: &mut Random) -> &Source {
        let k = if random.below(3) < 2 { 0 } else { random.below(self.notations.len()) };
        random.of(&self.notations[k])
    }

    /// Returns the files that contain MLIR, without those in documents.
    pub fn programs(&self) -> impl Iterator<Item = &Source> {
        self.notations.iter().flatten().filter(|source| source.extension == "mlir" && source.path.ends_with(".mlir"))
    }

    /// Returns another source in the same notation.
    pub fn like(&self, source: &Source, random: &mut Random) -> &Source {
        let list = self.notations.iter().find(|list| list[0].extension == source.extension);
        random.of(list.expect("the source is from a list"))
    }
}

/// Returns a part of `text`, or the whole text with probability one quarter.
pub fn part<'a>(text: &'a str, random: &mut Random) -> &'a str {
    let parts: Vec<&str> = text.split(SPLIT).collect();
    if parts.len() == 1 || random.one_in(4) { text } else { random.pick(&parts) }
}

/// Returns the blocks of a document that contain programs: the extension, and the text.
fn blocks(document: &str) -> Vec<(String, String)> {
    let mut found = vec![];
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```").filter(|rest| !rest.is_empty()) else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|l| !l.starts_with("```")).collect();
        // `mlir`, `mlir NAME.mlir`, `lisp NAME.lambda`.
        let name = fence.split_whitespace().find_map(|word| Some(word.rsplit_once('.')?.1));
        let extension = name.unwrap_or(fence.split_whitespace().next().unwrap_or_default());
        found.push((extension.to_string(), body.join("\n") + "\n"));
    }
    found
}
