//! Rules that are tried on a term before they are tried on its subterms. The term is in normal form when a rule is
//! tried, and the result of the rule is normalised before its subterms are tried.

use crate::optimise::normaliser::normalise::{Normaliser, Step};
use crate::optimise::normaliser::record::Record;
use crate::optimise::rules::{Rule, View};
use crate::optimise::terms::{Node, Operands, Pool};
use egg::Id;
use rustc_hash::FxHashMap;

/// The maximum number of times that a part of a result is rewritten.
const ROUNDS: usize = 16;

/// Returns terms with `rules` applied wherever they match.
pub fn rewrite_all<'a>(
    pool: &mut Pool,
    terms: &[Id],
    rules: &'a [Rule<'a>],
    normaliser: &mut Normaliser<'a>,
    record: &mut Record<'a>,
) -> Vec<Id> {
    let mut terms = terms.to_vec();
    for _ in 0..ROUNDS {
        let mut round = Round { rules, room: normaliser.room, memo: FxHashMap::default() };
        let next: Vec<Id> = terms.iter().map(|&t| round.rewrite(pool, t, record)).collect();
        if next == terms {
            break;
        }
        terms = normaliser.normalise_all(pool, &next);
    }
    terms
}

struct Round<'a> {
    rules: &'a [Rule<'a>],
    /// The size of the pool from which on no rule is tried.
    room: usize,
    memo: FxHashMap<Id, Id>,
}

impl<'a> Round<'a> {
    fn rewrite(&mut self, pool: &mut Pool, t: Id, record: &mut Record<'a>) -> Id {
        if let Some(&r) = self.memo.get(&t) {
            return r;
        }
        let r = match self.apply(pool, t, record) {
            Some((rule, right)) => {
                record.step(Step { rule, left: t, right });
                if let Some(profile) = &mut record.profile {
                    profile.of(rule).applications += 1;
                }
                right
            }
            None => {
                let node = pool.node(t).clone();
                let children: Operands = node.children.iter().map(|&c| self.rewrite(pool, c, record)).collect();
                pool.add_node(Node::new(node.op, children))
            }
        };
        self.memo.insert(t, r);
        r
    }

    fn apply(&self, pool: &mut Pool, t: Id, record: &mut Record<'a>) -> Option<(&'a str, Id)> {
        if pool.len() > self.room {
            return None;
        }
        let mut forms = Vec::new();
        self.rules.iter().find_map(|rule| {
            rule.apply_in(&mut record.profile, &mut View { pool, classes: None }, t, &mut forms);
            forms.first().map(|&form| (rule.name, form))
        })
    }
}
