//! Arrays of NumPy: their fields, which take less time to read than their buffers, and new arrays, by NumPy's interface
//! for C.
#![allow(unsafe_code)]

use ::numpy::PY_ARRAY_API;
use ::numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, PyArrayObject};
use mlopt::Element;
use mlopt_runtime::blocks;
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use smallvec::SmallVec;
use std::ptr::null_mut;

/// The objects of NumPy that are used.
struct Objects {
    array: Py<PyAny>,
    /// The type of each element, in the order of the elements; `None` where NumPy has none.
    types: Vec<Option<Py<PyAny>>>,
}

fn objects(py: Python<'_>) -> PyResult<&Objects> {
    static OBJECTS: PyOnceLock<Objects> = PyOnceLock::new();
    OBJECTS.get_or_try_init(py, || {
        let numpy = py.import("numpy")?;
        // The package `ml_dtypes` defines `bfloat16`.
        let _ = py.import("ml_dtypes");
        let ty = numpy.getattr("dtype")?;
        Ok(Objects {
            array: numpy.getattr("ndarray")?.unbind(),
            types: Element::ALL.iter().map(|element| ty.call1((dtype(*element),)).ok().map(Bound::unbind)).collect(),
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

/// Returns a new array with undefined elements, and their address.
pub fn empty<'py>(py: Python<'py>, element: Element, shape: &[usize]) -> PyResult<(Bound<'py, PyAny>, *mut u8)> {
    let objects = objects(py)?;
    let missing = || PyTypeError::new_err(format!("NumPy has no type {}; install ml_dtypes", dtype(element)));
    let ty = objects.types[element as usize].as_ref().ok_or_else(missing)?;
    match new_array(py, objects, ty, shape) {
        Err(error) if error.is_instance_of::<PyMemoryError>(py) => {
            blocks::release();
            new_array(py, objects, ty, shape)
        }
        found => found,
    }
}

fn new_array<'py>(
    py: Python<'py>,
    objects: &Objects,
    ty: &Py<PyAny>,
    shape: &[usize],
) -> PyResult<(Bound<'py, PyAny>, *mut u8)> {
    let mut sizes: SmallVec<[isize; 4]> = shape.iter().map(|size| size.cast_signed()).collect();
    // SAFETY: the class and the type are objects of NumPy, and there are as many sizes as axes. Without an address and
    // an owner, the array has memory of its own. The call takes over one reference to the type. An object of this class
    // begins with these fields.
    unsafe {
        let (class, ty) = (objects.array.as_ptr().cast(), ty.clone_ref(py).into_ptr().cast());
        let (rank, sizes) = (shape.len() as i32, sizes.as_mut_ptr());
        let array =
            PY_ARRAY_API.PyArray_NewFromDescr(py, class, ty, rank, sizes, null_mut(), null_mut(), 0, null_mut());
        let array = Bound::from_owned_ptr_or_err(py, array)?;
        let start = (*array.as_ptr().cast::<PyArrayObject>()).fields.data;
        Ok((array, start.cast()))
    }
}

/// Returns a new array with elements from memory.
///
/// # Panics
/// The bytes are not those of an array of this type and shape.
pub fn array<'py>(py: Python<'py>, element: Element, shape: &[usize], bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    assert_eq!(bytes.len(), shape.iter().product::<usize>() * element.bytes());
    let (array, start) = empty(py, element, shape)?;
    // SAFETY: the new array has this number of bytes.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start, bytes.len()) };
    Ok(array)
}

/// Returns the address, the type and the sizes of an array of NumPy that is contiguous, row-major and aligned, and if
/// required writable. Returns `None` for other objects, and for arrays of other types. The sizes exist as long as the
/// object.
pub fn fields<'a>(object: &'a Bound<PyAny>, is_writable: bool) -> PyResult<Option<(*mut u8, Element, &'a [usize])>> {
    // `index` has the type of `i64`.
    for element in Element::ALL.iter().filter(|element| **element != Element::Index) {
        if let Some((start, sizes)) = fields_of(object, *element, is_writable)? {
            return Ok(Some((start, *element, sizes)));
        }
    }
    Ok(None)
}

/// Returns the address and the sizes of an array of NumPy, as [`fields`], if it has this type.
pub fn fields_of<'a>(
    object: &'a Bound<PyAny>,
    element: Element,
    is_writable: bool,
) -> PyResult<Option<(*mut u8, &'a [usize])>> {
    let objects = objects(object.py())?;
    if object.get_type_ptr().cast() != objects.array.as_ptr() {
        return Ok(None);
    }
    // SAFETY: an object of this type begins with these fields, and exists while it is borrowed.
    let array = unsafe { &(*object.as_ptr().cast::<PyArrayObject>()).fields };
    let needed = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | if is_writable { NPY_ARRAY_WRITEABLE } else { 0 };
    let ty = objects.types[element as usize].as_ref();
    if array.flags & needed != needed || ty.is_none_or(|ty| ty.as_ptr() != array.descr.cast()) {
        return Ok(None);
    }
    let rank = usize::try_from(array.nd).unwrap_or(0);
    // SAFETY: an array has `rank` sizes, none of them negative; without axes they may be null.
    let sizes = if rank == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(array.dimensions.cast(), rank) } };
    Ok(Some((array.data.cast(), sizes)))
}
