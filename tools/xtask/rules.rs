//! `cargo xtask check rules`: counts the rules of the optimiser that are text, and those that are Rust functions. It
//! fails if there are more functions than `rules.txt` permits; this number may only fall.
//!
//! The counted rules are those of `docs/rules.md`; a test checks that this page shows every rule. The rules of the set
//! `reading`, which translate ops to terms, are not counted.

use crate::error::Error;
use crate::layout::{Count, compare};
use crate::root;
use crate::tree::read;

/// The set of rules that translate ops to terms.
const READINGS: &str = "reading";

/// Prints the counts.
///
/// # Errors
/// The number of functions, if it is above its bound.
pub fn check() -> Result<(), Error> {
    let (texts, functions) = count(&read(&root().join("docs/rules.md"))?);
    println!("rules as text: {texts}");
    compare(&[Count { name: "rules as functions".into(), found: functions, examples: String::new() }], "rules.txt")
}

/// Returns the number of rules that the page shows as text, and as formulas.
fn count(page: &str) -> (usize, usize) {
    let sets = page.split("\n## ").skip(1).filter(|set| set.lines().next() != Some(READINGS));
    let rules: Vec<&str> = sets.flat_map(|set| set.split("\n- **").skip(1)).collect();
    let texts = rules.iter().filter(|rule| rule.contains("```text")).count();
    (texts, rules.len() - texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_functions_are_counted() {
        let page = "# Rules\n\n## reading\n\n- **r** (exact): a = b.\n\n## ring\n\n- **x** (exact):\n\n  ```text\n  \
                    (rule x)\n  ```\n- **y** (fast): c = d.\n  When: e.\n";
        assert_eq!(count(page), (1, 1));
    }
}
