//! Ownership analysis: determines which functional updates of arrays can be done in place (`spec/functional.md` D.7).
//! An update can be done in place if there is no other reference to the array and the old contents are not read later.
//!
//! An array is *owned* where it is created. It remains owned when its last use passes it on: to the next iteration of a
//! loop, out of a branch, or into and out of functions of the module. It is not owned if it is stored in a list or a
//! variant or sent on a channel, if it was read from a list or a variant or received from a channel, or if an external
//! caller passed it. A parameter that its function only reads is *borrowed*: the caller still owns the argument. The
//! analysis starts from the assumption that everything is owned and retracts it until a fixpoint is reached.

use super::layout::{Leaf, leaves};
use crate::ir::*;
use mlopt_dialects::ops::func::Call;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The effect of a use on an array, or on a tuple that contains arrays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Reads it, and copies the elements that it takes.
    Reads,
    /// Passes it on: it becomes the array of another value.
    Moves,
    /// Takes a component of a tuple.
    Takes,
    /// Keeps it where others can reach it.
    Keeps,
}

/// The functions of data of a module.
#[derive(Default)]
pub struct Owned {
    functions: BTreeMap<String, Op>,
    /// The position of an op in its block.
    position: HashMap<Op, usize>,
    /// The calls of a function. A function with other uses has no entry.
    calls: HashMap<String, Vec<Op>>,
    elsewhere: HashSet<String>,
    /// Loops that start with a copy of this operand, so that they own the carried array.
    copied: HashSet<(Op, usize)>,
    not_owned: HashSet<Value>,
    not_borrowed: HashSet<Value>,
}

/// The maximum number of loops for which a copy is tried; each trial analyses the whole module again.
const MOST_TRIALS: usize = 64;

impl Owned {
    pub fn new(functions: &BTreeMap<String, Op>, taken: &BTreeSet<String>) -> Owned {
        let functions: BTreeMap<String, Op> = taken.iter().map(|name| (name.clone(), functions[name])).collect();
        let mut owned = Owned { functions, ..Owned::default() };
        let all: Vec<Op> = owned.functions.values().copied().flat_map(with_nested).collect();
        for op in all {
            op.blocks().into_iter().for_each(|block| owned.number(block));
            let Some(name) = op.callee() else { continue };
            if op.kind() == Kind::FuncCall {
                owned.calls.entry(name).or_default().push(op);
            } else {
                owned.elsewhere.insert(name);
            }
        }
        owned.settle();
        owned.copy_into_loops();
        owned
    }

    /// Tries one copy before a loop in place of a copy in each iteration, for each array that a loop carries and
    /// updates, outer loops first.
    fn copy_into_loops(&mut self) {
        let ops: Vec<Op> = self.functions.values().flat_map(|f| f.nested_ops()).collect();
        let loops = ops.into_iter().filter(|op| matches!(op.kind(), Kind::LambdaFor | Kind::LambdaWhile));
        let mut tried = 0;
        for op in loops.collect::<Vec<_>>() {
            let skipped = usize::from(op.kind() == Kind::LambdaFor);
            for k in skipped..op.num_operands() {
                let copies = self.copies_in(op);
                let carried = op.result(k - skipped);
                if copies == 0
                    || tried == MOST_TRIALS
                    || !carried.ty().is_tensor()
                    || !self.not_owned.contains(&carried)
                {
                    continue;
                }
                tried += 1;
                self.copied.insert((op, k));
                self.settle();
                if self.copies_in(op) == copies {
                    self.copied.remove(&(op, k));
                    self.settle();
                }
            }
        }
    }

    fn copies_in(&self, op: Op) -> usize {
        nested_of(op, Kind::LambdaAset).into_iter().filter(|op| self.why_copied(*op).is_some()).count()
    }

    /// Checks whether a loop starts with a copy of this operand.
    pub fn is_copied(&self, op: Op, k: usize) -> bool {
        self.copied.contains(&(op, k))
    }

    fn number(&mut self, block: Block) {
        for (k, op) in block.ops().into_iter().enumerate() {
            self.position.insert(op, k);
        }
    }

    /// Retracts ownership until a fixpoint is reached.
    fn settle(&mut self) {
        self.not_owned.clear();
        self.not_borrowed.clear();
        let mut values = Vec::new();
        for function in self.functions.values() {
            let mut blocks = function.blocks();
            for op in function.nested_ops() {
                values.extend(op.results());
                blocks.extend(op.blocks());
            }
            values.extend(blocks.into_iter().flat_map(Block::arguments));
        }
        values.retain(|v| has_arrays(v.ty()));
        loop {
            let before = (self.not_owned.len(), self.not_borrowed.len());
            for v in &values {
                if !self.not_borrowed.contains(v) && v.uses().iter().any(|(op, k)| !self.only_reads(*op, *k)) {
                    self.not_borrowed.insert(*v);
                }
            }
            for v in &values {
                if !self.not_owned.contains(v) && self.why_shared(*v).is_some() {
                    self.not_owned.insert(*v);
                }
            }
            if before == (self.not_owned.len(), self.not_borrowed.len()) {
                return;
            }
        }
    }

    fn only_reads(&self, op: Op, k: usize) -> bool {
        self.kind(op, k) == Use::Reads && !(op.kind() == Kind::LambdaAset && k == 0)
    }

    /// Returns the reason why a functional update copies, or `None` if it is done in place.
    pub fn why_copied(&self, aset: Op) -> Option<String> {
        let array = aset.operand(0);
        if !self.is_last(array, aset) {
            return Some("the old array is read afterwards".to_string());
        }
        self.not_owned.contains(&array).then(|| self.cause(array))
    }

    /// Returns the point at which an array stops being owned.
    fn cause(&self, mut v: Value) -> String {
        let mut seen = HashSet::new();
        loop {
            match self.why_shared(v) {
                Some(Why::Because(text)) => return text,
                Some(Why::Of(other)) if seen.insert(other) => v = other,
                _ => return "the array is carried in a loop with other values".to_string(),
            }
        }
    }

    fn kind(&self, op: Op, k: usize) -> Use {
        match op.kind() {
            Kind::LambdaFor | Kind::LambdaWhile if self.is_copied(op, k) => Use::Reads,
            Kind::LambdaAget | Kind::LambdaAset | Kind::LambdaToList | Kind::LambdaPrint | Kind::LambdaLength => {
                Use::Reads
            }
            Kind::FuncCall => {
                let name = op.cast::<Call>().callee().0;
                let Some(function) = self.functions.get(&name) else { return Use::Reads };
                let param = function.entry().argument(k);
                if self.not_borrowed.contains(&param) { Use::Moves } else { Use::Reads }
            }
            Kind::LambdaYield | Kind::FuncReturn | Kind::LambdaFor | Kind::LambdaWhile => Use::Moves,
            Kind::LambdaTuple | Kind::LambdaRecord | Kind::LambdaCheck => Use::Moves,
            Kind::LambdaGet | Kind::LambdaField => Use::Takes,
            _ => Use::Keeps,
        }
    }

    /// Returns the reason why the memory of a value may not be changed.
    fn why_shared(&self, v: Value) -> Option<Why> {
        let mut taken = HashSet::new();
        for (op, k) in v.uses() {
            match self.kind(op, k) {
                Use::Reads => {}
                Use::Keeps => return Some(Why::Because(format!("`{}` keeps the array", op.name()))),
                Use::Takes if taken.insert(component(op)) && self.is_alone(v, op) => {}
                Use::Moves if self.is_last(v, op) => {}
                Use::Moves | Use::Takes => return Some(Why::Because("another value aliases the array".to_string())),
            }
        }
        self.sources(v)
    }

    /// Checks whether a tuple is only ever destructured.
    fn is_alone(&self, v: Value, op: Op) -> bool {
        let block = op.block();
        v.uses().iter().all(|(user, k)| self.kind(*user, *k) == Use::Takes && user.block() == block)
            && block == v.block()
    }

    /// Returns the reason why the values from which a value is made are shared.
    fn sources(&self, v: Value) -> Option<Why> {
        let shared = |values: Vec<Value>| {
            let tracked = values.into_iter().filter(|v| has_arrays(v.ty()));
            tracked.into_iter().find(|v| self.not_owned.contains(v)).map(Why::Of)
        };
        let Some((op, k)) = v.defining_op() else { return self.argument(v, shared) };
        match op.kind() {
            Kind::LambdaAget | Kind::LambdaAset | Kind::LambdaToArray | Kind::LambdaUnreachable => None,
            Kind::FuncCall => {
                let name = op.cast::<Call>().callee().0;
                // A function of arrays writes new arrays.
                let function = self.functions.get(&name)?;
                shared(vec![function.entry().end().operand(k)])
            }
            Kind::LambdaIf | Kind::LambdaCase => {
                let ends = op.regions().into_iter().filter_map(|r| r.first_block()?.terminator());
                shared(ends.map(|end| end.operand(k)).collect())
            }
            Kind::LambdaFor => shared(self.carried(op, k + 1)),
            Kind::LambdaWhile => shared(self.carried(op, k)),
            Kind::LambdaTuple | Kind::LambdaRecord | Kind::LambdaGet | Kind::LambdaField | Kind::LambdaCheck => {
                shared(op.operands())
            }
            name => Some(Why::Because(format!("the array comes from `{name}`"))),
        }
    }

    /// Returns the values that a loop carries, starting with its operand `k`, unless that is copied.
    fn carried(&self, op: Op, k: usize) -> Vec<Value> {
        let initial = if self.is_copied(op, k) { vec![] } else { vec![op.operand(k)] };
        let next = match op.kind() {
            Kind::LambdaFor => vec![block_in(op, 0).end().operand(k - 1)],
            _ => vec![block_in(op, 1).end().operand(k), block_in(op, 0).argument(k)],
        };
        [initial, next].concat()
    }

    fn argument(&self, v: Value, shared: impl Fn(Vec<Value>) -> Option<Why>) -> Option<Why> {
        let (block, k) = v.block_argument().expect("an argument is one of a block");
        let op = block.parent_op().expect("a block is in an op");
        match op.kind() {
            Kind::FuncFunc => {
                let name = op.symbol().unwrap_or_default();
                if !is_private(op) {
                    return Some(Why::Because("the array belongs to the caller".to_string()));
                }
                if self.elsewhere.contains(&name) {
                    return Some(Why::Because(format!("a task may start with `@{name}`")));
                }
                shared(self.calls.get(&name).into_iter().flatten().map(|call| call.operand(k)).collect())
            }
            // A condition only reads; its other effects are on the array of the iteration.
            Kind::LambdaWhile if op.region(0).first_block() == Some(block) => {
                let looks = v.uses().iter().all(|(user, k)| self.only_reads(*user, *k));
                (!looks).then(|| Why::Because("the condition of a loop yields the array".to_string()))
            }
            Kind::LambdaFor | Kind::LambdaWhile => shared(self.carried(op, k)),
            _ => Some(Why::Because("the array is a component of other data".to_string())),
        }
    }

    /// Checks whether `v` has no use after `user`, and whether `user` is not executed again with it.
    fn is_last(&self, v: Value, user: Op) -> bool {
        let (its_own, others): (Vec<Op>, Vec<Op>) = v.uses().into_iter().map(|(op, _)| op).partition(|op| *op == user);
        if its_own.len() > 1 || others.iter().any(|op| is_inside(*op, user)) {
            return false;
        }
        let mut op = user;
        loop {
            let Some(block) = op.block() else { return false };
            let later = |other: &Op| ancestor_in(*other, block).is_some_and(|a| self.position[&a] > self.position[&op]);
            if others.iter().any(later) {
                return false;
            }
            if Some(block) == v.block() {
                return true;
            }
            match block.parent_op() {
                Some(around) if matches!(around.kind(), Kind::LambdaIf | Kind::LambdaCase) => op = around,
                _ => return false,
            }
        }
    }
}

/// The reason why a value is not owned.
enum Why {
    Because(String),
    /// It shares the array of this value.
    Of(Value),
}

fn has_arrays(ty: Type) -> bool {
    leaves(ty).is_some_and(|parts| parts.iter().any(|part| matches!(part, Leaf::Array(_))))
}

fn component(op: Op) -> String {
    let named = ["index", "field"].iter().find_map(|name| op.attribute(name));
    named.map_or(String::new(), |a| a.to_string())
}
