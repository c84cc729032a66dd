//! Sources of the inputs of a run: values on the command line, files, which are read during the run, and the standard
//! input.

use super::columns::{Column, elements};
use crate::arguments::argument::{self, ValueError};
use crate::arguments::npy::{self, NpyError};
use crate::arguments::parameter::{self, FitError, Parameter};
use crate::arguments::table::{self, TableError};
use crate::values::split_items;
use mlopt_dialects::eval::Shared;
use mlopt_dialects::ir::Type;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::count;
use mlopt_frontend::literal::{Literal, Number};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// An error of the options `--input`, `--inputs` and `--repeat`, or of the files that they name.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("--repeat: expected files, found the standard input, which can be read only once")]
    StandardInputOnce,
    #[error("--input: the node has no input `{name}`{hint}")]
    Unknown { name: String, hint: String },
    #[error("the input `{name}` needs values; set them, as in `--input {name}=[1, 2]`")]
    NoValues { name: String },
    #[error("--input {name}: {problem}")]
    Input { name: String, problem: InputError },
    #[error("--inputs {name}: {problem}")]
    Inputs { name: String, problem: InputError },
}

/// An error in the values of one input, or in a file of several.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Npy(#[from] NpyError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error(transparent)]
    Value(#[from] ValueError),
    #[error(transparent)]
    Type(#[from] NoValueType),
    #[error("expected {} for {cell}, found {found}", count(*.expected, "column"))]
    Columns { expected: usize, cell: Parameter, found: usize },
    #[error("expected a file name ending in .jsonl or .csv, or `-`")]
    Extension,
    #[error("expected a header with the names of inputs in the first line")]
    NoHeader,
    #[error("no column `{column}` for the input `{name}`{hint}; found {header}")]
    NoColumn { column: String, name: String, hint: String, header: String },
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("expected an object, as in `{{\"x\": 1}}`")]
    NoObject,
    #[error("the node has no input `{name}`{hint}")]
    Unknown { name: String, hint: String },
    #[error("expected a number, found {0}")]
    NoNumber(Value),
    #[error("expected a number or a list, found {0}")]
    NoList(Value),
    #[error("expected lists of equal length")]
    Lengths,
    /// An error at a path, a line or a name.
    #[error("{at}: {problem}")]
    At { at: String, problem: Box<InputError> },
}

impl InputError {
    fn at(self, at: impl std::fmt::Display) -> InputError {
        InputError::At { at: at.to_string(), problem: Box::new(self) }
    }
}

/// A type that has no values on the command line.
#[derive(Debug, thiserror::Error)]
#[error("expected a scalar or a tensor of numbers, found {0}")]
pub struct NoValueType(String);

/// The rows of a file.
type CsvRows = table::Rows<BufReader<File>>;

/// The source of one input.
enum Source {
    /// All cycles, and the number of those already read.
    Whole(Column, usize),
    Npy(npy::Rows, Parameter),
    Csv(CsvRows, Parameter),
    /// The same scalar in every cycle.
    Still(Cell<Shared>),
    /// An input of the shared file.
    Shared,
}

/// A file with several inputs.
enum Several {
    /// A column of the file for each element of each input; the inputs with their types.
    Csv(Box<CsvRows>, Vec<(usize, Parameter)>),
    /// A JSON object for each cycle.
    Lines { reader: BufReader<Box<dyn Read>>, line: usize },
}

pub struct Sources {
    inputs: Vec<(String, Type)>,
    /// For each input, whether it is on the base clock.
    on_base: Vec<bool>,
    given: Vec<(String, String)>,
    file: Option<String>,
    /// The number of remaining passes over the inputs, including the current one.
    passes: usize,
    all: Vec<Source>,
    /// The shared file and its name.
    several: Option<(Several, String)>,
}

/// Some cycles of all inputs.
pub struct Piece {
    pub columns: Vec<Column>,
    pub cycles: usize,
    pub is_end: bool,
}

impl Sources {
    /// Opens the sources. `given` has the texts of single inputs, and `file` the name of a file of the others, `-` for
    /// the standard input. The inputs are read `passes` times.
    ///
    /// # Errors
    /// An input is unknown, has no values, or cannot be read.
    pub fn new(
        inputs: Vec<(String, Type)>,
        on_base: Vec<bool>,
        given: &[(&str, &str)],
        file: Option<&str>,
        passes: usize,
    ) -> Result<Sources, SourceError> {
        if file == Some("-") && passes > 1 {
            return Err(SourceError::StandardInputOnce);
        }
        let given = given.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        let (file, all) = (file.map(String::from), vec![]);
        let mut sources = Sources { inputs, on_base, given, file, passes, all, several: None };
        sources.open()?;
        Ok(sources)
    }

    /// Opens all sources at the first cycle.
    fn open(&mut self) -> Result<(), SourceError> {
        let Sources { inputs, given, file, .. } = self;
        let names = || inputs.iter().map(|(name, _)| name.as_str());
        if let Some((name, _)) = given.iter().find(|(name, _)| !names().any(|n| n == *name)) {
            return Err(SourceError::Unknown { name: name.clone(), hint: did_you_mean(name, names()) });
        }
        let mut all = Vec::new();
        for (name, ty) in inputs.iter() {
            // The last value takes precedence, as for options.
            let text = given.iter().rev().find(|(n, _)| n == name).map(|(_, text)| text);
            all.push(match text {
                Some(text) => {
                    source(text, *ty).map_err(|problem| SourceError::Input { name: name.clone(), problem })?
                }
                None if file.is_some() => Source::Shared,
                None => return Err(SourceError::NoValues { name: name.clone() }),
            });
        }
        let file = file.clone();
        self.all = all;
        if let Some(file) = file {
            let name = if file == "-" { "standard input" } else { &file };
            let several = self.several(&file);
            let several = several.map_err(|problem| SourceError::Inputs { name: name.into(), problem })?;
            self.several = Some((several, name.into()));
        }
        Ok(())
    }

    fn several(&self, file: &str) -> Result<Several, InputError> {
        let open = || File::open(file);
        match Path::new(file).extension().and_then(|e| e.to_str()) {
            _ if file == "-" => Ok(Several::Lines { reader: BufReader::new(Box::new(std::io::stdin())), line: 0 }),
            Some("jsonl") => Ok(Several::Lines { reader: BufReader::new(Box::new(open()?)), line: 0 }),
            Some("csv") => {
                let mut rows = table::Rows::new(BufReader::new(open()?))?;
                let header = rows.header.clone().ok_or(InputError::NoHeader)?;
                let (mut places, mut inputs) = (Vec::new(), Vec::new());
                for (v, (name, ty)) in self.shared() {
                    let to = parameter(*ty)?;
                    for column in elements(name, &sizes(&to)) {
                        let place = header.iter().position(|h| *h == column).ok_or_else(|| {
                            let hint = did_you_mean(&column, header.iter().map(String::as_str));
                            let (column, name, header) = (column.clone(), name.clone(), header.join(", "));
                            InputError::NoColumn { column, name, hint, header }
                        })?;
                        places.push(place);
                    }
                    inputs.push((v, to));
                }
                rows.places = places;
                Ok(Several::Csv(Box::new(rows), inputs))
            }
            _ => Err(InputError::Extension),
        }
    }

    /// Returns the inputs of the shared file.
    fn shared(&self) -> impl Iterator<Item = (usize, &(String, Type))> {
        self.inputs.iter().enumerate().filter(|(v, _)| matches!(self.all[*v], Source::Shared))
    }

    /// Returns for each input whether its values are read only on its clock and may be missing elsewhere.
    pub fn is_lenient(&self) -> Vec<bool> {
        let is_strict = |s: &Source| match s {
            Source::Whole(c, _) => c.marks().contains(&Cell::Absent),
            Source::Npy(..) | Source::Csv(..) | Source::Still(_) => false,
            Source::Shared => matches!(self.several, Some((Several::Lines { .. }, _))),
        };
        self.all.iter().map(|s| !is_strict(s)).collect()
    }

    /// Checks whether a reader may wait for the results of each cycle.
    pub fn is_live(&self) -> bool {
        self.several.as_ref().is_some_and(|(s, _)| matches!(s, Several::Lines { .. }))
    }

    /// Checks whether the inputs have no end.
    pub fn is_endless(&self) -> bool {
        self.all.iter().all(|s| matches!(s, Source::Still(_)))
    }

    /// Returns the number of cycles, if it is known.
    pub fn cycles(&self) -> Option<usize> {
        let one = |s: &Source| match s {
            Source::Whole(c, used) => Some(c.len() - used),
            Source::Npy(rows, _) => Some(rows.left),
            Source::Csv(..) | Source::Still(_) | Source::Shared => None,
        };
        self.all.iter().filter_map(one).min().map(|n| n * self.passes)
    }

    /// Reads the next cycles, at most `count`; fewer if the standard input has no more lines yet. The inputs end when
    /// the first of them ends.
    ///
    /// # Errors
    /// A file is invalid.
    pub fn next(&mut self, count: usize) -> Result<Piece, SourceError> {
        let mut piece = self.piece(count)?;
        if piece.is_end && self.passes > 1 {
            self.passes -= 1;
            self.open()?;
            piece.is_end = false;
        }
        Ok(piece)
    }

    fn piece(&mut self, count: usize) -> Result<Piece, SourceError> {
        let mut columns: Vec<Column> = self.inputs.iter().map(|(_, ty)| Column::new(*ty)).collect();
        let (mut cycles, mut is_end) = (count, false);
        if let Some((mut several, name)) = self.several.take() {
            let found = self.read_several(&mut several, count, &mut columns);
            (cycles, is_end) = found.map_err(|problem| SourceError::Inputs { name: name.clone(), problem })?;
            self.several = Some((several, name));
        }
        for (v, source) in self.all.iter_mut().enumerate() {
            let (name, ty) = &self.inputs[v];
            let column = source.next(*ty, cycles);
            if let Some(column) = column.map_err(|problem| SourceError::Input { name: name.clone(), problem })? {
                columns[v] = column;
            }
        }
        let is_still = |v: &usize| matches!(self.all[*v], Source::Still(_));
        let moving = (0..columns.len()).filter(|v| !is_still(v));
        let shortest = moving.map(|v| columns[v].len()).min().unwrap_or(count);
        // Constants are absent in cycles in which the first other input of the base clock is absent.
        let leader = (0..columns.len()).find(|&v| self.on_base[v] && !is_still(&v));
        let is_there = |n: usize| leader.is_none_or(|v| columns[v].marks()[n] != Cell::Absent);
        let there: Vec<bool> = (0..shortest).map(is_there).collect();
        for (column, source) in columns.iter_mut().zip(&self.all) {
            if let Source::Still(cell) = source {
                there.iter().for_each(|&is_there| column.push(if is_there { cell } else { &Cell::Absent }));
            }
        }
        is_end |= shortest < cycles;
        columns.iter_mut().for_each(|c| drop(c.split_off(shortest)));
        Ok(Piece { columns, cycles: shortest, is_end })
    }

    fn read_several(
        &self,
        several: &mut Several,
        count: usize,
        columns: &mut [Column],
    ) -> Result<(usize, bool), InputError> {
        match several {
            Several::Csv(rows, inputs) => {
                for n in 0..count {
                    let Some(row) = rows.next()? else { return Ok((n, true)) };
                    let mut at = 0;
                    for (v, to) in &*inputs {
                        columns[*v].push(&csv_cell(rows, &row, at, to)?);
                        at += sizes(to).iter().product::<usize>();
                    }
                }
                Ok((count, false))
            }
            Several::Lines { reader, line } => {
                let mut n = 0;
                // After the first line, only lines that are already buffered are read.
                while n < count && (n == 0 || reader.buffer().contains(&b'\n')) {
                    let mut text = String::new();
                    *line += 1;
                    let problem = |e: InputError| e.at(format_args!("line {line}"));
                    if reader.read_line(&mut text).map_err(|e| problem(e.into()))? == 0 {
                        return Ok((n, true));
                    }
                    if text.trim().is_empty() {
                        continue;
                    }
                    for (v, cell) in self.line(&text).map_err(problem)? {
                        columns[v].push(&cell);
                    }
                    n += 1;
                }
                Ok((n, false))
            }
        }
    }

    /// Parses the cells of a JSON object.
    fn line(&self, text: &str) -> Result<Vec<(usize, Cell<Shared>)>, InputError> {
        let value: Value = serde_json::from_str(text)?;
        let object = value.as_object().ok_or(InputError::NoObject)?;
        // Outputs of another run contain the number of the cycle.
        let is_known = |name: &&String| *name == "cycle" || self.shared().any(|(_, i)| i.0 == **name);
        if let Some(name) = object.keys().find(|name| !is_known(name)) {
            let hint = did_you_mean(name, self.shared().map(|(_, i)| i.0.as_str()));
            return Err(InputError::Unknown { name: name.clone(), hint });
        }
        let one = |(v, (name, ty)): (usize, &(String, Type))| match object.get(name) {
            None | Some(Value::Null) => Ok((v, Cell::Absent)),
            Some(value) => {
                let fit =
                    || -> Result<_, InputError> { Ok(parameter::fit_literal(literal(value)?, &parameter(*ty)?)?) };
                let fitted = fit().map_err(|e| e.at(format_args!("`{name}`")));
                fitted.map(|x| (v, Cell::Value(Shared::new(x))))
            }
        };
        self.shared().map(one).collect()
    }
}

impl Source {
    /// Reads the next cycles, fewer at the end. Returns `None` if they are read with those of other inputs.
    fn next(&mut self, ty: Type, count: usize) -> Result<Option<Column>, InputError> {
        let mut column = Column::new(ty);
        match self {
            Source::Whole(all, used) => {
                let end = all.len().min(*used + count);
                column.extend(all, *used..end);
                *used = end;
            }
            Source::Npy(rows, to) => {
                let rows = rows.next(count)?;
                column = Column::of_rows(parameter::fit_array(rows, to)?);
            }
            Source::Csv(rows, to) => {
                while column.len() < count {
                    let Some(row) = rows.next()? else { break };
                    column.push(&csv_cell(rows, &row, 0, to)?);
                }
            }
            Source::Still(_) | Source::Shared => return Ok(None),
        }
        Ok(Some(column))
    }
}

fn sizes(to: &Parameter) -> Vec<usize> {
    to.shape.iter().map(|n| n.unwrap_or(0)).collect()
}

/// Reads the cell of an input from some columns of a row; it is absent if they are empty.
fn csv_cell(rows: &CsvRows, row: &[Option<Number>], at: usize, to: &Parameter) -> Result<Cell<Shared>, InputError> {
    let shape = sizes(to);
    let width: usize = shape.iter().product();
    if width > 0 && (at..at + width).all(|k| rows.is_blank(k)) {
        return Ok(Cell::Absent);
    }
    let number = |k: usize| row[k].ok_or_else(|| rows.wrong(k));
    let numbers: Vec<Number> = (at..at + width).map(number).collect::<Result<_, _>>()?;
    let x = parameter::fit_literal(Literal { shape, numbers }, to)?;
    Ok(Cell::Value(Shared::new(x)))
}

/// Opens the source of a stream of this type.
fn source(text: &str, ty: Type) -> Result<Source, InputError> {
    let cell = parameter(ty)?;
    if cell.shape.is_empty() && mlopt_frontend::literal::parse(text).is_ok_and(|l| l.shape.is_empty()) {
        return Ok(Source::Still(Cell::Value(Shared::new(argument::read(text, &cell)?))));
    }
    if let Some(items) = with_absences(text) {
        let one = |item: &str| match item {
            "." => Ok(Cell::Absent),
            _ => argument::read(item, &cell).map(|x| Cell::Value(Shared::new(x))),
        };
        let cells = items.into_iter().map(one).collect::<Result<Vec<_>, _>>()?;
        return Ok(Source::Whole(Column::of_cells(ty, &cells), 0));
    }
    let shape = std::iter::once(None).chain(cell.shape.iter().copied()).collect();
    let all = Parameter { element: cell.element, shape };
    if let Some(file) = text.strip_prefix('@') {
        let (path, columns) = argument::columns_of(file);
        let opened = match path {
            _ if path.ends_with(".npy") => npy_rows(path, &all),
            _ if path.ends_with(".csv") => csv_rows(path, columns, &cell).map(Some),
            _ => Ok(None),
        };
        if let Some(source) = opened.map_err(|e| e.at(path))? {
            return Ok(source);
        }
    }
    Ok(Source::Whole(Column::of_rows(argument::read(text, &all)?), 0))
}

/// Opens a file of rows, or returns `None` if its rows cannot be read one by one.
fn npy_rows(path: &str, all: &Parameter) -> Result<Option<Source>, InputError> {
    let Some(mut rows) = npy::Rows::open(path.as_ref())? else { return Ok(None) };
    // Reports a wrong type now.
    parameter::fit_array(rows.next(0)?, all)?;
    Ok(Some(Source::Npy(rows, all.clone())))
}

/// Opens a table with the selected columns for a cell.
fn csv_rows(path: &str, columns: Option<&str>, cell: &Parameter) -> Result<Source, InputError> {
    let mut rows = table::Rows::new(BufReader::new(File::open(path)?))?;
    columns.map_or(Ok(()), |c| rows.select(c))?;
    let width: usize = sizes(cell).iter().product();
    if rows.places.len() != width {
        return Err(InputError::Columns { expected: width, cell: cell.clone(), found: rows.places.len() });
    }
    Ok(Source::Csv(rows, cell.clone()))
}

/// Returns the items of a list in brackets, if one of them is `.`.
fn with_absences(text: &str) -> Option<Vec<&str>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let items = split_items(inner, "[", "]");
    items.contains(&".").then_some(items)
}

/// Converts a JSON number or nested lists. NaN and infinities are strings, because JSON has no syntax for them.
fn literal(value: &Value) -> Result<Literal, InputError> {
    let number = |n: Number| Ok(Literal { shape: vec![], numbers: vec![n] });
    match value {
        Value::Bool(b) => number(Number::Bool(*b)),
        Value::Number(_) | Value::String(_) => {
            let text = value.as_str().map_or_else(|| value.to_string(), |s| s.replace("NaN", "nan"));
            Number::parse(&text).map_or_else(|| Err(InputError::NoNumber(value.clone())), number)
        }
        Value::Array(items) => {
            let mut all = Literal { shape: vec![items.len()], numbers: vec![] };
            for (k, item) in items.iter().enumerate() {
                let one = literal(item)?;
                if k == 0 {
                    all.shape.extend(&one.shape);
                } else if all.shape[1..] != one.shape[..] {
                    return Err(InputError::Lengths);
                }
                all.numbers.extend(one.numbers);
            }
            Ok(all)
        }
        other => Err(InputError::NoList(other.clone())),
    }
}

/// Reads all cycles of the sources, at most `most`.
///
/// # Errors
/// Those of [`Sources::next`].
pub fn read_all(sources: &mut Sources, most: usize) -> Result<Piece, SourceError> {
    let mut all = sources.next(most)?;
    while !all.is_end && all.cycles < most {
        let more = sources.next(most - all.cycles)?;
        all.columns.iter_mut().zip(&more.columns).for_each(|(a, m)| a.extend(m, 0..more.cycles));
        (all.cycles, all.is_end) = (all.cycles + more.cycles, more.is_end);
    }
    Ok(all)
}

/// Returns the type of a value of a stream.
pub fn parameter(ty: Type) -> Result<Parameter, NoValueType> {
    let text = ty.to_string();
    parameter::parse(&text).ok_or(NoValueType(text))
}
