//! Tests of the built-in rules that are text: both sides agree on random values, and each condition and flag is needed.

use super::laws::{cases, rule, subterms};
use super::text::Text;
use mlopt_dialects::value::Element;
use mlopt_passes::optimise::rules::pattern::{Entry, Pattern, Rule, built_in};
use mlopt_passes::optimise::rules::{SOURCES, View};
use mlopt_passes::optimise::terms::prim::Prim;
use mlopt_passes::optimise::terms::{Flags, Op, Pool};
use mlopt_passes::optimise::user_rules::check;

/// The least number of samples, of 400, for which the conditions of an equation must hold.
const LEAST: usize = 8;

/// Returns all built-in rules that are text.
fn texts() -> Vec<Rule> {
    let files = SOURCES.iter().filter_map(|source| source.3);
    let entries = files.flat_map(|text| built_in(text).unwrap_or_else(|e| panic!("{e}:\n{text}")));
    entries.filter_map(|entry| if let Entry::Text(rule) = entry { Some(rule) } else { None }).collect()
}

#[test]
fn every_function_has_a_place() {
    for (set, _, natives, text) in SOURCES.iter().filter(|source| source.3.is_some()) {
        let entries = built_in(text.unwrap_or_default()).unwrap_or_else(|e| panic!("{set}: {e}"));
        let placed: Vec<String> =
            entries.into_iter().filter_map(|e| if let Entry::Native(name) = e { Some(name) } else { None }).collect();
        for native in *natives {
            let places = placed.iter().filter(|name| *name == native.name).count();
            assert_eq!(places, 1, "places of {} in the text of {set}", native.name);
        }
        assert_eq!(placed.len(), natives.len(), "{set}");
    }
}

#[test]
fn every_text_has_a_comment_and_no_old_word() {
    for source in SOURCES.iter().filter_map(|source| source.3) {
        assert!(!source.contains("(licence"));
        for (k, line) in source.lines().enumerate().filter(|(_, line)| line.starts_with("(rule")) {
            let above = source.lines().nth(k.wrapping_sub(1)).unwrap_or_default();
            assert!(above.starts_with(';'), "no comment above {line}");
        }
        assert!(source.lines().all(|line| line.chars().count() <= 120));
    }
}

#[test]
fn both_sides_agree_on_random_values() {
    let mut wrong = vec![];
    for rule in texts() {
        for pattern in &rule.patterns {
            match check(pattern) {
                Ok(held) if held >= LEAST => {}
                Ok(held) => wrong.push(format!("{}, equation {}: {held} samples", rule.name, pattern.equation)),
                Err(e) => wrong.push(format!("{}, equation {}: {e}", rule.name, pattern.equation)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A product of divisors that does not fit the type would wrap to zero.
#[test]
fn divisors_with_a_large_product_stay() {
    let mut pool = Pool::new();
    let x = pool.leaf(Element::I32, vec![]);
    let [fits, wraps] = [(256, 256), (65536, 65536)].map(|(a, b)| {
        let [a, b] = [a, b].map(|d| pool.int(Element::I32, d));
        let inner = pool.prim2(Prim::Div, x, a);
        pool.prim2(Prim::Div, inner, b)
    });
    let mut results = |t| {
        let mut out = vec![];
        rule("divide-quotient").apply(&mut View { pool: &mut pool, classes: None }, t, &mut out);
        out.len()
    };
    assert_eq!((results(fits), results(wraps)), (1, 0));
}

/// The number of attempts limits alternatives, not operands.
#[test]
fn operands_alike_may_be_many() {
    let mut text = Text::sized(3000);
    let rows: Vec<String> = (0..3000).map(|k| format!("(get a {k})")).collect();
    let t = text.term(&format!("(stack {})", rows.join(" ")));
    let mut out = vec![];
    rule("stack-of-gets").apply(&mut View { pool: &mut text.pool, classes: None }, t, &mut out);
    assert_eq!(out, [text.term("a")]);
}

/// The terms of the sum are not read from an array: such a read would be guarded where the number of iterations may be
/// negative.
#[test]
fn recurrences_are_sums_without_arrays() {
    let mut text = Text::new();
    let t = text.term("(fold i n 0 (s x (+!r (*!r s y) (get a i))))");
    let mut out = vec![];
    rule("affine-recurrence").apply(&mut View { pool: &mut text.pool, classes: None }, t, &mut out);
    assert!(!out.is_empty());
    let terms = out.into_iter().flat_map(|sum| subterms(&text, sum));
    assert_eq!(terms.filter(|&t| text.pool.op(t) == Op::Build).count(), 0);
}

/// Conditions without which the equation is true as well, and no case is rejected: they keep a rule as narrow as its
/// purpose.
const NARROW: &[(&str, usize, usize)] = &[
    // Remainders by negative multiples.
    ("divide-quotient", 1, 0),
    ("divide-quotient", 1, 1),
    ("divide-quotient", 2, 0),
    ("divide-quotient", 2, 1),
    // An operation with one operand only gives it, or a constant, if it is known.
    ("cond-out", 0, 0),
    ("cond-out", 0, 1),
    ("cond-out", 1, 0),
    ("cond-out", 1, 2),
    // Types are no values.
    ("tuple-of-parts", 0, 0),
    ("transform-of-inverse", 0, 0),
    ("transform-of-inverse", 1, 0),
    ("transform-of-data", 0, 0),
    ("transform-of-data", 1, 0),
    // Division by infinity is a product with zero.
    ("divide-by-constant", 1, 0),
];

/// Equations whose flags no test may need, because a condition requires them as well: without them only the sign of a
/// zero is wrong, for few random values.
const IMPLIED: &[(&str, usize)] = &[
    // A sum is masked only if `reassoc` splits it.
    ("distribute-mask", 4),
    ("distribute-mask", 5),
];

/// Checks whether a test rejects a rule: on random values, or in a case in which it must not apply.
fn is_rejected(rule: &Rule) -> bool {
    let fires = |stopped: &str| {
        let mut text = Text::new();
        let t = text.term(stopped);
        subterms(&text, t).into_iter().any(|t| {
            let mut out = vec![];
            rule.apply(&mut View { pool: &mut text.pool, classes: None }, t, &mut out);
            out.iter().any(|&r| r != t)
        })
    };
    rule.patterns.iter().any(|p| check(p).is_err())
        || cases().into_iter().any(|(name, _, stopped)| name == rule.name && fires(stopped))
}

/// Returns the rule with a change in all patterns of one equation.
fn changed(name: &str, equation: usize, change: impl Fn(&mut Pattern)) -> Rule {
    let mut rule = texts().into_iter().find(|r| r.name == name).expect("it is one of them");
    rule.patterns.iter_mut().filter(|p| p.equation == equation).for_each(change);
    rule
}

#[test]
fn every_condition_and_flag_is_needed() {
    let mut missed = vec![];
    for rule in texts() {
        let equations = rule.patterns.last().map_or(0, |p| p.equation + 1);
        for equation in 0..equations {
            let Some(first) = rule.patterns.iter().find(|p| p.equation == equation) else { continue };
            for k in 0..first.conditions.len() {
                let without = changed(&rule.name, equation, |p| {
                    p.conditions.remove(k);
                });
                if !is_rejected(&without) && !NARROW.contains(&(rule.name.as_str(), equation, k)) {
                    missed.push(format!("{}, equation {equation}, condition {k}", rule.name));
                }
            }
            for bit in (0..7).map(|k| 1 << k).filter(|bit| first.flags.0 & bit != 0) {
                let without = changed(&rule.name, equation, |p| p.flags = Flags(p.flags.0 & !bit));
                if !is_rejected(&without) && !IMPLIED.contains(&(rule.name.as_str(), equation)) {
                    missed.push(format!("{}, equation {equation}, flag {}", rule.name, Flags(bit).words(true)));
                }
            }
        }
    }
    assert!(missed.is_empty(), "no test fails without these:\n{}", missed.join("\n"));
}
