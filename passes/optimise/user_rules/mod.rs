//! User rules: equations between terms, in a text file (docs/user-rules.md).
//!
//! ```text
//! ; Logarithms are taken apart where that is licensed.
//! (rule log-of-product
//!   ((x f64) (y f64))
//!   (log (* x y))
//!   (+ (log x) (log y))
//!   (licence nnan ninf))
//! ```
//!
//! User rules are alternatives: the e-graph applies them from left to right, and the cheapest form is selected. The
//! text is compiled to patterns (`rules/pattern`), which are checked on random values. This module may use `terms`,
//! `rules` and the normaliser. It must not depend on MLIR: the check evaluates terms.

mod check;
mod compile;

pub use check::Counterexample;
#[cfg(test)]
pub(crate) use check::Latitude;

pub use crate::optimise::rules::pattern::{Rule, Rules};

use mlopt_dialects::text::terms::{Term, read};
use mlopt_dialects::text::{Problem, utf8};
use std::path::Path;

/// The extension of files with rules.
const EXTENSION: &str = ".rules";

impl Rules {
    /// Parses and checks a text of rules. The error is the first fault.
    pub fn parse(text: &str) -> Result<Rules, Problem> {
        let mut rules: Vec<Rule> = Vec::new();
        for term in read(text)? {
            let rule = Rule::compile(&term)?;
            if let Some(first) = rules.iter().find(|r| r.name == rule.name) {
                return Err(term.error(format!("the rule `{}` is defined twice, first at {}", rule.name, first.at)));
            }
            rules.push(rule);
        }
        Ok(Rules { rules })
    }

    /// Loads the rules of a file. An error starts with the name of the file.
    pub fn load(path: &Path) -> Result<Rules, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        utf8(&bytes).and_then(Rules::parse).map_err(|e| format!("{}:{e}", path.display()))
    }

    /// Separates the entries of `list` into files, which end with `.rules`, and names; empty entries are ignored.
    /// Returns the names and the rules of the files. With `check`, rules that fail on random values are errors too.
    pub fn load_all<'n>(list: &[&'n str], check: bool) -> Result<(Vec<&'n str>, Vec<Rules>), String> {
        let entries = list.iter().copied().filter(|item| !item.trim().is_empty());
        let (files, names): (Vec<&str>, Vec<&str>) = entries.partition(|item| item.ends_with(EXTENSION));
        let mut loaded = Vec::new();
        for file in files {
            let rules = Rules::load(Path::new(file))?;
            if check {
                rules.check().map_err(|(rule, found)| {
                    format!("{file}:{}: error: the rule `{}` is false: {found}", rule.at, rule.name)
                })?;
            }
            loaded.push(rules);
        }
        Ok((names, loaded))
    }

    /// Returns the first rule that fails on random values, with these values.
    pub fn check(&self) -> Result<(), (&Rule, Counterexample)> {
        self.rules.iter().try_for_each(|r| r.check().map_err(|c| (r, c)))
    }
}

impl Rule {
    fn compile(term: &Term) -> Result<Rule, Problem> {
        compile::rule(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::rules::View;
    use crate::testing::text::Text;
    use egg::Id;

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
        let laws = crate::optimise::rules::Laws::all();
        let mut normaliser = crate::optimise::normaliser::normalise::Normaliser::new(&laws.directed, 1000);
        let wanted = normaliser.normalise(&mut text.pool, wanted);
        let found = normaliser.normalise_all(&mut text.pool, &out);
        assert!(found.contains(&wanted), "{term} does not become {result}");
    }

    const EXP: &str = "(rule exp-of-sum ((x f64) (y f64)) (exp (+ x y)) (* (exp x) (exp y)) (licence reassoc))";
    const DISTANCE: &str = "
        (rule halves ((v f64 n) (w f64 n) (c f64))
          (sumOuter (build1 n i (+ (* c (index v (i))) (index w (i)))))
          (+ (* c (sumOuter v)) (sumOuter w))
          (licence reassoc nnan ninf nsz))";

    #[test]
    fn scalars_match_with_their_licence() {
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
            "1:35: error: the left side does not determine `y`; use it there"
        );
        assert_eq!(
            error("(rule a ((x f64)) x x)"),
            "1:19: error: expected an operator on the left, found `x`, which would match every term"
        );
        assert_eq!(error("(rule a ((x f64)) (foo x) x)"), "1:19: error: unknown operator `foo`");
        assert_eq!(
            error("(rule a ((x f65)) (exp x) x)"),
            "1:13: error: expected a kind, one of f32 f64 i32 i64 index bool, found `f65`"
        );
        assert_eq!(
            error("(rule a ((x f64)) (exp x) x (licence quick))"),
            "1:38: error: expected a flag, one of reassoc nnan ninf nsz arcp contract afn fast, found `quick`"
        );
        assert_eq!(
            error("(rule a ((x f64)) (exp x) x\n"),
            "2:1: error: expected `)` for the `(` at 1:1, found the end of the text"
        );
        assert_eq!(error(&format!("{EXP}\n{EXP}")), "2:1: error: the rule `exp-of-sum` is defined twice, first at 1:1");
        assert_eq!(
            error("(rule inf ((x f64)) (exp x) x)"),
            "1:7: error: expected the name of the rule, found `inf`, which reads as a number"
        );
        assert_eq!(
            error("(rule sum-split ((x f64)) (exp x) x)"),
            "1:7: error: `sum-split` is the name of a built-in rule; choose another name"
        );
    }

    #[test]
    fn false_rules_are_found_out() {
        for wrong in [
            "(rule wrong ((x f64) (y f64)) (exp (+ x y)) (+ (exp x) (exp y)) (licence fast))",
            "(rule wrong ((x f64) (y f64) (z f64)) (+ (+ x y) z) (+ x (+ y z)))",
            "(rule wrong ((i i64)) (div (* i 3) 3) i)",
            "(rule wrong ((i i32)) (div (* i 65536) 65536) i)",
            "(rule wrong ((i i64)) (< (+ i 1) i) (< 1 0))",
            "(rule wrong ((i index)) (< (+ i 1) i) (< 1 0))",
            "(rule wrong ((v f64 n)) (maxOuter v) (max (index v (0)) (maxOuter v)))",
            "(rule wrong ((v f64 n)) (maxOuter v) (ifold (s i) (max s (index v (i))) (index v (0)) n))",
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
            "(rule right ((x f64) (y f64) (z f64)) (+ (+ x y) z) (+ x (+ y z)) (licence reassoc))",
            "(rule right ((v f64 n)) (sumOuter v) (ifold (s i) (+ s (index v (i))) 0.0 n))",
            "(rule right ((x f64)) (* (* x 1e300) 1e-300) x (licence fast))",
        ] {
            let rules = Rules::parse(right).unwrap_or_else(|e| panic!("{right}: {e}"));
            rules.check().unwrap_or_else(|(_, found)| panic!("{right}: {found}"));
        }
    }
}
