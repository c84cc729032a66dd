//! The numbered constraints of `sweep.td`, in its order.

use super::Kind;
use crate::ir::{Op, Type, Value};
use crate::value::Element;
use crate::verify::{Verdict, violates};

/// `sweep.nest`: extents, inits; the region takes the indices and the carried values.
pub fn nest(op: Op) -> Verdict {
    let (extents, inits) = (op.operand_segment(0), op.operand_segment(1));
    let body = op.body().expect("the region has one block");
    let index = op.context().index();
    let expected: Vec<Type> = extents.iter().map(|_| index).chain(inits.iter().map(|v| v.ty())).collect();
    let found: Vec<Type> = body.arguments().into_iter().map(Value::ty).collect();
    if found != expected {
        return violates("C1", format!("region arguments must be {expected:?}, found {found:?}"));
    }

    let codes = op.attribute("kinds").and_then(|a| a.as_i64_array()).unwrap_or_default();
    let kinds: Vec<Kind> = codes.iter().filter_map(|&code| Kind::of(code)).collect();
    if kinds.len() != codes.len() || kinds.len() != op.num_results() {
        return violates("C2", format!("`kinds` must have {} entries of 0, 1 or 2, found {codes:?}", op.num_results()));
    }
    let folds = kinds.iter().filter(|k| **k == Kind::Fold).count();
    if folds != inits.len() {
        return violates("C2", format!("expected one init for each of {folds} folds, found {}", inits.len()));
    }

    let Some(end) = body.terminator().filter(|t| t.name() == "sweep.yield") else {
        return violates("C3", "the region must end in 'sweep.yield'");
    };
    if end.num_operands() != kinds.len() {
        return violates("C3", format!("must yield {} values, found {}", kinds.len(), end.num_operands()));
    }
    for (k, kind) in kinds.iter().enumerate() {
        let (result, yielded) = (op.result(k).ty(), end.operand(k).ty());
        let fits = match kind {
            Kind::Map => {
                let shape = result.shape();
                result.is_tensor()
                    && shape.len() == extents.len() + yielded.rank()
                    && shape[extents.len()..] == yielded.shape()
                    && result.scalar() == yielded.scalar()
            }
            Kind::Sum | Kind::Fold => result == yielded,
        };
        if !fits {
            return violates("C3", format!("result #{k} ({kind:?}) of type {result} does not fit {yielded}"));
        }
        if *kind == Kind::Sum && (result.is_tensor() || matches!(result.element(), None | Some(Element::I1))) {
            return violates("C4", format!("a sum must be a number, found {result}"));
        }
    }
    let mut inits = inits.iter();
    for (k, _) in kinds.iter().enumerate().filter(|(_, kind)| **kind == Kind::Fold) {
        let init = inits.next().expect("counted above").ty();
        if init != op.result(k).ty() {
            return violates("C1", format!("result #{k} (Fold) must have the type of its init, {init}"));
        }
    }
    Ok(())
}
