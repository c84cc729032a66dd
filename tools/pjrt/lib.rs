//! A plugin for JAX: the PJRT C API, with one device, the CPU of this process.
//!
//! JAX loads the library that contains this crate and calls [`GetPjrtApi`], which returns a table of C functions. A
//! program arrives as a portable artifact of StableHLO, becomes machine code through the trait [`Compiler`], and runs
//! on buffers in the memory of the process: compiled code reads and writes them in place.
//!
//! Reading order: `api` (the structs of the C API), `error`, `pointers` (what C passes), `errors`, `events`, `types`
//! and `strides` (arrays), `program` with `options` (what JAX sends), `compiler`, `native` with `parts` (the compiler
//! of this project), `client`, `buffers`, `executables`, and `table` (from C calls to Rust functions and back). Only
//! `native` uses other crates of ours than `mlopt-stablehlo`, and `buffers` the memory of the runtime.
//!
//! **Invariant.** Every function of the API that is not implemented returns an error with its name. A panic becomes an
//! error before it reaches C. Inputs of programs are never written.

pub mod api;
mod buffers;
pub mod client;
pub mod compiler;
pub mod error;
mod errors;
mod events;
mod executables;
mod native;
mod options;
mod parts;
mod pointers;
pub mod program;
mod strides;
mod table;
pub mod types;

pub use compiler::{Code, Compiler};
pub use native::Native;
pub use table::{GetPjrtApi, NAMES};
