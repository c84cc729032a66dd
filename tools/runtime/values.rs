//! Structured values on the command line, and their representation by the arrays that compiled code takes.
//!
//! ```text
//! (1.0, 2)    Point{u: 1.0, v: [1, 2]}    {u: 1.0, v: [1, 2]}    [1.0, 2.0]    [(1.0, 2), (3.0, 4)]
//! ```
//! A tuple or record is represented by the arrays of its parts, in order. A list is represented by one array for each
//! scalar or array of its element type, with an additional leading axis. Units, tokens and strings are represented by
//! no array.

use crate::arguments::argument::{self, ValueError};
use crate::arguments::numpy_print;
use crate::arguments::parameter;
use crate::entry::place;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::lambda::philox::State;
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::text::count;
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::functions::lambda_to_array::{NotData, SIGNATURE, leaves};
use std::rc::Rc;

/// Returns the signature that a function had before `lambda-to-array`, or its own.
pub fn signature(function: Op) -> Option<(Vec<Type>, Vec<Type>)> {
    match function.attribute(SIGNATURE) {
        Some(kept) => kept.as_type()?.signature(),
        None => function.function_type(),
    }
}

//===-- as arrays -----------------------------------------------------------------------------------------------===//

/// A value that has no arrays, or arrays that form no value.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    #[error("expected {expected}, found {found}")]
    Type { expected: String, found: String },
    #[error(transparent)]
    NotData(#[from] NotData),
    #[error("internal error: too few arrays for a value of type {0}")]
    Missing(String),
    #[error("expected words of 64 bits")]
    Words,
    #[error("a value of type {0} cannot be printed")]
    Hidden(String),
}

/// Appends the arrays that compiled code takes for a value of this type.
///
/// # Errors
/// The value has another type, or the type is not a type of data.
pub fn flatten(value: &Value, ty: Type, out: &mut Vec<Array>) -> Result<(), LayoutError> {
    let wrong = || LayoutError::Type { expected: ty.to_string(), found: value.kind() };
    match (TypeKind::of(ty), value) {
        (TypeKind::Unit | TypeKind::Token | TypeKind::String, _) => Ok(()),
        (TypeKind::Tuple(types), Value::Tuple(parts)) if types.len() == parts.len() => {
            types.into_iter().zip(parts.iter()).try_for_each(|(t, v)| flatten(v, t, out))
        }
        (TypeKind::Record(_, fields), Value::Record(_, parts)) if fields.len() == parts.len() => {
            fields.into_iter().zip(parts.iter()).try_for_each(|((_, t), v)| flatten(v, t, out))
        }
        (TypeKind::List(element), Value::List(list)) => {
            let mut columns = columns_of(element, &list.iter().collect::<Vec<_>>())?;
            out.append(&mut columns);
            Ok(())
        }
        (TypeKind::Rng, Value::Rng(state)) => {
            let words = [state.key, state.stream, state.block, u64::from(state.splits)];
            out.extend(words.map(|w| Array::new(vec![], Data::I64(vec![w as i64]))));
            Ok(())
        }
        (TypeKind::Array(_), _) => {
            out.push(Array::clone(&*value.as_array().ok_or_else(wrong)?));
            Ok(())
        }
        _ => Err(wrong()),
    }
}

/// Returns one array for each leaf of the element type of a list.
fn columns_of(element: Type, values: &[&Value]) -> Result<Vec<Array>, LayoutError> {
    let mut columns: Vec<Vec<Array>> = Vec::new();
    for value in values {
        let mut row = Vec::new();
        flatten(value, element, &mut row)?;
        columns.resize_with(row.len(), Vec::new);
        columns.iter_mut().zip(row).for_each(|(column, x)| column.push(x));
    }
    if values.is_empty() {
        let leaves = leaves(element)?;
        let none = |ty: Type| {
            let shape = [vec![0], ty.shape().into_iter().map(|d| d.unwrap_or(0)).collect()].concat();
            let element = ty.element().ok_or_else(|| LayoutError::Hidden(ty.to_string()))?;
            Ok(Array::new(shape, Data::zeros(element, 0)))
        };
        return leaves.into_iter().map(none).collect();
    }
    let stacked = |rows: &Vec<Array>| {
        let shape = [&[rows.len()], rows[0].shape()].concat();
        let start = Data::zeros(rows[0].element(), 0);
        Array::new(shape, rows.iter().fold(start, |data, row| data.followed_by(row.data())))
    };
    Ok(columns.iter().map(stacked).collect())
}

/// Assembles a value of this type from the arrays that compiled code returns.
///
/// # Errors
/// The type is not a type of data.
pub fn assemble(ty: Type, arrays: &mut dyn Iterator<Item = Array>) -> Result<Value, LayoutError> {
    let mut next = || arrays.next().ok_or_else(|| LayoutError::Missing(ty.to_string()));
    Ok(match TypeKind::of(ty) {
        TypeKind::Unit => Value::Unit,
        TypeKind::Token => Value::Token,
        TypeKind::Array(_) => Value::array(next()?),
        TypeKind::Tuple(types) => {
            Value::tuple(types.into_iter().map(|t| assemble(t, arrays)).collect::<Result<_, _>>()?)
        }
        TypeKind::Record(name, fields) => {
            let fields: Vec<(String, Value)> =
                fields.into_iter().map(|(f, t)| Ok((f, assemble(t, arrays)?))).collect::<Result<_, LayoutError>>()?;
            Value::record(&name, fields.iter().map(|(f, v)| (f.as_str(), v.clone())).collect())
        }
        TypeKind::Rng => {
            let mut word = || {
                let Data::I64(v) = next()?.data().clone() else { return Err(LayoutError::Words) };
                Ok(v[0] as u64)
            };
            let (key, stream, block, splits) = (word()?, word()?, word()?, word()? as u32);
            Value::Rng(Rc::new(State { key, stream, block, splits }))
        }
        TypeKind::List(element) => {
            let leaves = leaves(element)?.len();
            let columns: Vec<Array> = arrays.take(leaves).collect();
            let n = columns.first().map_or(0, |c| c.shape()[0]);
            let value = |k: usize| assemble(element, &mut columns.iter().map(|c| row(c, k)));
            Value::list((0..n).map(value).collect::<Result<_, _>>()?)
        }
        _ => return Err(LayoutError::Hidden(ty.to_string())),
    })
}

/// Returns row `k` of an array.
fn row(array: &Array, k: usize) -> Array {
    let shape = array.shape()[1..].to_vec();
    let n: usize = shape.iter().product();
    Array::new(shape, array.data().part(k * n..(k + 1) * n))
}

//===-- as text -------------------------------------------------------------------------------------------------===//

/// Formats a value; `print` formats its arrays.
fn text(value: &Value, print: &dyn Fn(&Array) -> String) -> String {
    let all = |values: &mut dyn Iterator<Item = String>| values.collect::<Vec<_>>().join(", ");
    match value {
        Value::Unit => "none".into(),
        Value::Tuple(parts) if parts.len() == 1 => format!("({},)", text(&parts[0], print)),
        Value::Tuple(parts) => format!("({})", all(&mut parts.iter().map(|v| text(v, print)))),
        Value::Record(names, parts) => {
            let fields = names.fields.iter().zip(parts.iter()).map(|(f, v)| format!("{f}: {}", text(v, print)));
            format!("{}{{{}}}", names.record, all(&mut { fields }))
        }
        Value::List(list) => format!("[{}]", all(&mut list.iter().map(|v| text(v, print)))),
        Value::Data(name, parts) => format!("{name}({})", all(&mut parts.iter().map(|v| text(v, print)))),
        Value::Function(f) => match f.op() {
            Some(op) => match op.symbol() {
                Some(name) => format!("<function @{name}>"),
                None => format!("<function at {}>", place(op.location())),
            },
            None => "<function>".into(),
        },
        Value::String(text) => format!("{text:?}"),
        Value::Rng(s) => format!("rng(key {}, stream {}, block {})", s.key, s.stream, s.block),
        other => match other.as_array() {
            Some(array) => print(&array),
            None => format!("<{}>", other.kind()),
        },
    }
}

/// Formats a value on one line.
pub fn line(value: &Value) -> String {
    text(value, &numpy_print::line)
}

/// Formats a value; `print` formats its arrays. Arrays inside of other values are on one line.
pub fn print(value: &Value, print: fn(&Array) -> String) -> String {
    match value {
        Value::Array(_) | Value::Zero(_) => text(value, &print),
        _ => text(value, &|array| print(array).split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// A text that is not a value of the type.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    #[error("expected {expected} for {ty}, found `{found}`")]
    Syntax { expected: String, ty: String, found: String },
    #[error("there is no field `{field}` in {ty}")]
    NoField { field: String, ty: String },
    #[error("a value of type {0} cannot be an argument on the command line")]
    NoSyntax(String),
    #[error(transparent)]
    Value(#[from] ValueError),
}

/// Parses a value of this type. Scalars and arrays have the syntax of `--arg`, including `@x.npy` and `random:3xf64`.
///
/// # Errors
/// The expected syntax and the found text.
pub fn parse(text: &str, ty: Type) -> Result<Value, ParseError> {
    let text = text.trim();
    let wrong =
        |expected: &str| ParseError::Syntax { expected: expected.into(), ty: ty.to_string(), found: text.into() };
    match TypeKind::of(ty) {
        TypeKind::Unit if text == "none" => Ok(Value::Unit),
        TypeKind::Unit => Err(wrong("`none`")),
        TypeKind::Array(_) => {
            let plain = ty.with_encoding(None).to_string();
            let parameter = parameter::parse(&plain).ok_or_else(|| ParseError::NoSyntax(ty.to_string()))?;
            Ok(Value::array(argument::read(text, &parameter)?))
        }
        TypeKind::Tuple(types) => {
            let inside = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
            let parts = parts(inside.ok_or_else(|| wrong("`(…, …)`"))?);
            if parts.len() != types.len() {
                return Err(wrong(&format!("{} in `(…)`", count(types.len(), "value"))));
            }
            Ok(Value::tuple(parts.into_iter().zip(types).map(|(p, t)| parse(p, t)).collect::<Result<_, _>>()?))
        }
        TypeKind::Record(name, fields) => {
            let rest = text.strip_prefix(name.as_str()).unwrap_or(text);
            let inside = rest.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
            let mut given = Vec::new();
            for part in parts(inside.ok_or_else(|| wrong("`{field: …}`"))?) {
                let (field, value) = part.split_once(':').ok_or_else(|| wrong("`field: …`"))?;
                given.push((field.trim(), value));
            }
            if let Some((odd, _)) = given.iter().find(|(f, _)| !fields.iter().any(|(g, _)| g == f)) {
                return Err(ParseError::NoField { field: odd.to_string(), ty: ty.to_string() });
            }
            let mut values = Vec::new();
            for (field, ty) in &fields {
                let mut found = given.iter().filter(|(f, _)| f == field);
                let (Some((_, value)), None) = (found.next(), found.next()) else {
                    return Err(wrong(&format!("one value of `{field}`")));
                };
                values.push((field.as_str(), parse(value, *ty)?));
            }
            Ok(Value::record(&name, values))
        }
        TypeKind::List(element) => {
            let inside = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
            let parts = parts(inside.ok_or_else(|| wrong("`[…]`"))?);
            Ok(Value::list(parts.into_iter().map(|p| parse(p, element)).collect::<Result<_, _>>()?))
        }
        _ => Err(ParseError::NoSyntax(ty.to_string())),
    }
}

/// Splits a text at commas outside of brackets, of which `opening` and `closing` are pairs.
pub fn split_items<'t>(text: &'t str, opening: &str, closing: &str) -> Vec<&'t str> {
    let mut depth = 0;
    let is_end = |c: char| {
        depth += i32::from(opening.contains(c)) - i32::from(closing.contains(c));
        c == ',' && depth == 0
    };
    text.split(is_end).map(str::trim).collect()
}

/// Splits a text at commas outside of brackets. A trailing comma adds no part.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = split_items(text, "([{", ")]}");
    parts.pop_if(|last| last.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlopt_dialects::bridge::program::Program;

    const TYPE: &str =
        r#"tuple<f64, !lambda.record<"P", u: tensor<2xf64>, v: i64>, !lambda.list<tuple<f64, i1>>, none>"#;

    /// Messages are in `test/tool/arguments.md`.
    #[test]
    fn values_are_written_flattened_and_put_together_again() {
        mlopt_lowering::register_passes();
        let program = Program::parse(b"module {}", "test").unwrap();
        let ty = program.module().context().parse_type(TYPE).unwrap();
        let written = "(1.5, P{u: [1. 2.], v: 3}, [(0.5, True), (2.5, False)], none)";
        let value = parse("(1.5, {v: 3, u: [1, 2]}, [(0.5, true), (2.5, false)], none)", ty).unwrap();
        assert_eq!(print(&value, numpy_print::str), written);
        let mut arrays = Vec::new();
        flatten(&value, ty, &mut arrays).unwrap();
        let shapes: Vec<&[usize]> = arrays.iter().map(Array::shape).collect();
        assert_eq!(shapes, [&[] as &[usize], &[2], &[], &[2], &[2]]);
        let again = assemble(ty, &mut arrays.into_iter()).unwrap();
        assert_eq!(print(&again, numpy_print::str), written);
    }
}
