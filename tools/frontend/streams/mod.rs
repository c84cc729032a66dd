//! The notation of reactive streams (`spec/streams.md` 3) as MLIR: `node cumul(x) -> (o) let o = x + (0.0 fby o); tel`.
//!
//! Nodes of the notation have static parameters, and no types. What is imported is one node with all that it instantiates: static
//! arguments are evaluated and types inferred over the whole program, and each node becomes as many ops `stream.node` as there are
//! static arguments and types with which it is used.

mod check;
mod elaborate;
pub mod functions;
mod syntax;
mod types;
mod write;

pub use functions::Static;
pub use types::{Kind, Type};

use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::Element;
use syntax::{Error, Node, Span};

/// Which node is imported, and how.
pub struct Request {
    /// `None` for the only one that is in no other.
    pub node: Option<String>,
    /// By name.
    pub statics: Vec<(String, Static)>,
    /// Of inputs, by name; the others are inferred.
    pub types: Vec<(String, Type)>,
    /// What floats are, `f32` or `f64`.
    pub float: Element,
}

/// Something that is wrong: `FILE:LINE:COLUMN`, and what, with a code of section 5 of the specification.
#[derive(Clone, Debug)]
pub struct Problem {
    pub place: String,
    pub code: &'static str,
    pub text: String,
}

/// The module that a node of a text is.
///
/// # Errors
/// Everything that one step finds: syntax, definitions, static arguments, types.
pub fn import(text: &str, name: &str, request: &Request) -> Result<String, Vec<Problem>> {
    let source = Source { name, text, lines: Lines::new(text) };
    import_text(&source, request).map_err(|errors| {
        let problem = |e: Error| {
            let (line, column) = source.lines.of(e.at.start);
            Problem { place: format!("{name}:{line}:{column}"), code: e.code, text: e.text }
        };
        let mut errors = errors;
        errors.sort_by_key(|e| e.at.start);
        errors.into_iter().map(problem).collect()
    })
}

/// The text that is imported.
struct Source<'a> {
    /// What locations call it.
    name: &'a str,
    text: &'a str,
    lines: Lines,
}

fn import_text(source: &Source, request: &Request) -> Result<String, Vec<Error>> {
    let nodes = syntax::parse(source.text).map_err(|e| vec![e])?;
    let errors = check::check(&nodes);
    if !errors.is_empty() {
        return Err(errors);
    }
    let root = root(&nodes, request.node.as_deref()).map_err(|e| vec![e])?;
    let node = &nodes[root];
    let statics = by_name(node, &node.statics, &request.statics, "static parameter").map_err(|e| vec![e])?;
    let mut given = Vec::new();
    for (parameter, value) in node.statics.iter().zip(statics) {
        let text = || format!("no value for the static parameter `{0}`, as in `--static {0}=4`", parameter.text);
        given.push(value.cloned().ok_or_else(|| vec![Error::new("E-ARITY", &parameter.at, text())])?);
    }
    let inputs = by_name(node, &node.inputs, &request.types, "input").map_err(|e| vec![e])?;
    let program = elaborate::elaborate(&nodes, root, given)?;
    program.origins(0..program.vars.len(), &program.copies())?;
    let known = program.instances[0].inputs.iter().zip(inputs).filter_map(|(&v, ty)| Some((v, ty?.clone())));
    let types = types::infer(&program, &known.collect::<Vec<_>>(), request.float)?;
    write::write(&program, &types, request.float, source)
}

/// The node that is meant.
fn root(nodes: &[Node], name: Option<&str>) -> Result<usize, Error> {
    let start: Span = 0..0;
    if let Some(name) = name {
        let name = name.strip_prefix('@').unwrap_or(name);
        let hint = did_you_mean(name, nodes.iter().map(|n| n.name.text.as_str()));
        let missing = || Error::new("E-UNDEF", &start, format!("there is no node `{name}`{hint}"));
        return nodes.iter().position(|n| n.name.text == name).ok_or_else(missing);
    }
    let inner = check::instantiated(nodes);
    let outermost: Vec<usize> = (0..nodes.len()).filter(|&k| !inner.contains(nodes[k].name.text.as_str())).collect();
    match outermost[..] {
        [only] => Ok(only),
        _ => {
            let names: Vec<String> = outermost.iter().map(|&k| format!("`{}`", nodes[k].name.text)).collect();
            let text = format!("expected the name of a node, one of {}", names.join(", "));
            Err(Error::new("E-UNDEF", &start, text))
        }
    }
}

/// What is given for each of `names`.
fn by_name<'g, T>(
    node: &Node,
    names: &[syntax::Name],
    given: &'g [(String, T)],
    what: &str,
) -> Result<Vec<Option<&'g T>>, Error> {
    for (name, _) in given {
        if !names.iter().any(|n| n.text == *name) {
            let hint = did_you_mean(name, names.iter().map(|n| n.text.as_str()));
            let text = format!("node `{}` has no {what} `{name}`{hint}", node.name.text);
            return Err(Error::new("E-UNDEF", &node.name.at, text));
        }
    }
    // The last one counts, as for options.
    Ok(names.iter().map(|n| given.iter().rev().find(|(name, _)| *name == n.text).map(|(_, value)| value)).collect())
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Lines {
        Lines(std::iter::once(0).chain(text.bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0 + 1)).collect())
    }

    /// Line and column of a byte, counted from one.
    fn of(&self, at: usize) -> (usize, usize) {
        let line = self.0.partition_point(|&start| start <= at);
        (line, at - self.0[line - 1] + 1)
    }
}
