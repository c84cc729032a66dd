//! Tests of every rule: a case in which it applies, of which both sides are evaluated, and a case that its condition
//! rejects.

use super::gradients::check_step;
use super::text::Text;
use egg::Id;
use mlopt_passes::optimise::rules::{Rule, View, every};

/// Returns the cases: a rule, a term to which it applies, and one to which it does not.
pub fn cases() -> Vec<(&'static str, &'static str, &'static str)> {
    let lines = include_str!("laws.cases").lines().filter(|line| !line.is_empty() && !line.starts_with(';'));
    let (mut name, mut fires, mut all) = ("", "", vec![]);
    for line in lines {
        match (line.strip_prefix("+ "), line.strip_prefix("- ")) {
            (Some(term), _) => fires = term,
            (_, Some(term)) => all.push((name, fires, term)),
            _ => name = line,
        }
    }
    all
}

pub fn rule(name: &str) -> Rule<'static> {
    every().map(|(_, r)| r).find(|r| r.name == name).unwrap_or_else(|| panic!("there is no rule {name}"))
}

/// Returns all subterms, each once.
pub fn subterms(text: &Text, t: Id) -> Vec<Id> {
    let (mut seen, mut todo) = (vec![], vec![t]);
    while let Some(t) = todo.pop() {
        if !seen.contains(&t) {
            seen.push(t);
            todo.extend(&text.pool.node(t).children);
        }
    }
    seen
}

/// Returns every application of the rule in the term: (left, right).
pub fn applications(text: &mut Text, rule: Rule<'static>, t: Id) -> Vec<(Id, Id)> {
    let mut found = Vec::new();
    for left in subterms(text, t) {
        let mut out = Vec::new();
        rule.apply(&mut View { pool: &mut text.pool, classes: None }, left, &mut out);
        found.extend(out.into_iter().filter(|&r| r != left).map(|right| (left, right)));
    }
    found
}

#[test]
fn every_rule_fires_where_it_holds_and_only_there() {
    for (name, fires, stopped) in cases() {
        let mut text = Text::new();
        let t = text.term(fires);
        let found = applications(&mut text, rule(name), t);
        assert!(!found.is_empty(), "{name} does not fire on {fires}");
        for (left, right) in found {
            for sample in 0..60 {
                let leaves = text.values(sample);
                check_step(&text.pool, name, left, right, sample, &leaves);
            }
        }
        let mut text = Text::new();
        let t = text.term(stopped);
        let found = applications(&mut text, rule(name), t);
        assert!(found.is_empty(), "{name} fires on {stopped}, which its condition must reject");
    }
}

#[test]
fn every_rule_has_a_case() {
    // Readings are not steps: they are tested in `tools/cli/tests/pairs.rs`. Rules on data are tested with the
    // evaluator of functions in `tools/cli/tests/equalities.rs`.
    let elsewhere = ["reading", "data", "data-choice", "expanded"];
    for (_, rule) in every().filter(|(set, _)| !elsewhere.contains(set)) {
        assert!(cases().iter().any(|c| c.0 == rule.name), "the rule {} has no case", rule.name);
    }
}

/// Directed rules do not undo each other: little fuel suffices for every case, and the result is its own normal form.
#[test]
fn normalisation_ends() {
    use mlopt_passes::optimise::normaliser::normalise::Normaliser;
    let directed = mlopt_passes::optimise::rules::Laws::all().directed;
    for (_, fires, stopped) in cases() {
        for source in [fires, stopped] {
            let mut text = Text::new();
            let t = text.term(source);
            let mut normaliser = Normaliser::new(&directed, 300);
            let once = normaliser.normalise(&mut text.pool, t);
            assert!(normaliser.fuel > 0, "no end on {source}");
            let twice = Normaliser::new(&directed, 300).normalise(&mut text.pool, once);
            assert_eq!(once, twice, "{source} has no normal form");
            for sample in 0..20 {
                let leaves = text.values(sample);
                check_step(&text.pool, "normalise", t, once, sample, &leaves);
            }
        }
    }
}
