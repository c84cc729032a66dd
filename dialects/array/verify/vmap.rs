//! Constraints of `array.vmap`: first those of the op alone, then those that also depend on the called function.

use super::list;
use crate::constraints::{self, Verdict, ensure, ensure_by, violates, violates_by};
use crate::ir::{Dim, Lookup, Type, types_of};
use crate::ops::array::Vmap;
use crate::text::count;

/// Checks (C2): `in_axes` fits the inputs, and the mapped axes fit each other.
pub fn axes(op: Vmap) -> Verdict {
    let inputs = op.inputs();
    let axes = in_axes(op);
    ensure(axes.len() == inputs.len(), "C2", || {
        format!("`in_axes` must have {}, one for each input, found {axes:?}", count(inputs.len(), "entry"))
    })?;
    let mut size: Option<(Dim, Type)> = None;
    for (&x, &axis) in inputs.iter().zip(&axes) {
        let ty = x.ty();
        if axis == -1 {
            continue;
        }
        ensure_by(("x", x), (0..ty.rank() as i64).contains(&axis), "C2", || {
            let rank = ty.rank();
            format!("an entry of `in_axes` must be at least -1 and less than {rank}, the rank of {ty}, found {axis}")
        })?;
        let n = ty.shape()[axis as usize];
        match size {
            Some((m, other)) if m != n => {
                let text =
                    format!("all mapped axes must have the same size, found {other} and {ty} with `in_axes` {axes:?}");
                return violates_by(("x", x), "C2", text);
            }
            _ => size = Some((n, ty)),
        }
    }
    match size {
        Some(_) => Ok(()),
        None => unmapped(&axes),
    }
}

fn unmapped(axes: &[i64]) -> Verdict {
    violates("C2", format!("at least one entry of `in_axes` must name an axis, found {axes:?}"))
}

/// Checks (C1), (C3), (C4): the function fits the inputs, and the results fit the function.
pub fn callee(op: Vmap, lookup: Lookup) -> Verdict {
    let function = constraints::callee(*op, lookup, "apply")?;
    let (name, inputs) = (&function.name, op.inputs());
    if function.inputs.len() != inputs.len() {
        let (expected, found) = (count(function.inputs.len(), "input"), inputs.len());
        return violates("C1", format!("expected {expected}, one for each argument of `@{name}`, found {found}"));
    }
    let mut n = None;
    for (k, (&x, axis)) in inputs.iter().zip(in_axes(op)).enumerate() {
        let (mut ty, expected) = (x.ty(), function.inputs[k]);
        if let Ok(axis) = usize::try_from(axis) {
            let mut sizes = ty.shape();
            n = Some(sizes.remove(axis));
            ty = Type::array(&sizes, ty.scalar());
        }
        ensure_by(("x", x), ty == expected, "C3", || {
            format!("argument #{k} of `@{name}` has type {expected}, but each call passes a value of type {ty}")
        })?;
    }
    let Some(n) = n else { return unmapped(&in_axes(op)) };
    let expected: Vec<Type> = function.results.iter().map(|t| t.stacked(&[n])).collect();
    let found = types_of(&op.results());
    ensure(found == expected, "C4", || {
        format!("the results must have types {}, found {}", list(&expected), list(&found))
    })
}

fn in_axes(op: Vmap) -> Vec<i64> {
    op.in_axes().unwrap_or_else(|| vec![0; op.inputs().len()])
}
