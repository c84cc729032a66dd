//! Complex numbers at the boundary of compiled code: a buffer has the real and the imaginary part of each element side
//! by side, and compiled code has an array of real parts and an array of imaginary parts.
#![allow(unsafe_code)]

use crate::compiler::Code;
use crate::error::{Code as ErrorCode, Error};
use crate::program::Program;
use crate::types::{ArrayType, Element};
use mlopt_runtime::blocks;

/// Returns the types of the arrays in compiled code that stand for arrays of the program.
pub fn of(types: &[ArrayType]) -> Vec<(Element, &[i64])> {
    let each = types.iter().flat_map(|ty| match ty.element.part() {
        Some(part) => vec![(part, &ty.dims[..]); 2],
        None => vec![(ty.element, &ty.dims[..])],
    });
    each.collect()
}

/// Code whose arguments and results of complex types are two arrays each.
pub struct Parts<C> {
    code: C,
    arguments: Vec<Complex>,
    results: Vec<Complex>,
}

/// The number of elements and the bytes of a part of an array, if it is complex.
type Complex = Option<(usize, usize)>;

impl<C: Code + 'static> Parts<C> {
    /// Returns the code of `program`, for arrays of which compiled code has parts.
    pub fn join(program: &Program, code: C) -> Box<dyn Code> {
        let complex = |ty: &ArrayType| ty.element.part().map(|part| (ty.bytes() / ty.element.bytes(), part.bytes()));
        let arguments: Vec<Complex> = program.arguments.iter().map(complex).collect();
        let results: Vec<Complex> = program.results.iter().map(complex).collect();
        match arguments.iter().chain(&results).any(Option::is_some) {
            true => Box::new(Parts { code, arguments, results }),
            false => Box::new(code),
        }
    }
}

/// Memory for the two parts of an array, of which each begins at a word.
struct Split {
    memory: Vec<u64>,
    words: usize,
}

impl Split {
    /// Allocates zeros, or returns an error if there is no memory.
    fn new((count, bytes): (usize, usize)) -> Result<Split, Error> {
        let words = count.checked_mul(bytes).map(|bytes| bytes.div_ceil(size_of::<u64>()).max(1));
        let reserved = words.and_then(|words| {
            let both = words.checked_mul(2)?;
            let memory = blocks::allocated(|| {
                let mut memory = Vec::new();
                memory.try_reserve_exact(both).ok().map(|()| memory)
            });
            Some((memory?, words))
        });
        let (mut memory, words) = reserved.ok_or_else(|| {
            let text = format!("expected memory for two parts of {count} numbers of {bytes} bytes, found less");
            Error::new(ErrorCode::ResourceExhausted, text)
        })?;
        memory.resize(2 * words, 0);
        Ok(Split { memory, words })
    }

    fn pointers(&mut self) -> [*mut u8; 2] {
        let start = self.memory.as_mut_ptr();
        [start.cast(), start.wrapping_add(self.words).cast()]
    }
}

/// Copies the numbers of two arrays to one array of pairs, or back.
///
/// # Safety
/// The pointers are those of arrays of `count` elements of `bytes` bytes and of as many pairs. The target is writable
/// and does not overlap the source.
unsafe fn copy((count, bytes): (usize, usize), parts: [*mut u8; 2], pairs: *mut u8, to_pairs: bool) {
    for (part, array) in parts.into_iter().enumerate() {
        for k in 0..count {
            // SAFETY: the offsets are those of elements.
            unsafe {
                let (single, pair) = (array.add(k * bytes), pairs.add((2 * k + part) * bytes));
                let (from, to) = if to_pairs { (single, pair) } else { (pair, single) };
                std::ptr::copy_nonoverlapping(from, to, bytes);
            }
        }
    }
}

impl<C: Code> Code for Parts<C> {
    unsafe fn run(&self, arguments: &[*const u8], results: &[*mut u8]) -> Result<(), Error> {
        let mut kept = Vec::new();
        let mut inputs = Vec::new();
        for (&pointer, complex) in arguments.iter().zip(&self.arguments) {
            let Some(complex) = *complex else {
                inputs.push(pointer);
                continue;
            };
            let mut split = Split::new(complex)?;
            let parts = split.pointers();
            // SAFETY: the argument has this type; it is only read.
            unsafe { copy(complex, parts, pointer.cast_mut(), false) };
            inputs.extend(parts.map(<*mut u8>::cast_const));
            kept.push(split);
        }
        let mut outputs = Vec::new();
        let mut joined = Vec::new();
        for (&pointer, complex) in results.iter().zip(&self.results) {
            let Some(complex) = *complex else {
                outputs.push(pointer);
                continue;
            };
            let mut split = Split::new(complex)?;
            outputs.extend(split.pointers());
            joined.push((split, complex, pointer));
        }
        // SAFETY: as for this function, with new arrays for the parts.
        unsafe { self.code.run(&inputs, &outputs)? };
        for (mut split, complex, pointer) in joined {
            // SAFETY: the result has this type, and nothing else points to it.
            unsafe { copy(complex, split.pointers(), pointer, true) };
        }
        drop(kept);
        Ok(())
    }

    fn code_bytes(&self) -> usize {
        self.code.code_bytes()
    }

    fn scratch_bytes(&self) -> Option<usize> {
        let both = self.arguments.iter().chain(&self.results).flatten();
        Some(self.code.scratch_bytes()? + both.map(|(count, bytes)| 2 * count * bytes).sum::<usize>())
    }

    fn serialize(&self) -> Vec<u8> {
        self.code.serialize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_may_be_exhausted() {
        for count in [1 << 58, usize::MAX] {
            let error = Split::new((count, 8)).err().expect("there is less memory");
            assert_eq!(error.code, ErrorCode::ResourceExhausted as i32);
        }
        let mut split = Split::new((3, 4)).expect("memory for six numbers");
        let [re, im] = split.pointers();
        assert_eq!(im as usize - re as usize, 16);
    }
}
