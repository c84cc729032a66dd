//! Calls of compiled functions of data: arguments are written to memory, results are read from memory (`data.rs`), and
//! all memory is freed. During a call, `tasks.rs` is the runtime.
#![allow(unsafe_code)]

use super::data::{Objects, read};
use super::exports::Export;
use super::jit::Jit;
use super::tasks::{self, Code};
use mlopt_dialects::lambda::eval::Value;
use mlopt_lowering::abi::shape::Shape;
use mlopt_lowering::native::Error;
use std::sync::Arc;

pub use super::tasks::Console;

/// A compiled function of data.
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
