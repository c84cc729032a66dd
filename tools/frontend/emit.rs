//! The parts of modules that all front ends emit: locations in the source, types of arrays, constants.

use crate::mlir::Type;
use mlopt_dialects::ir::{self, Attribute, Context, Location};
use mlopt_dialects::text::Span;
use mlopt_dialects::text::terms::Number;

/// Returns a position in `file`, inside locations with these names, outermost first.
pub fn location(context: Context, file: &str, at: Span, names: &[&str]) -> Location {
    let place = context.position(file, at.line, at.column);
    names.iter().rev().fold(place, |place, name| place.inside(name))
}

/// Returns an attribute that has `number` in every element of an array of type `ty`, or of a scalar.
pub fn constant(number: Number, ty: ir::Type) -> Attribute {
    let value = match number {
        Number::Bool(b) => Attribute::integer(ty.scalar(), b.into()),
        Number::Int(n) if ty.scalar().is_float() => Attribute::float(ty.scalar(), n as f64),
        Number::Int(n) => Attribute::integer(ty.scalar(), n),
        Number::Float(x) => Attribute::float(ty.scalar(), x),
    };
    if ty.is_tensor() { Attribute::splat(ty, value) } else { value }
}

impl Type {
    /// Returns this type in a context.
    pub fn in_context(&self, context: Context) -> ir::Type {
        let shape: Vec<ir::Dim> = self.shape.iter().copied().map(Some).collect();
        ir::Type::array(&shape, context.scalar(self.element))
    }
}
