//! Outlining of requests: the region of a request becomes a private function. The values that the region captured
//! become arguments, with respect to which the function is not differentiated.

use crate::analysis::edit;
use crate::analysis::fresh_names::FreshNames;
use mlopt_dialects::dual::Request;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, OpBuilder, Region, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// Marks temporary functions of differentiation, which are removed when no op refers to them.
const TEMPORARY: &str = "dual.temporary";

/// Replaces the region of every request of `module` by a function, innermost first.
pub fn outline(module: Op) {
    let mut symbols = FreshNames::of(module);
    for op in module.nested_ops().into_iter().rev() {
        if let Some(request) = Request::of(op)
            && let Some(body) = request.body
        {
            outline_one(module, &request, body, &mut symbols);
        }
    }
}

fn outline_one(module: Op, request: &Request, body: Block, symbols: &mut FreshNames) {
    let op = request.op;
    let captured = edit::captured(op);
    let inputs = [request.inputs.as_slice(), &captured].concat();
    let arguments: Vec<_> = body.arguments().into_iter().chain(captured.iter().copied()).collect();
    let block = Block::new(&arguments.iter().map(|v| (v.ty(), v.location())).collect::<Vec<_>>());
    let map: HashMap<Value, Value> = arguments.into_iter().zip(block.arguments()).collect();
    for inner in op.child_ops() {
        inner.replace_operands(|v| map.get(&v).copied());
    }
    let mut results = Vec::new();
    for inner in body.ops() {
        if inner.kind() == Kind::DualYield {
            results = inner.operands();
            let end = OpBuilder::new(Kind::FuncReturn, inner.location()).operands(&results);
            block.append(end.build());
        } else {
            block.append(inner.detach());
        }
    }
    let around = std::iter::successors(op.parent_op(), |op| op.parent_op()).find_map(Op::symbol).unwrap_or_default();
    let what = op.name().trim_start_matches("dual.").to_string();
    let callee = private_function(module, symbols.free(&format!("{around}.{what}")), block, &types_of(&results), op);

    let b = Builder::before(op);
    let context = op.context();
    let wrt: Vec<i64> = request.wrt.iter().map(|&k| k as i64).collect();
    let mut new = b.op(op.name()).results(&types_of(&op.results())).region(Region::new());
    new = match request.directions.is_empty() && op.attribute("operandSegmentSizes").is_none() {
        true => new.operands(&inputs),
        false => new.operand_segments(&[&inputs, &request.directions]),
    };
    new = new.attribute("callee", callee).attribute("wrt", context.i64_array_attr(&wrt));
    if let Some(mode) = op.attribute("mode") {
        new = new.attribute("mode", mode);
    }
    let values = b.insert(new.build()).results();
    op.replace_with(values);
}

/// Creates a private function called `name`, a name that `module` does not contain, and returns the name. The function
/// is removed with the last op that refers to it.
pub fn private_function(module: Op, name: String, body: Block, results: &[Type], like: Op) -> Attribute {
    let context = module.context();
    let function = OpBuilder::function(Kind::FuncFunc, &name, body, results, like.location())
        .attribute("sym_visibility", context.string_attr("private"))
        .attribute(TEMPORARY, context.unit_attr());
    module.entry().append(function.build());
    context.symbol_attr(&name)
}

/// Removes the functions of [`private_function`] to which no op refers.
pub fn remove_temporary(module: Op) {
    loop {
        let named: HashSet<String> =
            module.nested_ops().into_iter().flat_map(Op::attributes).filter_map(|(_, a)| a.as_symbol()).collect();
        let is_idle = |op: &Op| op.attribute(TEMPORARY).is_some() && op.symbol().is_some_and(|s| !named.contains(&s));
        let idle: Vec<Op> = module.child_ops().into_iter().filter(is_idle).collect();
        if idle.is_empty() {
            return;
        }
        idle.into_iter().for_each(Op::erase);
    }
}
