//! Tests in files with RUN lines.

use std::path::Path;
use std::time::Instant;

use super::execute::{self, Failure, Surroundings};
use super::script::{self, Substitutions};
use super::shell::{self, Redirect};
use super::{Error, Outcome, Setting, features};

/// Runs the RUN lines of `path` in sequence, in the folder `room`.
pub fn run(setting: &Setting, path: &Path, room: &Path) -> Result<Outcome, Error> {
    let text = std::fs::read(path).map_err(Error::Unreadable)?;
    let script = script::parse(&String::from_utf8_lossy(&text))?;
    let missing = features::missing(&script.requires, features::available)?;
    if !missing.is_empty() {
        return Ok(Outcome::Skip(missing.join(", ")));
    }
    let substitutions = Substitutions { source: path.to_owned(), temporary: room.to_owned() };
    let deadline = Instant::now() + setting.timeout;
    for (i, (line, command)) in script.runs.iter().enumerate() {
        let log = room.join(format!(".output-{i}"));
        let around = Surroundings { mlopt: &setting.mlopt, dir: room, log: &log, deadline, timeout: setting.timeout };
        let parsed = parse(command, &substitutions).map_err(|e| Failure::Impossible(e.to_string()));
        let result = parsed.and_then(|script| execute::run(&script, &around));
        if let Err(failure) = result {
            let output = std::fs::read(&log).unwrap_or_default();
            return Ok(Outcome::Fail(describe(*line, command, &failure, &String::from_utf8_lossy(&output))));
        }
    }
    Ok(Outcome::Pass)
}

/// Parses a RUN line, and applies substitutions such as `%s` in every word and file name.
fn parse(command: &str, substitutions: &Substitutions) -> Result<shell::Script, shell::Error> {
    let mut script = shell::parse(command)?;
    let pipelines = std::iter::once(&mut script.first).chain(script.rest.iter_mut().map(|(_, pipeline)| pipeline));
    for command in pipelines.flat_map(|pipeline| &mut pipeline.0) {
        let files = command.redirects.iter_mut().filter_map(|redirect| match redirect {
            Redirect::Stdin(file) | Redirect::Both(file) => Some(file),
            Redirect::Stdout { file, .. } | Redirect::Stderr { file, .. } => Some(file),
            Redirect::StderrToStdout => None,
        });
        for word in command.words.iter_mut().chain(files) {
            *word = substitutions.apply(word)?;
        }
    }
    Ok(script)
}

fn describe(line: usize, command: &str, failure: &Failure, output: &str) -> String {
    let output = if output.is_empty() { "no output".to_owned() } else { format!("output:\n{}", shorten(output)) };
    format!("line {line}: RUN: {command}\n{failure}\n{output}")
}

/// Returns the first and the last lines of a long text.
pub fn shorten(text: &str) -> String {
    const KEEP: usize = 100;
    let lines: Vec<_> = text.lines().collect();
    if lines.len() <= 2 * KEEP {
        return lines.join("\n");
    }
    let left_out = format!("… {} lines …", lines.len() - 2 * KEEP);
    [&lines[..KEEP], &[left_out.as_str()], &lines[lines.len() - KEEP..]].concat().join("\n")
}
