//! The parser of the textual notation of reactive streams (`spec/streams.md` 3).

use mlopt_dialects::primitives::{Notation, Primitive, named};
use mlopt_dialects::text::lexer::{Lexer, Syntax, Token, prefix};
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
    pub kind: ExprKind,
    /// The operands, in the order of the text.
    pub args: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
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

type Parsed<T> = Result<T, Problem>;

/// Parses the nodes of a program.
pub fn parse(text: &str) -> Parsed<Vec<Node>> {
    let mut lexer = Lexer::new(SYNTAX, text);
    let mut nodes = Vec::new();
    while lexer.peek().0 != Token::End {
        nodes.push(node(&mut lexer).map_err(|problem| Problem { code: Some("E-PARSE"), ..problem })?);
    }
    Ok(nodes)
}

fn identifier(lexer: &mut Lexer, what: &str) -> Parsed<Name> {
    let (text, at) = lexer.word(what, |word| !is_number(word))?;
    Ok(Name { text: text.into(), at })
}

fn condition(lexer: &mut Lexer) -> Parsed<Name> {
    identifier(lexer, "a variable, not an expression, as the condition")
}

/// Parses a number.
fn number(lexer: &mut Lexer) -> Parsed<Number> {
    let (word, at) = lexer.word("a number", is_number)?;
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

fn integer(lexer: &mut Lexer, what: &str) -> Parsed<i64> {
    let (word, at) = lexer.word(what, |word| word.bytes().all(|b| b.is_ascii_digit()))?;
    word.parse().map_err(|_| at.error(format!("`{word}` is too large for an integer")))
}

fn node(lexer: &mut Lexer) -> Parsed<Node> {
    lexer.expect("node")?;
    let name = identifier(lexer, "the name of a node")?;
    let of_names = |lexer: &mut Lexer| identifier(lexer, "a name");
    let statics = if lexer.take("{") { lexer.list("}", of_names)? } else { vec![] };
    lexer.expect("(")?;
    let inputs = lexer.list(")", of_names)?;
    lexer.expect("->")?;
    lexer.expect("(")?;
    let outputs = lexer.list(")", of_names)?;
    lexer.expect("let")?;
    let mut equations = Vec::new();
    while !lexer.take("tel") {
        let mut results = vec![identifier(lexer, "an equation or `tel`")?];
        while lexer.take(",") {
            results.push(identifier(lexer, "a variable")?);
        }
        lexer.expect("=")?;
        let value = expr(lexer)?;
        lexer.expect(";")?;
        equations.push(Equation { results, value });
    }
    Ok(Node { name, statics, inputs, outputs, equations })
}

/// Returns an expression that starts at `start` and ends with the last consumed token.
fn since(lexer: &Lexer, start: Span, kind: ExprKind, args: Vec<Expr>) -> Expr {
    Expr { at: lexer.since(start), kind, args }
}

fn expr(lexer: &mut Lexer) -> Parsed<Expr> {
    lexer.nested(DEEPEST, "expressions", |lexer| {
        let start = lexer.span();
        if lexer.take("if") {
            let c = expr(lexer)?;
            lexer.expect("then")?;
            let a = expr(lexer)?;
            lexer.expect("else")?;
            let b = expr(lexer)?;
            return Ok(since(lexer, start, ExprKind::If, vec![c, a, b]));
        }
        let first = binary(lexer, 0)?;
        if !lexer.take("fby") {
            return Ok(first);
        }
        let then = expr(lexer)?;
        Ok(since(lexer, start, ExprKind::Fby, vec![first, then]))
    })
}

/// Parses infix operators of this precedence and higher ones.
fn binary(lexer: &mut Lexer, level: usize) -> Parsed<Expr> {
    const NOT: usize = 2;
    const COMPARISON: usize = 3;
    const LEVELS: &[&[&str]] =
        &[&["or"], &["and"], &["not"], &["==", "!=", "<", "<=", ">", ">="], &["+", "-"], &["*", "/"]];
    let start = lexer.span();
    let Some(marks) = LEVELS.get(level) else { return unary(lexer) };
    if level == NOT {
        let mut count = 0;
        while lexer.take("not") {
            count += 1;
        }
        let e = binary(lexer, COMPARISON)?;
        let not = operator("not", 1);
        return Ok((0..count).fold(e, |e, _| since(lexer, start, ExprKind::Operator(not), vec![e])));
    }
    let mut left = binary(lexer, level + 1)?;
    while let Some(mark) = marks.iter().find(|mark| lexer.take(mark)) {
        let right = binary(lexer, level + 1)?;
        left = since(lexer, start, ExprKind::Operator(operator(mark, 2)), vec![left, right]);
        if level == COMPARISON {
            break;
        }
    }
    Ok(left)
}

fn unary(lexer: &mut Lexer) -> Parsed<Expr> {
    let start = lexer.span();
    let kind = if lexer.take("-") {
        ExprKind::Operator(operator("-", 1))
    } else if lexer.take("post") {
        ExprKind::Post
    } else {
        return postfix(lexer);
    };
    let e = lexer.nested(DEEPEST, "expressions", unary)?;
    Ok(since(lexer, start, kind, vec![e]))
}

fn postfix(lexer: &mut Lexer) -> Parsed<Expr> {
    let start = lexer.span();
    let mut e = atom(lexer)?;
    loop {
        let kind = if lexer.take("[") {
            let k = integer(lexer, "an index that is an integer")?.unsigned_abs();
            lexer.expect("]")?;
            ExprKind::Index(k)
        } else if lexer.take("when") {
            let polarity = !lexer.take("not");
            ExprKind::When(condition(lexer)?, polarity)
        } else {
            return Ok(e);
        };
        e = since(lexer, start, kind, vec![e]);
    }
}

fn atom(lexer: &mut Lexer) -> Parsed<Expr> {
    let start = lexer.span();
    let (kind, args) = match lexer.peek() {
        (Token::Word, word) if is_number(word) => (ExprKind::Number(number(lexer)?), vec![]),
        _ if lexer.take("true") => (ExprKind::Number(Number::Bool(true)), vec![]),
        _ if lexer.take("false") => (ExprKind::Number(Number::Bool(false)), vec![]),
        _ if lexer.take("(") => {
            let e = expr(lexer)?;
            lexer.expect(")")?;
            return Ok(e);
        }
        _ if lexer.take("[") => (ExprKind::Stack, lexer.list("]", expr)?),
        _ if lexer.take("merge") => {
            lexer.expect("(")?;
            let c = condition(lexer)?;
            lexer.expect(",")?;
            let a = expr(lexer)?;
            lexer.expect(",")?;
            let b = expr(lexer)?;
            lexer.expect(")")?;
            (ExprKind::Merge(c), vec![a, b])
        }
        _ => {
            let name = identifier(lexer, "an expression")?;
            let has_statics = lexer.take("{");
            let statics = if has_statics { lexer.list("}", static_sum)? } else { vec![] };
            if has_statics || lexer.is("(") {
                lexer.expect("(")?;
                (ExprKind::Call(name, statics), lexer.list(")", expr)?)
            } else {
                (ExprKind::Variable(name.text), vec![])
            }
        }
    };
    Ok(since(lexer, start, kind, args))
}

/// Parses a sum of static values. Products bind more tightly, as in expressions.
fn static_sum(lexer: &mut Lexer) -> Parsed<Static> {
    let mut left = static_product(lexer)?;
    while let Some(mark) = ["+", "-"].into_iter().find(|mark| lexer.take(mark)) {
        left = Static::Arithmetic(mark, Box::new([left, static_product(lexer)?]));
    }
    Ok(left)
}

fn static_product(lexer: &mut Lexer) -> Parsed<Static> {
    let mut left = static_atom(lexer)?;
    while lexer.take("*") {
        left = Static::Arithmetic("*", Box::new([left, static_atom(lexer)?]));
    }
    Ok(left)
}

fn static_atom(lexer: &mut Lexer) -> Parsed<Static> {
    match lexer.peek() {
        _ if lexer.take("[") => Ok(Static::List(lexer.list("]", static_sum)?)),
        (Token::Word, word) if !is_number(word) => Ok(Static::Name(identifier(lexer, "a name")?)),
        _ => Ok(Static::Int(integer(lexer, "an integer, a static parameter or a shape")?)),
    }
}

/// Returns the primitive of an operator.
fn operator(mark: &str, arity: usize) -> &'static Primitive {
    named(Notation::Streams, mark).find(|p| p.arity == arity).expect("operators are primitives")
}
