//! Conversion of function values to data, and of their calls to direct calls (`spec/functional.md` D).
//!
//! [`prepare`] first reduces the ops that involve functions to calls and definitions. [`lift`] makes every
//! `lambda.lambda` a function of the module, which takes its captures before its own parameters. A call of a known
//! function becomes a direct call, and a function that is used as a value becomes the op [`CLOSURE`]. [`flow`]
//! determines the functions that can be values of each type, and the keys that can occur in each environment.
//! [`represent`] chooses a data type for each of these, and [`rewrite`] writes the program with the data types.
//! [`tail`] replaces functions that call each other in tail position by loops.

pub mod flow;
pub mod lift;
pub mod prepare;
pub mod represent;
pub mod rewrite;
mod sparse;
mod sums;
pub mod tail;

use crate::functions::anf::{Program, Stmt, Var};
use mlopt_dialects::ir::{Attribute, Context};
use mlopt_dialects::lambda::types::Kind;
use mlopt_dialects::ops::OpName;
use std::collections::{BTreeSet, HashSet};

/// The statement that replaces a function that is used as a value: its operands are the captures, its attribute
/// `callee` the function.
const CLOSURE: &str = "closure";

fn closure() -> OpName {
    OpName::Other(CLOSURE.into())
}

fn is_closure(stmt: &Stmt) -> bool {
    matches!(&stmt.op, OpName::Other(name) if &**name == CLOSURE)
}

/// A generator of unused symbols.
pub struct Names {
    used: HashSet<String>,
}

impl Names {
    pub fn new(used: impl IntoIterator<Item = String>) -> Names {
        Names { used: used.into_iter().collect() }
    }

    /// Returns `wanted`, or `wanted.1`, `wanted.2`…
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

/// Returns the function that a statement names.
pub fn callee(stmt: &Stmt) -> Option<String> {
    stmt.attribute("callee").and_then(Attribute::as_symbol)
}

/// Returns the arguments of a lifted function: first a token, if any, then the captures, then the other arguments.
pub fn given(program: &Program, captures: &[Var], arguments: &[Var]) -> Vec<Var> {
    let is_token = |v: &Var| Kind::of(program.ty(*v)) == Kind::Token;
    let tokens = usize::from(arguments.first().is_some_and(is_token));
    [&arguments[..tokens], captures, &arguments[tokens..]].concat()
}

/// Returns the attributes of a new private function.
pub fn private(context: Context, symbol: &str) -> Vec<(String, Attribute)> {
    vec![
        ("sym_name".to_string(), context.string_attr(symbol)),
        ("function_type".to_string(), context.type_attr(context.function_type(&[], &[]))),
        ("sym_visibility".to_string(), context.string_attr("private")),
    ]
}

/// Returns strongly connected components, by Tarjan's algorithm; a component comes after those that it leads to.
pub fn components(next: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    struct Search<'n> {
        next: &'n [BTreeSet<usize>],
        /// The visit time of each node.
        times: Vec<Option<usize>>,
        time: usize,
        open: Vec<usize>,
        is_open: Vec<bool>,
        groups: Vec<Vec<usize>>,
    }
    impl Search<'_> {
        fn visit(&mut self, node: usize) -> usize {
            let time = self.time;
            self.time += 1;
            self.times[node] = Some(time);
            self.open.push(node);
            self.is_open[node] = true;
            let mut low = time;
            for other in &self.next[node] {
                match self.times[*other] {
                    None => low = low.min(self.visit(*other)),
                    Some(met) if self.is_open[*other] => low = low.min(met),
                    Some(_) => {}
                }
            }
            if low == time {
                let at = self.open.iter().rposition(|n| *n == node).expect("it is open");
                let group = self.open.split_off(at);
                group.iter().for_each(|n| self.is_open[*n] = false);
                self.groups.push(group);
            }
            low
        }
    }
    let n = next.len();
    let mut search =
        Search { next, times: vec![None; n], time: 0, open: Vec::new(), is_open: vec![false; n], groups: Vec::new() };
    (0..n).for_each(|node| {
        if search.times[node].is_none() {
            search.visit(node);
        }
    });
    search.groups
}
