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
  // expected-error @+1 {{'array.build' op (C2) the region must have at least one argument of type `index`, found none}}
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
  // expected-error @+1 {{'array.build' op (C3) all results must have the same sizes along the axes of the indices, found tensor<4xf64> and tensor<5xf64>}}
  %z:2 = array.build (%i < 4) -> (tensor<4xf64>, tensor<5xf64>) {
    array.yield %x, %x : f64, f64
  }
  return %z#0 : tensor<4xf64>
}

// -----

func.func @build_c4(%x: f64) -> tensor<?xf64> {
  // expected-error @+1 {{'array.build' op (C4) expected as many extent operands as `?` in [?] (1), found 0}}
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
  // expected-error @+1 {{'array.ifold' op (C2) region arguments must have types (index, f64), found (index)}}
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
  // expected-error @+1 {{expected as many result types as carried values (1), found 2}}
  %z:2 = array.ifold (%i < %n) iter_args(%a = %x) -> (f64, f64) {
    array.yield %a, %a : f64, f64
  }
  return %z#0 : f64
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @get_c1(%x: tensor<4xf64>, %i: index) -> f64 {
  // expected-error @+1 {{'array.get' op (C1) `x` of type tensor<4xf64> takes 1 index, found 2}}
  %z = array.get %x[%i, %i] : (tensor<4xf64>) -> f64
  return %z : f64
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<f64>}}
func.func @get_c1_no_axis(%x: tensor<f64>, %i: index) -> f64 {
  // expected-error @+1 {{'array.get' op (C1) `x` must have at least one axis, found tensor<f64>}}
  %z = array.get %x[%i] : (tensor<f64>) -> f64
  return %z : f64
}

// -----

func.func @get_c2(%n: index) -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  %i = arith.constant 0 : index
  // expected-error @+1 {{'array.get' op (C2) the result must have type tensor<3xf64>, found f64}}
  %z = array.get %x[%i] : (tensor<4x3xf64>) -> f64
  return %z : f64
}

// -----

func.func @length_c1() -> index {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.length' op (C1) `axis` must be at least 0 and less than 2, the rank of tensor<4x3xf64>, found 2}}
  %z = array.length %x axis 2 : tensor<4x3xf64>
  return %z : index
}

// -----

func.func @length_c1_no_axis() -> index {
  // expected-note @+1 {{`x` is defined here, with type tensor<f64>}}
  %x = dual.zero : tensor<f64>
  // expected-error @+1 {{'array.length' op (C1) `x` must have at least one axis, found tensor<f64>}}
  %z = array.length %x axis 0 : tensor<f64>
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
  // expected-error @+1 {{'array.sum' op (C2) the result must have type tensor<3xf64>, found tensor<4xf64>}}
  %z = array.sum %x : (tensor<4x3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @replicate_c1() -> tensor<4xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<3xf64>}}
  %x = dual.zero : tensor<3xf64>
  // expected-error @+1 {{'array.replicate' op (C1) the result must be tensor<3xf64> with an additional outermost axis, found tensor<4xf64>}}
  %z = array.replicate %x : (tensor<3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @replicate_c2() -> tensor<?xf64> {
  // expected-note @+1 {{`x` is defined here, with type f64}}
  %x = dual.zero : f64
  // expected-error @+1 {{'array.replicate' op (C2) the first axis of tensor<?xf64> is dynamic: expected the operand `n`, found none}}
  %z = array.replicate %x : (f64) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

func.func @transpose_c1() -> tensor<3x4xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.transpose' op (C1) `permutation` must list each axis of tensor<4x3xf64> once, counted from 0, in any order, found [1, 1]}}
  %z = array.transpose %x [1, 1] : (tensor<4x3xf64>) -> tensor<3x4xf64>
  return %z : tensor<3x4xf64>
}

// -----

func.func @transpose_c2() -> tensor<4x3xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.transpose' op (C2) the result must have type tensor<3x4xf64>, found tensor<4x3xf64>}}
  %z = array.transpose %x [1, 0] : (tensor<4x3xf64>) -> tensor<4x3xf64>
  return %z : tensor<4x3xf64>
}

// -----

func.func @fold_c1(%a: f64) -> f64 {
  // expected-error @+1 {{'array.fold' op (C1) expected at least one array, found none}}
  %z = array.fold () iter_args(%s = %a) -> (f64) {
    array.yield %s : f64
  }
  return %z : f64
}

// -----

func.func @fold_c1_nothing_carried(%x: tensor<4xf64>) {
  // expected-error @+1 {{'array.fold' op (C1) expected at least one carried value, found none}}
  array.fold (%r = %x : tensor<4xf64>) iter_args() -> () {
    array.yield
  }
  return
}

// -----

func.func @fold_c1_sizes(%a: f64, %x: tensor<4xf64>) -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<5xf64>}}
  %y = dual.zero : tensor<5xf64>
  // expected-error @+1 {{'array.fold' op (C1) all arrays must have the same outermost size, found tensor<4xf64> and tensor<5xf64>}}
  %z = array.fold (%r = %x : tensor<4xf64>, %q = %y : tensor<5xf64>) iter_args(%s = %a) -> (f64) {
    array.yield %s : f64
  }
  return %z : f64
}

// -----

func.func @fold_c1_no_rows(%a: f64) -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<f64>}}
  %x = dual.zero : tensor<f64>
  // expected-error @+1 {{'array.fold' op (C1) every array must have at least one axis, found tensor<f64>}}
  %z = array.fold (%r = %x : tensor<f64>) iter_args(%s = %a) -> (f64) {
    array.yield %s : f64
  }
  return %z : f64
}

// -----

func.func @fold_c2(%a: f64, %x: tensor<4x3xf64>) -> f64 {
  // expected-error @+1 {{'array.fold' op (C2) region arguments must have types (tensor<3xf64>, f64), found (f64, f64)}}
  %z = "array.fold"(%x, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%r: f64, %s: f64):
    "array.yield"(%s) : (f64) -> ()
  }) : (tensor<4x3xf64>, f64) -> f64
  return %z : f64
}

// -----

func.func @fold_c3(%a: f64, %x: tensor<4x3xf64>) -> f64 {
  // expected-error @+1 {{'array.fold' op (C3) the region must yield (f64), found (tensor<3xf64>)}}
  %z = array.fold (%r = %x : tensor<4x3xf64>) iter_args(%s = %a) -> (f64) {
    array.yield %r : tensor<3xf64>
  }
  return %z : f64
}

// -----

func.func @fold_c4(%a: f64, %x: tensor<4xf64>, %m: memref<f64>) -> f64 {
  // expected-error @+1 {{'array.fold' op (C4) the body must have no side effects, found 'memref.store'}}
  %z = array.fold (%r = %x : tensor<4xf64>) iter_args(%s = %a) -> (f64) {
    memref.store %r, %m[] : memref<f64>
    array.yield %s : f64
  }
  return %z : f64
}

// -----

func.func @fold_c5(%a: f64, %x: tensor<4xf32>) -> f32 {
  // expected-error @+1 {{'array.fold' op (C5) the results must have the types of the inits, (f64), found (f32)}}
  %z = "array.fold"(%x, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%r: f32, %s: f32):
    "array.yield"(%s) : (f32) -> ()
  }) : (tensor<4xf32>, f64) -> f32
  return %z : f32
}

// -----

func.func @fold_arity(%a: f64, %x: tensor<4xf64>) {
  // expected-error @+1 {{expected result types for all carried values (1), found 0}}
  array.fold (%r = %x : tensor<4xf64>) iter_args(%s = %a) -> () {
    array.yield
  }
  return
}

// -----

func.func @map_accum_c1(%a: f64) -> f64 {
  // expected-error @+1 {{'array.map_accum' op (C1) expected at least one array, found none}}
  %z = array.map_accum () iter_args(%s = %a) -> (f64) {
    array.yield %s : f64
  }
  return %z : f64
}

// -----

func.func @map_accum_c1_emitted(%a: f64, %x: tensor<4xf64>) -> tensor<5xf64> {
  // expected-error @+1 {{'array.map_accum' op (C1) an emitted result must have the outermost size of the arrays, 4, found tensor<5xf64>}}
  %z:2 = array.map_accum (%r = %x : tensor<4xf64>) iter_args(%s = %a) -> (f64, tensor<5xf64>) {
    array.yield %s, %s : f64, f64
  }
  return %z#1 : tensor<5xf64>
}

// -----

func.func @map_accum_c1_scalar(%a: f64, %x: tensor<?xf64>) -> f64 {
  // expected-error @+1 {{'array.map_accum' op (C1) an emitted result must have the outermost size of the arrays, `?`, found f64}}
  %z:2 = array.map_accum (%r = %x : tensor<?xf64>) iter_args(%s = %a) -> (f64, f64) {
    array.yield %s, %s : f64, f64
  }
  return %z#1 : f64
}

// -----

func.func @map_accum_c2(%a: f64, %x: tensor<4xf64>) -> f64 {
  // expected-error @+1 {{'array.map_accum' op (C2) region arguments must have types (f64, f64), found (f64)}}
  %z = "array.map_accum"(%x, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%r: f64):
    "array.yield"(%r) : (f64) -> ()
  }) : (tensor<4xf64>, f64) -> f64
  return %z : f64
}

// -----

func.func @map_accum_c3(%a: f64, %x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.map_accum' op (C3) the region must yield (f64, f64), found (f64)}}
  %z:2 = array.map_accum (%r = %x : tensor<4xf64>) iter_args(%s = %a) -> (f64, tensor<4xf64>) {
    array.yield %s : f64
  }
  return %z#1 : tensor<4xf64>
}

// -----

func.func @map_accum_c4(%a: f64, %x: tensor<4xf64>, %m: memref<f64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.map_accum' op (C4) the body must have no side effects, found 'memref.load'}}
  %z:2 = array.map_accum (%r = %x : tensor<4xf64>) iter_args(%s = %a) -> (f64, tensor<4xf64>) {
    %y = memref.load %m[] : memref<f64>
    array.yield %s, %y : f64, f64
  }
  return %z#1 : tensor<4xf64>
}

// -----

func.func @map_accum_c5(%a: f64, %x: tensor<4xf64>) -> f32 {
  // expected-error @+1 {{'array.map_accum' op (C5) the first results must have the types of the inits, (f64), found (f32)}}
  %z = "array.map_accum"(%x, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%r: f64, %s: f64):
    "array.yield"(%s) : (f64) -> ()
  }) : (tensor<4xf64>, f64) -> f32
  return %z : f32
}

// -----

func.func @map_accum_c5_fewer(%a: f64, %x: tensor<4xf64>) {
  // expected-error @+1 {{'array.map_accum' op (C5) the first results must have the types of the inits, (f64), found ()}}
  "array.map_accum"(%x, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%r: f64, %s: f64):
    "array.yield"(%s) : (f64) -> ()
  }) : (tensor<4xf64>, f64) -> ()
  return
}

// -----

func.func @segments(%a: f64, %x: tensor<4xf64>) -> f64 {
  // expected-error @+1 {{operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  %z = "array.fold"(%x, %a) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%r: f64, %s: f64):
    "array.yield"(%s) : (f64) -> ()
  }) : (tensor<4xf64>, f64) -> f64
  return %z : f64
}

// -----

func.func @gather_c1(%x: tensor<4xf64>, %i: index) -> tensor<2xf64> {
  // expected-error @+1 {{'array.gather' op (C1) the region must have at least one argument of type `index`, found none}}
  %z = array.gather %x : tensor<4xf64> () -> (tensor<2xf64>) {
    array.yield %i : index
  }
  return %z : tensor<2xf64>
}

// -----

func.func @gather_c1_argument_type(%x: tensor<4xf64>, %i: index) -> tensor<2xf64> {
  // expected-error @+1 {{'array.gather' op (C1) region arguments must have type 'index', found i64}}
  %z = "array.gather"(%x) ({
  ^bb0(%k: i64):
    "array.yield"(%i) : (index) -> ()
  }) : (tensor<4xf64>) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

func.func @gather_c1_rank(%x: tensor<4xf64>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.gather' op (C1) the result must have at least 2 axes, one per index, found tensor<2xf64>}}
  %z = "array.gather"(%x) ({
  ^bb0(%k: index, %l: index):
    "array.yield"(%k) : (index) -> ()
  }) : (tensor<4xf64>) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @gather_c2(%x: tensor<4xf64>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.gather' op (C2) the region must yield 1 value of type index, found (index, index)}}
  %z = array.gather %x : tensor<4xf64> (%k < 2) -> (tensor<2xf64>) {
    array.yield %k, %k : index, index
  }
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @gather_c2_type(%x: tensor<4xf64>, %a: f64) -> tensor<2xf64> {
  // expected-error @+1 {{'array.gather' op (C2) the region must yield 1 value of type index, found (f64)}}
  %z = array.gather %x : tensor<4xf64> (%k < 2) -> (tensor<2xf64>) {
    array.yield %a : f64
  }
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<f64>}}
func.func @gather_c2_no_axis(%x: tensor<f64>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.gather' op (C2) `x` must have at least one axis, found tensor<f64>}}
  %z = array.gather %x : tensor<f64> (%k < 2) -> (tensor<2xf64>) {
    array.yield %k : index
  }
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
func.func @gather_c3(%x: tensor<4x3xf64>) -> tensor<2x4xf64> {
  // expected-error @+1 {{'array.gather' op (C3) the result must have type tensor<2x3xf64>, found tensor<2x4xf64>}}
  %z = array.gather %x : tensor<4x3xf64> (%k < 2) -> (tensor<2x4xf64>) {
    array.yield %k : index
  }
  return %z : tensor<2x4xf64>
}

// -----

func.func @gather_c4(%x: tensor<4xf64>, %n: index) -> tensor<2xf64> {
  // expected-error @+1 {{'array.gather' op (C4) expected as many extent operands as `?` in [2] (0), found 1}}
  %z = "array.gather"(%x, %n) ({
  ^bb0(%k: index):
    "array.yield"(%k) : (index) -> ()
  }) : (tensor<4xf64>, index) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

func.func @gather_c5(%x: tensor<4xf64>, %m: memref<4xindex>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.gather' op (C5) the body must have no side effects, found 'memref.load'}}
  %z = array.gather %x : tensor<4xf64> (%k < 2) -> (tensor<2xf64>) {
    %i = memref.load %m[%k] : memref<4xindex>
    array.yield %i : index
  }
  return %z : tensor<2xf64>
}

// -----

func.func @gather_two_results(%x: tensor<4xf64>) {
  // expected-error @+1 {{expected one result type, found 2}}
  %z:2 = array.gather %x : tensor<4xf64> (%k < 2) -> (tensor<2xf64>, tensor<2xf64>) {
    array.yield %k : index
  }
  return
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @scatter_c1(%x: tensor<4xf64>, %a: tensor<2xf64>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.scatter' op (C1) the region must not have more arguments than tensor<4xf64> has axes: at most 1, found 2}}
  %z = array.scatter %x into %a : tensor<4xf64> into tensor<2xf64> (%k, %l) {
    array.yield %k : index
  }
  return %z : tensor<2xf64>
}

// -----

func.func @scatter_c1_argument_type(%x: tensor<4xf64>, %a: tensor<2xf64>, %i: index) -> tensor<2xf64> {
  // expected-error @+1 {{'array.scatter' op (C1) region arguments must have type 'index', found f64}}
  %z = "array.scatter"(%x, %a) ({
  ^bb0(%k: f64):
    "array.yield"(%i) : (index) -> ()
  }) : (tensor<4xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`init` is defined here, with type tensor<2xf64>}}
func.func @scatter_c2(%x: tensor<4xf64>, %a: tensor<2xf64>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.scatter' op (C2) the region must yield 1 value of type index, found ()}}
  %z = array.scatter %x into %a : tensor<4xf64> into tensor<2xf64> (%k) {
    array.yield
  }
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xi1>}}
func.func @scatter_c3_boolean(%x: tensor<4xi1>, %a: tensor<2xi1>) -> tensor<2xi1> {
  // expected-error @+1 {{'array.scatter' op (C3) `x` must have numeric elements, found tensor<4xi1>}}
  %z = array.scatter %x into %a : tensor<4xi1> into tensor<2xi1> (%k) {
    array.yield %k : index
  }
  return %z : tensor<2xi1>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf32>}}
func.func @scatter_c3_element(%x: tensor<4xf32>, %a: tensor<2xf64>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.scatter' op (C3) `x` must have the element type of tensor<2xf64>, found tensor<4xf32>}}
  %z = array.scatter %x into %a : tensor<4xf32> into tensor<2xf64> (%k) {
    array.yield %k : index
  }
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
func.func @scatter_c3_sizes(%x: tensor<4x3xf64>, %a: tensor<2x?xf64>) -> tensor<2x?xf64> {
  // expected-error @+1 {{'array.scatter' op (C3) `x` and `init` must have the same sizes in the axes without indices: [?] in `init`, found [3] in `x`}}
  %z = array.scatter %x into %a : tensor<4x3xf64> into tensor<2x?xf64> (%k) {
    array.yield %k : index
  }
  return %z : tensor<2x?xf64>
}

// -----

func.func @scatter_c4(%x: tensor<4xf64>, %a: tensor<2xf64>, %m: memref<4xindex>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.scatter' op (C4) the body must have no side effects, found 'memref.load'}}
  %z = array.scatter %x into %a : tensor<4xf64> into tensor<2xf64> (%k) {
    %i = memref.load %m[%k] : memref<4xindex>
    array.yield %i : index
  }
  return %z : tensor<2xf64>
}

// -----

func.func @one_hot_c1(%x: f64) -> tensor<f64> {
  // expected-error @+1 {{'array.one_hot' op (C1) expected at least one index, found none}}
  %z = array.one_hot %x at [] : (f64) -> tensor<f64>
  return %z : tensor<f64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<3xf64>}}
func.func @one_hot_c1_type(%x: tensor<3xf64>, %i: index) -> tensor<4xf64> {
  // expected-error @+1 {{'array.one_hot' op (C1) the result must be tensor<3xf64> with 1 more leading axis, found tensor<4xf64>}}
  %z = array.one_hot %x at [%i] : (tensor<3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @one_hot_c2(%x: f64, %i: index) -> tensor<4x?xf64> {
  // expected-error @+1 {{'array.one_hot' op (C2) expected as many extent operands as `?` in [4, ?] (1), found 0}}
  %z = array.one_hot %x at [%i, %i] : (f64) -> tensor<4x?xf64>
  return %z : tensor<4x?xf64>
}

// -----

func.func @prod_c1() -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.prod' op (C1) `axes` must be a non-empty, strictly increasing list of axes of tensor<4x3xf64>, counted from 0, found [1, 0]}}
  %z = array.prod %x axes [1, 0] : (tensor<4x3xf64>) -> f64
  return %z : f64
}

// -----

func.func @prod_c2(%n: index) -> tensor<4xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x?x3xf64>}}
  %x = "tensor.empty"(%n) : (index) -> tensor<4x?x3xf64>
  // expected-error @+1 {{'array.prod' op (C2) the result must have type tensor<?xf64>, found tensor<4xf64>}}
  %z = array.prod %x axes [0, 2] : (tensor<4x?x3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @max_c1() -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.max' op (C1) `axes` must be a non-empty, strictly increasing list of axes of tensor<4x3xf64>, counted from 0, found [1, 0]}}
  %z = array.max %x axes [1, 0] : (tensor<4x3xf64>) -> f64
  return %z : f64
}

// -----

func.func @max_c2(%n: index) -> tensor<4xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x?x3xf64>}}
  %x = "tensor.empty"(%n) : (index) -> tensor<4x?x3xf64>
  // expected-error @+1 {{'array.max' op (C2) the result must have type tensor<?xf64>, found tensor<4xf64>}}
  %z = array.max %x axes [0, 2] : (tensor<4x?x3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @min_c1() -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.min' op (C1) `axes` must be a non-empty, strictly increasing list of axes of tensor<4x3xf64>, counted from 0, found [1, 0]}}
  %z = array.min %x axes [1, 0] : (tensor<4x3xf64>) -> f64
  return %z : f64
}

// -----

func.func @min_c2(%n: index) -> tensor<4xf64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x?x3xf64>}}
  %x = "tensor.empty"(%n) : (index) -> tensor<4x?x3xf64>
  // expected-error @+1 {{'array.min' op (C2) the result must have type tensor<?xf64>, found tensor<4xf64>}}
  %z = array.min %x axes [0, 2] : (tensor<4x?x3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @sum_c1_axes() -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.sum' op (C1) `axes` must be a non-empty, strictly increasing list of axes of tensor<4x3xf64>, counted from 0, found [2]}}
  %z = array.sum %x axes [2] : (tensor<4x3xf64>) -> f64
  return %z : f64
}

// -----

func.func @sum_c1_axes() -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.sum' op (C1) `axes` must be a non-empty, strictly increasing list of axes of tensor<4x3xf64>, counted from 0, found [-1, 0]}}
  %z = array.sum %x axes [-1, 0] : (tensor<4x3xf64>) -> f64
  return %z : f64
}

// -----

func.func @sum_c1_axes() -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.sum' op (C1) `axes` must be a non-empty, strictly increasing list of axes of tensor<4x3xf64>, counted from 0, found [0, 0]}}
  %z = array.sum %x axes [0, 0] : (tensor<4x3xf64>) -> f64
  return %z : f64
}

// -----

func.func @sum_c1_axes() -> f64 {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.sum' op (C1) `axes` must be a non-empty, strictly increasing list of axes of tensor<4x3xf64>, counted from 0, found []}}
  %z = array.sum %x axes [] : (tensor<4x3xf64>) -> f64
  return %z : f64
}

// -----

func.func @argmax_c1() -> index {
  // expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
  %x = dual.zero : tensor<4xf64>
  // expected-error @+1 {{'array.argmax' op (C1) `axis` must be at least 0 and less than 1, the rank of tensor<4xf64>, found 1}}
  %z = array.argmax %x axis 1 : (tensor<4xf64>) -> index
  return %z : index
}

// -----

func.func @argmax_c1_boolean(%i: index) -> index {
  // expected-note @+1 {{`x` is defined here, with type tensor<4xi1>}}
  %x = arith.constant dense<true> : tensor<4xi1>
  // expected-error @+1 {{'array.argmax' op (C1) `x` must have numeric elements, found tensor<4xi1>}}
  %z = array.argmax %x : (tensor<4xi1>) -> index
  return %z : index
}

// -----

func.func @argmax_c2() -> tensor<3xi64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.argmax' op (C2) the result must have type tensor<3xindex>, found tensor<3xi64>}}
  %z = array.argmax %x : (tensor<4x3xf64>) -> tensor<3xi64>
  return %z : tensor<3xi64>
}

// -----

func.func @argmin_c1() -> index {
  // expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
  %x = dual.zero : tensor<4xf64>
  // expected-error @+1 {{'array.argmin' op (C1) `axis` must be at least 0 and less than 1, the rank of tensor<4xf64>, found 1}}
  %z = array.argmin %x axis 1 : (tensor<4xf64>) -> index
  return %z : index
}

// -----

func.func @argmin_c1_boolean(%i: index) -> index {
  // expected-note @+1 {{`x` is defined here, with type tensor<4xi1>}}
  %x = arith.constant dense<true> : tensor<4xi1>
  // expected-error @+1 {{'array.argmin' op (C1) `x` must have numeric elements, found tensor<4xi1>}}
  %z = array.argmin %x : (tensor<4xi1>) -> index
  return %z : index
}

// -----

func.func @argmin_c2() -> tensor<3xi64> {
  // expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
  %x = dual.zero : tensor<4x3xf64>
  // expected-error @+1 {{'array.argmin' op (C2) the result must have type tensor<3xindex>, found tensor<3xi64>}}
  %z = array.argmin %x : (tensor<4x3xf64>) -> tensor<3xi64>
  return %z : tensor<3xi64>
}

// -----

func.func @replicate_c2_superfluous(%n: index) -> tensor<4xf64> {
  // expected-note @+1 {{`x` is defined here, with type f64}}
  %x = dual.zero : f64
  // expected-error @+1 {{'array.replicate' op (C2) the first axis of tensor<4xf64> has the static size 4: expected no operand `n`, found one}}
  %z = array.replicate %x, %n : (f64) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
func.func @reshape_c1(%x: tensor<4x3xf64>) -> tensor<2x5xf64> {
  // expected-error @+1 {{'array.reshape' op (C1) the result must have 12 elements like tensor<4x3xf64>, found 10 in tensor<2x5xf64>}}
  %z = array.reshape %x : (tensor<4x3xf64>) -> tensor<2x5xf64>
  return %z : tensor<2x5xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
func.func @reshape_c1_element(%x: tensor<4x3xf64>) -> tensor<12xf32> {
  // expected-error @+1 {{'array.reshape' op (C1) the result must have the element type of tensor<4x3xf64>, found tensor<12xf32>}}
  %z = array.reshape %x : (tensor<4x3xf64>) -> tensor<12xf32>
  return %z : tensor<12xf32>
}

// -----

func.func @reshape_c2(%x: tensor<4x3xf64>, %n: index) -> tensor<?x?xf64> {
  // expected-error @+1 {{'array.reshape' op (C2) expected as many extent operands as `?` in [?, ?] (2), found 1}}
  %z = array.reshape %x sizes(%n) : (tensor<4x3xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// -----

func.func @stack_c1() -> tensor<0xf64> {
  // expected-error @+1 {{'array.stack' op (C1) expected at least one operand, found none}}
  %z = "array.stack"() : () -> tensor<0xf64>
  return %z : tensor<0xf64>
}

// -----

func.func @stack_c1_types(%x: f64) -> tensor<2xf64> {
  // expected-note @+1 {{`x` is defined here, with type f32}}
  %y = dual.zero : f32
  // expected-error @+1 {{'array.stack' op (C1) all operands must have the same type, found f64 and f32}}
  %z = array.stack %x, %y : (f64, f32) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type f64}}
func.func @stack_c2(%x: f64) -> tensor<3xf64> {
  // expected-error @+1 {{'array.stack' op (C2) the result must have type tensor<2xf64>, found tensor<3xf64>}}
  %z = array.stack %x, %x : (f64, f64) -> tensor<3xf64>
  return %z : tensor<3xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
func.func @append_c1(%x: tensor<4x3xf64>, %y: tensor<2x2xf64>) -> tensor<6x3xf64> {
  // expected-error @+1 {{'array.append' op (C1) `y` must have elements of type f64 and rows of shape [3], found tensor<2x2xf64>}}
  %z = array.append %x, %y : (tensor<4x3xf64>, tensor<2x2xf64>) -> tensor<6x3xf64>
  return %z : tensor<6x3xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @append_c1_result(%x: tensor<4xf64>) -> tensor<8xf32> {
  // expected-error @+1 {{'array.append' op (C1) the result must have elements of type f64 and rows of shape [], found tensor<8xf32>}}
  %z = array.append %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<f64>}}
func.func @append_c1_no_rows(%x: tensor<f64>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.append' op (C1) `x` must have at least one axis, found tensor<f64>}}
  %z = array.append %x, %x : (tensor<f64>, tensor<f64>) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @append_c2(%x: tensor<4xf64>) -> tensor<7xf64> {
  // expected-error @+1 {{'array.append' op (C2) the outermost size of the result must be 8, found tensor<7xf64>}}
  %z = array.append %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<7xf64>
  return %z : tensor<7xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @append_c2_dynamic(%x: tensor<4xf64>, %y: tensor<?xf64>) -> tensor<8xf64> {
  // expected-error @+1 {{'array.append' op (C2) the outermost size of the result must be `?`, found tensor<8xf64>}}
  %z = array.append %x, %y : (tensor<4xf64>, tensor<?xf64>) -> tensor<8xf64>
  return %z : tensor<8xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<9223372036854775807xf64>}}
func.func @append_c2_beyond_all_sizes(%x: tensor<9223372036854775807xf64>) -> tensor<2xf64> {
  // expected-error @+1 {{'array.append' op (C2) the outermost size of the result must be 18446744073709551614, found tensor<2xf64>}}
  %z = array.append %x, %x : (tensor<9223372036854775807xf64>, tensor<9223372036854775807xf64>) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4x3xf64>}}
func.func @slice_c1(%x: tensor<4x3xf64>, %i: index) -> tensor<2xf64> {
  // expected-error @+1 {{'array.slice' op (C1) the result must have elements of type f64 and rows of shape [3], found tensor<2xf64>}}
  %z = array.slice %x from %i : (tensor<4x3xf64>) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @slice_c2(%x: tensor<4xf64>, %i: index) -> tensor<?xf64> {
  // expected-error @+1 {{'array.slice' op (C2) the first axis of tensor<?xf64> is dynamic: expected the operand `size`, found none}}
  %z = array.slice %x from %i : (tensor<4xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @slice_c2_superfluous(%x: tensor<4xf64>, %i: index) -> tensor<2xf64> {
  // expected-error @+1 {{'array.slice' op (C2) the first axis of tensor<2xf64> has the static size 2: expected no operand `size`, found one}}
  %z = array.slice %x from %i size %i : (tensor<4xf64>) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<f64>}}
func.func @reverse_c1(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{'array.reverse' op (C1) `x` must have at least one axis, found tensor<f64>}}
  %z = array.reverse %x : tensor<f64>
  return %z : tensor<f64>
}

// -----

func.func @iota_c1() -> tensor<4xi64> {
  // expected-error @+1 {{'array.iota' op (C1) the result must have one axis, and elements of type index, found tensor<4xi64>}}
  %z = array.iota : tensor<4xi64>
  return %z : tensor<4xi64>
}

// -----

func.func @iota_c1_rank() -> tensor<index> {
  // expected-error @+1 {{'array.iota' op (C1) the result must have one axis, and elements of type index, found tensor<index>}}
  %z = array.iota : tensor<index>
  return %z : tensor<index>
}

// -----

func.func @iota_c2() -> tensor<?xindex> {
  // expected-error @+1 {{'array.iota' op (C2) the axis of tensor<?xindex> is dynamic: expected the operand `n`, found none}}
  %z = array.iota : tensor<?xindex>
  return %z : tensor<?xindex>
}

// -----

func.func @iota_c2_superfluous(%n: index) -> tensor<4xindex> {
  // expected-error @+1 {{'array.iota' op (C2) the axis of tensor<4xindex> has the static size 4: expected no operand `n`, found one}}
  %z = array.iota %n : tensor<4xindex>
  return %z : tensor<4xindex>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @div_c1(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.div' op (C1) `x` must have elements of type i8, i16, i32, i64 or index, found tensor<4xf64>}}
  %z = array.div %x, %x : tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<4xf64>}}
func.func @mod_c1(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.mod' op (C1) `x` must have elements of type i8, i16, i32, i64 or index, found tensor<4xf64>}}
  %z = array.mod %x, %x : tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @div_types(%x: i64, %y: i32) -> i64 {
  // expected-error @+1 {{'array.div' op failed to verify that all of {x, y, z} have same type}}
  %z = "array.div"(%x, %y) : (i64, i32) -> i64
  return %z : i64
}

// -----

// expected-note @+1 {{`x` is defined here, with type index}}
func.func @floor_c1(%x: index) -> index {
  // expected-error @+1 {{'array.floor' op (C1) `x` must have float elements, found index}}
  %z = array.floor %x : (index) -> index
  return %z : index
}

// -----

// expected-note @+1 {{`x` is defined here, with type f64}}
func.func @floor_c1_result(%x: f64) -> i1 {
  // expected-error @+1 {{'array.floor' op (C1) the result must have elements of type i8, i16, i32, i64 or index, found i1}}
  %z = array.floor %x : (f64) -> i1
  return %z : i1
}

// -----

// expected-note @+1 {{`x` is defined here, with type tensor<f64>}}
func.func @floor_c1_sizes(%x: tensor<f64>) -> i64 {
  // expected-error @+1 {{'array.floor' op (C1) the result must have type tensor<i64>, found i64}}
  %z = array.floor %x : (tensor<f64>) -> i64
  return %z : i64
}

// -----

func.func @vmap_c1(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C1) there is no function `@f` in this module; define it, or correct `callee`}}
  %z = array.vmap @f(%x) : (tensor<4xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func private @f(%x: f64) -> f64

func.func @vmap_c1_declaration(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C1) `@f` must have a body to apply, found a declaration}}
  %z = array.vmap @f(%x) : (tensor<4xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

module @f {
}

func.func @vmap_c1_module(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C1) `@f` must be a function, found 'builtin.module'}}
  %z = array.vmap @f(%x) : (tensor<4xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @f(%x: f64, %w: tensor<?xf64>) -> f64 {
  return %x : f64
}

func.func @vmap_c1_arity(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C1) expected 2 inputs, one for each argument of `@f`, found 1}}
  %z = array.vmap @f(%x) : (tensor<4xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @f(%x: f64, %w: tensor<?xf64>) -> f64 {
  return %x : f64
}

func.func @vmap_c2(%x: tensor<4xf64>, %w: tensor<?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C2) `in_axes` must have 2 entries, one for each input, found [0]}}
  %z = array.vmap @f(%x, %w) in_axes [0] : (tensor<4xf64>, tensor<?xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @f(%x: f64, %w: tensor<?xf64>) -> f64 {
  return %x : f64
}

// expected-note @+1 {{`x` is defined here, with type tensor<?xf64>}}
func.func @vmap_c2_axis(%x: tensor<4xf64>, %w: tensor<?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C2) an entry of `in_axes` must be at least -1 and less than 1, the rank of tensor<?xf64>, found -2}}
  %z = array.vmap @f(%x, %w) in_axes [0, -2] : (tensor<4xf64>, tensor<?xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @f(%x: f64, %w: tensor<?xf64>) -> f64 {
  return %x : f64
}

// expected-note @+1 {{`x` is defined here, with type f64}}
func.func @vmap_c2_scalar(%x: f64, %w: tensor<4x?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C2) an entry of `in_axes` must be at least -1 and less than 0, the rank of f64, found 0}}
  %z = array.vmap @f(%x, %w) : (f64, tensor<4x?xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @f(%x: f64, %w: tensor<?xf64>) -> f64 {
  return %x : f64
}

// expected-note @+1 {{`x` is defined here, with type tensor<5x?xf64>}}
func.func @vmap_c2_sizes(%x: tensor<4xf64>, %w: tensor<5x?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C2) all mapped axes must have the same size, found tensor<4xf64> and tensor<5x?xf64> with `in_axes` [0, 0]}}
  %z = array.vmap @f(%x, %w) : (tensor<4xf64>, tensor<5x?xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @f(%x: f64, %w: tensor<?xf64>) -> f64 {
  return %x : f64
}

func.func @vmap_c2_nothing_mapped(%x: f64, %w: tensor<?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C2) at least one entry of `in_axes` must name an axis, found [-1, -1]}}
  %z = array.vmap @f(%x, %w) in_axes [-1, -1] : (f64, tensor<?xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @f(%x: f64, %w: tensor<?xf64>) -> f64 {
  return %x : f64
}

// expected-note @+1 {{`x` is defined here, with type tensor<4xf32>}}
func.func @vmap_c3(%x: tensor<4xf32>, %w: tensor<?xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.vmap' op (C3) argument #0 of `@f` has type f64, but each call passes a value of type f32}}
  %z = array.vmap @f(%x, %w) in_axes [0, -1] : (tensor<4xf32>, tensor<?xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @f(%x: f64, %w: tensor<?xf64>) -> f64 {
  return %x : f64
}

func.func @vmap_c4(%x: tensor<4xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{'array.vmap' op (C4) the results must have types (tensor<4xf64>), found (tensor<?xf64>)}}
  %z = array.vmap @f(%x, %w) in_axes [0, -1] : (tensor<4xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

func.func @message_without_a_place(%ok: i1, %i: index) {
  // expected-error @+1 {{'array.check' op (C1) `text` must have 1 placeholder `{}`, one for each of `values`, found 0}}
  array.check %ok, "index-out-of-bounds", "no such element" (%i : index)
  return
}

// -----

func.func @message_with_too_much(%ok: i1, %i: index) {
  // expected-error @+1 {{'array.check' op (C1) there must be at most 4 `values`, found 5}}
  array.check %ok, "e", "{}{}{}{}{}" (%i, %i, %i, %i, %i : index, index, index, index, index)
  return
}

// -----

func.func @check_in_a_pure_loop(%ok: i1) -> tensor<4xi1> {
  // expected-error @+1 {{'array.build' op (C6) the body must have no side effects, found 'array.check'}}
  %z = array.build (%i < 4) -> (tensor<4xi1>) {
    array.check %ok, "e", "it is not so"
    array.yield %ok : i1
  }
  return %z : tensor<4xi1>
}

// -----

func.func @axes_of_another_kind(%x: tensor<4xf64>) -> f64 {
  // expected-error @+1 {{Invalid attribute `axes` in property conversion: 0 : i64}}
  %z = "array.sum"(%x) <{axes = 0 : i64}> : (tensor<4xf64>) -> f64
  return %z : f64
}

// -----

func.func @unknown_op(%x: tensor<4xf64>) {
  // expected-error @+1 {{custom op 'array.summ' is unknown}}
  %z = array.summ %x : (tensor<4xf64>) -> f64
  return
}

// -----

// expected-error @+1 {{'array.yield' op expects parent op to be one of 'array.build, array.ifold, array.fold, array.map_accum, array.gather, array.scatter'}}
"array.yield"() : () -> ()

// -----

// expected-error @+1 {{'func.func' op the attribute `array.sizes` must be of type string, found [4, 8]}}
func.func @sizes_type(%x: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {array.sizes = [4, 8]} {
  return %x : tensor<?x?xf64>
}

// -----

// expected-error @+1 {{'func.func' op (A1) the attribute `array.sizes` must list the sizes of each argument, like `4x?,-,8`, found `4x`}}
func.func @sizes_text(%x: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {array.sizes = "4x"} {
  return %x : tensor<?x?xf64>
}

// -----

// expected-error @+1 {{'func.func' op unknown attribute `array.size`; did you mean `array.sizes`?}}
func.func @sizes_name(%x: tensor<?xf64>) -> tensor<?xf64> attributes {array.size = "4"} {
  return %x : tensor<?xf64>
}

// -----

// expected-error @+1 {{'func.func' op the attribute `array.pure` must be of type unit, found false}}
func.func private @pure_type(f64) -> f64 attributes {array.pure = false}

// -----

func.func @pure_place(%x: f64) -> f64 {
  // expected-error @+1 {{'arith.addf' op must not have the attribute `array.pure`, which belongs on 'func.func' or 'func.call'}}
  %y = arith.addf %x, %x {array.pure} : f64
  return %y : f64
}

// -----

// expected-error @+1 {{'func.func' op argument #1 must not have the attribute `array.sizes`, which belongs on 'func.func', not on its arguments}}
func.func @on_an_argument(%x: f64, %y: tensor<?xf64> {array.sizes = "4"}) -> f64 {
  return %x : f64
}

// -----

// expected-error @+1 {{'func.func' op unknown attribute `array.length` on result #0}}
func.func @on_a_result(%x: f64) -> (f64 {array.length = 4}) {
  return %x : f64
}

// -----

func.func @no_dialect(%x: tensor<4x3xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'array.sum' op unknown attribute `fastmth`; did you mean `fastmath`?}}
  %z = "array.sum"(%x) {axes = array<i64: 1>, fastmth = "fast"} : (tensor<4x3xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

// Integers have no sign in their type.
func.func @unsigned(%x: tensor<4xui8>) -> tensor<4xui8> {
  // expected-error @+1 {{'array.reverse' op operand #0 must be ranked tensor of}}
  %z = array.reverse %x : tensor<4xui8>
  return %z : tensor<4xui8>
}

// -----

func.func @too_narrow(%x: tensor<4xi4>) -> i4 {
  // expected-error @+1 {{'array.sum' op operand #0 must be ranked tensor of}}
  %z = array.sum %x : (tensor<4xi4>) -> i4
  return %z : i4
}
