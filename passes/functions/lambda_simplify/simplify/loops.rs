//! Simplification of loops: carried values that never change are removed (L4 of `spec/functional.md` B.9), and loops
//! over known lists are unrolled.

use super::inline::size;
use super::{Simplify, is_effect};
use crate::functions::anf::{Body, Stmt, Var};
use crate::functions::as_loops;
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;
use std::collections::HashMap;

/// The maximum number of statements of an unrolled loop over a list of data. Loops over lists of functions are always
/// unrolled, because the functions are then known.
const MOST_WRITTEN: usize = 256;

impl Simplify<'_> {
    /// Rewrites a map or fold of a known function as a loop in which the function can be inlined. For arrays and a
    /// function that contains only ops on data, it is an `array.build`.
    pub(super) fn as_loop(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        if !as_loops::takes_function(stmt.kind()) {
            return Some(stmt);
        }
        let Some(f) = self.made_by(stmt.operands[0], Kind::LambdaLambda) else { return Some(stmt) };
        let built = if stmt.is(Kind::LambdaMap) { as_loops::build(self.program, &stmt, &f.codes[0]) } else { None };
        let stmts = built.unwrap_or_else(|| {
            let mut stmts = Vec::new();
            as_loops::write(self.program, &stmt, &mut stmts);
            stmts
        });
        self.changed = true;
        self.all(stmts, out);
        None
    }

    /// Unrolls a loop that matches on a list whose cells are all known.
    pub(super) fn rounds_over_known_list(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        if !stmt.is(Kind::LambdaWhile) || stmt.codes[0].body.stmts.iter().any(|s| is_effect(s.kind())) {
            return Some(stmt);
        }
        let known = stmt.operands.iter().filter_map(|v| Some((*v, self.known_length(*v)?)));
        let Some((list, length)) = known.max_by_key(|(_, n)| *n) else { return Some(stmt) };
        let TypeKind::List(element) = TypeKind::of(self.program.ty(list)) else { return Some(stmt) };
        let grows = (length + 1) * (size(&stmt.codes[0]) + size(&stmt.codes[1]));
        let most = if types::transformed(element) == element { MOST_WRITTEN } else { self.budget };
        if grows > most.min(self.budget) {
            return Some(stmt);
        }
        self.keep_callees(&stmt.codes, out);
        let had_changed = self.changed;
        match self.rounds(&stmt, length) {
            Some(Body { stmts, results }) => {
                self.budget = self.budget.saturating_sub(grows);
                self.changed = true;
                out.extend(stmts);
                self.replace_all(&stmt.results, &results);
                None
            }
            None => {
                self.changed = had_changed;
                Some(stmt)
            }
        }
    }

    /// Returns the iterations of a loop that ends after at most `most`; `None` if that is not known.
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

    /// Writes a region of a loop for given values. Returns its results.
    fn round(&mut self, stmt: &Stmt, region: usize, values: &[Var], out: &mut Vec<Stmt>) -> Vec<Var> {
        let code = &stmt.codes[region];
        let mut names: HashMap<Var, Var> = code.params.iter().copied().zip(values.iter().copied()).collect();
        let Body { stmts, mut results } = self.program.copy_body(&code.body, &mut names);
        // Values defined here may be removed: no other statement may be replaced by them.
        self.known.open_block();
        self.all(stmts, out);
        self.known.close_block();
        self.rename(&mut results);
        results
    }

    /// Returns the length of a list all of whose cells are known.
    fn known_length(&self, list: Var) -> Option<usize> {
        let mut made = self.made(list)?;
        let mut length = 0;
        while made.is(Kind::LambdaCons) {
            length += 1;
            made = self.made(made.operands[1])?;
        }
        made.is(Kind::LambdaNil).then_some(length)
    }

    /// Replaces carried values that every iteration passes on unchanged by their inits.
    pub(super) fn invariants(&mut self, stmt: &mut Stmt) {
        let skipped = usize::from(stmt.is(Kind::LambdaFor));
        let body = stmt.body();
        let unchanged = |k: &usize| body.body.results[*k] == body.params[k + skipped];
        let (gone, kept): (Vec<usize>, Vec<usize>) = (0..stmt.results.len()).partition(unchanged);
        if gone.is_empty() || (kept.is_empty() && stmt.is(Kind::LambdaWhile)) {
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
