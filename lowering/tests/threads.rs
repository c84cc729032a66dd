//! Tests of loops that several threads share, at sizes around those of vectors, tiles and blocks, static and dynamic:
//! the results are those of code without chunks, and their bits do not depend on the number of threads.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::{GRAD_CPU, GRAD_PLAIN, Pipeline};
use mlopt_passes::arrays::static_sizes;
use mlopt_runtime::code::Compiled;
use mlopt_runtime::threads::set_threads;

/// Rows of `x` and columns of `y` combined in every way that loops are divided.
const PROGRAM: &str = "
  func.func @f(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64, tensor<?x?xf64>) {
    %e = math.exp %x : tensor<?x?xf64>
    %z = arith.mulf %e, %x : tensor<?x?xf64>
    %columns = array.sum %z axes [0] : (tensor<?x?xf64>) -> tensor<?xf64>
    %rows = array.sum %z axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
    %total = array.sum %z axes [0, 1] : (tensor<?x?xf64>) -> f64
    %most = array.max %rows : (tensor<?xf64>) -> f64
    %m = array.length %x : tensor<?x?xf64>
    %l = array.length %y : tensor<?x?xf64>
    %t = array.transpose %y [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %n = array.length %t : tensor<?x?xf64>
    %p = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
      %products = array.build (%k < %l) -> (tensor<?xf64>) {
        %a = array.get %x[%i, %k] : (tensor<?x?xf64>) -> f64
        %b = array.get %y[%k, %j] : (tensor<?x?xf64>) -> f64
        %q = arith.mulf %a, %b : f64
        array.yield %q : f64
      }
      %s = array.sum %products : (tensor<?xf64>) -> f64
      array.yield %s : f64
    }
    return %z, %columns, %rows, %total, %most, %p
      : tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64, tensor<?x?xf64>
  }";

/// Rows and columns of the first argument, and columns of the second one.
const SIZES: [[usize; 3]; 14] = [
    [0, 3, 2],
    [1, 0, 1],
    [1, 1, 1],
    [7, 9, 8],
    [17, 33, 15],
    [1, 200_003, 1],
    [200_003, 1, 2],
    [50_021, 7, 3],
    [3, 70_001, 2],
    [257, 1031, 129],
    [300, 301, 299],
    [1009, 64, 640],
    [24, 500, 2003],
    [288, 128, 512],
];

/// Returns numbers between -1 and 1.
fn numbers(shape: [usize; 2], single: bool) -> Array {
    let number = |k: usize| ((k.wrapping_mul(2_654_435_761) % 65_536) as f64) / 32_768.0 - 1.0;
    let all = 0..shape[0] * shape[1];
    let data = match single {
        false => Data::F64(all.map(number).collect()),
        true => Data::F32(all.map(|k| number(k) as f32).collect()),
    };
    Array::new(shape.to_vec(), data)
}

fn compiled(pipeline: &[&str], single: bool, sizes: Option<[usize; 3]>, target: &Target) -> Compiled {
    let text = if single { PROGRAM.replace("f64", "f32") } else { PROGRAM.to_string() };
    let program = Program::parse(text.as_bytes(), "f.mlir").unwrap();
    let module = program.module();
    if let Some([m, k, n]) = sizes {
        let entry = module.lookup("f").unwrap();
        static_sizes::specialise(entry, &[vec![Some(m), Some(k)], vec![Some(k), Some(n)]]).unwrap();
    }
    target.describe(module);
    program.run_pipeline(&Pipeline::of(pipeline).to_string()).unwrap();
    Compiled::new(module, target).unwrap()
}

#[test]
fn results_are_those_of_one_loop_for_any_number_of_threads() {
    mlopt_lowering::register_passes();
    let (host, plain) = (Target::host().unwrap(), Target::plain().unwrap());
    for single in [false, true] {
        let expected = compiled(GRAD_PLAIN, single, None, &plain).function("f").unwrap();
        let open = compiled(GRAD_CPU, single, None, &host).function("f").unwrap();
        for sizes in SIZES {
            let [m, k, n] = sizes;
            let arguments = [numbers([m, k], single), numbers([k, n], single)];
            let right = expected.call(&arguments).unwrap();
            let fixed = compiled(GRAD_CPU, single, Some(sizes), &host).function("f").unwrap();
            for function in [&open, &fixed] {
                let results = [1, 2, 3, 8].map(|threads| {
                    set_threads(threads);
                    function.call(&arguments).unwrap()
                });
                set_threads(0);
                let bits = |arrays: &[Array]| -> Vec<Vec<u64>> {
                    arrays.iter().map(|array| array.to_f64().iter().map(|x| x.to_bits()).collect()).collect()
                };
                assert!(
                    results.iter().all(|one| bits(one) == bits(&results[0])),
                    "f{} {sizes:?}",
                    64 >> usize::from(single)
                );
                for (position, (found, right)) in results[0].iter().zip(&right).enumerate() {
                    assert_eq!(found.shape(), right.shape());
                    let (found, right) = (found.to_f64(), right.to_f64());
                    let largest = right.iter().fold(1.0f64, |most, x| most.max(x.abs()));
                    let tolerance = if single { 2e-4 } else { 1e-11 } * largest;
                    let close = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= tolerance;
                    assert!(found.iter().zip(right.iter()).all(close), "result {position}, {single}, {sizes:?}");
                }
            }
        }
    }
}
