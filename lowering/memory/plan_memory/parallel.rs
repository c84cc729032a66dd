//! The choice of the nests that several threads may run.

use super::Plan;
use crate::abi::checks;
use crate::ir::*;
use crate::nests::{Fold, folds};

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

    /// Checks whether a value that `nest` carries is an array that iterations only add to, in place.
    fn is_only_added_to(&self, nest: Op, fold: &Fold) -> bool {
        let end = nest.entry().end();
        let at_home = |v: Value| v.ty().is_tensor() && self.groups.group(v) == self.groups.group(fold.argument);
        let mut next = vec![fold.argument, fold.next];
        while let Some(value) = next.pop() {
            if !at_home(value) {
                return false;
            }
            for (user, operand) in value.uses() {
                match user.kind() {
                    Kind::TensorDim => {}
                    _ if user == end && operand == fold.number => {}
                    Kind::SweepAdd if operand == 1 => next.push(user.result(0)),
                    Kind::ScfYield => match user.parent_op().filter(|op| op.kind() == Kind::ScfIf) {
                        Some(branch) => next.push(branch.result(operand)),
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
        true
    }
}
