//! Patterns: products of matrices, and functions of them.

use super::elementwise;
use crate::random::builder::{Builder, Dim, Value};
use mlopt_dialects::ops::Kind;

/// Reads x[i, k], or x[k, i] if it is stored transposed.
fn element(b: &mut Builder, x: &Value, i: &Value, k: &Value, transposed: bool) -> Value {
    b.get(x, &if transposed { [k, i] } else { [i, k] })
}

fn pair(i: Dim, k: Dim, transposed: bool) -> [Dim; 2] {
    if transposed { [k, i] } else { [i, k] }
}

/// Writes a product of two matrices, each possibly stored transposed, or of a matrix and a vector; and a function of
/// the product.
pub fn product(b: &mut Builder) {
    let [n, m, k] = b.dims::<3>(6.0);
    let (first, second) = (b.once_in(3), b.once_in(3));
    let x = b.floats(&pair(n, k, first));
    let z = match b.below(4) {
        0 => {
            let y = b.floats(&[k]);
            b.build(&[n], |b, at| b.dot(k, |b, l| (element(b, &x, &at[0], l, first), b.get(&y, &[l]))))
        }
        1 if !first => {
            // By bulk operations: x over columns, y over rows.
            let y = b.floats(&[k, m]);
            let xs = b.broadcast(&x, 2, m);
            let ys = b.broadcast(&y, 0, n);
            let p = b.binary(Kind::ArithMulf, &xs, &ys);
            b.reduce("sum", &p, &[1])
        }
        _ => {
            let y = b.floats(&pair(k, m, second));
            b.build(&[n, m], |b, at| {
                b.dot(k, |b, l| (element(b, &x, &at[0], l, first), element(b, &y, l, &at[1], second)))
            })
        }
    };
    let z = b.tame(z);
    let z = if b.once_in(3) { elementwise::function(b, &z) } else { z };
    b.keep(&z);
}

/// Writes products of matrices for each element of a batch.
pub fn batched(b: &mut Builder) {
    let [g, n, m, k] = b.dims::<4>(7.0);
    let x = b.floats(&[g, n, k]);
    let shared = b.once_in(3);
    let y = if shared { b.floats(&[k, m]) } else { b.floats(&[g, k, m]) };
    let by_rows = b.once_in(3);
    let body = |b: &mut Builder, c: &Value, i: &Value, j: &Value| {
        b.dot(k, |b, l| (b.get(&x, &[c, i, l]), b.get(&y, &[c, l, j][usize::from(shared)..])))
    };
    let z = if by_rows {
        b.build(&[g], |b, c| b.build(&[n, m], |b, at| body(b, &c[0], &at[0], &at[1])))
    } else {
        b.build(&[g, n, m], |b, at| body(b, &at[0], &at[1], &at[2]))
    };
    b.keep(&z);
}

/// Computes xᵀ · A · y for rows of a matrix, or products of columns with each other (covariances).
pub fn quadratic(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(8.0);
    if !b.affords(&[n, m, m], 6.0) {
        let square = b.binary(Kind::ArithMulf, &x, &x);
        let z = b.reduce("sum", &square, &[1]);
        return b.keep(&z);
    }
    let z = if b.coin() {
        let a = b.floats(&[m, m]);
        b.build(&[n], |b, at| {
            b.dot(m, |b, i| {
                let xi = b.get(&x, &[&at[0], i]);
                (xi, b.dot(m, |b, j| (b.get(&a, &[i, j]), b.get(&x, &[&at[0], j]))))
            })
        })
    } else {
        b.build(&[m, m], |b, at| b.dot(n, |b, l| (b.get(&x, &[l, &at[0]]), b.get(&x, &[l, &at[1]]))))
    };
    b.keep(&z.bounded(4.0 * b.elements(&[n, m]).max(1.0)));
}

/// Computes distances or kernels between the rows of two matrices.
pub fn distances(b: &mut Builder) {
    let [n, m, d] = b.dims::<3>(9.0);
    let (x, y) = (b.floats(&[n, d]), b.floats(&[m, d]));
    let squares = b.build(&[n, m], |b, at| {
        b.sum_over(d, |b, l| {
            let (x, y) = (b.get(&x, &[&at[0], l]), b.get(&y, &[&at[1], l]));
            let d = b.binary(Kind::ArithSubf, &x, &y);
            b.binary(Kind::ArithMulf, &d, &d)
        })
    });
    let squares = squares.bounded(9.0 * b.size(d).max(1) as f64);
    let z = match b.below(4) {
        0 => squares,
        1 => {
            let above = b.with_constant(Kind::ArithAddf, &squares, 0.125);
            b.unary(Kind::MathSqrt, &above)
        }
        2 => {
            let minus = b.with_constant(Kind::ArithMulf, &squares, -0.25);
            b.unary(Kind::MathExp, &minus).bounded(1.0)
        }
        _ => b.reduce("min", &squares, &[1]),
    };
    b.keep(&z);
}
