// RUN: mlopt check-calls %s --way kernels --mcpu x86-64
// RUN: mlopt check-calls %s --way kernels --mcpu x86-64-v3
// A vector that one kernel computes and another reads has memory of its size, aligned as its elements.

// CALL: @f random:4xf64 random:2x3x2xf64 [1,2,4,1,3] 0.5 false 4 2 3
func.func @f(%w: tensor<4xf64>, %z: tensor<2x3x?xf64>, %t: tensor<5xindex>, %a: f64, %c: i1, %k: index, %n: index, %m: index) -> (tensor<5xindex>, tensor<2xf64>, tensor<4xf64>) {
  %0 = math.cos %w : tensor<4xf64>
  %1 = math.tanh %0 : tensor<4xf64>
  %2 = array.iota : tensor<2xindex>
  %3 = array.reshape %1 : (tensor<4xf64>) -> tensor<4x1xf64>
  %4 = array.argmax %t : (tensor<5xindex>) -> index
  %5 = array.scatter %2 into %t : tensor<2xindex> into tensor<5xindex> (%i) {
    array.yield %i : index
  }
  %6 = array.gather %3 : tensor<4x1xf64> (%i < 2) -> (tensor<2xf64>) {
    %c4 = arith.constant 4 : index
    %9 = arith.addi %4, %c4 : index
    array.yield %9, %i : index, index
  }
  %c6 = arith.constant 6 : index
  %7 = arith.minsi %4, %c6 : index
  %8 = array.ifold (%i < %7) iter_args(%x = %1) -> (tensor<4xf64>) {
    %9 = array.iota %n : tensor<?xindex>
    %10 = scf.if %c -> (index) {
      %16 = array.scatter %2 into %2 : tensor<2xindex> into tensor<2xindex> (%j) {
        %c1 = arith.constant 1 : index
        array.yield %c1 : index
      }
      %17:2 = scf.if %c -> (tensor<?xindex>, tensor<2xindex>) {
        scf.yield %9, %16 : tensor<?xindex>, tensor<2xindex>
      } else {
        scf.yield %9, %16 : tensor<?xindex>, tensor<2xindex>
      }
      %18 = array.max %17#1 : (tensor<2xindex>) -> index
      %19 = arith.cmpi slt, %18, %k : index
      %20 = arith.select %19, %c6, %7 : index
      %21 = array.max %17#0 : (tensor<?xindex>) -> index
      %22 = arith.cmpi slt, %21, %k : index
      %23 = arith.select %22, %7, %20 : index
      scf.yield %23 : index
    } else {
      %16:4 = array.build (%j < 3) -> (tensor<3x2x3xf64>, tensor<3xindex>, tensor<3xindex>, tensor<3x4x1xf64>) {
        %26 = math.cos %z : tensor<2x3x?xf64>
        %27 = math.cos %3 : tensor<4x1xf64>
        %28 = array.min %26 axes [2] : (tensor<2x3x?xf64>) -> tensor<2x3xf64>
        %29 = math.tanh %28 : tensor<2x3xf64>
        %30 = array.get %t[%7] : (tensor<5xindex>) -> index
        array.yield %29, %30, %j, %27 : tensor<2x3xf64>, index, index, tensor<4x1xf64>
      }
      %17 = array.max %16#3 axes [0, 1, 2] : (tensor<3x4x1xf64>) -> f64
      %18 = arith.cmpf olt, %17, %a : f64
      %19 = arith.select %18, %m, %7 : index
      %20 = array.max %16#2 : (tensor<3xindex>) -> index
      %21 = arith.cmpi slt, %20, %k : index
      %22 = arith.select %21, %7, %19 : index
      %23 = array.max %16#1 : (tensor<3xindex>) -> index
      %24 = arith.cmpi slt, %23, %k : index
      %25 = arith.select %24, %7, %22 : index
      scf.yield %25 : index
    }
    %11 = arith.cmpi slt, %10, %k : index
    %12 = arith.select %11, %0, %x : tensor<4xf64>
    %13 = math.sin %12 : tensor<4xf64>
    %14 = arith.cmpi eq, %i, %10 : index
    %15 = arith.select %14, %13, %x : tensor<4xf64>
    array.yield %15 : tensor<4xf64>
  }
  return %5, %6, %8 : tensor<5xindex>, tensor<2xf64>, tensor<4xf64>
}
