//! The notation of reactive streams (`spec/streams.md` 3), translated to MLIR: `node cumul(x) -> (o) let o = x + (0.0
//! fby o); tel`.
//!
//! Nodes of the notation have static parameters and no types. The translation starts from one node, and includes all
//! nodes that it instantiates. Static arguments are evaluated and types are inferred for the program as a whole. A node
//! becomes one op `stream.node` for each combination of static arguments and types with which it is used.

mod check;
mod elaborate;
pub mod functions;
mod inference;
mod syntax;
mod types;
mod write;

pub use functions::Static;
pub use types::{Elements, Type};

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::{Problem, Span};
use mlopt_dialects::value::Element;
use syntax::Node;

/// The node to import, and its parameters.
pub struct Request {
    /// `None` for the only node that no other node instantiates.
    pub node: Option<String>,
    /// The static arguments, by name.
    pub statics: Vec<(String, Static)>,
    /// The types of inputs, by name. Those of other inputs are inferred.
    pub types: Vec<(String, Type)>,
    /// The type of floats, `f32` or `f64`.
    pub float: Element,
}

/// Imports a node of a text as a module, which is not verified. `name` is the file name in locations.
///
/// # Errors
/// All errors that one step finds, in syntax, definitions, static arguments, or types.
pub fn import(text: &str, name: &str, request: &Request) -> Result<Program, Vec<Problem>> {
    import_text(&Source { name, text }, request).map_err(|mut problems| {
        problems.sort_by_key(|p| p.at.start);
        problems
    })
}

/// The imported text.
struct Source<'a> {
    /// The file name in locations.
    name: &'a str,
    text: &'a str,
}

fn import_text(source: &Source, request: &Request) -> Result<Program, Vec<Problem>> {
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
        let text =
            || format!("the static parameter `{0}` needs a value; set it, as in `--static {0}=4`", parameter.text);
        given.push(value.cloned().ok_or_else(|| vec![Problem::with_code("E-ARITY", parameter.at, text())])?);
    }
    let inputs = by_name(node, &node.inputs, &request.types, "input").map_err(|e| vec![e])?;
    let program = elaborate::elaborate(&nodes, root, given)?;
    program.origins(0..program.vars.len(), &program.copies())?;
    let known = program.instances[0].inputs.iter().zip(inputs).filter_map(|(&v, ty)| Some((v, ty?.clone())));
    let types = inference::infer(&program, &known.collect::<Vec<_>>(), request.float)?;
    write::write(&program, &types, request.float, source)
}

/// Returns the requested node.
fn root(nodes: &[Node], name: Option<&str>) -> Result<usize, Problem> {
    if let Some(name) = name {
        let name = name.strip_prefix('@').unwrap_or(name);
        let hint = did_you_mean(name, nodes.iter().map(|n| n.name.text.as_str()));
        let missing = || Problem::with_code("E-UNDEF", Span::START, format!("unknown node `{name}`{hint}"));
        return nodes.iter().position(|n| n.name.text == name).ok_or_else(missing);
    }
    let inner = check::instantiated(nodes);
    let outermost: Vec<usize> = (0..nodes.len()).filter(|&k| !inner.contains(nodes[k].name.text.as_str())).collect();
    match outermost[..] {
        [only] => Ok(only),
        _ => {
            let names: Vec<String> = outermost.iter().map(|&k| format!("`{}`", nodes[k].name.text)).collect();
            let text = format!("expected the name of a node, one of {}", names.join(", "));
            Err(Problem::with_code("E-UNDEF", Span::START, text))
        }
    }
}

/// Returns the argument that is given for each of `names`.
fn by_name<'g, T>(
    node: &Node,
    names: &[syntax::Name],
    given: &'g [(String, T)],
    what: &str,
) -> Result<Vec<Option<&'g T>>, Problem> {
    for (name, _) in given {
        if !names.iter().any(|n| n.text == *name) {
            let hint = did_you_mean(name, names.iter().map(|n| n.text.as_str()));
            let text = format!("node `{}` has no {what} `{name}`{hint}", node.name.text);
            return Err(Problem::with_code("E-UNDEF", node.name.at, text));
        }
    }
    // The last argument of a name takes precedence, as for options.
    Ok(names.iter().map(|n| given.iter().rev().find(|(name, _)| *name == n.text).map(|(_, value)| value)).collect())
}
