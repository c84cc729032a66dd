//! The notation of `spec/functional.md` F.1 as MLIR: `(lam (x) ((grad (lam (y) (* y (sin y)))) x))`.
//!
//! A translation of syntax alone: names are resolved and effects put in order by tokens; types are left open,
//! `!lambda.any`, for `lambda-specialise`, apart from those that inputs are given. Whatever the syntax shows to be
//! wrong is refused with its place.
//!
//! A file holds definitions; each becomes a function. One with parameters without a type is for calls of others:
//!
//! ```text
//! ; The slope of a function.
//! (def slope (f x) ((grad f) x))
//! (def main ((x f64)) (slope (lam (y) (* y (sin y))) x))
//! ```

mod effects;
mod forms;
mod syntax;
pub mod types;
mod write;

use crate::nesting::{nesting, with_stack};
use crate::terms::text::identifier;
use forms::Builder;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_passes::optimise::notation::{Position, Term, TermError, read};
use std::collections::HashSet;
use std::fmt;
use syntax::{Definition, FunctionId, Program, error, wrong};

/// What is wrong with a program, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub at: Position,
    /// Of `spec/functional.md` A.6, if it has one.
    pub code: Option<&'static str>,
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: error: {}", self.at, self.message())
    }
}

impl Problem {
    /// With its code, without its place.
    pub fn message(&self) -> String {
        let code = self.code.map_or(String::new(), |code| format!("{code}: "));
        code + &self.text
    }
}

impl From<TermError> for Problem {
    fn from(e: TermError) -> Problem {
        error(e.at, e.text)
    }
}

/// Which definition of a file is for others to call, and types of its parameters.
#[derive(Debug, Default)]
pub struct Request {
    /// `None` for the one that no other uses.
    pub entry: Option<String>,
    /// By name, as MLIR writes them ([`types::mlir`]).
    pub types: Vec<(String, String)>,
}

const DEFINITION: &str = "(def NAME ((x TYPE) …) e)";

/// A definition as it is written.
struct Source<'t> {
    name: &'t str,
    at: Position,
    parameters: Vec<&'t Term>,
    /// As MLIR writes them.
    types: Vec<Option<String>>,
    body: &'t Term,
}

/// The function `@name` of inputs of these types, in the notation, that a program `(lam (x …) e)` of a file is.
pub fn import(file: &str, name: &str, types: &[String], term: &Term) -> Result<String, Problem> {
    let parts = term.list().filter(|list| list.len() == 3 && list[0].name() == Some("lam"));
    let parameters = parts.and_then(|list| list[1].list());
    let (Some([_, _, body]), Some(parameters)) = (parts, parameters) else {
        return Err(term.expected("a program, `(lam (x …) e)`").into());
    };
    if parameters.len() != types.len() {
        let text = format!("the program takes {} inputs, but {} types are given", parameters.len(), types.len());
        return Err(wrong(term.at, "arity-mismatch", text));
    }
    let types = types.iter().map(|ty| types::mlir(ty).map(Some).map_err(|text| error(term.at, text)));
    let types = types.collect::<Result<Vec<_>, _>>()?;
    let source = Source { name, at: term.at, parameters: parameters.iter().collect(), types, body };
    deep(std::slice::from_ref(term), || {
        let mut builder = Builder::new();
        // It has no name in the program.
        let id = builder.function(parameters.len());
        build(&mut builder, id, source)?;
        finish(builder.program, file)
    })
}

/// The module that a text of definitions is.
pub fn import_text(file: &str, text: &str, request: &Request) -> Result<String, Problem> {
    let terms = read(text)?;
    deep(&terms, || {
        let sources = terms.iter().map(source).collect::<Result<Vec<_>, Problem>>()?;
        let mut builder = Builder::new();
        let mut symbols: HashSet<String> = HashSet::new();
        for source in &sources {
            let symbol = identifier(source.name);
            if !symbols.insert(symbol) {
                return Err(error(source.at, format!("`{}` is defined twice", source.name)));
            }
            builder.declare(source.name, source.parameters.len());
        }
        for (id, source) in sources.into_iter().enumerate() {
            build(&mut builder, id, source)?;
        }
        let mut program = builder.program;
        give_types(&mut program, request)?;
        finish(program, file)
    })
}

/// Runs `work`, which recurses with the nesting of terms.
fn deep<T: Send>(terms: &[Term], work: impl FnOnce() -> Result<T, Problem> + Send) -> Result<T, Problem> {
    let nesting = nesting(terms);
    with_stack(nesting, work).unwrap_or_else(|| {
        let at = terms.first().map_or(Position { line: 1, column: 1 }, |t| t.at);
        Err(error(at, format!("not supported: {nesting} nested terms need more memory than there is")))
    })
}

fn source(term: &Term) -> Result<Source<'_>, Problem> {
    let expected = |t: &Term| t.error(format!("expected {DEFINITION}, found {t}"));
    let Some([head, rest @ ..]) = term.list() else { return Err(expected(term).into()) };
    if head.name() != Some("def") {
        return Err(expected(term).into());
    }
    let [name, parameters, body] = rest else {
        return Err(term.error(format!("expected {DEFINITION}, found {} parts after `def`", rest.len())).into());
    };
    let list =
        parameters.list().ok_or_else(|| parameters.expected("a list of parameters, `((x TYPE) …)` or `(x …)`"))?;
    let (mut names, mut types) = (vec![], vec![]);
    for parameter in list {
        match parameter.list() {
            None => {
                names.push(parameter);
                types.push(None);
            }
            Some([name, ty]) => {
                names.push(name);
                types.push(Some(forms::ty(ty)?));
            }
            Some(_) => return Err(parameter.expected("a parameter, `(x TYPE)` or `x`").into()),
        }
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

fn finish(mut program: Program, file: &str) -> Result<String, Problem> {
    effects::analyse(&mut program)?;
    Ok(write::write(&program, file))
}

/// Gives the parameters of one definition the types that a request has.
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
            None => return Err(error(*at, format!("`{name}` has no parameter `{parameter}`{hint}"))),
            Some((v, Some(_))) => {
                return Err(error(variables[*v].at, format!("`{parameter}` has a type, and is given another one")));
            }
            Some((_, given)) => *given = Some(ty.clone()),
        }
    }
    match parameters.iter().find(|(_, ty)| ty.is_none()) {
        Some((v, _)) => {
            let open = &variables[*v];
            Err(error(open.at, format!("no type for the parameter `{0}`, as in `--type {0}=f64`", open.name)))
        }
        None => Ok(()),
    }
}

/// The definition that is meant.
fn entry(program: &Program, name: Option<&str>) -> Result<FunctionId, Problem> {
    let start = Position { line: 1, column: 1 };
    let all = &program.definitions;
    if let Some(name) = name {
        let name = name.strip_prefix('@').unwrap_or(name);
        let hint = did_you_mean(name, all.iter().map(|d| d.name.as_str()));
        let found = all.iter().position(|d| d.name == name);
        return found.ok_or_else(|| error(start, format!("there is no definition `{name}`{hint}")));
    }
    let used: HashSet<usize> = program.uses.iter().filter(|(user, used)| user != used).map(|u| u.1).collect();
    let outermost: Vec<usize> = (0..all.len()).filter(|id| !used.contains(id)).collect();
    match outermost[..] {
        [only] => Ok(only),
        _ => {
            let names: Vec<String> = outermost.iter().map(|&id| format!("`{}`", all[id].name)).collect();
            let which = if names.is_empty() { String::new() } else { format!(", one of {}", names.join(", ")) };
            Err(error(start, format!("expected the name of a definition by `--entry`{which}")))
        }
    }
}
