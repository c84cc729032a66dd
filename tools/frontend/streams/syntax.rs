//! The parser of the textual notation of reactive streams (`spec/streams.md` 3).

use mlopt_dialects::primitives::{Notation, Primitive, named};
use mlopt_dialects::text::lexer::{Lexer, Syntax, Token, list, prefix};
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::text::{Problem, Span};

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub at: Span,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub name: Name,
    pub statics: Vec<Name>,
    pub inputs: Vec<Name>,
    pub outputs: Vec<Name>,
    pub equations: Vec<Equation>,
}

impl Node {
    /// Returns the equation whose value contains the span `at`.
    pub fn equation(&self, at: Span) -> Option<&Equation> {
        let next = self.equations.partition_point(|e| e.value.at.start <= at.start);
        self.equations[..next].last().filter(|e| at.start < e.value.at.end)
    }
}

#[derive(Clone, Debug)]
pub struct Equation {
    pub results: Vec<Name>,
    pub value: Expr,
}

impl Equation {
    /// Returns the name of the first result that is not discarded.
    pub fn name(&self) -> &str {
        self.results.iter().find(|n| n.text != "_").map_or("_", |n| n.text.as_str())
    }
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub at: Span,
    pub kind: Kind,
    /// The operands, in the order of the text.
    pub args: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Number(Number),
    Variable(String),
    Stack,
    If,
    /// An infix or prefix operator.
    Operator(&'static Primitive),
    Fby,
    Post,
    /// The condition, and the value of it at which the operand is sampled.
    When(Name, bool),
    /// The condition.
    Merge(Name),
    Index(u64),
    Call(Name, Vec<Static>),
}

#[derive(Clone, Debug)]
pub enum Static {
    Int(i64),
    Name(Name),
    List(Vec<Static>),
    /// `+`, `-` or `*`.
    Arithmetic(&'static str, Box<[Static; 2]>),
}

const SYNTAX: &Syntax = &Syntax {
    comment: Some("--"),
    marks: &["->", "==", "!=", "<=", ">=", "{", "}", "(", ")", "[", "]", ",", ";", "=", "<", ">", "+", "-", "*", "/"],
    keywords: &[
        "node", "let", "tel", "if", "then", "else", "fby", "or", "and", "not", "post", "when", "true", "false", "merge",
    ],
    word,
};

/// Returns the length of the name or number at the start of a text.
fn word(text: &str) -> usize {
    let digits = |from: usize| from + prefix(&text[from..], |c| c.is_ascii_digit());
    let integer = digits(0);
    if integer == 0 {
        return prefix(text, |c| c.is_ascii_alphanumeric() || c == '_');
    }
    let end = if text[integer..].starts_with('.') { digits(integer + 1) } else { integer };
    let Some(exponent) = text[end..].strip_prefix(['e', 'E']) else { return end };
    let sign = end + 1 + usize::from(exponent.starts_with(['+', '-']));
    if digits(sign) > sign { digits(sign) } else { end }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The maximum nesting of expressions.
const DEEPEST: usize = 200;

struct Parser<'t> {
    lexer: Lexer<'t>,
    depth: usize,
}

impl<'t> AsMut<Lexer<'t>> for Parser<'t> {
    fn as_mut(&mut self) -> &mut Lexer<'t> {
        &mut self.lexer
    }
}

type Parsed<T> = Result<T, Problem>;

/// Parses the nodes of a program.
pub fn parse(text: &str) -> Parsed<Vec<Node>> {
    let mut parser = Parser { lexer: Lexer::new(SYNTAX, text), depth: 0 };
    let mut nodes = Vec::new();
    while parser.lexer.peek().0 != Token::End {
        nodes.push(parser.node().map_err(|problem| Problem { code: Some("E-PARSE"), ..problem })?);
    }
    Ok(nodes)
}

impl Parser<'_> {
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let (text, at) = self.lexer.word(what, |word| !is_number(word))?;
        Ok(Name { text: text.into(), at })
    }

    fn condition(&mut self) -> Parsed<Name> {
        self.name("a variable as the condition (define one by an equation)")
    }

    /// Parses a number.
    fn number(&mut self, what: &str, accepts: impl Fn(&str) -> bool) -> Parsed<Number> {
        let (word, at) = self.lexer.word(what, |word| is_number(word) && accepts(word))?;
        let is_float = word.contains(['.', 'e', 'E']);
        match Number::parse(word) {
            Some(number @ Number::Int(_)) => Ok(number),
            Some(Number::Float(x)) if is_float && x.is_finite() => Ok(Number::Float(x)),
            _ => {
                let kind = if is_float { "a float" } else { "an integer" };
                Err(at.error(format!("`{word}` is too large for {kind}")))
            }
        }
    }

    fn integer(&mut self, what: &str) -> Parsed<i64> {
        match self.number(what, |word| word.bytes().all(|b| b.is_ascii_digit()))? {
            Number::Int(n) => Ok(n),
            _ => unreachable!("digits are an integer"),
        }
    }

    fn node(&mut self) -> Parsed<Node> {
        self.lexer.expect("node")?;
        let name = self.name("the name of a node")?;
        let of_names = |p: &mut Self| p.name("a name");
        let statics = if self.lexer.take("{") { list(self, "}", of_names)? } else { vec![] };
        self.lexer.expect("(")?;
        let inputs = list(self, ")", of_names)?;
        self.lexer.expect("->")?;
        self.lexer.expect("(")?;
        let outputs = list(self, ")", of_names)?;
        self.lexer.expect("let")?;
        let mut equations = Vec::new();
        while !self.lexer.take("tel") {
            let mut results = vec![self.name("an equation or `tel`")?];
            while self.lexer.take(",") {
                results.push(self.name("a variable")?);
            }
            self.lexer.expect("=")?;
            let value = self.expr()?;
            self.lexer.expect(";")?;
            equations.push(Equation { results, value });
        }
        Ok(Node { name, statics, inputs, outputs, equations })
    }

    /// Parses a part of an expression that may contain itself.
    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        if self.depth == DEEPEST {
            return Err(self.lexer.span().error(format!("expected at most {DEEPEST} nested expressions")));
        }
        self.depth += 1;
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    /// Returns an expression that starts at `start` and ends with the last consumed token.
    fn since(&self, start: Span, kind: Kind, args: Vec<Expr>) -> Expr {
        Expr { at: self.lexer.since(start), kind, args }
    }

    fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let start = parser.lexer.span();
            if parser.lexer.take("if") {
                let c = parser.expr()?;
                parser.lexer.expect("then")?;
                let a = parser.expr()?;
                parser.lexer.expect("else")?;
                let b = parser.expr()?;
                return Ok(parser.since(start, Kind::If, vec![c, a, b]));
            }
            let first = parser.binary(0)?;
            if !parser.lexer.take("fby") {
                return Ok(first);
            }
            let then = parser.expr()?;
            Ok(parser.since(start, Kind::Fby, vec![first, then]))
        })
    }

    /// Parses infix operators of this precedence and higher ones.
    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        const NOT: usize = 2;
        const COMPARISON: usize = 3;
        const LEVELS: &[&[&str]] =
            &[&["or"], &["and"], &["not"], &["==", "!=", "<", "<=", ">", ">="], &["+", "-"], &["*", "/"]];
        let start = self.lexer.span();
        let Some(marks) = LEVELS.get(level) else { return self.unary() };
        if level == NOT {
            let mut count = 0;
            while self.lexer.take("not") {
                count += 1;
            }
            let e = self.binary(COMPARISON)?;
            let not = operator("not", 1);
            return Ok((0..count).fold(e, |e, _| self.since(start, Kind::Operator(not), vec![e])));
        }
        let mut left = self.binary(level + 1)?;
        while let Some(mark) = marks.iter().find(|mark| self.lexer.take(mark)) {
            let right = self.binary(level + 1)?;
            left = self.since(start, Kind::Operator(operator(mark, 2)), vec![left, right]);
            if level == COMPARISON {
                break;
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.lexer.span();
        let kind = if self.lexer.take("-") {
            Kind::Operator(operator("-", 1))
        } else if self.lexer.take("post") {
            Kind::Post
        } else {
            return self.postfix();
        };
        let e = self.nested(Self::unary)?;
        Ok(self.since(start, kind, vec![e]))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.lexer.span();
        let mut e = self.atom()?;
        loop {
            let kind = if self.lexer.take("[") {
                let k = self.integer("an index that is an integer")?.unsigned_abs();
                self.lexer.expect("]")?;
                Kind::Index(k)
            } else if self.lexer.take("when") {
                let polarity = !self.lexer.take("not");
                Kind::When(self.condition()?, polarity)
            } else {
                return Ok(e);
            };
            e = self.since(start, kind, vec![e]);
        }
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let start = self.lexer.span();
        let (kind, args) = match self.lexer.peek() {
            (Token::Word, word) if is_number(word) => (Kind::Number(self.number("a number", |_| true)?), vec![]),
            _ if self.lexer.take("true") => (Kind::Number(Number::Bool(true)), vec![]),
            _ if self.lexer.take("false") => (Kind::Number(Number::Bool(false)), vec![]),
            _ if self.lexer.take("(") => {
                let e = self.expr()?;
                self.lexer.expect(")")?;
                return Ok(e);
            }
            _ if self.lexer.take("[") => (Kind::Stack, list(self, "]", Self::expr)?),
            _ if self.lexer.take("merge") => {
                self.lexer.expect("(")?;
                let c = self.condition()?;
                self.lexer.expect(",")?;
                let a = self.expr()?;
                self.lexer.expect(",")?;
                let b = self.expr()?;
                self.lexer.expect(")")?;
                (Kind::Merge(c), vec![a, b])
            }
            _ => {
                let name = self.name("an expression")?;
                let has_statics = self.lexer.take("{");
                let statics = if has_statics { list(self, "}", Self::static_sum)? } else { vec![] };
                if has_statics || self.lexer.is("(") {
                    self.lexer.expect("(")?;
                    (Kind::Call(name, statics), list(self, ")", Self::expr)?)
                } else {
                    (Kind::Variable(name.text), vec![])
                }
            }
        };
        Ok(self.since(start, kind, args))
    }

    /// Parses a sum of static values. Products bind more tightly, as in expressions.
    fn static_sum(&mut self) -> Parsed<Static> {
        let mut left = self.static_product()?;
        while let Some(mark) = ["+", "-"].into_iter().find(|mark| self.lexer.take(mark)) {
            left = Static::Arithmetic(mark, Box::new([left, self.static_product()?]));
        }
        Ok(left)
    }

    fn static_product(&mut self) -> Parsed<Static> {
        let mut left = self.static_atom()?;
        while self.lexer.take("*") {
            left = Static::Arithmetic("*", Box::new([left, self.static_atom()?]));
        }
        Ok(left)
    }

    fn static_atom(&mut self) -> Parsed<Static> {
        match self.lexer.peek() {
            _ if self.lexer.take("[") => Ok(Static::List(list(self, "]", Self::static_sum)?)),
            (Token::Word, word) if !is_number(word) => Ok(Static::Name(self.name("a name")?)),
            _ => Ok(Static::Int(self.integer("an integer, a static parameter or a shape")?)),
        }
    }
}

/// Returns the primitive of an operator.
fn operator(mark: &str, arity: usize) -> &'static Primitive {
    named(Notation::Streams, mark).find(|p| p.arity == arity).expect("operators are primitives")
}
