//! Execution of the pipeline of a RUN line. Programs run as processes; our own FileCheck and split-file run inside of
//! this process.
//!
//! As in lit with `pipefail`, the status of a pipeline is the last status of its commands that is not zero. Output that
//! is not redirected goes to a file of the test. So no process waits for a reader, and a process that outlives the test
//! cannot block it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::shell::{Command, Connector, Pipeline, Redirect, Script};
use super::{filecheck, split_file};

/// The environment of the commands of one test.
pub struct Surroundings<'a> {
    /// The executable that the word `mlopt` runs.
    pub mlopt: &'a Path,
    /// The working directory of every command.
    pub dir: &'a Path,
    /// The file for output that is not redirected.
    pub log: &'a Path,
    pub deadline: Instant,
    /// The time limit, for messages.
    pub timeout: Duration,
}

/// The way in which a command ended.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Status {
    #[error("exit status {0}")]
    Exit(i32),
    #[error("signal {0}")]
    Signal(i32),
}

impl Status {
    fn success(self) -> bool {
        self == Self::Exit(0)
    }
}

/// The reason why a RUN line failed.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// A command, and its status.
    #[error("{1} from: {0}")]
    Command(String, Status),
    #[error("not finished after {} s", .0.as_secs())]
    Timeout(Duration),
    /// The line cannot be executed: an unknown program, or a file that cannot be opened.
    #[error("{0}")]
    Impossible(String),
}

/// Runs a parsed RUN line.
pub fn run(script: &Script, around: &Surroundings) -> Result<(), Failure> {
    let mut last = pipeline(&script.first, around);
    for (connector, next) in &script.rest {
        // Only a status determines whether the next pipeline runs; after other failures none does.
        let go_on = match (&last, connector) {
            (Err(Failure::Timeout(_) | Failure::Impossible(_)), _) => false,
            (Ok(()), Connector::And) | (Err(_), Connector::Or) | (_, Connector::Then) => true,
            _ => false,
        };
        if go_on {
            last = pipeline(next, around);
        }
    }
    last
}

/// A command without its `env` and `not` words.
struct Prepared<'a> {
    command: &'a Command,
    words: &'a [String],
    set: Vec<(&'a str, &'a str)>,
    unset: Vec<&'a str>,
    /// For each `not`, outermost first: whether a crash is expected.
    nots: Vec<bool>,
}

fn prepare(command: &Command) -> Result<Prepared<'_>, Failure> {
    let mut to = Prepared { command, words: &command.words, set: Vec::new(), unset: Vec::new(), nots: Vec::new() };
    loop {
        match to.words {
            [first, rest @ ..] if first == "not" => {
                let crash = rest.first().is_some_and(|word| word == "--crash");
                to.nots.push(crash);
                to.words = if crash { &rest[1..] } else { rest };
            }
            [first, rest @ ..] if first == "env" => to.words = to.environment(rest)?,
            [first, ..] if matches!(first.as_str(), "cd" | "export" | "pushd" | "popd") => {
                return Err(Failure::Impossible(format!("not supported: `{first}`")));
            }
            [_, ..] => return Ok(to),
            [] => return Err(Failure::Impossible(format!("expected a command after `{}`", command.words.join(" ")))),
        }
    }
}

impl<'a> Prepared<'a> {
    /// Parses assignments and `-u NAME` after `env`. Returns the remaining words.
    fn environment(&mut self, mut words: &'a [String]) -> Result<&'a [String], Failure> {
        loop {
            match words {
                [flag, name, rest @ ..] if flag == "-u" => {
                    self.unset.push(name);
                    words = rest;
                }
                [flag, ..] if flag.starts_with('-') => {
                    return Err(Failure::Impossible(format!("not supported: `env {flag}`")));
                }
                [word, rest @ ..] if word.contains('=') => {
                    self.set.extend(word.split_once('='));
                    words = rest;
                }
                _ => return Ok(words),
            }
        }
    }

    /// Returns the status after all `not`s. Only `not --crash` accepts a crash.
    fn judge(&self, status: Status) -> Status {
        self.nots.iter().rev().fold(status, |status, crash| {
            let satisfied = match status {
                Status::Signal(_) => *crash,
                Status::Exit(code) => code != 0 && !crash,
            };
            Status::Exit(if satisfied { 0 } else { 1 })
        })
    }
}

/// A command that has been started.
enum Running {
    Process(Child),
    Inside(Receiver<Status>),
    Ended(Status),
}

fn pipeline(pipeline: &Pipeline, around: &Surroundings) -> Result<(), Failure> {
    let prepared = pipeline.0.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    let impossible = |error: std::io::Error| Failure::Impossible(error.to_string());
    let mut running = Vec::new();
    // Kept beyond the end of a process, because its children may still run in its group.
    let mut groups = Vec::new();
    let mut input = File::open("/dev/null").map_err(impossible)?;
    for (i, command) in prepared.iter().enumerate() {
        let (next, output) = if i + 1 < prepared.len() {
            let (reader, writer) = std::io::pipe().map_err(impossible)?;
            (Some(File::from(std::os::fd::OwnedFd::from(reader))), File::from(std::os::fd::OwnedFd::from(writer)))
        } else {
            (None, log(around)?)
        };
        let started = Streams::new(command.command, input, output, around).and_then(|s| start(command, s, around));
        match started {
            Ok(process) => {
                if let Running::Process(child) = &process {
                    groups.extend(Pid::from_raw(child.id() as i32));
                }
                running.push(process);
            }
            Err(failure) => {
                stop(&mut running, &groups);
                return Err(failure);
            }
        }
        let Some(next) = next else { break };
        input = next;
    }
    if !wait(&mut running, around.deadline) {
        stop(&mut running, &groups);
        return Err(Failure::Timeout(around.timeout));
    }
    let statuses = running.iter().map(|r| if let Running::Ended(status) = r { *status } else { Status::Exit(1) });
    let judged: Vec<_> =
        prepared.iter().zip(statuses).map(|(command, status)| (command, status, command.judge(status))).collect();
    match judged.iter().rev().find(|(_, _, judged)| !judged.success()) {
        Some((command, status, _)) => Err(Failure::Command(command.command.words.join(" "), *status)),
        None => Ok(()),
    }
}

fn log(around: &Surroundings) -> Result<File, Failure> {
    open(OpenOptions::new().append(true).create(true), around.log)
}

fn open(options: &OpenOptions, path: &Path) -> Result<File, Failure> {
    options.open(path).map_err(|e| Failure::Impossible(format!("cannot open `{}`: {e}", path.display())))
}

/// The three standard streams of a command after its redirections.
struct Streams {
    stdin: File,
    stdout: File,
    stderr: File,
}

impl Streams {
    fn new(command: &Command, stdin: File, stdout: File, around: &Surroundings) -> Result<Self, Failure> {
        let clone = |file: &File| file.try_clone().map_err(|e| Failure::Impossible(e.to_string()));
        let write = |file: &str, append: bool| {
            let mut options = OpenOptions::new();
            options.create(true).append(append).write(true).truncate(!append);
            open(&options, &around.dir.join(file))
        };
        let mut to = Self { stdin, stdout, stderr: log(around)? };
        for redirect in &command.redirects {
            match redirect {
                Redirect::Stdin(file) => to.stdin = open(OpenOptions::new().read(true), &around.dir.join(file))?,
                Redirect::Stdout { file, append } => to.stdout = write(file, *append)?,
                Redirect::Stderr { file, append } => to.stderr = write(file, *append)?,
                Redirect::Both(file) => {
                    to.stdout = write(file, false)?;
                    to.stderr = clone(&to.stdout)?;
                }
                Redirect::StderrToStdout => to.stderr = clone(&to.stdout)?,
            }
        }
        Ok(to)
    }
}

fn start(command: &Prepared, streams: Streams, around: &Surroundings) -> Result<Running, Failure> {
    let name = command.words[0].as_str();
    let args = command.words[1..].to_vec();
    match name {
        "FileCheck" => Ok(inside(around.dir.to_owned(), streams, move |dir, stdin| {
            filecheck::run(&args, dir, stdin).map_err(|failure| (failure.exit_status(), failure.to_string()))
        })),
        "split-file" => Ok(inside(around.dir.to_owned(), streams, move |dir, _| {
            split_file::run(&args, dir).map_err(|error| (1, format!("split-file: error: {error}")))
        })),
        _ => {
            let program = if name == "mlopt" { around.mlopt } else { Path::new(name) };
            let mut process = std::process::Command::new(program);
            process.args(&args).current_dir(around.dir).env("LC_ALL", "C").env_remove("FILECHECK_OPTS");
            process
                .stdin(Stdio::from(streams.stdin))
                .stdout(Stdio::from(streams.stdout))
                .stderr(Stdio::from(streams.stderr));
            process.env("PATH", path_with(around.mlopt));
            for name in &command.unset {
                process.env_remove(name);
            }
            process.envs(command.set.iter().copied());
            // A separate process group, so that a timeout kills children too.
            let child = process.process_group(0).spawn();
            child.map(Running::Process).map_err(|e| Failure::Impossible(format!("cannot run `{name}`: {e}")))
        }
    }
}

/// Returns the PATH with the folder of `mlopt` first, for scripts that commands run.
fn path_with(mlopt: &Path) -> std::ffi::OsString {
    let mut path = mlopt.parent().unwrap_or(Path::new("/")).as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    path
}

/// Runs one of our own programs on a thread. Its error is an exit status and a text for its standard error.
fn inside(
    dir: PathBuf,
    mut streams: Streams,
    program: impl FnOnce(&Path, &mut dyn Read) -> Result<(), (i32, String)> + Send + 'static,
) -> Running {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let status = match program(&dir, &mut streams.stdin) {
            Ok(()) => 0,
            Err((status, message)) => {
                // A closed reader is not a failure of this program.
                let _ = writeln!(streams.stderr, "{message}");
                status
            }
        };
        // Pipes are closed first: the next command must see the end of its input before this one is reported as ended.
        drop(streams);
        let _ = send.send(Status::Exit(status));
    });
    Running::Inside(receive)
}

/// Waits until all commands have ended. Returns false if the deadline has passed.
fn wait(running: &mut [Running], deadline: Instant) -> bool {
    let mut pause = Duration::from_micros(200);
    loop {
        let mut all = true;
        for one in running.iter_mut() {
            let ended = match one {
                Running::Ended(_) => continue,
                Running::Process(child) => child.try_wait().ok().flatten().map(|status| match status.code() {
                    Some(code) => Status::Exit(code),
                    None => Status::Signal(status.signal().unwrap_or(0)),
                }),
                Running::Inside(receiver) => match receiver.try_recv() {
                    Ok(status) => Some(status),
                    Err(std::sync::mpsc::TryRecvError::Empty) => None,
                    // The thread panicked; its message is on our standard error.
                    Err(std::sync::mpsc::TryRecvError::Disconnected) => Some(Status::Exit(101)),
                },
            };
            match ended {
                Some(status) => *one = Running::Ended(status),
                None => all = false,
            }
        }
        if all {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Kills the process groups. Our own threads end when their input ends.
fn stop(running: &mut [Running], groups: &[Pid]) {
    for group in groups {
        // The group may have ended already.
        let _ = rustix::process::kill_process_group(*group, Signal::KILL);
    }
    for one in running {
        if let Running::Process(child) = one {
            let _ = child.wait();
        }
    }
}
