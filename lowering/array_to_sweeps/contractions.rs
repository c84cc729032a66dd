//! Sums of products of two factors that each need some of the indices only become nests that tiles can take
//! (`contraction.rs`), however the program was written.
//!
//! A sum that stands in the body of another nest is taken out into its own, unless all else in that body can be done with a
//! finished tile. A factor that is not a plain read is stored first, in the order in which tiles read it: it is computed once
//! for each of its own indices, instead of once for each product.

use super::arrays::{Arr, How, Val};
use crate::contraction::{ATTRIBUTE, Contraction, Copies, Factor, Sides, indices, kinds, known};
use crate::ir::*;
use mlopt_dialects::sweep::Kind;

/// Marks the contractions of `function`, and brings others into the form.
pub fn mark(function: Op) {
    let entry = function.body().expect("the caller made it");
    let nests: Vec<Op> = function.nested_ops().into_iter().filter(|op| op.name() == "sweep.nest").collect();
    let mut gone: Vec<Op> = Vec::new();
    for nest in nests {
        if gone.contains(&nest) {
            continue;
        }
        for sum in nest.child_ops().into_iter().filter(|op| op.name() == "sweep.nest") {
            let Some(sides) = Sides::of(nest, sum).filter(|s| s.are_worthwhile(nest, sum)) else { continue };
            let plain = [sides.left, sides.right].iter().all(|side| Factor::of(*side, nest).is_some());
            let alone = is_alone(nest, sum);
            let extents = [nest.operand_segment(0), sum.operand_segment(0)].concat();
            if !(alone && plain) && !extents.into_iter().all(|n| is_early(n, entry)) {
                continue;
            }
            let home = if alone { nest } else { taken_out(nest, sum, &sides, &mut gone) };
            finish(home);
        }
    }
}

/// Whether everything in the body of `nest` but `sum` can be done for each element of a finished tile.
fn is_alone(nest: Op, sum: Op) -> bool {
    let yields = nest.body().and_then(Block::terminator).expect("verified").operands();
    let maps = kinds(nest).iter().all(|k| *k == Kind::Map) && yields.iter().all(|v| !v.ty().is_tensor());
    maps && nest.nested_ops().into_iter().filter(|op| op.name() == "sweep.nest").all(|op| op == sum)
}

/// Whether memory of this size can be asked for before anything runs.
fn is_early(size: Value, entry: Block) -> bool {
    match size.defining_op() {
        None => size.block() == Some(entry),
        Some((op, _)) if op.name() == "tensor.dim" => true,
        Some((op, _)) => op.name().starts_with("arith.") && op.operands().into_iter().all(|v| is_early(v, entry)),
    }
}

/// A nest of its own, before `nest`, for the results of `sum`, which is erased; it runs over what the factors need.
fn taken_out(nest: Op, sum: Op, sides: &Sides, gone: &mut Vec<Op>) -> Op {
    let axes: Vec<usize> = (0..sides.needs[0].len()).filter(|o| sides.needs[0][*o] || sides.needs[1][*o]).collect();
    let all = indices(nest);
    let old: Vec<Value> = axes.iter().map(|o| all[*o]).collect();
    let extents: Vec<Value> = axes.iter().map(|o| nest.operand_segment(0)[*o]).collect();
    let new = stored(nest, &extents, &old, sum.result(0), sum.location());
    let b = Builder::before(sum);
    let read = b.value("tensor.extract", &[&[new.result(0)], old.as_slice()].concat(), sum.result(0).ty(), &[]);
    sum.result(0).replace_all_uses_with(read);
    gone.push(sum);
    sum.erase();
    sweep_out(nest);
    new
}

/// A nest before `nest` that maps `value`, which is computed inside `nest`, over these extents; `old` are the indices there.
fn stored(nest: Op, extents: &[Value], old: &[Value], value: Value, location: Location) -> Op {
    let b = Builder::before(nest).at(location);
    let mut copies = Copies::new(nest);
    let extents = copies.values(extents, b);
    let block = Block::new(&vec![(b.context().index(), location); extents.len()]);
    let inner = Builder::at_end(block, location);
    let copy = copies.with(old.iter().copied().zip(block.arguments())).value(value, inner);
    inner.make("sweep.yield", &[copy], &[], &[]);
    let shape: Vec<Dim> = extents.iter().map(|n| known(*n).and_then(|n| usize::try_from(n).ok())).collect();
    let op = b
        .op("sweep.nest")
        .operand_segments(&[&extents, &[]])
        .attribute("kinds", b.context().i64_array_attr(&[Kind::Map as i64]))
        .results(&[Type::tensor(&shape, value.ty())])
        .region(Region::with_block(block));
    b.insert(op.build())
}

/// Marks `nest`, whose body has one sum, after storing the factors that are not plain reads.
fn finish(nest: Op) {
    let sum = nest.child_ops().into_iter().find(|op| op.name() == "sweep.nest").expect("the caller has seen it");
    let sides = Sides::of(nest, sum).expect("the caller has asked");
    let term = sum.body().and_then(Block::terminator).expect("verified").operand(0);
    let (product, _) = term.defining_op().expect("it is a product");
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
        // Terms run fastest on the left, columns on the right.
        let order = |shared: Vec<Value>, own: Vec<Value>, terms: &[Value]| match side {
            0 => [shared.as_slice(), own.as_slice(), terms].concat(),
            _ => [shared.as_slice(), terms, own.as_slice()].concat(),
        };
        let old = order(at(&shared, &outer), at(&own, &outer), &terms);
        let sizes = order(at(&shared, &extents), at(&own, &extents), &lengths);
        let array = stored(nest, &sizes, &old, value, product.location());
        let b = Builder::before(product);
        let read = b.value("tensor.extract", &[&[array.result(0)], old.as_slice()].concat(), value.ty(), &[]);
        for k in (0..2).filter(|k| product.operand(*k) == value) {
            product.set_operand(k, read);
        }
    }
    sweep_out(sum);
    sweep_out(nest);
    debug_assert!(Contraction::of(nest).is_some());
    nest.set_attribute(ATTRIBUTE, nest.context().unit_attr());
}

/// Erases what nobody uses in the body of a nest.
fn sweep_out(nest: Op) {
    let body = nest.body().expect("verified");
    let mut ops = body.ops();
    ops.pop();
    for op in ops.into_iter().rev() {
        if op.num_results() > 0 && op.results().into_iter().all(Value::is_unused) {
            op.erase();
        }
    }
}

impl Arr {
    /// Whether the elements of this array are products of which the sum over `axes` is a contraction.
    pub fn contracts(&self, axes: &[usize]) -> bool {
        let How::Elementwise { op, operands } = &self.how else { return false };
        let [Val::Array(x), Val::Array(y)] = operands.as_slice() else { return false };
        let mut kept = (0..self.sizes.len()).filter(|k| !axes.contains(k));
        op.name() == "arith.mulf"
            && kept.clone().any(|k| x.varies(k) && !y.varies(k))
            && kept.any(|k| y.varies(k) && !x.varies(k))
    }

    /// Whether elements may differ along this axis, as far as that is known without emitting anything.
    fn varies(&self, axis: usize) -> bool {
        match &self.how {
            How::Splat(_) => false,
            How::Replicate(x) => axis > 0 && x.varies(axis - 1),
            How::Transpose(x, p) => x.varies(p[axis]),
            How::Get { of, leading, .. } => of.varies(axis + leading.len()),
            How::Slice { of, .. } | How::Reverse(of) | How::Padded(of) => of.varies(axis),
            How::Elementwise { operands, .. } => {
                operands.iter().any(|o| matches!(o, Val::Array(x) if x.varies(axis)))
            }
            _ => true,
        }
    }
}
