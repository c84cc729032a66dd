//! Reports ops that are not in the normal form that `bulk-operations` produces (`bulk_operations/normal.rs`).
//!
//! Requires: nothing. Preserves: the program.

use crate::arrays::bulk_operations::normal;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::Kind;

pub const PASS: Pass = Pass {
    name: "verify-bulk",
    description: "Report every array.build, and every array.get that an elementwise read could replace",
    anchor: Kind::FuncFunc.name(),
    options: &[],
    dialects: &[],
    run: |function, _| run(function),
};

fn run(function: Op) -> Result<(), Reported> {
    let mut verdict = Ok(());
    for op in function.nested_ops() {
        if let Some(text) = normal::violation(op) {
            verdict = Err(op.error(text).emit());
        }
    }
    verdict
}
