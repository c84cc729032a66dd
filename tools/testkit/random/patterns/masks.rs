//! Patterns: masks, which are arrays of `i1`. They are arguments, or computed by comparisons of floats or from
//! positions.

use crate::random::builder::{Builder, Draw, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// Computes a condition on two positions: a triangle, a band, a checkerboard.
fn region(b: &mut Builder, i: &Value, j: &Value) -> Value {
    match b.below(4) {
        0 | 1 => {
            let predicate = b.one_of(&["sle", "slt", "sge", "sgt", "ne", "eq", "ult"]);
            b.compare(predicate, i, j)
        }
        2 => {
            let width = b.below(6) as i64;
            let apart = b.binary(Kind::ArithSubi, i, j);
            let (low, high) = (b.index(-width), b.index(width));
            let (above, below) = (b.compare("sge", &apart, &low), b.compare("sle", &apart, &high));
            b.binary(Kind::ArithAndi, &above, &below)
        }
        _ => {
            let two = b.index(2);
            let sum = b.binary(Kind::ArithAddi, i, j);
            let rest = b.binary(Kind::ArrayMod, &sum, &two);
            let zero = b.index(0);
            b.compare("eq", &rest, &zero)
        }
    }
}

/// Returns an array of `i1` with the sizes of `x`.
pub fn mask(b: &mut Builder, x: &Value) -> Value {
    match b.below(5) {
        0 | 1 => {
            let chance = b.one_of(&[0.5, 0.1, 0.9]);
            b.parameter(&x.shape, Element::I1, Draw::Bool(chance))
        }
        2 if x.rank() >= 2 => {
            let shape = x.shape.clone();
            b.build(&shape, |b, at| region(b, &at[at.len() - 2], &at[at.len() - 1]))
        }
        3 => {
            // Padding: rows have lengths.
            let last = x.shape[x.rank() - 1];
            let lengths = b.positions(&x.shape[..x.rank() - 1], last);
            let shape = x.shape.clone();
            b.build(&shape, |b, at| {
                let (leading, j) = at.split_at(at.len() - 1);
                let n = if leading.is_empty() { lengths.clone() } else { b.get(&lengths, leading) };
                b.compare("slt", &j[0], &n)
            })
        }
        _ => {
            let limit = b.constant_like(0.25, x);
            let predicate = b.one_of(&["olt", "oge", "ogt"]);
            b.compare(predicate, x, &limit)
        }
    }
}

/// Writes a reduction of the masked elements of an array; occasionally the mask is a result too.
pub fn reduction(b: &mut Builder) {
    let (x, dims) = b.input::<2>(3.0);
    let m = mask(b, &x);
    let kind = b.one_of(&["sum", "sum", "max", "min", "prod"]);
    let neutral = match kind {
        "sum" => 0.0,
        "prod" => 1.0,
        "max" => -3.0,
        _ => 3.0,
    };
    let scaled = if kind == "prod" { b.unary(Kind::MathTanh, &x) } else { x };
    let masked = if b.once_in(3) {
        b.build(&dims, |b, at| {
            let (c, x) = (b.get(&m, at), b.get(&scaled, at));
            let rest = b.real(neutral);
            b.select(&c, &x, &rest)
        })
    } else {
        let rest = b.constant_like(neutral, &scaled);
        b.select(&m, &scaled, &rest)
    };
    let axes: &[usize] = b.one_of(&[&[0], &[1], &[0, 1]]);
    let z = b.reduce(kind, &masked, axes);
    if b.once_in(3) {
        b.results.push(m);
    }
    b.keep(&z);
}

/// Computes Σ over j in a triangle or band of x[i, j] · y[j], by a loop that ends at i or by a select.
pub fn triangular_sum(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(10.0);
    let y = b.floats(&[m]);
    let z = if b.coin() {
        b.build(&[n], |b, at| {
            let (i, one) = (&at[0], b.index(1));
            let count = if b.coin() { b.binary(Kind::ArithAddi, i, &one) } else { i.clone() };
            let count = if b.coin() {
                let m = b.length(m);
                b.binary(Kind::ArithMinsi, &count, &m)
            } else {
                count
            };
            let zero = b.real(0.0);
            let half = b.size(n) as f64 / 2.0 + 1.0;
            let sum = b.ifold(&count, half, &[zero], 0.0, |b, j, s| {
                let (x, y) = (b.get(&x, &[i, j]), b.get(&y, &[j]));
                let p = b.binary(Kind::ArithMulf, &x, &y);
                vec![b.binary(Kind::ArithAddf, &s[0], &p)]
            });
            sum[0].clone().bounded(2.25 * half)
        })
    } else {
        b.build(&[n], |b, at| {
            b.sum_over(m, |b, j| {
                let (x, y) = (b.get(&x, &[&at[0], j]), b.get(&y, &[j]));
                let p = b.binary(Kind::ArithMulf, &x, &y);
                let (inside, zero) = (region(b, &at[0], j), b.real(0.0));
                b.select(&inside, &p, &zero)
            })
        })
    };
    b.keep(&z);
}

/// Computes the product of a triangular matrix, given by the vector of its elements below the diagonal, and vectors (as
/// in mixtures of normal distributions).
pub fn packed_triangle(b: &mut Builder) {
    let [n, k] = b.dims::<2>(30.0);
    let square = b.computed("mul", n, n);
    let icf = b.floats(&[k, square]);
    let x = b.floats(&[k, n]);
    let l = b.build(&[k, n, n], |b, at| {
        let [c, i, j] = [0, 1, 2].map(|k: usize| at[k].clone());
        let (below, on) = (b.compare("sgt", &i, &j), b.compare("eq", &i, &j));
        let (one, two) = (b.index(1), b.index(2));
        let before = b.binary(Kind::ArithSubi, &i, &one);
        let product = b.binary(Kind::ArithMuli, &i, &before);
        let start = b.binary(Kind::ArrayDiv, &product, &two);
        let place = b.binary(Kind::ArithAddi, &start, &j);
        let (e, diagonal) = (b.get(&icf, &[c.clone(), place]), b.get(&icf, &[c, i]));
        let diagonal = b.unary(Kind::MathExp, &diagonal);
        let zero = b.real(0.0);
        let rest = b.select(&below, &e, &zero);
        b.select(&on, &diagonal, &rest)
    });
    let z = b.build(&[k, n], |b, at| b.dot(n, |b, j| (b.get(&l, &[&at[0], &at[1], j]), b.get(&x, &[&at[0], j]))));
    b.keep(&z);
}

/// Broadcasts a vector under a mask.
pub fn dropout(b: &mut Builder) {
    let (x, [n]) = b.input::<1>(0.5);
    let m = if b.affords(&[n], 60.0) { b.dims::<1>(3.0 * b.size(n).max(1) as f64)[0] } else { b.literal(3) };
    let rows = b.replicate(&x, m);
    let rows = if b.coin() { b.transpose(&rows, &[1, 0]) } else { rows };
    let keep = mask(b, &rows);
    let scaled = b.with_constant(Kind::ArithMulf, &rows, 2.0);
    let zeros = b.constant_like(0.0, &scaled);
    let z = b.select(&keep, &scaled, &zeros);
    let z = b.perhaps_scaled(z);
    let axis = b.below(2);
    let z = if b.coin() { b.reduce("sum", &z, &[axis]) } else { z };
    b.keep(&z);
}

/// Writes a loop over rows with a mask: the state changes where the mask is true.
pub fn rows(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(0.5);
    let keep = b.parameter(&[n], Element::I1, Draw::Bool(0.6));
    let each = b.parameter(&[n, m], Element::I1, Draw::Bool(0.5));
    let state = b.floats(&[m]);
    let all = b.coin();
    let z = b.rows(&[x, keep, each], &[state], 2.0, |b, rows, s| {
        let small = b.with_constant(Kind::ArithMulf, &s[0], 0.5);
        let next = b.binary(Kind::ArithAddf, &small, &rows[0]);
        let next = b.select(&rows[2], &next, &s[0]);
        let next = b.select(&rows[1], &next, &s[0]).bounded(4.0);
        if all { vec![next.clone(), next] } else { vec![next] }
    });
    b.keep(&z.last().expect("a state").clone().bounded(4.0));
}
