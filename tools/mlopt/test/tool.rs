//! One command with a text in and a text out, in a test's folder and time.

use std::path::Path;
use std::time::Instant;

use super::Setting;
use super::execute::{self, Failure, Surroundings};
use super::lit::shorten;
use super::shell::{Command, Pipeline, Redirect, Script};

/// The commands of one picture or document, which share a folder and a deadline.
pub struct Tool<'a> {
    setting: &'a Setting,
    room: &'a Path,
    /// Where commands start.
    pub dir: &'a Path,
    deadline: Instant,
}

/// What a command wrote; `Err` holds also how it ended.
pub type Output = Result<String, String>;

impl<'a> Tool<'a> {
    pub fn new(setting: &'a Setting, room: &'a Path, dir: &'a Path) -> Self {
        Self { setting, room, dir, deadline: Instant::now() + setting.timeout }
    }

    /// `mlopt` with the given arguments on `text`: its standard output, or a failure with its standard error.
    pub fn mlopt(&self, text: &str, args: &[&str]) -> Output {
        let words = ["mlopt"].into_iter().chain(args.iter().copied());
        self.run(words, text, false)
    }

    /// A block of shell commands: everything they write.
    pub fn shell(&self, text: &str) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("PATH={}:{path}", self.room.join(".bin").display());
        self.run(["env", &path, "sh", "-eu", "-c", text].into_iter(), "", true)
    }

    fn run<'w>(&self, words: impl Iterator<Item = &'w str>, text: &str, both: bool) -> Output {
        let file = |name: &str| self.room.join(name).to_string_lossy().into_owned();
        let (input, output, log) = (file(".in"), file(".out"), self.room.join(".log"));
        std::fs::write(&input, text).map_err(|e| format!("cannot write `{input}`: {e}"))?;
        // Every command has a log of its own.
        let _ = std::fs::remove_file(&log);
        let written = if both { Redirect::Both(output.clone()) } else { Redirect::Stdout { file: output.clone(), append: false } };
        let command = Command { words: words.map(str::to_owned).collect(), redirects: vec![Redirect::Stdin(input), written] };
        let script = Script { first: Pipeline(vec![command]), rest: Vec::new() };
        let around = Surroundings { mlopt: &self.setting.mlopt, dir: self.dir, log: &log, deadline: self.deadline };
        let result = execute::run(&script, &around);
        let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        let written = read(Path::new(&output));
        match result {
            Ok(()) => Ok(written),
            Err(Failure::Command(_, status)) => Err(format!("{status}\n{}{}", shorten(&read(&log)), shorten(&written))),
            Err(Failure::Timeout) => Err(format!("not finished after {} s", self.setting.timeout.as_secs())),
            Err(Failure::Impossible(message)) => Err(message),
        }
    }
}
