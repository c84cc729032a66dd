//! The structure of matrices, as a part of their types: symmetry, and the diagonals that are known to be zero
//! (`spec/functional.md` A.7).
//!
//! A structure states only properties that hold, but it need not state all of them. The general structure, which states
//! none, is therefore correct for every matrix.

use crate::ir::{Attribute, Context, Dim, Type};
use crate::ops::ToAttribute;
use crate::ops::lambda::MatrixAttr;
use crate::value::Array;
use std::fmt;

/// A number of diagonals, including the main one; `None` stands for all of them.
pub type Band = Option<i64>;

/// A matrix whose nonzero elements are in the `lower` diagonals at and below the main one, and in the `upper` ones at
/// and above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Structure {
    pub lower: Band,
    pub upper: Band,
    pub symmetric: bool,
}

/// The structure without known properties.
pub const GENERAL: Structure = Structure { lower: None, upper: None, symmetric: false };
pub const DIAGONAL: Structure = Structure { lower: Some(1), upper: Some(1), symmetric: true };

fn wider(a: Band, b: Band) -> Band {
    Some(a?.max(b?))
}

fn narrower(a: Band, b: Band) -> Band {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Structure {
    pub fn banded(lower: i64, upper: i64) -> Structure {
        let band = |k: i64| (k >= 0).then_some(k);
        Structure { lower: band(lower), upper: band(upper), symmetric: false }.known()
    }

    /// Adds the properties that follow from the bands alone.
    fn known(self) -> Structure {
        let is_diagonal = self.is_diagonal();
        Structure { symmetric: self.symmetric || is_diagonal, ..self }
    }

    pub fn is_diagonal(self) -> bool {
        self.lower.is_some_and(|k| k <= 1) && self.upper.is_some_and(|k| k <= 1)
    }

    /// Checks whether the element at a position may be nonzero.
    pub fn may_hold(self, i: i64, j: i64) -> bool {
        self.lower.is_none_or(|k| i - j < k) && self.upper.is_none_or(|k| j - i < k)
    }

    pub fn is_general(self) -> bool {
        self == GENERAL
    }

    /// Returns the bands as pairs of numbers, with -1 for all diagonals.
    pub fn bands(self) -> [i64; 2] {
        [self.lower.unwrap_or(-1), self.upper.unwrap_or(-1)]
    }

    /// Returns the structure in the type of a matrix.
    pub fn of_type(ty: Type) -> Structure {
        let Some(encoding) = ty.encoding() else { return GENERAL };
        // Other dialects have encodings too; `lambda.matrix` is the only one with integer parameters of ours.
        let Some([lower, upper, symmetric]) = encoding.integers().as_deref().and_then(<[i64]>::first_chunk).copied()
        else {
            return GENERAL;
        };
        Structure { symmetric: symmetric != 0, ..Structure::banded(lower, upper) }.known().within(&ty.shape())
    }

    /// Returns the encoding with this structure.
    pub fn attribute(self, context: Context) -> Attribute {
        let [lower, upper] = self.bands();
        MatrixAttr { lower, upper, symmetric: self.symmetric }.to_attribute(context)
    }

    /// Removes bands that are as wide as the matrix, which state nothing.
    pub fn within(self, shape: &[Dim]) -> Structure {
        let [rows, columns] = shape else { return GENERAL };
        let clip = |band: Band, n: &Dim| band.filter(|k| n.is_none_or(|n| *k < n as i64));
        // A matrix of one row is diagonal for any value.
        let small = |n: &Dim| *n == Some(1);
        Structure {
            lower: if small(rows) { self.lower } else { clip(self.lower, rows) },
            upper: if small(columns) { self.upper } else { clip(self.upper, columns) },
            symmetric: self.symmetric && rows == columns,
        }
    }

    /// Returns the properties that hold if both structures hold.
    pub fn and(self, other: Structure) -> Structure {
        Structure {
            lower: narrower(self.lower, other.lower),
            upper: narrower(self.upper, other.upper),
            symmetric: self.symmetric || other.symmetric,
        }
        .balanced()
    }

    /// Makes the bands of a symmetric matrix equal.
    fn balanced(self) -> Structure {
        if !self.symmetric {
            return self.known();
        }
        let band = narrower(self.lower, self.upper);
        Structure { lower: band, upper: band, ..self }
    }

    /// Returns the structure of a sum or a difference, or of either operand.
    pub fn sum(self, other: Structure) -> Structure {
        Structure {
            lower: wider(self.lower, other.lower),
            upper: wider(self.upper, other.upper),
            symmetric: self.symmetric && other.symmetric,
        }
        .known()
    }

    /// Returns the structure of the elementwise product.
    pub fn elementwise_product(self, other: Structure) -> Structure {
        Structure {
            lower: narrower(self.lower, other.lower),
            upper: narrower(self.upper, other.upper),
            symmetric: self.symmetric && other.symmetric,
        }
        .known()
    }

    /// Returns the structure after an elementwise function; `keeps_zero` states whether the function is zero at zero.
    pub fn elementwise(self, keeps_zero: bool) -> Structure {
        if keeps_zero { self } else { Structure { symmetric: self.symmetric, ..GENERAL } }
    }

    /// Returns the structure of the product of matrices.
    pub fn product(self, other: Structure) -> Structure {
        let band = |a: Band, b: Band| Some(a? + b? - 1);
        let symmetric = self.is_diagonal() && other.is_diagonal();
        Structure { lower: band(self.lower, other.lower), upper: band(self.upper, other.upper), symmetric }
    }

    pub fn transpose(self) -> Structure {
        Structure { lower: self.upper, upper: self.lower, ..self }
    }

    /// Returns the structure of the inverse: diagonal and triangular matrices keep their structure, other bands are
    /// lost.
    pub fn inverse(self) -> Structure {
        let is_lower = self.upper == Some(1);
        let is_upper = self.lower == Some(1);
        let keeps = |is: bool| if is { Some(1) } else { None };
        Structure { lower: keeps(is_upper), upper: keeps(is_lower), symmetric: self.symmetric }.known()
    }

    /// Returns the structure after one element at a known position is replaced.
    pub fn with_element(self, i: i64, j: i64) -> Structure {
        Structure {
            lower: self.lower.map(|k| k.max(i - j + 1)),
            upper: self.upper.map(|k| k.max(j - i + 1)),
            symmetric: self.symmetric && i == j,
        }
        .known()
    }

    /// Returns the structure of a constant, or `None` for attributes without numbers.
    pub fn of_constant(value: Attribute, ty: Type) -> Option<Structure> {
        let (Some(_), [Some(rows), Some(columns)]) = (value.splat_value(), &ty.shape()[..]) else {
            return Some(Structure::of(&value.as_array_value(ty)?));
        };
        let is_zero = value.distinct_numbers(ty)?.iter().all(|x| *x == 0.0);
        let band = |n: usize| Some(if is_zero { 1 } else { n.max(1) as i64 });
        Some(Structure { lower: band(*rows), upper: band(*columns), symmetric: rows == columns })
    }

    /// Returns the structure of these numbers.
    pub fn of(x: &Array) -> Structure {
        let [rows, columns] = *x.shape() else { return GENERAL };
        let numbers = x.to_f64();
        let (mut lower, mut upper, mut symmetric) = (1, 1, rows == columns);
        for i in 0..rows {
            for j in 0..columns {
                let element = numbers[i * columns + j];
                if element != 0.0 {
                    lower = lower.max(i as i64 - j as i64 + 1);
                    upper = upper.max(j as i64 - i as i64 + 1);
                }
                symmetric = symmetric && element == numbers[j * columns + i];
            }
        }
        Structure { lower: Some(lower), upper: Some(upper), symmetric }
    }

    /// Checks whether this structure states a property that does not hold in the exactly known one.
    pub fn claims_more_than(self, exact: Structure) -> bool {
        let exceeds = |claim: Band, band: Band| claim.is_some_and(|k| band.is_none_or(|b| b > k));
        exceeds(self.lower, exact.lower) || exceeds(self.upper, exact.upper) || self.symmetric && !exact.symmetric
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [lower, upper] = self.bands();
        write!(f, "#lambda.matrix<bands = [{lower}, {upper}]{}>", if self.symmetric { ", symmetric" } else { "" })
    }
}

/// Returns the error in an encoding of a tensor of this shape, in which negative sizes are dynamic.
pub fn wrong(shape: &[i64], encoding: Attribute) -> Option<&'static std::ffi::CStr> {
    let [lower, upper, symmetric] = encoding.integers()?[..] else { return None };
    let symmetric = symmetric != 0;
    let [rows, columns] = *shape else { return Some(c"'lambda.matrix' requires a tensor with two axes") };
    if [lower, upper].iter().any(|k| *k < 1 && *k != -1) {
        return Some(c"each band of 'lambda.matrix' must be a positive number of diagonals, or -1 for all diagonals");
    }
    if symmetric && lower != upper {
        return Some(c"a symmetric 'lambda.matrix' must have two equal bands, found different ones");
    }
    if symmetric && rows >= 0 && columns >= 0 && rows != columns {
        return Some(c"a symmetric 'lambda.matrix' requires a square tensor");
    }
    None
}
