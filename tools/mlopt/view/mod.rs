//! `mlopt view`: pictures of what the compiler works on.

mod diagram;
mod egraph;
mod layers;

use crate::cli::{self, Failure};
use crate::explain::functions;
use crate::rewriting::Rewriting;
use crate::run::{check_pipeline, read_program};
use mlopt_dialects::bridge::names;
use mlopt_passes::egg_optimize::Rewriter;
use std::io::Write as _;
use std::path::PathBuf;

/// Draw what the compiler works on, as SVG
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  mlopt view --egraph f.mlir --function @f -o f.svg

--egraph draws the e-graph that saturation ends with (docs/optimiser.md): boxes are classes of equal terms, with the cost of the
cheapest; their lines are e-nodes, and edges lead to the classes of the operands. Marked are the nodes of the cheapest term. Constants,
arguments and indices stand in the lines that read them. What is computed in pieces has one picture for each.")]
pub struct View {
    /// The program, text or bytecode; `-` is the standard input
    file: PathBuf,
    /// The e-graph of egg-optimize
    #[arg(long, required = true)]
    egraph: bool,
    /// The function to draw; all of them by default
    #[arg(long, value_name = "@NAME")]
    function: Option<String>,
    /// Passes to run first
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    #[command(flatten)]
    rewriting: Rewriting,
    /// Classes to draw at most, those of the cheapest term and what is nearest to it first
    #[arg(long, value_name = "N", default_value_t = 150)]
    limit: usize,
    /// Where the picture goes; the standard output by default
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl View {
    pub fn execute(&self) -> Result<(), Failure> {
        cli::register_passes();
        let rewriting = self.rewriting.settle()?;
        let (program, _source) = read_program(&self.file)?;
        names::from_source(program.module());
        if let Some(pipeline) = &self.pass_pipeline {
            check_pipeline(pipeline)?;
            program.run_pipeline(pipeline)?;
        }
        let laws = rewriting.laws();
        let mut diagrams = Vec::new();
        for function in functions(program.module(), self.function.as_deref())? {
            let mut rewriter = Rewriter::new(&laws, rewriting.options);
            rewriter.graphs = Some(Vec::new());
            rewriter.rewrite(function);
            let name = function.symbol().unwrap_or_default();
            let graphs = rewriter.graphs.unwrap_or_default();
            for (k, saturated) in graphs.iter().enumerate() {
                let piece = if graphs.len() > 1 { format!(", piece {}", k + 1) } else { String::new() };
                let heading = format!("@{name}{piece}");
                let (diagram, cut) = egraph::diagram(&heading, saturated, self.limit);
                if let Some(cut) = cut {
                    // What the error stream does not take is lost, as with every message.
                    let _ = writeln!(std::io::stderr(), "{heading}: {cut}");
                }
                diagrams.push(diagram);
            }
        }
        if diagrams.is_empty() {
            let place = crate::entry::place(program.module().location());
            return Err(Failure::at(place, "no e-graph to draw: saturation ran on nothing"));
        }
        let svg = diagram::svg(&diagrams, egraph::LEGEND);
        match &self.output {
            Some(path) => std::fs::write(path, svg).map_err(|e| Failure::at(path.display(), e)),
            None => std::io::stdout().write_all(svg.as_bytes()).map_err(|e| Failure::at("standard output", e)),
        }
    }
}
