//! The types of VHLO, by their codes in the artifact, as types of StableHLO.

use crate::container::Reader;
use crate::error::Error;
use crate::ir::{Attribute, FloatKind, Quantization, Signedness, Type};
use crate::tables::Tables;
use std::sync::Arc;

/// The number that stands for a dimension without a static size.
const DYNAMIC: i64 = i64::MIN;
/// The limit on the number of dimensions of a tensor.
const MAX_RANK: usize = 1024;
/// The bit of a quantized type's flags that says that the stored integers are signed.
const QUANTIZED_SIGNED: u64 = 1;

/// Reads a type of VHLO.
pub(crate) fn read<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Type, Error> {
    Ok(match reader.varint()? {
        0 => integer(1, Signedness::Signless),
        1 => Type::Complex(tables.ty(reader)?),
        2 => Type::Float(FloatKind::Bf16),
        3 => Type::Float(FloatKind::F16),
        4 => Type::Float(FloatKind::F32),
        5 => Type::Float(FloatKind::F64),
        6 => small_float("f8E4M3FN", 8),
        7 => small_float("f8E5M2", 8),
        8 => Type::Function { inputs: tables.type_list(reader)?, results: tables.type_list(reader)? },
        9 => Type::Index,
        10 => integer(4, Signedness::Signless),
        11 => integer(8, Signedness::Signless),
        12 => integer(16, Signedness::Signless),
        13 => integer(32, Signedness::Signless),
        14 => integer(64, Signedness::Signless),
        15 => integer(4, Signedness::Unsigned),
        16 => integer(8, Signedness::Unsigned),
        17 => integer(16, Signedness::Unsigned),
        18 => integer(32, Signedness::Unsigned),
        19 => integer(64, Signedness::Unsigned),
        20 => Type::Tensor { shape: shape(reader)?, element: tables.ty(reader)?, encoding: None },
        21 => encoded_tensor(tables, reader)?,
        22 => Type::Token,
        23 => Type::Tuple(tables.type_list(reader)?),
        24 => Type::Quantized(quantized(tables, reader)?),
        25 => Type::UnrankedTensor(tables.ty(reader)?),
        26 => Type::Witness,
        27 => small_float("f8E4M3FNUZ", 8),
        28 => small_float("f8E5M2FNUZ", 8),
        29 => small_float("f8E4M3B11FNUZ", 8),
        30 => Type::Quantized(quantized_per_axis(tables, reader)?),
        31 => integer(2, Signedness::Signless),
        32 => integer(2, Signedness::Unsigned),
        33 => Type::None,
        34 => Type::Float(FloatKind::Tf32),
        35 => small_float("f8E4M3", 8),
        36 => small_float("f8E3M4", 8),
        37 => small_float("f4E2M1FN", 4),
        38 => small_float("f6E2M3FN", 6),
        39 => small_float("f6E3M2FN", 6),
        40 => small_float("f8E8M0FNU", 8),
        41 => Type::MemRef { shape: shape(reader)?, element: tables.ty(reader)? },
        42 => Type::Future(tables.type_list(reader)?),
        code => return Err(reader.unknown("type of VHLO with code", code)),
    })
}

/// Returns an integer type.
pub(crate) fn integer(width: u32, signedness: Signedness) -> Type {
    Type::Integer { width, signedness }
}

/// Returns a floating-point type with at most eight bits.
pub(crate) fn small_float(name: &'static str, bits: u32) -> Type {
    Type::Float(FloatKind::Other { name, bits })
}

/// Reads the sizes of dimensions.
pub(crate) fn shape(reader: &mut Reader<'_>) -> Result<Vec<Option<u64>>, Error> {
    let sizes = reader.signed_list()?;
    if sizes.len() > MAX_RANK {
        return Err(reader.limit("the rank of a tensor", MAX_RANK));
    }
    sizes
        .into_iter()
        .map(|size| match u64::try_from(size) {
            Ok(size) => Ok(Some(size)),
            Err(_) if size == DYNAMIC => Ok(None),
            Err(_) => Err(reader.malformed("the size of a dimension", size)),
        })
        .collect()
}

/// Reads a tensor type with an encoding.
pub(crate) fn encoded_tensor<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Type, Error> {
    let encoding = Some(tables.attribute(reader)?);
    Ok(Type::Tensor { shape: shape(reader)?, element: tables.ty(reader)?, encoding })
}

/// Reads a quantized type with one scale.
fn quantized<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Quantization, Error> {
    let signed = reader.varint()? & QUANTIZED_SIGNED != 0;
    let storage = quantized_storage(tables, reader)?;
    let expressed = tables.ty(reader)?;
    let scale = double(reader)?;
    let zero_point = reader.signed()?;
    let range = (reader.signed()?, reader.signed()?);
    Ok(Quantization { signed, storage, expressed, dimension: None, scales: vec![(scale, zero_point)], range })
}

/// Reads a quantized type with a scale for each index of a dimension.
fn quantized_per_axis<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Quantization, Error> {
    let signed = reader.varint()? & QUANTIZED_SIGNED != 0;
    let storage = quantized_storage(tables, reader)?;
    let expressed = tables.ty(reader)?;
    let dimension = Some(reader.varint()?);
    let range = (reader.signed()?, reader.signed()?);
    let count = reader.count("scales")?;
    let scales = (0..count).map(|_| double(reader)).collect::<Result<Vec<f64>, Error>>()?;
    let zero_points = reader.signed_list()?;
    if zero_points.len() != count {
        return Err(reader.malformed(format!("{count} zero points"), zero_points.len()));
    }
    let scales = scales.into_iter().zip(zero_points).collect();
    Ok(Quantization { signed, storage, expressed, dimension, scales, range })
}

/// Reads the type of the stored integers of a quantized type.
fn quantized_storage<'a>(tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Arc<Type>, Error> {
    let storage = tables.ty(reader)?;
    match &*storage {
        Type::Integer { width: 1..=64, .. } => Ok(storage),
        _ => Err(reader.malformed("an integer type for the storage of a quantized type", "another type")),
    }
}

/// Reads a number of 64 bits.
pub(crate) fn double(reader: &mut Reader<'_>) -> Result<f64, Error> {
    Ok(f64::from_bits(reader.signed()?.cast_unsigned()))
}

impl Type {
    /// Returns the number of bytes of an element of this type in the data of a tensor, or `None` if it has no data.
    pub(crate) fn element_size(&self) -> Option<usize> {
        match self {
            Type::Integer { width, .. } => Some(width.div_ceil(8) as usize),
            Type::Float(FloatKind::Bf16 | FloatKind::F16) => Some(2),
            Type::Float(FloatKind::F32) => Some(4),
            Type::Float(FloatKind::F64) => Some(8),
            Type::Float(FloatKind::Other { bits, .. }) => Some(bits.div_ceil(8) as usize),
            Type::Index => Some(8),
            Type::Complex(part) if !matches!(**part, Type::Complex(_)) => part.element_size()?.checked_mul(2),
            Type::Quantized(quantization) => quantization.storage.element_size(),
            _ => None,
        }
    }

    /// Returns the number of elements of a tensor with static shape, or `None` for other types and on overflow.
    pub(crate) fn element_count(&self) -> Option<u64> {
        match self {
            Type::Tensor { shape, .. } if shape.contains(&Some(0)) => Some(0),
            Type::Tensor { shape, .. } => shape.iter().try_fold(1, |count: u64, size| count.checked_mul((*size)?)),
            _ => None,
        }
    }

    /// Returns the type of the elements of a tensor.
    pub(crate) fn element(&self) -> Option<&Arc<Type>> {
        match self {
            Type::Tensor { element, .. } => Some(element),
            _ => None,
        }
    }

    /// Checks whether the type is `i1`.
    pub(crate) fn is_boolean(&self) -> bool {
        matches!(self, Type::Integer { width: 1, signedness: Signedness::Signless })
    }
}

/// Returns the bounds of dimensions.
pub(crate) fn bounds(sizes: Vec<i64>) -> Attribute {
    Attribute::Bounds(sizes.into_iter().map(|size| (size != DYNAMIC).then_some(size)).collect())
}
