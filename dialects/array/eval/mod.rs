//! The semantics of the `array` ops without regions, in plain loops. The evaluator (`dialects/eval/`) defines the ops
//! with regions.
//!
//! Every op is defined for all operands (`spec/arrays.md` A.3), except for sizes at run time that contradict each
//! other; these are reported as errors.

mod access;
mod arithmetic;
mod arrange;
mod reduce;

pub use access::{add_at, get, one_hot, reverse, slice};
pub use arithmetic::{div, floor, modulo};
pub use arrange::{append, filled, iota, replicate, reshape, stack, transpose};
pub use reduce::{argmax, argmin, max, min, prod, sum};

use crate::value::{Array, Data, Element};

/// The reason why an op has no value on its operands; the caller adds the location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    #[error(transparent)]
    Limit(#[from] crate::limits::LimitError),
    /// What the op does that has no meaning, or that the evaluator does not implement.
    #[error("{0}")]
    Op(String),
}

impl From<String> for Undefined {
    fn from(text: String) -> Undefined {
        Undefined::Op(text)
    }
}

impl From<&str> for Undefined {
    fn from(text: &str) -> Undefined {
        Undefined::Op(text.into())
    }
}

/// The result of an evaluation step.
pub type Outcome<T> = Result<T, Undefined>;

/// Returns all positions of an array of this shape, row-major. A shape without axes has one position.
pub fn positions(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    let count: usize = shape.iter().product();
    (0..count).map(move |mut flat| {
        let mut position = vec![0; shape.len()];
        for axis in (0..shape.len()).rev() {
            position[axis] = flat % shape[axis];
            flat /= shape[axis];
        }
        position
    })
}

/// Returns the row-major number of the element at `position`, or `None` if an index is negative or not below its
/// extent.
pub fn offset(position: &[i64], shape: &[usize]) -> Option<usize> {
    position.iter().zip(shape).try_fold(0, |flat, (&i, &n)| (i >= 0 && (i as usize) < n).then(|| flat * n + i as usize))
}

fn range(data: &Data, start: usize, len: usize) -> Data {
    crate::with_data!(data, v => v[start..start + len].to_vec().into_same(data))
}

/// Returns the elements at the positions `order`.
pub(crate) fn picked(data: &Data, order: &[usize]) -> Data {
    crate::with_data!(data, v => order.iter().map(|&o| v[o]).collect::<Vec<_>>().into_same(data))
}

/// Returns `z` with the elements of `x`, which has their type, at `places`.
pub(crate) fn overwritten(z: &Array, places: &[usize], x: &Array) -> Array {
    // Position i of the concatenation is x[i - |z|] for the overwritten elements.
    let mut order: Vec<usize> = (0..z.len()).collect();
    for (i, &place) in places.iter().enumerate() {
        order[place] = z.len() + i;
    }
    Array::new(z.shape().to_vec(), picked(&z.data().clone().followed_by(x.data()), &order))
}

/// Conversion of a vector to the variant from which it came; `i64` and `index` share their storage.
trait IntoSame {
    fn into_same(self, like: &Data) -> Data;
}

impl<T> IntoSame for Vec<T>
where
    Data: From<Vec<T>>,
{
    fn into_same(self, like: &Data) -> Data {
        match (Data::from(self), like) {
            (Data::I64(v), Data::Index(_)) => Data::Index(v),
            (data, _) => data,
        }
    }
}

/// Elements that can be added and compared: all except `i1`. Integers wrap (`spec/arrays.md` A.3.10).
trait Number: Copy + PartialOrd {
    const ZERO: Self;
    const ONE: Self;
    /// The maximum of an empty set.
    const LEAST: Self;
    /// The minimum of an empty set.
    const GREATEST: Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! float {
    ($t:ident) => {
        impl Number for $t {
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            const LEAST: $t = $t::NEG_INFINITY;
            const GREATEST: $t = $t::INFINITY;
            fn plus(self, other: $t) -> $t {
                self + other
            }
            fn times(self, other: $t) -> $t {
                self * other
            }
        }
    };
}
float!(f32);
float!(f64);

macro_rules! integer {
    ($t:ident) => {
        impl Number for $t {
            const ZERO: $t = 0;
            const ONE: $t = 1;
            const LEAST: $t = $t::MIN;
            const GREATEST: $t = $t::MAX;
            fn plus(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
            fn times(self, other: $t) -> $t {
                self.wrapping_mul(other)
            }
        }
    };
}
integer!(i8);
integer!(i16);
integer!(i32);
integer!(i64);

/// Runs `$body` with `$v` bound to the numbers inside `$data`; the result has the same element type.
macro_rules! with_numbers {
    ($data:expr, $v:ident => $body:expr) => {
        match $data {
            $crate::value::Data::F32($v) => $crate::value::Data::F32($body),
            $crate::value::Data::F64($v) => $crate::value::Data::F64($body),
            $crate::value::Data::I8($v) => $crate::value::Data::I8($body),
            $crate::value::Data::I16($v) => $crate::value::Data::I16($body),
            $crate::value::Data::I32($v) => $crate::value::Data::I32($body),
            $crate::value::Data::I64($v) => $crate::value::Data::I64($body),
            $crate::value::Data::Index($v) => $crate::value::Data::Index($body),
            $crate::value::Data::F16(_) | $crate::value::Data::BF16(_) => unreachable!("computed in single precision"),
            $crate::value::Data::I1(_) => unreachable!("verified: numeric elements"),
        }
    };
}
use with_numbers;

/// Computes a function of an array, in single precision if the elements are f16 or bf16. Its result, of the same type,
/// is rounded once.
pub(crate) fn in_single(x: &Array, f: impl FnOnce(&Array) -> Array) -> Array {
    if x.element().is_half() { f(&x.clone().converted(Element::F32)).converted(x.element()) } else { f(x) }
}

/// Returns the results of a function on two integers, or the error, for all pairs of elements of arrays of one shape.
/// `f` computes on 64 bits; its results are wrapped to the width of the elements.
///
/// # Errors
///
/// Returns an error if the shapes or the element types differ, or if the elements are not integers.
pub(crate) fn on_integers(x: &Array, y: &Array, mut f: impl FnMut(i64, i64) -> Outcome<i64>) -> Outcome<Array> {
    if x.shape() != y.shape() {
        return Err(format!("needs operands of the same shape, found {:?} and {:?}", x.shape(), y.shape()).into());
    }
    if x.element() != y.element() || !x.element().is_integer() {
        return Err(format!("needs integers of one type, found {} and {}", x.element(), y.element()).into());
    }
    let pairs = x.data().to_integers().into_iter().zip(y.data().to_integers());
    let z: Vec<i64> = pairs.map(|(x, y)| f(x, y)).collect::<Outcome<_>>()?;
    Ok(Array::new(x.shape().to_vec(), Data::of_integers(x.element(), z)))
}
