//! Sizes of arrays: as the program defines them, as values at the point where code is emitted, and as values at the
//! entry of the function.

use super::Plan;
use crate::ir::*;
use crate::nests::folds;
use std::cell::RefCell;
use std::collections::HashMap;

/// The definition of an axis' size in the old program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OldSize {
    Known(usize),
    Value(Value),
    /// The size of an axis of an argument of the function.
    Argument(usize, usize),
}

/// The sizes in the old program.
pub struct Sizes {
    body: Block,
    early: RefCell<HashMap<Value, bool>>,
}

impl Sizes {
    pub fn of(function: Op) -> Sizes {
        Sizes { body: function.entry(), early: RefCell::default() }
    }

    pub fn size(&self, value: Value, axis: usize) -> OldSize {
        let shape = value.ty().shape();
        if let Some(n) = shape[axis] {
            return OldSize::Known(n);
        }
        if let Some((block, k)) = value.block_argument() {
            if block == self.body {
                return OldSize::Argument(k, axis);
            }
            let op = block.parent_op().expect("a block with arguments is in a loop");
            return self.size(before(op, block, k), axis);
        }
        let (op, r) = value.defining_op().expect("a result or an argument");
        // Extents given as operands, one for each `?`.
        let given = |operands: Vec<Value>| {
            let k = shape[..axis].iter().filter(|d| d.is_none()).count();
            OldSize::Value(operands[k])
        };
        let yielded = |k: usize| op.entry().end().operand(k);
        match op.kind() {
            Kind::SweepReshape => given(op.operands()[1..].to_vec()),
            Kind::SweepJoin => given(op.operand_segment(1)),
            Kind::SweepAdd | Kind::SweepPut => self.size(op.operand(1), axis),
            // Both branches have the same sizes, which `array-to-sweeps` guarantees.
            Kind::ScfIf => self.size(yielded(r), axis),
            Kind::ScfWhile => self.size(yielded(r + 1), axis),
            Kind::SweepNest => {
                let extents = op.operand_segment(0);
                match (folds(op).into_iter().find(|fold| fold.number == r), extents.get(axis)) {
                    (Some(fold), _) => self.size(fold.init, axis),
                    (None, Some(extent)) => OldSize::Value(*extent),
                    (None, None) => self.size(yielded(r), axis - extents.len()),
                }
            }
            name => unreachable!("expected an array from a sweep or a branch, found '{name}'"),
        }
    }

    /// Checks whether an `index` is computed by arithmetic from the function's scalar arguments and the sizes of its
    /// array arguments, so that it can be computed at the entry.
    pub fn is_early(&self, value: Value) -> bool {
        if let Some(known) = self.early.borrow().get(&value) {
            return *known;
        }
        let early = match value.defining_op() {
            None => value.block() == Some(self.body),
            Some((op, _)) if op.kind() == Kind::TensorDim => true,
            Some((op, _)) => is_arithmetic(op) && op.operands().into_iter().all(|v| self.is_early(v)),
        };
        self.early.borrow_mut().insert(value, early);
        early
    }

    pub fn is_early_size(&self, value: Value, axis: usize) -> bool {
        match self.size(value, axis) {
            OldSize::Known(_) | OldSize::Argument(..) => true,
            OldSize::Value(v) => self.is_early(v),
        }
    }

    /// Returns `Some` if the result of a `sweep.reshape` shares its operand's memory: `true` if it has the same sizes.
    /// Memory that may have larger sizes than the array in it is not shared, because its rows are not contiguous.
    pub fn reshapes_in_place(&self, op: Op) -> Option<bool> {
        let (x, z) = (op.operand(0), op.result(0));
        let (m, n) = (x.ty().rank(), z.ty().rank());
        if m == n && (0..m).all(|k| self.number(self.size(x, k)) == self.number(self.size(z, k))) {
            return Some(true);
        }
        (self.is_early_array(x) && self.is_early_array(z)).then_some(false)
    }

    /// Checks whether two arrays of the same sizes can share memory. Sizes that are not known at the entry must be the
    /// same SSA values, because memory may have larger sizes, and no check before the call ensures that the sizes are
    /// equal.
    pub fn have_same_layout(&self, x: Value, z: Value) -> bool {
        (0..x.ty().rank()).all(|k| {
            self.number(self.size(x, k)) == self.number(self.size(z, k))
                || (self.is_early_size(x, k) && self.is_early_size(z, k))
        })
    }

    /// Checks whether all sizes are known at the entry.
    pub fn is_early_array(&self, value: Value) -> bool {
        (0..value.ty().rank()).all(|k| self.is_early_size(value, k))
    }

    /// Returns a known size for a constant, and any other size as it is.
    fn number(&self, size: OldSize) -> OldSize {
        match size {
            OldSize::Value(v) => known(v).and_then(|n| usize::try_from(n).ok()).map_or(size, OldSize::Known),
            _ => size,
        }
    }
}

/// Returns the value of argument `k` of `block`, a region of the loop `op`, before the first iteration.
fn before(op: Op, block: Block, k: usize) -> Value {
    if op.kind() == Kind::SweepNest {
        return op.operand_segment(1)[k - op.operand_segment(0).len()];
    }
    match op.body() {
        Some(condition) if condition != block => condition.end().operand(k + 1),
        _ => op.operand(k),
    }
}

/// Checks whether an op is scalar code that may be duplicated anywhere.
fn is_arithmetic(op: Op) -> bool {
    let scalar = |v: Value| v.ty().is_scalar();
    op.num_regions() == 0
        && op.num_results() == 1
        && (op.kind().dialect() == "arith" || op.kind().dialect() == "math")
        && op.operands().into_iter().chain(op.results()).all(scalar)
}

/// The known bounds of an old `index` at the entry of the new function.
#[derive(Clone, Copy, Default)]
pub struct Interval {
    low: Option<Value>,
    high: Option<Value>,
}

impl Interval {
    fn exactly(v: Value) -> Interval {
        Interval { low: Some(v), high: Some(v) }
    }

    /// Returns the value, if there is only one.
    pub fn exact(self) -> Option<Value> {
        self.high.filter(|_| self.low == self.high)
    }
}

impl Plan<'_> {
    /// Returns sizes of memory that can hold `value`, as values at the entry: the sizes of the array, or upper bounds
    /// of them. Returns `None` if the sizes depend on values that are computed later and have no known bounds.
    pub(super) fn entry_sizes(&mut self, value: Value, user: Op) -> Result<Option<Vec<Value>>> {
        let size = |axis| match self.sizes.size(value, axis) {
            OldSize::Known(n) => Ok(Some(self.entry_index(n as i64))),
            OldSize::Argument(k, axis) => Ok(Some(self.entry_dim(k, axis))),
            OldSize::Value(v) => self.entry_bound(v, user),
        };
        (0..value.ty().rank()).map(size).collect()
    }

    /// Returns the result of [`Plan::entry_sizes`], or the sizes at `b` if there is none.
    pub(super) fn sizes_at(&mut self, value: Value, user: Op, b: Builder) -> Result<Vec<Value>> {
        if let Some(sizes) = self.entry_sizes(value, user)? {
            return Ok(sizes);
        }
        (0..value.ty().rank()).map(|axis| self.size(value, axis, user, b)).collect()
    }

    /// Returns the size of an axis as a new value that is visible at `b`.
    pub(super) fn size(&mut self, value: Value, axis: usize, user: Op, b: Builder) -> Result<Value> {
        let size = self.known_size(value, axis, b);
        size.ok_or_else(|| user.not_supported("the sizes of an array must be known before it is computed"))
    }

    /// Returns the size of an axis at `b`, if it is known there.
    pub(super) fn known_size(&mut self, value: Value, axis: usize, b: Builder) -> Option<Value> {
        match self.sizes.size(value, axis) {
            OldSize::Known(n) => Some(self.entry_index(n as i64)),
            OldSize::Argument(k, axis) => Some(self.entry_dim(k, axis)),
            OldSize::Value(v) => self.here(v, b),
        }
    }

    /// Returns the new value of an old scalar at `b`; arithmetic is duplicated if necessary.
    fn here(&mut self, old: Value, b: Builder) -> Option<Value> {
        self.here_once(old, b, &mut HashMap::new())
    }

    /// As [`Plan::here`], with the memo table `there`, so that each op is duplicated at most once.
    fn here_once(&mut self, old: Value, b: Builder, there: &mut HashMap<Value, Option<Value>>) -> Option<Value> {
        if let Some(known) = there.get(&old) {
            return *known;
        }
        let new = self.repeated_here(old, b, there);
        there.insert(old, new);
        new
    }

    fn repeated_here(&mut self, old: Value, b: Builder, there: &mut HashMap<Value, Option<Value>>) -> Option<Value> {
        let visible = old.block().is_some_and(|home| Some(home) == self.old.body() || self.open.contains(&home));
        if let Some(new) = self.scalars.get(&old).filter(|_| visible) {
            return Some(*new);
        }
        let (op, _) = old.defining_op()?;
        if op.kind() == Kind::TensorDim {
            return self.entry_interval(old, op).ok()?.exact();
        }
        if !is_arithmetic(op) {
            return None;
        }
        let operands = op.operands().into_iter().map(|v| self.here_once(v, b, there)).collect::<Option<Vec<_>>>()?;
        Some(b.copy_with(op, &operands).result(0))
    }

    pub(super) fn entry_index(&self, n: i64) -> Value {
        Builder::at_end(self.entry, self.old.location()).index(n)
    }

    fn entry_dim(&self, argument: usize, axis: usize) -> Value {
        Builder::at_end(self.entry, self.old.location()).size_of(self.entry.argument(argument), axis)
    }

    /// Returns an upper bound, at the entry, of an old `index` that is used as a size.
    pub(super) fn entry_bound(&mut self, old: Value, user: Op) -> Result<Option<Value>> {
        let interval = self.entry_interval(old, user)?;
        let Some(high) = interval.high.filter(|_| interval.exact().is_none()) else { return Ok(interval.high) };
        // The bound may be negative if a loop has no iterations.
        let b = Builder::at_end(self.entry, user.location());
        Ok(Some(b.maxsi(high, b.index(0))))
    }

    /// Returns the interval of an old `index` at the entry.
    pub(super) fn entry_interval(&mut self, old: Value, user: Op) -> Result<Interval> {
        if let Some(interval) = self.at_entry.get(&old) {
            return Ok(*interval);
        }
        let at_top = old.block() == self.old.body();
        let interval = match self.scalars.get(&old).copied() {
            // A value that depends on arrays computed here is replaced by bounds, because scratch memory is allocated
            // before the call. A size that an `scf.while` determines is not computed at the entry, because the loop
            // would run twice.
            Some(new) if at_top && self.is_answerable(new) && (self.threads > 0 || !is_counted(old)) => {
                Interval::exactly(new)
            }
            _ => self.computed_interval(old, user)?,
        };
        self.at_entry.insert(old, interval);
        Ok(interval)
    }

    fn computed_interval(&mut self, old: Value, user: Op) -> Result<Interval> {
        let b = Builder::at_end(self.entry, user.location());
        let Some((op, _)) = old.defining_op() else {
            let extent = |(block, k): (Block, usize)| {
                let nest = block.parent_op().filter(|op| op.kind() == Kind::SweepNest)?;
                nest.operand_segment(0).get(k).copied()
            };
            let Some(extent) = old.block_argument().and_then(extent) else { return Ok(Interval::default()) };
            let extent = self.entry_interval(extent, user)?;
            let (zero, one) = (b.index(0), b.index(1));
            let last = extent.high.map(|n| b.subi(n, one));
            return Ok(Interval { low: Some(zero), high: last });
        };
        if op.kind() == Kind::TensorDim {
            let axis = known(op.operand(1)).and_then(|k| usize::try_from(k).ok());
            let argument = op.operand(0).block_argument().filter(|(block, _)| Some(*block) == self.old.body());
            let (Some(axis), Some((_, k))) = (axis, argument) else {
                let text =
                    "the op must read a size of a function argument, and the axis must be a constant below the rank";
                return Err(op.not_supported(text));
            };
            return Ok(Interval::exactly(match self.sizes.size(op.operand(0), axis) {
                OldSize::Known(n) => self.entry_index(n as i64),
                _ => self.entry_dim(k, axis),
            }));
        }
        if !is_arithmetic(op) {
            return Ok(Interval::default());
        }
        let operands = op.operands().into_iter().map(|v| self.entry_interval(v, user));
        let operands = operands.collect::<Result<Vec<Interval>, _>>()?;
        let exact: Vec<Value> = operands.iter().filter_map(|i| i.exact()).collect();
        if exact.len() == operands.len() {
            return Ok(Interval::exactly(b.copy_with(op, &exact).result(0)));
        }
        Ok(of_operands(op, &operands, b))
    }
}

/// Returns the interval of a sum, a product, … of intervals.
fn of_operands(op: Op, operands: &[Interval], b: Builder) -> Interval {
    let both = |kind: Kind, x: Option<Value>, y: Option<Value>| Some(b.same(kind, &[x?, y?]));
    // A bound that follows from one operand alone, or from both.
    let either = |kind: Kind, x: Option<Value>, y: Option<Value>| both(kind, x, y).or(x).or(y);
    let (x, y) = match operands {
        [x] => (*x, Interval::default()),
        [.., x, y] => (*x, *y),
        [] => return Interval::default(),
    };
    let of = |low: Option<Value>, high: Option<Value>| Interval { low, high };
    let kind = op.kind();
    match kind {
        Kind::ArithAddi => of(both(kind, x.low, y.low), both(kind, x.high, y.high)),
        Kind::ArithSubi => of(both(kind, x.low, y.high), both(kind, x.high, y.low)),
        Kind::ArithMuli => {
            let pairs = [(x.low, y.low), (x.low, y.high), (x.high, y.low), (x.high, y.high)];
            let corners: Option<Vec<Value>> = pairs.into_iter().map(|(m, n)| both(kind, m, n)).collect();
            let end = |kind: Kind| corners.clone()?.into_iter().reduce(|m, n| b.same(kind, &[m, n]));
            of(end(Kind::ArithMinsi), end(Kind::ArithMaxsi))
        }
        Kind::ArithMaxsi => of(either(kind, x.low, y.low), both(kind, x.high, y.high)),
        Kind::ArithMinsi => of(both(kind, x.low, y.low), either(kind, x.high, y.high)),
        Kind::ArithSelect => of(both(Kind::ArithMinsi, x.low, y.low), both(Kind::ArithMaxsi, x.high, y.high)),
        // The quotient is at most the dividend, and the remainder less than the divisor, in absolute value; a divisor
        // of zero gives no size.
        Kind::ArithFloordivsi | Kind::ArithDivsi => around_zero(x, b),
        Kind::ArithRemsi => around_zero(y, b),
        Kind::ArithDivui | Kind::ArithRemui => {
            let most = if kind == Kind::ArithDivui { x } else { y };
            let (Some(low), Some(high)) = (most.low, most.high) else { return Interval::default() };
            // A negative number is large as an unsigned one.
            let (zero, huge) = (b.number(low.ty(), 0), b.number(low.ty(), i64::MAX));
            let proper = b.compare(Compare::Sge, low, zero);
            of(Some(zero), Some(b.select(proper, high, huge)))
        }
        Kind::ArithIndexCast => {
            let cast = |v: Option<Value>| Some(b.value(kind, &[v?], op.result(0).ty(), &[]));
            of(cast(x.low), cast(x.high))
        }
        _ => Interval::default(),
    }
}

fn around_zero(x: Interval, b: Builder) -> Interval {
    let (Some(low), Some(high)) = (x.low, x.high) else { return Interval::default() };
    let zero = b.number(low.ty(), 0);
    let most = b.maxsi(b.subi(zero, low), high);
    Interval { low: Some(b.subi(zero, most)), high: Some(most) }
}
