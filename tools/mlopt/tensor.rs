//! Arrays that own their elements.

use crate::elements::{Element, Scalar, check_length, wrong_element};
use crate::error::{Error, ErrorKind, Result};
use crate::view::{View, ViewMut};
use mlopt_dialects::value::{Array, Data};
use mlopt_dialects::with_data;
use mlopt_runtime::blocks;

/// An array that owns its elements, contiguous and row-major. A scalar has no axes.
///
/// ```
/// let x = mlopt::Tensor::new(&[2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!((x.shape(), x.element()), (&[2, 3][..], mlopt::Element::F64));
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor(Array);

impl Tensor {
    /// Creates an array of these elements, in row-major order.
    ///
    /// ```
    /// let x = mlopt::Tensor::new(&[2], vec![1_i32, 2])?;
    /// assert!(mlopt::Tensor::new(&[3], vec![1_i32, 2]).is_err());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The number of elements is not the product of the sizes.
    pub fn new<T: Scalar>(shape: &[usize], elements: Vec<T>) -> Result<Tensor> {
        check_length(shape, elements.len())?;
        Ok(Tensor(Array::new(shape.to_vec(), T::data(elements))))
    }

    /// Creates an array of zeros.
    ///
    /// ```
    /// let x = mlopt::Tensor::zeros(mlopt::Element::F32, &[2, 2])?;
    /// assert_eq!(x.elements::<f32>()?, [0.0; 4]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn zeros(element: Element, shape: &[usize]) -> Result<Tensor> {
        let bytes = shape.iter().try_fold(element.bytes(), |bytes, n| bytes.checked_mul(*n));
        let bytes = if shape.contains(&0) { Some(0) } else { bytes };
        match bytes.filter(|bytes| blocks::is_available(*bytes)) {
            Some(bytes) => Ok(Tensor(Array::new(shape.to_vec(), Data::zeros(element, bytes / element.bytes())))),
            None => {
                let text = format!("an array of {element} of shape {shape:?} needs more memory than there is");
                Err(Error::new(ErrorKind::Memory, text))
            }
        }
    }

    /// Creates a scalar.
    ///
    /// ```
    /// assert_eq!(mlopt::Tensor::scalar(2.5).elements::<f64>()?, [2.5]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn scalar<T: Scalar>(x: T) -> Tensor {
        Tensor(Array::new(vec![], T::data(vec![x])))
    }

    /// Returns the type of the elements.
    ///
    /// ```
    /// assert_eq!(mlopt::Tensor::scalar(true).element(), mlopt::Element::I1);
    /// ```
    pub fn element(&self) -> Element {
        self.0.element()
    }

    /// Returns the sizes, outermost first.
    ///
    /// ```
    /// assert!(mlopt::Tensor::scalar(1.0).shape().is_empty());
    /// ```
    pub fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    /// Returns the elements in row-major order.
    ///
    /// ```
    /// let x = mlopt::Tensor::scalar(1.0);
    /// assert_eq!(x.elements::<f64>()?, [1.0]);
    /// assert_eq!(x.elements::<f32>().unwrap_err().to_string(), "error: expected elements of type f32, found f64");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// They have another type.
    pub fn elements<T: Scalar>(&self) -> Result<&[T]> {
        T::slice(self.0.data()).ok_or_else(|| wrong_element(T::ELEMENT, self.element()))
    }

    /// Returns the elements in row-major order, for changes.
    ///
    /// ```
    /// let mut x = mlopt::Tensor::new(&[2], vec![1.0, 2.0])?;
    /// x.elements_mut::<f64>()?[1] = 3.0;
    /// assert_eq!(x.elements::<f64>()?, [1.0, 3.0]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// They have another type.
    pub fn elements_mut<T: Scalar>(&mut self) -> Result<&mut [T]> {
        let found = self.element();
        T::slice_mut(self.0.data_mut()).ok_or_else(|| wrong_element(T::ELEMENT, found))
    }

    /// Returns a view of the whole array.
    ///
    /// ```
    /// let x = mlopt::Tensor::new(&[2], vec![1.0, 2.0])?;
    /// assert_eq!(x.view().shape(), [2]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn view(&self) -> View<'_> {
        with_data!(self.0.data(), v => View::contiguous(v.as_ptr().cast(), self.element(), self.shape()))
    }

    /// Returns a view of the whole array for results.
    ///
    /// ```
    /// # let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 { return %x : f64 }")?;
    /// let mut result = mlopt::Tensor::scalar(0.0);
    /// code.function("f")?.call_into(&[mlopt::Tensor::scalar(1.0).view()], &mut [result.view_mut()])?;
    /// assert_eq!(result, mlopt::Tensor::scalar(1.0));
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        let element = self.element();
        let start: *mut u8 = with_data!(self.0.data_mut(), v => v.as_mut_ptr().cast());
        ViewMut::contiguous(start, element, self.0.shape())
    }

    pub(crate) fn array(&self) -> &Array {
        &self.0
    }

    pub(crate) fn of(array: Array) -> Tensor {
        Tensor(array)
    }
}

impl View<'_> {
    /// Copies the elements to an array.
    ///
    /// ```
    /// let x = mlopt::View::new(&[1.0, 2.0], &[2])?.to_tensor();
    /// assert_eq!(x.elements::<f64>()?, [1.0, 2.0]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Panics
    /// Panics if memory is exhausted: a view may repeat its elements, and be larger than its memory.
    pub fn to_tensor(&self) -> Tensor {
        self.try_to_tensor().expect("there is enough memory")
    }

    /// Copies the elements to an array.
    ///
    /// ```
    /// let x = mlopt::View::new(&[1.0, 2.0], &[2])?.try_to_tensor()?;
    /// assert_eq!(x.elements::<f64>()?, [1.0, 2.0]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Memory is exhausted.
    pub fn try_to_tensor(&self) -> Result<Tensor> {
        let mut copy = Tensor::zeros(self.element(), self.shape())?;
        self.copy_to(&mut copy.view_mut());
        Ok(copy)
    }
}
