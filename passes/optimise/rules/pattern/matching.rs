//! Matching of patterns, and instantiation of the right sides of rules.
//!
//! A scalar variable matches a term that does not depend on the indices of the pattern. If a pattern reads an array
//! variable at its own indices, each of which occurs once, the variable matches every term: it then stands for the
//! array of that term over these indices (a pattern in the sense of Miller, "Unification under a mixed prefix", 1992).
//! Everywhere else, an array variable matches an array. The value of a map is not an array but the term itself, under
//! the binders of the pattern; the right side substitutes terms for the variables of these binders.
//!
//! The tests of a pattern run in order. If a test has several results, the tests after it run for each of them. These
//! runs overwrite the values of variables; a set of bits for each run records which of them are valid in it.

use super::functions::FUNCTIONS;
use super::program::{Conjuncts, Operator, Read, Role, Test};
use super::{APPLICATION, Condition, FUNCTION, MANY, OPERATION, POSITIONS, Pattern, Property, VariableKind, level};
use crate::optimise::rules::View;
use crate::optimise::rules::cond::{has_mask, is_mask, simplifies};
use crate::optimise::rules::ifold::{fixes_index, flatten};
use crate::optimise::rules::index::{conjunction, conjuncts};
use crate::optimise::rules::sum::{ignores_sign_of_zero, is_finite};
use crate::optimise::terms::data::{Form, Ty, Type};
use crate::optimise::terms::prim::{self, EQ, NE, Prim, SGE, SGT, SLE, SLT, Scalar};
use crate::optimise::terms::{Flags, Op, Operands, Pool};
use egg::Id;
use mlopt_dialects::value::Element;
use smallvec::{SmallVec, smallvec};

/// The maximum number of matches of one term.
const MOST: usize = 16;

/// The maximum number of attempts for one term where there are alternatives, because sums of many terms match in many
/// ways.
const ATTEMPTS: usize = 2000;

/// The facts about a partial match that a later test may change.
#[derive(Clone, Copy, Default)]
struct Partial {
    /// The variables with a value, as bits.
    bound: u32,
    positions: [Option<u32>; POSITIONS],
    /// The operation on numbers for which a variable stands.
    operation: Option<Op>,
    /// The intersections of the flags of all matched float operators, of all negations, and of all reductions.
    floats: Option<Flags>,
    negations: Option<Flags>,
    reductions: Option<Flags>,
}

impl Partial {
    fn is_bound(&self, variable: usize) -> bool {
        self.bound & 1 << variable != 0
    }
}

/// The matching of one pattern with one term.
struct Machine<'m, 'v> {
    pattern: &'m Pattern,
    view: &'m mut View<'v>,
    root: Id,
    registers: SmallVec<[Id; 16]>,
    /// The values of variables, as terms outside of the binders of the pattern.
    values: SmallVec<[Id; 8]>,
    /// The values of variables for any number of terms.
    many: [Operands; MANY],
    /// The initial values of the loops that were instantiated, each with the number of binders around its loop.
    carried: SmallVec<[(Id, u32); 1]>,
    attempts: usize,
    /// The remaining number of matches.
    left: usize,
    out: &'m mut Vec<Id>,
}

/// Appends the right sides for `t`, a term whose operands have operators of these kinds.
pub(super) fn apply(pattern: &Pattern, view: &mut View, t: Id, kinds: &[u64], out: &mut Vec<Id>) {
    let Some(Test::Operator(root)) = pattern.tests.first() else { return };
    if !root.is_open() && root.kinds.len() != kinds.len() {
        return;
    }
    let straight = root.is_open() || root.kinds.iter().zip(kinds).all(|(wanted, found)| wanted & found != 0);
    let crossed = root.commutes && root.kinds.iter().zip(kinds.iter().rev()).all(|(wanted, found)| wanted & found != 0);
    let has_root = |(element, rank)| (view.pool.element(t), view.pool.rank(t)) == (element, rank);
    if !(straight || crossed) || !pattern.root.is_none_or(has_root) || !fits(pattern, root, view.pool.op(t)) {
        return;
    }
    let (registers, values) = (smallvec![t; pattern.registers], smallvec![t; pattern.variables.len()]);
    let (many, carried) = (Default::default(), SmallVec::new());
    let mut machine =
        Machine { pattern, view, root: t, registers, values, many, carried, attempts: 0, left: MOST, out };
    // The drivers offer each form of the root.
    for is_crossed in [false, true] {
        let mut partial = Partial::default();
        if (if is_crossed { crossed } else { straight }) && machine.enter(root, t, is_crossed, &mut partial) {
            machine.run(1, partial);
        }
    }
}

/// Checks whether an operator is the one in the pattern and has the required flags.
pub(super) fn fits(pattern: &Pattern, wanted: &Operator, found: Op) -> bool {
    let has_flags = |f: Flags| f.allow(pattern.flags);
    match (wanted.op, found) {
        (Op::Prim(a, _), Op::Prim(b, f)) => a == b && (wanted.is_spared || has_flags(f)),
        (Op::Reduce(a, _), Op::Reduce(b, _)) => a == b,
        (Op::Data(a, _), Op::Data(b, _)) => a.head() == b.head(),
        (Op::Opaque(OPERATION, ..), found) => match found {
            Op::Prim(p, f) => !p.may_trap() && (!p.is_float() || has_flags(f)),
            _ => false,
        },
        (wanted, found) => wanted == found,
    }
}

impl Machine<'_, '_> {
    /// Runs the tests from `next` on, and appends the right side for each match.
    fn run(&mut self, mut next: usize, mut partial: Partial) {
        let pattern = self.pattern;
        while let Some(test) = pattern.tests.get(next) {
            next += 1;
            let passes = match test {
                Test::Exact(register, op) => self.view.pool.op(self.registers[usize::from(*register)]).head() == *op,
                Test::Variable { register, variable, depth } => {
                    let t = self.registers[usize::from(*register)];
                    let is_closed = (0..*depth).all(|level| !self.view.pool.mentions(t, level));
                    is_closed && {
                        let value = self.view.pool.shift(t, 0, -i64::from(*depth));
                        self.bind(*variable, value, &mut partial)
                    }
                }
                Test::Read(read) => self.read(read, &mut partial),
                Test::Map { register, variable } => {
                    let t = self.registers[usize::from(*register)];
                    self.bind_map(*variable, t, &mut partial)
                }
                Test::Conjuncts(parts) => self.bind_conjuncts(parts, &mut partial),
                Test::Number(register, k) => {
                    let known = self.view.pool.as_int(self.registers[usize::from(*register)]);
                    known.is_some() && known == partial.positions[*k as usize].map(i64::from)
                }
                Test::Next { each, start } => {
                    let (register, k) = (usize::from(each.register), each.position as usize);
                    let operands = &self.view.pool.node(self.registers[register + 1]).children;
                    let number = partial.positions[k].map_or(0, |k| k + 1);
                    if let Some(&operand) = operands.get(number as usize) {
                        self.registers[register] = operand;
                        partial.positions[k] = Some(number);
                        next = *start;
                    }
                    true
                }
                Test::Operator(operator) => {
                    let forms = self.view.forms(self.registers[usize::from(operator.register)]);
                    if let (&[form], false) = (forms.as_slice(), operator.commutes) {
                        // Without alternatives there is no recursion: the number of operands alike may be large.
                        self.enter(operator, form, false, &mut partial)
                    } else {
                        // The tests of operands alike use their registers again.
                        let before = pattern.has_each.then(|| self.registers.clone());
                        for form in forms {
                            for is_crossed in [false, true].into_iter().take(1 + usize::from(operator.commutes)) {
                                self.attempts += 1;
                                let mut inside = partial;
                                if let Some(before) = &before {
                                    self.registers.copy_from_slice(before);
                                }
                                if self.enter(operator, form, is_crossed, &mut inside) {
                                    self.run(next, inside);
                                }
                            }
                        }
                        return;
                    }
                }
            };
            if !passes {
                return;
            }
        }
        if let Some(result) = self.finish(partial).filter(|&result| result != self.root) {
            self.left = self.left.saturating_sub(1);
            self.out.push(result);
        }
    }

    /// Loads the operands of a form into their registers. Returns false if it does not have the operator.
    fn enter(&mut self, wanted: &Operator, form: Id, is_crossed: bool, partial: &mut Partial) -> bool {
        let n = wanted.kinds.len();
        let node = self.view.pool.node(form);
        let (found, extra) = (node.op, node.children.len().checked_sub(n));
        let (Some(extra), true) = (extra, self.attempts <= ATTEMPTS && self.left > 0) else { return false };
        if !fits(self.pattern, wanted, found) || (extra > 0 && !wanted.is_open()) {
            return false;
        }
        if let Some(each) = wanted.each {
            let (register, Some(&first)) = (usize::from(each.register), node.children.first()) else { return false };
            (self.registers[register], self.registers[register + 1]) = (first, form);
            partial.positions[each.position as usize] = Some(0);
            let count = self.view.pool.index(extra as i64);
            return self.bind(each.count, count, partial);
        }
        if let Some((variable, at)) = wanted.many {
            let terms = Operands::from_slice(&node.children[at..at + extra]);
            let VariableKind::Many(place) = self.pattern.variables[variable].kind else { return false };
            if partial.is_bound(variable) && self.many[place] != terms {
                return false;
            }
            self.many[place] = terms;
            partial.bound |= 1 << variable;
        }
        let before = wanted.many.map_or(n, |(_, at)| at);
        for k in 0..n {
            let place = if is_crossed { n - 1 - k } else { k };
            let x = self.view.pool.child(form, if place < before { place } else { place + extra });
            if self.view.kinds(x) & wanted.kinds[k] == 0 {
                return false;
            }
            self.registers[usize::from(wanted.first) + k] = x;
        }
        let and = |known: Option<Flags>, f: Flags| Some(known.map_or(f, |g| g.and(f)));
        match (wanted.flags, found) {
            (Role::Float, Op::Prim(_, f)) => partial.floats = and(partial.floats, f),
            (Role::Negation, Op::Prim(_, f)) => partial.negations = and(partial.negations, f),
            (Role::Reduction, Op::Reduce(_, f)) => partial.reductions = and(partial.reductions, f),
            _ => {}
        }
        if matches!(wanted.op, Op::Opaque(..)) && *partial.operation.get_or_insert(found) != found {
            return false;
        }
        let position = |op: Op| if let Op::Data(form, _) = op { form.position() } else { None };
        match (position(wanted.op), position(found)) {
            (Some(k), Some(found)) => *partial.positions[k as usize].get_or_insert(found) == found,
            _ => true,
        }
    }

    /// Binds a variable that is read at the indices of the pattern to the array of the term.
    fn read(&mut self, read: &Read, partial: &mut Partial) -> bool {
        let t = self.registers[usize::from(read.register)];
        let (variable, view) = (&self.pattern.variables[read.variable], &mut *self.view);
        if (0..read.depth).any(|l| !read.levels.contains(&l) && view.pool.mentions(t, l)) {
            return false;
        }
        // An array of the declared sizes always exists if these are the extents of the indices.
        let has_its_sizes = read.extents.as_slice() == variable.sizes.as_slice();
        if !variable.is_needed && variable.is_single && has_its_sizes {
            return match variable.kind {
                VariableKind::Element(e) => {
                    let rank = self.pattern.pool.rank(variable.leaf);
                    e == view.pool.element(t) && rank == view.pool.rank(t) + read.levels.len() && is_number(view, t, e)
                }
                _ => true,
            };
        }
        let Some(extents) = self.extents(read, partial) else { return false };
        let value = abstracted(self.view, t, &read.levels, read.depth, &extents);
        self.bind(read.variable, value, partial)
    }

    /// Returns the extents of the indices of a read, outside of the binders of the pattern. Returns `None` if an extent
    /// depends on an index.
    fn extents(&mut self, read: &Read, partial: &Partial) -> Option<SmallVec<[Id; 2]>> {
        let mut extents = SmallVec::new();
        for &n in &read.extents {
            let n = self.instantiate(partial, n, read.depth, None)?;
            if (0..read.depth).any(|l| self.view.pool.mentions(n, l)) {
                return None;
            }
            extents.push(self.view.pool.shift(n, 0, -i64::from(read.depth)));
        }
        Some(extents)
    }

    /// Binds a variable to `value`. Returns false if they are not compatible.
    fn bind(&mut self, k: usize, value: Id, partial: &mut Partial) -> bool {
        let (variable, view) = (&self.pattern.variables[k], &mut *self.view);
        if partial.is_bound(k) {
            let known = self.values[k];
            let may_differ =
                view.pool.rank(value) == 0 && matches!(view.pool.element(value), Element::Index | Element::I64);
            return known == value || (may_differ && view.pool.equal(known, value) == Some(true));
        }
        let is_accepted = match variable.kind {
            VariableKind::Element(e) => {
                let rank = self.pattern.pool.rank(variable.leaf);
                e == view.pool.element(value) && rank == view.pool.rank(value) && is_number(view, value, e)
            }
            VariableKind::Any => view.pool.rank(value) >= variable.sizes.len(),
            VariableKind::Tuple | VariableKind::List | VariableKind::Env => view.pool.rank(value) == 0,
            VariableKind::Many(_) => false,
        };
        if !is_accepted || (variable.is_constant && !matches!(view.pool.op(value), Op::Const(..))) {
            return false;
        }
        self.values[k] = value;
        partial.bound |= 1 << k;
        true
    }

    /// Binds a map to a term under the binders of the pattern. Returns false if the term depends on other variables of
    /// the pattern than the arguments of the map.
    fn bind_map(&mut self, k: usize, t: Id, partial: &mut Partial) -> bool {
        let pattern = self.pattern;
        let Some(scope) = &pattern.variables[k].scope else { return false };
        let is_argument = |l: u32| scope.arguments.iter().any(|&a| level(&pattern.pool, a) == Some(l));
        let depends = (0..scope.depth).any(|l| !is_argument(l) && self.view.pool.mentions(t, l));
        !depends && self.bind(k, t, partial)
    }

    /// Binds the variables for the parts of a condition.
    fn bind_conjuncts(&mut self, parts: &Conjuncts, partial: &mut Partial) -> bool {
        let t = self.registers[usize::from(parts.register)];
        let is_outside = |view: &View, t: Id| (0..parts.depth).all(|l| !view.pool.mentions(t, l));
        let (value, others) = if parts.is_index {
            let Some(found) = fixes_index(self.view, t) else { return false };
            found
        } else {
            let all = conjuncts(self.view, t);
            let (fixed, others): (Vec<Id>, Vec<Id>) = all.into_iter().partition(|&p| is_outside(&*self.view, p));
            if fixed.is_empty() {
                return false;
            }
            (conjunction(self.view, &fixed), others)
        };
        if !is_outside(&*self.view, value) {
            return false;
        }
        let value = self.view.pool.shift(value, 0, -i64::from(parts.depth));
        let others = conjunction(self.view, &others);
        self.bind(parts.first, value, partial) && self.bind_map(parts.others, others, partial)
    }

    /// Returns the right side, if the sizes and conditions hold.
    fn finish(&mut self, mut partial: Partial) -> Option<Id> {
        let pattern = self.pattern;
        for (k, variable) in pattern.variables.iter().enumerate().filter(|(_, v)| !v.sizes.is_empty()) {
            if !partial.is_bound(k) {
                continue;
            }
            for (axis, &size) in variable.sizes.iter().enumerate() {
                let unknown = pattern.variable(size).filter(|&n| !partial.is_bound(n));
                if unknown.is_some_and(|n| !pattern.variables[n].is_needed) {
                    continue;
                }
                let length = self.view.pool.extent(self.values[k], axis);
                match unknown {
                    Some(n) => {
                        self.values[n] = length;
                        partial.bound |= 1 << n;
                    }
                    None => {
                        let wanted = self.instantiate(&partial, size, 0, None)?;
                        if self.view.pool.equal(length, wanted) != Some(true) {
                            return None;
                        }
                    }
                }
            }
        }
        if !pattern.conditions.iter().all(|&c| self.holds(&mut partial, c)) {
            return None;
        }
        let ty = if let Op::Data(_, ty) = self.view.pool.op(self.root) { Some(ty) } else { None };
        self.instantiate(&partial, pattern.right, 0, ty)
    }

    /// Checks whether a condition is proved.
    fn holds(&mut self, partial: &mut Partial, condition: Condition) -> bool {
        match condition {
            Condition::Compare(predicate, a, b) => {
                let (a, b) = (self.instantiate(partial, a, 0, None), self.instantiate(partial, b, 0, None));
                let (Some(a), Some(b), pool) = (a, b, &mut *self.view.pool) else { return false };
                if let (Some(x), Some(y)) = (pool.scalar(a), pool.scalar(b)) {
                    return prim::eval(Prim::CmpI(predicate), pool.element(a), &[x, y]) == Scalar::I(1);
                }
                match predicate {
                    EQ => pool.equal(a, b) == Some(true),
                    NE => pool.equal(a, b) == Some(false),
                    SLT => pool.less(a, b) == Some(true),
                    SLE => pool.less(b, a) == Some(false),
                    SGT => pool.less(b, a) == Some(true),
                    SGE => pool.less(a, b) == Some(false),
                    _ => false,
                }
            }
            Condition::Term(Property::Absorbs | Property::Divides, _)
                if partial.floats.is_some_and(|f| f.allow(Flags(Flags::NNAN.0 | Flags::NINF.0))) =>
            {
                true
            }
            Condition::Term(property, t) => {
                self.instantiate(partial, t, 0, None).is_some_and(|t| has_property(self.view, property, t, self.root))
            }
            Condition::Invariant(c, x) => {
                let (c, x) = (self.instantiate(partial, c, 0, None), self.instantiate(partial, x, 0, None));
                let (Some(c), Some(x), pool) = (c, x, &*self.view.pool) else { return false };
                pool.scalar(c).is_none() && pool.info(x).free.iter().any(|free| !pool.mentions(c, free.level))
            }
            Condition::Leaves(t, n) => {
                let (t, n) = (self.instantiate(partial, t, 0, None), self.instantiate(partial, n, 0, None));
                t.zip(n).is_some_and(|(t, n)| self.view.pool.may_leave(t, n))
            }
            Condition::Runs(map, at, n) => {
                let [map, at, n] = [map, at, n].map(|t| self.instantiate(partial, t, 0, None));
                let (Some(map), Some(at), Some(n), pool) = (map, at, n, &mut *self.view.pool) else { return false };
                pool.info(map).speculatable || pool.in_bounds(at, n) == Some(true)
            }
            Condition::Neutral(z, map) => {
                let z = self.instantiate(partial, z, 0, None);
                let map = map.map(|map| self.instantiate(partial, map, 0, None));
                z.is_some_and(|z| self.is_neutral(partial, z, map.flatten()))
            }
            Condition::OneHot(map) => self.pattern.variable(map).is_some_and(|map| self.is_one_hot(map)),
            Condition::Carry(flags, None) => partial.reductions.is_some_and(|f| f.allow(flags)),
            Condition::Carry(flags, Some(t)) => {
                let own = self.instantiate(partial, t, 0, None).and_then(|t| match self.view.pool.op(t) {
                    Op::Prim(_, f) | Op::Reduce(_, f) => Some(f),
                    _ => None,
                });
                partial.floats = [partial.reductions, own].into_iter().flatten().find(|f| f.allow(flags));
                partial.floats.is_some()
            }
            Condition::Apart(a, b) => {
                let place =
                    |k: usize| if let VariableKind::Many(place) = self.pattern.variables[k].kind { place } else { 0 };
                are_apart(self.view.pool, &self.many[place(a)], &self.many[place(b)])
            }
            Condition::Without(k, e) => {
                let key = partial.positions[k as usize];
                let e = self.instantiate(partial, e, 0, None);
                key.zip(e).is_some_and(|(key, e)| is_without(self.view, e, key))
            }
            Condition::Positions { equal, a, b } => {
                (partial.positions[a as usize] == partial.positions[b as usize]) == equal
            }
        }
    }

    /// Checks whether a zero is neutral in the sums and differences of the pattern, or in its sums of the values of a
    /// map.
    fn is_neutral(&self, partial: &Partial, z: Id, map: Option<Id>) -> bool {
        let view = &*self.view;
        match (view.pool.op(z), view.pool.scalar(z)) {
            (Op::Zero(_), _) => true,
            (_, Some(Scalar::I(x))) => x == 0,
            (_, Some(Scalar::F(x))) => {
                let ignores_sign = partial.floats.or(partial.reductions).is_some_and(|f| f.allow(Flags::NSZ));
                let is_exact = partial.floats.is_some() && x.is_sign_negative() != self.pattern.subtracts;
                x == 0.0 && (ignores_sign || is_exact || map.is_some_and(|e| ignores_sign_of_zero(view, e)))
            }
            _ => false,
        }
    }

    /// Checks whether a form of a map is a choice between a value and the structural zero, whose condition determines
    /// the first argument of the map: the index of the innermost loop, or of the next one.
    fn is_one_hot(&mut self, map: usize) -> bool {
        let (pattern, value) = (self.pattern, self.values[map]);
        let first = pattern.variables[map].scope.as_ref().and_then(|scope| scope.arguments.first());
        let swaps = match first.map(|&i| pattern.pool.op(i)) {
            Some(Op::Ix(0)) => false,
            Some(Op::Ix(1)) => true,
            _ => return false,
        };
        self.view.forms(value).into_iter().any(|f| {
            is_mask(self.view, f) && {
                let c = self.view.pool.child(f, 0);
                let c = if swaps { self.view.pool.swap(c) } else { c };
                fixes_index(self.view, c).is_some()
            }
        })
    }

    /// Instantiates a term of the pattern; `ty` is its type if it is an operation on data. Returns `None` if a variable
    /// has no value. Operations on constants are computed, and an array that is built here is not read.
    fn instantiate(&mut self, partial: &Partial, p: Id, depth: u32, ty: Option<Ty>) -> Option<Id> {
        let pattern = self.pattern;
        if let Some(k) = pattern.variable(p) {
            let value = partial.is_bound(k).then_some(self.values[k])?;
            return Some(self.view.pool.shift(value, 0, depth.into()));
        }
        let node = pattern.pool.node(p);
        match node.op {
            Op::Data(form, _) => return self.data(partial, form, &node.children, ty?),
            Op::Get if pattern.is_many(node.children[0]) => {
                let at = self.instantiate(partial, node.children[1], depth, None)?;
                let at = usize::try_from(self.view.pool.as_int(at)?).ok()?;
                return self.several(partial, node.children[0], &[])?.get(at).copied();
            }
            // The state has the type of the initial value, which the pattern may leave open.
            Op::State(level, ..) => {
                let init = self.carried.iter().rev().find(|loops| loops.1 + level + 1 == depth)?.0;
                let state = self.view.pool.state(init, 0);
                return Some(self.view.pool.shift(state, 0, i64::from(level) - 1));
            }
            Op::Opaque(APPLICATION, ..) => return self.application(partial, &node.children, depth),
            Op::Opaque(number @ FUNCTION.., ..) => {
                return self.function(partial, (number - FUNCTION) as usize, &node.children, depth);
            }
            _ => {}
        }
        let of_arms = if node.op == Op::Cond { ty } else { None };
        let mut children = Operands::new();
        for (k, &child) in node.children.iter().enumerate() {
            if let (Op::Ifold(_), [_, init]) = (node.op, children.as_slice()) {
                self.carried.push((*init, depth));
            }
            if pattern.is_many(child) {
                children.extend(self.several(partial, child, &[])?);
            } else {
                children.push(self.instantiate(partial, child, depth + node.binds(k), of_arms)?);
            }
        }
        let pool = &mut *self.view.pool;
        let op = match node.op {
            Op::Prim(q, _) if q.is_float() => Op::Prim(q, partial.floats.or(partial.negations).unwrap_or_default()),
            Op::Reduce(r, _) => Op::Reduce(r, partial.reductions.or(partial.floats).unwrap_or_default()),
            Op::Opaque(..) => partial.operation?,
            op => op,
        };
        let is_computed = |p: Id| matches!(pattern.pool.op(p), Op::Opaque(..));
        if op == Op::Cond && is_computed(node.children[0]) && pool.as_int(children[0]) == Some(1) {
            return Some(children[1]);
        }
        if let Op::Prim(q, _) = op
            && let Some(constant) = folded(pool, q, &children)
        {
            return Some(constant);
        }
        if op == Op::Prim(Prim::AndI, Flags::NONE) && self.view.pool.element(children[0]) == Element::I1 {
            // The result of a function is one conjunct.
            let is_one = |p: Id| matches!(pattern.pool.op(p), Op::Opaque(FUNCTION.., ..));
            let of = |(&p, &t): (&Id, &Id)| if is_one(p) { vec![t] } else { conjuncts(self.view, t) };
            let mut parts: Vec<Id> = node.children.iter().zip(&children).flat_map(of).collect();
            parts.retain(|&t| self.view.pool.as_int(t) != Some(1));
            return Some(conjunction(self.view, &parts));
        }
        let pool = &mut *self.view.pool;
        if op == Op::Get
            && let (Op::Build, Op::Ix(_)) = (pool.op(children[0]), pool.op(children[1]))
            && pool.child(children[0], 0) == pool.child(children[1], 0)
        {
            let body = pool.child(children[0], 1);
            return Some(pool.substitute(body, children[1]));
        }
        Some(pool.add(op, children))
    }

    /// Instantiates a map, which is followed by its arguments.
    fn application(&mut self, partial: &Partial, operands: &[Id], depth: u32) -> Option<Id> {
        let pattern = self.pattern;
        let (&map, arguments) = operands.split_first()?;
        let k = pattern.variable(map).filter(|&k| partial.is_bound(k))?;
        let (value, scope) = (self.values[k], pattern.variables[k].scope.as_ref()?);
        // The same variables, with the same extents.
        if depth == scope.depth && arguments == scope.arguments {
            return Some(value);
        }
        let mut all = SmallVec::<[(u32, Id); 2]>::new();
        for (&own, &argument) in scope.arguments.iter().zip(arguments) {
            all.push((level(&pattern.pool, own)?, self.instantiate(partial, argument, depth, None)?));
        }
        let value = self.view.pool.shift(value, scope.depth, depth.into());
        let of = |level: u32, _| all.iter().find(|a| a.0 == level).map(|a| a.1);
        Some(self.view.pool.apply(value, scope.depth, &of))
    }

    /// Computes a function; the left side as an operand is the matched term.
    fn function(&mut self, partial: &Partial, number: usize, operands: &[Id], depth: u32) -> Option<Id> {
        let (_, arity, apply) = FUNCTIONS[number];
        let mut terms = SmallVec::<[Id; 3]>::new();
        for &operand in &operands[..arity] {
            terms.push(if operand == self.pattern.left {
                self.view.pool.shift(self.root, 0, depth.into())
            } else {
                self.instantiate(partial, operand, depth, None)?
            });
        }
        apply(self.view, &terms)
    }

    /// Instantiates an operation on data with operands of the pattern.
    fn data(&mut self, partial: &Partial, form: Form, operands: &[Id], ty: Ty) -> Option<Id> {
        let form = match form.position() {
            Some(k) => form.at(partial.positions[k as usize]?),
            None => form,
        };
        let parts = if let Type::Tuple(parts) = self.view.pool.types.of(ty) { parts.clone() } else { vec![] };
        match (form, operands) {
            (Form::Zeros(_), []) => return self.view.pool.zero_of_data(ty),
            (Form::Part(k), [whole]) if self.pattern.is_many(*whole) => {
                return self.several(partial, *whole, &[])?.get(k as usize).copied();
            }
            _ => {}
        }
        let mut children = Operands::new();
        for &operand in operands {
            if self.pattern.is_many(operand) {
                children.extend(self.several(partial, operand, &parts)?);
                continue;
            }
            let of = match form {
                Form::Sum | Form::EnvSum => Some(ty),
                Form::Update(_) if children.is_empty() => Some(ty),
                Form::Update(k) => parts.get(k as usize).copied(),
                Form::Tuple => parts.get(children.len()).copied(),
                _ => None,
            };
            children.push(self.instantiate(partial, operand, 0, of)?);
        }
        // The number of a type is that of the left side.
        let form = match self.view.pool.op(self.root) {
            Op::Data(root, _) if form.position().is_none() && root.head() == form => root,
            _ => form,
        };
        Some(operation(self.view.pool, form, ty, &children))
    }

    /// Instantiates a term of the pattern that stands for any number of terms, of these types.
    fn several(&mut self, partial: &Partial, p: Id, types: &[Ty]) -> Option<Operands> {
        if let Some(k) = self.pattern.variable(p) {
            let VariableKind::Many(place) = self.pattern.variables[k].kind else { return None };
            return partial.is_bound(k).then(|| self.many[place].clone());
        }
        let node = self.pattern.pool.node(p);
        let Op::Data(form, _) = node.op else { return None };
        let mut all = self.several(partial, node.children[0], types)?;
        match form {
            Form::Update(k) => {
                let k = partial.positions[k as usize]? as usize;
                *all.get_mut(k)? = self.instantiate(partial, node.children[1], 0, types.get(k).copied())?;
            }
            Form::Sum => {
                let others = self.several(partial, node.children[1], types)?;
                if others.len() != all.len() {
                    return None;
                }
                for ((x, &y), &ty) in all.iter_mut().zip(&others).zip(types) {
                    *x = operation(self.view.pool, form, ty, &[*x, y]);
                }
            }
            _ => {
                for (x, &ty) in all.iter_mut().zip(types) {
                    *x = operation(self.view.pool, form, ty, &[*x]);
                }
            }
        }
        (all.len() == types.len() || matches!(form, Form::Update(_))).then_some(all)
    }
}

/// Returns the array of `t` over the indices of the pattern at `levels`.
fn abstracted(view: &mut View, t: Id, levels: &[u32], depth: u32, extents: &[Id]) -> Id {
    if let Some(array) = existing(view, t, levels, depth, extents) {
        return array;
    }
    let k = levels.len();
    let mut body = view.pool.shift(t, 0, k as i64);
    for (axis, &level) in levels.iter().enumerate() {
        let n = view.pool.shift(extents[axis], 0, (k + depth as usize) as i64);
        let i = view.pool.ix((k - 1 - axis) as u32, n);
        body = view.pool.rename(body, level + k as u32, i);
    }
    let mut array = view.pool.shift(body, k as u32, -i64::from(depth));
    for (axis, &n) in extents.iter().enumerate().rev() {
        let n = view.pool.shift(n, 0, axis as i64);
        array = view.pool.build(n, array);
    }
    array
}

/// Returns the array that `t` reads at exactly these indices, if it has these lengths.
fn existing(view: &mut View, t: Id, levels: &[u32], depth: u32, extents: &[Id]) -> Option<Id> {
    let mut array = t;
    for &level in levels.iter().rev() {
        if view.pool.op(array) != Op::Get || view.pool.op(view.pool.child(array, 1)) != Op::Ix(level) {
            return None;
        }
        array = view.pool.child(array, 0);
    }
    if (0..depth).any(|l| view.pool.mentions(array, l)) {
        return None;
    }
    let array = view.pool.shift(array, 0, -i64::from(depth));
    for (axis, &n) in extents.iter().enumerate() {
        let length = view.pool.extent(array, axis);
        if view.pool.equal(length, n) != Some(true) {
            return None;
        }
    }
    Some(array)
}

/// Checks whether a term whose element is `e` is a number or an array of numbers. Data have the element of truth
/// values.
fn is_number(view: &View, t: Id, e: Element) -> bool {
    let is_numbers = |ty| matches!(view.pool.types.of(ty), Type::Numbers { .. });
    e != Element::I1 || view.pool.data_type(t).is_none_or(is_numbers)
}

/// Checks whether a term, or the type of the matched term `root`, has a property.
fn has_property(view: &mut View, property: Property, t: Id, root: Id) -> bool {
    let ty = view.pool.data_type(root);
    match property {
        Property::Finite => matches!(view.pool.scalar(t), Some(Scalar::F(x)) if x.is_finite()),
        Property::PowerOfTwo => is_power_of_two(view.pool, t),
        Property::Zero => view.is_strong_zero(t),
        Property::One => matches!(view.pool.op(t), Op::One(_)),
        Property::SameType => ty.is_some() && view.pool.data_type(t) == ty,
        Property::Masked => has_mask(view, t),
        Property::MaskIn => {
            let mut addends = Vec::new();
            flatten(view, t, &mut addends);
            addends.into_iter().any(|x| is_mask(view, x))
        }
        Property::Absorbs => is_finite(view.pool, &[t]),
        Property::Divides => matches!(view.pool.scalar(t), Some(Scalar::F(x)) if x != 0.0 && !x.is_nan()),
        Property::Known => matches!(view.pool.op(t), Op::Const(..) | Op::Zero(_) | Op::One(_)),
        Property::Shorter => view.pool.info(t).size < view.pool.info(root).size,
        Property::Simplifies => simplifies(view, t),
        Property::Unshifted => {
            view.pool.op(t) != Op::Build || {
                let e = view.pool.child(t, 1);
                let is_shifted = matches!(view.pool.op(e), Op::Prim(Prim::SubF, _)) && {
                    let shift = view.pool.child(e, 1);
                    !view.pool.mentions(shift, 0)
                };
                view.pool.mentions(e, 0) && !is_shifted
            }
        }
        Property::FirstOrder => ty.is_some_and(|ty| !view.pool.types.with_functions[ty as usize]),
    }
}

/// Checks whether a term is a power of two, up to its sign, whose reciprocal is a normal number as well.
fn is_power_of_two(pool: &Pool, t: Id) -> bool {
    let Some(Scalar::F(x)) = pool.scalar(t) else { return false };
    let has_one_bit = x.to_bits() & ((1 << 52) - 1) == 0;
    let (least, greatest) = match pool.element(t) {
        Element::F16 => (1e-4, 1e4),
        Element::BF16 | Element::F32 => (1e-37, 1e37),
        _ => (0.0, f64::INFINITY),
    };
    let is_in_range = x.abs() > least && x.abs() < greatest;
    x.is_normal() && (1.0 / x).is_normal() && has_one_bit && is_in_range
}

/// Returns an operation on data.
fn operation(pool: &mut Pool, form: Form, ty: Ty, children: &[Id]) -> Id {
    match (form, children) {
        (Form::Sum, &[a, b]) => pool.sum_of_data(ty, a, b),
        _ => pool.data(form, ty, children),
    }
}

/// Checks whether one of the forms of an environment is constructed from zeros, sums and insertions of other keys.
fn is_without(view: &View, e: Id, key: u32) -> bool {
    let is_without_it = |f: Id| {
        let node = view.pool.node(f);
        match node.op {
            Op::Data(Form::Insert(k), _) => k != key && is_without(view, node.children[0], key),
            Op::Data(Form::EnvSum, _) => node.children.iter().all(|&c| is_without(view, c, key)),
            _ => false,
        }
    };
    view.is_strong_zero(e) || view.forms(e).into_iter().any(is_without_it)
}

/// Checks whether two rows of indices provably differ.
fn are_apart(pool: &Pool, a: &[Id], b: &[Id]) -> bool {
    let differ = |(&x, &y): (&Id, &Id)| match (pool.as_int(x), pool.as_int(y)) {
        (Some(x), Some(y)) => x != y,
        _ => pool.less(x, y) == Some(true) || pool.less(y, x) == Some(true),
    };
    a.len() == b.len() && a.iter().zip(b).any(differ)
}

/// Returns the value of an exactly rounded operation on constants.
fn folded(pool: &mut Pool, p: Prim, children: &[Id]) -> Option<Id> {
    let first = *children.first()?;
    let args: SmallVec<[Scalar; 3]> = children.iter().map(|&c| pool.scalar(c)).collect::<Option<_>>()?;
    let from = pool.element(first);
    let bits = prim::folded(p, from, &args)?;
    Some(pool.add(Op::Const(p.result(from), bits), []))
}
