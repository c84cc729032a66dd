//! The file of instruction counts: a line for each program, in sections that name the versions of the tools used.

use crate::error::Error;
use std::fmt::Write as _;

/// The factor of growth above which a count fails and needs a reason.
pub const MOST_GROWTH: f64 = 1.03;

/// The start of the file, before its sections.
const HEAD: &str = "\
# Instructions that the compiled benchmark programs execute, and those of the optimiser and the compiler on ten modules.
# `cargo xtask bless counts` writes this file; docs/testing.md says how they are counted. A line is
#   program | count | lowest count since the versions changed | why it is more than 3 % above that
";

/// The counts of one kind, and the versions on which they depend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    pub title: String,
    pub versions: String,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub name: String,
    pub count: u64,
    pub lowest: u64,
    pub reason: String,
}

/// Checks whether `count` exceeds `base` so much that it needs a reason.
fn is_more(count: u64, base: u64) -> bool {
    count as f64 > base as f64 * MOST_GROWTH
}

/// Parses the file.
///
/// # Errors
/// A line has another format, or a count was raised without a reason.
pub fn parse(text: &str) -> Result<Vec<Section>, Error> {
    let mut sections: Vec<Section> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')) {
        let wrong = |problem: &str| Error::Line { number: number + 1, problem: problem.into(), line: line.into() };
        if let Some(head) = line.strip_prefix('[') {
            let (title, versions) = head.split_once("] ").ok_or_else(|| wrong("expected `[title] versions`"))?;
            sections.push(Section { title: title.into(), versions: versions.trim().into(), rows: vec![] });
            continue;
        }
        let section = sections.last_mut().ok_or_else(|| wrong("expected a section `[title] versions` first"))?;
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, count, lowest, reason @ ..] = cells.as_slice() else {
            return Err(wrong("expected `program | count | lowest count | reason`"));
        };
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong(&format!("`{text}` is not a count")));
        let row =
            Row { name: name.to_string(), count: number(count)?, lowest: number(lowest)?, reason: reason.join("|") };
        if row.lowest > row.count {
            return Err(wrong("expected a lowest count that is not above the count"));
        }
        if is_more(row.count, row.lowest) && row.reason.is_empty() {
            return Err(wrong(
                "a count more than 3 % above the lowest needs a reason: `cargo xtask bless counts --reason TEXT`",
            ));
        }
        if section.rows.iter().any(|r| r.name == row.name) {
            return Err(wrong("expected one line for each program"));
        }
        section.rows.push(row);
    }
    Ok(sections)
}

pub fn print(sections: &[Section]) -> String {
    let mut text = HEAD.to_string();
    for Section { title, versions, rows } in sections {
        let width = rows.iter().map(|r| r.name.len()).max().unwrap_or(0);
        let _infallible = writeln!(text, "\n[{title}] {versions}");
        for Row { name, count, lowest, reason } in rows {
            let line = format!("{name:<width$} | {count:>11} | {lowest:>11} | {reason}");
            let _infallible = writeln!(text, "{}", line.trim_end());
        }
    }
    text
}

/// The outcome of a comparison.
#[derive(Debug, Default, PartialEq)]
pub struct Verdict {
    /// The lines that make the comparison fail.
    pub failures: Vec<String>,
    /// The lines with further information.
    pub notes: Vec<String>,
}

/// Compares counts with those of the file.
pub fn compare(recorded: &[Row], found: &[(String, u64)]) -> Verdict {
    let mut verdict = Verdict::default();
    for (name, count) in found {
        let Some(row) = recorded.iter().find(|r| r.name == *name) else {
            verdict.failures.push(format!("{name}: {count} instructions, which no line records"));
            continue;
        };
        let change = 100.0 * (*count as f64 / row.count.max(1) as f64 - 1.0);
        let line = format!("{name}: {count} instructions, recorded are {} ({change:+.1} %)", row.count);
        if is_more(*count, row.count) {
            verdict.failures.push(line);
        } else if is_more(row.count, *count) {
            verdict.notes.push(line);
        }
    }
    let is_found = |row: &&Row| found.iter().any(|(name, _)| *name == row.name);
    let gone = recorded.iter().filter(|row| !is_found(row));
    verdict.failures.extend(gone.map(|row| format!("{}: recorded, but there is no such program", row.name)));
    verdict
}

/// Returns the new rows, from those of the file and the counts `found`. A count that differs from the recorded one by
/// at most the fraction `noise` is not changed.
///
/// # Errors
/// The programs whose counts have grown, if there is no `reason`.
pub fn bless(
    recorded: &[Row],
    found: &[(String, u64)],
    noise: f64,
    reason: Option<&str>,
) -> Result<Vec<Row>, Vec<String>> {
    let mut missing = Vec::new();
    let mut rows = Vec::new();
    for (name, count) in found {
        let Some(old) = recorded.iter().find(|r| r.name == *name) else {
            rows.push(Row { name: name.clone(), count: *count, lowest: *count, reason: String::new() });
            continue;
        };
        let is_noise = (*count as f64 - old.count as f64).abs() <= noise * old.count as f64;
        let count = if is_noise { old.count } else { *count };
        let lowest = old.lowest.min(count);
        let is_raised = is_more(count, old.count);
        let said = match is_more(count, lowest) {
            false => String::new(),
            true if !is_raised && !old.reason.is_empty() => old.reason.clone(),
            true => reason.unwrap_or_default().replace(['|', '\n'], " ").trim().to_string(),
        };
        if is_more(count, lowest) && said.is_empty() {
            missing.push(format!("{name}: {count} instructions, recorded are {}, the lowest were {lowest}", old.count));
        }
        rows.push(Row { name: name.clone(), count, lowest, reason: said });
    }
    if missing.is_empty() { Ok(rows) } else { Err(missing) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, count: u64, lowest: u64, reason: &str) -> Row {
        Row { name: name.into(), count, lowest, reason: reason.into() }
    }

    fn counts(all: &[(&str, u64)]) -> Vec<(String, u64)> {
        all.iter().map(|(name, count)| (name.to_string(), *count)).collect()
    }

    #[test]
    fn the_file_is_read_as_it_is_written() {
        let rows = vec![row("a b", 100, 100, ""), row("c", 2000, 1000, "sums in f64")];
        let sections = vec![
            Section { title: "code".into(), versions: "LLVM 19.1.7".into(), rows },
            Section { title: "compiler".into(), versions: "LLVM 19.1.7, rustc 1.95.0".into(), rows: vec![] },
        ];
        assert_eq!(parse(&print(&sections)).unwrap(), sections);
    }

    #[test]
    fn a_raised_count_without_a_reason_is_refused() {
        let text = "[code] LLVM\na | 104 | 100 |\n";
        assert!(parse(text).unwrap_err().to_string().starts_with("counts.txt:2: a count more than 3 % above"));
        assert!(parse("[code] LLVM\na | 103 | 100 |\n").is_ok());
        assert!(parse("[code] LLVM\na | 104 | 100 | why\n").is_ok());
        assert!(parse("[code] LLVM\na | 99 | 100 |\n").is_err());
        assert!(parse("[code] LLVM\na | 1 | 1 |\na | 1 | 1 |\n").is_err());
        assert!(parse("a | 1 | 1 |\n").is_err());
        assert!(parse("[code] LLVM\na | x | 1 |\n").is_err());
    }

    #[test]
    fn growth_beyond_the_bound_fails() {
        let recorded = [row("a", 1000, 1000, ""), row("b", 1000, 1000, "")];
        assert_eq!(compare(&recorded, &counts(&[("a", 1030), ("b", 980)])), Verdict::default());
        let verdict = compare(&recorded, &counts(&[("a", 1031), ("b", 900)]));
        assert_eq!(verdict.failures, ["a: 1031 instructions, recorded are 1000 (+3.1 %)"]);
        assert_eq!(verdict.notes, ["b: 900 instructions, recorded are 1000 (-10.0 %)"]);
        // A program without a recorded count, and a recorded count without a program.
        assert_eq!(compare(&recorded, &counts(&[("a", 1000), ("c", 1)])).failures.len(), 2);
    }

    #[test]
    fn raised_counts_are_blessed_with_a_reason_only() {
        let recorded = [row("a", 1000, 1000, "")];
        assert!(bless(&recorded, &counts(&[("a", 1100)]), 0.0, None).is_err());
        let raised = bless(&recorded, &counts(&[("a", 1100)]), 0.0, Some("guards | checks")).unwrap();
        assert_eq!(raised, [row("a", 1100, 1000, "guards   checks")]);
        // The reason is kept as long as the count is high.
        assert_eq!(
            bless(&raised, &counts(&[("a", 1090)]), 0.0, None).unwrap(),
            [row("a", 1090, 1000, "guards   checks")]
        );
        assert_eq!(bless(&raised, &counts(&[("a", 900)]), 0.0, None).unwrap(), [row("a", 900, 900, "")]);
        // Small increases accumulate.
        let step = bless(&recorded, &counts(&[("a", 1025)]), 0.0, None).unwrap();
        assert!(bless(&step, &counts(&[("a", 1050)]), 0.0, None).is_err());
        // Noise changes nothing.
        assert_eq!(bless(&recorded, &counts(&[("a", 1004)]), 0.005, None).unwrap(), recorded);
    }
}
