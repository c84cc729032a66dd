// Loops that end depending on data, in loops and branches, and their second derivatives.

// RUN: mlopt run %s --entry @curvatures --arg 2 --arg 1 | FileCheck %s
// RUN: mlopt run %s --entry @curvatures --arg 2 --arg 1 --interpret | FileCheck %s
// RUN: mlopt run %s --entry @curvatures --arg 4 --arg 2 | FileCheck %s --check-prefix=NONE
// RUN: mlopt run %s --entry @curvatures --arg 4 --arg 2 --interpret | FileCheck %s --check-prefix=NONE
// RUN: mlopt run %s --entry @nested_gradient --arg '[3, 4]' --arg 3 --arg true | FileCheck %s --check-prefix=NESTED
// RUN: mlopt run %s --entry @nested_gradient --arg '[3, 4]' --arg 3 --arg true --interpret | FileCheck %s --check-prefix=NESTED
// RUN: mlopt run %s --entry @nested_gradient --arg '[3, 4]' --arg 3 --arg false | FileCheck %s --check-prefix=OTHER
// RUN: not mlopt compile %s --target=nvptx 2>&1 | FileCheck %s --check-prefix=PTX

// PTX: while_nested.mlir:{{[0-9]+}}:{{[0-9]+}}: error: not supported: 'sweep.nest': on a device, the sizes of an array must not depend on data

func.func private @root(%a: f64, %start: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %small = arith.constant 1.0e-13 : f64
  %r = scf.while (%x = %start) : (f64) -> f64 {
    %square = arith.mulf %x, %x : f64
    %rest = arith.subf %square, %a : f64
    %size = math.absf %rest : f64
    %on = arith.cmpf ogt, %size, %small : f64
    scf.condition(%on) %x : f64
  } do {
  ^bb0(%x: f64):
    %quotient = arith.divf %a, %x : f64
    %sum = arith.addf %x, %quotient : f64
    %mean = arith.mulf %sum, %half : f64
    scf.yield %mean : f64
  }
  return %r : f64
}
func.func private @slope(%a: f64, %start: f64) -> f64 {
  %g = dual.grad @root(%a, %start) wrt [0] mode reverse : (f64, f64) -> f64
  return %g : f64
}
// Of √a by Newton's iteration: -1/(4a√a); no iteration if the start is a root.
// CHECK:      -0.08838834
// CHECK-NEXT: -0.08838834
// NONE:      {{-?}}0.0
// NONE-NEXT: {{-?}}0.0
func.func @curvatures(%a: f64, %start: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %rr = dual.grad @slope(%a, %start) wrt [0] mode reverse : (f64, f64) -> f64
  %h, %rf = dual.jvp @slope(%a, %start) tangents(%one) wrt [0] : (f64, f64, f64) -> (f64, f64)
  return %rr, %rf : f64, f64
}

//===-- Loops in loops in a branch: each round adds x and halves, as often as it takes, by a loop of its own. ------===//

func.func private @nested(%x: tensor<?xf64>, %rounds: index, %choice: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %limit = arith.constant 1.0 : f64
  %z = scf.if %choice -> (tensor<?xf64>) {
    %r = scf.for %i = %c0 to %rounds step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
      %sum = arith.addf %s, %x : tensor<?xf64>
      %w = scf.while (%v = %sum) : (tensor<?xf64>) -> tensor<?xf64> {
        %squares = arith.mulf %v, %v : tensor<?xf64>
        %t = array.sum %squares : (tensor<?xf64>) -> f64
        %on = arith.cmpf ogt, %t, %limit : f64
        scf.condition(%on) %v : tensor<?xf64>
      } do {
      ^bb0(%v: tensor<?xf64>):
        %u = scf.for %j = %c0 to %i step %c1 iter_args(%q = %v) -> (tensor<?xf64>) {
          %n = array.length %q : tensor<?xf64>
          %halves = array.replicate %half, %n : (f64) -> tensor<?xf64>
          %p = arith.mulf %q, %halves : tensor<?xf64>
          scf.yield %p : tensor<?xf64>
        }
        %n = array.length %u : tensor<?xf64>
        %halves = array.replicate %half, %n : (f64) -> tensor<?xf64>
        %p = arith.mulf %u, %halves : tensor<?xf64>
        scf.yield %p : tensor<?xf64>
      }
      scf.yield %w : tensor<?xf64>
    }
    scf.yield %r : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  %squares = arith.mulf %z, %z : tensor<?xf64>
  %s = array.sum %squares : (tensor<?xf64>) -> f64
  return %s : f64
}
// Lengths 10, 0.625; 5.625, 0.3516; 5.3516, 0.6689: the result is 0.1338 x, and the gradient 2 · 0.1338² x.
// NESTED: [0.1073{{[0-9]*}} 0.1431{{[0-9]*}}]
// OTHER:  [6. 8.]
func.func @nested_gradient(%x: tensor<?xf64>, %rounds: index, %choice: i1) -> tensor<?xf64> {
  %g = dual.grad @nested(%x, %rounds, %choice) wrt [0] mode reverse : (tensor<?xf64>, index, i1) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
