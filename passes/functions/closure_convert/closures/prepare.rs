//! Preparation for closure conversion: maps and folds of functions become loops, and a value that costs nothing to
//! create is created again at each use.

use crate::functions::anf::{Body, Code, Program, Stmt, Var, free};
use crate::functions::as_loops;
use crate::functions::holds_functions;
use mlopt_dialects::ops::Kind;
use std::collections::HashMap;

/// Prepares the body of a function of the module.
pub fn prepare(program: &mut Program, body: &mut Body) {
    loops(program, body);
    let mut constants = HashMap::new();
    collect(body, &mut constants);
    Prepare { program, constants }.body(body);
}

/// Rewrites maps, folds and similar ops whose functions are called for each element.
fn loops(program: &mut Program, body: &mut Body) {
    let mut out = Vec::with_capacity(body.stmts.len());
    for mut stmt in std::mem::take(&mut body.stmts) {
        stmt.codes.iter_mut().for_each(|c| loops(program, &mut c.body));
        if as_loops::is_one(stmt.kind()) && !stmt.is(Kind::LambdaConcat) {
            as_loops::write(program, &stmt, &mut out);
        } else {
            out.push(stmt);
        }
    }
    body.stmts = out;
}

/// Checks whether a statement computes the same value at any position, at no cost.
fn is_constant(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind(),
        Kind::ArithConstant
            | Kind::DualZero
            | Kind::DualOne
            | Kind::LambdaUnit
            | Kind::LambdaNil
            | Kind::LambdaEnvEmpty
            | Kind::LambdaRef
            | Kind::LambdaToken
    ) && stmt.operands.is_empty()
}

fn collect(body: &Body, constants: &mut HashMap<Var, Stmt>) {
    for stmt in &body.stmts {
        if is_constant(stmt) && !stmt.is(Kind::LambdaToken) {
            constants.insert(stmt.result(), stmt.clone());
        }
        stmt.codes.iter().for_each(|c| collect(&c.body, constants));
    }
}

struct Prepare<'p> {
    program: &'p mut Program,
    constants: HashMap<Var, Stmt>,
}

impl Prepare<'_> {
    /// Copies constants: a nested function creates its constants itself. Values that contain functions are created for
    /// each use, because a use determines the functions that they contain: an empty list of functions that is used
    /// twice may have two representations.
    fn body(&mut self, body: &mut Body) {
        let mut out = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            self.again(&mut stmt.operands, &mut out);
            let is_function = stmt.is(Kind::LambdaLambda);
            for code in &mut stmt.codes {
                if is_function {
                    self.own_constants(code);
                }
                self.body(&mut code.body);
            }
            out.push(stmt);
        }
        self.again(&mut body.results, &mut out);
        body.stmts = out;
    }

    /// Copies the definition of each of these values that is a constant and may contain functions.
    fn again(&mut self, values: &mut [Var], out: &mut Vec<Stmt>) {
        for value in values {
            if holds_functions(self.program.ty(*value))
                && let Some(made) = self.constants.get(value)
            {
                let copy = self.program.copy_stmt(&made.clone(), &mut HashMap::new());
                *value = copy.result();
                out.push(copy);
            }
        }
    }

    fn own_constants(&mut self, code: &mut Code) {
        let mut names = HashMap::new();
        let mut stmts = Vec::new();
        for var in free(code) {
            if let Some(made) = self.constants.get(&var)
                && !holds_functions(self.program.ty(var))
            {
                let copy = self.program.copy_stmt(&made.clone(), &mut HashMap::new());
                names.insert(var, copy.result());
                self.constants.insert(copy.result(), copy.clone());
                stmts.push(copy);
            }
        }
        rename(&mut code.body, &names);
        code.body.stmts.splice(0..0, stmts);
    }
}

/// Renames values.
pub fn rename(body: &mut Body, names: &HashMap<Var, Var>) {
    if names.is_empty() {
        return;
    }
    let change = |values: &mut Vec<Var>| values.iter_mut().for_each(|v| *v = *names.get(v).unwrap_or(v));
    for stmt in &mut body.stmts {
        change(&mut stmt.operands);
        stmt.codes.iter_mut().for_each(|c| rename(&mut c.body, names));
    }
    change(&mut body.results);
}
