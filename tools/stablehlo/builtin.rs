//! The attributes and types of MLIR's builtin dialect, by their codes in the artifact.
//!
//! Artifacts use them for locations, for dictionaries of attributes, and in programs that mix dialects.

use crate::attributes::{self, dense};
use crate::container::Reader;
use crate::error::Error;
use crate::ir::{Attribute, FloatKind, Location, Signedness, Type};
use crate::tables::Tables;
use crate::types::{self, encoded_tensor, shape, small_float};
use std::sync::Arc;

/// Reads an attribute of the builtin dialect.
pub(crate) fn read_attribute<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    Ok(match reader.varint()? {
        0 => Attribute::Array(tables.attribute_list(reader)?),
        1 => attributes::dictionary(tables, reader)?,
        2 => tables.string(reader)?,
        4 => Attribute::Symbol(vec![tables.name(reader)?]),
        5 => nested_symbol(tables, reader)?,
        6 => Attribute::Type(tables.ty(reader)?),
        7 => Attribute::Unit,
        8 => attributes::integer(tables, reader)?,
        9 => attributes::float(tables, reader)?,
        10 => {
            let (callee, caller) = (tables.location(reader)?, tables.location(reader)?);
            located(Location::CallSite { callee, caller })
        }
        11 => {
            let file = tables.name(reader)?;
            let start = (reader.varint()?, reader.varint()?);
            located(Location::File { file, start, end: start })
        }
        12 => located(Location::Fused(locations(tables, reader)?)),
        13 => {
            let fused = locations(tables, reader)?;
            tables.attribute(reader)?;
            located(Location::Fused(fused))
        }
        14 => located(Location::Name { name: tables.name(reader)?, child: tables.location(reader)? }),
        15 => located(Location::Unknown),
        17 => dense_array(tables, reader)?,
        18 => {
            let ty = tables.ty(reader)?;
            let len = reader.varint()?;
            Attribute::Dense(dense(ty, reader.bytes(len)?, reader)?)
        }
        22 => located(file_range(tables, reader)?),
        code => return Err(reader.unknown("builtin attribute with code", code)),
    })
}

/// Returns the attribute of a location.
fn located(location: Location) -> Attribute {
    Attribute::Location(Arc::new(location))
}

/// Reads a list of locations.
fn locations<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Vec<Arc<Location>>, Error> {
    let count = reader.count("locations")?;
    (0..count).map(|_| tables.location(reader)).collect()
}

/// Reads a range in a file; its form says which of lines and columns are stored.
fn file_range<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Location, Error> {
    let file = tables.name(reader)?;
    let count = reader.count("lines and columns")?;
    let stored = (0..count).map(|_| reader.varint()).collect::<Result<Vec<u64>, Error>>()?;
    let (start, end) = match *stored {
        [] => ((0, 0), (0, 0)),
        [line] => ((line, 0), (line, 0)),
        [line, column] => ((line, column), (line, column)),
        [line, start, end] => ((line, start), (line, end)),
        [start_line, start, end_line, end] => ((start_line, start), (end_line, end)),
        _ => return Err(reader.malformed("at most four lines and columns", count)),
    };
    Ok(Location::File { file, start, end })
}

/// Reads the name of a symbol that is nested in others.
fn nested_symbol<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let mut path = vec![tables.name(reader)?];
    for nested in tables.attribute_list(reader)? {
        match &*nested {
            Attribute::Symbol(names) => path.extend(names.iter().cloned()),
            _ => return Err(reader.malformed("a nested symbol", "another attribute")),
        }
    }
    Ok(Attribute::Symbol(path))
}

/// Reads an array of integers of 64 bits or of booleans.
fn dense_array<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    let ty = tables.ty(reader)?;
    let count = reader.varint()?;
    let len = reader.varint()?;
    let data = reader.bytes(len)?;
    if ty.element_size().is_none_or(|size| count.checked_mul(size as u64) != Some(len)) {
        return Err(reader.malformed(format!("the data of {count} elements"), format!("{len} bytes")));
    }
    match *ty {
        Type::Integer { width: 64, signedness: Signedness::Signless } => {
            let words = data.as_chunks().0.iter();
            Ok(Attribute::Integers(words.map(|&word| i64::from_le_bytes(word)).collect()))
        }
        Type::Integer { width: 1, .. } => Ok(Attribute::Booleans(data.iter().map(|&byte| byte != 0).collect())),
        _ => Err(reader.malformed("an array of i64 or i1", "another element type")),
    }
}

/// Reads a type of the builtin dialect.
pub(crate) fn read_type<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Type, Error> {
    Ok(match reader.varint()? {
        0 => integer(reader)?,
        1 => Type::Index,
        2 => Type::Function { inputs: tables.type_list(reader)?, results: tables.type_list(reader)? },
        3 => Type::Float(FloatKind::Bf16),
        4 => Type::Float(FloatKind::F16),
        5 => Type::Float(FloatKind::F32),
        6 => Type::Float(FloatKind::F64),
        7 => Type::Float(FloatKind::Other { name: "f80", bits: 80 }),
        8 => Type::Float(FloatKind::Other { name: "f128", bits: 128 }),
        9 => Type::Complex(tables.ty(reader)?),
        12 => Type::None,
        13 => Type::Tensor { shape: shape(reader)?, element: tables.ty(reader)?, encoding: None },
        14 => encoded_tensor(tables, reader)?,
        15 => Type::Tuple(tables.type_list(reader)?),
        18 => Type::UnrankedTensor(tables.ty(reader)?),
        21 => Type::Float(FloatKind::Tf32),
        22 => small_float("f8E5M2", 8),
        23 => small_float("f8E4M3", 8),
        24 => small_float("f8E4M3FN", 8),
        25 => small_float("f8E5M2FNUZ", 8),
        26 => small_float("f8E4M3FNUZ", 8),
        27 => small_float("f8E4M3B11FNUZ", 8),
        28 => small_float("f8E3M4", 8),
        29 => small_float("f4E2M1FN", 4),
        30 => small_float("f6E2M3FN", 6),
        31 => small_float("f6E3M2FN", 6),
        32 => small_float("f8E8M0FNU", 8),
        code => return Err(reader.unknown("builtin type with code", code)),
    })
}

/// Reads an integer type: its width and, in the lowest two bits, its signs.
fn integer(reader: &mut Reader<'_>) -> Result<Type, Error> {
    let word = reader.varint()?;
    let signedness = match word & 3 {
        0 => Signedness::Signless,
        1 => Signedness::Signed,
        2 => Signedness::Unsigned,
        code => return Err(reader.unknown("signs of an integer type with code", code)),
    };
    match u32::try_from(word >> 2) {
        Ok(width @ 1..) => Ok(types::integer(width, signedness)),
        _ => Err(reader.malformed("the width of an integer type", word >> 2)),
    }
}
