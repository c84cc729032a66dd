// RUN: mlopt %s --jvp --egg-optimize | FileCheck %s
// RUN: mlopt %s --jvp --egg-optimize --egg-optimize | FileCheck %s
// Gradients by forward mode, and each of them renamed, permuted, re-associated and enlarged: no form is special.
// `passes/tests/asymptotics.rs` counts their work, fits it to the power of the sizes in the attribute `growth`, and
// compares their values with those before optimisation.

//===-- dot product -------------------------------------------------------------------------------------------===//

// Elementwise product of static arrays: the gradient is the other array.
func.func @dot(%x: tensor<8xf64>, %y: tensor<8xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<8xf64>
  %s = array.sum %p : (tensor<8xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @static_first
// CHECK-SAME:    %{{.*}}: tensor<8xf64>, %[[Y:.*]]: tensor<8xf64>
// CHECK-NEXT:  return %[[Y]]
func.func @static_first(%x: tensor<8xf64>, %y: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @dot(%x, %y) wrt [0] : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %g : tensor<8xf64>
}
// Permuted: the gradient in the second factor is the first.
// CHECK-LABEL: func.func @static_second
// CHECK-SAME:    %[[X:.*]]: tensor<8xf64>, %{{.*}}: tensor<8xf64>
// CHECK-NEXT:  return %[[X]]
func.func @static_second(%x: tensor<8xf64>, %y: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @dot(%x, %y) wrt [1] : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %g : tensor<8xf64>
}
// Enlarged to matrices, written as a loop in a loop, factors exchanged.
func.func @frobenius(%a: tensor<3x5xf64>, %b: tensor<3x5xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %s = array.ifold (%i < %c3) iter_args(%outer = %zero) -> (f64) {
    %t = array.ifold (%j < %c5) iter_args(%inner = %outer) -> (f64) {
      %u = array.get %a[%i, %j] : (tensor<3x5xf64>) -> f64
      %v = array.get %b[%i, %j] : (tensor<3x5xf64>) -> f64
      %p = arith.mulf %v, %u : f64
      %q = arith.addf %p, %inner : f64
      array.yield %q : f64
    }
    array.yield %t : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @static_matrix
// CHECK-SAME:    %{{.*}}: tensor<3x5xf64>, %[[B:.*]]: tensor<3x5xf64>
// CHECK-NEXT:  return %[[B]]
func.func @static_matrix(%a: tensor<3x5xf64>, %b: tensor<3x5xf64>) -> tensor<3x5xf64> {
  %g = dual.grad @frobenius(%a, %b) wrt [0] : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>
  return %g : tensor<3x5xf64>
}

// Sizes at run time: as many elements as there are in the other vector, which may differ in length.
func.func @dot_build(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = array.get %y[%i] : (tensor<?xf64>) -> f64
    %m = arith.mulf %a, %b : f64
    array.yield %m : f64
  }
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @grad_dot
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0
// CHECK-DAG:   %[[N:.*]] = array.length %[[X]]
// CHECK-NEXT:  %[[G:.*]] = array.slice %[[Y]] from %[[ZERO]] size %[[N]]
// CHECK-NEXT:  return %[[G]]
func.func @grad_dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @dot_build(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// Re-associated, as a loop over a third factor and a second product.
func.func @dot_of_three(%n: index, %z: tensor<?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = array.ifold (%k < %n) iter_args(%t = %zero) -> (f64) {
    %a = array.get %x[%k] : (tensor<?xf64>) -> f64
    %b = array.get %y[%k] : (tensor<?xf64>) -> f64
    %c = array.get %z[%k] : (tensor<?xf64>) -> f64
    %bc = arith.mulf %b, %c : f64
    %abc = arith.mulf %bc, %a : f64
    %ab = arith.mulf %a, %b : f64
    %e = arith.addf %ab, %abc : f64
    %u = arith.addf %t, %e : f64
    array.yield %u : f64
  }
  return %s : f64
}
func.func @grad_dot_of_three(%z: tensor<?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64>
    attributes {growth = 1 : i64} {
  %n = array.length %z : tensor<?xf64>
  %g = dual.grad @dot_of_three(%n, %z, %x, %y) wrt [2]
      : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

//===-- maximum -----------------------------------------------------------------------------------------------===//

func.func @max_select(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %c0 = arith.constant 0 : index
  %start = array.get %x[%c0] : (tensor<?xf64>) -> f64
  %s = array.ifold (%i < %n) iter_args(%m = %start) -> (f64) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %c = arith.cmpf ogt, %e, %m : f64
    %t = arith.select %c, %e, %m : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @grad_max_select(%x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @max_select(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

func.func @max_select_swapped(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %c0 = arith.constant 0 : index
  %start = array.get %x[%c0] : (tensor<?xf64>) -> f64
  %s = array.ifold (%i < %n) iter_args(%m = %start) -> (f64) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %c = arith.cmpf oge, %m, %e : f64
    %t = arith.select %c, %m, %e : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @grad_max_select_swapped(%x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @max_select_swapped(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

func.func @max_op(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %start = arith.constant 0xFFF0000000000000 : f64
  %s = array.ifold (%i < %n) iter_args(%m = %start) -> (f64) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = arith.maximumf %m, %e : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @grad_max_op(%x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @max_op(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

func.func @max_op_swapped(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %start = arith.constant 0xFFF0000000000000 : f64
  %s = array.ifold (%i < %n) iter_args(%m = %start) -> (f64) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = arith.maximumf %e, %m : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @grad_max_op_swapped(%x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @max_op_swapped(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

func.func @min_op(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %start = arith.constant 0x7FF0000000000000 : f64
  %s = array.ifold (%i < %n) iter_args(%m = %start) -> (f64) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = arith.minnumf %m, %e : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @grad_min_op(%x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @min_op(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

// Enlarged: the maximum of products and a term that is added after it.
func.func @max_of_products(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %least = arith.constant 0xFFF0000000000000 : f64
  %s = array.ifold (%i < %n) iter_args(%m = %least) -> (f64) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = array.get %y[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %a, %b : f64
    %t = arith.maximumf %m, %p : f64
    array.yield %t : f64
  }
  %sum = array.sum %x : (tensor<?xf64>) -> f64
  %z = arith.addf %s, %sum : f64
  return %z : f64
}
func.func @grad_max_of_products(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @max_of_products(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

//===-- Jacobians ---------------------------------------------------------------------------------------------===//

func.func @add(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %z = arith.addf %x, %y : tensor<?xf64>
  return %z : tensor<?xf64>
}
// Nothing but the identity is written: no read, no arithmetic on floats.
// CHECK-LABEL: func.func @jacobian_add
// CHECK-NOT:   array.get
// CHECK-NOT:   arith.addf
// CHECK:       %[[ONES:.*]] = array.replicate %{{.*}}, %{{.*}} : (f64) -> tensor<?xf64>
// CHECK:       array.scatter %[[ONES]] into %{{.*}} : tensor<?xf64> into tensor<?x?xf64> (%[[I:.*]]) {
// CHECK-NEXT:  array.yield %[[I]], %[[I]] : index, index
// CHECK:       return
func.func @jacobian_add(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %j = dual.jacobian @add(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %j : tensor<?x?xf64>
}
// Re-associated and enlarged, in the second argument.
func.func @add_three(%x: tensor<?xf64>, %y: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %y : tensor<?xf64>
  %z = array.build (%k < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%k] : (tensor<?xf64>) -> f64
    %b = array.get %y[%k] : (tensor<?xf64>) -> f64
    %c = array.get %w[%k] : (tensor<?xf64>) -> f64
    %bc = arith.addf %b, %c : f64
    %s = arith.subf %a, %bc : f64
    array.yield %s : f64
  }
  return %z : tensor<?xf64>
}
func.func @jacobian_add_three(%x: tensor<?xf64>, %y: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?x?xf64>
    attributes {growth = 2 : i64} {
  %j = dual.jacobian @add_three(%x, %y, %w) wrt [1]
      : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %j : tensor<?x?xf64>
}

func.func @scale(%v: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %n = array.length %v : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %v[%i] : (tensor<?xf64>) -> f64
    %m = arith.mulf %a, %s : f64
    array.yield %m : f64
  }
  return %z : tensor<?xf64>
}
// CHECK-LABEL: func.func @grad_scale
// CHECK-SAME:    %[[V:.*]]: tensor<?xf64>
// CHECK-NEXT:  return %[[V]]
func.func @grad_scale(%v: tensor<?xf64>, %s: f64) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %j = dual.jacobian @scale(%v, %s) wrt [1] : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %j : tensor<?xf64>
}
// Permuted, re-associated, enlarged by a second factor.
func.func @scale_two(%t: f64, %s: f64, %v: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %v : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %v[%i] : (tensor<?xf64>) -> f64
    %ta = arith.mulf %t, %a : f64
    %m = arith.mulf %s, %ta : f64
    array.yield %m : f64
  }
  return %z : tensor<?xf64>
}
func.func @grad_scale_two(%t: f64, %s: f64, %v: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %j = dual.jacobian @scale_two(%t, %s, %v) wrt [1] : (f64, f64, tensor<?xf64>) -> tensor<?xf64>
  return %j : tensor<?xf64>
}

//===-- further forms of dot products -------------------------------------------------------------------------===//

// The gradient of each is linear. The second factor three times, re-associated.
func.func @dot_of_cubes(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %s = array.ifold (%i < %n) iter_args(%t = %zero) -> (f64) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = array.get %y[%i] : (tensor<?xf64>) -> f64
    %bb = arith.mulf %b, %b : f64
    %bba = arith.mulf %bb, %a : f64
    %p = arith.mulf %bba, %b : f64
    %u = arith.addf %t, %p : f64
    array.yield %u : f64
  }
  return %s : f64
}
func.func @grad_dot_of_cubes(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @dot_of_cubes(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// Enlarged by terms that are not linear.
func.func @dot_and_sine(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %s = array.ifold (%i < %n) iter_args(%t = %zero) -> (f64) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = array.get %y[%i] : (tensor<?xf64>) -> f64
    %ab = arith.mulf %a, %b : f64
    %more = arith.addf %a, %ab : f64
    %sine = math.sin %a : f64
    %p = arith.addf %more, %sine : f64
    %u = arith.addf %t, %p : f64
    array.yield %u : f64
  }
  return %s : f64
}
func.func @grad_dot_and_sine(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @dot_and_sine(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// One factor backwards.
func.func @dot_backwards(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %s = array.ifold (%i < %n) iter_args(%t = %zero) -> (f64) {
    %k = arith.subi %last, %i : index
    %a = array.get %x[%k] : (tensor<?xf64>) -> f64
    %b = array.get %y[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %a, %b : f64
    %u = arith.addf %t, %p : f64
    array.yield %u : f64
  }
  return %s : f64
}
func.func @grad_dot_backwards(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @dot_backwards(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// A vector with itself backwards.
func.func @self_convolution(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %s = array.ifold (%i < %n) iter_args(%t = %zero) -> (f64) {
    %k = arith.subi %last, %i : index
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = array.get %x[%k] : (tensor<?xf64>) -> f64
    %p = arith.mulf %a, %b : f64
    %u = arith.addf %t, %p : f64
    array.yield %u : f64
  }
  return %s : f64
}
func.func @grad_self_convolution(%x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @self_convolution(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// Bulk operations.
func.func @dot_bulk(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @grad_dot_bulk(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @dot_bulk(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// The product of two sums.
func.func @two_sums(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<?xf64>
  %q = arith.mulf %x, %x : tensor<?xf64>
  %t = array.sum %p : (tensor<?xf64>) -> f64
  %u = array.sum %q : (tensor<?xf64>) -> f64
  %s = arith.mulf %t, %u : f64
  return %s : f64
}
func.func @grad_two_sums(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @two_sums(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// The minimum, from the first element.
func.func @minimum(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %c0 = arith.constant 0 : index
  %first = array.get %x[%c0] : (tensor<?xf64>) -> f64
  %s = array.ifold (%i < %n) iter_args(%m = %first) -> (f64) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = arith.minimumf %m, %e : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @grad_minimum(%x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @minimum(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

//===-- matrices: gradients are quadratic in the side ---------------------------------------------------------===//

func.func @trace(%m: tensor<?x?xf64>) -> f64 {
  %n = array.length %m : tensor<?x?xf64>
  %d = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %m[%i, %i] : (tensor<?x?xf64>) -> f64
    array.yield %e : f64
  }
  %s = array.sum %d : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @matrix_trace(%m: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @trace(%m) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
// An argument on which the result does not depend: nothing is read, and nothing is computed for an element.
func.func private @trace_beside(%m: tensor<?x?xf64>, %x: tensor<?xf64>) -> f64 {
  %n = array.length %m : tensor<?x?xf64>
  %d = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %m[%i, %i] : (tensor<?x?xf64>) -> f64
    array.yield %e : f64
  }
  %s = array.sum %d : (tensor<?xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @vector_trace
// CHECK-SAME:    %{{.*}}: tensor<?x?xf64>, %[[X:.*]]: tensor<?xf64>
// CHECK-NEXT:  %[[N:.*]] = array.length %[[X]] : tensor<?xf64>
// CHECK-NEXT:  %[[G:.*]] = array.build (%{{.*}} < %[[N]]) -> (tensor<?xf64>) {
// CHECK-NEXT:    %[[ZERO:.*]] = dual.zero : f64
// CHECK-NEXT:    array.yield %[[ZERO]] : f64
// CHECK-NEXT:  }
// CHECK-NEXT:  return %[[G]]
func.func @vector_trace(%m: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @trace_beside(%m, %x) wrt [1] : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @trace_static(%m: tensor<5x5xf64>, %x: tensor<5xf64>) -> f64 {
  %d = array.build (%i < 5) -> (tensor<5xf64>) {
    %e = array.get %m[%i, %i] : (tensor<5x5xf64>) -> f64
    array.yield %e : f64
  }
  %s = array.sum %d : (tensor<5xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @static_trace
// CHECK-NEXT:  %[[G:.*]] = array.build (%{{.*}} < 5) -> (tensor<5xf64>) {
// CHECK-NEXT:    %[[ZERO:.*]] = dual.zero : f64
// CHECK-NEXT:    array.yield %[[ZERO]] : f64
// CHECK-NEXT:  }
// CHECK-NEXT:  return %[[G]]
func.func @static_trace(%m: tensor<5x5xf64>, %x: tensor<5xf64>) -> tensor<5xf64> {
  %g = dual.grad @trace_static(%m, %x) wrt [1] : (tensor<5x5xf64>, tensor<5xf64>) -> tensor<5xf64>
  return %g : tensor<5xf64>
}
func.func @bilinear(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %m : tensor<?x?xf64>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %row = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %x : tensor<?xf64>
    %e = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %q = arith.mulf %r, %y : tensor<?xf64>
  %s = array.sum %q : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @matrix_bilinear(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64>
    attributes {growth = 2 : i64} {
  %g = dual.grad @bilinear(%m, %x, %y) wrt [0] : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
func.func @vector_bilinear(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64>
    attributes {growth = 2 : i64} {
  %g = dual.grad @bilinear(%m, %x, %y) wrt [1] : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// ‖Mx − y‖² by loops.
func.func @least_squares(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %y : tensor<?xf64>
  %k = array.length %x : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %s = array.ifold (%i < %n) iter_args(%t = %zero) -> (f64) {
    %row = array.ifold (%j < %k) iter_args(%u = %zero) -> (f64) {
      %a = array.get %m[%i, %j] : (tensor<?x?xf64>) -> f64
      %b = array.get %x[%j] : (tensor<?xf64>) -> f64
      %p = arith.mulf %a, %b : f64
      %v = arith.addf %u, %p : f64
      array.yield %v : f64
    }
    %c = array.get %y[%i] : (tensor<?xf64>) -> f64
    %d = arith.subf %row, %c : f64
    %e = arith.mulf %d, %d : f64
    %f = arith.addf %t, %e : f64
    array.yield %f : f64
  }
  return %s : f64
}
func.func @matrix_least_squares(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64>
    attributes {growth = 2 : i64} {
  %g = dual.grad @least_squares(%m, %x, %y) wrt [0] : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
func.func @vector_least_squares(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64>
    attributes {growth = 2 : i64} {
  %g = dual.grad @least_squares(%m, %x, %y) wrt [1] : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// Σ_i log1p(exp(−y_i Σ_j X_ij w_j)) + λ Σ_j w_j².
func.func @logistic(%m: tensor<?x?xf64>, %w: tensor<?xf64>, %y: tensor<?xf64>, %lambda: f64) -> f64 {
  %n = array.length %m : tensor<?x?xf64>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %row = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %w : tensor<?xf64>
    %e = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %yr = arith.mulf %y, %r : tensor<?xf64>
  %minus = arith.negf %yr : tensor<?xf64>
  %exp = math.exp %minus : tensor<?xf64>
  %log = math.log1p %exp : tensor<?xf64>
  %loss = array.sum %log : (tensor<?xf64>) -> f64
  %squares = arith.mulf %w, %w : tensor<?xf64>
  %norm = array.sum %squares : (tensor<?xf64>) -> f64
  %penalty = arith.mulf %lambda, %norm : f64
  %s = arith.addf %loss, %penalty : f64
  return %s : f64
}
func.func @vector_logistic(%m: tensor<?x?xf64>, %w: tensor<?xf64>, %y: tensor<?xf64>, %lambda: f64) -> tensor<?xf64>
    attributes {growth = 2 : i64} {
  %g = dual.grad @logistic(%m, %w, %y, %lambda) wrt [1]
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// Its gradient in a loop.
func.func @vector_training(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>, %lambda: f64) -> tensor<?xf64>
    attributes {growth = 2 : i64} {
  %three = arith.constant 3 : index
  %w = array.ifold (%k < %three) iter_args(%w0 = %x) -> (tensor<?xf64>) {
    %g = dual.grad @logistic(%m, %w0, %y, %lambda) wrt [1]
        : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
    %w1 = arith.subf %w0, %g : tensor<?xf64>
    array.yield %w1 : tensor<?xf64>
  }
  return %w : tensor<?xf64>
}
