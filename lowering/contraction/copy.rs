//! Copies of parts of the body of a nest, emitted elsewhere and for other indices.

use crate::ir::*;
use std::collections::HashMap;

/// The copies of values of a body at the destination.
#[derive(Clone)]
pub struct Copies {
    nest: Op,
    known: HashMap<Value, Value>,
}

impl Copies {
    /// Copies values defined inside `nest`; all other values are shared.
    pub fn new(nest: Op) -> Copies {
        Copies { nest, known: HashMap::new() }
    }

    /// Returns these copies, with `old` replaced by `new`.
    pub fn with(&self, pairs: impl IntoIterator<Item = (Value, Value)>) -> Copies {
        let mut copies = self.clone();
        copies.known.extend(pairs);
        copies
    }

    pub fn get(&self, old: Value) -> Option<Value> {
        self.known.get(&old).copied()
    }

    /// Returns `old` at `b`: the ops that compute it are repeated there.
    pub fn value(&mut self, old: Value, b: Builder) -> Value {
        if let Some(new) = self.known.get(&old) {
            return *new;
        }
        match old.defining_op() {
            Some((op, r)) if is_inside(op, self.nest) => self.op(op, b).result(r),
            _ => old,
        }
    }

    pub fn values(&mut self, old: &[Value], b: Builder) -> Vec<Value> {
        old.iter().map(|v| self.value(*v, b)).collect()
    }

    /// Copies `op` with its regions; the ops that it needs are repeated before it.
    pub fn op(&mut self, op: Op, b: Builder) -> Op {
        for v in operands_inside(op) {
            let new = self.value(v, b);
            self.known.insert(v, new);
        }
        b.copy(op, &mut self.known)
    }
}
