//! Linear forms of index terms, and proofs about them from the ranges of index variables.
//!
//! A side condition of a rule is true only if it is proved. An index variable contains its extent, so `0 ≤ i < n` is
//! known without a context.

use super::op::Op;
use super::pool::Pool;
use super::prim::{Cast, Prim};
use crate::analysis::linear;
use egg::Id;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashMap;

/// A linear form over terms.
pub type Linear = linear::Linear<Id>;

/// The maximum absolute value of numbers in a form. Ops on larger ones might wrap.
const LARGEST: i128 = 1 << 40;

/// Checks whether a form is small enough for further arithmetic.
pub(super) fn is_small(l: &Linear) -> bool {
    l.fits(LARGEST) && l.terms.len() <= 12
}

impl Pool {
    /// Returns the linear form of an integer term of 64 bits; any other term is an atom.
    pub fn linear(&self, t: Id) -> Linear {
        self.linear_once(t, &mut FxHashMap::default())
    }

    /// As `linear`. `sums` memoises the forms of sums: terms have many uses, and a chain of x + x has 2ⁿ paths.
    fn linear_once(&self, t: Id, sums: &mut FxHashMap<Id, Linear>) -> Linear {
        let t = self.representative(t);
        if let Some(known) = sums.get(&t) {
            return known.clone();
        }
        let atom = || Linear::of(t, 1);
        if !matches!(self.element(t), Element::Index | Element::I64) {
            return self.as_int(t).map_or_else(atom, |c| Linear::constant(c as i128));
        }
        let node = self.node(t);
        let result = match node.op {
            Op::Const(..) => return Linear::constant(self.as_int(t).unwrap_or(0) as i128),
            Op::Prim(Prim::AddI | Prim::SubI, _) => {
                let sign = if matches!(node.op, Op::Prim(Prim::AddI, _)) { 1 } else { -1 };
                self.linear_once(node.children[0], sums).add(&self.linear_once(node.children[1], sums), sign)
            }
            Op::Prim(Prim::MulI, _) => {
                let [a, b] = [0, 1].map(|k| self.linear_once(node.children[k], sums));
                a.product(&b).unwrap_or_else(atom)
            }
            Op::Prim(Prim::Cast(Cast::Index, _), _)
                if matches!(self.element(node.children[0]), Element::Index | Element::I64) =>
            {
                self.linear_once(node.children[0], sums)
            }
            _ => return atom(),
        };
        let result = if is_small(&result) { self.recombined(result) } else { atom() };
        sums.insert(t, result.clone());
        result
    }

    /// Replaces quotients and remainders of one number in a linear form by that number: d·(x / d) + x mod d = x for
    /// every d, and d·(x / d) = x if the program promises that d divides x.
    pub(super) fn recombined(&self, mut l: Linear) -> Linear {
        let known = |t: Id| Linear::of(t, 1);
        'again: loop {
            for &(t, c) in &l.terms {
                let Op::Prim(p @ (Prim::Div | Prim::Mod), _) = self.op(t) else { continue };
                let (x, Some(d)) = (self.child(t, 0), self.as_int(self.child(t, 1)).map(i128::from)) else { continue };
                if p == Prim::Div {
                    if d > 0 && c % d == 0 && self.is_exact(t) {
                        l = l.add(&known(t), -c).add(&self.linear(x), c / d);
                        continue 'again;
                    }
                    continue;
                }
                // x / d in normal form: (y / a) / d is y / (a·d).
                let (y, a) = match (self.op(x), self.positive_divisor(x)) {
                    (Op::Prim(Prim::Div, _), Some(a)) if d > 0 => (self.child(x, 0), a),
                    _ => (x, 1),
                };
                let is_quotient = |&(q, k): &(Id, i128)| {
                    let divides = |of: Id, by: i128| {
                        self.child(q, 0) == of && self.as_int(self.child(q, 1)).map(i128::from) == Some(by)
                    };
                    matches!(self.op(q), Op::Prim(Prim::Div, _)) && k == c * d && (divides(x, d) || divides(y, a * d))
                };
                if let Some(&(q, k)) = l.terms.iter().find(|term| is_quotient(term)) {
                    l = l.add(&known(t), -c).add(&known(q), -k).add(&self.linear(x), c);
                    continue 'again;
                }
            }
            return l;
        }
    }

    /// Splits `l` into d·q + r: the parts that d divides, and the rest, which is in 0..d if `within` proves it.
    pub fn divided(&self, l: &Linear, d: Id) -> (Linear, Linear) {
        let (mut q, mut r) = (Linear::constant(0), Linear::constant(0));
        let known = |t: Id| Linear::of(t, 1);
        let by = self.as_int(d).map(i128::from);
        for &(t, c) in &l.terms {
            match by {
                Some(by) if by > 0 && c % by == 0 => q = q.add(&known(t), c / by),
                None if matches!(self.op(t), Op::Prim(Prim::MulI, _)) && self.node(t).children.contains(&d) => {
                    let other = if self.child(t, 0) == d { 1 } else { 0 };
                    q = q.add(&self.linear(self.child(t, other)), c);
                }
                _ => r = r.add(&known(t), c),
            }
        }
        match by {
            Some(by) if by > 0 && l.constant % by == 0 => q.constant += l.constant / by,
            _ => r.constant += l.constant,
        }
        (q, r)
    }

    /// Checks whether `0 ≤ l < d` is known.
    pub fn is_within(&self, l: &Linear, d: Id) -> bool {
        let d = self.linear(d);
        self.bounded(&[l, &d]) && self.is_nonnegative(l) && self.is_nonnegative(&d.add(l, -1).plus(-1))
    }

    /// Returns a term of element type `element` for a linear form.
    pub fn from_linear(&mut self, l: &Linear, element: Element) -> Id {
        let mut sum: Option<Id> = None;
        let (positive, negative): (Vec<_>, Vec<_>) = l.terms.iter().partition(|t| t.1 > 0);
        for (atom, c) in positive {
            let x = self.scaled(atom, c, element);
            sum = Some(sum.map_or(x, |s| self.prim2(Prim::AddI, s, x)));
        }
        let mut sum = match sum {
            Some(s) if l.constant < 0 => {
                let c = self.int(element, -l.constant as i64);
                self.prim2(Prim::SubI, s, c)
            }
            Some(s) if l.constant > 0 => {
                let c = self.int(element, l.constant as i64);
                self.prim2(Prim::AddI, s, c)
            }
            Some(s) => s,
            None => self.int(element, l.constant as i64),
        };
        for (atom, c) in negative {
            let x = self.scaled(atom, -c, element);
            sum = self.prim2(Prim::SubI, sum, x);
        }
        sum
    }

    fn scaled(&mut self, atom: Id, c: i128, element: Element) -> Id {
        let atom =
            if self.element(atom) == element { atom } else { self.prim1(Prim::Cast(Cast::Index, element), atom) };
        if c == 1 {
            return atom;
        }
        let c = self.int(element, c as i64);
        self.prim2(Prim::MulI, atom, c)
    }

    /// Checks whether a linear form is ≥ 0 for all values of its variables. Index variables are bounded by their
    /// extents, lengths by zero, remainders and quotients by constants through their definitions; other atoms only by
    /// the extent of a variable that is replaced.
    pub fn is_nonnegative(&self, l: &Linear) -> bool {
        let mut l = l.clone();
        for _ in 0..8 {
            let mut next = l.clone();
            for &(atom, c) in &l.terms {
                let least = match (self.op(atom), self.positive_divisor(atom)) {
                    (Op::Ix(_), _) if c > 0 => Linear::constant(0),
                    // i ≤ n - 1
                    (Op::Ix(_), _) => self.linear(self.child(atom, 0)).plus(-1),
                    (Op::Prim(Prim::Mod, _), Some(_)) if c > 0 => Linear::constant(0),
                    (Op::Prim(Prim::Mod, _), Some(d)) => Linear::constant(d - 1),
                    (Op::Prim(Prim::Div, _), Some(_)) if c > 0 => {
                        match self.is_nonnegative(&self.linear(self.child(atom, 0))) {
                            true => Linear::constant(0),
                            false => continue,
                        }
                    }
                    (Op::Prim(Prim::Div, _), Some(d)) => {
                        // d·q ≤ x; and an integer l is ≥ 0 if d·l ≥ 1 - d.
                        let alone = Linear::of(atom, 1);
                        let x = self.linear(self.child(atom, 0));
                        next = Linear::constant(d - 1).add(&next.add(&alone, -c), d).add(&x, c);
                        break;
                    }
                    _ => continue,
                };
                next = next.add(&Linear::of(atom, 1), -c).add(&least, c);
            }
            if next == l || !is_small(&next) {
                break;
            }
            l = next;
        }
        l.constant >= 0 && l.terms.iter().all(|&(atom, c)| c > 0 && matches!(self.op(atom), Op::Dim(_)))
    }

    /// Returns the constant divisor of a quotient or remainder, if it is positive.
    pub fn positive_divisor(&self, t: Id) -> Option<i128> {
        match self.op(t) {
            Op::Prim(Prim::Div | Prim::Mod, _) => self.as_int(self.child(t, 1)).map(i128::from).filter(|&d| d > 0),
            _ => None,
        }
    }

    /// Checks whether no form can wrap, so that unbounded arithmetic may decide comparisons: the atoms are index
    /// variables, lengths, and the extents of variables that occur.
    pub fn bounded(&self, forms: &[&Linear]) -> bool {
        let mut known: Vec<Id> = Vec::new();
        for f in forms {
            for &(atom, _) in &f.terms {
                if let Op::Ix(_) = self.op(atom) {
                    known.extend(self.linear(self.child(atom, 0)).terms.iter().map(|t| t.0));
                }
            }
        }
        // A remainder is small for any dividend; a quotient, if its dividend does not wrap.
        let tame = |atom: Id| match (self.op(atom), self.positive_divisor(atom)) {
            (Op::Ix(_) | Op::Dim(_), _) | (Op::Prim(Prim::Mod, _), Some(_)) => true,
            (Op::Prim(Prim::Div, _), Some(_)) => self.bounded(&[&self.linear(self.child(atom, 0))]),
            _ => known.contains(&atom),
        };
        forms.iter().all(|f| f.terms.iter().all(|&(atom, _)| tame(atom)))
    }

    /// Returns `Some(true)` or `Some(false)` if `a < b` (signed) is known. The order of truth values is not: `true` is
    /// -1, whereas its linear form is 1.
    pub fn less(&self, a: Id, b: Id) -> Option<bool> {
        if self.element(a) == Element::I1 {
            return None;
        }
        let (la, lb) = (self.linear(a), self.linear(b));
        if !self.bounded(&[&la, &lb]) {
            return None;
        }
        let gap = lb.add(&la, -1);
        if self.is_nonnegative(&gap.plus(-1)) {
            return Some(true);
        }
        self.is_nonnegative(&la.add(&lb, -1)).then_some(false)
    }

    /// Returns `Some` if `a = b` is known or excluded.
    pub fn equal(&self, a: Id, b: Id) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let gap = self.linear(a).add(&self.linear(b), -1);
        if let Some(c) = gap.as_constant() {
            return Some(c == 0);
        }
        (self.less(a, b) == Some(true) || self.less(b, a) == Some(true)).then_some(false)
    }

    /// Returns the length of an axis with extent `n`: a negative extent counts as zero.
    pub fn length_of(&mut self, n: Id) -> Id {
        let zero = self.index(0);
        if self.less(n, zero) == Some(false) { n } else { self.prim2(Prim::MaxSI, n, zero) }
    }

    /// Decides `0 ≤ i < n`; `None` if it is not known.
    pub fn in_bounds(&mut self, i: Id, n: Id) -> Option<bool> {
        let zero = self.index(0);
        match (self.less(i, zero), self.less(i, n)) {
            (Some(true), _) | (_, Some(false)) => Some(false),
            (Some(false), Some(true)) => Some(true),
            _ => None,
        }
    }

    /// Checks whether `t`, which occurs in a loop of `n` iterations, may run outside of it, although the loop may have
    /// no iteration.
    pub fn may_leave(&mut self, t: Id, n: Id) -> bool {
        let zero = self.index(0);
        self.info(t).speculatable || self.less(zero, n) == Some(true)
    }

    /// Returns the condition `0 ≤ i < n` without its known parts; `None` if it always holds.
    pub fn guard(&mut self, i: Id, n: Id) -> Option<Id> {
        let element = self.element(i);
        let zero = self.int(element, 0);
        let n = if self.element(n) == element { n } else { self.prim1(Prim::Cast(Cast::Index, element), n) };
        let mut parts = Vec::new();
        if self.less(i, zero) != Some(false) {
            parts.push(self.prim2(Prim::CmpI(super::prim::SLE), zero, i));
        }
        if self.less(i, n) != Some(true) {
            parts.push(self.prim2(Prim::CmpI(super::prim::SLT), i, n));
        }
        parts.into_iter().reduce(|a, b| self.and(a, b))
    }

    /// Splits `t` into ± the index variable at `level` and a rest that does not mention it. Returns whether the sign is
    /// plus, and the rest.
    pub fn unit_term(&mut self, t: Id, level: u32) -> Option<(bool, Id)> {
        let l = self.linear(t);
        let (var, c) = *l.terms.iter().find(|t| self.op(t.0) == Op::Ix(level))?;
        let rest = l.without(var);
        if c.abs() != 1 || rest.terms.iter().any(|t| self.mentions(t.0, level)) {
            return None;
        }
        Some((c == 1, self.from_linear(&rest, Element::Index)))
    }

    /// Solves `a = b` for the index variable at level 0: `Some(d)` with `i = d` equivalent to it and `d` free of the
    /// variable (still in the scope of the variable). The variable must occur with coefficient 1 or -1.
    pub fn solve(&mut self, a: Id, b: Id) -> Option<Id> {
        let gap = self.linear(a).add(&self.linear(b), -1);
        let (var, c) = *gap.terms.iter().find(|t| self.op(t.0) == Op::Ix(0))?;
        if c.abs() != 1 {
            return None;
        }
        let rest = gap.without(var);
        if rest.terms.iter().any(|t| self.mentions(t.0, 0)) {
            return None;
        }
        // c·i + rest = 0, so i = -c·rest.
        Some(self.from_linear(&rest.times(-c), Element::Index))
    }
}
