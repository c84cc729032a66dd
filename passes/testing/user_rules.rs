//! Tests of user rules: matches, errors in their text, and the check on random values.

use super::text::Text;
use egg::Id;
use mlopt_passes::optimise::normaliser::normalise::Normaliser;
use mlopt_passes::optimise::rules::{Laws, View};
use mlopt_passes::optimise::terms::Flags;
use mlopt_passes::optimise::user_rules::Rules;

fn error(text: &str) -> String {
    match Rules::parse(text) {
        Ok(_) => panic!("{text} is accepted"),
        Err(e) => e.to_string(),
    }
}

fn forms(rule: &str, term: &str) -> Vec<Id> {
    let rules = Rules::parse(rule).unwrap_or_else(|e| panic!("{e}"));
    rules.check().unwrap_or_else(|(r, c)| panic!("{}: {c}", r.name));
    let mut text = Text::new();
    let t = text.term(term);
    let mut out = Vec::new();
    rules.rules[0].apply(&mut View { pool: &mut text.pool, classes: None }, t, &mut out);
    out
}

fn becomes(rule: &str, term: &str, result: &str) {
    let rules = Rules::parse(rule).unwrap_or_else(|e| panic!("{e}"));
    let mut text = Text::new();
    let (t, wanted) = (text.term(term), text.term(result));
    let mut out = Vec::new();
    rules.rules[0].apply(&mut View { pool: &mut text.pool, classes: None }, t, &mut out);
    let laws = Laws::all();
    let mut normaliser = Normaliser::new(&laws.directed, 1000);
    let wanted = normaliser.normalise(&mut text.pool, wanted);
    let found = normaliser.normalise_all(&mut text.pool, &out);
    assert!(found.contains(&wanted), "{term} does not become {result}");
}

const EXP: &str = "(rule exp-of-sum ((x f64) (y f64)) (exp (+ x y)) (* (exp x) (exp y)) (fastmath reassoc))";
const DISTANCE: &str = "
    (rule halves ((v f64 n) (w f64 n) (c f64))
      (sumOuter (build1 n i (+ (* c (index v (i))) (index w (i)))))
      (+ (* c (sumOuter v)) (sumOuter w))
      (fastmath reassoc nnan ninf nsz))";

#[test]
fn scalars_match_with_their_flags() {
    assert_eq!(forms(EXP, "(exp!r (+!r x y))").len(), 2, "in both orders");
    assert_eq!(forms(EXP, "(exp!r (+ x y))").len(), 0, "the addition has no flags");
    becomes(EXP, "(exp!r (+!r x 2.0))", "(*!r (exp!r x) (exp!r 2.0))");
}

#[test]
fn arrays_match_what_they_hold_at_each_index() {
    becomes(
        DISTANCE,
        "(sum i 5 (+!rf (*!rf x (get a i)) (exp (get b i))))",
        "(+!rf (*!rf x (sum i 5 (get a i))) (sum i 5 (exp (get b i))))",
    );
    // The factor depends on the index.
    assert_eq!(forms(DISTANCE, "(sum i 5 (+!rf (*!rf (get a i) (get b i)) (get b i)))").len(), 0);
    // An array of one element, which the right side does not read, reads as zero from its second position on.
    let zero = "(rule beyond ((v f64 1) (n index))
      (prodOuter (build1 n i (* 1.5 (index v (i)))))
      0.0
      (when (< 1 n))
      (fastmath nnan ninf nsz))";
    assert_eq!(forms(zero, "(prod i 5 (*!f 1.5 (get a i)))").len(), 0, "the array has five elements");
}

const LAST: &str =
    "(rule last ((e map f64) (z f64) (n index)) (ifold (s i) (e i) z n) (cond (inside 0 n) (e (- n 1)) z))";

#[test]
fn maps_match_what_depends_on_their_arguments() {
    becomes(LAST, "(fold i 4 0 (s x (exp (get a i))))", "(exp (get a 3))");
    becomes(LAST, "(fold i n 0 (s x (get a i)))", "(if (lt 0 n) (get a (-i n 1)) x)");
    assert_eq!(forms(LAST, "(fold i 4 0 (s x (* s (get a i))))").len(), 0, "it depends on the state");
}

#[test]
fn conditions_must_be_proved() {
    let rule = "(rule clamp ((i index) (n index)) (max i n) n (when (< i n)))";
    assert_eq!(forms(rule, "(build i 5 (if (eq (maxi i 5) 5) x y))").len(), 0, "not at the root");
    let mut text = Text::new();
    let t = text.term("(build i 5 (maxi i 5))");
    let body = text.pool.child(t, 1);
    let rules = Rules::parse(rule).unwrap();
    let mut out = Vec::new();
    rules.rules[0].apply(&mut View { pool: &mut text.pool, classes: None }, body, &mut out);
    assert_eq!(out, [text.pool.index(5)]);
}

#[test]
fn faults_are_said_where_they_are() {
    assert_eq!(error("(rule a ((x f64)) (exp x) y)"), "1:27: error: unknown variable `y`; the rule declares `x`");
    assert_eq!(error("(rule a ((x f64) (n index)) (exp n) x)"), "1:34: error: `exp` takes f64 or f32, found index");
    assert_eq!(
        error("(rule a ((x f64) (v f64 n))\n (exp x)\n v)"),
        "3:2: error: expected f64, the type of the left side, found f64 with 1 axis"
    );
    assert_eq!(
        error("(rule a ((x f64) (y f64)) (exp x) y)"),
        "1:35: error: the left side does not determine `y`; use `y` on the left as well"
    );
    assert_eq!(
        error("(rule a ((x f64)) x x)"),
        "1:19: error: expected an operator on the left, found `x`, which would match every term"
    );
    assert_eq!(error("(rule a ((x f64)) (foo x) x)"), "1:19: error: unknown operator `foo`");
    assert_eq!(
        error("(rule a ((x f65)) (exp x) x)"),
        "1:13: error: expected a kind: a type (`f16`, `bf16`, `f32`, `f64`, `i8`, `i16`, `i32`, `i64`, `index`, \
         `bool`), a class of types (`float`, `integer`, `wide`, `number`, `scalar`), or one of `any`, `tuple`, \
         `list`, `env`, `position`, \
         `key`, `many`, `operation`, found `f65`"
    );
    assert_eq!(
        error("(rule a ((xs many)) (head xs) (head xs))"),
        "1:27: error: `head` takes one term here, found terms of the kind `many`"
    );
    assert_eq!(
        error("(rule a ((a any) (is many) (js many)) (aget a is js) a)"),
        "1:50: error: `aget` takes at most one variable of the kind `many`"
    );
    assert_eq!(
        error("(rule a ((e map f64) (n index)) (sumOuter (build1 n i (e 0))) 0.0)"),
        "1:33: error: on the left, every application of a map must have the same arguments, which must be \
         distinct bound indices or states"
    );
    assert_eq!(
        error("(rule a ((e map f64) (n index)) (sumOuter (build1 n i (e i))) (+ e 0.0))"),
        "1:66: error: the map `e` must be applied to indices or states"
    );
    assert_eq!(
        error("(rule a ((x any) (y any)) (head x) (aget x y))"),
        "1:36: error: `aget`, `aset` and `linear` may occur on the right only if the left side applies the same \
         operation at its root"
    );
    assert_eq!(
        error("(rule a ((v f64 n) (n f64)) (sumOuter v) n)"),
        "1:23: error: expected the kind `index`, because `n` is a size, found `f64`"
    );
    assert_eq!(
        error("(rule a ((x f64)) (exp x) (exp (canonical x)))"),
        "1:43: error: `canonical` takes an integer here, found f64"
    );
    assert_eq!(
        error("(rule a ((c bool) (v f64 n)) (cond c (sumOuter v) 0.0) (cond c (sumOuter (assuming c v)) 0.0))"),
        "1:86: error: `assuming` takes a term without sizes here, found f64 with 1 axis"
    );
    let twice = error("(rule a ((i index)) (max i 0) i (when (< 0 i)) (when (< 1 i)))");
    assert!(twice.contains("at most one `(when CONDITION…)`"), "{twice}");
    assert_eq!(
        error("(rule a ((x f64)) (exp x) x (fastmath quick))"),
        "1:39: error: expected a flag, one of `reassoc`, `nnan`, `ninf`, `nsz`, `arcp`, `contract`, `afn`, \
         `fast`, found `quick`"
    );
    assert_eq!(
        error("(rule a ((x f64)) (exp x) x\n"),
        "2:1: error: expected `)` for the `(` at 1:1, found the end of the text"
    );
    assert_eq!(error(&format!("{EXP}\n{EXP}")), "2:1: error: the rule `exp-of-sum` is defined twice, first at 1:1");
    assert_eq!(
        error("(rule inf ((x f64)) (exp x) x)"),
        "1:7: error: expected the name of the rule, found `inf`, which is parsed as a number"
    );
    assert_eq!(
        error("(rule sum-split ((x f64)) (exp x) x)"),
        "1:7: error: `sum-split` is the name of a built-in rule; choose another name"
    );
}

#[test]
fn an_old_word_is_a_warning() {
    let rules = Rules::parse("(rule a ((x f64)) (exp x) (exp x) (licence reassoc))").unwrap();
    let warnings: Vec<String> = rules.warnings().collect();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].ends_with("warning: `licence` is now `fastmath`; the old word will be removed"));
    assert_eq!(rules.rules[0].patterns[0].flags, Flags::REASSOC);
}

#[test]
fn false_rules_are_found_out() {
    for wrong in [
        "(rule wrong ((x f64) (y f64)) (exp (+ x y)) (+ (exp x) (exp y)) (fastmath fast))",
        "(rule wrong ((x f64) (y f64) (z f64)) (+ (+ x y) z) (+ x (+ y z)))",
        "(rule wrong ((i i64)) (div (* i 3) 3) i)",
        "(rule wrong ((i i32)) (div (* i 65536) 65536) i)",
        "(rule wrong ((i i64)) (< (+ i 1) i) (< 1 0))",
        "(rule wrong ((i index)) (< (+ i 1) i) (< 1 0))",
        "(rule wrong ((v f64 n)) (maxOuter v) (max (index v (0)) (maxOuter v)))",
        "(rule wrong ((xs many) (ys many) (i position)) (tset i (tuple xs) (get i (tuple ys))) (tuple xs))",
        "(rule wrong ((a any) (is many) (js many) (v any)) (aget (aset a is v) js) (aget a js))",
        "(rule wrong ((f operation) (x any) (y any)) (f x y) (f y x))",
        "(rule wrong ((v f64 n)) (maxOuter v) (ifold (s i) (max s (index v (i))) (index v (0)) n))",
        "(rule wrong ((e map f64) (z f64) (n index)) (ifold (s i) (e i) z n) (e (- n 1)))",
        "(rule wrong ((c bool) (p map bool) (e map f64) (n index))
          (sumOuter (build1 n i (cond (and c (p i)) (e i) zero))) (sumOuter (build1 n i (cond (p i) (e i) zero))))",
    ] {
        let rules = Rules::parse(wrong).unwrap_or_else(|e| panic!("{wrong}: {e}"));
        let (rule, found) = rules.check().err().unwrap_or_else(|| panic!("{wrong} passes"));
        assert_eq!(rule.name, "wrong");
        assert!(found.to_string().starts_with("for "), "{found}");
    }
}

#[test]
fn true_rules_pass() {
    for right in [
        "(rule right ((i i64) (j i64)) (- (+ i j) j) i)",
        "(rule right ((i index) (n index)) (max i n) n (when (< i n)))",
        "(rule right ((v f64 n)) (maxOuter v) (max (index v (0)) (maxOuter v)) (when (< 0 n)))",
        "(rule right ((x f64) (y f64) (z f64)) (+ (+ x y) z) (+ x (+ y z)) (fastmath reassoc))",
        "(rule right ((v f64 n)) (sumOuter v) (ifold (s i) (+ s (index v (i))) 0.0 n))",
        "(rule right ((x f64)) (* (* x 1e300) 1e-300) x (fastmath fast))",
        "(rule right ((xs many) (i position)) (get i (tuple xs)) (get i xs))",
        "(rule right ((i position) (n index) (t tuple)) (tuple (each i n (get i t))) t (when (same-type t)))",
        "(rule right ((f operation) (c bool) (a any) (b any)) (f (cond c a b)) (cond c (f a) (f b)))",
        LAST,
    ] {
        let rules = Rules::parse(right).unwrap_or_else(|e| panic!("{right}: {e}"));
        rules.check().unwrap_or_else(|(_, found)| panic!("{right}: {found}"));
    }
}
