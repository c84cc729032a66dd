// RUN: mlopt %s --verify-diagnostics --split-input-file
// One rejected program for each numbered constraint of `sweep.td`, and for the syntax.

func.func @nest_c1(%n: index) -> f64 {
  // expected-error @+1 {{'sweep.nest' op (C1) region arguments must have types [index], found [index, f64]}}
  %z = "sweep.nest"(%n) <{kinds = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index, %a: f64):
    "sweep.yield"(%a) : (f64) -> ()
  }) : (index) -> f64
  return %z : f64
}

// -----

func.func @nest_c2_kinds(%n: index) -> index {
  // expected-error @+1 {{'sweep.nest' op (C2) `kinds` must have one entry for each result (1), each a number from 0 to 5; found [6]}}
  %z = "sweep.nest"(%n) <{kinds = array<i64: 6>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index):
    "sweep.yield"(%i) : (index) -> ()
  }) : (index) -> index
  return %z : index
}

// -----

func.func @nest_c2_inits(%n: index) -> index {
  // expected-error @+1 {{'sweep.nest' op (C2) expected 1 init, one for each result of kind Fold, found 0}}
  %z = "sweep.nest"(%n) <{kinds = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index):
    "sweep.yield"(%i) : (index) -> ()
  }) : (index) -> index
  return %z : index
}

// -----

func.func @nest_c3_count(%n: index) -> index {
  // expected-error @+1 {{'sweep.nest' op (C3) the region must yield 1 value, one for each result, found 0}}
  %z = sweep.nest (%i < %n) -> (sum index) {
    sweep.yield
  }
  return %z : index
}

// -----

func.func @nest_c3_type(%n: index, %a: f64) -> tensor<?xf32> {
  // expected-error @+1 {{'sweep.nest' op (C3) result #0 (Map) must fit the yielded type f64, found tensor<?xf32>}}
  %z = sweep.nest (%i < %n) -> (map tensor<?xf32>) {
    sweep.yield %a : f64
  }
  return %z : tensor<?xf32>
}

// -----

func.func @nest_c4(%n: index, %a: i1) -> i1 {
  // expected-error @+1 {{'sweep.nest' op (C4) result #0 (Sum) must be a number, found i1}}
  %z = sweep.nest (%i < %n) -> (sum i1) {
    sweep.yield %a : i1
  }
  return %z : i1
}

// -----

func.func @nest_c4_array(%n: index, %x: tensor<3xf64>) -> tensor<3xf64> {
  // expected-error @+1 {{'sweep.nest' op (C4) result #0 (Max) must be a number, found tensor<3xf64>}}
  %z = sweep.nest (%i < %n) -> (max tensor<3xf64>) {
    sweep.yield %x : tensor<3xf64>
  }
  return %z : tensor<3xf64>
}

// -----

func.func @add_c1_rank(%x: tensor<3xf64>, %v: f64) -> tensor<3xf64> {
  // expected-error @+1 {{'sweep.add' op (C1) cannot add f64 to tensor<3xf64> with 0 indices: expected the element type of the array and an index per axis}}
  %z = sweep.add %v, %x[] : f64, tensor<3xf64> -> tensor<3xf64>
  return %z : tensor<3xf64>
}

// -----

func.func @add_c1_type(%x: tensor<3xf64>, %v: f32, %i: index) -> tensor<3xf64> {
  // expected-error @+1 {{'sweep.add' op (C1) cannot add f32 to tensor<3xf64> with 1 index: expected the element type of the array and an index per axis}}
  %z = sweep.add %v, %x[%i] : f32, tensor<3xf64> -> tensor<3xf64>
  return %z : tensor<3xf64>
}

// -----

func.func @add_c2(%x: memref<3xf64>, %v: f64, %i: index) -> tensor<3xf64> {
  // expected-error @+1 {{'sweep.add' op (C2) results must have types [], found [tensor<3xf64>]}}
  %z = sweep.add %v, %x[%i] : f64, memref<3xf64> -> tensor<3xf64>
  return %z : tensor<3xf64>
}

// -----

func.func @put_misfit(%v: f64, %x: tensor<3x2xf64>, %i: index) {
  // expected-error @+1 {{'sweep.put' op (C1) cannot put f64 into tensor<3x2xf64> with 1 index: expected the element type of the array and an index per axis}}
  %z = sweep.put %v, %x[%i] : f64, tensor<3x2xf64>
  return
}

// -----

func.func @join_c1_none() -> tensor<0xf64> {
  // expected-error @+1 {{'sweep.join' op (C1) expected at least one part, found none}}
  %z = "sweep.join"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> tensor<0xf64>
  return %z : tensor<0xf64>
}

// -----

func.func @join_c1_part(%x: tensor<2x3xf64>) -> tensor<2x2x4xf64> {
  // expected-error @+1 {{'sweep.join' op (C1) each part must be a row of tensor<2x2x4xf64>, or an array of such rows, found tensor<2x3xf64>}}
  %z = sweep.join %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x2x4xf64>
  return %z : tensor<2x2x4xf64>
}

// -----

func.func @join_c2(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{'sweep.join' op (C2) expected as many extents as `?` in tensor<?xf64> (1), found 0}}
  %z = sweep.join %x : (tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

func.func @reshape_c1(%x: tensor<4xf64>) -> tensor<4xf32> {
  // expected-error @+1 {{'sweep.reshape' op (C1) element types must be equal, found f64 and f32}}
  %z = sweep.reshape %x : tensor<4xf64> -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func @reshape_c2(%x: tensor<4xf64>, %n: index) -> tensor<4xf64> {
  // expected-error @+1 {{'sweep.reshape' op (C2) expected as many extents as `?` in tensor<4xf64> (0), found 1}}
  %z = sweep.reshape %x sizes(%n) : tensor<4xf64> -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

func.func @nest_syntax_kind(%n: index) -> index {
  // expected-error @+1 {{expected `map`, `fold`, `sum`, `prod`, `max` or `min`, found `product`}}
  %z = sweep.nest (%i < %n) -> (product index) {
    sweep.yield %i : index
  }
  return %z : index
}

// -----

func.func @nest_syntax_fold(%n: index) -> index {
  // expected-error @+1 {{expected as many carried values as `fold` results (1), found 0}}
  %z = sweep.nest (%i < %n) -> (fold index) {
    sweep.yield %i : index
  }
  return %z : index
}

// -----

func.func @nest_c5_maps(%n: index) -> f64 {
  // expected-error @+1 {{'sweep.nest' op (C5) all results of a nest with `contraction` must be maps of numbers, found [Sum]}}
  %z = sweep.nest (%i < %n) -> (sum f64) {
    %s = sweep.nest (%k < %n) -> (sum f64) {
      %c = arith.constant 1.0 : f64
      sweep.yield %c : f64
    }
    sweep.yield %s : f64
  } {contraction}
  return %z : f64
}

// -----

func.func @nest_c5_sum(%n: index) {
  // expected-error @+1 {{'sweep.nest' op (C5) the body of a nest with `contraction` must contain a 'sweep.nest' with one sum, found none}}
  sweep.nest (%i < %n) {
    sweep.yield
  } {contraction}
  return
}

// -----

func.func @scratch_c1(%m: memref<?xindex>) {
  // expected-error @+1 {{'sweep.scratch' op (C1) `memory` must have one axis of floating-point numbers, found memref<?xindex>}}
  sweep.scratch %m : memref<?xindex>
  return
}

// -----

func.func @scratch_c2(%m: memref<?xf64>) {
  // expected-error @+1 {{'sweep.scratch' op (C2) must be in the body of a 'sweep.nest' with `contraction`}}
  sweep.scratch %m : memref<?xf64>
  return
}

// -----

func.func @nest_c6(%n: index, %a: f64) -> f64 {
  // expected-error @+1 {{'sweep.nest' op (C6) all results of a `parallel` nest must be reductions, found [Fold]}}
  %z = sweep.nest (%i < %n) fold(%s = %a) -> (fold f64) {
    sweep.yield %s : f64
  } {parallel}
  return %z : f64
}

// -----

func.func @private_c1(%m: memref<?xi8>, %n: index) {
  // expected-error @+1 {{'sweep.private' op (C1) expected a `memref<?xi8>` and a contiguous memref, found memref<?xi8> and memref<4xf64, strided<[2]>>}}
  %z = sweep.private %m[%n] stride(%n) copies(%n) : memref<?xi8> -> memref<4xf64, strided<[2]>>
  return
}

// -----

func.func @private_c2(%m: memref<?xi8>, %n: index) {
  // expected-error @+1 {{'sweep.private' op (C2) expected as many extents as `?` in memref<?xf64> (1), found 0}}
  %z = sweep.private %m[%n] stride(%n) copies(%n) : memref<?xi8> -> memref<?xf64>
  return
}

// -----

// expected-error @+1 {{'builtin.module' op (A1) the attribute `sweep.vector_bits` must be one of [128, 256, 512], found 1}}
module attributes {sweep.vector_bits = 1 : i64} {
}

// -----

// expected-error @+1 {{'builtin.module' op the attribute `sweep.vector_bits` must be of type i64, found 512 : i32}}
module attributes {sweep.vector_bits = 512 : i32} {
}

// -----

func.func @nest_without_kinds() {
  // expected-error @+1 {{(C5)}}
  %r = "sweep.nest"() <{kinds = array<i64: 0>, contraction, operandSegmentSizes = array<i32: 0, 0>}> ({
    %c = arith.constant 1.0 : f64
    %s = "sweep.nest"() <{operandSegmentSizes = array<i32: 0, 0>}> ({ "sweep.yield"(%c) : (f64) -> () }) : () -> f64
    "sweep.yield"(%s) : (f64) -> ()
  }) : () -> tensor<f64>
  return
}

// -----

func.func @private_of_unsigned_bytes(%b: memref<?xui8>, %i: index) {
  // expected-error @+1 {{(C1)}}
  %z = "sweep.private"(%b, %i, %i, %i) : (memref<?xui8>, index, index, index) -> memref<4xf64>
  return
}
