//! Bytes, variable-length integers and sections.
//!
//! A [`Reader`] covers a range of the artifact and never leaves it. A count is checked against the bytes that remain
//! before anything is allocated for it, since every counted element takes at least one byte.

use crate::error::Error;
use crate::section::Section;
use std::fmt;

/// The first bytes of every artifact.
const MAGIC: [u8; 4] = *b"ML\xEFR";
/// The newest supported version of the container.
const NEWEST_VERSION: u64 = 6;
/// The byte that fills gaps before aligned sections.
const PADDING: u8 = 0xCB;

/// A position in a range of the artifact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    /// The artifact up to the end of the range, so that positions are offsets from its start.
    bytes: &'a [u8],
    position: usize,
    section: Section,
}

impl<'a> Reader<'a> {
    /// Returns the number of bytes that remain.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// Returns an error at the current position.
    pub fn malformed(&self, expected: impl Into<String>, found: impl fmt::Display) -> Error {
        Error::Malformed {
            section: self.section,
            offset: self.position,
            expected: expected.into(),
            found: found.to_string(),
        }
    }

    /// Returns an error about an unknown entity at the current position.
    pub fn unknown(&self, kind: &'static str, name: impl fmt::Display) -> Error {
        Error::Unknown { section: self.section, offset: self.position, kind, name: name.to_string() }
    }

    /// Returns an error about an exceeded limit at the current position.
    pub fn limit(&self, what: &'static str, limit: usize) -> Error {
        Error::Limit { section: self.section, offset: self.position, what, limit }
    }

    /// Reads `count` bytes as a range of their own.
    pub fn range(&mut self, count: u64) -> Result<Reader<'a>, Error> {
        let start = self.position;
        let end = usize::try_from(count).ok().and_then(|count| start.checked_add(count));
        let Some(bytes) = end.and_then(|end| self.bytes.get(..end)) else {
            return Err(self.malformed(format!("{count} bytes"), format!("{} bytes", self.remaining())));
        };
        self.position = bytes.len();
        Ok(Reader { bytes, position: start, section: self.section })
    }

    /// Reads `count` bytes.
    pub fn bytes(&mut self, count: u64) -> Result<&'a [u8], Error> {
        let range = self.range(count)?;
        Ok(&range.bytes[range.position..])
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, Error> {
        let &byte = self.bytes.get(self.position).ok_or_else(|| self.malformed("a byte", "the end of the bytes"))?;
        self.position += 1;
        Ok(byte)
    }

    /// Reads an unsigned integer. The number of trailing zeros of the first byte is the number of further bytes.
    pub fn varint(&mut self) -> Result<u64, Error> {
        let first = self.byte()?;
        let further = first.trailing_zeros();
        let mut word = [0; 8];
        if further == 8 {
            word.copy_from_slice(self.bytes(8)?);
            return Ok(u64::from_le_bytes(word));
        }
        word[0] = first;
        for byte in word.iter_mut().skip(1).take(further as usize) {
            *byte = self.byte()?;
        }
        Ok(u64::from_le_bytes(word) >> (further + 1))
    }

    /// Reads a signed integer in zigzag encoding.
    pub fn signed(&mut self) -> Result<i64, Error> {
        let word = self.varint()?;
        Ok((word >> 1).cast_signed() ^ -(word & 1).cast_signed())
    }

    /// Reads an unsigned integer whose lowest bit is a flag.
    pub fn flagged(&mut self) -> Result<(u64, bool), Error> {
        let word = self.varint()?;
        Ok((word >> 1, word & 1 == 1))
    }

    /// Reads the number of elements that follow, each at least one byte long.
    pub fn count(&mut self, what: &str) -> Result<usize, Error> {
        let count = self.varint()?;
        self.check_count(count, what)
    }

    /// Checks that the bytes that remain suffice for `count` elements.
    pub fn check_count(&self, count: u64, what: &str) -> Result<usize, Error> {
        match usize::try_from(count) {
            Ok(count) if count <= self.remaining() => Ok(count),
            _ => Err(self.malformed(format!("at most {} {what}", self.remaining()), count)),
        }
    }

    /// Reads an index into a table of `len` elements.
    pub fn index(&mut self, len: usize, what: &str) -> Result<usize, Error> {
        let index = self.varint()?;
        self.check_index(index, len, what)
    }

    /// Checks that `index` is less than `len`.
    pub fn check_index(&self, index: u64, len: usize, what: &str) -> Result<usize, Error> {
        match usize::try_from(index) {
            Ok(index) if index < len => Ok(index),
            _ => Err(self.malformed(format!("the index of one of {len} {what}"), index)),
        }
    }

    /// Reads a list of signed integers.
    pub fn signed_list(&mut self) -> Result<Vec<i64>, Error> {
        let count = self.count("integers")?;
        (0..count).map(|_| self.signed()).collect()
    }

    /// Reads a string that ends with a zero byte.
    pub fn nul_terminated(&mut self) -> Result<&'a str, Error> {
        let rest = &self.bytes[self.position..];
        let Some(len) = rest.iter().position(|&byte| byte == 0) else {
            return Err(self.malformed("a string that ends with a zero byte", "no zero byte"));
        };
        let text = std::str::from_utf8(&rest[..len]).map_err(|_| self.malformed("UTF-8", "other bytes"))?;
        self.position += len + 1;
        Ok(text)
    }

    /// Reads a section with its header.
    pub fn section(&mut self) -> Result<(Section, Reader<'a>), Error> {
        let tag = self.byte()?;
        let Some(section) = Section::of_id(tag & 0x7F) else {
            return Err(self.malformed("the code of a section", tag & 0x7F));
        };
        let len = self.varint()?;
        if tag & 0x80 != 0 {
            self.align()?;
        }
        let range = self.range(len)?;
        Ok((section, Reader { section, ..range }))
    }

    /// Reads an alignment and the padding up to it.
    fn align(&mut self) -> Result<(), Error> {
        let alignment = self.varint()?;
        if !alignment.is_power_of_two() {
            return Err(self.malformed("a power of two as alignment", alignment));
        }
        while self.position as u64 & (alignment - 1) != 0 {
            let byte = self.byte()?;
            if byte != PADDING {
                return Err(self.malformed("the padding byte CB", format!("{byte:02X}")));
            }
        }
        Ok(())
    }

    /// Checks that no byte remains.
    pub fn finish(&self, what: &str) -> Result<(), Error> {
        if self.remaining() == 0 {
            return Ok(());
        }
        Err(self.malformed(format!("the end of {what}"), format!("{} more bytes", self.remaining())))
    }
}

/// The header and the sections of an artifact.
#[derive(Debug)]
pub(crate) struct Container<'a> {
    pub version: u64,
    pub producer: String,
    /// The sections by their codes.
    sections: [Option<Reader<'a>>; Section::COUNT],
    /// A reader at the end of the header, for errors about absent sections.
    end: Reader<'a>,
}

impl<'a> Container<'a> {
    /// Reads the header and finds the sections.
    pub fn open(bytes: &'a [u8]) -> Result<Container<'a>, Error> {
        let mut reader = Reader { bytes, position: 0, section: Section::Header };
        if reader.bytes(4) != Ok(&MAGIC) {
            return Err(Error::NotBytecode);
        }
        let version = reader.varint()?;
        if version > NEWEST_VERSION {
            return Err(Error::BytecodeVersion { found: version, newest: NEWEST_VERSION });
        }
        let producer = reader.nul_terminated()?.to_owned();
        let mut sections = [None; Section::COUNT];
        while reader.remaining() > 0 {
            let (section, content) = reader.section()?;
            let slot = &mut sections[Self::slot(section)];
            if slot.is_some() {
                return Err(reader.malformed(format!("one {section} section"), "another"));
            }
            *slot = Some(content);
        }
        Ok(Container { version, producer, sections, end: reader })
    }

    /// Returns the index of `section` in the list of sections; `Header` precedes the sections with codes.
    fn slot(section: Section) -> usize {
        (section as usize).saturating_sub(Section::String as usize)
    }

    /// Returns the content of `section` if the artifact has it.
    pub fn optional(&self, section: Section) -> Option<Reader<'a>> {
        self.sections[Self::slot(section)]
    }

    /// Returns the content of `section`.
    pub fn required(&self, section: Section) -> Result<Reader<'a>, Error> {
        self.optional(section).ok_or_else(|| self.end.malformed(format!("{section} section"), "no such section"))
    }

    /// Returns the number of bytes of the artifact.
    pub fn len(&self) -> usize {
        self.end.bytes.len()
    }
}
