//! Destinations of the outputs of a run: tables, lines of JSON, files. Outputs are written during the run.

use super::chronogram;
use super::columns::{Column, elements};
use super::plot::Traces;
use super::vcd::{Signal, Vcd};
use crate::arguments::npy;
use crate::arguments::table;
use crate::plot::PlotError;
use mlopt_dialects::interpret::Row;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Data, Element};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The values of a stream in some cycles.
pub struct Part<'a> {
    pub name: &'a str,
    pub column: &'a Column,
}

/// An error of a destination.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{path}: {problem}")]
    File { path: String, problem: io::Error },
    #[error("{path}: {problem}")]
    Plot { path: String, problem: PlotError },
    #[error("expected a file name ending in {expected}, found `{found}`")]
    Extension { expected: &'static str, found: String },
    #[error("`{name}` has no value in cycle {cycle}, which `{path}` cannot represent; write .csv or .jsonl")]
    Absent { name: String, cycle: usize, path: String },
}

impl SinkError {
    fn file(path: &str) -> impl FnOnce(io::Error) -> SinkError {
        move |problem| SinkError::File { path: path.into(), problem }
    }
}

pub enum Sink {
    /// A JSON object for each cycle.
    Lines { out: Box<dyn Write>, is_live: bool },
    /// A line for each cycle, below a header.
    Csv { out: BufWriter<File>, has_header: bool },
    /// The rows of one stream.
    Npy { out: npy::Writer, path: String },
    /// A table with a column for each cycle. All rows are kept until the end.
    Chronogram(Vec<(String, Row)>),
    /// A trace for waveform viewers.
    Vcd(Vcd<BufWriter<File>>),
    /// A line plot over the cycles.
    Plot(Traces, String),
}

impl Sink {
    /// Returns the standard output. With `is_live`, it is flushed after each piece, because a reader may wait for it.
    pub fn standard_output(is_live: bool) -> Sink {
        Sink::Lines { out: Box::new(BufWriter::new(io::stdout())), is_live }
    }

    /// Opens a file for all outputs. Its extension determines the format.
    ///
    /// # Errors
    /// The extension is unknown, or the file cannot be written.
    pub fn of_all(path: &str) -> Result<Sink, SinkError> {
        let create = || File::create(path).map(BufWriter::new).map_err(SinkError::file(path));
        match extension(path) {
            "jsonl" => Ok(Sink::Lines { out: Box::new(create()?), is_live: false }),
            "csv" => Ok(Sink::Csv { out: create()?, has_header: false }),
            _ => Err(SinkError::Extension { expected: ".jsonl or .csv", found: path.into() }),
        }
    }

    /// Opens a file for one stream.
    ///
    /// # Errors
    /// The extension is unknown, or the file cannot be written.
    pub fn of_one(path: &str, element: Element, shape: &[usize]) -> Result<Sink, SinkError> {
        match extension(path) {
            "npy" => {
                let out = npy::Writer::create(path.as_ref(), element, shape).map_err(SinkError::file(path))?;
                Ok(Sink::Npy { out, path: path.into() })
            }
            "csv" | "jsonl" => Sink::of_all(path),
            _ => Err(SinkError::Extension { expected: ".npy, .csv or .jsonl", found: path.into() }),
        }
    }

    /// # Errors
    /// The file cannot be written.
    pub fn vcd(path: &str, node: &str, signals: &[Signal]) -> Result<Sink, SinkError> {
        let create = || Vcd::new(BufWriter::new(File::create(path)?), node, signals);
        create().map(Sink::Vcd).map_err(SinkError::file(path))
    }

    /// Writes the next cycles of the streams; `first` is the number of the first one.
    ///
    /// # Errors
    /// The values cannot be written, or not in this format.
    pub fn write(&mut self, first: usize, cycles: usize, parts: &[Part]) -> Result<(), SinkError> {
        match self {
            Sink::Lines { out, is_live } => {
                for n in 0..cycles {
                    let mut line = Map::from_iter([("cycle".to_string(), Value::from(first + n))]);
                    for part in parts.iter().filter(|p| p.column.marks()[n] == Cell::Value(())) {
                        let width = part.column.width();
                        let value = json(part.column.data(), n * width, part.column.shape());
                        line.insert(part.name.to_string(), value);
                    }
                    writeln!(out, "{}", Value::Object(line))?;
                }
                if *is_live { Ok(out.flush()?) } else { Ok(()) }
            }
            Sink::Csv { out, has_header } => {
                let mut text = String::new();
                if !*has_header {
                    let names = parts.iter().flat_map(|p| elements(p.name, p.column.shape()));
                    let all: Vec<String> = std::iter::once("cycle".to_string()).chain(names).collect();
                    text += &(all.join(",") + "\n");
                    *has_header = true;
                }
                for n in 0..cycles {
                    text += &(first + n).to_string();
                    for p in parts {
                        let width = p.column.width();
                        for k in 0..width {
                            text.push(',');
                            if p.column.marks()[n] == Cell::Value(()) {
                                text += &table::cell(p.column.data(), n * width + k);
                            }
                        }
                    }
                    text.push('\n');
                }
                Ok(out.write_all(text.as_bytes())?)
            }
            Sink::Npy { out, path } => {
                // The file has one stream.
                for Part { name, column } in parts {
                    if let Some(n) = column.marks()[..cycles].iter().position(|m| *m != Cell::Value(())) {
                        let (name, path) = (name.to_string(), path.clone());
                        return Err(SinkError::Absent { name, cycle: first + n, path });
                    }
                    let written = out.write(cycles, &column.data().part(0..cycles * column.width()));
                    written.map_err(SinkError::file(path))?;
                }
                Ok(())
            }
            Sink::Chronogram(rows) => {
                if rows.is_empty() {
                    rows.extend(parts.iter().map(|p| (p.name.to_string(), vec![])));
                }
                rows.iter_mut().zip(parts).for_each(|(row, p)| row.1.extend((0..cycles).map(|n| p.column.cell(n))));
                Ok(())
            }
            Sink::Vcd(out) => Ok(out.cycles(&cells(parts, cycles))?),
            Sink::Plot(traces, _) => {
                traces.cycles(&cells(parts, cycles));
                Ok(())
            }
        }
    }

    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<(), SinkError> {
        let done = match self {
            Sink::Lines { mut out, .. } => out.flush(),
            Sink::Csv { mut out, .. } => out.flush(),
            Sink::Npy { out, .. } => out.finish(),
            Sink::Chronogram(rows) => io::stdout().lock().write_all(chronogram::table(&rows).as_bytes()),
            Sink::Vcd(out) => out.finish(),
            Sink::Plot(traces, path) => {
                let picture = traces.svg().map_err(|problem| SinkError::Plot { path: path.clone(), problem })?;
                return std::fs::write(&path, picture).map_err(SinkError::file(&path));
            }
        };
        Ok(done?)
    }
}

fn cells(parts: &[Part], cycles: usize) -> Vec<Row> {
    parts.iter().map(|p| (0..cycles).map(|n| p.column.cell(n)).collect()).collect()
}

fn extension(path: &str) -> &str {
    Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or("")
}

/// Converts an element to a number, or a row to nested lists. NaN and infinities become strings, because JSON has no
/// syntax for them.
fn json(data: &Data, at: usize, shape: &[usize]) -> Value {
    let Some((&n, inner)) = shape.split_first() else {
        let float = |x: f64| serde_json::Number::from_f64(x).map_or_else(|| Value::from(x.to_string()), Value::Number);
        return match data {
            Data::F16(v) => float(v[at].into()),
            Data::BF16(v) => float(v[at].into()),
            Data::F32(v) => float(v[at].into()),
            Data::F64(v) => float(v[at]),
            Data::I1(v) => Value::from(v[at]),
            Data::I8(v) => Value::from(v[at]),
            Data::I16(v) => Value::from(v[at]),
            Data::I32(v) => Value::from(v[at]),
            Data::I64(v) | Data::Index(v) => Value::from(v[at]),
        };
    };
    let size: usize = inner.iter().product();
    Value::Array((0..n).map(|k| json(data, at + k * size, inner)).collect())
}
