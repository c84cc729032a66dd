//! Rust types for attributes and enums.

use crate::Config;
use crate::names::camel;
use crate::records::{Record, Records};
use std::collections::BTreeMap;

/// The presence of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Presence {
    Required,
    Optional,
    /// Optional, with a default value, as a Rust expression.
    Default(String),
    /// A unit attribute, whose presence is its value.
    Unit,
}

/// The type of an attribute in Rust.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeType {
    /// The type that the accessor returns, such as `Vec<i64>`.
    pub owned: String,
    /// The type that the setter takes, such as `&[i64]`.
    pub borrowed: String,
    pub presence: Presence,
}

/// The enums that the ops of all dialects use, each once.
pub struct Enums<'a> {
    config: &'a Config<'a>,
    /// Text and C++ class, by name in Rust.
    known: BTreeMap<String, (String, String)>,
}

impl<'a> Enums<'a> {
    pub fn new(config: &'a Config<'a>) -> Enums<'a> {
        Enums { config, known: BTreeMap::new() }
    }

    pub fn into_text(self) -> String {
        self.known.into_values().map(|(text, _)| text).collect()
    }

    /// Returns the Rust name of an enum; `None` if the bridge cannot read the attribute that contains it.
    fn name(&mut self, records: &Records, info: Record) -> Option<String> {
        let class = info.text("className");
        let namespace = info.text("cppNamespace");
        let mut renamed = self.config.enum_names.iter().filter(|((n, c), _)| *n == namespace && *c == class);
        let name = renamed.next().map_or(class, |(_, name)| name).to_string();
        let full = format!("{namespace}::{class}");
        if let Some((_, known)) = self.known.get(&name) {
            assert_eq!(*known, full, "two enums are named {name}: rename one in `enum_names`");
            return Some(name);
        }
        // An enum is an integer attribute of `builtin`, or has its own attribute: `#arith.fastmath<fast>`.
        let form = if info.flag("genSpecializedAttr") {
            format!("Form::Integer({})", if info.text("underlyingType").contains("64") { 64 } else { 32 })
        } else {
            let mut holders = records.instances("EnumAttr").into_iter();
            let holder = holders.find(|a| records.field(*a, "enum").is_some_and(|e| e.name() == info.name()))?;
            let attribute = holder.text("attrName");
            if !self.config.readable_enums.contains(&attribute) {
                return None;
            }
            format!("Form::Attribute({attribute:?})")
        };
        let is_bits = info.is_a("BitEnumAttrBase") || info.is_a("BitEnumAttr");
        let mut text = String::new();
        let summary = info.text("summary");
        let summary = if summary.is_empty() { full.trim_start_matches("::mlir::") } else { summary };
        let kind = if is_bits { "bit_enum" } else { "plain_enum" };
        let summary = summary.replace('\n', " ");
        text += &format!("{kind}! {{\n    /// {summary}.\n    {name}, {form}, [\n");
        for case in records.list(info, "enumerants") {
            let (symbol, word) = (case.text("symbol"), case.text("str"));
            let value = case.integer("value").unwrap_or_else(|| panic!("{full}: case `{symbol}` has no value"));
            let variant = if is_bits { word.to_uppercase().replace(['-', ' '], "_") } else { variant(symbol) };
            text += &format!("        ({variant}, {word:?}, {value}),\n");
        }
        text += "    ]\n}\n";
        self.known.insert(name.clone(), (text, full));
        Some(name)
    }
}

/// Converts `OEQ` to `Oeq`; `AlwaysFalse` is unchanged.
fn variant(symbol: &str) -> String {
    let has_lowercase = symbol.chars().any(char::is_lowercase);
    let name = if has_lowercase { camel(symbol) } else { camel(&symbol.to_lowercase()) };
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { name }
}

/// Returns the type of the attribute `attr` of an op.
pub fn attribute_type(records: &Records, attr: Record, enums: &mut Enums) -> AttributeType {
    let (mut base, mut is_optional, mut default) = (attr, false, "");
    // Wrappers such as `OptionalAttr<ConfinedAttr<I64Attr, …>>` are removed from the outside in.
    while let Some(inner) = records.field(base, "baseAttr") {
        if default.is_empty() {
            is_optional |= base.flag("isOptional");
            default = base.text("defaultValue");
        }
        base = inner;
    }
    if base.name() == "UnitAttr" {
        return AttributeType { owned: "bool".into(), borrowed: "bool".into(), presence: Presence::Unit };
    }
    let (owned, borrowed) = types(records, base, enums);
    let presence = match rust_default(&owned, default) {
        Some(value) => Presence::Default(value),
        None if is_optional || !default.is_empty() => Presence::Optional,
        None => Presence::Required,
    };
    AttributeType { owned, borrowed, presence }
}

/// Returns the owned and the borrowed type. An attribute of an unlisted form has the type `Attribute`.
fn types(records: &Records, base: Record, enums: &mut Enums) -> (String, String) {
    let info = if base.is_a("EnumAttrInfo") { Some(base) } else { records.field(base, "enum") };
    if let Some(name) = info.and_then(|info| enums.name(records, info)) {
        let path = format!("enums::{name}");
        return (path.clone(), path);
    }
    let storage = base.text("storageType").rsplit("::").next().unwrap_or("").trim();
    let (owned, borrowed) = match (base.name(), storage) {
        ("I64ArrayAttr", _) => ("List<i64>", "&[i64]"),
        ("StrArrayAttr", _) => ("Vec<String>", "&[String]"),
        ("I32Attr" | "SI32Attr" | "UI32Attr", _) => ("i32", "i32"),
        ("IndexAttr", _) => ("usize", "usize"),
        (_, "DenseI64ArrayAttr") => ("Vec<i64>", "&[i64]"),
        (_, "DenseI32ArrayAttr") => ("Vec<i32>", "&[i32]"),
        (_, "StringAttr") => ("String", "&str"),
        (_, "FlatSymbolRefAttr") => ("Symbol", "&Symbol"),
        (_, "BoolAttr") => ("bool", "bool"),
        // Other integer widths are rare, and their setters would need the width.
        ("I64Attr" | "SI64Attr" | "UI64Attr", "IntegerAttr") => ("i64", "i64"),
        (_, "TypeAttr") => ("Type", "Type"),
        _ => ("Attribute", "Attribute"),
    };
    let borrowed = if owned == "List<i64>" { "List<i64>" } else { borrowed };
    (owned.into(), borrowed.into())
}

/// Translates a default value from C++ to Rust. Returns `None` if it cannot; the accessor then returns an `Option`.
fn rust_default(ty: &str, default: &str) -> Option<String> {
    let default = default.trim();
    if default.is_empty() {
        return None;
    }
    match ty {
        "i64" | "i32" | "usize" => default.parse::<i64>().ok().map(|n| n.to_string()),
        "bool" => matches!(default, "true" | "false").then(|| default.to_string()),
        "String" => Some(format!("{default:?}.to_string()")),
        "Vec<i64>" | "Vec<i32>" => integers(default).map(|list| format!("vec!{list:?}")),
        "Vec<String>" => integers(default)?.is_empty().then(|| "Vec::new()".to_string()),
        "Attribute" | "Type" | "Symbol" => None,
        // Parses a case of an enum: `::mlir::arith::FastMathFlags::none`.
        _ => {
            let case = default.rsplit("::").next()?;
            let is_identifier = case.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_identifier.then(|| format!("{ty}::default_case({case:?})"))
        }
    }
}

/// Parses the integers of `{}`, `{1, 2}` or `::llvm::ArrayRef<int64_t>(int64_t(0))`.
fn integers(text: &str) -> Option<Vec<i64>> {
    let inner = match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        Some(list) => list,
        None => text.split_once('(')?.1.strip_suffix(')')?,
    };
    let items = inner.split(',').map(str::trim).filter(|item| !item.is_empty());
    items
        .map(|item| {
            let digits = item.split_once('(').map_or(item, |(_, n)| n.trim_end_matches(')'));
            digits.parse().ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_translated() {
        assert_eq!(rust_default("Vec<i64>", "::llvm::ArrayRef<int64_t>(int64_t(0))").unwrap(), "vec![0]");
        assert_eq!(rust_default("Vec<i64>", "{}").unwrap(), "vec![]");
        assert_eq!(rust_default("Vec<i32>", "{1, -2}").unwrap(), "vec![1, -2]");
        assert_eq!(
            rust_default("enums::FastMath", "::mlir::arith::FastMathFlags::none").unwrap(),
            "enums::FastMath::default_case(\"none\")"
        );
        assert_eq!(rust_default("i64", "f(x)"), None);
        assert_eq!(rust_default("Vec<i64>", "other()  + 1"), None);
    }

    #[test]
    fn cases_of_enums_are_variants() {
        assert_eq!(variant("OEQ"), "Oeq");
        assert_eq!(variant("AlwaysFalse"), "AlwaysFalse");
        assert_eq!(variant("seq_cst"), "SeqCst");
    }
}
