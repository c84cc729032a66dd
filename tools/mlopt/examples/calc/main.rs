//! A small language on the library, which docs/tutorial/a-language-of-your-own.md explains: functions of numbers, with
//! sums and derivatives.

use mlopt::enums::CmpFPredicate;
use mlopt::{
    Builder, Code, Element, ModuleBuilder, Pipeline, Result, Session, Size, Target, Tensor, Type, Value, View,
};

/// A word, a number or a sign, and its position.
#[derive(Clone, Copy)]
struct Token<'s> {
    text: &'s str,
    line: usize,
    column: usize,
}

fn tokens(source: &str) -> Vec<Token<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '.';
    let mut all = vec![];
    for (line, whole) in source.lines().enumerate() {
        let mut rest = whole;
        while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
            rest = &rest[start..];
            let column = whole[..whole.len() - rest.len()].chars().count() + 1;
            let end = match rest.find(|c| !is_word(c)) {
                Some(0) => rest.chars().next().map_or(0, char::len_utf8),
                end => end.unwrap_or(rest.len()),
            };
            all.push(Token { text: &rest[..end], line: line + 1, column });
            rest = &rest[end..];
        }
    }
    all
}

/// An expression, and the token that stands for it in diagnostics.
struct Expr<'s> {
    at: Token<'s>,
    kind: Kind<'s>,
}

enum Kind<'s> {
    Number(f64),
    Name,
    Operation(Box<[Expr<'s>; 2]>),
    Call(Vec<Expr<'s>>),
    /// The derivative of a function with respect to its first input.
    Grad(&'s str, Vec<Expr<'s>>),
    /// `if a < b then c else d`.
    If(Box<[Expr<'s>; 4]>),
    /// `sum(k < 10: term)`.
    Sum(&'s str, usize, Box<Expr<'s>>),
}

/// `name(inputs) = body`.
struct Definition<'s> {
    name: Token<'s>,
    inputs: Vec<&'s str>,
    body: Expr<'s>,
}

/// An error: its position, and its text.
type Problem<'s> = (Token<'s>, String);

struct Parser<'s> {
    tokens: Vec<Token<'s>>,
    next: usize,
}

impl<'s> Parser<'s> {
    /// Returns the next token, or an empty one at the end.
    fn peek(&self) -> Token<'s> {
        let last = self.tokens.last().map_or((1, 1), |last| (last.line, last.column + last.text.chars().count()));
        let end = Token { text: "", line: last.0, column: last.1 };
        self.tokens.get(self.next).copied().unwrap_or(end)
    }

    fn take(&mut self) -> Token<'s> {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn expect(&mut self, text: &str) -> Result<Token<'s>, Problem<'s>> {
        match self.take() {
            found if found.text == text => Ok(found),
            found => Err((found, format!("expected `{text}`, found `{}`", found.text))),
        }
    }

    fn name(&mut self) -> Result<Token<'s>, Problem<'s>> {
        match self.take() {
            found if found.text.starts_with(char::is_alphabetic) => Ok(found),
            found => Err((found, format!("expected a name, found `{}`", found.text))),
        }
    }

    /// Parses `(item, item)`.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T, Problem<'s>>) -> Result<Vec<T>, Problem<'s>> {
        self.expect("(")?;
        let mut items = vec![];
        while self.peek().text != ")" {
            items.push(item(self)?);
            if self.peek().text == "," {
                self.next += 1;
            }
        }
        self.expect(")")?;
        Ok(items)
    }

    fn definition(&mut self) -> Result<Definition<'s>, Problem<'s>> {
        let name = self.name()?;
        let inputs = self.list(|parser| Ok(parser.name()?.text))?;
        self.expect("=")?;
        Ok(Definition { name, inputs, body: self.sum()? })
    }

    /// Parses a sum of products.
    fn sum(&mut self) -> Result<Expr<'s>, Problem<'s>> {
        self.operations(&["+", "-"], |parser| parser.operations(&["*", "/"], Self::atom))
    }

    fn operations(
        &mut self,
        signs: &[&str],
        mut side: impl FnMut(&mut Self) -> Result<Expr<'s>, Problem<'s>>,
    ) -> Result<Expr<'s>, Problem<'s>> {
        let mut left = side(self)?;
        while signs.contains(&self.peek().text) {
            let at = self.take();
            left = Expr { at, kind: Kind::Operation(Box::new([left, side(self)?])) };
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Expr<'s>, Problem<'s>> {
        let at = self.take();
        let kind = match at.text {
            "(" => {
                let inner = self.sum()?;
                self.expect(")")?;
                return Ok(inner);
            }
            "if" => {
                let left = self.sum()?;
                self.expect("<")?;
                let right = self.sum()?;
                self.expect("then")?;
                let consequent = self.sum()?;
                self.expect("else")?;
                Kind::If(Box::new([left, right, consequent, self.sum()?]))
            }
            "grad" => Kind::Grad(self.name()?.text, self.list(Self::sum)?),
            "sum" => {
                self.expect("(")?;
                let index = self.name()?.text;
                self.expect("<")?;
                let count = self.take();
                let number = count.text.parse().map_err(|_| (count, "expected an integer".to_string()))?;
                self.expect(":")?;
                let term = self.sum()?;
                self.expect(")")?;
                Kind::Sum(index, number, Box::new(term))
            }
            text if text.starts_with(char::is_alphabetic) && self.peek().text == "(" => {
                Kind::Call(self.list(Self::sum)?)
            }
            text if text.starts_with(char::is_alphabetic) => Kind::Name,
            text => Kind::Number(text.parse().map_err(|_| (at, format!("expected an expression, found `{text}`")))?),
        };
        Ok(Expr { at, kind })
    }
}

/// Builds an expression in the scope of named values.
fn build(b: &mut Builder, scope: &[(&str, Value)], expr: &Expr) -> Result<Value> {
    let at = expr.at;
    let all = |b: &mut Builder, inputs: &[Expr]| -> Result<Vec<Value>> {
        let values: Result<Vec<Value>> = inputs.iter().map(|input| build(b, scope, input)).collect();
        b.at(at.line, at.column);
        values
    };
    b.at(at.line, at.column);
    match &expr.kind {
        Kind::Number(number) => b.number(Element::F64, *number),
        Kind::Name => {
            let found = scope.iter().rev().find(|(name, _)| *name == at.text);
            found.map(|(_, value)| *value).ok_or_else(|| b.error(format!("unknown name `{}`", at.text)))
        }
        Kind::Operation(sides) => {
            let sides = all(b, &sides[..])?;
            match at.text {
                "+" => b.arith_addf(sides[0], sides[1]),
                "-" => b.arith_subf(sides[0], sides[1]),
                "*" => b.arith_mulf(sides[0], sides[1]),
                _ => b.arith_divf(sides[0], sides[1]),
            }
        }
        Kind::Call(inputs) => {
            let inputs = all(b, inputs)?;
            Ok(b.call(at.text, &inputs)?[0])
        }
        Kind::Grad(function, inputs) => {
            let inputs = all(b, inputs)?;
            Ok(b.grad(function, &inputs, &[0])?[0])
        }
        Kind::If(parts) => {
            let [left, right, consequent, alternative] = &**parts;
            let (left, right) = (build(b, scope, left)?, build(b, scope, right)?);
            let condition = b.arith_cmpf(left, right, CmpFPredicate::Olt)?;
            let yes = |b: &mut Builder| Ok(vec![build(b, scope, consequent)?]);
            Ok(b.choose(condition, yes, |b| Ok(vec![build(b, scope, alternative)?]))?[0])
        }
        Kind::Sum(index, count, term) => {
            let terms = b.build(&[Size::Static(*count)], |b, position| {
                let integer = b.arith_index_cast(position[0], &Element::I64.into())?;
                let number = b.arith_sitofp(integer, &Element::F64.into())?;
                Ok(vec![build(b, &[scope, &[(index, number)]].concat(), term)?])
            })?;
            b.array_sum(terms[0], &[0])
        }
    }
}

/// Compiles a program of this language.
fn compile(session: &Session, file: &str, source: &str) -> Result<Code> {
    let mut module = ModuleBuilder::new(session, file, source)?;
    let mut parser = Parser { tokens: tokens(source), next: 0 };
    while !parser.peek().text.is_empty() {
        let definition = parser.definition();
        let definition = definition.map_err(|(at, text)| module.at(at.line, at.column).error(text))?;
        let Definition { name, inputs, body } = definition;
        let types = vec![Type::from(Element::F64); inputs.len()];
        module.at(name.line, name.column).function(name.text, &types, |b, values| {
            let scope: Vec<(&str, Value)> = inputs.iter().copied().zip(values.iter().copied()).collect();
            Ok(vec![build(b, &scope, &body)?])
        })?;
    }
    module.finish()?.compile(&Pipeline::default_cpu(), &Target::host())
}

const SHAPES: &str = "\
area(r) = 3.14159 * r * r
slope(r) = grad area(r)
hinge(x) = if x < 0 then 0 else area(x)
series(x) = sum(k < 4: x * k)
all(x) = hinge(x) + series(x) - grad series(x)
";

/// Compiles and calls programs, and returns what the tutorial shows.
pub fn run() -> Result<String> {
    let session = Session::new();
    let code = compile(&session, "shapes.calc", SHAPES)?;
    let mut said = String::new();
    for name in ["area", "slope", "hinge", "series", "all"] {
        let result: Vec<Tensor> = code.function(name)?.call(&[View::scalar(&2.0)])?;
        said += &format!("{name}(2) = {}\n", result[0].elements::<f64>()?[0]);
    }
    for wrong in ["area(r) = 3.14159 * r * s\n", "f(x) = g(x)\n", "f(x) = sum(k < n: k)\n"] {
        let error = compile(&session, "wrong.calc", wrong).err();
        said += &format!("{}\n", error.map_or("no error".to_string(), |error| error.to_string()));
    }
    Ok(said)
}

fn main() -> Result<()> {
    print!("{}", run()?);
    Ok(())
}
