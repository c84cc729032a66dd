//! Loops: what they carry around unchanged leaves them (L4 of `spec/functional.md` B.9); those over lists that are written down are
//! their rounds.

use super::inline::size;
use super::{Simplify, is_effect};
use crate::functions::anf::{Body, Stmt, Var};
use crate::functions::as_loops;
use mlopt_dialects::lambda::types::{self, Kind};
use mlopt_dialects::ops::Kind as OpKind;
use std::collections::HashMap;

/// Statements up to which the rounds over a list of data are written out. Those over a list of functions always are: what the functions
/// do is known then.
const MOST_WRITTEN: usize = 256;

impl Simplify<'_> {
    /// A map or fold of a function that is known is a loop in which that can be written out; over arrays, where the function has ops on
    /// data alone, an array that is built.
    pub(super) fn as_loop(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        if !as_loops::is_one(&stmt.op) || stmt.is(OpKind::LambdaConcat.name()) {
            return Some(stmt);
        }
        let Some(f) = self.made_by(stmt.operands[0], OpKind::LambdaLambda.name()) else { return Some(stmt) };
        let built =
            if stmt.is(OpKind::LambdaMap.name()) { as_loops::build(self.program, &stmt, &f.codes[0]) } else { None };
        let stmts = built.unwrap_or_else(|| {
            let mut stmts = Vec::new();
            as_loops::write(self.program, &stmt, &mut stmts);
            stmts
        });
        self.changed = true;
        self.all(stmts, out);
        None
    }

    /// A loop that takes apart a list whose cells are all known becomes its rounds.
    pub(super) fn rounds_over_known_list(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        if !stmt.is(OpKind::LambdaWhile.name()) || stmt.codes[0].body.stmts.iter().any(|s| is_effect(&s.op)) {
            return Some(stmt);
        }
        let known = stmt.operands.iter().filter_map(|v| Some((*v, self.known_length(*v)?)));
        let Some((list, length)) = known.max_by_key(|(_, n)| *n) else { return Some(stmt) };
        let Kind::List(element) = Kind::of(self.program.ty(list)) else { return Some(stmt) };
        let grows = (length + 1) * (size(&stmt.codes[0]) + size(&stmt.codes[1]));
        let most = if types::transformed(element) == element { MOST_WRITTEN } else { self.budget };
        if grows > most.min(self.budget) {
            return Some(stmt);
        }
        let had_changed = self.changed;
        match self.rounds(&stmt, length) {
            Some(Body { stmts, results }) => {
                self.budget = self.budget.saturating_sub(grows);
                self.changed = true;
                out.extend(stmts);
                stmt.results.iter().zip(results).for_each(|(old, new)| self.replace(*old, new));
                None
            }
            None => {
                self.changed = had_changed;
                Some(stmt)
            }
        }
    }

    /// The rounds of a loop that ends after at most so many; `None` if that is not seen.
    fn rounds(&mut self, stmt: &Stmt, most: usize) -> Option<Body> {
        let mut all = Body { stmts: Vec::new(), results: stmt.operands.clone() };
        for _ in 0..=most {
            let condition = self.round(stmt, 0, &all.results, &mut Vec::new());
            if !self.bool(condition[0])? {
                return Some(all);
            }
            all.results = self.round(stmt, 1, &all.results.clone(), &mut all.stmts);
        }
        None
    }

    /// What a region of a loop makes of values.
    fn round(&mut self, stmt: &Stmt, region: usize, values: &[Var], out: &mut Vec<Stmt>) -> Vec<Var> {
        let code = &stmt.codes[region];
        let mut names: HashMap<Var, Var> = code.params.iter().copied().zip(values.iter().copied()).collect();
        let Body { stmts, mut results } = self.program.copy_body(&code.body, &mut names);
        // What is made here may not stay: nothing else may be it.
        self.known.push(HashMap::new());
        self.all(stmts, out);
        self.known.pop();
        self.rename(&mut results);
        results
    }

    /// The number of values of a list all of whose cells are known.
    fn known_length(&self, list: Var) -> Option<usize> {
        let mut made = self.made(list)?;
        let mut length = 0;
        while made.is(OpKind::LambdaCons.name()) {
            length += 1;
            made = self.made(made.operands[1])?;
        }
        made.is(OpKind::LambdaNil.name()).then_some(length)
    }

    /// A carried value that every round hands on as it is, is what the loop started with.
    pub(super) fn invariants(&mut self, stmt: &mut Stmt) {
        let skipped = usize::from(stmt.is(OpKind::LambdaFor.name()));
        let body = stmt.codes.last().expect("a body");
        let unchanged = |k: &usize| body.body.results[*k] == body.params[k + skipped];
        let (gone, kept): (Vec<usize>, Vec<usize>) = (0..stmt.results.len()).partition(unchanged);
        if gone.is_empty() || (kept.is_empty() && stmt.is(OpKind::LambdaWhile.name())) {
            return;
        }
        for k in gone {
            let init = stmt.operands[k + skipped];
            self.replace(stmt.results[k], init);
            for code in &stmt.codes {
                let own = if code.params.len() == stmt.results.len() + skipped { skipped } else { 0 };
                self.replace(code.params[k + own], init);
            }
        }
        super::dead::carry(stmt, &kept);
    }
}
