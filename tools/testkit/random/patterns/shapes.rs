//! Patterns: transposes, reshapes, slices, appends, stacks.

use super::elementwise;
use crate::random::builder::{Builder, Value};
use mlopt_dialects::ops::Kind;

/// Writes a few changes of shape with functions between them.
pub fn chain(b: &mut Builder) {
    let mut x = match b.below(3) {
        0 => b.input::<1>(0.3).0,
        1 => b.input::<2>(0.3).0,
        _ => b.input::<3>(0.3).0,
    };
    for _ in 0..2 + b.below(4) {
        x = change(b, x);
        if b.once_in(3) {
            x = elementwise::function(b, &x);
            x = b.tame(x);
        }
    }
    b.keep(&x);
}

fn change(b: &mut Builder, x: Value) -> Value {
    match b.below(9) {
        0 | 1 if x.rank() >= 2 => {
            let mut permutation: Vec<usize> = (0..x.rank()).collect();
            for k in 0..permutation.len() {
                let other = k + b.below(permutation.len() - k);
                permutation.swap(k, other);
            }
            b.transpose(&x, &permutation)
        }
        2 if x.rank() >= 2 => {
            // Merges two axes; occasionally splits them again in the other order.
            let k = b.below(x.rank() - 1);
            let (first, second) = (x.shape[k], x.shape[k + 1]);
            let both = b.computed("mul", first, second);
            let mut shape = x.shape.clone();
            shape.splice(k..=k + 1, [both]);
            let flat = b.reshape(&x, &shape);
            if b.coin() {
                shape.splice(k..=k, [second, first]);
                return b.reshape(&flat, &shape);
            }
            flat
        }
        3 if x.rank() >= 1 => {
            let dim = b.dims::<1>(0.1)[0];
            let start = b.one_of(&[0, 1, -1, 2, 5]);
            let start = b.index(start);
            let row = b.elements(&x.shape[1..]) * b.size(dim) as f64;
            if row > b.limits.elements { x } else { b.slice(&x, &start, dim) }
        }
        4 if x.rank() >= 1 && b.affords(&x.shape, 0.5) => {
            let y = b.floats(&x.shape);
            let (y, x) = if b.coin() { (x, y) } else { (y, x) };
            b.append(&x, &y)
        }
        5 if x.rank() >= 1 => b.reverse(&x),
        6 if x.rank() <= 2 && b.affords(&x.shape, 0.5) => {
            let (y, z) = (elementwise::function(b, &x), b.unary(Kind::ArithNegf, &x));
            b.stack(&[x, y, z])
        }
        7 if x.rank() <= 2 && b.affords(&x.shape, 0.5) => {
            let dim = b.literal(5);
            let axis = b.below(x.rank() + 1);
            b.broadcast(&x, axis, dim)
        }
        8 if x.rank() >= 1 => {
            // Inserts an axis of extent one.
            let one = b.literal(1);
            let mut shape = x.shape.clone();
            let k = b.below(shape.len() + 1);
            shape.insert(k, one);
            if shape.len() > 4 { x } else { b.reshape(&x, &shape) }
        }
        _ => x,
    }
}
