//! Emission of the Rust code.

use crate::attribute::Presence;
use crate::family::Family;
use crate::names::{camel, snake};
use crate::op::{AttributeDef, Blocks, Count, OpDef, Sizes, Slot};
use crate::records::Records;

/// A method without parameters.
#[derive(Clone, PartialEq)]
struct Accessor {
    doc: String,
    name: String,
    /// The return type.
    ty: String,
    /// An expression over `self.0`, the `Op`.
    body: String,
}

/// Emits the ops of a dialect, their enum, and the families.
pub fn dialect(dialect: &str, ops: &[OpDef], families: &[Family]) -> String {
    let mut out = String::from("#[allow(unused_imports)]\nuse crate::generated::enums;\nuse crate::runtime::*;\n\n");
    ops.iter().for_each(|op| out.push_str(&op_type(op)));
    let rows: String = ops.iter().map(|op| format!("    {} = {},\n", op.ty, op.kind())).collect();
    let name = camel(dialect);
    out += &format!("dialect_enum! {{\n    /// The ops of the dialect `{dialect}`.\n    {name}Op, [\n{rows}]\n}}\n\n");
    families.iter().for_each(|family| out.push_str(&family_type(dialect, family, ops)));
    out
}

/// Emits the attributes of one of our dialects whose parameters are integers.
pub fn own_attributes(records: &Records, dialect: &str) -> String {
    let mut out = String::new();
    for attribute in records.instances("AttrDef") {
        if records.field(attribute, "dialect").is_none_or(|d| d.text("name") != dialect) || attribute.is_a("EnumAttr") {
            continue;
        }
        let rust = |(cpp, name): (&str, &str)| match cpp {
            "int64_t" => Some(format!("{}: i64", snake(name))),
            "bool" => Some(format!("{}: bool", snake(name))),
            "::llvm::ArrayRef<int64_t>" => Some(format!("{}: Vec<i64>", snake(name))),
            _ => None,
        };
        let fields: Option<Vec<String>> = records.parameters(attribute).into_iter().map(rust).collect();
        if let Some(fields) = fields.filter(|fields| !fields.is_empty()) {
            let name = format!("{dialect}.{}", attribute.text("mnemonic"));
            let summary = attribute.text("summary").replace('\n', " ");
            let derive = if fields.iter().any(|field| field.contains("Vec")) { "" } else { "    #[derive(Copy)]\n" };
            out += &format!(
                "integers_attribute! {{\n    /// `#{name}`: {summary}.\n{derive}    {}, {name:?}, [{}]\n}}\n",
                attribute.text("cppClassName"),
                fields.join(", ")
            );
        }
    }
    out
}

fn op_type(op: &OpDef) -> String {
    let (mut out, ty) = (String::new(), &op.ty);
    let w = &mut out;
    *w +=
        &format!("typed_op! {{\n    /// `{}`: {}.\n    {ty}, {:?}, {}\n}}\n", op.name, op.summary, op.name, op.kind());
    *w += &format!("impl {ty} {{\n");
    accessors(op).iter().for_each(|accessor| method(w, accessor));
    op.attributes.iter().for_each(|attribute| setter(w, attribute));
    create(w, op);
    *w += "}\n\n";
    out
}

fn method(w: &mut String, Accessor { doc, name, ty, body }: &Accessor) {
    *w += &format!("    /// {doc}\n    pub fn {name}(self) -> {ty} {{ {body} }}\n");
}

fn accessors(op: &OpDef) -> Vec<Accessor> {
    let mut all = slots(&op.operands, "operand", op.operand_sizes);
    all.extend(slots(&op.results, "result", op.result_sizes));
    for (i, (name, blocks)) in op.regions.iter().enumerate() {
        let (ty, body) = match blocks {
            Blocks::One => ("Block", format!("only_block(self.0, {i})")),
            Blocks::AtMostOne => ("Option<Block>", format!("self.0.region({i}).first_block()")),
            Blocks::Any => ("Region", format!("self.0.region({i})")),
            Blocks::Variadic => {
                ("Vec<Region>", format!("({i}..self.0.num_regions()).map(|i| self.0.region(i)).collect()"))
            }
        };
        let doc = match blocks {
            Blocks::One => format!("The block of the region `{name}`."),
            Blocks::AtMostOne => format!("The block of the region `{name}`, which may be empty."),
            Blocks::Any => format!("The region `{name}`."),
            Blocks::Variadic => format!("The regions `{name}`."),
        };
        all.push(Accessor { doc, name: name.clone(), ty: ty.into(), body });
    }
    for AttributeDef { key, name, ty } in &op.attributes {
        let (doc, result, body) = match &ty.presence {
            Presence::Unit => {
                (format!("Checks whether `{key}` is set."), "bool".into(), format!("is_set(self.0, {key:?})"))
            }
            Presence::Required => {
                (format!("The attribute `{key}`."), ty.owned.clone(), format!("required(self.0, {key:?})"))
            }
            Presence::Optional => (
                format!("The attribute `{key}`, if it is set."),
                format!("Option<{}>", ty.owned),
                format!("optional(self.0, {key:?})"),
            ),
            Presence::Default(value) => (
                format!("The attribute `{key}`, or its default."),
                ty.owned.clone(),
                format!("optional(self.0, {key:?}).unwrap_or_else(|| {value})"),
            ),
        };
        all.push(Accessor { doc, name: name.clone(), ty: result, body });
    }
    for (i, (name, is_list)) in op.successors.iter().enumerate() {
        let (ty, body) = match is_list {
            true => ("Vec<Block>", format!("({i}..self.0.num_successors()).map(|i| self.0.successor(i)).collect()")),
            false => ("Block", format!("self.0.successor({i})")),
        };
        all.push(Accessor { doc: format!("The successor `{name}`."), name: name.clone(), ty: ty.into(), body });
    }
    all
}

/// Emits accessors of operands or results.
fn slots(slots: &[Slot], what: &str, sizes: Sizes) -> Vec<Accessor> {
    let open = slots.iter().position(|s| s.count != Count::One);
    let accessor = |(i, slot): (usize, &Slot)| {
        let after = slots.len() - 1 - i;
        let range = match open {
            _ if sizes == Sizes::Equal => {
                let opens = |slots: &[Slot]| slots.iter().filter(|s| s.count != Count::One).count();
                let (before, all) = (opens(&slots[..i]), opens(slots));
                let (n, is_open) = (slots.len(), slot.count != Count::One);
                format!("equal(self.0.num_{what}s(), {n} - {all}, {all}, {i} - {before}, {before}, {is_open})")
            }
            _ if sizes == Sizes::Attribute => format!("segment(self.0, \"{what}SegmentSizes\", {i})"),
            Some(o) if i == o => format!("{i}..self.0.num_{what}s() - {after}"),
            Some(o) if i > o => format!("self.0.num_{what}s() - {}..self.0.num_{what}s()", after + 1),
            _ => format!("{i}..{}", i + 1),
        };
        let is_fixed = sizes != Sizes::Attribute && open.is_none_or(|o| i < o);
        let (ty, body) = match slot.count {
            Count::One if is_fixed => ("Value", format!("self.0.{what}({i})")),
            Count::One => ("Value", format!("self.0.{what}(({range}).start)")),
            Count::Optional => ("Option<Value>", format!("({range}).next().map(|i| self.0.{what}(i))")),
            Count::Variadic => ("Vec<Value>", format!("({range}).map(|i| self.0.{what}(i)).collect()")),
        };
        let doc = match slot.count {
            Count::One => format!("The {what} `{}`.", slot.name),
            Count::Optional => format!("The {what} `{}`, if there is one.", slot.name),
            Count::Variadic => format!("The {what}s `{}`.", slot.name),
        };
        Accessor { doc, name: slot.name.clone(), ty: ty.into(), body }
    };
    slots.iter().enumerate().map(accessor).collect()
}

fn setter(w: &mut String, AttributeDef { key, name, ty }: &AttributeDef) {
    *w += &format!("    /// Sets `{key}`.\n");
    *w += &match ty.presence {
        Presence::Unit => format!(
            "    pub fn with_{name}(self) -> Self {{ self.0.set_attribute({key:?}, \
             self.0.context().unit_attr()); self }}\n"
        ),
        _ => format!(
            "    pub fn with_{name}(self, value: {}) -> Self {{ set(self.0, {key:?}, value); self }}\n",
            ty.borrowed
        ),
    };
}

/// Returns the name of a parameter of `create`. The first parameter of `create` is `b`.
fn parameter(name: &str) -> &str {
    if name == "b" { "b_" } else { name }
}

/// `create` takes operands, required attributes, result types unless they are inferred, regions and successors.
fn create(w: &mut String, op: &OpDef) {
    if op.result_sizes == Sizes::Attribute {
        // The sizes of the groups would have to be parameters too; no caller needs that.
        return;
    }
    let (mut parameters, mut body) = (String::new(), String::new());
    for operand in &op.operands {
        let ty = match operand.count {
            Count::One => "Value",
            Count::Optional => "Option<Value>",
            Count::Variadic => "&[Value]",
        };
        parameters += &format!(", {}: {ty}", parameter(&operand.name));
    }
    let group = |operand: &Slot| match operand.count {
        Count::One => format!("&[{}]", parameter(&operand.name)),
        Count::Optional => format!("{}.as_slice()", parameter(&operand.name)),
        Count::Variadic => parameter(&operand.name).to_string(),
    };
    let groups: Vec<String> = op.operands.iter().map(group).collect();
    if op.operand_sizes == Sizes::Attribute {
        body += &format!(".operand_segments(&[{}])", groups.join(", "));
    } else {
        groups.iter().for_each(|group| body += &format!(".operands({group})"));
    }
    for AttributeDef { key, name, ty } in &op.attributes {
        if ty.presence == Presence::Required {
            parameters += &format!(", {}: {}", parameter(name), ty.borrowed);
            body += &format!(".attribute({key:?}, {}.to_attribute(b.context()))", parameter(name));
        }
    }
    if op.infers_results {
        body.push_str(".infer_results()");
    } else if op.results.iter().all(|r| r.count == Count::One) {
        for result in &op.results {
            parameters += &format!(", {}_type: Type", result.name);
            body += &format!(".results(&[{}_type])", result.name);
        }
    } else {
        parameters.push_str(", result_types: &[Type]");
        body.push_str(".results(result_types)");
    }
    for (name, blocks) in &op.regions {
        let name = parameter(name);
        let (ty, call) = match blocks {
            Blocks::One => ("Block", format!(".region(Region::with_block({name}))")),
            Blocks::AtMostOne => {
                ("Option<Block>", format!(".region({name}.map_or_else(Region::new, Region::with_block))"))
            }
            Blocks::Any => ("Region", format!(".region({name})")),
            Blocks::Variadic => ("&[Region]", format!(".regions({name})")),
        };
        parameters += &format!(", {name}: {ty}");
        body.push_str(&call);
    }
    for (name, is_list) in &op.successors {
        let name = parameter(name);
        let (ty, call) = match is_list {
            true => ("&[Block]", format!(".successors({name})")),
            false => ("Block", format!(".successors(&[{name}])")),
        };
        parameters += &format!(", {name}: {ty}");
        body.push_str(&call);
    }
    *w += &format!("    /// Creates `{}` at the insertion point `b`.\n", op.name);
    *w += &format!(
        "    pub fn create(b: Builder{parameters}) -> Self {{ Self(b.insert(b.op(Self::NAME){body}.build())) }}\n"
    );
}

/// Emits an enum of the members, with the accessors that all members have.
fn family_type(dialect: &str, family: &Family, ops: &[OpDef]) -> String {
    let mut out = String::new();
    let members: Vec<&OpDef> = family.members.iter().map(|&k| &ops[k]).collect();
    let rows: String = members.iter().map(|op| format!("    {} = {},\n", op.ty, op.kind())).collect();
    out += &format!(
        "dialect_enum! {{\n    /// The ops of the class `{}` of the dialect `{dialect}`.\n    {}, [\n{rows}]\n}}\n",
        family.name, family.name
    );
    let others: Vec<Vec<Accessor>> = members[1..].iter().map(|op| accessors(op)).collect();
    out += &format!("impl {} {{\n", family.name);
    for accessor in accessors(members[0]) {
        let same = |list: &Vec<Accessor>| list.iter().find(|a| a.name == accessor.name && a.ty == accessor.ty).cloned();
        let Some(all) = others.iter().map(same).collect::<Option<Vec<_>>>() else { continue };
        if all.iter().all(|a| a.body == accessor.body) {
            let body = accessor.body.replace("self.0", "self.op()");
            method(&mut out, &Accessor { body, ..accessor });
        } else {
            let arms: String =
                members.iter().map(|op| format!("Self::{}(op) => op.{}(), ", op.ty, accessor.name)).collect();
            method(&mut out, &Accessor { body: format!("match self {{ {arms} }}"), ..accessor });
        }
    }
    out += "}\n\n";
    out
}

/// Emits, for tests, the groups of operands and results of each op, and their accessors.
pub fn layouts(dialects: &[(String, Vec<OpDef>)]) -> String {
    let mut out = String::from("pub const LAYOUTS: &[Layout] = &[\n");
    for (dialect, ops) in dialects {
        for op in ops {
            let groups = |slots: &[Slot]| -> String {
                let group = |slot: &Slot| {
                    let access = format!("crate::{dialect}::{}::of(op)?.{}()", op.ty, slot.name);
                    let (count, list) = match slot.count {
                        Count::One => ("One", format!("vec![{access}]")),
                        Count::Optional => ("Optional", format!("{access}.into_iter().collect()")),
                        Count::Variadic => ("Variadic", access),
                    };
                    format!("Group {{ count: Count::{count}, get: |op| Some({list}) }}, ")
                };
                slots.iter().map(group).collect()
            };
            out += &format!(
                "Layout {{ kind: Kind::{}, operands: &[{}], results: &[{}], has_operand_segments: {}, \
                 has_result_segments: {}, regions: {}, successors: {}, infers_results: {} }},\n",
                op.kind(),
                groups(&op.operands),
                groups(&op.results),
                op.operand_sizes == Sizes::Attribute,
                op.result_sizes == Sizes::Attribute,
                op.regions.iter().filter(|(_, blocks)| *blocks != Blocks::Variadic).count(),
                op.successors.iter().filter(|(_, is_list)| !is_list).count(),
                op.infers_results
            );
        }
    }
    out + "];\n"
}

/// Emits `Kind`, sorted by the names of ops.
pub fn kinds(dialects: &[(String, Vec<OpDef>)]) -> String {
    let mut kinds: Vec<(&str, String)> =
        dialects.iter().flat_map(|(_, ops)| ops.iter().map(|op| (op.name.as_str(), op.kind()))).collect();
    kinds.sort();
    let rows: String = kinds.iter().map(|(name, kind)| format!("    {kind} = {name:?},\n")).collect();
    format!("kinds! {{[\n{rows}]}}\n")
}

/// Emits the file that includes the others: the modules of the dialects, `AnyOp`.
pub fn root(dialects: &[(String, Vec<OpDef>)]) -> String {
    let mut out = String::new();
    let include = |file: &str| format!("include!(concat!(env!(\"OUT_DIR\"), \"/{file}.rs\"));");
    out += &format!("/// Enums in attributes.\npub mod enums {{ use crate::runtime::*; {} }}\n", include("enums"));
    out += "pub use enums::*;\n";
    out += &format!("#[doc(hidden)]\npub mod layouts {{ use crate::runtime::*; {} }}\n", include("layouts"));
    for (dialect, _) in dialects {
        out += &format!("/// The ops of the dialect `{dialect}`.\npub mod {dialect} {{ {} }}\n", include(dialect));
    }
    let rows: String = dialects.iter().map(|(d, _)| format!("    {}({d}::{}Op),\n", camel(d), camel(d))).collect();
    out += &format!("any_op! {{[\n{rows}]}}\n");
    out
}
