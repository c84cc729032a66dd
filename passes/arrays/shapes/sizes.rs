//! The sizes of arrays whose definition determines them, and ops that change the axes of arrays.

use super::index::{self, Index};
use crate::analysis::edit;
use mlopt_dialects::ir::{Attribute, Builder, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashMap;

#[derive(Default)]
pub struct Sizes(HashMap<Value, Vec<Index>>);

impl Sizes {
    /// Returns the size of one axis; emits `array.length` only if it is not known otherwise.
    pub fn size(&self, b: Builder, x: Value, axis: usize) -> Index {
        match (x.ty().shape()[axis], self.0.get(&x)) {
            (Some(n), _) => Index::Known(n as i64),
            (None, Some(sizes)) => sizes[axis],
            (None, None) => Index::Value(b.length(x, axis)),
        }
    }

    pub fn sizes(&self, b: Builder, x: Value) -> Vec<Index> {
        (0..x.ty().rank()).map(|axis| self.size(b, x, axis)).collect()
    }

    /// Records the sizes of `x`, and returns `x`.
    pub fn sized(&mut self, x: Value, sizes: &[Index]) -> Value {
        self.0.insert(x, sizes.to_vec());
        x
    }

    /// Removes a value that is about to be erased: another one may be allocated at its address.
    pub fn forget(&mut self, x: Value) {
        self.0.remove(&x);
    }

    /// Checks whether `x` is known to have these sizes.
    pub fn has(&self, x: Value, sizes: &[Index]) -> bool {
        let own = self.0.get(&x);
        let agree = |(axis, (d, &size)): (usize, (Option<usize>, &Index))| match d {
            Some(n) => !matches!(size, Index::Known(size) if size != n as i64),
            None => own.is_some_and(|own| own[axis].is_same(size)) || size.is_length(x, axis),
        };
        let shape = x.ty().shape();
        shape.len() == sizes.len() && shape.into_iter().zip(sizes).enumerate().all(agree)
    }

    /// Returns `x` at the type `ty` with these sizes: a reshape, unless `x` is known to have them.
    pub fn retyped(&mut self, b: Builder, x: Value, ty: Type, sizes: &[Index]) -> Value {
        if x.ty() == ty && self.has(x, sizes) {
            return x;
        }
        let z = b.unary(Kind::ArrayReshape, &[&[x], run_time(b, ty, sizes).as_slice()].concat(), ty);
        self.sized(z, sizes)
    }

    /// Returns an array of this type and these sizes, with every element `scalar`.
    pub fn filled(&mut self, b: Builder, scalar: Value, ty: Type, sizes: &[Index]) -> Value {
        let is_static = ty.shape().iter().all(Option::is_some);
        if let (Some(value), true) = (edit::constant(scalar), is_static) {
            return b.constant(Attribute::splat(ty, value), ty);
        }
        if ty.rank() == 0 {
            return self.retyped(b, scalar, ty, &[]);
        }
        let dims = ty.shape();
        let mut z = scalar;
        for axis in (0..dims.len()).rev() {
            let extent = if dims[axis].is_none() { sizes[axis].value(b) } else { z };
            z = b.replicate(z, dims[axis], extent);
        }
        self.sized(z, sizes)
    }
}

/// Returns operands for the `?` of `ty`.
fn run_time(b: Builder, ty: Type, sizes: &[Index]) -> Vec<Value> {
    ty.shape().iter().zip(sizes).filter(|(d, _)| d.is_none()).map(|(_, n)| n.value(b)).collect()
}

/// Returns the element or subarray at a position; the element of a scalar is itself.
pub fn element(b: Builder, x: Value, position: &[Value]) -> Value {
    match (x.ty().is_tensor(), position) {
        (false, _) => x,
        (true, []) if x.ty().rank() == 0 => match x.defining_op() {
            Some((maker, _)) if maker.kind() == Kind::ArrayReshape && !maker.operand(0).ty().is_tensor() => {
                maker.operand(0)
            }
            _ => b.reshape(x, &[], &[]),
        },
        (true, []) => x,
        (true, _) => b.get(x, position),
    }
}

/// Copies `x` along a new outermost axis of size `n`.
pub fn replicate(b: Builder, x: Value, n: Index) -> Value {
    let (dims, extents) = index::sizes(b, &[n]);
    b.replicate(x, dims[0], extents.first().copied().unwrap_or(x))
}

/// Transposes an array over the loops `from` to the loops `to`, a permutation of these.
pub fn turned(b: Builder, x: Value, from: &[usize], to: &[usize]) -> Value {
    if from == to {
        return x;
    }
    let axis = |d: &usize| from.iter().position(|f| f == d).expect("the loops are the same");
    b.transpose(x, &to.iter().map(axis).collect::<Vec<_>>())
}

/// Returns `x`, whose axes are the loops `from`, as an array over the loops `to`, which contain these; `extents` has
/// the extent of each loop.
pub fn spread(b: Builder, x: Value, from: &[usize], to: &[usize], extents: &[Index]) -> Value {
    let missing: Vec<usize> = to.iter().copied().filter(|d| !from.contains(d)).collect();
    let copies = missing.iter().rev().fold(x, |x, &d| replicate(b, x, extents[d]));
    turned(b, copies, &[missing.as_slice(), from].concat(), to)
}
