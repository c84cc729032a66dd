//! Execution of a command with limits of processor time and memory.

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The wall-clock time after which a command counts as stuck.
const STUCK: Duration = Duration::from_secs(300);
/// The ticks per second in `/proc/PID/stat`, the same on every Linux.
const TICKS: u64 = 100;
/// The number of bytes of output that are kept.
const OUTPUT: u64 = 1 << 20;

/// The way in which a command ended.
pub enum Outcome {
    Accepted,
    /// Rejected: with a diagnostic and an exit status that indicates it.
    Refused,
    /// With such a status, but without a diagnostic.
    Silent,
    Failed(String),
}

impl Outcome {
    pub fn kind(&self) -> &'static str {
        match self {
            Outcome::Accepted => "accepted",
            Outcome::Refused => "refused",
            Outcome::Silent | Outcome::Failed(_) => "failed",
        }
    }

    pub fn failure(&self) -> Option<String> {
        match self {
            Outcome::Failed(message) => Some(message.clone()),
            Outcome::Silent => Some("rejected without a diagnostic".into()),
            _ => None,
        }
    }
}

/// Runs `command` until it ends or exceeds a limit: seconds of processor time, bytes of resident memory.
pub fn run(mut command: Command, seconds: u64, bytes: u64) -> Outcome {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(e) => return Outcome::Failed(format!("cannot be run: {e}")),
    };
    let mut errors = child.stderr.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = errors.by_ref().take(OUTPUT).read_to_end(&mut text);
        // The remaining output is read, so that the command can end.
        let _ = std::io::copy(&mut errors, &mut std::io::sink());
        String::from_utf8_lossy(&text).into_owned()
    });
    let exceeded = watch(&mut child, seconds, bytes);
    if exceeded.is_some() {
        let _ = child.kill();
    }
    let status = child.wait();
    let text = reader.join().unwrap_or_default();
    if let Some(limit) = exceeded {
        return Outcome::Failed(limit);
    }
    let status = match status {
        Ok(status) => status,
        Err(e) => return Outcome::Failed(format!("cannot be waited for: {e}")),
    };
    if let Some(message) = text.lines().find_map(internal_error) {
        return Outcome::Failed(message);
    }
    match (status.code(), status.signal()) {
        (Some(0), _) => Outcome::Accepted,
        (Some(1..=3), _) if text.trim().is_empty() => Outcome::Silent,
        (Some(1..=3), _) => Outcome::Refused,
        (Some(code), _) => Outcome::Failed(format!("status {code}")),
        (None, signal) => Outcome::Failed(format!("signal {}", signal.unwrap_or_default())),
    }
}

/// Waits for the end of a command, or returns the limit that it exceeds.
fn watch(child: &mut Child, seconds: u64, bytes: u64) -> Option<String> {
    let start = Instant::now();
    let folder = format!("/proc/{}", child.id());
    let mut pause = Duration::from_millis(1);
    loop {
        if !matches!(child.try_wait(), Ok(None)) {
            return None;
        }
        if fs::read_to_string(format!("{folder}/stat")).ok().and_then(|s| ticks(&s)).unwrap_or(0) > seconds * TICKS {
            return Some(format!("more than {seconds} s of processor time"));
        }
        if fs::read_to_string(format!("{folder}/status")).ok().and_then(|s| peak(&s)).unwrap_or(0) > bytes {
            return Some(format!("more than {} MiB of memory", bytes >> 20));
        }
        if start.elapsed() > STUCK {
            return Some(format!("not ended after {} s", STUCK.as_secs()));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Returns the processor time in `/proc/PID/stat`, of the user and of the system.
fn ticks(stat: &str) -> Option<u64> {
    // The name before the last parenthesis may contain blanks.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

/// Returns the peak resident memory, in bytes.
fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Returns the text of an internal error without the parts that differ between programs: numbers outside of source
/// locations, and names.
fn internal_error(line: &str) -> Option<String> {
    let marks = ["panicked at", "LLVM ERROR", "PLEASE submit a bug report", "Assertion `"];
    // A diagnostic may show a line of the source with these words, but not after `error: `.
    let internal = line.find("internal error").filter(|&at| line[..at].contains("error: "));
    let start = marks.iter().filter_map(|mark| line.find(mark)).chain(internal).min()?;
    let text = &line[start..];
    // The location in our sources, which distinguishes classes of failures.
    let (text, place) = match text.rfind(" (").filter(|&at| text[at..].contains(".rs:")) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let mut message = String::new();
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if message.ends_with('N') => {}
            true => message.push('N'),
            false => message.push(c),
        }
    }
    Some(message.chars().take(160).collect::<String>() + place)
}
