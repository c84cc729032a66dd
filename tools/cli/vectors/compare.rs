//! Comparison of actual results with expected ones.

use super::file::{File, Tolerance};
use super::program::Expected;
use mlopt_dialects::value::{Array, Element};
use mlopt_runtime::arguments::parameter::index_of;

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
    compare(&found.to_f64(), &expected.to_f64(), tolerance, |i| format!("{:?}", index_of(i, found.shape())))
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
    let wrong: Vec<usize> = (0..found.len()).filter(|&i| !tolerance.is_close(found[i], expected[i])).collect();
    let &first = wrong.first()?;
    let others = if found.len() > 1 { format!(" ({} of {} differ)", wrong.len(), found.len()) } else { String::new() };
    let (want, have) = (expected[first], found[first]);
    Some(format!("at {}: expected {want:?}, found {have:?}{others}", place(first)))
}
