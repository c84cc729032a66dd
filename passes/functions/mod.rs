//! Passes on functions as values, the dialect `lambda`: type inference, simplification, the transform J, closure
//! conversion, and the conversion to programs over arrays. `anf` is the form in which these passes hold programs. This
//! module may use `analysis`, and `ad` for the table of derivatives. It must not depend on `optimise` or `streams`:
//! functional code is optimised in `optimise/functional`, and reactive nodes contain no function values.

pub mod anf;
pub mod as_loops;
pub mod closure_convert;
pub mod infer_structure;
pub mod j_transform;
pub mod lambda_simplify;
pub mod lambda_specialise;
pub mod lambda_to_array;
pub mod pullback_reduce;
pub mod random;
pub mod statements;
pub mod verify_first_order;

use crate::analysis::edit::with_nested;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Block, Location, Op, OpBuilder, Region, Symbols, Type, Value};
use mlopt_dialects::lambda::types::{TypeKind, is_closed};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// Checks whether a function takes or returns functionals.
fn has_functionals(f: &Op) -> bool {
    let is_one = |ty| holds(ty, &|part| matches!(TypeKind::of(part), TypeKind::Dual(_)));
    f.function_type().is_some_and(|(inputs, results)| inputs.into_iter().chain(results).any(is_one))
}

/// Returns the functions of a module that contain `lambda` ops or types, and have one block.
pub fn of_module(module: Op) -> Vec<Op> {
    // So are functions that are used as values, regardless of their contents.
    let names = |op: &Op| matches!(op.kind(), Kind::LambdaRef | Kind::LambdaJacobian);
    let named = module.nested_ops().into_iter().filter(names);
    let values: HashSet<String> = named.filter_map(Op::callee).collect();
    let is_ours = |f: &Op| {
        f.kind() == Kind::FuncFunc
            && f.body().is_some()
            && f.region(0).blocks().len() == 1
            && (f.nested_ops().iter().any(|op| op.kind().dialect() == "lambda")
                || has_functionals(f)
                || f.symbol().is_some_and(|s| values.contains(&s)))
    };
    module.child_ops().into_iter().filter(is_ours).collect()
}

/// Returns the arguments of the blocks in the regions of an op.
pub fn arguments_of(op: Op) -> Vec<Value> {
    op.regions().into_iter().flat_map(|r| r.blocks()).flat_map(|b| b.arguments()).collect()
}

/// Creates a function of a module, detached.
pub fn function(name: &str, inputs: &[Type], results: &[Type], body: Block, at: Location) -> Op {
    let context = at.context();
    OpBuilder::new(Kind::FuncFunc, at.unnamed())
        .attribute("sym_name", context.string_attr(name))
        .attribute("function_type", context.type_attr(context.function_type(inputs, results)))
        .region(Region::with_block(body))
        .build()
}

/// Checks that the types of all values in `ops` are known, for the pass of this name.
///
/// # Errors
/// The first value of an open type.
pub fn check_types(ops: &[Op], pass: &str) -> Result<(), Reported> {
    for op in ops.iter().flat_map(|op| with_nested(*op)) {
        let mut values = arguments_of(op).into_iter().chain(op.results());
        if let Some(value) = values.find(|v| !is_closed(v.ty())) {
            let text = format!("the types of values must be known; run `lambda-specialise` before `{pass}`");
            let name = value.name().map_or("this value".to_string(), |name| format!("%{name}"));
            return Err(op.error(text).note_value(&name, value).emit());
        }
    }
    Ok(())
}

/// Checks whether a function cannot be called from outside the module.
pub fn is_private(op: Op) -> bool {
    op.attribute("sym_visibility").and_then(Attribute::as_string).as_deref() == Some("private")
}

/// Checks whether a statement requests the derivative of its first operand, or its image under J.
pub fn is_request(kind: Kind) -> bool {
    matches!(kind, Kind::LambdaGrad | Kind::LambdaVjp | Kind::LambdaHvp | Kind::LambdaJvp | Kind::LambdaJ)
}

/// Checks whether values of this type may contain functions, or the environments that are their tangents.
pub fn holds_functions(ty: Type) -> bool {
    holds(ty, &|part| matches!(TypeKind::of(part), TypeKind::Function(..) | TypeKind::Env))
}

/// Checks whether a type, or a part of it, is of some kind. The parts of a function are its inputs and its result.
pub fn holds(ty: Type, is_one: &dyn Fn(Type) -> bool) -> bool {
    is_one(ty) || !ty.is_tensor() && ty.parts().into_iter().any(|part| holds(part, is_one))
}

/// Checks whether a function takes or returns functions.
pub fn signature_holds_functions(op: Op) -> bool {
    let types = op.function_type().map(|(inputs, results)| [inputs, results].concat());
    types.into_iter().flatten().any(holds_functions)
}

/// Returns the position of the part of a tuple or record to which an op refers. `None` for a field of a record whose
/// type is open.
pub fn position(op: Op) -> Option<usize> {
    position_in(op.operand(0).ty(), |name| op.attribute(name))
}

/// As [`position`], in a tuple or record of type `ty`; `attribute` returns an attribute of the op.
pub fn position_in(ty: Type, attribute: impl Fn(&str) -> Option<Attribute>) -> Option<usize> {
    match TypeKind::of(ty) {
        TypeKind::Record(_, fields) => {
            let field = attribute("field").and_then(Attribute::as_string)?;
            fields.iter().position(|f| f.0 == field)
        }
        _ => usize::try_from(attribute("index").and_then(Attribute::as_i64)?).ok(),
    }
}

/// Removes uncalled functions that take functions: nothing is known about their arguments.
pub fn remove_unused(module: Op) {
    let symbols = Symbols::of(module);
    let mut open: Vec<Op> = module.child_ops();
    open.retain(|op| !(op.kind() == Kind::FuncFunc && is_private(*op)));
    let mut seen: HashSet<String> = open.iter().filter_map(|op| op.symbol()).collect();
    while let Some(op) = open.pop() {
        let inside = op.nested_ops();
        for attribute in inside.iter().chain([&op]).flat_map(|o| o.attributes()) {
            if let Some(name) = attribute.1.as_symbol()
                && let Some(named) = symbols.get(&name)
                && seen.insert(name)
            {
                open.push(named);
            }
        }
    }
    for op in module.child_ops() {
        let is_unused = op.symbol().is_some_and(|name| !seen.contains(&name));
        if op.kind() == Kind::FuncFunc && is_unused && signature_holds_functions(op) {
            op.erase();
        }
    }
}

/// Removes each `lambda.data` to which no type refers, except in removed ones.
pub fn remove_unused_data(module: Op) {
    use Kind::*;
    let children = module.child_ops();
    let data: HashMap<String, Op> =
        children.iter().filter(|op| op.kind() == LambdaData).filter_map(|op| Some((op.symbol()?, *op))).collect();
    if data.is_empty() {
        return;
    }
    let mut open: Vec<Type> = Vec::new();
    for op in children.iter().filter(|op| op.kind() != LambdaData).flat_map(|op| with_nested(*op)) {
        open.extend(op.results().into_iter().map(|v| v.ty()));
        open.extend(arguments_of(op).into_iter().map(|v| v.ty()));
        open.extend(op.attributes().into_iter().filter_map(|(_, a)| a.as_type()));
    }
    let (mut seen, mut named): (HashSet<Type>, HashSet<String>) = (HashSet::new(), HashSet::new());
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        open.extend(ty.parts());
        if let Some((inputs, results)) = ty.signature() {
            open.extend([inputs, results].concat());
        }
        if let TypeKind::Data(name) = TypeKind::of(ty)
            && let Some(op) = data.get(&name)
            && named.insert(name)
        {
            let fields = op.attribute("fields").and_then(Attribute::as_array).unwrap_or_default();
            let lists = fields.into_iter().flat_map(|list| list.as_array().unwrap_or_default());
            open.extend(lists.filter_map(Attribute::as_type));
        }
    }
    data.into_iter().filter(|(name, _)| !named.contains(name)).for_each(|(_, op)| op.erase());
}
