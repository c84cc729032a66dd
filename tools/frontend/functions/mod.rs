//! The notation of functional programs (`spec/functional.md` F.1), translated to MLIR: `(lam (x) ((grad (lam (y) (* y
//! (sin y)))) x))`.
//!
//! The translation resolves names and orders effects by tokens. All types except the declared types of inputs are left
//! open as `!lambda.any`; `lambda-specialise` infers them. Errors in the syntax are reported with their position.
//!
//! A file contains definitions, each of which becomes a function. A definition with an untyped parameter can only be
//! called by other definitions:
//!
//! ```text
//! ; The slope of a function.
//! (def slope (f x) ((grad f) x))
//! (def main ((x f64)) (slope (lam (y) (* y (sin y))) x))
//! ```

mod effects;
mod forms;
mod places;
mod syntax;
pub mod types;
mod write;

use crate::definitions::{self, deep};
use crate::mlir::identifier;
use forms::Builder;
use mlopt_dialects::bridge::program::Program as Module;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::terms::{Term, read};
use mlopt_dialects::text::{Problem, Span, count};
use std::collections::HashSet;
use syntax::{Definition, FunctionId, Program};
use types::Type;

/// The definition that serves as the entry point, and types of its parameters.
#[derive(Debug, Default)]
pub struct Request {
    /// `None` for the only definition that no other uses.
    pub entry: Option<String>,
    /// The types of parameters by name.
    pub types: Vec<(String, Type)>,
}

const DEFINITION: &str = "(def NAME ((x TYPE) …) e)";

/// A definition in the notation.
struct Source<'t> {
    name: &'t str,
    at: Span,
    parameters: Vec<&'t Term>,
    /// The types of the parameters, where they are given.
    types: Vec<Option<Type>>,
    body: &'t Term,
}

/// Imports a program `(lam (x …) e)` of a file as the function `@name`, with inputs of these types in the notation. The
/// module is not verified.
pub fn import(file: &str, name: &str, types: &[String], term: &Term) -> Result<Module, Problem> {
    let parts = term.list().filter(|list| list.len() == 3 && list[0].name() == Some("lam"));
    let parameters = parts.and_then(|list| list[1].list());
    let (Some([_, _, body]), Some(parameters)) = (parts, parameters) else {
        return Err(term.expected("a program, `(lam (x …) e)`"));
    };
    if parameters.len() != types.len() {
        let expected = count(parameters.len(), "type");
        let text = format!("expected {expected}, one for each input of the program, found {}", types.len());
        return Err(Problem::with_code("arity-mismatch", term.at, text));
    }
    let types = types.iter().map(|ty| types::read(ty, term.at).map(Some)).collect::<Result<Vec<_>, _>>()?;
    let source = Source { name, at: term.at, parameters: parameters.iter().collect(), types, body };
    deep(std::slice::from_ref(term), || {
        let mut builder = Builder::default();
        // It has no name in the program.
        let id = builder.function(parameters.len());
        build(&mut builder, id, source)?;
        finish(builder.program, file)
    })
}

/// Imports a text of definitions as a module, which is not verified.
pub fn import_text(file: &str, text: &str, request: &Request) -> Result<Module, Problem> {
    let mut terms = read(text)?;
    let files = places::resolve(&mut terms)?;
    let module = deep(&terms, || {
        let sources = terms.iter().map(source).collect::<Result<Vec<_>, Problem>>()?;
        let mut builder = Builder::default();
        builder.program.files = files.clone();
        let mut symbols: HashSet<String> = HashSet::new();
        for source in &sources {
            let symbol = identifier(source.name);
            if !symbols.insert(symbol) {
                return Err(source.at.error(format!("`{}` is defined twice", source.name)));
            }
            builder.declare(source.name, source.parameters.len());
        }
        for (id, source) in sources.into_iter().enumerate() {
            build(&mut builder, id, source)?;
        }
        let mut program = builder.program;
        give_types(&mut program, request)?;
        finish(program, file)
    });
    module.map_err(|problem| {
        let place = (problem.at.file as usize).checked_sub(1).and_then(|k| files.get(k));
        Problem { file: place.cloned(), ..problem }
    })
}

fn source(term: &Term) -> Result<Source<'_>, Problem> {
    let list = "a list of parameters, `((x TYPE) …)` or `(x …)`";
    let definitions::Definition { name, parameters, body } = definitions::definition(term, DEFINITION, list)?;
    let (mut names, mut types) = (vec![], vec![]);
    for parameter in parameters {
        let (name, ty) = match parameter.list() {
            None => (parameter, None),
            Some([name, ty]) => (name, Some(forms::ty(ty)?)),
            Some(_) => return Err(parameter.expected("a parameter, `(x TYPE)` or `x`")),
        };
        names.push(name);
        types.push(ty);
    }
    Ok(Source { name: forms::binder(name)?, at: name.at, parameters: names, types, body })
}

/// Reads a definition.
fn build(builder: &mut Builder, id: FunctionId, source: Source) -> Result<(), Problem> {
    let parameters = builder.enter(id, &source.parameters)?;
    let body = builder.expr(source.body)?;
    builder.leave(&parameters);
    let symbol = identifier(source.name);
    let parameters = parameters.into_iter().zip(source.types).collect();
    builder.program.definitions.push(Definition { name: source.name.into(), symbol, at: source.at, parameters, body });
    Ok(())
}

fn finish(mut program: Program, file: &str) -> Result<Module, Problem> {
    effects::analyse(&mut program)?;
    Ok(write::write(&program, file))
}

/// Sets the requested types of the entry point's parameters.
fn give_types(program: &mut Program, request: &Request) -> Result<(), Problem> {
    if request.entry.is_none() && request.types.is_empty() {
        return Ok(());
    }
    let id = entry(program, request.entry.as_deref())?;
    let variables = &program.variables;
    let Definition { name, at, parameters, .. } = &mut program.definitions[id];
    for (parameter, ty) in &request.types {
        let known = parameters.iter().map(|(v, _)| variables[*v].name.as_str());
        let hint = did_you_mean(parameter, known);
        match parameters.iter_mut().find(|(v, _)| variables[*v].name == *parameter) {
            None => return Err(at.error(format!("`{name}` has no parameter `{parameter}`{hint}"))),
            Some((v, Some(_))) => {
                let text = format!("`--type` must not set the type of `{parameter}`, which has one in the program");
                return Err(variables[*v].at.error(text));
            }
            Some((_, given)) => *given = Some(ty.clone()),
        }
    }
    match parameters.iter().find(|(_, ty)| ty.is_none()) {
        Some((v, _)) => {
            let open = &variables[*v];
            Err(open.at.error(format!("the parameter `{0}` needs a type; set it, as in `--type {0}=f64`", open.name)))
        }
        None => Ok(()),
    }
}

/// Returns the definition that is the entry point.
fn entry(program: &Program, name: Option<&str>) -> Result<FunctionId, Problem> {
    let all = &program.definitions;
    if let Some(name) = name {
        let name = name.strip_prefix('@').unwrap_or(name);
        let hint = did_you_mean(name, all.iter().map(|d| d.name.as_str()));
        let found = all.iter().position(|d| d.name == name);
        let text = || format!("`--entry` must name a definition, found `{name}`{hint}");
        return found.ok_or_else(|| Span::START.error(text()));
    }
    let used: HashSet<usize> = program.uses.iter().filter(|(user, used)| user != used).map(|u| u.1).collect();
    let outermost: Vec<usize> = (0..all.len()).filter(|id| !used.contains(id)).collect();
    match outermost[..] {
        [only] => Ok(only),
        _ => {
            let names: Vec<String> = outermost.iter().map(|&id| format!("`{}`", all[id].name)).collect();
            let which = if names.is_empty() { String::new() } else { format!(", one of {}", names.join(", ")) };
            Err(Span::START.error(format!("expected `--entry` with the name of a definition{which}")))
        }
    }
}
