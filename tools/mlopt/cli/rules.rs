//! `mlopt rules`: lists the rules of `egg-optimize`. `docs/rules.md` is its output.

use crate::cli::output;
use mlopt_passes::optimise::rules::{Driver, SETS};
use mlopt_runtime::failure::Failure;
use std::fmt::Write as _;

/// List the rules of egg-optimize: law, condition, and required properties of the numbers
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  mlopt rules | grep sum")]
pub struct Rules {}

impl Rules {
    pub fn execute(&self) -> Result<(), Failure> {
        output::write(None, page())
    }
}

const HEAD: &str = "\
# The rules of `egg-optimize`

Written by `mlopt rules > docs/rules.md` from `passes/optimise/rules/`. `rules=` of the pass and `--rules=` of \
    `mlopt explain` and
`mlopt equiv` take names of sets and of rules; a name behind `-` takes away: `rules=all,-sum-split`.

What a rule asks of the numbers:

- exact: nothing; every bit stays.
- exact0: nothing where the zeros and ones are structural (`dual.zero`, `dual.one`: what differentiation \
    makes); the user's
  zeros need `nnan`, `ninf` and `nsz`.
- free: nothing; it changes the order of additions only where that is open, inside reductions and scatters.
- fast: the `fastmath` flags that its condition names, on the operators themselves. `reassoc` makes sums and \
    products those
  of real numbers: rounding, overflow and the sign of a zero may change; what is finite stays finite, and NaN \
      does not become
  a finite number.

A rule that is text is shown in the language of [user rules](user-rules.md), in which it is written. Rules that need an
analysis are functions, and their laws are shown as formulas.

Numbers in parentheses: c1, f4 and the like are the rules of Shaikhha et al. (arXiv 2212.10307, Fig. 8); X.1 and so on \
    are those of
the specification of arrays, E.3.
";

/// Describes how the rules of a set are run.
fn about(driver: Driver) -> &'static str {
    match driver {
        Driver::Directed => "always, by the normaliser and in the e-graph",
        Driver::Choice => "in the e-graph, which keeps all forms and extracts the cheapest",
        Driver::Asked => "in the e-graph, only where they are named",
        Driver::AskedDirected => {
            "by the normaliser and in the e-graph, only where they are named: for `normalise-terms`, they cost more"
        }
        Driver::Contract => "after normalisation, once per term, for the cheapest form",
        Driver::Unroll => "after contraction, once per term",
        Driver::Read => {
            "when operations become terms, unless removed; an operation that is not translated becomes an opaque term \
             (one with a region is unchanged)"
        }
    }
}

pub fn page() -> String {
    let mut out = HEAD.to_string();
    for (set, driver, rules) in SETS.iter() {
        let _ = write!(out, "\n## {set}\n\nRun {}.\n\n", about(*driver));
        for rule in rules {
            if let Some(text) = rule.text() {
                let text = text.lines().map(|line| format!("  {line}\n")).collect::<String>();
                let _ = writeln!(out, "- **{}** ({}):\n\n  ```text\n{text}  ```", rule.name, rule.requirement.name());
                continue;
            }
            let when = if rule.when.is_empty() { String::new() } else { format!("\n  When: {}.", escaped(rule.when)) };
            let law = escaped(rule.law);
            let _ = writeln!(out, "- **{}** ({}): {law}.{when}", rule.name, rule.requirement.name());
        }
    }
    out
}

/// Escapes characters that Markdown treats as tags or emphasis.
fn escaped(text: &str) -> String {
    text.replace('<', "&lt;").replace('*', "\\*").replace('_', "\\_")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        assert!(text == super::page(), "docs/rules.md is not up to date; run `mlopt rules > docs/rules.md`");
    }
}
