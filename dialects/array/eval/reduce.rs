//! Reductions over axes. They visit the reduced positions in row-major order; the specification leaves the order
//! unspecified. Those of f16 and bf16 are computed in single precision, and rounded once.

use super::{Number, in_single, positions, with_numbers};
use crate::value::{Array, Data};

/// Computes `array.sum`: z[s] = Σ_r x[r, s], starting from zero.
pub fn sum(x: &Array, axes: &[usize]) -> Array {
    let (shape, groups) = groups(x.shape(), axes);
    in_single(x, |x| Array::new(shape, with_numbers!(x.data(), v => fold(v, &groups, Number::ZERO, Number::plus))))
}

/// Computes `array.prod`: z[s] = Π_r x[r, s], starting from one.
pub fn prod(x: &Array, axes: &[usize]) -> Array {
    let (shape, groups) = groups(x.shape(), axes);
    in_single(x, |x| Array::new(shape, with_numbers!(x.data(), v => fold(v, &groups, Number::ONE, Number::times))))
}

/// Computes `array.max`: z[s] = max_r x[r, s].
pub fn max(x: &Array, axes: &[usize]) -> Array {
    let (shape, groups) = groups(x.shape(), axes);
    in_single(x, |x| {
        Array::new(
            shape,
            with_numbers!(x.data(), v => fold(v, &groups, Number::LEAST, |a, b| if a >= b { a } else { b })),
        )
    })
}

/// Computes `array.min`: z[s] = min_r x[r, s].
pub fn min(x: &Array, axes: &[usize]) -> Array {
    let (shape, groups) = groups(x.shape(), axes);
    in_single(x, |x| {
        Array::new(
            shape,
            with_numbers!(x.data(), v => fold(v, &groups, Number::GREATEST, |a, b| if a <= b { a } else { b })),
        )
    })
}

/// Computes `array.argmax`: the lowest r with x[r, s] = max_r x[r, s]; zero if there is none.
pub fn argmax(x: &Array, axis: usize) -> Array {
    let (shape, groups) = groups(x.shape(), &[axis]);
    let found = crate::with_data!(x.data(), v => groups.iter().map(|g| first(v, g, |a, b| a >= b)).collect());
    Array::new(shape, Data::Index(found))
}

/// Computes `array.argmin`: the lowest r with x[r, s] = min_r x[r, s]; zero if there is none.
pub fn argmin(x: &Array, axis: usize) -> Array {
    let (shape, groups) = groups(x.shape(), &[axis]);
    let found = crate::with_data!(x.data(), v => groups.iter().map(|g| first(v, g, |a, b| a <= b)).collect());
    Array::new(shape, Data::Index(found))
}

/// Returns the shape without `axes`, and for each of its positions the offsets that are reduced to it, in order.
fn groups(shape: &[usize], axes: &[usize]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let kept = |of: &[usize]| -> Vec<usize> {
        of.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, &n)| n).collect()
    };
    let rest = kept(shape);
    let mut groups = vec![Vec::new(); rest.iter().product()];
    for (flat, position) in positions(shape).enumerate() {
        let s = kept(&position).iter().zip(&rest).fold(0, |s, (&i, &n)| s * n + i);
        groups[s].push(flat);
    }
    (rest, groups)
}

fn fold<T: Number>(x: &[T], groups: &[Vec<usize>], start: T, f: fn(T, T) -> T) -> Vec<T> {
    groups.iter().map(|group| group.iter().fold(start, |z, &r| f(z, x[r]))).collect()
}

/// Returns the position within `group` of the element that is ahead of all later ones.
fn first<T: Copy>(x: &[T], group: &[usize], ahead: fn(T, T) -> bool) -> i64 {
    let mut best = 0;
    for r in 1..group.len() {
        if !ahead(x[group[best]], x[group[r]]) {
            best = r;
        }
    }
    best as i64
}
