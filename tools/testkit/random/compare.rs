//! The error bound of compiled code.
//!
//! Integers and booleans must be equal. Let `w` be an element of a result of the evaluator, and `g` that of the code. A
//! finite float `w` permits `|g − w| ≤ ε (|w| + m)`, where `m` is the largest finite magnitude in the array of `w` and
//! ε is [`RELATIVE`]. A larger difference is correct if rounding explains it. To estimate rounding, the evaluator is
//! called again with inputs whose last digits differ; `|g − w|` may be at most 64 times the resulting change, plus 64
//! roundings of the largest intermediate number (`mlopt_cli::commands::equiv::measure`). This criterion also holds for
//! integers and booleans computed from floats. If `w` is infinite or NaN, any `g` is correct.

use mlopt_cli::commands::equiv::measure::{Call, Measure};
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Data, Element};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// ε in double and in single precision.
const RELATIVE: (f64, f64) = (1e-10, 1e-5);

/// The first difference between two results.
struct Difference {
    place: usize,
    text: String,
    /// True if rounding may explain it, which needs a further check.
    near: bool,
}

/// The results of the evaluator, with the function and the arguments.
pub struct Reference<'r> {
    pub function: Op,
    pub arguments: &'r [Array],
    pub results: &'r [Array],
    pub steps: u64,
}

impl Reference<'_> {
    /// Describes the first difference, unless rounding explains it.
    pub fn difference(&self, got: &[Array]) -> Option<String> {
        let count = self.results.len();
        if got.len() != count {
            return Some(format!("result 0, element 0: {} results instead of {count}", got.len()));
        }
        let (k, found) = (0..count).find_map(|k| Some((k, different(&self.results[k], &got[k])?)))?;
        let is_explained = found.near && self.measured(got, false).is_none();
        (!is_explained).then(|| format!("result {k}, element {}: {}", found.place, found.text))
    }

    /// Describes the first difference for arguments that are infinite, NaN or zeros. Infinities and NaN are compared
    /// too, unless the program's fast-math flags or the semantics of its ops leave them unspecified
    /// (`mlopt_cli::commands::equiv::measure`).
    pub fn special_difference(&self, got: &[Array]) -> Option<String> {
        let (k, i) = self.measured(got, true)?;
        let got = self.without_empty(got);
        let (want, got) = (&self.results[k], &got[k]);
        if want.shape() != got.shape() {
            return Some(format!("result {k}: shape {:?} instead of {:?}", got.shape(), want.shape()));
        }
        Some(format!("result {k}, element {i}: {:?} instead of {:?}", got.to_f64()[i], want.to_f64()[i]))
    }

    /// Returns the first result and element whose difference rounding does not explain. Signs of zeros count if
    /// `zeros`.
    fn measured(&self, got: &[Array], zeros: bool) -> Option<(usize, usize)> {
        let call = Call { sides: [self.function, self.function], x: self.arguments, steps: self.steps };
        let module = self.function.module().expect("the op is in a module");
        let mut measure = Measure::of(&module.nested_ops(), None);
        measure.zeros &= zeros;
        measure.difference(&call, self.results, &self.without_empty(got), &mut ChaCha8Rng::seed_from_u64(1))
    }

    /// Returns `got`, with the evaluator's results in place of empty arrays, whose sizes may differ.
    fn without_empty(&self, got: &[Array]) -> Vec<Array> {
        self.results.iter().zip(got).map(|(w, g)| if w.is_empty() && g.is_empty() { w } else { g }.clone()).collect()
    }
}

/// Returns the first element that exceeds the first bound.
fn different(want: &Array, got: &Array) -> Option<Difference> {
    let differs = |place, text, near| Some(Difference { place, text, near });
    if want.element() != got.element() {
        return differs(0, format!("elements of {} instead of {}", got.element(), want.element()), false);
    }
    if want.is_empty() && got.is_empty() && want.rank() == got.rank() {
        return None;
    }
    if want.shape() != got.shape() {
        return differs(0, format!("shape {:?} instead of {:?}", got.shape(), want.shape()), false);
    }
    if !want.element().is_float() {
        let place = match (want.data(), got.data()) {
            (Data::I64(w), Data::I64(g)) | (Data::Index(w), Data::Index(g)) => {
                w.iter().zip(g).position(|(w, g)| w != g)
            }
            _ => want.to_f64().iter().zip(got.to_f64()).position(|(w, g)| *w != g),
        }?;
        let (w, g) = (want.to_f64()[place], got.to_f64()[place]);
        return differs(place, format!("{g} instead of {w}"), true);
    }
    let relative = if want.element() == Element::F32 { RELATIVE.1 } else { RELATIVE.0 };
    let (want, got) = (want.to_f64(), got.to_f64());
    let largest = want.iter().filter(|w| w.is_finite()).fold(0.0, |m: f64, w| m.max(w.abs()));
    for (place, (&w, &g)) in want.iter().zip(&got).enumerate() {
        if !w.is_finite() {
            continue;
        }
        if !g.is_finite() {
            return differs(place, format!("{g} instead of {w}"), false);
        }
        if (g - w).abs() > relative * (w.abs() + largest) {
            return differs(place, format!("{g:?} instead of {w:?}"), true);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlopt_dialects::bridge::program::Program;

    #[test]
    fn signs_of_zeros_and_shapes_are_special_differences() {
        let text = "func.func @f(%x: f64) -> f64 {\n  %z = math.sqrt %x : f64\n  return %z : f64\n}";
        let module = Program::parse(text.as_bytes(), "sqrt.mlir").unwrap();
        let of = |want: Array, got: Array| {
            let function = module.module().lookup("f").unwrap();
            let (arguments, results) = ([Array::f64(0.0)], [want]);
            Reference { function, arguments: &arguments, results: &results, steps: 100 }.special_difference(&[got])
        };
        assert_eq!(of(Array::f64(0.0), Array::f64(0.0)), None);
        assert!(of(Array::f64(0.0), Array::f64(-0.0)).is_some());
        assert!(of(Array::vector(&[1.0, 2.0]), Array::vector(&[1.0])).is_some());
    }

    #[test]
    fn small_errors_pass_and_others_do_not() {
        let want = Array::vector(&[1.0, 1e-14, -2.0]);
        let near = |got: &[f64]| different(&want, &Array::vector(got)).map(|d| (d.place, d.near));
        assert_eq!(near(&[1.0, 0.0, -2.0 + 1e-11]), None);
        assert_eq!(near(&[1.0, 1e-14, -2.0 + 1e-8]), Some((2, true)));
        assert_eq!(near(&[f64::NAN, 1e-14, -2.0]), Some((0, false)));
        assert!(different(&Array::vector(&[f64::NAN, 1.0]), &Array::vector(&[0.0, 1.0])).is_none());
        let bits = |b: &[bool]| Array::new(vec![b.len()], b.to_vec().into());
        assert!(different(&bits(&[true, false]), &bits(&[true, true])).is_some());
        let empty = |shape: &[usize]| Array::zeros(Element::F64, shape);
        assert!(different(&empty(&[0, 0]), &empty(&[0, 3])).is_none());
    }
}
