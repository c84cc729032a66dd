//! Elimination of dead code: statements, results of conditionals, values that a loop carries but only uses to compute
//! themselves (L5 of `spec/functional.md` B.9), and functions of a group.

use super::is_effect;
use crate::functions::anf::{Body, Program, Stmt, Var, free_of};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::Kind;
use std::collections::HashSet;

/// Removes dead code. Returns whether something was removed.
pub fn remove(program: &Program, body: &mut Body) -> bool {
    let mut dead = Dead { program, used: HashSet::new(), changed: false };
    dead.body(body);
    dead.changed
}

struct Dead<'p> {
    program: &'p Program,
    used: HashSet<Var>,
    changed: bool,
}

impl Dead<'_> {
    fn body(&mut self, body: &mut Body) {
        self.used.extend(&body.results);
        let mut kept = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts).into_iter().rev() {
            if !self.is_needed(&stmt) {
                self.changed = true;
                continue;
            }
            match stmt.kind() {
                Kind::LambdaIf | Kind::LambdaCase => self.conditional(&mut stmt),
                Kind::LambdaFor | Kind::LambdaWhile => self.rounds(&mut stmt),
                Kind::LambdaLetrec => self.group(&mut stmt),
                _ => stmt.codes.iter_mut().for_each(|c| self.body(&mut c.body)),
            }
            self.used.extend(&stmt.operands);
            kept.push(stmt);
        }
        kept.reverse();
        body.stmts = kept;
    }

    /// Checks whether a result is used, or the statement has effects.
    fn is_needed(&self, stmt: &Stmt) -> bool {
        stmt.results.iter().any(|r| self.used.contains(r)) || has_effects(self.program, stmt)
    }

    fn conditional(&mut self, stmt: &mut Stmt) {
        let kept: Vec<usize> = (0..stmt.results.len()).filter(|k| self.used.contains(&stmt.results[*k])).collect();
        if kept.len() < stmt.results.len() && !kept.is_empty() {
            self.changed = true;
            restrict(stmt, &kept);
        }
        stmt.codes.iter_mut().for_each(|c| self.body(&mut c.body));
    }

    /// Removes unused carried values. A carried value is needed if its result is, or if needed code of an iteration
    /// reads it.
    fn rounds(&mut self, stmt: &mut Stmt) {
        let skipped = usize::from(stmt.is(Kind::LambdaFor));
        let n = stmt.results.len();
        let mut needed: Vec<bool> = stmt.results.iter().map(|r| self.used.contains(r)).collect();
        if stmt.is(Kind::LambdaWhile) {
            let read = reads(self.program, &stmt.codes[0].body, &stmt.codes[0].body.results);
            (0..n).for_each(|k| needed[k] |= read.contains(&stmt.codes[0].params[k]));
        }
        let body = stmt.body();
        close(&mut needed, |needed| {
            let roots: Vec<Var> = (0..n).filter(|k| needed[*k]).map(|k| body.body.results[k]).collect();
            let read = reads(self.program, &body.body, &roots);
            body.params[skipped..].iter().map(|p| read.contains(p)).collect()
        });
        let kept: Vec<usize> = (0..n).filter(|k| needed[*k]).collect();
        if kept.len() < n {
            self.changed = true;
            carry(stmt, &kept);
        }
        stmt.codes.iter_mut().for_each(|c| self.body(&mut c.body));
    }

    fn group(&mut self, stmt: &mut Stmt) {
        let members = stmt.members();
        let mut needed: Vec<bool> = stmt.results.iter().map(|r| self.used.contains(r)).collect();
        close(&mut needed, |needed| {
            let codes = members.iter().zip(needed).filter(|(_, n)| **n).flat_map(|(m, _)| &m.codes);
            let read = free_of(codes);
            members.iter().map(|m| read.contains(&m.result())).collect()
        });
        let kept: Vec<usize> = (0..needed.len()).filter(|k| needed[*k]).collect();
        if kept.len() < needed.len() {
            self.changed = true;
            let group = &mut stmt.codes[0].body;
            group.stmts = pick(&group.stmts, &kept);
            group.results = pick(&group.results, &kept);
            stmt.results = pick(&stmt.results, &kept);
        }
        for member in &mut stmt.codes[0].body.stmts {
            member.codes.iter_mut().for_each(|c| self.body(&mut c.body));
        }
    }
}

/// Marks what is needed by what is needed, until a fixpoint. `reads` returns what the marked ones need.
fn close(needed: &mut [bool], reads: impl Fn(&[bool]) -> Vec<bool>) {
    loop {
        let read = reads(needed);
        let more: Vec<usize> = (0..needed.len()).filter(|k| !needed[*k] && read[*k]).collect();
        if more.is_empty() {
            return;
        }
        more.into_iter().for_each(|k| needed[k] = true);
    }
}

fn pick<T: Clone>(all: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().map(|k| all[*k].clone()).collect()
}

/// Restricts a conditional to these results.
pub(super) fn restrict(stmt: &mut Stmt, kept: &[usize]) {
    stmt.results = pick(&stmt.results, kept);
    for code in &mut stmt.codes {
        code.body.results = pick(&code.body.results, kept);
    }
}

/// Restricts a loop to these carried values.
pub(super) fn carry(stmt: &mut Stmt, kept: &[usize]) {
    let skipped = usize::from(stmt.is(Kind::LambdaFor));
    let n = stmt.results.len();
    let carried = |all: &[Var], skipped: usize| [&all[..skipped], &pick(&all[skipped..], kept)].concat();
    stmt.operands = carried(&stmt.operands, skipped);
    for code in &mut stmt.codes {
        let own = code.params.len() - n;
        code.params = carried(&code.params, own);
    }
    let last = stmt.codes.len() - 1;
    let body = &mut stmt.codes[last].body;
    body.results = pick(&body.results, kept);
    stmt.results = pick(&stmt.results, kept);
}

/// Returns the values that statements read to compute `roots`, including those that they define.
fn reads(program: &Program, body: &Body, roots: &[Var]) -> HashSet<Var> {
    let mut used: HashSet<Var> = roots.iter().copied().collect();
    for stmt in body.stmts.iter().rev() {
        if stmt.results.iter().any(|r| used.contains(r)) || has_effects(program, stmt) {
            used.extend(&stmt.operands);
            used.extend(free_of(&stmt.codes));
        }
    }
    used
}

/// Checks whether a statement has an effect, or is a call with a token operand.
fn has_effects(program: &Program, stmt: &Stmt) -> bool {
    // A loop that may not terminate must stay, because the program waits for it.
    if is_effect(stmt.kind()) || stmt.is(Kind::LambdaWhile) {
        return true;
    }
    if stmt.is(Kind::LambdaApply) || stmt.is(Kind::FuncCall) {
        return stmt.operands.iter().any(|v| TypeKind::of(program.ty(*v)) == TypeKind::Token);
    }
    // A function definition has no effects; regions of other ops are executed.
    !stmt.is(Kind::LambdaLambda)
        && !stmt.is(Kind::LambdaLetrec)
        && stmt.codes.iter().flat_map(|c| &c.body.stmts).any(|s| has_effects(program, s))
}
