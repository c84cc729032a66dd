//! Memory is given back where only numbers go on: what a function made for them, and what a round of a loop did, is garbage then, since nothing
//! that is older refers to it (Tofte & Talpin, "Region-based memory management", 1997, with one region for each such place).
//!
//! Functions and loops with effects keep all: a message may hold what they made.

use super::emit::Emitter;
use super::layout::{Leaf, leaves};
use super::memory;
use crate::ir::*;
use crate::llvm::heap::{call, element};
use mlopt_dialects::lambda::types::Kind;
use mlopt_dialects::ops::{HasKind, Kind as OpKind};
use std::collections::{BTreeMap, BTreeSet};

/// Where memory was taken from at some time: the next cell, and its chunk.
pub type Mark = [Value; 2];

/// The functions that take memory, or call some that do.
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

/// Whether something in an op takes memory.
fn takes_memory(op: Op, allocating: &BTreeSet<String>, taken: &BTreeSet<String>) -> bool {
    op.nested_ops().into_iter().any(|op| match op.kind() {
        OpKind::LambdaCons
        | OpKind::LambdaConcat
        | OpKind::LambdaToList
        | OpKind::LambdaToArray
        | OpKind::LambdaAset => true,
        OpKind::LambdaMake => op.num_operands() > 0,
        OpKind::LambdaAget => op.result(0).ty().is_tensor(),
        OpKind::LambdaRngUniform | OpKind::LambdaRngNormal => op.result(0).ty().parts()[0].is_tensor(),
        OpKind::FuncCall => {
            let name = op.attribute("callee").and_then(Attribute::as_symbol).expect("verified");
            !taken.contains(&name) || allocating.contains(&name)
        }
        _ => false,
    })
}

/// Whether values are numbers alone.
fn are_numbers(types: &[Type]) -> bool {
    let is_number = |part: &Leaf| matches!(part, Leaf::Number(_));
    types.iter().all(|ty| leaves(*ty).is_some_and(|parts| parts.iter().all(is_number)))
}

pub fn types(values: &[Value]) -> Vec<Type> {
    values.iter().map(|v| v.ty()).collect()
}

fn has_effects(op: Op) -> bool {
    let is_token = |v: &Value| Kind::of(v.ty()) == Kind::Token;
    op.nested_ops().iter().any(|op| op.operands().iter().chain(&op.results()).any(|v| is_token(v)))
}

impl Emitter<'_, '_> {
    /// The mark at the beginning of `op`, a function or a loop, if what it makes is garbage when values of these types are there.
    pub fn mark(&mut self, op: Op, types: &[Type]) -> Option<Mark> {
        let fits =
            are_numbers(types) && !has_effects(op) && takes_memory(op, &self.program.allocating, self.program.taken);
        fits.then(|| {
            let b = self.b(op);
            let chunk = element(b, self.context, memory::CHUNKS);
            [self.context, chunk].map(|place| b.value(OpKind::LlvmLoad.name(), &[place], self.ctx.ptr(), &[]))
        })
    }

    /// Gives back what was taken since a mark.
    pub fn give_back(&self, mark: Option<Mark>, b: Builder) {
        if let Some([next, chunk]) = mark {
            call(b, "mlopt.back", &[self.context, next, chunk], &[]);
        }
    }
}
