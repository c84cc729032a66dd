//! Ops that rearrange the elements of arrays.

use super::{IntoSame, Outcome, picked, positions};
use crate::text::count;
use crate::value::{Array, Data, Element};
use std::borrow::Borrow;

/// Computes `array.replicate`: z[i] = x.
pub fn replicate(n: usize, x: &Array) -> Array {
    let data = crate::with_data!(x.data(), v => v.repeat(n).into_same(x.data()));
    Array::new([&[n], x.shape()].concat(), data)
}

/// Computes `array.transpose`: z[x] = x[y] with y[p[j]] = x[j]: axis j of z is axis p[j] of x.
pub fn transpose(x: &Array, p: &[usize]) -> Array {
    let shape: Vec<usize> = p.iter().map(|&j| x.shape()[j]).collect();
    let mut order = Vec::with_capacity(x.len());
    for position in positions(&shape) {
        let mut source = vec![0; p.len()];
        for (j, &axis) in p.iter().enumerate() {
            source[axis] = position[j];
        }
        order.push(source.iter().zip(x.shape()).fold(0, |o, (&i, &n)| o * n + i));
    }
    Array::new(shape, picked(x.data(), &order))
}

/// Computes `array.reshape`: the same elements in row-major order.
pub fn reshape(x: &Array, shape: &[usize]) -> Outcome<Array> {
    if shape.iter().product::<usize>() != x.len() {
        let elements = count(x.len(), "element");
        return Err(format!("cannot reshape the {elements} of shape {:?} to shape {shape:?}", x.shape()).into());
    }
    Ok(Array::new(shape.to_vec(), x.data().clone()))
}

/// Returns one array of equal parts, in row-major order of the leading sizes.
pub fn stack<A: Borrow<Array>>(element: Element, leading: &[usize], trailing: &[usize], parts: &[A]) -> Outcome<Array> {
    let mut data = Data::zeros(element, 0);
    for x in parts.iter().map(A::borrow) {
        if x.shape() != trailing {
            return Err(format!("needs parts of the same shape, found {trailing:?} and {:?}", x.shape()).into());
        }
        data = data.followed_by(x.data());
    }
    Ok(Array::new([leading, trailing].concat(), data))
}

/// Computes `array.append`: the rows of x, then those of y.
pub fn append(x: &Array, y: &Array) -> Outcome<Array> {
    let (row, other) = (&x.shape()[1..], &y.shape()[1..]);
    if row != other {
        return Err(format!("needs rows of the same shape in both operands, found {row:?} and {other:?}").into());
    }
    let shape = [&[x.shape()[0] + y.shape()[0]], row].concat();
    Ok(Array::new(shape, x.data().clone().followed_by(y.data())))
}

/// Computes `array.iota`: z[i] = i.
pub fn iota(n: usize) -> Array {
    Array::new(vec![n], Data::Index((0..n as i64).collect()))
}

/// Returns an array of floats, all `x`.
pub fn filled(element: Element, shape: &[usize], x: f64) -> Array {
    let len = shape.iter().product();
    Array::new(shape.to_vec(), Data::of_f64(element, std::iter::repeat_n(x, len)))
}
