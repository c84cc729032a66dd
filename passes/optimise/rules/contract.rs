//! The order of the sums in a contraction. The whole sum of products is reordered in one step. Moving products and sums
//! past each other by small rules would take many steps.
//!
//! A maximal sum of products `Σ_{i, j, ...} f₁·f₂·...` is flattened. Its indices are then eliminated one at a time. If
//! the factors are chains, in which each index belongs to two factors, the order is the best one (`chains.rs`).
//! Otherwise the next index is always the one whose factors (those that depend on it) range over the fewest
//! combinations of indices. In forward-mode code without one-hot arrays, this finds the order of reverse mode. Rules
//! that reorder two factors at a time would enlarge an e-graph four to eight times for each link. The cheaper of the
//! input and the result is kept (`bottom_up.rs`). Integers are a ring, in which all orders have the same result.
//!
//! `contract.rules` has the other rules, and the order in which rules are tried.

use super::chains;
use super::index::conjuncts;
use super::sum::{is_finite, where_not_empty};
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{Cast, Prim, Scalar};
use crate::optimise::terms::{Flags, Op, Pool, Reduction};
use egg::Id;
use mlopt_dialects::value::Element;
use std::collections::BTreeMap;

pub const RULES: &[Rule<'static>] = &[
    super::algebra::MONOMIALS,
    Rule {
        name: "sum-of-products",
        law: "Σ_i Σ_j ... f·g·... with the sums in another order, and each factor outside of the sums that it does not \
              depend on (X.7, X.9, X.22)",
        when: "the products are integers or carry `reassoc`, no extent depends on an index, and all factors may be \
               computed even if a sum has no terms. A sum without terms is 0, but its product with an infinite factor \
               would be NaN. So if factors whose product may be infinite move out of a sum that may have no terms, \
               the result is guarded by the condition that the sum has terms; products that carry `nnan` and `ninf` \
               need no guard",
        requirement: Requirement::Fast,
        at: |op| op.is_sum() || matches!(op, Op::Prim(Prim::MulF | Prim::MulI, _)),
        apply: Apply::Native(order),
    },
];

/// A flattened sum of products that may be reordered: its extents (outermost first, in the scope of the whole) and the
/// factors under all of its indices.
struct Product {
    extents: Vec<Id>,
    factors: Vec<Id>,
    /// The intersection of the flags of all multiplications.
    flags: Flags,
    /// The intersection of the flags of all sums.
    of_sums: Flags,
}

/// The maximum number of factors and indices of a product that is reordered.
const LARGEST: usize = 512;

fn order(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let mut room = LARGEST;
    let Some(product) = flatten(v, t, &mut room) else { return };
    let indices = product.extents.len();
    let is_large = product.factors.len() + indices > LARGEST;
    let may_leave = product.factors.iter().all(|&f| v.pool.info(f).speculatable);
    if indices > 0 && product.factors.len() > 1 && !is_large && may_leave {
        let (flags, mut left) = (product.flags, Vec::new());
        if let Some(value) = eliminate(v.pool, product, &mut left).filter(|&value| value != t) {
            out.push(where_not_empty(v, &left, flags, value));
        }
    }
}

/// Flattens a product. `room` is the number of factors that may still be added: x, x·x, (x·x)·(x·x), … are each one
/// term more, with twice as many factors.
fn flatten(v: &mut View, t: Id, room: &mut usize) -> Option<Product> {
    if *room == 0 {
        return None;
    }
    let node = v.pool.node(t).clone();
    let all = Flags(u16::MAX);
    let alone = Product { extents: vec![], factors: vec![t], flags: all, of_sums: all };
    match node.op {
        Op::Reduce(Reduction::Sum, f) => {
            let mut inner = flatten(v, node.children[1], room)?;
            let mut extents = vec![node.children[0]];
            for n in inner.extents {
                // A sum over a triangular space is not reordered.
                if v.pool.mentions(n, 0) {
                    return None;
                }
                extents.push(v.pool.shift(n, 0, -1));
            }
            inner.extents = extents;
            inner.of_sums = inner.of_sums.and(f);
            Some(inner)
        }
        Op::Prim(p, f) if p == Prim::MulI || p == Prim::MulF && f.allow(Flags::REASSOC) => {
            let (a, b) = (flatten(v, node.children[0], room)?, flatten(v, node.children[1], room)?);
            let (ka, kb) = (a.extents.len() as i64, b.extents.len() as i64);
            // The indices of a are outside of those of b.
            let mut factors: Vec<Id> = a.factors.iter().map(|&x| v.pool.shift(x, 0, kb)).collect();
            factors.extend(b.factors.iter().map(|&x| v.pool.shift(x, kb as u32, ka)).collect::<Vec<_>>());
            let extents = [a.extents, b.extents].concat();
            let of_sums = a.of_sums.and(b.of_sums);
            Some(Product { extents, factors, flags: f.and(a.flags).and(b.flags), of_sums })
        }
        // The sign belongs to one of the factors. On the sum it would also change the sign of a zero.
        Op::Prim(Prim::NegF, f) => {
            let mut inner = flatten(v, node.children[0], room)?;
            if inner.factors.len() == 1 || !inner.extents.is_empty() {
                return Some(alone);
            }
            inner.factors[0] = v.pool.prim(Prim::NegF, f, &[inner.factors[0]]);
            Some(inner)
        }
        // `cond(0 < n, e, 0)` is e if e sums over n: an empty sum is 0 anyway (`where_not_empty`).
        Op::Cond if is_number_zero(v.pool, node.children[2]) => {
            let inner = flatten(v, node.children[1], room)?;
            let first = v.pool.index(0);
            let implied: Vec<Id> = inner.extents.iter().filter_map(|&n| v.pool.guard(first, n)).collect();
            let guards = conjuncts(v, node.children[0]);
            Some(if guards.iter().all(|guard| implied.contains(guard)) { inner } else { alone })
        }
        _ => {
            *room -= 1;
            Some(alone)
        }
    }
}

fn is_number_zero(pool: &Pool, t: Id) -> bool {
    matches!(pool.scalar(t), Some(Scalar::F(x)) if x == 0.0)
}

/// Returns the size of the space of a set of factors: the product of the extents of their free index variables.
fn space(pool: &Pool, factors: &[Id]) -> f64 {
    let mut levels: BTreeMap<u32, f64> = BTreeMap::new();
    for &f in factors {
        levels.extend(pool.info(f).free.iter().filter_map(|x| x.extent.map(|n| (x.level, n))));
    }
    levels.values().product()
}

/// Sums the factors index by index. `left_by` collects the extents of the sums out of which factors were moved.
fn eliminate(pool: &mut Pool, product: Product, left_by: &mut Vec<Id>) -> Option<Id> {
    let k = product.extents.len() as u32;
    let (flags, of_sums) = (product.flags, product.of_sums);
    let mut best = chains::order(pool, &product.factors, k).map(Vec::into_iter);
    let mut factors = product.factors;
    // Level of the index with extents[j]: k - 1 - j.
    let mut left: Vec<u32> = (0..k).collect();
    while !left.is_empty() {
        let of =
            |pool: &Pool, level: u32| factors.iter().copied().filter(|&f| pool.mentions(f, level)).collect::<Vec<Id>>();
        let cost = |pool: &Pool, level: u32| space(pool, &of(pool, level));
        let level = match best.as_mut() {
            Some(order) => order.next()?,
            None => *left.iter().min_by(|&&a, &&b| cost(pool, a).total_cmp(&cost(pool, b)).then(a.cmp(&b)))?,
        };
        left.retain(|&l| l != level);
        let own = of(pool, level);
        factors.retain(|f| !own.contains(f));
        if factors.iter().any(|&f| pool.element(f).is_float()) && !is_finite(pool, &factors) {
            left_by.push(product.extents[(k - 1 - level) as usize]);
        }
        // The extent as a term under all k indices, which it does not mention.
        let n = pool.shift(product.extents[(k - 1 - level) as usize], 0, k as i64);
        if own.is_empty() {
            let count = pool.length_of(n);
            let element = factors.first().map(|&f| pool.element(f))?;
            let integer = if element.is_float() { Element::I64 } else { element };
            let count = match integer {
                Element::Index => count,
                _ => pool.prim1(Prim::Cast(Cast::Index, integer), count),
            };
            factors.push(match element.is_float() {
                true => pool.prim1(Prim::Cast(Cast::SIToFP, element), count),
                false => count,
            });
            continue;
        }
        let body = multiply(pool, own, flags);
        let body = pool.shift(body, 0, 1);
        let index = pool.bound_ix(n);
        let body = pool.rename(body, level + 1, index);
        factors.push(pool.add(Op::Reduce(Reduction::Sum, of_sums), [n, body]));
    }
    let all = multiply(pool, factors, flags);
    Some(pool.shift(all, 0, -(k as i64)))
}

/// Returns the product with the smallest space first, so that factors that are invariant in inner loops are multiplied
/// outside of them.
fn multiply(pool: &mut Pool, mut factors: Vec<Id>, flags: Flags) -> Id {
    factors.sort_by(|&a, &b| space(pool, &[a]).total_cmp(&space(pool, &[b])).then(usize::from(a).cmp(&usize::from(b))));
    let first = factors[0];
    let (times, flags) = if pool.element(first).is_float() { (Prim::MulF, flags) } else { (Prim::MulI, Flags::NONE) };
    factors[1..].iter().fold(first, |p, &f| pool.prim(times, flags, &[p, f]))
}
