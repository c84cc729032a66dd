//! Reading of JSON files into typed data. An error states the path of the part of the file that is wrong.

use serde::Deserialize;
use serde_json::Value as Json;
use serde_path_to_error::Segment;

/// Reads the part of a file at `path`.
pub fn read<'j, T: Deserialize<'j>>(json: &'j Json, path: &str) -> Result<T, String> {
    serde_path_to_error::deserialize(json).map_err(|e| match e.path().iter().next() {
        None if path.is_empty() => format!("the file: {}", e.inner()),
        None => format!("{path}: {}", e.inner()),
        Some(Segment::Map { .. }) if !path.is_empty() => format!("{path}.{}: {}", e.path(), e.inner()),
        Some(_) => format!("{path}{}: {}", e.path(), e.inner()),
    })
}

/// Describes an unexpected part of a file.
pub fn expected(what: &str, found: &Json) -> String {
    let found = found.to_string();
    let short: String = found.chars().take(40).collect();
    let dots = if short.len() < found.len() { "…" } else { "" };
    format!("expected {what}, found {short}{dots}")
}

/// A number; `"nan"`, `"inf"` and `"-inf"` are those that JSON cannot represent.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Json")]
pub struct Number(pub f64);

impl TryFrom<Json> for Number {
    type Error = String;

    fn try_from(json: Json) -> Result<Number, String> {
        let special = match json.as_str() {
            Some("nan") => Some(f64::NAN),
            Some("inf") => Some(f64::INFINITY),
            Some("-inf") => Some(f64::NEG_INFINITY),
            _ => None,
        };
        let number = special.or(json.as_f64()).map(Number);
        number.ok_or_else(|| expected("a number, \"nan\", \"inf\" or \"-inf\"", &json))
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
