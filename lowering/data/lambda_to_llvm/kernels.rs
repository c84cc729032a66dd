//! Array computations inside functions of data. Each becomes a function of arrays, which the passes on arrays optimise
//! and lower; the function of data calls its `.packed` form (`docs/abi.md`).

use super::emit::Emitter;
use super::layout::Leaf;
use super::{KERNEL, all_leaves, llvm_number};
use crate::abi::libm::llvm_function;
use crate::ir::*;
use crate::llvm::heap::{call, element, llvm_compare};
use mlopt_dialects::array::MOST_VALUES;
use mlopt_dialects::ops::func::Call;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Outlines the array computations of `caller` to functions, and makes public copies of functions of arrays that it
/// calls.
pub fn outline(caller: Op, symbols: &mut Symbols, taken: &BTreeSet<String>, all: &BTreeMap<String, Op>) -> Result<()> {
    sums_of_arrays(caller);
    let name = name_of(caller);
    let mut count = 0;
    for block in all_blocks(caller) {
        let mut group: Vec<Op> = Vec::new();
        for op in block.ops() {
            // Constants may occur in between.
            if computes_with_arrays(op) {
                group.push(op);
            } else if op.kind() != Kind::ArithConstant && !group.is_empty() {
                make(&std::mem::take(&mut group), &format!("{name}.arrays.{count}"), caller);
                count += 1;
            }
        }
    }
    for op in nested_of(caller, Kind::FuncCall) {
        let callee = op.cast::<Call>().callee().0;
        let is_array_function = |op: &&Op| is_private(**op) && !taken.contains(&callee);
        let Some(old) = all.get(&callee).filter(is_array_function) else { continue };
        let public = format!("{callee}.arrays");
        if !symbols.contains(&public) {
            let copy = old.clone_op();
            let ctx = copy.context();
            copy.set_attribute("sym_name", ctx.string_attr(&public));
            copy.remove_attribute("sym_visibility");
            copy.set_attribute(KERNEL, ctx.unit_attr());
            Builder::before(*old).insert(copy);
            symbols.add(copy);
        }
        op.set_attribute("callee", op.context().symbol_attr(&public));
    }
    Ok(())
}

/// Replaces zeros and sums of cotangents that are arrays by ops on arrays.
fn sums_of_arrays(function: Op) {
    let is_one = |op: &Op| matches!(op.kind(), Kind::LambdaZerosLike | Kind::LambdaGadd);
    let is_of_arrays = |op: &Op| op.result(0).ty().is_tensor() && op.operand(0).ty() == op.result(0).ty();
    for op in function.nested_ops().into_iter().filter(is_one).filter(is_of_arrays) {
        let ty = op.result(0).ty();
        let new = match op.kind() {
            Kind::LambdaGadd => Builder::before(op).unary(Kind::ArithAddf, &op.operands(), ty),
            _ => Builder::before(op).zero_like(op.operand(0)),
        };
        op.replace_with([new]);
    }
}

/// Returns the blocks whose ops are executed one by one: not those that belong to an op on arrays.
fn all_blocks(function: Op) -> Vec<Block> {
    let inner =
        |block: &Block| block.ops().into_iter().filter(|op| !computes_with_arrays(*op)).flat_map(Op::blocks).collect();
    reached(function.blocks(), inner)
}

fn computes_with_arrays(op: Op) -> bool {
    let tensors = op.operands().into_iter().chain(op.results()).any(|v| v.ty().is_tensor());
    match op.name().split('.').next().unwrap_or_default() {
        "array" => true,
        "arith" | "math" | "tensor" | "dual" => tensors,
        _ => false,
    }
}

/// Creates the function of a group of ops, and replaces them by its call.
fn make(group: &[Op], name: &str, function: Op) {
    let (ctx, loc) = (function.context(), group[0].location());
    let inside: HashSet<Op> = group.iter().copied().flat_map(with_nested).collect();
    let made_here = |v: Value| match v.defining_op() {
        Some((op, _)) => inside.contains(&op),
        None => v.block().and_then(Block::parent_op).is_some_and(|op| inside.contains(&op)),
    };
    let mut inputs: Vec<Value> = Vec::new();
    let mut constants: Vec<Op> = Vec::new();
    for op in group.iter().copied().flat_map(with_nested) {
        for v in op.operands().into_iter().filter(|v| !made_here(*v)) {
            match v.defining_op() {
                Some((op, _)) if op.kind() == Kind::ArithConstant => {
                    constants.extend((!constants.contains(&op)).then_some(op));
                }
                _ if !inputs.contains(&v) => inputs.push(v),
                _ => {}
            }
        }
    }
    let used_outside = |v: &Value| v.uses().iter().any(|(user, _)| !inside.contains(user));
    let results: Vec<Value> = group.iter().flat_map(|op| op.results()).filter(used_outside).collect();
    let block = block_of(types_of(&inputs), loc);
    let mut new: HashMap<Value, Value> = inputs.iter().copied().zip(block.arguments()).collect();
    let b = Builder::at_end(block, loc);
    for op in constants.iter().chain(group) {
        b.copy(*op, &mut new);
    }
    let returned: Vec<Value> = results.iter().map(|v| new[v]).collect();
    b.make(Kind::FuncReturn, &returned, &[], &[]);
    let made = OpBuilder::function(Kind::FuncFunc, name, block, &types_of(&results), loc);
    let made = made.attribute(KERNEL, ctx.unit_attr()).build();
    Builder::before(function).insert(made);
    let b = after(group[group.len() - 1]).at(loc);
    let call = b.make(Kind::FuncCall, &inputs, &types_of(&results), &[("callee", ctx.symbol_attr(name))]);
    replace_all(results, call.results());
    group.iter().rev().for_each(|op| op.erase());
}

/// Declares the called forms of functions of arrays, which `loops-to-llvm` defines later.
pub fn declare(module: Op) {
    let (ctx, body) = (module.context(), module.entry());
    let mut declared = BTreeSet::new();
    for name in nested_of(module, Kind::LlvmCall).into_iter().filter_map(Op::callee) {
        if !name.ends_with(".packed") || !declared.insert(name.clone()) {
            continue;
        }
        let result = if name.ends_with(".sizes.packed") { "void" } else { "i64" };
        let ty = ctx.attribute(&format!("!llvm.func<{result} (ptr, ptr)>"));
        prepend(body, llvm_function(module.location(), &name, ty, "external", Region::new()).build());
    }
}

/// Emits a call of a function of arrays.
pub(super) fn call_of_arrays(emit: &mut Emitter, op: Op, name: &str) -> Result<()> {
    let results = op.results();
    let given: Vec<(Value, Type)> = op.operands().into_iter().map(|v| (emit.part(v), v.ty())).collect();
    let values = call_with(emit, op, name, &given, &types_of(&results))?;
    results.into_iter().zip(values).for_each(|(z, v)| emit.set(z, vec![v]));
    Ok(())
}

/// Emits a call of a function of arrays with these values: the sizes are computed first, then the results are written
/// to new arrays.
pub(super) fn call_with(
    emit: &mut Emitter,
    op: Op,
    name: &str,
    given: &[(Value, Type)],
    types: &[Type],
) -> Result<Vec<Value>> {
    let word = emit.ctx.int(64);
    let gives = all_leaves(types, op)?;
    let dynamic = |types: &[Type]| types.iter().map(|t| t.dynamic_dims()).sum::<usize>();
    let inputs: Vec<Type> = given.iter().map(|(_, ty)| *ty).collect();
    let answers = 2 + dynamic(types);
    let (pointers, sizes) = (given.len() + gives.len() + 1, dynamic(&inputs) + dynamic(types) + 1);
    // Pointers, sizes, the answer, and the numbers that are arguments or results.
    let stack = emit.stack(pointers + sizes + answers + given.len() + gives.len(), op);
    let b = emit.b(op);
    let at = |k: usize| element(b, stack, k);
    let (sizes_at, answer_at) = (pointers, pointers + sizes);
    let numbers_at = answer_at + answers;
    let mut size = sizes_at;
    for (k, (v, ty)) in given.iter().enumerate() {
        let pointer = if ty.is_tensor() {
            for axis in (0..ty.rank()).filter(|axis| ty.shape()[*axis].is_none()) {
                b.make(Kind::LlvmStore, &[emit.size(*v, *ty, axis, b), at(size)], &[], &[]);
                size += 1;
            }
            emit.elements(*v, *ty, b)
        } else {
            b.make(Kind::LlvmStore, &[emit.wire(*v, b), at(numbers_at + k)], &[], &[]);
            at(numbers_at + k)
        };
        b.make(Kind::LlvmStore, &[pointer, at(k)], &[], &[]);
    }
    b.make(Kind::LlvmStore, &[at(answer_at), at(given.len())], &[], &[]);
    call(b, &format!("{name}.sizes.packed"), &[stack, at(sizes_at)], &[]);
    let status = b.value(Kind::LlvmLoad, &[at(answer_at)], word, &[]);
    let fine = b.compare(Compare::Eq, status, llvm_number(b, word, 0));
    let message = format!("in `@{name}`: arrays have sizes that do not match (run-time check {{}})");
    let stop = emit.program.stop(op.location().place_text(), &message);
    emit.program.mismatches.insert(stop - 1);
    emit.stop_with(fine, stop, |_| vec![status], op);

    let b = emit.b(op);
    let at = |k: usize| element(b, stack, k);
    let bytes = b.value(Kind::LlvmLoad, &[at(answer_at + 1)], word, &[]);
    let (mut answer, mut values) = (answer_at + 2, Vec::new());
    for (k, ty) in types.iter().enumerate() {
        let pointer = if ty.is_tensor() {
            let mut extents = Vec::new();
            for _ in 0..ty.dynamic_dims() {
                let n = b.value(Kind::LlvmLoad, &[at(answer)], word, &[]);
                b.make(Kind::LlvmStore, &[n, at(size)], &[], &[]);
                extents.push(n);
                (answer, size) = (answer + 1, size + 1);
            }
            let object = emit.new_array(*ty, &extents, b);
            values.push(object);
            emit.elements(object, *ty, b)
        } else {
            values.push(at(numbers_at + given.len() + k));
            at(numbers_at + given.len() + k)
        };
        b.make(Kind::LlvmStore, &[pointer, at(given.len() + k)], &[], &[]);
    }
    // Scratch memory follows the results. After the call it is not needed, and the allocator is reset to this point.
    let next = b.value(Kind::LlvmLoad, &[emit.context], emit.ctx.ptr(), &[]);
    let end = b.value(Kind::LlvmLoad, &[element(b, emit.context, 1)], emit.ctx.ptr(), &[]);
    let scratch = emit.scratch(bytes, b);
    b.make(Kind::LlvmStore, &[scratch, at(given.len() + gives.len())], &[], &[]);
    b.make(Kind::LlvmStore, &[bytes, at(size)], &[], &[]);
    let status = call(b, &format!("{name}.packed"), &[stack, at(sizes_at)], &[word]).result(0);
    let fine = b.compare(Compare::Eq, status, llvm_number(b, word, 0));
    // The values of its message are at the beginning of its scratch memory.
    let of_arrays = emit.program.stop(String::new(), &format!("@{name}"));
    let ctx = emit.ctx;
    let said = |b: Builder| {
        let word = |k| b.value(Kind::LlvmLoad, &[element(b, scratch, k)], ctx.int(64), &[]);
        std::iter::once(status).chain((0..MOST_VALUES).map(word)).collect()
    };
    emit.stop_with(fine, of_arrays, said, op);
    let b = emit.b(op);
    // Not if a new chunk was started for it.
    let now = b.value(Kind::LlvmLoad, &[element(b, emit.context, 1)], emit.ctx.ptr(), &[]);
    let same = llvm_compare(b, Compare::Eq, now, end);
    let there = b.value(Kind::LlvmLoad, &[emit.context], emit.ctx.ptr(), &[]);
    let back = b.value(Kind::LlvmSelect, &[same, next, there], emit.ctx.ptr(), &[]);
    b.make(Kind::LlvmStore, &[back, emit.context], &[], &[]);
    let value = |(part, v): (&Leaf, Value)| match part {
        Leaf::Number(_) => emit.unwire(b.value(Kind::LlvmLoad, &[v], part.wire(emit.ctx), &[]), part, b),
        _ => v,
    };
    Ok(gives.iter().zip(values).map(value).collect())
}
