//! Run-time allocation of memory whose size depends on data: the lowering of `memref.alloc` in the output of
//! `plan-memory`.
//!
//! Each allocation has a slot on the stack, with a pointer and the size in bytes. An allocation in a loop reuses the
//! memory of the previous iteration, enlarged if necessary. `memref.dealloc` frees the memory, but in a loop only after
//! the outermost loop. A function that allocates returns a status: 0, or the size of the failed allocation in bytes. A
//! function that fails has freed all its memory, and its results are incomplete.

pub use crate::abi::libm::llvm_call as call;
use crate::ir::*;
use crate::llvm::descriptors::{descriptor, llvm_number};
use mlopt_dialects::ops::ToAttribute;
use mlopt_dialects::value::Element;
use std::collections::HashMap;

/// An attribute of the slots of a function: their number.
const SLOTS: &str = "sweep.slots";
/// The prefix of the names that this file adds to a module. No function of arrays has such a name.
const RESERVE: &str = "mlopt.reserve";
/// The limit on requests in bytes; larger ones fail without computing the size.
const LIMIT: f64 = 4e18;
/// The alignment of arrays in bytes: a cache line.
const ALIGNMENT: i64 = 64;

/// If there is no memory, `reserve` returns null and leaves an empty slot.
const HELPERS: &str = include_str!("heap.mlir");

/// Converts the allocations of a function of loops to calls. [`finish`] adds the exit for failed allocations.
pub fn prepare(function: Op) -> Result<()> {
    let ctx = function.context();
    let entry = function.entry();
    let [allocations, releases] = [Kind::MemrefAlloc, Kind::MemrefDealloc].map(|kind| nested_of(function, kind));
    let b = at_start(entry, function.location());
    let word = ctx.int(64);
    let zero = b.number(word, 0);
    let number = b.number(word, 2 * allocations.len() as i64);
    let count = Attribute::integer(word, allocations.len() as i64);
    let alloca = [("elem_type", ctx.type_attr(word)), (SLOTS, count)];
    let slots = b.value(Kind::LlvmAlloca, &[number], ctx.ptr(), &alloca);
    for k in 0..2 * allocations.len() {
        b.make(Kind::LlvmStore, &[zero, element(b, slots, k)], &[], &[]);
    }
    for op in releases {
        let owner = op.operand(0).defining_op().and_then(|(a, _)| allocations.iter().position(|o| *o == a));
        let (Some(slot), Some(around)) = (owner, ancestor_in(op, entry)) else {
            let text = "the memory must be allocated in this function, and control flow must use `scf` instead of `cf`";
            return Err(op.not_supported(text));
        };
        // In a loop the memory is kept for the next iteration.
        free_slot(after(around).at(op.location()), slots, slot);
        op.erase();
    }
    for (k, op) in allocations.into_iter().enumerate() {
        allocate(op, slots, k)?;
    }
    return_status(function);
    Ok(())
}

/// Adds the status 0 to a function without results.
pub fn return_status(function: Op) {
    let (ctx, word) = (function.context(), function.context().int(64));
    let entry = function.entry();
    for op in entry.ops().into_iter().filter(|op| op.kind() == Kind::FuncReturn) {
        op.set_operands(&[Builder::before(op).number(word, 0)]);
    }
    let (inputs, _) = signature(function);
    function.set_attribute("function_type", ctx.type_attr(ctx.function_type(&inputs, &[word])));
}

fn allocate(op: Op, slots: Value, slot: usize) -> Result<()> {
    let (b, ctx, ty) = (Builder::before(op), op.context(), op.result(0).ty());
    let (word, float) = (ctx.int(64), ctx.scalar(Element::F64));
    let Some(bytes) = ty.element().map(|element| element.bytes() as i64) else {
        return Err(op.not_supported(format!("the elements must be of type {}", Element::names("or"))));
    };
    let known: usize = ty.shape().into_iter().flatten().product();
    let sizes: Vec<Value> = op.operands().into_iter().map(|n| b.value(Kind::ArithIndexCast, &[n], word, &[])).collect();
    let mut length = b.number(word, bytes * known as i64);
    // The size is computed in floating point, where it cannot wrap.
    let mut wide = b.number(float, bytes * known as i64);
    for n in &sizes {
        length = b.muli(length, *n);
        wide = b.same(Kind::ArithMulf, &[wide, b.value(Kind::ArithSitofp, &[*n], float, &[])]);
    }
    let limit = b.constant(Attribute::float(float, LIMIT), float);
    let large = b.compare_floats(CmpFPredicate::Ogt, wide, limit);
    // The size is rounded up to a multiple of the alignment, and is never zero, because the first element may be read.
    let (pad, mask) = (b.number(word, ALIGNMENT), b.number(word, -ALIGNMENT));
    let length = b.andi(b.addi(length, pad), mask);
    let refused = b.number(word, i64::MAX - (ALIGNMENT - 1));
    let length = b.select(large, refused, length);
    let memory = call(b, RESERVE, &[element(b, slots, 2 * slot), length], &[ctx.ptr()]).result(0);
    op.replace_with([descriptor(b, ty, memory, &mut sizes.into_iter())]);
    Ok(())
}

/// Frees the memory of a slot, and empties the slot.
fn free_slot(b: Builder, slots: Value, slot: usize) {
    let ctx = b.context();
    let [place, bytes] = [0, 1].map(|k| element(b, slots, 2 * slot + k));
    let memory = b.value(Kind::LlvmLoad, &[place], ctx.ptr(), &[]);
    call(b, "free", &[memory], &[]);
    let zero = llvm_number(b, ctx.int(64), 0);
    b.make(Kind::LlvmStore, &[zero, place], &[], &[]);
    b.make(Kind::LlvmStore, &[zero, bytes], &[], &[]);
}

/// Returns the address of word `k` of an array.
pub fn element(b: Builder, array: Value, k: usize) -> Value {
    element_of(b, array, k, b.context().int(64))
}

/// Returns the address of element `k` of an array of this type of elements.
pub fn element_of(b: Builder, array: Value, k: usize, ty: Type) -> Value {
    let ctx = b.context();
    let at = [("rawConstantIndices", ctx.i32_array_attr(&[k as i32])), ("elem_type", ctx.type_attr(ty))];
    b.value(Kind::LlvmGetelementptr, &[array], ctx.ptr(), &at)
}

/// Adds the exits for failed allocations and the called helpers, after the conversion to LLVM, in which blocks exist.
/// Returns, for each function, the exit block that takes a status, frees all memory and returns the status.
pub fn finish(module: Op) -> HashMap<Op, Block> {
    let mut outs = HashMap::new();
    for function in children_of(module, Kind::LlvmFunc) {
        let ops = function.nested_ops();
        let with_count = |op: &Op| Some((*op, op.attribute(SLOTS)?.as_i64()?));
        let Some((alloca, count)) = ops.iter().find_map(with_count) else { continue };
        alloca.remove_attribute(SLOTS);
        let (ctx, loc, region) = (function.context(), function.location(), function.region(0));
        let out = Block::new(&[(ctx.int(64), loc)]);
        region.append(out);
        outs.insert(function, out);
        let b = Builder::at_end(out, loc);
        for k in 0..count {
            let place = element(b, alloca.result(0), 2 * k as usize);
            let memory = b.value(Kind::LlvmLoad, &[place], ctx.ptr(), &[]);
            call(b, "free", &[memory], &[]);
        }
        b.make(Kind::LlvmReturn, &[out.argument(0)], &[], &[]);
        for op in ops.into_iter().filter(|op| op.callee().is_some_and(|name| name == RESERVE)) {
            let rest = split_after(op, region);
            let b = after(op);
            let none = is_null(b, op.result(0));
            let branch = b.op(Kind::LlvmCondBr).operand_segments(&[&[none], &[op.operand(1)], &[]]);
            b.insert(branch.successor(out).successor(rest).build());
        }
    }
    if !outs.is_empty() {
        add_text(module, HELPERS);
    }
    outs
}

/// Moves the ops after `op` to a new block at the end of `region`.
pub fn split_after(op: Op, region: Region) -> Block {
    let rest = Block::new(&[]);
    region.append(rest);
    while let Some(next) = op.next() {
        rest.append(next.detach());
    }
    rest
}

/// Creates the comparison of a pointer with null.
pub fn is_null(b: Builder, pointer: Value) -> Value {
    let null = b.value(Kind::LlvmMlirZero, &[], pointer.ty(), &[]);
    llvm_compare(b, Compare::Eq, pointer, null)
}

/// Creates a comparison of integers or pointers in the LLVM dialect.
pub fn llvm_compare(b: Builder, how: Compare, x: Value, y: Value) -> Value {
    b.value(Kind::LlvmIcmp, &[x, y], b.context().int(1), &[("predicate", how.to_attribute(b.context()))])
}

/// Adds functions to a module before all others, except those that exist already.
pub fn add_text(module: Op, text: &str) {
    let body = module.entry();
    let symbols = Symbols::of(module);
    let ops = module.context().parse_ops(text).unwrap_or_else(|| panic!("internal error: module `{text}`"));
    for op in ops {
        if op.symbol().is_some_and(|name| symbols.contains(&name)) {
            op.erase();
            continue;
        }
        prepend(body, op);
    }
}
