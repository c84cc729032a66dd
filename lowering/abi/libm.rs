//! Functions of the C maths library: the table of the `math` ops that become calls to it, and the [`symbols`] of the
//! functions, for the JIT.
//!
//! LLVM has intrinsics for `exp`, `log`, `sin`, `cos`, `pow`, `sqrt` and others. These remain `math` ops here: LLVM may
//! hoist and vectorise intrinsics freely, and itself calls the library for an intrinsic that the processor lacks. The
//! functions of this table have no intrinsic, or would lose accuracy if they were expanded, as `expm1` to `exp(x)-1`.
//! They are called by name and declared free of side effects.

use crate::ir::*;
pub use mlopt_dialects::bridge::c_library::symbols;
use mlopt_dialects::value::Element;
use std::collections::HashSet;

/// Checks whether a `math` op becomes a call. The C function of f64 has the name of the op; `f` is appended for f32.
fn is_called(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, MathAcos | MathAcosh | MathAsin | MathAsinh | MathAtan | MathAtan2 | MathAtanh | MathCbrt)
        || matches!(kind, MathCosh | MathErf | MathExpm1 | MathLog1p | MathSinh | MathTan | MathTanh)
}

/// Replaces these ops by `llvm.call`.
pub fn call_for_math(module: Op) -> Result<()> {
    let mut declared = HashSet::new();
    for op in module.nested_ops().into_iter().filter(|op| is_called(op.kind())) {
        let (name, ty) = (op.kind().name().trim_start_matches("math."), op.result(0).ty());
        let name = match ty.element() {
            Some(Element::F64) if !ty.is_tensor() => name.to_string(),
            Some(Element::F32) if !ty.is_tensor() => format!("{name}f"),
            _ => return Err(op.not_supported(format!("expected f32 or f64, found {ty}"))),
        };
        if declared.insert(name.clone()) {
            declare(module, &name, ty, op.num_operands());
        }
        op.replace_with([llvm_call(Builder::before(op), &name, &op.operands(), &[ty]).result(0)]);
    }
    Ok(())
}

fn declare(module: Op, name: &str, ty: Type, arity: usize) {
    let ctx = module.context();
    let types = vec![ty.to_string(); arity].join(", ");
    let effects = "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>";
    let ty = ctx.attribute(&format!("!llvm.func<{ty} ({types})>"));
    let declaration = llvm_function(module.location(), name, ty, "external", Region::new())
        .attribute("memory_effects", ctx.attribute(effects))
        .attribute("passthrough", ctx.strings_attr(["nounwind", "willreturn"]));
    prepend(module.entry(), declaration.build());
}

/// Starts an `llvm.func`; without a block it is a declaration.
pub fn llvm_function(location: Location, name: &str, ty: Attribute, linkage: &str, body: Region) -> OpBuilder {
    let ctx = location.context();
    OpBuilder::new(Kind::LlvmFunc, location)
        .attribute("sym_name", ctx.string_attr(name))
        .attribute("function_type", ty)
        .attribute("linkage", ctx.attribute(&format!("#llvm.linkage<{linkage}>")))
        .region(body)
}

/// Creates `llvm.call` of the function `name`.
pub fn llvm_call(b: Builder, name: &str, operands: &[Value], results: &[Type]) -> Op {
    let ctx = b.context();
    let attributes = [
        ("callee", ctx.symbol_attr(name)),
        ("operandSegmentSizes", ctx.i32_array_attr(&[operands.len() as i32, 0])),
        ("op_bundle_sizes", ctx.i32_array_attr(&[])),
    ];
    b.make(Kind::LlvmCall, operands, results, &attributes)
}
