//! The order of sums: one n-ary contraction instead of moving products and sums past each other one by one.
//!
//! A maximal sum of products `Σ_{i, j, ...} f₁·f₂·...` is flattened; the indices are then eliminated one at a time, always the one whose
//! factors span the smallest space. On forward-mode code without one-hots this finds the order of reverse mode, in time linear in
//! the depth of the chain. Where two rules in an e-graph would grow it four to eight times for each layer.

use crate::terms::prim::{Cast, Prim};
use crate::terms::{Flags, Node, Op, Pool, Reduction};
use egg::Id;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A flattened sum of products: its extents (outermost first, in the scope of the whole) and the factors under all of its indices.
struct Product {
    extents: Vec<Id>,
    factors: Vec<Id>,
    /// What all the multiplications allow.
    flags: Flags,
}

/// More factors or indices than this are left as they are.
const LARGEST: usize = 64;

pub struct Contraction {
    memo: FxHashMap<Id, Id>,
}

impl Contraction {
    pub fn new() -> Self {
        Contraction { memo: FxHashMap::default() }
    }

    /// The term with its sums of products in the order that costs least; never a costlier term.
    /// Law: distributivity, associativity and commutativity of + and ·, order of nested sums free (X.7, X.8, X.9, X.22).
    /// When: the products, and additions that are split, carry `reassoc`.
    pub fn contract(&mut self, pool: &mut Pool, t: Id) -> Id {
        if let Some(&r) = self.memo.get(&t) {
            return r;
        }
        let mut best = self.inside(pool, t);
        for form in [self.split(pool, best), self.reorder(pool, best)].into_iter().flatten() {
            if pool.cheaper(form, best) {
                best = form;
            }
        }
        self.memo.insert(t, best);
        self.memo.insert(best, best);
        best
    }

    fn inside(&mut self, pool: &mut Pool, t: Id) -> Id {
        let node = pool.node(t).clone();
        let children = node.children.iter().map(|&c| self.contract(pool, c)).collect();
        pool.add_node(Node::new(node.op, children))
    }

    /// Σ (a ± b) as Σ a ± Σ b.
    fn split(&mut self, pool: &mut Pool, t: Id) -> Option<Id> {
        let node = pool.node(t).clone();
        if !node.op.is_sum() {
            return None;
        }
        let body = pool.node(node.children[1]).clone();
        let Op::Prim(p @ (Prim::AddF | Prim::SubF), f) = body.op else { return None };
        if !f.allow(Flags::REASSOC) {
            return None;
        }
        let parts: Vec<Id> = body
            .children
            .iter()
            .map(|&e| {
                let sum = pool.add(node.op, vec![node.children[0], e]);
                self.contract(pool, sum)
            })
            .collect();
        Some(pool.prim(p, f, &parts))
    }

    fn reorder(&mut self, pool: &mut Pool, t: Id) -> Option<Id> {
        if !matches!(pool.op(t), Op::Reduce(Reduction::Sum, _) | Op::Prim(Prim::MulF, _)) || !pool.element(t).is_float()
        {
            return None;
        }
        let product = flatten(pool, t)?;
        let indices = product.extents.len();
        if indices == 0 || product.factors.len() < 2 || product.factors.len() + indices > LARGEST {
            return None;
        }
        if !product.flags.allow(Flags::REASSOC) {
            return None;
        }
        eliminate(pool, product)
    }
}

impl Default for Contraction {
    fn default() -> Self {
        Contraction::new()
    }
}

fn flatten(pool: &mut Pool, t: Id) -> Option<Product> {
    let node = pool.node(t).clone();
    match node.op {
        Op::Reduce(Reduction::Sum, _) => {
            let mut inner = flatten(pool, node.children[1])?;
            let mut extents = vec![node.children[0]];
            for n in inner.extents {
                // A triangular space has no order to choose from.
                if pool.mentions(n, 0) {
                    return None;
                }
                extents.push(pool.shift(n, 0, -1));
            }
            inner.extents = extents;
            Some(inner)
        }
        Op::Prim(Prim::MulF, f) if f.allow(Flags::REASSOC) => {
            let (a, b) = (flatten(pool, node.children[0])?, flatten(pool, node.children[1])?);
            let (ka, kb) = (a.extents.len() as i64, b.extents.len() as i64);
            // The indices of a stand outside of those of b.
            let mut factors: Vec<Id> = a.factors.iter().map(|&x| pool.shift(x, 0, kb)).collect();
            factors.extend(b.factors.iter().map(|&x| pool.shift(x, kb as u32, ka)).collect::<Vec<_>>());
            let extents = [a.extents, b.extents].concat();
            Some(Product { extents, factors, flags: f.and(a.flags).and(b.flags) })
        }
        _ => Some(Product { extents: vec![], factors: vec![t], flags: Flags(u16::MAX) }),
    }
}

/// The space of a set of factors: the product of the extents of their free index variables.
fn space(pool: &Pool, factors: &[Id]) -> f64 {
    let mut levels: BTreeMap<u32, f64> = BTreeMap::new();
    for &f in factors {
        levels.extend(pool.info(f).free.iter().filter_map(|x| x.extent.map(|n| (x.level, n))));
    }
    levels.values().product()
}

fn eliminate(pool: &mut Pool, product: Product) -> Option<Id> {
    let k = product.extents.len() as u32;
    let flags = product.flags;
    let mut factors = product.factors;
    // Level of the index with extents[j]: k - 1 - j.
    let mut left: Vec<u32> = (0..k).collect();
    while !left.is_empty() {
        let of =
            |pool: &Pool, level: u32| factors.iter().copied().filter(|&f| pool.mentions(f, level)).collect::<Vec<Id>>();
        let cost = |pool: &Pool, level: u32| space(pool, &of(pool, level));
        let level = *left.iter().min_by(|&&a, &&b| cost(pool, a).total_cmp(&cost(pool, b)).then(a.cmp(&b)))?;
        left.retain(|&l| l != level);
        let own = of(pool, level);
        factors.retain(|f| !own.contains(f));
        // The extent under all k indices, which it does not mention.
        let n = pool.shift(product.extents[(k - 1 - level) as usize], 0, k as i64);
        if own.is_empty() {
            let count = pool.length_of(n);
            let int = pool.prim1(Prim::Cast(Cast::Index, Element::I64), count);
            let element = factors.first().map(|&f| pool.element(f))?;
            factors.push(pool.prim1(Prim::Cast(Cast::SIToFP, element), int));
            continue;
        }
        let body = multiply(pool, own, flags);
        let body = pool.shift(body, 0, 1);
        let index = pool.bound_ix(n);
        let body = pool.rename(body, level + 1, index);
        factors.push(pool.sum(n, body));
    }
    let all = multiply(pool, factors, flags);
    Some(pool.shift(all, 0, -(k as i64)))
}

/// The product, smallest space first, so that what is invariant in inner loops is multiplied outside of them.
fn multiply(pool: &mut Pool, mut factors: Vec<Id>, flags: Flags) -> Id {
    factors.sort_by(|&a, &b| space(pool, &[a]).total_cmp(&space(pool, &[b])).then(usize::from(a).cmp(&usize::from(b))));
    let first = factors[0];
    factors[1..].iter().fold(first, |p, &f| pool.prim(Prim::MulF, flags, &[p, f]))
}
