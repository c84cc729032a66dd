//! Patterns: loops that carry values from row to row.

use super::elementwise;
use crate::random::builder::{Builder, Dim, Value};
use mlopt_dialects::ops::Kind;

/// Computes cumulative sums, products, maxima and means of vectors or of rows.
pub fn cumulative(b: &mut Builder) {
    let kind = b.below(4);
    let (x, row) = if b.coin() {
        let (x, [_, m]) = b.input::<2>(1.0);
        (x, vec![m])
    } else {
        (b.input::<1>(10.0).0, vec![])
    };
    let init = match kind {
        1 => b.real(1.0),
        2 => b.real(-2.0),
        _ => b.real(0.0),
    };
    let init = b.filled(&init, &row);
    let n = b.size(x.shape[0]).max(1) as f64;
    let z = b.rows(&[x], &[init], 1.0, |b, x, s| {
        let next = match kind {
            0 => b.binary(Kind::ArithAddf, &s[0], &x[0]),
            1 => {
                let c = b.unary(Kind::MathCos, &x[0]);
                b.binary(Kind::ArithMulf, &s[0], &c)
            }
            2 => b.binary(Kind::ArithMaximumf, &s[0], &x[0]),
            _ => {
                let (old, new) =
                    (b.with_constant(Kind::ArithMulf, &s[0], 0.75), b.with_constant(Kind::ArithMulf, &x[0], 0.25));
                b.binary(Kind::ArithAddf, &old, &new)
            }
        };
        let next = next.bounded(if kind == 0 { x[0].bound * n } else { 2.0 });
        vec![next.clone(), next]
    });
    if b.once_in(3) {
        b.keep(&z[0].clone().bounded(z[1].bound));
    }
    b.keep(&z[1]);
}

/// Iterates a function on a state, with an index: Newton's steps, maps, polynomials.
pub fn recurrence(b: &mut Builder) {
    let (x, [n]) = b.input::<1>(25.0);
    let init = b.parameter(&[], b.float, crate::random::builder::Draw::Float);
    let (pair, times) = (b.coin(), b.size(n) as f64);
    let count = b.length(n);
    let inits = if pair { vec![init.clone(), init] } else { vec![init] };
    let z = b.ifold(&count, times, &inits, 2.0, |b, i, s| {
        let x = b.get(&x, &[i]);
        let c = b.with_constant(Kind::ArithMulf, &s[0], 0.5);
        let next = b.binary(Kind::ArithAddf, &c, &x);
        let next = if b.coin() { elementwise::function(b, &next) } else { b.unary(Kind::MathSin, &next) };
        let next = b.unary(Kind::MathTanh, &next);
        match s.get(1) {
            Some(sum) => {
                let small = b.with_constant(Kind::ArithMulf, sum, 0.5);
                let p = b.binary(Kind::ArithMulf, &next, &s[0]);
                vec![next, b.binary(Kind::ArithAddf, &small, &p)]
            }
            None => vec![next],
        }
    });
    for z in z {
        b.keep(&z.bounded(2.0));
    }
}

/// Writes a loop that carries a matrix and updates its rows, under a condition on positions or by adding at positions.
pub fn row_update(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(25.0);
    let [k] = b.dims::<1>(12.0 * b.elements(&[n, m]).max(1.0));
    let w = b.floats(&[k, m]);
    let at = b.positions(&[k], n);
    let count = b.length(k);
    let times = b.size(k) as f64;
    let kind = b.below(3);
    let z = b.ifold(&count, times, &[x], 4.0, |b, i, s| {
        let row = b.get(&w, &[i]);
        let place = b.get(&at, &[i]);
        match kind {
            0 => {
                let hot = b.one_hot(&row, &[place], &[n]);
                vec![b.binary(Kind::ArithAddf, &s[0], &hot)]
            }
            1 => vec![b.build(&[n, m], |b, p| {
                let here = b.compare("eq", &p[0], &place);
                let (old, new) = (b.get(&s[0], p), b.get(&row, &p[1..]));
                b.select(&here, &new, &old)
            })],
            _ => {
                let old = b.get(&s[0], &[&place]);
                let half = b.with_constant(Kind::ArithMulf, &old, -0.5);
                let change = b.binary(Kind::ArithAddf, &half, &row);
                let one = b.literal(1);
                let rows = b.replicate(&change, one);
                vec![b.scatter(&rows, 1, &s[0].clone(), |_, _| vec![place.clone()])]
            }
        }
    });
    b.keep(&z[0].clone().bounded(if kind == 0 { 1.5 * times.max(1.0) } else { 6.0 }));
}

/// Writes a loop that carries a vector, and whose iterations read or update it as it is or as it was before the loop;
/// and a build over the same indices, which computes what the loop reads.
pub fn initial_state(b: &mut Builder) {
    let (x, [m]) = b.input::<1>(4.0);
    let [n] = b.dims::<1>(8.0 * b.size(m).max(1) as f64);
    let (w, at) = (b.floats(&[n]), b.positions(&[n], m));
    let terms = b.build(&[n], |b, i| {
        let w = b.get(&w, i);
        b.damped(&w)
    });
    if b.coin() {
        b.keep(&terms);
        b.results.push(terms.clone());
    }
    let (updates_first, reads_first, whole) = (b.coin(), b.coin(), b.once_in(3));
    let z = b.rows(&[terms, at], std::slice::from_ref(&x), 4.0, |b, row, s| {
        let (read, updated) =
            (if reads_first { x.clone() } else { s[0].clone() }, if updates_first { x.clone() } else { s[0].clone() });
        let place = std::slice::from_ref(&row[1]);
        let old = b.get(&read, place);
        let half = b.with_constant(Kind::ArithMulf, &old, -0.5);
        let change = b.binary(Kind::ArithAddf, &half, &row[0]);
        let next = if whole {
            let hot = b.one_hot(&change, place, &[m]);
            b.binary(Kind::ArithAddf, &updated, &hot)
        } else {
            b.scatter(&change, 0, &updated, |_, _| place.to_vec())
        };
        vec![next, old]
    });
    let bound = 4.0 + 2.0 * b.size(n) as f64;
    for z in z {
        b.keep(&z.bounded(bound));
    }
}

/// Returns `dim` rows of an array, from `start` on, or from the first one.
fn rows_from(b: &mut Builder, a: &Value, start: Option<Dim>, dim: Dim) -> Value {
    let start = start.map(|start| b.length(start));
    if b.once_in(3) {
        let start = start.unwrap_or_else(|| b.index(0));
        return b.slice(a, &start, dim);
    }
    let shape = [&[dim], &a.shape[1..]].concat();
    b.build(&shape, |b, at| {
        let mut from = at.to_vec();
        if let Some(start) = &start {
            from[0] = b.binary(Kind::ArithAddi, &at[0], start);
        }
        b.get(a, &from)
    })
}

/// Writes a loop that carries a vector or a matrix and moves its elements in each iteration: a shift to the right or
/// left, a rotation, a reversal, or a matrix stored in the shape of its transpose.
pub fn moved_state(b: &mut Builder) {
    let [p, q, m] = b.dims::<3>(20.0);
    let n = b.computed("add", p, q);
    let row = if b.coin() { vec![m] } else { vec![] };
    let (x, first) = (b.floats(&[&[n], row.as_slice()].concat()), b.floats(&[&[p], row.as_slice()].concat()));
    let steps = b.one_of(&[0, 1, 2, 3, 5]);
    let (count, kind, scaled) = (b.index(steps), b.below(6), b.once_in(3));
    let z = b.ifold(&count, steps as f64, &[x], 2.0, |b, _, s| {
        let a = &s[0];
        let next = match kind {
            0 | 1 => {
                let rest = rows_from(b, a, None, q);
                b.append(&first, &rest)
            }
            2 => {
                let rest = rows_from(b, a, Some(p), q);
                b.append(&rest, &first)
            }
            3 => {
                let (last, rest) = (rows_from(b, a, Some(q), p), rows_from(b, a, None, q));
                b.append(&last, &rest)
            }
            4 if a.rank() == 2 => {
                let transposed = b.coin();
                let other = b.build(&[m, n], |b, at| {
                    let from = if transposed { [at[1].clone(), at[0].clone()] } else { [at[0].clone(), at[1].clone()] };
                    b.get(a, &from)
                });
                b.reshape(&other, &[n, m])
            }
            _ => b.reverse(a),
        };
        vec![if scaled { b.with_constant(Kind::ArithMulf, &next, -0.5) } else { next }]
    });
    b.keep(&z[0]);
}
