//! The kinds of attributes and types, by the dialects that define their encodings.

use crate::container::Reader;
use crate::error::Error;
use crate::ir::{Attribute, Type};
use crate::tables::{Kinds, Tables};
use crate::{attributes, builtin, sdy, types};

/// The functions that read attributes and types.
pub(crate) const KINDS: Kinds = Kinds { attribute: read_attribute, ty: read_type };

/// Reads an attribute of a dialect that defines its encoding.
fn read_attribute<'a>(dialect: &str, tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
    match dialect {
        "vhlo" => attributes::read(tables, reader),
        "builtin" => builtin::read_attribute(tables, reader),
        "sdy" => sdy::read(tables, reader),
        _ => Err(reader.unknown("encoding of attributes of dialect", dialect)),
    }
}

/// Reads a type of a dialect that defines its encoding.
fn read_type<'a>(dialect: &str, tables: &mut Tables<'a>, reader: &mut Reader<'a>) -> Result<Type, Error> {
    match dialect {
        "vhlo" => types::read(tables, reader),
        "builtin" => builtin::read_type(tables, reader),
        _ => Err(reader.unknown("encoding of types of dialect", dialect)),
    }
}
