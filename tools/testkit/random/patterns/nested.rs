//! Patterns: nested builds, and builds with several results.

use super::elementwise;
use crate::random::builder::Builder;
use mlopt_dialects::ops::Kind;

/// Writes a build of rows that are builds, with a sum or a maximum of each.
pub fn nested(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(25.0);
    let y = b.floats(&[m]);
    let kind = b.below(4);
    let z = b.build(&[n], |b, i| {
        let row = b.build(&[m], |b, j| {
            let (e, f) = (b.get(&x, &[&i[0], &j[0]]), b.get(&y, j));
            let e = elementwise::function_of_two(b, &e, &f);
            elementwise::function(b, &e)
        });
        let row = b.tame(row);
        match kind {
            0 => row,
            1 => b.reduce("sum", &row, &[0]),
            2 => b.reduce("max", &row, &[0]),
            _ => {
                // The norm of a row is used in each of its elements.
                let square = b.binary(Kind::ArithMulf, &row, &row);
                let s = b.reduce("sum", &square, &[0]);
                let s = b.with_constant(Kind::ArithAddf, &s, 0.25);
                let s = b.unary(Kind::MathSqrt, &s);
                b.build(&[m], |b, j| {
                    let e = b.get(&row, j);
                    b.binary(Kind::ArithDivf, &e, &s).bounded(1.0)
                })
            }
        }
    });
    b.keep(&z);
}

/// Writes one build of two arrays, both of which are used.
pub fn several(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(20.0);
    let both = b.build_all(&[n, m], |b, at| {
        let e = b.get(&x, at);
        let swapped = b.get(&x, &[&at[1], &at[0]]);
        let first = elementwise::function_of_two(b, &e, &swapped);
        let first = b.tame(first);
        let second = elementwise::function(b, &first);
        vec![first, second]
    });
    let z = elementwise::function_of_two(b, &both[0], &both[1]);
    let axis = b.below(2);
    let s = b.reduce("sum", &both[1], &[axis]);
    b.keep(&s);
    b.keep(&z);
}
