// RUN: mlopt check-calls %s --way plain --way kernels
// Programs in which arrays could share memory wrongly (`lowering/memory/plan_memory`).
// CALL: @copied random:3x5xf64:seed=1:normal [3, 5] {n} for n = 0 1 3
// CALL: @joined random:4xf64:seed=1:normal random:0xf64:seed=2:normal {n} for n = 0 1 3
// CALL: @inner random:40xf64:seed=1:normal random:2xf64:seed=2:normal random:1xf64:seed=3:normal {n} for n = 0 1 3
// CALL: @replaced random:40xf64:seed=1:normal {n} for n = 0 1 7
// CALL: @replaced_if random:40xf64:seed=1:normal {n} for n = 0 1 7
// CALL: @bounded [3, 3] random:8x8xf64:seed=1:normal {n} 3 for n = 0 1 3

// A reshape whose sizes are read from an array is a copy: it must not overwrite the carried array, which is read later.
func.func @copied(%x: tensor<?x?xf64>, %sizes: tensor<2xindex>, %n: index) -> (tensor<?x?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %p = array.get %sizes[%c0] : (tensor<2xindex>) -> index
  %q = array.get %sizes[%c1] : (tensor<2xindex>) -> index
  %y = array.build (%i < %p, %j < %q) -> (tensor<?x?xf64>) {
    %e = array.get %x[%i, %j] : (tensor<?x?xf64>) -> f64
    array.yield %e : f64
  }
  %h = array.length %y axis 0 : tensor<?x?xf64>
  %w = array.length %y axis 1 : tensor<?x?xf64>
  %r:2 = array.ifold (%i < %n) iter_args(%a = %y, %t = %zero) -> (tensor<?x?xf64>, f64) {
    %b = array.build (%k < %w, %j < %h) -> (tensor<?x?xf64>) {
      %e = array.get %a[%j, %k] : (tensor<?x?xf64>) -> f64
      array.yield %e : f64
    }
    %z = array.reshape %b sizes(%h, %w) : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %m = arith.mulf %z, %a : tensor<?x?xf64>
    %m1 = array.sum %m : (tensor<?x?xf64>) -> tensor<?xf64>
    %m2 = array.sum %m1 : (tensor<?xf64>) -> f64
    %u = arith.addf %t, %m2 : f64
    array.yield %z, %u : tensor<?x?xf64>, f64
  }
  return %r#0, %r#1 : tensor<?x?xf64>, f64
}

// Two joins with an empty part: the carried array could be a part of the first one, and its result a part of the
// carried array.
func.func @joined(%x: tensor<4xf64>, %e: tensor<0xf64>, %n: index) -> tensor<4xf64> {
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (tensor<4xf64>) {
    %z = array.append %a, %e : (tensor<4xf64>, tensor<0xf64>) -> tensor<4xf64>
    %w = array.append %z, %e : (tensor<4xf64>, tensor<0xf64>) -> tensor<4xf64>
    array.yield %w : tensor<4xf64>
  }
  return %r : tensor<4xf64>
}

// The carried array could be a part of %w when %p is already a part of it: %p would overwrite %w while it is read.
func.func @inner(%x: tensor<40xf64>, %q: tensor<2xf64>, %o: tensor<1xf64>, %n: index) -> f64 {
  %c3 = arith.constant 39 : index
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (tensor<40xf64>) {
    %w = array.append %a, %q : (tensor<40xf64>, tensor<2xf64>) -> tensor<42xf64>
    %p = array.build (%k < 39) -> (tensor<39xf64>) {
      %s = arith.subi %c3, %k : index
      %e = array.get %w[%s] : (tensor<42xf64>) -> f64
      array.yield %e : f64
    }
    %z = array.append %p, %o : (tensor<39xf64>, tensor<1xf64>) -> tensor<40xf64>
    array.yield %z : tensor<40xf64>
  }
  %t = array.build (%k < 40) -> (tensor<40xf64>) {
    %e = array.get %r[%k] : (tensor<40xf64>) -> f64
    %f = arith.index_cast %k : index to i64
    %g = arith.sitofp %f : i64 to f64
    %h = arith.mulf %e, %g : f64
    array.yield %h : f64
  }
  %u = array.sum %t : (tensor<40xf64>) -> f64
  return %u : f64
}

// A carried array that no iteration reads: the last iteration decides, so the iterations must not run in any order.
func.func @replaced(%x: tensor<40xf64>, %n: index) -> tensor<40xf64> {
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (tensor<40xf64>) {
    %z = array.build (%k < 40) -> (tensor<40xf64>) {
      %s = arith.addi %k, %i : index
      %e = array.get %x[%s] : (tensor<40xf64>) -> f64
      array.yield %e : f64
    }
    array.yield %z : tensor<40xf64>
  }
  return %r : tensor<40xf64>
}
func.func @replaced_if(%x: tensor<40xf64>, %n: index) -> tensor<40xf64> {
  %zero = arith.constant 0.0 : f64
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (tensor<40xf64>) {
    %u = array.get %x[%i] : (tensor<40xf64>) -> f64
    %c = arith.cmpf ogt, %u, %zero : f64
    %z = scf.if %c -> (tensor<40xf64>) {
      %y = array.build (%k < 40) -> (tensor<40xf64>) {
        %s = arith.addi %k, %i : index
        %e = array.get %x[%s] : (tensor<40xf64>) -> f64
        array.yield %e : f64
      }
      scf.yield %y : tensor<40xf64>
    } else {
      scf.yield %a : tensor<40xf64>
    }
    array.yield %z : tensor<40xf64>
  }
  return %r : tensor<40xf64>
}

// The sizes of the initial array have only a bound at the entry, so that its memory has longer rows than the array. The
// next array has the same sizes, known at the entry, and its reshape needs contiguous rows.
func.func @bounded(%ks: tensor<2xindex>, %x: tensor<8x8xf64>, %n: index, %p: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %t = array.ifold (%i < %n) iter_args(%a = %ks) -> (tensor<2xindex>) {
    %b = array.build (%k < 2) -> (tensor<2xindex>) {
      %e = arith.subi %c1, %k : index
      %f = array.get %a[%e] : (tensor<2xindex>) -> index
      array.yield %f : index
    }
    array.yield %b : tensor<2xindex>
  }
  %m0 = array.get %t[%c0] : (tensor<2xindex>) -> index
  %m = arith.minsi %m0, %c8 : index
  %y = array.build (%i < %m, %j < %m) -> (tensor<?x?xf64>) {
    %e = array.get %x[%i, %j] : (tensor<8x8xf64>) -> f64
    array.yield %e : f64
  }
  %w = array.build (%i < %p, %j < %p) -> (tensor<?x?xf64>) {
    %e = array.get %x[%j, %i] : (tensor<8x8xf64>) -> f64
    array.yield %e : f64
  }
  %h = array.length %w axis 0 : tensor<?x?xf64>
  %l = array.length %w axis 1 : tensor<?x?xf64>
  %yw = arith.mulf %y, %w : tensor<?x?xf64>
  %d1 = array.sum %yw : (tensor<?x?xf64>) -> tensor<?xf64>
  %d = array.sum %d1 : (tensor<?xf64>) -> f64
  %hl = arith.muli %h, %l : index
  %r:2 = array.ifold (%i < %n) iter_args(%a = %y, %s = %d) -> (tensor<?x?xf64>, f64) {
    %b = array.build (%k < %h, %j < %l) -> (tensor<?x?xf64>) {
      %e = array.get %a[%k, %j] : (tensor<?x?xf64>) -> f64
      %f = arith.addf %e, %s : f64
      array.yield %f : f64
    }
    %z = array.reshape %b sizes(%hl) : (tensor<?x?xf64>) -> tensor<?xf64>
    %u = array.get %z[%i] : (tensor<?xf64>) -> f64
    %v = array.get %z[%c8] : (tensor<?xf64>) -> f64
    %next = arith.subf %u, %v : f64
    array.yield %b, %next : tensor<?x?xf64>, f64
  }
  %s1 = array.sum %r#0 : (tensor<?x?xf64>) -> tensor<?xf64>
  %s2 = array.sum %s1 : (tensor<?xf64>) -> f64
  %s3 = arith.addf %s2, %r#1 : f64
  return %s3 : f64
}
