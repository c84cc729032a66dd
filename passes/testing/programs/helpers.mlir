// RUN: mlopt %s | FileCheck %s
// Functions that random programs call and map (`mod.rs`).
// CHECK: func.func private @scalar(
// CHECK: func.func private @rows(

func.func private @scalar(%a: f64, %b: f64) -> f64 {
  %c = arith.mulf %a, %b : f64
  %d = math.sin %c : f64
  return %d : f64
}
func.func private @rows(%x: tensor<?xf64>, %i: index) -> (f64, tensor<?xf64>) {
  %n = array.length %x : tensor<?xf64>
  %r = array.build (%j < %n) -> (tensor<?xf64>) {
    %k = arith.addi %j, %i : index
    %a = array.get %x[%k] : (tensor<?xf64>) -> f64
    %b = array.get %x[%j] : (tensor<?xf64>) -> f64
    %c = func.call @scalar(%a, %b) : (f64, f64) -> f64
    array.yield %c : f64
  }
  %s = array.sum %r : (tensor<?xf64>) -> f64
  return %s, %r : f64, tensor<?xf64>
}
