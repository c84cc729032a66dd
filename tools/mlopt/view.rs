//! Views of memory that others own: slices, arrays of `ndarray`, and tensors in the layout of DLPack. This module and
//! `call`, which passes the addresses to compiled code, contain all `unsafe` code of this crate.
#![allow(unsafe_code)]

use crate::elements::{Element, Scalar, check_length};
use crate::error::{Error, ErrorKind, Result};
use mlopt_runtime::truth;
use std::marker::PhantomData;

/// A borrowed array of numbers, an argument of a call. Arrays with any strides are accepted; compiled code works on a
/// copy of those that it cannot read in place ([`View::is_zero_copy`]).
///
/// ```
/// let data = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let x = mlopt::View::new(&data, &[2, 3])?;
/// assert_eq!((x.element(), x.shape()), (mlopt::Element::F64, &[2, 3][..]));
/// # Ok::<(), mlopt::Error>(())
/// ```
///
/// A view cannot outlive its memory:
///
/// ```compile_fail,E0597
/// let view = {
///     let data = vec![1.0, 2.0];
///     mlopt::View::new(&data, &[2]).unwrap()
/// };
/// view.shape();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    start: *const u8,
    element: Element,
    shape: &'a [usize],
    /// The distance of neighbours along each axis, in elements; `None` if the array is contiguous and row-major.
    strides: Option<&'a [isize]>,
    /// True if the memory belongs to another library: the address may be misaligned, and an `i1` any byte.
    is_foreign: bool,
    memory: PhantomData<&'a [u8]>,
}

/// A borrowed contiguous, row-major array of numbers, into which a call writes a result.
///
/// ```
/// let mut data = [0.0; 4];
/// let z = mlopt::ViewMut::new(&mut data, &[2, 2])?;
/// assert_eq!(z.shape(), [2, 2]);
/// # Ok::<(), mlopt::Error>(())
/// ```
///
/// While it exists, nothing else can access its memory:
///
/// ```compile_fail,E0502
/// let mut data = [0.0; 2];
/// let z = mlopt::ViewMut::new(&mut data, &[2]).unwrap();
/// println!("{data:?}");
/// z.shape();
/// ```
#[derive(Debug)]
pub struct ViewMut<'a> {
    start: *mut u8,
    element: Element,
    shape: &'a [usize],
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: a view is a shared reference to numbers.
unsafe impl Send for View<'_> {}
// SAFETY: as for `Send`.
unsafe impl Sync for View<'_> {}
// SAFETY: a view is an exclusive reference to numbers.
unsafe impl Send for ViewMut<'_> {}
// SAFETY: as for `Send`.
unsafe impl Sync for ViewMut<'_> {}

impl<'a> View<'a> {
    /// Returns a view of a slice as an array of this shape, row-major.
    ///
    /// ```
    /// assert!(mlopt::View::new(&[1.0, 2.0], &[2]).is_ok());
    /// let error = mlopt::View::new(&[1.0, 2.0], &[3]).unwrap_err();
    /// assert_eq!(error.to_string(), "error: an array of shape [3] has 3 elements, found 2");
    /// ```
    ///
    /// # Errors
    /// The slice has another number of elements.
    pub fn new<T: Scalar>(elements: &'a [T], shape: &'a [usize]) -> Result<View<'a>> {
        check_length(shape, elements.len())?;
        Ok(View::contiguous(elements.as_ptr().cast(), T::ELEMENT, shape))
    }

    /// Returns a view of a number as a scalar.
    ///
    /// ```
    /// assert!(mlopt::View::scalar(&1.5_f32).shape().is_empty());
    /// ```
    pub fn scalar<T: Scalar>(x: &'a T) -> View<'a> {
        View::contiguous(std::ptr::from_ref(x).cast(), T::ELEMENT, &[])
    }

    /// Returns the array at an address. `strides` are in elements; without strides it is contiguous and row-major.
    ///
    /// # Safety
    /// All elements that the shape and the strides describe are initialised numbers of this type, and nothing writes to
    /// them for the lifetime `'a`. They are aligned, and an `i1` is 0 or 1, unless the caller sets `is_foreign`. There
    /// are as many strides as sizes.
    pub(crate) unsafe fn from_raw(
        start: *const u8,
        element: Element,
        shape: &'a [usize],
        strides: Option<&'a [isize]>,
    ) -> View<'a> {
        let strides = strides.filter(|strides| !is_row_major(shape, strides));
        View { start, element, shape, strides, is_foreign: false, memory: PhantomData }
    }

    pub(crate) fn contiguous(start: *const u8, element: Element, shape: &'a [usize]) -> View<'a> {
        View { start, element, shape, strides: None, is_foreign: false, memory: PhantomData }
    }

    /// Returns the type of the elements.
    ///
    /// ```
    /// assert_eq!(mlopt::View::scalar(&1_i64).element(), mlopt::Element::I64);
    /// ```
    pub fn element(&self) -> Element {
        self.element
    }

    /// Returns the sizes, outermost first.
    ///
    /// ```
    /// assert_eq!(mlopt::View::new(&[1.0, 2.0], &[1, 2])?.shape(), [1, 2]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn shape(&self) -> &'a [usize] {
        self.shape
    }

    /// Returns the address of the first element.
    ///
    /// ```
    /// let data = [1.0, 2.0];
    /// assert_eq!(mlopt::View::new(&data, &[2])?.as_ptr().cast(), data.as_ptr());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn as_ptr(&self) -> *const u8 {
        self.start
    }

    /// Returns the distance of neighbours along each axis, in elements; `None` if the array is contiguous and
    /// row-major.
    ///
    /// ```
    /// assert!(mlopt::View::new(&[1.0, 2.0], &[2])?.strides().is_none());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn strides(&self) -> Option<&'a [isize]> {
        self.strides
    }

    /// Checks whether compiled code reads the array in place: it is contiguous, row-major and aligned, and truth values
    /// are bytes that are 0 or 1. Only tensors of other libraries can violate the last two.
    ///
    /// ```
    /// assert!(mlopt::View::new(&[1.0, 2.0], &[2])?.is_zero_copy());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn is_zero_copy(&self) -> bool {
        if self.strides.is_some() || !self.is_foreign {
            return self.strides.is_none();
        }
        let count: usize = self.shape.iter().product();
        if count == 0 {
            return true;
        }
        if self.element == Element::I1 {
            // SAFETY: the view guarantees that these bytes exist, are initialised and do not change.
            return truth::are_canonical(unsafe { std::slice::from_raw_parts(self.start, count) });
        }
        self.start.addr().is_multiple_of(self.element.bytes())
    }

    /// Copies the elements to an array of the same shape and of elements of the same size. Truth values become 0 or 1.
    pub(crate) fn copy_to(&self, to: &mut ViewMut) {
        self.copy_bytes_to(to);
        let count: usize = self.shape.iter().product();
        if self.is_foreign && self.element == Element::I1 && count > 0 {
            // SAFETY: these bytes have been copied, and the view of them is exclusive.
            truth::canonicalize(unsafe { std::slice::from_raw_parts_mut(to.start, count) });
        }
    }

    fn copy_bytes_to(&self, to: &mut ViewMut) {
        assert_eq!((self.shape, self.element.bytes()), (to.shape, to.element.bytes()), "both have one layout");
        let size = self.element.bytes();
        let count: usize = self.shape.iter().product();
        let copy = |from: isize, at: usize, n: usize| {
            // SAFETY: both views guarantee that these elements exist, and that of the copy is exclusive.
            unsafe {
                let from = self.start.offset(from * size as isize);
                std::ptr::copy_nonoverlapping(from, to.start.add(at * size), n * size);
            }
        };
        let strides = match self.strides {
            _ if count == 0 => return,
            None => return copy(0, 0, count),
            Some(strides) => strides,
        };
        let mut index = vec![0usize; self.shape.len()];
        for k in 0..count {
            copy(index.iter().zip(strides).map(|(i, stride)| *i as isize * stride).sum(), k, 1);
            // The next index in row-major order.
            for (i, n) in index.iter_mut().zip(self.shape).rev() {
                *i = (*i + 1) % n;
                if *i > 0 {
                    break;
                }
            }
        }
    }
}

impl<'a> ViewMut<'a> {
    /// Returns a view of a slice as an array of this shape, row-major.
    ///
    /// ```
    /// assert!(mlopt::ViewMut::new(&mut [0.0; 6], &[2, 3]).is_ok());
    /// ```
    ///
    /// # Errors
    /// The slice has another number of elements.
    pub fn new<T: Scalar>(elements: &'a mut [T], shape: &'a [usize]) -> Result<ViewMut<'a>> {
        check_length(shape, elements.len())?;
        Ok(ViewMut::contiguous(elements.as_mut_ptr().cast(), T::ELEMENT, shape))
    }

    /// Returns a view of a number as a scalar.
    ///
    /// ```
    /// assert!(mlopt::ViewMut::scalar(&mut 0.0).shape().is_empty());
    /// ```
    pub fn scalar<T: Scalar>(x: &'a mut T) -> ViewMut<'a> {
        ViewMut::contiguous(std::ptr::from_mut(x).cast(), T::ELEMENT, &[])
    }

    pub(crate) fn contiguous(start: *mut u8, element: Element, shape: &'a [usize]) -> ViewMut<'a> {
        ViewMut { start, element, shape, memory: PhantomData }
    }

    /// Returns the type of the elements.
    ///
    /// ```
    /// assert_eq!(mlopt::ViewMut::scalar(&mut 0.0).element(), mlopt::Element::F64);
    /// ```
    pub fn element(&self) -> Element {
        self.element
    }

    /// Returns the sizes, outermost first.
    ///
    /// ```
    /// assert_eq!(mlopt::ViewMut::new(&mut [0.0], &[1])?.shape(), [1]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn shape(&self) -> &'a [usize] {
        self.shape
    }

    /// Returns the address of the first element.
    ///
    /// ```
    /// let mut x = 1.0;
    /// assert_eq!(mlopt::ViewMut::scalar(&mut x).as_mut_ptr(), (&raw mut x).cast());
    /// ```
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.start
    }
}

/// Checks whether strides are those of a contiguous row-major array. Axes of one element may have any stride.
fn is_row_major(shape: &[usize], strides: &[isize]) -> bool {
    if shape.contains(&0) {
        return true;
    }
    let mut next = 1;
    shape.iter().zip(strides).rev().all(|(n, stride)| {
        let fits = *n == 1 || *stride == next;
        next *= *n as isize;
        fits
    })
}

#[cfg(feature = "ndarray")]
mod arrays {
    use super::*;
    use ndarray::{ArrayBase, Data, DataMut, Dimension};

    impl<'a, T: Scalar, S: Data<Elem = T>, D: Dimension> From<&'a ArrayBase<S, D>> for View<'a> {
        fn from(array: &'a ArrayBase<S, D>) -> View<'a> {
            // SAFETY: the borrowed array guarantees that its elements exist and do not change.
            unsafe { View::from_raw(array.as_ptr().cast(), T::ELEMENT, array.shape(), Some(array.strides())) }
        }
    }

    impl<'a, T: Scalar, S: DataMut<Elem = T>, D: Dimension> TryFrom<&'a mut ArrayBase<S, D>> for ViewMut<'a> {
        type Error = Error;

        fn try_from(array: &'a mut ArrayBase<S, D>) -> Result<ViewMut<'a>> {
            if !is_row_major(array.shape(), array.strides()) {
                return Err(not_contiguous());
            }
            let start = array.as_mut_ptr().cast();
            Ok(ViewMut::contiguous(start, T::ELEMENT, array.shape()))
        }
    }
}

fn not_contiguous() -> Error {
    Error::new(ErrorKind::Argument, "the memory of a result must be contiguous and row-major")
}

/// A tensor in the layout of DLPack (`DLTensor` of version 1.0), as other libraries pass them.
///
/// ```
/// assert_eq!(std::mem::size_of::<mlopt::DlTensor>(), 48);
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DlTensor {
    /// The address of the memory.
    pub data: *mut std::ffi::c_void,
    /// The kind of the device: 1 is the memory of the CPU.
    pub device_type: i32,
    /// The number of the device.
    pub device_id: i32,
    /// The number of axes.
    pub ndim: i32,
    /// The kind of the elements: 0 integers, 1 unsigned integers, 2 floats, 4 bfloat, 5 complex, 6 booleans, of which
    /// all bytes but 0 are true.
    pub code: u8,
    /// The size of an element in bits.
    pub bits: u8,
    /// The number of numbers in an element.
    pub lanes: u16,
    /// The sizes, outermost first.
    pub shape: *const i64,
    /// In elements; null if the tensor is contiguous and row-major.
    pub strides: *const i64,
    /// The distance of the first element from the address, in bytes.
    pub byte_offset: u64,
}

impl DlTensor {
    /// Returns the type of the elements.
    ///
    /// ```
    /// let (shape, mut data) = ([2], [1.0_f32, 2.0]);
    /// let tensor = mlopt::DlTensor {
    ///     data: data.as_mut_ptr().cast(), device_type: 1, device_id: 0, ndim: 1, code: 2, bits: 32, lanes: 1,
    ///     shape: shape.as_ptr(), strides: std::ptr::null(), byte_offset: 0,
    /// };
    /// assert_eq!(tensor.element()?, mlopt::Element::F32);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Compiled code has no such elements.
    pub fn element(&self) -> Result<Element> {
        match (self.code, self.bits, self.lanes) {
            (0, 8, 1) => Ok(Element::I8),
            (0, 16, 1) => Ok(Element::I16),
            (0, 32, 1) => Ok(Element::I32),
            (0, 64, 1) => Ok(Element::I64),
            (2, 16, 1) => Ok(Element::F16),
            (4, 16, 1) => Ok(Element::BF16),
            (2, 32, 1) => Ok(Element::F32),
            (2, 64, 1) => Ok(Element::F64),
            (6, 8, 1) => Ok(Element::I1),
            (code, bits, lanes) => {
                let text = format!("not supported: elements of DLPack's type code {code}, {bits} bits, {lanes} lanes");
                Err(Error::new(ErrorKind::Argument, text))
            }
        }
    }

    /// Returns a view of the tensor. Its address may be misaligned, and its booleans any bytes: compiled code works on
    /// a copy of such tensors ([`View::is_zero_copy`]).
    ///
    /// ```
    /// let (shape, mut data) = ([2], [1.0_f32, 2.0]);
    /// let tensor = mlopt::DlTensor {
    ///     data: data.as_mut_ptr().cast(), device_type: 1, device_id: 0, ndim: 1, code: 2, bits: 32, lanes: 1,
    ///     shape: shape.as_ptr(), strides: std::ptr::null(), byte_offset: 0,
    /// };
    /// // SAFETY: the fields describe `data`.
    /// let view = unsafe { tensor.view()? };
    /// assert_eq!(view.to_tensor().elements::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The tensor is not in the memory of the CPU, or has other elements than compiled code.
    ///
    /// # Safety
    /// The fields describe memory that exists, is initialised, and is not written while the view exists. `shape` and
    /// `strides`, unless it is null, have `ndim` entries.
    pub unsafe fn view(&self) -> Result<View<'_>> {
        // SAFETY: guaranteed by the caller.
        let (start, element, shape, strides) = unsafe { self.parts()? };
        // SAFETY: guaranteed by the caller.
        let view = unsafe { View::from_raw(start, element, shape, strides) };
        Ok(View { is_foreign: true, ..view })
    }

    /// Returns a view of the tensor for results.
    ///
    /// ```
    /// # let (shape, mut data) = ([2], [1.0_f32, 2.0]);
    /// # let mut tensor = mlopt::DlTensor { data: data.as_mut_ptr().cast(), device_type: 1, device_id: 0, ndim: 1,
    /// #     code: 2, bits: 32, lanes: 1, shape: shape.as_ptr(), strides: std::ptr::null(), byte_offset: 0 };
    /// // SAFETY: the fields describe `data`.
    /// let view = unsafe { tensor.view_mut()? };
    /// assert_eq!(view.shape(), [2]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`DlTensor::view`]; the tensor is not contiguous and row-major, or misaligned.
    ///
    /// # Safety
    /// As for [`DlTensor::view`]; nothing else accesses the memory while the view exists.
    pub unsafe fn view_mut(&mut self) -> Result<ViewMut<'_>> {
        // SAFETY: guaranteed by the caller.
        let (start, element, shape, strides) = unsafe { self.parts()? };
        if strides.is_some_and(|strides| !is_row_major(shape, strides)) {
            return Err(not_contiguous());
        }
        if !shape.contains(&0) && !start.addr().is_multiple_of(element.bytes()) {
            let text = format!("the address of elements of type {element} must be a multiple of {}", element.bytes());
            return Err(Error::new(ErrorKind::Argument, text));
        }
        Ok(ViewMut::contiguous(start, element, shape))
    }

    /// Returns the address, the element type, the sizes and the strides.
    ///
    /// # Safety
    /// As for [`DlTensor::view`].
    unsafe fn parts(&self) -> Result<(*mut u8, Element, &[usize], Option<&[isize]>)> {
        const CPU: i32 = 1;
        if self.device_type != CPU {
            let text = format!("a tensor must be in the memory of the CPU, found DLPack's device {}", self.device_type);
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let element = self.element()?;
        let rank = usize::try_from(self.ndim);
        let rank = rank.map_err(|_| Error::new(ErrorKind::Argument, "the number of axes must not be negative"))?;
        let shape: &[i64] = match rank {
            0 => &[],
            _ if self.shape.is_null() => return Err(Error::new(ErrorKind::Argument, "a tensor must have a shape")),
            // SAFETY: guaranteed by the caller.
            _ => unsafe { std::slice::from_raw_parts(self.shape, rank) },
        };
        if let Some(n) = shape.iter().find(|n| **n < 0) {
            return Err(Error::new(ErrorKind::Argument, format!("a size must not be negative, found {n}")));
        }
        // SAFETY: on 64-bit machines, numbers that are not negative have the same representation in both types.
        let shape = unsafe { std::slice::from_raw_parts(shape.as_ptr().cast::<usize>(), rank) };
        let strides = (rank > 0 && !self.strides.is_null())
            // SAFETY: guaranteed by the caller; `isize` has 64 bits.
            .then(|| unsafe { std::slice::from_raw_parts(self.strides.cast::<isize>(), rank) });
        let offset = usize::try_from(self.byte_offset);
        let offset = offset.map_err(|_| Error::new(ErrorKind::Argument, "the offset is larger than the memory"))?;
        let is_empty = shape.contains(&0);
        let bytes = shape.iter().try_fold(element.bytes(), |bytes, n| bytes.checked_mul(*n));
        if !is_empty && bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
            let text = format!("a tensor must have less than 2^63 bytes, found sizes {shape:?}");
            return Err(Error::new(ErrorKind::Argument, text));
        }
        if self.data.is_null() && !is_empty {
            return Err(Error::new(ErrorKind::Argument, "the address of a tensor must not be null"));
        }
        Ok((self.data.cast::<u8>().wrapping_add(offset), element, shape, strides))
    }
}
