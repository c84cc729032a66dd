//! The attributes of VHLO, by their codes in the artifact, as attributes of StableHLO.

use crate::container::Reader;
use crate::error::Error;
use crate::ir::{Attribute, Dense, Field, FloatKind, NamedAttribute, Signedness, Type};
use crate::numbers::sign_extend;
use crate::tables::Tables;
use crate::types;
use std::sync::Arc;

/// The cases of the enumerations of VHLO with their codes, which start at 0 unless the first case is empty.
const COMPARISON_DIRECTION: &[&str] = &["EQ", "NE", "GE", "GT", "LE", "LT"];
const COMPARISON_TYPE: &[&str] = &["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"];
const FFT_TYPE: &[&str] = &["FFT", "IFFT", "RFFT", "IRFFT"];
const PRECISION: &[&str] = &["DEFAULT", "HIGH", "HIGHEST"];
const RNG_ALGORITHM: &[&str] = &["DEFAULT", "THREE_FRY", "PHILOX"];
const RNG_DISTRIBUTION: &[&str] = &["", "UNIFORM", "NORMAL"];
const TRANSPOSE: &[&str] = &["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"];
const RESULT_ACCURACY_MODE: &[&str] = &["DEFAULT", "HIGHEST", "TOLERANCE"];
/// The number of versions of the interface of custom calls.
const CUSTOM_CALL_API_VERSIONS: u64 = 5;

/// Reads an attribute of VHLO.
pub(crate) fn read<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    Ok(match reader.varint()? {
        1 => Attribute::Array(tables.attribute_list(reader)?),
        2 => Attribute::Bool(reader.varint()? != 0),
        3 => enumeration(reader, "comparison_direction", COMPARISON_DIRECTION)?,
        4 => enumeration(reader, "comparison_type", COMPARISON_TYPE)?,
        5 => custom_call_api_version(reader)?,
        6 => dictionary(tables, reader)?,
        7 => enumeration(reader, "fft_type", FFT_TYPE)?,
        8 => float(tables, reader)?,
        9 => integer(tables, reader)?,
        10 => output_operand_alias(reader)?,
        11 => enumeration(reader, "precision", PRECISION)?,
        12 => enumeration(reader, "rng_algorithm", RNG_ALGORITHM)?,
        13 => enumeration(reader, "rng_distribution", RNG_DISTRIBUTION)?,
        14 => tables.string(reader)?,
        15 => tensor(tables, reader)?,
        16 => enumeration(reader, "transpose", TRANSPOSE)?,
        17 => Attribute::Type(tables.ty(reader)?),
        18 => types::bounds(reader.signed_list()?),
        19 => enumeration(reader, "result_accuracy_mode", RESULT_ACCURACY_MODE)?,
        20 => result_accuracy(tables, reader)?,
        21 => sub_axis(reader)?,
        22 => axis_ref(tables, reader)?,
        23 => mesh_axes(tables, reader)?,
        24 => mesh_axis(tables, reader)?,
        25 => mesh(tables, reader)?,
        code => return Err(reader.unknown("attribute of VHLO with code", code)),
    })
}

/// Reads a case of the enumeration `name`.
fn enumeration(
    reader: &mut Reader<'_>,
    name: &'static str,
    cases: &'static [&'static str],
) -> Result<Attribute, Error> {
    let code = reader.varint()?;
    let case = usize::try_from(code).ok().and_then(|code| cases.get(code)).filter(|case| !case.is_empty());
    match case {
        Some(case) => Ok(Attribute::Enum { name, case }),
        None => Err(reader.unknown("case of an enumeration:", format!("{name} {code}"))),
    }
}

/// Reads the version of the interface of a custom call, which is an integer in StableHLO.
fn custom_call_api_version(reader: &mut Reader<'_>) -> Result<Attribute, Error> {
    let code = reader.varint()?;
    if code >= CUSTOM_CALL_API_VERSIONS {
        return Err(reader.unknown("case of an enumeration:", format!("api_version {code}")));
    }
    Ok(Attribute::Integer { ty: Arc::new(types::integer(32, Signedness::Signless)), value: code.cast_signed() })
}

/// Reads a dictionary, whose names must differ and are string attributes.
pub(crate) fn dictionary<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let count = reader.count("attributes")?;
    let mut entries: Vec<NamedAttribute> = Vec::with_capacity(count);
    for _ in 0..count {
        entries.push((tables.name(reader)?, tables.attribute(reader)?));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(reader.malformed("different names in a dictionary", format!("`{}` twice", pair[0].0))),
        None => Ok(Attribute::Dictionary(entries)),
    }
}

/// Reads a floating-point number.
pub(crate) fn float<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let ty = tables.ty(reader)?;
    let bits = match &*ty {
        Type::Float(FloatKind::Other { bits: ..=8, .. }) => u64::from(reader.byte()?),
        Type::Float(FloatKind::Bf16 | FloatKind::F16) => reader.signed()?.cast_unsigned() & 0xFFFF,
        Type::Float(FloatKind::F32) => reader.signed()?.cast_unsigned() & 0xFFFF_FFFF,
        Type::Float(FloatKind::F64) => reader.signed()?.cast_unsigned(),
        _ => return Err(reader.malformed("a floating-point type of at most 64 bits", "another type")),
    };
    Ok(Attribute::Float { ty, bits })
}

/// Reads an integer; one bit without a sign is a boolean.
pub(crate) fn integer<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let ty = tables.ty(reader)?;
    let value = match *ty {
        _ if ty.is_boolean() => return Ok(Attribute::Bool(reader.byte()? != 0)),
        Type::Integer { width: width @ 1..=8, .. } => sign_extend(i64::from(reader.byte()?), width),
        Type::Integer { width: width @ 9..=64, .. } => sign_extend(reader.signed()?, width),
        Type::Index => reader.signed()?,
        _ => return Err(reader.malformed("an integer type of at most 64 bits", "another type")),
    };
    Ok(Attribute::Integer { ty, value })
}

/// Reads the alias of a result of a custom call with an operand.
fn output_operand_alias(reader: &mut Reader<'_>) -> Result<Attribute, Error> {
    let fields = vec![
        ("output_tuple_indices", Field::Integers(reader.signed_list()?)),
        ("operand_index", Field::Integer(reader.signed()?)),
        ("operand_tuple_indices", Field::Integers(reader.signed_list()?)),
    ];
    Ok(Attribute::Record { name: "output_operand_alias", fields })
}

/// Reads the elements of a tensor.
fn tensor<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let ty = tables.ty(reader)?;
    let len = reader.varint()?;
    let blob = reader.bytes(len)?;
    dense(ty, blob, reader).map(Attribute::Dense)
}

/// Returns the elements of a tensor of type `ty` that `blob` encodes.
pub(crate) fn dense(ty: Arc<Type>, blob: &[u8], reader: &Reader<'_>) -> Result<Dense, Error> {
    let (Some(count), Some(size)) = (ty.element_count(), ty.element().and_then(|element| element.element_size()))
    else {
        return Err(reader.malformed("a tensor type with static shape and elements with data", "another type"));
    };
    let len = blob.len() as u64;
    if ty.element().is_some_and(|element| element.is_boolean())
        && let Some(data) = booleans(blob, count)
    {
        return Ok(Dense { splat: count != 1 && data.len() == 1, data: data.into(), ty });
    }
    let splat = count != 1 && len == size as u64;
    if !splat && count.checked_mul(size as u64) != Some(len) {
        return Err(reader.malformed(format!("the data of {count} elements of {size} bytes"), format!("{len} bytes")));
    }
    Ok(Dense { splat, data: blob.into(), ty })
}

/// Returns `count` booleans, or one if all are equal, that `blob` holds as bits; old artifacts have bytes instead.
fn booleans(blob: &[u8], count: u64) -> Option<Vec<u8>> {
    let len = blob.len() as u64;
    match *blob {
        [0xFF] => return Some(vec![1]),
        _ if len != count.div_ceil(8) || len == count => return None,
        _ => {}
    }
    let mut values: Vec<u8> = blob.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1)).collect();
    values.truncate(usize::try_from(count).ok()?);
    if values.iter().all(|value| *value == values[0]) {
        values.truncate(1);
    }
    Some(values)
}

/// Reads the required accuracy of a result, whose default is `None` in StableHLO.
fn result_accuracy<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let atol = types::double(reader)?;
    let rtol = types::double(reader)?;
    let ulps = reader.signed()?;
    let mode = tables.attribute(reader)?;
    let Attribute::Enum { name: name @ "result_accuracy_mode", case } = &*mode else {
        return Err(reader.malformed("a mode of the accuracy of a result", "another attribute"));
    };
    let mut fields = Vec::new();
    for (field, value) in [("atol", atol), ("rtol", rtol)] {
        if value != 0.0 {
            fields.push((field, Field::Float(value)));
        }
    }
    if ulps != 0 {
        fields.push(("ulps", Field::Integer(ulps)));
    }
    fields.push(("mode", Field::Case(name, case)));
    Ok(Attribute::Record { name: "result_accuracy", fields })
}

/// Reads a part of a mesh axis.
fn sub_axis(reader: &mut Reader<'_>) -> Result<Attribute, Error> {
    let fields = vec![("sub_axis_info", Field::SubAxis(reader.signed()?, reader.signed()?))];
    Ok(Attribute::Record { name: "sub_axis_info", fields })
}

/// Reads a reference to a mesh axis.
fn axis_ref<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let mut fields = vec![("name", Field::Attribute(tables.attribute(reader)?))];
    if reader.varint()? != 0 {
        match &*tables.attribute(reader)? {
            Attribute::Record { name: "sub_axis_info", fields: part } => fields.extend(part.clone()),
            _ => return Err(reader.malformed("a part of a mesh axis", "another attribute")),
        }
    }
    Ok(Attribute::Record { name: "axis_ref", fields })
}

/// Reads groups of replicas that the axes of a mesh define.
fn mesh_axes<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let mesh = tables.attribute(reader)?;
    let mesh = match &*mesh {
        Attribute::String(name) => Arc::new(Attribute::Symbol(vec![name.clone()])),
        _ => mesh,
    };
    let axes = tables.attribute(reader)?;
    let fields = vec![("mesh", Field::Attribute(mesh)), ("axes", Field::Attribute(axes))];
    Ok(Attribute::Record { name: "replica_group_mesh_axes", fields })
}

/// Reads an axis of a mesh.
fn mesh_axis<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let fields = vec![("axis", Field::MeshAxes(vec![(tables.name(reader)?, reader.signed()?)]))];
    Ok(Attribute::Record { name: "mesh_axis", fields })
}

/// Reads a mesh: its axes and, unless they are in order, the numbers of its devices.
fn mesh<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let array = tables.attribute(reader)?;
    let Attribute::Array(elements) = &*array else {
        return Err(reader.malformed("a list of axes", "another attribute"));
    };
    let mut axes = Vec::with_capacity(elements.len());
    for element in elements {
        match &**element {
            Attribute::Record { name: "mesh_axis", fields } => {
                axes.extend(fields.iter().filter_map(|(_, field)| {
                    if let Field::MeshAxes(axis) = field { axis.first().cloned() } else { None }
                }))
            }
            _ => return Err(reader.malformed("an axis of a mesh", "another attribute")),
        }
    }
    let mut fields = vec![("axes", Field::MeshAxes(axes))];
    let devices = tables.optional_attribute(reader)?;
    fields.extend(devices.map(|devices| ("device_ids", Field::Attribute(devices))));
    Ok(Attribute::Record { name: "mesh", fields })
}
