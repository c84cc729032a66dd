//! `mlopt import-streams`: translates reactive programs in the notation of `spec/streams.md` 3 to MLIR.

use crate::commands::output;
use crate::notation;
use mlopt_dialects::value::Element;
use mlopt_frontend::streams::{self, Elements, Request, Static, Type};
use mlopt_runtime::failure::Failure;
use std::path::PathBuf;

/// Translate reactive programs from the notation of streams to MLIR
#[derive(clap::Args)]
#[command(after_help = include_str!("help/import-streams.txt").trim_ascii_end())]
pub struct ImportStreams {
    /// The program; `-` is the standard input
    file: PathBuf,
    /// The node to write, with all nodes that it instantiates; not needed if it instantiates all others
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// The value of a static parameter of the node
    #[arg(long = "static", value_name = "NAME=VALUE")]
    statics: Vec<String>,
    /// The type of an input of the node, like `f64`, `i1` or `2x3xf64`
    #[arg(long = "type", value_name = "NAME=TYPE")]
    types: Vec<String>,
    /// Type of floats
    #[arg(long, value_name = "f32|f64", default_value = "f64", value_parser = ["f32", "f64"])]
    float: String,
    /// Also write source locations after the ops
    #[arg(long)]
    locations: bool,
    /// The file to write instead of the standard output
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ImportStreams {
    pub fn execute(&self) -> Result<(), Failure> {
        let (name, text) = notation::read(&self.file, "the program")?;
        let float = if self.float == "f32" { Element::F32 } else { Element::F64 };
        let request = Request {
            node: self.node.clone(),
            statics: named(&self.statics, "--static", "4` or `NAME=[2, 3]", static_argument)?,
            types: named(&self.types, "--type", "2x3xf64", |text| value_type(text, float))?,
            float,
        };
        let program = streams::import(&text, &name, &request).map_err(|all| notation::reported(&name, &all))?;
        output::write_program(self.output.as_deref(), program, self.locations)
    }
}

/// Parses each `NAME=VALUE`.
fn named<T>(
    all: &[String],
    option: &str,
    example: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<(String, T)>, Failure> {
    let one = |text: &String| {
        let (name, value) = text.split_once('=')?;
        Some((name.trim().to_string(), read(value.trim())?))
    };
    let wrong = |text: &String| Failure::at(option, format!("expected `NAME={example}`, found `{text}`"));
    all.iter().map(|text| one(text).ok_or_else(|| wrong(text))).collect()
}

/// Parses `4`, `[2, 3]` or `[]`.
fn static_argument(text: &str) -> Option<Static> {
    let Some(inner) = text.strip_prefix('[') else { return text.parse().ok().map(Static::Int) };
    let inner = inner.strip_suffix(']')?.trim();
    let sizes = inner.split(',').filter(|_| !inner.is_empty()).map(|n| n.trim().parse().ok());
    sizes.collect::<Option<Vec<u64>>>().map(Static::Shape)
}

/// Parses `f64` or `2x3xf64`.
fn value_type(text: &str, float: Element) -> Option<Type> {
    let mut parts: Vec<&str> = text.split('x').collect();
    let kind = match Element::from_name(parts.pop()?)? {
        Element::I1 => Elements::Bool,
        Element::I64 => Elements::Int,
        e if e == float => Elements::Float,
        _ => return None,
    };
    let shape = parts.into_iter().map(|n| n.trim().parse().ok()).collect::<Option<Vec<u64>>>()?;
    Some(Type { kind, shape })
}
