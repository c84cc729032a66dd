//! Calls of compiled functions of data: arguments are written to memory, results are read from memory (`data.rs`), and
//! all memory is freed. During a call, `tasks.rs` is the runtime.
#![allow(unsafe_code)]

use super::data::{Objects, read};
use super::exports::Export;
use super::jit::Jit;
use super::tasks::{self, Code};
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::value::Array;
use mlopt_lowering::abi::shape::Shape;
use mlopt_lowering::native::{Error, ValueType};
use std::sync::Arc;

pub use super::tasks::Console;

/// A compiled function of data.
#[derive(Clone)]
pub struct Program {
    export: Arc<Export>,
    code: usize,
    /// Keeps the code mapped.
    _jit: Arc<Jit>,
}

impl Program {
    pub(super) fn new(export: Export, jit: Arc<Jit>) -> Result<Program, Error> {
        let code = jit.address(&export.symbol)?;
        Ok(Program { export: Arc::new(export), code, _jit: jit })
    }

    pub fn name(&self) -> &str {
        &self.export.name
    }

    /// Returns the types of the numbers and arrays of which the arguments and results consist. Returns `None` if they
    /// contain values that are not a fixed number of arrays, such as lists.
    pub fn types(&self) -> Option<(Vec<ValueType>, Vec<ValueType>)> {
        let types = |shapes: &[Shape]| {
            let mut found = vec![];
            shapes.iter().try_for_each(|shape| leaves(shape, &mut found)).map(|()| found)
        };
        Some((types(&self.export.inputs)?, types(&self.export.results)?))
    }

    /// Calls the function with the numbers and arrays of which its arguments consist, as in [`Program::types`], and
    /// returns those of its results.
    ///
    /// # Errors
    /// As for [`Program::call`].
    pub fn call_arrays(&self, arrays: &[Array]) -> Result<Vec<Array>, Error> {
        let mut parts = arrays.iter();
        let arguments = self.export.inputs.iter().map(|shape| value(shape, &mut parts)).collect::<Option<Vec<_>>>();
        let wrong = || Error::Internal(format!("expected the parts of the arguments of `@{}`", self.name()));
        let results = self.call(&arguments.ok_or_else(wrong)?)?;
        let mut found = vec![];
        results.iter().for_each(|value| parts_of(value, &mut found));
        Ok(found)
    }

    /// Calls the function on a separate stack that suffices for deep recursion, and waits for all tasks that it starts.
    /// Uses the standard input and output.
    ///
    /// # Errors
    /// The arguments have other types; the program stops, with its position; memory is exhausted.
    pub fn call(&self, arguments: &[Value]) -> Result<Vec<Value>, Error> {
        self.call_with(arguments, Arc::new(Console::standard()))
    }

    /// Calls the function with other input and output.
    ///
    /// # Errors
    /// As for [`Program::call`].
    pub fn call_with(&self, arguments: &[Value], console: Arc<Console>) -> Result<Vec<Value>, Error> {
        let Export { name, inputs, results, .. } = &*self.export;
        let (expected, found) = (inputs.len(), arguments.len());
        if expected != found {
            return Err(Error::ArgumentCount { function: name.clone(), expected, found });
        }
        let (mut words, mut objects) = (Vec::new(), Objects::default());
        for (position, (value, shape)) in arguments.iter().zip(inputs).enumerate() {
            objects.write(value, shape, &mut words).ok_or_else(|| Error::ArgumentType {
                function: name.clone(),
                position,
                expected: self.export.text.clone(),
                found: value.kind(),
            })?;
        }
        let width = results.iter().map(Shape::words).sum();
        // SAFETY: `code` is `@f.entry` in `self._jit`; `words` has a word for each part of the arguments, whose data is
        // in `objects`.
        let (words, memory) = unsafe {
            let code = std::mem::transmute::<usize, Code>(self.code);
            tasks::call(&self.export, console, code, (words, width))?
        };
        let mut words = words.into_iter();
        // SAFETY: the code has written these words, and the memory that they refer to lives as long as `memory` and
        // `objects`.
        let values = results.iter().map(|shape| unsafe { read(shape, &mut words) }).collect();
        drop(memory);
        drop(objects);
        Ok(values)
    }
}

/// Appends the types of the numbers and arrays of a value. Returns `None` if it is not a fixed number of them.
fn leaves(shape: &Shape, found: &mut Vec<ValueType>) -> Option<()> {
    match shape {
        Shape::Unit | Shape::Token => {}
        Shape::Number(element) => found.push(ValueType { element: *element, shape: vec![] }),
        Shape::Array(element, sizes) => found.push(ValueType { element: *element, shape: sizes.clone() }),
        Shape::Tuple(shapes) => shapes.iter().try_for_each(|shape| leaves(shape, found))?,
        Shape::Record(_, fields) => fields.iter().try_for_each(|(_, shape)| leaves(shape, found))?,
        Shape::List(_) | Shape::Random | Shape::Channel | Shape::Task => return None,
    }
    Some(())
}

/// Builds a value from its numbers and arrays.
fn value<'a>(shape: &Shape, parts: &mut impl Iterator<Item = &'a Array>) -> Option<Value> {
    Some(match shape {
        Shape::Unit => Value::Unit,
        Shape::Token => Value::Token,
        Shape::Number(_) | Shape::Array(..) => Value::array(parts.next()?.clone()),
        Shape::Tuple(shapes) => Value::tuple(shapes.iter().map(|shape| value(shape, parts)).collect::<Option<_>>()?),
        Shape::Record(name, fields) => {
            let field = |(field, shape): &'_ (String, Shape)| Some((field.clone(), value(shape, parts)?));
            let fields = fields.iter().map(field).collect::<Option<Vec<_>>>()?;
            Value::record(name, fields.iter().map(|(field, value)| (field.as_str(), value.clone())).collect())
        }
        Shape::List(_) | Shape::Random | Shape::Channel | Shape::Task => return None,
    })
}

/// Appends the numbers and arrays of a value.
fn parts_of(value: &Value, found: &mut Vec<Array>) {
    match value {
        Value::Tuple(parts) | Value::Record(_, parts) => parts.iter().for_each(|part| parts_of(part, found)),
        other => found.extend(other.as_array().map(|array| Array::clone(&array))),
    }
}
