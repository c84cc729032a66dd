//! The values of streams over some cycles, as arrays with one row for each cycle.

use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::Row;
use mlopt_dialects::ir::Type;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_dialects::with_data;
use std::ops::Range;

/// The cells of a stream.
#[derive(Clone, Debug)]
pub struct Column {
    /// The shape of one row.
    shape: Vec<usize>,
    /// One row for each mark. The row of a cycle without a value is arbitrary.
    data: Data,
    marks: Vec<Cell<()>>,
}

impl Column {
    /// Returns a column without cycles.
    pub fn new(ty: Type) -> Column {
        let zero = zeros(ty);
        Column { shape: zero.shape().to_vec(), data: Data::zeros(zero.element(), 0), marks: vec![] }
    }

    /// Returns a column with a value in every cycle; the cycles are the first axis of `rows`.
    pub fn of_rows(rows: Array) -> Column {
        let marks = vec![Cell::Value(()); rows.shape()[0]];
        Column { shape: rows.shape()[1..].to_vec(), data: rows.data().clone(), marks }
    }

    pub fn of_cells(ty: Type, cells: &[Cell<Shared>]) -> Column {
        let mut column = Column::new(ty);
        cells.iter().for_each(|c| column.push(c));
        column
    }

    pub fn len(&self) -> usize {
        self.marks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    pub fn marks(&self) -> &[Cell<()>] {
        &self.marks
    }

    /// Checks whether each of the first `count` cycles has a value.
    pub fn is_full(&self, count: usize) -> bool {
        self.marks[..count].iter().all(|m| *m == Cell::Value(()))
    }

    /// Returns the shape of one row.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub fn element(&self) -> Element {
        self.data.element()
    }

    /// Returns the elements of all rows, in order.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the number of elements of a row.
    pub fn width(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn push(&mut self, cell: &Cell<Shared>) {
        let width = self.width();
        match cell.value() {
            Some(x) => self.data.append(x.data(), 0..width),
            None => self.pad(1),
        }
        self.marks.push(cell.map(|_| ()));
    }

    /// Appends cycles without a value.
    pub fn push_marks(&mut self, mark: Cell<()>, count: usize) {
        self.pad(count);
        self.marks.resize(self.marks.len() + count, mark);
    }

    /// Appends a cycle for each mark, with the first rows of `data`; a cycle without a value may have any row.
    pub fn push_first(&mut self, marks: Vec<Cell<()>>, data: &Data) {
        let width = self.width();
        self.data.append(data, 0..marks.len() * width);
        self.marks.extend(marks);
    }

    /// Appends a cycle for each mark, with these rows of `data`; a cycle without a value may have any row.
    pub fn push_rows(&mut self, marks: Vec<Cell<()>>, data: &Data, rows: &[Option<usize>]) {
        let width = self.width();
        // Consecutive rows are copied together.
        for run in rows.chunk_by(|a, b| *b == a.map(|a| a + 1)) {
            match run[0] {
                Some(r) => self.data.append(data, r * width..(r + run.len()) * width),
                None => self.pad(run.len()),
            }
        }
        self.marks.extend(marks);
    }

    pub fn extend(&mut self, other: &Column, cycles: Range<usize>) {
        let width = self.width();
        self.data.append(&other.data, cycles.start * width..cycles.end * width);
        self.marks.extend_from_slice(&other.marks[cycles]);
    }

    /// Reserves memory for `cycles` cycles, if it is available.
    pub fn reserve(&mut self, cycles: usize) {
        let elements = self.width().saturating_mul(cycles);
        // If this fails, the vectors grow on demand.
        let _ = with_data!(&mut self.data, v => v.try_reserve_exact(elements));
        let _ = self.marks.try_reserve_exact(cycles);
    }

    /// Removes the first cycles.
    pub fn drop_first(&mut self, count: usize) {
        let width = self.width();
        with_data!(&mut self.data, v => drop(v.drain(..count * width)));
        self.marks.drain(..count);
    }

    /// Removes the cycles after the first `count`, and returns them.
    pub fn split_off(&mut self, count: usize) -> Column {
        let mut rest = Column { shape: self.shape.clone(), data: Data::zeros(self.element(), 0), marks: vec![] };
        rest.extend(self, count..self.len());
        let width = self.width();
        with_data!(&mut self.data, v => v.truncate(count * width));
        self.marks.truncate(count);
        rest
    }

    /// Returns the rows of some cycles, in order, with a leading axis.
    pub fn rows(&self, cycles: &[usize]) -> Array {
        let width = self.width();
        let mut data = Data::zeros(self.element(), 0);
        for run in cycles.chunk_by(|a, b| a + 1 == *b) {
            data.append(&self.data, run[0] * width..(run[0] + run.len()) * width);
        }
        Array::new([&[cycles.len()], &self.shape[..]].concat(), data)
    }

    pub fn cell(&self, cycle: usize) -> Cell<Shared> {
        let width = self.width();
        let row = || Array::new(self.shape.clone(), self.data.part(cycle * width..(cycle + 1) * width));
        self.marks[cycle].map(|_| Shared::new(row()))
    }

    pub fn cells(&self) -> Row {
        (0..self.len()).map(|n| self.cell(n)).collect()
    }

    fn pad(&mut self, rows: usize) {
        let size = rows * self.width();
        let element = self.element();
        self.data.append(&Data::zeros(element, size), 0..size);
    }
}

/// Returns some rows.
pub fn rows_of(all: &Array, rows: Range<usize>) -> Array {
    let width: usize = all.shape()[1..].iter().product();
    let data = all.data().part(rows.start * width..rows.end * width);
    Array::new([&[rows.len()], &all.shape()[1..]].concat(), data)
}

/// Returns zero for a scalar type, or zeros for an array type.
pub fn zeros(ty: Type) -> Array {
    let shape: Vec<usize> = ty.shape().into_iter().map(|n| n.unwrap_or(0)).collect();
    Array::zeros(ty.element().unwrap_or(Element::F64), if ty.is_tensor() { &shape } else { &[] })
}

/// Returns the names of the elements of a stream, in row-major order: `x`, or `h[0]`, `h[1]`, or `w[0][0]`, `w[0][1]`.
pub fn elements(name: &str, shape: &[usize]) -> Vec<String> {
    shape.iter().fold(vec![name.to_string()], |names, &size| {
        names.iter().flat_map(|name| (0..size).map(move |k| format!("{name}[{k}]"))).collect()
    })
}
