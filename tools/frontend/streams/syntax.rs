//! The textual notation of reactive streams (`spec/streams.md` 3): text to syntax tree.

use std::fmt;

/// Bytes from start to end of the text.
pub type Span = std::ops::Range<usize>;

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// Of section 5 of the specification: `E-CLOCK`.
    pub code: &'static str,
    pub at: Span,
    pub text: String,
}

impl Error {
    pub fn new(code: &'static str, at: &Span, text: impl Into<String>) -> Error {
        Error { code, at: at.clone(), text: text.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.text)
    }
}

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
    /// The equation whose value has the place `at`.
    pub fn equation(&self, at: &Span) -> Option<&Equation> {
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
    /// The first result that is not discarded.
    pub fn name(&self) -> &str {
        self.results.iter().find(|n| n.text != "_").map_or("_", |n| n.text.as_str())
    }
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub at: Span,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Bool(bool),
    Int(i64),
    Float(f64),
    Variable(String),
    Stack(Vec<Expr>),
    If(Box<[Expr; 3]>),
    /// An operator that is written between or before its operands.
    Operator(Pointwise, Vec<Expr>),
    Fby(Box<[Expr; 2]>),
    Post(Box<Expr>),
    /// The condition, and whether it is sampled where that is true.
    When(Box<Expr>, Name, bool),
    Merge(Name, Box<[Expr; 2]>),
    Index(Box<Expr>, i64),
    Call(Name, Vec<Static>, Vec<Expr>),
}

/// An operator on the values of a cycle, element by element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointwise {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Not,
}

#[derive(Clone, Debug)]
pub enum Static {
    Int(i64),
    Name(Name),
    List(Vec<Static>),
    Sum(Box<[Static; 2]>),
    Difference(Box<[Static; 2]>),
    Product(Box<[Static; 2]>),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Int(i64),
    Float(f64),
    Mark(&'static str),
    End,
}

const MARKS: &[&str] =
    &["->", "==", "!=", "<=", ">=", "{", "}", "(", ")", "[", "]", ",", ";", "=", "<", ">", "+", "-", "*", "/"];
const KEYWORDS: &[&str] =
    &["node", "let", "tel", "if", "then", "else", "fby", "or", "and", "not", "post", "when", "true", "false", "merge"];

fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Error> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    let run = |from: usize, f: fn(u8) -> bool| from + bytes[from..].iter().take_while(|&&b| f(b)).count();
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'-' if bytes.get(at + 1) == Some(&b'-') => {
                at = run(at, |b| b != b'\n');
                continue;
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                at = run(at, |b| b.is_ascii_alphanumeric() || b == b'_');
                all.push((Token::Word(text[start..at].to_string()), start..at));
            }
            b if b.is_ascii_digit() => {
                at = run(at, |b| b.is_ascii_digit());
                let mut is_float = false;
                if bytes.get(at) == Some(&b'.') {
                    is_float = true;
                    at = run(at + 1, |b| b.is_ascii_digit());
                }
                if matches!(bytes.get(at), Some(b'e' | b'E')) {
                    let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
                    let end = run(at + 1 + sign, |b| b.is_ascii_digit());
                    if end > at + 1 + sign {
                        is_float = true;
                        at = end;
                    }
                }
                let word = &text[start..at];
                let wrong = |_| Error::new("E-PARSE", &(start..at), format!("`{word}` is too large for an integer"));
                let token = if is_float {
                    let x: f64 = word.parse().expect("digits, a point, an exponent");
                    if x.is_infinite() {
                        let text = format!("`{word}` is too large for a float");
                        return Err(Error::new("E-PARSE", &(start..at), text));
                    }
                    Token::Float(x)
                } else {
                    Token::Int(word.parse().map_err(wrong)?)
                };
                all.push((token, start..at));
            }
            _ => {
                let Some(mark) = MARKS.iter().find(|m| text[at..].starts_with(**m)) else {
                    let c = text[at..].chars().next().unwrap_or('?');
                    return Err(Error::new("E-PARSE", &(at..at + c.len_utf8()), format!("unexpected character `{c}`")));
                };
                at += mark.len();
                all.push((Token::Mark(mark), start..at));
            }
        }
    }
    all.push((Token::End, text.len()..text.len()));
    Ok(all)
}

/// Expressions nest at most this deep.
const DEEPEST: usize = 200;

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
}

/// The nodes of a program.
pub fn parse(text: &str) -> Result<Vec<Node>, Error> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let mut nodes = Vec::new();
    while *parser.peek() != Token::End {
        nodes.push(parser.node()?);
    }
    Ok(nodes)
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1.clone()
    }

    /// From `start` to the last token that was taken.
    fn since(&self, start: usize) -> Span {
        start..self.tokens[self.at.saturating_sub(1)].1.end.max(start)
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    fn fail<T>(&self, expected: &str) -> Result<T, Error> {
        let found = match self.peek() {
            Token::Word(w) => format!("`{w}`"),
            Token::Int(n) => format!("`{n}`"),
            Token::Float(x) => format!("`{x}`"),
            Token::Mark(m) => format!("`{m}`"),
            Token::End => "the end of the file".to_string(),
        };
        Err(Error::new("E-PARSE", &self.span(), format!("expected {expected}, found {found}")))
    }

    fn is(&self, what: &str) -> bool {
        match self.peek() {
            Token::Mark(m) => *m == what,
            Token::Word(w) => w == what && KEYWORDS.contains(&what),
            _ => false,
        }
    }

    fn take(&mut self, what: &str) -> bool {
        let is = self.is(what);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, what: &str) -> Result<(), Error> {
        if self.take(what) { Ok(()) } else { self.fail(&format!("`{what}`")) }
    }

    fn name(&mut self, what: &str) -> Result<Name, Error> {
        match self.peek() {
            Token::Word(w) if !KEYWORDS.contains(&w.as_str()) => {
                let name = Name { text: w.clone(), at: self.span() };
                self.at += 1;
                Ok(name)
            }
            _ => self.fail(what),
        }
    }

    /// Items between commas, up to and with `close`.
    fn list<T>(&mut self, close: &str, item: impl Fn(&mut Self) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let mut items = Vec::new();
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(close) {
                return Ok(items);
            }
            if !self.take(",") {
                return self.fail(&format!("`,` or `{close}`"));
            }
        }
    }

    fn node(&mut self) -> Result<Node, Error> {
        self.expect("node")?;
        let name = self.name("the name of a node")?;
        let of_names = |p: &mut Self| p.name("a name");
        let statics = if self.take("{") { self.list("}", of_names)? } else { vec![] };
        self.expect("(")?;
        let inputs = self.list(")", of_names)?;
        self.expect("->")?;
        self.expect("(")?;
        let outputs = self.list(")", of_names)?;
        self.expect("let")?;
        let mut equations = Vec::new();
        while !self.take("tel") {
            let mut results = vec![self.name("an equation or `tel`")?];
            while self.take(",") {
                results.push(self.name("a variable")?);
            }
            self.expect("=")?;
            let value = self.expr()?;
            self.expect(";")?;
            equations.push(Equation { results, value });
        }
        Ok(Node { name, statics, inputs, outputs, equations })
    }

    fn expr(&mut self) -> Result<Expr, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::new("E-PARSE", &self.span(), format!("expressions nest at most {DEEPEST} deep")));
        }
        let start = self.span().start;
        let e = if self.take("if") {
            let c = self.expr()?;
            self.expect("then")?;
            let a = self.expr()?;
            self.expect("else")?;
            let b = self.expr()?;
            Expr { at: self.since(start), kind: Kind::If(Box::new([c, a, b])) }
        } else {
            let first = self.binary(0)?;
            if self.take("fby") {
                let then = self.expr()?;
                Expr { at: self.since(start), kind: Kind::Fby(Box::new([first, then])) }
            } else {
                first
            }
        };
        self.depth -= 1;
        Ok(e)
    }

    fn binary(&mut self, level: usize) -> Result<Expr, Error> {
        use Pointwise::*;
        const NOT: usize = 2;
        const COMPARISON: usize = 3;
        const LEVELS: &[&[(&str, Pointwise)]] = &[
            &[("or", Or)],
            &[("and", And)],
            &[("not", Not)],
            &[("==", Eq), ("!=", Ne), ("<", Lt), ("<=", Le), (">", Gt), (">=", Ge)],
            &[("+", Add), ("-", Sub)],
            &[("*", Mul), ("/", Div)],
        ];
        let start = self.span().start;
        let Some(marks) = LEVELS.get(level) else { return self.unary() };
        if level == NOT {
            let mut count = 0;
            while self.take("not") {
                count += 1;
            }
            let mut e = self.binary(COMPARISON)?;
            for _ in 0..count {
                e = Expr { at: self.since(start), kind: Kind::Operator(Not, vec![e]) };
            }
            return Ok(e);
        }
        let mut left = self.binary(level + 1)?;
        while let Some(&(_, operator)) = marks.iter().find(|m| self.is(m.0)) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = Expr { at: self.since(start), kind: Kind::Operator(operator, vec![left, right]) };
            if level == COMPARISON {
                break;
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let prefix = ["-", "post"].into_iter().find(|m| self.take(m));
        let Some(prefix) = prefix else { return self.postfix() };
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::new("E-PARSE", &self.span(), format!("expressions nest at most {DEEPEST} deep")));
        }
        let e = self.unary()?;
        self.depth -= 1;
        let kind = if prefix == "-" { Kind::Operator(Pointwise::Neg, vec![e]) } else { Kind::Post(Box::new(e)) };
        Ok(Expr { at: self.since(start), kind })
    }

    fn postfix(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let mut e = self.atom()?;
        loop {
            let kind = if self.take("[") {
                let Token::Int(k) = self.next() else {
                    self.at -= 1;
                    return self.fail("an index that is an integer");
                };
                self.expect("]")?;
                Kind::Index(Box::new(e), k)
            } else if self.take("when") {
                let polarity = !self.take("not");
                let c = self.name("a variable as the condition (name it by an equation first)")?;
                Kind::When(Box::new(e), c, polarity)
            } else {
                return Ok(e);
            };
            e = Expr { at: self.since(start), kind };
        }
    }

    fn atom(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let kind = match self.peek().clone() {
            Token::Int(n) => {
                self.at += 1;
                Kind::Int(n)
            }
            Token::Float(x) => {
                self.at += 1;
                Kind::Float(x)
            }
            _ if self.take("true") => Kind::Bool(true),
            _ if self.take("false") => Kind::Bool(false),
            _ if self.take("(") => {
                let e = self.expr()?;
                self.expect(")")?;
                return Ok(e);
            }
            _ if self.take("[") => Kind::Stack(self.list("]", Self::expr)?),
            _ if self.take("merge") => {
                self.expect("(")?;
                let c = self.name("a variable as the condition (name it by an equation first)")?;
                self.expect(",")?;
                let a = self.expr()?;
                self.expect(",")?;
                let b = self.expr()?;
                self.expect(")")?;
                Kind::Merge(c, Box::new([a, b]))
            }
            _ => {
                let name = self.name("an expression")?;
                let statics = if self.take("{") { Some(self.list("}", Self::static_sum)?) } else { None };
                if statics.is_some() || self.is("(") {
                    self.expect("(")?;
                    let args = self.list(")", Self::expr)?;
                    Kind::Call(name, statics.unwrap_or_default(), args)
                } else {
                    Kind::Variable(name.text)
                }
            }
        };
        Ok(Expr { at: self.since(start), kind })
    }

    /// Products bind more tightly than sums, as in expressions.
    fn static_sum(&mut self) -> Result<Static, Error> {
        let mut left = self.static_product()?;
        loop {
            left = if self.take("+") {
                Static::Sum(Box::new([left, self.static_product()?]))
            } else if self.take("-") {
                Static::Difference(Box::new([left, self.static_product()?]))
            } else {
                return Ok(left);
            };
        }
    }

    fn static_product(&mut self) -> Result<Static, Error> {
        let mut left = self.static_atom()?;
        while self.take("*") {
            left = Static::Product(Box::new([left, self.static_atom()?]));
        }
        Ok(left)
    }

    fn static_atom(&mut self) -> Result<Static, Error> {
        if let Token::Int(n) = *self.peek() {
            self.at += 1;
            return Ok(Static::Int(n));
        }
        if self.take("[") {
            return Ok(Static::List(self.list("]", Self::static_sum)?));
        }
        Ok(Static::Name(self.name("an integer, a static parameter or a shape")?))
    }
}
