//! Arrays during emission. An array is either stored, or described by code that computes an element where it is read.

use super::Size;
use crate::ir::*;
use mlopt_dialects::sweep::ResultKind;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The value of the new program that stands for a value of the old one.
#[derive(Clone)]
pub enum Val {
    Scalar(Value),
    Array(Rc<Arr>),
}

/// An array: its sizes (one per axis), its type in the old program, and the computation of an element.
pub struct Arr {
    pub sizes: Vec<Size>,
    pub ty: Type,
    pub definition: Definition,
}

/// The computation of the element at indices that are in range.
pub enum Definition {
    /// A tensor of the new program.
    Stored(Value),
    /// A tensor of the new program with one axis: the elements in row-major order, starting at `base`.
    Flat { tensor: Value, base: Value },
    /// The same scalar at every index.
    Splat(Value),
    /// The elements of another array, whatever the first index is.
    Replicate(Rc<Arr>),
    /// Axis `j` of this array is axis `p[j]` of the other one.
    Transpose(Rc<Arr>, Vec<usize>),
    /// The subarray at leading indices; zero unless the condition `when`, if present, holds.
    Get { of: Rc<Arr>, leading: Vec<Value>, when: Option<Value> },
    /// The same elements in row-major order. With `checked`, the array may have fewer elements than the sizes require;
    /// the missing ones are zero.
    Reshape { of: Rc<Arr>, checked: bool },
    /// The rows from `start` on; zero outside the array.
    Slice { of: Rc<Arr>, start: Value },
    /// The rows in reverse order.
    Reverse(Rc<Arr>),
    /// The index itself.
    Iota,
    /// Zero except at these leading indices, where it is `of`.
    OneHot { of: Val, at: Vec<Value> },
    /// A concatenation. Each part starts at its row in `starts`; a part with one axis less is one row.
    Join { parts: Vec<Val>, starts: Vec<Size> },
    /// One op on the elements of its operands.
    Elementwise { op: Op, operands: Vec<Val> },
    /// One of two arrays, selected by a condition that is the same for all elements. With `alike`, they have the same
    /// sizes.
    Choose { condition: Value, then: Rc<Arr>, other: Rc<Arr>, alike: bool },
    /// Result `result` of a build or gather whose body has not been emitted yet.
    Build { op: Op, scope: Rc<Scope>, result: usize },
    /// A reduction over these axes.
    Reduce { of: Rc<Arr>, axes: Vec<usize>, kind: ResultKind, fastmath: Option<Attribute> },
    /// The index of the first maximum or minimum along an axis.
    Search { of: Rc<Arr>, axis: usize, kind: ResultKind },
    /// A scatter into zeros that has not been emitted yet.
    Scatter { op: Op, scope: Rc<Scope> },
    /// The elements of an array that may have smaller sizes; zero outside.
    Padded(Rc<Arr>),
}

/// The values of the old program that are known at a point, in nested regions. A body that is emitted twice has two
/// scopes.
pub struct Scope {
    values: RefCell<HashMap<Value, Val>>,
    outer: Option<Rc<Scope>>,
}

impl Scope {
    pub fn new(outer: Option<Rc<Scope>>) -> Rc<Scope> {
        Rc::new(Scope { values: RefCell::default(), outer })
    }

    /// Returns the scope inside `outer` in which the arguments of `block` have these values.
    pub fn of(outer: &Rc<Scope>, block: Block, values: impl IntoIterator<Item = Val>) -> Rc<Scope> {
        let inner = Scope::new(Some(outer.clone()));
        std::iter::zip(block.arguments(), values).for_each(|(old, new)| inner.set(old, new));
        inner
    }

    pub fn set(&self, old: Value, new: Val) {
        self.values.borrow_mut().insert(old, new);
    }

    /// # Panics
    ///
    /// Panics if `old` does not dominate its use, which the verifier excludes.
    pub fn get(&self, old: Value) -> Val {
        let scopes = std::iter::successors(Some(self), |scope| scope.outer.as_deref());
        let found = scopes.enumerate().find_map(|(k, scope)| Some((k, scope.values.borrow().get(&old)?.clone())));
        let (distance, val) = found.expect("a value is known before it is used");
        // A value found in an outer scope is recorded in this one: the next level of a deep program often reads the
        // same values.
        if distance > 0 {
            self.set(old, val.clone());
        }
        val
    }
}

impl Arr {
    pub fn shared(sizes: Vec<Size>, ty: Type, definition: Definition) -> Rc<Arr> {
        Rc::new(Arr { sizes, ty, definition })
    }

    /// Returns the subarray at these leading indices.
    pub fn behind(self: &Rc<Arr>, leading: &[Value]) -> Rc<Arr> {
        if leading.is_empty() {
            return self.clone();
        }
        let ty = Type::array(&self.ty.shape()[leading.len()..], self.ty.scalar());
        let definition = Definition::Get { of: self.clone(), leading: leading.to_vec(), when: None };
        Arr::shared(self.sizes[leading.len()..].to_vec(), ty, definition)
    }

    /// Checks whether this axis is the contiguous one in memory, as far as that is known without emitting anything.
    pub fn runs_fastest(&self, axis: usize) -> bool {
        match &self.definition {
            Definition::Transpose(x, p) => x.runs_fastest(p[axis]),
            Definition::Reverse(x) => x.runs_fastest(axis),
            Definition::Get { of, leading, .. } => of.runs_fastest(axis + leading.len()),
            Definition::Elementwise { operands, .. } => {
                operands.iter().any(|o| matches!(o, Val::Array(a) if a.runs_fastest(axis)))
            }
            _ => axis + 1 == self.sizes.len(),
        }
    }
}

impl Val {
    /// # Panics
    ///
    /// Panics if this is an array, which the verifier excludes at every call.
    pub fn scalar(&self) -> Value {
        match self {
            Val::Scalar(v) => *v,
            Val::Array(_) => panic!("a scalar is needed"),
        }
    }

    /// Returns the sizes of an array; a scalar has none.
    pub fn sizes(&self) -> &[Size] {
        match self {
            Val::Scalar(_) => &[],
            Val::Array(a) => &a.sizes,
        }
    }

    pub fn array(&self) -> Rc<Arr> {
        match self {
            Val::Array(a) => a.clone(),
            Val::Scalar(_) => panic!("an array is needed"),
        }
    }
}
