// RUN: mlopt check-calls %s --way plain --way kernels
// A loop carries a copy of %t, and each iteration updates %t itself. Another loop over the same indices computes what
// this loop reads, so that both become one loop (`array_to_sweeps/horizontal_fusion.rs`): what the second one reads of
// %t are still the elements before the loop.
// CALL: @few random:5xf64 2.0 4 4
// CALL: @few random:5xf64 2.0 0 4
// CALL: @many random:40xf64 2.0 3 2
// CALL: @many random:40xf64 2.0 17 2
// CALL: @read random:9xf64 2.0 4 3
// CALL: @read random:129xf64 2.0 2 3
func.func @few(%t: tensor<5xf64>, %a: f64, %n: index, %v: index) -> (tensor<5xf64>, tensor<?xf64>) {
  %x = array.build (%i < %n) -> (tensor<?xf64>) {
    array.yield %a : f64
  }
  %r:2 = array.map_accum (%e = %x : tensor<?xf64>) iter_args(%s = %t) -> (tensor<5xf64>, tensor<?xf64>) {
    %u = array.scatter %a into %t : f64 into tensor<5xf64> () {
      %c4 = arith.constant 4 : index
      array.yield %c4 : index
    }
    array.yield %u, %e : tensor<5xf64>, f64
  }
  %y = array.build (%i < %v) -> (tensor<?x?xf64>) {
    array.yield %x : tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<5xf64>, tensor<?xf64>
}

func.func @many(%t: tensor<40xf64>, %a: f64, %n: index, %v: index) -> (tensor<40xf64>, tensor<?xf64>) {
  %x = array.build (%i < %n) -> (tensor<?xf64>) {
    %f = arith.index_cast %i : index to i64
    %g = arith.sitofp %f : i64 to f64
    %h = arith.mulf %g, %a : f64
    array.yield %h : f64
  }
  %r:2 = array.map_accum (%e = %x : tensor<?xf64>) iter_args(%s = %t) -> (tensor<40xf64>, tensor<?xf64>) {
    %u = array.scatter %e into %t : f64 into tensor<40xf64> () {
      array.yield %v : index
    }
    array.yield %u, %e : tensor<40xf64>, f64
  }
  %y = array.build (%i < %v) -> (tensor<?x?xf64>) {
    array.yield %x : tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<40xf64>, tensor<?xf64>
}

func.func @read(%t: tensor<?xf64>, %a: f64, %n: index, %v: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %x = array.build (%i < %n) -> (tensor<?xf64>) {
    array.yield %a : f64
  }
  %r:2 = array.map_accum (%e = %x : tensor<?xf64>) iter_args(%s = %t) -> (tensor<?xf64>, tensor<?xf64>) {
    %old = array.get %s[%v] : (tensor<?xf64>) -> f64
    %first = array.get %t[%v] : (tensor<?xf64>) -> f64
    %sum = arith.addf %old, %first : f64
    %u = array.scatter %sum into %t : f64 into tensor<?xf64> () {
      array.yield %v : index
    }
    array.yield %u, %e : tensor<?xf64>, f64
  }
  %y = array.build (%i < %v) -> (tensor<?x?xf64>) {
    array.yield %x : tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
