//! Names of streams [D3]. What is one stream after inlining has the name of a variable inside of an instance and of one outside:
//! further names stand in an attribute of the node, `stream.aliases = ["x = x.o"]`.

use mlopt_dialects::ir::{Op, Value};
use std::collections::HashMap;

const ATTRIBUTE: &str = "stream.aliases";

/// Calls the inputs of a node by the names of its interface.
pub fn name_inputs(node: Op) {
    let names = node.attribute("inputs").and_then(|a| a.as_array()).unwrap_or_default();
    let inputs = node.body().map_or(vec![], |body| body.arguments());
    for (input, name) in inputs.into_iter().zip(names) {
        if input.name().is_none() {
            name.as_string().into_iter().for_each(|name| input.suggest_name(&name));
        }
    }
}

/// The texts of an attribute that lists some.
pub fn strings(op: Op, attribute: &str) -> Vec<String> {
    let all = op.attribute(attribute).and_then(|a| a.as_array()).unwrap_or_default();
    all.into_iter().filter_map(|a| a.as_string()).collect()
}

/// The further names of streams, each with a name that it stands for.
pub fn aliases(node: Op) -> Vec<(String, String)> {
    let pair = |text: String| text.split_once(" = ").map(|(a, b)| (a.to_string(), b.to_string()));
    strings(node, ATTRIBUTE).into_iter().filter_map(pair).collect()
}

pub fn add_aliases(node: Op, more: Vec<(String, String)>) {
    let mut all = aliases(node);
    all.extend(more);
    if all.is_empty() {
        return;
    }
    let context = node.context();
    let all: Vec<_> = all.iter().map(|(name, of)| context.string_attr(&format!("{name} = {of}"))).collect();
    node.set_attribute(ATTRIBUTE, context.array_attr(&all));
}

/// Calls a stream `name`: by its own name if it has none, otherwise by an alias, which is returned.
pub fn call(stream: Value, name: &str) -> Option<(String, String)> {
    match stream.name() {
        Some(own) => (own != name).then(|| (name.to_string(), own)),
        None => {
            stream.suggest_name(name);
            None
        }
    }
}

/// What a name stands for in the end; itself if it is no alias.
pub fn resolve<'a>(aliases: &'a HashMap<String, String>, name: &'a str) -> &'a str {
    let mut name = name;
    // A circle would be a stream that is defined as itself.
    for _ in 0..=aliases.len() {
        match aliases.get(name) {
            Some(next) => name = next,
            None => break,
        }
    }
    name
}
