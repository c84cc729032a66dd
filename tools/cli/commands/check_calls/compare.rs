//! Comparison of values up to rounding.

use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::text::count;
use mlopt_dialects::value::{Array, Element};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The bounds on the difference of floats, relative to 1 + the expected magnitude. That of f32 holds for f16 and bf16
/// too if it is larger than a few units in their last place.
#[derive(Clone, Copy)]
pub struct Tolerance {
    pub f64: f64,
    pub f32: f64,
    /// True if arrays without elements may have other sizes: in a loop without iterations, the sizes of rows may be
    /// unknown.
    pub any_empty: bool,
}

/// Describes the first difference beyond the tolerance. Numbers that are no floats must be equal.
pub fn difference(found: &Value, expected: &Value, tolerance: Tolerance) -> Option<String> {
    let all = |found: &[&Value], expected: &[&Value]| {
        if found.len() != expected.len() {
            return Some(format!("expected {}, found {}", count(expected.len(), "value"), found.len()));
        }
        found.iter().zip(expected).find_map(|(f, e)| difference(f, e, tolerance))
    };
    match (found, expected) {
        (Value::Tuple(f), Value::Tuple(e)) => all(&f.iter().collect::<Vec<_>>(), &e.iter().collect::<Vec<_>>()),
        (Value::List(f), Value::List(e)) => all(&f.iter().collect::<Vec<_>>(), &e.iter().collect::<Vec<_>>()),
        (Value::Record(_, f), Value::Record(_, e)) => all(&f.iter().collect::<Vec<_>>(), &e.iter().collect::<Vec<_>>()),
        (Value::Rng(f), Value::Rng(e)) => (f != e).then(|| format!("expected the state {e:?}, found {f:?}")),
        _ => match (found.as_array(), expected.as_array()) {
            (Some(f), Some(e)) => arrays(&f, &e, tolerance),
            _ => (found.to_string() != expected.to_string()).then(|| format!("expected {expected}, found {found}")),
        },
    }
}

fn arrays(found: &Array, expected: &Array, tolerance: Tolerance) -> Option<String> {
    let is_empty = found.is_empty() && expected.is_empty() && found.rank() == expected.rank();
    let has_shape = found.shape() == expected.shape() || tolerance.any_empty && is_empty;
    if found.element() != expected.element() || !has_shape {
        return Some(format!("expected {}, found {}", expected.type_text(), found.type_text()));
    }
    let tolerance = match found.element() {
        // A few units in the last place.
        Element::BF16 => tolerance.f32.max(2e-2),
        Element::F16 => tolerance.f32.max(3e-3),
        Element::F32 => tolerance.f32,
        _ => tolerance.f64,
    };
    let close = |f: f64, e: f64| found.element().is_float() && (f - e).abs() <= tolerance * (1.0 + e.abs());
    // A NaN on one side only does not match.
    let same = |f: f64, e: f64| f == e || f.is_nan() && e.is_nan() || close(f, e);
    let mut pairs = found.to_f64().into_iter().zip(expected.to_f64()).enumerate();
    let (k, (f, e)) = pairs.find(|(_, (f, e))| !same(*f, *e))?;
    Some(format!("expected {e:?}, found {f:?} in element {k} of {}", found.type_text()))
}

/// Returns a hash of all bits of a value; all NaNs have the same.
pub fn bits(values: &[Value]) -> u64 {
    let mut hasher = DefaultHasher::new();
    values.iter().for_each(|value| hash(value, &mut hasher));
    hasher.finish()
}

fn hash(value: &Value, into: &mut DefaultHasher) {
    match value {
        Value::Tuple(parts) | Value::Record(_, parts) => parts.iter().for_each(|part| hash(part, into)),
        Value::List(list) => list.iter().for_each(|part| hash(part, into)),
        _ => match value.as_array() {
            Some(x) => {
                x.shape().hash(into);
                x.to_f64().into_iter().for_each(|x| if x.is_nan() { 0 } else { x.to_bits() }.hash(into));
            }
            None => value.to_string().hash(into),
        },
    }
}
