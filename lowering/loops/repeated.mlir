// RUN: mlopt %s --sweeps-to-loops --split-input-file | FileCheck %s
// Two products of arrays of the same types are calls of one function; a third one, of other sizes, is not.
// CHECK-LABEL: func.func @layers
// CHECK-SAME:    %[[A:.*]]: memref<4x4xf32>, %[[B:.*]]: memref<4x4xf32>, %[[X:.*]]: memref<4x4xf32>, %[[Y:.*]]: memref<4x4xf32>
// CHECK:         call @product.1(%[[SCRATCH:.*]], %[[A]], %[[B]], %[[X]])
// CHECK:         call @product.1(%[[SCRATCH]], %[[X]], %[[B]], %[[Y]])
// CHECK:         vector.store
// CHECK:         return
// CHECK:       func.func private @product.1(%arg0: memref<?xf32> {llvm.noalias, llvm.nocapture},
// CHECK:         vector.store
// CHECK-NOT:   func.func
func.func @layers(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %x: memref<4x4xf32>, %y: memref<4x4xf32>,
                  %w: memref<4x8xf32>, %z: memref<4x8xf32>, %scratch: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  sweep.nest (%i < %c4, %j < %c4) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c4) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<4x4xf32>
      %q = memref.load %b[%k, %j] : memref<4x4xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x[%i, %j] : memref<4x4xf32>
    sweep.yield
  } {contraction}
  %same = arith.constant 4 : index
  sweep.nest (%i < %same, %j < %c4) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %same) -> (sum f32) {
      %p = memref.load %x[%i, %k] : memref<4x4xf32>
      %q = memref.load %b[%k, %j] : memref<4x4xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %y[%i, %j] : memref<4x4xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c4, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c4) -> (sum f32) {
      %p = memref.load %y[%i, %k] : memref<4x4xf32>
      %q = memref.load %w[%k, %j] : memref<4x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %z[%i, %j] : memref<4x8xf32>
    sweep.yield
  } {contraction}
  return
}

// -----

// Two views of one array are not declared to be apart.
// CHECK-LABEL: func.func @squares
// CHECK:         %[[T:.*]] = memref.reinterpret_cast %arg0
// CHECK:         call @product.1(%arg3, %arg0, %[[T]], %arg1)
// CHECK:         call @product.1(%arg3, %arg0, %[[T]], %arg2)
// CHECK:       func.func private @product.1(%arg0: memref<?xf32> {llvm.noalias, llvm.nocapture}, %arg1: memref<4x4xf32>,
// CHECK-SAME:    %arg2: memref<2x2x4xf32>, %arg3: memref<4x4xf32> {llvm.noalias, llvm.nocapture})
func.func @squares(%a: memref<4x4xf32>, %x: memref<4x4xf32>, %y: memref<4x4xf32>, %scratch: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %t = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2, 4], strides: [8, 4, 1]
      : memref<4x4xf32> to memref<2x2x4xf32>
  sweep.nest (%i < %c4, %j < %c4) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c4) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<4x4xf32>
      %q = memref.load %t[%c0, %c0, %j] : memref<2x2x4xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x[%i, %j] : memref<4x4xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c4, %j < %c4) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c4) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<4x4xf32>
      %q = memref.load %t[%c0, %c0, %j] : memref<2x2x4xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %y[%i, %j] : memref<4x4xf32>
    sweep.yield
  } {contraction}
  return
}

// -----

// Eight different contractions in one function are eight functions.
// CHECK-LABEL: func.func @many
// CHECK:         call @product.1(
// CHECK:         call @product.2(
// CHECK:         call @product.3(
// CHECK:         call @product.4(
// CHECK:         call @product.5(
// CHECK:         call @product.6(
// CHECK:         call @product.7(
// CHECK:         call @product.8(
// CHECK:         return
// CHECK-NEXT:  }
func.func @many(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %scratch: memref<?xf32>, %x1: memref<8x8xf32>,
                %x2: memref<8x8xf32>, %x3: memref<8x8xf32>, %x4: memref<8x8xf32>, %x5: memref<8x8xf32>,
                %x6: memref<8x8xf32>, %x7: memref<8x8xf32>, %x8: memref<8x8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  sweep.nest (%i < %c8, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c1) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<8x8xf32>
      %q = memref.load %b[%k, %j] : memref<8x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x1[%i, %j] : memref<8x8xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c8, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c2) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<8x8xf32>
      %q = memref.load %b[%k, %j] : memref<8x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x2[%i, %j] : memref<8x8xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c8, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c3) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<8x8xf32>
      %q = memref.load %b[%k, %j] : memref<8x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x3[%i, %j] : memref<8x8xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c8, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c4) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<8x8xf32>
      %q = memref.load %b[%k, %j] : memref<8x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x4[%i, %j] : memref<8x8xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c8, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c5) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<8x8xf32>
      %q = memref.load %b[%k, %j] : memref<8x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x5[%i, %j] : memref<8x8xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c8, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c6) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<8x8xf32>
      %q = memref.load %b[%k, %j] : memref<8x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x6[%i, %j] : memref<8x8xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c8, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c7) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<8x8xf32>
      %q = memref.load %b[%k, %j] : memref<8x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x7[%i, %j] : memref<8x8xf32>
    sweep.yield
  } {contraction}
  sweep.nest (%i < %c8, %j < %c8) {
    sweep.scratch %scratch : memref<?xf32>
    %s = sweep.nest (%k < %c8) -> (sum f32) {
      %p = memref.load %a[%i, %k] : memref<8x8xf32>
      %q = memref.load %b[%k, %j] : memref<8x8xf32>
      %r = arith.mulf %p, %q : f32
      sweep.yield %r : f32
    }
    memref.store %s, %x8[%i, %j] : memref<8x8xf32>
    sweep.yield
  } {contraction}
  return
}

// -----

// A contraction in another one is moved with it, and becomes loops.
// CHECK-LABEL: func.func @nested
// CHECK:         call @product.1(%arg5, %arg1, %arg4, %arg0, %arg2)
// CHECK:         call @product.1(%arg5, %arg1, %arg4, %arg0, %arg3)
// CHECK:       func.func private @product.1
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK-NOT:   sweep.nest
func.func @nested(%a: memref<4x4x4xf32>, %b: memref<4x4xf32>, %x: memref<4x4x4xf32>, %y: memref<4x4x4xf32>,
                  %sums: memref<4xf32>, %scratch: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  sweep.nest (%n < %c4) {
    sweep.scratch %scratch : memref<?xf32>
    %total = sweep.nest (%k < %c4) -> (sum f32) {
      %p = memref.load %b[%n, %k] : memref<4x4xf32>
      sweep.yield %p : f32
    }
    memref.store %total, %sums[%n] : memref<4xf32>
    sweep.nest (%i < %c4, %j < %c4) {
      sweep.scratch %scratch : memref<?xf32>
      %s = sweep.nest (%k < %c4) -> (sum f32) {
        %p = memref.load %a[%n, %i, %k] : memref<4x4x4xf32>
        %q = memref.load %b[%k, %j] : memref<4x4xf32>
        %r = arith.mulf %p, %q : f32
        sweep.yield %r : f32
      }
      memref.store %s, %x[%n, %i, %j] : memref<4x4x4xf32>
      sweep.yield
    } {contraction}
    sweep.yield
  } {contraction}
  sweep.nest (%n < %c4) {
    sweep.scratch %scratch : memref<?xf32>
    %total = sweep.nest (%k < %c4) -> (sum f32) {
      %p = memref.load %b[%n, %k] : memref<4x4xf32>
      sweep.yield %p : f32
    }
    memref.store %total, %sums[%n] : memref<4xf32>
    sweep.nest (%i < %c4, %j < %c4) {
      sweep.scratch %scratch : memref<?xf32>
      %s = sweep.nest (%k < %c4) -> (sum f32) {
        %p = memref.load %a[%n, %i, %k] : memref<4x4x4xf32>
        %q = memref.load %b[%k, %j] : memref<4x4xf32>
        %r = arith.mulf %p, %q : f32
        sweep.yield %r : f32
      }
      memref.store %s, %y[%n, %i, %j] : memref<4x4x4xf32>
      sweep.yield
    } {contraction}
    sweep.yield
  } {contraction}
  return
}
