//! The protocols through which Python's objects show their memory: the buffer protocol and DLPack.
#![allow(unsafe_code)]

use crate::errors::{Problem, failed, raised, wrong_argument};
use crate::numpy;
use mlopt::{DlTensor, Element, ErrorKind};
use mlopt_runtime::{blocks, truth};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::ffi::{CStr, c_int, c_void};

/// An array in the memory of an object, which keeps it as long as this exists.
pub struct Memory {
    pub start: *mut u8,
    /// The format of the buffer protocol, or the type of DLPack, as a text for messages.
    pub element: Result<Element, String>,
    pub shape: Shape,
    /// True if the elements are aligned and contiguous, in row-major order.
    pub is_contiguous: bool,
    owner: Owner,
}

/// The managed tensor of DLPack from version 1.0 on.
#[repr(C)]
struct Versioned {
    _version: [u32; 2],
    _manager: *mut c_void,
    _deleter: *mut c_void,
    _flags: u64,
    tensor: DlTensor,
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
        // Some exporters ignore flags: `ctypes` has no strides for arrays, which are contiguous.
        if is_result && view.readonly != 0 {
            return Err(PyBufferError::new_err("the buffer is read-only"));
        }
        let (rank, size) = (usize::try_from(view.ndim).unwrap_or(0), view.itemsize);
        let length = [if size > 0 { view.len / size } else { 0 }];
        let shape: &[isize] = match rank {
            0 => &[],
            1 if view.shape.is_null() => &length,
            _ if view.shape.is_null() => return Err(PyBufferError::new_err("the buffer has no sizes")),
            // SAFETY: the sizes of a view are null or `ndim` numbers.
            _ => unsafe { std::slice::from_raw_parts(view.shape, rank) },
        };
        let mut next = size;
        let is_dense = view.suboffsets.is_null()
            && (rank == 0 || view.strides.is_null() || shape.contains(&0) || {
                // SAFETY: the strides of a view are null or `ndim` numbers.
                let strides = unsafe { std::slice::from_raw_parts(view.strides, rank) };
                shape.iter().zip(strides).rev().all(|(n, stride)| {
                    let fits = *n == 1 || *stride == next;
                    next *= n;
                    fits
                })
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
            return Err(PyBufferError::new_err(text));
        }
        // Versions before 1.0 of the protocol do not know the argument, and export no array that is read-only.
        let version = PyDict::new(object.py());
        version.set_item("max_version", (1, 0))?;
        let capsule = match object.call_method("__dlpack__", (), Some(&version)) {
            Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => object.call_method0("__dlpack__")?,
            found => found?,
        };
        let tensor = tensor_of(capsule.cast::<PyCapsule>()?)?;
        let mut memory = Box::new(Memory {
            start: std::ptr::null_mut(),
            element: tensor.element().map_err(|_| name_of(&tensor)),
            shape: Shape::new(),
            is_contiguous: false,
            owner: Owner::Capsule { _capsule: capsule.unbind(), tensor: Box::new(tensor) },
        });
        if memory.element.is_ok() {
            // SAFETY: the capsule exists, and its owner does not write to the memory during the call.
            let view = unsafe { tensor.view() }.map_err(|error| PyBufferError::new_err(text_of(&error)))?;
            memory.start = view.as_ptr().cast_mut();
            memory.shape = view.shape().into();
            let is_aligned = memory.start.addr().is_multiple_of(view.element().bytes());
            memory.is_contiguous = view.strides().is_none() && is_aligned;
        }
        Ok(Some(memory))
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
        truth::are_canonical(bytes)
    }

    /// Returns a copy of the elements in row-major order, with truth values as 0 or 1. It may be larger than the
    /// memory: strides may be 0.
    pub fn to_row_major(&self, py: Python) -> PyResult<Vec<u64>> {
        let element = match &self.element {
            Ok(element) => element,
            Err(text) => return Err(wrong_argument(py, text.clone())),
        };
        let sizes = self.shape.iter().try_fold(element.bytes(), |bytes, size| bytes.checked_mul(*size));
        let reserved = sizes.and_then(|bytes| {
            let copy = blocks::allocated(|| {
                let mut copy: Vec<u64> = vec![];
                copy.try_reserve_exact(bytes.div_ceil(8)).ok().map(|()| copy)
            });
            Some((bytes, copy?))
        });
        let Some((bytes, mut copy)) = reserved else {
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
            // SAFETY: the copy has at least this number of bytes.
            truth::canonicalize(unsafe { std::slice::from_raw_parts_mut(copy.as_mut_ptr().cast(), bytes) });
        }
        Ok(copy)
    }
}

/// Returns the tensor of a capsule of DLPack. The capsule is not renamed, so it destroys the tensor when it is dropped.
fn tensor_of(capsule: &Bound<PyCapsule>) -> PyResult<DlTensor> {
    let Ok(pointer) = capsule.pointer_checked(Some(c"dltensor_versioned")) else {
        let pointer = capsule.pointer_checked(Some(c"dltensor"))?;
        // SAFETY: a capsule of this name points to a managed tensor, which begins with the tensor.
        return Ok(unsafe { *pointer.cast::<DlTensor>().as_ref() });
    };
    // SAFETY: a capsule of this name points to a managed tensor, which begins with its version in all versions.
    let major = unsafe { *pointer.cast::<u32>().as_ref() };
    if major != 1 {
        return Err(PyBufferError::new_err(format!("expected version 1 of DLPack, found {major}")));
    }
    // SAFETY: the version has these fields.
    Ok(unsafe { pointer.cast::<Versioned>().as_ref() }.tensor)
}

/// Returns the message of an error, without its severity.
fn text_of(error: &mlopt::Error) -> String {
    error.diagnostics().iter().map(|diagnostic| diagnostic.text.as_str()).collect::<Vec<_>>().join("; ")
}

/// Returns the name of elements that compiled code has not.
fn name_of(tensor: &DlTensor) -> String {
    match (tensor.code, tensor.bits, tensor.lanes) {
        (1, bits, 1) => format!("uint{bits}"),
        (5, bits, 1) => format!("complex{bits}"),
        (code, bits, lanes) => format!("elements of DLPack's type code {code}, {bits} bits, {lanes} lanes"),
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
