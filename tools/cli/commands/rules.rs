//! `mlopt rules`: lists the rules of `egg-optimize`. `docs/rules.md` is its output.

use crate::commands::output;
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

const HEAD: &str = include_str!("help/rules.md");

/// Describes how the rules of a set are run.
fn about(driver: Driver) -> &'static str {
    match driver {
        Driver::Directed => "always, by the normaliser and in the e-graph",
        Driver::Choice => "in the e-graph, which keeps all forms and extracts the cheapest",
        Driver::Asked => "in the e-graph, only if the option names them",
        Driver::AskedDirected => {
            "by the normaliser and in the e-graph, only if the option names them: their results may cost more, and \
             then only `normalise-terms` keeps them"
        }
        Driver::Contract => "after normalisation, once per term, for the cheapest form",
        Driver::Unroll => "after contraction, once per term",
        Driver::Read => {
            "when operations are translated to terms, unless the option removes them; an operation whose rule is \
             removed becomes an opaque term, or remains unchanged if it has a region"
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
