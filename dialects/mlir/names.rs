//! Names of values. MLIR discards the names of values when it parses a text, so we store them in locations:
//! `loc("x"(…))` for one value, `loc("x, y"(…))` for the results of one op, in order. A result with an empty entry has
//! no name. Values are printed with these names (`Names.cpp`). For messages, the location of an op that a front end
//! created may also contain a phrase with its source text: `loc("x"("`y + z` (in the equation of `x`)"(…)))`.

use super::ir::{Context, Location, Op, Value, to_str};
use super::{
    mlopt_location_name, mlopt_location_place, mlopt_location_unnamed, mlopt_set_argument_location, mlopt_set_location,
    mlopt_source, mlopt_value_location, text,
};
use mlir_sys::{MlirStringRef, mlirLocationCallSiteGet, mlirLocationNameGet};
use std::fmt;

/// A position in a file, counted from one; line zero stands for the whole file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourcePosition {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}:{}", self.file, self.column),
        }
    }
}

impl Location {
    /// Returns this location with the name `name` instead of its previous name.
    pub fn named(self, name: &str) -> Location {
        self.unnamed().inside(name)
    }

    /// Returns the names set by [`Location::named`], separated by commas.
    pub fn name(self) -> Option<String> {
        let name = self.outer_name();
        is_list(name).then(|| name.to_string())
    }

    /// Returns the location without its name.
    pub fn unnamed(self) -> Location {
        if is_list(self.outer_name()) { self.without_outer_name() } else { self }
    }

    /// Returns the text of a location `loc("…"(…))`, a name or a phrase, or an empty text.
    fn outer_name(&self) -> &str {
        // SAFETY: the location is valid, and its context owns the text.
        unsafe { to_str(&mlopt_location_name(self.raw())) }
    }

    fn without_outer_name(self) -> Location {
        // SAFETY: the location is valid.
        Location::from_raw(unsafe { mlopt_location_unnamed(self.raw()) })
    }

    /// Returns `loc("name"(self))`.
    pub fn inside(self, name: &str) -> Location {
        // SAFETY: the handles are valid, and MLIR copies the name.
        Location::from_raw(unsafe { mlirLocationNameGet(self.context().raw(), text(name), self.raw()) })
    }

    /// Returns this location with the phrase of a notation, in which code is in backticks:
    /// `` `x + y` (in the equation of `z`) ``.
    pub fn with_phrase(self, phrase: &str) -> Location {
        let location = self.unnamed().without_phrase().inside(phrase);
        self.name().map_or(location, |name| location.named(&name))
    }

    /// Returns the phrase set by [`Location::with_phrase`]: the text is written in a notation, not as MLIR.
    pub fn phrase(self) -> Option<String> {
        let inner = self.unnamed();
        let phrase = inner.outer_name();
        phrase.contains('`').then(|| phrase.to_string())
    }

    fn without_phrase(self) -> Location {
        if self.phrase().is_some() { self.without_outer_name() } else { self }
    }

    /// Returns this location for a copy at the call `caller`.
    pub fn called_from(self, caller: Location) -> Location {
        let (name, phrase) = (self.name(), self.phrase());
        let inner = self.unnamed().without_phrase();
        // SAFETY: both locations are valid.
        let location = Location::from_raw(unsafe { mlirLocationCallSiteGet(inner.raw(), caller.unnamed().raw()) });
        let location = phrase.map_or(location, |phrase| location.with_phrase(&phrase));
        name.map_or(location, |name| location.named(&name))
    }

    /// Returns the first position in a file that is part of it.
    pub fn place(self) -> Option<SourcePosition> {
        let empty = MlirStringRef { data: std::ptr::null(), length: 0 };
        let (mut file, mut line, mut column) = (empty, 0, 0);
        // SAFETY: the location is valid, and C++ writes to the three variables during the call only.
        let found = unsafe { mlopt_location_place(self.raw(), &mut file, &mut line, &mut column) };
        // SAFETY: C++ has set `file` to a text that the context owns.
        found.then(|| SourcePosition { file: unsafe { to_str(&file) }.to_string(), line, column })
    }

    /// Returns this position as text, or the whole location if it contains none.
    pub fn place_text(self) -> String {
        self.place().map_or_else(|| self.to_string(), |place| place.to_string())
    }
}

/// Returns the line at a position, if it is in the text from which the modules of the context were parsed.
pub(crate) fn source_line(context: Context, place: &SourcePosition) -> Option<String> {
    let source = Source::of(context).filter(|source| source.name == place.file)?;
    let start = *source.lines.get((place.line as usize).checked_sub(1)?)?;
    let line = source.text[start..].split(|byte| *byte == b'\n').next()?;
    std::str::from_utf8(line).ok().map(|line| line.trim_end_matches('\r').to_string())
}

impl Value {
    /// Returns the location of the op that computes it or, for a block argument, of its declaration.
    pub fn location(self) -> Location {
        // SAFETY: the value is valid.
        Location::from_raw(unsafe { mlopt_value_location(self.raw()) })
    }

    pub fn name(self) -> Option<String> {
        let names = self.location().name()?;
        let name = match self.defining_op() {
            Some((op, k)) => names_of(op, &names)?.swap_remove(k),
            None => names,
        };
        (!name.is_empty()).then_some(name)
    }

    /// Sets the name `name`, unless the value has a name.
    pub fn suggest_name(self, name: &str) {
        if self.name().is_some() {
            return;
        }
        match self.defining_op() {
            Some((op, k)) => {
                let known = op.location().name().and_then(|names| names_of(op, &names));
                let mut names = known.unwrap_or(vec![String::new(); op.num_results()]);
                names[k] = name.to_string();
                op.set_location(op.location().named(&names.join(", ")));
            }
            // SAFETY: the handles are valid, and a value that no op defines is a block argument.
            None => unsafe { mlopt_set_argument_location(self.raw(), self.location().named(name).raw()) },
        }
    }
}

impl Op {
    pub fn set_location(self, location: Location) {
        // SAFETY: the handles are valid.
        unsafe { mlopt_set_location(self.raw(), location.raw()) }
    }
}

/// Checks whether a location's name is a list of identifiers: a frontend may have set other names, like `jit(f)/mul`.
fn is_list(name: &str) -> bool {
    !name.is_empty() && name.split(", ").all(|n| n.is_empty() || is_identifier(n.as_bytes()))
}

/// Returns one name for each result, or `None` if the list has another length.
fn names_of(op: Op, names: &str) -> Option<Vec<String>> {
    let names: Vec<String> = names.split(", ").map(str::to_string).collect();
    (names.len() == op.num_results()).then_some(names)
}

/// Gives the values in `root` the names in the text from which the program was parsed, if they have none and the text
/// is known. Numbers, as in `%0`, are not names.
pub fn from_source(root: Op) {
    let Some(source) = Source::of(root.context()) else { return };
    for op in std::iter::once(root).chain(root.nested_ops()) {
        if op.num_results() > 0
            && let Some(names) = source.results(op)
        {
            op.set_location(op.location().named(&names));
        }
        for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
            for argument in block.arguments().into_iter().filter(|a| a.location().name().is_none()) {
                let name = argument.location().place().and_then(|place| source.value(&place));
                name.into_iter().for_each(|name| argument.suggest_name(&name));
            }
        }
    }
}

/// Returns the name of the value at `place` in `text`: `x` of `%x`.
pub fn written_at(text: &[u8], place: &SourcePosition) -> Option<String> {
    Source { name: place.file.clone(), text, lines: lines(text) }.value(place)
}

/// The text of a program.
struct Source<'a> {
    /// Its name in locations.
    name: String,
    text: &'a [u8],
    /// The offsets of the starts of lines.
    lines: Vec<usize>,
}

impl Source<'_> {
    /// Returns the source of a context; the text lives as long as the context's program.
    fn of<'a>(context: Context) -> Option<Source<'a>> {
        let empty = MlirStringRef { data: std::ptr::null(), length: 0 };
        let (mut name, mut text) = (empty, empty);
        // SAFETY: the context is valid, and C++ writes to the two variables during the call only.
        if !unsafe { mlopt_source(context.raw(), &mut name, &mut text) } || text.length == 0 {
            return None;
        }
        // SAFETY: the text is not empty and lives as long as the context's program, which outlives the `Source`.
        let text = unsafe { std::slice::from_raw_parts(text.data as *const u8, text.length) };
        // SAFETY: the buffer of the text owns its name.
        Some(Source { name: unsafe { to_str(&name) }.to_string(), text, lines: lines(text) })
    }

    fn offset(&self, place: &SourcePosition) -> Option<usize> {
        let first = if place.file == self.name { 1 } else { split_at(&place.file, &self.name)? };
        let line = (place.line as usize).checked_sub(1)? + first;
        let offset = self.lines.get(line - 1)? + (place.column as usize).checked_sub(1)?;
        (offset < self.text.len()).then_some(offset)
    }

    fn value(&self, place: &SourcePosition) -> Option<String> {
        let rest = self.text[self.offset(place)?..].strip_prefix(b"%")?;
        let name = &rest[..rest.iter().take_while(|&&b| in_name(b)).count()];
        is_identifier(name).then(|| String::from_utf8_lossy(name).into_owned())
    }

    /// Returns the names before `op`, in the format of locations. `None` if it has names already, or none are written.
    fn results(&self, op: Op) -> Option<String> {
        let location = op.location();
        if location.name().is_some() {
            return None;
        }
        let start = self.offset(&location.place()?)?;
        // The position must be that of an op of this name, written in full, in short or in quotes.
        let written = self.text[start..].strip_prefix(b"\"").unwrap_or(&self.text[start..]);
        let short = op.name().split_once('.').map_or("", |(_, name)| name);
        let is_here = |name: &str| {
            !name.is_empty()
                && written.starts_with(name.as_bytes())
                && !written.get(name.len()).is_some_and(|&b| in_name(b))
        };
        if !is_here(op.name()) && !is_here(short) {
            return None;
        }
        let names = results_before(&self.text[..start])?;
        let is_named = names.len() == op.num_results() && names.iter().any(|name| !name.is_empty());
        is_named.then(|| names.join(", "))
    }
}

/// Returns one entry for each result in the list that ends `text`: `%x, %y:2 =` gives `x`, `y` and an empty entry.
fn results_before(text: &[u8]) -> Option<Vec<String>> {
    let mut rest = text.trim_ascii_end().strip_suffix(b"=")?.trim_ascii_end();
    let mut names = Vec::new();
    loop {
        let length = rest.iter().rev().take_while(|&&b| in_name(b) || b == b':').count();
        let (before, group) = rest.split_at(rest.len() - length);
        let group = std::str::from_utf8(group).ok()?;
        let (name, count) = group.split_once(':').unwrap_or((group, "1"));
        // No op has more results.
        let count: usize = count.parse().ok().filter(|n| (1..1 << 16).contains(n))?;
        names.extend(std::iter::repeat_n(String::new(), count - 1));
        names.push(if is_identifier(name.as_bytes()) { name.to_string() } else { String::new() });
        rest = before.strip_suffix(b"%")?.trim_ascii_end();
        match rest.strip_suffix(b",") {
            Some(more) => rest = more.trim_ascii_end(),
            None => break,
        }
    }
    names.reverse();
    Some(names)
}

/// Returns the line where the part `file` of a text called `name` starts, under the option `--split-input-file`.
fn split_at(file: &str, name: &str) -> Option<usize> {
    let line = file.strip_prefix("within split at ")?.strip_prefix(name)?.strip_prefix(':')?;
    line.strip_suffix(" offset ")?.parse().ok().filter(|&line| line > 0)
}

fn lines(text: &[u8]) -> Vec<usize> {
    let ends = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(k, _)| k + 1);
    std::iter::once(0).chain(ends).collect()
}

/// Checks whether a value's name may contain the byte.
fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.' | b'-')
}

fn is_identifier(name: &[u8]) -> bool {
    name.first().is_some_and(|b| !b.is_ascii_digit()) && name.iter().all(|&b| in_name(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_backwards() {
        let before = |text: &str| results_before(text.as_bytes());
        assert_eq!(before("  %x = "), Some(vec!["x".into()]));
        assert_eq!(before("f64\n %a.b, %y:3 =\n"), Some(vec!["a.b".into(), "y".into(), String::new(), String::new()]));
        assert_eq!(before("%0 = "), Some(vec![String::new()]));
        for none in ["", "=", "x = ", "%x == ", "%x:0 = ", "%x:99999999999999999999 = ", ", = ", "\u{ff} ="] {
            assert!(before(none).is_none_or(|names| names.iter().all(String::is_empty)), "{none}");
        }
    }

    #[test]
    fn values_are_read_at_their_place() {
        let at =
            |line, column| written_at(b"(%x: f64,\n  %12: f64, %", &SourcePosition { file: "f".into(), line, column });
        assert_eq!(at(1, 2), Some("x".into()));
        for (line, column) in [(0, 0), (1, 0), (1, 1), (2, 3), (2, 13), (2, 14), (9, 1), (1, u32::MAX)] {
            assert_eq!(at(line, column), None, "{line}:{column}");
        }
        assert_eq!(split_at("within split at f.mlir:12 offset ", "f.mlir"), Some(12));
        assert_eq!(split_at("g.mlir", "f.mlir"), None);
    }
}
