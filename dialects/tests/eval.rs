//! The semantics of ops that have regions or call functions, the errors of the evaluator, and the counted work.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data, Element};

/// Returns the results of `@f` at `arguments` and the counted work, or the text of the error.
fn run(source: &str, arguments: &[Array]) -> Result<(Vec<Array>, u64), String> {
    let program =
        Program::parse(source.as_bytes(), "test.mlir").unwrap_or_else(|_| panic!("does not parse:\n{source}"));
    let mut evaluator = Evaluator::new(program.module());
    let results = evaluator.call("f", arguments).map_err(|e| e.to_string())?;
    Ok((results, evaluator.work()))
}

fn value(source: &str, arguments: &[Array]) -> Array {
    run(source, arguments).unwrap_or_else(|e| panic!("{e}\n{source}")).0.remove(0)
}

/// Returns the message, without its location.
fn refused(source: &str, arguments: &[Array]) -> String {
    let error = run(source, arguments).map(|_| ()).expect_err("the program has no value");
    assert!(error.starts_with("test.mlir:"), "the error names its place: {error}");
    error.split_once("error: ").expect("an error").1.to_string()
}

fn vector(v: &[f64]) -> Array {
    Array::vector(v)
}

fn matrix(rows: usize, v: &[f64]) -> Array {
    Array::new(vec![rows, v.len() / rows.max(1)], Data::F64(v.to_vec()))
}

fn indices(v: &[i64]) -> Array {
    Array::new(vec![v.len()], Data::Index(v.to_vec()))
}

const FOLD: &str = "func.func @f(%x: tensor<?xf64>, %y: tensor<?x2xf64>, %a: tensor<2xf64>) -> tensor<2xf64> {
  %z = array.fold (%r = %x : tensor<?xf64>, %q = %y : tensor<?x2xf64>) iter_args(%s = %a) -> (tensor<2xf64>) {
    %b = array.replicate %r : (f64) -> tensor<2xf64>
    %c = arith.mulf %s, %b : tensor<2xf64>
    %d = arith.addf %c, %q : tensor<2xf64>
    array.yield %d : tensor<2xf64>
  }
  return %z : tensor<2xf64>
}";

/// Horner's scheme: s ← s·x + y, which depends on the order of the rows.
#[test]
fn folds_go_through_the_rows_in_order() {
    let (x, y) = (vector(&[2.0, 10.0]), matrix(2, &[1.0, 2.0, 3.0, 4.0]));
    assert_eq!(value(FOLD, &[x, y, vector(&[5.0, 6.0])]), vector(&[113.0, 144.0]));
    let nothing = [Array::zeros(Element::F64, &[0]), Array::zeros(Element::F64, &[0, 2]), vector(&[5.0, 6.0])];
    assert_eq!(value(FOLD, &nothing), vector(&[5.0, 6.0]));
}

#[test]
fn folds_need_rows_of_one_number() {
    let message = refused(FOLD, &[vector(&[2.0]), matrix(2, &[0.0; 4]), vector(&[5.0, 6.0])]);
    assert_eq!(message, "'array.fold' op runs over axes of different sizes: 1 and 2");
}

#[test]
fn carried_values_keep_their_sizes() {
    let source = "func.func @f(%x: tensor<3xf64>, %a: tensor<?xf64>) -> tensor<?xf64> {
      %z = array.fold (%r = %x : tensor<3xf64>) iter_args(%s = %a) -> (tensor<?xf64>) {
        %t = array.append %s, %a : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
        array.yield %t : tensor<?xf64>
      }
      return %z : tensor<?xf64>
    }";
    let message = refused(source, &[vector(&[0.0; 3]), vector(&[1.0, 2.0])]);
    assert_eq!(message, "'array.fold' op carried value #0 changes its sizes from [2] to [4] in iteration 0");
    // Appending two empty arrays changes nothing.
    assert_eq!(value(source, &[vector(&[0.0; 3]), vector(&[])]), vector(&[]));
}

#[test]
fn accumulating_maps_emit_a_row_for_each_iteration() {
    let source = "func.func @f(%x: tensor<?xf64>) -> (f64, tensor<?xf64>, tensor<?x2xf64>) {
      %a = arith.constant 100.0 : f64
      %z:3 = array.map_accum (%r = %x : tensor<?xf64>) iter_args(%s = %a) -> (f64, tensor<?xf64>, tensor<?x2xf64>) {
        %t = arith.addf %s, %r : f64
        %p = array.stack %s, %r : (f64, f64) -> tensor<2xf64>
        array.yield %t, %t, %p : f64, f64, tensor<2xf64>
      }
      return %z#0, %z#1, %z#2 : f64, tensor<?xf64>, tensor<?x2xf64>
    }";
    let (results, _) = run(source, &[vector(&[1.0, 2.0])]).unwrap();
    let expected = [Array::f64(103.0), vector(&[101.0, 103.0]), matrix(2, &[100.0, 1.0, 101.0, 2.0])];
    assert_eq!(results, expected);
    let (results, _) = run(source, &[vector(&[])]).unwrap();
    assert_eq!(results, [Array::f64(100.0), vector(&[]), Array::zeros(Element::F64, &[0, 2])]);
}

const GATHER: &str = "func.func @f(%x: tensor<?x2xf64>, %p: tensor<?xindex>) -> tensor<?x2xf64> {
  %n = array.length %p : tensor<?xindex>
  %z = array.gather %x : tensor<?x2xf64> (%i < %n) -> (tensor<?x2xf64>) {
    %j = array.get %p[%i] : tensor<?xindex> -> index
    array.yield %j : index
  }
  return %z : tensor<?x2xf64>
}";

#[test]
fn gathers_read_zero_outside() {
    let x = matrix(2, &[1.0, 2.0, 3.0, 4.0]);
    let z = value(GATHER, &[x.clone(), indices(&[1, -1, 0, 2, 1])]);
    assert_eq!(z, matrix(5, &[3.0, 4.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 3.0, 4.0]));
    assert_eq!(value(GATHER, &[x, indices(&[])]).shape(), [0, 2]);
    assert_eq!(value(GATHER, &[Array::zeros(Element::F64, &[0, 2]), indices(&[0])]), matrix(1, &[0.0, 0.0]));
}

const SCATTER: &str = "func.func @f(%x: tensor<?xf64>, %p: tensor<?xindex>, %a: tensor<3xf64>) -> tensor<3xf64> {
  %z = array.scatter %x into %a : tensor<?xf64> into tensor<3xf64> (%i) {
    %j = array.get %p[%i] : tensor<?xindex> -> index
    array.yield %j : index
  }
  return %z : tensor<3xf64>
}";

#[test]
fn scatters_add_what_collides_and_drop_what_is_outside() {
    let (x, p) = (vector(&[1.0, 2.0, 4.0, 8.0]), indices(&[0, 2, 0, 3]));
    assert_eq!(value(SCATTER, &[x, p, vector(&[10.0, 20.0, 30.0])]), vector(&[15.0, 20.0, 32.0]));
    assert_eq!(value(SCATTER, &[vector(&[]), indices(&[]), vector(&[1.0; 3])]), vector(&[1.0; 3]));
}

/// Spec/arrays.md H.2.
#[test]
fn a_histogram_is_a_scatter() {
    let source = "func.func @f(%x: tensor<9xf64>) -> tensor<6xf64> {
      %zeros = dual.zero : tensor<6xf64>
      %two = arith.constant 2 : index
      %z = array.scatter %x into %zeros : tensor<9xf64> into tensor<6xf64> (%i) {
        %bin = array.div %i, %two : index
        array.yield %bin : index
      }
      return %z : tensor<6xf64>
    }";
    let x: Vec<f64> = (1..=9).map(f64::from).collect();
    assert_eq!(value(source, &[vector(&x)]), vector(&[3.0, 7.0, 11.0, 15.0, 9.0, 0.0]));
}

#[test]
fn scatters_need_parts_of_one_size() {
    let source = "func.func @f(%x: tensor<?xf64>, %a: tensor<2x?xf64>) -> tensor<2x?xf64> {
      %c = arith.constant 0 : index
      %z = array.scatter %x into %a : tensor<?xf64> into tensor<2x?xf64> () {
        array.yield %c : index
      }
      return %z : tensor<2x?xf64>
    }";
    let a = matrix(2, &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(value(source, &[vector(&[10.0, 20.0]), a.clone()]), matrix(2, &[11.0, 22.0, 3.0, 4.0]));
    let message = refused(source, &[vector(&[10.0]), a]);
    assert_eq!(message, "'array.scatter' op adds parts of sizes [1], expected [2]");
}

const VMAP: &str = "func.func @g(%x: tensor<?xf64>, %w: f64, %c: index) -> (f64, tensor<?xf64>) {
  %s = array.sum %x : (tensor<?xf64>) -> f64
  %y = arith.mulf %s, %w : f64
  %n = array.length %x : tensor<?xf64>
  %r = array.replicate %w, %n : (f64) -> tensor<?xf64>
  return %y, %r : f64, tensor<?xf64>
}
func.func @f(%x: tensor<?x?xf64>, %w: tensor<?xf64>, %c: index) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %z:2 = array.vmap @g(%x, %w, %c) in_axes [1, 0, -1]
    : (tensor<?x?xf64>, tensor<?xf64>, index) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %z#0, %z#1 : tensor<?xf64>, tensor<?x?xf64>
}";

#[test]
fn vmap_calls_the_function_along_each_axis() {
    let x = matrix(2, &[1.0, 2.0, 3.0, 10.0, 20.0, 30.0]);
    let (results, _) = run(VMAP, &[x.clone(), vector(&[1.0, 2.0, 3.0]), Array::index(7)]).unwrap();
    assert_eq!(results, [vector(&[11.0, 44.0, 99.0]), matrix(3, &[1.0, 1.0, 2.0, 2.0, 3.0, 3.0])]);
    let message = refused(VMAP, &[x, vector(&[1.0]), Array::index(7)]);
    assert_eq!(message, "'array.vmap' op runs over axes of different sizes: 3 and 1");
    let nothing = [Array::zeros(Element::F64, &[2, 0]), vector(&[]), Array::index(7)];
    assert_eq!(run(VMAP, &nothing).unwrap().0, [vector(&[]), Array::zeros(Element::F64, &[0, 2])]);
}

#[test]
fn run_time_sizes_that_do_not_fit_are_refused() {
    let reshape = "func.func @f(%x: tensor<?xf64>, %n: index) -> tensor<?x2xf64> {
      %z = array.reshape %x sizes(%n) : tensor<?xf64> -> tensor<?x2xf64>
      return %z : tensor<?x2xf64>
    }";
    let x = vector(&[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(value(reshape, &[x.clone(), Array::index(2)]), matrix(2, &[1.0, 2.0, 3.0, 4.0]));
    let message = refused(reshape, &[x, Array::index(3)]);
    assert_eq!(message, "'array.reshape' op cannot reshape the 4 elements of shape [4] to shape [3, 2]");
    assert_eq!(value(reshape, &[vector(&[]), Array::index(-1)]).shape(), [0, 2]);

    let stack = "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<2x?xf64> {
      %z = array.stack %x, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<2x?xf64>
      return %z : tensor<2x?xf64>
    }";
    let message = refused(stack, &[vector(&[1.0]), vector(&[1.0, 2.0])]);
    assert_eq!(message, "'array.stack' op has parts of different sizes: [1] and [2]");

    let append = "func.func @f(%x: tensor<1x?xf64>, %y: tensor<1x?xf64>) -> tensor<2x?xf64> {
      %z = array.append %x, %y : (tensor<1x?xf64>, tensor<1x?xf64>) -> tensor<2x?xf64>
      return %z : tensor<2x?xf64>
    }";
    let message = refused(append, &[matrix(1, &[1.0]), matrix(1, &[1.0, 2.0])]);
    assert_eq!(message, "'array.append' op appends rows of different sizes: [1] and [2]");

    let iota = "func.func @f(%n: index) -> tensor<?xindex> {
      %z = array.iota %n : tensor<?xindex>
      return %z : tensor<?xindex>
    }";
    assert_eq!(value(iota, &[Array::index(3)]), indices(&[0, 1, 2]));
    assert_eq!(value(iota, &[Array::index(-3)]), indices(&[]));
    assert!(refused(iota, &[Array::index(i64::MAX)]).contains("is too large"));
}

#[test]
fn one_hots_and_slices_take_run_time_sizes() {
    let source = "func.func @f(%x: f64, %i: index, %n: index) -> (tensor<2x?xf64>, tensor<?xf64>) {
      %a = array.one_hot %x at [%i, %i] sizes(%n) : f64 -> tensor<2x?xf64>
      %v = array.replicate %x, %n : (f64) -> tensor<?xf64>
      %b = array.slice %v from %i size %n : tensor<?xf64> -> tensor<?xf64>
      return %a, %b : tensor<2x?xf64>, tensor<?xf64>
    }";
    let at = |i, n| run(source, &[Array::f64(5.0), Array::index(i), Array::index(n)]).unwrap().0;
    assert_eq!(at(1, 3), [matrix(2, &[0.0, 0.0, 0.0, 0.0, 5.0, 0.0]), vector(&[5.0, 5.0, 0.0])]);
    assert_eq!(at(-1, 1), [matrix(2, &[0.0, 0.0]), vector(&[0.0])]);
    assert_eq!(at(0, -1), [Array::zeros(Element::F64, &[2, 0]), vector(&[])]);
}

/// Collatz: the number of iterations to reach one.
#[test]
fn while_loops_end_when_their_condition_says_so() {
    let source = "func.func @f(%n: i64) -> (i64, i64) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %two = arith.constant 2 : i64
      %three = arith.constant 3 : i64
      %z:2 = scf.while (%x = %n, %k = %zero) : (i64, i64) -> (i64, i64) {
        %more = arith.cmpi sgt, %x, %one : i64
        scf.condition(%more) %k, %x : i64, i64
      } do {
      ^bb0(%k: i64, %x: i64):
        %r = array.mod %x, %two : i64
        %odd = arith.cmpi eq, %r, %one : i64
        %half = array.div %x, %two : i64
        %triple = arith.muli %x, %three : i64
        %up = arith.addi %triple, %one : i64
        %y = arith.select %odd, %up, %half : i64
        %l = arith.addi %k, %one : i64
        scf.yield %y, %l : i64, i64
      }
      return %z#0, %z#1 : i64, i64
    }";
    let i64 = |x| Array::new(vec![], Data::I64(vec![x]));
    assert_eq!(run(source, &[i64(27)]).unwrap().0, [i64(111), i64(1)]);
    assert_eq!(run(source, &[i64(1)]).unwrap().0, [i64(0), i64(1)]);
}

#[test]
fn a_for_loop_may_end_at_the_last_number() {
    let source = "func.func @f(%last: index) -> index {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %step = arith.constant 4611686018427387904 : index
      %z = scf.for %i = %zero to %last step %step iter_args(%n = %zero) -> (index) {
        %m = arith.addi %n, %one : index
        scf.yield %m : index
      }
      return %z : index
    }";
    assert_eq!(value(source, &[Array::index(i64::MAX)]), Array::index(2));
}

#[test]
fn tensors_are_read_and_written_by_position() {
    let source = "func.func @f(%x: tensor<?x3xf64>, %i: index, %a: f64) \
        -> (f64, tensor<?x3xf64>, tensor<2xf64>, tensor<3x?xf64>) {
      %c1 = arith.constant 1 : index
      %e = tensor.extract %x[%c1, %i] : tensor<?x3xf64>
      %w = tensor.insert %a into %x[%c1, %i] : tensor<?x3xf64>
      %l = tensor.from_elements %a, %e : tensor<2xf64>
      %n = tensor.dim %x, %c1 : tensor<?x3xf64>
      %s = tensor.splat %a[%i] : tensor<3x?xf64>
      return %e, %w, %l, %s : f64, tensor<?x3xf64>, tensor<2xf64>, tensor<3x?xf64>
    }";
    let x = matrix(2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let (results, _) = run(source, &[x.clone(), Array::index(2), Array::f64(9.0)]).unwrap();
    let written = matrix(2, &[1.0, 2.0, 3.0, 4.0, 5.0, 9.0]);
    assert_eq!(results, [Array::f64(6.0), written, vector(&[9.0, 6.0]), matrix(3, &[9.0; 6])]);
    let message = refused(source, &[x, Array::index(3), Array::f64(9.0)]);
    assert_eq!(message, "'tensor.extract' op accesses position [1, 3] of an array of shape [2, 3], which is undefined");
}

#[test]
fn slices_of_tensors_have_offsets_and_strides() {
    let source =
        "func.func @f(%x: tensor<?x4xf64>, %o: index, %n: index) -> (tensor<?x2xf64>, tensor<?xf64>, tensor<?x4xf64>) {
      %a = tensor.extract_slice %x[%o, 1] [%n, 2] [1, 2] : tensor<?x4xf64> to tensor<?x2xf64>
      %b = tensor.extract_slice %x[%o, 3] [%n, 1] [1, 1] : tensor<?x4xf64> to tensor<?xf64>
      %c = tensor.insert_slice %b into %x[%o, 0] [%n, 1] [1, 1] : tensor<?xf64> into tensor<?x4xf64>
      return %a, %b, %c : tensor<?x2xf64>, tensor<?xf64>, tensor<?x4xf64>
    }";
    let x = matrix(3, &(0..12).map(f64::from).collect::<Vec<_>>());
    let (results, _) = run(source, &[x.clone(), Array::index(1), Array::index(2)]).unwrap();
    assert_eq!(results[0], matrix(2, &[5.0, 7.0, 9.0, 11.0]));
    assert_eq!(results[1], vector(&[7.0, 11.0]));
    assert_eq!(results[2], matrix(3, &[0.0, 1.0, 2.0, 3.0, 7.0, 5.0, 6.0, 7.0, 11.0, 9.0, 10.0, 11.0]));
    let message = refused(source, &[x.clone(), Array::index(2), Array::index(2)]);
    assert!(message.contains("accesses position [3, 1] of an array of shape [3, 4], which is undefined"), "{message}");
    assert!(refused(source, &[x, Array::index(2), Array::index(-1)]).contains("negative size -1"));
}

#[test]
fn tensors_change_their_shapes() {
    let source = "func.func @f(%x: tensor<2x3xf64>, %n: index) -> (tensor<6xf64>, tensor<?x1x3xf64>, tensor<2x5xf64>, \
        tensor<4x3xf64>, tensor<?x2xindex>) {
      %a = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf64> into tensor<6xf64>
      %y = tensor.cast %x : tensor<2x3xf64> to tensor<?x3xf64>
      %b = tensor.expand_shape %y [[0, 1], [2]] output_shape [%n, 1, 3] : tensor<?x3xf64> into tensor<?x1x3xf64>
      %s = tensor.extract_slice %x[0, 0] [2, 2] [1, 1] : tensor<2x3xf64> to tensor<2x2xf64>
      %c = tensor.concat dim(1) %x, %s : (tensor<2x3xf64>, tensor<2x2xf64>) -> tensor<2x5xf64>
      %zero = arith.constant 0.5 : f64
      %d = tensor.pad %x low[1, 0] high[1, 0] {
      ^bb0(%i: index, %j: index):
        tensor.yield %zero : f64
      } : tensor<2x3xf64> to tensor<4x3xf64>
      %e = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        %k = arith.addi %i, %j : index
        tensor.yield %k : index
      } : tensor<?x2xindex>
      return %a, %b, %c, %d, %e : tensor<6xf64>, tensor<?x1x3xf64>, tensor<2x5xf64>, tensor<4x3xf64>, tensor<?x2xindex>
    }";
    let v: Vec<f64> = (1..=6).map(f64::from).collect();
    let (results, _) = run(source, &[matrix(2, &v), Array::index(2)]).unwrap();
    assert_eq!(results[0], vector(&v));
    assert_eq!(results[1], Array::new(vec![2, 1, 3], Data::F64(v.clone())));
    assert_eq!(results[2], matrix(2, &[1.0, 2.0, 3.0, 1.0, 2.0, 4.0, 5.0, 6.0, 4.0, 5.0]));
    assert_eq!(results[3], matrix(4, &[0.5, 0.5, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.5, 0.5, 0.5]));
    assert_eq!(results[4], Array::new(vec![2, 2], Data::Index(vec![0, 1, 1, 2])));
    let message = refused(source, &[matrix(2, &v), Array::index(3)]);
    assert_eq!(message, "'tensor.expand_shape' op cannot reshape the 6 elements of shape [2, 3] to shape [3, 1, 3]");
}

/// W of spec/arrays.md C.8 for one op on 4×3 elements.
#[test]
fn work_is_counted_by_elements() {
    let work = |op: &str, result: &str| {
        let source = format!(
            "func.func @f(%x: tensor<4x3xf64>, %c: index) -> {result} {{\n  %z = {op}\n  return %z : {result}\n}}"
        );
        run(&source, &[Array::zeros(Element::F64, &[4, 3]), Array::index(1)]).unwrap().1
    };
    let row = "tensor<3xf64>";
    assert_eq!(work("arith.addf %x, %x : tensor<4x3xf64>", "tensor<4x3xf64>"), 12);
    assert_eq!(work("array.sum %x : (tensor<4x3xf64>) -> tensor<3xf64>", row), 12);
    assert_eq!(work("array.argmax %x axis 1 : (tensor<4x3xf64>) -> tensor<4xindex>", "tensor<4xindex>"), 12);
    assert_eq!(work("array.get %x[%c] : tensor<4x3xf64> -> tensor<3xf64>", row), 3);
    assert_eq!(work("array.slice %x from %c : tensor<4x3xf64> -> tensor<2x3xf64>", "tensor<2x3xf64>"), 6);
    assert_eq!(work("array.replicate %x : (tensor<4x3xf64>) -> tensor<2x4x3xf64>", "tensor<2x4x3xf64>"), 24);
    let one_hot = "array.one_hot %x at [%c] : tensor<4x3xf64> -> tensor<2x4x3xf64>";
    assert_eq!(work(one_hot, "tensor<2x4x3xf64>"), 12 + 24);
    assert_eq!(work("array.length %x : tensor<4x3xf64>", "index"), 0);
    let gather = "array.gather %x : tensor<4x3xf64> (%i < 5) -> (tensor<5x3xf64>) {\narray.yield %i : index\n}";
    assert_eq!(work(gather, "tensor<5x3xf64>"), 15);
}

/// A scatter costs a copy of its `init` unless it may write into it.
#[test]
fn scatters_in_place_cost_what_they_add() {
    let work = |init: &str, more: &str| {
        let source = format!(
            "func.func @f(%x: tensor<2xf64>, %a: tensor<100xf64>) -> tensor<100xf64> {{
              %s = arith.negf %a : tensor<100xf64>
              %o = dual.zero : tensor<100xf64>
              %z = array.scatter %x into {init} : tensor<2xf64> into tensor<100xf64> (%i) {{
                array.yield %i : index
              }}
              {more}
              return %z : tensor<100xf64>
            }}"
        );
        run(&source, &[vector(&[1.0, 2.0]), vector(&[0.0; 100])]).unwrap().1 - 100
    };
    assert_eq!(work("%s", ""), 2);
    assert_eq!(work("%o", ""), 102);
    assert_eq!(work("%a", ""), 102);
    // `%s` is read again, so it must be kept. The second read costs 100 too.
    assert_eq!(work("%s", "%t = arith.negf %s : tensor<100xf64>"), 202);

    let carried = "func.func @f(%x: tensor<2xf64>, %a: tensor<100xf64>, %n: index) -> tensor<100xf64> {
      %z = array.ifold (%k < %n) iter_args(%s = %a) -> (tensor<100xf64>) {
        %t = array.scatter %x into %s : tensor<2xf64> into tensor<100xf64> (%i) {
          array.yield %i : index
        }
        array.yield %t : tensor<100xf64>
      }
      return %z : tensor<100xf64>
    }";
    let arguments = [vector(&[1.0, 2.0]), vector(&[0.0; 100]), Array::index(10)];
    assert_eq!(run(carried, &arguments).unwrap().1, 20);
}

/// The rows of an array without rows have the sizes that its body would yield; if the body fails or never ends, the
/// sizes are unknown. No work is counted for the trial.
#[test]
fn rows_have_sizes_where_there_are_none() {
    let source = |row: &str| {
        format!(
            "func.func @f(%m: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {{
               %zero = arith.constant 0.0 : f64
               %three = arith.constant 3 : index
               %rows = array.length %m : tensor<?x?xf64>
               %columns = array.length %m axis 1 : tensor<?x?xf64>
               %init = array.replicate %zero, %columns : (f64) -> tensor<?xf64>
               %s, %e = array.map_accum (%a = %m : tensor<?x?xf64>) iter_args(%s = %init)
                   -> (tensor<?xf64>, tensor<?x?xf64>) {{
                 %next = arith.addf %s, %a : tensor<?xf64>
                 {row}
                 array.yield %next, %row : tensor<?xf64>, tensor<?xf64>
               }}
               %b = array.build (%i < %rows) -> (tensor<?x?xf64>) {{
                 %a = array.get %m[%i] : tensor<?x?xf64> -> tensor<?xf64>
                 array.yield %a : tensor<?xf64>
               }}
               return %s, %e, %b : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
             }}"
        )
    };
    let shapes = |row: &str| {
        let (results, work) = run(&source(row), &[Array::zeros(Element::F64, &[0, 2])]).unwrap();
        assert_eq!(work, 2, "the replicated start, and no row");
        results.into_iter().map(|x| x.shape().to_vec()).collect::<Vec<_>>()
    };
    let append = "%row = array.append %s, %next : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>";
    assert_eq!(shapes(append), [vec![2], vec![0, 4], vec![0, 2]]);
    let misfit = "%other = array.replicate %zero, %three : (f64) -> tensor<?xf64>
                  %row = arith.addf %s, %other : tensor<?xf64>";
    assert_eq!(shapes(misfit), [vec![2], vec![0, 0], vec![0, 2]]);
    let endless = "%always = arith.constant true
                   %row = scf.while (%r = %next) : (tensor<?xf64>) -> tensor<?xf64> {
                     scf.condition(%always) %r : tensor<?xf64>
                   } do {
                   ^bb0(%r: tensor<?xf64>):
                     scf.yield %r : tensor<?xf64>
                   }";
    assert_eq!(shapes(endless), [vec![2], vec![0, 0], vec![0, 2]]);
}
