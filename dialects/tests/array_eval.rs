//! Tests of the semantics of the `array` ops without regions, on arrays of Rust.

use mlopt_dialects::array::eval::{
    add_at, append, argmax, argmin, div, floor, get, max, min, modulo, one_hot, prod, replicate, reshape, reverse,
    slice, stack, sum, transpose,
};
use mlopt_dialects::value::{Array, Data, Element};

//===-- reads and additions at positions --------------------------------------------------------------------------===//

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

//===-- integer arithmetic ----------------------------------------------------------------------------------------===//

fn i64s(v: &[i64]) -> Array {
    Array::new(vec![v.len()], Data::I64(v.to_vec()))
}

#[test]
fn divides_towards_minus_infinity() {
    let (x, y) = (i64s(&[7, -7, 7, -7, 6, -6]), i64s(&[2, 2, -2, -2, -2, -2]));
    assert_eq!(div(&x, &y), Ok(i64s(&[3, -4, -4, 3, -3, 3])));
    assert_eq!(modulo(&x, &y), Ok(i64s(&[1, 1, -1, -1, 0, 0])));
}

#[test]
fn division_is_total() {
    let (x, y) = (i64s(&[7, 0, i64::MIN, i64::MIN]), i64s(&[0, 0, -1, 0]));
    assert_eq!(div(&x, &y), Ok(i64s(&[0, 0, i64::MIN, 0])));
    assert_eq!(modulo(&x, &y), Ok(i64s(&[7, 0, 0, i64::MIN])));
    let (x, y) = (Array::new(vec![], Data::I32(vec![i32::MIN])), Array::new(vec![], Data::I32(vec![-1])));
    assert_eq!(div(&x, &y), Ok(x.clone()));
    assert_eq!(modulo(&x, &y), Ok(Array::new(vec![], Data::I32(vec![0]))));
    assert!(div(&i64s(&[1]), &i64s(&[1, 2])).is_err());
}

#[test]
fn floors_saturate() {
    let x = Array::vector(&[1.5, -1.5, -0.0, f64::NAN, f64::INFINITY, -1e300, 3e9]);
    let z = floor(&x, Element::I32);
    assert_eq!(z.data(), &Data::I32(vec![1, -2, 0, 0, i32::MAX, i32::MIN, i32::MAX]));
    let z = floor(&x, Element::Index);
    assert_eq!(z.data(), &Data::Index(vec![1, -2, 0, 0, i64::MAX, i64::MIN, 3_000_000_000]));
}

//===-- rearrangements --------------------------------------------------------------------------------------------===//

/// Tests the permutation of spec/arrays.md H.2: shape [5,7,2,9] under (2 0 1 3) becomes [2,5,7,9].
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

#[test]
fn reshapes_in_row_major_order() {
    let x = Array::vector(&[1.0, 2.0, 3.0, 4.0]);
    let z = reshape(&x, &[2, 2]).unwrap();
    assert_eq!(get(&z, &[1, 0]), Array::f64(3.0));
    assert_eq!(reshape(&z, &[4]), Ok(x.clone()));
    assert!(reshape(&x, &[3]).is_err());
    assert_eq!(reshape(&Array::f64(1.0), &[1, 1]).unwrap().shape(), [1, 1]);
    assert_eq!(reshape(&Array::zeros(Element::F32, &[0, 3]), &[5, 0]).unwrap().shape(), [5, 0]);
}

#[test]
fn appends_rows_of_one_size() {
    let (x, y) = (Array::zeros(Element::I1, &[0, 2]), Array::new(vec![1, 2], Data::I1(vec![true, false])));
    assert_eq!(append(&x, &y), Ok(y.clone()));
    assert_eq!(append(&y, &y).unwrap().shape(), [2, 2]);
    assert!(append(&y, &Array::zeros(Element::I1, &[1, 3])).is_err());
}

//===-- reductions ------------------------------------------------------------------------------------------------===//

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
