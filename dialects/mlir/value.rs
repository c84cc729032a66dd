//! Values at run time: the results of evaluators, the input and output of the command line, and the arguments of
//! compiled code.
//!
//! A scalar is an array of rank 0 (`spec/arrays.md` A.1). Elements are stored contiguously in row-major order.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// The element types of the array language. `index` is 64 bits wide everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Element {
    F32,
    F64,
    I1,
    I32,
    I64,
    Index,
}

impl Element {
    /// Returns the size in bytes of one element in memory, in the evaluator and in compiled code.
    pub fn bytes(self) -> usize {
        match self {
            Element::I1 => 1,
            Element::F32 | Element::I32 => 4,
            Element::F64 | Element::I64 | Element::Index => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Element::F32 | Element::F64)
    }

    /// Returns the type's name in MLIR text.
    pub fn name(self) -> &'static str {
        match self {
            Element::F32 => "f32",
            Element::F64 => "f64",
            Element::I1 => "i1",
            Element::I32 => "i32",
            Element::I64 => "i64",
            Element::Index => "index",
        }
    }

    pub fn from_name(name: &str) -> Option<Element> {
        [Element::F32, Element::F64, Element::I1, Element::I32, Element::I64, Element::Index]
            .into_iter()
            .find(|e| e.name() == name)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The elements of an array, row-major.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I1(Vec<bool>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    Index(Vec<i64>),
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
            $crate::value::Data::F32($v) => $body,
            $crate::value::Data::F64($v) => $body,
            $crate::value::Data::I1($v) => $body,
            $crate::value::Data::I32($v) => $body,
            $crate::value::Data::I64($v) => $body,
            $crate::value::Data::Index($v) => $body,
        }
    };
}

impl Data {
    pub fn zeros(element: Element, len: usize) -> Data {
        match element {
            Element::F32 => Data::F32(vec![0.0; len]),
            Element::F64 => Data::F64(vec![0.0; len]),
            Element::I1 => Data::I1(vec![false; len]),
            Element::I32 => Data::I32(vec![0; len]),
            Element::I64 => Data::I64(vec![0; len]),
            Element::Index => Data::Index(vec![0; len]),
        }
    }

    /// Converts numbers to elements of a type. Those of f32 are rounded, integers truncated, and only zero is false.
    pub fn of_f64(element: Element, numbers: impl IntoIterator<Item = f64>) -> Data {
        let numbers = numbers.into_iter();
        match element {
            Element::F32 => Data::F32(numbers.map(|x| x as f32).collect()),
            Element::F64 => Data::F64(numbers.collect()),
            Element::I1 => Data::I1(numbers.map(|x| x != 0.0).collect()),
            Element::I32 => Data::I32(numbers.map(|x| x as i32).collect()),
            Element::I64 => Data::I64(numbers.map(|x| x as i64).collect()),
            Element::Index => Data::Index(numbers.map(|x| x as i64).collect()),
        }
    }

    /// Parses a number, or returns `None`.
    pub fn parsed(text: &str, element: Element) -> Option<Data> {
        Some(match element {
            Element::F32 => Data::F32(vec![text.parse().ok()?]),
            Element::F64 => Data::F64(vec![text.parse().ok()?]),
            Element::I1 => Data::I1(vec![text.parse().ok()?]),
            Element::I32 => Data::I32(vec![text.parse().ok()?]),
            Element::I64 => Data::I64(vec![text.parse().ok()?]),
            Element::Index => Data::Index(vec![text.parse().ok()?]),
        })
    }

    pub fn element(&self) -> Element {
        match self {
            Data::F32(_) => Element::F32,
            Data::F64(_) => Element::F64,
            Data::I1(_) => Element::I1,
            Data::I32(_) => Element::I32,
            Data::I64(_) => Element::I64,
            Data::Index(_) => Element::Index,
        }
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
        match (self, other) {
            (Data::F32(v), Data::F32(w)) => v.extend_from_slice(&w[range]),
            (Data::F64(v), Data::F64(w)) => v.extend_from_slice(&w[range]),
            (Data::I1(v), Data::I1(w)) => v.extend_from_slice(&w[range]),
            (Data::I32(v), Data::I32(w)) => v.extend_from_slice(&w[range]),
            (Data::I64(v), Data::I64(w)) | (Data::Index(v), Data::Index(w)) => v.extend_from_slice(&w[range]),
            (v, w) => panic!("elements of {} cannot be appended to elements of {}", w.element(), v.element()),
        }
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

    /// Returns an array of this shape and type whose elements are converted from these numbers.
    pub fn with_f64(&self, numbers: impl IntoIterator<Item = f64>) -> Array {
        Array::new(self.shape.clone(), Data::of_f64(self.element(), numbers))
    }

    /// Returns element `k`, in row-major order, as `f64`.
    pub fn at(&self, k: usize) -> f64 {
        match &self.data {
            Data::F32(v) => v[k].into(),
            Data::F64(v) => v[k],
            Data::I1(v) => v[k].into(),
            Data::I32(v) => v[k].into(),
            Data::I64(v) | Data::Index(v) => v[k] as f64,
        }
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
data_from!(F32: f32, F64: f64, I1: bool, I32: i32, I64: i64);
