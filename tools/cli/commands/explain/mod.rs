//! `mlopt explain`: shows the rewrites that `egg-optimize` applies to a program, step by step.

mod html;

use crate::commands::output;
use crate::commands::pipeline_check::read_through;
use crate::commands::rewriting::Rewriting;
use mlopt_dialects::text::count;
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_passes::optimise::egg_optimize::{Code, Rewriter};
use mlopt_passes::optimise::explanation::explain::{Explanation, Step};
use mlopt_passes::optimise::rules::profile::{self, Profile};
use mlopt_runtime::entry::{functions, place};
use mlopt_runtime::failure::Failure;
use mlopt_runtime::streams::compiled::Compiled;
use mlopt_runtime::streams::flat::Flat;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Explain the rewrites of egg-optimize, step by step
#[derive(clap::Args)]
#[command(after_help = include_str!("../help/explain.txt").trim_ascii_end())]
pub struct Explain {
    /// The program, text or bytecode; `-` is the standard input
    file: PathBuf,
    /// The function to explain; all of them by default
    #[arg(long, value_name = "@NAME")]
    function: Option<String>,
    /// Passes to run first
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    #[command(flatten)]
    rewriting: Rewriting,
    /// Also show the steps that only sort operands
    #[arg(long)]
    all: bool,
    /// Show a table of the rules instead of the steps: matches, applications, e-nodes added, steps to the result, and
    /// time
    #[arg(long, value_name = "COLUMNS", num_args = 0..=1, require_equals = true, default_missing_value = "times")]
    #[arg(conflicts_with_all = ["all", "html"])]
    profile: Option<Columns>,
    /// Write an interactive page instead of the text
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Columns {
    /// All columns except times, which differ from run to run
    Counts,
    /// All columns
    Times,
}

/// A function with the explanation of its rewrites.
struct Explained {
    name: String,
    place: String,
    /// The cost of all its terms, before and after.
    cost: [f64; 2],
    pieces: Vec<Explanation>,
    /// The table of the rules, if requested.
    profile: Option<String>,
    result: String,
}

impl Explain {
    pub fn execute(&self) -> Result<(), Failure> {
        mlopt_lowering::register_passes();
        let rewriting = self.rewriting.settle()?;
        let (program, _) = read_through(&self.file, self.pass_pipeline.as_deref(), Some(&pipeline_text(&[])))?;
        // A node is explained through the functions that run it.
        if !Flat::nodes(&program).is_empty() {
            program.run_pipeline(&Compiled::to_functions())?;
        }
        let laws = rewriting.laws();
        let mut explained = Vec::new();
        let chosen = functions(program.module(), self.function.as_deref())?;
        if chosen.is_empty() {
            let place = place(program.module().location());
            return Err(Failure::at(place, "expected a function with a body or a node in the program, found none"));
        }
        for function in chosen {
            let mut rewriter = Rewriter::new(&laws, rewriting.options);
            rewriter.code = Code::ALL;
            rewriter.explanations = Some(Vec::new());
            rewriter.profile = self.profile.map(|_| Profile::default());
            rewriter.rewrite(function);
            let profile = rewriter.profile.take().zip(self.profile);
            explained.push(Explained {
                name: function.symbol().unwrap_or_default(),
                place: place(function.location()),
                cost: [rewriter.before, rewriter.after],
                profile: profile.map(|(profile, columns)| profile.table(&laws, columns.wanted())),
                pieces: self.chosen(rewriter.explanations.unwrap_or_default()),
                result: function.to_string(),
            });
        }
        match &self.html {
            Some(path) => output::write(Some(path), html::page(&explained)),
            None => output::write(None, explained.iter().map(text).collect::<String>()),
        }
    }
}

impl Columns {
    fn wanted(self) -> profile::Columns {
        match self {
            Columns::Counts => profile::Columns::Counts,
            Columns::Times => profile::Columns::Times,
        }
    }
}

impl Explain {
    fn chosen(&self, mut pieces: Vec<Explanation>) -> Vec<Explanation> {
        if !self.all && self.profile.is_none() {
            pieces.iter_mut().for_each(|p| p.steps.retain(|s| s.rule != SORTING));
        }
        pieces
    }
}

/// The least informative rule.
const SORTING: &str = "sort-operands";

fn text(f: &Explained) -> String {
    let mut out = String::new();
    let steps: usize = f.pieces.iter().map(|p| p.steps.len()).sum();
    let [before, after] = f.cost;
    let counted = count(steps, "step");
    let _ = writeln!(out, "@{} at {}: {counted}, cost {before:.0} before, {after:.0} after", f.name, f.place);
    if let Some(table) = &f.profile {
        return format!("{out}{table}\n");
    }
    if steps == 0 && !f.pieces.is_empty() {
        out.push_str(PLACED);
    }
    out.push_str(&listed(f.pieces.iter().flat_map(|p| &p.steps)));
    let _ = writeln!(out, "\nresult:\n{}", f.result);
    out
}

/// The explanation of a function whose terms no rule has changed.
const PLACED: &str = "no rule was applied: the same terms are placed again, with invariants outside of loops, equal \
                      values computed once, loops over the same indices fused, and bulk operations recognised\n";

/// Formats numbered steps.
pub fn listed<'s>(steps: impl Iterator<Item = &'s Step>) -> String {
    let mut out = String::new();
    for (k, step) in steps.enumerate() {
        let _ = writeln!(out, "\n{}. {}", k + 1, heading(step));
        let _ = writeln!(out, "   law:  {}{}", step.law, if step.forward { "" } else { "   (from right to left)" });
        if !step.when.is_empty() {
            let _ = writeln!(out, "   when: {}", step.when);
        }
        if !step.locations.is_empty() {
            let _ = writeln!(out, "   at:   {}", step.locations.join(", "));
        }
        let _ = write!(out, "   before:\n{}   after:\n{}", indented(&step.before), indented(&step.after));
    }
    out
}

fn heading(step: &Step) -> String {
    format!("{} ({}, {})", step.rule, step.set, step.requirement)
}

fn indented(text: &str) -> String {
    text.lines().map(|l| format!("     {l}\n")).collect()
}
