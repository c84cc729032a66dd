//! The scoreboard: vectors by group, with one column for each configuration, preceded by the failures.

use super::configurations::Configuration;
use super::file::File;
use mlopt_runtime::aligned;

/// The outcome of one vector in one configuration.
pub enum Cell {
    /// All facts agreed; their number.
    Passed(usize),
    /// The facts that did not agree, each with its error.
    Failed(Vec<(String, String)>),
    /// The vector has no facts of this mode.
    Nothing,
    /// The configuration needs a pass that this build does not have.
    NotRun,
}

/// Returns the text of the scoreboard; with `each`, it has a line for every vector.
pub fn table(file: &File, configurations: &[Configuration], rows: &[Vec<Cell>], each: bool) -> String {
    let mut text = String::new();
    for (vector, row) in file.vectors.iter().zip(rows) {
        for (configuration, cell) in configurations.iter().zip(row) {
            let Cell::Failed(failures) = cell else { continue };
            for (fact, problem) in failures {
                text += &format!("FAILED {}, {}, {fact}: {problem}\n", vector.id, configuration.title());
            }
        }
    }
    let mut lines = vec![line("", configurations.iter().map(Configuration::title).collect())];
    if each {
        for (vector, row) in file.vectors.iter().zip(rows) {
            lines.push(line(&vector.id, row.iter().map(mark).collect()));
        }
    }
    let mut groups: Vec<&str> = vec![];
    for vector in &file.vectors {
        if !groups.contains(&vector.group.as_str()) {
            groups.push(&vector.group);
        }
    }
    for group in groups {
        let of_group: Vec<&Vec<Cell>> =
            file.vectors.iter().zip(rows).filter(|(v, _)| v.group == group).map(|(_, row)| row).collect();
        lines.push(line(group, counts(&of_group, configurations.len())));
    }
    lines.push(line("all", counts(&rows.iter().collect::<Vec<_>>(), configurations.len())));
    text += &aligned::table(&lines, 1);
    for configuration in configurations {
        let missing = configuration.missing();
        if !missing.is_empty() {
            text += &format!("{} is not run: there is no pass {}\n", configuration.title(), missing.join(", "));
        }
    }
    text
}

fn line(name: &str, cells: Vec<String>) -> Vec<String> {
    [vec![name.to_string()], cells].concat()
}

fn mark(cell: &Cell) -> String {
    match cell {
        Cell::Passed(n) => format!("{n} ok"),
        Cell::Failed(failures) => format!("{} FAILED", failures.len()),
        Cell::Nothing => "".into(),
        Cell::NotRun => "not run".into(),
    }
}

/// Formats `passed/run` for each configuration.
fn counts(rows: &[&Vec<Cell>], configurations: usize) -> Vec<String> {
    let count = |k: usize, of: fn(&Cell) -> bool| rows.iter().filter(|row| of(&row[k])).count();
    (0..configurations)
        .map(|k| {
            let passed = count(k, |c| matches!(c, Cell::Passed(_)));
            let failed = count(k, |c| matches!(c, Cell::Failed(_)));
            match (passed + failed, count(k, |c| matches!(c, Cell::NotRun))) {
                (0, 0) => String::new(),
                (0, _) => "not run".into(),
                (run, _) => format!("{passed}/{run}"),
            }
        })
        .collect()
}
