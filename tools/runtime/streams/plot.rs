//! Plots of streams over cycles.
//!
//! A plot of any number of cycles takes bounded memory. A column of the plot stores only the minimum and the maximum of
//! several consecutive cycles, and when there are too many columns, each two neighbours are merged.

use super::columns::elements;
use super::vcd::Signal;
use crate::plot::{Plot, PlotError, Series};
use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::Row;
use mlopt_dialects::stream::cells::Cell;

/// The maximum number of elements of an array that are drawn.
pub const ELEMENTS: usize = 8;
/// The maximum number of columns of a plot, about the number of pixels. A power of two.
const COLUMNS: usize = 1024;
/// The maximum size of the lines of a plot as SVG in bytes; the size of a point, and of a piece between gaps.
const LARGEST: usize = 150_000;
const POINT: usize = 8;
const PIECE: usize = 100;

/// Streams as lines.
pub struct Traces {
    title: String,
    lines: Vec<Line>,
    /// Notes on elements that are not drawn.
    pub notes: Vec<String>,
    /// The number of cycles so far, and the number of cycles in a column.
    cycles: usize,
    width: usize,
}

#[derive(Clone)]
struct Line {
    name: String,
    /// The index of the stream, and of the element of its array.
    stream: usize,
    element: usize,
    columns: Vec<Column>,
}

/// The least and greatest value of some cycles; `None` if the stream has no finite value there.
type Column = Option<(f64, f64)>;

impl Traces {
    pub fn new(title: &str, signals: &[Signal]) -> Traces {
        let (mut lines, mut notes) = (vec![], vec![]);
        for (stream, signal) in signals.iter().enumerate() {
            let names = elements(&signal.name, &signal.shape);
            if names.len() > ELEMENTS {
                notes.push(format!(
                    "{}: {ELEMENTS} of {} elements are drawn, the first ones",
                    signal.name,
                    names.len()
                ));
            }
            for (element, name) in names.into_iter().take(ELEMENTS).enumerate() {
                lines.push(Line { name, stream, element, columns: vec![] });
            }
        }
        Traces { title: title.to_string(), lines, notes, cycles: 0, width: 1 }
    }

    /// Adds the next cycles: the cells of each stream, in the order of [`Traces::new`], all for the same cycles.
    pub fn cycles(&mut self, batch: &[Row]) {
        let cycles = batch.first().map_or(0, |column| column.len());
        (0..cycles).for_each(|n| self.cycle(|stream| &batch[stream][n]));
    }

    fn cycle<'c>(&mut self, cell: impl Fn(usize) -> &'c Cell<Shared>) {
        if self.cycles == self.width * COLUMNS {
            self.lines.iter_mut().for_each(|line| halve(&mut line.columns));
            self.width *= 2;
        }
        let is_new = self.cycles.is_multiple_of(self.width);
        for line in &mut self.lines {
            let value = cell(line.stream).value().map(|x| x.at(line.element));
            let value = value.filter(|x| x.is_finite()).map(|x| (x, x));
            match line.columns.last_mut().filter(|_| !is_new) {
                Some(last) => *last = both(*last, value),
                None => line.columns.push(value),
            }
        }
        self.cycles += 1;
    }

    /// Returns the picture so far.
    ///
    /// # Errors
    /// `PlotError::Empty` if no stream has a finite value.
    pub fn svg(&self) -> Result<String, PlotError> {
        let (mut lines, mut width) = (self.lines.clone(), self.width);
        while lines.iter().map(|line| size(&line.columns)).sum::<usize>() > LARGEST && width < self.cycles {
            lines.iter_mut().for_each(|line| halve(&mut line.columns));
            width *= 2;
        }
        let mut notes = self.notes.clone();
        if width > 1 {
            notes.push(format!("{} cycles: the least and the greatest value of each {width}", self.cycles));
        }
        let series = |line: &Line| Series { name: line.name.clone(), points: self.points(&line.columns, width) };
        let y_label = if let [one] = &lines[..] { one.name.clone() } else { String::new() };
        let series = lines.iter().map(series).collect();
        Plot { title: self.title.clone(), x_label: "cycle".into(), y_label, log_y: false, notes, series }.svg()
    }

    /// Returns the points of a line from left to right. A column contributes its two values at its middle, first the
    /// one that is closer to the previous point. NaN is a gap.
    fn points(&self, columns: &[Column], width: usize) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (k, column) in columns.iter().enumerate() {
            let cycles = width.min(self.cycles - k * width);
            let x = (k * width) as f64 + (cycles - 1) as f64 / 2.0;
            let Some((least, greatest)) = *column else {
                points.push((x, f64::NAN));
                continue;
            };
            let from = points.last().map_or(least, |p| p.1);
            let is_falling = (from - greatest).abs() < (from - least).abs();
            points.push((x, if is_falling { greatest } else { least }));
            if least < greatest {
                points.push((x, if is_falling { least } else { greatest }));
            }
        }
        points
    }
}

fn both(a: Column, b: Column) -> Column {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        _ => a.or(b),
    }
}

/// Merges pairs of columns.
fn halve(columns: &mut Vec<Column>) {
    *columns = columns.chunks(2).map(|pair| pair.iter().copied().fold(None, both)).collect();
}

/// Estimates the size of a line in bytes of SVG.
fn size(columns: &[Column]) -> usize {
    let pieces = columns.split(Option::is_none).filter(|piece| !piece.is_empty());
    pieces.map(|piece| PIECE + piece.len() * 2 * POINT).sum::<usize>() + PIECE
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlopt_dialects::value::{Array, Element};

    fn signal(name: &str) -> Signal {
        Signal { name: name.into(), element: Element::F64, shape: vec![], sometimes: true }
    }

    fn cells(n: std::ops::Range<usize>, f: impl Fn(usize) -> Option<f64>) -> Row {
        n.map(|n| f(n).map_or(Cell::Absent, |x| Cell::Value(Shared::new(Array::f64(x))))).collect()
    }

    #[test]
    fn a_million_cycles_keep_their_extremes_in_little_room() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let mut traces = Traces::new("f", &names.map(signal));
        for start in (0..1_000_000).step_by(1000) {
            // One cycle has an outlier; every other column of `b` is empty.
            let a = cells(start..start + 1000, |n| Some(if n == 654_321 { 100.0 } else { (n % 7) as f64 }));
            let b = cells(start..start + 1000, |n| (n / 1024 % 2 == 0).then_some(1.0));
            traces.cycles(&names.map(|name| if name == "a" { a.clone() } else { b.clone() }));
        }
        assert_eq!((traces.width, traces.lines[0].columns.len()), (1024, 977));
        assert_eq!(traces.lines[0].columns[654_321 / 1024], Some((0.0, 100.0)));
        assert_eq!(traces.lines[1].columns[1], None);
        let svg = traces.svg().unwrap();
        assert!(svg.len() < 200_000, "{} bytes", svg.len());
        assert!(svg.contains("\n1000000 cycles: the least and the greatest value of each "), "{svg}");
    }
}
