//! What is known of sizes and indices: enough to leave out the guards of reads that cannot go wrong.
//!
//! An index is an affine expression of symbols: sizes of arrays (not negative), indices of the loops around
//! (`0 ≤ i < extent`), and unknowns. A bound is proved by putting each loop index at its worst end.

use crate::ir::*;
use std::collections::{BTreeMap, HashMap, HashSet};

/// One extent of an array: known now, or an `index` value of the new program (never negative).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Known(i64),
    Value(Value),
}

/// `constant + Σ coefficient · symbol`; symbols are numbered in order of appearance, so inner loops come last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Affine {
    constant: i128,
    terms: BTreeMap<usize, i128>,
}

impl Affine {
    fn known(n: i64) -> Affine {
        Affine { constant: n as i128, terms: BTreeMap::new() }
    }

    fn plus(&self, other: &Affine, factor: i128) -> Affine {
        let mut sum = self.clone();
        sum.constant += factor * other.constant;
        for (s, c) in &other.terms {
            let t = sum.terms.entry(*s).or_default();
            *t += factor * c;
        }
        sum.terms.retain(|_, c| *c != 0);
        sum
    }

    fn times(&self, factor: i128) -> Affine {
        Affine::default().plus(self, factor)
    }
}

/// What is known of one symbol.
#[derive(Clone, Debug)]
enum Symbol {
    Unknown,
    /// A size: at least zero.
    Size,
    /// A loop index below its extent.
    Index(Affine),
}

/// Facts about the `index` values of the program under construction.
#[derive(Default)]
pub struct Facts {
    values: HashMap<Value, Affine>,
    symbols: Vec<Symbol>,
    /// Extents of the loops around the point of construction: inside, they are at least one.
    around: Vec<Affine>,
    /// Sizes that were computed from numbers; those of them that have been checked.
    free: HashSet<usize>,
    checked: HashSet<usize>,
}

/// Larger coefficients are not worth the risk of overflow.
const MAX_COEFFICIENT: i128 = 1 << 70;

impl Facts {
    /// `value` is the size of something.
    pub fn is_size(&mut self, value: Value) {
        let a = self.of(value);
        if let [(&s, &1)] = a.terms.iter().collect::<Vec<_>>()[..]
            && a.constant == 0
            && matches!(self.symbols[s], Symbol::Unknown)
        {
            self.symbols[s] = Symbol::Size;
        }
    }

    /// From now on `a` and `b` count as the same number: the caller has made sure.
    pub fn unify(&mut self, a: Size, b: Size) {
        let (a, b) = (self.size(a), self.size(b));
        let difference = a.plus(&b, -1);
        // Solve for one symbol with coefficient ±1 and put the rest in its place everywhere.
        let solvable = || difference.terms.iter().rev().filter(|(_, c)| c.abs() == 1);
        let unknown = solvable().find(|(s, _)| matches!(self.symbols[**s], Symbol::Unknown));
        let Some((&s, &c)) = unknown.or_else(|| solvable().next()) else { return };
        let mut rest = difference.clone();
        rest.terms.remove(&s);
        let rest = rest.times(-c);
        for a in self.values.values_mut() {
            replace(a, s, &rest);
        }
        for a in &mut self.around {
            replace(a, s, &rest);
        }
        for symbol in &mut self.symbols {
            if let Symbol::Index(extent) = symbol {
                replace(extent, s, &rest);
            }
        }
    }

    /// `index` runs below `extent`; call [`Facts::leave`] at the end of the loop.
    pub fn enter(&mut self, index: Value, extent: Size) {
        let extent = self.size(extent);
        let s = self.symbols.len();
        self.symbols.push(Symbol::Index(extent.clone()));
        self.values.insert(index, Affine { constant: 0, terms: BTreeMap::from([(s, 1)]) });
        self.around.push(extent);
    }

    pub fn leave(&mut self) {
        self.around.pop();
    }

    /// Records what an op of the new program computes, as far as it is affine.
    pub fn define(&mut self, op: Op) {
        if op.num_results() != 1 || !op.result(0).ty().is_index() {
            return;
        }
        let of = |facts: &mut Facts, k: usize| facts.of(op.operand(k));
        let affine = match op.name() {
            "arith.constant" => op.attribute("value").and_then(Attribute::as_i64).map(Affine::known),
            "arith.addi" => Some(of(self, 0).plus(&of(self, 1), 1)),
            "arith.subi" => Some(of(self, 0).plus(&of(self, 1), -1)),
            "arith.muli" => {
                let (a, b) = (of(self, 0), of(self, 1));
                if a.terms.is_empty() {
                    Some(b.times(a.constant))
                } else {
                    b.terms.is_empty().then(|| a.times(b.constant))
                }
            }
            _ => None,
        };
        if let Some(a) = affine
            && a.terms.values().chain([&a.constant]).all(|c| c.abs() < MAX_COEFFICIENT)
        {
            self.values.insert(op.result(0), a);
        }
    }

    /// Whether `size` is a number that comes from neither an array nor a loop, asked for the first time.
    pub fn is_new(&mut self, size: Value) -> bool {
        let a = self.of(size);
        let [(&s, &1)] = a.terms.iter().collect::<Vec<_>>()[..] else { return false };
        matches!(self.symbols[s], Symbol::Size) && self.free.contains(&s) && self.checked.insert(s)
    }

    /// `value` is a size that an array is to get, not one that an array has.
    pub fn is_chosen_size(&mut self, value: Value) {
        self.is_size(value);
        let a = self.of(value);
        self.free.extend(a.terms.keys());
    }

    /// The number that a size certainly is.
    pub fn known(&mut self, size: Size) -> Option<i64> {
        let a = self.size(size);
        a.terms.is_empty().then(|| i64::try_from(a.constant).ok()).flatten()
    }

    /// The number that an index value certainly is.
    pub fn constant(&mut self, value: Value) -> Option<i64> {
        self.known(Size::Value(value))
    }

    pub fn same(&mut self, a: Size, b: Size) -> bool {
        self.size(a) == self.size(b)
    }

    /// Proves `0 ≤ index < size`.
    pub fn in_range(&mut self, index: Value, size: Size) -> bool {
        let (i, n) = (self.of(index), self.size(size));
        self.not_negative(i.clone()) && self.not_negative(n.plus(&i, -1).plus(&Affine::known(1), -1))
    }

    /// Proves `0 ≤ value`.
    pub fn at_least_zero(&mut self, value: Value) -> bool {
        let a = self.of(value);
        self.not_negative(a)
    }

    fn not_negative(&self, mut e: Affine) -> bool {
        // Inner indices first: their extents may mention outer ones.
        while let Some((&s, &c)) = e.terms.iter().rev().find(|(s, _)| matches!(self.symbols[**s], Symbol::Index(_))) {
            let Symbol::Index(extent) = &self.symbols[s] else { unreachable!("just matched") };
            e.terms.remove(&s);
            if c < 0 {
                // The worst case is the last index, extent - 1.
                e = e.plus(extent, c).plus(&Affine::known(1), -c);
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

    /// The least value of a symbol, from the loops around: an extent `symbol + k` is at least one there.
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
        let s = self.symbols.len();
        self.symbols.push(Symbol::Unknown);
        let a = Affine { constant: 0, terms: BTreeMap::from([(s, 1)]) };
        self.values.insert(value, a.clone());
        a
    }
}

fn replace(a: &mut Affine, symbol: usize, by: &Affine) {
    if let Some(c) = a.terms.remove(&symbol) {
        *a = a.plus(by, c);
    }
}
