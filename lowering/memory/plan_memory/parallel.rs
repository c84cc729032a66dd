//! The choice of the nests that several threads may run.

use super::{Nest, Plan};
use crate::abi::checks;
use crate::ir::*;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashSet;

impl Plan<'_> {
    /// Checks whether `op` is an outermost nest that several threads may run: its iterations are independent, except
    /// that they may add to the same arrays.
    pub(super) fn may_be_parallel(&self, op: Op) -> bool {
        if self.threads <= 0 || op.block() != self.old.body() || checks::has_checks(op) {
            return false;
        }
        let nest = Nest::of(op);
        !nest.extents.is_empty() && nest.folds.iter().all(|(r, _, argument)| self.is_only_added_to(op, *r, *argument))
    }

    /// Checks whether the value that `nest` carries as `argument` is an array that iterations only add to, in place:
    /// what an iteration yields is that array, with additions.
    fn is_only_added_to(&self, nest: Op, r: usize, argument: Value) -> bool {
        let end = nest.body().and_then(Block::terminator).expect("verified");
        let at_home = |v: Value| v.ty().is_tensor() && self.groups.group(v) == self.groups.group(argument);
        let (mut next, mut added_to) = (vec![argument], HashSet::new());
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
                    _ if user == end && operand == r => {}
                    Kind::SweepAdd if operand == 1 => next.push(user.result(0)),
                    Kind::ScfYield => match user.parent_op().filter(|op| op.kind() == Kind::ScfIf) {
                        Some(branch) => {
                            branches.push((branch, operand));
                            next.push(branch.result(operand));
                        }
                        None => return false,
                    },
                    Kind::SweepNest => {
                        let inner = Nest::of(user);
                        let number = operand.checked_sub(inner.extents.len());
                        let Some((r, _, argument)) = number.and_then(|j| inner.folds.get(j)) else { return false };
                        if !at_home(*argument) || !self.is_only_added_to(user, *r, *argument) {
                            return false;
                        }
                        next.push(user.result(*r));
                    }
                    _ => return false,
                }
            }
        }
        let yielded = |side: usize, (branch, k): (Op, usize)| {
            branch.region(side).first_block().and_then(Block::terminator).expect("verified").operand(k)
        };
        added_to.contains(&end.operand(r))
            && branches.into_iter().all(|branch| [0, 1].iter().all(|side| added_to.contains(&yielded(*side, branch))))
    }
}
