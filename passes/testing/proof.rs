//! Tests of proofs that two terms are equal.

use super::text::Text;
use egg::Id;
use mlopt_passes::optimise::explanation::proof::Proofs;
use mlopt_passes::optimise::normaliser::normalise::Step;

fn step(rule: &'static str, left: Id, right: Id) -> Step<'static> {
    Step { rule, left, right }
}

#[test]
fn a_path_goes_through_operands_and_backwards() {
    let mut text = Text::new();
    let mut t = |s: &str| text.term(s);
    let (a, b, c) = (t("(exp (+ x y))"), t("(exp (* x z))"), t("(sin z)"));
    let (inner, middle, other) = (t("(+ x y)"), t("(+ y x)"), t("(* x z)"));
    let goal = t("(exp (+ y x))");
    // exp(x·z) = sin z is derived from right to left: x + y = y + x; y + x = x·z.
    let steps = [step("first", inner, middle), step("second", middle, other), step("third", c, b)];
    let path = Proofs::path(&text.pool, &steps, [(a, c)]).expect("they are equal");
    let rules: Vec<(&str, bool)> = path.iter().map(|l| (l.rule, l.forward)).collect();
    assert_eq!(rules, [("first", true), ("second", true), ("third", false)]);
    assert_eq!(Proofs::path(&text.pool, &steps, [(a, goal)]).map(|p| p.len()), Some(1));
    assert_eq!(Proofs::path(&text.pool, &steps[1..], [(a, goal)]), None);
}
