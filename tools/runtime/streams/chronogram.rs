//! Tables of streams over cycles. `.` is an absent value, `?` an unknown one, and `!` an error of the clock.

use crate::aligned;
use crate::arguments::numpy_print::parts;
use mlopt_dialects::eval::Shared;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};

/// The number of significant digits of a float.
const DIGITS: usize = 6;
/// The number of elements of an array that are shown at each end.
const EDGE: usize = 4;

/// Formats rows of cells below the numbers of their cycles, with aligned columns.
pub fn table(rows: &[(String, Vec<Cell<Shared>>)]) -> String {
    let cycles = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
    let head = std::iter::once("cycle".to_string()).chain((0..cycles).map(|n| n.to_string())).collect();
    let mut lines: Vec<Vec<String>> = vec![head];
    lines
        .extend(rows.iter().map(|(name, cells)| std::iter::once(name.clone()).chain(cells.iter().map(cell)).collect()));
    aligned::table(&lines, cycles + 1)
}

pub fn cell(cell: &Cell<Shared>) -> String {
    match cell {
        Cell::Undetermined => "?".into(),
        Cell::Absent => ".".into(),
        Cell::Value(x) => value(x),
        Cell::Mistimed => "!".into(),
    }
}

/// Formats a value: `1.25`, `T`, `[1 2 3]`. Arrays are row-major, and long arrays are shortened to their ends.
fn value(x: &Array) -> String {
    let all: Vec<String> = match x.data() {
        _ if x.element().is_float() => x.to_f64().into_iter().map(float).collect(),
        Data::I1(v) => v.iter().map(|&b| if b { "T".into() } else { "F".into() }).collect(),
        data => data.to_integers().iter().map(|x| x.to_string()).collect(),
    };
    match x.rank() {
        0 => all.concat(),
        _ if all.len() > 2 * EDGE => format!("[{} ... {}]", all[..EDGE].join(" "), all[all.len() - EDGE..].join(" ")),
        _ => format!("[{}]", all.join(" ")),
    }
}

/// Rounds a float to six digits, without trailing zeros.
fn float(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let rounded = format!("{:.*e}", DIGITS - 1, x);
    let (int, frac, exponent) = parts(&rounded);
    if (-5..DIGITS as i32).contains(&exponent) {
        let digits = (DIGITS as i32 - 1 - exponent).max(0) as usize;
        let text = format!("{x:.digits$}");
        return if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text };
    }
    let frac = frac.trim_end_matches('0');
    format!("{int}{}{frac}e{exponent}", if frac.is_empty() { "" } else { "." })
}

/// Formats a list of cycles: `cycle 2`, `cycles 2, 3`, `cycles 2, 3, ... 99`.
pub fn list(cycles: &[usize]) -> String {
    match cycles {
        [one] => format!("cycle {one}"),
        [first, second, .., last] if cycles.len() > 8 => format!("cycles {first}, {second}, ... {last}"),
        all => format!("cycles {}", all.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
