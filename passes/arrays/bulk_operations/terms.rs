//! Index computations in the regions of gathers and scatters. Short ones are computed in the region. Long ones are
//! computed outside, for all positions at once, and the region reads the result.

use super::depend::Dependence;
use super::lift::Lifting;
use super::ops::{self, Emit, Map};
use crate::analysis::edit::{self, is_made_in};
use crate::analysis::kinds;
use mlopt_dialects::ir::{Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashMap;

/// The values of a body that few ops compute from the index.
#[derive(Default)]
pub struct Terms {
    /// The number of ops that compute a value; values that are missing are read instead.
    lengths: HashMap<Value, usize>,
}

/// The maximum number of ops that are repeated, instead of storing their result for every value of the index.
pub const LONGEST: usize = 12;

const COPIED: &[Kind] = kinds![
    ArithAddi ArithAndi ArithCmpi ArithIndexCast ArithMaxsi ArithMinsi ArithMuli ArithOri ArithSelect ArithSubi
    ArithXori ArrayDiv ArrayGet ArrayMod
];

impl Terms {
    /// Records an op of the body.
    pub fn visit(&mut self, op: Op, index: Value, dependence: &Dependence) {
        let short = |v: &Value| match self.lengths.get(v) {
            Some(&n) => Some(n),
            None if *v == index || (!dependence.has(*v)) => Some(0),
            None => None,
        };
        if !COPIED.contains(&op.kind()) || !op.results().into_iter().all(ops::is_scalar) {
            return;
        }
        let Some(lengths) = op.operands().iter().map(short).collect::<Option<Vec<usize>>>() else { return };
        let length = 1 + lengths.iter().sum::<usize>();
        if length <= LONGEST && dependence.touches(op) {
            self.lengths.insert(op.result(0), length);
        }
    }
}

/// The region of a gather or scatter of a bulk value.
pub struct Position<'l, 'a> {
    pub lifting: &'l mut Lifting<'a>,
    /// The position at which terms are emitted.
    pub inner: Builder,
    /// The new values of the values of the body at `at`, the index of the region that replaces the removed one.
    pub map: Map,
    pub at: Value,
    /// True if terms may be recomputed.
    pub copies: bool,
}

impl Position<'_, '_> {
    /// Returns the value of `v` at the index `at`.
    pub fn value(&mut self, v: Value) -> Value {
        if let Some(&known) = self.map.get(&v) {
            return known;
        }
        let value = if v == self.lifting.index {
            self.at
        } else if !self.lifting.depends(v) {
            return self.lifting.free(v);
        } else if let Some((op, _)) = v.defining_op()
            && self.copies
            && self.lifting.terms.lengths.contains_key(&v)
        {
            let operands: Vec<Value> = op.operands().into_iter().map(|x| self.value(x)).collect();
            self.inner.at(op.location()).rebuild(op, &operands, &[v.ty()], &[])[0]
        } else {
            let bulk = self.lifting.bulk(v);
            self.inner.get(bulk, &[self.at])
        };
        self.map.insert(v, value);
        value
    }

    /// Copies the region of `op`, whose arguments are in the map. Returns the yielded position.
    pub fn copy(&mut self, op: Op) -> Vec<Value> {
        let body = op.entry();
        let end = body.terminator();
        for inner in body.ops().into_iter().filter(|inner| Some(*inner) != end) {
            let used = edit::with_nested(inner).flat_map(Op::operands);
            for v in used.filter(|v| !self.map.contains_key(v)).collect::<Vec<_>>() {
                if self.lifting.depends(v) && !is_made_in(v, op) {
                    self.value(v);
                }
            }
            let copy = self.inner.at(inner.location()).copy(inner, &mut self.free(inner));
            self.map.extend(inner.results().into_iter().zip(copy.results()));
        }
        let value = |v| if is_made_in(v, op) { self.map[&v] } else { self.value(v) };
        ops::yields(op).into_iter().map(value).collect()
    }

    /// Returns the map, extended by the values that do not depend on the index.
    fn free(&self, op: Op) -> Map {
        let mut map = self.map.clone();
        for v in edit::with_nested(op).flat_map(Op::operands) {
            if !map.contains_key(&v) && !self.lifting.depends(v) {
                map.insert(v, self.lifting.free(v));
            }
        }
        map
    }
}
