//! Shardy's dialect `sdy`, which says on which devices the parts of an array lie. Here a program runs on one device, so
//! these ops keep their arrays. Source: Shardy's `ops.td`.

use super::{Import, Parts, Result, types};
use mlopt_dialects::ir::{Builder, Op, Value};

/// Returns the name of an op of `sdy` in its dialect.
fn op_name(op: Op) -> Option<String> {
    op.name().strip_prefix("sdy.").map(str::to_string)
}

/// Checks whether an op ends a computation of `sdy`.
pub fn is_return(op: Op) -> bool {
    op_name(op).as_deref() == Some("return")
}

/// Returns the ops of a module that name groups of devices.
pub fn meshes(module: Op) -> Vec<Op> {
    module.child_ops().into_iter().filter(|op| op_name(*op).as_deref() == Some("mesh")).collect()
}

impl Import {
    /// Converts an op of `sdy`; returns `None` for unknown ones.
    pub(super) fn sharding(&mut self, b: Builder, op: Op) -> Result<Option<Vec<Parts>>> {
        let agree = |x: &[Value], z: &[Value]| {
            x.len() == z.len() && x.iter().zip(z).all(|(x, z)| types::parts(x.ty()) == types::parts(z.ty()))
        };
        Ok(match op_name(op).as_deref() {
            Some("sharding_constraint" | "reshard" | "propagation_barrier") => Some(self.operands(op)),
            Some("sharding_group") => Some(vec![]),
            Some("named_computation" | "manual_computation") => {
                let Some((body, end)) = op.body().and_then(|body| Some((body, body.ops().pop()?))) else {
                    return Ok(None);
                };
                let operands = self.operands(op);
                // The body of a manual computation has the part of each array that lies on one device.
                if !agree(&op.operands(), &body.arguments()) || !agree(&end.operands(), &op.results()) {
                    return Err(op.not_supported("parts of arrays on several devices; a program runs on one device"));
                }
                Some(self.region(b, body, &operands)?)
            }
            _ => None,
        })
    }
}
