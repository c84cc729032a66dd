//! Programs in all notations, and what their functions compute.

use crate::code;
use mlopt::{Element, ErrorKind, Pipeline, Session, Target, Tensor, View, ViewMut};

const DOT: &str = "
func.func private @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  %n = array.length %a : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %x = array.get %a[%i] : (tensor<?xf64>) -> f64
    %y = array.get %b[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %x, %y : f64
    array.yield %p : f64
  }
  %s = array.sum %z : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @gradient(%a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %d:2 = dual.grad @dot(%a, %b) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d#0, %d#1 : tensor<?xf64>, tensor<?xf64>
}";

#[test]
fn gradients_of_arrays_of_several_sizes() {
    let gradient = code(DOT).function("gradient").unwrap();
    for n in [0, 1, 2, 7, 8, 9, 1000] {
        let a: Vec<f64> = (0..n).map(|k| k as f64).collect();
        let b: Vec<f64> = a.iter().map(|x| 1.0 - x).collect();
        let shape = [n];
        let found = gradient.call(&[View::new(&a, &shape).unwrap(), View::new(&b, &shape).unwrap()]).unwrap();
        assert_eq!((found[0].elements().unwrap(), found[1].elements().unwrap()), (&b[..], &a[..]));
    }
}

#[test]
fn operands_of_different_sizes_are_an_error_at_their_place() {
    let gradient = code(DOT).function("gradient").unwrap();
    let error = gradient.call(&[View::new(&[1.0], &[1]).unwrap(), View::new(&[1.0, 2.0], &[2]).unwrap()]);
    // `array.build` has the size of the first array; elements of the second beyond it have no effect.
    assert!(error.is_ok() || error.unwrap_err().kind() == ErrorKind::Argument);
    let add = code(
        "func.func @add(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
           %z = arith.addf %a, %b : tensor<?xf64>
           return %z : tensor<?xf64>
         }",
    );
    let (a, b) = ([1.0], [1.0, 2.0]);
    let views = [View::new(&a, &[1]).unwrap(), View::new(&b, &[2]).unwrap()];
    let error = add.function("add").unwrap().call(&views).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    let found = &error.diagnostics()[0];
    assert_eq!((found.file.as_deref(), found.line), (Some("test.mlir"), Some(2)), "{error}");
    assert_eq!(found.code.as_deref(), Some("shape-mismatch"), "{error}");
}

#[test]
fn sizes_of_results_may_depend_on_values() {
    let code = code(
        "func.func @squares(%n: index) -> tensor<?xf64> {
           %z = array.build (%i < %n) -> (tensor<?xf64>) {
             %k = arith.index_cast %i : index to i64
             %x = arith.sitofp %k : i64 to f64
             %y = arith.mulf %x, %x : f64
             array.yield %y : f64
           }
           return %z : tensor<?xf64>
         }",
    );
    let squares = code.function("squares").unwrap();
    let mut call = squares.prepare(&[&[]]).unwrap();
    assert!(call.result_shapes().is_empty());
    for n in [3_i64, 0, 5] {
        let expected: Vec<f64> = (0..n).map(|k| (k * k) as f64).collect();
        assert_eq!(squares.call(&[View::scalar(&n)]).unwrap()[0].elements::<f64>().unwrap(), expected);
        let (mut z, shape) = (vec![0.0; n as usize], [n as usize]);
        call.call(&[View::scalar(&n)], &mut [ViewMut::new(&mut z, &shape).unwrap()]).unwrap();
        assert_eq!((z, call.result_shapes()), (expected, &[vec![n as usize]][..]));
    }
    let error = call.call(&[View::scalar(&2_i64)], &mut [ViewMut::new(&mut [0.0; 3], &[3]).unwrap()]).unwrap_err();
    let text = "error: the memory of result #0 of `@squares` must be `tensor<2xf64>`, found `tensor<3xf64>`";
    assert_eq!(error.to_string(), text);
}

/// Memory at addresses is not checked, so it is written only if its shapes were known before.
#[test]
#[allow(unsafe_code)]
fn raw_calls_do_not_write_results_of_unexpected_sizes() {
    let code = code(
        "func.func @ones(%n: index) -> tensor<?xf64> {
           %one = arith.constant 1.0 : f64
           %z = array.replicate %one, %n : (f64) -> tensor<?xf64>
           return %z : tensor<?xf64>
         }
         func.func @total(%n: index) -> f64 {
           %z = array.build (%i < %n) -> (tensor<?xf64>) {
             %k = arith.index_cast %i : index to i64
             %x = arith.sitofp %k : i64 to f64
             array.yield %x : f64
           }
           %m = array.max %z : (tensor<?xf64>) -> f64
           %d = array.build (%i < %n) -> (tensor<?xf64>) {
             %x = array.get %z[%i] : (tensor<?xf64>) -> f64
             %y = arith.subf %x, %m : f64
             array.yield %y : f64
           }
           %s = array.sum %d : (tensor<?xf64>) -> f64
           return %s : f64
         }",
    );
    let mut call = code.function("ones").unwrap().prepare(&[&[]]).unwrap();
    let mut z = [0.0; 8];
    let mut run = |n: i64| {
        // SAFETY: the memory has the size of all results that may be written.
        let outcome = unsafe { call.call_raw(&[(&raw const n).cast()], &[z.as_mut_ptr().cast()]) };
        let found = (z.iter().sum::<f64>(), call.result_shapes().to_vec());
        z = [0.0; 8];
        match outcome {
            Ok(()) => Ok(found),
            Err(error) if found.0 == 0.0 => Err((error.kind(), error.to_string(), found.1)),
            Err(_) => panic!("nothing must be written"),
        }
    };
    let text = "error: these arguments give results of `@ones` of shapes [[3]], which were not known before this call";
    assert_eq!(run(3), Err((ErrorKind::Argument, text.to_string(), vec![vec![3]])));
    assert_eq!(run(3), Ok((3.0, vec![vec![3]])));
    let text = "error: these arguments give results of `@ones` of shapes [[7]], and not [[3]] as before";
    assert_eq!(run(7), Err((ErrorKind::Argument, text.to_string(), vec![vec![7]])));
    assert_eq!(run(7), Ok((7.0, vec![vec![7]])));
    // Shapes that are part of the types are known, also if the scratch memory depends on values.
    let mut call = code.function("total").unwrap().prepare(&[&[]]).unwrap();
    assert_eq!((call.result_shapes(), call.scratch_bytes()), (&[vec![]][..], 0));
    let (n, mut z) = (5_i64, 0.0_f64);
    // SAFETY: `@total` takes and returns one number.
    unsafe { call.call_raw(&[(&raw const n).cast()], &[(&raw mut z).cast()]) }.unwrap();
    assert_eq!(z, -10.0);
}

#[test]
fn a_check_of_the_program_stops_it_at_its_place() {
    let code = code(
        "func.func @positive(%x: f64) -> f64 {
           %zero = arith.constant 0.0 : f64
           %c = arith.cmpf ogt, %x, %zero : f64
           array.check %c, \"not-positive\", \"the number must be positive\"
           return %x : f64
         }",
    );
    let positive = code.function("positive").unwrap();
    assert_eq!(positive.call(&[View::scalar(&1.0)]).unwrap(), [Tensor::scalar(1.0)]);
    let error = positive.call(&[View::scalar(&-1.0)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Stopped);
    assert_eq!(error.to_string(), "test.mlir:4:12: error: not-positive: the number must be positive");
}

#[test]
fn functions_of_data_take_and_return_the_parts_of_tuples() {
    let text =
        "(def spread ((p tuple<f64,array<?xf64>>)) (tuple (get 0 p) (length (cons (get 0 p) (nil f64))) (get 1 p)))";
    let code = Session::new().compile("spread.lambda", text).unwrap_or_else(|error| panic!("{error}"));
    let spread = code.function("spread").unwrap();
    let found = spread.call(&[View::scalar(&2.0), View::new(&[3.0, 4.0], &[2]).unwrap()]).unwrap();
    assert_eq!(found.len(), spread.results().len(), "{spread}");
    assert_eq!(found[0], Tensor::scalar(2.0));
    assert_eq!(found.last().unwrap().elements::<f64>().unwrap(), [3.0, 4.0]);
}

#[test]
fn recursion_is_differentiated_and_called() {
    let text = "(def power ((x f64) (n i64))
                  (letrec ((go (lam (k) (if (i= k 0) 1.0 (* x (go (i- k 1))))))) (go n)))
                (def slope ((x f64)) ((grad (lam (y) (power y 5))) x))";
    match Session::new().compile("power.lambda", text) {
        Ok(code) => {
            let slope = code.function("slope").unwrap().call(&[View::scalar(&2.0)]).unwrap();
            assert_eq!(slope, [Tensor::scalar(80.0)]);
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn arrays_of_any_strides_are_arguments() {
    let code = code(
        "func.func @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
           %t = array.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
           %z = array.sum %t : (tensor<?x?xf32>) -> tensor<?xf32>
           return %z : tensor<?xf32>
         }",
    );
    let rows = code.function("rows").unwrap();
    let x = ndarray::array![[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let sums = |view: View| rows.call(&[view]).unwrap()[0].elements::<f32>().unwrap().to_vec();
    assert_eq!(sums((&x).into()), [6.0, 15.0]);
    assert_eq!(sums((&x.t()).into()), [5.0, 7.0, 9.0]);
    assert_eq!(sums((&x.slice(ndarray::s![.., ..;-2])).into()), [4.0, 10.0]);
    let mut z = ndarray::Array1::<f32>::zeros(2);
    rows.call_into(&[(&x).into()], &mut [(&mut z).try_into().unwrap()]).unwrap();
    assert_eq!(z, ndarray::array![6.0, 15.0]);
    let mut wide = ndarray::Array1::<f32>::zeros(4);
    let mut every_second = wide.slice_mut(ndarray::s![..;2]);
    let error = ViewMut::try_from(&mut every_second).unwrap_err();
    assert_eq!(error.to_string(), "error: the memory of a result must be contiguous and row-major");
}

#[test]
fn integers_and_truth_values() {
    let code = code(
        "func.func @less(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi1> {
           %z = arith.cmpi slt, %a, %b : tensor<2xi32>
           return %z : tensor<2xi1>
         }",
    );
    let less = code.function("less").unwrap();
    let found = less.call(&[View::new(&[1, 2], &[2]).unwrap(), View::new(&[2, 2], &[2]).unwrap()]).unwrap();
    assert_eq!((found[0].element(), found[0].elements::<bool>().unwrap()), (Element::I1, &[true, false][..]));
}

#[test]
fn targets_and_pipelines_are_chosen() {
    let session = Session::new();
    let text = "func.func @f(%x: f64) -> f64 { %z = arith.addf %x, %x : f64  return %z : f64 }";
    let plain = Target::named("x86-64", "").unwrap();
    let pipeline = Pipeline::of(&["array-to-sweeps", "plan-memory", "sweeps-to-loops", "loops-to-llvm"]);
    let code = session.parse("f.mlir", text).unwrap().compile(&pipeline, &plain).unwrap();
    assert_eq!(code.function("f").unwrap().call(&[View::scalar(&2.0)]).unwrap(), [Tensor::scalar(4.0)]);
    // The passes may also run before.
    let mut module = session.parse("f.mlir", text).unwrap();
    module.run(&Pipeline::of(&["canonicalize"])).unwrap();
    assert!(module.compile(&Pipeline::default(), &plain).is_ok());
}
