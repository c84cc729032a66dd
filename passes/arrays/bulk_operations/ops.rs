//! Properties of the ops of `array`, and functions that create copies of ops with other operands and types.

use super::ranges::Ranges;
use super::simplify::transposed;
use crate::analysis::edit;
pub use crate::analysis::edit::Extent;
use mlopt_dialects::ir::{Attribute, Builder, Dim, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use std::collections::HashMap;

/// The values of the new program by those of the old one; missing values are unchanged.
pub type Map = HashMap<Value, Value>;

/// Returns the operands of a list of extents, in order.
pub fn operands(extents: &[Extent]) -> Vec<Value> {
    extents.iter().filter_map(|e| e.operand()).collect()
}

/// Returns the sizes of a list of extents.
pub fn dims(extents: &[Extent]) -> Vec<Dim> {
    extents.iter().map(|e| e.dim()).collect()
}

/// Returns the extents of the index space of `array.build` and `array.gather`.
pub fn extents(op: Op) -> Vec<Extent> {
    let k = op.body().map_or(0, |b| b.num_arguments());
    let first = usize::from(op.kind() == Kind::ArrayGather);
    Extent::all(&op.result(0).ty().shape()[..k], &op.operands()[first..])
}

/// Returns the axes of a reduction, or the axis of a search.
pub fn axes(op: Op) -> Vec<usize> {
    match op.kind() {
        Kind::ArrayArgmax | Kind::ArrayArgmin => vec![axis(op)],
        _ => {
            let axes = op.attribute("axes").and_then(Attribute::as_i64_array);
            axes.map_or(vec![0], |a| a.into_iter().map(|a| a as usize).collect())
        }
    }
}

/// Returns the attribute `axis`, by default the outermost.
pub fn axis(op: Op) -> usize {
    op.attribute("axis").and_then(Attribute::as_i64).unwrap_or(0) as usize
}

pub fn permutation(op: Op) -> Vec<usize> {
    let p = op.attribute("permutation").and_then(Attribute::as_i64_array).unwrap_or_default();
    p.into_iter().map(|j| j as usize).collect()
}

/// Returns the values that the region of an op yields.
pub fn yields(op: Op) -> Vec<Value> {
    op.body().map(edit::yielded).unwrap_or_default()
}

/// Returns the terminators of the regions of an op.
pub fn ends(op: Op) -> Vec<Op> {
    op.regions().into_iter().filter_map(|r| r.first_block()?.terminator()).collect()
}

/// Returns the attribute of a reduction over `axes`, or of a search along the first of them.
pub fn axes_attribute(op: Op, axes: impl Iterator<Item = usize>) -> (&'static str, Attribute) {
    let axes: Vec<i64> = axes.map(|axis| axis as i64).collect();
    let context = op.context();
    match is_search(op.kind()) {
        true => ("axis", Attribute::integer(context.scalar(Element::I64), axes[0])),
        false => ("axes", context.i64_array_attr(&axes)),
    }
}

pub fn is_reduction(kind: Kind) -> bool {
    matches!(kind, Kind::ArraySum | Kind::ArrayProd | Kind::ArrayMax | Kind::ArrayMin)
}

pub fn is_search(kind: Kind) -> bool {
    matches!(kind, Kind::ArrayArgmax | Kind::ArrayArgmin)
}

/// Checks whether each element of the results depends only on the elements of the operands at the same position. The
/// condition of `arith.select` may be a scalar.
pub fn is_elementwise(op: Op) -> bool {
    let kind = op.kind();
    let known = matches!(kind.dialect(), "arith" | "math");
    let total = matches!(kind, Kind::ArrayDiv | Kind::ArrayMod | Kind::ArrayFloor);
    (known || total) && kind != Kind::ArithConstant && op.num_operands() > 0 && op.num_results() > 0
}

/// Checks whether an op with its regions may be executed speculatively: it has no effects, no undefined behaviour, and
/// terminates.
pub fn is_speculatable(op: Op) -> bool {
    is_total(op) && op.nested_ops().into_iter().all(is_total)
}

/// As [`is_speculatable`], without the nested ops.
pub fn is_total(op: Op) -> bool {
    match op.kind() {
        Kind::ScfIf => true,
        Kind::ScfFor => Ranges::default().constant(op.operand(2)).is_some_and(|step| step > 0),
        _ => op.is_pure(),
    }
}

/// Checks whether a value is a scalar.
pub fn is_scalar(v: Value) -> bool {
    !v.ty().is_tensor()
}

/// A constant with equal elements.
pub enum Splat {
    /// An `arith.constant` of this element.
    Arith(Attribute),
    /// A `dual.zero` or `dual.one`.
    Dual(Kind),
}

impl Splat {
    pub fn of(v: Value) -> Option<Splat> {
        let (op, _) = v.defining_op()?;
        match op.kind() {
            kind @ (Kind::DualZero | Kind::DualOne) => Some(Splat::Dual(kind)),
            Kind::ArithConstant => {
                let value = op.attribute("value")?;
                if v.ty().is_tensor() { value.splat_value() } else { Some(value) }.map(Splat::Arith)
            }
            _ => None,
        }
    }

    /// Emits the constant at a type with static sizes.
    pub fn at_type(&self, b: Builder, ty: Type) -> Value {
        match self {
            Splat::Arith(value) if ty.is_tensor() => b.constant(Attribute::splat(ty, *value), ty),
            Splat::Arith(value) => b.constant(*value, ty),
            Splat::Dual(kind) => b.unary(kind, &[], ty),
        }
    }
}

/// Checks whether all sizes of a type are static.
pub fn is_static(ty: Type) -> bool {
    ty.shape().iter().all(Option::is_some)
}

/// Builders of `array` code beyond those of the dialect.
pub trait Emit: Copy + Into<Builder> {
    /// Emits an op like `op`, which has no regions, with its attributes except for the given ones.
    fn rebuild(self, op: Op, operands: &[Value], types: &[Type], attributes: &[(&str, Attribute)]) -> Vec<Value> {
        let b: Builder = self.into();
        let kept = op.attributes().into_iter().filter(|(name, _)| attributes.iter().all(|(n, _)| *n != name));
        let copy = b.op(op.name()).operands(operands).results(types).attributes(kept);
        b.insert(copy.attributes(attributes.iter().copied()).build()).results()
    }

    /// Copies `op` with its regions, on the new values of its operands. Records those of its results in `map`.
    fn copy(self, op: Op, map: &mut Map) -> Op {
        let copy = self.into().insert(op.clone_op());
        copy.replace_operands(|v| map.get(&v).copied());
        map.extend(op.results().into_iter().zip(copy.results()));
        copy
    }

    /// Emits zeros with the type and sizes of `like`: plain ones, since a read out of range returns an ordinary number.
    fn zeros_like(self, like: Value) -> Value {
        self.zeros(like.ty(), &self.into().extents(like, like.ty().rank()))
    }

    /// Emits zeros of a type whose dynamic sizes are `sizes`.
    fn zeros(self, ty: Type, sizes: &[Value]) -> Value {
        let zero = edit::zero_of(ty.scalar());
        if is_static(ty) {
            return self.into().splat(zero, ty);
        }
        // The innermost static axes become one constant.
        let shape = ty.shape();
        let known = shape.iter().rev().take_while(|d| d.is_some()).count();
        let inner = Type::array(&shape[shape.len() - known..], ty.scalar());
        let mut z = self.zeros(inner, &[]);
        for extent in Extent::all(&shape[..shape.len() - known], sizes).into_iter().rev() {
            z = self.replicated(z, extent);
        }
        z
    }

    /// Emits an `array.gather` over `extents`; `body` gets the indices and returns the position in `x`.
    fn gather_over(self, x: Value, extents: &[Extent], body: impl FnOnce(Builder, &[Value]) -> Vec<Value>) -> Value {
        self.into().gather(x, &dims(extents), &operands(extents), body)
    }

    /// Emits an `array.replicate` along an extent.
    fn replicated(self, x: Value, extent: Extent) -> Value {
        // The operand is used only if the extent is dynamic.
        self.into().replicate(x, extent.dim(), extent.operand().unwrap_or(x))
    }

    /// Exchanges the two outermost axes.
    fn swapped(self, x: Value) -> Value {
        let mut p: Vec<usize> = (0..x.ty().rank()).collect();
        p.swap(0, 1);
        transposed(self.into(), x, &p)
    }

    /// Emits an op on two values of one type; folds sums, differences and products of constant indices.
    fn binary(self, kind: Kind, a: Value, b: Value) -> Value {
        let known = |v: Value| edit::known(v).filter(|_| v.ty().is_index());
        let folded = match (kind, known(a), known(b)) {
            (Kind::ArithAddi, Some(a), Some(b)) => Some(a.wrapping_add(b)),
            (Kind::ArithSubi, Some(a), Some(b)) => Some(a.wrapping_sub(b)),
            (Kind::ArithMuli, Some(a), Some(b)) => Some(a.wrapping_mul(b)),
            (Kind::ArithAddi | Kind::ArithSubi, _, Some(0)) | (Kind::ArithMuli, _, Some(1)) => return a,
            (Kind::ArithAddi, Some(0), _) | (Kind::ArithMuli, Some(1), _) => return b,
            _ => None,
        };
        folded.map_or_else(|| self.into().unary(kind, &[a, b], a.ty()), |n| self.into().index(n))
    }
}

impl Emit for Builder {}
