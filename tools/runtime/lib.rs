//! Running compiled programs: values of arguments, entry functions, sessions of reactive nodes, and the C code that
//! embeds them. May use the dialects, passes and lowerings. Must never know the command line: it takes values and gives
//! values or a `Failure`.

pub mod arguments;
pub mod code;
pub mod entry;
pub mod failure;
pub mod gpu;
pub mod plot;
pub mod streams;
pub mod values;
