//! Sequential loops and branches through the whole lowering, compared with the evaluator, and their cost.

use crate::common::*;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::ir::module_op;

fn truth(c: bool) -> Array {
    Array::new(vec![], Data::I1(vec![c]))
}

#[test]
fn folds_over_rows() {
    agrees(
        "func.func @f(%x: tensor<?x3xf64>, %y: tensor<?xi64>, %w: tensor<3xf64>) \
            -> (tensor<3xf64>, i64, tensor<3xf64>) {
          %c0 = arith.constant 0 : i64
          %a, %b = array.fold (%row = %x : tensor<?x3xf64>, %k = %y : tensor<?xi64>) iter_args(%s = %w, %t = %c0)
              -> (tensor<3xf64>, i64) {
            %p = arith.mulf %row, %s : tensor<3xf64>
            %q = math.cos %p : tensor<3xf64>
            %u = arith.muli %t, %k : i64
            %v = arith.addi %u, %k : i64
            array.yield %q, %v : tensor<3xf64>, i64
          }
          %v = arith.sitofp %y : tensor<?xi64> to tensor<?xf64>
          %neg = math.sin %v : tensor<?xf64>
          %c = array.fold (%e = %neg : tensor<?xf64>) iter_args(%s = %w) -> (tensor<3xf64>) {
            %r = array.replicate %e : (f64) -> tensor<3xf64>
            %z = arith.addf %s, %r : tensor<3xf64>
            array.yield %z : tensor<3xf64>
          }
          return %a, %b, %c : tensor<3xf64>, i64, tensor<3xf64>
        }",
        &[0, 1, 5].map(|n| {
            let y = Array::new(vec![n], Data::I64((0..n as i64).map(|i| i - 2).collect()));
            vec![array(1, &[n, 3]), y, array(3, &[3])]
        }),
    );
}

#[test]
fn map_accum_emits_rows() {
    agrees(
        "func.func @f(%x: tensor<?x3xf64>, %w: tensor<3xf64>)
            -> (tensor<3xf64>, f64, tensor<?xf64>, tensor<?x3xf64>, tensor<?x3xf64>) {
          %zero = arith.constant 0.0 : f64
          %s, %a, %sums, %before, %after =
              array.map_accum (%row = %x : tensor<?x3xf64>) iter_args(%u = %w, %t = %zero)
              -> (tensor<3xf64>, f64, tensor<?xf64>, tensor<?x3xf64>, tensor<?x3xf64>) {
            %p = arith.mulf %row, %u : tensor<3xf64>
            %q = math.sin %p : tensor<3xf64>
            %e = array.sum %q : (tensor<3xf64>) -> f64
            %b = arith.addf %t, %e : f64
            array.yield %q, %b, %b, %u, %q : tensor<3xf64>, f64, f64, tensor<3xf64>, tensor<3xf64>
          }
          return %s, %a, %sums, %before, %after : tensor<3xf64>, f64, tensor<?xf64>, tensor<?x3xf64>, tensor<?x3xf64>
        }",
        &[vec![array(1, &[4, 3]), array(2, &[3])], vec![array(1, &[1, 3]), array(2, &[3])]],
    );
}

#[test]
fn rows_of_different_numbers_are_refused() {
    let context = context();
    let module = parse(
        &context,
        "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
          %zero = arith.constant 0.0 : f64
          %s = array.fold (%a = %x : tensor<?xf64>, %b = %y : tensor<?xf64>) iter_args(%t = %zero) -> (f64) {
            %p = arith.mulf %a, %b : f64
            %u = arith.addf %t, %p : f64
            array.yield %u : f64
          }
          return %s : f64
        }",
    );
    let f = compile(module_op(&module)).function("f").unwrap();
    let error = f.call(&[array(1, &[5]), array(2, &[4])]).unwrap_err().to_string();
    assert!(error.contains("operands of 'array.fold' have different sizes"), "{error}");
}

#[test]
fn while_loops() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %limit: f64) -> (tensor<?xf64>, f64, index, tensor<?xf64>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c9 = arith.constant 9 : index
          %y = math.cos %x : tensor<?xf64>
          %r, %t, %k, %q = scf.while (%u = %x, %v = %y, %i = %c0) : (tensor<?xf64>, tensor<?xf64>, index)
              -> (tensor<?xf64>, f64, index, tensor<?xf64>) {
            %s = array.sum %u : (tensor<?xf64>) -> f64
            %big = arith.cmpf ogt, %s, %limit : f64
            %few = arith.cmpi slt, %i, %c9 : index
            %go = arith.andi %big, %few : i1
            scf.condition(%go) %v, %s, %i, %u : tensor<?xf64>, f64, index, tensor<?xf64>
          } do {
          ^bb0(%v: tensor<?xf64>, %s: f64, %i: index, %u: tensor<?xf64>):
            %w = arith.subf %u, %v : tensor<?xf64>
            %j = arith.addi %i, %c1 : index
            scf.yield %v, %w, %j : tensor<?xf64>, tensor<?xf64>, index
          }
          return %r, %t, %k, %q : tensor<?xf64>, f64, index, tensor<?xf64>
        }",
        &[
            vec![array(1, &[5]), Array::f64(-100.0)],
            vec![array(1, &[5]), Array::f64(0.5)],
            vec![array(1, &[5]), Array::f64(100.0)],
            vec![array(1, &[0]), Array::f64(-1.0)],
        ],
    );
    agrees(
        "func.func @f(%a: f64, %n: i32) -> (f64, i32) {
          %c1 = arith.constant 1 : i32
          %c0 = arith.constant 0 : i32
          %half = arith.constant 0.5 : f64
          %x, %k = scf.while (%b = %a, %i = %n) : (f64, i32) -> (f64, i32) {
            %go = arith.cmpi sgt, %i, %c0 : i32
            scf.condition(%go) %b, %i : f64, i32
          } do {
          ^bb0(%b: f64, %i: i32):
            %c = arith.mulf %b, %half : f64
            %j = arith.subi %i, %c1 : i32
            scf.yield %c, %j : f64, i32
          }
          return %x, %k : f64, i32
        }",
        &[3, 0].map(|n| vec![Array::f64(8.0), Array::new(vec![], Data::I32(vec![n]))]),
    );
}

/// An array that a loop carries keeps its sizes, which is checked before the loop runs.
#[test]
fn arrays_that_grow_in_loops_are_refused() {
    let context = context();
    let module = parse(
        &context,
        "func.func @f(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
            %t = array.append %s, %s : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
            scf.yield %t : tensor<?xf64>
          }
          return %y : tensor<?xf64>
        }",
    );
    let f = compile(module_op(&module)).function("f").unwrap();
    let error = f.call(&[array(1, &[5]), index(2)]).unwrap_err().to_string();
    assert!(error.contains("an iteration changes the sizes of an array that 'scf.for' carries"), "{error}");
    // Without an iteration it does not grow.
    assert_eq!(f.call(&[array(1, &[5]), index(0)]).unwrap(), [array(1, &[5])]);
}

/// A carried value of a loop without iterations may have any size.
#[test]
fn sizes_after_no_iteration_do_not_matter() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (tensor<?xf64>, f64) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
            %e = math.cos %y : tensor<?xf64>
            scf.yield %e : tensor<?xf64>
          }
          %t = array.sum %r : (tensor<?xf64>) -> f64
          return %r, %t : tensor<?xf64>, f64
        }",
        &[
            vec![array(1, &[5]), array(2, &[3]), index(0)],
            vec![array(1, &[2]), array(2, &[4]), index(-1)],
            vec![array(1, &[3]), array(2, &[3]), index(2)],
            vec![array(1, &[0]), array(2, &[3]), index(0)],
        ],
    );
}

/// Branches with arrays: of one size, of different sizes, in loops, and with branches that are already computed.
#[test]
fn branches_with_arrays() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %c: i1, %n: index)
            -> (tensor<?xf64>, tensor<3xf64>, f64, tensor<?xf64>, f64) {
          %one = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
          %a, %b, %s = scf.if %c -> (tensor<?xf64>, tensor<3xf64>, f64) {
            %e = math.exp %x : tensor<?xf64>
            %t = array.sum %e : (tensor<?xf64>) -> f64
            scf.yield %e, %one, %t : tensor<?xf64>, tensor<3xf64>, f64
          } else {
            %zero = arith.constant 0.0 : f64
            %m = math.sin %one : tensor<3xf64>
            scf.yield %y, %m, %zero : tensor<?xf64>, tensor<3xf64>, f64
          }
          %d = array.ifold (%i < %n) iter_args(%u = %x) -> (tensor<?xf64>) {
            %odd = arith.index_cast %i : index to i64
            %bit = arith.trunci %odd : i64 to i1
            %v = scf.if %bit -> (tensor<?xf64>) {
              %w = array.reverse %u : tensor<?xf64>
              scf.yield %w : tensor<?xf64>
            } else {
              %w = array.scatter %s into %u : f64 into tensor<?xf64> () {
                array.yield %i : index
              }
              scf.yield %w : tensor<?xf64>
            }
            array.yield %v : tensor<?xf64>
          }
          %p = scf.if %c -> (tensor<?xf64>) {
            scf.yield %x : tensor<?xf64>
          } else {
            scf.yield %d : tensor<?xf64>
          }
          %q = math.cos %p : tensor<?xf64>
          %z = array.sum %q : (tensor<?xf64>) -> f64
          return %a, %b, %s, %d, %z : tensor<?xf64>, tensor<3xf64>, f64, tensor<?xf64>, f64
        }",
        &[
            vec![array(1, &[5]), array(2, &[5]), truth(true), index(4)],
            vec![array(1, &[5]), array(2, &[5]), truth(false), index(3)],
            vec![array(1, &[5]), array(2, &[2]), truth(false), index(7)],
            vec![array(1, &[2]), array(2, &[5]), truth(true), index(0)],
        ],
    );
}

/// Data selects between arrays of different sizes.
#[test]
fn sizes_that_data_decides() {
    let choose = |result: &str, ty: &str| {
        format!(
            "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> {ty} {{
               %zero = arith.constant 0.0 : f64
               %e = math.exp %x : tensor<?xf64>
               %t = array.sum %e : (tensor<?xf64>) -> f64
               %big = arith.cmpf ogt, %t, %zero : f64
               %z = scf.if %big -> (tensor<?xf64>) {{
                 %u = math.cos %x : tensor<?xf64>
                 scf.yield %u : tensor<?xf64>
               }} else {{
                 scf.yield %y : tensor<?xf64>
               }}
               %s = array.sum %z : (tensor<?xf64>) -> f64
               return {result} : {ty}
             }}"
        )
    };
    agrees(&choose("%s", "f64"), &[vec![array(1, &[5]), array(2, &[3])], vec![array(1, &[0]), array(2, &[3])]]);
    agrees(
        &choose("%z", "tensor<?xf64>"),
        &[vec![array(1, &[5]), array(2, &[5])], vec![array(1, &[5]), array(2, &[3])]],
    );
}

/// The values; `plan_memory/carried_updates.mlir` tests that no iteration copies the array.
#[test]
fn updates_of_carried_arrays() {
    let scatter = |state: &str, value: &str, at: &str| {
        format!("array.scatter {value} into {state} : f64 into tensor<?xf64> () {{ array.yield {at} : index }}")
    };
    let update = |body: &str| {
        format!(
            "func.func @f(%x: tensor<?xf64>, %p: tensor<?xindex>) -> (tensor<?xf64>, f64) {{
               %n = array.length %p : tensor<?xindex>
               %m = array.length %x : tensor<?xf64>
               %one = arith.constant 1.0 : f64
               %zero = arith.constant 0.0 : f64
               %c1 = arith.constant 1 : index
               %r, %t = array.ifold (%i < %n) iter_args(%s = %x, %a = %zero) -> (tensor<?xf64>, f64) {{
                 %k = array.get %p[%i] : tensor<?xindex> -> index
                 {body}
               }}
               return %r, %t : tensor<?xf64>, f64
             }}"
        )
    };
    let bodies = [
        format!("%z = {}\n array.yield %z, %a : tensor<?xf64>, f64", scatter("%s", "%one", "%k")),
        // The old state is read after it has been updated; two updates; one of them under a condition.
        format!(
            "%z = {}
             %old = array.get %s[%i] : tensor<?xf64> -> f64
             %c = arith.cmpf olt, %old, %zero : f64
             %y = scf.if %c -> (tensor<?xf64>) {{
               %w = {}
               scf.yield %w : tensor<?xf64>
             }} else {{
               scf.yield %z : tensor<?xf64>
             }}
             %b = arith.addf %a, %old : f64
             array.yield %y, %b : tensor<?xf64>, f64",
            scatter("%s", "%one", "%k"),
            scatter("%z", "%old", "%i")
        ),
        // Through an inner loop.
        format!(
            "%z = scf.for %j = %i to %i step %c1 iter_args(%q = %s) -> (tensor<?xf64>) {{
               %w = {}
               scf.yield %w : tensor<?xf64>
             }}
             array.yield %z, %a : tensor<?xf64>, f64",
            scatter("%q", "%one", "%j")
        ),
        "%h = array.one_hot %one at [%k] sizes(%m) : f64 -> tensor<?xf64>
         %z = arith.addf %s, %h : tensor<?xf64>
         array.yield %z, %a : tensor<?xf64>, f64"
            .into(),
    ];
    let positions = |n: i64| Array::new(vec![n as usize], Data::Index((0..n).map(|i| i * 7919 % (n + 3)).collect()));
    for body in bodies {
        agrees(&update(&body), &[vec![array(1, &[9]), positions(12)], vec![array(1, &[0]), positions(2)]]);
    }
}

/// The fact that the extent of a loop is at least one holds inside the loop, but not for ops placed before it.
#[test]
fn loops_without_iterations() {
    let none = || array(1, &[0]);
    // The carried value has other sizes after an iteration, but there is none; nor is there one in a surrounding loop.
    let replaced = "%r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
        %e = math.sin %y : tensor<?xf64>
        scf.yield %e : tensor<?xf64>
      }";
    let function = |body: &str| {
        format!(
            "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %n = array.length %w : tensor<?xf64>
               {body}
             }}"
        )
    };
    let outside = format!("{replaced}\nreturn %r : tensor<?xf64>");
    let within = format!(
        "%zero = arith.constant 0.0 : f64
         %last, %sums = array.map_accum (%a = %w : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?xf64>) {{
           {replaced}
           %b = array.sum %r : (tensor<?xf64>) -> f64
           array.yield %b, %b : f64, f64
         }}
         return %sums : tensor<?xf64>"
    );
    for body in [outside, within] {
        let idle = vec![array(1, &[3]), array(2, &[2]), none()];
        agrees(&function(&body), &[idle, vec![array(1, &[4]), array(2, &[4]), array(3, &[2])]]);
    }
    // Rows of n - 1, ⌊(n - 1) / 2⌋ and max(n, 1) elements: with n = 0 these are 0, 0 and 1.
    let rows = |size: &str| {
        format!(
            "func.func @f(%x: tensor<?xf64>) -> (f64, tensor<?x?xf64>, tensor<?xf64>) {{
               %one = arith.constant 1 : index
               %two = arith.constant 2 : index
               %zero = arith.constant 0.0 : f64
               %n = array.length %x : tensor<?xf64>
               %s, %e = array.map_accum (%a = %x : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?x?xf64>) {{
                 %last = arith.subi %n, %one : index
                 %half = array.div %last, %two : index
                 %some = arith.maxsi %n, %one : index
                 %r = array.replicate %a, {size} : (f64) -> tensor<?xf64>
                 %u = arith.addf %t, %a : f64
                 array.yield %u, %r : f64, tensor<?xf64>
               }}
               %sum = array.sum %e axes [0] : (tensor<?x?xf64>) -> tensor<?xf64>
               return %s, %e, %sum : f64, tensor<?x?xf64>, tensor<?xf64>
             }}"
        )
    };
    for size in ["%last", "%half", "%some"] {
        agrees(&rows(size), &[vec![none()], vec![array(1, &[1])], vec![array(1, &[6])]]);
    }
}

/// If an array of 3 x 0 positions is read with other sizes, the position is divided by 0. The read is in a loop without
/// iterations, and determines sizes before it.
#[test]
fn no_division_traps_in_front_of_a_loop() {
    agrees(
        "func.func @f(%y: tensor<?xf64>, %m: tensor<?x?xf64>) -> (f64, tensor<?x?xf64>) {
          %one = arith.constant 1 : index
          %zero = arith.constant 0.0 : f64
          %rows = array.length %m : tensor<?x?xf64>
          %columns = array.length %m axis 1 : tensor<?x?xf64>
          %n = array.length %y : tensor<?xf64>
          %last = arith.subi %n, %one : index
          %column = array.iota %columns : tensor<?xindex>
          %both = array.replicate %column, %rows : (tensor<?xindex>) -> tensor<?x?xindex>
          %flat = array.reshape %both sizes(%n) : tensor<?x?xindex> -> tensor<?xindex>
          %s, %e = array.map_accum (%a = %y : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?x?xf64>) {
            %size = array.get %flat[%last] : tensor<?xindex> -> index
            %r = array.replicate %a, %size : (f64) -> tensor<?xf64>
            %u = arith.addf %t, %a : f64
            array.yield %u, %r : f64, tensor<?xf64>
          }
          return %s, %e : f64, tensor<?x?xf64>
        }",
        &[[3, 0], [0, 3], [3, 2], [1, 1]].map(|[m, n]| vec![array(1, &[m * n]), array(2, &[m, n])]),
    );
}

/// Rows of a result that are computed part by part, where an iteration of the surrounding loop determines the row:
/// joined from rows, joined again, reshaped. `m` rows of `k`, like the gates of a recurrent cell and their cotangents.
#[test]
fn rows_that_are_joined_of_parts() {
    let source = |m: usize, k: usize| {
        let (f, g) = (m * k, m * k + k);
        format!(
            "func.func @f(%y: tensor<?x{k}xf64>, %w: tensor<{f}xf64>)
                -> (tensor<?x{k}xf64>, tensor<?x{f}xf64>, tensor<?x{k}x{f}xf64>, tensor<?x{g}xf64>) {{
              %zero = arith.constant 0.0 : f64
              %first = arith.constant 0 : index
              %z:4 = array.map_accum (%row = %y : tensor<?x{k}xf64>) iter_args()
                  -> (tensor<?x{k}xf64>, tensor<?x{f}xf64>, tensor<?x{k}x{f}xf64>, tensor<?x{g}xf64>) {{
                %zero_row = array.replicate %zero : (f64) -> tensor<{k}xf64>
                %zeros = array.replicate %zero_row : (tensor<{k}xf64>) -> tensor<{m}x{k}xf64>
                %placed = array.scatter %row into %zeros : tensor<{k}xf64> into tensor<{m}x{k}xf64> () {{
                  array.yield %first : index
                }}
                %flat = array.reshape %placed : tensor<{m}x{k}xf64> -> tensor<{f}xf64>
                %rows = array.replicate %flat : (tensor<{f}xf64>) -> tensor<{k}x{f}xf64>
                %weighed = arith.mulf %flat, %w : tensor<{f}xf64>
                %grid = array.reshape %weighed : tensor<{f}xf64> -> tensor<{m}x{k}xf64>
                %sums = array.sum %grid : (tensor<{m}x{k}xf64>) -> tensor<{k}xf64>
                %both = array.append %sums, %flat : (tensor<{k}xf64>, tensor<{f}xf64>) -> tensor<{g}xf64>
                array.yield %sums, %flat, %rows, %both
                  : tensor<{k}xf64>, tensor<{f}xf64>, tensor<{k}x{f}xf64>, tensor<{g}xf64>
              }}
              return %z#0, %z#1, %z#2, %z#3 : tensor<?x{k}xf64>, tensor<?x{f}xf64>, tensor<?x{k}x{f}xf64>, \
                  tensor<?x{g}xf64>
            }}"
        )
    };
    for (m, k) in [(1, 4), (2, 2), (2, 3), (2, 16), (4, 3), (4, 8), (4, 9), (9, 7), (16, 2)] {
        let given = |n: usize| vec![array(1, &[n, k]), array(2, &[m * k])];
        agrees_on_cpu(&source(m, k), &[0, 1, 5].map(given));
    }
}
