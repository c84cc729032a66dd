//! Nests that run over the same indices and read the same array become one: the array comes from memory once.
//!
//! `Σ_j f(x[i, j])` for each i and `Σ_i g(x[i, j])` for each j are two nests over the rows of x, the second carrying all its
//! sums; together they read x once. Then their inner nests over j stand beside each other, and become one as well. Only
//! nests of which neither needs the other's results are joined; a loop that LLVM can vectorise is not joined to one that
//! carries numbers strictly in order.

use crate::contraction::ATTRIBUTE;
use crate::ir::*;
use mlopt_dialects::sweep::Kind;
use std::collections::{HashMap, HashSet};

/// Results of one nest: each is a stream to memory, or registers for a reduction.
const MOST_RESULTS: usize = 8;
/// Arrays of fewer elements stay in the first cache between two nests.
const LARGE: usize = 4096;

/// Joins such nests in `function`.
pub fn join(function: Op) {
    let mut blocks = vec![function.body().expect("the caller has just made it")];
    while let Some(block) = blocks.pop() {
        while let Some((first, second, early)) = pair(block) {
            merge(first, second, early);
        }
        for op in block.ops() {
            blocks.extend(op.regions().into_iter().flat_map(Region::blocks));
        }
    }
}

/// Two nests of `block` to be joined, and whether in the place of the first (or of the second).
fn pair(block: Block) -> Option<(Op, Op, bool)> {
    let ops = block.ops();
    let nests: Vec<(usize, Op)> =
        ops.iter().copied().enumerate().filter(|(_, op)| op.name() == "sweep.nest" && is_plain(*op)).collect();
    // The position in this block of what uses or defines something.
    let place = |op: Op| {
        let mut at = Some(op);
        while let Some(op) = at {
            if op.block() == Some(block) {
                return ops.iter().position(|o| *o == op);
            }
            at = op.parent_op();
        }
        None
    };
    for (k, (at, first)) in nests.iter().enumerate() {
        for (then, second) in &nests[k + 1..] {
            if !alike(*first, *second) {
                continue;
            }
            let captured = captured(*second);
            let is_early = |v: &Value| v.defining_op().and_then(|(op, _)| place(op)).is_none_or(|p| p < *at);
            if captured.iter().all(is_early) {
                return Some((*first, *second, true));
            }
            let users = first.results().into_iter().flat_map(Value::uses);
            if users.map(|(op, _)| place(op)).all(|p| p.is_some_and(|p| p > *then)) {
                return Some((*first, *second, false));
            }
        }
    }
    None
}

/// Whether a nest may be changed: contractions have their own form, and what decides sizes is computed for itself, by the
/// function that answers for them.
fn is_plain(nest: Op) -> bool {
    nest.attribute(ATTRIBUTE).is_none()
        && nest.nested_ops().iter().all(|op| op.attribute(ATTRIBUTE).is_none())
        && !nest.results().into_iter().any(decides_sizes)
}

/// Whether an index or a condition on sizes is computed from the number `v`.
fn decides_sizes(v: Value) -> bool {
    let (mut todo, mut seen) = (vec![v], HashSet::new());
    while let Some(v) = todo.pop() {
        if v.ty().is_tensor() || !seen.insert(v) {
            continue;
        }
        for (user, _) in v.uses() {
            if user.name() == "sweep.require" || user.results().iter().any(|z| z.ty().is_index()) {
                return true;
            }
            if user.name().starts_with("arith.") || user.name().starts_with("math.") {
                todo.extend(user.results());
            }
        }
    }
    v.ty().is_index()
}

fn kinds(nest: Op) -> Vec<Kind> {
    let codes = nest.attribute("kinds").and_then(Attribute::as_i64_array).unwrap_or_default();
    codes.into_iter().filter_map(Kind::of).collect()
}

/// Whether two nests have the same shape and a large array in common.
fn alike(first: Op, second: Op) -> bool {
    let extents = |nest: Op| nest.operand_segment(0).into_iter().map(Extent::of).collect::<Vec<_>>();
    if extents(first) != extents(second) || first.num_results() + second.num_results() > MOST_RESULTS {
        return false;
    }
    let licence = |nest: Op| nest.attribute("fastmath");
    if licence(first) != licence(second) {
        return false;
    }
    let loops = |nest: Op| nest.nested_ops().into_iter().any(|op| matches!(op.name(), "sweep.nest" | "scf.while"));
    let in_order = |nest: Op| kinds(nest).contains(&Kind::Fold);
    let same_kind = loops(first) == loops(second);
    let vectorisable = loops(first) || !(in_order(first) || in_order(second));
    same_kind && vectorisable && !reads(first).is_disjoint(&reads(second))
}

/// An extent, equal for equal numbers.
#[derive(PartialEq)]
enum Extent {
    Known(i64),
    Value(Value),
}

impl Extent {
    fn of(v: Value) -> Extent {
        let constant = v.defining_op().filter(|(op, _)| op.name() == "arith.constant");
        match constant.and_then(|(op, _)| op.attribute("value")).and_then(Attribute::as_i64) {
            Some(n) => Extent::Known(n),
            None => Extent::Value(v),
        }
    }
}

/// The large arrays that `nest` reads.
fn reads(nest: Op) -> HashSet<Value> {
    let is_large = |v: &Value| v.ty().shape().into_iter().product::<Option<usize>>().is_none_or(|n| n >= LARGE);
    let deepest = |v: &Value| v.ty().rank() >= nest.operand_segment(0).len();
    let read = nest.nested_ops().into_iter().filter(|op| op.name() == "tensor.extract").map(|op| op.operand(0));
    read.filter(|v| is_large(v) && deepest(v) && v.block() != nest.body()).collect()
}

/// What `nest` and its body use from outside.
fn captured(nest: Op) -> Vec<Value> {
    let inside: HashSet<Op> = nest.nested_ops().into_iter().collect();
    let is_outside = |v: &Value| match v.defining_op() {
        Some((op, _)) => !inside.contains(&op),
        None => v.block().and_then(Block::parent_op).is_none_or(|op| op != nest && !inside.contains(&op)),
    };
    let operands = inside.iter().flat_map(|op| op.operands());
    nest.operands().into_iter().chain(operands).filter(is_outside).collect()
}

/// One nest that does what both do, in the place of the first (`early`) or of the second.
fn merge(first: Op, second: Op, early: bool) {
    let b = Builder::before(if early { first } else { second }).at(first.location());
    let ctx = b.context();
    let (extents, rank) = (first.operand_segment(0), first.operand_segment(0).len());
    let inits = [first.operand_segment(1), second.operand_segment(1)].concat();
    let types = extents.iter().map(|_| ctx.index()).chain(inits.iter().map(|v| v.ty()));
    let block = Block::new(&types.map(|t| (t, b.location)).collect::<Vec<_>>());
    let arguments = block.arguments();
    let (indices, mut carried) = (arguments[..rank].to_vec(), arguments[rank..].iter());
    let mut yielded = Vec::new();
    let end = Builder::at_end(block, b.location).make("sweep.yield", &[], &[], &[]);
    for nest in [first, second] {
        let body = nest.body().expect("verified");
        for (k, old) in body.arguments().into_iter().enumerate() {
            let new = if k < rank { indices[k] } else { *carried.next().expect("one for each fold") };
            old.replace_all_uses_with(new);
        }
        let last = body.terminator().expect("verified");
        yielded.extend(last.operands());
        for op in body.ops() {
            if op != last {
                op.move_before(end);
            }
        }
    }
    end.set_operands(&yielded);
    share(block);
    // Results that have become the same are one.
    let both = [kinds(first), kinds(second)].concat();
    let (old, yielded) = (first.results().into_iter().chain(second.results()).collect::<Vec<_>>(), end.operands());
    let mut kept: Vec<usize> = Vec::new();
    let mut becomes = Vec::new();
    for r in 0..old.len() {
        let same = |k: &usize| {
            both[*k] == both[r] && both[r] != Kind::Fold && yielded[*k] == yielded[r] && old[*k].ty() == old[r].ty()
        };
        let at = kept.iter().position(same).unwrap_or_else(|| {
            kept.push(r);
            kept.len() - 1
        });
        becomes.push(at);
    }
    end.set_operands(&kept.iter().map(|r| yielded[*r]).collect::<Vec<_>>());
    let mut new = b
        .op("sweep.nest")
        .operand_segments(&[&extents, &inits])
        .attribute("kinds", ctx.i64_array_attr(&kept.iter().map(|r| both[*r] as i64).collect::<Vec<_>>()))
        .results(&kept.iter().map(|r| old[*r].ty()).collect::<Vec<_>>())
        .region(Region::with_block(block));
    if let Some(licence) = first.attribute("fastmath") {
        new = new.attribute("fastmath", licence);
    }
    let new = b.insert(new.build());
    for (old, at) in old.into_iter().zip(becomes) {
        old.replace_all_uses_with(new.result(at));
    }
    second.erase();
    first.erase();
}

/// Computes once what the ops of `block` compute twice.
fn share(block: Block) {
    let mut seen: HashMap<String, Op> = HashMap::new();
    let mut gone = Vec::new();
    for op in block.ops() {
        let is_pure =
            op.name().starts_with("arith.") || op.name().starts_with("math.") || op.name() == "tensor.extract";
        if !is_pure || op.num_regions() > 0 || op.num_results() != 1 {
            continue;
        }
        let operands: Vec<usize> = op.operands().into_iter().map(|v| v.raw().ptr as usize).collect();
        let attributes: Vec<String> = op.attributes().into_iter().map(|(n, a)| format!("{n}={a}")).collect();
        let key = format!("{} {operands:?} {attributes:?} {}", op.name(), op.result(0).ty());
        match seen.get(&key) {
            Some(before) => {
                op.result(0).replace_all_uses_with(before.result(0));
                gone.push(op);
            }
            None => {
                seen.insert(key, op);
            }
        }
    }
    gone.into_iter().rev().for_each(Op::erase);
}
