//! User rules: equations between terms, in a text file (docs/user-rules.md).
//!
//! ```text
//! ; Logarithms are taken apart where that is allowed.
//! (rule log-of-product
//!   ((x f64) (y f64))
//!   (log (* x y))
//!   (+ (log x) (log y))
//!   (fastmath nnan ninf))
//! ```
//!
//! User rules are alternatives: the e-graph applies them from left to right, and the cheapest form is selected. The
//! text is compiled to patterns (`rules/pattern`), which are checked on random values. This module may use `terms`,
//! `rules` and the normaliser. It must not depend on MLIR: the check evaluates terms.

mod check;

pub use check::{Counterexample, Latitude, check};

use crate::optimise::normaliser::normalise::Normaliser;
use crate::optimise::rules::pattern::compile;
pub use crate::optimise::rules::pattern::{Rule, Rules};
use crate::optimise::rules::{Laws, every};

use mlopt_dialects::text::terms::read;
use mlopt_dialects::text::{Problem, utf8};
use std::path::Path;

/// The extension of files with rules.
const EXTENSION: &str = ".rules";

/// The fuel for bringing a left side into the normal form.
const FUEL: u64 = 10_000;

impl Rules {
    /// Parses and checks a text of rules. The error is the first fault.
    pub fn parse(text: &str) -> Result<Rules, Problem> {
        let fusion = Laws::named(&["array"]).expect("a set of rules").directed;
        let mut found = Rules::default();
        for term in read(text)? {
            if let Some([_, name, ..]) = term.list()
                && let Some(word) = name.name()
                && every().any(|(set, rule)| set == word || rule.name == word)
            {
                return Err(name.error(format!("`{word}` is the name of a built-in rule; choose another name")));
            }
            let mut normal = |pool: &mut _, left| Normaliser::new(&fusion, FUEL).normalise(pool, left);
            let rule = compile(&term, text, &mut normal, &mut found.warnings)?;
            if let Some(first) = found.rules.iter().find(|r| r.name == rule.name) {
                return Err(term.error(format!("the rule `{}` is defined twice, first at {}", rule.name, first.at)));
            }
            found.rules.push(rule);
        }
        Ok(found)
    }

    /// Loads the rules of a file. An error starts with the name of the file.
    pub fn load(path: &Path) -> Result<Rules, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let rules = utf8(&bytes).and_then(Rules::parse).map_err(|e| format!("{}:{e}", path.display()))?;
        Ok(Rules { file: path.display().to_string(), ..rules })
    }

    /// Returns the warnings about the text, each with its position.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.warnings.iter().map(|w| format!("{}:{}: warning: {}", self.file, w.at, w.text))
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
