//! Checks of the attributes that `attributes.md` lists: `lambda.entry` requires `lambda.name`.

use crate::constraints::{Verdict, violates};
use crate::ir::Op;

/// An attribute of an LLVM function that is called from outside: its type and its name in the program.
pub const ENTRY: &str = "lambda.entry";
pub const NAME: &str = "lambda.name";

pub fn verify(op: Op, name: &str) -> Verdict {
    match name {
        ENTRY if op.attribute(NAME).is_none() => {
            violates("A1", format!("the attribute `{ENTRY}` requires `{NAME}`, the name of the function"))
        }
        _ => Ok(()),
    }
}
