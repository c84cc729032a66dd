//! Calls of a compiled function of arrays with fixed sizes, through pointers to memory of the caller: nothing is
//! copied.
#![allow(unsafe_code)]

use super::call::{HEADER, words};
use super::jit::Jit;
use super::needs::reads;
use crate::blocks::{ALIGNMENT, Block};
use crate::limit;
use mlopt_dialects::array::filled_in;
use mlopt_lowering::ir::{Op, Symbols};
use mlopt_lowering::native::{Emit, Error, Export, Signature, Target, ValueType, exports};
use serde_json::json;
use smallvec::SmallVec;
use std::mem::MaybeUninit;

/// The size of scratch memory for which no block is allocated.
const SMALL: usize = 512;

/// Scratch memory on the stack, aligned as blocks are.
#[repr(align(64))]
struct Small {
    _bytes: [u8; SMALL],
}

const _: () = assert!(align_of::<Small>() == ALIGNMENT);

/// A compiled function whose arguments and results have sizes that are known. Several threads may call it at once.
pub struct Fixed {
    about: About,
    object: Vec<u8>,
    run: usize,
    sizes: usize,
    /// The bytes of scratch memory, if they are the same for all arguments.
    scratch: Option<usize>,
    /// Keeps the code mapped.
    _jit: Jit,
}

/// The description of the function, apart from its types.
struct About {
    name: String,
    symbol: String,
    has_status: bool,
    /// The number of arguments.
    inputs: usize,
    /// Whether `f.sizes` reads arguments.
    depends_on_values: bool,
    /// The texts of the checks of `f.sizes`.
    checks: Vec<String>,
    /// The errors with which the function may stop: place and message.
    traps: Vec<(String, String)>,
}

impl About {
    fn of(name: &str, export: &Export, module: Op) -> About {
        let symbols = Symbols::of(module);
        let sizes = symbols.get(&format!("{}.sizes", export.symbol));
        About {
            name: name.to_string(),
            symbol: export.symbol.clone(),
            has_status: export.has_status(),
            inputs: export.signature.inputs.len(),
            depends_on_values: sizes.is_none_or(depends_on_values),
            checks: export.checks.iter().map(|check| check.message.clone()).collect(),
            traps: export.traps.iter().map(|trap| (trap.place.clone(), trap.message.clone())).collect(),
        }
    }

    fn to_json(&self) -> String {
        let About { name, symbol, has_status, inputs, depends_on_values, checks, traps } = self;
        json!([name, symbol, has_status, inputs, depends_on_values, checks, traps]).to_string()
    }

    fn from_json(text: &[u8]) -> Option<About> {
        let (name, symbol, has_status, inputs, depends_on_values, checks, traps) = serde_json::from_slice(text).ok()?;
        Some(About { name, symbol, has_status, inputs, depends_on_values, checks, traps })
    }
}

/// Checks whether `f.sizes` depends on the values of arguments, which it gets as pointers or numbers.
fn depends_on_values(sizes: Op) -> bool {
    let numbers = sizes.body().is_none_or(|body| body.arguments().iter().any(|v| v.ty().to_string() != "!llvm.ptr"));
    numbers || !reads(sizes).is_empty()
}

impl Fixed {
    /// Compiles the function `name` of a module in the LLVM dialect for `target`, which must be the host. Returns it
    /// with its signature.
    pub fn compile(module: Op, target: &Target, name: &str) -> Result<(Fixed, Signature), Error> {
        let mut exports = exports(module)?;
        let Some(export) = exports.remove(name) else {
            return Err(Error::UnknownFunction { name: name.to_string(), known: exports.into_keys().collect() });
        };
        let types = export.signature.inputs.iter().chain(&export.signature.results);
        if types.map(ValueType::dynamic_dims).sum::<usize>() > 0 {
            let text = format!("`@{name}` must have arrays of known sizes, found {}", export.signature);
            return Err(Error::Internal(text));
        }
        let about = About::of(name, &export, module);
        let object = target.emit(module, Emit::Object)?;
        Ok((Fixed::link(about, object)?, export.signature))
    }

    /// Returns the code as bytes for [`Fixed::load`].
    pub fn serialize(&self) -> Vec<u8> {
        let about = self.about.to_json().into_bytes();
        let mut bytes = (about.len() as u64).to_le_bytes().to_vec();
        bytes.extend(about);
        bytes.extend(&self.object);
        bytes
    }

    /// Loads code that [`Fixed::serialize`] has written, on the same kind of processor.
    ///
    /// # Safety
    /// The bytes must be those of `serialize`: they contain machine code.
    pub unsafe fn load(bytes: &[u8]) -> Result<Fixed, Error> {
        let parts = bytes.split_first_chunk().and_then(|(size, rest)| {
            let (about, object) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*size)).ok()?)?;
            Some((About::from_json(about)?, object.to_vec()))
        });
        let (about, object) = parts.ok_or_else(|| Error::Link("expected compiled code, found other bytes".into()))?;
        Fixed::link(about, object)
    }

    fn link(about: About, object: Vec<u8>) -> Result<Fixed, Error> {
        let jit = Jit::load(&object)?;
        let run = jit.address(&format!("{}.packed", about.symbol))?;
        let sizes = jit.address(&format!("{}.sizes.packed", about.symbol))?;
        let mut new = Fixed { about, object, run, sizes, scratch: None, _jit: jit };
        if !new.about.depends_on_values {
            // SAFETY: `f.sizes` reads no argument, so there may be none.
            new.scratch = Some(unsafe { new.ask_scratch(&[]) }?);
        }
        Ok(new)
    }

    /// Returns the bytes of scratch memory of a call, if they are the same for all arguments.
    pub fn scratch_bytes(&self) -> Option<usize> {
        self.scratch
    }

    /// Returns the size of the object file in bytes.
    pub fn code_bytes(&self) -> usize {
        self.object.len()
    }

    /// Calls the function.
    ///
    /// # Errors
    /// A check of the program fails; memory is exhausted.
    ///
    /// # Safety
    /// There is one pointer for each argument and each result. Each points to memory of the size of its type, aligned
    /// as its elements, also if it is empty. The results overlap neither each other nor the arguments, which nothing
    /// writes during the call.
    pub unsafe fn call(&self, arguments: &[*const u8], results: &[*mut u8]) -> Result<(), Error> {
        let bytes = match self.scratch {
            Some(bytes) => bytes,
            // SAFETY: as for this function.
            None => unsafe { self.ask_scratch(arguments) }?,
        };
        let mut small = MaybeUninit::<Small>::uninit();
        let block = match bytes {
            ..=SMALL => None,
            _ => Some(Block::new(bytes).ok_or_else(|| self.too_large(bytes as u64))?),
        };
        let scratch = block.as_ref().map_or(small.as_mut_ptr().cast(), Block::start);
        let mut buffers = SmallVec::<[*mut u8; 16]>::new();
        buffers.extend(arguments.iter().map(|pointer| pointer.cast_mut()));
        buffers.extend_from_slice(results);
        buffers.push(scratch);
        let size = bytes as i64;
        // SAFETY: `run` is a `.packed` wrapper of the loaded code; there is one buffer for each of its parameters, with
        // the properties that the caller guarantees, and scratch memory of the size that it has asked for.
        let status = unsafe {
            if self.about.has_status {
                let code: unsafe extern "C" fn(*const *mut u8, *const i64) -> i64 = std::mem::transmute(self.run);
                code(buffers.as_ptr(), &size)
            } else {
                let code: unsafe extern "C" fn(*const *mut u8, *const i64) = std::mem::transmute(self.run);
                code(buffers.as_ptr(), &size);
                0
            }
        };
        match status {
            0 => Ok(()),
            // SAFETY: the function has written the values of the message to scratch memory.
            k @ ..0 => Err(unsafe { self.stopped(k.unsigned_abs() as usize - 1, scratch) }),
            bytes => Err(self.too_large(bytes as u64)),
        }
    }

    /// Returns the bytes of scratch memory that a call with these arguments needs.
    ///
    /// # Safety
    /// As for [`Fixed::call`]; if `f.sizes` reads no argument, there may be none.
    unsafe fn ask_scratch(&self, arguments: &[*const u8]) -> Result<usize, Error> {
        let mut answer = [0i64; HEADER];
        let at: *mut u8 = answer.as_mut_ptr().cast();
        let mut buffers: Vec<*mut u8> = arguments.iter().map(|pointer| pointer.cast_mut()).collect();
        // Arguments that are not read need pointers too.
        buffers.resize(self.about.inputs, at);
        buffers.push(at);
        let sizes = [0i64; 1];
        // SAFETY: `sizes` is a `.sizes.packed` wrapper of the loaded code, which writes the words of `answer`.
        unsafe {
            let code: unsafe extern "C" fn(*const *mut u8, *const i64) = std::mem::transmute(self.sizes);
            code(buffers.as_ptr(), sizes.as_ptr());
        }
        let [status, bytes] = answer;
        match (status, usize::try_from(bytes)) {
            (0, Ok(bytes)) if bytes <= limit::memory() => Ok(bytes),
            (0, Ok(bytes)) => Err(self.too_large(bytes as u64)),
            (1.., _) => {
                let check = self.about.checks.get(status as usize - 1).cloned();
                let message = check.unwrap_or_else(|| format!("run-time check {status} failed"));
                Err(Error::Check { function: self.about.name.clone(), message, mismatch: None })
            }
            _ => Err(self.too_large(1 << 63)),
        }
    }

    fn too_large(&self, bytes: u64) -> Error {
        let (bytes, what) = (bytes.to_string(), " for intermediate arrays".to_string());
        Error::TooLarge { function: self.about.name.clone(), bytes, what, bound: limit::bound() }
    }

    /// Returns the error of check number `k`.
    ///
    /// # Safety
    /// The values of its message are at the beginning of scratch memory.
    unsafe fn stopped(&self, k: usize, scratch: *const u8) -> Error {
        let Some((place, message)) = self.about.traps.get(k) else {
            let name = &self.about.name;
            return Error::Internal(format!("`@{name}` must stop with the number of a known error, found {k}"));
        };
        // SAFETY: as for this function.
        let values = unsafe { words(scratch, message.matches("{}").count()) };
        Error::Stopped { place: place.clone(), text: filled_in(message, &values), is_mismatch: false }
    }
}
