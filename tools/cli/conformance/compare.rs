//! Comparison of computed and expected values.

use mlopt_dialects::value::{Array, Element};

/// The permitted difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// None; NaN equals NaN.
    Equal,
    /// 3 units in the last place, as in the tests of StableHLO.
    Close,
    /// 8 units in the last place of the greatest number of the array. The order of additions is open, so that the error
    /// of a sum whose terms cancel is relative to its terms.
    CloseToAll,
    /// 10⁻⁴, absolute or relative.
    Almost,
}

/// Compares two arrays of one type.
pub fn arrays(found: &Array, expected: &Array, tolerance: Tolerance) -> Result<(), String> {
    if found.shape() != expected.shape() || found.element() != expected.element() {
        return Err(format!("expected type {}, found {}", expected.type_text(), found.type_text()));
    }
    let (x, y) = (found.to_f64(), expected.to_f64());
    // Numbers of 64 bits that f64 does not represent exactly.
    if !found.element().is_float() && found.data() != expected.data() {
        let i = x.iter().zip(&y).position(|(x, y)| x != y).unwrap_or(0);
        return Err(format!("expected {} at {i}, found {}", y[i], x[i]));
    }
    let bits = mantissa(found.element());
    let greatest = y.iter().filter(|y| y.is_finite()).fold(0.0f64, |greatest, y| greatest.max(y.abs()));
    let is_close = |x: f64, y: f64| {
        if x == y || x.is_nan() && y.is_nan() {
            return true;
        }
        match tolerance {
            Tolerance::Equal => false,
            Tolerance::Close => (x - y).abs() <= 3.0 * unit(y, bits),
            Tolerance::CloseToAll => (x - y).abs() <= 8.0 * unit(greatest, bits),
            Tolerance::Almost => (x - y).abs() <= 1e-4 * y.abs().max(1.0),
        }
    };
    match x.iter().zip(&y).position(|(&x, &y)| !is_close(x, y)) {
        Some(i) => Err(format!("expected {:e} at {i}, found {:e}", y[i], x[i])),
        None => Ok(()),
    }
}

/// Returns the number of bits of the mantissa, and the exponent of the least normal number.
fn mantissa(element: Element) -> (i32, i32) {
    match element {
        Element::F16 => (10, -14),
        Element::BF16 => (7, -126),
        Element::F32 => (23, -126),
        _ => (52, -1022),
    }
}

/// Returns the distance of neighbouring numbers at `x`.
fn unit(x: f64, (bits, least): (i32, i32)) -> f64 {
    if !x.is_finite() {
        return 0.0;
    }
    let exponent = if x == 0.0 { least } else { (x.abs().log2().floor() as i32).max(least) };
    2f64.powi(exponent - bits)
}
