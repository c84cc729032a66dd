// RUN: mlopt %s --array-to-sweeps --split-input-file | FileCheck %s
// A small array in a loop is replaced by its elements, and the nests around it are unrolled; a stored row is joined.
// CHECK-LABEL: func.func @apart
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) -> (map tensor<?x3xf64>) {
// CHECK-NOT:       sweep.nest
// CHECK-COUNT-3:   arith.addf
// CHECK-NOT:       sweep
// CHECK:           %[[ROW:.*]] = sweep.join %{{.*}}, %{{.*}}, %{{.*}} : (f64, f64, f64) -> tensor<3xf64>
// CHECK-NEXT:      sweep.yield %[[ROW]] : tensor<3xf64>
func.func @apart(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %n = array.length %x : tensor<?x3xf64>
  %c1 = arith.constant 1 : index
  %z = array.build (%i < %n) -> (tensor<?x3xf64>) {
    %r = array.get %x[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %s = array.sum %r : (tensor<3xf64>) -> f64
    %o = array.one_hot %s at [%c1] : (f64) -> tensor<3xf64>
    %w = arith.addf %r, %o : tensor<3xf64>
    array.yield %w : tensor<3xf64>
  }
  return %z : tensor<?x3xf64>
}

// -----

// A fold carries a small array as scalars if it reads elements at known positions only,
// CHECK-LABEL: func.func @carried
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) fold(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (fold f64, fold f64) {
func.func @carried(%x: tensor<?xf64>, %a: tensor<2xf64>) -> tensor<2xf64> {
  %z = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %a) -> (tensor<2xf64>) {
    %v = array.reverse %s : tensor<2xf64>
    %ee = array.replicate %e : (f64) -> tensor<2xf64>
    %t = arith.mulf %v, %ee : tensor<2xf64>
    array.yield %t : tensor<2xf64>
  }
  return %z : tensor<2xf64>
}

// -----

// and as an array if the position depends on data.
// CHECK-LABEL: func.func @indexed
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) fold(%{{.*}} = %{{.*}}) -> (fold tensor<2xf64>) {
func.func @indexed(%k: tensor<?xindex>, %a: tensor<2xf64>) -> tensor<2xf64> {
  %one = arith.constant 1.0 : f64
  %z = array.fold (%i = %k : tensor<?xindex>) iter_args(%s = %a) -> (tensor<2xf64>) {
    %o = array.one_hot %one at [%i] : (f64) -> tensor<2xf64>
    %t = arith.addf %s, %o : tensor<2xf64>
    array.yield %t : tensor<2xf64>
  }
  return %z : tensor<2xf64>
}

// -----

// Four or more elements that a recurrence carries are a vector: a shift is a shuffle, and a sum adds halves.
// CHECK-LABEL: func.func @lanes
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) fold(%[[S:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (fold vector<8xf64>, fold vector<8xf64>) {
// CHECK-NOT:       sweep.nest
// CHECK:           vector.shuffle %[[S]], %[[S]] [0, 0, 1, 2, 3, 4, 5, 6] : vector<8xf64>, vector<8xf64>
// CHECK:           vector.insert %{{.*}}, %{{.*}} [0] : f64 into vector<8xf64>
// CHECK:           %[[P:.*]] = arith.mulf %{{.*}} : vector<8xf64>
// CHECK:           vector.shuffle %[[P]], %[[P]] [0, 1, 2, 3] : vector<8xf64>, vector<8xf64>
// CHECK-NOT:       vector.from_elements
// CHECK:           sweep.yield %{{.*}}, %{{.*}} : vector<8xf64>, vector<8xf64>
func.func @lanes(%x: tensor<?xf64>, %a: tensor<8xf64>, %b: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %c0 = arith.constant 0 : index
  %z:2 = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %a, %t = %b) -> (tensor<8xf64>, tensor<8xf64>) {
    %first = array.reshape %e : (f64) -> tensor<1xf64>
    %older = array.slice %s from %c0 : (tensor<8xf64>) -> tensor<7xf64>
    %h = array.append %first, %older : (tensor<1xf64>, tensor<7xf64>) -> tensor<8xf64>
    %p = arith.mulf %h, %t : tensor<8xf64>
    %sum = array.sum %p : (tensor<8xf64>) -> f64
    %all = array.replicate %sum : (f64) -> tensor<8xf64>
    %next = arith.addf %t, %all : tensor<8xf64>
    array.yield %h, %next : tensor<8xf64>, tensor<8xf64>
  }
  return %z#0, %z#1 : tensor<8xf64>, tensor<8xf64>
}

// -----

// Five elements are the first lanes of two registers. Lanes of two vectors are combined by one shuffle of both, which
// selects each lane by its number, and unused lanes are zero in a sum.
// CHECK-LABEL: func.func @odd_lanes
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) fold(%[[S:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (fold vector<8xf64>, fold vector<8xf64>) {
// CHECK:           %[[H:.*]] = vector.shuffle %[[S]], %[[T]] [0, 1, 10, 11, 12, 0, 0, 0] : vector<8xf64>, vector<8xf64>
// CHECK:           %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf64>
// CHECK:           %[[TERMS:.*]] = vector.shuffle %[[H]], %[[ZERO]] [0, 1, 2, 3, 4, 8, 8, 8] : vector<8xf64>, vector<8xf64>
// CHECK:           vector.shuffle %[[TERMS]], %[[TERMS]] [0, 1, 2, 3] : vector<8xf64>, vector<8xf64>
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @odd_lanes(%x: tensor<?xf64>, %a: tensor<5xf64>, %b: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
    %c2 = arith.constant 2 : index
    %z:2 = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %a, %t = %b) -> (tensor<5xf64>, tensor<5xf64>) {
      %h = array.build (%i < 5) -> (tensor<5xf64>) {
        %is_first = arith.cmpi slt, %i, %c2 : index
        %v = scf.if %is_first -> f64 {
          %u = array.get %s[%i] : (tensor<5xf64>) -> f64
          scf.yield %u : f64
        } else {
          %u = array.get %t[%i] : (tensor<5xf64>) -> f64
          scf.yield %u : f64
        }
        array.yield %v : f64
      }
      %sum = array.sum %h : (tensor<5xf64>) -> f64
      %scaled = arith.mulf %sum, %e : f64
      %all = array.replicate %scaled : (f64) -> tensor<5xf64>
      %next = arith.addf %t, %all : tensor<5xf64>
      array.yield %h, %next : tensor<5xf64>, tensor<5xf64>
    }
    return %z#0, %z#1 : tensor<5xf64>, tensor<5xf64>
  }
}

// -----

// Rows of 10 elements fill two registers, and half of a third; the elements of each row start a vector.
// CHECK-LABEL: func.func @rows
// CHECK:         sweep.nest ({{.*}}) fold({{.*}}) -> (fold vector<8xf64>, fold vector<2xf64>, fold vector<8xf64>, fold vector<2xf64>) {
// CHECK-COUNT-2:   arith.mulf %{{.*}} : vector<8xf64>
// CHECK-NOT:       vector.insert
// CHECK:           sweep.yield %{{.*}} : vector<8xf64>, vector<2xf64>, vector<8xf64>, vector<2xf64>
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @rows(%x: tensor<?xf64>, %a: tensor<2x10xf64>) -> tensor<2x10xf64> {
    %z = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %a) -> (tensor<2x10xf64>) {
      %all = array.build (%i < 2, %j < 10) -> (tensor<2x10xf64>) {
        array.yield %e : f64
      }
      %next = arith.mulf %s, %all : tensor<2x10xf64>
      array.yield %next : tensor<2x10xf64>
    }
    return %z : tensor<2x10xf64>
  }
}

// -----

// The position of a window of a larger array depends on the loop: its elements are lanes, and the state remains a
// vector.
// CHECK-LABEL: func.func @window
// CHECK:         sweep.nest (%[[T:.*]] < %{{.*}}) fold(%[[W:.*]] = %{{.*}}) -> (fold vector<8xf64>, map tensor<100xf64>) {
// CHECK-NOT:       sweep.nest
// CHECK:           arith.mulf %[[W]], %{{.*}} : vector<8xf64>
// CHECK:           sweep.yield %{{.*}}, %{{.*}} : vector<8xf64>, f64
func.func @window(%x: tensor<107xf64>, %w: tensor<8xf64>) -> (tensor<8xf64>, tensor<100xf64>) {
  %ticks = array.iota : tensor<100xindex>
  %last, %y = array.map_accum (%t = %ticks : tensor<100xindex>) iter_args(%wt = %w) -> (tensor<8xf64>, tensor<100xf64>) {
    %window = array.slice %x from %t : (tensor<107xf64>) -> tensor<8xf64>
    %p = arith.mulf %wt, %window : tensor<8xf64>
    %s = array.sum %p : (tensor<8xf64>) -> f64
    %next = arith.addf %wt, %p : tensor<8xf64>
    array.yield %next, %s : tensor<8xf64>, f64
  }
  return %last, %y : tensor<8xf64>, tensor<100xf64>
}
