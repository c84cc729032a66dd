//! The parts that the readers of terms and of functions share, both of which read S-expressions: definitions, operands
//! of forms, and enough stack space for deeply nested expressions.

use mlopt_dialects::text::terms::Term;
use mlopt_dialects::text::{Problem, Span, count};

/// The nesting at which import runs in a thread of its own, with a stack of sufficient size.
const DEEP: usize = 200;
/// The stack size for each level of nesting, in bytes. A level needs less than half of it.
const LEVEL: usize = 16 << 10;

/// A definition `(def NAME (PARAMETER…) BODY)`.
pub struct Definition<'t> {
    pub name: &'t Term,
    pub parameters: &'t [Term],
    pub body: &'t Term,
}

/// Splits a definition. `form` describes it in errors, and `parameters` its list of parameters.
pub fn definition<'t>(term: &'t Term, form: &str, parameters: &str) -> Result<Definition<'t>, Problem> {
    let expected = || term.error(format!("expected {form}, found {term}"));
    let [head, rest @ ..] = term.list().ok_or_else(expected)? else { return Err(expected()) };
    if head.name() != Some("def") {
        return Err(expected());
    }
    let [name, list, body] = rest else {
        return Err(term.error(format!("expected {form}, found {} after `def`", count(rest.len(), "part"))));
    };
    Ok(Definition { name, parameters: list.items(parameters)?, body })
}

/// A term `(head operand…)`.
#[derive(Clone, Copy)]
pub struct Call<'t> {
    pub term: &'t Term,
    pub head: &'t str,
    /// The syntax of such terms, for messages.
    pub form: &'static str,
    pub rest: &'t [Term],
}

impl<'t> Call<'t> {
    /// Returns the operands, if their number is that of the form.
    pub fn operands<const N: usize>(self) -> Result<[&'t Term; N], Problem> {
        Vec::from_iter(self.rest).try_into().map_err(|_| self.wrong())
    }

    /// Returns the error that the number of operands is not that of the form.
    pub fn wrong(self) -> Problem {
        self.term.error(format!("expected {}, found {}", self.form, count(self.rest.len(), "operand")))
    }
}

/// Returns the maximum nesting depth of the terms.
fn nesting(terms: &[Term]) -> usize {
    let (mut deepest, mut stack) = (0, Vec::from_iter(terms.iter().map(|t| (t, 1))));
    while let Some((term, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        stack.extend(term.list().unwrap_or(&[]).iter().map(|t| (t, depth + 1)));
    }
    deepest
}

/// Runs `work`, which recurses with the nesting of the terms, with enough stack.
pub fn deep<T: Send>(terms: &[Term], work: impl FnOnce() -> Result<T, Problem> + Send) -> Result<T, Problem> {
    let nesting = nesting(terms);
    if nesting < DEEP {
        return work();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(nesting * LEVEL);
        let Ok(thread) = thread.spawn_scoped(scope, work) else {
            let at = terms.first().map_or(Span::START, |t| t.at);
            let text = format!("not supported: {nesting} nested terms need more memory than this machine has");
            return Err(at.error(text));
        };
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
