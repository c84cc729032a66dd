//! The normaliser: the directed laws, bottom up, first match wins, each term once.

use crate::profile::Profile;
use crate::rules::{Rule, View};
use crate::terms::{Node, Pool};
use egg::Id;
use rustc_hash::FxHashMap;

/// One application of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    pub rule: &'a str,
    pub left: Id,
    pub right: Id,
}

pub struct Normaliser<'a> {
    rules: &'a [Rule<'a>],
    /// Applications that may still be made; at zero, terms stay as they are.
    pub fuel: u64,
    /// Nodes of the pool from which on no more applications are made: substitution copies, so that their number alone bounds no time.
    pub room: usize,
    memo: FxHashMap<Id, Id>,
    /// What was done, when asked for.
    pub log: Option<Vec<Step<'a>>>,
    /// What the laws did, when asked for.
    pub profile: Option<Profile<'a>>,
}

impl<'a> Normaliser<'a> {
    pub fn new(rules: &'a [Rule<'a>], fuel: u64) -> Self {
        Normaliser { rules, fuel, room: usize::MAX, memo: FxHashMap::default(), log: None, profile: None }
    }

    /// The normal form of a term: no directed law applies to any of its subterms (unless the fuel ran out).
    pub fn normalise(&mut self, pool: &mut Pool, t: Id) -> Id {
        if let Some(&r) = self.memo.get(&t) {
            return r;
        }
        let mut chain = vec![t];
        let mut current = t;
        let result = loop {
            let node = pool.node(current).clone();
            let children: Vec<Id> = node.children.iter().map(|&c| self.normalise(pool, c)).collect();
            let next = pool.add_node(Node::new(node.op, children));
            if let Some(&r) = self.memo.get(&next) {
                break r;
            }
            chain.push(next);
            match self.apply(pool, next) {
                Some(r) => match self.memo.get(&r) {
                    Some(&r) => break r,
                    None => {
                        chain.push(r);
                        current = r;
                    }
                },
                None => break next,
            }
        };
        for t in chain {
            self.memo.insert(t, result);
        }
        self.memo.insert(result, result);
        result
    }

    pub fn normalise_all(&mut self, pool: &mut Pool, terms: &[Id]) -> Vec<Id> {
        terms.iter().map(|&t| self.normalise(pool, t)).collect()
    }

    fn apply(&mut self, pool: &mut Pool, t: Id) -> Option<Id> {
        if self.fuel == 0 || pool.len() > self.room {
            return None;
        }
        let mut out = Vec::new();
        for rule in self.rules {
            rule.apply_in(&mut self.profile, &mut View { pool, classes: None }, t, &mut out);
            if let Some(&r) = out.iter().find(|&&r| r != t) {
                self.fuel -= 1;
                if let Some(profile) = &mut self.profile {
                    profile.of(rule.name).applications += 1;
                }
                if let Some(log) = &mut self.log {
                    log.push(Step { rule: rule.name, left: t, right: r });
                }
                return Some(r);
            }
            out.clear();
        }
        None
    }
}
