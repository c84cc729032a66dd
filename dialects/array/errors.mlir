// RUN: mlopt %s --verify-diagnostics --split-input-file
// One rejected program for each numbered constraint of `array.td`, and for the syntax.

func.func @build_c1() {
  // expected-error @+1 {{'array.build' op (C1) expected at least one result, found none}}
  "array.build"() ({
  ^bb0(%i: index):
    "array.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @build_c2(%x: f64) -> tensor<4xf64> {
  // expected-error @+1 {{'array.build' op (C2) expected one `index` argument per leading dimension of the results, found none}}
  %z = "array.build"() ({
    "array.yield"(%x) : (f64) -> ()
  }) : () -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @build_c2_argument_type(%x: f64) -> tensor<4xf64> {
  // expected-error @+1 {{'array.build' op (C2) region arguments must have type 'index', found i64}}
  %z = "array.build"() ({
  ^bb0(%i: i64):
    "array.yield"(%x) : (f64) -> ()
  }) : () -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @build_c2_rank(%x: f64, %n: index) -> tensor<4xf64> {
  // expected-error @+1 {{'array.build' op (C2) every result must have at least 2 axes, one per index, found tensor<4xf64>}}
  %z = array.build (%i < 4, %j < %n) -> (tensor<4xf64>) {
    array.yield %x : f64
  }
  return %z : tensor<4xf64>
}

// -----

func.func @build_c3(%x: f64) -> tensor<4xf64> {
  // expected-error @+1 {{'array.build' op (C3) results must share their 1 leading sizes, found tensor<4xf64> and tensor<5xf64>}}
  %z:2 = array.build (%i < 4) -> (tensor<4xf64>, tensor<5xf64>) {
    array.yield %x, %x : f64, f64
  }
  return %z#0 : tensor<4xf64>
}

// -----

func.func @build_c4(%x: f64) -> tensor<?xf64> {
  // expected-error @+1 {{'array.build' op (C4) expected 1 extent operands for the `?` in [?], found 0}}
  %z = "array.build"() ({
  ^bb0(%i: index):
    "array.yield"(%x) : (f64) -> ()
  }) : () -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

func.func @build_c5(%x: f32) -> tensor<4xf64> {
  // expected-error @+1 {{'array.build' op (C5) the region must yield (f64), found (f32)}}
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    array.yield %x : f32
  }
  return %z : tensor<4xf64>
}

// -----

func.func @build_c5_jagged(%n: index, %x: f64) -> tensor<4x2xf64> {
  // expected-error @+1 {{'array.build' op (C5) the region must yield (tensor<2xf64>), found (tensor<?xf64>)}}
  %z = array.build (%i < 4) -> (tensor<4x2xf64>) {
    %row = array.replicate %x, %i : (f64) -> tensor<?xf64>
    array.yield %row : tensor<?xf64>
  }
  return %z : tensor<4x2xf64>
}

// -----

func.func @build_c5_no_terminator(%x: f64) -> tensor<4xf64> {
  // expected-error @+1 {{'array.build' op (C5) the region must end in `array.yield`}}
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    %y = arith.negf %x : f64
  }
  return %z : tensor<4xf64>
}

// -----

func.func @build_c6(%m: memref<4xf64>, %x: f64) -> tensor<4xf64> {
  // expected-error @+1 {{'array.build' op (C6) the body must have no side effects, found 'memref.store'}}
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    memref.store %x, %m[%i] : memref<4xf64>
    array.yield %x : f64
  }
  return %z : tensor<4xf64>
}

// -----

func.func @build_static_extent(%n: index, %x: f64) -> tensor<4xf64> {
  // expected-error @+1 {{axis 0 of result type 'tensor<4xf64>' is static: write its extent as the integer 4}}
  %z = array.build (%i < %n) -> (tensor<4xf64>) {
    array.yield %x : f64
  }
  return %z : tensor<4xf64>
}

// -----

func.func @build_wrong_extent(%x: f64) -> tensor<4xf64> {
  // expected-error @+1 {{extent 5 does not fit axis 0 of result type 'tensor<4xf64>'}}
  %z = array.build (%i < 5) -> (tensor<4xf64>) {
    array.yield %x : f64
  }
  return %z : tensor<4xf64>
}

// -----

func.func @ifold_c1(%n: index) {
  // expected-error @+1 {{'array.ifold' op (C1) expected at least one carried value, found none}}
  "array.ifold"(%n) ({
  ^bb0(%i: index):
    "array.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @ifold_c2(%n: index, %x: f64) -> f64 {
  // expected-error @+1 {{'array.ifold' op (C2) region arguments must be (index, f64), found (index)}}
  %z = "array.ifold"(%n, %x) ({
  ^bb0(%i: index):
    "array.yield"(%x) : (f64) -> ()
  }) : (index, f64) -> f64
  return %z : f64
}

// -----

func.func @ifold_c3(%n: index, %x: f64) -> f64 {
  // expected-error @+1 {{'array.ifold' op (C3) the region must yield (f64), found (index)}}
  %z = array.ifold (%i < %n) iter_args(%a = %x) -> (f64) {
    array.yield %i : index
  }
  return %z : f64
}

// -----

func.func @ifold_c4(%n: index, %x: f64, %m: memref<4xf64>) -> f64 {
  // expected-error @+1 {{'array.ifold' op (C4) the body must have no side effects, found 'memref.load'}}
  %z = array.ifold (%i < %n) iter_args(%a = %x) -> (f64) {
    %y = memref.load %m[%i] : memref<4xf64>
    array.yield %y : f64
  }
  return %z : f64
}

// -----

func.func @ifold_arity(%n: index, %x: f64) -> f64 {
  // expected-error @+1 {{expected one result type per carried value: 1 values, 2 types}}
  %z:2 = array.ifold (%i < %n) iter_args(%a = %x) -> (f64, f64) {
    array.yield %a, %a : f64, f64
  }
  return %z#0 : f64
}

// -----

// expected-note @+1 {{`x` is an argument here, with type tensor<4xf64>}}
func.func @get_c1(%x: tensor<4xf64>, %i: index) -> f64 {
  // expected-error @+1 {{'array.get' op (C1) `x` of type tensor<4xf64> takes 1 to 1 indices, found 2}}
  %z = array.get %x[%i, %i] : tensor<4xf64> -> f64
  return %z : f64
}

// -----

func.func @get_c2(%n: index) -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  %i = arith.constant 0 : index
  // expected-error @+1 {{'array.get' op (C2) `z` must have type tensor<3xf64>, found f64}}
  %z = array.get %x[%i] : tensor<4x3xf64> -> f64
  return %z : f64
}

// -----

func.func @length_c1() -> index {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.length' op (C1) `axis` must be one of the 2 axes of tensor<4x3xf64>, found 2}}
  %z = array.length %x axis 2 : tensor<4x3xf64>
  return %z : index
}

// -----

func.func @sum_c1() -> tensor<f64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<f64>}}
  %x = dual.zero : tensor<f64>
  // expected-error @+1 {{'array.sum' op (C1) `x` must have at least one axis, found tensor<f64>}}
  %z = array.sum %x : (tensor<f64>) -> tensor<f64>
  return %z : tensor<f64>
}

// -----

func.func @sum_c1_boolean() -> i1 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4xi1>}}
  %x = arith.constant dense<true> : tensor<4xi1>
  // expected-error @+1 {{'array.sum' op (C1) `x` must have numeric elements, found tensor<4xi1>}}
  %z = array.sum %x : (tensor<4xi1>) -> i1
  return %z : i1
}

// -----

func.func @sum_c2() -> tensor<4xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.sum' op (C2) `z` must have type tensor<3xf64>, found tensor<4xf64>}}
  %z = array.sum %x : (tensor<4x3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @replicate_c1() -> tensor<4xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<3xf64>}}
  %x = dual.zero : tensor<3xf64>
  // expected-error @+1 {{'array.replicate' op (C1) `z` must be tensor<3xf64> with one more, outermost axis, found tensor<4xf64>}}
  %z = array.replicate %x : (tensor<3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @replicate_c2() -> tensor<?xf64> {
  // expected-note @+1 {{`x` is defined here, with type f64}}
  %x = dual.zero : f64
  // expected-error @+1 {{'array.replicate' op (C2) the first axis of tensor<?xf64> is known at run time only: expected `n`, found none}}
  %z = array.replicate %x : (f64) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

func.func @transpose_c1() -> tensor<3x4xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.transpose' op (C1) `permutation` must reorder the 2 axes of tensor<4x3xf64>, found [1, 1]}}
  %z = array.transpose %x [1, 1] : tensor<4x3xf64> -> tensor<3x4xf64>
  return %z : tensor<3x4xf64>
}

// -----

func.func @transpose_c2() -> tensor<4x3xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.transpose' op (C2) `z` must have type tensor<3x4xf64>, found tensor<4x3xf64>}}
  %z = array.transpose %x [1, 0] : tensor<4x3xf64> -> tensor<4x3xf64>
  return %z : tensor<4x3xf64>
}

// -----

func.func @unknown_op(%x: tensor<4xf64>) {
  // expected-error @+1 {{custom op 'array.summ' is unknown}}
  %z = array.summ %x : (tensor<4xf64>) -> f64
  return
}

// -----

// expected-error @+1 {{'array.yield' op expects parent op to be one of 'array.build, array.ifold'}}
"array.yield"() : () -> ()
