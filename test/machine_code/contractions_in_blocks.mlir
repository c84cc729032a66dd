// RUN: mlopt check-calls %s --way plain --mcpu x86-64 --mcpu x86-64-v3 --mcpu native --tolerance 1e-11
// RUN: mlopt %s --array-to-sweeps | FileCheck %s
// Tiled contractions: more rows, columns and terms than blocks of a packed left factor hold, for both orders
// in which it is stored.

// CHECK-LABEL: func.func @blocks_590_9_140
// CHECK:         contraction
// CALL: @blocks_590_9_140 random:140x590xf64:seed=1:normal random:140x9xf64:seed=2:normal
func.func @blocks_590_9_140(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %m = array.length %a axis 1 : tensor<?x?xf64>
  %n = array.length %b axis 1 : tensor<?x?xf64>
  %k = array.length %b : tensor<?x?xf64>
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%l < %k) -> (tensor<?xf64>) {
      %x = array.get %a[%l, %i] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%l, %j] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @blocks_590_9_140_known
// CHECK:         contraction
// CALL: @blocks_590_9_140_known random:140x590xf64:seed=1:normal random:140x9xf64:seed=2:normal
func.func @blocks_590_9_140_known(%a: tensor<140x590xf64>, %b: tensor<140x9xf64>) -> tensor<590x9xf64> {
  %m = array.length %a axis 1 : tensor<140x590xf64>
  %n = array.length %b axis 1 : tensor<140x9xf64>
  %k = array.length %b : tensor<140x9xf64>
  %z = array.build (%i < 590, %j < 9) -> (tensor<590x9xf64>) {
    %p = array.build (%l < 140) -> (tensor<140xf64>) {
      %x = array.get %a[%l, %i] : (tensor<140x590xf64>) -> f64
      %y = array.get %b[%l, %j] : (tensor<140x9xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<140xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<590x9xf64>
}

// CHECK-LABEL: func.func @blocks_590_35_60
// CHECK:         contraction
// CALL: @blocks_590_35_60 random:590x60xf64:seed=1:normal random:60x35xf64:seed=2:normal
func.func @blocks_590_35_60(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %m = array.length %a axis 0 : tensor<?x?xf64>
  %n = array.length %b axis 1 : tensor<?x?xf64>
  %k = array.length %b : tensor<?x?xf64>
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%l < %k) -> (tensor<?xf64>) {
      %x = array.get %a[%i, %l] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%l, %j] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @blocks_590_35_60_known
// CHECK:         contraction
// CALL: @blocks_590_35_60_known random:590x60xf64:seed=1:normal random:60x35xf64:seed=2:normal
func.func @blocks_590_35_60_known(%a: tensor<590x60xf64>, %b: tensor<60x35xf64>) -> tensor<590x35xf64> {
  %m = array.length %a axis 0 : tensor<590x60xf64>
  %n = array.length %b axis 1 : tensor<60x35xf64>
  %k = array.length %b : tensor<60x35xf64>
  %z = array.build (%i < 590, %j < 35) -> (tensor<590x35xf64>) {
    %p = array.build (%l < 60) -> (tensor<60xf64>) {
      %x = array.get %a[%i, %l] : (tensor<590x60xf64>) -> f64
      %y = array.get %b[%l, %j] : (tensor<60x35xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<60xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<590x35xf64>
}

// CHECK-LABEL: func.func @blocks_7_1030_140
// CHECK:         contraction
// CALL: @blocks_7_1030_140 random:140x7xf64:seed=1:normal random:140x1030xf64:seed=2:normal
func.func @blocks_7_1030_140(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %m = array.length %a axis 1 : tensor<?x?xf64>
  %n = array.length %b axis 1 : tensor<?x?xf64>
  %k = array.length %b : tensor<?x?xf64>
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%l < %k) -> (tensor<?xf64>) {
      %x = array.get %a[%l, %i] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%l, %j] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @blocks_7_1030_140_known
// CHECK:         contraction
// CALL: @blocks_7_1030_140_known random:140x7xf64:seed=1:normal random:140x1030xf64:seed=2:normal
func.func @blocks_7_1030_140_known(%a: tensor<140x7xf64>, %b: tensor<140x1030xf64>) -> tensor<7x1030xf64> {
  %m = array.length %a axis 1 : tensor<140x7xf64>
  %n = array.length %b axis 1 : tensor<140x1030xf64>
  %k = array.length %b : tensor<140x1030xf64>
  %z = array.build (%i < 7, %j < 1030) -> (tensor<7x1030xf64>) {
    %p = array.build (%l < 140) -> (tensor<140xf64>) {
      %x = array.get %a[%l, %i] : (tensor<140x7xf64>) -> f64
      %y = array.get %b[%l, %j] : (tensor<140x1030xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<140xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<7x1030xf64>
}

// CHECK-LABEL: func.func @blocks_5_530_260
// CHECK:         contraction
// CALL: @blocks_5_530_260 random:5x260xf64:seed=1:normal random:260x530xf64:seed=2:normal
func.func @blocks_5_530_260(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %m = array.length %a axis 0 : tensor<?x?xf64>
  %n = array.length %b axis 1 : tensor<?x?xf64>
  %k = array.length %b : tensor<?x?xf64>
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%l < %k) -> (tensor<?xf64>) {
      %x = array.get %a[%i, %l] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%l, %j] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @blocks_5_530_260_known
// CHECK:         contraction
// CALL: @blocks_5_530_260_known random:5x260xf64:seed=1:normal random:260x530xf64:seed=2:normal
func.func @blocks_5_530_260_known(%a: tensor<5x260xf64>, %b: tensor<260x530xf64>) -> tensor<5x530xf64> {
  %m = array.length %a axis 0 : tensor<5x260xf64>
  %n = array.length %b axis 1 : tensor<260x530xf64>
  %k = array.length %b : tensor<260x530xf64>
  %z = array.build (%i < 5, %j < 530) -> (tensor<5x530xf64>) {
    %p = array.build (%l < 260) -> (tensor<260xf64>) {
      %x = array.get %a[%i, %l] : (tensor<5x260xf64>) -> f64
      %y = array.get %b[%l, %j] : (tensor<260x530xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<260xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<5x530xf64>
}
