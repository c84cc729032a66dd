//! Foreign code: the C programs that we compare with, the functions of JAX's plugin, and the symbol that valgrind looks
//! for. All `unsafe` code of the measurements is in this file. The types of the functions are those in the C files, and
//! this file declares all C functions that are called.
#![allow(unsafe_code)]

use crate::error::{Context, Error};
use crate::folder::Folder;
use libloading::{Library, Symbol};
use mlopt_pjrt::api::opaque;
use mlopt_pjrt::{GetPjrtApi, NAMES};
use std::ffi::c_void;
use std::process::Command;

/// The functions of a C file, compiled by the C compiler of this machine.
pub struct Rivals {
    library: Library,
    /// The folder of the library.
    _folder: Folder,
}

impl Rivals {
    /// # Errors
    /// There is no C compiler, or it rejects the source.
    pub fn new(source: &str) -> Result<Rivals, Error> {
        let folder = Folder::new("rivals")?;
        let (text, file) = (folder.write("rivals.c", source.as_bytes())?, folder.path.join("rivals.so"));
        let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        let flags = ["-O3", "-march=native", "-ffp-contract=fast", "-fPIC", "-shared", "-o"];
        let status = Command::new(&cc).args(flags).arg(&file).arg(&text).arg("-lm").status().context(&cc)?;
        if !status.success() {
            return Err(Error::Tool(format!("{cc}: {status}")));
        }
        // SAFETY: the library has no constructors.
        let library = unsafe { Library::new(&file) }?;
        Ok(Rivals { library, _folder: folder })
    }

    /// Returns a function on an array of `rows` rows in `functions/rivals.c`, applied to `array`.
    pub fn of_array<'a>(
        &'a self,
        name: &str,
        array: &'a [f64],
        rows: usize,
    ) -> Result<Box<dyn Fn() -> f64 + 'a>, Error> {
        let columns = if name == "church" { 4 } else { 1 };
        assert_eq!(array.len(), rows * columns, "{name}");
        type OfArray = unsafe extern "C" fn(*const f64, i64) -> f64;
        // SAFETY: the type is that of the function in the C file.
        let f: Symbol<OfArray> = unsafe { self.library.get(name.as_bytes()) }?;
        // SAFETY: the array has as many rows as the function reads, and outlives the calls.
        Ok(Box::new(move || unsafe { f(array.as_ptr(), rows as i64) }))
    }

    /// Returns `mlp` in `functions/rivals.c`, applied to weights and biases of three layers, and an input.
    pub fn mlp<'a>(&'a self, arrays: &[&'a [f64]]) -> Result<Box<dyn Fn() -> f64 + 'a>, Error> {
        let lengths: Vec<usize> = arrays.iter().map(|a| a.len()).collect();
        assert_eq!(lengths, [64 * 64, 64, 64 * 64, 64, 64 * 64, 64, 64]);
        type OfArrays = unsafe extern "C" fn(*const *const f64) -> f64;
        // SAFETY: the type is that of the function in the C file.
        let f: Symbol<OfArrays> = unsafe { self.library.get(b"mlp") }?;
        let pointers: Vec<*const f64> = arrays.iter().map(|a| a.as_ptr()).collect();
        // SAFETY: seven arrays of the sizes that the function expects, which outlive the calls.
        Ok(Box::new(move || unsafe { f(pointers.as_ptr()) }))
    }

    /// Returns `filter` in `streams/rivals.c`, for all cycles of `d`: `past` starts 15 cycles earlier than `d`, `w` is
    /// the state, and `e` the result.
    pub fn filter(&self) -> Result<impl Fn(&[f64], &[f64], &mut [f64], &mut [f64]) + '_, Error> {
        type Filter = unsafe extern "C" fn(i64, *const f64, *const f64, *mut f64, *mut f64);
        // SAFETY: the type is that of the function in the C file.
        let f: Symbol<Filter> = unsafe { self.library.get(b"filter") }?;
        Ok(move |past: &[f64], d: &[f64], w: &mut [f64], e: &mut [f64]| {
            let cycles = d.len();
            assert!(past.len() == cycles + 15 && w.len() == 16 && e.len() == cycles);
            // SAFETY: 15 numbers precede the first one, and all arrays have the lengths that the function expects.
            unsafe { f(cycles as i64, past[15..].as_ptr(), d.as_ptr(), w.as_mut_ptr(), e.as_mut_ptr()) }
        })
    }

    /// Returns `lstm` in `streams/rivals.c`, from rows of inputs and the transposed kernel, with the state `h` and `c`,
    /// to rows of results.
    pub fn lstm(&self) -> Result<impl Fn(&[f64], &[f64], &mut [f64], &mut [f64], &mut [f64]) + '_, Error> {
        type Lstm = unsafe extern "C" fn(i64, *const f64, *const f64, *mut f64, *mut f64, *mut f64);
        // SAFETY: the type is that of the function in the C file.
        let f: Symbol<Lstm> = unsafe { self.library.get(b"lstm") }?;
        Ok(move |x: &[f64], kernel: &[f64], h: &mut [f64], c: &mut [f64], rows: &mut [f64]| {
            let cycles = x.len() / 16;
            assert!(kernel.len() == 49 * 128 && h.len() == 32 && c.len() == 32 && rows.len() == 32 * cycles);
            let (h, c, rows) = (h.as_mut_ptr(), c.as_mut_ptr(), rows.as_mut_ptr());
            // SAFETY: all arrays have the lengths that the function expects.
            unsafe { f(cycles as i64, x.as_ptr(), kernel.as_ptr(), h, c, rows) }
        })
    }
}

/// The symbol of [`counted_call`] in the program. callgrind 3.19 confuses names with the same prefix.
pub const COUNTED_CALL: &str = "mlopt_counted_call";

/// Runs `work`, whose instructions valgrind counts. An operation follows `work`, so that it is not a tail call.
// SAFETY: no other function of the program has this name.
#[unsafe(export_name = "mlopt_counted_call")]
#[inline(never)]
pub fn counted_call(work: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
    std::hint::black_box(work())
}

/// A function of the table of JAX's plugin, and its name.
#[derive(Clone, Copy)]
pub struct PjrtFunction(&'static str, unsafe extern "C" fn(*mut c_void) -> *mut opaque::Error);

impl PjrtFunction {
    pub fn named(name: &'static str) -> Result<PjrtFunction, Error> {
        let slot = NAMES.iter().position(|n| *n == name).ok_or_else(|| Error::Missing(name.to_string()))?;
        // SAFETY: the table lives as long as the process.
        Ok(PjrtFunction(name, unsafe { (*GetPjrtApi()).functions[slot] }))
    }

    /// Calls the function with its struct, in which all pointers are those that the plugin has returned.
    pub fn call<A>(self, args: &mut A) -> Result<(), Error> {
        // SAFETY: `args` is the struct of the function, with pointers that the plugin has returned.
        let error = unsafe { self.1((args as *mut A).cast()) };
        if error.is_null() { Ok(()) } else { Err(Error::Rejected(format!("{} fails", self.0))) }
    }
}
