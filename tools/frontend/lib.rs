//! Notations other than MLIR: terms (`spec/arrays.md`), functions (`spec/functional.md`) and streams
//! (`spec/streams.md`). Each is translated to MLIR text. May use the dialects, and of the passes the reader of
//! S-expressions and the analyses of nodes. Must never know how programs run, or the command line.
#![forbid(unsafe_code)]

pub mod functions;
pub mod literal;
pub mod nesting;
pub mod streams;
pub mod terms;
