//! Tests of the comparison of values in `mlopt check-calls`.

use mlopt_cli::commands::check_calls::compare::{Tolerance, bits, difference};
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::value::{Array, Element};

/// Other differences are in `test/tool/check-calls.test`.
#[test]
fn empty_arrays_may_have_other_sizes() {
    let empty = |rows| Value::array(Array::zeros(Element::F64, &[rows, 0]));
    let text = |any_empty| difference(&empty(3), &empty(0), Tolerance { f64: 0.0, f32: 0.0, any_empty });
    assert!(text(true).is_none() && text(false).is_some());
}

#[test]
fn bits_tell_zeros_apart() {
    assert_ne!(bits(&[Value::f64(0.0)]), bits(&[Value::f64(-0.0)]));
    assert_eq!(bits(&[Value::f64(f64::NAN)]), bits(&[Value::f64(-f64::NAN)]));
}
