//! Rules that are tried once on every term, operands first, to find a cheaper form. No rule is applied to its own
//! result.

use crate::optimise::normaliser::normalise::Step;
use crate::optimise::normaliser::record::Record;
use crate::optimise::rules::{Rule, View};
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Node, Op, Operands, Pool};
use egg::Id;
use rustc_hash::FxHashMap;

pub struct BottomUp<'a> {
    rules: &'a [Rule<'a>],
    /// The size of the pool from which on no rule is tried.
    pub room: usize,
    memo: FxHashMap<Id, Id>,
}

impl<'a> BottomUp<'a> {
    pub fn new(rules: &'a [Rule<'a>]) -> Self {
        BottomUp { rules, room: usize::MAX, memo: FxHashMap::default() }
    }

    pub fn rewrite(&mut self, pool: &mut Pool, t: Id, record: &mut Record<'a>) -> Id {
        if let Some(&r) = self.memo.get(&t) {
            return r;
        }
        let has_many = factors(pool, t) > MANY_FACTORS;
        let whole = has_many.then(|| self.product(pool, t, &mut FxHashMap::default(), record));
        let mut best = whole.map_or(t, |start| self.best(pool, start, record));
        if whole.is_none_or(|start| best == start) {
            let start = self.inside(pool, t, record);
            best = self.best(pool, start, record);
        }
        self.memo.insert(t, best);
        self.memo.insert(best, best);
        best
    }

    /// Returns the cheapest form of `start`, whose parts have been rewritten.
    fn best(&mut self, pool: &mut Pool, start: Id, record: &mut Record<'a>) -> Id {
        let mut best = start;
        for rule in self.rules {
            if pool.len() > self.room {
                break;
            }
            let mut forms = Vec::new();
            rule.apply_in(&mut record.profile, &mut View { pool, classes: None }, start, &mut forms);
            for form in forms {
                record.step(Step { rule: rule.name, left: start, right: form });
                // The parts of a split sum are sums of their own.
                let parts = matches!(pool.op(form), Op::Prim(Prim::AddF | Prim::SubF, _));
                let form = if parts { self.inside(pool, form, record) } else { form };
                if pool.cheaper(form, best) {
                    best = form;
                    if let Some(profile) = &mut record.profile {
                        profile.of(rule.name).applications += 1;
                    }
                }
            }
        }
        best
    }

    /// Rewrites the factors of a product. `known` are the products that occurred in it before.
    fn product(&mut self, pool: &mut Pool, t: Id, known: &mut FxHashMap<Id, Id>, record: &mut Record<'a>) -> Id {
        if !is_product(pool, t) {
            return self.rewrite(pool, t, record);
        }
        if let Some(&new) = known.get(&t) {
            return new;
        }
        let node = pool.node(t).clone();
        let children: Operands = node.children.iter().map(|&c| self.product(pool, c, known, record)).collect();
        let new = pool.add_node(Node::new(node.op, children));
        known.insert(t, new);
        new
    }

    fn inside(&mut self, pool: &mut Pool, t: Id, record: &mut Record<'a>) -> Id {
        let node = pool.node(t).clone();
        let children: Operands = node.children.iter().map(|&c| self.rewrite(pool, c, record)).collect();
        pool.add_node(Node::new(node.op, children))
    }
}

/// The number of factors of a product from which on its parts are not rewritten as products of their own first: a chain
/// of n factors has n parts, which would all be written anew.
const MANY_FACTORS: usize = 12;

/// Checks whether a term is a product, or a sum over an index, whose operands may be products.
fn is_product(pool: &Pool, t: Id) -> bool {
    let op = pool.op(t);
    op.is_sum() || matches!(op, Op::Prim(Prim::MulF | Prim::MulI, _))
}

/// Returns the number of factors of a product.
fn factors(pool: &Pool, t: Id) -> usize {
    let (mut todo, mut count) = (vec![t], 0);
    while let Some(t) = todo.pop() {
        if is_product(pool, t) {
            let node = pool.node(t);
            // The first operand of a sum is its number of terms.
            todo.extend(node.children.iter().skip(usize::from(node.op.is_sum())));
        } else {
            count += 1;
        }
        if count > MANY_FACTORS {
            break;
        }
    }
    count
}
