//! Vertical fusion: decides which arrays are not stored. An array is not stored if a single loop nest needs each of its
//! elements at most once, or if recomputing an element is cheaper than writing and reading it.
//!
//! The decision is made on the input program, before anything is emitted. It only reduces memory traffic: an array that
//! is not stored is computed where it is read. Views (a transpose, a slice, …) only read another array. They are never
//! stored themselves; the decision concerns the array that they read. A nest that would contain too many operations is
//! cut into pieces (`cuts.rs`).

mod cuts;

use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// The nest that consumes an array, identified by the op that becomes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// The array is stored by its own op.
    Own(Op),
    /// The array is computed inside the nest of that op.
    Fused(Op),
    /// The array is computed inside each of several nests.
    Repeated,
}

impl Root {
    fn nests(self) -> Nests {
        match self {
            Root::Own(op) | Root::Fused(op) => Nests::One(op),
            Root::Repeated => Nests::Several,
        }
    }
}

/// The nests that read an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nests {
    One(Op),
    /// Several nests, or one that needs elements several times.
    Several,
}

/// The limits on recomputation: the work in simple operations, and the number of arrays of the same rank that are read.
const MOST_REPEATED: usize = 16;
const MOST_READ: usize = 2;

/// The cached decisions for one module.
#[derive(Default)]
pub struct Fusion {
    roots: HashMap<Value, Root>,
    /// Blocks whose arrays have their roots assigned.
    decided: HashSet<Block>,
    /// Arrays at the cuts between pieces of nests.
    cuts: HashSet<Value>,
}

/// Checks whether an op works element by element.
pub fn is_elementwise(op: Op) -> bool {
    let kind = op.kind();
    (matches!(kind.dialect(), "arith" | "math") && kind != Kind::ArithConstant)
        || matches!(kind, Kind::ArrayDiv | Kind::ArrayMod | Kind::ArrayFloor)
}

/// Checks whether an op is a view of its array that reads each element at most once.
pub fn is_view(op: Op) -> bool {
    let rearranges = matches!(op.kind(), Kind::ArrayTranspose | Kind::ArraySlice | Kind::ArrayReverse);
    rearranges
        || matches!(op.kind(), Kind::TensorCast | Kind::DualStopGradient)
        || op.kind() == Kind::ArrayReshape && splits_axes(op.operand(0).ty(), op.result(0).ty())
}

/// Checks whether a position in `to` determines the one in `from` without a division: each axis of `from` is a group of
/// axes of `to`.
fn splits_axes(from: Type, to: Type) -> bool {
    let (from, to) = (from.shape(), to.shape());
    let mut parts = to.iter();
    let is_group = |n: &Dim| {
        let Some(n) = n else { return false };
        let mut product = 1;
        while product < *n {
            match parts.next() {
                Some(Some(k)) if *k > 0 => product *= k,
                _ => return false,
            }
        }
        product == *n
    };
    from.len() <= 1 || from.iter().all(is_group)
}

fn is_reduction(op: Op) -> bool {
    matches!(op.kind(), Kind::ArraySum | Kind::ArrayProd | Kind::ArrayMax | Kind::ArrayMin)
        || matches!(op.kind(), Kind::ArrayArgmax | Kind::ArrayArgmin)
}

/// Checks whether an op runs its region once per position of its results.
fn is_space(op: Op) -> bool {
    matches!(op.kind(), Kind::ArrayBuild | Kind::ArrayGather)
}

/// Checks whether an op selects between two arrays that are computed elsewhere.
fn is_choice(op: Op) -> bool {
    let only_yields = |r: Region| r.first_block().is_some_and(|block| block.ops().len() == 1);
    op.kind() == Kind::ScfIf && op.num_results() == 1 && op.regions().into_iter().all(only_yields)
}

impl Fusion {
    /// Checks whether `array`, the result of an op that computes elements, is computed where it is read.
    pub fn is_fused(&mut self, array: Value) -> bool {
        matches!(self.root(array), Root::Fused(_) | Root::Repeated)
    }

    /// Returns the operand of the addition `sum` that is not stored: its elements are added one by one to the other
    /// operand, if that is cheaper.
    pub fn accumulates(&mut self, sum: Op) -> Option<usize> {
        if !matches!(sum.kind(), Kind::ArithAddf | Kind::ArithAddi) || !sum.result(0).ty().is_tensor() {
            return None;
        }
        let [x, y] = [sum.operand(0), sum.operand(1)];
        (0..2).rev().find(|k| {
            let Some((maker, _)) = [x, y][*k].defining_op() else { return false };
            let is_own = [x, y][*k].is_used_once() && maker.block() == sum.block();
            match maker.kind() {
                Kind::ArrayScatter => is_own && is_zero(maker.operand(1)),
                Kind::ArrayOneHot => is_own && self.consumer(sum.result(0), sum).is_none(),
                _ => false,
            }
        })
    }

    /// Checks whether the scatter or one-hot array `op` is such an operand of an addition.
    pub fn is_accumulated(&mut self, op: Op) -> bool {
        match op.result(0).uses()[..] {
            [(sum, k)] if is_elementwise(sum) => self.accumulates(sum) == Some(k),
            _ => false,
        }
    }

    fn root(&mut self, array: Value) -> Root {
        if let Some(root) = self.roots.get(&array) {
            return *root;
        }
        let (op, _) = array.defining_op().expect("arguments are stored");
        let home = enclosing_block(op);
        if self.decided.insert(home) {
            self.decide(home);
            return self.root(array);
        }
        let own = self.accumulates(op).is_some();
        let root = match if own { None } else { self.consumer(array, op) } {
            Some(Nests::One(nest)) => Root::Fused(nest),
            Some(Nests::Several) if is_elementwise(op) && is_cheap(array) => Root::Repeated,
            _ => Root::Own(op),
        };
        self.roots.insert(array, root);
        root
    }

    /// Returns the nests that need `array`, if it has no other uses.
    fn consumer(&mut self, array: Value, op: Op) -> Option<Nests> {
        let fusible = is_elementwise(op)
            || is_reduction(op)
            || is_choice(op)
            || matches!(op.kind(), Kind::ArrayStack | Kind::ArrayAppend | Kind::ArrayOneHot)
            // A build with several arrays computes them together; fusing one of them would repeat the work.
            || (is_space(op)
                && trailing_sizes_are_static(array, op)
                && op.results().iter().filter(|z| !z.is_unused()).count() == 1);
        if !fusible {
            return None;
        }
        if self.cuts.contains(&array) {
            return Some(Nests::Several);
        }
        let uses: Vec<(Op, usize)> =
            array.uses().into_iter().filter(|(user, _)| user.kind() != Kind::ArrayLength).collect();
        let home = array.block();
        let rows = is_space(op) && op.body().map_or(0, Block::num_arguments) < array.ty().rank();
        let mut found = None;
        // Several uses, not all of them element by element, need elements more than once.
        let mut several = false;
        for (user, operand) in &uses {
            let root = if rows && user.kind() != Kind::ArrayGet {
                // Its body would be executed for each element of a row.
                None
            } else if user.block() != home {
                (uses.len() == 1 && reads_each_once(*user, op)).then_some(Nests::One(*user))
            } else if is_elementwise(*user) {
                Some(self.root(user.result(0)).nests())
            } else if uses.len() > 1 && !is_elementwise(op) {
                None
            } else {
                several |= uses.len() > 1;
                self.only_consumer(array, *user, *operand)
            }?;
            several |= found.is_some_and(|f| f != root);
            found = Some(root);
        }
        if several { Some(Nests::Several) } else { found }
    }

    /// Returns the nest that `user`, in the same block, becomes a part of, if it needs each element of `array` at most
    /// once.
    fn only_consumer(&mut self, array: Value, user: Op, operand: usize) -> Option<Nests> {
        if is_elementwise(user) {
            return Some(self.root(user.result(0)).nests());
        }
        if is_view(user) && user.result(0).ty().is_tensor() {
            return self.consumer_of_view(user.result(0));
        }
        if is_reduction(user) {
            let z = user.result(0);
            return Some(if z.ty().is_tensor() { self.root(z).nests() } else { Nests::One(user) });
        }
        match user.kind() {
            Kind::ArrayGet if user.result(0).ty().rank() == 0 => Some(Nests::One(user)),
            Kind::ArrayStack | Kind::ArrayAppend => Some(self.root(user.result(0)).nests()),
            Kind::ArrayOneHot if operand == 0 => Some(self.root(user.result(0)).nests()),
            // Each element is added once; the rows of a fold are read in its body, as often as the body needs them.
            Kind::ArrayScatter if operand == 0 => Some(Nests::One(user)),
            Kind::ArrayFold | Kind::ArrayMapAccum
                if operand < user.operand_segment(0).len() && array.ty().rank() == 1 =>
            {
                Some(Nests::One(user))
            }
            _ => None,
        }
    }

    /// Returns the nests that need a view: it is read once if it has one use, by an op that reads each element once.
    fn consumer_of_view(&mut self, view: Value) -> Option<Nests> {
        let [(user, operand)] = view.uses()[..] else { return None };
        if user.block() != view.block() {
            return None;
        }
        match user.kind() {
            // The nest that copies it to its destination.
            Kind::FuncReturn | Kind::ArrayYield => Some(Nests::One(user)),
            Kind::ArrayGet => None,
            _ => self.only_consumer(view, user, operand),
        }
    }
}

/// Checks whether recomputing an element of `array` is cheaper than writing and reading it.
fn is_cheap(array: Value) -> bool {
    let (mut todo, mut seen, mut cost, mut read) = (vec![array], Vec::new(), 0, 0);
    while let Some(v) = todo.pop() {
        if seen.contains(&v) {
            continue;
        }
        seen.push(v);
        match v.defining_op().map(|(op, _)| op) {
            // Copies are free.
            Some(op)
                if matches!(op.kind(), Kind::ArrayReplicate | Kind::ArithConstant | Kind::DualZero | Kind::DualOne) => {
            }
            Some(op) if op.kind() == Kind::ArrayTranspose => todo.push(op.operand(0)),
            // The same small array is read repeatedly.
            _ if v.ty().rank() < array.ty().rank() => {}
            Some(op) if is_elementwise(op) => {
                let Some(own) = cycles(op) else { return false };
                cost += own;
                todo.extend(op.operands());
            }
            _ => read += 1,
        }
        if cost > MOST_REPEATED || read > MOST_READ {
            return false;
        }
    }
    true
}

/// Returns the work of an elementwise op on one element, in simple operations, if it is small.
fn cycles(op: Op) -> Option<usize> {
    use Kind::*;
    match op.kind() {
        ArithDivf | MathSqrt => Some(4),
        ArithRemf => None,
        ArithAddi | ArithSubi | ArithMuli | ArithCmpi | ArithAndi | ArithOri | ArithXori | ArithSelect => Some(1),
        kind => is_float_arithmetic(kind).then_some(1),
    }
}

/// Checks whether all elements are certainly zero.
fn is_zero(array: Value) -> bool {
    let Some((op, _)) = array.defining_op() else { return false };
    match op.kind() {
        Kind::DualZero => true,
        Kind::ArrayReplicate => is_zero(op.operand(0)),
        Kind::ArithConstant => {
            let value = op.attribute("value");
            let value = value.and_then(|v| if v.is_dense_elements() { v.splat_value() } else { Some(v) });
            value.is_some_and(|v| v.as_i64() == Some(0) || v.as_f64().is_some_and(|x| x.to_bits() == 0))
        }
        _ => false,
    }
}

/// Checks whether the sizes of an element of a build are known before its body is executed.
fn trailing_sizes_are_static(array: Value, build: Op) -> bool {
    let k = build.body().map_or(0, Block::num_arguments);
    build.kind() == Kind::ArrayGather || array.ty().shape()[k..].iter().all(Option::is_some)
}

/// Checks whether the read `user`, in loops inside the block of `producer`, reads each element at most once: the index
/// of every loop in between is among the indices of the read.
fn reads_each_once(user: Op, producer: Op) -> bool {
    let indices: Vec<Value> = user.operands().into_iter().skip(1).collect();
    let covers = |op: Op| match op.kind() {
        Kind::ArrayBuild | Kind::ArrayGather | Kind::ArrayScatter => {
            op.body().is_some_and(|body| body.arguments().iter().all(|i| indices.contains(i)))
        }
        Kind::ArrayIfold => op.body().is_some_and(|body| indices.contains(&body.argument(0))),
        Kind::ScfIf => true,
        _ => false,
    };
    let mut around = ancestors(user).take_while(|op| covers(*op));
    user.kind() == Kind::ArrayGet && around.any(|op| op.block() == producer.block())
}
