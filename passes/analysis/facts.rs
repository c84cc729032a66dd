//! Known facts about sizes and indices. They are used to omit tests around reads that are always in range.
//!
//! An index is an affine expression of symbols: sizes of arrays (not negative), indices of the enclosing loops (`0 ≤ i
//! < extent`), quotients by positive constants, minima and maxima, and unknowns. A bound is proved by replacing each
//! symbol by its worst bound.

use crate::analysis::affine::{Affine, LARGEST};
use mlopt_dialects::ir::{Attribute, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// One extent of an array: static, or an `index` value of the new program (never negative).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Known(i64),
    Value(Value),
}

/// The known facts about one symbol.
#[derive(Clone, Debug)]
enum Symbol {
    Unknown,
    /// A size: at least zero.
    Size,
    /// At least zero and less than this: the index of a loop, a remainder.
    Below(Affine),
    /// ⌊x / k⌋ for k > 0.
    Quotient(Affine, i128),
    Min(Affine, Affine),
    Max(Affine, Affine),
    /// One of the two.
    Either(Affine, Affine),
}

impl Symbol {
    fn parts(&mut self) -> Vec<&mut Affine> {
        match self {
            Symbol::Unknown | Symbol::Size => vec![],
            Symbol::Below(a) | Symbol::Quotient(a, _) => vec![a],
            Symbol::Min(a, b) | Symbol::Max(a, b) | Symbol::Either(a, b) => vec![a, b],
        }
    }
}

/// Facts about the `index` and `i64` values of the program under construction.
#[derive(Default)]
pub struct Facts {
    values: HashMap<Value, Affine>,
    symbols: Vec<Symbol>,
    quotients: HashMap<(Affine, i128), usize>,
    /// Extents of the enclosing loops of the current position: inside, they are at least one.
    around: Vec<Affine>,
    /// Symbols of sizes that were computed from numbers, and of those sizes that have been checked.
    free: HashSet<usize>,
    checked: HashSet<Affine>,
    /// Indices and sizes that the program has checked, in the enclosing blocks of the current position.
    supposed: Vec<(Affine, Affine)>,
}

/// The maximum number of steps of one proof.
const FUEL: usize = 100;

impl Facts {
    /// Records that `value` is a size.
    pub fn is_size(&mut self, value: Value) {
        let a = self.of(value);
        if let [(&s, &1)] = a.terms.iter().collect::<Vec<_>>()[..]
            && a.constant == 0
            && matches!(self.symbols[s], Symbol::Unknown)
        {
            self.symbols[s] = Symbol::Size;
        }
    }

    /// Records that `a` and `b` are equal, which the caller has ensured.
    pub fn unify(&mut self, a: Size, b: Size) {
        let (a, b) = (self.size(a), self.size(b));
        let difference = a.plus(&b, -1);
        // Solves for one symbol with coefficient ±1 and substitutes it everywhere.
        let solvable = || {
            let free = |s: &usize| matches!(self.symbols[*s], Symbol::Unknown | Symbol::Size);
            difference.terms.iter().rev().filter(move |(s, c)| c.abs() == 1 && free(s))
        };
        let unknown = solvable().find(|(s, _)| matches!(self.symbols[**s], Symbol::Unknown));
        let Some((&s, &c)) = unknown.or_else(|| solvable().next()) else { return };
        let mut rest = difference.clone();
        rest.terms.remove(&s);
        let rest = rest.times(-c);
        let supposed = self.supposed.iter_mut().flat_map(|(i, n)| [i, n]);
        for a in self.values.values_mut().chain(&mut self.around).chain(supposed) {
            a.replace(s, &rest);
        }
        for a in self.symbols.iter_mut().flat_map(Symbol::parts) {
            a.replace(s, &rest);
        }
        // Memoised quotients of old expressions are removed.
        self.quotients.retain(|(a, _), _| !a.terms.contains_key(&s));
    }

    /// Records that `index` is below `extent`; [`Facts::leave`] must be called at the end of the loop.
    pub fn enter(&mut self, index: Value, extent: Size) {
        self.below(index, extent);
        let extent = self.size(extent);
        self.around.push(extent);
    }

    pub fn leave(&mut self) {
        self.around.pop();
    }

    /// Returns the result of `ask` outside of all loops. A computation inside a loop may be repeated before it, where
    /// the loop may have no iterations and enclosing extents may be zero.
    pub fn before_loops<T>(&mut self, ask: impl FnOnce(&mut Facts) -> T) -> T {
        let around = std::mem::take(&mut self.around);
        let answer = ask(self);
        self.around = around;
        answer
    }

    /// Records that `value` is at least zero and below `extent`.
    pub fn below(&mut self, value: Value, extent: Size) {
        let extent = self.size(extent);
        let a = self.fresh(Symbol::Below(extent));
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
                let r = self.whole(x).plus(&q, -k);
                if r.is_small() {
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

    fn quotient_of(&mut self, x: Value, k: i128) -> Affine {
        let x = self.whole(x);
        if x.constant % k == 0 && x.terms.values().all(|c| c % k == 0) {
            return Affine { constant: x.constant / k, terms: x.terms.iter().map(|(s, c)| (*s, c / k)).collect() };
        }
        if let Some(s) = self.quotients.get(&(x.clone(), k)) {
            return Affine::symbol(*s);
        }
        let q = self.fresh(Symbol::Quotient(x.clone(), k));
        self.quotients.insert((x, k), self.symbols.len() - 1);
        q
    }

    /// Returns the expression of `value`, or one symbol for all of it if a sum in it may have wrapped: facts about
    /// unknown numbers hold only modulo 2^64, which is enough for sums but not for quotients and comparisons.
    fn whole(&mut self, value: Value) -> Affine {
        let a = self.of(value);
        let unknown = a.terms.keys().any(|s| matches!(self.symbols[*s], Symbol::Unknown));
        let alone = a.constant == 0 && a.terms.len() == 1 && a.terms.values().all(|c| *c == 1);
        if !unknown || alone {
            return a;
        }
        let a = self.fresh(Symbol::Unknown);
        self.values.insert(value, a.clone());
        a
    }

    /// Records the result of an op of the new program, as far as it is affine: there, and wherever it may be repeated.
    pub fn define(&mut self, op: Op) {
        self.before_loops(|facts| facts.define_anywhere(op));
    }

    fn define_anywhere(&mut self, op: Op) {
        if op.num_results() != 1 || !is_word(op.result(0).ty()) {
            return;
        }
        let of = |facts: &mut Facts, k: usize| facts.of(op.operand(k));
        let z = op.result(0);
        let affine = match op.kind() {
            Kind::ArithConstant => op.attribute("value").and_then(Attribute::as_i64).map(Affine::known),
            Kind::ArithAddi => Some(of(self, 0).plus(&of(self, 1), 1)),
            Kind::ArithSubi => Some(of(self, 0).plus(&of(self, 1), -1)),
            Kind::ArithMuli => {
                let (a, b) = (of(self, 0), of(self, 1));
                if a.terms.is_empty() {
                    Some(b.times(a.constant))
                } else {
                    b.terms.is_empty().then(|| a.times(b.constant))
                }
            }
            Kind::ArithIndexCast if is_word(op.operand(0).ty()) => Some(of(self, 0)),
            Kind::ArithMinsi | Kind::ArithMaxsi => {
                let (a, b) = (self.whole(op.operand(0)), self.whole(op.operand(1)));
                let difference = a.plus(&b, -1);
                let is_min = op.kind() == Kind::ArithMinsi;
                Some(if self.not_negative(difference.clone()) {
                    if is_min { b } else { a }
                } else if self.not_negative(difference.times(-1)) {
                    if is_min { a } else { b }
                } else {
                    self.fresh(if is_min { Symbol::Min(a, b) } else { Symbol::Max(a, b) })
                })
            }
            Kind::ArithSelect => {
                let (a, b) = (self.whole(op.operand(1)), self.whole(op.operand(2)));
                Some(if a == b { a } else { self.fresh(Symbol::Either(a, b)) })
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
        if let Some(a) = affine.filter(Affine::is_small) {
            self.values.insert(z, a);
        }
    }

    /// Checks whether `size` is used for the first time and may be any number: one that does not derive from arrays and
    /// loops alone, or that derives from large multiples of their sizes.
    pub fn is_new(&mut self, size: Value) -> bool {
        let a = self.of(size);
        !self.is_modest(&a, FUEL) && self.checked.insert(a)
    }

    /// Checks whether `a` is at most the sum of a few sizes of arrays.
    fn is_modest(&self, a: &Affine, fuel: usize) -> bool {
        let Some(fuel) = fuel.checked_sub(1) else { return false };
        let symbol = |s: usize| match &self.symbols[s] {
            Symbol::Unknown => false,
            Symbol::Size => !self.free.contains(&s),
            Symbol::Below(a) | Symbol::Quotient(a, _) => self.is_modest(a, fuel),
            Symbol::Min(a, b) => self.is_modest(a, fuel) || self.is_modest(b, fuel),
            Symbol::Max(a, b) | Symbol::Either(a, b) => self.is_modest(a, fuel) && self.is_modest(b, fuel),
        };
        let checked = |s: usize| self.checked.contains(&Affine::symbol(s));
        a.constant < 1 << 40 && a.terms.iter().all(|(&s, &c)| c <= 4 && (checked(s) || symbol(s)))
    }

    /// Records that `value` is the requested size of a new array, not the size of an existing one.
    pub fn is_chosen_size(&mut self, value: Value) {
        self.is_size(value);
        let a = self.of(value);
        self.free.extend(a.terms.keys());
    }

    /// Returns the value of a constant size.
    pub fn known(&mut self, size: Size) -> Option<i64> {
        let a = self.size(size);
        a.terms.is_empty().then(|| i64::try_from(a.constant).ok()).flatten()
    }

    /// Returns the value of a constant index.
    pub fn constant(&mut self, value: Value) -> Option<i64> {
        if let Some((op, _)) = value.defining_op().filter(|(op, _)| op.kind() == Kind::ArithConstant) {
            return op.attribute("value")?.as_i64();
        }
        self.known(Size::Value(value))
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
        self.not_negative(i.clone()) && self.not_negative(n.plus(&i, -1).plus_known(-1))
    }

    /// Proves `0 ≤ value`.
    pub fn at_least_zero(&mut self, value: Value) -> bool {
        if !is_word(value.ty()) {
            return false;
        }
        let a = self.of(value);
        self.not_negative(a)
    }

    /// Proves `0 < size`.
    pub fn is_positive(&mut self, size: Size) -> bool {
        let a = self.size(size);
        self.not_negative(a.plus_known(-1))
    }

    fn not_negative(&self, e: Affine) -> bool {
        self.prove(e, &mut FUEL.clone())
    }

    /// Proves `e ≥ 0` for integers.
    fn prove(&self, mut e: Affine, fuel: &mut usize) -> bool {
        // The latest symbols first: their facts mention earlier ones.
        while let Some((&s, &c)) =
            e.terms.iter().rev().find(|(s, _)| !matches!(self.symbols[**s], Symbol::Unknown | Symbol::Size))
        {
            if *fuel == 0 || !e.is_small() {
                return false;
            }
            *fuel -= 1;
            e.terms.remove(&s);
            match &self.symbols[s] {
                Symbol::Unknown | Symbol::Size => unreachable!("not looked for"),
                Symbol::Below(_) if c > 0 => {}
                Symbol::Below(extent) => e = e.plus(extent, c).plus_known(-c),
                // k·s is x minus a remainder from 0 to k-1; and k·e > -k is equivalent to e ≥ 0.
                Symbol::Quotient(x, k) => {
                    let remainder = if c > 0 { c * (k - 1) } else { 0 };
                    e = e.times(*k).plus(x, c).plus_known(k - 1 - remainder);
                }
                Symbol::Min(a, b) | Symbol::Max(a, b) | Symbol::Either(a, b) => {
                    let any = match self.symbols[s] {
                        Symbol::Min(..) => c < 0,
                        Symbol::Max(..) => c > 0,
                        _ => false,
                    };
                    let first = self.prove(e.plus(a, c), fuel);
                    return if first == any { first } else { self.prove(e.plus(b, c), fuel) };
                }
            }
        }
        let mut least = e.constant;
        for (s, c) in &e.terms {
            let Symbol::Size = self.symbols[*s] else {
                let Some(bound) = self.least(*s).filter(|_| *c > 0) else { return false };
                least += c * bound;
                continue;
            };
            if *c < 0 {
                return false;
            }
            least += c * self.least(*s).unwrap_or(0).max(0);
        }
        least >= 0
    }

    /// Returns the least value of a symbol according to the enclosing loops: an extent `symbol + k` is at least one
    /// there.
    fn least(&self, symbol: usize) -> Option<i128> {
        self.around
            .iter()
            .filter(|e| e.terms.len() == 1 && e.terms.get(&symbol) == Some(&1))
            .map(|e| 1 - e.constant)
            .max()
    }

    fn size(&mut self, size: Size) -> Affine {
        match size {
            Size::Known(n) => Affine::known(n),
            Size::Value(v) => self.of(v),
        }
    }

    fn of(&mut self, value: Value) -> Affine {
        if let Some(a) = self.values.get(&value) {
            return a.clone();
        }
        let a = self.fresh(Symbol::Unknown);
        self.values.insert(value, a.clone());
        a
    }

    fn fresh(&mut self, symbol: Symbol) -> Affine {
        self.symbols.push(symbol);
        Affine::symbol(self.symbols.len() - 1)
    }
}

fn is_word(ty: Type) -> bool {
    ty.is_index() || ty.is_integer(64)
}
