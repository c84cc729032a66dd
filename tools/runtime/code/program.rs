//! Calls of compiled functions of data: arguments are laid out in memory as `lambda-to-llvm` defines, results are read
//! from memory, and all memory is freed. `tasks.rs` is the runtime during a call.
#![allow(unsafe_code)]

use super::jit::Jit;
use super::tasks::{self, Code, Site};
use mlopt_dialects::array::filled_in;
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::lambda::philox::State;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_dialects::with_data;
use mlopt_lowering::abi::{KERNEL, TRAPS};
use mlopt_lowering::data::lambda_to_llvm::{ENTRY, MISMATCHES, SITES, STOPS};
use mlopt_lowering::ir::{Attribute, Op, Type};
use mlopt_lowering::native::Error;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

pub use super::tasks::Console;
pub use mlopt_lowering::abi::shape::Shape;

/// A function of data that a lowered module exports, before its compilation.
#[derive(Clone, Debug)]
pub struct Export {
    name: String,
    symbol: String,
    text: String,
    inputs: Vec<Shape>,
    results: Vec<Shape>,
    stops: Vec<[String; 2]>,
    /// The positions in `stops` of the errors that sizes do not match.
    mismatches: Vec<i64>,
    /// The checks of the array functions that it calls, by name.
    kernels: BTreeMap<String, Vec<[String; 2]>>,
    pub(super) sites: Vec<Site>,
}

/// Returns the exported functions of data of a lowered module, by name.
pub fn exports(module: Op) -> BTreeMap<String, Export> {
    let pair = |a: Attribute| -> Option<[String; 2]> {
        let both: Vec<String> = a.as_array()?.into_iter().filter_map(Attribute::as_string).collect();
        both.try_into().ok()
    };
    let stops = module.attribute(STOPS).and_then(Attribute::as_array).unwrap_or_default();
    let stops: Vec<[String; 2]> = stops.into_iter().filter_map(pair).collect();
    let mismatches = module.attribute(MISMATCHES).and_then(Attribute::as_array).unwrap_or_default();
    let mismatches: Vec<i64> = mismatches.into_iter().filter_map(Attribute::as_i64).collect();
    let sites = sites(module);
    let checks = |op: &Op| {
        op.attribute(KERNEL)?;
        let traps = op.attribute(TRAPS).and_then(Attribute::as_array).unwrap_or_default();
        Some((op.symbol()?, traps.into_iter().filter_map(pair).collect()))
    };
    let kernels: BTreeMap<String, Vec<[String; 2]>> = module.child_ops().iter().filter_map(checks).collect();
    let mut all = BTreeMap::new();
    for op in module.child_ops() {
        let Some(ty) = op.attribute(ENTRY).and_then(Attribute::as_type) else { continue };
        let shapes = |types: Vec<Type>| types.into_iter().map(Shape::of).collect::<Option<Vec<_>>>();
        let (Some(symbol), Some((inputs, results))) = (op.symbol(), ty.signature()) else { continue };
        let (Some(inputs), Some(results)) = (shapes(inputs), shapes(results)) else { continue };
        let name = symbol.trim_end_matches(".entry").to_string();
        let export = Export {
            name: name.clone(),
            symbol,
            text: ty.to_string(),
            inputs,
            results,
            stops: stops.clone(),
            mismatches: mismatches.clone(),
            kernels: kernels.clone(),
            sites: sites.clone(),
        };
        all.insert(name, export);
    }
    all
}

/// Returns the position of the first op of a lowered program that uses tasks, input or output.
pub fn first_site(module: Op) -> Option<String> {
    sites(module).into_iter().next().map(|site| site.place)
}

fn sites(module: Op) -> Vec<Site> {
    let sites = module.attribute(SITES).and_then(Attribute::as_array).unwrap_or_default();
    sites.into_iter().filter_map(site).collect()
}

fn site(entry: Attribute) -> Option<Site> {
    let [place, op, ty] = entry.as_array()?.try_into().ok()?;
    let (inputs, results) = ty.as_type()?.signature()?;
    let values = inputs.into_iter().chain(results).map(Shape::of).collect::<Option<_>>()?;
    Some(Site { place: place.as_string()?, op: op.as_string()?, values })
}

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

impl Export {
    /// Returns the error of a status, with the values of its message.
    pub(super) fn stopped(&self, status: i64, values: &[u64]) -> Error {
        match usize::try_from(status - 1).ok().and_then(|k| self.stops.get(k)) {
            Some([place, name]) if place.is_empty() => {
                let traps = self.kernels.get(name.trim_start_matches('@'));
                let trap =
                    |traps: &Vec<[String; 2]>| traps.get(usize::try_from(-(values[0] as i64) - 1).ok()?).cloned();
                match traps.and_then(trap) {
                    Some([place, message]) => {
                        let values: Vec<i64> = values[1..].iter().map(|v| *v as i64).collect();
                        Error::Stopped { place, text: filled_in(&message, &values), is_mismatch: false }
                    }
                    None => self.no_memory(),
                }
            }
            Some([place, message]) => {
                let count = message.matches("{}").count();
                let values: Vec<i64> = values.iter().take(count).map(|v| *v as i64).collect();
                let is_mismatch = self.mismatches.contains(&(status - 1));
                Error::Stopped { place: place.clone(), text: filled_in(message, &values), is_mismatch }
            }
            None => self.no_memory(),
        }
    }

    fn no_memory(&self) -> Error {
        Error::TooLarge {
            function: self.name.clone(),
            bytes: "more".to_string(),
            what: " for its data".to_string(),
            bound: super::call::bound(),
        }
    }
}

/// The memory of arguments.
#[derive(Default)]
struct Objects(Vec<Box<[u64]>>);

impl Objects {
    fn keep(&mut self, words: Vec<u64>) -> u64 {
        self.0.push(words.into_boxed_slice());
        self.0.last().expect("just kept").as_ptr() as u64
    }

    /// Appends the words of a value. Returns `None` if the value does not have this shape.
    fn write(&mut self, value: &Value, shape: &Shape, words: &mut Vec<u64>) -> Option<()> {
        match (shape, value) {
            (Shape::Unit | Shape::Token, Value::Unit | Value::Token) => {}
            (Shape::Number(element), _) => {
                let x = value.as_array().filter(|x| x.element() == *element && x.rank() == 0)?;
                words.push(number_word(x.data()));
            }
            (Shape::Array(element, sizes), _) => {
                let x = value.as_array().filter(|x| x.element() == *element && x.rank() == sizes.len())?;
                if !sizes.iter().zip(x.shape()).all(|(want, have)| want.is_none_or(|n| n == *have)) {
                    return None;
                }
                let mut object: Vec<u64> = x.shape().iter().map(|n| *n as u64).collect();
                let mut room = vec![0u64; (x.data().len() * element.bytes()).div_ceil(8) + 1];
                object.extend_from_slice(bytes(x.data(), &mut room));
                words.push(self.keep(object));
            }
            (Shape::Random, Value::Rng(state)) => {
                words.extend([state.key, state.stream, state.block, u64::from(state.splits)]);
            }
            (Shape::Tuple(shapes), Value::Tuple(parts)) if shapes.len() == parts.len() => {
                for (shape, part) in shapes.iter().zip(parts.iter()) {
                    self.write(part, shape, words)?;
                }
            }
            (Shape::Record(name, shapes), Value::Record(names, parts)) if *name == names.record => {
                for (field, shape) in shapes {
                    let k = names.fields.iter().position(|f| f == field)?;
                    self.write(&parts[k], shape, words)?;
                }
            }
            (Shape::List(shape), Value::List(list)) => {
                let mut tail = 0;
                for item in list.iter().collect::<Vec<_>>().into_iter().rev() {
                    let mut cell = Vec::new();
                    self.write(item, shape, &mut cell)?;
                    cell.push(tail);
                    tail = self.keep(cell);
                }
                words.push(tail);
            }
            _ => return None,
        }
        Some(())
    }
}

/// Returns the word of a number.
pub(super) fn number_word(data: &Data) -> u64 {
    bytes(data, &mut vec![0u64; 1])[0]
}

/// Copies numbers into `room`, in their memory layout.
fn bytes<'r>(data: &Data, room: &'r mut Vec<u64>) -> &'r [u64] {
    with_data!(data, v => {
        let bytes = std::mem::size_of_val(v.as_slice());
        assert!(bytes <= 8 * room.len());
        // SAFETY: numbers have no padding, and `room` is large enough.
        unsafe { std::ptr::copy_nonoverlapping(v.as_ptr().cast::<u8>(), room.as_mut_ptr().cast::<u8>(), bytes) };
    });
    room
}

/// Reads a value of this shape from the next words.
///
/// # Safety
/// The words must be those of a value of this shape, and the memory that they refer to must be alive.
pub(super) unsafe fn read(shape: &Shape, words: &mut dyn Iterator<Item = u64>) -> Value {
    let mut next = || words.next().expect("a word for each part");
    match shape {
        Shape::Unit => Value::Unit,
        Shape::Token => Value::Token,
        Shape::Channel => Value::Chan(next() as usize),
        Shape::Task => Value::Task(next() as usize),
        Shape::Random => {
            let [key, stream, block] = [next(), next(), next()];
            Value::Rng(Rc::new(State { key, stream, block, splits: next() as u32 }))
        }
        Shape::Number(element) => {
            let word = next();
            // SAFETY: a number takes one word.
            Value::array(Array::new(vec![], unsafe { numbers(*element, (&raw const word).cast(), 1) }))
        }
        Shape::Array(element, sizes) => {
            let object = next() as *const u64;
            // SAFETY: an array is its sizes, then its elements.
            unsafe {
                let sizes: Vec<usize> = (0..sizes.len()).map(|k| *object.add(k) as usize).collect();
                let length = sizes.iter().product();
                let data = numbers(*element, object.add(sizes.len()).cast(), length);
                Value::array(Array::new(sizes, data))
            }
        }
        // SAFETY: guaranteed by the caller.
        Shape::Tuple(shapes) => Value::tuple(shapes.iter().map(|s| unsafe { read(s, words) }).collect()),
        Shape::Record(name, fields) => {
            // SAFETY: guaranteed by the caller.
            let values = fields.iter().map(|(f, s)| (f.as_str(), unsafe { read(s, words) })).collect();
            Value::record(name, values)
        }
        Shape::List(shape) => {
            let mut cell = next() as *const u64;
            let (width, mut values) = (shape.words(), Vec::new());
            while !cell.is_null() {
                // SAFETY: a cell is the parts of the head, then the tail.
                unsafe {
                    let mut words = (0..width).map(|k| *cell.add(k));
                    values.push(read(shape, &mut words));
                    cell = *cell.add(width) as *const u64;
                }
            }
            Value::list(values)
        }
    }
}

/// # Safety
/// `length` numbers must be stored at `at`.
unsafe fn numbers(element: Element, at: *const u8, length: usize) -> Data {
    let mut data = Data::zeros(element, length);
    with_data!(&mut data, v => {
        let bytes = std::mem::size_of_val(v.as_slice());
        // SAFETY: guaranteed by the caller; booleans are bytes that are 0 or 1.
        unsafe { std::ptr::copy_nonoverlapping(at, v.as_mut_ptr().cast::<u8>(), bytes) };
    });
    data
}
