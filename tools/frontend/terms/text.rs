//! The text of one function: ops in order, constants at its top, names of values chosen when it is complete.

use super::value::{Id, Type};
use crate::nesting::indentation;
use mlopt_dialects::value::Element;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};

#[derive(Clone)]
pub struct Text {
    /// The ops of the innermost region that is open.
    body: String,
    /// Number of regions that are open.
    depth: usize,
    /// What each value would like to be called; `None` takes a number.
    names: Vec<Option<String>>,
    /// By their text.
    constants: BTreeMap<String, Id>,
    /// The definitions of constants, in the order of first use.
    header: Vec<(Id, String)>,
}

/// A region that has begun: the ops before it.
pub struct Open(String);

/// A point to go back to; what was written after it is forgotten.
pub struct Mark(usize);

impl Text {
    pub fn new() -> Text {
        Text { body: String::new(), depth: 0, names: vec![], constants: BTreeMap::new(), header: vec![] }
    }

    pub fn fresh(&mut self) -> Id {
        self.names.push(None);
        Id(self.names.len() - 1)
    }

    pub fn named(&mut self, name: &str) -> Id {
        let id = self.fresh();
        self.suggest(id, name);
        id
    }

    /// A name for a value that has none yet.
    pub fn suggest(&mut self, id: Id, name: &str) {
        self.names[id.0].get_or_insert_with(|| identifier(name));
    }

    /// `%z = RIGHT`.
    pub fn op(&mut self, right: impl Display) -> Id {
        let id = self.fresh();
        self.line(format_args!("{id} = {right}"));
        id
    }

    /// `%a, %b = RIGHT`.
    pub fn ops(&mut self, results: usize, right: impl Display) -> Vec<Id> {
        let ids: Vec<Id> = (0..results).map(|_| self.fresh()).collect();
        self.line(format_args!("{} = {right}", list(&ids)));
        ids
    }

    fn line(&mut self, line: impl Display) {
        let indent = indentation(self.depth + 1);
        let _ = writeln!(self.body, "{:indent$}{line}", "");
    }

    /// `arith.constant VALUE : TYPE`, once for the function.
    pub fn constant(&mut self, value: &str, ty: &Type) -> Id {
        let is_truth = *ty == Type::scalar(Element::I1);
        let right = if is_truth { format!("arith.constant {value}") } else { format!("arith.constant {value} : {ty}") };
        if let Some(&id) = self.constants.get(&right) {
            return id;
        }
        let id = self.fresh();
        let name = match ty {
            Type { shape, .. } if !shape.is_empty() => "cst".into(),
            Type { element: Element::I1, .. } => value.into(),
            ty if ty.element.is_float() => "cst".into(),
            _ => format!("c{}", value.replace('-', "_")),
        };
        self.suggest(id, &name);
        self.header.push((id, format!("  {id} = {right}\n")));
        self.constants.insert(right, id);
        id
    }

    pub fn mark(&self) -> Mark {
        Mark(self.body.len())
    }

    /// Forgets the ops since `mark`, which was taken in the region that is open now.
    pub fn forget(&mut self, mark: Mark) {
        self.body.truncate(mark.0);
    }

    pub fn open(&mut self) -> Open {
        self.depth += 1;
        Open(std::mem::take(&mut self.body))
    }

    /// Ends a region with `array.yield` and writes the op that owns it: `%a, %b = HEAD {…}`.
    pub fn close(&mut self, open: Open, yielded: &[(Id, Type)], results: usize, head: impl Display) -> Vec<Id> {
        let ids: Vec<Id> = yielded.iter().map(|(id, _)| *id).collect();
        let types: Vec<&Type> = yielded.iter().map(|(_, ty)| ty).collect();
        self.line(format_args!("array.yield {} : {}", list(&ids), list(&types)));
        let inside = std::mem::replace(&mut self.body, open.0);
        self.depth -= 1;
        let results: Vec<Id> = (0..results).map(|_| self.fresh()).collect();
        self.line(format_args!("{} = {head} {{", list(&results)));
        self.body += &inside;
        self.line("}");
        results
    }

    /// The whole function.
    pub fn function(
        mut self,
        visibility: &str,
        name: &str,
        parameters: &[(Id, Type)],
        results: &[(Id, Type)],
    ) -> String {
        let types: Vec<&Type> = results.iter().map(|(_, ty)| ty).collect();
        let ids: Vec<Id> = results.iter().map(|(id, _)| *id).collect();
        self.line(format_args!("return {} : {}", list(&ids), list(&types)));
        let parameters: Vec<String> = parameters.iter().map(|(id, ty)| format!("{id}: {ty}")).collect();
        let types = if let [one] = types[..] { one.to_string() } else { format!("({})", list(&types)) };
        // What was forgotten may have left constants behind.
        let used: BTreeSet<usize> = self.body.split('%').skip(1).map(|part| number(part).0).collect();
        let constants: String =
            self.header.iter().filter(|(id, _)| used.contains(&id.0)).map(|(_, l)| l.as_str()).collect();
        let parameters = parameters.join(", ");
        let text = format!("func.func {visibility}@{name}({parameters}) -> {types} {{\n{constants}{}}}\n", self.body);
        self.rename(&text)
    }

    /// Replaces the numbers of values by their names, in the order of the text.
    fn rename(&self, text: &str) -> String {
        let mut chosen: BTreeMap<usize, String> = BTreeMap::new();
        let mut taken = Taken::default();
        let mut next = 0;
        let mut parts = text.split('%');
        let mut renamed = String::from(parts.next().unwrap_or(""));
        for part in parts {
            let (id, rest) = number(part);
            let name = chosen.entry(id).or_insert_with(|| match &self.names[id] {
                Some(name) => taken.unique(name),
                None => {
                    next += 1;
                    (next - 1).to_string()
                }
            });
            renamed += "%";
            renamed += name;
            renamed += rest;
        }
        renamed
    }
}

/// The number of a value, and the text after it.
fn number(part: &str) -> (usize, &str) {
    let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
    (part[..digits].parse().expect("only values begin with `%`"), &part[digits..])
}

/// Names that are in use.
#[derive(Default)]
pub struct Taken {
    names: BTreeSet<String>,
    /// The next number to try after each name.
    next: BTreeMap<String, usize>,
}

impl Taken {
    /// `name`, or `name_1`, `name_2`, …
    pub fn unique(&mut self, name: &str) -> String {
        let mut free = name.to_string();
        let next = self.next.entry(free.clone()).or_insert(1);
        while self.names.contains(&free) {
            free = format!("{name}_{next}");
            *next += 1;
        }
        self.names.insert(free.clone());
        free
    }
}

/// What MLIR takes for a name: other characters become `_`.
pub fn identifier(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "$._-".contains(c) { c } else { '_' };
    let name: String = name.chars().map(kept).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// `a, b, c`.
pub fn list(items: &[impl Display]) -> String {
    items.iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

/// A number as MLIR reads it back exactly.
pub fn float(x: f64, element: Element) -> String {
    let single = element == Element::F32;
    let finite = if single { (x as f32).is_finite() } else { x.is_finite() };
    if !finite {
        return if single { format!("{:#010X}", (x as f32).to_bits()) } else { format!("{:#018X}", x.to_bits()) };
    }
    let text = if single { format!("{:?}", x as f32) } else { format!("{x:?}") };
    match text.split_once('e') {
        // MLIR wants a point before an exponent.
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_mlir() {
        assert_eq!(float(1e-7, Element::F64), "1.0e-7");
        assert_eq!(float(2.0, Element::F64), "2.0");
        assert_eq!(float(-0.0, Element::F32), "-0.0");
        assert_eq!(float(0.1, Element::F32), "0.1");
        assert_eq!(float(f64::INFINITY, Element::F64), "0x7FF0000000000000");
        assert_eq!(float(f64::NEG_INFINITY, Element::F32), "0xFF800000");
    }

    #[test]
    fn names_are_valid_and_unique() {
        assert_eq!(identifier("x'"), "x_");
        assert_eq!(identifier("0γ"), "_0_");
        let mut text = Text::new();
        let ids = [text.named("x"), text.named("x"), text.fresh(), text.named("x_1")];
        assert_eq!(text.rename(&list(&ids)), "%x, %x_1, %0, %x_1_1");
    }
}
