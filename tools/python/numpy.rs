//! Arrays of NumPy: their fields, which take less time to read than their buffers, and new arrays.
#![allow(unsafe_code)]

use mlopt::Element;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::ffi::c_int;

/// The first fields of an array, `PyArrayObject_fields` of NumPy's headers. Extension modules read them without a call,
/// so that no version of NumPy changes them.
#[repr(C)]
struct Fields {
    head: ffi::PyObject,
    data: *mut u8,
    rank: c_int,
    sizes: *const isize,
    strides: *const isize,
    base: *mut ffi::PyObject,
    descr: *mut ffi::PyObject,
    flags: c_int,
}

/// Contiguous and row-major; aligned; writable.
const C_CONTIGUOUS: c_int = 0x1;
const ALIGNED: c_int = 0x100;
const WRITEABLE: c_int = 0x400;

/// The objects of NumPy that are used.
struct Objects {
    array: Py<PyAny>,
    empty: Py<PyAny>,
    /// The type of each element.
    types: Vec<(Element, Py<PyAny>)>,
}

fn objects(py: Python<'_>) -> PyResult<&Objects> {
    static OBJECTS: PyOnceLock<Objects> = PyOnceLock::new();
    OBJECTS.get_or_try_init(py, || {
        let numpy = py.import("numpy")?;
        // The package `ml_dtypes` defines `bfloat16`.
        let _ = py.import("ml_dtypes");
        let of = |element: &Element| -> PyResult<_> {
            Ok((*element, numpy.getattr("dtype")?.call1((dtype(*element),))?.unbind()))
        };
        Ok(Objects {
            array: numpy.getattr("ndarray")?.unbind(),
            empty: numpy.getattr("empty")?.unbind(),
            types: Element::ALL.iter().filter_map(|element| of(element).ok()).collect(),
        })
    })
}

/// Returns NumPy's name of a type of elements.
pub fn dtype(element: Element) -> &'static str {
    match element {
        Element::F16 => "float16",
        Element::BF16 => "bfloat16",
        Element::F64 => "float64",
        Element::F32 => "float32",
        Element::I1 => "bool",
        Element::I8 => "int8",
        Element::I16 => "int16",
        Element::I32 => "int32",
        Element::I64 | Element::Index => "int64",
    }
}

/// Returns a new array with undefined elements.
pub fn empty<'py>(py: Python<'py>, element: Element, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let objects = objects(py)?;
    let ty = objects.types.iter().find(|(known, _)| *known == element).map(|(_, ty)| ty);
    let missing = || PyTypeError::new_err(format!("NumPy has no type {}; install ml_dtypes", dtype(element)));
    let ty = ty.ok_or_else(missing)?;
    objects.empty.bind(py).call1((PyTuple::new(py, shape)?, ty))
}

/// Returns the address, the type and the sizes of an array of NumPy that is contiguous, row-major and aligned, and if
/// required writable. Returns `None` for other objects, and for arrays of other types. The sizes exist as long as the
/// object.
pub fn fields<'a>(object: &'a Bound<PyAny>, is_writable: bool) -> PyResult<Option<(*mut u8, Element, &'a [isize])>> {
    let objects = objects(object.py())?;
    if object.get_type_ptr().cast() != objects.array.as_ptr() {
        return Ok(None);
    }
    // SAFETY: an object of this type begins with these fields, and exists while it is borrowed.
    let array = unsafe { &*object.as_ptr().cast::<Fields>() };
    let needed = C_CONTIGUOUS | ALIGNED | if is_writable { WRITEABLE } else { 0 };
    if array.flags & needed != needed {
        return Ok(None);
    }
    // `index` has the type of `i64`.
    let of = |(element, ty): &&(Element, Py<PyAny>)| *element != Element::Index && ty.as_ptr() == array.descr;
    let Some((element, _)) = objects.types.iter().find(of) else { return Ok(None) };
    let rank = usize::try_from(array.rank).unwrap_or(0);
    // SAFETY: an array has `rank` sizes; without axes they may be null.
    let sizes = if rank == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(array.sizes, rank) } };
    Ok(Some((array.data, *element, sizes)))
}
