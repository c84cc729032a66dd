//! Splitting of functions with thousands of arguments or thousands of consecutive ops, such as the code of a reactive
//! node with thousands of delays. The time that LLVM takes for a call grows with the square of the number of arguments,
//! and the time of code generation with the square of the length of a block.

use crate::abi::SIGNATURE;
use crate::ir::*;

/// The maximum number of arguments of a function, which is the number that C compilers must support (C11, 5.2.4.1). A
/// function with more arguments has only its `.packed` form.
pub const MOST_ARGUMENTS: usize = 127;

/// The minimum number of ops of a block that is cut, and the number of ops of a piece.
pub const LONG: usize = 4096;
pub const PIECE: usize = 128;

/// Converts `function` to `@f.packed(ptr buffers, ptr sizes)`, which reads its arguments from there. The attributes of
/// `@f` move to its declaration. `load` reads argument number `k` from the two arrays.
pub fn only_packed(function: Op, load: impl Fn(Builder, [Value; 2], usize) -> Value) {
    let (ctx, loc) = (function.context(), function.location());
    let entry = function.entry();
    let (_, results) = signature(function);
    let ptr = ctx.ptr();
    let old = entry.arguments();
    let arrays = [entry.add_argument(ptr, loc), entry.add_argument(ptr, loc)];
    let b = at_start(entry, loc);
    replace_all(old.iter().copied(), (0..old.len()).map(|k| load(b, arrays, k)));
    (0..old.len()).rev().for_each(|k| entry.erase_argument(k));
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

/// Cuts long blocks of a module in the LLVM dialect.
pub fn cut(module: Op) {
    for region in children_of(module, Kind::LlvmFunc).into_iter().map(|function| function.region(0)) {
        for block in region.blocks().into_iter().filter(|block| block.ops().len() >= LONG) {
            let (ops, mut last) = (block.ops(), block);
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
