//! Memory management, and the exit after an error at run time, in the LLVM dialect.
//!
//! Cells are allocated in *chunks* of memory by a bump allocator. Every function takes a pointer to a *context*, which
//! contains, in this order: the address of the next cell, the end of its chunk, the list of chunks, the size of the
//! next chunk, and the stack limit; the status and the values of an error; the current task; the state of `setjmp`. A
//! chunk begins with the address of the previous chunk and that of its own end. The runtime frees the chunks.
//!
//! The function `mlopt.back` resets the bump allocator to a mark. Of the chunks that were added after the mark, it
//! keeps the last one for later cells, unless that chunk has the maximum size.

// `helpers.mlir` and `entry_helpers.mlir` contain these numbers.
/// The words of a context: the position of the next cell, the end of the chunk,
pub const CHUNKS: usize = 2;
/// (the number of bytes of the next chunk,)
pub const STACK_LIMIT: usize = 4;
/// the status of the stop: 0 if there is none, -1 if memory was exhausted,
pub const STATUS: usize = 5;
/// the values of its message;
pub const VALUES: usize = 6;
/// the current task, which belongs to the host.
pub const TASK: usize = 15;
/// The state of `setjmp`, which is at most 256 bytes.
pub const STATE: usize = 16;
pub const CONTEXT_BYTES: usize = 8 * STATE + 256;

/// The functions that generated code calls.
pub const HELPERS: &str = include_str!("helpers.mlir");
