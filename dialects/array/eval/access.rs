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
        (Data::I8(z), Data::I8(x)) => add(&mut z[start..], x),
        (Data::I16(z), Data::I16(x)) => add(&mut z[start..], x),
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
