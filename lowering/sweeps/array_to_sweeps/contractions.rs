//! Recognition of contractions: sums of products of two factors that each depend on only some of the indices. They
//! become nests that can be tiled (`contraction/`), whatever their form in the program is.
//!
//! A sum in the body of other nests is moved into a nest of its own, unless the rest of that body can be computed on a
//! finished tile. A sum that would be computed several times is moved too, and then computed once. A factor that is not
//! a plain read is stored first, in the order in which tiles read it. It is then computed once for each combination of
//! its own indices, instead of once for each product.

use super::arrays::{Arr, Definition, Val};
use super::orient;
use crate::contraction::{ATTRIBUTE, Around, Contraction, Copies, Factor, Sides, depends};
use crate::ir::*;
use crate::nests::{self, are_all, indices};
use crate::scf::choose;
use mlopt_dialects::sweep::ResultKind;
use std::collections::HashMap;

/// The maximum number of nests around a sum that are searched for its rows and columns.
const DEEPEST: usize = 3;

/// A sum of products that may be tiled.
struct Candidate {
    sum: Op,
    around: Around,
    /// The conditions under which it is computed.
    conditions: Vec<Value>,
    /// A key that is equal for equal sums.
    key: String,
}

/// Marks the contractions of `function`, and brings other sums of products into that form. A contraction that is
/// computed several times is computed once.
pub fn mark(function: Op) {
    let entry = function.entry();
    let equal = equal_sizes(entry);
    let sums = nested_of(function, Kind::SweepNest);
    let candidates: Vec<Candidate> = sums.into_iter().filter_map(|sum| candidate(sum, function, &equal)).collect();
    let mut made: Vec<(&str, Op)> = Vec::new();
    let mut found: Vec<Op> = Vec::new();
    for c in &candidates {
        // The result is available here if it is computed earlier, in a surrounding block.
        let is_visible = |nest: Op, sum: Op| nest.block().is_some_and(|block| ancestor_in(sum, block).is_some());
        if let Some((_, nest)) = made.iter().find(|(key, nest)| *key == c.key && is_visible(*nest, c.sum)) {
            read_from(*nest, c);
            continue;
        }
        let Some(sides) = Sides::of(&c.around, c.sum) else { continue };
        let alone = c.conditions.is_empty() && is_alone(c.around.nest, c.sum);
        let plain = [sides.left, sides.right].iter().all(|side| Factor::of(*side, c.around.nest).is_some());
        let extents = [c.around.extents.clone(), c.sum.operand_segment(0)].concat();
        let early = extents.into_iter().all(|n| is_early(n, entry));
        let again = candidates.iter().filter(|other| other.key == c.key).count() > 1;
        if early && (again || !alone) {
            let nest = taken_out(c, &sides);
            found.push(nest);
            made.push((&c.key, nest));
        } else if alone && (plain || early) {
            found.push(c.around.nest);
        }
    }
    for nest in &found {
        orient::turn_to_readers(*nest);
        finish(*nest);
    }
    found.into_iter().for_each(orient::join_readers);
}

/// Returns `sum` as a candidate, with the smallest number of surrounding nests that gives it rows and columns.
fn candidate(sum: Op, function: Op, equal: &HashMap<Value, Value>) -> Option<Candidate> {
    let mut conditions = Vec::new();
    let mut inside: Option<Around> = None;
    let mut depth = 0;
    let mut at = sum;
    while depth < DEEPEST {
        let block = at.block()?;
        at = at.parent_op().filter(|op| *op != function)?;
        match at.kind() {
            Kind::SweepNest => depth += 1,
            Kind::ScfIf if at.region(0).first_block() == Some(block) => {
                conditions.push(at.operand(0));
                continue;
            }
            _ => return None,
        }
        let around = inside.map_or_else(|| Around::nest(at), |inner| inner.inside(at));
        let Some(sides) = Sides::of(&around, sum) else {
            inside = Some(around);
            continue;
        };
        if !sides.are_worthwhile(&around, sum) || guarded_side(&around, &sides, sum, &conditions).is_none() {
            return None;
        }
        let key = Keys { around: &around, sum, sides: &sides, equal }.sum(&conditions);
        return Some(Candidate { sum, around, conditions, key });
    }
    None
}

/// Returns the side that becomes zero where the conditions do not hold: a side that depends on every index on which
/// they depend. Returns `None` if there is no such side, or if the factors depend on elements that are read outside
/// `sum`, because the conditions would not guard these reads any more.
fn guarded_side(around: &Around, sides: &Sides, sum: Op, conditions: &[Value]) -> Option<usize> {
    let depends_on = |v: Value, o: usize| depends(v, around.indices[o], around.nest);
    let needs = |o: usize| conditions.iter().any(|c| depends_on(*c, o));
    let covers = |side: &usize| (0..around.indices.len()).all(|o| sides.needs[*side][o] || !needs(o));
    let side = (0..2).find(covers)?;
    if conditions.is_empty() {
        return Some(side);
    }
    let reads =
        around.nest.nested_ops().into_iter().filter(|op| op.kind() == Kind::TensorExtract && !is_inside(*op, sum));
    let factors = [sides.left, sides.right];
    let used = |read: &Op| factors.iter().any(|f| depends(*f, read.result(0), around.nest));
    let unguarded = reads.filter(used).count();
    let repeatable = conditions.iter().all(|c| is_index_arithmetic(*c, around));
    (unguarded == 0 && repeatable).then_some(side)
}

/// Checks whether a value is computed from the indices of the surrounding nests by `arith` ops only.
fn is_index_arithmetic(value: Value, around: &Around) -> bool {
    match value.defining_op() {
        Some((op, _)) if is_inside(op, around.nest) => {
            op.kind().dialect() == "arith" && op.operands().into_iter().all(|v| is_index_arithmetic(v, around))
        }
        Some(_) => true,
        None => !is_made_inside(value, around.nest) || around.indices.contains(&value),
    }
}

/// Maps each size to the representative of the sizes that are required to be equal to it.
fn equal_sizes(entry: Block) -> HashMap<Value, Value> {
    let mut equal: HashMap<Value, Value> = HashMap::new();
    for op in entry.ops().into_iter().filter(|op| op.kind() == Kind::SweepRequire) {
        let Some((test, _)) = op.operand(0).defining_op() else { continue };
        let is_equality = test.attribute("predicate").and_then(Attribute::as_i64) == Some(Compare::Eq as i64);
        if test.kind() == Kind::ArithCmpi && is_equality {
            let (x, y) = (representative(test.operand(0), &equal), representative(test.operand(1), &equal));
            if x != y {
                equal.insert(y, x);
            }
        }
    }
    equal
}

fn representative(size: Value, equal: &HashMap<Value, Value>) -> Value {
    std::iter::successors(Some(size), |v| equal.get(v).copied()).last().expect("starts with one")
}

/// The keys of equal sums. A key is text, which is compared and never shown.
struct Keys<'a> {
    around: &'a Around,
    sum: Op,
    sides: &'a Sides,
    equal: &'a HashMap<Value, Value>,
}

impl Keys<'_> {
    fn sum(&self, conditions: &[Value]) -> String {
        let extents = needed(self.sides).map(|o| self.around.extents[o]).chain(self.sum.operand_segment(0));
        let all = extents.chain(conditions.iter().copied()).chain([self.sides.left, self.sides.right]);
        let fastmath = self.sum.attribute("fastmath").map(|a| a.to_string()).unwrap_or_default();
        all.map(|v| self.value(v)).collect::<Vec<_>>().join(";") + &fastmath
    }

    fn value(&self, value: Value) -> String {
        if let Some(o) = self.around.indices.iter().position(|i| *i == value) {
            // Indices that are not needed are not counted, because the surrounding nests may differ.
            return format!("o{}", needed(self.sides).position(|n| n == o).map_or(-1, |n| n as i64));
        }
        if let Some(t) = indices(self.sum).iter().position(|i| *i == value) {
            return format!("t{t}");
        }
        match value.defining_op() {
            Some((op, _)) if op.kind() == Kind::ArithConstant => op.attributes()[0].1.to_string(),
            Some((op, r)) if is_inside(op, self.around.nest) => {
                let operands: Vec<String> = op.operands().into_iter().map(|v| self.value(v)).collect();
                let ends = op.regions().into_iter().filter_map(|region| region.first_block()?.terminator());
                let inside: Vec<String> = ends.flat_map(Op::operands).map(|v| self.value(v)).collect();
                let attributes: Vec<String> = op.attributes().into_iter().map(|(n, a)| format!("{n}={a}")).collect();
                format!("{}#{r}{attributes:?}({})[{}]", op.name(), operands.join(","), inside.join(","))
            }
            _ => format!("{:?}", representative(value, self.equal).raw().ptr),
        }
    }
}

/// Reads the result of a candidate from `nest`, which computes it, and erases its sum.
fn read_from(nest: Op, c: &Candidate) {
    let sides = Sides::of(&c.around, c.sum).expect("it is a candidate");
    let at: Vec<Value> = needed(&sides).map(|o| c.around.indices[o]).collect();
    let around = c.sum.parent_op();
    c.sum.replace_with([Builder::before(c.sum).read(nest.result(0), &at)]);
    around.into_iter().for_each(erase_unused_ops);
}

/// Returns the indices on which either factor depends.
fn needed(sides: &Sides) -> impl Iterator<Item = usize> {
    (0..sides.needs[0].len()).filter(|o| sides.needs[0][*o] || sides.needs[1][*o])
}

/// Checks whether everything in the body of `nest` except `sum` can be computed for each element of a finished tile.
fn is_alone(nest: Op, sum: Op) -> bool {
    let yields = nest.entry().end().operands();
    let maps = are_all(nest, ResultKind::Map) && yields.iter().all(|v| !v.ty().is_tensor());
    maps && nested_of(nest, Kind::SweepNest).into_iter().all(|op| op == sum)
}

/// Checks whether memory of this size can be allocated at entry.
fn is_early(size: Value, entry: Block) -> bool {
    match size.defining_op() {
        None => size.block() == Some(entry),
        Some((op, _)) if op.kind() == Kind::TensorDim => true,
        Some((op, _)) => op.kind().dialect() == "arith" && op.operands().into_iter().all(|v| is_early(v, entry)),
    }
}

/// Creates a separate nest, before all surrounding nests, for the results of a candidate, and erases the sum. The nest
/// iterates over the indices on which the factors depend, and one factor is zero where the conditions do not hold.
fn taken_out(c: &Candidate, sides: &Sides) -> Op {
    let axes: Vec<usize> = needed(sides).collect();
    let old: Vec<Value> = axes.iter().map(|o| c.around.indices[*o]).collect();
    let extents: Vec<Value> = axes.iter().map(|o| c.around.extents[*o]).collect();
    let guarded = guarded_side(&c.around, sides, c.sum, &c.conditions).expect("it is a candidate");
    if !c.conditions.is_empty() {
        let (factor, product) = ([sides.left, sides.right][guarded], sides.product);
        let b = Builder::before(product);
        let all = c.conditions.iter().copied().reduce(|x, y| b.andi(x, y)).expect("not empty");
        let copy = |b: Builder| vec![Copies::new(c.sum).value(factor, b)];
        let guarded = choose(b, all, &[factor.ty()], copy, |b| vec![b.number(factor.ty(), 0)]);
        (0..2).filter(|k| product.operand(*k) == factor).for_each(|k| product.set_operand(k, guarded[0]));
        erase_unused_ops(c.sum);
    }
    let new = stored(c.around.nest, &extents, &old, c.sum.result(0), c.sum.location());
    read_from(new, c);
    new
}

/// Creates a nest before `nest` that computes `value`, which is defined inside `nest`, over these extents; `old` are
/// the indices at its definition.
fn stored(nest: Op, extents: &[Value], old: &[Value], value: Value, location: Location) -> Op {
    let b = Builder::before(nest).at(location);
    let mut copies = Copies::new(nest);
    let extents = copies.values(extents, b);
    let block = block_of_indices(extents.len(), location);
    let inner = Builder::at_end(block, location);
    let copy = copies.with(old.iter().copied().zip(block.arguments())).value(value, inner);
    inner.make(Kind::SweepYield, &[copy], &[], &[]);
    let shape: Vec<Dim> = extents.iter().map(|n| known(*n).and_then(|n| usize::try_from(n).ok())).collect();
    nests::map(b, &extents, &[Type::tensor(&shape, value.ty())], block)
}

/// Marks `nest`, whose body has one sum, after storing the factors that are not plain reads.
fn finish(nest: Op) {
    let sum = children_of(nest, Kind::SweepNest)[0];
    let sides = Sides::of(&Around::nest(nest), sum).expect("checked by the caller");
    let product = sides.product;
    let (outer, extents) = (indices(nest), nest.operand_segment(0));
    let (terms, lengths) = (indices(sum), sum.operand_segment(0));
    for (side, value) in [sides.left, sides.right].into_iter().enumerate() {
        if Factor::of(value, nest).is_some() {
            continue;
        }
        let both = |o: &usize| sides.needs[0][*o] && sides.needs[1][*o];
        let (shared, own): (Vec<usize>, Vec<usize>) =
            (0..outer.len()).filter(|o| sides.needs[side][*o]).partition(both);
        let at = |axes: &[usize], of: &[Value]| axes.iter().map(|o| of[*o]).collect::<Vec<_>>();
        // The last axis of the stored left factor is the reduced index, that of the right factor is the column.
        let order = |shared: Vec<Value>, own: Vec<Value>, terms: &[Value]| match side {
            0 => [shared.as_slice(), own.as_slice(), terms].concat(),
            _ => [shared.as_slice(), terms, own.as_slice()].concat(),
        };
        let old = order(at(&shared, &outer), at(&own, &outer), &terms);
        let sizes = order(at(&shared, &extents), at(&own, &extents), &lengths);
        let array = stored(nest, &sizes, &old, value, product.location());
        let read = Builder::before(product).read(array.result(0), &old);
        (0..2).filter(|k| product.operand(*k) == value).for_each(|k| product.set_operand(k, read));
    }
    erase_unused_ops(sum);
    erase_unused_ops(nest);
    debug_assert!(Contraction::of(nest).is_some());
    nest.set_attribute(ATTRIBUTE, nest.context().unit_attr());
}

/// Erases unused ops in the body of a nest or a branch.
pub(super) fn erase_unused_ops(nest: Op) {
    for op in nest.child_ops().into_iter().rev().filter(|op| op.num_results() > 0) {
        if op.results().into_iter().all(Value::is_unused) {
            op.erase();
        }
    }
}

impl Arr {
    /// Checks whether the elements of this array are products whose sum over `axes` is a contraction.
    pub fn contracts(&self, axes: &[usize]) -> bool {
        let Definition::Elementwise { op, operands } = &self.definition else { return false };
        let [Val::Array(x), Val::Array(y)] = operands.as_slice() else { return false };
        let mut kept = (0..self.sizes.len()).filter(|k| !axes.contains(k));
        op.kind() == Kind::ArithMulf
            && kept.clone().any(|k| x.varies(k) && !y.varies(k))
            && kept.any(|k| y.varies(k) && !x.varies(k))
    }

    /// Checks whether elements may differ along this axis, as far as that is known without emitting anything.
    fn varies(&self, axis: usize) -> bool {
        match &self.definition {
            Definition::Splat(_) => false,
            Definition::Replicate(x) => axis > 0 && x.varies(axis - 1),
            Definition::Transpose(x, p) => x.varies(p[axis]),
            Definition::Get { of, leading, .. } => of.varies(axis + leading.len()),
            Definition::Slice { of, .. } | Definition::Reverse(of) | Definition::Padded(of) => of.varies(axis),
            Definition::Elementwise { operands, .. } => {
                operands.iter().any(|o| matches!(o, Val::Array(x) if x.varies(axis)))
            }
            _ => true,
        }
    }
}
