//! Preparation of contractions for tiling: the axes of the result of a contraction are put into the order in which they
//! are read, and the elementwise computation that reads the result becomes part of the same nest.
//!
//! ```text
//! %z = nest (i < m, j < n) { Σ_k a[k, i] · b[k, j] }       %y = nest (j < n, i < m) {
//! %y = nest (j < n, i < m) { w[j, i] - r · z[i, j] }   →        w[j, i] - r · Σ_k a[k, i] · b[k, j] } {contraction}
//! ```
//! An example is the gradient with respect to a matrix of weights. Tiles can compute the rows and columns of a result
//! in either order, because both factors are packed.

use super::horizontal_fusion;
use crate::contraction::{ATTRIBUTE, depends, runs_along};
use crate::ir::*;
use crate::nests::{are_all, indices, kinds};
use mlopt_dialects::sweep::ResultKind;

/// Permutes the axes of the results of `nest`, which maps scalars, into the order in which they are read, if all
/// readers agree.
pub fn turn_to_readers(nest: Op) {
    let uses: Vec<(Op, usize)> = nest.results().into_iter().flat_map(Value::uses).collect();
    if uses.iter().any(|(user, k)| user.kind() != Kind::TensorExtract || *k != 0) {
        return;
    }
    let readers: Vec<Op> = uses.into_iter().map(|(user, _)| user).collect();
    let mut orders = readers.iter().filter(|op| !is_term(**op)).map(|op| order(*op, nest));
    let Some(order) = orders.next().filter(|first| orders.all(|o| o == *first)) else { return };
    if order.is_sorted() {
        return;
    }
    let turned = |values: Vec<Value>| -> Vec<Value> { order.iter().map(|axis| values[*axis]).collect() };
    turned(nest.operand_segment(0)).into_iter().enumerate().for_each(|(k, extent)| nest.set_operand(k, extent));
    let old = indices(nest);
    let uses: Vec<Vec<(Op, usize)>> = old.iter().map(|i| i.uses()).collect();
    for (axis, uses) in uses.into_iter().enumerate() {
        let new = old[order.iter().position(|a| *a == axis).expect("a permutation")];
        uses.into_iter().for_each(|(user, k)| user.set_operand(k, new));
    }
    for z in nest.results() {
        let shape = z.ty().shape();
        z.set_type(Type::tensor(&order.iter().map(|axis| shape[*axis]).collect::<Vec<_>>(), z.ty().scalar()));
    }
    for reader in readers {
        let position = turned(reader.operands()[1..].to_vec());
        position.into_iter().enumerate().for_each(|(k, v)| reader.set_operand(k + 1, v));
    }
}

/// Checks whether `read` is in a sum of products, which tiles read in an order of their own.
fn is_term(read: Op) -> bool {
    let home = read.parent_op().filter(|op| op.kind() == Kind::SweepNest && kinds(*op) == [ResultKind::Sum]);
    let product = |op: &Op| op.kind() == Kind::ArithMulf;
    home.is_some_and(|sum| read.result(0).uses().iter().any(|(user, _)| product(user) && is_inside(*user, sum)))
}

/// Returns the order in which the loops around `read`, outside `made`, traverse the axes of its array.
fn order(read: Op, made: Op) -> Vec<usize> {
    let around = ancestors(read);
    let mut nests: Vec<Op> =
        around.take_while(|op| !is_inside(made, *op)).filter(|op| op.kind() == Kind::SweepNest).collect();
    nests.reverse();
    let Some(outermost) = nests.first().copied() else { return (0..read.num_operands() - 1).collect() };
    let loops: Vec<Value> = nests.into_iter().flat_map(indices).collect();
    let depth = |v: Value| loops.iter().rposition(|i| depends(v, *i, outermost)).map_or(0, |d| d + 1);
    let position = read.operands()[1..].to_vec();
    let mut axes: Vec<usize> = (0..position.len()).collect();
    axes.sort_by_key(|axis| depth(position[*axis]));
    axes
}

/// Merges `nest`, a contraction, with nests that need its elements one by one and compute only what tiles can compute
/// with vectors.
pub fn join_readers(nest: Op) {
    let mut nest = nest;
    while let Some(next) = horizontal_fusion::in_step(nest, is_simple) {
        nest = horizontal_fusion::merged(nest, next);
        nest.set_attribute(ATTRIBUTE, nest.context().unit_attr());
    }
}

/// Checks whether a nest maps elements by arithmetic only, and reads along its last axis.
fn is_simple(nest: Op) -> bool {
    let Some(column) = indices(nest).last().copied() else { return false };
    let yields = nest.entry().end().operands();
    are_all(nest, ResultKind::Map)
        && yields.into_iter().all(|v| v.ty().is_float() && on_vectors(v, column, nest))
        && nest.nested_ops().iter().all(|op| op.num_regions() == 0)
}

fn on_vectors(value: Value, column: Value, nest: Op) -> bool {
    let is_number = value.ty().is_float() || value.ty().is_integer(1);
    let is_simple = |op: Op| match op.kind() {
        Kind::TensorExtract => runs_along(&op.operands()[1..], column, nest),
        kind => kind.dialect() == "arith" && op.operands().into_iter().all(|v| on_vectors(v, column, nest)),
    };
    !depends(value, column, nest) || is_number && value.defining_op().is_some_and(|(op, _)| is_simple(op))
}
