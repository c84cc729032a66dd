//! Types: a StableHLO type corresponds to the types of the *parts* of a value.
//!
//! A tensor is one part: an array, or a scalar if it has no axes. A complex tensor is two arrays, a tuple the parts of
//! its elements, and a token has no parts. Integer types lose their sign, which is in the ops.

use mlopt_dialects::ir::{Attribute, Type};

/// The arithmetic of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Bool,
    Signed,
    Unsigned,
    Float,
    Complex,
}

impl Number {
    /// Returns the arithmetic of the elements of `ty`, which has a counterpart in the array language.
    pub fn of(ty: Type) -> Number {
        let scalar = ty.scalar();
        match scalar.integer() {
            Some((1, _)) => Number::Bool,
            Some((_, true)) => Number::Unsigned,
            Some((_, false)) => Number::Signed,
            None if scalar.complex_part().is_some() => Number::Complex,
            None if scalar.is_index() => Number::Signed,
            None => Number::Float,
        }
    }
}

/// Returns the types of the parts of values of type `ty`, or `None` for a type without a counterpart.
pub fn parts(ty: Type) -> Option<Vec<Type>> {
    if !ty.is_tensor() {
        return match ty.name() {
            "stablehlo.token" => Some(Vec::new()),
            "builtin.tuple" => {
                let parts: Option<Vec<Vec<Type>>> = ty.parts().into_iter().map(parts).collect();
                Some(parts?.concat())
            }
            _ => None,
        };
    }
    let scalar = scalar(ty.scalar())?;
    let count = if ty.scalar().complex_part().is_some() { 2 } else { 1 };
    Some(vec![Type::array(&ty.shape(), scalar); count])
}

/// Returns the element type of an array of `ty` elements, or of one part of them.
pub fn scalar(ty: Type) -> Option<Type> {
    let part = ty.complex_part().unwrap_or(ty);
    let signless = part.integer().map_or(part, |(width, _)| part.context().signless(width));
    signless.element().map(|_| signless)
}

/// Returns the elements of a dense constant of integers.
pub fn integers(constant: Attribute) -> Option<Vec<i64>> {
    Some(constant.as_array_value(constant.ty())?.data().to_integers())
}
