//! Values of functional programs in memory, in the layout that `lambda-to-llvm` defines.
#![allow(unsafe_code)]

use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::lambda::philox::State;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_dialects::with_data;
use mlopt_lowering::abi::shape::Shape;
use std::rc::Rc;

/// The memory of arguments.
#[derive(Default)]
pub struct Objects(Vec<Box<[u64]>>);

impl Objects {
    fn keep(&mut self, words: Vec<u64>) -> u64 {
        self.0.push(words.into_boxed_slice());
        self.0.last().expect("just kept").as_ptr() as u64
    }

    /// Appends the words of a value. Returns `None` if the value does not have this shape.
    pub fn write(&mut self, value: &Value, shape: &Shape, words: &mut Vec<u64>) -> Option<()> {
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
pub fn number_word(data: &Data) -> u64 {
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
pub unsafe fn read(shape: &Shape, words: &mut dyn Iterator<Item = u64>) -> Value {
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
