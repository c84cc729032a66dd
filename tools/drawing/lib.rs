//! Pictures of programs and of the compiler's data structures, as SVG.
//!
//! `layers` and `boxes` are layouts, `diagram` draws boxes and edges, and the other modules say what is drawn:
//! `streams` the equations of a reactive node, `ops` the dataflow of a function, `calls` and `closures` the functions
//! of a program (`functions`), and `egraph` the terms of the optimiser.
//!
//! This crate may use the passes and the runtime. It must not depend on the command line, which is only one of its
//! users.
//!
//! **Invariant.** A picture is a function of the program and of its limits: it is the same in every run.
#![forbid(unsafe_code)]

pub mod boxes;
pub mod calls;
pub mod closures;
pub mod diagram;
pub mod egraph;
pub mod functions;
pub mod layers;
pub mod ops;
pub mod streams;
mod texts;

use mlopt_dialects::bridge::program::Program;
use mlopt_runtime::entry;
use mlopt_runtime::failure::Failure;
use mlopt_runtime::streams::flat::{Flat, PIPELINE};

/// A picture, with messages about the parts that are not drawn.
pub struct Picture {
    pub svg: String,
    pub omissions: Vec<String>,
}

/// The subject of a picture of dataflow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subject<'n> {
    /// The node of this name; without a name, the only one that no other node instantiates.
    Node(Option<&'n str>),
    /// The function of this name; without a name, all functions with a body.
    Function(Option<&'n str>),
}

impl<'n> Subject<'n> {
    /// Returns the node or the function of a name. Without a name, a program that has nodes is shown by its node, and
    /// another one by its functions.
    pub fn of(program: &Program, name: Option<&'n str>) -> Subject<'n> {
        let symbol = name.map(|name| name.strip_prefix('@').unwrap_or(name));
        let is_wanted = |node: &str| symbol.is_none_or(|wanted| wanted == node);
        match Flat::nodes(program).iter().any(|node| node.symbol().as_deref().is_some_and(is_wanted)) {
            true => Subject::Node(name),
            false => Subject::Function(name),
        }
    }
}

/// Draws the dataflow of a node, or of functions, with at most `limit` boxes. A node is drawn with the equations of its
/// instances, which are inlined in the program.
///
/// # Errors
/// The subject does not exist, or the analyses of the node fail.
pub fn dataflow(program: &Program, subject: Subject, limit: usize) -> Result<Picture, Failure> {
    let (mut diagrams, mut omissions) = (vec![], vec![]);
    let omitted = |name: &str, cut: Option<String>| cut.map(|cut| format!("@{name}: {cut}"));
    match subject {
        Subject::Node(name) => {
            let name = Flat::choose(program, name)?;
            program.run_pipeline(PIPELINE)?;
            let flat = Flat::new(Flat::named(program, &name)?)?;
            let (diagram, cut) = streams::diagram(&flat, limit);
            omissions.extend(omitted(&name, cut));
            diagrams.push(diagram);
        }
        Subject::Function(name) => {
            let functions = entry::functions(program.module(), name)?;
            if functions.is_empty() {
                let place = entry::place(program.module().location());
                let text = "expected a function with a body or a node in the program, found none";
                return Err(Failure::at(place, text));
            }
            let (mut rest, mut undrawn) = (limit, 0);
            for function in functions {
                if rest == 0 && !diagrams.is_empty() {
                    undrawn += 1;
                    continue;
                }
                let (diagram, cut) = ops::diagram(function, rest);
                omissions.extend(omitted(&function.symbol().unwrap_or_default(), cut));
                rest -= diagram.nodes.len();
                diagrams.push(diagram);
            }
            if undrawn > 0 {
                let all = diagrams.len() + undrawn;
                omissions.push(format!("{} of {all} functions are drawn within the limit", diagrams.len()));
            }
        }
    }
    Ok(Picture { svg: diagram::svg(&diagrams, &[]), omissions })
}
