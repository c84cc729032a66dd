//! The numbered constraints of `array.td`, in its order.

use crate::ir::{Block, Dim, Op, Type, Value};
use crate::verify::{Verdict, violates, violates_by};

/// `array.build`: extents (k dynamic ones), results (k sizes, then those of the yielded element).
pub fn build(op: Op) -> Verdict {
    let types: Vec<Type> = op.results().into_iter().map(Value::ty).collect();
    let Some(first) = types.first() else {
        return violates("C1", "expected at least one result, found none");
    };
    let body = op.body().expect("the region has one block");
    let k = body.num_arguments();
    if k == 0 {
        return violates("C2", "expected one `index` argument per leading dimension of the results, found none");
    }
    if let Some(argument) = body.arguments().into_iter().find(|a| !a.ty().is_index()) {
        return violates("C2", format!("region arguments must have type 'index', found {}", argument.ty()));
    }
    if let Some(ty) = types.iter().find(|t| t.rank() < k) {
        return violates("C2", format!("every result must have at least {k} axes, one per index, found {ty}"));
    }
    let leading = first.shape()[..k].to_vec();
    if let Some(ty) = types.iter().find(|t| t.shape()[..k] != leading) {
        return violates("C3", format!("results must share their {k} leading sizes, found {first} and {ty}"));
    }
    let dynamic = leading.iter().filter(|d| d.is_none()).count();
    if op.num_operands() != dynamic {
        return violates(
            "C4",
            format!(
                "expected {dynamic} extent operands for the `?` in {}, found {}",
                shape(&leading),
                op.num_operands()
            ),
        );
    }
    let elements: Vec<Type> = types.iter().map(|t| Type::array(&t.shape()[k..], t.scalar())).collect();
    yields("C5", body, &elements)?;
    has_no_effects("C6", op)
}

/// `array.ifold`: count, inits; the region takes the index and the carried values.
pub fn ifold(op: Op) -> Verdict {
    let types: Vec<Type> = op.results().into_iter().map(Value::ty).collect();
    if types.is_empty() {
        return violates("C1", "expected at least one carried value, found none");
    }
    let body = op.body().expect("the region has one block");
    let found: Vec<Type> = body.arguments().into_iter().map(Value::ty).collect();
    let expected: Vec<Type> = std::iter::once(op.context().index()).chain(types.iter().copied()).collect();
    if found != expected {
        return violates("C2", format!("region arguments must be {}, found {}", list(&expected), list(&found)));
    }
    yields("C3", body, &types)?;
    has_no_effects("C4", op)
}

/// `array.get`: `x` (n..., s...), one index per axis of n; `z` (s...).
pub fn get(op: Op) -> Verdict {
    let cause = ("x", op.operand(0));
    let x = cause.1.ty();
    let indices = op.num_operands() - 1;
    if indices == 0 || indices > x.rank() {
        return violates_by(cause, "C1", format!("`x` of type {x} takes 1 to {} indices, found {indices}", x.rank()));
    }
    same(cause, "C2", op.result(0).ty(), Type::array(&x.shape()[indices..], x.scalar()))
}

/// `array.length`: `x` (s...), `axis` one of its axes.
pub fn length(op: Op) -> Verdict {
    let cause = ("x", op.operand(0));
    let x = cause.1.ty();
    let axis = op.attribute("axis").and_then(|a| a.as_i64()).unwrap_or(0);
    if axis < 0 || axis as usize >= x.rank() {
        return violates_by(cause, "C1", format!("`axis` must be one of the {} axes of {x}, found {axis}", x.rank()));
    }
    Ok(())
}

/// `array.sum`: `x` (n, s...), `z` (s...).
pub fn sum(op: Op) -> Verdict {
    let cause = ("x", op.operand(0));
    let x = cause.1.ty();
    let shape = x.shape();
    let [_, rest @ ..] = shape.as_slice() else {
        return violates_by(cause, "C1", format!("`x` must have at least one axis, found {x}"));
    };
    if x.scalar().is_integer(1) {
        return violates_by(cause, "C1", format!("`x` must have numeric elements, found {x}"));
    }
    same(cause, "C2", op.result(0).ty(), Type::array(rest, x.scalar()))
}

/// `array.replicate`: `x` (s...), `z` (n, s...).
pub fn replicate(op: Op) -> Verdict {
    let cause = ("x", op.operand(0));
    let (x, z) = (cause.1.ty(), op.result(0).ty());
    let zs = z.shape();
    let fits = zs.len() == x.rank() + 1 && zs[1..] == x.shape() && z.scalar() == x.scalar();
    if !fits {
        return violates_by(cause, "C1", format!("`z` must be {x} with one more, outermost axis, found {z}"));
    }
    match (zs[0], op.num_operands() - 1) {
        (None, 0) => violates_by(
            cause,
            "C2",
            format!("the first axis of {z} is known at run time only: expected `n`, found none"),
        ),
        (Some(n), 1) => violates_by(cause, "C2", format!("the first axis of {z} is {n}: expected no `n`, found one")),
        _ => Ok(()),
    }
}

/// `array.transpose`: `x` (s...), `z` with axis j of size s[permutation[j]].
pub fn transpose(op: Op) -> Verdict {
    let cause = ("x", op.operand(0));
    let x = cause.1.ty();
    let p = op.attribute("permutation").and_then(|a| a.as_i64_array()).unwrap_or_default();
    let mut sorted = p.clone();
    sorted.sort();
    if sorted != (0..x.rank() as i64).collect::<Vec<_>>() {
        return violates_by(
            cause,
            "C1",
            format!("`permutation` must reorder the {} axes of {x}, found {p:?}", x.rank()),
        );
    }
    let sizes = x.shape();
    let expected: Vec<Dim> = p.iter().map(|&j| sizes[j as usize]).collect();
    same(cause, "C2", op.result(0).ty(), Type::tensor(&expected, x.scalar()))
}

/// The result `z` has the type that `x` demands.
fn same(cause: (&'static str, Value), label: &'static str, found: Type, expected: Type) -> Verdict {
    if found == expected {
        return Ok(());
    }
    violates_by(cause, label, format!("`z` must have type {expected}, found {found}"))
}

/// The body ends in `array.yield` of values with the types `expected`.
fn yields(label: &'static str, body: Block, expected: &[Type]) -> Verdict {
    let Some(terminator) = body.terminator().filter(|t| t.name() == "array.yield") else {
        return violates(label, "the region must end in `array.yield`");
    };
    let found: Vec<Type> = terminator.operands().into_iter().map(Value::ty).collect();
    if found != expected {
        return violates(label, format!("the region must yield {}, found {}", list(expected), list(&found)));
    }
    Ok(())
}

/// Calls are allowed: functions of the array language are pure, and are inlined before this could matter.
fn has_no_effects(label: &'static str, op: Op) -> Verdict {
    // Ops of this dialect and of `dual` are pure by definition, and check their own regions.
    let mut pending = op.child_ops();
    while let Some(inner) = pending.pop() {
        if inner.name() == "func.call" {
            continue;
        }
        if !inner.has_no_own_effects() {
            return violates(label, format!("the body must have no side effects, found '{}'", inner.name()));
        }
        if !inner.name().starts_with("array.") && inner.num_regions() > 0 {
            pending.extend(inner.child_ops());
        }
    }
    Ok(())
}

/// `[4, ?]`.
fn shape(sizes: &[Dim]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|d| d.map_or("?".to_string(), |n| n.to_string())).collect();
    format!("[{}]", sizes.join(", "))
}

/// `(f64, index)`.
fn list(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    format!("({})", types.join(", "))
}
