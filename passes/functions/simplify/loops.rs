//! Loops: what they carry around unchanged leaves them (L4 of `spec/functional.md` B.9).

use super::super::anf::Stmt;
use super::Simplify;

impl Simplify<'_> {
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
