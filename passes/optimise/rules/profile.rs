//! The profile of rules: for each rule the number of its matches, their effects, and the time.

use crate::optimise::rules::{Laws, every};
use std::collections::BTreeMap;
use std::time::Duration;

/// The profile of one rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// The number of returned right-hand sides.
    pub matches: usize,
    /// The number of right-hand sides that were used: by the normaliser, or as a union of two classes.
    pub applications: usize,
    /// The number of e-nodes that these added.
    pub nodes: usize,
    /// The number of its steps in the derivation of the selected form.
    pub steps: usize,
    /// The time for matching, and for additions to the e-graph.
    pub time: Duration,
}

/// The profiles of rules, by name.
#[derive(Clone, Debug, Default)]
pub struct Profile<'a> {
    laws: BTreeMap<&'a str, Count>,
}

/// The columns of a table. Times differ from run to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    Counts,
    Times,
}

impl<'a> Profile<'a> {
    pub fn of(&mut self, law: &'a str) -> &mut Count {
        self.laws.entry(law).or_default()
    }

    pub fn add(&mut self, other: &Profile<'a>) {
        for (law, more) in &other.laws {
            let count = self.of(law);
            count.matches += more.matches;
            count.applications += more.applications;
            count.nodes += more.nodes;
            count.steps += more.steps;
            count.time += more.time;
        }
    }

    /// Returns a table with a line for each rule of `laws` that matched, in the order of the sets. The last line is
    /// about the others.
    pub fn table(&self, laws: &Laws, columns: Columns) -> String {
        let sets: BTreeMap<&str, &str> = every().map(|(set, rule)| (rule.name, set)).collect();
        let ms = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1e3);
        let head = ["rule", "set", "matches", "applied", "nodes", "steps", "ms"];
        let mut rows: Vec<[String; 7]> = vec![head.map(String::from)];
        let (mut others, mut elsewhere) = (0, Duration::ZERO);
        for rule in laws.every() {
            let count = self.laws.get(rule.name).copied().unwrap_or_default();
            if count.matches == 0 {
                others += 1;
                elsewhere += count.time;
                continue;
            }
            let numbers = [count.matches, count.applications, count.nodes, count.steps].map(|n| n.to_string());
            let [matches, applied, nodes, steps] = numbers;
            let set = sets.get(rule.name).unwrap_or(&"yours").to_string();
            rows.push([rule.name.to_string(), set, matches, applied, nodes, steps, ms(count.time)]);
        }
        let rest = format!("{others} rules without a match");
        rows.push([&rest, "", "", "", "", "", &ms(elsewhere)].map(String::from));
        let shown = if columns == Columns::Times { 7 } else { 6 };
        let width = |k: usize| rows.iter().map(|r| r[k].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..shown).map(width).collect();
        let line = |row: &[String; 7]| {
            let cells = row[..shown].iter().zip(&widths).enumerate();
            let cells = cells.map(|(k, (cell, &w))| if k < 2 { format!("{cell:<w$}") } else { format!("{cell:>w$}") });
            format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
        };
        rows.iter().map(line).collect()
    }
}
