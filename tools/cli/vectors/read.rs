//! Reading of JSON files into typed data. An error states the path of the part of the file that is wrong.

use serde::Deserialize;
use serde_json::Value as Json;
use serde_path_to_error::Segment;

/// An error in the part of a file at `path`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path}: {text}")]
pub struct ReadError {
    path: String,
    text: String,
}

impl ReadError {
    pub fn new(path: impl Into<String>, text: impl ToString) -> ReadError {
        ReadError { path: path.into(), text: text.to_string() }
    }
}

/// Reads the part of a file at `path`.
pub fn read<'j, T: Deserialize<'j>>(json: &'j Json, path: &str) -> Result<T, ReadError> {
    serde_path_to_error::deserialize(json).map_err(|e| {
        let place = match e.path().iter().next() {
            None if path.is_empty() => "the file".to_string(),
            None => path.to_string(),
            Some(Segment::Map { .. }) if !path.is_empty() => format!("{path}.{}", e.path()),
            Some(_) => format!("{path}{}", e.path()),
        };
        ReadError::new(place, e.inner())
    })
}

/// A part of a file that is not of the expected form.
#[derive(Debug, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct Unexpected {
    pub expected: &'static str,
    pub found: String,
}

impl Unexpected {
    pub fn new(expected: &'static str, found: &Json) -> Unexpected {
        let found = found.to_string();
        let short: String = found.chars().take(40).collect();
        let dots = if short.len() < found.len() { "…" } else { "" };
        Unexpected { expected, found: short + dots }
    }
}

/// A number; `"nan"`, `"inf"` and `"-inf"` are those that JSON cannot represent.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Json")]
pub struct Number(pub f64);

impl TryFrom<Json> for Number {
    type Error = Unexpected;

    fn try_from(json: Json) -> Result<Number, Unexpected> {
        let special = match json.as_str() {
            Some("nan") => Some(f64::NAN),
            Some("inf") => Some(f64::INFINITY),
            Some("-inf") => Some(f64::NEG_INFINITY),
            _ => None,
        };
        let number = special.or(json.as_f64()).map(Number);
        number.ok_or_else(|| Unexpected::new("a number, \"nan\", \"inf\" or \"-inf\"", &json))
    }
}

/// A list of numbers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Vec<Number>")]
pub struct Numbers(pub Vec<f64>);

impl From<Vec<Number>> for Numbers {
    fn from(numbers: Vec<Number>) -> Numbers {
        Numbers(numbers.into_iter().map(|n| n.0).collect())
    }
}

/// Returns the shape of nested lists of equal length, and their elements in row-major order.
pub fn nested(json: &Json) -> Option<(Vec<usize>, Vec<&Json>)> {
    let Json::Array(rows) = json else { return Some((vec![], vec![json])) };
    let (shapes, elements): (Vec<_>, Vec<_>) = rows.iter().map(nested).collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let inner = shapes.first().cloned().unwrap_or_default();
    shapes.iter().all(|s| *s == inner).then(|| ([vec![rows.len()], inner].concat(), elements.concat()))
}
