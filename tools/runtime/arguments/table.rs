//! `.csv` files as arguments: a whole file, `@x.csv`, or selected columns, `@x.csv:area,mean radius`, `@x.csv:0-29`,
//! `@x.csv:label`.
//!
//! The first row is a header if none of its cells is a number.

use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::{Array, Data};
use mlopt_dialects::with_data;
use mlopt_frontend::literal::Number;
use std::iter::Chain;
use std::{io, option, path::Path};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum TableError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("line {line}: {problem}")]
    Csv { line: u64, problem: String },
    #[error("expected rows of numbers, found none")]
    Empty,
    #[error("line {line}: expected {expected} cells as in the lines before, found {found}")]
    Width { line: u64, expected: usize, found: usize },
    #[error("line {line} (row {row}), column {column}: expected a number, found `{found}`{hint}")]
    Cell { line: u64, row: usize, column: String, found: String, hint: &'static str },
    #[error("expected at most 2 axes for .csv, found shape {0:?}; write .npy instead")]
    Axes(Vec<usize>),
    #[error("no column `{name}`{hint}; expected {expected}")]
    Column { name: String, hint: String, expected: String },
}

/// Numbers in rows and columns, with names of the columns if the file has a header.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub header: Option<Vec<String>>,
    pub columns: usize,
    /// The numbers, row-major.
    pub numbers: Vec<Number>,
}

impl Table {
    pub fn rows(&self) -> usize {
        self.numbers.len() / self.columns.max(1)
    }

    /// Returns a column as floating-point numbers; booleans are 0 and 1.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, TableError> {
        let as_f64 = |n: Number| match n {
            Number::Int(n) => n as f64,
            Number::Float(x) => x,
            Number::Bool(b) => b as u8 as f64,
        };
        let places = find(self.header.as_deref(), self.columns, name)?;
        let rows = self.numbers.chunks(self.columns);
        Ok(rows.flat_map(|row| places.iter().map(move |&c| as_f64(row[c]))).collect())
    }
}

/// Reads all columns, or those of `selection`. Cells outside of the selection need not be numbers.
pub fn read(path: &Path, selection: Option<&str>) -> Result<Table, TableError> {
    parse(&std::fs::read(path)?, selection)
}

pub fn parse(bytes: &[u8], selection: Option<&str>) -> Result<Table, TableError> {
    let mut rows = Rows::new(bytes)?;
    selection.map_or(Ok(()), |s| rows.select(s))?;
    let mut numbers = vec![];
    while let Some(row) = rows.next()? {
        for (at, number) in row.into_iter().enumerate() {
            numbers.push(number.ok_or_else(|| rows.wrong(at))?);
        }
    }
    if numbers.is_empty() {
        return Err(TableError::Empty);
    }
    let header = rows.header.as_ref().map(|names| rows.places.iter().map(|&c| names[c].clone()).collect());
    Ok(Table { columns: rows.places.len(), header, numbers })
}

/// A reader of a file row by row.
pub struct Rows<R> {
    /// The first row, which was read to find out that it is not a header, and the rows after it.
    records: Chain<option::IntoIter<csv::Result<csv::StringRecord>>, csv::StringRecordsIntoIter<R>>,
    pub header: Option<Vec<String>>,
    width: usize,
    /// The numbers of the selected columns.
    pub places: Vec<usize>,
    /// The last row, its line and its number.
    last: (csv::StringRecord, u64, usize),
    count: usize,
}

impl<R: io::BufRead> Rows<R> {
    /// # Errors
    /// The file has no rows, or cannot be read.
    pub fn new(mut input: R) -> Result<Rows<R>, TableError> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        if input.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        let mut builder = csv::ReaderBuilder::new();
        let reader = builder.has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(input);
        let mut records = reader.into_records();
        let first = records.next().ok_or(TableError::Empty)?.map_err(unreadable)?;
        let is_header = first.iter().all(|cell| Number::parse(cell).is_none());
        let width = first.len();
        let header = is_header.then(|| first.iter().map(String::from).collect::<Vec<_>>());
        let last = (csv::StringRecord::new(), 0, 0);
        let records = (!is_header).then_some(Ok(first)).into_iter().chain(records);
        Ok(Rows { records, header, width, places: (0..width).collect(), last, count: 0 })
    }

    /// Selects columns, in the order of `selection`: names, numbers counted from 0, and inclusive ranges `2-5` of
    /// numbers, separated by commas. A name takes precedence over a number.
    ///
    /// # Errors
    /// A selected column does not exist.
    pub fn select(&mut self, selection: &str) -> Result<(), TableError> {
        let places: Result<Vec<Vec<usize>>, TableError> =
            selection.split(',').map(|part| find(self.header.as_deref(), self.width, part.trim())).collect();
        self.places = places?.concat();
        Ok(())
    }

    /// Returns the error that a selected cell of the last row is not a number.
    pub fn wrong(&self, at: usize) -> TableError {
        let (record, line, row) = &self.last;
        let column = self.places[at];
        TableError::Cell {
            line: *line,
            row: *row,
            column: self.header.as_ref().map_or(column.to_string(), |names| format!("`{}`", names[column])),
            found: record[column].into(),
            hint: if *line == 1 { "; a header has no cell that is a number" } else { "" },
        }
    }

    /// Checks whether a selected cell of the last row is empty.
    pub fn is_blank(&self, at: usize) -> bool {
        self.last.0[self.places[at]].is_empty()
    }

    /// Reads the next row, with `None` for each cell that is not a number. Returns `None` at the end.
    #[allow(clippy::should_implement_trait)] // Not an iterator: `last` is accessed between calls.
    pub fn next(&mut self) -> Result<Option<Vec<Option<Number>>>, TableError> {
        let Some(record) = self.records.next().transpose().map_err(unreadable)? else { return Ok(None) };
        let line = record.position().map_or(0, |p| p.line());
        if record.len() != self.width {
            return Err(TableError::Width { line, expected: self.width, found: record.len() });
        }
        self.last = (record, line, self.count);
        self.count += 1;
        Ok(Some(self.places.iter().map(|&c| Number::parse(&self.last.0[c])).collect()))
    }
}

fn unreadable(e: csv::Error) -> TableError {
    let line = e.position().map_or(0, |p| p.line());
    let problem = match e.kind() {
        csv::ErrorKind::Utf8 { .. } => "expected UTF-8 text, found other bytes".into(),
        _ => e.to_string(),
    };
    TableError::Csv { line, problem }
}

/// Returns the columns of a part of a selection.
fn find(header: Option<&[String]>, width: usize, part: &str) -> Result<Vec<usize>, TableError> {
    let names = header.unwrap_or(&[]);
    if let Some(column) = names.iter().position(|n| n == part) {
        return Ok(vec![column]);
    }
    let number = |text: &str| text.parse().ok().filter(|&c: &usize| c < width);
    let range = match part.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(part).map(|c| (c, c)),
    };
    match range {
        Some((first, last)) if first <= last => Ok((first..=last).collect()),
        _ => {
            let named = if header.is_some() { "a name in the header or " } else { "" };
            Err(TableError::Column {
                name: part.into(),
                hint: did_you_mean(part, names.iter().map(String::as_str)),
                expected: format!("{named}a column number from 0 to {}, or a range such as `0-1`", width - 1),
            })
        }
    }
}

/// Writes an array of at most two axes, one line per row, without a header. Every number reads back exactly.
pub fn write(path: &Path, a: &Array) -> Result<(), TableError> {
    let columns = match a.shape() {
        [] | [_] => 1,
        [_, columns] => *columns,
        shape => return Err(TableError::Axes(shape.to_vec())),
    };
    let mut text = String::new();
    for row in 0..a.len() / columns.max(1) {
        let cells: Vec<String> = (0..columns).map(|c| cell(a.data(), row * columns + c)).collect();
        text += &cells.join(",");
        text += "\n";
    }
    Ok(std::fs::write(path, text)?)
}

/// Formats one number so that it reads back exactly.
pub fn cell(data: &Data, at: usize) -> String {
    let text = with_data!(data, v => v[at].to_string());
    if text == "NaN" { "nan".into() } else { text }
}
