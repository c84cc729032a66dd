// RUN: mlopt %s --static-sizes --split-input-file --verify-diagnostics | FileCheck %s
// Sizes are propagated from the arguments to callees, loops and extents.

// CHECK-LABEL: func.func private @grow.1(%{{.*}}: tensor<3xf64>, %{{.*}}: index) -> tensor<4x3xf64>
// CHECK:         array.replicate %{{.*}} : (tensor<3xf64>) -> tensor<4x3xf64>
// CHECK-LABEL: func.func @called(%{{.*}}: tensor<3xf64>) -> tensor<4x3xf64>
// CHECK:         call @grow.1(%{{.*}}) : (tensor<3xf64>{{.*}}) -> tensor<4x3xf64>
func.func private @grow(%x: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %z = array.replicate %x, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
func.func @called(%x: tensor<?xf64>) -> tensor<?x?xf64> attributes {array.sizes = "3"} {
  %one = arith.constant 1 : index
  %n = array.length %x : tensor<?xf64>
  %m = arith.addi %n, %one : index
  %z = func.call @grow(%x, %m) : (tensor<?xf64>, index) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// -----

// A state that grows has no static size; emitted rows have that of the rows.
// CHECK-LABEL: func.func @loops(%{{.*}}: tensor<5x2xf64>, %{{.*}}: tensor<2xf64>) -> (tensor<2xf64>, tensor<5x2xf64>)
// CHECK:         array.map_accum (%{{.*}} = %{{.*}} : tensor<5x2xf64>) iter_args(%{{.*}} = %{{.*}}) -> (tensor<2xf64>, tensor<5x2xf64>)
func.func @loops(%x: tensor<?x?xf64>, %z: tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) attributes {array.sizes = "5x2,2"} {
  %last, %all = array.map_accum (%row = %x : tensor<?x?xf64>) iter_args(%s = %z) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %t = arith.addf %s, %row : tensor<?xf64>
    array.yield %t, %t : tensor<?xf64>, tensor<?xf64>
  }
  return %last, %all : tensor<?xf64>, tensor<?x?xf64>
}

// -----

// Requests for derivatives are specialised for the sizes too.
// CHECK-LABEL: func.func @gradient(%{{.*}}: tensor<3xf64>) -> tensor<3xf64>
// CHECK:         dual.grad @square.1(%{{.*}}) mode reverse : (tensor<3xf64>) -> tensor<3xf64>
func.func private @square(%x: tensor<?xf64>) -> f64 {
  %p = arith.mulf %x, %x : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> attributes {array.sizes = "3"} {
  %g = dual.grad @square(%x) mode reverse : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

// -----

// One size remains dynamic.
// CHECK-LABEL: func.func @partly(%{{.*}}: tensor<?x4xf64>) -> tensor<4x?xf64>
// CHECK-NEXT:    %[[T:.*]] = array.transpose %{{.*}} [1, 0] : (tensor<?x4xf64>) -> tensor<4x?xf64>
// CHECK-NEXT:    return %[[T]]
func.func @partly(%x: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {array.sizes = "?x4"} {
  %t = array.transpose %x [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %t : tensor<?x?xf64>
}

// -----

func.func @different(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {array.sizes = "3,4"} {
  // expected-error @+1 {{operands must have the same sizes along axes [0]; for the given argument sizes, their shapes are [3] and [4]}}
  %z = arith.addf %x, %y : tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

// expected-error @+1 {{expected 1 shape for tensor<?xf64>, found [3], [4]}}
func.func @too_many(%x: tensor<?xf64>) -> tensor<?xf64> attributes {array.sizes = "3,4"} {
  return %x : tensor<?xf64>
}

// -----

// expected-error @+1 {{`array.sizes` must list the sizes of each argument, like `4x?,-,8`, found `three`}}
func.func @no_sizes(%x: tensor<?xf64>) -> tensor<?xf64> attributes {array.sizes = "three"} {
  return %x : tensor<?xf64>
}

// -----

// If one operand has a more static type than another, the other is cast; a value carried with dynamic sizes is cast back.
// CHECK-LABEL: func.func @partly_known
// CHECK:         %[[CAST:.*]] = tensor.cast %{{.*}} : tensor<?xf64> to tensor<3xf64>
// CHECK:         arith.select %{{.*}}, %{{.*}}, %[[CAST]] : tensor<3xf64>
// CHECK:         array.stack {{.*}} : (tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
// CHECK:         array.append {{.*}} : (tensor<2x3xf64>, tensor<?x3xf64>) -> tensor<?x3xf64>
// CHECK:         array.fold (%{{.*}} = %{{.*}} : tensor<3xf64>, %{{.*}} = %{{.*}} : tensor<3xf64>)
// CHECK:         scf.while {{.*}} : (tensor<3xf64>) -> tensor<3xf64>
// CHECK:           scf.yield %{{.*}} : tensor<3xf64>
func.func @partly_known(%x: tensor<?xf64>, %n: index, %c: i1)
    -> (tensor<?xf64>, tensor<2x?xf64>, tensor<?x?xf64>, f64, tensor<?xf64>) attributes {array.sizes = "3,-,-"} {
  %zero = arith.constant 0.0 : f64
  %y = array.replicate %zero, %n : (f64) -> tensor<?xf64>
  %chosen = arith.select %c, %x, %y : tensor<?xf64>
  %two = array.stack %x, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<2x?xf64>
  %rows = array.replicate %y, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %more = array.append %two, %rows : (tensor<2x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %dot = array.fold (%a = %x : tensor<?xf64>, %b = %y : tensor<?xf64>) iter_args(%s = %zero) -> (f64) {
    %p = arith.mulf %a, %b : f64
    %t = arith.addf %s, %p : f64
    array.yield %t : f64
  }
  %last = scf.while (%s = %x) : (tensor<?xf64>) -> tensor<?xf64> {
    scf.condition(%c) %s : tensor<?xf64>
  } do {
  ^bb0(%s: tensor<?xf64>):
    %t = arith.addf %s, %x : tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  return %chosen, %two, %more, %dot, %last : tensor<?xf64>, tensor<2x?xf64>, tensor<?x?xf64>, f64, tensor<?xf64>
}

// -----

func.func @rows_of_different_numbers(%x: tensor<?xf64>, %y: tensor<?x2xf64>) -> f64 attributes {array.sizes = "3,4x2"} {
  %zero = arith.constant 0.0 : f64
  // expected-error @below {{'array.fold' op operands must have the same sizes along axes [0]; for the given argument sizes, their shapes are [3] and [4, 2]}}
  %dot = array.fold (%a = %x : tensor<?xf64>, %b = %y : tensor<?x2xf64>) iter_args(%s = %zero) -> (f64) {
    %t = arith.addf %s, %a : f64
    array.yield %t : f64
  }
  return %dot : f64
}

// -----

// Updates of rows have the sizes of the rows, whichever of the two determines them.
// CHECK-LABEL: func.func @rows_that_are_added
// CHECK:       array.scatter %{{.*}} into %{{.*}} : tensor<2x5xf64> into tensor<4x5xf64>
func.func @rows_that_are_added(%x: tensor<2x?xf64>, %z: tensor<4x?xf64>, %c: i1, %y: tensor<2x?xf64>)
    -> tensor<4x?xf64> attributes {array.sizes = "2x?,4x5,-,2x?"} {
  %zero = arith.constant 0 : index
  %s = array.scatter %x into %z : tensor<2x?xf64> into tensor<4x?xf64> (%k) {
    array.yield %k : index
  }
  return %s : tensor<4x?xf64>
}

// -----

func.func @rows_of_other_sizes(%x: tensor<2x?xf64>, %z: tensor<4x?xf64>) -> tensor<4x?xf64>
    attributes {array.sizes = "2x3,4x5"} {
  // expected-error @below {{'array.scatter' op `x` and `init` must have the same row sizes; for the given argument sizes, their shapes are [2, 3] and [4, 5]}}
  %s = array.scatter %x into %z : tensor<2x?xf64> into tensor<4x?xf64> (%k) {
    array.yield %k : index
  }
  return %s : tensor<4x?xf64>
}

// -----

// A loop with a condition carries the sizes that hold before and after a step; its results are those of the condition.
// CHECK-LABEL: func.func @while_that_grows
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<?xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<?xf64>)
func.func @while_that_grows(%x: tensor<?xf64>, %c: i1) -> (tensor<?xf64>, tensor<?xf64>)
    attributes {array.sizes = "3,-"} {
  %last:2 = scf.while (%s = %x, %r = %x) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
    scf.condition(%c) %r, %s : tensor<?xf64>, tensor<?xf64>
  } do {
  ^bb0(%r: tensor<?xf64>, %s: tensor<?xf64>):
    %t = array.append %s, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %t, %r : tensor<?xf64>, tensor<?xf64>
  }
  return %last#0, %last#1 : tensor<?xf64>, tensor<?xf64>
}

// -----

// Cotangents have the sizes of the result: here one that an integer argument determines, which is unknown.
// CHECK-LABEL: func.func @cotangents
// CHECK:         %[[Y:.*]] = tensor.cast %{{.*}} : tensor<8xf64> to tensor<?xf64>
// CHECK:         dual.vjp @repeat.1(%{{.*}}, %{{.*}}) cotangents(%[[Y]]) : (f64, index, tensor<?xf64>) -> (tensor<?xf64>, f64)
func.func private @repeat(%x: f64, %n: index) -> tensor<?xf64> {
  %y = array.replicate %x, %n : (f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @cotangents(%x: f64, %n: index, %y: tensor<?xf64>) -> f64 attributes {array.sizes = "-,-,8"} {
  %r:2 = dual.vjp @repeat(%x, %n) cotangents(%y) : (f64, index, tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %r#1 : f64
}

// -----

// The operands of an elementwise operation get the same sizes, in all dialects.
// CHECK-LABEL: func.func @remainders
// CHECK:         %[[Y:.*]] = tensor.cast %{{.*}} : tensor<?xi64> to tensor<3xi64>
// CHECK:         array.mod %{{.*}}, %[[Y]] : tensor<3xi64>
func.func @remainders(%x: tensor<?xi64>, %y: i64, %n: index) -> tensor<?xi64> attributes {array.sizes = "3,-,-"} {
  %ys = array.replicate %y, %n : (i64) -> tensor<?xi64>
  %z = array.mod %x, %ys : tensor<?xi64>
  return %z : tensor<?xi64>
}

// -----

func.func private @squares(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = arith.mulf %x, %x : tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @other_cotangents(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {array.sizes = "3,2"} {
  // expected-error @+1 {{for the given argument sizes, cotangent #0 must have sizes [3], found [2]}}
  %r:2 = dual.vjp @squares(%x) cotangents(%y) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
