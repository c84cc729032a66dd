//! Stack for what recurses with the nesting of terms.

use mlopt_passes::optimise::notation::Term;

/// Nesting from which on a thread of its own has the stack that importing needs.
const DEEP: usize = 200;
/// Stack for each level of nesting, in bytes; a level takes less than half of it.
const LEVEL: usize = 16 << 10;

/// The blanks before a line that is nested this deep: bounded, so that the text of a deep nest is as long as its lines.
pub fn indentation(depth: usize) -> usize {
    2 * depth.min(40)
}

/// How deep the deepest of these terms is nested.
pub fn nesting(terms: &[Term]) -> usize {
    let (mut deepest, mut stack) = (0, Vec::from_iter(terms.iter().map(|t| (t, 1))));
    while let Some((term, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        stack.extend(term.list().unwrap_or(&[]).iter().map(|t| (t, depth + 1)));
    }
    deepest
}

/// What `work` gives, with stack for as much nesting; `None` if there is no memory for it.
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
