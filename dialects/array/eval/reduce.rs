//! Reductions over axes. They visit the reduced positions in row-major order; the specification leaves the order
//! unspecified.

use super::{Number, positions, with_numbers};
use crate::value::{Array, Data};

/// Computes `array.sum`: z[s] = Σ_r x[r, s], starting from zero.
pub fn sum(x: &Array, axes: &[usize]) -> Array {
    let (shape, groups) = groups(x.shape(), axes);
    Array::new(shape, with_numbers!(x.data(), v => fold(v, &groups, Number::ZERO, Number::plus)))
}

/// Computes `array.prod`: z[s] = Π_r x[r, s], starting from one.
pub fn prod(x: &Array, axes: &[usize]) -> Array {
    let (shape, groups) = groups(x.shape(), axes);
    Array::new(shape, with_numbers!(x.data(), v => fold(v, &groups, Number::ONE, Number::times)))
}

/// Computes `array.max`: z[s] = max_r x[r, s].
pub fn max(x: &Array, axes: &[usize]) -> Array {
    let (shape, groups) = groups(x.shape(), axes);
    Array::new(shape, with_numbers!(x.data(), v => fold(v, &groups, Number::LEAST, |a, b| if a >= b { a } else { b })))
}

/// Computes `array.min`: z[s] = min_r x[r, s].
pub fn min(x: &Array, axes: &[usize]) -> Array {
    let (shape, groups) = groups(x.shape(), axes);
    Array::new(
        shape,
        with_numbers!(x.data(), v => fold(v, &groups, Number::GREATEST, |a, b| if a <= b { a } else { b })),
    )
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Element;

    fn cube() -> Array {
        Array::new(vec![2, 3, 2], Data::F64((0..12).map(f64::from).collect()))
    }

    #[test]
    fn sums_over_any_axes() {
        assert_eq!(sum(&cube(), &[0]).to_f64(), [6.0, 8.0, 10.0, 12.0, 14.0, 16.0]);
        assert_eq!(sum(&cube(), &[1]), Array::new(vec![2, 2], Data::F64(vec![6.0, 9.0, 24.0, 27.0])));
        assert_eq!(sum(&cube(), &[0, 2]), Array::vector(&[14.0, 22.0, 30.0]));
        assert_eq!(sum(&cube(), &[0, 1, 2]), Array::f64(66.0));
        assert_eq!(sum(&Array::zeros(Element::F64, &[0, 3]), &[0]), Array::vector(&[0.0; 3]));
        let wraps = Array::new(vec![2], Data::I32(vec![i32::MAX, 1]));
        assert_eq!(sum(&wraps, &[0]), Array::new(vec![], Data::I32(vec![i32::MIN])));
    }

    #[test]
    fn nothing_reduces_to_the_neutral_element() {
        let none = |element| Array::zeros(element, &[0]);
        let scalar = |data| Array::new(vec![], data);
        assert_eq!(prod(&none(Element::F32), &[0]), scalar(Data::F32(vec![1.0])));
        assert_eq!(max(&none(Element::F64), &[0]), Array::f64(f64::NEG_INFINITY));
        assert_eq!(min(&none(Element::F32), &[0]), scalar(Data::F32(vec![f32::INFINITY])));
        assert_eq!(max(&none(Element::I32), &[0]), scalar(Data::I32(vec![i32::MIN])));
        assert_eq!(min(&none(Element::Index), &[0]), Array::index(i64::MAX));
        assert_eq!(argmax(&none(Element::F64), 0), Array::index(0));
        assert_eq!(argmin(&Array::zeros(Element::I64, &[0, 2]), 0), Array::new(vec![2], Data::Index(vec![0, 0])));
        assert_eq!(max(&Array::zeros(Element::F64, &[3, 0]), &[0]).shape(), [0]);
    }

    #[test]
    fn the_lowest_index_wins_a_tie() {
        let x = Array::vector(&[1.0, 3.0, 0.0, 3.0, 0.0]);
        assert_eq!((argmax(&x, 0), argmin(&x, 0)), (Array::index(1), Array::index(2)));
        assert_eq!((max(&x, &[0]), min(&x, &[0])), (Array::f64(3.0), Array::f64(0.0)));
        let same = Array::vector(&[f64::NEG_INFINITY; 3]);
        assert_eq!(argmax(&same, 0), Array::index(0));
    }

    #[test]
    fn products_and_searches_along_an_inner_axis() {
        let x = Array::new(vec![2, 3], Data::I64(vec![2, -1, 2, 0, 5, 4]));
        assert_eq!(prod(&x, &[1]), Array::new(vec![2], Data::I64(vec![-4, 0])));
        assert_eq!(argmax(&x, 1), Array::new(vec![2], Data::Index(vec![0, 1])));
        assert_eq!(argmin(&x, 1), Array::new(vec![2], Data::Index(vec![1, 0])));
        assert_eq!(min(&x, &[0]), Array::new(vec![3], Data::I64(vec![0, -1, 2])));
    }
}
