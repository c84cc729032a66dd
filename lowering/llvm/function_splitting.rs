//! Functions with thousands of arguments, which then read them from two arrays, and blocks with thousands of ops, which
//! are cut; for example in a reactive node with thousands of delays. The time to compile a call grows with the square
//! of the number of arguments, and the time of code generation with the square of the length of a block.

use crate::abi::SIGNATURE;
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// The maximum number of arguments of a function, which is the number that C compilers must support (C11, 5.2.4.1). A
/// function with more arguments has only its `.packed` form.
pub const MOST_ARGUMENTS: usize = 127;

/// The minimum number of ops of a block that is cut, and the number of ops of a piece.
pub const LONG: usize = 2048;
pub const PIECE: usize = 128;

/// Converts `function` to `@f.packed(ptr buffers, ptr sizes)`, which reads its arguments from there. The attributes of
/// `@f` move to its declaration. `buffers` are the buffers of its arguments: memrefs that it makes of pointers, or the
/// pointers. `load` reads argument number `k` from the two arrays.
pub fn only_packed(function: Op, buffers: &[Value], load: impl Fn(Builder, [Value; 2], usize) -> Value) {
    let (ctx, loc) = (function.context(), function.location());
    let entry = function.entry();
    let (_, results) = signature(function);
    let ptr = ctx.ptr();
    let old = entry.arguments();
    let arrays = [entry.add_argument(ptr, loc), entry.add_argument(ptr, loc)];
    let b = at_start(entry, loc);
    let loaded: HashMap<Value, Value> = (0..old.len()).map(|k| (old[k], load(b, arrays, k))).collect();
    replace_all(old.iter().copied(), old.iter().map(|argument| loaded[argument]));
    entry.erase_first_arguments(old.len());
    let buffers: Vec<Value> = buffers.iter().map(|buffer| *loaded.get(buffer).unwrap_or(buffer)).collect();
    near_uses(entry, &buffers);
    let name = name_of(function);
    let ty = ctx.type_attr(ctx.function_type(&[ptr, ptr], &results));
    let mut declaration = OpBuilder::new(Kind::FuncFunc, loc)
        .attribute("sym_name", ctx.string_attr(&name))
        .attribute("sym_visibility", ctx.string_attr("private"))
        .attribute("function_type", ty)
        .region(Region::new());
    for (key, value) in function.attributes() {
        if key.contains('.') {
            declaration = declaration.attribute(&key, value);
        }
    }
    function.remove_attribute(SIGNATURE);
    function.remove_attribute("arg_attrs");
    function.set_attribute("sym_name", ctx.string_attr(&format!("{name}.packed")));
    function.set_attribute("function_type", ty);
    Builder { next: None, ..Builder::before(function) }.insert(declaration.build());
}

/// Reorders the entry of a function of thousands of buffers so that few values are live at once: pointers and elements
/// of inputs are loaded before their first use, and a scalar result is stored when it has been computed, because no
/// result overlaps another buffer (docs/abi.md). `buffers` are the buffers of the arguments. The time of register
/// allocation grows with the square of the number of live values.
fn near_uses(entry: Block, buffers: &[Value]) {
    let is_load = |op: Op| matches!(op.kind(), Kind::MemrefLoad | Kind::LlvmLoad);
    let is_read_only = |buffer: &Value| buffer.users().all(is_load);
    let read_only: HashSet<Value> = buffers.iter().copied().filter(is_read_only).collect();
    let written_once: HashSet<Value> = buffers.iter().copied().filter(|buffer| buffer.is_used_once()).collect();
    let ops = entry.ops();
    let pending: HashSet<Op> = ops.iter().copied().take_while(|op| reads_arguments(*op, &read_only)).collect();
    let is_early = |op: &&Op| {
        let is_result = op.kind() == Kind::LlvmStore && written_once.contains(&op.operand(1));
        is_result && op.operand(0).defining_op().is_some_and(|(maker, _)| !pending.contains(&maker))
    };
    let mut stores: HashMap<Value, Vec<Op>> = HashMap::new();
    for op in ops.iter().filter(is_early) {
        stores.entry(op.operand(0)).or_default().push(*op);
    }
    let early: HashSet<Op> = stores.values().flatten().copied().collect();
    let mut order = Order { pending, ops: Vec::with_capacity(ops.len()) };
    for &op in &ops {
        if order.pending.contains(&op) || early.contains(&op) {
            continue;
        }
        if ops.last() == Some(&op) {
            // What only other blocks use, or nothing.
            for op in &ops {
                if order.pending.remove(op) {
                    order.add(*op);
                }
            }
        }
        order.add(op);
        for store in op.results().into_iter().flat_map(|value| stores.remove(&value).unwrap_or_default()) {
            order.add(store);
        }
    }
    for op in order.ops {
        entry.append(op.detach());
    }
}

/// Checks whether an op at the start of an entry computes a pointer or a constant, or loads an element at a constant
/// position from an argument that the function only reads.
fn reads_arguments(op: Op, read_only: &HashSet<Value>) -> bool {
    let from_argument = |address: Value| {
        let base = address.defining_op().filter(|(op, _)| op.kind() == Kind::LlvmGetelementptr);
        base.map_or(address, |(op, _)| op.operand(0)).defining_op().is_none()
    };
    let is_constant = |index: Value| index.defining_op().is_some_and(|(op, _)| op.kind() == Kind::ArithConstant);
    match op.kind() {
        Kind::LlvmLoad => read_only.contains(&op.operand(0)) || from_argument(op.operand(0)),
        Kind::MemrefLoad => read_only.contains(&op.operand(0)) && op.operands().into_iter().skip(1).all(is_constant),
        Kind::BuiltinUnrealizedConversionCast | Kind::ArithConstant => true,
        kind => kind.dialect() == "llvm" && op.is_pure(),
    }
}

/// The new order of the ops of a block.
struct Order {
    /// Ops without effects that are added before their first use.
    pending: HashSet<Op>,
    ops: Vec<Op>,
}

impl Order {
    /// Adds an op, after the pending ops that it needs.
    fn add(&mut self, op: Op) {
        let mut open = vec![(op, operands_inside(op).into_iter())];
        while let Some((op, operands)) = open.last_mut() {
            let op = *op;
            let makers = operands.by_ref().filter_map(|operand| Some(operand.defining_op()?.0));
            match makers.into_iter().find(|maker| self.pending.remove(maker)) {
                Some(maker) => open.push((maker, operands_inside(maker).into_iter())),
                None => {
                    self.ops.push(op);
                    open.pop();
                }
            }
        }
    }
}

/// Cuts long blocks of a module in the LLVM dialect.
pub fn cut(module: Op) {
    cut_blocks(module, Kind::LlvmFunc, |ops| ops.len() >= LONG);
}

/// Cuts long blocks that contain structured control flow. Upstream's conversion splits the block at each of these ops,
/// and moves all ops after it, so its time and memory grow with the square of the length of a block.
pub fn cut_control_flow(module: Op) {
    cut_blocks(module, Kind::FuncFunc, |ops| ops.len() >= LONG && ops.iter().any(|op| op.num_regions() > 0));
}

fn cut_blocks(module: Op, function: Kind, must_cut: impl Fn(&[Op]) -> bool) {
    for region in children_of(module, function).into_iter().map(|function| function.region(0)) {
        for block in region.blocks() {
            let (ops, mut last) = (block.ops(), block);
            if !must_cut(&ops) {
                continue;
            }
            for piece in ops[PIECE..].chunks(PIECE) {
                let next = Block::new(&[]);
                region.append(next);
                for op in piece {
                    next.append(op.detach());
                }
                last.append(OpBuilder::new(Kind::LlvmBr, piece[0].location()).successor(next).build());
                last = next;
            }
        }
    }
}
