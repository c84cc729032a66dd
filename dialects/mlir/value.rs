//! Values at run time: the results of evaluators, the input and output of the command line, and the arguments of
//! compiled code.
//!
//! A scalar is an array of rank 0 (`spec/arrays.md` A.1). Elements are stored contiguously in row-major order.

use half::{bf16, f16};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// Calls the macro `$run` with every element type: its variant of [`Element`] and [`Data`], the Rust type of an
/// element, its name in MLIR text, and its width in bits.
macro_rules! for_elements {
    ($run:ident) => {
        $run! {
            F16: f16, "f16", 16;
            BF16: bf16, "bf16", 16;
            F32: f32, "f32", 32;
            F64: f64, "f64", 64;
            I1: bool, "i1", 1;
            I8: i8, "i8", 8;
            I16: i16, "i16", 16;
            I32: i32, "i32", 32;
            I64: i64, "i64", 64;
            Index: i64, "index", 64;
        }
    };
}

macro_rules! define_element {
    ($($variant:ident: $t:ty, $name:literal, $bits:literal;)*) => {
        /// The element types of the array language. `index` is 64 bits wide everywhere.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Element {
            $($variant,)*
        }

        impl Element {
            pub const ALL: &[Element] = &[$(Element::$variant),*];

            /// Returns the type's name in MLIR text.
            pub fn name(self) -> &'static str {
                match self {
                    $(Element::$variant => $name,)*
                }
            }

            /// Returns the number of this type that is nearest to `x`.
            pub fn rounded(self, x: f64) -> f64 {
                match self {
                    $(Element::$variant => <$t>::of_f64(x).to_f64(),)*
                }
            }

            /// Returns the bits of the number of this type that is nearest to `x`.
            pub fn to_bits(self, x: f64) -> u64 {
                match self {
                    $(Element::$variant => <$t>::of_f64(x).bits(),)*
                }
            }

            /// Returns the number of this type with these bits; those above its width are ignored.
            pub fn of_bits(self, bits: u64) -> f64 {
                match self {
                    $(Element::$variant => <$t as Stored>::of_bits(bits).to_f64(),)*
                }
            }

            /// Returns the number of bits of a value of this type.
            pub fn bits(self) -> u32 {
                match self {
                    $(Element::$variant => $bits,)*
                }
            }
        }

        /// The elements of an array, row-major.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Data {
            $($variant(Vec<$t>),)*
        }

        impl Data {
            pub fn zeros(element: Element, len: usize) -> Data {
                match element {
                    $(Element::$variant => Data::$variant(vec![<$t>::default(); len]),)*
                }
            }

            /// Converts numbers to elements of a type. Those of floats are rounded, those of integers truncated and
            /// clamped to the range of the type, and only zero is false.
            pub fn of_f64(element: Element, numbers: impl IntoIterator<Item = f64>) -> Data {
                let numbers = numbers.into_iter();
                match element {
                    $(Element::$variant => Data::$variant(numbers.map(<$t>::of_f64).collect()),)*
                }
            }

            /// Converts integers to elements of an integer type, and wraps them to its width.
            ///
            /// # Panics
            ///
            /// Panics if `element` is a float type.
            pub fn of_integers(element: Element, integers: impl IntoIterator<Item = i64>) -> Data {
                assert!(!element.is_float(), "integers cannot be elements of {element}");
                Data::of_bits(element, integers.into_iter().map(|x| x as u64))
            }

            /// Returns the elements of a type with these bits; bits above its width are ignored.
            fn of_bits(element: Element, bits: impl IntoIterator<Item = u64>) -> Data {
                let bits = bits.into_iter();
                match element {
                    $(Element::$variant => Data::$variant(bits.map(<$t as Stored>::of_bits).collect()),)*
                }
            }

            /// Parses a number, or returns `None`.
            pub fn parsed(text: &str, element: Element) -> Option<Data> {
                Some(match element {
                    $(Element::$variant => Data::$variant(vec![text.parse().ok()?]),)*
                })
            }

            pub fn element(&self) -> Element {
                match self {
                    $(Data::$variant(_) => Element::$variant,)*
                }
            }
        }
    };
}
for_elements!(define_element);

impl Element {
    /// Returns the size in bytes of one element in memory, in the evaluator and in compiled code.
    pub fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    pub fn is_float(self) -> bool {
        matches!(self, Element::F16 | Element::BF16 | Element::F32 | Element::F64)
    }

    /// Checks whether this is a type for storage, f16 or bf16: arithmetic on its elements is that of f32, rounded.
    pub fn is_half(self) -> bool {
        matches!(self, Element::F16 | Element::BF16)
    }

    /// Returns the type in which arithmetic on elements of this type is computed.
    pub fn arithmetic(self) -> Element {
        if self.is_half() { Element::F32 } else { self }
    }

    /// Returns the number of this float type that is nearest to the result `x` of an op. That of f16 and bf16 is
    /// rounded to f32 first, in which the op is computed.
    pub fn computed(self, x: f64) -> f64 {
        self.rounded(self.arithmetic().rounded(x))
    }

    /// Returns the number of this float type that is nearest to an integer of at most 64 bits.
    pub fn of_integer(self, x: i128) -> f64 {
        let magnitude = x.unsigned_abs() as u64;
        let near = match self {
            Element::F32 => f64::from(magnitude as f32),
            // The last of 53 bits tells whether lower bits are lost, so that the next rounding is that of `magnitude`.
            _ if self.is_half() && magnitude >> 53 != 0 => {
                (magnitude >> 11 | u64::from(magnitude & 0x7ff != 0)) as f64 * 2048.0
            }
            _ => magnitude as f64,
        };
        self.rounded(if x < 0 { -near } else { near })
    }

    /// Returns the greatest finite number of this float type.
    pub fn greatest(self) -> f64 {
        match self {
            Element::F16 => f16::MAX.into(),
            Element::BF16 => bf16::MAX.into(),
            Element::F32 => f32::MAX.into(),
            _ => f64::MAX,
        }
    }

    /// Checks whether this is an integer type other than `i1`: the elements that are counted, added and divided.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Element::I1
    }

    /// Returns the least and the greatest value of an integer type, read as signed numbers; those of `i1` are 0 and 1.
    pub fn range(self) -> (i64, i64) {
        match self {
            Element::I1 => (0, 1),
            _ => (i64::MIN >> (64 - self.bits()), i64::MAX >> (64 - self.bits())),
        }
    }

    /// Wraps an integer to the range of this type.
    pub fn wrap(self, x: i64) -> i64 {
        let unused = 64 - self.bits();
        match self {
            Element::I1 => x & 1,
            _ => x << unused >> unused,
        }
    }

    /// Returns the names of all element types for a message: `f32, f64, … {conjunction} index`.
    pub fn names(conjunction: &str) -> String {
        let names: Vec<&str> = Element::ALL.iter().map(|e| e.name()).collect();
        let [first @ .., last] = &names[..] else { unreachable!("there are several types") };
        format!("{} {conjunction} {last}", first.join(", "))
    }

    pub fn from_name(name: &str) -> Option<Element> {
        Element::ALL.iter().copied().find(|e| e.name() == name)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A regular array; a scalar if `shape` is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    data: Data,
}

/// Runs `$body` with `$v` bound to the vector inside `$data`, for any element type.
#[macro_export]
macro_rules! with_data {
    ($data:expr, $v:ident => $body:expr) => {
        match $data {
            $crate::value::Data::F16($v) => $body,
            $crate::value::Data::BF16($v) => $body,
            $crate::value::Data::F32($v) => $body,
            $crate::value::Data::F64($v) => $body,
            $crate::value::Data::I1($v) => $body,
            $crate::value::Data::I8($v) => $body,
            $crate::value::Data::I16($v) => $body,
            $crate::value::Data::I32($v) => $body,
            $crate::value::Data::I64($v) => $body,
            $crate::value::Data::Index($v) => $body,
        }
    };
}

/// Runs `$body` with `$v` and `$w` bound to the vectors inside two values of [`Data`] with the same element type, or
/// `$otherwise` if the types differ.
#[macro_export]
macro_rules! with_both {
    ($one:expr, $other:expr, ($v:ident, $w:ident) => $body:expr, else $otherwise:expr) => {
        match ($one, $other) {
            ($crate::value::Data::F16($v), $crate::value::Data::F16($w)) => $body,
            ($crate::value::Data::BF16($v), $crate::value::Data::BF16($w)) => $body,
            ($crate::value::Data::F32($v), $crate::value::Data::F32($w)) => $body,
            ($crate::value::Data::F64($v), $crate::value::Data::F64($w)) => $body,
            ($crate::value::Data::I1($v), $crate::value::Data::I1($w)) => $body,
            ($crate::value::Data::I8($v), $crate::value::Data::I8($w)) => $body,
            ($crate::value::Data::I16($v), $crate::value::Data::I16($w)) => $body,
            ($crate::value::Data::I32($v), $crate::value::Data::I32($w)) => $body,
            ($crate::value::Data::I64($v), $crate::value::Data::I64($w)) => $body,
            ($crate::value::Data::Index($v), $crate::value::Data::Index($w)) => $body,
            _ => $otherwise,
        }
    };
}

impl Data {
    /// Returns the values of integers; those of `i1` are 0 and 1.
    ///
    /// # Panics
    ///
    /// Panics if the elements are floats.
    pub fn to_integers(&self) -> Vec<i64> {
        let element = self.element();
        assert!(!element.is_float(), "elements of {element} are not integers");
        with_data!(self, v => v.iter().map(|&x| element.wrap(Stored::bits(x) as i64)).collect())
    }

    /// Returns the elements of another type with the same bits, or `None` if its width differs.
    pub fn reinterpreted(&self, element: Element) -> Option<Data> {
        let same_width = element.bits() == self.element().bits();
        let bits = || with_data!(self, v => v.iter().map(|&x| Stored::bits(x)).collect::<Vec<u64>>());
        same_width.then(|| Data::of_bits(element, bits()))
    }

    pub fn len(&self) -> usize {
        with_data!(self, v => v.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a range of the elements of `other`.
    ///
    /// # Panics
    ///
    /// Panics if the element types differ.
    pub fn append(&mut self, other: &Data, range: Range<usize>) {
        let (own, others) = (self.element(), other.element());
        with_both!(self, other, (v, w) => v.extend_from_slice(&w[range]),
            else panic!("elements of {others} cannot be appended to elements of {own}"))
    }

    /// Returns a range of these elements.
    pub fn part(&self, range: Range<usize>) -> Data {
        let mut part = Data::zeros(self.element(), 0);
        part.append(self, range);
        part
    }

    /// Returns these elements, followed by those of `other`.
    ///
    /// # Panics
    ///
    /// Panics if the element types differ.
    pub fn followed_by(mut self, other: &Data) -> Data {
        self.append(other, 0..other.len());
        self
    }
}

impl Array {
    /// # Panics
    ///
    /// Panics if `data` does not hold exactly one element per position of `shape`.
    pub fn new(shape: Vec<usize>, data: Data) -> Array {
        assert_eq!(shape.iter().product::<usize>(), data.len(), "shape {shape:?} does not fit its data");
        Array { shape, data }
    }

    pub fn zeros(element: Element, shape: &[usize]) -> Array {
        Array { shape: shape.to_vec(), data: Data::zeros(element, shape.iter().product()) }
    }

    pub fn f64(x: f64) -> Array {
        Array::new(vec![], Data::F64(vec![x]))
    }

    pub fn index(x: i64) -> Array {
        Array::new(vec![], Data::Index(vec![x]))
    }

    pub fn vector(x: &[f64]) -> Array {
        Array::new(vec![x.len()], Data::F64(x.to_vec()))
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    pub fn element(&self) -> Element {
        self.data.element()
    }

    pub fn data(&self) -> &Data {
        &self.data
    }

    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    pub fn len(&self) -> usize {
        self.data.len()
    }

    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Returns every element as `f64` (integers and booleans converted), for comparison and printing.
    pub fn to_f64(&self) -> Vec<f64> {
        match &self.data {
            Data::F64(v) => v.clone(),
            _ => (0..self.len()).map(|k| self.at(k)).collect(),
        }
    }

    /// Returns this array with its elements, which are floats, converted to another type of floats.
    pub fn converted(self, element: Element) -> Array {
        if element == self.element() {
            self
        } else {
            Array::new(self.shape.clone(), Data::of_f64(element, self.to_f64()))
        }
    }

    /// Returns an array of this shape and type whose elements are converted from these numbers.
    pub fn with_f64(&self, numbers: impl IntoIterator<Item = f64>) -> Array {
        Array::new(self.shape.clone(), Data::of_f64(self.element(), numbers))
    }

    /// Returns element `k`, in row-major order, as `f64`.
    pub fn at(&self, k: usize) -> f64 {
        with_data!(&self.data, v => v[k].to_f64())
    }

    /// Returns the MLIR type that describes exactly this array: `f64`, `tensor<4x3xf64>`.
    pub fn type_text(&self) -> String {
        if self.shape.is_empty() {
            return self.element().to_string();
        }
        let dims: String = self.shape.iter().map(|n| format!("{n}x")).collect();
        format!("tensor<{dims}{}>", self.element())
    }
}

macro_rules! data_from {
    ($($variant:ident: $t:ty),*) => {
        $(impl From<Vec<$t>> for Data {
            fn from(v: Vec<$t>) -> Data {
                Data::$variant(v)
            }
        })*
    };
}
data_from!(F16: f16, BF16: bf16, F32: f32, F64: f64, I1: bool, I8: i8, I16: i16, I32: i32, I64: i64);

/// The conversions of an element.
trait Stored: Copy {
    fn of_f64(x: f64) -> Self;
    fn to_f64(self) -> f64;
    /// Returns the element with these bits; those above its width are ignored.
    fn of_bits(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! stored_integers {
    ($($t:ty: $unsigned:ty),*) => {
        $(impl Stored for $t {
            fn of_f64(x: f64) -> $t {
                x as $t
            }
            fn to_f64(self) -> f64 {
                self as f64
            }
            fn of_bits(bits: u64) -> $t {
                bits as $t
            }
            fn bits(self) -> u64 {
                self as $unsigned as u64
            }
        })*
    };
}
stored_integers!(i8: u8, i16: u16, i32: u32, i64: u64);

macro_rules! stored_floats {
    ($($t:ty: $bits:ty),*) => {
        $(impl Stored for $t {
            fn of_f64(x: f64) -> $t {
                x as $t
            }
            fn to_f64(self) -> f64 {
                self.into()
            }
            fn of_bits(bits: u64) -> $t {
                <$t>::from_bits(bits as $bits)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        })*
    };
}
stored_floats!(f32: u32, f64: u64);

macro_rules! stored_halves {
    ($($t:ty),*) => {
        $(impl Stored for $t {
            fn of_f64(x: f64) -> $t {
                <$t>::from_f32(rounded_to_odd(x))
            }
            fn to_f64(self) -> f64 {
                self.into()
            }
            fn of_bits(bits: u64) -> $t {
                <$t>::from_bits(bits as u16)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        })*
    };
}
stored_halves!(f16, bf16);

/// Rounds a number to one of the two adjacent numbers of f32, that with an odd last bit. If the result is rounded to
/// f16 or bf16, it is the number that is nearest to `x`; rounding to the nearest f32 first could end at a neighbour.
fn rounded_to_odd(x: f64) -> f32 {
    let near = x as f32;
    match f64::from(near) {
        exact if exact == x || x.is_nan() => near,
        above if above.abs() > x.abs() => f32::from_bits((near.to_bits() - 1) | 1),
        _ => f32::from_bits(near.to_bits() | 1),
    }
}

impl Stored for bool {
    fn of_f64(x: f64) -> bool {
        x != 0.0
    }
    fn to_f64(self) -> f64 {
        self.into()
    }
    fn of_bits(bits: u64) -> bool {
        bits & 1 != 0
    }
    fn bits(self) -> u64 {
        self.into()
    }
}
