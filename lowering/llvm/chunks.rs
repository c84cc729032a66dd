//! Chunks of parallel loops: the body of each `scf.parallel` with `sweep.chunks` becomes a function, which
//! `mlopt_parallel_for` calls for each chunk, on any thread (`docs/abi.md`).
//!
//! ```text
//! scf.parallel (%k) = (%c0) to (%n) step (%c1) {     becomes   @f.loop(%x, %out, %a, %k) { … }
//!   …                                                          @f.loop.chunk(%context, %k) {
//! } {sweep.chunks}                                               load %x, %out and %a from %context, and call @f.loop
//!                                                              }
//! in @f:  if %n = 1: call @f.loop(%x, %out, %a, 0)
//!         else: store %x, %out and %a to %context, and call @mlopt_parallel_for(@f.loop.chunk, %context, %n)
//! ```
//! The arrays are parameters, so that they are known to be disjoint. Constants, and views of arrays at offsets, are
//! computed again in the function.

use crate::abi::PARALLEL_FOR;
use crate::ir::*;
use crate::llvm::descriptors::llvm_number;
use crate::llvm::heap::{add_text, call, element_of};
use crate::scf::{CHUNKS, choose};
use mlopt_dialects::value::Element;
use mlopt_passes::analysis::edit::captured;
use std::collections::{HashMap, HashSet};

/// The default of [`PARALLEL_FOR`]: executes the chunks in order. It is weak, so that another definition replaces it.
const HELPERS: &str = include_str!("parallel_for.mlir");

/// The alignment of the context in bytes. Wider vectors are loaded with the alignment of their elements.
const ALIGNMENT: usize = 16;

/// Outlines the chunks of all functions of loops. Returns whether there are any; then [`finish`] must follow.
pub fn outline(module: Op) -> bool {
    let mut symbols = Symbols::of(module);
    let called: HashSet<String> = nested_of(module, Kind::FuncCall).into_iter().filter_map(Op::callee).collect();
    let mut found = false;
    for function in children_of(module, Kind::FuncFunc).into_iter().filter(|op| op.body().is_some()) {
        // The buffers of a function that others call need not be disjoint.
        let disjoint = function.symbol().is_some_and(|name| !called.contains(&name));
        for (number, op) in nested_of(function, Kind::ScfParallel).into_iter().enumerate() {
            if let Some(context) = is_divided(op).then(|| Captured::of(op)).flatten() {
                context.outline(op, function, number, disjoint, &mut symbols);
                found = true;
            }
        }
    }
    found
}

/// Adds the default of [`PARALLEL_FOR`] to a module in the LLVM dialect.
pub fn finish(module: Op) {
    add_text(module, HELPERS);
}

/// Checks whether `op` is an outermost loop over the numbers of chunks, without results.
fn is_divided(op: Op) -> bool {
    let is_chunked = |op: &Op| op.kind() == Kind::ScfParallel && op.attribute(CHUNKS).is_some();
    let is_plain = |op: Op| op.num_operands() == 3 && op.num_results() == 0;
    let counts = |op: Op| known(op.operand(0)) == Some(0) && known(op.operand(2)) == Some(1);
    is_chunked(&op) && is_plain(op) && counts(op) && !ancestors(op).any(|op| is_chunked(&op))
}

/// The values of the enclosing function that a loop needs.
struct Captured {
    /// Arrays that are not views of others.
    arrays: Vec<Value>,
    /// Scalars and vectors, with their offsets in the context.
    numbers: Vec<(Value, usize)>,
    /// The offset in the context of the address of each array, which its dynamic sizes follow.
    places: Vec<usize>,
    /// The size of the context in bytes.
    bytes: usize,
    /// Ops that are computed again, in order.
    again: Vec<Op>,
}

impl Captured {
    /// Returns `None` if the loop needs a value that cannot be passed.
    fn of(op: Op) -> Option<Captured> {
        let mut all = Captured { arrays: vec![], numbers: vec![], places: vec![], bytes: 0, again: vec![] };
        let mut seen = HashSet::new();
        for value in captured(op) {
            all.add(value, &mut seen)?;
        }
        for array in &all.arrays {
            all.places.push(all.bytes);
            all.bytes += 8 * (1 + array.ty().dynamic_dims());
        }
        for (value, place) in &mut all.numbers {
            let bytes = bytes_of(value.ty())?;
            all.bytes = all.bytes.next_multiple_of(bytes.next_power_of_two().min(ALIGNMENT));
            *place = all.bytes;
            all.bytes += bytes;
        }
        Some(all)
    }

    fn add(&mut self, value: Value, seen: &mut HashSet<Value>) -> Option<()> {
        if !seen.insert(value) {
            return Some(());
        }
        let made_by = value.defining_op().map(|(op, _)| op);
        if let Some(op) = made_by.filter(|op| is_cheap(*op)) {
            op.operands().into_iter().try_for_each(|v| self.add(v, seen))?;
            self.again.push(op);
        } else if value.ty().is_contiguous_memref() {
            self.arrays.push(value);
        } else {
            bytes_of(value.ty())?;
            self.numbers.push((value, 0));
        }
        Some(())
    }

    fn outline(&self, op: Op, function: Op, number: usize, disjoint: bool, symbols: &mut Symbols) {
        let (ctx, loc) = (op.context(), op.location());
        let owner = name_of(function);
        let name = symbols.free((number..).map(|n| format!("{owner}.loop{n}")));
        let chunk = format!("{name}.chunk");
        let (ptr, word) = (ctx.ptr(), ctx.int(64));

        // The function of the body.
        let inputs = self.inputs();
        let block = block_of(types_of(&inputs).into_iter().chain([word]), loc);
        let b = Builder::at_end(block, loc);
        let mut known: HashMap<Value, Value> = std::iter::zip(inputs, block.arguments()).collect();
        for op in &self.again {
            b.copy(*op, &mut known);
        }
        let body = block_in(op, 0);
        let k = block.argument(block.num_arguments() - 1);
        body.argument(0).replace_all_uses_with(b.value(Kind::ArithIndexCast, &[k], ctx.index(), &[]));
        let end = body.end();
        for inner in body.ops().into_iter().filter(|inner| *inner != end) {
            b.insert(inner.detach()).replace_operands(|v| known.get(&v).copied());
        }
        b.make(Kind::FuncReturn, &[], &[], &[]);
        let mut attributes: Vec<Attribute> =
            self.arrays.iter().map(|array| array_attributes(*array, function, disjoint)).collect();
        attributes.resize(block.num_arguments(), ctx.attribute("{}"));
        let private = |name: &str, block: Block, passthrough: &[&str]| {
            OpBuilder::function(Kind::FuncFunc, name, block, &[], loc)
                .attribute("sym_visibility", ctx.string_attr("private"))
                .attribute("passthrough", ctx.strings_attr(passthrough))
        };
        let made = private(&name, block, &["nounwind"]).attribute("arg_attrs", ctx.array_attr(&attributes)).build();

        // The function that `mlopt_parallel_for` calls.
        let entry = block_of([ptr, word], loc);
        let b = Builder::at_end(entry, loc);
        let (context, k) = (entry.argument(0), entry.argument(1));
        let numbers = self.numbers.iter().map(|(value, place)| load(b, context, *place, value.ty()));
        let sizes = self.arrays.iter().zip(&self.places).flat_map(|(array, place)| {
            (1..=array.ty().dynamic_dims()).map(move |n| load(b, context, place + 8 * n, word))
        });
        let addresses = self.places.iter().map(|place| load(b, context, *place, ptr));
        call_body(b, &name, addresses.chain(numbers).chain([k]).chain(sizes).collect());
        b.make(Kind::FuncReturn, &[], &[], &[]);
        // Inlining it would compile the body twice.
        let called = private(&chunk, entry, &["nounwind", "noinline"]).build();
        for new in [made, called] {
            Builder { next: None, ..Builder::before(function) }.insert(new);
            symbols.add(new);
        }
        self.call(op, function, &name, &chunk);
        op.erase();
    }

    /// Emits the call of the chunks before `op`.
    fn call(&self, op: Op, function: Op, name: &str, chunk: &str) {
        let (ctx, b) = (op.context(), Builder::before(op));
        let (ptr, word) = (ctx.ptr(), ctx.int(64));
        let start = at_start(function.entry(), op.location());
        let bytes = llvm_number(start, word, self.bytes.max(1) as i64);
        let ty = [("elem_type", ctx.type_attr(ctx.int(8))), ("alignment", Attribute::integer(word, ALIGNMENT as i64))];
        let context = start.value(Kind::LlvmAlloca, &[bytes], ptr, &ty);
        let count = op.operand(1);
        let alone = |b: Builder| {
            call_body(b, name, self.inputs().into_iter().chain([b.number(word, 0)]).collect());
            vec![]
        };
        let together = |b: Builder| {
            self.store(b, context);
            let ty = ctx.function_type(&[ptr, word], &[]);
            let code = b.value(Kind::FuncConstant, &[], ty, &[("value", ctx.symbol_attr(chunk))]);
            let code = b.value(Kind::BuiltinUnrealizedConversionCast, &[code], ptr, &[]);
            let count = b.value(Kind::ArithIndexCast, &[count], word, &[]);
            call(b, PARALLEL_FOR, &[code, context, count], &[]);
            vec![]
        };
        if known(count).is_some_and(|n| n > 1) {
            together(b);
            return;
        }
        let is_alone = b.compare(Compare::Eq, count, b.index(1));
        choose(b, is_alone, &[], alone, together);
    }

    /// Stores the values to the context.
    fn store(&self, b: Builder, context: Value) {
        let (ctx, word) = (b.context(), b.context().int(64));
        let to_word = |v: Value| b.value(Kind::ArithIndexCast, &[v], word, &[]);
        for (array, place) in self.arrays.iter().zip(&self.places) {
            let address = b.value(Kind::MemrefExtractAlignedPointerAsIndex, &[*array], ctx.index(), &[]);
            store(b, to_word(address), context, *place);
            let dynamic = array.ty().shape().into_iter().enumerate().filter(|(_, n)| n.is_none());
            for (n, (axis, _)) in dynamic.enumerate() {
                store(b, to_word(b.size_of(*array, axis)), context, place + 8 * (n + 1));
            }
        }
        for (value, place) in &self.numbers {
            store(b, *value, context, *place);
        }
    }

    /// Returns the values that the function of the body takes, before the number of the chunk.
    fn inputs(&self) -> Vec<Value> {
        self.arrays.iter().copied().chain(self.numbers.iter().map(|(value, _)| *value)).collect()
    }
}

fn call_body(b: Builder, name: &str, inputs: Vec<Value>) {
    b.make(Kind::FuncCall, &inputs, &[], &[("callee", b.context().symbol_attr(name))]);
}

/// Checks whether an op is computed again in each chunk.
fn is_cheap(op: Op) -> bool {
    use Kind::*;
    matches!(op.kind(), ArithConstant | MemrefGetGlobal | MemrefView | MemrefReinterpretCast | MemrefCast | MemrefDim)
}

/// Returns the size in bytes of a scalar or vector that can be passed in memory.
fn bytes_of(ty: Type) -> Option<usize> {
    let element = ty.scalar();
    match element.element()?.bytes() {
        // Vectors of truth values and of indices are not those of LLVM.
        _ if ty.is_vector() && (element.is_index() || element.is_integer(1)) => None,
        bytes if ty.is_vector() => Some(bytes * ty.lanes()),
        bytes if ty.is_scalar() => Some(bytes),
        _ => None,
    }
}

/// Returns the attributes of the parameter for `array`.
fn array_attributes(array: Value, function: Op, disjoint: bool) -> Attribute {
    let ctx = function.context();
    let argument = array.block_argument().filter(|(block, _)| function.body() == Some(*block));
    let Some((_, k)) = argument else { return ctx.attribute("{llvm.noalias, llvm.nocapture}") };
    let had = function.attribute("arg_attrs").and_then(Attribute::as_array).and_then(|all| all.get(k).copied());
    let had = had.map_or(String::new(), |a| a.to_string());
    let had = had.trim_start_matches('{').trim_end_matches('}').trim();
    let comma = if had.is_empty() || !disjoint { "" } else { ", " };
    ctx.attribute(&format!("{{{had}{comma}{}}}", if disjoint { "llvm.noalias, llvm.nocapture" } else { "" }))
}

fn place_in(b: Builder, context: Value, place: usize) -> Value {
    element_of(b, context, place, b.context().int(8))
}

/// Returns the alignment of a value in the context, where vectors are aligned as their elements.
fn alignment(ty: Type) -> Vec<(&'static str, Attribute)> {
    let bytes = |element: Element| Attribute::integer(ty.context().int(64), element.bytes() as i64);
    ty.element().filter(|_| ty.is_vector()).map(|element| ("alignment", bytes(element))).into_iter().collect()
}

/// Stores a value to the context.
fn store(b: Builder, value: Value, context: Value, place: usize) {
    let ctx = b.context();
    let value = match value.ty() {
        ty if ty.is_index() => b.value(Kind::ArithIndexCast, &[value], ctx.int(64), &[]),
        ty if ty.is_integer(1) => b.value(Kind::ArithExtui, &[value], ctx.int(8), &[]),
        _ => value,
    };
    let alignment = alignment(value.ty());
    b.make(Kind::LlvmStore, &[value, place_in(b, context, place)], &[], &alignment);
}

/// Loads a value of type `ty` from the context.
fn load(b: Builder, context: Value, place: usize, ty: Type) -> Value {
    let ctx = b.context();
    let at = place_in(b, context, place);
    let load = |ty: Type| b.value(Kind::LlvmLoad, &[at], ty, &alignment(ty));
    match ty {
        ty if ty.is_index() => b.value(Kind::ArithIndexCast, &[load(ctx.int(64))], ty, &[]),
        ty if ty.is_integer(1) => b.value(Kind::ArithTrunci, &[load(ctx.int(8))], ty, &[]),
        ty => load(ty),
    }
}
