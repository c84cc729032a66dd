//! Conversion of function values to data, and of their calls to direct calls (`spec/functional.md` D).
//!
//! [`prepare`] first reduces the ops that involve functions to calls and definitions. [`lift`] makes every
//! `lambda.lambda` a function of the module, whose first parameters are the captures. A call of a known function
//! becomes a direct call, and a function that is used as a value becomes the op [`CLOSURE`]. [`flow`] determines the
//! functions that can be values of each type, and the keys that can occur in each `!lambda.env`, the record of the
//! cotangents of captured variables. [`represent`] chooses data types for functions and environments, and [`rewrite`]
//! writes the program with them. [`tail`] replaces functions that call each other in tail position by loops.

pub mod flow;
pub mod lift;
pub mod prepare;
pub mod represent;
pub mod rewrite;
mod sparse;
mod sums;
pub mod tail;

use crate::analysis;
use crate::functions::anf::{Code, Function, Program, Stmt, Var};
use mlopt_dialects::ir::{Context, Location};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::{Kind, OpName};
use std::collections::BTreeSet;

/// The statement that replaces a function that is used as a value: its operands are the captures, its attribute
/// `callee` the function.
const CLOSURE: &str = "closure";

fn closure() -> OpName {
    OpName::Other(CLOSURE.into())
}

fn is_closure(stmt: &Stmt) -> bool {
    matches!(&stmt.op, OpName::Other(name) if &**name == CLOSURE)
}

/// Returns the arguments of a lifted function: first a token, if any, then the captures, then the other arguments.
pub fn given(program: &Program, captures: &[Var], arguments: &[Var]) -> Vec<Var> {
    let is_token = |v: &Var| TypeKind::of(program.ty(*v)) == TypeKind::Token;
    let tokens = usize::from(arguments.first().is_some_and(is_token));
    [&arguments[..tokens], captures, &arguments[tokens..]].concat()
}

/// Returns a new private function.
pub fn private(context: Context, symbol: String, code: Code, location: Location) -> Function {
    let attributes = vec![
        ("sym_name".to_string(), context.string_attr(&symbol)),
        ("function_type".to_string(), context.type_attr(context.function_type(&[], &[]))),
        ("sym_visibility".to_string(), context.string_attr("private")),
    ];
    Function { symbol, attributes, code, location }
}

/// Returns the call of a function of the module, or the task that runs one, with its captures before the arguments of
/// `stmt`, a call of a function value.
fn call_of(program: &Program, stmt: &Stmt, symbol: &str, captures: &[Var], results: Vec<Var>) -> Stmt {
    let position = lift::target(stmt).expect("a call");
    let arguments = [&stmt.operands[..position], &stmt.operands[position + 1..]].concat();
    let op = if stmt.is(Kind::LambdaApply) { Kind::FuncCall.into() } else { stmt.op.clone() };
    let operands = given(program, captures, &arguments);
    let call = Stmt { attributes: stmt.attributes.clone(), ..Stmt::new(op, results, operands, vec![], stmt.location) };
    call.with("callee", program.context.symbol_attr(symbol))
}

/// Appends a value of a variant of a `lambda.data`.
fn make(
    program: &mut Program,
    out: &mut Vec<Stmt>,
    (data, alternative): (&str, &str),
    fields: &[Var],
    at: Location,
) -> Var {
    let (ty, name) = (types::data(program.context, data), program.context.string_attr(alternative));
    program.push_with(out, Kind::LambdaMake, fields, &[("alternative", name)], ty, at)
}

/// Returns a match on the variants of a value, in the order of `arms`.
fn case(
    context: Context,
    data: Var,
    results: Vec<Var>,
    arms: impl IntoIterator<Item = (String, Code)>,
    at: Location,
) -> Stmt {
    let (names, codes): (Vec<String>, Vec<Code>) = arms.into_iter().unzip();
    Stmt::new(Kind::LambdaCase, results, vec![data], codes, at).with("alternatives", context.strings_attr(names))
}

/// Returns the arms of a match on an optional value; without a value, the result is `none`.
fn optional(none: Var, some: Code) -> [(String, Code); 2] {
    [("none".to_string(), Code::yields(vec![], vec![], vec![none])), ("some".to_string(), some)]
}

/// Returns strongly connected components; a component comes after those that it leads to. The order within a component
/// is unspecified.
pub fn components(next: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    // The newest edge is followed first, so this visits successors in ascending order.
    let edges = next.iter().enumerate().flat_map(|(from, all)| all.iter().rev().map(move |to| (from, *to)));
    analysis::components::components(0..next.len(), edges)
}
