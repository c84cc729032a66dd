//! The documentation of each op, in Markdown, as written in the `.td` files.

/// The sections of `mlir-tblgen -gen-op-doc`, one per op, of all our dialects.
const PAGES: &str = include_str!(concat!(env!("OUT_DIR"), "/Ops.md"));

/// Returns the documentation of the op `name` (`array.sum`): summary, syntax, constraints, operands, results.
pub fn op(name: &str) -> Option<&'static str> {
    let heading = format!("### `{name}` (");
    let start = PAGES.find(&heading)?;
    let body = &PAGES[start..];
    let body = &body[body.find('\n')? + 1..];
    let end = body.find("\n### `").unwrap_or(body.len());
    Some(body[..end].trim())
}
