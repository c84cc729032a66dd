//! Notations other than MLIR: terms (`spec/arrays.md`), functions (`spec/functional.md`) and streams
//! (`spec/streams.md`). Each is translated to MLIR text. They share the lexer, the places and errors of
//! `mlopt_dialects::text`, and the table of primitives. May use the dialects, and of the passes the analyses of nodes.
//! Must never know how programs run, or the command line.
#![forbid(unsafe_code)]

mod definitions;
pub mod functions;
pub mod literal;
pub mod mlir;
pub mod streams;
pub mod terms;
