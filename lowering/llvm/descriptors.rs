//! Descriptors of memrefs: the structs to which MLIR converts memrefs.

use crate::ir::*;
use mlopt_dialects::value::Element;

/// Returns a memref of type `t` over `base`, with row-major strides. It takes one value from `sizes` for each `?`.
pub(crate) fn descriptor(b: Builder, t: Type, base: Value, sizes: &mut dyn Iterator<Item = Value>) -> Value {
    let (ctx, shape) = (b.context(), t.shape());
    let word = ctx.int(64);
    let number = |n: i64| llvm_number(b, word, n);
    let ty = descriptor_type(ctx, shape.len());
    let set = |d: Value, v: Value, at: &[i64]| {
        b.value(Kind::LlvmInsertvalue, &[d, v], ty, &[("position", ctx.i64_array_attr(at))])
    };
    let mut d = b.value(Kind::LlvmMlirUndef, &[], ty, &[]);
    d = set(d, base, &[0]);
    d = set(d, base, &[1]);
    d = set(d, number(0), &[2]);
    let extent = |n: Dim| n.map_or_else(|| sizes.next().expect("one size for each `?`"), |n| number(n as i64));
    let extents: Vec<Value> = shape.iter().copied().map(extent).collect();
    let mut stride = number(1);
    for k in (0..shape.len()).rev() {
        d = set(d, extents[k], &[3, k as i64]);
        d = set(d, stride, &[4, k as i64]);
        if k > 0 {
            stride = b.same(Kind::LlvmMul, &[stride, extents[k]]);
        }
    }
    b.value(Kind::BuiltinUnrealizedConversionCast, &[d], t, &[])
}

/// Replaces the loads and stores of a memref of rank 0 by those of its pointer, which needs no descriptor. Returns
/// `false`, and changes nothing, if the memref has other users or if LLVM has another type for its element.
pub(crate) fn access_directly(memref: Value, pointer: Value) -> bool {
    let has_element = memref.ty().element().is_some_and(|element| element != Element::Index);
    let is_access = |op: Op| matches!(op.kind(), Kind::MemrefLoad | Kind::MemrefStore) && op.attributes().is_empty();
    if memref.ty().rank() != 0 || !has_element || !memref.users().all(is_access) {
        return false;
    }
    for op in memref.users().collect::<Vec<_>>() {
        let b = Builder::before(op);
        if op.kind() == Kind::MemrefLoad {
            op.replace_with([b.value(Kind::LlvmLoad, &[pointer], memref.ty().scalar(), &[])]);
        } else {
            b.make(Kind::LlvmStore, &[op.operand(0), pointer], &[], &[]);
            op.erase();
        }
    }
    true
}

/// Returns the LLVM type of a memref of this rank.
pub(crate) fn descriptor_type(ctx: Context, rank: usize) -> Type {
    let word = ctx.int(64);
    let mut fields = vec![ctx.ptr(), ctx.ptr(), word];
    if rank > 0 {
        let per_dim = ctx.llvm_array(word, rank);
        fields.extend([per_dim, per_dim]);
    }
    ctx.llvm_struct(&fields)
}

/// Creates a constant of the LLVM dialect.
pub(crate) fn llvm_number(b: Builder, ty: Type, n: i64) -> Value {
    b.value(Kind::LlvmMlirConstant, &[], ty, &[("value", Attribute::integer(ty, n))])
}
