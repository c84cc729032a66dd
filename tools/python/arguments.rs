//! Arguments and results of calls as memory.

use crate::buffer::Memory;
use crate::errors::wrong_argument;
use crate::numpy;
use mlopt::{Element, TensorType};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};
use smallvec::SmallVec;
use std::ops::Range;

/// An argument or result in memory.
pub enum Argument {
    /// A number of Python, or the memory of a result that becomes one.
    Number(u64),
    /// The elements of an array of NumPy, which exists as long as the caller keeps it.
    Array(*mut u8),
    /// The memory of another object, contiguous and row-major.
    Memory(Box<Memory>),
    /// A copy of an array that compiled code cannot read in place.
    Copy(Vec<u64>),
}

/// The sizes of arrays, outermost first, one array after the other.
pub type Sizes = SmallVec<[usize; 8]>;

/// The position of an argument or result, for messages.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub function: &'a str,
    pub position: usize,
    pub is_result: bool,
}

impl Argument {
    /// Reads an argument of a type, and appends its sizes. The caller keeps the object as long as the argument.
    pub fn read(object: &Bound<PyAny>, ty: &TensorType, place: Place, sizes: &mut Sizes) -> PyResult<Argument> {
        if ty.shape.is_empty()
            && let Some(number) = number(object, ty, place)?
        {
            return Ok(Argument::Number(number));
        }
        // Truth values of NumPy can have other bytes than 0 and 1.
        if ty.element != Element::I1
            && let Some(array) = Argument::array(object, ty, false, sizes)?
        {
            return Ok(array);
        }
        let memory = Argument::memory(object, ty, place)?;
        sizes.extend_from_slice(&memory.shape);
        if memory.is_readable() {
            return Ok(Argument::Memory(memory));
        }
        Ok(Argument::Copy(memory.to_row_major(object.py())?))
    }

    /// Returns the memory of an array for a result of a type, and appends its sizes. The caller keeps the object.
    pub fn output(object: &Bound<PyAny>, ty: &TensorType, place: Place, sizes: &mut Sizes) -> PyResult<Argument> {
        if let Some(array) = Argument::array(object, ty, true, sizes)? {
            return Ok(array);
        }
        let memory = Argument::memory(object, ty, place)?;
        if !memory.is_contiguous {
            let text = "the memory of a result must be contiguous and row-major";
            return Err(wrong_argument(object.py(), format!("{}: {text}", place.text())));
        }
        sizes.extend_from_slice(&memory.shape);
        Ok(Argument::Memory(memory))
    }

    /// Returns an array of NumPy of a type, if it can be used in place.
    fn array(object: &Bound<PyAny>, ty: &TensorType, is_result: bool, sizes: &mut Sizes) -> PyResult<Option<Argument>> {
        Ok(numpy::fields_of(object, ty.element, is_result)?.filter(|(_, shape)| has_shape(ty, shape)).map(
            |(start, shape)| {
                sizes.extend_from_slice(shape);
                Argument::Array(start)
            },
        ))
    }

    fn memory(object: &Bound<PyAny>, ty: &TensorType, place: Place) -> PyResult<Box<Memory>> {
        let py = object.py();
        let memory = Memory::of(object, place.is_result).map_err(|error| {
            let expected = if place.is_result { "a writable array" } else { "an array" };
            wrong_argument(py, format!("{} must be {expected} `{ty}`: {}", place.text(), error.value(py)))
        })?;
        let Some(memory) = memory else {
            let class = object.get_type().name()?.to_string();
            // The memory of results is taken by the buffer protocol only.
            let lacks = if place.is_result { "no writable buffer" } else { "neither a buffer nor `__dlpack__`" };
            return Err(mismatch(py, ty, place, &format!("`{class}`, which has {lacks}")));
        };
        let found = match &memory.element {
            Ok(element) if accepts(ty, *element, &memory.shape) => return Ok(memory),
            Ok(element) => {
                let shape = memory.shape.iter().copied().map(Some).collect();
                format!("`{}`", TensorType { element: *element, shape })
            }
            Err(text) => format!("an array of {text}"),
        };
        Err(mismatch(py, ty, place, &found))
    }

    /// The address of the first element. That of a number is valid while this does not move.
    pub fn address(&mut self) -> *mut u8 {
        match self {
            Argument::Number(bits) => std::ptr::from_mut(bits).cast(),
            Argument::Array(start) => *start,
            Argument::Memory(memory) => memory.start,
            Argument::Copy(copy) => copy.as_mut_ptr().cast(),
        }
    }

    /// The addresses of the memory of an object, which has a number of bytes.
    pub fn range(&self, bytes: usize) -> Option<Range<usize>> {
        let start = match self {
            Argument::Array(start) => start.addr(),
            Argument::Memory(memory) => memory.start.addr(),
            Argument::Number(_) | Argument::Copy(_) => return None,
        };
        (bytes > 0).then(|| start..start + bytes)
    }
}

/// Returns the shape of each array from the sizes of arrays of these types.
pub fn shapes<'a>(types: &'a [TensorType], mut sizes: &'a [usize]) -> impl Iterator<Item = &'a [usize]> {
    types.iter().map(move |ty| sizes.split_off(..ty.shape.len()).expect("there are sizes for all types"))
}

impl Place<'_> {
    pub fn text(self) -> String {
        let what = if self.is_result { "the memory of result" } else { "argument" };
        format!("{what} #{} of `@{}`", self.position, self.function)
    }
}

#[cold]
fn mismatch(py: Python, ty: &TensorType, place: Place, found: &str) -> PyErr {
    wrong_argument(py, format!("{} must be `{ty}`, found {found}", place.text()))
}

fn accepts(ty: &TensorType, element: Element, shape: &[usize]) -> bool {
    let word = |element| if element == Element::Index { Element::I64 } else { element };
    word(ty.element) == word(element) && has_shape(ty, shape)
}

fn has_shape(ty: &TensorType, shape: &[usize]) -> bool {
    ty.shape.len() == shape.len() && ty.shape.iter().zip(shape).all(|(want, have)| want.is_none_or(|n| n == *have))
}

/// Returns the bits of a number of Python, from the lowest on; `None` if the object is another one.
fn number(object: &Bound<PyAny>, ty: &TensorType, place: Place) -> PyResult<Option<u64>> {
    let py = object.py();
    if let Ok(x) = object.cast::<PyFloat>() {
        return match ty.element.is_float() {
            true => Ok(Some(ty.element.to_bits(x.value()))),
            false => Err(mismatch(py, ty, place, "a float")),
        };
    }
    if ty.element == Element::I1 {
        return Ok(object.cast::<PyBool>().ok().map(|x| x.is_true().into()));
    }
    let Ok(x) = object.cast::<PyInt>() else { return Ok(None) };
    if ty.element.is_float() {
        return Ok(Some(ty.element.to_bits(x.extract()?)));
    }
    let (least, most) = ty.element.range();
    match x.extract::<i64>() {
        Ok(x) if (least..=most).contains(&x) => Ok(Some(x as u64)),
        _ => Err(mismatch(py, ty, place, &format!("{x}, which is not in its range"))),
    }
}

/// Returns a number in memory as an object of Python; the bits above its type are ignored.
pub fn to_number(py: Python, bits: u64, element: Element) -> PyResult<Py<PyAny>> {
    match element {
        _ if element.is_float() => element.of_bits(bits).into_py_any(py),
        Element::I1 => (bits & 0xff != 0).into_py_any(py),
        _ => element.wrap(bits as i64).into_py_any(py),
    }
}
