//! Execution of commands with a text as input and texts as output, in the folder of a test and within its time limit.

use std::path::Path;
use std::time::Instant;

use super::bless::Edits;
use super::blocks::Error;
use super::execute::{self, Failure, Status, Surroundings};
use super::lit::shorten;
use super::shell::{Command, Pipeline, Redirect, Script};
use super::{FileError, Setting};

/// The runner of the commands of one picture or document, which share a folder and a deadline.
pub struct Tool<'a> {
    setting: &'a Setting,
    room: &'a Path,
    /// The working directory of the commands.
    pub dir: &'a Path,
    deadline: Instant,
    edits: Edits,
}

/// The output of a command, and the way in which it ended.
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    /// `Err` with a status if the command failed.
    pub end: Result<(), Status>,
}

impl Output {
    /// Returns the standard output of a command that succeeded, otherwise its status and output.
    pub fn succeeded(self) -> Result<String, Error> {
        match self.end {
            Ok(()) => Ok(self.stdout),
            Err(status) => {
                let output = format!("\n{}\n{}", shorten(&self.stdout), shorten(&self.stderr)).replace("\n\n", "\n");
                Err(Error::Failed { status, output })
            }
        }
    }
}

impl<'a> Tool<'a> {
    pub fn new(setting: &'a Setting, room: &'a Path, dir: &'a Path) -> Self {
        Self { setting, room, dir, deadline: Instant::now() + setting.timeout, edits: Edits::default() }
    }

    /// Returns the collection of expectations to be rewritten; `None` if they must hold.
    pub fn edits(&self) -> Option<&Edits> {
        self.setting.bless.then_some(&self.edits)
    }

    /// Runs `mlopt` with the given arguments and standard input. Returns `Err` if it could not be run to its end.
    pub fn mlopt(&self, text: &str, args: &[&str]) -> Result<Output, Error> {
        let words = ["mlopt"].into_iter().chain(args.iter().copied());
        self.run(words, text)
    }

    /// Runs a block of shell commands, with `bin` first on the PATH.
    pub fn shell(&self, text: &str, bin: &Path) -> Result<Output, Error> {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("PATH={}:{path}", bin.display());
        self.run(["env", &path, "bash", "-euo", "pipefail", "-c", text].into_iter(), "")
    }

    fn run<'w>(&self, words: impl Iterator<Item = &'w str>, text: &str) -> Result<Output, Error> {
        let file = |name: &str| self.room.join(name).to_string_lossy().into_owned();
        let (input, output, log) = (file(".in"), file(".out"), self.room.join(".err"));
        std::fs::write(&input, text).map_err(FileError::of("write", &input))?;
        // Each command has its own log.
        let _ = std::fs::remove_file(&log);
        let redirects = vec![Redirect::Stdin(input), Redirect::Stdout { file: output.clone(), append: false }];
        let command = Command { words: words.map(str::to_owned).collect(), redirects };
        let script = Script { first: Pipeline(vec![command]), rest: Vec::new() };
        let (mlopt, timeout) = (&*self.setting.mlopt, self.setting.timeout);
        let around = Surroundings { mlopt, dir: self.dir, log: &log, deadline: self.deadline, timeout };
        let end = match execute::run(&script, &around) {
            Ok(()) => Ok(()),
            Err(Failure::Command(_, status)) => Err(status),
            Err(failure) => return Err(failure.into()),
        };
        let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        Ok(Output { stdout: read(Path::new(&output)), stderr: read(&log), end })
    }
}
