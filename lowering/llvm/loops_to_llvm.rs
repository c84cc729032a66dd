//! Translation of loops on buffers to the LLVM dialect, with the calling convention of `docs/abi.md`.
//!
//! Input: `func`, `scf`, `affine`, `cf`, `arith`, `math`, `memref`, `vector`, `index`. Output: `llvm`. Preserves:
//! existing ops of `llvm`.
//!
//! ```text
//! func.func @f(%x: memref<?xf64>, %out: memref<f64>)
//!   becomes  llvm.func @f(ptr noalias %x, ptr noalias %out, i64 %x_0)        buffers first, then each `?` in order
//!       and  llvm.func @f.packed(ptr %buffers, ptr %sizes)                   reads the arguments of @f from two arrays
//! ```
//! The convention uses raw pointers, and descriptors of memrefs are built inside the functions. MLIR's own conventions
//! cannot be used: the one for memrefs loses `noalias`, and the bare-pointer one leaves functions with dynamic shapes
//! as they are and reports no error (LLVM 19). Here it is an error if a `func` op remains.

use crate::abi::checks::has_status;
use crate::abi::{ALLOCATES, KERNEL, libm, names};
use crate::ir::*;
use crate::llvm::descriptors::{access_directly, descriptor};
use crate::llvm::function_splitting::{self, MOST_ARGUMENTS, only_packed};
use crate::llvm::{addresses, chunks, expand, halves, heap, maths, narrow, traps};
use mlopt_dialects::bridge::conversion::{self, Conversion, ConversionError};
use mlopt_dialects::bridge::{OptionKind, Pass, PassOption};
use mlopt_dialects::diagnostics::error;
use mlopt_dialects::ops::func::Call;
use std::collections::{HashMap, HashSet};

/// The pass `--loops-to-llvm`.
pub const PASS: Pass = Pass {
    name: "loops-to-llvm",
    description: "Loops on buffers become the LLVM dialect, with raw pointers for arguments",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::new(
        "library",
        OptionKind::Bool,
        "true",
        "Call the C library for mathematical functions that are not expanded",
    )],
    dialects: &["llvm", "func", "cf", "arith"],
    run: |module, options| run_with(module, options.bool("library")),
};

/// The dialects that upstream's conversions to LLVM accept.
const READS: &[&str] =
    &["func", "scf", "affine", "cf", "arith", "math", "memref", "vector", "index", "llvm", "builtin", "ub"];

/// Views that must be converted to arithmetic on offsets first. Our own passes create none of them.
const STRIDED: &[Kind] =
    &[Kind::MemrefSubview, Kind::MemrefCollapseShape, Kind::MemrefExpandShape, Kind::MemrefExtractStridedMetadata];

/// The maximum loop depth at which LLVM optimises: its time grows with the cube of the depth (measured: 50 take 0.2 s,
/// 100 take 0.9 s, 200 take 7 s).
const DEEPEST_OPTIMISED: usize = 64;

/// Lowers everything in `module` (a `builtin.module`).
pub fn run(module: Op) -> Result<()> {
    run_with(module, true)
}

/// Lowers `module` with calls of the C library or, for a device, without.
pub fn run_with(module: Op, library: bool) -> Result<()> {
    let mut ops = module.child_ops().into_iter().filter(|op| op.kind() != Kind::LlvmFunc).flat_map(with_nested);
    if let Some(op) = ops.find(|op| !READS.contains(&dialect_of(op.name())) && op.kind() != Kind::ArrayCheck) {
        return Err(op.not_supported("`loops-to-llvm` supports loops on buffers only"));
    }
    names::settle(module);
    halves::to_integers(module)?;
    expand::expand(module);
    if !library {
        maths::without_library(module)?;
    }
    maths::inline(module);
    libm::call_for_math(module)?;
    let has_chunks = library && chunks::outline(module);
    let mut symbols = Symbols::of(module);
    let called: HashSet<String> = nested_of(module, Kind::FuncCall).into_iter().filter_map(Op::callee).collect();
    for function in children_of(module, Kind::FuncFunc).into_iter().filter(|op| op.body().is_some()) {
        spare_llvm_depth(function);
        if function.attribute(ALLOCATES).is_some() {
            heap::prepare(function)?;
        }
        traps::prepare(function)?;
        if function.attribute(KERNEL).is_some() && !has_status(function) {
            heap::return_status(function);
        }
        let is_called = function.symbol().is_some_and(|name| called.contains(&name));
        raw_convention(function, &mut symbols, !is_called)?;
        if is_private(function) {
            // Objects of several modules are linked together.
            function.set_attribute("llvm.linkage", module.context().attribute("#llvm.linkage<internal>"));
        }
    }
    let functions = Symbols::of(module);
    let is_defined = |call: &Op| call.callee().and_then(|n| functions.get(&n)).is_some_and(|f| f.body().is_some());
    nested_of(module, Kind::FuncCall).into_iter().filter(is_defined).for_each(raw_call);
    function_splitting::cut_control_flow(module);
    upstream(module)?;
    if has_chunks {
        chunks::finish(module);
    }
    function_splitting::cut(module);
    addresses::split(module);
    let outs = heap::finish(module);
    traps::finish(module, &outs);
    all_converted(module, &["llvm"])
}

/// Checks that all ops of a module are of these dialects.
pub(crate) fn all_converted(module: Op, dialects: &[&str]) -> Result<()> {
    match module.nested_ops().into_iter().find(|op| !dialects.contains(&dialect_of(op.name()))) {
        Some(op) => Err(op.not_supported("the op cannot be converted to the LLVM dialect")),
        None => Ok(()),
    }
}

/// Disables optimisation of a function whose loops are nested too deeply, with a warning.
pub(crate) fn spare_llvm_depth(function: Op) {
    let mut depths: HashMap<Op, usize> = HashMap::new();
    for op in function.nested_ops() {
        let around = op.parent_op().and_then(|p| depths.get(&p)).copied().unwrap_or(0);
        depths.insert(op, around + usize::from(matches!(op.kind(), Kind::ScfFor | Kind::ScfWhile)));
    }
    let deepest = depths.into_values().max().unwrap_or(0);
    if deepest > DEEPEST_OPTIMISED {
        function.set_attribute("passthrough", passthrough(function, &["noinline", "optnone"]));
        let text =
            format!("loops are nested {deepest} deep, more than {DEEPEST_OPTIMISED}: this function is not optimised");
        let _said = function.warning(text).emit();
    }
}

fn dialect_of(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// Gives `function` raw pointers and sizes, and adds its `.packed` form if it returns nothing or a status. `disjoint`
/// states that no two of its buffers overlap, which the convention requires of external callers; a call in the module
/// may pass one buffer twice.
pub(crate) fn raw_convention(function: Op, symbols: &mut Symbols, disjoint: bool) -> Result<()> {
    let (ctx, loc) = (function.context(), function.location());
    let (inputs, results) = signature(function);
    if let Some(odd) = inputs.iter().find(|t| !is_passed(**t, function)) {
        let text = format!("arguments must be scalars or contiguous memrefs, found type {odd}");
        return Err(function.not_supported(text));
    }
    let entry = function.entry();
    let old = entry.arguments();
    let sizes: usize = inputs.iter().map(|t| t.dynamic_dims()).sum();
    let mut raw: Vec<Type> = inputs.iter().map(|t| if t.is_memref() { ctx.ptr() } else { *t }).collect();
    raw.extend(std::iter::repeat_n(ctx.int(64), sizes));

    // New arguments follow the old ones; the descriptors that are needed are built at the top of the entry; then the
    // old arguments are erased.
    let new: Vec<Value> = raw.iter().map(|t| entry.add_argument(*t, loc)).collect();
    let is_pointer = |(old, new): (&Value, &Value)| !old.ty().is_memref() || access_directly(*old, *new);
    let are_pointers: Vec<bool> = old.iter().zip(&new).map(is_pointer).collect();
    let b = at_start(entry, loc);
    let mut size = new[inputs.len()..].iter().copied();
    let mut whole = |k: usize| if are_pointers[k] { new[k] } else { descriptor(b, inputs[k], new[k], &mut size) };
    let whole: Vec<Value> = (0..inputs.len()).map(&mut whole).collect();
    replace_all(old.iter().copied(), whole.iter().copied());
    entry.erase_first_arguments(old.len());
    function.set_attribute("function_type", ctx.type_attr(ctx.function_type(&raw, &results)));
    function.set_attribute("arg_attrs", argument_attributes(function, &inputs, raw.len(), disjoint));

    if function.attribute("nvvm.kernel").is_some() {
        function.set_attribute("passthrough", passthrough(function, &["nounwind"]));
    } else if (results.is_empty() || has_status(function) || function.attribute(KERNEL).is_some())
        && !is_private(function)
        && !inputs.iter().any(|t| is_llvm(*t))
    {
        if raw.len() > MOST_ARGUMENTS {
            let element = |b, [buffers, sizes]: [Value; 2], k: usize| match k.checked_sub(inputs.len()) {
                None => buffer_or_number(b, buffers, k, inputs[k]),
                Some(size) => element(b, sizes, size, ctx.int(64)),
            };
            only_packed(function, &whole, element);
        } else {
            packed(function, symbols, &inputs, &raw, &results);
        }
    }
    Ok(())
}

/// Passes buffers to a function in the convention of [`raw_convention`]: pointers, then each dynamic size.
fn raw_call(call: Op) {
    let operands = call.operands();
    if !operands.iter().any(|v| v.ty().is_memref()) {
        return;
    }
    let b = Builder::before(call);
    let (ctx, word) = (b.context(), b.context().int(64));
    let to_word = |v: Value| b.value(Kind::ArithIndexCast, &[v], word, &[]);
    let (mut raw, mut sizes) = (Vec::new(), Vec::new());
    for v in operands {
        if !v.ty().is_memref() {
            raw.push(v);
            continue;
        }
        let address = to_word(b.value(Kind::MemrefExtractAlignedPointerAsIndex, &[v], ctx.index(), &[]));
        raw.push(b.value(Kind::LlvmInttoptr, &[address], ctx.ptr(), &[]));
        for (k, _) in v.ty().shape().iter().enumerate().filter(|(_, n)| n.is_none()) {
            sizes.push(to_word(b.size_of(v, k)));
        }
    }
    raw.extend(sizes);
    let callee = call.cast::<Call>().callee();
    call.replace_with(Call::create(b, &raw, &callee, &types_of(&call.results())).result());
}

/// Checks whether an argument of this type can be passed. Vectors are passed inside of a module only.
fn is_passed(t: Type, function: Op) -> bool {
    t.is_scalar() || t.is_contiguous_memref() || is_llvm(t) || t.is_vector() && is_private(function)
}

fn is_llvm(t: Type) -> bool {
    t.to_string().starts_with("!llvm.")
}

/// Keeps the attributes of the arguments, and adds `llvm.noalias` to buffers that are `disjoint`.
fn argument_attributes(function: Op, inputs: &[Type], len: usize, disjoint: bool) -> Attribute {
    let ctx = function.context();
    let had = function.attribute("arg_attrs").and_then(Attribute::as_array).unwrap_or_default();
    let with_noalias = |i: usize| -> Attribute {
        let old = had.get(i).map_or(String::new(), |a| a.to_string());
        let inner = old.trim_start_matches('{').trim_end_matches('}').trim();
        let comma = if inner.is_empty() { "" } else { ", " };
        ctx.attribute(&format!("{{{inner}{comma}llvm.noalias, llvm.nocapture}}"))
    };
    let attributes = |i: usize| match inputs.get(i) {
        Some(t) if t.is_memref() && disjoint => with_noalias(i),
        _ => had.get(i).copied().unwrap_or_else(|| ctx.attribute("{}")),
    };
    ctx.array_attr(&(0..len).map(attributes).collect::<Vec<_>>())
}

/// Loads element `k` of an array of pointers or words.
fn element(b: Builder, array: Value, k: usize, ty: Type) -> Value {
    b.value(Kind::LlvmLoad, &[heap::element_of(b, array, k, ty)], ty, &[])
}

/// Loads argument `k` of type `ty`: the pointer to an array, or the scalar at the pointer.
fn buffer_or_number(b: Builder, buffers: Value, k: usize, ty: Type) -> Value {
    let p = element(b, buffers, k, b.context().ptr());
    if ty.is_memref() { p } else { b.value(Kind::LlvmLoad, &[p], ty, &[]) }
}

/// Creates `@f.packed(ptr buffers, ptr sizes)`, which loads the pointers (scalars through theirs) and sizes in order,
/// calls `@f`, and returns its status, if any.
fn packed(function: Op, symbols: &mut Symbols, inputs: &[Type], raw: &[Type], results: &[Type]) {
    let (ctx, loc) = (function.context(), function.location());
    let name = name_of(function);
    let (ptr, word) = (ctx.ptr(), ctx.int(64));
    let block = block_of([ptr, ptr], loc);
    let b = Builder::at_end(block, loc);
    let (buffers, sizes) = (block.argument(0), block.argument(1));
    let buffers = inputs.iter().enumerate().map(|(k, t)| buffer_or_number(b, buffers, k, *t));
    let args: Vec<Value> = buffers.chain((0..raw.len() - inputs.len()).map(|k| element(b, sizes, k, word))).collect();
    let status = b.make(Kind::FuncCall, &args, results, &[("callee", ctx.symbol_attr(&name))]).results();
    b.make(Kind::FuncReturn, &status, &[], &[]);
    let wrapper = OpBuilder::function(Kind::FuncFunc, &format!("{name}.packed"), block, results, loc).build();
    if let Some(declared) = symbols.remove(&format!("{name}.packed")) {
        declared.erase();
    }
    // Inlining `@f` into its wrapper would compile it twice.
    function.set_attribute("passthrough", passthrough(function, &["nounwind", "noinline"]));
    wrapper.set_attribute("passthrough", passthrough(wrapper, &["nounwind"]));
    Builder { next: None, ..Builder::before(function) }.insert(wrapper);
}

fn passthrough(function: Op, more: &[&str]) -> Attribute {
    let ctx = function.context();
    let mut items = function.attribute("passthrough").and_then(Attribute::as_array).unwrap_or_default();
    items.extend(more.iter().map(|s| ctx.string_attr(s)));
    ctx.array_attr(&items)
}

/// Runs upstream's conversions. `vector` and `affine` each need a pass of their own and are rare.
pub(crate) fn upstream(module: Op) -> Result<()> {
    narrow::widen(module)?;
    let ops = module.nested_ops();
    let has = |dialect: &str| ops.iter().any(|op| dialect_of(op.name()) == dialect);
    let strided = ops.iter().any(|op| STRIDED.contains(&op.kind()));
    let conversions = [
        (has("affine"), Conversion::AffineToStandard),
        (has("scf") || has("affine"), Conversion::ScfToControlFlow),
        (strided, Conversion::Registered("expand-strided-metadata,lower-affine")),
        (has("vector"), Conversion::VectorToLlvm),
        (true, Conversion::ToLlvm),
        (true, Conversion::ReconcileUnrealizedCasts),
    ];
    let needed: Vec<Conversion> = conversions.into_iter().filter_map(|(used, c)| used.then_some(c)).collect();
    conversion::convert(module, &needed).map_err(|e| {
        let reason = match e {
            ConversionError::Unknown(e) => {
                format!("the passes of upstream MLIR must be in this build, but their pipeline failed to parse:\n{e}")
            }
            ConversionError::Failed => "the conversions of upstream MLIR must succeed, but one failed".to_string(),
        };
        error(module.location(), format!("internal error: loops-to-llvm: {reason}"))
    })
}
