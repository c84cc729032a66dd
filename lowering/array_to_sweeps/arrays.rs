//! Arrays as the pass knows them while it emits: stored ones, and ways to compute an element when it is asked for.

use super::sizes::Size;
use crate::ir::*;
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
    /// The same scalar everywhere.
    Splat(Value),
    /// Without the first index.
    Replicate(Rc<Arr>),
    /// Axis `j` here is axis `p[j]` there.
    Transpose(Rc<Arr>, Vec<usize>),
    /// Behind leading indices; zero unless the condition holds, where there is one.
    Get { of: Rc<Arr>, leading: Vec<Value>, when: Option<Value> },
    /// One op on the elements of its operands.
    Elementwise { op: Op, operands: Vec<Val> },
    /// One of two arrays, by a condition that is the same for all elements.
    Choose { condition: Value, then: Rc<Arr>, other: Rc<Arr> },
    /// Result `result` of a build whose body has not been emitted.
    Build { op: Op, scope: Rc<Scope>, result: usize },
    /// The sum over the first axis.
    Sum(Rc<Arr>),
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
