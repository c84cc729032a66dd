//! The conversion of values to the type of a parameter of an entry function: a scalar or ranked tensor type such as
//! `f64` and `tensor<?x3xf64>`.

use mlopt_dialects::text::count;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_frontend::literal::{Literal, Number};
pub use mlopt_lowering::native::ValueType as Parameter;

/// Parses MLIR syntax. Returns `None` for a type that has no values on the command line.
pub fn parse(text: &str) -> Option<Parameter> {
    let Some(inside) = text.strip_prefix("tensor<") else {
        return Some(Parameter { element: Element::from_name(text)?, shape: vec![] });
    };
    let mut rest = inside.strip_suffix('>')?;
    let mut shape = vec![];
    loop {
        if let Some(element) = Element::from_name(rest) {
            return Some(Parameter { element, shape });
        }
        let (extent, after) = rest.split_once('x')?;
        shape.push(if extent == "?" { None } else { Some(extent.parse().ok()?) });
        rest = after;
    }
}

fn admits(to: &Parameter, shape: &[usize]) -> bool {
    to.shape.len() == shape.len() && to.shape.iter().zip(shape).all(|(p, &n)| p.is_none_or(|p| p == n))
}

/// A value that has another type than its parameter.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum FitError {
    #[error("expected {}, found {found}{}", expected(.to), difference(.to, .shape))]
    Shape { to: Parameter, found: String, shape: Vec<usize> },
    #[error("expected {to}, found {found}")]
    Element { to: Parameter, found: String },
    #[error("expected {}, found `{found}`{place}", wanted(.to))]
    Number { to: Element, found: Number, place: String },
}

/// Converts literals to the parameter's element type. The message of an error is `expected …, found …`.
pub fn fit_literal(literal: Literal, to: &Parameter) -> Result<Array, FitError> {
    let Literal { shape, numbers } = literal;
    if !admits(to, &shape) {
        let found = if shape.is_empty() { "a single number".into() } else { format!("an array of shape {shape:?}") };
        return Err(FitError::Shape { to: to.clone(), found, shape });
    }
    fn all<T>(
        numbers: &[Number],
        shape: &[usize],
        to: Element,
        convert: impl Fn(Number) -> Option<T>,
    ) -> Result<Vec<T>, FitError> {
        let one = |(at, &n): (usize, &Number)| {
            let place = if shape.is_empty() { String::new() } else { format!(" at {:?}", index_of(at, shape)) };
            convert(n).ok_or(FitError::Number { to, found: n, place })
        };
        numbers.iter().enumerate().map(one).collect()
    }
    let (numbers, e) = (&numbers[..], to.element);
    let data = match e {
        Element::I1 => Data::I1(all(numbers, &shape, e, boolean)?),
        _ if e.is_float() => Data::of_f64(e, all(numbers, &shape, e, float)?),
        _ => Data::of_integers(e, all(numbers, &shape, e, |n| integer(n, e))?),
    };
    Ok(Array::new(shape, data))
}

/// Converts an array to the parameter's element type, which may be a wider type of the same kind.
pub fn fit_array(array: Array, to: &Parameter) -> Result<Array, FitError> {
    let found = array.type_text();
    if !admits(to, array.shape()) {
        return Err(FitError::Shape { to: to.clone(), found, shape: array.shape().to_vec() });
    }
    let shape = array.shape().to_vec();
    let data = match (array.element(), to.element) {
        (from, to) if from == to => return Ok(array),
        (from, to) if from.is_float() && to.is_float() && from.bits() < to.bits() => Data::of_f64(to, array.to_f64()),
        (from, to) if from.is_integer() && to.is_integer() && from.bits() <= to.bits() => {
            Data::of_integers(to, array.data().to_integers())
        }
        _ => return Err(FitError::Element { to: to.clone(), found }),
    };
    Ok(Array::new(shape, data))
}

fn float(n: Number) -> Option<f64> {
    match n {
        Number::Int(n) => Some(n as f64),
        Number::Float(x) => Some(x),
        Number::Bool(_) => None,
    }
}

fn integer(n: Number, element: Element) -> Option<i64> {
    if let Number::Int(n) = n { Some(n).filter(|&n| element.wrap(n) == n) } else { None }
}

fn boolean(n: Number) -> Option<bool> {
    match n {
        Number::Bool(b) => Some(b),
        Number::Int(0) => Some(false),
        Number::Int(1) => Some(true),
        _ => None,
    }
}

fn wanted(element: &Element) -> String {
    match element {
        Element::I1 => "true or false (i1)".into(),
        _ if element.is_float() => format!("a number ({element})"),
        _ => format!("a whole number ({element})"),
    }
}

/// Returns the index of a row-major position.
pub fn index_of(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> = shape.iter().rev().map(|&n| (at % n, at /= n).0).collect();
    index.reverse();
    index
}

/// Formats a type: `a scalar of type f64`, `tensor<?xf64>`.
fn expected(to: &Parameter) -> String {
    if to.shape.is_empty() { format!("a scalar of type {to}") } else { to.to_string() }
}

/// Formats the difference of shapes: ` (axis 1 has 4 elements, not 3)` for shapes of equal rank, nothing for a scalar.
fn difference(to: &Parameter, shape: &[usize]) -> String {
    if to.shape.is_empty() {
        return String::new();
    }
    if to.shape.len() != shape.len() {
        return format!(" ({}, not {})", count(shape.len(), "axis"), to.shape.len());
    }
    let pairs = to.shape.iter().zip(shape).enumerate();
    let wrong = pairs.filter_map(|(axis, (p, &n))| p.filter(|&p| p != n).map(|p| (axis, n, p))).next();
    wrong.map_or(String::new(), |(axis, n, p)| format!(" (axis {axis} has {}, not {p})", count(n, "element")))
}
