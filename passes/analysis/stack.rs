//! A stack that is large enough for recursion over deep terms and trees.

/// Terms of large pieces are deep, and their traversals recursive; the passes' own threads have small stacks. (Not a thread for each
/// piece: starting it, with an arena of its own for the allocator, costs more than a small piece.)
const STACK: usize = 1 << 28;

/// Runs `work` where recursion may be deep.
pub(crate) fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK / 2, STACK, work)
}
