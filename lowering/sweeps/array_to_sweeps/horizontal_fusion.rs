//! Horizontal fusion: two neighbouring nests with the same index ranges that read the same matrix become one nest,
//! which reads the matrix once. Two nests are also fused if each iteration of the second reads only the elements that
//! the same iteration of the first computes; these elements then need not be stored.
//!
//! ```text
//! %a = nest (i < m) { nest (j < n) { … x[i, j] … } }         %a, %b = nest (i < m) {
//! %b = nest (i < m) { nest (j < n) { … x[i, j] … } }   →        nest (j < n) { … x[i, j] … x[i, j] … } }
//! ```
//! An example is the row sums and column sums of one matrix. Common subexpressions are computed once. If the merged
//! nest is the only reader of an array, and reads each element once, the array is not stored: its elements are computed
//! there.

use crate::contraction::ATTRIBUTE;
use crate::ir::*;
use crate::nests::{self, indices, kinds};
use mlopt_dialects::sweep::ResultKind;
use std::collections::{HashMap, HashSet};

/// The maximum number of operations of a nest to which another one is added; more of them would not fit in the
/// registers.
const LARGEST: usize = 120;

/// Merges the nests of `function` where possible.
pub fn merge(function: Op) {
    if let Some(body) = function.body() {
        merge_in(body);
    }
}

fn merge_in(block: Block) {
    let mut at = block.first_op();
    while let Some(first) = at {
        let mut nest = first;
        if is_candidate(nest) {
            while let Some(other) = sibling(nest) {
                nest = merged(nest, other);
                share(nest.entry());
            }
        }
        nest.blocks().into_iter().for_each(merge_in);
        at = nest.next();
    }
    block.ops().into_iter().rev().filter(|op| is_candidate(*op)).for_each(compute_where_read);
}

/// Computes the elements of `nest` where a later nest of the block reads them, if that is the only read, and reads each
/// element once.
fn compute_where_read(nest: Op) {
    let used: Vec<Value> = nest.results().into_iter().filter(|z| !z.is_unused()).collect();
    let ([element], [array]) = (&nest.entry().end().operands()[..], &used[..]) else { return };
    let ([(read, 0)], false) = (&array.uses()[..], element.ty().is_tensor()) else { return };
    let Some(reader) = nest.block().and_then(|block| ancestor_in(*read, block)) else { return };
    let at = read.operands().split_off(1);
    let between: Vec<Op> = ancestors(*read).take_while(|op| op.block() != nest.block()).chain([reader]).collect();
    let is_once = |op: &Op| op.kind() == Kind::SweepNest && indices(*op).iter().all(|i| at.contains(i));
    let ops = nest.nested_ops();
    let fits = read.kind() == Kind::TensorExtract
        && is_candidate(reader)
        && kinds(nest) == [ResultKind::Map]
        && between.iter().all(is_once)
        && ops.iter().all(|op| op.num_regions() == 0)
        && ops.len() + reader.nested_ops().len() <= LARGEST;
    // What the reader updates in place must not be read inside of it.
    let updated: Vec<Value> = between.iter().flat_map(|op| op.operand_segment(1)).collect();
    if !fits || ops.iter().flat_map(|op| op.operands()).any(|v| updated.contains(&v)) {
        return;
    }
    let mut known: HashMap<Value, Value> = indices(nest).into_iter().zip(at).collect();
    let b = Builder::before(*read);
    let body = nest.entry();
    let end = body.end();
    for op in body.ops().into_iter().filter(|op| *op != end) {
        b.copy(op, &mut known);
    }
    read.replace_with([known.get(element).copied().unwrap_or(*element)]);
    nest.erase();
    if let Some(around) = between.first() {
        share(around.entry());
    }
}

/// Checks whether a nest has a result that its attribute `fastmath` concerns.
fn reduces(nest: Op) -> bool {
    kinds(nest).iter().any(|kind| kind.is_reduction())
}

fn is_candidate(op: Op) -> bool {
    op.kind() == Kind::SweepNest && op.attribute(ATTRIBUTE).is_none()
}

/// Returns a later nest of the block that may run together with `nest`.
fn sibling(nest: Op) -> Option<Op> {
    let read = matrices(nest);
    let is_sibling = |op: Op, depends: bool, behind: &HashSet<Value>| match depends {
        true => keeps_step(nest, op, behind),
        false => matrices(op).iter().any(|m| read.contains(m)),
    };
    later(nest, is_sibling)
}

/// Returns a later nest of the block that needs elements of `nest` one by one, and that `wanted` accepts.
pub fn in_step(nest: Op, wanted: impl Fn(Op) -> bool) -> Option<Op> {
    later(nest, |op, depends, behind| depends && keeps_step(nest, op, behind) && wanted(op))
}

/// Returns the first later nest of the block over the same box that `asked` accepts. `asked` gets the nest, whether it
/// depends on `nest`, and the values that depend on `nest`.
fn later(nest: Op, asked: impl Fn(Op, bool, &HashSet<Value>) -> bool) -> Option<Op> {
    let size = nest.nested_ops().len();
    // Ops that depend on `nest` must stay after it.
    let mut behind: HashSet<Value> = nest.results().into_iter().collect();
    for op in std::iter::successors(nest.next(), |op| op.next()) {
        let depends = operands_of(op).any(|v| behind.contains(&v));
        let fits = is_candidate(op)
            && same_box(nest, op)
            && (op.attribute("fastmath") == nest.attribute("fastmath") || !reduces(op) || !reduces(nest))
            && size + op.nested_ops().len() <= LARGEST
            && reads_what_is_put(nest, op)
            && asked(op, depends, &behind);
        if fits {
            return Some(op);
        }
        if depends {
            behind.extend(op.results());
        }
    }
    None
}

/// Checks whether `op` needs none of the values in `behind` except elements of `nest`, each at the indices at which it
/// is computed.
fn keeps_step(nest: Op, op: Op, behind: &HashSet<Value>) -> bool {
    let at = indices(op);
    let (yielded, kinds) = (nest.entry().end().operands(), kinds(nest));
    let is_element = |r: &usize| kinds[*r] == ResultKind::Map && !yielded[*r].ty().is_tensor();
    let elements: Vec<Value> = (0..kinds.len()).filter(is_element).map(|r| nest.result(r)).collect();
    let in_step = |reader: &Op| reader.kind() == Kind::TensorExtract && reader.operands()[1..] == at;
    let harmless = |reader: Op| {
        let operands = reader.operands();
        let mut needed = operands.iter().enumerate().filter(|(_, v)| behind.contains(v));
        needed.all(|(k, v)| k == 0 && elements.contains(v) && in_step(&reader))
    };
    !op.operands().iter().any(|v| behind.contains(v)) && op.nested_ops().into_iter().all(harmless)
}

/// Checks whether `nest` reads arrays that `op` updates only at the position that `op` updates in the same iteration.
/// The merged nest reads them from its carried array, and still works in place.
fn reads_what_is_put(nest: Op, op: Op) -> bool {
    let inits = op.operand_segment(1);
    let body = op.entry();
    let (at, there) = (indices(op), indices(nest));
    let so_far = body.arguments().split_off(at.len());
    let in_step = |v: &Value| there.iter().position(|i| i == v).map_or(*v, |k| at[k]);
    inits.into_iter().zip(so_far).filter(|(init, _)| init.ty().is_tensor()).all(|(init, so_far)| {
        let mut reads = init.uses().into_iter().filter(|(user, _)| is_inside(*user, nest)).peekable();
        if reads.peek().is_none() {
            return true;
        }
        let [(put, 1)] = so_far.uses()[..] else { return false };
        let is_it = |(read, k): (Op, usize)| {
            read.kind() == Kind::TensorExtract
                && k == 0
                && read.operands()[1..].iter().map(in_step).eq(put.operands()[2..].to_vec())
        };
        // If two iterations write the same position, the second would read the value that the first has written.
        let elsewhere = |i: &Value| put.operands()[2..].contains(i);
        put.kind() == Kind::SweepPut && put.block() == Some(body) && at.iter().all(elsewhere) && reads.all(is_it)
    })
}

fn same_box(a: Op, b: Op) -> bool {
    let (a, b) = (a.operand_segment(0), b.operand_segment(0));
    let same = |(x, y): (&Value, &Value)| x == y || known(*x).is_some_and(|n| known(*y) == Some(n));
    a.len() == b.len() && a.iter().zip(&b).all(same)
}

/// Returns the arrays of several axes that are read in `nest` and defined outside.
fn matrices(nest: Op) -> Vec<Value> {
    let inside: HashSet<Op> = nest.nested_ops().into_iter().collect();
    let reads =
        inside.iter().filter(|op| op.kind() == Kind::TensorExtract && op.num_operands() > 2).map(|op| op.operand(0));
    let carried = nest.body().map(Block::arguments).unwrap_or_default();
    reads.filter(|v| v.defining_op().is_none_or(|(op, _)| !inside.contains(&op)) && !carried.contains(v)).collect()
}

/// Replaces `a` and `b` by one nest at the position of `a`. Ops that `b` needs are moved before it.
pub fn merged(a: Op, b: Op) -> Op {
    let between: Vec<Op> = std::iter::successors(a.next(), |op| op.next()).take_while(|op| *op != b).collect();
    let mut needed: HashSet<Value> = operands_of(b).collect();
    let mut moving = Vec::new();
    for op in between.into_iter().rev() {
        if op.results().iter().any(|r| needed.contains(r)) {
            needed.extend(operands_of(op));
            moving.push(op);
        }
    }
    moving.into_iter().rev().for_each(|op| op.move_before(a));
    // Reads in `a` of arrays that `b` updates. They will read the carried array; reads in `b` itself continue to read
    // the elements from before the nest.
    let inits = b.operand_segment(1).into_iter().enumerate().filter(|(_, init)| init.ty().is_tensor());
    let in_a = |user: Op| is_inside(user, a);
    let reads: Vec<(Op, usize, usize)> = inits
        .flat_map(|(k, init)| {
            init.uses().into_iter().filter(|u| in_a(u.0)).map(move |(read, operand)| (read, operand, k))
        })
        .collect();
    let bodies = [a, b].map(|nest| nest.entry());
    let rank = indices(a).len();
    let [ours, theirs] = bodies.map(Block::arguments);
    let block = Block::new(&ours.iter().chain(&theirs[rank..]).map(|v| (v.ty(), v.location())).collect::<Vec<_>>());
    let arguments = block.arguments();
    let mut folds = arguments[rank..].iter();
    let mut yielded = Vec::new();
    for body in bodies {
        replace_all(body.arguments(), arguments[..rank].iter().chain(folds.by_ref()).copied());
        move_ops(body, &[body.end()], block);
        yielded.extend(body.end().operands());
    }
    // Elements of `a` that `b` reads are available as values.
    for (z, element) in a.results().into_iter().zip(yielded.clone()) {
        for (reader, _) in z.uses() {
            if reader.kind() == Kind::TensorExtract && ancestor_in(reader, block).is_some() {
                yielded.iter_mut().filter(|v| **v == reader.result(0)).for_each(|v| *v = element);
                reader.replace_with([element]);
            }
        }
    }
    // Arrays without other uses are not stored.
    let all = std::iter::zip([a.results(), b.results()].concat(), [kinds(a), kinds(b)].concat()).zip(yielded);
    let kept: Vec<((Value, ResultKind), Value)> =
        all.filter(|((z, kind), _)| *kind != ResultKind::Map || !z.is_unused()).collect();
    let yielded: Vec<Value> = kept.iter().map(|(_, v)| *v).collect();
    Builder::at_end(block, b.location()).make(Kind::SweepYield, &yielded, &[], &[]);
    let (results, kinds): (Vec<Value>, Vec<ResultKind>) = kept.into_iter().map(|(result, _)| result).unzip();
    let at = Builder::before(a).at(Location::fused(a.context(), &[a.location(), b.location()]));
    let inits = [a.operand_segment(1), b.operand_segment(1)].concat();
    let nest = nests::nest(at, &a.operand_segment(0), &inits, &kinds, &types_of(&results), block);
    nests::keep(nest, if reduces(b) { b } else { a }, &["fastmath"]);
    replace_all(results, nest.results());
    let so_far = &arguments[rank + a.operand_segment(1).len()..];
    reads.into_iter().for_each(|(read, operand, k)| read.set_operand(operand, so_far[k]));
    b.erase();
    a.erase();
    nest
}

/// Eliminates common subexpressions without regions.
fn share(block: Block) {
    let mut known: Vec<Op> = Vec::new();
    let is_plain = |op: &Op| op.num_regions() == 0 && op.num_results() > 0 && op.is_pure();
    for op in block.ops().into_iter().filter(is_plain) {
        let same = |other: &&Op| {
            other.name() == op.name()
                && other.operands() == op.operands()
                && other.attributes() == op.attributes()
                && std::iter::zip(other.results(), op.results()).all(|(a, b)| a.ty() == b.ty())
        };
        match known.iter().find(same) {
            Some(other) => {
                op.replace_with(other.results());
            }
            None => known.push(op),
        }
    }
}
