//! Front ends for notations other than MLIR: terms (`spec/arrays.md`), functions (`spec/functional.md`) and streams
//! (`spec/streams.md`; the glossary describes these documents under *specification*). Each front end translates a text
//! to MLIR text. They share the lexer, source locations and errors of `mlopt_dialects::text`, and the table of
//! primitives. The result is text and not a module, because users see it: `import-terms` prints it, `import-lambda` and
//! `import-streams` print it with `--locations`, and diagnostics of passes quote the text of terms.
//!
//! This crate may use the dialects, and of the passes only the analyses of reactive nodes (`passes/streams/nodes`). It
//! must not depend on the runtime or the command line: a front end only translates, and other tools decide what to do
//! with the result.
#![forbid(unsafe_code)]

mod definitions;
mod emit;
pub mod functions;
pub mod literal;
pub mod mlir;
pub mod streams;
pub mod terms;
