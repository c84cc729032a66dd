//! Simplification of `array.gather`, `array.scatter` and `array.transpose` (spec/arrays.md B.4, the smart
//! constructors).
//!
//! The rules are tried in order until a fixpoint. Often no gather remains.

use super::ops::{self, Emit, Extent, Map};
use super::ranges::Ranges;
use super::sizes::{self, Size};
use mlopt_dialects::ir::{Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};

/// Replaces the new gather or scatter that defines `value` by the simplest equal code. Returns the value of the result;
/// if it is another one, the op is erased.
pub fn simplify(value: Value) -> Value {
    let mut value = value;
    loop {
        match value.defining_op().and_then(|(op, _)| step(op)) {
            None => return value,
            Some(Form::Access(next)) => value = next,
            Some(Form::Other(next)) => return next,
        }
    }
}

/// The simpler form of a gather or scatter.
enum Form {
    /// Another gather or scatter, newly created.
    Access(Value),
    Other(Value),
}

/// Applies one rule; returns `None` if none applies.
fn step(op: Op) -> Option<Form> {
    let access = Access::of(op);
    let form = if op.kind() == Kind::ArrayGather { gather(&access) } else { scatter(&access) }?;
    let (Form::Access(next) | Form::Other(next)) = form;
    op.replace_with([next]);
    Some(form)
}

/// The parts of a gather or scatter.
struct Access {
    op: Op,
    /// The array that is indexed: the operand of a gather, the destination of a scatter.
    array: Value,
    arguments: Vec<Value>,
    position: Vec<Value>,
    b: Builder,
}

impl Access {
    fn of(op: Op) -> Access {
        let body = op.entry();
        let array = op.operand(if op.kind() == Kind::ArrayGather { 0 } else { 1 });
        Access { op, array, arguments: body.arguments(), position: ops::yields(op), b: Builder::before(op) }
    }

    fn is_unused(&self, argument: usize) -> bool {
        self.arguments[argument].is_unused()
    }

    /// Checks whether the argument is used once: as the component `k` of the position.
    fn is_exactly(&self, argument: usize, k: usize) -> bool {
        self.position[k] == self.arguments[argument] && self.arguments[argument].is_used_once()
    }

    /// Checks whether the position is certainly out of range.
    fn is_outside(&self) -> bool {
        let mut ranges = Ranges::default();
        (0..self.position.len()).any(|k| ranges.is_outside(self.position[k], self.array, k))
    }

    /// Returns the new values of the arguments that `without` does not name.
    fn renamed(&self, without: &[usize], new: &[Value]) -> Map {
        let kept = (0..self.arguments.len()).filter(|k| !without.contains(k));
        kept.map(|k| self.arguments[k]).zip(new.iter().copied()).collect()
    }
}

fn gather(g: &Access) -> Option<Form> {
    let extents = ops::extents(g.op);
    let last = extents.len() - 1;
    let trailing = g.position.len() - 1;
    if g.is_outside() {
        // Rule: a read out of range returns zero.
        let tail = sizes::dynamic(g.b, g.array, g.position.len());
        let sizes = [ops::operands(&extents), tail].concat();
        return Some(Form::Other(g.b.zeros(g.op.result(0).ty(), &sizes)));
    }
    if g.is_exactly(last, trailing) && is_axis(extents[last], g.array, trailing) {
        // Rule: reading every row in order is reading the array of rows.
        return Some(reading(g, g.array, &extents, &[last], trailing));
    }
    if let Some(k) = (0..extents.len()).find(|&k| g.is_unused(k)) {
        // Rule: a read that does not depend on an index is replicated along it.
        let (Form::Access(x) | Form::Other(x)) = reading(g, g.array, &extents, &[k], g.position.len());
        let z = g.b.replicated(x, extents[k]);
        let mut p: Vec<usize> = (1..z.ty().rank()).collect();
        p.insert(k, 0);
        return Some(Form::Other(transposed(g.b, z, &p)));
    }
    transpose(g, &extents).map(Form::Other)
}

/// Returns the gather without some arguments and with only the first `rank` components of the position.
fn reading(g: &Access, x: Value, extents: &[Extent], without: &[usize], rank: usize) -> Form {
    let kept: Vec<Extent> = (0..extents.len()).filter(|k| !without.contains(k)).map(|k| extents[k]).collect();
    if kept.is_empty() {
        let position = unfold(g.op, g.b, Map::new());
        return Form::Other(if rank == 0 { x } else { g.b.get(x, &position[..rank]) });
    }
    if rank == 0 {
        return Form::Other(kept.iter().rev().fold(x, |x, &extent| g.b.replicated(x, extent)));
    }
    Form::Access(
        g.b.gather_over(x, &kept, |b, arguments| unfold(g.op, b, g.renamed(without, arguments))[..rank].to_vec()),
    )
}

/// Rule: reading a whole array at a permutation of all indices is a transposition.
fn transpose(g: &Access, extents: &[Extent]) -> Option<Value> {
    if g.position.len() != extents.len() {
        return None;
    }
    let axis_of = |k: usize| (0..g.position.len()).find(|&a| g.is_exactly(k, a) && is_axis(extents[k], g.array, a));
    let axes: Option<Vec<usize>> = (0..extents.len()).map(axis_of).collect();
    let p = [axes?, (extents.len()..g.array.ty().rank()).collect()].concat();
    Some(transposed(g.b, g.array, &p))
}

/// Returns the transposed array. Rules: two permutations compose to one; the identity is removed.
pub fn transposed(b: Builder, x: Value, p: &[usize]) -> Value {
    let (mut x, mut p) = (x, p.to_vec());
    while let Some((inner, _)) = x.defining_op().filter(|(op, _)| op.kind() == Kind::ArrayTranspose) {
        let q = ops::permutation(inner);
        x = inner.operand(0);
        p = p.into_iter().map(|axis| q[axis]).collect();
    }
    if p.iter().enumerate().all(|(k, &axis)| k == axis) { x } else { b.transpose(x, &p) }
}

/// Replaces a transpose by a simpler one. Returns whether there is one.
fn transpose_simpler(op: Op) -> bool {
    let (x, p) = (op.operand(0), ops::permutation(op));
    let moves = p.iter().enumerate().any(|(k, &axis)| k != axis);
    if moves && x.defining_op().is_none_or(|(inner, _)| inner.kind() != Kind::ArrayTranspose) {
        return false;
    }
    op.replace_with([transposed(Builder::before(op), x, &p)]);
    true
}

/// Checks whether an extent is that of an axis, in value and in the type.
fn is_axis(extent: Extent, array: Value, axis: usize) -> bool {
    extent.dim() == array.ty().shape()[axis] && Ranges::default().same(Size::from(extent), sizes::of(array, axis))
}

fn scatter(s: &Access) -> Option<Form> {
    let x = s.op.operand(0);
    if s.is_outside() {
        // Rule: a contribution out of range is ignored.
        return Some(Form::Other(s.array));
    }
    if let Some(k) = (0..s.arguments.len()).find(|&k| s.is_unused(k)) {
        // Rule: contributions to one position are summed.
        let sum = s.b.sum_axes(x, &[k]);
        let count = s.arguments.len() - 1;
        return Some(Form::Access(adding(s, sum, count, &[k], s.position.len())));
    }
    let last = s.arguments.len().checked_sub(1)?;
    let trailing = s.position.len() - 1;
    let same_dim = x.ty().shape()[last] == s.array.ty().shape()[trailing];
    let same = || Ranges::default().same(sizes::of(x, last), sizes::of(s.array, trailing));
    if s.is_exactly(last, trailing) && same_dim && same() {
        // Rule: rows that are added to the rows with their own number are added as one array.
        if trailing > 0 {
            return Some(Form::Access(adding(s, x, last, &[last], trailing)));
        }
        if last == 0 {
            let float = x.ty().is_differentiable();
            return Some(Form::Other(s.b.binary(if float { Kind::ArithAddf } else { Kind::ArithAddi }, s.array, x)));
        }
    }
    None
}

/// Returns the scatter of `x` without some arguments and with only the first `rank` components of the position.
fn adding(s: &Access, x: Value, arguments: usize, without: &[usize], rank: usize) -> Value {
    s.b.scatter(x, s.array, arguments, |b, arguments| unfold(s.op, b, s.renamed(without, arguments))[..rank].to_vec())
}

/// Simplifies every gather, scatter and transpose in `root`. Returns whether one has changed.
pub fn simplify_all(root: Op) -> bool {
    let mut changed = false;
    // Innermost first: an erased op contains only visited ops.
    for op in root.nested_ops().into_iter().rev() {
        if matches!(op.kind(), Kind::ArrayGather | Kind::ArrayScatter) {
            changed |= step(op).is_some();
        } else if op.kind() == Kind::ArrayTranspose {
            changed |= transpose_simpler(op);
        }
    }
    changed
}

/// Copies the ops of the region of `op` to `b`, with `map` as the values of its arguments. Returns the yielded
/// position.
pub fn unfold(op: Op, b: Builder, mut map: Map) -> Vec<Value> {
    let body = op.entry();
    for inner in body.ops().into_iter().filter(|inner| Some(*inner) != body.terminator()) {
        b.copy(inner, &mut map);
    }
    ops::yields(op).into_iter().map(|v| *map.get(&v).unwrap_or(&v)).collect()
}
