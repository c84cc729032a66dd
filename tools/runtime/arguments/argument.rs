//! The values of `--arg`: literals, files, generated arrays.
//!
//! ```text
//! 3.0   -1e-3   true   inf   [[1, 2], [3, 4]]
//! @x.npy   @x.csv   @x.csv:area,radius   @x.csv:0-29
//! random:4x3xf64:seed=1   random:9xf64:seed=1:normal=0,2   zeros:4x3xf64
//! ```

use crate::arguments::npy::{self, NpyError};
use crate::arguments::parameter::{self, FitError, Parameter};
use crate::arguments::random::{self, RandomError};
use crate::arguments::table::{self, TableError};
use mlopt_dialects::suggest;
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Array;
use mlopt_frontend::literal::{self, Literal};
use std::path::Path;
use thiserror::Error;

/// An error in one argument, or in the number of arguments.
#[derive(Debug, Error)]
pub enum ArgumentError {
    #[error("argument {index} ({name}), `{text}`: {problem}")]
    Value { index: usize, name: String, text: String, problem: ValueError },
    #[error("expected {} `--arg`, one per parameter ({signature}), found {found}", count(*.expected, "option"))]
    Count { expected: usize, found: usize, signature: String },
}

/// An error in one value.
#[derive(Debug, Error)]
pub enum ValueError {
    #[error("{}", .0.in_line())]
    Literal(Problem),
    #[error(transparent)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error("{path}: {problem}")]
    Npy { path: String, problem: NpyError },
    #[error("{path}: {problem}")]
    Table { path: String, problem: TableError },
    #[error("unknown kind of value `{word}:`; did you mean `{near}:`?")]
    Kind { word: String, near: String },
    #[error("expected a value, found a file name; did you mean `@{0}`?")]
    FileName(String),
    #[error("expected a file name ending in .npy or .csv, found `{0}`")]
    Extension(String),
}

/// A parameter and its name in the program text: `%x`.
pub type Named = (String, Parameter);

/// Reads one value for each parameter, in order. Messages count arguments from 0.
pub fn read_all(texts: &[String], parameters: &[Named]) -> Result<Vec<Array>, ArgumentError> {
    if texts.len() != parameters.len() {
        let signature: Vec<String> = parameters.iter().map(|(name, p)| format!("{name}: {p}")).collect();
        return Err(ArgumentError::Count {
            expected: parameters.len(),
            found: texts.len(),
            signature: signature.join(", "),
        });
    }
    let pairs = texts.iter().zip(parameters).enumerate();
    let one = |(index, (text, (name, parameter))): (usize, (&String, &Named))| {
        read(text, parameter).map_err(|problem| {
            // Long literals are shortened.
            let is_short = text.chars().count() <= 60;
            let text = if is_short { text.clone() } else { text.chars().take(57).chain("...".chars()).collect() };
            ArgumentError::Value { index, name: name.clone(), text, problem }
        })
    };
    pairs.map(one).collect()
}

/// Reads one value and converts it to the type of its parameter.
pub fn read(text: &str, to: &Parameter) -> Result<Array, ValueError> {
    if let Some(file) = text.strip_prefix('@') {
        return read_file(file, to);
    }
    if let Some(rest) = text.strip_prefix("random:") {
        return Ok(parameter::fit_array(random::random(rest)?, to)?);
    }
    if let Some(rest) = text.strip_prefix("zeros:") {
        return Ok(parameter::fit_array(random::zeros(rest)?, to)?);
    }
    if let Some((word, _)) = text.split_once(':')
        && let Some(near) = suggest::nearest(word, ["random", "zeros"])
    {
        return Err(ValueError::Kind { word: word.into(), near: near.into() });
    }
    let is_path = [".npy", ".csv"].iter().any(|e| text.ends_with(e));
    if is_path {
        return Err(ValueError::FileName(text.into()));
    }
    let literal = literal::parse(text).map_err(ValueError::Literal)?;
    Ok(parameter::fit_literal(literal, to)?)
}

/// Reads a file: `x.npy`, `x.csv`, or `x.csv:COLUMNS`, without the `@`.
fn read_file(file: &str, to: &Parameter) -> Result<Array, ValueError> {
    let (path, columns) = columns_of(file);
    match Path::new(path).extension().and_then(|e| e.to_str()) {
        Some("npy") => {
            let array = npy::read(path.as_ref());
            let array = array.map_err(|problem| ValueError::Npy { path: path.into(), problem })?;
            Ok(parameter::fit_array(array, to)?)
        }
        Some("csv") => {
            let table = table::read(path.as_ref(), columns);
            let table = table.map_err(|problem| ValueError::Table { path: path.into(), problem })?;
            // One column is a vector if the parameter is a vector.
            let shape = match to.shape.len() {
                1 if table.columns == 1 => vec![table.rows()],
                _ => vec![table.rows(), table.columns],
            };
            Ok(parameter::fit_literal(Literal { shape, numbers: table.numbers }, to)?)
        }
        _ => Err(ValueError::Extension(path.into())),
    }
}

/// Splits a file name into the path and the selected columns after it.
pub fn columns_of(file: &str) -> (&str, Option<&str>) {
    match file.rfind(".csv:") {
        Some(at) => (&file[..at + 4], Some(&file[at + 5..])),
        None => (file, None),
    }
}
