//! Calls of compiled functions of arrays. Arguments are checked against the signature. The code itself computes sizes
//! (`f.sizes`), and this module allocates the memory of results and the scratch memory.

use super::exports::Export as DataExport;
use super::heap;
use super::jit::Jit;
use super::object::Object;
use super::program::Program;
use crate::blocks::{self, Block};
use crate::limit;
use mlopt_dialects::array::filled_in;
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_dialects::with_data;
use mlopt_lowering::native::{Error, Export, Signature, SizeCheck, Target, ValueType, lacking};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The number of words that `f.sizes` writes before the sizes of the results: the status, and the bytes of scratch
/// memory.
pub(super) const HEADER: usize = 2;
/// The status that a size in bytes does not fit 63 bits.
const OVERFLOW: i64 = -1;

/// Code loaded into this process. Its functions keep it alive, and may be called from several threads at once.
pub struct Compiled {
    jit: Arc<Jit>,
    exports: BTreeMap<String, Export>,
    programs: BTreeMap<String, DataExport>,
    sized_by_values: BTreeSet<String>,
}

impl Compiled {
    /// Compiles a module in the LLVM dialect for `target`, and links it.
    pub fn new(module: Op, target: &Target) -> Result<Compiled, Error> {
        Compiled::load(Object::of(module, target)?)
    }

    /// Links machine code.
    ///
    /// # Errors
    /// This machine lacks features of the processor that the code is for; the code does not link.
    pub fn load(object: Object) -> Result<Compiled, Error> {
        let (cpu, features) = &object.processor;
        let missing = lacking(cpu, features);
        if !missing.is_empty() {
            return Err(Error::Foreign { cpu: cpu.clone(), missing });
        }
        let jit = Arc::new(Jit::load(&object.code)?);
        let Object { exports, programs, sized_by_values, .. } = object;
        Ok(Compiled { jit, exports, programs, sized_by_values })
    }

    /// Returns the names of all functions that can be called, sorted.
    pub fn names(&self) -> BTreeSet<&str> {
        self.exports.keys().chain(self.programs.keys()).map(String::as_str).collect()
    }

    /// Returns a function of data by name, with or without `@`, or `None` if there is none.
    pub fn program(&self, name: &str) -> Option<Result<Program, Error>> {
        let name = name.trim_start_matches('@');
        let export = self.programs.get(name)?;
        Some(Program::new(export.clone(), self.jit.clone()))
    }

    /// Returns a function of arrays by name, with or without `@`.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        let name = name.trim_start_matches('@');
        let Some(export) = self.exports.get(name) else {
            let known = self.exports.keys().cloned().collect();
            return Err(Error::UnknownFunction { name: name.to_string(), known });
        };
        Ok(Function {
            name: name.to_string(),
            export: export.clone(),
            sized_by_values: self.sized_by_values.contains(name),
            run: self.jit.address(&format!("{}.packed", export.symbol))?,
            sizes: self.jit.address(&format!("{}.sizes.packed", export.symbol))?,
            jit: self.jit.clone(),
        })
    }
}

/// A compiled function of arrays.
#[derive(Clone)]
pub struct Function {
    name: String,
    pub(super) export: Export,
    /// True if the sizes of results and scratch memory depend on more than the sizes of arguments.
    pub(super) sized_by_values: bool,
    pub(super) run: usize,
    pub(super) sizes: usize,
    /// Keeps the code mapped.
    #[allow(dead_code)]
    jit: Arc<Jit>,
}

impl Function {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn signature(&self) -> &Signature {
        &self.export.signature
    }

    /// Calls the function with `args`, and returns new arrays.
    pub fn call(&self, args: &[Array]) -> Result<Vec<Array>, Error> {
        let (shapes, scratch_bytes) = self.ask_sizes(args)?;
        let types = self.signature().results.iter().zip(&shapes);
        let mut results: Vec<Array> =
            types.map(|(ty, shape)| self.allocate(ty.element, shape)).collect::<Result<_, _>>()?;
        self.run(args, &mut results, scratch_bytes)?;
        Ok(results)
    }

    /// Calls the function and writes into `results`, which must have the types and sizes of the results of `call`.
    pub fn call_into(&self, args: &[Array], results: &mut [Array]) -> Result<(), Error> {
        let (shapes, scratch_bytes) = self.ask_sizes(args)?;
        let wanted = &self.signature().results;
        if results.len() != wanted.len() {
            let message = format!("expected {} buffers for results, found {}", wanted.len(), results.len());
            return Err(self.failed_check(message));
        }
        for (k, ((ty, shape), given)) in wanted.iter().zip(&shapes).zip(results.iter()).enumerate() {
            if given.element() != ty.element || given.shape() != shape {
                let expected = Array::zeros(ty.element, &[]).type_text();
                let message = format!(
                    "the buffer of result #{k} must be {expected} of shape {shape:?}, found `{}`",
                    given.type_text()
                );
                return Err(self.failed_check(message));
            }
        }
        self.run(args, results, scratch_bytes)
    }

    /// Returns the bytes of scratch memory of a call with these arguments.
    pub fn scratch_bytes(&self, args: &[Array]) -> Result<usize, Error> {
        Ok(self.ask_sizes(args)?.1)
    }

    /// Calls the function, and returns the maximum number of bytes that the call holds at once, other than its results:
    /// scratch memory, and memory allocated during the call.
    pub fn measured_bytes(&self, args: &[Array]) -> Result<usize, Error> {
        let scratch = self.scratch_bytes(args)?;
        let mut outcome = Ok(());
        let held = heap::most_held(|| outcome = self.call(args).map(drop));
        outcome.map(|()| scratch + held)
    }

    fn failed_check(&self, message: String) -> Error {
        Error::Check { function: self.name.clone(), message, mismatch: None }
    }

    pub(super) fn check_count(&self, found: usize) -> Result<(), Error> {
        match self.signature().inputs.len() {
            expected if expected == found => Ok(()),
            expected => Err(Error::ArgumentCount { function: self.name.clone(), expected, found }),
        }
    }

    fn check(&self, args: &[Array]) -> Result<(), Error> {
        let inputs = &self.signature().inputs;
        self.check_count(args.len())?;
        for (position, (want, have)) in inputs.iter().zip(args).enumerate() {
            if !want.accepts(have) {
                let (expected, found) = (want.to_string(), have.type_text());
                return Err(Error::ArgumentType { function: self.name.clone(), position, expected, found });
            }
        }
        Ok(())
    }

    /// Returns the shapes of the results of a call with these arguments, and its bytes of scratch memory.
    fn ask_sizes(&self, args: &[Array]) -> Result<(Vec<Vec<usize>>, usize), Error> {
        self.check(args)?;
        let sizes = dims(&self.signature().inputs, args.iter().map(Array::shape));
        self.ask(args.iter().map(pointer).collect(), &sizes)
    }

    /// Returns the shapes of the results and the bytes of scratch memory of a call with these arguments, by their
    /// addresses and dynamic sizes.
    pub(super) fn ask(&self, mut buffers: Vec<*mut u8>, sizes: &[i64]) -> Result<(Vec<Vec<usize>>, usize), Error> {
        let results = &self.signature().results;
        let dynamic: usize = results.iter().map(ValueType::dynamic_dims).sum();
        let mut answer = vec![0i64; HEADER + dynamic];
        buffers.push(answer.as_mut_ptr().cast());
        self.enter(self.sizes, false, &buffers, sizes);
        match answer[0] {
            0 => {}
            OVERFLOW => return Err(self.too_large("more than 2^63".to_string(), "")),
            k => {
                let Some(SizeCheck { message, mismatch }) = self.export.checks.get(k as usize - 1).cloned() else {
                    return Err(self.failed_check(format!("run-time check {k} failed")));
                };
                return Err(Error::Check { function: self.name.clone(), message, mismatch });
            }
        }
        let mut given = answer[HEADER..].iter();
        let mut size = |n: &Option<usize>| match n {
            Some(n) => Ok(*n),
            None => {
                let n = *given.next().expect("one word for each dynamic size");
                let negative = |_| self.failed_check(format!("a result must not have a negative size, found {n}"));
                usize::try_from(n).map_err(negative)
            }
        };
        let shape = |ty: &ValueType| ty.shape.iter().map(&mut size).collect::<Result<Vec<usize>, Error>>();
        let shapes = results.iter().map(shape).collect::<Result<_, Error>>()?;
        let scratch_bytes = usize::try_from(answer[1]).map_err(|_| self.too_large("more than 2^63".to_string(), ""))?;
        self.fits(scratch_bytes, " for intermediate arrays")?;
        Ok((shapes, scratch_bytes))
    }

    fn too_large(&self, bytes: String, what: &str) -> Error {
        Error::TooLarge { function: self.name.clone(), bytes, what: what.to_string(), bound: limit::bound() }
    }

    fn fits(&self, bytes: usize, what: &str) -> Result<(), Error> {
        if bytes > limit::memory() { Err(self.too_large(bytes.to_string(), what)) } else { Ok(()) }
    }

    fn allocate(&self, element: Element, shape: &[usize]) -> Result<Array, Error> {
        let what = format!(" for a result of shape {shape:?}");
        let bytes = shape.iter().try_fold(element.bytes(), |b, &n| b.checked_mul(n));
        // An extent of zero makes the array empty, whatever the others are.
        let bytes = if shape.contains(&0) { Some(0) } else { bytes };
        let Some(bytes) = bytes else { return Err(self.too_large("more than 2^64".to_string(), &what)) };
        self.fits(bytes, &what)?;
        // The vector below aborts the process if the allocation fails, so it is tried first.
        if !blocks::is_available(bytes) {
            return Err(self.too_large(bytes.to_string(), &what));
        }
        let len = bytes / element.bytes();
        Ok(Array::new(shape.to_vec(), Data::zeros(element, len)))
    }

    fn run(&self, args: &[Array], results: &mut [Array], scratch_bytes: usize) -> Result<(), Error> {
        let scratch = self.scratch(scratch_bytes)?;
        let mut buffers: Vec<*mut u8> = args.iter().map(pointer).collect();
        buffers.extend(results.iter_mut().map(pointer_mut));
        buffers.push(scratch.start());
        let mut sizes = dims(&self.signature().inputs, args.iter().map(Array::shape));
        sizes.extend(dims(&self.signature().results, results.iter().map(|x| x.shape())));
        sizes.push(scratch_bytes as i64);
        self.outcome(self.enter(self.run, self.export.has_status(), &buffers, &sizes), &scratch)
    }

    /// Returns the error of a status of the code, with its scratch memory.
    pub(super) fn outcome(&self, status: i64, scratch: &Block) -> Result<(), Error> {
        match status {
            0 => Ok(()),
            k @ ..0 => Err(self.stopped(k.unsigned_abs() as usize - 1, scratch)),
            bytes => Err(self.too_large(bytes.to_string(), " for an intermediate array")),
        }
    }

    /// Allocates the scratch memory of a call.
    pub(super) fn scratch(&self, bytes: usize) -> Result<Block, Error> {
        Block::new(bytes).ok_or_else(|| self.too_large(bytes.to_string(), " for intermediate arrays"))
    }

    /// Returns the error of check number `k`, whose values are at the beginning of scratch memory.
    #[allow(unsafe_code)]
    fn stopped(&self, k: usize, scratch: &Block) -> Error {
        let Some(trap) = self.export.traps.get(k) else {
            return Error::Internal(format!("`@{}` must stop with the number of a known error, found {k}", self.name));
        };
        // SAFETY: the function has written the values of the message; a block has at least 64 bytes.
        let values = unsafe { words(scratch.start(), trap.message.matches("{}").count()) };
        let text = filled_in(&trap.message, &values);
        Error::Stopped { place: trap.place.clone(), text, is_mismatch: false }
    }

    /// Runs the code. Returns its status, or 0 if it has none.
    #[allow(unsafe_code)]
    #[inline]
    pub(super) fn enter(&self, code: usize, has_status: bool, buffers: &[*mut u8], sizes: &[i64]) -> i64 {
        // SAFETY: `code` is the address of a `.packed` wrapper in `self.jit`, which is alive. `buffers` and `sizes`
        // have one entry per parameter: the arguments were checked against the signature, results and scratch memory
        // have the sizes that `.sizes` computed, and no result aliases an argument, because `run` borrows the results
        // exclusively. `Prepared` guarantees the same.
        unsafe {
            if has_status {
                let code: unsafe extern "C" fn(*const *mut u8, *const i64) -> i64 = std::mem::transmute(code);
                return code(buffers.as_ptr(), sizes.as_ptr());
            }
            let code: unsafe extern "C" fn(*const *mut u8, *const i64) = std::mem::transmute(code);
            code(buffers.as_ptr(), sizes.as_ptr());
        }
        0
    }
}

/// Returns the sizes of all `?`, in order.
pub(super) fn dims<'s>(types: &[ValueType], shapes: impl Iterator<Item = &'s [usize]>) -> Vec<i64> {
    let each = |(ty, shape): (&ValueType, &[usize])| -> Vec<i64> {
        ty.shape.iter().zip(shape).filter(|(n, _)| n.is_none()).map(|(_, n)| *n as i64).collect()
    };
    types.iter().zip(shapes).flat_map(each).collect()
}

/// The target of pointers to empty arrays: compiled code may read the first element and discard it.
#[repr(align(64))]
struct Nothing([u8; 64]);
static NOTHING: Nothing = Nothing([0; 64]);

pub(super) fn nothing() -> *mut u8 {
    NOTHING.0.as_ptr().cast_mut()
}

fn pointer(a: &Array) -> *mut u8 {
    if a.is_empty() {
        return nothing();
    }
    with_data!(a.data(), v => v.as_ptr() as *mut u8)
}

fn pointer_mut(a: &mut Array) -> *mut u8 {
    if a.is_empty() {
        return nothing();
    }
    with_data!(a.data_mut(), v => v.as_mut_ptr() as *mut u8)
}

/// Returns the first `n` words (at most 8) of scratch memory.
///
/// # Safety
/// A stopped function has written them as 64-bit integers. Scratch memory has at least 64 bytes, aligned as blocks are.
#[allow(unsafe_code)]
pub(super) unsafe fn words(scratch: *const u8, n: usize) -> Vec<i64> {
    // SAFETY: as for this function.
    (0..n.min(8)).map(|k| unsafe { scratch.cast::<i64>().add(k).read() }).collect()
}
