//! Normalisation of terms by directed rules, bottom up. On each term the first matching rule is applied, and each term
//! is normalised once.

use crate::optimise::rules::profile::Profile;
use crate::optimise::rules::{Dispatch, Rule, View};
use crate::optimise::terms::{Node, Operands, Pool};
use egg::Id;

/// One application of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    pub rule: &'a str,
    pub left: Id,
    pub right: Id,
}

pub struct Normaliser<'a> {
    rules: Dispatch<'a>,
    /// The number of remaining applications. At zero, terms stay as they are.
    pub fuel: u64,
    /// The size of the pool from which on no rule is applied. Substitution copies terms, so a limit on applications
    /// alone does not bound the time.
    pub room: usize,
    /// The normal forms, by the numbers of terms.
    memo: Vec<Option<Id>>,
    /// All steps, if requested.
    pub log: Option<Vec<Step<'a>>>,
    /// The profile of the rules, if requested.
    pub profile: Option<Profile<'a>>,
}

impl<'a> Normaliser<'a> {
    pub fn new(rules: &[Rule<'a>], fuel: u64) -> Self {
        let rules = Dispatch::new(rules.to_vec());
        Normaliser { rules, fuel, room: usize::MAX, memo: Vec::new(), log: None, profile: None }
    }

    /// Returns the normal form of a term: no directed rule applies to any of its subterms, unless the fuel ran out.
    pub fn normalise(&mut self, pool: &mut Pool, t: Id) -> Id {
        if let Some(r) = self.known(t) {
            return r;
        }
        let mut chain = vec![t];
        let mut current = t;
        let result = loop {
            let node = pool.node(current).clone();
            let children: Operands = node.children.iter().map(|&c| self.normalise(pool, c)).collect();
            let next = pool.add_node(Node::new(node.op, children));
            if let Some(r) = self.known(next) {
                break r;
            }
            chain.push(next);
            match self.apply(pool, next) {
                Some(r) => match self.known(r) {
                    Some(r) => break r,
                    None => {
                        chain.push(r);
                        current = r;
                    }
                },
                None => break next,
            }
        };
        self.memo.resize(self.memo.len().max(pool.len()), None);
        for t in chain {
            self.memo[usize::from(t)] = Some(result);
        }
        self.memo[usize::from(result)] = Some(result);
        result
    }

    fn known(&self, t: Id) -> Option<Id> {
        self.memo.get(usize::from(t)).copied().flatten()
    }

    pub fn normalise_all(&mut self, pool: &mut Pool, terms: &[Id]) -> Vec<Id> {
        terms.iter().map(|&t| self.normalise(pool, t)).collect()
    }

    fn apply(&mut self, pool: &mut Pool, t: Id) -> Option<Id> {
        if self.fuel == 0 || pool.len() > self.room {
            return None;
        }
        let mut out = Vec::new();
        let kinds = View { pool, classes: None }.kinds_of_operands(t);
        for candidate in self.rules.at(pool.op(t)).iter() {
            let view = &mut View { pool, classes: None };
            let rule = self.rules.apply(candidate, &mut self.profile, view, t, &kinds, &mut out);
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
