// Every kind of request after `static-sizes`: of functions with a loop that a condition ends, and of functions whose
// results have a size that an argument says. Code and evaluator agree, with sizes made static and without; the numbers
// are from closed forms.
// RUN: mlopt %s --static-sizes -o %t.mlir
// RUN: FileCheck %s --check-prefix=STATIC --input-file=%t.mlir
// RUN: mlopt run %t.mlir --entry @of_while --arg '[0.5, 1.5, 1]' --arg 2 --arg '[1, 2, 3]' | FileCheck %s --check-prefix=WHILE
// RUN: mlopt run %t.mlir --entry @of_while --arg '[0.5, 1.5, 1]' --arg 2 --arg '[1, 2, 3]' --interpret | FileCheck %s --check-prefix=WHILE
// RUN: mlopt run %s --entry @of_while --arg '[0.5, 1.5, 1]' --arg 2 --arg '[1, 2, 3]' | FileCheck %s --check-prefix=WHILE
// RUN: mlopt run %s --entry @of_while --arg '[0.5, 1.5, 1]' --arg 2 --arg '[1, 2, 3]' --interpret | FileCheck %s --check-prefix=WHILE
// RUN: mlopt run %t.mlir --entry @of_rows --arg '[0.5, 1.5, 1]' --arg 2 --arg '[1, 2, 3]' --arg '[[1, 2, 3], [0, 0, 0]]' | FileCheck %s --check-prefix=ROWS
// RUN: mlopt run %t.mlir --entry @of_rows --arg '[0.5, 1.5, 1]' --arg 2 --arg '[1, 2, 3]' --arg '[[1, 2, 3], [0, 0, 0]]' --interpret | FileCheck %s --check-prefix=ROWS
// RUN: mlopt run %s --entry @of_rows --arg '[0.5, 1.5, 1]' --arg 2 --arg '[1, 2, 3]' --arg '[[1, 2, 3], [0, 0, 0]]' | FileCheck %s --check-prefix=ROWS
// RUN: mlopt run %s --entry @of_rows --arg '[0.5, 1.5, 1]' --arg 2 --arg '[1, 2, 3]' --arg '[[1, 2, 3], [0, 0, 0]]' --interpret | FileCheck %s --check-prefix=ROWS
// RUN: mlopt run %t.mlir --entry @of_two --arg '[0.5, 1.5, 1]' | FileCheck %s --check-prefix=TWO
// RUN: mlopt run %t.mlir --entry @of_two --arg '[0.5, 1.5, 1]' --interpret | FileCheck %s --check-prefix=TWO

// The functions are made for the sizes, those of Hessians too; the size that `n` says stays open.
// STATIC-LABEL: func.func @of_while
// STATIC:         dual.vjp @squares.1({{.*}}) cotangents({{.*}}) wrt [0] : (tensor<3xf64>, index, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
// STATIC:         dual.jvp @squares.1({{.*}}) tangents({{.*}}) wrt [0] : (tensor<3xf64>, index, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
// STATIC:         dual.jacobian @squares.1({{.*}}) wrt [0] {{.*}}: (tensor<3xf64>, index) -> tensor<3x3xf64>
// STATIC:         dual.hvp @sum.1({{.*}}) tangents({{.*}}) wrt [0] : (tensor<3xf64>, index, tensor<3xf64>) -> tensor<3xf64>
// STATIC:         dual.hessian @sum.1({{.*}}) wrt [0] : (tensor<3xf64>, index) -> tensor<3x3xf64>
// STATIC-LABEL: func.func @of_rows
// STATIC:         dual.vjp @rows.1({{.*}}) cotangents({{.*}}) wrt [0] : (tensor<3xf64>, index, tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<3xf64>)
// STATIC-LABEL: func.func @of_two
// STATIC:         dual.jacobian @two.1({{.*}}) wrt [0] : (tensor<3xf64>, index) -> (tensor<2x3x3xf64>, tensor<3xf64>)

// x⁴ by vjp, jvp and Jacobians in both modes: 4 x³ = (0.5, 13.5, 4).
// WHILE:      [0.0625 5.0625 1. ]
// WHILE-NEXT: [ 0.5 27. 12. ]
// WHILE-NEXT: [0.0625 5.0625 1. ]
// WHILE-NEXT: [ 0.5 27. 12. ]
// WHILE-NEXT: {{\[\[}} 0.5 0. 0. ]
// WHILE-NEXT: [ 0. 13.5 0. ]
// WHILE-NEXT: [ 0. 0. 4. ]]
// WHILE-NEXT: {{\[\[}} 0.5 0. 0. ]
// WHILE-NEXT: [ 0. 13.5 0. ]
// WHILE-NEXT: [ 0. 0. 4. ]]
// Σ x⁴: gradients and Jacobian, then 12 x² = (3, 27, 12) times the direction, and as a matrix.
// WHILE-NEXT: [ 0.5 13.5 4. ]
// WHILE-NEXT: [ 0.5 13.5 4. ]
// WHILE-NEXT: [ 0.5 13.5 4. ]
// WHILE-NEXT: [ 3. 54. 36.]
// WHILE-NEXT: {{\[\[}} 3. 0. 0.]
// WHILE-NEXT: [ 0. 27. 0.]
// WHILE-NEXT: [ 0. 0. 12.]]

// Two rows of x², of which the first has cotangents; then of 2 Σ x⁴.
// ROWS:      [1. 6. 6.]
// ROWS-NEXT: {{\[\[}}1. 6. 6.]
// ROWS-NEXT: [1. 6. 6.]]
// ROWS-NEXT: {{\[\[\[}}1. 0. 0.]
// ROWS-NEXT: [0. 3. 0.]
// ROWS-NEXT: [0. 0. 2.]]
// ROWS:      {{\[\[}}1. 0. 0.]
// ROWS-NEXT: [0. 3. 0.]
// ROWS-NEXT: [0. 0. 2.]]]
// ROWS-NEXT: [ 1. 27. 8.]
// ROWS-NEXT: [ 6. 108. 72.]
// ROWS-NEXT: {{\[\[}} 6. 0. 0.]
// ROWS-NEXT: [ 0. 54. 0.]
// ROWS-NEXT: [ 0. 0. 24.]]

// TWO:      {{\[\[\[}}1. 0. 0.]
// TWO:      [0. 0. 2.]]]
// TWO-NEXT: [ 1. 27. 8.]

// x squared n times.
func.func private @squares(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last:2 = scf.while (%i = %zero, %s = %x) : (index, tensor<?xf64>) -> (index, tensor<?xf64>) {
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %i, %s : index, tensor<?xf64>
  } do {
  ^bb0(%i: index, %s: tensor<?xf64>):
    %j = arith.addi %i, %one : index
    %t = arith.mulf %s, %s : tensor<?xf64>
    scf.yield %j, %t : index, tensor<?xf64>
  }
  return %last#1 : tensor<?xf64>
}
func.func private @sum(%x: tensor<?xf64>, %n: index) -> f64 {
  %y = func.call @squares(%x, %n) : (tensor<?xf64>, index) -> tensor<?xf64>
  %z = array.sum %y : (tensor<?xf64>) -> f64
  return %z : f64
}
// n rows of x².
func.func private @rows(%x: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %p = arith.mulf %x, %x : tensor<?xf64>
  %y = array.replicate %p, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
func.func private @sum_of_rows(%x: tensor<?xf64>, %n: index) -> f64 {
  %y = func.call @rows(%x, %n) : (tensor<?xf64>, index) -> tensor<?x?xf64>
  %q = arith.mulf %y, %y : tensor<?x?xf64>
  %z = array.sum %q axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %z : f64
}
func.func private @two(%x: tensor<?xf64>, %n: index) -> (tensor<?x?xf64>, f64) {
  %y = func.call @rows(%x, %n) : (tensor<?xf64>, index) -> tensor<?x?xf64>
  %z = func.call @sum_of_rows(%x, %n) : (tensor<?xf64>, index) -> f64
  return %y, %z : tensor<?x?xf64>, f64
}

func.func @of_while(%x: tensor<?xf64>, %n: index, %t: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>,
        tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>) attributes {array.sizes = "3,-,3"} {
  %a:2 = dual.vjp @squares(%x, %n) cotangents(%t) wrt [0] : (tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %b:2 = dual.jvp @squares(%x, %n) tangents(%t) wrt [0] : (tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %c = dual.jacobian @squares(%x, %n) wrt [0] mode forward : (tensor<?xf64>, index) -> tensor<?x?xf64>
  %d = dual.jacobian @squares(%x, %n) wrt [0] mode reverse : (tensor<?xf64>, index) -> tensor<?x?xf64>
  %e = dual.grad @sum(%x, %n) wrt [0] mode forward : (tensor<?xf64>, index) -> tensor<?xf64>
  %f = dual.grad @sum(%x, %n) wrt [0] mode reverse : (tensor<?xf64>, index) -> tensor<?xf64>
  %g = dual.jacobian @sum(%x, %n) wrt [0] : (tensor<?xf64>, index) -> tensor<?xf64>
  %h = dual.hvp @sum(%x, %n) tangents(%t) wrt [0] : (tensor<?xf64>, index, tensor<?xf64>) -> tensor<?xf64>
  %i = dual.hessian @sum(%x, %n) wrt [0] : (tensor<?xf64>, index) -> tensor<?x?xf64>
  return %a#0, %a#1, %b#0, %b#1, %c, %d, %e, %f, %g, %h, %i
    : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>,
      tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>
}

func.func @of_rows(%x: tensor<?xf64>, %n: index, %t: tensor<?xf64>, %c: tensor<?x?xf64>)
    -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>)
    attributes {array.sizes = "3,-,3,2x3"} {
  %a:2 = dual.vjp @rows(%x, %n) cotangents(%c) wrt [0] : (tensor<?xf64>, index, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>)
  %b:2 = dual.jvp @rows(%x, %n) tangents(%t) wrt [0] : (tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  %d = dual.jacobian @rows(%x, %n) wrt [0] : (tensor<?xf64>, index) -> tensor<?x?x?xf64>
  %e = dual.grad @sum_of_rows(%x, %n) wrt [0] mode reverse : (tensor<?xf64>, index) -> tensor<?xf64>
  %h = dual.hvp @sum_of_rows(%x, %n) tangents(%t) wrt [0] : (tensor<?xf64>, index, tensor<?xf64>) -> tensor<?xf64>
  %i = dual.hessian @sum_of_rows(%x, %n) wrt [0] : (tensor<?xf64>, index) -> tensor<?x?xf64>
  return %a#1, %b#1, %d, %e, %h, %i
    : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>
}

// One Jacobian for each result of the function; here n is known, and with it that size.
func.func @of_two(%x: tensor<?xf64>) -> (tensor<?x?x?xf64>, tensor<?xf64>) attributes {array.sizes = "3"} {
  %n = arith.constant 2 : index
  %j:2 = dual.jacobian @two(%x, %n) wrt [0] : (tensor<?xf64>, index) -> (tensor<?x?x?xf64>, tensor<?xf64>)
  return %j#0, %j#1 : tensor<?x?x?xf64>, tensor<?xf64>
}
