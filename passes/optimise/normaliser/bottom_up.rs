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
        let start = self.inside(pool, t, record);
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
        self.memo.insert(t, best);
        self.memo.insert(best, best);
        best
    }

    fn inside(&mut self, pool: &mut Pool, t: Id, record: &mut Record<'a>) -> Id {
        let node = pool.node(t).clone();
        let children: Operands = node.children.iter().map(|&c| self.rewrite(pool, c, record)).collect();
        pool.add_node(Node::new(node.op, children))
    }
}
