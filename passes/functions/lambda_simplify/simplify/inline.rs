//! Inlining of calls of known functions, and selection of branches whose condition is known.

use super::Simplify;
use crate::functions::anf::{Code, Stmt, Var, free_of};
use mlopt_dialects::ir::Attribute;
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;
use std::collections::{HashMap, HashSet};

impl Simplify<'_> {
    /// Replaces a call of a known function by its body; returns any other statement.
    pub(super) fn inlined(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        if !stmt.is(Kind::LambdaApply) {
            return Some(stmt);
        }
        let callee = stmt.operands[0];
        if let Some(function) = self.postponed.remove(&callee) {
            self.write_out(&function.codes[0], &stmt.operands[1..], &stmt.results, out);
            return None;
        }
        let Some(made) = self.made(callee).cloned() else { return Some(stmt) };
        match made.kind() {
            Kind::LambdaLambda => {
                let is_once = self.uses.get(&callee) == Some(&1);
                self.inlined_call(stmt, &made.codes[0], is_once, out)
            }
            Kind::LambdaRef => match self.others.get(&made.callee().unwrap_or_default()) {
                Some(code) => self.inlined_call(stmt, code, false, out),
                None => Some(stmt),
            },
            Kind::LambdaSwitch => {
                // Each function is called in the branch in which it was selected.
                let choices = [made.operands[1], made.operands[2]];
                let mut codes = Vec::new();
                for f in choices {
                    let y = self.program.like(stmt.result(), self.program.ty(stmt.result()));
                    let operands = [&[f], &stmt.operands[1..]].concat();
                    let call = Stmt { results: vec![y], operands, ..stmt.clone() };
                    codes.push(Code::yields(vec![], vec![call], vec![y]));
                }
                self.changed = true;
                let op = Stmt { op: Kind::LambdaIf.into(), operands: vec![made.operands[0]], codes, ..stmt };
                self.stmt(op, out);
                None
            }
            _ => Some(stmt),
        }
    }

    /// Writes the postponed functions that copied code calls, so that each copy finds them.
    pub(super) fn keep_callees(&mut self, codes: &[Code], out: &mut Vec<Stmt>) {
        for callee in free_of(codes) {
            let callee = self.name(callee);
            if let Some(function) = self.postponed.remove(&callee) {
                self.called_once.remove(&callee);
                self.stmt(function, out);
            }
        }
    }

    /// Replaces a call of a function by its body, if it is the only one, or the function is small or takes or returns
    /// functions. Returns any other call.
    fn inlined_call(&mut self, stmt: Stmt, code: &Code, is_once: bool, out: &mut Vec<Stmt>) -> Option<Stmt> {
        let size = size(code);
        if !(is_once || size <= self.limits.small || is_higher(self, code)) || size > self.budget {
            return Some(stmt);
        }
        self.budget -= size;
        self.write_out(code, &stmt.operands[1..], &stmt.results, out);
        None
    }

    /// Writes the body of a function for these arguments.
    fn write_out(&mut self, code: &Code, arguments: &[Var], results: &[Var], out: &mut Vec<Stmt>) {
        self.changed = true;
        let mut names: HashMap<Var, Var> = code.params.iter().copied().zip(arguments.iter().copied()).collect();
        let body = self.program.copy_body(&code.body, &mut names);
        names.retain(|old, _| !code.params.contains(old));
        let copied_once = names.iter().filter(|(old, _)| self.called_once.contains(old)).map(|(_, new)| *new);
        let copied_once: Vec<Var> = copied_once.collect();
        self.called_once.extend(copied_once);
        self.all(body.stmts, out);
        self.replace_all(results, &body.results);
    }

    /// Replaces a conditional on a known condition by the branch, and a match on a known variant by its arm.
    pub(super) fn chosen_branch(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        if stmt.is(Kind::LambdaCase)
            && let Some(made) = self.made_by(stmt.operands[0], Kind::LambdaMake)
            && let Some(names) = stmt.attribute("alternatives").and_then(Attribute::as_array)
            && let Some(arm) = names.into_iter().position(|name| Some(name) == made.attribute("alternative"))
        {
            self.write_out(&stmt.codes[arm], &made.operands, &stmt.results, out);
            return None;
        }
        if !stmt.is(Kind::LambdaIf) {
            return Some(stmt);
        }
        let Some(condition) = self.bool(stmt.operands[0]) else { return Some(stmt) };
        let Stmt { mut codes, results, .. } = stmt;
        let code = codes.remove(usize::from(!condition));
        self.all(code.body.stmts, out);
        self.replace_all(&results, &code.body.results);
        None
    }

    /// Replaces results that are equal in both branches by the value from before; functions from before become a
    /// select.
    pub(super) fn equal_branches(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        let inside: HashSet<Var> =
            stmt.codes.iter().flat_map(|c| &c.body.stmts).flat_map(|s| s.results.clone()).collect();
        let mut kept = Vec::new();
        for (k, result) in stmt.results.iter().enumerate() {
            let [a, b] = [0, 1].map(|j| stmt.codes[j].body.results[k]);
            let ty = self.program.ty(*result);
            // Values that are defined in branches differ: they have different numbers.
            if a == b {
                self.replace(*result, a);
            } else if matches!(TypeKind::of(ty), TypeKind::Function(..)) && !inside.contains(&a) && !inside.contains(&b)
            {
                self.changed = true;
                let (op, operands) = (Kind::LambdaSwitch.into(), vec![stmt.operands[0], a, b]);
                let choice = Stmt { op, results: vec![*result], operands, codes: vec![], ..stmt.clone() };
                self.keep(choice, out);
            } else {
                kept.push(k);
            }
        }
        if kept.len() < stmt.results.len() {
            super::dead::restrict(stmt, &kept);
        }
    }

    pub(super) fn bool(&self, var: Var) -> Option<bool> {
        let value = self.made_by(var, Kind::ArithConstant)?.attribute("value")?;
        (self.program.ty(var).is_integer(1)).then(|| value.as_i64()).flatten().map(|n| n != 0)
    }
}

/// Returns the number of statements in a function, including nested ones.
pub(super) fn size(code: &Code) -> usize {
    code.body.stmts.iter().map(|s| 1 + s.codes.iter().map(size).sum::<usize>()).sum()
}

/// Checks whether a function takes or returns functions: at a call, more is known about these.
fn is_higher(s: &Simplify, code: &Code) -> bool {
    code.params.iter().chain(&code.body.results).any(|v| {
        let ty = s.program.ty(*v);
        types::transformed(ty) != ty && !matches!(TypeKind::of(ty), TypeKind::List(_))
    })
}
