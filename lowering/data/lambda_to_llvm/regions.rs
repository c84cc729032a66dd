//! Insertion of code that frees memory where only numbers remain live. If a function returns only numbers, or an
//! iteration of a loop passes on only numbers, then all memory that it allocated is garbage, because no older object
//! refers to it (Tofte & Talpin, "Region-based memory management", 1997, with one region for each such function or
//! iteration).
//!
//! A function or loop that has effects does not free memory, because other tasks may have pointers to that memory.

use super::emit::Emitter;
use super::layout::{Leaf, leaves};
use super::memory;
use crate::ir::*;
use crate::llvm::heap::{call, element};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::func::Call;
use std::collections::{BTreeMap, BTreeSet};

/// A state of the allocator: the next cell, and its chunk.
pub type Mark = [Value; 2];

/// Returns the functions that allocate memory, directly or in a callee.
pub fn allocating(functions: &BTreeMap<String, Op>, taken: &BTreeSet<String>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    loop {
        let before = all.len();
        for name in taken {
            if !all.contains(name) && takes_memory(functions[name], &all, taken) {
                all.insert(name.clone());
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// Checks whether an op or its nested ops allocate memory.
fn takes_memory(op: Op, allocating: &BTreeSet<String>, taken: &BTreeSet<String>) -> bool {
    op.nested_ops().into_iter().any(|op| match op.kind() {
        Kind::LambdaCons | Kind::LambdaConcat | Kind::LambdaToList | Kind::LambdaToArray => true,
        Kind::LambdaAset => true,
        Kind::LambdaMake => op.num_operands() > 0,
        Kind::LambdaAget => op.result(0).ty().is_tensor(),
        Kind::LambdaRngUniform | Kind::LambdaRngNormal => op.result(0).ty().parts()[0].is_tensor(),
        Kind::FuncCall => {
            let name = op.cast::<Call>().callee().0;
            !taken.contains(&name) || allocating.contains(&name)
        }
        _ => false,
    })
}

impl Emitter<'_, '_> {
    /// Returns the mark at the beginning of `op`, a function or a loop, if the memory that it allocates is garbage once
    /// values of these types are computed.
    pub fn mark(&mut self, op: Op, types: &[Type]) -> Option<Mark> {
        let is_number = |part: &Leaf| matches!(part, Leaf::Number(_));
        let has_effects =
            |op: &Op| [op.operands(), op.results()].concat().iter().any(|v| TypeKind::of(v.ty()) == TypeKind::Token);
        let fits = types.iter().all(|ty| leaves(*ty).is_some_and(|parts| parts.iter().all(is_number)))
            && !op.nested_ops().iter().any(has_effects)
            && takes_memory(op, &self.program.allocating, self.program.taken);
        fits.then(|| {
            let b = self.b(op);
            let chunk = element(b, self.context, memory::CHUNKS);
            [self.context, chunk].map(|place| b.value(Kind::LlvmLoad, &[place], self.ctx.ptr(), &[]))
        })
    }

    /// Resets the bump allocator to a mark.
    pub fn reset_to(&self, mark: Option<Mark>, b: Builder) {
        if let Some([next, chunk]) = mark {
            call(b, "mlopt.back", &[self.context, next, chunk], &[]);
        }
    }
}
