//! Comparison of actual results with expected ones.

use super::file::{File, Tolerance};
use super::program::Expected;
use mlopt_dialects::value::{Array, Element};

/// Describes the first difference; `None` if there is none.
pub fn difference(file: &File, found: &[Array], expected: &Expected) -> Option<String> {
    match expected {
        Expected::Arrays(arrays) => {
            if arrays.len() != found.len() {
                return Some(format!("expected {} arrays, found {}", arrays.len(), found.len()));
            }
            arrays.iter().zip(found).enumerate().find_map(|(k, (want, have))| {
                let which = if arrays.len() > 1 { format!("result {k}: ") } else { String::new() };
                array(file, have, want).map(|text| format!("{which}{text}"))
            })
        }
        Expected::Flat(numbers) => {
            let flat: Vec<f64> = found.iter().flat_map(Array::to_f64).collect();
            compare(&flat, numbers, tolerance(file, found), |i| format!("[{i}]"))
        }
        Expected::Rows { numbers, columns } => {
            let width: usize = columns.iter().sum();
            compare(&rows(found, columns), numbers, tolerance(file, found), |i| {
                format!("[{}, {}]", i / width, i % width)
            })
        }
    }
}

/// Compares an array, including its element type and shape.
fn array(file: &File, found: &Array, expected: &Array) -> Option<String> {
    // The notation has one integer type (A.1 names two; vectors use `i64` for both).
    let whole = |e: Element| if e == Element::Index { Element::I64 } else { e };
    if whole(found.element()) != whole(expected.element()) || found.shape() != expected.shape() {
        return Some(format!("expected {}, found {}", expected.type_text(), found.type_text()));
    }
    let tolerance = match found.element() {
        Element::F64 => file.f64,
        Element::F32 => file.f32,
        _ => Tolerance { relative: 0.0, absolute: 0.0 },
    };
    compare(&found.to_f64(), &expected.to_f64(), tolerance, |i| format!("{:?}", index(i, found.shape())))
}

fn tolerance(file: &File, found: &[Array]) -> Tolerance {
    if found.iter().any(|x| x.element() == Element::F32) { file.f32 } else { file.f64 }
}

/// Arranges the blocks of a Jacobian, one for each output and input, as its rows.
fn rows(found: &[Array], columns: &[usize]) -> Vec<f64> {
    let mut flat = vec![];
    for output in found.chunks(columns.len()) {
        let blocks: Vec<Vec<f64>> = output.iter().map(Array::to_f64).collect();
        let height = blocks.iter().zip(columns).filter(|(_, n)| **n > 0).map(|(b, &n)| b.len() / n).max().unwrap_or(0);
        for row in 0..height {
            for (block, &n) in blocks.iter().zip(columns) {
                flat.extend(block.iter().skip(row * n).take(n));
            }
        }
    }
    flat
}

fn compare(found: &[f64], expected: &[f64], tolerance: Tolerance, place: impl Fn(usize) -> String) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!("expected {} numbers, found {}", expected.len(), found.len()));
    }
    // An infinity is close only to itself.
    let near = |x: f64, want: f64| (x - want).abs() <= tolerance.absolute + tolerance.relative * want.abs();
    let close = |x: f64, want: f64| x == want || (x.is_nan() && want.is_nan()) || (want.is_finite() && near(x, want));
    let wrong: Vec<usize> = (0..found.len()).filter(|&i| !close(found[i], expected[i])).collect();
    let &first = wrong.first()?;
    let others = if found.len() > 1 { format!(" ({} of {} differ)", wrong.len(), found.len()) } else { String::new() };
    let (want, have) = (expected[first], found[first]);
    Some(format!("at {}: expected {want:?}, found {have:?}{others}", place(first)))
}

/// Returns the index of a row-major position.
fn index(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> = shape.iter().rev().map(|&n| (at % n, at /= n).0).collect();
    index.reverse();
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> File {
        let f64 = Tolerance { relative: 1e-9, absolute: 1e-11 };
        File { f64, f32: Tolerance { relative: 1e-4, absolute: 1e-5 }, vectors: vec![] }
    }

    #[test]
    fn numbers_may_differ_by_rounding_only() {
        let flat = |x: &[f64], want: &[f64]| difference(&file(), &[Array::vector(x)], &Expected::Flat(want.into()));
        assert_eq!(flat(&[1.0, 2.0 + 1e-12], &[1.0, 2.0]), None);
        assert_eq!(flat(&[f64::NAN, f64::INFINITY], &[f64::NAN, f64::INFINITY]), None);
        assert_eq!(flat(&[1.0, 2.1], &[1.0, 2.0]).unwrap(), "at [1]: expected 2.0, found 2.1 (1 of 2 differ)");
        assert_eq!(flat(&[f64::NAN], &[1.0]).unwrap(), "at [0]: expected 1.0, found NaN");
        assert_eq!(flat(&[f64::INFINITY], &[f64::NEG_INFINITY]).unwrap(), "at [0]: expected -inf, found inf");
        assert_eq!(flat(&[1.0], &[1.0, 2.0]).unwrap(), "expected 2 numbers, found 1");
    }

    #[test]
    fn values_have_kinds_and_shapes() {
        let value = |x: Array, want: Array| difference(&file(), &[x], &Expected::Arrays(vec![want]));
        let whole = |n: &[i64]| Array::new(vec![n.len()], mlopt_dialects::value::Data::I64(n.to_vec()));
        assert_eq!(value(Array::index(3), Array::new(vec![], vec![3i64].into())), None);
        assert_eq!(value(whole(&[1, 2]), whole(&[1, 3])).unwrap(), "at [1]: expected 3.0, found 2.0 (1 of 2 differ)");
        assert_eq!(value(Array::f64(1.0), Array::vector(&[1.0])).unwrap(), "expected tensor<1xf64>, found f64");
        assert_eq!(value(Array::f64(1.0), Array::index(1)).unwrap(), "expected index, found f64");
    }

    #[test]
    fn blocks_stand_side_by_side() {
        // Two outputs with respect to inputs of 2 and 1 elements, then one more output.
        let blocks = [&[1.0, 2.0, 4.0, 5.0][..], &[3.0, 6.0], &[7.0, 8.0], &[9.0]].map(Array::vector);
        let numbers: Vec<f64> = (1..=9).map(f64::from).collect();
        assert_eq!(rows(&blocks, &[2, 1]), numbers);
        let expected = Expected::Rows { numbers: [&numbers[..5], &[0.0; 4]].concat(), columns: vec![2, 1] };
        let text = difference(&file(), &blocks, &expected).unwrap();
        assert_eq!(text, "at [1, 2]: expected 0.0, found 6.0 (4 of 9 differ)");
    }
}
