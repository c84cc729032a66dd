//! The values of `stream.initial`: given from outside by name, or made as its method says. The same on every machine.

use crate::arguments::random;
use mlopt_dialects::value::{Array, Data, Element};

/// The methods that can be asked for.
pub const METHODS: [&str; 2] = ["glorot_uniform", "orthogonal"];

/// An array of a static shape by `method`, from a seed that is made of its full name.
///
/// - `glorot_uniform`: uniform in ±√(6 / (rows + columns)); X. Glorot and Y. Bengio, AISTATS 2010, formula 16.
/// - `orthogonal`: rows (or columns, where these are fewer) of length one at right angles; A. Saxe et al., ICLR 2014. Axes behind
///   the first count as one; a vector is one row.
///
/// # Errors
/// For other methods and for elements that are no floats.
pub fn value(method: &str, name: &str, element: Element, shape: &[usize]) -> Result<Array, String> {
    if !element.is_float() {
        return Err(format!("expected an initial value of floats, found {element}"));
    }
    let (rows, columns) = match shape {
        [] => (1, 1),
        [n] => (1, *n),
        [n, rest @ ..] => (*n, rest.iter().product()),
    };
    let seed = seed(name);
    let numbers = match method {
        "glorot_uniform" => {
            let limit = (6.0 / (rows + columns) as f64).sqrt();
            random::random(&format!("{}xf64:seed={seed}:uniform={},{}", rows * columns, -limit, limit))?.to_f64()
        }
        "orthogonal" => {
            let numbers = random::random(&format!("{}xf64:seed={seed}:normal=0,1", rows * columns))?.to_f64();
            orthogonal(numbers, rows, columns)
        }
        _ => {
            let hint = mlopt_dialects::suggest::did_you_mean(method, METHODS);
            return Err(format!("no way to make an initial value `{method}`{hint}"));
        }
    };
    let data = match element {
        Element::F32 => Data::F32(numbers.into_iter().map(|x| x as f32).collect()),
        _ => Data::F64(numbers),
    };
    Ok(Array::new(shape.to_vec(), data))
}

/// FNV-1a (draft-eastlake-fnv).
fn seed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Modified Gram-Schmidt over the shorter axis.
fn orthogonal(mut x: Vec<f64>, rows: usize, columns: usize) -> Vec<f64> {
    let is_wide = rows <= columns;
    let (vectors, length) = if is_wide { (rows, columns) } else { (columns, rows) };
    let at = |v: usize, k: usize| if is_wide { v * columns + k } else { k * columns + v };
    for v in 0..vectors {
        for u in 0..v {
            let dot: f64 = (0..length).map(|k| x[at(u, k)] * x[at(v, k)]).sum();
            for k in 0..length {
                x[at(v, k)] -= dot * x[at(u, k)];
            }
        }
        let norm = (0..length).map(|k| x[at(v, k)] * x[at(v, k)]).sum::<f64>().sqrt();
        for k in 0..length {
            x[at(v, k)] /= norm;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orthogonal_matrices_are() {
        for (rows, columns) in [(3, 5), (5, 3), (4, 4)] {
            let q = value("orthogonal", "k", Element::F64, &[rows, columns]).unwrap().to_f64();
            let short = rows.min(columns);
            for a in 0..short {
                for b in 0..short {
                    let dot: f64 = (0..rows.max(columns))
                        .map(|k| match rows <= columns {
                            true => q[a * columns + k] * q[b * columns + k],
                            false => q[k * columns + a] * q[k * columns + b],
                        })
                        .sum();
                    assert!((dot - f64::from(a == b)).abs() < 1e-12, "{rows}x{columns}: {a}, {b}: {dot}");
                }
            }
        }
    }

    #[test]
    fn names_make_different_values() {
        let one = value("glorot_uniform", "x.k", Element::F64, &[2, 3]).unwrap();
        assert_ne!(one, value("glorot_uniform", "y.k", Element::F64, &[2, 3]).unwrap());
        assert!(one.to_f64().iter().all(|x| x.abs() <= (6.0f64 / 5.0).sqrt()));
        let error = value("glorot_unifrom", "k", Element::F64, &[2]).unwrap_err();
        assert_eq!(error, "no way to make an initial value `glorot_unifrom`; did you mean `glorot_uniform`?");
    }
}
