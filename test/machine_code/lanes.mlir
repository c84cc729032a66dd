// RUN: mlopt check-calls %s --way plain --way kernels
// Loops over records, which run on vectors with a remainder, and small arrays in loops, which become scalars. The
// lengths have whole vectors, remainders, both, and neither.

// Three components in, five out, one of them constant; a value that all iterations share; a unit stride. `w` has its
// own length: reads after its end are masked.
// WITH: f64 = f64 f32
// CALL: @records random:{n}x3xf64:seed=1:normal random:{m}xf64:seed=2:normal random:4xf64:seed=3:normal \
//   for n,m = 0,0 0,0 1,1 1,0 7,7 7,3 8,8 8,4 9,9 9,4 16,16 16,8 17,17 17,8 35,35 35,17
func.func @records(%x: tensor<?x3xf64>, %w: tensor<?xf64>, %c: tensor<4xf64>) -> tensor<?x5xf64> {
  %n = array.length %x : tensor<?x3xf64>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  %z = array.build (%i < %n) -> (tensor<?x5xf64>) {
    %a = array.get %x[%i, %i0] : (tensor<?x3xf64>) -> f64
    %b = array.get %x[%i, %i1] : (tensor<?x3xf64>) -> f64
    %d = array.get %x[%i, %i2] : (tensor<?x3xf64>) -> f64
    %wi = array.get %w[%i] : (tensor<?xf64>) -> f64
    %c2 = array.get %c[%i2] : (tensor<4xf64>) -> f64
    %e = math.exp %a : f64
    %p = arith.mulf %b, %wi : f64
    %q = arith.addf %p, %d : f64
    %less = arith.cmpf olt, %a, %b : f64
    %s = arith.select %less, %d, %c2 : f64
    %r = array.stack %e, %q, %one, %s, %c2 : (f64, f64, f64, f64, f64) -> tensor<5xf64>
    array.yield %r : tensor<5xf64>
  }
  return %z : tensor<?x5xf64>
}

// -----

// Positions from data, some of them outside; nested conditions; functions that are called for each lane.
// CALL: @positions random:{n}x2xf64:seed=1:uniform=-4,4 random:{m}x3xf64:seed=2:normal \
//   for n,m = 0,4 0,1 0,0 1,4 1,1 1,0 7,4 7,1 7,0 8,4 8,1 8,0 9,4 9,1 9,0 16,4 16,1 16,0 17,4 17,1 17,0 35,4 35,1 35,0
// CALL: @positions [[0.5, 1], [1e300, 2], [nan, 3], [-1, 1], [2, -1], [1, 1], [0, 2], [3, 3], [nan, nan]] \
//   random:{m}x3xf64:normal for m = 4 1 0
func.func @positions(%at: tensor<?x2xf64>, %x: tensor<?x3xf64>) -> tensor<?x2x3xf64> {
  %n = array.length %at : tensor<?x2xf64>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = array.build (%i < %n) -> (tensor<?x2x3xf64>) {
    %f = array.get %at[%i, %i0] : (tensor<?x2xf64>) -> f64
    %g = array.get %at[%i, %i1] : (tensor<?x2xf64>) -> f64
    %k = array.floor %f : (f64) -> index
    %row = array.get %x[%k] : (tensor<?x3xf64>) -> tensor<3xf64>
    %s = math.sin %g : f64
    %ss = array.replicate %s : (f64) -> tensor<3xf64>
    %p = arith.mulf %row, %ss : tensor<3xf64>
    %m = arith.cmpi slt, %k, %i1 : index
    %q = scf.if %m -> (tensor<3xf64>) {
      scf.yield %row : tensor<3xf64>
    } else {
      %l = array.get %x[%i1] : (tensor<?x3xf64>) -> tensor<3xf64>
      scf.yield %l : tensor<3xf64>
    }
    %r = array.stack %p, %q : (tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    array.yield %r : tensor<2x3xf64>
  }
  return %z : tensor<?x2x3xf64>
}

// A loop inside a loop that carries a small array: updated at constant positions, by rows and as a whole.
// CALL: @carried random:{n}x3xf64:seed=1:normal random:3xf64:seed=2:normal for n = 0 1 2 9
func.func @carried(%x: tensor<?x3xf64>, %a: tensor<3xf64>) -> (tensor<3xf64>, tensor<?x2x3xf64>, tensor<?xf64>) {
  %i1 = arith.constant 1 : index
  %b, %z, %t = array.map_accum (%row = %x : tensor<?x3xf64>) iter_args(%s = %a)
      -> (tensor<3xf64>, tensor<?x2x3xf64>, tensor<?xf64>) {
    %p = arith.mulf %row, %s : tensor<3xf64>
    %q = array.sum %p : (tensor<3xf64>) -> f64
    %v = array.reverse %p : tensor<3xf64>
    %m = array.max %v : (tensor<3xf64>) -> f64
    %o = array.one_hot %m at [%i1] : (f64) -> tensor<3xf64>
    %next = arith.addf %o, %v : tensor<3xf64>
    %both = array.stack %s, %next : (tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    array.yield %next, %both, %q : tensor<3xf64>, tensor<2x3xf64>, f64
  }
  return %b, %z, %t : tensor<3xf64>, tensor<?x2x3xf64>, tensor<?xf64>
}

// An array that is read at positions from data is not replaced by scalars.
// CALL: @indexed [] random:3xf64:seed=2:normal
// CALL: @indexed [2] random:3xf64:seed=2:normal
// CALL: @indexed [1, 1, 7, 0, -1, 2] random:3xf64:seed=2:normal
func.func @indexed(%k: tensor<?xindex>, %a: tensor<3xf64>) -> (tensor<3xf64>, tensor<?xf64>) {
  %b, %t = array.map_accum (%i = %k : tensor<?xindex>) iter_args(%s = %a) -> (tensor<3xf64>, tensor<?xf64>) {
    %e = array.get %s[%i] : (tensor<3xf64>) -> f64
    %o = array.one_hot %e at [%i] : (f64) -> tensor<3xf64>
    %next = arith.addf %o, %s : tensor<3xf64>
    array.yield %next, %e : tensor<3xf64>, f64
  }
  return %b, %t : tensor<3xf64>, tensor<?xf64>
}

// CALL: @matrices random:{n}xf64:seed=1:normal random:3x4xf64:seed=2:normal for n = 0 1 7 8 9 16 17 35
func.func @matrices(%x: tensor<?xf64>, %a: tensor<3x4xf64>) -> tensor<4x3xf64> {
  %z = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %a) -> (tensor<3x4xf64>) {
    %t = array.transpose %s [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    %r = array.reshape %t : (tensor<4x3xf64>) -> tensor<3x4xf64>
    %row = array.replicate %e : (f64) -> tensor<4xf64>
    %c = array.replicate %row : (tensor<4xf64>) -> tensor<3x4xf64>
    %p = arith.mulf %r, %c : tensor<3x4xf64>
    %q = arith.addf %p, %s : tensor<3x4xf64>
    array.yield %q : tensor<3x4xf64>
  }
  %y = array.transpose %z [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  return %y : tensor<4x3xf64>
}

// -----

// A recurrence with arrays of `$n` elements, which reverses, shifts and sums them and computes their maximum. `$r` is
// one less.
// WITH: f64 = f64 f32
// WITH: $n,$r = 2,1 4,3 5,4 7,6 16,15 31,30 32,31 33,32
// CALL: @recurrence random:{l}xf64:seed=1:normal random:$nxf64:seed=2:normal random:$nxf64:seed=3:normal \
//   random:$nxf64:seed=4:normal for l = 0 1 7 8 9 16 17 35
func.func @recurrence(%x: tensor<?xf64>, %a: tensor<$nxf64>, %b: tensor<$nxf64>, %w: tensor<$nxf64>)
    -> (tensor<$nxf64>, tensor<$nxf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %z:3 = array.map_accum (%e = %x : tensor<?xf64>) iter_args(%s = %a, %t = %b)
      -> (tensor<$nxf64>, tensor<$nxf64>, tensor<?xf64>) {
    %first = array.reshape %e : (f64) -> tensor<1xf64>
    %older = array.slice %s from %c0 : (tensor<$nxf64>) -> tensor<$rxf64>
    %shifted = array.append %first, %older : (tensor<1xf64>, tensor<$rxf64>) -> tensor<$nxf64>
    %p = arith.mulf %shifted, %t : tensor<$nxf64>
    %sum = array.sum %p : (tensor<$nxf64>) -> f64
    %most = array.max %p : (tensor<$nxf64>) -> f64
    %less = arith.cmpf olt, %e, %sum : f64
    %m = arith.select %less, %most, %half : f64
    %all = array.replicate %m : (f64) -> tensor<$nxf64>
    %turned = array.reverse %shifted : tensor<$nxf64>
    %q = arith.mulf %turned, %w : tensor<$nxf64>
    %u = arith.addf %q, %all : tensor<$nxf64>
    %v = math.tanh %u : tensor<$nxf64>
    %one = array.get %v[%c1] : (tensor<$nxf64>) -> f64
    %r = arith.addf %sum, %one : f64
    array.yield %shifted, %v, %r : tensor<$nxf64>, tensor<$nxf64>, f64
  }
  return %z#0, %z#1, %z#2 : tensor<$nxf64>, tensor<$nxf64>, tensor<?xf64>
}

// -----

// Sums along rows of `$n` columns, and a computation on them.
// WITH: f64 = f64 f32
// WITH: $n = 7 8 9 16 23 49 72 130
// CALL: @layer random:{l}x$nxf64:seed=1:normal random:$nxf64:seed=2:normal random:{l}xf64:seed=3:normal \
//   for l = 0 1 7 8 9 16 17 35
func.func @layer(%w: tensor<?x$nxf64>, %x: tensor<$nxf64>, %b: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %n = array.length %w : tensor<?x$nxf64>
  %z:2 = array.build (%i < %n) -> (tensor<?xf64>, tensor<?xf64>) {
    %row = array.get %w[%i] : (tensor<?x$nxf64>) -> tensor<$nxf64>
    %p = arith.mulf %row, %x : tensor<$nxf64>
    %s = array.sum %p : (tensor<$nxf64>) -> f64
    %e = math.exp %x : tensor<$nxf64>
    %q = arith.addf %row, %e : tensor<$nxf64>
    %t = array.sum %q : (tensor<$nxf64>) -> f64
    %c = array.get %b[%i] : (tensor<?xf64>) -> f64
    %u = arith.addf %s, %c : f64
    %y = math.tanh %u : f64
    array.yield %y, %t : f64, f64
  }
  return %z#0, %z#1 : tensor<?xf64>, tensor<?xf64>
}

// -----

// Sums along `$n` columns, two at once, and a computation on them; in a loop, which is not interchanged.
// WITH: f64 = f64 f32
// WITH: $n = 7 8 9 16 23 49 72 140 300
// CALL: @down random:{l}x$nxf64:seed=1:normal random:$nxf64:seed=2:normal random:3x{l}xf64:seed=3:normal \
//   for l = 0 1 7 8 9 16 17 35
func.func @down(%a: tensor<?x$nxf64>, %b: tensor<$nxf64>, %x: tensor<?x?xf64>)
    -> tensor<?x$nxf64> {
  %n = array.length %a : tensor<?x$nxf64>
  %z:2 = array.map_accum (%row = %x : tensor<?x?xf64>) iter_args(%last = %b)
      -> (tensor<$nxf64>, tensor<?x$nxf64>) {
    %y = array.build (%i < $n) -> (tensor<$nxf64>) {
      %p = array.build (%k < %n) -> (tensor<?xf64>) {
        %e = array.get %a[%k, %i] : (tensor<?x$nxf64>) -> f64
        %f = array.get %row[%k] : (tensor<?xf64>) -> f64
        %q = arith.mulf %e, %f : f64
        array.yield %q : f64
      }
      %s = array.sum %p : (tensor<?xf64>) -> f64
      %c = array.get %b[%i] : (tensor<$nxf64>) -> f64
      %u = arith.addf %s, %c : f64
      %v = math.tanh %u : f64
      array.yield %v : f64
    }
    array.yield %y, %y : tensor<$nxf64>, tensor<$nxf64>
  }
  return %z#1 : tensor<?x$nxf64>
}

// -----

// A recurrence whose state is multiplied by a matrix of `$r` rows and `$c` columns, and then mapped. Numbers of
// iterations for which the matrix is transposed, and for which it is not.
// WITH: $r,$c,$d = 16,17,1 20,49,29 32,40,8 128,130,2 140,141,1
// CALL: @network random:{l}x$dxf64:seed=1:uniform=-0.125,0.125 random:$rx$cxf64:seed=2:uniform=-0.125,0.125 \
//   random:$rxf64:seed=3:uniform=-0.125,0.125 for l = 0 1 31 32 40
func.func @network(%x: tensor<?x$dxf64>, %w: tensor<$rx$cxf64>, %h: tensor<$rxf64>)
    -> (tensor<$rxf64>, tensor<?x$rxf64>) {
  %z:2 = array.map_accum (%e = %x : tensor<?x$dxf64>) iter_args(%s = %h)
      -> (tensor<$rxf64>, tensor<?x$rxf64>) {
    %both = array.append %e, %s : (tensor<$dxf64>, tensor<$rxf64>) -> tensor<$cxf64>
    %p = array.build (%i < $r) -> (tensor<$rxf64>) {
      %row = array.get %w[%i] : (tensor<$rx$cxf64>) -> tensor<$cxf64>
      %q = arith.mulf %row, %both : tensor<$cxf64>
      %t = array.sum %q : (tensor<$cxf64>) -> f64
      array.yield %t : f64
    }
    %a = math.tanh %p : tensor<$rxf64>
    %c = math.exp %a : tensor<$rxf64>
    %next = arith.subf %c, %s : tensor<$rxf64>
    array.yield %next, %a : tensor<$rxf64>, tensor<$rxf64>
  }
  return %z#0, %z#1 : tensor<$rxf64>, tensor<?x$rxf64>
}
