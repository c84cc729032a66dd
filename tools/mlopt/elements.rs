//! Types of elements and arrays.

use crate::error::{Error, ErrorKind, Result};
use mlopt_dialects::value::Data;
use mlopt_lowering::native::ValueType;
use std::fmt;

pub use mlopt_dialects::value::Element;

mod sealed {
    use mlopt_dialects::value::Data;

    /// Access to the elements of arrays of one type.
    pub trait Elements: Sized {
        fn slice(data: &Data) -> Option<&[Self]>;
        fn slice_mut(data: &mut Data) -> Option<&mut [Self]>;
        fn data(elements: Vec<Self>) -> Data;
    }
}

/// A Rust type of elements: `bool`, `half::f16`, `half::bf16`, `f32`, `f64`, `i8`, `i16`, `i32` or `i64`. Elements of
/// type `index` are `i64`.
///
/// ```
/// use mlopt::{Element, Scalar};
/// assert_eq!(<f32 as Scalar>::ELEMENT, Element::F32);
/// ```
pub trait Scalar: sealed::Elements + Copy + Send + Sync + 'static {
    /// The element type.
    const ELEMENT: Element;
}

macro_rules! scalars {
    ($($t:ty: $element:ident $(| $other:ident)?),*) => {$(
        impl sealed::Elements for $t {
            fn slice(data: &Data) -> Option<&[$t]> {
                match data {
                    Data::$element(v) $(| Data::$other(v))? => Some(v),
                    _ => None,
                }
            }

            fn slice_mut(data: &mut Data) -> Option<&mut [$t]> {
                match data {
                    Data::$element(v) $(| Data::$other(v))? => Some(v),
                    _ => None,
                }
            }

            fn data(elements: Vec<$t>) -> Data {
                Data::$element(elements)
            }
        }

        impl Scalar for $t {
            const ELEMENT: Element = Element::$element;
        }
    )*};
}
scalars!(bool: I1, half::f16: F16, half::bf16: BF16, f32: F32, f64: F64, i8: I8, i16: I16, i32: I32, i64: I64 | Index);

/// Checks whether memory of elements of type `have` serves as memory of elements of type `want`.
pub(crate) fn is_same_memory(want: Element, have: Element) -> bool {
    let word = |element| if element == Element::Index { Element::I64 } else { element };
    word(want) == word(have)
}

/// Compares shapes. The comparison of slices calls `memcmp`, which takes 80 ns for no bytes at the address of an empty
/// slice: masked loads from invalid addresses are slow.
pub(crate) fn is_same_shape(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// The type of an argument or result. A size that is known only at run time is `None`; a scalar has no sizes.
///
/// ```
/// # let session = mlopt::Session::new();
/// let text = "func.func @f(%x: tensor<?x3xf64>) -> tensor<?x3xf64> { return %x : tensor<?x3xf64> }";
/// let code = session.compile("f.mlir", text)?;
/// let f = code.function("f")?;
/// let ty = &f.inputs()[0];
/// assert_eq!((ty.element, &ty.shape[..]), (mlopt::Element::F64, &[None, Some(3)][..]));
/// assert_eq!(ty.to_string(), "tensor<?x3xf64>");
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorType {
    /// The type of the elements.
    pub element: Element,
    /// The sizes, outermost first.
    pub shape: Vec<Option<usize>>,
}

impl TensorType {
    pub(crate) fn of(ty: &ValueType) -> TensorType {
        TensorType { element: ty.element, shape: ty.shape.clone() }
    }

    pub(crate) fn accepts(&self, element: Element, shape: &[usize]) -> bool {
        is_same_memory(self.element, element)
            && self.shape.len() == shape.len()
            && self.shape.iter().zip(shape).all(|(want, have)| want.is_none_or(|n| n == *have))
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        ValueType { element: self.element, shape: self.shape.clone() }.fmt(f)
    }
}

pub(crate) fn wrong_element(expected: Element, found: Element) -> Error {
    Error::new(ErrorKind::Argument, format!("expected elements of type {expected}, found {found}"))
}

/// Checks that a shape has this number of elements.
pub(crate) fn check_length(shape: &[usize], found: usize) -> Result<()> {
    let expected = shape.iter().try_fold(1usize, |n, d| n.checked_mul(*d));
    if expected == Some(found) || shape.contains(&0) && found == 0 {
        return Ok(());
    }
    let text = match expected {
        Some(n) => format!("an array of shape {shape:?} has {n} elements, found {found}"),
        None => format!("an array of shape {shape:?} has more elements than memory, found {found}"),
    };
    Err(Error::new(ErrorKind::Argument, text))
}
