//! The attributes of Shardy's dialect `sdy`, by their codes in the artifact, as text.
//!
//! Artifacts of JAX contain them in programs that mix dialects. Nothing but their text matters here, so they become
//! [`Attribute::Other`]; an attribute that contains others contains their text without the prefix `#sdy.NAME<` and
//! the suffix `>`. Sources: Shardy's `bytecode.td`, `bytecode.cc` and `printers.cc`.

use crate::container::Reader;
use crate::error::Error;
use crate::ir::Attribute;
use crate::tables::Tables;
use crate::text::quoted;

/// The letters that stand for the factors of a sharding rule; further factors are numbered.
const FACTORS: &[u8] = b"ijklmnopqrstuvwxyz";

/// Reads an attribute of the dialect `sdy`.
pub(crate) fn read<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let (name, text) = match reader.varint()? {
        0 => {
            let axes = list(tables, reader, |tables, reader| Ok(quoted(&tables.name(reader)?)))?;
            return finish(tables, reader, format!("#sdy<manual_axes{{{axes}}}>"));
        }
        1 => {
            let name = text_name(tables, reader)?;
            ("mesh_axis", format!("{name}={}", reader.signed()?))
        }
        2 => ("mesh", mesh(tables, reader)?),
        3 => {
            let pre_size = reader.signed()?;
            ("sub_axis_info", format!("({pre_size}){}", reader.signed()?))
        }
        4 => {
            let name = text_name(tables, reader)?;
            let part = tables.optional_attribute(reader)?;
            let part = part.map(|part| stripped(&part, "sub_axis_info", reader)).transpose()?;
            ("axis_ref", part.map_or(name.clone(), |part| format!("{name}:{part}")))
        }
        5 => ("dimension_sharding", dimension_sharding(tables, reader)?),
        6 => ("sharding", sharding(tables, reader, false, false)?),
        7 | 16 => {
            let shardings = nested_list(tables, reader, "sharding")?;
            let shardings: Vec<String> = shardings.iter().map(|sharding| format!("<{sharding}>")).collect();
            ("sharding_per_value", format!("[{}]", shardings.join(", ")))
        }
        8 => {
            let factors = factors(reader)?;
            ("dim_mapping", factors.concat())
        }
        9 => ("tensor_mapping", format!("[{}]", nested_list(tables, reader, "dim_mapping")?.join(", "))),
        10 => ("op_sharding_rule", op_sharding_rule(tables, reader)?),
        15 => ("sharding", sharding(tables, reader, true, false)?),
        17 => ("sharding", sharding(tables, reader, true, true)?),
        code => return Err(reader.unknown("attribute of `sdy` with code", code)),
    };
    finish(tables, reader, format!("#sdy.{name}<{text}>"))
}

/// Returns the attribute with the text `text`, whose length counts against a limit.
fn finish(tables: &mut Tables<'_>, reader: &Reader<'_>, text: String) -> Result<Attribute, Error> {
    tables.spend_text(text.len(), reader)?;
    Ok(Attribute::Other(text))
}

/// Reads a list with `element` and returns it with commas.
fn list<'a>(
    tables: &mut Tables<'a>,
    reader: &mut Reader<'a>,
    element: impl Fn(&mut Tables<'a>, &mut Reader<'a>) -> Result<String, Error>,
) -> Result<String, Error> {
    let count = reader.count("elements")?;
    let elements = (0..count).map(|_| element(tables, reader)).collect::<Result<Vec<String>, Error>>()?;
    Ok(elements.join(", "))
}

/// Reads a string in quotes.
fn text_name<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<String, Error> {
    match tables.string(reader)? {
        Attribute::String(name) => {
            tables.spend_text(name.len(), reader)?;
            Ok(quoted(&name))
        }
        _ => Err(reader.malformed("a name in UTF-8", "other bytes")),
    }
}

/// Returns the text of an attribute `name` of `sdy` without its prefix and suffix.
fn stripped(attribute: &Attribute, name: &str, reader: &Reader<'_>) -> Result<String, Error> {
    let text = match attribute {
        Attribute::Other(text) => text.strip_prefix("#sdy.").and_then(|text| text.strip_prefix(name)),
        _ => None,
    };
    match text.and_then(|text| text.strip_prefix('<')?.strip_suffix('>')) {
        Some(text) => Ok(text.to_owned()),
        None => Err(reader.malformed(format!("an attribute `sdy.{name}`"), "another attribute")),
    }
}

/// Reads a list of references to attributes `name` of `sdy`.
fn nested_list<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>, name: &str) -> Result<Vec<String>, Error> {
    let count = reader.count("attributes")?;
    let mut elements = Vec::new();
    for _ in 0..count {
        let attribute = tables.attribute(reader)?;
        let element = stripped(&attribute, name, reader)?;
        tables.spend_text(element.len(), reader)?;
        elements.push(element);
    }
    Ok(elements)
}

/// Reads the axes and the devices of a mesh.
fn mesh<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<String, Error> {
    let axes = nested_list(tables, reader, "mesh_axis")?.join(", ");
    let devices = reader.signed_list()?;
    if devices.is_empty() {
        return Ok(format!("[{axes}]"));
    }
    let devices: Vec<String> = devices.iter().map(i64::to_string).collect();
    Ok(format!("[{axes}], device_ids=[{}]", devices.join(", ")))
}

/// Reads the axes of a dimension, which may be open to further axes.
fn dimension_sharding<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<String, Error> {
    let mut axes = nested_list(tables, reader, "axis_ref")?;
    if !boolean(reader)? {
        axes.push("?".to_owned());
    }
    let (priority, has_priority) = reader.flagged()?;
    let priority = if has_priority { format!("p{priority}") } else { String::new() };
    Ok(format!("{{{}}}{priority}", axes.join(", ")))
}

/// Reads the sharding of a tensor.
fn sharding<'a>(
    tables: &mut Tables<'a>,
    reader: &mut Reader<'a>,
    has_unreduced: bool,
    has_reduction: bool,
) -> Result<String, Error> {
    let attribute = tables.attribute(reader)?;
    let mut text = match &*attribute {
        Attribute::Symbol(path) => {
            tables.spend_text(path.iter().map(|name| name.len()).sum(), reader)?;
            attribute.to_string()
        }
        mesh => format!("mesh<{}>", stripped(mesh, "mesh", reader)?),
    };
    let dimensions = nested_list(tables, reader, "dimension_sharding")?;
    text += &format!(", [{}]", dimensions.join(", "));
    let replicated = nested_list(tables, reader, "axis_ref")?;
    if !replicated.is_empty() {
        text += &format!(", replicated={{{}}}", replicated.join(", "));
    }
    if has_unreduced {
        let unreduced = nested_list(tables, reader, "axis_ref")?;
        let reduction = if has_reduction { reduction(reader)? } else { "" };
        if !unreduced.is_empty() {
            text += &format!(", unreduced={reduction}{{{}}}", unreduced.join(", "));
        }
    }
    Ok(text)
}

/// Reads the operation that reduces; the sum has no name in the text.
fn reduction(reader: &mut Reader<'_>) -> Result<&'static str, Error> {
    match reader.signed()? {
        0 => Ok(""),
        1 => Ok("max"),
        2 => Ok("min"),
        code => Err(reader.unknown("reduction of `sdy` with code", code)),
    }
}

/// Reads a boolean.
fn boolean(reader: &mut Reader<'_>) -> Result<bool, Error> {
    Ok(reader.byte()? != 0)
}

/// Reads a list of factors of a sharding rule.
fn factors(reader: &mut Reader<'_>) -> Result<Vec<String>, Error> {
    Ok(reader.signed_list()?.into_iter().map(factor).collect())
}

/// Returns the symbol of a factor.
fn factor(index: i64) -> String {
    match usize::try_from(index).ok().and_then(|index| FACTORS.get(index)) {
        Some(&letter) => char::from(letter).to_string(),
        None => format!("z_{}", index.saturating_sub(FACTORS.len() as i64 - 1)),
    }
}

/// Reads the rule by which shardings of operands and results of an operation correspond.
fn op_sharding_rule<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<String, Error> {
    let sizes = reader.signed_list()?;
    let operands = nested_list(tables, reader, "tensor_mapping")?.join(", ");
    let results = nested_list(tables, reader, "tensor_mapping")?.join(", ");
    let mut text = format!("({operands})->({results})");
    if !sizes.is_empty() {
        let sizes = sizes.iter().enumerate().map(|(index, size)| format!("{}={size}", factor(index as i64)));
        text += &format!(" {{{}}}", sizes.collect::<Vec<String>>().join(", "));
    }
    for kind in ["reduction", "need_replication", "permutation", "blocked_propagation"] {
        let factors = factors(reader)?;
        if !factors.is_empty() {
            text += &format!(" {kind}={{{}}}", factors.join(", "));
        }
    }
    if boolean(reader)? {
        text += ", custom";
    }
    Ok(text)
}
