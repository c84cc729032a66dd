//! Algebra of real numbers, where the `fastmath` flags permit it. A term of sums, products, quotients, powers and roots
//! becomes a sum of monomials with a coefficient each; the exponents of a monomial may be negative, and are multiples
//! of ½. In this normal form, equal factors cancel and like terms are added. It is then written with common factors,
//! and with factors that vary in fewer loops multiplied first, so that a reciprocal is computed once for each row or
//! column. Under a sum over an index, the factors that do not depend on the index leave the sum, monomial by monomial.
//!
//! Each rule changes a whole term in one step. Small rules of distribution and cancellation would have to run in the
//! e-graph, in which the classes of products of sums grow exponentially. The cheaper of the input and the result is
//! kept (`bottom_up.rs`).

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{Cast, Prim, Scalar};
use crate::optimise::terms::{Flags, Op, Pool};
use egg::Id;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

pub const MONOMIALS: Rule<'static> = Rule {
    name: "monomials",
    law: "a term of +, -, ·, /, √ and powers as a sum of monomials c·x^p·y^q·... with like terms added, and common \
          factors taken out;  Σ_i (a·f(i) + b·g(i) + ...) = a·Σ_i f(i) + b·Σ_i g(i) + ..., where a and b do not depend \
          on i",
    when: "all operators that change carry `reassoc`, `nnan`, `ninf` and `nsz`, quotients also `arcp`, and roots and \
           powers also `afn`; at most 24 monomials; a and b may be computed even if the sum has no terms; the result \
           costs less, and that of Σ at most three quarters, because the difference of two sums may be less accurate \
           than a sum of differences",
    requirement: Requirement::Fast,
    at: |op| op.is_sum() || matches!(op, Op::Prim(Prim::AddF | Prim::SubF | Prim::MulF | Prim::DivF, _)),
    apply: Apply::Native(|v, t, out| match v.pool.op(t) {
        _ if !v.pool.element(t).is_float() => {}
        Op::Prim(..) => monomials(v, t, out),
        _ => sum_of_monomials(v, t, out),
    }),
};

/// The flags that every operator needs, and those that quotients and functions need besides.
const RING: Flags = Flags(Flags::REASSOC.0 | Flags::NNAN.0 | Flags::NINF.0 | Flags::NSZ.0);
const FIELD: Flags = Flags(RING.0 | Flags::ARCP.0);
const POWERS: Flags = Flags(FIELD.0 | Flags::AFN.0);

/// The maximum number of monomials of a term.
const LARGEST: usize = 24;

/// The maximum absolute value of an exponent, in halves.
const LARGEST_EXPONENT: i32 = 64;

/// The part of the cost of a sum that splitting it may cost at most.
const SPLIT_PAYS: f64 = 0.75;

fn monomials(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let sum = Expansion::default().of(v.pool, t);
    if !sum.is_atom(t) && sum.atoms().all(|x| v.pool.info(x).speculatable) {
        let writer = Writer { flags: sum.flags, element: v.pool.element(t) };
        let new = writer.sum(v.pool, &sum.terms);
        out.extend(Some(new).filter(|&new| v.pool.cost(new) < v.pool.cost(t)));
    }
}

fn sum_of_monomials(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let sum = v.node(t);
    let (n, body) = (sum.children[0], sum.children[1]);
    let element = v.pool.element(t);
    let inner = Expansion::default().of(v.pool, body);
    let may_leave = |x: Id| v.pool.info(x).speculatable;
    if inner.is_atom(body) || !inner.atoms().all(may_leave) {
        return;
    }
    // The monomials in the index, by the monomials that leave the sum with them.
    let mut parts: BTreeMap<Monomial, Terms> = BTreeMap::new();
    for (monomial, &c) in &inner.terms {
        let (stays, leaves): (Monomial, Monomial) = monomial.iter().copied().partition(|(x, _)| v.pool.mentions(*x, 0));
        let leaves = leaves.iter().map(|&(x, e)| (v.pool.shift(x, 0, -1), e)).collect();
        add(parts.entry(sorted(leaves)).or_default(), stays, c);
    }
    if parts.keys().all(|leaves| leaves.is_empty()) && parts.values().all(|p| !p.contains_key(&Monomial::new())) {
        return;
    }
    let writer = Writer { flags: inner.flags, element };
    let mut result = Terms::new();
    for (leaves, mut stays) in parts {
        if let Some(c) = stays.remove(&Monomial::new()) {
            let count = v.pool.length_of(n);
            let count = v.pool.prim1(Prim::Cast(Cast::Index, Element::I64), count);
            let count = v.pool.prim1(Prim::Cast(Cast::SIToFP, element), count);
            add(&mut result, times(&leaves, &[(count, 2)]), c);
        }
        // Sums of proportional terms are one sum.
        let Some(scale) = stays.values().next().copied() else { continue };
        stays.values_mut().for_each(|c| *c /= scale);
        let body = writer.sum(v.pool, &stays);
        let part = v.pool.add(sum.op, [n, body]);
        add(&mut result, times(&leaves, &[(part, 2)]), scale);
    }
    let new = writer.sum(v.pool, &result);
    if v.pool.cost(new) < SPLIT_PAYS * v.pool.cost(t) {
        out.push(new);
    }
}

/// The factors of a monomial, by number: a term, and its exponent in halves, which is not 0.
type Monomial = SmallVec<[(Id, i32); 4]>;

/// Monomials with coefficients, which are not 0.
type Terms = BTreeMap<Monomial, f64>;

fn sorted(mut monomial: Monomial) -> Monomial {
    monomial.sort_unstable();
    monomial
}

/// Multiplies monomials.
fn times(a: &[(Id, i32)], b: &[(Id, i32)]) -> Monomial {
    let mut product: BTreeMap<Id, i32> = a.iter().copied().collect();
    b.iter().for_each(|&(x, e)| *product.entry(x).or_default() += e);
    product.into_iter().filter(|&(_, e)| e != 0).collect()
}

/// Adds a monomial with a coefficient.
fn add(terms: &mut Terms, monomial: Monomial, c: f64) {
    let sum = terms.get(&monomial).map_or(c, |&other| other + c);
    if sum == 0.0 {
        terms.remove(&monomial);
    } else {
        terms.insert(monomial, sum);
    }
}

/// A sum of monomials.
#[derive(Clone)]
struct Sum {
    terms: Terms,
    /// The common flags of the operators that it replaces.
    flags: Flags,
}

impl Sum {
    fn atom(t: Id) -> Sum {
        Sum::monomial(&[(t, 2)], 1.0)
    }

    fn monomial(factors: &[(Id, i32)], c: f64) -> Sum {
        Sum { terms: Terms::from([(factors.into(), c)]), flags: Flags(u16::MAX) }
    }

    fn is_atom(&self, t: Id) -> bool {
        self.terms.len() == 1 && self.terms.get(&[(t, 2)][..]) == Some(&1.0)
    }

    fn atoms(&self) -> impl Iterator<Item = Id> {
        self.terms.keys().flatten().map(|&(x, _)| x)
    }

    /// Returns the only monomial and its coefficient.
    fn single(&self) -> Option<(&Monomial, f64)> {
        let (monomial, &c) = self.terms.first_key_value().filter(|_| self.terms.len() == 1)?;
        Some((monomial, c))
    }

    /// Returns the sum with the flags of an operator, if it is not too large.
    fn under(mut self, flags: Flags) -> Option<Sum> {
        self.flags = self.flags.and(flags);
        let is_small = |&(_, e): &(Id, i32)| e.abs() <= LARGEST_EXPONENT;
        let fits = self.terms.len() <= LARGEST && self.terms.keys().flatten().all(is_small);
        (fits && self.terms.values().all(|c| c.is_finite())).then_some(self)
    }
}

/// The expansion of terms to sums of monomials.
#[derive(Default)]
struct Expansion(FxHashMap<Id, Rc<Sum>>);

impl Expansion {
    fn of(&mut self, pool: &Pool, t: Id) -> Rc<Sum> {
        if let Some(known) = self.0.get(&t) {
            return known.clone();
        }
        let sum = Rc::new(self.expanded(pool, t).unwrap_or_else(|| Sum::atom(t)));
        self.0.insert(t, sum.clone());
        sum
    }

    fn expanded(&mut self, pool: &Pool, t: Id) -> Option<Sum> {
        let node = pool.node(t);
        let Op::Prim(p, flags) = node.op else {
            return match (node.op, pool.scalar(t)) {
                (Op::One(_), _) => Some(Sum::monomial(&[], 1.0)),
                (_, Some(Scalar::F(c))) if c.is_finite() && c != 0.0 => Some(Sum::monomial(&[], c)),
                _ => None,
            };
        };
        let mut operand = |k: usize| self.of(pool, node.children[k]);
        match p {
            Prim::AddF | Prim::SubF if flags.allow(RING) => {
                let (a, b) = (operand(0), operand(1));
                let sign = if p == Prim::SubF { -1.0 } else { 1.0 };
                let mut sum = (*a).clone();
                b.terms.iter().for_each(|(m, &c)| add(&mut sum.terms, m.clone(), sign * c));
                Sum { flags: sum.flags.and(b.flags), ..sum }.under(flags)
            }
            Prim::NegF => {
                let a = operand(0);
                let terms = a.terms.iter().map(|(m, &c)| (m.clone(), -c)).collect();
                Some(Sum { terms, flags: a.flags })
            }
            Prim::MulF if flags.allow(RING) => {
                let (a, b) = (operand(0), operand(1));
                if a.terms.len() * b.terms.len() > LARGEST {
                    return None;
                }
                let mut terms = Terms::new();
                for ((m, c), (n, d)) in a.terms.iter().flat_map(|x| b.terms.iter().map(move |y| (x, y))) {
                    add(&mut terms, times(m, n), c * d);
                }
                Sum { terms, flags: a.flags.and(b.flags) }.under(flags)
            }
            Prim::DivF if flags.allow(FIELD) => {
                let (a, b) = (operand(0), operand(1));
                let divisor = b.single().map(|(m, c)| (m.iter().map(|&(x, e)| (x, -e)).collect(), c));
                let (inverse, c): (Monomial, f64) =
                    divisor.unwrap_or((SmallVec::from_elem((node.children[1], -2), 1), 1.0));
                let flags = if b.single().is_some() { flags.and(b.flags) } else { flags };
                let mut terms = Terms::new();
                a.terms.iter().for_each(|(m, d)| add(&mut terms, times(m, &inverse), d / c));
                Sum { terms, flags: a.flags }.under(flags)
            }
            Prim::Sqrt | Prim::Rsqrt if flags.allow(POWERS) => {
                let half = if p == Prim::Sqrt { 1 } else { -1 };
                Sum::monomial(&[(node.children[0], half)], 1.0).under(flags)
            }
            Prim::PowF if flags.allow(POWERS) => {
                let Some(Scalar::F(e)) = pool.scalar(node.children[1]) else { return None };
                let halves = (2.0 * e) as i32;
                if f64::from(halves) != 2.0 * e || halves == 0 || halves.abs() > LARGEST_EXPONENT {
                    return None;
                }
                match operand(0).single() {
                    // A root of a product would need roots of its factors, which may be negative.
                    Some((m, c)) if halves % 2 == 0 => {
                        let power: Monomial = m.iter().map(|&(x, e)| (x, e * (halves / 2))).collect();
                        Sum::monomial(&power, c.powi(halves / 2)).under(flags)
                    }
                    _ => Sum::monomial(&[(node.children[0], halves)], 1.0).under(flags),
                }
            }
            _ => None,
        }
    }
}

/// The translation from sums of monomials to terms.
struct Writer {
    flags: Flags,
    element: Element,
}

impl Writer {
    fn prim(&self, pool: &mut Pool, p: Prim, args: &[Id]) -> Id {
        pool.prim(p, self.flags, args)
    }

    fn sum(&self, pool: &mut Pool, terms: &Terms) -> Id {
        let (sign, t) = self.signed_sum(pool, terms);
        if sign < 0.0 { self.prim(pool, Prim::NegF, &[t]) } else { t }
    }

    /// Returns a sign and a term whose product is the sum of `terms`. Common factors of most monomials are taken out
    /// first.
    fn signed_sum(&self, pool: &mut Pool, terms: &Terms) -> (f64, Id) {
        if terms.len() < 2 {
            let Some((monomial, &c)) = terms.first_key_value() else { return (1.0, pool.float(self.element, 0.0)) };
            return (c.signum(), self.product(pool, monomial, c.abs()));
        }
        let Some((x, e)) = best_factor(pool, terms) else {
            let scale = common_size(terms).unwrap_or(1.0);
            let all = terms.iter().map(|(m, c)| (space(pool, m), m, c / scale));
            let mut all: Vec<(f64, &Monomial, f64)> = all.collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
            let parts: Vec<(f64, Id)> =
                all.into_iter().map(|(_, m, c)| (c.signum(), self.product(pool, m, c.abs()))).collect();
            let (sign, sum) = self.added(pool, parts);
            return if scale == 1.0 { (sign, sum) } else { (sign, self.product(pool, &[(sum, 2)], scale)) };
        };
        let has = |m: &Monomial| m.iter().any(|&(y, f)| y == x && f.signum() == e.signum());
        let (with, without): (Terms, Terms) = terms.iter().map(|(m, &c)| (m.clone(), c)).partition(|(m, _)| has(m));
        let common = common_factor(&with);
        let scale = common_size(&with).unwrap_or(1.0);
        let inverse: Monomial = common.iter().map(|&(y, f)| (y, -f)).collect();
        let rest = with.iter().map(|(m, c)| (times(m, &inverse), c / scale)).collect();
        let (sign, inner) = self.signed_sum(pool, &rest);
        let first = (sign, self.product(pool, &times(&common, &[(inner, 2)]), scale));
        if without.is_empty() {
            return first;
        }
        let second = self.signed_sum(pool, &without);
        self.added(pool, vec![first, second])
    }

    /// Adds terms with signs.
    fn added(&self, pool: &mut Pool, parts: Vec<(f64, Id)>) -> (f64, Id) {
        let positive = parts.iter().filter(|p| p.0 > 0.0).map(|p| p.1);
        let negative = parts.iter().filter(|p| p.0 < 0.0).map(|p| p.1);
        let sum = |pool: &mut Pool, a: Id, b: Id| self.prim(pool, Prim::AddF, &[a, b]);
        let added = positive.collect::<Vec<_>>().into_iter().reduce(|a, b| sum(pool, a, b));
        match added {
            Some(first) => (1.0, negative.fold(first, |a, b| self.prim(pool, Prim::SubF, &[a, b]))),
            None => (-1.0, negative.reduce(|a, b| sum(pool, a, b)).expect("there are terms")),
        }
    }

    /// Writes `c·x^p·y^q·...`, `c` positive. Factors that vary in the same loops are multiplied with each other first,
    /// and those that vary in few loops before others. Only divisors that vary in all loops divide.
    fn product(&self, pool: &mut Pool, monomial: &[(Id, i32)], c: f64) -> Id {
        let levels = |x: Id| -> SmallVec<[u32; 4]> { pool.info(x).free.iter().map(|f| f.level).collect() };
        let mut groups: BTreeMap<SmallVec<[u32; 4]>, [Vec<(Id, i32)>; 2]> = BTreeMap::new();
        for &(x, e) in monomial {
            // The inverse root of a divisor is a factor.
            let root = if e < 0 && e % 2 != 0 { Some((x, -1)) } else { None };
            let whole = if root.is_some() { e + 1 } else { e };
            let [factors, divisors] = groups.entry(levels(x)).or_default();
            factors.extend(root);
            match whole {
                0 => {}
                1.. => factors.push((x, whole)),
                _ => divisors.push((x, -whole)),
            }
        }
        let mut ordered: Vec<_> = groups.into_iter().collect();
        let size = |group: &[Vec<(Id, i32)>; 2], pool: &Pool| space(pool, &group.concat());
        ordered.sort_by(|a, b| size(&a.1, pool).total_cmp(&size(&b.1, pool)).then(a.0.cmp(&b.0)));
        let last = ordered.len().saturating_sub(1);
        let mut product = (c != 1.0).then(|| pool.float(self.element, c));
        for (k, (_, [factors, divisors])) in ordered.into_iter().enumerate() {
            let factors = factors.into_iter().map(|(x, e)| self.power(pool, x, e)).collect::<Vec<_>>();
            let factor = factors.into_iter().reduce(|a, b| self.prim(pool, Prim::MulF, &[a, b]));
            let divisors = divisors.into_iter().map(|(x, e)| self.power(pool, x, e)).collect::<Vec<_>>();
            let divisor = divisors.into_iter().reduce(|a, b| self.prim(pool, Prim::MulF, &[a, b]));
            let multiplied = |pool: &mut Pool, a: Option<Id>, b: Option<Id>| match (a, b) {
                (Some(a), Some(b)) => Some(self.prim(pool, Prim::MulF, &[a, b])),
                (a, b) => a.or(b),
            };
            product = match divisor {
                None => multiplied(pool, product, factor),
                Some(divisor) => {
                    // Before the last group, the quotient is computed for its own loops only.
                    let dividend = if k == last || k == 0 { multiplied(pool, product, factor) } else { factor };
                    let dividend = dividend.unwrap_or_else(|| pool.float(self.element, 1.0));
                    let quotient = self.prim(pool, Prim::DivF, &[dividend, divisor]);
                    if k == last || k == 0 { Some(quotient) } else { multiplied(pool, product, Some(quotient)) }
                }
            };
        }
        product.unwrap_or_else(|| pool.float(self.element, 1.0))
    }

    /// Writes x^(e/2), for e > 0 or e = -1.
    fn power(&self, pool: &mut Pool, x: Id, e: i32) -> Id {
        match e {
            -1 => self.prim(pool, Prim::Rsqrt, &[x]),
            1 => self.prim(pool, Prim::Sqrt, &[x]),
            2 => x,
            _ if e % 4 == 0 => {
                let root = self.power(pool, x, e / 2);
                self.prim(pool, Prim::MulF, &[root, root])
            }
            _ => {
                let step = if e % 2 == 0 { 2 } else { 1 };
                let (rest, last) = (self.power(pool, x, e - step), self.power(pool, x, step));
                self.prim(pool, Prim::MulF, &[rest, last])
            }
        }
    }
}

/// Returns the number of values of the index variables of a monomial. States of loops come last.
fn space(pool: &Pool, monomial: &[(Id, i32)]) -> f64 {
    let free = monomial.iter().flat_map(|(x, _)| &pool.info(*x).free);
    let levels: BTreeMap<u32, f64> = free.map(|f| (f.level, f.extent.unwrap_or(f64::MAX.sqrt()))).collect();
    levels.values().product()
}

/// Returns the factor, with the sign of its exponent, whose removal from the monomials that have it saves most.
fn best_factor(pool: &Pool, terms: &Terms) -> Option<(Id, i32)> {
    let mut counts: BTreeMap<(Id, i32), usize> = BTreeMap::new();
    terms.keys().flatten().for_each(|&(x, e)| *counts.entry((x, e.signum())).or_default() += 1);
    let saved = |&(&(x, _), &count): &(&(Id, i32), &usize)| (count - 1) as f64 * space(pool, &[(x, 2)]);
    let shared = counts.iter().filter(|(_, count)| **count > 1);
    shared.max_by(|a, b| saved(a).total_cmp(&saved(b)).then(b.0.cmp(a.0))).map(|(&factor, _)| factor)
}

/// Returns the product of the powers that divide all monomials.
fn common_factor(terms: &Terms) -> Monomial {
    let divides = |a: &Monomial, b: &Monomial| -> Monomial {
        let in_both = a.iter().filter_map(|&(x, e)| {
            let &(_, f) = b.iter().find(|&&(y, f)| y == x && f.signum() == e.signum())?;
            Some((x, if e.abs() < f.abs() { e } else { f }))
        });
        in_both.collect()
    };
    terms.keys().cloned().reduce(|a, b| divides(&a, &b)).unwrap_or_default()
}

/// Returns the absolute value of all coefficients, if they have one.
fn common_size(terms: &Terms) -> Option<f64> {
    let mut sizes = terms.values().map(|c| c.abs());
    let first = sizes.next()?;
    sizes.all(|size| size == first).then_some(first)
}
