//! Known facts about sizes and indices. They are used to omit tests around reads that are always in range.
//!
//! An index is represented as a linear form (an affine expression) of symbols: sizes of arrays (not negative), indices
//! of the enclosing loops (`0 ≤ i < extent`), quotients by positive constants, minima and maxima, and unknowns.

use crate::analysis::edit;
use crate::analysis::linear::{FUEL, Fact, Form, LARGEST, Symbols};
use mlopt_dialects::ir::{Attribute, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// One extent of an array: static, or an `index` value of the new program (never negative).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Known(i64),
    Value(Value),
}

/// Facts about the `index` and `i64` values of the program under construction.
#[derive(Default)]
pub struct Facts {
    values: HashMap<Value, Form>,
    symbols: Symbols,
    /// The symbols of quotients, minima and maxima: equal ones have the same symbol.
    composed: HashMap<Fact, Form>,
    /// The symbols of sizes that were computed from numbers.
    free: HashSet<usize>,
    /// The sizes that have been checked.
    checked: HashSet<Form>,
    /// Indices and sizes that the program has checked, in the enclosing blocks of the current position.
    supposed: Vec<(Form, Form)>,
}

impl Facts {
    /// Records that `value` is a size.
    pub fn is_size(&mut self, value: Value) {
        if let Some(s) = self.of(value).as_symbol() {
            self.symbols.set_size(s);
        }
    }

    /// Records that `a` and `b` are equal, which the caller has ensured.
    pub fn unify(&mut self, a: Size, b: Size) {
        let (a, b) = (self.size(a), self.size(b));
        let difference = a.add(&b, -1);
        // Solves for one symbol with coefficient ±1 and substitutes it everywhere.
        let is_free = |s: usize| matches!(self.symbols.fact(s), Fact::Unknown | Fact::Size);
        let solvable = || difference.terms.iter().rev().filter(move |&&(s, c)| c.abs() == 1 && is_free(s));
        let unknown = solvable().find(|&&(s, _)| self.symbols.is_unknown(s));
        let Some(&(s, c)) = unknown.or_else(|| solvable().next()) else { return };
        let rest = difference.without(s).times(-c);
        let supposed = self.supposed.iter_mut().flat_map(|(i, n)| [i, n]);
        let forms = self.values.values_mut().chain(self.composed.values_mut()).chain(supposed);
        forms.for_each(|a| a.replace(s, &rest));
        self.symbols.replace(s, &rest);
        self.composed.retain(|fact, _| !fact.mentions(s));
    }

    /// Records that `index` is below `extent`; [`Facts::leave`] must be called at the end of the loop.
    pub fn enter(&mut self, index: Value, extent: Size) {
        let extent = self.size(extent);
        let form = self.symbols.enter(extent);
        self.values.insert(index, form);
    }

    pub fn leave(&mut self) {
        self.symbols.leave();
    }

    /// Returns the result of `ask` with the facts that hold outside of all loops. A computation inside a loop may be
    /// repeated before the loop, where it is not known that the loop has iterations.
    pub fn before_loops<T>(&mut self, ask: impl FnOnce(&mut Facts) -> T) -> T {
        let around = std::mem::take(&mut self.symbols.around);
        let answer = ask(self);
        self.symbols.around = around;
        answer
    }

    /// Records that `value` is at least zero and below `extent`.
    pub fn below(&mut self, value: Value, extent: Size) {
        let extent = self.size(extent);
        let a = self.symbols.add(Fact::Below(extent));
        self.values.insert(value, a);
    }

    /// Records that `value` is ⌊x / y⌋ (total, towards -∞).
    pub fn quotient(&mut self, value: Value, x: Value, y: Value) {
        if let Some(k) = self.divisor(y) {
            let q = self.quotient_of(x, k);
            self.values.insert(value, q);
        }
    }

    fn divisor(&mut self, y: Value) -> Option<i128> {
        self.constant(y).map(i128::from).filter(|k| *k > 0 && *k < LARGEST)
    }

    /// Records that `value` is x - y·⌊x / y⌋.
    pub fn remainder(&mut self, value: Value, x: Value, y: Value) {
        match self.divisor(y) {
            Some(k) => {
                let q = self.quotient_of(x, k);
                let r = self.whole(x).add(&q, -k);
                if r.fits(LARGEST) {
                    self.values.insert(value, r);
                }
            }
            None => {
                if self.before_loops(|facts| facts.is_positive(Size::Value(y))) {
                    self.below(value, Size::Value(y));
                }
            }
        }
    }

    fn quotient_of(&mut self, x: Value, k: i128) -> Form {
        let x = self.whole(x);
        if x.constant % k == 0 && x.terms.iter().all(|(_, c)| c % k == 0) {
            return Form { constant: x.constant / k, terms: x.terms.iter().map(|&(s, c)| (s, c / k)).collect() };
        }
        self.compose(Fact::Quotient(x, k))
    }

    fn compose(&mut self, fact: Fact) -> Form {
        let symbols = &mut self.symbols;
        self.composed.entry(fact).or_insert_with_key(|fact| symbols.add(fact.clone())).clone()
    }

    /// Returns the expression of `value`, or one symbol for all of it if a sum in it may have wrapped: facts about
    /// unknown numbers hold only modulo 2^64, which is enough for sums but not for quotients and comparisons.
    fn whole(&mut self, value: Value) -> Form {
        let a = self.of(value);
        if a.as_symbol().is_some() || !a.terms.iter().any(|&(s, _)| self.symbols.is_unknown(s)) {
            return a;
        }
        let a = self.symbols.add(Fact::Unknown);
        self.values.insert(value, a.clone());
        a
    }

    /// Records the result of an op of the new program, if it is affine. The facts hold at the op, and wherever the op
    /// may be repeated.
    pub fn define(&mut self, op: Op) {
        self.before_loops(|facts| facts.define_anywhere(op));
    }

    fn define_anywhere(&mut self, op: Op) {
        if op.num_results() != 1 || !is_word(op.result(0).ty()) {
            return;
        }
        let of = |facts: &mut Facts, k: usize| facts.of(op.operand(k));
        let z = op.result(0);
        let form = match op.kind() {
            Kind::ArithConstant => op.attribute("value").and_then(Attribute::as_i64).map(|n| Form::constant(n.into())),
            Kind::ArithAddi => Some(of(self, 0).add(&of(self, 1), 1)),
            Kind::ArithSubi => Some(of(self, 0).add(&of(self, 1), -1)),
            Kind::ArithMuli => of(self, 0).product(&of(self, 1)),
            Kind::ArithIndexCast if is_word(op.operand(0).ty()) => Some(of(self, 0)),
            Kind::ArithMinsi | Kind::ArithMaxsi => {
                let (a, b) = (self.whole(op.operand(0)), self.whole(op.operand(1)));
                let difference = a.add(&b, -1);
                let is_min = op.kind() == Kind::ArithMinsi;
                Some(if self.symbols.is_nonnegative(&difference) {
                    if is_min { b } else { a }
                } else if self.symbols.is_nonnegative(&difference.times(-1)) {
                    if is_min { a } else { b }
                } else {
                    self.compose(if is_min { Fact::Min(a, b) } else { Fact::Max(a, b) })
                })
            }
            Kind::ArithSelect => {
                let (a, b) = (self.whole(op.operand(1)), self.whole(op.operand(2)));
                Some(if a == b { a } else { self.symbols.add(Fact::Either(a, b)) })
            }
            Kind::ArithFloordivsi => return self.quotient(z, op.operand(0), op.operand(1)),
            // Rounding towards zero is the same if no operand is negative.
            Kind::ArithDivsi | Kind::ArithDivui if self.at_least_zero(op.operand(0)) => {
                return self.quotient(z, op.operand(0), op.operand(1));
            }
            Kind::ArithRemsi | Kind::ArithRemui if self.at_least_zero(op.operand(0)) => {
                return self.remainder(z, op.operand(0), op.operand(1));
            }
            _ => None,
        };
        if let Some(a) = form.filter(|a| a.fits(LARGEST)) {
            self.values.insert(z, a);
        }
    }

    /// Checks whether `size` may be any number and is used for the first time. It may be any number unless it derives
    /// only from the sizes of arrays and loops, without large factors.
    pub fn is_new(&mut self, size: Value) -> bool {
        let a = self.of(size);
        !self.is_modest(&a, FUEL) && self.checked.insert(a)
    }

    /// Checks whether `a` is at most the sum of a few sizes of arrays.
    fn is_modest(&self, a: &Form, fuel: usize) -> bool {
        let Some(fuel) = fuel.checked_sub(1) else { return false };
        let symbol = |s: usize| match self.symbols.fact(s) {
            Fact::Unknown | Fact::Between(..) => false,
            Fact::Size => !self.free.contains(&s),
            Fact::Below(a) | Fact::Quotient(a, _) => self.is_modest(a, fuel),
            Fact::Min(a, b) => self.is_modest(a, fuel) || self.is_modest(b, fuel),
            Fact::Max(a, b) | Fact::Either(a, b) => self.is_modest(a, fuel) && self.is_modest(b, fuel),
        };
        let checked = |s: usize| self.checked.contains(&Form::of(s, 1));
        a.constant < 1 << 40 && a.terms.iter().all(|&(s, c)| c <= 4 && (checked(s) || symbol(s)))
    }

    /// Records that `value` is the maximum of `n` and 0, the requested size of a new array and not the size of an
    /// existing one.
    pub fn is_chosen_size(&mut self, value: Value, n: Value) {
        let maximum = Fact::Max(self.whole(n), Form::constant(0));
        let symbols = &mut self.symbols;
        let size = self.composed.entry(maximum).or_insert_with(|| symbols.add(Fact::Size)).clone();
        self.free.extend(size.terms.iter().map(|t| t.0));
        self.values.insert(value, size);
    }

    /// Returns the value of a constant size.
    pub fn known(&mut self, size: Size) -> Option<i64> {
        self.size(size).as_constant().and_then(|n| i64::try_from(n).ok())
    }

    /// Returns the value of a constant index.
    pub fn constant(&mut self, value: Value) -> Option<i64> {
        match edit::constant(value) {
            Some(constant) => constant.as_i64(),
            None => self.known(Size::Value(value)),
        }
    }

    pub fn same(&mut self, a: Size, b: Size) -> bool {
        self.size(a) == self.size(b)
    }

    /// Assumes `0 ≤ index < size`, until [`Facts::forget`].
    pub fn suppose_below(&mut self, index: Value, size: Size) {
        let pair = (self.of(index), self.size(size));
        self.supposed.push(pair);
    }

    /// Returns the number of assumptions.
    pub fn supposed(&self) -> usize {
        self.supposed.len()
    }

    /// Keeps only the first `n` assumptions.
    pub fn forget(&mut self, n: usize) {
        self.supposed.truncate(n);
    }

    /// Proves `0 ≤ index < size`.
    pub fn in_range(&mut self, index: Value, size: Size) -> bool {
        let (i, n) = (self.of(index), self.size(size));
        if self.supposed.iter().any(|(j, m)| *j == i && *m == n) {
            return true;
        }
        self.symbols.is_nonnegative(&i) && self.symbols.is_nonnegative(&n.add(&i, -1).plus(-1))
    }

    /// Proves `0 ≤ value`.
    pub fn at_least_zero(&mut self, value: Value) -> bool {
        if !is_word(value.ty()) {
            return false;
        }
        let a = self.of(value);
        self.symbols.is_nonnegative(&a)
    }

    /// Proves `0 < size`.
    pub fn is_positive(&mut self, size: Size) -> bool {
        let a = self.size(size);
        self.symbols.is_nonnegative(&a.plus(-1))
    }

    fn size(&mut self, size: Size) -> Form {
        match size {
            Size::Known(n) => Form::constant(n.into()),
            Size::Value(v) => self.of(v),
        }
    }

    fn of(&mut self, value: Value) -> Form {
        self.values.entry(value).or_insert_with(|| self.symbols.add(Fact::Unknown)).clone()
    }
}

fn is_word(ty: Type) -> bool {
    ty.is_index() || ty.is_integer(64)
}
