//! Selection of the nests of a group: nests over the long axis that read each other's results only at the same index of
//! that axis.

use crate::contraction::ATTRIBUTE;
use crate::ir::*;
use crate::nests::{are_all, indices, kinds};
use mlopt_dialects::ops::{FastMath, FromAttribute};
use mlopt_dialects::sweep::ResultKind;
use std::collections::{HashMap, HashSet};

/// The maximum number of iterations of the search for a group; real programs need a few.
const MAX_ITERATIONS: usize = 50;

/// The number of terms from which a contraction waits for arithmetic, not for the second-level cache: a tile of 8 by 32
/// numbers reads 40 numbers for 256 products.
const MANY_TERMS: i64 = 32;

/// The role of the long axis in a nest.
#[derive(Clone, Copy)]
pub enum Role {
    /// It is this axis of the nest, and therefore of its results.
    Map(usize),
    /// It is this axis of a reduction: the nest itself, or one in its body.
    Reduce(Op, usize),
    /// It is the only axis of a fold that combines rows in any order; this nest in its body combines two rows.
    Rows(Op),
}

/// A nest of a group.
#[derive(Clone, Copy)]
pub struct Member {
    pub nest: Op,
    pub role: Role,
}

impl Member {
    /// Returns the index of the long axis.
    pub fn index(self) -> Value {
        match self.role {
            Role::Map(axis) => indices(self.nest)[axis],
            Role::Reduce(sum, axis) => indices(sum)[axis],
            Role::Rows(_) => indices(self.nest)[0],
        }
    }
}

/// Arrays in the order of their discovery, with the position of the long axis.
#[derive(Default)]
pub struct Arrays {
    order: Vec<Value>,
    axes: HashMap<Value, usize>,
}

impl Arrays {
    fn insert(&mut self, array: Value, axis: usize) {
        if self.axes.insert(array, axis).is_none() {
            self.order.push(array);
        }
    }

    pub fn axis(&self, array: Value) -> Option<usize> {
        self.axes.get(&array).copied()
    }

    pub fn all(&self) -> impl Iterator<Item = (Value, usize)> {
        self.order.iter().map(|v| (*v, self.axes[v]))
    }
}

/// The nests of one MLIR block that can run block by block.
#[derive(Default)]
pub struct Group {
    /// The extent of the long axis.
    pub length: i64,
    /// The members in program order.
    pub members: Vec<Member>,
    /// The arrays that members compute for each other.
    pub arrays: Arrays,
    /// Arrays from outside the group that members read at their index, along an axis that is not the last.
    pub copied: Arrays,
    /// Arrays from outside the group that are read in full for each index.
    pub whole: Vec<Value>,
    /// The values that depend on results of the group.
    pub behind: HashSet<Value>,
}

impl Group {
    /// Returns the largest group of nests over `length` indices in `body`.
    pub fn of(body: Block, length: i64) -> Option<Group> {
        let mut excluded = HashSet::new();
        for _ in 0..MAX_ITERATIONS {
            let group = Group::without(&excluded, body, length);
            let misfits: Vec<Op> = group.members.iter().filter(|m| !group.fits(m, body)).map(|m| m.nest).collect();
            if misfits.is_empty() {
                return (!group.members.is_empty()).then(|| group.with_reads(body));
            }
            excluded.extend(misfits);
        }
        None
    }

    fn without(excluded: &HashSet<Op>, body: Block, length: i64) -> Group {
        let mut group = Group { length, ..Group::default() };
        for op in body.ops() {
            if operands_of(op).any(|v| group.behind.contains(&v)) {
                group.behind.extend(op.results());
                continue;
            }
            let is_nest = op.kind() == Kind::SweepNest && !excluded.contains(&op);
            let Some(role) = is_nest.then(|| group.role(op)).flatten() else { continue };
            match role {
                Role::Map(axis) => op.results().into_iter().for_each(|z| group.arrays.insert(z, axis)),
                _ => group.behind.extend(op.results()),
            }
            group.members.push(Member { nest: op, role });
        }
        group
    }

    /// Returns the role of `nest`, if it reads arrays of the group only at its own index.
    fn role(&self, nest: Op) -> Option<Role> {
        let kinds_of = kinds(nest);
        let yields = nest.body()?.terminator()?.operands();
        let is_long = |n: &Value| known(*n) == Some(self.length);
        let along = |nest: Op| (0..indices(nest).len()).filter(move |k| is_long(&nest.operand_segment(0)[*k]));
        if kinds_of.contains(&ResultKind::Fold) {
            let row = combined_rows(nest)?;
            let fits = is_long(&nest.operand_segment(0)[0]) && self.reads_at(nest, indices(nest)[0]);
            return fits.then_some(Role::Rows(row));
        }
        if yields.iter().any(|v| v.ty().is_tensor()) {
            return None;
        }
        if kinds_of.iter().all(|k| k.is_reduction()) {
            return along(nest).find(|k| self.reads_at(nest, indices(nest)[*k])).map(|k| Role::Reduce(nest, k));
        }
        if !kinds_of.iter().all(|k| *k == ResultKind::Map) {
            return None;
        }
        if let Some(axis) = along(nest).find(|k| self.reads_at(nest, indices(nest)[*k])) {
            return Some(Role::Map(axis));
        }
        let inner = children_of(nest, Kind::SweepNest).into_iter();
        let mut sums = inner.filter(|op| kinds(*op).iter().all(|k| k.is_reduction()));
        let (sum, None) = (sums.next()?, sums.next()) else { return None };
        let outside = |op: &Op| !is_inside(*op, sum);
        let is_free = sum.operand_segment(0).iter().all(|n| n.block() == nest.block() || known(*n).is_some());
        let others = nest.nested_ops().into_iter().filter(outside);
        let apart = others.filter(|op| *op != sum).all(|op| self.reads(op).is_none());
        let axis = along(sum).find(|k| self.reads_at(nest, indices(sum)[*k]))?;
        (is_free && apart && makes_terms_cheaply(nest, sum)).then_some(Role::Reduce(sum, axis))
    }

    /// Returns the array of the group that `op` reads, and the position of the long axis in it.
    fn reads(&self, op: Op) -> Option<(Value, usize)> {
        let array = op.operands().into_iter().find(|v| self.arrays.axis(*v).is_some())?;
        Some((array, self.arrays.axis(array)?))
    }

    /// Checks whether every op in `nest` that reads arrays of the group reads elements at `index`.
    fn reads_at(&self, nest: Op, index: Value) -> bool {
        let at = |op: Op, axis: usize| op.kind() == Kind::TensorExtract && op.operand(1 + axis) == index;
        self.reads(nest).is_none()
            && nest.nested_ops().into_iter().all(|op| self.reads(op).is_none_or(|(_, axis)| at(op, axis)))
    }

    /// Checks whether a member belongs to the group: its arrays are read by other members only, or it reads such
    /// arrays.
    fn fits(&self, member: &Member, body: Block) -> bool {
        let is_member = |op: Op| self.members.iter().any(|m| m.nest == op);
        match member.role {
            Role::Map(_) => {
                let uses: Vec<Op> = member.nest.results().into_iter().flat_map(Value::uses).map(|(op, _)| op).collect();
                !uses.is_empty() && uses.into_iter().all(|op| ancestor_in(op, body).is_some_and(is_member))
            }
            _ => member.nest.nested_ops().into_iter().any(|op| self.reads(op).is_some()),
        }
    }

    /// Adds the arrays from outside that the members read.
    fn with_reads(mut self, body: Block) -> Group {
        for member in self.members.clone() {
            let at = member.index();
            for read in nested_of(member.nest, Kind::TensorExtract) {
                let array = read.operand(0);
                if array.block() != Some(body) || self.arrays.axis(array).is_some() {
                    continue;
                }
                let shape = array.ty().shape();
                match read.operands()[1..].iter().position(|i| *i == at) {
                    Some(axis) if axis + 1 < shape.len() && shape[axis] == usize::try_from(self.length).ok() => {
                        self.copied.insert(array, axis);
                    }
                    Some(_) => {}
                    None if self.whole.contains(&array) => {}
                    None => self.whole.push(array),
                }
            }
        }
        self
    }

    /// Returns the nests that wait for the memory of `array`: the one that writes it, and those that read it. A
    /// contraction of many terms does not wait: it computes more than it reads.
    pub fn accesses(&self, array: Value, body: Block) -> usize {
        let mut nests: Vec<Op> = array.uses().into_iter().filter_map(|(op, _)| ancestor_in(op, body)).collect();
        nests.dedup();
        nests.extend(array.defining_op().map(|(op, _)| op));
        nests.into_iter().filter(|nest| !has_many_terms(*nest)).count()
    }
}

/// Checks whether `nest` is a contraction that multiplies and adds at least [`MANY_TERMS`] terms for each element.
fn has_many_terms(nest: Op) -> bool {
    let sums = || children_of(nest, Kind::SweepNest);
    let terms = |sum: Op| sum.operand_segment(0).into_iter().map(|n| known(n).unwrap_or(1)).product::<i64>();
    nest.attribute(ATTRIBUTE).is_some() && sums().into_iter().any(|sum| terms(sum) >= MANY_TERMS)
}

/// Checks whether the values from the body of `nest` that `sum` needs are computed without loops.
fn makes_terms_cheaply(nest: Op, sum: Op) -> bool {
    let body = nest.body();
    let makers = |op: &Op| {
        operands_of(*op).filter_map(Value::defining_op).map(|(op, _)| op).filter(|op| op.block() == body).collect()
    };
    reached(vec![sum], makers).into_iter().all(|op| op == sum || op.num_regions() == 0)
}

/// Returns the nest in the body of `fold` that combines each element of each carried array with another value, if the
/// fold does nothing else and the order does not matter.
fn combined_rows(fold: Op) -> Option<Op> {
    let body = fold.body()?;
    let end = body.terminator()?;
    let mut nests = body.ops().into_iter().filter(|op| op.num_regions() > 0);
    let (row, None) = (nests.next()?, nests.next()) else { return None };
    let all_fold = are_all(fold, ResultKind::Fold);
    let maps = row.kind() == Kind::SweepNest && are_all(row, ResultKind::Map);
    let one_axis = fold.operand_segment(0).len() == 1 && fold.attribute("fastmath").is_none();
    let early = row.operand_segment(0).iter().all(|n| n.block() != Some(body));
    if !all_fold || !maps || !one_axis || !early || end.operands() != row.results() {
        return None;
    }
    let (at, values) = (indices(row), row.body()?.terminator()?.operands());
    for (carried, value) in body.arguments().into_iter().skip(1).zip(values) {
        let (combining, _) = value.defining_op().filter(|(op, _)| op.block() == row.body())?;
        combination(combining)?;
        let (read, _) = combining.operand(0).defining_op()?;
        let own = read.kind() == Kind::TensorExtract && read.operand(0) == carried && read.operands()[1..] == at;
        if !own || !carried.is_used_once() || !read.result(0).is_used_once() || !value.is_used_once() {
            return None;
        }
    }
    Some(row)
}

/// Returns the kind of the reduction of which `op` is a step, if its steps may be executed in any order.
pub fn combination(op: Op) -> Option<ResultKind> {
    let flags = op.attribute("fastmath").and_then(FastMath::from_attribute).unwrap_or_default();
    let free = flags.contains(FastMath::REASSOC);
    match op.kind() {
        Kind::ArithAddf if free => Some(ResultKind::Sum),
        Kind::ArithMulf if free => Some(ResultKind::Prod),
        Kind::ArithAddi => Some(ResultKind::Sum),
        Kind::ArithMuli => Some(ResultKind::Prod),
        Kind::ArithMaxsi | Kind::ArithMaxnumf => Some(ResultKind::Max),
        Kind::ArithMinsi | Kind::ArithMinnumf => Some(ResultKind::Min),
        _ => None,
    }
}
