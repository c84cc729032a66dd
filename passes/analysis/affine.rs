//! Linear forms of sizes and indices, and proofs about them from the ranges of their symbols.
//!
//! A form represents a number that the program computes modulo 2^64. If its exact value is proved to be in a range that
//! 64 bits can represent, the computed value is the exact one, even if intermediate results overflowed.

use std::collections::BTreeMap;

/// The form `constant + Σ coefficient · symbol`. Symbols are numbered in order of appearance, so inner loops come last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Affine {
    pub constant: i128,
    pub terms: BTreeMap<usize, i128>,
}

/// The maximum absolute value in a form: the product of two, and a sum of some, must fit.
pub const LARGEST: i128 = 1 << 50;

impl Affine {
    pub fn known(n: i64) -> Affine {
        Affine { constant: n as i128, terms: BTreeMap::new() }
    }

    pub fn symbol(symbol: usize) -> Affine {
        Affine { constant: 0, terms: BTreeMap::from([(symbol, 1)]) }
    }

    /// Returns `self + factor · other`.
    pub fn plus(&self, other: &Affine, factor: i128) -> Affine {
        let mut sum = self.clone();
        sum.constant += factor * other.constant;
        for (s, c) in &other.terms {
            let t = sum.terms.entry(*s).or_default();
            *t += factor * c;
        }
        sum.terms.retain(|_, c| *c != 0);
        sum
    }

    pub fn plus_known(&self, n: i128) -> Affine {
        Affine { constant: self.constant + n, terms: self.terms.clone() }
    }

    pub fn times(&self, factor: i128) -> Affine {
        Affine::default().plus(self, factor)
    }

    /// Returns the product, if one of the two is a constant.
    pub fn product(&self, other: &Affine) -> Option<Affine> {
        if self.terms.is_empty() {
            return Some(other.times(self.constant));
        }
        other.terms.is_empty().then(|| self.times(other.constant))
    }

    /// Returns the value of a constant form.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then(|| i64::try_from(self.constant).ok()).flatten()
    }

    /// Returns the symbol, if the form is one symbol and nothing else.
    pub fn as_symbol(&self) -> Option<usize> {
        match self.terms.iter().collect::<Vec<_>>()[..] {
            [(&s, &1)] if self.constant == 0 => Some(s),
            _ => None,
        }
    }

    /// Checks whether all numbers are small enough for further arithmetic.
    pub fn is_small(&self) -> bool {
        self.terms.values().chain([&self.constant]).all(|c| c.abs() < LARGEST)
    }

    /// Replaces the symbol `s` by `by`.
    pub fn replace(&mut self, s: usize, by: &Affine) {
        if let Some(c) = self.terms.remove(&s) {
            *self = self.plus(by, c);
        }
    }
}

/// An upper bound of the size of an array along any axis.
const LARGEST_SIZE: i128 = 1 << 62;

/// The known facts about one symbol, a number of 64 bits.
#[derive(Clone, Debug)]
pub enum Symbol {
    Unknown,
    /// A size: at least zero.
    Size,
    /// A loop index below its extent, at least zero.
    Index(Affine),
    /// A number with these bounds, both included.
    Between(i128, i128),
}

/// The symbols of the forms, with the known facts about them.
#[derive(Default)]
pub struct Symbols {
    kinds: Vec<Symbol>,
    /// Extents of the enclosing loops of the current point: inside, they are at least one.
    around: Vec<Affine>,
}

impl Symbols {
    /// Adds a symbol.
    pub fn add(&mut self, kind: Symbol) -> Affine {
        self.kinds.push(kind);
        Affine::symbol(self.kinds.len() - 1)
    }

    /// Adds the index of a loop below `extent`, which is at least one inside, until [`Symbols::leave`] or permanently.
    pub fn enter(&mut self, extent: Affine) -> Affine {
        self.around.push(extent.clone());
        self.add(Symbol::Index(extent))
    }

    pub fn leave(&mut self) {
        self.around.pop();
    }

    pub fn kind(&self, symbol: usize) -> &Symbol {
        &self.kinds[symbol]
    }

    pub fn set_kind(&mut self, symbol: usize, kind: Symbol) {
        self.kinds[symbol] = kind;
    }

    /// Replaces a symbol by `by` in all facts.
    pub fn replace(&mut self, symbol: usize, by: &Affine) {
        self.around.iter_mut().for_each(|a| a.replace(symbol, by));
        for kind in &mut self.kinds {
            if let Symbol::Index(extent) = kind {
                extent.replace(symbol, by);
            }
        }
    }

    /// Proves `0 ≤ e`, by replacing each loop index by its worst bound.
    pub fn is_nonnegative(&self, e: &Affine) -> bool {
        self.least(e).is_some_and(|least| least >= 0)
    }

    /// Returns a lower bound of `e`; `None` if none can be computed.
    pub fn least(&self, e: &Affine) -> Option<i128> {
        let mut e = e.clone();
        // Inner indices first: their extents may mention outer ones.
        while let Some((&s, &c)) = e.terms.iter().rev().find(|(s, _)| matches!(self.kinds[**s], Symbol::Index(_))) {
            let Symbol::Index(extent) = &self.kinds[s] else { unreachable!("just matched") };
            e.terms.remove(&s);
            if c < 0 {
                // The worst case is the last index, extent - 1.
                e = e.plus(extent, c).plus(&Affine::known(1), -c);
            }
        }
        e.terms.iter().try_fold(e.constant, |sum, (&s, &c)| {
            let end = if c > 0 { self.lower(s) } else { self.upper(s) };
            sum.checked_add(c.checked_mul(end)?)
        })
    }

    /// Returns an upper bound of `e`.
    pub fn most(&self, e: &Affine) -> Option<i128> {
        self.least(&e.times(-1)).map(|n| -n)
    }

    fn lower(&self, symbol: usize) -> i128 {
        // An extent `symbol + k` of an enclosing loop is at least one.
        let loops = self.around.iter().filter(|e| e.terms.len() == 1 && e.terms.get(&symbol) == Some(&1));
        let kind = match self.kinds[symbol] {
            Symbol::Size | Symbol::Index(_) => 0,
            Symbol::Between(least, _) => least,
            Symbol::Unknown => i64::MIN as i128,
        };
        loops.map(|e| 1 - e.constant).fold(kind, i128::max)
    }

    fn upper(&self, symbol: usize) -> i128 {
        match self.kinds[symbol] {
            Symbol::Size => LARGEST_SIZE,
            Symbol::Between(_, most) => most,
            Symbol::Unknown | Symbol::Index(_) => i64::MAX as i128,
        }
    }
}
