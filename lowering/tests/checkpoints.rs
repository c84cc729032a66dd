//! Tests of the memory, in bytes, in which reverse mode stores the states of a loop of n iterations. If all states are
//! stored, it grows as n; with segments it grows as √n. If n depends on data, the code allocates the memory itself, and
//! reports a failed allocation.

use crate::common::*;
use mlopt_dialects::value::Array;
use mlopt_lowering::ir::module_op;
use mlopt_passes::ad::differentiate;
use mlopt_passes::ad::dual_arrays::Memory;
use mlopt_runtime::code::Compiled;

/// `@known` is the gradient of a loop whose trip count is known at run time, `@ended` that of the same loop when its
/// trip count is known only at its end. The reverse sweep needs its state of 64 numbers.
const PROGRAM: &str = include_str!("../../test/gradients/segments.mlir");

fn gradients(budget: Option<f64>) -> Compiled {
    let context = context();
    let module = parse(&context, PROGRAM);
    let module = module_op(&module);
    module.context().load_dialects(differentiate::PASS.dialects);
    assert!(differentiate::run(module, Memory { budget, report: false }).is_ok());
    compile(module)
}

/// The numbers of iterations in the tests.
const ITERATIONS: [i64; 6] = [0, 1, 7, 2500, 10_000, 40_000];

/// Checks the growth of the bytes for [`ITERATIONS`], with all states and with segments.
fn grow_as_iterations_and_root(bytes: &[[f64; 2]]) {
    println!("bytes with all states, bytes with segments: {bytes:?}");
    for pair in bytes[3..].windows(2) {
        let (few, many) = (pair[0], pair[1]);
        assert!(many[0] > 3.9 * few[0], "all states grow as the iterations");
        assert!(many[1] < 2.1 * few[1], "segments grow as their root");
    }
    assert!(bytes[5][0] >= 40_000.0 * 512.0 && bytes[5][1] < 4.0 * 200.0 * 512.0);
}

#[test]
fn segments_take_memory_as_the_root_of_the_iterations() {
    let [whole, segmented] = [None, Some(0.0)].map(|budget| gradients(budget).function("known").unwrap());
    let mut bytes = Vec::new();
    for n in ITERATIONS {
        let arguments = [array(1, &[64]), index(n)];
        let equal = |a: &Array, b: &Array| a.to_f64().iter().zip(b.to_f64()).all(|(a, b)| a.to_bits() == b.to_bits());
        let (a, b) = (whole.call(&arguments).unwrap(), segmented.call(&arguments).unwrap());
        assert!(equal(&a[0], &b[0]), "segments change the gradient for {n} iterations");
        bytes.push([&whole, &segmented].map(|f| f.scratch_bytes(&arguments).unwrap() as f64));
    }
    grow_as_iterations_and_root(&bytes);
}

#[test]
fn loops_that_data_ends_take_the_memory_that_they_need() {
    let known = gradients(None).function("known").unwrap();
    let [whole, segmented] = [None, Some(0.0)].map(|budget| gradients(budget).function("ended").unwrap());
    let mut bytes = Vec::new();
    for n in ITERATIONS {
        let arguments = [array(1, &[64]), Array::f64(n as f64)];
        let want = known.call(&[array(1, &[64]), index(n)]).unwrap();
        for f in [&whole, &segmented] {
            let got = f.call(&arguments).unwrap();
            let equal = got[0].to_f64().iter().zip(want[0].to_f64()).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(equal, "another gradient for {n} iterations");
        }
        let measured = [&whole, &segmented].map(|f| f.measured_bytes(&arguments).unwrap());
        let again = [&whole, &segmented].map(|f| f.measured_bytes(&arguments).unwrap());
        assert_eq!(measured, again, "all memory is freed");
        bytes.push(measured.map(|n| n as f64));
    }
    grow_as_iterations_and_root(&bytes);
}
