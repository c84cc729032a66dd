//! Conversion of random numbers. The state of a generator becomes four words (`passes/functions/random.rs`).

use super::Writer;
use super::tree::Tree;
use crate::functions::random::{self, State};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::*;
use mlopt_dialects::ops::array::Check;
use mlopt_dialects::ops::{HasKind, Kind};

impl Writer {
    pub(super) fn random(&mut self, op: Op, b: Builder) -> Result<Tree, Reported> {
        if op.kind() == Kind::LambdaRngSeed {
            return Ok(tree(random::seed(b, self.value(op.operand(0)))));
        }
        let given = self.tree(op.operand(0));
        let state = [0, 1, 2, 3].map(|k| given.part(k).one());
        if op.kind() == Kind::LambdaRngSplit {
            let split = random::split(b, state);
            let (code, text) = random::TOO_MANY;
            Check::create(b, split.fits, &split.splits, code, text);
            return Ok(Tree::Many(split.children.map(tree).into()));
        }
        let ty = op.result(0).ty().parts()[0].with_encoding(None);
        let normal = op.kind() == Kind::LambdaRngNormal;
        let after = random::after(b, ty, state);
        let numbers = match state {
            [key, stream, block, _] if ty.is_tensor() => random::array(b, ty, [key, stream, block], normal),
            _ => random::number(b, ty, state, normal),
        };
        Ok(Tree::Many([Tree::One(numbers), tree(after)].into()))
    }
}

fn tree(state: State) -> Tree {
    Tree::Many(state.map(Tree::One).into())
}
