//! What is known of sizes and indices: enough to leave out the guards of reads that cannot go wrong.
//!
//! An index is an affine expression of symbols: sizes of arrays (not negative), indices of the loops around
//! (`0 ≤ i < extent`), and unknowns. A bound is proved by putting each loop index at its worst end.

use crate::ir::*;
use mlopt_passes::affine::{Affine, Symbol, Symbols};
use std::collections::{HashMap, HashSet};

/// One extent of an array: known now, or an `index` value of the new program (never negative).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Known(i64),
    Value(Value),
}

/// Facts about the `index` values of the program under construction.
#[derive(Default)]
pub struct Facts {
    values: HashMap<Value, Affine>,
    symbols: Symbols,
    /// Sizes that were computed from numbers; those of them that have been checked.
    free: HashSet<usize>,
    checked: HashSet<usize>,
}

impl Facts {
    /// `value` is the size of something.
    pub fn is_size(&mut self, value: Value) {
        let a = self.of(value);
        if let Some(s) = a.as_symbol()
            && matches!(self.symbols.kind(s), Symbol::Unknown)
        {
            self.symbols.set_kind(s, Symbol::Size);
        }
    }

    /// From now on `a` and `b` count as the same number: the caller has made sure.
    pub fn unify(&mut self, a: Size, b: Size) {
        let (a, b) = (self.size(a), self.size(b));
        let difference = a.plus(&b, -1);
        // Solve for one symbol with coefficient ±1 and put the rest in its place everywhere.
        let solvable = || difference.terms.iter().rev().filter(|(_, c)| c.abs() == 1);
        let unknown = solvable().find(|(s, _)| matches!(self.symbols.kind(**s), Symbol::Unknown));
        let Some((&s, &c)) = unknown.or_else(|| solvable().next()) else { return };
        let mut rest = difference.clone();
        rest.terms.remove(&s);
        let rest = rest.times(-c);
        self.values.values_mut().for_each(|a| a.replace(s, &rest));
        self.symbols.replace(s, &rest);
    }

    /// `index` runs below `extent`; call [`Facts::leave`] at the end of the loop.
    pub fn enter(&mut self, index: Value, extent: Size) {
        let extent = self.size(extent);
        let a = self.symbols.enter(extent);
        self.values.insert(index, a);
    }

    pub fn leave(&mut self) {
        self.symbols.leave();
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
            "arith.muli" => of(self, 0).product(&of(self, 1)),
            _ => None,
        };
        if let Some(a) = affine
            && a.is_small()
        {
            self.values.insert(op.result(0), a);
        }
    }

    /// Whether `size` is a number that comes from neither an array nor a loop, asked for the first time.
    pub fn is_new(&mut self, size: Value) -> bool {
        let a = self.of(size);
        let [(&s, &1)] = a.terms.iter().collect::<Vec<_>>()[..] else { return false };
        matches!(self.symbols.kind(s), Symbol::Size) && self.free.contains(&s) && self.checked.insert(s)
    }

    /// `value` is a size that an array is to get, not one that an array has.
    pub fn is_chosen_size(&mut self, value: Value) {
        self.is_size(value);
        let a = self.of(value);
        self.free.extend(a.terms.keys());
    }

    /// The number that a size certainly is.
    pub fn known(&mut self, size: Size) -> Option<i64> {
        self.size(size).as_constant()
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
        self.symbols.is_nonnegative(&i) && self.symbols.is_nonnegative(&n.plus(&i, -1).plus(&Affine::known(1), -1))
    }

    /// Proves `0 ≤ value`.
    pub fn at_least_zero(&mut self, value: Value) -> bool {
        let a = self.of(value);
        self.symbols.is_nonnegative(&a)
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
        let a = self.symbols.add(Symbol::Unknown);
        self.values.insert(value, a.clone());
        a
    }
}
