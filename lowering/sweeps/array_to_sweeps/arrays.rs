//! Arrays as the pass knows them while it emits: stored ones, and ways to compute an element when it is asked for.

use super::sizes::Size;
use crate::ir::*;
use mlopt_dialects::sweep::Kind;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What a value of the old program is in the new one.
#[derive(Clone)]
pub enum Val {
    Scalar(Value),
    Array(Rc<Arr>),
}

/// An array: its sizes (one per axis), its type in the old program, and how to get an element.
pub struct Arr {
    pub sizes: Vec<Size>,
    pub ty: Type,
    pub how: How,
}

/// How to get the element at indices that are in range.
pub enum How {
    /// A tensor of the new program.
    Stored(Value),
    /// A tensor of the new program with one axis: the elements in row-major order, from `base` on.
    Flat { tensor: Value, base: Value },
    /// The same scalar everywhere.
    Splat(Value),
    /// Without the first index.
    Replicate(Rc<Arr>),
    /// Axis `j` here is axis `p[j]` there.
    Transpose(Rc<Arr>, Vec<usize>),
    /// Behind leading indices; zero unless the condition holds, where there is one.
    Get { of: Rc<Arr>, leading: Vec<Value>, when: Option<Value> },
    /// The same elements in row-major order. `checked`: there may be fewer than the sizes say; zero where there is none.
    Reshape { of: Rc<Arr>, checked: bool },
    /// From this row on; zero outside.
    Slice { of: Rc<Arr>, start: Value },
    /// The rows from the last to the first.
    Reverse(Rc<Arr>),
    /// The index itself.
    Iota,
    /// Zero but at these leading indices.
    OneHot { of: Val, at: Vec<Value> },
    /// One part after the other, each from its row on; a part with one axis less is one row.
    Join { parts: Vec<Val>, starts: Vec<Size> },
    /// One op on the elements of its operands.
    Elementwise { op: Op, operands: Vec<Val> },
    /// One of two arrays, by a condition that is the same for all elements. `alike`: they have the same sizes.
    Choose { condition: Value, then: Rc<Arr>, other: Rc<Arr>, alike: bool },
    /// Result `result` of a build or gather whose body has not been emitted.
    Build { op: Op, scope: Rc<Scope>, result: usize },
    /// Combined over these axes.
    Reduce { of: Rc<Arr>, axes: Vec<usize>, kind: Kind, licence: Option<Attribute> },
    /// Where the first maximum or minimum along an axis is.
    Search { of: Rc<Arr>, axis: usize, kind: Kind },
    /// A scatter into zeros that has not been emitted.
    Scatter { op: Op, scope: Rc<Scope> },
    /// An array whose sizes may be smaller than those promised here: zero outside.
    Padded(Rc<Arr>),
}

/// The values of the old program that are known at some point, in regions around regions. A body that is emitted twice
/// has a scope for each time.
pub struct Scope {
    values: RefCell<HashMap<Value, Val>>,
    outer: Option<Rc<Scope>>,
}

impl Scope {
    pub fn new(outer: Option<Rc<Scope>>) -> Rc<Scope> {
        Rc::new(Scope { values: RefCell::default(), outer })
    }

    pub fn set(&self, old: Value, new: Val) {
        self.values.borrow_mut().insert(old, new);
    }

    /// # Panics
    /// When `old` does not dominate its use, which the verifier excludes.
    pub fn get(&self, old: Value) -> Val {
        if let Some(val) = self.values.borrow().get(&old) {
            return val.clone();
        }
        // Found far out, it is kept at every level on the way: deep programs ask for the same few values at each.
        let mut passed = vec![self];
        let val = loop {
            let scope = passed.last().expect("starts with one").outer.as_deref();
            let scope = scope.expect("a value is known before it is used");
            if let Some(val) = scope.values.borrow().get(&old) {
                break val.clone();
            }
            passed.push(scope);
        };
        for scope in passed {
            scope.set(old, val.clone());
        }
        val
    }
}

impl Arr {
    pub fn shared(sizes: Vec<Size>, ty: Type, how: How) -> Rc<Arr> {
        Rc::new(Arr { sizes, ty, how })
    }

    /// The rows behind these leading indices.
    pub fn behind(self: &Rc<Arr>, leading: &[Value]) -> Rc<Arr> {
        if leading.is_empty() {
            return self.clone();
        }
        let ty = Type::array(&self.ty.shape()[leading.len()..], self.ty.scalar());
        let how = How::Get { of: self.clone(), leading: leading.to_vec(), when: None };
        Arr::shared(self.sizes[leading.len()..].to_vec(), ty, how)
    }

    /// Whether this axis is the one that runs fastest in memory, as far as that is known without emitting anything.
    pub fn runs_fastest(&self, axis: usize) -> bool {
        match &self.how {
            How::Transpose(x, p) => x.runs_fastest(p[axis]),
            How::Reverse(x) => x.runs_fastest(axis),
            How::Get { of, leading, .. } => of.runs_fastest(axis + leading.len()),
            How::Elementwise { operands, .. } => {
                let mut arrays = operands.iter().filter_map(|o| match o {
                    Val::Array(a) => Some(a),
                    Val::Scalar(_) => None,
                });
                arrays.any(|a| a.runs_fastest(axis))
            }
            _ => axis + 1 == self.sizes.len(),
        }
    }
}

impl Val {
    /// # Panics
    /// When this is an array, which the verifier excludes where the pass asks.
    pub fn scalar(&self) -> Value {
        match self {
            Val::Scalar(v) => *v,
            Val::Array(_) => panic!("a scalar is needed"),
        }
    }

    pub fn array(&self) -> Rc<Arr> {
        match self {
            Val::Array(a) => a.clone(),
            Val::Scalar(_) => panic!("an array is needed"),
        }
    }
}
