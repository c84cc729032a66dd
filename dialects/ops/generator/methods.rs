//! Methods that create ops, for the builders of the crate `mlopt`: one for each op.

use crate::attribute::{Enums, Presence};
use crate::op::{AttributeDef, Blocks, Count, OpDef, Sizes, Slot};
use crate::records::{self, Records};
use crate::{Config, Dialect};
use std::collections::BTreeSet;

/// The attributes that a builder sets for all ops, so that they are not parameters.
const COMMON: &[&str] = &["enums::FastMath", "enums::Overflow"];

/// Emits a method for each op of the dialects, except those that end a region or have a name: `array.sum` becomes
/// `array_sum`. Its parameters are the operands, the attributes, the types of results unless they follow from the rest,
/// and for each region the types of its arguments and a closure; a list of regions has one closure, which also takes
/// the position of the region. `rules` are the kinds of ops whose result types a rule of the builders infers. The code
/// refers to `Builder`, `Draft`, `Result`, `Type`, `Value`, `Kind` and `enums`.
///
/// # Panics
/// Panics if TableGen fails, if a definition has an unsupported form, or if a rule is for an op that needs none.
pub fn methods(config: &Config, dialects: &[Dialect], rules: &BTreeSet<&str>) -> String {
    let (mut enums, mut out) = (Enums::new(config), String::from("impl Builder<'_> {\n"));
    let mut used = 0;
    for dialect in dialects {
        let mut ops = vec![];
        for path in &dialect.files {
            let inferring = records::inferring(config, path);
            ops.extend(OpDef::read_all(&Records::read(config, path), &dialect.name, &inferring, &mut enums));
        }
        ops.sort_by(|a, b| a.name.cmp(&b.name));
        ops.dedup_by(|a, b| a.name == b.name);
        for op in ops.iter().filter(|op| !op.is_terminator && !op.is_symbol) {
            let has_rule = rules.contains(op.kind().as_str());
            used += usize::from(has_rule);
            out += &method(op, has_rule);
        }
    }
    assert_eq!(used, rules.len(), "each rule is for an op of these dialects: {rules:?}");
    out + "}\n"
}

/// The origin of the types of results.
enum Types {
    /// MLIR or a rule of the builders infers them.
    Inferred(&'static str),
    /// The types of an operand or group of operands.
    Same(usize),
    /// The only types that the definition permits.
    Fixed(Vec<&'static str>),
    Parameter,
}

fn types(op: &OpDef, has_rule: bool) -> Types {
    let known: Option<Vec<&str>> = op.fixed_types.iter().copied().collect();
    let same = |result: &Slot| {
        let group = op.same_types.iter().find(|group| group.contains(&result.name))?;
        op.operands.iter().position(|operand| group.contains(&operand.name) && operand.count == result.count)
    };
    let found = match (&op.results[..], known) {
        ([], _) => Types::Fixed(vec![]),
        _ if op.infers_results => Types::Inferred("inferred_by_mlir"),
        (results, Some(known)) if results.iter().all(|result| result.count == Count::One) => Types::Fixed(known),
        ([result], _) if let Some(operand) = same(result) => Types::Same(operand),
        _ if has_rule => return Types::Inferred("inferred_by_rule"),
        _ => Types::Parameter,
    };
    assert!(!has_rule, "`{}`: the types of its results follow from the definition", op.name);
    found
}

/// Returns the type of a parameter for an attribute, and the call that adds the attribute.
fn attribute(AttributeDef { key, name, ty }: &AttributeDef) -> Option<(String, String)> {
    if COMMON.contains(&ty.owned.as_str()) {
        return None;
    }
    let (parameter, method, value) = match ty.owned.as_str() {
        "Attribute" => ("&str", "parsed", ""),
        "Type" => ("&Type", "ty", ""),
        "Symbol" => ("&str", "symbol", ""),
        "List<i64>" => ("&[i64]", "attribute", "List(VALUE.to_vec())"),
        "String" => ("&str", "attribute", ""),
        "Vec<i64>" => ("&[i64]", "attribute", ""),
        "Vec<i32>" => ("&[i32]", "attribute", ""),
        "Vec<String>" => ("&[String]", "attribute", ""),
        other => (other, "attribute", ""),
    };
    let call = |given: &str| {
        let value = if value.is_empty() { given.to_string() } else { value.replace("VALUE", given) };
        format!("draft.{method}({key:?}, {value})?;")
    };
    Some(match ty.presence {
        Presence::Unit => ("bool".into(), format!("if {name} {{ draft.unit({key:?}); }}")),
        Presence::Optional => {
            (format!("Option<{parameter}>"), format!("if let Some(value) = {name} {{ {} }}", call("value")))
        }
        Presence::Required | Presence::Default(_) => (parameter.to_string(), call(name)),
    })
}

fn method(op: &OpDef, has_rule: bool) -> String {
    let method = op.name.replace('.', "_").to_lowercase();
    let (mut parameters, mut body) = (String::new(), String::new());
    for operand in &op.operands {
        let (ty, values) = match operand.count {
            Count::One => ("Value", format!("&[{}]", operand.name)),
            Count::Optional => ("Option<Value>", format!("{}.as_slice()", operand.name)),
            Count::Variadic => ("&[Value]", operand.name.clone()),
        };
        parameters += &format!(", {}: {ty}", operand.name);
        body += &format!("        draft.operands({values})?;\n");
    }
    if op.operand_sizes == Sizes::Attribute {
        body += "        draft.has_segments = true;\n";
    }
    for definition in &op.attributes {
        if let Some((ty, call)) = attribute(definition) {
            parameters += &format!(", {}: {ty}", definition.name);
            body += &format!("        {call}\n");
        } else {
            body += &format!("        draft.common({:?});\n", definition.key);
        }
    }
    let types = types(op, has_rule);
    let is_one = matches!(&op.results[..], [only] if only.count == Count::One);
    if let Types::Parameter = types {
        let (name, ty, list) = match is_one {
            true => ("result_type", "&Type", "std::slice::from_ref(result_type)"),
            false => ("result_types", "&[Type]", "result_types"),
        };
        parameters += &format!(", {name}: {ty}");
        body += &format!("        draft.results({list})?;\n");
    }
    let mut generics = vec![];
    for (k, (name, blocks)) in op.regions.iter().enumerate() {
        // A region that may be empty is an alternative to a function with a name.
        if matches!(blocks, Blocks::AtMostOne) {
            body += "        draft.empty_region();\n";
            continue;
        }
        if matches!(blocks, Blocks::Variadic) {
            parameters += &format!(", {name}_arguments: &[&[Type]], {name}: F{k}");
            generics.push(format!("F{k}: FnMut(&mut Builder, usize, &[Value]) -> Result<Vec<Value>>"));
            body += &format!("        draft.regions({name}_arguments, {name})?;\n");
            continue;
        }
        parameters += &format!(", {name}_arguments: &[Type], {name}: F{k}");
        generics.push(format!("F{k}: FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>"));
        body += &format!("        draft.region({name}_arguments, {name})?;\n");
    }
    // Rules may use the types that regions yield.
    body += &match &types {
        Types::Inferred(method) => format!("        draft.{method}()?;\n"),
        Types::Same(operand) => format!("        draft.same_as({operand});\n"),
        Types::Fixed(types) if types.is_empty() => String::new(),
        Types::Fixed(types) => format!("        draft.fixed(&{types:?})?;\n"),
        Types::Parameter => String::new(),
    };
    let (result, end) = match &op.results[..] {
        [] => ("()", "none"),
        _ if is_one => ("Value", "one"),
        _ => ("Vec<Value>", "all"),
    };
    let generics = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
    let mut is_code = false;
    let line = |line: &str| {
        let is_fence = line.trim_start().starts_with("```");
        // Code without a language would be an example in Rust.
        let language = if is_fence && !is_code && line.trim() == "```" { "text" } else { "" };
        is_code ^= is_fence;
        format!("    /// {line}{language}\n").replace(" \n", "\n")
    };
    let doc: String = op.description.lines().map(line).collect();
    let doc = if doc.is_empty() { String::new() } else { format!("    ///\n{doc}") };
    format!(
        "    /// Creates `{}`: {}.\n{doc}    ///\n    /// # Errors\n    /// A constraint of the op is violated.\n    \
         #[allow(clippy::too_many_arguments)]\n    \
         pub fn {method}{generics}(&mut self{parameters}) -> Result<{result}> {{\n        \
         let mut draft = self.draft(Kind::{});\n{body}        draft.{end}()\n    }}\n",
        op.name,
        op.summary,
        op.kind()
    )
}
