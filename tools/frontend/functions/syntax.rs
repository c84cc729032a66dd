//! The syntax tree of a program after name resolution: each variable is a number, so no name hides another one.

use super::types::Type;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::text::Span;
use mlopt_dialects::text::terms::Number;
use std::collections::HashSet;

/// An index into [`Program::variables`].
pub type Var = usize;
/// An index into [`Program::functions`].
pub type FunctionId = usize;

#[derive(Debug, Default)]
pub struct Program {
    pub definitions: Vec<Definition>,
    pub variables: Vec<Variable>,
    /// The functions of the definitions, then of each `lam`.
    pub functions: Vec<Function>,
    /// Pairs of definitions in which the first uses the second.
    pub uses: Vec<(FunctionId, FunctionId)>,
    /// The definitions that some definition uses.
    pub used: HashSet<FunctionId>,
    /// The files from which parts of the text come.
    pub files: Vec<String>,
}

#[derive(Debug)]
pub struct Definition {
    pub name: String,
    /// The name of the function in MLIR.
    pub symbol: String,
    pub at: Span,
    /// The parameters with their types; `None` for types that depend on calls.
    pub parameters: Vec<(Var, Option<Type>)>,
    pub body: Expr,
}

#[derive(Debug)]
pub struct Variable {
    pub name: String,
    pub at: Span,
    /// The function that the variable is an alias of.
    pub function: Option<FunctionId>,
    /// The arity, if the variable is known to be a function.
    pub arity: Option<usize>,
}

#[derive(Debug)]
pub struct Function {
    pub arity: usize,
    /// True if a call has effects, so that the function takes and returns a token.
    pub effects: bool,
}

#[derive(Debug)]
pub struct Expr {
    pub at: Span,
    pub kind: ExprKind,
    /// True if its evaluation has effects (`effects.rs`).
    pub effects: bool,
}

#[derive(Debug)]
pub enum ExprKind {
    Literal(Number),
    Variable(Var),
    /// A definition of the file, by its index, which is also that of its function.
    Definition(FunctionId),
    Lambda(Lambda),
    Call(Box<Expr>, Vec<Expr>),
    /// Sequential bindings: each is in the scope of those before it.
    Let(Vec<(Var, Expr)>, Box<Expr>),
    Letrec(Vec<(Var, Lambda)>, Box<Expr>),
    If(Box<[Expr; 3]>),
    Loop(Box<Loop>),
    /// Expressions that are evaluated only for their effects, then the value.
    Do(Vec<Expr>, Box<Expr>),
    Op(Op, Vec<Expr>),
}

#[derive(Debug)]
pub struct Lambda {
    pub at: Span,
    pub id: FunctionId,
    pub parameters: Vec<Var>,
    pub body: Box<Expr>,
}

#[derive(Debug)]
pub struct Loop {
    /// The variable of the iteration's number in a `for`; `None` in a `while`.
    pub index: Option<Var>,
    /// The number of iterations of a `for`, or the condition of a `while`.
    pub control: Expr,
    /// The variables with their initial values, which are evaluated outside of the loop.
    pub carried: Vec<(Var, Expr)>,
    pub next: Vec<Expr>,
    pub result: Expr,
}

/// An operation on operands. The comments describe the operands where they differ from those of the notation.
#[derive(Clone, Debug)]
pub enum Op {
    /// The op `lambda.prim` of this name.
    Prim(&'static str),
    /// An op without attributes.
    Plain(Kind),
    /// An op whose first operand is a function of the elements of the others, or of two arguments for folds.
    HigherOrder(Kind),
    Unit,
    List,
    /// The type of the list, if given.
    Nil(Option<Type>),
    Get(i64),
    /// The name and the fields.
    Record(String, Vec<String>),
    Field(String),
    /// Operands: the record, then a value for each of these fields.
    With(Vec<String>),
    Aget,
    Aset,
    The(Type),
    /// The code of the error, and its message. Operands: the condition, and the value if it holds.
    Check(String, String),
    /// An array of constants.
    Dense(Type, Vec<Number>),
    Grad {
        wrt: Vec<usize>,
        arity: usize,
        value: bool,
    },
    /// An op whose region is its first operand, a function of one argument.
    WithMap(Kind),
    Channel {
        /// The element type of the channel; `None` for arrays.
        carries: Option<Type>,
        dest: Option<String>,
        buffer: Option<i64>,
    },
    /// An op that takes the token, and returns a value and the next token.
    Receive(Kind),
    /// An op that takes the token and returns only the next one.
    Action(Kind),
    /// The device. Operands: the function, then its arguments.
    Spawn(String),
    Join,
}

impl Op {
    pub fn has_effects(&self) -> bool {
        use Op::*;
        matches!(self, Channel { .. } | Receive(_) | Action(_) | Spawn(_) | Join)
    }
}

impl Expr {
    pub fn new(at: Span, kind: ExprKind) -> Expr {
        Expr { at, kind, effects: false }
    }

    /// Returns the expression inside of bindings and sequences whose value is that of this one.
    fn value(&self) -> &Expr {
        match &self.kind {
            ExprKind::Let(_, body) | ExprKind::Letrec(_, body) | ExprKind::Do(_, body) => body.value(),
            _ => self,
        }
    }

    /// Returns the function that the expression denotes, if it is known statically.
    pub fn function(&self, variables: &[Variable]) -> Option<FunctionId> {
        match &self.value().kind {
            ExprKind::Variable(v) => variables[*v].function,
            ExprKind::Definition(f) => Some(*f),
            ExprKind::Lambda(l) => Some(l.id),
            _ => None,
        }
    }

    /// Checks whether the expression is known to be a function with effects.
    pub fn is_effectful(&self, program: &Program) -> bool {
        self.function(&program.variables).is_some_and(|id| program.functions[id].effects)
    }

    /// Returns the arity of the expression, if it is known to be a function.
    pub fn arity(&self, program: &Program) -> Option<usize> {
        match &self.value().kind {
            ExprKind::Variable(v) => program.variables[*v].arity,
            ExprKind::Definition(f) => Some(program.functions[*f].arity),
            ExprKind::Lambda(l) => Some(l.parameters.len()),
            ExprKind::Op(Op::Grad { arity, .. }, _) => Some(*arity),
            _ => None,
        }
    }
}
