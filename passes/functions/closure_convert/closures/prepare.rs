//! Preparation for closure conversion: maps and folds of functions become loops, and a value that costs nothing to
//! create is created again at each use.

use crate::functions::anf::{Body, Code, Program, Stmt, Var, free};
use crate::functions::as_loops;
use crate::functions::holds_functions;
use mlopt_dialects::ops::Kind;
use std::collections::HashMap;

/// Prepares the body of a function of the module.
pub fn prepare(program: &mut Program, body: &mut Body) {
    as_loops::expand(program, body, as_loops::takes_function);
    let mut constants = HashMap::new();
    body.visit(&mut |stmt| {
        if is_constant(stmt) {
            constants.insert(stmt.result(), stmt.clone());
        }
    });
    Prepare { program, constants }.body(body);
}

/// Checks whether a statement computes the same value at any position, at no cost.
fn is_constant(stmt: &Stmt) -> bool {
    use Kind::*;
    matches!(stmt.kind(), ArithConstant | DualZero | DualOne | LambdaUnit | LambdaNil | LambdaEnvEmpty | LambdaRef)
        && stmt.operands.is_empty()
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
        code.body.rename(&names);
        code.body.stmts.splice(0..0, stmts);
    }
}
