//! Execution of compiled programs: arguments and results as arrays (`arguments`, `values`), the JIT and calls of
//! compiled functions (`code`, `gpu`), the threads of parallel loops (`threads`), the memory that they use (`blocks`,
//! `truth`), and reactive nodes (`streams`), including the C code for nodes in C programs. This crate may use the
//! dialects, passes and lowerings. It must not depend on the command line or on notations of programs: other programs
//! use this crate too. Its functions take values and return values or a `Failure`.

pub mod aligned;
pub mod arguments;
pub mod blocks;
pub mod code;
pub mod entry;
pub mod failure;
pub mod gpu;
pub(crate) mod limit;
pub mod plot;
pub mod streams;
pub mod threads;
pub mod truth;
pub mod values;
