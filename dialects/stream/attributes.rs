//! Checks of the attributes that `attributes.md` lists, beyond their types: the values of `stream.truncate` and
//! `stream.plan`, and the ops that may carry `stream.clock`.

use super::{CLOCK, PLAN, PLANS, TRUNCATE};
use crate::constraints::{Verdict, violates};
use crate::ir::{Attribute, Op};
use crate::ops::{HasKind, Kind};

pub fn verify(op: Op, name: &str, value: Attribute) -> Verdict {
    let text = value.as_string();
    match name {
        TRUNCATE if value.as_i64().is_some_and(|n| n < 1) => {
            violates("A1", format!("the attribute `{name}` must be a positive number of cycles, found {value}"))
        }
        PLAN if !text.as_deref().is_some_and(|t| PLANS.contains(&t)) => {
            violates("A2", format!("the attribute `{name}` must be one of {PLANS:?}, found {value}"))
        }
        CLOCK if op.parent_op().is_none_or(|parent| parent.kind() != Kind::StreamNode) => violates(
            "A3",
            format!("must not have the attribute `{name}`, which belongs on an equation of a 'stream.node'"),
        ),
        _ => Ok(()),
    }
}
