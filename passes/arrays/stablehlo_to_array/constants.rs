//! Constants.

use super::types::{self, Number};
use super::{Parts, Result};
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};

/// Returns the parts of a constant.
pub fn constant(b: Builder, op: Op) -> Result<Parts> {
    let value = op.attribute("value").expect("verified: a constant has a value");
    let ty = op.result(0).ty();
    let parts = types::parts(ty).expect("checked: the type has a counterpart");
    let unknown = || op.not_supported("expected a dense constant; complex elements are pairs `(re, im)`");
    let scalar = types::scalar(ty.scalar()).expect("checked: the type has a counterpart");
    let dense = |elements: Attribute| constant_of(b, elements, parts[0]);
    if Number::of(ty) == Number::Bool || (parts.len() == 1 && ty.scalar() == scalar) {
        return Ok(vec![dense(value).ok_or_else(unknown)?]);
    }
    let width = scalar.float_width().or(scalar.integer().map(|(width, _)| width)).unwrap_or(64) as usize / 8;
    let static_type = Type::tensor(&ty.shape(), scalar);
    let bytes = value.dense_bytes(width * parts.len()).ok_or_else(unknown)?;
    let part = |k: usize| -> Vec<u8> { bytes.chunks(width).skip(k).step_by(parts.len()).flatten().copied().collect() };
    let of_part = |k: usize| dense(Attribute::of_dense_bytes(static_type, &part(k))?);
    (0..parts.len()).map(|k| of_part(k).ok_or_else(unknown)).collect()
}

/// Creates the constant with these dense elements; a scalar if `ty` is one.
fn constant_of(b: Builder, elements: Attribute, ty: Type) -> Option<Value> {
    if ty.is_tensor() {
        return elements.is_dense_elements().then(|| b.constant(elements, ty));
    }
    elements.splat_value().map(|value| b.constant(value, ty))
}
