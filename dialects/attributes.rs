//! Discardable attributes of our dialects: attributes that an op may carry although its definition does not declare
//! them. `NAME/attributes.md` lists those of the dialect `NAME`, with the type of the value and the ops that may carry
//! the attribute. The verifier and the generated documentation read these tables.

use crate::bridge::diagnostics::Reported;
use crate::bridge::ir::{Attribute, Op};
use crate::bridge::{discardable_names, inherent_names};
use crate::constraints::report;
use crate::ops::{HasKind, Kind};
use crate::suggest::did_you_mean;
use crate::{array, dual, lambda, stream, sweep};
use std::sync::OnceLock;

/// The tables, by dialect.
pub const TABLES: [(&str, &str); 5] = [
    ("array", include_str!("array/attributes.md")),
    ("dual", include_str!("dual/attributes.md")),
    ("lambda", include_str!("lambda/attributes.md")),
    ("stream", include_str!("stream/attributes.md")),
    ("sweep", include_str!("sweep/attributes.md")),
];

/// Returns the names of our dialects.
pub fn dialects() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

/// One row of a table.
pub struct Row {
    /// The name with its dialect.
    pub name: &'static str,
    kind: AttributeKind,
    /// The names of the ops that may carry it; empty for any op.
    places: Vec<&'static str>,
}

/// An attribute of any op with a symbol, which need not be declared.
const VISIBILITY: &str = "sym_visibility";

/// Attributes of calls of StableHLO to functions that JAX names, which belong to the callee.
const OF_CUSTOM_CALLS: [&str; 3] = ["error_message", "indices_of_shape_operands", "rng_algorithm"];

/// The type of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttributeKind {
    Unit,
    Text,
    Symbol,
    Index,
    I64,
    FunctionType,
    Texts,
    PairsOfTexts,
    Integers,
    /// (string, string, type).
    Sites,
    TextOrInteger,
}

impl AttributeKind {
    const ALL: [(AttributeKind, &'static str); 11] = [
        (AttributeKind::Unit, "unit"),
        (AttributeKind::Text, "string"),
        (AttributeKind::Symbol, "symbol"),
        (AttributeKind::Index, "index"),
        (AttributeKind::I64, "i64"),
        (AttributeKind::FunctionType, "function type"),
        (AttributeKind::Texts, "list of strings"),
        (AttributeKind::PairsOfTexts, "list of pairs of strings"),
        (AttributeKind::Integers, "list of i64"),
        (AttributeKind::Sites, "list of (string, string, type)"),
        (AttributeKind::TextOrInteger, "string or integer"),
    ];

    fn name(self) -> &'static str {
        AttributeKind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    fn of(name: &str) -> Option<AttributeKind> {
        AttributeKind::ALL.iter().find(|(_, n)| *n == name).map(|(kind, _)| *kind)
    }

    fn fits(self, value: Attribute) -> bool {
        let is_text = |a: Attribute| a.as_string().is_some();
        let is_i64 = |a: Attribute| a.as_i64().is_some() && a.ty().is_integer(64);
        let all =
            |a: Attribute, fits: &dyn Fn(Attribute) -> bool| a.as_array().is_some_and(|l| l.into_iter().all(fits));
        let is_pair = |a: Attribute| a.as_array().is_some_and(|l| l.len() == 2 && l.into_iter().all(is_text));
        let is_site = |a: Attribute| {
            a.as_array()
                .is_some_and(|l| matches!(l[..], [p, o, t] if is_text(p) && is_text(o) && t.as_type().is_some()))
        };
        match self {
            AttributeKind::Unit => value == value.context().unit_attr(),
            AttributeKind::Text => is_text(value),
            AttributeKind::Symbol => value.as_symbol().is_some(),
            AttributeKind::Index => value.as_i64().is_some() && value.ty().is_index(),
            AttributeKind::I64 => is_i64(value),
            AttributeKind::FunctionType => value.as_type().and_then(|ty| ty.signature()).is_some(),
            AttributeKind::Texts => all(value, &is_text),
            AttributeKind::PairsOfTexts => all(value, &is_pair),
            AttributeKind::Integers => all(value, &is_i64),
            AttributeKind::Sites => all(value, &is_site),
            AttributeKind::TextOrInteger => is_text(value) || is_i64(value),
        }
    }
}

/// Returns the rows of all dialects.
pub fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| TABLES.iter().flat_map(|(_, text)| text.lines().skip(2)).map(row).collect())
}

/// Parses `` | `array.pure` | unit | `func.func`, `func.call` | Meaning. | ``.
pub fn row(line: &'static str) -> Row {
    let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").map(str::trim).collect();
    let quoted = |cell: &'static str| cell.split('`').skip(1).step_by(2);
    let read = || {
        let &[name, kind, places, _] = &cells[..] else { return None };
        Some(Row { name: quoted(name).next()?, kind: AttributeKind::of(kind)?, places: quoted(places).collect() })
    };
    read().unwrap_or_else(|| panic!("no row of a table of attributes: {line}"))
}

/// Checks the attribute `name`, of one of our dialects, on any op.
pub fn verify(op: Op, name: &str, value: Attribute) -> Result<(), Reported> {
    let Some(row) = rows().iter().find(|row| row.name == name) else { return Err(unknown(op, name, "")) };
    if !row.places.is_empty() && !row.places.iter().any(|place| is_place(op.name(), place)) {
        let text = format!("must not have the attribute `{name}`, which belongs on {}", places(row));
        return Err(op.error(text).emit());
    }
    if !row.kind.fits(value) {
        let text = format!("the attribute `{name}` must be of type {}, found {}", row.kind.name(), shown(value));
        return Err(op.error(text).emit());
    }
    let verdict = match name.split('.').next() {
        Some("array") => array::verify_attribute(name, value),
        Some("dual") => dual::verify_attribute(op, name),
        Some("lambda") => lambda::verify_attribute(op, name),
        Some("stream") => stream::verify_attribute(op, name, value),
        Some("sweep") => sweep::verify_attribute(name, value),
        _ => Ok(()),
    };
    report(op, verdict)
}

/// Rejects the attribute `name`, of one of our dialects, on an argument or a result, which carry none of them.
pub fn verify_on_argument(op: Op, kind: &str, number: u32, name: &str) -> Result<(), Reported> {
    Err(match rows().iter().find(|row| row.name == name) {
        Some(row) => {
            let text = format!("{kind} #{number} must not have the attribute `{name}`");
            op.error(format!("{text}, which belongs on {}, not on its {kind}s", places(row))).emit()
        }
        None => unknown(op, name, &format!(" on {kind} #{number}")),
    })
}

/// Rejects attributes without a dialect on an op of ours that its definition does not list: a misspelt one would be
/// ignored.
pub fn verify_names(op: Op) -> Result<(), Reported> {
    let names = discardable_names(op);
    let is_known = |name: &str| {
        name.contains('.')
            || name == VISIBILITY && op.symbol().is_some()
            || op.kind() == Kind::StablehloCustomCall && OF_CUSTOM_CALLS.contains(&name)
    };
    let is_unknown = |name: &&String| !is_known(name);
    let Some(name) = names.iter().find(is_unknown) else { return Ok(()) };
    let known = inherent_names(op);
    let hint = did_you_mean(name, known.iter().map(String::as_str));
    Err(op.error(format!("unknown attribute `{name}`{hint}")).emit())
}

fn unknown(op: Op, name: &str, place: &str) -> Reported {
    let hint = did_you_mean(name, rows().iter().map(|row| row.name));
    op.error(format!("unknown attribute `{name}`{place}{hint}")).emit()
}

/// Functions and calls keep their attributes when they are converted to LLVM.
fn is_place(op: &str, place: &str) -> bool {
    let becomes = (Kind::by_name(place), Kind::by_name(op));
    let is_lowered =
        matches!(becomes, (Kind::FuncFunc, Kind::LlvmFunc | Kind::GpuFunc) | (Kind::FuncCall, Kind::LlvmCall));
    op == place || is_lowered
}

fn places(row: &Row) -> String {
    let names: Vec<String> = row.places.iter().map(|place| format!("'{place}'")).collect();
    if names.is_empty() { "an op".into() } else { names.join(" or ") }
}

/// Returns the start of an attribute's text.
fn shown(value: Attribute) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
