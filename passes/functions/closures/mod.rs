//! From functions as values to data and direct calls (`spec/functional.md` D).
//!
//! [`prepare`] leaves calls and functions that are made as the only things that have to do with functions. [`lift`] makes every lambda a
//! function of the module, which takes what it captured before its own arguments; a call of a function that is known is a direct one from
//! then on, and where a function is used as a value stands [`CLOSURE`]. [`flow`] finds which functions reach which types, and which keys
//! which environments. [`represent`] chooses a type for each, and [`rewrite`] writes the program with them. [`tail`] makes loops of functions that
//! call each other last.

pub mod flow;
pub mod lift;
pub mod prepare;
pub mod represent;
pub mod rewrite;
mod sums;
pub mod tail;

use super::anf::{Program, Stmt, Var};
use mlopt_dialects::ir::{Attribute, Type};
use mlopt_dialects::lambda::types::Kind;
use std::collections::HashSet;

/// The statement that a function becomes where it is a value: its operands are what it captures, its attribute `callee` the function.
pub const CLOSURE: &str = "closure";

/// Whether values of this type may hold functions, or the environments that are their tangents.
pub fn holds_functions(ty: Type) -> bool {
    match Kind::of(ty) {
        Kind::Function(..) | Kind::Env => true,
        _ if ty.is_tensor() => false,
        _ => ty.parts().into_iter().any(holds_functions),
    }
}

/// Names of symbols that nobody has yet.
pub struct Names {
    used: HashSet<String>,
}

impl Names {
    pub fn new(used: impl IntoIterator<Item = String>) -> Names {
        Names { used: used.into_iter().collect() }
    }

    /// `wanted`, or `wanted.1`, `wanted.2`…
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        let mut k = 0;
        while !self.used.insert(name.clone()) {
            k += 1;
            name = format!("{wanted}.{k}");
        }
        name
    }
}

/// The function that a statement names.
pub fn callee(stmt: &Stmt) -> Option<String> {
    stmt.attribute("callee").and_then(Attribute::as_symbol)
}

/// What a function is given: a token that it takes comes first, then what it captured, then its other arguments.
pub fn given(program: &Program, captures: &[Var], arguments: &[Var]) -> Vec<Var> {
    let is_token = |v: &Var| Kind::of(program.ty(*v)) == Kind::Token;
    let tokens = usize::from(arguments.first().is_some_and(is_token));
    [&arguments[..tokens], captures, &arguments[tokens..]].concat()
}
