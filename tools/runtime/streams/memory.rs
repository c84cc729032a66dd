//! The memory that a node needs, and the reasons for it, as `--memory-report` prints them.

use super::columns::Column;
use super::flat::{Ahead, Flat};
use super::session::Session;
use crate::aligned;
use mlopt_dialects::text::count;
use mlopt_passes::streams::nodes::plan::Class;
use std::collections::BTreeMap;
use std::fmt;

/// The maximum number of cycles that a node holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The current cycle.
    One,
    /// The current cycle and those of the look-ahead.
    Latency(u32),
    /// The value of `--horizon`.
    Horizon(u32),
    /// The number that the C program sets.
    Open,
}

impl Depth {
    /// Returns the number of cycles, if it is known.
    pub fn cycles(self) -> Option<u32> {
        match self {
            Depth::One => Some(1),
            Depth::Latency(n) | Depth::Horizon(n) => Some(n),
            Depth::Open => None,
        }
    }

    /// Returns the depth of a node whose inputs arrive cycle by cycle.
    pub fn of(ahead: &Ahead, horizon: Option<u32>) -> Depth {
        match ahead.class {
            Class::Forward => Depth::One,
            Class::Retimed => {
                let latency = u32::try_from(ahead.latency.saturating_add(1)).unwrap_or(u32::MAX);
                horizon.filter(|&h| h < latency).map_or(Depth::Latency(latency), Depth::Horizon)
            }
            _ => horizon.map_or(Depth::Open, Depth::Horizon),
        }
    }
}

/// One part of the memory.
pub struct Line {
    pub what: String,
    /// For a buffer, its length in cycles; `Some(None)` if it is unbounded.
    pub depth: Option<Option<u64>>,
    /// The bytes, for a buffer those of each cycle.
    pub bytes: u64,
}

/// The memory of a node, part by part.
pub struct Report {
    pub title: String,
    pub lines: Vec<Line>,
    /// The sum; `None` if it is unbounded.
    pub total: Option<u64>,
    /// The bytes of scratch memory, if known.
    pub scratch: u64,
    /// The reason for the bound.
    pub because: String,
}

impl Line {
    pub fn new(what: impl Into<String>, bytes: u64) -> Line {
        Line { what: what.into(), depth: None, bytes }
    }

    /// Returns the bytes of all cycles; `None` if they are unbounded.
    pub fn total(&self) -> Option<u64> {
        self.depth.unwrap_or(Some(1)).map(|n| n * self.bytes)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rows = self.lines.iter().map(|l| {
            let depth = l.depth.map_or(String::new(), |d| d.map_or("?".into(), |n| n.to_string()));
            let bytes = l.total().map_or_else(|| format!("{} x ?", l.bytes), |n| n.to_string());
            [l.what.clone(), depth, bytes]
        });
        let total = self.total.map_or("no bound".to_string(), |n| n.to_string());
        let head = [String::new(), "cycles".into(), "bytes".into()];
        let rows: Vec<[String; 3]> =
            std::iter::once(head).chain(rows).chain([["total".into(), String::new(), total]]).collect();
        writeln!(f, "{}\n{}{}", self.title, aligned::table(&rows, 1), self.because)
    }
}

/// Returns a line with the bytes of the state of each instance, by its path; `@node` for the node itself.
pub(super) fn states_of(symbol: &str, states: impl Iterator<Item = (String, u64)>) -> Vec<Line> {
    let mut all: BTreeMap<String, u64> = BTreeMap::new();
    for (name, bytes) in states {
        let path = name.rsplit_once('.').map_or(format!("@{symbol}"), |(path, _)| path.to_string());
        *all.entry(path).or_default() += bytes;
    }
    all.into_iter().map(|(path, bytes)| Line::new(format!("state of {path}"), bytes)).collect()
}

/// Reports the memory that a session holds between pieces of its inputs, of `piece` cycles each. At most `horizon`
/// cycles have unknown outputs.
pub fn of_session(flat: &Flat, session: &Session, horizon: Option<u32>, piece: usize) -> Report {
    let symbol = flat.graph.node.symbol().unwrap_or_default();
    let mut lines = states_of(&symbol, session.state_bytes());
    if session.value_bytes() > 0 {
        lines.push(Line::new("parameters and initial values", session.value_bytes()));
    }
    let ahead = &session.code.ahead;
    let depth = Depth::of(ahead, horizon);
    let cycles = session_depth(depth, piece);
    for (name, ty) in flat.inputs() {
        let column = Column::new(ty);
        let bytes = (column.width() * column.element().bytes()) as u64;
        lines.push(Line { what: format!("input {name}"), depth: Some(cycles), bytes: bytes + 1 });
    }
    lines.push(Line { what: "activity".into(), depth: Some(cycles), bytes: 1 });
    let total = lines.iter().map(Line::total).sum();
    let piece = format!("inputs are read in pieces of {}", count(piece, "cycle"));
    let because = match depth {
        Depth::One => format!("the node does not look ahead; {piece}"),
        Depth::Latency(n) => format!("the node looks ahead by {}; {piece}", count(n - 1, "cycle")),
        Depth::Horizon(n) => format!(
            "at most {} with unknown outputs (--horizon), not counting cycles in which the node is inactive; {piece}",
            count(n, "cycle")
        ),
        Depth::Open => {
            let until = until(ahead.class, &ahead.awaited);
            format!("no bound without --horizon: each cycle is stored until {until}; {piece}")
        }
    };
    let title =
        format!("memory of @{symbol}, class {}, between one piece of its inputs and the next", ahead.class.name());
    Report { title, lines, total, scratch: 0, because }
}

/// Returns the maximum number of cycles that a session holds.
pub fn session_depth(depth: Depth, piece: usize) -> Option<u64> {
    let waiting = match depth {
        Depth::One => 0,
        // The session retries after the number of waiting cycles has grown by 1/32.
        Depth::Latency(n) => u64::from(n) + u64::from(n) / 32,
        Depth::Horizon(n) => u64::from(n),
        Depth::Open => return None,
    };
    Some(waiting + piece as u64)
}

/// Describes the event until which a cycle is stored.
pub(super) fn until(class: Class, awaited: &str) -> String {
    match class {
        Class::Segmented => format!("the end of its sequence (condition {awaited})"),
        _ => "a cycle in which another stream is present".to_string(),
    }
}
