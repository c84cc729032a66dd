// RUN: mlopt check-calls %s --way plain --way kernels
// A loop carries an array, whose next value could be computed in its memory. There, an element of the new array and the
// element of the old one at the same indices, which it reads, are at different positions: the new one is a part that
// starts further back, or has other sizes. Such an array gets separate memory (`plan_memory/groups.rs`).
// CALL: @shifted random:64xf64:seed=1:normal random:1xf64:seed=2:normal {n} for n = 0 1 3
// CALL: @shifted_rows random:40x3xf64:seed=1:normal random:2x3xf64:seed=2:normal {n} for n = 0 1 3
// CALL: @reshaped random:40x30xf64:seed=1:normal {n} for n = 0 1 2
func.func @shifted(%x: tensor<64xf64>, %first: tensor<1xf64>, %n: index) -> tensor<64xf64> {
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (tensor<64xf64>) {
    %p = array.build (%k < 63) -> (tensor<63xf64>) {
      %e = array.get %a[%k] : (tensor<64xf64>) -> f64
      array.yield %e : f64
    }
    %z = array.append %first, %p : (tensor<1xf64>, tensor<63xf64>) -> tensor<64xf64>
    array.yield %z : tensor<64xf64>
  }
  return %r : tensor<64xf64>
}

func.func @shifted_rows(%x: tensor<40x3xf64>, %first: tensor<2x3xf64>, %n: index) -> tensor<40x3xf64> {
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (tensor<40x3xf64>) {
    %p = array.build (%k < 38, %j < 3) -> (tensor<38x3xf64>) {
      %e = array.get %a[%k, %j] : (tensor<40x3xf64>) -> f64
      array.yield %e : f64
    }
    %z = array.append %first, %p : (tensor<2x3xf64>, tensor<38x3xf64>) -> tensor<40x3xf64>
    array.yield %z : tensor<40x3xf64>
  }
  return %r : tensor<40x3xf64>
}

func.func @reshaped(%x: tensor<40x30xf64>, %n: index) -> tensor<40x30xf64> {
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (tensor<40x30xf64>) {
    %p = array.build (%k < 30, %j < 40) -> (tensor<30x40xf64>) {
      %e = array.get %a[%k, %j] : (tensor<40x30xf64>) -> f64
      array.yield %e : f64
    }
    %z = array.reshape %p : (tensor<30x40xf64>) -> tensor<40x30xf64>
    array.yield %z : tensor<40x30xf64>
  }
  return %r : tensor<40x30xf64>
}
