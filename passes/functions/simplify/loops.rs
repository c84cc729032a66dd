//! Loops: what they carry around unchanged leaves them (L4 of `spec/functional.md` B.9).

use super::super::anf::Stmt;
use super::super::as_loops;
use super::Simplify;

impl Simplify<'_> {
    /// A map or fold of a function that is known is a loop in which that can be written out; over arrays, where the function has ops on
    /// data alone, an array that is built.
    pub(super) fn as_loop(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        if !as_loops::is_one(&stmt.op) || stmt.is("lambda.concat") {
            return Some(stmt);
        }
        let Some(f) = self.made_by(stmt.operands[0], "lambda.lambda") else { return Some(stmt) };
        let built = if stmt.is("lambda.map") { as_loops::build(self.program, &stmt, &f.codes[0]) } else { None };
        let stmts = built.unwrap_or_else(|| {
            let mut stmts = Vec::new();
            as_loops::write(self.program, &stmt, &mut stmts);
            stmts
        });
        self.changed = true;
        self.all(stmts, out);
        None
    }

    /// A carried value that every round hands on as it is, is what the loop started with.
    pub(super) fn invariants(&mut self, stmt: &mut Stmt) {
        let skipped = usize::from(stmt.is("lambda.for"));
        let body = stmt.codes.last().expect("a body");
        let unchanged = |k: &usize| body.body.results[*k] == body.params[k + skipped];
        let (gone, kept): (Vec<usize>, Vec<usize>) = (0..stmt.results.len()).partition(unchanged);
        if gone.is_empty() || (kept.is_empty() && stmt.is("lambda.while")) {
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
