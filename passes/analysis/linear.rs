//! Linear forms of sizes and indices, which are affine expressions, and proofs about them from the known facts about
//! their symbols.
//!
//! A form represents a number that the program computes modulo 2^64. If its exact value is proved to be in a range that
//! 64 bits can represent, the computed value is the exact one, even if intermediate results overflowed.

use smallvec::{SmallVec, smallvec};

/// The linear form `constant + Σ coefficient · symbol`; symbols ascend and no coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear<S> {
    pub constant: i128,
    pub terms: SmallVec<[(S, i128); 2]>,
}

impl<S: Copy + Ord> Linear<S> {
    pub fn constant(constant: i128) -> Self {
        Linear { constant, terms: SmallVec::new() }
    }

    /// Returns `factor · symbol`.
    pub fn of(symbol: S, factor: i128) -> Self {
        Linear { constant: 0, terms: smallvec![(symbol, factor)] }
    }

    /// Returns `self + factor · other`.
    pub fn add(&self, other: &Self, factor: i128) -> Self {
        let mut terms = self.terms.clone();
        for &(symbol, c) in &other.terms {
            match terms.binary_search_by_key(&symbol, |t| t.0) {
                Ok(k) => terms[k].1 += factor * c,
                Err(k) => terms.insert(k, (symbol, factor * c)),
            }
        }
        terms.retain(|t| t.1 != 0);
        Linear { constant: self.constant + factor * other.constant, terms }
    }

    /// Returns `self + n`.
    pub fn plus(&self, n: i128) -> Self {
        Linear { constant: self.constant + n, terms: self.terms.clone() }
    }

    /// Returns `factor · self`.
    pub fn times(&self, factor: i128) -> Self {
        Linear::constant(0).add(self, factor)
    }

    /// Returns the product, if one of the two is a constant.
    pub fn product(&self, other: &Self) -> Option<Self> {
        match (self.as_constant(), other.as_constant()) {
            (Some(n), _) => Some(other.times(n)),
            (None, n) => n.map(|n| self.times(n)),
        }
    }

    /// Returns the value of a constant form.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Returns the symbol, if the form is one symbol and nothing else.
    pub fn as_symbol(&self) -> Option<S> {
        match self.terms[..] {
            [(symbol, 1)] if self.constant == 0 => Some(symbol),
            _ => None,
        }
    }

    pub fn mentions(&self, symbol: S) -> bool {
        self.terms.iter().any(|t| t.0 == symbol)
    }

    /// Returns the form without the term of `symbol`.
    pub fn without(&self, symbol: S) -> Self {
        Linear { constant: self.constant, terms: self.terms.iter().copied().filter(|t| t.0 != symbol).collect() }
    }

    /// Replaces a symbol by a form.
    pub fn replace(&mut self, symbol: S, by: &Self) {
        if let Some(&(_, c)) = self.terms.iter().find(|t| t.0 == symbol) {
            *self = self.without(symbol).add(by, c);
        }
    }

    /// Checks whether the absolute values of all numbers in the form are less than `limit`.
    pub fn fits(&self, limit: i128) -> bool {
        self.constant.abs() < limit && self.terms.iter().all(|t| t.1.abs() < limit)
    }
}

/// A form over the symbols of [`Symbols`], which are numbered in order of appearance, so inner loops come last.
pub type Form = Linear<usize>;

/// The maximum absolute value of the numbers in a form: the product of two, and a sum of some, must fit 128 bits.
pub const LARGEST: i128 = 1 << 50;

/// An upper bound of the size of an array along any axis.
const LARGEST_SIZE: i128 = 1 << 62;

/// The maximum number of steps of one proof.
pub(super) const FUEL: usize = 100;

/// The known facts about one symbol, a number of 64 bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    Unknown,
    /// A size: at least zero.
    Size,
    /// A number with these bounds, both included.
    Between(i128, i128),
    /// At least zero and less than this: the index of a loop, a remainder.
    Below(Form),
    /// ⌊x / k⌋ for k > 0.
    Quotient(Form, i128),
    Min(Form, Form),
    Max(Form, Form),
    /// One of the two.
    Either(Form, Form),
}

impl Fact {
    pub fn mentions(&self, symbol: usize) -> bool {
        self.clone().parts().iter().any(|form| form.mentions(symbol))
    }

    fn parts(&mut self) -> Vec<&mut Form> {
        match self {
            Fact::Unknown | Fact::Size | Fact::Between(..) => vec![],
            Fact::Below(a) | Fact::Quotient(a, _) => vec![a],
            Fact::Min(a, b) | Fact::Max(a, b) | Fact::Either(a, b) => vec![a, b],
        }
    }
}

/// The symbols of the forms, with the known facts about them.
#[derive(Default)]
pub struct Symbols {
    facts: Vec<Fact>,
    /// Extents of the enclosing loops of the current point: inside, they are at least one.
    pub(super) around: Vec<Form>,
}

impl Symbols {
    /// Adds a symbol.
    pub fn add(&mut self, fact: Fact) -> Form {
        self.facts.push(fact);
        Form::of(self.facts.len() - 1, 1)
    }

    /// Adds the index of a loop below `extent`. Until [`Symbols::leave`], or permanently if that is not called, the
    /// extent is known to be at least one.
    pub fn enter(&mut self, extent: Form) -> Form {
        self.around.push(extent.clone());
        self.add(Fact::Below(extent))
    }

    pub fn leave(&mut self) {
        self.around.pop();
    }

    pub fn fact(&self, symbol: usize) -> &Fact {
        &self.facts[symbol]
    }

    pub fn is_unknown(&self, symbol: usize) -> bool {
        matches!(self.facts[symbol], Fact::Unknown)
    }

    /// Records that a symbol without known facts is a size.
    pub fn set_size(&mut self, symbol: usize) {
        if self.is_unknown(symbol) {
            self.facts[symbol] = Fact::Size;
        }
    }

    /// Replaces a symbol by `by` in all facts.
    pub fn replace(&mut self, symbol: usize, by: &Form) {
        let parts = self.facts.iter_mut().flat_map(Fact::parts);
        self.around.iter_mut().chain(parts).for_each(|form| form.replace(symbol, by));
    }

    /// Proves `0 ≤ e`.
    pub fn is_nonnegative(&self, e: &Form) -> bool {
        self.bound(e.clone(), 0, &mut FUEL.clone()).is_some_and(|least| least >= 0)
    }

    /// Returns a lower bound of `e`; `None` if none can be computed.
    pub fn least(&self, e: &Form) -> Option<i128> {
        self.bound(e.clone(), i128::MIN, &mut FUEL.clone())
    }

    /// Returns an upper bound of `e`.
    pub fn most(&self, e: &Form) -> Option<i128> {
        self.least(&e.times(-1)).map(|n| -n)
    }

    /// Returns a lower bound of `e`, by replacing each symbol by its worst bound. If the result is less than `goal`, it
    /// need not be a bound.
    fn bound(&self, mut e: Form, goal: i128, fuel: &mut usize) -> Option<i128> {
        // The latest symbols first: their facts mention earlier ones.
        let related = |&(s, c): &(usize, i128)| match &self.facts[s] {
            Fact::Unknown | Fact::Size | Fact::Between(..) => None,
            fact => Some((s, c, fact)),
        };
        while let Some((s, c, fact)) = e.terms.iter().rev().find_map(related) {
            // A difference of two forms is twice as large.
            if !e.fits(2 * LARGEST) {
                return None;
            }
            *fuel = fuel.checked_sub(1)?;
            e = e.without(s);
            match fact {
                Fact::Below(_) if c > 0 => {}
                // The worst case is the last index, extent - 1.
                Fact::Below(extent) => e = e.add(extent, c).plus(-c),
                // k·s is x minus a remainder from 0 to k - 1, and e is the bound of k·e divided by k, rounded up.
                Fact::Quotient(x, k) => {
                    let remainder = if c > 0 { c * (k - 1) } else { 0 };
                    let goal = goal.saturating_sub(1).saturating_mul(*k).saturating_add(1);
                    let least = self.bound(e.times(*k).add(x, c).plus(-remainder), goal, fuel)?;
                    return Some(-(-least).div_euclid(*k));
                }
                Fact::Min(a, b) | Fact::Max(a, b) | Fact::Either(a, b) => {
                    let any = match fact {
                        Fact::Min(..) => c < 0,
                        Fact::Max(..) => c > 0,
                        _ => false,
                    };
                    let first = self.bound(e.add(a, c), goal, fuel);
                    if first.is_some_and(|least| least >= goal) == any {
                        return first;
                    }
                    let second = self.bound(e.add(b, c), goal, fuel);
                    return if any { first.max(second) } else { first.min(second) };
                }
                Fact::Unknown | Fact::Size | Fact::Between(..) => unreachable!("not related to other symbols"),
            }
        }
        e.terms.iter().try_fold(e.constant, |sum, &(s, c)| {
            let end = if c > 0 { self.lower(s) } else { self.upper(s) };
            sum.checked_add(c.checked_mul(end)?)
        })
    }

    fn lower(&self, symbol: usize) -> i128 {
        let least = match self.facts[symbol] {
            Fact::Size => 0,
            Fact::Between(least, _) => least,
            _ => i64::MIN.into(),
        };
        // An extent `symbol + k` of an enclosing loop is at least one.
        self.around.iter().filter(|e| e.terms[..] == [(symbol, 1)]).map(|e| 1 - e.constant).fold(least, i128::max)
    }

    fn upper(&self, symbol: usize) -> i128 {
        match self.facts[symbol] {
            Fact::Size => LARGEST_SIZE,
            Fact::Between(_, most) => most,
            _ => i64::MAX.into(),
        }
    }
}
