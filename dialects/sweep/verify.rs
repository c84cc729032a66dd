//! The numbered constraints of `sweep.td`, in its order.

use super::Kind;
use crate::ir::{Dim, Op, Type, Value};
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
        return violates("C2", format!("`kinds` must have {} entries of 0 to 5, found {codes:?}", op.num_results()));
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
            _ => result == yielded,
        };
        if !fits {
            return violates("C3", format!("result #{k} ({kind:?}) of type {result} does not fit {yielded}"));
        }
        if kind.is_reduction() && (result.is_tensor() || !is_number(result)) {
            return violates("C4", format!("result #{k} ({kind:?}) must be a number, found {result}"));
        }
    }
    if op.attribute("parallel").is_some() && kinds.iter().any(|k| !k.is_reduction()) {
        return violates("C6", format!("a `parallel` nest has reductions only, found {kinds:?}"));
    }
    let mut inits = inits.iter();
    for (k, _) in kinds.iter().enumerate().filter(|(_, kind)| **kind == Kind::Fold) {
        let init = inits.next().expect("counted above").ty();
        if init != op.result(k).ty() {
            return violates("C1", format!("result #{k} (Fold) must have the type of its init, {init}"));
        }
    }
    if op.attribute("contraction").is_some() {
        let maps = kinds.iter().all(|k| *k == Kind::Map) && end.operands().iter().all(|v| !v.ty().is_tensor());
        if !maps {
            return violates("C5", format!("results with `contraction` must be maps of numbers, found {kinds:?}"));
        }
        if !body.ops().into_iter().any(is_sum) {
            return violates("C5", "expected a 'sweep.nest' with a sum in the body");
        }
    }
    Ok(())
}

fn is_sum(op: Op) -> bool {
    let kinds = op.attribute("kinds").and_then(|a| a.as_i64_array());
    op.name() == "sweep.nest" && kinds.is_some_and(|k| k == [Kind::Sum as i64])
}

/// `sweep.scratch`: memory.
pub fn scratch(op: Op) -> Verdict {
    let memory = op.operand(0).ty();
    let float = matches!(memory.element(), Some(Element::F32 | Element::F64));
    if memory.rank() != 1 || !float {
        return violates("C1", format!("`memory` must have one axis of floating-point numbers, found {memory}"));
    }
    let around = op.parent_op().filter(|p| p.name() == "sweep.nest" && p.attribute("contraction").is_some());
    if around.is_none() {
        return violates("C2", "must stand in the body of a 'sweep.nest' with `contraction`");
    }
    Ok(())
}

/// `sweep.add`: value, array, indices; a result where the array is a tensor.
pub fn add(op: Op) -> Verdict {
    let operands = op.operands();
    let (value, array, indices) = (operands[0].ty(), operands[1].ty(), &operands[2..]);
    let fits = (array.is_tensor() || array.is_memref())
        && is_number(array)
        && array.rank() == indices.len()
        && array.scalar() == value;
    if !fits {
        let text = format!("cannot add {value} to {array} at {} indices: they must fit", indices.len());
        return violates("C1", text);
    }
    let results: Vec<Type> = op.results().into_iter().map(Value::ty).collect();
    let expected: &[Type] = if array.is_tensor() { &[array] } else { &[] };
    if results != expected {
        return violates("C2", format!("results must be {expected:?}, found {results:?}"));
    }
    Ok(())
}

/// `sweep.put`: value, array, indices.
pub fn put(op: Op) -> Verdict {
    let operands = op.operands();
    let (value, array, indices) = (operands[0].ty(), operands[1].ty(), &operands[2..]);
    if array.rank() != indices.len() || array.scalar() != value {
        let text = format!("cannot put {value} into {array} at {} indices: they must fit", indices.len());
        return violates("C1", text);
    }
    Ok(())
}

/// `sweep.join`: parts, sizes; the result.
pub fn join(op: Op) -> Verdict {
    let z = op.result(0).ty();
    let shape = z.shape();
    let parts = op.operand_segment(0);
    if parts.is_empty() || shape.is_empty() {
        return violates("C1", "expected at least one part, and a result with at least one axis");
    }
    for part in parts {
        let ty = part.ty();
        let row = ty.shape();
        let row = if row.len() == shape.len() { &row[1..] } else { &row[..] };
        let agree = |(a, b): (&Dim, &Dim)| a.is_none() || b.is_none() || a == b;
        let fits = ty.scalar() == z.scalar() && row.len() + 1 == shape.len() && row.iter().zip(&shape[1..]).all(agree);
        if !fits {
            return violates("C1", format!("a part of type {ty} does not fit into {z}"));
        }
    }
    extents("C2", z, op.operand_segment(1).len())
}

/// `sweep.reshape`: x, sizes; the result.
pub fn reshape(op: Op) -> Verdict {
    let (x, z) = (op.operand(0).ty(), op.result(0).ty());
    if x.scalar() != z.scalar() {
        return violates("C1", format!("element types must be equal, found {} and {}", x.scalar(), z.scalar()));
    }
    extents("C2", z, op.num_operands() - 1)
}

/// `sweep.private`: base, start, stride, copies, sizes; the array.
pub fn private(op: Op) -> Verdict {
    let (base, z) = (op.operand(0).ty(), op.result(0).ty());
    // Layouts are printed behind the element type.
    let contiguous = !z.to_string().contains(", ");
    if base.to_string() != "memref<?xi8>" || !contiguous {
        return violates("C1", format!("expected a `memref<?xi8>` and a contiguous memref, found {base} and {z}"));
    }
    extents("C2", z, op.num_operands() - 4)
}

fn extents(label: &'static str, z: Type, found: usize) -> Verdict {
    let expected = z.shape().iter().filter(|d| d.is_none()).count();
    if found != expected {
        return violates(label, format!("expected {expected} extents for the `?` in {z}, found {found}"));
    }
    Ok(())
}

fn is_number(ty: Type) -> bool {
    !matches!(ty.element(), None | Some(Element::I1))
}
