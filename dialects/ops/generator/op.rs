//! The operands, results, attributes and regions of an op.

use crate::attribute::{AttributeType, Enums, attribute_type};
use crate::names::{camel, snake};
use crate::records::{Record, Records};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    One,
    Optional,
    Variadic,
}

/// A group of operands or results.
#[derive(Debug)]
pub struct Slot {
    pub name: String,
    pub count: Count,
}

/// The rule that gives the sizes of groups of operands or results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sizes {
    /// At most one group is variadic: its size follows from the total.
    Total,
    /// An attribute contains the sizes: `AttrSizedOperandSegments`.
    Attribute,
    /// All variadic groups have the same size: `SameVariadicOperandSize`.
    Equal,
}

/// The number of blocks of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocks {
    One,
    AtMostOne,
    Any,
    /// A variadic region: the remaining regions of the op, each with any number of blocks.
    Variadic,
}

#[derive(Debug)]
pub struct AttributeDef {
    /// The name in MLIR: `staticSizes`.
    pub key: String,
    /// The name of the accessor: `static_sizes`.
    pub name: String,
    pub ty: AttributeType,
}

#[derive(Debug)]
pub struct OpDef {
    /// `array.map_accum`.
    pub name: String,
    /// The Rust type: `MapAccum`.
    pub ty: String,
    pub summary: String,
    pub operands: Vec<Slot>,
    pub results: Vec<Slot>,
    pub regions: Vec<(String, Blocks)>,
    pub attributes: Vec<AttributeDef>,
    /// Names, and whether it is a list.
    pub successors: Vec<(String, bool)>,
    pub operand_sizes: Sizes,
    pub result_sizes: Sizes,
    /// True if MLIR infers the types of the results.
    pub infers_results: bool,
    /// The TableGen classes from which the op derives.
    pub classes: Vec<String>,
    /// The description, with the indentation of the file removed.
    pub description: String,
    /// Groups of names of operands and results that have the same types.
    pub same_types: Vec<Vec<String>>,
    /// For each result its type, if the definition permits only one.
    pub fixed_types: Vec<Option<&'static str>>,
    pub is_terminator: bool,
    pub is_symbol: bool,
}

impl OpDef {
    /// Returns the ops of `dialect`. Records of other dialects, which the file includes, are skipped.
    pub fn read_all(records: &Records, dialect: &str, inferring: &BTreeSet<String>, enums: &mut Enums) -> Vec<OpDef> {
        let is_here = |op: &Record| records.field(*op, "opDialect").is_some_and(|d| d.text("name") == dialect);
        let ops = records.instances("Op").into_iter().filter(is_here);
        ops.map(|op| OpDef::read(records, dialect, op, inferring, enums)).collect()
    }

    fn read(records: &Records, dialect: &str, op: Record, inferring: &BTreeSet<String>, enums: &mut Enums) -> OpDef {
        let name = format!("{dialect}.{}", op.text("opName"));
        let traits = all_traits(records, op);
        let has = |name: &str| {
            let is_named = |t: &Record| [t.name(), t.text("trait"), t.text("cppInterfaceName")].contains(&name);
            traits.iter().any(|t| is_named(t) || t.is_a(name))
        };
        let is_single_block = has("SingleBlock") || has("SingleBlockImplicitTerminator");
        let (mut operands, mut attributes) = (Vec::new(), Vec::new());
        for (k, (record, given)) in records.dag(op, "arguments").into_iter().enumerate() {
            if record.is_a("TypeConstraint") {
                operands.push(Slot { name: accessor(given, || format!("operand_{k}")), count: count(record) });
            } else if record.is_a("DerivedAttr") {
                // Computed from the rest of the op; nothing is stored.
            } else if record.is_a("Attr") {
                let key = given.unwrap_or_else(|| panic!("`{name}`: attribute {k} has no name")).to_string();
                let ty = attribute_type(records, record, enums);
                attributes.push(AttributeDef { name: accessor(given, String::new), key, ty });
            } else if record.is_a("Property") {
                // Properties are not attributes: the C interface has no access to them.
            } else {
                let classes: Vec<&str> = record.classes().collect();
                panic!(
                    "`{name}`: argument `{}` is neither operand nor attribute, but `{}` of {classes:?}",
                    given.unwrap_or("?"),
                    record.name()
                );
            }
        }
        let results = records.dag(op, "results");
        let fixed_types = results.iter().map(|(record, _)| fixed_type(*record)).collect();
        let only = results.len() == 1;
        let results = results.into_iter().enumerate().map(|(k, (record, given))| {
            let default = || if only { "result".to_string() } else { format!("result_{k}") };
            Slot { name: accessor(given, default), count: count(record) }
        });
        let regions = records.dag(op, "regions").into_iter().enumerate();
        let regions = regions.map(|(k, (record, given))| {
            let blocks = match record.text("summary") {
                _ if record.is_a("VariadicRegion") => Blocks::Variadic,
                "region with 1 blocks" => Blocks::One,
                _ if record.is_a("MaxSizedRegion") || is_single_block => Blocks::AtMostOne,
                _ => Blocks::Any,
            };
            (accessor(given, || format!("region_{k}")), blocks)
        });
        let successors = records.dag(op, "successors").into_iter().enumerate();
        let successors = successors
            .map(|(k, (s, given))| (accessor(given, || format!("successor_{k}")), s.is_a("VariadicSuccessor")));
        let sizes = |attribute: &str, equal: &str| match (has(attribute), has(equal)) {
            (true, _) => Sizes::Attribute,
            (_, true) => Sizes::Equal,
            _ => Sizes::Total,
        };
        let class = op.name().split_once('_').map_or(op.name(), |(_, class)| class);
        let def = OpDef {
            summary: op.text("summary").trim_end_matches('.').replace('\n', " "),
            operands,
            results: results.collect(),
            regions: regions.collect(),
            attributes,
            successors: successors.collect(),
            operand_sizes: sizes("AttrSizedOperandSegments", "SameVariadicOperandSize"),
            result_sizes: sizes("AttrSizedResultSegments", "SameVariadicResultSize"),
            infers_results: inferring.contains(class),
            classes: op.classes().map(str::to_owned).collect(),
            description: unindented(op.text("description")),
            same_types: traits.iter().filter_map(|t| same_types(*t)).collect(),
            fixed_types,
            is_terminator: has("IsTerminator"),
            is_symbol: has("Symbol"),
            ty: camel(op.text("opName")),
            name,
        };
        def.check();
        def
    }

    /// Checks that the sizes of variadic groups are determined: one group follows from the total, several need a trait.
    fn check(&self) {
        for (what, slots, sizes) in
            [("operands", &self.operands, self.operand_sizes), ("results", &self.results, self.result_sizes)]
        {
            let open = slots.iter().filter(|s| s.count != Count::One).count();
            assert!(
                open <= 1 || sizes != Sizes::Total,
                "`{}`: {open} groups of {what} are variadic, and no trait determines their sizes",
                self.name
            );
        }
    }

    /// Returns the variant of `Kind`: `ArrayMapAccum`.
    pub fn kind(&self) -> String {
        camel(&self.name)
    }
}

/// Returns the traits of an op, including those in lists of traits.
fn all_traits<'a>(records: &'a Records, op: Record) -> Vec<Record<'a>> {
    let mut found = records.list(op, "traits");
    let mut next = 0;
    while next < found.len() {
        found.extend(records.list(found[next], "traits"));
        next += 1;
    }
    found
}

/// Returns the names of operands and results that have the same types by a trait.
fn same_types(t: Record) -> Option<Vec<String>> {
    let names = match () {
        () if t.is_a("AllTypesMatch") => t.texts("values"),
        () if t.is_a("TypesMatchWith") && t.text("transformer") == "$_self" => vec![t.text("lhs"), t.text("rhs")],
        () => return None,
    };
    Some(names.into_iter().map(|name| accessor(Some(name), String::new)).collect())
}

/// Returns the type that a constraint permits, if it is only one.
fn fixed_type(constraint: Record) -> Option<&'static str> {
    match constraint.text("builderCall") {
        "$_builder.getIndexType()" => Some("index"),
        "$_builder.getI1Type()" | "$_builder.getIntegerType(1)" => Some("i1"),
        "$_builder.getI32Type()" | "$_builder.getIntegerType(32)" => Some("i32"),
        "$_builder.getI64Type()" | "$_builder.getIntegerType(64)" => Some("i64"),
        _ => None,
    }
}

/// Removes the indentation that the lines of a description have in common.
fn unindented(text: &str) -> String {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    // The records contain the first line without its indentation.
    let lines = || text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let least = lines().map(indentation).min().unwrap_or(0);
    let rest = text.lines().skip(1).map(|line| format!("\n{}", line.get(least..).unwrap_or("").trim_end()));
    text.lines().next().unwrap_or("").to_string() + &rest.collect::<String>()
}

fn count(constraint: Record) -> Count {
    if constraint.is_a("Optional") {
        Count::Optional
    } else if constraint.is_a("Variadic") || constraint.is_a("VariadicOfVariadic") {
        Count::Variadic
    } else {
        Count::One
    }
}

/// Returns the name of an accessor: the name of the `.td` in snake case. Keywords, and names that all ops have already,
/// are replaced.
fn accessor(name: Option<&str>, default: impl FnOnce() -> String) -> String {
    let name = name.map_or_else(default, snake);
    match name.as_str() {
        "type" => "ty".into(),
        "in" => "input".into(),
        "op" => "operator".into(),
        "final" => "is_final".into(),
        "of" | "create" | "self" => format!("{name}_"),
        "as" | "box" | "const" | "else" | "fn" | "for" | "if" | "let" | "loop" | "match" | "mod" | "move" | "ref"
        | "return" | "static" | "use" | "where" | "while" | "yield" => format!("{name}_"),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use serde_json::{Value, json};

    fn read(argument: Value) -> OpDef {
        let reference = |name: &str| json!({"def": name});
        let dag = |entries: Value| json!({"args": entries});
        let mut records = json!({
            "!instanceof": {"Op": ["T_AddOp"]},
            "T": {"!name": "T", "name": "t"},
            "T_AddOp": {
                "!name": "T_AddOp", "!superclasses": ["Op"], "opDialect": reference("T"), "opName": "add",
                "summary": "Adds.", "arguments": dag(json!([[reference("A"), "theX"], [reference("A"), "in"]])),
                "results": dag(json!([[reference("A"), null]])), "regions": dag(json!([])),
                "successors": dag(json!([])), "traits": [],
            },
        });
        records["A"] = argument;
        let config = Config { llvm: "".as_ref(), includes: &[], enum_names: &[], readable_enums: &[] };
        let mut enums = Enums::new(&config);
        OpDef::read_all(&Records::from_json(records), "t", &BTreeSet::new(), &mut enums).remove(0)
    }

    #[test]
    fn names_are_those_of_rust() {
        let op = read(json!({"!name": "A", "!superclasses": ["Constraint", "TypeConstraint"]}));
        assert_eq!((op.ty.as_str(), op.kind().as_str(), op.summary.as_str()), ("Add", "TAdd", "Adds"));
        let names: Vec<&str> = op.operands.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["the_x", "input"]);
        assert_eq!(op.results[0].name, "result");
    }

    #[test]
    #[should_panic(expected = "`t.add`: argument `theX` is neither operand nor attribute, but `A` of [\"Novelty\"]")]
    fn forms_that_are_not_known_are_errors() {
        read(json!({"!name": "A", "!superclasses": ["Novelty"]}));
    }

    #[test]
    #[should_panic(expected = "`t.add`: 2 groups of operands are variadic")]
    fn two_open_groups_need_sizes() {
        read(json!({"!name": "A", "!superclasses": ["TypeConstraint", "Variadic"]}));
    }
}
