//! Conversion of conditionals and loops.

use super::Writer;
use super::tree::{self, List, Stack, Tree};
use crate::analysis::edit;
use crate::analysis::facts::Size;
use crate::functions::holds;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::*;
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::lambda::{If, While};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use std::collections::HashSet;
use std::rc::Rc;

/// A carried value of a loop: a leaf of a tree. An integer that changes by the same number in each iteration, such as
/// the length of a list, may be computed instead.
struct Leaf {
    init: Value,
    step: Option<i64>,
}

/// A loop, and the carried values that are written.
struct Carried {
    op: Op,
    body: Block,
    /// The number of operands of the op, and of arguments of the body, before the carried values.
    first: usize,
    /// The numbers of the written values, in ascending order, and their forms.
    kept: Vec<usize>,
    forms: Vec<Tree>,
}

impl Carried {
    /// Returns the carried values of a loop without those in `missing`.
    fn new(op: Op, body: Block, first: usize, missing: &HashSet<usize>) -> Carried {
        let kept = (0..op.num_results()).filter(|k| !missing.contains(k)).collect();
        Carried { op, body, first, kept, forms: Vec::new() }
    }

    fn init(&self, k: usize) -> Value {
        self.op.operand(k + self.first)
    }

    /// Returns the values after the loop.
    fn behind_loop(self) -> Carried {
        Carried { forms: self.forms.iter().map(Tree::behind_loop).collect(), ..self }
    }
}

impl Writer {
    //===-- boundaries ------------------------------------------------------------------------------------------===//

    /// Creates a value from the leaves that are arguments.
    pub(super) fn argument(&mut self, b: Builder, old: Value, given: &mut dyn Iterator<Item = Value>) -> Tree {
        let tree = self.from_leaves(b, old.ty(), given);
        tree.name(old);
        tree
    }

    fn from_leaves(&mut self, b: Builder, ty: Type, given: &mut dyn Iterator<Item = Value>) -> Tree {
        match TypeKind::of(ty) {
            TypeKind::Tuple(_) | TypeKind::Record(..) => {
                Tree::Many(ty.parts().into_iter().map(|t| self.from_leaves(b, t, given)).collect())
            }
            TypeKind::List(element) => self.list_from(b, element, given),
            _ => tree::assembled(ty, given),
        }
    }

    /// Returns the leaves of a value at the boundary of the function.
    pub(super) fn returned(
        &mut self,
        b: Builder,
        op: Op,
        tree: &Tree,
        ty: Type,
        out: &mut Vec<Value>,
    ) -> Result<(), Reported> {
        match tree {
            Tree::Missing => unreachable!("what is missing is nowhere but in loops that count"),
            Tree::One(value) => out.push(*value),
            Tree::Many(parts) => {
                let types = ty.parts();
                for (k, part) in parts.iter().enumerate() {
                    let ty = types.get(k).copied().unwrap_or(ty);
                    self.returned(b, op, part, ty, out)?;
                }
            }
            Tree::List(list) => self.list_returned(b, op, list, ty, out)?,
        }
        Ok(())
    }

    //===-- conditionals ----------------------------------------------------------------------------------------===//

    pub(super) fn branch(&mut self, op: Op, b: Builder) -> Result<(), Reported> {
        let Tree::One(condition) = self.tree(op.operand(0)) else {
            self.lose(op);
            return Ok(());
        };
        let mut side = |old: Block| -> Result<(Builder, Vec<Tree>), Reported> {
            let inner = b.new_block(&[]);
            Ok((inner, self.inside(inner.block, |w| w.block(old, inner))?))
        };
        let branch = op.cast::<If>();
        let (one, mut first) = side(branch.consequent())?;
        let (two, mut second) = side(branch.alternative())?;
        let mut results = Vec::new();
        for (k, old) in op.results().into_iter().enumerate() {
            let (x, y) = (&mut first[k], &mut second[k]);
            if x.is_missing() || y.is_missing() {
                self.scope.insert(old, Tree::Missing);
                continue;
            }
            if !self.unify((x, one), (y, two)) {
                return Err(op.not_supported("the length of a list must not depend on a condition"));
            }
            results.push((old, x.either(y), y.clone()));
        }
        let ends = [(one, 0), (two, 1)];
        for (inner, side) in ends {
            let leaves: Vec<Value> =
                results.iter().flat_map(|(_, x, y)| if side == 0 { x.leaves() } else { y.leaves() }).collect();
            inner.insert(inner.op(Kind::ScfYield).operands(&leaves).build());
        }
        let types: Vec<Type> = results.iter().flat_map(|(_, x, _)| x.leaves()).map(|v| v.ty()).collect();
        let new = b.op(Kind::ScfIf).operands(&[condition]).results(&types);
        let new = new.region(Region::with_block(one.block)).region(Region::with_block(two.block));
        let mut values = b.insert(new.build()).results().into_iter();
        for (old, form, _) in results {
            let tree = form.rebuilt(&mut values);
            self.set(old, tree);
        }
        Ok(())
    }

    /// Runs `write` in `block`. The facts that it assumes hold only there.
    pub(super) fn inside<T>(&mut self, block: Block, write: impl FnOnce(&mut Self) -> T) -> T {
        self.open.push(block);
        let supposed = self.facts.supposed();
        let result = write(self);
        self.facts.forget(supposed);
        self.open.pop();
        result
    }

    /// Marks the results of an op as unknown.
    pub(super) fn lose(&mut self, op: Op) {
        op.results().into_iter().for_each(|v| {
            self.scope.insert(v, Tree::Missing);
        });
    }

    //===-- counted loops ---------------------------------------------------------------------------------------===//

    pub(super) fn counted(&mut self, op: Op, b: Builder) -> Result<(), Reported> {
        let Tree::One(n) = self.tree(op.operand(0)) else {
            self.lose(op);
            return Ok(());
        };
        let n = self.to_index(b, n);
        self.repeated(op, op.entry(), 1, n, b)
    }

    /// Writes a loop of `n` iterations. The first `first` arguments of its body are numbers of iterations; the same
    /// number of operands comes before the carried values.
    fn repeated(&mut self, op: Op, body: Block, first: usize, n: Value, b: Builder) -> Result<(), Reported> {
        let lost = |k: &usize| self.tree(op.operand(k + first)).is_missing();
        let mut missing: HashSet<usize> = (0..op.num_results()).filter(lost).collect();
        while !self.repeated_without(Carried::new(op, body, first, &missing), n, &mut missing, b)? {}
        Ok(())
    }

    /// Writes the loop without the values in `missing`. Returns whether no other value turned out to be missing.
    fn repeated_without(
        &mut self,
        mut carried: Carried,
        n: Value,
        missing: &mut HashSet<usize>,
        b: Builder,
    ) -> Result<bool, Reported> {
        let (op, body, first) = (carried.op, carried.body, carried.first);
        let has_lists = carried.kept.iter().any(|k| self.tree(carried.init(*k)).has_lists());
        let count = if has_lists { self.count(b, n) } else { n };
        let steps = self.make_room(&mut carried, count, b)?;
        let mut leaves = Vec::new();
        for ((&k, form), mut steps) in carried.kept.iter().zip(&carried.forms).zip(steps) {
            if let [one] = &mut steps[..] {
                let next = body.end().operand(k);
                *one = one.or_else(|| step(next, body.argument(k + first)));
            }
            leaves.extend(std::iter::zip(form.leaves(), steps).map(|(init, step)| Leaf { init, step }));
        }
        let probing = self.is_probing(&carried);
        let inits: Vec<Value> = leaves.iter().filter(|l| l.step.is_none()).map(|l| l.init).collect();
        let index = self.context.index();
        let inner = b.new_block(&[&[index], types_of(&inits).as_slice()].concat());
        let block = inner.block;
        let arguments = block.arguments();
        self.facts.enter(arguments[0], Size::Value(count));
        let yielded = self.inside(block, |w| {
            let i = arguments[0];
            if first > 0 {
                let ty = body.argument(0).ty();
                let counter = if ty == index { i } else { w.arith(inner, Kind::ArithIndexCast, &[i], ty) };
                w.set(body.argument(0), Tree::One(counter));
            }
            let mut given = arguments[1..].iter().copied();
            let values: Vec<Value> = leaves.iter().map(|leaf| w.at(inner, leaf, i, &mut given)).collect();
            w.define(&carried, &body.arguments()[first..], values);
            let all = w.block(body, inner)?;
            if probing {
                return Ok(None);
            }
            w.handed_on(&carried, &all, missing, inner)
        });
        self.facts.leave();
        let Some(yielded) = yielded? else {
            self.scratch.push(block);
            self.learn(&carried)?;
            return Ok(false);
        };
        let next: Vec<Value> =
            yielded.into_iter().zip(&leaves).filter(|(_, l)| l.step.is_none()).map(|(v, _)| v).collect();
        let results = self.loop_op(b, count, inits, block, next, &carried.forms);
        let mut given = results.into_iter();
        let values: Vec<Value> = leaves.iter().map(|leaf| self.at(b, leaf, count, &mut given)).collect();
        self.define(&carried.behind_loop(), &op.results(), values);
        Ok(true)
    }

    /// Gives the carried values room for those that `n` iterations prepend. Returns the steps of their leaves.
    fn make_room(&mut self, carried: &mut Carried, n: Value, b: Builder) -> Result<Vec<Vec<Option<i64>>>, Reported> {
        let (mut forms, mut steps) = (Vec::new(), Vec::new());
        for &k in &carried.kept {
            let init = self.tree(carried.init(k));
            let (form, more) = self.with_room(b, (&*carried, k), &init, n, &mut Vec::new())?;
            forms.push(form);
            steps.push(more);
        }
        carried.forms = forms;
        Ok(steps)
    }

    /// Checks whether the loop is executed to determine the form of values of lists.
    fn is_probing(&self, carried: &Carried) -> bool {
        let asks = |(k, form): (&usize, &Tree)| form.has_probes() && !self.tree(carried.init(*k)).has_probes();
        carried.kept.iter().zip(&carried.forms).any(asks)
    }

    /// Defines the arguments or the results of a loop from the leaves of those that are written.
    fn define(&mut self, carried: &Carried, old: &[Value], leaves: Vec<Value>) {
        let (mut leaves, mut forms) = (leaves.into_iter(), carried.forms.iter());
        for (k, old) in old.iter().enumerate() {
            let form = if carried.kept.binary_search(&k).is_ok() { forms.next() } else { None };
            self.set(*old, form.map_or(Tree::Missing, |form| form.rebuilt(&mut leaves)));
        }
    }

    /// Returns the next carried values, leaf by leaf; `None` if a further value is missing.
    fn handed_on(
        &mut self,
        carried: &Carried,
        all: &[Tree],
        missing: &mut HashSet<usize>,
        b: Builder,
    ) -> Result<Option<Vec<Value>>, Reported> {
        let Carried { op, kept, forms, .. } = carried;
        let lost: Vec<usize> = kept.iter().copied().filter(|k| all[*k].is_missing()).collect();
        if !lost.is_empty() {
            missing.extend(lost);
            return Ok(None);
        }
        let mut values = Vec::new();
        for (&k, form) in kept.iter().zip(forms) {
            let Some(tree) = self.fitted(b, &all[k], form) else {
                return Err(op.not_supported(UNKNOWN));
            };
            values.extend(tree.leaves());
        }
        Ok(Some(values))
    }

    /// Returns a leaf in iteration `i`.
    fn at(&mut self, b: Builder, leaf: &Leaf, i: Value, given: &mut dyn Iterator<Item = Value>) -> Value {
        let Some(step) = leaf.step else { return given.next().expect("one for each that is carried") };
        if step == 0 {
            return leaf.init;
        }
        let ty = leaf.init.ty();
        let i = if i.ty() == ty { i } else { self.arith(b, Kind::ArithIndexCast, &[i], ty) };
        let distance = match step {
            1 => i,
            _ => {
                let step = self.number(b, ty, step);
                self.arith(b, Kind::ArithMuli, &[i, step], ty)
            }
        };
        self.arith(b, Kind::ArithAddi, &[leaf.init, distance], ty)
    }

    /// Returns the number of iterations of a loop of `n`: not negative.
    fn count(&mut self, b: Builder, n: Value) -> Value {
        if let Some(known) = self.facts.known(Size::Value(n)) {
            return self.early_index(b, known.max(0));
        }
        if self.facts.at_least_zero(n) {
            return n;
        }
        let zero = self.early_index(b, 0);
        let count = self.early(b, Kind::ArithMaxsi, &[n, zero], self.context.index());
        self.facts.is_size(count);
        count
    }

    /// Writes a loop. A pure one is a loop of arrays, which the optimiser supports; one that may trap or not terminate
    /// is a loop of `scf`. Values that every iteration passes on unchanged are not carried.
    fn loop_op(
        &mut self,
        b: Builder,
        n: Value,
        inits: Vec<Value>,
        block: Block,
        next: Vec<Value>,
        forms: &[Tree],
    ) -> Vec<Value> {
        let mut inside = block.ops().into_iter().flat_map(edit::with_nested);
        let is_pure =
            !inside.any(|op| matches!(op.kind(), Kind::ArrayCheck | Kind::ScfWhile | Kind::ScfFor | Kind::FuncCall));
        let fixed = |tree: &Tree| tree.arrays().into_iter().all(|v| v.ty().shape().iter().all(Option::is_some));
        let arguments = block.arguments()[1..].to_vec();
        let (stay, change): (Vec<usize>, Vec<usize>) = (0..inits.len()).partition(|&k| next[k] == arguments[k]);
        let pick = |values: &[Value]| change.iter().map(|&k| values[k]).collect::<Vec<_>>();
        let (carried, yielded) = (pick(&inits), pick(&next));
        for &k in stay.iter().rev() {
            arguments[k].replace_all_uses_with(inits[k]);
            block.erase_argument(k + 1);
        }
        let types = types_of(&carried);
        let end = Builder::at_end(block, b.location);
        let results = if is_pure && carried.is_empty() {
            // It is not observable.
            block.erase();
            vec![]
        } else if is_pure && forms.iter().all(fixed) {
            end.insert(end.op(Kind::ArrayYield).operands(&yielded).build());
            let op = b.op(Kind::ArrayIfold).operands(&[&[n], carried.as_slice()].concat()).results(&types);
            b.insert(op.region(Region::with_block(block)).build()).results()
        } else {
            end.insert(end.op(Kind::ScfYield).operands(&yielded).build());
            let (zero, one) = (self.index(b, 0), self.index(b, 1));
            let op = b.op(Kind::ScfFor).operands(&[&[zero, n, one], carried.as_slice()].concat()).results(&types);
            b.insert(op.region(Region::with_block(block)).build()).results()
        };
        let mut values = inits;
        change.into_iter().zip(results).for_each(|(k, result)| values[k] = result);
        values
    }

    //===-- loops with a condition ------------------------------------------------------------------------------===//

    pub(super) fn conditional(&mut self, op: Op, b: Builder) -> Result<(), Reported> {
        let body = op.cast::<While>().body();
        if let Some(k) = consumed(op)
            && let Tree::List(list) = self.tree(op.operand(k))
        {
            // The number of iterations is the length of the list.
            let Some(n) = self.length_of(b, &list) else {
                self.lose(op);
                return Ok(());
            };
            return self.repeated(op, body, 0, n, b);
        }
        let lost = |w: &Self| (0..op.num_operands()).filter(|k| w.tree(op.operand(*k)).is_missing()).collect();
        let missing: HashSet<usize> = lost(self);
        let grows = |w: &Self, k: usize| {
            let growth = |path: &[usize]| super::lists::growth(body, k, k, path);
            w.tree(op.operand(k)).grows(&mut Vec::new(), &growth)
        };
        let growing: HashSet<usize> =
            (0..op.num_operands()).filter(|k| !missing.contains(k) && grows(self, *k)).collect();
        if growing.is_empty() {
            let rounds = self.rounds(op, missing, None, b)?;
            return rounds.map(|_| ()).ok_or_else(|| op.not_supported(UNKNOWN));
        }
        // A loop that counts its iterations next to arrays has a count that depends on arrays, which a size must not.
        let has_arrays =
            |k: &usize| !missing.contains(k) && !growing.contains(k) && holds(op.operand(*k).ty(), &Type::is_tensor);
        if (0..op.num_operands()).any(|k| has_arrays(&k)) {
            return Err(op.not_supported(UNKNOWN));
        }
        // The length of the lists is known after one execution of the loop without them.
        let without = missing.union(&growing).copied().collect();
        let Some(Some(rounds)) = self.rounds(op, without, Some(None), b)? else {
            return Err(op.not_supported(UNKNOWN));
        };
        let found: Vec<Tree> = op.results().into_iter().map(|v| self.tree(v)).collect();
        let again = self.rounds(op, missing, Some(Some(rounds)), b)?;
        if again.is_none() {
            return Err(op.not_supported(UNKNOWN));
        }
        // The results that were computed without the lists do not depend on them.
        for (old, tree) in op.results().into_iter().zip(found) {
            if !tree.is_missing() {
                self.scope.insert(old, tree);
            }
        }
        Ok(())
    }

    /// Writes the loop without the values in `missing`. `counting` is `None` for a loop whose lists do not grow,
    /// `Some(None)` to count its iterations, and `Some(Some(rounds))` when they have been counted. Returns the number
    /// of iterations if it is counted; `None` if the condition is missing.
    fn rounds(
        &mut self,
        op: Op,
        mut missing: HashSet<usize>,
        counting: Option<Option<Value>>,
        b: Builder,
    ) -> Result<Option<Option<Value>>, Reported> {
        let (before, after) = (op.cast::<While>().condition(), op.cast::<While>().body());
        let count = counting.flatten().unwrap_or_else(|| self.index(b, 0));
        let mut carried = Carried::new(op, after, 0, &missing);
        let steps = self.make_room(&mut carried, count, b)?.concat();
        let probing = self.is_probing(&carried);
        let mut inits: Vec<Value> = carried.forms.iter().flat_map(Tree::leaves).collect();
        let counts = counting == Some(None);
        if counts {
            inits.push(self.index(b, 0));
        }
        let types = types_of(&inits);
        let [first, second] = [(); 2].map(|()| b.new_block(&types));
        let blocks = [first.block, second.block];
        self.define(&carried, &before.arguments(), blocks[0].arguments());
        let condition = self.inside(blocks[0], |w| w.block(before, first))?[0].clone();
        let Tree::One(condition) = condition else { return Ok(None) };
        first.insert(
            first.op(Kind::ScfCondition).operands(&[&[condition], &blocks[0].arguments()[..]].concat()).build(),
        );
        self.define(&carried, &after.arguments(), blocks[1].arguments());
        let yielded = self.inside(blocks[1], |w| {
            let all = w.block(after, second)?;
            if probing {
                return Ok(None);
            }
            w.handed_on(&carried, &all, &mut missing, second)
        });
        let Some(mut next) = yielded? else {
            self.scratch.extend(blocks);
            self.learn(&carried)?;
            return self.rounds(op, missing, counting, b);
        };
        if counts {
            let one = self.index(second, 1);
            let so_far = blocks[1].argument(inits.len() - 1);
            next.push(self.arith(second, Kind::ArithAddi, &[so_far, one], self.context.index()));
        }
        second.insert(second.op(Kind::ScfYield).operands(&next).build());
        let new = b.op(Kind::ScfWhile).operands(&inits).results(&types);
        let new = new.region(Region::with_block(blocks[0])).region(Region::with_block(blocks[1]));
        let mut results = b.insert(new.build()).results();
        let rounds = results.last().copied().filter(|_| counts);
        rounds.into_iter().for_each(|v| self.facts.is_size(v));
        if let Some(rounds) = rounds.or(counting.flatten()) {
            // Numbers that change by a constant are computed from the number of the iteration.
            for k in 0..steps.len() {
                let step = steps[k].or_else(|| step(next[k], blocks[1].argument(k)));
                if let Some(step) = step {
                    let leaf = Leaf { init: inits[k], step: Some(step) };
                    results[k] = self.at(b, &leaf, rounds, &mut std::iter::empty());
                }
            }
        }
        self.define(&carried.behind_loop(), &op.results(), results);
        Ok(Some(rounds))
    }

    //===-- room for lists --------------------------------------------------------------------------------------===//

    /// Returns `tree` with room in its lists for the values that `count` iterations prepend; and for each leaf its
    /// change in each iteration, if it is a length and the change is certain.
    fn with_room(
        &mut self,
        b: Builder,
        (carried, k): (&Carried, usize),
        tree: &Tree,
        count: Value,
        path: &mut Vec<usize>,
    ) -> Result<(Tree, Vec<Option<i64>>), Reported> {
        let Carried { op, body, first, .. } = carried;
        match tree {
            Tree::Missing => unreachable!("the caller leaves it out"),
            Tree::One(_) => Ok((tree.clone(), vec![None])),
            Tree::Many(parts) => {
                let (mut all, mut steps) = (Vec::new(), Vec::new());
                for (position, part) in parts.iter().enumerate() {
                    path.push(position);
                    let (part, more) = self.with_room(b, (carried, k), part, count, path)?;
                    path.pop();
                    all.push(part);
                    steps.extend(more);
                }
                Ok((Tree::Many(all.into()), steps))
            }
            Tree::List(List::Probe(_)) => Ok((tree.clone(), vec![])),
            Tree::List(list) => {
                let growth = super::lists::growth(*body, k, k + first, path);
                let Some(growth) = growth else { return Err(op.not_supported(UNKNOWN)) };
                if growth.stays {
                    let steps = vec![None; tree.leaves().len()];
                    return Ok((tree.with_no_spare(), steps));
                }
                let template = self.templates.get(&(*body, k, path.clone())).cloned();
                let says = match list {
                    List::Known(values) => !values.is_empty(),
                    List::Stack(stack) => stack.template.is_some(),
                    List::Probe(_) => false,
                };
                if !says && template.is_none() && tree::flat(growth.element).is_none() {
                    return Ok((Tree::List(List::Probe(Rc::default())), vec![]));
                }
                let Some(stack) = self.stack(b, list, count, growth.most, growth.element, template.as_ref()) else {
                    return Err(op.not_supported("all values of a list must have the same sizes"));
                };
                let mut steps = vec![None; stack.arrays.len()];
                steps.push(growth.exact);
                Ok((Tree::List(List::Stack(stack)), steps))
            }
        }
    }

    /// Records the known facts about lists that a loop carries.
    fn learn(&mut self, carried: &Carried) -> Result<(), Reported> {
        fn all(tree: &Tree, path: &mut Vec<usize>, found: &mut Vec<(Vec<usize>, Option<Tree>)>) {
            match tree {
                Tree::Many(parts) => {
                    for (k, part) in parts.iter().enumerate() {
                        path.push(k);
                        all(part, path, found);
                        path.pop();
                    }
                }
                Tree::List(List::Probe(probe)) => found.push((path.clone(), probe.borrow().clone())),
                _ => {}
            }
        }
        for (&k, form) in carried.kept.iter().zip(&carried.forms) {
            if self.tree(carried.init(k)).has_probes() {
                continue;
            }
            let mut found = Vec::new();
            all(form, &mut Vec::new(), &mut found);
            for (path, template) in found {
                let Some(template) = template.filter(|t| !t.is_missing() && !t.has_probes()) else {
                    let text = "the values of the list must have a shape that is known before the loop";
                    return Err(carried.op.not_supported(text));
                };
                self.templates.insert((carried.body, k, path), Rc::new(template));
            }
        }
        Ok(())
    }

    /// Returns `tree` in the form of another one.
    fn fitted(&mut self, b: Builder, tree: &Tree, form: &Tree) -> Option<Tree> {
        match (tree, form) {
            (Tree::Many(x), Tree::Many(y)) if x.len() == y.len() => {
                let parts = x.iter().zip(y.iter()).map(|(x, y)| self.fitted(b, x, y));
                parts.collect::<Option<Vec<_>>>().map(|parts| Tree::Many(parts.into()))
            }
            (Tree::List(List::Known(values)), Tree::List(List::Stack(stack))) => {
                // An empty list gets the room of the other one.
                let length = self.index(b, 0);
                let mut so_far = Stack { length, ..stack.clone() };
                // It has at most as many values as an iteration prepends.
                if values.len() as i64 > stack.spare {
                    return None;
                }
                for value in values.iter().rev() {
                    if !self.fits(&so_far, value) {
                        return None;
                    }
                    so_far = self.pushed(b, &so_far, value);
                }
                Some(Tree::List(List::Stack(so_far)))
            }
            _ => tree.is_like(form).then(|| tree.clone()),
        }
    }

    /// Converts two trees, at the ends of two blocks, to one form. Returns whether that is possible.
    fn unify(&mut self, (x, one): (&mut Tree, Builder), (y, two): (&mut Tree, Builder)) -> bool {
        if x.is_like(y) {
            return true;
        }
        match (&*x, &*y) {
            (Tree::Many(p), Tree::Many(q)) if p.len() == q.len() => {
                let (mut p, mut q) = (p.to_vec(), q.to_vec());
                let done = p.iter_mut().zip(&mut q).all(|(p, q)| self.unify((p, one), (q, two)));
                (*x, *y) = (Tree::Many(p.into()), Tree::Many(q.into()));
                done
            }
            (Tree::List(p), Tree::List(q)) => {
                let Some(element) = p.element().or(q.element()) else { return false };
                let (Some(m), Some(n)) = (p.room(), q.room()) else { return false };
                let most = m.max(n) as i64;
                let mut stacked = |list: &List, room: usize, b: Builder| {
                    let one = self.index(b, 1);
                    let stack = self.stack(b, list, one, most - room as i64, element, None)?;
                    Some(Tree::List(List::Stack(stack)))
                };
                let Some(p) = stacked(p, m, one) else { return false };
                let Some(q) = stacked(q, n, two) else { return false };
                (*x, *y) = (p, q);
                x.is_like(y)
            }
            _ => false,
        }
    }

    /// Emits the conjunction of several conditions.
    pub(super) fn all(&mut self, b: Builder, conditions: &[Value]) -> Value {
        let i1 = self.context.scalar(Element::I1);
        let all = conditions.iter().copied().reduce(|x, y| b.unary(Kind::ArithAndi, &[x, y], i1));
        all.unwrap_or_else(|| b.bool(true))
    }
}

/// Returns the number of the list from which a loop takes a value in each iteration, until it is empty.
fn consumed(op: Op) -> Option<usize> {
    let [before, after] = [0, 1].map(|r| op.region(r).first_block());
    let (before, after) = (before?, after?);
    let condition = before.terminator()?.operand(0);
    let (negation, _) = condition.defining_op().filter(|(op, _)| op.kind() == Kind::ArithXori)?;
    let (asked, _) = negation.operand(0).defining_op().filter(|(op, _)| op.kind() == Kind::LambdaIsEmpty)?;
    let k = before.arguments().iter().position(|v| *v == asked.operand(0))?;
    let (tail, _) = after.terminator()?.operand(k).defining_op().filter(|(op, _)| op.kind() == Kind::LambdaTail)?;
    let certain = edit::known(negation.operand(1)).is_some_and(|v| v != 0);
    (certain && tail.operand(0) == after.argument(k)).then_some(k)
}

/// Returns the constant difference of the integers `next` and `argument`.
fn step(next: Value, argument: Value) -> Option<i64> {
    if !(argument.ty().is_index() || argument.ty().is_integer(64)) {
        return None;
    }
    let (op, _) = next.defining_op().filter(|(op, _)| op.kind() == Kind::ArithAddi)?;
    if op.operand(0) == argument { edit::known(op.operand(1)) } else { None }
}

const UNKNOWN: &str = "the length of the list must be known before the loop";
