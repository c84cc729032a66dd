//! The meaning of the `array` ops, in plain loops. Regions are run by the evaluator; here is what needs none.

use crate::eval::Outcome;
use crate::value::{Array, Data, Element};

/// `array.get`: z = x[indices...]; zero when any index is out of range (spec/arrays.md A.3.1).
pub fn get(x: &Array, indices: &[i64]) -> Array {
    let (leading, trailing) = x.shape().split_at(indices.len());
    let len: usize = trailing.iter().product();
    let in_range = indices.iter().zip(leading).all(|(&i, &n)| i >= 0 && (i as usize) < n);
    if !in_range {
        return Array::zeros(x.element(), trailing);
    }
    let position = indices.iter().zip(leading).fold(0, |p, (&i, &n)| p * n + i as usize);
    Array::new(trailing.to_vec(), range(x.data(), position * len, len))
}

/// `array.sum`: z[s] = Σ_i x[i, s], added for ascending i, starting from zero. Integers wrap.
pub fn sum(x: &Array) -> Array {
    let row = &x.shape()[1..];
    let len: usize = row.iter().product();
    let n = x.shape()[0];
    let mut z = Array::zeros(x.element(), row);
    macro_rules! add {
        ($z:expr, $x:expr, $plus:expr) => {
            for i in 0..n {
                for s in 0..len {
                    $z[s] = $plus($z[s], $x[i * len + s]);
                }
            }
        };
    }
    match (z.data_mut(), x.data()) {
        (Data::F32(z), Data::F32(x)) => add!(z, x, |a: f32, b: f32| a + b),
        (Data::F64(z), Data::F64(x)) => add!(z, x, |a: f64, b: f64| a + b),
        (Data::I32(z), Data::I32(x)) => add!(z, x, i32::wrapping_add),
        (Data::I64(z), Data::I64(x)) | (Data::Index(z), Data::Index(x)) => add!(z, x, i64::wrapping_add),
        _ => unreachable!("verified: numeric elements"),
    }
    z
}

/// `array.replicate`: z[i] = x.
pub fn replicate(n: usize, x: &Array) -> Array {
    let shape = [&[n], x.shape()].concat();
    let data = crate::with_data!(x.data(), v => repeated(v, n).into_same(x.data()));
    Array::new(shape, data)
}

fn repeated<T: Clone>(v: &[T], n: usize) -> Vec<T> {
    let mut out = Vec::with_capacity(v.len() * n);
    for _ in 0..n {
        out.extend_from_slice(v);
    }
    out
}

/// `array.transpose`: z[x] = x[y] with y[p[j]] = x[j]: axis j of z is axis p[j] of x.
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
    Array::new(shape, permuted(x.data(), &order))
}

/// One array out of the elements of a `build`, in row-major order of the leading sizes.
pub fn stack(element: Element, leading: &[usize], trailing: &[usize], parts: &[Array]) -> Outcome<Array> {
    if let Some(x) = parts.iter().find(|x| x.shape() != trailing) {
        return Err(format!("yields elements of different sizes: {trailing:?} and {:?}", x.shape()));
    }
    let mut out = Data::zeros(element, 0);
    for x in parts {
        match (&mut out, x.data()) {
            (Data::F32(o), Data::F32(v)) => o.extend(v),
            (Data::F64(o), Data::F64(v)) => o.extend(v),
            (Data::I1(o), Data::I1(v)) => o.extend(v),
            (Data::I32(o), Data::I32(v)) => o.extend(v),
            (Data::I64(o), Data::I64(v)) | (Data::Index(o), Data::Index(v)) => o.extend(v),
            _ => unreachable!("verified: elements have the element type of the result"),
        }
    }
    Ok(Array::new([leading, trailing].concat(), out))
}

/// An array of floats, all `x`.
pub fn filled(element: Element, shape: &[usize], x: f64) -> Array {
    let len = shape.iter().product();
    let data = match element {
        Element::F32 => Data::F32(vec![x as f32; len]),
        _ => Data::F64(vec![x; len]),
    };
    Array::new(shape.to_vec(), data)
}

/// All positions of an array of this shape, row-major. A shape without axes has one position.
pub fn positions(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    let count: usize = shape.iter().product();
    (0..count).map(move |mut flat| {
        let mut position = vec![0; shape.len()];
        for axis in (0..shape.len()).rev() {
            position[axis] = flat % shape[axis];
            flat /= shape[axis];
        }
        position
    })
}

fn range(data: &Data, start: usize, len: usize) -> Data {
    crate::with_data!(data, v => v[start..start + len].to_vec().into_same(data))
}

fn permuted(data: &Data, order: &[usize]) -> Data {
    crate::with_data!(data, v => order.iter().map(|&o| v[o]).collect::<Vec<_>>().into_same(data))
}

/// Puts a vector back into the variant that it came from; `i64` and `index` share their storage.
trait IntoSame {
    fn into_same(self, like: &Data) -> Data;
}

impl<T> IntoSame for Vec<T>
where
    Data: From<Vec<T>>,
{
    fn into_same(self, like: &Data) -> Data {
        match (Data::from(self), like) {
            (Data::I64(v), Data::Index(_)) => Data::Index(v),
            (data, _) => data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(get(&Array::zeros(Element::F64, &[0, 3]), &[0]), Array::vector(&[0.0; 3]));
    }

    #[test]
    fn sums_the_outermost_axis() {
        assert_eq!(sum(&matrix(2, 3)), Array::vector(&[3.0, 5.0, 7.0]));
        assert_eq!(sum(&Array::zeros(Element::F64, &[0, 3])), Array::vector(&[0.0; 3]));
        let wraps = Array::new(vec![2], Data::I32(vec![i32::MAX, 1]));
        assert_eq!(sum(&wraps), Array::new(vec![], Data::I32(vec![i32::MIN])));
    }

    /// The permutation of spec/arrays.md H.2: shape [5,7,2,9] under (2 0 1 3) becomes [2,5,7,9].
    #[test]
    fn transposes_by_numpys_convention() {
        let x = Array::new(vec![5, 7, 2, 9], Data::I64((0..630).collect()));
        let z = transpose(&x, &[2, 0, 1, 3]);
        assert_eq!(z.shape(), [2, 5, 7, 9]);
        for [a, b, c, d] in [[0, 0, 0, 0], [4, 6, 1, 8], [3, 1, 0, 5]] {
            assert_eq!(get(&z, &[c, a, b, d]), get(&x, &[a, b, c, d]));
        }
    }

    #[test]
    fn replicates_and_stacks() {
        let row = Array::new(vec![2], Data::Index(vec![7, 8]));
        assert_eq!(replicate(2, &row), Array::new(vec![2, 2], Data::Index(vec![7, 8, 7, 8])));
        assert_eq!(replicate(0, &row).shape(), [0, 2]);
        assert_eq!(stack(Element::Index, &[2], &[2], &[row.clone(), row.clone()]), Ok(replicate(2, &row)));
        assert!(stack(Element::Index, &[1], &[3], &[row]).is_err());
    }
}
