//! Types of arrays at the boundary, with signs: compiled code has integers without signs.

use crate::error::Error;
use mlopt_stablehlo::{FloatKind, Signedness, Type};
use std::ffi::c_int;
use std::fmt;

/// The element types of buffers, with their numbers in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Element {
    Pred = 1,
    S8,
    S16,
    S32,
    S64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    Bf16,
    C64,
    C128,
}

impl Element {
    /// Every element type, in the order of their numbers, which begin with 1.
    pub const ALL: [Element; 15] = {
        use Element::*;
        [Pred, S8, S16, S32, S64, U8, U16, U32, U64, F16, F32, F64, Bf16, C64, C128]
    };

    /// Returns the element type of a number of the API.
    pub fn from_number(number: c_int) -> Result<Element, Error> {
        let found = Element::ALL.into_iter().find(|&element| element as c_int == number);
        found.ok_or_else(|| Error::unimplemented(format!("not supported: buffers of element type number {number}")))
    }

    /// Returns the element type of a tensor of StableHLO.
    fn of(ty: &Type) -> Option<Element> {
        use Element::*;
        let is_unsigned = |signedness: &Signedness| *signedness == Signedness::Unsigned;
        Some(match ty {
            Type::Integer { width: 1, .. } => Pred,
            Type::Integer { width: 8, signedness } => [S8, U8][usize::from(is_unsigned(signedness))],
            Type::Integer { width: 16, signedness } => [S16, U16][usize::from(is_unsigned(signedness))],
            Type::Integer { width: 32, signedness } => [S32, U32][usize::from(is_unsigned(signedness))],
            Type::Integer { width: 64, signedness } => [S64, U64][usize::from(is_unsigned(signedness))],
            Type::Float(FloatKind::F16) => F16,
            Type::Float(FloatKind::Bf16) => Bf16,
            Type::Float(FloatKind::F32) => F32,
            Type::Float(FloatKind::F64) => F64,
            Type::Complex(part) => match &**part {
                Type::Float(FloatKind::F32) => C64,
                Type::Float(FloatKind::F64) => C128,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns the size of an element in bytes.
    pub fn bytes(self) -> usize {
        use Element::*;
        match self {
            Pred | S8 | U8 => 1,
            S16 | U16 | F16 | Bf16 => 2,
            S32 | U32 | F32 => 4,
            S64 | U64 | F64 | C64 => 8,
            C128 => 16,
        }
    }

    /// Returns the alignment of an element in bytes: complex numbers are aligned as their parts.
    pub fn alignment(self) -> usize {
        self.part().unwrap_or(self).bytes()
    }

    /// Returns the type of the parts of a complex number.
    pub fn part(self) -> Option<Element> {
        match self {
            Element::C64 => Some(Element::F32),
            Element::C128 => Some(Element::F64),
            _ => None,
        }
    }

    /// Returns the name that JAX gives the type.
    pub fn name(self) -> &'static str {
        use Element::*;
        match self {
            Pred => "bool",
            S8 => "int8",
            S16 => "int16",
            S32 => "int32",
            S64 => "int64",
            U8 => "uint8",
            U16 => "uint16",
            U32 => "uint32",
            U64 => "uint64",
            F16 => "float16",
            F32 => "float32",
            F64 => "float64",
            Bf16 => "bfloat16",
            C64 => "complex64",
            C128 => "complex128",
        }
    }
}

/// The type of an array. Its elements are contiguous in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayType {
    pub element: Element,
    pub dims: Vec<i64>,
    bytes: usize,
}

impl ArrayType {
    /// Returns the type, if the array fits the address space.
    pub fn new(element: Element, dims: &[i64]) -> Result<ArrayType, Error> {
        let sizes = dims.iter().map(|&n| usize::try_from(n));
        let sizes: Vec<usize> = sizes
            .collect::<Result<_, _>>()
            .map_err(|_| Error::invalid(format!("expected dimensions of at least 0, found {dims:?}")))?;
        // An array with an extent of zero is empty, whatever the other extents are.
        let empty = sizes.contains(&0).then_some(0);
        let bytes = empty.or_else(|| sizes.iter().try_fold(element.bytes(), |bytes, &n| bytes.checked_mul(n)));
        match bytes.filter(|&bytes| isize::try_from(bytes).is_ok()) {
            Some(bytes) => Ok(ArrayType { element, dims: dims.to_vec(), bytes }),
            None => {
                Err(Error::invalid(format!("expected an array of less than 2^63 bytes, found dimensions {dims:?}")))
            }
        }
    }

    /// Returns the type of a tensor of StableHLO. `what` describes its place in the program.
    pub fn of(ty: &Type, what: impl fmt::Display) -> Result<ArrayType, Error> {
        let wrong = |text: &str| Err(Error::unimplemented(format!("not supported: {what} {text}")));
        let Type::Tensor { shape, element, .. } = ty else {
            return wrong(&format!("is not an array: found {}", kind(ty)));
        };
        let Some(element) = Element::of(element) else {
            return wrong(&format!("has elements of type {}", kind(element)));
        };
        let dims = shape.iter().map(|n| i64::try_from((*n)?).ok());
        match dims.collect::<Option<Vec<i64>>>() {
            Some(dims) => ArrayType::new(element, &dims),
            None => wrong("has a dimension whose size is not known"),
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the distances of neighbours in bytes, for each axis.
    pub fn strides(&self) -> Vec<i64> {
        let order: Vec<usize> = (0..self.dims.len()).rev().collect();
        self.strides_in_order(&order)
    }

    /// Returns the strides of an array whose axes have the order `minor_to_major` in memory, without gaps.
    pub fn strides_in_order(&self, minor_to_major: &[usize]) -> Vec<i64> {
        let mut strides = vec![0; self.dims.len()];
        let mut next = self.element.bytes() as i64;
        for &axis in minor_to_major {
            strides[axis] = next;
            next = next.saturating_mul(self.dims[axis].max(1));
        }
        strides
    }
}

impl fmt::Display for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<String> = self.dims.iter().map(i64::to_string).collect();
        write!(f, "{}[{}]", self.element.name(), dims.join(","))
    }
}

/// Describes a type in an error message.
fn kind(ty: &Type) -> String {
    match ty {
        Type::Integer { width, .. } => format!("a {width}-bit integer"),
        Type::Float(FloatKind::Other { name, .. }) => (*name).to_string(),
        Type::Float(FloatKind::Tf32) => "tf32".to_string(),
        Type::Token => "a token".to_string(),
        Type::Quantized(_) => "a quantized number".to_string(),
        Type::Tuple(_) => "a tuple".to_string(),
        Type::UnrankedTensor(_) => "an unranked tensor".to_string(),
        Type::Other(text) => text.clone(),
        other => format!("{other:?}"),
    }
}
