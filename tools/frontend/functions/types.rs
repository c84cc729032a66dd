//! Types as the notation writes them, `Weights{W:array<2x2xf64>,b:array<2xf64>}`, as MLIR.

use mlopt_dialects::suggest::did_you_mean;

/// Types nest at most this deep.
const DEEPEST: usize = 100;

/// What the notation calls types besides those with other types in them.
const PLAIN: &[(&str, &str)] = &[
    ("f16", "f16"),
    ("bf16", "bf16"),
    ("f32", "f32"),
    ("f64", "f64"),
    ("i1", "i1"),
    ("bool", "i1"),
    ("i8", "i8"),
    ("i16", "i16"),
    ("i32", "i32"),
    ("i64", "i64"),
    ("index", "index"),
    ("unit", "none"),
    ("str", "!lambda.str"),
    ("rng", "!lambda.rng"),
];
/// How many of [`PLAIN`] an array may have as elements.
const ELEMENTS: usize = 11;
/// Types of one other type.
const CONTAINERS: &[&str] = &["list", "chan", "task", "dual"];

/// The type as MLIR writes it: `f64`, `array<2x3xf64>`, `tuple<f64,i64>`, `list<f64>`, `func<[f64]->f64>`, a record
/// `P{u:f64,v:f64}`.
///
/// # Errors
/// What was expected, and what was found there.
pub fn mlir(text: &str) -> Result<String, String> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let ty = reader.ty()?;
    if reader.rest().is_empty() { Ok(ty) } else { Err(reader.expected("the end of the type")) }
}

struct Reader<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// What is to come, without blanks before it.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn expected(&mut self, what: &str) -> String {
        let text = self.text;
        match self.rest() {
            "" => format!("expected {what} at the end of the type `{text}`"),
            rest => format!("expected {what} in the type `{text}`, found `{rest}`"),
        }
    }

    fn take(&mut self, mark: &str) -> bool {
        let is = self.rest().starts_with(mark);
        self.at += if is { mark.len() } else { 0 };
        is
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.take(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<&'a str, String> {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || "<>{}[]():,".contains(c)).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.expected(what));
        }
        self.at += end;
        Ok(&rest[..end])
    }

    fn ty(&mut self) -> Result<String, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("types nest at most {DEEPEST} deep"));
        }
        let name = self.name("a type")?;
        let ty = match name {
            _ if self.rest().starts_with('{') => self.record(name)?,
            "array" => self.array()?,
            "tuple" => {
                self.expect("<")?;
                format!("tuple<{}>", self.list(">")?.join(", "))
            }
            "func" => self.function()?,
            _ if CONTAINERS.contains(&name) => {
                self.expect("<")?;
                let inner = self.ty()?;
                self.expect(">")?;
                format!("!lambda.{name}<{inner}>")
            }
            _ => match PLAIN.iter().find(|p| p.0 == name) {
                Some((_, ty)) => ty.to_string(),
                None => {
                    let known = PLAIN.iter().map(|p| p.0).chain(CONTAINERS.iter().copied());
                    let hint = did_you_mean(name, known.chain(["array", "tuple", "func"]));
                    return Err(format!("unknown type `{name}`{hint}"));
                }
            },
        };
        self.depth -= 1;
        Ok(ty)
    }

    /// Types between commas, up to and with `close`.
    fn list(&mut self, close: &str) -> Result<Vec<String>, String> {
        let mut types = vec![];
        if self.take(close) {
            return Ok(types);
        }
        loop {
            types.push(self.ty()?);
            if self.take(close) {
                return Ok(types);
            }
            if !self.take(",") {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }

    /// `<2x?xf64>`
    fn array(&mut self) -> Result<String, String> {
        self.expect("<")?;
        let inner = self.name("sizes and a type of elements, `2x3xf64`")?;
        let (mut sizes, mut element) = (String::new(), inner);
        while let Some((size, rest)) = element.split_once('x')
            && (size == "?" || size.bytes().all(|b| b.is_ascii_digit()) && !size.is_empty())
        {
            if size != "?" && size.parse::<i64>().is_err() {
                return Err(format!("the size {size} is too large"));
            }
            sizes += &format!("{size}x");
            element = rest;
        }
        if sizes.is_empty() {
            return Err(format!("expected sizes and a type of elements, as in `array<2x3xf64>`, found `{inner}`"));
        }
        let known = &PLAIN[..ELEMENTS];
        let Some((_, element)) = known.iter().find(|p| p.0 == element) else {
            let hint = did_you_mean(element, known.iter().map(|p| p.0));
            return Err(format!("unknown type of elements `{element}`{hint}"));
        };
        self.expect(">")?;
        Ok(format!("tensor<{sizes}{element}>"))
    }

    /// `<[f64,f64]->f64>`
    fn function(&mut self) -> Result<String, String> {
        self.expect("<")?;
        self.expect("[")?;
        let inputs = self.list("]")?.join(", ");
        self.expect("->")?;
        let result = self.ty()?;
        self.expect(">")?;
        // A function type stands in parentheses after an arrow.
        let result = if result.starts_with('(') { format!("({result})") } else { result };
        Ok(format!("({inputs}) -> {result}"))
    }

    /// `{u:f64,v:f64}`
    fn record(&mut self, name: &str) -> Result<String, String> {
        self.expect("{")?;
        let mut ty = format!("!lambda.record<{}", quoted(name));
        let mut fields: Vec<&str> = vec![];
        while !self.take("}") {
            if !fields.is_empty() && !self.take(",") {
                return Err(self.expected("`,` or `}`"));
            }
            let field = self.name("the name of a field")?;
            if fields.contains(&field) {
                return Err(format!("the record `{name}` has two fields `{field}`"));
            }
            fields.push(field);
            self.expect(":")?;
            ty += &format!(", {}: {}", quoted(field), self.ty()?);
        }
        Ok(ty + ">")
    }
}

/// A string as MLIR writes it.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for byte in text.bytes() {
        match byte {
            b'"' => quoted += "\\\"",
            b'\\' => quoted += "\\\\",
            b' '..=b'~' => quoted.push(byte.into()),
            _ => quoted += &format!("\\{byte:02X}"),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read() {
        let read = |text: &str| mlir(text).unwrap();
        assert_eq!(read("f64"), "f64");
        assert_eq!(read("bool"), "i1");
        assert_eq!(read("unit"), "none");
        assert_eq!(read("array<2x?xindex>"), "tensor<2x?xindex>");
        assert_eq!(read("tuple<f64, list<i64>>"), "tuple<f64, !lambda.list<i64>>");
        assert_eq!(read("tuple<>"), "tuple<>");
        assert_eq!(read("func<[f64,f64]->func<[]->f64>>"), "(f64, f64) -> (() -> f64)");
        assert_eq!(
            read("Net{l1:Weights{W:array<2x2xf64>},b:f64}"),
            r#"!lambda.record<"Net", "l1": !lambda.record<"Weights", "W": tensor<2x2xf64>>, "b": f64>"#
        );
        assert_eq!(quoted("a\"\\é"), r#""a\"\\\C3\A9""#);
    }

    #[test]
    fn what_is_no_type_is_refused() {
        let refused = |text: &str| mlir(text).unwrap_err();
        assert_eq!(refused("f65"), "unknown type `f65`; did you mean `f64`?");
        assert_eq!(refused(""), "expected a type at the end of the type ``");
        assert_eq!(refused("list<f64"), "expected `>` at the end of the type `list<f64`");
        assert_eq!(refused("f64 f64"), "expected the end of the type in the type `f64 f64`, found `f64`");
        assert_eq!(refused("array<f64>"), "expected sizes and a type of elements, as in `array<2x3xf64>`, found `f64`");
        assert_eq!(refused("array<2xf65>"), "unknown type of elements `f65`; did you mean `f64`?");
        assert_eq!(refused("array<2xunit>"), "unknown type of elements `unit`");
        assert_eq!(refused("array<99999999999999999999xf64>"), "the size 99999999999999999999 is too large");
        assert_eq!(refused("P{u:f64,u:f64}"), "the record `P` has two fields `u`");
        assert_eq!(refused("P{u:f64 v:f64}"), "expected `,` or `}` in the type `P{u:f64 v:f64}`, found `v:f64}`");
        assert_eq!(refused(&"list<".repeat(101)), "types nest at most 100 deep");
    }
}
