//! What a program says, with names resolved: each variable is a number, so that shadowing is over.

use super::Problem;
use mlopt_passes::optimise::notation::{Number, Position};
use std::collections::HashSet;

/// A position in [`Program::variables`].
pub type Var = usize;
/// A position in [`Program::functions`].
pub type FunctionId = usize;

#[derive(Debug, Default)]
pub struct Program {
    pub definitions: Vec<Definition>,
    pub variables: Vec<Variable>,
    /// The definitions, then each `lam`.
    pub functions: Vec<Function>,
    /// Which definition uses which.
    pub uses: Vec<(FunctionId, FunctionId)>,
    /// The definitions that some definition uses.
    pub used: HashSet<FunctionId>,
}

#[derive(Debug)]
pub struct Definition {
    pub name: String,
    /// What MLIR calls it.
    pub symbol: String,
    pub at: Position,
    /// With types as MLIR writes them; `None` for those that calls decide.
    pub parameters: Vec<(Var, Option<String>)>,
    pub body: Expr,
}

#[derive(Debug)]
pub struct Variable {
    pub name: String,
    pub at: Position,
    /// The function that it is another name of.
    pub function: Option<FunctionId>,
    /// How many arguments it takes, if it is known to be a function.
    pub arity: Option<usize>,
}

#[derive(Debug)]
pub struct Function {
    pub arity: usize,
    /// Whether a call has effects, so that it takes a token and gives one.
    pub effects: bool,
}

#[derive(Debug)]
pub struct Expr {
    pub at: Position,
    pub kind: Kind,
    /// Whether evaluating it has effects (`effects.rs`).
    pub effects: bool,
}

#[derive(Debug)]
pub enum Kind {
    Literal(Number),
    Variable(Var),
    /// A definition of the file, by its position there, which is its function too.
    Definition(FunctionId),
    Lambda(Lambda),
    Call(Box<Expr>, Vec<Expr>),
    /// Sequential: each sees those before it.
    Let(Vec<(Var, Expr)>, Box<Expr>),
    Letrec(Vec<(Var, Lambda)>, Box<Expr>),
    If(Box<[Expr; 3]>),
    Loop(Box<Loop>),
    Do(Vec<Expr>),
    Op(Op, Vec<Expr>),
}

#[derive(Debug)]
pub struct Lambda {
    pub at: Position,
    pub id: FunctionId,
    pub parameters: Vec<Var>,
    pub body: Box<Expr>,
}

#[derive(Debug)]
pub struct Loop {
    pub head: Head,
    /// The variables with their first values, which are evaluated outside.
    pub carried: Vec<(Var, Expr)>,
    pub next: Vec<Expr>,
    pub result: Expr,
}

#[derive(Debug)]
pub enum Head {
    /// The condition.
    While(Expr),
    /// The number of the run, and how many there are.
    For(Var, Expr),
}

/// What is done with operands; the comments say which, if they are not as the notation has them.
#[derive(Clone, Debug)]
pub enum Op {
    /// `lambda.prim` of this name.
    Prim(&'static str),
    /// The op of the dialect with this name.
    Plain(&'static str),
    /// The same; the first operand is a function of the others' elements, or of two arguments for folds.
    HigherOrder(&'static str),
    Unit,
    List,
    /// The type of the list, if it is said.
    Nil(Option<String>),
    Get(i64),
    /// Name and fields.
    Record(String, Vec<String>),
    Field(String),
    /// The record, then a value for each of these fields.
    With(Vec<String>),
    Aget,
    Aset,
    The(String),
    Grad {
        wrt: usize,
        arity: usize,
        value: bool,
    },
    /// An op with the first operand, a function of one argument, as its region.
    WithMap(&'static str),
    Channel {
        /// The type of what it carries; `None` for arrays.
        carries: Option<String>,
        dest: Option<String>,
        buffer: Option<i64>,
    },
    Send,
    Recv,
    Close,
    /// The function, then its arguments; the device.
    Spawn(String),
    Join,
    Print,
    Read,
}

impl Op {
    pub fn has_effects(&self) -> bool {
        use Op::*;
        matches!(self, Channel { .. } | Send | Recv | Close | Spawn(_) | Join | Print | Read)
    }
}

impl Expr {
    pub fn new(at: Position, kind: Kind) -> Expr {
        Expr { at, kind, effects: false }
    }

    /// The function of the program that this is, if one can see it.
    pub fn function(&self, variables: &[Variable]) -> Option<FunctionId> {
        match &self.kind {
            Kind::Variable(v) => variables[*v].function,
            Kind::Definition(f) => Some(*f),
            Kind::Lambda(l) => Some(l.id),
            Kind::Let(_, body) | Kind::Letrec(_, body) => body.function(variables),
            Kind::Do(all) => all.last().and_then(|e| e.function(variables)),
            _ => None,
        }
    }

    /// How many arguments it takes, if one can see that it is a function.
    pub fn arity(&self, program: &Program) -> Option<usize> {
        match &self.kind {
            Kind::Variable(v) => program.variables[*v].arity,
            Kind::Definition(f) => Some(program.functions[*f].arity),
            Kind::Lambda(l) => Some(l.parameters.len()),
            Kind::Let(_, body) | Kind::Letrec(_, body) => body.arity(program),
            Kind::Do(all) => all.last().and_then(|e| e.arity(program)),
            Kind::Op(Op::Grad { arity, .. }, _) => Some(*arity),
            _ => None,
        }
    }
}

/// Something that is wrong, with a code of `spec/functional.md` A.6.
pub fn wrong(at: Position, code: &'static str, text: impl Into<String>) -> Problem {
    Problem { at, code: Some(code), text: text.into() }
}

/// Something that is wrong with what is written.
pub fn error(at: Position, text: impl Into<String>) -> Problem {
    Problem { at, code: None, text: text.into() }
}
