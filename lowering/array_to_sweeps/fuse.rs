//! Which arrays are never stored: those whose elements are each needed at most once, by one loop nest.
//!
//! The decision is taken on the old program, before anything is emitted. It only ever saves memory traffic: an array that
//! is not stored is computed where it is read.

use crate::ir::*;
use std::collections::HashMap;

/// The nest that consumes an array, named by the op that becomes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// The array is stored by its own op.
    Own(Op),
    /// It is computed inside the nest of that op.
    Fused(Op),
}

/// Answers for one module; remembers.
#[derive(Default)]
pub struct Fusion {
    roots: HashMap<Value, Root>,
}

/// Ops that work element by element.
pub fn is_elementwise(op: Op) -> bool {
    let name = op.name();
    (name.starts_with("arith.") || name.starts_with("math.")) && name != "arith.constant"
}

/// Ops that only look at their array differently, each element once.
fn is_view(op: Op) -> bool {
    matches!(op.name(), "array.transpose" | "tensor.cast")
}

impl Fusion {
    /// Whether `array`, the result of an elementwise op, a build or a sum, is computed where it is read.
    pub fn is_fused(&mut self, array: Value) -> bool {
        matches!(self.root(array), Root::Fused(_))
    }

    fn root(&mut self, array: Value) -> Root {
        if let Some(root) = self.roots.get(&array) {
            return *root;
        }
        let (op, _) = array.defining_op().expect("arguments are stored");
        let root = self.consumer(array, op).map_or(Root::Own(op), Root::Fused);
        self.roots.insert(array, root);
        root
    }

    /// The one nest that needs each element of `array` at most once, if there is one.
    fn consumer(&mut self, array: Value, op: Op) -> Option<Op> {
        let fusible = is_elementwise(op)
            || op.name() == "array.sum"
            // A build with several arrays computes them together; taking one out would repeat the work.
            || (op.name() == "array.build"
                && trailing_sizes_are_static(array, op)
                && op.results().iter().filter(|z| !z.is_unused()).count() == 1);
        if !fusible {
            return None;
        }
        let uses: Vec<(Op, usize)> =
            array.uses().into_iter().filter(|(user, _)| user.name() != "array.length").collect();
        let home = array.block();
        let rows = op.name() == "array.build" && op.body().map_or(0, Block::num_arguments) < array.ty().rank();
        let mut found = None;
        for (user, _) in &uses {
            let root = if rows && user.name() != "array.get" {
                // Its body would run for each element of a row.
                None
            } else if user.block() != home {
                (uses.len() == 1 && reads_each_once(*user, op)).then_some(*user)
            } else if is_elementwise(*user) {
                match self.root(user.result(0)) {
                    Root::Own(op) | Root::Fused(op) => Some(op),
                }
            } else if uses.len() > 1 {
                None
            } else if is_view(*user) {
                self.consumer_of_view(user.result(0))
            } else if user.name() == "array.sum" {
                match self.root_of_sum(*user) {
                    Root::Own(op) | Root::Fused(op) => Some(op),
                }
            } else if user.name() == "array.get" && user.result(0).ty().rank() == 0 {
                Some(*user)
            } else {
                None
            }?;
            if found.is_some_and(|f| f != root) {
                return None;
            }
            found = Some(root);
        }
        found
    }

    fn root_of_sum(&mut self, sum: Op) -> Root {
        if sum.result(0).ty().is_tensor() { self.root(sum.result(0)) } else { Root::Own(sum) }
    }

    /// A view is read once if it has one use, by an op that reads each element once.
    fn consumer_of_view(&mut self, view: Value) -> Option<Op> {
        let [(user, _)] = view.uses()[..] else { return None };
        if user.block() != view.block() {
            return None;
        }
        if is_elementwise(user) {
            return match self.root(user.result(0)) {
                Root::Own(op) | Root::Fused(op) => Some(op),
            };
        }
        match user.name() {
            "array.sum" => match self.root_of_sum(user) {
                Root::Own(op) | Root::Fused(op) => Some(op),
            },
            "array.transpose" | "tensor.cast" => self.consumer_of_view(user.result(0)),
            // The nest that copies it to its place.
            "func.return" | "array.yield" => Some(user),
            _ => None,
        }
    }
}

/// The sizes of an element of a build must be known before its body is run.
fn trailing_sizes_are_static(array: Value, build: Op) -> bool {
    let k = build.body().map_or(0, Block::num_arguments);
    array.ty().shape()[k..].iter().all(Option::is_some)
}

/// Whether the read `user`, in loops inside the block of `producer`, reads each element at most once: every loop on the way
/// has its index among the indices of the read.
fn reads_each_once(user: Op, producer: Op) -> bool {
    if user.name() != "array.get" {
        return false;
    }
    let indices = &user.operands()[1..];
    let mut at = user;
    loop {
        let Some(parent) = at.parent_op() else { return false };
        let covered = match parent.name() {
            "array.build" => parent.body().is_some_and(|body| body.arguments().iter().all(|i| indices.contains(i))),
            "array.ifold" => parent.body().is_some_and(|body| indices.contains(&body.argument(0))),
            "scf.if" => true,
            _ => false,
        };
        if !covered {
            return false;
        }
        if parent.block() == producer.block() {
            return true;
        }
        at = parent;
    }
}
