//! Derivatives of the reductions that are not linear: products, maxima and minima.

use super::Point;
use mlopt_dialects::ir::{Builder, Dim, Value};
use mlopt_dialects::ops::Kind;

/// Computes Σ_r w_r·t_r. The weight w_r is the product of all other rows: those before times those after.
pub fn prod(p: &Point, t: Value) -> Value {
    let b = p.builder;
    let (x, t) = (rows_first(p, p.x[0]), rows_first(p, t));
    let before = running_products(p, x);
    let after = b.reverse(running_products(p, b.reverse(x)));
    let others = p.mul(before, after);
    b.reduce(Kind::ArraySum, p.mul(others, t), &[0], p.op.attribute("fastmath"))
}

/// Computes for each row of `x` the product of the rows before it. Each product has the shape of the result of `p`.
fn running_products(p: &Point, x: Value) -> Value {
    let one = p.builder.float_like(p.z, 1.0);
    p.builder.map_accum(&[x], &[one], |b, rows, product| {
        vec![b.elementwise(p.op, Kind::ArithMulf, &[product[0], rows[0]]), product[0]]
    })[1]
}

/// Returns the tangent at the first extremum of the primal.
pub fn chosen(p: &Point, t: Value, search: fn(Builder, Value, usize) -> Value) -> Value {
    let b = p.builder;
    let (x, t) = (rows_first(p, p.x[0]), rows_first(p, t));
    let at = search(b, x, 0);
    let rank = at.ty().rank();
    if rank == 0 {
        return b.get(t, &[at]);
    }
    let sizes = at.ty().shape();
    b.gather(t, &sizes, &b.extents(p.z, rank), |b, j| [&[b.get(at, j)], j].concat())
}

/// Returns `x` with its reduced axes collapsed into one, the outermost axis.
fn rows_first(p: &Point, x: Value) -> Value {
    let b = p.builder;
    let axes = p.op.attribute("axes").and_then(|a| a.as_i64_array()).unwrap_or(vec![0]);
    let axes: Vec<usize> = axes.into_iter().map(|a| a as usize).collect();
    let rest: Vec<usize> = (0..x.ty().rank()).filter(|a| !axes.contains(a)).collect();
    let order = [axes.as_slice(), &rest].concat();
    let x = if order.is_sorted() { x } else { b.transpose(x, &order) };
    if axes.len() == 1 {
        return x;
    }
    let shape = x.ty().shape();
    let known = shape[..axes.len()].iter().try_fold(1, |n, d| d.map(|d| n * d));
    let sizes: Vec<Dim> = [&[known], &shape[axes.len()..]].concat();
    let mut extents = Vec::new();
    if known.is_none() {
        let product = (0..axes.len()).map(|a| b.length(x, a)).reduce(|n, m| b.unary(Kind::ArithMuli, &[n, m], n.ty()));
        extents.extend(product);
    }
    extents.extend((axes.len()..shape.len()).filter(|&a| shape[a].is_none()).map(|a| b.length(x, a)));
    b.reshape(x, &sizes, &extents)
}
