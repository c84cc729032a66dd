//! Splitting of loops over rows into segments: an array becomes an array of segments and an array of the remaining
//! rows.

use super::loops::split as split_again;
use super::{Count, Segments};
use mlopt_dialects::ir::{Builder, Dim, Op, Region, Type, Value, types_of};
use mlopt_dialects::ops::Kind;

/// Checks whether the sizes of the emitted rows are known even if there is no iteration. If the length of a loop is not
/// known, a part of it may have no iterations.
pub fn can_split(op: Op) -> bool {
    let known = op.operand_segment(0).iter().any(|x| x.ty().shape()[0].is_some());
    let emitted = op.results().split_off(op.operand_segment(1).len());
    known || emitted.iter().all(|z| z.ty().shape()[1..].iter().all(Option::is_some))
}

pub fn split(op: Op, levels: u32) {
    let b = Builder::before(op);
    let (arrays, inits) = (op.operand_segment(0), op.operand_segment(1));
    let known = arrays.iter().find_map(|x| x.ty().shape()[0]);
    let value = known.map_or_else(|| b.length(arrays[0], 0), |n| b.index(n as i64));
    let segments = Segments::of(b, Count { value, known }, levels);
    let carried = types_of(&inits);
    let emitted = types_of(&op.results()[inits.len()..]);
    let with_rows = |ty: Type, leading: &[Dim]| Type::tensor(&[leading, &ty.shape()[1..]].concat(), ty.scalar());
    let (s, l) = (segments.number.known, segments.length.known);

    let main: Vec<Value> = arrays.iter().map(|&x| in_segments(b, x, &segments)).collect();
    let types = main.iter().map(|x| with_rows(x.ty(), &[])).chain(carried.iter().copied());
    let inner = b.new_block(&types.collect::<Vec<_>>());
    let around = inner.block;
    let results: Vec<Type> = carried.iter().copied().chain(emitted.iter().map(|&t| with_rows(t, &[s, l]))).collect();
    let outer = b.op(op.name()).operand_segments(&[&main, &inits]).results(&results);
    let outer = b.insert(outer.region(Region::with_block(around)).build());
    let mut finals = outer.results();
    let blocks = finals.split_off(inits.len());
    let mut stacked: Vec<Value> = blocks.into_iter().map(|x| flat(b, x, &segments)).collect();
    if segments.rest.known != Some(0) {
        let tail = op.clone_op();
        let part = |x: &Value| b.slice(*x, segments.whole.value, segments.rest.known, dynamic(segments.rest));
        let left: Vec<Value> = arrays.iter().map(part).collect();
        tail.set_operands(&[left, finals].concat());
        for (k, &t) in emitted.iter().enumerate() {
            tail.result(inits.len() + k).set_type(with_rows(t, &[segments.rest.known]));
        }
        b.insert(tail);
        finals = tail.results();
        let ends = finals.split_off(inits.len());
        stacked = stacked.into_iter().zip(ends).map(|(x, y)| b.append(x, y)).collect();
    }
    for (k, mut new) in finals.into_iter().chain(stacked).enumerate() {
        let old = op.result(k);
        if new.ty() != old.ty() {
            new = b.unary(Kind::TensorCast, &[new], old.ty());
        }
        old.replace_all_uses_with(new);
    }
    around.append(op.detach());
    op.set_operands(&around.arguments());
    for (k, &t) in emitted.iter().enumerate() {
        op.result(inits.len() + k).set_type(with_rows(t, &[l]));
    }
    inner.insert(inner.op(Kind::ArrayYield).operands(&op.results()).build());
    if levels > 2 {
        split_again(outer, levels - 1);
    }
}

fn dynamic(count: Count) -> Option<Value> {
    count.known.is_none().then_some(count.value)
}

/// Returns the whole segments of `x`: (number, length, rest...).
fn in_segments(b: Builder, x: Value, segments: &Segments) -> Value {
    let whole = b.slice(x, b.index(0), segments.whole.known, dynamic(segments.whole));
    let rest = &x.ty().shape()[1..];
    let sizes: Vec<Dim> = [&[segments.number.known, segments.length.known], rest].concat();
    let extents = [dynamic(segments.number), dynamic(segments.length)].into_iter().flatten();
    let extents: Vec<Value> = extents.chain(lengths(b, x, 1)).collect();
    b.reshape(whole, &sizes, &extents)
}

/// Concatenates rows of segments: (number · length, rest...).
fn flat(b: Builder, x: Value, segments: &Segments) -> Value {
    let sizes: Vec<Dim> = [&[segments.whole.known], &x.ty().shape()[2..]].concat();
    let extents: Vec<Value> = dynamic(segments.whole).into_iter().chain(lengths(b, x, 2)).collect();
    b.reshape(x, &sizes, &extents)
}

/// Returns the dynamic sizes of the axes of `x` from `first` on.
fn lengths(b: Builder, x: Value, first: usize) -> Vec<Value> {
    let shape = x.ty().shape();
    (first..shape.len()).filter(|&axis| shape[axis].is_none()).map(|axis| b.length(x, axis)).collect()
}
