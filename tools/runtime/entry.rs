//! The function that `mlopt run` calls: it is looked up by name, and its parameters have the names of the program text.

use crate::arguments::argument::Named;
use crate::arguments::parameter;
use crate::failure::Failure;
use mlopt_dialects::bridge::names;
use mlopt_dialects::ir::{Location, Op};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::Element;

/// A function with a body, as the command line sees it.
#[derive(Debug)]
pub struct Entry {
    /// The name, without `@`.
    pub name: String,
    /// The position `file:line:column` of the function.
    pub place: String,
    pub parameters: Vec<Named>,
    /// The number of results.
    pub results: usize,
}

/// Describes the function `name` (with or without `@`), or the only public function. `option` is the option that gives
/// the name, for messages. `source` is the program's text, for names of parameters.
pub fn find(module: Op, name: Option<&str>, option: &str, source: &[u8]) -> Result<Entry, Failure> {
    let function = function(module, name, option)?;
    let name = function.symbol().unwrap_or_default();
    let at = place(function.location());
    let Some(body) = function.body() else {
        return Err(Failure::at(at, format!("`@{name}` is a declaration: expected a function with a body")));
    };
    let fits = format!("expected scalars and tensors of {}", Element::names("and"));
    let mut parameters = vec![];
    for (index, argument) in body.arguments().into_iter().enumerate() {
        let label = label(function, index, source);
        let ty = argument.ty().to_string();
        let parameter = parameter::parse(&ty).ok_or_else(|| {
            let text = format!("parameter {label} of `@{name}` cannot be given on a command line: {fits}, found {ty}");
            Failure::at(place(argument.location()), text)
        })?;
        parameters.push((label, parameter));
    }
    let (_, results) = function.function_type().unwrap_or_default();
    if let Some((index, ty)) = results.iter().enumerate().find(|(_, ty)| parameter::parse(&ty.to_string()).is_none()) {
        return Err(Failure::at(at, format!("result #{index} of `@{name}` cannot be printed: {fits}, found {ty}")));
    }
    Ok(Entry { name, place: at, parameters, results: results.len() })
}

/// Returns the function `name` (with or without `@`), or the only public function. `option` is the option that gives
/// the name, for messages.
pub fn function(module: Op, name: Option<&str>, option: &str) -> Result<Op, Failure> {
    let functions: Vec<Op> = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc).collect();
    let is_public = |op: &Op| op.attribute("sym_visibility").and_then(|a| a.as_string()).is_none_or(|v| v == "public");
    let names: Vec<String> = functions.iter().filter(|op| is_public(op)).filter_map(|op| op.symbol()).collect();
    let listed = match &names[..] {
        [] => "no function".into(),
        names => names.iter().map(|n| format!("`@{n}`")).collect::<Vec<_>>().join(", "),
    };
    let wrong = |text: String| Err(Failure::at(place(module.location()), text));
    let name = match name {
        Some(name) => name.strip_prefix('@').unwrap_or(name),
        None => match &names[..] {
            [only] => only,
            [] => return wrong(format!("the program has no function to call{}", private(&functions))),
            _ => return wrong(format!("expected `{option}` with the name of a function, one of {listed}")),
        },
    };
    let Some(&function) = functions.iter().find(|op| op.symbol().as_deref() == Some(name)) else {
        let known: Vec<String> = names.iter().map(|n| format!("@{n}")).collect();
        let hint = did_you_mean(&format!("@{name}"), known.iter().map(String::as_str));
        return wrong(format!("unknown function `@{name}`{hint}; the program has {listed}"));
    };
    Ok(function)
}

/// Returns the function `name`, with or without `@`, or all functions with a body if `name` is
/// `None`.
///
/// # Errors
/// There is no such function; the message suggests the most similar name.
pub fn functions(module: Op, name: Option<&str>) -> Result<Vec<Op>, Failure> {
    let all = || module.child_ops().into_iter().filter(|f| f.kind() == Kind::FuncFunc && f.body().is_some());
    let Some(name) = name else { return Ok(all().collect()) };
    let wanted = name.strip_prefix('@').unwrap_or(name);
    let found: Vec<Op> = all().filter(|f| f.symbol().as_deref() == Some(wanted)).collect();
    if found.is_empty() {
        let names: Vec<String> = all().filter_map(|f| f.symbol()).collect();
        let hint = did_you_mean(wanted, names.iter().map(String::as_str));
        let place = place(module.location());
        return Err(Failure::at(place, format!("the program has no function `@{wanted}` with a body{hint}")));
    }
    Ok(found)
}

/// Lists the functions, for a message that none is public.
fn private(functions: &[Op]) -> String {
    let names: Vec<String> = functions.iter().filter_map(|op| Some(format!("`@{}`", op.symbol()?))).collect();
    match &names[..] {
        [] => String::new(),
        names => format!("; {} {} private", names.join(", "), if names.len() == 1 { "is" } else { "are" }),
    }
}

/// Formats a location as `file:line:column`, or `file` for a whole module. Returns an empty text for a location outside
/// of files.
pub fn place(location: Location) -> String {
    location.place().map(|place| place.to_string()).unwrap_or_default()
}

/// Returns the label of a parameter: its name `%x` in the program text, or `#2`.
pub fn label(function: Op, index: usize, source: &[u8]) -> String {
    let argument = function.body().map(|body| body.argument(index));
    let name = argument.and_then(|v| written_name(v.location(), source).or_else(|| Some(format!("%{}", v.name()?))));
    name.unwrap_or(format!("#{index}"))
}

/// Returns the name `%x` at this location of the text.
fn written_name(location: Location, source: &[u8]) -> Option<String> {
    location.place().and_then(|place| names::written_at(source, &place)).map(|name| format!("%{name}"))
}
