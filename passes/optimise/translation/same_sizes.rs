//! Conditions on sizes that remain when the ops that require them are replaced: for `a + b`, that the sizes of `a` and
//! `b` are equal. Terms state one of the two sizes and read the other array within it, so that the condition is lost.

use super::export::primitive;
use super::import::Importer;
use crate::analysis::edit::may_stop;
use crate::optimise::placement::plan::Val;
use crate::optimise::terms::op::{Flags, Op as Operator};
use crate::optimise::terms::pool::Pool;
use crate::optimise::terms::prim::{Prim, Scalar};
use egg::Id;
use mlopt_dialects::ir::{Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind, array};
use mlopt_dialects::value::Element;

/// Two sizes that must be equal, as terms without free variables.
pub struct SameSize {
    pub sizes: [Id; 2],
    /// A result of the op that requires it.
    pub of: Val,
}

/// Emits conditions before the ops that require them, which are in the block of `ops`. A condition is dropped if a size
/// does not follow from values before the piece, or if the program cannot stop at this place.
pub fn emit(required: &[SameSize], pool: &Pool, importer: &Importer, ops: &[Op]) {
    for SameSize { sizes: [n, m], of } in required {
        let Some((op, _)) = importer.origins.get(of).and_then(|value| value.defining_op()) else { continue };
        if op.block() != ops[0].block() || !may_stop(op) {
            continue;
        }
        let b = Builder::before(op).at(op.location());
        if is_known(pool, *n) && is_known(pool, *m) {
            let (n, m) = (size(pool, *n, &importer.leaves, b), size(pool, *m, &importer.leaves, b));
            let text = match op.kind() {
                Kind::ArrayReshape | Kind::TensorCollapseShape | Kind::TensorExpandShape => {
                    format!("'{}' reshapes an array to a different number of elements", op.name())
                }
                _ => format!("operands of '{}' have different sizes", op.name()),
            };
            array::SameSize::create(b, n, m, &text);
        }
    }
}

/// Checks whether a size is a computation from integers outside and from sizes of arrays outside.
fn is_known(pool: &Pool, t: Id) -> bool {
    match pool.op(t) {
        Operator::Const(Element::Index, _) | Operator::Leaf(_, Element::Index, 0) => true,
        Operator::Dim(_) => matches!(pool.op(pool.child(t, 0)), Operator::Leaf(..)),
        Operator::Prim(p, _) => {
            let is_computed = matches!(p, Prim::AddI | Prim::SubI | Prim::MulI | Prim::MaxSI | Prim::MinSI | Prim::Div);
            is_computed && pool.node(t).children.iter().all(|&x| is_known(pool, x))
        }
        _ => false,
    }
}

/// Emits the computation of a size that [`is_known`] accepts.
fn size(pool: &Pool, t: Id, leaves: &[Value], b: Builder) -> Value {
    match pool.op(t) {
        Operator::Const(e, bits) => match Scalar::from_bits(e, bits) {
            Scalar::I(n) => b.index(n),
            _ => unreachable!("a size is an integer"),
        },
        Operator::Leaf(leaf, ..) => leaves[leaf as usize],
        Operator::Dim(axis) => match pool.op(pool.child(t, 0)) {
            Operator::Leaf(leaf, ..) => b.length(leaves[leaf as usize], axis as usize),
            _ => unreachable!("the size is known"),
        },
        Operator::Prim(p, _) => {
            let operands: Vec<Value> = pool.node(t).children.iter().map(|&x| size(pool, x, leaves, b)).collect();
            b.insert(primitive(b, p, Flags::NONE, &operands, b.context().index()).build()).result(0)
        }
        _ => unreachable!("the size is known"),
    }
}
