// RUN: split-file %s %t
// RUN: mlopt %t/marks.mlir --array-to-sweeps | FileCheck %t/marks.mlir
// RUN: mlopt %t/marks.mlir --array-to-sweeps --plan-memory --sweeps-to-loops | FileCheck %t/marks.mlir --check-prefix=TILES

//--- marks.mlir
// The sum of a broadcast product. Tiles of four rows, with the vector width that every processor supports.
// CHECK-LABEL: func.func @product
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}, %[[J:.*]] < %{{.*}}) -> (map tensor<40x48xf64>) {
// CHECK-NEXT:      sweep.nest (%[[K:.*]] < %{{.*}}) -> (sum f64) {
// CHECK-DAG:         tensor.extract %arg0[%[[I]], %[[K]]]
// CHECK-DAG:         tensor.extract %arg1[%[[J]], %[[K]]]
// CHECK:         } {contraction}
// TILES-LABEL: func.func @product
// TILES:         scf.for {{.*}} -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) {
// TILES-NOT:     sweep.nest
func.func @product(%a: tensor<40x50xf64>, %b: tensor<48x50xf64>) -> tensor<40x48xf64> {
  %x = array.replicate %a : (tensor<40x50xf64>) -> tensor<48x40x50xf64>
  %y = array.transpose %x [1, 0, 2] : (tensor<48x40x50xf64>) -> tensor<40x48x50xf64>
  %z = array.replicate %b : (tensor<48x50xf64>) -> tensor<40x48x50xf64>
  %p = arith.mulf %y, %z : tensor<40x48x50xf64>
  %s = array.sum %p axes [2] : (tensor<40x48x50xf64>) -> tensor<40x48xf64>
  return %s : tensor<40x48xf64>
}

// Elementwise operations on a result stay in the nest; a factor that must be computed is stored first.
// CHECK-LABEL: func.func @around
// CHECK:         %[[E:.*]] = sweep.nest {{.*}} -> (map tensor<40x50xf64>) {
// CHECK:           math.exp
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}, %[[J:.*]] < %{{.*}}) -> (map tensor<40x48xf64>) {
// CHECK:           sweep.nest (%[[K:.*]] < %{{.*}}) -> (sum f64) {
// CHECK:             tensor.extract %[[E]][%[[I]], %[[K]]]
// CHECK:           arith.maximumf
// CHECK:         } {contraction}
func.func @around(%a: tensor<40x50xf64>, %b: tensor<50x48xf64>) -> tensor<40x48xf64> {
  %zero = arith.constant 0.0 : f64
  %z = array.build (%i < 40, %j < 48) -> (tensor<40x48xf64>) {
    %p = array.build (%k < 50) -> (tensor<50xf64>) {
      %x = array.get %a[%i, %k] : (tensor<40x50xf64>) -> f64
      %e = math.exp %x : f64
      %y = array.get %b[%k, %j] : (tensor<50x48xf64>) -> f64
      %q = arith.mulf %e, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<50xf64>) -> f64
    %r = arith.maximumf %s, %zero : f64
    array.yield %r : f64
  }
  return %z : tensor<40x48xf64>
}

// A product that is read transposed is computed transposed, together with the elementwise operations on it. If other
// ops read the product too, it is also stored.
// CHECK-LABEL: func.func @descend
// CHECK:         %[[Z:.*]]:2 = sweep.nest (%[[J:.*]] < %{{.*}}, %[[I:.*]] < %{{.*}}) -> (map tensor<48x40xf64>, map tensor<48x40xf64>) {
// CHECK:           %[[S:.*]] = sweep.nest (%[[K:.*]] < %{{.*}}) -> (sum f64) {
// CHECK-DAG:         tensor.extract %arg0[%[[K]], %[[I]]]
// CHECK-DAG:         tensor.extract %arg1[%[[J]], %[[K]]]
// CHECK:           %[[W:.*]] = tensor.extract %arg2[%[[J]], %[[I]]]
// CHECK:           arith.subf %[[W]], %{{.*}} : f64
// CHECK:         } {contraction}
// CHECK:         sweep.nest (%[[J:.*]] < %{{.*}}) -> (map tensor<48xf64>) {
// CHECK:           tensor.extract %[[Z]]#0[%[[J]], %{{.*}}]
// TILES-LABEL: func.func @descend
// TILES-SAME:    %arg2: memref<48x40xf64> {llvm.readonly}, %[[NEW:.*]]: memref<48x40xf64>, %[[TOP:.*]]: memref<48xf64>
// TILES:         %[[RATE:.*]] = arith.constant 1.000000e-01 : f64
// TILES:         %[[Z:.*]] = memref.view %{{.*}} to memref<48x40xf64>
// TILES:         %[[S:.*]]:8 = scf.for
// TILES:         %[[OLD:.*]] = vector.load %arg2[%[[J:.*]], %[[I:.*]]] : memref<48x40xf64>, vector<2xf64>
// TILES-NEXT:    %[[RATES:.*]] = vector.broadcast %[[RATE]] : f64 to vector<2xf64>
// TILES-NEXT:    %[[STEP:.*]] = arith.mulf %[[RATES]], %[[S]]#0
// TILES-NEXT:    %[[Y:.*]] = arith.subf %[[OLD]], %[[STEP]]
// TILES-NEXT:    vector.store %[[S]]#0, %[[Z]][%[[J]], %[[I]]]
// TILES-NEXT:    vector.store %[[Y]], %[[NEW]][%[[J]], %[[I]]]
// TILES:         memref.load %[[Z]]
// TILES-NEXT:    %[[MAX:.*]] = arith.maxnumf
// TILES-NEXT:    memref.store %[[MAX]], %[[TOP]]
// TILES-NOT:     sweep.nest
func.func @descend(%a: tensor<50x40xf64>, %b: tensor<48x50xf64>, %w: tensor<48x40xf64>) -> (tensor<48x40xf64>, tensor<48xf64>) {
  %rate = arith.constant 0.1 : f64
  %z = array.build (%i < 40, %j < 48) -> (tensor<40x48xf64>) {
    %p = array.build (%k < 50) -> (tensor<50xf64>) {
      %x = array.get %a[%k, %i] : (tensor<50x40xf64>) -> f64
      %y = array.get %b[%j, %k] : (tensor<48x50xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<50xf64>) -> f64
    array.yield %s : f64
  }
  %new = array.build (%j < 48, %i < 40) -> (tensor<48x40xf64>) {
    %g = array.get %z[%i, %j] : (tensor<40x48xf64>) -> f64
    %x = array.get %w[%j, %i] : (tensor<48x40xf64>) -> f64
    %step = arith.mulf %rate, %g : f64
    %y = arith.subf %x, %step : f64
    array.yield %y : f64
  }
  %turned = array.transpose %z [1, 0] : (tensor<40x48xf64>) -> tensor<48x40xf64>
  %top = array.max %turned axes [1] : (tensor<48x40xf64>) -> tensor<48xf64>
  return %new, %top : tensor<48x40xf64>, tensor<48xf64>
}

// A product in the body of another reduction is moved out of it.
// CHECK-LABEL: func.func @total
// CHECK:         %[[Z:.*]] = sweep.nest {{.*}} -> (map tensor<40x48xf64>) {
// CHECK:         } {contraction}
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}, %[[J:.*]] < %{{.*}}) -> (sum f64) {
// CHECK-NEXT:      tensor.extract %[[Z]][%[[I]], %[[J]]]
func.func @total(%a: tensor<40x50xf64>, %b: tensor<50x48xf64>) -> f64 {
  %z = array.build (%i < 40, %j < 48) -> (tensor<40x48xf64>) {
    %p = array.build (%k < 50) -> (tensor<50xf64>) {
      %x = array.get %a[%i, %k] : (tensor<40x50xf64>) -> f64
      %y = array.get %b[%k, %j] : (tensor<50x48xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<50xf64>) -> f64
    array.yield %s : f64
  }
  %t = array.sum %z axes [0, 1] : (tensor<40x48xf64>) -> f64
  return %t : f64
}

// Products of integers, of small matrices, and with terms that depend on the row use plain loops.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     contraction
// CHECK:         %[[Z:.*]] = sweep.nest (%[[I:.*]] < %{{.*}}, %[[J:.*]] < %{{.*}}) -> (map tensor<40x48xi32>) {
// CHECK-NEXT:      %[[S:.*]] = sweep.nest (%[[K:.*]] < %{{.*}}) -> (sum i32) {
// CHECK-NEXT:        tensor.extract %arg0[%[[I]], %[[K]]]
// CHECK-NEXT:        tensor.extract %arg1[%[[K]], %[[J]]]
// CHECK-NEXT:        arith.muli
// CHECK-NEXT:        sweep.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      sweep.yield %[[S]]
// CHECK-NEXT:    }
// CHECK-NOT:     contraction
// CHECK:         %[[W:.*]] = sweep.nest (%{{.*}} < %{{.*}}, %{{.*}} < %{{.*}}) -> (map tensor<3x3xf64>) {
// CHECK-NOT:       sweep.nest
// CHECK-COUNT-3:   arith.mulf
// CHECK-NOT:     contraction
// CHECK:         return %[[Z]], %[[W]]
func.func @others(%a: tensor<40x50xi32>, %b: tensor<50x48xi32>, %c: tensor<3x3xf64>) -> (tensor<40x48xi32>, tensor<3x3xf64>) {
  %z = array.build (%i < 40, %j < 48) -> (tensor<40x48xi32>) {
    %p = array.build (%k < 50) -> (tensor<50xi32>) {
      %x = array.get %a[%i, %k] : (tensor<40x50xi32>) -> i32
      %y = array.get %b[%k, %j] : (tensor<50x48xi32>) -> i32
      %q = arith.muli %x, %y : i32
      array.yield %q : i32
    }
    %s = array.sum %p : (tensor<50xi32>) -> i32
    array.yield %s : i32
  }
  %w = array.build (%i < 3, %j < 3) -> (tensor<3x3xf64>) {
    %p = array.build (%k < 3) -> (tensor<3xf64>) {
      %x = array.get %c[%i, %k] : (tensor<3x3xf64>) -> f64
      %y = array.get %c[%k, %j] : (tensor<3x3xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<3xf64>) -> f64
    array.yield %s : f64
  }
  return %z, %w : tensor<40x48xi32>, tensor<3x3xf64>
}
