//! The machine words that represent a value at the C interface of a function of data: one word for a number, an array
//! or a list, several for a tuple.

use crate::ir::Type;
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::value::Element;
use serde::{Deserialize, Serialize};

/// The representation of values of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    Unit,
    Token,
    Number(Element),
    Array(Element, Vec<Option<usize>>),
    Tuple(Vec<Shape>),
    Record(String, Vec<(String, Shape)>),
    List(Box<Shape>),
    Random,
    Channel,
    Task,
}

impl Shape {
    /// Returns `None` for types whose values only generated code creates and inspects.
    pub fn of(ty: Type) -> Option<Shape> {
        Some(match TypeKind::of(ty) {
            TypeKind::Unit => Shape::Unit,
            TypeKind::Token => Shape::Token,
            TypeKind::Rng => Shape::Random,
            TypeKind::Chan(_) => Shape::Channel,
            TypeKind::Task(_) => Shape::Task,
            TypeKind::Array(element) if ty.is_tensor() => Shape::Array(element, ty.shape()),
            TypeKind::Array(element) => Shape::Number(element),
            TypeKind::Tuple(types) => Shape::Tuple(types.into_iter().map(Shape::of).collect::<Option<_>>()?),
            TypeKind::Record(name, fields) => {
                let field = |(name, ty)| Some((name, Shape::of(ty)?));
                Shape::Record(name, fields.into_iter().map(field).collect::<Option<_>>()?)
            }
            TypeKind::List(ty) => Shape::List(Box::new(Shape::of(ty)?)),
            _ => return None,
        })
    }

    /// Returns the number of words of a value.
    pub fn words(&self) -> usize {
        match self {
            Shape::Unit | Shape::Token => 0,
            Shape::Number(_) | Shape::Array(..) | Shape::List(_) | Shape::Channel | Shape::Task => 1,
            Shape::Random => 4,
            Shape::Tuple(all) => all.iter().map(Shape::words).sum(),
            Shape::Record(_, fields) => fields.iter().map(|(_, s)| s.words()).sum(),
        }
    }
}
