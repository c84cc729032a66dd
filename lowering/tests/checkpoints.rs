//! What reverse mode stores of a loop, in bytes of scratch memory: all states grow as n, segments as √n.

mod common;

use common::*;
use mlopt_dialects::value::Array;
use mlopt_lowering::ir::{load_dialects, module_op};
use mlopt_lowering::native::Compiled;
use mlopt_passes::differentiate;
use mlopt_passes::dual_arrays::Memory;

/// A loop whose trip count is known at run time; its state of 64 numbers is needed backwards.
const PROGRAM: &str = "
func.func private @f(%x: tensor<64xf64>, %n: index) -> f64 {
  %w = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<64xf64>) {
    %t = math.sin %s : tensor<64xf64>
    %u = arith.mulf %t, %x : tensor<64xf64>
    array.yield %u : tensor<64xf64>
  }
  %z = array.sum %w : (tensor<64xf64>) -> f64
  return %z : f64
}
func.func @g(%x: tensor<64xf64>, %n: index) -> tensor<64xf64> {
  %g = dual.grad @f(%x, %n) wrt [0] mode reverse : (tensor<64xf64>, index) -> tensor<64xf64>
  return %g : tensor<64xf64>
}
";

fn gradient(budget: Option<f64>) -> Compiled {
    let context = context();
    let module = parse(&context, PROGRAM);
    let module = module_op(&module);
    load_dialects(module.context(), differentiate::PASS.dialects);
    assert!(differentiate::run(module, Memory { budget, report: false }).is_ok());
    compile(module)
}

#[test]
fn segments_take_memory_as_the_root_of_the_iterations() {
    let (whole, segmented) = (gradient(None), gradient(Some(0.0)));
    let (whole, segmented) = (whole.function("g").unwrap(), segmented.function("g").unwrap());
    let mut bytes = Vec::new();
    for n in [0, 1, 7, 2500, 10_000, 40_000] {
        let arguments = [array(1, &[64]), index(n)];
        let equal = |a: &Array, b: &Array| a.to_f64().iter().zip(b.to_f64()).all(|(a, b)| a.to_bits() == b.to_bits());
        let (a, b) = (whole.call(&arguments).unwrap(), segmented.call(&arguments).unwrap());
        assert!(equal(&a[0], &b[0]), "segments change the gradient for {n} iterations");
        bytes.push((n, [&whole, &segmented].map(|f| f.scratch_bytes(&arguments).unwrap() as f64)));
    }
    println!("iterations, bytes with all states, bytes with segments: {bytes:?}");
    for pair in bytes[3..].windows(2) {
        let (few, many) = (pair[0].1, pair[1].1);
        assert!(many[0] > 3.9 * few[0], "all states grow as the iterations");
        assert!(many[1] < 2.1 * few[1], "segments grow as their root");
    }
    assert!(bytes[5].1[0] >= 40_000.0 * 512.0 && bytes[5].1[1] < 4.0 * 200.0 * 512.0);
}
