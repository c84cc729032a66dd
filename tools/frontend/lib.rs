//! Front ends for notations other than MLIR: terms (`spec/arrays.md`), functions (`spec/functional.md`) and streams
//! (`spec/streams.md`; the glossary describes these documents under *specification*). Each front end translates a text
//! to a module. It creates ops with the same builders as the passes. All front ends share the lexer, source locations
//! and errors of `mlopt_dialects::text`, and the table of primitives. The location of an op is its position in the
//! text, and values are printed with the names that they have there. A front end reports the errors that it finds in
//! the text, but does not verify the module: the caller does that, and the diagnostics of the verifiers also show
//! positions in the text.
//!
//! This crate may use the dialects, and of the passes only the analyses of reactive nodes (`passes/streams/nodes`). It
//! must not depend on the runtime or the command line: a front end only translates, and other tools decide what to do
//! with the result.
#![forbid(unsafe_code)]

mod definitions;
pub mod functions;
pub mod literal;
pub mod mlir;
pub mod streams;
pub mod terms;
