//! Reads and additions at positions of an array. A read outside the array is zero, and an addition outside is dropped.

use super::{Number, Outcome, offset, picked, range};
use crate::value::{Array, Data};

/// Computes `array.get`: z = x[indices...]; zero if any index is out of range (spec/arrays.md A.3.1).
pub fn get(x: &Array, indices: &[i64]) -> Array {
    let trailing = &x.shape()[indices.len()..];
    let len: usize = trailing.iter().product();
    match offset(indices, x.shape()) {
        Some(row) => Array::new(trailing.to_vec(), range(x.data(), row * len, len)),
        None => Array::zeros(x.element(), trailing),
    }
}

/// Computes one step of `array.scatter`: z[indices...] += x; dropped if any index is out of range (spec/arrays.md
/// A.3.2).
pub fn add_at(z: &mut Array, indices: &[i64], x: &Array) -> Outcome<()> {
    let trailing = &z.shape()[indices.len()..];
    if trailing != x.shape() {
        return Err(format!("adds an array of shape {:?}, expected shape {trailing:?}", x.shape()).into());
    }
    let Some(row) = offset(indices, z.shape()) else { return Ok(()) };
    let start = row * x.len();
    match (z.data_mut(), x.data()) {
        (Data::F32(z), Data::F32(x)) => add(&mut z[start..], x),
        (Data::F64(z), Data::F64(x)) => add(&mut z[start..], x),
        (Data::I32(z), Data::I32(x)) => add(&mut z[start..], x),
        (Data::I64(z), Data::I64(x)) | (Data::Index(z), Data::Index(x)) => add(&mut z[start..], x),
        _ => return Err(format!("adds elements of {} to elements of {}", x.element(), z.element()).into()),
    }
    Ok(())
}

fn add<T: Number>(z: &mut [T], x: &[T]) {
    for (z, &x) in z.iter_mut().zip(x) {
        *z = z.plus(x);
    }
}

/// Computes `array.one_hot`: z is zero except for z[indices...] = x; `leading` are the sizes of the indexed axes.
pub fn one_hot(x: &Array, indices: &[i64], leading: &[usize]) -> Array {
    let shape = [leading, x.shape()].concat();
    let rows: usize = leading.iter().product();
    let target = offset(indices, leading);
    let zero = Array::zeros(x.element(), x.shape());
    let parts: Vec<&Array> = (0..rows).map(|row| if Some(row) == target { x } else { &zero }).collect();
    let data = parts.iter().fold(Data::zeros(x.element(), 0), |data, part| data.followed_by(part.data()));
    Array::new(shape, data)
}

/// Computes `array.slice`: z[i] = x[start + i]; rows outside are zero.
pub fn slice(x: &Array, start: i64, size: usize) -> Array {
    let shape = [&[size], &x.shape()[1..]].concat();
    // The sum cannot wrap back into the range of x: i is far below 2^63.
    let rows = (0..size).map(|i| get(x, &[start.wrapping_add(i as i64)]));
    Array::new(shape, rows.fold(Data::zeros(x.element(), 0), |data, row| data.followed_by(row.data())))
}

/// Computes `array.reverse`: z[i] = x[n-1-i].
pub fn reverse(x: &Array) -> Array {
    let len: usize = x.shape()[1..].iter().product();
    let order: Vec<usize> = (0..x.shape()[0]).rev().flat_map(|row| row * len..(row + 1) * len).collect();
    Array::new(x.shape().to_vec(), picked(x.data(), &order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Element;

    fn matrix(rows: usize, columns: usize) -> Array {
        Array::new(vec![rows, columns], Data::F64((0..rows * columns).map(|i| i as f64).collect()))
    }

    #[test]
    fn reads_outside_are_zero() {
        let x = matrix(2, 3);
        assert_eq!(get(&x, &[1]), Array::vector(&[3.0, 4.0, 5.0]));
        assert_eq!(get(&x, &[1, 2]), Array::f64(5.0));
        for outside in [&[-1][..], &[2], &[i64::MAX], &[i64::MIN]] {
            assert_eq!(get(&x, outside), Array::vector(&[0.0; 3]), "{outside:?}");
        }
        assert_eq!(get(&x, &[0, -1]), Array::f64(0.0));
        // In range by its offset, out of range by its second index.
        assert_eq!(get(&x, &[0, 3]), Array::f64(0.0));
        assert_eq!(get(&Array::zeros(Element::F64, &[0, 3]), &[0]), Array::vector(&[0.0; 3]));
        let bits = Array::new(vec![1], Data::I1(vec![true]));
        assert_eq!(get(&bits, &[1]), Array::new(vec![], Data::I1(vec![false])));
    }

    #[test]
    fn colliding_parts_are_added_and_parts_outside_dropped() {
        let mut z = Array::zeros(Element::F64, &[2, 2]);
        for (row, x) in [(1, 1.0), (-1, 10.0), (1, 2.0), (2, 20.0), (0, 4.0), (i64::MIN, 40.0)] {
            add_at(&mut z, &[row], &Array::vector(&[x, -x])).unwrap();
        }
        assert_eq!(z, Array::new(vec![2, 2], Data::F64(vec![4.0, -4.0, 3.0, -3.0])));
        assert!(add_at(&mut z, &[0], &Array::vector(&[1.0])).is_err());
    }

    #[test]
    fn sums_of_integers_wrap() {
        let mut z = Array::new(vec![1], Data::I32(vec![i32::MAX]));
        add_at(&mut z, &[0], &Array::new(vec![], Data::I32(vec![1]))).unwrap();
        assert_eq!(z, Array::new(vec![1], Data::I32(vec![i32::MIN])));
    }

    #[test]
    fn one_hots_are_zero_when_the_position_is_outside() {
        let row = Array::vector(&[1.0, 2.0]);
        assert_eq!(one_hot(&row, &[1], &[2]), Array::new(vec![2, 2], Data::F64(vec![0.0, 0.0, 1.0, 2.0])));
        for outside in [-1, 2, i64::MIN] {
            assert_eq!(one_hot(&row, &[outside], &[2]), Array::zeros(Element::F64, &[2, 2]), "{outside}");
        }
        assert_eq!(one_hot(&row, &[0], &[0]), Array::zeros(Element::F64, &[0, 2]));
        assert_eq!(one_hot(&Array::f64(1.0), &[0, 2], &[2, 2]), Array::zeros(Element::F64, &[2, 2]));
    }

    #[test]
    fn slices_reach_outside() {
        let x = Array::vector(&[1.0, 2.0, 3.0]);
        assert_eq!(slice(&x, 1, 2), Array::vector(&[2.0, 3.0]));
        assert_eq!(slice(&x, -1, 5), Array::vector(&[0.0, 1.0, 2.0, 3.0, 0.0]));
        assert_eq!(slice(&x, i64::MAX, 2), Array::vector(&[0.0, 0.0]));
        assert_eq!(slice(&x, i64::MIN, 2), Array::vector(&[0.0, 0.0]));
        assert_eq!(slice(&x, 0, 0), Array::vector(&[]));
        assert_eq!(slice(&matrix(2, 3), 1, 1), Array::new(vec![1, 3], Data::F64(vec![3.0, 4.0, 5.0])));
    }

    #[test]
    fn reverses_rows() {
        assert_eq!(reverse(&matrix(2, 2)), Array::new(vec![2, 2], Data::F64(vec![2.0, 3.0, 0.0, 1.0])));
        assert_eq!(reverse(&Array::zeros(Element::I1, &[0, 2])).shape(), [0, 2]);
    }
}
