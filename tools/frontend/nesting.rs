//! Stack space for recursion over nested terms.

use mlopt_passes::optimise::notation::Term;

/// The nesting at which import runs in a thread of its own, with a stack of sufficient size.
const DEEP: usize = 200;
/// The stack size for each level of nesting, in bytes. A level needs less than half of it.
const LEVEL: usize = 16 << 10;

/// Returns the indentation at a nesting depth. It is bounded, so that the size of the text is linear in the number of
/// lines.
pub fn indentation(depth: usize) -> usize {
    2 * depth.min(40)
}

/// Returns the maximum nesting depth of the terms.
pub fn nesting(terms: &[Term]) -> usize {
    let (mut deepest, mut stack) = (0, Vec::from_iter(terms.iter().map(|t| (t, 1))));
    while let Some((term, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        stack.extend(term.list().unwrap_or(&[]).iter().map(|t| (t, depth + 1)));
    }
    deepest
}

/// Runs `work` with enough stack for `nesting`. Returns `None` if the stack cannot be allocated.
pub fn with_stack<T: Send>(nesting: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    if nesting < DEEP {
        return Some(work());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(nesting * LEVEL);
        match thread.spawn_scoped(scope, work).ok()?.join() {
            Ok(done) => Some(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
