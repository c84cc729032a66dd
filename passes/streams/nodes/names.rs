//! Names of streams. After inlining, a stream may have two names, one inside of an instance and one outside of it
//! (decision D3 of `spec/streams.md`). The attribute `stream.aliases` of the node contains the additional names:
//! `"x = x.o"` states that `x` is a further name of the stream `x.o`.

use mlopt_dialects::ir::{Op, Type, Value};
pub use mlopt_dialects::stream::strings;
use std::collections::HashMap;

const ATTRIBUTE: &str = "stream.aliases";

/// Names the inputs of a node as in its interface.
pub fn name_inputs(node: Op) {
    let inputs = node.body().map_or(vec![], |body| body.arguments());
    inputs.into_iter().zip(strings(node, "inputs")).for_each(|(input, name)| input.suggest_name(&name));
}

/// Sets the types of the inputs and of the outputs of a node.
pub fn set_interface(node: Op, inputs: &[Type], outputs: &[Type]) {
    let context = node.context();
    node.set_attribute("function_type", context.type_attr(context.function_type(inputs, outputs)));
}

/// Returns the entries `a = b` of an attribute that is a list of strings.
pub fn pairs(node: Op, attribute: &str) -> Vec<(String, String)> {
    let pair = |text: String| text.split_once(" = ").map(|(a, b)| (a.to_string(), b.to_string()));
    strings(node, attribute).into_iter().filter_map(pair).collect()
}

/// Returns the aliases of streams, each with the name that it represents.
pub fn aliases(node: Op) -> Vec<(String, String)> {
    pairs(node, ATTRIBUTE)
}

pub fn add_aliases(node: Op, more: Vec<(String, String)>) {
    let mut all = aliases(node);
    all.extend(more);
    if all.is_empty() {
        return;
    }
    let all = all.iter().map(|(name, of)| format!("{name} = {of}"));
    node.set_attribute(ATTRIBUTE, node.context().strings_attr(all));
}

/// Names a stream `name`, if it has no name; otherwise returns an alias.
pub fn call(stream: Value, name: &str) -> Option<(String, String)> {
    match stream.name() {
        Some(own) => (own != name).then(|| (name.to_string(), own)),
        None => {
            stream.suggest_name(name);
            None
        }
    }
}

/// Returns the name that an alias finally represents, or the name itself.
pub fn resolve<'a>(aliases: &'a HashMap<String, String>, name: &'a str) -> &'a str {
    let mut name = name;
    // A cyclic alias would be a stream that is defined as itself.
    for _ in 0..=aliases.len() {
        match aliases.get(name) {
            Some(next) => name = next,
            None => break,
        }
    }
    name
}
