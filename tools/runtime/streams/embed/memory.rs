//! The memory of a node in a C program, part by part.

use super::{EmbedError, Embedded, Kept, Storage, Tables};
use crate::code::Needs;
use crate::streams::compiled::Slot;
use crate::streams::memory::{Depth, Line, Report, states_of, until};
use mlopt_dialects::text::count;

/// Describes the rows of a column.
fn what(slot: &Slot) -> String {
    let (role, is_mask) = slot.role.strip_suffix('?').map_or((slot.role.as_str(), false), |role| (role, true));
    let role = match role {
        "given" => "presence of input",
        "presence" => "clock of output",
        "clock" => "clock of input",
        "fby" => "delay",
        "post" => "look-ahead",
        "end" => "end of sequences",
        "settled" => "mask of all outputs",
        "closed" => "mask of the whole state",
        other => other,
    };
    let text = format!("{}{role} {}", if is_mask { "mask of " } else { "" }, slot.name);
    text.trim_end().to_string()
}

/// Constants of `stream.h`.
const HEAD: u64 = 256;
const WORD: u64 = 8;
const LINE: u64 = 64;

/// Returns the bytes that `mlopt_part` adds.
fn part(bytes: u64, count: u64) -> Option<u64> {
    let all = bytes.checked_mul(count)?.checked_next_multiple_of(WORD)?;
    Some(if all == 0 && count > 0 { WORD } else { all })
}

impl Embedded {
    /// Returns the scratch memory for this number of cycles, which all functions share. Returns `None` if it does not
    /// fit 63 bits.
    ///
    /// # Errors
    /// It depends on values.
    pub fn room(&self, needs: &Needs, cycles: u32) -> Result<Option<u64>, EmbedError> {
        let mut most = 0;
        for f in &self.functions {
            let count = f.arguments.iter().position(|p| matches!(p, Storage::Count));
            if needs.depends_on_values(&f.name, count) {
                return Err(EmbedError::ByValues);
            }
            match needs.scratch(&f.name, i64::from(cycles), count)? {
                Some(bytes) => most = most.max(bytes as u64),
                None => return Ok(None),
            }
        }
        Ok(Some(most))
    }

    /// Returns the maximum number of arguments and results of a function, including its scratch memory.
    pub(super) fn most(&self) -> usize {
        self.functions.iter().map(|f| f.arguments.len() + f.results.len() + 1).max().unwrap_or(1)
    }

    /// Returns the bytes of the block of a node for this number of cycles, computed as in `mlopt_memory` of `stream.h`.
    pub fn block(&self, cycles: u32, room: u64) -> Option<u64> {
        let cycles = u64::from(cycles);
        let most = self.most() as u64;
        let Tables { held, states, columns, .. } = &self.tables;
        let tables = [held.len(), states.len(), states.len(), columns.len()];
        let mut sum = HEAD;
        let mut add = |bytes: u64, count: u64| {
            sum = sum.checked_add(part(bytes, count)?)?;
            Some(())
        };
        for count in tables.into_iter().map(|n| n as u64).chain([most, most]) {
            add(WORD, count)?;
        }
        if self.depth != Depth::One {
            add(WORD, cycles + 1)?;
        }
        for value in held {
            add(value.bytes(), 1)?;
        }
        for state in states {
            add(state.bytes(), 1)?;
            add(state.bytes(), 1)?;
        }
        for column in columns {
            add(column.bytes(), cycles)?;
        }
        if room > 0 {
            add(1, room)?;
            add(LINE - WORD, 1)?;
        }
        Some(sum + WORD - 1).filter(|n| *n < 1 << 62)
    }

    /// Reports the parts of the block.
    ///
    /// # Errors
    /// A size depends on values or does not fit 63 bits.
    pub fn report(&self, needs: &Needs) -> Result<Report, EmbedError> {
        let cycles = self.depth.cycles();
        let bytes = |all: &[Kept]| all.iter().map(Kept::bytes).sum::<u64>();
        let Tables { held, states, columns, .. } = &self.tables;
        let names = states.iter().map(|s| (s.slot.name.clone(), s.bytes()));
        let mut lines = states_of(&self.symbol, names);
        if !states.is_empty() {
            lines.push(Line::new("the state after a step", bytes(states)));
        }
        if !held.is_empty() {
            lines.push(Line::new("parameters and initial values", bytes(held)));
        }
        for c in columns {
            lines.push(Line { what: what(&c.slot), depth: Some(cycles.map(u64::from)), bytes: c.bytes() });
        }
        let (mut total, mut scratch) = (None, 0);
        match cycles {
            Some(n) => {
                let too_large = || EmbedError::TooLarge { cycles: n };
                let room = self.room(needs, n)?.ok_or_else(too_large)?;
                let all = self.block(n, room).ok_or_else(too_large)?;
                if room > 0 {
                    lines.push(Line::new("scratch", room));
                }
                let known: u64 = lines.iter().filter_map(Line::total).sum();
                lines.push(Line::new("tables and alignment", all - known));
                (total, scratch) = (Some(all), room);
            }
            // The size must not depend on values, whatever the number of cycles is.
            None => drop(self.room(needs, 1)?),
        }
        let because = match self.depth {
            Depth::One => "the node does not look ahead, so it stores one cycle at a time".to_string(),
            Depth::Latency(n) => {
                let [ahead, stored] = [n - 1, n].map(|n| count(n, "cycle"));
                format!("the node looks ahead by {ahead}, so it stores at most {stored} at a time")
            }
            Depth::Horizon(n) => format!("the node stores at most {} at a time (--horizon)", count(n, "cycle")),
            Depth::Open => {
                let per_cycle: u64 = columns.iter().map(Kept::bytes).sum::<u64>() + WORD;
                let until = until(self.class, &self.awaited);
                format!(
                    "no bound without --horizon: each cycle is stored until {until}; a cycle takes {per_cycle} bytes \
                     and scratch memory, and the C program sets the maximum number of stored cycles"
                )
            }
        };
        let title = format!("memory of @{}, class {}", self.symbol, self.class.name());
        Ok(Report { title, lines, total, scratch, because })
    }
}
