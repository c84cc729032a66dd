//! `mlopt view`: draws programs and the compiler's data structures.

use crate::commands::output;
use crate::commands::pipeline_check::read_through;
use crate::commands::rewriting::{Rewriting, Settled};
use mlopt_dialects::bridge::program::Program;
use mlopt_drawing::{Picture, Subject, calls, closures, diagram, egraph};
use mlopt_passes::optimise::egg_optimize::Rewriter;
use mlopt_runtime::entry::{functions, place};
use mlopt_runtime::failure::Failure;
use std::io::Write as _;
use std::path::PathBuf;

/// Draw programs and e-graphs as SVG
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("picture").required(true).args(["egraph", "dataflow", "calls", "closures"]))]
#[command(after_help = include_str!("help/view.txt").trim_ascii_end())]
pub struct View {
    /// The program, text or bytecode; `-` is the standard input
    file: PathBuf,
    /// The e-graph of egg-optimize
    #[arg(long)]
    egraph: bool,
    /// The dataflow between the equations of a reactive node, or between the ops of functions
    #[arg(long)]
    dataflow: bool,
    /// The call graph
    #[arg(long)]
    calls: bool,
    /// The nesting of functions, and the values that they capture
    #[arg(long)]
    closures: bool,
    /// With --egraph or --dataflow: the function to draw; all of them by default
    #[arg(long, value_name = "@NAME", conflicts_with_all = ["node", "calls", "closures"])]
    function: Option<String>,
    /// With --dataflow: the node to draw; not needed if it instantiates all others
    #[arg(long, value_name = "@NAME", conflicts_with_all = ["egraph", "calls", "closures"])]
    node: Option<String>,
    /// Passes to run first
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    #[command(flatten)]
    rewriting: Rewriting,
    /// Maximum number of classes to draw, those of the cheapest term and the closest to it first; or of streams or
    /// ops, the outputs first; or of functions
    #[arg(long, value_name = "N", default_value_t = 150)]
    limit: usize,
    /// The file to write; the standard output by default
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl View {
    pub fn execute(&self) -> Result<(), Failure> {
        mlopt_lowering::register_passes();
        let rewriting = self.rewriting.settle()?;
        let (program, _) = read_through(&self.file, self.pass_pipeline.as_deref(), None)?;
        let svg = match () {
            _ if self.dataflow => self.dataflow(&program)?,
            _ if self.calls => self.calls(&program)?,
            _ if self.closures => self.closures(&program)?,
            _ => self.egraphs(&program, rewriting)?,
        };
        output::write(self.output.as_deref(), svg)
    }

    fn egraphs(&self, program: &Program, rewriting: Settled) -> Result<String, Failure> {
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
                omitted(&heading, cut);
                diagrams.push(diagram);
            }
        }
        if diagrams.is_empty() {
            let place = place(program.module().location());
            return Err(Failure::at(place, "expected an e-graph to draw, found none, because saturation did not run"));
        }
        Ok(diagram::svg(&diagrams, egraph::LEGEND))
    }

    fn dataflow(&self, program: &Program) -> Result<String, Failure> {
        let subject = match (self.node.as_deref(), self.function.as_deref()) {
            (Some(node), _) => Subject::Node(Some(node)),
            (_, Some(function)) => Subject::Function(Some(function)),
            _ => Subject::of(program, None),
        };
        let Picture { svg, omissions } = mlopt_drawing::dataflow(program, subject, self.limit)?;
        omissions.iter().for_each(|text| announce(text));
        Ok(svg)
    }
}

impl View {
    /// Returns the heading of a picture of a whole program: its file name.
    fn heading(&self) -> String {
        self.file.file_name().map_or("program".into(), |name| name.to_string_lossy().into_owned())
    }

    fn calls(&self, program: &Program) -> Result<String, Failure> {
        has_functions(program)?;
        let (diagram, cut) = calls::diagram(&self.heading(), program.module(), self.limit);
        omitted(&self.heading(), cut);
        Ok(diagram::svg(&[diagram], &[]))
    }

    fn closures(&self, program: &Program) -> Result<String, Failure> {
        has_functions(program)?;
        let (svg, cut) = closures::svg(&self.heading(), program.module(), self.limit);
        omitted(&self.heading(), cut);
        Ok(svg)
    }
}

fn has_functions(program: &Program) -> Result<(), Failure> {
    match functions(program.module(), None)?.is_empty() {
        false => Ok(()),
        true => {
            let place = place(program.module().location());
            Err(Failure::at(place, "expected a function with a body to draw, found none"))
        }
    }
}

/// Reports what is not drawn of the part with this heading.
fn omitted(heading: &str, cut: Option<String>) {
    if let Some(cut) = cut {
        announce(&format!("{heading}: {cut}"));
    }
}

/// Writes a line to the error stream. Errors of the stream are ignored, as for every message.
fn announce(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
