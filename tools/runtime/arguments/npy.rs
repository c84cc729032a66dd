//! `.npy` files: arrays of f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 and b1 in either byte order and either order of
//! axes. Unsigned numbers are read as the signed ones of the same bits, because types have no sign here. A bf16, for
//! which numpy has no type, is two bytes (V2), as the package `ml_dtypes` writes it.
//!
//! Source: `numpy/lib/format.py`. Files are not trusted: sizes in the header are compared with the length of the file
//! before memory is allocated.

use half::{bf16, f16};
use mlopt_dialects::text::count;
use mlopt_dialects::value::{Array, Data, Element};
use npyz::{DType, NpyFile, Order, WriterBuilder};
use std::io::Read;
use std::{fs, io, path::Path};
use thiserror::Error;

/// The maximum length of a header, which is also numpy's.
const MAX_HEADER: usize = 10_000;
/// The maximum nesting of brackets in a header; a plain array needs 2.
const MAX_NESTING: usize = 8;

#[derive(Debug, Error)]
pub enum NpyError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("not an .npy file: expected it to start with the bytes \\x93NUMPY, found {0}")]
    Magic(String),
    #[error("truncated: expected {} of {part}, found {found}", count(*.expected, "byte"))]
    Truncated { part: &'static str, expected: usize, found: usize },
    #[error("corrupt header: {0}")]
    Header(String),
    #[error("not supported: element type `{0}`; expected f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 or b1")]
    Dtype(String),
    #[error("corrupt data: expected 0 or 1 for a boolean, found the byte {0}")]
    Boolean(u8),
    #[error("expected {} of data for shape {shape:?}, found {found}", count(*.expected, "byte"))]
    Length { shape: Vec<usize>, expected: usize, found: usize },
}

pub fn read(path: &Path) -> Result<Array, NpyError> {
    from_bytes(&fs::read(path)?)
}

pub fn from_bytes(bytes: &[u8]) -> Result<Array, NpyError> {
    let (header, file) = Header::read(bytes)?;
    header.check_length(bytes.len())?;
    let Header { data_start, shape, descr, .. } = header;
    let fortran = file.order() == Order::Fortran;
    let data = match &descr[1..] {
        "f2" => Data::F16(c_order(file.into_vec()?, &shape, fortran)),
        "V2" => {
            let Data::BF16(v) = elements(Element::BF16, &bytes[data_start..]) else { unreachable!("by its type") };
            Data::BF16(c_order(v, &shape, fortran))
        }
        "f4" => Data::F32(c_order(file.into_vec()?, &shape, fortran)),
        "f8" => Data::F64(c_order(file.into_vec()?, &shape, fortran)),
        "i1" => Data::I8(c_order(file.into_vec()?, &shape, fortran)),
        "i2" => Data::I16(c_order(file.into_vec()?, &shape, fortran)),
        "i4" => Data::I32(c_order(file.into_vec()?, &shape, fortran)),
        "i8" => Data::I64(c_order(file.into_vec()?, &shape, fortran)),
        "u1" => Data::I8(c_order(mapped(file, u8::cast_signed)?, &shape, fortran)),
        "u2" => Data::I16(c_order(mapped(file, u16::cast_signed)?, &shape, fortran)),
        "u4" => Data::I32(c_order(mapped(file, u32::cast_signed)?, &shape, fortran)),
        "u8" => Data::I64(c_order(mapped(file, u64::cast_signed)?, &shape, fortran)),
        _ => {
            let bytes = &bytes[data_start..];
            if let Some(&b) = bytes.iter().find(|&&b| b > 1) {
                return Err(NpyError::Boolean(b));
            }
            Data::I1(c_order(bytes.iter().map(|&b| b == 1).collect(), &shape, fortran))
        }
    };
    Ok(Array::new(shape, data))
}

/// Reads the elements of a file, and converts each.
fn mapped<T: npyz::Deserialize, S>(file: NpyFile<&[u8]>, convert: fn(T) -> S) -> io::Result<Vec<S>> {
    Ok(file.into_vec()?.into_iter().map(convert).collect())
}

/// The parts of a header.
struct Header {
    /// The position of the data.
    data_start: usize,
    shape: Vec<usize>,
    /// The element type.
    descr: String,
    element_bytes: usize,
}

impl Header {
    /// Reads the header of a file, which starts with these bytes.
    fn read(bytes: &[u8]) -> Result<(Header, NpyFile<&[u8]>), NpyError> {
        let data_start = check_preamble(bytes)?;
        let file = NpyFile::new(bytes).map_err(|e| NpyError::Header(e.to_string()))?;
        let shape = file.shape().iter().map(|&n| n as usize).collect();
        let DType::Plain(descr) = file.dtype() else {
            return Err(NpyError::Dtype(file.dtype().descr()));
        };
        let descr = descr.to_string();
        let element_bytes = element_bytes(&descr)?;
        Ok((Header { data_start, shape, descr, element_bytes }, file))
    }

    /// Compares the size of the data with the length of the file.
    fn check_length(&self, length: usize) -> Result<(), NpyError> {
        // The product of the sizes cannot overflow: `check_preamble` has checked it.
        let expected = self.shape.iter().product::<usize>().saturating_mul(self.element_bytes);
        match length - self.data_start {
            found if found < expected => Err(NpyError::Truncated { part: "data", expected, found }),
            found if found > expected => Err(NpyError::Length { shape: self.shape.clone(), expected, found }),
            _ => Ok(()),
        }
    }
}

fn element_bytes(descr: &str) -> Result<usize, NpyError> {
    match &descr[1..] {
        "b1" | "i1" | "u1" => Ok(1),
        "i2" | "u2" | "f2" | "V2" => Ok(2),
        "f4" | "i4" | "u4" => Ok(4),
        "f8" | "i8" | "u8" => Ok(8),
        _ => Err(NpyError::Dtype(descr.into())),
    }
}

/// Checks everything before the data that the parser would trust. Returns the position of the data.
fn check_preamble(bytes: &[u8]) -> Result<usize, NpyError> {
    const MAGIC: &[u8] = b"\x93NUMPY";
    if !bytes.starts_with(MAGIC) {
        let found = match &bytes[..bytes.len().min(6)] {
            [] => "an empty file".into(),
            start => start.escape_ascii().to_string(),
        };
        return Err(NpyError::Magic(found));
    }
    let truncated = |part, expected| NpyError::Truncated { part, expected, found: bytes.len() };
    let &major = bytes.get(6).ok_or(truncated("preamble", 10))?;
    let text_start = match major {
        1 => 10,
        2 | 3 => 12,
        _ => return Err(NpyError::Header(format!("expected format version 1, 2 or 3, found {major}"))),
    };
    let length = bytes.get(8..text_start).ok_or(truncated("preamble", text_start))?;
    let length = length.iter().rev().fold(0usize, |n, &b| n << 8 | b as usize);
    if length > MAX_HEADER {
        return Err(NpyError::Header(format!("expected at most {MAX_HEADER} bytes of header, found {length}")));
    }
    let data_start = text_start + length;
    check_header_text(bytes.get(text_start..data_start).ok_or(truncated("header", data_start))?)?;
    Ok(data_start)
}

/// Checks the Python literal of the header: its nesting must not overflow the stack of a recursive parser, and the
/// product of all its integers, which include the extents, must fit `isize`.
fn check_header_text(text: &[u8]) -> Result<(), NpyError> {
    let text = std::str::from_utf8(text).map_err(|_| NpyError::Header("expected ASCII or UTF-8 text".into()))?;
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return Err(NpyError::Header(format!("expected at most {MAX_NESTING} nested brackets, found more")));
        }
    }
    let mut product = 1isize;
    for word in
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| w.starts_with(|c: char| c.is_ascii_digit()))
    {
        let word = word.trim_end_matches('L');
        let size: isize = word.parse().map_err(|_| NpyError::Header(format!("expected a size, found `{word}`")))?;
        let too_large =
            || NpyError::Header(format!("expected a shape of fewer than 2^63 elements, found `{}`", text.trim()));
        product = product.checked_mul(size.max(1)).ok_or_else(too_large)?;
    }
    Ok(())
}

/// Returns elements in row-major order; if `fortran`, they are stored with the first axis fastest.
fn c_order<T: Copy>(stored: Vec<T>, shape: &[usize], fortran: bool) -> Vec<T> {
    if !fortran || shape.len() < 2 || stored.is_empty() {
        return stored;
    }
    // The stored positions of the elements with index 0 on the remaining axes, in row-major order.
    let (mut positions, mut stride) = (vec![0], 1);
    for &n in shape {
        positions = positions.iter().flat_map(|&at| (0..n).map(move |k| at + k * stride)).collect();
        stride *= n;
    }
    positions.into_iter().map(|at| stored[at]).collect()
}

/// A reader of a file along its first axis.
pub struct Rows {
    file: io::BufReader<fs::File>,
    /// The element type, as in the header.
    descr: String,
    /// The shape of one row.
    shape: Vec<usize>,
    row_bytes: usize,
    /// The number of rows not yet read.
    pub left: usize,
}

impl Rows {
    /// Opens a file. Returns `None` if its rows are not contiguous or the array is a scalar.
    ///
    /// # Errors
    /// Those of [`read`], which are all detected from the header and the length of the file.
    pub fn open(path: &Path) -> Result<Option<Rows>, NpyError> {
        let mut file = io::BufReader::new(fs::File::open(path)?);
        let mut start = Vec::new();
        io::Read::by_ref(&mut file).take(12 + MAX_HEADER as u64).read_to_end(&mut start)?;
        let (header, parsed) = Header::read(&start)?;
        let Some((&left, rest)) = header.shape.split_first() else { return Ok(None) };
        if parsed.order() == Order::Fortran && !rest.is_empty() {
            return Ok(None);
        }
        let row_bytes = rest.iter().product::<usize>().saturating_mul(header.element_bytes);
        header.check_length(file.get_ref().metadata()?.len() as usize)?;
        io::Seek::seek(&mut file, io::SeekFrom::Start(header.data_start as u64))?;
        Ok(Some(Rows { file, shape: rest.to_vec(), row_bytes, left, descr: header.descr }))
    }

    /// Reads the next rows, at most `count`.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn next(&mut self, count: usize) -> Result<Array, NpyError> {
        let count = count.min(self.left);
        self.left -= count;
        let sizes: String = std::iter::once(&count).chain(&self.shape).map(|n| format!("{n}, ")).collect();
        let header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({sizes}), }}\n", self.descr);
        // The rows are read as a file of their own.
        let mut bytes = [&MAGIC_1[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
        let start = bytes.len();
        bytes.resize(start + count * self.row_bytes, 0);
        io::Read::read_exact(&mut self.file, &mut bytes[start..])?;
        from_bytes(&bytes)
    }
}

/// The start of a file of format 1.0.
const MAGIC_1: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// A writer of a file row by row. The number of rows is written at the end.
pub struct Writer {
    file: io::BufWriter<fs::File>,
    descr: &'static str,
    shape: Vec<usize>,
    rows: usize,
}

impl Writer {
    /// Creates a file of rows of shape `shape`.
    pub fn create(path: &Path, element: Element, shape: &[usize]) -> io::Result<Writer> {
        let descr = match element {
            Element::F16 => "<f2",
            Element::BF16 => "<V2",
            Element::F32 => "<f4",
            Element::F64 => "<f8",
            Element::I1 => "|b1",
            Element::I8 => "|i1",
            Element::I16 => "<i2",
            Element::I32 => "<i4",
            Element::I64 | Element::Index => "<i8",
        };
        let mut writer =
            Writer { file: io::BufWriter::new(fs::File::create(path)?), descr, shape: shape.to_vec(), rows: 0 };
        writer.header()?;
        Ok(writer)
    }

    /// Writes the header, whose length does not depend on the number of rows.
    fn header(&mut self) -> io::Result<()> {
        let rest: String = self.shape.iter().map(|n| format!("{n}, ")).collect();
        let text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {rest}), }}", self.descr, self.rows);
        // The format requires that the data starts at a multiple of 64. The padding leaves space for any number of
        // rows.
        let room = text.len() - self.rows.to_string().len() + usize::MAX.to_string().len();
        let length = (MAGIC_1.len() + 2 + room + 1).next_multiple_of(64) - MAGIC_1.len() - 2;
        let line = format!("{text:<width$}\n", width = length - 1);
        let length = line.len() as u16;
        io::Write::write_all(&mut self.file, &[&MAGIC_1[..], &length.to_le_bytes(), line.as_bytes()].concat())
    }

    /// Writes `count` rows.
    pub fn write(&mut self, count: usize, rows: &Data) -> io::Result<()> {
        self.rows += count;
        io::Write::write_all(&mut self.file, &bytes(rows))
    }

    pub fn finish(mut self) -> io::Result<()> {
        io::Seek::seek(&mut self.file, io::SeekFrom::Start(0))?;
        self.header()?;
        io::Write::flush(&mut self.file)
    }
}

/// Returns the bytes of the elements, little-endian; a boolean is one byte.
pub fn bytes(data: &Data) -> Vec<u8> {
    macro_rules! all {
        ($v:expr) => {
            $v.iter().flat_map(|x| x.to_le_bytes()).collect()
        };
    }
    match data {
        Data::F16(v) => all!(v),
        Data::BF16(v) => all!(v),
        Data::F32(v) => all!(v),
        Data::F64(v) => all!(v),
        Data::I1(v) => v.iter().map(|&b| b as u8).collect(),
        Data::I8(v) => all!(v),
        Data::I16(v) => all!(v),
        Data::I32(v) => all!(v),
        Data::I64(v) | Data::Index(v) => all!(v),
    }
}

/// Returns the elements with these little-endian bytes, as [`bytes`] writes them.
pub fn elements(element: Element, bytes: &[u8]) -> Data {
    macro_rules! all {
        ($t:ty) => {{
            const SIZE: usize = std::mem::size_of::<$t>();
            bytes.as_chunks::<SIZE>().0.iter().map(|c| <$t>::from_le_bytes(*c)).collect()
        }};
    }
    match element {
        Element::F16 => Data::F16(all!(f16)),
        Element::BF16 => Data::BF16(all!(bf16)),
        Element::F32 => Data::F32(all!(f32)),
        Element::F64 => Data::F64(all!(f64)),
        Element::I1 => Data::I1(bytes.iter().map(|&b| b != 0).collect()),
        Element::I8 => Data::I8(all!(i8)),
        Element::I16 => Data::I16(all!(i16)),
        Element::I32 => Data::I32(all!(i32)),
        Element::I64 => Data::I64(all!(i64)),
        Element::Index => Data::Index(all!(i64)),
    }
}

/// Writes the array in C order, little-endian; `index` becomes i8.
pub fn write(path: &Path, a: &Array) -> io::Result<()> {
    let out = io::BufWriter::new(fs::File::create(path)?);
    let shape: Vec<u64> = a.shape().iter().map(|&n| n as u64).collect();
    macro_rules! all {
        ($v:expr) => {
            write_elements(out, &shape, default_type($v), $v.iter().copied())
        };
    }
    match a.data() {
        Data::F16(v) => all!(v),
        Data::BF16(v) => {
            let bytes = DType::new_scalar("|V2".parse().expect("two bytes"));
            write_elements(out, &shape, bytes, v.iter().map(|x| npyz::FixedSizeBytes(x.to_le_bytes())))
        }
        Data::F32(v) => all!(v),
        Data::F64(v) => all!(v),
        Data::I1(v) => all!(v),
        Data::I8(v) => all!(v),
        Data::I16(v) => all!(v),
        Data::I32(v) => all!(v),
        Data::I64(v) | Data::Index(v) => all!(v),
    }
}

fn default_type<T: npyz::AutoSerialize>(_: &[T]) -> DType {
    T::default_dtype()
}

fn write_elements<T: npyz::Serialize>(
    out: impl io::Write,
    shape: &[u64],
    ty: DType,
    elements: impl Iterator<Item = T>,
) -> io::Result<()> {
    let mut writer = npyz::WriteOptions::new().dtype(ty).shape(shape).writer(out).begin_nd()?;
    writer.extend(elements)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other files are in `test/tool/npy.md`.
    #[test]
    fn no_mutation_makes_it_panic() {
        let header = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }\n";
        let length = (header.len() as u16).to_le_bytes();
        let good = [&MAGIC_1[..], &length, header.as_bytes(), &[0; 32]].concat();
        for at in 0..good.len() {
            for byte in [0, 1, b'(', b'9', b'\'', 0x7f, 0xff] {
                let mut bytes = good.clone();
                bytes[at] = byte;
                let _ = from_bytes(&bytes);
            }
            let _ = from_bytes(&good[..at]);
        }
    }

    #[test]
    fn unsigned_numbers_keep_their_bits() {
        let file = |descr: &str, data: &[u8]| {
            let count = data.len() / usize::from(descr.as_bytes()[2] - b'0');
            let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}\n");
            let bytes = [&MAGIC_1[..], &(header.len() as u16).to_le_bytes(), header.as_bytes(), data].concat();
            from_bytes(&bytes).unwrap().data().clone()
        };
        assert_eq!(file("|u1", &[1, 255]), Data::I8(vec![1, -1]));
        assert_eq!(file("<u2", &[1, 0, 255, 255]), Data::I16(vec![1, -1]));
        assert_eq!(file(">u2", &[0, 1, 255, 254]), Data::I16(vec![1, -2]));
        assert_eq!(file("<u4", &[255; 4]), Data::I32(vec![-1]));
        assert_eq!(file("<u8", &[255; 8]), Data::I64(vec![-1]));
    }
}
