//! Tables of the artifact: strings, names of operations, attributes, types and properties.
//!
//! Attributes and types are decoded on demand and kept. An entry may refer to any other entry, so decoding recurses;
//! cycles, deep nesting, and entries that would expand to much more than the artifact are errors.

use crate::container::{Container, Reader};
use crate::error::Error;
use crate::ir::{Attribute, Location, Type};
use crate::section::Section;
use std::sync::Arc;

/// The limit on the nesting of attributes and types.
const MAX_DEPTH: usize = 128;
/// Sharing may expand an entry by this number of bytes beyond the size of the artifact.
const EXPANSION: usize = 1 << 20;

/// Attributes that are decoded to text may have this number of bytes for each byte of the artifact.
const TEXT_EXPANSION: usize = 64;

/// The encoding of an attribute or type.
#[derive(Debug, Clone, Copy)]
struct Entry<'a> {
    dialect: &'a str,
    /// True if the dialect defines the encoding; otherwise the entry is text.
    custom: bool,
    content: Reader<'a>,
}

/// The progress of decoding an entry.
#[derive(Debug, Clone)]
enum Progress<T> {
    Waiting,
    Running,
    /// The result, and the number of bytes that it expands to.
    Done(Arc<T>, usize),
}

/// The name of an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpName<'a> {
    pub dialect: &'a str,
    pub name: &'a str,
    /// True if the operation was registered in the program that wrote the artifact; the encoding of its properties
    /// depends on this.
    pub registered: bool,
}

/// A function that reads an attribute or type of a dialect that defines its encoding.
type KindReader<T> = for<'a> fn(&str, &mut Tables<'a>, &mut Reader<'a>) -> Result<T, Error>;

/// The functions that read the kinds of attributes and types, to which `Tables` must not refer.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    pub attribute: KindReader<Attribute>,
    pub ty: KindReader<Type>,
}

/// The tables of an artifact.
pub(crate) struct Tables<'a> {
    kinds: Kinds,
    pub version: u64,
    strings: Vec<Attribute>,
    pub ops: Vec<OpName<'a>>,
    properties: Vec<Reader<'a>>,
    attribute_entries: Vec<Entry<'a>>,
    type_entries: Vec<Entry<'a>>,
    attributes: Vec<Progress<Attribute>>,
    types: Vec<Progress<Type>>,
    depth: usize,
    /// The number of bytes that the entries in progress expand to so far.
    expanded: usize,
    max_expanded: usize,
    /// The number of bytes of text that attributes may still have.
    text_budget: usize,
}

impl<'a> Tables<'a> {
    /// Reads the tables of an artifact, without the content of attributes and types.
    pub fn read(container: &Container<'a>, kinds: Kinds) -> Result<Tables<'a>, Error> {
        let strings = read_strings(container.required(Section::String)?)?;
        let mut dialect_section = container.required(Section::Dialect)?;
        let dialects = read_dialects(&mut dialect_section, &strings, container.version)?;
        let ops = read_op_names(dialect_section, &strings, &dialects, container.version)?;
        let (attribute_entries, type_entries) = read_entries(container, &dialects)?;
        let properties = match container.optional(Section::Properties) {
            Some(section) => read_properties(section)?,
            None => Vec::new(),
        };
        Ok(Tables {
            kinds,
            version: container.version,
            strings: strings.into_iter().map(string_attribute).collect(),
            ops,
            properties,
            attributes: vec![Progress::Waiting; attribute_entries.len()],
            types: vec![Progress::Waiting; type_entries.len()],
            attribute_entries,
            type_entries,
            depth: 0,
            expanded: 0,
            max_expanded: container.len().saturating_mul(2).saturating_add(EXPANSION),
            text_budget: container.len().saturating_mul(TEXT_EXPANSION).saturating_add(EXPANSION),
        })
    }

    /// Reads a reference to a string as an attribute.
    pub fn string(&self, reader: &mut Reader<'a>) -> Result<Attribute, Error> {
        Ok(self.strings[reader.index(self.strings.len(), "strings")?].clone())
    }

    /// Reads a reference to the properties of an operation.
    pub fn properties(&self, reader: &mut Reader<'a>) -> Result<Reader<'a>, Error> {
        Ok(self.properties[reader.index(self.properties.len(), "properties")?])
    }

    /// Reads a reference to an attribute and decodes it.
    pub fn attribute(&mut self, reader: &mut Reader<'a>) -> Result<Arc<Attribute>, Error> {
        let index = reader.index(self.attribute_entries.len(), "attributes")?;
        self.attribute_at(index, reader)
    }

    /// Reads a reference to an attribute that may be absent.
    pub fn optional_attribute(&mut self, reader: &mut Reader<'a>) -> Result<Option<Arc<Attribute>>, Error> {
        let (index, present) = reader.flagged()?;
        if !present {
            return Ok(None);
        }
        let index = reader.check_index(index, self.attribute_entries.len(), "attributes")?;
        self.attribute_at(index, reader).map(Some)
    }

    /// Reads a list of references to attributes.
    pub fn attribute_list(&mut self, reader: &mut Reader<'a>) -> Result<Vec<Arc<Attribute>>, Error> {
        let count = reader.count("attributes")?;
        (0..count).map(|_| self.attribute(reader)).collect()
    }

    /// Reads a reference to a location.
    pub fn location(&mut self, reader: &mut Reader<'a>) -> Result<Arc<Location>, Error> {
        match &*self.attribute(reader)? {
            Attribute::Location(location) => Ok(location.clone()),
            _ => Err(reader.malformed("a location", "another attribute")),
        }
    }

    /// Reads a reference to a string attribute that is UTF-8.
    pub fn name(&mut self, reader: &mut Reader<'a>) -> Result<Arc<str>, Error> {
        match &*self.attribute(reader)? {
            Attribute::String(name) => Ok(name.clone()),
            _ => Err(reader.malformed("a string attribute in UTF-8", "another attribute")),
        }
    }

    /// Reads a reference to a type and decodes it.
    pub fn ty(&mut self, reader: &mut Reader<'a>) -> Result<Arc<Type>, Error> {
        let index = reader.varint()?;
        self.type_at(index, reader)
    }

    /// Reads a list of references to types.
    pub fn type_list(&mut self, reader: &mut Reader<'a>) -> Result<Vec<Arc<Type>>, Error> {
        let count = reader.count("types")?;
        (0..count).map(|_| self.ty(reader)).collect()
    }

    /// Returns the type with the number `index`, to which `user` refers.
    pub fn type_at(&mut self, index: u64, user: &Reader<'a>) -> Result<Arc<Type>, Error> {
        let index = user.check_index(index, self.type_entries.len(), "types")?;
        match &self.types[index] {
            Progress::Done(ty, expanded) => {
                self.expanded = self.expanded.saturating_add(*expanded);
                return Ok(ty.clone());
            }
            Progress::Running => return Err(user.malformed("a type that does not contain itself", "a cycle")),
            Progress::Waiting => self.types[index] = Progress::Running,
        }
        let entry = self.type_entries[index];
        let (ty, expanded) = self.decode(entry, user, self.kinds.ty, Type::Other)?;
        self.types[index] = Progress::Done(ty.clone(), expanded);
        Ok(ty)
    }

    /// Returns the attribute with the number `index`, to which `user` refers.
    fn attribute_at(&mut self, index: usize, user: &Reader<'a>) -> Result<Arc<Attribute>, Error> {
        match &self.attributes[index] {
            Progress::Done(attribute, expanded) => {
                self.expanded = self.expanded.saturating_add(*expanded);
                return Ok(attribute.clone());
            }
            Progress::Running => return Err(user.malformed("an attribute that does not contain itself", "a cycle")),
            Progress::Waiting => self.attributes[index] = Progress::Running,
        }
        let entry = self.attribute_entries[index];
        let (attribute, expanded) = self.decode(entry, user, self.kinds.attribute, Attribute::Other)?;
        self.attributes[index] = Progress::Done(attribute.clone(), expanded);
        Ok(attribute)
    }

    /// Counts `len` bytes of text.
    pub fn spend_text(&mut self, len: usize, user: &Reader<'_>) -> Result<(), Error> {
        match self.text_budget.checked_sub(len) {
            Some(rest) => self.text_budget = rest,
            None => return Err(user.limit("the text of attributes per byte", TEXT_EXPANSION)),
        }
        Ok(())
    }

    /// Decodes `entry` and returns the result with the number of bytes that it expands to.
    fn decode<T>(
        &mut self,
        entry: Entry<'a>,
        user: &Reader<'a>,
        custom: KindReader<T>,
        other: impl FnOnce(String) -> T,
    ) -> Result<(Arc<T>, usize), Error> {
        if self.depth >= MAX_DEPTH {
            return Err(user.limit("nesting of attributes and types", MAX_DEPTH));
        }
        let mut content = entry.content;
        let outer = std::mem::replace(&mut self.expanded, content.remaining() + 1);
        self.depth += 1;
        let decoded = match (entry.dialect, entry.custom) {
            (dialect, true) => custom(dialect, self, &mut content),
            ("vhlo", false) => Err(user.unknown("encoding of VHLO", text_of(&mut content)?)),
            (_, false) => text_of(&mut content).map(other),
        };
        self.depth -= 1;
        let decoded = decoded?;
        content.finish("the encoding of an attribute or type")?;
        let expanded = self.expanded;
        if expanded > self.max_expanded {
            return Err(user.limit("the size of a shared attribute or type", self.max_expanded));
        }
        self.expanded = outer.saturating_add(expanded);
        Ok((Arc::new(decoded), expanded))
    }
}

/// Reads the text of an attribute or type of a dialect without a custom encoding.
fn text_of(content: &mut Reader<'_>) -> Result<String, Error> {
    content.nul_terminated().map(str::to_owned)
}

/// Reads the string section: the lengths of the strings in descending order, then their bytes in ascending order.
fn read_strings(mut section: Reader<'_>) -> Result<Vec<&[u8]>, Error> {
    let count = section.count("strings")?;
    let mut lengths = (0..count).map(|_| section.varint()).collect::<Result<Vec<u64>, Error>>()?;
    lengths.reverse();
    let mut strings = Vec::with_capacity(count);
    for len in lengths {
        let Some((0, text)) = section.bytes(len)?.split_last() else {
            return Err(section.malformed("a string that ends with a zero byte", "another byte"));
        };
        strings.push(text);
    }
    section.finish("the string section")?;
    Ok(strings)
}

/// Returns a string as an attribute.
fn string_attribute(bytes: &[u8]) -> Attribute {
    match std::str::from_utf8(bytes) {
        Ok(text) => Attribute::String(text.into()),
        Err(_) => Attribute::Bytes(bytes.into()),
    }
}

/// Reads a reference to a string that is UTF-8.
fn read_name<'a>(reader: &Reader<'a>, strings: &[&'a [u8]], index: u64) -> Result<&'a str, Error> {
    let index = reader.check_index(index, strings.len(), "strings")?;
    std::str::from_utf8(strings[index]).map_err(|_| reader.malformed("a name in UTF-8", "other bytes"))
}

/// Reads the names of the dialects, and skips their versions.
fn read_dialects<'a>(section: &mut Reader<'a>, strings: &[&'a [u8]], version: u64) -> Result<Vec<&'a str>, Error> {
    let count = section.count("dialects")?;
    let mut dialects = Vec::with_capacity(count);
    for _ in 0..count {
        let (name, versioned) = if version >= 1 { section.flagged()? } else { (section.varint()?, false) };
        dialects.push(read_name(section, strings, name)?);
        if versioned {
            section.section()?;
        }
    }
    Ok(dialects)
}

/// Reads the names of the operations, which are grouped by dialect.
fn read_op_names<'a>(
    mut section: Reader<'a>,
    strings: &[&'a [u8]],
    dialects: &[&'a str],
    version: u64,
) -> Result<Vec<OpName<'a>>, Error> {
    if version >= 4 {
        section.varint()?;
    }
    let mut ops = Vec::new();
    while section.remaining() > 0 {
        let dialect = dialects[section.index(dialects.len(), "dialects")?];
        for _ in 0..section.count("names of operations")? {
            let (name, registered) = if version >= 5 { section.flagged()? } else { (section.varint()?, true) };
            ops.push(OpName { dialect, name: read_name(&section, strings, name)?, registered });
        }
    }
    Ok(ops)
}

/// Reads the sizes of attributes and types, and divides their section.
fn read_entries<'a>(
    container: &Container<'a>,
    dialects: &[&'a str],
) -> Result<(Vec<Entry<'a>>, Vec<Entry<'a>>), Error> {
    let mut offsets = container.required(Section::AttrTypeOffset)?;
    let mut content = container.required(Section::AttrType)?;
    let attributes = offsets.count("attributes")?;
    let types = offsets.count("types")?;
    let attributes = read_group(&mut offsets, &mut content, dialects, attributes)?;
    let types = read_group(&mut offsets, &mut content, dialects, types)?;
    offsets.finish("the attribute and type offset section")?;
    Ok((attributes, types))
}

/// Reads `count` entries, which are grouped by dialect.
fn read_group<'a>(
    offsets: &mut Reader<'a>,
    content: &mut Reader<'a>,
    dialects: &[&'a str],
    count: usize,
) -> Result<Vec<Entry<'a>>, Error> {
    let mut entries = Vec::new();
    while entries.len() < count {
        let dialect = dialects[offsets.index(dialects.len(), "dialects")?];
        let group = offsets.count("entries of a dialect")?;
        if group > count - entries.len() {
            return Err(offsets.malformed(format!("at most {} entries", count - entries.len()), group));
        }
        for _ in 0..group {
            let (size, custom) = offsets.flagged()?;
            entries.push(Entry { dialect, custom, content: content.range(size)? });
        }
    }
    Ok(entries)
}

/// Divides the properties section.
fn read_properties(mut section: Reader<'_>) -> Result<Vec<Reader<'_>>, Error> {
    let count = section.count("properties")?;
    let mut properties = Vec::with_capacity(count);
    for _ in 0..count {
        let size = section.varint()?;
        properties.push(section.range(size)?);
    }
    section.finish("the properties section")?;
    Ok(properties)
}
