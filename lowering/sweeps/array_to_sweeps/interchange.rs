//! Loop interchange for sums and other reductions that would read memory with a stride.
//!
//! `z[j] = post(Σ_i f(x[i, j], j), j)` reads a column of `x` for each `j`. After the interchange, all sums are computed
//! together, row by row: `a = 0; for i: for j: a[j] = a[j] + f(x[i, j], j)`, and finally `z[j] = post(a[j], j)`. Each
//! sum adds its terms in the same order as before.

use crate::ir::*;
use crate::nests::{self, are_all, indices, kinds};
use crate::reduction::{combine, neutral};
use mlopt_dialects::sweep::ResultKind;
use std::collections::HashMap;

/// The maximum number of ops before the sum in the body: they are repeated for each term.
const MOST_REPEATED: usize = 8;

/// Interchanges every such nest in `function`.
pub fn interchange(function: Op) {
    let mut gone = Vec::new();
    for op in nested_of(function, Kind::SweepNest) {
        if !gone.contains(&op)
            && let Some((sum, before)) = strided_sum(op)
        {
            turn(op, sum, before);
            gone.push(sum);
        }
    }
}

/// Returns the only nest in the body of `outer` if it is a sum that reads along columns, one for each index of `outer`,
/// and the ops that [`repeated`] returns.
fn strided_sum(outer: Op) -> Option<(Op, Vec<Op>)> {
    let body = outer.body()?;
    let elementwise =
        are_all(outer, ResultKind::Map) && !body.terminator()?.operands().iter().any(|v| v.ty().is_tensor());
    let mut nests = body.ops().into_iter().filter(|op| op.num_regions() > 0);
    let (sum, None) = (nests.next()?, nests.next()) else { return None };
    let inside = sum.nested_ops();
    if !elementwise
        || outer.attribute(crate::contraction::ATTRIBUTE).is_some()
        || sum.kind() != Kind::SweepNest
        || !kinds(sum).iter().all(|k| k.is_reduction())
        || inside.iter().any(|op| op.kind() == Kind::SweepNest)
        // The extents of the sum must be the same for all elements.
        || sum.operand_segment(0).iter().any(|n| n.block() == Some(body))
    {
        return None;
    }
    let (outer_last, sum_last) = (*indices(outer).last()?, *indices(sum).last()?);
    let reads = |last: Value| {
        let is_read = |op: &&Op| op.kind() == Kind::TensorExtract && op.num_operands() > 2;
        inside.iter().filter(is_read).any(|op| op.operands().last() == Some(&last))
    };
    if !reads(outer_last) || reads(sum_last) {
        return None;
    }
    let before = repeated(outer, sum)?;
    (before.len() <= MOST_REPEATED).then_some((sum, before))
}

/// Returns the ops of the outer body that the terms of the sum need, in order, or `None` if one of them is not cheap.
fn repeated(outer: Op, sum: Op) -> Option<Vec<Op>> {
    let body = outer.body()?;
    let makers = |values: Vec<Value>| {
        let ops = values.into_iter().filter_map(Value::defining_op).map(|(op, _)| op);
        ops.filter(|op| op.block() == Some(body) && *op != sum).collect::<Vec<_>>()
    };
    let is_cheap = |op: &Op| {
        let is_cheap_kind = match op.kind() {
            Kind::ArithDivf => false,
            kind => kind == Kind::TensorExtract || kind.dialect() == "arith",
        };
        is_cheap_kind && op.num_regions() == 0
    };
    let terms = makers(sum.nested_ops().into_iter().flat_map(Op::operands).collect());
    let needed = reached(terms, |op| makers(op.operands()));
    needed.iter().all(is_cheap).then(|| body.ops().into_iter().filter(|op| needed.contains(op)).collect())
}

fn turn(outer: Op, sum: Op, before: Vec<Op>) {
    let b = Builder::before(outer).at(sum.location());
    let (extents, terms) = (outer.operand_segment(0), sum.operand_segment(0));
    let shape = outer.result(0).ty().shape()[..extents.len()].to_vec();
    let accumulators: Vec<Type> = sum.results().iter().map(|s| Type::tensor(&shape, s.ty())).collect();

    // a = 0
    let inner = Builder::at_end(block_of_indices(extents.len(), b.location), b.location);
    let reductions = kinds(sum);
    let start = sum.results().into_iter().zip(&reductions).map(|(s, k)| inner.constant(neutral(*k, s.ty()), s.ty()));
    let start: Vec<Value> = start.collect();
    inner.make(Kind::SweepYield, &start, &[], &[]);
    let zeros = nests::map(b, &extents, &accumulators, inner.block);

    // for i: for j: a[j] = a[j] + term(i, j)
    let rows = nests::body(terms.len(), &zeros.results(), b.location);
    let (row_indices, carried) = (rows.arguments(), rows.arguments().split_off(terms.len()));
    let row = block_of_indices(extents.len(), b.location);
    let inner = Builder::at_end(row, b.location);
    let mut known: HashMap<Value, Value> = indices(outer).into_iter().zip(row.arguments()).collect();
    known.extend(indices(sum).into_iter().zip(row_indices));
    let body = sum.entry();
    let end = body.end();
    for op in before.into_iter().chain(body.ops().into_iter().filter(|op| *op != end)) {
        inner.copy(op, &mut known);
    }
    let mut next = Vec::new();
    for ((term, so_far), kind) in end.operands().into_iter().zip(&carried).zip(reductions) {
        let term = known.get(&term).copied().unwrap_or(term);
        let so_far = inner.read(*so_far, &row.arguments());
        next.push(combine(inner, kind, so_far, term, sum.attribute("fastmath"), false));
    }
    inner.make(Kind::SweepYield, &next, &[], &[]);
    let at_row = Builder::at_end(rows, b.location);
    let row = nests::map(at_row, &extents, &accumulators, row);
    at_row.make(Kind::SweepYield, &row.results(), &[], &[]);
    let folds = vec![ResultKind::Fold; accumulators.len()];
    let rows = nests::nest(b, &terms, &zeros.results(), &folds, &accumulators, rows);

    // z[j] = post(a[j], j)
    let here = Builder::before(sum);
    for (s, a) in sum.results().into_iter().zip(rows.results()) {
        s.replace_all_uses_with(here.read(a, &indices(outer)));
    }
    sum.erase();
}
