//! The MLIR text of one function under construction: ops in order, constants at the start, and names of values, which
//! are chosen when the function is complete.

use super::value::{Id, Type, Typed};
use crate::mlir::{Taken, identifier, indentation, list};
use mlopt_dialects::value::Element;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};

#[derive(Clone, Default)]
pub struct Text {
    /// The ops of the innermost open region.
    pub(super) body: String,
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

impl Text {
    fn fresh(&mut self, ty: Type) -> Typed {
        self.names.push(None);
        Typed { id: Id(self.names.len() - 1), ty }
    }

    pub fn named(&mut self, name: &str, ty: Type) -> Typed {
        let x = self.fresh(ty);
        self.suggest(x.id, name);
        x
    }

    /// Suggests a name for a value that has none yet.
    pub fn suggest(&mut self, id: Id, name: &str) {
        self.names[id.0].get_or_insert_with(|| identifier(name));
    }

    /// Writes `%z = RIGHT`.
    pub fn op(&mut self, right: impl Display, ty: Type) -> Typed {
        let x = self.fresh(ty);
        self.line(format_args!("{x} = {right}"));
        x
    }

    /// Writes `%a, %b = RIGHT`.
    pub fn ops(&mut self, right: impl Display, types: Vec<Type>) -> Vec<Typed> {
        let results: Vec<Typed> = types.into_iter().map(|ty| self.fresh(ty)).collect();
        self.line(format_args!("{} = {right}", list(&results)));
        results
    }

    fn line(&mut self, line: impl Display) {
        let indent = indentation(self.depth + 1);
        let _ = writeln!(self.body, "{:indent$}{line}", "");
    }

    /// Returns `arith.constant VALUE : TYPE`, defined once per function.
    pub fn constant(&mut self, value: &str, ty: &Type) -> Typed {
        let is_truth = *ty == Type::scalar(Element::I1);
        let right = if is_truth { format!("arith.constant {value}") } else { format!("arith.constant {value} : {ty}") };
        if let Some(&id) = self.constants.get(&right) {
            return Typed { id, ty: ty.clone() };
        }
        let name = match ty {
            Type { shape, .. } if !shape.is_empty() => "cst".into(),
            Type { element: Element::I1, .. } => value.into(),
            ty if ty.element.is_float() => "cst".into(),
            _ => format!("c{}", value.replace('-', "_")),
        };
        let constant = self.named(&name, ty.clone());
        self.header.push((constant.id, format!("  {constant} = {right}\n")));
        self.constants.insert(right, constant.id);
        constant
    }

    pub fn open(&mut self) -> Open {
        self.depth += 1;
        Open(std::mem::take(&mut self.body))
    }

    /// Ends a region with `array.yield` and writes the op that owns it: `%a, %b = HEAD {…}`. The results have these
    /// types.
    pub fn close(&mut self, open: Open, yielded: &[Typed], types: Vec<Type>, head: impl Display) -> Vec<Typed> {
        self.line(format_args!("array.yield {}", with_types(yielded)));
        let inside = std::mem::replace(&mut self.body, open.0);
        self.depth -= 1;
        let results = self.ops(format_args!("{head} {{"), types);
        self.body += &inside;
        self.line("}");
        results
    }

    /// Returns the complete function.
    pub fn function(mut self, visibility: &str, name: &str, parameters: &[Typed], results: &[Typed]) -> String {
        self.line(format_args!("return {}", with_types(results)));
        let parameters = list(parameters.iter().map(|x| format!("{x}: {}", x.ty)));
        let types = list(results.iter().map(|x| &x.ty));
        let types = if results.len() == 1 { types } else { format!("({types})") };
        // Constants whose only uses were removed are dropped.
        let used: BTreeSet<usize> = self.body.split('%').skip(1).map(|part| number(part).0).collect();
        let constants: String =
            self.header.iter().filter(|(id, _)| used.contains(&id.0)).map(|(_, l)| l.as_str()).collect();
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

/// Formats `%a, %b : f64, i64`.
fn with_types(values: &[Typed]) -> String {
    format!("{} : {}", list(values), list(values.iter().map(|x| &x.ty)))
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
        let mut text = Text::default();
        let names = [Some("x"), Some("x"), None, Some("x_1")];
        let values = names.map(|name| {
            let x = text.fresh(Type::scalar(Element::F64));
            name.into_iter().for_each(|name| text.suggest(x.id, name));
            x
        });
        assert_eq!(text.rename(&list(&values)), "%x, %x_1, %0, %x_1_1");
    }
}
