//! Array programs through the whole lowering, compared with the evaluator.

use crate::common::*;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::ir::module_op;

#[test]
fn elementwise_and_sum() {
    agrees(
        "func.func @f(%x: tensor<5xf64>, %y: tensor<5xf64>) -> (f64, tensor<5xf64>) {
          %p = arith.mulf %x, %y : tensor<5xf64>
          %e = math.exp %p : tensor<5xf64>
          %s = array.sum %p : (tensor<5xf64>) -> f64
          return %s, %e : f64, tensor<5xf64>
        }",
        &[vec![array(1, &[5]), array(2, &[5])]],
    );
}

#[test]
fn dynamic_sizes() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (f64, tensor<?xf64>, index) {
          %p = arith.mulf %x, %y : tensor<?xf64>
          %s = array.sum %p : (tensor<?xf64>) -> f64
          %n = array.length %p : tensor<?xf64>
          return %s, %p, %n : f64, tensor<?xf64>, index
        }",
        &[
            vec![array(1, &[5]), array(2, &[5])],
            vec![array(1, &[0]), array(2, &[0])],
            vec![array(3, &[1000]), array(4, &[1000])],
        ],
    );
}

#[test]
fn different_sizes_are_refused() {
    let context = context();
    let module = parse(
        &context,
        "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
          %p = arith.mulf %x, %y : tensor<?xf64>
          return %p : tensor<?xf64>
        }",
    );
    let f = compile(module_op(&module)).function("f").unwrap();
    let error = f.call(&[array(1, &[5]), array(2, &[4])]).unwrap_err().to_string();
    assert!(error.starts_with("`@f`: operands of 'arith.mulf' have different sizes"), "{error}");
}

#[test]
fn arguments_and_repeated_results_are_copied() {
    agrees(
        "func.func @f(%x: tensor<?x2xf64>, %a: f64) -> (tensor<?x2xf64>, tensor<?x2xf64>, f64, tensor<?x2xf64>) {
          %y = arith.negf %x : tensor<?x2xf64>
          return %x, %y, %a, %y : tensor<?x2xf64>, tensor<?x2xf64>, f64, tensor<?x2xf64>
        }",
        &[vec![array(1, &[3, 2]), Array::f64(0.5)], vec![array(1, &[0, 2]), Array::f64(0.5)]],
    );
}

#[test]
fn builds_of_any_rank() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %n: index) -> (tensor<?x3xf64>, tensor<?x?xf64>, tensor<4x?xindex>) {
          %a, %b = array.build (%i < %n) -> (tensor<?x3xf64>, tensor<?x?xf64>) {
            %e = array.get %x[%i] : tensor<?xf64> -> f64
            %row = array.replicate %e : (f64) -> tensor<3xf64>
            %scaled = array.build (%j < %n) -> (tensor<?xf64>) {
              %f = array.get %x[%j] : tensor<?xf64> -> f64
              %g = arith.mulf %e, %f : f64
              array.yield %g : f64
            }
            array.yield %row, %scaled : tensor<3xf64>, tensor<?xf64>
          }
          %c = array.build (%i < 4, %j < %n) -> (tensor<4x?xindex>) {
            %s = arith.addi %i, %j : index
            array.yield %s : index
          }
          return %a, %b, %c : tensor<?x3xf64>, tensor<?x?xf64>, tensor<4x?xindex>
        }",
        &[
            vec![array(1, &[5]), index(3)],
            vec![array(1, &[5]), index(8)],
            vec![array(1, &[0]), index(2)],
            vec![array(1, &[2]), index(0)],
            vec![array(1, &[2]), index(-3)],
        ],
    );
}

#[test]
fn reads_outside_give_zero() {
    agrees(
        "func.func @f(%x: tensor<4x3xf64>, %i: index, %j: index) -> (f64, tensor<3xf64>, tensor<6xf64>) {
          %e = array.get %x[%i, %j] : tensor<4x3xf64> -> f64
          %row = array.get %x[%i] : tensor<4x3xf64> -> tensor<3xf64>
          %cos = math.cos %row : tensor<3xf64>
          %c1 = arith.constant 1 : index
          %w = array.build (%k < 6) -> (tensor<6xf64>) {
            %m = arith.subi %k, %c1 : index
            %v = array.get %x[%m, %j] : tensor<4x3xf64> -> f64
            array.yield %v : f64
          }
          return %e, %cos, %w : f64, tensor<3xf64>, tensor<6xf64>
        }",
        &[
            vec![array(1, &[4, 3]), index(1), index(2)],
            vec![array(1, &[4, 3]), index(4), index(0)],
            vec![array(1, &[4, 3]), index(-1), index(0)],
            vec![array(1, &[4, 3]), index(i64::MAX), index(i64::MIN)],
            vec![array(1, &[4, 3]), index(0), index(3)],
        ],
    );
    agrees(
        "func.func @f(%x: tensor<?x?xf64>, %i: index) -> (f64, f64) {
          %e = array.get %x[%i, %i] : tensor<?x?xf64> -> f64
          %row = array.get %x[%i] : tensor<?x?xf64> -> tensor<?xf64>
          %s = array.sum %row : (tensor<?xf64>) -> f64
          return %e, %s : f64, f64
        }",
        &[
            vec![array(1, &[0, 3]), index(0)],
            vec![array(1, &[3, 0]), index(0)],
            vec![array(1, &[3, 3]), index(2)],
            vec![array(1, &[3, 3]), index(5)],
        ],
    );
}

#[test]
fn sums_of_matrices() {
    agrees(
        "func.func @f(%x: tensor<?x3xf64>) -> (tensor<3xf64>, f64, tensor<?xf64>, tensor<3xf64>) {
          %columns = array.sum %x : (tensor<?x3xf64>) -> tensor<3xf64>
          %all = array.sum %columns : (tensor<3xf64>) -> f64
          %t = array.transpose %x [1, 0] : tensor<?x3xf64> -> tensor<3x?xf64>
          %rows = array.sum %t : (tensor<3x?xf64>) -> tensor<?xf64>
          %e = math.exp %x : tensor<?x3xf64>
          %s = array.sum %e : (tensor<?x3xf64>) -> tensor<3xf64>
          return %columns, %all, %rows, %s : tensor<3xf64>, f64, tensor<?xf64>, tensor<3xf64>
        }",
        &[vec![array(1, &[4, 3])], vec![array(1, &[0, 3])], vec![array(5, &[33, 3])]],
    );
}

#[test]
fn replicate_and_transpose() {
    agrees(
        "func.func @f(%x: tensor<2x3x4xf64>, %v: tensor<?xf64>, %n: index) \
            -> (tensor<4x2x3xf64>, tensor<?x?xf64>, f64) {
          %t = array.transpose %x [2, 0, 1] : tensor<2x3x4xf64> -> tensor<4x2x3xf64>
          %r = array.replicate %v, %n : (tensor<?xf64>) -> tensor<?x?xf64>
          %t2 = array.transpose %r [1, 0] : tensor<?x?xf64> -> tensor<?x?xf64>
          %c = array.sum %t2 : (tensor<?x?xf64>) -> tensor<?xf64>
          %s = array.sum %c : (tensor<?xf64>) -> f64
          return %t, %r, %s : tensor<4x2x3xf64>, tensor<?x?xf64>, f64
        }",
        &[
            vec![array(1, &[2, 3, 4]), array(2, &[3]), index(4)],
            vec![array(1, &[2, 3, 4]), array(2, &[0]), index(4)],
            vec![array(1, &[2, 3, 4]), array(2, &[3]), index(-1)],
        ],
    );
}

#[test]
fn ifold_with_scalars_and_arrays() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %w0: tensor<3xf64>, %n: index) -> (f64, f64, tensor<3xf64>, tensor<3xf64>) {
          %zero = arith.constant 0.0 : f64
          %one = arith.constant 1.0 : f64
          %s, %p, %w, %v = array.ifold (%i < %n) iter_args(%a = %zero, %b = %one, %u = %w0, %q = %w0)
              -> (f64, f64, tensor<3xf64>, tensor<3xf64>) {
            %e = array.get %x[%i] : tensor<?xf64> -> f64
            %a1 = arith.addf %a, %e : f64
            %b1 = arith.mulf %b, %a1 : f64
            %r = array.replicate %e : (f64) -> tensor<3xf64>
            %u1 = arith.addf %u, %r : tensor<3xf64>
            array.yield %a1, %b1, %u1, %u : f64, f64, tensor<3xf64>, tensor<3xf64>
          }
          return %s, %p, %w, %v : f64, f64, tensor<3xf64>, tensor<3xf64>
        }",
        &[
            vec![array(1, &[5]), array(2, &[3]), index(5)],
            vec![array(1, &[5]), array(2, &[3]), index(7)],
            vec![array(1, &[5]), array(2, &[3]), index(0)],
            vec![array(1, &[5]), array(2, &[3]), index(-4)],
            vec![array(1, &[5]), array(2, &[3]), index(1)],
        ],
    );
}

/// States that are swapped, read at neighbours, or reversed: none may be overwritten while it is read.
#[test]
fn carried_arrays_that_cannot_be_updated_in_place() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
          %c1 = arith.constant 1 : index
          %m = array.length %x : tensor<?xf64>
          %y = arith.negf %x : tensor<?xf64>
          %a, %b, %c = array.ifold (%i < %n) iter_args(%u = %x, %v = %y, %w = %x) \
              -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
            %next = array.build (%j < %m) -> (tensor<?xf64>) {
              %k = arith.addi %j, %c1 : index
              %e = array.get %w[%k] : tensor<?xf64> -> f64
              %f = array.get %w[%j] : tensor<?xf64> -> f64
              %g = arith.addf %e, %f : f64
              array.yield %g : f64
            }
            array.yield %v, %u, %next : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
          }
          return %a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
        }",
        &[
            vec![array(1, &[5]), index(3)],
            vec![array(1, &[5]), index(4)],
            vec![array(1, &[5]), index(0)],
            vec![array(1, &[0]), index(2)],
        ],
    );
}

#[test]
fn training_loop_with_temporaries() {
    agrees(
        "func.func @f(%x: tensor<?x3xf64>, %y: tensor<?xf64>, %w0: tensor<3xf64>, %epochs: index) \
            -> (tensor<3xf64>, f64) {
          %one = arith.constant 1.0 : f64
          %rate = arith.constant 0.1 : f64
          %zero = arith.constant 0.0 : f64
          %n = array.length %x : tensor<?x3xf64>
          %w, %loss = array.ifold (%e < %epochs) iter_args(%u = %w0, %l = %zero) -> (tensor<3xf64>, f64) {
            %r = array.build (%i < %n) -> (tensor<?xf64>) {
              %row = array.get %x[%i] : tensor<?x3xf64> -> tensor<3xf64>
              %p = arith.mulf %row, %u : tensor<3xf64>
              %z = array.sum %p : (tensor<3xf64>) -> f64
              %nz = arith.negf %z : f64
              %ex = math.exp %nz : f64
              %d = arith.addf %one, %ex : f64
              %s = arith.divf %one, %d : f64
              %t = array.get %y[%i] : tensor<?xf64> -> f64
              %diff = arith.subf %s, %t : f64
              array.yield %diff : f64
            }
            %g = array.build (%j < 3) -> (tensor<3xf64>) {
              %terms = array.build (%i < %n) -> (tensor<?xf64>) {
                %a = array.get %x[%i, %j] : tensor<?x3xf64> -> f64
                %b = array.get %r[%i] : tensor<?xf64> -> f64
                %c = arith.mulf %a, %b : f64
                array.yield %c : f64
              }
              %s = array.sum %terms : (tensor<?xf64>) -> f64
              array.yield %s : f64
            }
            %rates = array.replicate %rate : (f64) -> tensor<3xf64>
            %step = arith.mulf %g, %rates : tensor<3xf64>
            %u1 = arith.subf %u, %step : tensor<3xf64>
            %sq = arith.mulf %r, %r : tensor<?xf64>
            %l1 = array.sum %sq : (tensor<?xf64>) -> f64
            array.yield %u1, %l1 : tensor<3xf64>, f64
          }
          return %w, %loss : tensor<3xf64>, f64
        }",
        &[
            vec![array(1, &[20, 3]), array(2, &[20]), array(3, &[3]), index(10)],
            vec![array(1, &[20, 3]), array(2, &[20]), array(3, &[3]), index(0)],
            vec![array(1, &[0, 3]), array(2, &[0]), array(3, &[3]), index(2)],
        ],
    );
}

#[test]
fn element_types_select_and_constants() {
    agrees(
        "func.func @f(%x: tensor<4xf32>, %i: tensor<4xi32>, %l: tensor<4xi64>, %c: tensor<4xi1>, %b: i1)
            -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi64>, tensor<4xi1>, tensor<4xf64>, i32, i1) {
          %k = arith.constant dense<[1.5, -2.0, 0.25, 8.0]> : tensor<4xf32>
          %s = arith.select %c, %x, %k : tensor<4xi1>, tensor<4xf32>
          %m = arith.muli %i, %i : tensor<4xi32>
          %sum = array.sum %i : (tensor<4xi32>) -> i32
          %two = arith.constant dense<2> : tensor<4xi64>
          %q = arith.divsi %l, %two : tensor<4xi64>
          %lt = arith.cmpf olt, %x, %k : tensor<4xf32>
          %both = arith.andi %lt, %c : tensor<4xi1>
          %w = arith.extf %x : tensor<4xf32> to tensor<4xf64>
          %neg = arith.negf %w : tensor<4xf64>
          %pick = arith.select %b, %w, %neg : tensor<4xf64>
          %mask = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
          %c2 = arith.constant 2 : index
          %one = array.get %mask[%c2] : tensor<4xi1> -> i1
          return %s, %m, %q, %both, %pick, %sum, %one : tensor<4xf32>, tensor<4xi32>, tensor<4xi64>, tensor<4xi1>, \
              tensor<4xf64>, i32, i1
        }",
        &[false, true].map(|b| {
            vec![
                Array::new(vec![4], Data::F32(vec![1.0, -3.0, 0.5, 9.0])),
                Array::new(vec![4], Data::I32(vec![i32::MAX, -1, 7, 3])),
                Array::new(vec![4], Data::I64(vec![i64::MIN, -1, 7, 3])),
                Array::new(vec![4], Data::I1(vec![true, false, false, true])),
                Array::new(vec![], Data::I1(vec![b])),
            ]
        }),
    );
}

#[test]
fn structural_constants() {
    agrees(
        "func.func @f(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<2xf64>, f64) {
          %z = dual.zero : tensor<3xf64>
          %o = dual.one : f64
          %y = arith.addf %x, %z : tensor<3xf64>
          %t = dual.one : tensor<2xf64>
          return %y, %t, %o : tensor<3xf64>, tensor<2xf64>, f64
        }",
        &[vec![array(1, &[3])]],
    );
}

#[test]
fn calls_branches_and_loops() {
    agrees(
        "func.func private @square(%a: f64) -> f64 {
          %r = arith.mulf %a, %a : f64
          return %r : f64
        }
        func.func private @scaled(%x: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
          %n = array.length %x : tensor<?xf64>
          %r = array.replicate %a, %n : (f64) -> tensor<?xf64>
          %y = arith.mulf %x, %r : tensor<?xf64>
          return %y : tensor<?xf64>
        }
        func.func @f(%x: tensor<?xf64>, %a: f64, %c: i1, %n: index) -> (tensor<?xf64>, f64, tensor<?xf64>) {
          %b = call @square(%a) : (f64) -> f64
          %y = call @scaled(%x, %b) : (tensor<?xf64>, f64) -> tensor<?xf64>
          %v = scf.if %c -> (f64) {
            %s = array.sum %y : (tensor<?xf64>) -> f64
            scf.yield %s : f64
          } else {
            scf.yield %a : f64
          }
          %w = scf.if %c -> (tensor<?xf64>) {
            scf.yield %y : tensor<?xf64>
          } else {
            scf.yield %x : tensor<?xf64>
          }
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %r = scf.for %i = %c1 to %n step %c2 iter_args(%acc = %v) -> f64 {
            %e = array.get %x[%i] : tensor<?xf64> -> f64
            %t = arith.addf %acc, %e : f64
            scf.yield %t : f64
          }
          return %y, %r, %w : tensor<?xf64>, f64, tensor<?xf64>
        }",
        &[
            vec![array(1, &[5]), Array::f64(1.5), Array::new(vec![], Data::I1(vec![true])), index(6)],
            vec![array(1, &[5]), Array::f64(1.5), Array::new(vec![], Data::I1(vec![false])), index(-1)],
        ],
    );
}

/// Work on rows of varying length: scratch memory is bounded by the longest.
#[test]
fn sizes_that_depend_on_an_index() {
    agrees(
        "func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
          %n = array.length %x : tensor<?xf64>
          %y = array.build (%i < %n) -> (tensor<?xf64>) {
            %head = array.build (%j < %i) -> (tensor<?xf64>) {
              %e = array.get %x[%j] : tensor<?xf64> -> f64
              %s = math.sin %e : f64
              array.yield %s : f64
            }
            %a = array.sum %head : (tensor<?xf64>) -> f64
            %m = array.ifold (%k < %i) iter_args(%q = %a) -> (f64) {
              %e = array.get %head[%k] : tensor<?xf64> -> f64
              %r = arith.mulf %e, %q : f64
              array.yield %r : f64
            }
            array.yield %m : f64
          }
          return %y : tensor<?xf64>
        }",
        &[vec![array(1, &[6])], vec![array(1, &[0])], vec![array(1, &[1])]],
    );
}

#[test]
fn naive_gradient_of_a_dot_product() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
          %n = array.length %x : tensor<?xf64>
          %zero = arith.constant 0.0 : f64
          %g = array.build (%k < %n) -> (tensor<?xf64>) {
            %v, %t = array.ifold (%i < %n) iter_args(%a = %zero, %b = %zero) -> (f64, f64) {
              %xi = array.get %x[%i] : tensor<?xf64> -> f64
              %yi = array.get %y[%i] : tensor<?xf64> -> f64
              %is = arith.cmpi eq, %i, %k : index
              %one = dual.one : f64
              %none = dual.zero : f64
              %seed = arith.select %is, %one, %none : f64
              %p = arith.mulf %xi, %yi : f64
              %a1 = arith.addf %a, %p : f64
              %d = arith.mulf %seed, %yi : f64
              %b1 = arith.addf %b, %d : f64
              array.yield %a1, %b1 : f64, f64
            }
            array.yield %t : f64
          }
          return %g : tensor<?xf64>
        }",
        &[
            vec![array(1, &[6]), array(2, &[6])],
            vec![array(1, &[6]), array(2, &[3])],
            vec![array(1, &[0]), array(2, &[3])],
        ],
    );
}

#[test]
fn maxima_and_their_positions() {
    agrees(
        "func.func @f(%x: tensor<?xf64>) -> (f64, index, tensor<?xf64>) {
          %n = array.length %x : tensor<?xf64>
          %low = arith.constant 0xFFF0000000000000 : f64
          %c0 = arith.constant 0 : index
          %m, %at = array.ifold (%i < %n) iter_args(%a = %low, %k = %c0) -> (f64, index) {
            %e = array.get %x[%i] : tensor<?xf64> -> f64
            %gt = arith.cmpf ogt, %e, %a : f64
            %a1 = arith.select %gt, %e, %a : f64
            %k1 = arith.select %gt, %i, %k : index
            array.yield %a1, %k1 : f64, index
          }
          %g = array.build (%i < %n) -> (tensor<?xf64>) {
            %is = arith.cmpi eq, %i, %at : index
            %one = dual.one : f64
            %none = dual.zero : f64
            %s = arith.select %is, %one, %none : f64
            array.yield %s : f64
          }
          return %m, %at, %g : f64, index, tensor<?xf64>
        }",
        &[vec![array(1, &[100])], vec![array(2, &[1])], vec![array(2, &[0])]],
    );
}

#[test]
fn maths_of_every_kind() {
    let ops = [
        "exp",
        "exp2",
        "expm1",
        "sin",
        "cos",
        "tan",
        "tanh",
        "sinh",
        "cosh",
        "atan",
        "absf",
        "floor",
        "ceil",
        "round",
        "roundeven",
        "trunc",
        "cbrt",
    ];
    for op in ops {
        agrees(
            &format!(
                "func.func @f(%x: tensor<?xf64>, %a: f32) -> (tensor<?xf64>, f32) {{
                  %y = math.{op} %x : tensor<?xf64>
                  %b = math.{op} %a : f32
                  return %y, %b : tensor<?xf64>, f32
                }}"
            ),
            &[vec![array(1, &[17]), Array::new(vec![], Data::F32(vec![0.75]))]],
        );
    }
}

#[test]
fn conversions() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %i: tensor<?xi64>, %y: f32) \
            -> (tensor<?xi32>, tensor<?xf32>, tensor<?xindex>, i64, f64) {
          %a = arith.fptosi %x : tensor<?xf64> to tensor<?xi32>
          %b = arith.sitofp %i : tensor<?xi64> to tensor<?xf32>
          %c = arith.index_cast %i : tensor<?xi64> to tensor<?xindex>
          %d = arith.fptosi %y : f32 to i64
          %e = arith.extf %y : f32 to f64
          return %a, %b, %c, %d, %e : tensor<?xi32>, tensor<?xf32>, tensor<?xindex>, i64, f64
        }",
        &[vec![
            array(1, &[3]),
            Array::new(vec![2], Data::I64(vec![-3, 1 << 40])),
            Array::new(vec![], Data::F32(vec![-2.75])),
        ]],
    );
}

/// Undefined in LLVM, a trap on the processor: here it must return, with any value.
#[test]
fn integer_division_does_not_trap() {
    let context = context();
    let module = parse(
        &context,
        "func.func @f(%a: i64, %b: i64) -> (i64, i64, i64) {
          %q = arith.divsi %a, %b : i64
          %r = arith.remsi %a, %b : i64
          %u = arith.floordivsi %a, %b : i64
          return %q, %r, %u : i64, i64, i64
        }",
    );
    let f = compile(module_op(&module)).function("f").unwrap();
    let i64s = |x: i64| Array::new(vec![], Data::I64(vec![x]));
    for (a, b) in [(7, 0), (i64::MIN, -1), (i64::MIN, 0), (0, 0)] {
        f.call(&[i64s(a), i64s(b)]).unwrap();
    }
    assert_eq!(f.call(&[i64s(-7), i64s(2)]).unwrap(), [i64s(-3), i64s(-1), i64s(-4)]);
}

#[test]
fn enormous_sizes_are_errors() {
    let context = context();
    let module = parse(
        &context,
        "func.func @f(%n: index) -> (tensor<?x?xf64>, f64) {
          %y = array.build (%i < %n, %j < %n) -> (tensor<?x?xf64>) {
            %s = arith.addi %i, %j : index
            %t = arith.index_cast %s : index to i64
            %e = arith.sitofp %t : i64 to f64
            array.yield %e : f64
          }
          %a = array.sum %y : (tensor<?x?xf64>) -> tensor<?xf64>
          %b = array.sum %a : (tensor<?xf64>) -> f64
          return %y, %b : tensor<?x?xf64>, f64
        }",
    );
    let f = compile(module_op(&module)).function("f").unwrap();
    for (n, text) in [
        (i64::MAX, "an extent of 'array.build' is too large"),
        (1 << 40, "bytes of memory for a result of shape [1099511627776, 1099511627776]"),
        (1 << 32, "bytes of memory"),
        (1 << 24, "needs 2251799813685248 bytes of memory"),
    ] {
        let error = f.call(&[index(n)]).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    assert_eq!(f.call(&[index(3)]).unwrap()[1], Array::f64(18.0));
}

/// Arrays that would not be stored are also rejected if a loop over them would not end.
#[test]
fn absurd_extents_are_errors() {
    let source = |extent: &str, size: &str| {
        format!(
            "func.func @f(%n: index) -> index {{
               %y = array.build (%i < {extent}) -> (tensor<{size}xindex>) {{
                 array.yield %i : index
               }}
               %s = array.sum %y : (tensor<{size}xindex>) -> index
               return %s : index
             }}"
        )
    };
    let context = context();
    let module = parse(&context, &source("%n", "?"));
    let f = compile(module_op(&module)).function("f").unwrap();
    assert_eq!(f.call(&[index(5)]).unwrap(), [index(10)]);
    let error = f.call(&[index(i64::MAX)]).unwrap_err().to_string();
    assert!(error.contains("an extent of 'array.build' is too large"), "{error}");

    let text = diagnostics(&context);
    let module = parse(&context, &source("1000000000000000", "1000000000000000"));
    assert!(lower(module_op(&module)).is_err());
    assert!(text.lock().unwrap().contains("is too large: expected at most"), "{}", text.lock().unwrap());
}

/// A size may depend on an array: `f.sizes` reads it, and sums it if necessary.
#[test]
fn sizes_from_data() {
    agrees(
        "func.func @f(%k: tensor<?xindex>, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xindex>) {
          %c1 = arith.constant 1 : index
          %n = array.get %k[%c1] : tensor<?xindex> -> index
          %y = array.build (%i < %n) -> (tensor<?xf64>) {
            %e = array.get %x[%i] : tensor<?xf64> -> f64
            array.yield %e : f64
          }
          %m = array.sum %k : (tensor<?xindex>) -> index
          %z = array.build (%i < %m) -> (tensor<?xindex>) {
            array.yield %i : index
          }
          return %y, %z : tensor<?xf64>, tensor<?xindex>
        }",
        &[
            vec![Array::new(vec![3], Data::Index(vec![1, 4, 2])), array(1, &[6])],
            vec![Array::new(vec![3], Data::Index(vec![1, 4, 2])), array(1, &[2])],
            vec![Array::new(vec![1], Data::Index(vec![3])), array(1, &[2])],
            vec![Array::new(vec![0], Data::Index(vec![])), array(1, &[0])],
        ],
    );
}

/// Sums along columns, with work before and after the sum.
#[test]
fn columns() {
    agrees(
        "func.func @f(%x: tensor<?x3xf64>, %r: tensor<?xf64>, %w: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xi64>) {
          %n = array.length %x : tensor<?x3xf64>
          %g = array.build (%j < 3) -> (tensor<3xf64>) {
            %wj = array.get %w[%j] : tensor<3xf64> -> f64
            %terms = array.build (%i < %n) -> (tensor<?xf64>) {
              %a = array.get %x[%i, %j] : tensor<?x3xf64> -> f64
              %b = array.get %r[%i] : tensor<?xf64> -> f64
              %c = arith.mulf %a, %b : f64
              %d = arith.addf %c, %wj : f64
              array.yield %d : f64
            }
            %s = array.sum %terms : (tensor<?xf64>) -> f64
            %e = math.tanh %s : f64
            %f = arith.mulf %e, %wj : f64
            array.yield %f : f64
          }
          %zero = arith.constant 0.0 : f64
          %h = array.build (%j < 3) -> (tensor<3xi64>) {
            %terms = array.build (%i < %n) -> (tensor<?xi64>) {
              %a = array.get %x[%i, %j] : tensor<?x3xf64> -> f64
              %p = arith.cmpf ogt, %a, %zero : f64
              %q = arith.extui %p : i1 to i64
              array.yield %q : i64
            }
            %s = array.sum %terms : (tensor<?xi64>) -> i64
            array.yield %s : i64
          }
          return %g, %h : tensor<3xf64>, tensor<3xi64>
        }",
        &[
            vec![array(1, &[7, 3]), array(2, &[7]), array(3, &[3])],
            vec![array(1, &[7, 3]), array(2, &[5]), array(3, &[3])],
            vec![array(1, &[0, 3]), array(2, &[0]), array(3, &[3])],
        ],
    );
}

#[test]
fn what_cannot_be_lowered_is_named() {
    for (source, message) in [
        (
            "func.func @f(%x: f64) -> f64 { %y = call @f(%x) : (f64) -> f64 return %y : f64 }",
            "not supported: 'func.call': recursion through `@f`",
        ),
        (
            "func.func private @g(f64) -> f64
             func.func @f(%x: f64) -> f64 { %y = call @g(%x) : (f64) -> f64 return %y : f64 }",
            "not supported: 'func.call': a call of `@g`, which has no body",
        ),
        (
            "func.func @f(%x: tensor<4xf64>) -> tensor<2x2xf64> {
               %y = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xf64> into tensor<2x2xf64>
               return %y : tensor<2x2xf64> }",
            "not supported: 'tensor.expand_shape': it has no lowering from arrays to loops",
        ),
    ] {
        let context = context();
        let text = diagnostics(&context);
        let module = parse(&context, source);
        assert!(lower(module_op(&module)).is_err());
        let text = text.lock().unwrap();
        assert!(text.starts_with(message), "{text}");
    }
}
