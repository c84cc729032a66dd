//! Loops on buffers become the LLVM dialect, with the calling convention of `docs/abi.md`.
//!
//! Reads: `func`, `scf`, `affine`, `cf`, `arith`, `math`, `memref`, `vector`, `index`. Writes: `llvm`. Leaves: `llvm`.
//!
//! ```text
//! func.func @f(%x: memref<?xf64>, %out: memref<f64>)
//!   becomes  llvm.func @f(ptr noalias %x, ptr noalias %out, i64 %x_0)        buffers first, then each `?` in order
//!       and  llvm.func @f.packed(ptr %buffers, ptr %sizes)                   the same for a caller that has arrays of them
//! ```
//! Raw pointers, because the memref convention of upstream loses `noalias`, and its bare-pointer variant silently
//! leaves functions with dynamic shapes behind (LLVM 19); so the descriptors are built inside, and nothing of `func`
//! may be left at the end.

use crate::ir::*;
use crate::libm;
use melior::pass;

/// Dialects that upstream's conversions to LLVM take.
const READS: &[&str] =
    &["func", "scf", "affine", "cf", "arith", "math", "memref", "vector", "index", "llvm", "builtin", "ub"];

/// Views that must be turned into arithmetic on offsets first. Our own passes make none.
const STRIDED: &[&str] = &[
    "memref.subview",
    "memref.reinterpret_cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.extract_strided_metadata",
];

/// Lowers everything in `module` (a `builtin.module`). A failure has been reported as a diagnostic.
pub fn run(module: Op) -> Result<(), Failed> {
    check_dialects(module)?;
    libm::call_for_math(module)?;
    for function in module.body(0).ops() {
        if function.is("func.func") && !function.region(0).blocks().is_empty() {
            raw_convention(function)?;
        }
    }
    upstream(module)?;
    nothing_left(module)
}

/// A failure that a diagnostic has already described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// Reports at `op` and fails.
pub fn fail<T>(op: Op, message: impl AsRef<str>) -> Result<T, Failed> {
    op.error(message.as_ref());
    Err(Failed)
}

fn dialect_of(op: Op) -> String {
    let name = op.name();
    name.split('.').next().unwrap_or_default().to_string()
}

fn check_dialects(module: Op) -> Result<(), Failed> {
    let mut result = Ok(());
    module.walk(&mut |op| {
        if result.is_ok() && !READS.contains(&dialect_of(op).as_str()) {
            result = fail(op, format!("not supported: `{}` in `loops-to-llvm`, which takes loops on buffers", op.name()));
        }
    });
    result
}

/// Gives `function` raw pointers and sizes, and adds its `.packed` form when it returns nothing.
fn raw_convention(function: Op) -> Result<(), Failed> {
    let ctx = function.ctx();
    let ty = function.attr("function_type").and_then(Attr::as_type).expect("func.func has a type");
    let inputs = ty.inputs();
    if let Some(odd) = inputs.iter().find(|t| !t.is_scalar() && !t.is_plain_memref() && !is_llvm(**t)) {
        return fail(function, format!("not supported: argument of type `{odd}`; expected a scalar or a contiguous memref"));
    }
    let loc = function.loc();
    let entry = function.region(0).blocks()[0];
    let old = entry.args();

    let sizes: usize = inputs.iter().map(|t| dynamic_dims(*t)).sum();
    let mut raw: Vec<Type> = inputs.iter().map(|t| if t.is_memref() { ctx.ptr() } else { *t }).collect();
    raw.extend(std::iter::repeat_n(ctx.int(64), sizes));

    // New arguments behind the old ones; descriptors at the top of the entry; then the old arguments go.
    let new: Vec<Value> = raw.iter().map(|t| entry.add_arg(*t, loc)).collect();
    let top = entry.first().expect("a body has a terminator");
    let b = Builder { loc, ..Builder::before(top) };
    let mut size = new[inputs.len()..].iter().copied();
    for (i, t) in inputs.iter().enumerate() {
        let value = if t.is_memref() { descriptor(&b, *t, new[i], &mut size) } else { new[i] };
        old[i].replace_with(value);
    }
    for i in (0..old.len()).rev() {
        entry.erase_arg(i);
    }
    function.set_attr("function_type", ctx.function(&raw, &ty.results()).attr());
    function.set_attr("arg_attrs", argument_attributes(function, &inputs, raw.len()));

    if ty.results().is_empty() && !function.is_private() && !inputs.iter().any(|t| is_llvm(*t)) {
        packed(function, &inputs, &raw);
    }
    Ok(())
}

fn is_llvm(t: Type) -> bool {
    t.to_string().starts_with("!llvm.")
}

fn dynamic_dims(t: Type) -> usize {
    t.shape().iter().filter(|&&d| d == DYNAMIC).count()
}

/// Keeps the attributes that the arguments had and adds `llvm.noalias` to every buffer.
fn argument_attributes(function: Op, inputs: &[Type], len: usize) -> Attr {
    let ctx = function.ctx();
    let had = function.attr("arg_attrs").and_then(Attr::as_array).unwrap_or_default();
    let empty = ctx.dictionary(&[]);
    let with_noalias = |i: usize| -> Attr {
        let old = had.get(i).map_or(String::new(), |a| a.to_string());
        let inner = old.trim_start_matches('{').trim_end_matches('}').trim();
        let comma = if inner.is_empty() { "" } else { ", " };
        ctx.parse_attr(&format!("{{{inner}{comma}llvm.noalias, llvm.nocapture}}")).unwrap_or(empty)
    };
    let all: Vec<Attr> = (0..len)
        .map(|i| match inputs.get(i) {
            Some(t) if t.is_memref() => with_noalias(i),
            _ => had.get(i).copied().unwrap_or(empty),
        })
        .collect();
    ctx.array(&all)
}

/// A memref of type `t` over `base`; takes one value from `sizes` for each `?`. Row-major strides.
fn descriptor(b: &Builder, t: Type, base: Value, sizes: &mut dyn Iterator<Item = Value>) -> Value {
    let (ctx, shape) = (b.ctx(), t.shape());
    let i64_ty = ctx.int(64);
    let number = |n: i64| b.value("llvm.mlir.constant", &[], i64_ty, &[("value", i64_ty.int_attr(n))]);
    let mut fields = vec![ctx.ptr(), ctx.ptr(), i64_ty];
    if !shape.is_empty() {
        let per_dim = ctx.llvm_array(i64_ty, shape.len() as u32);
        fields.extend([per_dim, per_dim]);
    }
    let ty = ctx.llvm_struct(&fields);
    let set = |d: Value, v: Value, at: &[i64]| b.value("llvm.insertvalue", &[d, v], ty, &[("position", ctx.i64s(at))]);

    let mut d = b.value("llvm.mlir.undef", &[], ty, &[]);
    d = set(d, base, &[0]);
    d = set(d, base, &[1]);
    d = set(d, number(0), &[2]);
    let extents: Vec<Value> =
        shape.iter().map(|&n| if n == DYNAMIC { sizes.next().expect("one size for each `?`") } else { number(n) }).collect();
    let mut stride = number(1);
    for k in (0..shape.len()).rev() {
        d = set(d, extents[k], &[3, k as i64]);
        d = set(d, stride, &[4, k as i64]);
        if k > 0 {
            stride = b.same("llvm.mul", &[stride, extents[k]]);
        }
    }
    b.value("builtin.unrealized_conversion_cast", &[d], t, &[])
}

/// `@f.packed(ptr buffers, ptr sizes)`: loads the pointers (scalars through theirs) and sizes in order and calls `@f`.
fn packed(function: Op, inputs: &[Type], raw: &[Type]) {
    let (ctx, loc) = (function.ctx(), function.loc());
    let name = function.symbol().expect("a function has a name");
    let ptr = ctx.ptr();
    let block = Block::new(&[ptr, ptr], loc);
    let b = Builder::at_end(block, loc);
    let [buffers, sizes] = block.args()[..] else { unreachable!("two arguments were given") };
    let element = |array: Value, k: usize, ty: Type| {
        let at = b.value(
            "llvm.getelementptr",
            &[array],
            ptr,
            &[("rawConstantIndices", ctx.i32s(&[k as i32])), ("elem_type", ty.attr())],
        );
        b.value("llvm.load", &[at], ty, &[])
    };
    let mut args = Vec::new();
    for (k, t) in inputs.iter().enumerate() {
        let p = element(buffers, k, ptr);
        args.push(if t.is_memref() { p } else { b.value("llvm.load", &[p], *t, &[]) });
    }
    for k in 0..raw.len() - inputs.len() {
        args.push(element(sizes, k, ctx.int(64)));
    }
    b.op("func.call", &args, &[], &[("callee", ctx.symbol(&name))]);
    b.op("func.return", &[], &[], &[]);
    let wrapper = Make::new("func.func", loc)
        .attr("sym_name", ctx.string(&format!("{name}.packed")))
        .attr("function_type", ctx.function(&[ptr, ptr], &[]).attr())
        .region(Region::of(block))
        .build();
    // Inlining `@f` into its wrapper would compile it twice.
    function.set_attr("passthrough", passthrough(function, &["nounwind", "noinline"]));
    wrapper.set_attr("passthrough", passthrough(wrapper, &["nounwind"]));
    function.block().expect("a function is in a module").append(wrapper);
}

fn passthrough(function: Op, more: &[&str]) -> Attr {
    let ctx = function.ctx();
    let mut items = function.attr("passthrough").and_then(Attr::as_array).unwrap_or_default();
    items.extend(more.iter().map(|s| ctx.string(s)));
    ctx.array(&items)
}

/// Upstream's conversions, in one pass manager. `vector` and `affine` cost a pass each and are rare.
#[allow(unsafe_code)]
fn upstream(module: Op) -> Result<(), Failed> {
    let mut present = std::collections::HashSet::new();
    let mut strided = false;
    module.walk(&mut |op| {
        present.insert(dialect_of(op));
        strided |= STRIDED.iter().any(|name| op.is(name));
    });
    // SAFETY: the module is alive, so its context is; the manager is dropped before either.
    let manager = unsafe { pass::PassManager::from_raw(mlir_sys::mlirPassManagerCreate(module.ctx().raw())) };
    manager.enable_verifier(false);
    if present.contains("affine") {
        manager.add_pass(pass::conversion::create_affine_to_standard());
    }
    if present.contains("scf") || present.contains("affine") {
        manager.add_pass(pass::conversion::create_scf_to_control_flow());
    }
    if strided {
        melior::utility::register_all_passes();
        let passes = manager.as_operation_pass_manager();
        melior::utility::parse_pass_pipeline(passes, "builtin.module(expand-strided-metadata,lower-affine)")
            .expect("upstream's own passes");
    }
    if present.contains("vector") {
        manager.add_pass(pass::conversion::create_vector_to_llvm());
    }
    manager.add_pass(pass::conversion::create_to_llvm());
    manager.add_pass(pass::conversion::create_reconcile_unrealized_casts());
    // SAFETY: as above; `module` is a `builtin.module`, which a pass manager anchored there accepts.
    let result = unsafe { mlir_sys::mlirPassManagerRunOnOp(manager.to_raw(), module.raw()) };
    if result.value == 0 { Err(Failed) } else { Ok(()) }
}

fn nothing_left(module: Op) -> Result<(), Failed> {
    let mut result = Ok(());
    module.walk(&mut |op| {
        if result.is_ok() && dialect_of(op) != "llvm" {
            result = fail(op, format!("not supported: `{}` is left after the conversion to LLVM", op.name()));
        }
    });
    result
}
