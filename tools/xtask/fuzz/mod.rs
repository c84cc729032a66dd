//! `cargo xtask fuzz`: runs mutants of the project's text files through passes and subcommands. A mutant may be
//! rejected by a diagnostic. It must not end in an internal error or a signal, or exceed [`PROCESSOR_SECONDS`] or
//! [`MEMORY`].
//!
//! `cargo xtask fuzz files` does the same with every original file, by every single pass and every pipeline.
//!
//! The mutant of seed N and its command depend only on N and the files of the repository, so `--seed N --count 1`
//! repeats it.

mod commands;
mod corpus;
mod mutate;
mod watch;

use crate::error::{Context, Error};
use crate::root;
use commands::Known;
use corpus::Corpus;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use watch::Outcome;

/// The limit of processor time of one command.
const PROCESSOR_SECONDS: u64 = 20;
/// The limit of resident memory of one command, in bytes.
const MEMORY: u64 = 4 << 30;

/// The options of the command.
struct Request {
    count: u64,
    seed: u64,
    jobs: usize,
    /// An executable in place of the one that cargo builds.
    mlopt: Option<PathBuf>,
}

/// Failures with the same message.
struct Class {
    count: usize,
    seeds: Vec<u64>,
    command: String,
}

pub fn run(words: &[&str]) -> Result<(), Error> {
    let (words, whole) = match words {
        ["files", rest @ ..] => (rest, true),
        all => (all, false),
    };
    let request = read(words)?;
    let mlopt = match &request.mlopt {
        Some(path) => path.canonicalize().context(path.display())?,
        None => {
            crate::cargo(&["build", "--release", "--package", "mlopt-cli"])?;
            root().join("target/release/mlopt")
        }
    };
    let (corpus, known) = (Corpus::read()?, Known::read()?);
    let folder = root().join("target/fuzz");
    fs::create_dir_all(&folder).context(folder.display())?;
    if whole {
        let all: Vec<Vec<String>> = corpus.programs().flat_map(|path| known.every(path)).collect();
        let case = |k: u64| Case { file: None, arguments: all[k as usize].clone() };
        return report(&request, all.len() as u64, &mlopt, &case, "commands on unchanged files");
    }
    let case = |k: u64| Case::new(request.seed.wrapping_add(k), &corpus, &known, &folder);
    report(&request, request.count, &mlopt, &case, "mutants")
}

/// Runs `count` cases and reports how they ended.
fn report(
    request: &Request,
    count: u64,
    mlopt: &Path,
    case: &(dyn Fn(u64) -> Case + Sync),
    what: &str,
) -> Result<(), Error> {
    let classes = Mutex::new(BTreeMap::<String, Class>::new());
    let outcomes = Mutex::new(BTreeMap::<&'static str, usize>::new());
    let next = AtomicU64::new(0);
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return;
            }
            let case = case(k);
            let outcome = case.run(mlopt);
            *outcomes.lock().unwrap().entry(outcome.kind()).or_default() += 1;
            if let Some(message) = outcome.failure() {
                let seed = request.seed.wrapping_add(k);
                println!("seed {seed}: {message}\n  {}", case.shown());
                let mut classes = classes.lock().unwrap();
                let entry = || Class { count: 0, seeds: vec![], command: case.shown() };
                let class = classes.entry(message).or_insert_with(entry);
                class.count += 1;
                class.seeds.push(seed);
            } else if let Some(file) = &case.file {
                let _ = fs::remove_file(file);
            }
            if (k + 1).is_multiple_of(500) {
                println!("{} of {count}, {} classes of failures", k + 1, classes.lock().unwrap().len());
            }
        }
    };
    std::thread::scope(|scope| (0..request.jobs).for_each(|_| drop(scope.spawn(work))));
    let outcomes: Vec<String> = outcomes.into_inner().unwrap().iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    println!("{count} {what} from seed {}: {}", request.seed, outcomes.join(", "));
    let classes = classes.into_inner().unwrap();
    if classes.is_empty() {
        return Ok(());
    }
    for (message, class) in &classes {
        let seeds: Vec<String> = class.seeds.iter().take(5).map(u64::to_string).collect();
        println!("{} × {message}\n  seeds {}\n  {}", class.count, seeds.join(", "), class.command);
    }
    let count = classes.len();
    let found = format!("{count} classes of failures; `cargo xtask fuzz --seed N --count 1` repeats a mutant");
    Err(Error::Findings(vec![found]))
}

/// A mutant and its command.
struct Case {
    /// The file of a mutant.
    file: Option<PathBuf>,
    arguments: Vec<String>,
}

impl Case {
    fn new(seed: u64, corpus: &Corpus, known: &Known, folder: &Path) -> Case {
        let mut random = Random(seed);
        let source = corpus.pick(&mut random);
        let text = mutate::mutant(source, corpus, &mut random);
        let file = folder.join(format!("{seed}.{}", source.extension));
        let written = fs::write(&file, &text);
        written.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let arguments = commands::command(source, &String::from_utf8_lossy(&text), &file, known, &mut random);
        Case { file: Some(file), arguments }
    }

    fn run(&self, mlopt: &Path) -> Outcome {
        let mut command = Command::new(mlopt);
        command.args(&self.arguments).current_dir(root());
        match watch::run(command, PROCESSOR_SECONDS, MEMORY) {
            // These print their verdicts to the standard output.
            Outcome::Silent if ["equiv", "check-grad"].contains(&self.arguments[0].as_str()) => Outcome::Refused,
            other => other,
        }
    }

    fn shown(&self) -> String {
        let quoted = |a: &String| {
            let plain = a.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=@:,%".contains(c));
            if plain { a.clone() } else { format!("'{}'", a.replace('\'', "'\\''")) }
        };
        format!("mlopt {}", self.arguments.iter().map(quoted).collect::<Vec<_>>().join(" "))
    }
}

fn read(words: &[&str]) -> Result<Request, Error> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut request = Request { count: 1000, seed: 0, jobs, mlopt: None };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let value = words.next().context(format_args!("`{word}` needs a value"))?;
        let wrong = |_| Error::Unexpected(format!("{word}: expected a number, found `{value}`"));
        let number = || value.parse::<u64>().map_err(wrong);
        match word {
            "--count" => request.count = number()?,
            "--seed" => request.seed = number()?,
            "--jobs" => request.jobs = number()?.max(1) as usize,
            "--mlopt" => request.mlopt = Some(PathBuf::from(value)),
            _ => {
                let expected = "--count N, --seed S, --jobs N, --mlopt FILE";
                return Err(Error::Unexpected(format!("unknown option `{word}`: expected {expected}")));
            }
        }
    }
    Ok(request)
}

/// The generator splitmix64.
pub struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Returns true with probability 1/n.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns a random element of a list of words or numbers.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_the_mutant_and_its_command() {
        let (corpus, known) = (Corpus::read().unwrap(), Known::read().unwrap());
        let folder = std::env::temp_dir().join(format!("mlopt-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let of = |seed| {
            let case = Case::new(seed, &corpus, &known, &folder);
            (fs::read(case.file.unwrap()).unwrap(), case.arguments)
        };
        for seed in 0..50 {
            assert_eq!(of(seed), of(seed));
        }
        let commands: std::collections::BTreeSet<Vec<String>> = (0..200).map(|seed| of(seed).1).collect();
        assert!(commands.len() > 150, "{} commands", commands.len());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn limits_and_crashes_are_seen() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            watch::run(command, 1, 64 << 20)
        };
        assert_eq!(shell("exit 0").failure(), None);
        assert_eq!(shell("echo 'f:1:2: error: wrong' >&2; exit 1").failure(), None);
        assert_eq!(shell("while :; do :; done").failure().as_deref(), Some("more than 1 s of processor time"));
        let greedy = shell("x=0123456789abcdef; while :; do x=$x$x; done").failure();
        assert_eq!(greedy.as_deref(), Some("more than 64 MiB of memory"));
        assert_eq!(shell("kill -SEGV $$").failure().as_deref(), Some("signal 11"));
        let shown = "echo 'f:1:2: error: wrong\n// RUN: FileCheck --implicit-check-not=\"internal error\"' >&2; exit 1";
        assert_eq!(shell(shown).failure(), None);
        let internal = "echo 'f:3:4: error: internal error: cse: no 12 (a.rs:5)' >&2; exit 70";
        assert_eq!(shell(internal).failure().as_deref(), Some("internal error: cse: no N (a.rs:5)"));
    }
}
