//! Constraints of loops and branches, of tuples and tokens, and of calls.

use super::{agrees, has_elements, has_rank, is_function, list};
use crate::constraints::{Verdict, ensure, violates};
use crate::ir::{Lookup, Type, Value, types_of};
use crate::ops::stablehlo::{
    AfterAll, Case, CollectiveOp, Composite, GetTupleElement, If, OptimizationBarrier, Return, Tuple, While,
};
use crate::ops::{HasKind, Kind};

/// Checks that two lists of types agree.
fn same_types(label: &'static str, what: &str, found: &[Type], expected: &[Type]) -> Verdict {
    let fits = found.len() == expected.len() && found.iter().zip(expected).all(|(&x, &y)| agrees(x, y));
    ensure(fits, label, || format!("{what} must have types {}, found {}", list(expected), list(found)))
}

pub fn while_loop(op: While) -> Verdict {
    let state = types_of(&op.operand());
    same_types("C1", "the results", &types_of(&op.results()), &state)?;
    let boolean = Type::tensor(&[], op.op().context().signless(1));
    is_function("C2", "cond", op.cond(), &state, &[boolean])?;
    is_function("C3", "body", op.body(), &state, &state)
}

/// Checks that the regions compute values of the types of the results.
fn has_branches(op: crate::ir::Op) -> Verdict {
    let results = types_of(&op.results());
    for region in op.regions() {
        let Some(block) = region.first_block() else { return violates("C2", "expected a block in each region") };
        is_function("C2", "branch", block, &[], &results)?;
    }
    Ok(())
}

pub fn branch(op: If) -> Verdict {
    has_rank("C1", ("pred", op.pred()), 0)?;
    has_elements("C1", ("pred", op.pred()), super::BOOLEANS)?;
    has_branches(op.op())
}

pub fn case(op: Case) -> Verdict {
    let i32 = op.index().ty().context().signless(32);
    super::is_array("C1", ("index", op.index()), &[], i32)?;
    ensure(op.op().num_regions() > 0, "C2", || "expected at least one region, found none")?;
    has_branches(op.op())
}

/// Checks that a region of an op ends here.
pub fn end(op: Return) -> Verdict {
    let parent = op.op().parent_op();
    let is_function = parent.is_some_and(|parent| parent.kind() == Kind::FuncFunc);
    ensure(!is_function, "C1", || "a function must end in `func.return`, found `stablehlo.return`")
}

pub fn tuple(op: Tuple) -> Verdict {
    let (elements, z) = (types_of(&op.val()), op.result().ty());
    ensure(z.name() == "builtin.tuple", "C1", || format!("`result` must be a tuple, found {z}"))?;
    same_types("C1", "the elements of `result`", &z.parts(), &elements)
}

pub fn get_tuple_element(op: GetTupleElement) -> Verdict {
    let tuple = op.operand().ty();
    ensure(tuple.name() == "builtin.tuple", "C1", || format!("`operand` must be a tuple, found {tuple}"))?;
    let elements = tuple.parts();
    let index = super::axis("C2", "index", i64::from(op.index()), elements.len())?;
    same_types("C3", "`result`", &[op.result().ty()], &[elements[index]])
}

pub fn optimization_barrier(op: OptimizationBarrier) -> Verdict {
    same_types("C1", "the results", &types_of(&op.result()), &types_of(&op.operand()))
}

pub fn token(label: &'static str, (name, value): (&'static str, Value)) -> Verdict {
    let ty = value.ty();
    ensure(ty.name() == "stablehlo.token", label, || format!("`{name}` must be a token, found {ty}"))
}

pub fn after_all(op: AfterAll) -> Verdict {
    op.inputs().into_iter().try_for_each(|input| token("C1", ("inputs", input)))?;
    token("C1", ("result", op.result()))
}

/// Checks that there is a result for each array, with elements of the same type.
pub fn collective(op: CollectiveOp) -> Verdict {
    let (inputs, results) = (op.inputs(), op.results());
    super::has_length("C1", "results", results.len(), inputs.len())?;
    for (&x, &z) in inputs.iter().zip(&results) {
        let (x, ty) = (x.ty(), z.ty());
        let fits = x.scalar() == ty.scalar() && x.rank() == ty.rank();
        ensure(fits, "C1", || format!("`results` must have rank and elements of {x}, found {ty}"))?;
    }
    let Some(block) = op.op().regions().first().and_then(|region| region.first_block()) else { return Ok(()) };
    let Some(first) = results.first() else { return violates("C1", "expected at least one array, found none") };
    let element = super::scalar(first.ty());
    is_function("C2", "computation", block, &[element; 2], &[element])
}

/// Checks that a number of a device has type `ui32`.
pub fn number_of_device(result: Value) -> Verdict {
    let ty = result.ty();
    let fits = ty.rank() == 0 && ty.scalar().integer() == Some((32, true));
    ensure(fits, "C1", || format!("`result` must have type tensor<ui32>, found {ty}"))
}

/// Checks that the function that an op names has the types of its operands and results.
pub fn composite(op: Composite, lookup: Lookup) -> Verdict {
    let name = op.decomposition().0;
    let Some((inputs, results)) = lookup(&name).and_then(|function| function.function_type()) else {
        return violates("C1", format!("there is no function `@{name}` in this module"));
    };
    same_types("C2", "the operands", &types_of(&op.inputs()), &inputs)?;
    same_types("C2", "the results", &types_of(&op.results()), &results)
}
