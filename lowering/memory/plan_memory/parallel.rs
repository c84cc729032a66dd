//! The choice of the nests that several threads may run.

use super::Plan;
use crate::abi::checks;
use crate::ir::*;
use crate::nests::{Fold, folds};
use std::collections::HashSet;

impl Plan<'_> {
    /// Checks whether `op` is an outermost nest that several threads may run: its iterations are independent, except
    /// that they may add to the same arrays.
    pub(super) fn may_be_parallel(&self, op: Op) -> bool {
        self.threads > 0
            && op.block() == self.old.body()
            && !checks::has_checks(op)
            && !op.operand_segment(0).is_empty()
            && folds(op).iter().all(|fold| self.is_only_added_to(op, fold))
    }

    /// Checks whether a value that `nest` carries is an array that iterations change only by additions to its elements,
    /// in place.
    fn is_only_added_to(&self, nest: Op, fold: &Fold) -> bool {
        let end = nest.entry().end();
        let at_home = |v: Value| v.ty().is_tensor() && self.groups.group(v) == self.groups.group(fold.argument);
        let (mut next, mut added_to) = (vec![fold.argument], HashSet::new());
        let mut branches = Vec::new();
        while let Some(value) = next.pop() {
            if !at_home(value) {
                return false;
            }
            if !added_to.insert(value) {
                continue;
            }
            for (user, operand) in value.uses() {
                match user.kind() {
                    Kind::TensorDim => {}
                    _ if user == end && operand == fold.number => {}
                    Kind::SweepAdd if operand == 1 => next.push(user.result(0)),
                    Kind::ScfYield => match user.parent_op().filter(|op| op.kind() == Kind::ScfIf) {
                        Some(branch) => {
                            branches.push((branch, operand));
                            next.push(branch.result(operand));
                        }
                        None => return false,
                    },
                    Kind::SweepNest => {
                        let inner = folds(user);
                        let number = operand.checked_sub(user.operand_segment(0).len());
                        let Some(fold) = number.and_then(|j| inner.get(j)) else { return false };
                        if !at_home(fold.argument) || !self.is_only_added_to(user, fold) {
                            return false;
                        }
                        next.push(fold.result);
                    }
                    _ => return false,
                }
            }
        }
        let yielded = |side: usize, (branch, k): (Op, usize)| {
            branch.region(side).first_block().and_then(Block::terminator).expect("verified").operand(k)
        };
        added_to.contains(&fold.next)
            && branches.into_iter().all(|branch| [0, 1].iter().all(|side| added_to.contains(&yielded(*side, branch))))
    }
}
