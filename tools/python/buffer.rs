//! The protocols through which Python's objects show their memory: the buffer protocol and DLPack.
#![allow(unsafe_code)]

use crate::errors::{Problem, failed, raised, wrong_argument};
use crate::numpy;
use mlopt::{DlTensor, Element, ErrorKind};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, c_int};

/// An array in the memory of an object, which keeps it as long as this exists.
pub struct Memory {
    pub start: *mut u8,
    /// The format of the buffer protocol, or the type of DLPack, as a text for messages.
    pub element: Result<Element, String>,
    pub shape: Shape,
    /// True if the elements are contiguous, in row-major order.
    pub is_contiguous: bool,
    owner: Owner,
}

/// Sizes, outermost first.
pub type Shape = smallvec::SmallVec<[usize; 4]>;

enum Owner {
    Array {
        _object: Py<PyAny>,
    },
    /// A view of the buffer protocol, which may refer to its own fields.
    Buffer(Box<ffi::Py_buffer>),
    Capsule {
        _capsule: Py<PyAny>,
        tensor: Box<DlTensor>,
    },
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Owner::Buffer(view) = &mut self.owner {
            // SAFETY: the view was filled by `PyObject_GetBuffer` or is empty, is released once, and the interpreter is
            // locked: this type is created and dropped by functions that have a `Python`.
            unsafe { ffi::PyBuffer_Release(&raw mut **view) }
        }
    }
}

impl Memory {
    /// Returns the memory of an object, or `None` if it shows none. For results it must be writable.
    pub fn of(object: &Bound<PyAny>, is_result: bool) -> PyResult<Option<Box<Memory>>> {
        if let Some((start, element, sizes)) = numpy::fields(object, is_result)? {
            let shape = sizes.into();
            let owner = Owner::Array { _object: object.clone().unbind() };
            return Ok(Some(Box::new(Memory { start, element: Ok(element), shape, is_contiguous: true, owner })));
        }
        // SAFETY: the object is alive.
        if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0 {
            match Memory::of_buffer(object, is_result) {
                // Some objects have a buffer only for some of their elements.
                Err(_) if !is_result && object.hasattr("__dlpack__")? => {}
                found => return found.map(Some),
            }
        }
        Memory::of_dlpack(object, is_result)
    }

    fn of_buffer(object: &Bound<PyAny>, is_result: bool) -> PyResult<Box<Memory>> {
        let mut memory = Box::new(Memory {
            start: std::ptr::null_mut(),
            element: Err(String::new()),
            shape: Shape::new(),
            is_contiguous: false,
            owner: Owner::Buffer(Box::new(ffi::Py_buffer::new())),
        });
        let Owner::Buffer(view) = &mut memory.owner else { unreachable!("it is one") };
        let writable = if is_result { ffi::PyBUF_WRITABLE } else { 0 };
        let flags: c_int = ffi::PyBUF_STRIDES | ffi::PyBUF_FORMAT | writable;
        // SAFETY: the object is alive, and the view is empty and does not move.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut **view, flags) } != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        let rank = usize::try_from(view.ndim).unwrap_or(0);
        let (shape, strides): (&[isize], &[isize]) = match rank {
            0 => (&[], &[]),
            // SAFETY: a view that was asked for with strides has `ndim` sizes and strides.
            _ => unsafe {
                (std::slice::from_raw_parts(view.shape, rank), std::slice::from_raw_parts(view.strides, rank))
            },
        };
        let size = view.itemsize;
        let mut next = size;
        let is_dense = shape.contains(&0)
            || shape.iter().zip(strides).rev().all(|(n, stride)| {
                let fits = *n == 1 || *stride == next;
                next *= n;
                fits
            });
        // SAFETY: a format is null or a text that ends in zero.
        let format = if view.format.is_null() { c"B" } else { unsafe { CStr::from_ptr(view.format) } };
        memory.element = element_of(format, size);
        memory.start = view.buf.cast();
        memory.shape = shape.iter().map(|n| n.unsigned_abs()).collect();
        memory.is_contiguous = is_dense && size > 0 && memory.start.addr().is_multiple_of(size.unsigned_abs());
        Ok(memory)
    }

    fn of_dlpack(object: &Bound<PyAny>, is_result: bool) -> PyResult<Option<Box<Memory>>> {
        if is_result || !object.hasattr("__dlpack__")? {
            return Ok(None);
        }
        let (device, _): (i32, i64) = object.call_method0("__dlpack_device__")?.extract()?;
        const CPU: i32 = 1;
        if device != CPU {
            let text = format!("an array must be in the memory of the CPU, found one on DLPack's device {device}");
            return Err(wrong_argument(object.py(), text));
        }
        let capsule = object.call_method0("__dlpack__")?;
        let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(c"dltensor"))?;
        // SAFETY: a capsule of this name points to a managed tensor, which begins with the tensor. The capsule is not
        // renamed, so it destroys the tensor when it is dropped.
        let tensor: DlTensor = unsafe { *pointer.cast::<DlTensor>().as_ref() };
        let rank = usize::try_from(tensor.ndim).unwrap_or(0);
        // SAFETY: a tensor has `ndim` sizes; without axes they may be null.
        let sizes: &[i64] = if rank == 0 { &[] } else { unsafe { std::slice::from_raw_parts(tensor.shape, rank) } };
        // SAFETY: the capsule exists, and its owner does not write to the memory during the call.
        let view = unsafe { tensor.view() };
        let (element, is_contiguous) = match view {
            Ok(view) => (Ok(view.element()), view.strides().is_none()),
            Err(error) => (Err(error.to_string()), true),
        };
        Ok(Some(Box::new(Memory {
            start: tensor.data.cast::<u8>().wrapping_add(tensor.byte_offset as usize),
            element,
            shape: sizes.iter().map(|n| *n as usize).collect(),
            is_contiguous,
            owner: Owner::Capsule { _capsule: capsule.unbind(), tensor: Box::new(tensor) },
        })))
    }

    /// Checks whether compiled code can read the array in place: it is contiguous, and truth values are 0 or 1, which
    /// NumPy does not guarantee for views of other arrays.
    pub fn is_readable(&self) -> bool {
        if !self.is_contiguous || self.element != Ok(Element::I1) {
            return self.is_contiguous;
        }
        let bytes = self.shape.iter().product();
        // SAFETY: the array is contiguous and has this number of elements of one byte, so its address is not null.
        let bytes = if bytes == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(self.start, bytes) } };
        bytes.iter().fold(0, |all, byte| all | byte) <= 1
    }

    /// Returns a copy of the elements in row-major order, with truth values as 0 or 1. It may be larger than the
    /// memory: strides may be 0.
    pub fn to_row_major(&self, py: Python) -> PyResult<Vec<u64>> {
        let element = match &self.element {
            Ok(element) => element,
            Err(text) => return Err(wrong_argument(py, text.clone())),
        };
        let sizes = self.shape.iter().try_fold(element.bytes(), |bytes, size| bytes.checked_mul(*size));
        let mut copy = vec![];
        let reserved = sizes.and_then(|bytes| copy.try_reserve_exact(bytes.div_ceil(8)).ok().map(|()| bytes));
        let Some(bytes) = reserved else {
            let text = format!("expected memory for a copy of an argument of shape {:?}, found less", &self.shape[..]);
            return Err(failed(py, ErrorKind::Memory, Problem::new("", text)));
        };
        copy.resize(bytes.div_ceil(8), 0_u64);
        match &self.owner {
            Owner::Buffer(view) => {
                // SAFETY: the view is valid, and the copy has its number of bytes.
                let status = unsafe {
                    let view = std::ptr::from_ref(&**view).cast_mut();
                    ffi::PyBuffer_ToContiguous(copy.as_mut_ptr().cast(), view, bytes as isize, b'C' as _)
                };
                if status != 0 {
                    return Err(
                        PyErr::take(py).unwrap_or_else(|| PyBufferError::new_err("the copy of a buffer failed"))
                    );
                }
            }
            Owner::Array { .. } => {
                // SAFETY: the array exists, is contiguous, and has this number of bytes.
                unsafe { std::ptr::copy_nonoverlapping(self.start.cast_const(), copy.as_mut_ptr().cast(), bytes) };
            }
            Owner::Capsule { tensor, .. } => {
                // SAFETY: the capsule exists.
                let tensor = unsafe { tensor.view() }.map_err(raised)?.try_to_tensor().map_err(raised)?;
                // SAFETY: both have this number of bytes.
                unsafe { std::ptr::copy_nonoverlapping(tensor.view().as_ptr(), copy.as_mut_ptr().cast(), bytes) };
            }
        }
        if *element == Element::I1 {
            copy.iter_mut()
                .for_each(|word| *word = u64::from_ne_bytes(word.to_ne_bytes().map(|byte| (byte != 0).into())));
        }
        Ok(copy)
    }
}

/// Returns the type of elements of a buffer, or its format.
fn element_of(format: &CStr, size: isize) -> Result<Element, String> {
    let bytes = format.to_bytes();
    // `@` and `=` are the order of this machine, which is `<`.
    let code = match bytes {
        [b'@' | b'=' | b'<', code] | [code] => *code,
        _ => 0,
    };
    match (code, size) {
        (b'd', 8) => Ok(Element::F64),
        (b'f', 4) => Ok(Element::F32),
        (b'b', 1) => Ok(Element::I8),
        (b'h', 2) => Ok(Element::I16),
        (b'e', 2) => Ok(Element::F16),
        (b'i' | b'l', 4) => Ok(Element::I32),
        (b'l' | b'q' | b'n', 8) => Ok(Element::I64),
        (b'?', 1) => Ok(Element::I1),
        _ => Err(match (code, size) {
            (b'B' | b'H' | b'I' | b'L' | b'Q' | b'N', _) => format!("uint{}", 8 * size),
            _ if bytes.starts_with(b"Z") => format!("complex{}", 8 * size),
            _ => format!("elements of format `{}`", format.to_string_lossy()),
        }),
    }
}
