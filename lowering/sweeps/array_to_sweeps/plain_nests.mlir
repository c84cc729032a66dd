// RUN: mlopt %s --array-to-sweeps --split-input-file | FileCheck %s

// Rows of a few operations that are read through a view are computed in the order of the view; nothing is stored or
// copied.
// CHECK-LABEL: func.func @transposed
// CHECK:         %[[Z:.*]] = sweep.nest (%[[J:.*]] < %{{.*}}, %[[I:.*]] < %{{.*}}) -> (map tensor<?x40xf64>) {
// CHECK-NEXT:      %[[X:.*]] = tensor.extract %{{.*}}[%[[I]]]
// CHECK-NEXT:      %[[Y:.*]] = tensor.extract %{{.*}}[%[[J]]]
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT:      sweep.yield %[[P]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[Z]]
func.func @transposed(%x: tensor<40xf64>, %y: tensor<?xf64>) -> tensor<?x40xf64> {
  %0 = array.build (%i < 40) -> (tensor<40x?xf64>) {
    %a = array.get %x[%i] : (tensor<40xf64>) -> f64
    %n = array.length %y : tensor<?xf64>
    %row = array.build (%j < %n) -> (tensor<?xf64>) {
      %b = array.get %y[%j] : (tensor<?xf64>) -> f64
      %p = arith.mulf %a, %b : f64
      array.yield %p : f64
    }
    array.yield %row : tensor<?xf64>
  }
  %t = array.transpose %0 [1, 0] : (tensor<40x?xf64>) -> tensor<?x40xf64>
  return %t : tensor<?x40xf64>
}

// -----

// Three axes, in single precision, rows from the last to the first.
// CHECK-LABEL: func.func @reversed
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}, %{{.*}} < %{{.*}}, %{{.*}} < %{{.*}}) -> (map tensor<5x6x7xf32>) {
// CHECK-NOT:     sweep.nest
func.func @reversed(%x: tensor<5xf32>) -> tensor<5x6x7xf32> {
  %0 = array.build (%i < 5) -> (tensor<5x6x7xf32>) {
    %plane = array.build (%j < 6) -> (tensor<6x7xf32>) {
      %row = array.build (%k < 7) -> (tensor<7xf32>) {
        %l = arith.addi %j, %k : index
        %c = arith.cmpi eq, %i, %l : index
        %a = array.get %x[%l] : (tensor<5xf32>) -> f32
        %b = array.get %x[%i] : (tensor<5xf32>) -> f32
        %e = arith.select %c, %a, %b : f32
        array.yield %e : f32
      }
      array.yield %row : tensor<7xf32>
    }
    array.yield %plane : tensor<6x7xf32>
  }
  %r = array.reverse %0 : tensor<5x6x7xf32>
  return %r : tensor<5x6x7xf32>
}

// -----

// Computations that the elements of a row share are done once per row. A division by zero stops the program even if a
// row has no elements.
// CHECK-LABEL: func.func @costly
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) -> (map tensor<8x9xf64>) {
// CHECK:           math.exp
// CHECK:           sweep.nest
// CHECK-LABEL: func.func @stops
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) -> (map tensor<8x?xindex>) {
func.func @costly(%x: tensor<8xf64>) -> tensor<9x8xf64> {
  %0 = array.build (%i < 8) -> (tensor<8x9xf64>) {
    %a = array.get %x[%i] : (tensor<8xf64>) -> f64
    %b = math.exp %a : f64
    %row = array.build (%j < 9) -> (tensor<9xf64>) {
      %c = array.get %x[%j] : (tensor<8xf64>) -> f64
      %p = arith.mulf %b, %c : f64
      array.yield %p : f64
    }
    array.yield %row : tensor<9xf64>
  }
  %t = array.transpose %0 [1, 0] : (tensor<8x9xf64>) -> tensor<9x8xf64>
  return %t : tensor<9x8xf64>
}
func.func @stops(%n: index, %m: index) -> tensor<?x8xindex> {
  %0 = array.build (%i < 8) -> (tensor<8x?xindex>) {
    %q = arith.divsi %i, %m : index
    %row = array.build (%j < %n) -> (tensor<?xindex>) {
      %p = arith.addi %q, %j : index
      array.yield %p : index
    }
    array.yield %row : tensor<?xindex>
  }
  %t = array.transpose %0 [1, 0] : (tensor<8x?xindex>) -> tensor<?x8xindex>
  return %t : tensor<?x8xindex>
}
