//! Arithmetic on f16 and bf16 becomes arithmetic on f32, because these types are for storage: each op extends its
//! operands to f32, is computed there, and rounds its result. Sums, products and scatters add in f32, and round once.
//!
//! Operations that only move elements are not changed, nor are conversions between floats. An integer is rounded once:
//! one of 32 bits becomes an f64 first, which is exact, and so does one of 64 bits, after its lowest bits have been
//! replaced by one that tells whether they were zero.
//!
//! Requires: no requests for derivatives. Result: the only arithmetic on f16 and bf16 is `arith.extf`, `arith.truncf`
//! and `arith.bitcast`. Preserves: ops on other types.
//! ```mlir before
//! func.func @scaled(%x: tensor<4xbf16>, %a: tensor<4xbf16>) -> bf16 {
//!   %y = arith.mulf %x, %a : tensor<4xbf16>
//!   %z = array.sum %y : (tensor<4xbf16>) -> bf16
//!   return %z : bf16
//! }
//! ```
//! ```mlir after
//! func.func @scaled(%x: tensor<4xbf16>, %a: tensor<4xbf16>) -> bf16 {
//!   %p = arith.extf %x : tensor<4xbf16> to tensor<4xf32>
//!   %q = arith.extf %a : tensor<4xbf16> to tensor<4xf32>
//!   %wide = arith.mulf %p, %q : tensor<4xf32>
//!   %y = arith.truncf %wide : tensor<4xf32> to tensor<4xbf16>
//!   %r = arith.extf %y : tensor<4xbf16> to tensor<4xf32>
//!   %sum = array.sum %r : (tensor<4xf32>) -> f32
//!   %z = arith.truncf %sum : f32 to bf16
//!   return %z : bf16
//! }
//! ```

use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};
use mlopt_dialects::value::Element;

/// The pass `--widen-halves`.
pub const PASS: Pass = Pass {
    name: "widen-halves",
    description: "Compute arithmetic on f16 and bf16 in f32, and round its results",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["array", "arith"],
    run: |module, _| {
        run(module);
        Ok::<(), Reported>(())
    },
};

/// Rewrites every function of `module`.
pub fn run(module: Op) {
    for op in module.nested_ops().into_iter().filter(|op| is_arithmetic(op.kind())) {
        let has_halves = op.operands().into_iter().chain(op.results()).any(|v| is_half(v.ty()));
        match op.kind() {
            _ if !has_halves => {}
            Kind::ArithSitofp | Kind::ArithUitofp => of_integers(op),
            _ => widen(op),
        }
    }
}

fn is_half(ty: Type) -> bool {
    ty.element().is_some_and(Element::is_half)
}

/// Checks whether an op computes with its operands, rather than moving or converting floats.
fn is_arithmetic(kind: Kind) -> bool {
    use Kind::*;
    match kind.dialect() {
        "arith" => !matches!(kind, ArithConstant | ArithSelect | ArithBitcast | ArithExtf | ArithTruncf),
        "math" => true,
        _ => {
            matches!(kind, ArraySum | ArrayProd | ArrayMax | ArrayMin | ArrayArgmax | ArrayArgmin)
                || matches!(kind, ArrayFloor | ArrayScatter)
        }
    }
}

fn with_element(ty: Type, element: Element) -> Type {
    let scalar = ty.context().scalar(element);
    if ty.is_tensor() { Type::tensor(&ty.shape(), scalar) } else { scalar }
}

/// Computes `op` in f32.
fn widen(op: Op) {
    let b = Builder::before(op);
    for (k, v) in op.operands().into_iter().enumerate().filter(|(_, v)| is_half(v.ty())) {
        op.set_operand(k, b.unary(Kind::ArithExtf, &[v], with_element(v.ty(), Element::F32)));
    }
    for z in op.results().into_iter().filter(|z| is_half(z.ty())) {
        let half = z.ty();
        z.set_type(with_element(half, Element::F32));
        // The result is rounded after all its uses have been replaced, so that this use remains.
        let rounded = Builder { next: op.next(), ..b }.unary(Kind::ArithTruncf, &[z], half);
        z.replace_all_uses_with(rounded);
        let (rounding, _) = rounded.defining_op().expect("the result of an op");
        rounding.set_operand(0, z);
    }
}

/// Converts integers to f16 or bf16 with one rounding.
fn of_integers(op: Op) {
    let b = Builder::before(op);
    let (mut x, half) = (op.operand(0), op.result(0).ty());
    let bits = x.ty().element().map_or(64, Element::bits);
    if bits == 64 {
        x = sticky(b, x, op.kind() == Kind::ArithSitofp);
    }
    let exact = if bits <= 16 { Element::F32 } else { Element::F64 };
    let float = b.unary(op.kind(), &[x], with_element(x.ty(), exact));
    op.replace_with([b.unary(Kind::ArithTruncf, &[float], half)]);
}

/// Returns integers with at most 53 significant bits that f16 and bf16 represent by the same numbers as `x`: the lowest
/// 11 bits of a large one become zero, and the bit above them becomes one if they were not zero.
fn sticky(b: Builder, x: Value, is_signed: bool) -> Value {
    let number = |n: i64| {
        let scalar = b.constant(Attribute::integer(x.ty().scalar(), n), x.ty().scalar());
        b.filled_like(x, scalar)
    };
    let op = |kind: Kind, y: Value, z: Value| b.unary(kind, &[y, z], x.ty());
    let [zero, low, last] = [0, 0x7ff, 0x800].map(number);
    let is_lost = b.compare_integers(CmpIPredicate::Ne, op(Kind::ArithAndi, x, low), zero);
    let told = op(Kind::ArithOri, op(Kind::ArithAndi, x, number(!0x7ff)), b.select(is_lost, last, zero));
    let exact = 1i64 << 53;
    let is_large = match is_signed {
        true => {
            let shifted = op(Kind::ArithAddi, x, number(exact));
            b.compare_integers(CmpIPredicate::Ugt, shifted, number(2 * exact))
        }
        false => b.compare_integers(CmpIPredicate::Ugt, x, number(exact)),
    };
    b.select(is_large, told, x)
}
