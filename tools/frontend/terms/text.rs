//! The MLIR text of one function under construction: ops in order, constants at the start, and names of values, which
//! are chosen when the function is complete.

use super::value::{Id, Type};
use crate::mlir::{Taken, identifier, indentation, list};
use mlopt_dialects::value::Element;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};

#[derive(Clone)]
pub struct Text {
    /// The ops of the innermost open region.
    body: String,
    /// The number of open regions.
    depth: usize,
    /// The suggested name of each value; `None` takes a number.
    names: Vec<Option<String>>,
    /// The constants, keyed by their text.
    constants: BTreeMap<String, Id>,
    /// The definitions of constants, in the order of first use.
    header: Vec<(Id, String)>,
}

/// A region under construction, with the ops before it.
pub struct Open(String);

/// A position in the text at which it can be truncated.
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

    /// Suggests a name for a value that has none yet.
    pub fn suggest(&mut self, id: Id, name: &str) {
        self.names[id.0].get_or_insert_with(|| identifier(name));
    }

    /// Writes `%z = RIGHT`.
    pub fn op(&mut self, right: impl Display) -> Id {
        let id = self.fresh();
        self.line(format_args!("{id} = {right}"));
        id
    }

    /// Writes `%a, %b = RIGHT`.
    pub fn ops(&mut self, results: usize, right: impl Display) -> Vec<Id> {
        let ids: Vec<Id> = (0..results).map(|_| self.fresh()).collect();
        self.line(format_args!("{} = {right}", list(&ids)));
        ids
    }

    fn line(&mut self, line: impl Display) {
        let indent = indentation(self.depth + 1);
        let _ = writeln!(self.body, "{:indent$}{line}", "");
    }

    /// Returns `arith.constant VALUE : TYPE`, defined once per function.
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

    /// Removes the ops since `mark`, which must belong to the innermost open region.
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

    /// Returns the complete function.
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
        // Constants whose only uses were removed are dropped.
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

/// Returns the number of a value and the text after it.
fn number(part: &str) -> (usize, &str) {
    let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
    (part[..digits].parse().expect("only values begin with `%`"), &part[digits..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_chosen_in_the_order_of_the_text() {
        let mut text = Text::new();
        let ids = [text.named("x"), text.named("x"), text.fresh(), text.named("x_1")];
        assert_eq!(text.rename(&list(&ids)), "%x, %x_1, %0, %x_1_1");
    }
}
