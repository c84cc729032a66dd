//! Functions of the C maths library: which `math` ops become calls to it, and where the JIT finds it.
//!
//! LLVM has intrinsics for `exp`, `log`, `sin`, `cos`, `pow`, `sqrt`…; they stay `math` ops here, because LLVM may hoist and
//! vectorise intrinsics freely, and calls the library for those that the machine lacks. What has no intrinsic, or would
//! be expanded with cancellation (`expm1` as `exp(x) - 1`), is called by name, declared free of effects.

use crate::ir::*;
use crate::loops_to_llvm::{Failed, fail};
use std::collections::HashSet;

/// `math` op to C function of f64 (`f` is appended for f32), number of operands.
const CALLS: &[(&str, &str, usize)] = &[
    ("math.acos", "acos", 1),
    ("math.acosh", "acosh", 1),
    ("math.asin", "asin", 1),
    ("math.asinh", "asinh", 1),
    ("math.atan", "atan", 1),
    ("math.atan2", "atan2", 2),
    ("math.atanh", "atanh", 1),
    ("math.cbrt", "cbrt", 1),
    ("math.cosh", "cosh", 1),
    ("math.erf", "erf", 1),
    ("math.expm1", "expm1", 1),
    ("math.log1p", "log1p", 1),
    ("math.sinh", "sinh", 1),
    ("math.tan", "tan", 1),
    ("math.tanh", "tanh", 1),
];

/// Replaces those ops by `llvm.call`.
pub fn call_for_math(module: Op) -> Result<(), Failed> {
    let mut found = Vec::new();
    module.walk(&mut |op| {
        if let Some(call) = CALLS.iter().find(|c| op.is(c.0)) {
            found.push((op, call));
        }
    });
    let mut declared = HashSet::new();
    for (op, (_, name, arity)) in found {
        let ty = op.result(0).ty();
        let name = match (ty.is_float(), ty.bits()) {
            (true, 64) => name.to_string(),
            (true, 32) => format!("{name}f"),
            _ => return fail(op, format!("not supported: `{}` on `{ty}`; expected f32 or f64", op.name())),
        };
        if declared.insert(name.clone()) {
            declare(module, &name, ty, *arity);
        }
        let ctx = op.ctx();
        let call = Builder::before(op).op(
            "llvm.call",
            &op.operands(),
            &[ty],
            &[
                ("callee", ctx.symbol(&name)),
                ("operandSegmentSizes", ctx.i32s(&[*arity as i32, 0])),
                ("op_bundle_sizes", ctx.i32s(&[])),
            ],
        );
        op.result(0).replace_with(call.result(0));
        op.erase();
    }
    Ok(())
}

fn declare(module: Op, name: &str, ty: Type, arity: usize) {
    let ctx = module.ctx();
    let types = vec![ty.to_string(); arity].join(", ");
    let attr = |s: &str| ctx.parse_attr(s).expect("a well-formed attribute");
    let declaration = Make::new("llvm.func", module.loc())
        .attr("sym_name", ctx.string(name))
        .attr("function_type", ctx.parse_type(&format!("!llvm.func<{ty} ({types})>")).expect("a function type").attr())
        .attr("linkage", attr("#llvm.linkage<external>"))
        .attr("memory_effects", attr("#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>"))
        .attr("passthrough", attr(r#"["nounwind", "willreturn"]"#))
        .region(Region::empty())
        .build();
    let body = module.body(0);
    match body.first() {
        Some(first) => body.insert_before(first, declaration),
        None => body.append(declaration),
    }
}

macro_rules! symbols {
    ($($name:ident),* $(,)?) => {
        /// Everything that generated code may call, by name and address: no other symbol of the process is visible to it.
        #[allow(unsafe_code)]
        pub fn symbols() -> Vec<(&'static str, usize)> {
            // Only the addresses are taken; the types are those of the C library and do not matter here.
            #[link(name = "m")]
            unsafe extern "C" {
                $(fn $name();)*
            }
            vec![$((stringify!($name), $name as *const () as usize)),*]
        }
    };
}

symbols! {
    acos, acosf, acosh, acoshf, asin, asinf, asinh, asinhf, atan, atanf, atan2, atan2f, atanh, atanhf, cbrt,
    cbrtf, ceil, ceilf, copysign, copysignf, cos, cosf, cosh, coshf, erf, erff, exp, expf, exp2, exp2f, expm1,
    expm1f, fabs, fabsf, floor, floorf, fma, fmaf, fmax, fmaxf, fmin, fminf, fmod, fmodf, ldexp, ldexpf, log,
    logf, log10, log10f, log1p, log1pf, log2, log2f, pow, powf, rint, rintf, round, roundf, roundeven, roundevenf,
    sin, sinf, sinh, sinhf, sqrt, sqrtf, tan, tanf, tanh, tanhf, trunc, truncf, memcpy, memmove, memset, sincos,
    sincosf, __powidf2, __powisf2,
}
