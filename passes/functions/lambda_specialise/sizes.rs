//! Conversion of arrays to types that determine other sizes, with checks at run time.

use super::overloads::{checked, values};
use mlopt_dialects::ir::{Block, Builder, Dim, Region, Type, Value};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::{CmpIPredicate, Kind};

/// Emits a value at a type that differs from its own at most in the sizes of arrays that one of them leaves open. The
/// program stops with the error `shape-mismatch` if a size differs from the one that `ty` determines.
pub fn at_type(b: Builder, x: Value, ty: Type) -> Value {
    if x.ty() == ty {
        return x;
    }
    match TypeKind::of(ty) {
        TypeKind::Array(_) if ty.is_tensor() && x.ty().is_tensor() => with_sizes(b, x, &ty.shape()),
        kind @ (TypeKind::Tuple(_) | TypeKind::Record(..)) => {
            let parts = values(b, x).into_iter().zip(ty.parts());
            let parts: Vec<Value> = parts.map(|(x, ty)| at_type(b, x, ty)).collect();
            let whole = if let TypeKind::Tuple(_) = kind { Kind::LambdaTuple } else { Kind::LambdaRecord };
            b.unary(whole, &parts, ty)
        }
        _ => x,
    }
}

/// Emits arrays of one rank, or the trailing axes of one, with the sizes that any of them determines; other values are
/// unchanged.
pub fn at_common_sizes(b: Builder, x: &[Value]) -> Vec<Value> {
    let rank = x.iter().map(|x| x.ty().rank()).max().unwrap_or(0);
    let mut sizes: Vec<Dim> = vec![None; rank];
    for x in x {
        let start = rank - x.ty().rank();
        sizes[start..].iter_mut().zip(x.ty().shape()).for_each(|(size, own)| *size = size.or(own));
    }
    x.iter().map(|x| with_sizes(b, *x, &sizes[rank - x.ty().rank()..])).collect()
}

/// Emits an array at a type with these sizes.
pub fn with_sizes(b: Builder, x: Value, sizes: &[Dim]) -> Value {
    let own = x.ty().shape();
    if own == sizes {
        return x;
    }
    let mut x = x;
    for (axis, size) in sizes.iter().enumerate() {
        let (None, Some(n)) = (own[axis], size) else { continue };
        let ok = b.compare_integers(CmpIPredicate::Eq, b.length(x, axis), b.index(*n as i64));
        let text = format!("the operands have different sizes: axis {axis} of one of them must have size {n}");
        x = checked(b, ok, x, "shape-mismatch", &text);
    }
    b.unary(Kind::TensorCast, &[x], Type::tensor(sizes, x.ty().scalar()))
}

/// Emits a function that calls `f` and returns its result at another type; `f` itself if that is its type.
pub fn with_result(b: Builder, f: Value, ty: Type) -> Value {
    let Some((inputs, results)) = f.ty().signature() else { return f };
    if results[0] == ty {
        return f;
    }
    let arguments: Vec<_> = inputs.iter().map(|t| (*t, b.location)).collect();
    let block = Block::new(&arguments);
    let inner = Builder::at_end(block, b.location);
    let y = inner.unary(Kind::LambdaApply, &[&[f], block.arguments().as_slice()].concat(), results[0]);
    let y = at_type(inner, y, ty);
    inner.insert(inner.op(Kind::LambdaReturn).operands(&[y]).build());
    let g = b.op(Kind::LambdaLambda).results(&[types::function(&inputs, ty)]);
    b.insert(g.region(Region::with_block(block)).build()).result(0)
}
