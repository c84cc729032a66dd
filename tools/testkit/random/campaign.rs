//! Campaigns: many random programs are run in separate processes, so that a crash or a hang is reported like other
//! failures, and statistics are collected.
//!
//! A worker process checks a range of seeds, and writes a line for each ([`Line`]). The campaign collects the lines,
//! optionally in a file from which a later campaign resumes.

use super::builder::Form;
use super::check::{self, Checked};
use super::reduce::smaller;
use super::requests::ENTRY;
use super::{Program, generate, patterns::PATTERNS};
use mlopt_lowering::native::{self, Target};
use mlopt_runtime::arguments::npy;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The programs to run, and the options.
#[derive(clap::Args, Clone, Debug)]
pub struct Campaign {
    /// Number of programs
    #[arg(long, default_value_t = 100)]
    pub count: u64,
    /// The first seed
    #[arg(long = "seed", value_name = "SEED", default_value_t = 1)]
    pub first: u64,
    /// Number of parallel processes
    #[arg(short, long, default_value_t = 2)]
    pub jobs: usize,
    /// Append a line for each program to this file, and skip the seeds that it contains
    #[arg(long = "resume", value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Folder for failing programs and their arguments
    #[arg(long, value_name = "FOLDER", default_value = "target/random")]
    pub folder: PathBuf,
    /// Seconds that one program may take
    #[arg(long, default_value_t = 600)]
    pub patience: u64,
}

/// The reason why a campaign ends early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Native(#[from] native::Error),
    #[error("a thread failed")]
    Thread,
}

impl<T> From<PoisonError<T>> for Error {
    fn from(_: PoisonError<T>) -> Error {
        Error::Thread
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |error| Error::File { path: path.into(), error }
}

/// The number of seeds that one process checks.
const CHUNK: u64 = 25;

/// A worker's report on one program. It is written as JSON in one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub seed: u64,
    pub failed: bool,
    pub kind: String,
    pub float: String,
    /// The largest size.
    pub largest: usize,
    pub compared: usize,
    pub derivatives: usize,
    pub steps: u64,
    pub patterns: Vec<String>,
    /// The error, in one line.
    pub text: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Line {
    fn of(seed: u64, checked: &Checked) -> Line {
        let &Checked { compared, derivatives, steps, .. } = checked;
        let text = checked.wrong.as_ref().map(|w| w.to_string().replace(['\n', '\t'], " ")).unwrap_or_default();
        let failed = checked.wrong.is_some();
        Line { failed, compared, derivatives, steps, ..Line::lost(seed, &checked.program, text) }
    }

    /// Returns the line of a program without results, because its process crashed or hung.
    fn lost(seed: u64, program: &Program, why: String) -> Line {
        Line {
            seed,
            failed: true,
            kind: program.kind.name().into(),
            float: program.float.to_string(),
            largest: program.sizes.iter().copied().max().unwrap_or(0),
            compared: 0,
            derivatives: 0,
            steps: 0,
            patterns: program.patterns.iter().map(|p| p.to_string()).collect(),
            text: why,
        }
    }
}

/// Checks seeds in sequence. Writes a line for each to the standard output, and failing programs into `folder`.
pub fn work(seeds: impl Iterator<Item = u64>, folder: &Path) -> Result<(), Error> {
    mlopt_lowering::register_passes();
    let target = Target::host()?;
    for seed in seeds {
        println!("start\t{seed}");
        let checked = check::check(seed, &[], &target);
        let line = Line::of(seed, &checked);
        if checked.wrong.is_some() {
            let small = smaller(seed, checked, &target);
            write_failure(seed, &small, folder).map_err(at(folder))?;
        }
        println!("{line}");
    }
    Ok(())
}

/// Writes the program, its arguments, and the commands that reproduce the difference.
fn write_failure(seed: u64, checked: &Checked, folder: &Path) -> io::Result<()> {
    let folder = folder.join(seed.to_string());
    fs::create_dir_all(&folder)?;
    let Some(wrong) = &checked.wrong else { return Ok(()) };
    let program = generate(seed, wrong.form, &checked.program.sizes);
    let mut arguments = String::new();
    for (k, argument) in program.arguments.iter().enumerate() {
        let path = folder.join(format!("{k}.npy"));
        npy::write(&path, argument)?;
        arguments += &format!(" --arg @{}", path.display());
    }
    let path = folder.join("program.mlir");
    let egg = if wrong.way == "plain" { " without egg-optimize" } else { "" };
    let run = format!("mlopt run {} --entry @{ENTRY}{arguments}", path.display());
    let text = format!(
        "// seed {seed}, sizes {:?}, {wrong}\n// {run}{egg}\n// {run} --interpret\n{}",
        program.sizes, program.text
    );
    fs::write(&path, &text)?;
    eprintln!("{text}");
    Ok(())
}

/// The results of many programs.
#[derive(Default)]
pub struct Tally {
    pub lines: Vec<Line>,
}

/// The upper bounds of the classes of sizes in the table.
const CLASSES: [usize; 8] = [0, 5, 10, 17, 33, 64, 129, 1000];

impl Tally {
    pub fn failed(&self) -> Vec<&Line> {
        self.lines.iter().filter(|l| l.failed).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let class = |n: usize| CLASSES.iter().position(|&c| n <= c).unwrap_or(CLASSES.len() - 1);
        write!(f, "{:<18}", "pattern, size ≤")?;
        CLASSES.iter().try_for_each(|c| write!(f, "{c:>7}"))?;
        writeln!(f, "{:>8}{:>8}", "all", "failed")?;
        let row = |f: &mut fmt::Formatter, name: &str, lines: &[&Line]| {
            write!(f, "{name:<18}")?;
            for k in 0..CLASSES.len() {
                write!(f, "{:>7}", lines.iter().filter(|l| class(l.largest) == k).count())?;
            }
            writeln!(f, "{:>8}{:>8}", lines.len(), lines.iter().filter(|l| l.failed).count())
        };
        for pattern in PATTERNS {
            let lines: Vec<&Line> =
                self.lines.iter().filter(|l| l.patterns.iter().any(|p| p == pattern.name)).collect();
            row(f, pattern.name, &lines)?;
        }
        row(f, "programs", &self.lines.iter().collect::<Vec<_>>())?;
        let mut kinds: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for l in &self.lines {
            *kinds.entry((&l.kind, &l.float)).or_default() += 1;
        }
        let kinds: Vec<String> = kinds.iter().map(|((k, p), n)| format!("{n} {k} {p}")).collect();
        let sum = |of: fn(&Line) -> usize| self.lines.iter().map(of).sum::<usize>();
        writeln!(f, "{}", kinds.join(", "))?;
        writeln!(
            f,
            "{} comparisons with the evaluator, {} derivatives by differences, {} million steps",
            sum(|l| l.compared),
            sum(|l| l.derivatives),
            self.lines.iter().map(|l| l.steps).sum::<u64>() / 1_000_000
        )?;
        write!(f, "{} programs, {} failed", self.lines.len(), self.failed().len())
    }
}

impl Campaign {
    /// Runs `worker` (a program that calls [`work`]) on all seeds.
    pub fn run(&self, worker: &Path) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        if let Some(log) = &self.log {
            let text = fs::read_to_string(log).unwrap_or_default();
            let seeds = self.first..self.first + self.count;
            let lines = text.lines().flat_map(serde_json::from_str::<Line>);
            tally.lines.extend(lines.filter(|l| seeds.contains(&l.seed)));
        }
        let done: BTreeSet<u64> = tally.lines.iter().map(|l| l.seed).collect();
        let open: Vec<u64> = (self.first..self.first + self.count).filter(|s| !done.contains(s)).collect();
        let chunks = Mutex::new(open.chunks(CHUNK as usize));
        let tally = Mutex::new(tally);
        std::thread::scope(|scope| {
            let one = || -> Result<(), Error> {
                loop {
                    let next = chunks.lock()?.next();
                    let Some(seeds) = next else { return Ok(()) };
                    self.chunk(worker, seeds, &tally)?;
                }
            };
            let threads: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(one)).collect();
            threads.into_iter().try_for_each(|t| t.join().map_err(|_| Error::Thread)?)
        })?;
        let mut tally = tally.into_inner()?;
        tally.lines.sort_by_key(|l| l.seed);
        Ok(tally)
    }

    fn note(&self, line: Line, tally: &Mutex<Tally>) -> Result<(), Error> {
        let mut tally = tally.lock()?;
        if let Some(log) = &self.log {
            let file = fs::OpenOptions::new().create(true).append(true).open(log);
            file.and_then(|mut f| writeln!(f, "{line}")).map_err(at(log))?;
        }
        if line.failed {
            eprintln!("seed {}: {}", line.seed, line.text);
        }
        tally.lines.push(line);
        Ok(())
    }

    /// Checks these seeds in a process. If the process dies at a seed, a new one continues with the next seed.
    fn chunk(&self, worker: &Path, seeds: &[u64], tally: &Mutex<Tally>) -> Result<(), Error> {
        let mut left = seeds.to_vec();
        while !left.is_empty() {
            let list: Vec<String> = left.iter().map(u64::to_string).collect();
            let mut child = Command::new(worker)
                .args(["--worker", &list.join(","), "--folder"])
                .arg(&self.folder)
                .stdout(Stdio::piped())
                .spawn()
                .map_err(at(worker))?;
            let out = BufReader::new(child.stdout.take().expect("it is piped"));
            let (send, lines) = channel();
            let reader = std::thread::spawn(move || {
                // The receiver is dropped after a timeout; then sending fails.
                out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)).unwrap_or_default();
            });
            let mut hangs = false;
            loop {
                match lines.recv_timeout(Duration::from_secs(self.patience)) {
                    Ok(line) => {
                        let Ok(line) = serde_json::from_str::<Line>(&line) else { continue };
                        left.retain(|&s| s != line.seed);
                        self.note(line, tally)?;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        hangs = true;
                        // It may have ended meanwhile.
                        child.kill().unwrap_or_default();
                        break;
                    }
                }
            }
            let status = child.wait()?;
            reader.join().map_err(|_| Error::Thread)?;
            if let Some(&lost) = left.first() {
                let why =
                    if hangs { format!("no result after {}s", self.patience) } else { format!("crashes: {status}") };
                self.note(Line::lost(lost, &generate(lost, Form::Dynamic, &[]), why), tally)?;
                left.remove(0);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let line = Line::lost(3, &generate(3, Form::Dynamic, &[]), "Static, egg: result 0".into());
        assert_eq!(serde_json::from_str::<Line>(&line.to_string()).unwrap(), line);
        assert!(serde_json::from_str::<Line>("start\t3").is_err());
    }
}
