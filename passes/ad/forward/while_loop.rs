//! Differentiation of `scf.while`, a loop whose number of iterations is known only after it has run.
//!
//! Forward mode carries tangents through both blocks of the loop. Reverse mode first runs the loop to count its
//! iterations. It then replaces the loop by one of known length, followed by one more copy of the block that computes
//! the condition (`spec/arrays.md` C.5).

use super::joint::{add_tangents, flat, zipped};
use super::unzipped::Rows;
use super::{Builders, Dual, Forward, Keep, Scope, copied, duals, enter, primals};
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Block, Builder, Op, Region, Value, types_of};
use mlopt_dialects::ops::scf::While;
use mlopt_dialects::ops::{HasKind, Kind};

impl Forward<'_> {
    pub(super) fn joint_while(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let [before, after] = blocks(op);
        let inits = duals(scope, &op.operands());
        let moves: Vec<bool> = before.arguments().into_iter().map(|v| self.varies(v)).collect();
        let varies: Vec<bool> = op.results().into_iter().map(|r| self.varies(r)).collect();
        let operands = flat(b, &inits, &moves);

        let first = enter(b, before, scope);
        add_tangents(first, &before.arguments(), &moves, scope);
        let passed = self.block(Builders::joint(first), before, scope)?;
        let condition = passed[0];
        let passed = flat(first, &passed[1..], &varies);
        first.insert(first.op(Kind::ScfCondition).operands(&[&[condition.primal], passed.as_slice()].concat()).build());

        let second = enter(b, after, scope);
        add_tangents(second, &after.arguments(), &varies, scope);
        let next = self.block(Builders::joint(second), after, scope)?;
        second.insert(second.op(Kind::ScfYield).operands(&flat(second, &next, &moves)).build());

        let new = b.op(Kind::ScfWhile).operands(&operands).results(&types_of(&passed));
        let new = new.region(Region::with_block(first.block)).region(Region::with_block(second.block));
        Ok(zipped(&b.insert(new.build()).results(), &varies))
    }

    pub(super) fn split_while(
        &self,
        at: Builders,
        keep: Keep,
        op: Op,
        scope: &mut Scope,
    ) -> Result<Vec<Dual>, Reported> {
        let [before, _] = blocks(op);
        let inits = duals(scope, &op.operands());
        let (primals, count, finals) = counted(at.primal, op, scope);
        let rows = Rows::counted(at.primal, count, before.arguments(), &inits, finals);
        let last = self.split(at, keep, op, &rows, scope)?;
        scope.extend(before.arguments().into_iter().zip(last));
        let passed = self.block(at, before, scope)?;
        Ok(primals.iter().zip(&passed[1..]).map(|(&primal, d)| Dual { primal, tangent: d.tangent }).collect())
    }

    /// Returns the values that one iteration of a loop yields. For an `scf.while`, an iteration is its two blocks
    /// without the condition.
    pub(super) fn iteration(&self, at: Builders, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        if op.kind() != Kind::ScfWhile {
            return self.block(at, op.entry(), scope);
        }
        let [before, after] = blocks(op);
        let passed = self.block(at, before, scope)?;
        scope.extend(after.arguments().into_iter().zip(passed.into_iter().skip(1)));
        self.block(at, after, scope)
    }
}

/// As [`Forward::iteration`], on primals alone.
pub fn copied_iteration(b: Builder, op: Op, scope: &mut Scope) -> Vec<Value> {
    if op.kind() != Kind::ScfWhile {
        return copied_block(b, op.entry(), scope);
    }
    let [before, after] = blocks(op);
    let passed = copied_block(b, before, scope).split_off(1);
    scope.extend(after.arguments().into_iter().zip(super::constants(&passed)));
    copied_block(b, after, scope)
}

/// Copies the ops of `block`. Returns the operands of its terminator.
pub fn copied_block(b: Builder, block: Block, scope: &mut Scope) -> Vec<Value> {
    let (ops, end) = block.split_end();
    for op in ops {
        let results = copied(b.at(op.location()), op, scope);
        scope.extend(op.results().into_iter().zip(results));
    }
    primals(&duals(scope, &end.operands()))
}

/// Emits a copy of `op` on the primals that also counts. Returns its results, the number of executions of `after`, and
/// the last arguments of `before`.
pub fn counted(b: Builder, op: Op, scope: &mut Scope) -> (Vec<Value>, Value, Vec<Value>) {
    let [before, after] = blocks(op);
    let index = b.context().index();
    let inits = primals(&duals(scope, &op.operands()));

    let first = enter(b, before, scope);
    let carried = first.block.arguments();
    let number = first.block.add_argument(index, b.location);
    let mut passed = copied_block(first, before, scope);
    passed.push(number);
    passed.extend(carried);
    first.insert(first.op(Kind::ScfCondition).operands(&passed).build());
    let types = types_of(&passed[1..]);

    let second = enter(b, after, scope);
    let number = second.block.add_argument(index, b.location);
    for init in &inits {
        second.block.add_argument(init.ty(), b.location);
    }
    let mut next = copied_block(second, after, scope);
    next.push(second.unary(Kind::ArithAddi, &[number, second.index(1)], index));
    second.insert(second.op(Kind::ScfYield).operands(&next).build());

    let start = [inits.as_slice(), &[b.index(0)]].concat();
    let new = b.op(Kind::ScfWhile).operands(&start).results(&types);
    let new = new.region(Region::with_block(first.block)).region(Region::with_block(second.block));
    let mut results = b.insert(new.build()).results();
    let finals = results.split_off(op.num_results() + 1);
    let count = results.remove(op.num_results());
    (results, count, finals)
}

/// Returns the blocks `before` and `after`.
fn blocks(op: Op) -> [Block; 2] {
    let op = op.cast::<While>();
    [op.before(), op.after()]
}
