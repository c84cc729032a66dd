//! Execution of a function on a stack that is large enough for recursion over deep terms and trees.

/// The size of the stack. Terms of large pieces are deep, and their traversals recursive, while the threads of passes
/// have small stacks. (One thread for each piece would cost more than a small piece: its start, and an allocator arena
/// of its own.)
const STACK: usize = 1 << 28;

/// Runs `work` on a large stack.
pub(crate) fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK / 2, STACK, work)
}
